//! `workarounds/narrow_negation`: takes the bits of the negative of a narrow integer as a bit field
//! ([`Workarounds::NVIDIA_NARROW_NEGATION`](clforge_basic::workarounds::Workarounds)).

use super::bits::{Insert, any_lane, extended_by_shifts, field};
use crate::legalize::LAST;
use clforge_ir::analysis::{flows, spread, trailing_zeros};
use clforge_ir::expand::append;
use clforge_ir::pass::{Changed, FunctionContext, FunctionPass, Order};
use clforge_ir::*;
use typed_index_collections::{TiVec, ti_vec};

/// The pass. Integers of 8 and 16 bits are negated in 32 bits. Wherever a negated `i32` or `i64` is truncated or masked, a field
/// of its low bits takes its place, so that the driver does not see through it. An integer whose lowest 8 bits are those of a
/// negative, such as a product with 255, counts as one. A difference may be a negative once the driver knows the minuend, such as
/// that of a loop that it unrolls; it counts where it is extended again. Behind a private object the driver finds the negative all
/// the same: in functions that take the low bits of one, all narrow integers are extended with their sign, also to be converted to
/// a floating type, by arithmetic. They are not signed fields: the driver converts these to a floating type as signed integers,
/// even where they are converted as unsigned ones or divided as such. What has lanes or bits of a negative, such as `-a & -b`,
/// counts as one.
pub struct NarrowNegation;

impl FunctionPass for NarrowNegation {
    fn name(&self) -> &'static str {
        "workarounds/narrow_negation"
    }

    fn order(&self) -> Order {
        LAST
    }

    fn run(&self, function: &mut Function, _: &FunctionContext<'_>) -> Changed {
        if !function.insts.iter().any(|inst| takes_low_bits(function, inst)) {
            return Changed::No;
        }
        let places = Places::of(function);
        if !function.insts.iter().any(|inst| places.is_affected(function, inst)) {
            return Changed::No;
        }
        function.insert_before_each(|function, id, before| {
            let inst = function.inst(id);
            if !places.is_affected(function, inst) {
                return;
            }
            let (op, span) = (inst.op.clone(), inst.span);
            let mut insert = |function: &mut Function, op, ty| append(function, before, (op, ty, span));
            match op {
                Op::Unary { operand, .. } => {
                    let word = function.ty(operand).with_scalar(ScalarType::I32);
                    let wide = insert(function, Op::Convert { op: ConvertOp::SExt, operand }, word);
                    let negative = insert(function, Op::Unary { op: UnaryOp::Neg, operand: wide }, word);
                    truncate_field(function, id, negative, &mut insert);
                }
                Op::Convert { op: op @ (ConvertOp::SExt | ConvertOp::SToF), operand } => {
                    extend(function, id, (op, operand), &mut insert);
                }
                Op::Convert { operand, .. } => truncate_field(function, id, operand, &mut insert),
                Op::Binary { .. } => {
                    if let Some((whole, bits)) = places.extended_field(function, &op) {
                        let low = places.low_bits(function, whole, bits);
                        let low = insert(function, low, function.ty(whole));
                        function.inst_mut(id).op = extended(function, low, bits, &mut insert);
                    } else if let Some(negative) = places.masked_negative(function, &op) {
                        mask_field(function, id, negative, &mut insert);
                    }
                }
                _ => {}
            }
        });
        Changed::Maybe
    }
}

/// What decides where a function is affected.
struct Places {
    /// For each value whether it is sign-extended somewhere.
    extended: TiVec<Value, bool>,
    /// For each value whether it is an integer of 32 or 64 bits that is a negative, or has lanes or bits of one.
    negations: TiVec<Value, Option<Negation>>,
    /// Narrow integers are known to be negated.
    negates: bool,
}

impl Places {
    fn of(function: &Function) -> Places {
        let mut extended = ti_vec![false; function.value_count()];
        for inst in &function.insts {
            if let Op::Convert { op: ConvertOp::SExt, operand } = inst.op {
                extended[operand] = true;
            }
        }
        let mut places = Places { extended, negations: negations(function), negates: false };
        places.negates = function.insts.iter().any(|inst| places.is_low_part_of_negative(function, inst));
        places
    }

