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

/// The GLSL.std.450 instruction that provides a function on Vulkan, where its precision suffices.
pub fn glsl_instruction(_function: BuiltinId, _scalar: crate::ir::ScalarType) -> Option<u32> {
    None
}

/// The OpenCL.std instruction that provides a function on the OpenCL target.
pub fn opencl_instruction(_function: BuiltinId) -> Option<u32> {
    None
}
