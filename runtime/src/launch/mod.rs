//! Launches: an ND-range as dispatches.
//!
//! A launch is checked against the rules of its kernel (`launch_rules` of programs), gets a local size, and is split
//! into regions whose work-groups have one size. A local size that does not divide the global size leaves remainder
//! work-groups, and so up to eight regions.

mod checked_ranges;
mod command_buffer;
mod descendants;
mod enqueue;
mod iterations;
mod local_size;
mod nd_range;
mod record;
mod regions;
mod sub_groups;

pub use command_buffer::{CommandBuffer, CommandRecorder};
pub use nd_range::{Launch, Timings};
