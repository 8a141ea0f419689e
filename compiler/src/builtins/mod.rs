//! The built-in functions: one row each, found by name and argument types, and how each target provides them.
//!
//! A function is provided in one of two ways. What core IR can say (`dot`, `clamp`, `vload4`, `atomic_add`, …) becomes
//! core IR in [`lower`], the same for all targets. True math functions become an `Op::Builtin`, which the OpenCL target
//! emits as the instruction [`opencl_instruction`] of OpenCL.std, and which Vulkan legalisation replaces as
//! [`vulkan_provision`] says.

mod convert;
pub mod gnu;
mod library;
mod lower;
mod lower_async;
mod lower_atomic;
mod lower_convert;
mod lower_device;
mod lower_dot;
mod lower_geometric;
mod lower_group;
mod lower_half;
mod lower_image;
mod lower_integer;
mod lower_math;
mod lower_memory;
mod lower_relational;
mod lower_sync;
mod lower_update;
mod lower_work;
mod overloads;
mod pattern;
mod resolve;
mod rows_device;
mod rows_group;
mod rows_image;
mod rows_integer;
mod rows_math;
mod rows_memory;
mod rows_sync;
mod table;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_lower;
mod vulkan;

use crate::hir::types::{QualTy, Ty, TypeTable};
use crate::ir::{Builder, Type, Value};
use crate::options::{MathOptions, Options};
use crate::source::Span;
use smallvec::SmallVec;

pub use library::{library_function, library_text};
pub use lower_half::opencl_rounding;
pub use overloads::{Overload, overloads};
pub use vulkan::{
    VulkanProvision, correctly_rounded, half_of_double, opencl_instruction, opencl_pointee, precise_quotient,
};

/// A row of the table of built-in functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BuiltinId(pub u16);

/// What a call of a built-in function means.
#[allow(missing_docs)] // field names say it
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Resolution {
    /// Arguments are to be converted to `parameters`; those past them are the variable ones.
    Found { id: BuiltinId, parameters: SmallVec<[QualTy; 6]>, result: Ty, variadic: bool },
    /// There is no built-in function of that name.
    Unknown,
    /// No overload takes these arguments; some that exist, as declarations.
    NoMatch { candidates: Vec<String> },
    /// Several overloads take these arguments and none is best; those, as declarations.
    Ambiguous { candidates: Vec<String> },
    /// The function is known, but not here: "'name' needs {needs}".
    Unavailable { needs: String },
}

/// Finds the overload of a built-in function for arguments of these types (after array and function decay).
pub fn resolve(name: &str, arguments: &[QualTy], types: &mut TypeTable, options: &Options) -> Resolution {
    resolve::resolve(name, arguments, types, options)
}

/// Whether a built-in function has that name, in whatever version of OpenCL C.
pub fn is_builtin(name: &str) -> bool {
    !name.starts_with("__") && table::find(name).is_some() || convert::parse(name).is_some()
}

/// The names of all built-in functions but the conversions, for suggestions.
pub fn names() -> impl Iterator<Item = &'static str> {
    table::TABLE.iter().map(|row| row.name).filter(|name| !name.starts_with("__"))
}

/// The function of that name, as [`name`] gives it.
pub fn by_name(name: &str) -> Option<BuiltinId> {
    table::find(name).or_else(|| convert::parse(name))
}

/// Whether a call computes its result from its arguments alone: no memory, no side effect, not convergent.
pub fn is_pure(id: BuiltinId) -> bool {
    // The others leave lowering as core IR, or are `printf`; two of the ones that remain write through a pointer.
    matches!(table::get(id), Some(table::Row { how: table::How::Target { .. }, .. })) && opencl_pointee(id).is_none()
}

/// The function's name.
pub fn name(id: BuiltinId) -> &'static str {
    table::get(id).map_or_else(|| convert::name(id), |row| row.name)
}

/// `printf`: the one built-in with variable arguments.
pub const PRINTF: BuiltinId = table::known("printf");

/// `floor`, for passes that round.
pub const FLOOR: BuiltinId = table::known("floor");

/// A call to lower: the arguments already have the overload's parameter types.
#[allow(missing_docs)] // field names say it
pub struct BuiltinCall<'c> {
    pub arguments: &'c [Value],
    pub argument_types: &'c [QualTy],
    /// The overload's result.
    pub result: Ty,
    /// Where a result goes that is an object in memory.
    pub into: Option<Value>,
    pub span: Span,
}

/// Appends the IR of a call; the value is its result, `None` for `void`.
///
/// # Errors
/// A message such as `'read_pipe' is not supported yet`.
pub fn lower(
    b: &mut Builder<'_>,
    types: &TypeTable,
    options: &Options,
    id: BuiltinId,
    call: &BuiltinCall<'_>,
) -> Result<Option<Value>, String> {
    lower::lower(b, types, options, id, call)
}

/// How Vulkan provides an `Op::Builtin` on this type, which is that of its first argument. `None`: not supported yet.
pub fn vulkan_provision(id: BuiltinId, scalar: crate::ir::ScalarType, math: &MathOptions) -> Option<VulkanProvision> {
    vulkan::provision(id, scalar, math)
}

/// Appends the core IR (and simpler built-ins) that an [`VulkanProvision::Inline`] one stands for. `ty` is the type of
/// the result; arguments are scalars or vectors.
pub fn expand_vulkan(
    b: &mut Builder<'_>,
    math: &MathOptions,
    id: BuiltinId,
    args: &[Value],
    ty: Type,
) -> Option<Value> {
    vulkan::expand(b, math, id, args, ty)
}
