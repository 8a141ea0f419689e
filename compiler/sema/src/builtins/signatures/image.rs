//! Signatures of images (OpenCL C 6.15.15).

use crate::builtins::pattern::*;
use crate::builtins::row::{Row, row, since};
use crate::hir::types::{FloatKind, IntKind, Scalar};
use clforge_basic::image::AccessQualifier;
use clforge_basic::image::ImageShape as S;

const I: Scalar = Scalar::Int(IntKind::Int);
const U: Scalar = Scalar::Int(IntKind::UInt);
const F: Scalar = Scalar::Float(FloatKind::Float);
const H: Scalar = Scalar::Float(FloatKind::Half);
const READ: u8 = access_bit(AccessQualifier::ReadOnly);
const READABLE: u8 = READ | access_bit(AccessQualifier::ReadWrite);
const WRITABLE_IMAGE: u8 = access_bit(AccessQualifier::WriteOnly) | access_bit(AccessQualifier::ReadWrite);
const ANY: u8 = READABLE | WRITABLE_IMAGE;

const D1: u16 = shape_bit(S::D1);
const D1_BUFFER: u16 = shape_bit(S::D1Buffer);
const D1_ARRAY: u16 = shape_bit(S::D1Array);
const D2: u16 = shape_bit(S::D2);
const D2_ARRAY: u16 = shape_bit(S::D2Array);
const D3: u16 = shape_bit(S::D3);
const D2_DEPTH: u16 = shape_bit(S::D2Depth);
const D2_ARRAY_DEPTH: u16 = shape_bit(S::D2ArrayDepth);
const MSAA: u16 = shape_bit(S::D2Msaa);
const MSAA_ARRAY: u16 = shape_bit(S::D2ArrayMsaa);
const MSAA_DEPTH: u16 = shape_bit(S::D2MsaaDepth);
const MSAA_ARRAY_DEPTH: u16 = shape_bit(S::D2ArrayMsaaDepth);
const MULTISAMPLED: u16 = MSAA | MSAA_ARRAY | MSAA_DEPTH | MSAA_ARRAY_DEPTH;
const COLOUR_WIDE: u16 = D2 | D2_ARRAY | D3;
const EVERY: u16 = D1 | D1_BUFFER | D1_ARRAY | D2 | D2_ARRAY | D3 | D2_DEPTH | D2_ARRAY_DEPTH | MULTISAMPLED;
const MIPPED: u16 = D1 | D1_ARRAY | D2 | D2_ARRAY | D3 | D2_DEPTH | D2_ARRAY_DEPTH;
const ARRAYS: u16 = D1_ARRAY | D2_ARRAY | D2_ARRAY_DEPTH | MSAA_ARRAY | MSAA_ARRAY_DEPTH;

const I2: Pattern = Pattern::Vector(I, 2);
const I4: Pattern = Pattern::Vector(I, 4);
const F1: Pattern = Pattern::One(F);
const F2: Pattern = Pattern::Vector(F, 2);
const F4: Pattern = Pattern::Vector(F, 4);

/// Sampled and unsampled reads of colour images that give four lanes of a scalar.
macro_rules! reads {
    ($result:expr $(, $more:expr)*) => {
        &[
            fixed($result, &[Pattern::Image(D1, READ), Pattern::Sampler, INT]),
            fixed($result, &[Pattern::Image(D1, READ), Pattern::Sampler, F1]),
            fixed($result, &[Pattern::Image(D1_ARRAY | D2, READ), Pattern::Sampler, I2]),
            fixed($result, &[Pattern::Image(D1_ARRAY | D2, READ), Pattern::Sampler, F2]),
            fixed($result, &[Pattern::Image(D2_ARRAY | D3, READ), Pattern::Sampler, I4]),
            fixed($result, &[Pattern::Image(D2_ARRAY | D3, READ), Pattern::Sampler, F4]),
            fixed($result, &[Pattern::Image(D1 | D1_BUFFER, READABLE), INT]),
            fixed($result, &[Pattern::Image(D1_ARRAY | D2, READABLE), I2]),
            fixed($result, &[Pattern::Image(D2_ARRAY | D3, READABLE), I4]),
            // A level of detail, given or from derivatives (cl_khr_mipmap_image).
            fixed($result, &[Pattern::Image(D1, READ), Pattern::Sampler, F1, F1]),
            fixed($result, &[Pattern::Image(D1_ARRAY | D2, READ), Pattern::Sampler, F2, F1]),
            fixed($result, &[Pattern::Image(D2_ARRAY | D3, READ), Pattern::Sampler, F4, F1]),
            fixed($result, &[Pattern::Image(D1, READ), Pattern::Sampler, F1, F1, F1]),
            fixed($result, &[Pattern::Image(D1_ARRAY, READ), Pattern::Sampler, F2, F1, F1]),
            fixed($result, &[Pattern::Image(D2, READ), Pattern::Sampler, F2, F2, F2]),
            fixed($result, &[Pattern::Image(D2_ARRAY, READ), Pattern::Sampler, F4, F2, F2]),
            fixed($result, &[Pattern::Image(D3, READ), Pattern::Sampler, F4, F4, F4]),
            $($more,)*
        ]
    };
}

