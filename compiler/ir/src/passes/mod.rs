//! Passes for both targets.

pub mod address_spaces;
pub mod common_subexpressions;
pub mod dead_code;
pub mod dead_functions;
pub mod inline;
pub mod mem2reg;
pub mod simplify;
pub mod single_exit;
