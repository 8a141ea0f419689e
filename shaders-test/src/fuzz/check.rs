//! Runs one program on all targets and reports differences.

use super::arbiter::{self, Reader};
use crate::backend::{Build, Executable, OPENCL, UNOPTIMISED, translate};
use crate::case::Case;
use clforge_compiler::Target;
use clforge_compiler::options::{ClStd, OpenClVersion, Sanitizers};
use clforge_harness::opencl::Runner;
use clforge_runtime::{Device, DeviceSelector, Instance, InstanceOptions};
use std::cell::OnceCell;
use std::fmt;
use std::path::Path;

/// What became of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// All agree.
    Fine,
    /// The reference rejects the program, or disagrees with itself and with us: there is no verdict.
    NoReference,
    /// The reference's driver is wrong: another OpenCL driver agrees with us; or it disagrees with itself, and agrees with us
    /// without its optimiser; or Vulkan's results are right, and the driver gets LLVM's module of the program wrong like ours,
    /// or ours right in another form.
    ReferenceErrs,
    /// Our compiler reports errors.
    Rejected,
    /// Our module does not validate.
    Invalid,
    /// The driver or the runtime fails.
    Fails,
    /// Other results than the reference's.
    Differs,
    /// The process ended by a signal.
    Crash,
    /// No end.
    Hangs,
}

/// The stage that runs the module for Vulkan, compiled for the device.
pub const VULKAN_STAGE: &str = "vulkan";
/// The stage that runs the module for Vulkan under all sanitizers that look for mistakes, of which the programs have none.
pub const SANITIZED: &str = "sanitized";
/// The stage that runs the OpenCL module without the driver's optimiser.
pub const PLAIN: &str = "opencl-plain";
/// The stage that translates our module for OpenCL for Vulkan.
pub const TRANSLATED: &str = "translated";
/// The stage that translates LLVM's modules for Vulkan.
pub const FOREIGN: &str = "foreign";
/// The stage that runs LLVM's modules in place of ours.
pub const LLVM: &str = "llvm";
/// Among the targets: the reference is built without the driver's optimiser.
pub const AGAINST_PLAIN: &str = "against-plain";
/// Among the targets: the reference is another OpenCL driver.
pub const AGAINST_OTHER: &str = "against-other";
/// Among the targets: no other OpenCL driver is asked.
pub const ALONE: &str = "alone";
/// The stage that asks another OpenCL driver.
pub const OTHER: &str = "other";
/// Among the targets: the reference is LLVM's module of the program.
pub const AGAINST_LLVM: &str = "against-llvm";
/// Among the targets: the reference is LLVM's module of the program in the first of the [`arbiter::FORMS`].
pub const AGAINST_FORM: &str = "against-form";
/// The stand-ins for a reference that fails, in the order of trying.
pub const STAND_INS: [&str; 4] = [AGAINST_PLAIN, AGAINST_OTHER, AGAINST_LLVM, AGAINST_FORM];
/// Begins the detail when the reference disagrees with itself.
const DOUBT: &str = "without optimisation:";

/// The outcome of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// What happened.
    pub kind: Kind,
    /// `reference`, or the target.
    pub stage: String,
    /// For people, several lines; if all is fine, the number of LLVM's modules that were translated.
    pub detail: String,
}

impl Verdict {
    fn new(kind: Kind, stage: &str, detail: String) -> Verdict {
        Verdict { kind, stage: stage.into(), detail }
    }

    /// Whether another failure has most likely the same cause.
    pub fn like(&self, other: &Verdict) -> bool {
        if self.kind != other.kind || self.stage != other.stage {
            return false;
        }
        match self.kind {
            Kind::Rejected | Kind::Invalid | Kind::Fails => signature(&self.detail) == signature(&other.detail),
            Kind::NoReference | Kind::ReferenceErrs => self.doubts() && other.doubts(),
            _ => true,
        }
    }

