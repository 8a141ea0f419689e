//! Conversions: promotions, usual arithmetic conversions, assignment (OpenCL C 6.2, C99 6.3).

use super::fold::{self, Number};
use super::{ExprRef, Sema};
use crate::builtins;
use crate::hir::{Conversion, ExprKind, FloatKind, IntKind, QualTy, Scalar, Ty, TyKind};
use clforge_basic::diag::WarningFlag;
use clforge_basic::source::Span;
use clforge_syntax::ast::{AddressSpace, Qualifiers};

/// Why a value is converted: clang's `AssignmentAction`, which chooses the wording of messages.
#[derive(Clone, Copy, Debug)]
pub(super) enum AssignmentAction {
    Initializing,
    Assigning,
    Returning,
    /// Passing to a parameter, declared there if known.
    Passing(Option<Span>),
}

/// Why there is no common type of two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OperandError {
    /// An operand is not arithmetic: the caller reports it, if it is an error.
    NotArithmetic,
    /// The operands are arithmetic but cannot be combined, which has been reported.
    Reported,
}

/// How one type can be assigned to another: clang's `AssignConvertType`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AssignmentConversion {
    Compatible,
    IntToPointer,
    PointerToInt,
    IncompatiblePointer,
    IncompatiblePointerSign,
    DiscardsQualifiers,
    AddressSpaceMismatch,
    NestedAddressSpaceMismatch,
    Incompatible,
}

impl<'h> Sema<'_, 'h, '_> {
    /// Lvalue conversion (C11 6.3.2.1): the value of the object that an lvalue designates; of an array, which decays, a
    /// pointer to its first element.
    pub(super) fn lvalue_conversion(&mut self, e: ExprRef<'h>) -> ExprRef<'h> {
        if !e.is_place() {
            return e;
        }
        if e.ty.ty == Ty::ERROR {
            return self.error_expr(e.span);
        }
        match self.kind(e.ty.ty) {
            TyKind::Array(element, _) => {
                let pointee = QualTy { quals: element.quals | e.ty.quals, space: e.ty.space, ..element };
                let ty = self.program.types.pointer_to(pointee);
                self.make(ExprKind::AddressOf(e), ty, e.span)
            }
            TyKind::Void => {
                self.error(e.span, "expression of type 'void' cannot be used as a value");
                self.error_expr(e.span)
            }
            TyKind::Record(id) if self.program.types.record(id).fields.is_none() => {
                let text = self.ty_text(e.ty.ty);
                self.error(e.span, format!("incomplete type '{text}' where a complete type is required"));
                self.error_expr(e.span)
            }
            _ => {
                self.read(e);
                self.make(ExprKind::Load(e), e.ty.ty, e.span)
            }
        }
    }

    /// The constant that an expression is, if folding made it one.
    pub(super) fn literal(&self, e: ExprRef<'h>) -> Option<Number> {
        match e.kind {
            ExprKind::Int(value) => Some(Number::Int(value)),
            ExprKind::Float(value) => Some(Number::Float(value)),
            _ => None,
        }
    }

    pub(super) fn make_number(&self, number: Number, ty: Ty, span: Span) -> ExprRef<'h> {
        match number {
            Number::Int(value) => self.make(ExprKind::Int(value), ty, span),
            Number::Float(value) => self.make(ExprKind::Float(value), ty, span),
        }
    }

