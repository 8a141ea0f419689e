//! Blocks (6.14): literals, the variables that hold them, what they capture, calls of them.
//!
//! It is always known which block a variable holds, since block variables are initialised where they are declared and
//! never change. So the body of a block is a function of its own. The value of a block only refers to the object with
//! the captured values, which is the first parameter of that function.

use super::body::{Body, Capture, VariableUse};
use super::conversions::AssignmentAction;
use super::declarations::Variable;
use super::scope::{DeclTy, Entity};
use super::{ExprRef, Sema};
use crate::hir::types::{FunctionTy, FunctionTyId};
use crate::hir::{
    BlockObject, Conversion, ExprKind, Function, FunctionId, Init, InitPart, InlineHint, PrivateVariableId, QualTy,
    Stmt, StmtKind, Ty, TyKind,
};
use clforge_basic::narrow::to_u32;
use clforge_basic::options::ClStd;
use clforge_basic::source::Span;
use clforge_syntax::ast::{self, AddressSpace, Initializer, Qualifiers, StorageClass};
use typed_index_collections::TiVec;

impl<'a, 'h> Sema<'a, 'h, '_> {
    /// `^` of a declarator.
    pub(super) fn block_step(&mut self, pointee: DeclTy, spaces: &[(AddressSpace, Span)], span: Span) -> DeclTy {
        if !self.blocks_allowed(span) {
            return DeclTy::plain(Ty::ERROR);
        }
        match self.kind(pointee.ty) {
            TyKind::Function(id) => {
                // "Block variable declarations are implicitly qualified with const."
                let ty = self.program.types.intern(TyKind::Block(id));
                DeclTy { ty, quals: Qualifiers::CONST, space: self.written_space(None, spaces) }
            }
            TyKind::Error => pointee,
            _ => {
                self.error(span, "block pointer to non-function type is invalid");
                DeclTy::plain(Ty::ERROR)
            }
        }
    }

    fn blocks_allowed(&mut self, span: Span) -> bool {
        let allowed = self.language() >= ClStd::CL2_0;
        if !allowed {
            let diagnostic = self
                .error_at(
                    span,
                    "blocks require OpenCL C 2.0, or OpenCL C 3.0 with the feature '__opencl_c_device_enqueue'",
                )
                .with_help("compile with '-cl-std=CL2.0' or '-cl-std=CL3.0'");
            self.push(diagnostic);
        }
        allowed
    }

    /// `^(parameters) { … }`: checks the body as a function of its own.
    pub(super) fn block_literal(
        &mut self,
        ty: Option<&'a ast::TypeName<'a>>,
        parameters: Option<&'a ast::Declarator<'a>>,
        body: &'a ast::Statement<'a>,
        span: Span,
    ) -> ExprRef<'h> {
        if !self.blocks_allowed(span) {
            return self.error_expr(span);
        }
        let Some((signature, declarator)) = self.block_signature(ty, parameters) else { return self.error_expr(span) };
        let FunctionTy { result, parameters, .. } = self.program.types.function_ty(signature).clone();
        let function = self.new_block(span);
        self.enter_block(function, (ty.is_some()).then_some(result.ty));
        self.enter_scope();
        let object = self.context_type();
        self.add_private_variable(self.names.empty(), QualTy::plain(object), 8, span);
        let nameless = ast::Declarator { name: None, derived: &[], attributes: &[], span };
        super::Sema::parameters(self, &parameters, declarator.unwrap_or(&nameless));
        let mut statements = Vec::new();
        if let ast::StatementKind::Compound(items) = body.kind {
            self.items(items, &mut statements);
        }
        self.leave_scope();
        self.check_labels();
        let inner = self.leave_block();
        let result = inner.deduced_result.map_or(inner.result, |deduced| deduced.unwrap_or(Ty::VOID));
        let captures = self.captured_values(&inner.captures, span);
        self.finish_block(function, inner, result, parameters.len(), statements);
        let signature = FunctionTy { result: QualTy::plain(result), parameters, variadic: false };
        let signature = self.program.types.function(signature);
        let ty = self.program.types.intern(TyKind::Block(signature));
        self.make(ExprKind::BlockLiteral { function, captures }, ty, span)
    }

    /// The function type as far as it is written (without a result `void` stands there), and where its parameters are.
    fn block_signature(
        &mut self,
        ty: Option<&'a ast::TypeName<'a>>,
        parameters: Option<&'a ast::Declarator<'a>>,
    ) -> Option<(FunctionTyId, Option<&'a ast::Declarator<'a>>)> {
        let (declared, declarator) = match (ty, parameters) {
            (Some(name), _) => (self.type_name(name), Some(&name.declarator)),
            (None, Some(declarator)) => {
                (self.declarator_type(DeclTy::plain(Ty::VOID), declarator, false), Some(declarator))
            }
            (None, None) => (DeclTy::plain(Ty::VOID), None),
        };
        match self.kind(declared.ty) {
            TyKind::Error => None,
            TyKind::Function(id) => Some((id, declarator)),
            _ => {
                // `^int { … }`, `^{ … }`: no parameters.
                let result = QualTy::plain(declared.ty);
                let ty = FunctionTy { result, parameters: Vec::new(), variadic: false };
                Some((self.program.types.function(ty), None))
            }
        }
    }

    /// The function that a block's body will be, called as clang calls it.
    fn new_block(&mut self, span: Span) -> FunctionId {
        let outermost = self.outer_bodies.first().unwrap_or(&self.body).function;
        let around = outermost.map_or("", |id| self.text(self.program.functions[id].name));
        let blocks = self.program.functions.iter().filter(|function| function.block.is_some()).count();
        let number = if blocks == 0 { String::new() } else { format!("_{}", blocks + 1) };
        let name = format!("__{around}_block_invoke{number}");
        let name = self.names.intern(&name);
        self.program.functions.push_and_get_key(Function {
            name,
            span,
            result: Ty::VOID,
            parameter_count: 1,
            variables: TiVec::new(),
            body: None,
            label_count: 0,
            expression_jumps: false,
            kernel: None,
            inline_hint: InlineHint::None,
            internal: true,
            block: Some(BlockObject::EMPTY),
            callees: Vec::new(),
            builtins: Vec::new(),
        })
    }

    /// The type of a block body's first parameter: any block.
    fn context_type(&mut self) -> Ty {
        let ty = FunctionTy { result: QualTy::plain(Ty::VOID), parameters: Vec::new(), variadic: false };
        let id = self.program.types.function(ty);
        self.program.types.intern(TyKind::Block(id))
    }

    fn enter_block(&mut self, function: FunctionId, result: Option<Ty>) {
        let inner = Body {
            function: Some(function),
            result: result.unwrap_or(Ty::VOID),
            deduced_result: result.is_none().then_some(None),
            outer_scopes: self.ordinary.depth(),
            tentative: std::mem::take(&mut self.body.tentative),
            ..Body::default()
        };
        self.outer_bodies.push(std::mem::replace(&mut self.body, inner));
    }

    fn leave_block(&mut self) -> Body {
        let outer = self.outer_bodies.pop().unwrap_or_default();
        let mut inner = std::mem::replace(&mut self.body, outer);
        self.body.tentative = std::mem::take(&mut inner.tentative);
        inner
    }

    /// What the literal stores: a copy of each variable, of arrays the address.
    fn captured_values(&mut self, captures: &[Capture], span: Span) -> &'h [InitPart<'h>] {
        let mut parts = Vec::with_capacity(captures.len());
        for capture in captures {
            let ty = self.body.variables[capture.outer].ty;
            self.mention(capture.outer, span);
            let place = self.make_lvalue(ExprKind::PrivateVariable(capture.outer), ty, span);
            let value = self.lvalue_conversion(place);
            parts.push(InitPart { offset: capture.offset, value });
        }
        self.arena.alloc_slice_copy(&parts)
    }

    fn finish_block(&mut self, id: FunctionId, body: Body, result: Ty, parameters: usize, statements: Vec<Stmt<'h>>) {
        let mut all = Vec::with_capacity(body.captures.len() + statements.len());
        for capture in &body.captures {
            let Some(variable) = body.variables.get(capture.inner) else { continue };
            let (ty, span) = (variable.ty, variable.span);
            let place = self.block_object_member(capture.offset, ty.ty, span);
            let value = self.make(ExprKind::Load(place), ty.ty, span);
            let init = &*self.arena.alloc(Init::Value(value));
            all.push(Stmt { kind: StmtKind::Declare { variable: capture.inner, init: Some(init) }, span });
        }
        all.extend(statements);
        let target = &mut self.program.functions[id];
        target.result = result;
        target.parameter_count = to_u32(parameters) + 1;
        body.finish(target, self.arena.alloc_slice_copy(&all));
    }

    /// Inside a block's body: what its object holds at `offset`.
    fn block_object_member(&mut self, offset: u64, ty: Ty, span: Span) -> ExprRef<'h> {
        let object = self.context_type();
        let first = self.make_lvalue(ExprKind::PrivateVariable(PrivateVariableId::new(0)), QualTy::plain(object), span);
        let first = self.make(ExprKind::Load(first), object, span);
        let bytes = QualTy::plain(Ty::UCHAR).in_space(AddressSpace::Generic);
        let bytes = self.program.types.pointer_to(bytes);
        let pointer = self.make(ExprKind::Convert(Conversion::Pointer, first), bytes, span);
        let index = self.int(offset, Ty::LONG, span);
        let pointer = self.make(ExprKind::PointerAdd { pointer, index, negative: false }, bytes, span);
        let member = QualTy::plain(ty).in_space(AddressSpace::Generic);
        let ty = self.program.types.pointer_to(member);
        let pointer = self.make(ExprKind::Convert(Conversion::Pointer, pointer), ty, span);
        self.make_lvalue(ExprKind::Deref(pointer), member, span)
    }

    // --- captures ---

    /// A variable declared at scope `depth`, around the block being checked: the block's own copy of it.
    pub(super) fn captured(&mut self, id: PrivateVariableId, depth: usize, span: Span) -> ExprRef<'h> {
        let owner = self.outer_bodies.iter().rposition(|body| depth > body.outer_scopes);
        let Some(owner) = owner else { return self.error_expr(span) };
        let ty = self.outer_bodies[owner].variables.get(id).map_or(Ty::ERROR, |variable| variable.ty.ty);
        match self.kind(ty) {
            TyKind::Error => return self.error_expr(span),
            TyKind::Block(_) => {
                self.error(span, "cannot refer to a block inside block");
                return self.error_expr(span);
            }
            _ => {}
        }
        let mut id = id;
        for level in owner + 1..=self.outer_bodies.len() {
            id = self.capture(level, id, span);
        }
        let Some(variable) = self.body.variables.get(id) else { return self.error_expr(span) };
        let place = self.make_lvalue(ExprKind::PrivateVariable(id), variable.ty, span);
        let TyKind::Array(element, count) = self.kind(ty) else { return place };
        // "Arrays are captured by reference (decayed to pointers)", but keep their type.
        let constant = QualTy { quals: element.quals | Qualifiers::CONST, ..element };
        let array = self.program.types.intern(TyKind::Array(constant, count));
        let array = QualTy::plain(array);
        let ty = self.program.types.pointer_to(array);
        let pointer = self.lvalue_conversion(place);
        let pointer = self.make(ExprKind::Convert(Conversion::Pointer, pointer), ty, span);
        self.make_lvalue(ExprKind::Deref(pointer), array, span)
    }

    /// The copy that the body at `level` has of a variable of the body around it.
    fn capture(&mut self, level: usize, outer: PrivateVariableId, span: Span) -> PrivateVariableId {
        let body = self.outer_bodies.get(level).unwrap_or(&self.body);
        if let Some(known) = body.captures.iter().find(|capture| capture.outer == outer) {
            return known.inner;
        }
        let function = body.function;
        let around = &self.outer_bodies[level - 1];
        let variable = around.variables[outer].clone();
        let constant = around.constants.get(&outer).copied();
        let ty = match self.kind(variable.ty.ty) {
            TyKind::Array(element, _) => {
                self.program.types.pointer_to(QualTy { quals: variable.ty.quals | element.quals, ..element })
            }
            _ => variable.ty.ty,
        };
        let (size, align) = (self.program.types.size_of(ty).unwrap_or(0), self.program.types.align_of(ty));
        let is_reference = matches!(self.kind(ty), TyKind::Pointer(_) | TyKind::Image(..) | TyKind::Sampler);
        let mut object = BlockObject::EMPTY;
        let target = function.and_then(|id| self.program.functions.get_mut(id));
        let known = target.and_then(|function| function.block.as_mut()).unwrap_or(&mut object);
        let offset = known.size.next_multiple_of(align.max(1));
        (known.size, known.align) = (offset + size, known.align.max(align));
        known.references.extend(is_reference.then_some((offset, ty)));
        let body = match self.outer_bodies.get_mut(level) {
            Some(body) => body,
            None => &mut self.body,
        };
        let ty = QualTy { ty, quals: variable.ty.quals | Qualifiers::CONST, space: AddressSpace::Private };
        let inner = body.variables.push_and_get_key(crate::hir::PrivateVariable {
            name: variable.name,
            ty,
            align: variable.align.max(align),
            span,
        });
        body.uses.push(VariableUse::UNWATCHED);
        body.captures.push(Capture { outer, inner, offset });
        if let Some(value) = constant {
            body.constants.insert(inner, value);
        }
        inner
    }

    // --- block variables ---

    /// `int (^name)(int) = ^(int i) { … };` outside of functions.
    pub(super) fn program_scope_block(&mut self, variable: Variable<'a>) {
        let Variable { name, span, declared, .. } = variable;
        let value = self.initial_block(&variable);
        if self.redeclared_here("", name, span) {
            return;
        }
        match value {
            Some((_, function)) => self.ordinary.declare(name, Entity::Block(function, declared.ty), span),
            None => self.poison(name, span),
        }
    }

    /// A block variable among statements.
    pub(super) fn block_scope_block(&mut self, variable: Variable<'a>, out: &mut Vec<Stmt<'h>>) {
        let Variable { name, span, declared, .. } = variable;
        let Some((value, function)) = self.initial_block(&variable) else { return self.poison(name, span) };
        let ty = declared.or_in(AddressSpace::Private);
        let id = self.add_private_variable(name, ty, 8, span);
        self.declare_variable(name, Entity::PrivateVariable(id), span);
        self.body.blocks.insert(id, function);
        let init = Some(&*self.arena.alloc(Init::Value(value)));
        out.push(Stmt { kind: StmtKind::Declare { variable: id, init }, span });
    }

    /// A block variable among statements that lasts as long as the program: one in static storage or in constant memory.
    pub(super) fn lasting_block(&mut self, variable: Variable<'a>) {
        let Variable { name, span, declared, .. } = variable;
        let Some((value, function)) = self.initial_block(&variable) else { return self.poison(name, span) };
        if matches!(value.kind, ExprKind::BlockLiteral { captures: [], .. }) {
            return self.declare_variable(name, Entity::Block(function, declared.ty), span);
        }
        self.error(value.span, "initializer element is not a compile-time constant");
        self.poison(name, span);
    }

    /// The block that a variable holds, and the function that is its body.
    fn initial_block(&mut self, variable: &Variable<'a>) -> Option<(ExprRef<'h>, FunctionId)> {
        let value = self.block_initializer(variable)?;
        Some((value, self.block_body(value)?))
    }

    fn block_initializer(&mut self, variable: &Variable<'a>) -> Option<ExprRef<'h>> {
        let Variable { span, declared, storage, .. } = *variable;
        let text = self.ty_text(declared.ty);
        if storage == Some(StorageClass::Extern) {
            self.error(span, format!("invalid block variable declaration - must not be 'extern' ('{text}')"));
        }
        let Some(Initializer::Expr(e)) = variable.initializer else {
            self.uninitialized_block(span);
            return None;
        };
        let value = self.value(e);
        let same = self.same_block_type(value.ty.ty, declared.ty);
        if same {
            return Some(self.arena.alloc(crate::hir::Expr { ty: QualTy::plain(declared.ty), ..*value }));
        }
        if value.ty.ty != Ty::ERROR {
            self.convert_for_assignment(value, declared.ty, AssignmentAction::Initializing);
        }
        None
    }

    pub(super) fn uninitialized_block(&mut self, span: Span) {
        self.error(span, "invalid block variable declaration - must be initialized");
    }

    /// Whether two block types take and give the same types, whatever their parameters' qualifiers.
    fn same_block_type(&self, a: Ty, b: Ty) -> bool {
        let (TyKind::Block(a), TyKind::Block(b)) = (self.kind(a), self.kind(b)) else { return false };
        let (a, b) = (self.program.types.function_ty(a), self.program.types.function_ty(b));
        let types = |ty: &FunctionTy| ty.parameters.iter().map(|parameter| parameter.ty).collect::<Vec<_>>();
        a.result.ty == b.result.ty && types(a) == types(b)
    }

    /// The function that a block's body is; reports where it is not known.
    pub(super) fn block_body(&mut self, block: ExprRef<'h>) -> Option<FunctionId> {
        let found = match block.kind {
            ExprKind::BlockLiteral { function, .. } => Some(function),
            ExprKind::Load(place) => match place.kind {
                ExprKind::PrivateVariable(id) => self.body.blocks.get(&id).copied(),
                _ => None,
            },
            _ => None,
        };
        if found.is_none() && block.ty.ty != Ty::ERROR {
            self.error(block.span, "the block must be a block literal or a block variable");
        }
        found
    }

    // --- calls and returns ---

    /// `block(arguments)`.
    pub(super) fn call_block(&mut self, block: ExprRef<'h>, values: Vec<ExprRef<'h>>, span: Span) -> ExprRef<'h> {
        let (Some(function), TyKind::Block(ty)) = (self.block_body(block), self.kind(block.ty.ty)) else {
            return self.error_expr(span);
        };
        let ty = self.program.types.function_ty(ty).clone();
        if values.len() != ty.parameters.len() {
            let amount = if values.len() < ty.parameters.len() { "few" } else { "many" };
            let (expected, have) = (ty.parameters.len(), values.len());
            self.error(span, format!("too {amount} arguments to block call, expected {expected}, have {have}"));
            return self.error_expr(span);
        }
        let object = self.context_type();
        let block = match block.ty.ty == object {
            true => block,
            false => self.make(ExprKind::Convert(Conversion::Bits, block), object, block.span),
        };
        let mut arguments = vec![block];
        for (value, parameter) in values.into_iter().zip(&ty.parameters) {
            arguments.push(self.convert_for_assignment(value, parameter.ty, AssignmentAction::Passing(None)));
        }
        self.make_call(function, &arguments, ty.result.ty, span)
    }

    /// `return` in a block whose result type is not written.
    pub(super) fn deducing_return(
        &mut self,
        deduced: Option<Ty>,
        value: Option<&'a ast::Expr<'a>>,
        span: Span,
        out: &mut Vec<Stmt<'h>>,
    ) {
        let value = value.map(|e| self.value(e));
        let ty = value.map_or(Ty::VOID, |value| value.ty.ty);
        if let Some(previous) = deduced.filter(|previous| ![*previous, ty].contains(&Ty::ERROR) && *previous != ty) {
            let (ty, previous) = (self.quoted(ty), self.quoted(previous));
            let message = format!(
                "return type {ty} must match previous return type {previous} when block literal has unspecified explicit return type"
            );
            return self.error(span, message);
        }
        self.body.deduced_result = Some(Some(deduced.unwrap_or(ty)));
        let value = match value {
            Some(value) if ty == Ty::VOID => {
                out.push(Stmt { kind: StmtKind::Expr(value), span });
                None
            }
            value => value,
        };
        out.push(Stmt { kind: StmtKind::Return(value), span });
    }
}
