//! Arithmetic on pairs of words, lane by lane.

use clforge_ir::rewrite::Parts;
use clforge_ir::*;
use smallvec::smallvec;

/// The words of an integer of 64 bits, or of each lane of a vector.
#[derive(Clone, Copy)]
pub(super) struct Pair {
    pub low: Value,
    pub high: Value,
}

impl Pair {
    pub fn parts(self) -> Parts {
        smallvec![self.low, self.high]
    }

    /// The words of a scalar, which are the lanes of a vector.
    pub fn of_vector(b: &mut Builder<'_>, vector: Value) -> Pair {
        Pair { low: b.extract(vector, 0), high: b.extract(vector, 1) }
    }

    /// The vector whose lanes are the words of a scalar.
    pub fn to_vector(self, b: &mut Builder<'_>) -> Value {
        b.construct(&[self.low, self.high])
    }

    /// One lane.
    pub fn lane(self, b: &mut Builder<'_>, lane: u8) -> Pair {
        Pair { low: b.extract(self.low, lane), high: b.extract(self.high, lane) }
    }

    /// A vector of these scalars.
    pub fn of_lanes(b: &mut Builder<'_>, lanes: &[Pair]) -> Pair {
        let words = |word: fn(&Pair) -> Value| lanes.iter().map(word).collect::<Vec<_>>();
        Pair { low: b.construct(&words(|pair| pair.low)), high: b.construct(&words(|pair| pair.high)) }
    }

    /// The number in both words, sign-extended to 64 bits.
    pub fn constant(b: &mut Builder<'_>, ty: Type, number: i64) -> Pair {
        let mask = constant::mask(ScalarType::I32).cast_signed();
        Pair { low: b.int(ty, number & mask), high: b.int(ty, number >> 32 & mask) }
    }

    /// A word, extended.
    pub fn extended(b: &mut Builder<'_>, low: Value, signed: bool) -> Pair {
        let high = if signed { b.binary_int(BinaryOp::AShr, low, 31) } else { b.int(b.ty(low), 0) };
        Pair { low, high }
    }
}

fn is_zero(b: &Builder<'_>, value: Value) -> bool {
    b.function.as_int(value) == Some(0)
}

pub(super) fn unary(b: &mut Builder<'_>, op: UnaryOp, a: Pair) -> Result<Pair, Error> {
    match op {
        UnaryOp::Neg => {
            let zero = Pair::constant(b, b.ty(a.low), 0);
            Ok(subtract(b, zero, a))
        }
        UnaryOp::Not => Ok(Pair { low: b.unary(op, a.low), high: b.unary(op, a.high) }),
        UnaryOp::FNeg => Err(Error::internal("an integer as a float")),
    }
}

pub(super) fn binary(b: &mut Builder<'_>, op: BinaryOp, x: Pair, y: Pair) -> Result<Pair, Error> {
    match op {
        BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => {
            Ok(Pair { low: b.binary(op, x.low, y.low), high: b.binary(op, x.high, y.high) })
        }
        BinaryOp::Add => Ok(add(b, x, y)),
        BinaryOp::Sub => Ok(subtract(b, x, y)),
        BinaryOp::Mul => Ok(multiply(b, x, y)),
        BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr => Ok(shift(b, op, x, y.low)),
        BinaryOp::SDiv | BinaryOp::UDiv | BinaryOp::SRem | BinaryOp::URem => {
            Err(Error::internal("a division of 64 bits was not expanded"))
        }
        BinaryOp::FAdd | BinaryOp::FSub | BinaryOp::FMul | BinaryOp::FDiv => {
            Err(Error::internal("an integer as a float"))
        }
    }
}

/// A truth as 0 or 1.
fn bit(b: &mut Builder<'_>, truth: Value) -> Value {
    let ty = b.ty(truth).with_scalar(ScalarType::I32);
    b.convert(ConvertOp::ZExt, truth, ty)
}

pub(super) fn add(b: &mut Builder<'_>, x: Pair, y: Pair) -> Pair {
    let low = b.binary(BinaryOp::Add, x.low, y.low);
    let high = b.binary(BinaryOp::Add, x.high, y.high);
    if is_zero(b, x.low) || is_zero(b, y.low) {
        return Pair { low, high };
    }
    let carries = b.compare(CompareOp::ULt, low, y.low);
    let carry = bit(b, carries);
    Pair { low, high: b.binary(BinaryOp::Add, high, carry) }
}

