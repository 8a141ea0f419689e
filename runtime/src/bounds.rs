//! Checked accesses: the ranges that a launch may reach, and what was outside of them. See
//! [`clforge_compiler::interface::bounds`] for the buffer.

use crate::kernel::KernelShared;
use crate::{Arg, Buffer, Device, Error, Queue, Result};
use clforge_compiler::interface::bounds::{AccessKind, AccessSite, Bounds, FAULT_BYTES, FAULTS, FIRST_FAULT, RANGES};
use clforge_compiler::interface::{ArgumentBinding, ModuleInterface};
use std::fmt;
use std::sync::Mutex;

/// Arguments that a module is believed to have.
const MAX_RANGES: u32 = 1 << 16;

/// An access outside of the memory that a kernel was given. It read zeros or wrote nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutOfRange {
    /// The kernel.
    pub kernel: String,
    /// File, line, column, size and kind.
    pub site: AccessSite,
    /// Global id of the work-item.
    pub work_item: [u32; 3],
    /// Device address of the first byte.
    pub address: u64,
    /// The range that is meant, or is nearest: an argument's number, with its first address and its end.
    pub nearest: Option<(u32, u64, u64)>,
}

impl fmt::Display for OutOfRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let AccessSite { file, line, column, bytes, kind, variable, .. } = &self.site;
        let kind = match kind {
            AccessKind::Read => "read",
            AccessKind::Write => "write",
            AccessKind::Atomic => "atomic access",
        };
        let ([x, y, z], plural) = (self.work_item, if *bytes == 1 { "" } else { "s" });
        write!(
            f,
            "{file}:{line}:{column}: out-of-range {kind} of {bytes} byte{plural} by kernel '{}', work-item ({x},{y},{z})",
            self.kernel
        )?;
        match self.nearest {
            _ if !variable.is_empty() => write!(f, ", outside of the variable '{variable}'"),
            None => write!(f, ", at address {:#x}", self.address),
            Some((index, first, end)) if first == end => write!(f, ", in argument {index}, which is null or empty"),
            Some((index, first, _)) if self.address < first => {
                write!(f, ", {} bytes before argument {index}", first - self.address)
            }
            Some((index, _, end)) if self.address >= end => {
                write!(f, ", {} bytes past argument {index}", self.address - end)
            }
            Some((index, _, end)) => {
                let over = self.address.saturating_add((*bytes).into()).saturating_sub(end);
                write!(f, ", the last {over} of them past argument {index}")
            }
        }
    }
}

/// What was out of range in one launch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LaunchReport {
    /// The first accesses, by place in the source and work-item.
    pub accesses: Vec<OutOfRange>,
    /// How many there were.
    pub total: u32,
}

impl fmt::Display for LaunchReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, access) in self.accesses.iter().enumerate() {
            let newline = if index == 0 { "" } else { "\n" };
            write!(f, "{newline}{access}")?;
        }
        match (self.total as usize).saturating_sub(self.accesses.len()) {
            0 => Ok(()),
            more => write!(f, "\nand {more} more"),
        }
    }
}

/// Takes reports.
type Output = Box<dyn FnMut(&LaunchReport) + Send>;

/// The buffer of a program that checks its accesses.
pub(crate) struct Checker {
    pub offset: u32,
    pub buffer: Buffer,
    bounds: Bounds,
    output: Mutex<Option<Output>>,
    /// For one launch at a time, since the buffer is the program's.
    turn: Mutex<()>,
}

impl Checker {
    /// `None` for a program that checks nothing.
    pub fn new(device: &Device, interface: &ModuleInterface) -> Result<Option<Checker>> {
        let Some(bounds) = interface.bounds.clone() else { return Ok(None) };
        let most = interface.kernels.iter().map(|kernel| kernel.argument_count()).max().unwrap_or(0);
        if bounds.ranges > MAX_RANGES || most.saturating_add(2) > bounds.ranges {
            return Err(Error::WrongModule(format!("it checks {} ranges of {most} arguments", bounds.ranges)));
        }
        let buffer = Buffer::zeroed(device, bounds.buffer_size())?;
        let offset = bounds.offset;
        Ok(Some(Checker { offset, buffer, bounds, output: Mutex::default(), turn: Mutex::default() }))
    }

    /// Sends reports elsewhere.
    pub fn set_output(&self, output: Output) -> Result<()> {
        *self.output.lock().map_err(|_| poisoned())? = Some(output);
        Ok(())
    }

