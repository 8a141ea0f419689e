//! The built-in functions: one row each, found by name and argument types, and how each target provides them.

use crate::hir::{QualTy, Ty, TypeTable};
use crate::ir::{self, Value};
use crate::options::Options;
use crate::source::Span;

/// A row of the table of built-in functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BuiltinId(pub u16);

/// Whether a call computes its result from its arguments alone.
pub fn is_pure(_function: BuiltinId) -> bool {
    false
}

/// The function's name.
pub fn name(_function: BuiltinId) -> &'static str {
    ""
}

/// A call of a built-in function whose arguments are evaluated.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub struct BuiltinCall<'c> {
    pub arguments: &'c [Value],
    pub argument_types: &'c [QualTy],
    pub result: Ty,
    pub span: Span,
}

/// Appends what the call does and gives its value, if it has one.
///
/// # Errors
/// The message of what is not supported yet.
pub fn lower(
    _b: &mut ir::Builder<'_>,
    _types: &TypeTable,
    _options: &Options,
    _function: BuiltinId,
    _call: &BuiltinCall<'_>,
) -> Result<Option<Value>, String> {
    Err("built-in functions are not supported yet".into())
}
