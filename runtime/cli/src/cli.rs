//! The command line as clap parses it. Build options are removed before: see `build_options`.

use crate::terminal::{Color, MessageFormat};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{ArgMatches, Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use clforge_compiler::options::{Addressing, EmulatedTypes};
use clforge_compiler::tuning::Tuning;
use clforge_compiler::workarounds::Workarounds;
use clforge_compiler::{SpecValue, Target};
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

const BUILD_OPTIONS: &str = "\
Build options (those of clBuildProgram and clang):
  -D NAME[=VALUE], -U NAME          Define or undefine a macro
  -I DIR                            Look for #include files in a folder
  -include FILE                     Include a file before the source (repeatable)
  -cl-std=CL1.0|CL1.1|CL1.2|CL2.0|CL3.0|CL3.1
                                    Language version [default: CL1.2 with all supported extensions]
  -cl-fast-relaxed-math  -cl-unsafe-math-optimizations  -cl-finite-math-only
  -cl-mad-enable  -cl-no-signed-zeros  -cl-denorms-are-zero
  -cl-single-precision-constant  -cl-fp32-correctly-rounded-divide-sqrt
  -cl-opt-disable  -cl-kernel-arg-info  -cl-uniform-work-group-size  -cl-no-subgroup-ifp
  -O0                               As -cl-opt-disable; -O1, -O2, -O3 and -Os are the default
  -w                                No warnings
  -Wall, -Wextra, -Weverything      More warnings: unused variables and functions, uninitialised use, …
  -WNAME, -Wno-NAME                 Turn a warning on or off by the name behind it: -Wno-unused-value
  -Werror[=NAME], -Wno-error[=NAME] Warnings are errors, or not
  -g                                Keep names and line numbers
  --bounds-check                    Vulkan: accesses outside of buffers, images and arrays read zeros, write nothing and are reported
  --sanitize=KIND[,KIND...]         Vulkan: report mistakes of kernels that run: address (with --bounds-check), undefined, race,
                                    memory, sync, or all; and float, shift, overflow
  --robust-buffer-access            Vulkan, with logical addressing: accesses outside of a buffer access its last element ('run'
                                    then takes logical addressing on every device)
  --address-bits 32|64              The width of pointers and size_t, as in clang's targets spir and spir64; on Vulkan 32 needs logical
                                    addressing, which 'run' then takes [default: 64]
  --wide-ids                        Vulkan: global ids, sizes and offsets of 64 bits, for ranges beyond 2^32 ('run' sets it by itself)
  --distinct-arguments              Vulkan: no argument that is only read overlaps one that is written, as if it were 'restrict'";

const OUTPUT_OPTIONS: &str = "\
Output options of clang:
  -fsyntax-only                     Check the source, write nothing
  -MD                               Also write the included files as a rule for Make, to the output's name with .d
  -MF FILE, -MT TARGET, -MQ TARGET, -MP
                                    Where to, for which target, with empty rules for included files

@FILE stands for the words in a file.";

const ARG_SPECS: &str = "\
Kernel arguments (--arg, one for each parameter, in order; NAME=SPEC gives one by the parameter's name):
  buffer:file=PATH                  A buffer with the contents of a file
  buffer:bytes=N                    A buffer of N zero bytes
  buffer:TYPE=v,v,...               A buffer of values: buffer:float=1,2.5,3
  buffer:TYPE:random=N              A buffer of N values, the same in every run: floating-point ones from 0 to 1, integers
                                    of the type's whole range
  buffer:TYPE:range=N               A buffer of 0, 1, 2, ...
  local:bytes=N                     Local memory
  v[,v...]                          A scalar or vector of the parameter's type: 1.5  1,2,3,4
  TYPE=v[,v...]                     The same where the module has no types: float=1.5  int4=1,2,3,4
  struct:FIELD=v[,v...];...         A structure or union by its fields: 'struct:pos=1,2,3,4;n=7;in.a[1]=2'. Arrays and vectors take
                                    all their values, fields that are left out are zero
  struct:file=PATH                  A structure, as raw bytes
  buffer:struct:FIELD=v;...|...     A buffer of structures: 'buffer:struct:x=1;y=2|x=3;y=4'
  null                              A null pointer
  image:file=PATH.png               An image (rgba8) with the contents of a file
  image:DIMS:FORMAT                 An image of zeros: image:64x64:rgba8  image:16:r32f  image:8x8x8:rg16ui
  sampler:ADDRESS,FILTER,COORDS     A sampler: none, clamp, clamp_to_edge, repeat or mirrored_repeat; nearest or
                                    linear; normalized or unnormalized";

const EXIT_CODES: &str =
    "'clforge --version --verbose' also lists the drivers of this machine, and what is worked around in them.

Exit codes: 0 success, 1 the program has errors, 2 wrong usage, 3 no device or the device failed";

/// Compiles OpenCL C to SPIR-V and runs it on Vulkan devices.
#[derive(Parser, Debug)]
#[command(name = "clforge", version, after_help = EXIT_CODES, propagate_version = true)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
    #[command(flatten)]
    pub messages: MessageArguments,
}

