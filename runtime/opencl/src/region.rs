//! The rows of a region, which counts bytes, rows and slices and begins at the first byte, in memory whose rows and slices have
//! strides in bytes.

use std::borrow::Cow;

/// The rows without gaps: in place where they have none there.
pub fn gather(bytes: &[u8], strides: [usize; 2], region: [usize; 3]) -> Cow<'_, [u8]> {
    let whole = region.iter().product();
    if is_dense(strides, region) {
        return Cow::Borrowed(bytes.get(..whole).unwrap_or(bytes));
    }
    let mut dense = Vec::with_capacity(whole);
    for row in starts(strides, region).filter_map(|start| bytes.get(start..start + region[0])) {
        dense.extend_from_slice(row);
    }
    Cow::Owned(dense)
}

/// The opposite of [`gather`].
pub fn scatter(bytes: &mut [u8], strides: [usize; 2], region: [usize; 3], rows: &[u8]) {
    for (start, row) in starts(strides, region).zip(rows.chunks_exact(region[0].max(1))) {
        if let Some(place) = bytes.get_mut(start..start + region[0]) {
            place.copy_from_slice(row);
        }
    }
}

/// Whether the rows follow each other without gaps.
pub fn is_dense([row, slice]: [usize; 2], [width, rows, slices]: [usize; 3]) -> bool {
    (rows == 1 || row == width) && (slices == 1 || slice == width * rows)
}

/// The first bytes of the rows.
fn starts([row, slice]: [usize; 2], [_, rows, slices]: [usize; 3]) -> impl Iterator<Item = usize> {
    (0..slices).flat_map(move |z| (0..rows).map(move |y| z * slice + y * row))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_without_gaps() {
        let bytes: Vec<u8> = (0..48).collect();
        assert_eq!(*gather(&bytes, [6, 12], [6, 2, 4]), bytes[..48]);
        // Two texels of two bytes, of rows of 8 and slices of 24 bytes.
        let rows = gather(&bytes, [8, 24], [4, 2, 2]);
        assert_eq!(*rows, [0, 1, 2, 3, 8, 9, 10, 11, 24, 25, 26, 27, 32, 33, 34, 35]);
        // Strides of what there is one of do not matter.
        assert_eq!(*gather(&bytes, [1, 1], [8, 1, 1]), bytes[..8]);
        let mut back = vec![255; 48];
        scatter(&mut back, [8, 24], [4, 2, 2], &rows);
        assert_eq!(*gather(&back, [8, 24], [4, 2, 2]), *rows);
        assert_eq!(back.iter().filter(|byte| **byte == 255).count(), 32);
    }
}