pub(super) fn subtract(b: &mut Builder<'_>, x: Pair, y: Pair) -> Pair {
    let low = b.binary(BinaryOp::Sub, x.low, y.low);
    let high = b.binary(BinaryOp::Sub, x.high, y.high);
    if is_zero(b, y.low) {
        return Pair { low, high };
    }
    let borrows = b.compare(CompareOp::ULt, x.low, y.low);
    let borrow = bit(b, borrows);
    Pair { low, high: b.binary(BinaryOp::Sub, high, borrow) }
}

/// The product of words, of 64 bits.
pub(super) fn product(b: &mut Builder<'_>, x: Value, y: Value) -> Pair {
    let low = b.binary(BinaryOp::Mul, x, y);
    let power = |b: &Builder<'_>, value: Value| {
        let number = b.function.as_int(value).filter(|number| number.is_power_of_two());
        number.map(u64::trailing_zeros)
    };
    // The upper word of a product with a power of two is made of the bits that a shift loses.
    let powers = [power(b, x).map(|by| (y, by)), power(b, y).map(|by| (x, by))];
    let high = match powers.into_iter().flatten().next() {
        Some((_, 0)) => b.int(b.ty(x), 0),
        Some((factor, by)) => b.binary_int(BinaryOp::LShr, factor, 32 - i64::from(by)),
        None if is_zero(b, x) || is_zero(b, y) => b.int(b.ty(x), 0),
        None => b.intrinsic(Intrinsic::UMulHi, &[x, y], b.ty(x)),
    };
    Pair { low, high }
}

fn multiply(b: &mut Builder<'_>, x: Pair, y: Pair) -> Pair {
    let Pair { low, mut high } = product(b, x.low, y.low);
    for (one, other) in [(x.low, y.high), (x.high, y.low)] {
        if !is_zero(b, one) && !is_zero(b, other) {
            let cross = b.binary(BinaryOp::Mul, one, other);
            high = b.binary(BinaryOp::Add, high, cross);
        }
    }
    Pair { low, high }
}

/// The upper half of the product of unsigned integers of 64 bits, by Knuth's algorithm M on words.
fn upper_half(b: &mut Builder<'_>, x: Pair, y: Pair) -> Pair {
    let lowest = product(b, x.low, y.low);
    let zero = b.int(b.ty(x.low), 0);
    let of_word = |low| Pair { low, high: zero };
    let middle = product(b, x.high, y.low);
    let middle = add(b, middle, of_word(lowest.high));
    let other = product(b, x.low, y.high);
    let other = add(b, other, of_word(middle.low));
    let upper = product(b, x.high, y.high);
    let upper = add(b, upper, of_word(middle.high));
    add(b, upper, of_word(other.high))
}

/// The upper half of a product.
pub(super) fn mul_hi(b: &mut Builder<'_>, x: Pair, y: Pair, signed: bool) -> Pair {
    let mut upper = upper_half(b, x, y);
    if signed {
        // As unsigned numbers, negative ones are larger by 2^64.
        for (one, other) in [(x, y), (y, x)] {
            let sign = b.binary_int(BinaryOp::AShr, one.high, 31);
            let low = b.binary(BinaryOp::And, other.low, sign);
            let high = b.binary(BinaryOp::And, other.high, sign);
            upper = subtract(b, upper, Pair { low, high });
        }
    }
    upper
}