    /// Whether it negates a narrow integer, truncates a negated integer to one, or a difference that is extended again, masks the
    /// low bits of a negated integer, or extends what may be a narrow negative.
    fn is_affected(&self, function: &Function, inst: &Inst) -> bool {
        match (&inst.op, inst.results.first()) {
            (Op::Unary { op: UnaryOp::Neg, .. }, Some(result)) => is_narrow(function, *result),
            (Op::Convert { op: ConvertOp::SExt | ConvertOp::SToF, operand }, _) => {
                self.negates && is_narrow(function, *operand)
            }
            (Op::Convert { op: ConvertOp::Trunc, operand }, Some(result)) => {
                let is_negative = match self.negations[*operand] {
                    Some(Negation::Known) => true,
                    Some(Negation::Possible) => self.extended[*result],
                    None => false,
                };
                is_narrow(function, *result) && is_negative
            }
            (op @ Op::Binary { .. }, _) => {
                self.extended_field(function, op).is_some() || self.masked_negative(function, op).is_some()
            }
            _ => false,
        }
    }

    /// Whether it negates a narrow integer, or takes the low bits of a negated one.
    fn is_low_part_of_negative(&self, function: &Function, inst: &Inst) -> bool {
        let is_negative = |value| self.negations[value] == Some(Negation::Known);
        match (&inst.op, inst.results.first()) {
            (Op::Unary { op: UnaryOp::Neg, .. }, Some(result)) => is_narrow(function, *result),
            (Op::Convert { op: ConvertOp::Trunc, operand }, Some(result)) => {
                is_narrow(function, *result) && is_negative(*operand)
            }
            (op @ Op::Binary { op: BinaryOp::And, .. }, _) => self.masked_negative(function, op).is_some(),
            (Op::Binary { op: BinaryOp::Shl, lhs, rhs }, _) => {
                let is_word = function.ty(*lhs).scalar == ScalarType::I32;
                is_word && matches!(splat_bits(function, *rhs), Some(16 | 24)) && is_negative(*lhs)
            }
            _ => false,
        }
    }

    /// As [`masked`], of a negated integer.
    fn masked_negative(&self, function: &Function, op: &Op) -> Option<(Value, u32)> {
        masked(function, op).filter(|(whole, _)| self.negations[*whole] == Some(Negation::Known))
    }

    /// The integer of which an operation sign-extends the low bits, and their number, if 8 or 16, and they may be a negative's.
    fn extended_field(&self, function: &Function, op: &Op) -> Option<(Value, u32)> {
        let (whole, bits) = extended_by_shifts(function, op)?;
        (self.negates || self.negations[whole].is_some()).then_some((whole, bits))
    }

    /// The low bits of an integer, zero-extended: as a field if they may be a negative's, since the driver masks a vector of
    /// negatives by negating narrow lanes. A difference in a function that negates nothing keeps the mask, which the driver
    /// combines with other operations.
    fn low_bits(&self, function: &mut Function, whole: Value, bits: u32) -> Op {
        let is_field = match self.negations[whole] {
            Some(Negation::Known) => true,
            Some(Negation::Possible) => self.negates,
            None => false,
        };
        if is_field {
            return field(function, Intrinsic::BitFieldUExtract, (whole, 0, bits));
        }
        let mask = Constant::int(function.ty(whole), (1 << bits) - 1);
        Op::Binary { op: BinaryOp::And, lhs: whole, rhs: function.constant(mask) }
    }
}

/// Whether an instruction negates or truncates to a narrow integer, masks low bits, or begins to extend them by shifts: in a function
/// without such nothing is affected.
fn takes_low_bits(function: &Function, inst: &Inst) -> bool {
    match (&inst.op, inst.results.first()) {
        (Op::Unary { op: UnaryOp::Neg, .. } | Op::Convert { op: ConvertOp::Trunc, .. }, Some(result)) => {
            is_narrow(function, *result)
        }
        (Op::Binary { op: BinaryOp::Shl, rhs, .. }, _) => matches!(splat_bits(function, *rhs), Some(16 | 24)),
        (op, _) => masked(function, op).is_some(),
    }
}

