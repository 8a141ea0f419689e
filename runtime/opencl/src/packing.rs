//! Texels that Vulkan's formats do not have: channels in the upper bits of 16 (`cl_ext_image_unsigned_10x6_12x4_14x2`), and
//! the dense rows of image sensors (`cl_ext_image_raw10_raw12`). Kernels use images of other formats, to which the texels of a
//! buffer are decoded, and from which they are encoded: see `memory/views.rs`.

use clforge_runtime::ChannelType;
use opencl_sys::*;

/// How the texels of a channel type are stored, and what kernels have for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packing {
    /// Its name in the interface.
    pub name: cl_channel_type,
    /// Bits of a channel.
    bits: u32,
    layout: Layout,
}

/// Where the bits of a channel are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Layout {
    /// An integer in the upper bits of a word of 16.
    Integer,
    /// A normalised number there.
    Normalized,
    /// The upper 8 bits in a byte of each texel, and behind those of some texels a byte with the other bits of all of them, the
    /// first ones in its least significant bits.
    Raw,
}

/// All of them.
const PACKINGS: [Packing; 8] = [
    Packing { name: CL_UNSIGNED_INT10X6_EXT, bits: 10, layout: Layout::Integer },
    Packing { name: CL_UNSIGNED_INT12X4_EXT, bits: 12, layout: Layout::Integer },
    Packing { name: CL_UNSIGNED_INT14X2_EXT, bits: 14, layout: Layout::Integer },
    Packing { name: CL_UNORM_INT10X6_EXT, bits: 10, layout: Layout::Normalized },
    Packing { name: CL_UNORM_INT12X4_EXT, bits: 12, layout: Layout::Normalized },
    Packing { name: CL_UNORM_INT14X2_EXT, bits: 14, layout: Layout::Normalized },
    Packing { name: CL_UNSIGNED_INT_RAW10_EXT, bits: 10, layout: Layout::Raw },
    Packing { name: CL_UNSIGNED_INT_RAW12_EXT, bits: 12, layout: Layout::Raw },
];

impl Packing {
    /// All of them.
    pub fn all() -> impl Iterator<Item = Packing> {
        PACKINGS.into_iter()
    }

    /// That of a channel type, if it has one.
    pub fn of(name: cl_channel_type) -> Option<Packing> {
        PACKINGS.into_iter().find(|packing| packing.name == name)
    }

    /// The type of the channels that kernels use.
    pub fn decoded(self) -> ChannelType {
        match self.layout {
            Layout::Integer | Layout::Raw => ChannelType::UnsignedInt16,
            Layout::Normalized => ChannelType::Float,
        }
    }

    /// Whether a texel has only one channel, red.
    pub fn is_raw(self) -> bool {
        self.layout == Layout::Raw
    }

    /// The number of successive texels that are stored together: regions consist of them, and begin at them.
    pub fn group(self) -> usize {
        match (self.layout, self.bits) {
            (Layout::Raw, 10) => 4,
            (Layout::Raw, _) => 2,
            (Layout::Integer | Layout::Normalized, _) => 1,
        }
    }

    /// Bytes of so many channels.
    pub fn bytes(self, channels: usize) -> usize {
        match self.layout {
            Layout::Raw => channels / self.group() * (self.group() + 1),
            Layout::Integer | Layout::Normalized => 2 * channels,
        }
    }

    /// Bytes of a channel that kernels use.
    fn decoded_size(self) -> usize {
        if self.layout == Layout::Normalized { 4 } else { 2 }
    }

    /// The largest value of a channel.
    fn most(self) -> u16 {
        u16::MAX >> (16 - self.bits)
    }

    /// The channels that kernels use, from those that are stored.
    pub fn decode(self, stored: &[u8]) -> Vec<u8> {
        let words = || stored.as_chunks::<2>().0.iter().map(|bytes| u16::from_ne_bytes(*bytes) >> (16 - self.bits));
        match self.layout {
            Layout::Integer => words().flat_map(u16::to_ne_bytes).collect(),
            Layout::Normalized => {
                words().flat_map(|word| (f32::from(word) / f32::from(self.most())).to_ne_bytes()).collect()
            }
            Layout::Raw => self.decode_raw(stored),
        }
    }

