//! `clforge link`.

use crate::build_options::BuildOptions;
use crate::cli::LinkArguments;
use crate::compile;
use crate::compile_output;
use crate::failure::Failure;
use crate::input::{self, Limits, Program};
use crate::output;
use clforge_compiler::{Options, Source, Unit};
use std::path::{Path, PathBuf};

/// Links units, sources, which are compiled first, and modules for OpenCL to a module or a library.
pub fn link(arguments: &LinkArguments, build: &BuildOptions) -> Result<(), Failure> {
    compile_output::keep(&arguments.output, arguments.files.iter().map(PathBuf::as_path), "is linked")?;
    let options = compile::options(&arguments.made, build)?;
    let limits = Limits::new(arguments.made.max_file_size);
    let units =
        arguments.files.iter().map(|file| unit(file, limits, &options)).collect::<Result<Vec<Unit>, Failure>>()?;
    let units: Vec<&Unit> = units.iter().collect();
    if arguments.library {
        let library = clforge_compiler::link_library(&units, &options, false).map_err(compile::failed)?;
        return output::file(&arguments.output, &library.to_bytes());
    }
    let linked = clforge_compiler::link(&units, &options).map_err(compile::failed)?;
    compile::print_warnings(&linked.warnings);
    if !arguments.made.no_validate {
        compile::check(&linked.spirv, options.target).map_err(|message| compile::invalid(&message))?;
    }
    let bytes: Vec<u8> = linked.spirv.iter().flat_map(|word| word.to_le_bytes()).collect();
    output::file(&arguments.output, &bytes)
}

/// The unit of a file.
fn unit(file: &Path, limits: Limits, options: &Options) -> Result<Unit, Failure> {
    match input::program(file, limits)? {
        Program::Source { name, text } => Ok(compile::to_unit(Source { name: &name, text: &text }, options)?.unit),
        Program::Unit(bytes) => {
            Unit::from_bytes(&bytes).map_err(|reason| Failure::Program(format!("'{}': {reason}", file.display())))
        }
        Program::Spirv(words) if clforge_compiler::is_for_opencl(&words) => {
            clforge_compiler::spirv_unit(&words, options).map_err(compile::failed)
        }
        Program::Spirv(_) => Err(Failure::Usage(format!(
            "'{}' is a SPIR-V module, and not for OpenCL: 'clforge link' takes units, sources and modules for OpenCL",
            file.display()
        ))),
    }
}
