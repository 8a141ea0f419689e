//! What sanitizers look at that the IR does not show: which operations on floating numbers and which sums of signed
//! integers are the program's own, how far a shift goes before it is reduced, and how long an array in an object is.
//! They become [`Op::Check`], of which `vulkan/sanitize` makes code.

use clforge_basic::options::{Options, Sanitizers};
use clforge_ir::{
    BinaryOp, Builder, CheckOp, CompareOp, ConvertOp, Intrinsic, MemoryOrder, Op, ScalarType, Scope, Semantics, Type,
    UnaryOp, Value,
};

/// Whether one of these kinds of mistakes is looked for.
pub(crate) fn looks_for(options: &Options, kinds: Sanitizers) -> bool {
    options.target.is_vulkan() && options.codegen.sanitizers().intersects(kinds)
}

/// Whether operations are checked that are executed without need where that is cheap.
pub(crate) fn of_operations(options: &Options) -> bool {
    looks_for(options, Sanitizers::FLOAT | Sanitizers::SHIFT | Sanitizers::OVERFLOW)
}

/// Appends a check, unless it is known to be good.
pub(crate) fn check(b: &mut Builder<'_>, check: CheckOp, good: Value, [what, other]: [Value; 2]) {
    if b.function.as_int(good) != Some(1) {
        b.effect(Op::Check { check, good, what, other });
    }
}

/// Tells the sanitizer something.
pub(crate) fn tell(b: &mut Builder<'_>, check: CheckOp, what: Value) {
    let good = b.int(Type::BOOL, 1);
    b.effect(Op::Check { check, good, what, other: what });
}

/// An argument, with its number from 1, that all work-items of a work-group must give the same value: marked before the barrier
/// at which the sanitizer counts them.
pub(crate) fn group_argument(b: &mut Builder<'_>, value: Value, number: i64) {
    if b.function.as_constant(value).is_some() {
        return;
    }
    let what = match b.ty(value) {
        ty if ty.space().is_some() => b.convert(ConvertOp::PtrToInt, value, Type::I64),
        ty if ty.scalar.is_int() && !ty.is_vector() => b.resize(value, ScalarType::I64, true),
        _ => return,
    };
    let (good, other) = (b.int(Type::BOOL, 1), b.int(Type::I64, number));
    b.effect(Op::Check { check: CheckOp::GroupArgument, good, what, other });
}

/// All work-items of the group must come here, and the sanitizer counts them at barriers: this one orders nothing.
pub(crate) fn meeting(b: &mut Builder<'_>) {
    let nothing = Semantics { local: false, ..Semantics::of_local_memory(MemoryOrder::Relaxed) };
    b.effect(Op::Barrier { execution: Scope::WorkGroup, semantics: nothing });
}

/// The exponent's bits are all ones: lane by lane whether a value is an infinity or NaN.
fn is_special(b: &mut Builder<'_>, value: Value) -> Value {
    // A test of bits: one of the number may be assumed to be true.
    let infinity = b.ty(value).scalar.infinity_bits();
    let bits = b.to_bits(value);
    let exponent = b.binary_int(BinaryOp::And, bits, infinity);
    b.compare_int(CompareOp::Eq, exponent, infinity)
}

/// Whether a lane is true.
fn any_lane(b: &mut Builder<'_>, lanes: Value) -> Value {
    let mut any = b.extract(lanes, 0);
    for lane in 1..b.ty(lanes).lanes {
        let other = b.extract(lanes, lane);
        any = b.binary(BinaryOp::Or, any, other);
    }
    any
}

