//! The work-group size of a launch: checked when given, chosen when not.

use super::nd_range::Launch;
use crate::error::{Error, Result};
use crate::program::KernelShared;
use crate::vulkan::{DeviceKind, Limits};

/// What suits a kind of device.
#[derive(Clone, Copy)]
struct Preferred {
    /// Work-items of a work-group: a multiple of all common sub-group sizes.
    items: u32,
    /// Most of them along x where there are rows to choose from.
    row: u32,
}

/// Drivers that execute on the processor, and those of unknown kind.
const PREFERRED: Preferred = Preferred { items: 64, row: 64 };
/// GPUs, which hide the time of memory with many items (H100, copy of floats: 0.634 ms in groups of 64, 0.249 ms in groups of
/// 256). Groups of two dimensions share columns as well as rows.
const PREFERRED_BY_GPUS: Preferred = Preferred { items: 256, row: 32 };
/// Smaller work-groups leave most of a sub-group unused; full work-groups with a remainder work-group are then better.
const LEAST_EFFICIENT: u32 = 16;

/// The local size of a launch with the global size `global`, which has no zero.
///
/// # Errors
/// [`Error::Launch`], [`Error::Limit`].
pub(super) fn choose(kernel: &KernelShared, launch: &Launch, global: [u64; 3]) -> Result<[u32; 3]> {
    let (rules, limits) = (&kernel.rules, &kernel.module.device.info().limits);
    let given = launch.local.map(|local| narrow(local, launch.dims, limits)).transpose()?;
    let local = match (given, rules.local_size) {
        (Some(given), _) if given.contains(&0) => {
            return Err(Error::Launch("a local size of zero".into()));
        }
        (Some(given), Some(required)) if given != required => {
            let ([gx, gy, gz], [rx, ry, rz]) = (given, required);
            return Err(Error::Launch(format!(
                "kernel '{}' requires the local size {rx}x{ry}x{rz}, but {gx}x{gy}x{gz} was given",
                kernel.interface().name
            )));
        }
        (Some(local), _) | (None, Some(local)) => local,
        (None, None) => {
            let preferred = match kernel.module.device.info().kind {
                DeviceKind::DiscreteGpu | DeviceKind::IntegratedGpu | DeviceKind::VirtualGpu => PREFERRED_BY_GPUS,
                DeviceKind::Cpu | DeviceKind::Other => PREFERRED,
            };
            default(global, limits, rules.supports_regions, preferred)
        }
    };
    check(local, limits)?;
    Ok(local)
}

/// A given local size, with 1 past `dims`.
fn narrow(local: [u64; 3], dims: u32, limits: &Limits) -> Result<[u32; 3]> {
    let mut narrow = [1; 3];
    for (d, size) in local.into_iter().enumerate().take(dims as usize) {
        let limit = limits.max_work_group_size[d].into();
        let too_large = |_| Error::Limit { what: format!("local size in dimension {d}"), limit, requested: size };
        narrow[d] = u32::try_from(size).map_err(too_large)?;
    }
    Ok(narrow)
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

/// Divisors of the global size, x first, with at most the preferred number of work-items in all. If these are fewer than
/// [`LEAST_EFFICIENT`] although the range is large enough: rows of that many, with a remainder work-group at the end.
fn default(global: [u64; 3], limits: &Limits, supports_regions: bool, preferred: Preferred) -> [u32; 3] {
    let mut left = preferred.items.min(limits.max_work_group_invocations).max(1);
    let mut local = [1; 3];
    for d in 0..3 {
        let row = if d == 0 && global[1] > 1 { preferred.row } else { left };
        let most = left.min(row).min(limits.max_work_group_size[d]).max(1);
        local[d] = (1..=most).rev().find(|size| global[d].is_multiple_of(u64::from(*size))).unwrap_or(1);
        left /= local[d];
    }
    let size: u32 = local.iter().product();
    let whole = preferred.items.min(limits.max_work_group_invocations).min(limits.max_work_group_size[0]);
    if supports_regions && size < LEAST_EFFICIENT.min(whole) && global[0] >= u64::from(LEAST_EFFICIENT) {
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
        preferred_multiple: 8,
        subgroup_size: 8,
        subgroup_size_range: [8, 32],
        max_work_group_subgroups: 32,
    };

    #[test]
    fn divisors_where_there_are_efficient_ones() {
        assert_eq!(default([1024, 1, 1], &LIMITS, true, PREFERRED), [64, 1, 1]);
        assert_eq!(default([1000, 1, 1], &LIMITS, true, PREFERRED), [50, 1, 1]);
        assert_eq!(default([8, 8, 8], &LIMITS, true, PREFERRED), [8, 8, 1]);
        assert_eq!(default([5, 1, 1], &LIMITS, true, PREFERRED), [5, 1, 1]);
        assert_eq!(default([16, 100, 1], &LIMITS, true, PREFERRED), [16, 4, 1]);
    }

    #[test]
    fn gpus_get_larger_work_groups() {
        let default = |global| default(global, &LIMITS, true, PREFERRED_BY_GPUS);
        assert_eq!(default([1 << 20, 1, 1]), [256, 1, 1]);
        assert_eq!(default([1000, 1, 1]), [250, 1, 1]);
        assert_eq!(default([1024, 1024, 1]), [32, 8, 1]);
        assert_eq!(default([1024, 3, 64]), [32, 3, 2]);
        assert_eq!(default([1009, 1, 1]), [256, 1, 1]);
    }

    #[test]
    fn remainder_work_groups_where_the_size_is_prime() {
        assert_eq!(default([1009, 1, 1], &LIMITS, true, PREFERRED), [64, 1, 1]);
        assert_eq!(default([1009, 1, 1], &LIMITS, false, PREFERRED), [1, 1, 1]);
        assert_eq!(default([17, 1, 1], &LIMITS, true, PREFERRED), [17, 1, 1]);
    }

    #[test]
    fn limits_are_kept() {
        let small = Limits { max_work_group_size: [4, 4, 4], max_work_group_invocations: 8, ..LIMITS };
        assert_eq!(default([64, 64, 1], &small, true, PREFERRED), [4, 2, 1]);
        assert!(check([8, 1, 1], &small).is_err());
        assert!(check([4, 4, 1], &small).is_err());
        assert!(check([4, 2, 1], &small).is_ok());
    }
}
