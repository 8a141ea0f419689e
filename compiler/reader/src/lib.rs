//! The reader of OpenCL's SPIR-V: converts modules with `Kernel` entry points and physical addresses, from any
//! compiler, to the IR.
//!
//! 1. [`decode`] decodes instructions from words and checks all bounds: an error in a module names the word at which it
//!    is found. `rspirv`'s parser is not used, since its instructions do not know their word and cost more than a slice
//!    of words. Its grammar says which operands are results.
//! 2. [`tables`] collects all declarations outside of functions; [`types`] lays out types in memory.
//! 3. [`module`] converts variables to globals, with their initial bytes ([`initial`]), and makes functions and kernels
//!    ([`kernel`]); the facts that all of them use are in [`context`].
//! 4. A function's basic blocks ([`blocks`]) are a control-flow graph, which `clforge_ir::structurize` converts to
//!    regions; [`function`] appends a block's instructions, each in the file of its family, to the region in which it
//!    is placed.
//!
//! Instructions that correspond to built-in functions of OpenCL C are lowered as calls of these:
//! `clforge_lower::builtins` has one table for both (`function/extended.rs`). The same holds for calls of functions
//! without a body whose names are those of built-in functions ([`mangled`]). Integers of widths that OpenCL C does not
//! have are in `function/widths.rs`.
//!
//! What is not supported is an error that names the instruction and its result.
//!
//! Every instruction checks the types of its operands, since constant folding relies on them; the verifier runs once
//! more over the whole module. Limits bound the rest: nesting of types and constants, parts of a value, bytes of an
//! initial value, and `CodegenOptions::max_instructions`. Linkage is kept: an exported function says so, an imported
//! one is a declaration. Pointers to functions are numbers that nothing can call.

#![forbid(unsafe_code)]
// A number that is cut is a program that is compiled wrongly: `narrow` has the conversions, and says what they keep.
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss))]

mod blocks;
mod context;
mod decode;
mod error;
mod function;
mod initial;
mod kernel;
mod mangled;
mod module;
#[cfg(any(test, feature = "mutate"))]
pub mod mutate;
mod operations;
mod place;
mod references;
mod specialize;
mod tables;
mod texels;
mod types;

#[cfg(test)]
mod tests;

pub use error::{ReadError, Reason, Result};
pub use specialize::{SpecValue, spec_constant_size, specialize};

use clforge_basic::options::Options;
use clforge_ir::object::Object;
use clforge_ir::verify::{Dialect, verify};
use rspirv::spirv::{AddressingModel, MAGIC_NUMBER, Op};
use rustc_hash::FxHashMap;

/// Reads a module. `specialized`: values for specialisation constants, by their `SpecId`; the others have the module's.
///
/// Functions and variables keep their linkage: what is exported says so, what is imported is a declaration. Instructions have
/// the lines that the module says (`OpLine`).
///
/// # Errors
/// The first thing that is invalid or not supported.
pub fn read(words: &[u32], specialized: &FxHashMap<u32, u64>, options: &Options) -> Result<Object> {
    let read = tables::tables(words, specialized).and_then(|tables| module::read(tables, options));
    let object = read.map_err(|error| place::located(words, error))?;
    // Types are checked where instructions are read. A module for which that was not enough ends here, and not in a pass.
    verify(&object.module, Dialect::Core).map_err(|error| ReadError::invalid(0, error.to_string()))?;
    Ok(object)
}

/// Whether words are a module for OpenCL: one with physical addresses that are no extension of shaders.
pub fn is_for_opencl(words: &[u32]) -> bool {
    if words.first() != Some(&MAGIC_NUMBER) {
        return false;
    }
    let mut at = 5;
    while let Some(first) = words.get(at) {
        let (opcode, count) = (first & 0xffff, (first >> 16) as usize);
        if opcode == Op::MemoryModel as u32 {
            let model = words.get(at + 1).copied().and_then(AddressingModel::from_u32);
            return matches!(model, Some(AddressingModel::Physical32 | AddressingModel::Physical64));
        }
        if count == 0 {
            return false;
        }
        at += count;
    }
    false
}
