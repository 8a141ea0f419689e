//! What a pointer is in a module for Vulkan, in each address space: the counterpart of Mesa's `nir_address_format`.
//!
//! [`AddressFormat`] says how a pointer is represented, as a value and in memory, how many bytes it has in the kernel
//! ABI, and what its arithmetic is. [`Address`] is a place in global or constant memory, with the accesses to it. Every
//! part of the compiler that handles such pointers asks these two types: `vulkan/kernel_abi` for the places of
//! arguments, `vulkan/memory` for the values, the arithmetic and the accesses that it lowers pointers to, and the
//! emitter (`emit/vulkan/addresses.rs`) for the addressing model, the capabilities and the conversions of addresses to
//! typed pointers.
//!
//! Where integers of 64 bits are emulated, `vulkan/pair_integers` makes an address a vector of two words at the end. Until
//! then it is an integer, so this is not a format of its own.
//!
//! There is one format. Another is a variant of [`AddressFormat`]; the matches on it have no wildcard, and show what is
//! to be decided. These places know the present format without a match, so that a new variant compiles without them:
//!
//! - `vulkan/memory/generic.rs`: the tags of generic pointers are bits of an integer of 64 bits;
//! - `vulkan/memory/check_code.rs`: bounds checks compare addresses of 64 bits;
//! - `vulkan/printf/mod.rs`: `printf` stores a pointer as an integer of 64 bits;
//! - `compiler/spirv/src/interface/mod.rs`: `ProgramData::relocated` writes addresses in the present format;
//! - `compiler/ir/src/types.rs`: a pointer has 64 bits;
//! - the verifier: it allows accesses through integers of 64 bits from
//!   [`Legalized::KernelAbi`](clforge_ir::verify::Legalized::KernelAbi) on;
//! - `runtime/src/program/consistency.rs`: `ADDRESS_SIZE` is 8 bytes.

use clforge_basic::options::Options;
use clforge_ir::*;
use smallvec::SmallVec;

/// How pointers are represented.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddressFormat {
    /// Global and constant pointers are device addresses (`bufferDeviceAddress`) in integers of 64 bits; generic ones
    /// too, or tagged offsets. Private and local ones are byte offsets of 32 bits in a variable.
    Physical64,
}

impl AddressFormat {
    /// The format of a module that is compiled with these options.
    pub fn of(_options: &Options) -> AddressFormat {
        AddressFormat::Physical64
    }

    /// The type of a pointer's value after `vulkan/memory`.
    pub fn value_type(self, space: Space) -> Type {
        match (self, space) {
            (AddressFormat::Physical64, Space::Global | Space::Constant | Space::Generic) => Type::I64,
            (AddressFormat::Physical64, Space::Private | Space::Local) => Type::I32,
        }
    }

    /// The type of a pointer in memory, of any space: objects in memory are as large as the source says, and a pointer
    /// of one space may be read as one of another.
    pub fn stored_type(self) -> Type {
        match self {
            AddressFormat::Physical64 => Type::I64,
        }
    }

    /// The bytes, and the alignment, of the address of a buffer: as an argument of a kernel, in the push constants, and
    /// in program-scope data.
    pub const fn bytes(self) -> u32 {
        match self {
            AddressFormat::Physical64 => 8,
        }
    }

    /// Writes the address of a buffer into program-scope data; `None` where the place is not in the data.
    pub fn write(self, data: &mut [u8], at: u32, address: u64) -> Option<()> {
        match self {
            AddressFormat::Physical64 => {
                let place = data.get_mut(at as usize..)?.first_chunk_mut()?;
                *place = address.to_le_bytes();
                Some(())
            }
        }
    }

    /// The scalar that a value of a type is in memory.
    pub fn memory_scalar(self, scalar: ScalarType) -> ScalarType {
        match scalar {
            ScalarType::Ptr(_) => self.stored_type().scalar,
            scalar => scalar,
        }
    }

