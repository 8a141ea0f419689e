//! `convert_<type>[_sat][_rte|_rtz|_rtp|_rtn]` (OpenCL C 6.4.3) against an exact model.

use super::engine::Engine;
use super::number::{Finite, Number, Rounding, SCALARS, Scalar};
use clforge_harness::{HostArg, NdRange};
use std::fmt::Write as _;

/// The numbers of lanes.
pub const LANES: [usize; 6] = [1, 2, 3, 4, 8, 16];
/// Values are padded to a multiple of this, so that every vector width divides their number, and that blocks of results
/// are aligned to every vector.
const BLOCK: usize = 3 * 128;

const ROUNDINGS: [(Option<Rounding>, &str); 5] = [
    (None, ""),
    (Some(Rounding::NearestEven), "_rte"),
    (Some(Rounding::Zero), "_rtz"),
    (Some(Rounding::Up), "_rtp"),
    (Some(Rounding::Down), "_rtn"),
];

/// A conversion of lanes from one type to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conversion {
    /// Type of the operand.
    pub from: Scalar,
    /// Type of the result.
    pub to: Scalar,
    /// `_sat`.
    pub saturate: bool,
    /// The rounding mode, if one is named.
    pub rounding: Option<Rounding>,
}

/// What a conversion may return.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// The implementation decides.
    Anything,
    /// Some NaN.
    Nan,
    /// These bits.
    Bits(u64),
}

impl Conversion {
    /// Every conversion between two types that has a name.
    pub fn all(from: Scalar, to: Scalar) -> Vec<Conversion> {
        let saturations = if to.is_float() { &[false][..] } else { &[false, true] };
        let of = |saturate: &bool| {
            let saturate = *saturate;
            ROUNDINGS.map(|(rounding, _)| Conversion { from, to, saturate, rounding })
        };
        saturations.iter().flat_map(of).collect()
    }

    /// The function's name.
    pub fn name(&self, lanes: usize) -> String {
        let suffix = ROUNDINGS.iter().find(|(rounding, _)| *rounding == self.rounding).map_or("", |(_, name)| name);
        format!("convert_{}{}{suffix}", vector(self.to, lanes), if self.saturate { "_sat" } else { "" })
    }

    /// What it must return.
    pub fn expected(&self, bits: u64) -> Expected {
        let to = self.to;
        let value = self.from.decode(bits);
        if to.is_float() {
            return match value {
                Number::Nan => Expected::Nan,
                Number::Infinite { negative } => Expected::Bits(to.infinity() | if negative { to.sign() } else { 0 }),
                Number::Finite(value) if self.from.is_float() || value.significand != 0 => {
                    Expected::Bits(value.to_float(to, self.rounding.unwrap_or(Rounding::NearestEven)))
                }
                Number::Finite(_) => Expected::Bits(0),
            };
        }
        let (least, greatest) = to.range();
        let whole = match value {
            Number::Nan if self.saturate => 0,
            Number::Infinite { negative } if self.saturate => {
                if negative {
                    least
                } else {
                    greatest
                }
            }
            Number::Nan | Number::Infinite { .. } => return Expected::Anything,
            Number::Finite(value) => value.to_whole(self.rounding.unwrap_or(Rounding::Zero)),
        };
        let inside = (least..=greatest).contains(&whole);
        match (self.saturate, self.from.is_float()) {
            (true, _) => Expected::Bits(whole.clamp(least, greatest) as u64 & to.mask()),
            // Modulo (6.4.3.3).
            (false, false) => Expected::Bits(whole as u64 & to.mask()),
            (false, true) if inside => Expected::Bits(whole as u64 & to.mask()),
            (false, true) => Expected::Anything,
        }
    }

