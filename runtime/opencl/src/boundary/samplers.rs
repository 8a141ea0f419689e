//! Samplers (section 5.7).

use super::arguments::{exposed, object, pairs};
use crate::context::Context;
use crate::error::{Error, Result, ensure};
use crate::info::{Info, Value};
use crate::sampler::{Levels, Sampler};
use opencl_sys::*;

/// `clCreateSampler`.
pub(super) fn create(
    context: cl_context,
    normalized: cl_bool,
    addressing: cl_addressing_mode,
    filter: cl_filter_mode,
) -> Result<usize> {
    let levels = Levels::default();
    exposed(Sampler::new(&object::<Context>(context)?, normalized != CL_FALSE, addressing, filter, levels, Vec::new()))
}

/// `clCreateSamplerWithProperties`.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn create_with_properties(
    context: cl_context,
    properties: *const cl_sampler_properties,
) -> Result<usize> {
    let context = object::<Context>(context)?;
    // SAFETY: the caller keeps the specification's rules.
    let list = unsafe { pairs(properties) };
    let (mut normalized, mut addressing, mut filter) = (true, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST);
    let mut levels = Levels::default();
    let pairs = list.as_chunks::<2>().0;
    for (index, [name, value]) in pairs.iter().enumerate() {
        let is_first = pairs.iter().take(index).all(|[earlier, _]| earlier != name);
        ensure(is_first, CL_INVALID_VALUE, "a property of samplers that is given twice")?;
        let value = u32::try_from(*value).map_err(|_| Error::value("the value of a sampler property"))?;
        match u32::try_from(*name) {
            Ok(CL_SAMPLER_NORMALIZED_COORDS) => normalized = value != CL_FALSE,
            Ok(CL_SAMPLER_ADDRESSING_MODE) => addressing = value,
            Ok(CL_SAMPLER_FILTER_MODE) => filter = value,
            Ok(CL_SAMPLER_MIP_FILTER_MODE) => levels.filter = value,
            Ok(CL_SAMPLER_LOD_MIN) => levels.least = f32::from_bits(value),
            Ok(CL_SAMPLER_LOD_MAX) => levels.most = f32::from_bits(value),
            _ => return Err(Error::value(format!("sampler property {name:#x}"))),
        }
    }
    exposed(Sampler::new(&context, normalized, addressing, filter, levels, list))
}

/// `clGetSamplerInfo`.
pub(super) fn info(sampler: cl_sampler, name: cl_sampler_info) -> Result<Value> {
    object::<Sampler>(sampler)?.info(name)
}
