//! What a pass or an emitter says when it cannot go on, and where in the source.

use clforge_basic::source::Span;

/// Why a pass or an emitter gave up: something that is not supported, or, if the text begins with `internal:`, a bug.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The text of the diagnostic.
    pub message: String,
    /// The source that is to blame, where it is known.
    pub span: Option<Span>,
}

impl Problem {
    /// Says where, if that is not known already and `span` is a place.
    #[must_use]
    pub fn at(mut self, span: Span) -> Problem {
        if self.span.is_none() && span != Span::default() {
            self.span = Some(span);
        }
        self
    }

    /// Whether it is a bug of ours.
    pub fn is_internal(&self) -> bool {
        self.message.contains("internal:")
    }
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl From<String> for Problem {
    fn from(message: String) -> Problem {
        Problem { message, span: None }
    }
}

impl From<&str> for Problem {
    fn from(message: &str) -> Problem {
        Problem { message: message.to_owned(), span: None }
    }
}
