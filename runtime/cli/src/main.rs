//! The `clforge` command: compiles OpenCL C, runs it on Vulkan, lists devices, describes modules.

mod arg_spec;
mod build_options;
mod cli;
mod compile;
mod crash;
mod devices;
mod failure;
mod images;
mod input;
mod output;
mod reflect;
mod run;
mod terminal;
mod trace;
mod values;

use clap::Parser;
use cli::{Cli, Command};
use failure::Failure;
use std::process::ExitCode;
use std::sync::{Arc, Mutex};

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
    ExitCode::from(code)
}

/// Runs the command line and returns the exit code.
fn command() -> u8 {
    let (words, build) = match build_options::split(std::env::args_os()) {
        Ok(parts) => parts,
        Err(message) => {
            terminal::error(&message);
            return failure::USAGE;
        }
    };
    let cli = match Cli::try_parse_from(words) {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version are "errors" too, with the exit code 0. A closed pipe is no failure.
            let _ = error.print();
            return error.exit_code().clamp(0, 255) as u8;
        }
    };
    let result = match cli.command {
        Command::Compile(arguments) => compile::compile(&arguments, &build),
        Command::Run(arguments) => run::run(&arguments, &build),
        Command::Devices(_) | Command::Reflect(_) if !build.is_empty() => {
            Err(Failure::Usage("this command takes no build options".into()))
        }
        Command::Devices(arguments) => devices::devices(&arguments),
        Command::Reflect(arguments) => reflect::reflect(&arguments),
    };
    match result {
        Ok(()) => failure::SUCCESS,
        Err(failure) => failure.report(),
    }
}
