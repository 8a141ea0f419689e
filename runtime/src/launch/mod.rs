//! Launches: an ND-range as dispatches.

mod local_size;
mod record;
mod regions;
mod sub_groups;

pub(crate) use record::Scratch;

use crate::kernel::{Arg, Encoded, KernelShared, encode};
use crate::printf::printer_of;
use crate::queue::{Event, Queue, Session, Use};
use crate::{Error, Result};
use clforge_compiler::interface::PushConstantKind;
use regions::Range;
use spirv::BuiltIn;
use std::sync::Arc;
use std::time::{Duration, Instant};

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
    /// Work-items of a sub-group, on devices that have several sizes; `None` leaves the choice to the kernel's attribute
    /// `intel_reqd_sub_group_size` or to the device.
    pub sub_group_size: Option<u32>,
}

impl Launch {
    /// A global size of up to three dimensions, the local size left to the runtime, no offset.
    pub fn new(global: &[u64]) -> Launch {
        let mut size = [1; 3];
        size.iter_mut().zip(global).for_each(|(to, from)| *to = *from);
        Launch { global: size, local: None, offset: [0; 3], dims: global.len() as u32, sub_group_size: None }
    }

    /// With a local size; dimensions that are not given are 1.
    #[must_use]
    pub fn local(mut self, local: &[u32]) -> Launch {
        let mut size = [1; 3];
        size.iter_mut().zip(local).for_each(|(to, from)| *to = *from);
        self.local = Some(size);
        self
    }

    /// With sub-groups of this size: one of [`crate::Limits::subgroup_size_range`].
    #[must_use]
    pub fn sub_group_size(mut self, size: u32) -> Launch {
        self.sub_group_size = Some(size);
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

/// A launch in a queue.
pub(crate) struct Enqueued {
    pub event: Event,
    pub local_size: [u32; 3],
    pub dispatches: u64,
}

/// Runs a kernel on the device's own queue and waits for it.
pub(crate) fn launch(kernel: &KernelShared, launch: &Launch, args: &[Arg<'_>]) -> Result<Timings> {
    let enqueued = enqueue(&kernel.program.device.queue(), kernel, launch, args)?;
    if enqueued.dispatches == 0 {
        return Ok(Timings::default());
    }
    let start = Instant::now();
    enqueued.event.wait()?;
    let host = start.elapsed();
    let device = enqueued.event.times()?.device();
    Ok(Timings { device, host, local_size: enqueued.local_size, dispatches: enqueued.dispatches })
}

/// Checks everything, then records the launch; kernels that print are waited for.
pub(crate) fn enqueue(queue: &Queue, kernel: &KernelShared, launch: &Launch, args: &[Arg<'_>]) -> Result<Enqueued> {
    if !Arc::ptr_eq(queue.shared.device(), &kernel.program.device.shared.raw) {
        return Err(Error::Launch("the queue and the kernel belong to different devices".into()));
    }
    match printer_of(kernel.program.printer.as_ref(), kernel.interface()) {
        Some(printer) => printer.around(queue, || record_in(queue, kernel, launch, args)),
        None => record_in(queue, kernel, launch, args),
    }
}

fn record_in(queue: &Queue, kernel: &KernelShared, launch: &Launch, args: &[Arg<'_>]) -> Result<Enqueued> {
    let mut session = Session::start(&queue.shared, Use::Kernel);
    // Out of the queue's state while the queue is used.
    let mut scratch = std::mem::take(session.scratch());
    let recorded = enqueue_with(&mut session, &mut scratch, kernel, launch, args);
    *session.scratch() = scratch;
    let (local_size, dispatches) = recorded?;
    Ok(Enqueued { event: session.finish()?, local_size, dispatches })
}

/// Returns the local size and the number of dispatches.
fn enqueue_with(
    session: &mut Session<'_>,
    scratch: &mut Scratch,
    kernel: &KernelShared,
    launch: &Launch,
    args: &[Arg<'_>],
) -> Result<([u32; 3], u64)> {
    let (global, offset) = normalise(launch)?;
    encode(kernel, args, &mut scratch.encoded)?;
    if global.contains(&0) {
        return Ok(([1; 3], 0));
    }
    let local = local_size::choose(kernel, launch, global)?;
    let sub_groups = sub_groups::choose(kernel, launch, local)?;
    check_shared_memory(kernel, &scratch.encoded)?;
    let max_groups = kernel.program.device.info().limits.max_work_group_count;
    let range = Range { global, offset, local, max_groups };
    check_regions(kernel, &range)?;
    Ok((local, record::record(session, scratch, kernel, &range, launch.dims, sub_groups)?))
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
    let fixed = kernel.program.scan.local_bytes(&kernel.entry, &kernel.program.interface);
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
