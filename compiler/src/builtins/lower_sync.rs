//! stub
use super::lower::{Lower, Lowered, unsupported};
pub fn atomic_work_item_fence(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn barrier(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn mem_fence(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn read_mem_fence(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn sub_group_barrier(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
pub fn write_mem_fence(l: &mut Lower<'_, '_>) -> Lowered {
    unsupported(l)
}
