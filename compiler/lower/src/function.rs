//! One function: its signature, its variables and its body.

use super::context::{FunctionLowering, Slot};
use super::types::{in_memory, is_aggregate, value_type};
use super::{ModuleLowering, block, control_flow, kernel};
use clforge_ir::link::KERNEL_FUNCTION;
use clforge_ir::{self as ir, Builder, Space, Type};
use clforge_sema::hir::{self, InlineHint, Ty, TyKind};
use typed_index_collections::TiVec;

/// Lowers a function; `entry`: as a kernel that a host starts, else as a function that is called.
pub(super) fn lower(module: &mut ModuleLowering<'_, '_>, id: hir::FunctionId, entry: bool) -> ir::Function {
    let program = module.program;
    let source = &program.functions[id];
    if entry && source.block.is_some() {
        return block::kernel(module, id);
    }
    let mut name = module.interner.text(source.name).to_owned();
    if source.kernel.is_some() && !entry {
        name.push_str(KERNEL_FUNCTION);
    }
    let mut function = ir::Function::new(name);
    function.span = source.span;
    function.kernel = if entry { kernel::info(module, source) } else { None };
    function.exported = entry || (source.kernel.is_none() && module.exports(source.internal));
    function.inline = match source.inline_hint {
        InlineHint::None => None,
        InlineHint::Always => Some(true),
        InlineHint::Never => Some(false),
    };
    let mut lowering = FunctionLowering {
        types: module.types,
        m: module,
        b: Builder::new(&mut function),
        source,
        slots: TiVec::with_capacity(source.variables.len()),
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
            let pointer = self.pointer_type(Space::Private);
            self.result = Some(self.b.function.add_param(pointer));
        } else {
            self.b.function.result = value_type(self.types, self.source.result);
        }
        let source = self.source;
        for local in source.variables.iter().take(source.parameter_count as usize) {
            let ty = local.ty.ty;
            if is_aggregate(self.types, ty) {
                let pointer = self.pointer_type(Space::Private);
                let param = self.b.function.add_param(pointer);
                self.slots.push(Slot::Memory(param));
                continue;
            }
            let value = self.value_type(ty);
            let param = self.b.function.add_param(if entry { in_memory(value) } else { value });
            if source.body.is_none() || self.is_fixed_handle(ty) {
                self.slots.push(Slot::Value(param));
                continue;
            }
            let place = self.declared_object(self.size_of(ty), local.align, local.span);
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
            let place = self.declared_object(self.size_of(local.ty.ty), local.align, local.span);
            self.slots.push(Slot::Memory(place));
        }
        if control_flow::is_needed(body, source.expression_jumps) {
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
}