macro_rules! reads_with_depth {
    () => {
        &[
            fixed(F4, &[Pattern::Image(D1, READ), Pattern::Sampler, INT]),
            fixed(F4, &[Pattern::Image(D1, READ), Pattern::Sampler, F1]),
            fixed(F4, &[Pattern::Image(D1_ARRAY | D2, READ), Pattern::Sampler, I2]),
            fixed(F4, &[Pattern::Image(D1_ARRAY | D2, READ), Pattern::Sampler, F2]),
            fixed(F4, &[Pattern::Image(D2_ARRAY | D3, READ), Pattern::Sampler, I4]),
            fixed(F4, &[Pattern::Image(D2_ARRAY | D3, READ), Pattern::Sampler, F4]),
            fixed(F4, &[Pattern::Image(D1 | D1_BUFFER, READABLE), INT]),
            fixed(F4, &[Pattern::Image(D1_ARRAY | D2, READABLE), I2]),
            fixed(F4, &[Pattern::Image(D2_ARRAY | D3, READABLE), I4]),
            fixed(F1, &[Pattern::Image(D2_DEPTH, READ), Pattern::Sampler, I2]),
            fixed(F1, &[Pattern::Image(D2_DEPTH, READ), Pattern::Sampler, F2]),
            fixed(F1, &[Pattern::Image(D2_ARRAY_DEPTH, READ), Pattern::Sampler, I4]),
            fixed(F1, &[Pattern::Image(D2_ARRAY_DEPTH, READ), Pattern::Sampler, F4]),
            fixed(F1, &[Pattern::Image(D2_DEPTH, READABLE), I2]),
            fixed(F1, &[Pattern::Image(D2_ARRAY_DEPTH, READABLE), I4]),
            // A level of detail, given or from derivatives (cl_khr_mipmap_image).
            fixed(F4, &[Pattern::Image(D1, READ), Pattern::Sampler, F1, F1]),
            fixed(F4, &[Pattern::Image(D1_ARRAY | D2, READ), Pattern::Sampler, F2, F1]),
            fixed(F4, &[Pattern::Image(D2_ARRAY | D3, READ), Pattern::Sampler, F4, F1]),
            fixed(F4, &[Pattern::Image(D1, READ), Pattern::Sampler, F1, F1, F1]),
            fixed(F4, &[Pattern::Image(D1_ARRAY, READ), Pattern::Sampler, F2, F1, F1]),
            fixed(F4, &[Pattern::Image(D2, READ), Pattern::Sampler, F2, F2, F2]),
            fixed(F4, &[Pattern::Image(D2_ARRAY, READ), Pattern::Sampler, F4, F2, F2]),
            fixed(F4, &[Pattern::Image(D3, READ), Pattern::Sampler, F4, F4, F4]),
            fixed(F1, &[Pattern::Image(D2_DEPTH, READ), Pattern::Sampler, F2, F1]),
            fixed(F1, &[Pattern::Image(D2_ARRAY_DEPTH, READ), Pattern::Sampler, F4, F1]),
            fixed(F1, &[Pattern::Image(D2_DEPTH, READ), Pattern::Sampler, F2, F2, F2]),
            fixed(F1, &[Pattern::Image(D2_ARRAY_DEPTH, READ), Pattern::Sampler, F4, F2, F2]),
            // A sample (cl_khr_gl_msaa_sharing).
            fixed(F4, &[Pattern::Image(MSAA, READABLE), I2, INT]),
            fixed(F4, &[Pattern::Image(MSAA_ARRAY, READABLE), I4, INT]),
            fixed(F1, &[Pattern::Image(MSAA_DEPTH, READABLE), I2, INT]),
            fixed(F1, &[Pattern::Image(MSAA_ARRAY_DEPTH, READABLE), I4, INT]),
        ]
    };
}

