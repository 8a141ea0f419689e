//! Kernels that the runtime itself launches: to copy, and to probe a device's arithmetic.

use crate::cache::PersistentPipelineCache;
use crate::error::{Error, Result};
use crate::memory::RawBuffer;
use crate::module::{self, Scan};
use crate::narrow::to_u32;
use crate::submission::{Batch, CommandStream, Event, KINDS, Session, Use};
use crate::vulkan::{DescriptorSetLayout, DeviceInfo, Pipeline, PipelineLayout, RawDevice, ShaderModule};
use ash::vk;
use clforge_compiler::interface::{ArgumentBinding, Descriptor, KernelInterface, ModuleInterface};
use clforge_compiler::options::Addressing;
use clforge_compiler::{Options, Source};
use std::ffi::CString;
use std::sync::Arc;

/// A compiled kernel whose arguments are pointers to buffers, and plain numbers of up to eight bytes. All are in push
/// constants, except pointers on devices without buffer addresses, which are descriptors of set 0. Its launches set no
/// ND-range: it has global ids from 0, and must not ask for the global size.
pub(crate) struct InternalKernel {
    device: Arc<RawDevice>,
    pipeline: Pipeline,
    layout: PipelineLayout,
    /// Of set 0, where pointers are descriptors.
    set: Option<DescriptorSetLayout>,
    arguments: Vec<Place>,
    /// Bytes of push constants.
    size: usize,
    _shader: ShaderModule,
}

/// Where an argument is.
enum Place {
    /// In the push constants.
    Push { offset: usize, size: usize },
    /// The binding of a storage buffer.
    Binding(u32),
}

/// The value of an argument.
pub(crate) enum Value<'a> {
    /// A number, of which the low bytes are passed, or the address of memory that lives until the launch is complete.
    Number(u64),
    /// A pointer to the first byte of a buffer, which lives until the launch is complete.
    Buffer(&'a RawBuffer),
}

impl InternalKernel {
    /// Compiles the only kernel of a source, for work-groups of `group` work-items, which is `reqd_work_group_size` in it.
    /// What the device lacks is added to the options. `pipelines` gives the driver's cache for a module.
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
        let compiled = clforge_compiler::compile(source, &for_device(options, info));
        let compiled = compiled.map_err(|errors| Error::Internal(errors.render(false)))?;
        let interface = ModuleInterface::from_spirv(&compiled.spirv)?;
        let kernel = interface.kernels.first();
        let kernel = kernel.ok_or_else(|| Error::Internal("a source of the runtime has no kernel".into()))?;
        let arguments = arguments(kernel)?;
        let others = interface.push_constants.iter().map(|constant| (constant.offset + constant.size) as usize);
        let ends = arguments.iter().map(|place| match place {
            Place::Push { offset, size } => offset + size,
            Place::Binding(_) => 0,
        });
        let size = ends.chain(others).max().unwrap_or_default().next_multiple_of(4);
        let scan = Scan::new(&compiled.spirv)?;
        module::check(&scan, info)?;
        let code = module::adapt(&compiled.spirv, &scan, info)?;
        let shader = vk::ShaderModuleCreateInfo::default().code(&code);
        // SAFETY: our compiler makes valid modules, and the features that this one needs are enabled, as was checked.
        let shader = unsafe { ShaderModule::new(device, &shader) }?;
        let stages = vk::ShaderStageFlags::COMPUTE;
        let range = [vk::PushConstantRange { stage_flags: stages, offset: 0, size: to_u32(size) }];
        let set = set_layout(device, &arguments)?;
        let sets: Vec<_> = set.iter().map(|set| set.raw).collect();
        // A range may not be empty.
        let ranges = if size == 0 { &[] } else { &range[..] };
        let layout = vk::PipelineLayoutCreateInfo::default().push_constant_ranges(ranges).set_layouts(&sets);
        // SAFETY: the size is a multiple of 4, and below the 128 bytes that every device has.
        let layout = unsafe { PipelineLayout::new(device, &layout) }?;
        let pipeline = pipeline(device, (&shader, &layout), (kernel, &interface), group, &pipelines(&code)?)?;
        Ok(InternalKernel { device: device.clone(), pipeline, layout, set, arguments, size, _shader: shader })
    }

    /// Records a launch of `groups` work-groups with the arguments' values.
    ///
    /// # Errors
    /// [`Error::Internal`] for a wrong number or kind of arguments, [`Error::DeviceLost`], [`Error::OutOfMemory`].
    pub fn launch(&self, stream: &Arc<CommandStream>, values: &[Value<'_>], groups: u32) -> Result<Event> {
        let differs = || Error::Internal("a kernel of the runtime has other arguments".into());
        if values.len() != self.arguments.len() {
            return Err(differs());
        }
        let mut push = vec![0; self.size];
        let mut buffers = Vec::new();
        for argument in self.arguments.iter().zip(values) {
            let (offset, size, value) = match argument {
                (Place::Push { offset, size }, Value::Number(number)) => (*offset, *size, *number),
                (Place::Push { offset, size }, Value::Buffer(buffer)) => {
                    (*offset, *size, buffer.address.ok_or_else(differs)?)
                }
                (Place::Binding(binding), Value::Buffer(buffer)) => {
                    buffers.push((*binding, *buffer));
                    continue;
                }
                (Place::Binding(_), Value::Number(_)) => return Err(differs()),
            };
            if let Some((place, value)) = push.get_mut(offset..offset + size).zip(value.to_le_bytes().get(..size)) {
                place.copy_from_slice(value);
            }
        }
        let mut session = Session::start(stream, Use::Kernel);
        let batch = session.batch()?;
        self.bind(batch, &buffers)?;
        // SAFETY: the kernel, which is alive, has this pipeline and layout, whose descriptor set is bound; the push constants
        // fill the layout's range; the caller keeps the limit of groups.
        unsafe { batch.dispatch(self.pipeline.handle.raw, self.layout.raw, &push, [groups, 1, 1]) };
        session.finish()
    }

    /// Records a launch of one work-group of a kernel without arguments.
    ///
    /// # Errors
    /// [`Error::Internal`] for a kernel that has some.
    pub fn record(&self, batch: &mut Batch) -> Result<()> {
        if !self.arguments.is_empty() {
            return Err(Error::Internal("a kernel of the runtime has arguments".into()));
        }
        let push = vec![0; self.size];
        // SAFETY: the kernel, which is alive, has this pipeline and layout, and no descriptors; the push constants fill the
        // layout's range.
        unsafe { batch.dispatch(self.pipeline.handle.raw, self.layout.raw, &push, [1; 3]) };
        Ok(())
    }

    /// Binds a descriptor set with the buffers of these bindings, where there is one.
    fn bind(&self, batch: &mut Batch, buffers: &[(u32, &RawBuffer)]) -> Result<()> {
        let Some(layout) = &self.set else { return Ok(()) };
        let (device, kind) = (&self.device, vk::DescriptorType::STORAGE_BUFFER);
        let counts = KINDS.map(|counted| if counted == kind { to_u32(buffers.len()) } else { 0 });
        let mut sets = Vec::new();
        batch.descriptors.allocate(device, &[layout.raw], &counts, &mut sets)?;
        for (binding, buffer) in buffers {
            let whole = [vk::DescriptorBufferInfo { buffer: buffer.raw, offset: 0, range: buffer.size }];
            for set in &sets {
                let write = vk::WriteDescriptorSet::default().dst_set(*set).dst_binding(*binding);
                let write = write.descriptor_type(kind).buffer_info(&whole);
                // SAFETY: binding and type are those of the layout; the buffer is alive; the set is new.
                unsafe { device.update_descriptor_sets(&[write], &[]) };
            }
        }
        let compute = vk::PipelineBindPoint::COMPUTE;
        // SAFETY: the set is complete and of this layout.
        unsafe { device.cmd_bind_descriptor_sets(batch.commands, compute, self.layout.raw, 0, &sets, &[]) };
        Ok(())
    }
}

