//! The same launch through an installed OpenCL driver, which is loaded at run time: a reference for tests.

mod llvm;
mod measure;

pub use llvm::{compile_with_clang, transform};
pub use measure::{ClBuffer, ClLaunch};

use super::host_arg::HostArg;
use cl3::{command_queue, context, device, kernel, memory, platform, program};
use clforge_runtime::Launch;
use clforge_runtime::{Addressing, ImageDescription, ImageKind, Sampler};
use std::ffi::{CStr, CString, c_void};
use std::ptr;
use std::sync::{Arc, Mutex};

/// A device of an OpenCL platform, with a context and a queue. Cloning is cheap.
#[derive(Clone)]
pub struct Runner {
    shared: Arc<Context>,
}

/// The handles of a [`Runner`], released when the last program is gone.
struct Context {
    device: cl3::types::cl_device_id,
    context: cl3::types::cl_context,
    queue: cl3::types::cl_command_queue,
}

// SAFETY: OpenCL calls on contexts, queues and programs may come from any thread at once (OpenCL API, section on
// multiple host threads); only kernels are excepted, and each run makes its own.
unsafe impl Send for Context {}
// SAFETY: as above.
unsafe impl Sync for Context {}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: both handles were created by `Runner::new` (or are null) and are released once.
        unsafe {
            if !self.queue.is_null() {
                let _ = command_queue::release_command_queue(self.queue);
            }
            let _ = context::release_context(self.context);
        }
    }
}

/// A built program.
pub struct ClProgram {
    program: cl3::types::cl_program,
    runner: Arc<Context>,
}

// SAFETY: see `Context`; a program is not changed after it is built.
unsafe impl Send for ClProgram {}
// SAFETY: as above.
unsafe impl Sync for ClProgram {}

impl Drop for ClProgram {
    fn drop(&mut self) {
        // SAFETY: owned since it was created, released once.
        let _ = unsafe { program::release_program(self.program) };
    }
}

fn call<T>(name: &str, result: Result<T, i32>) -> Result<T, String> {
    result.map_err(|code| format!("{name} failed: {} ({code})", cl3::error_codes::error_text(code)))
}

/// Every device of every platform.
fn devices() -> Result<Vec<cl3::types::cl_device_id>, String> {
    if !cl3::is_opencl_runtime_available() {
        return Err("libOpenCL.so.1 is not installed".into());
    }
    let platforms = call("clGetPlatformIDs", platform::get_platform_ids())?;
    let of = |platform| device::get_device_ids(platform, device::CL_DEVICE_TYPE_ALL).unwrap_or_default();
    Ok(platforms.into_iter().flat_map(of).collect())
}

/// See [`Runner::description`].
fn describe(device: cl3::types::cl_device_id) -> String {
    let text = |parameter| device::get_device_data(device, parameter).unwrap_or_default();
    let texts = [device::CL_DEVICE_NAME, device::CL_DEVICE_VERSION, device::CL_DRIVER_VERSION].map(text);
    let texts = texts.map(|text| String::from_utf8_lossy(&text).trim_end_matches('\0').to_string());
    texts.join(", ")
}

impl Runner {
    /// Opens the first device of the first platform that has one.
    ///
    /// # Errors
    /// A message when there is no OpenCL library, platform or device.
    pub fn new() -> Result<Runner, String> {
        Runner::find("")
    }

    /// Opens the first device with this in its description.
    ///
    /// # Errors
    /// A message when there is no OpenCL library or no such device.
    pub fn find(name: &str) -> Result<Runner, String> {
        /// PoCL 3.1 has no device for a thread while another one has it find them.
        static FINDS_DEVICES: Mutex<()> = Mutex::new(());
        let _one_at_a_time = FINDS_DEVICES.lock();
        let devices = devices()?;
        let Some(device) = devices.iter().find(|device| describe(**device).contains(name)) else {
            let found: Vec<String> = devices.into_iter().map(describe).collect();
            return Err(format!(
                "no OpenCL device is called '{name}': {}",
                if found.is_empty() { "there is none".into() } else { found.join("; ") }
            ));
        };
        Runner::open(*device, 0)
    }

    /// Opens the first device of the other platforms that is not ours: another witness. `None` where there is none.
    ///
    /// # Errors
    /// A message when it cannot be opened.
    pub fn other(&self) -> Result<Option<Runner>, String> {
        let platform = |device: &cl3::types::cl_device_id| {
            device::get_device_info(*device, device::CL_DEVICE_PLATFORM).map(|info| info.to_ptr()).ok()
        };
        let own = platform(&self.shared.device);
        let mut others = devices()?.into_iter().filter(|device| platform(device) != own);
        let other = others.find(|device| !describe(*device).contains("clforge"));
        other.map(|device| Runner::open(device, 0)).transpose()
    }

