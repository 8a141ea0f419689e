//! `vulkan/images`: legalises operations on images. Coordinates get the lanes of the image, sampled ones
//! become floating-point, and where Vulkan samples with normalised coordinates only (3D images and arrays) the others are
//! divided by the size. Sampler literals become descriptors.
//!
//! A storage image of Vulkan is one level of detail. An image whose levels a kernel writes, or counts, is an array of
//! descriptors, one for each level, and every access names its element by a constant, so that the level that a work-item
//! writes needs neither uniformity nor an optional feature.
//!
//! Which samplers are unnormalised is known for literals; for arguments the host says so in a push constant
//! (`NormalizedSamplerMask`), and makes the sampler normalised whatever it was.
//!
//! Coordinates of samplers that repeat the image and take the nearest texel are wrapped before Vulkan wraps them: see
//! [`WrappedSampler`](crate::interface::WrappedSampler).

use crate::interface::{ArgumentBinding, Descriptor, IMAGE_LEVELS, ImageFactKind, LiteralSampler, ModuleInterface};
use crate::legalize::{Context, State};
use clforge_basic::image::AccessQualifier;
use clforge_basic::image::ImageShape;
use clforge_basic::narrow::to_u32;
use clforge_ir::error::{Api, Unsupported};
use clforge_ir::pass::{Changed, Pass};
use clforge_ir::rewrite::{Parts, Rewrite, Rewriter, rewrite};
use clforge_ir::room::Room;
use clforge_ir::verify::{Dialect, Legalized};
use clforge_ir::*;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::{SmallVec, smallvec};

/// The descriptor set of sampler literals.
const LITERAL_SAMPLERS: u32 = 1;
/// Bits of a sampler.
const NORMALIZED: u32 = 1;
const LINEAR: u32 = 0x20;
const ADDRESSING: u32 = 0x0E;
const REPEAT: u32 = 0x06;

/// The error for a handle that is not a parameter.
pub fn chosen_at_run_time() -> Error {
    Error::unsupported(Unsupported::DynamicHandle { api: Api::Vulkan })
}

/// Whether Vulkan can sample an image with unnormalised coordinates.
pub fn takes_unnormalised(function: &Function, image: Value) -> bool {
    matches!(shape(function, image), Some(ImageShape::D1 | ImageShape::D2 | ImageShape::D2Depth))
}

fn shape(function: &Function, image: Value) -> Option<ImageShape> {
    match function.ty(image).scalar {
        ScalarType::Opaque(Opaque::Image(image)) => Some(image.shape),
        _ => None,
    }
}

/// The pass. A handle that is chosen at run time is an error.
pub struct Images;

impl Pass<State> for Images {
    fn name(&self) -> &'static str {
        "vulkan/images"
    }

    fn run(&self, module: &mut Module, context: &mut Context<'_>) -> Result<Changed, Error> {
        legalize(module, &mut context.state.interface, context.options.max_instructions)
    }

    fn dialect(&self) -> Option<Dialect> {
        Some(Dialect::Vulkan(Legalized::Images))
    }
}

fn legalize(module: &mut Module, interface: &mut ModuleInterface, limit: usize) -> Result<Changed, Error> {
    let (mut room, mut changed) = (Room::new(module, limit), Changed::No);
    let push = module.variables.position(|variable| variable.storage == Storage::PushConstant);
    let push_constants = push.or_internal("no push constants")?;
    for id in module.functions.keys() {
        let old = &module.functions[id];
        if !old.insts.iter().any(|inst| matches!(inst.op, Op::Image { .. } | Op::Sampler(_))) {
            continue;
        }
        let (masks, wraps) = (masks(interface, &old.name), wraps(interface, &old.name));
        let mut pass =
            Legalization { push_constants, masks, wraps, texels: texels(old), levelled: levelled(old), interface };
        let new = rewrite(old, &mut pass, &mut room)?;
        module.functions[id] = new;
        changed = Changed::Maybe;
    }
    Ok(changed)
}

/// The offsets in the push constants of the bits of a kernel's samplers, by descriptor.
fn masks(interface: &ModuleInterface, kernel: &str) -> FxHashMap<Descriptor, u32> {
    let mut masks = FxHashMap::default();
    let Some(kernel) = interface.kernels.iter().find(|known| known.name == kernel) else { return masks };
    for fact in kernel.image_facts.iter().filter(|fact| fact.kind == ImageFactKind::NormalizedSamplerMask) {
        if let Some(ArgumentBinding::Sampler(at)) = kernel.argument(fact.ordinal).map(|argument| argument.binding) {
            masks.insert(at, fact.offset);
        }
    }
    masks
}

