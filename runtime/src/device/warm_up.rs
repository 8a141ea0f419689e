//! The first use of a driver's paths, on another thread than the client's.

use super::Device;
use crate::background;
use crate::error::Result;
use crate::internal_kernel::InternalKernel;
use crate::submission::CommandStream;
use clforge_compiler::{Options, Source};
use std::sync::Arc;
use std::sync::atomic::Ordering;

const SOURCE: &str = "kernel __attribute__((reqd_work_group_size(32, 1, 1))) void nothing(void) {}";
/// Work-items of a work-group, as in the source.
const GROUP: u32 = 32;
/// Streams of a device that are warmed up. Few programs use more queues.
const MOST_STREAMS: usize = 4;

impl Device {
    /// Lets another thread execute a kernel that does nothing in the first batches of a stream, unless the stream has commands by
    /// then. What is wrong the client's first command says.
    ///
    /// NVIDIA's driver (580.159.04, H200) takes 25 to 50 us for the first dispatch that it records into a command buffer and for
    /// its first submission, and 1 to 3 us later; and it takes 7 ms longer for the first pipeline of a process.
    pub(crate) fn warm_up(&self, stream: &Arc<CommandStream>) {
        if self.shared.warmed_up.fetch_add(1, Ordering::Relaxed) >= MOST_STREAMS {
            return;
        }
        let (device, stream) = (self.clone(), Arc::downgrade(stream));
        background::spawn(move || {
            if let Some(kernel) = device.kernel_of_nothing()
                && let Some(stream) = stream.upgrade()
            {
                let _ = stream.warm_up(|batch| kernel.record(batch));
            }
        });
    }

    fn kernel_of_nothing(&self) -> Option<&InternalKernel> {
        let shared = &self.shared;
        let made = shared.nothing.get_or_init(|| self.compile_nothing().ok());
        made.as_ref()
    }

    fn compile_nothing(&self) -> Result<InternalKernel> {
        let source = Source { name: "nothing.cl", text: SOURCE.as_bytes() };
        let (raw, info) = (&self.shared.raw, &self.shared.info);
        InternalKernel::new(raw, info, source, &Options::default(), GROUP, |code| self.pipeline_cache(code))
    }
}

#[cfg(test)]
mod tests {
    use crate::faults::SERIAL;
    use crate::submission::{Batch, CommandStream};
    use crate::{Buffer, Device, DeviceSelector, Queue};
    use std::cell::Cell;
    use std::sync::{Arc, PoisonError};

    /// How many batches of a stream the kernel is recorded into.
    fn warmed_up(device: &Device, stream: &Arc<CommandStream>) -> usize {
        let (kernel, count) = (device.kernel_of_nothing().unwrap(), Cell::new(0));
        let record = |batch: &mut Batch| {
            count.set(count.get() + 1);
            kernel.record(batch)
        };
        stream.warm_up(record).unwrap();
        count.get()
    }

    /// On any device, whether or not it is one that does so by itself.
    #[test]
    fn a_stream_is_warmed_up_before_its_first_command_alone() {
        // Tests that count objects and let calls fail run in the same process.
        let _turn = SERIAL.lock().unwrap_or_else(PoisonError::into_inner);
        let device = Device::open(&DeviceSelector::Best).unwrap();
        for profiling in [false, true] {
            let stream = device.create_stream(profiling).unwrap();
            stream.prepare_first().unwrap();
            assert!(warmed_up(&device, &stream) > 1);
            assert_eq!(warmed_up(&device, &stream), 0, "it has commands");
            let queue = Queue { device: device.clone(), stream };
            let buffer = Buffer::zeroed(&device, 64).unwrap();
            let events: Vec<_> = (1..=20).map(|i| queue.fill(&buffer, 0, 64, &[i]).unwrap()).collect();
            queue.finish().unwrap();
            assert_eq!(buffer.to_vec().unwrap(), [20; 64]);
            assert!(events.iter().all(|event| event.has_ended()));
        }
    }
}
