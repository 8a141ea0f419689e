//! The project's development commands, such as `cargo xtask demo` and `cargo xtask test`.
#![forbid(unsafe_code)]

mod accuracy;
mod bench;
mod book;
mod capi;
mod corpus;
mod cts;
mod demo;
mod device_bench;
mod device_test;
mod dist;
mod documents;
mod driver_flags;
mod drivers;
mod fuzz_front;
mod generate;
mod layers;
mod opencl;
mod process;
mod release;
mod roots;
mod setup;
mod test;
mod tidy;
mod tools;
mod verdicts;
mod web;
mod wheel;

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
        /// Also run the tests in release mode, the corpus over our own kernels, conversions of 100,000 values each,
        /// clang over the tests of our diagnostics, 20 random programs, and packages in bare roots of Debian
        #[arg(long)]
        full: bool,
    },
    /// The same as `test`, as continuous integration calls it
    Ci,
    /// Rewrite the expectations of the filetests from what the compiler prints now
    Bless,
    /// Check the conventions of the code base
    Tidy {
        /// Write the lists in the documents that are made from tables in the sources
        #[arg(long)]
        write: bool,
    },
    /// Check the book in docs/book: links, its commands and what they print, the reference; make its pages with mdbook
    Book(book::Arguments),
    /// Compare the diagnostics' tests with clang's verdicts
    Verdicts,
    /// Compile and validate every overload of every built-in function for both targets, and count
    Builtins,
    /// Compile every .cl below a folder with its program's options for both targets and count what works
    Corpus(corpus::Arguments),
    /// Fuzz the compiler's stages with libFuzzer (needs `cargo install cargo-fuzz` and a C++ compiler)
    FuzzFront {
        /// Minutes for each target
        #[arg(long, default_value_t = 5)]
        minutes: u64,
        /// Only these targets: preprocess, parse, sema, compile_vulkan, compile_opencl, read_spirv
        #[arg(long = "target")]
        targets: Vec<String>,
        /// Folders with sources to begin from, besides our own cases
        seeds: Vec<PathBuf>,
    },
    /// Mutants of modules for OpenCL through the compiler: each is an error or a valid module
    FuzzReader {
        /// --seconds N, --seed S, --validate N, --out FOLDER, and folders with sources and modules to begin from
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// Random programs through both targets, compared with an OpenCL driver given the same source
    Fuzz {
        /// --count N, --seed S, --jobs N, --print, or files to check; see `-- --help`
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// Our kernels and random programs with each workaround, for each Vulkan version, through a validator
    Validate {
        /// --validator PATH, --count N, --seed S, --targets, --only, --random, --jobs N: see `-- --help`
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// Pipelines of all cases, programs and benchmarks on every Vulkan driver, and what the driver tells of its code
    Drivers {
        /// --driver FILE, --gpus NAMES, --shims FOLDER, --limit SECONDS, --all, --workarounds, --keep, --table: see `-- --help`
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// All end-to-end tests on a Vulkan device, from a folder that can be carried to a machine without cargo
    DeviceTest {
        /// Only make the folder target/device-test
        #[arg(long)]
        build_only: bool,
        /// Keep the results in shaders-test/results
        #[arg(long)]
        keep: bool,
        /// The device, by number or by (part of its) name
        #[arg(long, value_name = "N|NAME")]
        device: Option<String>,
        /// Build with this profile rather than `release`
        #[arg(long)]
        profile: Option<String>,
    },
    /// Build the compiler's library for C and C++ and the command, and install them below a folder, for pkg-config and CMake
    Capi {
        /// Such as $HOME/.local
        prefix: PathBuf,
        #[arg(long, value_name = "NAME")]
        profile: Option<String>,
    },
    /// Build the OpenCL client driver and a folder that makes loaders find it (`OCL_ICD_VENDORS`)
    Opencl {
        /// Build with this profile rather than `release`
        #[arg(long)]
        profile: Option<String>,
    },
    /// Build an archive with everything and packages for Debian and systems with RPM into target/dist, for other machines, and a list of what they contain
    Dist {
        /// Build everything a second time, and fail where the results differ
        #[arg(long)]
        again: bool,
    },
    /// Install the packages, the archive and the wheel in bare roots of Debian, and run programs with them (as root)
    Roots {
        /// Only these: bookworm, trixie
        releases: Vec<String>,
    },
    /// Translate the kernels of examples/web to WGSL, run its page in Chromium and compare what it computes with the host
    Web(web::Arguments),
    /// Build the Python wheels into target/wheels, with the command and the OpenCL driver in them
    Wheel,
    /// Build the Python wheels, install one in a new environment with numpy and PyOpenCL, and run its tests there
    Python {
        /// An interpreter to test with (repeatable) [default: python3]
        #[arg(long = "python", value_name = "PROGRAM")]
        interpreters: Vec<String>,
        /// Take the wheels that are in target/wheels
        #[arg(long)]
        built: bool,
        /// Options for pytest
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        options: Vec<String>,
    },
    /// Run Khronos' conformance tests for OpenCL, which the user has built, on our client driver
    Cts(cts::Arguments),
    /// Measure the errors of all floating functions on a device and write its section of docs/accuracy.md
    Accuracy {
        /// --device, --opencl, --samples, --every, --exhaustive, --only, --type, --output: see `-- --help`
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
    /// Time to the first result of a program that uses PyOpenCL, with the wheel in target/wheels and with PoCL's
    Python {
        /// Runs of each measurement; the median counts
        #[arg(long, default_value_t = 9)]
        repeat: usize,
    },
    /// Kernels and costs of the runtime on a Vulkan device, beside every OpenCL driver, from one program that can be carried to
    /// another machine
    Device {
        /// Only make the folder target/device-bench
        #[arg(long)]
        build_only: bool,
        /// Keep the results in shaders-test/results/device-bench and write docs/performance.md
        #[arg(long)]
        keep: bool,
        /// Build with this profile rather than `release`
        #[arg(long)]
        profile: Option<String>,
        /// --device, --opencl, --only, --quick, --full: see `-- --help`
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        options: Vec<String>,
    },
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().chore {
        Chore::Demo => demo::demo(),
        Chore::Test { full } => test::test(full),
        Chore::Ci => test::test(false),
        Chore::Bless => test::bless(),
        Chore::Tidy { write } => tidy::tidy(write),
        Chore::Book(arguments) => book::book(&arguments),
        Chore::Verdicts => verdicts::verdicts(&process::root().join(verdicts::FOLDER)),
        Chore::Builtins => test::builtins(),
        Chore::Corpus(arguments) => corpus::corpus(&arguments),
        Chore::FuzzFront { minutes, targets, seeds } => fuzz_front::fuzz_front(minutes, &targets, &seeds),
        Chore::FuzzReader { arguments } => test::fuzz_reader(&arguments),
        Chore::Fuzz { arguments } => test::fuzz(&arguments),
        Chore::Validate { arguments } => test::validate(&arguments),
        Chore::Drivers { arguments } => drivers::drivers(&arguments),
        Chore::DeviceTest { build_only, keep, device, profile } => {
            device_test::device_test(&device_test::Options { build_only, keep, device, profile })
        }
        Chore::Capi { prefix, profile } => capi::capi(&prefix, profile.as_deref().unwrap_or("release")),
        Chore::Opencl { profile } => opencl::opencl(profile.as_deref().unwrap_or("release")),
        Chore::Dist { again } => dist::dist(again),
        Chore::Roots { releases } => roots::roots(&releases),
        Chore::Web(arguments) => web::web(&arguments),
        Chore::Wheel => wheel::wheel(),
        Chore::Python { interpreters, built, options } => wheel::python(&interpreters, built, &options),
        Chore::Cts(arguments) => cts::cts(&arguments),
        Chore::Accuracy { options } => accuracy::accuracy(&options),
        Chore::Bench { what: Bench::Compile { repeat } } => bench::compile(repeat),
        Chore::Bench { what: Bench::Python { repeat } } => wheel::bench(repeat),
        Chore::Bench { what: Bench::Device { build_only, keep, profile, options } } => {
            device_bench::device_bench(build_only, keep, profile.as_deref(), &options)
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}