    /// Opens every device of every platform. `profiling`: whether the queues record when commands start and end.
    ///
    /// # Errors
    /// A message when there is no OpenCL library or no device.
    pub fn all(profiling: bool) -> Result<Vec<Runner>, String> {
        let properties = if profiling { command_queue::CL_QUEUE_PROFILING_ENABLE } else { 0 };
        devices()?.into_iter().map(|device| Runner::open(device, properties)).collect()
    }

    /// A context and a queue with these properties.
    fn open(device: cl3::types::cl_device_id, properties: u64) -> Result<Runner, String> {
        let context = call("clCreateContext", context::create_context(&[device], ptr::null(), None, ptr::null_mut()))?;
        let mut shared = Context { device, context, queue: ptr::null_mut() };
        // SAFETY: the device is of the context.
        #[allow(deprecated)]
        let queue = unsafe { command_queue::create_command_queue(context, device, properties) };
        shared.queue = call("clCreateCommandQueue", queue)?;
        Ok(Runner { shared: Arc::new(shared) })
    }

    /// Name and version of the device, which mention the driver, and version of the driver.
    pub fn description(&self) -> String {
        describe(self.shared.device)
    }

    /// Whether the device has an extension.
    pub fn has_extension(&self, name: &str) -> bool {
        let names = device::get_device_data(self.shared.device, device::CL_DEVICE_EXTENSIONS).unwrap_or_default();
        String::from_utf8_lossy(&names).trim_end_matches('\0').split_whitespace().any(|known| known == name)
    }

    /// Builds OpenCL C with the driver's own compiler.
    ///
    /// # Errors
    /// The build log.
    pub fn build_source(&self, source: &str, options: &str) -> Result<ClProgram, String> {
        let made = program::create_program_with_source(self.shared.context, &[source]);
        self.build(call("clCreateProgramWithSource", made)?, options)
    }

    /// Builds a SPIR-V module for OpenCL: through LLVM IR if `llvm-spirv` is installed, otherwise by the driver itself.
    ///
    /// # Errors
    /// The message of the translator or of the driver.
    pub fn build_spirv(&self, words: &[u32]) -> Result<ClProgram, String> {
        self.build_spirv_with(words, "")
    }

    /// Builds as [`Runner::build_spirv`] does, with build options such as `-cl-opt-disable`.
    ///
    /// # Errors
    /// As for [`Runner::build_spirv`].
    pub fn build_spirv_with(&self, words: &[u32], options: &str) -> Result<ClProgram, String> {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let Some(ir) = llvm::bitcode(&bytes)? else {
            let made = program::create_program_with_il(self.shared.context, &bytes);
            return self.build(call("clCreateProgramWithIL", made)?, options);
        };
        // SAFETY: the device is of the context.
        let made = unsafe {
            program::create_program_with_binary(self.shared.context, &[self.shared.device], &[ir.as_slice()])
        };
        self.build(call("clCreateProgramWithBinary", made)?, format!("-x spir -spir-std=1.2 {options}").trim_end())
    }

    fn build(&self, raw: cl3::types::cl_program, options: &str) -> Result<ClProgram, String> {
        let program = ClProgram { program: raw, runner: self.shared.clone() };
        let options = CString::new(options).map_err(|_| "the build options have a zero byte")?;
        let device = self.shared.device;
        program::build_program(raw, &[device], &options, None, ptr::null_mut()).map_err(|code| {
            let log = program::get_program_build_data(raw, device, program::CL_PROGRAM_BUILD_LOG);
            let log = log.map(|log| String::from_utf8_lossy(&log).into_owned()).unwrap_or_default();
            format!("clBuildProgram failed: {}\n{}", cl3::error_codes::error_text(code), log.trim_end_matches('\0'))
        })?;
        Ok(program)
    }
}

/// A memory object; released when dropped.
struct Memory(cl3::types::cl_mem);

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: owned since it was created; every run waits for its commands, so it is not in use.
        let _ = unsafe { memory::release_mem_object(self.0) };
    }
}

/// A sampler; released when dropped.
struct SamplerObject(cl3::types::cl_sampler);

impl Drop for SamplerObject {
    fn drop(&mut self) {
        // SAFETY: owned since it was created; every run waits for its commands, so it is not in use.
        let _ = unsafe { cl3::sampler::release_sampler(self.0) };
    }
}

