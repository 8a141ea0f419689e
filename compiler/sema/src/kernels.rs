//! Kernels: the rules for their parameters, and their attributes (6.9 of OpenCL C 1.2).

use super::Sema;
use super::attributes::FunctionAttributes;
use super::functions::parameter_declarations;
use crate::hir::types::FunctionTyId;
use crate::hir::{FloatKind, FunctionId, KernelAttributes, KernelParameter, QualTy, Scalar, Ty, TyKind};
use clforge_basic::options::ClStd;
use clforge_basic::source::Span;
use clforge_syntax::ast::{self, AddressSpace, Derived, Qualifiers, TypeSpecifierKind};

/// Bytes of the names and types of all parameters of kernels: a macro makes long ones of few characters.
const MAX_ARGUMENT_NAMES: usize = 16 << 20;

impl<'a> Sema<'a, '_, '_> {
    /// Checks a kernel's declaration and records its attributes and parameters.
    pub(super) fn kernel_signature(
        &mut self,
        id: FunctionId,
        ty: FunctionTyId,
        specifiers: &ast::DeclarationSpecifiers<'a>,
        declarator: &ast::Declarator<'a>,
        attributes: &FunctionAttributes,
    ) {
        let signature = self.program.types.function_ty(ty).clone();
        let declarations = parameter_declarations(declarator);
        let known = self.program.functions[id].kernel.is_some();
        if !known && self.text(self.program.functions[id].name) == "main" {
            let span = declarator.name.map_or(declarator.span, |(_, span)| span);
            self.error(span, "kernel cannot be called 'main'");
        }
        if !known && signature.result.ty != Ty::VOID && signature.result.ty != Ty::ERROR {
            self.error(specifiers.ty.span, "kernel must have void return type");
        }
        let mut parameters = Vec::with_capacity(signature.parameters.len());
        for (index, (ty, declaration)) in signature.parameters.iter().zip(declarations).enumerate() {
            if !known {
                self.check_kernel_parameter(*ty, declaration, &signature.parameters[..index]);
            }
            let parameter = self.kernel_parameter(*ty, declaration);
            if !self.has_argument_room(&parameter, declaration) {
                return;
            }
            parameters.push(parameter);
        }
        let old = self.program.functions[id].kernel.take().unwrap_or_default();
        self.program.functions[id].kernel = Some(KernelAttributes {
            required_work_group_size: attributes.required_work_group_size.or(old.required_work_group_size),
            work_group_size_hint: attributes.work_group_size_hint.or(old.work_group_size_hint),
            vec_type_hint: attributes.vec_type_hint.or(old.vec_type_hint),
            required_sub_group_size: attributes.required_sub_group_size.or(old.required_sub_group_size),
            parameters,
        });
    }

    /// Whether there is room for the names of one more kernel argument, which modules keep; the error is reported.
    fn has_argument_room(&mut self, parameter: &KernelParameter, declaration: &ast::ParameterDeclaration<'a>) -> bool {
        self.argument_names += parameter.name.len() + parameter.type_name.len();
        let all = self.argument_names;
        if all > MAX_ARGUMENT_NAMES {
            let span = declaration.declarator.name.map_or(declaration.span, |(_, span)| span);
            let limit = MAX_ARGUMENT_NAMES;
            let message =
                format!("names and types of kernel parameters have {all} bytes up to here, and the limit is {limit}");
            self.error(span, message);
        }
        all <= MAX_ARGUMENT_NAMES
    }

