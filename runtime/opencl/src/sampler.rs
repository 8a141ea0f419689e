//! Samplers (section 5.7).

use crate::context::Context;
use crate::error::{Error, Result, ensure};
use crate::handle::{Kind, Object, Ref};
use crate::info::{Info, Value, unknown};
use clforge_runtime::{self as runtime, Addressing, SampledLevels};
use opencl_sys::*;

/// A `cl_sampler`.
pub struct Sampler {
    context: Ref<Context>,
    normalized: bool,
    addressing: cl_addressing_mode,
    filter: cl_filter_mode,
    levels: Levels,
    /// As they were given, with the zero at their end; empty where none were.
    properties: Vec<cl_sampler_properties>,
}

/// Which levels of detail it reads (`cl_khr_mipmap_image`).
#[derive(Clone, Copy, Debug)]
pub struct Levels {
    /// `CL_SAMPLER_MIP_FILTER_MODE_KHR`.
    pub filter: cl_filter_mode,
    /// `CL_SAMPLER_LOD_MIN_KHR`.
    pub least: f32,
    /// `CL_SAMPLER_LOD_MAX_KHR`.
    pub most: f32,
}

impl Default for Levels {
    fn default() -> Levels {
        Levels { filter: CL_FILTER_NEAREST, least: 0.0, most: f32::MAX }
    }
}

impl Kind for Sampler {
    const INVALID: cl_int = CL_INVALID_SAMPLER;
}

impl Sampler {
    /// A sampler. `properties` are the pairs that set the values, as they were given.
    ///
    /// # Errors
    /// `CL_INVALID_VALUE`, `CL_INVALID_OPERATION` without a device that has images.
    pub fn new(
        context: &Ref<Context>,
        normalized: bool,
        addressing: cl_addressing_mode,
        filter: cl_filter_mode,
        levels: Levels,
        properties: Vec<cl_sampler_properties>,
    ) -> Result<Ref<Sampler>> {
        let has_images = context.devices().iter().any(|device| device.has_images());
        ensure(has_images, CL_INVALID_OPERATION, "no device of the context has images")?;
        let known = [filter, levels.filter].iter().all(|filter| [CL_FILTER_NEAREST, CL_FILTER_LINEAR].contains(filter));
        ensure(known, CL_INVALID_VALUE, "unknown filter mode")?;
        ensure(levels.least <= levels.most, CL_INVALID_VALUE, "no level of detail between the least and the most")?;
        let sampler = Sampler { context: context.clone(), normalized, addressing, filter, levels, properties };
        sampler.addressing()?;
        Ok(Object::new(sampler))
    }

    fn addressing(&self) -> Result<Addressing> {
        Ok(match self.addressing {
            CL_ADDRESS_NONE => Addressing::None,
            CL_ADDRESS_CLAMP_TO_EDGE => Addressing::ClampToEdge,
            CL_ADDRESS_CLAMP => Addressing::Clamp,
            CL_ADDRESS_REPEAT => Addressing::Repeat,
            CL_ADDRESS_MIRRORED_REPEAT => Addressing::MirroredRepeat,
            _ => return Err(Error::value("unknown addressing mode")),
        })
    }

    /// The value of a kernel's argument.
    ///
    /// # Errors
    /// `CL_INVALID_VALUE`.
    pub fn value(&self) -> Result<runtime::Sampler> {
        let (linear, normalized) = (self.filter == CL_FILTER_LINEAR, self.normalized);
        let Levels { filter, least, most } = self.levels;
        let levels = SampledLevels::new(filter == CL_FILTER_LINEAR, least, most);
        Ok(runtime::Sampler { addressing: self.addressing()?, linear, normalized, levels })
    }
}

impl Info for Object<Sampler> {
    fn info(&self, name: cl_uint) -> Result<Value> {
        Ok(match name {
            CL_SAMPLER_REFERENCE_COUNT => Value::of(self.references()),
            CL_SAMPLER_CONTEXT => Value::handle(Some(&*self.context)),
            CL_SAMPLER_NORMALIZED_COORDS => Value::flag(self.normalized),
            CL_SAMPLER_ADDRESSING_MODE => Value::of(self.addressing),
            CL_SAMPLER_FILTER_MODE => Value::of(self.filter),
            CL_SAMPLER_MIP_FILTER_MODE => Value::of(self.levels.filter),
            CL_SAMPLER_LOD_MIN => Value::of(self.levels.least),
            CL_SAMPLER_LOD_MAX => Value::of(self.levels.most),
            CL_SAMPLER_PROPERTIES => Value::list(&self.properties),
            _ => return Err(unknown(name)),
        })
    }
}
