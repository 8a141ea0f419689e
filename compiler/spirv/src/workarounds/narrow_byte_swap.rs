//! `workarounds/narrow_byte_swap`: where the bytes of an integer of 16 bits are exchanged, the upper one is taken as a field in
//! kernels with functions of the driver's library
//! ([`Workarounds::NVIDIA_NARROW_BYTE_SWAP`](clforge_basic::workarounds::Workarounds)).

use super::library;
use super::narrow::is_narrow;
use clforge_ir::pass::{Changed, Context, Pass};
use clforge_ir::rewrite::{Parts, Rewrite, Rewriter};
use clforge_ir::*;
use smallvec::{SmallVec, smallvec};

/// The pass. What joins a value shifted left by 8 with a byte shifted right by 8 may be an exchange of bytes, for which the
/// driver takes the upper half of one of 32 bits. It does not see through a field of bits.
pub struct NarrowByteSwap;

impl<S> Pass<S> for NarrowByteSwap {
    fn name(&self) -> &'static str {
        "workarounds/narrow_byte_swap"
    }

    fn run(&self, module: &mut Module, context: &mut Context<'_, S>) -> Result<Changed, Error> {
        let is_replaced = |function: &Function, inst: &Inst| Join::of(function, inst).is_some();
        library::rewrite_where_linked(module, context.options, is_replaced, &mut Fields)
    }
}

/// A value shifted left, and the byte of another value from bit 8 on, joined by an operation.
struct Join {
    op: BinaryOp,
    shifted_left: Value,
    /// The integer of which bits 8 to 15 are the byte.
    bytes: Value,
}

impl Join {
    fn of(function: &Function, inst: &Inst) -> Option<Join> {
        let Op::Binary { op: op @ (BinaryOp::Or | BinaryOp::Xor | BinaryOp::Add), lhs, rhs } = inst.op else {
            return None;
        };
        if !matches!(function.ty(lhs).scalar, ScalarType::I16 | ScalarType::I32) {
            return None;
        }
        let join = |shifted_left, right| {
            let bytes = second_byte(function, right).filter(|_| is_shifted_left(function, shifted_left))?;
            Some(Join { op, shifted_left, bytes })
        };
        join(lhs, rhs).or_else(|| join(rhs, lhs))
    }
}

/// The constant that all lanes of a value are.
fn constant(function: &Function, value: Value) -> Option<u64> {
    function.as_constant(value)?.splat_bits()
}

/// The operand of a conjunction with a constant, and the constant.
fn masked(function: &Function, value: Value) -> Option<(Value, u64)> {
    match *function.op(value)? {
        Op::Binary { op: BinaryOp::And, lhs, rhs } => match (constant(function, lhs), constant(function, rhs)) {
            (None, Some(mask)) => Some((lhs, mask)),
            (Some(mask), None) => Some((rhs, mask)),
            _ => None,
        },
        _ => None,
    }
}

/// Whether a value, of which only some bits may be kept, is shifted left by 8.
fn is_shifted_left(function: &Function, value: Value) -> bool {
    let value = masked(function, value).map_or(value, |(value, _)| value);
    match function.op(value) {
        Some(Op::Binary { op: BinaryOp::Shl, rhs, .. }) => constant(function, *rhs) == Some(8),
        Some(Op::Binary { op: BinaryOp::Mul, rhs, .. }) => constant(function, *rhs) == Some(256),
        _ => false,
    }
}

/// The integer of which a value is the second byte.
fn second_byte(function: &Function, value: Value) -> Option<Value> {
    let (shifted, mask) = masked(function, value).unwrap_or((value, u64::MAX));
    let (is_byte, bytes, count) = match function.op(shifted)? {
        // What comes from the sign is masked out, or the sign is zero.
        Op::Binary { op: BinaryOp::AShr, lhs, rhs } => (is_narrow(function, *lhs), *lhs, *rhs),
        Op::Binary { op: BinaryOp::LShr, lhs, rhs } => {
            (function.ty(*lhs).scalar == ScalarType::I16 || is_narrow(function, *lhs), *lhs, *rhs)
        }
        _ => return None,
    };
    (constant(function, count) == Some(8) && (mask == 0xFF || is_byte && mask & 0xFF == 0xFF)).then_some(bytes)
}

struct Fields;

impl Rewrite for Fields {
    fn op(&mut self, r: &mut Rewriter<'_>, inst: &Inst) -> Result<Option<SmallVec<[Parts; 1]>>, Error> {
        let Some(Join { op, shifted_left, bytes }) = Join::of(r.old, inst) else { return Ok(None) };
        let (shifted_left, bytes) = (r.one(shifted_left, self)?, r.one(bytes, self)?);
        let b = &mut r.b;
        let scalar = b.ty(bytes).scalar;
        let word = b.resize(bytes, ScalarType::I32, false);
        let eight = b.int(Type::I32, 8);
        let field = b.intrinsic(Intrinsic::BitFieldSExtract, &[word, eight, eight], b.ty(word));
        let byte = b.binary_int(BinaryOp::And, field, 0xFF);
        let byte = b.resize(byte, scalar, false);
        Ok(Some(smallvec![smallvec![b.binary(op, shifted_left, byte)]]))
    }
}
