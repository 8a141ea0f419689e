//! Instructions of `OpenCL.std`, and other instructions that correspond to a built-in function of OpenCL C: the
//! instruction is lowered as a call of the function. The names of instructions are those of the functions, except that
//! they distinguish types, for which OpenCL C has overloads.

use super::conversion::scalar_name;
use super::{FunctionReader, Item};
use crate::decode::Instruction;
use crate::error::{ReadError, Result};
use clforge_ir::{Intrinsic, Op as Inst, ScalarType, Type, Value, Values};
use clforge_lower::builtins::{BuiltinCall, lower};
use clforge_sema::builtins::by_name;
use clforge_sema::hir::types::{FloatKind, IntKind, QualTy, Scalar, Ty};
use rspirv::grammar::OPENCL_STD_100_INSTRUCTION_TABLE;
use rspirv::spirv::FPRoundingMode;
use std::collections::HashMap;
use std::sync::OnceLock;

/// The name of an instruction of `OpenCL.std`.
fn name(number: u32) -> Option<&'static str> {
    static NAMES: OnceLock<HashMap<u32, &'static str>> = OnceLock::new();
    let names = NAMES.get_or_init(|| {
        OPENCL_STD_100_INSTRUCTION_TABLE.iter().map(|entry| (u32::from(entry.opcode), entry.opname)).collect()
    });
    names.get(&number).copied()
}

/// The function that an instruction on numbers is, and whether its integers are signed.
fn function(name: &'static str) -> (&'static str, bool) {
    match name {
        "fclamp" => ("clamp", true),
        "fmax_common" => ("max", true),
        "fmin_common" => ("min", true),
        _ => match (name.strip_prefix("s_"), name.strip_prefix("u_")) {
            (Some(rest), _) => (rest, true),
            (_, Some(rest)) => (rest, false),
            _ => (name, true),
        },
    }
}

/// What the last operand of a function points to, a type with the lanes of the result.
fn pointee(name: &str, result: Type) -> Option<Type> {
    match name {
        "fract" | "modf" | "sincos" => Some(result),
        "frexp" | "lgamma_r" | "remquo" => Some(result.with_scalar(ScalarType::I32)),
        _ => None,
    }
}

