//! Appends the blocks of the graph for the structurizer.

use super::graph::{End, Graph, Slot, Source, base_of, is_repeated};
use crate::analysis::Substitution;
use crate::structurize::{self, BlockId, ControlFlow, structurize};
use crate::*;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// A graph with the function that it is appended to.
struct Appender<'f> {
    b: Builder<'f>,
    graph: Graph,
    /// The private object of each slot.
    objects: Vec<Value>,
}

/// Makes a graph the body of its function.
///
/// # Errors
/// An internal one of the structurizer.
pub fn append(function: &mut Function, graph: Graph) -> Result<(), Error> {
    let (body, objects) = (function.body, function.private_objects());
    function.region_mut(body).insts.truncate(objects);
    let mut b = Builder::new(function);
    let state = b.alloca(4, 4);
    let objects = graph.slots.iter().map(|ty| in_memory(*ty)).map(|ty| b.alloca(size(ty), align(ty).into())).collect();
    let exit = graph.exit;
    let mut appender = Appender { b, graph, objects };
    structurize(&mut appender, state, &[], Some(exit))?;
    appender.exit();
    Ok(())
}

/// `bool` is no type of memory.
fn in_memory(ty: Type) -> Type {
    if ty.scalar == ScalarType::Bool { ty.with_scalar(ScalarType::I8) } else { ty }
}

fn size(ty: Type) -> u64 {
    ty.scalar.bytes() * u64::from(ty.lanes.next_power_of_two())
}

fn align(ty: Type) -> u32 {
    size(ty).clamp(1, 128) as u32
}

impl Appender<'_> {
    fn load(&mut self, slot: Slot) -> Value {
        let ty = self.graph.slots[slot];
        let stored = in_memory(ty);
        let value = self.b.load(stored, self.objects[slot], align(stored));
        if ty == stored { value } else { self.b.compare_int(CompareOp::Ne, value, 0) }
    }

    fn store(&mut self, slot: Slot, value: Value) {
        let stored = in_memory(self.graph.slots[slot]);
        let value = if stored == self.b.ty(value) { value } else { self.b.convert(ConvertOp::ZExt, value, stored) };
        self.b.store(self.objects[slot], value, align(stored));
    }

    /// A value in a block that does not compute it.
    fn value(&mut self, value: Value, block: BlockId) -> Value {
        if self.graph.home.get(&value) == Some(&block) {
            return value;
        }
        if let Some(Op::PtrAdd { displacement, .. }) = self.b.function.op(value)
            && is_repeated(self.b.function, value)
        {
            let displacement = *displacement;
            let base = self.b.function.op(value).and_then(base_of).unwrap_or(value);
            let base = self.value(base, block);
            return self.b.offset(base, displacement);
        }
        match self.graph.of_value.get(&value) {
            Some(slot) => self.load(*slot),
            None => value,
        }
    }

    /// What the function does behind the graph.
    fn exit(&mut self) {
        if self.b.is_terminated() {
            return;
        }
        let exit = self.graph.exit;
        let returned = self.graph.returned.map(|value| self.value(value, exit));
        self.b.effect(Op::Return(returned));
    }

    /// The values that a block uses, as they are there.
    fn values(&mut self, block: BlockId) -> Substitution {
        let mut values = Substitution::default();
        let mut known: FxHashMap<Value, Value> = FxHashMap::default();
        for value in self.graph.uses(self.b.function, block) {
            // Bases that the block computes do not dominate its start, so what depends on them stays.
            if !self.is_here(value, block) {
                let new = self.value(value, block);
                known.insert(value, new);
            }
        }
        for (old, new) in known {
            values.insert(old, new);
        }
        values
    }

    /// Whether a value is computed by the block, or by what is nested in it.
    fn is_here(&self, value: Value, block: BlockId) -> bool {
        match self.graph.home.get(&value) {
            Some(home) => *home == block,
            None => !self.graph.of_value.contains_key(&value),
        }
    }

    fn source(&mut self, source: Source, values: &Substitution) -> Value {
        match source {
            Source::Value(value) => values.resolve(value),
            Source::Number(number) => self.b.int(Type::I32, number),
            Source::Slot(slot) => self.load(slot),
        }
    }

    /// Appends the instructions of a block. Whether they end it.
    fn code(&mut self, block: BlockId, values: &Substitution) -> bool {
        let code = std::mem::take(&mut self.graph.blocks[block].code);
        values.apply_nested(self.b.function, &code);
        let region = self.b.region();
        self.b.function.region_mut(region).insts.extend(&code);
        if self.b.is_terminated() {
            return true;
        }
        for id in code {
            for result in self.b.function.inst(id).results.clone() {
                if let Some(slot) = self.graph.of_value.get(&result).copied() {
                    self.store(slot, result);
                }
            }
        }
        false
    }
}

impl<'f> ControlFlow<'f> for Appender<'f> {
    fn builder(&mut self) -> &mut Builder<'f> {
        &mut self.b
    }

    fn successors(&self, block: BlockId) -> SmallVec<[BlockId; 4]> {
        self.graph.successors(block)
    }

    fn append(&mut self, block: BlockId) -> structurize::End {
        let values = self.values(block);
        if self.code(block, &values) {
            return structurize::End::Leave;
        }
        if let Some(call) = self.graph.blocks[block].call.clone() {
            let args: Vec<Value> = call.args.iter().map(|arg| self.source(*arg, &values)).collect();
            let result = self.b.call(call.callee, &args, call.result.map(|(_, ty)| ty));
            if let (Some((slot, _)), Some(result)) = (call.result, result) {
                self.store(slot, result);
            }
        }
        let moved = std::mem::take(&mut self.graph.blocks[block].moves);
        let moved: Vec<_> = moved.into_iter().map(|(slot, from)| (slot, self.source(from, &values))).collect();
        for (slot, value) in moved {
            self.store(slot, value);
        }
        match self.graph.blocks[block].end.clone() {
            End::Leave => structurize::End::Leave,
            End::Jump(to) => structurize::End::Jump(to),
            End::Branch { condition, then, otherwise } => {
                structurize::End::Branch { condition: values.resolve(condition), then, otherwise }
            }
            End::Switch { selector, cases } => {
                let selector = self.source(selector, &values);
                structurize::End::Switch { selector, cases }
            }
        }
    }
}
