//! The trials: programs with host references, cases, and what the runtime does.

use super::many_kernels;
use super::report::Outcome;
use clforge_runtime::{Device, Error, Printed};
use shaders_test::backend::{Build, Executable};
use shaders_test::case::{self, Case};
use shaders_test::recorded::Expected;
use shaders_test::{embedded, programs};
use std::sync::{Arc, Mutex, PoisonError};

/// All names: `programs/NAME`, `cases/FEATURE/NAME`, `runtime/NAME`.
pub fn names() -> Vec<String> {
    let programs = programs::ALL.iter().map(|program| format!("programs/{}", program.name));
    let cases = embedded::cases();
    let cases = cases.iter().map(|path| format!("cases/{}", case::name_of(path)));
    programs.chain(cases).chain([many_kernels::NAME.into()]).collect()
}

/// Runs one trial.
pub fn run(name: &str, device: &Device, expected: &Expected) -> Outcome {
    let result = match name.strip_prefix("programs/") {
        Some(program) => run_program(program, device),
        None if name == many_kernels::NAME => many_kernels::run(device),
        None => run_case(name.strip_prefix("cases/").unwrap_or(name), device, expected),
    };
    result.unwrap_or_else(Outcome::Failed)
}

fn run_program(name: &str, device: &Device) -> Result<Outcome, String> {
    let program = programs::ALL.iter().find(|program| program.name == name).ok_or("no such program")?;
    let build = Build { embedded: true, ..program.build() };
    let (executable, _) = match executable(&build, device)? {
        Ok(executable) => executable,
        Err(skipped) => return Ok(skipped),
    };
    let job = (program.job)();
    let outcome = (job.check)(&executable.run(&job)?.0);
    if outcome.ok() {
        return Ok(Outcome::Passed);
    }
    Err(format!("error {:e} is above {:e}", outcome.max_error, outcome.tolerance))
}

fn run_case(name: &str, device: &Device, expected: &Expected) -> Result<Outcome, String> {
    let path = embedded::cases().into_iter().find(|path| case::name_of(path) == name).ok_or("no such case")?;
    let case = Case::load_embedded(&path)?;
    if let Some(reason) = case.skipped("vulkan") {
        return Ok(Outcome::Skipped(reason.into()));
    }
    let recorded = expected.get(&case.name, &case.build.text()?);
    if recorded.is_none() && case.runs.iter().any(|run| run.oracle) {
        return Ok(Outcome::Skipped("there are no results of an OpenCL driver to compare with".into()));
    }
    let (executable, printed) = match executable(&case.build, device)? {
        Ok(executable) => executable,
        Err(skipped) => return Ok(skipped),
    };
    case.check_with(&executable, |number, _| {
        let run = recorded.and_then(|runs| runs.get(&number));
        run.ok_or_else(|| "nothing is recorded".to_string())?.buffers()
    })?;
    case.prints.check(&printed.text())?;
    Ok(Outcome::Passed)
}

/// What kernels have printed.
#[derive(Clone, Default)]
struct PrintedText(Arc<Mutex<Vec<u8>>>);

impl PrintedText {
    fn text(&self) -> String {
        let bytes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

/// Compiles and loads; or why the device cannot run it.
fn executable(build: &Build, device: &Device) -> Result<Result<(Executable, PrintedText), Outcome>, String> {
    let module = build.compile_only_for(device)?;
    let program = match clforge_runtime::Program::from_module(device, &module) {
        Ok(program) => program,
        Err(Error::MissingFeature { feature, .. }) => {
            return Ok(Err(Outcome::Skipped(format!("the device lacks {feature}"))));
        }
        Err(error) => return Err(error.to_string()),
    };
    let printed = PrintedText::default();
    let kept = printed.clone();
    let print = move |what: Printed<'_>| {
        if let Printed::Message(text) = what {
            kept.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(text);
        }
    };
    program.on_print(print).map_err(|error| error.to_string())?;
    Ok(Ok((Executable::Vulkan(program, device.clone()), printed)))
}
