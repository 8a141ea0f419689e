//! Programs (section 5.8).

use super::arguments::{UserData, bytes, exposed, list, object, objects, put, text, write_bytes};
use super::callbacks::Notify;
use crate::context::Context;
use crate::device::Device;
use crate::error::{Error, Result, ensure};
use crate::handle::Ref;
use crate::info::{Info, Value};
use crate::program::{self, BuildInfo, Finished, Headers, Program};
use opencl_sys::*;
use std::ffi::{c_char, c_void};

/// `clCreateProgramWithSource`.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn from_source(
    context: cl_context,
    count: cl_uint,
    strings: *mut *const c_char,
    lengths: *const usize,
) -> Result<usize> {
    let context = object::<Context>(context)?;
    ensure(count > 0 && !strings.is_null(), CL_INVALID_VALUE, "a program without source")?;
    let mut source = Vec::new();
    // SAFETY: the caller keeps the specification's rules: a length of zero, or none, means that a zero ends the string.
    for (at, string) in unsafe { list(count as usize, strings.cast_const()) }?.into_iter().enumerate() {
        ensure(!string.is_null(), CL_INVALID_VALUE, "a string of the source is null")?;
        // SAFETY: as above.
        unsafe {
            match if lengths.is_null() { 0 } else { lengths.add(at).read_unaligned() } {
                0 => source.extend_from_slice(std::ffi::CStr::from_ptr(string).to_bytes()),
                length => source.extend_from_slice(bytes(string.cast(), length)?),
            }
        }
    }
    // Some clients count the zero at the end.
    while source.last() == Some(&0) {
        source.pop();
    }
    Ok(Program::from_source(&context, &String::from_utf8_lossy(&source)).expose())
}

/// `clCreateProgramWithIL`.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn from_il(context: cl_context, il: *const c_void, length: usize) -> Result<usize> {
    let context = object::<Context>(context)?;
    ensure(!il.is_null() && length > 0, CL_INVALID_VALUE, "a program without intermediate language")?;
    // SAFETY: the caller keeps the specification's rules: there are so many bytes.
    exposed(Program::from_il(&context, unsafe { bytes(il, length) }?))
}

/// `clSetProgramSpecializationConstant`.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn set_specialization_constant(
    program: cl_program,
    number: cl_uint,
    size: usize,
    value: *const c_void,
) -> Result<()> {
    let program = object::<Program>(program)?;
    let il = program.il().ok_or_else(|| Error::new(CL_INVALID_PROGRAM, "the program has no intermediate language"))?;
    ensure(!value.is_null(), CL_INVALID_VALUE, "a constant without a value")?;
    ensure(size == il.constant_size(number)?, CL_INVALID_VALUE, "a value of another size than the constant")?;
    // SAFETY: the caller keeps the specification's rules: the value has the size of the constant.
    il.set_constant(number, unsafe { bytes(value, size) }?)
}

/// `clCreateProgramWithBinary`.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn from_binary(
    context: cl_context,
    count: cl_uint,
    devices: *const cl_device_id,
    lengths: *const usize,
    binaries: *mut *const u8,
    status: *mut cl_int,
) -> Result<usize> {
    let context = object::<Context>(context)?;
    let given = count > 0 && !devices.is_null() && !lengths.is_null() && !binaries.is_null();
    ensure(given, CL_INVALID_VALUE, "no devices, or no binaries")?;
    // SAFETY: the caller keeps the specification's rules.
    let (devices, lengths, binaries) = unsafe {
        let devices: Vec<Ref<Device>> = objects(count, devices)?;
        (devices, list(count as usize, lengths)?, list(count as usize, binaries.cast_const())?)
    };
    let devices = context.devices_or_all(devices)?;
    // A program has one binary for each device.
    ensure(devices.len() == count as usize, CL_INVALID_DEVICE, "a device twice")?;
    let is_empty =
        |at: &usize| lengths.get(*at) == Some(&0) || binaries.get(*at).is_some_and(|binary| binary.is_null());
    let empty: Vec<usize> = (0..devices.len()).filter(is_empty).collect();
    for at in empty.iter().filter(|_| !status.is_null()) {
        // SAFETY: the caller keeps the specification's rules: there is a status for each device.
        unsafe { put(status.add(*at), CL_INVALID_VALUE) };
    }
    ensure(empty.is_empty(), CL_INVALID_VALUE, "a binary without bytes")?;
    // SAFETY: as above.
    let read = |(length, binary): (usize, *const u8)| unsafe { bytes(binary.cast(), length) };
    let binaries = lengths.into_iter().zip(binaries).map(read).collect::<Result<Vec<_>>>()?;
    let pairs = devices.into_iter().zip(binaries).collect();
    let (program, states) = Program::from_binaries(&context, pairs);
    for (at, state) in states.iter().enumerate().filter(|_| !status.is_null()) {
        // SAFETY: as above: there is a status for each device.
        unsafe { put(status.add(at), state.as_ref().map_or_else(|error| error.code, |()| CL_SUCCESS)) };
    }
    exposed(program)
}

