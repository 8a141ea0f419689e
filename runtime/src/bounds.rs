//! Sanitizers: the buffer with the ranges that a launch may access, and with the mistakes that were found. See
//! [`clforge_compiler::interface::bounds`] for the layout.
//!
//! What was found is grouped by source location (`report.rs`). It is an error, or is passed to
//! `Program::on_out_of_range`. A launch of a kernel with sanitizers is waited for.

use crate::buffer::Buffer;
use crate::device::Device;
use crate::error::{Error, Result};
use crate::narrow::{low_u32, to_u32, to_usize};
use crate::queue::Queue;
use crate::report::{AccessTarget, ArgumentRange, LaunchReport, OutOfRangeAccess, PlaceReport};
use crate::shadows::{self, Shadows};
use crate::suppressions;
use clforge_compiler::interface::ModuleInterface;
use clforge_compiler::interface::bounds::{
    AccessSite, Bounds, Check, FAULT_BYTES, FIRST_FAULT, MOST_REACHED, Memory, NO_END, RANGES, REACHED, SITE_BYTES,
    SITE_COUNT, checksum,
};
use std::sync::{Arc, Mutex};

/// The most mistakes of a site that are told.
const MOST_TOLD: usize = 8;
/// Most ranges that a module may check.
const MAX_RANGES: u32 = 1 << 16;

/// First address, and the address behind the last byte. Both are 0 for memory that must not be accessed.
pub(crate) type AddressRange = (u64, u64);

/// The memory that a launch may access.
pub(crate) struct LaunchMemory<'k> {
    /// Name of the kernel.
    pub kernel: &'k str,
    /// The range of each argument, then those of the program's data and of the buffer of `printf`.
    pub ranges: Vec<AddressRange>,
    /// Further ranges, which the kernel reaches by pointers that are no arguments.
    pub reached: Vec<AddressRange>,
    /// The names of the arguments, in order, as far as they are known.
    pub names: Vec<String>,
    /// The sizes of arguments that are images.
    pub images: Vec<Option<[u32; 3]>>,
    /// Global id of the first work-item.
    pub first_id: [u64; 3],
    /// The global size.
    pub global: [u64; 3],
    /// Bytes of local memory of a work-group, at most.
    pub local_bytes: u64,
}

impl LaunchMemory<'_> {
    /// The ranges that kernels of the program write: those of arguments, and of the program's data.
    fn shared(&self) -> &[AddressRange] {
        self.ranges.split_last().map_or(&[], |(_printer, others)| others)
    }
}

/// A function that receives reports.
type Output = Box<dyn FnMut(&LaunchReport) + Send>;

/// The buffer of a program that checks its accesses, and the receiver of reports.
pub(crate) struct Checker {
    /// Offset in bytes of the push constant that holds the address of the buffer.
    pub offset: u32,
    pub buffer: Buffer,
    bounds: Bounds,
    shadows: Mutex<Shadows>,
    output: Arc<Mutex<Option<Output>>>,
    /// Locked during a launch: the program has one buffer for all its launches. Whether something may be recorded in it.
    launch_lock: Mutex<bool>,
}

impl Checker {
    /// `None` for a program that does not check its accesses.
    ///
    /// # Errors
    /// [`Error::UnusableModule`], and those of [`Buffer::zeroed`].
    pub fn new(device: &Device, interface: &ModuleInterface) -> Result<Option<Checker>> {
        let Some(bounds) = interface.bounds.clone() else { return Ok(None) };
        let most = interface.kernels.iter().map(|kernel| kernel.argument_count()).max().unwrap_or(0);
        if bounds.ranges > MAX_RANGES || most.saturating_add(2) > bounds.ranges {
            return Err(Error::UnusableModule(format!("it checks {} ranges of {most} arguments", bounds.ranges)));
        }
        let buffer = Buffer::zeroed(device, bounds.buffer_size())?;
        let offset = bounds.offset;
        let (shadows, output) = (Mutex::default(), Arc::default());
        Ok(Some(Checker { offset, buffer, bounds, shadows, output, launch_lock: Mutex::new(true) }))
    }

