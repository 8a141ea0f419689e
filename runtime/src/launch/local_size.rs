//! The work-group size of a launch: checked when given, chosen when not.

use super::Launch;
use crate::device::Limits;
use crate::kernel::KernelShared;
use crate::{Error, Result};
use clforge_compiler::interface::PushConstantKind;
use spirv::BuiltIn;

/// Work-items in a group that suit every device: a multiple of all sub-group sizes.
const GOOD: u32 = 64;
/// A group smaller than this wastes most of a sub-group, so that a rim of partial groups is the lesser evil.
const POOR: u32 = 16;

/// The local size of a launch with the global size `global` (no zero in it).
pub(super) fn choose(kernel: &KernelShared, launch: &Launch, global: [u64; 3]) -> Result<[u32; 3]> {
    let interface = kernel.interface();
    let limits = &kernel.program.device.info().limits;
    let fixed = match kernel.program.interface.work_group_size_spec_ids {
        Some(_) => None,
        None => kernel.entry.local_size,
    };
    let required = interface.required_work_group_size.or(fixed);
    let given = launch.local.map(|mut local| {
        local.iter_mut().skip(launch.dims as usize).for_each(|size| *size = 1);
        local
    });
    let local = match (given, required) {
        (Some(given), _) if given.contains(&0) => {
            return Err(Error::Launch("a local size of zero".into()));
        }
        (Some(given), Some(required)) if given != required => {
            let ([gx, gy, gz], [rx, ry, rz]) = (given, required);
            return Err(Error::Launch(format!(
                "kernel '{}' requires the local size {rx}x{ry}x{rz}, but {gx}x{gy}x{gz} was given",
                interface.name
            )));
        }
        (Some(local), _) | (None, Some(local)) => local,
        (None, None) => default(global, limits, can_split(kernel)),
    };
    check(local, limits)?;
    Ok(local)
}

/// Whether the module knows about regions.
fn can_split(kernel: &KernelShared) -> bool {
    let has = |kind| kernel.program.interface.push_constants.iter().any(|constant| constant.kind == kind);
    let scan = &kernel.program.scan;
    (!scan.reads(BuiltIn::GlobalInvocationId) || has(PushConstantKind::RegionOffset))
        && (!scan.reads(BuiltIn::WorkgroupId) || has(PushConstantKind::RegionGroupOffset))
        && !scan.reads(BuiltIn::NumWorkgroups)
}

fn check(local: [u32; 3], limits: &Limits) -> Result<()> {
    for (d, (size, limit)) in local.into_iter().zip(limits.max_work_group_size).enumerate() {
        if size > limit {
            let what = format!("local size in dimension {d}");
            return Err(Error::Limit { what, limit: limit.into(), requested: size.into() });
        }
    }
    let requested = local.iter().map(|size| u64::from(*size)).product();
    let limit = limits.max_work_group_invocations.into();
    if requested > limit {
        return Err(Error::Limit { what: "work-items of a work-group".into(), limit, requested });
    }
    Ok(())
}

/// Divisors of the global size, x first, with at most [`GOOD`] work-items in all; where that makes a poor group out of
/// a range that is large enough, whole rows of [`GOOD`] with a partial group at the end.
fn default(global: [u64; 3], limits: &Limits, can_split: bool) -> [u32; 3] {
    let mut left = GOOD.min(limits.max_work_group_invocations).max(1);
    let mut local = [1; 3];
    for d in 0..3 {
        let most = left.min(limits.max_work_group_size[d]).max(1);
        local[d] = (1..=most).rev().find(|size| global[d].is_multiple_of(u64::from(*size))).unwrap_or(1);
        left /= local[d];
    }
    let size: u32 = local.iter().product();
    let whole = GOOD.min(limits.max_work_group_invocations).min(limits.max_work_group_size[0]);
    if can_split && size < POOR.min(whole) && global[0] >= u64::from(POOR) {
        return [whole.min(u32::try_from(global[0]).unwrap_or(whole)).max(1), 1, 1];
    }
    local
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: Limits = Limits {
        max_work_group_size: [1024, 1024, 64],
        max_work_group_invocations: 1024,
        max_work_group_count: [65535; 3],
        max_shared_memory: 32768,
        max_push_constants: 128,
        max_bound_descriptor_sets: 4,
        max_storage_buffer_range: 1 << 27,
        max_uniform_buffer_range: 1 << 16,
        max_storage_images: 8,
        min_storage_buffer_offset_alignment: 16,
        min_uniform_buffer_offset_alignment: 16,
        max_allocation: 1 << 30,
        timestamp_period: 1.0,
        subgroup_size: 8,
        subgroup_size_range: [8, 32],
        max_work_group_subgroups: 32,
    };

    #[test]
    fn divisors_where_there_are_good_ones() {
        assert_eq!(default([1024, 1, 1], &LIMITS, true), [64, 1, 1]);
        assert_eq!(default([1000, 1, 1], &LIMITS, true), [50, 1, 1]);
        assert_eq!(default([8, 8, 8], &LIMITS, true), [8, 8, 1]);
        assert_eq!(default([5, 1, 1], &LIMITS, true), [5, 1, 1]);
        assert_eq!(default([16, 100, 1], &LIMITS, true), [16, 4, 1]);
    }

    #[test]
    fn a_rim_where_the_size_is_prime() {
        assert_eq!(default([1009, 1, 1], &LIMITS, true), [64, 1, 1]);
        assert_eq!(default([1009, 1, 1], &LIMITS, false), [1, 1, 1]);
        assert_eq!(default([17, 1, 1], &LIMITS, true), [17, 1, 1]);
    }

    #[test]
    fn limits_are_kept() {
        let small = Limits { max_work_group_size: [4, 4, 4], max_work_group_invocations: 8, ..LIMITS };
        assert_eq!(default([64, 64, 1], &small, true), [4, 2, 1]);
        assert!(check([8, 1, 1], &small).is_err());
        assert!(check([4, 4, 1], &small).is_err());
        assert!(check([4, 2, 1], &small).is_ok());
    }
}
