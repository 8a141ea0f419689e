//! The functions of the library. Their comments are those of the header, so that they state for C what callers promise:
//! pointers are NULL, or lead to what the comment says.
#![allow(clippy::missing_safety_doc)]

use crate::pointers::{array, string, units};
use crate::result::{CompilerResult, Failure, Made};
use crate::types::{Diagnostic, Status};
use clforge_compiler::{Options, Source, Target, build_options};
use std::ffi::{CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::null;

/// The version of the library, such as "0.1.0". The string is static.
#[unsafe(no_mangle)]
pub extern "C" fn clforge_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

/// Compiles OpenCL C to a SPIR-V module.
///
/// `name` is the name of the source in diagnostics; files that it includes by #include "..." are searched beside it.
/// `text` has `length` bytes and need not end with a zero.
/// `target` is "vulkan1.1" to "vulkan1.4", or "opencl1.2" to "opencl3.1".
/// `options` are build options as for clBuildProgram and clang, such as "-cl-std=CL3.0 -DN=4 -I include"; "" for none.
///
/// `*result` is set whatever the status is, and belongs to the caller, who frees it by clforge_result_free(). The other
/// arguments are not kept.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn clforge_compile(
    name: *const c_char,
    text: *const c_char,
    length: usize,
    target: *const c_char,
    options: *const c_char,
    result: *mut *mut CompilerResult,
) -> Status {
    let run = || {
        // SAFETY: the caller's pointers are as the comment of the header demands.
        let (source, options) = unsafe { (source(name, text, length), read_options(target, options)) };
        let source = source.map_err(Failure::Argument)?;
        Ok(Made::Module(clforge_compiler::compile(source, &options?)?))
    };
    // SAFETY: as above.
    unsafe { give(result, run) }
}

/// Compiles OpenCL C to a unit, which clforge_link() links to others that define what it declares.
///
/// Arguments and ownership are those of clforge_compile(). The result has a unit and no words.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn clforge_compile_unit(
    name: *const c_char,
    text: *const c_char,
    length: usize,
    target: *const c_char,
    options: *const c_char,
    result: *mut *mut CompilerResult,
) -> Status {
    let run = || {
        // SAFETY: the caller's pointers are as the comment of the header demands.
        let (source, options) = unsafe { (source(name, text, length), read_options(target, options)) };
        let source = source.map_err(Failure::Argument)?;
        Ok(Made::Unit(clforge_compiler::compile_unit(source, &options?)?))
    };
    // SAFETY: as above.
    unsafe { give(result, run) }
}

/// Reads a SPIR-V module for OpenCL, of any compiler, as a unit for clforge_link().
///
/// `words` has `word_count` words in this machine's byte order. `target` and `options` are those of clforge_compile().
///
/// `*result` is set whatever the status is, and belongs to the caller, who frees it by clforge_result_free(). The other
/// arguments are not kept.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn clforge_read_unit(
    words: *const u32,
    word_count: usize,
    target: *const c_char,
    options: *const c_char,
    result: *mut *mut CompilerResult,
) -> Status {
    let run = || {
        // SAFETY: the caller's pointers are as the comment of the header demands.
        let (words, options) = unsafe { (array(words, word_count, "words"), read_options(target, options)) };
        Ok(Made::SpirvUnit(clforge_compiler::spirv_unit(words.map_err(Failure::Argument)?, &options?)?))
    };
    // SAFETY: as above.
    unsafe { give(result, run) }
}

/// Links units to a SPIR-V module of their kernels.
///
/// `units` has `unit_count` results of clforge_compile_unit() and clforge_read_unit(), which stay the caller's and may be
/// linked again. `target` must be of the family, Vulkan or OpenCL, that they were compiled for. `options` are the options of
/// clLinkProgram; "" for none.
///
/// `*result` is set whatever the status is, and belongs to the caller, who frees it by clforge_result_free(). It does not
/// refer to the units.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn clforge_link(
    units: *const *const CompilerResult,
    unit_count: usize,
    target: *const c_char,
    options: *const c_char,
    result: *mut *mut CompilerResult,
) -> Status {
    let run = || {
        // SAFETY: the caller's pointers are as the comment of the header demands.
        let (units, options) = unsafe { (self::units(units, unit_count, "units"), read_options(target, options)) };
        Ok(Made::Module(clforge_compiler::link(&units.map_err(Failure::Argument)?, &options?)?))
    };
    // SAFETY: as above.
    unsafe { give(result, run) }
}

/// Describes a module in JSON, as `clforge reflect --json` does: kernels, and how their arguments are passed.
///
/// `words` has `word_count` words in this machine's byte order: of a module for OpenCL, or of one for Vulkan with reflection.
///
/// `*result` is set whatever the status is, and belongs to the caller, who frees it by clforge_result_free(). The words are
/// not kept.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn clforge_reflect(
    words: *const u32,
    word_count: usize,
    result: *mut *mut CompilerResult,
) -> Status {
    let run = || {
        // SAFETY: the caller's pointers are as the comment of the header demands.
        let words = unsafe { array(words, word_count, "words") }.map_err(Failure::Argument)?;
        let json = clforge_reflect::json(words).map_err(|error| Failure::Module(error.to_string()))?;
        Ok(Made::Description(json))
    };
    // SAFETY: as above.
    unsafe { give(result, run) }
}

