//! stub
use super::lower::{Lower, Lowered, unsupported};
pub fn clamp(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn degrees(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn fract(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn frexp(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn lgamma_r(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn mad(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn max(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn min(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn mix(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn modf(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn nan(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn radians(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn remquo(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn sign(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn sincos(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn smoothstep(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn step(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
