//! Decoding: from the records that kernels have written to text.

use super::format;
use super::printed::{Contents, Printed};
use crate::error::{Error, Result};
use clforge_compiler::interface::Printf;
use clforge_compiler::interface::printf::{
    BadPiece, COPIED_STRING, Conversion, LOST_MESSAGES, NULL_STRING, Piece, Specifier, pieces,
};
use std::collections::HashMap;

/// The formats of a module.
pub(super) struct Decoder {
    formats: HashMap<u32, Format>,
    /// Size of the buffer in bytes.
    size: u32,
    /// Whether its last word counts lost messages.
    counts_lost: bool,
}

struct Format {
    /// The string itself, which `%s` prints.
    text: String,
    parts: Vec<Part>,
    /// Size in bytes of each argument.
    sizes: Vec<u32>,
    /// Words of a record, without the strings that follow it.
    words: usize,
}

enum Part {
    Text(String),
    Conversion(Conversion),
}

impl Part {
    /// Text, and malformed conversions, are printed as they are.
    fn new(piece: std::result::Result<Piece<'_>, BadPiece<'_>>) -> Part {
        match piece {
            Ok(Piece::Text(text)) | Err((_, text)) => Part::Text(text.into()),
            Ok(Piece::Conversion(conversion)) => Part::Conversion(conversion),
        }
    }
}

impl Format {
    fn new(text: &str, sizes: &[u32]) -> Format {
        let words = sizes.iter().map(|size| u64::from(*size)).sum::<u64>() / 4 + 1;
        let words = usize::try_from(words).unwrap_or(usize::MAX);
        Format { text: text.into(), parts: pieces(text).map(Part::new).collect(), sizes: sizes.to_vec(), words }
    }
}

impl Decoder {
    /// For a buffer of `size` bytes.
    pub fn new(printf: &Printf, size: u32) -> Decoder {
        let formats = printf.formats.iter().filter(|format| format.id != LOST_MESSAGES);
        let formats = formats.map(|format| (format.id, Format::new(&format.text, &format.argument_sizes)));
        Decoder { formats: formats.collect(), size, counts_lost: printf.counts_lost() }
    }

    /// Words of the buffer that are available to records.
    fn capacity(&self) -> u32 {
        (self.size / 4).saturating_sub(if self.counts_lost { 2 } else { 1 })
    }

    /// Size in bytes of the records in the buffer.
    pub fn used_bytes(&self, reserved: u32) -> usize {
        reserved.min(self.capacity()) as usize * 4
    }

    /// Passes on every message, then the number of lost messages.
    ///
    /// # Errors
    /// [`Error::UnusableModule`] if a record has a format that the module does not describe.
    pub fn decode(&self, contents: &Contents, output: &mut dyn FnMut(Printed<'_>)) -> Result<()> {
        let mut rest = &contents.words[..];
        let mut text = Vec::new();
        while let Some((id, arguments)) = rest.split_first() {
            if *id == LOST_MESSAGES {
                break;
            }
            let Some(format) = self.formats.get(id) else {
                let problem = format!("its kernel printed with format {id}, which it does not describe");
                return Err(Error::UnusableModule(problem));
            };
            // The last record may be incomplete.
            let Some((arguments, mut behind)) = arguments.split_at_checked(format.words - 1) else { break };
            text.clear();
            let Some(()) = self.message(format, arguments, &mut behind, &mut text) else { break };
            output(Printed::Message(&text));
            rest = behind;
        }
        let complete = (contents.words.len() - rest.len()) as u64;
        let (messages, exact) = match self.counts_lost {
            true => (u64::from(contents.last), true),
            false => self.lost(u64::from(contents.reserved).saturating_sub(complete)),
        };
        if messages > 0 {
            output(Printed::Lost { messages, exact, buffer: self.size });
        }
        Ok(())
    }

    /// The least number of records that occupy so many words, and whether that is the only possible number.
    fn lost(&self, words: u64) -> (u64, bool) {
        let lengths = || self.formats.values().map(|format| format.words as u64);
        let (longest, shortest) = (lengths().max().unwrap_or(1), lengths().min().unwrap_or(1));
        (words.div_ceil(longest), words.div_ceil(longest) == words / shortest)
    }

    /// Appends the text of a message. The strings that follow its arguments are taken from `behind`; `None` if they are
    /// incomplete.
    fn message(&self, format: &Format, words: &[u32], behind: &mut &[u32], out: &mut Vec<u8>) -> Option<()> {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let (mut at, mut sizes) = (0, format.sizes.iter().map(|size| *size as usize));
        for part in &format.parts {
            let conversion = match part {
                Part::Text(text) => {
                    out.extend_from_slice(text.as_bytes());
                    continue;
                }
                Part::Conversion(conversion) => conversion,
            };
            // A conversion without an argument prints nothing.
            let Some(size) = sizes.next() else { continue };
            let argument = bytes.get(at..).unwrap_or_default();
            let argument = argument.get(..size).unwrap_or(argument);
            // Arguments begin at words.
            at = at.saturating_add(size / 4 * 4);
            match conversion.specifier {
                Specifier::String => self.string(conversion, argument, behind, out)?,
                _ => format::number(conversion, argument, out),
            }
        }
        Some(())
    }

    fn string(&self, conversion: &Conversion, argument: &[u8], behind: &mut &[u32], out: &mut Vec<u8>) -> Option<()> {
        let word = argument.first_chunk::<4>().map_or(NULL_STRING, |word| u32::from_le_bytes(*word));
        let copied: Vec<u8>;
        let text = if word & COPIED_STRING != 0 {
            let length = (word & !COPIED_STRING) as usize;
            let (words, rest) = behind.split_at_checked(length.div_ceil(4))?;
            *behind = rest;
            copied = words.iter().flat_map(|word| word.to_le_bytes()).take(length).collect();
            &copied[..]
        } else {
            self.formats.get(&word).map_or("(null)", |format| &format.text).as_bytes()
        };
        let length = conversion.precision.map_or(text.len(), |precision| text.len().min(precision as usize));
        format::pad(conversion, &text[..length], out);
        Some(())
    }
}