/// The specialisation constants that say whether to wrap the coordinates of a kernel's samplers, by descriptor.
fn wraps(interface: &ModuleInterface, kernel: &str) -> FxHashMap<Descriptor, u32> {
    let Some(kernel) = interface.kernels.iter().find(|known| known.name == kernel) else { return FxHashMap::default() };
    let wrapped = kernel.wrapped_samplers.iter();
    let wrapped = wrapped.filter_map(|sampler| match kernel.argument(sampler.ordinal)?.binding {
        ArgumentBinding::Sampler(at) => Some((at, sampler.spec_id)),
        _ => None,
    });
    wrapped.collect()
}

/// The type of the texels that each image's descriptor has, from its reads and writes.
fn texels(function: &Function) -> FxHashMap<Value, Texel> {
    let mut texels = FxHashMap::default();
    for inst in &function.insts {
        if let Op::Image { texel, image, .. } = &inst.op
            && *texel != Texel::None
        {
            texels.entry(*image).or_insert(*texel);
        }
    }
    texels
}

/// The images that need a descriptor for each level: what is read with samplers has all levels in one.
fn levelled(function: &Function) -> FxHashSet<Value> {
    let mut levelled = FxHashSet::default();
    for inst in &function.insts {
        let Op::Image { op, image, .. } = &inst.op else { continue };
        let is_sampled = matches!(
            function.ty(*image).scalar,
            ScalarType::Opaque(Opaque::Image(ImageType { access: AccessQualifier::ReadOnly, .. }))
        );
        if matches!(op, ImageOp::WriteLod { .. }) || (*op == ImageOp::Levels && !is_sampled) {
            levelled.insert(*image);
        }
    }
    levelled
}

struct Legalization<'i> {
    interface: &'i mut ModuleInterface,
    push_constants: VariableId,
    masks: FxHashMap<Descriptor, u32>,
    /// See [`fn@wraps`].
    wraps: FxHashMap<Descriptor, u32>,
    texels: FxHashMap<Value, Texel>,
    /// See [`fn@levelled`].
    levelled: FxHashSet<Value>,
}

/// What is written to: an image, or a level of detail of it.
struct Target {
    image: Value,
    shape: ImageShape,
    texel: Texel,
    level: Option<Value>,
}

const SAMPLER: Type = Type::scalar(ScalarType::Opaque(Opaque::Sampler));

type Results = Result<Option<SmallVec<[Parts; 1]>>, Error>;

impl Rewrite for Legalization<'_> {
    fn op(&mut self, r: &mut Rewriter<'_>, inst: &Inst) -> Results {
        let (op, texel, image) = match &inst.op {
            Op::Image { op, texel, image } => (*op, *texel, *image),
            // Each use makes the descriptor it needs.
            Op::Sampler(_) => return Ok(Some(smallvec![smallvec![r.b.undef(SAMPLER)]])),
            _ => return Ok(None),
        };
        if !matches!(r.old.op(image), Some(Op::Resource { .. })) {
            return Err(chosen_at_run_time());
        }
        let shape = shape(r.old, image).or_internal("not an image")?;
        match op {
            ImageOp::Sample { .. } | ImageOp::SampleLod { .. } | ImageOp::SampleGrad { .. } => {
                self.sample(r, inst, shape)
            }
            ImageOp::Read { coordinate } => {
                let (image, coordinate) = (self.level(r, image, 0)?, r.one(coordinate, self)?);
                let coordinate = trim(&mut r.b, coordinate, lanes(shape));
                let ty = r.old.ty(inst.result()?);
                let op = ImageOp::Read { coordinate };
                let whole = r.b.push(Op::Image { op, texel, image }, &[Type::vector(ty.scalar, 4)])[0];
                let value = if ty.lanes == 1 { r.b.extract(whole, 0) } else { whole };
                Ok(Some(smallvec![smallvec![value]]))
            }
            ImageOp::Write { coordinate, texel: value } => {
                let target = Target { image, shape, texel, level: None };
                self.write(r, target, coordinate, value)
            }
            ImageOp::WriteLod { coordinate, level, texel: value } => {
                let target = Target { image, shape, texel, level: Some(level) };
                self.write(r, target, coordinate, value)
            }
            ImageOp::Levels if self.levelled.contains(&image) => self.count_levels(r, image, shape),
            ImageOp::Size | ImageOp::Levels => {
                let texel = self.texels.get(&image).copied().unwrap_or(Texel::F32);
                let ty = inst.results.first().map(|result| r.old.ty(*result)).unwrap_or(Type::I32);
                let image = self.level(r, image, 0)?;
                Ok(Some(smallvec![smallvec![r.b.emit(Op::Image { op, texel, image }, ty)]]))
            }
            ImageOp::ChannelOrder | ImageOp::ChannelDataType => Err(Error::internal("a query of the host is left")),
            ImageOp::ReadSample { .. } | ImageOp::Samples => {
                Err(Error::internal("Vulkan has no images of several samples"))
            }
        }
    }
}

