//! `-cl-fp32-correctly-rounded-divide-sqrt` (OpenCL 1.2, 5.6.4.2): quotients and square roots equal the host's bit for
//! bit, whatever the precision of the device's own.

mod common;

use clforge_compiler::options::{CorrectRounding, DeviceArithmetic, FloatWidths};
use clforge_compiler::{Source, Stage};
use clforge_runtime::{Arg, Buffer, Launch, Options, Program};
use common::device;

const OPTION: &str = "-cl-fp32-correctly-rounded-divide-sqrt";
const SOURCE: &str = "
kernel void quotients(global const float *x, global const float *y, global float *r) {
    size_t i = get_global_id(0);
    r[i] = x[i] / y[i];
}
kernel void roots(global const float *x, global const float *y, global float *r) {
    size_t i = get_global_id(0);
    r[i] = sqrt(x[i]);
}";

/// Numbers of all exponents and both signs, and special ones.
fn operands(count: usize, seed: u64) -> Vec<f32> {
    let special = [0.0, -0.0, 1.0, f32::INFINITY, f32::NEG_INFINITY, f32::NAN, f32::MAX, f32::MIN_POSITIVE, 3.0];
    let mut random = fastrand::Rng::with_seed(seed);
    let near_one = |random: &mut fastrand::Rng| f32::from_bits(0x3f00_0000 | random.u32(..1 << 24));
    let any = |index: usize| match index % 16 {
        0 => special[random.usize(..special.len())],
        1..8 => f32::from_bits(random.u32(..)),
        _ => near_one(&mut random),
    };
    (0..count).map(any).collect()
}

/// Same bits; or both NaN; or a denormal that a device without denormals has lost.
fn is_right(found: f32, expected: f32, operands: [f32; 2]) -> bool {
    found.to_bits() == expected.to_bits()
        || found.is_nan() && expected.is_nan()
        || expected.is_subnormal() && found == 0.0
        || operands.iter().any(|operand| operand.is_subnormal())
}

#[test]
fn results_are_the_hosts() {
    let device = device(false);
    let program = Program::from_source(&device.0, SOURCE, &Options::parse(OPTION).unwrap()).unwrap();
    let (x, y) = (operands(1 << 16, 1), operands(1 << 16, 2));
    let buffers = [&x, &y].map(|values| Buffer::from_slice(&device.0, values).unwrap());
    let launch = |name: &str| {
        let r = Buffer::zeroed(&device.0, x.len() as u64 * 4).unwrap();
        let args = [Arg::Buffer(&buffers[0]), Arg::Buffer(&buffers[1]), Arg::Buffer(&r)];
        program.kernel(name).unwrap().launch(&Launch::new(&[x.len() as u64]), &args).unwrap();
        r.to_vec_of::<f32>().unwrap()
    };
    let (quotients, roots) = (launch("quotients"), launch("roots"));
    for (((x, y), quotient), root) in x.iter().zip(&y).zip(quotients).zip(roots) {
        assert!(is_right(quotient, x / y, [*x, *y]), "{x:e} / {y:e} = {:e}, not {quotient:e}", x / y);
        assert!(is_right(root, x.sqrt(), [*x, 1.0]), "sqrt({x:e}) = {:e}, not {root:e}", x.sqrt());
    }
}

/// What the compiler makes of what is known of a device.
#[test]
fn a_device_that_rounds_correctly_needs_no_help() {
    let source = "kernel void k(global float *f) { f[0] = f[1] / f[2]; f[3] = sqrt(f[4]); }";
    let instructions = |rounding: CorrectRounding, fused: bool| {
        let mut options = Options::parse(OPTION).unwrap();
        options.device.arithmetic =
            DeviceArithmetic { divide: rounding, sqrt: rounding, ..DeviceArithmetic::default() };
        options.device.fused_multiply_add = FloatWidths { float: fused, double: false };
        let source = Source { name: "k.cl", text: source.as_bytes() };
        let asm = clforge_compiler::print_stage(source, &options, Stage::Asm).unwrap();
        [" Fma ", "Shift", " Sqrt "].map(|name| asm.matches(name).count())
    };
    assert_eq!(instructions(CorrectRounding::Native, false)[..2], [0, 0]);
    let [fused, shifts, _] = instructions(CorrectRounding::Integers, true);
    assert!(fused == 0 && shifts > 10);
    assert_eq!(instructions(CorrectRounding::Corrected, true)[0], 6);
    assert_eq!(instructions(CorrectRounding::Corrected, false), instructions(CorrectRounding::Integers, false));
}
