//! Compiles OpenCL C, or SPIR-V for OpenCL, to SPIR-V. The library reads nothing from its environment: included files
//! come from [`LanguageOptions::includes`], which reads files of the file system only if it is [`FileIncludes`], and
//! the only process that it starts is `spirv-val`, by [`validate`].
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
//! The pipeline, ordered in `pipeline.rs`, the passes in `pass_lists.rs`:
//!
//! ```text
//! source → preprocess → parse (pest) → AST → sema → HIR → lower → IR → passes → IR → emit → SPIR-V
//! ```
#![forbid(unsafe_code)]
// A number that is cut is a program that is compiled wrongly: `narrow` has the conversions, and says what they keep.
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss))]

mod files;
mod includes;
mod module_error;
mod observer;
mod pass_lists;
mod pass_manager;
mod pipeline;
mod places;
mod unit;

pub use clforge_basic::diag::{self, Diagnostics};
pub use clforge_basic::options::{self, CodegenOptions, DeviceFacts, LanguageOptions, Options, Target};
pub use clforge_basic::{Source, argument_info, driver_flags, tuning, warnings, workarounds};
pub use clforge_reader::SpecValue;
pub use clforge_spirv::{disassemble, interface, validate};
pub use files::{read_file, read_file_if, read_stream};
pub use includes::{FileIncludes, build_options};
pub use module_error::ModuleError;
pub use observer::Observer;
pub use unit::Unit;

/// This build of the compiler: its version, and a digest of its sources. Two builds of one version may make different modules, so
/// who keeps a module for later keeps this with it.
pub const BUILD: &str = concat!(env!("CARGO_PKG_VERSION"), "+", env!("CLFORGE_BUILD"));

/// A compiled module.
#[non_exhaustive]
pub struct Compiled {
    /// The SPIR-V words. In a Vulkan module the reflection is inside: see [`interface::ModuleInterface::from_spirv`].
    pub spirv: Vec<u32>,
    /// Warnings, possibly none.
    pub warnings: Diagnostics,
    /// The files that were included, each once, by the names that [`options::IncludeLoader::load`] gave them. The source
    /// itself is not among them. A build script names them to cargo:
    ///
    /// ```
    /// # use clforge_compiler::{Options, Source, compile, options::{IncludeLoader, IncludedFile}};
    /// # struct Folder(&'static str);
    /// # impl IncludeLoader for Folder {
    /// #     fn load(&self, path: &str, _: &str, _: bool) -> Option<IncludedFile> {
    /// #         let text = b"#define BY 2\n".to_vec();
    /// #         (path == "by.h").then(|| IncludedFile { name: format!("{}/{path}", self.0), text })
    /// #     }
    /// # }
    /// // build.rs; `Folder` opens files of a folder.
    /// let source = "src/twice.cl";
    /// # let text: &[u8] = b"#include \"by.h\"\nkernel void twice(global int *a) { a[get_global_id(0)] *= BY; }";
    /// # #[cfg(any())]
    /// let text = &std::fs::read(source)?;
    /// let options = Options::default().with_includes(std::sync::Arc::new(Folder("src")));
    /// let compiled = compile(Source { name: source, text }, &options)?;
    /// println!("cargo::rerun-if-changed={source}");
    /// for file in &compiled.dependencies {
    ///     println!("cargo::rerun-if-changed={file}");
    /// }
    /// # assert_eq!(compiled.dependencies, ["src/by.h"]);
    /// # Ok::<(), clforge_compiler::Diagnostics>(())
    /// ```
    pub dependencies: Vec<String>,
}

/// A translation unit that was compiled and not linked.
#[non_exhaustive]
pub struct CompiledUnit {
    /// The unit.
    pub unit: Unit,
    /// Warnings, possibly none.
    pub warnings: Diagnostics,
    /// As [`Compiled::dependencies`].
    pub dependencies: Vec<String>,
}

/// A program that was checked and not compiled.
#[non_exhaustive]
pub struct Checked {
    /// Warnings, possibly none.
    pub warnings: Diagnostics,
    /// As [`Compiled::dependencies`].
    pub dependencies: Vec<String>,
}

/// What a stage made, as text.
#[non_exhaustive]
pub struct Printed {
    /// The text.
    pub text: String,
    /// Warnings, possibly none.
    pub warnings: Diagnostics,
    /// As [`Compiled::dependencies`].
    pub dependencies: Vec<String>,
}

/// Text forms of the stages, for people and tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Preprocessed source.
    Preprocessed,
    /// The syntax tree.
    Ast,
    /// The typed program.
    Hir,
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
    pipeline::compile(source, options, None)
}

/// Compiles a translation unit that is linked to others, which may define what it declares. Every function and variable that is
/// neither `static` nor `inline` can be named by other units, kernels as well.
///
/// ```
/// use clforge_compiler::{Options, Source, compile_unit, link};
///
/// let options = Options::default();
/// let unit = |name, text: &str| compile_unit(Source { name, text: text.as_bytes() }, &options).map(|compiled| compiled.unit);
/// let square = unit("square.cl", "float square(float x) { return x * x; }").unwrap();
/// let program = unit("k.cl", "float square(float); kernel void k(global float *a) { *a = square(*a); }").unwrap();
/// assert!(link(&[&program, &square], &options).is_ok());
/// let errors = link(&[&program], &options).err().unwrap().render(false);
/// assert!(errors.starts_with("error: function 'square' is called but has no definition"), "{errors}");
/// ```
///
/// # Errors
/// The diagnostics, at least one of them an error.
pub fn compile_unit(source: Source<'_>, options: &Options) -> Result<CompiledUnit, Diagnostics> {
    pipeline::compile_unit(source, options)
}