/// The objects of an argument on the device.
enum Held {
    None,
    Buffer(Memory),
    /// An image, and its buffer if it is a buffer image.
    Image(Memory, Option<Memory>),
    /// Kept alive as long as the kernel may use it.
    Sampler(#[expect(dead_code)] SamplerObject),
}

/// A kernel object; released when dropped.
struct KernelObject(cl3::types::cl_kernel);

impl Drop for KernelObject {
    fn drop(&mut self) {
        // SAFETY: owned since it was created, released once.
        let _ = unsafe { kernel::release_kernel(self.0) };
    }
}

impl ClProgram {
    /// Launches a kernel once, as [`crate::run_vulkan`] does.
    ///
    /// # Errors
    /// The OpenCL function that failed, and its error.
    pub fn run(&self, kernel: &str, range: &Launch, args: &[HostArg]) -> Result<Vec<Vec<u8>>, String> {
        if !(1..=3).contains(&range.dims) {
            return Err(format!("an ND-range has 1, 2 or 3 dimensions, not {}", range.dims));
        }
        let name = CString::new(kernel).map_err(|_| "the kernel's name has a zero byte")?;
        let object = self.kernel(&name)?;
        let mut buffers = Vec::new();
        for (index, arg) in args.iter().enumerate() {
            buffers.push(self.set_arg(&object, index as u32, arg)?);
        }
        let global = range.global.map(|size| size as usize);
        let offset = range.offset.map(|size| size as usize);
        let local = range.local.map(|local| local.map(|size| size as usize));
        let local_pointer = local.as_ref().map_or(ptr::null(), |local| local.as_ptr());
        let queue = self.runner.queue;
        // SAFETY: the arrays have three entries and live until the call returns; arguments are set.
        let enqueued = unsafe {
            command_queue::enqueue_nd_range_kernel(
                queue,
                object.0,
                range.dims,
                offset.as_ptr(),
                global.as_ptr(),
                local_pointer,
                0,
                ptr::null(),
            )
        };
        release_event(call("clEnqueueNDRangeKernel", enqueued)?);
        call("clFinish", command_queue::finish(queue))?;
        args.iter().zip(&buffers).map(|(arg, buffer)| self.read(arg, buffer)).collect()
    }

    fn kernel(&self, name: &CStr) -> Result<KernelObject, String> {
        let made = kernel::create_kernel(self.program, name);
        call(&format!("clCreateKernel({})", name.to_string_lossy()), made).map(KernelObject)
    }

    fn set_arg(&self, object: &KernelObject, index: u32, arg: &HostArg) -> Result<Held, String> {
        let set = |size: usize, value: *const c_void| {
            // SAFETY: `value` is null (local memory) or points to `size` bytes; the driver checks sizes.
            let done = unsafe { kernel::set_kernel_arg(object.0, index, size, value) };
            call(&format!("clSetKernelArg({index})"), done)
        };
        match arg {
            HostArg::Pod(bytes) => set(bytes.len(), bytes.as_ptr().cast())?,
            HostArg::Local(bytes) => set(*bytes, ptr::null())?,
            HostArg::Null => {
                let null: cl3::types::cl_mem = ptr::null_mut();
                set(size_of_val(&null), (&raw const null).cast())?;
            }
            HostArg::Buffer(bytes) => {
                let made = self.buffer(bytes)?;
                set(size_of_val(&made.0), (&raw const made.0).cast())?;
                return Ok(Held::Buffer(made));
            }
            HostArg::Image(description, bytes) => {
                let (made, buffer) = self.image(description, bytes)?;
                set(size_of_val(&made.0), (&raw const made.0).cast())?;
                return Ok(Held::Image(made, buffer));
            }
            HostArg::Sampler(sampler) => {
                let made = self.sampler(*sampler)?;
                set(size_of_val(&made.0), (&raw const made.0).cast())?;
                return Ok(Held::Sampler(made));
            }
        }
        Ok(Held::None)
    }

    fn buffer(&self, bytes: &[u8]) -> Result<Memory, String> {
        let flags = memory::CL_MEM_READ_WRITE;
        // SAFETY: no host pointer with these flags.
        let made = unsafe { memory::create_buffer(self.runner.context, flags, bytes.len().max(16), ptr::null_mut()) };
        let made = Memory(call("clCreateBuffer", made)?);
        if !bytes.is_empty() {
            // SAFETY: a blocking write of `bytes`, for which the buffer is large enough.
            let written = unsafe {
                command_queue::enqueue_write_buffer(
                    self.runner.queue,
                    made.0,
                    cl3::types::CL_TRUE,
                    0,
                    bytes.len(),
                    bytes.as_ptr().cast_mut().cast(),
                    0,
                    ptr::null(),
                )
            };
            release_event(call("clEnqueueWriteBuffer", written)?);
        }
        Ok(made)
    }

