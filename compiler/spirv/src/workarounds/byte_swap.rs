//! `workarounds/byte_swap`: takes the upper byte of an integer whose bytes are swapped as a bit field
//! ([`Workarounds::NVIDIA_BYTE_SWAP`](clforge_basic::workarounds::Workarounds)).

use super::bits::field;
use crate::legalize::LAST;
use clforge_basic::narrow::low_u32;
use clforge_ir::analysis::{CallGraph, flows, spread, through_variables};
use clforge_ir::expand::append;
use clforge_ir::pass::{Changed, Context, Order, Pass};
use clforge_ir::*;
use typed_index_collections::{TiVec, ti_vec};

/// Bits of a byte.
const BYTE: i64 = 8;
/// Bits of an integer whose bytes change places.
const SHORT: i64 = 16;
/// Bits of an integer that has fields.
const WORD: u64 = 32;
/// Operations that are looked through for shifts of what is shifted.
const MAX_SHIFTS: usize = 8;

/// The pass. The driver recognises `x << 8 | x >> 8` where 16 bits of it are stored or converted: in most spellings, also with
/// masks, among other bits, as one of two choices, by way of private objects and function calls, and in 64 bits. It does not see
/// through a field. So a shift to the right by an odd number of bytes becomes a field if its result is combined with something else
/// that is or may be shifted so. Only functions with integers of 16 bits, those that call them, and what these call are changed,
/// since the field hides the shift from other optimisations too, such as that of a swap of four bytes.
pub struct ByteSwap;

impl<S> Pass<S> for ByteSwap {
    fn name(&self) -> &'static str {
        "workarounds/byte_swap"
    }

    fn order(&self) -> Order {
        Order { after: &["strength_reduction"], ..LAST }
    }

    fn run(&self, module: &mut Module, _: &mut Context<'_, S>) -> Result<Changed, Error> {
        let calls = CallGraph::of(module);
        let with_shorts = module.functions.iter_enumerated().filter(|(_, function)| has_shorts(function));
        let callers = calls.reaching(with_shorts.map(|(id, _)| id));
        let affected = calls.reached_from(callers.iter_enumerated().filter(|(_, is)| **is).map(|(id, _)| id));
        let mut changed = Changed::No;
        for (function, affected) in module.functions.iter_mut().zip(affected) {
            if affected && function.insts.iter().any(|inst| byte_shift(function, inst).is_some()) {
                hide_bytes(function);
                changed = Changed::Maybe;
            }
        }
        Ok(changed)
    }
}

fn has_shorts(function: &Function) -> bool {
    let is_short = |result: &Value| function.ty(*result).scalar == ScalarType::I16;
    function.insts.iter().any(|inst| inst.results.iter().any(is_short))
}

/// Makes fields of shifts to the right whose results may be bytes of a swap.
fn hide_bytes(function: &mut Function) {
    let swapping = swapping(function);
    function.insert_before_each(|function, id, before| {
        let inst = function.inst(id);
        let Some(shift) = byte_shift(function, inst).filter(|_| swapping[inst.results[0]]) else { return };
        let (ty, span) = (function.ty(shift.whole), inst.span);
        let mut insert =
            |function: &mut Function, op, scalar| append(function, before, (op, ty.with_scalar(scalar), span));
        function.inst_mut(id).op = shift.by_field(function, &mut insert);
    });
}

/// Bits by which an instruction shifts an integer to the left, or less than zero, if that is a constant.
fn shifted_bits(function: &Function, op: &Op) -> Option<i64> {
    let Op::Binary { op, rhs, .. } = *op else { return None };
    let bits = function.as_int(rhs)?;
    match op {
        BinaryOp::Shl => i64::try_from(bits).ok(),
        BinaryOp::LShr | BinaryOp::AShr => i64::try_from(bits).ok().map(|bits| -bits),
        BinaryOp::Mul if bits.is_power_of_two() => Some(bits.trailing_zeros().into()),
        _ => None,
    }
}

