//! Runs a row on a device and judges every result.

use super::error::{distance, to_f64, upper_bound};
use super::exact::{Exact, least_normal};
use super::points::{Batch, Points};
use super::real::{Args, Real};
use super::rows::{Inputs, Kind, Limit, Row, column};
use crate::oracle::engine::{Built, Engine};
use crate::oracle::number::Scalar;
use clforge_compiler::options::MathOptions;
use clforge_harness::{HostArg, NdRange};

/// How much is tried.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Random points of each function and type.
    pub samples: u64,
    /// Of functions of one `float` each of that many arguments in a row has one that is tried, too; 0: none has.
    pub every: u64,
    /// Threads that compare.
    pub threads: usize,
}

/// What was found.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// Number of results judged.
    pub points: u64,
    /// The greatest error of results within the limit or beyond, in the limit's units; 0 for exact functions.
    pub greatest: f64,
    /// Where it was found.
    pub worst: String,
    /// Results beyond the limit.
    pub wrong: u64,
    /// The first of them.
    pub first_wrong: String,
}

impl Found {
    /// Adds what another thread found.
    pub fn merge(&mut self, other: Found) {
        self.points += other.points;
        self.wrong += other.wrong;
        if other.greatest > self.greatest {
            (self.greatest, self.worst) = (other.greatest, other.worst);
        }
        if self.first_wrong.is_empty() {
            self.first_wrong = other.first_wrong;
        }
    }

    /// Notes an error; infinite ones are not sizes.
    pub fn note(&mut self, error: f64, allowed: f64, describe: impl Fn() -> String) {
        if error > self.greatest && error.is_finite() {
            self.greatest = error;
            self.worst = describe();
        }
        if error > allowed || error.is_nan() {
            self.wrong += 1;
            if self.first_wrong.is_empty() {
                self.first_wrong = describe();
            }
        }
    }
}

/// The largest error that a limit allows.
pub fn allowed(limit: Limit) -> f64 {
    match limit {
        Limit::Ulp(limit) | Limit::Absolute(limit) => limit,
        // Special values are prescribed all the same.
        Limit::Open | Limit::Absent => f64::MAX,
        Limit::Exact => 0.0,
    }
}

/// Measures a row for a type, of which the device loses denormals or not.
///
/// # Errors
/// When the kernel cannot be built or run.
pub fn measure(engine: &Engine, row: &Row, ty: Scalar, effort: &Effort, flushes: bool) -> Result<Found, String> {
    if matches!((row.kind, row.limits[column(ty)]), (Kind::Exact(_), Limit::Open)) {
        return Ok(Found::default());
    }
    let math = MathOptions { correctly_rounded_divide_sqrt: row.correctly_rounded, ..MathOptions::default() };
    let built = engine.build_with(&kernel(row, ty), math)?;
    let judge = Judge { row, ty, limit: row.limits[column(ty)], flushes };
    let mut found = Found::default();
    for batch in Points::new(row, ty, effort.samples, effort.every) {
        if batch.x.is_empty() {
            continue;
        }
        let results = run(&built, row, ty, &batch)?;
        for part in judge.all(&batch, &results, effort.threads, found.greatest) {
            found.merge(part);
        }
    }
    Ok(found)
}

fn kernel(row: &Row, ty: Scalar) -> String {
    let (parameters, loads) = match row.inputs {
        Inputs::X => ("", ""),
        Inputs::XY => ("global const T *b, ", "T y = b[i]; "),
        Inputs::XYZ => ("global const T *b, global const T *c, ", "T y = b[i]; T z = c[i]; "),
        Inputs::XN => ("global const int *d, ", "int n = d[i]; "),
    };
    format!(
        "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n\
         #define T {}\n#define R {}\n\
         kernel void f(global const T *a, {parameters}global R *out)\n\
         {{ size_t i = get_global_id(0); T x = a[i]; {loads}R r; {} out[i] = r; }}\n",
        ty.name(),
        if row.int_result { "int" } else { "T" },
        row.body
    )
}

/// The bytes of numbers of a type.
pub fn pack(ty: Scalar, values: &[u64]) -> Vec<u8> {
    values.iter().flat_map(|bits| bits.to_le_bytes().into_iter().take(ty.bytes())).collect()
}

/// Numbers of a type from their bytes.
pub fn unpack(size: usize, bytes: &[u8]) -> Vec<u64> {
    let word = |bytes: &[u8]| bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
    bytes.chunks_exact(size).map(word).collect()
}

fn run(built: &Built, row: &Row, ty: Scalar, batch: &Batch) -> Result<Vec<u64>, String> {
    let mut args = vec![HostArg::Buffer(pack(ty, &batch.x))];
    for values in [&batch.y, &batch.z] {
        if !values.is_empty() {
            args.push(HostArg::Buffer(pack(ty, values)));
        }
    }
    if !batch.n.is_empty() {
        args.push(HostArg::Buffer(batch.n.iter().flat_map(|n| n.to_le_bytes()).collect()));
    }
    let size = if row.int_result { 4 } else { ty.bytes() };
    args.push(HostArg::Buffer(vec![0xa5; size * batch.x.len()]));
    let buffers = built.run("f", &NdRange::new(&[batch.x.len() as u64]), &args)?;
    Ok(unpack(size, buffers.last().map_or(&[][..], Vec::as_slice)))
}

/// What is needed to judge results.
struct Judge<'r> {
    row: &'r Row,
    ty: Scalar,
    limit: Limit,
    /// Denormals may be lost.
    flushes: bool,
}

