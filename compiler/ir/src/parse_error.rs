//! Mistakes in the text form.

use std::fmt;

/// A mistake in the text form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// The line, counted from 1; 0 where it is not known yet.
    pub line: u32,
    /// What is wrong there.
    pub message: String,
}

impl ParseError {
    /// Adds the line, unless one is known.
    #[must_use]
    pub fn on_line(mut self, line: u32) -> ParseError {
        if self.line == 0 {
            self.line = line;
        }
        self
    }
}

impl From<String> for ParseError {
    fn from(message: String) -> ParseError {
        ParseError { line: 0, message }
    }
}

impl From<&str> for ParseError {
    fn from(message: &str) -> ParseError {
        ParseError::from(message.to_owned())
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for ParseError {}