    /// Makes a launch with these arguments, waits for it and tells what was out of range.
    pub fn around<T>(
        &self,
        queue: &Queue,
        kernel: &KernelShared,
        args: &[Arg<'_>],
        launch: impl FnOnce() -> Result<T>,
    ) -> Result<T> {
        let ranges = self.ranges(kernel, args)?;
        let turn = self.turn.lock().map_err(|_| poisoned())?;
        let bytes: Vec<u8> =
            ranges.iter().flat_map(|(first, end)| [first.to_le_bytes(), end.to_le_bytes()]).flatten().collect();
        queue.write(&self.buffer, RANGES.into(), &bytes)?;
        queue.write(&self.buffer, 0, &[0; 4])?;
        let launched = launch()?;
        let mut faults = vec![0; RANGES as usize];
        queue.read(&self.buffer, 0, &mut faults)?;
        // Who takes the report may launch more.
        drop(turn);
        let report = self.report(kernel, &ranges, &faults)?;
        if report.total > 0 {
            match &mut *self.output.lock().map_err(|_| poisoned())? {
                Some(output) => output(&report),
                None => return Err(Error::OutOfRange(Box::new(report))),
            }
        }
        Ok(launched)
    }

    /// First address and end of what each argument is, of the program's data and of the buffer of `printf`.
    fn ranges(&self, kernel: &KernelShared, args: &[Arg<'_>]) -> Result<Vec<(u64, u64)>> {
        let mut ranges = vec![(0, 0); self.bounds.ranges as usize];
        let range = |buffer: &Buffer| {
            let first = buffer.device_address().unwrap_or(0);
            (first, first.saturating_add(buffer.size()))
        };
        for argument in &kernel.interface().arguments {
            let pointer = matches!(
                argument.binding,
                ArgumentBinding::PointerPushConstant { .. } | ArgumentBinding::PointerUniform { .. }
            );
            let index = argument.ordinal as usize;
            let (true, Some(arg), Some(place)) = (pointer, args.get(index), ranges.get_mut(index)) else { continue };
            match arg {
                Arg::Buffer(buffer) | Arg::BufferAt(buffer, _) => *place = range(buffer),
                Arg::Address(_) => {
                    let text = format!("argument {index} is a device address of unknown size, which cannot be checked");
                    return Err(Error::Launch(text));
                }
                // What is of another kind is found when the arguments are encoded.
                _ => {}
            }
        }
        let program = &kernel.program;
        let printer = program.printer.as_ref().map(|printer| &printer.buffer);
        for (place, buffer) in ranges.iter_mut().rev().zip([printer, program.data.first()]) {
            *place = buffer.map_or((0, 0), range);
        }
        Ok(ranges)
    }

    fn report(&self, kernel: &KernelShared, ranges: &[(u64, u64)], bytes: &[u8]) -> Result<LaunchReport> {
        let words: Vec<u32> = bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
        let total = words.first().copied().unwrap_or(0);
        let records = words.get(FIRST_FAULT as usize / 4..).unwrap_or_default();
        let records = records.chunks_exact(FAULT_BYTES as usize / 4).take(total.min(FAULTS) as usize);
        let mut accesses = Vec::new();
        for record in records {
            let &[site, _, low, high, x, y, z, _] = record else { continue };
            let Some(site) = self.bounds.sites.get(site as usize) else {
                return Err(Error::WrongModule(format!(
                    "its kernel reports access {site}, which it does not describe"
                )));
            };
            let address = u64::from(high) << 32 | u64::from(low);
            let (kernel, site, work_item) = (kernel.interface().name.clone(), site.clone(), [x, y, z]);
            let nearest = nearest(&site, ranges, address);
            accesses.push(OutOfRange { kernel, site, work_item, address, nearest });
        }
        accesses.sort_by_key(|access| {
            let [x, y, z] = access.work_item;
            (access.site.line, access.site.column, z, y, x, access.address)
        });
        Ok(LaunchReport { accesses, total })
    }
}

/// The range of the site's argument, or the nearest of all arguments'.
fn nearest(site: &AccessSite, ranges: &[(u64, u64)], address: u64) -> Option<(u32, u64, u64)> {
    let arguments = ranges.get(..ranges.len().saturating_sub(2)).unwrap_or_default();
    if let Some(index) = site.argument {
        let (first, end) = arguments.get(index as usize)?;
        return Some((index, *first, *end));
    }
    let distance = |(first, end): &(u64, u64)| first.saturating_sub(address).max(address.saturating_sub(*end));
    let given = arguments.iter().enumerate().filter(|(_, (first, end))| first < end);
    given.min_by_key(|(_, range)| distance(range)).map(|(index, (first, end))| (index as u32, *first, *end))
}

fn poisoned() -> Error {
    Error::Internal("lock of a program's checks poisoned".into())
}