/// A shift by less than 64.
fn shift(b: &mut Builder<'_>, op: BinaryOp, x: Pair, by: Value) -> Pair {
    let ty = b.ty(by);
    match b.function.as_int(by) {
        Some(0) => return x,
        Some(by) if by < 64 => return shift_by(b, op, x, by.cast_signed()),
        _ => {}
    }
    let within = b.binary_int(BinaryOp::And, by, 31);
    let rest = b.binary_int(BinaryOp::Xor, within, 31);
    let is_far = b.binary_int(BinaryOp::And, by, 32);
    let is_far = b.compare_int(CompareOp::Ne, is_far, 0);
    let zero = b.int(ty, 0);
    // What one word loses, the other one gets. Two shifts, since one by 32 is undefined.
    if op == BinaryOp::Shl {
        let lost = b.binary_int(BinaryOp::LShr, x.low, 1);
        let lost = b.binary(BinaryOp::LShr, lost, rest);
        let (low, high) = (b.binary(op, x.low, within), b.binary(op, x.high, within));
        let high = b.binary(BinaryOp::Or, high, lost);
        return Pair { low: b.select(is_far, zero, low), high: b.select(is_far, low, high) };
    }
    let lost = b.binary_int(BinaryOp::Shl, x.high, 1);
    let lost = b.binary(BinaryOp::Shl, lost, rest);
    let (low, high) = (b.binary(BinaryOp::LShr, x.low, within), b.binary(op, x.high, within));
    let low = b.binary(BinaryOp::Or, low, lost);
    let fill = if op == BinaryOp::AShr { b.binary_int(op, x.high, 31) } else { zero };
    Pair { low: b.select(is_far, high, low), high: b.select(is_far, fill, high) }
}

/// A shift by a constant from 1 to 63.
fn shift_by(b: &mut Builder<'_>, op: BinaryOp, x: Pair, by: i64) -> Pair {
    let zero = b.int(b.ty(x.low), 0);
    let moved = |b: &mut Builder<'_>, op, value, by| if by == 0 { value } else { b.binary_int(op, value, by) };
    if by >= 32 {
        return match op {
            BinaryOp::Shl => Pair { low: zero, high: moved(b, op, x.low, by - 32) },
            BinaryOp::AShr => {
                Pair { low: moved(b, op, x.high, by - 32), high: b.binary_int(BinaryOp::AShr, x.high, 31) }
            }
            _ => Pair { low: moved(b, op, x.high, by - 32), high: zero },
        };
    }
    if op == BinaryOp::Shl {
        let lost = b.binary_int(BinaryOp::LShr, x.low, 32 - by);
        let high = b.binary_int(op, x.high, by);
        return Pair { low: b.binary_int(op, x.low, by), high: b.binary(BinaryOp::Or, high, lost) };
    }
    let lost = b.binary_int(BinaryOp::Shl, x.high, 32 - by);
    let low = b.binary_int(BinaryOp::LShr, x.low, by);
    Pair { low: b.binary(BinaryOp::Or, low, lost), high: b.binary_int(op, x.high, by) }
}

pub(super) fn compare(b: &mut Builder<'_>, op: CompareOp, x: Pair, y: Pair) -> Result<Value, Error> {
    use CompareOp::*;
    // By the upper words, and where these are equal by the lower ones, which have no sign.
    let (upper, lower) = match op {
        Eq | Ne => {
            let (low, high) = (b.compare(op, x.low, y.low), b.compare(op, x.high, y.high));
            return Ok(b.binary(if op == Eq { BinaryOp::And } else { BinaryOp::Or }, low, high));
        }
        SLt => (SLt, ULt),
        SLe => (SLt, ULe),
        SGt => (SGt, UGt),
        SGe => (SGt, UGe),
        ULt => (ULt, ULt),
        ULe => (ULt, ULe),
        UGt => (UGt, UGt),
        UGe => (UGt, UGe),
        FEq | FNe | FLt | FLe | FGt | FGe | FOrd | FUno => return Err(Error::internal("an integer as a float")),
    };
    let decided = b.compare(upper, x.high, y.high);
    let equal = b.compare(Eq, x.high, y.high);
    let lower = b.compare(lower, x.low, y.low);
    let lower = b.binary(BinaryOp::And, equal, lower);
    Ok(b.binary(BinaryOp::Or, decided, lower))
}

/// `x`, or `-x` where the sign is -1 in place of 0.
pub(super) fn with_sign(b: &mut Builder<'_>, x: Pair, sign: Value) -> Pair {
    let (low, high) = (b.binary(BinaryOp::Xor, x.low, sign), b.binary(BinaryOp::Xor, x.high, sign));
    subtract(b, Pair { low, high }, Pair { low: sign, high: sign })
}
