//! The state of the function being lowered, and the operations on it that all of lowering shares: private objects, loads and
//! stores, regions.

use super::types::{in_memory, natural_align, value_type};
use super::{ModuleLowering, checks};
use clforge_basic::narrow::to_u32;
use clforge_basic::options::Sanitizers;
use clforge_basic::source::Span;
use clforge_ir::{self as ir, Builder, Error, Op, ScalarType, Space, Type, Value};
use clforge_sema::hir::{self, PrivateVariableId, Ty, TypeTable};
use std::collections::BTreeMap;
use std::rc::Rc;
use typed_index_collections::TiVec;

/// A jump out of a statement expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Leave {
    Label(u32),
    Break,
    Continue,
}

pub(super) type BlockId = usize;

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
    /// Its body is part of a control-flow graph: jumps out of it are edges.
    pub closed: bool,
    /// A block of a graph that statement expressions jump out of.
    pub captured: Option<Captured>,
}

/// The jumps out of a block of a control-flow graph that statement expressions in it make.
#[derive(Clone, Debug)]
pub(super) struct Captured {
    /// The variable that holds the index of the jump taken.
    pub state: Value,
    /// Shared, since each jump looks here and there may be as many targets as jumps.
    pub leaves: Rc<BTreeMap<Leave, BlockId>>,
}

/// What lowering a function knows.
pub(super) struct FunctionLowering<'f, 'm, 'a, 'h> {
    pub m: &'m mut ModuleLowering<'a, 'h>,
    pub b: Builder<'f>,
    pub types: &'a TypeTable,
    pub source: &'a hir::Function<'h>,
    pub slots: TiVec<PrivateVariableId, Slot>,
    /// `alloca`s, put in front of the body at the end.
    pub allocas: Vec<ir::InstId>,
    /// The address of a record result.
    pub result: Option<Value>,
    pub frames: Vec<Frame>,
}

impl<'h> FunctionLowering<'_, '_, '_, 'h> {
    /// The end of a function that a `return` did not reach.
    pub fn return_undefined(&mut self) {
        let value = self.b.function.result.map(|ty| self.missing_result(ty));
        self.b.effect(Op::Return(value));
    }

    /// What a function returns that returns no value (C99 6.9.1p12: nobody may use it). The sanitizer of memory finds out if
    /// somebody does: to it there is an object that nothing writes, with the place of the function's name.
    fn missing_result(&mut self, ty: Type) -> Value {
        let is_number = ty.space().is_none() && (ty.scalar.is_int() || ty.scalar.is_float());
        if !is_number || !checks::looks_for(self.m.options, Sanitizers::MEMORY) {
            return self.b.undef(ty);
        }
        let align = natural_align(ty);
        let place = self.declared_object(align, align, self.source.span);
        self.load_at(place, ty, align, false)
    }

    /// A pointer as wide as the program's.
    pub fn pointer_type(&self, space: Space) -> Type {
        Type::pointer(space, self.types.address_bits)
    }

    /// A private object for the whole call.
    pub fn alloca(&mut self, size: u64, align: u64) -> Value {
        let op = Op::Alloca { size, align: align.max(1) };
        let pointer = self.pointer_type(Space::Private);
        let id = self.b.function.new_inst(op, &[pointer], self.b.span);
        self.allocas.push(id);
        self.b.function.inst(id).results[0]
    }

    /// A private object that the program declares at a place.
    pub fn declared_object(&mut self, size: u64, align: u64, declaration: Span) -> Value {
        let around = std::mem::replace(&mut self.b.span, declaration);
        let place = self.alloca(size, align);
        self.b.span = around;
        place
    }

    /// A private object for a value of that type.
    pub fn temporary(&mut self, ty: Ty) -> (Value, u64) {
        let align = self.types.align_of(ty);
        (self.alloca(self.size_of(ty), align), align)
    }

    /// The place of a variable; a handle is put in memory first.
    pub fn slot(&mut self, id: PrivateVariableId) -> Value {
        match self.slots.get(id).copied() {
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
        self.source.variables.get(id)
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

    /// A load of a memory type; the stated alignment is never more than the access needs.
    pub fn load_at(&mut self, ptr: Value, ty: Type, align: u64, volatile: bool) -> Value {
        let align = to_u32(align.min(natural_align(ty)));
        self.b.push(Op::Load { ptr, align, volatile, invariant: false }, &[ty])[0]
    }

    /// A store of a value of a memory type.
    pub fn store_at(&mut self, ptr: Value, value: Value, align: u64, volatile: bool) {
        let align = to_u32(align.min(natural_align(self.b.ty(value))));
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

    /// Opens a region that continues, where an expression terminated the current one (`({ return; })`): the terminator is in
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
