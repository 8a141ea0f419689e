//! Recording a launch: descriptors, push constants, dispatches.

use super::regions::{Range, Region};
use crate::error::Result;
use crate::image::{LAYOUT, SampledLevels};
use crate::narrow::low_u32;
use crate::program::{Encoded, KernelShared, Resource, Scratch};
use crate::submission::{Batch, Footprint, Record, Replayable};
use crate::vulkan::PipelineHandle;
use ash::vk;
use clforge_compiler::interface::{Descriptor, ProgramDataBinding, PushConstant, PushConstantKind};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Most dispatches in one submission.
const MAX_DISPATCHES: usize = 4096;

/// What a launch says besides its range.
pub(super) struct Settings {
    pub work_dim: u32,
    pub sub_group_size: Option<u32>,
    /// When it began, and how long it may take.
    pub limit: Option<(Instant, Duration)>,
    /// The address of the memory of device queues.
    pub queue_memory: Option<u64>,
    /// Whether there is nothing to execute: the dispatches have no work-groups.
    pub is_empty: bool,
}

impl Settings {
    /// A region with the work-groups that are to be executed.
    fn executed(&self, region: Region) -> Region {
        if self.is_empty { Region { groups: [0; 3], ..region } } else { region }
    }

    /// How long the driver may still compile, and of how long.
    fn time_left(&self, kernel: &KernelShared) -> Option<(Duration, Duration)> {
        let of_launch = self.limit.map(|(start, limit)| (limit.saturating_sub(start.elapsed()), limit));
        let of_device = kernel.module.device.compile_limit().map(|limit| (limit, limit));
        of_launch.into_iter().chain(of_device).min()
    }
}

/// Records all regions of a range: `single` is the only one, if it has one. Returns the number of dispatches.
///
/// # Errors
/// Those of the session, of descriptors and of pipelines.
pub(super) fn record<R: Record>(
    session: &mut R,
    scratch: &mut Scratch,
    kernel: &Arc<KernelShared>,
    (range, single): (&Range, Option<Region>),
    settings: &Settings,
) -> Result<u64> {
    let Scratch { encoded, key, recent, launch, pipelines, sets } = scratch;
    key.sub_group_size = settings.sub_group_size;
    let find = |key: &_| match settings.time_left(kernel) {
        None => kernel.pipeline(key),
        Some(time) => kernel.pipeline_within(key, time),
    };
    key.constants.clear();
    key.constants.extend_from_slice(&encoded.constants);
    kernel.set_range(key, settings.work_dim, range.offset.map(low_u32));
    write_range(kernel, range, &mut encoded.push);
    if let Some((offset, address)) = kernel.module.interface.queue_memory.zip(settings.queue_memory) {
        write_address(&mut encoded.push, offset, address);
    }

    if kernel.layout.sets.is_empty()
        && let Some(region) = single
    {
        key.local_size = region.local;
        let pipeline = recent.get_or_find(key, || find(key))?;
        let region = settings.executed(region);
        let Encoded { push, footprint, .. } = encoded;
        return record_one(session, launch, kernel, (pipeline, region), (push, footprint));
    }
    let mut regions = range.regions().peekable();
    let mut count = 0;
    while regions.peek().is_some() {
        if count > 0 {
            session.split()?;
        }
        // Pipelines first: if one does not compile, no part of the launch is in the batch.
        pipelines.clear();
        for region in regions.clone().take(MAX_DISPATCHES) {
            key.local_size = region.local;
            pipelines.push(recent.get_or_find(key, || find(key))?);
        }
        count += pipelines.len() as u64;
        let batch = session.batch_for(&encoded.footprint)?;
        batch.watch(kernel.watch.as_ref());
        bind(kernel, batch, encoded, sets)?;
        for (pipeline, region) in pipelines.iter().zip(regions.by_ref()) {
            let region = settings.executed(region);
            write_region(kernel, &region, &mut encoded.push);
            dispatch(kernel, batch, *pipeline, region.groups, &encoded.push);
        }
    }
    Ok(count)
}

