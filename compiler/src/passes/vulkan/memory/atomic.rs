//! Atomic accesses to pools, variables and addresses.

use super::access::{self, Access, Offset, Place, Words};
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
            Place::Words { words, offset } if words.shared => self.on_words(b, words, offset, results),
            // Nobody else sees private memory.
            Place::Words { .. } => {
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

    /// The access to a word, or to half of a wide one; its results.
    fn on_words(
        &self,
        b: &mut Builder<'_>,
        words: Words,
        offset: Offset,
        results: &[Type],
    ) -> Result<Vec<Value>, String> {
        let ty = self.ty(b, results);
        let (index, shift) = words.find(b, offset, ty.scalar.bytes());
        if ty.scalar.bits() == words.ty().scalar.bits() || !words.wide {
            return self.on_variable(b, words.variable, Some(index), words.ty(), results);
        }
        let old = self.on_part(b, words, (index, shift), ty);
        Ok(results.iter().map(|_| old).collect())
    }

    /// The access to some bits of a wide word: exchanges the word until nobody came in between. Gives the old value.
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
        let word = b.exchange_until_alone(first, &mut |b, word| {
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
            return Err("internal: an atomic access of another width than the variable's".into());
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
            AtomicOp::Add => BinaryOp::Add,
            AtomicOp::Sub => BinaryOp::Sub,
            AtomicOp::And => BinaryOp::And,
            AtomicOp::Or => BinaryOp::Or,
            AtomicOp::Xor => BinaryOp::Xor,
        };
        Some(b.binary(binary, old, operand))
    }
}

/// `a` where it compares so with `b`, else `b`.
fn choose(builder: &mut Builder<'_>, op: CompareOp, a: Value, b: Value) -> Value {
    let first = builder.compare(op, a, b);
    builder.select(first, a, b)
}
