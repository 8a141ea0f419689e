//! Images and samplers.

use super::{FunctionReader, Item};
use crate::decode::Instruction;
use crate::error::Result;
use clforge_ir::{BinaryOp, ImageOp, ImageType, Op as Inst, Opaque, ScalarType, Texel, Type, Value};
use rspirv::spirv::{ImageOperands, Op, SamplerAddressingMode, SamplerFilterMode};

/// `CL_R` and `CL_SNORM_INT8`, the least values of enumerations that SPIR-V numbers from 0.
const FIRST_CHANNEL_ORDER: i64 = 0x10B0;
const FIRST_CHANNEL_DATA_TYPE: i64 = 0x10D0;

/// Whether an instruction is read here.
pub fn is_image(op: Op) -> bool {
    matches!(
        op,
        Op::SampledImage
            | Op::Image
            | Op::ImageSampleExplicitLod
            | Op::ImageRead
            | Op::ImageWrite
            | Op::ImageQueryFormat
            | Op::ImageQueryOrder
            | Op::ImageQuerySizeLod
            | Op::ImageQuerySize
            | Op::ImageQueryLevels
            | Op::ImageQuerySamples
    )
}

/// The `CLK_` bits of a sampler that is a constant.
pub fn sampler_bits(at: &Instruction<'_>) -> Result<u32> {
    let addressing = match SamplerAddressingMode::from_u32(at.operand(0)?) {
        Some(SamplerAddressingMode::None) => 0,
        Some(SamplerAddressingMode::ClampToEdge) => 2,
        Some(SamplerAddressingMode::Clamp) => 4,
        Some(SamplerAddressingMode::Repeat) => 6,
        Some(SamplerAddressingMode::RepeatMirrored) => 8,
        None => return Err(at.invalid("an addressing mode that does not exist")),
    };
    let filter = match SamplerFilterMode::from_u32(at.operand(2)?) {
        Some(SamplerFilterMode::Nearest) => 0x10,
        Some(SamplerFilterMode::Linear) => 0x20,
        None => return Err(at.invalid("a filter that does not exist")),
    };
    Ok(addressing | filter | u32::from(at.operand(1)? != 0))
}

/// The image operands of an instruction.
#[derive(Default)]
struct Operands {
    level: Option<Value>,
    gradient: Option<(Value, Value)>,
    sample: Option<Value>,
    unsigned: bool,
}

