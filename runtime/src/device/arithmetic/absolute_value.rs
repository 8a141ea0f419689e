//! Whether the device's absolute value clears the sign of zero.
//!
//! `FAbs` of `GLSL.std.450` is defined as "x if x >= 0; otherwise -x" (GLSL.std.450, 2), by which minus zero keeps its
//! sign; the `fabs` of OpenCL C clears it. On devices whose `FAbs` clears the bit it costs nothing, because it is a
//! modifier of the operation that uses the result.

use super::Device;
use crate::error::Result;
use crate::narrow::{nearest_f32, to_u32};
use clforge_compiler::Options;
use clforge_compiler::options::FloatWidths;

const CASES: usize = 8;
/// The sign of a NaN does not matter, and denormals may be flushed.
const OPERANDS: [f64; CASES] = [-0.0, 0.0, -1.5, 1.5, f64::NEG_INFINITY, f64::INFINITY, -1e-37, -1e37];
const SOURCE: &str = "
kernel __attribute__((reqd_work_group_size(64, 1, 1))) void probe(global REAL *data, uint cases) {
    for (uint i = (uint)get_global_id(0); i < cases; i += 64u)
        data[i] = fabs(data[i]);
}";

impl Device {
    /// The types whose `FAbs` is OpenCL's `fabs`.
    pub(super) fn probe_absolute_value(&self) -> Result<FloatWidths> {
        let [float, double] = self.cached_probe(SOURCE, || {
            let float = self.clears_sign("float", &OPERANDS.map(nearest_f32), |x| x.to_bits() >> 31 == 0)?;
            let double = self.info().has_feature("shaderFloat64")
                && self.clears_sign("double", &OPERANDS, |x| x.to_bits() >> 63 == 0)?;
            Ok([u8::from(float), u8::from(double)])
        })?;
        Ok(FloatWidths { float: float == 1, double: double == 1 })
    }

    /// Whether the absolute values are the operands or their negatives, and have no sign.
    fn clears_sign<T>(&self, name: &str, operands: &[T; CASES], is_positive: fn(T) -> bool) -> Result<bool>
    where
        T: bytemuck::Pod + PartialEq + std::ops::Neg<Output = T>,
    {
        let mut options = Options::default().with_macro("REAL", name);
        options.device.arithmetic.absolute_value = FloatWidths { float: true, double: true };
        let data = self.run_probe(SOURCE, &options, bytemuck::cast_slice(operands), to_u32(CASES), 1)?;
        let results = data.chunks_exact(size_of::<T>()).map(bytemuck::pod_read_unaligned::<T>);
        Ok(operands.iter().zip(results).all(|(x, found)| is_positive(found) && (found == *x || found == -*x)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DeviceSelector;

    /// The probe runs on every device. LLVM's absolute value clears the bit.
    #[test]
    fn every_device_answers() {
        let _serial = crate::faults::serial();
        let device = Device::open(&DeviceSelector::Best).unwrap();
        let found = device.clears_sign("float", &OPERANDS.map(nearest_f32), |x| x.to_bits() >> 31 == 0).unwrap();
        assert!(found || !device.info().driver.starts_with("llvmpipe"));
    }
}
