//! Arithmetic on constants, exactly as the target would do it.

use crate::hir::{BinaryOp, FloatKind, IntKind, Scalar, UnaryOp};

/// A constant of a scalar type. Integers are two's complement, sign-extended to 64 bits if signed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Number {
    Int(u64),
    Float(f64),
}

/// Truncates to the kind's width, then extends to 64 bits by its signedness.
pub(super) fn wrap(kind: IntKind, value: u64) -> u64 {
    match kind {
        IntKind::Char => value as i8 as i64 as u64,
        IntKind::UChar => u64::from(value as u8),
        IntKind::Short => value as i16 as i64 as u64,
        IntKind::UShort => u64::from(value as u16),
        IntKind::Int => value as i32 as i64 as u64,
        IntKind::UInt => u64::from(value as u32),
        IntKind::Long | IntKind::ULong => value,
    }
}

/// The nearest value of the kind.
pub(super) fn round(kind: FloatKind, value: f64) -> f64 {
    match kind {
        FloatKind::Half => half::f16::from_f64(value).to_f64(),
        FloatKind::Float => f64::from(value as f32),
        FloatKind::Double => value,
    }
}

/// C's conversion between arithmetic types.
pub(super) fn convert(value: Number, from: Scalar, to: Scalar) -> Number {
    match (value, to) {
        (Number::Int(v), Scalar::Bool) => Number::Int(u64::from(v != 0)),
        (Number::Float(v), Scalar::Bool) => Number::Int(u64::from(v != 0.0)),
        (Number::Int(v), Scalar::Int(kind)) => Number::Int(wrap(kind, v)),
        (Number::Float(v), Scalar::Int(kind)) if kind.is_signed() => Number::Int(wrap(kind, v as i64 as u64)),
        (Number::Float(v), Scalar::Int(kind)) if v < 0.0 => Number::Int(wrap(kind, v as i64 as u64)),
        (Number::Float(v), Scalar::Int(kind)) => Number::Int(wrap(kind, v as u64)),
        (Number::Float(v), Scalar::Float(kind)) => Number::Float(round(kind, v)),
        (Number::Int(v), Scalar::Float(kind)) => {
            let signed = matches!(from, Scalar::Int(kind) if kind.is_signed());
            Number::Float(int_to_float(v, signed, kind))
        }
    }
}

/// Rounds once, straight to the target's precision.
fn int_to_float(value: u64, signed: bool, kind: FloatKind) -> f64 {
    match (kind, signed) {
        (FloatKind::Double, true) => value as i64 as f64,
        (FloatKind::Double, false) => value as f64,
        (FloatKind::Float, true) => f64::from(value as i64 as f32),
        (FloatKind::Float, false) => f64::from(value as f32),
        // Integers above 2^53 overflow half anyway, so that rounding to double first changes nothing.
        (FloatKind::Half, true) => round(kind, value as i64 as f64),
        (FloatKind::Half, false) => round(kind, value as f64),
    }
}

/// `op a`; `None` where C leaves it undefined or the types do not fit.
pub(super) fn unary(op: UnaryOp, scalar: Scalar, value: Number) -> Option<Number> {
    Some(match (op, scalar, value) {
        (UnaryOp::Negate, Scalar::Int(kind), Number::Int(v)) => Number::Int(wrap(kind, v.wrapping_neg())),
        (UnaryOp::Negate, _, Number::Float(v)) => Number::Float(-v),
        (UnaryOp::BitNot, Scalar::Int(kind), Number::Int(v)) => Number::Int(wrap(kind, !v)),
        (UnaryOp::LogicalNot, _, Number::Int(v)) => Number::Int(u64::from(v == 0)),
        (UnaryOp::LogicalNot, _, Number::Float(v)) => Number::Int(u64::from(v == 0.0)),
        _ => return None,
    })
}

/// `a op b` of two operands of one type (of a shift: the left one's); comparisons give 0 or 1.
pub(super) fn binary(op: BinaryOp, scalar: Scalar, a: Number, b: Number) -> Option<Number> {
    match (scalar, a, b) {
        (Scalar::Int(kind), Number::Int(a), Number::Int(b)) => int_binary(op, kind, a, b).map(Number::Int),
        (Scalar::Bool, Number::Int(a), Number::Int(b)) => int_binary(op, IntKind::UChar, a, b).map(Number::Int),
        (Scalar::Float(kind), Number::Float(a), Number::Float(b)) => float_binary(op, kind, a, b),
        _ => None,
    }
}

