//! The bytes of constant objects as text.

use super::Printer;
use crate::hir::ConstantData;

/// Bytes in a row.
const ROW: usize = 16;

impl Printer<'_, '_> {
    /// The bytes in rows that begin with their offset, where rows of zeros are left out, and the pointers among them.
    pub(super) fn constant(&mut self, data: &ConstantData) {
        let ConstantData { bytes, relocations, is_sampler } = data;
        let sampler = if *is_sampler { " sampler" } else { "" };
        let size = bytes.len();
        self.group(format_args!("Constant size {size}{sampler}"), |printer| {
            for (index, row) in bytes.chunks(ROW).enumerate().filter(|(_, row)| row.iter().any(|byte| *byte != 0)) {
                let digits: Vec<String> = row.iter().map(|byte| format!("{byte:02x}")).collect();
                printer.line(format_args!("{}: {}", index * ROW, digits.join(" ")));
            }
            for (offset, target, addend) in relocations {
                let name = printer.module_variable_name(*target);
                printer.line(format_args!("relocation {offset}: {name} + {addend}"));
            }
        });
    }
}
