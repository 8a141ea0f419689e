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
    let text = naga::back::wgsl::write_string(&module, &info, naga::back::wgsl::WriterFlags::empty());
    let mut text = text.map_err(|error| whole(&error))?;
    for entry in &module.entry_points {
        // naga changes names that are words of WGSL, and for its own sake those that end in digits.
        let wanted = format!("fn {}(", entry.name);
        if entry.name.ends_with(|last: char| last.is_ascii_digit()) {
            text = text.replace(&format!("fn {}_(", entry.name), &wanted);
        }
        if !text.contains(&wanted) {
            return Err(format!("the name of kernel '{}' is none in WGSL: give it another one", entry.name));
        }
    }
    // Needed for their built-in functions and inputs, and naga does not write it.
    let has_sub_groups = text.contains("subgroup");
    Ok(if has_sub_groups { format!("enable subgroups;\n\n{text}") } else { text })
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
