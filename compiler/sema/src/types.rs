//! Declaration specifiers, declarators and type names → types.

use super::Sema;
use super::names::Predeclared;
use super::scope::{DeclTy, Entity};
use crate::hir::types::FunctionTy;
use crate::hir::{IntKind, QualTy, Ty, TyKind};
use clforge_basic::diag::WarningFlag;
use clforge_basic::image::AccessQualifier;
use clforge_basic::options::{AddressBits, ClStd};
use clforge_basic::source::{Span, Symbol};
use clforge_syntax::ast::{self, AddressSpace, Derived, Qualifiers, TypeKeyword, TypeSpecifierKind};

/// Types larger than this are rejected, so that computing with their sizes never overflows.
const MAX_TYPE_SIZE: u64 = 1 << 40;

impl<'a> Sema<'a, '_, '_> {
    /// Bytes of the largest types: `size_t` has their sizes.
    pub(super) fn max_type_size(&self) -> u64 {
        match self.program.types.address_bits {
            AddressBits::Bits32 => u64::from(u32::MAX),
            AddressBits::Bits64 => MAX_TYPE_SIZE,
        }
    }

    /// The type that specifiers name, with their qualifiers and address space.
    pub(super) fn specifiers(&mut self, specifiers: &ast::DeclarationSpecifiers<'a>) -> DeclTy {
        let access = self.access(specifiers.access);
        let base = self.specified_type(&specifiers.ty, access);
        let (mut ty, mut quals) = (base.ty, base.quals);
        if !specifiers.qualifiers.is_empty() {
            let qualified = self.qualify(QualTy { ty, quals, space: AddressSpace::Private }, specifiers.qualifiers);
            (ty, quals) = (qualified.ty, qualified.quals);
        }
        if specifiers.qualifiers.contains(Qualifiers::RESTRICT)
            && !matches!(self.kind(ty), TyKind::Pointer(_) | TyKind::Error)
        {
            let text = self.quoted(ty);
            self.error(specifiers.ty.span, format!("restrict requires a pointer ({text} is invalid)"));
        }
        if !specifiers.access.is_empty()
            && !matches!(self.kind(ty), TyKind::Image(..) | TyKind::Pipe(..) | TyKind::Error)
        {
            self.error(specifiers.access[0].1, "access qualifier can only be used for pipe and image type");
        }
        let space = self.written_space(base.space, specifiers.address_spaces);
        self.attributed_type(DeclTy { ty, quals, space }, specifiers.attributes)
    }

    fn access(&mut self, written: &[(AccessQualifier, Span)]) -> AccessQualifier {
        if let [first, second, ..] = written {
            if first.0 == second.0 {
                self.warning(WarningFlag::DuplicateDeclSpecifier, second.1, "duplicate access qualifier");
            } else {
                self.error(second.1, "multiple access qualifiers");
            }
        }
        if let [(AccessQualifier::ReadWrite, span), ..] = written
            && self.language() < ClStd::CL2_0
            && !self.library
        {
            self.error(*span, "access qualifier 'read_write' can not be used prior to OpenCL C version 2.0");
        }
        written.first().map_or(AccessQualifier::ReadOnly, |(access, _)| *access)
    }

    /// The address space of `known` (from a typedef) and the ones written.
    pub(super) fn written_space(
        &mut self,
        known: Option<AddressSpace>,
        written: &[(AddressSpace, Span)],
    ) -> Option<AddressSpace> {
        let mut space = known;
        for (new, span) in written {
            if space.is_some_and(|space| space != *new) {
                self.error(*span, "multiple address spaces specified for type");
            }
            if *new == AddressSpace::Generic && !self.has_generic() && !self.library {
                self.error(*span, "'generic' address space requires OpenCL C 2.0 or later");
            }
            space = Some(*new);
        }
        space
    }

