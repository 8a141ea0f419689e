//! Launches: an ND-range as dispatches.

mod local_size;
mod regions;

use crate::device::{Queue, Recording};
use crate::kernel::{Arg, Encoded, KernelShared, PipelineKey, Resource, encode};
use crate::memory::LAYOUT;
use crate::printf::printer_of;
use crate::{Error, Result};
use ash::vk;
use clforge_compiler::interface::{Descriptor, ProgramDataBinding, PushConstantKind};
use regions::{Range, Region};
use spirv::BuiltIn;
use std::time::{Duration, Instant};

/// Dispatches recorded into one submission.
const BATCH: usize = 4096;

/// An ND-range. Entries past `dims` do not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Launch {
    /// Work-items in each dimension. With a zero nothing is run.
    pub global: [u64; 3],
    /// Work-items of a work-group in each dimension; `None` leaves the choice to the runtime.
    pub local: Option<[u32; 3]>,
    /// Global id of the first work-item.
    pub offset: [u64; 3],
    /// Number of dimensions, 1 to 3.
    pub dims: u32,
}

impl Launch {
    /// A global size of up to three dimensions, the local size left to the runtime, no offset.
    pub fn new(global: &[u64]) -> Launch {
        let mut size = [1; 3];
        size.iter_mut().zip(global).for_each(|(to, from)| *to = *from);
        Launch { global: size, local: None, offset: [0; 3], dims: global.len() as u32 }
    }

    /// With a local size; dimensions that are not given are 1.
    #[must_use]
    pub fn local(mut self, local: &[u32]) -> Launch {
        let mut size = [1; 3];
        size.iter_mut().zip(local).for_each(|(to, from)| *to = *from);
        self.local = Some(size);
        self
    }

    /// With a global offset; dimensions that are not given are 0.
    #[must_use]
    pub fn offset(mut self, offset: &[u64]) -> Launch {
        self.offset = [0; 3];
        self.offset.iter_mut().zip(offset).for_each(|(to, from)| *to = *from);
        self
    }
}

/// How a launch went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Timings {
    /// Time on the device from the first dispatch to the end of the last, where it has timestamps.
    pub device: Option<Duration>,
    /// Time on the host from submission to completion.
    pub host: Duration,
    /// The local size used.
    pub local_size: [u32; 3],
    /// Number of dispatches.
    pub dispatches: u64,
}

