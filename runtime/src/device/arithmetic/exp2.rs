//! Whether the device's `Exp2` is as precise as OpenCL's `exp2`.
//!
//! Vulkan allows `Exp2` of `GLSL.std.450` an error of 3 + 2|x| ulp (Vulkan 1.3, "Precision of GLSL.std.450
//! Instructions"), OpenCL C 7.4 allows `exp2` and `exp` 3. GPUs have an instruction that interpolates in tables by the
//! fraction of x, so the probe's arguments cover the fractions densely.

use super::{Device, GROUP};
use crate::error::Result;
use crate::narrow::to_u32;
use clforge_compiler::Options;

/// The arguments: all fractions of 16 bits, with each of the integers in turn.
const CASES: u32 = 1 << 16;
/// Most that a result may be wrong by, in ulp: what remains of the 3 is for the reduction in `exp`, and for what lies between the
/// arguments.
const LIMIT: f64 = 2.25;
const SOURCE: &str = "
kernel __attribute__((reqd_work_group_size(64, 1, 1))) void probe(global float *data, uint cases) {
    uint i = (uint)get_global_id(0);
    if (i < cases)
        data[i] = native_exp2(data[i]);
    else if (i == cases) // whether denormals are flushed
        data[i] *= 0.5f;
}";

impl Device {
    pub(super) fn probe_exp2(&self) -> Result<bool> {
        let answer = self.cached_probe(SOURCE, || Ok([u8::from(self.is_exp2_precise()?)]))?;
        Ok(answer == [1])
    }

    fn is_exp2_precise(&self) -> Result<bool> {
        let arguments: Vec<f32> = (0..CASES).map(argument).chain(SPECIAL).collect();
        let data: Vec<f32> = arguments.iter().copied().chain([f32::MIN_POSITIVE]).collect();
        let cases = to_u32(arguments.len());
        let bytes =
            self.run_probe(SOURCE, &Options::default(), bytemuck::cast_slice(&data), cases, cases / GROUP + 1)?;
        let results: Vec<f32> = bytes.chunks_exact(4).map(bytemuck::pod_read_unaligned).collect();
        let flushes = results.last() == Some(&0.0);
        Ok(arguments.iter().zip(&results).all(|(x, result)| is_precise(*x, *result, flushes)))
    }
}

/// What is not among the regular arguments.
const SPECIAL: [f32; 10] =
    [f32::NEG_INFINITY, f32::INFINITY, f32::NAN, 0.0, -0.0, 1e-30, -1e-30, 1e30, -1e30, 128.0 - 1.0 / 65536.0];

/// From -150 to 129.
fn argument(index: u32) -> f32 {
    let fraction = (index.wrapping_mul(40503) & 0xffff) as f32 / 65536.0;
    (index % 280) as f32 - 150.0 + fraction
}

/// Whether `result` is 2^x within the limit; a denormal one may be zero where the device flushes them.
fn is_precise(x: f32, result: f32, flushes: bool) -> bool {
    let exact = exp2(x);
    if exact.is_nan() {
        return result.is_nan();
    }
    if exact >= 2f64.powi(128) {
        return result == f32::INFINITY;
    }
    if flushes && result == 0.0 && exact < f64::from(f32::MIN_POSITIVE) {
        return true;
    }
    let exponent = (exact.to_bits() >> 52) as i32 - 1023;
    let ulp = 2f64.powi(exponent.max(-126) - 23);
    // An infinity is not near anything.
    (f64::from(result) - exact).abs() <= LIMIT * ulp
}

/// 2^x with a relative error far below a `f32`'s. By its series: `f64::exp2` would make every program that uses this crate
/// load the system's library of such functions when it starts.
#[expect(clippy::cast_possible_truncation, reason = "the whole part is from -2000 to 2000, or a NaN")]
fn exp2(x: f32) -> f64 {
    // Outside of what a `f64` has the result is the same.
    let x = f64::from(x).clamp(-2000.0, 2000.0);
    let (whole, power) = (x.floor(), (x - x.floor()) * std::f64::consts::LN_2);
    // Terms from the least to the greatest; the 20th is below 1e-21.
    let series = (1..20).rev().fold(1.0, |sum, n| 1.0 + sum * power / f64::from(n));
    series * 2f64.powi(whole as i32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DeviceSelector;

    /// The probe runs on every device, whatever it finds out.
    #[test]
    fn every_device_answers() {
        let _serial = crate::faults::serial();
        Device::open(&DeviceSelector::Best).unwrap().is_exp2_precise().unwrap();
    }

    #[test]
    fn arguments_cover_the_range() {
        let all: Vec<f32> = (0..CASES).map(argument).collect();
        assert!(all.iter().any(|x| *x < -149.0) && all.iter().any(|x| *x > 128.9));
        let mut fractions: Vec<u32> = all.iter().map(|x| ((x - x.floor()) * 65536.0) as u32).collect();
        fractions.sort_unstable();
        fractions.dedup();
        assert!(fractions.len() > 60_000, "{}", fractions.len());
    }

    #[test]
    fn the_series_is_exact_enough() {
        for x in (0..CASES).map(argument).chain(SPECIAL) {
            let (found, expected) = (exp2(x), f64::from(x).exp2());
            assert!((found / expected - 1.0).abs() < 1e-14 || found == expected || x.is_nan() && found.is_nan(), "{x}");
        }
    }

    #[test]
    fn what_is_not_precise_is_told() {
        assert!(is_precise(0.5, 0.5f32.exp2(), false) && !is_precise(0.5, 0.5f32.exp2() * (1.0 + 4e-7), false));
        assert!(is_precise(-140.0, 0.0, true) && !is_precise(-140.0, 0.0, false));
        assert!(is_precise(f32::NAN, f32::NAN, false) && !is_precise(f32::NAN, 1.0, false));
        assert!(is_precise(129.0, f32::INFINITY, true) && !is_precise(129.0, f32::MAX, true));
        assert!(!is_precise(1.0, f32::INFINITY, true) && !is_precise(1.0, f32::NAN, true));
    }
}
