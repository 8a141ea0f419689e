//! Linking compiled programs (`clLinkProgram`).

use super::build::{Build, BuildOptions};
use super::headers::Headers;
use super::object::{Origin, Program};
use super::task::Task;
use crate::context::Context;
use crate::device::Device;
use crate::error::{Error, Result, ensure};
use crate::handle::Ref;
use clforge_compiler::options::IgnoredOption;
use clforge_runtime::Unit;
use opencl_sys::*;
use std::sync::Arc;

/// Options of the linker (5.8.6.6), besides those that make a library.
const KNOWN: [&str; 7] = [
    "-cl-denorms-are-zero",
    "-cl-no-signed-zeros",
    "-cl-unsafe-math-optimizations",
    "-cl-finite-math-only",
    "-cl-fast-relaxed-math",
    "-cl-mad-enable",
    "-cl-no-subgroup-ifp",
];

/// Options of the linker, read.
pub struct LinkOptions {
    pub(super) build: BuildOptions,
    /// `Some` for a library: whether the options of later links apply to it.
    pub(super) library: Option<bool>,
}

impl LinkOptions {
    /// Reads the options of `clLinkProgram`.
    ///
    /// # Errors
    /// `CL_INVALID_LINKER_OPTIONS`.
    pub fn parse(context: &Context, text: &str) -> Result<LinkOptions> {
        let invalid = |reason: String| Error::new(CL_INVALID_LINKER_OPTIONS, reason);
        let (mut creates_library, mut takes_options, mut rest) = (false, false, Vec::new());
        let mut words = text.split_whitespace().peekable();
        while let Some(word) = words.next() {
            match word {
                "-create-library" => creates_library = true,
                "-enable-link-options" => takes_options = true,
                word if KNOWN.contains(&word) => rest.push(word),
                // As in builds, options of other compilers that have no effect are no mistakes.
                word => {
                    let ignored = IgnoredOption::find(word);
                    let ignored = ignored.ok_or_else(|| invalid(format!("linker option '{word}'")))?;
                    words.next_if(|next| ignored.takes(next));
                }
            }
        }
        if takes_options && !creates_library {
            return Err(invalid(
                "'-enable-link-options' is an option of libraries, which '-create-library' makes".into(),
            ));
        }
        let build = BuildOptions::parse(context, &rest.join(" "), Headers::none(), CL_INVALID_LINKER_OPTIONS)?;
        let build = BuildOptions { text: text.into(), ..build };
        Ok(LinkOptions { build, library: creates_library.then_some(takes_options) })
    }

    /// For a binary that becomes an executable by the options of a build, which have been read.
    pub fn of_build(build: BuildOptions) -> LinkOptions {
        LinkOptions { build, library: None }
    }
}

/// The inputs of one device: none where no program was compiled for it.
fn units(device: &Ref<Device>, inputs: &[Ref<Program>]) -> Result<Vec<Arc<Unit>>> {
    let unit = |program: &Ref<Program>| {
        let build = program.build_for(device).ok()?;
        build.unit().cloned()
    };
    let in_progress = |program: &Ref<Program>| program.build_for(device).is_ok_and(|build| build.is_in_progress());
    ensure(!inputs.iter().any(in_progress), CL_INVALID_OPERATION, "a program to link is being compiled")?;
    let units: Vec<Arc<Unit>> = inputs.iter().filter_map(unit).collect();
    let is_whole = units.is_empty() || units.len() == inputs.len();
    ensure(
        is_whole,
        CL_INVALID_OPERATION,
        "a program to link was not compiled for a device that others were compiled for",
    )?;
    Ok(units)
}

/// The program that compiled programs are linked to, and what links them. If that fails the program has the log.
///
/// # Errors
/// `CL_INVALID_LINKER_OPTIONS`, `CL_INVALID_VALUE`, `CL_INVALID_CONTEXT`, `CL_INVALID_OPERATION`.
pub fn link(
    context: &Ref<Context>,
    devices: Vec<Ref<Device>>,
    options: &str,
    inputs: &[Ref<Program>],
) -> Result<(Ref<Program>, Task)> {
    let options = LinkOptions::parse(context, options)?;
    ensure(!inputs.is_empty(), CL_INVALID_VALUE, "no programs to link")?;
    let same = |program: &Ref<Program>| program.context().handle() == context.handle();
    ensure(inputs.iter().all(same), CL_INVALID_CONTEXT, "a program of another context")?;
    let devices = context.devices_or_all(devices)?;
    let inputs = devices.iter().map(|device| units(device, inputs)).collect::<Result<Vec<_>>>()?;
    ensure(inputs.iter().any(|units| !units.is_empty()), CL_INVALID_OPERATION, "no program to link was compiled")?;
    let begun = inputs.iter().map(|units| match units[..] {
        [] => Build::default(),
        _ => Build::begun(&options.build.text),
    });
    let program = Program::with_builds(context, devices.clone(), Origin::Linked, begun.collect());
    let task = move |program: &Ref<Program>| {
        for (device, units) in devices.iter().zip(&inputs).filter(|(_, units)| !units.is_empty()) {
            program.set(device, &options.build.text, || Build::link(device, units, &options));
        }
    };
    Ok((program, Box::new(task)))
}