/// Checks everything, then runs.
pub(crate) fn launch(kernel: &KernelShared, launch: &Launch, args: &[Arg<'_>]) -> Result<Timings> {
    let (global, offset) = normalise(launch)?;
    let encoded = encode(kernel, args)?;
    let device = &kernel.program.device;
    let limits = &device.info().limits;
    if global.contains(&0) {
        return Ok(Timings::default());
    }
    let local = local_size::choose(kernel, launch, global)?;
    check_shared_memory(kernel, &encoded)?;
    let range = Range { global, offset, local, max_groups: limits.max_work_group_count };
    check_regions(kernel, &range)?;

    let mut queue = device.queue()?;
    write_plain(kernel, &encoded);
    write_descriptors(kernel, &encoded)?;
    let printer = printer_of(kernel.program.printer.as_ref(), kernel.interface());
    printer.map(|printer| printer.reset(&mut queue)).transpose()?;
    let start = Instant::now();
    let (dispatches, ticks) = dispatch(kernel, &mut queue, &range, launch.dims, &encoded)?;
    let host = start.elapsed();
    let printed = printer.map(|printer| printer.contents(&mut queue)).transpose()?;
    // Who takes the text may use the device.
    drop(queue);
    if let (Some(printer), Some(printed)) = (printer, printed) {
        printer.print(&printed)?;
    }
    let device_time =
        ticks.map(|ticks| Duration::from_nanos((ticks as f64 * f64::from(limits.timestamp_period)) as u64));
    Ok(Timings { device: device_time, host, local_size: local, dispatches })
}

/// Global size and offset with neutral values past `dims`, checked for 32-bit ids.
fn normalise(launch: &Launch) -> Result<([u64; 3], [u64; 3])> {
    if !(1..=3).contains(&launch.dims) {
        return Err(Error::Launch(format!("an ND-range has 1, 2 or 3 dimensions, not {}", launch.dims)));
    }
    let (mut global, mut offset) = (launch.global, launch.offset);
    for d in 0..3 {
        if d >= launch.dims as usize {
            (global[d], offset[d]) = (1, 0);
        }
        let limit = u64::from(u32::MAX);
        let end = global[d].saturating_add(offset[d]);
        if end > limit {
            let what = format!("end of the ND-range in dimension {d}");
            return Err(Error::Limit { what, limit, requested: end });
        }
    }
    Ok((global, offset))
}

/// `local` arguments and the variables the kernel declares, against the device's local memory.
fn check_shared_memory(kernel: &KernelShared, encoded: &Encoded) -> Result<()> {
    let variables = &kernel.program.interface.work_group_variables;
    let used = variables.iter().filter(|(id, _)| kernel.entry.interface.contains(id));
    let fixed: u64 = used.map(|(_, size)| u64::from(*size)).sum();
    let limit = u64::from(kernel.program.device.info().limits.max_shared_memory);
    let requested = fixed.saturating_add(encoded.local_bytes);
    if requested > limit {
        let what = format!("bytes of local memory of kernel '{}'", kernel.interface().name);
        return Err(Error::Limit { what, limit, requested });
    }
    Ok(())
}

/// Whether the module can be run in regions or with an offset: it must ask for the values that make the difference.
fn check_regions(kernel: &KernelShared, range: &Range) -> Result<()> {
    let interface = &kernel.program.interface;
    let scan = &kernel.program.scan;
    let has = |kind| interface.push_constants.iter().any(|constant| constant.kind == kind);
    let name = &kernel.interface().name;
    if range.offset != [0; 3] && scan.reads(BuiltIn::GlobalInvocationId) {
        let known = has(PushConstantKind::RegionOffset)
            || has(PushConstantKind::GlobalOffset)
            || interface.global_offset_spec_ids.is_some();
        if !known {
            return Err(Error::Launch(format!("kernel '{name}' was compiled without support for a global offset")));
        }
    }
    if range.is_single() {
        return Ok(());
    }
    let unaware = (scan.reads(BuiltIn::GlobalInvocationId) && !has(PushConstantKind::RegionOffset))
        || (scan.reads(BuiltIn::WorkgroupId) && !has(PushConstantKind::RegionGroupOffset))
        || scan.reads(BuiltIn::NumWorkgroups);
    let fixed_size = interface.work_group_size_spec_ids.is_none() && !range.divides();
    if unaware || fixed_size {
        let [x, y, z] = range.global;
        let [lx, ly, lz] = range.local;
        return Err(Error::Launch(format!(
            "kernel '{name}' was compiled for global sizes that are a multiple of the local size, but \
             {x}x{y}x{z} is not one of {lx}x{ly}x{lz}, or is too large for one dispatch"
        )));
    }
    Ok(())
}

/// Fills the kernel's buffers of arguments by value. The caller holds the queue.
fn write_plain(kernel: &KernelShared, encoded: &Encoded) {
    for (plain, bytes) in kernel.layout.plain.iter().zip(&encoded.plain) {
        if let Some(memory) = plain.buffer.mapped() {
            let length = bytes.len().min(plain.buffer.size as usize);
            // SAFETY: the length is within the buffer; the device does not use it while the caller holds the queue.
            unsafe { memory.copy_from_nonoverlapping(bytes.as_ptr(), length) };
        }
    }
}

/// What `VkWriteDescriptorSet` points to.
struct Info {
    at: Descriptor,
    kind: vk::DescriptorType,
    buffer: [vk::DescriptorBufferInfo; 1],
    image: [vk::DescriptorImageInfo; 1],
    texels: [vk::BufferView; 1],
}

impl Info {
    fn new(at: Descriptor, kind: vk::DescriptorType, resource: &Resource) -> Info {
        let mut info =
            Info { at, kind, buffer: Default::default(), image: Default::default(), texels: Default::default() };
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
            vk::WriteDescriptorSet::default().dst_set(set).dst_binding(self.at.binding).descriptor_type(self.kind);
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

/// Binds buffers, images and samplers. The caller holds the queue.
fn write_descriptors(kernel: &KernelShared, encoded: &Encoded) -> Result<()> {
    let program = &kernel.program;
    let mut infos: Vec<Info> =
        encoded.bindings.iter().map(|binding| Info::new(binding.at, binding.kind, &binding.resource)).collect();
    let mut bind = |at, kind, buffer, range| {
        infos.push(Info::new(at, kind, &Resource::Buffer(vk::DescriptorBufferInfo { buffer, offset: 0, range })));
    };
    for plain in &kernel.layout.plain {
        bind(plain.at, plain.kind, plain.buffer.raw, u64::from(plain.size));
    }
    for (data, buffer) in program.interface.program_data.iter().zip(&program.data) {
        match data.binding {
            ProgramDataBinding::StorageBuffer(at) => {
                bind(at, vk::DescriptorType::STORAGE_BUFFER, buffer.raw.raw, buffer.raw.size);
            }
            ProgramDataBinding::UniformBuffer(at) => {
                bind(at, vk::DescriptorType::UNIFORM_BUFFER, buffer.raw.raw, buffer.raw.size);
            }
            ProgramDataBinding::PushConstantPointer { .. } => {}
        }
    }
    if let Some(printer) = printer_of(program.printer.as_ref(), kernel.interface())
        && let ProgramDataBinding::StorageBuffer(at) = printer.binding
    {
        bind(at, vk::DescriptorType::STORAGE_BUFFER, printer.buffer.raw.raw, printer.buffer.raw.size);
    }
    for sampler in &program.interface.literal_samplers {
        let raw = program.device.sampler(sampler.mask)?;
        infos.push(Info::new(sampler.at, vk::DescriptorType::SAMPLER, &Resource::Sampler(raw)));
    }
    let writes: Vec<_> = infos.iter().filter_map(|info| info.write(&kernel.layout.sets)).collect();
    // SAFETY: sets, bindings and types are those of the kernel's layout; what they name is alive; no submitted work
    // uses the sets while the caller holds the queue.
    unsafe { program.device.shared.raw.update_descriptor_sets(&writes, &[]) };
    Ok(())
}

/// Records and runs every region. Returns the number of dispatches and the device's ticks.
fn dispatch(
    kernel: &KernelShared,
    queue: &mut Queue,
    range: &Range,
    work_dim: u32,
    encoded: &Encoded,
) -> Result<(u64, Option<u64>)> {
    let mut pipelines = kernel.pipelines.lock().map_err(|_| Error::Internal("pipeline lock poisoned".into()))?;
    let interface = &kernel.program.interface;
    let mut key = PipelineKey {
        local_size: range.local,
        work_dim,
        locals: encoded.locals.clone(),
        global_offset: interface.global_offset_spec_ids.map(|_| range.offset.map(|offset| offset as u32)),
    };
    let mut push = encoded.push.clone();
    write_range(kernel, range, &mut push);

    let mut regions = range.regions().peekable();
    let mut count = 0;
    let mut batch = Vec::new();
    let mut ticks = Some(0);
    while regions.peek().is_some() {
        batch.clear();
        for region in regions.by_ref().take(BATCH) {
            key.local_size = region.local;
            batch.push((kernel.pipeline(&mut pipelines, &key)?, region));
        }
        count += batch.len() as u64;
        queue.run(|recording| record(kernel, recording, &batch, &mut push))?;
        // One pair of timestamps a submission: waiting between them is not the kernel's time.
        ticks = match (ticks, queue.elapsed_ticks()?) {
            (Some(sum), Some(more)) => Some(sum + more),
            _ => None,
        };
    }
    Ok((count, ticks))
}

fn record(kernel: &KernelShared, recording: &Recording<'_>, batch: &[(vk::Pipeline, Region)], push: &mut [u8]) {
    let (device, commands) = (recording.device, recording.commands);
    let compute = vk::PipelineBindPoint::COMPUTE;
    let layout = kernel.layout.raw.raw;
    recording.start_timer();
    if !kernel.layout.sets.is_empty() {
        // SAFETY: the sets are complete and of this layout.
        unsafe { device.cmd_bind_descriptor_sets(commands, compute, layout, 0, &kernel.layout.sets, &[]) };
    }
    let mut bound = vk::Pipeline::null();
    for (pipeline, region) in batch {
        write_region(kernel, region, push);
        // SAFETY: the pipeline has this layout; the push constants fill its range; group counts are within limits.
        unsafe {
            if *pipeline != bound {
                device.cmd_bind_pipeline(commands, compute, *pipeline);
                bound = *pipeline;
            }
            if !push.is_empty() {
                device.cmd_push_constants(commands, layout, vk::ShaderStageFlags::COMPUTE, 0, push);
            }
            let [x, y, z] = region.groups;
            device.cmd_dispatch(commands, x, y, z);
        }
    }
    recording.stop_timer();
}

/// Writes what is the same for all regions.
fn write_range(kernel: &KernelShared, range: &Range, push: &mut [u8]) {
    let interface = &kernel.program.interface;
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
        write_words(push, constant.offset, constant.size, value);
    }
    let data = interface.program_data.iter().zip(&kernel.program.data).map(|(data, buffer)| (data.binding, buffer));
    let printer = kernel.program.printer.as_ref().map(|printer| (printer.binding, &printer.buffer));
    for (binding, buffer) in data.chain(printer) {
        if let ProgramDataBinding::PushConstantPointer { offset, .. } = binding {
            let address = buffer.device_address().unwrap_or(0).to_le_bytes();
            if let Some(place) = push.get_mut(offset as usize..).and_then(|rest| rest.first_chunk_mut::<8>()) {
                *place = address;
            }
        }
    }
}

/// Writes what differs between regions.
fn write_region(kernel: &KernelShared, region: &Region, push: &mut [u8]) {
    for constant in &kernel.program.interface.push_constants {
        let value = match constant.kind {
            PushConstantKind::RegionOffset => region.first_id,
            PushConstantKind::RegionGroupOffset => region.first_group,
            _ => continue,
        };
        write_words(push, constant.offset, constant.size, value);
    }
}

/// Three 32-bit words, or as many as there is room for.
fn write_words(push: &mut [u8], offset: u32, size: u32, value: [u64; 3]) {
    let place = push.get_mut(offset as usize..).unwrap_or_default();
    let length = place.len().min(size as usize);
    for (to, word) in place[..length].chunks_exact_mut(4).zip(value) {
        to.copy_from_slice(&(word as u32).to_le_bytes());
    }
}
