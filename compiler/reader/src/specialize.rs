//! Replaces the default values of specialisation constants, in modules for any environment.

use crate::decode::{Cursor, Instruction, header};
use crate::error::{ReadError, Result};
use clforge_basic::arithmetic::Float;
use clforge_basic::narrow::{low_u32, low_u64};
use rspirv::spirv::{Decoration, Op};
use rustc_hash::FxHashMap;

/// A value for a specialisation constant, whose type says what is made of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SpecValue {
    /// For integers, floating numbers and `bool`s.
    Integer(i128),
    /// For floating numbers.
    Float(f64),
    /// The bits of a value of the constant's type, in the low ones; of a `bool` any but 0 is true.
    Bits(u64),
}

/// What a module says of its specialisation constants.
struct Constants<'w> {
    /// Types of numbers, by their ids.
    types: FxHashMap<u32, Instruction<'w>>,
    /// The constants of each number (`SpecId`).
    constants: FxHashMap<u32, Vec<Instruction<'w>>>,
}

impl<'w> Constants<'w> {
    fn of(words: &'w [u32]) -> Result<Constants<'w>> {
        let header = header(words)?;
        let mut numbers: FxHashMap<u32, u32> = FxHashMap::default();
        let mut found = Constants { types: FxHashMap::default(), constants: FxHashMap::default() };
        for instruction in Cursor::new(words, &header) {
            let at = instruction?;
            match at.op {
                Op::Decorate if at.optional(1) == Some(Decoration::SpecId as u32) => {
                    numbers.insert(at.operand(0)?, at.operand(2)?);
                }
                Op::TypeInt | Op::TypeFloat | Op::TypeBool => {
                    found.types.insert(at.result, at);
                }
                Op::SpecConstant | Op::SpecConstantTrue | Op::SpecConstantFalse => {
                    if let Some(number) = numbers.get(&at.result) {
                        found.constants.entry(*number).or_default().push(at);
                    }
                }
                Op::Function => break,
                _ => {}
            }
        }
        Ok(found)
    }

    fn ty(&self, at: &Instruction<'w>) -> Result<&Instruction<'w>> {
        self.types.get(&at.ty).ok_or_else(|| at.invalid(format!("%{} is no type of numbers", at.ty)))
    }
}

/// The size in bytes of the values of the specialisation constant of a number (`SpecId`), 1 of a `bool`; `None` where the
/// module has no such constant.
///
/// # Errors
/// Words that are no module.
pub fn spec_constant_size(words: &[u32], number: u32) -> Result<Option<u32>> {
    let found = Constants::of(words)?;
    let Some(at) = found.constants.get(&number).and_then(|constants| constants.first()) else { return Ok(None) };
    Ok(Some(width(found.ty(at)?)?.div_ceil(8)))
}

fn width(ty: &Instruction<'_>) -> Result<u32> {
    if ty.op == Op::TypeBool { Ok(1) } else { ty.operand(0) }
}

/// The module with these values for the constants of these numbers (`SpecId`).
///
/// # Errors
/// A number that no constant of the module has, a value that its type does not have, and words that are no module.
pub fn specialize(words: &[u32], values: &[(u32, SpecValue)]) -> Result<Vec<u32>> {
    let found = Constants::of(words)?;
    let mut changed = words.to_vec();
    for (number, value) in values {
        let Some(constants) = found.constants.get(number) else {
            let message = format!("no specialisation constant has the number {number}");
            return Err(ReadError::unsupported(0, message));
        };
        for at in constants {
            replace(&mut changed, at, found.ty(at)?, *value)?;
        }
    }
    Ok(changed)
}

fn replace(words: &mut [u32], at: &Instruction<'_>, ty: &Instruction<'_>, value: SpecValue) -> Result<()> {
    let bits = bits(ty, value)?;
    let bits = bits.ok_or_else(|| at.unsupported(format!("the constant cannot have the value {value:?}")))?;
    if ty.op == Op::TypeBool {
        let op = if bits == 0 { Op::SpecConstantFalse } else { Op::SpecConstantTrue };
        if let Some(first) = words.get_mut(at.offset) {
            *first = *first & !0xffff | op as u32;
        }
        return Ok(());
    }
    // The literal is behind the opcode, the type and the result.
    let literal = words.get_mut(at.offset + 3..at.offset + 3 + at.operands.len()).unwrap_or_default();
    for (word, shift) in literal.iter_mut().zip([0, 32]) {
        *word = low_u32(bits >> shift);
    }
    Ok(())
}

/// The bits of a value of a type, sign-extended to words; `None` where it has no such value.
fn bits(ty: &Instruction<'_>, value: SpecValue) -> Result<Option<u64>> {
    let width = width(ty)?;
    Ok(match (ty.op, value) {
        (Op::TypeBool, SpecValue::Bits(bits)) => Some(u64::from(bits != 0)),
        // Integers of fewer bits than a word are sign-extended to it.
        (Op::TypeInt, SpecValue::Bits(bits)) if ty.operand(1)? != 0 && (1..64).contains(&width) => {
            Some(((bits << (64 - width)).cast_signed() >> (64 - width)).cast_unsigned())
        }
        (Op::TypeInt | Op::TypeFloat, SpecValue::Bits(bits)) => Some(bits),
        (Op::TypeBool, SpecValue::Integer(value @ 0..=1)) => u64::try_from(value).ok(),
        (Op::TypeInt, SpecValue::Integer(value)) if (1..=64).contains(&width) => {
            let range = -(1_i128 << (width - 1))..1_i128 << width;
            range.contains(&value).then(|| low_u64(value))
        }
        (Op::TypeFloat, SpecValue::Integer(_) | SpecValue::Float(_)) => {
            let number = match value {
                SpecValue::Float(number) => number,
                #[expect(clippy::cast_precision_loss, reason = "rounded as any literal")]
                SpecValue::Integer(value) => value as f64,
                SpecValue::Bits(_) => return Ok(None),
            };
            floating(width, number)
        }
        _ => None,
    })
}

fn floating(width: u32, number: f64) -> Option<u64> {
    let format = match width {
        16 => Float::Half,
        32 => Float::Single,
        64 => Float::Double,
        _ => return None,
    };
    Some(format.bits(number))
}
