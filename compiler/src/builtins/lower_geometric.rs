//! stub
use super::lower::{Lower, Lowered, unsupported};
pub fn cross(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn distance(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn dot(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn fast_distance(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn fast_length(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn fast_normalize(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn length(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn normalize(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
