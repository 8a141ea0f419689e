//! Runs every program and every case for both targets, each trial in a process of its own: a driver that crashes on
//! one module fails that trial and no other.
//!
//! Trials are named `programs/NAME/TARGET` and `cases/FEATURE/NAME/TARGET`; the target `reference` gives the source to
//! the OpenCL driver's own compiler, which checks the expected values, and `translated` compiles it for OpenCL 3.0 and
//! translates that module for Vulkan; `emulated` is Vulkan on a device that is taken to lack all types but those of 32
//! bits, `logical` on one that is taken to lack buffer addresses and most types in operations of sub-groups, `single` and
//! `shuffled`, for cases with sub-groups, on one that is taken to lack those, or their arithmetic, and `sanitized` on one
//! with all sanitizers, which must report nothing. That one is left out unless `CLFORGE_TEST_SANITIZED` is set, since drivers
//! compile checked kernels for minutes. `modules/NAME/foreign` does that with a module for OpenCL in assembly, which
//! needs `spirv-as`: forms that this compiler does not emit and others do.
//!
//! Where `CLFORGE_FOREIGN_MODULES` names a folder, `foreign` translates the modules for OpenCL in it that another compiler made
//! of the same sources: `programs/NAME.spv` and `cases/FEATURE/NAME.spv`.

use clforge_compiler::options::EmulatedTypes;
use clforge_runtime::options::Sanitizers;
use clforge_runtime::{DeviceSelector, Instance, InstanceOptions};
use libtest_mimic::{Arguments, Failed, Trial};
use shaders_test::backend::{self, Build, Executable, OPENCL, translate};
use shaders_test::case::{self, Case, Prints};
use shaders_test::hidden;
use shaders_test::programs::{self, Program};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

/// Set in the child: the trial to run.
const CHILD: &str = "CLFORGE_END_TO_END_TRIAL";
/// Names the folder of modules of another compiler.
const FOREIGN: &str = "CLFORGE_FOREIGN_MODULES";
/// A hang in a driver must not hang the tests; slow machines take a tenth of this.
const LIMIT: Duration = Duration::from_secs(300);
const TARGETS: [&str; 9] =
    ["vulkan", "logical", "emulated", SHUFFLED, SINGLE, "sanitized", "opencl", "reference", "translated"];
/// The targets without operations of sub-groups, and without arithmetic of sub-groups, for cases that have some.
const SINGLE: &str = "single";
const SHUFFLED: &str = "shuffled";
/// Set to also run the target `sanitized`.
const SANITIZED: &str = "CLFORGE_TEST_SANITIZED";
/// The types that the target `emulated` emulates.
const EMULATED: [&str; 5] = ["int8", "int16", "int64", "float16", "float64"];

fn main() -> ExitCode {
    if let Ok(name) = std::env::var(CHILD) {
        return match run_trial(&name) {
            Ok(()) => ExitCode::SUCCESS,
            Err(message) => {
                eprintln!("{message}");
                ExitCode::FAILURE
            }
        };
    }
    let arguments = Arguments::from_args();
    let mut trials: Vec<Trial> = programs::ALL.iter().flat_map(on_targets).collect();
    trials.extend(modules().iter().map(|name| child_trial(format!("modules/{name}/foreign"))));
    match case::find() {
        Ok(paths) => trials.extend(paths.iter().flat_map(|path| case_trials(path))),
        Err(message) => trials.push(Trial::test("cases", move || Err(message.into()))),
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// The modules in assembly.
fn modules() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("modules");
    let paths = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let paths = paths.filter(|path| path.extension().is_some_and(|extension| extension == "spvasm"));
    let mut names: Vec<String> =
        paths.filter_map(|path| Some(path.file_stem()?.to_string_lossy().into_owned())).collect();
    names.sort();
    assert!(!names.is_empty(), "no modules");
    names
}

/// The targets that are run.
fn targets() -> impl Iterator<Item = &'static str> {
    let sanitized = std::env::var_os(SANITIZED).is_some();
    TARGETS.into_iter().filter(move |target| sanitized || *target != "sanitized")
}

