//! What SPIR-V modules may declare (`cl_khr_spirv_queries`, core in OpenCL 3.1): what the reader of modules implements, as far
//! as the device has what it stands for.

use super::Device;
use crate::info::Value;
use opencl_sys::*;
use std::ffi::CStr;

/// Instruction sets that modules may import.
const INSTRUCTION_SETS: [&CStr; 2] = [c"OpenCL.std", c"OpenCL.DebugInfo.100"];

/// What the device must have for a capability or an extension.
#[derive(Clone, Copy)]
enum Needs {
    Nothing,
    /// A feature or an extension of OpenCL C.
    Feature(&'static str),
    /// Sub-groups or functions of work-groups.
    Groups,
}

use Needs::{Feature, Groups, Nothing};

/// Extensions of SPIR-V. Those of SPIR-V 1.6 and earlier that became core are also accepted as extensions.
const EXTENSIONS: [(&CStr, Needs); 14] = [
    (c"SPV_KHR_expect_assume", Nothing),
    (c"SPV_KHR_bit_instructions", Nothing),
    (c"SPV_KHR_linkonce_odr", Nothing),
    (c"SPV_KHR_no_integer_wrap_decoration", Nothing),
    (c"SPV_KHR_integer_dot_product", Feature("__opencl_c_integer_dot_product_input_4x8bit_packed")),
    (c"SPV_KHR_subgroup_rotate", Feature("cl_khr_subgroup_rotate")),
    (c"SPV_KHR_shader_clock", Feature("__opencl_c_kernel_clock_scope_device")),
    (c"SPV_KHR_uniform_group_instructions", Feature("__opencl_c_work_group_collective_functions")),
    (c"SPV_EXT_shader_atomic_float_add", Feature("__opencl_c_ext_fp32_global_atomic_add")),
    (c"SPV_EXT_shader_atomic_float16_add", Feature("__opencl_c_ext_fp16_global_atomic_add")),
    (c"SPV_EXT_shader_atomic_float_min_max", Feature("__opencl_c_ext_fp32_global_atomic_min_max")),
    (c"SPV_INTEL_bfloat16_conversion", Nothing),
    (c"SPV_INTEL_split_barrier", Nothing),
    (c"SPV_INTEL_subgroups", Feature("cl_khr_subgroup_shuffle")),
];

/// Capabilities: their names, their numbers, and what the device must have.
const CAPABILITIES: [(&str, u32, Needs); 50] = [
    ("Linkage", 5, Nothing),
    ("Addresses", 4, Nothing),
    ("Kernel", 6, Nothing),
    ("Vector16", 7, Nothing),
    ("Float16Buffer", 8, Nothing),
    ("Float16", 9, Feature("cl_khr_fp16")),
    ("Float64", 10, Feature("__opencl_c_fp64")),
    ("Int64", 11, Feature("__opencl_c_int64")),
    ("Int64Atomics", 12, Feature("cl_khr_int64_base_atomics")),
    ("ImageBasic", 13, Feature("__opencl_c_images")),
    ("ImageReadWrite", 14, Feature("__opencl_c_read_write_images")),
    ("Pipes", 17, Feature("__opencl_c_pipes")),
    ("Groups", 18, Groups),
    ("LiteralSampler", 20, Feature("__opencl_c_images")),
    ("Int16", 22, Nothing),
    ("GenericPointer", 38, Feature("__opencl_c_generic_address_space")),
    ("Int8", 39, Nothing),
    ("Sampled1D", 43, Feature("__opencl_c_images")),
    ("Image1D", 44, Feature("__opencl_c_images")),
    ("SampledBuffer", 46, Feature("__opencl_c_images")),
    ("ImageBuffer", 47, Feature("__opencl_c_images")),
    ("SubgroupDispatch", 58, Feature("__opencl_c_subgroups")),
    ("GroupNonUniform", 61, Feature("cl_khr_subgroup_non_uniform_vote")),
    ("GroupNonUniformVote", 62, Feature("cl_khr_subgroup_non_uniform_vote")),
    ("GroupNonUniformArithmetic", 63, Feature("cl_khr_subgroup_non_uniform_arithmetic")),
    ("GroupNonUniformBallot", 64, Feature("cl_khr_subgroup_ballot")),
    ("GroupNonUniformShuffle", 65, Feature("cl_khr_subgroup_shuffle")),
    ("GroupNonUniformShuffleRelative", 66, Feature("cl_khr_subgroup_shuffle_relative")),
    ("GroupNonUniformClustered", 67, Feature("cl_khr_subgroup_clustered_reduce")),
    ("UniformDecoration", 71, Nothing),
    ("SignedZeroInfNanPreserve", 4466, Nothing),
    ("RoundingModeRTE", 4467, Nothing),
    ("ShaderClockKHR", 5055, Feature("__opencl_c_kernel_clock_scope_device")),
    ("SubgroupShuffleINTEL", 5568, Feature("cl_khr_subgroup_shuffle")),
    ("SubgroupBufferBlockIOINTEL", 5569, Feature("cl_khr_subgroup_shuffle")),
    ("AtomicFloat32MinMaxEXT", 5612, Feature("__opencl_c_ext_fp32_global_atomic_min_max")),
    ("AtomicFloat64MinMaxEXT", 5613, Feature("__opencl_c_ext_fp64_global_atomic_min_max")),
    ("AtomicFloat16MinMaxEXT", 5616, Feature("__opencl_c_ext_fp16_global_atomic_min_max")),
    ("ExpectAssumeKHR", 5629, Nothing),
    ("DotProductInput4x8Bit", 6017, Feature("__opencl_c_integer_dot_product_input_4x8bit")),
    ("DotProductInput4x8BitPacked", 6018, Feature("__opencl_c_integer_dot_product_input_4x8bit_packed")),
    ("DotProduct", 6019, Feature("__opencl_c_integer_dot_product_input_4x8bit_packed")),
    ("BitInstructions", 6025, Nothing),
    ("GroupNonUniformRotateKHR", 6026, Feature("cl_khr_subgroup_rotate")),
    ("AtomicFloat32AddEXT", 6033, Feature("__opencl_c_ext_fp32_global_atomic_add")),
    ("AtomicFloat64AddEXT", 6034, Feature("__opencl_c_ext_fp64_global_atomic_add")),
    ("AtomicFloat16AddEXT", 6095, Feature("__opencl_c_ext_fp16_global_atomic_add")),
    ("BFloat16ConversionINTEL", 6115, Nothing),
    ("SplitBarrierINTEL", 6141, Nothing),
    ("GroupUniformArithmeticKHR", 6400, Feature("__opencl_c_work_group_collective_functions")),
];

impl Device {
    fn satisfies(&self, needs: Needs) -> bool {
        match needs {
            Nothing => true,
            Feature(name) => self.has(name),
            Groups => self.has("__opencl_c_subgroups") || self.has("__opencl_c_work_group_collective_functions"),
        }
    }
}

/// The addresses of strings, which stay where they are.
fn strings<'a>(strings: impl Iterator<Item = &'a CStr>) -> Value {
    Value::list(&strings.map(|string| string.as_ptr().expose_provenance()).collect::<Vec<usize>>())
}

/// The three queries.
pub(super) fn queries(device: &Device, name: cl_uint) -> Option<Value> {
    Some(match name {
        CL_DEVICE_SPIRV_EXTENDED_INSTRUCTION_SETS => strings(INSTRUCTION_SETS.into_iter()),
        CL_DEVICE_SPIRV_EXTENSIONS => {
            strings(EXTENSIONS.into_iter().filter(|(_, needs)| device.satisfies(*needs)).map(|(name, _)| name))
        }
        CL_DEVICE_SPIRV_CAPABILITIES => {
            let available = CAPABILITIES.iter().filter(|(.., needs)| device.satisfies(*needs));
            Value::list(&available.map(|(_, number, _)| *number).collect::<Vec<u32>>())
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rspirv::spirv::Capability;

    #[test]
    fn capabilities_have_the_numbers_of_the_grammar() {
        for (name, number, _) in CAPABILITIES {
            let known = Capability::from_u32(number).map(|capability| format!("{capability:?}"));
            // The grammar has the name without the suffix where a capability became core.
            let core = name.trim_end_matches("KHR");
            assert!(known.as_deref().is_some_and(|known| known.trim_end_matches("KHR") == core), "{name}: {known:?}");
        }
    }
}
