//! Launches: an ND-range as dispatches.

mod checked_ranges;
mod enqueue;
mod local_size;
mod nd_range;
mod record;
mod regions;
mod sub_groups;

pub use nd_range::{Launch, Timings};
