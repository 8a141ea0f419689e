//! Launching: all checks, then the recording.

use super::checked_ranges::checked_ranges;
use super::descendants::{self, Launcher};
use super::iterations::may_be_many;
use super::local_size;
use super::nd_range::{Launch, Timings};
use super::record::{Settings, record};
use super::regions::Range;
use super::sub_groups;
use crate::bounds::AddressRange;
use crate::error::{Error, Result};
use crate::narrow::to_u32;
use crate::program::{Arg, Encoded, Kernel, KernelShared, Scratch, encode, overlap};
use crate::queue::Queue;
use crate::submission::{Event, Record, Session, Use};
use crate::vulkan::RawDevice;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A launch in a queue.
struct Enqueued {
    event: Event,
    /// When everything but the end of the launch was recorded, in a queue with profiling: [`Kernel::launch`], whose queue is one,
    /// measures from then on.
    recorded: Option<Instant>,
    /// When the host saw it complete, for kernels that are waited for before what they have written is read back.
    completed: Option<Instant>,
    local_size: [u32; 3],
    dispatches: u64,
}

impl Kernel {
    /// The local size that a launch has: the one that it asks for or the kernel requires, or the runtime's choice.
    ///
    /// # Errors
    /// [`Error::Launch`], [`Error::Limit`].
    pub fn local_size(&self, launch: &Launch) -> Result<[u64; 3]> {
        let (global, _) = normalise(launch)?;
        Ok(local_size::choose(&self.shared, launch, global.map(|size| size.max(1)))?.map(u64::from))
    }

    /// Whether the kernel's ids can be those of an ND-range. One that [`Launch::needs_wide_ids`] needs a program that
    /// was compiled with [`clforge_compiler::CodegenOptions::wide_ids`], or that was made of a source, of units or of a
    /// module for OpenCL: that is compiled again at its first such launch.
    pub fn allows(&self, launch: &Launch) -> bool {
        !launch.needs_wide_ids() || self.shared.rules.has_wide_ids || self.shared.module.allows_wide_ids()
    }

    /// Whether [`Queue::launch`] most likely returns within microseconds: the driver has compiled the kernel, for an earlier launch
    /// or for this one's local size, and nothing waits for what it prints or for its reports.
    pub fn launches_at_once(&self, launch: &Launch) -> bool {
        let general = self.shared.general.get();
        let was_launched = |kernel: &KernelShared| kernel.pipelines.launched().is_some();
        let is_compiled = || {
            let local = self.local_size(launch);
            local.is_ok_and(|local| self.shared.pipelines.is_compiled_for_size(local.map(to_u32)))
        };
        !is_waited_for(&self.shared)
            && (was_launched(&self.shared)
                || general.is_some_and(|kernel| was_launched(kernel))
                || general.is_none() && is_compiled())
    }

