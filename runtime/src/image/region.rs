//! Parts of images.

use super::description::{ImageDescription, ImageKind};
use crate::error::{Error, Result};

/// A box of texels: x, y or layers, z or layers, as in [`ImageDescription::size`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImageRegion {
    /// First texel.
    pub origin: [u32; 3],
    /// Number of texels; 1 in dimensions that the image does not have.
    pub size: [u32; 3],
}

impl ImageRegion {
    /// Bytes of its texels without gaps, if it is within level 0 of an image.
    pub(super) fn bytes(&self, description: &ImageDescription) -> Result<u64> {
        let mut axes = self.origin.iter().zip(self.size).zip(description.sizes());
        let within =
            axes.all(|((origin, size), most)| size > 0 && origin.checked_add(size).is_some_and(|end| end <= most));
        let bytes = self
            .size
            .iter()
            .try_fold(description.format.texel_size(), |bytes, size| bytes.checked_mul(u64::from(*size)));
        let outside = || Error::Transfer(format!("texels {:?} from {:?} of an image", self.size, self.origin));
        bytes.filter(|_| within).ok_or_else(outside)
    }

    /// Whether the two have texels in common. Both are within an image.
    pub(super) fn meets(&self, other: &ImageRegion) -> bool {
        let apart = |d: usize| {
            self.origin[d] + self.size[d] <= other.origin[d] || other.origin[d] + other.size[d] <= self.origin[d]
        };
        !(0..3).any(apart)
    }
}

/// Where the texels of a region are: offset and size in the image, first layer and number of layers.
pub(super) fn placed(kind: ImageKind, region: &ImageRegion) -> ([u32; 3], [u32; 3], u32, u32) {
    let ([x, y, z], [width, height, depth]) = (region.origin, region.size);
    match kind {
        ImageKind::D1 | ImageKind::Buffer => ([x, 0, 0], [width, 1, 1], 0, 1),
        ImageKind::D1Array => ([x, 0, 0], [width, 1, 1], y, height),
        ImageKind::D2 => ([x, y, 0], [width, height, 1], 0, 1),
        ImageKind::D2Array => ([x, y, 0], [width, height, 1], z, depth),
        ImageKind::D3 => ([x, y, z], [width, height, depth], 0, 1),
    }
}
