//! Arguments: edges in every combination, all values where that is affordable, else values of all magnitudes and values
//! in critical ranges of the function.

use super::error::{from_f64, to_f64};
use super::rows::{Inputs, Limit, Region, Row, column};
use crate::oracle::number::Scalar;
use fastrand::Rng;

/// Arguments of many calls, as bits; those that a function does not take are empty.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs)]
pub struct Batch {
    pub x: Vec<u64>,
    pub y: Vec<u64>,
    pub z: Vec<u64>,
    pub n: Vec<i32>,
}

impl Batch {
    fn push(&mut self, inputs: Inputs, x: u64, y: u64, z: u64, n: i32) {
        self.x.push(x);
        if matches!(inputs, Inputs::XY | Inputs::XYZ) {
            self.y.push(y);
        }
        if inputs == Inputs::XYZ {
            self.z.push(z);
        }
        if inputs == Inputs::XN {
            self.n.push(n);
        }
    }
}

/// A stream of batches for a row and a type.
pub struct Points<'r> {
    row: &'r Row,
    ty: Scalar,
    random: Rng,
    /// Edges were given out.
    edges_done: bool,
    /// The next of all values, if they are wanted.
    next: Option<u64>,
    /// One of so many of them is.
    step: u64,
    /// Random points left.
    left: u64,
}

/// Calls in a batch of successive values, and of random ones.
const SUCCESSIVE: u64 = 1 << 21;
const RANDOM: u64 = 1 << 18;

impl<'r> Points<'r> {
    /// Edges, for functions of one number all halves or one of `every` floats, at a random place among them, and unless
    /// these were all, `samples` more points.
    pub fn new(row: &'r Row, ty: Scalar, samples: u64, every: u64) -> Points<'r> {
        let step = match ty {
            _ if row.inputs != Inputs::X || only_region(row) => 0,
            Scalar::Half => 1,
            Scalar::Float => every,
            _ => 0,
        };
        Points {
            row,
            ty,
            random: Rng::with_seed(
                samples ^ row.name.bytes().fold(0u64, |hash, byte| hash.wrapping_mul(31) + u64::from(byte)),
            ),
            edges_done: only_region(row),
            next: (step != 0).then_some(0),
            step,
            left: if step == 1 { 0 } else { samples },
        }
    }

    fn edges(&self) -> Batch {
        let edges = edges(self.ty);
        let mut batch = Batch::default();
        let one = [0];
        let (y, z) = match self.row.inputs {
            Inputs::X | Inputs::XN => (&one[..], &one[..]),
            Inputs::XY => (&edges[..], &one[..]),
            Inputs::XYZ => (&edges[..], &edges[..]),
        };
        let n = if self.row.inputs == Inputs::XN { INTEGERS } else { &[0] };
        for x in edges.iter().filter(|x| self.allowed(**x)) {
            for y in y {
                for z in z {
                    for n in n {
                        batch.push(self.row.inputs, *x, *y, *z, *n);
                    }
                }
            }
        }
        batch
    }

    /// Whether the function is judged for an `x`.
    fn allowed(&self, x: u64) -> bool {
        let value = to_f64(self.ty, x).abs();
        !matches!(self.row.region, Region::Within(bound) if value > bound && value.is_finite())
    }
}

/// Whether only the row's region is looked at: where the implementation decides, or the error is absolute.
fn only_region(row: &Row) -> bool {
    matches!(row.limits[column(Scalar::Float)], Limit::Absolute(_)) || row.name.starts_with("native_")
}

impl Iterator for Points<'_> {
    type Item = Batch;

    fn next(&mut self) -> Option<Batch> {
        if !self.edges_done {
            self.edges_done = true;
            return Some(self.edges());
        }
        let mut batch = Batch::default();
        if let Some(first) = self.next {
            let mut place = first;
            for _ in 0..SUCCESSIVE {
                let x = place + self.random.u64(..self.step);
                if x <= self.ty.mask() && self.allowed(x) {
                    batch.x.push(x);
                }
                place = place.saturating_add(self.step);
            }
            self.next = (place <= self.ty.mask()).then_some(place);
            return Some(batch);
        }
        if self.left == 0 {
            return None;
        }
        let count = self.left.min(RANDOM);
        self.left -= count;
        for index in 0..count {
            let (x, y, z, n) = match index % 4 {
                0 if !only_region(self.row) => self.anything(),
                _ => self.interesting(),
            };
            batch.push(self.row.inputs, x, y, z, n);
        }
        if self.next.is_none() && batch.x.is_empty() { None } else { Some(batch) }
    }
}

