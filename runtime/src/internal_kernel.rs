//! Kernels that the runtime itself launches: to copy, and to probe a device's arithmetic.

use crate::cache::PersistentPipelineCache;
use crate::error::{Error, Result};
use crate::module::{self, Scan};
use crate::narrow::to_u32;
use crate::submission::{CommandStream, Event, Session, Use};
use crate::vulkan::{DeviceInfo, Pipeline, PipelineLayout, RawDevice, ShaderModule};
use ash::vk;
use clforge_compiler::interface::{ArgumentBinding, KernelInterface, ModuleInterface};
use clforge_compiler::{Options, Source};
use std::ffi::CString;
use std::sync::Arc;

/// A compiled kernel whose arguments are all in push constants: pointers, and plain numbers of up to eight bytes. Its launches
/// set no ND-range: it has global ids from 0, and must not ask for the global size.
pub(crate) struct InternalKernel {
    pipeline: Pipeline,
    layout: PipelineLayout,
    /// Where in the push constants the arguments are: offsets and sizes.
    arguments: Vec<(usize, usize)>,
    /// Bytes of push constants.
    size: usize,
    _shader: ShaderModule,
}

impl InternalKernel {
    /// Compiles the only kernel of a source, for work-groups of `group` work-items, which is `reqd_work_group_size` in it.
    /// `pipelines` gives the driver's cache for a module.
    ///
    /// # Errors
    /// [`Error::Internal`] for a source that does not compile, [`Error::MissingFeature`], [`Error::OutOfMemory`],
    /// [`Error::Vulkan`].
    pub fn new(
        device: &Arc<RawDevice>,
        info: &DeviceInfo,
        source: Source<'_>,
        options: &Options,
        group: u32,
        pipelines: impl FnOnce(&[u32]) -> Result<PersistentPipelineCache>,
    ) -> Result<InternalKernel> {
        let compiled = clforge_compiler::compile(source, options);
        let compiled = compiled.map_err(|errors| Error::Internal(errors.render(false)))?;
        let interface = ModuleInterface::from_spirv(&compiled.spirv)?;
        let kernel = interface.kernels.first();
        let kernel = kernel.ok_or_else(|| Error::Internal("a source of the runtime has no kernel".into()))?;
        let arguments = arguments(kernel)?;
        let others = interface.push_constants.iter().map(|constant| (constant.offset + constant.size) as usize);
        let ends = arguments.iter().map(|(offset, size)| offset + size);
        let size = ends.chain(others).max().unwrap_or_default().next_multiple_of(4);
        let scan = Scan::new(&compiled.spirv)?;
        module::check(&scan, info)?;
        let code = module::adapt(&compiled.spirv, &scan, info)?;
        let shader = vk::ShaderModuleCreateInfo::default().code(&code);
        // SAFETY: our compiler makes valid modules, and the features that this one needs are enabled, as was checked.
        let shader = unsafe { ShaderModule::new(device, &shader) }?;
        let stages = vk::ShaderStageFlags::COMPUTE;
        let range = [vk::PushConstantRange { stage_flags: stages, offset: 0, size: to_u32(size) }];
        let layout = vk::PipelineLayoutCreateInfo::default().push_constant_ranges(&range);
        // SAFETY: the size is a multiple of 4, and below the 128 bytes that every device has.
        let layout = unsafe { PipelineLayout::new(device, &layout) }?;
        let pipeline = pipeline(device, (&shader, &layout), (kernel, &interface), group, &pipelines(&code)?)?;
        Ok(InternalKernel { pipeline, layout, arguments, size, _shader: shader })
    }

    /// Records a launch of `groups` work-groups with the arguments' values, of which the low bytes are passed: addresses of
    /// buffers that live until the launch is complete, and numbers.
    ///
    /// # Errors
    /// [`Error::Internal`] for a wrong number of arguments, [`Error::DeviceLost`], [`Error::OutOfMemory`].
    pub fn launch(&self, stream: &Arc<CommandStream>, values: &[u64], groups: u32) -> Result<Event> {
        if values.len() != self.arguments.len() {
            return Err(Error::Internal("a kernel of the runtime has other arguments".into()));
        }
        let mut push = vec![0; self.size];
        for ((offset, size), value) in self.arguments.iter().zip(values) {
            let value = value.to_le_bytes();
            if let Some((place, value)) = push.get_mut(*offset..offset + size).zip(value.get(..*size)) {
                place.copy_from_slice(value);
            }
        }
        let mut session = Session::start(stream, Use::Kernel);
        let batch = session.batch()?;
        // SAFETY: the kernel, which is alive, has this pipeline and layout and no descriptor sets; the push constants fill the
        // layout's range; the caller keeps the limit of groups.
        unsafe { batch.dispatch(self.pipeline.handle.raw, self.layout.raw, &push, [groups, 1, 1]) };
        session.finish()
    }
}

fn pipeline(
    device: &Arc<RawDevice>,
    (shader, layout): (&ShaderModule, &PipelineLayout),
    (kernel, interface): (&KernelInterface, &ModuleInterface),
    group: u32,
    pipelines: &PersistentPipelineCache,
) -> Result<Pipeline> {
    let name = CString::new(kernel.name.as_str()).map_err(|error| Error::Internal(error.to_string()))?;
    let ids = interface.work_group_size_spec_ids;
    let sizes = [group, 1, 1].map(u32::to_le_bytes).concat();
    let entry = |(d, constant_id)| vk::SpecializationMapEntry { constant_id, offset: to_u32(d) * 4, size: 4 };
    // Without ids the size is in the code.
    let entries: Vec<_> = ids.into_iter().flatten().enumerate().map(entry).collect();
    let specialization = vk::SpecializationInfo::default().map_entries(&entries).data(&sizes);
    let stage = vk::PipelineShaderStageCreateInfo::default()
        .stage(vk::ShaderStageFlags::COMPUTE)
        .module(shader.raw)
        .name(&name)
        .specialization_info(&specialization);
    let create = vk::ComputePipelineCreateInfo::default().stage(stage).layout(layout.raw);
    // SAFETY: the entry point exists, and the layout has all that it uses.
    let made = unsafe { Pipeline::new(device, &pipelines.raw, create) }?;
    if !pipelines.is_stored() {
        pipelines.set_changed();
    }
    Ok(made)
}

/// Where the arguments are.
fn arguments(kernel: &KernelInterface) -> Result<Vec<(usize, usize)>> {
    let mut arguments = Vec::new();
    while let Some(argument) = kernel.argument(to_u32(arguments.len())) {
        match argument.binding {
            ArgumentBinding::PointerPushConstant { offset, size }
            | ArgumentBinding::PodPushConstant { offset, size }
                if size <= 8 =>
            {
                arguments.push((offset as usize, size as usize));
            }
            _ => return Err(Error::Internal("a kernel of the runtime has an argument elsewhere".into())),
        }
    }
    Ok(arguments)
}