    fn decode_raw(self, stored: &[u8]) -> Vec<u8> {
        let low = self.bits - 8;
        let group = |bytes: &[u8]| -> Vec<u8> {
            let Some((rest, upper)) = bytes.split_last() else { return Vec::new() };
            let mut rest = u16::from(*rest);
            let mut texels = Vec::with_capacity(2 * upper.len());
            for byte in upper {
                let texel = u16::from(*byte) << low | rest & ((1 << low) - 1);
                rest >>= low;
                texels.extend(texel.to_ne_bytes());
            }
            texels
        };
        stored.chunks_exact(self.group() + 1).flat_map(group).collect()
    }

    /// The channels that are stored, from those that kernels use. Integers that do not fit are saturated, normalised values
    /// rounded to nearest even (sections 8.3.1 and 8.3.4 of the OpenCL C specification).
    pub fn encode(self, channels: &[u8]) -> Vec<u8> {
        let shift = 16 - self.bits;
        let words = channels.chunks_exact(self.decoded_size()).map(|bytes| self.saturated(bytes));
        if !self.is_raw() {
            return words.flat_map(|word| (word << shift).to_ne_bytes()).collect();
        }
        let (words, low) = (words.collect::<Vec<_>>(), self.bits - 8);
        let mut stored = Vec::with_capacity(self.bytes(words.len()));
        for group in words.chunks_exact(self.group()) {
            stored.extend(group.iter().map(|word| (word >> low).to_le_bytes()[0]));
            let rest = group.iter().rev().fold(0, |rest, word| rest << low | word & ((1 << low) - 1));
            stored.push(rest.to_le_bytes()[0]);
        }
        stored
    }

    /// The integer of a channel that kernels use.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the conversion saturates")]
    fn saturated(self, bytes: &[u8]) -> u16 {
        match *bytes {
            [a, b] => u16::from_ne_bytes([a, b]).min(self.most()),
            [a, b, c, d] => {
                let scaled = f32::from_ne_bytes([a, b, c, d]) * f32::from(self.most());
                (scaled.round_ties_even() as u16).min(self.most())
            }
            _ => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(values: &[u16]) -> Vec<u8> {
        values.iter().flat_map(|word| word.to_ne_bytes()).collect()
    }

    #[test]
    fn upper_bits_of_words() {
        let packing = Packing::of(CL_UNSIGNED_INT10X6_EXT).unwrap();
        // The other bits do not count.
        assert_eq!(packing.decode(&words(&[0x0040, 0xFFFF, 0x003F])), words(&[1, 1023, 0]));
        assert_eq!(packing.encode(&words(&[1, 1023, 1024])), words(&[0x0040, 0xFFC0, 0xFFC0]));
        let packing = Packing::of(CL_UNORM_INT14X2_EXT).unwrap();
        let floats: Vec<u8> = [0.0f32, 1.0, 2.0, -1.0, f32::NAN].iter().flat_map(|float| float.to_ne_bytes()).collect();
        assert_eq!(packing.encode(&floats), words(&[0, 0xFFFC, 0xFFFC, 0, 0]));
        assert_eq!(packing.decode(&words(&[0, 0xFFFC])), floats[..8]);
    }

    /// The tables of `cl_ext_image_raw10_raw12`.
    #[test]
    fn rows_of_sensors() {
        let packing = Packing::of(CL_UNSIGNED_INT_RAW10_EXT).unwrap();
        let stored = [0x01, 0x02, 0x03, 0xFF, 0b11_10_01_00];
        assert_eq!(packing.decode(&stored), words(&[0x004, 0x009, 0x00E, 0x3FF]));
        assert_eq!(packing.encode(&packing.decode(&stored)), stored);
        let packing = Packing::of(CL_UNSIGNED_INT_RAW12_EXT).unwrap();
        assert_eq!(packing.decode(&[0x12, 0x45, 0x63]), words(&[0x123, 0x456]));
        assert_eq!(packing.encode(&words(&[0x123, 0x456, 0xFFFF, 0])), [0x12, 0x45, 0x63, 0xFF, 0x00, 0x0F]);
        assert_eq!(packing.bytes(4), 6);
    }
}
