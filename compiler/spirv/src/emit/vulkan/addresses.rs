//! Addresses in SPIR-V: what [`AddressFormat`] is to the emitter.

use super::Vulkan;
use crate::address_format::AddressFormat;
use crate::emit::common::{FunctionEmitter, ModuleBuilder};
use clforge_basic::options::{Target, VulkanVersion};
use clforge_ir::*;
use rspirv::dr::Operand;
use rspirv::spirv::{self, Capability, StorageClass, Word};

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
    /// The address as a pointer to a value of type `ty`.
    pub(super) fn typed_pointer(
        &mut self,
        f: &mut FunctionEmitter<'_>,
        address: Value,
        ty: Type,
    ) -> Result<Word, Error> {
        declare_storage(f.m, ty);
        let pointee = f.type_id(self, ty);
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
