//! Whether the device's arithmetic on `float` keeps denormals.
//!
//! Without an execution mode of `SPV_KHR_float_controls` a device may flush the denormal operands and results of any
//! operation (Vulkan 1.3, "Precision of core SPIR-V Instructions"), and a device that keeps them need not support the
//! mode: lavapipe keeps them and supports no such mode. So the probe computes cases whose operands or results are
//! denormal.

use super::{Device, significand};
use crate::error::{Error, Result};
use crate::narrow::{nearest_f32, to_i32, to_u32};
use clforge_compiler::Options;

/// Pairs of operands.
const CASES: usize = 256;
/// Results of each pair.
const OPERATIONS: usize = 8;
/// The pairs are after one another; each result of a pair is `cases` behind the one before.
const SOURCE: &str = "
kernel __attribute__((reqd_work_group_size(64, 1, 1))) void probe(global float *data, uint cases) {
    for (uint i = (uint)get_global_id(0); i < cases; i += 64u) {
        float x = data[i], y = data[cases + i];
        data[i] = x + y;
        data[cases + i] = x - y;
        data[2 * cases + i] = x * y;
        data[3 * cases + i] = x * 0.5f;
        data[4 * cases + i] = x * 0x1p40f;
        data[5 * cases + i] = fma(x, 0.5f, y);
        data[6 * cases + i] = fmax(x, y);
        data[7 * cases + i] = x < y ? 1.0f : x == y ? 0.0f : -1.0f;
    }
}";

impl Device {
    /// Whether no denormal operand and no denormal result of a `float` operation is flushed to zero.
    ///
    /// Where Vulkan has no control for them, this is what the device does with cases that it executes. The first call does that,
    /// or finds the answer in the cache. `false` if it cannot be found out.
    pub fn keeps_denormals(&self) -> bool {
        let probe = || self.cached_probe(SOURCE, || Ok([u8::from(self.are_denormals_kept()?)]));
        *self.shared.arithmetic.denormals.get_or_init(|| probe().is_ok_and(|answer| answer == [1]))
    }

    fn are_denormals_kept(&self) -> Result<bool> {
        // A program may have its threads flush denormals; then there is nothing to compare with, and threads of drivers that
        // execute on the processor, which inherit the mode, flush them too.
        if std::hint::black_box(f32::MIN_POSITIVE) * 0.5 == 0.0 {
            return Err(Error::Internal("the host flushes denormals".into()));
        }
        let cases: Vec<[f32; 2]> = (0..CASES).map(operands).collect();
        let mut data: Vec<f32> = [0, 1].iter().flat_map(|part| cases.iter().map(|case| case[*part])).collect();
        data.resize(CASES * OPERATIONS, 0.0);
        let bytes = self.run_probe(SOURCE, &Options::default(), bytemuck::cast_slice(&data), to_u32(CASES), 1)?;
        let expected = cases.iter().copied().map(results);
        let result = |case: usize, operation: usize| {
            let at = (operation * CASES + case) * size_of::<f32>();
            bytes.get(at..at + size_of::<f32>()).map(bytemuck::pod_read_unaligned::<u32>)
        };
        let is_kept = |(case, expected): (usize, [f32; OPERATIONS])| {
            expected.iter().enumerate().all(|(operation, value)| result(case, operation) == Some(value.to_bits()))
        };
        Ok(expected.enumerate().all(is_kept))
    }
}

/// Operands, of which most are denormal; the product of the others is.
fn operands(index: usize) -> [f32; 2] {
    let number = |part: usize, exponent: i32| {
        let sign = if (index >> part) & 1 == 0 { 1.0 } else { -1.0 };
        nearest_f32(sign * significand(2 * index + part) * 2f64.powi(exponent))
    };
    let place = to_i32(index / 4 % 22);
    match index % 3 {
        0 => [number(0, -127 - place), number(1, -127)],
        1 => [number(0, -126), number(1, -126 - place)],
        _ => [number(0, -63 - place), number(1, -64)],
    }
}

fn results([x, y]: [f32; 2]) -> [f32; OPERATIONS] {
    let order = x.partial_cmp(&y).map_or(0, |order| order as i32);
    let most = if x < y { y } else { x };
    [x + y, x - y, x * y, x * 0.5, x * 2f32.powi(40), x.mul_add(0.5, y), most, -order as f32]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DeviceSelector;

    /// The probe runs on every device. Lavapipe executes kernels on threads that keep denormals.
    #[test]
    fn every_device_answers() {
        let _serial = crate::faults::serial();
        let device = Device::open(&DeviceSelector::Best).unwrap();
        let kept = device.are_denormals_kept().unwrap();
        assert_eq!(device.keeps_denormals(), kept);
        assert!(kept || !device.info().driver.starts_with("llvmpipe"));
    }

    /// A device that flushed the operands or the results of one operation alone would be noticed.
    #[test]
    fn each_operation_has_denormals() {
        let is_denormal = |x: f32| x != 0.0 && x.abs() < f32::MIN_POSITIVE;
        let cases: Vec<_> = (0..CASES).map(|index| (operands(index), results(operands(index)))).collect();
        for operation in [0, 1, 2, 3, 5, 6] {
            assert!(cases.iter().any(|(_, results)| is_denormal(results[operation])), "{operation}");
        }
        // The product with a power of two is normal, and no comparison of two denormals has them equal.
        let both = |[x, y]: [f32; 2]| is_denormal(x) && is_denormal(y);
        assert!(cases.iter().any(|([x, _], results)| is_denormal(*x) && results[4].abs() > f32::MIN_POSITIVE));
        assert!(cases.iter().any(|(operands, results)| both(*operands) && results[7] != 0.0));
    }
}
