//! From text to syntax tree: the preprocessor, the parser and the tree. No names are resolved here, except which
//! identifiers name types.
#![forbid(unsafe_code)]
// A number that is cut is a program that is compiled wrongly: `narrow` has the conversions, and says what they keep.
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss))]

// What pest_derive makes without its feature `std` names it.
extern crate alloc;

pub mod ast;
pub mod gnu;
pub mod parse;
pub mod preprocess;
