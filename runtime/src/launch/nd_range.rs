//! ND-ranges, and the timings of their launches.

use crate::narrow::to_u32;
use std::time::Duration;

/// An ND-range: global and local size, and offset. Entries past `dims` are ignored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Launch {
    /// Work-items in each dimension. If one is zero, the launch executes nothing.
    pub global: [u64; 3],
    /// Work-items of a work-group in each dimension; `None` leaves the choice to the runtime.
    pub local: Option<[u64; 3]>,
    /// Global id of the first work-item.
    pub offset: [u64; 3],
    /// Number of dimensions, 1 to 3.
    pub dims: u32,
    /// Work-items of a sub-group, on devices that have several sizes; `None` leaves the choice to the kernel's attribute
    /// `intel_reqd_sub_group_size` or to the device.
    pub sub_group_size: Option<u32>,
    /// The longest time that a launch may take, from its call on: the compilation of the kernel by the driver, after which it fails
    /// with [`crate::Error::CompileTimeout`], and if the function waits for the launch its execution, after which it fails with
    /// [`crate::Error::LaunchTimeout`]; `None` waits for ever.
    pub timeout: Option<Duration>,
    /// Whether `get_default_queue` gives a queue, as it does unless this is set to `false`.
    pub has_default_queue: bool,
}

impl Launch {
    /// A global size of up to three dimensions, the local size left to the runtime, no offset.
    pub fn new(global: &[u64]) -> Launch {
        let mut size = [1; 3];
        size.iter_mut().zip(global).for_each(|(to, from)| *to = *from);
        let dims = to_u32(global.len());
        Launch {
            global: size,
            local: None,
            offset: [0; 3],
            dims,
            sub_group_size: None,
            timeout: None,
            has_default_queue: true,
        }
    }

    /// Whether global ids or sizes are 2^32 or more in a dimension: see [`clforge_compiler::CodegenOptions::wide_ids`].
    pub fn needs_wide_ids(&self) -> bool {
        let limit = u64::from(u32::MAX);
        let last = |d: usize| self.offset[d].saturating_add(self.global[d].saturating_sub(1));
        (0..self.dims.min(3) as usize).any(|d| self.global[d] > limit || last(d) > limit)
    }

    /// Sets the local size; dimensions that are not given are 1.
    #[must_use]
    pub fn local(mut self, local: &[u64]) -> Launch {
        let mut size = [1; 3];
        size.iter_mut().zip(local).for_each(|(to, from)| *to = *from);
        self.local = Some(size);
        self
    }

    /// Sets the size of sub-groups, a power of two in [`crate::Limits::subgroup_size_range`].
    #[must_use]
    pub fn sub_group_size(mut self, size: u32) -> Launch {
        self.sub_group_size = Some(size);
        self
    }

    /// Sets the longest time that the launch may take: see [`Launch::timeout`].
    #[must_use]
    pub fn timeout(mut self, limit: Duration) -> Launch {
        self.timeout = Some(limit);
        self
    }

    /// Sets the global offset; dimensions that are not given are 0.
    #[must_use]
    pub fn offset(mut self, offset: &[u64]) -> Launch {
        self.offset = [0; 3];
        self.offset.iter_mut().zip(offset).for_each(|(to, from)| *to = *from);
        self
    }
}

/// Measurements of a launch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Timings {
    /// Time on the device from the start of the first dispatch to the end of the last, if the device has timestamps.
    pub device: Option<Duration>,
    /// Time on the host from the end of recording, or from the first of several submissions, to completion. What a kernel
    /// has printed, and what its bounds checks have found, is read back after that.
    pub host: Duration,
    /// The local size of the launch.
    pub local_size: [u64; 3],
    /// Number of dispatches.
    pub dispatches: u64,
}
