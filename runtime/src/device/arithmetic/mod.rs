//! Probes of the precision of a device's arithmetic, for which Vulkan has no queries: kernels compute cases whose
//! results are known. The answers are stored with the pipelines in the [`crate::Cache`].
//!
//! The probes are: whether `Fma` is rounded once; whether `Exp2` is within OpenCL's limit, by 65,536 arguments; whether
//! `FAbs` clears the sign of zero; and, for programs with the option for it, whether division and square root are
//! rounded correctly. Their answers fill in `Options` for sources (`Device::tuned`). Whether operations on floats keep
//! denormals is probed on every device.

mod absolute_value;
mod denormals;
mod exp2;
mod fused;
mod rounding;

use super::Device;
use crate::cache::KeyBuilder;
use crate::error::{Error, Result};
use crate::internal_kernel::{InternalKernel, Value};
use crate::vulkan::{DeviceKind, only_compiles};
use clforge_compiler::options::{CorrectRounding, DeviceArithmetic, FloatWidths};
use clforge_compiler::{BUILD, Options, Source};
use gpu_allocator::MemoryLocation;
use std::sync::OnceLock;

/// The kind of the entries in the cache.
const KIND: &str = "probes";
/// Work-items of a work-group of all probes.
const GROUP: u32 = 64;

/// What was found out so far.
#[derive(Default)]
pub(super) struct Arithmetic {
    absolute_value: OnceLock<FloatWidths>,
    denormals: OnceLock<bool>,
    fused: OnceLock<FloatWidths>,
    exp2: OnceLock<bool>,
    rounding: OnceLock<[CorrectRounding; 2]>,
}

/// What was given, with what was found where nothing was given.
pub(super) fn of_both(given: DeviceArithmetic, found: DeviceArithmetic) -> DeviceArithmetic {
    DeviceArithmetic {
        divide: if given.divide == CorrectRounding::Integers { found.divide } else { given.divide },
        sqrt: if given.sqrt == CorrectRounding::Integers { found.sqrt } else { given.sqrt },
        precise_exp2: given.precise_exp2 || found.precise_exp2,
        absolute_value: given.absolute_value | found.absolute_value,
    }
}

impl Device {
    /// `fused_multiply_add` and `arithmetic` of [`Options::device`] for this device, as far as a program with these
    /// options can make use of them. The first call asks the device, or the cache. What cannot be found out has its
    /// default.
    pub(super) fn arithmetic(&self, options: &Options) -> (FloatWidths, DeviceArithmetic) {
        // CPU drivers do not fuse, and compile slowly.
        if self.info().kind == DeviceKind::Cpu || only_compiles() {
            return (FloatWidths::default(), DeviceArithmetic::default());
        }
        let found = &self.shared.arithmetic;
        let fused = *found.fused.get_or_init(|| self.probe_fused().unwrap_or_default());
        let precise_exp2 = fused.float && *found.exp2.get_or_init(|| self.probe_exp2().unwrap_or_default());
        let absolute_value = *found.absolute_value.get_or_init(|| self.probe_absolute_value().unwrap_or_default());
        let mut arithmetic = DeviceArithmetic { precise_exp2, absolute_value, ..DeviceArithmetic::default() };
        // Millions of cases, and of no use without the option.
        if options.language.math.correctly_rounded_divide_sqrt && self.info().kind != DeviceKind::VirtualGpu {
            let probe = || self.probe_rounding(fused.float).unwrap_or_default();
            [arithmetic.divide, arithmetic.sqrt] = *found.rounding.get_or_init(probe);
        }
        (fused, arithmetic)
    }

    /// The answers of a probe, from the cache if it has been executed before on this device with this driver.
    fn cached_probe<const N: usize>(&self, source: &str, probe: impl FnOnce() -> Result<[u8; N]>) -> Result<[u8; N]> {
        // SAFETY: the physical device belongs to the instance.
        let device = unsafe { self.shared.raw.instance.raw.get_physical_device_properties(self.shared.physical) };
        let numbers = [device.vendor_id, device.device_id, device.driver_version, device.api_version];
        let key = KeyBuilder::new(KIND).with(source.as_bytes()).with(bytemuck::cast_slice(&numbers));
        let key = key.with(&device.pipeline_cache_uuid).with(BUILD.as_bytes()).finish();
        let cache = self.cache();
        if let Some(answers) = cache.load(KIND, &key).and_then(|bytes| bytes.try_into().ok()) {
            return Ok(answers);
        }
        let answers = probe()?;
        cache.store(KIND, &key, &answers);
        Ok(answers)
    }

