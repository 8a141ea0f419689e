//! Converts the coordinates of images from OpenCL C's to Vulkan's form.

use clforge_basic::image::ImageShape;
use clforge_ir::*;
use smallvec::smallvec;

/// Lanes of a coordinate.
pub fn lanes(shape: ImageShape) -> u8 {
    shape.dimensions() + u8::from(shape.is_array())
}

/// The first lanes of a vector.
pub fn trim(b: &mut Builder<'_>, value: Value, lanes: u8) -> Value {
    if b.ty(value).lanes <= lanes {
        return value;
    }
    let first: Vec<u8> = (0..lanes).collect();
    b.shuffle(value, value, &first)
}

/// A coordinate in floating point. Integers mean the centres of texels; layers are not changed.
pub fn floating(b: &mut Builder<'_>, coordinate: Value, shape: ImageShape) -> Value {
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
pub fn to_centre(b: &mut Builder<'_>, coordinate: Value, shape: ImageShape) -> Value {
    let ty = b.ty(coordinate);
    let corner = b.emit(Op::Intrinsic { function: Intrinsic::Floor, args: smallvec![coordinate] }, ty);
    let half = b.float(ty, 0.5);
    let centre = b.binary(BinaryOp::FAdd, corner, half);
    with_layer_of(b, centre, coordinate, shape)
}

/// Coordinates that repeat, in the first image: `s - floor(s)`. The result may round to 1, which Vulkan wraps to 0.
pub fn wrapped(b: &mut Builder<'_>, coordinate: Value, shape: ImageShape) -> Value {
    let ty = b.ty(coordinate);
    let whole = b.emit(Op::Intrinsic { function: Intrinsic::Floor, args: smallvec![coordinate] }, ty);
    let fraction = b.binary(BinaryOp::FSub, coordinate, whole);
    with_layer_of(b, fraction, coordinate, shape)
}

/// The same where the specialisation constant is 0.
pub fn wrapped_where_told(b: &mut Builder<'_>, spec_id: u32, coordinate: Value, shape: ImageShape) -> Value {
    let (constant, zero) = (b.emit(Op::SpecConstant(spec_id), Type::I32), b.int(Type::I32, 0));
    let is_told = b.compare(CompareOp::Eq, constant, zero);
    let inside = wrapped(b, coordinate, shape);
    b.select(is_told, inside, coordinate)
}

/// A coordinate with the array layer of another.
pub fn with_layer_of(b: &mut Builder<'_>, coordinate: Value, of: Value, shape: ImageShape) -> Value {
    if !shape.is_array() {
        return coordinate;
    }
    let layer = b.extract(of, shape.dimensions());
    b.insert(coordinate, layer, shape.dimensions())
}
