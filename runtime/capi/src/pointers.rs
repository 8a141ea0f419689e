//! Arguments that C gives, as Rust's types. What is wrong with one is the message of an error.

use crate::result::CompilerResult;
use clforge_compiler::Unit;
use std::ffi::{CStr, c_char};

/// A string.
///
/// # Safety
/// `text` is NULL, or ends with a zero and lives as long as the reference.
pub unsafe fn string<'a>(text: *const c_char, name: &str) -> Result<&'a str, String> {
    if text.is_null() {
        return Err(format!("'{name}' is NULL"));
    }
    // SAFETY: the caller's promise.
    unsafe { CStr::from_ptr(text) }.to_str().map_err(|_| format!("'{name}' is not UTF-8"))
}

/// An array.
///
/// # Safety
/// `first` is NULL, or points to `count` values, which live as long as the reference.
pub unsafe fn array<'a, T>(first: *const T, count: usize, name: &str) -> Result<&'a [T], String> {
    if first.is_null() {
        return Err(format!("'{name}' is NULL"));
    }
    if !first.is_aligned() || count > isize::MAX as usize / size_of::<T>().max(1) {
        return Err(format!("'{name}' is no array of {count} values"));
    }
    // SAFETY: the caller's promise; size and alignment were checked.
    Ok(unsafe { std::slice::from_raw_parts(first, count) })
}

/// The units of results.
///
/// # Safety
/// As [`array`]; each pointer is NULL or a result that was not freed.
pub unsafe fn units<'a>(
    results: *const *const CompilerResult,
    count: usize,
    name: &str,
) -> Result<Vec<&'a Unit>, String> {
    // SAFETY: the caller's promise.
    let results = unsafe { array(results, count, name) }?;
    let unit = |(index, result): (usize, &*const CompilerResult)| {
        // SAFETY: the caller's promise.
        let result = unsafe { result.as_ref() }.ok_or_else(|| format!("'{name}[{index}]' is NULL"))?;
        result.unit().ok_or_else(|| format!("'{name}[{index}]' has no unit"))
    };
    results.iter().enumerate().map(unit).collect()
}
