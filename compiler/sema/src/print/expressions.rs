//! Expressions as text.

use super::Printer;
use crate::builtins;
use crate::hir::{
    BinaryOp, BuiltinId, Conversion, EnqueueOp, Expr, ExprKind, FloatKind, Lanes, ModuleVariableId, PrivateVariableId,
    Scalar, Ty, TyKind, UnaryOp,
};
use clforge_basic::narrow::nearest_f32;

impl<'h> Printer<'_, 'h> {
    pub(super) fn expr(&mut self, e: &Expr<'h>) {
        self.head(e);
        self.depth += 1;
        self.operands(e);
        self.depth -= 1;
    }

    /// The expression's own line.
    #[inline(never)] // what makes the text needs no room while operands are printed
    fn head(&mut self, e: &Expr<'h>) {
        let kind = kind_name(&e.kind);
        let details = self.details(e);
        let gap = if details.is_empty() { "" } else { " " };
        match e.is_place() {
            true => self.line(format_args!("{kind} {} lvalue{gap}{details}", self.object_type(e.ty))),
            false => self.line(format_args!("{kind} {}{gap}{details}", self.value_type(e.ty.ty))),
        }
    }

    fn operands(&mut self, e: &Expr<'h>) {
        match e.kind {
            ExprKind::BlockLiteral { captures, .. } => captures.iter().for_each(|part| self.init_part(part)),
            ExprKind::Enqueue(enqueue) => {
                enqueue.arguments.iter().for_each(|argument| self.expr(argument));
                self.part("block", enqueue.block);
                if !enqueue.sizes.is_empty() {
                    self.group(format_args!("sizes"), |printer| enqueue.sizes.iter().for_each(|e| printer.expr(e)));
                }
            }
            ExprKind::StatementExpr { body, value } => {
                self.statement_list("body", body);
                value.into_iter().for_each(|value| self.part("value", value));
            }
            ExprKind::CompoundLiteral { init, .. } => self.init(init),
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Load(_)
            | ExprKind::AddressOf(_)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::PointerAdd { .. }
            | ExprKind::PointerDifference(..)
            | ExprKind::Logical { .. }
            | ExprKind::Conditional { .. }
            | ExprKind::Select { .. }
            | ExprKind::Assign { .. }
            | ExprKind::CompoundAssign { .. }
            | ExprKind::PointerAssignAdd { .. }
            | ExprKind::Increment { .. }
            | ExprKind::Convert(..)
            | ExprKind::VectorLiteral(_)
            | ExprKind::Swizzle(..)
            | ExprKind::Call { .. }
            | ExprKind::Builtin { .. }
            | ExprKind::Comma(_)
            | ExprKind::PrivateVariable(_)
            | ExprKind::ModuleVariable(_)
            | ExprKind::Deref(_)
            | ExprKind::Field(..)
            | ExprKind::Lanes(..)
            | ExprKind::Lane(..)
            | ExprKind::Temporary(_) => e.each_operand(&mut |operand| self.expr(operand)),
        }
    }

    /// What follows the type.
    fn details(&self, e: &Expr<'h>) -> String {
        match e.kind {
            ExprKind::Int(value) => self.integer(value, e.ty.ty),
            ExprKind::Float(value) => self.floating(value, e.ty.ty),
            ExprKind::BlockLiteral { function, .. } => self.function_name(function),
            ExprKind::Enqueue(enqueue) => {
                format!("{} {}", enqueue_name(enqueue.op), self.function_name(enqueue.function))
            }
            ExprKind::Unary(op, _) => format!("'{}'", unary_text(op)),
            ExprKind::Binary(op, ..) => format!("'{}'", binary_text(op)),
            ExprKind::PointerAdd { negative, .. } => if negative { "'-'" } else { "'+'" }.into(),
            ExprKind::Logical { and, .. } => if and { "'&&'" } else { "'||'" }.into(),
            ExprKind::CompoundAssign { op, computation, .. } => {
                format!("'{}=' computation {}", binary_text(op), self.value_type(computation))
            }
            ExprKind::PointerAssignAdd { negative, .. } => if negative { "'-='" } else { "'+='" }.into(),
            ExprKind::Increment { decrement, postfix, .. } => {
                let place = if postfix { "postfix" } else { "prefix" };
                format!("{place} '{}'", if decrement { "--" } else { "++" })
            }
            ExprKind::Convert(conversion, _) => format!("<{}>", conversion_name(conversion)),
            ExprKind::Swizzle(_, lanes) | ExprKind::Lanes(_, lanes) => lanes_text(&lanes),
            ExprKind::Call { function, .. } => self.function_name(function),
            ExprKind::Builtin { function, arguments } => self.overload(function, e.ty.ty, arguments),
            ExprKind::PrivateVariable(id) => self.private_variable_name(id),
            ExprKind::ModuleVariable(id) => self.module_variable_name(id),
            ExprKind::Field(record, index) => self.field_name(record.ty.ty, index),
            ExprKind::CompoundLiteral { variable, .. } => self.private_variable_name(variable),
            ExprKind::Load(_)
            | ExprKind::AddressOf(_)
            | ExprKind::PointerDifference(..)
            | ExprKind::Conditional { .. }
            | ExprKind::Select { .. }
            | ExprKind::Assign { .. }
            | ExprKind::VectorLiteral(_)
            | ExprKind::Comma(_)
            | ExprKind::StatementExpr { .. }
            | ExprKind::Deref(_)
            | ExprKind::Lane(..)
            | ExprKind::Temporary(_) => String::new(),
        }
    }

    // --- names ---

    pub(super) fn private_variable_name(&self, id: PrivateVariableId) -> String {
        let variable = self.function.and_then(|function| function.variables.get(id));
        format!("%{id}{}", variable.map_or_else(String::new, |variable| self.named(variable.name)))
    }

    pub(super) fn module_variable_name(&self, id: ModuleVariableId) -> String {
        let variable = self.program.variables.get(id);
        format!("@{id}{}", variable.map_or_else(String::new, |variable| self.named(variable.name)))
    }

    /// `.x`; members without a name are counted from the first of all members.
    fn field_name(&self, record: Ty, index: u32) -> String {
        let field = |id| self.program.types.record(id).fields.as_ref()?.get(index as usize);
        let name = if let TyKind::Record(id) = self.program.types.kind(record) { field(id) } else { None };
        let name = name.and_then(|field| field.name);
        name.map_or_else(|| format!(".(unnamed {index})"), |name| format!(".{}", self.interner.text(name)))
    }

    /// The name of a built-in function and the type of the overload that is called.
    fn overload(&self, function: BuiltinId, result: Ty, arguments: &[&Expr<'h>]) -> String {
        let variadic = function == builtins::PRINTF;
        let fixed = if variadic { 1 } else { arguments.len() };
        let parameters: Vec<Ty> = arguments.iter().take(fixed).map(|argument| argument.ty.ty).collect();
        format!("{} '{}'", builtins::name(function), self.spelling.function(result, &parameters, variadic))
    }

    // --- constants ---

    /// An integer of that type; of pointers null.
    pub(super) fn integer(&self, value: u64, ty: Ty) -> String {
        match self.program.types.lanes(ty) {
            Some((Scalar::Int(kind), _)) if kind.is_signed() => value.cast_signed().to_string(),
            Some((Scalar::Bool | Scalar::Int(_) | Scalar::Float(_), _)) | None => value.to_string(),
        }
    }

    /// The shortest digits that give the value again in its type; of NaNs the bits of the `double`.
    fn floating(&self, value: f64, ty: Ty) -> String {
        if value.is_nan() {
            return format!("NaN({:#x})", value.to_bits());
        }
        match self.program.types.lanes(ty) {
            Some((Scalar::Float(FloatKind::Half | FloatKind::Float), _)) => format!("{:?}", nearest_f32(value)),
            Some((Scalar::Bool | Scalar::Int(_) | Scalar::Float(FloatKind::Double), _)) | None => format!("{value:?}"),
        }
    }
}

