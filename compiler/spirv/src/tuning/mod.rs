//! Passes for the speed of one driver, each for a flag of [`Tuning`](clforge_basic::tuning::Tuning). Their places are among
//! the workarounds (`crate::workarounds::LAST`).

mod barriers_between;
mod late_barrier;
mod local_vectors;
mod private_arrays;
mod rolled_loops;
mod uses;

pub use barriers_between::BarriersBetween;
pub use late_barrier::LateBarrier;
pub use local_vectors::LocalVectors;
pub use private_arrays::PrivateArrays;
pub use rolled_loops::RolledLoops;