    fn check_kernel_parameter(&mut self, q: QualTy, declaration: &ast::ParameterDeclaration<'a>, earlier: &[QualTy]) {
        let span = declaration.declarator.name.map_or(declaration.span, |(_, span)| span);
        if let TyKind::Pointer(pointee) = self.kind(q.ty) {
            if matches!(pointee.space, AddressSpace::Private | AddressSpace::Generic) {
                let message = "pointer arguments to kernel functions must reside in '__global', '__constant' or '__local' address space";
                self.error(span, message);
            } else if matches!(self.kind(pointee.ty), TyKind::Pointer(_)) && self.language() < ClStd::CL2_0 {
                self.error(span, "kernel parameter cannot be declared as a pointer to a pointer");
            }
            return;
        }
        if let (TypeSpecifierKind::Name(name), []) = (declaration.specifiers.ty.kind, declaration.declarator.derived)
            && self.is_size_type(name)
        {
            let text = self.text(name);
            let message = format!("'{text}' cannot be used as the type of a kernel parameter");
            return self.error(span, message);
        }
        match self.forbidden_in_kernel_parameter(q.ty, earlier) {
            None => {}
            Some((forbidden, None)) => {
                let text = self.ty_text(forbidden);
                self.error(span, format!("'{text}' cannot be used as the type of a kernel parameter"));
            }
            Some((_, Some((field, what)))) => {
                let text = self.ty_text(q.ty);
                let message = format!("'{text}' cannot be used as the type of a kernel parameter: {what}");
                self.error_with_note(span, message, field, "field of the illegal type declared here");
            }
        }
    }

    /// The type in `ty` that a kernel's parameter must not have, with the field where it is. Programs in OpenCL C 1.x pass
    /// pointers in records where `earlier` parameters have the same type, since clang takes those then.
    fn forbidden_in_kernel_parameter(&self, ty: Ty, earlier: &[QualTy]) -> Option<(Ty, Option<(Span, &'static str)>)> {
        match self.kind(ty) {
            TyKind::Bool | TyKind::Event | TyKind::ReserveId | TyKind::NdRange | TyKind::Matrix(_) => Some((ty, None)),
            TyKind::Vector(Scalar::Bool, _) => Some((ty, None)),
            TyKind::Float(FloatKind::Half) if !self.has_half() => Some((ty, None)),
            TyKind::Record(id) => self.program.types.find_member(id, &mut |field, inner| match self.kind(inner.ty) {
                // Its members are asked by themselves.
                TyKind::Record(_) => None,
                TyKind::Pointer(_) => {
                    let allowed =
                        self.language() >= ClStd::CL2_0 || earlier.iter().any(|earlier| earlier.ty == inner.ty);
                    (!allowed).then_some((ty, Some((field.span, "struct kernel parameters may not contain pointers"))))
                }
                _ => {
                    let (forbidden, _) = self.forbidden_in_kernel_parameter(inner.ty, earlier)?;
                    Some((forbidden, Some((field.span, "it contains a type that kernels cannot take"))))
                }
            }),
            _ => None,
        }
    }

    fn kernel_parameter(&self, q: QualTy, declaration: &ast::ParameterDeclaration<'a>) -> KernelParameter {
        let name = declaration.declarator.name.map_or(String::new(), |(name, _)| self.text(name).to_string());
        let (address_space, qualifiers) = match self.kind(q.ty) {
            TyKind::Pointer(pointee) => {
                let quals = pointee.quals | (q.quals & Qualifiers::RESTRICT);
                let constant = pointee.space == AddressSpace::Constant;
                (pointee.space, if constant { quals | Qualifiers::CONST } else { quals })
            }
            TyKind::Image(..) | TyKind::Pipe(..) => (AddressSpace::Global, Qualifiers::empty()),
            _ => (AddressSpace::Private, Qualifiers::empty()),
        };
        KernelParameter { name, type_name: self.parameter_type_name(q, declaration), address_space, qualifiers }
    }

    /// As `clGetKernelArgInfo` returns it: no qualifiers, `uint` for `unsigned int`, a `*` for each pointer.
    fn parameter_type_name(&self, q: QualTy, declaration: &ast::ParameterDeclaration<'a>) -> String {
        let stars =
            declaration.declarator.derived.iter().filter(|step| !matches!(step, Derived::Function { .. })).count();
        if let TypeSpecifierKind::Name(name) = declaration.specifiers.ty.kind {
            return format!("{}{}", self.text(name), "*".repeat(stars));
        }
        let mut base = q.ty;
        if let TyKind::Pipe(packet, _) = self.kind(base) {
            base = packet;
        }
        while let TyKind::Pointer(pointee) | TyKind::Array(pointee, _) = self.kind(base) {
            base = pointee.ty;
        }
        let text = match self.program.types.lanes(base) {
            Some((scalar, 1)) if !matches!(self.kind(base), TyKind::Enum(_)) => scalar.name().to_string(),
            _ => self.ty_text(base),
        };
        format!("{text}{}", "*".repeat(stars))
    }
}
