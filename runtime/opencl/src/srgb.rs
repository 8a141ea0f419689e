//! Images in the colour space sRGB that kernels write (`cl_khr_srgb_image_writes`), for which most devices of Vulkan have no storage
//! images.
//!
//! A kernel gets another image in place of such a one, of linear floats, which has the same colours before: the bytes of texels
//! that it does not write stay the same, since they are encoded as they were decoded. Kernels on the device convert the texels,
//! in buffers, by the rules for sRGBA images of section 8.3 of the OpenCL C specification.

use crate::error::Result;
use clforge_runtime::{
    self as runtime, Arg, ChannelOrder, ChannelType, ImageFormat, ImageRegion, Launch, PitchedTexels,
};
use opencl_sys::CL_UNORM_INT8;

/// The channels of a texel are bytes of a word: `first` is the shift of red, `last` that of blue.
const SOURCE: &str = "
float linear(uint byte)
{
    const float encoded = byte / 255.0f;
    return encoded <= 0.04045f ? encoded / 12.92f : powr((encoded + 0.055f) / 1.055f, 2.4f);
}

uint step(float value)
{
    return convert_uchar_sat_rte(255.0f * (isnan(value) ? 0.0f : value));
}

float encoded(float value)
{
    const float inside = isnan(value) ? 0.0f : clamp(value, 0.0f, 1.0f);
    return inside < 0.0031308f ? 12.92f * inside : 1.055f * powr(inside, 1.0f / 2.4f) - 0.055f;
}

kernel void decode(global const uint *from, global float4 *to, uint first, uint last)
{
    const size_t i = get_global_id(0);
    const uint texel = from[i];
    to[i] = (float4)(linear(texel >> first & 255), linear(texel >> 8 & 255), linear(texel >> last & 255), (texel >> 24) / 255.0f);
}

kernel void encode(global const float4 *from, global uint *to, uint first, uint last)
{
    const size_t i = get_global_id(0);
    const float4 texel = from[i];
    to[i] = step(encoded(texel.x)) << first | step(encoded(texel.y)) << 8 | step(encoded(texel.z)) << last | step(texel.w) << 24;
}
";

/// Bytes of a texel in the image, and in that which kernels write.
const BYTES: [u64; 2] = [4, 16];

/// The format that kernels write.
pub const LINEAR: ImageFormat = ImageFormat { order: ChannelOrder::Rgba, channel: ChannelType::Float };

/// Whether images of a format are in the colour space sRGB.
pub fn is_srgb(format: ImageFormat) -> bool {
    matches!(format.order, ChannelOrder::Srgba | ChannelOrder::Sbgra)
}

/// The kernels on a device that convert texels.
pub struct Converters {
    decode: runtime::Kernel,
    encode: runtime::Kernel,
}

impl Converters {
    /// Compiles them.
    ///
    /// # Errors
    /// Those of the device.
    pub fn new(device: &runtime::Device) -> Result<Converters> {
        let program = runtime::Program::from_source(device, SOURCE, &runtime::Options::default())?;
        Ok(Converters { decode: program.kernel("decode")?, encode: program.kernel("encode")? })
    }
}

/// An image that stands for one in the colour space sRGB while a kernel writes it.
pub struct Linear {
    image: runtime::Image,
    stands_for: runtime::Image,
}

impl Linear {
    /// Records what makes an image with the colours of another one.
    ///
    /// # Errors
    /// Those of the device.
    pub fn new(converters: &Converters, queue: &runtime::Queue, stands_for: runtime::Image) -> Result<Linear> {
        let description = runtime::ImageDescription { format: LINEAR, ..*stands_for.description() };
        let image = runtime::Image::mipmapped(queue.device(), description, stands_for.levels())?;
        let linear = Linear { image, stands_for };
        for level in 0..linear.stands_for.levels() {
            let (from, to) = (linear.stands_for.of_level(level)?, linear.image.of_level(level)?);
            linear.convert(queue, (&from, BYTES[0]), (&to, BYTES[1]), &converters.decode)?;
        }
        Ok(linear)
    }

    /// The image that the kernel gets.
    pub fn argument(&self) -> runtime::Image {
        self.image.with_reported_format(self.stands_for.description().format.order, CL_UNORM_INT8)
    }

    /// Records what brings the colours back, behind the kernel.
    ///
    /// # Errors
    /// Those of the device.
    pub fn bring_back(&self, converters: &Converters, queue: &runtime::Queue) -> Result<runtime::Event> {
        let mut last = queue.marker()?;
        for level in 0..self.stands_for.levels() {
            let (from, to) = (self.image.of_level(level)?, self.stands_for.of_level(level)?);
            last = self.convert(queue, (&from, BYTES[1]), (&to, BYTES[0]), &converters.encode)?;
        }
        Ok(last)
    }

    /// Records the conversion of the texels of one image, with their size, to those of another one.
    fn convert(
        &self,
        queue: &runtime::Queue,
        (from, bytes_from): (&runtime::Image, u64),
        (to, bytes_to): (&runtime::Image, u64),
        kernel: &runtime::Kernel,
    ) -> Result<runtime::Event> {
        let size = from.description().size;
        let [width, rows, slices] = size.map(u64::from);
        let (count, region) = (width * rows * slices, ImageRegion { origin: [0; 3], size });
        let source = runtime::Buffer::new(queue.device(), count * bytes_from)?;
        let target = runtime::Buffer::new(queue.device(), count * bytes_to)?;
        let pitches = |bytes: u64| [width * bytes, width * rows * bytes];
        let texels = PitchedTexels { buffer: &source, offset: 0, pitches: pitches(bytes_from) };
        queue.copy_image_to_pitched(from, &region, texels)?;
        let is_bgra = self.stands_for.description().format.order == ChannelOrder::Sbgra;
        let (first, last) = if is_bgra { (16u32, 0u32) } else { (0, 16) };
        let arguments = [Arg::Buffer(&source), Arg::Buffer(&target), Arg::pod(&first), Arg::pod(&last)];
        queue.launch(kernel, &Launch::new(&[count]), &arguments)?;
        let texels = PitchedTexels { buffer: &target, offset: 0, pitches: pitches(bytes_to) };
        Ok(queue.copy_pitched_to_image(texels, to, &region)?)
    }
}