/// Of a result: 0 for NaN, 1 for an infinity, 2 for a negative one.
fn class(b: &mut Builder<'_>, value: Value) -> Value {
    let scalar = b.ty(value).scalar;
    let bits = b.to_bits(value);
    let magnitude = b.binary_int(BinaryOp::And, bits, !scalar.sign_mask());
    let is_infinity = b.compare_int(CompareOp::Eq, magnitude, scalar.infinity_bits());
    let is_negative = b.compare_int(CompareOp::SLt, bits, 0);
    let [none, positive, negative] = [0, 1, 2].map(|number| b.int(b.ty(bits), number));
    let infinity = b.select(is_negative, negative, positive);
    b.select(is_infinity, infinity, none)
}

/// An operation on floating numbers must not make an infinity or NaN of finite operands. `shown` is the operand that reports
/// have. A lane of the result depends on that lane of the operands which have as many, unless `mixes_lanes`.
pub(crate) fn finite(
    b: &mut Builder<'_>,
    op: CheckOp,
    operands: &[Value],
    shown: Value,
    result: Value,
    mixes_lanes: bool,
) {
    let ty = b.ty(result);
    if !ty.scalar.is_float() || b.function.as_constant(result).is_some() {
        return;
    }
    let special = is_special(b, result);
    let mut good = b.unary(UnaryOp::Not, special);
    for operand in operands.iter().filter(|operand| b.ty(**operand).scalar.is_float()).copied().collect::<Vec<_>>() {
        let mut given = is_special(b, operand);
        if mixes_lanes || b.ty(operand).lanes != ty.lanes {
            given = any_lane(b, given);
            given = widen(b, given, ty.lanes);
        }
        good = b.binary(BinaryOp::Or, good, given);
    }
    let shown = if b.ty(shown).lanes == ty.lanes { shown } else { b.extract(shown, 0) };
    let shown = widen(b, shown, ty.lanes);
    let what = b.to_bits(shown);
    let class = class(b, result);
    let class = b.resize(class, b.ty(what).scalar, false);
    check(b, op, good, [what, class]);
}

fn widen(b: &mut Builder<'_>, value: Value, lanes: u8) -> Value {
    if lanes > 1 && b.ty(value).lanes == 1 { b.splat(value, lanes) } else { value }
}

/// A conversion to a floating type must not make an infinity of a finite number.
pub(crate) fn finite_conversion(b: &mut Builder<'_>, operand: Value, is_signed: bool, result: Value) {
    let (from, to) = (b.ty(operand), b.ty(result));
    let may_overflow = match from.scalar {
        scalar if scalar.is_int() => to.scalar == ScalarType::F16 && scalar.bits() >= 16,
        scalar => scalar.is_float() && to.scalar.bits() < scalar.bits(),
    };
    if !may_overflow || from.lanes != to.lanes {
        return;
    }
    let shown = match from.scalar {
        scalar if scalar.is_int() => {
            let op = if is_signed { ConvertOp::SToF } else { ConvertOp::UToF };
            b.convert(op, operand, from.with_scalar(ScalarType::F32))
        }
        _ => operand,
    };
    finite(b, CheckOp::FiniteConversion, &[operand], shown, result, false);
}

/// A store of halves must not make an infinity of a finite number. In magnitude `bounds` are the least numbers below and above
/// zero that become one, as far as there are any.
pub(crate) fn finite_half(b: &mut Builder<'_>, value: Value, bounds: [Option<Bound>; 2]) {
    if b.function.as_constant(value).is_some() {
        return;
    }
    let ty = b.ty(value);
    let mut good = is_special(b, value);
    let mut inside = None;
    for (bound, sign) in bounds.into_iter().zip([-1.0, 1.0]) {
        let Some(Bound { number, is_included }) = bound else { continue };
        let limit = b.float(ty, number * sign);
        let op = match (sign > 0.0, is_included) {
            (true, true) => CompareOp::FLt,
            (true, false) => CompareOp::FLe,
            (false, true) => CompareOp::FGt,
            (false, false) => CompareOp::FGe,
        };
        let here = b.compare(op, value, limit);
        inside = Some(inside.map_or(here, |inside| b.binary(BinaryOp::And, inside, here)));
    }
    let Some(inside) = inside else { return };
    good = b.binary(BinaryOp::Or, good, inside);
    let what = b.to_bits(value);
    let [positive, negative] = [1, 2].map(|number| b.int(b.ty(what), number));
    let is_negative = b.compare_int(CompareOp::SLt, what, 0);
    let class = b.select(is_negative, negative, positive);
    check(b, CheckOp::FiniteConversion, good, [what, class]);
}

