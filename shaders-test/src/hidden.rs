//! Features of Vulkan that the runtime is told a device lacks, so that what stands for them is executed on devices that
//! have them: the address formats, and what modules emulate.

use clforge_compiler::options::EmulatedTypes;
use std::process::Command;

/// The environment variable in which the runtime reads such features.
pub const VARIABLE: &str = "CLFORGE_MASK_FEATURES";

/// The names that [`features`] reads.
pub const ADDRESSINGS: [&str; 3] = ["physical64", "physical32x2", "logical"];

/// What else modules can do without.
const MEMORY_MODEL: &str = "memory-model";

/// The names of what [`features`] emulates.
pub fn emulations() -> impl Iterator<Item = &'static str> {
    EmulatedTypes::NAMES.into_iter().chain([MEMORY_MODEL])
}

/// The features to hide for an address format, one of [`ADDRESSINGS`], and for emulations of the names of [`emulations`].
pub fn features<'n>(addressing: &str, emulated: impl IntoIterator<Item = &'n str>) -> Vec<&'static str> {
    let mut features: Vec<&str> = match addressing {
        "logical" => vec!["bufferDeviceAddress"],
        // Addresses are pairs of 32 bits where there are no integers of 64.
        "physical32x2" => emulating("int64").to_vec(),
        _ => Vec::new(),
    };
    features.extend(emulated.into_iter().flat_map(emulating));
    features.sort_unstable();
    features.dedup();
    features
}

/// The features without which a type is emulated.
fn emulating(name: &str) -> &'static [&'static str] {
    match name {
        "int8" => &["shaderInt8", "storageBuffer8BitAccess"],
        "int16" => &["shaderInt16", "storageBuffer16BitAccess"],
        "int64" => &["shaderInt64"],
        "float16" => &["shaderFloat16"],
        "float64" => &["shaderFloat64"],
        "matrices" => &["cooperativeMatrix"],
        EmulatedTypes::SUB_GROUPS => &EmulatedTypes::OF_SUB_GROUPS,
        EmulatedTypes::SUB_GROUP_ARITHMETIC => &EmulatedTypes::OF_SUB_GROUP_ARITHMETIC,
        EmulatedTypes::SUB_GROUP_TYPES => &["shaderSubgroupExtendedTypes"],
        MEMORY_MODEL => &["vulkanMemoryModel"],
        _ => &[],
    }
}

/// Whether this process is one whose runtime is told that devices lack the features.
pub fn are_hidden(features: &[&str]) -> bool {
    let hidden = std::env::var(VARIABLE).unwrap_or_default();
    features.iter().all(|feature| hidden.split(',').any(|hidden| hidden == *feature))
}

/// Runs this program with its arguments in a child process, whose runtime is told that devices lack the features; whether
/// the child succeeds.
///
/// # Errors
/// When no child can be started.
pub fn in_child(features: &[&str]) -> Result<bool, String> {
    let fail = |error: std::io::Error| format!("no child process: {error}");
    let mut child = Command::new(std::env::current_exe().map_err(fail)?);
    child.args(std::env::args_os().skip(1)).env(VARIABLE, features.join(","));
    Ok(child.status().map_err(fail)?.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_type_is_emulated_without_its_features() {
        for name in EmulatedTypes::NAMES {
            let hidden = features("physical64", [name]);
            let mut emulated = EmulatedTypes::default();
            emulated.add_missing(|feature| !hidden.contains(&feature));
            assert!(emulated.names().any(|emulated| emulated == name), "{name}: {hidden:?}");
        }
    }

    #[test]
    fn a_format_hides_what_the_others_need() {
        assert!(features("physical64", []).is_empty());
        assert_eq!(features("physical32x2", ["int64"]), ["shaderInt64"]);
        assert_eq!(features("logical", []), ["bufferDeviceAddress"]);
    }
}
