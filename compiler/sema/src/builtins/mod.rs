//! The built-in functions: their signatures, one row each, and overload resolution.
//!
//! How calls of a function are lowered is decided in `compiler/lower/`, and how an intrinsic is expanded in the
//! legalisation of the target.

mod convert;
mod nearest;
mod overloads;
mod pattern;
mod resolve;
mod row;
mod signatures;
mod table;
#[cfg(test)]
mod tests;

pub use crate::hir::BuiltinId;
use crate::hir::types::{QualTy, Ty, TypeTable};
use clforge_basic::options::Options;
use smallvec::SmallVec;

pub use convert::{Conversion, Rounding, decode as conversion};
pub use nearest::{Candidate, nearest};
pub use overloads::{Overload, overloads};
pub use table::{COUNT as ROWS, find, known};

/// An argument of a call, after array and function decay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Argument {
    /// Its type.
    pub ty: QualTy,
    /// Whether it is a null pointer constant, which converts to every pointer (C99 6.3.2.3).
    pub is_null: bool,
}

impl From<QualTy> for Argument {
    fn from(ty: QualTy) -> Argument {
        Argument { ty, is_null: false }
    }
}

/// What a call of a built-in function means.
#[allow(missing_docs)] // field names say it
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Resolution {
    /// Arguments are to be converted to `parameters`; those past them are the variable ones.
    Found { id: BuiltinId, parameters: SmallVec<[QualTy; 6]>, result: Ty, variadic: bool },
    /// There is no built-in function of that name.
    Unknown,
    /// No overload takes these arguments: see [`nearest`].
    NoMatch,
    /// Several overloads take these arguments and none is best; those, as declarations.
    Ambiguous { candidates: Vec<String> },
    /// The function is known, but not here: "'name' needs {needs}".
    Unavailable { needs: String },
}

/// Finds the overload of a built-in function for these arguments.
pub fn resolve(name: &str, arguments: &[Argument], types: &mut TypeTable, options: &Options) -> Resolution {
    resolve::resolve(name, arguments, types, options)
}

/// Whether a built-in function has that name, in whatever version of OpenCL C.
pub fn is_builtin(name: &str) -> bool {
    table::find(name).is_some() || convert::parse(name).is_some()
}

/// The names of all built-in functions but the conversions, for suggestions.
pub fn names() -> impl Iterator<Item = &'static str> {
    table::TABLE.iter().map(|row| row.name)
}

/// The function of that name, as [`name`] gives it.
pub fn by_name(name: &str) -> Option<BuiltinId> {
    table::find(name).or_else(|| convert::parse(name))
}

/// The function's name.
pub fn name(id: BuiltinId) -> &'static str {
    table::get(id).map_or_else(|| convert::name(id), |row| row.name)
}

/// What a call of a built-in function without a pointer to write to does besides its result, as attributes of GNU C name it:
/// `const` where the result depends on the arguments alone, `pure` where it depends on memory too. `None`: it has effects.
pub fn effect_attribute(id: BuiltinId) -> Option<&'static str> {
    let name = name(id);
    let is_const =
        table::find(name).is_none() || signatures::CONST.iter().any(|rows| rows.iter().any(|row| row.name == name));
    let is_pure = name.starts_with("vload") || name.starts_with("read_image");
    if is_const { Some("const") } else { is_pure.then_some("pure") }
}

/// Whether the function returns `size_t`.
pub fn returns_size(id: BuiltinId) -> bool {
    table::get(id).is_some_and(|row| row.sigs.iter().any(|sig| sig.result == pattern::SIZE))
}

/// `printf`: the one built-in with variable arguments.
pub const PRINTF: BuiltinId = table::known("printf");
