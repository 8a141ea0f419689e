//! Image formats: OpenCL's pairs of channel order and channel type, and the Vulkan formats that correspond to them.

use ash::vk;

/// Order and meaning of the channels. The values are those of `CL_R`, `CL_RGBA` and so on in `cl.h`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChannelOrder {
    /// Red.
    R = 0x10B0,
    /// Red, green.
    Rg = 0x10B2,
    /// Red, green, blue, alpha.
    Rgba = 0x10B5,
    /// Blue, green, red, alpha.
    Bgra = 0x10B6,
    /// A depth.
    Depth = 0x10BD,
    /// As [`ChannelOrder::Rgba`], with red, green and blue in the colour space sRGB: kernels read linear values. They cannot
    /// write such images where Vulkan's device has no storage images of the format.
    Srgba = 0x10C1,
    /// As [`ChannelOrder::Srgba`], with the order of [`ChannelOrder::Bgra`].
    Sbgra = 0x10C2,
    /// Alpha, blue, green, red, from the most significant bit of a word on: of [`ChannelType::UnormInt2x101010`] alone.
    Abgr = 0x10C3,
}

/// The type of a channel. The values are those of `CL_SNORM_INT8`, `CL_FLOAT` and so on in `cl.h`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChannelType {
    /// Signed normalised, 8 bits: -1 to 1.
    SnormInt8 = 0x10D0,
    /// Signed normalised, 16 bits: -1 to 1.
    SnormInt16 = 0x10D1,
    /// Unsigned normalised, 8 bits: 0 to 1.
    UnormInt8 = 0x10D2,
    /// Unsigned normalised, 16 bits: 0 to 1.
    UnormInt16 = 0x10D3,
    /// Signed integer of 8 bits.
    SignedInt8 = 0x10D7,
    /// Signed integer of 16 bits.
    SignedInt16 = 0x10D8,
    /// Signed integer of 32 bits.
    SignedInt32 = 0x10D9,
    /// Unsigned integer of 8 bits.
    UnsignedInt8 = 0x10DA,
    /// Unsigned integer of 16 bits.
    UnsignedInt16 = 0x10DB,
    /// Unsigned integer of 32 bits.
    UnsignedInt32 = 0x10DC,
    /// Floating point of 16 bits.
    HalfFloat = 0x10DD,
    /// Floating point of 32 bits.
    Float = 0x10DE,
    /// Unsigned normalised, in a word of 32 bits: 2 bits of alpha, and 10 bits of each of blue, green and red, which is in the
    /// least significant bits.
    UnormInt2x101010 = 0x10E5,
}

/// The layout of a texel. Its name consists of the order of the channels, the bits of a channel, and a suffix for its type:
/// `rgba8` (unsigned normalised), `rg16s` (signed normalised), `r32i`, `rgba8ui`, `rgba32f`; `bgra8`, `d16`, `d32f`,
/// `srgba8`, `sbgra8`; `abgr2_101010`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ImageFormat {
    /// The channels.
    pub order: ChannelOrder,
    /// The type of each channel.
    pub channel: ChannelType,
}

const ORDERS: [(&str, ChannelOrder); 8] = [
    // Longer names first: `rgba8` begins with `r`.
    ("rgba", ChannelOrder::Rgba),
    ("bgra", ChannelOrder::Bgra),
    ("rg", ChannelOrder::Rg),
    ("r", ChannelOrder::R),
    ("d", ChannelOrder::Depth),
    ("srgba", ChannelOrder::Srgba),
    ("sbgra", ChannelOrder::Sbgra),
    ("abgr", ChannelOrder::Abgr),
];

