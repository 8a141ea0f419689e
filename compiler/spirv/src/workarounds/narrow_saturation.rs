//! `workarounds/narrow_saturation`: comparisons with the limits of `char` and `short` become signs of differences, and
//! comparisons with what is left in such a type become those with a field, in kernels with functions of the driver's library
//! ([`Workarounds::NVIDIA_NARROW_SATURATION`](clforge_basic::workarounds::Workarounds)).

use super::library;
use super::narrow::extended_by_shifts;
use clforge_ir::pass::{Changed, Context, Pass};
use clforge_ir::rewrite::{Parts, Rewrite, Rewriter};
use clforge_ir::*;
use smallvec::{SmallVec, smallvec};

/// The pass. A sum that is clamped to the range of a narrow integer is a saturated sum of that width, whose operands the driver
/// does not extend; one that is compared with its own lower bits, sign-extended, is a sum of that width that may overflow. It
/// does not recognise them where no comparison with a limit is left, and where the bits are a field.
pub struct NarrowSaturation;

impl<S> Pass<S> for NarrowSaturation {
    fn name(&self) -> &'static str {
        "workarounds/narrow_saturation"
    }

    fn run(&self, module: &mut Module, context: &mut Context<'_, S>) -> Result<Changed, Error> {
        let is_replaced = |function: &Function, inst: &Inst| {
            Comparison::of(function, inst).is_some() || Remainder::of(function, inst).is_some()
        };
        library::rewrite_where_linked(module, context.options, is_replaced, &mut Signs)
    }
}

/// `value < bound`, or its inverse; the bound is the least number of a narrow type, or one above its greatest.
struct Comparison {
    value: Value,
    bound: i64,
    inverse: bool,
}

impl Comparison {
    fn of(function: &Function, inst: &Inst) -> Option<Comparison> {
        let Op::Compare { op, lhs, rhs } = inst.op else { return None };
        let (op, value, limit) = match (function.as_constant(lhs), function.as_constant(rhs)) {
            (None, Some(limit)) => (op, lhs, limit),
            (Some(limit), None) => (op.swapped(), rhs, limit),
            _ => return None,
        };
        let limit = match function.ty(value).scalar {
            ScalarType::I32 => i64::from(u32::try_from(limit.splat_bits()?).ok()?.cast_signed()),
            ScalarType::I64 => limit.splat_bits()?.cast_signed(),
            _ => return None,
        };
        let (bound, inverse) = match op {
            CompareOp::SLt => (limit, false),
            CompareOp::SLe => (limit.checked_add(1)?, false),
            CompareOp::SGe => (limit, true),
            CompareOp::SGt => (limit.checked_add(1)?, true),
            _ => return None,
        };
        const LIMITS: [i64; 4] = [i8::MIN as i64, i8::MAX as i64 + 1, i16::MIN as i64, i16::MAX as i64 + 1];
        LIMITS.contains(&bound).then_some(Comparison { value, bound, inverse })
    }
}

/// A comparison for equality of an integer of 32 bits with the lower bits of itself, or of a sum, sign-extended.
struct Remainder {
    op: CompareOp,
    value: Value,
    whole: Value,
    bits: u32,
}

impl Remainder {
    fn of(function: &Function, inst: &Inst) -> Option<Remainder> {
        let Op::Compare { op: op @ (CompareOp::Eq | CompareOp::Ne), lhs, rhs } = inst.op else { return None };
        let remainder = |value, extended| {
            let (whole, bits) = extension(function, extended)?;
            // A sum may be the same one, computed again.
            let is_sum = matches!(function.op(whole), Some(Op::Binary { op: BinaryOp::Add | BinaryOp::Sub, .. }));
            (whole == value || is_sum).then_some(Remainder { op, value, whole, bits })
        };
        remainder(lhs, rhs).or_else(|| remainder(rhs, lhs))
    }
}

