//! Constants of the source: integers, floating numbers, strings.

use super::{ExprRef, Sema};
use crate::hir::{ConstantData, ExprKind, FloatKind, ModuleVariable, ModuleVariableId, QualTy, Ty, TyKind};
use clforge_basic::arithmetic::Float;
use clforge_basic::diag::WarningFlag;
use clforge_basic::narrow::{to_i32, to_i64};
use clforge_basic::source::Span;
use clforge_syntax::ast::{self, AddressSpace, FloatSuffix};
use std::cmp::Ordering;

impl<'a, 'h> Sema<'a, 'h, '_> {
    /// C99 6.4.4.1, with 64-bit `long`.
    pub(super) fn integer_literal(&mut self, literal: ast::IntegerLiteral, span: Span) -> ExprRef<'h> {
        let value = literal.value;
        let signed_ok = !literal.unsigned;
        let unsigned_ok = literal.unsigned || !literal.decimal;
        let ty = if literal.long == 0 && signed_ok && value <= i32::MAX as u64 {
            Ty::INT
        } else if literal.long == 0 && unsigned_ok && value <= u64::from(u32::MAX) {
            Ty::UINT
        } else if signed_ok && value <= i64::MAX as u64 {
            Ty::LONG
        } else {
            if !unsigned_ok {
                self.warning(
                    WarningFlag::ImplicitlyUnsignedLiteral,
                    span,
                    "integer literal is too large to be represented in a signed integer type, interpreting as unsigned",
                );
            }
            Ty::ULONG
        };
        self.make(ExprKind::Int(value), ty, span)
    }

    /// C99 6.4.4.2: rounded once, to the type it has.
    pub(super) fn floating_literal(&mut self, literal: ast::FloatingLiteral, span: Span) -> ExprRef<'h> {
        let kind = match literal.suffix {
            FloatSuffix::Float => FloatKind::Float,
            FloatSuffix::Half => FloatKind::Half,
            FloatSuffix::None if self.options.language.math.single_precision_constant => FloatKind::Float,
            // `long double` is as wide as `double`, as clang has it.
            FloatSuffix::None | FloatSuffix::Long => FloatKind::Double,
        };
        let ty = match kind {
            FloatKind::Half => Ty::HALF,
            FloatKind::Float => Ty::FLOAT,
            FloatKind::Double => Ty::DOUBLE,
        };
        let digits = self.text(literal.digits);
        let Some(value) = parse_float(digits, kind) else {
            self.error(span, "invalid floating constant");
            return self.error_expr(span);
        };
        if value.is_infinite() {
            let text = self.ty_text(ty);
            self.warning(
                WarningFlag::LiteralRange,
                span,
                format!("magnitude of floating-point constant too large for type '{text}'"),
            );
        }
        self.make(ExprKind::Float(value), ty, span)
    }

    /// A string literal: an unnamed constant array of `char`, each text once.
    pub(super) fn string_literal(&mut self, bytes: &'a [u8], span: Span) -> ExprRef<'h> {
        let known = self.strings.get(bytes).copied();
        let (ty, id) = match known {
            Some(id) => (self.program.variables[id].ty, id),
            None => self.string_object(bytes.to_vec(), span),
        };
        self.strings.insert(bytes, id);
        self.make_lvalue(ExprKind::ModuleVariable(id), ty, span)
    }

    /// A new constant array of the bytes and a zero: its type and the object.
    pub(super) fn string_object(&mut self, mut bytes: Vec<u8>, span: Span) -> (QualTy, ModuleVariableId) {
        bytes.push(0);
        let count = bytes.len() as u64;
        let element = QualTy { ty: Ty::CHAR, quals: ast::Qualifiers::empty(), space: AddressSpace::Private };
        let ty = self.program.types.intern(TyKind::Array(element, Some(count)));
        let ty = QualTy { ty, quals: ast::Qualifiers::empty(), space: AddressSpace::Constant };
        let init = Some(ConstantData { bytes, ..ConstantData::default() });
        let (name, internal, external, owner) = (self.names.empty(), true, false, None);
        let global = ModuleVariable { name, ty, align: 1, span, init, internal, external, owner, is_string: true };
        (ty, self.add_module_variable(global))
    }

    pub(super) fn add_module_variable(&mut self, global: ModuleVariable) -> ModuleVariableId {
        self.program.variables.push_and_get_key(global)
    }

    /// `(value)` as a constant of an integer type, already wrapped to it.
    pub(super) fn int(&self, value: u64, ty: Ty, span: Span) -> ExprRef<'h> {
        self.make(ExprKind::Int(value), ty, span)
    }
}

