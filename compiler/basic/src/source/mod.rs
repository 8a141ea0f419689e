//! Source text: files, positions, interned spellings, tokens and the trail of macro expansions behind each.
//!
//! Everything later refers to source by [`Span`], a range of indices into the [`TokenTable`] of the translation unit.
//! A token knows the position of its spelling and the macro expansion it came through, so any span can be shown to the
//! user with its whole trail.

mod interner;
pub mod lexer;
mod map;
mod token;

pub use interner::{Interner, Symbol};
pub use map::{Expansion, ExpansionId, FileId, Loc, SourceFile, SourceMap};
pub use token::{Pragma, Punct, Span, Token, TokenFlags, TokenKind, TokenTable};
