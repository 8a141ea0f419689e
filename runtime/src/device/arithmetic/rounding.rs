//! Whether the device's quotients and square roots of floats are correctly rounded, or become so by one correction with
//! a fused multiply-add.
//!
//! Vulkan allows 2.5 ulp (Vulkan 1.3, "Precision of core SPIR-V Instructions"). Correct rounding is proven by cases in
//! which an error of 2^-23 ulp would change the result. All square roots of two successive exponents are computed.
//! There are too many quotients, but only those can be rounded wrongly that are this close to the middle between two
//! floats, and they have remainders of at most 4 (P. Markstein, "Computation of elementary functions on the IBM RISC
//! System/6000 processor", IBM J. Res. Dev. 34, 1990). The kernel computes all of them, for every divisor, and as many
//! others, with exponents at which no operand or result is denormal. The significands are the same for other such
//! exponents.

use super::{Device, GROUP};
use crate::error::{Error, Result};
use clforge_compiler::Options;
use clforge_compiler::options::{CorrectRounding, DeviceArithmetic, FloatWidths};

const SOURCE: &str = include_str!("rounding.cl");
/// Work-groups of the kernel.
const GROUPS: u32 = 4096;

impl Device {
    /// How quotients and square roots are rounded correctly. `fused`: whether the multiply-add is.
    pub(super) fn probe_rounding(&self, fused: bool) -> Result<[CorrectRounding; 2]> {
        let failed = self.cached_probe(SOURCE, || self.failed_roundings(fused, 1))?;
        let [divide, divide_corrected, sqrt, sqrt_corrected] = failed;
        let choose = |native: u8, corrected: u8| match (native, corrected) {
            (0, _) => CorrectRounding::Native,
            (_, 0) if fused => CorrectRounding::Corrected,
            _ => CorrectRounding::Integers,
        };
        Ok([choose(divide, divide_corrected), choose(sqrt, sqrt_corrected)])
    }

    /// Which of the four operations of the kernel are wrong anywhere, among one of `stride` significands.
    fn failed_roundings(&self, fused: bool, stride: u32) -> Result<[u8; 4]> {
        let corrected = CorrectRounding::Corrected;
        let mut options = Options::default().with_macro("ITEMS", (GROUPS * GROUP).to_string().as_str());
        options.device.fused_multiply_add = FloatWidths { float: fused, double: false };
        options.device.arithmetic =
            DeviceArithmetic { divide: corrected, sqrt: corrected, ..DeviceArithmetic::default() };
        options.language.math.correctly_rounded_divide_sqrt = true;
        let data = self.run_probe(SOURCE, &options, &[0; 16], stride, GROUPS)?;
        let failed: Vec<u8> = data.chunks_exact(4).map(|word| u8::from(word != [0; 4])).collect();
        failed.try_into().map_err(|_| Error::Internal("a probe without answers".into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DeviceSelector;

    /// On every device, what is computed in integers, which are taken where nothing is fused, is right in all cases: so are
    /// the cases.
    #[test]
    fn integers_pass() {
        let _serial = crate::faults::serial();
        let device = Device::open(&DeviceSelector::Best).unwrap();
        let [_, divide, _, sqrt] = device.failed_roundings(false, 499).unwrap();
        assert_eq!([divide, sqrt], [0, 0]);
    }

    /// Pairs of significands with the quotient near the middle, as the kernel finds them, are as hard as it says.
    #[test]
    fn hard_cases_are_hard() {
        let mut found = 0;
        for y in (1u64 << 23..1 << 24).step_by(99_991).filter(|y| y % 2 == 1) {
            // By trial instead of by the inverse.
            let m = ((1u64 << 24) + 1..1 << 25).step_by(2).find(|m| (m * y + 1) & 0xff_ffff == 0);
            let Some(x) = m.map(|m| (m * y + 1) >> 24).filter(|x| *x < 1 << 24) else { continue };
            let quotient = x as f64 / y as f64 * f64::from(1 << 24);
            assert!((quotient - m.unwrap() as f64).abs() < 1e-6, "{x} / {y}");
            found += 1;
        }
        assert!(found > 10);
    }
}