impl Legalization<'_> {
    /// The handle of an image; of one whose levels are written, that of a level.
    fn level(&mut self, r: &mut Rewriter<'_>, image: Value, level: u32) -> Result<Value, Error> {
        match r.old.op(image) {
            Some(Op::Resource { set, binding, .. }) if self.levelled.contains(&image) => {
                let at = Descriptor { set: *set, binding: *binding };
                self.interface.descriptor_arrays.insert(at, IMAGE_LEVELS);
                Ok(r.b.emit(Op::Resource { set: *set, binding: *binding, element: Some(level) }, r.old.ty(image)))
            }
            _ => r.one(image, self),
        }
    }

    fn write(&mut self, r: &mut Rewriter<'_>, target: Target, coordinate: Value, value: Value) -> Results {
        let Target { image, shape, texel, level } = target;
        let coordinate = r.one(coordinate, self)?;
        let coordinate = trim(&mut r.b, coordinate, lanes(shape));
        let mut value = r.one(value, self)?;
        if r.b.ty(value).lanes == 1 {
            let (zero, one) = (r.b.float(Type::F32, 0.0), r.b.float(Type::F32, 1.0));
            value = r.b.construct(&[value, zero, zero, one]);
        }
        let write = |pass: &mut Self, r: &mut Rewriter<'_>, level: u32| {
            let image = pass.level(r, image, level)?;
            r.b.effect(Op::Image { op: ImageOp::Write { coordinate, texel: value }, texel, image });
            Ok::<(), Error>(())
        };
        let level = level.map(|level| r.one(level, self)).transpose()?;
        let constant = level.map_or(Some(0), |level| r.b.function.as_int(level));
        match (constant, level) {
            (Some(level), _) => {
                // There is no such level otherwise: the write is discarded.
                if let Some(level) = u32::try_from(level).ok().filter(|level| *level < IMAGE_LEVELS) {
                    write(self, r, level)?;
                }
            }
            (None, Some(selector)) => {
                let mut cases = Vec::new();
                for level in 0..=IMAGE_LEVELS {
                    let region = r.b.function.new_region();
                    r.b.enter(region);
                    let written = if level < IMAGE_LEVELS { write(self, r, level) } else { Ok(()) };
                    r.b.effect(Op::Break(Values::new()));
                    r.b.leave();
                    written?;
                    let default = level == IMAGE_LEVELS;
                    let values = if default { smallvec![] } else { smallvec![u64::from(level)] };
                    cases.push(Case { values, default, region });
                }
                r.b.effect(Op::Switch { selector, inputs: Values::new(), cases });
            }
            (None, None) => {}
        }
        Ok(Some(SmallVec::new()))
    }

    /// The number of levels of an image with a descriptor for each level: the host binds level 0 where there is no level, and
    /// only level 0 has that size, since an image of one texel has no more levels.
    fn count_levels(&mut self, r: &mut Rewriter<'_>, image: Value, shape: ImageShape) -> Results {
        let texel = self.texels.get(&image).copied().unwrap_or(Texel::F32);
        let ty = Type::vector(ScalarType::I32, lanes(shape));
        let mut size = |pass: &mut Self, level: u32| {
            let image = pass.level(r, image, level)?;
            Ok::<Value, Error>(r.b.emit(Op::Image { op: ImageOp::Size, texel, image }, ty))
        };
        let sizes = (0..IMAGE_LEVELS).map(|level| size(self, level)).collect::<Result<Vec<_>, _>>()?;
        let b = &mut r.b;
        let (mut count, zero) = (b.int(Type::I32, 1), b.int(Type::I32, 0));
        for size in sizes.iter().skip(1) {
            // The differences of the lanes together are 0 only where all are.
            let mut different = zero;
            for lane in 0..lanes(shape) {
                let (a, other) = (b.extract(*size, lane), b.extract(sizes[0], lane));
                let difference = b.binary(BinaryOp::Xor, a, other);
                different = b.binary(BinaryOp::Or, different, difference);
            }
            let differs = b.compare(CompareOp::Ne, different, zero);
            let one = b.int(Type::I32, 1);
            let more = b.binary(BinaryOp::Add, count, one);
            count = b.select(differs, more, count);
        }
        Ok(Some(smallvec![smallvec![count]]))
    }

    /// The sampler for Vulkan, and the coordinate that it takes. An image comes with whether the reads of it by unnormalised
    /// coordinates are Vulkan's.
    fn by_sampler(
        &mut self,
        r: &mut Rewriter<'_>,
        sampler: Value,
        (image, native): (Value, bool),
        coordinate: Value,
        (shape, texel): (ImageShape, Texel),
    ) -> Result<(Value, Value), Error> {
        let is_fractional = r.b.ty(coordinate).scalar.is_float();
        let mut coordinate = floating(&mut r.b, coordinate, shape);
        match r.old.op(sampler) {
            Some(Op::Sampler(bits)) => {
                let mut bits = *bits;
                if matches!(texel, Texel::Signed | Texel::Unsigned) {
                    // Filtered integers are undefined, and Vulkan does not filter them.
                    bits &= !LINEAR;
                }
                if is_fractional && bits & (NORMALIZED | LINEAR | ADDRESSING) == NORMALIZED | REPEAT {
                    coordinate = wrapped(&mut r.b, coordinate, shape);
                }
                if bits & NORMALIZED == 0 && !native {
                    if bits & LINEAR == 0 {
                        coordinate = to_centre(&mut r.b, coordinate, shape);
                    }
                    coordinate = self.normalised(&mut r.b, image, coordinate, shape, texel);
                    bits |= NORMALIZED;
                }
                Ok((self.literal(&mut r.b, bits), coordinate))
            }
            Some(Op::Resource { set, binding, .. }) => {
                let handle = r.one(sampler, self)?;
                let at = Descriptor { set: *set, binding: *binding };
                if let Some(spec_id) = self.wraps.get(&at).copied().filter(|_| is_fractional) {
                    coordinate = wrapped_where_told(&mut r.b, spec_id, coordinate, shape);
                }
                if let Some(offset) = self.masks.get(&at).copied() {
                    coordinate = self.by_mask(&mut r.b, offset, image, coordinate, shape, texel);
                } else if !native {
                    return Err(Error::internal("a sampler without its normalisation mask"));
                }
                Ok((handle, coordinate))
            }
            _ => Err(chosen_at_run_time()),
        }
    }

    fn sample(&mut self, r: &mut Rewriter<'_>, inst: &Inst, shape: ImageShape) -> Results {
        let Op::Image { op, image, texel } = &inst.op else { return Ok(None) };
        let (ImageOp::Sample { sampler, coordinate }
        | ImageOp::SampleLod { sampler, coordinate, .. }
        | ImageOp::SampleGrad { sampler, coordinate, .. }) = op
        else {
            return Err(Error::internal("a read without sampler"));
        };
        let texel = *texel;
        let native = takes_unnormalised(r.old, *image);
        let image = r.one(*image, self)?;
        let coordinate = r.one(*coordinate, self)?;
        let (handle, coordinate) = self.by_sampler(r, *sampler, (image, native), coordinate, (shape, texel))?;
        let mut trimmed = |value: Value, lanes: u8| {
            let value = r.one(value, self)?;
            Ok::<Value, Error>(trim(&mut r.b, value, lanes))
        };
        let op = match op {
            ImageOp::SampleLod { level, .. } => {
                ImageOp::SampleLod { sampler: handle, coordinate, level: trimmed(*level, 1)? }
            }
            ImageOp::SampleGrad { dx, dy, .. } => {
                let (dx, dy) = (trimmed(*dx, shape.dimensions())?, trimmed(*dy, shape.dimensions())?);
                ImageOp::SampleGrad { sampler: handle, coordinate, dx, dy }
            }
            _ => ImageOp::Sample { sampler: handle, coordinate },
        };
        let ty = r.old.ty(inst.result()?);
        let texel = r.b.push(Op::Image { op, texel, image }, &[ty])[0];
        Ok(Some(smallvec![smallvec![texel]]))
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

    /// Coordinates in texels as fractions of the image's size; the layer of an array stays.
    fn normalised(
        &mut self,
        b: &mut Builder<'_>,
        image: Value,
        coordinate: Value,
        shape: ImageShape,
        texel: Texel,
    ) -> Value {
        let all = Type::vector(ScalarType::I32, lanes(shape));
        let size = b.emit(Op::Image { op: ImageOp::Size, texel, image }, all);
        let size = b.convert(ConvertOp::UToF, size, all.with_scalar(ScalarType::F32));
        let scaled = b.binary(BinaryOp::FDiv, coordinate, size);
        with_layer_of(b, scaled, coordinate, shape)
    }

    /// Coordinates that are normalised unless the sampler's bits say that they are already.
    fn by_mask(
        &mut self,
        b: &mut Builder<'_>,
        offset: u32,
        image: Value,
        coordinate: Value,
        shape: ImageShape,
        texel: Texel,
    ) -> Value {
        let index = b.int(Type::I32, i64::from(offset / 4));
        let bits = b.push(Op::VariableLoad { variable: self.push_constants, index: Some(index) }, &[Type::I32])[0];
        let mut test = |bit: u32| {
            let bit = b.int(Type::I32, i64::from(bit));
            let masked = b.binary(BinaryOp::And, bits, bit);
            let zero = b.int(Type::I32, 0);
            b.compare(CompareOp::Eq, masked, zero)
        };
        let (unnormalised, nearest) = (test(NORMALIZED), test(LINEAR));
        let centre = to_centre(b, coordinate, shape);
        let in_texels = b.select(nearest, centre, coordinate);
        let scaled = self.normalised(b, image, in_texels, shape, texel);
        b.select(unnormalised, scaled, coordinate)
    }
}

