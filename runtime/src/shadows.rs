//! The shadows of memory that kernels look for races with, and the marks that work-items leave there. See
//! [`clforge_compiler::interface::bounds`].

use crate::buffer::Buffer;
use crate::error::Result;
use crate::narrow::{to_u32, to_usize};
use crate::queue::Queue;
use crate::report::{AccessTarget, PlaceReport};
use clforge_compiler::interface::bounds::{
    ACCESS_GROUP, ACCESS_ITEM, ACCESS_SITE, AccessSite, COPYING_ITEM, Check, GRANULE, MANY_SITES, SHADOW_BYTES,
    shadow_bias,
};

/// Bytes that the slots for local memory may have together, if that are not less slots than the next number.
const LOCAL_BYTES: u64 = 16 << 20;
/// The fewest and the most slots. Work-groups that run at the same time and share a slot lose marks of each other.
const SLOTS: (u64, u64) = (8, 256);

/// The buffer of the last launch.
#[derive(Default)]
pub(crate) struct Shadows {
    buffer: Option<Buffer>,
}

/// Where the memory of one or more ranges that overlap has its shadow.
struct Part {
    first: u64,
    end: u64,
    /// In the buffer.
    offset: u64,
}

impl Part {
    fn bytes(&self) -> u64 {
        (self.end.div_ceil(GRANULE.into()) - self.first / u64::from(GRANULE)).saturating_mul(SHADOW_BYTES.into())
    }
}

/// Ranges that overlap have one shadow.
fn parts(ranges: &[(u64, u64)]) -> Vec<Part> {
    let mut ranges: Vec<(u64, u64)> = ranges.iter().copied().filter(|(first, end)| first < end).collect();
    ranges.sort_unstable();
    let mut parts: Vec<Part> = Vec::new();
    for (first, end) in ranges {
        match parts.last_mut().filter(|part| first < part.end) {
            Some(part) => part.end = part.end.max(end),
            None => parts.push(Part { first, end, offset: 0 }),
        }
    }
    let mut offset = 0_u64;
    for part in &mut parts {
        part.offset = offset;
        offset = offset.saturating_add(part.bytes());
    }
    parts
}

impl Shadows {
    /// Empties the shadows for a launch. Returns what the module's buffer has of them.
    ///
    /// # Errors
    /// Those of allocations.
    pub fn prepare(&mut self, queue: &Queue, ranges: &[(u64, u64)], local_bytes: u64) -> Result<Vec<u8>> {
        let parts = parts(ranges);
        let of_global = parts.last().map_or(0, |part| part.offset.saturating_add(part.bytes()));
        let slot = local_bytes.div_ceil(GRANULE.into()).saturating_mul(SHADOW_BYTES.into());
        let slots = LOCAL_BYTES.checked_div(slot).map_or(0, |slots| slots.clamp(SLOTS.0, SLOTS.1));
        let size = of_global.saturating_add(slot.saturating_mul(slots)).max(8);
        let buffer = match self.buffer.take().filter(|buffer| buffer.size() >= size) {
            Some(buffer) => {
                queue.fill(&buffer, 0, size, &[0; 4])?;
                buffer
            }
            None => Buffer::zeroed(queue.device(), size)?,
        };
        let start = buffer.device_address().unwrap_or(0);
        self.buffer = Some(buffer);
        let local = if slots == 0 { 0 } else { start.saturating_add(of_global) };
        let mut bytes = local.to_le_bytes().to_vec();
        bytes.extend([slot, slots].map(|number| to_u32(to_usize(number)).to_le_bytes()).as_flattened());
        for (first, end) in ranges {
            let part = parts.iter().find(|part| first < end && part.first <= *first && *end <= part.end);
            let bias = part.map_or(0, |part| shadow_bias(part.first, start.saturating_add(part.offset)));
            bytes.extend(bias.to_le_bytes());
        }
        // Of the buffer of `printf`.
        bytes.extend([0; 8]);
        Ok(bytes)
    }
}