/// Whether the result of a shift is one by an odd number of bytes together with the shifts, masks and conversions of its operand, or
/// may be one once the driver has unrolled a loop.
fn may_shift_bytes(function: &Function, op: &Op) -> bool {
    if shifted_bits(function, op).is_none() {
        return matches!(op, Op::Binary { op: BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr, .. });
    }
    let (mut bits, mut next) = (0, Some(op));
    for _ in 0..MAX_SHIFTS {
        let operand = match next {
            Some(Op::Binary { op: BinaryOp::And, lhs, .. }) => *lhs,
            Some(Op::Convert { operand, .. }) => *operand,
            Some(op @ Op::Binary { lhs, .. }) => {
                let Some(more) = shifted_bits(function, op) else { return false };
                bits += more;
                if bits.rem_euclid(SHORT) == BYTE {
                    return true;
                }
                *lhs
            }
            _ => return false,
        };
        next = function.op(operand);
    }
    false
}

/// Whether an operation keeps some bits of its operands in their order.
fn keeps_bits(op: &Op) -> bool {
    use BinaryOp::*;
    matches!(
        op,
        Op::Binary { op: And | Or | Xor | Add | Shl | LShr | AShr, .. }
            | Op::Unary { op: UnaryOp::Not, .. }
            | Op::Convert { op: ConvertOp::Trunc | ConvertOp::ZExt | ConvertOp::SExt | ConvertOp::Bitcast, .. }
    )
}

/// For each value whether an `or`, `xor` or `add` combines it, or something that is made of it, with another value, and both are
/// or may be [shifted](may_shift_bytes). What other functions compute may be shifted, and combined with what they are given.
fn swapping(function: &Function) -> TiVec<Value, bool> {
    use BinaryOp::*;
    let mut shifted = ti_vec![false; function.value_count()];
    function.params.iter().for_each(|param| shifted[*param] = true);
    for inst in &function.insts {
        if may_shift_bytes(function, &inst.op) || matches!(inst.op, Op::Call { .. }) {
            inst.results.iter().for_each(|result| shifted[*result] = true);
        }
    }
    let mut flows = flows(function, &keeps_bits);
    flows.extend(through_variables(function));
    spread(&mut shifted, flows.clone());
    let mut swapping = ti_vec![false; function.value_count()];
    for inst in &function.insts {
        match &inst.op {
            Op::Binary { op: Or | Xor | Add, lhs, rhs } if shifted[*lhs] && shifted[*rhs] => {
                swapping[*lhs] = true;
                swapping[*rhs] = true;
            }
            Op::Call { .. } | Op::Return(_) => inst.op.for_each_operand(|value| swapping[value] = true),
            _ => {}
        }
    }
    // From uses to definitions.
    flows.iter_mut().for_each(|(from, to)| std::mem::swap(from, to));
    spread(&mut swapping, flows);
    swapping
}

/// A shift to the right by which bytes [may be shifted](may_shift_bytes).
struct ByteShift {
    /// How a field of the same bits is extended.
    extract: Intrinsic,
    whole: Value,
    by: u64,
}

fn byte_shift(function: &Function, inst: &Inst) -> Option<ByteShift> {
    let (extract, whole, by) = match inst.op {
        Op::Binary { op: BinaryOp::LShr, lhs, rhs } => (Intrinsic::BitFieldUExtract, lhs, function.as_int(rhs)?),
        Op::Binary { op: BinaryOp::AShr, lhs, rhs } => (Intrinsic::BitFieldSExtract, lhs, function.as_int(rhs)?),
        _ => return None,
    };
    let width = u64::from(function.ty(whole).scalar.bits());
    let is_shift = (1..width).contains(&by) && may_shift_bytes(function, &inst.op);
    is_shift.then_some(ByteShift { extract, whole, by })
}

