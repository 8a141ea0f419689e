//! Commands that can be enqueued (sections 5.2.2 to 5.2.6, 5.3.3 to 5.3.6, 5.5, 5.10, 5.12). Each function checks
//! everything that can be checked now, and enqueues an action for the thread that starts the command.

mod buffer;
mod external;
mod gl;
mod image;
mod launch;
mod map;
mod native;
mod on_device;
mod rect;
mod shared;

pub use buffer::{check_migration, migrate, read_buffer, write_buffer};
pub use external::hand_over;
pub use gl::hand_over as hand_over_to_gl;
pub use image::{
    copy_buffer_to_image, copy_image, copy_image_to_buffer, fill_image, has_slices, host_size, read_image, shape,
    write_image,
};
pub use launch::{CheckedLaunch, Range, launch};
pub use map::{map_buffer, map_image, unmap};
pub use native::native;
pub use on_device::Transfer;
pub use rect::{Rect, copy_rect, read_rect, write_rect};
pub use shared::{copy_shared, fill_shared, free_shared, hint, map_shared, migrate_shared, unmap_shared};

use crate::error::{Result, ensure};
use crate::handle::Ref;
use crate::memory::Memory;
use crate::queue::Queue;
use clforge_runtime as runtime;
use opencl_sys::*;

/// Checks that a memory object may be used by a queue.
fn check_context(queue: &Queue, memory: &Ref<Memory>) -> Result<()> {
    let same = queue.context().handle() == memory.context().handle();
    ensure(same, CL_INVALID_CONTEXT, "the queue and a memory object belong to different contexts")
}

/// Checks that a memory object is a buffer that may be used by a queue.
fn check_buffer(queue: &Queue, memory: &Ref<Memory>) -> Result<()> {
    check_context(queue, memory)?;
    ensure(memory.is_buffer(), CL_INVALID_MEM_OBJECT, "an image is not a buffer")
}

/// Waits in the thread of the queue for the commands before, and for the events of other queues that this one waits for: for
/// what the host does by itself.
fn settle(queue: &runtime::Queue) -> Result<()> {
    Ok(queue.marker()?.wait()?)
}
