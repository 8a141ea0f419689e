//! Conversions.

use super::checks;
use super::context::FunctionLowering;
use super::types::{is_signed, lanes, scalar_type};
use clforge_basic::options::Sanitizers;
use clforge_ir::{CompareOp, ConvertOp, Op, ScalarType, Type, Value};
use clforge_sema::hir::{Conversion, Expr, Scalar, Ty};

impl<'h> FunctionLowering<'_, '_, '_, 'h> {
    /// A conversion that is not one between pointers or arithmetic types, which [`super::place`] and
    /// [`super::operator`] see to.
    pub fn convert(&mut self, conversion: Conversion, e: &'h Expr<'h>, operand: &'h Expr<'h>) -> Option<Value> {
        let (to, from) = (e.ty.ty, operand.ty.ty);
        Some(match conversion {
            Conversion::Discard => {
                self.effect(operand);
                return None;
            }
            Conversion::Arithmetic => {
                let value = self.value(operand);
                self.arithmetic_conversion(value, from, to)
            }
            Conversion::Splat => {
                let value = self.value(operand);
                if let Some(matrix) = self.matrix_fill(value, to) {
                    return Some(matrix);
                }
                let ty = self.value_type(to);
                let value = self.splat_lane(value, from, ty);
                self.b.splat(value, ty.lanes)
            }
            Conversion::Bits => {
                let value = self.value(operand);
                let ty = self.value_type(to);
                self.same_bits(value, ty)
            }
            Conversion::Pointer => self.pointer(e).value,
            Conversion::PointerToInt => {
                let pointer = self.value(operand);
                let word = Type::scalar(ScalarType::int(8 * self.types.address_bits.bytes()));
                let bits = self.b.convert(ConvertOp::PtrToInt, pointer, word);
                let ty = self.value_type(to);
                if ty == Type::BOOL { self.is_not_zero(bits) } else { self.b.resize(bits, ty.scalar, false) }
            }
            Conversion::IntToPointer => {
                let value = self.value(operand);
                let word = ScalarType::int(8 * self.types.address_bits.bytes());
                let value = if self.b.ty(value) == Type::BOOL {
                    self.b.convert(ConvertOp::ZExt, value, Type::scalar(word))
                } else {
                    let signed = self.is_signed(from);
                    self.b.resize(value, word, signed)
                };
                let ty = self.value_type(to);
                self.b.convert(ConvertOp::IntToPtr, value, ty)
            }
            Conversion::PointerToBool => {
                let pointer = self.value(operand);
                self.is_not_zero(pointer)
            }
        })
    }

    /// A scalar as the lane of a vector; `true` is -1 there.
    fn splat_lane(&mut self, value: Value, from: Ty, to: Type) -> Value {
        match (self.b.ty(value).scalar, to.scalar) {
            (ScalarType::Bool, scalar) if scalar.is_int() => self.b.convert(ConvertOp::SExt, value, to.lane()),
            (ScalarType::Bool, scalar) if scalar.is_float() => {
                let (minus_one, zero) = (self.b.float(to.lane(), -1.0), self.b.float(to.lane(), 0.0));
                self.b.select(value, minus_one, zero)
            }
            (ScalarType::Bool, _) => value,
            (scalar, wanted) if scalar.is_int() && wanted.is_int() && scalar != wanted => {
                let signed = self.is_signed(from);
                self.b.resize(value, wanted, signed)
            }
            _ => value,
        }
    }

    /// `value != 0` of a scalar or lane by lane.
    pub fn is_not_zero(&mut self, value: Value) -> Value {
        let ty = self.b.ty(value);
        if ty.scalar == ScalarType::Bool {
            return value;
        }
        let zero = self.zero_value(ty);
        self.b.compare(if ty.scalar.is_float() { CompareOp::FNe } else { CompareOp::Ne }, value, zero)
    }

    /// Between arithmetic types of as many lanes.
    pub fn arithmetic_conversion(&mut self, value: Value, from: Ty, to: Ty) -> Value {
        if let Some(matrix) = self.matrix_conversion(value, from, to) {
            return matrix;
        }
        let (Some((from, _)), Some((to, _))) = (lanes(self.types, from), lanes(self.types, to)) else {
            self.internal("an arithmetic conversion of other types");
            return value;
        };
        let result = self.scalar_conversion(value, from, to);
        if checks::looks_for(self.m.options, Sanitizers::FLOAT) {
            checks::finite_conversion(&mut self.b, value, is_signed(from), result);
        }
        result
    }

    fn scalar_conversion(&mut self, value: Value, from: Scalar, to: Scalar) -> Value {
        let target = scalar_type(to);
        let ty = self.b.ty(value).with_scalar(target);
        match (from, to) {
            (_, Scalar::Bool) => self.is_not_zero(value),
            (Scalar::Bool, Scalar::Int(_)) => {
                let op = if ty.is_vector() { ConvertOp::SExt } else { ConvertOp::ZExt };
                self.b.convert(op, value, ty)
            }
            (Scalar::Bool, Scalar::Float(_)) => {
                let one = self.b.float(ty, if ty.is_vector() { -1.0 } else { 1.0 });
                let zero = self.b.float(ty, 0.0);
                self.b.select(value, one, zero)
            }
            (Scalar::Int(_), Scalar::Int(_)) => self.b.resize(value, target, is_signed(from)),
            (Scalar::Int(kind), Scalar::Float(_)) => {
                self.b.convert(if kind.is_signed() { ConvertOp::SToF } else { ConvertOp::UToF }, value, ty)
            }
            (Scalar::Float(_), Scalar::Int(kind)) => {
                self.b.convert(if kind.is_signed() { ConvertOp::FToS } else { ConvertOp::FToU }, value, ty)
            }
            (Scalar::Float(from), Scalar::Float(to)) => match from.bits().cmp(&to.bits()) {
                std::cmp::Ordering::Equal => value,
                std::cmp::Ordering::Less => self.b.convert(ConvertOp::FExt, value, ty),
                std::cmp::Ordering::Greater => self.b.convert(ConvertOp::FTrunc, value, ty),
            },
        }
    }

    /// `as_type`: three lanes are four with one undefined.
    fn same_bits(&mut self, value: Value, to: Type) -> Value {
        let from = self.b.ty(value);
        if from.lanes == to.lanes && from.scalar.bits() == to.scalar.bits() {
            return self.b.bitcast(value, to);
        }
        let four = if from.lanes == 3 {
            self.b.pure(Op::Shuffle { first: value, second: value, lanes: smallvec::smallvec![0, 1, 2, u8::MAX] })
        } else {
            value
        };
        let whole = if to.lanes == 3 { Type::vector(to.scalar, 4) } else { to };
        if self.b.ty(four).bits() != whole.bits() {
            self.internal("a reinterpretation of another size");
            return self.b.undef(to);
        }
        let cast = self.b.bitcast(four, whole);
        if to.lanes == 3 { self.b.shuffle(cast, cast, &[0, 1, 2]) } else { cast }
    }
}
