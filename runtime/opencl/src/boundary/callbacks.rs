//! Types of the functions that a client gives to be called.

use opencl_sys::*;
use std::ffi::{c_char, c_void};

/// `pfn_notify` of functions that call it with an object.
pub(super) type Notify = Option<unsafe extern "C" fn(*mut c_void, *mut c_void)>;
/// `pfn_notify` of contexts.
pub(super) type ContextNotify = Option<unsafe extern "C" fn(*const c_char, *const c_void, usize, *mut c_void)>;
/// `pfn_notify` of events.
pub(super) type EventNotify = Option<unsafe extern "C" fn(cl_event, cl_int, *mut c_void)>;
/// `user_func` of native kernels.
pub(super) type NativeKernel = Option<unsafe extern "C" fn(*mut c_void)>;
/// `pfn_free_func` of `clEnqueueSVMFree`.
pub(super) type SvmFree = Option<unsafe extern "C" fn(cl_command_queue, cl_uint, *mut *mut c_void, *mut c_void)>;
