//! Encoded arguments.

use crate::submission::Footprint;
use ash::vk;
use clforge_compiler::interface::Descriptor;

/// What a descriptor holds.
pub(crate) enum Resource {
    Buffer(vk::DescriptorBufferInfo),
    Image(vk::ImageView),
    Texels(vk::BufferView),
    Sampler(vk::Sampler),
}

/// A resource and the descriptor that it is bound to.
pub(crate) struct Binding {
    pub at: Descriptor,
    /// Index in an array of descriptors.
    pub element: u32,
    pub kind: vk::DescriptorType,
    pub resource: Resource,
}

/// The arguments of a launch in the form in which the device takes them.
#[derive(Default)]
pub(crate) struct Encoded {
    /// Push constants, without the ND-range.
    pub push: Vec<u8>,
    /// Contents of the kernel's blocks of plain data, at the offsets of its layout.
    pub plain: Vec<u8>,
    /// Descriptors of arguments.
    pub bindings: Vec<Binding>,
    /// Specialisation constants of arguments by their ids: numbers of elements of `local` arguments, and how coordinates of
    /// samplers are wrapped where this is not the default.
    pub constants: Vec<(u32, u32)>,
    /// Bytes of `local` arguments.
    pub local_bytes: u64,
    /// The memory that the launch accesses.
    pub footprint: Footprint,
}
