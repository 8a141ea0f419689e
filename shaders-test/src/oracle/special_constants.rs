//! Floating-point operations of which one operand is a special constant: a zero, an infinity, a NaN, a denormal, ±1. What a
//! driver's compiler knows of such an operand tempts it to compute something else than the operation.
//!
//! Every operation has every constant, on either side, in each [`Way`] by which a constant reaches an operation; the results are
//! compared with the host's arithmetic. All finite values are powers of two, so that also quotients are exact.

use super::engine::Engine;
use super::number::{Finite, Number, Rounding, Scalar};
use clforge_harness::{HostArg, NdRange};
use std::fmt::Write;

/// The numbers of lanes that operands have.
pub const LANES: [usize; 6] = [1, 2, 3, 4, 8, 16];

/// How the constant reaches the operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// As a literal, a different one in each lane.
    Literal,
    /// As an element of a private array, at the counter of a loop of constant length.
    Array,
    /// As a number that each iteration of such a loop decrements, or that is its counter.
    Counter,
    /// As the argument of a function.
    Argument,
    /// By a condition on the size of the work-group.
    Choice,
}

/// Every way.
pub const WAYS: [Way; 5] = [Way::Literal, Way::Array, Way::Counter, Way::Argument, Way::Choice];

/// An operation on a variable operand `x` and a constant `c`, as its text and by the host's arithmetic.
struct Operation {
    text: &'static str,
    /// Exact in double for operands of every type that are powers of two, but for the rounding of the result.
    compute: fn(f64, f64) -> f64,
}

/// What the device is asked for. `X` is the variable operand, `C` the constant, `T` their type.
const OPERATIONS: [Operation; 20] = [
    Operation { text: "X + C", compute: |x, c| x + c },
    Operation { text: "C + X", compute: |x, c| c + x },
    Operation { text: "-X + C", compute: |x, c| -x + c },
    Operation { text: "X - C", compute: |x, c| x - c },
    Operation { text: "C - X", compute: |x, c| c - x },
    Operation { text: "X * C", compute: |x, c| x * c },
    Operation { text: "C * -X", compute: |x, c| c * -x },
    Operation { text: "X / C", compute: |x, c| x / c },
    Operation { text: "C / X", compute: |x, c| c / x },
    Operation { text: "fabs(X) / C", compute: |x, c| x.abs() / c },
    Operation { text: "fma(X, C, X)", compute: |x, c| x.mul_add(c, x) },
    Operation { text: "fma(X, X, C)", compute: |x, c| x.mul_add(x, c) },
    Operation { text: "mad(C, X, C)", compute: |x, c| c.mul_add(x, c) },
    Operation { text: "fmod(X, C)", compute: |x, c| x % c },
    Operation { text: "fmod(C, X)", compute: |x, c| c % x },
    Operation { text: "copysign(C, X)", compute: |x, c| c.copysign(x) },
    Operation { text: "fabs(C - X)", compute: |x, c| (c - x).abs() },
    Operation { text: "X < C ? (T)(1) : (T)(2)", compute: |x, c| if x < c { 1.0 } else { 2.0 } },
    Operation { text: "C >= X ? (T)(1) : (T)(2)", compute: |x, c| if c >= x { 1.0 } else { 2.0 } },
    Operation { text: "X == C ? (T)(1) : (T)(2)", compute: |x, c| if x == c { 1.0 } else { 2.0 } },
];

/// The special constants of a type: their texts and values. The first three are those of [`Way::Counter`].
fn constants(ty: Scalar) -> [(String, f64); 8] {
    let name = ty.name();
    let suffix = if ty == Scalar::Double { "" } else { "f" };
    let denormal = least_denormal(ty) * 16.0;
    let literal = |value: &str| format!("({name}){value}{suffix}");
    [
        (literal("1.0"), 1.0),
        (literal("0.0"), 0.0),
        (literal("-1.0"), -1.0),
        (literal("-0.0"), -0.0),
        (format!("({name})INFINITY"), f64::INFINITY),
        (format!("-({name})INFINITY"), f64::NEG_INFINITY),
        (format!("({name})NAN"), f64::NAN),
        (literal(&format!("0x1p{}", denormal_exponent(ty))), denormal),
    ]
}