    /// The value of an atomic object where a plain one is wanted: it is read as `atomic_load` does (C11 6.3.2.1).
    pub(super) fn atomic_value(&mut self, e: ExprRef<'h>) -> ExprRef<'h> {
        let TyKind::Atomic(scalar) = self.kind(e.ty.ty) else { return e };
        let (ExprKind::Load(place), Some(load)) = (e.kind, builtins::by_name("atomic_load")) else { return e };
        let pointer = self.program.types.pointer_to(place.ty);
        let address = self.make(ExprKind::AddressOf(place), pointer, e.span);
        let result = self.program.types.vector(scalar, 1);
        let parameter = QualTy::plain(pointer);
        self.builtin_call(load, &[parameter], result, &[address], e.span)
    }

    /// Converts whether or not C would do so implicitly; types that cannot be converted give an error expression.
    pub(super) fn convert(&mut self, e: ExprRef<'h>, to: Ty) -> ExprRef<'h> {
        let from = e.ty.ty;
        if from == to || from == Ty::ERROR {
            return e;
        }
        let span = e.span;
        if to == Ty::ERROR {
            return self.error_expr(span);
        }
        let types = &self.program.types;
        if let (Some((source, source_lanes)), Some((target, target_lanes))) = (types.lanes(from), types.lanes(to)) {
            if source_lanes == target_lanes {
                if source_lanes == 1
                    && let Some(number) = self.literal(e)
                {
                    return self.make_number(fold::convert(number, source, target), to, span);
                }
                return self.make(ExprKind::Convert(Conversion::Arithmetic, e), to, span);
            }
            if source_lanes == 1 {
                let element = self.program.types.vector(target, 1);
                let scalar = self.convert(e, element);
                return self.make(ExprKind::Convert(Conversion::Splat, scalar), to, span);
            }
            return self.error_expr(span);
        }
        let conversion = match (self.kind(from), self.kind(to)) {
            (_, TyKind::Void) => Conversion::Discard,
            (TyKind::Pointer(_), TyKind::Pointer(_)) => {
                if let ExprKind::Int(value) = e.kind {
                    return self.int(value, to, span);
                }
                Conversion::Pointer
            }
            (TyKind::Pointer(_), TyKind::Bool) => match e.kind {
                ExprKind::Int(value) => return self.int(u64::from(value != 0), to, span),
                _ => Conversion::PointerToBool,
            },
            (TyKind::Pointer(_), TyKind::Int(_) | TyKind::Enum(_)) => Conversion::PointerToInt,
            (TyKind::Int(_) | TyKind::Bool | TyKind::Enum(_), TyKind::Pointer(_)) => {
                let signed = self.int_kind(from).is_some_and(IntKind::is_signed);
                let types = &self.program.types;
                let wide = if signed { types.ptrdiff_t() } else { types.size_t() };
                let wide = self.convert(e, wide);
                if let ExprKind::Int(value) = wide.kind {
                    return self.int(value, to, span);
                }
                return self.make(ExprKind::Convert(Conversion::IntToPointer, wide), to, span);
            }
            (TyKind::Int(_), TyKind::Atomic(scalar)) | (TyKind::Float(_), TyKind::Atomic(scalar)) => {
                let plain = self.program.types.vector(scalar, 1);
                let value = self.convert(e, plain);
                return self.make(ExprKind::Convert(Conversion::Bits, value), to, span);
            }
            (TyKind::Int(_), TyKind::Event | TyKind::Queue | TyKind::ClkEvent | TyKind::ReserveId)
            | (TyKind::Pointer(_), TyKind::Queue) => return self.int(0, to, span),
            _ => return self.error_expr(span),
        };
        self.make(ExprKind::Convert(conversion, e), to, span)
    }

    /// Integer promotion (C99 6.3.1.1) of a scalar value; vectors are never promoted.
    pub(super) fn promote(&mut self, e: ExprRef<'h>) -> ExprRef<'h> {
        let to = match self.kind(e.ty.ty) {
            TyKind::Bool => Ty::INT,
            TyKind::Int(kind) if kind.bits() < 32 => Ty::INT,
            TyKind::Enum(id) => {
                let underlying = self.program.types.enumeration(id).underlying;
                self.program.types.intern(TyKind::Int(underlying))
            }
            _ => return e,
        };
        self.convert(e, to)
    }

    /// The common type of two promoted scalars (C99 6.3.1.8).
    fn common_scalar(&mut self, left: Ty, right: Ty) -> Option<Ty> {
        Some(match (self.kind(left), self.kind(right)) {
            (TyKind::Float(a), TyKind::Float(b)) => self.float_ty(a.max(b)),
            (TyKind::Float(_), TyKind::Int(_)) => left,
            (TyKind::Int(_), TyKind::Float(_)) => right,
            (TyKind::Int(a), TyKind::Int(b)) => {
                let bits = a.bits().max(b.bits());
                let unsigned = [a, b].iter().any(|kind| kind.bits() == bits && !kind.is_signed());
                self.program.types.intern(TyKind::Int(IntKind::of(bits, !unsigned)))
            }
            _ => return None,
        })
    }

    pub(super) fn float_ty(&self, kind: FloatKind) -> Ty {
        match kind {
            FloatKind::Half => Ty::HALF,
            FloatKind::Float => Ty::FLOAT,
            FloatKind::Double => Ty::DOUBLE,
        }
    }

    /// Usual arithmetic conversions, vectors included (6.2.6): both operands converted, and their common type.
    pub(super) fn usual_arithmetic_conversions(
        &mut self,
        left: ExprRef<'h>,
        right: ExprRef<'h>,
        span: Span,
    ) -> Result<(ExprRef<'h>, ExprRef<'h>, Ty), OperandError> {
        let types = &self.program.types;
        let (Some(a), Some(b)) = (types.lanes(left.ty.ty), types.lanes(right.ty.ty)) else {
            return Err(OperandError::NotArithmetic);
        };
        match (a.1, b.1) {
            (1, 1) => {
                let (left, right) = (self.promote(left), self.promote(right));
                let Some(ty) = self.common_scalar(left.ty.ty, right.ty.ty) else {
                    return Err(OperandError::NotArithmetic);
                };
                Ok((self.convert(left, ty), self.convert(right, ty), ty))
            }
            (_, 1) => {
                let vector = left.ty.ty;
                let right = self.widen_scalar(right, b.0, vector, a.0, span)?;
                Ok((left, right, vector))
            }
            (1, _) => {
                let vector = right.ty.ty;
                let left = self.widen_scalar(left, a.0, vector, b.0, span)?;
                Ok((left, right, vector))
            }
            _ if left.ty.ty == right.ty.ty => Ok((left, right, left.ty.ty)),
            _ => {
                let message = format!(
                    "implicit conversions between vector types ({} and {}) are not permitted",
                    self.quoted(left.ty.ty),
                    self.quoted(right.ty.ty)
                );
                self.error(span, message);
                Err(OperandError::Reported)
            }
        }
    }

    /// The scalar operand of a vector operation (6.2.6).
    fn widen_scalar(
        &mut self,
        e: ExprRef<'h>,
        scalar: Scalar,
        vector: Ty,
        element: Scalar,
        span: Span,
    ) -> Result<ExprRef<'h>, OperandError> {
        let greater = match (element, scalar) {
            (Scalar::Int(_), Scalar::Float(_)) => true,
            (Scalar::Int(element), Scalar::Int(scalar)) => {
                scalar.bits() > element.bits()
                    || (scalar.bits() == element.bits() && element.is_signed() && !scalar.is_signed())
            }
            (Scalar::Float(element), Scalar::Float(scalar)) => scalar > element,
            _ => false,
        };
        if greater {
            let message = format!(
                "scalar operand type has greater rank than the type of the vector element ({} and {})",
                self.quoted(vector),
                self.quoted(e.ty.ty)
            );
            self.error(span, message);
            return Err(OperandError::Reported);
        }
        Ok(self.convert(e, vector))
    }

    /// A condition of `if`, loops, `?:`, `&&`, `||`: any scalar, as `bool`.
    pub(super) fn condition_value(&mut self, e: ExprRef<'h>) -> ExprRef<'h> {
        let e = self.atomic_value(e);
        match self.kind(e.ty.ty) {
            TyKind::Error => e,
            TyKind::Bool => e,
            TyKind::Int(_) | TyKind::Float(_) | TyKind::Enum(_) | TyKind::Pointer(_) => self.convert(e, Ty::BOOL),
            _ => {
                let message =
                    format!("statement requires expression of scalar type ({} invalid)", self.quoted(e.ty.ty));
                self.error(e.span, message);
                self.error_expr(e.span)
            }
        }
    }

    /// Whether the value is a null pointer constant (C99 6.3.2.3).
    pub(super) fn is_null_constant(&self, e: ExprRef<'h>) -> bool {
        if !matches!(e.kind, ExprKind::Int(0)) {
            return false;
        }
        match self.kind(e.ty.ty) {
            // `void *` as it is written without qualifiers: a pointer into another space stays in it.
            TyKind::Pointer(pointee) => pointee == QualTy::plain(Ty::VOID).in_space(self.default_pointee_space()),
            TyKind::Int(_) | TyKind::Bool | TyKind::Enum(_) => true,
            _ => false,
        }
    }

    /// Converts as if by assignment (C99 6.5.16.1) and reports what cannot be converted.
    pub(super) fn convert_for_assignment(&mut self, e: ExprRef<'h>, to: Ty, action: AssignmentAction) -> ExprRef<'h> {
        if e.ty.ty == to {
            self.implicit_conversion(e, to);
            return e;
        }
        let e = self.atomic_value(e);
        let e = self.typed_matrix(e, to);
        if e.ty.ty == to {
            return e;
        }
        if e.ty.ty == Ty::ERROR || to == Ty::ERROR {
            return self.error_expr(e.span);
        }
        let conversion = self.check_assignment(e, to);
        if conversion != AssignmentConversion::Compatible && !self.report_assignment(conversion, e, to, action) {
            return self.error_expr(e.span);
        }
        self.changed_constant(e, to);
        self.implicit_conversion(e, to);
        if self.kind(to) == TyKind::Sampler {
            return self.sampler_literal(e);
        }
        self.convert(e, to)
    }

    fn check_assignment(&mut self, e: ExprRef<'h>, to: Ty) -> AssignmentConversion {
        let from = e.ty.ty;
        let types = &self.program.types;
        if let (Some((_, source)), Some((_, target))) = (types.lanes(from), types.lanes(to)) {
            return if source == 1 {
                AssignmentConversion::Compatible
            } else {
                compatible_if(source == target && from == to)
            };
        }
        match (self.kind(from), self.kind(to)) {
            (_, TyKind::Pointer(_)) if self.is_null_constant(e) => AssignmentConversion::Compatible,
            (TyKind::Pointer(source), TyKind::Pointer(target)) => self.check_pointer_assignment(source, target),
            (TyKind::Pointer(_), TyKind::Bool) => AssignmentConversion::Compatible,
            (TyKind::Pointer(_), TyKind::Int(_) | TyKind::Enum(_)) => AssignmentConversion::PointerToInt,
            (TyKind::Int(_) | TyKind::Enum(_) | TyKind::Bool, TyKind::Pointer(_)) => AssignmentConversion::IntToPointer,
            (TyKind::Int(_), TyKind::Sampler) => compatible_if(matches!(e.kind, ExprKind::Int(_))),
            (TyKind::Int(_), TyKind::Event | TyKind::Queue | TyKind::ClkEvent | TyKind::ReserveId) => {
                compatible_if(matches!(e.kind, ExprKind::Int(0)))
            }
            (TyKind::Pointer(_), TyKind::Queue) => compatible_if(self.is_null_constant(e)),
            (TyKind::Int(_) | TyKind::Float(_), TyKind::Atomic(_)) => AssignmentConversion::Compatible,
            _ => AssignmentConversion::Incompatible,
        }
    }

    fn check_pointer_assignment(&self, source: QualTy, target: QualTy) -> AssignmentConversion {
        if !space_includes(target.space, source.space) {
            return AssignmentConversion::AddressSpaceMismatch;
        }
        let dropped = source.quals & (Qualifiers::CONST | Qualifiers::VOLATILE);
        let drops = if target.quals.contains(dropped) {
            AssignmentConversion::Compatible
        } else {
            AssignmentConversion::DiscardsQualifiers
        };
        if source.ty == target.ty || source.ty == Ty::VOID || target.ty == Ty::VOID {
            return drops;
        }
        match (self.kind(source.ty), self.kind(target.ty)) {
            (TyKind::Error, _) | (_, TyKind::Error) => AssignmentConversion::Compatible,
            (TyKind::Pointer(a), TyKind::Pointer(b)) if a.space != b.space => {
                AssignmentConversion::NestedAddressSpaceMismatch
            }
            (TyKind::Array(a, _), TyKind::Array(b, _)) if a.ty == b.ty => drops,
            (TyKind::Pointer(a), TyKind::Pointer(b)) if a.ty == b.ty => AssignmentConversion::DiscardsQualifiers,
            _ => match (self.int_kind(source.ty), self.int_kind(target.ty)) {
                (Some(a), Some(b)) if a == b => drops,
                (Some(a), Some(b)) if a.bits() == b.bits() => AssignmentConversion::IncompatiblePointerSign,
                _ => AssignmentConversion::IncompatiblePointer,
            },
        }
    }

    /// Reports a conversion that is not compatible; true when it is made nevertheless.
    fn report_assignment(
        &mut self,
        conversion: AssignmentConversion,
        e: ExprRef<'h>,
        to: Ty,
        action: AssignmentAction,
    ) -> bool {
        let (from, target) = (self.quoted(e.ty.ty), self.quoted(to));
        let with = match action {
            AssignmentAction::Initializing => format!("initializing {target} with an expression of type {from}"),
            AssignmentAction::Assigning => format!("assigning {from} to {target}"),
            AssignmentAction::Returning => format!("returning {from} from a function with result type {target}"),
            AssignmentAction::Passing(_) => format!("passing {from} to parameter of type {target}"),
        };
        let (message, flag) = match conversion {
            AssignmentConversion::Compatible => return true,
            AssignmentConversion::IntToPointer => (format!("incompatible integer to pointer conversion {with}"), None),
            AssignmentConversion::PointerToInt => (format!("incompatible pointer to integer conversion {with}"), None),
            AssignmentConversion::IncompatiblePointer => {
                (format!("incompatible pointer types {with}"), Some(WarningFlag::IncompatiblePointerTypes))
            }
            AssignmentConversion::IncompatiblePointerSign => (
                format!("{with} converts between pointers to integer types with different sign"),
                Some(WarningFlag::PointerSign),
            ),
            AssignmentConversion::DiscardsQualifiers => {
                (format!("{with} discards qualifiers"), Some(WarningFlag::IncompatiblePointerTypesDiscardsQualifiers))
            }
            AssignmentConversion::AddressSpaceMismatch => (format!("{with} changes address space of pointer"), None),
            AssignmentConversion::NestedAddressSpaceMismatch => {
                (format!("{with} changes address space of nested pointer"), None)
            }
            AssignmentConversion::Incompatible => {
                let message = match action {
                    AssignmentAction::Initializing => {
                        format!("initializing {target} with an expression of incompatible type {from}")
                    }
                    AssignmentAction::Assigning => format!("assigning to {target} from incompatible type {from}"),
                    AssignmentAction::Returning => {
                        format!("returning {from} from a function with incompatible result type {target}")
                    }
                    AssignmentAction::Passing(_) => {
                        format!("passing {from} to parameter of incompatible type {target}")
                    }
                };
                (message, None)
            }
        };
        if let Some(flag) = flag {
            self.warning(flag, e.span, message);
            return true;
        }
        match action {
            AssignmentAction::Passing(Some(parameter)) => {
                self.error_with_note(e.span, message, parameter, "passing argument to parameter here");
            }
            _ => self.error(e.span, message),
        }
        false
    }
}

fn compatible_if(compatible: bool) -> AssignmentConversion {
    if compatible { AssignmentConversion::Compatible } else { AssignmentConversion::Incompatible }
}

/// Whether a pointer into `outer` may point into `inner` without a cast (6.7.1 of OpenCL C 2.0).
pub(super) fn space_includes(outer: AddressSpace, inner: AddressSpace) -> bool {
    outer == inner || (outer == AddressSpace::Generic && inner != AddressSpace::Constant)
}
