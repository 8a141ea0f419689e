//! Addresses in SPIR-V: what [`AddressFormat`] is to the emitter.

use super::Vulkan;
use crate::address_format::AddressFormat;
use crate::emit::common::{FunctionEmitter, ModuleBuilder};
use clforge_basic::options::{Target, VulkanVersion};
use clforge_basic::tuning::Tuning;
use clforge_ir::*;
use rspirv::dr::Operand;
use rspirv::spirv::{self, Capability, Decoration, StorageClass, Word};

impl AddressFormat {
    /// The addressing model of modules with such addresses.
    pub(super) fn addressing_model(self) -> spirv::AddressingModel {
        match self {
            AddressFormat::Physical64 => spirv::AddressingModel::PhysicalStorageBuffer64,
            AddressFormat::Logical => spirv::AddressingModel::Logical,
        }
    }

    /// Declares the capabilities and extensions that the addresses take.
    pub(super) fn declare(self, m: &mut ModuleBuilder, target: Target) {
        match self {
            AddressFormat::Physical64 => {
                m.capability(Capability::PhysicalStorageBufferAddresses);
                if target == Target::Vulkan(VulkanVersion::V1_1) {
                    m.extension("SPV_KHR_physical_storage_buffer");
                }
            }
            AddressFormat::Logical => {}
        }
    }
}

/// Declares what it takes to access a type in buffers.
pub(super) fn declare_storage(m: &mut ModuleBuilder, ty: Type) {
    match ty.scalar.bits() {
        8 => m.capability(Capability::StorageBuffer8BitAccess),
        16 => m.capability(Capability::StorageBuffer16BitAccess),
        _ => {}
    }
    if !m.at_least(1, 5) && ty.scalar.bits() == 8 {
        m.extension("SPV_KHR_8bit_storage");
    }
}

impl Vulkan<'_> {
    /// Whether loads of memory that nothing writes say so ([`Tuning::NVIDIA_NON_WRITABLE`]).
    pub(super) fn declares_non_writable(&self) -> bool {
        self.options.codegen.tuning.contains(Tuning::NVIDIA_NON_WRITABLE)
    }

    /// The address as a pointer to a value of type `ty` that nothing writes while the kernel is executed: to the member of a
    /// structure, since pointers cannot be decorated so.
    pub(super) fn non_writable_pointer(
        &mut self,
        f: &mut FunctionEmitter<'_>,
        address: Value,
        ty: Type,
    ) -> Result<Word, Error> {
        let member = f.type_id(self, ty);
        let structure = match self.non_writable.get(&member) {
            Some(known) => *known,
            None => {
                let structure = f.m.new_struct(&[member]);
                f.m.decorate(structure, Decoration::Block, []);
                f.m.b.member_decorate(structure, 0, Decoration::Offset, [Operand::LiteralBit32(0)]);
                f.m.b.member_decorate(structure, 0, Decoration::NonWritable, []);
                self.non_writable.insert(member, structure);
                structure
            }
        };
        let structure = self.pointer_to(f, address, ty, structure)?;
        let pointer = f.m.pointer(StorageClass::PhysicalStorageBuffer, member);
        let operands = vec![Operand::IdRef(structure), Operand::IdRef(f.m.constant_u32(0))];
        f.push(spirv::Op::AccessChain, pointer, operands)
    }

    /// The address as a pointer to a value of type `ty`.
    pub(super) fn typed_pointer(
        &mut self,
        f: &mut FunctionEmitter<'_>,
        address: Value,
        ty: Type,
    ) -> Result<Word, Error> {
        let pointee = f.type_id(self, ty);
        self.pointer_to(f, address, ty, pointee)
    }

    /// The address as a pointer to `pointee`: the type `ty`, or a structure of it.
    fn pointer_to(
        &mut self,
        f: &mut FunctionEmitter<'_>,
        address: Value,
        ty: Type,
        pointee: Word,
    ) -> Result<Word, Error> {
        declare_storage(f.m, ty);
        match AddressFormat::of(self.options) {
            AddressFormat::Physical64 => {
                let pointer = f.m.pointer(StorageClass::PhysicalStorageBuffer, pointee);
                // Two words where integers of 64 bits are emulated.
                let is_pair = f.function.ty(address) == Type::I32X2;
                let convert = if is_pair { spirv::Op::Bitcast } else { spirv::Op::ConvertUToPtr };
                let address = f.id(self, address);
                f.push(convert, pointer, vec![Operand::IdRef(address)])
            }
            AddressFormat::Logical => Err(Error::internal("an access through an address")),
        }
    }
}
