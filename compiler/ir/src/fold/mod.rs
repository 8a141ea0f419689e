//! Constant folding and algebraic identities: simpler equivalents of an operation whose operands are known or partly
//! known.
//!
//! A result never costs more than the operation: it is an existing value, a constant, or one other operation on
//! existing operands. The operands of an operand's definition dominate the operation, so they may be used.
//!
//! Undefined constants are not folded. Where an undefined value may have any value, one is chosen for it; nothing else
//! is concluded from it.

mod arithmetic;
mod compare;
mod convert;
pub mod evaluate;
mod lanes;
mod narrow;
mod pointer;
#[cfg(test)]
mod tests;

pub use arithmetic::exact_reciprocal;

use super::{BinaryOp, Constant, Function, Intrinsic, Op, ScalarType, Type, UnaryOp, Value, constant};
use evaluate::Bits;

/// What an operation can be written as instead.
#[derive(Debug)]
pub enum Folded {
    /// A value there is, or a constant.
    Value(Value),
    /// Another operation, with the same result.
    Op(Op),
}

/// The most times that the result of folding is folded again: each is simpler than the one before, so few are needed.
const MAX_ROUNDS: usize = 32;

/// The value `op` of type `ty` would compute if it exists already or is a constant, else the operation to make.
///
/// # Errors
/// Not an error: the operation, in its simplest known form, is to be appended.
#[allow(clippy::result_large_err)] // it is the common case, and moved, not returned through layers
pub fn reduce(function: &mut Function, mut op: Op, ty: Type) -> Result<Value, Op> {
    for _ in 0..MAX_ROUNDS {
        match fold(function, &op, ty) {
            Some(Folded::Value(value)) => return Ok(value),
            Some(Folded::Op(simpler)) => op = simpler,
            None => return Err(op),
        }
    }
    Err(op)
}

/// One step of simplification, if there is one.
pub fn fold(function: &mut Function, op: &Op, ty: Type) -> Option<Folded> {
    match op {
        Op::Unary { op, operand } => arithmetic::unary(function, *op, *operand, ty),
        Op::Binary { op, lhs, rhs } => arithmetic::binary(function, *op, *lhs, *rhs, ty),
        Op::Compare { op, lhs, rhs } => compare::compare(function, *op, *lhs, *rhs, ty),
        Op::Select { condition, if_true, if_false } => compare::select(function, *condition, *if_true, *if_false, ty),
        Op::Convert { op, operand } => convert::convert(function, *op, *operand, ty),
        Op::Extract { vector, lane } => lanes::extract(function, *vector, *lane, ty),
        Op::Insert { vector, scalar, lane } => lanes::insert(function, *vector, *scalar, *lane, ty),
        Op::ExtractDynamic { vector, index } => lanes::extract_dynamic(function, *vector, *index),
        Op::InsertDynamic { vector, scalar, index } => lanes::insert_dynamic(function, *vector, *scalar, *index),
        Op::Construct { elements } => lanes::construct(function, elements, ty),
        Op::Shuffle { first, second, lanes } => lanes::shuffle(function, *first, *second, lanes, ty),
        Op::PtrAdd { base, index, stride, displacement } => {
            pointer::ptr_add(function, *base, *index, *stride, *displacement)
        }
        Op::Intrinsic { function: Intrinsic::Mad, args } => arithmetic::multiply_add(function, args, ty),
        _ => None,
    }
}

/// Shorthands the parts share.
fn value(value: Value) -> Option<Folded> {
    Some(Folded::Value(value))
}

fn op(op: Op) -> Option<Folded> {
    Some(Folded::Op(op))
}

fn binary_op(binary: BinaryOp, a: Value, b: Value) -> Option<Folded> {
    op(Op::Binary { op: binary, lhs: a, rhs: b })
}

fn not(a: Value) -> Option<Folded> {
    op(Op::Unary { op: UnaryOp::Not, operand: a })
}

/// A constant with that many in every lane.
fn int(function: &mut Function, ty: Type, bits: u64) -> Option<Folded> {
    value(function.constant(Constant::int(ty, bits)))
}

fn bits(function: &mut Function, ty: Type, lanes: Bits) -> Option<Folded> {
    value(function.constant(Constant::Bits { ty, lanes }))
}

/// The lanes of a constant that is not undefined.
fn lanes_of(function: &Function, value: Value) -> Option<&[u64]> {
    function.as_constant(value)?.lanes()
}

fn is_constant(function: &Function, value: Value) -> bool {
    function.as_constant(value).is_some()
}

/// All ones in the lanes of a type.
fn ones(ty: Type) -> u64 {
    constant::mask(ty.scalar)
}

fn is_bool(ty: Type) -> bool {
    ty.scalar == ScalarType::Bool
}