    /// Whether the reference disagrees with itself.
    pub fn doubts(&self) -> bool {
        self.detail.starts_with(DOUBT)
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {:?}: {}", self.stage, self.kind, self.detail)
    }
}

/// The message without names and numbers, which change as a program shrinks.
fn signature(detail: &str) -> String {
    let line = detail.lines().find(|line| line.contains("error") || line.contains("valid")).unwrap_or(detail);
    let line = line.split_once("error").map_or(line, |(_, rest)| rest);
    line.split('\'').step_by(2).collect::<String>().chars().filter(|c| !c.is_ascii_digit()).take(60).collect()
}

/// The reference's results: the buffers after each run.
type Expected = [Vec<Vec<u8>>];

/// The buffers after one run.
fn after(reference: &Expected, run: usize) -> Result<Vec<Vec<u8>>, String> {
    reference.get(run).cloned().ok_or_else(|| format!("there is no run {run}"))
}

/// What results are compared with.
#[derive(Clone, Copy)]
struct Reference<'r> {
    results: &'r Expected,
    /// Who they are from, if not the driver's own program from source.
    stand_in: Option<&'r str>,
    /// Whether another OpenCL driver is asked where they differ.
    asks_other: bool,
}

/// What checks programs, one after the other.
pub struct Checker {
    device: Device,
    /// The reference.
    driver: Runner,
    /// Another OpenCL driver, opened when it is needed.
    other: OnceCell<Option<Runner>>,
}

impl Checker {
    /// Opens the Vulkan device, and the first OpenCL device with `reference` in its description.
    ///
    /// # Errors
    /// When one of them is missing.
    pub fn new(reference: &str) -> Result<Checker, String> {
        let instance = Instance::new(InstanceOptions::default()).map_err(|error| error.to_string())?;
        let device = instance.open(&DeviceSelector::Best).map_err(|error| error.to_string())?;
        Ok(Checker { device, driver: Runner::find(reference)?, other: OnceCell::new() })
    }

    /// The description of the reference, and the Vulkan device with what modules for it emulate.
    pub fn reference(&self) -> String {
        let info = self.device.info();
        let emulated: Vec<&str> = info.emulated_types().names().collect();
        let emulated = if emulated.is_empty() { "nothing".into() } else { emulated.join(", ") };
        let addressing = info.addressing();
        format!("{}; device: {}, {addressing:?}, emulated: {emulated}", self.driver.description(), info.name)
    }

