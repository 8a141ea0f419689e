//! What kernels have printed: contents of the buffer, and text.

use std::fmt;

/// Output of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Printed<'m> {
    /// The text of one call of `printf`. The messages of one work-item are in the order of its calls.
    Message(&'m [u8]),
    /// Messages were lost because the buffer was full.
    Lost {
        /// Their number, or a lower bound of it.
        messages: u64,
        /// Whether the number is exact. Modules of other compilers do not count lost messages.
        exact: bool,
        /// Size of the buffer in bytes, which is chosen when the program is compiled
        /// (`CodegenOptions::printf_buffer_size`).
        buffer: u32,
    },
}

impl fmt::Display for Printed<'_> {
    /// The text of a message, or how many were lost and how to avoid it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Printed::Message(text) => f.write_str(&String::from_utf8_lossy(text)),
            Printed::Lost { messages, exact, buffer } => {
                let least = if *exact { "" } else { "at least " };
                let (noun, verb) = if *messages == 1 { ("message", "was") } else { ("messages", "were") };
                write!(
                    f,
                    "{least}{messages} {noun} of printf {verb} lost: the buffer of {buffer} bytes was full; compile \
                     with a larger one (--printf-buffer)"
                )
            }
        }
    }
}

/// The contents of the buffer after a launch.
pub(super) struct Contents {
    /// The words of records, as far as records reach.
    pub words: Vec<u32>,
    /// Number of words that kernels have reserved for records, whether or not there was room.
    pub reserved: u32,
    /// The buffer's last word.
    pub last: u32,
}
