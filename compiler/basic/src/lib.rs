//! What every stage of the compiler shares: sources and tokens, diagnostics, options, the arithmetic of constants, and
//! terms of OpenCL that no single stage owns. It depends on no stage.
#![forbid(unsafe_code)]
// A number that is cut is a program that is compiled wrongly: `narrow` has the conversions, and says what they keep.
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss))]

pub mod argument_info;
pub mod arithmetic;
pub mod diag;
pub mod driver_flags;
mod id;
pub mod image;
pub mod layout;
pub mod matrix;
pub mod narrow;
pub mod options;
pub mod printf;
pub mod source;
pub mod tuning;
pub mod warnings;
pub mod workarounds;

/// One source text and the name diagnostics show for it.
#[derive(Clone, Copy, Debug)]
pub struct Source<'s> {
    /// Shown in diagnostics and seen by `__FILE__` and by the [`options::IncludeLoader`].
    pub name: &'s str,
    /// The text; bytes that are not UTF-8 may stand in comments and strings.
    pub text: &'s [u8],
}
