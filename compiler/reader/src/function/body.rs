//! Bodies of functions: appends their basic blocks for the structurizer.

use super::{FunctionReader, Item, Known};
use crate::blocks::{Exit, Target, graph};
use crate::context::ModuleReader;
use crate::decode::Instruction;
use crate::error::{ReadError, Result};
use crate::tables::FunctionDef;
use clforge_ir::structurize::{BlockId, ControlFlow, End, SwitchTarget, structurize};
use clforge_ir::{Builder, Function, LoopHint, Op, Type};
use rspirv::spirv;
use smallvec::SmallVec;

/// Reads the body of a function. `params`: what its parameters are.
pub fn body<'w>(
    m: &mut ModuleReader<'w, '_>,
    def: &FunctionDef<'w>,
    function: &mut Function,
    prologue: impl FnOnce(&mut FunctionReader<'_, '_, 'w, '_>) -> Result<()>,
) -> Result<()> {
    let graph = graph(&m.tables, def)?;
    if graph.blocks.is_empty() {
        return Err(def.at.invalid("a function without blocks"));
    }
    let mut reader = FunctionReader::new(m, function, graph);
    prologue(&mut reader)?;
    reader.make_slots()?;
    reader.make_objects()?;
    let state = reader.alloca(4, 4);
    let built = structurize(&mut reader, state, &[], None);
    let error = reader.error.take();
    reader.finish();
    match (error, built) {
        (Some(error), _) => Err(error),
        (None, built) => built.map_err(|error| ReadError::stage(def.at.offset, error).about(def.at.result)),
    }
}

impl<'f, 'w> ControlFlow<'f> for FunctionReader<'f, '_, 'w, '_> {
    fn builder(&mut self) -> &mut Builder<'f> {
        &mut self.b
    }

    fn successors(&self, block: BlockId) -> SmallVec<[BlockId; 4]> {
        self.graph.successors(block)
    }

    fn append(&mut self, block: BlockId) -> End {
        if self.error.is_none() {
            match self.append_block(block) {
                Ok(end) => return end,
                Err(error) => self.error = Some(error),
            }
        }
        if !self.b.is_terminated() {
            self.b.effect(Op::Unreachable);
        }
        End::Leave
    }

    fn hint(&self, block: BlockId) -> LoopHint {
        self.graph.blocks.get(block).map_or(LoopHint::None, |block| block.hint)
    }
}

impl<'w> FunctionReader<'_, '_, 'w, '_> {
    /// Objects of the function: they are there wherever control is.
    fn make_objects(&mut self) -> Result<()> {
        for number in 0..self.graph.blocks.len() {
            let objects = self.graph.blocks[number].instructions.iter();
            let objects: Vec<Instruction<'w>> = objects
                .filter(|at| matches!(at.op, spirv::Op::Variable | spirv::Op::UntypedVariableKHR))
                .copied()
                .collect();
            for at in objects {
                let (size, align) = self.m.object(&at)?;
                let address = self.alloca(size, align);
                let item = Item::Parts(SmallVec::from_slice(&[address]));
                self.fixed.insert(at.result, Known { ty: at.ty, item });
            }
        }
        Ok(())
    }

    fn append_block(&mut self, block: BlockId) -> Result<End> {
        self.begin_block(block);
        for index in 0..self.graph.blocks[block].instructions.len() {
            let at = self.graph.blocks[block].instructions[index];
            self.check_room(&at)?;
            self.instruction(&at)?;
        }
        let at = self.graph.blocks[block].end;
        self.check_room(&at)?;
        let exit = self.graph.blocks[block].exit.clone();
        let mut successors = self.graph.successors(block);
        successors.sort_unstable();
        successors.dedup();
        for successor in successors {
            self.leave_to(successor)?;
        }
        match exit {
            Exit::Jump(to) => Ok(End::Jump(to)),
            Exit::Branch(condition, then, otherwise) => {
                let condition = self.condition(&at, condition)?;
                Ok(End::Branch { condition, then, otherwise })
            }
            Exit::Switch(selector, targets) => {
                let selector = self.value(&at, selector)?;
                let case = |Target { values, default, block }| SwitchTarget { values, default, block };
                Ok(End::Switch { selector, cases: targets.into_iter().map(case).collect() })
            }
            Exit::Return(value) => self.leave_function(&at, value),
            Exit::Unreachable => {
                self.b.effect(Op::Unreachable);
                Ok(End::Leave)
            }
        }
    }

    /// A scalar `bool`.
    fn condition(&mut self, at: &Instruction<'w>, id: u32) -> Result<clforge_ir::Value> {
        let value = self.value(at, id)?;
        match self.b.ty(value) == Type::BOOL {
            true => Ok(value),
            false => Err(at.invalid("the condition is no bool")),
        }
    }

    fn leave_function(&mut self, at: &Instruction<'w>, value: Option<u32>) -> Result<End> {
        let value = match (value, self.result) {
            (Some(value), Some((address, ty))) => {
                let parts = self.parts_of(at, value, ty)?;
                self.store_parts(at, address, ty, parts)?;
                None
            }
            (Some(value), None) => Some(self.value(at, value)?),
            (None, _) => None,
        };
        let found = value.map(|value| self.b.ty(value));
        if found != self.b.function.result {
            return Err(at.invalid("the function returns a value of another type than its own"));
        }
        self.b.effect(Op::Return(value));
        Ok(End::Leave)
    }
}
