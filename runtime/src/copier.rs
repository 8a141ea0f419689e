//! Copies by a kernel, for devices whose copy command is slower than their memory.

use crate::error::{Error, Result};
use crate::module::{self, Scan};
use crate::submission::{CommandStream, Event, Session, Use};
use crate::vulkan::{DeviceInfo, DeviceKind, Pipeline, PipelineCache, PipelineLayout, RawDevice, ShaderModule};
use ash::vk;
use clforge_compiler::interface::{ArgumentBinding, KernelInterface, ModuleInterface};
use clforge_compiler::{Options, Source};
use std::ffi::CString;
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
const LEAST: u64 = 1 << 20;
/// The PCI vendor whose `vkCmdCopyBuffer` reaches a quarter of the memory's speed (H100, driver 580: 830 GB/s of 2960).
const NVIDIA: u32 = 0x10de;

/// The kernel that copies, on one device.
pub(crate) struct Copier {
    pipeline: Pipeline,
    layout: PipelineLayout,
    /// Offsets in the push constants of the two addresses and the two numbers.
    offsets: [usize; 4],
    /// Bytes of push constants.
    size: usize,
    most_groups: u64,
    _shader: ShaderModule,
}

impl Copier {
    /// Whether the device copies faster by a kernel.
    pub fn is_wanted(info: &DeviceInfo) -> bool {
        info.vendor_id == NVIDIA && info.kind == DeviceKind::DiscreteGpu && info.has_feature("bufferDeviceAddress")
    }

    /// Compiles the kernel.
    ///
    /// # Errors
    /// [`Error::Internal`], [`Error::OutOfMemory`], [`Error::Vulkan`].
    pub fn new(device: &Arc<RawDevice>, info: &DeviceInfo) -> Result<Copier> {
        let source = Source { name: "copy.cl", text: SOURCE.as_bytes() };
        let compiled = clforge_compiler::compile(source, &Options::default());
        let compiled = compiled.map_err(|errors| Error::Internal(errors.render(false)))?;
        let interface = ModuleInterface::from_spirv(&compiled.spirv)?;
        let kernel =
            interface.kernels.first().ok_or_else(|| Error::Internal("there is no kernel that copies".into()))?;
        let (offsets, arguments) = offsets(kernel)?;
        let others = interface.push_constants.iter().map(|constant| constant.offset + constant.size);
        let size = others.fold(arguments, u32::max).next_multiple_of(4);
        let scan = Scan::new(&compiled.spirv)?;
        module::check(&scan, info)?;
        let code = module::adapt(&compiled.spirv, &scan, info)?;
        let shader = vk::ShaderModuleCreateInfo::default().code(&code);
        // SAFETY: our compiler makes valid modules, and the features that this one needs are enabled, as was checked.
        let shader = unsafe { ShaderModule::new(device, &shader) }?;
        let range = [vk::PushConstantRange { stage_flags: vk::ShaderStageFlags::COMPUTE, offset: 0, size }];
        let layout = vk::PipelineLayoutCreateInfo::default().push_constant_ranges(&range);
        // SAFETY: the size is a multiple of 4, and below the 128 bytes that every device has.
        let layout = unsafe { PipelineLayout::new(device, &layout) }?;
        let name = CString::new(kernel.name.as_str()).map_err(|error| Error::Internal(error.to_string()))?;
        let ids = interface.work_group_size_spec_ids.unwrap_or_default();
        let sizes = [GROUP as u32, 1, 1].map(u32::to_le_bytes).concat();
        let entries =
            [0, 1, 2].map(|d| vk::SpecializationMapEntry { constant_id: ids[d], offset: d as u32 * 4, size: 4 });
        // Otherwise the size is in the code.
        let entries = if interface.work_group_size_spec_ids.is_some() { &entries[..] } else { &[] };
        let specialization = vk::SpecializationInfo::default().map_entries(entries).data(&sizes);
        let stage = vk::PipelineShaderStageCreateInfo::default()
            .stage(vk::ShaderStageFlags::COMPUTE)
            .module(shader.raw)
            .name(&name)
            .specialization_info(&specialization);
        // SAFETY: no initial data.
        let cache = unsafe { PipelineCache::new(device, &vk::PipelineCacheCreateInfo::default()) }?;
        let create = vk::ComputePipelineCreateInfo::default().stage(stage).layout(layout.raw);
        // SAFETY: the entry point exists, and the layout has all that it uses.
        let pipeline = unsafe { Pipeline::new(device, &cache, create) }?;
        let most_groups = info.limits.max_work_group_count[0].into();
        Ok(Copier { pipeline, layout, offsets, size: size as usize, most_groups, _shader: shader })
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
    /// [`Error::DeviceLost`], [`Error::OutOfMemory`].
    pub fn record(&self, stream: &Arc<CommandStream>, from: u64, to: u64, size: u64) -> Result<Event> {
        let (whole, rest) = (size / UNIT, size % UNIT);
        let mut push = vec![0; self.size];
        let values = [from.to_le_bytes(), to.to_le_bytes(), whole.to_le_bytes(), rest.to_le_bytes()];
        for ((offset, value), bytes) in self.offsets.iter().zip(&values).zip([8, 8, 4, 4]) {
            if let Some((place, value)) = push.get_mut(*offset..*offset + bytes).zip(value.get(..bytes)) {
                place.copy_from_slice(value);
            }
        }
        let groups = (whole + u64::from(rest > 0)).div_ceil(GROUP) as u32;
        let mut session = Session::start(stream, Use::Kernel);
        let commands = session.batch()?.commands;
        let (device, layout) = (stream.device(), self.layout.raw);
        // SAFETY: the pipeline has this layout, whose range the push constants fill; the number of groups is within limits.
        unsafe {
            device.cmd_bind_pipeline(commands, vk::PipelineBindPoint::COMPUTE, self.pipeline.raw);
            device.cmd_push_constants(commands, layout, vk::ShaderStageFlags::COMPUTE, 0, &push);
            device.cmd_dispatch(commands, groups, 1, 1);
        }
        session.finish()
    }
}

/// Where the arguments are in the push constants, and where they end.
fn offsets(kernel: &KernelInterface) -> Result<([usize; 4], u32)> {
    let (mut offsets, mut end) = ([0; 4], 0);
    for (ordinal, place) in offsets.iter_mut().enumerate() {
        let argument = kernel.argument(ordinal as u32).map(|argument| argument.binding);
        let (Some(ArgumentBinding::PointerPushConstant { offset, size })
        | Some(ArgumentBinding::PodPushConstant { offset, size })) = argument
        else {
            return Err(Error::Internal("the kernel that copies has an argument elsewhere".into()));
        };
        *place = offset as usize;
        end = end.max(offset + size);
    }
    Ok((offsets, end))
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
        let copier = Copier::new(&device.shared.raw, device.info()).unwrap();
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
