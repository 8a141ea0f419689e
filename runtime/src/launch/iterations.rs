//! Whether the loops of a launch may make more iterations than the driver executes.

use super::local_size;
use super::nd_range::Launch;
use crate::program::{Arg, KernelShared};
use crate::vulkan::Quirk;
use clforge_compiler::interface::iterations::LaunchFacts;

/// Whether a launch may exceed [`Quirk::LOOP_LIMIT`], of a kernel that is right for launches below it. What is wrong with the launch
/// is said later.
pub(super) fn may_be_many(kernel: &KernelShared, launch: &Launch, args: &[Arg<'_>]) -> bool {
    let Some(bound) = &kernel.interface().iteration_bound else { return false };
    let argument = |ordinal: u32, byte: u32| {
        let Some(Arg::Pod(bytes)) = args.get(ordinal as usize) else { return None };
        bytes.get(byte as usize..)?.first_chunk().map(|word| u32::from_le_bytes(*word))
    };
    let dims = launch.dims.min(3) as usize;
    let size = |sizes: [u64; 3], rest: u64| {
        let mut sizes = sizes.map(Some);
        sizes[dims..].fill(Some(rest));
        sizes
    };
    let global = size(launch.global, 1);
    let sizes = global.map(|size| size.unwrap_or(1));
    let local = if sizes.contains(&0) { None } else { local_size::choose(kernel, launch, sizes).ok() };
    let local = local.map_or([None; 3], |local| local.map(Some));
    let facts = LaunchFacts { argument: &argument, global, offset: size(launch.offset, 0), local };
    bound.most(&facts) > u64::from(Quirk::LOOP_LIMIT)
}
