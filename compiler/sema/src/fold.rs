//! Operations of C on constants, by the arithmetic of [`clforge_basic::arithmetic`].

use crate::hir::{BinaryOp, FloatKind, IntKind, Scalar, UnaryOp};
use clforge_basic::arithmetic::{Float, Integer, Relation};
use clforge_basic::narrow::to_usize;

/// A constant of a scalar type. Integers are two's complement, sign-extended to 64 bits if signed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Number {
    Int(u64),
    Float(f64),
}

/// Truncates to the kind's width, then extends to 64 bits by its signedness.
pub(super) fn wrap(kind: IntKind, value: u64) -> u64 {
    integer(kind).wrap(value)
}

/// The nearest value of the kind.
pub(super) fn round(kind: FloatKind, value: f64) -> f64 {
    format(kind).round(value)
}

fn integer(kind: IntKind) -> Integer {
    Integer::new(kind.bits(), kind.is_signed())
}

fn format(kind: FloatKind) -> Float {
    match kind {
        FloatKind::Half => Float::Half,
        FloatKind::Float => Float::Single,
        FloatKind::Double => Float::Double,
    }
}

/// C's conversion between arithmetic types.
pub(super) fn convert(value: Number, from: Scalar, to: Scalar) -> Number {
    match (value, to) {
        (Number::Int(v), Scalar::Bool) => Number::Int(u64::from(v != 0)),
        (Number::Float(v), Scalar::Bool) => Number::Int(u64::from(v != 0.0)),
        (Number::Int(v), Scalar::Int(kind)) => Number::Int(wrap(kind, v)),
        (Number::Float(v), Scalar::Int(kind)) => {
            // Out of range, which C leaves undefined, 64 bits are saturated and then cut.
            let wide = Integer::new(64, kind.is_signed() || v < 0.0);
            Number::Int(wrap(kind, wide.saturating_from_float(v)))
        }
        (Number::Float(v), Scalar::Float(kind)) => Number::Float(round(kind, v)),
        (Number::Int(v), Scalar::Float(kind)) => {
            let signed = matches!(from, Scalar::Int(kind) if kind.is_signed());
            Number::Float(format(kind).from_integer(v, Integer::new(64, signed)))
        }
    }
}

/// `op a`; `None` where C leaves it undefined or the types do not fit.
pub(super) fn unary(op: UnaryOp, scalar: Scalar, value: Number) -> Option<Number> {
    Some(match (op, scalar, value) {
        (UnaryOp::Negate, Scalar::Int(kind), Number::Int(v)) => Number::Int(integer(kind).neg(v)),
        (UnaryOp::Negate, _, Number::Float(v)) => Number::Float(-v),
        (UnaryOp::BitNot, Scalar::Int(kind), Number::Int(v)) => Number::Int(integer(kind).not(v)),
        (UnaryOp::LogicalNot, _, Number::Int(v)) => Number::Int(u64::from(v == 0)),
        (UnaryOp::LogicalNot, _, Number::Float(v)) => Number::Int(u64::from(v == 0.0)),
        _ => return None,
    })
}

/// `a op b` of two operands of one type (of a shift: the left one's); comparisons give 0 or 1.
pub(super) fn binary(op: BinaryOp, scalar: Scalar, a: Number, b: Number) -> Option<Number> {
    match (scalar, a, b) {
        (Scalar::Int(kind), Number::Int(a), Number::Int(b)) => int_binary(op, integer(kind), a, b).map(Number::Int),
        (Scalar::Bool, Number::Int(a), Number::Int(b)) => {
            int_binary(op, integer(IntKind::UChar), a, b).map(Number::Int)
        }
        (Scalar::Float(kind), Number::Float(a), Number::Float(b)) => float_binary(op, format(kind), a, b),
        _ => None,
    }
}

/// The comparison that an operator is.
fn relation(op: BinaryOp) -> Option<Relation> {
    Some(match op {
        BinaryOp::Eq => Relation::Equal,
        BinaryOp::Ne => Relation::NotEqual,
        BinaryOp::Lt => Relation::Less,
        BinaryOp::Le => Relation::LessOrEqual,
        BinaryOp::Gt => Relation::Greater,
        BinaryOp::Ge => Relation::GreaterOrEqual,
        _ => return None,
    })
}

