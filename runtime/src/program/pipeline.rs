//! Pipelines: a kernel compiled for one work-group size and one set of constants of its arguments.

use super::kernel::KernelShared;
use super::pipelines::PipelineKey;
use super::speculation;
use crate::error::{Error, Result};
use crate::exit;
use crate::narrow::to_u32;
use crate::vulkan::{Pipeline, PipelineHandle};
use ash::vk;
use std::ffi::CString;
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// Bytes of private memory for each work-item that drivers may have no room for.
const LARGE_PRIVATE: u64 = 8 << 10;
/// Bytes of the stack of a thread that compiles: as many as the main thread's, where drivers otherwise compile.
const COMPILE_STACK: usize = 8 << 20;

impl KernelShared {
    /// Puts into a key what the module takes of an ND-range as specialisation constants.
    pub fn set_range(&self, key: &mut PipelineKey, work_dim: u32, offset: [u32; 3]) {
        let interface = &self.module.interface;
        key.work_dim = interface.work_dim_spec_id.map(|_| work_dim);
        key.global_offset = interface.global_offset_spec_ids.map(|_| offset);
    }

    /// The pipeline for a key, for a launch. The first launch for a key compiles it, or waits for the thread that does.
    ///
    /// # Errors
    /// [`Error::Interface`], [`Error::UnusableModule`], [`Error::OutOfMemory`], [`Error::PrivateMemory`], [`Error::Vulkan`].
    pub fn pipeline(&self, key: &PipelineKey) -> Result<PipelineHandle> {
        let note = || self.module.history.note(&self.interface().name, key);
        self.pipelines.launch(key, note, || {
            speculation::compile_others(self, key);
            speculation::compile_other_sizes(self, key);
            self.compile(key)
        })
    }

    /// As [`KernelShared::pipeline`], but not longer than `left`, which is left of `limit`. Drivers cannot be told to stop, so they compile on another thread,
    /// which is left alone with it when the time is over. The exit of the process does not wait for it.
    ///
    /// # Errors
    /// [`Error::CompileTimeout`], and those of [`KernelShared::pipeline`].
    pub fn pipeline_within(
        self: &Arc<Self>,
        key: &PipelineKey,
        (left, limit): (Duration, Duration),
    ) -> Result<PipelineHandle> {
        if self.pipelines.is_compiled(key) {
            return self.pipeline(key);
        }
        let (sender, receiver) = mpsc::channel();
        let (kernel, wanted) = (self.clone(), key.clone());
        let compile = move || {
            // Nobody receives it after the time is over.
            let _ = sender.send(kernel.pipeline(&wanted));
        };
        let thread = thread::Builder::new().name("clforge compile".into()).stack_size(COMPILE_STACK).spawn(compile);
        thread.map_err(|error| Error::Internal(format!("no thread to compile on: {error}")))?;
        match receiver.recv_timeout(left) {
            Ok(made) => made,
            Err(RecvTimeoutError::Timeout) => {
                Err(Error::CompileTimeout { kernel: self.interface().name.clone(), limit })
            }
            Err(RecvTimeoutError::Disconnected) => Err(Error::Internal("compiling a kernel has panicked".into())),
        }
    }

    /// The specialisation constants of a pipeline by their ids, in ascending order.
    fn specialization(&self, key: &PipelineKey) -> Vec<(u32, u32)> {
        let interface = &self.module.interface;
        let mut constants: Vec<(u32, u32)> = key.constants.clone();
        constants.extend(interface.work_dim_spec_id.zip(key.work_dim));
        if let Some(ids) = interface.work_group_size_spec_ids {
            constants.extend(ids.into_iter().zip(key.local_size));
        }
        if let (Some(ids), Some(offset)) = (interface.global_offset_spec_ids, key.global_offset) {
            constants.extend(ids.into_iter().zip(offset));
        }
        let subgroup = key.sub_group_size.unwrap_or(self.module.device.info().limits.subgroup_size);
        constants.extend(interface.subgroup_max_size_spec_id.map(|id| (id, subgroup)));
        // Two arguments may share a constant in a malformed module; Vulkan demands different ids.
        constants.sort_unstable();
        constants.dedup_by_key(|(id, _)| *id);
        constants
    }

