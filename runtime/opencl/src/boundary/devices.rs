//! The platform and its devices (sections 4.1 to 4.3).

use super::arguments::{object, optional, pointer, put, write_bytes, write_list};
use super::table::DISPATCH;
use crate::device::{CL_DEVICE_PARTITION_BY_NAMES_INTEL, Device, Domain, END_OF_NAMES, NAMES_END_INTEL, Scheme};
use crate::error::{Error, Result, ensure};
use crate::event;
use crate::handle::{self, Ref};
use crate::info::{Info, Value};
use crate::number;
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

/// `clRetainDevice`, which does nothing to devices that are not parts of others.
pub(super) fn retain(device: cl_device_id) -> Result<()> {
    if object::<Device>(device)?.is_part() { handle::retain::<Device>(device.addr()) } else { Ok(()) }
}

/// `clReleaseDevice`.
pub(super) fn release(device: cl_device_id) -> Result<()> {
    if object::<Device>(device)?.is_part() { handle::release::<Device>(device.addr()) } else { Ok(()) }
}

/// The next numbers of a list, up to its end, which is zero or `end`.
///
/// # Safety
/// The list has such an end.
unsafe fn numbers<T: Copy + PartialEq + Default + TryInto<usize>>(
    list: &mut *const T,
    ends: &[T],
) -> Result<Vec<usize>> {
    let mut found = Vec::new();
    loop {
        // SAFETY: the caller's promise: the end was not reached.
        let value = unsafe { list.read_unaligned() };
        *list = list.wrapping_add(1);
        if ends.contains(&value) {
            return Ok(found);
        }
        let number = value.try_into();
        let wrong = |_| Error::new(CL_INVALID_DEVICE_PARTITION_COUNT, "not a number of compute units");
        found.push(number.map_err(wrong)?);
    }
}

/// Memory that the parts of a device are to share.
enum Wanted {
    /// The first kind that only some of its processors share.
    Next,
    /// A kind, if its name is known.
    Known(Option<Domain>),
}

/// The way to partition a device by memory that its processors share.
///
/// # Errors
/// `CL_INVALID_VALUE` for an unknown kind, and for one that all or none share; for a part `CL_DEVICE_PARTITION_FAILED`.
fn by_domain(device: &Ref<Device>, wanted: Wanted) -> Result<Scheme> {
    let domain = match wanted {
        Wanted::Next => device.next_domain(),
        Wanted::Known(None) => return Err(Error::value("an unknown affinity domain")),
        Wanted::Known(domain) => domain.filter(|domain| device.has_domain(*domain)),
    };
    Ok(Scheme::ByDomain(domain.ok_or_else(|| device.has_no_parts())?))
}

/// Writes the parts of a device, and how many they are.
///
/// # Safety
/// As for `clCreateSubDevices`.
unsafe fn partition(
    device: &Ref<Device>,
    scheme: &Scheme,
    room: cl_uint,
    places: *mut cl_device_id,
    count: *mut cl_uint,
) -> Result<()> {
    let shares = device.shares(scheme)?;
    let number = number::count(shares.len());
    if !places.is_null() {
        ensure(room >= number, CL_INVALID_VALUE, "no room for all sub-devices")?;
        for (at, share) in shares.into_iter().enumerate() {
            let part = device.part(share, scheme);
            part.expose();
            // SAFETY: the caller keeps the specification's rules: there is room for so many.
            unsafe { put(places.add(at), pointer(&part)) };
        }
    }
    // SAFETY: as above.
    unsafe { put(count, number) };
    Ok(())
}

/// `clCreateSubDevices`.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn sub_devices(
    device: cl_device_id,
    properties: *const cl_device_partition_property,
    room: cl_uint,
    places: *mut cl_device_id,
    count: *mut cl_uint,
) -> Result<()> {
    let device = object::<Device>(device)?;
    ensure(!properties.is_null(), CL_INVALID_VALUE, "no way to partition is given")?;
    let mut list = properties.wrapping_add(1);
    // SAFETY: the caller keeps the specification's rules: there is a name, with a value or a list of them.
    let scheme = match unsafe { properties.read_unaligned() } {
        CL_DEVICE_PARTITION_EQUALLY => {
            // SAFETY: as above.
            let each = unsafe { list.read_unaligned() };
            list = list.wrapping_add(1);
            Scheme::Equally(usize::try_from(each).unwrap_or(0))
        }
        // SAFETY: as above.
        CL_DEVICE_PARTITION_BY_COUNTS => Scheme::ByCounts(unsafe { numbers(&mut list, &[0]) }?),
        // SAFETY: as above.
        CL_DEVICE_PARTITION_BY_NAMES_INTEL => Scheme::ByNames(unsafe { numbers(&mut list, &[NAMES_END_INTEL]) }?),
        CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN => {
            // SAFETY: as above.
            let bit = unsafe { list.read_unaligned() }.cast_unsigned() as u64;
            list = list.wrapping_add(1);
            let is_next = bit == CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE;
            by_domain(&device, if is_next { Wanted::Next } else { Wanted::Known(Domain::of(bit)) })?
        }
        name => return Err(Error::value(format!("the device cannot be partitioned by {name:#x}"))),
    };
    // SAFETY: as above: another name or the end.
    let ends = unsafe { list.read_unaligned() } == 0;
    ensure(ends, CL_INVALID_VALUE, "several ways to partition")?;
    let code = |error: Error| match error.code {
        CL_INVALID_PARTITION_NAME_EXT => error.with_code(CL_INVALID_VALUE),
        _ => error,
    };
    // SAFETY: the caller keeps the specification's rules.
    unsafe { partition(&device, &scheme, room, places, count) }.map_err(code)
}

