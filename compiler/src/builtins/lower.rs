//! Lowering of calls of built-in functions to target-independent IR: what all families share.

use super::table::{self, How};
use super::{BuiltinCall, BuiltinId, lower_convert, name};
use crate::hir::types::{FloatKind, IntKind, Scalar, Ty, TyKind, TypeTable};
use crate::ir::{BinaryOp, Builder, CompareOp, ConvertOp, Op, ScalarType, Type, Value, Values};
use crate::options::Options;

/// What the lowering of a call gives.
pub type Lowered = Result<Option<Value>, String>;

/// Lowers calls of one function or a family.
pub type LowerFn = for<'a, 'b, 'f> fn(&'a mut Lower<'b, 'f>) -> Lowered;

/// A call being lowered.
pub struct Lower<'b, 'f> {
    pub b: &'b mut Builder<'f>,
    pub types: &'b TypeTable,
    pub options: &'b Options,
    pub id: BuiltinId,
    pub call: &'b BuiltinCall<'b>,
}

/// See [`super::lower`].
pub fn lower(
    b: &mut Builder<'_>,
    types: &TypeTable,
    options: &Options,
    id: BuiltinId,
    call: &BuiltinCall<'_>,
) -> Lowered {
    let mut lower = Lower { b, types, options, id, call };
    match table::get(id).map(|row| row.how) {
        Some(How::Lower(function)) => function(&mut lower),
        Some(How::Target { .. }) => lower.target().map(Some),
        Some(How::Unsupported) => unsupported(&mut lower),
        None => lower_convert::convert(&mut lower),
    }
}

/// A function that resolves but cannot be compiled.
pub fn unsupported(l: &mut Lower<'_, '_>) -> Lowered {
    Err(format!("'{}' is not supported yet", name(l.id)))
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
    pub fn arg(&self, index: usize) -> Result<Value, String> {
        let missing = || format!("call of '{}' without argument {index}", name(self.id));
        self.call.arguments.get(index).copied().ok_or_else(missing)
    }

    /// An argument with the given number of lanes: a scalar is repeated.
    pub fn arg_lanes(&mut self, index: usize, lanes: u8) -> Result<Value, String> {
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
            TyKind::Pointer(pointee) => Some((pointee.ty, pointee.quals.contains(crate::ast::Qualifiers::VOLATILE))),
            _ => None,
        }
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
    pub fn number(&self) -> Result<Type, String> {
        self.result().ok_or_else(|| format!("'{}' without a numeric result", name(self.id)))
    }

    /// An `Op::Builtin` on arguments of one number of lanes.
    pub fn builtin(&mut self, function: BuiltinId, args: &[Value], ty: Type) -> Value {
        builtin(self.b, function, args, ty)
    }

    /// An `Op::Builtin` of a floating function, by way of `float` where the target has no `half` form.
    pub fn float_builtin(&mut self, function: BuiltinId, args: &[Value], ty: Type) -> Value {
        if !self.options.target.is_vulkan() {
            return self.builtin(function, args, ty);
        }
        let mut wide = Values::new();
        let mut narrowed = false;
        for arg in args {
            let from = self.b.ty(*arg);
            let half = from.scalar == ScalarType::F16;
            narrowed |= half;
            wide.push(if half {
                self.b.convert(ConvertOp::FExt, *arg, from.with_scalar(ScalarType::F32))
            } else {
                *arg
            });
        }
        if narrowed && ty.scalar == ScalarType::F16 {
            let value = self.builtin(function, &wide, ty.with_scalar(ScalarType::F32));
            return self.b.convert(ConvertOp::FTrunc, value, ty);
        }
        self.builtin(function, &wide, ty)
    }

    /// The `Op::Builtin` of the function itself, scalar arguments repeated to the lanes of the result.
    fn target(&mut self) -> Result<Value, String> {
        let ty = self.number()?;
        let mut args = Values::new();
        for index in 0..self.call.arguments.len() {
            args.push(self.arg_lanes(index, ty.lanes)?);
        }
        if ty.scalar == ScalarType::F16 && self.options.target.is_vulkan() {
            let done = match self.id {
                // The neighbour of a half is not that of the float: done on the bits of the type itself.
                NEXTAFTER => super::vulkan::nextafter(self.b, &args, ty),
                // That of floats rounds before the rounding to half.
                FMA => super::vulkan::half_fma(self.b, &args, ty),
                _ => Some(self.float_builtin(self.id, &args, ty)),
            };
            return done.ok_or_else(|| format!("call of '{}' with other arguments", name(self.id)));
        }
        Ok(self.float_builtin(self.id, &args, ty))
    }

    /// A `bool` (vector) as relational functions return it: `int` 0 or 1 for scalars, 0 or -1 in vectors.
    pub fn truth(&mut self, condition: Value) -> Result<Option<Value>, String> {
        let ty = self.number()?;
        let op = if ty.lanes == 1 { ConvertOp::ZExt } else { ConvertOp::SExt };
        Ok(Some(self.b.convert(op, condition, ty)))
    }

    /// Stores a result through a pointer argument, with the natural alignment of its type.
    pub fn store_out(&mut self, pointer: usize, value: Value) -> Result<(), String> {
        let ptr = self.arg(pointer)?;
        let align = self.pointee(pointer).map_or(1, |(ty, _)| self.types.align_of(ty));
        let align = u32::try_from(align).unwrap_or(1);
        let volatile = self.pointee(pointer).is_some_and(|(_, volatile)| volatile);
        self.b.effect(Op::Store { ptr, value, align, volatile });
        Ok(())
    }
}

const NEXTAFTER: BuiltinId = table::known("nextafter");
const FMA: BuiltinId = table::known("fma");

/// An `Op::Builtin`.
pub fn builtin(b: &mut Builder<'_>, function: BuiltinId, args: &[Value], ty: Type) -> Value {
    b.emit(Op::Builtin { function, args: Values::from_slice(args) }, ty)
}

/// `a op b` for integer constants on the right.
pub fn binary_int(b: &mut Builder<'_>, op: BinaryOp, a: Value, constant: i64) -> Value {
    let ty = b.ty(a);
    let constant = b.int(ty, constant);
    b.binary(op, a, constant)
}

/// `a op constant`.
pub fn compare_int(b: &mut Builder<'_>, op: CompareOp, a: Value, constant: i64) -> Value {
    let ty = b.ty(a);
    let constant = b.int(ty, constant);
    b.compare(op, a, constant)
}

/// A floating value's bits as an integer of its width.
pub fn to_bits(b: &mut Builder<'_>, value: Value) -> Value {
    let ty = b.ty(value);
    b.bitcast(value, ty.with_scalar(ScalarType::int(ty.scalar.bits())))
}

/// Bits as a value of a floating type.
pub fn from_bits(b: &mut Builder<'_>, bits: Value, ty: Type) -> Value {
    b.bitcast(bits, ty)
}

/// The bits of the smallest positive normal number.
pub fn smallest_normal_bits(scalar: ScalarType) -> i64 {
    match scalar {
        ScalarType::F16 => 0x0400,
        ScalarType::F32 => 0x0080_0000,
        _ => 0x0010_0000_0000_0000,
    }
}
