//! stub
use super::lower::{Lower, Lowered, unsupported};
pub fn add(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn and(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn cmpxchg(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn compare_exchange(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn dec(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn exchange(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn fetch_add(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn fetch_and(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn fetch_max(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn fetch_min(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn fetch_or(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn fetch_sub(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn fetch_xor(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn inc(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn init(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn load(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn max(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn min(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn or(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn store(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn sub(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn xchg(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn xor(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