/// Sampling.
impl Points<'_> {
    fn bits(&mut self) -> u64 {
        self.random.u64(..) & self.ty.mask()
    }

    /// Of any magnitude.
    fn finite(&mut self) -> u64 {
        loop {
            let bits = self.bits();
            if bits & !self.ty.sign() < self.ty.infinity() {
                return bits;
            }
        }
    }

    fn uniform(&mut self, low: f64, high: f64) -> u64 {
        from_f64(self.ty, low + (high - low) * self.random.f64())
    }

    /// A few numbers away.
    fn near(&mut self, bits: u64) -> u64 {
        let moved = bits.wrapping_add(self.random.u64(..7)).wrapping_sub(3) & self.ty.mask();
        if self.ty.is_nan(moved) { bits } else { moved }
    }

    fn anything(&mut self) -> (u64, u64, u64, i32) {
        let mut x = self.bits();
        if let Region::Within(bound) = self.row.region
            && !self.allowed(x)
        {
            x = self.uniform(-bound, bound);
        }
        let n = self.random.i32(..) >> self.random.u32(..32);
        (x, self.bits(), self.bits(), n)
    }

    fn interesting(&mut self) -> (u64, u64, u64, i32) {
        let ty = self.ty;
        let precision = ty.precision();
        match self.row.region {
            Region::Range(low, high) => {
                (self.uniform(low, high), self.uniform(low, high), self.uniform(low, high), self.random.i32(-100..100))
            }
            Region::Within(bound) => (self.uniform(-bound, bound), 0, 0, 0),
            Region::Multiples(step, low, high) => {
                let x = self.uniform(low, high);
                let multiple = from_f64(ty, (to_f64(ty, x) / step).round_ties_even() * step);
                (if self.random.bool() { x } else { self.near(multiple) }, 0, 0, 0)
            }
            Region::One => {
                let distance = self.random.f64() * 2f64.powi(-self.random.i32(0..precision as i32 + 2));
                (from_f64(ty, 1.0 + if self.random.bool() { distance } else { -distance / 2.0 }), 0, 0, 0)
            }
            Region::Close => {
                let x = self.finite();
                (x, self.close(x), 0, 0)
            }
            Region::Power => {
                let (x, log) = self.base();
                let mut y = self.random.f64().mul_add(2.0, -1.0) * self.span() / log;
                if x & ty.sign() != 0 {
                    y = y.round();
                }
                (x, from_f64(ty, y), 0, 0)
            }
            Region::PowerInt => {
                let (x, log) = self.base();
                let n = self.random.f64().mul_add(2.0, -1.0) * self.span() / log;
                (x, 0, 0, n as i32)
            }
            Region::Root => {
                let n = self.random.i32(-64..64);
                (self.finite(), 0, 0, if n % 8 == 0 { self.random.i32(..) >> self.random.u32(..32) } else { n })
            }
            Region::Scale => (self.finite(), 0, 0, self.random.i32(-2300..2300) >> self.random.u32(..6)),
            Region::Cancel => self.cancelling(),
            Region::Mix => {
                let (x, z) = (self.uniform(-16.0, 0.5), self.uniform(0.0, 1.0));
                (x, self.uniform(to_f64(ty, x) + 0.0625, 16.0), z, 0)
            }
        }
    }

    /// The logarithms to base 2 of the type's numbers, with some to spare.
    fn span(&self) -> f64 {
        let greatest = (self.ty.infinity() >> self.ty.precision()) as f64;
        greatest + f64::from(self.ty.precision())
    }

    /// A base of powers, mostly positive and often near one, and its logarithm.
    fn base(&mut self) -> (u64, f64) {
        let x = match self.random.u8(..3) {
            0 => self.finite(),
            1 => self.uniform(0.5, 2.0),
            _ => self.uniform(0.0, 100.0),
        };
        let sign = if self.random.u8(..8) == 0 { self.ty.sign() } else { 0 };
        let log = to_f64(self.ty, x).abs().log2();
        (x & !self.ty.sign() | sign, if log.is_finite() && log != 0.0 { log } else { 1.0 })
    }

    /// A number of similar magnitude, at times almost the same.
    fn close(&mut self, x: u64) -> u64 {
        let ty = self.ty;
        if self.random.u8(..4) == 0 {
            let near = self.near(x);
            return if self.random.bool() { near } else { near ^ ty.sign() };
        }
        let step = 1u64 << (ty.precision() - 1);
        let reach = u64::from(ty.precision()) + 8;
        let field = (x & !ty.sign()) / step + self.random.u64(..2 * reach);
        let field = field.saturating_sub(reach).min(ty.infinity() / step - 1);
        let sign = if self.random.bool() { ty.sign() } else { 0 };
        let y = sign | (field * step + self.random.u64(..step));
        // Few significant bits make ties.
        if self.random.bool() { y } else { y & u64::MAX << self.random.u32(..ty.precision()) }
    }

    fn cancelling(&mut self) -> (u64, u64, u64, i32) {
        let ty = self.ty;
        let x = self.finite();
        let inverse = from_f64(ty, 1.0 / to_f64(ty, x));
        let y = if ty.is_nan(inverse) || inverse & !ty.sign() == ty.infinity() {
            self.finite()
        } else {
            self.close(inverse)
        };
        let product = from_f64(ty, -(to_f64(ty, x) * to_f64(ty, y)));
        let product = if product & !ty.sign() < ty.infinity() { product } else { self.finite() };
        (x, y, if self.random.bool() { self.near(product) } else { self.close(product) }, 0)
    }
}

