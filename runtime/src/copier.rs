//! Copies by a kernel, for devices whose copy command does not reach the speed of their memory.

use crate::cache::PersistentPipelineCache;
use crate::error::Result;
use crate::internal_kernel::{InternalKernel, Value};
use crate::narrow::to_u32;
use crate::submission::{CommandStream, Event};
use crate::vulkan::{DeviceInfo, DeviceKind, Quirk, RawDevice};
use clforge_compiler::{Options, Source};
use std::sync::Arc;

/// Each item copies 16 bytes; the item after the last whole ones copies the rest.
const SOURCE: &str = "
kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void copy(global const uint4 *from, global uint4 *to, uint whole, uint rest)
{
    size_t i = get_global_id(0);
    if (i < whole)
        to[i] = from[i];
    else if (i == whole)
        for (uint k = 0; k < rest; k++)
            ((global uchar *)(to + i))[k] = ((global const uchar *)(from + i))[k];
}
";
/// Work-items of a work-group, as in the source.
const GROUP: u64 = 256;
/// Bytes that an item copies.
const UNIT: u64 = 16;
/// Smaller copies take as long as a launch by either way.
pub(crate) const LEAST: u64 = 1 << 20;

/// The kernel that copies, on one device.
pub(crate) struct Copier {
    kernel: InternalKernel,
    most_groups: u64,
}

impl Copier {
    /// Whether the device copies faster by a kernel, which takes addresses. Where host and device share memory, the memory
    /// is the limit.
    pub fn is_wanted(info: &DeviceInfo) -> bool {
        info.has_quirk(Quirk::SlowCopies) && info.kind == DeviceKind::DiscreteGpu
    }

    /// Compiles the kernel. `pipelines` gives the driver's cache for it.
    ///
    /// # Errors
    /// As for [`InternalKernel::new`].
    pub fn new(
        device: &Arc<RawDevice>,
        info: &DeviceInfo,
        pipelines: impl FnOnce(&[u32]) -> Result<PersistentPipelineCache>,
    ) -> Result<Copier> {
        let source = Source { name: "copy.cl", text: SOURCE.as_bytes() };
        let kernel = InternalKernel::new(device, info, source, &Options::default(), to_u32(GROUP), pipelines)?;
        Ok(Copier { kernel, most_groups: info.limits.max_work_group_count[0].into() })
    }

    /// Whether a copy of `size` bytes between these addresses is one for the kernel.
    pub fn takes(&self, from: u64, to: u64, size: u64) -> bool {
        let whole = size / UNIT;
        (from | to).is_multiple_of(UNIT)
            && size >= LEAST
            && u32::try_from(whole).is_ok()
            && (whole + 1).div_ceil(GROUP) <= self.most_groups
    }

    /// Records a copy, of which [`Copier::takes`] is true. The ranges belong to buffers, and do not overlap.
    ///
    /// # Errors
    /// As for [`InternalKernel::launch`].
    pub fn record(&self, stream: &Arc<CommandStream>, from: u64, to: u64, size: u64) -> Result<Event> {
        let (whole, rest) = (size / UNIT, size % UNIT);
        let groups = to_u32((whole + u64::from(rest > 0)).div_ceil(GROUP));
        self.kernel.launch(stream, &[from, to, whole, rest].map(Value::Number), groups)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::faults::SERIAL;
    use crate::{Buffer, Device, DeviceSelector};
    use std::sync::PoisonError;

    /// On any device with addresses, whether or not it is one that copies so by itself.
    #[test]
    fn whole_units_and_rests_are_copied() {
        // Tests that count objects and let calls fail run in the same process.
        let _turn = SERIAL.lock().unwrap_or_else(PoisonError::into_inner);
        let device = Device::open(&DeviceSelector::Best).unwrap();
        let copier = Copier::new(&device.shared.raw, device.info(), |code| device.pipeline_cache(code)).unwrap();
        let bytes: Vec<u8> = (0..LEAST as usize + 64).map(|i| (i * 7 + i / 256) as u8).collect();
        let from = Buffer::from_bytes(&device, &bytes).unwrap();
        for rest in [0u64, 1, 15] {
            let size = LEAST + rest;
            let to = Buffer::zeroed(&device, size + 32).unwrap();
            let (source, target) = (from.device_address().unwrap(), to.device_address().unwrap());
            assert!(copier.takes(source + 16, target, size) && !copier.takes(source + 4, target, size));
            assert!(!copier.takes(source, target, LEAST - 1));
            let event = copier.record(&device.queue().stream, source + 16, target, size).unwrap();
            event.wait().unwrap();
            let copied = to.to_vec().unwrap();
            let (copied, after) = copied.split_at(size as usize);
            assert!(copied == &bytes[16..16 + size as usize] && after == [0; 32]);
        }
    }
}