/// Name, type, and the Vulkan formats of one, two and four channels.
type TypeRow = (&'static str, ChannelType, [vk::Format; 3]);

const TYPES: [TypeRow; 13] = {
    use ChannelType as T;
    use vk::Format as F;
    [
        ("8", T::UnormInt8, [F::R8_UNORM, F::R8G8_UNORM, F::R8G8B8A8_UNORM]),
        ("8s", T::SnormInt8, [F::R8_SNORM, F::R8G8_SNORM, F::R8G8B8A8_SNORM]),
        ("8i", T::SignedInt8, [F::R8_SINT, F::R8G8_SINT, F::R8G8B8A8_SINT]),
        ("8ui", T::UnsignedInt8, [F::R8_UINT, F::R8G8_UINT, F::R8G8B8A8_UINT]),
        ("16", T::UnormInt16, [F::R16_UNORM, F::R16G16_UNORM, F::R16G16B16A16_UNORM]),
        ("16s", T::SnormInt16, [F::R16_SNORM, F::R16G16_SNORM, F::R16G16B16A16_SNORM]),
        ("16i", T::SignedInt16, [F::R16_SINT, F::R16G16_SINT, F::R16G16B16A16_SINT]),
        ("16ui", T::UnsignedInt16, [F::R16_UINT, F::R16G16_UINT, F::R16G16B16A16_UINT]),
        ("16f", T::HalfFloat, [F::R16_SFLOAT, F::R16G16_SFLOAT, F::R16G16B16A16_SFLOAT]),
        ("32i", T::SignedInt32, [F::R32_SINT, F::R32G32_SINT, F::R32G32B32A32_SINT]),
        ("32ui", T::UnsignedInt32, [F::R32_UINT, F::R32G32_UINT, F::R32G32B32A32_UINT]),
        ("32f", T::Float, [F::R32_SFLOAT, F::R32G32_SFLOAT, F::R32G32B32A32_SFLOAT]),
        // Of four channels only.
        ("2_101010", T::UnormInt2x101010, [F::UNDEFINED, F::UNDEFINED, F::A2B10G10R10_UNORM_PACK32]),
    ]
};

impl ImageFormat {
    /// Red, green, blue and alpha of 8 bits each, unsigned normalised.
    pub const RGBA8: ImageFormat = ImageFormat { order: ChannelOrder::Rgba, channel: ChannelType::UnormInt8 };

    /// The format of that name; `None` for an unknown name.
    pub fn parse(name: &str) -> Option<ImageFormat> {
        let (order, rest) = ORDERS.iter().find_map(|(text, order)| Some((*order, name.strip_prefix(text)?)))?;
        let channel = TYPES.iter().find(|row| row.0 == rest)?.1;
        let format = ImageFormat { order, channel };
        format.vulkan().map(|_| format)
    }

    /// The Vulkan format; `None` if the order cannot be combined with the type.
    pub(crate) fn vulkan(self) -> Option<vk::Format> {
        let [one, two, four] = TYPES.iter().find(|row| row.1 == self.channel)?.2;
        Some(match (self.order, self.channel) {
            (ChannelOrder::Abgr, ChannelType::UnormInt2x101010) => four,
            (_, ChannelType::UnormInt2x101010) => return None,
            (ChannelOrder::R, _) => one,
            (ChannelOrder::Rg, _) => two,
            (ChannelOrder::Rgba, _) => four,
            (ChannelOrder::Bgra, ChannelType::UnormInt8) => vk::Format::B8G8R8A8_UNORM,
            (ChannelOrder::Srgba, ChannelType::UnormInt8) => vk::Format::R8G8B8A8_SRGB,
            (ChannelOrder::Sbgra, ChannelType::UnormInt8) => vk::Format::B8G8R8A8_SRGB,
            (ChannelOrder::Depth, ChannelType::UnormInt16 | ChannelType::Float) => one,
            _ => return None,
        })
    }

    /// Size of a texel in bytes.
    pub fn texel_size(self) -> u64 {
        let channels = match self.order {
            _ if self.channel == ChannelType::UnormInt2x101010 => return 4,
            ChannelOrder::R | ChannelOrder::Depth => 1,
            ChannelOrder::Rg => 2,
            ChannelOrder::Rgba
            | ChannelOrder::Bgra
            | ChannelOrder::Srgba
            | ChannelOrder::Sbgra
            | ChannelOrder::Abgr => 4,
        };
        let name = TYPES.iter().find(|row| row.1 == self.channel).map_or("8", |row| row.0);
        let bytes = match name.trim_end_matches(|letter: char| !letter.is_ascii_digit()) {
            "8" => 1,
            "16" => 2,
            _ => 4,
        };
        channels * bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_sizes() {
        let format = |name| ImageFormat::parse(name).map(|format| (format.vulkan().unwrap(), format.texel_size()));
        assert_eq!(ImageFormat::parse("rgba8"), Some(ImageFormat::RGBA8));
        assert_eq!(format("rg16s"), Some((vk::Format::R16G16_SNORM, 4)));
        assert_eq!(format("rgba32ui"), Some((vk::Format::R32G32B32A32_UINT, 16)));
        assert_eq!(format("bgra8"), Some((vk::Format::B8G8R8A8_UNORM, 4)));
        assert_eq!(format("d32f"), Some((vk::Format::R32_SFLOAT, 4)));
        assert_eq!(format("r16f"), Some((vk::Format::R16_SFLOAT, 2)));
        assert_eq!(format("srgba8"), Some((vk::Format::R8G8B8A8_SRGB, 4)));
        assert_eq!(format("sbgra8"), Some((vk::Format::B8G8R8A8_SRGB, 4)));
        assert_eq!(format("abgr2_101010"), Some((vk::Format::A2B10G10R10_UNORM_PACK32, 4)));
        for wrong in
            ["abgr8", "r2_101010", "rgba2_101010", "", "srgba16", "rgb8", "rgba", "bgra16", "d8", "rgba8x", "8"]
        {
            assert_eq!(format(wrong), None, "{wrong}");
        }
    }
}