fn on_targets(program: &programs::Program) -> Vec<Trial> {
    let name = format!("programs/{}", program.name);
    let foreign = foreign_module(&name).map(|_| "foreign");
    let is_able = |target: &&str| !program.enqueues || matches!(*target, "vulkan" | "emulated");
    let has_use = |target: &&str| ![SINGLE, SHUFFLED].contains(target) && is_able(target);
    targets().filter(has_use).chain(foreign).map(|target| child_trial(format!("{name}/{target}"))).collect()
}

/// The module that another compiler made of a program or a case, if there is one.
fn foreign_module(subject: &str) -> Option<PathBuf> {
    let path = Path::new(&std::env::var_os(FOREIGN)?).join(format!("{subject}.spv"));
    path.exists().then_some(path)
}

/// The trials of a case; one that cannot be read fails by itself, targets the case skips are left out.
fn case_trials(path: &Path) -> Vec<Trial> {
    let name = format!("cases/{}", case::name_of(path));
    match Case::load(path) {
        Ok(case) => {
            let has_sub_groups = case.build.text().is_ok_and(|text| text.contains("sub_group"));
            let wanted = targets().filter(|target| case.skipped(target).is_none());
            let wanted = wanted.filter(|target| ![SINGLE, SHUFFLED].contains(target) || has_sub_groups);
            // Without values given by hand the reference would be compared with itself.
            let wanted = wanted.filter(|target| *target != "reference" || case.runs.iter().any(|run| !run.oracle));
            let foreign = foreign_module(&name).filter(|_| case.skipped("translated").is_none()).map(|_| "foreign");
            wanted.chain(foreign).map(|target| child_trial(format!("{name}/{target}"))).collect()
        }
        Err(message) => vec![Trial::test(name, move || Err(message.into()))],
    }
}

fn child_trial(name: String) -> Trial {
    let trial = name.clone();
    Trial::test(name, move || run_child(&trial))
}

/// Runs a trial in a child process, with a limit on its time.
fn run_child(name: &str) -> Result<(), Failed> {
    let (printed, output) = (tempfile::NamedTempFile::new()?, tempfile::NamedTempFile::new()?);
    let mut command = Command::new(std::env::current_exe()?);
    let hidden = match name.rsplit_once('/') {
        Some((_, "emulated")) => hidden::features("physical32x2", EMULATED),
        Some((_, "logical")) => hidden::features("logical", [EmulatedTypes::SUB_GROUP_TYPES]),
        Some((_, SINGLE)) => hidden::features("physical64", [EmulatedTypes::SUB_GROUPS]),
        Some((_, SHUFFLED)) => hidden::features("physical64", [EmulatedTypes::SUB_GROUP_ARITHMETIC]),
        _ => Vec::new(),
    };
    if !hidden.is_empty() {
        command.env(hidden::VARIABLE, hidden.join(","));
    }
    let mut child =
        command.env(CHILD, name).stdout(printed.reopen()?).stderr(output.reopen()?).stdin(Stdio::null()).spawn()?;
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if start.elapsed() > LIMIT {
            child.kill()?;
            child.wait()?;
            return Err(format!("no end after {} s", LIMIT.as_secs()).into());
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    let printed = String::from_utf8_lossy(&std::fs::read(printed.path())?).into_owned();
    if status.success() {
        return prints_of(name)?.check(&printed).map_err(Failed::from);
    }
    let text = String::from_utf8_lossy(&std::fs::read(output.path())?).into_owned();
    let how = if status.code().is_some() { String::new() } else { format!("{status}\n") };
    Err(format!("{how}{text}{printed}").into())
}

/// What the kernels of a trial print: the processes' standard output, whoever executes them.
fn prints_of(name: &str) -> Result<Prints, String> {
    match name.rsplit_once('/') {
        Some((subject, _)) if !subject.starts_with("programs/") => Ok(Case::load(&case_path(subject))?.prints),
        _ => Ok(Prints::default()),
    }
}

fn case_path(subject: &str) -> PathBuf {
    let extension = if subject.starts_with("modules/") { "spvasm" } else { "cl" };
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("{subject}.{extension}"))
}