fn int_binary(op: BinaryOp, kind: IntKind, a: u64, b: u64) -> Option<u64> {
    let signed = kind.is_signed();
    let (sa, sb) = (a as i64, b as i64);
    let count = (b % u64::from(kind.bits())) as u32;
    let less = if signed { sa < sb } else { a < b };
    let value = match op {
        BinaryOp::Add => a.wrapping_add(b),
        BinaryOp::Sub => a.wrapping_sub(b),
        BinaryOp::Mul => a.wrapping_mul(b),
        BinaryOp::Div | BinaryOp::Rem if b == 0 => return None,
        BinaryOp::Div if signed => sa.wrapping_div(sb) as u64,
        BinaryOp::Div => a / b,
        BinaryOp::Rem if signed => sa.wrapping_rem(sb) as u64,
        BinaryOp::Rem => a % b,
        BinaryOp::Shl => a << count,
        BinaryOp::Shr if signed => (sa >> count) as u64,
        BinaryOp::Shr => a >> count,
        BinaryOp::And => a & b,
        BinaryOp::Or => a | b,
        BinaryOp::Xor => a ^ b,
        BinaryOp::Eq => u64::from(a == b),
        BinaryOp::Ne => u64::from(a != b),
        BinaryOp::Lt => u64::from(less),
        BinaryOp::Le => u64::from(less || a == b),
        BinaryOp::Gt => u64::from(!less && a != b),
        BinaryOp::Ge => u64::from(!less),
        BinaryOp::LogicalAnd => u64::from(a != 0 && b != 0),
        BinaryOp::LogicalOr => u64::from(a != 0 || b != 0),
    };
    Some(wrap(kind, value))
}

fn float_binary(op: BinaryOp, kind: FloatKind, a: f64, b: f64) -> Option<Number> {
    // Rounding a double result of +, -, *, / to float or half gives the correctly rounded one: double has more than
    // twice their precision.
    let float = |value: f64| Some(Number::Float(round(kind, value)));
    let truth = |value: bool| Some(Number::Int(u64::from(value)));
    match op {
        BinaryOp::Add => float(a + b),
        BinaryOp::Sub => float(a - b),
        BinaryOp::Mul => float(a * b),
        BinaryOp::Div => float(a / b),
        BinaryOp::Eq => truth(a == b),
        BinaryOp::Ne => truth(a != b),
        BinaryOp::Lt => truth(a < b),
        BinaryOp::Le => truth(a <= b),
        BinaryOp::Gt => truth(a > b),
        BinaryOp::Ge => truth(a >= b),
        _ => None,
    }
}

/// The bytes of a number of that type.
pub(super) fn bytes(value: Number, scalar: Scalar) -> ([u8; 8], usize) {
    let size = scalar.size() as usize;
    let bits = match (value, scalar) {
        (Number::Int(v), _) => v,
        (Number::Float(v), Scalar::Float(FloatKind::Half)) => u64::from(half::f16::from_f64(v).to_bits()),
        (Number::Float(v), Scalar::Float(FloatKind::Float)) => u64::from((v as f32).to_bits()),
        (Number::Float(v), _) => v.to_bits(),
    };
    (bits.to_le_bytes(), size)
}

/// Reads a number of that type from its bytes.
pub(super) fn from_bytes(bytes: &[u8], scalar: Scalar) -> Option<Number> {
    let mut raw = [0; 8];
    let size = scalar.size() as usize;
    raw[..size].copy_from_slice(bytes.get(..size)?);
    let bits = u64::from_le_bytes(raw);
    Some(match scalar {
        Scalar::Bool => Number::Int(u64::from(bits != 0)),
        Scalar::Int(kind) => Number::Int(wrap(kind, bits)),
        Scalar::Float(FloatKind::Half) => Number::Float(half::f16::from_bits(bits as u16).to_f64()),
        Scalar::Float(FloatKind::Float) => Number::Float(f64::from(f32::from_bits(bits as u32))),
        Scalar::Float(FloatKind::Double) => Number::Float(f64::from_bits(bits)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_wrap() {
        let int = Scalar::Int(IntKind::Int);
        let max = Number::Int(i32::MAX as u64);
        assert_eq!(binary(BinaryOp::Add, int, max, Number::Int(1)), Some(Number::Int(i64::from(i32::MIN) as u64)));
        let uchar = Scalar::Int(IntKind::UChar);
        assert_eq!(convert(Number::Int(300), int, uchar), Number::Int(44));
        assert_eq!(binary(BinaryOp::Div, int, Number::Int(1), Number::Int(0)), None);
        let minus_seven = Number::Int(-7i64 as u64);
        assert_eq!(binary(BinaryOp::Rem, int, minus_seven, Number::Int(2)), Some(Number::Int(-1i64 as u64)));
    }

    #[test]
    fn shift_counts_are_modulo_the_width() {
        let int = Scalar::Int(IntKind::Int);
        assert_eq!(binary(BinaryOp::Shl, int, Number::Int(1), Number::Int(33)), Some(Number::Int(2)));
    }

    #[test]
    fn floats_round_to_their_type() {
        let float = Scalar::Float(FloatKind::Float);
        let sum = binary(BinaryOp::Add, float, Number::Float(16_777_216.0), Number::Float(1.0));
        assert_eq!(sum, Some(Number::Float(16_777_216.0)));
        assert_eq!(int_to_float(u64::MAX, false, FloatKind::Float), 18_446_744_073_709_551_616.0);
    }
}
