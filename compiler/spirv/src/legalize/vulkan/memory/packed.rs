//! Pointers of 32 bits in memory, in programs whose pointers are as wide (`--address-bits 32`).
//!
//! With logical addressing a pointer's value is a byte offset and the number of a buffer, or a byte offset in a pool.
//! In memory, and as an integer of the program, both are in one word: the offset in the low bits, and above it a
//! *code*, 0 of null, 1 and more of the module's buffers, and the two that follow of local and of private memory in
//! pointers that may be generic. The code has as few bits as the module's buffers need, so that a pointer that was
//! stored reaches as far as possible: 512 MiB of each buffer where a module has three to five of them, of which that of the
//! program's data is one.
//!
//! Values of pointers keep their form, so that only loads, stores and conversions pack and unpack, and a pointer that is
//! not stored reaches all of its buffer.

use super::generic::{LOCAL, PRIVATE, tag_of};
use crate::interface::{ArgumentBinding, Descriptor, ModuleInterface};
use crate::legalize::vulkan::kernel_abi::PROGRAM_DATA;
use clforge_basic::narrow::to_i64;
use clforge_ir::*;
use smallvec::SmallVec;
use std::collections::BTreeSet;

/// How the pointers of a module are packed.
pub struct Packing {
    /// The buffer of code 1, and so on.
    buffers: Vec<Descriptor>,
    /// Bits of an offset.
    offset_bits: u32,
}

impl Packing {
    /// The packing of a module whose kernels have these arguments.
    pub fn of(interface: &ModuleInterface) -> Packing {
        let arguments = interface.kernels.iter().flat_map(|kernel| &kernel.arguments);
        let buffers = arguments.filter_map(|argument| match argument.binding {
            ArgumentBinding::StorageBuffer(Descriptor { set, binding }) => Some((set, binding)),
            _ => None,
        });
        let buffers: BTreeSet<(u32, u32)> = buffers.chain([(PROGRAM_DATA.set, PROGRAM_DATA.binding)]).collect();
        let buffers: Vec<Descriptor> = buffers.into_iter().map(|(set, binding)| Descriptor { set, binding }).collect();
        let most = u32::try_from(buffers.len()).unwrap_or(u32::MAX).saturating_add(2);
        Packing { offset_bits: most.leading_zeros(), buffers }
    }

    /// The bytes of a buffer that a pointer in memory reaches.
    pub fn reach(&self) -> u64 {
        1 << self.offset_bits
    }

    /// The number of a buffer in pointers, which is its code; `None` for one that is no argument and not the program's data.
    pub fn number(&self, at: Descriptor) -> Option<i64> {
        self.buffers.iter().position(|buffer| *buffer == at).map(|index| to_i64(index) + 1)
    }

    /// The bits of a pointer to the program's data.
    pub fn data_pointer(&self, offset: u32) -> Option<u32> {
        let code = u32::try_from(self.number(PROGRAM_DATA)?).ok()?;
        (u64::from(offset) < self.reach()).then_some(code << self.offset_bits | offset)
    }

    /// The code of the pool with that tag.
    fn pool_code(&self, tag: i64) -> i64 {
        to_i64(self.buffers.len()) + tag
    }

    fn offset(&self, b: &mut Builder<'_>, word: Value) -> Value {
        b.binary_int(BinaryOp::And, word, i64::from(u32::MAX >> (32 - self.offset_bits)))
    }

    fn join(&self, b: &mut Builder<'_>, code: Value, offset: Value) -> Value {
        let offset = self.offset(b, offset);
        let code = b.binary_int(BinaryOp::Shl, code, i64::from(self.offset_bits));
        b.binary(BinaryOp::Or, code, offset)
    }

    /// A pointer as it is in memory. Of a pool it is the offset alone.
    pub fn stored(&self, b: &mut Builder<'_>, pointer: Value) -> Value {
        match b.ty(pointer) {
            Type::I32 => pointer,
            Type::I32X2 => {
                let [offset, number] = [0, 1].map(|lane| b.extract(pointer, lane));
                self.join(b, number, offset)
            }
            _ => {
                let words = b.bitcast(pointer, Type::I32X2);
                let [offset, high] = [0, 1].map(|lane| b.extract(words, lane));
                let tag = b.binary_int(BinaryOp::LShr, high, 30);
                let is_buffer = b.compare_int(CompareOp::Eq, tag, 0);
                let pool = b.binary_int(BinaryOp::Add, tag, self.pool_code(0));
                let code = b.select(is_buffer, high, pool);
                self.join(b, code, offset)
            }
        }
    }

