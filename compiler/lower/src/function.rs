//! One function: parameters, variables, body.

use super::types::{in_memory, is_aggregate, natural_align, value_type};
use super::{ModuleLowering, block, goto, kernel};
use clforge_ir::{self as ir, Builder, Error, Op, ScalarType, Space, Type, Value};
use clforge_sema::hir::{self, InlineHint, PrivateVariableId, Ty, TyKind, TypeTable};

/// Where a variable is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Slot {
    /// A private object.
    Memory(Value),
    /// A parameter that is a handle and never changes.
    Value(Value),
}

/// A statement that `break` or `continue` may leave.
#[derive(Clone, Debug, Default)]
pub(super) struct Frame {
    pub is_loop: bool,
    pub breaks: u32,
    pub continues: u32,
    /// Taken apart into a graph: jumps are ways of it.
    pub closed: bool,
    /// A block of a graph that statement expressions jump out of.
    pub captured: Option<Captured>,
}

/// How expressions of a block jump out of it.
#[derive(Clone, Debug)]
pub(super) struct Captured {
    /// What says where control goes.
    pub state: Value,
    pub leaves: Vec<(goto::Leave, goto::BlockId)>,
}

/// What lowering a function knows.
pub(super) struct FunctionLowering<'f, 'm, 'a, 'h> {
    pub m: &'m mut ModuleLowering<'a, 'h>,
    pub b: Builder<'f>,
    pub types: &'a TypeTable,
    pub source: &'a hir::Function<'h>,
    pub slots: Vec<Slot>,
    /// `alloca`s, put in front of the body at the end.
    allocas: Vec<ir::InstId>,
    /// Where a record result goes.
    pub result: Option<Value>,
    pub frames: Vec<Frame>,
}

/// Lowers a function; `entry`: as a kernel that a host starts, else as a function that is called.
pub(super) fn lower(module: &mut ModuleLowering<'_, '_>, id: hir::FunctionId, entry: bool) -> ir::Function {
    let program = module.program;
    let source = &program.functions[id.0 as usize];
    if entry && source.block.is_some() {
        return block::kernel(module, id);
    }
    let mut name = module.interner.text(source.name).to_owned();
    if source.kernel.is_some() && !entry {
        name.push_str(".function");
    }
    let mut function = ir::Function::new(name);
    function.span = source.span;
    function.kernel = if entry { kernel::info(module, source) } else { None };
    function.exported = entry || (source.kernel.is_none() && module.exports(source.internal));
    function.inline = match source.inline_hint {
        // On Vulkan a block's object must be known where the block is called.
        InlineHint::None => (source.block.is_some() && module.options.target.is_vulkan()).then_some(true),
        InlineHint::Always => Some(true),
        InlineHint::Never => Some(false),
    };
    let mut lowering = FunctionLowering {
        types: module.types,
        m: module,
        b: Builder::new(&mut function),
        source,
        slots: Vec::with_capacity(source.variables.len()),
        allocas: Vec::new(),
        result: None,
        frames: Vec::new(),
    };
    lowering.b.span = source.span;
    lowering.signature(entry);
    if let Some(body) = source.body {
        lowering.body(body);
    }
    function
}

