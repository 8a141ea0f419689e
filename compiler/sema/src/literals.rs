//! Constants of the source: integers, floating numbers, strings.

use super::{ExprRef, Sema};
use crate::hir::{ConstantData, ExprKind, FloatKind, ModuleVariable, ModuleVariableId, QualTy, Ty, TyKind};
use clforge_basic::arithmetic::Float;
use clforge_basic::diag::WarningFlag;
use clforge_basic::source::Span;
use clforge_syntax::ast::{self, AddressSpace, FloatSuffix};

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
            FloatSuffix::None if self.options.math.single_precision_constant => FloatKind::Float,
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
        FloatKind::Half => digits.parse::<f64>().ok().map(|value| Float::Half.round(value)),
    }
}

/// `1.8p3` after its `0x`.
fn parse_hex_float(hex: &str, kind: FloatKind) -> Option<f64> {
    let (mantissa, exponent) = match hex.find(['p', 'P']) {
        Some(at) => (&hex[..at], hex[at + 1..].parse::<i64>().unwrap_or(i64::from(i32::MAX))),
        None => (hex, 0),
    };
    let mut bits: u64 = 0;
    let mut scale: i64 = exponent.clamp(-100_000, 100_000);
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
        (quotient + u128::from(up)) as u64
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
        value *= f64::powi(2.0, step as i32);
        exponent -= step;
    }
    while exponent < 0 && value != 0.0 {
        let step = (-exponent).min(900);
        value *= f64::powi(2.0, -step as i32);
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