    /// A pointer as an integer: the bits of the generic pointer in memory, so that the conversion back is valid.
    pub fn integer(&self, b: &mut Builder<'_>, pointer: Value, space: Space) -> Value {
        let Some(tag) = tag_of(space) else { return self.stored(b, pointer) };
        let is_null = b.compare_int(CompareOp::Eq, pointer, 0);
        let code = b.int(Type::I32, self.pool_code(tag));
        let word = self.join(b, code, pointer);
        b.select(is_null, pointer, word)
    }

    /// The pointer that was in memory, or that an integer stands for.
    pub fn loaded(&self, b: &mut Builder<'_>, word: Value, space: Space) -> Value {
        let offset = self.offset(b, word);
        if tag_of(space).is_some() {
            return offset;
        }
        let code = b.binary_int(BinaryOp::LShr, word, i64::from(self.offset_bits));
        if space != Space::Generic {
            return b.construct(&[offset, code]);
        }
        let is_buffer = b.compare_int(CompareOp::ULt, code, self.pool_code(LOCAL));
        let tag = b.binary_int(BinaryOp::Sub, code, self.pool_code(0));
        let tag = b.binary_int(BinaryOp::Shl, tag, 30);
        let high = b.select(is_buffer, code, tag);
        let words = b.construct(&[offset, high]);
        b.bitcast(words, Type::I64)
    }

    /// The value of a constant pointer, given its bits in memory.
    pub fn constant(&self, word: u64, space: Space) -> Constant {
        let offset = word & (self.reach() - 1);
        let code = word >> self.offset_bits;
        let tag = code.wrapping_sub(self.pool_code(0).cast_unsigned());
        let high = if tag == LOCAL.cast_unsigned() || tag == PRIVATE.cast_unsigned() { tag << 30 } else { code };
        match space {
            Space::Private | Space::Local => Constant::int(Type::I32, offset),
            Space::Generic => Constant::int(Type::I64, high << 32 | offset),
            Space::Global | Space::Constant => {
                Constant::Bits { ty: Type::I32X2, lanes: SmallVec::from_slice(&[offset, code]) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packing(buffers: u32) -> Packing {
        let buffers =
            (1..=buffers).map(|binding| Descriptor { set: 0, binding }).chain([PROGRAM_DATA]).collect::<Vec<_>>();
        let most = u32::try_from(buffers.len()).unwrap() + 2;
        Packing { offset_bits: most.leading_zeros(), buffers }
    }

    #[test]
    fn codes_take_as_few_bits_as_possible() {
        // Null, local and private memory have a code each, and the program's data.
        let bits = [(0, 30), (1, 29), (4, 29), (5, 28), (12, 28), (13, 27)];
        for (buffers, expected) in bits {
            assert_eq!(packing(buffers).reach(), 1 << expected, "{buffers}");
        }
    }

    #[test]
    fn constants_have_the_bits_of_memory() {
        let packing = packing(1);
        let at = |code: u64, offset: u64| code << 29 | offset;
        assert_eq!(packing.number(Descriptor { set: 0, binding: 1 }), Some(1));
        assert_eq!(packing.data_pointer(20).map(u64::from), Some(at(2, 20)));
        assert_eq!(packing.data_pointer(1 << 29), None);
        assert_eq!(packing.constant(0, Space::Generic), Constant::int(Type::I64, 0));
        assert_eq!(packing.constant(at(2, 20), Space::Generic), Constant::int(Type::I64, 2 << 32 | 20));
        assert_eq!(packing.constant(at(3, 4), Space::Generic), Constant::int(Type::I64, 1 << 62 | 4));
        assert_eq!(packing.constant(at(4, 4), Space::Generic), Constant::int(Type::I64, 2 << 62 | 4));
        assert_eq!(packing.constant(at(4, 4), Space::Private), Constant::int(Type::I32, 4));
    }
}