    fn specified_type(&mut self, specifier: &ast::TypeSpecifier<'a>, access: AccessQualifier) -> DeclTy {
        let span = specifier.span;
        match specifier.kind {
            TypeSpecifierKind::Missing => {
                self.warning(WarningFlag::ImplicitInt, span, "type specifier missing, defaults to 'int'");
                DeclTy::plain(Ty::INT)
            }
            TypeSpecifierKind::Keywords(keywords) => DeclTy::plain(self.keyword_type(keywords, span)),
            TypeSpecifierKind::Name(name) => self.named_type(name, span, access),
            TypeSpecifierKind::Record(record) => DeclTy::plain(self.record_specifier(record)),
            TypeSpecifierKind::Enum(specifier) => DeclTy::plain(self.enum_specifier(specifier, false)),
            TypeSpecifierKind::TypeofExpr(expr) => {
                self.unevaluated += 1;
                let checked = self.expr(expr);
                self.unevaluated -= 1;
                DeclTy { ty: checked.ty.ty, quals: checked.ty.quals, space: None }
            }
            TypeSpecifierKind::TypeofType(name) => self.type_name(name),
            TypeSpecifierKind::Atomic(name) => {
                self.type_name(name);
                self.error(span, "'_Atomic' is not supported in OpenCL C; use the 'atomic_…' types");
                DeclTy::plain(Ty::ERROR)
            }
            TypeSpecifierKind::StaticAssert(assertion) => {
                self.static_assert(assertion);
                DeclTy::plain(Ty::ERROR)
            }
            TypeSpecifierKind::Pipe(element) => {
                let element = self.specified_type(element, AccessQualifier::ReadOnly);
                let ty = self.program.types.intern(TyKind::Pipe(element.ty, access));
                if access == AccessQualifier::ReadWrite {
                    self.error(span, "access qualifier 'read_write' cannot be used with pipes");
                }
                let known = element.ty != Ty::ERROR && self.device_type(ty, span);
                DeclTy::plain(if known { ty } else { Ty::ERROR })
            }
            TypeSpecifierKind::Conflict(name) => {
                let name = self.text(name).to_string();
                self.error(span, format!("cannot combine with previous '{name}' declaration specifier"));
                DeclTy::plain(Ty::ERROR)
            }
        }
    }

    fn static_assert(&mut self, assertion: &ast::StaticAssert<'a>) {
        let place = assertion.condition.span;
        let condition = self.value(assertion.condition);
        match self.folded_integer(condition) {
            Some((0, _)) if assertion.message.is_empty() => self.error(place, "static assertion failed"),
            Some((0, _)) => {
                let message = String::from_utf8_lossy(assertion.message).into_owned();
                self.error(place, format!("static assertion failed: {message}"));
            }
            None if condition.ty.ty != Ty::ERROR => {
                self.error(place, "static assertion expression is not an integral constant expression");
            }
            _ => {}
        }
    }

    fn named_type(&mut self, name: Symbol, span: Span, access: AccessQualifier) -> DeclTy {
        if let Some(entry) = self.ordinary.find(name)
            && let Entity::Type(ty) = entry.entity
        {
            return ty;
        }
        let found = self.predeclared_type(name);
        if found.is_some() && !self.library {
            self.check_type_version(name, span);
        }
        match found {
            Some(Predeclared::Type(ty)) => {
                if !self.device_type(ty, span) {
                    return DeclTy::plain(Ty::ERROR);
                }
                let ty = if let TyKind::Pipe(element, _) = self.kind(ty) {
                    self.program.types.intern(TyKind::Pipe(element, access))
                } else {
                    ty
                };
                DeclTy::plain(ty)
            }
            Some(Predeclared::Image(shape)) if shape.is_multisampled() && self.options.target.is_vulkan() => {
                let (name, target) = (self.text(name).to_owned(), self.options.target);
                let extension = "requires the extension 'cl_khr_gl_msaa_sharing'";
                self.error(span, format!("type '{name}' {extension}, which the target {target} does not have"));
                DeclTy::plain(Ty::ERROR)
            }
            Some(Predeclared::Image(shape)) => {
                let ty = self.program.types.intern(TyKind::Image(shape, access));
                DeclTy::plain(ty)
            }
            None => {
                let text = self.text(name);
                if super::names::is_2_0_type(text) {
                    self.error(span, format!("use of '{text}' requires OpenCL C 2.0 or newer"));
                } else if !self.sink.has_errors() {
                    // The parser reports names that are not types; this is one that it accepted.
                    self.error(span, format!("unknown type name '{text}'"));
                }
                DeclTy::plain(Ty::ERROR)
            }
        }
    }

