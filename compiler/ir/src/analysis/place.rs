//! The places in memory that accesses refer to, in a form in which two places can be compared.

use crate::{BinaryOp, Function, InstId, Op, Type, Value, VariableId, constant};

/// Most additions that an address is taken apart into.
const MOST_ADDITIONS: usize = 8;

/// The place of a load or a store. Two are equal where they are the same bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Place {
    root: Root,
    /// Distance from the root, and how much is accessed: in bytes, or in elements of a variable.
    offset: i64,
    size: i64,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Root {
    /// An address, and what is added to it last that is not constant: an index and its stride.
    Address(Value, Option<(Value, i64)>),
    /// A variable, with the part of the index that is not constant.
    Variable(VariableId, Option<Value>),
    /// The same of a buffer, which may be the same memory as another one.
    Buffer(VariableId, Option<Value>),
}

impl Place {
    /// The place of a load or a store; `None` for all else.
    pub fn of(function: &Function, id: InstId) -> Option<Place> {
        let inst = function.inst(id);
        match inst.op {
            Op::Load { ptr, .. } => Place::at(function, ptr, function.ty(*inst.results.first()?)),
            Op::Store { ptr, value, .. } => Place::at(function, ptr, function.ty(value)),
            Op::VariableLoad { variable, index } | Op::VariableStore { variable, index, .. } => {
                let (index, offset) = match index {
                    Some(index) => parts(function, index),
                    None => (None, 0),
                };
                Some(Place { root: Root::Variable(variable, index), offset, size: 1 })
            }
            _ => None,
        }
    }

    /// The place of a value of a type at an address; `None` for handles, whose size is the consumer's.
    fn at(function: &Function, address: Value, ty: Type) -> Option<Place> {
        let (mut address, mut offset, mut index) = (address, 0i64, None);
        for _ in 0..MOST_ADDITIONS {
            match function.op(address) {
                Some(Op::PtrAdd { base, index: last, stride, displacement }) => {
                    offset = offset.wrapping_add(*displacement);
                    address = *base;
                    index = last.map(|last| (last, *stride));
                    if index.is_some() {
                        break;
                    }
                }
                // After legalisation addresses are integers.
                Some(Op::Binary { op: BinaryOp::Add, lhs, rhs }) => {
                    let Some(constant) = function.as_int(*rhs) else { break };
                    offset = offset.wrapping_add(constant.cast_signed());
                    address = *lhs;
                }
                _ => break,
            }
        }
        let size = i64::from(ty.lanes) * ty.scalar.bytes().cast_signed();
        (size > 0).then_some(Place { root: Root::Address(address, index), offset, size })
    }

    /// The place of an access to a variable, where the variable is a buffer ([`crate::Storage::StorageBuffer`]).
    pub fn in_buffer(self) -> Place {
        match self.root {
            Root::Variable(variable, index) => Place { root: Root::Buffer(variable, index), ..self },
            Root::Address(..) | Root::Buffer(..) => self,
        }
    }

    /// Whether it is known that this access is of all that the other one is of, or of more.
    pub fn covers(&self, other: &Place) -> bool {
        let ahead = other.offset.wrapping_sub(self.offset);
        self.root == other.root && ahead >= 0 && ahead.saturating_add(other.size) <= self.size
    }

    /// Whether it is known that two accesses have no byte in common.
    pub fn is_apart_from(&self, other: &Place) -> bool {
        match (self.root, other.root) {
            (Root::Variable(a, _), Root::Variable(b, _)) if a != b => true,
            (a, b) if a == b => {
                let distance = other.offset.wrapping_sub(self.offset);
                // Addresses and indices of 32 bits wrap.
                let is_near = i32::try_from(distance).is_ok();
                is_near && (distance >= self.size || -distance >= other.size)
            }
            _ => false,
        }
    }
}

/// The bytes that a `ptr_add` adds to an address, if its index is a constant or there is none.
pub fn constant_offset(function: &Function, index: Option<Value>, stride: i64, displacement: i64) -> Option<i64> {
    let Some(index) = index else { return Some(displacement) };
    let bits = function.as_int(index)?;
    let index = constant::sign_extend(function.ty(index).scalar, bits);
    index.checked_mul(stride)?.checked_add(displacement)
}

/// A value as one that is not constant, if there is such a part, and a constant.
fn parts(function: &Function, value: Value) -> (Option<Value>, i64) {
    if let Some(constant) = function.as_int(value) {
        return (None, constant.cast_signed());
    }
    match function.op(value) {
        Some(Op::Binary { op: BinaryOp::Add, lhs, rhs }) => match function.as_int(*rhs) {
            Some(constant) => (Some(*lhs), constant.cast_signed()),
            None => (Some(value), 0),
        },
        _ => (Some(value), 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Builder, Opaque, ScalarType, Space};

    /// Stores of `i32` at these addresses, made of a pointer and two integers.
    fn apart(addresses: fn(&mut Builder<'_>, [Value; 3]) -> [Value; 2]) -> bool {
        let mut function = Function::new("f");
        let params = [Type::ptr(Space::Global), Type::I64, Type::I64].map(|ty| function.add_param(ty));
        let mut b = Builder::new(&mut function);
        let [first, second] = addresses(&mut b, params);
        let value = b.int(Type::I32, 1);
        b.store(first, value, 4);
        b.store(second, value, 4);
        let insts = &function.region(function.body).insts;
        let [.., first, second] = insts[..] else { panic!("two stores") };
        let [first, second] = [first, second].map(|id| Place::of(&function, id).unwrap());
        assert_eq!(first.is_apart_from(&second), second.is_apart_from(&first));
        first.is_apart_from(&second)
    }

    #[test]
    fn distances_from_one_address() {
        assert!(apart(|b, [p, ..]| [p, b.offset(p, 4)]));
        assert!(!apart(|b, [p, ..]| [p, b.offset(p, 3)]), "an overlap");
        assert!(!apart(|b, [p, ..]| [p, b.offset(p, -3)]), "an overlap");
        assert!(!apart(|_, [p, ..]| [p, p]), "the same place");
        assert!(!apart(|b, [p, ..]| [p, b.offset(p, 1 << 32)]), "the same place where pointers have 32 bits");
    }

    fn element_at(b: &mut Builder<'_>, p: Value, index: Value, distance: i64) -> Value {
        let element = b.ptr_add(p, index, 16);
        b.offset(element, distance)
    }

    #[test]
    fn indices_must_be_the_same() {
        assert!(apart(|b, [p, i, _]| [element_at(b, p, i, 4), element_at(b, p, i, 8)]));
        assert!(!apart(|b, [p, i, j]| [element_at(b, p, i, 4), element_at(b, p, j, 8)]), "other indices");
        assert!(!apart(|b, [p, i, _]| [p, element_at(b, p, i, 4)]), "an index on one side");
    }

    #[test]
    fn handles_have_no_place() {
        let mut function = Function::new("f");
        let [p, event] = [Type::ptr(Space::Private), Type::scalar(ScalarType::Opaque(Opaque::Event))]
            .map(|ty| function.add_param(ty));
        Builder::new(&mut function).store(p, event, 8);
        let id = function.region(function.body).insts[0];
        assert!(Place::of(&function, id).is_none());
    }

    #[test]
    fn addresses_that_are_integers() {
        assert!(apart(|b, [_, x, _]| [b.binary_int(BinaryOp::Add, x, 8), b.binary_int(BinaryOp::Add, x, -8)]));
        assert!(!apart(|b, [_, x, y]| [b.binary_int(BinaryOp::Add, x, 8), b.binary(BinaryOp::Add, x, y)]));
    }
}
