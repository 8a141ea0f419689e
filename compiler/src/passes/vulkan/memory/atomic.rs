//! Atomic accesses to pools, variables and addresses.

use super::access::{self, Access, Place};
use crate::ir::*;
use smallvec::SmallVec;

/// An atomic access, its operands without pointers.
pub struct Atomic {
    pub op: AtomicOp,
    pub operands: SmallVec<[Value; 2]>,
    pub semantics: Semantics,
    pub unequal: MemoryOrder,
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
    pub fn at(&self, b: &mut Builder<'_>, place: Place, results: &[Type]) -> Result<Vec<Value>, String> {
        match place {
            Place::Address { base, displacement } => {
                let ptr = access::address(b, base, displacement);
                let Atomic { op, operands, semantics, unequal } = self;
                let op =
                    Op::Atomic { op: *op, ptr, operands: operands.clone(), semantics: *semantics, unequal: *unequal };
                Ok(b.push(op, results).to_vec())
            }
            Place::Words { variable, offset, shared: true } => {
                let (index, _) = access::word_and_shift(b, offset, 4);
                self.on_variable(b, variable, Some(index), Type::I32, results)
            }
            // Nobody else sees private memory.
            Place::Words { shared: false, .. } => {
                let ty = self.ty(b, results);
                let access = Access { align: ty.scalar.bytes() as u32, volatile: false };
                let old = access::load(b, place, ty, access);
                if let Some(new) = self.new_value(b, old) {
                    access::store(b, place, new, access);
                }
                Ok(results.iter().map(|_| old).collect())
            }
        }
    }

    /// The access to an element of a variable of local memory; its results.
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
    ) -> Result<Vec<Value>, String> {
        if self.ty(b, results).scalar.bits() != element.scalar.bits() {
            return Err(
                "64-bit atomics on local memory that is also accessed in other ways are not supported yet".into()
            );
        }
        let operands = self.operands.iter().map(|operand| b.bitcast(*operand, element)).collect();
        let types: SmallVec<[Type; 1]> = results.iter().map(|_| element).collect();
        let Atomic { op, semantics, unequal, .. } = *self;
        let values = b.push(Op::VariableAtomic { op, variable, index, operands, semantics, unequal }, &types);
        Ok(values.into_iter().zip(results).map(|(value, ty)| b.bitcast(value, *ty)).collect())
    }

    /// What the access leaves in memory, done without atomicity; `None` if it stores nothing.
    pub fn new_value(&self, b: &mut Builder<'_>, old: Value) -> Option<Value> {
        let operand = self.operands.first().copied()?;
        let binary = match self.op {
            AtomicOp::Load => return None,
            AtomicOp::Store | AtomicOp::Exchange => return Some(operand),
            AtomicOp::CompareExchange => {
                let desired = *self.operands.get(1)?;
                let equal = b.compare(CompareOp::Eq, old, operand);
                return Some(b.select(equal, desired, old));
            }
            AtomicOp::SMin => return Some(choose(b, CompareOp::SLt, operand, old)),
            AtomicOp::SMax => return Some(choose(b, CompareOp::SGt, operand, old)),
            AtomicOp::UMin => return Some(choose(b, CompareOp::ULt, operand, old)),
            AtomicOp::UMax => return Some(choose(b, CompareOp::UGt, operand, old)),
            AtomicOp::FMin => return Some(choose(b, CompareOp::FLt, operand, old)),
            AtomicOp::FMax => return Some(choose(b, CompareOp::FGt, operand, old)),
            AtomicOp::Add => BinaryOp::Add,
            AtomicOp::Sub => BinaryOp::Sub,
            AtomicOp::And => BinaryOp::And,
            AtomicOp::Or => BinaryOp::Or,
            AtomicOp::Xor => BinaryOp::Xor,
            AtomicOp::FAdd => BinaryOp::FAdd,
        };
        Some(b.binary(binary, old, operand))
    }
}

/// `a` where it compares so with `b`, else `b`.
fn choose(builder: &mut Builder<'_>, op: CompareOp, a: Value, b: Value) -> Value {
    let first = builder.compare(op, a, b);
    builder.select(first, a, b)
}
