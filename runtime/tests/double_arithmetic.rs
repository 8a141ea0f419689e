//! Divisions and square roots of doubles are rounded correctly, and conversions and divisions of 64 bits are exact (OpenCL C 7.4,
//! 6.2.3 and 6.3), also where a workaround replaces what the device has for them.

mod common;

use clforge_compiler::workarounds::Workarounds;
use clforge_compiler::{Source, compile};
use clforge_runtime::{Arg, Buffer, Device, Launch, Options, Program};
use common::{Checked, device};

const SOURCE: &str = "
kernel void quotients(global const double *x, global const double *y, global double *r) {
    size_t i = get_global_id(0);
    r[i] = x[i] / y[i];
}
kernel void roots(global const double *x, global const double *y, global double *r) {
    size_t i = get_global_id(0);
    r[i] = sqrt(x[i]);
}
kernel void doubles(global const float *x, global const float *y, global double *r) {
    size_t i = get_global_id(0);
    r[i] = x[i];
}
kernel void sums(global const float *x, global const float *y, global double *r) {
    size_t i = get_global_id(0);
    r[i] = (double)x[i] + (double)y[i];
}
kernel void longs(global const float *x, global const float *y, global long *r) {
    size_t i = get_global_id(0);
    r[i] = convert_long(x[i]);
}
kernel void whole(global const ulong *x, global const ulong *y, global ulong *r) {
    size_t i = get_global_id(0);
    r[i] = x[i] / y[i] + x[i] % y[i] * 3;
}
kernel void signed_whole(global const long *x, global const long *y, global long *r) {
    size_t i = get_global_id(0);
    r[i] = x[i] / y[i] ^ x[i] % y[i] * 5;
}";

fn device_with_doubles() -> Option<Checked> {
    let device = device(false);
    device.0.info().has_feature("shaderFloat64").then_some(device)
}

/// With the workarounds of NVIDIA's driver in place of the device's own operations, with and without the fused multiply-add that
/// the device has.
fn programs(device: &Device) -> [Program; 2] {
    let tuned = device.tuned(&Options::default());
    let workarounds = tuned.codegen.workarounds | Workarounds::NVIDIA;
    let fused = tuned.with_workarounds(workarounds);
    let plain = fused.clone().with(|o| o.device.fused_multiply_add = Default::default());
    [fused, plain].map(|options| {
        let module = compile(Source { name: "k.cl", text: SOURCE.as_bytes() }, &options).unwrap();
        Program::from_spirv(device, &module.spirv).unwrap()
    })
}

fn results<T: bytemuck::Pod, R: bytemuck::Pod>(
    device: &Device,
    program: &Program,
    name: &str,
    [x, y]: [&[T]; 2],
) -> Vec<R> {
    let [first, second] = [x, y].map(|values| Buffer::from_slice(device, values).unwrap());
    let r = Buffer::zeroed(device, (x.len() * 8) as u64).unwrap();
    let args = [Arg::Buffer(&first), Arg::Buffer(&second), Arg::Buffer(&r)];
    program.kernel(name).unwrap().launch(&Launch::new(&[x.len() as u64]), &args).unwrap();
    r.to_vec_of::<R>().unwrap()
}

/// A quotient that is half-way between two doubles but for the least possible, and others.
fn operands(random: &mut fastrand::Rng) -> [f64; 2] {
    const SPECIAL: [f64; 9] =
        [0.0, -0.0, 1.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, f64::MAX, f64::MIN_POSITIVE, 3.0];
    match random.usize(..8) {
        0 => [(); 2].map(|()| SPECIAL[random.usize(..9)]),
        1 => [f64::from_bits(random.u64(..)), SPECIAL[random.usize(..9)]],
        2 => [(); 2].map(|()| f64::from_bits(random.u64(..) >> random.u32(..64))),
        3 => [(); 2].map(|()| f64::from_bits(random.u64(..))),
        4 => {
            // The product of the divisor and a number of 54 bits is a multiple of 2^53 but for a small number.
            let divisor = 1 << 52 | random.u64(..1 << 52) | 1;
            let inverse = (0..6).fold(divisor, |x, _| x.wrapping_mul(2_u64.wrapping_sub(divisor.wrapping_mul(x))));
            let off = u64::from(random.u32(..64)) * 2 + 1;
            let quotient = inverse.wrapping_mul(off) & ((1 << 54) - 1) | 1 << 53;
            let product = u128::from(divisor) * u128::from(quotient) - u128::from(off);
            let dividend = product >> product.trailing_zeros();
            [if dividend < 1 << 53 { dividend as f64 } else { 1.0 }, divisor as f64]
        }
        5 => [1.0, f64::from_bits(2.0_f64.to_bits() - random.u64(1..4))],
        _ => [(); 2].map(|()| 1.0 + random.f64()),
    }
}

