//! What a runtime must know about a module: kernels, their arguments, and the location of each value.
//!
//! In a Vulkan module this is stored as the non-semantic instruction set `NonSemantic.ClspvReflection`; the emitter
//! (`compiler/spirv/src/emit/vulkan/reflection.rs`) writes it from these types and [`ModuleInterface::from_spirv`] reads it
//! back, from our modules or another compiler's. `compiler/spirv/src/emit/common/interface.rs` is something else: it collects
//! the variables that `OpEntryPoint` must list.

mod accesses;
mod arrays;
pub mod bounds;
mod instructions;
pub mod iterations;
pub mod layouts;
mod reading;

pub use accesses::{Access, Accesses};
pub use clforge_basic::layout::{Element, MemberLayout, RecordLayout, ValueLayout};
pub use clforge_basic::printf;
pub use clforge_ir::ArgumentInfo;
pub use instructions::{Instruction, Instructions, instructions};
pub use reading::InterfaceError;
use std::collections::BTreeMap;

/// Everything a host needs to launch the kernels of a module.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ModuleInterface {
    /// Byte offset in the push constants of the address of a word, in which kernels store 1 when the driver has ended one of their
    /// loops. Only modules for drivers that do so have it (`CodegenOptions::unroll_factor`).
    pub loop_status: Option<u32>,
    /// Byte offset in the push constants of the address of the memory of device queues, which is that of the launch and of all
    /// that is enqueued by it; of the launch's event in that memory, if it was enqueued with one. Only modules with kernels
    /// that enqueue others have it.
    pub queue_memory: Option<u32>,
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
    /// Specialisation constant ids of the global offset, in modules that take it this way rather than as a push constant.
    pub global_offset_spec_ids: Option<[u32; 3]>,
    /// Specialisation constant id of the largest sub-group size (`get_max_sub_group_size`).
    pub subgroup_max_size_spec_id: Option<u32>,
    /// The formats of `printf`, and the buffer they are printed to.
    pub printf: Printf,
    /// Bytes of each module-scope Workgroup variable: (result id of the variable, size).
    pub work_group_variables: Vec<(u32, u32)>,
    /// The checked accesses, in modules that check them.
    pub bounds: Option<bounds::Bounds>,
    /// Descriptors that are arrays, with their lengths: the module's variables say so, not its reflection.
    pub descriptor_arrays: BTreeMap<Descriptor, u32>,
    /// The records that arguments are made of; one is behind those that it contains. See [`layouts`].
    pub records: Vec<RecordLayout>,
}

/// One kernel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct KernelInterface {
    /// The entry point's name.
    pub name: String,
    /// Arguments in declaration order. Other compilers leave out arguments that the kernel does not use: see
    /// [`KernelInterface::argument_count`].
    pub arguments: Vec<Argument>,
    /// Number of parameters in the source as the module states it, 0 where it does not.
    pub declared_arguments: u32,
    /// Whether the kernel may call `printf`.
    pub uses_printf: bool,
    /// Whether the kernel may enqueue others, or asks for queues and events.
    pub enqueues: bool,
    /// Whether the kernel runs an enqueued block. Hosts launch it for kernels that have enqueued it, not by its name.
    pub is_block: bool,
    /// Of a kernel that runs a block: the arguments for the images and samplers that the block has captured.
    pub captured: Vec<CapturedHandle>,
    /// Facts about arguments that have descriptors, which the kernel reads from push constants or a uniform buffer.
    pub image_facts: Vec<ImageFact>,
    /// Sampler arguments that the kernel reads images at floating-point coordinates with.
    pub wrapped_samplers: Vec<WrappedSampler>,
    /// The source's attributes as `clGetKernelInfo` prints them, space separated.
    pub attributes: String,
    /// `reqd_work_group_size`.
    pub required_work_group_size: Option<[u32; 3]>,
    /// The most iterations that the loops of a work-item make together; `None` where it is not known. Only modules for drivers that
    /// end loops after a number of iterations say so (`CodegenOptions::unroll_factor`).
    pub most_iterations: Option<u32>,
    /// The most iterations of a launch, in terms of what the launch knows. Such a kernel is right for launches that stay below the
    /// driver's limit: see `CodegenOptions::few_iterations`.
    pub iteration_bound: Option<iterations::IterationBound>,
    /// The buffers that it accesses; `None` where that is not known. Images, and the buffers that the runtime adds, are not
    /// among them.
    pub accesses: Option<Accesses>,
}

impl KernelInterface {
    /// Number of parameters in the source: all have to be set, even those without an [`Argument`].
    pub fn argument_count(&self) -> u32 {
        let last = self.arguments.iter().map(|argument| argument.ordinal.saturating_add(1)).max();
        self.declared_arguments.max(last.unwrap_or(0))
    }

