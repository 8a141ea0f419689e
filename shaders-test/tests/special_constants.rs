//! Floating-point operations with special constants on the Vulkan device, against the host's arithmetic. With
//! `CLFORGE_LONG_TESTS` set (`cargo xtask test --full`) every number of lanes has every way in which a constant reaches an
//! operation; otherwise scalars have all of them, and vectors of up to four lanes, of which others are made, one.

use clforge_runtime::DeviceSelector;
use libtest_mimic::{Arguments, Failed, Trial};
use shaders_test::oracle::engine::Engine;
use shaders_test::oracle::number::Scalar;
use shaders_test::oracle::special_constants::{LANES, WAYS, check};
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let full = std::env::var_os("CLFORGE_LONG_TESTS").is_some();
    let mut trials = Vec::new();
    for (number, ty) in [Scalar::Half, Scalar::Float, Scalar::Double].into_iter().enumerate() {
        for (width, lanes) in LANES.into_iter().enumerate() {
            for (index, way) in WAYS.into_iter().enumerate() {
                let is_turn = lanes <= 4 && index == (number + width) % WAYS.len();
                if full || lanes == 1 || is_turn {
                    let name = format!("special_constants/{}{lanes}/{way:?}", ty.name());
                    trials.push(Trial::test(name, move || {
                        let engine = Engine::vulkan(&DeviceSelector::Best)?;
                        if engine.supports(ty) { check(&engine, ty, lanes, way).map_err(Failed::from) } else { Ok(()) }
                    }));
                }
            }
        }
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}