    /// An image with these texels, and their buffer if it is a buffer image.
    fn image(&self, description: &ImageDescription, bytes: &[u8]) -> Result<(Memory, Option<Memory>), String> {
        if description.bytes() != Some(bytes.len() as u64) {
            return Err(format!("{} bytes of texels are not {description:?}", bytes.len()));
        }
        let [width, height, depth] = description.size.map(|size| size as usize);
        let buffer = match description.kind {
            ImageKind::Buffer => Some(self.buffer(bytes)?),
            _ => None,
        };
        let desc = cl3::types::cl_image_desc {
            image_type: match description.kind {
                ImageKind::D1 => memory::CL_MEM_OBJECT_IMAGE1D,
                ImageKind::D1Array => memory::CL_MEM_OBJECT_IMAGE1D_ARRAY,
                ImageKind::Buffer => memory::CL_MEM_OBJECT_IMAGE1D_BUFFER,
                ImageKind::D2 => memory::CL_MEM_OBJECT_IMAGE2D,
                ImageKind::D2Array => memory::CL_MEM_OBJECT_IMAGE2D_ARRAY,
                ImageKind::D3 => memory::CL_MEM_OBJECT_IMAGE3D,
            },
            image_width: width,
            image_height: height,
            image_depth: depth,
            image_array_size: if description.kind == ImageKind::D1Array { height } else { depth },
            image_row_pitch: 0,
            image_slice_pitch: 0,
            num_mip_levels: 0,
            num_samples: 0,
            buffer: buffer.as_ref().map_or(ptr::null_mut(), |buffer| buffer.0),
        };
        let format = cl3::types::cl_image_format {
            image_channel_order: description.format.order as u32,
            image_channel_data_type: description.format.channel as u32,
        };
        let (flags, host) = match buffer {
            Some(_) => (memory::CL_MEM_READ_WRITE, ptr::null_mut()),
            None => (memory::CL_MEM_READ_WRITE | memory::CL_MEM_COPY_HOST_PTR, bytes.as_ptr().cast_mut().cast()),
        };
        // SAFETY: format and description live until the call returns; the host pointer holds all texels, which are
        // copied.
        let made = unsafe { memory::create_image(self.runner.context, flags, &format, &desc, host) };
        Ok((Memory(call("clCreateImage", made)?), buffer))
    }

    fn sampler(&self, sampler: Sampler) -> Result<SamplerObject, String> {
        let addressing = match sampler.addressing {
            Addressing::None => memory::CL_ADDRESS_NONE,
            Addressing::ClampToEdge => memory::CL_ADDRESS_CLAMP_TO_EDGE,
            Addressing::Clamp => memory::CL_ADDRESS_CLAMP,
            Addressing::Repeat => memory::CL_ADDRESS_REPEAT,
            Addressing::MirroredRepeat => memory::CL_ADDRESS_MIRRORED_REPEAT,
        };
        let filter = if sampler.linear { memory::CL_FILTER_LINEAR } else { memory::CL_FILTER_NEAREST };
        #[allow(deprecated)]
        let made = cl3::sampler::create_sampler(self.runner.context, sampler.normalized.into(), addressing, filter);
        call("clCreateSampler", made).map(SamplerObject)
    }

    fn read(&self, arg: &HostArg, held: &Held) -> Result<Vec<u8>, String> {
        let (memory, before, description) = match (arg, held) {
            (HostArg::Buffer(before), Held::Buffer(buffer)) => (buffer, before, None),
            (HostArg::Image(_, before), Held::Image(_, Some(buffer))) => (buffer, before, None),
            (HostArg::Image(description, before), Held::Image(image, None)) => (image, before, Some(description)),
            _ => return Ok(Vec::new()),
        };
        let mut bytes = vec![0u8; before.len()];
        if bytes.is_empty() {
            return Ok(bytes);
        }
        let (queue, yes, to) = (self.runner.queue, cl3::types::CL_TRUE, bytes.as_mut_ptr().cast());
        let Some(description) = description else {
            // SAFETY: a blocking read of the buffer's size.
            let read = unsafe {
                command_queue::enqueue_read_buffer(queue, memory.0, yes, 0, before.len(), to, 0, ptr::null())
            };
            release_event(call("clEnqueueReadBuffer", read)?);
            return Ok(bytes);
        };
        let [x, y, z] = description.size.map(|size| size as usize);
        let region = match description.kind {
            ImageKind::D1 | ImageKind::Buffer => [x, 1, 1],
            ImageKind::D1Array | ImageKind::D2 => [x, y, 1],
            ImageKind::D2Array | ImageKind::D3 => [x, y, z],
        };
        let origin = [0usize; 3];
        // SAFETY: a blocking read of all texels without gaps, for which there is room; it was written from as many.
        let read = unsafe {
            command_queue::enqueue_read_image(
                queue,
                memory.0,
                yes,
                origin.as_ptr(),
                region.as_ptr(),
                0,
                0,
                to,
                0,
                ptr::null(),
            )
        };
        release_event(call("clEnqueueReadImage", read)?);
        Ok(bytes)
    }
}

fn release_event(event: cl3::types::cl_event) {
    // SAFETY: each enqueue function returns a new event that the caller owns.
    let _ = unsafe { cl3::event::release_event(event) };
}
