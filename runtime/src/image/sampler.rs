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

/// Which levels of detail a sampler reads: see [`Sampler::levels`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SampledLevels {
    linear: bool,
    /// The bits of floats.
    least: u32,
    most: u32,
}

impl SampledLevels {
    /// The nearest level, or the weighted average of two where `linear`, of a level of detail that is cut to what is between
    /// `least` and `most`; the smaller one counts where `most` is less.
    pub fn new(linear: bool, least: f32, most: f32) -> SampledLevels {
        SampledLevels { linear, least: least.to_bits(), most: most.to_bits() }
    }
}

impl Default for SampledLevels {
    fn default() -> SampledLevels {
        SampledLevels::new(false, 0.0, f32::MAX)
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
    /// The levels of detail that are read with normalised coordinates.
    pub levels: SampledLevels,
}

impl Sampler {
    /// The sampler of a literal of OpenCL C, from its `CLK_` bits.
    pub fn from_bits(bits: u32) -> Sampler {
        Sampler {
            addressing: Addressing::from_mask(bits),
            linear: bits & CLK_FILTER_LINEAR != 0,
            normalized: bits & CLK_NORMALIZED_COORDS_TRUE != 0,
            levels: SampledLevels::default(),
        }
    }

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
    /// The Vulkan sampler for a mask of `CLK_` bits and levels of detail, created once per device.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`], [`Error::Vulkan`].
    pub(crate) fn sampler(&self, mask: u32, levels: SampledLevels) -> Result<vk::Sampler> {
        let key = [mask, levels.linear.into(), levels.least, levels.most];
        let mut samplers = self.shared.samplers.lock().map_err(|_| Error::Internal("sampler lock poisoned".into()))?;
        if let Some(known) = samplers.get(&key) {
            return Ok(known.raw);
        }
        let made = create(self, mask, levels)?;
        let raw = made.raw;
        samplers.insert(key, made);
        Ok(raw)
    }
}

fn create(device: &Device, mask: u32, levels: SampledLevels) -> Result<RawSampler> {
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
    let is_linear = levels.linear && !unnormalized;
    let mipmap_mode = if is_linear { vk::SamplerMipmapMode::LINEAR } else { vk::SamplerMipmapMode::NEAREST };
    // Vulkan has no more levels than that.
    let [least, most] = [levels.least, levels.most].map(|bits| f32::from_bits(bits).clamp(0.0, vk::LOD_CLAMP_NONE));
    let info = vk::SamplerCreateInfo::default()
        .address_mode_u(mode)
        .address_mode_v(mode)
        .address_mode_w(mode)
        .mag_filter(filter)
        .min_filter(filter)
        .mipmap_mode(mipmap_mode)
        .min_lod(if unnormalized { 0.0 } else { least })
        .max_lod(if unnormalized { 0.0 } else { most.max(least) })
        .border_color(vk::BorderColor::FLOAT_TRANSPARENT_BLACK)
        .unnormalized_coordinates(unnormalized);
    // SAFETY: an unnormalised sampler has equal filters, no levels of detail and a clamping mode, as Vulkan demands.
    unsafe { RawSampler::new(&device.shared.raw, &info) }
}
