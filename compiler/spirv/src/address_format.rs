//! What a pointer is in a module for Vulkan, in each address space: the counterpart of Mesa's `nir_address_format`.
//!
//! [`AddressFormat`] says how a pointer is represented, as a value and in memory, how many bytes it has in the kernel
//! ABI, and what its arithmetic is. [`Address`] is a place in global or constant memory, with the accesses to it. Every
//! part of the compiler that handles such pointers asks these two types: `vulkan/kernel_abi` for the places of
//! arguments, `vulkan/memory` for the values, the arithmetic and the accesses that it lowers pointers to, and the
//! emitter (`emit/vulkan/addresses.rs`) for the addressing model, the capabilities and the conversions of addresses to
//! typed pointers.
//!
//! There are two formats ([`Addressing`]). *Physical64*: a pointer is a device address. Where integers of 64 bits are
//! emulated, `vulkan/pair_integers` makes an address a vector of two words at the end; until then it is an integer, so
//! this is not a format of its own. *Logical*: a pointer is a byte offset in a storage buffer and the number of that
//! buffer, for devices without buffer addresses and for consumers of modules that have no pointers. An access
//! chooses among the buffers that its pointer may point into (`vulkan/memory`, `buffers.rs`).
//!
//! These places know the physical format without a match on it:
//!
//! - `vulkan/memory/generic.rs`: the tags of generic pointers are bits of an integer of 64 bits, which no number of a
//!   buffer has;
//! - `vulkan/memory/check_code.rs` and `vulkan/loop_ends.rs`, which a module with logical addresses does not have;
//! - `compiler/ir/src/types.rs`: a pointer has 64 bits in memory;
//! - `vulkan/memory/packed.rs`: pointers of 32 bits, which only the logical format has (`--address-bits 32`);
//! - the verifier: it allows accesses through integers of 64 bits from
//!   [`Legalized::KernelAbi`](clforge_ir::verify::Legalized::KernelAbi) on;
//! - `runtime/src/program/consistency.rs`: `ADDRESS_SIZE` is 8 bytes.

use crate::interface::Descriptor;
use clforge_basic::options::{Addressing, Options};
use clforge_ir::*;
use smallvec::SmallVec;

/// How pointers are represented.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddressFormat {
    /// Global and constant pointers are device addresses (`bufferDeviceAddress`) in integers of 64 bits; generic ones
    /// too, or tagged offsets. Private and local ones are byte offsets of 32 bits in a variable.
    Physical64,
    /// Global and constant pointers are two words: a byte offset in a storage buffer, and the number of the buffer
    /// ([`buffer_number`]). Generic ones are the same two words as an integer, or tagged offsets. Private and local ones
    /// are byte offsets of 32 bits in a variable.
    Logical,
}

/// The number of a storage buffer in pointers: never 0, which is that of null, and below 2^30. Buffers have a binding above 0
/// or a set above 0.
pub fn buffer_number(Descriptor { set, binding }: Descriptor) -> i64 {
    i64::from(set) << 16 | i64::from(binding)
}

impl AddressFormat {
    /// The format of a module that is compiled with these options.
    pub fn of(options: &Options) -> AddressFormat {
        match options.device.addressing {
            Addressing::Physical64 => AddressFormat::Physical64,
            Addressing::Logical => AddressFormat::Logical,
        }
    }

    /// The type of a pointer's value after `vulkan/memory`.
    pub fn value_type(self, space: Space) -> Type {
        match (self, space) {
            (AddressFormat::Logical, Space::Global | Space::Constant) => Type::I32X2,
            (_, Space::Global | Space::Constant | Space::Generic) => Type::I64,
            (_, Space::Private | Space::Local) => Type::I32,
        }
    }

    /// The type of a pointer in memory, of any space: objects in memory are as large as the source says, and a pointer
    /// of one space may be read as one of another.
    pub fn stored_type(self) -> Type {
        match self {
            AddressFormat::Physical64 | AddressFormat::Logical => Type::I64,
        }
    }

    /// The bytes, and the alignment, of a pointer in program-scope data; of the address of a buffer as an argument of a
    /// kernel and in the push constants, too, where it has one.
    pub const fn bytes(self) -> u32 {
        match self {
            AddressFormat::Physical64 | AddressFormat::Logical => 8,
        }
    }

    /// The scalar that a value of a type is in memory.
    pub fn memory_scalar(self, scalar: ScalarType) -> ScalarType {
        match scalar {
            ScalarType::Ptr(_) => self.stored_type().scalar,
            // See `vulkan/memory`, `packed.rs`.
            ScalarType::Ptr32(_) => ScalarType::I32,
            scalar => scalar,
        }
    }

    /// A pointer as it is in memory, or as an integer of as many bits.
    pub fn stored(self, b: &mut Builder<'_>, pointer: Value) -> Value {
        match b.ty(pointer) {
            Type::I32X2 => b.bitcast(pointer, Type::I64),
            _ => b.resize(pointer, ScalarType::I64, false),
        }
    }

    /// A pointer that was in memory, or the pointer that an integer of as many bits stands for.
    pub fn loaded(self, b: &mut Builder<'_>, stored: Value, space: Space) -> Value {
        match self.value_type(space) {
            Type::I32X2 => {
                let stored = b.resize(stored, ScalarType::I64, false);
                b.bitcast(stored, Type::I32X2)
            }
            ty => b.resize(stored, ty.scalar, false),
        }
    }

