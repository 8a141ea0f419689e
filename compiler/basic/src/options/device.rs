//! What is known of the Vulkan devices that a module is for.

use super::OpenClVersion;
use crate::matrix::MatrixVariant;

/// Facts about every Vulkan device of interest. The default is what Vulkan promises of each device. For targets of OpenCL
/// they have no effect.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct DeviceFacts {
    /// Bytes of push constants; arguments past it go to a uniform buffer.
    pub max_push_constants: u32,
    /// Atomic operations on floating objects; others exchange integers.
    pub float_atomics: FloatAtomics,
    /// Types of which the `Fma` of `GLSL.std.450` is rounded once. Vulkan allows it to be a product and a sum, each rounded;
    /// for other types `fma` is computed by other means.
    pub fused_multiply_add: FloatWidths,
    /// What else is known of its arithmetic.
    pub arithmetic: DeviceArithmetic,
    /// Sub-groups are consecutive work-items of a work-group, by their local linear id, and have arithmetic of all types, and
    /// work-items of one execute an operation of it together wherever all of them reach it, although other sub-groups do not.
    /// Reductions and scans of work-groups then go through sub-groups. Vulkan promises the second only.
    pub linear_sub_groups: bool,
    /// Types that the devices lack.
    pub emulated: EmulatedTypes,
    /// The products of cooperative matrices that the devices have instructions for. Others are emulated, and so are matrices that
    /// none of them has. Without any nothing is known, and no matrix is emulated because of this.
    pub matrices: Vec<MatrixVariant>,
    /// The number of work-items of each sub-group, if it is the same for all kernels.
    pub sub_group_size: Option<u32>,
    /// The least number that a sub-group may have.
    pub least_sub_group_size: u32,
    /// How buffers are addressed.
    pub addressing: Addressing,
    /// The devices have the Vulkan memory model (`vulkanMemoryModel`). Modules for others have that of GLSL: work-items see
    /// what others store to buffers by coherent or volatile accesses. Vulkan 1.3 promises it, and earlier versions do not.
    pub vulkan_memory_model: bool,
    /// The devices can be asked to keep signed zeros, infinities and NaNs (`VK_KHR_shader_float_controls`, Vulkan 1.2). Modules
    /// for others do not ask, and drivers keep them as they do by default.
    pub float_controls: bool,
    /// The version of OpenCL that the devices have, for `__OPENCL_VERSION__`: 3.1, which takes sub-groups, or less.
    pub opencl: OpenClVersion,
}

impl Default for DeviceFacts {
    fn default() -> Self {
        DeviceFacts {
            max_push_constants: 128,
            float_atomics: FloatAtomics::default(),
            fused_multiply_add: FloatWidths::default(),
            arithmetic: DeviceArithmetic::default(),
            linear_sub_groups: false,
            emulated: EmulatedTypes::default(),
            matrices: Vec::new(),
            sub_group_size: None,
            least_sub_group_size: 1,
            addressing: Addressing::default(),
            vulkan_memory_model: true,
            float_controls: true,
            opencl: OpenClVersion::V3_1,
        }
    }
}

/// How modules for Vulkan address the buffers of the host.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Addressing {
    /// By device addresses of 64 bits (`bufferDeviceAddress`).
    #[default]
    Physical64,
    /// By descriptors of storage buffers and offsets of 32 bits, with which every Vulkan device and WebGPU can do. Pointers
    /// that the host stores in buffers cannot be used, and no buffer reaches beyond 4 GiB.
    Logical,
}

