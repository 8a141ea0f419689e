//! The memory that a launch of a program with bounds checks may access.

use crate::bounds::{AddressRange, LaunchMemory};
use crate::buffer::Buffer;
use crate::error::{Error, Result};
use crate::narrow::to_u32;
use crate::program::{Arg, KernelShared};
use clforge_compiler::interface::ArgumentBinding;

/// What the launch may access.
///
/// # Errors
/// [`Error::Launch`] for an argument whose range is unknown.
pub(super) fn checked_ranges<'k>(
    kernel: &'k KernelShared,
    count: u32,
    first_id: [u64; 3],
    args: &[Arg<'_>],
) -> Result<LaunchMemory<'k>> {
    let mut ranges = vec![(0, 0); count as usize];
    for argument in &kernel.interface().arguments {
        let pointer = matches!(
            argument.binding,
            ArgumentBinding::PointerPushConstant { .. } | ArgumentBinding::PointerUniform { .. }
        );
        let index = argument.ordinal as usize;
        let (true, Some(arg), Some(place)) = (pointer, args.get(index), ranges.get_mut(index)) else { continue };
        match arg {
            Arg::Buffer(buffer) | Arg::BufferAt(buffer, _) => *place = range(buffer),
            Arg::Address(_) => {
                let text = format!("argument {index} is a device address of unknown size, which cannot be checked");
                return Err(Error::Launch(text));
            }
            // Arguments of another kind are rejected when they are encoded.
            _ => {}
        }
    }
    let module = &kernel.module;
    let printer = module.printer.as_ref().map(|printer| &printer.buffer);
    for (place, buffer) in ranges.iter_mut().rev().zip([printer, module.data.first()]) {
        *place = buffer.map_or((0, 0), range);
    }
    let images = args.iter().map(|arg| match arg {
        Arg::Image(image) => Some(image.description().sizes()),
        _ => None,
    });
    let names = (0..to_u32(args.len())).map(|index| {
        let info = kernel.interface().argument(index).and_then(|argument| argument.info.as_ref());
        info.map(|info| info.name.clone()).unwrap_or_default()
    });
    let (names, images) = (names.collect(), images.collect());
    Ok(LaunchMemory { kernel: &kernel.interface().name, ranges, names, images, first_id })
}

fn range(buffer: &Buffer) -> AddressRange {
    let first = buffer.device_address().unwrap_or(0);
    (first, first.saturating_add(buffer.size()))
}