    /// The sub-group size that the kernel's attributes require (`intel_reqd_sub_group_size(N)`).
    pub fn required_sub_group_size(&self) -> Option<u32> {
        let (_, rest) = self.attributes.split_once("reqd_sub_group_size(")?;
        rest.split(')').next()?.trim().parse().ok()
    }

    /// The argument at a position, or `None` where the kernel does not use it.
    pub fn argument(&self, ordinal: u32) -> Option<&Argument> {
        self.arguments.iter().find(|argument| argument.ordinal == ordinal)
    }
}

/// One kernel argument.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Argument {
    /// Position in the parameter list, from 0.
    pub ordinal: u32,
    /// The location of the value.
    pub binding: ArgumentBinding,
    /// Name and type, when the module keeps them.
    pub info: Option<ArgumentInfo>,
    /// What the value, or what the pointer points to, is made of, where the module says so: `info` has the name of a built-in
    /// type.
    pub layout: Option<ValueLayout>,
}

impl Argument {
    /// An argument of which only the location is known.
    pub fn new(ordinal: u32, binding: ArgumentBinding) -> Argument {
        Argument { ordinal, binding, info: None, layout: None }
    }
}

/// Descriptors of an image whose levels of detail a kernel writes: one storage image for each level that the largest images
/// of today have. The runtime binds level 0 to those past the last.
pub const IMAGE_LEVELS: u32 = 16;

/// A descriptor's place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub struct Descriptor {
    pub set: u32,
    pub binding: u32,
}

/// The location of an argument's value. Offsets and sizes are in bytes.
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
    /// Size in bytes: [`PushConstant::NARROW`] unless said otherwise, or [`PushConstant::WIDE`].
    pub size: u32,
}

impl PushConstant {
    /// The size of three words of 32 bits, one for each dimension.
    pub const NARROW: u32 = 12;
    /// The size of three integers of 64 bits: of modules with `CodegenOptions::wide_ids`, whose ids of work-items may
    /// reach beyond 2^32.
    pub const WIDE: u32 = 24;

    /// Whether its integers have 64 bits.
    pub fn is_wide(&self) -> bool {
        self.size == PushConstant::WIDE
    }

    /// Byte offset in the block of the integer of a dimension.
    pub fn place(&self, dim: u8) -> u32 {
        self.offset + u32::from(dim) * if self.is_wide() { 8 } else { 4 }
    }
}

/// The ND-range values of the reflection set, with the meaning clspv gives them.
///
/// A launch whose global size is not a multiple of its local size, or that has more work-groups than one dispatch may
/// have, is run as several *regions*. Each is one `vkCmdDispatch` of a pipeline whose `WorkgroupSize` is the size of
/// the region's own work-groups, so within a region every group is full. The built-in functions are then, for a
/// dimension `d`:
///
/// | function | value |
/// |---|---|
/// | `get_global_id(d)` | `GlobalInvocationId[d] + RegionOffset[d]` (**not** `+ GlobalOffset[d]`: it is in there) |
/// | `get_global_offset(d)` | `GlobalOffset[d]` |
/// | `get_global_size(d)` | `GlobalSize[d]` |
/// | `get_group_id(d)` | `WorkgroupId[d] + RegionGroupOffset[d]` |
/// | `get_num_groups(d)` | `NumWorkgroups[d]` of the push constants, not the built-in variable |
/// | `get_local_id(d)` | `LocalInvocationId[d]` |
/// | `get_local_size(d)` | `WorkgroupSize[d]`: smaller in remainder work-groups |
/// | `get_enqueued_local_size(d)` | `EnqueuedLocalSize[d]` |
/// | `get_global_linear_id()` | from `get_global_id(d) - get_global_offset(d)` and `get_global_size(d)` |
/// | `get_work_dim()` | the specialisation constant [`ModuleInterface::work_dim_spec_id`] |
///
/// A module names only the values it reads. One that reads `GlobalInvocationId` without `RegionOffset` can only be
/// launched without a global offset and in a single region; the same holds for `WorkgroupId` without
/// `RegionGroupOffset` and for the built-in variable `NumWorkgroups` where there would be several regions, unless this compiler
/// wrote the module, whose workarounds use that variable, but not for the function.
///
/// Global ids have 64 bits where `RegionOffset` does, and so do global sizes and offsets (`CodegenOptions::wide_ids`);
/// else they have 32, and the ND-range must end below 2^32 in each dimension. Within a region `GlobalInvocationId` has
/// 32 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PushConstantKind {
    /// Offset given to the launch, in work-items.
    GlobalOffset,
    /// Local size given to the launch (remainder work-groups are smaller).
    EnqueuedLocalSize,
    /// Global size of the whole launch, in work-items.
    GlobalSize,
    /// Global id of the region's first work-item: its distance from the start of the ND-range **plus the global offset**.
    RegionOffset,
    /// Number of work-groups of the whole launch, partial ones counted.
    NumWorkgroups,
    /// Group id of the region's first work-group.
    RegionGroupOffset,
    /// Number of dimensions of the launch (one 32-bit word). The reflection set has no instruction for it, so it is
    /// never in a module: [`ModuleInterface::work_dim_spec_id`] is how a module declares it.
    WorkDim,
}

