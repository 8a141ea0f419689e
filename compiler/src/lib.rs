//! OpenCL C in, SPIR-V out: a library without files and environment. What `#include` finds comes from
//! [`Options::includes`], and the only process is `spirv-val`, for who asks [`validate`].
//!
//! ```
//! use clforge_compiler::{Options, Source, compile};
//!
//! let text = b"kernel void twice(global float *a) { a[get_global_id(0)] *= 2.0f; }";
//! let compiled = compile(Source { name: "twice.cl", text }, &Options::default()).unwrap();
//! assert_eq!(compiled.spirv[0], 0x0723_0203);
//!
//! let wrong = compile(Source { name: "wrong.cl", text: b"kernel void k() { x; }" }, &Options::default());
//! let message = wrong.err().unwrap().render(false);
//! assert!(message.starts_with("error: use of undeclared identifier 'x'"), "{message}");
//! ```
//!
//! The pipeline, ordered in [`pipeline`]:
//!
//! ```text
//! source → preprocess → parse (pest) → AST → sema → HIR → lower → IR → passes → IR → emit → SPIR-V
//! ```
#![forbid(unsafe_code)]

pub mod pipeline;

pub use clforge_basic::diag::{self, Diagnostics};
pub use clforge_basic::options::{self, Options, Target};
pub use clforge_basic::{Source, argument_info, workarounds};
pub use clforge_spirv::{disassemble, interface, validate};

/// A compiled module.
pub struct Compiled {
    /// The SPIR-V words. In a Vulkan module the reflection is inside: see [`interface::ModuleInterface::from_spirv`].
    pub spirv: Vec<u32>,
    /// Warnings, possibly none.
    pub warnings: Diagnostics,
}

/// Text forms of the stages, for people and tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Preprocessed source.
    Preprocessed,
    /// The syntax tree.
    Ast,
    /// The IR after all passes.
    Ir,
    /// SPIR-V assembly.
    Asm,
}

/// Compiles OpenCL C to SPIR-V for `options.target`.
///
/// # Errors
/// The diagnostics, at least one of them an error.
pub fn compile(source: Source<'_>, options: &Options) -> Result<Compiled, Diagnostics> {
    pipeline::compile(source, options)
}

/// Runs the pipeline up to a stage and prints what it made.
///
/// # Errors
/// The diagnostics, at least one of them an error.
pub fn print_stage(source: Source<'_>, options: &Options, stage: Stage) -> Result<String, Diagnostics> {
    pipeline::print_stage(source, options, stage)
}
