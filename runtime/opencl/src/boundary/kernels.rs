//! Kernels (section 5.9).

use super::arguments::{bytes, exposed, list, object, optional, text, write_bytes, write_list};
use crate::device::Device;
use crate::error::{Error, Result, ensure};
use crate::info::{Info, Value};
use crate::kernel::{Argument, Bytes, Kernel, Parameter};
use crate::memory::Memory;
use crate::number;
use crate::program::Program;
use crate::queue::Queue;
use crate::sampler::Sampler;
use opencl_sys::*;
use std::ffi::{c_char, c_void};

/// `clCreateKernel`.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn create(program: cl_program, name: *const c_char) -> Result<usize> {
    let program = object::<Program>(program)?;
    ensure(!name.is_null(), CL_INVALID_VALUE, "no name of a kernel")?;
    // SAFETY: the caller keeps the specification's rules.
    exposed(Kernel::new(&program, &unsafe { text(name) }))
}

/// `clCreateKernelsInProgram`.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn create_all(
    program: cl_program,
    room: cl_uint,
    places: *mut cl_kernel,
    count: *mut cl_uint,
) -> Result<()> {
    let program = object::<Program>(program)?;
    let names = program.kernel_names()?;
    let is_fit = places.is_null() || room as usize >= names.len();
    ensure(is_fit, CL_INVALID_VALUE, "no room for all kernels")?;
    let mut handles = Vec::new();
    if !places.is_null() {
        let kernels = names.iter().map(|name| Kernel::new(&program, name)).collect::<Result<Vec<_>>>()?;
        handles.extend(kernels.iter().map(|kernel| std::ptr::with_exposed_provenance_mut(kernel.expose())));
    }
    // SAFETY: the caller keeps the specification's rules.
    unsafe {
        super::arguments::put(count, number::count(names.len()));
        if handles.is_empty() { Ok(()) } else { write_list(&handles, room, places, count) }
    }
}

/// `clCloneKernel`.
pub(super) fn copy(kernel: cl_kernel) -> Result<usize> {
    Ok(object::<Kernel>(kernel)?.copy().expose())
}

/// `clSetKernelArg`.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn set_argument(kernel: cl_kernel, index: cl_uint, size: usize, value: *const c_void) -> Result<()> {
    // SAFETY: the caller keeps the specification's rules.
    unsafe { set_argument_of(&*object::<Kernel>(kernel)?, index, size, value) }
}

/// The same for a kernel that the client need not know.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn set_argument_of(kernel: &Kernel, index: cl_uint, size: usize, value: *const c_void) -> Result<()> {
    // SAFETY: the caller's promise.
    let argument = unsafe { argument(kernel.parameter(index)?, size, value) }?;
    kernel.set(index, argument)
}

/// Reads the value of an argument. Nothing is read where the size is wrong: the client's memory may end anywhere behind a value
/// of the right one.
///
/// # Safety
/// `value` is null or has `size` bytes, if that is the size of the parameter.
unsafe fn argument(parameter: Parameter, size: usize, value: *const c_void) -> Result<Argument> {
    let is_handle = size == size_of::<*mut c_void>();
    let handle = || -> Result<*mut c_void> {
        ensure(is_handle, CL_INVALID_ARG_SIZE, "not the size of a handle")?;
        if value.is_null() {
            return Ok(std::ptr::null_mut());
        }
        // SAFETY: the value has the size of a handle.
        Ok(unsafe { value.cast::<*mut c_void>().read_unaligned() })
    };
    Ok(match parameter {
        Parameter::Pointer => Argument::Buffer(optional::<Memory>(handle()?)?),
        Parameter::Pipe => Argument::Buffer(Some(object::<Memory>(handle()?)?)),
        Parameter::Image { .. } => Argument::Image(object::<Memory>(handle()?)?),
        Parameter::Sampler => Argument::Sampler(object::<Sampler>(handle()?)?),
        Parameter::Local => {
            ensure(value.is_null(), CL_INVALID_ARG_VALUE, "local memory has no value")?;
            Argument::Local(size as u64)
        }
        Parameter::Queue => {
            let handle = handle()?;
            let is_on_device = object::<Queue>(handle).is_ok_and(|queue| queue.is_on_device());
            ensure(is_on_device, CL_INVALID_DEVICE_QUEUE, "not a queue on the device")?;
            // Kernels ask whether it is one, and not which.
            Argument::Data(Bytes::from_slice(&(handle.addr() as u64).to_le_bytes()))
        }
        Parameter::Data(needed) => {
            ensure(!value.is_null(), CL_INVALID_ARG_VALUE, "a value is needed")?;
            ensure(size == needed as usize, CL_INVALID_ARG_SIZE, "a value of another size")?;
            // SAFETY: the value has the size of the parameter.
            Argument::Data(Bytes::from_slice(unsafe { bytes(value, size) }?))
        }
        // The module does not say what the parameter takes, and the kernel does not look at it.
        Parameter::Unused => Argument::Data(Bytes::new()),
    })
}

/// `clGetKernelInfo`.
pub(super) fn info(kernel: cl_kernel, name: cl_kernel_info) -> Result<Value> {
    object::<Kernel>(kernel)?.info(name)
}

/// `clGetKernelArgInfo`.
pub(super) fn argument_info(kernel: cl_kernel, index: cl_uint, name: cl_kernel_arg_info) -> Result<Value> {
    object::<Kernel>(kernel)?.argument_info(index, name)
}

/// `clGetKernelWorkGroupInfo`.
pub(super) fn work_group_info(
    kernel: cl_kernel,
    device: cl_device_id,
    name: cl_kernel_work_group_info,
) -> Result<Value> {
    let (kernel, device) = (object::<Kernel>(kernel)?, optional::<Device>(device)?);
    kernel.work_group_info(device.as_deref(), name)
}

/// `clGetKernelSubGroupInfo`. The room for the value says how many dimensions a local size is wanted with.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn sub_group_info(
    kernel: cl_kernel,
    device: cl_device_id,
    name: cl_kernel_sub_group_info,
    input_size: usize,
    input: *const c_void,
    size: usize,
    place: *mut c_void,
    size_needed: *mut usize,
) -> Result<()> {
    let (kernel, device) = (object::<Kernel>(kernel)?, optional::<Device>(device)?);
    let words = input_size / size_of::<usize>();
    ensure(words <= 3, CL_INVALID_VALUE, "more input than a query has")?;
    // SAFETY: the caller keeps the specification's rules.
    let input = unsafe {
        list(if input.is_null() { 0 } else { words }, if words == 0 { std::ptr::null() } else { input.cast() })
    };
    let input: Vec<usize> = input.map_err(|error: Error| error.with_code(CL_INVALID_VALUE))?;
    let dims = if place.is_null() { 3 } else { (size / size_of::<usize>()).clamp(1, 3) };
    let value = kernel.sub_group_info(device.as_deref(), name, &input, dims)?;
    // SAFETY: as above.
    unsafe { write_bytes(value.bytes(), size, place, size_needed) }
}
