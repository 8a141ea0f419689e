//! The platform and its devices (sections 4.1 to 4.3).

use super::arguments::{object, optional, pointer, write_bytes, write_list};
use super::table::DISPATCH;
use crate::device::Device;
use crate::error::{Error, Result, ensure};
use crate::handle;
use crate::info::{Info, Value};
use crate::platform::{Platform, platform};
use opencl_sys::*;
use std::ffi::c_void;

/// `clGetPlatformIDs` and `clIcdGetPlatformIDsKHR`, which every client calls first.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn platforms(room: cl_uint, places: *mut cl_platform_id, count: *mut cl_uint) -> Result<()> {
    handle::set_dispatch(std::ptr::from_ref(&DISPATCH).expose_provenance());
    let platform = platform()?;
    // SAFETY: the caller keeps the specification's rules.
    unsafe { write_list(&[pointer(&platform)], room, places, count) }
}

/// The platform of a handle; the only one for null, which the specification leaves to the driver.
fn given(handle: cl_platform_id) -> Result<handle::Ref<Platform>> {
    optional::<Platform>(handle)?.map_or_else(platform, Ok)
}

/// `clGetPlatformInfo`.
pub(super) fn platform_info(handle: cl_platform_id, name: cl_platform_info) -> Result<Value> {
    given(handle)?.info(name)
}

/// `clGetDeviceIDs`.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn devices(
    handle: cl_platform_id,
    device_type: cl_device_type,
    room: cl_uint,
    places: *mut cl_device_id,
    count: *mut cl_uint,
) -> Result<()> {
    let devices = given(handle)?.devices(device_type)?;
    let handles: Vec<_> = devices.iter().map(pointer).collect();
    // SAFETY: the caller keeps the specification's rules.
    unsafe { write_list(&handles, room, places, count) }
}

/// `clGetDeviceInfo`.
pub(super) fn device_info(device: cl_device_id, name: cl_device_info) -> Result<Value> {
    let device = object::<Device>(device)?;
    match name {
        // In the order of the platform.
        CL_DEVICE_SVM_TYPE_CAPABILITIES_KHR => {
            let platform = platform()?;
            let types = platform.svm_types().iter().map(|known| device.svm_capabilities(*known));
            Ok(Value::list(&types.collect::<Vec<_>>()))
        }
        _ => device.info(name),
    }
}

/// `clGetDeviceCooperativeMatrixInfoKHR` (`cl_khr_cooperative_matrix`).
///
/// # Safety
/// As for the function of the extension.
pub(super) unsafe fn matrix_info(
    device: cl_device_id,
    name: cl_uint,
    input_size: usize,
    input: *const c_void,
    size: usize,
    place: *mut c_void,
    size_needed: *mut usize,
) -> Result<()> {
    let device = object::<Device>(device)?;
    let has_input = !input.is_null() && input_size == size_of::<cl_uint>();
    // SAFETY: the caller keeps the specification's rules: the input has that size.
    let sub_group_size = has_input.then(|| unsafe { input.cast::<cl_uint>().read_unaligned() });
    let value = device.matrix_info(name, sub_group_size)?;
    // SAFETY: as above.
    unsafe { write_bytes(value.bytes(), size, place, size_needed) }
}

/// `clRetainDevice` and `clReleaseDevice`, which do nothing to devices that are not parts of others.
pub(super) fn check(device: cl_device_id) -> Result<()> {
    object::<Device>(device).map(|_| ())
}

/// `clCreateSubDevices`: no device can be partitioned.
pub(super) fn sub_devices(
    device: cl_device_id,
    properties: *const cl_device_partition_property,
    _: cl_uint,
    _: *mut cl_device_id,
    _: *mut cl_uint,
) -> Result<()> {
    object::<Device>(device)?;
    ensure(!properties.is_null(), CL_INVALID_VALUE, "no way to partition is given")?;
    Err(Error::value("the device cannot be partitioned"))
}

/// `clUnloadPlatformCompiler`: the compiler has nothing to unload.
pub(super) fn unload_compiler(handle: cl_platform_id) -> Result<()> {
    object::<Platform>(handle).map(|_| ())
}

/// `clUnloadCompiler`.
pub(super) fn unload_any_compiler() -> Result<()> {
    Ok(())
}
