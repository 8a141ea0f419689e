//! Where the arguments of a kernel are: in the push constants, in the uniform buffer, or in descriptors of their own.

use super::{ARGUMENT_BUFFER, Launch};
use crate::address_format::AddressFormat;
use crate::interface::{ArgumentBinding, Descriptor, ImageFact};
use clforge_basic::narrow::to_u32;
use clforge_ir::error::{Limited, Unsupported};
use clforge_ir::*;

/// The most bytes of arguments of a kernel: the least `maxUniformBufferRange` that Vulkan allows.
const MAX_ARGUMENTS: u32 = 16_384;

/// Offset and size in bytes of an argument in the variable of the arguments.
#[derive(Clone, Copy)]
pub(super) struct ArgumentPlace {
    pub offset: u32,
    pub size: u32,
}

/// The places of a kernel's arguments, in order.
pub(super) struct PlacedArguments {
    pub places: Vec<ArgumentPlace>,
    /// In the push constants, not in the uniform buffer.
    pub in_push: bool,
}

impl Launch {
    /// Places the arguments of a kernel behind its image facts in the push constants, or in the uniform buffer where the
    /// device has no room for them there.
    pub(super) fn place_arguments(
        &mut self,
        function: &Function,
        info: &KernelInfo,
        facts: &[ImageFact],
    ) -> Result<PlacedArguments, Error> {
        let facts_end = self.arguments_start + facts.iter().map(|fact| fact.size).sum::<u32>();
        self.push_end = self.push_end.max(facts_end);
        let (places, end) = argument_places(info, self.addresses, facts_end);
        if end.checked_next_multiple_of(4).is_some_and(|end| end <= self.max_push_constants) {
            self.push_end = self.push_end.max(end);
            return Ok(PlacedArguments { places, in_push: true });
        }
        let (places, end) = argument_places(info, self.addresses, 0);
        if end > MAX_ARGUMENTS {
            let what = Limited::KernelArguments { kernel: function.name.as_str().into() };
            return Err(Error::limit(what, end, MAX_ARGUMENTS));
        }
        self.uniform_end = self.uniform_end.max(end);
        Ok(PlacedArguments { places, in_push: false })
    }

    /// How the host passes an argument. Handles, and buffers that have descriptors, take the next binding of the arguments' descriptor set.
    pub(super) fn argument_binding(
        &mut self,
        kind: KernelParameter,
        ArgumentPlace { offset, size }: ArgumentPlace,
        in_push: bool,
        next_binding: &mut u32,
    ) -> Result<ArgumentBinding, Error> {
        let at = ARGUMENT_BUFFER;
        Ok(match (kind, in_push) {
            (KernelParameter::Value(_) | KernelParameter::ByValue { .. }, true) => {
                ArgumentBinding::PodPushConstant { offset, size }
            }
            (KernelParameter::Value(_) | KernelParameter::ByValue { .. }, false) => {
                ArgumentBinding::PodUniform { at, offset, size }
            }
            (KernelParameter::Pointer(_), _) => match (self.addresses, in_push) {
                (AddressFormat::Physical64, true) => ArgumentBinding::PointerPushConstant { offset, size },
                (AddressFormat::Physical64, false) => ArgumentBinding::PointerUniform { at, offset, size },
                (AddressFormat::Logical, _) => {
                    *next_binding += 1;
                    ArgumentBinding::StorageBuffer(Descriptor { set: at.set, binding: *next_binding - 1 })
                }
            },
            (KernelParameter::Local { element_size, .. }, _) => {
                ArgumentBinding::Workgroup { spec_id: self.new_spec_id(), element_size: element_size.max(1) }
            }
            (KernelParameter::Opaque(ty), _) => {
                *next_binding += 1;
                handle_binding(ty, Descriptor { set: at.set, binding: *next_binding - 1 })?
            }
        })
    }
}

/// Places arguments one after another from an offset on. Returns the end, too.
fn argument_places(info: &KernelInfo, addresses: AddressFormat, start: u32) -> (Vec<ArgumentPlace>, u32) {
    let mut end = start;
    let places = info.arguments.iter().map(|argument| {
        let (size, align) = argument_size(argument.kind, addresses);
        let offset = end.checked_next_multiple_of(align).unwrap_or(u32::MAX);
        end = if size == 0 { end } else { offset.saturating_add(size) };
        ArgumentPlace { offset, size }
    });
    (places.collect(), end)
}

/// The descriptor of a handle.
fn handle_binding(ty: Type, at: Descriptor) -> Result<ArgumentBinding, Error> {
    use clforge_basic::image::AccessQualifier;
    use clforge_basic::image::ImageShape;
    match ty.scalar {
        ScalarType::Opaque(Opaque::Sampler) => Ok(ArgumentBinding::Sampler(at)),
        ScalarType::Opaque(Opaque::Image(image)) if !image.shape.is_multisampled() => {
            let read_only = image.access == AccessQualifier::ReadOnly;
            Ok(match (image.shape == ImageShape::D1Buffer, read_only) {
                (true, true) => ArgumentBinding::UniformTexelBuffer(at),
                (true, false) => ArgumentBinding::StorageTexelBuffer(at),
                (false, true) => ArgumentBinding::SampledImage(at),
                (false, false) => ArgumentBinding::StorageImage(at),
            })
        }
        _ => Err(Error::unsupported(Unsupported::KernelArgument { ty })),
    }
}

/// Size and alignment of an argument in the argument block; local arguments have none.
fn argument_size(kind: KernelParameter, addresses: AddressFormat) -> (u32, u32) {
    match kind {
        KernelParameter::Value(ty) => {
            let size = to_u32(ty.scalar.bytes()) * u32::from(ty.lanes.next_power_of_two());
            (size, size.clamp(1, 16))
        }
        KernelParameter::Pointer(_) => match addresses {
            AddressFormat::Physical64 => (addresses.bytes(), addresses.bytes()),
            AddressFormat::Logical => (0, 1),
        },
        KernelParameter::ByValue { size, align } => (size, align.clamp(4, 16)),
        KernelParameter::Local { .. } | KernelParameter::Opaque(_) => (0, 1),
    }
}