fn int_binary(op: BinaryOp, ty: Integer, a: u64, b: u64) -> Option<u64> {
    if let Some(relation) = relation(op) {
        return Some(u64::from(relation.holds(Some(ty.compare(a, b)))));
    }
    Some(match op {
        BinaryOp::Add => ty.add(a, b),
        BinaryOp::Sub => ty.sub(a, b),
        BinaryOp::Mul => ty.mul(a, b),
        BinaryOp::Div => ty.div(a, b)?,
        BinaryOp::Rem => ty.rem(a, b)?,
        BinaryOp::Shl => ty.shl(a, b),
        BinaryOp::Shr => ty.shr(a, b),
        BinaryOp::And => ty.wrap(a & b),
        BinaryOp::Or => ty.wrap(a | b),
        BinaryOp::Xor => ty.wrap(a ^ b),
        BinaryOp::LogicalAnd => u64::from(a != 0 && b != 0),
        BinaryOp::LogicalOr => u64::from(a != 0 || b != 0),
        BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => return None,
    })
}

fn float_binary(op: BinaryOp, format: Float, a: f64, b: f64) -> Option<Number> {
    if let Some(relation) = relation(op) {
        return Some(Number::Int(u64::from(relation.holds(a.partial_cmp(&b)))));
    }
    Some(Number::Float(match op {
        BinaryOp::Add => format.add(a, b),
        BinaryOp::Sub => format.sub(a, b),
        BinaryOp::Mul => format.mul(a, b),
        BinaryOp::Div => format.div(a, b),
        _ => return None,
    }))
}

/// The bits of a number of that type, above its width anything.
pub(super) fn bits(value: Number, scalar: Scalar) -> u64 {
    match (value, scalar) {
        (Number::Int(v), _) => v,
        (Number::Float(v), Scalar::Float(kind)) => format(kind).bits(v),
        (Number::Float(v), _) => v.to_bits(),
    }
}

/// The number of that type with these bits.
pub(super) fn from_bits(bits: u64, scalar: Scalar) -> Number {
    match scalar {
        Scalar::Bool => Number::Int(u64::from(Integer::unsigned(8).wrap(bits) != 0)),
        Scalar::Int(kind) => Number::Int(wrap(kind, bits)),
        Scalar::Float(kind) => Number::Float(format(kind).value(bits)),
    }
}

/// The bytes of a number of that type.
pub(super) fn bytes(value: Number, scalar: Scalar) -> ([u8; 8], usize) {
    (bits(value, scalar).to_le_bytes(), to_usize(scalar.size()))
}

/// Reads a number of that type from its bytes.
pub(super) fn from_bytes(bytes: &[u8], scalar: Scalar) -> Option<Number> {
    let mut raw = [0; 8];
    let size = to_usize(scalar.size());
    raw.get_mut(..size)?.copy_from_slice(bytes.get(..size)?);
    Some(from_bits(u64::from_le_bytes(raw), scalar))
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
        let ulong = Scalar::Int(IntKind::ULong);
        assert_eq!(convert(Number::Int(u64::MAX), ulong, float), Number::Float(18_446_744_073_709_551_616.0));
    }

    /// Near the middle between two halves a double goes to the nearer one, not first to the middle and then to even.
    #[test]
    fn doubles_round_once_to_half() {
        let [double, half] = [FloatKind::Double, FloatKind::Half].map(Scalar::Float);
        let ulp = f64::powi(2.0, -10);
        let middle = 1.0 + ulp / 2.0;
        let nearest = |value: f64| convert(Number::Float(value), double, half);
        assert_eq!(nearest(middle), Number::Float(1.0));
        assert_eq!(nearest(middle + f64::EPSILON), Number::Float(1.0 + ulp));
        assert_eq!(nearest(middle + ulp - f64::EPSILON), Number::Float(1.0 + ulp));
        assert_eq!(bits(Number::Float(middle + f64::EPSILON), half), 0x3C01);
    }
}