/// In the child.
fn run_trial(name: &str) -> Result<(), String> {
    let (subject, target) = name.rsplit_once('/').ok_or("no target in the trial's name")?;
    if let Some(program) = subject.strip_prefix("programs/") {
        let program = programs::ALL.iter().find(|p| p.name == program).ok_or("no such program")?;
        return with_target(subject, &program.build(), &[], target, |executable| check_program(program, executable));
    }
    let case = Case::load(&case_path(subject))?;
    with_target(subject, &case.build, &case.needs, target, |executable| {
        let needed = target != "reference" && case.runs.iter().any(|run| run.oracle);
        let oracle = needed.then(|| Executable::reference(&case.build)).transpose();
        case.check(executable, oracle.map_err(|error| format!("the reference: {error}"))?.as_ref())
    })
}

/// Compiles, validates and makes executable for a target; the Vulkan validation layer must stay silent. A Vulkan device
/// that lacks one of the features `needs` is left out.
fn with_target(
    subject: &str,
    build: &Build,
    needs: &[String],
    target: &str,
    check: impl FnOnce(&Executable) -> Result<(), String>,
) -> Result<(), String> {
    match target {
        "opencl" => check(&Executable::opencl(&build.compile(OPENCL)?)?),
        "reference" => check(&Executable::reference(build)?),
        _ => {
            let mut options = InstanceOptions::default();
            options.validation = true;
            let instance = Instance::new(options).map_err(|error| error.to_string())?;
            let device = instance.open(&DeviceSelector::Best).map_err(|error| error.to_string())?;
            if let Some(feature) = needs.iter().find(|feature| !device.info().has_feature(feature)) {
                eprintln!("left out: the device lacks {feature}");
                return Ok(());
            }
            let module = match target {
                "translated" => build.translate_for(&device)?,
                "foreign" => translate(&read_module(subject)?, &device)?,
                "sanitized" => Build { sanitizers: Sanitizers::MISTAKES, ..build.clone() }.compile_for(&device)?,
                _ => build.compile_for(&device)?,
            };
            check(&Executable::vulkan(&device, &module)?)?;
            match device.validation_messages() {
                messages if messages.is_empty() => Ok(()),
                messages => Err(format!("the validation layer complains:\n{}", messages.join("\n"))),
            }
        }
    }
}

/// The words of another compiler's module, or of one in assembly.
fn read_module(subject: &str) -> Result<Vec<u32>, String> {
    let bytes = if subject.starts_with("modules/") {
        assembled(&case_path(subject))?
    } else {
        let path = foreign_module(subject).ok_or("there is no such module")?;
        std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?
    };
    let words = bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]));
    Ok(words.collect())
}

/// The bytes of a module in assembly. Its second line names its version as `spirv-as` spells it: `; Version: spv1.4`.
fn assembled(path: &Path) -> Result<Vec<u8>, String> {
    let text = backend::read(path)?;
    let version = text.lines().find_map(|line| line.strip_prefix("; Version: ")).unwrap_or("spv1.2");
    let output = tempfile::NamedTempFile::new().map_err(|error| error.to_string())?;
    let mut assembler = Command::new("spirv-as");
    let run = assembler.args(["--target-env", version.trim(), "-o"]).arg(output.path()).arg(path).output();
    let run = run.map_err(|error| format!("spirv-as (Debian: spirv-tools): {error}"))?;
    match run.status.success() {
        true => std::fs::read(output.path()).map_err(|error| error.to_string()),
        false => Err(String::from_utf8_lossy(&run.stderr).into_owned()),
    }
}

fn check_program(program: &Program, executable: &Executable) -> Result<(), String> {
    let job = (program.job)();
    let (buffers, _) = executable.run(&job)?;
    let outcome = (job.check)(&buffers);
    if outcome.ok() {
        return Ok(());
    }
    Err(format!("{}: error {:e} is above {:e}", program.name, outcome.max_error, outcome.tolerance))
}
