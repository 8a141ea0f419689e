//! Images and samplers on the command line: specifications, and PNG files.

use crate::failure::Failure;
use crate::input;
use clforge_runtime::{Addressing, ChannelOrder, ChannelType, ImageDescription, ImageFormat, ImageKind, Sampler};
use std::io::Cursor;
use std::path::Path;

/// An image as given. The kernel's parameter determines its kind.
#[derive(Clone, Debug, PartialEq)]
pub struct ImageSpec {
    /// One to three sizes.
    size: Vec<u32>,
    format: ImageFormat,
    /// `None`: zeros.
    pub texels: Option<Vec<u8>>,
}

impl ImageSpec {
    /// The rest of `image:file=PATH.png` or `image:DIMS:FORMAT`. `limit`: most bytes of the file, and of its texels.
    pub fn parse(text: &str, limit: u64) -> Result<ImageSpec, Failure> {
        if let Some(path) = text.strip_prefix("file=") {
            return read_png(Path::new(path), limit);
        }
        let usage = |message: String| Failure::Usage(message);
        let (size, format) =
            text.split_once(':').ok_or_else(|| usage("give a size and a format, like 64x64:rgba8".into()))?;
        let sizes: Result<Vec<u32>, _> = size.split('x').map(str::parse).collect();
        let size = match sizes {
            Ok(sizes) if sizes.len() <= 3 && !sizes.contains(&0) => sizes,
            _ => return Err(usage(format!("'{size}' is not a size; give one to three numbers, like 64x64"))),
        };
        let format = ImageFormat::parse(format).ok_or_else(|| {
            let forms =
                "r, rg or rgba with 8, 8s, 8i, 8ui, 16, 16s, 16i, 16ui, 16f, 32i, 32ui or 32f; bgra8, srgba8, sbgra8, abgr2_101010, d16, d32f";
            usage(format!("unknown image format '{format}'; the formats are {forms}"))
        })?;
        Ok(ImageSpec { size, format, texels: None })
    }

    /// The image for a parameter of that type (empty: unknown).
    pub fn description(&self, index: usize, type_name: &str) -> Result<ImageDescription, Failure> {
        let given = self.size.len();
        let kind = match (ImageKind::of_type(type_name), given) {
            (Some(kind), _) => kind,
            (None, 1) => ImageKind::D1,
            (None, 2) => ImageKind::D2,
            (None, _) => ImageKind::D3,
        };
        let wanted = match kind {
            ImageKind::D1 | ImageKind::Buffer => 1,
            ImageKind::D1Array | ImageKind::D2 => 2,
            ImageKind::D2Array | ImageKind::D3 => 3,
        };
        if given != wanted {
            let numbers = if wanted == 1 { "one number".into() } else { format!("{wanted} numbers") };
            let message =
                format!("argument {index} is an '{type_name}': its size has {numbers}, but {given} were given");
            return Err(Failure::Usage(message));
        }
        let mut size = [1; 3];
        size.iter_mut().zip(&self.size).for_each(|(to, from)| *to = *from);
        Ok(ImageDescription { kind, size, format: self.format })
    }
}

/// The rest of `sampler:ADDRESS,FILTER,COORDINATES`; the words may come in any order, and those left out are
/// `clamp_to_edge`, `nearest` and `unnormalized`.
pub fn sampler(text: &str) -> Result<Sampler, Failure> {
    let mut sampler = Sampler { addressing: Addressing::ClampToEdge, ..Sampler::default() };
    for word in text.split(',').map(str::trim).filter(|word| !word.is_empty()) {
        match word {
            "none" => sampler.addressing = Addressing::None,
            "clamp_to_edge" => sampler.addressing = Addressing::ClampToEdge,
            "clamp" => sampler.addressing = Addressing::Clamp,
            "repeat" => sampler.addressing = Addressing::Repeat,
            "mirrored_repeat" => sampler.addressing = Addressing::MirroredRepeat,
            "nearest" => sampler.linear = false,
            "linear" => sampler.linear = true,
            "normalized" => sampler.normalized = true,
            "unnormalized" => sampler.normalized = false,
            _ => {
                let words =
                    "none, clamp_to_edge, clamp, repeat, mirrored_repeat; nearest, linear; normalized, unnormalized";
                return Err(Failure::Usage(format!("unknown sampler setting '{word}'; the settings are {words}")));
            }
        }
    }
    let repeats = matches!(sampler.addressing, Addressing::Repeat | Addressing::MirroredRepeat);
    if repeats && !sampler.normalized {
        return Err(Failure::Usage("a sampler that repeats has normalized coordinates".into()));
    }
    Ok(sampler)
}