/// The integer of which an operation masks low bits, the uppermost of them a sign, and the number of bits up to it, which is 8 or
/// 16. Of a mask without a sign the driver makes no comparison of the narrow integer with zero.
fn masked(function: &Function, op: &Op) -> Option<(Value, u32)> {
    let Op::Binary { op: BinaryOp::And, lhs, rhs } = *op else { return None };
    match splat_bits(function, rhs)? {
        0x80..=0xFF => Some((lhs, 8)),
        0x8000..=0xFFFF => Some((lhs, 16)),
        _ => None,
    }
}

fn splat_bits(function: &Function, value: Value) -> Option<u64> {
    function.as_constant(value)?.splat_bits()
}

fn is_wide(function: &Function, value: Value) -> bool {
    matches!(function.ty(value).scalar, ScalarType::I32 | ScalarType::I64)
}

fn is_narrow(function: &Function, value: Value) -> bool {
    let scalar = function.ty(value).scalar;
    scalar.is_int() && scalar.bits() < 32
}

/// Makes `id` the truncation of the field of the low bits of `negative`.
fn truncate_field(function: &mut Function, id: InstId, negative: Value, insert: Insert<'_>) {
    let bits = function.ty(function.inst(id).results[0]).scalar.bits();
    let word = low_word(function, negative, insert);
    let field = field(function, Intrinsic::BitFieldSExtract, (word, 0, bits));
    let operand = insert(function, field, function.ty(word));
    function.inst_mut(id).op = Op::Convert { op: ConvertOp::Trunc, operand };
}

/// Makes `id`, which masks low bits of `negative`, mask a field of `bits` of them.
fn mask_field(function: &mut Function, id: InstId, (negative, bits): (Value, u32), insert: Insert<'_>) {
    let Op::Binary { rhs: mask, .. } = function.inst(id).op else { return };
    let word = low_word(function, negative, insert);
    let mut op = field(function, Intrinsic::BitFieldUExtract, (word, 0, bits));
    if word != negative {
        let operand = insert(function, op, function.ty(word));
        op = Op::Convert { op: ConvertOp::ZExt, operand };
    }
    if splat_bits(function, mask) != Some((1 << bits) - 1) {
        let field = insert(function, op, function.ty(negative));
        op = Op::Binary { op: BinaryOp::And, lhs: field, rhs: mask };
    }
    function.inst_mut(id).op = op;
}

/// The lower 32 bits of an integer: fields of others are not of Vulkan.
fn low_word(function: &mut Function, whole: Value, insert: Insert<'_>) -> Value {
    let ty = function.ty(whole);
    if ty.scalar == ScalarType::I32 {
        return whole;
    }
    insert(function, Op::Convert { op: ConvertOp::Trunc, operand: whole }, ty.with_scalar(ScalarType::I32))
}

/// Makes `id`, which converts a narrow integer with its sign, the conversion of one that is extended by arithmetic.
fn extend(function: &mut Function, id: InstId, (op, operand): (ConvertOp, Value), insert: Insert<'_>) {
    let narrow = function.ty(operand);
    let word = narrow.with_scalar(ScalarType::I32);
    let low = insert(function, Op::Convert { op: ConvertOp::ZExt, operand }, word);
    let extended = extended(function, low, narrow.scalar.bits(), insert);
    let result = function.ty(function.inst(id).results[0]);
    function.inst_mut(id).op = if result == word {
        extended
    } else {
        let operand = insert(function, extended, word);
        let is_narrow = op == ConvertOp::SExt && result.scalar.bits() < 32;
        Op::Convert { op: if is_narrow { ConvertOp::Trunc } else { op }, operand }
    };
}

