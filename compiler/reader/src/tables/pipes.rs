//! The packets of pipes. The type of a pipe in SPIR-V says nothing of them; the instructions do. So each parameter that is
//! a pipe gets a type of its own, by what is done with it in its function and in those that are called with it. The same
//! holds for copies of pipes, which compilers that do not optimise keep in variables.

use super::Tables;
use crate::decode::Instruction;
use crate::error::Result;
use crate::types::{Kind, TypeInfo, handle};
use clforge_ir::{Opaque, ScalarType, Type};
use rspirv::spirv::Op;
use rustc_hash::{FxHashMap, FxHashSet};

/// Size and alignment of packets.
type Packets = (u32, u32);

/// Where a pipe is among the operands of an instruction, whose last two are size and alignment of its packets.
pub fn pipe_operand(op: Op) -> Option<usize> {
    Some(match op {
        Op::ReadPipe | Op::WritePipe | Op::ReservedReadPipe | Op::ReservedWritePipe => 0,
        Op::ReserveReadPipePackets | Op::ReserveWritePipePackets => 0,
        Op::CommitReadPipe | Op::CommitWritePipe | Op::GetNumPipePackets | Op::GetMaxPipePackets => 0,
        Op::GroupReserveReadPipePackets | Op::GroupReserveWritePipePackets => 1,
        Op::GroupCommitReadPipe | Op::GroupCommitWritePipe => 1,
        _ => return None,
    })
}

/// What is done with pipes.
#[derive(Default)]
struct Uses {
    /// What instructions say of packets, by parameters and copies.
    found: FxHashMap<u32, Packets>,
    /// Parameters and copies that may be the same pipes, and variables that hold them: of each function and of those that it
    /// calls.
    same: FxHashMap<u32, Vec<u32>>,
    /// Parameters and copies, with their types.
    pipes: FxHashMap<u32, u32>,
}

impl Uses {
    fn join(&mut self, one: u32, other: u32) {
        self.same.entry(one).or_default().push(other);
        self.same.entry(other).or_default().push(one);
    }

    /// Notes what an instruction gives, of which `is_pipe` says whether it is one, and what it stores.
    fn copy(&mut self, at: &Instruction<'_>, is_pipe: bool) -> Result<()> {
        if is_pipe {
            self.pipes.insert(at.result, at.ty);
        }
        match at.op {
            Op::Load | Op::CopyObject if is_pipe => self.join(at.result, at.operand(0)?),
            Op::Select if is_pipe => {
                self.join(at.result, at.operand(1)?);
                self.join(at.result, at.operand(2)?);
            }
            Op::Phi if is_pipe => at.operands.iter().step_by(2).for_each(|value| self.join(at.result, *value)),
            Op::Store if self.pipes.contains_key(&at.operand(1)?) => self.join(at.operand(0)?, at.operand(1)?),
            _ => {}
        }
        Ok(())
    }
}

impl Tables<'_> {
    /// Gives the parameters that are pipes, and their copies, types with their packets.
    pub(super) fn resolve_pipes(&mut self) -> Result<()> {
        if !self.functions.iter().any(|def| def.param_types.iter().any(|ty| self.is_pipe(*ty))) {
            return Ok(());
        }
        let Uses { mut found, same, pipes } = self.uses_of_pipes()?;
        let mut pending: Vec<(u32, Packets)> = found.iter().map(|(id, packets)| (*id, *packets)).collect();
        while let Some((id, packets)) = pending.pop() {
            for other in same.get(&id).into_iter().flatten() {
                if !found.contains_key(other) {
                    found.insert(*other, packets);
                    pending.push((*other, packets));
                }
            }
        }
        for at in 0..self.functions.len() {
            self.retype(at, &found);
        }
        for (id, ty) in pipes {
            let write = self.types.find(ty).and_then(write_of);
            let packets = found.get(&id).copied().filter(|_| !self.parameters.contains_key(&id));
            if let (Some(write), Some(packets)) = (write, packets) {
                let ty = self.types.add(handle(Kind::Value(pipe(packets, write))));
                self.copies_of_pipes.insert(id, ty);
            }
        }
        Ok(())
    }

    fn is_pipe(&self, ty: u32) -> bool {
        self.types.find(ty).is_some_and(|info| write_of(info).is_some())
    }

    fn uses_of_pipes(&self) -> Result<Uses> {
        let mut uses = Uses::default();
        let types: FxHashSet<u32> = self.types.ids().filter(|ty| self.is_pipe(*ty)).collect();
        for def in &self.functions {
            let params = def.params.iter().filter(|param| types.contains(&param.ty));
            uses.pipes.extend(params.map(|param| (param.result, param.ty)));
            for instruction in self.cursor.within(def.body.0, def.body.1) {
                let instruction = instruction?;
                uses.copy(&instruction, types.contains(&instruction.ty))?;
                if let Some(at) = pipe_operand(instruction.op) {
                    uses.found.entry(instruction.operand(at)?).or_insert(self.packets(&instruction)?);
                } else if instruction.op == Op::FunctionCall
                    && let Some(callee) = self.function_ids.get(&instruction.operand(0)?)
                    && let Some(callee) = self.functions.get(*callee)
                {
                    for (argument, param) in instruction.rest(1).iter().zip(&callee.params) {
                        uses.join(*argument, param.result);
                    }
                }
            }
        }
        Ok(uses)
    }

    /// Size and alignment of packets, the last two operands of an instruction on pipes.
    pub fn packets(&self, at: &Instruction<'_>) -> Result<Packets> {
        let number = |behind: usize| {
            let index = at.operands.len().checked_sub(behind).ok_or_else(|| at.invalid("too few operands"))?;
            let number = self.integer(at.operand(index)?).and_then(|number| u32::try_from(number).ok());
            number.ok_or_else(|| at.invalid("size or alignment of packets is not a constant"))
        };
        let (size, align) = (number(2)?, number(1)?);
        if size == 0 || size > MOST_BYTES || !align.is_power_of_two() || !size.is_multiple_of(align) {
            return Err(at.unsupported(format!("packets of {size} bytes that are aligned to {align}")));
        }
        Ok((size, align))
    }

    fn retype(&mut self, function: usize, found: &FxHashMap<u32, Packets>) {
        let Some(def) = self.functions.get_mut(function) else { return };
        for (param, ty) in def.params.iter_mut().zip(&mut def.param_types) {
            let Some(write) = self.types.find(*ty).and_then(write_of) else { continue };
            // No instruction names the parameter. If one has the pipe in another way, such as from a variable, it is rejected.
            let packets = found.get(&param.result).copied().unwrap_or((1, 1));
            *ty = self.types.add(handle(Kind::Value(pipe(packets, write))));
            param.ty = *ty;
            self.parameters.insert(param.result, *ty);
        }
    }
}

/// The type of pipes of such packets.
fn pipe((size, align): Packets, write: bool) -> Type {
    Type::scalar(ScalarType::Opaque(Opaque::Pipe { size, align, write }))
}

/// Most bytes of a packet, as in OpenCL C here.
const MOST_BYTES: u32 = 1 << 16;

/// Whether a pipe is written, if the type is one.
fn write_of(info: &TypeInfo) -> Option<bool> {
    match info.kind {
        Kind::Value(Type { scalar: ScalarType::Opaque(Opaque::Pipe { write, .. }), .. }) => Some(write),
        _ => None,
    }
}
