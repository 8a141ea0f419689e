//! Lowering of calls of built-in functions to target-independent IR. Each family of functions has a file with its table
//! of names ([`Entry`]); this file has what they share.
//!
//! A built-in function without an entry is an intrinsic of the same name, which the target provides.

mod async_copy;
mod atomic;
mod convert;
mod device;
mod dot;
mod geometric;
mod group;
mod half_access;
mod image;
mod integer;
pub mod intel;
mod math;
pub mod matrix;
mod memory;
mod relational;
mod sync;
mod table;
#[cfg(test)]
mod tests;
mod work;

use crate::checks;
use clforge_basic::options::{Options, Sanitizers};
use clforge_ir::error::Unsupported;
use clforge_ir::{Builder, CheckOp, ConvertOp, Error, Intrinsic, Op, ScalarType, Type, Value, Values};
use clforge_sema::builtins::{BuiltinId, name};
use clforge_sema::hir::types::{FloatKind, IntKind, QualTy, Scalar, Ty, TyKind, TypeTable};
use table::Lowering;

/// A call to lower: the arguments already have the overload's parameter types.
pub struct BuiltinCall<'c> {
    /// The arguments' values; of those that are objects in memory, their addresses.
    pub arguments: &'c [Value],
    /// The arguments' types in the source.
    pub argument_types: &'c [QualTy],
    /// The overload's result.
    pub result: Ty,
    /// The address of a result that is an object in memory.
    pub into: Option<Value>,
}

/// What the lowering of a call gives: its value, `None` for `void`.
pub type Lowered = Result<Option<Value>, Error>;

/// Lowers calls of one function or a family.
pub type LowerFn = for<'a, 'b, 'f> fn(&'a mut Lower<'b, 'f>) -> Lowered;

