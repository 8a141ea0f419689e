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
mod reduction;
mod saxpy;
mod scan;
mod sha256;
mod spmv;
mod vector_add;

pub use mandelbrot::image as mandelbrot_image;

use crate::backend::Build;
use crate::job::{Arg, Check, Job, Launch, NdRange, linear, plane};
use std::path::PathBuf;

/// One program: a source file and how to try it.
#[derive(Clone, Copy)]
pub struct Program {
    /// Folder and file stem below `shaders-test/programs`.
    pub name: &'static str,
    /// `-D` options.
    pub defines: &'static [(&'static str, &'static str)],
    /// Makes inputs, launches and check.
    pub job: fn() -> Job,
}

impl Program {
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
            std: None,
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
    Program { name: "vector_add", defines: &[], job: vector_add::job },
    Program { name: "saxpy", defines: &[("VECTOR", "float4")], job: saxpy::job },
    Program { name: "matmul", defines: &[("TILE", "16")], job: matmul::job },
    Program { name: "reduction", defines: &[], job: reduction::job },
    Program { name: "scan", defines: &[], job: scan::job },
    Program { name: "histogram", defines: &[], job: histogram::job },
    Program { name: "bitonic", defines: &[], job: bitonic::job },
    Program { name: "nbody", defines: &[], job: nbody::job },
    Program { name: "mandelbrot", defines: &[], job: mandelbrot::job },
    Program { name: "convolution", defines: &[], job: convolution::job },
    Program { name: "sha256", defines: &[], job: sha256::job },
    Program { name: "black_scholes", defines: &[], job: black_scholes::job },
    Program { name: "fft", defines: &[], job: fft::job },
    Program { name: "life", defines: &[], job: life::job },
    Program { name: "spmv", defines: &[], job: spmv::job },
    Program { name: "particles", defines: &[], job: particles::job },
];
