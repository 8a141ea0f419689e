//! The reason why a module cannot be read, and its position in the module.

use clforge_ir::Error;
use rspirv::spirv::Op;
use std::fmt;

/// Why a module is not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    /// The word of the module at which the instruction begins.
    pub offset: usize,
    /// The result of the instruction, or the object that the error is about.
    pub id: Option<u32>,
    /// File, line and column of the source, where the module says them (`OpLine`).
    pub place: Option<(String, u32, u32)>,
    /// What is wrong.
    pub reason: Reason,
}

/// See [`ReadError::reason`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The words are not a valid module.
    Invalid(String),
    /// The module is valid and uses something that is not supported.
    Unsupported(String),
    /// The module exceeds a limit of this compiler.
    Limit(String),
    /// A later stage of the compiler reported it.
    Stage(Error),
}

/// The result of reading something.
pub type Result<T> = std::result::Result<T, Box<ReadError>>;

impl ReadError {
    fn new(offset: usize, reason: Reason) -> Box<ReadError> {
        Box::new(ReadError { offset, id: None, place: None, reason })
    }

    /// An invalid module.
    pub fn invalid(offset: usize, message: impl Into<String>) -> Box<ReadError> {
        ReadError::new(offset, Reason::Invalid(message.into()))
    }

    /// Something that is not supported.
    pub fn unsupported(offset: usize, message: impl Into<String>) -> Box<ReadError> {
        ReadError::new(offset, Reason::Unsupported(message.into()))
    }

    /// A limit that is exceeded.
    pub fn limit(offset: usize, message: impl Into<String>) -> Box<ReadError> {
        ReadError::new(offset, Reason::Limit(message.into()))
    }

    /// An error of another stage.
    pub fn stage(offset: usize, error: Error) -> Box<ReadError> {
        ReadError::new(offset, Reason::Stage(error))
    }

    /// Adds the object that the error is about.
    #[must_use]
    pub fn about(mut self: Box<Self>, id: u32) -> Box<Self> {
        self.id.get_or_insert(id);
        self
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((file, line, column)) = &self.place {
            write!(f, "{file}:{line}:{column}: ")?;
        }
        match &self.reason {
            Reason::Invalid(message) => write!(f, "invalid SPIR-V: {message}")?,
            Reason::Unsupported(message) | Reason::Limit(message) => f.write_str(message)?,
            Reason::Stage(error) => write!(f, "{error}")?,
        }
        write!(f, " (at word {}", self.offset)?;
        match self.id {
            Some(id) => write!(f, ", %{id})"),
            None => f.write_str(")"),
        }
    }
}

impl std::error::Error for ReadError {}

/// What instructions that are not supported are about, behind their names.
pub fn unsupported_reason(op: Op) -> &'static str {
    let name = format!("{op:?}");
    match () {
        () if name.contains("Pipe") => ": storage of pipes is not supported",
        () if name.contains("FunctionPointer") => ": pointers to functions are not supported",
        () => " is not supported",
    }
}