    /// Compiles the pipeline for a key.
    ///
    /// # Errors
    /// [`Error::Interface`], [`Error::UnusableModule`], [`Error::OutOfMemory`], [`Error::PrivateMemory`], [`Error::Vulkan`].
    pub(crate) fn compile(&self, key: &PipelineKey) -> Result<Pipeline> {
        let constants = self.specialization(key);
        let data: Vec<u8> = constants.iter().flat_map(|(_, value)| value.to_le_bytes()).collect();
        let entry = |(index, (id, _)): (usize, &(u32, u32))| vk::SpecializationMapEntry {
            constant_id: *id,
            offset: to_u32(index) * 4,
            size: 4,
        };
        let entries: Vec<_> = constants.iter().enumerate().map(entry).collect();
        let specialization = vk::SpecializationInfo::default().map_entries(&entries).data(&data);
        let name = CString::new(self.interface().name.as_str())
            .map_err(|_| Error::UnusableModule("it has a kernel with a zero byte in its name".into()))?;
        let mut sub_groups = vk::PipelineShaderStageRequiredSubgroupSizeCreateInfo::default()
            .required_subgroup_size(key.sub_group_size.unwrap_or_default());
        let shader = self.module.shader(&self.interface().name)?;
        let mut stage = vk::PipelineShaderStageCreateInfo::default()
            .stage(vk::ShaderStageFlags::COMPUTE)
            .module(shader.raw)
            .name(&name)
            .specialization_info(&specialization);
        if key.sub_group_size.is_some() {
            stage = stage.push_next(&mut sub_groups);
        }
        let info = vk::ComputePipelineCreateInfo::default().stage(stage).layout(self.layout.raw.raw);
        #[cfg(feature = "measure")]
        let info = info.flags(crate::vulkan::statistics::flags());
        let start = Instant::now();
        // SAFETY: the entry point exists in the module. Layout and constants come from the module's reflection, which
        // describes the code: the functions that load modules check it, or have it as a condition.
        let made = unsafe { Pipeline::new(&self.module.device.shared.raw, &self.module.pipelines.raw, info) };
        tracing::debug!(
            kernel = self.interface().name,
            local_size = ?key.local_size,
            seconds = start.elapsed().as_secs_f32(),
            "the driver has compiled a kernel"
        );
        self.module.pipelines.set_changed();
        exit::libraries_were_loaded();
        made.map_err(|error| self.explain(error))
    }

    /// The error for a pipeline that was not made, with what drivers do not say.
    fn explain(&self, error: Error) -> Error {
        let kernel = &self.interface().name;
        match error {
            Error::Vulkan { call: _, result } => match self.module.private_bytes(kernel) {
                // It may have another reason, so the driver's own result is shown too.
                Ok(bytes) if bytes >= LARGE_PRIVATE => Error::PrivateMemory { kernel: kernel.clone(), bytes, result },
                _ => error,
            },
            error => error,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::faults::serial;
    use crate::program::Arg;
    use crate::vulkan::intercept;
    use crate::{Buffer, Device, DeviceSelector, Error, Launch, Program};
    use std::time::{Duration, Instant};

    const DELAY: Duration = Duration::from_secs(2);
    const LIMIT: Duration = Duration::from_millis(100);

    /// A driver that takes long is not waited for; what it makes in the end is not lost.
    #[test]
    fn a_compilation_that_takes_too_long() {
        let _serial = serial();
        let device = Device::open(&DeviceSelector::Best).unwrap();
        let source =
            "kernel void first(global int *a) { a[0] += 1; } kernel void second(global int *a) { a[0] += 10; }";
        let program = Program::from_source(&device, source, &Default::default()).unwrap();
        let [first, second] = ["first", "second"].map(|name| program.kernel(name).unwrap());
        let buffer = Buffer::zeroed(&device, 16).unwrap();
        let args = [Arg::Buffer(&buffer)];
        let launch = Launch::new(&[1]);
        intercept::delay(Some(("vkCreateComputePipelines", DELAY)));
        let start = Instant::now();
        let late = |kernel: &crate::Kernel, launch: &Launch| {
            let error = kernel.launch(launch, &args).unwrap_err();
            assert!(matches!(error, Error::CompileTimeout { limit, .. } if limit == LIMIT), "{error}");
        };
        late(&first, &launch.timeout(LIMIT));
        device.set_compile_limit(Some(LIMIT));
        late(&first, &launch);
        late(&second, &launch.timeout(DELAY * 10));
        assert!(start.elapsed() < DELAY, "the driver was waited for");
        device.set_compile_limit(None);
        first.launch(&launch.timeout(DELAY * 10), &args).unwrap();
        intercept::delay(None);
        second.launch(&launch, &args).unwrap();
        first.launch(&launch.timeout(LIMIT * 100), &args).unwrap();
        assert_eq!(buffer.to_vec_of::<i32>().unwrap()[0], 12);
    }
}
