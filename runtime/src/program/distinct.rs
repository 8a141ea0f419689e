//! Arguments that a kernel takes not to overlap.

use clforge_compiler::interface::KernelInterface;

/// Which arguments a kernel for distinct arguments
/// ([`clforge_compiler::CodegenOptions::distinct_arguments`]) takes not to overlap, by their positions.
pub(crate) struct Distinct {
    /// Those that it only reads.
    pub read: Vec<u32>,
    /// Those that it may write.
    pub written: Vec<u32>,
}

impl Distinct {
    /// Of a kernel that was compiled so; `None` if no arguments can be a mistake.
    pub fn of(kernel: &KernelInterface) -> Option<Distinct> {
        let accesses = kernel.accesses.as_ref().filter(|_| !kernel.enqueues)?;
        let of_kind = |writes| {
            let some = accesses.arguments.iter().filter(move |(_, access)| access.writes == writes);
            some.map(|(ordinal, _)| *ordinal).collect::<Vec<_>>()
        };
        let (read, written) = (of_kind(false), of_kind(true));
        (!read.is_empty() && !written.is_empty()).then_some(Distinct { read, written })
    }
}