#[derive(Args, Clone, Copy, Debug)]
#[command(next_help_heading = "Messages")]
pub struct MessageArguments {
    /// When messages have colours.
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub color: Color,
    /// The form of messages.
    #[arg(long, global = true, value_name = "FORM", default_value = "human")]
    pub message_format: MessageFormat,
    /// Print errors only, no warnings.
    #[arg(long, short, global = true, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Say what is being done.
    #[arg(long, short, global = true)]
    pub verbose: bool,
}

/// A subcommand with its arguments.
#[derive(Debug)]
pub enum Command {
    Compile(CompileArguments),
    Link(LinkArguments),
    Run(RunArguments),
    Devices(DevicesArguments),
    Reflect(ReflectArguments),
}

/// Adds the arguments to a subcommand.
type Define = fn(clap::Command) -> clap::Command;

/// The subcommands: name, purpose, and arguments.
const SUBCOMMANDS: [(&str, &str, Define); 5] = [
    ("compile", "Compile OpenCL C to SPIR-V (needs no Vulkan)", |compile| {
        CompileArguments::augment_args(compile)
            .override_usage("clforge compile [OPTIONS] [OUTPUT OPTIONS] [BUILD OPTIONS] <FILE>...")
            .after_help(format!("{OUTPUT_OPTIONS}\n\n{BUILD_OPTIONS}"))
    }),
    ("link", "Link units, sources and modules for OpenCL to a module (needs no Vulkan)", |link| {
        LinkArguments::augment_args(link)
            .override_usage("clforge link [OPTIONS] [BUILD OPTIONS] -o <OUT> <FILE>...")
            .after_help(BUILD_OPTIONS)
    }),
    ("run", "Run a kernel on a Vulkan device", |run| {
        RunArguments::augment_args(run)
            .override_usage("clforge run [OPTIONS] --global <X[,Y[,Z]]> [BUILD OPTIONS] <FILE>")
            .after_help(format!("{ARG_SPECS}\n\n{BUILD_OPTIONS}"))
    }),
    (
        "devices",
        "List the Vulkan devices; '*' marks the one that 'run' takes by default",
        DevicesArguments::augment_args,
    ),
    ("reflect", "Describe the kernels of a module or of an OpenCL C source", |reflect| {
        ReflectArguments::augment_args(reflect).after_help(BUILD_OPTIONS)
    }),
];

/// The definition of the command line for the subcommand that is the first of `words`, or for all: to define the arguments
/// of all takes as long as compiling a small kernel.
pub fn command(words: &[OsString]) -> clap::Command {
    let named = |name: &str| words.get(1).is_some_and(|word| word == name);
    let all = !SUBCOMMANDS.iter().any(|(name, ..)| named(name));
    let wanted = SUBCOMMANDS.iter().filter(|(name, ..)| all || named(name));
    // The purpose again, since clap replaces it with the description of a flattened group of arguments.
    wanted.fold(Cli::command(), |cli, (name, about, arguments)| {
        cli.mut_subcommand(name, |subcommand| arguments(subcommand).about(about))
    })
}

/// By hand, since the derived one defines the arguments of all subcommands.
impl Subcommand for Command {
    fn augment_subcommands(cli: clap::Command) -> clap::Command {
        cli.subcommands(SUBCOMMANDS.map(|(name, about, _)| clap::Command::new(name).about(about)))
    }

    fn augment_subcommands_for_update(cli: clap::Command) -> clap::Command {
        Command::augment_subcommands(cli)
    }

    fn has_subcommand(name: &str) -> bool {
        SUBCOMMANDS.iter().any(|(known, ..)| *known == name)
    }
}

impl FromArgMatches for Command {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Command, clap::Error> {
        Command::from_arg_matches_mut(&mut matches.clone())
    }

