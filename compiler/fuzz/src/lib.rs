//! The bodies of the fuzz targets. Their input is a source text, which is compiled up to some stage, or a module for
//! OpenCL. Panics and internal errors of the compiler end the process; the fuzzer itself finds hangs and excessive use
//! of memory.
#![forbid(unsafe_code)]

use bumpalo::Bump;
use clforge_basic::source::{Interner, SourceMap, TokenTable};
use clforge_compiler::diag::Sink;
use clforge_compiler::options::{ClStd, IncludeLoader, IncludedFile, OpenClVersion, VulkanVersion};
use clforge_compiler::{Diagnostics, Options, Source, Stage, Target};
use clforge_sema as sema;
use clforge_sema::hir::Program;
use clforge_syntax::parse;
use clforge_syntax::preprocess;
use std::sync::Arc;

/// As much as the compiler gives itself.
const STACK_BYTES: usize = 512 << 20;

/// `#include "self"` is the source itself; there is no other file.
struct Itself(Vec<u8>);

impl IncludeLoader for Itself {
    fn load(&self, path: &str, _: &str, _: bool) -> Option<IncludedFile> {
        (path == "self").then(|| IncludedFile { name: "self".into(), text: self.0.clone() })
    }
}

/// The text's length chooses the language version, so that seeds are plain sources.
fn options(data: &[u8], target: Target) -> Options {
    let versions = [None, Some(ClStd::CL2_0), Some(ClStd::CL3_0)];
    let cl_std = versions[data.len() % versions.len()];
    Options::for_target(target).with_cl_std(cl_std).with_includes(Arc::new(Itself(data.to_vec())))
}

fn render(diagnostics: &Diagnostics) {
    for diagnostic in &diagnostics.list {
        assert!(!diagnostic.message.contains("internal compiler error"), "{}", diagnostic.message);
    }
    // Rendering has its own arithmetic.
    diagnostics.render(false);
}

/// Prints a stage's text form, for Vulkan.
pub fn print(data: &[u8], stage: Stage) {
    let options = options(data, Target::Vulkan(VulkanVersion::V1_2));
    if let Err(diagnostics) = clforge_compiler::print_stage(Source { name: "fuzz.cl", text: data }, &options, stage) {
        render(&diagnostics);
    }
}

/// The front end alone, the typed program checked.
pub fn front_end(data: &[u8]) {
    let run = || {
        let options = options(data, Target::Vulkan(VulkanVersion::V1_2));
        let (mut names, mut sources, mut sink) = (Interner::new(), SourceMap::new(), Sink::new());
        let mut table = TokenTable::default();
        let source = Source { name: "fuzz.cl", text: data };
        let range = preprocess::preprocess(source, &options, &mut names, &mut sources, &mut sink, &mut table);
        let (tree, arena) = (Bump::new(), Bump::new());
        let unit = parse::parse(&tree, &table, range, &mut names, &mut sink, options.language.version());
        let mut program = Program::default();
        let input = sema::Input { table: &table, options: &options, is_linked: false };
        sema::check(&unit, &arena, &mut program, input, &mut names, &mut sink, false);
        let failed = sink.has_errors();
        render(&Diagnostics::new(sink, Arc::new(sources), Arc::new(names), &options));
        if !failed {
            assert_eq!(clforge_sema::hir::verify::verify(&program), []);
        }
    };
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, run);
        thread.expect("a thread").join().expect("no panic");
    });
}

/// The whole compiler; without the SPIR-V validator, which is a process of its own.
pub fn compile(data: &[u8], target: Target) {
    match clforge_compiler::compile(Source { name: "fuzz.cl", text: data }, &options(data, target)) {
        Ok(compiled) => render(&compiled.warnings),
        Err(diagnostics) => render(&diagnostics),
    }
}

fn words(data: &[u8]) -> Vec<u32> {
    data.chunks_exact(4).filter_map(|word| word.try_into().ok()).map(u32::from_le_bytes).collect()
}

/// Reads a module for OpenCL and translates it for Vulkan.
pub fn translate(data: &[u8]) {
    let options = Options::for_target(VULKAN);
    if let Err(diagnostics) = clforge_compiler::translate_spirv(&words(data), &options) {
        render(&diagnostics);
    }
}

/// Changes a module of so many bytes in its place; the bytes that it has then.
pub fn mutate_module(data: &mut [u8], size: usize, max_size: usize, seed: u32) -> usize {
    // Xorshift, which never gets to 0.
    let mut state = u64::from(seed) << 1 | 1;
    let mut choose = |limit: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % limit as u64) as usize
    };
    // Seeds are sources: their modules are changed.
    let module = match words(&data[..size]) {
        module if module.first() == SMALLEST.first() => module,
        _ => {
            let source = Source { name: "fuzz.cl", text: &data[..size] };
            let compiled = clforge_compiler::compile(source, &options(&data[..size], OPENCL));
            compiled.map_or_else(|_| SMALLEST.to_vec(), |compiled| compiled.spirv)
        }
    };
    let changed = clforge_reader::mutate::mutate(&module, &mut choose);
    let bytes: Vec<u8> = changed.iter().flat_map(|word| word.to_le_bytes()).take(max_size / 4 * 4).collect();
    data[..bytes.len()].copy_from_slice(&bytes);
    bytes.len()
}

/// A module without functions.
const SMALLEST: [u32; 14] =
    [0x0723_0203, 0x0001_0000, 0, 8, 0, 0x0002_0011, 6, 0x0002_0011, 4, 0x0003_000e, 2, 2, 0x0002_0013, 1];

/// The Vulkan version to compile for.
pub const VULKAN: Target = Target::Vulkan(VulkanVersion::V1_2);
/// The OpenCL version to compile for.
pub const OPENCL: Target = Target::OpenCl(OpenClVersion::V3_0);
