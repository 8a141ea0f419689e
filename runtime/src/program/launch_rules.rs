//! The rules by which launches of a kernel are checked and their sizes are chosen.

use super::distinct::Distinct;
use super::loaded::LoadedModule;
use super::variants::has_wide_ids;
use crate::module::EntryPoint;
use clforge_compiler::interface::{Access, ArgumentBinding, KernelInterface, PushConstantKind};
use spirv::BuiltIn;

/// What the interface and the code of a kernel say about all its launches, found once: launches are frequent.
pub(crate) struct LaunchRules {
    pub argument_count: u32,
    /// The only work-group size, if an attribute of the kernel requires one or its code has one.
    pub local_size: Option<[u32; 3]>,
    /// Whether the work-group size is a specialisation constant, so that remainder work-groups can be smaller.
    pub local_size_is_specialised: bool,
    /// The sub-group size that an attribute of the kernel requires.
    pub sub_group_size: Option<u32>,
    /// Bytes of local memory of a work-group, without those of `local` arguments.
    pub local_bytes: u64,
    /// The same, with what `local` arguments do not change of variables whose size depends on them.
    pub least_local_bytes: u64,
    /// Whether several dispatches can execute an ND-range: the module reads the push constants that distinguish regions where it
    /// reads ids, and does not read the number of work-groups of a dispatch.
    pub supports_regions: bool,
    /// Whether an ND-range may have a global offset: the module reads no global ids, or is given the offset for them.
    pub supports_offset: bool,
    /// The buffers that its launches access, by the positions of arguments, if it accesses nothing else.
    pub accesses: Option<Vec<(u32, Access)>>,
    /// Whether its code is right for ids beyond 2^32.
    pub has_wide_ids: bool,
    /// Which arguments must not overlap, of a module for distinct arguments.
    pub distinct: Option<Distinct>,
}

impl LaunchRules {
    /// The rules for a kernel of a module with its entry point.
    pub fn new(module: &LoadedModule, kernel: &KernelInterface, entry: &EntryPoint) -> LaunchRules {
        let (interface, scan) = (&module.interface, &module.scan);
        let has = |kind| interface.push_constants.iter().any(|constant| constant.kind == kind);
        let local_size_is_specialised = interface.work_group_size_spec_ids.is_some();
        let in_code = if local_size_is_specialised { None } else { entry.local_size };
        let (region_ids, reads_ids) = (has(PushConstantKind::RegionOffset), scan.reads(BuiltIn::GlobalInvocationId));
        let offset = region_ids || has(PushConstantKind::GlobalOffset) || interface.global_offset_spec_ids.is_some();
        LaunchRules {
            argument_count: kernel.argument_count(),
            local_size: kernel.required_work_group_size.or(in_code),
            local_size_is_specialised,
            sub_group_size: kernel.required_sub_group_size(),
            local_bytes: scan.local_bytes(entry, interface),
            least_local_bytes: scan.least_local_bytes(entry, interface),
            supports_regions: (!reads_ids || region_ids)
                && (!scan.reads(BuiltIn::WorkgroupId) || has(PushConstantKind::RegionGroupOffset))
                && !scan.reads_group_count(),
            supports_offset: !reads_ids || offset,
            accesses: accesses(module, kernel),
            has_wide_ids: has_wide_ids(interface),
            distinct: module.is_for_distinct_arguments.then(|| Distinct::of(kernel)).flatten(),
        }
    }
}

/// See [`LaunchRules::accesses`].
fn accesses(module: &LoadedModule, kernel: &KernelInterface) -> Option<Vec<(u32, Access)>> {
    use ArgumentBinding as B;
    let accesses = kernel.accesses.as_ref().filter(|accesses| accesses.other.is_none())?;
    let is_image = |binding: &B| {
        matches!(binding, B::SampledImage(_) | B::StorageImage(_) | B::UniformTexelBuffer(_) | B::StorageTexelBuffer(_))
    };
    let has_images = kernel.arguments.iter().any(|argument| is_image(&argument.binding));
    // They write to buffers of the runtime.
    let reports = kernel.uses_printf || module.checker.is_some() || module.loop_status.is_some();
    (!has_images && !reports).then(|| accesses.arguments.clone())
}
