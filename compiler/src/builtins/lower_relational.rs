//! stub
use super::lower::{Lower, Lowered, unsupported};
pub fn all(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn any(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn bitselect(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn isequal(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn isfinite(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn isgreater(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn isgreaterequal(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn isinf(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn isless(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn islessequal(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn islessgreater(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn isnan(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn isnormal(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn isnotequal(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn isordered(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn isunordered(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn select(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn signbit(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