    /// Lets the driver compile the kernel for a launch, without executing it, and returns how long that took: the first launch
    /// does so otherwise. Some drivers compile when a pipeline is made, others when it is used first.
    ///
    /// # Errors
    /// As for [`Kernel::launch`].
    pub fn prepare(&self, launch: &Launch, args: &[Arg<'_>]) -> Result<Duration> {
        let variant = variant(&self.shared, launch, args)?;
        let kernel = variant.as_ref().unwrap_or(&self.shared);
        let start = Instant::now();
        let recorded = record_in(
            &kernel.module.device.queue(),
            kernel,
            Call { launch, reached: &[], start, queue_memory: None, is_empty: true },
            args,
        )?;
        wait_for(&recorded.event, kernel, (launch, start))?;
        Ok(start.elapsed())
    }

    /// Runs the kernel once, on the device's own queue, and waits for it.
    ///
    /// The local size need not divide the global size: remainder work-groups, which are smaller, execute the rest of the
    /// ND-range. A second launch with the same local size and the same sizes of `local` arguments compiles nothing and
    /// allocates nothing on the device.
    ///
    /// # Errors
    /// [`Error::ArgumentCount`], [`Error::ArgumentKind`], [`Error::ArgumentSize`], [`Error::Limit`],
    /// [`Error::SubGroupSize`], [`Error::Unsupported`], [`Error::Launch`], all before anything is executed;
    /// [`Error::BoundsCheck`] afterwards, in a program that checks its accesses; [`Error::CompileTimeout`],
    /// [`Error::LaunchTimeout`]; [`Error::LoopEnded`];
    /// [`Error::DeviceLost`], [`Error::Allocation`] and [`Error::Vulkan`] when the device fails.
    pub fn launch(&self, launch: &Launch, args: &[Arg<'_>]) -> Result<Timings> {
        let kernel = &self.shared;
        let start = Instant::now();
        let enqueued = enqueue(&kernel.module.device.queue(), kernel, (launch, &[]), args)?;
        if enqueued.dispatches == 0 {
            return Ok(Timings::default());
        }
        wait_for(&enqueued.event, kernel, (launch, start))?;
        let completed = enqueued.completed.unwrap_or_else(Instant::now);
        let times = enqueued.event.times()?;
        // The first of several submissions begins while the others are recorded.
        let start = times.submitted.into_iter().chain(enqueued.recorded).min();
        let host = start.map_or(Duration::ZERO, |start| completed.saturating_duration_since(start));
        Ok(Timings {
            device: times.device(),
            host,
            local_size: enqueued.local_size.map(u64::from),
            dispatches: enqueued.dispatches,
        })
    }
}

impl Queue {
    /// Launches a kernel. Arguments by value are copied before the function returns; buffers and images must not be mapped.
    /// See [`Kernel::launch`] for the rules of sizes.
    ///
    /// The function waits for a kernel that prints, and passes on what it printed: see [`crate::Program::on_print`]. It also
    /// waits for a kernel that checks its accesses: see [`crate::Program::on_out_of_range`].
    ///
    /// After the first launches of a queue, the second launch of a kernel with the same local size and sizes of `local` arguments
    /// allocates nothing.
    ///
    /// # Errors
    /// As for [`Kernel::launch`]; an invalid launch is reported before anything is queued.
    pub fn launch(&self, kernel: &Kernel, range: &Launch, args: &[Arg<'_>]) -> Result<Event> {
        self.launch_reaching(kernel, range, args, &[])
    }

    /// The same for a kernel that reaches further memory by pointers that it finds in memory, such as the nodes of a list: the
    /// addresses of the first byte and behind the last byte of each allocation. Kernels that check their accesses would report
    /// them otherwise. The allocations must live until the launch has ended.
    ///
    /// # Errors
    /// As for [`Queue::launch`].
    pub fn launch_reaching(
        &self,
        kernel: &Kernel,
        range: &Launch,
        args: &[Arg<'_>],
        reached: &[(u64, u64)],
    ) -> Result<Event> {
        Ok(enqueue(self, &kernel.shared, (range, reached), args)?.event)
    }
}

/// What the parts of a launch need besides the kernel and its arguments.
#[derive(Clone, Copy)]
pub(super) struct Call<'l> {
    pub launch: &'l Launch,
    /// Memory that it reaches by pointers that are no arguments.
    pub reached: &'l [AddressRange],
    /// When it began.
    pub start: Instant,
    /// See [`Settings::queue_memory`].
    pub queue_memory: Option<u64>,
    /// See [`Settings::is_empty`].
    pub is_empty: bool,
}

/// Whether the host waits for launches of a kernel: for what it prints, reports or enqueues.
pub(super) fn is_waited_for(kernel: &KernelShared) -> bool {
    kernel.module.checker.is_some() || kernel.printer().is_some() || kernel.interface().enqueues
}

/// Checks that a kernel belongs to a device.
///
/// # Errors
/// [`Error::Launch`].
pub(super) fn check_device(kernel: &KernelShared, device: &Arc<RawDevice>) -> Result<()> {
    if Arc::ptr_eq(device, &kernel.module.device.shared.raw) {
        return Ok(());
    }
    Err(Error::Launch("the queue and the kernel belong to different devices".into()))
}

/// Launches a kernel. If it enqueues others, it is waited for, and so is all that it and they have enqueued.
fn enqueue(
    queue: &Queue,
    kernel: &Arc<KernelShared>,
    (launch, reached): (&Launch, &[AddressRange]),
    args: &[Arg<'_>],
) -> Result<Enqueued> {
    let start = Instant::now();
    if !kernel.interface().enqueues {
        let call = Call { launch, reached, start, queue_memory: None, is_empty: false };
        return enqueue_alone(queue, kernel, call, args);
    }
    let memory = kernel.module.queues.take(queue.device())?;
    let mut memory = memory.hold(queue, launch.has_default_queue)?;
    let call = Call { launch, reached, start, queue_memory: memory.address(), is_empty: false };
    let mut enqueued = enqueue_alone(queue, kernel, call, args)?;
    wait_for(&enqueued.event, kernel, (launch, start))?;
    let variant = variant(kernel, launch, args)?;
    let root = variant.as_ref().unwrap_or(kernel);
    let launcher = Launcher {
        start: &|kernel, range, args, address| {
            let launch = Launch { timeout: launch.timeout, ..*range };
            let call = Call { launch: &launch, reached, start, queue_memory: Some(address), is_empty: false };
            Ok(enqueue_alone(queue, kernel, call, args)?.event)
        },
        wait: &|event| wait_for(event, kernel, (launch, start)),
    };
    descendants::run(queue, (root, args), (&kernel.module.queues, &mut memory), &launcher)?;
    enqueued.completed = Some(Instant::now());
    Ok(enqueued)
}

/// Checks everything, then records the launch. Kernels that print or check their accesses are waited for.
fn enqueue_alone(queue: &Queue, kernel: &Arc<KernelShared>, call: Call<'_>, args: &[Arg<'_>]) -> Result<Enqueued> {
    let Call { launch, reached, start, .. } = call;
    check_device(kernel, queue.stream.device())?;
    let (global, offset) = normalise(launch)?;
    let variant = variant(kernel, launch, args)?;
    let kernel = variant.as_ref().unwrap_or(kernel);
    let wait = || {
        let mut enqueued = record_in(queue, kernel, call, args)?;
        wait_for(&enqueued.event, kernel, (launch, start))?;
        enqueued.completed = Some(Instant::now());
        Ok(enqueued)
    };
    let print = || match kernel.printer() {
        Some(printer) => printer.around(queue, wait),
        None => wait(),
    };
    match &kernel.module.checker {
        Some(checker) => {
            let memory = checked_ranges(kernel, checker, (global, offset), args, reached)?;
            let print = || print().map(|enqueued| (enqueued.local_size, enqueued)).map(|(size, done)| (done, size));
            checker.around(queue, &memory, print)
        }
        None if kernel.printer().is_some() => print(),
        None => record_in(queue, kernel, call, args),
    }
}

/// The kernel with ids of 64 bits, for a launch that needs them, or the one for all launches, if the arguments overlap or loops may
/// make too many iterations; `None` where the kernel itself will do.
pub(super) fn variant(kernel: &KernelShared, launch: &Launch, args: &[Arg<'_>]) -> Result<Option<Arc<KernelShared>>> {
    if !launch.needs_wide_ids() || kernel.rules.has_wide_ids {
        let overlaps = kernel.rules.distinct.as_ref().is_some_and(|distinct| overlap(distinct, args));
        let needs_general = overlaps || may_be_many(kernel, launch, args);
        return if needs_general { kernel.general().map(Some) } else { Ok(None) };
    }
    if kernel.module.allows_wide_ids() {
        return kernel.wide();
    }
    let limit = u64::from(u32::MAX);
    let end = |d: usize| launch.offset[d].saturating_add(launch.global[d]);
    let (d, requested) =
        (0..launch.dims.min(3) as usize).map(|d| (d, end(d))).max_by_key(|(_, end)| *end).unwrap_or_default();
    let name = &kernel.interface().name;
    let what = format!(
        "end of the ND-range in dimension {d} (kernel '{name}' was compiled for global ids of 32 bits, without the option --wide-ids)"
    );
    Err(Error::Limit { what, limit, requested })
}

/// Waits for a launch that has begun at a time, as long as it may take.
fn wait_for(event: &Event, kernel: &KernelShared, (launch, start): (&Launch, Instant)) -> Result<()> {
    let Some(limit) = launch.timeout else { return event.wait() };
    event.wait_timeout(limit.saturating_sub(start.elapsed())).map_err(|error| match error {
        Error::Timeout(_) => Error::LaunchTimeout { kernel: kernel.interface().name.clone(), limit },
        other => other,
    })
}

fn record_in(queue: &Queue, kernel: &Arc<KernelShared>, call: Call<'_>, args: &[Arg<'_>]) -> Result<Enqueued> {
    let mut session = Session::start(&queue.stream, Use::Kernel);
    let recorded = kernel.with_scratch(|scratch| enqueue_with(&mut session, scratch, kernel, call, args));
    let (local_size, dispatches) = recorded?;
    // Before the end is recorded, which may submit.
    let recorded = queue.stream.is_profiling().then(Instant::now);
    Ok(Enqueued { event: session.finish()?, recorded, completed: None, local_size, dispatches })
}

/// Checks and records a launch. Returns the local size and the number of dispatches.
///
/// # Errors
/// Those of [`Kernel::launch`] before anything is executed.
pub(super) fn enqueue_with<R: Record>(
    session: &mut R,
    scratch: &mut Scratch,
    kernel: &Arc<KernelShared>,
    call: Call<'_>,
    args: &[Arg<'_>],
) -> Result<([u32; 3], u64)> {
    let Call { launch, start, queue_memory, is_empty, .. } = call;
    let (global, offset) = normalise(launch)?;
    encode(kernel, args, &mut scratch.encoded)?;
    if global.contains(&0) {
        return Ok(([1; 3], 0));
    }
    let local = local_size::choose(kernel, launch, global)?;
    let sub_groups = sub_groups::choose(kernel, launch, local)?;
    check_shared_memory(kernel, &scratch.encoded)?;
    let max_groups = kernel.module.device.info().limits.max_work_group_count;
    let range = Range { global, offset, local, max_groups };
    let single = range.single();
    check_regions(kernel, &range, single.is_some())?;
    if single.is_none() {
        check_groups(&range)?;
    }
    let limit = launch.timeout.map(|limit| (start, limit));
    let settings = Settings { work_dim: launch.dims, sub_group_size: sub_groups, limit, queue_memory, is_empty };
    Ok((local, record(session, scratch, kernel, (&range, single), &settings)?))
}

/// Global size and offset, with 1 and 0 past `dims`. Ids must fit 64 bits.
fn normalise(launch: &Launch) -> Result<([u64; 3], [u64; 3])> {
    if !(1..=3).contains(&launch.dims) {
        return Err(Error::Launch(format!("an ND-range has 1, 2 or 3 dimensions, not {}", launch.dims)));
    }
    let (mut global, mut offset) = (launch.global, launch.offset);
    for d in 0..3 {
        if d >= launch.dims as usize {
            (global[d], offset[d]) = (1, 0);
        }
        if global[d].checked_add(offset[d]).is_none() {
            let what = format!("size of the ND-range in dimension {d}, behind the offset of {}", offset[d]);
            return Err(Error::Limit { what, limit: u64::MAX - offset[d], requested: global[d] });
        }
    }
    Ok((global, offset))
}

/// Checks that the numbers of work-groups fit 32 bits, which group ids have.
fn check_groups(range: &Range) -> Result<()> {
    let limit = u64::from(u32::MAX);
    for (d, requested) in range.group_count().into_iter().enumerate() {
        if requested > limit {
            return Err(Error::Limit { what: format!("work-groups in dimension {d}"), limit, requested });
        }
    }
    Ok(())
}

/// Checks that `local` arguments and local variables fit the device's local memory.
fn check_shared_memory(kernel: &KernelShared, encoded: &Encoded) -> Result<()> {
    let limit = u64::from(kernel.module.device.info().limits.max_shared_memory);
    let requested = kernel.rules.local_bytes.saturating_add(encoded.local_bytes);
    if requested > limit {
        let what = format!("bytes of local memory of kernel '{}'", kernel.interface().name);
        return Err(Error::Limit { what, limit, requested });
    }
    Ok(())
}

/// Checks that the module supports regions and an offset, if the launch has them: it must read the push constants that
/// distinguish regions. `is_single`: whether the range has one region only.
fn check_regions(kernel: &KernelShared, range: &Range, is_single: bool) -> Result<()> {
    let rules = &kernel.rules;
    let name = &kernel.interface().name;
    if range.offset != [0; 3] && !rules.supports_offset {
        return Err(Error::Launch(format!("kernel '{name}' was compiled without support for a global offset")));
    }
    if is_single {
        return Ok(());
    }
    let fixed_size = !rules.local_size_is_specialised && !range.divides();
    if !rules.supports_regions || fixed_size {
        let [x, y, z] = range.global;
        let [lx, ly, lz] = range.local;
        return Err(Error::Launch(format!(
            "kernel '{name}' was compiled for global sizes that are a multiple of the local size, but \
             {x}x{y}x{z} is not one of {lx}x{ly}x{lz}, or is too large for one dispatch"
        )));
    }
    Ok(())
}
