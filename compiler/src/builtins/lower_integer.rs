//! stub
use super::lower::{Lower, Lowered, unsupported};
pub fn abs(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn abs_diff(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn add_sat(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn clz(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn ctz(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn hadd(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn mad24(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn mad_hi(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn mad_sat(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn mul24(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn mul_hi(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn popcount(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn rhadd(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn rotate(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn sub_sat(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn upsample(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
