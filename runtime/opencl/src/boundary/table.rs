//! Lists every function of the API once. From this list are generated the exported functions, the dispatch table of
//! `cl_khr_icd`, and the look-up of functions by name.
//!
//! The first word of an entry selects the wrapper of its function: `status` returns a code; `create` a handle, and the
//! code through a last parameter; `query` has the three last parameters of `clGet…Info`; `enqueue` those of a wait list
//! and an event; `map` all of them; `record` the three first and the four last parameters of commands of command
//! buffers; `address` returns an address, and no code unless its function writes one. Words that start with `refuse`
//! are for functions of an optional feature that this driver does not have: the wrapper checks the first parameter and
//! returns `CL_INVALID_OPERATION`.

use super::arguments::{Events, object};
use super::call;
use super::callbacks::{ContextNotify, EventNotify, NativeKernel, Notify, SvmFree};
use super::recording::Record;
use super::{
    buffers, command_buffers, contexts, devices, events, extension_functions, gl, images, kernels, launches, maps,
    memories, mutable, programs, queues, recording, refused, samplers, semaphores, shared, unified, unified_svm,
};
use crate::command_buffer::CommandBuffer;
use crate::context::Context;
use crate::error::{Error, Result};
use crate::event::Event;
use crate::kernel::Kernel;
use crate::memory::Memory;
use crate::program::Program;
use crate::queue::Queue;
use crate::sampler::Sampler;
use crate::semaphore::Semaphore;
use opencl_sys::cl_egl::cl_egl_image_properties_khr;
use opencl_sys::cl_icd::cl_icd_dispatch;
use opencl_sys::*;
use std::ffi::{c_char, c_int, c_void};

/// One function. Every one is unsafe to call for the same reasons, which the API specification gives for each parameter:
/// pointers are null or lead to what is described there.
macro_rules! entry {
    (status $name:ident($($arg:ident: $ty:ty),*) = $body:path) => {
        // Some functions are safe.
        #[allow(unused_unsafe)]
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($($arg: $ty),*) -> cl_int {
            // SAFETY: the caller keeps the specification's rules.
            call::status(stringify!($name), || unsafe { $body($($arg),*) })
        }
    };
    (create $name:ident($($arg:ident: $ty:ty),*) = $body:path) => {
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($($arg: $ty,)* errcode_ret: *mut cl_int) -> *mut c_void {
            // SAFETY: the caller keeps the specification's rules.
            unsafe { call::create(stringify!($name), errcode_ret, || $body($($arg),*)) }
        }
    };
    (address $name:ident($($arg:ident: $ty:ty),*) = $body:path) => {
        #[allow(unused_unsafe)]
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($($arg: $ty),*) -> *mut c_void {
            // SAFETY: the caller keeps the specification's rules.
            call::address(stringify!($name), || unsafe { $body($($arg),*) })
        }
    };
    (query $name:ident($($arg:ident: $ty:ty),*) = $body:path) => {
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(
            $($arg: $ty,)* param_value_size: usize, param_value: *mut c_void, param_value_size_ret: *mut usize,
        ) -> cl_int {
            // SAFETY: the caller keeps the specification's rules.
            unsafe {
                call::query(stringify!($name), param_value_size, param_value, param_value_size_ret, || $body($($arg),*))
            }
        }
    };
    (enqueue $name:ident($($arg:ident: $ty:ty),*) = $body:path) => {
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(
            $($arg: $ty,)* num_events_in_wait_list: cl_uint, event_wait_list: *const cl_event, event: *mut cl_event,
        ) -> cl_int {
            let events = Events { count: num_events_in_wait_list, waits: event_wait_list, event };
            // SAFETY: the caller keeps the specification's rules.
            call::status(stringify!($name), || unsafe { $body($($arg,)* events) })
        }
    };
    (record $name:ident($($arg:ident: $ty:ty),*) = $body:path) => {
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(
            command_buffer: cl_command_buffer_khr, command_queue: cl_command_queue,
            properties: *const cl_command_properties_khr, $($arg: $ty,)* num_sync_points_in_wait_list: cl_uint,
            sync_point_wait_list: *const cl_sync_point_khr, sync_point: *mut cl_sync_point_khr,
            mutable_handle: *mut cl_mutable_command_khr,
        ) -> cl_int {
            let record = Record {
                buffer: command_buffer, queue: command_queue, properties, count: num_sync_points_in_wait_list,
                waits: sync_point_wait_list, sync_point, mutable_handle,
            };
            // SAFETY: the caller keeps the specification's rules.
            call::status(stringify!($name), || unsafe { $body($($arg,)* record) })
        }
    };
    (map $name:ident($($arg:ident: $ty:ty),*) = $body:path) => {
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(
            $($arg: $ty,)* num_events_in_wait_list: cl_uint, event_wait_list: *const cl_event, event: *mut cl_event,
            errcode_ret: *mut cl_int,
        ) -> *mut c_void {
            let events = Events { count: num_events_in_wait_list, waits: event_wait_list, event };
            // SAFETY: the caller keeps the specification's rules.
            unsafe { call::create(stringify!($name), errcode_ret, || $body($($arg,)* events)) }
        }
    };
    (ignore $name:ident($($arg:ident: $ty:ty),*) = $body:path) => {
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($($arg: $ty),*) {
            $body($($arg),*);
        }
    };
    (refuse_status $name:ident($first:ident: $first_ty:ty $(, $arg:ident: $ty:ty)*) = $kind:path, $what:literal) => {
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($first: $first_ty $(, $arg: $ty)*) -> cl_int {
            $(let _ = $arg;)*
            call::status(stringify!($name), || refuse::<$kind>($first, $what).map(|_| ()))
        }
    };
    (refuse_create $name:ident($first:ident: $first_ty:ty $(, $arg:ident: $ty:ty)*) = $kind:path, $what:literal) => {
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($first: $first_ty $(, $arg: $ty)*, errcode_ret: *mut cl_int) -> *mut c_void {
            $(let _ = $arg;)*
            // SAFETY: the caller keeps the specification's rules.
            unsafe { call::create(stringify!($name), errcode_ret, || refuse::<$kind>($first, $what)) }
        }
    };
}

