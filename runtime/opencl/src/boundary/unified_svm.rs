//! Types of shared virtual memory (`cl_khr_unified_svm`): what the functions of OpenCL 2.0 and of
//! `cl_intel_unified_shared_memory` allocate, by one function.

use super::arguments::{check_sharing, object, optional, pairs, put};
use super::unified::{allocate, device_of, host_device, is_alignment};
use crate::context::Context;
use crate::device::{Device, Sharing};
use crate::error::{Error, Result, ensure};
use crate::handle::{self, Ref};
use crate::info::{Value, unknown};
use crate::number;
use crate::platform::platform;
use crate::shared::{SharedMemory, SvmProperties, SvmType, Unified};
use opencl_sys::*;
use std::ffi::c_void;
use std::sync::Arc;

const ACCESS: cl_svm_alloc_access_flags_khr = CL_SVM_ALLOC_ACCESS_HOST_NOREAD_KHR
    | CL_SVM_ALLOC_ACCESS_HOST_NOWRITE_KHR
    | CL_SVM_ALLOC_ACCESS_DEVICE_NOREAD_KHR
    | CL_SVM_ALLOC_ACCESS_DEVICE_NOWRITE_KHR;

/// Reads the properties of an allocation.
///
/// # Safety
/// The properties are null or end with a zero.
///
/// # Errors
/// `CL_INVALID_PROPERTY`, `CL_INVALID_DEVICE`.
unsafe fn properties(
    context: &Context,
    values: *const cl_svm_alloc_properties_khr,
) -> Result<(SvmProperties, Option<Ref<Device>>)> {
    // SAFETY: the caller's promise.
    let list = unsafe { pairs(values) };
    let (mut device, mut access, mut alignment) = (None, None, None);
    for [name, value] in list.as_chunks::<2>().0 {
        let place = match *name {
            CL_SVM_ALLOC_ASSOCIATED_DEVICE_HANDLE_KHR => &mut device,
            CL_SVM_ALLOC_ACCESS_FLAGS_KHR => &mut access,
            CL_SVM_ALLOC_ALIGNMENT_KHR => &mut alignment,
            _ => return Err(Error::new(CL_INVALID_PROPERTY, format!("unknown property {name:#x}"))),
        };
        ensure(place.replace(*value).is_none(), CL_INVALID_PROPERTY, "a property twice")?;
    }
    let access = access.unwrap_or(0);
    ensure(access & !ACCESS == 0, CL_INVALID_PROPERTY, "unknown flags of access")?;
    let fits = is_alignment(number::size(alignment.unwrap_or(0)));
    ensure(fits, CL_INVALID_PROPERTY, "an alignment that is no power of two, or larger than every type")?;
    let device = device.filter(|device| *device != 0).map(|device| handle::find::<Device>(number::size(device)));
    let device = device.transpose()?.map(|device| device_of(context, device)).transpose()?;
    let handle = device.as_ref().map_or(0, |device| device.handle());
    Ok((SvmProperties { list, access, device: handle }, device))
}

/// `clSVMAllocWithPropertiesKHR`.
///
/// # Safety
/// As for the function of the extension.
pub(super) unsafe fn allocate_typed(
    context: cl_context,
    values: *const cl_svm_alloc_properties_khr,
    index: cl_uint,
    size: usize,
) -> Result<usize> {
    let context = object::<Context>(context)?;
    let platform = platform()?;
    let wanted =
        platform.svm_types().get(index as usize).ok_or_else(|| Error::value("not the index of a type of memory"))?;
    // SAFETY: the caller keeps the specification's rules.
    let (svm, named) = unsafe { properties(&context, values) }?;
    let (device, unified) = match (wanted, named) {
        (SvmType::Device, None) => {
            return Err(Error::new(CL_INVALID_DEVICE, "memory of a device that is not named"));
        }
        (SvmType::Device, Some(device)) => (device, Some(CL_MEM_TYPE_DEVICE_INTEL)),
        (SvmType::Host, _) => (host_device(&context)?.clone(), Some(CL_MEM_TYPE_HOST_INTEL)),
        (SvmType::Shared, Some(device)) => (device, Some(CL_MEM_TYPE_SHARED_INTEL)),
        (SvmType::Shared, None) => (host_device(&context)?.clone(), Some(CL_MEM_TYPE_SHARED_INTEL)),
        (SvmType::CoarseGrain | SvmType::FineGrain, _) => match context.devices() {
            [device] => (device.clone(), None),
            _ => return Err(Error::lacking("memory that several devices share")),
        },
        (SvmType::System, _) => {
            return Err(Error::new(CL_INVALID_OPERATION, "the system allocates such memory"));
        }
    };
    check_sharing(&device)?;
    let is_in_place = !matches!(wanted, SvmType::Device | SvmType::CoarseGrain);
    ensure(!is_in_place || device.sharing() >= Sharing::Placed, CL_INVALID_OPERATION, "the device has no such memory")?;
    let handle = svm.device;
    allocate(&context, &device, size, is_in_place, |memory| {
        let memory = match unified {
            Some(kind) => memory.with_unified(Unified { kind, device: handle, flags: 0 }),
            None if *wanted == SvmType::FineGrain => memory.fine_grained(),
            None => memory,
        };
        memory.with_svm(svm.clone())
    })
}

