//! From text to syntax tree: the preprocessor, the parser and the tree. Nothing is resolved here but which identifiers
//! name types.
#![forbid(unsafe_code)]

pub mod ast;
pub mod gnu;
pub mod parse;
pub mod preprocess;
