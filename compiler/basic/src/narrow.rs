//! Narrowing conversions of integers. Each is either for numbers that limits keep small, or explicitly truncating.
//! Lossy casts are not written elsewhere without a reason.

/// A number as `u32`: an index, a count or a size that a limit keeps far below 2^32. Debug builds report a larger one; otherwise it
/// becomes the greatest number, which is the index of nothing, and not a small one by accident.
#[inline]
#[track_caller]
pub fn to_u32(number: impl TryInto<u32>) -> u32 {
    let number = number.try_into();
    debug_assert!(number.is_ok(), "a number of more than 32 bits");
    number.unwrap_or(u32::MAX)
}

/// The same as `u8`: lanes of a vector.
#[inline]
#[track_caller]
pub fn to_u8(number: impl TryInto<u8>) -> u8 {
    let number = number.try_into();
    debug_assert!(number.is_ok(), "a number of more than 8 bits");
    number.unwrap_or(u8::MAX)
}

/// The same as `u16`.
#[inline]
#[track_caller]
pub fn to_u16(number: impl TryInto<u16>) -> u16 {
    let number = number.try_into();
    debug_assert!(number.is_ok(), "a number of more than 16 bits");
    number.unwrap_or(u16::MAX)
}

/// The same as `usize`: bytes of an object that a target has room for, which is more than a host of 32 bits may address.
#[inline]
#[track_caller]
pub fn to_usize(number: impl TryInto<usize>) -> usize {
    let number = number.try_into();
    debug_assert!(number.is_ok(), "a number of more bits than an address");
    number.unwrap_or(usize::MAX)
}

/// The same as `i64`: an index or a size that is part of an offset.
#[inline]
#[track_caller]
pub fn to_i64(number: impl TryInto<i64>) -> i64 {
    let number = number.try_into();
    debug_assert!(number.is_ok(), "a number of more than 63 bits");
    number.unwrap_or(i64::MAX)
}

/// The same as `i32`: exponents of floating numbers.
#[inline]
#[track_caller]
pub fn to_i32(number: impl TryInto<i32>) -> i32 {
    let number = number.try_into();
    debug_assert!(number.is_ok(), "a number of more than 31 bits");
    number.unwrap_or(i32::MAX)
}

/// The low 64 bits of a number in two's complement.
#[inline]
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "what it is for")]
pub const fn low_u64(number: i128) -> u64 {
    number as u64
}

/// The low 32 bits.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "what it is for")]
pub const fn low_u32(bits: u64) -> u32 {
    bits as u32
}

/// The low 16 bits.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "what it is for")]
pub const fn low_u16(bits: u64) -> u16 {
    bits as u16
}

/// The low 8 bits.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "what it is for")]
pub const fn low_u8(bits: u64) -> u8 {
    bits as u8
}

/// The nearest `float`, ties to even; infinity beyond its range.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "what it is for")]
pub const fn nearest_f32(value: f64) -> f32 {
    value as f32
}
