//! Shapes and formats of images (section 5.3).
// Names of `cl.h`.
#![allow(non_upper_case_globals)]

use crate::context::Context;
use crate::error::{Error, Result, ensure};
use crate::info::{Value, unknown};
use crate::number;
use crate::packing::Packing;
use crate::srgb;
use clforge_runtime::{ChannelOrder, ChannelType, ImageDescription, ImageFormat, ImageKind};
use opencl_sys::*;

/// Channel orders that images can have.
const ORDERS: [ChannelOrder; 8] = [
    ChannelOrder::R,
    ChannelOrder::Rg,
    ChannelOrder::Rgba,
    ChannelOrder::Bgra,
    ChannelOrder::Depth,
    ChannelOrder::Srgba,
    ChannelOrder::Sbgra,
    ChannelOrder::Abgr,
];
const TYPES: [ChannelType; 13] = [
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
    ChannelType::UnormInt2x101010,
];

/// Orders of channels that are packed.
const PACKED_ORDERS: [ChannelOrder; 3] = [ChannelOrder::R, ChannelOrder::Rg, ChannelOrder::Rgba];

/// The format of texels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TexelFormat {
    /// What kernels use.
    image: ImageFormat,
    /// How the texels are stored for all other commands, where they are not the same.
    packing: Option<Packing>,
}

impl TexelFormat {
    /// Bytes of successive texels in a row.
    pub fn row_bytes(self, texels: usize) -> usize {
        match self.packing {
            None => texels * number::size(self.image.texel_size()),
            Some(packing) => packing.bytes(texels * self.channels()),
        }
    }

    /// What rows and slices begin at multiples of, in bytes: a texel that has whole bytes.
    pub fn alignment(self) -> usize {
        if self.packing.is_some_and(Packing::is_raw) { 1 } else { self.row_bytes(1) }
    }

    /// `CL_IMAGE_ELEMENT_SIZE`.
    fn element_size(self) -> usize {
        // Rounded up to a power of two, as in the conformance tests.
        if self.packing.is_some_and(Packing::is_raw) { 2 } else { self.row_bytes(1) }
    }

    /// Channels of packed texels.
    fn channels(self) -> usize {
        match self.image.order {
            ChannelOrder::R => 1,
            ChannelOrder::Rg => 2,
            _ => 4,
        }
    }

    /// The `cl_image_format`.
    fn raw(self) -> cl_image_format {
        let channel = self.packing.map_or(self.image.channel as u32, |packing| packing.name);
        cl_image_format { image_channel_order: self.image.order as u32, image_channel_data_type: channel }
    }

    /// All pairs of orders and types that some device may have.
    fn all() -> impl Iterator<Item = TexelFormat> {
        let pairs = ORDERS.into_iter().flat_map(|order| TYPES.map(|channel| ImageFormat { order, channel }));
        let packed = Packing::all().flat_map(|packing| PACKED_ORDERS.map(|order| TexelFormat::packed(packing, order)));
        pairs.map(|image| TexelFormat { image, packing: None }).chain(packed.flatten())
    }

    fn packed(packing: Packing, order: ChannelOrder) -> Option<TexelFormat> {
        let known = PACKED_ORDERS.contains(&order) && (order == ChannelOrder::R || !packing.is_raw());
        let image = ImageFormat { order, channel: packing.decoded() };
        known.then_some(TexelFormat { image, packing: Some(packing) })
    }
}

/// Size, format and layout of an image.
#[derive(Clone, Copy, Debug)]
pub struct ImageShape {
    kind: ImageKind,
    /// Width, height (layers of a 1D array), depth (layers of a 2D array); 1 where there is none.
    size: [usize; 3],
    format: TexelFormat,
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
    pub fn check_alignment(&self, format: TexelFormat) -> Result<()> {
        let [row, slice] = self.pitches;
        let texel = format.alignment();
        let aligned =
            row.is_multiple_of(texel) && slice.is_multiple_of(texel) && (row == 0 || slice.is_multiple_of(row));
        ensure(aligned, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, "pitches that are no whole texels, or no whole rows")
    }
}

