//! Names and numbers of what a module's interface has, for descriptions of every form.

use clforge_compiler::argument_info::{AccessQualifier, AddressQualifier, TypeQualifiers};
use clforge_compiler::interface::bounds::{AccessKind, Memory};
use clforge_compiler::interface::{ArgumentBinding, Descriptor, ProgramDataBinding, PushConstantKind};

/// The name of a binding, its descriptor, and its numbers by name.
pub type Place = (&'static str, Option<Descriptor>, Vec<(&'static str, u32)>);

/// How an argument is passed.
pub fn place(binding: &ArgumentBinding) -> Place {
    use ArgumentBinding as B;
    let block = |offset: u32, size: u32| vec![("offset", offset), ("size", size)];
    match *binding {
        B::StorageBuffer(at) => ("storage_buffer", Some(at), vec![]),
        B::UniformBuffer(at) => ("uniform_buffer", Some(at), vec![]),
        B::PodStorageBuffer { at, offset, size } => ("pod_storage_buffer", Some(at), block(offset, size)),
        B::PodUniform { at, offset, size } => ("pod_uniform", Some(at), block(offset, size)),
        B::PodPushConstant { offset, size } => ("pod_push_constant", None, block(offset, size)),
        B::PointerPushConstant { offset, size } => ("pointer_push_constant", None, block(offset, size)),
        B::PointerUniform { at, offset, size } => ("pointer_uniform", Some(at), block(offset, size)),
        B::Workgroup { spec_id, element_size } => {
            ("local", None, vec![("spec_id", spec_id), ("element_size", element_size)])
        }
        B::SampledImage(at) => ("sampled_image", Some(at), vec![]),
        B::StorageImage(at) => ("storage_image", Some(at), vec![]),
        B::UniformTexelBuffer(at) => ("uniform_texel_buffer", Some(at), vec![]),
        B::StorageTexelBuffer(at) => ("storage_texel_buffer", Some(at), vec![]),
        B::Sampler(at) => ("sampler", Some(at), vec![]),
    }
}

/// Where the address of program-scope data goes.
pub fn data_place(binding: &ProgramDataBinding) -> Place {
    match *binding {
        ProgramDataBinding::PushConstantPointer { offset, size } => {
            ("pointer_push_constant", None, vec![("offset", offset), ("size", size)])
        }
        ProgramDataBinding::StorageBuffer(at) => ("storage_buffer", Some(at), vec![]),
        ProgramDataBinding::UniformBuffer(at) => ("uniform_buffer", Some(at), vec![]),
    }
}

/// The name of a push constant that describes the ND-range.
pub fn push_constant_name(kind: PushConstantKind) -> &'static str {
    match kind {
        PushConstantKind::GlobalOffset => "global_offset",
        PushConstantKind::EnqueuedLocalSize => "enqueued_local_size",
        PushConstantKind::GlobalSize => "global_size",
        PushConstantKind::RegionOffset => "region_offset",
        PushConstantKind::NumWorkgroups => "num_workgroups",
        PushConstantKind::RegionGroupOffset => "region_group_offset",
        PushConstantKind::WorkDim => "work_dim",
    }
}

/// The name of an address space by its number in OpenCL.
pub fn address_name(number: u32) -> &'static str {
    AddressQualifier::from_cl(number).map_or("none", AddressQualifier::name)
}

/// The name of an access qualifier of an image by its number in OpenCL.
pub fn access_qualifier_name(number: u32) -> &'static str {
    AccessQualifier::from_cl(number).map_or("none", AccessQualifier::name)
}

/// Names of the bits `CL_KERNEL_ARG_TYPE_*`.
pub fn type_qualifiers(bits: u32) -> Vec<&'static str> {
    let present = TypeQualifiers::from_bits_truncate(bits);
    let keywords = TypeQualifiers::KEYWORDS.into_iter();
    keywords.filter(|(qualifier, _)| present.contains(*qualifier)).map(|(_, keyword)| keyword).collect()
}

/// The name of a kind of access.
pub fn access_name(kind: AccessKind) -> &'static str {
    match kind {
        AccessKind::Read => "read",
        AccessKind::Write => "write",
        AccessKind::Atomic => "atomic",
        AccessKind::AsyncCopy => "asynchronous copy",
    }
}

/// The name of a kind of memory.
pub fn memory_name(memory: Memory) -> &'static str {
    match memory {
        Memory::Device => "device",
        Memory::Local => "local",
        Memory::Private => "private",
        Memory::Image => "image",
    }
}

/// Bytes as two hexadecimal digits each, those after the first `most` left out.
pub fn hexadecimal(bytes: &[u8], most: usize) -> String {
    let digit = |value: u8| char::from_digit(value.into(), 16).unwrap_or('0');
    let mut text: String = bytes.iter().take(most).flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect();
    if bytes.len() > most {
        text.push('…');
    }
    text
}
