//! Comparisons, classes of floating numbers, and choices.

use super::{FunctionReader, Item, Parts};
use crate::decode::Instruction;
use crate::error::Result;
use crate::operations;
use clforge_ir::{BinaryOp, CompareOp, ConvertOp, ScalarType, Type, UnaryOp, Value};
use rspirv::spirv::Op;

/// Whether an instruction is read here.
pub fn is_comparison(op: Op) -> bool {
    operations::comparison(op).is_some()
        || of_floats(op).is_some()
        || class(op).is_some()
        || matches!(op, Op::Select | Op::PtrEqual | Op::PtrNotEqual | Op::PtrDiff)
}

/// The comparison, and whether its result is inverted: what is unordered is the inverse of what is ordered.
fn of_floats(op: Op) -> Option<(CompareOp, bool)> {
    Some(match op {
        Op::FOrdEqual => (CompareOp::FEq, false),
        Op::FUnordNotEqual => (CompareOp::FNe, false),
        Op::FOrdLessThan => (CompareOp::FLt, false),
        Op::FOrdLessThanEqual => (CompareOp::FLe, false),
        Op::FOrdGreaterThan => (CompareOp::FGt, false),
        Op::FOrdGreaterThanEqual => (CompareOp::FGe, false),
        Op::FUnordLessThan => (CompareOp::FGe, true),
        Op::FUnordLessThanEqual => (CompareOp::FGt, true),
        Op::FUnordGreaterThan => (CompareOp::FLe, true),
        Op::FUnordGreaterThanEqual => (CompareOp::FLt, true),
        Op::Ordered => (CompareOp::FOrd, false),
        Op::Unordered => (CompareOp::FUno, false),
        // With the test for a NaN.
        Op::FOrdNotEqual | Op::LessOrGreater => (CompareOp::FNe, false),
        Op::FUnordEqual => (CompareOp::FEq, false),
        _ => return None,
    })
}

/// The built-in function that tells classes of numbers apart.
fn class(op: Op) -> Option<&'static str> {
    Some(match op {
        Op::IsNan => "isnan",
        Op::IsInf => "isinf",
        Op::IsFinite => "isfinite",
        Op::IsNormal => "isnormal",
        Op::SignBitSet => "signbit",
        _ => return None,
    })
}

impl<'w> FunctionReader<'_, '_, 'w, '_> {
    /// An instruction of this file.
    pub fn comparison(&mut self, at: &Instruction<'w>) -> Result<()> {
        let value = match at.op {
            Op::Select => return self.select(at),
            Op::PtrEqual | Op::PtrNotEqual | Op::PtrDiff => self.pointers(at)?,
            _ => match class(at.op) {
                Some(name) => self.class(at, name)?,
                None => self.compare(at)?,
            },
        };
        self.define_value(at, value)
    }

    fn compare(&mut self, at: &Instruction<'w>) -> Result<Value> {
        let x = self.operand(at, 0)?;
        let ty = self.b.ty(x);
        let y = self.operand_of(at, 1, ty)?;
        let bad = || at.invalid(format!("{:?} of operands of type {ty}", at.op));
        if let Some((op, inverted)) = of_floats(at.op) {
            if !ty.scalar.is_float() {
                return Err(bad());
            }
            let mut value = self.b.compare(op, x, y);
            if inverted {
                value = self.b.unary(UnaryOp::Not, value);
            }
            let order = match at.op {
                Op::FOrdNotEqual | Op::LessOrGreater => Some((CompareOp::FOrd, BinaryOp::And)),
                Op::FUnordEqual => Some((CompareOp::FUno, BinaryOp::Or)),
                _ => None,
            };
            if let Some((test, join)) = order {
                let test = self.b.compare(test, x, y);
                value = self.b.binary(join, value, test);
            }
            return Ok(value);
        }
        let is_of_bools = matches!(at.op, Op::LogicalEqual | Op::LogicalNotEqual);
        let good = if is_of_bools { ty.scalar == ScalarType::Bool } else { ty.space().is_some() || ty.scalar.is_int() };
        let op = operations::comparison(at.op).filter(|_| good).ok_or_else(bad)?;
        Ok(self.b.compare(op, x, y))
    }

    /// Built-in functions give numbers, instructions `bool`s.
    fn class(&mut self, at: &Instruction<'w>, name: &str) -> Result<Value> {
        let x = self.operand(at, 0)?;
        let ty = self.b.ty(x);
        if !ty.scalar.is_float() {
            return Err(at.invalid(format!("the class of an operand of type {ty}")));
        }
        let scalar = if ty.is_vector() { ScalarType::int(ty.scalar.bits()) } else { ScalarType::I32 };
        let number = self.numbers_builtin(at, name, &[(x, true)], ty.with_scalar(scalar), true)?;
        Ok(self.b.compare_int(CompareOp::Ne, number, 0))
    }

    fn pointers(&mut self, at: &Instruction<'w>) -> Result<Value> {
        let (x, y) = (self.pointer(at, 0)?, self.pointer(at, 1)?);
        if self.b.ty(x) != self.b.ty(y) {
            return Err(at.invalid("pointers of different address spaces"));
        }
        match at.op {
            Op::PtrEqual => return Ok(self.b.compare(CompareOp::Eq, x, y)),
            Op::PtrNotEqual => return Ok(self.b.compare(CompareOp::Ne, x, y)),
            _ => {}
        }
        let pointee = self.pointee(at, at.operand(0)?)?;
        let pointee = pointee.ok_or_else(|| at.invalid("a difference of pointers without a type"))?;
        let size = self.m.tables.types.get(at, pointee)?.size.max(1);
        let [x, y] = [x, y].map(|pointer| self.b.convert(ConvertOp::PtrToInt, pointer, Type::I64));
        let bytes = self.b.binary(BinaryOp::Sub, x, y);
        let size = self.b.int(Type::I64, clforge_basic::narrow::to_i64(size));
        let count = self.b.binary(BinaryOp::SDiv, bytes, size);
        let ty = self.m.tables.types.value(at, at.ty)?;
        Ok(if ty.scalar.is_int() { self.b.resize(count, ty.scalar, true) } else { count })
    }

    /// `OpSelect`, also of structures.
    fn select(&mut self, at: &Instruction<'w>) -> Result<()> {
        let condition = self.operand(at, 0)?;
        let choice = self.b.ty(condition);
        let (x, y) = (self.parts_of(at, at.operand(1)?, at.ty)?, self.parts_of(at, at.operand(2)?, at.ty)?);
        let mut parts = Parts::new();
        for (x, y) in x.into_iter().zip(y) {
            if choice.scalar != ScalarType::Bool || (choice.is_vector() && choice.lanes != self.b.ty(x).lanes) {
                return Err(at.invalid("the condition is no bool, or has other lanes"));
            }
            parts.push(self.b.select(condition, x, y));
        }
        self.define(at, Item::Parts(parts));
        Ok(())
    }
}
