//! From IR to SPIR-V: legalisation, workarounds, emission, the description of a module for runtimes (written and read
//! back), and validation.
#![forbid(unsafe_code)]
// A number that is cut is a program that is compiled wrongly: `narrow` has the conversions, and says what they keep.
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss))]

mod address_format;
pub mod disassemble;
pub mod emit;
pub mod interface;
pub mod legalize;
pub mod tuning;
pub mod validate;
pub mod workarounds;