const INTEGERS: &[i32] = &[
    0,
    1,
    -1,
    2,
    -2,
    3,
    -3,
    4,
    -4,
    5,
    -5,
    7,
    10,
    -10,
    11,
    23,
    24,
    -24,
    25,
    30,
    -30,
    64,
    100,
    -101,
    126,
    -126,
    127,
    -127,
    128,
    -128,
    149,
    -149,
    150,
    -150,
    151,
    255,
    277,
    -277,
    1000,
    -1001,
    1022,
    -1022,
    1023,
    -1074,
    -1075,
    2000,
    2098,
    2099,
    -2099,
    16_777_216,
    16_777_217,
    -16_777_217,
    i32::MAX,
    i32::MAX - 1,
    i32::MIN,
    i32::MIN + 1,
];

/// Zeros, infinities, NaN, the ends of normal and denormal numbers, and numbers where functions turn.
fn edges(ty: Scalar) -> Vec<u64> {
    let least_normal = 1 << (ty.precision() - 1);
    let infinity = ty.infinity();
    let mut edges = vec![
        0,
        1,
        2,
        least_normal - 1,
        least_normal,
        least_normal + 1,
        infinity - 1,
        infinity - 2,
        infinity,
        infinity | least_normal >> 1,
    ];
    let pi = std::f64::consts::PI;
    let integers = 2f64.powi(ty.precision() as i32);
    for value in [
        0.25,
        0.5,
        0.75,
        1.0,
        1.5,
        2.0,
        2.5,
        3.0,
        3.5,
        4.0,
        10.0,
        100.0,
        255.0,
        pi / 4.0,
        pi / 2.0,
        pi,
        2.0 * pi,
        std::f64::consts::E,
        integers,
        integers - 1.0,
        integers / 2.0 - 0.5,
        integers / 2.0 + 1.0,
        integers / 4.0 + 0.5,
        1.0 / integers,
    ] {
        edges.push(from_f64(ty, value));
    }
    let one = from_f64(ty, 1.0);
    let half = from_f64(ty, 0.5);
    edges.extend([one + 1, one - 1, half + 1, half - 1]);
    edges.extend(edges.clone().into_iter().map(|bits| bits | ty.sign()));
    edges.sort_unstable();
    edges.dedup();
    edges
}
