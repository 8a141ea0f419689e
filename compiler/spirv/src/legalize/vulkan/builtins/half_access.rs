//! Halves in memory and in images: they are converted to and from the type that the program computes with.

use super::expand::half_of_double;
use clforge_basic::workarounds::Workarounds;
use clforge_ir::rewrite::{Rewrite, Rewriter};
use clforge_ir::*;

/// Whether an operation is one that [`expand`] replaces.
pub fn is_expanded(op: &Op) -> bool {
    match op {
        Op::Intrinsic { function, .. } => function.half_access().is_some(),
        Op::Image { texel, .. } => *texel == Texel::F16,
        _ => false,
    }
}

/// Expands an access to halves; returns its result, `None` for a store or write.
///
/// # Errors
/// Internal ones only.
pub fn expand(
    r: &mut Rewriter<'_>,
    inst: &Inst,
    pass: &dyn Rewrite,
    workarounds: Workarounds,
) -> Result<Option<Value>, Error> {
    match &inst.op {
        Op::Intrinsic { function, args } => {
            let access = function.half_access().or_internal("no access to halves")?;
            let args: Values = args.iter().map(|arg| r.one(*arg, pass)).collect::<Result<_, _>>()?;
            let b = &mut r.b;
            match (access.rounding, &args[..]) {
                (None, &[index, ptr]) => {
                    let ty = r.old.ty(inst.result()?);
                    let at = place(b, access, (index, ptr), ty.lanes);
                    let halves = b.load(ty.with_scalar(ScalarType::F16), at, access.align(ty.lanes));
                    Ok(Some(b.convert(ConvertOp::FExt, halves, ty)))
                }
                (Some(rounding), &[value, index, ptr]) => {
                    let lanes = b.ty(value).lanes;
                    let halves = narrowed(b, value, rounding, workarounds);
                    let at = place(b, access, (index, ptr), lanes);
                    b.store(at, halves, access.align(lanes));
                    Ok(None)
                }
                _ => Err(Error::internal("an access to halves with the wrong number of operands")),
            }
        }
        Op::Image { op, image, .. } => image_access(r, inst, (*op, *image), pass),
        _ => Err(Error::internal("no access to halves")),
    }
}

/// The address of the halves of an index.
fn place(b: &mut Builder<'_>, access: HalfAccess, (index, ptr): (Value, Value), lanes: u8) -> Value {
    b.ptr_add(ptr, index, i64::from(access.stride(lanes)) * 2)
}

/// A value as halves.
fn narrowed(b: &mut Builder<'_>, value: Value, rounding: Rounding, workarounds: Workarounds) -> Value {
    let ty = b.ty(value);
    let from_double = ty.scalar == ScalarType::F64 && workarounds.contains(Workarounds::LAVAPIPE_DOUBLE_TO_HALF);
    let nearest = match from_double {
        true => half_of_double(b, value),
        false => b.convert(ConvertOp::FTrunc, value, ty.with_scalar(ScalarType::F16)),
    };
    b.rounded(value, nearest, rounding)
}

/// Texels of images are floats, since Vulkan has no reads that round to half.
fn image_access(
    r: &mut Rewriter<'_>,
    inst: &Inst,
    (op, image): (ImageOp, Value),
    pass: &dyn Rewrite,
) -> Result<Option<Value>, Error> {
    let mut op = op.map(|value| r.one(value, pass))?;
    let image = r.one(image, pass)?;
    if let ImageOp::Write { texel, .. } | ImageOp::WriteLod { texel, .. } = &mut op {
        let ty = r.b.ty(*texel).with_scalar(ScalarType::F32);
        *texel = r.b.convert(ConvertOp::FExt, *texel, ty);
    }
    let wide = |value: &Value| r.old.ty(*value).with_scalar(ScalarType::F32);
    let types: Vec<Type> = inst.results.iter().map(wide).collect();
    let values = r.b.push(Op::Image { op, texel: Texel::F32, image }, &types);
    Ok(values.first().map(|texel| {
        let ty = r.b.ty(*texel).with_scalar(ScalarType::F16);
        r.b.convert(ConvertOp::FTrunc, *texel, ty)
    }))
}
