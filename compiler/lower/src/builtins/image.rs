//! Images (OpenCL C 6.15.15): reads, writes and queries.

use super::name;
use super::{Entry, Lower, Lowered};
use clforge_basic::image::ImageShape;
use clforge_basic::options::ClStd;
use clforge_ir::error::Unsupported;
use clforge_ir::{Error, ImageOp, ImageType, Op, Opaque, ScalarType, Texel, Type, Value};

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
    if has_level && l.options.language.version() < ClStd::CL2_0 {
        return Err(Error::unsupported(Unsupported::LevelOfDetail { builtin: name(l.id), extension }));
    }
    Ok(())
}

/// `read_image{f,i,ui,h}`.
pub fn read(l: &mut Lower<'_, '_>) -> Lowered {
    let (image, ty) = image(l)?;
    let (texel, scalar) = texel(l);
    let op = match *l.call.arguments {
        [_, coordinate] => ImageOp::Read { coordinate },
        [_, coordinate, sample] if ty.shape.is_multisampled() => ImageOp::ReadSample { coordinate, sample },
        [_, sampler, coordinate] => ImageOp::Sample { sampler, coordinate },
        [_, sampler, coordinate, level] => ImageOp::SampleLod { sampler, coordinate, level },
        [_, sampler, coordinate, dx, dy] => ImageOp::SampleGrad { sampler, coordinate, dx, dy },
        _ => return Err(Error::internal(format!("call of '{}' with the wrong number of arguments", name(l.id)))),
    };
    let has_level = matches!(op, ImageOp::SampleLod { .. } | ImageOp::SampleGrad { .. });
    check_version(l, has_level, "cl_khr_mipmap_image")?;
    let depth = ty.shape.is_depth();
    let lanes = if !op.is_sampled() && depth { 1 } else { 4 };
    let mut value = l.b.push(Op::Image { op, texel, image }, &[Type::vector(scalar, lanes)])[0];
    if depth {
        value = l.b.extract(value, 0);
    }
    Ok(Some(value))
}

/// `write_image{f,i,ui,h}`.
pub fn write(l: &mut Lower<'_, '_>) -> Lowered {
    let (image, _) = image(l)?;
    let (texel, _) = texel(l);
    let (coordinate, level, value) = match *l.call.arguments {
        [_, coordinate, value] => (coordinate, None, value),
        [_, coordinate, level, value] => (coordinate, Some(level), value),
        _ => return Err(Error::internal(format!("call of '{}' with the wrong number of arguments", name(l.id)))),
    };
    check_version(l, level.is_some(), "cl_khr_mipmap_image_writes")?;
    let op = match level {
        None => ImageOp::Write { coordinate, texel: value },
        Some(level) => ImageOp::WriteLod { coordinate, level, texel: value },
    };
    l.b.effect(Op::Image { op, texel, image });
    Ok(None)
}

fn query(l: &mut Lower<'_, '_>, op: ImageOp, ty: Type) -> Result<Value, Error> {
    let (image, _) = image(l)?;
    Ok(l.b.emit(Op::Image { op, texel: Texel::None, image }, ty))
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
