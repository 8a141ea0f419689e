//! Bits of promoted integers: bitcasts without narrow types, for devices that lack them.

use super::Form;
use crate::*;
use clforge_basic::narrow::to_u8;

/// Bits of a word.
const WORD: u32 = 32;

/// Neighbouring bits of a value, from the lowest on: equal numbers of bits in the lower bits of words whose other bits are
/// zeros.
pub struct Pieces {
    words: Vec<Value>,
    width: u32,
}

impl Pieces {
    /// Those of a value that is no narrow integer, as it is, or of a promoted one with lanes of so many bits in
    /// [`Form::Zero`].
    pub fn of(b: &mut Builder<'_>, value: Value, narrow: Option<u32>) -> Pieces {
        let ty = b.ty(value);
        if let Some(width) = narrow {
            let words = (0..ty.lanes).map(|lane| b.extract(value, lane)).collect();
            return Pieces { words, width };
        }
        let mut words = Vec::new();
        if ty.scalar.bits() >= WORD {
            let per_lane = to_u8(ty.scalar.bits() / WORD);
            for lane in 0..ty.lanes {
                let lane = b.extract(value, lane);
                let lane = b.bitcast(lane, Type::vector(ScalarType::I32, per_lane));
                words.extend((0..per_lane).map(|word| b.extract(lane, word)));
            }
            return Pieces { words, width: WORD };
        }
        // Halves: two of them are a word.
        let undefined = b.undef(ty.lane());
        for lane in (0..ty.lanes).step_by(2) {
            let low = b.extract(value, lane);
            let high = if lane + 1 < ty.lanes { b.extract(value, lane + 1) } else { undefined };
            let both = b.construct(&[low, high]);
            words.push(b.bitcast(both, Type::I32));
        }
        let halves = Pieces { words, width: WORD };
        let words = (0..ty.lanes.into()).map(|lane| halves.take(b, lane * 16, 16, Form::Zero)).collect();
        Pieces { words, width: 16 }
    }

    /// Some bits from one on, at most those of a word, in a word. They begin and end where pieces do, or are in one.
    fn take(&self, b: &mut Builder<'_>, first: u32, width: u32, form: Form) -> Value {
        let piece = |pieces: &Pieces, at: u32| pieces.words.get((at / pieces.width) as usize).copied();
        let undefined = b.undef(Type::I32);
        if width <= self.width {
            let word = piece(self, first).unwrap_or(undefined);
            let word = b.binary_int(BinaryOp::LShr, word, (first % self.width).into());
            let is_whole = form == Form::Any || width == self.width;
            return if is_whole { word } else { b.binary_int(BinaryOp::And, word, (1 << width) - 1) };
        }
        let mut bits = b.int(Type::I32, 0);
        for at in (0..width).step_by(self.width as usize) {
            let word = piece(self, first + at).unwrap_or(undefined);
            let word = b.binary_int(BinaryOp::Shl, word, at.into());
            bits = b.binary(BinaryOp::Or, bits, word);
        }
        bits
    }

    /// The value of a type that has these bits; of a narrow integer, the promoted one in [`Form::Any`].
    pub fn value(&self, b: &mut Builder<'_>, to: Type, is_narrow: bool) -> Value {
        let bits = to.scalar.bits();
        let mut lanes = Vec::new();
        for lane in 0..u32::from(to.lanes) {
            let first = lane * bits;
            lanes.push(if is_narrow {
                self.take(b, first, bits, Form::Any)
            } else if bits < WORD {
                let low = self.take(b, first, bits, Form::Zero);
                let both = b.bitcast(low, Type::vector(to.scalar, to_u8(WORD / bits)));
                b.extract(both, 0)
            } else {
                let words: Vec<Value> =
                    (0..bits / WORD).map(|word| self.take(b, first + word * WORD, WORD, Form::Any)).collect();
                let words = b.construct(&words);
                b.bitcast(words, to.lane())
            });
        }
        b.construct(&lanes)
    }
}
