//! Conversions between numbers, bits and pointers.

use super::{FunctionReader, Item};
use crate::decode::Instruction;
use crate::error::Result;
use clforge_ir::{BinaryOp, CompareOp, ConvertOp, ScalarType, Space, Type, Value};
use clforge_lower::builtins::intel::{bfloat16_to_float, nearest_bfloat16};
use rspirv::spirv::{Decoration, FPRoundingMode, Op};

/// Whether an instruction is read here.
pub fn is_conversion(op: Op) -> bool {
    numbers(op).is_some()
        || matches!(op, Op::ConvertPtrToU | Op::ConvertUToPtr | Op::Bitcast | Op::PtrCastToGeneric)
        || matches!(op, Op::GenericCastToPtr | Op::GenericCastToPtrExplicit | Op::GenericPtrMemSemantics)
        || matches!(op, Op::CopyObject | Op::CopyLogical | Op::ExpectKHR | Op::ArithmeticFenceEXT)
        || matches!(op, Op::ConvertFToBF16INTEL | Op::ConvertBF16ToFINTEL)
}

/// Whether the operand and the result are signed, where that is known to matter.
fn numbers(op: Op) -> Option<(bool, bool)> {
    Some(match op {
        Op::ConvertFToU | Op::UConvert | Op::ConvertUToF => (false, false),
        Op::ConvertFToS | Op::SConvert | Op::ConvertSToF | Op::FConvert => (true, true),
        Op::SatConvertSToU => (true, false),
        Op::SatConvertUToS => (false, true),
        _ => return None,
    })
}