/// The integer of 32 bits of which a value has the lower bits, sign-extended, and their number, if 8 or 16.
fn extension(function: &Function, extended: Value) -> Option<(Value, u32)> {
    if function.ty(extended).scalar != ScalarType::I32 {
        return None;
    }
    let op = function.op(extended)?;
    match *op {
        Op::Convert { op: ConvertOp::SExt, operand } => match *function.op(operand)? {
            Op::Convert { op: ConvertOp::Trunc, operand: whole } if function.ty(whole).scalar == ScalarType::I32 => {
                Some((whole, function.ty(operand).scalar.bits()))
            }
            _ => None,
        },
        _ => extended_by_shifts(function, op),
    }
}

struct Signs;

impl Rewrite for Signs {
    fn op(&mut self, r: &mut Rewriter<'_>, inst: &Inst) -> Result<Option<SmallVec<[Parts; 1]>>, Error> {
        if let Some(Remainder { op, value, whole, bits }) = Remainder::of(r.old, inst) {
            let (value, whole) = (r.one(value, self)?, r.one(whole, self)?);
            let b = &mut r.b;
            let (first, count) = (b.int(Type::I32, 0), b.int(Type::I32, i64::from(bits)));
            let field = b.intrinsic(Intrinsic::BitFieldSExtract, &[whole, first, count], b.ty(whole));
            return Ok(Some(smallvec![smallvec![b.compare(op, value, field)]]));
        }
        let Some(Comparison { value, bound, inverse }) = Comparison::of(r.old, inst) else { return Ok(None) };
        let value = r.one(value, self)?;
        let b = &mut r.b;
        // A difference of numbers of one sign does not wrap. Where the signs differ, the value's decides.
        let (difference, sign_counts, is_less) = if bound < 0 {
            (b.binary_int(BinaryOp::Sub, value, bound), value, true)
        } else {
            let greatest = b.int(b.ty(value), bound - 1);
            (b.binary(BinaryOp::Sub, greatest, value), b.unary(UnaryOp::Not, value), false)
        };
        let signs = b.binary(BinaryOp::And, difference, sign_counts);
        let op = if is_less == inverse { CompareOp::SGe } else { CompareOp::SLt };
        Ok(Some(smallvec![smallvec![b.compare_int(op, signs, 0)]]))
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing;
    use super::*;

    /// The result of a comparison of `a` with a constant, by the code of the pass.
    fn compared(op: &str, a: i64, constant: i64, ty: &str) -> bool {
        let text = format!("func @f(%0: {ty}) -> bool {{\n  %1: bool = {op} %0, {ty} {constant}\n  return %1\n}}\n");
        let bits = a.cast_unsigned() & if ty == "i32" { u64::from(u32::MAX) } else { u64::MAX };
        testing::result(&text, &mut Signs, |function, inst| Comparison::of(function, inst).is_some(), &[bits]) != 0
    }

    #[test]
    fn signs_of_differences_compare() {
        let numbers = |limit: i64, least: i64, greatest: i64| {
            [least, least + 1, limit - 1, limit, limit + 1, -1, 0, 1, greatest - 1, greatest]
        };
        for limit in [-129, -128, 127, 128, -32769, -32768, 32767, 32768] {
            for (ty, least, greatest) in [("i32", i32::MIN.into(), i32::MAX.into()), ("i64", i64::MIN, i64::MAX)] {
                for a in numbers(limit, least, greatest) {
                    assert_eq!(compared("slt", a, limit, ty), a < limit, "{a} < {limit}, {ty}");
                    assert_eq!(compared("sle", a, limit, ty), a <= limit, "{a} <= {limit}, {ty}");
                    assert_eq!(compared("sgt", a, limit, ty), a > limit, "{a} > {limit}, {ty}");
                    assert_eq!(compared("sge", a, limit, ty), a >= limit, "{a} >= {limit}, {ty}");
                }
            }
        }
    }
}