/// A decimal or hexadecimal floating number, rounded to nearest even in `kind`.
pub(super) fn parse_float(digits: &str, kind: FloatKind) -> Option<f64> {
    if let Some(hex) = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        return parse_hex_float(hex, kind);
    }
    match kind {
        FloatKind::Double => digits.parse().ok(),
        FloatKind::Float => digits.parse::<f32>().ok().map(f64::from),
        FloatKind::Half => parse_half(digits),
    }
}

/// A decimal number, rounded once to a half: it may be beside the middle between two halves while the nearest double is the
/// middle itself, which would be rounded to even.
fn parse_half(digits: &str) -> Option<f64> {
    const BEYOND: f64 = 65536.0;
    let nearest: f64 = digits.parse().ok()?;
    let [below, above] = [nearest.next_down(), nearest.next_up()].map(|value| Float::Half.round(value));
    let middle = (below + if above.is_infinite() { BEYOND } else { above }) / 2.0;
    if below == above || nearest != middle {
        return Some(Float::Half.round(nearest));
    }
    // The middle of two halves has fewer digits than that.
    Some(match decimal(digits).cmp(&decimal(&format!("{middle:.60e}"))) {
        Ordering::Less => below,
        Ordering::Equal => Float::Half.round(nearest),
        Ordering::Greater => above,
    })
}

