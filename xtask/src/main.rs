//! Chores of the project: `cargo xtask demo` to see it work, `cargo xtask test` to check everything.
#![forbid(unsafe_code)]

mod bench;
mod corpus;
mod demo;
mod generate;
mod process;
mod setup;
mod test;
mod tidy;

use clap::{Parser, Subcommand};
use std::path::PathBuf;
use std::process::ExitCode;

/// Why a chore failed, for people.
type Outcome = Result<(), String>;

#[derive(Parser)]
#[command(name = "cargo xtask", about = "Chores of the clforge project", arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Subcommand)]
enum Chore {
    /// Build, compile the demo programs, run them on the best Vulkan device and write a picture
    Demo,
    /// Install what the tests need and run everything: formatting, clippy, docs, tidy, all tests
    Test {
        /// Also run the tests in release mode and the corpus over our own kernels
        #[arg(long)]
        full: bool,
    },
    /// The same as `test`, as continuous integration calls it
    Ci,
    /// Rewrite the expectations of the filetests from what the compiler prints now
    Bless,
    /// Check the conventions of the code base
    Tidy,
    /// Compile and validate every overload of every built-in function for both targets, and count
    Builtins,
    /// Compile every .cl below a folder for both targets and count what works
    Corpus {
        /// The folder; it is an include folder too, as is each file's own
        folder: PathBuf,
        /// Build options for every file: -D, -I, -cl-…
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        options: Vec<String>,
    },
    /// Measurements
    Bench {
        #[command(subcommand)]
        what: Bench,
    },
}

#[derive(Subcommand)]
enum Bench {
    /// Whole-process compile time and peak memory, beside clang and llvm-spirv where installed
    Compile {
        /// Runs of each measurement; the median counts
        #[arg(long, default_value_t = 15)]
        repeat: usize,
    },
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().chore {
        Chore::Demo => demo::demo(),
        Chore::Test { full } => test::test(full),
        Chore::Ci => test::test(false),
        Chore::Bless => test::bless(),
        Chore::Tidy => tidy::tidy(),
        Chore::Builtins => test::builtins(),
        Chore::Corpus { folder, options } => corpus::corpus(&folder, &options),
        Chore::Bench { what: Bench::Compile { repeat } } => bench::compile(repeat),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}
