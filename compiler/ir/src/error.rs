//! Errors of the IR's own tools: the verifier and the reader of the text form.

use super::{Function, InstId};
use crate::source::Span;
use std::fmt;

/// A violation of the IR's contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifyError {
    /// The rule that is violated.
    pub message: String,
    /// The function that violates it.
    pub function: Option<String>,
    /// The operation that violates it.
    pub op: Option<String>,
    /// The source of that operation, or else of the function.
    pub span: Span,
}

impl VerifyError {
    /// Adds the instruction, unless one nested in it is known.
    #[must_use]
    pub fn in_inst(mut self, function: &Function, inst: InstId) -> VerifyError {
        if self.op.is_none() {
            let inst = function.inst(inst);
            self.op = Some(format!("{:?}", inst.op));
            self.span = inst.span;
        }
        self
    }

    /// Adds the function.
    #[must_use]
    pub fn in_function(mut self, function: &Function) -> VerifyError {
        self.function = Some(function.name.clone());
        if self.span == Span::default() {
            self.span = function.span;
        }
        self
    }
}

impl From<String> for VerifyError {
    fn from(message: String) -> VerifyError {
        VerifyError { message, function: None, op: None, span: Span::default() }
    }
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(function) = &self.function {
            write!(f, "in function '{function}': ")?;
        }
        f.write_str(&self.message)?;
        match &self.op {
            Some(op) => write!(f, ", in {op}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for VerifyError {}

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
