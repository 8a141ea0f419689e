//! Kernels whose loops the driver may have ended: if they report it (`vulkan/loop_ends` of the compiler), their launch
//! fails.

use super::loaded::LoadedModule;
use crate::buffer::Buffer;
use crate::device::Device;
use crate::error::Result;
use crate::memory::RawBuffer;
use crate::submission::Watch;
use crate::vulkan::Quirk;
use clforge_compiler::interface::{KernelInterface, ModuleInterface};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// Bytes of the buffer with the status, of which the first word is used.
const STATUS_BYTES: u64 = 16;

/// The status of a module.
pub(crate) struct LoopStatus {
    /// Byte offset of its address in the push constants.
    pub offset: u32,
    pub buffer: Buffer,
}

/// The watch of a kernel.
struct KernelWatch {
    kernel: Arc<str>,
    status: Arc<RawBuffer>,
}

impl LoopStatus {
    /// `None` for a module that does not say whether its loops were ended.
    ///
    /// # Errors
    /// Those of [`Buffer::zeroed`].
    pub fn new(device: &Device, interface: &ModuleInterface) -> Result<Option<LoopStatus>> {
        let Some(offset) = interface.loop_status else { return Ok(None) };
        Ok(Some(LoopStatus { offset, buffer: Buffer::zeroed(device, STATUS_BYTES)? }))
    }
}

/// The watch of a kernel of a module, if it may have long loops, and the host sees the status.
///
/// # Errors
/// Those of [`LoadedModule::has_loops`].
pub(super) fn watch(module: &LoadedModule, kernel: &KernelInterface) -> Result<Option<Arc<dyn Watch>>> {
    let Some(status) = &module.loop_status else { return Ok(None) };
    let is_short =
        kernel.most_iterations.is_some_and(|most| most <= Quirk::LOOP_LIMIT) || kernel.iteration_bound.is_some();
    if is_short || status.buffer.raw.mapped().is_none() || !module.has_loops(&kernel.name)? {
        return Ok(None);
    }
    Ok(Some(Arc::new(KernelWatch { kernel: kernel.name.as_str().into(), status: status.buffer.raw.clone() })))
}

impl Watch for KernelWatch {
    fn ended_loop(&self) -> Option<Arc<str>> {
        let status = self.status.mapped()?;
        // SAFETY: the buffer is mapped as long as it is there, aligned, larger than a word, and begins its memory. Kernels that run
        // may store 1 there, as a whole.
        let status = unsafe { AtomicU32::from_ptr(status.cast()) };
        (status.swap(0, Ordering::Relaxed) != 0).then(|| self.kernel.clone())
    }
}
