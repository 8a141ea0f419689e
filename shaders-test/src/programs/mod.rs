//! The programs of `programs/` with their inputs, launches and host references.
//!
//! A [`Program`] names its source; its [`Job`] holds the initial contents of all buffers, the launches in order, and
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
pub use clforge_runtime::harness::NdRange;
use std::borrow::Cow;
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

/// What to run and how to judge the outcome.
pub struct Job {
    /// Initial contents of each buffer.
    pub buffers: Vec<Vec<u8>>,
    /// Kernel launches, in order; each sees what the ones before it wrote.
    pub launches: Vec<Launch>,
    /// Compares the final contents of all buffers with the reference.
    pub check: Judge,
}

/// Compares the final contents of a job's buffers with the reference.
pub type Judge = Box<dyn Fn(&[Vec<u8>]) -> Check>;

/// One kernel launch.
pub struct Launch {
    /// Kernel name.
    pub kernel: Cow<'static, str>,
    /// Work-items and group size.
    pub range: NdRange,
    /// One argument a parameter.
    pub args: Vec<Arg>,
}

/// An argument of a [`Launch`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Arg {
    /// A buffer of the job, by position.
    Buffer(usize),
    /// The bytes of a scalar, vector or structure.
    Pod(Vec<u8>),
    /// Bytes of local memory.
    Local(usize),
    /// A null buffer.
    Null,
}

/// The outcome of a comparison.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Check {
    /// Largest error found, in the program's own measure; a number of mismatches for integers.
    pub max_error: f64,
    /// Largest error that is right.
    pub tolerance: f64,
}

impl Check {
    /// Whether the error is within the tolerance.
    pub fn ok(&self) -> bool {
        self.max_error <= self.tolerance
    }
}

/// A one-dimensional range.
pub fn linear(global: u64, local: u32) -> NdRange {
    NdRange::new(&[global]).local(&[local.into()])
}

/// A two-dimensional range.
pub fn plane(global: [u64; 2], local: [u32; 2]) -> NdRange {
    NdRange::new(&global).local(&local.map(u64::from))
}

impl Arg {
    /// A plain value.
    pub fn pod<T: bytemuck::NoUninit>(value: T) -> Arg {
        Arg::Pod(bytemuck::bytes_of(&value).to_vec())
    }
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
            folders: vec![self.folder(), Program::root()],
            embedded: false,
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