/// An argument of a block's kernel for an image or a sampler that the block has captured.
///
/// The first argument of such a kernel is the block's object, in which the handle is a number of 64 bits: the position of the
/// argument of the kernel that the host has launched, or 2^32 and the `CLK_*` bits of a sampler that is a literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CapturedHandle {
    /// The argument's position.
    pub ordinal: u32,
    /// The byte of the object where the number is.
    pub offset: u32,
}

/// A fact about an argument that has a descriptor, which the host supplies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImageFact {
    /// The argument's position.
    pub ordinal: u32,
    /// Which fact.
    pub kind: ImageFactKind,
    /// The uniform buffer it is in, or `None` for the push constants.
    pub at: Option<Descriptor>,
    /// Byte offset.
    pub offset: u32,
    /// Size in bytes.
    pub size: u32,
}

/// A specialisation constant that is 0 where the sampler of an argument repeats the image and takes the nearest texel: the
/// kernel then wraps the coordinates itself, in arithmetic of floats as section 8.2 of OpenCL C has it. Samplers of Vulkan take a
/// negative coordinate close to 0 for the last texel, OpenCL's formula for the first one. Hosts that do not know this set another
/// value or none, and have Vulkan's wrapping.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrappedSampler {
    /// The argument's position.
    pub ordinal: u32,
    /// The number of the specialisation constant.
    pub spec_id: u32,
}

/// See [`ImageFact`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ImageFactKind {
    /// `get_image_channel_order`.
    ChannelOrder,
    /// `get_image_channel_data_type`.
    ChannelDataType,
    /// The `CLK_*` bits of a sampler that is always used with normalised coordinates.
    NormalizedSamplerMask,
    /// 1 where the argument is a null pointer, else 0: of pointers that have descriptors, in kernels that may ask. Hosts that
    /// do not know this store 0.
    NullPointer,
}

/// What `printf` needs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Printf {
    /// Formats and string arguments.
    pub formats: Vec<PrintfFormat>,
    /// Where the kernels find the buffer they print to.
    pub buffer: Option<PrintfBuffer>,
}

impl Printf {
    /// Whether the last word of the buffer counts messages that had no room.
    pub fn counts_lost(&self) -> bool {
        self.formats.iter().any(|format| format.id == clforge_basic::printf::LOST_MESSAGES)
    }
}

/// One format string (or string argument) of `printf`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrintfFormat {
    /// The number kernels write to the buffer for it.
    pub id: u32,
    /// The string.
    pub text: String,
    /// Bytes each argument takes.
    pub argument_sizes: Vec<u32>,
}

/// The buffer of `printf`; see [`printf`](mod@printf) for what is in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PrintfBuffer {
    /// Its binding ([`ProgramDataBinding::UniformBuffer`] does not occur).
    pub binding: ProgramDataBinding,
    /// Its size in bytes.
    pub size: u32,
}

/// Data of program-scope variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramData {
    /// The binding of the buffer.
    pub binding: ProgramDataBinding,
    /// Initial contents; in the module a string of two hexadecimal digits a byte, lowest address first. What is too long
    /// for one string (131,064 bytes) is stored by several consecutive instructions for the same place, a part each.
    pub data: Vec<u8>,
    /// Places in `data` that hold an address inside the same buffer: (offset of the pointer, offset it points to).
    pub relocations: Vec<(u32, u32)>,
    /// Whether kernels may write it (program-scope `global` variables).
    pub writable: bool,
}

impl ProgramData {
    /// The contents with the addresses in them, for a buffer at an address.
    ///
    /// # Errors
    /// The place of an address that is not in the data.
    pub fn relocated(&self, buffer: u64) -> Result<Vec<u8>, u32> {
        let mut data = self.data.clone();
        for (at, target) in &self.relocations {
            let address = buffer.wrapping_add(u64::from(*target));
            let place = data.get_mut(*at as usize..).and_then(|rest| rest.first_chunk_mut()).ok_or(*at)?;
            *place = address.to_le_bytes();
        }
        Ok(data)
    }
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
