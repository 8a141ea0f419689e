//! Images (OpenCL C 6.15.15): reads, writes and queries.

use super::name;
use super::{Entry, Lower, Lowered};
use clforge_basic::image::ImageShape;
use clforge_basic::options::ClStd;
use clforge_ir::error::Unsupported;
use clforge_ir::{ConvertOp, Error, ImageOp, ImageType, Op, Opaque, ScalarType, Texel, Type, Value, Values};

/// The functions of this family, by the names that the source has for them.
pub const ENTRIES: &[Entry] = &[
    ("read_imagef", read),
    ("read_imagei", read),
    ("read_imageui", read),
    ("read_imageh", read),
    ("write_imagef", write),
    ("write_imagei", write),
    ("write_imageui", write),
    ("write_imageh", write),
    ("get_image_width", width),
    ("get_image_height", height),
    ("get_image_depth", depth),
    ("get_image_channel_data_type", channel_data_type),
    ("get_image_channel_order", channel_order),
    ("get_image_dim", dim),
    ("get_image_array_size", array_size),
    ("get_image_num_mip_levels", levels),
    ("get_image_num_samples", samples),
];

/// The handle that is the first argument, and its type.
fn image(l: &Lower<'_, '_>) -> Result<(Value, ImageType), Error> {
    let value = l.arg(0)?;
    let ScalarType::Opaque(Opaque::Image(ty)) = l.b.ty(value).scalar else {
        return Err(Error::internal(format!("call of '{}' without an image", name(l.id))));
    };
    Ok((value, ty))
}

/// What the last letters of the function's name say, and the scalar of the values in the program.
fn texel(l: &Lower<'_, '_>) -> (Texel, ScalarType) {
    let name = name(l.id);
    if name.ends_with("ui") {
        (Texel::Unsigned, ScalarType::I32)
    } else if name.ends_with('i') {
        (Texel::Signed, ScalarType::I32)
    } else if name.ends_with('h') {
        (Texel::F16, ScalarType::F16)
    } else {
        (Texel::F32, ScalarType::F32)
    }
}

/// That the version of the language has overloads with a level of detail.
fn check_version(l: &Lower<'_, '_>, has_level: bool, extension: &'static str) -> Result<(), Error> {
    if has_level && l.options.language() < ClStd::CL2_0 {
        return Err(Error::unsupported(Unsupported::LevelOfDetail { builtin: name(l.id), extension }));
    }
    Ok(())
}

/// `read_image{f,i,ui,h}`.
pub fn read(l: &mut Lower<'_, '_>) -> Lowered {
    let (_, ty) = image(l)?;
    let (mut texel, wanted) = texel(l);
    let mut scalar = wanted;
    // Vulkan has no reads that round to half.
    if texel == Texel::F16 && l.options.target.is_vulkan() {
        (texel, scalar) = (Texel::F32, ScalarType::F32);
    }
    let args = Values::from_slice(l.call.arguments);
    let sampled = args.get(1).is_some_and(|arg| l.b.ty(*arg).scalar == ScalarType::Opaque(Opaque::Sampler));
    let op = match (sampled, args.len()) {
        (false, _) if ty.shape.is_multisampled() => ImageOp::ReadSample,
        (false, _) => ImageOp::Read,
        (true, 4) => ImageOp::SampleLod,
        (true, 5) => ImageOp::SampleGrad,
        (true, _) => ImageOp::Sample,
    };
    check_version(l, matches!(op, ImageOp::SampleLod | ImageOp::SampleGrad), "cl_khr_mipmap_image")?;
    let depth = ty.shape.is_depth();
    let lanes = if !sampled && depth { 1 } else { 4 };
    let mut value = l.b.push(Op::Image { op, texel, args }, &[Type::vector(scalar, lanes)])[0];
    if depth {
        value = l.b.extract(value, 0);
    }
    if scalar != wanted {
        let ty = l.b.ty(value).with_scalar(wanted);
        value = l.b.convert(ConvertOp::FTrunc, value, ty);
    }
    Ok(Some(value))
}

