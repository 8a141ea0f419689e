//! Checks that lowering has marked, since only the source shows what they are of (`clforge_lower`).

use super::Here;
use crate::interface::bounds::Check;
use clforge_basic::options::Sanitizers;
use clforge_ir::*;

impl Here<'_> {
    /// Has it recorded if a check is not good, or takes note of what is none.
    pub(super) fn lowered(&mut self, b: &mut Builder<'_>, op: CheckOp, good: Value, values: [Value; 2]) {
        let (kind, check, operation) = match op {
            CheckOp::FiniteSum => (Sanitizers::FLOAT, Check::NotFinite, "an addition"),
            CheckOp::FiniteDifference => (Sanitizers::FLOAT, Check::NotFinite, "a subtraction"),
            CheckOp::FiniteProduct => (Sanitizers::FLOAT, Check::NotFinite, "a multiplication"),
            CheckOp::FiniteQuotient => (Sanitizers::FLOAT, Check::NotFinite, "a division"),
            CheckOp::FiniteConversion => (Sanitizers::FLOAT, Check::NotFinite, "a conversion"),
            CheckOp::FiniteResult => (Sanitizers::FLOAT, Check::NotFinite, "a built-in function"),
            CheckOp::SignedSum => (Sanitizers::OVERFLOW, Check::SignedOverflow, "sum"),
            CheckOp::SignedDifference => (Sanitizers::OVERFLOW, Check::SignedOverflow, "difference"),
            CheckOp::SignedProduct => (Sanitizers::OVERFLOW, Check::SignedOverflow, "product"),
            CheckOp::SignedNegation => (Sanitizers::OVERFLOW, Check::SignedOverflow, "negative"),
            CheckOp::ShiftCount => (Sanitizers::SHIFT, Check::ShiftCount, ""),
            CheckOp::Index => (Sanitizers::UNDEFINED, Check::ArrayIndex, ""),
            CheckOp::SubGroupBarrier => (Sanitizers::SYNC, Check::SubGroupBarrier, ""),
            CheckOp::SubGroupArgument => (Sanitizers::SYNC, Check::SubGroupArgument, ""),
            CheckOp::GroupArgument => {
                let [value, number] = values;
                self.arguments.iter_mut().for_each(|arguments| arguments.mark(b, self.module, value, number));
                return;
            }
            CheckOp::BarrierFlags => {
                self.flags = Some(values[0]);
                return;
            }
            CheckOp::AsyncWait => {
                self.waits = true;
                return;
            }
            CheckOp::AsyncCopy => {
                self.copies = true;
                return;
            }
        };
        if self.plan.kinds.contains(kind) {
            self.pairs_of_lanes(b, check, operation.into(), good, values);
        }
    }
}
