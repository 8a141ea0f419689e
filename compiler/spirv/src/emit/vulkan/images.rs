//! Images and samplers: a variable in `UniformConstant` for each descriptor, loaded where it is used.

use super::Vulkan;
use crate::emit::common::{FunctionEmitter, ModuleBuilder};
use crate::interface::IMAGE_LEVELS;
use clforge_basic::image::AccessQualifier;
use clforge_basic::image::ImageShape;
use clforge_ir::*;
use rspirv::dr::Operand;
use rspirv::spirv::{self, Capability, Decoration, Dim, ImageOperands, StorageClass, Word};

/// A descriptor, the type it is used with, and whether it is an array. One that is read as several texel types has a variable
/// for each.
pub type ResourceKey = (u32, u32, Opaque, Texel, bool);

/// Sets and bindings of descriptors.
const CLASS: StorageClass = StorageClass::UniformConstant;

/// Whether an image is read through the texture units: `Sampled` 1 of its type.
fn is_sampled(image: ImageType) -> bool {
    image.access == AccessQualifier::ReadOnly
}

fn image_type(m: &mut ModuleBuilder, image: ImageType, texel: Texel) -> Word {
    let sampled = is_sampled(image);
    let (dim, capability) = match image.shape {
        ImageShape::D1 | ImageShape::D1Array => {
            (Dim::Dim1D, Some(if sampled { Capability::Sampled1D } else { Capability::Image1D }))
        }
        ImageShape::D1Buffer => {
            (Dim::DimBuffer, Some(if sampled { Capability::SampledBuffer } else { Capability::ImageBuffer }))
        }
        ImageShape::D3 => (Dim::Dim3D, None),
        _ => (Dim::Dim2D, None),
    };
    if let Some(capability) = capability {
        m.capability(capability);
    }
    let component = match texel {
        Texel::Signed => m.i32(),
        Texel::Unsigned => m.u32(),
        _ => m.scalar(ScalarType::F32),
    };
    m.image_type(component, dim, [0, image.shape.is_array().into(), 0], if sampled { 1 } else { 2 }, None)
}

