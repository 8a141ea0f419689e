//! stub
use super::lower::{Lower, Lowered, unsupported};
pub fn enqueued_local_size(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn enqueued_num_sub_groups(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn global_id(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn global_linear_id(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn global_offset(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn global_size(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn group_id(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn local_id(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn local_linear_id(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn local_size(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn max_sub_group_size(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn num_groups(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn num_sub_groups(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn sub_group_id(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn sub_group_local_id(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn sub_group_size(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn work_dim(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
