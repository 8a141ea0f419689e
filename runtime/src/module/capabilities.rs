//! The Vulkan features that SPIR-V capabilities need.

use super::scan::{FloatMode, Scan};
use crate::error::{Error, Result};
use crate::vulkan::DeviceInfo;
use spirv::{Capability as C, ExecutionMode};

/// What a capability needs of a device.
pub(super) enum Needs {
    Nothing,
    /// One of these features.
    Any(&'static [&'static str]),
    /// No device suffices: a Vulkan compute module may not declare it, or it is unknown here.
    Never,
}

/// Vulkan 1.3, appendix "Vulkan Environment for SPIR-V", table of capabilities.
pub(super) fn needs(capability: C) -> Needs {
    use Needs::Any;
    match capability {
        C::Matrix
        | C::Shader
        | C::InputAttachment
        | C::Sampled1D
        | C::Image1D
        | C::SampledBuffer
        | C::ImageBuffer
        | C::ImageQuery
        | C::DerivativeControl
        | C::DeviceGroup => Needs::Nothing,
        // Checked by execution mode and width: see `float_mode`.
        C::DenormPreserve
        | C::DenormFlushToZero
        | C::SignedZeroInfNanPreserve
        | C::RoundingModeRTE
        | C::RoundingModeRTZ => Needs::Nothing,
        C::Float16 => Any(&["shaderFloat16"]),
        C::Float64 => Any(&["shaderFloat64"]),
        C::Int8 => Any(&["shaderInt8"]),
        C::Int16 => Any(&["shaderInt16"]),
        C::Int64 => Any(&["shaderInt64"]),
        C::Int64Atomics => Any(&["shaderBufferInt64Atomics", "shaderSharedInt64Atomics"]),
        C::StorageBuffer16BitAccess => Any(&["storageBuffer16BitAccess"]),
        C::UniformAndStorageBuffer16BitAccess => Any(&["uniformAndStorageBuffer16BitAccess"]),
        C::StoragePushConstant16 => Any(&["storagePushConstant16"]),
        C::StorageBuffer8BitAccess => Any(&["storageBuffer8BitAccess"]),
        C::UniformAndStorageBuffer8BitAccess => Any(&["uniformAndStorageBuffer8BitAccess"]),
        C::StoragePushConstant8 => Any(&["storagePushConstant8"]),
        C::VariablePointersStorageBuffer => Any(&["variablePointersStorageBuffer"]),
        C::VariablePointers => Any(&["variablePointers"]),
        C::PhysicalStorageBufferAddresses => Any(&["bufferDeviceAddress"]),
        C::VulkanMemoryModel => Any(&["vulkanMemoryModel"]),
        C::VulkanMemoryModelDeviceScope => Any(&["vulkanMemoryModelDeviceScope"]),
        C::GroupNonUniform => Any(&["subgroup basic operations"]),
        C::GroupNonUniformVote => Any(&["subgroup vote operations"]),
        C::GroupNonUniformArithmetic => Any(&["subgroup arithmetic operations"]),
        C::GroupNonUniformBallot => Any(&["subgroup ballot operations"]),
        C::GroupNonUniformShuffle => Any(&["subgroup shuffle operations"]),
        C::GroupNonUniformShuffleRelative => Any(&["subgroup shuffle relative operations"]),
        C::GroupNonUniformClustered => Any(&["subgroup clustered operations"]),
        C::GroupNonUniformQuad => Any(&["subgroup quad operations"]),
        C::GroupNonUniformRotateKHR => Any(&["shaderSubgroupRotate"]),
        C::AtomicFloat16AddEXT => Any(&["shaderBufferFloat16AtomicAdd", "shaderSharedFloat16AtomicAdd"]),
        C::AtomicFloat32AddEXT => Any(&["shaderBufferFloat32AtomicAdd", "shaderSharedFloat32AtomicAdd"]),
        C::AtomicFloat64AddEXT => Any(&["shaderBufferFloat64AtomicAdd", "shaderSharedFloat64AtomicAdd"]),
        C::AtomicFloat16MinMaxEXT => Any(&["shaderBufferFloat16AtomicMinMax", "shaderSharedFloat16AtomicMinMax"]),
        C::AtomicFloat32MinMaxEXT => Any(&["shaderBufferFloat32AtomicMinMax", "shaderSharedFloat32AtomicMinMax"]),
        C::AtomicFloat64MinMaxEXT => Any(&["shaderBufferFloat64AtomicMinMax", "shaderSharedFloat64AtomicMinMax"]),
        C::WorkgroupMemoryExplicitLayoutKHR => Any(&["workgroupMemoryExplicitLayout"]),
        C::WorkgroupMemoryExplicitLayout8BitAccessKHR => Any(&["workgroupMemoryExplicitLayout8BitAccess"]),
        C::WorkgroupMemoryExplicitLayout16BitAccessKHR => Any(&["workgroupMemoryExplicitLayout16BitAccess"]),
        C::DotProduct | C::DotProductInputAll | C::DotProductInput4x8Bit | C::DotProductInput4x8BitPacked => {
            Any(&["shaderIntegerDotProduct"])
        }
        C::ShaderClockKHR => Any(&["shaderSubgroupClock", "shaderDeviceClock"]),
        C::CooperativeMatrixKHR => Any(&["cooperativeMatrix"]),
        C::ExpectAssumeKHR => Any(&["shaderExpectAssume"]),
        C::StorageImageExtendedFormats => Any(&["shaderStorageImageExtendedFormats"]),
        C::StorageImageReadWithoutFormat => Any(&["shaderStorageImageReadWithoutFormat", "format feature flags 2"]),
        C::StorageImageWriteWithoutFormat => Any(&["shaderStorageImageWriteWithoutFormat", "format feature flags 2"]),
        C::SampledImageArrayDynamicIndexing => Any(&["shaderSampledImageArrayDynamicIndexing"]),
        C::StorageBufferArrayDynamicIndexing => Any(&["shaderStorageBufferArrayDynamicIndexing"]),
        C::UniformBufferArrayDynamicIndexing => Any(&["shaderUniformBufferArrayDynamicIndexing"]),
        C::StorageImageArrayDynamicIndexing => Any(&["shaderStorageImageArrayDynamicIndexing"]),
        C::RuntimeDescriptorArray => Any(&["runtimeDescriptorArray"]),
        _ => Needs::Never,
    }
}

