//! Whether the device's multiply-add is rounded once.
//!
//! `Fma` of `GLSL.std.450` may be rounded once, or also after the product (Vulkan 1.3, "Precision of GLSL.std.450
//! Instructions"); OpenCL's `fma` is rounded once. Vulkan has no query for this, so the probe computes cases in which
//! the two results differ.

use super::{Device, significand};
use crate::error::Result;
use crate::narrow::to_u32;
use clforge_compiler::Options;
use clforge_compiler::options::FloatWidths;

/// Cases of each width.
const CASES: usize = 256;
/// Operands of three that become the result and what it was computed from.
const SOURCE: &str = "
kernel __attribute__((reqd_work_group_size(64, 1, 1))) void probe(global REAL *data, uint cases) {
    for (uint i = (uint)get_global_id(0); i < cases; i += 64u)
        data[3 * i] = fma(data[3 * i], data[3 * i + 1], data[3 * i + 2]);
}";

impl Device {
    /// The types whose multiply-add the device rounds once.
    pub(super) fn probe_fused(&self) -> Result<FloatWidths> {
        let [float, double] = self.cached_probe(SOURCE, || {
            let float = self.is_fused::<f32>()?;
            let double = self.info().has_feature("shaderFloat64") && self.is_fused::<f64>()?;
            Ok([u8::from(float), u8::from(double)])
        })?;
        Ok(FloatWidths { float: float == 1, double: double == 1 })
    }

    /// Whether all cases of a width are rounded once.
    fn is_fused<T: Real>(&self) -> Result<bool> {
        let cases: Vec<[T; 3]> = (0..CASES).map(T::case).collect();
        let mut options = Options::default().with_macro("REAL", T::NAME);
        options.device.fused_multiply_add = FloatWidths { float: true, double: true };
        let data = self.run_probe(SOURCE, &options, bytemuck::cast_slice(&cases), to_u32(CASES), 1)?;
        let results = data.chunks_exact(3 * size_of::<T>());
        let result = |case: &[u8]| bytemuck::pod_read_unaligned::<T>(case.get(..size_of::<T>()).unwrap_or_default());
        Ok(cases.iter().zip(results.map(result)).all(|([a, b, c], result)| a.mul_add(*b, *c) == result))
    }
}

/// A type of which there are cases.
trait Real: bytemuck::Pod + PartialEq {
    /// Its name in OpenCL C.
    const NAME: &'static str;

    /// `self * b + c`, rounded once.
    fn mul_add(self, b: Self, c: Self) -> Self;

    /// Operands whose exact result is far from subnormal. In three of four cases the product cancels against the addend, or
    /// the addend decides between two neighbours of the product.
    fn case(index: usize) -> [Self; 3];
}

macro_rules! real {
    ($ty:ident, $name:literal, $digits:literal) => {
        impl Real for $ty {
            const NAME: &'static str = $name;

            fn mul_add(self, b: $ty, c: $ty) -> $ty {
                $ty::mul_add(self, b, c)
            }

            #[allow(clippy::cast_possible_truncation, reason = "the nearest number of the type")]
            fn case(index: usize) -> [$ty; 3] {
                let [a, b, c] = [0, 1, 2].map(|part| significand(3 * index + part) as $ty);
                let product = a * b;
                let addend = match index % 4 {
                    0 => c,
                    1 => -product,
                    2 => product * (2.0 as $ty).powi(-$digits) * if index % 8 == 2 { 1.0 } else { -1.0 },
                    _ => -product * (1.0 + (2.0 as $ty).powi(-$digits / 2)),
                };
                [a, b, addend]
            }
        }
    };
}

real!(f32, "float", 24);
real!(f64, "double", 53);

#[cfg(test)]
mod tests {
    use super::{CASES, Real};
    use crate::{Device, DeviceSelector};

    /// The probe runs on every device, whatever it finds out.
    #[test]
    fn every_device_answers() {
        let _serial = crate::faults::serial();
        let device = Device::open(&DeviceSelector::Best).unwrap();
        device.is_fused::<f32>().unwrap();
        if device.info().has_feature("shaderFloat64") {
            device.is_fused::<f64>().unwrap();
        }
    }

    /// The cases tell the two roundings apart.
    #[test]
    fn products_rounded_first_differ() {
        let differs = |index: &usize| {
            let [a, b, c] = f32::case(*index);
            a.mul_add(b, c) != a * b + c
        };
        assert!((0..CASES).filter(differs).count() > CASES / 2);
        let differs = |index: &usize| {
            let [a, b, c] = f64::case(*index);
            a.mul_add(b, c) != a * b + c
        };
        assert!((0..CASES).filter(differs).count() > CASES / 2);
    }
}