/// The list: functions of OpenCL 3.1, which have a place in the dispatch table, and functions of extensions, which are found by
/// name.
macro_rules! functions {
    (
        core { $($kind:ident $name:ident($($arg:ident: $ty:ty),* $(,)?) = $body:path $(, $what:literal)?;)* }
        extensions { $($ext_kind:ident $ext_name:ident($($ext_arg:ident: $ext_ty:ty),* $(,)?) = $ext_body:path;)* }
    ) => {
        $(entry!($kind $name($($arg: $ty),*) = $body $(, $what)?);)*
        $(entry!($ext_kind $ext_name($($ext_arg: $ext_ty),*) = $ext_body);)*

        /// What every handle points to.
        pub(super) static DISPATCH: cl_icd_dispatch = cl_icd_dispatch { $($name: Some($name),)* ..NONE };

        /// The address of a function.
        pub(super) fn find(name: &str) -> Option<usize> {
            $(if name == stringify!($name) {
                return Some(($name as *const ()).expose_provenance());
            })*
            $(if name == stringify!($ext_name) {
                return Some(($ext_name as *const ()).expose_provenance());
            })*
            None
        }
    };
}

/// A table without functions.
// SAFETY: every field is an optional function pointer or an integer, of which zeros are valid values.
const NONE: cl_icd_dispatch = unsafe { std::mem::zeroed() };

/// The error of a function that needs an optional feature, or that its first parameter is wrong.
fn refuse<T: crate::handle::Kind>(handle: *mut c_void, what: &'static str) -> Result<usize> {
    object::<T>(handle)?;
    Err(Error::lacking(what))
}