/// The format of a `cl_image_format`.
///
/// # Errors
/// `CL_INVALID_IMAGE_FORMAT_DESCRIPTOR` for a pair that the specification does not allow, `CL_IMAGE_FORMAT_NOT_SUPPORTED`.
pub fn format(format: cl_image_format) -> Result<TexelFormat> {
    let channel = format.image_channel_data_type;
    let of_extension = channel == CL_UNORM_INT_2_101010_EXT || Packing::of(channel).is_some();
    let known = of_extension || (CL_SNORM_INT8..=CL_UNORM_INT_101010_2).contains(&channel);
    ensure(known, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, "unknown channel type")?;
    let known = (CL_R..=CL_ABGR).contains(&format.image_channel_order);
    ensure(known, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, "unknown channel order")?;
    ensure(is_pair(format), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, "channels of a type that their order does not have")?;
    let found = TexelFormat::all().find(|known| {
        let raw = known.raw();
        raw.image_channel_order == format.image_channel_order && raw.image_channel_data_type == channel
    });
    found.ok_or_else(|| Error::new(CL_IMAGE_FORMAT_NOT_SUPPORTED, "no device has this image format"))
}

/// Whether the specification allows channels of a type in an order (the tables of section 5.3.1.1).
fn is_pair(format: cl_image_format) -> bool {
    let channel = format.image_channel_data_type;
    if let Some(packing) = Packing::of(channel) {
        let orders = if packing.is_raw() { &PACKED_ORDERS[..1] } else { &PACKED_ORDERS };
        return orders.iter().any(|order| *order as u32 == format.image_channel_order);
    }
    match format.image_channel_order {
        _ if channel == CL_UNORM_INT_2_101010_EXT => format.image_channel_order == CL_ABGR,
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
    // A kernel that reads what it has written would not find it rounded.
    let both = flags & CL_MEM_KERNEL_READ_AND_WRITE != 0;
    let mut formats = Vec::new();
    for device in context.devices().iter().filter(|device| device.has_images()) {
        let device = device.open()?;
        for format in TexelFormat::all().filter(|format| format.packing.is_none() || !both) {
            let support = device.image_support(kind, format.image);
            // Kernels write colours of sRGB to images of floats: see `srgb.rs`.
            let by_floats = srgb::is_srgb(format.image) && !both && device.image_support(kind, srgb::LINEAR).storage;
            let writable = support.storage || by_floats && kind != ImageKind::Buffer;
            let supported = may_have(kind, format) && support.sampled && (writable || !writes);
            if supported && !formats.contains(&format) {
                formats.push(format);
            }
        }
    }
    Ok(formats.into_iter().map(TexelFormat::raw).collect())
}

/// Whether images of a kind may have a format: only 2D images and arrays of them have depths.
fn may_have(kind: ImageKind, format: TexelFormat) -> bool {
    format.image.order != ChannelOrder::Depth || matches!(kind, ImageKind::D2 | ImageKind::D2Array)
}

impl ImageShape {
    /// A shape, checked against the rules of `cl_image_desc` and against the devices.
    ///
    /// # Errors
    /// `CL_INVALID_IMAGE_DESCRIPTOR`, `CL_INVALID_IMAGE_SIZE`, `CL_IMAGE_FORMAT_NOT_SUPPORTED`, `CL_INVALID_OPERATION` without
    /// a device that has images.
    pub fn new(context: &Context, sizes: ImageSizes, format: TexelFormat, has_pointer: bool) -> Result<ImageShape> {
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
        let group = format.packing.map_or(1, Packing::group);
        ensure(width.is_multiple_of(group), CL_INVALID_IMAGE_SIZE, "a width that is no multiple of 4 or 2 raw texels")?;
        let has_one_level = format.packing.is_none() || sizes.levels <= 1;
        ensure(has_one_level, CL_INVALID_IMAGE_DESCRIPTOR, "levels of detail of packed texels")?;
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
            if !may_have || !device.open()?.image_support(self.kind, self.format.image).sampled {
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
        ImageDescription { kind: self.kind, size: self.size.map(number::count), format: self.format.image }
    }

    /// Width, height or layers, depth or layers.
    pub fn size(&self) -> [usize; 3] {
        self.size
    }

    /// How texels are packed that kernels do not use so.
    pub fn packing(&self) -> Option<Packing> {
        self.format.packing
    }

    /// What texels begin at multiples of, in bytes.
    pub fn alignment(&self) -> usize {
        self.format.alignment()
    }

    /// Bytes of successive texels in a row.
    pub fn row_bytes(&self, texels: usize) -> usize {
        self.format.row_bytes(texels)
    }

    /// A region in bytes, rows and slices.
    pub fn region_bytes(&self, [texels, rows, slices]: [usize; 3]) -> [usize; 3] {
        [self.row_bytes(texels), rows, slices]
    }

    /// Bytes of all texels without gaps.
    pub fn bytes(&self) -> usize {
        self.region_bytes(self.size).iter().product()
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
        let least_row = self.row_bytes(region[0]);
        let row = if given[0] == 0 { least_row } else { given[0] };
        let whole = row >= least_row && row.is_multiple_of(self.alignment());
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
        ensure(within, CL_INVALID_VALUE, "a region that is empty, or outside of the image")?;
        let group = self.format.packing.map_or(1, Packing::group);
        let whole = origin[0].is_multiple_of(group) && region[0].is_multiple_of(group);
        ensure(whole, CL_INVALID_VALUE, "a region of texels whose bytes are not all its own")
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
        let row = self.row_bytes(size[0]);
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
        let dense = self.row_bytes(self.size[0]);
        let pitched = self.pitches == other.pitches || self.pitches[0] == dense || other.pitches[0] == dense;
        [self.kind, other.kind] == [ImageKind::D2; 2] && self.size == other.size && pitched
    }

    /// Whether an image of this format can be made of the texels of one of another format.
    pub fn views(&self, other: &ImageShape) -> bool {
        let (new, below) = (self.format, other.format);
        let orders = (new.image.order, below.image.order);
        new.raw().image_channel_data_type == below.raw().image_channel_data_type
            && orders == (ChannelOrder::Depth, ChannelOrder::R)
    }

    /// The same shape with the pitches of another one.
    pub fn with_pitches(self, pitches: [usize; 2]) -> ImageShape {
        ImageShape { pitches, ..self }
    }

    /// Whether its texels are colours of sRGB.
    pub fn is_srgb(&self) -> bool {
        srgb::is_srgb(self.format.image)
    }

    /// Whether its texels are packed.
    pub fn is_packed(&self) -> bool {
        self.format.packing.is_some()
    }

    /// Whether both have the same format.
    pub fn same_format(&self, other: &ImageShape) -> bool {
        self.format == other.format
    }

    /// Whether its texels are depths.
    pub fn is_depth(&self) -> bool {
        self.format.image.order == ChannelOrder::Depth
    }

    /// The texels of a region of one colour (`clEnqueueFillImage`), without gaps: four floats, signed or unsigned integers, as the
    /// format has channels.
    pub fn encode_color(&self, color: [u8; 16], region: [usize; 3]) -> Vec<u8> {
        let texels = crate::texel::encode(self.format.image, color).repeat(region.iter().product());
        match self.format.packing {
            None => texels,
            Some(packing) => packing.encode(&texels),
        }
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
                let format = self.format.raw();
                Value::list(&[format.image_channel_order, format.image_channel_data_type])
            }
            CL_IMAGE_ELEMENT_SIZE => Value::of(self.format.element_size()),
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