impl Judge<'_> {
    /// Judges all results, some in each thread.
    fn all(&self, batch: &Batch, results: &[u64], threads: usize, greatest: f64) -> Vec<Found> {
        let part = results.len().div_ceil(threads.max(1)).max(1);
        let some = |first: usize| {
            let mut found = Found { greatest, ..Found::default() };
            for (index, result) in results.iter().enumerate().skip(first).take(part) {
                self.one(batch, index, *result, &mut found);
            }
            found
        };
        std::thread::scope(|scope| {
            let parts: Vec<_> =
                (0..results.len()).step_by(part).map(|first| scope.spawn(move || some(first))).collect();
            parts.into_iter().filter_map(|part| part.join().ok()).collect()
        })
    }

    fn one(&self, batch: &Batch, index: usize, result: u64, found: &mut Found) {
        found.points += 1;
        let value = |values: &[u64]| values.get(index).map_or(0.0, |bits| to_f64(self.ty, *bits));
        let n = batch.n.get(index).copied().unwrap_or(0);
        let args = Args { x: value(&batch.x), y: value(&batch.y), z: value(&batch.z), n };
        let error = match self.row.kind {
            // What they make of denormals is up to the implementation (6.15.2).
            _ if self.row.name.starts_with("native_") && self.has_denormals(&args) => 0.0,
            Kind::Exact(exact) => self.exact(exact, &args, result),
            Kind::Real(real) => self.real(&real, &args, result, found.greatest),
        };
        found.note(error, allowed(self.limit), || self.describe(batch, index, result, error));
    }

    /// 0 or infinite.
    fn exact(&self, exact: Exact, args: &Args, result: u64) -> f64 {
        let accepts = |args: &Args| exact(self.ty, args).accepts(self.ty, result, self.flushes);
        let right = accepts(args) || self.flushes && self.without_denormals(args).iter().any(accepts);
        if right { 0.0 } else { f64::INFINITY }
    }

    /// The error if it is greater than the greatest known, else something that is not.
    fn real(&self, real: &Real, args: &Args, result: u64, greatest: f64) -> f64 {
        let value = to_f64(self.ty, result);
        let special = self.special(args);
        let (estimate, bound) = (real.estimate)(args);
        if !special && !matches!(self.limit, Limit::Absolute(_)) {
            if upper_bound(self.ty, value, estimate, bound) <= greatest {
                return 0.0;
            }
            if self.flushes && value == 0.0 && estimate.abs() < least_normal(self.ty) * 0.999 && bound.is_finite() {
                return 0.0;
            }
        }
        let error = self.distance(real, args, value, special);
        if !self.flushes || error <= greatest {
            return error;
        }
        let others = self.without_denormals(args);
        others.iter().map(|args| self.distance(real, args, value, self.special(args))).fold(error, f64::min)
    }

    /// Whether the result for these arguments is prescribed where it is a number of the type (7.5).
    fn special(&self, args: &Args) -> bool {
        let special = |value: f64| value == 0.0 || !value.is_finite();
        match self.row.inputs {
            _ if matches!(self.limit, Limit::Absolute(_) | Limit::Open) => false,
            Inputs::X => special(args.x),
            _ if args.x == 1.0 && self.row.name.starts_with("pow") => true,
            Inputs::XY | Inputs::XYZ => special(args.x) || special(args.y),
            Inputs::XN => special(args.x) || args.n == 0,
        }
    }

    fn distance(&self, real: &Real, args: &Args, value: f64, special: bool) -> f64 {
        let reference = (real.exact)(args);
        if matches!(self.limit, Limit::Absolute(_)) {
            return (reference - value).abs().to_f64();
        }
        let least = least_normal(self.ty);
        if self.flushes && value == 0.0 && reference.clone().abs() < least {
            return 0.0;
        }
        let error = distance(self.ty, value, &reference);
        let near = reference.to_f64();
        let number = reference == near && to_f64(self.ty, super::error::from_f64(self.ty, near)) == near;
        if special && number && near.abs() >= least && value != near { f64::INFINITY } else { error }
    }

    fn is_denormal(&self, value: f64) -> bool {
        value != 0.0 && value.abs() < least_normal(self.ty)
    }

    fn has_denormals(&self, args: &Args) -> bool {
        [args.x, args.y, args.z].into_iter().any(|value| self.is_denormal(value))
    }

    /// The arguments with some or all of the denormals among them replaced by zeros of either sign.
    fn without_denormals(&self, args: &Args) -> Vec<Args> {
        if !self.has_denormals(args) {
            return Vec::new();
        }
        let choices = |value: f64| if self.is_denormal(value) { vec![value, 0.0, -0.0] } else { vec![value] };
        let mut all = Vec::new();
        for x in choices(args.x) {
            for y in choices(args.y) {
                for z in choices(args.z) {
                    all.push(Args { x, y, z, n: args.n });
                }
            }
        }
        all
    }

    fn describe(&self, batch: &Batch, index: usize, result: u64, error: f64) -> String {
        let digits = 2 * self.ty.bytes();
        let mut text = String::new();
        for (name, values) in [("x", &batch.x), ("y", &batch.y), ("z", &batch.z)] {
            if let Some(bits) = values.get(index) {
                text += &format!("{name} = {:e} (0x{bits:0digits$x}) ", to_f64(self.ty, *bits));
            }
        }
        if let Some(n) = batch.n.get(index) {
            text += &format!("n = {n} ");
        }
        if self.row.int_result {
            return format!("{text}gives {}", result as i32);
        }
        format!("{text}gives {:e} (0x{result:0digits$x}), error {error:.4}", to_f64(self.ty, result))
    }
}
