//! Reads of images with samplers. Where Vulkan only samples with normalised coordinates (3D images and arrays),
//! unnormalised coordinates are replaced by the centre of the texel divided by the size, which finds that texel
//! whatever the rounding of the division. Filters of such reads are computed here from the texels and the weights of
//! section 8.2 of the OpenCL specification, because the weights that a device computes from the quotients have the
//! rounding error of the division times the size.
//!
//! For literals it is known which samplers are unnormalised. For arguments the host says so in a push constant
//! (`NormalizedSamplerMask`), and always passes a normalised sampler.
//!
//! Coordinates of samplers that repeat the image and take the nearest texel are wrapped before Vulkan wraps them: see
//! [`WrappedSampler`](crate::interface::WrappedSampler).

use super::coordinates::{floating, lanes, to_centre, trim, with_layer_of, wrapped, wrapped_where_told};
use super::{Legalization, Results, SAMPLER, chosen_at_run_time, takes_unnormalised};
use crate::interface::{Descriptor, LiteralSampler};
use clforge_basic::image::ImageShape;
use clforge_basic::narrow::to_u32;
use clforge_ir::rewrite::Rewriter;
use clforge_ir::*;
use smallvec::smallvec;

/// The descriptor set of sampler literals.
const LITERAL_SAMPLERS: u32 = 1;
/// Bits of a sampler.
pub(super) const NORMALIZED: u32 = 1;
const LINEAR: u32 = 0x20;
pub(super) const ADDRESSING: u32 = 0x0E;
const REPEAT: u32 = 0x06;

/// An image that is read.
struct Sampled {
    handle: Value,
    shape: ImageShape,
    texel: Texel,
    /// Whether Vulkan reads it by unnormalised coordinates.
    takes_unnormalised: bool,
}

/// How Vulkan reads an image.
struct Read {
    sampler: Value,
    /// The coordinate that the sampler takes.
    coordinate: Value,
    filter: Filter,
}

/// Who filters the texels of a read; coordinates are those in texels.
enum Filter {
    /// The device, or nobody.
    Device,
    /// The kernel.
    Kernel(Value),
    /// The kernel where the condition holds, which comes first.
    KernelWhere(Value, Value),
}