    /// Reports a predeclared type that is newer than the language version.
    fn check_type_version(&mut self, name: Symbol, span: Span) {
        if self.language() >= ClStd::CL1_2 {
            return;
        }
        let text = self.text(name);
        let three = text.ends_with('3') && super::names::scalar_or_vector(text).is_some_and(|(_, lanes)| lanes == 3);
        let newer_image = matches!(text, "image1d_t" | "image1d_buffer_t" | "image1d_array_t" | "image2d_array_t");
        if three && self.language() < ClStd::CL1_1 {
            self.error(span, format!("use of '{text}' requires OpenCL C 1.1 or newer"));
        } else if newer_image {
            self.error(span, format!("use of '{text}' requires OpenCL C 1.2 or newer"));
        }
    }

    fn keyword_type(&mut self, keywords: &[TypeKeyword], span: Span) -> Ty {
        let count = |keyword: TypeKeyword| keywords.iter().filter(|k| **k == keyword).count();
        if count(TypeKeyword::Complex) + count(TypeKeyword::Imaginary) > 0 {
            self.error(span, "'_Complex' and '_Imaginary' are not allowed in OpenCL C");
            return Ty::ERROR;
        }
        if count(TypeKeyword::Auto) > 0 {
            self.error(span, "'__auto_type' is allowed in a declaration with an initializer alone");
            return Ty::ERROR;
        }
        let signed = count(TypeKeyword::Signed);
        let unsigned = count(TypeKeyword::Unsigned);
        let longs = count(TypeKeyword::Long);
        let rest: Vec<TypeKeyword> = keywords
            .iter()
            .copied()
            .filter(|k| !matches!(k, TypeKeyword::Signed | TypeKeyword::Unsigned | TypeKeyword::Long))
            .collect();
        let signless = signed + unsigned == 0;
        let kind = match (rest.as_slice(), longs) {
            _ if signed + unsigned > 1 => None,
            ([TypeKeyword::Void], 0) if signless => return Ty::VOID,
            ([TypeKeyword::Bool], 0) if signless => return Ty::BOOL,
            ([TypeKeyword::Float], 0) if signless => return Ty::FLOAT,
            ([TypeKeyword::Double], 0) if signless => return Ty::DOUBLE,
            ([TypeKeyword::Double], 1) if signless => {
                self.reserved_as(span, "long double", "double");
                return Ty::DOUBLE;
            }
            ([TypeKeyword::Half], 0) if signless => return Ty::HALF,
            ([TypeKeyword::Char], 0) => Some(IntKind::Char),
            (
                [TypeKeyword::Short] | [TypeKeyword::Short, TypeKeyword::Int] | [TypeKeyword::Int, TypeKeyword::Short],
                0,
            ) => Some(IntKind::Short),
            ([] | [TypeKeyword::Int], 0) => Some(IntKind::Int),
            ([] | [TypeKeyword::Int], 1) => Some(IntKind::Long),
            ([] | [TypeKeyword::Int], 2) => {
                self.reserved_as(span, "long long", "long");
                Some(IntKind::Long)
            }
            _ => None,
        };
        match kind {
            Some(kind) => self.program.types.intern(TyKind::Int(IntKind::of(kind.bits(), unsigned == 0))),
            None => {
                self.error(span, "cannot combine these type specifiers");
                Ty::ERROR
            }
        }
    }

