//! What a driver tells of its code of a pipeline (VK_KHR_pipeline_executable_properties), for measurements; and devices
//! that only compile.
//!
//! Drivers compile less in parallel, or keep more in memory, when they are to tell it, so it is off until
//! [`capture_statistics`], which counts for devices that the process opens afterwards.

use super::features::Available;
use super::raw_device::RawDevice;
use crate::error::Result;
use ash::vk;
use std::ffi::CStr;
use std::sync::atomic::{AtomicBool, Ordering};

static WANTED: AtomicBool = AtomicBool::new(false);
/// See [`only_compile`].
static COMPILES: AtomicBool = AtomicBool::new(false);
/// A device was opened that captures them.
static CAPTURED: AtomicBool = AtomicBool::new(false);

/// Devices that are opened from now on capture statistics of their pipelines, where they can.
pub fn capture_statistics() {
    WANTED.store(true, Ordering::Relaxed);
}

/// Devices that are opened from now on only compile. Mesa's driver for AMD's GPUs does that without hardware. It has no
/// memory, no timeline semaphores and no submissions then, and crashes where it waits, so that such a device must not be
/// dropped. Its buffers have an address and no memory.
pub fn only_compile() {
    COMPILES.store(true, Ordering::Relaxed);
}

/// Whether devices only compile.
pub(crate) fn only_compiles() -> bool {
    COMPILES.load(Ordering::Relaxed)
}

/// The extension to enable, with its feature, on a device that is being opened.
pub(crate) fn extension(available: Available<'_>) -> Option<&'static CStr> {
    let name = ash::khr::pipeline_executable_properties::NAME;
    let captures = WANTED.load(Ordering::Relaxed) && available.extension(name);
    CAPTURED.store(captures, Ordering::Relaxed);
    captures.then_some(name)
}

/// How pipelines are created.
pub(crate) fn flags() -> vk::PipelineCreateFlags {
    match CAPTURED.load(Ordering::Relaxed) {
        true => vk::PipelineCreateFlags::CAPTURE_STATISTICS_KHR,
        false => vk::PipelineCreateFlags::empty(),
    }
}

/// The statistics of a pipeline by the driver's names for them; none where they are not captured.
///
/// # Errors
/// [`crate::Error::OutOfMemory`], [`crate::Error::Vulkan`].
pub(crate) fn read(device: &RawDevice, pipeline: vk::Pipeline) -> Result<Vec<(String, f64)>> {
    if flags().is_empty() {
        return Ok(Vec::new());
    }
    let functions = ash::khr::pipeline_executable_properties::Device::new(&device.instance.raw, device);
    let info = vk::PipelineInfoKHR::default().pipeline(pipeline);
    // SAFETY: the extension is enabled, and the pipeline is alive and of this device.
    let executables = unsafe { functions.get_pipeline_executable_properties(&info) };
    let executables = executables.map_err(device.error("vkGetPipelineExecutablePropertiesKHR"))?;
    let mut found = Vec::new();
    for index in 0..crate::narrow::to_u32(executables.len()) {
        let info = vk::PipelineExecutableInfoKHR::default().pipeline(pipeline).executable_index(index);
        // SAFETY: as above; the pipeline was created to capture statistics.
        let statistics = unsafe { functions.get_pipeline_executable_statistics(&info) };
        let statistics = statistics.map_err(device.error("vkGetPipelineExecutableStatisticsKHR"))?;
        for statistic in statistics {
            let name = statistic.name_as_c_str().map(|name| name.to_string_lossy().into_owned());
            found.push((name.unwrap_or_default(), number(&statistic)));
        }
    }
    Ok(found)
}

fn number(statistic: &vk::PipelineExecutableStatisticKHR<'_>) -> f64 {
    use vk::PipelineExecutableStatisticFormatKHR as Format;
    // SAFETY: the driver has written the member that the format names.
    unsafe {
        match statistic.format {
            Format::BOOL32 => f64::from(statistic.value.b32),
            Format::INT64 => statistic.value.i64 as f64,
            Format::UINT64 => statistic.value.u64 as f64,
            _ => statistic.value.f64,
        }
    }
}
