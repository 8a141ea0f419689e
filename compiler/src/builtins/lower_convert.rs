//! stub
use super::lower::{Lower, Lowered, unsupported};
pub fn convert(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