/// Lanes of a coordinate.
fn lanes(shape: ImageShape) -> u8 {
    shape.dimensions() + u8::from(shape.is_array())
}

/// The first lanes of a vector.
fn trim(b: &mut Builder<'_>, value: Value, lanes: u8) -> Value {
    if b.ty(value).lanes <= lanes {
        return value;
    }
    let first: Vec<u8> = (0..lanes).collect();
    b.shuffle(value, value, &first)
}

/// A coordinate in floating point. Integers mean the centres of texels; layers are not changed.
fn floating(b: &mut Builder<'_>, coordinate: Value, shape: ImageShape) -> Value {
    let coordinate = trim(b, coordinate, lanes(shape));
    let ty = b.ty(coordinate);
    if ty.scalar.is_float() {
        return coordinate;
    }
    let ty = ty.with_scalar(ScalarType::F32);
    let corner = b.convert(ConvertOp::SToF, coordinate, ty);
    let half = b.float(ty, 0.5);
    let centre = b.binary(BinaryOp::FAdd, corner, half);
    with_layer_of(b, centre, corner, shape)
}

/// The centre of the texel that a coordinate is in: nearest texels stay the same through the division by the size.
fn to_centre(b: &mut Builder<'_>, coordinate: Value, shape: ImageShape) -> Value {
    let ty = b.ty(coordinate);
    let corner = b.emit(Op::Intrinsic { function: Intrinsic::Floor, args: smallvec![coordinate] }, ty);
    let half = b.float(ty, 0.5);
    let centre = b.binary(BinaryOp::FAdd, corner, half);
    with_layer_of(b, centre, coordinate, shape)
}

