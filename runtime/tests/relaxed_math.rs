//! Errors of exponentials and logarithms under `-cl-fast-relaxed-math`, beside the limits of OpenCL C, section 7.4.

mod common;

use clforge_runtime::{Arg, Buffer, Launch, Options, Program};
use common::device;

/// The results of a function of one `float`.
fn results(name: &str, arguments: &[f32]) -> Vec<f32> {
    let device = device(false);
    let source = format!("kernel void k(global float *p) {{ size_t i = get_global_id(0); p[i] = {name}(p[i]); }}");
    let options = Options::parse("-cl-fast-relaxed-math").unwrap();
    let program = Program::from_source(&device.0, &source, &options).unwrap();
    let buffer = Buffer::from_slice(&device.0, arguments).unwrap();
    program.kernel("k").unwrap().launch(&Launch::new(&[arguments.len() as u64]), &[Arg::Buffer(&buffer)]).unwrap();
    buffer.to_vec_of::<f32>().unwrap()
}

/// The distance between two neighbouring floats around a value.
fn ulp(value: f64) -> f64 {
    let exponent = value.abs().max(f64::from(f32::MIN_POSITIVE)).log2().floor() as i32;
    f64::from(2f32).powi(exponent - 23)
}

/// Exponentials: wrong by at most 3 + floor(|2x|) ulp.
fn check_exponential(name: &str, reference: fn(f64) -> f64) {
    let small = (-4096..4096i16).map(|i| f32::from(i) / 4096.0 + 1e-5);
    let large = (-2000..2000i16).map(|i| f32::from(i) / 25.0);
    let arguments: Vec<f32> = small.chain(large).collect();
    for (x, found) in arguments.iter().zip(results(name, &arguments)) {
        let expected = reference(f64::from(*x));
        let error = (f64::from(found) - expected).abs() / ulp(expected);
        assert!(error <= 3.0 + f64::from((2.0 * x).abs().floor()), "{name}({x:e}) is {found:e}, {error} ulp");
    }
}

/// Logarithms: wrong by at most 2^-21 from 0.5 to 2, and by 3 ulp elsewhere; denormals may be taken for zero.
fn check_logarithm(name: &str, reference: fn(f64) -> f64) {
    let arguments: Vec<f32> =
        (1..0x7f80_0000u32).step_by(262_139).chain((0..23).map(|i| 1 << i)).map(f32::from_bits).collect();
    for (x, found) in arguments.iter().zip(results(name, &arguments)) {
        let expected = reference(f64::from(*x));
        let limit = if (0.5..=2.0).contains(x) { 2f64.powi(-21) } else { 3.0 * ulp(expected) };
        let is_flushed = x.is_subnormal() && found == f32::NEG_INFINITY;
        let error = (f64::from(found) - expected).abs();
        assert!(is_flushed || error <= limit, "{name}({x:e}) is {found:e}, not {expected:e}");
    }
}

#[test]
fn exponentials() {
    check_exponential("exp", f64::exp);
    check_exponential("exp2", f64::exp2);
}

#[test]
fn logarithms() {
    check_logarithm("log", f64::ln);
    check_logarithm("log2", f64::log2);
}
