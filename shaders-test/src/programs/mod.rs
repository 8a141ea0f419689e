//! The programs of `programs/` with their inputs, launches and host references.
//!
//! A [`Program`] names its source; its [`Job`] has the initial contents of all buffers, the launches in order, and
//! the check of the final contents against a reference that the host computes.

mod bitonic;
mod black_scholes;
mod convolution;
mod fft;
mod histogram;
mod life;
mod mandelbrot;
mod matmul;
mod nbody;
mod particles;
mod quadtree;
mod quick_sort;
mod reduction;
mod region_growing;
mod saxpy;
mod scan;
mod sha256;
mod spmv;
mod vector_add;

pub use mandelbrot::image as mandelbrot_image;

use crate::backend::Build;
use crate::job::{Arg, Check, Job, Launch, NdRange, linear, plane};
use clforge_compiler::options::ClStd;
use std::path::{Path, PathBuf};

/// One program: a source file and how to try it.
#[derive(Clone, Copy)]
pub struct Program {
    /// Folder and file stem below `shaders-test/programs`.
    pub name: &'static str,
    /// `-D` options.
    pub defines: &'static [(&'static str, &'static str)],
    /// Makes inputs, launches and check.
    pub job: fn() -> Job,
    /// Whether its kernels enqueue others, which few OpenCL drivers and no logical addressing can do.
    pub enqueues: bool,
}

impl Program {
    const fn new(name: &'static str, defines: &'static [(&'static str, &'static str)], job: fn() -> Job) -> Program {
        Program { name, defines, job, enqueues: false }
    }

    const fn that_enqueues(name: &'static str, job: fn() -> Job) -> Program {
        Program { name, defines: &[], job, enqueues: true }
    }

    /// The folder that all program folders are in; the second include directory.
    pub fn root() -> PathBuf {
        PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/programs"))
    }

    /// The program's folder, which is its first include directory.
    pub fn folder(&self) -> PathBuf {
        Program::root().join(self.name)
    }

    /// How to build it.
    pub fn build(&self) -> Build {
        let own = |(name, value): &(&str, &str)| (name.to_string(), value.to_string());
        Build {
            path: self.path(),
            defines: self.defines.iter().map(own).collect(),
            std: self.enqueues.then_some(ClStd::CL3_0),
            correctly_rounded: false,
            folders: vec![self.folder(), Program::root()],
            embedded: false,
            ..Build::default()
        }
    }

    /// The source file.
    pub fn path(&self) -> PathBuf {
        self.folder().join(format!("{}.cl", self.name))
    }
}

/// All programs, simple ones first.
pub const ALL: &[Program] = &[
    Program::new("vector_add", &[], vector_add::job),
    Program::new("saxpy", &[("VECTOR", "float4")], saxpy::job),
    Program::new("matmul", &[("TILE", "16")], matmul::job),
    Program::new("reduction", &[], reduction::job),
    Program::new("scan", &[], scan::job),
    Program::new("histogram", &[], histogram::job),
    Program::new("bitonic", &[], bitonic::job),
    Program::new("nbody", &[], nbody::job),
    Program::new("mandelbrot", &[], mandelbrot::job),
    Program::new("convolution", &[], convolution::job),
    Program::new("sha256", &[], sha256::job),
    Program::new("black_scholes", &[], black_scholes::job),
    Program::new("fft", &[], fft::job),
    Program::new("life", &[], life::job),
    Program::new("spmv", &[], spmv::job),
    Program::new("particles", &[], particles::job),
    Program::that_enqueues("quick_sort", quick_sort::job),
    Program::that_enqueues("quadtree", quadtree::job),
    Program::that_enqueues("region_growing", region_growing::job),
];

/// How to build the sources of `shaders-test/bench`, by their names.
///
/// # Errors
/// When the folder cannot be read.
pub fn benchmarks() -> Result<Vec<(String, Build)>, String> {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/bench"));
    let entries = std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "cl"));
    paths.sort();
    let of = |path: PathBuf| {
        let name = format!("bench/{}", path.file_stem().unwrap_or_default().to_string_lossy());
        (name, Build { path, std: Some(ClStd::CL2_0), ..Build::default() })
    };
    Ok(paths.into_iter().map(of).collect())
}