/// A decimal number as the exponent of ten and the digits after `0.`, without zeros at the ends: larger numbers are greater.
fn decimal(text: &str) -> (i64, Vec<u8>) {
    let (digits, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let whole = digits.find('.').unwrap_or(digits.len());
    let digits: Vec<u8> = digits.bytes().filter(u8::is_ascii_digit).collect();
    let zeros = digits.iter().take_while(|digit| **digit == b'0').count();
    let end = digits.iter().rposition(|digit| *digit != b'0').map_or(zeros, |last| last + 1);
    // An exponent of more bits is of no number near a half.
    let exponent = exponent.parse::<i64>().unwrap_or(0).saturating_add(to_i64(whole)).saturating_sub(to_i64(zeros));
    (exponent, digits.get(zeros..end).unwrap_or_default().to_vec())
}

/// `1.8p3` after its `0x`.
fn parse_hex_float(hex: &str, kind: FloatKind) -> Option<f64> {
    let (mantissa, exponent) = match hex.find(['p', 'P']) {
        Some(at) => {
            let text = &hex[at + 1..];
            (&hex[..at], text.parse::<i64>().unwrap_or(if text.starts_with('-') { i64::MIN } else { i64::MAX }))
        }
        None => (hex, 0),
    };
    let mut bits: u64 = 0;
    // More than the digits of any source can make up for.
    let mut scale: i64 = exponent.clamp(-1 << 40, 1 << 40);
    let mut after_point = false;
    let mut any = false;
    for character in mantissa.chars() {
        if character == '.' {
            after_point = true;
            continue;
        }
        let digit = u64::from(character.to_digit(16)?);
        any = true;
        if bits >> 59 == 0 {
            bits = bits << 4 | digit;
            scale -= if after_point { 4 } else { 0 };
        } else {
            // Digits that no longer fit only matter as "not zero".
            bits |= u64::from(digit != 0);
            scale += if after_point { 0 } else { 4 };
        }
    }
    any.then(|| round_scaled(bits, scale, kind))
}

/// `bits * 2^scale` rounded to nearest even in `kind`.
fn round_scaled(bits: u64, scale: i64, kind: FloatKind) -> f64 {
    if bits == 0 {
        return 0.0;
    }
    let (precision, lowest) = match kind {
        FloatKind::Half => (11, -24),
        FloatKind::Float => (24, -149),
        FloatKind::Double => (53, -1074),
    };
    let width = 64 - i64::from(bits.leading_zeros());
    // The weight of the result's last bit.
    let last = (scale + width - precision).max(lowest);
    let drop = last - scale;
    let rounded = if drop <= 0 {
        bits
    } else if drop > 64 {
        0
    } else {
        let wide = u128::from(bits);
        let half_unit = 1u128 << (drop - 1);
        let (quotient, rest) = (wide >> drop, wide & ((1u128 << drop) - 1));
        let up = rest > half_unit || (rest == half_unit && quotient & 1 == 1);
        // Of 64 bits at least one was dropped.
        u64::try_from(quotient + u128::from(up)).unwrap_or(u64::MAX)
    };
    let exponent = if drop <= 0 { scale } else { last };
    let value = scale_by(rounded as f64, exponent);
    match kind {
        FloatKind::Half if value >= 65520.0 => f64::INFINITY,
        FloatKind::Float if value >= 3.402_823_567_797_336_6e38 => f64::INFINITY,
        _ => value,
    }
}

/// `value * 2^exponent` in steps that are exact.
fn scale_by(mut value: f64, mut exponent: i64) -> f64 {
    while exponent > 0 && value.is_finite() {
        let step = exponent.min(900);
        value *= f64::powi(2.0, to_i32(step));
        exponent -= step;
    }
    while exponent < 0 && value != 0.0 {
        let step = (-exponent).min(900);
        value *= f64::powi(2.0, -to_i32(step));
        exponent += step;
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimal() {
        assert_eq!(parse_float("1.", FloatKind::Float), Some(1.0));
        assert_eq!(parse_float(".5e1", FloatKind::Double), Some(5.0));
        assert_eq!(parse_float("0.1", FloatKind::Float), Some(f64::from(0.1f32)));
    }

    /// Exponents of any length (C99 6.4.4.2): what digits make up for them, and what nothing does.
    #[test]
    fn exponents_of_any_length() {
        let double = |text: &str| parse_hex_float(text, FloatKind::Double);
        assert_eq!(double("1.8p1"), Some(3.0));
        for (exponent, value) in [
            ("9223372036854775807", f64::INFINITY),
            ("99999999999999999999", f64::INFINITY),
            ("-9223372036854775808", 0.0),
            ("-99999999999999999999", 0.0),
        ] {
            assert_eq!(double(&format!("1p{exponent}")), Some(value));
            assert_eq!(double(&format!("0p{exponent}")), Some(0.0));
        }
        let zeros = "0".repeat(50_000);
        assert_eq!(double(&format!("0.{zeros}1p200004")), Some(1.0));
        assert_eq!(double(&format!("1{zeros}p-200000")), Some(1.0));
    }

    /// Decimal halves beside the middle of two: 1 + 2^-11 is between 0x3c00 and 0x3c01, 1 + 3 * 2^-11 between those after it.
    #[test]
    fn halves_are_rounded_once() {
        let half = |bits: u64| Some(Float::Half.value(bits));
        for (text, bits) in [
            ("1.00048828125", 0x3c00),
            ("1.00048828125000000000000000001", 0x3c01),
            ("1.00048828124999999999999999999", 0x3c00),
            ("100.048828125000000000000000001e-2", 0x3c01),
            ("0.000100048828125e4", 0x3c00),
            ("1.00146484375", 0x3c02),
            ("1.00146484374999999999999999999", 0x3c01),
            // 2^-25, half of the least half.
            ("2.98023223876953125e-8", 0),
            ("2.980232238769531250000000001e-8", 1),
            (".0000000298023223876953124999999", 0),
            // The middle between the greatest half and what would follow.
            ("65519.999999999999999999999", 0x7bff),
            ("65520", 0x7c00),
            ("65520.000000000000000000001", 0x7c00),
            ("1e99999999999999999999", 0x7c00),
            ("1e-99999999999999999999", 0),
            ("0.0", 0),
            ("0.1", 0x2e66),
            ("2048", 0x6800),
        ] {
            assert_eq!(parse_float(text, FloatKind::Half), half(bits), "{text}");
        }
    }

    #[test]
    fn hexadecimal() {
        assert_eq!(parse_float("0x1.8p3", FloatKind::Double), Some(12.0));
        assert_eq!(parse_float("0x1.fffffep127", FloatKind::Float), Some(f64::from(f32::MAX)));
        assert_eq!(parse_float("0x1.ffffffp127", FloatKind::Float), Some(f64::INFINITY));
        assert_eq!(parse_float("0x1p-149", FloatKind::Float), Some(f64::from(f32::from_bits(1))));
        assert_eq!(parse_float("0x1p-1074", FloatKind::Double), Some(f64::from_bits(1)));
        // Halfway, to even.
        assert_eq!(parse_float("0x1.000001p0", FloatKind::Float), Some(1.0));
        assert_eq!(parse_float("0x1.000003p0", FloatKind::Float), Some(f64::from(1.0f32 + 2.0 * f32::EPSILON)));
    }
}
