//! The formats of OpenGL that images have, too (section 5.3.1.3), and what their texels are called in transfers.

use opencl_sys::*;

/// A channel of this many bits, of this kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Component {
    /// `GL_TEXTURE_RED_SIZE` and so on.
    pub bits: i32,
    /// `GL_TEXTURE_RED_TYPE`; 0 where it is not known.
    pub kind: i32,
}

/// Sized internal formats.
const FORMATS: [(i32, cl_channel_order, cl_channel_type); 41] = [
    (0x8058, CL_RGBA, CL_UNORM_INT8),
    (0x8C43, CL_sRGBA, CL_UNORM_INT8),
    (0x93A1, CL_BGRA, CL_UNORM_INT8),
    (0x8D8E, CL_RGBA, CL_SIGNED_INT8),
    (0x8D88, CL_RGBA, CL_SIGNED_INT16),
    (0x8D82, CL_RGBA, CL_SIGNED_INT32),
    (0x8D7C, CL_RGBA, CL_UNSIGNED_INT8),
    (0x8D76, CL_RGBA, CL_UNSIGNED_INT16),
    (0x8D70, CL_RGBA, CL_UNSIGNED_INT32),
    (0x8F97, CL_RGBA, CL_SNORM_INT8),
    (0x805B, CL_RGBA, CL_UNORM_INT16),
    (0x8F9B, CL_RGBA, CL_SNORM_INT16),
    (0x881A, CL_RGBA, CL_HALF_FLOAT),
    (0x8814, CL_RGBA, CL_FLOAT),
    (0x8229, CL_R, CL_UNORM_INT8),
    (0x8F94, CL_R, CL_SNORM_INT8),
    (0x822A, CL_R, CL_UNORM_INT16),
    (0x8F98, CL_R, CL_SNORM_INT16),
    (0x822D, CL_R, CL_HALF_FLOAT),
    (0x822E, CL_R, CL_FLOAT),
    (0x8231, CL_R, CL_SIGNED_INT8),
    (0x8233, CL_R, CL_SIGNED_INT16),
    (0x8235, CL_R, CL_SIGNED_INT32),
    (0x8232, CL_R, CL_UNSIGNED_INT8),
    (0x8234, CL_R, CL_UNSIGNED_INT16),
    (0x8236, CL_R, CL_UNSIGNED_INT32),
    (0x822B, CL_RG, CL_UNORM_INT8),
    (0x8F95, CL_RG, CL_SNORM_INT8),
    (0x822C, CL_RG, CL_UNORM_INT16),
    (0x8F99, CL_RG, CL_SNORM_INT16),
    (0x822F, CL_RG, CL_HALF_FLOAT),
    (0x8230, CL_RG, CL_FLOAT),
    (0x8237, CL_RG, CL_SIGNED_INT8),
    (0x8239, CL_RG, CL_SIGNED_INT16),
    (0x823B, CL_RG, CL_SIGNED_INT32),
    (0x8238, CL_RG, CL_UNSIGNED_INT8),
    (0x823A, CL_RG, CL_UNSIGNED_INT16),
    (0x823C, CL_RG, CL_UNSIGNED_INT32),
    (0x8CAC, CL_DEPTH, CL_FLOAT),
    (0x81A5, CL_DEPTH, CL_UNORM_INT16),
    // `GL_SRGB_ALPHA`, of which there is only one size.
    (0x8C42, CL_sRGBA, CL_UNORM_INT8),
];

/// Internal formats without sizes, which the driver of OpenGL chooses: their orders, and the number of channels.
const UNSIZED: [(i32, cl_channel_order, usize); 4] =
    [(0x1903, CL_R, 1), (0x8227, CL_RG, 2), (0x1908, CL_RGBA, 4), (4, CL_RGBA, 4)];

const UNSIGNED_NORMALIZED: i32 = 0x8C17;
const SIGNED_NORMALIZED: i32 = 0x8F9C;
const FLOAT: i32 = 0x1406;

