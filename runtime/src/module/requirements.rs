//! The requirements of a module, for people who want to know where it runs.

use super::capabilities::{Needs, needs};
use super::first_uses::{FirstUse, FirstUses, first_uses};
use clforge_compiler::interface::{InterfaceError, instructions};
use spirv::{Capability as C, Op};

/// A SPIR-V capability that a module declares.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct Requirement {
    /// Its name in the specification of SPIR-V.
    pub capability: String,
    /// The features of Vulkan one of which a device must have for it; none where all devices have it.
    pub features: Vec<&'static str>,
    /// What of OpenCL C it is for, as far as that is one thing.
    pub reason: Option<&'static str>,
    /// The first instruction that needs it, as far as that is known.
    pub first_use: Option<FirstUse>,
}

/// Everything that a module declares to need.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct Requirements {
    /// Major and minor version of SPIR-V.
    pub spirv_version: (u32, u32),
    /// The capabilities, in the module's order.
    pub capabilities: Vec<Requirement>,
    /// The extensions of SPIR-V, in the module's order.
    pub extensions: Vec<String>,
}

/// Reads what a module for Vulkan declares to need.
///
/// # Errors
/// [`InterfaceError`] for words that are no sequence of SPIR-V instructions.
pub fn requirements(words: &[u32]) -> Result<Requirements, InterfaceError> {
    let version = words.get(1).copied().unwrap_or_default();
    let spirv_version = (version >> 16 & 0xff, version >> 8 & 0xff);
    let mut found = Requirements { spirv_version, ..Requirements::default() };
    let uses = first_uses(words)?;
    for instruction in instructions(words)? {
        let instruction = instruction?;
        match Op::from_u32(instruction.opcode.into()) {
            Some(Op::Capability) => {
                found.capabilities.extend(instruction.word(0).map(|number| requirement(number, &uses)))
            }
            Some(Op::Extension) => found.extensions.extend(instruction.string(0).map(|(name, _)| name)),
            // Both come before everything else.
            Some(Op::MemoryModel) => break,
            _ => {}
        }
    }
    Ok(found)
}

fn requirement(number: u32, uses: &FirstUses) -> Requirement {
    let first_use = uses.uses.get(&number).cloned();
    let Some(capability) = C::from_u32(number) else {
        let capability = format!("capability {number}");
        return Requirement { capability, features: Vec::new(), reason: None, first_use };
    };
    let features = match needs(capability) {
        Needs::Any(features) => features.to_vec(),
        Needs::Nothing | Needs::Never => Vec::new(),
    };
    let reason = match capability {
        C::Int64 if uses.only_addresses => Some("addresses of buffers"),
        C::Int64 if first_use.is_some() => Some("long and size_t"),
        _ => reason(capability),
    };
    Requirement { capability: format!("{capability:?}"), features, reason, first_use }
}

/// What of OpenCL C the compiler needs a capability for.
fn reason(capability: C) -> Option<&'static str> {
    Some(match capability {
        C::Shader => "every kernel",
        C::PhysicalStorageBufferAddresses => "pointers to global and constant memory",
        C::VulkanMemoryModel => "barriers, fences, atomics and volatile accesses",
        C::VulkanMemoryModelDeviceScope => "atomics and fences of scope memory_scope_device",
        C::Int64 => "long, size_t, and addresses",
        C::Int16 => "short, and halves in memory",
        C::Int8 => "char, and bytes of other types",
        C::Float64 => "double",
        C::Float16 => "half",
        C::Int64Atomics => "atomics of 64 bits",
        C::StorageBuffer8BitAccess | C::UniformAndStorageBuffer8BitAccess => "char in global memory",
        C::StorageBuffer16BitAccess | C::UniformAndStorageBuffer16BitAccess => "short and half in global memory",
        C::AtomicFloat32AddEXT | C::AtomicFloat64AddEXT | C::AtomicFloat16AddEXT => {
            "atomic_fetch_add of floating types"
        }
        C::AtomicFloat32MinMaxEXT | C::AtomicFloat64MinMaxEXT | C::AtomicFloat16MinMaxEXT => {
            "atomic_fetch_min and atomic_fetch_max of floating types"
        }
        C::GroupNonUniform
        | C::GroupNonUniformVote
        | C::GroupNonUniformArithmetic
        | C::GroupNonUniformBallot
        | C::GroupNonUniformShuffle
        | C::GroupNonUniformShuffleRelative
        | C::GroupNonUniformClustered
        | C::GroupNonUniformRotateKHR => "functions of sub-groups, and reductions and scans of work-groups",
        C::SignedZeroInfNanPreserve => "signed zeros, infinities and NaNs",
        C::DenormPreserve => "denormals",
        C::RoundingModeRTE | C::RoundingModeRTZ => "conversions to half with a rounding mode",
        C::ImageQuery => "get_image_width and similar functions",
        C::Image1D | C::Sampled1D => "image1d_t",
        C::ImageBuffer | C::SampledBuffer => "image1d_buffer_t",
        C::StorageImageReadWithoutFormat => "images that kernels read and write",
        C::StorageImageWriteWithoutFormat => "images that kernels write",
        C::StorageImageArrayDynamicIndexing => "writes to levels of detail of images",
        C::ShaderClockKHR => "clock_read_device and similar functions",
        C::DotProduct | C::DotProductInputAll | C::DotProductInput4x8Bit | C::DotProductInput4x8BitPacked => {
            "dot and similar functions of integers"
        }
        C::ExpectAssumeKHR => "__builtin_expect and __builtin_assume",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_module_declares() {
        const EXTENSION: u32 = 10;
        const CAPABILITY: u32 = 17;
        const MEMORY_MODEL: u32 = 14;
        let name: Vec<u32> = b"SPV_KHR\0".as_chunks::<4>().0.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect();
        let mut words = vec![spirv::MAGIC_NUMBER, 0x0001_0500, 0, 1, 0];
        for capability in [C::Shader as u32, C::Float64 as u32, 999_999] {
            words.extend([2 << 16 | CAPABILITY, capability]);
        }
        words.extend([3 << 16 | EXTENSION, name[0], name[1], 3 << 16 | MEMORY_MODEL, 0, 0]);
        let found = requirements(&words).unwrap();
        assert_eq!((found.spirv_version, found.extensions), ((1, 5), vec!["SPV_KHR".to_owned()]));
        let double = &found.capabilities[1];
        assert_eq!((double.capability.as_str(), &double.features[..]), ("Float64", &["shaderFloat64"][..]));
        assert_eq!((double.reason, found.capabilities[2].reason), (Some("double"), None));
        assert_eq!(found.capabilities[2].capability, "capability 999999");
    }
}
