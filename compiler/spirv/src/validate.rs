//! `spirv-val` for the exact target environment. A validator that is missing, crashes, does not end, or prints anything
//! else than an error of the module gives no verdict.

mod cost;
mod process;

use clforge_basic::options::{OpenClVersion, Target, VulkanVersion};
use rspirv::spirv;
use spirv_tools::TargetEnv;
use std::ffi::OsString;
use std::time::Duration;

/// Why a module was not found valid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ValidateError {
    /// The validator rejects the module, with its message.
    Invalid(String),
    /// There is no verdict, for the reason given: the validator is not installed, did not end in time, or failed itself.
    Unavailable(String),
    /// There is no verdict, because the validator is older than a capability of the module, whose name it is.
    TooOld(String),
}

/// The validator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Validator {
    /// The program, searched for in `PATH` if it is a plain name.
    pub program: OsString,
    /// The time that a module may take, after which the validator is killed.
    pub limit: Duration,
    /// The longest estimate of that time: a module with a higher one is not given to the validator.
    pub longest: Duration,
}

impl Default for Validator {
    /// `spirv-val`, for a minute: a large program takes a second or two.
    fn default() -> Validator {
        let limit = Duration::from_secs(60);
        Validator { program: "spirv-val".into(), limit, longest: limit }
    }
}

/// The estimate above which a module that a command has just compiled is not validated: the user waits for it.
pub const SHORT: Duration = Duration::from_secs(2);

/// Validates a module for its target with the default [`Validator`].
///
/// # Errors
/// [`ValidateError::Invalid`] with the validator's message, or that there is no verdict.
pub fn validate(words: &[u32], target: Target) -> Result<(), ValidateError> {
    Validator::default().validate(words, target)
}

impl Validator {
    /// Validates a module for its target.
    ///
    /// # Errors
    /// As for [`validate`].
    pub fn validate(&self, words: &[u32], target: Target) -> Result<(), ValidateError> {
        if let Some(reason) = cost::Cost::of(words).refusal(self.longest) {
            return Err(ValidateError::Unavailable(reason));
        }
        let (without_size, without_levels, without_reflection);
        let words = match unknown_reflection(words) {
            Some(set) => {
                without_reflection = without_set(words, set);
                &without_reflection
            }
            None => words,
        };
        let words = if is_kernel_with_clock(words, target) {
            without_size = without_size_builtin(words);
            &without_size
        } else if declares(words, spirv::Capability::ImageMipmap) {
            without_levels = without_written_levels(words);
            &without_levels
        } else {
            words
        };
        process::run(self, words, environment(words, target)).map_err(|error| without_verdict(error, words))
    }
}

/// A rejection by a validator that is older than a capability of the module is no verdict. spirv-val 2023.1 does not know cooperative
/// matrices.
fn without_verdict(error: ValidateError, words: &[u32]) -> ValidateError {
    const NEWER: [spirv::Capability; 1] = [spirv::Capability::CooperativeMatrixKHR];
    let ValidateError::Invalid(message) = &error else { return error };
    let is_unknown = |capability: &spirv::Capability| {
        declares(words, *capability) && message.contains(&format!("Invalid capability operand: {}", *capability as u32))
    };
    match NEWER.iter().find(|capability| is_unknown(capability)) {
        Some(capability) => ValidateError::TooOld(format!("{capability:?}")),
        None => error,
    }
}

/// The validator's environment. Its OpenCL environments know no optional extension, so a module that computes with
/// halves (cl_khr_fp16), has 64-bit atomics (cl_khr_int64_base_atomics) or images of several samples
/// (cl_khr_gl_msaa_sharing) is checked against the rules of its SPIR-V version instead.
fn environment(words: &[u32], target: Target) -> TargetEnv {
    let version = match target {
        Target::Vulkan(VulkanVersion::V1_1) => return TargetEnv::Vulkan_1_1,
        Target::Vulkan(VulkanVersion::V1_2) => return TargetEnv::Vulkan_1_2,
        Target::Vulkan(VulkanVersion::V1_3 | VulkanVersion::V1_4) => return TargetEnv::Vulkan_1_3,
        Target::OpenCl(version) => version,
    };
    // Sub-group functions raise the version beyond what these environments know.
    const SPIRV_1_3: u32 = 0x0001_0300;
    if words.get(1).is_some_and(|version| *version >= SPIRV_1_3) {
        return TargetEnv::Universal_1_3;
    }
    let optional = [spirv::Capability::Float16, spirv::Capability::Int64Atomics];
    let extended = optional.into_iter().any(|capability| declares(words, capability)) || has_samples(words);
    match version {
        OpenClVersion::V2_2 | OpenClVersion::V3_0 | OpenClVersion::V3_1 if extended => TargetEnv::Universal_1_2,
        _ if extended => TargetEnv::Universal_1_0,
        OpenClVersion::V1_2 => TargetEnv::OpenCL_1_2,
        OpenClVersion::V2_0 => TargetEnv::OpenCL_2_0,
        OpenClVersion::V2_1 => TargetEnv::OpenCL_2_1,
        OpenClVersion::V2_2 | OpenClVersion::V3_0 | OpenClVersion::V3_1 => TargetEnv::OpenCL_2_2,
    }
}

