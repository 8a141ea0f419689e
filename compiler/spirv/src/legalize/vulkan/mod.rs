//! Legalisation for Vulkan: passes that replace operations of the IR which Vulkan's SPIR-V lacks.

mod builtins;
mod group_loops;
mod images;
mod kernel_abi;
mod loop_ends;
mod loop_iterations;
mod memory;
mod memory_model;
mod narrow_memory;
mod pair_integers;
mod printf;
mod sincos;
mod soft_doubles;
mod soft_halves;
mod split_vectors;
mod unswitch_tags;
mod wide_conversions;
mod wide_division;
mod wide_integers;

pub use builtins::{Builtins, Library, legalize_actions};
pub use images::Images;
pub use kernel_abi::{KernelAbi, has_unknown_images};
pub use loop_ends::LoopEnds;
pub use loop_iterations::LoopIterations;
pub use memory::Memory;
pub use memory_model::MemoryModel;
pub use narrow_memory::NarrowMemory;
pub use pair_integers::PairIntegers;
pub use printf::{PrintfFormats, has_unknown_strings, prints};
pub use sincos::{Sincos, has_sine_and_cosine};
pub use soft_doubles::SoftDoubles;
pub use soft_halves::SoftHalves;
pub use split_vectors::SplitVectors;
pub use unswitch_tags::UnswitchTags;
pub use wide_conversions::WideConversions;
pub use wide_division::WideDivision;
