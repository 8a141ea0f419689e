//! Expressions: dispatch by kind, identifiers, casts, `sizeof` and similar.

use super::scope::{DeclTy, Entity};
use super::{ExprRef, Sema, suggest};
use crate::hir::types::RecordId;
use crate::hir::{ExprKind, Init, InitPart, QualTy, Stmt, StmtKind, Ty, TyKind};
use clforge_basic::diag::Sink;
use clforge_basic::options::AddressBits;
use clforge_basic::source::{Span, Symbol};
use clforge_syntax::ast::{self, AddressSpace};

impl<'a, 'h> Sema<'a, 'h, '_> {
    /// Checks an expression for its value: lvalue conversion and array decay included.
    pub(super) fn value(&mut self, e: &'a ast::Expr<'a>) -> ExprRef<'h> {
        let checked = self.expr(e);
        self.lvalue_conversion(checked)
    }

    /// Checks an expression: a place where it is an lvalue.
    pub(super) fn expr(&mut self, e: &'a ast::Expr<'a>) -> ExprRef<'h> {
        let span = e.span;
        match e.kind {
            ast::ExprKind::Identifier(name) => self.identifier(name, span),
            ast::ExprKind::Integer(literal) => self.integer_literal(literal, span),
            ast::ExprKind::Floating(literal) => self.floating_literal(literal, span),
            ast::ExprKind::Character(value) => self.int(i64::from(value).cast_unsigned(), Ty::INT, span),
            ast::ExprKind::String(bytes) => self.string_literal(bytes, span),
            ast::ExprKind::Paren(inner) => self.expr(inner),
            ast::ExprKind::Call { callee, arguments } => self.call(callee, arguments, span),
            ast::ExprKind::Index { base, index } => self.index(base, index, span),
            ast::ExprKind::Member { base, name, name_span, arrow } => {
                self.member_access(base, name, name_span, arrow, span)
            }
            ast::ExprKind::Unary { op, operand } => self.unary(op, operand, span),
            ast::ExprKind::Increment { operand, decrement, postfix } => {
                self.increment(operand, decrement, postfix, span)
            }
            ast::ExprKind::Binary { .. } => self.binary_spine(e),
            ast::ExprKind::Assign { op, left, right, op_span } => self.assign(op, left, right, op_span, span),
            ast::ExprKind::Conditional { condition, then, otherwise } => {
                self.conditional(condition, then, otherwise, span)
            }
            ast::ExprKind::Comma(parts) => self.comma(parts, span),
            ast::ExprKind::Cast { ty, operand } => self.cast_expr(ty, operand, span),
            ast::ExprKind::CompoundLiteral { ty, list } => self.compound_literal(ty, list, span),
            ast::ExprKind::StatementExpr(body) => self.statement_expr(body, span),
            _ => self.rare_expr(e),
        }
    }

    /// The kinds that are seldom met, apart so that the common path's stack frame stays small.
    #[inline(never)]
    fn rare_expr(&mut self, e: &'a ast::Expr<'a>) -> ExprRef<'h> {
        let span = e.span;
        match e.kind {
            ast::ExprKind::Skipped => self.error_expr(span),
            ast::ExprKind::SizeofExpr(operand) => {
                let ty = self.unevaluated_type(operand);
                self.size_of_type(ty, operand.span, span)
            }
            ast::ExprKind::SizeofType(name) => {
                let ty = self.type_name(name).ty;
                self.size_of_type(ty, name.span, span)
            }
            ast::ExprKind::AlignofExpr(operand) => {
                let ty = self.unevaluated_type(operand);
                self.int(self.program.types.align_of(ty), self.program.types.size_t(), span)
            }
            ast::ExprKind::AlignofType(name) => {
                let ty = self.type_name(name).ty;
                self.int(self.program.types.align_of(ty), self.program.types.size_t(), span)
            }
            ast::ExprKind::VecStepType(name) => {
                let ty = self.type_name(name).ty;
                self.vec_step(ty, name.span, span)
            }
            ast::ExprKind::AsType { operand, ty } => {
                let value = self.value(operand);
                let ty = self.type_name(ty).ty;
                self.reinterpret(value, ty, span)
            }
            ast::ExprKind::ConvertVector { operand, ty } => {
                let value = self.value(operand);
                let ty = self.type_name(ty).ty;
                self.convert_vector(value, ty, span)
            }
            ast::ExprKind::TypesCompatible(first, second) => {
                let (first, second) = (self.type_name(first).ty, self.type_name(second).ty);
                self.int(u64::from(first == second), Ty::INT, span)
            }
            ast::ExprKind::Generic { control, associations } => self.generic_selection(control, associations, span),
            ast::ExprKind::OffsetOf { ty, path } => self.offset_of(ty, path, span),
            ast::ExprKind::Block { ty, parameters, body } => self.block_literal(ty, parameters, body, span),
            _ => {
                self.push(clforge_basic::diag::Diagnostic::internal("an expression of unknown kind reached sema"));
                self.error_expr(span)
            }
        }
    }

    fn unevaluated_type(&mut self, operand: &'a ast::Expr<'a>) -> Ty {
        self.unevaluated += 1;
        let checked = self.expr(operand);
        self.unevaluated -= 1;
        checked.ty.ty
    }

    /// A constant of the type `size_t`, modulo its width.
    pub(super) fn size_constant(&mut self, value: u64, span: Span) -> ExprRef<'h> {
        let size_t = self.program.types.size_t();
        let value = match self.program.types.address_bits {
            AddressBits::Bits32 => value & u64::from(u32::MAX),
            AddressBits::Bits64 => value,
        };
        self.int(value, size_t, span)
    }

    fn size_of_type(&mut self, ty: Ty, operand: Span, span: Span) -> ExprRef<'h> {
        if ty == Ty::ERROR {
            return self.error_expr(span);
        }
        if self.is_matrix(ty) {
            self.error(operand, "the size of a cooperative matrix is not known");
            return self.error_expr(span);
        }
        if let Some(size) = self.program.types.size_of(ty) {
            return self.size_constant(size, span);
        }
        let text = self.ty_text(ty);
        let message = match self.kind(ty) {
            TyKind::Void => "invalid application of 'sizeof' to a void type".to_string(),
            TyKind::Function(_) => "invalid application of 'sizeof' to a function type".to_string(),
            _ => format!("invalid application of 'sizeof' to an incomplete type '{text}'"),
        };
        match self.incomplete_note(ty) {
            Some((place, note)) => self.error_with_note(operand, message, place, note),
            None => self.error(operand, message),
        }
        self.error_expr(span)
    }

    fn identifier(&mut self, name: Symbol, span: Span) -> ExprRef<'h> {
        let Some(entry) = self.ordinary.find(name) else {
            if let Some(value) = predeclared_constant(self.text(name)) {
                return self.int(value, Ty::INT, span);
            }
            if let Some(function) = self.body.function
                && matches!(self.text(name), "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__")
            {
                let text = match (self.text(name), self.definition) {
                    ("__PRETTY_FUNCTION__", Some(definition)) => self.pretty_function(definition),
                    _ => self.text(self.program.functions[function].name).to_owned(),
                };
                let (ty, id) = self.string_object(text.into_bytes(), span);
                return self.make_lvalue(ExprKind::ModuleVariable(id), ty, span);
            }
            self.undeclared(name, span);
            return self.error_expr(span);
        };
        let (entity, depth) = (entry.entity, entry.depth as usize);
        match entity {
            Entity::PrivateVariable(id) if depth <= self.body.outer_scopes => self.captured(id, depth, span),
            Entity::PrivateVariable(id) => {
                self.mention(id, span);
                match self.body.variables.get(id) {
                    Some(variable) => self.make_lvalue(ExprKind::PrivateVariable(id), variable.ty, span),
                    None => self.error_expr(span),
                }
            }
            Entity::ModuleVariable(id) => {
                self.function_objects.entry(id).and_modify(|mentioned| *mentioned = true);
                let ty = self.program.variables[id].ty;
                self.make_lvalue(ExprKind::ModuleVariable(id), ty, span)
            }
            Entity::Constant { value, ty } => self.int(value, ty, span),
            Entity::Block(function, ty) => self.make(ExprKind::BlockLiteral { function, captures: &[] }, ty, span),
            Entity::Functions(_) => {
                self.error(span, "taking address of function is not allowed");
                self.error_expr(span)
            }
            Entity::Type(_) => {
                let message = format!("unexpected type name '{}': expected expression", self.text(name));
                self.error(span, message);
                self.error_expr(span)
            }
            Entity::Poisoned => self.error_expr(span),
        }
    }

    /// "use of undeclared identifier", reported once for each name in a function.
    fn undeclared(&mut self, name: Symbol, span: Span) {
        if self.sink.error_count() > Sink::MAX_ERRORS {
            return self.error(span, "use of undeclared identifier");
        }
        if !self.body.undeclared.insert(name) {
            return;
        }
        let text = self.text(name);
        if crate::builtins::is_builtin(text) {
            return self.error(span, "taking address of function is not allowed");
        }
        let mut message = format!("use of undeclared identifier '{text}'");
        let candidates = self.ordinary.visible().filter(|e| !matches!(e.entity, Entity::Type(_) | Entity::Poisoned));
        if let Some(near) = suggest::nearest(text, candidates.map(|entry| self.text(entry.name))) {
            message += &format!("; did you mean '{near}'?");
        }
        self.error(span, message);
    }

    fn comma(&mut self, parts: &'a [&'a ast::Expr<'a>], span: Span) -> ExprRef<'h> {
        let mut values = Vec::with_capacity(parts.len());
        for (index, part) in parts.iter().enumerate() {
            let checked = self.expr(part);
            let last = index + 1 == parts.len();
            if !last {
                self.unused_value(part, checked.ty, "left operand of comma operator has no effect");
            }
            values.push(if last { self.lvalue_conversion(checked) } else { self.discard(checked) });
        }
        let ty = values.last().map_or(Ty::VOID, |value| value.ty.ty);
        self.make(ExprKind::Comma(self.arena.alloc_slice_copy(&values)), ty, span)
    }

    fn cast_expr(&mut self, name: &'a ast::TypeName<'a>, operand: &'a ast::Expr<'a>, span: Span) -> ExprRef<'h> {
        let target = self.type_name(name);
        if matches!(self.kind(target.ty), TyKind::Vector(..))
            && let Some(literal) = self.literal_with_suffixes(operand, target.ty, span)
        {
            return literal;
        }
        let checked = self.expr(operand);
        if target.ty == Ty::VOID {
            let dropped = self.discard(checked);
            return self.convert(dropped, Ty::VOID);
        }
        let value = self.lvalue_conversion(checked);
        self.cast(value, target.ty, span)
    }

    /// `(float4)(a, b)`, and `(float4)(a, b).xy[0]`, whose suffixes are of the vector literal, not of its parentheses.
    /// `None`: the operand does not begin with a parenthesis.
    fn literal_with_suffixes(&mut self, operand: &'a ast::Expr<'a>, ty: Ty, span: Span) -> Option<ExprRef<'h>> {
        match operand.kind {
            ast::ExprKind::Paren(inner) => Some(match inner.kind {
                ast::ExprKind::Comma(parts) => self.vector_literal(ty, parts, span),
                _ => self.vector_literal(ty, &[inner], span),
            }),
            ast::ExprKind::Member { base, name, name_span, arrow: false } => {
                let base = self.literal_with_suffixes(base, ty, span)?;
                let TyKind::Vector(scalar, width) = self.kind(base.ty.ty) else {
                    return Some(self.error_expr(span));
                };
                let text = self.text(name).to_string();
                Some(self.components(base, scalar, width, &text, name_span, span))
            }
            ast::ExprKind::Index { base, index } => {
                let base = self.literal_with_suffixes(base, ty, span)?;
                let TyKind::Vector(scalar, width) = self.kind(base.ty.ty) else {
                    return Some(self.error_expr(span));
                };
                let index = self.value(index);
                Some(self.vector_index(base, scalar, width, index, span))
            }
            _ => None,
        }
    }

    /// An explicit conversion (6.2.2, C99 6.5.4).
    pub(super) fn cast(&mut self, value: ExprRef<'h>, to: Ty, span: Span) -> ExprRef<'h> {
        let value = self.atomic_value(value);
        let from = value.ty.ty;
        if from == Ty::ERROR || to == Ty::ERROR {
            return self.error_expr(span);
        }
        if let Some(e) = self.matrix_cast(value, to, span) {
            return e;
        }
        match (self.kind(from), self.kind(to)) {
            (_, TyKind::Vector(..)) => self.splat_or_same(value, to, span),
            (TyKind::Pointer(a), TyKind::Pointer(b)) => self.cast_pointer(value, a, b, to, span),
            (TyKind::Float(_), TyKind::Pointer(_)) => {
                let text = self.quoted(from);
                self.error(span, format!("operand of type {text} cannot be cast to a pointer type"));
                self.error_expr(span)
            }
            (TyKind::Pointer(_), TyKind::Float(_)) => {
                let text = self.quoted(to);
                self.error(span, format!("pointer cannot be cast to type {text}"));
                self.error_expr(span)
            }
            (TyKind::Int(_), TyKind::Event | TyKind::Queue | TyKind::ClkEvent | TyKind::ReserveId)
                if matches!(value.kind, ExprKind::Int(0)) =>
            {
                self.int(0, to, span)
            }
            (
                TyKind::Int(_) | TyKind::Float(_) | TyKind::Bool | TyKind::Enum(_) | TyKind::Pointer(_),
                TyKind::Int(_) | TyKind::Float(_) | TyKind::Bool | TyKind::Enum(_) | TyKind::Pointer(_),
            ) => {
                // The cast's own place, so that messages about it show the whole of it.
                let converted = self.convert(value, to);
                self.arena.alloc(crate::hir::Expr { span, ..*converted })
            }
            _ if from == to => value,
            (_, TyKind::Record(id)) if self.program.types.record(id).kind == ast::RecordKind::Union => {
                self.cast_to_union(value, id, to, span)
            }
            (TyKind::Vector(..), _) => {
                let (from, to) = (self.quoted(from), self.quoted(to));
                self.error(span, format!("invalid conversion between vector type {from} and {to}"));
                self.error_expr(span)
            }
            (source, target) => {
                let wrong = if is_castable(target) && !is_castable(source) {
                    let text = self.quoted(from);
                    format!("operand of type {text} where arithmetic or pointer type is required")
                } else {
                    let text = self.quoted(to);
                    format!("used type {text} where arithmetic or pointer type is required")
                };
                self.error(span, wrong);
                self.error_expr(span)
            }
        }
    }

    /// `(union U)value` (GNU): a union whose member of the value's type has that value.
    fn cast_to_union(&mut self, value: ExprRef<'h>, id: RecordId, to: Ty, span: Span) -> ExprRef<'h> {
        let record = self.program.types.record(id);
        let align = record.align;
        if record.fields.as_ref().is_none_or(|fields| fields.iter().all(|field| field.ty.ty != value.ty.ty)) {
            let text = self.quoted(value.ty.ty);
            self.error(span, format!("cast to union type from type {text} not present in union"));
            return self.error_expr(span);
        }
        let ty = QualTy::plain(to);
        let variable = self.add_private_variable(self.names.empty(), ty, align, span);
        let parts = self.arena.alloc_slice_copy(&[InitPart { offset: 0, value }]);
        let init = self.arena.alloc(Init::Parts(parts));
        let place = self.make_lvalue(ExprKind::CompoundLiteral { variable, init }, ty, span);
        self.lvalue_conversion(place)
    }

    fn compound_literal(
        &mut self,
        name: &'a ast::TypeName<'a>,
        list: &'a ast::InitializerList<'a>,
        span: Span,
    ) -> ExprRef<'h> {
        let declared: DeclTy = self.type_name(name);
        if declared.ty == Ty::ERROR {
            return self.error_expr(span);
        }
        let ty = declared.or_in(AddressSpace::Private);
        if let (false, AddressSpace::Constant | AddressSpace::Global) = (self.in_function(), ty.space) {
            return match self.unnamed_object(ty, ast::Initializer::List(list), span) {
                Some((ty, id)) => self.make_lvalue(ExprKind::ModuleVariable(id), ty, span),
                None => self.error_expr(span),
            };
        }
        let Some((ty, init)) = self.local_initializer(ty, ast::Initializer::List(list), span) else {
            return self.error_expr(span);
        };
        let name = self.names.empty();
        let align = self.program.types.align_of(ty.ty);
        let variable = self.add_private_variable(name, ty, align, span);
        let init = self.arena.alloc(init);
        self.make_lvalue(ExprKind::CompoundLiteral { variable, init }, ty, span)
    }

    /// GNU `({ … })`
    fn statement_expr(&mut self, body: &'a ast::Statement<'a>, span: Span) -> ExprRef<'h> {
        let ast::StatementKind::Compound(items) = body.kind else { return self.error_expr(span) };
        if !self.in_function() {
            self.error(span, "statement expression not allowed at file scope");
            return self.error_expr(span);
        }
        self.enter_scope();
        self.body.expressions += 1;
        let (mut last, before) = match items.split_last() {
            Some((last, before)) if is_labelled_expression(last) => (Some(last), before),
            _ => (None, items),
        };
        let mut statements = Vec::new();
        self.items(before, &mut statements);
        while let Some(ast::Statement { kind: ast::StatementKind::Label { name, name_span, body }, .. }) = last {
            self.define_label(*name, *name_span, &mut statements);
            last = Some(body);
        }
        let last = last.and_then(|last| match last.kind {
            ast::StatementKind::Expr(e) => Some(e),
            _ => None,
        });
        let jumps = self.body.expression_jumps;
        let mut value = last.map(|e| self.value(e));
        if let Some(checked) = value.filter(|_| self.body.expression_jumps > jumps) {
            value = self.stored_value(checked, &mut statements);
        }
        self.body.expressions -= 1;
        self.leave_scope();
        let ty = value.map_or(Ty::VOID, |value| value.ty.ty);
        let body = self.arena.alloc_slice_copy(&statements);
        self.make(ExprKind::StatementExpr { body, value }, ty, span)
    }

    /// The value of a statement expression out of which the value itself may jump, to labels before it too: a statement.
    fn stored_value(&mut self, value: ExprRef<'h>, statements: &mut Vec<Stmt<'h>>) -> Option<ExprRef<'h>> {
        if value.ty.ty == Ty::VOID || value.ty.ty == Ty::ERROR {
            statements.push(Stmt { kind: StmtKind::Expr(value), span: value.span });
            return None;
        }
        let (declaration, value) = self.bind(value)?;
        statements.push(declaration);
        Some(value)
    }

    /// A value put where it can be a place: to take members of it.
    pub(super) fn as_place(&mut self, e: ExprRef<'h>) -> ExprRef<'h> {
        if e.is_place() {
            return e;
        }
        self.make_lvalue(ExprKind::Temporary(e), QualTy::plain(e.ty.ty), e.span)
    }
}

/// An expression statement, labels before it or not: what gives a statement expression its value.
fn is_labelled_expression(mut statement: &ast::Statement<'_>) -> bool {
    while let ast::StatementKind::Label { body, .. } = statement.kind {
        statement = body;
    }
    matches!(statement.kind, ast::StatementKind::Expr(_))
}

fn is_castable(kind: TyKind) -> bool {
    matches!(kind, TyKind::Int(_) | TyKind::Float(_) | TyKind::Bool | TyKind::Enum(_) | TyKind::Pointer(_))
}

/// Enumerators of `memory_order` and `memory_scope` (6.13.11 of OpenCL C 2.0), with the values of the C ABI.
fn predeclared_constant(name: &str) -> Option<u64> {
    Some(match name {
        "memory_order_relaxed" | "memory_scope_work_item" => 0,
        "memory_scope_work_group" => 1,
        "memory_order_acquire" | "memory_scope_device" => 2,
        "memory_order_release" | "memory_scope_all_svm_devices" | "memory_scope_all_devices" => 3,
        "memory_order_acq_rel" | "memory_scope_sub_group" => 4,
        "memory_order_seq_cst" => 5,
        _ => return None,
    })
}