/// Appends an operation with a result of that scalar type and as many lanes as the shift.
type Insert<'i> = &'i mut dyn FnMut(&mut Function, Op, ScalarType) -> Value;

impl ByteShift {
    /// The same as a field of an integer of 32 bits.
    fn by_field(&self, function: &mut Function, insert: Insert<'_>) -> Op {
        let ty = function.ty(self.whole);
        match ty.scalar {
            ScalarType::I32 => self.field_of(function, self.whole, 0, WORD),
            ScalarType::I64 if self.by < WORD => self.of_both_words(function, insert),
            ScalarType::I64 => {
                let by = function.constant(Constant::int(ty, WORD));
                let upper = Op::Binary { op: BinaryOp::LShr, lhs: self.whole, rhs: by };
                let upper = insert(function, upper, ScalarType::I64);
                let word = insert(function, Op::Convert { op: ConvertOp::Trunc, operand: upper }, ScalarType::I32);
                let field = if self.by == WORD {
                    lower_by_field(function, word, insert)
                } else {
                    self.field_of(function, word, WORD, 2 * WORD)
                };
                let is_signed = self.extract == Intrinsic::BitFieldSExtract;
                let op = if is_signed { ConvertOp::SExt } else { ConvertOp::ZExt };
                Op::Convert { op, operand: insert(function, field, ScalarType::I32) }
            }
            narrow => {
                let word = insert(function, Op::Convert { op: ConvertOp::ZExt, operand: self.whole }, ScalarType::I32);
                let field = self.field_of(function, word, 0, u64::from(narrow.bits()));
                Op::Convert { op: ConvertOp::Trunc, operand: insert(function, field, ScalarType::I32) }
            }
        }
    }

    /// The bits that are not shifted out, of a word that has those from `first` to `end` of the integer.
    fn field_of(&self, function: &mut Function, word: Value, first: u64, end: u64) -> Op {
        field(function, self.extract, (word, low_u32(self.by - first), low_u32(end - self.by)))
    }

    /// Of an integer of 64 bits: the bits of the lower word by a field, with those of the upper word as they are.
    fn of_both_words(&self, function: &mut Function, insert: Insert<'_>) -> Op {
        let ty = function.ty(self.whole);
        let word = insert(function, Op::Convert { op: ConvertOp::Trunc, operand: self.whole }, ScalarType::I32);
        let unsigned = ByteShift { extract: Intrinsic::BitFieldUExtract, ..*self };
        let low = unsigned.field_of(function, word, 0, WORD);
        let low = insert(function, low, ScalarType::I32);
        let low = insert(function, Op::Convert { op: ConvertOp::ZExt, operand: low }, ScalarType::I64);
        let op = if self.extract == Intrinsic::BitFieldUExtract { BinaryOp::LShr } else { BinaryOp::AShr };
        let [by, mask] = [self.by, u64::MAX << (WORD - self.by)].map(|bits| function.constant(Constant::int(ty, bits)));
        let all = insert(function, Op::Binary { op, lhs: self.whole, rhs: by }, ScalarType::I64);
        let upper = insert(function, Op::Binary { op: BinaryOp::And, lhs: all, rhs: mask }, ScalarType::I64);
        Op::Binary { op: BinaryOp::Or, lhs: upper, rhs: low }
    }
}

/// An integer of 32 bits whose lower bits are a field of it; a field of all bits would hide nothing.
fn lower_by_field(function: &mut Function, word: Value, insert: Insert<'_>) -> Op {
    let lower = field(function, Intrinsic::BitFieldUExtract, (word, 0, low_u32(WORD / 2)));
    let lower = insert(function, lower, ScalarType::I32);
    let mask = function.constant(Constant::int(function.ty(word), !0 << (WORD / 2)));
    let upper = insert(function, Op::Binary { op: BinaryOp::And, lhs: word, rhs: mask }, ScalarType::I32);
    Op::Binary { op: BinaryOp::Or, lhs: upper, rhs: lower }
}