/// The work-items of a launch.
#[derive(Clone, Copy)]
pub(crate) struct NdRange {
    /// The id of the first one.
    pub first: [u64; 3],
    pub global: [u64; 3],
    pub local: [u32; 3],
}

/// The work-item that has left a mark, where it can be told, and the number of its site. `here` is who found it.
pub(crate) fn other(mark: u64, check: Check, here: [u64; 3], space: NdRange) -> (Option<[u64; 3]>, Option<usize>) {
    let part = |(first, bits): (u32, u32)| mark >> first & ((1 << bits) - 1);
    let site = Some(part(ACCESS_SITE)).filter(|site| *site != u64::from(MANY_SITES)).map(to_usize);
    if part(ACCESS_ITEM) == COPYING_ITEM {
        return (None, site);
    }
    let local = space.local.map(|size| u64::from(size.max(1)));
    let counts = [0, 1, 2].map(|d| space.global[d].div_ceil(local[d]).max(1));
    let group = if check == Check::LocalRace {
        [0, 1, 2].map(|d| here[d].saturating_sub(space.first[d]) / local[d])
    } else {
        let groups = counts[0].saturating_mul(counts[1]).saturating_mul(counts[2]);
        if groups > 1 << ACCESS_GROUP.1 {
            return (None, site);
        }
        let number = part(ACCESS_GROUP);
        [number % counts[0], number / counts[0] % counts[1], number / counts[0] / counts[1]]
    };
    let start = [0, 1, 2].map(|d| group[d].saturating_mul(local[d]));
    // The last work-group may be smaller.
    let size = [0, 1, 2].map(|d| space.global[d].saturating_sub(start[d]).clamp(1, local[d]));
    let item = part(ACCESS_ITEM);
    let item = [item % size[0], item / size[0] % size[1], item / size[0] / size[1]];
    (Some([0, 1, 2].map(|d| space.first[d].saturating_add(start[d]).saturating_add(item[d]))), site)
}

/// Two accesses may both have found the other. Those of the later place are left out then, and a place of which nothing is left.
pub(crate) fn merge_pairs(places: &mut Vec<PlaceReport>) {
    let mut known: Vec<(AccessSite, AccessSite)> = Vec::new();
    places.retain_mut(|place| {
        let before = place.accesses.len();
        place.accesses.retain(|access| match &access.target {
            AccessTarget::Race { other_site: Some(other), .. } => {
                let mirrored = **other != place.site && known.iter().any(|(a, b)| *a == **other && *b == place.site);
                if !mirrored {
                    known.push((place.site.clone(), (**other).clone()));
                }
                !mirrored
            }
            _ => true,
        });
        before == 0 || !place.accesses.is_empty()
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_that_overlap_share_a_shadow() {
        let parts = parts(&[(64, 128), (0, 0), (96, 160), (256, 260)]);
        let places: Vec<_> = parts.iter().map(|part| (part.first, part.end, part.offset)).collect();
        assert_eq!(places, [(64, 160, 0), (256, 260, 24 * 24)]);
        assert_eq!(shadow_bias(64, 1000), 1000 - 16 * 24);
    }

    #[test]
    fn work_items_of_marks() {
        let space = NdRange { first: [10, 0, 0], global: [10, 4, 1], local: [4, 2, 1] };
        let mark = |group: u64, item: u64| group << ACCESS_GROUP.0 | item << ACCESS_ITEM.0 | 7 << ACCESS_SITE.0;
        // The third work-group of a row has two columns.
        assert_eq!(other(mark(2, 3), Check::GlobalRace, [0; 3], space), (Some([19, 1, 0]), Some(7)));
        assert_eq!(other(mark(4, 5), Check::GlobalRace, [0; 3], space), (Some([15, 3, 0]), Some(7)));
        assert_eq!(other(mark(0, 1), Check::LocalRace, [18, 2, 0], space), (Some([19, 2, 0]), Some(7)));
    }
}
