//! From IR to SPIR-V: what a target cannot express is legalised, the module is emitted, its interface is written into it
//! and read back, and validation.
#![forbid(unsafe_code)]

pub mod disassemble;
pub mod emit;
pub mod interface;
pub mod legalize;
pub mod validate;
pub mod workarounds;
