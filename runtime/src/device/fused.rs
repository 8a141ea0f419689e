//! Whether the device's multiply-add is rounded once.
//!
//! `Fma` of `GLSL.std.450` may be rounded once or after the product too (Vulkan 1.3, "Precision of GLSL.std.450
//! Instructions"); OpenCL's `fma` is rounded once. No query tells which of them a driver does, so the device computes cases in
//! which the two differ. The answer is kept with the pipelines in the [`crate::Cache`].

use super::Device;
use crate::cache::KeyBuilder;
use crate::error::{Error, Result};
use crate::memory::RawBuffer;
use crate::submission::{Session, Use};
use crate::vulkan::{DeviceKind, Pipeline, PipelineCache, PipelineLayout, ShaderModule};
use ash::vk;
use clforge_compiler::options::{FloatWidths, MacroOption};
use clforge_compiler::{Options, Source};
use gpu_allocator::MemoryLocation;

/// The kind of the entries in the cache.
const KIND: &str = "probes";
/// Cases of each width.
const CASES: usize = 256;
/// For one work-item, which is what a module's work-groups have where the host sets no size.
const SOURCE: &str = "
kernel void probe(global REAL *data) {
    for (uint i = 0; i < CASES; i++)
        data[3 * CASES + i] = fma(data[3 * i], data[3 * i + 1], data[3 * i + 2]);
}";

impl Device {
    /// The types whose multiply-add the device rounds once. The first call asks the device, or the cache.
    pub(super) fn fused_multiply_add(&self) -> FloatWidths {
        // CPU drivers do not fuse, and compile slowly. What cannot be found out is computed without the instruction.
        if self.info().kind == DeviceKind::Cpu {
            return FloatWidths::default();
        }
        *self.shared.fused_multiply_add.get_or_init(|| self.cached_probe().unwrap_or_default())
    }

    fn cached_probe(&self) -> Result<FloatWidths> {
        // SAFETY: the physical device belongs to the instance.
        let device = unsafe { self.shared.raw.instance.raw.get_physical_device_properties(self.shared.physical) };
        let numbers = [device.vendor_id, device.device_id, device.driver_version, device.api_version];
        let key = KeyBuilder::new(KIND).with(SOURCE.as_bytes()).with(bytemuck::cast_slice(&numbers));
        let key = key.with(&device.pipeline_cache_uuid).finish();
        let cache = self.cache();
        if let Some([float, double]) = cache.load(KIND, &key).as_deref() {
            return Ok(FloatWidths { float: *float == 1, double: *double == 1 });
        }
        let float = self.is_fused::<f32>()?;
        let double = self.info().has_feature("shaderFloat64") && self.is_fused::<f64>()?;
        cache.store(KIND, &key, &[u8::from(float), u8::from(double)]);
        Ok(FloatWidths { float, double })
    }

    /// Whether all cases of a width are rounded once.
    fn is_fused<T: Real>(&self) -> Result<bool> {
        let cases: Vec<[T; 3]> = (0..CASES).map(T::case).collect();
        let data = self.run_probe(T::NAME, bytemuck::cast_slice(&cases), size_of::<T>())?;
        let results = data.chunks_exact(size_of::<T>()).map(bytemuck::pod_read_unaligned::<T>);
        Ok(cases.iter().zip(results).all(|([a, b, c], result)| a.mul_add(*b, *c) == result))
    }