    /// Types that OpenCL C reserves for wider ones (6.3.4), which other compilers take for what they are in C.
    fn reserved_as(&mut self, span: Span, written: &str, meant: &str) {
        self.warning(
            WarningFlag::ReservedTypes,
            span,
            format!(
                "'{written}' is a reserved type in OpenCL C; it is taken for '{meant}', of 8 bytes, where clang has 16"
            ),
        );
    }

    /// Adds qualifiers; on an array they go to the elements (C99 6.7.3).
    pub(super) fn qualify(&mut self, q: QualTy, add: Qualifiers) -> QualTy {
        match self.kind(q.ty) {
            TyKind::Array(element, count) => {
                let element = self.qualify(element, add | q.quals);
                let ty = self.program.types.intern(TyKind::Array(element, count));
                QualTy { ty, quals: Qualifiers::empty(), space: q.space }
            }
            _ => QualTy { quals: q.quals | add, ..q },
        }
    }

    /// A type name: of casts, `sizeof`, compound literals.
    pub(super) fn type_name(&mut self, name: &ast::TypeName<'a>) -> DeclTy {
        let base = self.specifiers(&name.specifiers);
        self.declarator_type(base, &name.declarator, false)
    }

    /// Applies a declarator to the type before it.
    pub(super) fn declarator_type(
        &mut self,
        base: DeclTy,
        declarator: &ast::Declarator<'a>,
        parameter: bool,
    ) -> DeclTy {
        let mut ty = base;
        for (index, derived) in declarator.derived.iter().enumerate().rev() {
            ty = match derived {
                Derived::Pointer { qualifiers, address_spaces, attributes, span } => {
                    let pointer = self.pointer_step(ty, *qualifiers, address_spaces, *span);
                    let spaces = attributes.iter().fold(pointer.space, |space, one| self.attributed_space(space, one));
                    DeclTy { space: spaces, ..pointer }
                }
                Derived::Array { size, star, span, .. } => {
                    let outermost_of_parameter = parameter && index == 0;
                    self.array_step(ty, *size, *star, *span, outermost_of_parameter, declarator)
                }
                Derived::Function { parameters, variadic, .. } => {
                    self.function_step(ty, parameters, *variadic, declarator)
                }
                Derived::Block { address_spaces, span, .. } => self.block_step(ty, address_spaces, *span),
            };
        }
        ty
    }

    fn pointer_step(
        &mut self,
        pointee: DeclTy,
        qualifiers: Qualifiers,
        spaces: &[(AddressSpace, Span)],
        span: Span,
    ) -> DeclTy {
        let space = self.written_space(None, spaces);
        let ty = match self.kind(pointee.ty) {
            TyKind::Error => Ty::ERROR,
            TyKind::Function(_) => {
                self.error(span, "pointers to functions are not allowed");
                Ty::ERROR
            }
            TyKind::Image(..) | TyKind::Sampler | TyKind::Pipe(..) | TyKind::Block(_) => {
                let text = self.ty_text(pointee.ty);
                self.error(span, format!("pointer to type '{text}' is invalid in OpenCL"));
                Ty::ERROR
            }
            _ if self.is_matrix(pointee.ty) => {
                let text = self.ty_text(pointee.ty);
                self.error(span, format!("a pointer to a cooperative matrix ('{text}') is not possible"));
                Ty::ERROR
            }
            _ => {
                let default = self.default_pointee_space();
                self.program.types.pointer_to(pointee.or_in(default))
            }
        };
        DeclTy { ty, quals: qualifiers, space }
    }

