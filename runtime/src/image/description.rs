//! The properties of an image apart from its texels.

use super::format::ImageFormat;
use ash::vk;

/// Dimensions, and whether there are layers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ImageKind {
    /// `image1d_t`.
    D1,
    /// `image1d_array_t`.
    D1Array,
    /// `image1d_buffer_t`: texels in a buffer.
    Buffer,
    /// `image2d_t`, also of depths.
    D2,
    /// `image2d_array_t`, also of depths.
    D2Array,
    /// `image3d_t`.
    D3,
}

impl ImageKind {
    /// The kind of image that a parameter of a type takes: `image2d_t`, `image2d_array_depth_t`, and so on.
    pub fn of_type(name: &str) -> Option<ImageKind> {
        Some(match name {
            "image1d_t" => ImageKind::D1,
            "image1d_array_t" => ImageKind::D1Array,
            "image1d_buffer_t" => ImageKind::Buffer,
            "image2d_t" | "image2d_depth_t" => ImageKind::D2,
            "image2d_array_t" | "image2d_array_depth_t" => ImageKind::D2Array,
            "image3d_t" => ImageKind::D3,
            _ => return None,
        })
    }
}

/// Kind, size and format of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ImageDescription {
    /// Dimensions and layers.
    pub kind: ImageKind,
    /// Width, height (or layers of a 1D array), depth (or layers of a 2D array), in texels. Entries that the kind does not
    /// have are ignored.
    pub size: [u32; 3],
    /// The texels' layout.
    pub format: ImageFormat,
}

impl ImageDescription {
    /// The size with 1 for the entries that the kind does not have.
    pub(crate) fn sizes(&self) -> [u32; 3] {
        let [x, y, z] = self.size;
        match self.kind {
            ImageKind::D1 | ImageKind::Buffer => [x, 1, 1],
            ImageKind::D1Array | ImageKind::D2 => [x, y, 1],
            ImageKind::D2Array | ImageKind::D3 => [x, y, z],
        }
    }

    /// Size in bytes of all texels, rows and slices without gaps; `None` if it exceeds 64 bits.
    pub fn bytes(&self) -> Option<u64> {
        self.level_bytes(0)
    }

    /// Size in bytes of the texels of a level of detail: see [`ImageDescription::bytes`].
    pub fn level_bytes(&self, level: u32) -> Option<u64> {
        let sizes = self.level_sizes(level).map(u64::from);
        sizes.into_iter().try_fold(self.format.texel_size(), u64::checked_mul)
    }

    /// The size of a level of detail. From level to level the dimensions are halved and rounded down, to 1 at least; layers are
    /// not.
    pub(super) fn level_sizes(&self, level: u32) -> [u32; 3] {
        let dimensions = match self.kind {
            ImageKind::D1 | ImageKind::Buffer | ImageKind::D1Array => 1,
            ImageKind::D2 | ImageKind::D2Array => 2,
            ImageKind::D3 => 3,
        };
        let mut sizes = self.sizes();
        for size in sizes.iter_mut().take(dimensions) {
            *size = size.checked_shr(level).unwrap_or(0).max(1);
        }
        sizes
    }

    /// Number of levels of detail down to one texel: the most that an image of this size can have.
    pub fn max_levels(&self) -> u32 {
        let extent = self.extent(0).0;
        let largest = extent.width.max(extent.height).max(extent.depth);
        if self.kind == ImageKind::Buffer { 1 } else { largest.max(1).ilog2() + 1 }
    }

    /// Extent in texels of a level of detail, and layers.
    pub(crate) fn extent(&self, level: u32) -> (vk::Extent3D, u32) {
        let [width, y, z] = self.level_sizes(level);
        let (height, depth, layers) = match self.kind {
            ImageKind::D1 | ImageKind::Buffer => (1, 1, 1),
            ImageKind::D1Array => (1, 1, y),
            ImageKind::D2 => (y, 1, 1),
            ImageKind::D2Array => (y, 1, z),
            ImageKind::D3 => (y, z, 1),
        };
        (vk::Extent3D { width, height, depth }, layers)
    }
}