/// The options of a kernel for a device: types that it lacks are emulated, and buffers have descriptors where there are no
/// addresses.
fn for_device(options: &Options, info: &DeviceInfo) -> Options {
    let mut options = options.clone();
    options.device.emulated |= info.emulated_types();
    if info.addressing() == Addressing::Logical {
        options.device.addressing = Addressing::Logical;
    }
    options.device.vulkan_memory_model &= info.has_feature("vulkanMemoryModel");
    options
}

/// The layout of set 0, where arguments have descriptors.
fn set_layout(device: &Arc<RawDevice>, arguments: &[Place]) -> Result<Option<DescriptorSetLayout>> {
    let bindings = arguments.iter().filter_map(|place| match place {
        Place::Push { .. } => None,
        Place::Binding(binding) => Some(*binding),
    });
    let bindings: Vec<_> = bindings
        .map(|binding| {
            vk::DescriptorSetLayoutBinding::default()
                .binding(binding)
                .descriptor_type(vk::DescriptorType::STORAGE_BUFFER)
                .descriptor_count(1)
                .stage_flags(vk::ShaderStageFlags::COMPUTE)
        })
        .collect();
    if bindings.is_empty() {
        return Ok(None);
    }
    let info = vk::DescriptorSetLayoutCreateInfo::default().bindings(&bindings);
    // SAFETY: our compiler gives each argument a binding of its own.
    unsafe { DescriptorSetLayout::new(device, &info) }.map(Some)
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
fn arguments(kernel: &KernelInterface) -> Result<Vec<Place>> {
    let mut arguments = Vec::new();
    while let Some(argument) = kernel.argument(to_u32(arguments.len())) {
        match argument.binding {
            ArgumentBinding::PointerPushConstant { offset, size }
            | ArgumentBinding::PodPushConstant { offset, size }
                if size <= 8 =>
            {
                arguments.push(Place::Push { offset: offset as usize, size: size as usize });
            }
            ArgumentBinding::StorageBuffer(Descriptor { set: 0, binding }) => arguments.push(Place::Binding(binding)),
            _ => return Err(Error::Internal("a kernel of the runtime has an argument elsewhere".into())),
        }
    }
    Ok(arguments)
}
