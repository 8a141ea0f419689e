//! The sub-group size of a launch: requested by the kernel's attribute or by the launch.

use super::nd_range::Launch;
use crate::error::{Error, Result};
use crate::program::KernelShared;

/// The size that the pipeline must request; `None` if the device has that size anyway.
///
/// # Errors
/// [`Error::Launch`], [`Error::SubGroupSize`], [`Error::Limit`].
pub(super) fn choose(kernel: &KernelShared, launch: &Launch, local: [u32; 3]) -> Result<Option<u32>> {
    let required = kernel.rules.sub_group_size;
    if let (Some(given), Some(required)) = (launch.sub_group_size, required)
        && given != required
    {
        let name = &kernel.interface().name;
        let text = format!("kernel '{name}' requires sub-groups of {required} work-items, but {given} were requested");
        return Err(Error::Launch(text));
    }
    let Some(wanted) = launch.sub_group_size.or(required) else { return Ok(None) };
    let limits = &kernel.module.device.info().limits;
    let [least, most] = limits.subgroup_size_range;
    if !wanted.is_power_of_two() || !(least..=most).contains(&wanted) {
        return Err(Error::SubGroupSize { kernel: kernel.interface().name.clone(), requested: wanted, least, most });
    }
    if least == most {
        return Ok(None);
    }
    let requested = local.iter().map(|size| u64::from(*size)).product();
    let limit = u64::from(wanted).saturating_mul(limits.max_work_group_subgroups.into());
    if requested > limit {
        let what = format!("work-items of a work-group with sub-groups of {wanted}");
        return Err(Error::Limit { what, limit, requested });
    }
    Ok(Some(wanted))
}