/// Writes of colour images, and what else there is.
macro_rules! writes {
    ($value:expr $(, $more:expr)*) => {
        &[
            fixed(Pattern::Void, &[Pattern::Image(D1 | D1_BUFFER, WRITABLE_IMAGE), INT, $value]),
            fixed(Pattern::Void, &[Pattern::Image(D1_ARRAY | D2, WRITABLE_IMAGE), I2, $value]),
            fixed(Pattern::Void, &[Pattern::Image(D2_ARRAY | D3, WRITABLE_IMAGE), I4, $value]),
            // A level of detail (cl_khr_mipmap_image_writes).
            fixed(Pattern::Void, &[Pattern::Image(D1, WRITABLE_IMAGE), INT, INT, $value]),
            fixed(Pattern::Void, &[Pattern::Image(D1_ARRAY | D2, WRITABLE_IMAGE), I2, INT, $value]),
            fixed(Pattern::Void, &[Pattern::Image(D2_ARRAY | D3, WRITABLE_IMAGE), I4, INT, $value]),
            $($more,)*
        ]
    };
}

const READ_F: &[Sig] = reads_with_depth!();
const READ_I: &[Sig] = reads!(
    Pattern::Vector(I, 4),
    fixed(Pattern::Vector(I, 4), &[Pattern::Image(MSAA, READABLE), I2, INT]),
    fixed(Pattern::Vector(I, 4), &[Pattern::Image(MSAA_ARRAY, READABLE), I4, INT])
);
const READ_U: &[Sig] = reads!(
    Pattern::Vector(U, 4),
    fixed(Pattern::Vector(U, 4), &[Pattern::Image(MSAA, READABLE), I2, INT]),
    fixed(Pattern::Vector(U, 4), &[Pattern::Image(MSAA_ARRAY, READABLE), I4, INT])
);
const READ_H: &[Sig] = reads!(Pattern::Vector(H, 4));
const WRITE_F: &[Sig] = writes!(
    F4,
    fixed(Pattern::Void, &[Pattern::Image(D2_DEPTH, WRITABLE_IMAGE), I2, F1]),
    fixed(Pattern::Void, &[Pattern::Image(D2_ARRAY_DEPTH, WRITABLE_IMAGE), I4, F1]),
    fixed(Pattern::Void, &[Pattern::Image(D2_DEPTH, WRITABLE_IMAGE), I2, INT, F1]),
    fixed(Pattern::Void, &[Pattern::Image(D2_ARRAY_DEPTH, WRITABLE_IMAGE), I4, INT, F1])
);
const WRITE_I: &[Sig] = writes!(Pattern::Vector(I, 4));
const WRITE_U: &[Sig] = writes!(Pattern::Vector(U, 4));
const WRITE_H: &[Sig] = writes!(Pattern::Vector(H, 4));
const QUERY: &[Sig] = &[fixed(INT, &[Pattern::Image(EVERY, ANY)])];
const HEIGHT: &[Sig] = &[fixed(INT, &[Pattern::Image(COLOUR_WIDE | D2_DEPTH | D2_ARRAY_DEPTH | MULTISAMPLED, ANY)])];
const DEPTH: &[Sig] = &[fixed(INT, &[Pattern::Image(D3, ANY)])];
const DIM: &[Sig] = &[
    fixed(I2, &[Pattern::Image(EVERY & !(D1 | D1_BUFFER | D1_ARRAY | D3), ANY)]),
    fixed(I4, &[Pattern::Image(D3, ANY)]),
];
const ARRAY_SIZE: &[Sig] = &[fixed(SIZE, &[Pattern::Image(ARRAYS, ANY)])];
const LEVELS: &[Sig] = &[fixed(INT, &[Pattern::Image(MIPPED, ANY)])];
const SAMPLES: &[Sig] = &[fixed(INT, &[Pattern::Image(MULTISAMPLED, ANY)])];

/// 6.15.15.
pub const IMAGE: &[Row] = &[
    row("read_imagef", READ_F),
    row("read_imagei", READ_I),
    row("read_imageui", READ_U),
    row("read_imageh", READ_H),
    row("write_imagef", WRITE_F),
    row("write_imagei", WRITE_I),
    row("write_imageui", WRITE_U),
    row("write_imageh", WRITE_H),
    row("get_image_width", QUERY),
    row("get_image_height", HEIGHT),
    row("get_image_depth", DEPTH),
    row("get_image_channel_data_type", QUERY),
    row("get_image_channel_order", QUERY),
    row("get_image_dim", DIM),
    row("get_image_array_size", ARRAY_SIZE),
    since(200, "get_image_num_mip_levels", LEVELS),
    row("get_image_num_samples", SAMPLES),
];
