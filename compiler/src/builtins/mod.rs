//! The built-in functions: one row each, found by name and argument types, and how each target provides them.

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
