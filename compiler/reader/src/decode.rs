//! Decodes words to instructions. No word is trusted: an error names the word at which a truncated or damaged module
//! cannot be read.

use crate::error::{ReadError, Result};
use rspirv::grammar::{INSTRUCTION_TABLE, OperandKind};
use rspirv::spirv::{self, Op};
use std::sync::OnceLock;

/// Words of the header.
const HEADER: usize = 5;
/// The greatest bound of ids (SPIR-V 2.17, universal limits).
const MAX_BOUND: u32 = 0x3f_ffff;

/// An instruction with the place of its words.
#[derive(Clone, Copy, Debug)]
pub struct Instruction<'w> {
    pub op: Op,
    /// The word at which it begins.
    pub offset: usize,
    /// The id of the result's type, 0 without.
    pub ty: u32,
    /// The id of the result, 0 without.
    pub result: u32,
    /// The words after these.
    pub operands: &'w [u32],
}

impl<'w> Instruction<'w> {
    /// An operand's word.
    pub fn operand(&self, index: usize) -> Result<u32> {
        self.optional(index).ok_or_else(|| self.invalid(format!("{:?} ends before operand {index}", self.op)))
    }

    /// An operand's word, if it is there.
    pub fn optional(&self, index: usize) -> Option<u32> {
        self.operands.get(index).copied()
    }

    /// The operands from one on.
    pub fn rest(&self, index: usize) -> &'w [u32] {
        self.operands.get(index..).unwrap_or_default()
    }

    /// The string that begins at an operand, and the operand after it.
    pub fn string(&self, index: usize) -> Result<(String, usize)> {
        let mut bytes = Vec::new();
        for (at, word) in self.rest(index).iter().enumerate() {
            let part = word.to_le_bytes();
            if let Some(end) = part.iter().position(|byte| *byte == 0) {
                bytes.extend_from_slice(part.get(..end).unwrap_or_default());
                return Ok((String::from_utf8_lossy(&bytes).into_owned(), index + at + 1));
            }
            bytes.extend_from_slice(&part);
        }
        Err(self.invalid("a string without end"))
    }

    /// The error that the module breaks a rule here.
    pub fn invalid(&self, message: impl Into<String>) -> Box<ReadError> {
        self.with_result(ReadError::invalid(self.offset, message))
    }

    /// The error that something here is not supported.
    pub fn unsupported(&self, message: impl Into<String>) -> Box<ReadError> {
        self.with_result(ReadError::unsupported(self.offset, message))
    }

    /// The error that something here exceeds a limit.
    pub fn limit(&self, message: impl Into<String>) -> Box<ReadError> {
        self.with_result(ReadError::limit(self.offset, message))
    }

    fn with_result(&self, error: Box<ReadError>) -> Box<ReadError> {
        if self.result == 0 { error } else { error.about(self.result) }
    }
}

/// Whether the instruction of an opcode has a result type, and a result; `None` for unknown opcodes.
fn shape(opcode: u32) -> Option<(Op, bool, bool)> {
    static SHAPES: OnceLock<Vec<Option<(Op, bool, bool)>>> = OnceLock::new();
    let shapes = SHAPES.get_or_init(|| {
        let mut shapes = Vec::new();
        for instruction in INSTRUCTION_TABLE.iter() {
            let index = instruction.opcode as usize;
            if shapes.len() <= index {
                shapes.resize(index + 1, None);
            }
            let has = |kind: OperandKind| instruction.operands.iter().any(|operand| operand.kind == kind);
            shapes[index] = Some((instruction.opcode, has(OperandKind::IdResultType), has(OperandKind::IdResult)));
        }
        shapes
    });
    shapes.get(opcode as usize).copied().flatten()
}

/// What the words of a module begin with.
#[derive(Clone, Copy, Debug)]
pub struct Header {
    /// All ids are less.
    pub bound: u32,
    /// The minor version.
    pub minor: u32,
}

/// Checks the header.
pub fn header(words: &[u32]) -> Result<Header> {
    let Some([magic, version, _, bound, schema]) = words.first_chunk::<HEADER>().copied() else {
        return Err(ReadError::invalid(0, "there are fewer words than a header has"));
    };
    if magic == spirv::MAGIC_NUMBER.swap_bytes() {
        return Err(ReadError::invalid(0, "the bytes of its words are in the other order"));
    }
    if magic != spirv::MAGIC_NUMBER {
        return Err(ReadError::invalid(0, format!("the magic number is {magic:#010x}")));
    }
    let (major, minor) = (version >> 16 & 0xff, version >> 8 & 0xff);
    if version & 0xff00_00ff != 0 || major != 1 || minor > 6 {
        return Err(ReadError::unsupported(1, format!("version {version:#010x} is none of SPIR-V 1.0 to 1.6")));
    }
    if bound == 0 || bound > MAX_BOUND {
        return Err(ReadError::invalid(3, format!("the bound of ids is {bound}")));
    }
    if schema != 0 {
        return Err(ReadError::invalid(4, "the schema is not 0"));
    }
    Ok(Header { bound, minor })
}

/// Reads the instructions of a range of words.
#[derive(Clone, Debug)]
pub struct Cursor<'w> {
    words: &'w [u32],
    at: usize,
    end: usize,
    bound: u32,
}

impl<'w> Cursor<'w> {
    /// All instructions of a module.
    pub fn new(words: &'w [u32], header: &Header) -> Cursor<'w> {
        Cursor { words, at: HEADER, end: words.len(), bound: header.bound }
    }

    /// The instructions of a range.
    pub fn within(&self, from: usize, to: usize) -> Cursor<'w> {
        Cursor { at: from, end: to, ..self.clone() }
    }

    fn read(&mut self, first: u32) -> Result<Instruction<'w>> {
        let offset = self.at;
        let (opcode, count) = (first & 0xffff, (first >> 16) as usize);
        let words = self.words.get(offset..offset + count).filter(|_| offset + count <= self.end);
        let Some([_, words @ ..]) = words else {
            return Err(ReadError::invalid(offset, format!("an instruction of {count} words does not fit")));
        };
        let Some((op, has_type, has_result)) = shape(opcode) else {
            return Err(ReadError::unsupported(offset, format!("the opcode {opcode} is unknown")));
        };
        let mut instruction = Instruction { op, offset, ty: 0, result: 0, operands: words };
        for (present, id) in [(has_type, &mut instruction.ty), (has_result, &mut instruction.result)] {
            if present {
                let Some((first, rest)) = instruction.operands.split_first() else {
                    return Err(ReadError::invalid(offset, format!("{op:?} ends before its result")));
                };
                if *first == 0 || *first >= self.bound {
                    return Err(ReadError::invalid(offset, format!("the id {first} of {op:?} is out of bounds")));
                }
                *id = *first;
                instruction.operands = rest;
            }
        }
        self.at += count;
        Ok(instruction)
    }
}

impl<'w> Iterator for Cursor<'w> {
    type Item = Result<Instruction<'w>>;

    fn next(&mut self) -> Option<Result<Instruction<'w>>> {
        if self.at >= self.end {
            return None;
        }
        let first = *self.words.get(self.at)?;
        let read = self.read(first);
        if read.is_err() {
            self.at = self.end;
        }
        Some(read)
    }
}