    /// A pointer as it is in memory.
    pub fn stored(self, b: &mut Builder<'_>, pointer: Value) -> Value {
        match self {
            AddressFormat::Physical64 => b.resize(pointer, ScalarType::I64, false),
        }
    }

    /// A pointer that was in memory, or the pointer that an integer of as many bits stands for.
    pub fn loaded(self, b: &mut Builder<'_>, stored: Value, space: Space) -> Value {
        match self {
            AddressFormat::Physical64 => b.resize(stored, self.value_type(space).scalar, false),
        }
    }

    /// The null pointer.
    pub fn null(self, b: &mut Builder<'_>, space: Space) -> Value {
        match self {
            AddressFormat::Physical64 => b.int(self.value_type(space), 0),
        }
    }

    /// Compares two pointers of one space.
    pub fn compare(self, b: &mut Builder<'_>, op: CompareOp, lhs: Value, rhs: Value) -> Value {
        match self {
            AddressFormat::Physical64 => b.compare(op, lhs, rhs),
        }
    }

    /// `pointer + index * stride + displacement`, in bytes. The index is signed, and of 32 or 64 bits.
    pub fn offset(
        self,
        b: &mut Builder<'_>,
        mut pointer: Value,
        index: Option<Value>,
        stride: i64,
        displacement: i64,
    ) -> Value {
        let AddressFormat::Physical64 = self;
        let ty = b.ty(pointer);
        if let Some(index) = index {
            let index = b.resize(index, ty.scalar, true);
            let stride = b.int(ty, stride);
            let scaled = b.binary(BinaryOp::Mul, index, stride);
            pointer = b.binary(BinaryOp::Add, pointer, scaled);
        }
        let displacement = b.int(ty, displacement);
        b.binary(BinaryOp::Add, pointer, displacement)
    }
}

/// A place in global or constant memory: the value of a pointer, and a displacement in bytes.
#[derive(Clone, Copy, Debug)]
pub struct Address {
    format: AddressFormat,
    base: Value,
    displacement: i64,
}

impl Address {
    /// What a pointer points to.
    pub fn new(format: AddressFormat, pointer: Value) -> Address {
        Address { format, base: pointer, displacement: 0 }
    }

    /// So many bytes behind it.
    pub fn plus(self, bytes: i64) -> Address {
        Address { displacement: self.displacement.wrapping_add(bytes), ..self }
    }

    /// An element of so many bytes behind it, by its number of 32 bits.
    pub fn element(self, b: &mut Builder<'_>, index: Value, bytes: u32) -> Address {
        let AddressFormat::Physical64 = self.format;
        let base = self.pointer(b);
        let index = b.resize(index, ScalarType::I64, false);
        let offset = b.binary_int(BinaryOp::Mul, index, i64::from(bytes));
        Address::new(self.format, b.binary(BinaryOp::Add, base, offset))
    }

    /// The value of the pointer to it.
    pub fn pointer(self, b: &mut Builder<'_>) -> Value {
        let AddressFormat::Physical64 = self.format;
        if self.displacement == 0 {
            return self.base;
        }
        let displacement = b.int(self.format.value_type(Space::Global), self.displacement);
        b.binary(BinaryOp::Add, self.base, displacement)
    }

    /// The same place without displacement, whose pointer is computed here and once.
    pub fn settled(self, b: &mut Builder<'_>) -> Address {
        Address::new(self.format, self.pointer(b))
    }

    /// The place as a number of 64 bits, by which places are ordered.
    pub fn number(self, b: &mut Builder<'_>) -> Value {
        match self.format {
            AddressFormat::Physical64 => self.pointer(b),
        }
    }

    /// Loads a value that is legal for Vulkan, and as aligned as said.
    pub fn load(self, b: &mut Builder<'_>, ty: Type, align: u32, volatile: bool) -> Value {
        let ptr = self.pointer(b);
        b.push(Op::Load { ptr, align, volatile }, &[ty])[0]
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
