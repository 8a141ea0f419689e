//! The library's quotients and roots of doubles, with and without a fused multiply-add, which CPU devices are not known to have.

use super::expand::correctly_rounded;
use super::{Builtins, Library};
use crate::legalize::{Context, State};
use clforge_basic::options::{CorrectRounding, DeviceArithmetic, FloatWidths, Options};
use clforge_ir::interpret::Machine;
use clforge_ir::pass::Pass;
use clforge_ir::read::read;
use clforge_ir::{BinaryOp, Intrinsic, Op, ScalarType, Value};

/// What `@f` computes for the arguments, once it is legal.
fn results(text: &str, fused: bool, args: &[[f64; 2]]) -> Vec<f64> {
    let mut module = read(text).expect("it reads");
    let mut options = Options::default();
    options.device.fused_multiply_add.double = fused;
    let mut context = Context { options: &options, state: State::default() };
    for pass in [&Library as &dyn Pass<State>, &Builtins] {
        pass.run(&mut module, &mut context).expect("it is legalised");
    }
    let run = |pair: &[f64; 2]| Machine::new(&module).run("f", &pair.map(f64::to_bits)).expect("a result")[0];
    args.iter().map(|pair| f64::from_bits(run(pair))).collect()
}

/// Numbers of all exponents, and such that a quotient or a root is close to the middle of two doubles.
fn pairs() -> Vec<[f64; 2]> {
    const SPECIAL: [f64; 12] = [
        0.0,
        1.0,
        3.0,
        1.0 + f64::EPSILON,
        1.0 - f64::EPSILON / 2.0,
        2.0 - f64::EPSILON,
        4.0 - f64::EPSILON * 2.0,
        f64::MIN_POSITIVE,
        5e-324,
        f64::MAX,
        f64::INFINITY,
        f64::NAN,
    ];
    let mut state = 0x0123_4567_89AB_CDEF_u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state.rotate_left(17)
    };
    let mut pairs: Vec<[f64; 2]> = SPECIAL.iter().flat_map(|x| SPECIAL.map(|y| [-x, y])).collect();
    pairs.extend((0..2000).map(|_| [next(), next()].map(f64::from_bits)));
    pairs.extend((0..2000).map(|_| [next(), next()].map(|bits| f64::from_bits(1023 << 52 | bits >> 12))));
    pairs.extend((0..2000).map(|_| [1.0, f64::from_bits((1024 << 52) - 1 - (next() >> 52))]));
    // Quotients that are denormal or nearly so, many of them in the middle of two doubles, and of denormals.
    pairs.extend((0..4000).map(|n| {
        let [x, y] = [next(), next()].map(|bits| bits >> 12 & u64::MAX << (n % 53));
        [f64::from_bits((1 + n % 60) << 52 | x), f64::from_bits((1023 + 56) << 52 | y)]
    }));
    pairs.extend(
        (0..2000).map(|_| [f64::from_bits(next() >> 12 >> (next() >> 58)), f64::from_bits(1023 << 52 | next() >> 12)]),
    );
    pairs.extend(
        (0..2000)
            .map(|_| [f64::from_bits(next() >> 12 >> (next() >> 58)), f64::from_bits(next() >> 12 >> (next() >> 58))]),
    );
    // By the greatest significand.
    pairs
        .extend((0..2000).map(|n| [f64::from_bits((n % 1200) << 52 | next() >> 12), f64::from_bits((1200 << 52) - 1)]));
    pairs
}

/// The results differ by so many units in the last place at most.
fn expect(text: &str, ulps: u64, expected: fn(f64, f64) -> f64) {
    let pairs = pairs();
    for fused in [false, true] {
        for ([x, y], found) in pairs.iter().zip(results(text, fused, &pairs)) {
            let expected = expected(*x, *y);
            let is_near = found.to_bits().abs_diff(expected.to_bits()) <= ulps || found.is_nan() && expected.is_nan();
            assert!(is_near, "{found:e} of {x:e} and {y:e}, not {expected:e}; fused: {fused}");
        }
    }
}

#[test]
fn quotients_are_rounded_correctly() {
    let text = "func @f(%0: f64, %1: f64) -> f64 {\n  %2: f64 = fdiv %0, %1\n  return %2\n}\n";
    expect(text, 0, |x, y| x / y);
}

#[test]
fn square_roots_are_rounded_correctly() {
    let text =
        "func @f(%0: f64, %1: f64) -> f64 {\n  %2: f64 = fneg %0\n  %3: f64 = intrinsic \"sqrt\" %2\n  return %3\n}\n";
    expect(text, 0, |x, _| (-x).sqrt());
}

#[test]
fn reciprocal_square_roots_are_near() {
    let text =
        "func @f(%0: f64, %1: f64) -> f64 {\n  %2: f64 = fneg %0\n  %3: f64 = intrinsic \"rsqrt\" %2\n  return %3\n}\n";
    // Of the host's two roundings one may be counted against it.
    expect(text, 2, |x, _| (-x).sqrt().recip());
}

#[test]
fn powers_with_small_constant_exponents_are_near() {
    for (name, exponents) in [
        (
            "pow",
            [
                "f64 0x0",
                "f64 0x3ff0000000000000",
                "f64 0x4000000000000000",
                "f64 0x4008000000000000",
                "f64 0x4010000000000000",
            ],
        ),
        ("pown", ["i32 0", "i32 1", "i32 2", "i32 3", "i32 4"]),
    ] {
        let powers: [fn(f64, f64) -> f64; 5] =
            [|x, _| x.powf(0.0), |x, _| x.powf(1.0), |x, _| x.powf(2.0), |x, _| x.powf(3.0), |x, _| x.powf(4.0)];
        for (exponent, power) in exponents.into_iter().zip(powers) {
            let text = format!(
                "func @f(%0: f64, %1: f64) -> f64 {{\n  %2: f64 = intrinsic \"{name}\" %0, {exponent}\n  return %2\n}}\n"
            );
            // The limit is 16.
            expect(&text, 3, power);
        }
    }
}

#[test]
fn every_correctly_rounded_function_is_in_the_library() {
    let x = Value::from(0);
    let division = Op::Binary { op: BinaryOp::FDiv, lhs: x, rhs: x };
    let root = Op::Intrinsic { function: Intrinsic::Sqrt, args: [x].into_iter().collect() };
    for (op, name) in [(&division, "divide"), (&root, "sqrt")] {
        for (scalar, width) in [(ScalarType::F32, "f32"), (ScalarType::F64, "f64")] {
            for (fused, how) in [(false, ""), (true, "corrected_")] {
                let rounding = CorrectRounding::Corrected;
                let options = Options::default().with(|o| {
                    o.device.fused_multiply_add = FloatWidths { float: fused, double: fused };
                    o.device.arithmetic =
                        DeviceArithmetic { divide: rounding, sqrt: rounding, ..DeviceArithmetic::default() };
                });
                let function = format!("__clforge_{name}_{how}{width}");
                assert_eq!(correctly_rounded(op, scalar, &options), Some(function.as_str()));
            }
        }
    }
}