/// What calls the client's function at the end of a build.
fn finished(notify: Notify, data: *mut c_void) -> Finished {
    let data = UserData::new(data);
    Box::new(move |program| {
        if let Some(notify) = notify {
            // SAFETY: the client gives the function to be called with its data.
            unsafe { notify(UserData(program.handle()).pointer(), data.pointer()) };
        }
    })
}

fn check_notify(notify: Notify, data: *mut c_void) -> Result<()> {
    ensure(notify.is_some() || data.is_null(), CL_INVALID_VALUE, "data without a callback")
}

/// `clBuildProgram`. A build with a callback is done in the background.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn build(
    handle: cl_program,
    count: cl_uint,
    devices: *const cl_device_id,
    options: *const c_char,
    notify: Notify,
    data: *mut c_void,
) -> Result<()> {
    let program = object::<Program>(handle)?;
    check_notify(notify, data)?;
    // SAFETY: the caller keeps the specification's rules.
    let (devices, options) = unsafe { (objects(count, devices)?, text(options)) };
    program.build(devices, &options, notify.is_some(), finished(notify, data))
}

/// `clCompileProgram`.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn compile(
    handle: cl_program,
    count: cl_uint,
    devices: *const cl_device_id,
    options: *const c_char,
    header_count: cl_uint,
    headers: *const cl_program,
    names: *mut *const c_char,
    notify: Notify,
    data: *mut c_void,
) -> Result<()> {
    let program = object::<Program>(handle)?;
    check_notify(notify, data)?;
    // SAFETY: the caller keeps the specification's rules.
    let (devices, options, headers, names) = unsafe {
        let headers: Vec<Ref<Program>> = objects(header_count, headers)?;
        (objects(count, devices)?, text(options), headers, list(header_count as usize, names.cast_const())?)
    };
    let header = |(header, name): (Ref<Program>, *const c_char)| {
        let same = header.context().handle() == program.context().handle();
        ensure(same, CL_INVALID_CONTEXT, "a header of another context")?;
        let source = header.source().ok_or_else(|| Error::new(CL_INVALID_OPERATION, "a header has no source"))?;
        // SAFETY: as above.
        Ok((unsafe { text(name) }, source.clone()))
    };
    let headers = headers.into_iter().zip(names).map(header).collect::<Result<_>>()?;
    program.compile(devices, &options, Headers::new(headers), notify.is_some(), finished(notify, data))
}

/// `clLinkProgram`. Where linking fails the client gets a program with the log, and the code; with a callback it is done in the
/// background.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn link(
    context: cl_context,
    count: cl_uint,
    devices: *const cl_device_id,
    options: *const c_char,
    input_count: cl_uint,
    inputs: *const cl_program,
    notify: Notify,
    data: *mut c_void,
    code: *mut cl_int,
) -> Result<usize> {
    let link = || {
        let context = object::<Context>(context)?;
        check_notify(notify, data)?;
        // SAFETY: the caller keeps the specification's rules.
        let (devices, options, inputs) =
            unsafe { (objects(count, devices)?, text(options), objects::<Program>(input_count, inputs)?) };
        program::link(&context, devices, &options, &inputs)
    };
    let (program, task) = match link() {
        Ok(linking) => linking,
        Err(error) => {
            // SAFETY: as above.
            unsafe { put(code, error.code) };
            return Err(error);
        }
    };
    // The program is the client's before its function is called with it.
    let handle = program.expose();
    let in_background = notify.is_some();
    program::run(&program, in_background, task, finished(notify, data));
    let failed = !in_background && program.has_failed();
    // SAFETY: as above.
    unsafe { put(code, if failed { CL_LINK_PROGRAM_FAILURE } else { CL_SUCCESS }) };
    Ok(handle)
}

/// `clGetProgramInfo`. The value of `CL_PROGRAM_BINARIES` is a list of places that the client has chosen.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn info(
    program: cl_program,
    name: cl_program_info,
    size: usize,
    place: *mut c_void,
    size_needed: *mut usize,
) -> Result<()> {
    let program = object::<Program>(program)?;
    if name != CL_PROGRAM_BINARIES {
        // SAFETY: the caller keeps the specification's rules.
        return unsafe { write_bytes(program.info(name)?.bytes(), size, place, size_needed) };
    }
    let binaries = program.binaries();
    let room = binaries.len() * size_of::<*mut u8>();
    ensure(place.is_null() || size >= room, CL_INVALID_VALUE, "no room for the binaries")?;
    for (at, binary) in binaries.iter().enumerate().filter(|_| !place.is_null()) {
        // SAFETY: as above: each place is null, or has as many bytes as `CL_PROGRAM_BINARY_SIZES` says.
        unsafe {
            let to = place.cast::<*mut u8>().add(at).read_unaligned();
            if !to.is_null() {
                to.copy_from_nonoverlapping(binary.as_ptr(), binary.len());
            }
        }
    }
    // SAFETY: as above.
    unsafe { put(size_needed, room) };
    Ok(())
}

/// `clGetProgramBuildInfo`.
pub(super) fn build_info(program: cl_program, device: cl_device_id, name: cl_program_build_info) -> Result<Value> {
    let (program, device) = (object::<Program>(program)?, object::<Device>(device)?);
    BuildInfo(program.build_for(&device)?).info(name)
}