    fn from_arg_matches_mut(matches: &mut ArgMatches) -> Result<Command, clap::Error> {
        let Some((name, mut matches)) = matches.remove_subcommand() else {
            return Err(clap::Error::new(clap::error::ErrorKind::MissingSubcommand));
        };
        match name.as_str() {
            "compile" => CompileArguments::from_arg_matches_mut(&mut matches).map(Command::Compile),
            "link" => LinkArguments::from_arg_matches_mut(&mut matches).map(Command::Link),
            "run" => RunArguments::from_arg_matches_mut(&mut matches).map(Command::Run),
            "devices" => DevicesArguments::from_arg_matches_mut(&mut matches).map(Command::Devices),
            "reflect" => ReflectArguments::from_arg_matches_mut(&mut matches).map(Command::Reflect),
            _ => Err(clap::Error::new(clap::error::ErrorKind::InvalidSubcommand)),
        }
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Command::from_arg_matches(matches)?;
        Ok(())
    }
}

#[derive(Args, Debug)]
pub struct CompileArguments {
    /// OpenCL C sources, '-' for standard input; or modules for OpenCL, whose names end in .spv, which are translated
    /// for Vulkan.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Output file, '-' for standard output [default: the source's name with .spv in this folder; text is printed]
    #[arg(short, value_name = "OUT")]
    pub output: Option<PathBuf>,
    /// Folder of the outputs of all sources, and of the dependency files of -MD; it is created [default: this folder]
    #[arg(long, value_name = "DIR", conflicts_with = "output")]
    pub out_dir: Option<PathBuf>,
    /// The output [default: spirv; of --target webgpu: wgsl]
    #[arg(long, value_name = "OUTPUT")]
    pub emit: Option<Emit>,
    /// Preprocess only: as --emit preprocessed.
    #[arg(short = 'E', conflicts_with = "emit")]
    pub preprocess: bool,
    /// Write assembly: as --emit asm, to the source's name with .s unless -o is given.
    #[arg(short = 'S', conflicts_with = "emit")]
    pub assembly: bool,
    /// Write a module, which is the default.
    #[arg(short = 'c', conflicts_with = "emit")]
    pub module: bool,
    /// Also write the source and the files it includes as a rule for Make or Ninja.
    #[arg(long, value_name = "FILE")]
    pub depfile: Option<PathBuf>,
    /// Give a specialisation constant of a SPIR-V module another value (repeatable)
    #[arg(long = "spec-const", value_name = "ID=VALUE", value_parser = spec_const)]
    pub spec_consts: Vec<(u32, SpecValue)>,
    /// Also write what a program needs to launch the kernels, as 'clforge reflect --json' prints it
    #[arg(long, value_name = "FILE")]
    pub reflection: Option<PathBuf>,
    /// Leave the description of kernels out of the module, for devices without VK_KHR_shader_non_semantic_info. Only a
    /// program that knows the kernels can launch it.
    #[arg(long)]
    pub strip_reflection: bool,
    #[command(flatten)]
    pub made: ModuleArguments,
    #[command(flatten)]
    pub trace: TraceArguments,
}

