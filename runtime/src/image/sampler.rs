//! Samplers: OpenCL's settings, and the Vulkan objects that implement them.

use crate::device::Device;
use crate::error::{Error, Result};
use crate::vulkan::RawSampler;
use ash::vk;

/// Bits of a sampler's mask, as in sampler literals of OpenCL C.
const CLK_NORMALIZED_COORDS_TRUE: u32 = 0x01;
const CLK_FILTER_NEAREST: u32 = 0x10;
const CLK_FILTER_LINEAR: u32 = 0x20;
/// The bits of the addressing mode: see [`Addressing`].
const ADDRESSING_MASK: u32 = 0x0E;

/// The result of a read outside of the image. The values are those of `CLK_ADDRESS_NONE` and so on in OpenCL C.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Addressing {
    /// Undefined.
    #[default]
    None = 0,
    /// The nearest texel of the image.
    ClampToEdge = 2,
    /// The border colour: transparent black, or opaque black for formats without alpha.
    Clamp = 4,
    /// The image repeats; only with normalised coordinates.
    Repeat = 6,
    /// The image repeats, mirrored each time; only with normalised coordinates.
    MirroredRepeat = 8,
}

impl Addressing {
    fn from_mask(mask: u32) -> Addressing {
        let modes = [Addressing::ClampToEdge, Addressing::Clamp, Addressing::Repeat, Addressing::MirroredRepeat];
        modes.into_iter().find(|mode| *mode as u32 == mask & ADDRESSING_MASK).unwrap_or_default()
    }
}

/// How an image is read: the value of a `sampler_t` argument.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Sampler {
    /// The result of a read outside of the image.
    pub addressing: Addressing,
    /// Whether texels are interpolated linearly; otherwise the nearest one is read.
    pub linear: bool,
    /// Whether coordinates range from 0 to 1; otherwise they are in texels.
    pub normalized: bool,
}

impl Sampler {
    /// The `CLK_` bits, as in sampler literals.
    pub fn bits(self) -> u32 {
        let filter = if self.linear { CLK_FILTER_LINEAR } else { CLK_FILTER_NEAREST };
        let coordinates = if self.normalized { CLK_NORMALIZED_COORDS_TRUE } else { 0 };
        self.addressing as u32 | filter | coordinates
    }

    /// The bits for kernels that read by unnormalised coordinates themselves: they normalise them, and filter single texels.
    pub(crate) fn normalized_bits(self) -> u32 {
        Sampler { linear: self.linear && self.normalized, normalized: true, ..self }.bits()
    }

    /// Whether kernels wrap the coordinates: see [`clforge_compiler::interface::WrappedSampler`].
    pub(crate) fn wraps(self) -> bool {
        self.normalized && !self.linear && self.addressing == Addressing::Repeat
    }
}

impl Device {
    /// The Vulkan sampler for a mask of `CLK_` bits, created once per device.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`], [`Error::Vulkan`].
    pub(crate) fn sampler(&self, mask: u32) -> Result<vk::Sampler> {
        let mut samplers = self.shared.samplers.lock().map_err(|_| Error::Internal("sampler lock poisoned".into()))?;
        if let Some(known) = samplers.get(&mask) {
            return Ok(known.raw);
        }
        let made = create(self, mask)?;
        let raw = made.raw;
        samplers.insert(mask, made);
        Ok(raw)
    }
}

fn create(device: &Device, mask: u32) -> Result<RawSampler> {
    use vk::SamplerAddressMode as Mode;
    let unnormalized = mask & CLK_NORMALIZED_COORDS_TRUE == 0;
    let mode = match Addressing::from_mask(mask) {
        Addressing::Clamp => Mode::CLAMP_TO_BORDER,
        // Undefined in OpenCL, invalid in Vulkan.
        Addressing::Repeat | Addressing::MirroredRepeat if unnormalized => Mode::CLAMP_TO_EDGE,
        Addressing::Repeat => Mode::REPEAT,
        Addressing::MirroredRepeat => Mode::MIRRORED_REPEAT,
        Addressing::None | Addressing::ClampToEdge => Mode::CLAMP_TO_EDGE,
    };
    let filter = if mask & CLK_FILTER_LINEAR != 0 { vk::Filter::LINEAR } else { vk::Filter::NEAREST };
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
    // SAFETY: an unnormalised sampler has equal filters, no levels of detail and a clamping mode, as Vulkan demands.
    unsafe { RawSampler::new(&device.shared.raw, &info) }
}
