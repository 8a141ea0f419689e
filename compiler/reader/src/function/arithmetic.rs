//! Arithmetic on integers and floating numbers, and logic.

use super::{FunctionReader, Item};
use crate::decode::Instruction;
use crate::error::Result;
use crate::operations::{integer, logic, shift};
use crate::types::Kind;
use clforge_ir::{BinaryOp, CompareOp, Intrinsic, ScalarType, Type, UnaryOp, Value};
use rspirv::spirv::Op;
use smallvec::smallvec;

/// Whether an instruction is read here.
pub fn is_arithmetic(op: Op) -> bool {
    integer(op).is_some()
        || floating(op).is_some()
        || logic(op).is_some()
        || dot_product(op).is_some()
        || matches!(op, Op::SNegate | Op::FNegate | Op::Not | Op::LogicalNot | Op::SMod | Op::FMod | Op::FRem)
        || shift(op).is_some()
        || matches!(op, Op::VectorTimesScalar | Op::Dot | Op::BitCount | Op::BitReverse)
        || matches!(op, Op::BitFieldInsert | Op::BitFieldSExtract | Op::BitFieldUExtract)
        || matches!(op, Op::IAddCarry | Op::ISubBorrow | Op::UMulExtended | Op::SMulExtended | Op::Any | Op::All)
}

fn floating(op: Op) -> Option<BinaryOp> {
    Some(match op {
        Op::FAdd => BinaryOp::FAdd,
        Op::FSub => BinaryOp::FSub,
        Op::FMul => BinaryOp::FMul,
        Op::FDiv => BinaryOp::FDiv,
        _ => return None,
    })
}

/// Which operands of a product of integer vectors are signed, and whether it adds with saturation.
fn dot_product(op: Op) -> Option<([bool; 2], bool)> {
    Some(match op {
        Op::SDot => ([true, true], false),
        Op::UDot => ([false, false], false),
        Op::SUDot => ([true, false], false),
        Op::SDotAccSat => ([true, true], true),
        Op::UDotAccSat => ([false, false], true),
        Op::SUDotAccSat => ([true, false], true),
        _ => return None,
    })
}

