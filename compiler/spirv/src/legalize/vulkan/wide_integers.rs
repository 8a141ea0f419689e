//! Integers of 64 bits as pairs of 32-bit words.

use clforge_ir::*;

const TWO_TO_32: f64 = 4_294_967_296.0;

/// The integer that a float is, or each lane of a vector, rounded toward zero; nothing is required of negative numbers and of
/// 2^64 and more.
pub fn of_float(b: &mut Builder<'_>, x: Value) -> Value {
    let (low, high) = words_of_float(b, x);
    of_words(b, low, high)
}

/// The lower and the upper word of [`of_float`], of a float or a double. What is left below the upper word is exact.
pub fn words_of_float(b: &mut Builder<'_>, x: Value) -> (Value, Value) {
    let float = b.ty(x);
    let word = float.with_scalar(ScalarType::I32);
    let (down, up) = (b.float(float, 1.0 / TWO_TO_32), b.float(float, -TWO_TO_32));
    let high = b.binary(BinaryOp::FMul, x, down);
    let high = b.convert(ConvertOp::FToU, high, word);
    let whole = b.convert(ConvertOp::UToF, high, float);
    let whole = b.binary(BinaryOp::FMul, whole, up);
    let rest = b.binary(BinaryOp::FAdd, x, whole);
    (b.convert(ConvertOp::FToU, rest, word), high)
}

/// The integer that has these words.
pub fn of_words(b: &mut Builder<'_>, low: Value, high: Value) -> Value {
    let [low, high] = [low, high].map(|word| b.resize(word, ScalarType::I64, false));
    let high = b.binary_int(BinaryOp::Shl, high, 32);
    b.binary(BinaryOp::Or, high, low)
}

/// A float that an integer rounds to, by way of its words, each of which is rounded, and their sum.
pub fn to_float(b: &mut Builder<'_>, x: Value) -> Value {
    let [low, high] = [low(b, x), high(b, x)].map(|word| {
        let float = b.ty(word).with_scalar(ScalarType::F32);
        b.convert(ConvertOp::UToF, word, float)
    });
    let scale = b.float(b.ty(high), TWO_TO_32);
    let high = b.binary(BinaryOp::FMul, high, scale);
    b.binary(BinaryOp::FAdd, high, low)
}

/// The lower word.
pub fn low(b: &mut Builder<'_>, x: Value) -> Value {
    b.resize(x, ScalarType::I32, false)
}

/// The upper word.
pub fn high(b: &mut Builder<'_>, x: Value) -> Value {
    let shifted = b.binary_int(BinaryOp::LShr, x, 32);
    low(b, shifted)
}

/// `x`, or `-x` where the sign is -1 in place of 0.
pub fn with_sign(b: &mut Builder<'_>, x: Value, sign: Value) -> Value {
    let flipped = b.binary(BinaryOp::Xor, x, sign);
    b.binary(BinaryOp::Sub, flipped, sign)
}
