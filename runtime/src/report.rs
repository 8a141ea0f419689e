//! Reports of accesses that bounds checks have found to be out of range.

use clforge_compiler::interface::bounds::{AccessKind, AccessSite};
use std::fmt;

/// An access outside of the memory that a kernel was given. It read zeros, or wrote nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutOfRange {
    /// Name of the kernel.
    pub kernel: String,
    /// Where the access is in the source, its size in bytes and its kind.
    pub site: AccessSite,
    /// Global id of the work-item.
    pub work_item: [u32; 3],
    /// Device address of the first byte.
    pub address: u64,
    /// The range that the access belongs to, or else the nearest: index of the argument, its first address, and the address
    /// behind its last byte.
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

/// The out-of-range accesses of one launch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LaunchReport {
    /// Those that were recorded, in the order of the source, then of the work-items.
    pub accesses: Vec<OutOfRange>,
    /// Number of all of them; only the first few are recorded.
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
