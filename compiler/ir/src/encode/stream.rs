//! Bytes being written and read.

use super::{DecodeError, Limits};
use clforge_basic::narrow::low_u8;
use clforge_basic::source::Span;

/// Bytes in the making.
#[derive(Default)]
pub struct Writer {
    pub bytes: Vec<u8>,
    /// The last span, which the next one is written relative to.
    span: u32,
}

impl Writer {
    pub fn byte(&mut self, byte: u8) {
        self.bytes.push(byte);
    }

    /// An integer in LEB128: seven bits a byte, the lowest first.
    pub fn unsigned(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.byte(low_u8(value) | 0x80);
            value >>= 7;
        }
        self.byte(low_u8(value));
    }

    pub fn signed(&mut self, value: i64) {
        self.unsigned((value << 1 ^ value >> 63).cast_unsigned());
    }

    pub fn length(&mut self, length: usize) {
        self.unsigned(length as u64);
    }

    pub fn span(&mut self, span: Span) {
        self.signed(i64::from(span.lo) - i64::from(self.span));
        self.signed(i64::from(span.hi) - i64::from(span.lo));
        self.span = span.lo;
    }
}

/// Bytes being read.
pub struct Reader<'b> {
    bytes: &'b [u8],
    at: usize,
    span: u32,
    /// What numbers may name: of the module, and of the function that is being read.
    pub limits: Limits,
    pub values: usize,
    pub insts: usize,
    pub regions: usize,
    pub constants: usize,
}

impl<'b> Reader<'b> {
    pub fn new(bytes: &'b [u8], limits: Limits) -> Reader<'b> {
        Reader { bytes, at: 0, span: 0, limits, values: 0, insts: 0, regions: 0, constants: 0 }
    }

    /// The error that what was read last is wrong.
    pub fn damaged<T>(&self) -> Result<T, DecodeError> {
        Err(DecodeError { offset: self.at.saturating_sub(1) })
    }

    pub fn is_at_end(&self) -> bool {
        self.at == self.bytes.len()
    }

    pub fn byte(&mut self) -> Result<u8, DecodeError> {
        let byte = self.bytes.get(self.at).copied();
        self.at += 1;
        byte.map_or_else(|| self.damaged(), Ok)
    }

    pub fn unsigned(&mut self) -> Result<u64, DecodeError> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7F);
            if bits << shift >> shift != bits {
                break;
            }
            value |= bits << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        self.damaged()
    }

    pub fn signed(&mut self) -> Result<i64, DecodeError> {
        let value = self.unsigned()?;
        Ok((value >> 1).cast_signed() ^ -(value & 1).cast_signed())
    }

    /// A number that is less than `limit`.
    pub fn below(&mut self, limit: usize) -> Result<u32, DecodeError> {
        match u32::try_from(self.unsigned()?) {
            Ok(index) if (index as usize) < limit => Ok(index),
            _ => self.damaged(),
        }
    }

    /// The length of a list: no more than there are bytes left, since each element takes one at least. So damaged lengths
    /// cannot exhaust the memory.
    pub fn length(&mut self) -> Result<usize, DecodeError> {
        let length = self.unsigned()?;
        match usize::try_from(length) {
            Ok(length) if length <= self.bytes.len().saturating_sub(self.at) => Ok(length),
            _ => self.damaged(),
        }
    }

    pub fn take(&mut self, length: usize) -> Result<&'b [u8], DecodeError> {
        let bytes = self.at.checked_add(length).and_then(|end| self.bytes.get(self.at..end));
        self.at = self.at.saturating_add(length);
        bytes.map_or_else(|| self.damaged(), Ok)
    }

    pub fn span(&mut self) -> Result<Span, DecodeError> {
        let lo = i64::from(self.span).checked_add(self.signed()?).and_then(|lo| u32::try_from(lo).ok());
        let Some(lo) = lo else { return self.damaged() };
        let hi = i64::from(lo).checked_add(self.signed()?).and_then(|hi| u32::try_from(hi).ok());
        let Some(hi) = hi else { return self.damaged() };
        self.span = lo;
        Ok(Span { lo, hi })
    }
}
