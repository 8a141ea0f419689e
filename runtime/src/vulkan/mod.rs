//! Vulkan itself: the loader and its devices, and handles that destroy themselves when the device no longer uses them.

mod clock;
mod features;
mod garbage;
mod hardware;
mod info;
mod instance;
mod instruction_fence;
#[cfg(test)]
pub(crate) mod intercept;
mod mapping;
mod matrices;
mod needs;
#[cfg(target_os = "linux")]
mod nvidia;
mod owned;
mod quirks;
mod raw_device;
mod select;
#[cfg(unix)]
mod semaphore_handle;
mod shared_queue;
#[cfg(unix)]
mod shared_semaphore;
#[cfg(feature = "measure")]
pub(crate) mod statistics;
mod timeline;
mod validation;

pub(crate) use clock::Clock;
pub(crate) use features::{Available, Enabled};
pub use hardware::{Hardware, ImageLimits, PciAddress};
pub use info::{DeviceInfo, DeviceKind, Limits};
pub use instance::{Instance, InstanceOptions};
pub use needs::DeviceNeeds;
pub(crate) use owned::{
    CommandPool, DescriptorPool, DescriptorSetLayout, Pipeline, PipelineCache, PipelineHandle, PipelineLayout,
    QueryPool, RawSampler, ShaderModule,
};
pub use quirks::Quirk;
pub(crate) use raw_device::{Borrowed, InstructionFence, RawDevice};
pub use select::DeviceSelector;
#[cfg(unix)]
pub use semaphore_handle::SemaphoreHandle;
pub(crate) use shared_queue::SharedQueue;
#[cfg(unix)]
pub use shared_semaphore::SharedSemaphore;
#[cfg(feature = "measure")]
pub(crate) use statistics::only_compiles;
pub(crate) use timeline::Timeline;

/// Whether devices only compile, which measurements can choose: see `statistics.rs`.
#[cfg(not(feature = "measure"))]
pub(crate) const fn only_compiles() -> bool {
    false
}