/// The format of images for an internal format, whose channels are these where that does not say it.
pub fn format(internal: i32, components: [Component; 4]) -> Option<cl_image_format> {
    let pair = |(_, order, channel): (i32, _, _)| cl_image_format {
        image_channel_order: order,
        image_channel_data_type: channel,
    };
    if let Some(found) = FORMATS.into_iter().find(|(known, ..)| *known == internal) {
        return Some(pair(found));
    }
    let (_, order, channels) = UNSIZED.into_iter().find(|(known, ..)| *known == internal)?;
    let [first, others @ ..] = components;
    let is_even = others.iter().take(channels - 1).all(|other| *other == first);
    let channel = match (first.kind, first.bits) {
        (0 | UNSIGNED_NORMALIZED, 8) => CL_UNORM_INT8,
        (0 | UNSIGNED_NORMALIZED, 16) => CL_UNORM_INT16,
        (SIGNED_NORMALIZED, 8) => CL_SNORM_INT8,
        (SIGNED_NORMALIZED, 16) => CL_SNORM_INT16,
        (FLOAT, 16) => CL_HALF_FLOAT,
        (FLOAT, 32) => CL_FLOAT,
        _ => return None,
    };
    is_even.then_some(pair((internal, order, channel)))
}

/// The texels of transfers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pixels {
    /// `GL_RGBA` and so on.
    pub format: u32,
    /// `GL_UNSIGNED_BYTE` and so on.
    pub kind: u32,
    /// Bytes of a texel.
    pub bytes: usize,
}

impl Pixels {
    /// Those of a format of images.
    pub fn of(format: cl_image_format) -> Pixels {
        let (kind, size, is_integer) = match format.image_channel_data_type {
            CL_SIGNED_INT8 => (0x1400, 1, true),
            CL_UNSIGNED_INT8 => (0x1401, 1, true),
            CL_SIGNED_INT16 => (0x1402, 2, true),
            CL_UNSIGNED_INT16 => (0x1403, 2, true),
            CL_SIGNED_INT32 => (0x1404, 4, true),
            CL_UNSIGNED_INT32 => (0x1405, 4, true),
            CL_SNORM_INT8 => (0x1400, 1, false),
            CL_SNORM_INT16 => (0x1402, 2, false),
            CL_UNORM_INT16 => (0x1403, 2, false),
            CL_HALF_FLOAT => (0x140B, 2, false),
            CL_FLOAT => (0x1406, 4, false),
            _ => (0x1401, 1, false),
        };
        let (channels, normal, integer) = match format.image_channel_order {
            CL_R => (1, 0x1903, 0x8D94),
            CL_DEPTH => (1, DEPTH_COMPONENT, DEPTH_COMPONENT),
            CL_RG => (2, 0x8227, 0x8228),
            CL_BGRA => (4, 0x80E1, 0x8D9B),
            _ => (4, 0x1908, 0x8D99),
        };
        Pixels { format: if is_integer { integer } else { normal }, kind, bytes: channels * size }
    }

    /// Whether they are depths.
    pub fn are_depths(self) -> bool {
        self.format == DEPTH_COMPONENT
    }
}

/// `GL_DEPTH_COMPONENT`.
const DEPTH_COMPONENT: u32 = 0x1902;

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: Component = Component { bits: 0, kind: 0 };

    #[test]
    fn texels_have_the_bytes_of_their_formats() {
        for (internal, ..) in FORMATS {
            let format = format(internal, [NONE; 4]).unwrap();
            let pixels = Pixels::of(format);
            let channels = match format.image_channel_order {
                CL_R | CL_DEPTH => 1,
                CL_RG => 2,
                _ => 4,
            };
            let bytes = match format.image_channel_data_type {
                CL_SIGNED_INT32 | CL_UNSIGNED_INT32 | CL_FLOAT => 4,
                CL_SIGNED_INT8 | CL_UNSIGNED_INT8 | CL_SNORM_INT8 | CL_UNORM_INT8 => 1,
                _ => 2,
            };
            assert_eq!(pixels.bytes, channels * bytes, "{internal:#x}");
        }
    }

    #[test]
    fn formats_without_sizes_have_those_of_their_channels() {
        let of = |internal, components| format(internal, components).map(|format| format.image_channel_data_type);
        let byte = Component { bits: 8, kind: UNSIGNED_NORMALIZED };
        let float = Component { bits: 32, kind: FLOAT };
        assert_eq!(of(0x1908, [byte; 4]), Some(CL_UNORM_INT8));
        assert_eq!(of(0x1903, [float, NONE, NONE, NONE]), Some(CL_FLOAT));
        assert_eq!(of(0x8227, [byte, NONE, NONE, NONE]), None);
        let five = Component { bits: 5, kind: UNSIGNED_NORMALIZED };
        assert_eq!(of(0x1908, [five; 4]), None);
        // `GL_RGB8`.
        assert_eq!(of(0x8051, [byte; 4]), None);
    }
}