    /// A constant pointer, where it has other lanes than the pointer's value.
    pub fn constant(self, constant: &Constant) -> Option<Constant> {
        if self.value_type(constant.ty().space()?) != Type::I32X2 {
            return None;
        }
        Some(match constant {
            Constant::Bits { lanes, .. } => {
                let bits = lanes.first().copied().unwrap_or(0);
                Constant::Bits {
                    ty: Type::I32X2,
                    lanes: SmallVec::from_slice(&[bits & u64::from(u32::MAX), bits >> 32]),
                }
            }
            Constant::Undef(_) => Constant::Undef(Type::I32X2),
        })
    }

    /// The null pointer.
    pub fn null(self, b: &mut Builder<'_>, space: Space) -> Value {
        b.int(self.value_type(space), 0)
    }

    /// Compares two pointers of one space. Offsets in different buffers have the order of the buffers' numbers.
    pub fn compare(self, b: &mut Builder<'_>, op: CompareOp, lhs: Value, rhs: Value) -> Value {
        if b.ty(lhs) != Type::I32X2 {
            return b.compare(op, lhs, rhs);
        }
        let [offsets, numbers] = [0, 1].map(|lane| [b.extract(lhs, lane), b.extract(rhs, lane)]);
        let in_one = |b: &mut Builder<'_>, op| b.compare(op, offsets[0], offsets[1]);
        match op {
            CompareOp::Eq | CompareOp::Ne => {
                let (here, there) = (in_one(b, op), b.compare(op, numbers[0], numbers[1]));
                b.binary(if op == CompareOp::Eq { BinaryOp::And } else { BinaryOp::Or }, here, there)
            }
            _ => {
                let is_one = b.compare(CompareOp::Eq, numbers[0], numbers[1]);
                let (here, there) = (in_one(b, op), b.compare(op, numbers[0], numbers[1]));
                b.select(is_one, here, there)
            }
        }
    }

    /// `pointer + index * stride + displacement`, in bytes. The index is signed, and of 32 or 64 bits.
    pub fn offset(
        self,
        b: &mut Builder<'_>,
        pointer: Value,
        index: Option<Value>,
        stride: i64,
        displacement: i64,
    ) -> Value {
        let ty = b.ty(pointer);
        let mut sum = b.extract(pointer, 0);
        if let Some(index) = index {
            let index = b.resize(index, ty.scalar, true);
            let stride = b.int(ty.lane(), stride);
            let scaled = b.binary(BinaryOp::Mul, index, stride);
            sum = b.binary(BinaryOp::Add, sum, scaled);
        }
        let displacement = b.int(ty.lane(), displacement);
        sum = b.binary(BinaryOp::Add, sum, displacement);
        if ty.lanes == 1 {
            return sum;
        }
        let number = b.extract(pointer, 1);
        b.construct(&[sum, number])
    }
}

/// A place in global or constant memory by its device address, and a displacement in bytes.
#[derive(Clone, Copy, Debug)]
pub struct Address {
    base: Value,
    displacement: i64,
}

impl Address {
    /// What a device address, an integer of 64 bits, points to.
    pub fn new(address: Value) -> Address {
        Address { base: address, displacement: 0 }
    }

    /// So many bytes behind it.
    pub fn plus(self, bytes: i64) -> Address {
        Address { displacement: self.displacement.wrapping_add(bytes), ..self }
    }

    /// An element of so many bytes behind it, by its number of 32 bits.
    pub fn element(self, b: &mut Builder<'_>, index: Value, bytes: u32) -> Address {
        let base = self.pointer(b);
        let index = b.resize(index, ScalarType::I64, false);
        let offset = b.binary_int(BinaryOp::Mul, index, i64::from(bytes));
        Address::new(b.binary(BinaryOp::Add, base, offset))
    }

    /// The address.
    pub fn pointer(self, b: &mut Builder<'_>) -> Value {
        if self.displacement == 0 {
            return self.base;
        }
        let displacement = b.int(Type::I64, self.displacement);
        b.binary(BinaryOp::Add, self.base, displacement)
    }

    /// The same place without displacement, whose address is computed here and once.
    pub fn settled(self, b: &mut Builder<'_>) -> Address {
        Address::new(self.pointer(b))
    }

    /// Loads a value that is legal for Vulkan, and as aligned as said.
    pub fn load(self, b: &mut Builder<'_>, ty: Type, align: u32, volatile: bool) -> Value {
        let ptr = self.pointer(b);
        b.push(Op::Load { ptr, align, volatile, invariant: false }, &[ty])[0]
    }

    /// Stores one.
    pub fn store(self, b: &mut Builder<'_>, value: Value, align: u32, volatile: bool) {
        let ptr = self.pointer(b);
        b.effect(Op::Store { ptr, value, align, volatile });
    }

    /// An atomic operation; its results, of these types.
    pub fn atomic(
        self,
        b: &mut Builder<'_>,
        op: AtomicOp,
        operands: SmallVec<[Value; 2]>,
        semantics: Semantics,
        unequal: MemoryOrder,
        results: &[Type],
    ) -> Vec<Value> {
        let ptr = self.pointer(b);
        b.push(Op::Atomic { op, ptr, operands, semantics, unequal }, results).to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interface::{ProgramData, ProgramDataBinding};

    #[test]
    fn data_gets_the_addresses_of_its_buffer() {
        let binding = ProgramDataBinding::PushConstantPointer { offset: 0, size: AddressFormat::Physical64.bytes() };
        let data = |at| ProgramData { binding, data: vec![7; 12], relocations: vec![(at, 5)], writable: false };
        let mut expected = vec![7; 4];
        expected.extend(0x1_0000_0005_u64.to_le_bytes());
        assert_eq!(data(4).relocated(0x1_0000_0000), Ok(expected));
        assert_eq!([5, 12, u32::MAX].map(|at| data(at).relocated(0)), [Err(5), Err(12), Err(u32::MAX)]);
    }
}
