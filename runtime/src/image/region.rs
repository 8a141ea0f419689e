//! Parts of images.

use super::description::{ImageDescription, ImageKind};
use crate::error::{Error, Result};
use crate::narrow::to_usize;

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

    /// Boxes of whole rows or whole slices, in the order of the texels, and the bytes of each: at most `most` bytes, unless a
    /// row has more. The region is within an image.
    pub(super) fn parts(&self, most: usize, description: &ImageDescription) -> Vec<(ImageRegion, usize)> {
        let [width, height, depth] = self.size;
        let row = width as usize * to_usize(description.format.texel_size());
        let slice = row * height as usize;
        let fit = |bytes: usize, count: u32| u32::try_from(most / bytes.max(1)).unwrap_or(u32::MAX).clamp(1, count);
        let (slices, rows) = if slice <= most { (fit(slice, depth), height) } else { (1, fit(row, height)) };
        let steps = |count: u32, step: u32| (0..count).step_by(step as usize).map(move |at| (at, step.min(count - at)));
        let box_at = |(z, depth): (u32, u32), (y, height): (u32, u32)| {
            let origin = [self.origin[0], self.origin[1] + y, self.origin[2] + z];
            (ImageRegion { origin, size: [width, height, depth] }, row * height as usize * depth as usize)
        };
        steps(depth, slices).flat_map(|z| steps(height, rows).map(move |y| box_at(z, y))).collect()
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ImageFormat;

    fn parts(size: [u32; 3], most: usize) -> Vec<([u32; 3], [u32; 3], usize)> {
        let format = ImageFormat::parse("rgba32f").expect("a format");
        let description = ImageDescription { kind: ImageKind::D3, size: [64; 3], format };
        let parts = ImageRegion { origin: [1, 2, 3], size }.parts(most, &description);
        parts.into_iter().map(|(part, bytes)| (part.origin, part.size, bytes)).collect()
    }

    #[test]
    fn parts_are_whole_rows_or_slices_in_order() {
        assert_eq!(parts([2, 2, 2], 128), [([1, 2, 3], [2, 2, 2], 128)]);
        assert_eq!(parts([2, 2, 3], 128), [([1, 2, 3], [2, 2, 2], 128), ([1, 2, 5], [2, 2, 1], 64)]);
        assert_eq!(
            parts([2, 3, 2], 64),
            [
                ([1, 2, 3], [2, 2, 1], 64),
                ([1, 4, 3], [2, 1, 1], 32),
                ([1, 2, 4], [2, 2, 1], 64),
                ([1, 4, 4], [2, 1, 1], 32)
            ]
        );
        assert_eq!(parts([2, 2, 1], 8), [([1, 2, 3], [2, 1, 1], 32), ([1, 3, 3], [2, 1, 1], 32)]);
    }
}
