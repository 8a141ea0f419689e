//! Geometric functions (OpenCL C 6.15.5): vectors of 2 to 4 lanes.

use super::error::{distance, from_f64, to_f64, upper_bound};
use super::exact::least_normal;
use super::measure::{Effort, Found, allowed, pack, unpack};
use super::real::PRECISION;
use super::rows::{Limit, column};
use crate::oracle::engine::Engine;
use crate::oracle::number::Scalar;
use clforge_harness::{HostArg, NdRange};
use fastrand::Rng;
use rug::Float;

/// A geometric function of vectors of one width.
pub struct VectorRow {
    /// What it is called in tables.
    pub name: String,
    /// The function.
    pub function: &'static str,
    /// Lanes.
    pub lanes: usize,
    /// The limits for `float`, `double` and `half`.
    pub limits: [Limit; 3],
    geometry: Geometry,
    /// Whether sums of squares may overflow and underflow.
    fast: bool,
}

/// What is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Geometry {
    Dot,
    Cross,
    Length,
    Distance,
    Normalize,
}

impl Geometry {
    fn takes_two(self) -> bool {
        matches!(self, Geometry::Dot | Geometry::Cross | Geometry::Distance)
    }

    fn gives_vector(self) -> bool {
        matches!(self, Geometry::Cross | Geometry::Normalize)
    }

    /// Whether the limit is an absolute error, in units of the square of the greatest operand's last place.
    fn is_absolute(self) -> bool {
        matches!(self, Geometry::Dot | Geometry::Cross)
    }
}

/// All functions in all widths.
pub fn rows() -> Vec<VectorRow> {
    let mut rows = Vec::new();
    for lanes in 2..=4 {
        let n = lanes as f64;
        let mut push = |function: &'static str, geometry, fast, limits: [f64; 3]| {
            let [float, double, half] = limits.map(Limit::Ulp);
            let limits = if fast { [float, Limit::Absent, Limit::Absent] } else { [float, double, half] };
            let name = format!("{function}, {lanes} lanes");
            rows.push(VectorRow { name, function, lanes, limits, geometry, fast });
        };
        if lanes > 2 {
            push("cross", Geometry::Cross, false, [3.0; 3]);
        }
        push("distance", Geometry::Distance, false, [2.5 + 2.0 * n, 5.5 + 2.0 * n, 2.0 * n]);
        push("dot", Geometry::Dot, false, [2.0 * n - 1.0; 3]);
        push("length", Geometry::Length, false, [2.75 + 0.5 * n, 5.5 + n, 0.25 + 0.5 * n]);
        push("normalize", Geometry::Normalize, false, [2.0 + n, 4.5 + n, 1.0 + n]);
        push("fast_distance", Geometry::Distance, true, [8191.5 + 2.0 * n, 0.0, 0.0]);
        push("fast_length", Geometry::Length, true, [8191.5 + n, 0.0, 0.0]);
        push("fast_normalize", Geometry::Normalize, true, [8192.0 + n, 0.0, 0.0]);
    }
    rows.sort_by_key(|row| (row.fast, row.function));
    rows
}

/// Measures a row for a type, of which the device loses denormals or not.
///
/// # Errors
/// When the kernel cannot be built or run.
pub fn measure(engine: &Engine, row: &VectorRow, ty: Scalar, effort: &Effort, flushes: bool) -> Result<Found, String> {
    let built = engine.build(&kernel(row, ty))?;
    let judge = Judge { row, ty, limit: row.limits[column(ty)], flushes };
    let mut random = Rng::with_seed(0x7ec + row.lanes as u64);
    let mut found = Found::default();
    let mut left = effort.samples;
    while left > 0 {
        let count = left.min(1 << 17) as usize;
        left -= count as u64;
        let vectors = |random: &mut Rng| -> Vec<u64> { (0..count).flat_map(|_| judge.vector(random)).collect() };
        let a = vectors(&mut random);
        let b =
            if row.geometry.takes_two() { judge.partners(&a, vectors(&mut random), &mut random) } else { Vec::new() };
        let lanes = if row.geometry.gives_vector() { row.lanes } else { 1 };
        let mut args = vec![HostArg::Buffer(pack(ty, &a))];
        if row.geometry.takes_two() {
            args.push(HostArg::Buffer(pack(ty, &b)));
        }
        args.push(HostArg::Buffer(vec![0xa5; lanes * count * ty.bytes()]));
        let buffers = built.run("f", &NdRange::new(&[count as u64]), &args)?;
        let results = unpack(ty.bytes(), buffers.last().map_or(&[][..], Vec::as_slice));
        for part in judge.all(&a, &b, &results, effort.threads, found.greatest) {
            found.merge(part);
        }
    }
    Ok(found)
}

