//! Checks the contract of [`crate::hir`]: for tests and debug builds. A violation is a defect of the compiler, never of
//! the user's program.

use super::{
    BinaryOp, Conversion, Expr, ExprKind, Function, Init, Program, Scalar, Stmt, StmtKind, Ty, TyKind, UnaryOp,
};
use clforge_basic::source::Span;

/// A violation of the contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// Where in the source.
    pub span: Span,
    /// What rule, in words.
    pub rule: String,
}

/// Every violation in the bodies of the program's functions.
pub fn verify(program: &Program<'_>) -> Vec<Violation> {
    let mut verifier = Verifier { program, violations: Vec::new(), function: None };
    for function in &program.functions {
        verifier.function = Some(function);
        for statement in function.body.unwrap_or(&[]) {
            verifier.statement(statement);
        }
    }
    verifier.violations
}

struct Verifier<'p, 'h> {
    program: &'p Program<'h>,
    violations: Vec<Violation>,
    function: Option<&'p Function<'h>>,
}

impl<'p, 'h> Verifier<'p, 'h> {
    fn require(&mut self, holds: bool, span: Span, rule: &str) {
        if !holds {
            self.violations.push(Violation { span, rule: rule.into() });
        }
    }

    fn kind(&self, ty: Ty) -> TyKind {
        self.program.types.kind(ty)
    }

    fn lanes(&self, ty: Ty) -> Option<(Scalar, u8)> {
        self.program.types.lanes(ty)
    }

    fn pointee(&self, ty: Ty) -> Option<super::QualTy> {
        match self.kind(ty) {
            TyKind::Pointer(pointee) => Some(pointee),
            _ => None,
        }
    }

