//! stub
use super::lower::{Lower, Lowered, unsupported};
pub fn vload_half(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn vloada_half(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn vstore_half(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn vstore_half_rte(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn vstore_half_rtn(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn vstore_half_rtp(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn vstore_half_rtz(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn vstorea_half(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn vstorea_half_rte(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn vstorea_half_rtn(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn vstorea_half_rtp(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn vstorea_half_rtz(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