fn kernel(row: &VectorRow, ty: Scalar) -> String {
    let (lanes, name, function) = (row.lanes, ty.name(), row.function);
    let two = row.geometry.takes_two();
    let (parameter, argument) =
        if two { (format!("global const {name} *b, "), format!(", vload{lanes}(i, b)")) } else { Default::default() };
    let call = format!("{function}(vload{lanes}(i, a){argument})");
    let store = match row.geometry.gives_vector() {
        true => format!("vstore{lanes}({call}, i, out)"),
        false => format!("out[i] = {call}"),
    };
    format!(
        "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n\
         kernel void f(global const {name} *a, {parameter}global {name} *out)\n\
         {{ size_t i = get_global_id(0); {store}; }}\n"
    )
}

struct Judge<'r> {
    row: &'r VectorRow,
    ty: Scalar,
    limit: Limit,
    flushes: bool,
}

/// Arguments.
impl Judge<'_> {
    /// The exponents that components may have.
    fn exponents(&self) -> (i32, i32) {
        let (precision, least) = (self.ty.precision() as i32, self.ty.least_exponent());
        // The greatest exponent is about as far from zero as that of the least normal number.
        let greatest = -(least + precision);
        match self.row.fast || self.row.geometry.is_absolute() {
            true => (-greatest / 2 + precision / 2 + 1, greatest / 2 - 2),
            false => (least, greatest),
        }
    }

    fn vector(&self, random: &mut Rng) -> Vec<u64> {
        let (low, high) = self.exponents();
        let middle = random.i32(low..=high);
        let spread = random.u8(..4);
        let sign = |random: &mut Rng| if random.bool() { 1.0 } else { -1.0 };
        let mut lanes: Vec<u64> = (0..self.row.lanes)
            .map(|_| {
                let exponent = match spread {
                    0 => random.i32(low..=high),
                    1 => middle,
                    _ => (middle + random.i32(-12..=12)).clamp(low, high),
                };
                let fraction = 1.0 + random.f64();
                let value = sign(random) * fraction * 2f64.powi(exponent / 2) * 2f64.powi(exponent - exponent / 2);
                if random.u8(..32) == 0 { from_f64(self.ty, 0.0 * sign(random)) } else { from_f64(self.ty, value) }
            })
            .collect();
        let special = !self.row.fast && matches!(self.row.geometry, Geometry::Length | Geometry::Normalize);
        if special && random.u8(..64) == 0 {
            let value = if random.bool() { self.ty.infinity() } else { self.ty.infinity() + 1 };
            let place = random.usize(..lanes.len());
            lanes[place] = value | if random.bool() { self.ty.sign() } else { 0 };
        }
        lanes
    }

    /// Second operands: some are neighbours of the first ones.
    fn partners(&self, a: &[u64], b: Vec<u64>, random: &mut Rng) -> Vec<u64> {
        let close = |(a, b): (&u64, u64)| {
            let near = a ^ random.u64(..16);
            let finite = near & !self.ty.sign() < self.ty.infinity();
            if random.u8(..4) == 0 && finite { near } else { b }
        };
        a.iter().zip(b).map(close).collect()
    }
}