/// `clCreateSubDevicesEXT` (`cl_ext_device_fission`).
///
/// # Safety
/// As for the function of the extension.
pub(super) unsafe fn sub_devices_of_extension(
    device: cl_device_id,
    properties: *const cl_device_partition_property_ext,
    room: cl_uint,
    places: *mut cl_device_id,
    count: *mut cl_uint,
) -> Result<()> {
    // The end of a list of names in older headers.
    const SHORT_END_OF_NAMES: cl_device_partition_property_ext = CL_PARTITION_BY_NAMES_LIST_END_EXT;
    let device = object::<Device>(device)?;
    ensure(!properties.is_null(), CL_INVALID_VALUE, "no way to partition is given")?;
    let mut list = properties.wrapping_add(1);
    // SAFETY: the caller keeps the rules of the extension: there is a name, with a value or a list of them.
    let scheme = match unsafe { properties.read_unaligned() } {
        CL_DEVICE_PARTITION_EQUALLY_EXT => {
            // SAFETY: as above.
            let each = unsafe { list.read_unaligned() };
            list = list.wrapping_add(1);
            Scheme::Equally(usize::try_from(each).unwrap_or(usize::MAX))
        }
        // SAFETY: as above.
        CL_DEVICE_PARTITION_BY_COUNTS_EXT => Scheme::ByCounts(unsafe { numbers(&mut list, &[0]) }?),
        CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN_EXT => {
            // SAFETY: as above.
            let name = unsafe { list.read_unaligned() };
            list = list.wrapping_add(1);
            let is_next = name == u64::from(CL_AFFINITY_DOMAIN_NEXT_FISSIONABLE_EXT);
            by_domain(&device, if is_next { Wanted::Next } else { Wanted::Known(Domain::of_extension(name)) })?
        }
        CL_DEVICE_PARTITION_BY_NAMES_EXT => {
            // SAFETY: as above.
            Scheme::ByNames(unsafe { numbers(&mut list, &[END_OF_NAMES, SHORT_END_OF_NAMES]) }?)
        }
        name => return Err(Error::value(format!("the device cannot be partitioned by {name:#x}"))),
    };
    // SAFETY: as above: another name or the end.
    let ends = unsafe { list.read_unaligned() } == 0;
    ensure(ends, CL_INVALID_VALUE, "several ways to partition")?;
    // The extension has codes of its own.
    let code = |error: Error| match error.code {
        CL_DEVICE_PARTITION_FAILED => error.with_code(CL_DEVICE_PARTITION_FAILED_EXT),
        CL_INVALID_DEVICE_PARTITION_COUNT => error.with_code(CL_INVALID_PARTITION_COUNT_EXT),
        _ => error,
    };
    // SAFETY: the caller keeps the rules of the extension.
    unsafe { partition(&device, &scheme, room, places, count) }.map_err(code)
}

/// `clGetDeviceAndHostTimer`: the times of events are on the host's clock, so there is one timer.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn device_and_host_timer(
    device: cl_device_id,
    of_device: *mut cl_ulong,
    of_host: *mut cl_ulong,
) -> Result<()> {
    object::<Device>(device)?;
    ensure(!of_device.is_null() && !of_host.is_null(), CL_INVALID_VALUE, "nowhere to write a time")?;
    let now = event::now();
    // SAFETY: the caller keeps the specification's rules.
    unsafe {
        put(of_device, now);
        put(of_host, now);
    }
    Ok(())
}

/// `clGetHostTimer`.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn host_timer(device: cl_device_id, time: *mut cl_ulong) -> Result<()> {
    object::<Device>(device)?;
    ensure(!time.is_null(), CL_INVALID_VALUE, "nowhere to write a time")?;
    // SAFETY: the caller keeps the specification's rules.
    unsafe { put(time, event::now()) };
    Ok(())
}

/// `clUnloadPlatformCompiler`: the compiler has nothing to unload.
pub(super) fn unload_compiler(handle: cl_platform_id) -> Result<()> {
    object::<Platform>(handle).map(|_| ())
}

/// `clUnloadCompiler`.
pub(super) fn unload_any_compiler() -> Result<()> {
    Ok(())
}
