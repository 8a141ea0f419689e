//! Messages on standard error, according to `--message-format`, `--color`, `--quiet` and `--verbose`. Writing never
//! panics and never fails.

use clforge_compiler::diag::{Diagnostic, Diagnostics, Severity};
use clforge_runtime::LaunchReport;
use serde_json::{Value, json};
use std::io::{IsTerminal, Write};
use std::sync::OnceLock;

/// When messages have colours.
#[derive(clap::ValueEnum, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Color {
    /// On a terminal, unless NO_COLOR is set or TERM is 'dumb'
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// The form of messages.
#[derive(clap::ValueEnum, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MessageFormat {
    /// With the line of the source and a caret
    #[default]
    Human,
    /// One line each: file:line:column: error: …
    Short,
    /// One JSON object a line: file, line, column, severity, message, flag, help, notes
    Json,
}

/// What the command line says of messages.
#[derive(Clone, Copy, Debug, Default)]
pub struct Settings {
    /// `--color`
    pub color: Color,
    /// `--message-format`
    pub format: MessageFormat,
    /// `--quiet`: errors only.
    pub quiet: bool,
    /// `--verbose`: also what is being done.
    pub verbose: bool,
    /// `-w`: no warnings.
    pub no_warnings: bool,
}

static SETTINGS: OnceLock<Settings> = OnceLock::new();

/// Sets the form of all messages that follow; only the first call counts.
pub fn configure(settings: Settings) {
    let _ = SETTINGS.set(settings);
}

fn settings() -> Settings {
    SETTINGS.get().copied().unwrap_or_default()
}

impl Color {
    /// Whether standard error gets colours.
    pub fn is_on(self) -> bool {
        let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        match self {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => {
                let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
                std::io::stderr().is_terminal() && !is_set("NO_COLOR") && !dumb
            }
        }
    }
}

/// Prints a line to standard error. A failure to write has no place to be reported.
fn stderr(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// Prints `clforge: error: …` to standard error.
pub fn error(message: &str) {
    message_of("error", message);
}

/// Prints what is wrong with the command line. Help and version are such "errors" too, for standard output; a closed pipe
/// is no failure.
pub fn usage(error: &clap::Error) {
    if !error.use_stderr() || settings().format == MessageFormat::Human {
        let _ = error.print();
        return;
    }
    let text = error.render().to_string();
    let mut paragraphs = text.split("\n\n").map(str::trim);
    let message = paragraphs.next().unwrap_or_default();
    let message =
        message.strip_prefix("error: ").unwrap_or(message).lines().map(str::trim).collect::<Vec<_>>().join(" ");
    let tips: Vec<&str> = paragraphs.filter_map(|paragraph| paragraph.strip_prefix("tip: ")).collect();
    match settings().format {
        MessageFormat::Json => {
            let mut value = object("error", &message);
            value["help"] = (!tips.is_empty()).then(|| tips.join("\n")).into();
            stderr(&value.to_string());
        }
        MessageFormat::Human | MessageFormat::Short => stderr(&format!("clforge: error: {message}")),
    }
}

/// Whether warnings are printed.
pub fn gives_warnings() -> bool {
    let Settings { quiet, no_warnings, .. } = settings();
    !quiet && !no_warnings
}

/// Prints `clforge: warning: …` to standard error.
pub fn warning(message: &str) {
    if gives_warnings() {
        message_of("warning", message);
    }
}

/// Prints what is being done, with `--verbose`. The text is made only then.
pub fn verbose(message: impl FnOnce() -> String) {
    if settings().verbose {
        message_of("note", &message());
    }
}

fn message_of(severity: &str, message: &str) {
    match settings().format {
        MessageFormat::Json => stderr(&object(severity, message).to_string()),
        MessageFormat::Human | MessageFormat::Short => stderr(&format!("clforge: {severity}: {message}")),
    }
}

fn object(severity: &str, message: &str) -> Value {
    json!({
        "file": null, "line": null, "column": null, "severity": severity, "message": message, "flag": null,
        "help": null, "notes": [],
    })
}

/// Prints the accesses of a launch that were out of range.
pub fn out_of_range(report: &LaunchReport) {
    let Settings { color, format, .. } = settings();
    for place in &report.places {
        match format {
            MessageFormat::Human => stderr(&format!("{}\n", place.render(color.is_on()))),
            MessageFormat::Short => stderr(&place.render_short()),
            MessageFormat::Json => stderr(&place.json()),
        }
    }
}

/// Prints errors and warnings of a source.
pub fn diagnostics(diagnostics: &Diagnostics) {
    let Settings { color, format, quiet, .. } = settings();
    let list = diagnostics.list.iter().filter(|diagnostic| diagnostic.severity == Severity::Error || !quiet);
    let shown = Diagnostics {
        list: list.cloned().collect(),
        suppressed: diagnostics.suppressed,
        sources: diagnostics.sources.clone(),
        names: diagnostics.names.clone(),
    };
    let text = match format {
        MessageFormat::Human => shown.render(color.is_on()),
        MessageFormat::Short => shown.render_short(),
        MessageFormat::Json => {
            shown.list.iter().map(|diagnostic| format!("{}\n", to_json(&shown, diagnostic))).collect()
        }
    };
    if !text.is_empty() {
        stderr(text.trim_end());
    }
    if shown.suppressed > 0 && format != MessageFormat::Human {
        error(&format!("{} more errors are not shown", shown.suppressed));
    }
}

fn to_json(diagnostics: &Diagnostics, diagnostic: &Diagnostic) -> Value {
    let place = |value: &mut Value, range| {
        if let Some(place) = Option::and_then(range, |range| diagnostics.place(range)) {
            value["file"] = place.file.into();
            value["line"] = place.line.into();
            value["column"] = place.column.into();
        }
    };
    let severity = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    let mut value = object(severity, &diagnostic.message);
    place(&mut value, diagnostic.range);
    value["flag"] = diagnostic.flag.map(|flag| format!("-W{}", flag.name())).into();
    value["help"] = diagnostic.help.clone().into();
    let notes = diagnostic.notes.iter().map(|note| {
        let mut value = json!({ "file": null, "line": null, "column": null, "message": note.message });
        place(&mut value, note.range);
        value
    });
    let includes = diagnostic.range.map(|range| diagnostics.includes(range)).unwrap_or_default();
    let includes = includes.into_iter().map(|(file, line)| {
        let message = "in file included from here";
        json!({ "file": file, "line": line, "column": null, "message": message })
    });
    value["notes"] = notes.chain(includes).collect();
    value
}
