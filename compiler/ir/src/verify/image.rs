//! Operations on images.

use super::*;
use clforge_basic::image::ImageShape;

const SAMPLER: Type = Type::scalar(ScalarType::Opaque(Opaque::Sampler));

impl Verifier<'_> {
    pub(super) fn image(&self, op: ImageOp, texel: Texel, image: Value, found: &[Type]) -> Check {
        let ScalarType::Opaque(Opaque::Image(ImageType { shape, .. })) = self.ty(image).scalar else {
            return violation(Rule::Operands, "not an image");
        };
        self.descriptor(image)?;
        match op {
            ImageOp::Sample { sampler, coordinate } => {
                self.sampled(shape, sampler, coordinate)?;
                texel_result(texel, found, false)
            }
            ImageOp::SampleLod { sampler, coordinate, level } => {
                self.sampled(shape, sampler, coordinate)?;
                self.operand(level, Type::F32, "level of detail")?;
                texel_result(texel, found, false)
            }
            ImageOp::SampleGrad { sampler, coordinate, dx, dy } => {
                self.sampled(shape, sampler, coordinate)?;
                let exact = self.dialect.reached(Legalized::Images).then(|| shape.dimensions());
                self.coordinate(dx, &[ScalarType::F32], shape.dimensions(), exact)?;
                self.coordinate(dy, &[ScalarType::F32], shape.dimensions(), exact)?;
                texel_result(texel, found, false)
            }
            ImageOp::Read { coordinate } => {
                self.unsampled(shape, coordinate)?;
                texel_result(texel, found, shape.is_depth())
            }
            ImageOp::ReadSample { coordinate, sample } => {
                self.unsampled(shape, coordinate)?;
                self.operand(sample, Type::I32, "sample")?;
                texel_result(texel, found, shape.is_depth())
            }
            ImageOp::Write { coordinate, texel: value } => {
                self.unsampled(shape, coordinate)?;
                results(found, &[])?;
                self.texel(texel, value, shape.is_depth())
            }
            ImageOp::WriteLod { coordinate, level, texel: value } => {
                self.unsampled(shape, coordinate)?;
                self.operand(level, Type::I32, "level of detail")?;
                results(found, &[])?;
                self.texel(texel, value, shape.is_depth())
            }
            ImageOp::Size => results(found, &[Type::vector(ScalarType::I32, coordinate_lanes(shape))]),
            ImageOp::ChannelOrder | ImageOp::ChannelDataType | ImageOp::Levels | ImageOp::Samples => {
                results(found, &[Type::I32])
            }
        }
    }

    /// After legalisation a handle is a resource.
    fn descriptor(&self, handle: Value) -> Check {
        let is_resource = matches!(self.function.op(handle), Some(Op::Resource { .. }));
        require(is_resource || !self.dialect.reached(Legalized::Images), Rule::Dialect, || {
            "a handle that is not a resource".into()
        })
    }

    fn sampled(&self, shape: ImageShape, sampler: Value, coordinate: Value) -> Check {
        self.operand(sampler, SAMPLER, "sampler")?;
        self.descriptor(sampler)?;
        let lanes = coordinate_lanes(shape);
        match self.dialect.reached(Legalized::Images) {
            true => self.coordinate(coordinate, &[ScalarType::F32], lanes, Some(lanes)),
            false => self.coordinate(coordinate, &[ScalarType::F32, ScalarType::I32], lanes, None),
        }
    }

    fn unsampled(&self, shape: ImageShape, coordinate: Value) -> Check {
        let lanes = coordinate_lanes(shape);
        let exact = self.dialect.reached(Legalized::Images).then_some(lanes);
        self.coordinate(coordinate, &[ScalarType::I32], lanes, exact)
    }

    /// A coordinate has at least the image's lanes, after legalisation exactly those.
    fn coordinate(&self, value: Value, scalars: &[ScalarType], least: u8, exact: Option<u8>) -> Check {
        let ty = self.ty(value);
        let lanes = exact.map_or(ty.lanes >= least, |exact| ty.lanes == exact);
        require(lanes && scalars.contains(&ty.scalar), Rule::Operands, || format!("a coordinate of type {ty}"))
    }

    fn texel(&self, texel: Texel, value: Value, is_depth: bool) -> Check {
        let ty = self.ty(value);
        let lanes = ty.lanes == 4 || (is_depth && ty.lanes == 1);
        require(lanes && texel_scalar(texel) == Some(ty.scalar), Rule::Operands, || format!("a texel of type {ty}"))
    }
}

/// Lanes of a coordinate: the image's dimensions, and the layer of an array.
fn coordinate_lanes(shape: ImageShape) -> u8 {
    shape.dimensions() + u8::from(shape.is_array())
}

fn texel_scalar(texel: Texel) -> Option<ScalarType> {
    match texel {
        Texel::None => None,
        Texel::F32 => Some(ScalarType::F32),
        Texel::F16 => Some(ScalarType::F16),
        Texel::Signed | Texel::Unsigned => Some(ScalarType::I32),
    }
}

/// The result of a read: four lanes, or one of an unsampled depth image.
fn texel_result(texel: Texel, found: &[Type], is_depth: bool) -> Check {
    let ty = only_result(found)?;
    let lanes = ty.lanes == 4 || (is_depth && ty.lanes == 1);
    require(lanes && texel_scalar(texel) == Some(ty.scalar), Rule::Results, || format!("a texel of type {ty}"))
}
