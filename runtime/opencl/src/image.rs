//! Shapes and formats of images (section 5.3).
// Names of `cl.h`.
#![allow(non_upper_case_globals)]

use crate::context::Context;
use crate::error::{Error, Result, ensure};
use crate::info::{Value, unknown};
use crate::number;
use clforge_runtime::{ChannelOrder, ChannelType, ImageDescription, ImageFormat, ImageKind};
use opencl_sys::*;

/// Channel orders that images can have.
const ORDERS: [ChannelOrder; 7] = [
    ChannelOrder::R,
    ChannelOrder::Rg,
    ChannelOrder::Rgba,
    ChannelOrder::Bgra,
    ChannelOrder::Depth,
    ChannelOrder::Srgba,
    ChannelOrder::Sbgra,
];
const TYPES: [ChannelType; 12] = [
    ChannelType::SnormInt8,
    ChannelType::SnormInt16,
    ChannelType::UnormInt8,
    ChannelType::UnormInt16,
    ChannelType::SignedInt8,
    ChannelType::SignedInt16,
    ChannelType::SignedInt32,
    ChannelType::UnsignedInt8,
    ChannelType::UnsignedInt16,
    ChannelType::UnsignedInt32,
    ChannelType::HalfFloat,
    ChannelType::Float,
];

/// Size, format and layout of an image.
#[derive(Clone, Copy, Debug)]
pub struct ImageShape {
    kind: ImageKind,
    /// Width, height (layers of a 1D array), depth (layers of a 2D array); 1 where there is none.
    size: [usize; 3],
    format: ImageFormat,
    /// Distances in bytes between rows and slices of the host's memory that the image was made from; dense where none was.
    pitches: [usize; 2],
    /// Number of levels of detail.
    levels: u32,
}

/// The sizes of a `cl_image_desc`.
#[derive(Clone, Copy, Debug)]
pub struct ImageSizes {
    /// `image_type`.
    pub object_type: cl_mem_object_type,
    /// `image_width`, `image_height`, `image_depth`.
    pub size: [usize; 3],
    /// `image_array_size`.
    pub layers: usize,
    /// `image_row_pitch` and `image_slice_pitch`; 0 where there are no gaps.
    pub pitches: [usize; 2],
    /// `num_mip_levels`.
    pub levels: u32,
}

impl ImageSizes {
    /// Checks that rows and slices of an image over a buffer begin at multiples of a texel's size.
    ///
    /// # Errors
    /// `CL_INVALID_IMAGE_FORMAT_DESCRIPTOR`.
    pub fn check_alignment(&self, format: ImageFormat) -> Result<()> {
        let [row, slice] = self.pitches;
        let texel = number::size(format.texel_size());
        let aligned =
            row.is_multiple_of(texel) && slice.is_multiple_of(texel) && (row == 0 || slice.is_multiple_of(row));
        ensure(aligned, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, "pitches that are no whole texels, or no whole rows")
    }
}

/// The format of a `cl_image_format`.
///
/// # Errors
/// `CL_INVALID_IMAGE_FORMAT_DESCRIPTOR` for a pair that the specification does not allow, `CL_IMAGE_FORMAT_NOT_SUPPORTED`.
pub fn format(format: cl_image_format) -> Result<ImageFormat> {
    let channel = format.image_channel_data_type;
    let known = (CL_SNORM_INT8..=CL_UNORM_INT_101010_2).contains(&channel);
    ensure(known, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, "unknown channel type")?;
    let known = (CL_R..=CL_ABGR).contains(&format.image_channel_order);
    ensure(known, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, "unknown channel order")?;
    ensure(is_pair(format), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, "channels of a type that their order does not have")?;
    let order = ORDERS.into_iter().find(|order| *order as u32 == format.image_channel_order);
    let channel = TYPES.into_iter().find(|known| *known as u32 == channel);
    let missing = || Error::new(CL_IMAGE_FORMAT_NOT_SUPPORTED, "no device has this image format");
    let (order, channel) = order.zip(channel).ok_or_else(missing)?;
    Ok(ImageFormat { order, channel })
}

