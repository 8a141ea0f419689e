//! Descriptor sets for the launches of one batch.

use crate::error::Result;
use crate::narrow::to_u32;
use crate::vulkan::{DescriptorPool, RawDevice};
use ash::vk;
use std::sync::Arc;

/// The kinds of descriptors that kernels use.
pub(crate) const KINDS: [vk::DescriptorType; 7] = [
    vk::DescriptorType::STORAGE_BUFFER,
    vk::DescriptorType::UNIFORM_BUFFER,
    vk::DescriptorType::SAMPLED_IMAGE,
    vk::DescriptorType::STORAGE_IMAGE,
    vk::DescriptorType::UNIFORM_TEXEL_BUFFER,
    vk::DescriptorType::STORAGE_TEXEL_BUFFER,
    vk::DescriptorType::SAMPLER,
];

/// Number of descriptors of each of [`KINDS`].
pub(crate) type KindCounts = [u32; KINDS.len()];

/// Sets, and descriptors of each kind, in a pool, unless one kernel needs more.
const SETS: u32 = 64;
const DESCRIPTORS: u32 = 128;

struct Pool {
    raw: DescriptorPool,
    size: KindCounts,
    sets: u32,
    /// Descriptors and sets that are left.
    free: KindCounts,
    free_sets: u32,
}

/// Pools that are emptied together.
#[derive(Default)]
pub(crate) struct Descriptors {
    pools: Vec<Pool>,
    current: usize,
}

impl Descriptors {
    /// Appends one set for each layout to `sets`. `counts` are the descriptors of all of them.
    pub fn allocate(
        &mut self,
        device: &Arc<RawDevice>,
        layouts: &[vk::DescriptorSetLayout],
        counts: &KindCounts,
        sets: &mut Vec<vk::DescriptorSet>,
    ) -> Result<()> {
        let wanted = to_u32(layouts.len());
        while self.pools.get(self.current).is_some_and(|pool| !pool.has(wanted, counts)) {
            self.current += 1;
        }
        if self.current >= self.pools.len() {
            self.pools.push(Pool::new(device, wanted, counts)?);
        }
        let Some(pool) = self.pools.get_mut(self.current) else { return Ok(()) };
        let first = sets.len();
        sets.resize(first + layouts.len(), vk::DescriptorSet::null());
        let info = vk::DescriptorSetAllocateInfo::default().descriptor_pool(pool.raw.raw).set_layouts(layouts);
        let allocate = device.fp_v1_0().allocate_descriptor_sets;
        // SAFETY: the pool has room for these sets; `sets` has room for as many handles as there are layouts. (ash's own
        // function makes a new vector each time.)
        let result = unsafe { allocate(device.handle(), &info, sets.as_mut_ptr().add(first)) };
        result.result().map_err(device.error("vkAllocateDescriptorSets"))?;
        pool.take(wanted, counts);
        Ok(())
    }

    /// Frees all sets. The device must not use them any more.
    pub fn reset(&mut self, device: &RawDevice) {
        for pool in &mut self.pools {
            // SAFETY: no submitted or recorded work uses the sets any more. The call cannot fail.
            let _ = unsafe { device.reset_descriptor_pool(pool.raw.raw, vk::DescriptorPoolResetFlags::empty()) };
            (pool.free, pool.free_sets) = (pool.size, pool.sets);
        }
        self.current = 0;
    }
}

impl Pool {
    fn new(device: &Arc<RawDevice>, sets: u32, counts: &KindCounts) -> Result<Pool> {
        let sets = sets.max(SETS);
        let size = counts.map(|count| count.max(DESCRIPTORS));
        let mut sizes = [vk::DescriptorPoolSize::default(); KINDS.len()];
        for (to, (kind, count)) in sizes.iter_mut().zip(KINDS.into_iter().zip(size)) {
            *to = vk::DescriptorPoolSize { ty: kind, descriptor_count: count };
        }
        let info = vk::DescriptorPoolCreateInfo::default().max_sets(sets).pool_sizes(&sizes);
        // SAFETY: all counts are positive.
        let raw = unsafe { DescriptorPool::new(device, &info) }?;
        Ok(Pool { raw, size, sets, free: size, free_sets: sets })
    }

    fn has(&self, sets: u32, counts: &KindCounts) -> bool {
        self.free_sets >= sets && self.free.iter().zip(counts).all(|(free, count)| free >= count)
    }

    fn take(&mut self, sets: u32, counts: &KindCounts) {
        self.free_sets = self.free_sets.saturating_sub(sets);
        for (free, count) in self.free.iter_mut().zip(counts) {
            *free = free.saturating_sub(*count);
        }
    }
}
