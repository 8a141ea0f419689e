//! Every conversion between scalar types, on both targets, against an exact model: all types, modes and saturation on
//! scalars, and every vector width. With `CLFORGE_LONG_TESTS` set (`cargo xtask test --full`) every width has every mode, all
//! values of types up to 16 bits and 100,000 random ones of wider types; otherwise a few thousand values, and each width
//! has one mode of each pair of types.

use clforge_runtime::DeviceSelector;
use libtest_mimic::{Arguments, Failed, Trial};
use shaders_test::oracle::conversions::{Conversion, LANES, check, values};
use shaders_test::oracle::engine::Engine;
use shaders_test::oracle::number::{SCALARS, Scalar};
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let full = std::env::var_os("CLFORGE_LONG_TESTS").is_some();
    let mut trials = Vec::new();
    for target in ["vulkan", "opencl"] {
        for from in SCALARS {
            let name = format!("conversions/{}/{target}", from.name());
            trials.push(Trial::test(name, move || trial(target, from, full)));
        }
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn trial(target: &str, from: Scalar, full: bool) -> Result<(), Failed> {
    // lavapipe's time to compile grows with the square of a kernel's accesses to memory.
    let (engine, stores) = match target {
        "vulkan" => (Engine::vulkan(&DeviceSelector::Best)?, 24),
        _ => (Engine::opencl()?, 96),
    };
    let values = values(from, if full { 100_000 } else { 3000 }, full);
    let mut wrong = Vec::new();
    for (width, lanes) in LANES.into_iter().enumerate() {
        let mut conversions = Vec::new();
        for (index, to) in SCALARS.into_iter().enumerate() {
            // Without cl_khr_fp16 vectors of half do not link on PoCL 3.1, while scalars convert.
            if !engine.supports(Scalar::Half) && lanes > 1 && (from == Scalar::Half || to == Scalar::Half) {
                continue;
            }
            let all = Conversion::all(from, to);
            match lanes {
                _ if full || lanes == 1 => conversions.extend(all),
                _ => conversions.extend(all.get((from as usize + index + width) % all.len())),
            }
        }
        wrong.extend(check(&engine, &conversions, lanes, stores, &values).err());
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n").into()) }
}
