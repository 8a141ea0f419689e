//! `spirv-val` through the spirv-tools crate, for the exact target environment.

use crate::options::{OpenClVersion, Target, VulkanVersion};
use spirv_tools::TargetEnv;
use spirv_tools::error::SpirvResult;
use spirv_tools::val::{Validator, ValidatorOptions};

/// Why a module was not found valid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ValidateError {
    /// The validator rejects the module, with its message.
    Invalid(String),
    /// The validator could not be run (not installed, for example).
    Unavailable(String),
}

/// Validates a module for its target.
///
/// # Errors
/// [`ValidateError::Invalid`] with the validator's message, or [`ValidateError::Unavailable`].
pub fn validate(words: &[u32], target: Target) -> Result<(), ValidateError> {
    let validator = spirv_tools::val::create(Some(environment(target)));
    let options = ValidatorOptions { scalar_block_layout: true, ..ValidatorOptions::default() };
    validator.validate(words, Some(options)).map_err(|error| match (error.inner, error.diagnostic) {
        // Not a verdict: the program could not be started, or its pipes broke.
        (SpirvResult::Unsupported | SpirvResult::EndOfStream, Some(diagnostic)) => {
            ValidateError::Unavailable(diagnostic.message)
        }
        (_, Some(diagnostic)) => ValidateError::Invalid(diagnostic.message),
        (_, None) => ValidateError::Unavailable("spirv-val gave no reason".into()),
    })
}

fn environment(target: Target) -> TargetEnv {
    match target {
        Target::Vulkan(VulkanVersion::V1_1) => TargetEnv::Vulkan_1_1,
        Target::Vulkan(VulkanVersion::V1_2) => TargetEnv::Vulkan_1_2,
        Target::Vulkan(VulkanVersion::V1_3 | VulkanVersion::V1_4) => TargetEnv::Vulkan_1_3,
        Target::OpenCl(OpenClVersion::V1_2) => TargetEnv::OpenCL_1_2,
        Target::OpenCl(OpenClVersion::V2_0) => TargetEnv::OpenCL_2_0,
        Target::OpenCl(OpenClVersion::V2_1) => TargetEnv::OpenCL_2_1,
        Target::OpenCl(OpenClVersion::V2_2 | OpenClVersion::V3_0) => TargetEnv::OpenCL_2_2,
    }
}
