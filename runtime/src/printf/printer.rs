//! The buffer of `printf` during launches.

use super::messages::Decoder;
use super::printed::{Contents, Printed};
use crate::buffer::Buffer;
use crate::device::Device;
use crate::error::{Error, Result};
use crate::queue::Queue;
use clforge_compiler::interface::{ModuleInterface, PrintfBuffer, ProgramDataBinding};
use std::io::Write;
use std::sync::{Arc, Mutex};

/// Size in bytes of the largest buffer that a module may ask for.
const MAX_BUFFER: u32 = 1 << 30;

/// A function that receives what kernels print.
type Output = Box<dyn FnMut(Printed<'_>) + Send>;

/// The buffer of a program whose kernels print, and the receiver of the text.
pub(crate) struct Printer {
    pub binding: ProgramDataBinding,
    pub buffer: Buffer,
    decoder: Decoder,
    output: Arc<Mutex<Output>>,
    /// Locked during a launch: the program has one buffer for all its launches.
    launch_lock: Mutex<()>,
}

impl Printer {
    /// `None` for a program whose kernels do not print.
    ///
    /// # Errors
    /// [`Error::UnusableModule`], and those of [`Buffer::new`].
    pub fn new(device: &Device, interface: &ModuleInterface) -> Result<Option<Printer>> {
        let Some(PrintfBuffer { binding, size }) = interface.printf.buffer else { return Ok(None) };
        if !interface.kernels.iter().any(|kernel| kernel.uses_printf) {
            return Ok(None);
        }
        if !(16..=MAX_BUFFER).contains(&size) || !size.is_multiple_of(4) {
            return Err(Error::UnusableModule(format!("it declares a printf buffer of {size} bytes")));
        }
        let buffer = Buffer::new(device, size.into())?;
        let decoder = Decoder::new(&interface.printf, size);
        Ok(Some(Printer {
            binding,
            buffer,
            decoder,
            output: Arc::new(Mutex::new(Box::new(to_stdout))),
            launch_lock: Mutex::default(),
        }))
    }

    /// Replaces the receiver of the text.
    ///
    /// # Errors
    /// [`Error::Internal`] if an earlier receiver has panicked.
    pub fn set_output(&self, output: Output) -> Result<()> {
        *self.output.lock().map_err(|_| poisoned())? = output;
        Ok(())
    }

    /// Lets another printer's receiver be its own.
    pub fn share_output(&mut self, other: &Printer) {
        self.output = other.output.clone();
    }

    /// Clears the buffer, launches, waits, and passes on what was printed.
    ///
    /// # Errors
    /// Those of `launch`, and of transfers.
    pub fn around<T>(&self, queue: &Queue, launch: impl FnOnce() -> Result<T>) -> Result<T> {
        let launch_lock = self.launch_lock.lock().map_err(|_| poisoned())?;
        queue.write(&self.buffer, 0, &[0; 4])?;
        queue.write(&self.buffer, self.buffer.size() - 4, &[0; 4])?;
        let launched = launch()?;
        let contents = self.contents(queue)?;
        // The receiver may launch kernels.
        drop(launch_lock);
        self.print(&contents)?;
        Ok(launched)
    }

    /// The contents of the buffer after a launch.
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

    /// Passes on what a launch printed.
    fn print(&self, contents: &Contents) -> Result<()> {
        let mut output = self.output.lock().map_err(|_| poisoned())?;
        self.decoder.decode(contents, &mut *output)
    }
}

fn poisoned() -> Error {
    Error::Internal("printf lock poisoned".into())
}

/// The default receiver. A failure to write cannot be reported.
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