/// The status that the function which made the result returned; CLFORGE_STATUS_INVALID_ARGUMENT for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn clforge_result_status(result: *const CompilerResult) -> Status {
    // SAFETY: `result` is NULL or a result that was not freed.
    unsafe { result.as_ref() }.map_or(Status::InvalidArgument, CompilerResult::status)
}

/// The words of the module that was compiled or linked, clforge_result_word_count() of them; NULL if there is none. They
/// belong to the result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn clforge_result_words(result: *const CompilerResult) -> *const u32 {
    // SAFETY: `result` is NULL or a result that was not freed.
    let words = unsafe { result.as_ref() }.map_or(&[][..], CompilerResult::words);
    if words.is_empty() { null() } else { words.as_ptr() }
}

/// The number of words of the module; 0 if there is none, and for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn clforge_result_word_count(result: *const CompilerResult) -> usize {
    // SAFETY: `result` is NULL or a result that was not freed.
    unsafe { result.as_ref() }.map_or(0, |result| result.words().len())
}

/// The description that clforge_reflect() made, in UTF-8; empty for other results and NULL. The string belongs to the result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn clforge_result_json(result: *const CompilerResult) -> *const c_char {
    // SAFETY: `result` is NULL or a result that was not freed.
    unsafe { result.as_ref() }.map_or(c"".as_ptr(), |result| result.json().as_ptr())
}

/// The diagnostics as text for people, each with its line of the source and a caret, in UTF-8; empty if there are none, and
/// for NULL. The string belongs to the result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn clforge_result_text(result: *const CompilerResult) -> *const c_char {
    // SAFETY: `result` is NULL or a result that was not freed.
    unsafe { result.as_ref() }.map_or(c"".as_ptr(), |result| result.text().as_ptr())
}

/// The number of diagnostics; notes count. 0 for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn clforge_result_diagnostic_count(result: *const CompilerResult) -> usize {
    // SAFETY: `result` is NULL or a result that was not freed.
    unsafe { result.as_ref() }.map_or(0, |result| result.diagnostics().len())
}

/// A diagnostic, from 0 on in the order in which they were found; NULL if there is no such one. It belongs to the result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn clforge_result_diagnostic(result: *const CompilerResult, index: usize) -> *const Diagnostic {
    // SAFETY: `result` is NULL or a result that was not freed.
    let diagnostics = unsafe { result.as_ref() }.map_or(&[][..], CompilerResult::diagnostics);
    diagnostics.get(index).map_or(null(), std::ptr::from_ref)
}

/// The number of files that the source included, for build systems; 0 for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn clforge_result_dependency_count(result: *const CompilerResult) -> usize {
    // SAFETY: `result` is NULL or a result that was not freed.
    unsafe { result.as_ref() }.map_or(0, |result| result.dependencies().len())
}

/// The name of an included file, from 0 on; NULL if there is no such one. The string belongs to the result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn clforge_result_dependency(result: *const CompilerResult, index: usize) -> *const c_char {
    // SAFETY: `result` is NULL or a result that was not freed.
    let files = unsafe { result.as_ref() }.map_or(&[][..], CompilerResult::dependencies);
    files.get(index).map_or(null(), |file: &CString| file.as_ptr())
}

/// Frees a result with all that belongs to it. NULL is allowed. No thread may use the result meanwhile or later.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn clforge_result_free(result: *mut CompilerResult) {
    if result.is_null() {
        return;
    }
    // SAFETY: it was made by `give`, and is freed once, as the comment of the header demands.
    let result = unsafe { Box::from_raw(result) };
    // Nothing below panics as far as anyone knows; a panic must not reach C.
    let _ = catch_unwind(AssertUnwindSafe(|| drop(result)));
}

/// Runs a function's work, and gives the caller its result and its status.
///
/// # Safety
/// `to` is NULL or can be written.
unsafe fn give(to: *mut *mut CompilerResult, run: impl FnOnce() -> Result<Made, Failure>) -> Status {
    let result = catch_unwind(AssertUnwindSafe(|| {
        if to.is_null() {
            return None;
        }
        Some(Box::new(CompilerResult::new(run())))
    }));
    let result = match result {
        Ok(Some(result)) => result,
        Ok(None) => return Status::InvalidArgument,
        Err(_) => Box::new(CompilerResult::new(Err(Failure::Internal))),
    };
    let status = result.status();
    // SAFETY: the caller's promise; it is not NULL, else nothing was made.
    unsafe { to.write(Box::into_raw(result)) };
    status
}

/// The source of a name and a text.
///
/// # Safety
/// As [`string`] and [`array`].
unsafe fn source<'a>(name: *const c_char, text: *const c_char, length: usize) -> Result<Source<'a>, String> {
    // SAFETY: the caller's promise.
    let (name, text) = unsafe { (string(name, "name")?, array(text.cast::<u8>(), length, "text")?) };
    Ok(Source { name, text })
}

/// The options of a target and build options.
///
/// # Safety
/// As [`string`].
unsafe fn read_options(target: *const c_char, options: *const c_char) -> Result<Options, Failure> {
    // SAFETY: the caller's promise.
    let (target, options) = unsafe { (string(target, "target"), string(options, "options")) };
    let (target, options) = (target.map_err(Failure::Argument)?, options.map_err(Failure::Argument)?);
    let found = Target::parse(target).ok_or_else(|| {
        Failure::Options(format!("there is no target '{target}'; the targets are {}", Target::NAMES.join(", ")))
    })?;
    Ok(build_options(options)?.with_target(found))
}