impl Vulkan<'_> {
    /// The variable of a handle, declared on first use, and what it holds.
    fn resource(
        &mut self,
        f: &mut FunctionEmitter<'_>,
        handle: Value,
        texel: Texel,
    ) -> Result<(Word, Word, Opaque), Error> {
        let Some(Op::Resource { set, binding, element }) = f.function.op(handle) else {
            return Err(Error::internal("a handle without descriptor"));
        };
        let ScalarType::Opaque(opaque) = f.function.ty(handle).scalar else {
            return Err(Error::internal("not a handle"));
        };
        let (ty, texel) = match opaque {
            Opaque::Image(image) => (image_type(f.m, image, texel), texel),
            _ => (f.m.handle(spirv::Op::TypeSampler), Texel::None),
        };
        let key = (*set, *binding, opaque, texel, element.is_some());
        let variable = match self.resources.get(&key) {
            Some(known) => *known,
            None => {
                let length = element.map(|_| f.m.constant_u32(IMAGE_LEVELS));
                let held = length.map_or(ty, |length| f.m.array(ty, length, None));
                let pointer = f.m.pointer(CLASS, held);
                let id = f.m.global(spirv::Op::Variable, Some(pointer), vec![Operand::StorageClass(CLASS)]);
                f.m.decorate(id, Decoration::DescriptorSet, [Operand::LiteralBit32(*set)]);
                f.m.decorate(id, Decoration::Binding, [Operand::LiteralBit32(*binding)]);
                if let Opaque::Image(ImageType { access: AccessQualifier::WriteOnly, .. }) = opaque {
                    f.m.decorate(id, Decoration::NonReadable, []);
                }
                if is_read_write(opaque) && !self.has_vulkan_model {
                    f.m.decorate(id, Decoration::Coherent, []);
                }
                self.resources.insert(key, id);
                id
            }
        };
        if f.m.at_least(1, 4) {
            self.used.push(variable);
        }
        let place = match element {
            None => variable,
            Some(element) => {
                let (pointer, index) = (f.m.pointer(CLASS, ty), f.m.constant_u32(*element));
                f.push(spirv::Op::AccessChain, pointer, vec![Operand::IdRef(variable), Operand::IdRef(index)])?
            }
        };
        let loaded = f.push(spirv::Op::Load, ty, vec![Operand::IdRef(place)])?;
        Ok((loaded, ty, opaque))
    }

    /// An operation on an image.
    pub fn image(
        &mut self,
        f: &mut FunctionEmitter<'_>,
        op: ImageOp,
        texel: Texel,
        handle: Value,
        inst: &Inst,
    ) -> Result<(), Error> {
        let (image, image_type, opaque) = self.resource(f, handle, texel)?;
        let Opaque::Image(ty) = opaque else { return Err(Error::internal("not an image")) };
        match op {
            ImageOp::Sample { sampler, coordinate }
            | ImageOp::SampleLod { sampler, coordinate, .. }
            | ImageOp::SampleGrad { sampler, coordinate, .. } => {
                let (sampler, ..) = self.resource(f, sampler, Texel::None)?;
                let combined = f.m.sampled_image_type(image_type);
                let operands = vec![Operand::IdRef(image), Operand::IdRef(sampler)];
                let combined = f.push(spirv::Op::SampledImage, combined, operands)?;
                let mut operands = vec![Operand::IdRef(combined), Operand::IdRef(f.id(self, coordinate))];
                let (mask, values) = match op {
                    ImageOp::SampleGrad { dx, dy, .. } => (ImageOperands::GRAD, vec![f.id(self, dx), f.id(self, dy)]),
                    ImageOp::SampleLod { level, .. } => (ImageOperands::LOD, vec![f.id(self, level)]),
                    _ => (ImageOperands::LOD, vec![f.m.constant(&Constant::float(Type::F32, 0.0))]),
                };
                operands.push(Operand::ImageOperands(mask));
                operands.extend(values.into_iter().map(Operand::IdRef));
                self.texel_result(f, spirv::Op::ImageSampleExplicitLod, texel, operands, inst)
            }
            ImageOp::Read { coordinate } => {
                let mut operands = vec![Operand::IdRef(image), Operand::IdRef(f.id(self, coordinate))];
                if !is_sampled(ty) {
                    f.m.capability(Capability::StorageImageReadWithoutFormat);
                    operands.extend(self.non_private(ty));
                    return self.texel_result(f, spirv::Op::ImageRead, texel, operands, inst);
                }
                if ty.shape != ImageShape::D1Buffer {
                    let zero = f.m.constant_u32(0);
                    operands.extend([Operand::ImageOperands(ImageOperands::LOD), Operand::IdRef(zero)]);
                }
                self.texel_result(f, spirv::Op::ImageFetch, texel, operands, inst)
            }
            ImageOp::Write { coordinate, texel: value } => {
                f.m.capability(Capability::StorageImageWriteWithoutFormat);
                let mut value = f.id(self, value);
                if texel == Texel::Signed {
                    let signed = f.m.i32();
                    let vector = f.m.vector(signed, 4);
                    value = f.push(spirv::Op::Bitcast, vector, vec![Operand::IdRef(value)])?;
                }
                let coordinate = f.id(self, coordinate);
                let mut operands = [image, coordinate, value].map(Operand::IdRef).to_vec();
                operands.extend(self.non_private(ty));
                f.effect(spirv::Op::ImageWrite, operands)
            }
            ImageOp::Size | ImageOp::Levels => {
                f.m.capability(Capability::ImageQuery);
                let mut operands = vec![Operand::IdRef(image)];
                let query = match op {
                    ImageOp::Levels => spirv::Op::ImageQueryLevels,
                    _ if is_sampled(ty) && ty.shape != ImageShape::D1Buffer => {
                        operands.push(Operand::IdRef(f.m.constant_u32(0)));
                        spirv::Op::ImageQuerySizeLod
                    }
                    _ => spirv::Op::ImageQuerySize,
                };
                let result = inst.result()?;
                let (id, ty) = (f.id(self, result), f.type_of(self, result));
                f.push_as(id, query, ty, operands)
            }
            ImageOp::ReadSample { .. }
            | ImageOp::WriteLod { .. }
            | ImageOp::ChannelOrder
            | ImageOp::ChannelDataType
            | ImageOp::Samples => Err(Error::internal(format!("not legal for Vulkan: {op:?}"))),
        }
    }

    /// A read: signed texels are of a type of their own.
    fn texel_result(
        &mut self,
        f: &mut FunctionEmitter<'_>,
        op: spirv::Op,
        texel: Texel,
        operands: Vec<Operand>,
        inst: &Inst,
    ) -> Result<(), Error> {
        let result = inst.result()?;
        if texel != Texel::Signed {
            let (id, ty) = (f.id(self, result), f.type_of(self, result));
            return f.push_as(id, op, ty, operands);
        }
        let signed = f.m.i32();
        let vector = f.m.vector(signed, 4);
        let value = f.push(op, vector, operands)?;
        f.define(self, result, spirv::Op::Bitcast, &[value])
    }
}

impl Vulkan<'_> {
    /// Writes of other invocations to an image that is also read must be visible after a barrier. Without the Vulkan memory model
    /// the image is coherent.
    fn non_private(&self, image: ImageType) -> Option<Operand> {
        let is_shared = image.access == AccessQualifier::ReadWrite && self.has_vulkan_model;
        is_shared.then_some(Operand::ImageOperands(ImageOperands::NON_PRIVATE_TEXEL))
    }
}

/// Whether kernels may read what they write to an image.
pub(super) fn is_read_write(opaque: Opaque) -> bool {
    matches!(opaque, Opaque::Image(ImageType { access: AccessQualifier::ReadWrite, .. }))
}
