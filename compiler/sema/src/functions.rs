//! Functions: prototypes, redeclarations, definitions (C99 6.7.5.3, 6.9.1).

use super::attributes::FunctionAttributes;
use super::body::Body;
use super::builtins::{self, Resolution};
use super::overload_set::{OverloadSet, Types};
use super::scope::Entity;
use super::{Sema, Signature};
use crate::hir::types::FunctionTyId;
use crate::hir::{Function, FunctionId, PrivateVariable, QualTy, Stmt, StmtKind, Ty, TyKind};
use clforge_basic::diag::WarningFlag;
use clforge_basic::narrow::to_u32;
use clforge_basic::source::{Span, Symbol};
use clforge_syntax::ast::{self, Derived, FunctionSpecifiers, StorageClass};
use smallvec::SmallVec;

impl<'a, 'h> Sema<'a, 'h, '_> {
    pub(super) fn in_function(&self) -> bool {
        self.body.function.is_some()
    }

    /// A prototype or the head of a definition: the function it declares, new or known.
    pub(super) fn declare_function(
        &mut self,
        name: Symbol,
        span: Span,
        ty: FunctionTyId,
        specifiers: &ast::DeclarationSpecifiers<'a>,
        declarator: &ast::Declarator<'a>,
        attributes: &FunctionAttributes,
    ) -> Option<FunctionId> {
        let set = match self.ordinary.find_outermost(name).map(|entry| (entry.entity, entry.span)) {
            Some((Entity::Functions(set), _)) => Some(set),
            None => self.block_functions.get(&name).copied(),
            Some((Entity::Poisoned | Entity::Type(_), _)) => None,
            Some((_, previous)) => {
                let message = format!("redefinition of '{}' as different kind of symbol", self.text(name));
                self.error_with_note(span, message, previous, "previous definition is here");
                return None;
            }
        };
        self.check_result_type(ty, specifiers.ty.span);
        let storage = self.storage(specifiers);
        let kernel = specifiers.function.contains(FunctionSpecifiers::KERNEL);
        if kernel && storage == Some(StorageClass::Static) {
            self.error(span, "kernel functions cannot be declared static");
        }
        let found = match set {
            Some(set) => self.redeclared_function(set, name, span, ty, attributes)?,
            None => None,
        };
        let id = match found {
            Some(id) => id,
            None => {
                let id = self.new_function(name, span, ty, declarator, attributes);
                let place = set.unwrap_or_else(|| {
                    self.overloads.push(OverloadSet::default());
                    let set = to_u32(self.overloads.len()) - 1;
                    if self.ordinary.depth() > 0 {
                        self.block_functions.insert(name, set);
                    }
                    self.ordinary.declare(name, Entity::Functions(set), span);
                    set
                });
                let parameters = self.parameter_types(ty);
                self.overloads[place as usize].push(id, parameters);
                id
            }
        };
        if let Some(set) = set
            && self.ordinary.find_here(name).is_none()
        {
            self.ordinary.declare(name, Entity::Functions(set), span);
        }
        if kernel {
            self.kernel_signature(id, ty, specifiers, declarator, attributes);
        } else if let Some((place, attribute)) = attributes.kernel_only
            && self.program.functions[id].kernel.is_none()
        {
            self.error(place, format!("attribute '{attribute}' can only be applied to an OpenCL kernel function"));
        }
        if storage == Some(StorageClass::Static) && !specifiers.function.contains(FunctionSpecifiers::INLINE) {
            self.statics.push(id);
        }
        let internal = storage == Some(StorageClass::Static)
            || specifiers.function.contains(FunctionSpecifiers::INLINE)
            // Several functions of one name: modules are linked by name.
            || attributes.overloadable
            || self.library;
        let function = &mut self.program.functions[id];
        function.internal |= internal;
        if attributes.inline_hint != Default::default() {
            function.inline_hint = attributes.inline_hint;
        }
        Some(id)
    }

    /// Whether a prototype is that of a built-in function, as headers for other compilers have them: a call is one of the built-in
    /// function, unless the unit defines a function of that name.
    pub(super) fn restates_builtin(&mut self, name: Symbol, ty: FunctionTyId) -> bool {
        let is_known = self.library || self.defined.contains(&name) || self.ordinary.find_outermost(name).is_some();
        if is_known || !builtins::is_builtin(self.text(name)) {
            return false;
        }
        let declared = self.program.types.function_ty(ty).clone();
        if declared.variadic {
            return self.text(name) == "printf";
        }
        let argument = |parameter: &QualTy| builtins::Argument { ty: *parameter, is_null: false };
        let arguments: Vec<_> = declared.parameters.iter().map(argument).collect();
        let found = builtins::resolve(self.names.text(name), &arguments, &mut self.program.types, self.options);
        let Resolution::Found { parameters, result, variadic: false, .. } = found else { return false };
        result == declared.result.ty
            && parameters.len() == declared.parameters.len()
            && parameters.iter().zip(&declared.parameters).all(|(known, new)| known.ty == new.ty)
    }

    fn new_function(
        &mut self,
        name: Symbol,
        span: Span,
        ty: FunctionTyId,
        declarator: &ast::Declarator<'a>,
        attributes: &FunctionAttributes,
    ) -> FunctionId {
        let types = &self.program.types;
        let signature = types.function_ty(ty);
        let declared = parameter_declarations(declarator);
        // A definition replaces them by its own.
        let parameter = |(index, ty): (usize, &QualTy)| {
            let name = declared.get(index).and_then(|parameter| parameter.declarator.name);
            let (name, span) = name.unwrap_or((self.names.empty(), span));
            PrivateVariable { name, ty: *ty, align: types.align_of(ty.ty), span }
        };
        let variables = signature.parameters.iter().enumerate().map(parameter).collect();
        let id = self.program.functions.push_and_get_key(Function {
            name,
            span,
            result: signature.result.ty,
            parameter_count: to_u32(signature.parameters.len()),
            variables,
            body: None,
            label_count: 0,
            expression_jumps: false,
            kernel: None,
            inline_hint: attributes.inline_hint,
            internal: false,
            block: None,
            callees: Vec::new(),
            builtins: Vec::new(),
        });
        let parameters = declared
            .iter()
            .map(|parameter| parameter.declarator.name.map_or(parameter.span, |(_, span)| span))
            .collect();
        let signature = Signature { ty, prototype: true, overloadable: attributes.overloadable, parameters };
        self.signatures.insert(id, signature);
        id
    }

    fn parameter_types(&self, ty: FunctionTyId) -> Types {
        self.program.types.function_ty(ty).parameters.iter().map(|parameter| parameter.ty).collect()
    }

    /// The function of the set that a new declaration redeclares. `Some(None)`: a new overload; `None`: an error, which has
    /// been reported.
    fn redeclared_function(
        &mut self,
        set: u32,
        name: Symbol,
        span: Span,
        ty: FunctionTyId,
        attributes: &FunctionAttributes,
    ) -> Option<Option<FunctionId>> {
        let new = self.program.types.function_ty(ty).clone();
        let overloads = &self.overloads[set as usize];
        let candidates: SmallVec<[FunctionId; 1]> = match overloads.exact(&self.parameter_types(ty)) {
            Some(same) => SmallVec::from_slice(&[same]),
            // Any other is one more overload.
            None if attributes.overloadable => SmallVec::new(),
            None => overloads.functions().into(),
        };
        for candidate in &candidates {
            let Some(signature) = self.signatures.get(candidate) else { continue };
            let old = self.program.types.function_ty(signature.ty);
            let same_parameters = old.parameters.len() == new.parameters.len()
                && old.parameters.iter().zip(&new.parameters).all(|(a, b)| a.ty == b.ty);
            let has_error = new.parameters.iter().chain(&old.parameters).any(|p| p.ty == Ty::ERROR);
            if same_parameters && old.result.ty == new.result.ty {
                return Some(Some(*candidate));
            }
            let overload = signature.overloadable || attributes.overloadable;
            if !overload || same_parameters {
                if !has_error && new.result.ty != Ty::ERROR {
                    let previous = self.program.functions[*candidate].span;
                    let message = format!("conflicting types for '{}'", self.text(name));
                    self.error_with_note(span, message, previous, "previous declaration is here");
                }
                return None;
            }
        }
        Some(None)
    }

    /// A function with its body.
    pub(super) fn function_definition(&mut self, function: &'a ast::FunctionDefinition<'a>) {
        let base = self.specifiers(&function.specifiers);
        let declared = self.declarator_type(base, &function.declarator, false);
        let Some((name, span)) = function.declarator.name else {
            return self.error(function.span, "expected identifier or '('");
        };
        let TyKind::Function(ty) = self.kind(declared.ty) else {
            if declared.ty != Ty::ERROR {
                self.error(span, "expected ';' after top level declarator");
            }
            return self.poison(name, span);
        };
        let mut attributes = FunctionAttributes::default();
        self.function_attributes(function.specifiers.attributes, &mut attributes);
        self.function_attributes(function.declarator.attributes, &mut attributes);
        let declared = self.declare_function(name, span, ty, &function.specifiers, &function.declarator, &attributes);
        let id = match declared {
            Some(id) => id,
            // The body is still checked, as a function that cannot be called.
            None => self.new_function(name, span, ty, &function.declarator, &attributes),
        };
        if self.program.functions[id].body.is_some() {
            let previous = self.program.functions[id].span;
            let message = format!("redefinition of '{}'", self.text(name));
            self.error_with_note(span, message, previous, "previous definition is here");
        }
        self.program.functions[id].span = span;
        self.definition = Some(function);
        self.check_body(id, ty, function);
    }

    fn check_body(&mut self, id: FunctionId, ty: FunctionTyId, function: &'a ast::FunctionDefinition<'a>) {
        let signature = self.program.types.function_ty(ty).clone();
        let tentative = std::mem::take(&mut self.body.tentative);
        self.body = Body {
            function: Some(id),
            result: signature.result.ty,
            is_kernel: self.program.functions[id].kernel.is_some(),
            tentative,
            ..Body::default()
        };
        self.check_complete_result(signature.result.ty, function);
        // Parameters and the outermost block are one scope (C99 6.2.1 would make a redeclaration an error either way).
        self.enter_scope();
        self.parameters(&signature.parameters, &function.declarator);
        let mut statements = Vec::new();
        if let ast::StatementKind::Compound(items) = function.body.kind {
            self.items(items, &mut statements);
        }
        self.leave_scope();
        self.check_labels();
        self.unused_variables();
        self.sometimes_uninitialized(&statements);
        self.divergent_barriers(&statements);
        let void = matches!(signature.result.ty, Ty::VOID | Ty::ERROR);
        if !void && !self.body.has_skipped && falls_through(&statements) {
            let place = Span::token(function.body.span.hi.saturating_sub(1));
            let somewhere = if self.body.returns { " in all control paths" } else { "" };
            self.warning(
                WarningFlag::ReturnType,
                place,
                format!("non-void function does not return a value{somewhere}"),
            );
        }
        let mut body = std::mem::take(&mut self.body);
        self.body.tentative = std::mem::take(&mut body.tentative);
        body.finish(&mut self.program.functions[id], self.arena.alloc_slice_copy(&statements));
    }

    fn check_complete_result(&mut self, result: Ty, function: &ast::FunctionDefinition<'a>) {
        if result != Ty::VOID && self.program.types.size_of(result).is_none() {
            let message = format!("incomplete result type '{}' in function definition", self.ty_text(result));
            self.error(function.specifiers.ty.span, message);
        }
    }

    /// Handles cannot be returned (6.11.b).
    fn check_result_type(&mut self, ty: FunctionTyId, place: Span) {
        let result = self.program.types.function_ty(ty).result.ty;
        if matches!(self.kind(result), TyKind::Image(..) | TyKind::Sampler | TyKind::Pipe(..)) {
            let message = format!("declaring function return value of type '{}' is not allowed", self.ty_text(result));
            self.error(place, message);
        }
    }

    pub(super) fn parameters(&mut self, types: &[QualTy], declarator: &ast::Declarator<'a>) {
        let declarations = parameter_declarations(declarator);
        for (index, ty) in types.iter().enumerate() {
            let declaration = declarations.get(index);
            let (name, span) = match declaration.map(|declaration| (declaration.declarator.name, declaration.span)) {
                Some((Some(named), _)) => named,
                Some((None, span)) => (self.names.empty(), span),
                None => (self.names.empty(), declarator.span),
            };
            if ty.ty != Ty::ERROR && self.program.types.size_of(ty.ty).is_none() {
                let message = format!("variable has incomplete type '{}'", self.ty_text(ty.ty));
                match self.incomplete_note(ty.ty) {
                    Some((place, note)) => self.error_with_note(span, message, place, note),
                    None => self.error(span, message),
                }
            }
            let align = self.program.types.align_of(ty.ty);
            let id = self.add_private_variable(name, *ty, align, span);
            // Two parameters of one name were reported when the type of their function was made.
            if name != self.names.empty() && self.ordinary.find_here(name).is_none() {
                self.shadows(name, span);
                self.ordinary.declare(name, Entity::PrivateVariable(id), span);
            }
        }
    }
}

/// The parameters as written: those of the declarator step nearest to the name.
pub(super) fn parameter_declarations<'a>(declarator: &ast::Declarator<'a>) -> &'a [ast::ParameterDeclaration<'a>] {
    match declarator.derived.first() {
        Some(Derived::Function { parameters, .. }) => parameters,
        _ => &[],
    }
}

/// Whether control reaches the end: false where the last statement is of a kind that would need flow analysis.
fn falls_through(statements: &[Stmt<'_>]) -> bool {
    let Some(last) = statements.last() else { return true };
    match last.kind {
        StmtKind::Expr(_) | StmtKind::Declare { .. } => true,
        StmtKind::Block(inner) => falls_through(inner),
        StmtKind::If { then, otherwise, .. } => falls_through(then) || falls_through(otherwise),
        _ => false,
    }
}
