//! Describes SPIR-V modules for other programs: what `clforge reflect` prints as JSON, for the command and the C interface.
#![forbid(unsafe_code)]
#![warn(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss)]

mod bindings;
mod json;
mod names;
mod opencl_module;
mod strip;

pub use bindings::{Language, bindings};
pub use json::json;
pub use names::{
    Place, access_name, access_qualifier_name, address_name, data_place, hexadecimal, memory_name, place,
    push_constant_name, type_qualifiers,
};
pub use opencl_module::OpenClModule;
pub use strip::strip_reflection;
