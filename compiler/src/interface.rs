//! What a runtime must know about a module: kernels, their arguments, and where each value goes.
//!
//! In a Vulkan module this is stored as the non-semantic instruction set `NonSemantic.ClspvReflection`; the emitter
//! writes it from these types and [`ModuleInterface::from_spirv`] reads it back, from our modules or another compiler's.

/// Everything a host needs to launch the kernels of a module.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ModuleInterface {
    /// The kernels, in module order.
    pub kernels: Vec<KernelInterface>,
    /// Module-wide push constants that describe the ND-range of a launch.
    pub push_constants: Vec<PushConstant>,
    /// Specialisation constant ids of the work-group size, where it is not fixed.
    pub work_group_size_spec_ids: Option<[u32; 3]>,
    /// Specialisation constant id of the number of ND-range dimensions.
    pub work_dim_spec_id: Option<u32>,
    /// Data the host puts in a buffer before the first launch.
    pub program_data: Vec<ProgramData>,
    /// Samplers that are literals in the source.
    pub literal_samplers: Vec<LiteralSampler>,
}

/// One kernel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KernelInterface {
    /// The entry point's name.
    pub name: String,
    /// Arguments in declaration order.
    pub arguments: Vec<Argument>,
    /// The source's attributes as `clGetKernelInfo` prints them, space separated.
    pub attributes: String,
    /// `reqd_work_group_size`.
    pub required_work_group_size: Option<[u32; 3]>,
}

/// One kernel argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// Position in the parameter list, from 0.
    pub ordinal: u32,
    /// Where the value goes.
    pub binding: ArgumentBinding,
    /// Name and type, when the module keeps them.
    pub info: Option<ArgumentInfo>,
}

/// `clGetKernelArgInfo`'s facts. Numbers are the `cl.h` values (as the reflection set stores them).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ArgumentInfo {
    /// Parameter name.
    pub name: String,
    /// Type as written, without address space: `float*`, `int4`.
    pub type_name: String,
    /// `CL_KERNEL_ARG_ADDRESS_*`.
    pub address_qualifier: u32,
    /// `CL_KERNEL_ARG_ACCESS_*`.
    pub access_qualifier: u32,
    /// `CL_KERNEL_ARG_TYPE_*` bits.
    pub type_qualifiers: u32,
}

/// A descriptor's place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub struct Descriptor {
    pub set: u32,
    pub binding: u32,
}

/// Where an argument's value goes. Offsets and sizes are in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum ArgumentBinding {
    /// A buffer bound as a storage buffer descriptor.
    StorageBuffer(Descriptor),
    /// A buffer bound as a uniform buffer descriptor.
    UniformBuffer(Descriptor),
    /// Plain data inside a storage buffer.
    PodStorageBuffer {
        at: Descriptor,
        offset: u32,
        size: u32,
    },
    /// Plain data inside a uniform buffer.
    PodUniform {
        at: Descriptor,
        offset: u32,
        size: u32,
    },
    /// Plain data in the push constants.
    PodPushConstant {
        offset: u32,
        size: u32,
    },
    /// A 64-bit device address in the push constants.
    PointerPushConstant {
        offset: u32,
        size: u32,
    },
    /// A 64-bit device address inside a uniform buffer.
    PointerUniform {
        at: Descriptor,
        offset: u32,
        size: u32,
    },
    /// `local` memory: the specialisation constant holds the number of elements of `element_size` bytes.
    Workgroup {
        spec_id: u32,
        element_size: u32,
    },
    SampledImage(Descriptor),
    StorageImage(Descriptor),
    UniformTexelBuffer(Descriptor),
    StorageTexelBuffer(Descriptor),
    Sampler(Descriptor),
}

/// A value of the ND-range that the host writes into the push constants before each dispatch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PushConstant {
    /// Which value.
    pub kind: PushConstantKind,
    /// Byte offset in the push-constant block.
    pub offset: u32,
    /// Size in bytes (three 32-bit words unless said otherwise).
    pub size: u32,
}

/// The ND-range values of the reflection set. A launch whose global size is not a multiple of its local size is run as
/// up to eight *regions*, each a uniform dispatch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PushConstantKind {
    /// Offset given to the launch.
    GlobalOffset,
    /// Local size given to the launch (regions at the rim are smaller).
    EnqueuedLocalSize,
    /// Global size of the whole launch.
    GlobalSize,
    /// First work-item of this region, in work-items, without the global offset.
    RegionOffset,
    /// Number of work-groups of the whole launch.
    NumWorkgroups,
    /// First work-group of this region.
    RegionGroupOffset,
    /// Number of dimensions of the launch (one 32-bit word).
    WorkDim,
}

/// Data of program-scope variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramData {
    /// How the kernels find the buffer.
    pub binding: ProgramDataBinding,
    /// Initial contents.
    pub data: Vec<u8>,
    /// Places in `data` that hold an address inside the same buffer: (offset of the pointer, offset it points to).
    pub relocations: Vec<(u32, u32)>,
    /// Whether kernels may write it (program-scope `global` variables).
    pub writable: bool,
}

/// How kernels reach [`ProgramData`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum ProgramDataBinding {
    PushConstantPointer { offset: u32, size: u32 },
    StorageBuffer(Descriptor),
    UniformBuffer(Descriptor),
}

/// A sampler literal: the bits of `CLK_*` and where its descriptor is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct LiteralSampler {
    pub at: Descriptor,
    pub mask: u32,
}