    fn statements(&mut self, list: &[Stmt<'h>]) {
        list.iter().for_each(|statement| self.statement(statement));
    }

    fn statement(&mut self, s: &Stmt<'h>) {
        match s.kind {
            StmtKind::Expr(e) => self.value(e),
            StmtKind::Declare { variable, init } => {
                let ty = self.function.and_then(|f| f.variables.get(variable)).map(|variable| variable.ty.ty);
                self.require(ty.is_some(), s.span, "a declared local exists");
                if let (Some(init), Some(ty)) = (init, ty) {
                    self.init(init, ty, s.span);
                }
            }
            StmtKind::Block(body) => self.statements(body),
            StmtKind::If { condition, then, otherwise } => {
                self.condition(condition);
                self.statements(then);
                self.statements(otherwise);
            }
            StmtKind::While { condition, body, .. } | StmtKind::DoWhile { body, condition, .. } => {
                self.condition(condition);
                self.statements(body);
            }
            StmtKind::For { init, condition, step, body, .. } => {
                self.statements(init);
                condition.into_iter().for_each(|e| self.condition(e));
                step.into_iter().for_each(|e| self.value(e));
                self.statements(body);
            }
            StmtKind::Switch { selector, body, .. } => {
                self.value(selector);
                self.require(matches!(self.kind(selector.ty.ty), TyKind::Int(_)), s.span, "selectors are integers");
                self.statements(body);
            }
            StmtKind::Return(value) => {
                let result = self.function.map_or(Ty::VOID, |f| f.result);
                self.require(
                    value.map_or(Ty::VOID, |e| e.ty.ty) == result,
                    s.span,
                    "returned values have the result type",
                );
                value.into_iter().for_each(|e| self.value(e));
            }
            StmtKind::Case(_) | StmtKind::Break | StmtKind::Continue | StmtKind::Goto(_) | StmtKind::Label(_) => {}
        }
    }

    fn init(&mut self, init: &Init<'h>, ty: Ty, span: Span) {
        let size = self.program.types.size_of(ty).unwrap_or(u64::MAX);
        match init {
            Init::Value(value) => {
                self.value(value);
                self.require(value.ty.ty == ty, span, "an initial value has the object's type");
            }
            Init::Parts(parts) => {
                for part in *parts {
                    self.value(part.value);
                    let end = self.program.types.size_of(part.value.ty.ty).map(|size| size + part.offset);
                    self.require(end.is_some_and(|end| end <= size), span, "parts lie inside their object");
                }
            }
            Init::Constant(data) => self.require(data.bytes.len() as u64 == size, span, "constants fill their object"),
            &Init::ConstantAndParts(data, parts) => {
                self.init(&Init::Constant(data), ty, span);
                self.init(&Init::Parts(parts), ty, span);
            }
        }
    }

    fn condition(&mut self, e: &Expr<'h>) {
        self.value(e);
        self.require(e.ty.ty == Ty::BOOL, e.span, "conditions are bool");
    }

    fn place(&mut self, e: &Expr<'h>) {
        self.require(e.ty.ty != Ty::ERROR, e.span, "no error types in checked programs");
        match e.kind {
            ExprKind::PrivateVariable(id) => {
                let ty = self.function.and_then(|f| f.variables.get(id)).map(|local| local.ty);
                self.require(ty == Some(e.ty), e.span, "locals have their declared type");
            }
            ExprKind::ModuleVariable(id) => {
                let ty = self.program.variables.get(id).map(|global| global.ty);
                self.require(ty == Some(e.ty), e.span, "globals have their declared type");
            }
            ExprKind::Deref(pointer) => {
                self.value(pointer);
                self.require(self.pointee(pointer.ty.ty) == Some(e.ty), e.span, "dereferences have the pointee's type");
            }
            ExprKind::Field(base, index) => {
                self.place(base);
                let field = match self.kind(base.ty.ty) {
                    TyKind::Record(id) => {
                        self.program.types.record(id).fields.as_ref().and_then(|f| f.get(index as usize))
                    }
                    _ => None,
                };
                let known = field.is_some();
                self.require(known && e.ty.space == base.ty.space, e.span, "fields exist, where their record is");
            }
            ExprKind::Lanes(base, lanes) => {
                self.place(base);
                let width = self.lanes(base.ty.ty).map_or(0, |(_, lanes)| lanes);
                let inside = lanes.as_slice().iter().all(|lane| *lane < width || *lane == super::Lanes::ABSENT);
                let count = self.lanes(e.ty.ty).map(|(_, lanes)| lanes);
                self.require(inside && count == Some(lanes.count), e.span, "lanes exist and their type counts them");
            }
            ExprKind::Lane(base, index) => {
                self.place(base);
                self.value(index);
            }
            ExprKind::Temporary(value) => {
                self.value(value);
                self.require(value.ty.ty == e.ty.ty, e.span, "temporaries have their value's type");
            }
            ExprKind::CompoundLiteral { init, .. } => self.init(init, e.ty.ty, e.span),
            _ => self.require(false, e.span, "a place where the contract wants one"),
        }
    }

    fn value(&mut self, e: &Expr<'h>) {
        self.require(!e.is_place(), e.span, "a value where the contract wants one");
        self.require(e.ty.ty != Ty::ERROR, e.span, "no error types in checked programs");
        self.require(e.ty == super::QualTy::plain(e.ty.ty), e.span, "values are unqualified and private");
        let ty = e.ty.ty;
        match e.kind {
            ExprKind::Int(_) | ExprKind::Float(_) => {}
            ExprKind::Load(place) => {
                self.place(place);
                let array = matches!(self.kind(ty), TyKind::Array(..));
                self.require(place.ty.ty == ty && !array, e.span, "loads have their place's type");
            }
            ExprKind::AddressOf(place) => self.address_of(place, ty, e.span),
            ExprKind::Unary(op, operand) => {
                self.value(operand);
                let scalar_not = op == UnaryOp::LogicalNot && self.lanes(ty).is_some_and(|(_, lanes)| lanes == 1);
                if scalar_not {
                    self.require(operand.ty.ty == Ty::BOOL && ty == Ty::INT, e.span, "'!' takes bool and gives int");
                } else if op != UnaryOp::LogicalNot {
                    self.require(operand.ty.ty == ty, e.span, "unary operators keep the type");
                }
            }
            ExprKind::Binary(op, left, right) => self.binary(op, left, right, e),
            ExprKind::PointerAdd { pointer, index, .. } => {
                self.value(pointer);
                self.index(index);
                self.require(pointer.ty.ty == ty && self.pointee(ty).is_some(), e.span, "pointer sums keep the type");
            }
            ExprKind::PointerDifference(left, right) => {
                self.value(left);
                self.value(right);
                self.require(
                    left.ty == right.ty && ty == self.program.types.ptrdiff_t(),
                    e.span,
                    "pointer differences are of one type",
                );
            }
            ExprKind::Logical { left, right, .. } => {
                self.condition(left);
                self.condition(right);
                self.require(ty == Ty::INT, e.span, "logical operators give int");
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                self.condition(condition);
                self.sides(then, otherwise, e);
            }
            ExprKind::Select { condition, then, otherwise } => {
                self.value(condition);
                self.sides(then, otherwise, e);
                let count = |ty| self.lanes(ty).map(|(scalar, lanes)| (scalar.size(), lanes));
                self.require(count(condition.ty.ty) == count(ty), e.span, "selections match their condition's lanes");
            }
            _ => self.effect(e),
        }
    }

    fn sides(&mut self, then: &Expr<'h>, otherwise: &Expr<'h>, e: &Expr<'h>) {
        self.value(then);
        self.value(otherwise);
        self.require(then.ty == e.ty && otherwise.ty == e.ty, e.span, "both sides of ?: have its type");
    }

    fn index(&mut self, index: &Expr<'h>) {
        self.value(index);
        let wide = matches!(self.kind(index.ty.ty), TyKind::Int(kind) if kind.bits() >= 32);
        self.require(wide, index.span, "indices are 32- or 64-bit integers");
    }

    fn address_of(&mut self, place: &Expr<'h>, ty: Ty, span: Span) {
        self.place(place);
        let Some(pointee) = self.pointee(ty) else { return self.require(false, span, "addresses are pointers") };
        let decayed = matches!(self.kind(place.ty.ty), TyKind::Array(element, _) if element.ty == pointee.ty);
        let same = pointee.ty == place.ty.ty || decayed;
        self.require(same && pointee.space == place.ty.space, span, "addresses point to their place");
    }

    fn binary(&mut self, op: BinaryOp, left: &Expr<'h>, right: &Expr<'h>, e: &Expr<'h>) {
        self.value(left);
        self.value(right);
        let width = |ty| self.lanes(ty).map(|(_, lanes)| lanes);
        if matches!(op, BinaryOp::Shl | BinaryOp::Shr) {
            let same = left.ty == e.ty && width(left.ty.ty) == width(right.ty.ty);
            return self.require(same, e.span, "shifts keep the left type and match in lanes");
        }
        self.require(left.ty == right.ty, e.span, "both operands have the same type");
        use BinaryOp::*;
        let result_ok = match op {
            Eq | Ne | Lt | Le | Gt | Ge | LogicalAnd | LogicalOr => match self.lanes(e.ty.ty) {
                Some((Scalar::Int(kind), 1)) => kind == super::IntKind::Int,
                Some((Scalar::Int(kind), lanes)) => {
                    let operand = self.lanes(left.ty.ty);
                    kind.is_signed()
                        && operand.is_some_and(|(s, n)| n == lanes && s.size() * 8 == u64::from(kind.bits()))
                }
                _ => false,
            },
            _ => left.ty == e.ty,
        };
        self.require(result_ok, e.span, "operators give the contract's result type");
    }

    fn effect(&mut self, e: &Expr<'h>) {
        let ty = e.ty.ty;
        match e.kind {
            ExprKind::Assign { place, value } => {
                self.place(place);
                self.value(value);
                self.require(
                    place.ty.ty == value.ty.ty && ty == value.ty.ty,
                    e.span,
                    "assigned values have the place's type",
                );
            }
            ExprKind::CompoundAssign { place, op, value, computation } => {
                self.place(place);
                self.value(value);
                let shift = matches!(op, BinaryOp::Shl | BinaryOp::Shr);
                self.require(shift || value.ty.ty == computation, e.span, "compound assignments compute in one type");
                let width = |ty| self.lanes(ty).map(|(_, lanes)| lanes);
                self.require(width(place.ty.ty) == width(computation), e.span, "compound assignments keep the lanes");
            }
            ExprKind::PointerAssignAdd { place, index, .. } => {
                self.place(place);
                self.index(index);
            }
            ExprKind::Increment { place, .. } => self.place(place),
            ExprKind::Convert(conversion, inner) => self.conversion(conversion, inner, e),
            ExprKind::VectorLiteral(parts) => {
                let mut total = 0;
                for part in parts {
                    self.value(part);
                    total += self.lanes(part.ty.ty).map_or(0, |(_, lanes)| u32::from(lanes));
                    let same = self.lanes(part.ty.ty).map(|l| l.0) == self.lanes(ty).map(|l| l.0);
                    self.require(same, e.span, "parts of vectors have their element type");
                }
                let wanted = self.lanes(ty).map(|(_, lanes)| u32::from(lanes));
                self.require(wanted == Some(total), e.span, "parts of vectors add up");
            }
            ExprKind::Swizzle(vector, lanes) => {
                self.value(vector);
                let width = self.lanes(vector.ty.ty).map_or(0, |(_, lanes)| lanes);
                self.require(lanes.as_slice().iter().all(|lane| *lane < width), e.span, "swizzled lanes exist");
            }
            ExprKind::Call { function, arguments } => {
                arguments.iter().for_each(|argument| self.value(argument));
                let Some(callee) = self.program.functions.get(function) else {
                    return self.require(false, e.span, "called functions exist");
                };
                self.require(callee.parameter_count as usize == arguments.len(), e.span, "calls pass all arguments");
                self.require(callee.result == ty, e.span, "calls have the result type");
                let same = callee.variables.iter().zip(arguments).all(|(p, a)| p.ty.ty == a.ty.ty);
                self.require(same, e.span, "arguments have the parameters' types");
            }
            ExprKind::BlockLiteral { function, captures } => {
                let object = self.program.functions.get(function).and_then(|function| function.block.as_ref());
                let size = object.map_or(0, |object| object.size);
                for part in captures {
                    self.value(part.value);
                    let end = self.program.types.size_of(part.value.ty.ty).map(|bytes| bytes + part.offset);
                    self.require(end.is_some_and(|end| end <= size), e.span, "captured values lie inside their object");
                }
            }
            ExprKind::Enqueue(enqueue) => {
                enqueue.arguments.iter().chain(enqueue.sizes).for_each(|argument| self.value(argument));
                self.value(enqueue.block);
                let block = matches!(self.kind(enqueue.block.ty.ty), TyKind::Block(_));
                self.require(block, e.span, "what is enqueued is a block");
                let function = self.program.functions.get(enqueue.function);
                let object = function.and_then(|function| function.block.as_ref());
                self.require(object.is_some_and(|object| object.is_enqueued), e.span, "enqueued blocks are marked so");
            }
            ExprKind::Builtin { arguments, .. } => arguments.iter().for_each(|argument| self.value(argument)),
            ExprKind::Comma(parts) => {
                parts.iter().for_each(|part| self.value(part));
                self.require(parts.last().is_some_and(|last| last.ty == e.ty), e.span, "commas have the last type");
            }
            ExprKind::StatementExpr { body, value } => {
                self.statements(body);
                value.into_iter().for_each(|value| self.value(value));
            }
            _ => {}
        }
    }

    fn conversion(&mut self, conversion: Conversion, inner: &Expr<'h>, e: &Expr<'h>) {
        self.value(inner);
        let (from, to) = (inner.ty.ty, e.ty.ty);
        let (a, b) = (self.lanes(from), self.lanes(to));
        let holds = match conversion {
            Conversion::Arithmetic => a.is_some() && a.map(|l| l.1) == b.map(|l| l.1),
            Conversion::Splat => matches!((a, b), (Some((s, 1)), Some((t, n))) if s == t && n > 1),
            Conversion::Bits => self.program.types.size_of(from) == self.program.types.size_of(to),
            Conversion::Pointer => {
                let block = matches!(self.kind(from), TyKind::Block(_));
                (block || self.pointee(from).is_some()) && self.pointee(to).is_some()
            }
            Conversion::PointerToInt => self.pointee(from).is_some() && matches!(b, Some((Scalar::Int(_), 1))),
            Conversion::IntToPointer => self.pointee(to).is_some() && matches!(a, Some((Scalar::Int(_), 1))),
            Conversion::PointerToBool => self.pointee(from).is_some() && to == Ty::BOOL,
            Conversion::Discard => to == Ty::VOID,
        };
        self.require(holds, e.span, "conversions fit their types");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hir::{FunctionId, InlineHint, QualTy};
    use bumpalo::Bump;
    use clforge_basic::source::Interner;

    #[test]
    fn breaches_are_found() {
        let (arena, mut program) = (Bump::new(), Program::default());
        let span = Span::default();
        let one: &Expr<'_> = arena.alloc(Expr { kind: ExprKind::Int(1), ty: QualTy::plain(Ty::INT), span });
        let call = ExprKind::Call { function: FunctionId::new(7), arguments: &[] };
        let missing: &Expr<'_> = arena.alloc(Expr { kind: call, ty: QualTy::plain(Ty::VOID), span });
        let branch = StmtKind::If { condition: one, then: &[], otherwise: &[] };
        let body = [Stmt { kind: branch, span }, Stmt { kind: StmtKind::Expr(missing), span }];
        program.functions.push(Function {
            name: Interner::new().empty(),
            span,
            result: Ty::VOID,
            parameter_count: 0,
            variables: Default::default(),
            body: Some(arena.alloc_slice_copy(&body)),
            label_count: 0,
            expression_jumps: false,
            kernel: None,
            inline_hint: InlineHint::None,
            internal: false,
            block: None,
            callees: Vec::new(),
            builtins: Vec::new(),
        });
        let rules: Vec<String> = verify(&program).into_iter().map(|violation| violation.rule).collect();
        assert_eq!(rules, ["conditions are bool", "called functions exist"]);
    }
}
