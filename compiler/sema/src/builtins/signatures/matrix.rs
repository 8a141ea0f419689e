//! Cooperative matrices (`cl_khr_cooperative_matrix`). No pattern describes their arguments; sema checks them
//! (`sema/matrices.rs`).

use crate::builtins::row::{Row, row};

/// The functions of the extension.
pub const MATRIX: &[Row] = &[
    row("coop_mat_load", &[]),
    row("coop_mat_store", &[]),
    row("coop_mat_mulAdd", &[]),
    row("coop_mat_init", &[]),
    row("coop_mat_length", &[]),
];