/// `clSVMFreeWithPropertiesKHR`, which has no properties and flags so far.
///
/// # Safety
/// As for the function of the extension.
pub(super) unsafe fn free(
    context: cl_context,
    values: *const cl_svm_free_properties_khr,
    flags: cl_svm_free_flags_khr,
    pointer: *mut c_void,
) -> Result<()> {
    let context = object::<Context>(context)?;
    // SAFETY: the caller keeps the specification's rules.
    let is_empty = values.is_null() || unsafe { values.read_unaligned() } == 0;
    ensure(is_empty, CL_INVALID_PROPERTY, "unknown properties")?;
    ensure(flags == 0, CL_INVALID_VALUE, "unknown flags")?;
    context.shared().remove(pointer.addr());
    Ok(())
}

/// The index of the type of an allocation.
fn index_of(memory: &SharedMemory) -> Result<Option<usize>> {
    Ok(platform()?.svm_types().iter().position(|known| *known == memory.svm_type()))
}

/// `clGetSVMPointerInfoKHR`.
pub(super) fn info(
    context: cl_context,
    device: cl_device_id,
    pointer: *const c_void,
    name: cl_svm_pointer_info_khr,
) -> Result<Value> {
    let context = object::<Context>(context)?;
    let device = optional::<Device>(device)?.map(|device| device_of(&context, device)).transpose()?;
    let memory: Option<Arc<SharedMemory>> = context.shared().find(pointer.addr()).map(|range| range.memory);
    let memory = memory.as_deref();
    Ok(match name {
        CL_SVM_INFO_TYPE_INDEX_KHR => {
            let index = memory.map(index_of).transpose()?.flatten();
            Value::of(index.map_or(cl_uint::MAX, number::count))
        }
        CL_SVM_INFO_CAPABILITIES_KHR => Value::of(match (memory, device) {
            (None, _) => 0,
            (Some(memory), Some(device)) => device.svm_capabilities(memory.svm_type()),
            (Some(memory), None) => platform()?.svm_capabilities(memory.svm_type()),
        }),
        CL_SVM_INFO_PROPERTIES_KHR => Value::list(memory.map_or(&[][..], |memory| &memory.svm().list)),
        CL_SVM_INFO_ACCESS_FLAGS_KHR => Value::of(memory.map_or(0, |memory| memory.svm().access)),
        CL_SVM_INFO_BASE_PTR_KHR => Value::of(memory.map_or(0, SharedMemory::address)),
        CL_SVM_INFO_SIZE_KHR => Value::of(memory.map_or(0, SharedMemory::size)),
        CL_SVM_INFO_ASSOCIATED_DEVICE_HANDLE_KHR => {
            let of_function = |memory: &SharedMemory| memory.unified().map_or(0, |unified| unified.device);
            let known = |memory: &SharedMemory| Some(memory.svm().device).filter(|device| *device != 0);
            Value::of(memory.map_or(0, |memory| known(memory).unwrap_or_else(|| of_function(memory))))
        }
        _ => return Err(unknown(name)),
    })
}

/// `clGetSVMSuggestedTypeIndexKHR`: the type with the most of the desired capabilities, of those that have the required ones on
/// the named device, or on all devices of the context.
///
/// # Safety
/// As for the function of the extension.
pub(super) unsafe fn suggest(
    context: cl_context,
    required: cl_svm_capabilities_khr,
    desired: cl_svm_capabilities_khr,
    values: *const cl_svm_alloc_properties_khr,
    _: usize,
    place: *mut cl_uint,
) -> Result<()> {
    let context = object::<Context>(context)?;
    ensure(!place.is_null(), CL_INVALID_VALUE, "no place for the index")?;
    // SAFETY: the caller keeps the specification's rules.
    let named = unsafe { properties(&context, values) }?.1;
    let devices = named.as_ref().map_or(context.devices(), std::slice::from_ref);
    let of_all = |wanted: &SvmType| {
        devices
            .iter()
            .map(|device| device.svm_capabilities(*wanted))
            .fold(cl_svm_capabilities_khr::MAX, |all, has| all & has)
    };
    let platform = platform()?;
    let types = platform.svm_types().iter().map(of_all).enumerate();
    let fitting = types.filter(|(_, has)| *has != 0 && has & required == required);
    // The first of several.
    let best = fitting.rev().max_by_key(|(_, has)| (has & desired).count_ones());
    let index = best.map_or(cl_uint::MAX, |(index, _)| number::count(index));
    // SAFETY: as above.
    unsafe { put(place, index) };
    Ok(())
}