    /// Whether a result is right; where denormals of types that `flushes` has may be lost, one that comes from a lost one is.
    pub fn accepts(&self, bits: u64, result: u64, flushes: &[Scalar]) -> bool {
        let right = |expected: Expected| match expected {
            Expected::Anything => true,
            Expected::Nan => self.to.is_nan(result),
            Expected::Bits(bits) => bits == result,
        };
        let expected = self.expected(bits);
        if right(expected) {
            return true;
        }
        let lost_operand = flushes.contains(&self.from) && self.from.is_denormal(bits);
        let lost_result = matches!(expected, Expected::Bits(bits)
            if flushes.contains(&self.to) && self.to.is_denormal(bits) && result & !self.to.sign() == 0);
        // The sign of a zero that a denormal becomes is open.
        let of_zero = |zero: u64| right(self.expected(zero));
        lost_result || lost_operand && (of_zero(0) || of_zero(self.from.sign()))
    }
}

fn vector(ty: Scalar, lanes: usize) -> String {
    if lanes == 1 { ty.name().into() } else { format!("{}{lanes}", ty.name()) }
}

/// A kernel that loads a vector and stores what each conversion makes of it, one block of results after the other.
fn kernel(name: &str, conversions: &[Conversion], lanes: usize) -> String {
    let from = conversions.first().map_or(Scalar::Int, |conversion| conversion.from);
    let source = vector(from, lanes);
    let mut text = format!("kernel void {name}(global const {} *in, global uchar *out, ulong n) {{\n", from.name());
    let load = match lanes {
        3 => "vload3(i, in)".to_string(),
        _ => format!("((global const {source} *)in)[i]"),
    };
    let _ = writeln!(text, "    size_t i = get_global_id(0);\n    {source} x = {load};");
    let mut before = 0;
    for conversion in conversions {
        let (to, call) = (vector(conversion.to, lanes), conversion.name(lanes));
        let _ = match lanes {
            3 => writeln!(text, "    vstore3({call}(x), i, (global {} *)(out + n * {before}));", conversion.to.name()),
            _ => writeln!(text, "    ((global {to} *)(out + n * {before}))[i] = {call}(x);"),
        };
        before += conversion.to.bytes();
    }
    text + "}\n"
}