    /// Checks a program on the wanted targets ([`VULKAN_STAGE`], [`SANITIZED`], `opencl`, [`TRANSLATED`], [`FOREIGN`], [`PLAIN`], [`LLVM`], one of
    /// [`arbiter::FORMS`]), against the driver's results from source or what one of the [`STAND_INS`] among the targets says; `entering` hears of
    /// each stage before it begins.
    pub fn check(&self, path: &Path, targets: &[&str], mut entering: impl FnMut(&str)) -> Verdict {
        let case = match Case::load(path) {
            Ok(case) => case,
            Err(message) => return Verdict::new(Kind::NoReference, "reference", message),
        };
        // Our own compiler first: it is quick.
        let mut modules = Vec::new();
        for stage in targets {
            if STAND_INS.contains(stage) || stage.is_empty() || *stage == ALONE {
                continue;
            }
            entering(stage);
            if matches!(*stage, LLVM | FOREIGN) {
                let reader = if *stage == FOREIGN { Reader::Ours } else { Reader::Reference };
                modules.extend(arbiter::llvm_modules(&case.build, reader).into_iter().map(|words| (*stage, words)));
                continue;
            }
            let target = match case.build.std {
                // Generic pointers are not of OpenCL 1.2.
                Some(ClStd::CL2_0 | ClStd::CL3_0) => Target::OpenCl(OpenClVersion::V2_0),
                _ => OPENCL,
            };
            let compiled = match *stage {
                TRANSLATED => case.build.compile_for_reader(),
                VULKAN_STAGE => case.build.compile_for(&self.device).map(|module| module.spirv().to_vec()),
                SANITIZED => sanitized(&case.build).compile_for(&self.device).map(|module| module.spirv().to_vec()),
                _ => case.build.compile(target),
            };
            match compiled.map_err(rejection) {
                Ok(words) if arbiter::FORMS.contains(stage) => match arbiter::form(&words, stage) {
                    Some(words) => modules.push((*stage, words)),
                    None => return Verdict::new(Kind::Fails, stage, "LLVM does not take the module".into()),
                },
                Ok(words) => modules.push((*stage, words)),
                Err((kind, message)) => return Verdict::new(kind, stage, message),
            }
        }
        entering("reference");
        let stand_in = targets.iter().copied().find(|target| STAND_INS.contains(target));
        let reference = self.stand_in(&case.build, stand_in);
        // Once for all: drivers compile whenever a kernel is launched, and may crash then.
        let reference = match reference.and_then(|reference| case.oracle_results(&reference)) {
            Ok(results) => results,
            Err(message) => return Verdict::new(Kind::NoReference, "reference", message),
        };
        let asks_other = !targets.contains(&ALONE) && stand_in != Some(AGAINST_OTHER);
        let against = Reference { results: &reference, stand_in, asks_other };
        for (stage, words) in &modules {
            entering(stage);
            match self.compare(&case, stage, words, &reference) {
                Ok(()) => {}
                Err(message) if message.starts_with("kernel '") => {
                    return self.blame(&case, &modules, (stage, words), against, message, entering);
                }
                Err(message) => return Verdict::new(Kind::Fails, stage, message),
            }
        }
        let foreign = modules.iter().filter(|(stage, _)| *stage == FOREIGN).count();
        Verdict::new(Kind::Fine, "all", foreign.to_string())
    }

    /// Whose mistake it is that the module of a stage gives other results than the reference.
    fn blame(
        &self,
        case: &Case,
        modules: &[(&str, Vec<u32>)],
        (stage, ours): (&str, &[u32]),
        against: Reference<'_>,
        message: String,
        mut entering: impl FnMut(&str),
    ) -> Verdict {
        let reference = against.results;
        if against.asks_other {
            entering(OTHER);
        }
        if against.asks_other && self.other_agrees(case, stage, ours) {
            return Verdict::new(Kind::ReferenceErrs, "reference", format!("another driver agrees with us: {message}"));
        }
        entering("reference");
        if let Some((doubt, plain)) = self.doubtful(case, against) {
            let mut ours = modules.iter();
            let agree = ours.any(|(name, words)| self.compare(case, name, words, &plain).is_ok());
            let kind = if agree { Kind::ReferenceErrs } else { Kind::NoReference };
            return Verdict::new(kind, "reference", doubt);
        }
        let right = |program: &Executable| case.check_with(program, |run, _| after(reference, run)).is_ok();
        // What the driver computes of a module of LLVM's, its translation has to compute.
        if stage == FOREIGN && self.execute(ours).is_ok_and(|program| !right(&program)) {
            return Verdict::new(Kind::ReferenceErrs, "reference", format!("{message} (LLVM's module is wrong too)"));
        }
        let Some((name, words)) = modules.iter().find(|(name, _)| *name != stage) else {
            return Verdict::new(Kind::Differs, stage, message);
        };
        entering(name);
        let same = self.compare(case, name, words, reference).is_ok();
        entering("reference");
        if same
            && *name == VULKAN_STAGE
            && !matches!(stage, SANITIZED | TRANSLATED | FOREIGN)
            && let Some(evidence) = arbiter::driver_errs(&self.driver, &case.build, ours, right)
        {
            return Verdict::new(Kind::ReferenceErrs, "reference", format!("{message} ({evidence})"));
        }
        let finding = if same { "as expected" } else { "wrong too" };
        Verdict::new(Kind::Differs, stage, format!("{message} ({name} is {finding})"))
    }

