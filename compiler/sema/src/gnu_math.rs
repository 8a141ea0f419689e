//! `__builtin_…` functions of floating-point numbers: functions of OpenCL C for one type, classes, NaNs.

use super::{ExprRef, Sema};
use crate::hir::{BinaryOp, ExprKind, IntKind, Ty, TyKind};
use clforge_basic::source::Span;
use clforge_syntax::gnu::Precision;

impl<'h> Sema<'_, 'h, '_> {
    /// A function of numbers of one precision.
    pub(super) fn math_function(
        &mut self,
        function: &str,
        precision: Precision,
        mut values: Vec<ExprRef<'h>>,
        span: Span,
    ) -> Option<ExprRef<'h>> {
        let ty = match precision {
            Precision::Half => Ty::HALF,
            Precision::Single => Ty::FLOAT,
            Precision::Double => Ty::DOUBLE,
        };
        for (index, value) in values.iter_mut().enumerate() {
            // What is not of that precision: exponents, and where a second result goes.
            let ty = match (function, index) {
                ("ldexp" | "scalbn" | "powi", 1) => Ty::INT,
                ("scalbln", 1) => Ty::LONG,
                ("frexp" | "modf", 1) | ("remquo", 2) => continue,
                _ => ty,
            };
            *value = self.passed(value, ty);
        }
        let function = match function {
            "nearbyint" | "roundeven" => "rint",
            "scalbn" => "ldexp",
            "powi" => "pown",
            "scalbln" => {
                let [_, exponent] = &mut values[..] else { return None };
                let (low, high) = (i64::from(i32::MIN).cast_unsigned(), u64::from(i32::MAX.cast_unsigned()));
                let bounds = [self.int(low, Ty::LONG, span), self.int(high, Ty::LONG, span)];
                let clamped = self.opencl_call("clamp", &[exponent, bounds[0], bounds[1]], span)?;
                *exponent = self.convert(clamped, Ty::INT);
                "ldexp"
            }
            "canonicalize" => {
                let [value] = values[..] else { return None };
                let one = self.make(ExprKind::Float(1.0), ty, span);
                return Some(self.make(ExprKind::Binary(BinaryOp::Mul, value, one), ty, span));
            }
            "lrint" | "llrint" | "lround" | "llround" => {
                let function = if function.ends_with("rint") { "rint" } else { "round" };
                let rounded = self.opencl_call(function, &values, span)?;
                return Some(self.convert(rounded, Ty::LONG));
            }
            _ => function,
        };
        self.opencl_call(function, &values, span)
    }

    /// `isnan` and similar. Two operands are converted to their common type.
    pub(super) fn class_function(&mut self, function: &str, values: &[ExprRef<'h>], span: Span) -> Option<ExprRef<'h>> {
        if let [left, right] = *values
            && left.ty.ty != right.ty.ty
        {
            let (left, right, ty) = self.usual_arithmetic_conversions(left, right, span).ok()?;
            let is_floating = matches!(self.kind(ty), TyKind::Float(_));
            return if is_floating { self.opencl_call(function, &[left, right], span) } else { None };
        }
        self.opencl_call(function, values, span)
    }

    /// `isinf_sign`, `fpclassify`, `signbitf`.
    pub(super) fn classification(&mut self, name: &str, values: &[ExprRef<'h>], span: Span) -> Option<ExprRef<'h>> {
        match (name, values) {
            ("signbitf" | "signbitl", [value]) => {
                let value = self.passed(value, if name == "signbitf" { Ty::FLOAT } else { Ty::DOUBLE });
                self.opencl_call("signbit", &[value], span)
            }
            ("isinf_sign", [value]) => {
                let (declared, value) = self.bind(value)?;
                let (infinite, sign) =
                    (self.opencl_call("isinf", &[value], span)?, self.opencl_call("signbit", &[value], span)?);
                let (zero, one) = (self.int(0, Ty::INT, span), self.int(1, Ty::INT, span));
                let minus_one = self.int(u64::MAX, Ty::INT, span);
                let signed = self.chosen(sign, minus_one, one, span);
                let result = self.chosen(infinite, signed, zero, span);
                Some(self.after(&[declared], result, span))
            }
            ("fpclassify", [nan, infinite, normal, subnormal, zero, value]) => {
                let (mut declarations, mut results) = (Vec::new(), Vec::new());
                for result in [nan, infinite, normal, subnormal, zero] {
                    let result = self.passed(result, Ty::INT);
                    let (declared, result) = self.bind(result)?;
                    declarations.push(declared);
                    results.push(result);
                }
                let (declared, value) = self.bind(value)?;
                declarations.push(declared);
                // By its bits: a comparison may take a subnormal number for 0.
                let mut result = *results.get(3)?;
                let is_zero = self.is_zero_magnitude(value, span)?;
                result = self.chosen(is_zero, results.get(4)?, result, span);
                for (function, index) in [("isnormal", 2), ("isinf", 1), ("isnan", 0)] {
                    let is_such = self.opencl_call(function, &[value], span)?;
                    result = self.chosen(is_such, results.get(index)?, result, span);
                }
                Some(self.after(&declarations, result, span))
            }
            _ => None,
        }
    }

    /// `condition ? then : otherwise`, of `int`s.
    fn chosen(&mut self, condition: ExprRef<'h>, then: ExprRef<'h>, otherwise: ExprRef<'h>, span: Span) -> ExprRef<'h> {
        let condition = self.condition_value(condition);
        self.make(ExprKind::Conditional { condition, then, otherwise }, Ty::INT, span)
    }

    /// `nan("0x12")` and similar: a NaN with that number in its significand. `None`: the text is no number.
    pub(super) fn nan_of(&mut self, name: &str, text: &[u8], span: Span) -> Option<ExprRef<'h>> {
        let payload = parsed_payload(std::str::from_utf8(text).ok()?)?;
        let is_float = name.ends_with('f');
        let (ty, kind, significand) =
            if is_float { (Ty::FLOAT, IntKind::UInt, 23) } else { (Ty::DOUBLE, IntKind::ULong, 52) };
        let quiet = 1_u64 << (significand - 1);
        let is_quiet = !name.starts_with("nans");
        if is_quiet && payload & (quiet - 1) == 0 {
            return Some(self.make(ExprKind::Float(f64::NAN), ty, span));
        }
        let payload = payload & (quiet - 1);
        // A significand of 0 would be infinity: the next bit stands for it, as in clang.
        let payload = if is_quiet {
            payload | quiet
        } else if payload == 0 {
            quiet >> 1
        } else {
            payload
        };
        let exponent = if is_float { 0xff_u64 } else { 0x7ff } << significand;
        let bits_ty = self.program.types.intern(TyKind::Int(kind));
        let bits = self.int(exponent | payload, bits_ty, span);
        Some(self.reinterpret(bits, ty, span))
    }
}

/// An unsigned number as `strtoull` reads it with base 0; of no text 0.
fn parsed_payload(text: &str) -> Option<u64> {
    if text.is_empty() {
        return Some(0);
    }
    if let Some(digits) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        return u64::from_str_radix(digits, 16).ok();
    }
    let radix = if text.starts_with('0') { 8 } else { 10 };
    u64::from_str_radix(text, radix).ok()
}

#[cfg(test)]
mod tests {
    use super::parsed_payload;

    #[test]
    fn payloads() {
        assert_eq!(["", "18", "0x12", "022"].map(parsed_payload), [Some(0), Some(18), Some(18), Some(18)]);
        assert_eq!(["x", "0x", "08"].map(parsed_payload), [None, None, None]);
    }
}
