//! Passes for both targets.

pub mod dead_code;
pub mod promote;