impl<'w> FunctionReader<'_, '_, 'w, '_> {
    /// An instruction of this file.
    pub fn conversion(&mut self, at: &Instruction<'w>) -> Result<()> {
        if let Some((from, to)) = numbers(at.op) {
            let value = self.numbers(at, from, to)?;
            return self.define_value(at, value);
        }
        let item = self.known(at, at.operand(0)?)?.item;
        if let (Item::BuiltIn(..), Op::Bitcast | Op::PtrCastToGeneric | Op::GenericCastToPtr | Op::CopyObject) =
            (&item, at.op)
        {
            self.define(at, item);
            return Ok(());
        }
        if matches!(at.op, Op::CopyObject | Op::CopyLogical | Op::ExpectKHR | Op::ArithmeticFenceEXT) {
            let parts = self.parts_of(at, at.operand(0)?, at.ty)?;
            self.define(at, Item::Parts(parts));
            return Ok(());
        }
        let ty = self.m.tables.types.value(at, at.ty)?;
        let value = self.operand(at, 0)?;
        let value = match at.op {
            Op::Bitcast => self.bits(at, value, ty)?,
            Op::ConvertFToBF16INTEL | Op::ConvertBF16ToFINTEL => self.bfloat16(at, value, ty)?,
            Op::GenericPtrMemSemantics => self.semantics_of(at, value, ty)?,
            _ => self.pointer_conversion(at, value, ty)?,
        };
        self.define_value(at, value)
    }

    /// A conversion between `float` and the bits of a `bfloat16` (`SPV_INTEL_bfloat16_conversion`).
    fn bfloat16(&mut self, at: &Instruction<'w>, value: Value, to: Type) -> Result<Value> {
        let from = self.b.ty(value);
        let is_from_float = at.op == Op::ConvertFToBF16INTEL;
        let (float, bits) = if is_from_float { (from, to) } else { (to, from) };
        if float.scalar != ScalarType::F32 || bits.scalar != ScalarType::I16 || from.lanes != to.lanes {
            return Err(at.invalid(format!("{:?} of {from} to {to}", at.op)));
        }
        let convert = if is_from_float { nearest_bfloat16 } else { bfloat16_to_float };
        Ok(convert(&mut self.b, value))
    }

    /// A conversion of numbers: the built-in function `convert_…` that does it.
    fn numbers(&mut self, at: &Instruction<'w>, from_signed: bool, to_signed: bool) -> Result<Value> {
        let (x, to) = (self.operand(at, 0)?, self.m.tables.types.value(at, at.ty)?);
        let from = self.b.ty(x);
        let (from_float, to_float) = match at.op {
            Op::ConvertFToU | Op::ConvertFToS => (true, false),
            Op::ConvertSToF | Op::ConvertUToF => (false, true),
            Op::FConvert => (true, true),
            _ => (false, false),
        };
        let good = |scalar: ScalarType, float: bool| if float { scalar.is_float() } else { scalar.is_int() };
        if !good(from.scalar, from_float) || !good(to.scalar, to_float) || from.lanes != to.lanes {
            return Err(at.invalid(format!("{:?} of {from} to {to}", at.op)));
        }
        let saturating = matches!(at.op, Op::SatConvertSToU | Op::SatConvertUToS)
            || self.m.tables.fact(at.result, Decoration::SaturatedConversion).is_some();
        if saturating && self.m.tables.types.width(at.ty).is_some() {
            return Err(at.unsupported("a saturating conversion to integers of this width is not supported"));
        }
        if !from_float && !to_float && !saturating {
            return Ok(self.b.resize(x, to.scalar, from_signed));
        }
        let mut name = format!("convert_{}", scalar_name(to.scalar, to_signed));
        if to.is_vector() {
            name.push_str(&to.lanes.to_string());
        }
        if saturating && !to_float {
            name.push_str("_sat");
        }
        name.push_str(match self.rounding(at)? {
            Some(FPRoundingMode::RTE) => "_rte",
            Some(FPRoundingMode::RTZ) => "_rtz",
            Some(FPRoundingMode::RTP) => "_rtp",
            Some(FPRoundingMode::RTN) => "_rtn",
            None => "",
        });
        self.numbers_builtin(at, &name, &[(x, from_signed)], to, to_signed)
    }

    /// The rounding mode that an instruction is decorated with.
    fn rounding(&self, at: &Instruction<'w>) -> Result<Option<FPRoundingMode>> {
        let Some(operands) = self.m.tables.fact(at.result, Decoration::FPRoundingMode) else { return Ok(None) };
        let mode = operands.first().copied().and_then(FPRoundingMode::from_u32);
        mode.map(Some).ok_or_else(|| at.invalid("a rounding mode that does not exist"))
    }

    /// Only conversions have rounding modes of their own: everything else rounds to the nearest value, or its result may have
    /// an error anyway.
    pub fn check_rounding(&self, at: &Instruction<'w>) -> Result<()> {
        match self.rounding(at)? {
            None | Some(FPRoundingMode::RTE) => Ok(()),
            Some(mode) => Err(at.unsupported(format!("the rounding mode {mode:?} of {:?} is not supported", at.op))),
        }
    }

    /// `OpBitcast`.
    fn bits(&mut self, at: &Instruction<'w>, value: Value, to: Type) -> Result<Value> {
        let from = self.b.ty(value);
        match (from.space(), to.space()) {
            (Some(from), Some(to)) if from == to => {
                self.check_cast(at)?;
                return Ok(value);
            }
            // SPIR-V 1.5 also has vectors of 32-bit integers.
            (Some(_), None) if is_pair(to) => {
                let address = self.pointer_conversion(at, value, Type::I64)?;
                return Ok(self.b.bitcast(address, to));
            }
            (None, Some(_)) if is_pair(from) => {
                let address = self.b.bitcast(value, Type::I64);
                return self.pointer_conversion(at, address, to);
            }
            (Some(_), Some(_)) | (Some(_), None) | (None, Some(_)) => return self.pointer_conversion(at, value, to),
            (None, None) => {}
        }
        if self.is_mask_cast(at)? {
            return Ok(if to.is_vector() { self.lanes_of(value, to) } else { self.mask_of(value, to) });
        }
        let number = |ty: Type| ty.scalar.is_int() || ty.scalar.is_float();
        if !number(from) || !number(to) || from.bits() != to.bits() {
            return Err(at.invalid(format!("the bits of {from} as {to}")));
        }
        Ok(self.b.bitcast(value, to))
    }

    /// Whether an instruction has the lanes of a vector of `bool`s for the bits of an integer, or the other way: SPIR-V has no such
    /// `OpBitcast`, and LLVM's translator makes it of what the optimiser makes of `any` and `all`.
    pub fn is_mask_cast(&mut self, at: &Instruction<'w>) -> Result<bool> {
        let from = self.known(at, at.operand(0)?)?.ty;
        let types = &self.m.tables.types;
        let value = |id: u32| types.value(at, id).ok();
        let (Some(one), Some(other)) = (value(from), value(at.ty)) else { return Ok(false) };
        let fits = |bools: Type, number: Type, id: u32| {
            bools.scalar == ScalarType::Bool
                && bools.is_vector()
                && number.scalar.is_int()
                && !number.is_vector()
                && types.width(id).unwrap_or(number.scalar.bits()) == u32::from(bools.lanes)
        };
        Ok(at.op == Op::Bitcast && (fits(one, other, at.ty) || fits(other, one, from)))
    }

    fn mask_of(&mut self, bools: Value, to: Type) -> Value {
        let mut mask = self.b.int(to, 0);
        for lane in 0..self.b.ty(bools).lanes {
            let truth = self.b.extract(bools, lane);
            let bit = self.b.convert(ConvertOp::ZExt, truth, to);
            let bit = self.b.binary_int(BinaryOp::Shl, bit, i64::from(lane));
            mask = self.b.binary(BinaryOp::Or, mask, bit);
        }
        mask
    }

    fn lanes_of(&mut self, mask: Value, to: Type) -> Value {
        let mut lanes = Vec::new();
        for lane in 0..to.lanes {
            let bit = self.b.binary_int(BinaryOp::And, mask, 1 << lane);
            lanes.push(self.b.compare_int(CompareOp::Ne, bit, 0));
        }
        self.b.construct(&lanes)
    }

    fn pointer_conversion(&mut self, at: &Instruction<'w>, value: Value, to: Type) -> Result<Value> {
        let from = self.b.ty(value);
        let bad = || at.invalid(format!("{:?} of {from} to {to}", at.op));
        match (from.space(), to.space()) {
            (Some(_), None) if to.scalar.is_int() && !to.is_vector() => {
                let bits = self.b.convert(ConvertOp::PtrToInt, value, Type::I64);
                Ok(self.b.resize(bits, to.scalar, false))
            }
            (None, Some(_)) if from.scalar.is_int() && !from.is_vector() => {
                let bits = self.b.resize(value, ScalarType::I64, false);
                Ok(self.b.convert(ConvertOp::IntToPtr, bits, to))
            }
            (Some(one), Some(other)) if one == other => Ok(value),
            (Some(Space::Generic), Some(space)) => {
                if at.op == Op::GenericCastToPtrExplicit && space == Space::Constant {
                    return Err(bad());
                }
                // A cast to a wrong address space is undefined, and must not become one between two known spaces.
                let op = if space == Space::Constant { ConvertOp::PtrCast } else { ConvertOp::PtrCastChecked };
                Ok(self.b.convert(op, value, to))
            }
            (Some(_), Some(Space::Generic)) => Ok(self.b.convert(ConvertOp::PtrCast, value, to)),
            _ => Err(bad()),
        }
    }

    /// The memory semantics of the memory that a generic pointer points to: bit 8 for local, bit 9 for global.
    fn semantics_of(&mut self, at: &Instruction<'w>, value: Value, ty: Type) -> Result<Value> {
        if self.b.ty(value) != Type::ptr(Space::Generic) || ty != Type::I32 {
            return Err(at.invalid("no generic pointer"));
        }
        let mut mask = self.b.int(Type::I32, 0);
        for (space, bit) in [(Space::Local, 0x100), (Space::Global, 0x200)] {
            let pointer = self.b.convert(ConvertOp::PtrCastChecked, value, Type::ptr(space));
            let null = self.b.int(Type::ptr(space), 0);
            let there = self.b.compare(CompareOp::Ne, pointer, null);
            let (bit, none) = (self.b.int(Type::I32, bit), self.b.int(Type::I32, 0));
            let bit = self.b.select(there, bit, none);
            mask = self.b.binary(BinaryOp::Or, mask, bit);
        }
        Ok(mask)
    }
}

/// The name of a type of numbers in OpenCL C.
pub fn scalar_name(scalar: ScalarType, signed: bool) -> &'static str {
    match (scalar, signed) {
        (ScalarType::I8, true) => "char",
        (ScalarType::I8, false) => "uchar",
        (ScalarType::I16, true) => "short",
        (ScalarType::I16, false) => "ushort",
        (ScalarType::I32, true) => "int",
        (ScalarType::I32, false) => "uint",
        (ScalarType::I64, true) => "long",
        (ScalarType::F16, _) => "half",
        (ScalarType::F32, _) => "float",
        (ScalarType::F64, _) => "double",
        _ => "ulong",
    }
}

/// Whether a type is two integers of 32 bits.
fn is_pair(ty: Type) -> bool {
    ty == Type::vector(ScalarType::I32, 2)
}
