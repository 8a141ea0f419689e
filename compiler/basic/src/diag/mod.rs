//! Diagnostics are data until they are rendered.
//!
//! Stages push [`Diagnostic`]s into a [`Sink`] and continue; nothing is printed here. [`Diagnostics`], what the public API
//! returns, owns the source map so that it can render itself.

mod render;

use crate::narrow::to_u32;
pub use crate::warnings::WarningFlag;
pub use render::{Excerpt, Place};

use std::fmt;
use std::sync::Arc;

use crate::options::Options;
use crate::source::{Interner, Loc, SourceMap, Span, TokenTable};
use crate::warnings::WarningLevel;

/// The severity of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum Severity {
    Error,
    Warning,
}

/// A range of source as shown to the user: from the start of the first token to the end of the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourceRange {
    /// Where the first token comes from.
    pub start: Loc,
    /// Where the last token comes from.
    pub end: Loc,
    /// Length in bytes of the last token's spelling.
    pub end_len: u32,
}

impl SourceRange {
    /// `len` bytes from `loc`.
    pub fn at(loc: Loc, len: u32) -> SourceRange {
        SourceRange { start: loc, end: loc, end_len: len }
    }
}

/// A remark tied to another place ("previous declaration is here").
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Where, or `None` for a general remark.
    pub range: Option<SourceRange>,
    /// What.
    pub message: String,
}

/// One error or warning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Error or warning.
    pub severity: Severity,
    /// Lower-case first letter, no final stop, names in '…' as clang writes them.
    pub message: String,
    /// Where; `None` only for problems that have no place (an unreadable file, an internal error).
    pub range: Option<SourceRange>,
    /// Text at the caret, often empty.
    pub label: String,
    /// Related places.
    pub notes: Vec<Note>,
    /// What to do about it.
    pub help: Option<String>,
    /// What a warning is about, also of one that became an error.
    pub flag: Option<WarningFlag>,
}

impl Diagnostic {
    /// An error at a place.
    pub fn error(range: SourceRange, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            severity: Severity::Error,
            message: message.into(),
            range: Some(range),
            label: String::new(),
            notes: Vec::new(),
            help: None,
            flag: None,
        }
    }

    /// A warning at a place.
    pub fn warning(flag: WarningFlag, range: SourceRange, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Warning, flag: Some(flag), ..Diagnostic::error(range, message) }
    }

    /// An error without a place.
    pub fn global(message: impl Into<String>) -> Diagnostic {
        Diagnostic { range: None, ..Diagnostic::error(SourceRange::at(Loc::at(0), 0), message) }
    }

    /// A warning without a place.
    pub fn global_warning(flag: WarningFlag, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Warning, flag: Some(flag), ..Diagnostic::global(message) }
    }

    /// A bug of ours that was caught: never the user's fault, and the message says so.
    pub fn internal(message: impl std::fmt::Display) -> Diagnostic {
        let mut diagnostic = Diagnostic::global(format!("internal compiler error: {message}"));
        diagnostic.help = Some("this is a bug in clforge, not in your program; please report it".into());
        diagnostic
    }

    /// Adds text at the caret.
    #[must_use]
    pub fn with_label(mut self, label: impl Into<String>) -> Diagnostic {
        self.label = label.into();
        self
    }

    /// Adds a related place.
    #[must_use]
    pub fn with_note(mut self, range: impl Into<Option<SourceRange>>, message: impl Into<String>) -> Diagnostic {
        self.notes.push(Note { range: range.into(), message: message.into() });
        self
    }

    /// Adds advice.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(help.into());
        self
    }
}

/// Collects the diagnostics of a compilation.
#[derive(Default)]
pub struct Sink {
    diagnostics: Vec<Diagnostic>,
    errors: usize,
    warnings: usize,
    suppressed: usize,
    fatal: bool,
}

impl Sink {
    /// Errors kept before the rest is only counted.
    pub const MAX_ERRORS: usize = 100;

    /// Warnings kept; more of them are dropped.
    pub const MAX_WARNINGS: usize = 1000;

    /// An empty sink.
    pub fn new() -> Sink {
        Sink::default()
    }

    /// Takes a diagnostic; past [`Sink::MAX_ERRORS`] errors it is only counted, past
    /// [`Sink::MAX_WARNINGS`] warnings it is dropped.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        if diagnostic.severity == Severity::Error {
            self.errors += 1;
            if self.errors > Self::MAX_ERRORS {
                self.suppressed += 1;
                return;
            }
        } else {
            self.warnings += 1;
            if self.warnings > Self::MAX_WARNINGS {
                return;
            }
        }
        self.diagnostics.push(diagnostic);
    }

    /// Whether any error was pushed.
    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// Takes an error after which nothing that follows means much: an included file that is missing, a limit of the
    /// preprocessor.
    pub fn push_fatal(&mut self, diagnostic: Diagnostic) {
        self.fatal = true;
        self.push(diagnostic);
    }

    /// Whether later stages should not even begin.
    pub fn is_fatal(&self) -> bool {
        self.fatal
    }

    /// Number of errors pushed.
    pub fn error_count(&self) -> usize {
        self.errors
    }

    /// Everything pushed, in order, and how many errors were only counted.
    pub fn into_parts(self) -> (Vec<Diagnostic>, usize) {
        (self.diagnostics, self.suppressed)
    }
}

impl TokenTable {
    /// The source range of a span of tokens.
    pub fn range(&self, span: Span, interner: &crate::source::Interner) -> SourceRange {
        let last = self.tokens.len().saturating_sub(1);
        let lo = (span.lo as usize).min(last);
        let hi = (span.hi.max(span.lo + 1) as usize - 1).min(last);
        let (Some(first), Some(end)) = (self.tokens.get(lo), self.tokens.get(hi)) else {
            return SourceRange::at(Loc::at(0), 0);
        };
        SourceRange { start: first.loc, end: end.loc, end_len: to_u32(interner.text(end.text).len()) }
    }
}

/// The diagnostics of a finished compilation, with the sources they point into.
pub struct Diagnostics {
    /// In order of discovery.
    pub list: Vec<Diagnostic>,
    /// Errors beyond [`Sink::MAX_ERRORS`] that are only counted.
    pub suppressed: usize,
    /// Files and macro expansions the ranges refer to.
    pub sources: Arc<SourceMap>,
    /// Names of the macros in the expansion trail and of tokens.
    pub names: Arc<Interner>,
}

impl Diagnostics {
    /// The diagnostics of a compilation, after `-w` and the `-W` options.
    pub fn new(sink: Sink, sources: Arc<SourceMap>, names: Arc<Interner>, options: &Options) -> Diagnostics {
        let (mut list, suppressed) = sink.into_parts();
        list.retain_mut(|diagnostic| {
            let Some(flag) = diagnostic.flag else { return true };
            let level = options.language.warning_level(flag);
            if level == WarningLevel::Error {
                diagnostic.severity = Severity::Error;
            }
            level != WarningLevel::Ignored
        });
        Diagnostics { list, suppressed, sources, names }
    }

    /// Number of errors, those that are only counted included.
    pub fn error_count(&self) -> usize {
        self.list.iter().filter(|diagnostic| diagnostic.severity == Severity::Error).count() + self.suppressed
    }

    /// Whether any of them is an error.
    pub fn has_errors(&self) -> bool {
        self.error_count() > 0
    }
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(false))
    }
}

impl fmt::Debug for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Diagnostics {}