impl<'w> FunctionReader<'_, '_, 'w, '_> {
    /// The result's type, which must be one of integers, of floating numbers, or of `bool`s.
    fn result_of(&self, at: &Instruction<'w>, good: impl Fn(ScalarType) -> bool) -> Result<Type> {
        let ty = self.m.tables.types.value(at, at.ty)?;
        match good(ty.scalar) {
            true => Ok(ty),
            false => Err(at.invalid(format!("{:?} with a result of type {ty}", at.op))),
        }
    }

    /// Two operands of one type.
    fn pair(&mut self, at: &Instruction<'w>, ty: Type) -> Result<(Value, Value)> {
        Ok((self.operand_of(at, 0, ty)?, self.operand_of(at, 1, ty)?))
    }

    /// An instruction of this file.
    pub fn arithmetic(&mut self, at: &Instruction<'w>) -> Result<()> {
        let value = if let Some(op) = integer(at.op) {
            let ty = self.result_of(at, ScalarType::is_int)?;
            let (x, y) = self.pair(at, ty)?;
            self.b.binary(op, x, y)
        } else if let Some(op) = floating(at.op) {
            let ty = self.result_of(at, ScalarType::is_float)?;
            let (x, y) = self.pair(at, ty)?;
            self.check_rounding(at)?;
            self.b.binary(op, x, y)
        } else if let Some(op) = shift(at.op) {
            self.shift(at, op)?
        } else if let Some(op) = logic(at.op) {
            let ty = self.result_of(at, |scalar| scalar == ScalarType::Bool)?;
            let (x, y) = self.pair(at, ty)?;
            self.b.binary(op, x, y)
        } else if let Some((signed, saturating)) = dot_product(at.op) {
            self.dot_product(at, signed, saturating)?
        } else {
            match at.op {
                Op::IAddCarry | Op::ISubBorrow | Op::UMulExtended | Op::SMulExtended => return self.two_words(at),
                Op::Any | Op::All => self.reduction(at)?,
                _ => self.other_arithmetic(at)?,
            }
        };
        self.define_value(at, value)
    }

    fn other_arithmetic(&mut self, at: &Instruction<'w>) -> Result<Value> {
        self.check_rounding(at)?;
        match at.op {
            Op::SNegate | Op::Not => {
                let ty = self.result_of(at, ScalarType::is_int)?;
                let x = self.operand_of(at, 0, ty)?;
                Ok(self.b.unary(if at.op == Op::Not { UnaryOp::Not } else { UnaryOp::Neg }, x))
            }
            Op::LogicalNot => {
                let ty = self.result_of(at, |scalar| scalar == ScalarType::Bool)?;
                let x = self.operand_of(at, 0, ty)?;
                Ok(self.b.unary(UnaryOp::Not, x))
            }
            Op::FNegate => {
                let ty = self.result_of(at, ScalarType::is_float)?;
                let x = self.operand_of(at, 0, ty)?;
                Ok(self.b.unary(UnaryOp::FNeg, x))
            }
            Op::SMod | Op::FMod | Op::FRem => self.remainder(at),
            Op::VectorTimesScalar => {
                let ty = self.result_of(at, ScalarType::is_float)?;
                let (x, y) = (self.operand_of(at, 0, ty)?, self.operand_of(at, 1, ty.lane())?);
                let y = self.b.splat(y, ty.lanes);
                Ok(self.b.binary(BinaryOp::FMul, x, y))
            }
            Op::Dot => {
                let ty = self.result_of(at, ScalarType::is_float)?;
                let lanes = self.operand(at, 0)?;
                let vector = ty.with_scalar(ty.scalar);
                let vector = Type { lanes: self.b.ty(lanes).lanes, ..vector };
                let (x, y) = self.pair(at, vector)?;
                if vector.lanes == 1 {
                    return Err(at.invalid("a product of vectors of numbers that are none"));
                }
                Ok(self.b.intrinsic(Intrinsic::Dot, &[x, y], ty))
            }
            Op::BitCount => {
                let ty = self.result_of(at, ScalarType::is_int)?;
                let x = self.operand(at, 0)?;
                let from = self.b.ty(x);
                if !from.scalar.is_int() || from.lanes != ty.lanes {
                    return Err(at.invalid("bits of what is no integer are counted"));
                }
                let count = self.b.intrinsic(Intrinsic::Popcount, &[x], from);
                Ok(self.b.resize(count, ty.scalar, false))
            }
            _ => self.bit_field(at),
        }
    }

    fn bit_field(&mut self, at: &Instruction<'w>) -> Result<Value> {
        let ty = self.result_of(at, ScalarType::is_int)?;
        let (name, values) = match at.op {
            Op::BitReverse => ("bit_reverse", 1),
            Op::BitFieldInsert => ("bitfield_insert", 2),
            Op::BitFieldSExtract => ("bitfield_extract_signed", 1),
            _ => ("bitfield_extract_unsigned", 1),
        };
        let mut args = Vec::new();
        for index in 0..values {
            args.push((self.operand_of(at, index, ty)?, false));
        }
        if at.op != Op::BitReverse {
            for index in values..values + 2 {
                args.push((self.index(at, index, Type::I32)?, false));
            }
        }
        self.numbers_builtin(at, name, &args, ty, false)
    }

    /// Counts of a shift may be of another width than what is shifted.
    fn shift(&mut self, at: &Instruction<'w>, op: BinaryOp) -> Result<Value> {
        let ty = self.result_of(at, ScalarType::is_int)?;
        let x = self.operand_of(at, 0, ty)?;
        let count = self.index(at, 1, ty)?;
        // The IR has no counts beyond the width; SPIR-V leaves their result open.
        let count = self.b.binary_int(BinaryOp::And, count, i64::from(ty.scalar.bits()) - 1);
        Ok(self.b.binary(op, x, count))
    }

    /// Remainders: with the sign of the divisor (`…Mod`) or of the dividend.
    fn remainder(&mut self, at: &Instruction<'w>) -> Result<Value> {
        let is_float = at.op != Op::SMod;
        let ty = self.result_of(at, |scalar| if is_float { scalar.is_float() } else { scalar.is_int() })?;
        let (x, y) = self.pair(at, ty)?;
        let rest = match is_float {
            true => self.b.intrinsic(Intrinsic::Fmod, &[x, y], ty),
            false => self.b.binary(BinaryOp::SRem, x, y),
        };
        if at.op == Op::FRem {
            return Ok(rest);
        }
        let (rest_bits, y_bits) = if is_float { (self.b.to_bits(rest), self.b.to_bits(y)) } else { (rest, y) };
        let signs = self.b.binary(BinaryOp::Xor, rest_bits, y_bits);
        let differ = self.b.compare_int(CompareOp::SLt, signs, 0);
        let (some, sum) = if is_float {
            let zero = self.b.float(ty, 0.0);
            (self.b.compare(CompareOp::FNe, rest, zero), self.b.binary(BinaryOp::FAdd, rest, y))
        } else {
            (self.b.compare_int(CompareOp::Ne, rest, 0), self.b.binary(BinaryOp::Add, rest, y))
        };
        let moved = self.b.binary(BinaryOp::And, differ, some);
        Ok(self.b.select(moved, sum, rest))
    }

    /// Whether any or all lanes are true. LLVM's own back end (22) has integers as lanes, of which the sign says it, as for the
    /// functions `any` and `all` of OpenCL C.
    fn reduction(&mut self, at: &Instruction<'w>) -> Result<Value> {
        let mut vector = self.operand(at, 0)?;
        if self.b.ty(vector).scalar.is_int() {
            vector = self.b.compare_int(CompareOp::SLt, vector, 0);
        }
        let ty = self.b.ty(vector);
        if ty.scalar != ScalarType::Bool {
            return Err(at.invalid("the operand is no vector of bools"));
        }
        let op = if at.op == Op::Any { BinaryOp::Or } else { BinaryOp::And };
        let mut all = self.b.extract(vector, 0);
        for lane in 1..ty.lanes {
            let next = self.b.extract(vector, lane);
            all = self.b.binary(op, all, next);
        }
        Ok(all)
    }

    /// Results of two words: a structure.
    fn two_words(&mut self, at: &Instruction<'w>) -> Result<()> {
        let Kind::Struct { members, .. } = &self.m.tables.types.get(at, at.ty)?.kind else {
            return Err(at.invalid("the result is no structure"));
        };
        let members = members.clone();
        let [low, high] = members[..] else { return Err(at.invalid("the result has not two members")) };
        let ty = self.m.tables.types.value(at, low)?;
        if low != high || !ty.scalar.is_int() {
            return Err(at.invalid("the members of the result are not two integers"));
        }
        let (x, y) = self.pair(at, ty)?;
        let (low, high) = match at.op {
            Op::IAddCarry | Op::ISubBorrow => {
                let (op, of) = if at.op == Op::IAddCarry { (BinaryOp::Add, true) } else { (BinaryOp::Sub, false) };
                let low = self.b.binary(op, x, y);
                let carry = if of { (low, x) } else { (x, y) };
                let carry = self.b.compare(CompareOp::ULt, carry.0, carry.1);
                (low, self.b.convert(clforge_ir::ConvertOp::ZExt, carry, ty))
            }
            _ => {
                let function = if at.op == Op::SMulExtended { Intrinsic::SMulHi } else { Intrinsic::UMulHi };
                (self.b.binary(BinaryOp::Mul, x, y), self.b.intrinsic(function, &[x, y], ty))
            }
        };
        self.define(at, Item::Parts(smallvec![low, high]));
        Ok(())
    }

    /// Products of integer vectors, or of integers of 32 bits as four bytes each.
    fn dot_product(&mut self, at: &Instruction<'w>, signed: [bool; 2], saturating: bool) -> Result<Value> {
        let ty = self.result_of(at, ScalarType::is_int)?;
        let bytes = Type::vector(ScalarType::I8, 4);
        let mut wide = Vec::new();
        for (index, signed) in signed.into_iter().enumerate() {
            let value = self.operand(at, index)?;
            let value = if self.b.ty(value) == Type::I32 { self.b.bitcast(value, bytes) } else { value };
            let from = self.b.ty(value);
            if !from.is_vector() || !from.scalar.is_int() || from.scalar.bits() > ty.scalar.bits() {
                return Err(at.invalid(format!("operand {index} is of type {from}")));
            }
            wide.push(self.b.resize(value, ty.scalar, signed));
        }
        let (x, y) = (wide[0], wide[1]);
        if ty.is_vector() || self.b.ty(x) != self.b.ty(y) {
            return Err(at.invalid("the vectors are of different lengths"));
        }
        let products = self.b.binary(BinaryOp::Mul, x, y);
        let mut sum = self.b.extract(products, 0);
        for lane in 1..self.b.ty(products).lanes {
            let product = self.b.extract(products, lane);
            sum = self.b.binary(BinaryOp::Add, sum, product);
        }
        if !saturating {
            return Ok(sum);
        }
        let accumulator = self.operand_of(at, 2, ty)?;
        let signed = signed[0] || signed[1];
        self.numbers_builtin(at, "add_sat", &[(sum, signed), (accumulator, signed)], ty, signed)
    }
}