/// Records a launch of one dispatch without descriptor sets, or submits the same one again. Returns the number of dispatches.
fn record_one<R: Record>(
    session: &mut R,
    launch: &mut Replayable,
    kernel: &KernelShared,
    (pipeline, region): (PipelineHandle, Region),
    (push, footprint): (&mut [u8], &Footprint),
) -> Result<u64> {
    write_region(kernel, &region, push);
    (launch.pipeline, launch.groups) = (pipeline.number, region.groups);
    launch.push_constants.clear();
    launch.push_constants.extend_from_slice(push);
    if !session.replay(launch, kernel.watch.as_ref())? {
        let batch = session.batch_for(footprint)?;
        batch.watch(kernel.watch.as_ref());
        dispatch(kernel, batch, pipeline, region.groups, push);
        session.remember(launch)?;
    }
    Ok(1)
}

/// The structures that a `VkWriteDescriptorSet` points to.
struct Info {
    at: Descriptor,
    element: u32,
    kind: vk::DescriptorType,
    buffer: [vk::DescriptorBufferInfo; 1],
    image: [vk::DescriptorImageInfo; 1],
    texels: [vk::BufferView; 1],
}

impl Info {
    fn new(at: Descriptor, element: u32, kind: vk::DescriptorType, resource: &Resource) -> Info {
        let mut info = Info {
            at,
            element,
            kind,
            buffer: Default::default(),
            image: Default::default(),
            texels: Default::default(),
        };
        match resource {
            Resource::Buffer(buffer) => info.buffer = [*buffer],
            Resource::Image(view) => {
                info.image = [vk::DescriptorImageInfo::default().image_view(*view).image_layout(LAYOUT)];
            }
            Resource::Sampler(sampler) => info.image = [vk::DescriptorImageInfo::default().sampler(*sampler)],
            Resource::Texels(view) => info.texels = [*view],
        }
        info
    }

    fn write(&self, sets: &[vk::DescriptorSet]) -> Option<vk::WriteDescriptorSet<'_>> {
        let set = *sets.get(self.at.set as usize)?;
        let write =
            vk::WriteDescriptorSet::default().dst_set(set).dst_binding(self.at.binding).dst_array_element(self.element);
        let write = write.descriptor_type(self.kind);
        Some(match self.kind {
            vk::DescriptorType::SAMPLED_IMAGE | vk::DescriptorType::STORAGE_IMAGE | vk::DescriptorType::SAMPLER => {
                write.image_info(&self.image)
            }
            vk::DescriptorType::UNIFORM_TEXEL_BUFFER | vk::DescriptorType::STORAGE_TEXEL_BUFFER => {
                write.texel_buffer_view(&self.texels)
            }
            _ => write.buffer_info(&self.buffer),
        })
    }
}

/// Writes buffers, images and samplers to descriptor sets, and binds these.
fn bind(kernel: &KernelShared, batch: &mut Batch, encoded: &Encoded, sets: &mut Vec<vk::DescriptorSet>) -> Result<()> {
    let (layout, module) = (&kernel.layout, &kernel.module);
    if layout.sets.is_empty() {
        return Ok(());
    }
    let device = &module.device.shared.raw;
    sets.clear();
    batch.descriptors.allocate(device, &layout.sets, &layout.counts, sets)?;
    let write_element = |at, element, kind, resource: &Resource| {
        let info = Info::new(at, element, kind, resource);
        if let Some(write) = info.write(sets) {
            // SAFETY: set, binding and type are those of the kernel's layout; the resources are alive; the sets are new.
            unsafe { device.update_descriptor_sets(&[write], &[]) };
        }
    };
    let write = |at, kind, resource: &Resource| write_element(at, 0, kind, resource);
    let whole = |buffer, offset, range| Resource::Buffer(vk::DescriptorBufferInfo { buffer, offset, range });
    for binding in &encoded.bindings {
        write_element(binding.at, binding.element, binding.kind, &binding.resource);
    }
    if !layout.plain.is_empty() {
        let piece = batch.arena.allocate(layout.plain_size.into())?;
        piece.fill(0, &encoded.plain);
        for block in &layout.plain {
            let offset = piece.offset + u64::from(block.offset);
            write(block.at, block.kind, &whole(piece.buffer, offset, block.size.into()));
        }
    }
    for (data, buffer) in module.interface.program_data.iter().zip(&module.data) {
        let (at, kind) = match data.binding {
            ProgramDataBinding::StorageBuffer(at) => (at, vk::DescriptorType::STORAGE_BUFFER),
            ProgramDataBinding::UniformBuffer(at) => (at, vk::DescriptorType::UNIFORM_BUFFER),
            ProgramDataBinding::PushConstantPointer { .. } => continue,
        };
        write(at, kind, &whole(buffer.raw.raw, 0, buffer.raw.size));
    }
    if let Some(printer) = kernel.printer()
        && let ProgramDataBinding::StorageBuffer(at) = printer.binding
    {
        let buffer = &printer.buffer.raw;
        write(at, vk::DescriptorType::STORAGE_BUFFER, &whole(buffer.raw, 0, buffer.size));
    }
    for sampler in &module.interface.literal_samplers {
        let raw = module.device.sampler(sampler.mask, SampledLevels::default())?;
        write(sampler.at, vk::DescriptorType::SAMPLER, &Resource::Sampler(raw));
    }
    let compute = vk::PipelineBindPoint::COMPUTE;
    // SAFETY: the sets are complete and of this layout.
    unsafe { device.cmd_bind_descriptor_sets(batch.commands, compute, layout.raw.raw, 0, sets, &[]) };
    Ok(())
}