/// Reads a SPIR-V module for OpenCL as a translation unit for [`link`] and [`link_library`], with modules and sources together:
/// what `LinkageAttributes` export can be named by other units, what they import others define.
///
/// # Errors
/// As [`translate_spirv`].
pub fn spirv_unit(words: &[u32], options: &Options) -> Result<Unit, Diagnostics> {
    pipeline::spirv_unit(words, options)
}

/// Links units to a module of their kernels for `options.target`, which must be of the family that they were compiled for.
/// Relaxations of arithmetic hold where all units permit them, or `options` does (OpenCL 3.0, 5.8.6.6); everything else that
/// concerns the program's meaning is as its units were compiled.
///
/// # Errors
/// The diagnostics: of what is missing, defined several times or declared with different types, and those of passes.
pub fn link(units: &[&Unit], options: &Options) -> Result<Compiled, Diagnostics> {
    pipeline::link(units, options)
}

/// Links units to a library, a unit which may be linked to others; what is missing they may define (`-create-library`).
/// `takes_link_options`: the options of a later link apply to it (`-enable-link-options`).
///
/// # Errors
/// As for [`link`].
pub fn link_library(units: &[&Unit], options: &Options, takes_link_options: bool) -> Result<Unit, Diagnostics> {
    pipeline::link_library(units, options, takes_link_options)
}

/// As [`compile`], with someone who watches: for `--print-after` and `--time-passes`, and for tests of passes.
///
/// # Errors
/// The diagnostics, at least one of them an error.
pub fn compile_observed(
    source: Source<'_>,
    options: &Options,
    observer: &mut dyn Observer,
) -> Result<Compiled, Diagnostics> {
    pipeline::compile(source, options, Some(observer))
}

/// Compiles a SPIR-V module for OpenCL, of this compiler or another one, for `options.target`: to run it on Vulkan, or as a
/// module for OpenCL again. Build options that are about the source have no effect.
///
/// # Errors
/// What is invalid in the module or not supported, with the word at which it is; nothing that the words hold makes it fail
/// otherwise.
pub fn translate_spirv(words: &[u32], options: &Options) -> Result<Compiled, Diagnostics> {
    pipeline::translate(words, options)
}

/// As [`translate_spirv`], printed: [`Stage::Ir`] or [`Stage::Asm`], since a module has none of the stages before.
///
/// # Errors
/// As [`translate_spirv`].
pub fn print_translation(words: &[u32], options: &Options, stage: Stage) -> Result<Printed, Diagnostics> {
    pipeline::print_translation(words, options, stage)
}

/// A SPIR-V module, for OpenCL or Vulkan, with other values for the specialisation constants of these numbers (`SpecId`): what
/// `clSetProgramSpecializationConstant` and Vulkan's specialisation information do, once and for all.
///
/// # Errors
/// A number that no constant has, a value that is none of the constant's type, and words that are no module.
pub fn specialize(words: &[u32], values: &[(u32, SpecValue)]) -> Result<Vec<u32>, ModuleError> {
    clforge_reader::specialize(words, values).map_err(|error| ModuleError::new(&error))
}

/// The size in bytes of the values of the specialisation constant of a number (`SpecId`), 1 of a `bool`; `None` where a module
/// has no such constant.
///
/// # Errors
/// Words that are no module.
pub fn spec_constant_size(words: &[u32], number: u32) -> Result<Option<u32>, ModuleError> {
    clforge_reader::spec_constant_size(words, number).map_err(|error| ModuleError::new(&error))
}

/// Whether words are a SPIR-V module for OpenCL, and not one for Vulkan.
pub fn is_for_opencl(words: &[u32]) -> bool {
    clforge_reader::is_for_opencl(words)
}

/// The names of all passes, in alphabetical order. A compilation runs those that its target and options need.
pub fn pass_names() -> impl Iterator<Item = &'static str> {
    pass_lists::all().map(|pass| pass.name())
}

/// The pass of a name, for tests.
#[doc(hidden)]
pub fn pass(name: &str) -> Option<&'static clforge_spirv::legalize::Pass> {
    pass_lists::by_name(name)
}

/// The names of the passes that legality does not need, in alphabetical order: what [`CodegenOptions::disabled_passes`]
/// may contain.
pub fn optimization_names() -> Vec<&'static str> {
    pass_lists::optimization_names()
}

/// Reports what is wrong with a program, and makes no code of it: what only constants and the target can show is not found.
///
/// # Errors
/// The diagnostics, at least one of them an error.
pub fn check(source: Source<'_>, options: &Options) -> Result<Checked, Diagnostics> {
    pipeline::check(source, options)
}

/// Runs the pipeline up to a stage and prints what it made.
///
/// # Errors
/// The diagnostics, at least one of them an error.
pub fn print_stage(source: Source<'_>, options: &Options, stage: Stage) -> Result<String, Diagnostics> {
    print(source, options, stage).map(|printed| printed.text)
}

/// The same with the warnings and the included files.
///
/// # Errors
/// The diagnostics, at least one of them an error.
pub fn print(source: Source<'_>, options: &Options, stage: Stage) -> Result<Printed, Diagnostics> {
    pipeline::print_stage(source, options, stage)
}