/// A PNG file as an image of four 8-bit channels. `limit`: most bytes of the file, and of the texels that it declares.
fn read_png(path: &Path, limit: u64) -> Result<ImageSpec, Failure> {
    let bytes = input::bytes(path, limit)?;
    let wrong = |problem: String| Failure::Usage(format!("cannot read '{}' as PNG: {problem}", path.display()));
    // What a line takes is less than the texels, whose limit is below.
    let bytes_of_lines = usize::try_from(limit).unwrap_or(usize::MAX).max(png::Limits::default().bytes);
    let limits = png::Limits { bytes: bytes_of_lines };
    let mut decoder = png::Decoder::new_with_limits(Cursor::new(&bytes), limits);
    decoder.set_transformations(png::Transformations::normalize_to_color8() | png::Transformations::ALPHA);
    // Of the header alone: a small file may declare a picture that no memory holds.
    let header = decoder.read_header_info().map_err(|error| wrong(error.to_string()))?;
    let (width, height) = (header.width, header.height);
    let needed = u64::from(width).saturating_mul(height.into()).saturating_mul(4);
    if needed > limit {
        let text = format!(
            "its {width}x{height} texels take {needed} bytes, more than the limit of {limit} (--max-file-size)"
        );
        return Err(wrong(text));
    }
    let mut reader = decoder.read_info().map_err(|error| wrong(error.to_string()))?;
    let size = reader.output_buffer_size().ok_or_else(|| wrong("it is too large".into()))?;
    let mut pixels = vec![0; size];
    let info = reader.next_frame(&mut pixels).map_err(|error| wrong(error.to_string()))?;
    pixels.truncate(info.buffer_size());
    let texels = match info.color_type {
        png::ColorType::Rgba => pixels,
        png::ColorType::GrayscaleAlpha => pixels.chunks_exact(2).flat_map(|p| [p[0], p[0], p[0], p[1]]).collect(),
        other => return Err(wrong(format!("colour type {other:?} was not expanded"))),
    };
    Ok(ImageSpec { size: vec![info.width, info.height], format: ImageFormat::RGBA8, texels: Some(texels) })
}

/// A PNG file of an image's texels: 8 or 16 bits a channel as they are, floating point as 8 bits of 0 to 1.
pub fn write_png(description: &ImageDescription, texels: &[u8]) -> Result<Vec<u8>, Failure> {
    let [width, height, _] = description.size;
    let (width, height) = match description.kind {
        ImageKind::D1 | ImageKind::Buffer => (width, 1),
        ImageKind::D2 | ImageKind::D1Array => (width, height),
        ImageKind::D2Array | ImageKind::D3 => {
            return Err(Failure::Usage("a PNG file is flat; give a 3D image or array a file of raw bytes".into()));
        }
    };
    let (depth, channel_bytes) = match description.format.channel {
        ChannelType::UnormInt8 | ChannelType::UnsignedInt8 => (png::BitDepth::Eight, 1),
        ChannelType::UnormInt16 | ChannelType::UnsignedInt16 => (png::BitDepth::Sixteen, 2),
        ChannelType::Float => (png::BitDepth::Eight, 4),
        other => {
            let message = format!("texels of type {other:?} do not go into a PNG file; write raw bytes instead");
            return Err(Failure::Usage(message));
        }
    };
    let mut pixels = Vec::with_capacity(texels.len());
    let texel_size = usize::try_from(description.format.texel_size()).unwrap_or(usize::MAX);
    for texel in texels.chunks_exact(texel_size) {
        let mut channels: Vec<&[u8]> = texel.chunks_exact(channel_bytes).collect();
        if matches!(description.format.order, ChannelOrder::Bgra | ChannelOrder::Sbgra) {
            channels.swap(0, 2);
        }
        for channel in &channels {
            match **channel {
                [byte] => pixels.push(byte),
                [low, high] => pixels.extend([high, low]),
                [a, b, c, d] => pixels.push(unorm8(f32::from_le_bytes([a, b, c, d]))),
                _ => {}
            }
        }
        if description.format.order == ChannelOrder::Rg {
            // PNG has no two colours: the third is 0.
            pixels.extend(std::iter::repeat_n(0, if depth == png::BitDepth::Sixteen { 2 } else { 1 }));
        }
    }
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width, height);
    encoder.set_depth(depth);
    encoder.set_color(match description.format.order {
        ChannelOrder::R | ChannelOrder::Depth => png::ColorType::Grayscale,
        ChannelOrder::Rg => png::ColorType::Rgb,
        ChannelOrder::Rgba | ChannelOrder::Bgra | ChannelOrder::Srgba | ChannelOrder::Sbgra | ChannelOrder::Abgr => {
            png::ColorType::Rgba
        }
    });
    let wrong = |error: png::EncodingError| Failure::Usage(format!("cannot make a PNG file: {error}"));
    let mut writer = encoder.write_header().map_err(wrong)?;
    writer.write_image_data(&pixels).map_err(wrong)?;
    writer.finish().map_err(wrong)?;
    Ok(file)
}

