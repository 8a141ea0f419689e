//! A trial of programs with many kernels, of which each is launched once while pipelines of others are created in the background,
//! as applications do that build one program and then use all of it.

use super::report::Outcome;
use clforge_runtime::{Arg, Buffer, Device, DeviceKind, Launch, Options, Program};
use std::fmt::Write;

/// The trial.
pub const NAME: &str = "runtime/many_kernels";
const KERNELS: u32 = 60;
const ITEMS: u32 = 16384;

/// Builds programs, launches their kernels, and compares with what the host computes.
pub fn run(device: &Device) -> Result<Outcome, String> {
    // In some hundreds of kernels NVIDIA's driver went wrong (ARCHITECTURE.md); software drivers take long for a pipeline.
    let programs = if device.info().kind == DeviceKind::Cpu { 1 } else { 25 };
    let out = Buffer::zeroed(device, 4 * u64::from(ITEMS)).map_err(|error| error.to_string())?;
    for program in 0..programs {
        let built = Program::from_source(device, &source(program), &Options::default());
        let built = built.map_err(|error| error.to_string())?;
        // All kernels are there at the first launch, so that the pipelines of the others are created while they are executed.
        let kernels = (0..KERNELS).map(|kernel| built.kernel(&format!("k{kernel}"))).collect::<Result<Vec<_>, _>>();
        for (kernel, k) in (0..KERNELS).zip(kernels.map_err(|error| error.to_string())?) {
            let launch = Launch::new(&[u64::from(ITEMS)]).local(&[64]);
            let launched = k.launch(&launch, &[Arg::Buffer(&out)]);
            let results = launched.and_then(|_| out.to_vec_of::<u32>()).map_err(|error| error.to_string())?;
            let [a, b, c] = constants(program, kernel);
            let wrong = results.iter().zip(0..).find(|(result, i)| **result != value(*i, [a, b, c]));
            if let Some((result, i)) = wrong {
                return Err(format!("kernel {kernel} of program {program}: [{i}] is {result}"));
            }
        }
    }
    Ok(Outcome::Passed)
}

/// What tells a kernel from all others.
fn constants(program: u32, kernel: u32) -> [u32; 3] {
    let number = program * KERNELS + kernel;
    [number.wrapping_mul(0x9E37_79B1), number % 61 + 3, number * 2 + 1]
}

fn value(i: u32, [a, b, c]: [u32; 3]) -> u32 {
    let x = i.wrapping_mul(a) ^ a;
    let (quotient, rest) = (x / (b + (i & 7)), x % (c + (i >> 5)));
    if rest & 1 == 0 { quotient ^ rest } else { quotient.wrapping_mul(c).wrapping_add(rest) }
}

fn source(program: u32) -> String {
    let mut source = String::new();
    for kernel in 0..KERNELS {
        let [a, b, c] = constants(program, kernel);
        let _ = writeln!(
            source,
            "kernel void k{kernel}(global uint *out) {{
    uint i = get_global_id(0), x = i * {a}u ^ {a}u, quotient = x / ({b}u + (i & 7)), rest = x % ({c}u + (i >> 5));
    out[i] = rest & 1 ? quotient * {c}u + rest : quotient ^ rest;
}}"
        );
    }
    source
}
