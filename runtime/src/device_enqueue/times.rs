//! The kernel that stores the times of events where programs want them (`capture_event_profiling_info`).

use crate::device::Device;
use crate::error::Result;
use crate::internal_kernel::{InternalKernel, Value};
use crate::queue::Queue;
use clforge_compiler::{Options, Source};

const SOURCE: &str = "
kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void times(global ulong *to, ulong command, ulong complete) { to[0] = command; to[1] = complete; }
";

/// That kernel.
pub(super) struct TimeWriter(InternalKernel);

impl TimeWriter {
    /// Compiles the kernel.
    ///
    /// # Errors
    /// As for [`InternalKernel::new`].
    pub fn new(device: &Device) -> Result<TimeWriter> {
        let source = Source { name: "times.cl", text: SOURCE.as_bytes() };
        let cache = |code: &[u32]| device.pipeline_cache(code);
        let kernel = InternalKernel::new(&device.shared.raw, device.info(), source, &Options::default(), 1, cache)?;
        Ok(TimeWriter(kernel))
    }

    /// Records a launch that stores times at an address.
    ///
    /// # Errors
    /// As for [`InternalKernel::launch`].
    pub fn write(&self, queue: &Queue, to: u64, times: [u64; 2]) -> Result<()> {
        self.0.launch(&queue.stream, &[to, times[0], times[1]].map(Value::Number), 1).map(drop)
    }
}
