//! Failures and their exit codes: 1 the program has errors, 2 wrong usage, 3 no device or the device failed.

use crate::terminal;
use clforge_compiler::diag::Diagnostics;
use clforge_runtime::Error;

/// Exit codes.
pub const SUCCESS: u8 = 0;
pub const PROGRAM: u8 = 1;
pub const USAGE: u8 = 2;
pub const DEVICE: u8 = 3;

/// Why a command ends early.
pub enum Failure {
    /// The source has errors.
    Diagnostics(Box<Diagnostics>),
    /// The program (a module) is at fault.
    Program(String),
    /// The command line is at fault, or a file it names.
    Usage(String),
    /// The machine is at fault.
    Device(String),
    /// The reason was reported already; the exit code.
    Reported(u8),
    /// The reader of standard output has closed it; this is no error.
    BrokenPipe,
}

impl Failure {
    /// Prints the message and returns the exit code.
    pub fn report(self) -> u8 {
        let (message, code) = match self {
            Failure::Diagnostics(diagnostics) => {
                terminal::diagnostics(&diagnostics);
                return PROGRAM;
            }
            Failure::BrokenPipe => return SUCCESS,
            Failure::Reported(code) => return code,
            Failure::Program(message) => (message, PROGRAM),
            Failure::Usage(message) => (message, USAGE),
            Failure::Device(message) => (message, DEVICE),
        };
        terminal::error(&message);
        code
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        match error {
            Error::Compile(errors) => Failure::Diagnostics(errors.0),
            Error::NoSuchKernel { name, available } => {
                Failure::Usage(format!("there is no kernel '{name}'; {}", known("kernel", &name, &available)))
            }
            Error::Interface(_) | Error::UnusableModule(_) | Error::InvalidModule(_) | Error::BoundsCheck(_) => {
                Failure::Program(error.to_string())
            }
            Error::ArgumentCount { .. }
            | Error::ArgumentKind { .. }
            | Error::ArgumentSize { .. }
            | Error::Limit { .. }
            | Error::BuildOptions(_)
            | Error::Launch(_)
            | Error::BufferRange { .. } => Failure::Usage(error.to_string()),
            _ => Failure::Device(error.to_string()),
        }
    }
}

/// Lists the names that exist, with a suggestion where one is similar.
pub fn known(what: &str, name: &str, available: &[String]) -> String {
    if available.is_empty() {
        return format!("the program has no {what}s");
    }
    let list = available.iter().map(|name| format!("'{name}'")).collect::<Vec<_>>().join(", ");
    let close = available.iter().map(|other| (strsim::damerau_levenshtein(name, other), other)).min();
    match close {
        Some((distance, other)) if distance * 3 <= name.chars().count().max(3) => {
            format!("did you mean '{other}'? (available: {list})")
        }
        _ => format!("available: {list}"),
    }
}
