//! A row of the table: a function, its overloads, and the version of OpenCL C that introduced it.

use super::pattern::Sig;

/// A built-in function.
#[derive(Clone, Copy)]
pub struct Row {
    /// As the source spells it.
    pub name: &'static str,
    pub sigs: &'static [Sig],
    /// First version of OpenCL C that has it, as `__OPENCL_C_VERSION__`.
    pub since: u16,
}

/// A row of a function that came with OpenCL C 1.0.
pub const fn row(name: &'static str, sigs: &'static [Sig]) -> Row {
    Row { name, sigs, since: 100 }
}

/// A row of a function that came later.
pub const fn since(version: u16, name: &'static str, sigs: &'static [Sig]) -> Row {
    Row { name, sigs, since: version }
}
