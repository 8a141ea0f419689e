//! Checks of texels that are read without sampler, or written: coordinates outside of the image are undefined there
//! (OpenCL C 6.15.15). Reads through samplers are defined everywhere.

use super::check_code::when_allowed;
use super::origins::Root;
use super::{Legalization, Results};
use crate::interface::bounds::{AccessKind, AccessSite, Memory};
use crate::interface::{ArgumentBinding, Descriptor};
use clforge_basic::image::ImageShape;
use clforge_ir::rewrite::{Parts, Rewriter};
use clforge_ir::*;
use smallvec::{SmallVec, smallvec};

impl Legalization<'_> {
    /// An access to a texel in a branch, where accesses are checked.
    pub(super) fn image(
        &mut self,
        r: &mut Rewriter<'_>,
        inst: &Inst,
        op: ImageOp,
        texel: Texel,
        image: Value,
    ) -> Results {
        let Some(checker) = self.plan.checker else { return Ok(None) };
        let (coordinate, kind) = match op {
            ImageOp::Read { coordinate } => (coordinate, AccessKind::Read),
            ImageOp::Write { coordinate, .. } => (coordinate, AccessKind::Write),
            _ => return Ok(None),
        };
        let Some(shape) = shape(r.old, image) else { return Ok(None) };
        let argument = self.image_argument(r.old, image);
        let coordinate = r.one(coordinate, self)?;
        let handle = r.one(image, self)?;
        let op = op.map(|value| r.one(value, self))?;
        let site = AccessSite { kind, memory: Memory::Image, ..AccessSite::default() };
        let site = self.new_site(r, site, argument.map(Root::Argument));
        let b = &mut r.b;
        let lanes = shape.dimensions() + u8::from(shape.is_array());
        let size = b.emit(Op::Image { op: ImageOp::Size, texel, image: handle }, Type::vector(ScalarType::I32, lanes));
        let mut good = b.int(Type::BOOL, 1);
        let mut told = Vec::new();
        for lane in 0..lanes {
            let (at, count) = (b.extract(coordinate, lane), b.extract(size, lane));
            let within = b.compare(CompareOp::ULt, at, count);
            good = b.binary(BinaryOp::And, good, within);
            told.push(at);
        }
        told.resize_with(4, || b.int(Type::I32, 0));
        let mut pair = |low: usize| {
            let both = b.construct(&told[low..low + 2]);
            b.bitcast(both, Type::I64)
        };
        let what = [pair(0), pair(2)];
        let site = b.int(Type::I32, i64::from(site));
        let check = checker.verdict(good, [what[0], what[1], site]);
        let types: SmallVec<[Type; 1]> = inst.results.iter().map(|result| r.old.ty(*result)).collect();
        let values = when_allowed(&mut r.b, Some(check), &types, &mut |b| {
            Ok(b.push(Op::Image { op, texel, image: handle }, &types).to_vec())
        })?;
        let parts: SmallVec<[Parts; 1]> = values.into_iter().map(|value| smallvec![value]).collect();
        Ok(Some(parts))
    }

    /// The argument that an image is.
    fn image_argument(&self, function: &Function, image: Value) -> Option<u32> {
        let Some(Op::Resource { set, binding, .. }) = function.op(image) else { return None };
        let here = Descriptor { set: *set, binding: *binding };
        let kernel = self.interface.kernels.iter().find(|kernel| kernel.name == function.name)?;
        let is_here = |binding: &ArgumentBinding| match *binding {
            ArgumentBinding::SampledImage(at)
            | ArgumentBinding::StorageImage(at)
            | ArgumentBinding::UniformTexelBuffer(at)
            | ArgumentBinding::StorageTexelBuffer(at) => at == here,
            _ => false,
        };
        kernel.arguments.iter().find(|argument| is_here(&argument.binding)).map(|argument| argument.ordinal)
    }
}

fn shape(function: &Function, image: Value) -> Option<ImageShape> {
    match function.ty(image).scalar {
        ScalarType::Opaque(Opaque::Image(image)) => Some(image.shape),
        _ => None,
    }
}
