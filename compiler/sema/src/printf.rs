//! Calls of `printf` (6.15.14): the format is known here, so arguments are checked against it as clang's `-Wformat` does.

use super::{ExprRef, Sema};
use crate::hir::{ConstantData, ExprKind, FloatKind, IntKind, ModuleVariable, QualTy, Scalar, Ty, TyKind};
use clforge_basic::diag::WarningFlag;
use clforge_basic::options::{AddressBits, ClStd};
use clforge_basic::printf::{self, Conversion, FormatError, Length, Piece, Specifier};
use clforge_basic::source::Span;
use clforge_syntax::ast::AddressSpace;

impl<'h> Sema<'_, 'h, '_> {
    /// The arguments of a call, converted: the format and what `%s` prints are addresses of string literals if they are
    /// known; `pointer` is the format as the parameter takes it.
    pub(super) fn printf_arguments(
        &mut self,
        format: ExprRef<'h>,
        pointer: ExprRef<'h>,
        arguments: &[ExprRef<'h>],
    ) -> Vec<ExprRef<'h>> {
        if format.ty.ty == Ty::ERROR {
            return vec![format];
        }
        let Some(bytes) = self.constant_string(format) else {
            // It may be known later, or the environment may read it where it is.
            let arguments = arguments.iter().map(|argument| self.variable_argument(argument));
            return std::iter::once(pointer).chain(arguments).collect();
        };
        let mut converted = vec![self.as_literal(format, &bytes)];
        let text = String::from_utf8_lossy(&bytes);
        let conversions = self.conversions(&text, format.span);
        for (index, argument) in arguments.iter().enumerate() {
            converted.push(match conversions.get(index) {
                _ if argument.ty.ty == Ty::ERROR => argument,
                Some(conversion) if conversion.specifier == Specifier::String => self.string_argument(argument),
                conversion => {
                    if let Some(conversion) = conversion {
                        self.check_conversion(*conversion, argument);
                    }
                    self.variable_argument(argument)
                }
            });
        }
        if let Some(extra) = arguments.get(conversions.len()) {
            self.warning(WarningFlag::FormatExtraArgs, extra.span, "data argument not used by format string");
        }
        if arguments.len() < conversions.len() {
            self.warning(WarningFlag::FormatInsufficientArgs, format.span, "more '%' conversions than data arguments");
        }
        converted
    }

    /// The conversion specifications of a format; reports what is wrong with it.
    fn conversions(&mut self, text: &str, span: Span) -> Vec<Conversion> {
        let mut conversions = Vec::new();
        for piece in printf::pieces(text) {
            match piece {
                Ok(Piece::Text(_)) => {}
                Ok(Piece::Conversion(conversion)) => {
                    self.check_length(conversion, span);
                    conversions.push(conversion);
                }
                // What C allows and no device can print.
                Err((error @ (FormatError::Star | FormatError::Count | FormatError::TooWide), _)) => {
                    self.error(span, error.to_string());
                }
                Err((error @ FormatError::Unknown { .. }, _)) => {
                    self.warning(WarningFlag::FormatInvalidSpecifier, span, error.to_string());
                }
                Err((error, _)) => self.warning(WarningFlag::Format, span, error.to_string()),
            }
        }
        conversions
    }

    /// Warns of length modifiers that the language does not have.
    fn check_length(&mut self, conversion: Conversion, span: Span) {
        let message = match conversion.length {
            Length::Foreign => "length modifiers 'll' and 'j' are not in OpenCL C; use 'l'",
            Length::Size if conversion.lanes > 1 => "length modifiers 'z' and 't' are not for vectors; use 'l'",
            Length::Size if self.language() < ClStd::CL3_1 => "length modifiers 'z' and 't' need OpenCL C 3.1; use 'l'",
            _ => return,
        };
        self.warning(WarningFlag::Format, span, message);
    }

    /// The bytes, without the terminator, that a pointer is known to point to. Calls may share a long string, which is read for each
    /// of them: the error that they read too much is reported.
    fn constant_string(&mut self, pointer: ExprRef<'h>) -> Option<Vec<u8>> {
        let bytes = self.find_string(pointer)?;
        let before = self.printed_bytes;
        self.printed_bytes = before.saturating_add(bytes.len());
        if before <= printf::MAX_READ && self.printed_bytes > printf::MAX_READ {
            let limit = printf::MAX_READ;
            self.error(pointer.span, format!("strings of calls of 'printf' have more than {limit} bytes up to here"));
        }
        (self.printed_bytes <= printf::MAX_READ).then_some(bytes)
    }

    fn find_string(&self, pointer: ExprRef<'h>) -> Option<Vec<u8>> {
        let (global, offset) = match pointer.kind {
            // A pointer variable that cannot change.
            ExprKind::Load(place) => {
                let (variable, at) = self.address(place)?;
                let relocations = &self.constant_object(variable)?.relocations;
                let at = u64::try_from(at).ok()?;
                let found = relocations.get(relocations.partition_point(|(offset, ..)| *offset < at))?;
                (found.0 == at).then_some((found.1, found.2))?
            }
            _ => self.address_value(pointer)?,
        };
        let data = &self.constant_object(global)?.bytes;
        let bytes = data.get(usize::try_from(offset).ok()?..)?;
        let end = bytes.iter().position(|byte| *byte == 0)?;
        bytes.get(..end).map(<[u8]>::to_vec)
    }

