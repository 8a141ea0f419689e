//! Types of handles, sampler literals and operations on images.

use super::OpenCl;
use crate::emit::common::{FunctionEmitter, ModuleBuilder};
use clforge_basic::image::AccessQualifier;
use clforge_basic::image::ImageShape;
use clforge_basic::options::{OpenClVersion, Target};
use clforge_ir::error::{Api, TargetFeature, Unsupported};
use clforge_ir::*;
use rspirv::dr::Operand;
use rspirv::spirv::{self, Capability, Dim, ImageOperands, Word};

/// `CL_R` and `CL_SNORM_INT8`, the least values of enumerations that SPIR-V numbers from 0.
const FIRST_CHANNEL_ORDER: u32 = 0x10B0;
const FIRST_CHANNEL_DATA_TYPE: u32 = 0x10D0;

/// The type of a handle.
pub fn opaque_type(m: &mut ModuleBuilder, opaque: Opaque) -> Word {
    let op = match opaque {
        Opaque::Image(image) => return image_type(m, image),
        Opaque::Matrix(matrix) => return m.matrix_type(matrix),
        Opaque::Pipe { write, .. } => {
            m.capability(Capability::Pipes);
            return m.pipe_type(if write {
                spirv::AccessQualifier::WriteOnly
            } else {
                spirv::AccessQualifier::ReadOnly
            });
        }
        Opaque::Event => spirv::Op::TypeEvent,
        Opaque::Sampler => spirv::Op::TypeSampler,
        Opaque::Queue => spirv::Op::TypeQueue,
        Opaque::ReserveId => {
            m.capability(Capability::Pipes);
            spirv::Op::TypeReserveId
        }
        _ => spirv::Op::TypeDeviceEvent,
    };
    if matches!(op, spirv::Op::TypeQueue | spirv::Op::TypeDeviceEvent) {
        m.capability(Capability::DeviceEnqueue);
    }
    m.handle(op)
}

/// The sampled type of images is `void`: each operation has the type of the texels.
fn image_type(m: &mut ModuleBuilder, ImageType { shape, access }: ImageType) -> Word {
    m.capability(Capability::ImageBasic);
    let dim = match shape {
        ImageShape::D1 | ImageShape::D1Array => {
            m.capability(Capability::Sampled1D);
            if access != AccessQualifier::ReadOnly {
                m.capability(Capability::Image1D);
            }
            Dim::Dim1D
        }
        ImageShape::D1Buffer => {
            m.capability(Capability::SampledBuffer);
            if access != AccessQualifier::ReadOnly {
                m.capability(Capability::ImageBuffer);
            }
            Dim::DimBuffer
        }
        ImageShape::D3 => Dim::Dim3D,
        _ => Dim::Dim2D,
    };
    let access = match access {
        AccessQualifier::ReadOnly => spirv::AccessQualifier::ReadOnly,
        AccessQualifier::WriteOnly => spirv::AccessQualifier::WriteOnly,
        AccessQualifier::ReadWrite => {
            m.capability(Capability::ImageReadWrite);
            spirv::AccessQualifier::ReadWrite
        }
    };
    let void = m.void();
    let facts = [shape.is_depth(), shape.is_array(), shape.is_multisampled()].map(u32::from);
    m.image_type(void, dim, facts, 0, Some(access))
}

/// Rejects handles that the environment does not have, or not in that place.
///
/// # Errors
/// The first such handle.
pub fn check(module: &Module, target: Target) -> Result<(), Error> {
    for function in &module.functions {
        for param in &function.params {
            let ScalarType::Opaque(opaque) = function.ty(*param).scalar else { continue };
            let feature = match opaque {
                Opaque::Image(ImageType { access: AccessQualifier::ReadWrite, .. }) => TargetFeature::ReadWriteImage,
                Opaque::Pipe { .. } => TargetFeature::Pipe,
                _ => continue,
            };
            if target == Target::OpenCl(OpenClVersion::V1_2) {
                return Err(Error::unsupported(Unsupported::LaterTarget { feature }).at(function.span));
            }
        }
        let is_handle = |value: &Value| {
            matches!(function.ty(*value).scalar, ScalarType::Opaque(Opaque::Image(_) | Opaque::Sampler))
        };
        let selects = |inst: &Inst| {
            let chooses = matches!(inst.op, Op::Select { .. } | Op::If { .. } | Op::Switch { .. } | Op::Loop { .. });
            chooses && inst.results.iter().any(is_handle)
        };
        let carries = |inst: &Inst| {
            inst.op.regions().into_iter().any(|region| function.region(region).params.iter().any(is_handle))
        };
        if let Some(inst) = function.insts.iter().find(|inst| selects(inst) || carries(inst)) {
            let error = Error::unsupported(Unsupported::DynamicHandle { api: Api::OpenCl });
            return Err(error.at(inst.span).at(function.span));
        }
    }
    Ok(())
}