/// Whether the specification allows channels of a type in an order (the tables of section 5.3.1.1).
fn is_pair(format: cl_image_format) -> bool {
    let channel = format.image_channel_data_type;
    match format.image_channel_order {
        CL_INTENSITY | CL_LUMINANCE => {
            matches!(
                channel,
                CL_UNORM_INT8 | CL_UNORM_INT16 | CL_SNORM_INT8 | CL_SNORM_INT16 | CL_HALF_FLOAT | CL_FLOAT
            )
        }
        CL_RGB | CL_RGBx => matches!(channel, CL_UNORM_SHORT_565 | CL_UNORM_SHORT_555 | CL_UNORM_INT_101010),
        CL_ARGB | CL_BGRA | CL_ABGR => {
            matches!(channel, CL_UNORM_INT8 | CL_SNORM_INT8 | CL_SIGNED_INT8 | CL_UNSIGNED_INT8)
        }
        CL_sRGB | CL_sRGBx | CL_sRGBA | CL_sBGRA => channel == CL_UNORM_INT8,
        CL_DEPTH => matches!(channel, CL_UNORM_INT16 | CL_FLOAT),
        CL_RGBA => !matches!(channel, CL_UNORM_SHORT_565 | CL_UNORM_SHORT_555 | CL_UNORM_INT_101010),
        _ => !(CL_UNORM_SHORT_565..=CL_UNORM_INT_101010).contains(&channel) && channel != CL_UNORM_INT_101010_2,
    }
}

/// The `cl_image_format` of a format.
fn raw_format(format: ImageFormat) -> cl_image_format {
    cl_image_format { image_channel_order: format.order as u32, image_channel_data_type: format.channel as u32 }
}

/// The kind of images of a type of memory objects.
///
/// # Errors
/// `CL_INVALID_VALUE`.
pub fn kind(object_type: cl_mem_object_type) -> Result<ImageKind> {
    Ok(match object_type {
        CL_MEM_OBJECT_IMAGE1D => ImageKind::D1,
        CL_MEM_OBJECT_IMAGE1D_ARRAY => ImageKind::D1Array,
        CL_MEM_OBJECT_IMAGE1D_BUFFER => ImageKind::Buffer,
        CL_MEM_OBJECT_IMAGE2D => ImageKind::D2,
        CL_MEM_OBJECT_IMAGE2D_ARRAY => ImageKind::D2Array,
        CL_MEM_OBJECT_IMAGE3D => ImageKind::D3,
        _ => return Err(Error::value("not a type of images")),
    })
}

/// The formats that images of a kind can have on some device of a context, for these flags (`clGetSupportedImageFormats`).
///
/// # Errors
/// `CL_INVALID_VALUE` for flags that exclude each other, `CL_OUT_OF_RESOURCES`.
pub fn formats(context: &Context, flags: cl_mem_flags, kind: ImageKind) -> Result<Vec<cl_image_format>> {
    let access = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY;
    let is_one = (flags & access).count_ones() <= 1;
    ensure(is_one, CL_INVALID_VALUE, "flags of access by kernels exclude each other")?;
    let writes = flags & (CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_KERNEL_READ_AND_WRITE) != 0;
    let mut formats = Vec::new();
    for device in context.devices().iter().filter(|device| device.has_images()) {
        let device = device.open()?;
        for (order, channel) in ORDERS.iter().flat_map(|order| TYPES.iter().map(move |channel| (*order, *channel))) {
            let format = ImageFormat { order, channel };
            let support = device.image_support(kind, format);
            let supported = may_have(kind, format) && support.sampled && (support.storage || !writes);
            if supported && !formats.contains(&format) {
                formats.push(format);
            }
        }
    }
    Ok(formats.into_iter().map(raw_format).collect())
}

/// Whether images of a kind may have a format: only 2D images and arrays of them have depths.
fn may_have(kind: ImageKind, format: ImageFormat) -> bool {
    format.order != ChannelOrder::Depth || matches!(kind, ImageKind::D2 | ImageKind::D2Array)
}

impl ImageShape {
    /// A shape, checked against the rules of `cl_image_desc` and against the devices.
    ///
    /// # Errors
    /// `CL_INVALID_IMAGE_DESCRIPTOR`, `CL_INVALID_IMAGE_SIZE`, `CL_IMAGE_FORMAT_NOT_SUPPORTED`, `CL_INVALID_OPERATION` without
    /// a device that has images.
    pub fn new(context: &Context, sizes: ImageSizes, format: ImageFormat, has_pointer: bool) -> Result<ImageShape> {
        let kind = kind(sizes.object_type).map_err(|error| error.with_code(CL_INVALID_IMAGE_DESCRIPTOR))?;
        let [width, height, depth] = sizes.size;
        let size = match kind {
            ImageKind::D1 | ImageKind::Buffer => [width, 1, 1],
            ImageKind::D1Array => [width, sizes.layers, 1],
            ImageKind::D2 => [width, height, 1],
            ImageKind::D2Array => [width, height, sizes.layers],
            ImageKind::D3 => [width, height, depth],
        };
        ensure(!size.contains(&0), CL_INVALID_IMAGE_SIZE, "an image without texels")?;
        let mut shape = ImageShape { kind, size, format, pitches: [0, 0], levels: sizes.levels.max(1) };
        let has_levels =
            shape.levels == 1 || kind != ImageKind::Buffer && shape.levels <= shape.description().max_levels();
        ensure(has_levels, CL_INVALID_IMAGE_DESCRIPTOR, "more levels of detail than the image has sizes")?;
        shape.check_devices(context)?;
        shape.pitches = shape
            .host_pitches(sizes.pitches, shape.size)
            .map_err(|error| error.with_code(CL_INVALID_IMAGE_DESCRIPTOR))?;
        let pitched = sizes.pitches != [0, 0];
        ensure(has_pointer || !pitched, CL_INVALID_IMAGE_DESCRIPTOR, "pitches without a host pointer")?;
        Ok(shape)
    }