impl Addressing {
    /// The names that [`Addressing::parse`] reads.
    pub const NAMES: [&'static str; 2] = ["physical64", "logical"];

    /// The addressing of a name.
    pub fn parse(name: &str) -> Option<Addressing> {
        match name {
            "physical64" => Some(Addressing::Physical64),
            "logical" => Some(Addressing::Logical),
            _ => None,
        }
    }
}

/// Types that devices lack in registers or in memory: modules compute with integers of 32 bits instead; and operations of
/// sub-groups. The default is none, though Vulkan promises none of these types.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EmulatedTypes {
    /// Integers of 8 bits: without `shaderInt8` or `storageBuffer8BitAccess`.
    pub int8: bool,
    /// Integers of 16 bits, and halves in memory: without `shaderInt16` or `storageBuffer16BitAccess`.
    pub int16: bool,
    /// Integers of 64 bits, and addresses as such: without `shaderInt64`.
    pub int64: bool,
    /// Halves: without `shaderFloat16`, or with integers of 16 bits emulated.
    pub float16: bool,
    /// Doubles: without `shaderFloat64`.
    pub float64: bool,
    /// Cooperative matrices: without `cooperativeMatrix`.
    pub matrices: bool,
    /// Operations of sub-groups: each work-item is a sub-group. Without one of [`EmulatedTypes::OF_SUB_GROUPS`].
    pub sub_groups: bool,
    /// Arithmetic and relative shuffles of sub-groups, which are loops and shuffles then: without one of
    /// [`EmulatedTypes::OF_SUB_GROUP_ARITHMETIC`].
    pub sub_group_arithmetic: bool,
    /// Integers of 8, 16 and 64 bits and halves as operands of sub-groups: without `shaderSubgroupExtendedTypes`.
    pub sub_group_types: bool,
}

impl EmulatedTypes {
    /// The names of the types, as [`EmulatedTypes::add`] reads them.
    pub const NAMES: [&'static str; 9] = [
        "int8",
        "int16",
        "int64",
        "float16",
        "float64",
        "matrices",
        EmulatedTypes::SUB_GROUPS,
        EmulatedTypes::SUB_GROUP_ARITHMETIC,
        EmulatedTypes::SUB_GROUP_TYPES,
    ];
    /// The name of operations of sub-groups.
    pub const SUB_GROUPS: &'static str = "sub-groups";
    /// The name of arithmetic of sub-groups.
    pub const SUB_GROUP_ARITHMETIC: &'static str = "sub-group-arithmetic";
    /// The name of operands of sub-groups that are not of 32 bits.
    pub const SUB_GROUP_TYPES: &'static str = "sub-group-types";
    /// What devices with sub-groups have in compute shaders, by the names that the runtime has for it. Vulkan promises the
    /// first only.
    pub const OF_SUB_GROUPS: [&'static str; 4] = [
        "subgroup basic operations",
        "subgroup vote operations",
        "subgroup ballot operations",
        "subgroup shuffle operations",
    ];
    /// What is made of those.
    pub const OF_SUB_GROUP_ARITHMETIC: [&'static str; 2] =
        ["subgroup arithmetic operations", "subgroup shuffle relative operations"];

    /// Adds the type of a name; whether there is one.
    pub fn add(&mut self, name: &str) -> bool {
        let emulated = match name {
            "int8" => &mut self.int8,
            "int16" => &mut self.int16,
            "int64" => &mut self.int64,
            "float16" => &mut self.float16,
            "float64" => &mut self.float64,
            "matrices" => &mut self.matrices,
            EmulatedTypes::SUB_GROUPS => &mut self.sub_groups,
            EmulatedTypes::SUB_GROUP_ARITHMETIC => &mut self.sub_group_arithmetic,
            EmulatedTypes::SUB_GROUP_TYPES => &mut self.sub_group_types,
            _ => return false,
        };
        *emulated = true;
        true
    }

    /// Adds the types that take features which a device lacks.
    pub fn add_missing(&mut self, has_feature: impl Fn(&str) -> bool) {
        self.int8 |= !has_feature("shaderInt8") || !has_feature("storageBuffer8BitAccess");
        self.int16 |= !has_feature("shaderInt16") || !has_feature("storageBuffer16BitAccess");
        self.int64 |= !has_feature("shaderInt64");
        self.float16 |= !has_feature("shaderFloat16") || self.int16;
        self.float64 |= !has_feature("shaderFloat64");
        self.sub_groups |= !EmulatedTypes::OF_SUB_GROUPS.into_iter().all(&has_feature);
        self.sub_group_arithmetic |= !EmulatedTypes::OF_SUB_GROUP_ARITHMETIC.into_iter().all(&has_feature);
        self.sub_group_types |= !has_feature("shaderSubgroupExtendedTypes");
        self.matrices |= !has_feature("cooperativeMatrix") || self.sub_groups;
    }

    /// The names of those that are emulated.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        let flags = [
            self.int8,
            self.int16,
            self.int64,
            self.float16,
            self.float64,
            self.matrices,
            self.sub_groups,
            self.sub_group_arithmetic,
            self.sub_group_types,
        ];
        EmulatedTypes::NAMES.into_iter().zip(flags).filter(|(_, is_emulated)| *is_emulated).map(|(name, _)| name)
    }

    /// Whether integers narrower than 32 bits of one of the widths are emulated.
    pub fn any_narrow(self) -> bool {
        self.int8 || self.int16
    }
}