/// Records a dispatch. Descriptor sets are bound before.
fn dispatch(kernel: &KernelShared, batch: &mut Batch, pipeline: PipelineHandle, groups: [u32; 3], push: &[u8]) {
    // SAFETY: the kernel, which is alive, has this pipeline and layout; the push constants fill the layout's range; the caller has
    // bound the descriptor sets; group counts are within limits.
    unsafe { batch.dispatch(pipeline.raw, kernel.layout.raw.raw, push, groups) }
}

/// Writes the push constants that are the same for all regions.
fn write_range(kernel: &KernelShared, range: &Range, push: &mut [u8]) {
    let interface = &kernel.module.interface;
    for constant in &interface.push_constants {
        let value = match constant.kind {
            PushConstantKind::GlobalOffset => range.offset,
            PushConstantKind::EnqueuedLocalSize => range.local.map(u64::from),
            PushConstantKind::GlobalSize => range.global,
            PushConstantKind::NumWorkgroups => range.group_count(),
            PushConstantKind::RegionOffset | PushConstantKind::RegionGroupOffset | PushConstantKind::WorkDim => {
                continue;
            }
        };
        write_integers(push, constant, value);
    }
    let data = interface.program_data.iter().zip(&kernel.module.data).map(|(data, buffer)| (data.binding, buffer));
    let printer = kernel.module.printer.as_ref().map(|printer| (printer.binding, &printer.buffer));
    let checker =
        kernel.module.checker.as_ref().map(|checker| {
            (ProgramDataBinding::PushConstantPointer { offset: checker.offset, size: 8 }, &checker.buffer)
        });
    let loops = kernel.module.loop_status.as_ref();
    let loops = loops
        .map(|status| (ProgramDataBinding::PushConstantPointer { offset: status.offset, size: 8 }, &status.buffer));
    for (binding, buffer) in data.chain(printer).chain(checker).chain(loops) {
        if let ProgramDataBinding::PushConstantPointer { offset, .. } = binding {
            write_address(push, offset, buffer.device_address().unwrap_or(0));
        }
    }
}

fn write_address(push: &mut [u8], offset: u32, address: u64) {
    if let Some(place) = push.get_mut(offset as usize..).and_then(|rest| rest.first_chunk_mut::<8>()) {
        *place = address.to_le_bytes();
    }
}

/// Writes the push constants that differ between regions.
fn write_region(kernel: &KernelShared, region: &Region, push: &mut [u8]) {
    for constant in &kernel.module.interface.push_constants {
        let value = match constant.kind {
            PushConstantKind::RegionOffset => region.first_id,
            PushConstantKind::RegionGroupOffset => region.first_group,
            _ => continue,
        };
        write_integers(push, constant, value);
    }
}

/// Writes three integers of the push constant's width, or as many as it has.
fn write_integers(push: &mut [u8], constant: &PushConstant, value: [u64; 3]) {
    let place = push.get_mut(constant.offset as usize..).unwrap_or_default();
    let length = place.len().min(constant.size as usize);
    let bytes = if constant.is_wide() { 8 } else { 4 };
    for (to, value) in place[..length].chunks_exact_mut(bytes).zip(value) {
        to.copy_from_slice(&value.to_le_bytes()[..bytes]);
    }
}