fn denormal_exponent(ty: Scalar) -> i32 {
    ty.least_exponent() + 4
}

fn least_denormal(ty: Scalar) -> f64 {
    to_f64(ty, 1)
}

/// The variable operands.
fn variables(ty: Scalar) -> Vec<u64> {
    let denormal = least_denormal(ty) * 4.0;
    let finite = [0.0, -0.0, 1.0, -1.0, 4.0, -0.5, denormal, -denormal];
    let others = [f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 2.0, 0.25];
    finite.into_iter().chain(others).map(|value| from_f64(ty, value)).collect()
}

/// A number of a floating type.
fn to_f64(ty: Scalar, bits: u64) -> f64 {
    match ty.decode(bits) {
        Number::Nan => f64::NAN,
        Number::Infinite { negative } => f64::INFINITY * if negative { -1.0 } else { 1.0 },
        Number::Finite(finite) => f64::from_bits(finite.to_float(Scalar::Double, Rounding::NearestEven)),
    }
}

fn from_f64(ty: Scalar, value: f64) -> u64 {
    match Scalar::Double.decode(value.to_bits()) {
        Number::Nan => ty.infinity() + 1,
        Number::Infinite { negative } => ty.infinity() | if negative { ty.sign() } else { 0 },
        Number::Finite(finite) => Finite::to_float(finite, ty, Rounding::NearestEven),
    }
}

/// What an operand or a result may be where denormals may be lost.
fn alternatives(ty: Scalar, bits: u64, flushes: bool) -> Vec<u64> {
    if flushes && ty.is_denormal(bits) { vec![bits, bits & ty.sign()] } else { vec![bits] }
}

/// Whether a device's result is one of those that the operation may have.
fn is_right(ty: Scalar, compute: fn(f64, f64) -> f64, operands: (u64, f64), actual: u64, flushes: bool) -> bool {
    let constants = alternatives(ty, from_f64(ty, operands.1), flushes);
    alternatives(ty, operands.0, flushes).into_iter().any(|x| {
        constants.iter().any(|c| {
            let result = from_f64(ty, compute(to_f64(ty, x), to_f64(ty, *c)));
            let both_nan = ty.is_nan(result) && ty.is_nan(actual);
            both_nan || alternatives(ty, result, flushes).contains(&actual)
        })
    })
}

/// The body of a kernel with the operation, and for each result the constant of each lane.
fn body(ty: Scalar, lanes: usize, way: Way, operation: &Operation) -> (String, Vec<Vec<f64>>) {
    let constants = constants(ty);
    let name = ty.name();
    let vector = if lanes == 1 { name.to_owned() } else { format!("{name}{lanes}") };
    let apply = |constant: &str| {
        let text = operation.text.replace('T', &vector).replace('X', "x").replace('C', constant);
        match lanes {
            1 => format!("out[at] = {text}; at++;\n"),
            _ => format!("vstore{lanes}({text}, at, out); at++;\n"),
        }
    };
    let all = |values: &[f64]| values.iter().map(|value| vec![*value; lanes]).collect::<Vec<_>>();
    let values = constants.each_ref().map(|(_, value)| *value);
    let texts = constants.each_ref().map(|(text, _)| text.as_str());
    match way {
        Way::Literal => {
            let count = constants.len();
            let rotated = |first: usize| (0..lanes).map(move |lane| (first + lane) % count);
            let (mut text, mut expected) = (String::new(), Vec::new());
            for first in 0..count {
                let parts: Vec<&str> = rotated(first).map(|index| texts[index]).collect();
                text += &apply(&format!("(({vector})({}))", parts.join(", ")));
                expected.push(rotated(first).map(|index| values[index]).collect());
            }
            (text, expected)
        }
        Way::Array => {
            let array = format!("{name} c[] = {{{}}};\n", texts.join(", "));
            let applied = apply(&format!("(({vector})(c[i]))"));
            (format!("{array}for (int i = 0; i < {}; i++) {{ {applied} }}\n", texts.len()), all(&values))
        }
        Way::Counter => {
            let (first, second) = (apply(&format!("(({vector})(c))")), apply(&format!("(({vector})(({name})i))")));
            let text = format!(
                "{name} c = {};\nfor (int i = 0; i < 3; i++) {{ {first} c -= {}; }}\nfor (int i = 0; i < 2; i++) {{ {second} }}\n",
                texts[0], texts[0]
            );
            (text, all(&[1.0, 0.0, -1.0, 0.0, 1.0]))
        }
        Way::Argument => {
            let calls = texts.map(|text| apply(&format!("pass(({vector})({text}))")));
            (calls.concat(), all(&values))
        }
        Way::Choice => {
            let choices = texts.map(|text| {
                apply(&format!("(({vector})(get_local_size(1) == 1 ? {text} : ({name})get_local_size(2)))"))
            });
            (choices.concat(), all(&values))
        }
    }
}