/// What modules are made for, and how.
#[derive(Args, Debug, PartialEq)]
pub struct ModuleArguments {
    /// The environment to compile for.
    #[arg(long, default_value = "vulkan1.2", value_parser = targets(), value_name = "TARGET")]
    pub target: Environment,
    /// For webgpu: the work-group size of kernels without the attribute reqd_work_group_size [default: 64]
    #[arg(long, value_parser = work_group_size, value_name = "X[,Y[,Z]]")]
    pub work_group_size: Option<[u32; 3]>,
    /// Bytes of the buffer that printf writes to in Vulkan modules [default: 1048576]
    #[arg(long, value_name = "BYTES")]
    pub printf_buffer: Option<u32>,
    /// A feature of Vulkan that the module may use, such as shaderBufferFloat32AtomicAdd (repeatable): atomic
    /// operations on floating objects then become instructions instead of loops, and with shaderFmaFloat64 so does fma
    #[arg(long, value_name = "NAME")]
    pub device_feature: Vec<String>,
    /// A type that the device lacks, whose operations become ones on types that it has, integers of 32 bits at the
    /// least (repeatable); 'matrices' are cooperative matrices. With 'sub-groups' each work-item is a sub-group,
    /// with 'sub-group-arithmetic' reductions are shuffles, with 'sub-group-types' their operands are words. 'clforge
    /// run' adds those that its device lacks
    #[arg(long, value_name = "TYPE", value_delimiter = ',', value_parser = EmulatedTypes::NAMES)]
    pub emulate: Vec<String>,
    /// For webgpu: the bytes of each 'local' argument [default: 4096]
    #[arg(long, value_name = "BYTES")]
    pub local_bytes: Option<u32>,
    /// How buffers are addressed: by device addresses, or by descriptors of storage buffers and offsets, as consumers
    /// without pointers need it. 'clforge run' takes the second for devices without buffer addresses [default: physical64]
    #[arg(long, value_name = "FORMAT", value_parser = Addressing::NAMES)]
    pub addressing: Option<String>,
    /// The memory model: that of Vulkan where a module has barriers, atomics or volatile accesses and else that of GLSL,
    /// or that of GLSL for devices without the feature vulkanMemoryModel [default: vulkan]
    #[arg(long, value_name = "MODEL", value_parser = ["vulkan", "glsl"])]
    pub memory_model: Option<String>,
    /// Do not ask for signed zeros, infinities and NaNs, for devices without VK_KHR_shader_float_controls, whose drivers
    /// keep them as they do by default
    #[arg(long)]
    pub no_float_controls: bool,
    /// Defects of drivers to work around: 'portable' (what known Vulkan drivers need), 'none', 'pocl', or names
    /// separated by commas [default: portable]
    #[arg(long, value_parser = workarounds, value_name = "LIST", default_value = "portable", hide_default_value = true)]
    pub workarounds: Workarounds,
    /// Forms of code for the speed of drivers: 'portable', 'none', 'nvidia', or names separated by commas
    /// [default: portable]
    #[arg(long, value_parser = tuning, value_name = "LIST", default_value = "portable", hide_default_value = true)]
    pub tuning: Tuning,
    /// Check the intermediate representation after each pass
    #[arg(long)]
    pub verify_ir: bool,
    /// Leave out an optimisation (repeatable): to find the one that a difference is due to.
    #[arg(long, value_name = "PASS", value_parser = PossibleValuesParser::new(clforge_compiler::optimization_names()))]
    pub disable_pass: Vec<String>,
    /// Most bytes of a file that is read [default: 64 MiB of a source, an included file or a module]
    #[arg(long, value_name = "BYTES")]
    pub max_file_size: Option<u64>,
    /// Do not check the module with spirv-val.
    #[arg(long)]
    pub no_validate: bool,
}

impl ModuleArguments {
    /// Whether an option changes the modules that are made. Limits and checks do not.
    pub fn change_modules(&self) -> bool {
        let defaults = ModuleArguments::augment_args(clap::Command::new("")).try_get_matches_from([""]);
        let defaults = defaults.and_then(|matches| ModuleArguments::from_arg_matches(&matches));
        defaults.is_ok_and(|defaults| {
            let (max_file_size, no_validate, verify_ir) = (self.max_file_size, self.no_validate, self.verify_ir);
            ModuleArguments { max_file_size, no_validate, verify_ir, ..defaults } != *self
        })
    }
}

#[derive(Args, Debug)]
pub struct LinkArguments {
    /// Units that 'clforge compile --emit unit' or '--library' has made, OpenCL C sources, which are compiled, or SPIR-V modules
    /// for OpenCL
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Output file, '-' for standard output.
    #[arg(short, required = true, value_name = "OUT")]
    pub output: PathBuf,
    /// Make a unit of all units, which can be linked to others.
    #[arg(long)]
    pub library: bool,
    #[command(flatten)]
    pub made: ModuleArguments,
}

/// What a compilation prints about itself.
#[derive(Args, Debug)]
pub struct TraceArguments {
    /// Print the IR before each run of a pass to standard error (repeatable); 'all' for every pass
    #[arg(long, value_name = "PASS")]
    pub print_before: Vec<String>,
    /// Print the IR after each run of a pass to standard error (repeatable); 'all' for every pass
    #[arg(long, value_name = "PASS")]
    pub print_after: Vec<String>,
    /// Print how long each stage and pass took to standard error
    #[arg(long)]
    pub time_passes: bool,
}

impl TraceArguments {
    /// Whether anything is to be printed.
    pub fn is_wanted(&self) -> bool {
        self.time_passes || !self.print_before.is_empty() || !self.print_after.is_empty()
    }
}