#[test]
fn doubles_are_rounded_correctly() {
    let Some(device) = device_with_doubles() else { return };
    let mut random = fastrand::Rng::with_seed(5);
    let pairs: Vec<[f64; 2]> = (0..1 << 16).map(|_| operands(&mut random)).collect();
    let (x, y): (Vec<f64>, Vec<f64>) = pairs.iter().map(|[x, y]| (*x, *y)).unzip();
    let is_same =
        |found: f64, expected: f64| found.to_bits() == expected.to_bits() || found.is_nan() && expected.is_nan();
    for program in programs(&device.0) {
        let quotients: Vec<f64> = results(&device.0, &program, "quotients", [&x, &y]);
        let roots: Vec<f64> = results(&device.0, &program, "roots", [&x, &y]);
        for (([x, y], quotient), root) in pairs.iter().zip(quotients).zip(roots) {
            assert!(is_same(quotient, x / y), "{x:e} / {y:e} = {:e}, not {quotient:e}", x / y);
            assert!(is_same(root, x.sqrt()), "sqrt({x:e}) = {:e}, not {root:e}", x.sqrt());
        }
    }
}

#[test]
fn floats_are_converted_exactly() {
    let Some(device) = device_with_doubles() else { return };
    let mut random = fastrand::Rng::with_seed(6);
    let [x, y]: [Vec<f32>; 2] = [(); 2].map(|()| (0..1 << 16).map(|_| f32::from_bits(random.u32(..))).collect());
    for program in programs(&device.0) {
        let doubles: Vec<f64> = results(&device.0, &program, "doubles", [&x, &x]);
        let sums: Vec<f64> = results(&device.0, &program, "sums", [&x, &y]);
        for ((x, y), sum) in x.iter().zip(&y).zip(sums) {
            let expected = f64::from(*x) + f64::from(*y);
            let is_same = sum == expected || sum.is_nan() && expected.is_nan();
            assert!(is_same || x.is_subnormal() || y.is_subnormal(), "{x:e} + {y:e} is not {sum:e}");
        }
        let longs: Vec<i64> = results(&device.0, &program, "longs", [&x, &x]);
        for ((x, double), long) in x.iter().zip(doubles).zip(longs) {
            let is_lost = x.is_subnormal() && double == 0.0;
            assert!(double == f64::from(*x) || is_lost || x.is_nan() && double.is_nan(), "{x:e} is not {double:e}");
            assert!(long == *x as i64 || x.is_nan() || x.abs() >= 2.0_f32.powi(63), "{x:e} is not {long}");
        }
    }
}

#[test]
fn whole_numbers_are_divided_exactly() {
    let Some(device) = device_with_doubles() else { return };
    let mut random = fastrand::Rng::with_seed(8);
    let numbers = |random: &mut fastrand::Rng| -> Vec<u64> {
        (0..1 << 16).map(|_| (random.u64(..) >> random.u32(..64)).max(1)).collect()
    };
    let (x, mut y) = (numbers(&mut random), numbers(&mut random));
    // Quotients that a small error shows in.
    for (x, y) in x.iter().zip(&mut y).step_by(4) {
        *y = (x / u64::from(random.u32(1..70))).saturating_add(random.u64(..2)).max(1);
    }
    for program in programs(&device.0) {
        let found: Vec<u64> = results(&device.0, &program, "whole", [&x, &y]);
        let found_signed: Vec<i64> = results(&device.0, &program, "signed_whole", [&x, &y]);
        for (((x, y), found), found_signed) in x.iter().zip(&y).zip(found).zip(found_signed) {
            assert_eq!(found, (x / y).wrapping_add((x % y).wrapping_mul(3)), "{x} / {y}");
            let (x, y) = (x.cast_signed(), y.cast_signed());
            let expected = x.wrapping_div(y) ^ x.wrapping_rem(y).wrapping_mul(5);
            assert_eq!(found_signed, expected, "{x} / {y}");
        }
    }
}