/// Coordinates that repeat, in the first image: `s - floor(s)`. The result may round to 1, which Vulkan wraps to 0.
fn wrapped(b: &mut Builder<'_>, coordinate: Value, shape: ImageShape) -> Value {
    let ty = b.ty(coordinate);
    let whole = b.emit(Op::Intrinsic { function: Intrinsic::Floor, args: smallvec![coordinate] }, ty);
    let fraction = b.binary(BinaryOp::FSub, coordinate, whole);
    with_layer_of(b, fraction, coordinate, shape)
}

/// The same where the specialisation constant is 0.
fn wrapped_where_told(b: &mut Builder<'_>, spec_id: u32, coordinate: Value, shape: ImageShape) -> Value {
    let (constant, zero) = (b.emit(Op::SpecConstant(spec_id), Type::I32), b.int(Type::I32, 0));
    let is_told = b.compare(CompareOp::Eq, constant, zero);
    let inside = wrapped(b, coordinate, shape);
    b.select(is_told, inside, coordinate)
}

/// A coordinate with the array layer of another.
fn with_layer_of(b: &mut Builder<'_>, coordinate: Value, of: Value, shape: ImageShape) -> Value {
    if !shape.is_array() {
        return coordinate;
    }
    let layer = b.extract(of, shape.dimensions());
    b.insert(coordinate, layer, shape.dimensions())
}
