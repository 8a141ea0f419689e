//! Checks operations whose result the language does not define: integer divisions by zero, signed divisions that
//! overflow (OpenCL C 6.3), and conversions of floating-point values that the integer type cannot represent (6.2.3.3).

use super::Here;
use crate::interface::bounds::{AccessSite, Check};
use clforge_basic::narrow::to_u32;
use clforge_ir::*;

impl Here<'_> {
    /// Checks a division or remainder.
    pub(super) fn division(&mut self, b: &mut Builder<'_>, op: BinaryOp, lhs: Value, rhs: Value) {
        let signed = match op {
            BinaryOp::SDiv | BinaryOp::SRem => true,
            BinaryOp::UDiv | BinaryOp::URem => false,
            _ => return,
        };
        let (zero, minus_one) = (b.int(b.ty(rhs), 0), b.int(b.ty(rhs), -1));
        let not_zero = b.compare(CompareOp::Ne, rhs, zero);
        self.lanes(b, Check::DivisionByZero, not_zero, lhs);
        if signed {
            let least = b.int(b.ty(lhs), i64::MIN >> (64 - b.ty(lhs).scalar.bits()));
            let other = b.compare(CompareOp::Ne, lhs, least);
            let divides = b.compare(CompareOp::Ne, rhs, minus_one);
            let good = b.binary(BinaryOp::Or, other, divides);
            self.lanes(b, Check::DivisionOverflow, good, lhs);
        }
    }

    /// Checks a conversion from a floating type to an integer type.
    pub(super) fn conversion(&mut self, b: &mut Builder<'_>, op: ConvertOp, operand: Value, to: Type) {
        let signed = match op {
            ConvertOp::FToS => true,
            ConvertOp::FToU => false,
            _ => return,
        };
        let (from, bits) = (b.ty(operand), to.scalar.bits().cast_signed());
        let bound = 2f64.powi(if signed { bits - 1 } else { bits });
        let least = if signed { -bound } else { 0.0 };
        let end = b.float(from, bound);
        let below = b.compare(CompareOp::FLt, operand, end);
        // The fraction is dropped, so what is above the integer before the least one is good, where the type has that.
        let digits = match from.scalar {
            ScalarType::F16 => 11,
            ScalarType::F32 => 24,
            _ => 53,
        };
        let above = if bits <= digits || !signed {
            let before = b.float(from, least - 1.0);
            b.compare(CompareOp::FGt, operand, before)
        } else {
            let least = b.float(from, least);
            b.compare(CompareOp::FGe, operand, least)
        };
        let good = b.binary(BinaryOp::And, below, above);
        let value = b.to_bits(operand);
        self.lanes(b, Check::Conversion, good, value);
    }

    /// Has the first lane of a value recorded that is not good.
    fn lanes(&mut self, b: &mut Builder<'_>, check: Check, good: Value, value: Value) {
        let nothing = b.int(b.ty(value), 0);
        self.pairs_of_lanes(b, check, String::new(), good, [value, nothing]);
    }

    /// The same with a second value, for a site of an operation.
    pub(super) fn pairs_of_lanes(
        &mut self,
        b: &mut Builder<'_>,
        check: Check,
        operation: String,
        good: Value,
        values: [Value; 2],
    ) {
        let ty = b.ty(values[0]);
        let mut all = b.extract(good, 0);
        let mut bad = values.map(|value| b.extract(value, 0));
        for lane in 1..ty.lanes {
            let here = b.extract(good, lane);
            for (bad, value) in bad.iter_mut().zip(values) {
                let other = b.extract(value, lane);
                *bad = b.select(all, other, *bad);
            }
            all = b.binary(BinaryOp::And, all, here);
        }
        if b.function.as_int(all) == Some(1) {
            return;
        }
        let site = AccessSite { bytes: to_u32(ty.scalar.bytes()), variable: operation, ..AccessSite::default() };
        let site = self.new_site(b, check, site, None);
        let is_number = !matches!(check, Check::Conversion | Check::NotFinite);
        let what = b.resize(bad[0], ScalarType::I64, is_number);
        let end = b.resize(bad[1], ScalarType::I64, is_number);
        let site = b.int(Type::I32, i64::from(site));
        self.plan.recorder.record_unless(b, all, [what, end, site]);
    }
}