    /// The address of a literal with these bytes: the pointer itself where it is one.
    fn as_literal(&mut self, pointer: ExprRef<'h>, bytes: &[u8]) -> ExprRef<'h> {
        if let ExprKind::AddressOf(place) = pointer.kind
            && let ExprKind::ModuleVariable(id) = place.kind
            && let Some(global) = self.program.variables.get(id)
            && global.is_string
            && global.init.as_ref().is_some_and(|init| init.bytes.len() == bytes.len() + 1)
        {
            return pointer;
        }
        let element = QualTy::plain(Ty::CHAR);
        let ty = self.program.types.intern(TyKind::Array(element, Some(bytes.len() as u64 + 1)));
        let ty = QualTy { space: AddressSpace::Constant, ..QualTy::plain(ty) };
        let data = [bytes, &[0]].concat();
        let init = Some(ConstantData { bytes: data, ..ConstantData::default() });
        let (name, span) = (self.names.empty(), pointer.span);
        let (internal, external, owner) = (true, false, None);
        let global = ModuleVariable { name, ty, align: 1, span, init, internal, external, owner, is_string: true };
        let id = self.add_module_variable(global);
        let place = self.make_lvalue(ExprKind::ModuleVariable(id), ty, span);
        self.lvalue_conversion(place)
    }

    /// What `%s` prints.
    fn string_argument(&mut self, argument: ExprRef<'h>) -> ExprRef<'h> {
        if let Some(bytes) = self.constant_string(argument) {
            return self.as_literal(argument, &bytes);
        }
        let pointee = self.pointee(argument.ty.ty).map(|pointee| self.kind(pointee.ty));
        if !matches!(pointee, Some(TyKind::Int(IntKind::Char | IntKind::UChar) | TyKind::Void)) {
            self.error(argument.span, "the argument of '%s' is not a string");
        }
        argument
    }

    /// Default argument promotions. A `float` is a `double` where `printf` runs on the device; a record in the
    /// buffer of a Vulkan device says its size, and the device need not have doubles.
    fn variable_argument(&mut self, value: ExprRef<'h>) -> ExprRef<'h> {
        match self.kind(value.ty.ty) {
            TyKind::Float(FloatKind::Half | FloatKind::Float) if self.options.target.is_vulkan() => {
                self.convert(value, Ty::FLOAT)
            }
            TyKind::Float(FloatKind::Half | FloatKind::Float) => self.convert(value, Ty::DOUBLE),
            TyKind::Bool | TyKind::Int(_) | TyKind::Enum(_) => self.promote(value),
            TyKind::Float(_) | TyKind::Vector(..) | TyKind::Pointer(_) => value,
            _ => {
                let text = self.quoted(value.ty.ty);
                self.error(value.span, format!("cannot pass object of type {text} to a variadic function"));
                value
            }
        }
    }

    /// Warns where an argument is not what its conversion prints.
    fn check_conversion(&mut self, conversion: Conversion, argument: ExprRef<'h>) {
        if conversion.specifier == Specifier::Pointer {
            if !self.is_pointer(argument) {
                let text = self.quoted(argument.ty.ty);
                self.warning(
                    WarningFlag::Format,
                    argument.span,
                    format!("format specifies type 'void *' but the argument has type {text}"),
                );
            }
            return;
        }
        let expected = expected_scalar(&conversion, self.program.types.address_bits);
        let fits = match self.program.types.lanes(argument.ty.ty) {
            Some((scalar, lanes)) => lanes == conversion.lanes && scalar_fits(scalar, expected, lanes),
            None => false,
        };
        if !fits {
            let ty = self.program.types.vector(expected, conversion.lanes);
            let (wanted, given) = (self.ty_text(ty), self.quoted(argument.ty.ty));
            let message = format!("format specifies type '{wanted}' but the argument has type {given}");
            self.warning(WarningFlag::Format, argument.span, message);
        }
    }
}

/// The type of an argument's element.
fn expected_scalar(conversion: &Conversion, address_bits: AddressBits) -> Scalar {
    if conversion.specifier.is_float() {
        return Scalar::Float(match conversion.length {
            Length::Int => FloatKind::Float,
            Length::Short => FloatKind::Half,
            _ => FloatKind::Double,
        });
    }
    let signed = matches!(conversion.specifier, Specifier::Signed | Specifier::Character);
    let bits = match conversion.length {
        Length::Size => 8 * address_bits.bytes(),
        length => length.integer_bits(),
    };
    Scalar::Int(match (bits, signed) {
        (8, true) => IntKind::Char,
        (8, false) => IntKind::UChar,
        (16, true) => IntKind::Short,
        (16, false) => IntKind::UShort,
        (32, true) => IntKind::Int,
        (32, false) => IntKind::UInt,
        (_, true) => IntKind::Long,
        (_, false) => IntKind::ULong,
    })
}

/// Signedness does not count; scalars are promoted first, vectors are not.
fn scalar_fits(given: Scalar, expected: Scalar, lanes: u8) -> bool {
    match (given, expected) {
        (Scalar::Float(given), Scalar::Float(expected)) => given == expected || lanes == 1,
        (Scalar::Bool, Scalar::Int(expected)) => lanes == 1 && expected.bits() == 32,
        (Scalar::Int(given), Scalar::Int(expected)) => {
            given.bits() == expected.bits() || lanes == 1 && given.bits() < 32 && expected.bits() == 32
        }
        _ => false,
    }
}
