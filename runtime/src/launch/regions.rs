//! Splits an ND-range into regions: dispatches of work-groups of one size, within the device's limits.

use crate::narrow::to_u32;

/// An ND-range with its local size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Range {
    pub global: [u64; 3],
    pub offset: [u64; 3],
    pub local: [u32; 3],
    /// Most work-groups of one dispatch that the device allows.
    pub max_groups: [u32; 3],
}

/// One dispatch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Region {
    /// Global id of its first work-item, the global offset included.
    pub first_id: [u64; 3],
    /// Group id of its first work-group.
    pub first_group: [u64; 3],
    pub groups: [u32; 3],
    pub local: [u32; 3],
}

/// One dimension of a region.
#[derive(Clone, Copy, Debug)]
struct Segment {
    first_id: u64,
    first_group: u64,
    groups: u32,
    local: u32,
}

impl Range {
    /// Whether the local size divides the global size.
    pub fn divides(&self) -> bool {
        (0..3).all(|d| self.global[d].is_multiple_of(u64::from(self.local[d])))
    }

    /// Work-groups in each dimension, remainder work-groups included.
    pub fn group_count(&self) -> [u64; 3] {
        [0, 1, 2].map(|d| self.global[d].div_ceil(self.local[d].into()))
    }

    /// The only region, if one dispatch of work-groups of the local size covers the range.
    pub fn single(&self) -> Option<Region> {
        let mut groups = [0; 3];
        for (d, groups) in groups.iter_mut().enumerate() {
            let local = u64::from(self.local[d]);
            let count = self.global[d].checked_div(local)?;
            if count * local != self.global[d] || count > self.most_groups(d) {
                return None;
            }
            *groups = to_u32(count);
        }
        Some(Region { first_id: self.offset, first_group: [0; 3], groups, local: self.local })
    }

    /// The regions, x fastest.
    pub fn regions(self) -> impl Iterator<Item = Region> + Clone {
        let [nx, ny, nz] = [0, 1, 2].map(|d| self.segment_count(d));
        let rows = (0..nz).flat_map(move |z| (0..ny).map(move |y| (y, z)));
        rows.flat_map(move |(y, z)| {
            (0..nx).map(move |x| {
                let [x, y, z] = [self.segment(0, x), self.segment(1, y), self.segment(2, z)];
                Region {
                    first_id: [x.first_id, y.first_id, z.first_id],
                    first_group: [x.first_group, y.first_group, z.first_group],
                    groups: [x.groups, y.groups, z.groups],
                    local: [x.local, y.local, z.local],
                }
            })
        })
    }

    /// The most work-groups of a dispatch in a dimension. The ids of its work-items have 32 bits; the region's offset, which is
    /// added to them, may have more.
    fn most_groups(&self, d: usize) -> u64 {
        u64::from(self.max_groups[d]).min((1 << 32) / u64::from(self.local[d]).max(1)).max(1)
    }

    /// Full work-groups in a dimension, and the most of them that a dispatch may have.
    fn full_groups(&self, d: usize) -> (u64, u64) {
        (self.global[d] / u64::from(self.local[d]), self.most_groups(d))
    }

    fn segment_count(&self, d: usize) -> u64 {
        let (full, max) = self.full_groups(d);
        full.div_ceil(max) + u64::from(!self.global[d].is_multiple_of(self.local[d].into()))
    }

    /// Segment `index` of a dimension: full work-groups, or at the end the remainder work-group.
    fn segment(&self, d: usize, index: u64) -> Segment {
        let (offset, local) = (self.offset[d], u64::from(self.local[d]));
        let (full, max) = self.full_groups(d);
        let first_group = (index * max).min(full);
        let first_id = offset + first_group * local;
        if first_group < full {
            let groups = to_u32((full - first_group).min(max));
            return Segment { first_id, first_group, groups, local: self.local[d] };
        }
        Segment { first_id, first_group, groups: 1, local: to_u32(self.global[d] % local) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every work-item is in exactly one region, with the group it would have in an undivided ND-range.
    fn check(range: Range) -> Vec<Region> {
        let mut seen = std::collections::HashSet::new();
        for region in range.regions() {
            for d in 0..3 {
                assert!(region.groups[d] >= 1 && region.groups[d] <= range.max_groups[d]);
                let end = region.first_id[d] + u64::from(region.groups[d]) * u64::from(region.local[d]);
                assert!(end <= range.offset[d] + range.global[d]);
                assert_eq!(region.first_id[d] - range.offset[d], region.first_group[d] * u64::from(range.local[d]));
            }
            let size = |d: usize| u64::from(region.groups[d]) * u64::from(region.local[d]);
            for (x, y, z) in
                (0..size(2)).flat_map(|z| (0..size(1)).flat_map(move |y| (0..size(0)).map(move |x| (x, y, z))))
            {
                let [a, b, c] = region.first_id;
                assert!(seen.insert((a + x, b + y, c + z)));
            }
        }
        assert_eq!(seen.len() as u64, range.global.iter().product::<u64>());
        range.regions().collect()
    }

    #[test]
    fn one_region_where_the_sizes_divide() {
        let range = Range { global: [8, 4, 1], offset: [3, 0, 0], local: [4, 2, 1], max_groups: [10; 3] };
        let regions = check(range);
        assert_eq!(regions.len(), 1);
        assert_eq!(range.single(), regions.first().copied());
    }

    #[test]
    fn eight_regions_where_nothing_divides() {
        let range = Range { global: [7, 5, 3], offset: [1, 2, 3], local: [4, 2, 2], max_groups: [10; 3] };
        assert_eq!(range.single(), None);
        assert_eq!(check(range).len(), 8);
        assert_eq!(range.group_count(), [2, 3, 2]);
    }

    #[test]
    fn more_groups_than_a_dispatch_may_have() {
        let range = Range { global: [23, 1, 1], offset: [0; 3], local: [2, 1, 1], max_groups: [4, 1, 1] };
        assert_eq!(range.single(), None);
        let groups: Vec<u32> = check(range).iter().map(|region| region.groups[0]).collect();
        assert_eq!(groups, [4, 4, 3, 1]);
    }

    /// Vulkan gives a work-item's id in its dispatch in 32 bits.
    #[test]
    fn a_dispatch_has_ids_of_32_bits() {
        let max_groups = [u32::MAX; 3];
        let range = Range { global: [(1 << 33) + 64, 1, 1], offset: [1 << 40, 0, 0], local: [64, 1, 1], max_groups };
        assert_eq!(range.single(), None);
        let regions: Vec<Region> = range.regions().collect();
        let places: Vec<_> = regions.iter().map(|region| (region.first_id[0], region.groups[0])).collect();
        let start = 1 << 40;
        assert_eq!(places, [(start, 1 << 26), (start + (1 << 32), 1 << 26), (start + (1 << 33), 1)]);
        let range = Range { global: [(1 << 32) + 1, 1, 1], offset: [0; 3], local: [1 << 10, 1, 1], max_groups };
        assert_eq!(range.regions().map(|region| region.local[0]).collect::<Vec<_>>(), [1 << 10, 1]);
    }

    #[test]
    fn a_local_size_larger_than_the_global_size() {
        let range = Range { global: [3, 1, 1], offset: [0; 3], local: [64, 1, 1], max_groups: [9; 3] };
        let regions = check(range);
        assert_eq!((regions.len(), regions[0].local, regions[0].groups), (1, [3, 1, 1], [1, 1, 1]));
    }
}