impl OpenCl<'_> {
    /// A sampler literal.
    pub fn sampler(&mut self, f: &mut FunctionEmitter<'_>, bits: u32, inst: &Inst) -> Result<(), Error> {
        let result = inst.result()?;
        if let Some(known) = self.samplers.get(&bits) {
            return f.alias(self, result, *known);
        }
        // The environment has the second with the first only (OpenCL SPIR-V environment 6.2), and there need not be an image.
        f.m.capability(Capability::ImageBasic);
        f.m.capability(Capability::LiteralSampler);
        let addressing = match bits & 0xE {
            2 => spirv::SamplerAddressingMode::ClampToEdge,
            4 => spirv::SamplerAddressingMode::Clamp,
            6 => spirv::SamplerAddressingMode::Repeat,
            8 => spirv::SamplerAddressingMode::RepeatMirrored,
            _ => spirv::SamplerAddressingMode::None,
        };
        let filter = match bits & 0x20 {
            0 => spirv::SamplerFilterMode::Nearest,
            _ => spirv::SamplerFilterMode::Linear,
        };
        let ty = f.m.handle(spirv::Op::TypeSampler);
        let operands = vec![
            Operand::SamplerAddressingMode(addressing),
            Operand::LiteralBit32(bits & 1),
            Operand::SamplerFilterMode(filter),
        ];
        let id = f.m.global(spirv::Op::ConstantSampler, Some(ty), operands);
        self.samplers.insert(bits, id);
        f.alias(self, result, id)
    }

    /// An operation on an image.
    pub fn image(&mut self, f: &mut FunctionEmitter<'_>, op: ImageOp, handle: Value, inst: &Inst) -> Result<(), Error> {
        let image = f.id(self, handle);
        let operands: Vec<Word> = op.operands().iter().map(|operand| f.id(self, *operand)).collect();
        let ScalarType::Opaque(Opaque::Image(ImageType { shape, .. })) = f.function.ty(handle).scalar else {
            return Err(Error::internal("not an image"));
        };
        let refs = |ids: &[Word]| -> Vec<Operand> { ids.iter().map(|id| Operand::IdRef(*id)).collect() };
        let lod = |id: Word| [Operand::ImageOperands(ImageOperands::LOD), Operand::IdRef(id)];
        let (opcode, operands) = match op {
            ImageOp::Sample { .. } | ImageOp::SampleLod { .. } | ImageOp::SampleGrad { .. } => {
                return self.sample(f, op, handle, shape, inst);
            }
            ImageOp::Write { .. } => {
                let operands = [refs(&[image]), refs(&operands)].concat();
                return f.effect(spirv::Op::ImageWrite, operands);
            }
            ImageOp::WriteLod { coordinate, level, texel } => {
                f.m.capability(Capability::ImageMipmap);
                let mut operands = refs(&[image, f.id(self, coordinate), f.id(self, texel)]);
                operands.extend(lod(f.id(self, level)));
                return f.effect(spirv::Op::ImageWrite, operands);
            }
            ImageOp::Read { coordinate } => (spirv::Op::ImageRead, refs(&[image, f.id(self, coordinate)])),
            ImageOp::ReadSample { coordinate, sample } => {
                let mut operands = refs(&[image, f.id(self, coordinate)]);
                let sample = f.id(self, sample);
                operands.extend([Operand::ImageOperands(ImageOperands::SAMPLE), Operand::IdRef(sample)]);
                (spirv::Op::ImageRead, operands)
            }
            ImageOp::Samples => (spirv::Op::ImageQuerySamples, refs(&[image])),
            ImageOp::Size if shape != ImageShape::D1Buffer && !shape.is_multisampled() => {
                let zero = f.m.constant_u32(0);
                (spirv::Op::ImageQuerySizeLod, refs(&[image, zero]))
            }
            ImageOp::Size => (spirv::Op::ImageQuerySize, refs(&[image])),
            ImageOp::Levels => (spirv::Op::ImageQueryLevels, refs(&[image])),
            ImageOp::ChannelOrder => return self.channel(f, spirv::Op::ImageQueryOrder, image, inst),
            ImageOp::ChannelDataType => return self.channel(f, spirv::Op::ImageQueryFormat, image, inst),
        };
        let result = inst.result()?;
        let (id, ty) = (f.id(self, result), f.type_of(self, result));
        f.push_as(id, opcode, ty, operands)
    }

    /// A read through a sampler.
    fn sample(
        &mut self,
        f: &mut FunctionEmitter<'_>,
        op: ImageOp,
        handle: Value,
        shape: ImageShape,
        inst: &Inst,
    ) -> Result<(), Error> {
        let result = inst.result()?;
        let (ImageOp::Sample { sampler, coordinate }
        | ImageOp::SampleLod { sampler, coordinate, .. }
        | ImageOp::SampleGrad { sampler, coordinate, .. }) = op
        else {
            return Err(Error::internal("a read without sampler"));
        };
        let [image, sampler, coordinate] = [handle, sampler, coordinate].map(|value| f.id(self, value));
        let image_type = f.type_of(self, handle);
        let sampled_type = f.m.sampled_image_type(image_type);
        let pair = [image, sampler].map(Operand::IdRef).to_vec();
        let sampled = f.push(spirv::Op::SampledImage, sampled_type, pair)?;
        let mut operands = [sampled, coordinate].map(Operand::IdRef).to_vec();
        match op {
            ImageOp::SampleGrad { dx, dy, .. } => {
                operands.push(Operand::ImageOperands(ImageOperands::GRAD));
                for value in [dx, dy] {
                    let id = f.id(self, value);
                    let id = first_lanes(f, id, f.function.ty(value), shape.dimensions())?;
                    operands.push(Operand::IdRef(id));
                }
            }
            _ => {
                let level = match op {
                    ImageOp::SampleLod { level, .. } => f.id(self, level),
                    _ => f.m.constant(&Constant::float(Type::F32, 0.0)),
                };
                operands.extend([Operand::ImageOperands(ImageOperands::LOD), Operand::IdRef(level)]);
            }
        }
        let (id, ty) = (f.id(self, result), f.type_of(self, result));
        f.push_as(id, spirv::Op::ImageSampleExplicitLod, ty, operands)
    }

    /// A query whose result SPIR-V numbers from 0 and OpenCL C from a value of `cl.h`.
    fn channel(&mut self, f: &mut FunctionEmitter<'_>, op: spirv::Op, image: Word, inst: &Inst) -> Result<(), Error> {
        let result = inst.result()?;
        let first = if op == spirv::Op::ImageQueryOrder { FIRST_CHANNEL_ORDER } else { FIRST_CHANNEL_DATA_TYPE };
        let ty = f.type_of(self, result);
        let number = f.push(op, ty, vec![Operand::IdRef(image)])?;
        let first = f.m.constant_u32(first);
        f.define(self, result, spirv::Op::IAdd, &[number, first])
    }
}

/// The first lanes of a vector of floats: derivatives have exactly those of the image's dimensions.
fn first_lanes(f: &mut FunctionEmitter<'_>, id: Word, ty: Type, lanes: u8) -> Result<Word, Error> {
    if ty.lanes <= lanes {
        return Ok(id);
    }
    let scalar = f.m.scalar(ty.scalar);
    let vector = f.m.vector(scalar, lanes);
    let mut operands = vec![Operand::IdRef(id), Operand::IdRef(id)];
    operands.extend((0..u32::from(lanes)).map(Operand::LiteralBit32));
    f.push(spirv::Op::VectorShuffle, vector, operands)
}