impl<'h> FunctionLowering<'_, '_, '_, 'h> {
    /// Result and parameters; parameters of a definition get their places.
    fn signature(&mut self, entry: bool) {
        if is_aggregate(self.types, self.source.result) {
            self.result = Some(self.b.function.add_param(Type::ptr(Space::Private)));
        } else {
            self.b.function.result = value_type(self.types, self.source.result);
        }
        let source = self.source;
        for local in source.variables.iter().take(source.parameter_count as usize) {
            let ty = local.ty.ty;
            if is_aggregate(self.types, ty) {
                let param = self.b.function.add_param(Type::ptr(Space::Private));
                self.slots.push(Slot::Memory(param));
                continue;
            }
            let value = self.value_type(ty);
            let param = self.b.function.add_param(if entry { in_memory(value) } else { value });
            if source.body.is_none() || self.is_fixed_handle(ty) {
                self.slots.push(Slot::Value(param));
                continue;
            }
            let place = self.alloca(self.size_of(ty), local.align);
            self.slots.push(Slot::Memory(place));
            let stored = if self.b.ty(param) == Type::BOOL { self.memory_value(param) } else { param };
            self.store_at(place, stored, local.align, false);
        }
    }

    /// Handles that a parameter holds for good: assignment to them does not exist.
    fn is_fixed_handle(&self, ty: Ty) -> bool {
        matches!(self.types.kind(ty), TyKind::Image(..) | TyKind::Pipe(..) | TyKind::Sampler)
    }

    fn body(&mut self, body: &'h [hir::Stmt<'h>]) {
        let source = self.source;
        for local in source.variables.iter().skip(source.parameter_count as usize) {
            let place = self.alloca(self.size_of(local.ty.ty), local.align);
            self.slots.push(Slot::Memory(place));
        }
        if goto::is_needed(body, source.expression_jumps) {
            self.graph(body, false);
        } else {
            self.block(body);
        }
        if !self.b.is_terminated() {
            self.return_undefined();
        }
        let allocas = std::mem::take(&mut self.allocas);
        let body = self.b.function.body;
        self.b.function.region_mut(body).insts.splice(0..0, allocas);
    }

    /// The end of a function that a `return` did not reach.
    pub fn return_undefined(&mut self) {
        let value = self.b.function.result.map(|ty| self.b.undef(ty));
        self.b.effect(Op::Return(value));
    }

    /// A private object for the whole call.
    pub fn alloca(&mut self, size: u64, align: u64) -> Value {
        let op = Op::Alloca { size, align: align.max(1) };
        let id = self.b.function.new_inst(op, &[Type::ptr(Space::Private)], self.b.span);
        self.allocas.push(id);
        self.b.function.inst(id).results[0]
    }

    /// A private object for a value of that type.
    pub fn temporary(&mut self, ty: Ty) -> (Value, u64) {
        let align = self.types.align_of(ty);
        (self.alloca(self.size_of(ty), align), align)
    }

    /// The place of a variable; a handle is put in memory first.
    pub fn slot(&mut self, id: PrivateVariableId) -> Value {
        match self.slots.get(id.0 as usize).copied() {
            Some(Slot::Memory(place)) => place,
            Some(Slot::Value(value)) => {
                let place = self.alloca(8, 8);
                self.store_at(place, value, 8, false);
                place
            }
            None => {
                self.internal("a variable of another function");
                self.alloca(8, 8)
            }
        }
    }

    pub fn local(&self, id: PrivateVariableId) -> Option<&'_ hir::PrivateVariable> {
        self.source.variables.get(id.0 as usize)
    }

    pub fn size_of(&self, ty: Ty) -> u64 {
        self.types.size_of(ty).unwrap_or(0)
    }

    /// The type of values of a type that has values.
    pub fn value_type(&mut self, ty: Ty) -> Type {
        match value_type(self.types, ty) {
            Some(ty) => ty,
            None => {
                self.internal("a value of a type that has none");
                Type::I32
            }
        }
    }

    /// A load of a memory type; the alignment told is never more than the access needs.
    pub fn load_at(&mut self, ptr: Value, ty: Type, align: u64, volatile: bool) -> Value {
        let align = align.min(natural_align(ty)) as u32;
        self.b.push(Op::Load { ptr, align, volatile }, &[ty])[0]
    }

    /// A store of a value of a memory type.
    pub fn store_at(&mut self, ptr: Value, value: Value, align: u64, volatile: bool) {
        let align = align.min(natural_align(self.b.ty(value))) as u32;
        self.b.effect(Op::Store { ptr, value, align, volatile });
    }

    /// A `bool` as the byte it is in memory.
    pub fn memory_value(&mut self, value: Value) -> Value {
        let ty = self.b.ty(value);
        if ty.scalar == ScalarType::Bool { self.b.convert(ir::ConvertOp::ZExt, value, in_memory(ty)) } else { value }
    }

    /// Runs `fill` in a new region.
    pub fn region(&mut self, fill: impl FnOnce(&mut Self)) -> ir::RegionId {
        let region = self.b.function.new_region();
        self.b.enter(region);
        fill(self);
        self.b.leave();
        region
    }

    /// Makes the current region one that goes on, where an expression left it (`({ return; })`): what left stands in
    /// an `if` that is always taken, and what follows is dead.
    pub fn reopen(&mut self) {
        if !self.b.is_terminated() {
            return;
        }
        let region = self.b.region();
        let Some(last) = self.b.function.region_mut(region).insts.pop() else { return };
        let then = self.b.function.new_region();
        self.b.function.region_mut(then).insts.push(last);
        let otherwise = self.region(|this| this.b.effect(Op::Yield(ir::Values::new())));
        let condition = self.b.int(Type::BOOL, 1);
        self.b.effect(Op::If { condition, then, otherwise });
    }

    /// Reports a bug in the compiler at the expression being lowered.
    #[track_caller]
    pub fn internal(&mut self, message: &'static str) {
        let error = Error::internal(message).at(self.b.span);
        self.m.report(&error);
    }
}