    fn array_step(
        &mut self,
        element: DeclTy,
        size: Option<&'a ast::Expr<'a>>,
        star: bool,
        span: Span,
        parameter: bool,
        declarator: &ast::Declarator<'a>,
    ) -> DeclTy {
        let mut count = size.and_then(|size| self.array_size(size, parameter, declarator));
        if star && !parameter {
            self.error(span, "variable length arrays are not supported in OpenCL");
        }
        let what = match self.kind(element.ty) {
            TyKind::Error => return element,
            TyKind::Function(_) => Some("functions"),
            TyKind::Image(..) | TyKind::Sampler | TyKind::Pipe(..) | TyKind::Block(_) => {
                let text = self.ty_text(element.ty);
                self.error(span, format!("array of '{text}' type is invalid in OpenCL"));
                return DeclTy::plain(Ty::ERROR);
            }
            TyKind::Void => {
                self.error(span, "array has incomplete element type 'void'");
                return DeclTy::plain(Ty::ERROR);
            }
            _ => None,
        };
        if let Some(what) = what {
            self.error(span, format!("'{}' declared as array of {what}", self.declarator_name(declarator)));
            return DeclTy::plain(Ty::ERROR);
        }
        let Some(element_size) = self.program.types.size_of(element.ty) else {
            let text = self.qual_text(QualTy::plain(element.ty));
            self.error(span, format!("array has incomplete element type '{text}'"));
            return DeclTy::plain(Ty::ERROR);
        };
        let most = self.max_type_size();
        if let Some(elements) = count.filter(|count| count.saturating_mul(element_size.max(1)) > most) {
            self.error(size.map_or(span, |size| size.span), format!("array is too large ({elements} elements)"));
            count = Some(1);
        }
        let inner = QualTy { ty: element.ty, quals: element.quals, space: AddressSpace::Private };
        let count = if size.is_some() && !parameter { Some(count.unwrap_or(1)) } else { count };
        let ty = self.program.types.intern(TyKind::Array(inner, count));
        DeclTy { ty, quals: Qualifiers::empty(), space: element.space }
    }

    fn array_size(
        &mut self,
        size: &'a ast::Expr<'a>,
        parameter: bool,
        declarator: &ast::Declarator<'a>,
    ) -> Option<u64> {
        let checked = self.value(size);
        if checked.ty.ty == Ty::ERROR {
            return None;
        }
        let Some((value, signed)) = self.folded_integer(checked) else {
            if self.int_kind(checked.ty.ty).is_none() {
                let text = self.quoted(checked.ty.ty);
                self.error(size.span, format!("size of array has non-integer type {text}"));
            } else if !parameter {
                self.error(size.span, "variable length arrays are not supported in OpenCL");
            }
            return None;
        };
        if signed && value.cast_signed() < 0 {
            let name = self.declarator_name(declarator);
            self.error(size.span, format!("'{name}' declared as an array with a negative size"));
            return None;
        }
        Some(value)
    }

    fn declarator_name(&self, declarator: &ast::Declarator<'a>) -> String {
        declarator.name.map_or("(unnamed)".into(), |(name, _)| self.text(name).to_string())
    }

