//! Diagnostics as Python's objects.

use clforge_runtime::Diagnostics;
use clforge_runtime::diag::{self, Severity, SourceRange};
use pyo3::prelude::*;

/// An error or a warning of the compiler.
#[pyclass(frozen, get_all, module = "clforge")]
pub struct Diagnostic {
    /// `error` or `warning`.
    severity: &'static str,
    /// What is wrong, in one sentence without a place.
    message: String,
    /// The file's name; `None` where the diagnostic has no place, like `line` and `column`.
    file: Option<String>,
    /// The line, from 1.
    line: Option<u32>,
    /// The column in characters, from 1.
    column: Option<u32>,
    /// The option that names the warning, such as `-Wunused-value`.
    option: Option<String>,
    /// What to do about it.
    help: Option<String>,
    /// Related places.
    notes: Vec<Py<Note>>,
    /// The whole diagnostic as text, with the source's line and a caret.
    rendered: String,
}

/// A remark of a diagnostic about another place.
#[pyclass(frozen, get_all, module = "clforge")]
pub struct Note {
    /// What it says.
    message: String,
    /// The file's name; `None` where the note has no place, like `line` and `column`.
    file: Option<String>,
    /// The line, from 1.
    line: Option<u32>,
    /// The column in characters, from 1.
    column: Option<u32>,
}

#[pymethods]
impl Diagnostic {
    fn __str__(&self) -> &str {
        &self.rendered
    }

    fn __repr__(&self) -> String {
        format!("<Diagnostic {}{}: {}>", place(&self.file, self.line, self.column), self.severity, self.message)
    }
}

#[pymethods]
impl Note {
    fn __repr__(&self) -> String {
        format!("<Note {}{}>", place(&self.file, self.line, self.column), self.message)
    }
}

fn place(file: &Option<String>, line: Option<u32>, column: Option<u32>) -> String {
    match (file, line, column) {
        (Some(file), Some(line), Some(column)) => format!("{file}:{line}:{column}: "),
        _ => String::new(),
    }
}

/// All diagnostics, in order.
pub fn list(py: Python<'_>, found: &Diagnostics) -> PyResult<Vec<Py<Diagnostic>>> {
    found.list.iter().map(|diagnostic| Py::new(py, one(py, found, diagnostic)?)).collect()
}

fn one(py: Python<'_>, found: &Diagnostics, diagnostic: &diag::Diagnostic) -> PyResult<Diagnostic> {
    let (file, line, column) = parts(found, diagnostic.range);
    let note = |note: &diag::Note| {
        let (file, line, column) = parts(found, note.range);
        Py::new(py, Note { message: note.message.clone(), file, line, column })
    };
    Ok(Diagnostic {
        severity: match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        },
        message: diagnostic.message.clone(),
        file,
        line,
        column,
        option: diagnostic.option(),
        help: diagnostic.help.clone(),
        notes: diagnostic.notes.iter().map(note).collect::<PyResult<_>>()?,
        rendered: found.render_one(diagnostic, false),
    })
}

fn parts(found: &Diagnostics, range: Option<SourceRange>) -> (Option<String>, Option<u32>, Option<u32>) {
    let place = range.and_then(|range| found.place(range));
    place.map_or((None, None, None), |place| (Some(place.file), Some(place.line), Some(place.column)))
}
