//! Numbers in the widths that OpenCL's functions and the host have. What does not fit becomes the greatest number, which
//! no list and no object reaches; nothing is cut.

/// A count of objects, as OpenCL's functions write it.
pub fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// A size or an address, as the host has them.
pub fn size(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}
