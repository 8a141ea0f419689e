//! The `clforge` command: compiles OpenCL C, runs it on Vulkan, lists devices, describes modules.

#![cfg_attr(not(test), warn(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss))]

mod arg_spec;
mod build_options;
mod cli;
mod compile;
mod compile_output;
mod crash;
mod depfile;
mod devices;
mod failure;
mod fields;
mod generated;
mod images;
mod input;
mod known_options;
mod link;
mod output;
mod quirks;
mod reflect;
mod requirements;
mod response_files;
mod run;
mod run_arguments;
mod support;
mod terminal;
mod trace;
mod values;
mod version;
mod wgsl;

use clap::{ColorChoice, FromArgMatches, ValueEnum};
use cli::{Cli, Command, MessageArguments};
use failure::Failure;
use std::ffi::OsString;
use std::process::ExitCode;
use std::sync::{Arc, Mutex};
use terminal::{Color, MessageFormat, Settings};

fn main() -> ExitCode {
    crash::install();
    // A panic is a bug of ours; it is reported as one, without the trace a user can do nothing with.
    let panic = Arc::new(Mutex::new(String::new()));
    let place = panic.clone();
    std::panic::set_hook(Box::new(move |info| {
        if let Ok(mut text) = place.lock() {
            *text = info.to_string();
        }
    }));
    let code = match std::panic::catch_unwind(command) {
        Ok(code) => code,
        Err(_) => {
            let text = panic.lock().map(|text| text.clone()).unwrap_or_default();
            terminal::error(&format!(
                "internal error: {text}\nthis is a bug in clforge, not in your program; please report it"
            ));
            failure::DEVICE
        }
    };
    crash::end_abandoned(code);
    ExitCode::from(code)
}

/// Runs the command line and returns the exit code.
fn command() -> u8 {
    if version::is_wanted(&std::env::args_os().collect::<Vec<_>>()) {
        let printed = output::stdout(version::text().as_bytes());
        return printed.map_or_else(Failure::report, |()| failure::SUCCESS);
    }
    let words = response_files::expand(std::env::args_os());
    let parts = words.and_then(|words| {
        let cli = cli::command(&words);
        build_options::split(&cli, words).map(|parts| (cli, parts)).map_err(Failure::Usage)
    });
    let (cli, (words, build)) = match parts {
        Ok(parts) => parts,
        Err(failure) => {
            let words: Vec<OsString> = std::env::args_os().collect();
            terminal::configure(Settings { format: format(&words), ..Settings::default() });
            return failure.report();
        }
    };
    let (colors, format) = (colors(&words), format(&words));
    let parsed = cli.color(colors).try_get_matches_from(words);
    let cli = match parsed.and_then(|mut matches| Cli::from_arg_matches_mut(&mut matches)) {
        Ok(cli) => cli,
        Err(error) => {
            terminal::configure(Settings { format, ..Settings::default() });
            terminal::usage(&error);
            return u8::try_from(error.exit_code().clamp(0, 255)).unwrap_or(u8::MAX);
        }
    };
    let MessageArguments { color, message_format: format, quiet, verbose } = cli.messages;
    let no_warnings = build.options(0).language.no_warnings;
    terminal::configure(Settings { color, format, quiet, verbose, no_warnings });
    build.complaints.iter().for_each(|complaint| terminal::warning(&complaint.message));
    let result = match cli.command {
        Command::Compile(arguments) => compile::compile(&arguments, &build),
        _ if build.outputs.first.is_some() => {
            let option = build.outputs.first.as_deref().unwrap_or_default();
            Err(Failure::Usage(format!("'{option}' is an option of 'clforge compile'")))
        }
        Command::Link(arguments) => link::link(&arguments, &build),
        Command::Run(arguments) => run::run(&arguments, &build),
        Command::Devices(_) if !build.is_empty() => Err(Failure::Usage("this command takes no build options".into())),
        Command::Devices(arguments) => devices::devices(&arguments),
        Command::Reflect(arguments) => reflect::reflect(&arguments, &build),
    };
    match result {
        Ok(()) => failure::SUCCESS,
        Err(failure) => failure.report(),
    }
}

/// What `--color` says, for clap's own messages, which are printed before the command line is known.
fn colors(words: &[OsString]) -> ColorChoice {
    match value_of("--color", words) {
        Some("always") => ColorChoice::Always,
        Some("never") => ColorChoice::Never,
        _ if !Color::Auto.is_on() => ColorChoice::Never,
        _ => ColorChoice::Auto,
    }
}

/// What `--message-format` says, for mistakes in the rest of the command line.
fn format(words: &[OsString]) -> MessageFormat {
    let format = value_of("--message-format", words).map(|name| MessageFormat::from_str(name, false));
    format.and_then(Result::ok).unwrap_or_default()
}

/// The value of an option in a command line that may be wrong.
fn value_of<'w>(option: &str, words: &'w [OsString]) -> Option<&'w str> {
    words.iter().enumerate().find_map(|(index, word)| {
        let rest = word.to_str()?.strip_prefix(option)?;
        match rest.is_empty() {
            true => words.get(index + 1)?.to_str(),
            false => rest.strip_prefix('='),
        }
    })
}