    fn check_devices(&self, context: &Context) -> Result<()> {
        let mut found = CL_INVALID_OPERATION;
        for device in context.devices().iter().filter(|device| device.has_images()) {
            let limits = &device.description().images;
            let most: [u32; 3] = match self.kind {
                ImageKind::D1 => [limits.max_1d, 1, 1],
                ImageKind::D1Array => [limits.max_1d, limits.max_layers, 1],
                ImageKind::Buffer => [limits.max_texel_buffer, 1, 1],
                ImageKind::D2 => [limits.max_2d, limits.max_2d, 1],
                ImageKind::D2Array => [limits.max_2d, limits.max_2d, limits.max_layers],
                ImageKind::D3 => [limits.max_3d; 3],
            };
            let may_have = may_have(self.kind, self.format);
            if !may_have || !device.open()?.image_support(self.kind, self.format).sampled {
                found = CL_IMAGE_FORMAT_NOT_SUPPORTED;
            } else if self.size.iter().zip(most).any(|(size, most)| *size > most as usize) {
                found = CL_INVALID_IMAGE_SIZE;
            } else {
                return Ok(());
            }
        }
        Err(Error::new(found, "no device of the context has such images"))
    }

    /// The runtime's description.
    pub fn description(&self) -> ImageDescription {
        ImageDescription { kind: self.kind, size: self.size.map(number::count), format: self.format }
    }

    /// Width, height or layers, depth or layers.
    pub fn size(&self) -> [usize; 3] {
        self.size
    }

    /// Bytes of a texel.
    pub fn texel(&self) -> usize {
        number::size(self.format.texel_size())
    }

    /// Bytes of all texels without gaps.
    pub fn bytes(&self) -> usize {
        self.size.iter().product::<usize>() * self.texel()
    }

    /// The pitches of the host's memory that the image was made from.
    pub fn pitches(&self) -> [usize; 2] {
        self.pitches
    }

    /// Bytes of the host's memory that the image was made from.
    pub fn host_bytes(&self) -> usize {
        let [row, slice] = self.pitches;
        let [_, rows, slices] = self.size;
        // A 1D array has its layers a slice pitch apart.
        if self.kind == ImageKind::D1Array {
            slice * rows
        } else if slices > 1 {
            slice * slices
        } else {
            row * rows
        }
    }

    /// The distances between rows and slices of a region in the host's memory, where the client gives these; 0 stands for none.
    ///
    /// # Errors
    /// `CL_INVALID_VALUE` for pitches that are too small.
    pub fn host_pitches(&self, given: [usize; 2], region: [usize; 3]) -> Result<[usize; 2]> {
        let least_row = region[0] * self.texel();
        let row = if given[0] == 0 { least_row } else { given[0] };
        let whole = row >= least_row && row.is_multiple_of(self.texel());
        ensure(whole, CL_INVALID_VALUE, "rows overlap, or do not begin at texels")?;
        let least_slice = if self.kind == ImageKind::D1Array { row } else { row * region[1] };
        let slice = if given[1] == 0 { least_slice } else { given[1] };
        ensure(slice >= least_slice, CL_INVALID_VALUE, "slices overlap")?;
        Ok([row, slice])
    }

    /// The distances between the second and third dimension's texels in memory with these pitches: layers of a 1D array are
    /// rows of the runtime's.
    pub fn strides(&self, pitches: [usize; 2]) -> [usize; 2] {
        if self.kind == ImageKind::D1Array { [pitches[1], pitches[1]] } else { pitches }
    }

    /// Checks that a region is within the image.
    ///
    /// # Errors
    /// `CL_INVALID_VALUE`.
    pub fn check_region(&self, origin: [usize; 3], region: [usize; 3]) -> Result<()> {
        let mut axes = origin.iter().zip(region).zip(self.size);
        let within = axes
            .all(|((origin, region), size)| region > 0 && origin.checked_add(region).is_some_and(|end| end <= size));
        ensure(within, CL_INVALID_VALUE, "a region that is empty, or outside of the image")
    }

