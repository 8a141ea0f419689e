//! `printf`: the buffer that kernels write to, and the text of its records. See [`clforge_compiler::interface::printf`] for
//! the layout.
//!
//! Messages that do not fit into the buffer are counted. The text is passed to `Program::on_print`.

mod format;
mod messages;
mod printed;
mod printer;
#[cfg(test)]
mod tests;

pub use printed::Printed;
pub(crate) use printer::Printer;
