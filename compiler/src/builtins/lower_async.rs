//! stub
use super::lower::{Lower, Lowered, unsupported};
pub fn copy(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn prefetch(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn strided_copy(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn wait(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
