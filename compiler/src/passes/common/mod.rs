//! Passes for both targets.

pub mod dead_code;
pub mod dead_functions;
pub mod inline;
pub mod promote;
pub mod single_exit;
