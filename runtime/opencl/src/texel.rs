//! Texels of fill colours (section 5.3.4, conversions of section 8.3 of the OpenCL C specification).

use clforge_runtime::{ChannelOrder, ChannelType, ImageFormat};
use half::f16;

/// The texel of a colour: four floats for normalised and floating types, four integers of 32 bits for integer types.
pub fn encode(format: ImageFormat, color: [u8; 16]) -> Vec<u8> {
    if format.channel == ChannelType::UnormInt2x101010 {
        return word_2_101010(color).to_ne_bytes().into();
    }
    let mut channels = [0; 4];
    for (channel, bytes) in channels.iter_mut().zip(color.as_chunks::<4>().0) {
        *channel = u32::from_ne_bytes(*bytes);
    }
    let [red, green, blue, alpha] = channels;
    let channels: &[u32] = match format.order {
        ChannelOrder::R | ChannelOrder::Depth => &[red],
        ChannelOrder::Rg => &[red, green],
        ChannelOrder::Rgba => &[red, green, blue, alpha],
        ChannelOrder::Bgra => &[blue, green, red, alpha],
        ChannelOrder::Srgba => &[srgb(red), srgb(green), srgb(blue), alpha],
        ChannelOrder::Sbgra => &[srgb(blue), srgb(green), srgb(red), alpha],
        ChannelOrder::Abgr => &[alpha, blue, green, red],
    };
    channels.iter().flat_map(|bits| channel(format.channel, *bits)).collect()
}

/// The word of a colour of [`ChannelType::UnormInt2x101010`] (section 5.3.1.1).
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "every number was brought into the range")]
fn word_2_101010(color: [u8; 16]) -> u32 {
    let colors = color.as_chunks::<4>().0.iter().map(|bytes| f32::from_ne_bytes(*bytes));
    let fields = colors.zip([(1023.0, 0), (1023.0, 10), (1023.0, 20), (3.0, 30)]);
    // A conversion by `as` is zero for a NaN.
    let word =
        |(float, (most, shift)): (f32, (f32, u32))| ((float * most).clamp(0.0, most).round_ties_even() as u32) << shift;
    fields.map(word).fold(0, |all, field| all | field)
}

/// A channel of a linear colour in the colour space sRGB (the conversion rules for sRGBA images of section 8.3 of the OpenCL C
/// specification), both by the bits of floats.
#[expect(clippy::cast_possible_truncation, reason = "the number is from 0 to 1")]
fn srgb(bits: u32) -> u32 {
    let linear = f64::from(f32::from_bits(bits));
    let encoded = match linear {
        _ if linear.is_nan() || linear < 0.0 => 0.0,
        _ if linear > 1.0 => 1.0,
        _ if linear < 0.003_130_8 => 12.92 * linear,
        _ => 1.055 * linear.powf(1.0 / 2.4) - 0.055,
    };
    (encoded as f32).to_bits()
}

/// The bytes of a channel. Integers that do not fit are saturated, normalised values rounded to nearest even.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "every number was brought into the range")]
fn channel(channel: ChannelType, bits: u32) -> Vec<u8> {
    let (float, signed) = (f32::from_bits(bits), bits.cast_signed());
    // A conversion by `as` saturates, and is zero for a NaN.
    let scaled = |most: f32, least: f32| (float * most).clamp(least, most).round_ties_even();
    match channel {
        ChannelType::UnormInt8 => vec![scaled(255.0, 0.0) as u8],
        ChannelType::UnormInt16 => (scaled(65535.0, 0.0) as u16).to_ne_bytes().into(),
        ChannelType::SnormInt8 => (scaled(127.0, -128.0) as i8).to_ne_bytes().into(),
        ChannelType::SnormInt16 => (scaled(32767.0, -32768.0) as i16).to_ne_bytes().into(),
        ChannelType::SignedInt8 => (signed.clamp(-128, 127) as i8).to_ne_bytes().into(),
        ChannelType::SignedInt16 => (signed.clamp(-32768, 32767) as i16).to_ne_bytes().into(),
        ChannelType::UnsignedInt8 => vec![bits.min(255) as u8],
        ChannelType::UnsignedInt16 => (bits.min(65535) as u16).to_ne_bytes().into(),
        ChannelType::HalfFloat => f16::from_f32(float).to_ne_bytes().into(),
        ChannelType::SignedInt32 | ChannelType::UnsignedInt32 | ChannelType::Float | ChannelType::UnormInt2x101010 => {
            bits.to_ne_bytes().into()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn floats(values: [f32; 4]) -> [u8; 16] {
        bytemuck::cast(values)
    }

    #[test]
    fn colours() {
        let format = |order, channel| ImageFormat { order, channel };
        let color = floats([1.0, 0.5, 0.0, -1.0]);
        assert_eq!(encode(ImageFormat::RGBA8, color), [255, 128, 0, 0]);
        assert_eq!(encode(format(ChannelOrder::Bgra, ChannelType::UnormInt8), color), [0, 128, 255, 0]);
        assert_eq!(encode(format(ChannelOrder::Rgba, ChannelType::SnormInt8), color), [127, 64, 0, 129]);
        assert_eq!(encode(format(ChannelOrder::R, ChannelType::HalfFloat), color), [0x00, 0x3C]);
        // Half of the light of white is 187.5 (IEC 61966-2-1), and alpha is linear.
        let color = floats([1.0, 0.5, 0.002, 0.5]);
        assert_eq!(encode(format(ChannelOrder::Srgba, ChannelType::UnormInt8), color), [255, 188, 7, 128]);
        assert_eq!(encode(format(ChannelOrder::Sbgra, ChannelType::UnormInt8), color), [7, 188, 255, 128]);
        // Red is in the lowest bits, alpha in the highest two.
        let word = encode(format(ChannelOrder::Abgr, ChannelType::UnormInt2x101010), floats([1.0, 0.0, 0.5, 0.7]));
        assert_eq!(word, (2u32 << 30 | 512 << 20 | 1023).to_ne_bytes());
        let integers: [u8; 16] = bytemuck::cast([300i32, -300, 7, 0]);
        assert_eq!(encode(format(ChannelOrder::Rgba, ChannelType::SignedInt8), integers), [127, 128, 7, 0]);
        assert_eq!(encode(format(ChannelOrder::Rg, ChannelType::UnsignedInt8), integers), [255, 255]);
    }
}