    /// Sets the receiver of reports.
    ///
    /// # Errors
    /// [`Error::Internal`] if an earlier receiver has panicked.
    pub fn set_output(&self, output: Output) -> Result<()> {
        *self.output.lock().map_err(|_| poisoned())? = Some(output);
        Ok(())
    }

    /// Lets another checker's receiver be its own.
    pub fn share_output(&mut self, other: &Checker) {
        self.output = other.output.clone();
    }

    /// Number of ranges that the program checks: one for each argument, then the program's data and the buffer of `printf`.
    pub fn range_count(&self) -> u32 {
        self.bounds.ranges
    }

    /// Whether accesses out of range are looked for.
    pub fn needs_ranges(&self) -> bool {
        self.bounds.sites.iter().any(|site| site.check == Check::Bounds)
    }

    /// Writes the ranges that the launch may access, launches, waits, and reports what was found. `launch` returns the local
    /// size, too.
    ///
    /// # Errors
    /// [`Error::BoundsCheck`] for a program without a receiver of reports, [`Error::UnusableModule`]; those of `launch`, and of
    /// transfers.
    pub fn around<T>(
        &self,
        queue: &Queue,
        memory: &LaunchMemory<'_>,
        launch: impl FnOnce() -> Result<(T, [u32; 3])>,
    ) -> Result<T> {
        let mut used = self.launch_lock.lock().map_err(|_| poisoned())?;
        if std::mem::replace(&mut *used, true) {
            queue.fill(&self.buffer, 0, self.bounds.buffer_size(), &[0; 4])?;
            let count = self.bounds.sites.len() as u64;
            // The number and the place, in this order.
            let sites = count | self.bounds.first_site() << 32;
            queue.write(&self.buffer, SITE_COUNT.into(), &sites.to_le_bytes())?;
        }
        let table = self.write_ranges(queue, memory)?;
        if self.bounds.has_shadows {
            let mut shadows = self.shadows.lock().map_err(|_| poisoned())?;
            let places = shadows.prepare(queue, memory.shared(), memory.local_bytes)?;
            queue.write(&self.buffer, self.bounds.shadow(), &places)?;
        }
        let (launched, local) = launch()?;
        drop(table);
        let mut total = [0; 4];
        queue.read(&self.buffer, 0, &mut total)?;
        let total = u32::from_le_bytes(total);
        if total == 0 {
            *used = false;
            return Ok(launched);
        }
        let first = self.bounds.first_site();
        let mut faults = vec![0; to_usize(self.bounds.buffer_size() - first)];
        queue.read(&self.buffer, first, &mut faults)?;
        // The receiver may launch kernels.
        drop(used);
        let (mut places, is_described) = self.places(memory, local, &faults);
        if !is_described {
            return Err(Error::UnusableModule("its kernel reports accesses that it does not describe".into()));
        }
        suppressions::apply(&mut places)?;
        if places.is_empty() {
            return Ok(launched);
        }
        let total = places.iter().fold(0u32, |sum, place| sum.saturating_add(place.count));
        let report = LaunchReport { places, total };
        suppressions::write_report(&report)?;
        match &mut *self.output.lock().map_err(|_| poisoned())? {
            Some(output) => output(&report),
            None => return Err(Error::BoundsCheck(Box::new(report))),
        }
        Ok(launched)
    }

    /// Writes the ranges of a launch. The further ones are in memory of their own, which must live until the launch has ended.
    fn write_ranges(&self, queue: &Queue, memory: &LaunchMemory<'_>) -> Result<Option<Buffer>> {
        let reached = if self.needs_ranges() { disjoint(&memory.reached) } else { Vec::new() };
        let count = to_u32(reached.len());
        if count > MOST_REACHED {
            let text = format!("accesses of {count} allocations that are no arguments cannot be checked");
            return Err(Error::Launch(text));
        }
        let table = match reached[..] {
            [] => None,
            _ => {
                let bytes = bytes_of(&reached);
                let table = Buffer::zeroed(queue.device(), bytes.len() as u64)?;
                queue.write(&table, 0, &bytes)?;
                Some(table)
            }
        };
        let address = table.as_ref().and_then(Buffer::device_address).unwrap_or(0);
        // The place of the further ranges is in front of the others.
        const { assert!(RANGES == REACHED + 16) };
        let place = (address, u64::from(count));
        queue.write(&self.buffer, REACHED.into(), &[bytes_of(&[place]), bytes_of(&memory.ranges)].concat())?;
        Ok(table)
    }