impl Legalization<'_> {
    pub fn sample(&mut self, r: &mut Rewriter<'_>, inst: &Inst, shape: ImageShape) -> Results {
        let Op::Image { op, image, texel } = &inst.op else { return Ok(None) };
        let (ImageOp::Sample { sampler, coordinate }
        | ImageOp::SampleLod { sampler, coordinate, .. }
        | ImageOp::SampleGrad { sampler, coordinate, .. }) = op
        else {
            return Err(Error::internal("a read without sampler"));
        };
        let takes_unnormalised = takes_unnormalised(r.old, *image);
        let image = Sampled { handle: r.one(*image, self)?, shape, texel: *texel, takes_unnormalised };
        let coordinate = r.one(*coordinate, self)?;
        let Read { sampler, coordinate, filter } = self.read(r, *sampler, &image, coordinate)?;
        let mut trimmed = |value: Value, lanes: u8| {
            let value = r.one(value, self)?;
            Ok::<Value, Error>(trim(&mut r.b, value, lanes))
        };
        let (op, filter) = match op {
            // Levels of detail have normalised coordinates only.
            ImageOp::SampleLod { level, .. } => {
                (ImageOp::SampleLod { sampler, coordinate, level: trimmed(*level, 1)? }, Filter::Device)
            }
            ImageOp::SampleGrad { dx, dy, .. } => {
                let (dx, dy) = (trimmed(*dx, shape.dimensions())?, trimmed(*dy, shape.dimensions())?);
                (ImageOp::SampleGrad { sampler, coordinate, dx, dy }, Filter::Device)
            }
            _ => (ImageOp::Sample { sampler, coordinate }, filter),
        };
        let ty = r.old.ty(inst.result()?);
        let device = Op::Image { op, texel: image.texel, image: image.handle };
        let texel = match filter {
            Filter::Device => r.b.push(device, &[ty])[0],
            Filter::Kernel(coordinate) => image.filtered(&mut r.b, sampler, coordinate, ty),
            Filter::KernelWhere(condition, coordinate) => {
                let then = r.b.nested(|b| {
                    let texel = image.filtered(b, sampler, coordinate, ty);
                    b.effect(Op::Yield(smallvec![texel]));
                });
                let otherwise = r.b.nested(|b| {
                    let texel = b.push(device, &[ty])[0];
                    b.effect(Op::Yield(smallvec![texel]));
                });
                r.b.push(Op::If { condition, then, otherwise }, &[ty])[0]
            }
        };
        Ok(Some(smallvec![smallvec![texel]]))
    }

    /// How Vulkan reads `image` for a sampler of OpenCL.
    fn read(
        &mut self,
        r: &mut Rewriter<'_>,
        sampler: Value,
        image: &Sampled,
        coordinate: Value,
    ) -> Result<Read, Error> {
        let is_fractional = r.b.ty(coordinate).scalar.is_float();
        let coordinate = floating(&mut r.b, coordinate, image.shape);
        match r.old.op(sampler) {
            Some(Op::Sampler(bits)) => Ok(self.read_by_literal(&mut r.b, *bits, image, (coordinate, is_fractional))),
            Some(Op::Resource { set, binding, .. }) => {
                let handle = r.one(sampler, self)?;
                let at = Descriptor { set: *set, binding: *binding };
                let spec_id = self.wraps.get(&at).copied().filter(|_| is_fractional);
                let coordinate = match spec_id {
                    Some(spec_id) => wrapped_where_told(&mut r.b, spec_id, coordinate, image.shape),
                    None => coordinate,
                };
                match self.masks.get(&at) {
                    Some(offset) => Ok(self.read_by_mask(&mut r.b, (handle, *offset), image, coordinate)),
                    None if image.takes_unnormalised => {
                        Ok(Read { sampler: handle, coordinate, filter: Filter::Device })
                    }
                    None => Err(Error::internal("a sampler without its normalisation mask")),
                }
            }
            _ => Err(chosen_at_run_time()),
        }
    }

    /// The same for a literal of these bits; a coordinate comes with whether it may have a fraction.
    fn read_by_literal(
        &mut self,
        b: &mut Builder<'_>,
        mut bits: u32,
        image: &Sampled,
        (mut coordinate, is_fractional): (Value, bool),
    ) -> Read {
        if !image.is_filterable() {
            bits &= !LINEAR;
        }
        if is_fractional && bits & (NORMALIZED | LINEAR | ADDRESSING) == NORMALIZED | REPEAT {
            coordinate = wrapped(b, coordinate, image.shape);
        }
        let mut filter = Filter::Device;
        if bits & NORMALIZED == 0 && !image.takes_unnormalised {
            if bits & LINEAR != 0 {
                filter = Filter::Kernel(coordinate);
            }
            coordinate = image.normalised_centre(b, coordinate);
            bits = bits & !LINEAR | NORMALIZED;
        }
        Read { sampler: self.literal(b, bits), coordinate, filter }
    }

    /// The same for an argument whose bits are at this offset in the push constants.
    fn read_by_mask(
        &mut self,
        b: &mut Builder<'_>,
        (sampler, offset): (Value, u32),
        image: &Sampled,
        coordinate: Value,
    ) -> Read {
        let index = b.int(Type::I32, i64::from(offset / 4));
        let bits = b.push(Op::VariableLoad { variable: self.push_constants, index: Some(index) }, &[Type::I32])[0];
        let mut have = |mask: u32, wanted: u32| {
            let masked = b.binary_int(BinaryOp::And, bits, i64::from(mask));
            b.compare_int(CompareOp::Eq, masked, i64::from(wanted))
        };
        let is_unnormalised = have(NORMALIZED, 0);
        let filter = match image.is_filterable() {
            true => Filter::KernelWhere(have(NORMALIZED | LINEAR, LINEAR), coordinate),
            false => Filter::Device,
        };
        let scaled = image.normalised_centre(b, coordinate);
        Read { sampler, coordinate: b.select(is_unnormalised, scaled, coordinate), filter }
    }

    /// The descriptor of a literal, once for each value.
    fn literal(&mut self, b: &mut Builder<'_>, mask: u32) -> Value {
        let known = self.interface.literal_samplers.iter().find(|sampler| sampler.mask == mask);
        let at = match known {
            Some(sampler) => sampler.at,
            None => {
                let binding = to_u32(self.interface.literal_samplers.len());
                let at = Descriptor { set: LITERAL_SAMPLERS, binding };
                self.interface.literal_samplers.push(LiteralSampler { at, mask });
                at
            }
        };
        b.emit(Op::Resource { set: at.set, binding: at.binding, element: None }, SAMPLER)
    }
}