/// Whether the device supports a float control.
pub(super) fn float_mode(info: &DeviceInfo, mode: FloatMode) -> bool {
    float_feature(mode).is_some_and(|name| info.has_feature(&name))
}

/// The property of `VkPhysicalDeviceFloatControlsProperties` that an execution mode needs.
fn float_feature(mode: FloatMode) -> Option<String> {
    let name = match ExecutionMode::from_u32(mode.mode)? {
        ExecutionMode::DenormPreserve => "shaderDenormPreserveFloat",
        ExecutionMode::DenormFlushToZero => "shaderDenormFlushToZeroFloat",
        ExecutionMode::SignedZeroInfNanPreserve => "shaderSignedZeroInfNanPreserveFloat",
        ExecutionMode::RoundingModeRTE => "shaderRoundingModeRTEFloat",
        ExecutionMode::RoundingModeRTZ => "shaderRoundingModeRTZFloat",
        _ => return None,
    };
    Some(format!("{name}{}", mode.width))
}

/// The features that a module's capabilities need and the device lacks, sorted, each once.
pub(super) fn missing(scan: &Scan, info: &DeviceInfo) -> Vec<String> {
    let mut missing = Vec::new();
    for capability in scan.capabilities.iter().filter_map(|number| C::from_u32(*number)) {
        if let Needs::Any(features) = needs(capability)
            && !features.iter().any(|feature| info.has_feature(feature))
        {
            missing.push(features.join(" or "));
        }
    }
    missing.sort();
    missing.dedup();
    missing
}

/// Checks that the device supports everything that the module declares.
///
/// # Errors
/// [`Error::UnusableModule`], [`Error::MissingFeature`].
pub(crate) fn check(scan: &Scan, info: &DeviceInfo) -> Result<()> {
    if scan.is_opencl() {
        let reason = "it is for OpenCL (capability Kernel), not for Vulkan; compile it with --target vulkan1.2";
        return Err(Error::UnusableModule(reason.into()));
    }
    for number in &scan.capabilities {
        let Some(capability) = C::from_u32(*number) else {
            return Err(Error::UnusableModule(format!("it declares the unknown SPIR-V capability {number}")));
        };
        match needs(capability) {
            Needs::Nothing => {}
            Needs::Any(features) if features.iter().any(|feature| info.has_feature(feature)) => {}
            Needs::Any(features) => {
                return Err(Error::MissingFeature {
                    feature: features.join(" or "),
                    needed_by: format!("the SPIR-V capability {capability:?}"),
                    device: info.name.clone(),
                });
            }
            Needs::Never => {
                let reason = format!("the SPIR-V capability {capability:?} is not supported for compute on Vulkan");
                return Err(Error::UnusableModule(reason));
            }
        }
    }
    // The other float controls are removed where they are not supported: see `adapt`.
    let rounding = [ExecutionMode::RoundingModeRTE as u32, ExecutionMode::RoundingModeRTZ as u32];
    match scan.float_modes.iter().find(|mode| rounding.contains(&mode.mode) && !float_mode(info, **mode)) {
        None => Ok(()),
        Some(mode) => Err(Error::MissingFeature {
            feature: float_feature(*mode).unwrap_or_default(),
            needed_by: format!("a rounding mode for {}-bit floating point", mode.width),
            device: info.name.clone(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn device(features: &[&'static str]) -> DeviceInfo {
        DeviceInfo { name: "test".into(), features: features.to_vec(), ..DeviceInfo::default() }
    }

    fn scan(capabilities: &[C]) -> Scan {
        Scan { capabilities: capabilities.iter().map(|c| *c as u32).collect(), ..Scan::default() }
    }

    #[test]
    fn the_missing_feature_is_named() {
        let module = scan(&[C::Shader, C::Float64]);
        assert!(check(&module, &device(&["shaderFloat64"])).is_ok());
        let Err(Error::MissingFeature { feature, .. }) = check(&module, &device(&[])) else { panic!("accepted") };
        assert_eq!(feature, "shaderFloat64");
    }

    #[test]
    fn opencl_modules_and_unknown_capabilities_are_rejected() {
        assert!(matches!(check(&scan(&[C::Kernel]), &device(&[])), Err(Error::UnusableModule(_))));
        assert!(matches!(check(&scan(&[C::Tessellation]), &device(&[])), Err(Error::UnusableModule(_))));
        let unknown = Scan { capabilities: vec![999_999], ..Scan::default() };
        assert!(matches!(check(&unknown, &device(&[])), Err(Error::UnusableModule(_))));
    }
}