/// The output of `compile`.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Emit {
    /// The module
    Spirv,
    /// SPIR-V assembly
    Asm,
    /// The intermediate representation after all passes
    Ir,
    /// The typed program
    Hir,
    /// The syntax tree
    Ast,
    /// The source after preprocessing
    Preprocessed,
    /// WGSL, for '--target webgpu'
    Wgsl,
    /// A C header with the module as an array of uint32_t and its size
    CArray,
    /// A Rust constant with the module as an array of u32
    RustArray,
    /// A unit to be linked: see 'clforge link'
    Unit,
}

#[derive(Args, Debug)]
pub struct RunArguments {
    /// OpenCL C source, '-' for standard input, or a SPIR-V module for Vulkan or OpenCL, whose name ends in .spv.
    pub file: PathBuf,
    /// The kernel to run [default: the only one]
    #[arg(long, value_name = "NAME")]
    pub kernel: Option<String>,
    /// Work-items in each dimension.
    #[arg(long, value_name = "X[,Y[,Z]]", allow_hyphen_values = true)]
    pub global: String,
    /// Work-items of a work-group in each dimension; it need not divide the global size [default: chosen for the device]
    #[arg(long, value_name = "X[,Y[,Z]]", allow_hyphen_values = true)]
    pub local: Option<String>,
    /// Work-items of a sub-group, on devices that have several sizes [default: the kernel's attribute or the device's]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub sub_group_size: Option<u32>,
    /// Global id of the first work-item [default: 0]
    #[arg(long, value_name = "X[,Y[,Z]]", allow_hyphen_values = true)]
    pub offset: Option<String>,
    /// A kernel argument, see below.
    #[arg(long = "arg", value_name = "SPEC", allow_hyphen_values = true)]
    pub args: Vec<String>,
    /// Give a specialisation constant of a SPIR-V module another value (repeatable)
    #[arg(long = "spec-const", value_name = "ID=VALUE", value_parser = spec_const)]
    pub spec_consts: Vec<(u32, SpecValue)>,
    /// Write a buffer or image argument, by number or name, to a file after the run: images to a .png as a picture, else
    /// raw bytes. The file '-' is standard output; then all text goes to standard error.
    #[arg(long = "out", value_name = "I=FILE")]
    pub outs: Vec<String>,
    /// Print a buffer or image argument, by number or name, after the run, as values of its own type (structures by their fields) or of
    /// TYPE, all of them or COUNT.
    #[arg(long = "print", value_name = "I[:TYPE[:COUNT]]")]
    pub prints: Vec<String>,
    /// The device, by number or by (part of its) name [default: that of the environment variable CLFORGE_DEVICE, else
    /// discrete before integrated before CPU]
    #[arg(long, value_name = "N|NAME")]
    pub device: Option<String>,
    /// Bytes of the buffer that printf writes to; messages that do not fit are lost, with a warning [default: 1048576]
    #[arg(long, value_name = "BYTES")]
    pub printf_buffer: Option<u32>,
    /// Leave out an optimisation (repeatable): to find the one that a difference is due to.
    #[arg(long, value_name = "PASS", value_parser = PossibleValuesParser::new(clforge_compiler::optimization_names()))]
    pub disable_pass: Vec<String>,
    /// Launch the kernel although a buffer is given as numbers of another type than its parameter's: int for float*, say
    #[arg(long)]
    pub force: bool,
    /// Launch the kernel N times.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub repeat: u32,
    /// Give up a launch that has not ended after so many seconds (decimals allowed), compilation by the driver included, with exit
    /// code 3
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub timeout: Option<Duration>,
    /// Print how long the driver took to compile the kernel, and how long the launches took.
    #[arg(long)]
    pub time: bool,
    /// Print the times as JSON, in nanoseconds.
    #[arg(long, requires = "time")]
    pub json: bool,
    /// Neither use nor fill the cache of compiled modules and pipelines. The environment variable CLFORGE_CACHE names its
    /// folder, or is 'off'.
    #[arg(long)]
    pub no_cache: bool,
    /// Most bytes of a file that is read, and of a picture's texels [default: 64 MiB of a source, an included file or a module,
    /// 1 GiB of data]
    #[arg(long, value_name = "BYTES")]
    pub max_file_size: Option<u64>,
    /// Do not check the module with spirv-val.
    #[arg(long)]
    pub no_validate: bool,
}

#[derive(Args, Debug)]
pub struct DevicesArguments {
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

/// Languages of `clforge reflect --emit`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Declarations {
    /// A header for C
    CHeader,
    /// A header for C++, with a namespace for each kernel
    Cpp,
    /// A file of Rust, with a module for each kernel
    Rust,
}