/// `write_image{f,i,ui,h}`.
pub fn write(l: &mut Lower<'_, '_>) -> Lowered {
    image(l)?;
    let (mut texel, _) = texel(l);
    let mut args = Values::from_slice(l.call.arguments);
    if texel == Texel::F16
        && l.options.target.is_vulkan()
        && let Some(value) = args.last_mut()
    {
        texel = Texel::F32;
        let ty = l.b.ty(*value).with_scalar(ScalarType::F32);
        *value = l.b.convert(ConvertOp::FExt, *value, ty);
    }
    let op = if args.len() > 3 { ImageOp::WriteLod } else { ImageOp::Write };
    check_version(l, op == ImageOp::WriteLod, "cl_khr_mipmap_image_writes")?;
    l.b.effect(Op::Image { op, texel, args });
    Ok(None)
}

fn query(l: &mut Lower<'_, '_>, op: ImageOp, ty: Type) -> Result<Value, Error> {
    let (image, _) = image(l)?;
    Ok(l.b.emit(Op::Image { op, texel: Texel::None, args: Values::from_slice(&[image]) }, ty))
}

/// All the numbers that [`ImageOp::Size`] gives.
fn size(l: &mut Lower<'_, '_>) -> Result<(Value, ImageShape), Error> {
    let (_, ty) = image(l)?;
    let lanes = ty.shape.dimensions() + u8::from(ty.shape.is_array());
    Ok((query(l, ImageOp::Size, Type::vector(ScalarType::I32, lanes))?, ty.shape))
}

fn dimension(l: &mut Lower<'_, '_>, index: u8) -> Lowered {
    let (size, _) = size(l)?;
    Ok(Some(l.b.extract(size, index)))
}

/// `get_image_width`.
pub fn width(l: &mut Lower<'_, '_>) -> Lowered {
    dimension(l, 0)
}

/// `get_image_height`.
pub fn height(l: &mut Lower<'_, '_>) -> Lowered {
    dimension(l, 1)
}

/// `get_image_depth`.
pub fn depth(l: &mut Lower<'_, '_>) -> Lowered {
    dimension(l, 2)
}

/// `get_image_dim`: width and height, and of 3D images depth and 0.
pub fn dim(l: &mut Lower<'_, '_>) -> Lowered {
    let (size, shape) = size(l)?;
    if shape != ImageShape::D3 {
        return Ok(Some(l.b.shuffle(size, size, &[0, 1])));
    }
    let mut parts: Vec<Value> = (0..3).map(|lane| l.b.extract(size, lane)).collect();
    parts.push(l.b.int(Type::I32, 0));
    Ok(Some(l.b.construct(&parts)))
}

/// `get_image_array_size`.
pub fn array_size(l: &mut Lower<'_, '_>) -> Lowered {
    let (size, shape) = size(l)?;
    let layers = l.b.extract(size, shape.dimensions());
    Ok(Some(l.b.resize(layers, ScalarType::I64, false)))
}

/// `get_image_channel_order`.
pub fn channel_order(l: &mut Lower<'_, '_>) -> Lowered {
    query(l, ImageOp::ChannelOrder, Type::I32).map(Some)
}

/// `get_image_channel_data_type`.
pub fn channel_data_type(l: &mut Lower<'_, '_>) -> Lowered {
    query(l, ImageOp::ChannelDataType, Type::I32).map(Some)
}

/// `get_image_num_samples`.
pub fn samples(l: &mut Lower<'_, '_>) -> Lowered {
    query(l, ImageOp::Samples, Type::I32).map(Some)
}

/// `get_image_num_mip_levels`.
pub fn levels(l: &mut Lower<'_, '_>) -> Lowered {
    query(l, ImageOp::Levels, Type::I32).map(Some)
}