impl DeviceFacts {
    /// Adds what a feature of Vulkan stands for that changes what is compiled: those of [`FloatAtomics::enable`], and
    /// `shaderFmaFloat32` and `shaderFmaFloat64` (`VK_KHR_shader_fma`). Whether it is one of these.
    pub fn enable_feature(&mut self, feature: &str) -> bool {
        match feature {
            "shaderFmaFloat32" => self.fused_multiply_add.float = true,
            "shaderFmaFloat64" => self.fused_multiply_add.double = true,
            _ => return self.float_atomics.enable(feature),
        }
        true
    }
}

/// The types of either.
impl std::ops::BitOrAssign for EmulatedTypes {
    fn bitor_assign(&mut self, other: EmulatedTypes) {
        other.names().for_each(|name| {
            self.add(name);
        });
    }
}

/// Atomic operations on floating objects that Vulkan devices have instructions of (`VK_EXT_shader_atomic_float` and
/// `VK_EXT_shader_atomic_float2`). Minima and maxima in `local` memory are not among them: with NaNs devices differ, and
/// what repairs that has no instructions there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FloatAtomics {
    /// Additions in `global` memory.
    pub buffer_add: FloatWidths,
    /// Minima and maxima in `global` memory.
    pub buffer_min_max: FloatWidths,
    /// Loads, stores and exchanges in `local` memory, without which there are no other operations there.
    pub shared_access: FloatWidths,
    /// Additions in `local` memory.
    pub shared_add: FloatWidths,
}

/// Precision of a device's operations on `float` that Vulkan does not promise (Vulkan 1.3, "Precision and Operation of SPIR-V
/// Instructions"). The default is what Vulkan promises.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DeviceArithmetic {
    /// How a quotient is rounded correctly.
    pub divide: CorrectRounding,
    /// How a square root is rounded correctly.
    pub sqrt: CorrectRounding,
    /// `Exp2` of `GLSL.std.450` is as precise as `exp2` of OpenCL C has to be (7.4), 3 ulp. It is only made use of where
    /// [`DeviceFacts::fused_multiply_add`] has `float`.
    pub precise_exp2: bool,
    /// Types of which `FAbs` of `GLSL.std.450` clears the sign also of zero, which it need not: "x if x >= 0; otherwise -x". It
    /// may flush denormals, as any operation may.
    pub absolute_value: FloatWidths,
}

/// How a result is rounded correctly, as `-cl-fp32-correctly-rounded-divide-sqrt` requires.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CorrectRounding {
    /// In integer arithmetic.
    #[default]
    Integers,
    /// By one correction of the device's estimate. [`DeviceFacts::fused_multiply_add`] must have `float`.
    Corrected,
    /// By the device's instruction.
    Native,
}

/// Widths of floating types.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FloatWidths {
    /// `float`.
    pub float: bool,
    /// `double`.
    pub double: bool,
}

/// The widths of either.
impl std::ops::BitOr for FloatWidths {
    type Output = FloatWidths;

    fn bitor(self, other: FloatWidths) -> FloatWidths {
        FloatWidths { float: self.float || other.float, double: self.double || other.double }
    }
}

impl FloatAtomics {
    /// Adds what a feature of Vulkan stands for, such as `shaderBufferFloat32AtomicAdd`; whether it is one of these.
    pub fn enable(&mut self, feature: &str) -> bool {
        let (widths, is_wide) = match feature {
            "shaderBufferFloat32AtomicAdd" => (&mut self.buffer_add, false),
            "shaderBufferFloat64AtomicAdd" => (&mut self.buffer_add, true),
            "shaderBufferFloat32AtomicMinMax" => (&mut self.buffer_min_max, false),
            "shaderBufferFloat64AtomicMinMax" => (&mut self.buffer_min_max, true),
            "shaderSharedFloat32Atomics" => (&mut self.shared_access, false),
            "shaderSharedFloat64Atomics" => (&mut self.shared_access, true),
            "shaderSharedFloat32AtomicAdd" => (&mut self.shared_add, false),
            "shaderSharedFloat64AtomicAdd" => (&mut self.shared_add, true),
            _ => return false,
        };
        *(if is_wide { &mut widths.double } else { &mut widths.float }) = true;
        true
    }
}