functions! {
    core {
        // Platform and devices: sections 4.1 to 4.3.
        status clGetPlatformIDs(
            num_entries: cl_uint, platforms: *mut cl_platform_id, num_platforms: *mut cl_uint
        ) = devices::platforms;
        query clGetPlatformInfo(platform: cl_platform_id, param_name: cl_platform_info) = devices::platform_info;
        status clGetDeviceIDs(
            platform: cl_platform_id, device_type: cl_device_type, num_entries: cl_uint, devices: *mut cl_device_id,
            num_devices: *mut cl_uint
        ) = devices::devices;
        query clGetDeviceInfo(device: cl_device_id, param_name: cl_device_info) = devices::device_info;
        status clCreateSubDevices(
            in_device: cl_device_id, properties: *const cl_device_partition_property, num_devices: cl_uint, out_devices:
            *mut cl_device_id, num_devices_ret: *mut cl_uint
        ) = devices::sub_devices;
        status clRetainDevice(device: cl_device_id) = devices::retain;
        status clReleaseDevice(device: cl_device_id) = devices::release;
        status clGetDeviceAndHostTimer(
            device: cl_device_id, device_timestamp: *mut cl_ulong, host_timestamp: *mut cl_ulong
        ) = devices::device_and_host_timer;
        status clGetHostTimer(device: cl_device_id, host_timestamp: *mut cl_ulong) = devices::host_timer;
        address clGetExtensionFunctionAddress(func_name: *const c_char) = extension_functions::find;
        address clGetExtensionFunctionAddressForPlatform(
            platform: cl_platform_id, func_name: *const c_char
        ) = extension_functions::find_for_platform;
        // The same, of cl_ext_device_fission, which has places in the dispatch table.
        status clCreateSubDevicesEXT(
            in_device: cl_device_id, properties: *const cl_device_partition_property_ext, num_entries: cl_uint,
            out_devices: *mut cl_device_id, num_devices: *mut cl_uint
        ) = devices::sub_devices_of_extension;
        status clRetainDeviceEXT(device: cl_device_id) = devices::retain;
        status clReleaseDeviceEXT(device: cl_device_id) = devices::release;
        // Contexts: section 4.4.
        create clCreateContext(
            properties: *const cl_context_properties, num_devices: cl_uint, devices: *const cl_device_id, pfn_notify:
            ContextNotify, user_data: *mut c_void
        ) = contexts::create;
        create clCreateContextFromType(
            properties: *const cl_context_properties, device_type: cl_device_type, pfn_notify: ContextNotify, user_data:
            *mut c_void
        ) = contexts::create_from_type;
        status clRetainContext(context: cl_context) = call::retain::<Context>;
        status clReleaseContext(context: cl_context) = call::release::<Context>;
        query clGetContextInfo(context: cl_context, param_name: cl_context_info) = contexts::info;
        status clSetContextDestructorCallback(
            context: cl_context, pfn_notify: Notify, user_data: *mut c_void
        ) = contexts::on_destruction;
        // Command queues: section 5.1.
        create clCreateCommandQueueWithProperties(
            context: cl_context, device: cl_device_id, properties: *const cl_queue_properties
        ) = queues::create_with_properties;
        create clCreateCommandQueue(
            context: cl_context, device: cl_device_id, properties: cl_command_queue_properties
        ) = queues::create;
        status clSetDefaultDeviceCommandQueue(
            context: cl_context, device: cl_device_id, command_queue: cl_command_queue
        ) = queues::set_default;
        status clRetainCommandQueue(command_queue: cl_command_queue) = call::retain::<Queue>;
        status clReleaseCommandQueue(command_queue: cl_command_queue) = call::release::<Queue>;
        query clGetCommandQueueInfo(command_queue: cl_command_queue, param_name: cl_command_queue_info) = queues::info;
        status clSetCommandQueueProperty(
            command_queue: cl_command_queue, properties: cl_command_queue_properties, enable: cl_bool, old_properties:
            *mut cl_command_queue_properties
        ) = queues::set_property;
        status clFlush(command_queue: cl_command_queue) = queues::flush;
        status clFinish(command_queue: cl_command_queue) = queues::finish;
        // Memory objects: sections 5.2 to 5.6.
        create clCreateBuffer(
            context: cl_context, flags: cl_mem_flags, size: usize, host_ptr: *mut c_void
        ) = memories::buffer;
        create clCreateBufferWithProperties(
            context: cl_context, properties: *const cl_mem_properties, flags: cl_mem_flags, size: usize, host_ptr: *mut
            c_void
        ) = memories::buffer_with_properties;
        create clCreateSubBuffer(
            buffer: cl_mem, flags: cl_mem_flags, buffer_create_type: cl_buffer_create_type, buffer_create_info: *const
            c_void
        ) = memories::part;
        create clCreateImage(
            context: cl_context, flags: cl_mem_flags, image_format: *const cl_image_format, image_desc: *const
            cl_image_desc, host_ptr: *mut c_void
        ) = images::create;
        create clCreateImageWithProperties(
            context: cl_context, properties: *const cl_mem_properties, flags: cl_mem_flags, image_format: *const
            cl_image_format, image_desc: *const cl_image_desc, host_ptr: *mut c_void
        ) = images::create_with_properties;
        create clCreateImage2D(
            context: cl_context, flags: cl_mem_flags, image_format: *const cl_image_format, image_width: usize,
            image_height: usize, image_row_pitch: usize, host_ptr: *mut c_void
        ) = images::create_2d;
        create clCreateImage3D(
            context: cl_context, flags: cl_mem_flags, image_format: *const cl_image_format, image_width: usize,
            image_height: usize, image_depth: usize, image_row_pitch: usize, image_slice_pitch: usize, host_ptr: *mut
            c_void
        ) = images::create_3d;
        create clCreatePipe(
            context: cl_context, flags: cl_mem_flags, pipe_packet_size: cl_uint, pipe_max_packets: cl_uint, properties:
            *const cl_pipe_properties
        ) = memories::pipe;
        status clRetainMemObject(memobj: cl_mem) = call::retain::<Memory>;
        status clReleaseMemObject(memobj: cl_mem) = call::release::<Memory>;
        status clSetMemObjectDestructorCallback(
            memobj: cl_mem, pfn_notify: Notify, user_data: *mut c_void
        ) = memories::on_destruction;
        query clGetMemObjectInfo(memobj: cl_mem, param_name: cl_mem_info) = memories::info;
        query clGetImageInfo(image: cl_mem, param_name: cl_image_info) = images::info;
        query clGetPipeInfo(pipe: cl_mem, param_name: cl_pipe_info) = memories::pipe_info;
        status clGetSupportedImageFormats(
            context: cl_context, flags: cl_mem_flags, image_type: cl_mem_object_type, num_entries: cl_uint,
            image_formats: *mut cl_image_format, num_image_formats: *mut cl_uint
        ) = images::formats;
        // Shared virtual memory: section 5.6.
        address clSVMAlloc(
            context: cl_context, flags: cl_svm_mem_flags, size: usize, alignment: cl_uint
        ) = shared::allocate;
        ignore clSVMFree(context: cl_context, svm_pointer: *mut c_void) = shared::free;
        enqueue clEnqueueSVMFree(
            command_queue: cl_command_queue, num_svm_pointers: cl_uint, svm_pointers: *mut *mut c_void, pfn_free_func:
            SvmFree, user_data: *mut c_void
        ) = shared::enqueue_free;
        enqueue clEnqueueSVMMemcpy(
            command_queue: cl_command_queue, blocking_copy: cl_bool, dst_ptr: *mut c_void, src_ptr: *const c_void, size:
            usize
        ) = shared::copy;
        enqueue clEnqueueSVMMemFill(
            command_queue: cl_command_queue, svm_ptr: *mut c_void, pattern: *const c_void, pattern_size: usize, size:
            usize
        ) = shared::fill;
        enqueue clEnqueueSVMMap(
            command_queue: cl_command_queue, blocking_map: cl_bool, flags: cl_map_flags, svm_ptr: *mut c_void, size:
            usize
        ) = shared::map;
        enqueue clEnqueueSVMUnmap(
            command_queue: cl_command_queue, svm_ptr: *mut c_void
        ) = shared::unmap;
        enqueue clEnqueueSVMMigrateMem(
            command_queue: cl_command_queue, num_svm_pointers: cl_uint, svm_pointers: *mut *const c_void, sizes: *const
            usize, flags: cl_mem_migration_flags
        ) = shared::migrate;
        status clSetKernelArgSVMPointer(
            kernel: cl_kernel, arg_index: cl_uint, arg_value: *const c_void
        ) = shared::set_argument;
        // Samplers: section 5.7.
        create clCreateSampler(
            context: cl_context, normalized_coords: cl_bool, addressing_mode: cl_addressing_mode, filter_mode:
            cl_filter_mode
        ) = samplers::create;
        create clCreateSamplerWithProperties(
            context: cl_context, sampler_properties: *const cl_sampler_properties
        ) = samplers::create_with_properties;
        status clRetainSampler(sampler: cl_sampler) = call::retain::<Sampler>;
        status clReleaseSampler(sampler: cl_sampler) = call::release::<Sampler>;
        query clGetSamplerInfo(sampler: cl_sampler, param_name: cl_sampler_info) = samplers::info;
        // Programs: section 5.8.
        create clCreateProgramWithSource(
            context: cl_context, count: cl_uint, strings: *mut *const c_char, lengths: *const usize
        ) = programs::from_source;
        create clCreateProgramWithBinary(
            context: cl_context, num_devices: cl_uint, device_list: *const cl_device_id, lengths: *const usize,
            binaries: *mut *const u8, binary_status: *mut cl_int
        ) = programs::from_binary;
        create clCreateProgramWithBuiltInKernels(
            context: cl_context, num_devices: cl_uint, device_list: *const cl_device_id, kernel_names: *const c_char
        ) = refused::built_in_kernels;
        create clCreateProgramWithIL(
            context: cl_context, il: *const c_void, length: usize
        ) = programs::from_il;
        status clRetainProgram(program: cl_program) = call::retain::<Program>;
        status clReleaseProgram(program: cl_program) = call::release::<Program>;
        status clBuildProgram(
            program: cl_program, num_devices: cl_uint, device_list: *const cl_device_id, options: *const c_char,
            pfn_notify: Notify, user_data: *mut c_void
        ) = programs::build;
        status clCompileProgram(
            program: cl_program, num_devices: cl_uint, device_list: *const cl_device_id, options: *const c_char,
            num_input_headers: cl_uint, input_headers: *const cl_program, header_include_names: *mut *const c_char,
            pfn_notify: Notify, user_data: *mut c_void
        ) = programs::compile;
        address clLinkProgram(
            context: cl_context, num_devices: cl_uint, device_list: *const cl_device_id, options: *const c_char,
            num_input_programs: cl_uint, input_programs: *const cl_program, pfn_notify: Notify, user_data: *mut c_void, errcode_ret: *mut cl_int
        ) = programs::link;
        refuse_status clSetProgramReleaseCallback(
            program: cl_program, pfn_notify: Notify, user_data: *mut c_void
        ) = Program, "destructors of program-scope variables";
        status clSetProgramSpecializationConstant(
            program: cl_program, spec_id: cl_uint, spec_size: usize, spec_value: *const c_void
        ) = programs::set_specialization_constant;
        status clUnloadPlatformCompiler(platform: cl_platform_id) = devices::unload_compiler;
        status clUnloadCompiler() = devices::unload_any_compiler;
        status clGetProgramInfo(
            program: cl_program, param_name: cl_program_info, param_value_size: usize, param_value: *mut c_void,
            param_value_size_ret: *mut usize
        ) = programs::info;
        query clGetProgramBuildInfo(
            program: cl_program, device: cl_device_id, param_name: cl_program_build_info
        ) = programs::build_info;
        // Kernels: section 5.9.
        create clCreateKernel(program: cl_program, kernel_name: *const c_char) = kernels::create;
        status clCreateKernelsInProgram(
            program: cl_program, num_kernels: cl_uint, kernels: *mut cl_kernel, num_kernels_ret: *mut cl_uint
        ) = kernels::create_all;
        create clCloneKernel(source_kernel: cl_kernel) = kernels::copy;
        status clRetainKernel(kernel: cl_kernel) = call::retain::<Kernel>;
        status clReleaseKernel(kernel: cl_kernel) = call::release::<Kernel>;
        status clSetKernelArg(
            kernel: cl_kernel, arg_index: cl_uint, arg_size: usize, arg_value: *const c_void
        ) = kernels::set_argument;
        status clSetKernelExecInfo(
            kernel: cl_kernel, param_name: cl_kernel_exec_info, param_value_size: usize, param_value: *const c_void
        ) = shared::set_execution;
        query clGetKernelInfo(kernel: cl_kernel, param_name: cl_kernel_info) = kernels::info;
        query clGetKernelArgInfo(
            kernel: cl_kernel, arg_index: cl_uint, param_name: cl_kernel_arg_info
        ) = kernels::argument_info;
        query clGetKernelWorkGroupInfo(
            kernel: cl_kernel, device: cl_device_id, param_name: cl_kernel_work_group_info
        ) = kernels::work_group_info;
        status clGetKernelSubGroupInfo(
            kernel: cl_kernel, device: cl_device_id, param_name: cl_kernel_sub_group_info, input_value_size: usize,
            input_value: *const c_void, param_value_size: usize, param_value: *mut c_void,
            param_value_size_ret: *mut usize
        ) = kernels::sub_group_info;
        // Launches: section 5.10.
        enqueue clEnqueueNDRangeKernel(
            command_queue: cl_command_queue, kernel: cl_kernel, work_dim: cl_uint, global_work_offset: *const usize,
            global_work_size: *const usize, local_work_size: *const usize
        ) = launches::nd_range;
        status clGetKernelSuggestedLocalWorkSize(
            command_queue: cl_command_queue, kernel: cl_kernel, work_dim: cl_uint, global_work_offset: *const usize,
            global_work_size: *const usize, suggested_local_work_size: *mut usize
        ) = launches::suggested_local_size;
        enqueue clEnqueueTask(command_queue: cl_command_queue, kernel: cl_kernel) = launches::task;
        enqueue clEnqueueNativeKernel(
            command_queue: cl_command_queue, user_func: NativeKernel, args: *mut c_void, cb_args: usize,
            num_mem_objects: cl_uint, mem_list: *const cl_mem, args_mem_loc: *mut *const c_void
        ) = launches::native;
        // Events: sections 5.11 to 5.14.
        create clCreateUserEvent(context: cl_context) = events::create;
        status clSetUserEventStatus(event: cl_event, execution_status: cl_int) = events::set_status;
        status clWaitForEvents(num_events: cl_uint, event_list: *const cl_event) = events::wait;
        query clGetEventInfo(event: cl_event, param_name: cl_event_info) = events::info;
        status clSetEventCallback(
            event: cl_event, command_exec_callback_type: cl_int, pfn_notify: EventNotify, user_data: *mut c_void
        ) = events::on_status;
        status clRetainEvent(event: cl_event) = call::retain::<Event>;
        status clReleaseEvent(event: cl_event) = call::release::<Event>;
        query clGetEventProfilingInfo(event: cl_event, param_name: cl_profiling_info) = events::profiling;
        enqueue clEnqueueMarkerWithWaitList(command_queue: cl_command_queue) = queues::marker;
        enqueue clEnqueueBarrierWithWaitList(command_queue: cl_command_queue) = queues::barrier;
        status clEnqueueMarker(command_queue: cl_command_queue, event: *mut cl_event) = queues::old_marker;
        status clEnqueueBarrier(command_queue: cl_command_queue) = queues::old_barrier;
        status clEnqueueWaitForEvents(
            command_queue: cl_command_queue, num_events: cl_uint, event_list: *const cl_event
        ) = queues::old_wait;
        // Transfers: sections 5.2.2 to 5.2.5, 5.3.3 to 5.3.6, 5.5.
        enqueue clEnqueueReadBuffer(
            command_queue: cl_command_queue, buffer: cl_mem, blocking_read: cl_bool, offset: usize, size: usize, ptr:
            *mut c_void
        ) = buffers::read;
        enqueue clEnqueueReadBufferRect(
            command_queue: cl_command_queue, buffer: cl_mem, blocking_read: cl_bool, buffer_origin: *const usize,
            host_origin: *const usize, region: *const usize, buffer_row_pitch: usize, buffer_slice_pitch: usize,
            host_row_pitch: usize, host_slice_pitch: usize, ptr: *mut c_void
        ) = buffers::read_rect;
        enqueue clEnqueueWriteBuffer(
            command_queue: cl_command_queue, buffer: cl_mem, blocking_write: cl_bool, offset: usize, size: usize, ptr:
            *const c_void
        ) = buffers::write;
        enqueue clEnqueueWriteBufferRect(
            command_queue: cl_command_queue, buffer: cl_mem, blocking_write: cl_bool, buffer_origin: *const usize,
            host_origin: *const usize, region: *const usize, buffer_row_pitch: usize, buffer_slice_pitch: usize,
            host_row_pitch: usize, host_slice_pitch: usize, ptr: *const c_void
        ) = buffers::write_rect;
        enqueue clEnqueueFillBuffer(
            command_queue: cl_command_queue, buffer: cl_mem, pattern: *const c_void, pattern_size: usize, offset: usize,
            size: usize
        ) = buffers::fill;
        enqueue clEnqueueCopyBuffer(
            command_queue: cl_command_queue, src_buffer: cl_mem, dst_buffer: cl_mem, src_offset: usize, dst_offset:
            usize, size: usize
        ) = buffers::copy;
        enqueue clEnqueueCopyBufferRect(
            command_queue: cl_command_queue, src_buffer: cl_mem, dst_buffer: cl_mem, src_origin: *const usize,
            dst_origin: *const usize, region: *const usize, src_row_pitch: usize, src_slice_pitch: usize, dst_row_pitch:
            usize, dst_slice_pitch: usize
        ) = buffers::copy_rect;
        enqueue clEnqueueReadImage(
            command_queue: cl_command_queue, image: cl_mem, blocking_read: cl_bool, origin: *const usize, region: *const
            usize, row_pitch: usize, slice_pitch: usize, ptr: *mut c_void
        ) = images::read;
        enqueue clEnqueueWriteImage(
            command_queue: cl_command_queue, image: cl_mem, blocking_write: cl_bool, origin: *const usize, region:
            *const usize, input_row_pitch: usize, input_slice_pitch: usize, ptr: *const c_void
        ) = images::write;
        enqueue clEnqueueFillImage(
            command_queue: cl_command_queue, image: cl_mem, fill_color: *const c_void, origin: *const usize, region:
            *const usize
        ) = images::fill;
        enqueue clEnqueueCopyImage(
            command_queue: cl_command_queue, src_image: cl_mem, dst_image: cl_mem, src_origin: *const usize, dst_origin:
            *const usize, region: *const usize
        ) = images::copy;
        enqueue clEnqueueCopyImageToBuffer(
            command_queue: cl_command_queue, src_image: cl_mem, dst_buffer: cl_mem, src_origin: *const usize, region:
            *const usize, dst_offset: usize
        ) = images::copy_to_buffer;
        enqueue clEnqueueCopyBufferToImage(
            command_queue: cl_command_queue, src_buffer: cl_mem, dst_image: cl_mem, src_offset: usize, dst_origin:
            *const usize, region: *const usize
        ) = images::copy_from_buffer;
        map clEnqueueMapBuffer(
            command_queue: cl_command_queue, buffer: cl_mem, blocking_map: cl_bool, map_flags: cl_map_flags, offset:
            usize, size: usize
        ) = maps::buffer;
        map clEnqueueMapImage(
            command_queue: cl_command_queue, image: cl_mem, blocking_map: cl_bool, map_flags: cl_map_flags, origin:
            *const usize, region: *const usize, image_row_pitch: *mut usize, image_slice_pitch: *mut usize
        ) = maps::image;
        enqueue clEnqueueUnmapMemObject(
            command_queue: cl_command_queue, memobj: cl_mem, mapped_ptr: *mut c_void
        ) = maps::unmap;
        enqueue clEnqueueMigrateMemObjects(
            command_queue: cl_command_queue, num_mem_objects: cl_uint, mem_objects: *const cl_mem, flags:
            cl_mem_migration_flags
        ) = buffers::migrate;
        // cl_khr_gl_sharing, cl_khr_gl_event, cl_khr_egl_image.
        query clGetGLContextInfoKHR(
            properties: *const cl_context_properties, param_name: cl_gl_context_info
        ) = gl::context_info;
        create clCreateFromGLBuffer(context: cl_context, flags: cl_mem_flags, bufobj: cl_GLuint) = gl::buffer;
        create clCreateFromGLTexture(
            context: cl_context, flags: cl_mem_flags, target: cl_GLenum, miplevel: cl_GLint, texture: cl_GLuint
        ) = gl::texture;
        create clCreateFromGLTexture2D(
            context: cl_context, flags: cl_mem_flags, target: cl_GLenum, miplevel: cl_GLint, texture: cl_GLuint
        ) = gl::texture_2d;
        create clCreateFromGLTexture3D(
            context: cl_context, flags: cl_mem_flags, target: cl_GLenum, miplevel: cl_GLint, texture: cl_GLuint
        ) = gl::texture_3d;
        create clCreateFromGLRenderbuffer(
            context: cl_context, flags: cl_mem_flags, renderbuffer: cl_GLuint
        ) = gl::renderbuffer;
        status clGetGLObjectInfo(
            memobj: cl_mem, gl_object_type: *mut cl_gl_object_type, gl_object_name: *mut cl_GLuint
        ) = gl::object_info;
        query clGetGLTextureInfo(memobj: cl_mem, param_name: cl_gl_texture_info) = gl::texture_info;
        enqueue clEnqueueAcquireGLObjects(
            command_queue: cl_command_queue, num_objects: cl_uint, mem_objects: *const cl_mem
        ) = gl::acquire;
        enqueue clEnqueueReleaseGLObjects(
            command_queue: cl_command_queue, num_objects: cl_uint, mem_objects: *const cl_mem
        ) = gl::release;
        create clCreateEventFromGLsyncKHR(context: cl_context, sync: cl_GLsync) = gl::event_of_fence;
        create clCreateFromEGLImageKHR(
            context: cl_context, display: *mut c_void, image: *mut c_void, flags: cl_mem_flags, properties: *const
            cl_egl_image_properties_khr
        ) = gl::egl_image;
        enqueue clEnqueueAcquireEGLObjectsKHR(
            command_queue: cl_command_queue, num_objects: cl_uint, mem_objects: *const cl_mem
        ) = gl::acquire_images;
        enqueue clEnqueueReleaseEGLObjectsKHR(
            command_queue: cl_command_queue, num_objects: cl_uint, mem_objects: *const cl_mem
        ) = gl::release_images;
    }
    extensions {
        status clIcdGetPlatformIDsKHR(
            num_entries: cl_uint, platforms: *mut cl_platform_id, num_platforms: *mut cl_uint
        ) = devices::platforms;
        create clCreateCommandQueueWithPropertiesKHR(
            context: cl_context, device: cl_device_id, properties: *const cl_queue_properties
        ) = queues::create_with_properties;
        create clCreateProgramWithILKHR(
            context: cl_context, il: *const c_void, length: usize
        ) = programs::from_il;
        status clGetKernelSuggestedLocalWorkSizeKHR(
            command_queue: cl_command_queue, kernel: cl_kernel, work_dim: cl_uint, global_work_offset: *const usize,
            global_work_size: *const usize, suggested_local_work_size: *mut usize
        ) = launches::suggested_local_size;
        // cl_ext_migrate_memobject, cl_ext_buffer_device_address.
        enqueue clEnqueueMigrateMemObjectEXT(
            command_queue: cl_command_queue, num_mem_objects: cl_uint, mem_objects: *const cl_mem, flags:
            cl_mem_migration_flags
        ) = buffers::migrate_ext;
        status clSetKernelArgDevicePointerEXT(
            kernel: cl_kernel, arg_index: cl_uint, arg_value: cl_mem_device_address_ext
        ) = shared::set_address;
        // cl_ext_image_requirements_info.
        query clGetImageRequirementsInfoEXT(
            context: cl_context, properties: *const cl_mem_properties, flags: cl_mem_flags, image_format: *const
            cl_image_format, image_desc: *const cl_image_desc, param_name: cl_image_requirements_info_ext
        ) = images::requirements;
        status clGetDeviceCooperativeMatrixInfoKHR(
            device: cl_device_id, param_name: cl_uint, input_value_size: usize, input_value: *const c_void,
            param_value_size: usize, param_value: *mut c_void, param_value_size_ret: *mut usize
        ) = devices::matrix_info;
        // cl_intel_create_buffer_with_properties, cl_intel_unified_shared_memory.
        create clCreateBufferWithPropertiesINTEL(
            context: cl_context, properties: *const cl_mem_properties_intel, flags: cl_mem_flags, size: usize, host_ptr:
            *mut c_void
        ) = memories::buffer_with_properties;
        create clHostMemAllocINTEL(
            context: cl_context, properties: *const cl_mem_properties_intel, size: usize, alignment: cl_uint
        ) = unified::allocate_host;
        create clDeviceMemAllocINTEL(
            context: cl_context, device: cl_device_id, properties: *const cl_mem_properties_intel, size: usize, alignment:
            cl_uint
        ) = unified::allocate_device;
        create clSharedMemAllocINTEL(
            context: cl_context, device: cl_device_id, properties: *const cl_mem_properties_intel, size: usize, alignment:
            cl_uint
        ) = unified::allocate_shared;
        status clMemFreeINTEL(context: cl_context, ptr: *mut c_void) = unified::free;
        status clMemBlockingFreeINTEL(context: cl_context, ptr: *mut c_void) = unified::free_when_unused;
        status clGetMemAllocInfoINTEL(
            context: cl_context, ptr: *const c_void, param_name: cl_mem_info_intel, param_value_size: usize, param_value:
            *mut c_void, param_value_size_ret: *mut usize
        ) = unified::info;
        status clSetKernelArgMemPointerINTEL(
            kernel: cl_kernel, arg_index: cl_uint, arg_value: *const c_void
        ) = unified::set_argument;
        enqueue clEnqueueMemFillINTEL(
            command_queue: cl_command_queue, dst_ptr: *mut c_void, pattern: *const c_void, pattern_size: usize, size: usize
        ) = unified::fill;
        enqueue clEnqueueMemcpyINTEL(
            command_queue: cl_command_queue, blocking: cl_bool, dst_ptr: *mut c_void, src_ptr: *const c_void, size: usize
        ) = unified::copy;
        enqueue clEnqueueMigrateMemINTEL(
            command_queue: cl_command_queue, ptr: *const c_void, size: usize, flags: cl_mem_migration_flags
        ) = unified::migrate;
        enqueue clEnqueueMemAdviseINTEL(
            command_queue: cl_command_queue, ptr: *const c_void, size: usize, advice: cl_mem_advice_intel
        ) = unified::advise;
        // cl_khr_unified_svm.
        create clSVMAllocWithPropertiesKHR(
            context: cl_context, properties: *const cl_svm_alloc_properties_khr, svm_type_index: cl_uint, size: usize
        ) = unified_svm::allocate_typed;
        status clSVMFreeWithPropertiesKHR(
            context: cl_context, properties: *const cl_svm_free_properties_khr, flags: cl_svm_free_flags_khr,
            ptr: *mut c_void
        ) = unified_svm::free;
        query clGetSVMPointerInfoKHR(
            context: cl_context, device: cl_device_id, ptr: *const c_void, param_name: cl_svm_pointer_info_khr
        ) = unified_svm::info;
        status clGetSVMSuggestedTypeIndexKHR(
            context: cl_context, required_capabilities: cl_svm_capabilities_khr,
            desired_capabilities: cl_svm_capabilities_khr, properties: *const cl_svm_alloc_properties_khr, size: usize,
            suggested_svm_type_index: *mut cl_uint
        ) = unified_svm::suggest;
        // cl_khr_semaphore.
        create clCreateSemaphoreWithPropertiesKHR(
            context: cl_context, sema_props: *const cl_semaphore_properties_khr
        ) = semaphores::create;
        enqueue clEnqueueWaitSemaphoresKHR(
            command_queue: cl_command_queue, num_sema_objects: cl_uint, sema_objects: *const cl_semaphore_khr,
            sema_payload_list: *const cl_semaphore_payload_khr
        ) = semaphores::wait;
        enqueue clEnqueueSignalSemaphoresKHR(
            command_queue: cl_command_queue, num_sema_objects: cl_uint, sema_objects: *const cl_semaphore_khr,
            sema_payload_list: *const cl_semaphore_payload_khr
        ) = semaphores::signal;
        query clGetSemaphoreInfoKHR(
            sema_object: cl_semaphore_khr, param_name: cl_semaphore_info_khr
        ) = semaphores::info;
        status clRetainSemaphoreKHR(sema_object: cl_semaphore_khr) = call::retain::<Semaphore>;
        status clGetSemaphoreHandleForTypeKHR(
            sema_object: cl_semaphore_khr, device: cl_device_id, handle_type: cl_external_semaphore_handle_type_khr,
            handle_size: usize, handle_ptr: *mut c_void, handle_size_ret: *mut usize
        ) = semaphores::handle_for_type;
        status clReImportSemaphoreSyncFdKHR(
            sema_object: cl_semaphore_khr, reimport_props: *const cl_semaphore_reimport_properties_khr, fd: c_int
        ) = semaphores::import_again;
        status clReleaseSemaphoreKHR(sema_object: cl_semaphore_khr) = call::release::<Semaphore>;
        // cl_khr_external_memory.
        enqueue clEnqueueAcquireExternalMemObjectsKHR(
            command_queue: cl_command_queue, num_mem_objects: cl_uint, mem_objects: *const cl_mem
        ) = memories::acquire;
        enqueue clEnqueueReleaseExternalMemObjectsKHR(
            command_queue: cl_command_queue, num_mem_objects: cl_uint, mem_objects: *const cl_mem
        ) = memories::give_back;
        // cl_khr_command_buffer.
        create clCreateCommandBufferKHR(
            num_queues: cl_uint, queues: *const cl_command_queue, properties: *const cl_command_buffer_properties_khr
        ) = command_buffers::create;
        status clFinalizeCommandBufferKHR(command_buffer: cl_command_buffer_khr) = command_buffers::finalize;
        enqueue clEnqueueCommandBufferKHR(
            num_queues: cl_uint, queues: *mut cl_command_queue, command_buffer: cl_command_buffer_khr
        ) = command_buffers::enqueue;
        query clGetCommandBufferInfoKHR(
            command_buffer: cl_command_buffer_khr, param_name: cl_command_buffer_info_khr
        ) = command_buffers::info;
        // cl_khr_command_buffer_multi_device.
        create clRemapCommandBufferKHR(
            command_buffer: cl_command_buffer_khr, automatic: cl_bool, num_queues: cl_uint, queues: *mut
            cl_command_queue, num_handles: cl_uint, handles: *const cl_mutable_command_khr, handles_ret: *mut
            cl_mutable_command_khr
        ) = command_buffers::remap;
        // cl_pocl_content_size.
        status clSetContentSizeBufferPoCL(buffer: cl_mem, content_size_buffer: cl_mem) = memories::set_content_size;
        // cl_khr_command_buffer_mutable_dispatch.
        status clUpdateMutableCommandsKHR(
            command_buffer: cl_command_buffer_khr, num_configs: cl_uint,
            config_types: *const cl_command_buffer_update_type_khr, configs: *const *const c_void
        ) = mutable::update;
        query clGetMutableCommandInfoKHR(
            command: cl_mutable_command_khr, param_name: cl_mutable_command_info_khr
        ) = mutable::info;
        // cl_khr_command_buffer.
        status clRetainCommandBufferKHR(command_buffer: cl_command_buffer_khr) = call::retain::<CommandBuffer>;
        status clReleaseCommandBufferKHR(command_buffer: cl_command_buffer_khr) = call::release::<CommandBuffer>;
        record clCommandBarrierWithWaitListKHR() = recording::barrier;
        record clCommandCopyBufferKHR(
            src_buffer: cl_mem, dst_buffer: cl_mem, src_offset: usize, dst_offset: usize, size: usize
        ) = recording::copy_buffer;
        record clCommandCopyBufferRectKHR(
            src_buffer: cl_mem, dst_buffer: cl_mem, src_origin: *const usize, dst_origin: *const usize, region: *const
            usize, src_row_pitch: usize, src_slice_pitch: usize, dst_row_pitch: usize, dst_slice_pitch: usize
        ) = recording::copy_rect;
        record clCommandCopyBufferToImageKHR(
            src_buffer: cl_mem, dst_image: cl_mem, src_offset: usize, dst_origin: *const usize, region: *const usize
        ) = recording::copy_buffer_to_image;
        record clCommandCopyImageKHR(
            src_image: cl_mem, dst_image: cl_mem, src_origin: *const usize, dst_origin: *const usize, region: *const
            usize
        ) = recording::copy_image;
        record clCommandCopyImageToBufferKHR(
            src_image: cl_mem, dst_buffer: cl_mem, src_origin: *const usize, region: *const usize, dst_offset: usize
        ) = recording::copy_image_to_buffer;
        record clCommandFillBufferKHR(
            buffer: cl_mem, pattern: *const c_void, pattern_size: usize, offset: usize, size: usize
        ) = recording::fill_buffer;
        record clCommandFillImageKHR(
            image: cl_mem, fill_color: *const c_void, origin: *const usize, region: *const usize
        ) = recording::fill_image;
        record clCommandNDRangeKernelKHR(
            kernel: cl_kernel, work_dim: cl_uint, global_work_offset: *const usize, global_work_size: *const usize,
            local_work_size: *const usize
        ) = recording::nd_range;
        record clCommandSVMMemcpyKHR(
            dst_ptr: *mut c_void, src_ptr: *const c_void, size: usize
        ) = recording::copy_shared;
        record clCommandSVMMemFillKHR(
            svm_ptr: *mut c_void, pattern: *const c_void, pattern_size: usize, size: usize
        ) = recording::fill_shared;
    }
}
