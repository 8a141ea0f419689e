//! `vulkan/images`: legalises operations on images. Coordinates get the lanes of the image, sampled ones become
//! floating-point, and sampler literals become descriptors. Where Vulkan only samples with normalised coordinates (3D
//! images and arrays), reads with unnormalised coordinates read single texels: see `images/sampling.rs`.
//!
//! A storage image of Vulkan is one level of detail. If a kernel writes or counts the levels of an image, the image
//! becomes an array of descriptors, one for each level. Every access names its element by a constant, so the level need
//! not be uniform, and no optional feature is required.

mod coordinates;
mod sampling;

use super::words::load_bytes;
use crate::interface::{
    Argument, ArgumentBinding, Descriptor, IMAGE_LEVELS, ImageFactKind, KernelInterface, ModuleInterface,
};
use crate::legalize::{Context, State};
use clforge_basic::image::AccessQualifier;
use clforge_basic::image::ImageShape;
use clforge_basic::options::{Options, Sanitizers};
use clforge_ir::error::{Api, Unsupported};
use clforge_ir::pass::{Changed, Order, Pass};
use clforge_ir::rewrite::{Parts, Rewrite, Rewriter, rewrite};
use clforge_ir::room::Room;
use clforge_ir::verify::{Dialect, Legalized};
use clforge_ir::*;
use coordinates::{lanes, trim};
use rustc_hash::{FxHashMap, FxHashSet};
use sampling::{ADDRESSING, NORMALIZED};
use smallvec::{SmallVec, smallvec};

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

    fn order(&self) -> Order {
        Order { requires: Some(Legalized::KernelAbi), after: &["mem2reg"], ..Order::ANY }
    }

    fn run(&self, module: &mut Module, context: &mut Context<'_>) -> Result<Changed, Error> {
        legalize(module, &mut context.state.interface, context.options)
    }

    fn establishes(&self) -> Option<Dialect> {
        Some(Dialect::Vulkan(Legalized::Images))
    }
}

fn legalize(module: &mut Module, interface: &mut ModuleInterface, options: &Options) -> Result<Changed, Error> {
    let (mut room, mut changed) = (Room::new(module, options.codegen.max_instructions), Changed::No);
    let checks_texels = options.codegen.sanitizers().contains(Sanitizers::ADDRESS);
    let push = module.variables.position(|variable| variable.storage == Storage::PushConstant);
    let push_constants = push.or_internal("no push constants")?;
    let arguments = module.variables.position(|variable| matches!(variable.storage, Storage::Uniform { .. }));
    let kernels: FxHashMap<String, usize> =
        interface.kernels.iter().enumerate().map(|(index, kernel)| (kernel.name.clone(), index)).collect();
    for id in module.functions.keys() {
        let old = &module.functions[id];
        if !old.insts.iter().any(|inst| matches!(inst.op, Op::Image { .. } | Op::Sampler(_) | Op::HandleIndex(_))) {
            continue;
        }
        let kernel = kernels.get(&old.name).and_then(|index| interface.kernels.get(*index));
        let (masks, wraps) = kernel.map(|kernel| (masks(kernel), wraps(kernel))).unwrap_or_default();
        let numbers = kernel.map(|kernel| numbers(kernel, push_constants, arguments)).unwrap_or_default();
        let (texels, levelled) = (texels(old), levelled(old));
        let mut pass =
            Legalization { push_constants, masks, wraps, numbers, texels, levelled, interface, checks_texels };
        let new = rewrite(old, &mut pass, &mut room)?;
        module.functions[id] = new;
        changed = Changed::Maybe;
    }
    Ok(changed)
}

/// The offsets in the push constants of the bits of a kernel's samplers, by descriptor.
fn masks(kernel: &KernelInterface) -> FxHashMap<Descriptor, u32> {
    let mut masks = FxHashMap::default();
    for fact in kernel.image_facts.iter().filter(|fact| fact.kind == ImageFactKind::NormalizedSamplerMask) {
        if let Some(ArgumentBinding::Sampler(at)) = kernel.argument(fact.ordinal).map(|argument| argument.binding) {
            masks.insert(at, fact.offset);
        }
    }
    masks
}

/// The specialisation constants that say whether to wrap the coordinates of a kernel's samplers, by descriptor.
fn wraps(kernel: &KernelInterface) -> FxHashMap<Descriptor, u32> {
    let wrapped = kernel.wrapped_samplers.iter();
    let wrapped = wrapped.filter_map(|sampler| match kernel.argument(sampler.ordinal)?.binding {
        ArgumentBinding::Sampler(at) => Some((at, sampler.spec_id)),
        _ => None,
    });
    wrapped.collect()
}

