//! Changes of recorded launches (`cl_khr_command_buffer_mutable_dispatch`).

use super::arguments::{list, object};
use super::{kernels, shared};
use crate::command_buffer::{Change, CommandBuffer, Dispatch, DispatchProperties, NewRange};
use crate::device::UPDATABLE_FIELDS;
use crate::error::{Error, Result, ensure};
use crate::info::{Info, Value};
use crate::kernel::Kernel;
use opencl_sys::*;
use std::ffi::c_void;

/// A property of command buffers; `opencl-sys` 0.6.5 has another value for it.
pub(super) const CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS_KHR: cl_command_buffer_properties_khr = 0x12B7;

/// Whether assertions about changes are known ones.
///
/// # Errors
/// `CL_INVALID_VALUE`.
pub(super) fn check_asserts(asserts: cl_mutable_dispatch_asserts_khr) -> Result<()> {
    let known = CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR;
    ensure(asserts & !known == 0, CL_INVALID_VALUE, "an unknown assertion about changes of launches")
}

/// The properties of a launch, and whether it is to keep its number of work-groups. Nothing is read behind an unknown name.
///
/// # Safety
/// `values` is null or leads to a list that ends with a zero.
pub(super) unsafe fn properties(values: *const cl_command_properties_khr) -> Result<(DispatchProperties, bool)> {
    let (mut list, mut updatable, mut asserts) = (Vec::new(), None, None);
    while !values.is_null() {
        // SAFETY: the caller's promise: no name so far was zero.
        let name = unsafe { values.add(list.len()).read_unaligned() };
        list.push(name);
        let place = match name {
            0 => break,
            CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR => &mut updatable,
            CL_MUTABLE_DISPATCH_ASSERTS_KHR => &mut asserts,
            _ => return Err(Error::value("an unknown property of a command")),
        };
        // SAFETY: a name has a value.
        let value = unsafe { values.add(list.len()).read_unaligned() };
        list.push(value);
        ensure(place.replace(value).is_none(), CL_INVALID_VALUE, "a property of a command twice")?;
    }
    let (updatable, asserts) = (updatable.unwrap_or(UPDATABLE_FIELDS), asserts.unwrap_or(0));
    check_asserts(asserts)?;
    let can = updatable & !UPDATABLE_FIELDS == 0;
    ensure(can, CL_INVALID_OPERATION, "changes of launches that the device does not support")?;
    Ok((DispatchProperties { list, updatable }, asserts != 0))
}

/// `clUpdateMutableCommandsKHR`.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn update(
    buffer: cl_command_buffer_khr,
    count: cl_uint,
    types: *const cl_command_buffer_update_type_khr,
    configs: *const *const c_void,
) -> Result<()> {
    let buffer = object::<CommandBuffer>(buffer)?;
    buffer.update(|| {
        // SAFETY: the caller keeps the specification's rules.
        let (types, configs) = unsafe { (list(count as usize, types)?, list(count as usize, configs)?) };
        let mut changes = Vec::with_capacity(configs.len());
        for (kind, config) in types.into_iter().zip(configs) {
            let is_dispatch = kind == CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_KHR;
            ensure(is_dispatch && !config.is_null(), CL_INVALID_VALUE, "a change without a structure that is known")?;
            // SAFETY: the type says what the structure is.
            let change = unsafe {
                let config = config.cast::<cl_mutable_dispatch_config_khr>().read_unaligned();
                change(&config, buffer.handle(), &changes)?
            };
            changes.push(change);
        }
        Ok(changes)
    })
}

/// Reads a change.
///
/// # Safety
/// As for `clUpdateMutableCommandsKHR`.
unsafe fn change(config: &cl_mutable_dispatch_config_khr, buffer: usize, pending: &[Change]) -> Result<Change> {
    let dispatch = object::<Dispatch>(config.command)?;
    let dims = Change::dims(&dispatch) as usize;
    let sizes = |values: *const usize, absent: usize| -> Option<[usize; 3]> {
        // SAFETY: the caller's promise: so many values where there are any.
        let read = |d| if d < dims { unsafe { values.add(d).read_unaligned() } } else { absent };
        (!values.is_null()).then(|| std::array::from_fn(read))
    };
    // SAFETY: as above.
    let (arguments, shared, information) = unsafe {
        (
            list(config.num_args as usize, config.arg_list)?,
            list(config.num_svm_args as usize, config.arg_svm_list)?,
            list(config.num_exec_infos as usize, config.exec_info_list)?,
        )
    };
    let used = [
        (CL_MUTABLE_DISPATCH_GLOBAL_OFFSET_KHR, !config.global_work_offset.is_null()),
        (CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR, !config.global_work_size.is_null()),
        (CL_MUTABLE_DISPATCH_LOCAL_SIZE_KHR, !config.local_work_size.is_null()),
        (CL_MUTABLE_DISPATCH_ARGUMENTS_KHR, !(arguments.is_empty() && shared.is_empty())),
        (CL_MUTABLE_DISPATCH_EXEC_INFO_KHR, !information.is_empty()),
    ];
    let fields = used.iter().filter(|(_, is_used)| *is_used).fold(0, |fields, (field, _)| fields | field);
    let range = NewRange {
        dims: config.work_dim,
        offset: sizes(config.global_work_offset, 0),
        global: sizes(config.global_work_size, 1),
        local: sizes(config.local_work_size, 1),
    };
    Change::new(dispatch, buffer, pending, fields, range, |kernel| {
        // SAFETY: the caller keeps the rules of the functions that set these.
        unsafe { set(kernel, &arguments, &shared, &information) }
    })
}

/// Sets what a change gives to a kernel.
///
/// # Safety
/// As for `clSetKernelArg`, `clSetKernelArgSVMPointer` and `clSetKernelExecInfo`.
unsafe fn set(
    kernel: &Kernel,
    arguments: &[cl_mutable_dispatch_arg_khr],
    shared: &[cl_mutable_dispatch_arg_khr],
    information: &[cl_mutable_dispatch_exec_info_khr],
) -> Result<()> {
    // SAFETY: the caller's promise.
    unsafe {
        for argument in arguments {
            kernels::set_argument_of(kernel, argument.arg_index, argument.arg_size, argument.arg_value)?;
        }
        for argument in shared {
            shared::set_argument_of(kernel, argument.arg_index, argument.arg_value)?;
        }
        for value in information {
            shared::set_execution_of(kernel, value.param_name, value.param_value_size, value.param_value)?;
        }
    }
    Ok(())
}

/// `clGetMutableCommandInfoKHR`.
pub(super) fn info(command: cl_mutable_command_khr, name: cl_mutable_command_info_khr) -> Result<Value> {
    object::<Dispatch>(command)?.info(name)
}
