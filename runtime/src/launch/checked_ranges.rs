//! The memory that a launch of a program with sanitizers may access.

use crate::bounds::{AddressRange, Checker, LaunchMemory};
use crate::buffer::Buffer;
use crate::error::{Error, Result};
use crate::narrow::to_u32;
use crate::program::{Arg, KernelShared};
use clforge_compiler::interface::ArgumentBinding;

/// What the launch may access: its arguments, and the ranges that it reaches by pointers that are none.
///
/// # Errors
/// [`Error::Launch`] for an argument whose range is unknown.
pub(super) fn checked_ranges<'k>(
    kernel: &'k KernelShared,
    checker: &Checker,
    (global, first_id): ([u64; 3], [u64; 3]),
    args: &[Arg<'_>],
    reached: &[AddressRange],
) -> Result<LaunchMemory<'k>> {
    let mut ranges = vec![(0, 0); checker.range_count() as usize];
    for argument in &kernel.interface().arguments {
        let pointer = matches!(
            argument.binding,
            ArgumentBinding::PointerPushConstant { .. } | ArgumentBinding::PointerUniform { .. }
        );
        let index = argument.ordinal as usize;
        let (true, Some(arg), Some(place)) = (pointer, args.get(index), ranges.get_mut(index)) else { continue };
        match arg {
            Arg::Buffer(buffer) | Arg::BufferAt(buffer, _) => *place = range(buffer),
            Arg::Address(address) if let Some(known) = reached.iter().find(|range| contains(**range, *address)) => {
                *place = *known;
            }
            Arg::Address(_) if checker.needs_ranges() => {
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
    // Objects are placed with gaps of less than 16 bytes before each.
    let local = args.iter().map(|arg| if let Arg::Local(bytes) = arg { bytes.saturating_add(32) } else { 0 });
    let local = local.fold(0, u64::saturating_add);
    let local_bytes = match local.saturating_add(kernel.rules.least_local_bytes) {
        0 => 0,
        bytes => bytes.saturating_add(64),
    };
    let kernel = &kernel.interface().name;
    let reached = reached.to_vec();
    Ok(LaunchMemory { kernel, ranges, reached, names, images, first_id, global, local_bytes })
}

fn contains((first, end): AddressRange, address: u64) -> bool {
    (first..end).contains(&address)
}

fn range(buffer: &Buffer) -> AddressRange {
    let first = buffer.device_address().unwrap_or(0);
    (first, first.saturating_add(buffer.size()))
}
