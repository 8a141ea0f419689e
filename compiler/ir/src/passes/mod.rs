//! Passes for both targets.

pub mod address_spaces;
pub mod common_subexpressions;
pub mod dead_code;
pub mod dead_functions;
pub mod inline;
pub mod promote;
pub mod simplify;
pub mod single_exit;