    fn function_step(
        &mut self,
        result: DeclTy,
        parameters: &'a [ast::ParameterDeclaration<'a>],
        variadic: bool,
        declarator: &ast::Declarator<'a>,
    ) -> DeclTy {
        let span = declarator.span;
        match self.kind(result.ty) {
            TyKind::Function(_) => {
                self.error(span, "function cannot return function type");
                return DeclTy::plain(Ty::ERROR);
            }
            TyKind::Block(_) => {
                let text = self.ty_text(result.ty);
                self.error(span, format!("declaring function return value of type '{text}' is not allowed"));
                return DeclTy::plain(Ty::ERROR);
            }
            TyKind::Array(..) => {
                let text = self.ty_text(result.ty);
                self.error(span, format!("function cannot return array type '{text}'"));
                return DeclTy::plain(Ty::ERROR);
            }
            _ => {}
        }
        if result.space.is_some() {
            self.error(span, "return type cannot be qualified with address space");
        }
        if variadic && !self.library && !self.declares_printf {
            self.error(span, "invalid prototype, variadic arguments are not allowed in OpenCL");
        }
        // Names of parameters are seen by later parameters' array sizes, which must be constant: no scope is needed
        // but for struct tags declared there.
        self.tags.enter();
        self.check_parameter_names(parameters);
        let parameters = parameters.iter().map(|parameter| self.parameter_type(parameter)).collect();
        self.tags.leave();
        let function = FunctionTy { result: QualTy::plain(result.ty), parameters, variadic };
        let id = self.program.types.function(function);
        DeclTy::plain(self.program.types.intern(TyKind::Function(id)))
    }

    fn check_parameter_names(&mut self, parameters: &[ast::ParameterDeclaration<'a>]) {
        let mut seen = rustc_hash::FxHashMap::default();
        for (name, span) in parameters.iter().filter_map(|parameter| parameter.declarator.name) {
            if let Some(previous) = seen.insert(name, span) {
                let message = format!("redefinition of parameter '{}'", self.text(name));
                self.error_with_note(span, message, previous, "previous declaration is here");
            }
        }
    }

    /// A parameter's type: arrays become pointers (C99 6.7.5.3).
    fn parameter_type(&mut self, parameter: &ast::ParameterDeclaration<'a>) -> QualTy {
        let base = self.specifiers(&parameter.specifiers);
        let declared = self.declarator_type(base, &parameter.declarator, true);
        let span = parameter.span;
        if let Some((_, place)) =
            parameter.specifiers.storage.iter().find(|(storage, _)| *storage != ast::StorageClass::Register)
        {
            self.error(*place, "invalid storage class specifier in function declarator");
        }
        let ty = match self.kind(declared.ty) {
            TyKind::Array(element, _) => {
                let default = self.default_pointee_space();
                let space = declared.space.unwrap_or(default);
                if self.is_matrix(element.ty) {
                    let text = self.ty_text(element.ty);
                    self.error(parameter.span, format!("a pointer to a cooperative matrix ('{text}') is not possible"));
                }
                let ty = self.program.types.pointer_to(element.in_space(space));
                let quals = match parameter.declarator.derived.first() {
                    Some(Derived::Array { qualifiers, .. }) => *qualifiers,
                    _ => Qualifiers::empty(),
                };
                return QualTy { ty, quals, space: AddressSpace::Private };
            }
            TyKind::Function(_) => {
                self.error(span, "pointers to functions are not allowed");
                Ty::ERROR
            }
            TyKind::Void => {
                self.error(span, "argument may not have 'void' type");
                Ty::ERROR
            }
            TyKind::Block(_) => {
                let text = self.ty_text(declared.ty);
                self.error(span, format!("declaring function parameter of type '{text}' is not allowed"));
                Ty::ERROR
            }
            TyKind::Float(crate::hir::FloatKind::Half) if !self.has_half() => {
                self.error(span, "declaring function parameter of type 'half' is not allowed; did you forget * ?");
                declared.ty
            }
            _ => declared.ty,
        };
        if declared.space.is_some_and(|space| space != AddressSpace::Private) && ty != Ty::ERROR {
            self.error(span, "parameter may not be qualified with an address space");
        }
        QualTy { ty, quals: declared.quals, space: AddressSpace::Private }
    }

    /// Whether `half` is an arithmetic type: cl_khr_fp16, which every target has.
    pub(super) fn has_half(&self) -> bool {
        true
    }

    /// The integer kind of an integer, bool (as `uchar`) or enumeration type.
    pub(super) fn int_kind(&self, ty: Ty) -> Option<IntKind> {
        match self.kind(ty) {
            TyKind::Int(kind) => Some(kind),
            TyKind::Bool => Some(IntKind::UChar),
            TyKind::Enum(id) => Some(self.program.types.enumeration(id).underlying),
            _ => None,
        }
    }
}