/// Results.
impl Judge<'_> {
    fn all(&self, a: &[u64], b: &[u64], results: &[u64], threads: usize, greatest: f64) -> Vec<Found> {
        let lanes = if self.row.geometry.gives_vector() { self.row.lanes } else { 1 };
        let count = a.len() / self.row.lanes;
        let part = count.div_ceil(threads.max(1)).max(1);
        let some = |first: usize| {
            let mut found = Found { greatest, ..Found::default() };
            for item in first..(first + part).min(count) {
                let vector = |values: &[u64]| -> Vec<f64> {
                    let lanes = values.iter().skip(item * self.row.lanes).take(self.row.lanes);
                    lanes.map(|bits| to_f64(self.ty, *bits)).collect()
                };
                let (a, b) = (vector(a), vector(b));
                for lane in 0..lanes {
                    let result = results.get(item * lanes + lane).copied().unwrap_or(0);
                    self.one(&a, &b, lane, result, &mut found);
                }
            }
            found
        };
        std::thread::scope(|scope| {
            let parts: Vec<_> = (0..count).step_by(part).map(|first| scope.spawn(move || some(first))).collect();
            parts.into_iter().filter_map(|part| part.join().ok()).collect()
        })
    }

    fn one(&self, a: &[f64], b: &[f64], lane: usize, result: u64, found: &mut Found) {
        found.points += 1;
        let value = to_f64(self.ty, result);
        if self.ty != Scalar::Double && !self.row.geometry.is_absolute() {
            let (estimate, bound) = estimate(self.row.geometry, a, b, lane);
            if upper_bound(self.ty, value, estimate, bound) <= found.greatest {
                return;
            }
        }
        let mut error = self.distance(a, b, lane, value);
        if self.flushes && error > found.greatest {
            error = self.distance_without_denormals((a, b), lane, value, error, found.greatest);
        }
        found.note(error, allowed(self.limit), || {
            format!("{a:?} {b:?} lane {lane} gives {value:e} (0x{result:x}), error {error:.4}")
        });
    }

    /// The error where elements may be lost, if less than that of all, or one that is small enough: denormals (7.5.3). The fast functions are defined as
    /// computations, whose squares of elements below the root of the least normal number are denormals, too (6.15.5).
    fn distance_without_denormals(
        &self,
        (a, b): (&[f64], &[f64]),
        lane: usize,
        value: f64,
        of_all: f64,
        enough: f64,
    ) -> f64 {
        let least = least_normal(self.ty);
        let mut error = self.distance_without(least, self.row.geometry, (a, b), lane, value, enough).min(of_all);
        if self.row.fast && error > enough {
            let difference: Vec<f64> = a.iter().zip(b).map(|(a, b)| a - b).collect();
            let (geometry, a) = match self.row.geometry {
                Geometry::Distance => (Geometry::Length, &difference[..]),
                geometry => (geometry, a),
            };
            error = error.min(self.distance_without(least.sqrt(), geometry, (a, &[]), lane, value, enough));
        }
        error
    }

    /// The least error where any of the elements below `least` are zeros, or one that is small enough.
    fn distance_without(
        &self,
        least: f64,
        geometry: Geometry,
        (a, b): (&[f64], &[f64]),
        lane: usize,
        value: f64,
        enough: f64,
    ) -> f64 {
        let elements: Vec<f64> = a.iter().chain(b).copied().collect();
        let is_small = |value: &f64| *value != 0.0 && value.abs() < least;
        let small: Vec<usize> =
            (0..elements.len()).filter(|index| elements.get(*index).is_some_and(is_small)).collect();
        let mut error = f64::INFINITY;
        // All of them at first: that is what devices do.
        for kept in 0..(1 << small.len()) - 1 {
            let mut elements = elements.clone();
            let lost = small.iter().enumerate().filter(|(place, _)| kept >> place & 1 == 0);
            lost.for_each(|(_, index)| elements.iter_mut().skip(*index).take(1).for_each(|element| *element = 0.0));
            let (a, b) = elements.split_at(a.len());
            error = error.min(self.distance_of(geometry, a, b, lane, value));
            if error <= enough {
                break;
            }
        }
        error
    }

    fn distance(&self, a: &[f64], b: &[f64], lane: usize, value: f64) -> f64 {
        self.distance_of(self.row.geometry, a, b, lane, value)
    }

    fn distance_of(&self, geometry: Geometry, a: &[f64], b: &[f64], lane: usize, value: f64) -> f64 {
        let reference = exact(geometry, a, b, lane);
        if self.flushes && reference.clone().abs() < least_normal(self.ty) {
            // The sign of a zero that a denormal became is open.
            if value == 0.0 {
                return 0.0;
            }
        }
        if self.row.geometry.is_absolute() {
            let greatest = a.iter().chain(b).fold(0.0, |greatest: f64, value| greatest.max(value.abs()));
            let unit = Float::with_val(PRECISION, greatest).square() >> (self.ty.precision() - 1);
            return if unit.is_zero() && value == 0.0 { 0.0 } else { ((reference - value).abs() / unit).to_f64() };
        }
        distance(self.ty, value, &reference)
    }
}

