//! Results: what functions make, with the diagnostics in the form that C reads.

use crate::types::{Diagnostic, Severity, Status};
use clforge_compiler::diag::{self, SourceRange};
use clforge_compiler::options::OptionError;
use clforge_compiler::{Compiled, CompiledUnit, Diagnostics, Unit};
use std::ffi::{CStr, CString, c_char};

/// What a function made: a module, a unit or a description, and the diagnostics. It does not change, so that several threads
/// may read it.
pub struct CompilerResult {
    status: Status,
    words: Vec<u32>,
    unit: Option<Unit>,
    json: CString,
    text: CString,
    dependencies: Vec<CString>,
    diagnostics: Vec<Diagnostic>,
    /// The strings of the diagnostics.
    _strings: Vec<CString>,
}

// SAFETY: the pointers of diagnostics lead to strings that the result owns and nothing changes.
unsafe impl Send for CompilerResult {}
// SAFETY: as above.
unsafe impl Sync for CompilerResult {}

/// Why there is nothing.
pub enum Failure {
    /// What an argument is.
    Argument(String),
    Options(String),
    Program(Box<Diagnostics>),
    /// A module that cannot be described.
    Module(String),
    Internal,
}

impl From<Diagnostics> for Failure {
    fn from(errors: Diagnostics) -> Failure {
        Failure::Program(Box::new(errors))
    }
}

impl From<OptionError> for Failure {
    fn from(error: OptionError) -> Failure {
        Failure::Options(error.to_string())
    }
}

/// What there is.
pub enum Made {
    Module(Compiled),
    Unit(CompiledUnit),
    /// A unit that was no source.
    SpirvUnit(Unit),
    Description(String),
}

impl CompilerResult {
    /// What a function returns to C.
    pub(crate) fn new(made: Result<Made, Failure>) -> CompilerResult {
        match made {
            Ok(Made::Module(compiled)) => CompilerResult {
                words: compiled.spirv,
                dependencies: compiled.dependencies.iter().map(|file| c_string(file)).collect(),
                ..CompilerResult::with(Status::Success, &compiled.warnings)
            },
            Ok(Made::Unit(compiled)) => CompilerResult {
                unit: Some(compiled.unit),
                dependencies: compiled.dependencies.iter().map(|file| c_string(file)).collect(),
                ..CompilerResult::with(Status::Success, &compiled.warnings)
            },
            Ok(Made::SpirvUnit(unit)) => CompilerResult { unit: Some(unit), ..CompilerResult::empty(Status::Success) },
            Ok(Made::Description(json)) => {
                CompilerResult { json: c_string(&json), ..CompilerResult::empty(Status::Success) }
            }
            Err(Failure::Program(errors)) => CompilerResult::with(Status::ProgramErrors, &errors),
            Err(Failure::Argument(message)) => CompilerResult::message(Status::InvalidArgument, &message),
            Err(Failure::Options(message)) => CompilerResult::message(Status::InvalidOptions, &message),
            Err(Failure::Module(message)) => CompilerResult::message(Status::ProgramErrors, &message),
            Err(Failure::Internal) => CompilerResult::message(Status::InternalError, "internal error in clforge"),
        }
    }

    fn empty(status: Status) -> CompilerResult {
        CompilerResult {
            status,
            words: Vec::new(),
            unit: None,
            json: CString::default(),
            text: CString::default(),
            dependencies: Vec::new(),
            diagnostics: Vec::new(),
            _strings: Vec::new(),
        }
    }

    fn with(status: Status, found: &Diagnostics) -> CompilerResult {
        let mut list = List::default();
        found.list.iter().for_each(|diagnostic| list.add(found, diagnostic));
        let text = if found.list.is_empty() { String::new() } else { found.render(false) };
        CompilerResult {
            text: c_string(&text),
            diagnostics: list.diagnostics,
            _strings: list.strings,
            ..CompilerResult::empty(status)
        }
    }

    /// A result with one error that has no place.
    fn message(status: Status, message: &str) -> CompilerResult {
        let mut list = List::default();
        list.push(Severity::Error, None, [message, "", ""]);
        CompilerResult {
            text: c_string(&format!("error: {message}\n")),
            diagnostics: list.diagnostics,
            _strings: list.strings,
            ..CompilerResult::empty(status)
        }
    }

    pub(crate) fn status(&self) -> Status {
        self.status
    }

    pub(crate) fn words(&self) -> &[u32] {
        &self.words
    }

    pub(crate) fn unit(&self) -> Option<&Unit> {
        self.unit.as_ref()
    }

    pub(crate) fn json(&self) -> &CStr {
        &self.json
    }

    pub(crate) fn text(&self) -> &CStr {
        &self.text
    }

    pub(crate) fn dependencies(&self) -> &[CString] {
        &self.dependencies
    }

    pub(crate) fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }
}

/// Diagnostics that are being collected.
#[derive(Default)]
struct List {
    diagnostics: Vec<Diagnostic>,
    strings: Vec<CString>,
}

impl List {
    /// Adds a diagnostic, and its notes behind it.
    fn add(&mut self, found: &Diagnostics, diagnostic: &diag::Diagnostic) {
        let severity = match diagnostic.severity {
            diag::Severity::Error => Severity::Error,
            diag::Severity::Warning => Severity::Warning,
        };
        let place = |range: Option<SourceRange>| range.and_then(|range| found.place(range));
        let option = diagnostic.option().unwrap_or_default();
        let help = diagnostic.help.as_deref().unwrap_or_default();
        self.push(severity, place(diagnostic.range), [&diagnostic.message, &option, help]);
        for note in &diagnostic.notes {
            self.push(Severity::Note, place(note.range), [&note.message, "", ""]);
        }
    }

    fn push(&mut self, severity: Severity, place: Option<diag::Place>, [message, option, help]: [&str; 3]) {
        let (line, column) = place.as_ref().map_or((0, 0), |place| (place.line, place.column));
        let file = self.keep(place.as_ref().map_or("", |place| &place.file));
        let (message, option, help) = (self.keep(message), self.keep(option), self.keep(help));
        self.diagnostics.push(Diagnostic { severity, line, column, file, message, option, help });
    }

    /// A string that lives as long as the list's strings; it does not move with them.
    fn keep(&mut self, text: &str) -> *const c_char {
        let text = c_string(text);
        let pointer = text.as_ptr();
        self.strings.push(text);
        pointer
    }
}

/// A string for C, in which a zero would end it.
fn c_string(text: &str) -> CString {
    CString::new(text.replace('\0', "\u{fffd}")).unwrap_or_default()
}
