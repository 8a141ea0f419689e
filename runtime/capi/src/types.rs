//! What C sees. Comments of public items are comments of the header.

use std::ffi::c_char;

/// The version of this interface. A later version may add functions, values of enumerations, and fields at the end of
/// structures that the library allocates, and changes nothing else, once there is a release.
pub const API_VERSION: u32 = 1;

/// How a function ended. Every value except CLFORGE_STATUS_SUCCESS comes with a diagnostic that says what is wrong.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The result has what was requested, and perhaps warnings.
    Success = 0,
    /// The program or the module has errors, which the diagnostics of the result tell.
    ProgramErrors = 1,
    /// The options are wrong, or there is no such target.
    InvalidOptions = 2,
    /// An argument is NULL, is no UTF-8, or is a result that has no unit.
    InvalidArgument = 3,
    /// The library has a defect. Other calls are not affected.
    InternalError = 4,
}

/// How serious a diagnostic is.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// A remark about the diagnostic before it, for example where something was declared.
    Note = 0,
    /// The program was compiled nevertheless.
    Warning = 1,
    /// The program was not compiled.
    Error = 2,
}

/// An error, a warning, or a note that follows one. It belongs to the result, with its strings, which are UTF-8 and never
/// NULL.
#[repr(C)]
#[derive(Debug)]
pub struct Diagnostic {
    /// How serious it is.
    pub severity: Severity,
    /// The line, from 1; 0 for a diagnostic without a place.
    pub line: u32,
    /// The column in characters, from 1; 0 for a diagnostic without a place.
    pub column: u32,
    /// The name of the file; empty for a diagnostic without a place.
    pub file: *const c_char,
    /// What is wrong, in one sentence.
    pub message: *const c_char,
    /// The option that names a warning, such as "-Wunused-value"; otherwise empty.
    pub option: *const c_char,
    /// What to do about it; otherwise empty.
    pub help: *const c_char,
}