    /// Decodes what was recorded of each site. Sites that are the same in the source, such as the copies of a function that
    /// was inlined, are one place. Also whether there are any, those of benign races among them, which are left out.
    fn places(&self, memory: &LaunchMemory<'_>, local: [u32; 3], bytes: &[u8]) -> (Vec<PlaceReport>, bool) {
        let words: Vec<u32> = bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
        let (mut places, mut is_described): (Vec<PlaceReport>, bool) = (Vec::new(), false);
        for (site, words) in self.bounds.sites.iter().zip(words.chunks_exact(SITE_BYTES as usize / 4)) {
            let count = words.first().copied().unwrap_or(0);
            if count == 0 {
                continue;
            }
            is_described = true;
            if site.check == Check::BenignRace {
                continue;
            }
            let records = words.get(FIRST_FAULT as usize / 4..).unwrap_or_default();
            let records = records.chunks_exact(FAULT_BYTES as usize / 4);
            let accesses = records.filter_map(|record| self.finding(site, memory, local, record));
            let mut accesses: Vec<OutOfRangeAccess> = accesses.filter(|access| !is_benign(access)).collect();
            sort_by_id(&mut accesses);
            accesses.truncate(MOST_TOLD);
            if accesses.is_empty() && site.check.sanitizer() == "race" {
                continue;
            }
            match places.iter_mut().find(|place| place.site == *site) {
                Some(place) => {
                    place.count = place.count.saturating_add(count);
                    place.accesses.extend(accesses);
                }
                None => {
                    let name = site.argument.and_then(|index| memory.names.get(index as usize));
                    places.push(PlaceReport {
                        kernel: memory.kernel.to_string(),
                        site: site.clone(),
                        argument_name: name.cloned().unwrap_or_default(),
                        count,
                        accesses,
                    });
                }
            }
        }
        places.sort_by(|a, b| {
            (&a.site.file, a.site.line, a.site.column).cmp(&(&b.site.file, b.site.line, b.site.column))
        });
        shadows::merge_pairs(&mut places);
        for place in &mut places {
            sort_by_id(&mut place.accesses);
        }
        (places, is_described)
    }

    /// Decodes a record, if it is one.
    fn finding(
        &self,
        site: &AccessSite,
        memory: &LaunchMemory<'_>,
        local: [u32; 3],
        record: &[u32],
    ) -> Option<OutOfRangeAccess> {
        let &[low, high, end_low, end_high, x, y, z, sum] = record else { return None };
        if sum != checksum(&[low, high, end_low, end_high, x, y, z]) {
            return None;
        }
        let what = u64::from(high) << 32 | u64::from(low);
        let end = u64::from(end_high) << 32 | u64::from(end_low);
        let work_item = whole_id(memory.first_id, [x, y, z]);
        let target = match site.check {
            Check::Bounds => out_of_range(site, memory, [low, high, end_low], (what, end)),
            Check::DivisionByZero => AccessTarget::Dividend(what.cast_signed()),
            Check::Conversion => AccessTarget::Number(float(what, site.bytes)),
            Check::Alignment => AccessTarget::Misaligned { remainder: what, alignment: end },
            Check::Barrier => AccessTarget::Arrived { here: low, all: high },
            Check::SubGroupBarrier => AccessTarget::Arrived { here: low, all: end_low },
            Check::NotFinite => {
                let result = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY];
                let result = result.get(to_usize(end)).copied().unwrap_or(f64::NAN);
                AccessTarget::NotFinite { result, operand: float(what, site.bytes) }
            }
            Check::GroupArgument | Check::SubGroupArgument => {
                AccessTarget::Given { here: what.cast_signed(), first: end.cast_signed() }
            }
            Check::SignedOverflow => AccessTarget::Operands(what.cast_signed(), end.cast_signed()),
            Check::ShiftCount | Check::ArrayIndex => {
                AccessTarget::TooGreat { number: what.cast_signed(), limit: end.cast_signed() }
            }
            Check::LocalRace | Check::GlobalRace => {
                let nearest = (site.check == Check::GlobalRace).then(|| nearest(site, memory, end)).flatten();
                let space = shadows::NdRange { first: memory.first_id, global: memory.global, local };
                let (other, other_site) = shadows::other(what, site.check, work_item, space);
                let other_site = self.bounds.sites.get(other_site?).cloned().map(Box::new);
                AccessTarget::Race { address: end, nearest, other, other_site }
            }
            _ => AccessTarget::Nothing,
        };
        Some(OutOfRangeAccess { work_item, target })
    }
}