/// The numbers of a kernel's images and samplers, by descriptor ([`Op::HandleIndex`]).
fn numbers(
    kernel: &KernelInterface,
    push_constants: VariableId,
    arguments: Option<VariableId>,
) -> FxHashMap<Descriptor, Number> {
    let object = kernel.argument(0).and_then(|argument| match argument.binding {
        ArgumentBinding::PodPushConstant { offset, .. } => Some((push_constants, offset)),
        ArgumentBinding::PodUniform { offset, .. } => Some((arguments?, offset)),
        _ => None,
    });
    let number = |argument: &Argument| {
        let (ArgumentBinding::SampledImage(at)
        | ArgumentBinding::StorageImage(at)
        | ArgumentBinding::UniformTexelBuffer(at)
        | ArgumentBinding::StorageTexelBuffer(at)
        | ArgumentBinding::Sampler(at)) = argument.binding
        else {
            return None;
        };
        let captured = kernel.captured.iter().find(|captured| captured.ordinal == argument.ordinal);
        let number = match captured {
            Some(captured) => object.map(|(variable, offset)| Number::Given(variable, offset + captured.offset))?,
            None => Number::Argument(argument.ordinal),
        };
        Some((at, number))
    };
    kernel.arguments.iter().filter_map(number).collect()
}

/// The number of an image or a sampler.
#[derive(Clone, Copy)]
enum Number {
    /// The position of an argument.
    Argument(u32),
    /// Given to the kernel of a block, at a byte of a variable.
    Given(VariableId, u32),
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
    /// See [`fn@numbers`].
    numbers: FxHashMap<Descriptor, Number>,
    texels: FxHashMap<Value, Texel>,
    /// See [`fn@levelled`].
    levelled: FxHashSet<Value>,
    /// Whether reads outside of images that are undefined are to be found.
    checks_texels: bool,
}

/// What is written to: an image, or a level of detail of it.
struct Target {
    image: Value,
    shape: ImageShape,
    texel: Texel,
    level: Option<Value>,
}

pub const SAMPLER: Type = Type::scalar(ScalarType::Opaque(Opaque::Sampler));

type Results = Result<Option<SmallVec<[Parts; 1]>>, Error>;

impl Rewrite for Legalization<'_> {
    fn op(&mut self, r: &mut Rewriter<'_>, inst: &Inst) -> Results {
        let (op, texel, image) = match &inst.op {
            Op::Image { op, texel, image } => (*op, *texel, *image),
            // Each use makes the descriptor it needs.
            Op::Sampler(_) => return Ok(Some(smallvec![smallvec![r.b.undef(SAMPLER)]])),
            Op::HandleIndex(handle) => return Ok(Some(smallvec![smallvec![self.number(r, *handle)?]])),
            _ => return Ok(None),
        };
        if !matches!(r.old.op(image), Some(Op::Resource { .. })) {
            return Err(chosen_at_run_time());
        }
        let shape = shape(r.old, image).or_internal("not an image")?;
        match op {
            ImageOp::Sample { sampler, coordinate } if self.is_undefined_outside(r.old, sampler, coordinate) => {
                self.fetch(r, inst, coordinate, shape)
            }
            ImageOp::Sample { .. } | ImageOp::SampleLod { .. } | ImageOp::SampleGrad { .. } => {
                self.sample(r, inst, shape)
            }
            ImageOp::Read { coordinate } => self.fetch(r, inst, coordinate, shape),
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
    /// What a record of a block has for an image or a sampler.
    fn number(&self, r: &mut Rewriter<'_>, handle: Value) -> Result<Value, Error> {
        let at = match r.old.op(handle) {
            Some(Op::Sampler(bits)) => return Ok(r.b.int(Type::I64, SAMPLER_NUMBER | i64::from(*bits))),
            Some(Op::Resource { set, binding, .. }) => Descriptor { set: *set, binding: *binding },
            _ => return Err(chosen_at_run_time()),
        };
        Ok(match self.numbers.get(&at).copied().ok_or_else(chosen_at_run_time)? {
            Number::Argument(ordinal) => r.b.int(Type::I64, i64::from(ordinal)),
            Number::Given(variable, offset) => load_bytes(&mut r.b, variable, offset, Type::I64),
        })
    }

    /// Whether a read through a sampler finds texels by integers and is undefined outside of the image, so that it can be a read
    /// without sampler, which is checked.
    fn is_undefined_outside(&self, function: &Function, sampler: Value, coordinate: Value) -> bool {
        let is_literal =
            matches!(function.op(sampler), Some(Op::Sampler(bits)) if bits & (NORMALIZED | ADDRESSING) == 0);
        self.checks_texels && is_literal && function.ty(coordinate).scalar.is_int()
    }

    /// A texel, without a sampler.
    fn fetch(&mut self, r: &mut Rewriter<'_>, inst: &Inst, coordinate: Value, shape: ImageShape) -> Results {
        let Op::Image { image, texel, .. } = inst.op else { return Ok(None) };
        let (image, coordinate) = (self.level(r, image, 0)?, r.one(coordinate, self)?);
        let coordinate = trim(&mut r.b, coordinate, lanes(shape));
        let ty = r.old.ty(inst.result()?);
        let op = ImageOp::Read { coordinate };
        let whole = r.b.push(Op::Image { op, texel, image }, &[Type::vector(ty.scalar, 4)])[0];
        let value = if ty.lanes == 1 { r.b.extract(whole, 0) } else { whole };
        Ok(Some(smallvec![smallvec![value]]))
    }

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
}
