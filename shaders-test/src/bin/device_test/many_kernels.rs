//! A trial of programs with many kernels. Each kernel is launched once while pipelines of others are created in the
//! background, as in applications that build one program and then use all of it.

use super::report::Outcome;
use clforge_runtime::{Arg, Buffer, Device, DeviceKind, Launch, Options, Program};
use std::fmt::Write;

/// The trial.
pub const NAME: &str = "runtime/many_kernels";
const KERNELS: u32 = 60;
/// Enough for all of a GPU's multiprocessors to execute the kernel.
const ITEMS: u32 = 65536;

/// Builds programs, launches their kernels, and compares with what the host computes.
pub fn run(device: &Device) -> Result<Outcome, String> {
    // Without the runtime's instruction fence (docs/drivers.md), kernels of programs 7 and 43 were wrong in two runs on an H100.
    // Software drivers take long for a pipeline.
    let programs = if device.info().kind == DeviceKind::Cpu { 1 } else { 100 };
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
            let constants = constants(program, kernel);
            let wrong = results.iter().zip(0..).find(|(result, i)| **result != value(*i, constants));
            if let Some((result, i)) = wrong {
                return Err(format!("kernel {kernel} of program {program}: [{i}] is {result}"));
            }
        }
    }
    Ok(Outcome::Passed)
}

/// What tells a kernel from all others: what is added to its divisors.
fn constants(program: u32, kernel: u32) -> [u32; 2] {
    let number = program * KERNELS + kernel;
    [number % 61 + 3, number * 2 + 1]
}

fn value(i: u32, [quotient, remainder]: [u32; 2]) -> u32 {
    i / (quotient + (i & 7)) % (remainder + (i >> 5))
}

/// Short kernels: of 2,400 with up to twenty operations none was wrong without the fence.
fn source(program: u32) -> String {
    let mut source = String::new();
    for kernel in 0..KERNELS {
        let [quotient, remainder] = constants(program, kernel);
        let _ = writeln!(
            source,
            "kernel void k{kernel}(global uint *out) {{
    uint i = get_global_id(0);
    out[i] = i / ({quotient}u + (i & 7)) % ({remainder}u + (i >> 5));
}}"
        );
    }
    source
}