impl<'w> FunctionReader<'_, '_, 'w, '_> {
    /// An instruction of `OpenCL.std`.
    pub fn extended(&mut self, at: &Instruction<'w>) -> Result<()> {
        let number = at.operand(1)?;
        let name = name(number).ok_or_else(|| at.invalid(format!("OpenCL.std has no instruction {number}")))?;
        match name {
            "printf" => return self.printf(at),
            "prefetch" => return Ok(()),
            "vloadn" | "vstoren" => return self.vector_access(at, name == "vloadn"),
            _ if name.starts_with("vload") || name.starts_with("vstore") => return self.half_access(at, name),
            _ => {}
        }
        self.check_rounding(at)?;
        let (function, signed) = function(name);
        let result = self.m.tables.types.value(at, at.ty)?;
        let count = at.operands.len();
        let mut args = Vec::new();
        for index in 2..count {
            args.push(self.operand(at, index)?);
        }
        self.check_numbers(at, name, &args, result)?;
        let pointee = pointee(name, result);
        let mut types = Vec::new();
        for (index, arg) in args.iter().enumerate() {
            let ty = match pointee.filter(|_| index + 1 == args.len()) {
                Some(pointee) => self.pointer_to(pointee),
                None => self.source_type(at, self.b.ty(*arg), signed)?,
            };
            types.push(QualTy::plain(ty));
        }
        let value = self.builtin(at, function, &args, &types, Some((result, signed)))?;
        let value = value.ok_or_else(|| at.invalid(format!("'{name}' has no result")))?;
        self.define_value(at, value)
    }

    /// That an instruction's operands are what its function takes, so that nothing below has to doubt it.
    fn check_numbers(&mut self, at: &Instruction<'w>, name: &str, args: &[Value], result: Type) -> Result<()> {
        let table = OPENCL_STD_100_INSTRUCTION_TABLE.iter().find(|entry| entry.opname == name);
        let expected = table.map_or(0, |entry| entry.operands.len());
        let types: Vec<Type> = args.iter().map(|arg| self.b.ty(*arg)).collect();
        let number = |ty: &Type| ty.scalar.is_int() || ty.scalar.is_float();
        let same = |types: &[Type]| types.iter().all(|ty| *ty == result);
        let int_like = |ty: Type, of: Type| ty.scalar.is_int() && ty.lanes == of.lanes;
        let good = match name {
            "shuffle" | "shuffle2" => match types.split_last() {
                Some((mask, vectors)) => {
                    let vector = vectors.first().copied().unwrap_or(result);
                    int_like(*mask, result)
                        && result.is_vector()
                        && vector.is_vector()
                        && vectors.iter().all(|ty| *ty == vector)
                        && vector.scalar == result.scalar
                }
                None => false,
            },
            "cross" => same(&types) && result.scalar.is_float() && matches!(result.lanes, 3 | 4),
            "distance" | "fast_distance" | "length" | "fast_length" => {
                let first = types.first().copied().unwrap_or(result);
                result.scalar.is_float() && first.lane() == result && types.iter().all(|ty| *ty == first)
            }
            "select" => match types[..] {
                [a, b, c] => a == result && b == result && int_like(c, result) && c.bits() == result.bits(),
                _ => false,
            },
            "nan" => matches!(types[..], [payload] if result.scalar.is_float() && int_like(payload, result)
                && payload.bits() == result.bits()),
            "ilogb" => matches!(types[..], [x] if x.scalar.is_float() && result == x.with_scalar(ScalarType::I32)),
            "ldexp" | "pown" | "rootn" => matches!(types[..], [x, n] if x == result && result.scalar.is_float()
                && n.scalar == ScalarType::I32 && (n.lanes == result.lanes || n.lanes == 1)),
            "s_upsample" | "u_upsample" => matches!(types[..], [high, low] if high == low && int_like(high, result)
                && result.scalar.is_int() && high.bits() * 2 == result.bits()),
            "fract" | "modf" | "sincos" | "frexp" | "lgamma_r" | "remquo" => match types.split_last() {
                Some((last, rest)) => last.space().is_some() && same(rest) && result.scalar.is_float(),
                None => false,
            },
            "bitselect" => same(&types) && number(&result),
            "rotate" | "clz" | "ctz" | "popcount" => same(&types) && result.scalar.is_int(),
            _ if name.starts_with("s_") || name.starts_with("u_") => same(&types) && result.scalar.is_int(),
            _ => same(&types) && result.scalar.is_float(),
        };
        match good && types.len() == expected {
            true => Ok(()),
            false => Err(at.invalid(format!("'{name}' does not take operands of these types"))),
        }
    }

    /// A type of OpenCL C for values of a type.
    fn source_type(&mut self, at: &Instruction<'w>, ty: Type, signed: bool) -> Result<Ty> {
        let scalar = match ty.scalar {
            ScalarType::F16 => Scalar::Float(FloatKind::Half),
            ScalarType::F32 => Scalar::Float(FloatKind::Float),
            ScalarType::F64 => Scalar::Float(FloatKind::Double),
            scalar if scalar.is_int() => Scalar::Int(IntKind::of(scalar.bits(), signed)),
            ScalarType::Opaque(_) => return Ok(Ty::EVENT),
            _ => return Err(at.invalid(format!("an operand of type {ty}"))),
        };
        Ok(self.m.types.vector(scalar, ty.lanes))
    }

    /// The type of pointers to objects of a type; address spaces are those of the values.
    fn pointer_to(&mut self, ty: Type) -> Ty {
        let scalar = match ty.scalar {
            ScalarType::F16 => Scalar::Float(FloatKind::Half),
            ScalarType::F32 => Scalar::Float(FloatKind::Float),
            ScalarType::F64 => Scalar::Float(FloatKind::Double),
            scalar => Scalar::Int(IntKind::of(scalar.bits(), true)),
        };
        let pointee = self.m.types.vector(scalar, ty.lanes);
        self.m.types.pointer_to(QualTy::plain(pointee))
    }

    /// Appends what a call of a built-in function of OpenCL C becomes.
    pub fn builtin(
        &mut self,
        at: &Instruction<'w>,
        name: &str,
        args: &[Value],
        types: &[QualTy],
        result: Option<(Type, bool)>,
    ) -> Result<Option<Value>> {
        let id = by_name(name).ok_or_else(|| at.unsupported(format!("the function '{name}' is not supported")))?;
        let result = match result {
            Some((ty, signed)) => self.source_type(at, ty, signed)?,
            None => Ty::VOID,
        };
        let call = BuiltinCall { arguments: args, argument_types: types, result, into: None };
        let lowered = lower(&mut self.b, &self.m.types, self.m.options, id, &call);
        lowered.map_err(|error| {
            let error = ReadError::stage(at.offset, error);
            if at.result == 0 { error } else { error.about(at.result) }
        })
    }

    /// A function on numbers, each with whether it is signed.
    pub fn numbers_builtin(
        &mut self,
        at: &Instruction<'w>,
        name: &str,
        args: &[(Value, bool)],
        result: Type,
        signed: bool,
    ) -> Result<Value> {
        let mut types = Vec::new();
        for (value, signed) in args {
            types.push(QualTy::plain(self.source_type(at, self.b.ty(*value), *signed)?));
        }
        let values: Vec<Value> = args.iter().map(|(value, _)| *value).collect();
        let value = self.builtin(at, name, &values, &types, Some((result, signed)))?;
        value.ok_or_else(|| at.invalid(format!("'{name}' has no result")))
    }

    /// A function whose pointers point to objects of one type.
    pub fn memory_builtin(
        &mut self,
        at: &Instruction<'w>,
        name: &str,
        args: &[Value],
        element: Type,
        result: Option<Type>,
    ) -> Result<Option<Value>> {
        let mut types = Vec::new();
        for arg in args {
            let ty = match self.b.ty(*arg).space() {
                Some(_) => self.pointer_to(element),
                None => self.source_type(at, self.b.ty(*arg), false)?,
            };
            types.push(QualTy::plain(ty));
        }
        self.builtin(at, name, args, &types, result.map(|ty| (ty, false)))
    }

    /// `vloadn` and `vstoren`.
    fn vector_access(&mut self, at: &Instruction<'w>, is_load: bool) -> Result<()> {
        let (ty, first) = match is_load {
            true => (self.m.tables.types.value(at, at.ty)?, 2),
            false => {
                let data = self.operand(at, 2)?;
                (self.b.ty(data), 3)
            }
        };
        if !ty.is_vector() || !(ty.scalar.is_int() || ty.scalar.is_float()) {
            return Err(at.invalid(format!("an access to a vector of type {ty}")));
        }
        let (offset, ptr) = (self.index(at, first, Type::I64)?, self.pointer(at, first + 1)?);
        if is_load {
            let name = format!("vload{}", ty.lanes);
            let value = self.memory_builtin(at, &name, &[offset, ptr], ty.lane(), Some(ty))?;
            return value.map_or(Ok(()), |value| self.define_value(at, value));
        }
        let data = self.operand(at, 2)?;
        let name = format!("vstore{}", ty.lanes);
        self.memory_builtin(at, &name, &[data, offset, ptr], ty.lane(), None).map(drop)
    }

    /// Accesses to halves in memory.
    fn half_access(&mut self, at: &Instruction<'w>, name: &str) -> Result<()> {
        let is_load = name.starts_with("vload");
        let aligned = name.starts_with("vloada") || name.starts_with("vstorea");
        let (ty, first) = match is_load {
            true => (self.m.tables.types.value(at, at.ty)?, 2),
            false => {
                let data = self.operand(at, 2)?;
                (self.b.ty(data), 3)
            }
        };
        let good =
            if is_load { ty.scalar == ScalarType::F32 } else { matches!(ty.scalar, ScalarType::F32 | ScalarType::F64) };
        if !good || (ty.is_vector() != name.contains("halfn")) {
            return Err(at.invalid(format!("'{name}' of a value of type {ty}")));
        }
        let (offset, ptr) = (self.index(at, first, Type::I64)?, self.pointer(at, first + 1)?);
        if is_load {
            let function = if aligned { Intrinsic::VloadaHalf } else { Intrinsic::VloadHalf };
            let args = Values::from_slice(&[offset, ptr]);
            let value = self.b.push(Inst::Intrinsic { function, args }, &[ty])[0];
            return self.define_value(at, value);
        }
        let mode = match name.ends_with("_r") {
            true => FPRoundingMode::from_u32(at.operand(first + 2)?),
            false => None,
        };
        use FPRoundingMode as R;
        let function = match (aligned, mode) {
            (false, None) => Intrinsic::VstoreHalf,
            (false, Some(R::RTE)) => Intrinsic::VstoreHalfRte,
            (false, Some(R::RTZ)) => Intrinsic::VstoreHalfRtz,
            (false, Some(R::RTP)) => Intrinsic::VstoreHalfRtp,
            (false, Some(R::RTN)) => Intrinsic::VstoreHalfRtn,
            (true, None) => Intrinsic::VstoreaHalf,
            (true, Some(R::RTE)) => Intrinsic::VstoreaHalfRte,
            (true, Some(R::RTZ)) => Intrinsic::VstoreaHalfRtz,
            (true, Some(R::RTP)) => Intrinsic::VstoreaHalfRtp,
            (true, Some(R::RTN)) => Intrinsic::VstoreaHalfRtn,
        };
        let args = Values::from_slice(&[self.operand(at, 2)?, offset, ptr]);
        self.b.effect(Inst::Intrinsic { function, args });
        Ok(())
    }

    /// `printf`: its other operands are numbers and strings.
    fn printf(&mut self, at: &Instruction<'w>) -> Result<()> {
        let mut args = Values::new();
        args.push(self.pointer(at, 2)?);
        for index in 3..at.operands.len() {
            let value = self.operand(at, index)?;
            let ty = self.b.ty(value);
            let good = ty.scalar.is_int() || ty.scalar.is_float() || ty.space().is_some();
            if !good {
                return Err(at.unsupported(format!("printf of a value of type {ty} is not supported")));
            }
            args.push(value);
        }
        let value = self.b.push(Inst::Intrinsic { function: Intrinsic::Printf, args }, &[Type::I32])[0];
        match self.m.tables.types.value(at, at.ty)? {
            Type::I32 => {
                self.define(at, Item::Parts(smallvec::smallvec![value]));
                Ok(())
            }
            ty => Err(at.invalid(format!("printf gives an {}, not {ty}", scalar_name(ScalarType::I32, true)))),
        }
    }
}