/// The magnitude from which on a number becomes an infinity, itself or only what is greater.
#[derive(Clone, Copy)]
pub(crate) struct Bound {
    pub number: f64,
    pub is_included: bool,
}

/// The type must have the result of an operation on signed integers.
pub(crate) fn signed(b: &mut Builder<'_>, op: BinaryOp, [lhs, rhs]: [Value; 2], result: Value) {
    let ty = b.ty(result);
    if !ty.scalar.is_int() || b.function.as_constant(result).is_some() {
        return;
    }
    let (name, good) = match op {
        BinaryOp::Add => {
            let (one, other) = (b.binary(BinaryOp::Xor, lhs, result), b.binary(BinaryOp::Xor, rhs, result));
            let both = b.binary(BinaryOp::And, one, other);
            (CheckOp::SignedSum, b.compare_int(CompareOp::SGe, both, 0))
        }
        BinaryOp::Sub => {
            let (one, other) = (b.binary(BinaryOp::Xor, lhs, rhs), b.binary(BinaryOp::Xor, lhs, result));
            let both = b.binary(BinaryOp::And, one, other);
            (CheckOp::SignedDifference, b.compare_int(CompareOp::SGe, both, 0))
        }
        BinaryOp::Mul if ty.scalar == ScalarType::I64 => {
            let upper = b.intrinsic(Intrinsic::SMulHi, &[lhs, rhs], ty);
            let sign = b.binary_int(BinaryOp::AShr, result, 63);
            (CheckOp::SignedProduct, b.compare(CompareOp::Eq, upper, sign))
        }
        BinaryOp::Mul => {
            let [lhs, rhs, result] = [lhs, rhs, result].map(|value| b.resize(value, ScalarType::I64, true));
            let product = b.binary(BinaryOp::Mul, lhs, rhs);
            (CheckOp::SignedProduct, b.compare(CompareOp::Eq, product, result))
        }
        _ => return,
    };
    check(b, name, good, [lhs, rhs]);
}

/// The negative of the least integer is none of its type.
pub(crate) fn negation(b: &mut Builder<'_>, operand: Value) {
    let ty = b.ty(operand);
    if ty.scalar.is_int() && b.function.as_constant(operand).is_none() {
        let good = b.compare_int(CompareOp::Ne, operand, ty.scalar.sign_mask());
        check(b, CheckOp::SignedNegation, good, [operand, operand]);
    }
}

/// The count of a shift must be less than the width of what is shifted.
pub(crate) fn shift(b: &mut Builder<'_>, count: Value, width: u32) {
    let ty = b.ty(count);
    let good = b.compare_int(CompareOp::ULt, count, width.into());
    let width = b.int(ty, width.into());
    check(b, CheckOp::ShiftCount, good, [count, width]);
}

/// How long the array is that an index is of.
#[derive(Clone, Copy)]
pub(crate) struct Length {
    pub count: u64,
    /// Whether the address behind its last element may be meant.
    pub may_be_end: bool,
}

/// An index, which is a number more than a value, must be less than the length.
pub(crate) fn index(b: &mut Builder<'_>, index: Value, more: i64, length: Length) {
    let index = b.resize(index, ScalarType::I64, true);
    let index = b.binary_int(BinaryOp::Add, index, more);
    let count = b.int(Type::I64, length.count.cast_signed());
    let op = if length.may_be_end { CompareOp::ULe } else { CompareOp::ULt };
    let good = b.compare(op, index, count);
    check(b, CheckOp::Index, good, [index, count]);
}
