//! What an image needs before it is made (`cl_ext_image_requirements_info`).

use crate::context::Context;
use crate::error::{Error, Result, ensure};
use crate::image::{self, ImageShape, ImageSizes, TexelFormat};
use crate::info::{Value, unknown};
use clforge_runtime::ImageKind;
use opencl_sys::*;

/// Bytes of the largest texels.
const LARGEST_TEXEL: usize = 16;

/// `clGetImageRequirementsInfoEXT`, for images of a format and a description where they are given.
///
/// # Errors
/// `CL_INVALID_VALUE`, `CL_INVALID_IMAGE_FORMAT_DESCRIPTOR`, `CL_INVALID_IMAGE_DESCRIPTOR`.
pub fn info(
    context: &Context,
    format: Option<cl_image_format>,
    sizes: Option<ImageSizes>,
    name: cl_image_requirements_info_ext,
) -> Result<Value> {
    let format = format.map(image::format).transpose()?;
    let dimension = Dimension::of(name);
    if let Some(dimension) = dimension {
        let kind = sizes.filter(|sizes| sizes.object_type != 0).map(|sizes| kind(&sizes)).transpose()?;
        return Ok(Value::of(dimension.most(context, kind)?));
    }
    let shape = match (sizes, format) {
        (Some(sizes), Some(format)) => {
            let shape = ImageShape::new(context, sizes, format, true);
            Some(shape.map_err(|error| error.with_code(CL_INVALID_IMAGE_DESCRIPTOR))?)
        }
        (sizes, _) => sizes.map(|sizes| kind(&sizes)).transpose()?.and(None),
    };
    Ok(match name {
        // Vulkan copies whole texels.
        CL_IMAGE_REQUIREMENTS_BASE_ADDRESS_ALIGNMENT_EXT
        | CL_IMAGE_REQUIREMENTS_ROW_PITCH_ALIGNMENT_EXT
        | CL_IMAGE_REQUIREMENTS_SLICE_PITCH_ALIGNMENT_EXT => {
            Value::of(format.map_or(LARGEST_TEXEL, TexelFormat::alignment))
        }
        CL_IMAGE_REQUIREMENTS_SIZE_EXT => {
            let shape = shape.ok_or_else(|| Error::value("a size needs a format and a description"))?;
            Value::of(shape.host_bytes())
        }
        _ => return Err(unknown(name)),
    })
}

fn kind(sizes: &ImageSizes) -> Result<ImageKind> {
    image::kind(sizes.object_type).map_err(|error| error.with_code(CL_INVALID_IMAGE_DESCRIPTOR))
}

/// A dimension of images whose limit can be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Dimension {
    Width,
    Height,
    Depth,
    Layers,
}

impl Dimension {
    fn of(name: cl_image_requirements_info_ext) -> Option<Dimension> {
        Some(match name {
            CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT => Dimension::Width,
            CL_IMAGE_REQUIREMENTS_MAX_HEIGHT_EXT => Dimension::Height,
            CL_IMAGE_REQUIREMENTS_MAX_DEPTH_EXT => Dimension::Depth,
            CL_IMAGE_REQUIREMENTS_MAX_ARRAY_SIZE_EXT => Dimension::Layers,
            _ => return None,
        })
    }

    /// Whether images of a kind have it.
    fn is_of(self, kind: ImageKind) -> bool {
        match self {
            Dimension::Width => true,
            Dimension::Height => matches!(kind, ImageKind::D2 | ImageKind::D2Array | ImageKind::D3),
            Dimension::Depth => kind == ImageKind::D3,
            Dimension::Layers => matches!(kind, ImageKind::D1Array | ImageKind::D2Array),
        }
    }

    /// The most that every device of a context allows for images of a kind, or of every kind that has the dimension.
    fn most(self, context: &Context, kind: Option<ImageKind>) -> Result<u32> {
        let has = kind.is_none_or(|kind| self.is_of(kind));
        ensure(has, CL_INVALID_IMAGE_DESCRIPTOR, "a dimension that such images do not have")?;
        let kinds =
            [ImageKind::D1, ImageKind::D1Array, ImageKind::Buffer, ImageKind::D2, ImageKind::D2Array, ImageKind::D3];
        let kinds = kinds.into_iter().filter(|each| self.is_of(*each) && kind.is_none_or(|kind| kind == *each));
        let devices = context.devices().iter().filter(|device| device.has_images());
        let limits = devices.map(|device| &device.description().images);
        let of_kind = |kind: ImageKind| {
            limits.clone().map(move |limits| match (self, kind) {
                (Dimension::Layers, _) => limits.max_layers,
                (_, ImageKind::D1 | ImageKind::D1Array) => limits.max_1d,
                (_, ImageKind::Buffer) => limits.max_texel_buffer,
                (_, ImageKind::D2 | ImageKind::D2Array) => limits.max_2d,
                (_, ImageKind::D3) => limits.max_3d,
            })
        };
        Ok(kinds.flat_map(of_kind).min().unwrap_or(0))
    }
}