/// The sign extension of an integer of `bits` bits that is zero-extended: `(low ^ sign) - sign`.
fn extended(function: &mut Function, low: Value, bits: u32, insert: Insert<'_>) -> Op {
    let ty = function.ty(low);
    let sign = function.constant(Constant::int(ty, 1 << (bits - 1)));
    let flipped = insert(function, Op::Binary { op: BinaryOp::Xor, lhs: low, rhs: sign }, ty);
    Op::Binary { op: BinaryOp::Sub, lhs: flipped, rhs: sign }
}

/// What is known of the lowest 8 bits of an integer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Negation {
    /// A difference whose minuend is not a constant.
    Possible,
    Known,
}

/// [`Places::negations`].
fn negations(function: &Function) -> TiVec<Value, Option<Negation>> {
    let zeros = trailing_zeros(function);
    let has_zero_byte = |value| has_zero_byte(function, &zeros, value) == Some(true);
    let mut flows = flows(function, &|op| match op {
        Op::Unary { op: UnaryOp::Not, .. }
        | Op::Binary { op: BinaryOp::And | BinaryOp::Or | BinaryOp::Xor, .. }
        | Op::Convert { op: ConvertOp::Trunc | ConvertOp::SExt | ConvertOp::ZExt, .. } => true,
        Op::Binary { op: BinaryOp::Add, lhs, rhs } => has_zero_byte(*lhs) || has_zero_byte(*rhs),
        Op::Binary { op: BinaryOp::Sub, rhs, .. } => has_zero_byte(*rhs),
        // The low byte may still count.
        Op::Binary { op: BinaryOp::Shl, rhs, .. } => any_lane(function, *rhs, |count| count <= 8) == Some(true),
        _ => false,
    });
    flows.retain(|(from, to)| is_wide(function, *from) && is_wide(function, *to));
    let mut negations: TiVec<Value, Option<Negation>> = ti_vec![None; function.value_count()];
    for inst in &function.insts {
        if let Some(result) = inst.results.first() {
            negations[*result] = negation(function, &zeros, *result);
        }
    }
    spread(&mut negations, flows);
    negations
}

/// Whether the lowest 8 bits of an integer of 32 or 64 bits are, or may be, those of the negative of another one, in some lane.
fn negation(function: &Function, zeros: &TiVec<Value, u32>, value: Value) -> Option<Negation> {
    if !is_wide(function, value) {
        return None;
    }
    match *function.op(value)? {
        Op::Unary { op: UnaryOp::Neg, .. } => Some(Negation::Known),
        Op::Binary { op: BinaryOp::Sub, lhs, .. } => match has_zero_byte(function, zeros, lhs) {
            Some(is_zero) => is_zero.then_some(Negation::Known),
            None => Some(Negation::Possible),
        },
        Op::Binary { op: BinaryOp::Mul, lhs, rhs } => {
            let is_negating = has_byte_of_ones(function, lhs) || has_byte_of_ones(function, rhs);
            is_negating.then_some(Negation::Known)
        }
        _ => None,
    }
}

/// Whether the lowest 8 bits of an integer are zero, in some lane; `None` if it is not known.
fn has_zero_byte(function: &Function, zeros: &TiVec<Value, u32>, value: Value) -> Option<bool> {
    let known = any_lane(function, value, |bits| bits & 0xFF == 0);
    if known.is_some() {
        return known;
    }
    let op = function.op(value)?;
    let is_zero = match op {
        // The analysis knows scalars only.
        _ if !function.ty(value).is_vector() => zeros[value] >= 8,
        Op::Binary { op: BinaryOp::Shl, rhs, .. } => any_lane(function, *rhs, |count| count >= 8)?,
        Op::Binary { op: BinaryOp::Mul | BinaryOp::And, rhs, .. } => any_lane(function, *rhs, |bits| bits & 0xFF == 0)?,
        _ => false,
    };
    is_zero.then_some(true)
}

/// Whether the lowest 8 bits of an integer are known to be ones, in some lane.
fn has_byte_of_ones(function: &Function, value: Value) -> bool {
    let constant = match function.op(value) {
        Some(Op::Binary { op: BinaryOp::Or, rhs, .. }) => *rhs,
        _ => value,
    };
    any_lane(function, constant, |bits| bits & 0xFF == 0xFF) == Some(true)
}
