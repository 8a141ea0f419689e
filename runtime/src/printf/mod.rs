//! `printf`: the buffer that kernels write to, and what it says. See
//! [`clforge_compiler::interface::printf`] for its layout.

mod format;
mod messages;
#[cfg(test)]
mod tests;

pub(crate) use messages::Decoder;

use crate::{Buffer, Device, Error, Queue, Result};
use clforge_compiler::interface::{KernelInterface, ModuleInterface, PrintfBuffer, ProgramDataBinding};
use std::io::Write;
use std::sync::Mutex;

/// Largest buffer that a module is believed to need.
const MAX_BUFFER: u32 = 1 << 30;

/// What a launch printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Printed<'m> {
    /// The text of one call of `printf`. Those of one work-item come in its order.
    Message(&'m [u8]),
    /// Messages for which the buffer had no room.
    Lost {
        /// Their number, at least.
        messages: u64,
        /// Whether there are no more than that. Modules of other compilers do not tell.
        exact: bool,
        /// Bytes of the buffer, which is chosen when the program is compiled.
        buffer: u32,
    },
}

/// Takes what kernels print.
pub(crate) type Output = Box<dyn FnMut(Printed<'_>) + Send>;

/// The buffer of a program whose kernels print, and where its text goes.
pub(crate) struct Printer {
    pub binding: ProgramDataBinding,
    pub buffer: Buffer,
    decoder: Decoder,
    output: Mutex<Output>,
    /// For one launch at a time, since the buffer is the program's.
    turn: Mutex<()>,
}

impl Printer {
    /// `None` for a program without kernels that print.
    pub fn new(device: &Device, interface: &ModuleInterface) -> Result<Option<Printer>> {
        let Some(PrintfBuffer { binding, size }) = interface.printf.buffer else { return Ok(None) };
        if !interface.kernels.iter().any(|kernel| kernel.uses_printf) {
            return Ok(None);
        }
        if !(16..=MAX_BUFFER).contains(&size) || !size.is_multiple_of(4) {
            return Err(Error::WrongModule(format!("it asks for a printf buffer of {size} bytes")));
        }
        let buffer = Buffer::new(device, size.into())?;
        let decoder = Decoder::new(&interface.printf, size);
        Ok(Some(Printer { binding, buffer, decoder, output: Mutex::new(Box::new(to_stdout)), turn: Mutex::default() }))
    }

    /// Sends text elsewhere.
    pub fn set_output(&self, output: Output) -> Result<()> {
        *self.output.lock().map_err(|_| poisoned())? = output;
        Ok(())
    }

    /// Makes a launch with an empty buffer, waits for it and hands on what it printed.
    pub fn around<T>(&self, queue: &Queue, launch: impl FnOnce() -> Result<T>) -> Result<T> {
        let turn = self.turn.lock().map_err(|_| poisoned())?;
        queue.write(&self.buffer, 0, &[0; 4])?;
        queue.write(&self.buffer, self.buffer.size() - 4, &[0; 4])?;
        let launched = launch()?;
        let contents = self.contents(queue)?;
        // Who takes the text may launch more.
        drop(turn);
        self.print(&contents)?;
        Ok(launched)
    }

    /// The buffer's contents after a launch, as far as records reach.
    fn contents(&self, queue: &Queue) -> Result<Contents> {
        let word = |at: u64| -> Result<u32> {
            let mut bytes = [0; 4];
            queue.read(&self.buffer, at, &mut bytes)?;
            Ok(u32::from_le_bytes(bytes))
        };
        let reserved = word(0)?;
        let last = word(self.buffer.size() - 4)?;
        let mut bytes = vec![0; self.decoder.used_bytes(reserved)];
        queue.read(&self.buffer, 4, &mut bytes)?;
        let words = bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
        Ok(Contents { words, reserved, last })
    }

    /// Hands on what a launch printed.
    fn print(&self, contents: &Contents) -> Result<()> {
        let mut output = self.output.lock().map_err(|_| poisoned())?;
        self.decoder.decode(contents, &mut *output)
    }
}

/// The buffer after a launch.
pub(crate) struct Contents {
    /// Of records: those behind the first word, as far as they are used.
    pub words: Vec<u32>,
    /// Words that records have or would have taken.
    pub reserved: u32,
    /// The buffer's last word.
    pub last: u32,
}

/// The printer that a kernel needs.
pub(crate) fn printer_of<'p>(printer: Option<&'p Printer>, kernel: &KernelInterface) -> Option<&'p Printer> {
    printer.filter(|_| kernel.uses_printf)
}

fn poisoned() -> Error {
    Error::Internal("printf lock poisoned".into())
}

/// Where text goes unless the program says otherwise; there is nobody to tell when it cannot be written.
fn to_stdout(printed: Printed<'_>) {
    match printed {
        Printed::Message(text) => {
            let _ = std::io::stdout().lock().write_all(text);
        }
        lost @ Printed::Lost { .. } => {
            let _ = writeln!(std::io::stderr(), "warning: {lost}");
        }
    }
}

impl std::fmt::Display for Printed<'_> {
    /// A message's text, or how many were lost and what can be done.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
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