    /// `CL_MEM_TYPE`.
    pub fn object_type(&self) -> cl_mem_object_type {
        match self.kind {
            ImageKind::D1 => CL_MEM_OBJECT_IMAGE1D,
            ImageKind::D1Array => CL_MEM_OBJECT_IMAGE1D_ARRAY,
            ImageKind::Buffer => CL_MEM_OBJECT_IMAGE1D_BUFFER,
            ImageKind::D2 => CL_MEM_OBJECT_IMAGE2D,
            ImageKind::D2Array => CL_MEM_OBJECT_IMAGE2D_ARRAY,
            ImageKind::D3 => CL_MEM_OBJECT_IMAGE3D,
        }
    }

    /// Number of levels of detail.
    pub fn levels(&self) -> u32 {
        self.levels
    }

    /// A level of detail by itself.
    pub fn at_level(&self, level: u32) -> ImageShape {
        let dimensions = match self.kind {
            ImageKind::D1 | ImageKind::Buffer | ImageKind::D1Array => 1,
            ImageKind::D2 | ImageKind::D2Array => 2,
            ImageKind::D3 => 3,
        };
        let mut size = self.size;
        size.iter_mut().take(dimensions).for_each(|size| *size = (*size >> level).max(1));
        let row = size[0] * self.texel();
        let slice = if self.kind == ImageKind::D1Array { row } else { row * size[1] };
        ImageShape { size, pitches: [row, slice], levels: 1, ..*self }
    }

    /// The place of the level of detail among the numbers of an origin.
    pub fn place_of_level(&self) -> usize {
        match self.kind {
            ImageKind::D1 | ImageKind::Buffer => 1,
            ImageKind::D1Array | ImageKind::D2 => 2,
            ImageKind::D2Array | ImageKind::D3 => 3,
        }
    }

    /// Whether a two-dimensional image has the size of another one, and pitches that it was not given or of that one.
    pub fn has_size_of(&self, other: &ImageShape) -> bool {
        let dense = self.size[0] * self.texel();
        let pitched = self.pitches == other.pitches || self.pitches[0] == dense || other.pitches[0] == dense;
        [self.kind, other.kind] == [ImageKind::D2; 2] && self.size == other.size && pitched
    }

    /// Whether an image of this format can be made of the texels of one of another format.
    pub fn views(&self, other: &ImageShape) -> bool {
        let orders = (self.format.order, other.format.order);
        self.format.channel == other.format.channel && orders == (ChannelOrder::Depth, ChannelOrder::R)
    }

    /// The same shape with the pitches of another one.
    pub fn with_pitches(self, pitches: [usize; 2]) -> ImageShape {
        ImageShape { pitches, ..self }
    }

    /// Whether both have the same format.
    pub fn same_format(&self, other: &ImageShape) -> bool {
        self.format == other.format
    }

    /// Whether its texels are depths.
    pub fn is_depth(&self) -> bool {
        self.format.order == ChannelOrder::Depth
    }

    /// The texel of a colour (`clEnqueueFillImage`): four floats, signed or unsigned integers, as the format has channels.
    pub fn encode_color(&self, color: [u8; 16]) -> Vec<u8> {
        crate::texel::encode(self.format, color)
    }

    /// `clGetImageInfo`, apart from the buffer.
    ///
    /// # Errors
    /// `CL_INVALID_VALUE`.
    pub fn info(&self, name: cl_uint) -> Result<Value> {
        let [width, second, third] = self.size;
        let is_2d = matches!(self.kind, ImageKind::D2 | ImageKind::D2Array | ImageKind::D3);
        let has_slices = matches!(self.kind, ImageKind::D1Array | ImageKind::D2Array | ImageKind::D3);
        let layers = match self.kind {
            ImageKind::D1Array => second,
            ImageKind::D2Array => third,
            ImageKind::D1 | ImageKind::Buffer | ImageKind::D2 | ImageKind::D3 => 0,
        };
        Ok(match name {
            CL_IMAGE_FORMAT => {
                let format = raw_format(self.format);
                Value::list(&[format.image_channel_order, format.image_channel_data_type])
            }
            CL_IMAGE_ELEMENT_SIZE => Value::of(self.texel()),
            CL_IMAGE_ROW_PITCH => Value::of(self.pitches[0]),
            CL_IMAGE_SLICE_PITCH => Value::of(if has_slices { self.pitches[1] } else { 0 }),
            CL_IMAGE_WIDTH => Value::of(width),
            CL_IMAGE_HEIGHT => Value::of(if is_2d { second } else { 0 }),
            CL_IMAGE_DEPTH => Value::of(if self.kind == ImageKind::D3 { third } else { 0 }),
            CL_IMAGE_ARRAY_SIZE => Value::of(layers),
            CL_IMAGE_NUM_MIP_LEVELS => Value::of(if self.levels > 1 { self.levels } else { 0 }),
            CL_IMAGE_NUM_SAMPLES => Value::of(0u32),
            _ => return Err(unknown(name)),
        })
    }
}