/// The name in [`ExprKind`].
fn kind_name(kind: &ExprKind<'_>) -> &'static str {
    match kind {
        ExprKind::Int(_) => "Int",
        ExprKind::Float(_) => "Float",
        ExprKind::Load(_) => "Load",
        ExprKind::AddressOf(_) => "AddressOf",
        ExprKind::BlockLiteral { .. } => "BlockLiteral",
        ExprKind::Enqueue(_) => "Enqueue",
        ExprKind::Unary(..) => "Unary",
        ExprKind::Binary(..) => "Binary",
        ExprKind::PointerAdd { .. } => "PointerAdd",
        ExprKind::PointerDifference(..) => "PointerDifference",
        ExprKind::Logical { .. } => "Logical",
        ExprKind::Conditional { .. } => "Conditional",
        ExprKind::Select { .. } => "Select",
        ExprKind::Assign { .. } => "Assign",
        ExprKind::CompoundAssign { .. } => "CompoundAssign",
        ExprKind::PointerAssignAdd { .. } => "PointerAssignAdd",
        ExprKind::Increment { .. } => "Increment",
        ExprKind::Convert(..) => "Convert",
        ExprKind::VectorLiteral(_) => "VectorLiteral",
        ExprKind::Swizzle(..) => "Swizzle",
        ExprKind::Call { .. } => "Call",
        ExprKind::Builtin { .. } => "Builtin",
        ExprKind::Comma(_) => "Comma",
        ExprKind::StatementExpr { .. } => "StatementExpr",
        ExprKind::PrivateVariable(_) => "PrivateVariable",
        ExprKind::ModuleVariable(_) => "ModuleVariable",
        ExprKind::Deref(_) => "Deref",
        ExprKind::Field(..) => "Field",
        ExprKind::Lanes(..) => "Lanes",
        ExprKind::Lane(..) => "Lane",
        ExprKind::Temporary(_) => "Temporary",
        ExprKind::CompoundLiteral { .. } => "CompoundLiteral",
    }
}

/// `.s01`: hexadecimal digits, as OpenCL C has them; `_` is a lane that does not exist.
fn lanes_text(lanes: &Lanes) -> String {
    let digit = |lane: &u8| match *lane {
        Lanes::ABSENT => '_',
        lane => char::from_digit(u32::from(lane), 16).unwrap_or('?'),
    };
    format!(".s{}", lanes.as_slice().iter().map(digit).collect::<String>())
}

fn unary_text(op: UnaryOp) -> &'static str {
    match op {
        UnaryOp::Negate => "-",
        UnaryOp::BitNot => "~",
        UnaryOp::LogicalNot => "!",
    }
}