/// Whether a module has an image type of several samples.
fn has_samples(words: &[u32]) -> bool {
    const SAMPLED: usize = 5;
    crate::interface::instructions(words)
        .into_iter()
        .flatten()
        .flatten()
        .any(|inst| inst.opcode == spirv::Op::TypeImage as u16 && inst.operands.get(SAMPLED) == Some(&1))
}

/// The reflection of a module, if it has a later revision than spirv-val 2023.1 knows: it refuses those.
fn unknown_reflection(words: &[u32]) -> Option<u32> {
    const KNOWN: u32 = 5;
    const IMPORT: u16 = spirv::Op::ExtInstImport as u16;
    let mut imports =
        crate::interface::instructions(words).into_iter().flatten().flatten().filter(|inst| inst.opcode == IMPORT);
    imports.find_map(|inst| {
        let (name, _) = inst.string(1)?;
        let revision: u32 = name.strip_prefix("NonSemantic.ClspvReflection.")?.parse().ok()?;
        inst.word(0).filter(|_| revision > KNOWN)
    })
}

/// A copy of a module without the instructions of a non-semantic set.
fn without_set(words: &[u32], set: u32) -> Vec<u32> {
    const IMPORT: u16 = spirv::Op::ExtInstImport as u16;
    const INSTRUCTION: u16 = spirv::Op::ExtInst as u16;
    let mut copy = words.get(..HEADER_WORDS).unwrap_or_default().to_vec();
    for inst in crate::interface::instructions(words).into_iter().flatten().flatten() {
        let is_of_set = match (inst.opcode, inst.operands) {
            (IMPORT, [id, ..]) | (INSTRUCTION, [_, _, id, ..]) => *id == set,
            _ => false,
        };
        if !is_of_set {
            copy.extend(words.get(inst.at..=inst.at + inst.operands.len()).unwrap_or_default());
        }
    }
    copy
}

/// Modules that spirv-val 2023.1 takes for shaders, in which it wants the work-group size to be a constant.
fn is_kernel_with_clock(words: &[u32], target: Target) -> bool {
    !target.is_vulkan() && declares(words, spirv::Capability::ShaderClockKHR)
}

/// A copy of a module in which images are written without a level of detail: spirv-val knows none there
/// (OpenCL SPIR-V environment, cl_khr_mipmap_image_writes), nor the capability.
fn without_written_levels(words: &[u32]) -> Vec<u32> {
    const CAPABILITY: u16 = spirv::Op::Capability as u16;
    const MIPMAP: u32 = spirv::Capability::ImageMipmap as u32;
    const WRITE: u16 = spirv::Op::ImageWrite as u16;
    const LOD: u32 = spirv::ImageOperands::LOD.bits();
    let mut copy = words.get(..HEADER_WORDS).unwrap_or_default().to_vec();
    for inst in crate::interface::instructions(words).into_iter().flatten().flatten() {
        match (inst.opcode, inst.operands) {
            (CAPABILITY, [MIPMAP]) => {}
            (WRITE, [image, coordinate, texel, LOD, _]) => {
                copy.extend([4 << 16 | u32::from(WRITE), *image, *coordinate, *texel]);
            }
            _ => copy.extend(words.get(inst.at..=inst.at + inst.operands.len()).unwrap_or_default()),
        }
    }
    copy
}

/// A copy of a module in which the work-group size is a variable like any other.
fn without_size_builtin(words: &[u32]) -> Vec<u32> {
    const DECORATE: u16 = spirv::Op::Decorate as u16;
    const BUILT_IN: u32 = spirv::Decoration::BuiltIn as u32;
    const SIZE: u32 = spirv::BuiltIn::WorkgroupSize as u32;
    let mut copy = words.get(..HEADER_WORDS).unwrap_or_default().to_vec();
    for inst in crate::interface::instructions(words).into_iter().flatten().flatten() {
        if inst.opcode != DECORATE || !matches!(inst.operands, [_, BUILT_IN, SIZE]) {
            copy.extend(words.get(inst.at..=inst.at + inst.operands.len()).unwrap_or_default());
        }
    }
    copy
}

const HEADER_WORDS: usize = 5;

/// Whether a module declares a capability; capabilities come first behind the header.
fn declares(words: &[u32], capability: spirv::Capability) -> bool {
    const CAPABILITY: u32 = 2 << 16 | spirv::Op::Capability as u32;
    let declared = words.get(HEADER_WORDS..).unwrap_or_default().chunks(2).take_while(|inst| inst[0] == CAPABILITY);
    declared.into_iter().any(|inst| inst.get(1) == Some(&(capability as u32)))
}
