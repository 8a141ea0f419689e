//! stub
use super::lower::{Lower, Lowered, unsupported};
pub fn shuffle(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn shuffle2(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn vload(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn vstore(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
