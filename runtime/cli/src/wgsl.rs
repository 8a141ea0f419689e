//! `clforge compile --emit wgsl`: translates modules to the language of WebGPU, by naga.

use crate::failure::Failure;

/// The source in WGSL of a module for translators.
///
/// # Errors
/// What naga does not translate; that this build has no translator.
#[cfg(feature = "wgsl")]
pub fn translate(words: &[u32]) -> Result<String, Failure> {
    /// naga recurses along the nesting of a module, of which there may be 1,023 levels.
    const STACK: usize = 512 << 20;
    let words = clforge_reflect::strip_reflection(words).map_err(|error| Failure::Program(error.to_string()))?;
    let translator = std::thread::Builder::new().stack_size(STACK).spawn(move || translated(&words));
    let translator = translator.map_err(|error| Failure::Program(format!("no thread to translate in: {error}")))?;
    let text = translator.join().map_err(|_| Failure::Program("naga panicked: this is a bug of it".into()))?;
    text.map_err(|message| Failure::Program(format!("no translation to WGSL: {message}")))
}

#[cfg(feature = "wgsl")]
fn translated(words: &[u32]) -> Result<String, String> {
    use naga::valid::{Capabilities, ValidationFlags, Validator};
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let options = naga::front::spv::Options { adjust_coordinate_space: false, ..Default::default() };
    let module = naga::front::spv::parse_u8_slice(&bytes, &options).map_err(|error| format!("{error:?}"))?;
    let mut validator = Validator::new(ValidationFlags::all(), Capabilities::all());
    let info = validator.validate(&module).map_err(|error| whole(&error))?;
    naga::back::wgsl::write_string(&module, &info, naga::back::wgsl::WriterFlags::empty())
        .map_err(|error| whole(&error))
}

/// An error and what caused it.
#[cfg(feature = "wgsl")]
fn whole(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(Some(error), |error| error.source());
    causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

/// That this build has no translator.
#[cfg(not(feature = "wgsl"))]
pub fn translate(_: &[u32]) -> Result<String, Failure> {
    let help = "build it with 'cargo install clforge --features wgsl', or give '--emit spirv' and translate the module";
    Err(Failure::Usage(format!("this clforge was built without a translator to WGSL: {help}")))
}