impl<'w> FunctionReader<'_, '_, 'w, '_> {
    /// An instruction of this file.
    pub fn image(&mut self, at: &Instruction<'w>) -> Result<()> {
        match at.op {
            Op::SampledImage => {
                let (image, _) = self.image_operand(at, 0)?;
                let sampler = self.operand_of(at, 1, Type::scalar(ScalarType::Opaque(Opaque::Sampler)))?;
                self.define(at, Item::Sampled { image, sampler });
                Ok(())
            }
            Op::Image => match self.known(at, at.operand(0)?)?.item {
                Item::Sampled { image, .. } => self.define_value(at, image),
                _ => Err(at.invalid("the operand is no image with a sampler")),
            },
            Op::ImageSampleExplicitLod => self.sample(at),
            Op::ImageRead => self.read_image(at),
            Op::ImageWrite => self.write_image(at),
            _ => self.query_image(at),
        }
    }

    /// A handle of an image, and its type.
    fn image_operand(&mut self, at: &Instruction<'w>, index: usize) -> Result<(Value, ImageType)> {
        let value = self.operand(at, index)?;
        match self.b.ty(value).scalar {
            ScalarType::Opaque(Opaque::Image(image)) => Ok((value, image)),
            _ => Err(at.invalid(format!("operand {index} is no image"))),
        }
    }

    fn image_operands(&mut self, at: &Instruction<'w>, index: usize) -> Result<Operands> {
        let unsigned = self.m.unsigned_images.contains(&at.operand(0)?);
        let mut operands = Operands { unsigned, ..Operands::default() };
        let Some(mask) = at.optional(index) else { return Ok(operands) };
        let known = ImageOperands::LOD | ImageOperands::GRAD | ImageOperands::SAMPLE;
        let ignored = ImageOperands::SIGN_EXTEND | ImageOperands::ZERO_EXTEND | ImageOperands::NONTEMPORAL;
        let bits = ImageOperands::from_bits_retain(mask);
        if !(known | ignored).contains(bits) {
            return Err(at.unsupported(format!("the image operands {mask:#x}")));
        }
        let mut next = index + 1;
        if bits.contains(ImageOperands::LOD) {
            operands.level = Some(self.operand(at, next)?);
            next += 1;
        }
        if bits.contains(ImageOperands::GRAD) {
            operands.gradient = Some((self.operand(at, next)?, self.operand(at, next + 1)?));
            next += 2;
        }
        if bits.contains(ImageOperands::SAMPLE) {
            operands.sample = Some(self.index(at, next, Type::I32)?);
        }
        operands.unsigned = match bits.contains(ImageOperands::SIGN_EXTEND) {
            true => false,
            false => operands.unsigned || bits.contains(ImageOperands::ZERO_EXTEND),
        };
        Ok(operands)
    }

    /// What texels are to the program. SPIR-V for OpenCL has no signed and unsigned integers: without an operand that says it
    /// and without what `texels.rs` finds, they count as signed.
    fn texel(&self, at: &Instruction<'w>, ty: Type, unsigned: bool) -> Result<Texel> {
        Ok(match ty.scalar {
            ScalarType::F32 => Texel::F32,
            ScalarType::F16 => Texel::F16,
            ScalarType::I32 if unsigned => Texel::Unsigned,
            ScalarType::I32 => Texel::Signed,
            _ => return Err(at.unsupported(format!("texels of type {ty}"))),
        })
    }

    /// A coordinate: integers are of 32 bits.
    fn coordinate(&mut self, at: &Instruction<'w>, index: usize, image: ImageType, sampled: bool) -> Result<Value> {
        let value = self.operand(at, index)?;
        let ty = self.b.ty(value);
        let lanes = image.shape.dimensions() + u8::from(image.shape.is_array());
        if ty.lanes < lanes || !(ty.scalar.is_int() || (sampled && ty.scalar == ScalarType::F32)) {
            return Err(at.invalid(format!("a coordinate of type {ty}")));
        }
        Ok(if ty.scalar.is_int() { self.b.resize(value, ScalarType::I32, true) } else { value })
    }

    fn sample(&mut self, at: &Instruction<'w>) -> Result<()> {
        let Item::Sampled { image, sampler } = self.known(at, at.operand(0)?)?.item else {
            return Err(at.invalid("the operand is no image with a sampler"));
        };
        let ScalarType::Opaque(Opaque::Image(ty)) = self.b.ty(image).scalar else {
            return Err(at.invalid("the operand is no image"));
        };
        let coordinate = self.coordinate(at, 1, ty, true)?;
        let operands = self.image_operands(at, 2)?;
        let op = match operands {
            Operands { gradient: Some((dx, dy)), .. } => ImageOp::SampleGrad { sampler, coordinate, dx, dy },
            Operands { level: Some(level), .. } => {
                // Level 0 is what a read without level takes; `-0.0` is 0 too.
                let is_zero = self.b.function.as_int(level).is_some_and(|bits| bits & 0x7fff_ffff == 0);
                match is_zero && self.b.ty(level) == Type::F32 {
                    true => ImageOp::Sample { sampler, coordinate },
                    false => {
                        if self.b.ty(level) != Type::F32 {
                            return Err(at.invalid("a level of detail that is no float"));
                        }
                        ImageOp::SampleLod { sampler, coordinate, level }
                    }
                }
            }
            _ => ImageOp::Sample { sampler, coordinate },
        };
        let result = self.m.tables.types.value(at, at.ty)?;
        let texel = self.texel(at, result, operands.unsigned)?;
        let four = Type::vector(result.scalar, 4);
        let value = self.b.push(Inst::Image { op, texel, image }, &[four])[0];
        let value = if result.is_vector() { value } else { self.b.extract(value, 0) };
        self.define_value(at, value)
    }

    fn read_image(&mut self, at: &Instruction<'w>) -> Result<()> {
        let (image, ty) = self.image_operand(at, 0)?;
        let coordinate = self.coordinate(at, 1, ty, false)?;
        let operands = self.image_operands(at, 2)?;
        let op = match operands.sample {
            Some(sample) => ImageOp::ReadSample { coordinate, sample },
            None => ImageOp::Read { coordinate },
        };
        let result = self.m.tables.types.value(at, at.ty)?;
        let texel = self.texel(at, result, operands.unsigned)?;
        let depth = ty.shape.is_depth();
        let read = Type::vector(result.scalar, if depth { 1 } else { 4 });
        let value = self.b.push(Inst::Image { op, texel, image }, &[read])[0];
        let value = match (depth, result.lanes) {
            (true, 4) => self.b.splat(value, 4),
            (false, 1) => self.b.extract(value, 0),
            _ => value,
        };
        self.define_value(at, value)
    }

    fn write_image(&mut self, at: &Instruction<'w>) -> Result<()> {
        let (image, ty) = self.image_operand(at, 0)?;
        let coordinate = self.coordinate(at, 1, ty, false)?;
        let value = self.operand(at, 2)?;
        let operands = self.image_operands(at, 3)?;
        let given = self.b.ty(value);
        let kind = self.texel(at, given, operands.unsigned)?;
        let texel = if ty.shape.is_depth() { self.b.extract(value, 0) } else { value };
        if !ty.shape.is_depth() && given.lanes != 4 {
            return Err(at.invalid(format!("a texel of type {given}")));
        }
        let op = match operands.level {
            None => ImageOp::Write { coordinate, texel },
            Some(level) if self.b.ty(level) == Type::I32 => ImageOp::WriteLod { coordinate, level, texel },
            Some(_) => return Err(at.invalid("a level of detail that is no integer")),
        };
        self.b.effect(Inst::Image { op, texel: kind, image });
        Ok(())
    }

    /// What LLVM's own back end (22) leaves as calls: `get_image_channel_order` and `get_image_channel_data_type`.
    pub fn channel_query(&mut self, at: &Instruction<'w>, is_order: bool) -> Result<bool> {
        let (image, _) = self.image_operand(at, 1)?;
        if at.operands.len() != 2 || self.m.tables.types.value(at, at.ty)? != Type::I32 {
            return Ok(false);
        }
        let op = if is_order { ImageOp::ChannelOrder } else { ImageOp::ChannelDataType };
        let value = self.b.emit(Inst::Image { op, texel: Texel::None, image }, Type::I32);
        self.define_value(at, value)?;
        Ok(true)
    }

    fn query_image(&mut self, at: &Instruction<'w>) -> Result<()> {
        let (image, ty) = self.image_operand(at, 0)?;
        let lanes = ty.shape.dimensions() + u8::from(ty.shape.is_array());
        let (op, found, first) = match at.op {
            Op::ImageQueryFormat => (ImageOp::ChannelDataType, Type::I32, FIRST_CHANNEL_DATA_TYPE),
            Op::ImageQueryOrder => (ImageOp::ChannelOrder, Type::I32, FIRST_CHANNEL_ORDER),
            Op::ImageQueryLevels => (ImageOp::Levels, Type::I32, 0),
            Op::ImageQuerySamples => (ImageOp::Samples, Type::I32, 0),
            _ => (ImageOp::Size, Type::vector(ScalarType::I32, lanes), 0),
        };
        if at.op == Op::ImageQuerySizeLod && self.constant_operand(at, 1)? != Some(0) {
            return Err(at.unsupported("the size of another level of detail than the first"));
        }
        let result = self.m.tables.types.value(at, at.ty)?;
        if !result.scalar.is_int() || result.lanes != found.lanes {
            return Err(at.invalid(format!("a result of type {result}")));
        }
        let mut value = self.b.emit(Inst::Image { op, texel: Texel::None, image }, found);
        if first != 0 {
            value = self.b.binary_int(BinaryOp::Sub, value, first);
        }
        let value = self.b.resize(value, result.scalar, false);
        self.define_value(at, value)
    }
}