#[derive(Args, Debug)]
pub struct ReflectArguments {
    /// A SPIR-V module, or a source whose name ends in .cl, which is compiled for Vulkan; '-' is a module on standard
    /// input.
    pub file: PathBuf,
    /// Output file, '-' for standard output [default: -]
    #[arg(short, value_name = "OUT")]
    pub output: Option<PathBuf>,
    /// Print declarations for programs that launch the module by themselves: structures for push constants and uniform
    /// buffers, with their offsets asserted, and constants for descriptors and specialisation constants.
    #[arg(long, value_name = "LANGUAGE", conflicts_with = "json")]
    pub emit: Option<Declarations>,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub made: ModuleArguments,
}

/// Reads the value of `--timeout`.
fn seconds(text: &str) -> Result<Duration, String> {
    let duration = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    duration.filter(|duration| !duration.is_zero()).ok_or_else(|| "give a number of seconds, like 10 or 0.5".into())
}

/// Reads the value of `--spec-const`.
fn spec_const(text: &str) -> Result<(u32, SpecValue), String> {
    let form = || "give ID=VALUE, such as 3=64, 3=0x40, 4=-1.5 or 5=true".to_owned();
    let (id, value) = text.split_once('=').ok_or_else(form)?;
    let integer = match (value, value.strip_prefix("0x")) {
        ("true", _) => Some(1),
        ("false", _) => Some(0),
        (_, Some(digits)) => i128::from_str_radix(digits, 16).ok(),
        _ => value.parse().ok(),
    };
    let number = integer.map(SpecValue::Integer).or_else(|| value.parse().ok().map(SpecValue::Float));
    Ok((id.parse().map_err(|_| form())?, number.ok_or_else(form)?))
}

/// Reads the value of `--target`.
fn targets() -> impl TypedValueParser<Value = Environment> {
    let aliases = Target::ALIASES.into_iter().map(|(alias, name)| PossibleValue::new(alias).help(name));
    let web_gpu = PossibleValue::new(WEB_GPU).help("WGSL, or modules that translators take");
    let names = Target::NAMES.into_iter().map(PossibleValue::new).chain(aliases).chain([web_gpu]);
    PossibleValuesParser::new(names.collect::<Vec<_>>()).try_map(|name| match name.as_str() {
        WEB_GPU => Ok(Environment::WebGpu),
        _ => Target::parse(&name).map(Environment::Spirv).ok_or_else(|| format!("there is no target '{name}'")),
    })
}

const WEB_GPU: &str = "webgpu";

/// The value of `--target`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Environment {
    /// An environment of SPIR-V.
    Spirv(Target),
    /// WebGPU, and other APIs whose language a module is translated to.
    WebGpu,
}

/// Reads the value of `--work-group-size`.
fn work_group_size(text: &str) -> Result<[u32; 3], String> {
    let mut size = [1; 3];
    let parts: Vec<&str> = text.split(',').collect();
    if parts.len() > size.len() {
        return Err("it has at most three dimensions".into());
    }
    for (size, part) in size.iter_mut().zip(parts) {
        *size = part.trim().parse().ok().filter(|size| *size > 0).ok_or_else(|| format!("'{part}' is not a size"))?;
    }
    Ok(size)
}

/// Reads the value of `--workarounds`.
fn workarounds(text: &str) -> Result<Workarounds, String> {
    Workarounds::parse(text).map_err(|name| {
        let known: Vec<&str> = Workarounds::names().collect();
        format!("there is no workaround '{name}'; those known are {}", known.join(", "))
    })
}

/// Reads the value of `--tuning`.
fn tuning(text: &str) -> Result<Tuning, String> {
    Tuning::parse(text).map_err(|name| {
        let known: Vec<&str> = Tuning::names().collect();
        format!("there is no tuning '{name}'; the known names are {}", known.join(", "))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_are_sound() {
        command(&[]).debug_assert();
    }

    #[test]
    fn the_subcommand_that_is_named_is_defined() {
        for (name, ..) in SUBCOMMANDS {
            let words = ["clforge", name].map(OsString::from);
            let cli = command(&words);
            let defined = cli.get_subcommands().filter(|subcommand| subcommand.get_arguments().count() > 0);
            assert_eq!(defined.map(clap::Command::get_name).collect::<Vec<_>>(), [name]);
        }
        let all = command(&["clforge", "help", "run"].map(OsString::from));
        assert!(all.get_subcommands().all(|subcommand| subcommand.get_arguments().count() > 0));
    }
}