fn sort_by_id(accesses: &mut [OutOfRangeAccess]) {
    accesses.sort_by_key(|access| {
        let [x, y, z] = access.work_item;
        (z, y, x)
    });
}

/// Whether an access is in conflict with one whose line says that its races are intended.
fn is_benign(access: &OutOfRangeAccess) -> bool {
    let AccessTarget::Race { other_site: Some(other), .. } = &access.target else { return false };
    other.check == Check::BenignRace
}

fn bytes_of(ranges: &[AddressRange]) -> Vec<u8> {
    ranges.iter().flat_map(|(first, end)| [first.to_le_bytes(), end.to_le_bytes()]).flatten().collect()
}

/// The same memory as ranges in the order of their addresses that do not meet.
fn disjoint(ranges: &[AddressRange]) -> Vec<AddressRange> {
    let mut sorted: Vec<AddressRange> = ranges.iter().copied().filter(|(first, end)| first < end).collect();
    sorted.sort_unstable();
    sorted.dedup_by(|next, before| {
        let meets = next.0 < before.1;
        if meets {
            before.1 = before.1.max(next.1);
        }
        meets
    });
    sorted
}

/// The bits of a floating value of so many bytes.
fn float(bits: u64, bytes: u32) -> f64 {
    match bytes {
        8 => f64::from_bits(bits),
        4 => f32::from_bits(low_u32(bits)).into(),
        _ => half::f16::from_bits(u16::try_from(bits & 0xFFFF).unwrap_or(0)).into(),
    }
}

/// What an access out of range has accessed, and what it may.
fn out_of_range(
    site: &AccessSite,
    memory: &LaunchMemory<'_>,
    [low, high, end_low]: [u32; 3],
    (what, end): (u64, u64),
) -> AccessTarget {
    match site.memory {
        Memory::Device => AccessTarget::Address { address: what, nearest: nearest(site, memory, what) },
        Memory::Local | Memory::Private => {
            AccessTarget::Object { offset: what.cast_signed(), size: (end != NO_END).then_some(end) }
        }
        Memory::Image => {
            let size = site.argument.and_then(|index| memory.images.get(index as usize).copied().flatten());
            AccessTarget::Texel { coordinate: [low, high, end_low].map(u32::cast_signed), size }
        }
    }
}

/// The id of which the lower words were recorded: the first one from the ND-range's first on. In a dimension of more than 2^32
/// work-items it may be a later one.
fn whole_id(first: [u64; 3], low: [u32; 3]) -> [u64; 3] {
    [0, 1, 2].map(|d| first[d].saturating_add(low[d].wrapping_sub(low_u32(first[d])).into()))
}

/// The range of the site's argument if that is known, otherwise the range nearest to the address.
fn nearest(site: &AccessSite, memory: &LaunchMemory<'_>, address: u64) -> Option<ArgumentRange> {
    let arguments = memory.ranges.get(..memory.ranges.len().saturating_sub(2)).unwrap_or_default();
    let range = |index: usize, (first, end): AddressRange| {
        let name = memory.names.get(index).cloned().unwrap_or_default();
        ArgumentRange { argument: to_u32(index), name, first, end }
    };
    if let Some(index) = site.argument {
        return arguments.get(index as usize).map(|found| range(index as usize, *found));
    }
    let distance = |(first, end): &(u64, u64)| first.saturating_sub(address).max(address.saturating_sub(*end));
    let given = arguments.iter().enumerate().filter(|(_, (first, end))| first < end);
    given.min_by_key(|(_, range)| distance(range)).map(|(index, found)| range(index, *found))
}

fn poisoned() -> Error {
    Error::Internal("lock of a program's checks poisoned".into())
}