/// A built-in function and what lowers its calls.
pub type Entry = (&'static str, LowerFn);

/// A call being lowered.
pub struct Lower<'b, 'f> {
    /// What the code is appended to.
    pub b: &'b mut Builder<'f>,
    /// The types of the source.
    pub types: &'b TypeTable,
    /// The compilation's options.
    pub options: &'b Options,
    /// The function.
    pub id: BuiltinId,
    /// Its arguments.
    pub call: &'b BuiltinCall<'b>,
}

/// Appends the IR of a call; the value is its result, `None` for `void`.
///
/// # Errors
/// What is not supported; the caller adds the source.
pub fn lower(
    b: &mut Builder<'_>,
    types: &TypeTable,
    options: &Options,
    id: BuiltinId,
    call: &BuiltinCall<'_>,
) -> Lowered {
    let mut lower = Lower { b, types, options, id, call };
    let lowering = table::get(id);
    let value = match lowering {
        Some(Lowering::Custom(function)) => function(&mut lower)?,
        Some(Lowering::Intrinsic(intrinsic)) => Some(lower.target(intrinsic)?),
        None => convert::convert(&mut lower)?,
    };
    if let Some(result) = value.filter(|_| checks::looks_for(options, Sanitizers::FLOAT)) {
        lower.check_finite(lowering, result);
    }
    Ok(value)
}

/// The IR's type of a source scalar.
pub fn ir_scalar(scalar: Scalar) -> ScalarType {
    match scalar {
        Scalar::Bool => ScalarType::Bool,
        Scalar::Int(kind) => ScalarType::int(kind.bits()),
        Scalar::Float(FloatKind::Half) => ScalarType::F16,
        Scalar::Float(FloatKind::Float) => ScalarType::F32,
        Scalar::Float(FloatKind::Double) => ScalarType::F64,
    }
}

impl<'b, 'f> Lower<'b, 'f> {
    /// An argument.
    ///
    /// # Errors
    /// Where there is none: a call that sema would not have let through.
    pub fn arg(&self, index: usize) -> Result<Value, Error> {
        let missing = || Error::internal(format!("call of '{}' without argument {index}", name(self.id)));
        self.call.arguments.get(index).copied().ok_or_else(missing)
    }

    /// An argument with the given number of lanes: a scalar is repeated.
    pub fn arg_lanes(&mut self, index: usize, lanes: u8) -> Result<Value, Error> {
        let value = self.arg(index)?;
        Ok(self.widen(value, lanes))
    }

    /// A value with the given number of lanes: a scalar is repeated.
    pub fn widen(&mut self, value: Value, lanes: u8) -> Value {
        if self.b.ty(value).lanes == 1 && lanes > 1 { self.b.splat(value, lanes) } else { value }
    }

    /// Scalar of the source type of an argument.
    pub fn scalar(&self, index: usize) -> Scalar {
        let number = self.call.argument_types.get(index).and_then(|argument| self.types.lanes(argument.ty));
        number.map_or(Scalar::Int(IntKind::Int), |(scalar, _)| scalar)
    }

    /// Whether an argument is of a signed integer type.
    pub fn is_signed(&self, index: usize) -> bool {
        matches!(self.scalar(index), Scalar::Int(kind) if kind.is_signed())
    }

    /// What a pointer argument points to, and whether accesses are volatile.
    pub fn pointee(&self, index: usize) -> Option<(Ty, bool)> {
        match self.types.kind(self.call.argument_types.get(index)?.ty) {
            TyKind::Pointer(pointee) => {
                Some((pointee.ty, pointee.quals.contains(clforge_syntax::ast::Qualifiers::VOLATILE)))
            }
            _ => None,
        }
    }

    /// The error for arguments of a type that the function is not supported on.
    pub fn unsupported_type(&self) -> Error {
        Error::unsupported(Unsupported::BuiltinOnType { name: name(self.id) })
    }

    /// The type of the result: numbers, `void` gives `None`.
    pub fn result(&self) -> Option<Type> {
        let (scalar, lanes) = self.types.lanes(self.call.result)?;
        Some(Type::vector(ir_scalar(scalar), lanes))
    }

    /// The result's type where it must be a number.
    ///
    /// # Errors
    /// Where it is not.
    pub fn number(&self) -> Result<Type, Error> {
        self.result().ok_or_else(|| Error::internal(format!("'{}' without a numeric result", name(self.id))))
    }

    /// An `Op::Intrinsic` on arguments of one number of lanes.
    pub fn builtin(&mut self, function: Intrinsic, args: &[Value], ty: Type) -> Value {
        self.b.intrinsic(function, args, ty)
    }

    /// The intrinsic of the function itself, scalar arguments repeated to the lanes of the result.
    fn target(&mut self, intrinsic: Intrinsic) -> Result<Value, Error> {
        let ty = self.number()?;
        let mut args = Values::new();
        for index in 0..self.call.arguments.len() {
            args.push(self.arg_lanes(index, ty.lanes)?);
        }
        Ok(self.builtin(intrinsic, &args, ty))
    }

    /// Has the sanitizer look at the result of a function that computes a number of numbers.
    fn check_finite(&mut self, lowering: Option<Lowering>, result: Value) {
        let is_one_of = |entries: &[Entry]| entries.iter().any(|(entry, _)| *entry == name(self.id));
        let mixes_lanes = is_one_of(geometric::ENTRIES);
        match (lowering, self.call.arguments.first()) {
            (None, Some(operand)) => {
                let is_signed = self.is_signed(0);
                checks::finite_conversion(self.b, *operand, is_signed, result);
            }
            // The others take numbers from elsewhere, or only move them. `nan` is asked for what it makes.
            (Some(Lowering::Custom(_)), _) if !mixes_lanes && !is_one_of(math::ENTRIES) => {}
            (Some(_), Some(shown)) if self.b.ty(*shown).scalar.is_float() => {
                checks::finite(self.b, CheckOp::FiniteResult, self.call.arguments, *shown, result, mixes_lanes);
            }
            _ => {}
        }
    }

    /// A `bool` (vector) as relational functions return it: `int` 0 or 1 for scalars, 0 or -1 in vectors.
    pub fn truth(&mut self, condition: Value) -> Result<Option<Value>, Error> {
        let ty = self.number()?;
        let op = if ty.lanes == 1 { ConvertOp::ZExt } else { ConvertOp::SExt };
        Ok(Some(self.b.convert(op, condition, ty)))
    }

    /// Stores a result through a pointer argument, with the natural alignment of its type.
    pub fn store_out(&mut self, pointer: usize, value: Value) -> Result<(), Error> {
        let ptr = self.arg(pointer)?;
        let align = self.pointee(pointer).map_or(1, |(ty, _)| self.types.align_of(ty));
        let align = u32::try_from(align).unwrap_or(1);
        let volatile = self.pointee(pointer).is_some_and(|(_, volatile)| volatile);
        self.b.effect(Op::Store { ptr, value, align, volatile });
        Ok(())
    }
}

/// The bits of the smallest positive normal number.
pub fn smallest_normal_bits(scalar: ScalarType) -> i64 {
    match scalar {
        ScalarType::F16 => 0x0400,
        ScalarType::F32 => 0x0080_0000,
        _ => 0x0010_0000_0000_0000,
    }
}
