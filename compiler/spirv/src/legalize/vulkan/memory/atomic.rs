//! Atomic accesses to pools, variables and addresses.
//!
//! Additions, minima and maxima of floating-point objects stay one operation up to this point where
//! `DeviceFacts::float_atomics` names what the device has, since only here the memory is known: there are instructions
//! for buffers and for local variables, but not for words of a pool. Devices differ on NaN in minima and maxima.
//! Therefore an operation with a NaN operand leaves the object as it is, and one on an object that held a NaN is repeated
//! by exchanges; local memory has no such repair and always uses exchanges.

use super::access::{self, MemoryOperands, Offset, Place, Words};
use crate::address_format::Address;
use clforge_basic::narrow::to_u32;
use clforge_basic::options::FloatAtomics;
use clforge_ir::*;
use smallvec::SmallVec;

/// An atomic access, its operands without pointers.
#[derive(Clone)]
pub struct Atomic {
    pub op: AtomicOp,
    pub operands: SmallVec<[Value; 2]>,
    pub semantics: Semantics,
    pub unequal: MemoryOrder,
    /// The operations on floating objects that the device has.
    pub devices: FloatAtomics,
}

impl Atomic {
    /// What is in memory: the type of the result or else of the first operand.
    pub fn ty(&self, b: &Builder<'_>, results: &[Type]) -> Type {
        results.first().copied().or(self.operands.first().map(|value| b.ty(*value))).unwrap_or(Type::I32)
    }

    /// The access to a place; its results.
    ///
    /// # Errors
    /// A width that the place has no atomics of.
    pub fn at(&self, b: &mut Builder<'_>, place: Place, results: &[Type]) -> Result<Vec<Value>, Error> {
        match place {
            Place::Address(address) => {
                let address = address.settled(b);
                self.at_address(b, address, results)
            }
            Place::Words { words, offset } if words.shared.is_some() => self.on_words(b, words, offset, results),
            Place::Elements { variable, element, stride, offset } => {
                let index = offset.element(b, stride);
                self.on_variable(b, variable, Some(index), element, results)
            }
            // Nobody else sees private memory.
            Place::Words { .. } => {
                let ty = self.ty(b, results);
                let access = MemoryOperands::aligned(to_u32(ty.scalar.bytes()));
                let old = access::load(b, place, ty, access);
                if let Some(new) = self.new_value(b, old) {
                    access::store(b, place, new, access);
                }
                Ok(results.iter().map(|_| old).collect())
            }
        }
    }