    /// Executes `groups` work-groups of a kernel whose arguments are a pointer and a number, and waits for it. The pointer is to
    /// a copy of `data`; what the kernel makes of it.
    fn run_probe(&self, source: &str, options: &Options, data: &[u8], number: u32, groups: u32) -> Result<Vec<u8>> {
        let source = Source { name: "probe.cl", text: source.as_bytes() };
        let kernel = InternalKernel::new(&self.shared.raw, self.info(), source, options, GROUP, |code| {
            self.pipeline_cache(code)
        })?;
        let size = data.len().next_multiple_of(16) as u64;
        let buffer = self.raw_buffer(size, MemoryLocation::GpuToCpu)?;
        let bytes = buffer.mapped();
        let bytes = bytes.ok_or_else(|| Error::Internal("memory for the host is not visible to it".into()))?;
        // SAFETY: the memory has room for the data, is the host's to write, and no command uses it yet.
        unsafe { bytes.copy_from_nonoverlapping(data.as_ptr(), data.len()) };
        // A stream of its own: commands of the device's queue may wait for the host, perhaps for this thread.
        let stream = self.create_stream(false)?;
        kernel.launch(&stream, &[Value::Buffer(&buffer), Value::Number(number.into())], groups)?.wait()?;
        // SAFETY: the command that wrote the memory is complete.
        Ok(unsafe { std::slice::from_raw_parts(bytes, data.len()) }.to_vec())
    }
}

/// Pseudo-random numbers with 53 bits in [1, 2): the finalizer of SplitMix64 (Steele, Lea, Flood, 2014).
fn significand(seed: usize) -> f64 {
    let mut x = (seed as u64).wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    f64::from_bits(0x3ff0_0000_0000_0000 | ((x ^ (x >> 31)) >> 12))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DeviceSelector;
    use std::process::Command;

    /// What begins the line with the facts.
    const FACTS: &str = "facts of the device: ";

    /// All facts, as text: for [`facts_do_not_depend_on_addresses`], which starts this test with features hidden.
    #[test]
    fn facts_are_found() {
        let _serial = crate::faults::serial();
        let device = Device::open(&DeviceSelector::Best).unwrap();
        let fused = device.probe_fused().unwrap();
        let exp2 = device.probe_exp2().unwrap();
        let absolute = device.probe_absolute_value().unwrap();
        let addresses = device.info().has_feature("bufferDeviceAddress");
        println!("{FACTS}{fused:?} {exp2} {absolute:?} {}; addresses: {addresses}", device.keeps_denormals());
    }

    /// Probes use addresses where a device has them, and descriptors elsewhere.
    #[test]
    fn facts_do_not_depend_on_addresses() {
        let facts = |masked: &str| {
            let mut command = Command::new(std::env::current_exe().unwrap());
            command.args(["--exact", "--nocapture", "device::arithmetic::tests::facts_are_found"]);
            // Answers in the cache were found with other features.
            let run = command.env("CLFORGE_MASK_FEATURES", masked).env("CLFORGE_CACHE", "off").output().unwrap();
            let text = String::from_utf8_lossy(&run.stdout).into_owned();
            assert!(run.status.success(), "{text}\n{}", String::from_utf8_lossy(&run.stderr));
            let line = text.split(FACTS).nth(1).and_then(|rest| rest.lines().next()).unwrap();
            let (facts, addresses) = line.split_once("; addresses: ").unwrap();
            (facts.to_string(), addresses == "true")
        };
        let (expected, _) = facts("");
        for masked in ["bufferDeviceAddress", "bufferDeviceAddress,vulkanMemoryModel,shaderInt64", "shaderInt64"] {
            let (found, has_addresses) = facts(masked);
            assert_eq!(
                (found, has_addresses && masked.contains("bufferDevice")),
                (expected.clone(), false),
                "{masked}"
            );
        }
    }
}
