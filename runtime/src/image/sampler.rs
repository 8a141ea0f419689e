//! Samplers: OpenCL's settings, and the Vulkan objects made of them.

use crate::device::RawSampler;
use crate::{Device, Error, Result};
use ash::vk;

/// What a read gives outside of the image.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Addressing {
    /// Undefined.
    #[default]
    None = 0,
    ClampToEdge = 2,
    /// The border colour.
    Clamp = 4,
    Repeat = 6,
    MirroredRepeat = 8,
}

/// How an image is read: a `sampler_t` argument.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Sampler {
    /// What is outside of the image.
    pub addressing: Addressing,
    /// Whether texels are interpolated linearly; otherwise the nearest one is read.
    pub linear: bool,
    /// Whether coordinates go from 0 to 1; otherwise they are in texels.
    pub normalized: bool,
}

const NORMALIZED: u32 = 1;
const LINEAR: u32 = 0x20;

impl Sampler {
    /// The `CLK_` bits, as in sampler literals.
    pub fn bits(self) -> u32 {
        let filter = if self.linear { LINEAR } else { 0x10 };
        self.addressing as u32 | filter | u32::from(self.normalized)
    }
}

impl Device {
    /// The Vulkan sampler for `CLK_` bits, made once.
    pub(crate) fn sampler(&self, bits: u32) -> Result<vk::Sampler> {
        let mut samplers = self.shared.samplers.lock().map_err(|_| Error::Internal("sampler lock poisoned".into()))?;
        if let Some(known) = samplers.get(&bits) {
            return Ok(known.raw);
        }
        let made = create(self, bits)?;
        let raw = made.raw;
        samplers.insert(bits, made);
        Ok(raw)
    }
}

fn create(device: &Device, bits: u32) -> Result<RawSampler> {
    use vk::SamplerAddressMode as Mode;
    let unnormalized = bits & NORMALIZED == 0;
    let mode = match bits & 0xE {
        4 => Mode::CLAMP_TO_BORDER,
        // Undefined in OpenCL, invalid in Vulkan.
        6 | 8 if unnormalized => Mode::CLAMP_TO_EDGE,
        6 => Mode::REPEAT,
        8 => Mode::MIRRORED_REPEAT,
        _ => Mode::CLAMP_TO_EDGE,
    };
    let filter = if bits & LINEAR != 0 { vk::Filter::LINEAR } else { vk::Filter::NEAREST };
    let info = vk::SamplerCreateInfo::default()
        .address_mode_u(mode)
        .address_mode_v(mode)
        .address_mode_w(mode)
        .mag_filter(filter)
        .min_filter(filter)
        .mipmap_mode(vk::SamplerMipmapMode::NEAREST)
        .max_lod(if unnormalized { 0.0 } else { vk::LOD_CLAMP_NONE })
        .border_color(vk::BorderColor::FLOAT_TRANSPARENT_BLACK)
        .unnormalized_coordinates(unnormalized);
    // SAFETY: an unnormalised sampler has equal filters, levels 0 and a clamping mode, as Vulkan wants it.
    unsafe { RawSampler::new(&device.shared.raw, &info) }
}