    /// Runs the kernel on `operands`; the bytes of its results.
    fn run_probe(&self, real: &str, operands: &[u8], width: usize) -> Result<Vec<u8>> {
        let define = |name: &str, value: String| MacroOption::Define(name.to_owned(), Some(value));
        let mut options = Options {
            macros: vec![define("REAL", real.to_owned()), define("CASES", CASES.to_string())],
            fused_multiply_add: FloatWidths { float: true, double: true },
            ..Options::default()
        };
        // Otherwise the module would need the capability to keep infinities, which the device may not have.
        options.math.finite_only = true;
        let compiled = clforge_compiler::compile(Source { name: "probe.cl", text: SOURCE.as_bytes() }, &options);
        let compiled = compiled.map_err(|errors| Error::Internal(format!("the probe does not compile: {errors}")))?;
        let buffer = self.raw_buffer((operands.len() + CASES * width) as u64, MemoryLocation::GpuToCpu)?;
        let bytes = mapped(&buffer)?;
        // SAFETY: the memory has room for operands and results, is the host's to write, and no command uses it yet.
        unsafe { bytes.copy_from_nonoverlapping(operands.as_ptr(), operands.len()) };
        self.dispatch_probe(&compiled.spirv, &buffer)?;
        // SAFETY: the results lie behind the operands, and the command that wrote them is complete.
        Ok(unsafe { std::slice::from_raw_parts(bytes.add(operands.len()), CASES * width) }.to_vec())
    }

    /// Executes one work-item of a kernel whose only argument is a pointer, and waits for it.
    fn dispatch_probe(&self, code: &[u32], buffer: &RawBuffer) -> Result<()> {
        let device = &self.shared.raw;
        let address = buffer.address.ok_or_else(|| Error::Internal("a buffer has no address".into()))?;
        let range = vk::PushConstantRange { stage_flags: vk::ShaderStageFlags::COMPUTE, offset: 0, size: 8 };
        let layout = vk::PipelineLayoutCreateInfo::default().push_constant_ranges(std::slice::from_ref(&range));
        // SAFETY: the module is one that this compiler has made, and needs nothing that devices may lack: a device without
        // doubles is not given the one with doubles. It has one push constant, the pointer, and no descriptor.
        let (shader, layout, cache) = unsafe {
            (
                ShaderModule::new(device, &vk::ShaderModuleCreateInfo::default().code(code))?,
                PipelineLayout::new(device, &layout)?,
                PipelineCache::new(device, &vk::PipelineCacheCreateInfo::default())?,
            )
        };
        let stage = vk::PipelineShaderStageCreateInfo::default()
            .stage(vk::ShaderStageFlags::COMPUTE)
            .module(shader.raw)
            .name(c"probe");
        let info = vk::ComputePipelineCreateInfo::default().stage(stage).layout(layout.raw);
        // SAFETY: the entry point is in the module, and the layout is the one that it needs.
        let pipeline = unsafe { Pipeline::new(device, &cache, info) }?;
        // A stream of its own: commands of the device's queue may wait for the host, perhaps for this thread.
        let stream = self.create_stream(false)?;
        let mut session = Session::start(&stream, Use::Kernel);
        let commands = session.batch()?.commands;
        // SAFETY: the command buffer is being recorded; pipeline, layout and buffer live until the event is complete.
        unsafe {
            device.cmd_bind_pipeline(commands, vk::PipelineBindPoint::COMPUTE, pipeline.raw);
            let stages = vk::ShaderStageFlags::COMPUTE;
            device.cmd_push_constants(commands, layout.raw, stages, 0, &address.to_le_bytes());
            device.cmd_dispatch(commands, 1, 1, 1);
        }
        session.finish()?.wait()
    }
}

fn mapped(buffer: &RawBuffer) -> Result<*mut u8> {
    buffer.mapped().ok_or_else(|| Error::Internal("memory for the host is not visible to it".into()))
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

/// Pseudo-random numbers with 53 bits in [1, 2): the finalizer of SplitMix64 (Steele, Lea, Flood, 2014).
fn significand(seed: usize) -> f64 {
    let mut x = (seed as u64).wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    f64::from_bits(0x3ff0_0000_0000_0000 | ((x ^ (x >> 31)) >> 12))
}

macro_rules! real {
    ($ty:ident, $name:literal, $digits:literal) => {
        impl Real for $ty {
            const NAME: &'static str = $name;

            fn mul_add(self, b: $ty, c: $ty) -> $ty {
                $ty::mul_add(self, b, c)
            }

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
