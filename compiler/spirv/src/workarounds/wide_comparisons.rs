//! `workarounds/wide_comparisons`: unsigned integers of 64 bits are compared by halves in kernels with functions of the driver's
//! library ([`Workarounds::NVIDIA_WIDE_COMPARISONS`](clforge_basic::workarounds::Workarounds)).

use super::library;
use clforge_ir::pass::{Changed, Context, Pass};
use clforge_ir::rewrite::{Parts, Rewrite, Rewriter};
use clforge_ir::*;
use smallvec::{SmallVec, smallvec};

/// The pass. A saturated sum or difference is a comparison and a selection; the driver does not recognise one where the
/// comparison is of 32 bits. Signed comparisons were right in such kernels, and are left alone.
pub struct WideComparisons;

impl<S> Pass<S> for WideComparisons {
    fn name(&self) -> &'static str {
        "workarounds/wide_comparisons"
    }

    fn run(&self, module: &mut Module, context: &mut Context<'_, S>) -> Result<Changed, Error> {
        let is_replaced = |function: &Function, inst: &Inst| Comparison::of(function, inst).is_some();
        library::rewrite_where_linked(module, context.options, is_replaced, &mut Halves)
    }
}

/// A comparison of unsigned integers of 64 bits: `less < greater`, or `less <= greater`.
struct Comparison {
    less: Value,
    greater: Value,
    or_equal: bool,
}

impl Comparison {
    fn of(function: &Function, inst: &Inst) -> Option<Comparison> {
        let Op::Compare { op, lhs, rhs } = inst.op else { return None };
        let (less, greater, or_equal) = match op {
            CompareOp::ULt => (lhs, rhs, false),
            CompareOp::ULe => (lhs, rhs, true),
            CompareOp::UGt => (rhs, lhs, false),
            CompareOp::UGe => (rhs, lhs, true),
            _ => return None,
        };
        (function.ty(lhs).scalar == ScalarType::I64).then_some(Comparison { less, greater, or_equal })
    }
}

struct Halves;

impl Rewrite for Halves {
    fn op(&mut self, r: &mut Rewriter<'_>, inst: &Inst) -> Result<Option<SmallVec<[Parts; 1]>>, Error> {
        let Some(Comparison { less, greater, or_equal }) = Comparison::of(r.old, inst) else { return Ok(None) };
        let (less, greater) = (r.one(less, self)?, r.one(greater, self)?);
        let b = &mut r.b;
        let mut halves = |value| {
            let high = b.binary_int(BinaryOp::LShr, value, 32);
            (b.resize(value, ScalarType::I32, false), b.resize(high, ScalarType::I32, false))
        };
        let ((less_low, less_high), (greater_low, greater_high)) = (halves(less), halves(greater));
        let low = b.compare(if or_equal { CompareOp::ULe } else { CompareOp::ULt }, less_low, greater_low);
        let high = b.compare(CompareOp::ULt, less_high, greater_high);
        let same = b.compare(CompareOp::Eq, less_high, greater_high);
        let low = b.binary(BinaryOp::And, same, low);
        Ok(Some(smallvec![smallvec![b.binary(BinaryOp::Or, high, low)]]))
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing;
    use super::*;

    const NUMBERS: [u64; 9] =
        [0, 1, 0xFFFF_FFFF, 0x1_0000_0000, 0x1_0000_0001, 1 << 63, u64::MAX - 1, u64::MAX, 0x7FFF_FFFF_8000_0000];

    /// The result of a comparison, by the code of the pass.
    fn compared(op: &str, a: u64, b: u64) -> bool {
        let text = format!("func @f(%0: i64, %1: i64) -> bool {{\n  %2: bool = {op} %0, %1\n  return %2\n}}\n");
        testing::result(&text, &mut Halves, |function, inst| Comparison::of(function, inst).is_some(), &[a, b]) != 0
    }

    #[test]
    fn halves_compare_as_the_whole() {
        for (a, b) in NUMBERS.iter().flat_map(|a| NUMBERS.iter().map(move |b| (*a, *b))) {
            assert_eq!(compared("ult", a, b), a < b, "{a} < {b}");
            assert_eq!(compared("ule", a, b), a <= b, "{a} <= {b}");
            assert_eq!(compared("ugt", a, b), a > b, "{a} > {b}");
            assert_eq!(compared("uge", a, b), a >= b, "{a} >= {b}");
        }
    }
}
