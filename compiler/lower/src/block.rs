//! Blocks: the objects of block literals, and the kernels that run enqueued blocks.

use super::ModuleLowering;
use super::context::FunctionLowering;
use super::place::Pointer;
use super::types::{in_memory, is_aggregate, value_type};
use clforge_basic::narrow::to_i64;
use clforge_ir::ArgumentInfo;
use clforge_ir::{
    self as ir, Builder, Error, KernelArgument, KernelInfo, KernelParameter, Op, Space, Type, Value, Values,
};
use clforge_sema::hir::{self, BlockObject, Enqueue, EnqueueOp, Expr, ExprKind, FunctionId, InitPart, TyKind};

impl<'h> FunctionLowering<'_, '_, '_, 'h> {
    /// Makes the object; the value is a generic pointer to it.
    pub fn block_literal(&mut self, function: FunctionId, captures: &'h [InitPart<'h>]) -> Value {
        let object = self.block_object(function);
        let to = Pointer { value: self.alloca(object.size, object.align), align: object.align, declared: true };
        let word = |value: u64| i64::try_from(value).unwrap_or(0);
        let header = [(0, Type::I32, word(object.size)), (4, Type::I32, word(object.align)), (8, Type::I64, 0)];
        // Only enqueueing reads it.
        let header = if object.is_enqueued { &header[..] } else { &[][..] };
        for (offset, ty, value) in header {
            let at = self.displaced(to, *offset);
            let value = self.b.int(*ty, *value);
            self.store_at(at.value, value, at.align, false);
        }
        for part in captures {
            let at = self.displaced(to, part.offset);
            self.assign_into(at, part.value);
        }
        let generic = self.b.ty(to.value).in_space(Space::Generic);
        self.cast_pointer(to.value, generic)
    }

    fn block_object(&mut self, function: FunctionId) -> BlockObject {
        let source = self.m.program.functions.get(function);
        source.and_then(|source| source.block.clone()).unwrap_or_else(|| {
            self.internal("a block literal whose function is not a block");
            BlockObject::EMPTY
        })
    }

    /// Enqueueing a block or asking about it.
    pub fn enqueue(&mut self, e: &'h Expr<'h>, enqueue: &'h Enqueue<'h>) -> Value {
        let mut args = Values::new();
        for argument in enqueue.arguments {
            if !is_aggregate(self.types, argument.ty.ty) {
                let value = self.value(argument);
                args.push(value);
                continue;
            }
            if let ExprKind::Load(object) = argument.kind {
                let place = self.place(object);
                if self.b.ty(place.pointer.value).space() == Some(Space::Private) {
                    args.push(place.pointer.value);
                    continue;
                }
            }
            let (value, align) = self.temporary(argument.ty.ty);
            self.aggregate_into(Pointer { value, align, declared: true }, argument);
            args.push(value);
        }
        let op = operation(enqueue.op, &args).unwrap_or_else(|| {
            self.internal("an operation on a block with the wrong number of arguments");
            ir::EnqueueOp::WorkGroupSize
        });
        let block = self.value(enqueue.block);
        let mut local_sizes = Values::new();
        if enqueue.op == EnqueueOp::Kernel && !enqueue.sizes.is_empty() {
            // One array, as consumers made of LLVM want them, though SPIR-V's text speaks of the sizes themselves.
            let sizes = self.alloca(8 * enqueue.sizes.len() as u64, 8);
            for (index, size) in enqueue.sizes.iter().enumerate() {
                let value = self.value(size);
                let place = self.b.offset(sizes, 8 * to_i64(index));
                self.store_at(place, value, 8, false);
                local_sizes.push(place);
            }
        }
        let object = self.block_object(enqueue.function);
        let kernel = self.m.function(enqueue.function, true);
        let [size, align] = [object.size, object.align].map(|bytes| u32::try_from(bytes).unwrap_or(u32::MAX));
        self.b.span = e.span;
        self.b.emit(Op::Enqueue { op, kernel, block, local_sizes, size, align }, Type::I32)
    }
}

/// The operation with the arguments that stand before the block in the source.
fn operation(op: EnqueueOp, args: &[Value]) -> Option<ir::EnqueueOp> {
    Some(match (op, args) {
        (EnqueueOp::Kernel, &[queue, flags, range, event_count, wait_list, event]) => {
            ir::EnqueueOp::Kernel { queue, flags, range, event_count, wait_list, event }
        }
        (EnqueueOp::WorkGroupSize, &[]) => ir::EnqueueOp::WorkGroupSize,
        (EnqueueOp::PreferredWorkGroupSizeMultiple, &[]) => ir::EnqueueOp::PreferredWorkGroupSizeMultiple,
        (EnqueueOp::NdRangeSubGroupCount, &[range]) => ir::EnqueueOp::NdRangeSubGroupCount { range },
        (EnqueueOp::NdRangeMaxSubGroupSize, &[range]) => ir::EnqueueOp::NdRangeMaxSubGroupSize { range },
        _ => return None,
    })
}

/// The kernel that runs an enqueued block: it calls the block's body.
pub(super) fn kernel(module: &mut ModuleLowering<'_, '_>, id: FunctionId) -> ir::Function {
    let program = module.program;
    let source: &hir::Function<'_> = &program.functions[id];
    let mut function = ir::Function::new(format!("{}_kernel", module.interner.text(source.name)));
    function.span = source.span;
    function.exported = true;
    let mut arguments = Vec::new();
    let mut values = Values::new();
    for (index, local) in source.variables.iter().take(source.parameter_count as usize).enumerate() {
        let (kind, ty) = match (index, module.types.kind(local.ty.ty)) {
            (0, _) => (KernelParameter::Pointer(Space::Generic), Type::ptr(Space::Generic)),
            (_, TyKind::Pointer(pointee)) => {
                let bytes = |bytes: u64| bytes.try_into().unwrap_or(u32::MAX);
                let element_size = bytes(module.types.size_of(pointee.ty).unwrap_or(1));
                let align = bytes(module.types.align_of(pointee.ty));
                (KernelParameter::Local { element_size, align }, Type::ptr(Space::Local))
            }
            _ => {
                module
                    .report(&Error::internal("an enqueued block with a parameter that is no pointer").at(source.span));
                (KernelParameter::Value(Type::I32), in_memory(Type::I32))
            }
        };
        arguments.push(KernelArgument { kind, info: ArgumentInfo::default(), layout: None, span: source.span });
        values.push(function.add_param(ty));
    }
    let references = references(module, source);
    function.kernel = Some(KernelInfo { arguments, is_block: true, references, ..KernelInfo::default() });
    let body = module.function(id, false);
    let mut b = Builder::new(&mut function);
    b.span = source.span;
    b.call(body, &values, None);
    b.effect(Op::Return(None));
    function
}

/// The pointers, images and samplers in the object of a block.
fn references(module: &ModuleLowering<'_, '_>, source: &hir::Function<'_>) -> Vec<(u32, Type)> {
    let captured = source.block.iter().flat_map(|object| &object.references);
    captured.filter_map(|(offset, ty)| Some((u32::try_from(*offset).ok()?, value_type(module.types, *ty)?))).collect()
}