/// The byte of a channel from 0 to 1.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the number is from 0 to 255, or a NaN")]
fn unorm8(channel: f32) -> u8 {
    (channel.clamp(0.0, 1.0) * 255.0).round() as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specifications() {
        let spec = ImageSpec::parse("8x4:rgba32f", 0).ok().unwrap();
        let description = spec.description(0, "image2d_t").ok().unwrap();
        assert_eq!((description.kind, description.size), (ImageKind::D2, [8, 4, 1]));
        assert_eq!(spec.description(0, "image1d_array_t").ok().unwrap().kind, ImageKind::D1Array);
        assert_eq!(spec.description(0, "").ok().unwrap().kind, ImageKind::D2);
        assert!(spec.description(0, "image3d_t").is_err());
        for wrong in ["", "8x8", "0x8:r8", "1x2x3x4:r8", "8x8:rgb8", "x:r8"] {
            assert!(ImageSpec::parse(wrong, 0).is_err(), "{wrong}");
        }
    }

    #[test]
    fn samplers() {
        let repeat = sampler("linear,repeat,normalized").ok().unwrap();
        assert_eq!(
            repeat,
            Sampler { addressing: Addressing::Repeat, linear: true, normalized: true, ..Sampler::default() }
        );
        assert_eq!(sampler("").ok().unwrap().addressing, Addressing::ClampToEdge);
        assert!(sampler("repeat").is_err() && sampler("bilinear").is_err());
    }

    #[test]
    fn png_files_keep_their_texels() {
        let size = [3, 2, 1];
        let texels: Vec<u8> = (0..24).collect();
        let rgba = ImageDescription { kind: ImageKind::D2, size, format: ImageFormat::RGBA8 };
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.png");
        std::fs::write(&path, write_png(&rgba, &texels).ok().unwrap()).unwrap();
        let spec = read_png(&path, 1 << 20).ok().unwrap();
        assert_eq!((spec.size, spec.texels), (vec![3, 2], Some(texels)));
        std::fs::write(&path, "no picture").unwrap();
        assert!(matches!(read_png(&path, 1 << 20), Err(Failure::Usage(_))));
    }

    /// A picture of 30,000 x 30,000 black pixels of one bit is a file of some 100 KB; its texels are 3.6 GB.
    #[test]
    fn a_picture_larger_than_it_looks() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.png");
        let mut encoder = png::Encoder::new(std::fs::File::create(&path).unwrap(), 30_000, 30_000);
        encoder.set_color(png::ColorType::Grayscale);
        encoder.set_depth(png::BitDepth::One);
        encoder.set_compression(png::Compression::Fast);
        let mut writer = encoder.write_header().unwrap();
        writer.write_image_data(&vec![0; 30_000 / 8 * 30_000]).unwrap();
        writer.finish().unwrap();
        let Err(Failure::Usage(message)) = read_png(&path, 1 << 30) else { panic!("the picture is read") };
        assert!(message.contains("its 30000x30000 texels take 3600000000 bytes"), "{message}");
    }
}