impl Sampled {
    /// Filtered integers are undefined, and Vulkan does not filter them.
    fn is_filterable(&self) -> bool {
        !matches!(self.texel, Texel::Signed | Texel::Unsigned)
    }

    /// The centre of the texel that a coordinate in texels is in, as a fraction of the image's size; the layer of an array
    /// stays.
    fn normalised_centre(&self, b: &mut Builder<'_>, coordinate: Value) -> Value {
        let centre = to_centre(b, coordinate, self.shape);
        self.normalised(b, centre)
    }

    fn normalised(&self, b: &mut Builder<'_>, coordinate: Value) -> Value {
        let all = Type::vector(ScalarType::I32, lanes(self.shape));
        let size = b.emit(Op::Image { op: ImageOp::Size, texel: self.texel, image: self.handle }, all);
        let size = b.convert(ConvertOp::UToF, size, all.with_scalar(ScalarType::F32));
        let scaled = b.binary(BinaryOp::FDiv, coordinate, size);
        with_layer_of(b, scaled, coordinate, self.shape)
    }

    /// The linear filter at a coordinate in texels: the 2, 4 or 8 texels around it by their weights.
    fn filtered(&self, b: &mut Builder<'_>, sampler: Value, coordinate: Value, ty: Type) -> Value {
        let (place, dimensions) = (b.ty(coordinate), self.shape.dimensions());
        let half = b.float(place, 0.5);
        let from_centre = b.binary(BinaryOp::FSub, coordinate, half);
        let below = b.intrinsic(Intrinsic::Floor, &[from_centre], place);
        let weights = b.binary(BinaryOp::FSub, from_centre, below);
        let corners = [0.5, 1.5].map(|to_centre| {
            let to_centre = b.float(place, to_centre);
            let centre = b.binary(BinaryOp::FAdd, below, to_centre);
            self.normalised(b, centre)
        });
        let mut texels: Vec<Value> = Vec::new();
        for corner in 0..1_usize << dimensions {
            let mut parts: Vec<Value> =
                (0..dimensions).map(|axis| b.extract(corners[corner >> axis & 1], axis)).collect();
            if self.shape.is_array() {
                parts.push(b.extract(coordinate, dimensions));
            }
            let coordinate = if let [only] = parts[..] { only } else { b.construct(&parts) };
            let op = ImageOp::Sample { sampler, coordinate };
            texels.push(b.push(Op::Image { op, texel: self.texel, image: self.handle }, &[ty])[0]);
        }
        for axis in 0..dimensions {
            let weight = b.extract(weights, axis);
            let weight = b.splat(weight, ty.lanes);
            let one = b.float(ty, 1.0);
            let rest = b.binary(BinaryOp::FSub, one, weight);
            let mut mixed = |pair: &[Value]| {
                let (a, c) = (b.binary(BinaryOp::FMul, pair[0], rest), b.binary(BinaryOp::FMul, pair[1], weight));
                b.binary(BinaryOp::FAdd, a, c)
            };
            texels = texels.chunks_exact(2).map(&mut mixed).collect();
        }
        texels[0]
    }
}
