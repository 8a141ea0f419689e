//! Operations on pipes and reservations.

use super::FunctionReader;
use crate::decode::Instruction;
use crate::error::Result;
use crate::tables::pipe_operand;
use clforge_ir::{DeviceOp, Op as Inst, Opaque, ScalarType, Scope, Space, Type, Value};
use rspirv::spirv::Op;

/// Whether an instruction is read here.
pub fn is_pipe(op: Op) -> bool {
    pipe_operand(op).is_some() || op == Op::IsValidReserveId
}

const RESERVATION: Type = Type::scalar(ScalarType::Opaque(Opaque::ReserveId));

impl<'w> FunctionReader<'_, '_, 'w, '_> {
    /// An instruction of this file.
    pub fn pipe(&mut self, at: &Instruction<'w>) -> Result<()> {
        let op = self.pipe_op(at)?;
        let ty = match op {
            DeviceOp::IsValidReserveId { .. } => Type::BOOL,
            DeviceOp::ReserveRead { .. }
            | DeviceOp::ReserveWrite { .. }
            | DeviceOp::WorkGroupReserveRead { .. }
            | DeviceOp::WorkGroupReserveWrite { .. }
            | DeviceOp::SubGroupReserveRead { .. }
            | DeviceOp::SubGroupReserveWrite { .. } => RESERVATION,
            DeviceOp::CommitRead { .. }
            | DeviceOp::CommitWrite { .. }
            | DeviceOp::WorkGroupCommitRead { .. }
            | DeviceOp::WorkGroupCommitWrite { .. }
            | DeviceOp::SubGroupCommitRead { .. }
            | DeviceOp::SubGroupCommitWrite { .. } => {
                self.b.effect(Inst::Device(op));
                return Ok(());
            }
            _ => Type::I32,
        };
        let value = self.b.emit(Inst::Device(op), ty);
        self.define_value(at, value)
    }

    fn pipe_op(&mut self, at: &Instruction<'w>) -> Result<DeviceOp> {
        use DeviceOp as D;
        let Some(first) = pipe_operand(at.op) else {
            return Ok(D::IsValidReserveId { reservation: self.operand_of(at, 0, RESERVATION)? });
        };
        let pipe = self.pipe_value(at, first)?;
        let generic = Type::ptr(Space::Generic);
        Ok(match at.op {
            Op::ReadPipe => D::ReadPipe { pipe, packet: self.operand_of(at, 1, generic)? },
            Op::WritePipe => D::WritePipe { pipe, packet: self.operand_of(at, 1, generic)? },
            Op::ReservedReadPipe | Op::ReservedWritePipe => {
                let reservation = self.operand_of(at, 1, RESERVATION)?;
                let (index, packet) = (self.operand_of(at, 2, Type::I32)?, self.operand_of(at, 3, generic)?);
                match at.op {
                    Op::ReservedReadPipe => D::ReservedReadPipe { pipe, reservation, index, packet },
                    _ => D::ReservedWritePipe { pipe, reservation, index, packet },
                }
            }
            Op::GetNumPipePackets => D::PipePackets { pipe },
            Op::GetMaxPipePackets => D::PipeMaxPackets { pipe },
            Op::CommitReadPipe => D::CommitRead { pipe, reservation: self.operand_of(at, 1, RESERVATION)? },
            Op::CommitWritePipe => D::CommitWrite { pipe, reservation: self.operand_of(at, 1, RESERVATION)? },
            Op::ReserveReadPipePackets => D::ReserveRead { pipe, packets: self.operand_of(at, 1, Type::I32)? },
            Op::ReserveWritePipePackets => D::ReserveWrite { pipe, packets: self.operand_of(at, 1, Type::I32)? },
            _ => return self.pipe_op_of_group(at, pipe),
        })
    }

    fn pipe_op_of_group(&mut self, at: &Instruction<'w>, pipe: Value) -> Result<DeviceOp> {
        use DeviceOp as D;
        let in_work_group = match self.scope(at, 0)? {
            Scope::WorkGroup => true,
            Scope::SubGroup => false,
            _ => return Err(at.unsupported("an operation of neither a work-group nor a sub-group")),
        };
        let commits = matches!(at.op, Op::GroupCommitReadPipe | Op::GroupCommitWritePipe);
        let second = self.operand_of(at, 2, if commits { RESERVATION } else { Type::I32 })?;
        Ok(match (at.op, in_work_group) {
            (Op::GroupReserveReadPipePackets, true) => D::WorkGroupReserveRead { pipe, packets: second },
            (Op::GroupReserveReadPipePackets, false) => D::SubGroupReserveRead { pipe, packets: second },
            (Op::GroupReserveWritePipePackets, true) => D::WorkGroupReserveWrite { pipe, packets: second },
            (Op::GroupReserveWritePipePackets, false) => D::SubGroupReserveWrite { pipe, packets: second },
            (Op::GroupCommitReadPipe, true) => D::WorkGroupCommitRead { pipe, reservation: second },
            (Op::GroupCommitReadPipe, false) => D::SubGroupCommitRead { pipe, reservation: second },
            (_, true) => D::WorkGroupCommitWrite { pipe, reservation: second },
            (_, false) => D::SubGroupCommitWrite { pipe, reservation: second },
        })
    }

    /// A pipe, which instructions read or write as its type allows.
    fn pipe_value(&mut self, at: &Instruction<'w>, index: usize) -> Result<Value> {
        let pipe = self.operand(at, index)?;
        let writes = match at.op {
            Op::WritePipe | Op::ReservedWritePipe | Op::ReserveWritePipePackets | Op::CommitWritePipe => Some(true),
            Op::GroupReserveWritePipePackets | Op::GroupCommitWritePipe => Some(true),
            Op::GetNumPipePackets | Op::GetMaxPipePackets => None,
            _ => Some(false),
        };
        let packets = self.m.tables.packets(at)?;
        match self.b.ty(pipe).scalar {
            _ if self.b.function.as_constant(pipe).is_some() => Err(at.invalid("a pipe that is a constant")),
            ScalarType::Opaque(Opaque::Pipe { size, align, write }) if writes.is_none_or(|writes| writes == write) => {
                if (size, align) != packets {
                    let what = "a pipe that is no parameter, or has packets of several sizes";
                    return Err(at.unsupported(what));
                }
                Ok(pipe)
            }
            _ => Err(at.invalid("an operand that is no pipe of this access")),
        }
    }
}