/// Executes every operation of a type in one width and way.
///
/// # Errors
/// What was computed wrongly, or what the compiler, the validator or the driver complains about.
pub fn check(engine: &Engine, ty: Scalar, lanes: usize, way: Way) -> Result<(), String> {
    let flushes = engine.flushes_denormals(ty)?;
    let (name, variables) = (ty.name(), variables(ty));
    let vector = if lanes == 1 { name.to_owned() } else { format!("{name}{lanes}") };
    let mut text = format!(
        "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n\
         __attribute__((noinline)) static {vector} pass({vector} c) {{ return c; }}\n"
    );
    let bodies: Vec<_> = OPERATIONS.iter().map(|operation| body(ty, lanes, way, operation)).collect();
    let load = if lanes == 1 { "in[i]".to_owned() } else { format!("vload{lanes}(i, in)") };
    for (index, (body, expected)) in bodies.iter().enumerate() {
        let _ = writeln!(
            text,
            "kernel void k{index}(global const {name} *in, global {name} *out)\n{{\n\
             size_t i = get_global_id(0), at = i * {};\n{vector} x = {load};\n{body}}}",
            expected.len()
        );
    }
    let built = engine.build(&text)?;
    // In every lane, and in every work-item, another value.
    let x: Vec<u64> = (0..variables.len())
        .flat_map(|item| (0..lanes).map(move |lane| item + lane))
        .collect::<Vec<_>>()
        .into_iter()
        .map(|at| variables[at % variables.len()])
        .collect();
    let bytes =
        |values: &[u64]| values.iter().flat_map(|bits| bits.to_le_bytes().into_iter().take(ty.bytes())).collect();
    let mut wrong = Vec::new();
    for (index, ((_, expected), operation)) in bodies.iter().zip(&OPERATIONS).enumerate() {
        let out = vec![0xa5; x.len() * expected.len() * ty.bytes()];
        let items = variables.len() as u64;
        let range = NdRange::new(&[items]).local(&[items]);
        let results = built.run(&format!("k{index}"), &range, &[HostArg::Buffer(bytes(&x)), HostArg::Buffer(out)])?;
        let words = results[1].chunks_exact(ty.bytes());
        let words = words.map(|word| word.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte)));
        for (at, actual) in words.enumerate() {
            let (item, result, lane) = (at / (lanes * expected.len()), at / lanes % expected.len(), at % lanes);
            let operands = (x[item * lanes + lane], expected[result][lane]);
            if !is_right(ty, operation.compute, operands, actual, flushes) {
                wrong.push(format!(
                    "{vector}, {way:?}: {} of X = {:?}, C = {:?} is {:?}",
                    operation.text,
                    to_f64(ty, operands.0),
                    operands.1,
                    to_f64(ty, actual)
                ));
            }
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(format!("{} wrong\n{}", wrong.len(), wrong.join("\n"))) }
}