    /// The access through an address; its results. Floating objects are loaded, stored and exchanged as integers, which
    /// asks nothing of the device.
    fn at_address(&self, b: &mut Builder<'_>, address: Address, results: &[Type]) -> Result<Vec<Value>, Error> {
        let ty = self.ty(b, results);
        let mut access = |b: &mut Builder<'_>, atomic: &Atomic, ty: Type| {
            let Atomic { op, operands, semantics, unequal, .. } = atomic.clone();
            address.atomic(b, op, operands, semantics, unequal, &[ty])[0]
        };
        if self.op.is_float() {
            let native = clforge_ir::is_native_in_buffers(&self.devices, self.op, ty.scalar);
            let old = if native { self.native(b, &mut access)? } else { self.exchanging(b, &mut access)? };
            return Ok(vec![old]);
        }
        let bits = if ty.scalar.is_float() { Type::scalar(ScalarType::int(ty.scalar.bits())) } else { ty };
        let operands = self.operands.iter().map(|operand| b.bitcast(*operand, bits)).collect();
        let Atomic { op, semantics, unequal, .. } = *self;
        let types: SmallVec<[Type; 1]> = results.iter().map(|_| bits).collect();
        let values = address.atomic(b, op, operands, semantics, unequal, &types);
        Ok(values.into_iter().zip(results).map(|(value, ty)| b.bitcast(value, *ty)).collect())
    }

    /// The access to a word, or to half of a wide one; its results.
    fn on_words(
        &self,
        b: &mut Builder<'_>,
        words: Words,
        offset: Offset,
        results: &[Type],
    ) -> Result<Vec<Value>, Error> {
        let ty = self.ty(b, results);
        let (index, shift) = words.find(b, offset, ty.scalar.bytes());
        if ty.scalar.bits() == words.ty().scalar.bits() || !words.wide {
            return self.on_variable(b, words.variable, Some(index), words.ty(), results);
        }
        let old = self.on_part(b, words, (index, shift), ty);
        Ok(results.iter().map(|_| old).collect())
    }

    /// The access to some bits of a wide word: a CAS loop on the word. Returns the old value.
    fn on_part(&self, b: &mut Builder<'_>, words: Words, (index, shift): (Value, Value), ty: Type) -> Value {
        let (variable, word_type, index) = (words.variable, words.ty(), Some(index));
        let Semantics { order, .. } = self.semantics;
        let order = if self.op == AtomicOp::Load { order } else { MemoryOrder::Relaxed };
        let load = Op::VariableAtomic {
            op: AtomicOp::Load,
            variable,
            index,
            operands: SmallVec::new(),
            semantics: Semantics { order, ..self.semantics },
            unequal: MemoryOrder::Relaxed,
        };
        let first = b.push(load, &[word_type])[0];
        let part = |b: &mut Builder<'_>, word: Value| {
            let bits = words.take(b, word, shift, ty.scalar.bytes());
            b.bitcast(bits, ty)
        };
        if self.op == AtomicOp::Load {
            return part(b, first);
        }
        let word = b.cas_loop(first, &mut |b, word| {
            let old = part(b, word);
            let new = self.new_value(b, old).unwrap_or(old);
            let bits = b.bitcast(new, Type::scalar(ScalarType::int(ty.scalar.bits())));
            let (keep, placed) = words.placed(b, bits, shift);
            let kept = b.binary(BinaryOp::And, word, keep);
            let wanted = b.binary(BinaryOp::Or, kept, placed);
            let (op, unequal) = (AtomicOp::CompareExchange, self.unequal);
            let operands = SmallVec::from_slice(&[word, wanted]);
            let semantics = self.semantics;
            b.push(Op::VariableAtomic { op, variable, index, operands, semantics, unequal }, &[word_type])[0]
        });
        part(b, word)
    }

    /// The access to an element of a variable; its results.
    ///
    /// # Errors
    /// An element of another width.
    pub fn on_variable(
        &self,
        b: &mut Builder<'_>,
        variable: VariableId,
        index: Option<Value>,
        element: Type,
        results: &[Type],
    ) -> Result<Vec<Value>, Error> {
        if self.ty(b, results).scalar.bits() != element.scalar.bits() {
            return Err(Error::internal("an atomic access of another width than the variable's"));
        }
        if self.op.is_float() {
            let mut access = |b: &mut Builder<'_>, atomic: &Atomic, ty: Type| {
                let Atomic { op, operands, semantics, unequal, .. } = atomic.clone();
                let operands = operands.iter().map(|operand| b.bitcast(*operand, element)).collect();
                let old =
                    b.push(Op::VariableAtomic { op, variable, index, operands, semantics, unequal }, &[element])[0];
                b.bitcast(old, ty)
            };
            // A variable has floating elements where all accesses to it are among what the device has.
            let ty = self.ty(b, results);
            let old = if element == ty { access(b, self, ty) } else { self.exchanging(b, &mut access)? };
            return Ok(vec![old]);
        }
        let operands = self.operands.iter().map(|operand| b.bitcast(*operand, element)).collect();
        let types: SmallVec<[Type; 1]> = results.iter().map(|_| element).collect();
        let Atomic { op, semantics, unequal, .. } = *self;
        let values = b.push(Op::VariableAtomic { op, variable, index, operands, semantics, unequal }, &types);
        Ok(values.into_iter().zip(results).map(|(value, ty)| b.bitcast(value, *ty)).collect())
    }

    /// What the access leaves in memory, done without atomicity; `None` if it stores nothing.
    pub fn new_value(&self, b: &mut Builder<'_>, old: Value) -> Option<Value> {
        b.updated(self.op, &self.operands, old)
    }

    /// An operation on a floating-point object: a CAS loop on its bits.
    /// `access` does an atomic access to the object. Gives the old value.
    fn exchanging(&self, b: &mut Builder<'_>, access: &mut AccessFn<'_>) -> Result<Value, Error> {
        let operand = *self.operands.first().or_internal("an atomic update without operand")?;
        let ty = b.ty(operand);
        let bits = Type::scalar(ScalarType::int(ty.scalar.bits()));
        let relaxed = Semantics { order: MemoryOrder::Relaxed, ..self.semantics };
        let load = Atomic { op: AtomicOp::Load, operands: SmallVec::new(), semantics: relaxed, ..*self };
        let first = access(b, &load, bits);
        let word = b.cas_loop(first, &mut |b, word| {
            let old = b.bitcast(word, ty);
            let new = self.new_value(b, old).unwrap_or(old);
            let operands = SmallVec::from_slice(&[word, b.bitcast(new, bits)]);
            let exchange = Atomic { op: AtomicOp::CompareExchange, operands, ..*self };
            access(b, &exchange, bits)
        });
        Ok(b.bitcast(word, ty))
    }

    /// An operation on a floating object that the device has an instruction of, which `access` makes. Gives the old
    /// value.
    fn native(&self, b: &mut Builder<'_>, access: &mut AccessFn<'_>) -> Result<Value, Error> {
        let operand = *self.operands.first().or_internal("an atomic update without operand")?;
        let ty = b.ty(operand);
        if self.op == AtomicOp::FAdd {
            return Ok(access(b, self, ty));
        }
        let condition = b.is_nan(operand);
        let then = b.nested(|b| {
            let old = self.unchanged(b, ty, access);
            b.effect(Op::Yield([old].into_iter().collect()));
        });
        let mut done = Ok(());
        let otherwise = b.nested(|b| {
            let old = access(b, self, ty);
            done = self.repeat_on_nan(b, old, access);
            b.effect(Op::Yield([old].into_iter().collect()));
        });
        done?;
        Ok(b.push(Op::If { condition, then, otherwise }, &[ty])[0])
    }

    /// An update that stores the value that the object has: what a minimum or maximum with a NaN is, whether the object
    /// holds a number or a NaN. Gives that value.
    fn unchanged(&self, b: &mut Builder<'_>, ty: Type, access: &mut AccessFn<'_>) -> Value {
        let bits = Type::scalar(ScalarType::int(ty.scalar.bits()));
        let operands = SmallVec::from_slice(&[b.int(bits, 0)]);
        let old = access(b, &Atomic { op: AtomicOp::Or, operands, ..*self }, bits);
        b.bitcast(old, ty)
    }

    /// Does the operation again by exchanges where the old value was a NaN: what a device's instruction leaves then
    /// differs between devices, and repeating it on a right result changes nothing.
    fn repeat_on_nan(&self, b: &mut Builder<'_>, old: Value, access: &mut AccessFn<'_>) -> Result<(), Error> {
        let condition = b.is_nan(old);
        let mut done = Ok(());
        let then = b.nested(|b| {
            done = self.exchanging(b, access).map(drop);
            b.effect(Op::Yield(Values::new()));
        });
        let otherwise = b.nested(|b| b.effect(Op::Yield(Values::new())));
        b.effect(Op::If { condition, then, otherwise });
        done
    }
}

/// Makes an atomic access whose result has a type.
type AccessFn<'f> = dyn FnMut(&mut Builder<'_>, &Atomic, Type) -> Value + 'f;