/// Exact for `float` and `half` but for a few roundings: their squares neither overflow nor underflow.
fn estimate(geometry: Geometry, a: &[f64], b: &[f64], lane: usize) -> (f64, f64) {
    let length = |values: &mut dyn Iterator<Item = f64>| values.map(|value| value * value).sum::<f64>().sqrt();
    let value = match geometry {
        Geometry::Distance => length(&mut a.iter().zip(b).map(|(a, b)| a - b)),
        Geometry::Length => length(&mut a.iter().copied()),
        Geometry::Normalize => a.get(lane).copied().unwrap_or(0.0) / length(&mut a.iter().copied()),
        Geometry::Dot | Geometry::Cross => return (0.0, f64::INFINITY),
    };
    (value, if value.is_finite() { 16.0 } else { f64::INFINITY })
}

fn exact(geometry: Geometry, a: &[f64], b: &[f64], lane: usize) -> Float {
    let float = |value: f64| Float::with_val(PRECISION, value);
    let at = |values: &[f64], lane: usize| float(values.get(lane % 4).copied().unwrap_or(0.0));
    let length = |values: &mut dyn Iterator<Item = Float>| {
        values.fold(Float::new(PRECISION), |sum, value| sum + value.square()).sqrt()
    };
    match geometry {
        Geometry::Dot => {
            // Cancellation may be total: twice the precision of the products.
            let sum = Float::new(2400);
            a.iter().zip(b).fold(sum, |sum, (a, b)| sum + Float::with_val(PRECISION, *a) * *b)
        }
        Geometry::Cross if lane == 3 => Float::new(PRECISION),
        Geometry::Cross => {
            let (next, last) = ((lane + 1) % 3, (lane + 2) % 3);
            Float::with_val(2400, at(a, next) * at(b, last)) - at(a, last) * at(b, next)
        }
        Geometry::Length => length(&mut a.iter().map(|value| float(*value))),
        Geometry::Distance => length(&mut a.iter().zip(b).map(|(a, b)| float(*a) - b)),
        Geometry::Normalize => normalized(a, lane),
    }
}

/// With the rules for zero, infinite and NaN elements (7.5.1).
fn normalized(a: &[f64], lane: usize) -> Float {
    let float = |value: f64| Float::with_val(PRECISION, value);
    let element = a.get(lane).copied().unwrap_or(0.0);
    if a.iter().any(|value| value.is_nan()) {
        return float(f64::NAN);
    }
    if a.iter().all(|value| *value == 0.0) {
        return float(element);
    }
    let infinite = a.iter().any(|value| value.is_infinite());
    let replaced = |value: f64| match (infinite, value.is_infinite()) {
        (false, _) => value,
        (true, true) => 1f64.copysign(value),
        (true, false) => 0.0 * value,
    };
    let sum = a.iter().fold(Float::new(PRECISION), |sum, value| sum + float(replaced(*value)).square());
    float(replaced(element)) / sum.sqrt()
}
