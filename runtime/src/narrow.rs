//! Narrowing conversions of numbers. Those of counts and sizes saturate, so that a number which is too large becomes one
//! that every limit rejects, and not a small one by accident. Lossy casts are not written elsewhere without a reason.

/// A count, an index or a size as Vulkan has them, which the caller has compared with a limit or keeps small.
#[inline]
pub(crate) fn to_u32(number: impl TryInto<u32>) -> u32 {
    number.try_into().unwrap_or(u32::MAX)
}

/// A size of memory that the host has mapped, or is asked for.
#[inline]
pub(crate) fn to_usize(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

/// A small number, such as an exponent or a coordinate.
#[inline]
pub(crate) fn to_i32(number: impl TryInto<i32>) -> i32 {
    number.try_into().unwrap_or(i32::MAX)
}

/// The low 32 bits.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "what it is for")]
pub(crate) const fn low_u32(bits: u64) -> u32 {
    bits as u32
}

/// The nearest `float`, ties to even.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "what it is for")]
pub(crate) const fn nearest_f32(value: f64) -> f32 {
    value as f32
}
