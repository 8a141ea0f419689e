//! A job: buffers, launches and the judgement of what they leave, for a program or a case.

pub use clforge_harness::NdRange;
use std::borrow::Cow;

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

impl Arg {
    /// A plain value.
    pub fn pod<T: bytemuck::NoUninit>(value: T) -> Arg {
        Arg::Pod(bytemuck::bytes_of(&value).to_vec())
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
