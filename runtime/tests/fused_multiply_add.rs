//! `fma` is rounded once, whether the device has an instruction that does so or not (OpenCL C 7.4).

mod common;

use clforge_compiler::{Source, Stage};
use clforge_runtime::{Arg, Buffer, Launch, Options, Program};
use common::device;
use half::f16;

const SOURCE: &str = "
kernel void fused(global const REAL *x, global REAL *r) {
    size_t i = get_global_id(0);
    r[i] = fma(x[3 * i], x[3 * i + 1], x[3 * i + 2]);
}";

/// Products that cancel against the addend but for what a rounded product has lost, and addends far below the product.
fn operands(digits: i32) -> Vec<[f64; 3]> {
    let mut random = fastrand::Rng::with_seed(7);
    let case = |index: usize| {
        let (a, b) = (1.0 + random.f64(), 1.0 + random.f64());
        let addend = match index % 3 {
            0 => -a * b,
            1 => -a * b * (1.0 + f64::powi(2.0, -digits / 2)),
            _ => f64::powi(2.0, -digits) * if random.bool() { 1.0 } else { -1.0 },
        };
        [a, b, addend]
    };
    (0..3000).map(case).collect()
}

#[test]
fn results_are_rounded_once() {
    let device = device(false);
    let launch = |real: &str, x: &Buffer, count: usize| {
        let options = Options::parse(&format!("-DREAL={real}")).unwrap();
        let program = Program::from_source(&device.0, SOURCE, &options).unwrap();
        let r = Buffer::zeroed(&device.0, (count * 8) as u64).unwrap();
        let args = [Arg::Buffer(x), Arg::Buffer(&r)];
        program.kernel("fused").unwrap().launch(&Launch::new(&[count as u64]), &args).unwrap();
        r
    };
    let single: Vec<[f32; 3]> = operands(24).iter().map(|case| case.map(|x| x as f32)).collect();
    let x = Buffer::from_slice(&device.0, single.as_flattened()).unwrap();
    let results = launch("float", &x, single.len()).to_vec_of::<f32>().unwrap();
    for ([a, b, c], result) in single.iter().zip(results) {
        assert_eq!(result, a.mul_add(*b, *c), "fma({a:e}, {b:e}, {c:e})");
    }
    if device.0.info().has_feature("shaderFloat64") {
        let double = operands(53);
        let x = Buffer::from_slice(&device.0, double.as_flattened()).unwrap();
        let results = launch("double", &x, double.len()).to_vec_of::<f64>().unwrap();
        for ([a, b, c], result) in double.iter().zip(results) {
            assert_eq!(result, a.mul_add(*b, *c), "fma({a:e}, {b:e}, {c:e})");
        }
    }
}

/// A product of halves and its sum may be rounded once or twice; they are one operation for devices that fuse those of floats.
#[test]
fn halves_are_rounded_once_or_twice() {
    const SOURCE: &str = "
        #pragma OPENCL EXTENSION cl_khr_fp16 : enable
        kernel void k(global const half *x, global half *r) {
            size_t i = get_global_id(0);
            r[2 * i] = x[3 * i] * x[3 * i + 1] + x[3 * i + 2];
            r[2 * i + 1] = x[3 * i + 2] - x[3 * i] * x[3 * i + 1];
        }";
    let mut options = Options::default();
    assert!(options.device.enable_feature("shaderFmaFloat32"));
    let source = Source { name: "k.cl", text: SOURCE.as_bytes() };
    let asm = clforge_compiler::print_stage(source, &options, Stage::Asm).unwrap();
    assert_eq!(asm.matches(" Fma ").count(), 2);
    let device = device(false);
    if !device.0.info().has_feature("shaderFloat16") {
        return;
    }
    let cases: Vec<[f16; 3]> = operands(11).iter().map(|case| case.map(f16::from_f64)).collect();
    let bits: Vec<[u16; 3]> = cases.iter().map(|case| case.map(f16::to_bits)).collect();
    let x = Buffer::from_slice(&device.0, bits.as_flattened()).unwrap();
    let r = Buffer::zeroed(&device.0, (cases.len() * 4) as u64).unwrap();
    let program = Program::from_source(&device.0, SOURCE, &options).unwrap();
    let args = [Arg::Buffer(&x), Arg::Buffer(&r)];
    program.kernel("k").unwrap().launch(&Launch::new(&[cases.len() as u64]), &args).unwrap();
    let results = r.to_vec_of::<[u16; 2]>().unwrap();
    for (case, [sum, difference]) in cases.iter().zip(results.iter().map(|bits| bits.map(f16::from_bits))) {
        // The product and the sum are exact in double.
        let [a, b, c] = case.map(f64::from);
        let twice = f64::from(f16::from_f64(a * b));
        assert!([a * b + c, twice + c].map(f16::from_f64).contains(&sum), "{a:e} * {b:e} + {c:e} = {sum:e}");
        let differences = [c - a * b, c - twice].map(f16::from_f64);
        assert!(differences.contains(&difference), "{c:e} - {a:e} * {b:e} = {difference:e}");
    }
}

#[test]
fn a_feature_makes_an_instruction() {
    let source = "kernel void k(global float *f, global double *d) { f[0] = fma(f[1], f[2], f[3]); d[0] = fma(d[1], d[2], d[3]); }";
    for (features, count) in [(&[][..], 0), (&["shaderFmaFloat32"], 1), (&["shaderFmaFloat32", "shaderFmaFloat64"], 2)]
    {
        let mut options = Options::default();
        assert!(features.iter().all(|feature| options.device.enable_feature(feature)));
        let source = Source { name: "fma.cl", text: source.as_bytes() };
        let asm = clforge_compiler::print_stage(source, &options, Stage::Asm).unwrap();
        assert_eq!(asm.matches(" Fma ").count(), count, "{features:?}");
    }
}