/// Runs conversions of one source type on all values, a few in each kernel, and compares.
///
/// # Errors
/// What could not be compiled or run, or the first wrong results.
pub fn check(
    engine: &Engine,
    conversions: &[Conversion],
    lanes: usize,
    stores: usize,
    values: &[u64],
) -> Result<(), String> {
    let Some(from) = conversions.first().map(|conversion| conversion.from) else { return Ok(()) };
    let chunks: Vec<&[Conversion]> = conversions.chunks((stores / lanes).max(1)).collect();
    let mut text = String::from("#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n");
    text += "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n";
    for (index, chunk) in chunks.iter().enumerate() {
        text += &kernel(&format!("k{index}"), chunk, lanes);
    }
    let built = engine.build(&text)?;
    let mut flushes = Vec::new();
    for ty in [Scalar::Float, Scalar::Half] {
        if engine.flushes_denormals(ty)? {
            flushes.push(ty);
        }
    }
    let count = values.len();
    let operands: Vec<u8> = values.iter().flat_map(|bits| bits.to_le_bytes().into_iter().take(from.bytes())).collect();
    let range = NdRange::new(&[(count / lanes) as u64]);
    let mut wrong = Vec::new();
    for (index, chunk) in chunks.iter().enumerate() {
        let size: usize = chunk.iter().map(|conversion| conversion.to.bytes()).sum();
        let args = [
            HostArg::Buffer(operands.clone()),
            HostArg::Buffer(vec![0xa5; size * count]),
            HostArg::Pod((count as u64).to_le_bytes().into()),
        ];
        let buffers = built.run(&format!("k{index}"), &range, &args)?;
        let mut results = buffers.get(1).map_or(&[][..], Vec::as_slice);
        for conversion in *chunk {
            let (block, rest) = results.split_at(conversion.to.bytes() * count);
            wrong.extend(compare(conversion, lanes, values, block, &flushes));
            results = rest;
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

/// The first wrong result of a conversion, with the number of them.
fn compare(
    conversion: &Conversion,
    lanes: usize,
    values: &[u64],
    results: &[u8],
    flushes: &[Scalar],
) -> Option<String> {
    let words = results.chunks_exact(conversion.to.bytes());
    let word = |bytes: &[u8]| bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
    let pairs = values.iter().copied().zip(words.map(word));
    let mut wrong = pairs.filter(|(value, result)| !conversion.accepts(*value, *result, flushes));
    let (value, result) = wrong.next()?;
    let digits = conversion.from.bytes() * 2;
    Some(format!(
        "{}({} 0x{value:0digits$x}) is 0x{result:x}, not {:x?}; {} wrong of {}",
        conversion.name(lanes),
        conversion.from.name(),
        conversion.expected(value),
        wrong.count() + 1,
        values.len()
    ))
}

/// Values to convert: all of types up to 16 bits, of others the edges of every type and random ones, of which some lie
/// half way between numbers of narrower types.
pub fn values(from: Scalar, random: usize, exhaustive: bool) -> Vec<u64> {
    let mut values = if exhaustive && from.bits() <= 16 { (0..=from.mask()).collect() } else { edges(from) };
    let mut source = fastrand::Rng::with_seed(0x5eed + from as u64);
    if !(exhaustive && from.bits() <= 16) {
        values.extend((0..random).map(|_| random_value(from, &mut source) & from.mask()));
    }
    while values.len() % BLOCK != 0 {
        values.push(source.u64(..) & from.mask());
    }
    values
}

fn random_value(from: Scalar, random: &mut fastrand::Rng) -> u64 {
    let bits = random.u64(..) & from.mask();
    let bits = match random.u8(..4) {
        0 => bits,
        // Numbers around the ranges of the integer types and of half.
        1 | 2 if from.is_float() => {
            let one = Finite { negative: false, significand: 1, exponent: random.i32(-27..66) };
            let fraction = (1 << (from.precision() - 1)) - 1;
            one.to_float(from, Rounding::NearestEven) & !fraction | bits & (from.sign() | fraction)
        }
        // Integers of every length.
        1 | 2 if from.is_signed() => ((bits << (64 - from.bits())) as i64 >> random.u32(64 - from.bits()..64)) as u64,
        1 | 2 => bits >> random.u32(..from.bits()),
        _ => bits,
    };
    // Few significant bits make ties.
    if random.bool() { bits & u64::MAX << random.u32(..from.precision()) } else { bits }
}

/// Zero, powers of two and the ends of every type, their neighbours, and the numbers half way between small ones.
fn edges(from: Scalar) -> Vec<u64> {
    let mut edges = vec![0, from.sign(), from.mask(), from.mask() >> 1, 1, 2, 3, from.sign() | 1];
    let mut push = |finite: Finite| {
        for negative in [false, true] {
            let finite = Finite { negative, ..finite };
            let bits = match from.is_float() {
                true => finite.to_float(from, Rounding::Zero),
                false => finite.to_whole(Rounding::Zero) as u64,
            };
            edges.extend([bits, bits.wrapping_add(1), bits.wrapping_sub(1)].map(|bits| bits & from.mask()));
        }
    };
    for exponent in -152..130 {
        push(Finite { negative: false, significand: 1, exponent });
        push(Finite { negative: false, significand: 3, exponent });
    }
    for quarters in 0..64 {
        push(Finite { negative: false, significand: quarters, exponent: -2 });
    }
    for to in SCALARS {
        let ends: Vec<Number> = match to.is_float() {
            true => vec![to.decode(to.infinity() - 1), to.decode(to.infinity() - 2), to.decode(1), to.decode(3)],
            false => vec![to.decode(to.mask()), to.decode(to.mask() >> 1), to.decode(to.sign())],
        };
        for end in ends {
            let Number::Finite(end) = end else { continue };
            push(end);
            // A half and a quarter of a unit further.
            for places in [1, 2] {
                let significand = (u128::from(end.significand) << places) + 1;
                if let Ok(significand) = u64::try_from(significand) {
                    push(Finite { significand, exponent: end.exponent - places, ..end });
                    push(Finite { significand: significand - 2, exponent: end.exponent - places, ..end });
                }
            }
        }
    }
    if from.is_float() {
        let infinity = from.infinity();
        edges.extend([infinity, infinity | from.sign(), infinity + 1, infinity | infinity >> 1, from.mask()]);
    }
    edges.sort_unstable();
    edges.dedup();
    edges
}