    /// Runs a module and compares its results with the reference's.
    fn compare(&self, case: &Case, stage: &str, words: &[u32], reference: &Expected) -> Result<(), String> {
        let device = &self.device;
        let executable = match stage {
            VULKAN_STAGE => Executable::vulkan(device, &case.build.compile_only_for(device)?)?,
            SANITIZED => Executable::vulkan(device, &sanitized(&case.build).compile_only_for(device)?)?,
            TRANSLATED | FOREIGN => Executable::vulkan(device, &translate(words, device)?)?,
            PLAIN => Executable::opencl_with(&self.driver, words, UNOPTIMISED)?,
            _ => self.execute(words)?,
        };
        case.check_with(&executable, |run, _| after(reference, run))
    }

    /// What the reference gives without optimisation when that is something else: then it, or the generator, is wrong.
    /// Nothing is known of it where it is a module of LLVM's.
    fn doubtful(&self, case: &Case, against: Reference<'_>) -> Option<(String, Vec<Vec<Vec<u8>>>)> {
        let driver = match against.stand_in {
            None | Some(AGAINST_PLAIN) => &self.driver,
            Some(AGAINST_OTHER) => self.other().ok()?,
            Some(_) => return None,
        };
        let other = Executable::reference_with(driver, &case.build, UNOPTIMISED);
        let plain = match other.and_then(|other| case.oracle_results(&other)) {
            Ok(plain) => plain,
            Err(message) => return Some((format!("{DOUBT} {message}"), Vec::new())),
        };
        (plain.as_slice() != against.results).then(|| (format!("{DOUBT} other results"), plain))
    }

    /// Whether another OpenCL driver gives the results of our module. Without its optimiser it is less often wrong, and crashes
    /// less.
    fn other_agrees(&self, case: &Case, stage: &str, ours: &[u32]) -> bool {
        let Ok(other) = self.other() else { return false };
        [UNOPTIMISED, ""].into_iter().any(|options| {
            let results = Executable::reference_with(other, &case.build, options);
            let results = results.and_then(|program| case.oracle_results(&program));
            results.is_ok_and(|results| self.compare(case, stage, ours, &results).is_ok())
        })
    }

    /// The reference: the driver's own program from source, or what stands in for it.
    fn stand_in(&self, build: &Build, name: Option<&str>) -> Result<Executable, String> {
        let Some(name) = name.filter(|name| *name != AGAINST_PLAIN) else {
            let options = if name.is_some() { UNOPTIMISED } else { "" };
            return Executable::reference_with(&self.driver, build, options);
        };
        if name == AGAINST_OTHER {
            return Executable::reference_with(self.other()?, build, "");
        }
        let module = arbiter::llvm_modules(build, Reader::Reference).into_iter().next().ok_or("no module of LLVM")?;
        if name == AGAINST_LLVM {
            return self.execute(&module);
        }
        self.execute(&arbiter::form(&module, arbiter::FORMS[0]).ok_or("LLVM does not take its own module")?)
    }

    /// An OpenCL driver that is neither the reference's nor ours.
    fn other(&self) -> Result<&Runner, String> {
        let other = self.other.get_or_init(|| self.driver.other().unwrap_or_default());
        other.as_ref().ok_or_else(|| "there is no other OpenCL driver".into())
    }

    /// A module for OpenCL, on the reference's driver.
    fn execute(&self, words: &[u32]) -> Result<Executable, String> {
        Executable::opencl_with(&self.driver, words, "")
    }
}

/// The program with what looks for mistakes in it.
fn sanitized(build: &Build) -> Build {
    Build { sanitizers: Sanitizers::MISTAKES, ..build.clone() }
}

fn rejection(message: String) -> (Kind, String) {
    let invalid = message.starts_with("the module for");
    (if invalid { Kind::Invalid } else { Kind::Rejected }, message)
}
