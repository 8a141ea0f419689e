//! The binary form of the IR, in which the built-in library is embedded in the compiler and compiled units are kept.
//!
//! It is not an interchange format: it has no version, and only the compiler that wrote it can read it. Code that
//! stores it adds a version. Everything is written in the order of its declaration: integers in LEB128 (signed ones
//! zigzag), lists after their length, a choice as the number of its variant and its parts. Values and other numbered
//! items keep their numbers.
//!
//! Decoding is total: malformed bytes are an error, and every index in what is decoded is in range. The rest of
//! the contract of the IR is [`super::verify`]'s to check.

mod forms;
mod stream;
#[cfg(test)]
mod tests;

use super::object::Object;
use super::{Function, Global, Module};
use forms::Form;
use stream::{Reader, Writer};

/// Bytes are not what an encoder writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DecodeError {
    /// Number of the byte that is wrong.
    pub offset: usize,
}

impl std::fmt::Display for DecodeError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "damaged binary IR at byte {}", self.offset)
    }
}

impl std::error::Error for DecodeError {}

/// The number of entities of each kind, which ids must be below.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// Functions of the module.
    pub functions: usize,
    /// Globals of the module.
    pub globals: usize,
    /// Variables of the module.
    pub variables: usize,
}

/// The bytes of a function. Functions, globals and variables of its module are written as their numbers.
pub fn encode_function(function: &Function) -> Vec<u8> {
    encode(function)
}

/// The bytes of a global.
pub fn encode_global(global: &Global) -> Vec<u8> {
    encode(global)
}

/// The bytes of a whole module.
pub fn encode_module(module: &Module) -> Vec<u8> {
    encode(module)
}

/// The bytes of an object.
pub fn encode_object(object: &Object) -> Vec<u8> {
    encode(object)
}

/// The function that [`encode_function`] wrote.
///
/// # Errors
/// Bytes that it did not write, or numbers that are out of range.
pub fn decode_function(bytes: &[u8], limits: Limits) -> Result<Function, DecodeError> {
    decode(bytes, limits)
}

/// The global that [`encode_global`] wrote.
///
/// # Errors
/// As [`decode_function`].
pub fn decode_global(bytes: &[u8], limits: Limits) -> Result<Global, DecodeError> {
    decode(bytes, limits)
}

/// The module that [`encode_module`] wrote.
///
/// # Errors
/// As [`decode_function`].
pub fn decode_module(bytes: &[u8]) -> Result<Module, DecodeError> {
    decode(bytes, Limits::default())
}

/// The object that [`encode_object`] wrote.
///
/// # Errors
/// As [`decode_function`].
pub fn decode_object(bytes: &[u8]) -> Result<Object, DecodeError> {
    decode(bytes, Limits::default())
}

fn encode(item: &impl Form) -> Vec<u8> {
    let mut to = Writer::default();
    item.write(&mut to);
    to.bytes
}

fn decode<T: Form>(bytes: &[u8], limits: Limits) -> Result<T, DecodeError> {
    let mut from = Reader::new(bytes, limits);
    let item = T::read(&mut from)?;
    if from.is_at_end() { Ok(item) } else { from.damaged() }
}
