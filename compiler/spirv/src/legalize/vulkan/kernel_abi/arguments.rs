//! Where the arguments of a kernel are: in the push constants, in the uniform buffer, or in descriptors of their own.

use super::{ARGUMENT_BUFFER, Launch};
use crate::address_format::AddressFormat;
use crate::interface::{ArgumentBinding, Descriptor, ImageFact, ImageFactKind};
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
    /// Which pointers are null, for those that have descriptors.
    pub nulls: Vec<ImageFact>,
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
        let asked =
            if self.addresses == AddressFormat::Logical && asks_for_null(function) { pointers(info) } else { vec![] };
        let (places, end) = argument_places(info, self.addresses, facts_end);
        let (nulls, end) = null_facts(&asked, end, None);
        if end.checked_next_multiple_of(4).is_some_and(|end| end <= self.max_push_constants) {
            self.push_end = self.push_end.max(end);
            return Ok(PlacedArguments { places, in_push: true, nulls });
        }
        let (places, end) = argument_places(info, self.addresses, 0);
        let (nulls, end) = null_facts(&asked, end, Some(ARGUMENT_BUFFER));
        if end > MAX_ARGUMENTS {
            let what = Limited::KernelArguments { kernel: function.name.as_str().into() };
            return Err(Error::limit(what, end, MAX_ARGUMENTS));
        }
        self.uniform_end = self.uniform_end.max(end);
        Ok(PlacedArguments { places, in_push: false, nulls })
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

/// Whether a function may find out that a pointer is null: it compares pointers, or makes integers of them.
fn asks_for_null(function: &Function) -> bool {
    function.insts.iter().any(|inst| match inst.op {
        Op::Compare { lhs: pointer, .. } | Op::Convert { op: ConvertOp::PtrToInt, operand: pointer } => {
            function.ty(pointer).space().is_some()
        }
        _ => false,
    })
}

/// The arguments that are pointers to buffers.
fn pointers(info: &KernelInfo) -> Vec<u32> {
    let is_pointer = |argument: &KernelArgument| matches!(argument.kind, KernelParameter::Pointer(_));
    let arguments = info.arguments.iter().enumerate().filter(|(_, argument)| is_pointer(argument));
    arguments.map(|(ordinal, _)| to_u32(ordinal)).collect()
}

/// Places a word for each of these arguments from an offset on; the end, too.
fn null_facts(arguments: &[u32], end: u32, at: Option<Descriptor>) -> (Vec<ImageFact>, u32) {
    if arguments.is_empty() {
        return (Vec::new(), end);
    }
    let start = end.checked_next_multiple_of(4).unwrap_or(u32::MAX);
    let offset = |index: usize| start.saturating_add(to_u32(index).saturating_mul(4));
    let fact = |(index, ordinal): (usize, &u32)| ImageFact {
        ordinal: *ordinal,
        kind: ImageFactKind::NullPointer,
        at,
        offset: offset(index),
        size: 4,
    };
    (arguments.iter().enumerate().map(fact).collect(), offset(arguments.len()))
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
