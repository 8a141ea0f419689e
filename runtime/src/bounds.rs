//! Bounds checks: the buffer with the ranges that a launch may access and with the accesses that were out of range. See
//! [`clforge_compiler::interface::bounds`] for the layout.

use crate::buffer::Buffer;
use crate::device::Device;
use crate::error::{Error, Result};
use crate::queue::Queue;
use crate::report::{LaunchReport, OutOfRange};
use clforge_compiler::interface::ModuleInterface;
use clforge_compiler::interface::bounds::{AccessSite, Bounds, FAULT_BYTES, FAULTS, FIRST_FAULT, RANGES};
use std::sync::Mutex;

/// Most ranges that a module may check.
const MAX_RANGES: u32 = 1 << 16;

/// First address, and the address behind the last byte. Both are 0 for memory that must not be accessed.
pub(crate) type AddressRange = (u64, u64);

/// A function that receives reports.
type Output = Box<dyn FnMut(&LaunchReport) + Send>;

/// The buffer of a program that checks its accesses, and the receiver of reports.
pub(crate) struct Checker {
    /// Offset in bytes of the push constant that holds the address of the buffer.
    pub offset: u32,
    pub buffer: Buffer,
    bounds: Bounds,
    output: Mutex<Option<Output>>,
    /// Locked during a launch: the program has one buffer for all its launches.
    launch_lock: Mutex<()>,
}

impl Checker {
    /// `None` for a program that does not check its accesses.
    ///
    /// # Errors
    /// [`Error::WrongModule`], and those of [`Buffer::zeroed`].
    pub fn new(device: &Device, interface: &ModuleInterface) -> Result<Option<Checker>> {
        let Some(bounds) = interface.bounds.clone() else { return Ok(None) };
        let most = interface.kernels.iter().map(|kernel| kernel.argument_count()).max().unwrap_or(0);
        if bounds.ranges > MAX_RANGES || most.saturating_add(2) > bounds.ranges {
            return Err(Error::WrongModule(format!("it checks {} ranges of {most} arguments", bounds.ranges)));
        }
        let buffer = Buffer::zeroed(device, bounds.buffer_size())?;
        let offset = bounds.offset;
        Ok(Some(Checker { offset, buffer, bounds, output: Mutex::default(), launch_lock: Mutex::default() }))
    }

    /// Sets the receiver of reports.
    ///
    /// # Errors
    /// [`Error::Internal`] if an earlier receiver has panicked.
    pub fn set_output(&self, output: Output) -> Result<()> {
        *self.output.lock().map_err(|_| poisoned())? = Some(output);
        Ok(())
    }

    /// Number of ranges that the program checks: one for each argument, then the program's data and the buffer of `printf`.
    pub fn range_count(&self) -> u32 {
        self.bounds.ranges
    }

    /// Writes the ranges that the launch may access, launches, waits, and reports the accesses that were out of range.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] for a program without a receiver of reports; those of `launch`, and of transfers.
    pub fn around<T>(
        &self,
        queue: &Queue,
        kernel: &str,
        ranges: &[AddressRange],
        launch: impl FnOnce() -> Result<T>,
    ) -> Result<T> {
        let launch_lock = self.launch_lock.lock().map_err(|_| poisoned())?;
        let bytes: Vec<u8> =
            ranges.iter().flat_map(|(first, end)| [first.to_le_bytes(), end.to_le_bytes()]).flatten().collect();
        queue.write(&self.buffer, RANGES.into(), &bytes)?;
        queue.write(&self.buffer, 0, &[0; 4])?;
        let launched = launch()?;
        let mut faults = vec![0; RANGES as usize];
        queue.read(&self.buffer, 0, &mut faults)?;
        // The receiver may launch kernels.
        drop(launch_lock);
        let report = self.report(kernel, ranges, &faults)?;
        if report.total > 0 {
            match &mut *self.output.lock().map_err(|_| poisoned())? {
                Some(output) => output(&report),
                None => return Err(Error::OutOfRange(Box::new(report))),
            }
        }
        Ok(launched)
    }

    /// Decodes the beginning of the buffer.
    fn report(&self, kernel: &str, ranges: &[AddressRange], bytes: &[u8]) -> Result<LaunchReport> {
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
            let (kernel, site, work_item) = (kernel.to_string(), site.clone(), [x, y, z]);
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

/// The range of the site's argument if that is known, otherwise the range nearest to the address.
fn nearest(site: &AccessSite, ranges: &[AddressRange], address: u64) -> Option<(u32, u64, u64)> {
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
