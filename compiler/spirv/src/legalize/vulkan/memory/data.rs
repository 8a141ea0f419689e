//! Lays out program-scope variables in one buffer, and puts their initial values into the interface.

use super::packed::Packing;
use crate::address_format::{AddressFormat, buffer_number};
use crate::interface::{ModuleInterface, ProgramData, ProgramDataBinding};
use crate::legalize::vulkan::kernel_abi::{PROGRAM_DATA, program_data_offset};
use clforge_basic::narrow::to_usize;
use clforge_ir::error::{Invalid, Limited};
use clforge_ir::*;
use typed_index_collections::{TiVec, ti_vec};

/// Constant and global program-scope objects, one after another in one buffer.
pub struct DataLayout {
    /// Byte offset of each global's object.
    pub offsets: TiVec<GlobalId, u64>,
    /// The push constants, and the byte offset in them of the buffer's address; `None` where the buffer has a descriptor.
    pub pointer: Option<(VariableId, u32)>,
}

/// The most bytes of program-scope objects in one program: the module contains each as two hexadecimal digits.
const MAX_PROGRAM_DATA: u64 = 64 << 20;

/// Lays out the program's constant and global objects, and adds their bytes to the interface.
pub fn lay_out(
    module: &Module,
    interface: &mut ModuleInterface,
    addresses: AddressFormat,
    packing: Option<&Packing>,
) -> Result<Option<DataLayout>, Error> {
    let mut data = Vec::new();
    let mut offsets: TiVec<GlobalId, u64> = ti_vec![0; module.globals.len()];
    let mut writable = false;
    for (offset, global) in offsets.iter_mut().zip(&module.globals) {
        if global.space == Space::Local {
            continue;
        }
        let start = data.len().next_multiple_of(to_usize(global.align.max(1)));
        if (start as u64).saturating_add(global.size) > MAX_PROGRAM_DATA {
            let what = Limited::ProgramData { variable: global.name.as_str().into() };
            let size = (start as u64).saturating_add(global.size);
            return Err(Error::limit(what, size, MAX_PROGRAM_DATA).at(global.span));
        }
        data.resize(start, 0);
        data.extend_from_slice(global.init.as_deref().unwrap_or(&[]));
        data.resize(start + to_usize(global.size), 0);
        *offset = start as u64;
        writable |= global.space == Space::Global;
    }
    if !module.globals.iter().any(|global| global.space != Space::Local) {
        return Ok(None);
    }
    let relocations = relocations(module, &offsets)?;
    let (binding, pointer) = match addresses {
        AddressFormat::Physical64 => {
            let offset = program_data_offset(interface, addresses);
            let push_constants = module.variables.position(|variable| variable.storage == Storage::PushConstant);
            let push_constants = push_constants.or_internal("no push constants")?;
            let binding = ProgramDataBinding::PushConstantPointer { offset, size: addresses.bytes() };
            (binding, Some((push_constants, offset)))
        }
        AddressFormat::Logical => (ProgramDataBinding::StorageBuffer(PROGRAM_DATA), None),
    };
    let mut data = ProgramData { binding, data, relocations, writable };
    if pointer.is_none() {
        // They are known, and consumers of modules for Vulkan have none of this kind.
        let buffer = buffer_number(PROGRAM_DATA).cast_unsigned() << 32;
        data.data = match packing {
            Some(packing) => packed(&data, packing)?,
            None => data.relocated(buffer).map_err(|_| Error::internal("an address outside of the data"))?,
        };
        data.relocations.clear();
    }
    interface.program_data.push(data);
    Ok(Some(DataLayout { offsets, pointer }))
}

/// The data with its pointers, of 32 bits.
fn packed(data: &ProgramData, packing: &Packing) -> Result<Vec<u8>, Error> {
    let mut bytes = data.data.clone();
    for (at, target) in &data.relocations {
        let Some(pointer) = packing.data_pointer(*target) else {
            let what = Limited::PackedPointer;
            return Err(Error::limit(what, u64::from(*target), packing.reach() - 1));
        };
        let at = to_usize(u64::from(*at));
        let place = bytes.get_mut(at..at + 4).or_internal("an address outside of the data")?;
        place.copy_from_slice(&pointer.to_le_bytes());
    }
    Ok(bytes)
}

/// The places in program-scope data that have addresses in it: (offset of the pointer, offset that it points to).
fn relocations(module: &Module, offsets: &TiVec<GlobalId, u64>) -> Result<Vec<(u32, u32)>, Error> {
    let mut relocations = Vec::new();
    for (offset, global) in offsets.iter().zip(&module.globals) {
        for relocation in &global.relocations {
            let target = offsets[relocation.target].checked_add_signed(relocation.addend);
            let target = target.and_then(|target| u32::try_from(target).ok());
            let (Ok(at), Some(target)) = (u32::try_from(offset + relocation.offset), target) else {
                let variable = global.name.as_str().into();
                return Err(Error::invalid(Invalid::AddressInInitializer { variable }).at(global.span));
            };
            relocations.push((at, target));
        }
    }
    Ok(relocations)
}