fn binary_text(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Rem => "%",
        BinaryOp::Shl => "<<",
        BinaryOp::Shr => ">>",
        BinaryOp::And => "&",
        BinaryOp::Or => "|",
        BinaryOp::Xor => "^",
        BinaryOp::Eq => "==",
        BinaryOp::Ne => "!=",
        BinaryOp::Lt => "<",
        BinaryOp::Le => "<=",
        BinaryOp::Gt => ">",
        BinaryOp::Ge => ">=",
        BinaryOp::LogicalAnd => "&&",
        BinaryOp::LogicalOr => "||",
    }
}

fn conversion_name(conversion: Conversion) -> &'static str {
    match conversion {
        Conversion::Arithmetic => "Arithmetic",
        Conversion::Splat => "Splat",
        Conversion::Bits => "Bits",
        Conversion::Pointer => "Pointer",
        Conversion::PointerToInt => "PointerToInt",
        Conversion::IntToPointer => "IntToPointer",
        Conversion::PointerToBool => "PointerToBool",
        Conversion::Discard => "Discard",
    }
}

/// The name of the function in OpenCL C.
fn enqueue_name(op: EnqueueOp) -> &'static str {
    match op {
        EnqueueOp::Kernel => "enqueue_kernel",
        EnqueueOp::WorkGroupSize => "get_kernel_work_group_size",
        EnqueueOp::PreferredWorkGroupSizeMultiple => "get_kernel_preferred_work_group_size_multiple",
        EnqueueOp::NdRangeSubGroupCount => "get_kernel_sub_group_count_for_ndrange",
        EnqueueOp::NdRangeMaxSubGroupSize => "get_kernel_max_sub_group_size_for_ndrange",
    }
}
