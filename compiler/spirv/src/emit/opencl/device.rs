//! Pipes, and kernels enqueued on the device.
//!
//! The operands have the form that LLVM's SPIR-V translator reads, on which all known consumers are built: an ND-range is
//! passed by its address, and each size of local memory too.

use super::{OpenCl, class};
use crate::emit::common::{FunctionEmitter, ModuleBuilder};
use clforge_ir::*;
use rspirv::dr::Operand;
use rspirv::spirv::{self, Capability, Word};

/// The type of ND-ranges: the number of dimensions, and three numbers each for the global size, the local size and the offset.
pub fn range_type(m: &mut ModuleBuilder) -> Word {
    m.capability(Capability::DeviceEnqueue);
    let (int, long) = (m.u32(), m.scalar(ScalarType::I64));
    let three = m.constant_u32(3);
    let sizes = m.array(long, three, None);
    m.shared_struct(&[int, sizes, sizes, sizes])
}

/// Whether the first operand is a pipe, whose packets' size and alignment are the last two, and the scope of an
/// operation of a group.
fn pipe_op(op: DeviceOp) -> Option<(spirv::Op, Option<spirv::Scope>)> {
    use DeviceOp as D;
    use spirv::Op as S;
    let (group, sub_group) = (Some(spirv::Scope::Workgroup), Some(spirv::Scope::Subgroup));
    Some(match op {
        D::ReadPipe { .. } => (S::ReadPipe, None),
        D::WritePipe { .. } => (S::WritePipe, None),
        D::ReservedReadPipe { .. } => (S::ReservedReadPipe, None),
        D::ReservedWritePipe { .. } => (S::ReservedWritePipe, None),
        D::ReserveRead { .. } => (S::ReserveReadPipePackets, None),
        D::ReserveWrite { .. } => (S::ReserveWritePipePackets, None),
        D::WorkGroupReserveRead { .. } => (S::GroupReserveReadPipePackets, group),
        D::WorkGroupReserveWrite { .. } => (S::GroupReserveWritePipePackets, group),
        D::SubGroupReserveRead { .. } => (S::GroupReserveReadPipePackets, sub_group),
        D::SubGroupReserveWrite { .. } => (S::GroupReserveWritePipePackets, sub_group),
        D::CommitRead { .. } => (S::CommitReadPipe, None),
        D::CommitWrite { .. } => (S::CommitWritePipe, None),
        D::WorkGroupCommitRead { .. } => (S::GroupCommitReadPipe, group),
        D::WorkGroupCommitWrite { .. } => (S::GroupCommitWritePipe, group),
        D::SubGroupCommitRead { .. } => (S::GroupCommitReadPipe, sub_group),
        D::SubGroupCommitWrite { .. } => (S::GroupCommitWritePipe, sub_group),
        D::PipePackets { .. } => (S::GetNumPipePackets, None),
        D::PipeMaxPackets { .. } => (S::GetMaxPipePackets, None),
        _ => return None,
    })
}

fn event_op(op: DeviceOp) -> Option<spirv::Op> {
    use DeviceOp as D;
    Some(match op {
        D::EnqueueMarker { .. } => spirv::Op::EnqueueMarker,
        D::RetainEvent { .. } => spirv::Op::RetainEvent,
        D::ReleaseEvent { .. } => spirv::Op::ReleaseEvent,
        D::CreateUserEvent => spirv::Op::CreateUserEvent,
        D::IsValidEvent { .. } => spirv::Op::IsValidEvent,
        D::SetUserEventStatus { .. } => spirv::Op::SetUserEventStatus,
        D::CaptureEventProfilingInfo { .. } => spirv::Op::CaptureEventProfilingInfo,
        D::DefaultQueue => spirv::Op::GetDefaultQueue,
        _ => return None,
    })
}

impl OpenCl<'_> {
    /// An operation on pipes, events, queues or ranges.
    pub fn device(&mut self, f: &mut FunctionEmitter<'_>, op: DeviceOp, inst: &Inst) -> Result<(), Error> {
        if let Some((opcode, scope)) = pipe_op(op) {
            return self.pipe(f, op, opcode, scope, inst);
        }
        let (range, numbers, dimensions) = match op {
            DeviceOp::IsValidReserveId { reservation } => {
                f.m.capability(Capability::Pipes);
                let ids = vec![f.id(self, reservation)];
                return self.emit_device(f, spirv::Op::IsValidReserveId, ids, inst);
            }
            DeviceOp::NdRange1 { range, global_size, local_size, offset } => {
                (range, [global_size, local_size, offset], None)
            }
            DeviceOp::NdRange2 { range, global_size, local_size, offset } => {
                (range, [global_size, local_size, offset], Some(2))
            }
            DeviceOp::NdRange3 { range, global_size, local_size, offset } => {
                (range, [global_size, local_size, offset], Some(3))
            }
            _ => return self.event(f, op, inst),
        };
        f.m.capability(Capability::DeviceEnqueue);
        let mut operands = Vec::with_capacity(numbers.len());
        for number in numbers {
            operands.push(Operand::IdRef(match dimensions {
                None => f.id(self, number),
                Some(count) => self.sizes(f, number, count)?,
            }));
        }
        // The place must be known before the range is made: consumers make a call of both that writes through it.
        let range_type = range_type(f.m);
        let pointer = self.pointer_to(f, range, range_type)?;
        let value = f.push(spirv::Op::BuildNDRange, range_type, operands)?;
        let aligned = [Operand::MemoryAccess(spirv::MemoryAccess::ALIGNED), Operand::LiteralBit32(8)];
        f.effect(spirv::Op::Store, [pointer, value].map(Operand::IdRef).into_iter().chain(aligned).collect())
    }

    /// An operation whose first operand is a pipe.
    fn pipe(
        &mut self,
        f: &mut FunctionEmitter<'_>,
        op: DeviceOp,
        opcode: spirv::Op,
        scope: Option<spirv::Scope>,
        inst: &Inst,
    ) -> Result<(), Error> {
        f.m.capability(Capability::Pipes);
        let operands = op.operands();
        let mut ids = Vec::with_capacity(operands.len() + 3);
        ids.extend(scope.map(|scope| f.m.constant_u32(scope as u32)));
        ids.extend(operands.iter().map(|operand| f.id(self, *operand)));
        let pipe = operands.first().map(|pipe| f.function.ty(*pipe).scalar);
        let Some(ScalarType::Opaque(Opaque::Pipe { size, align, .. })) = pipe else {
            return Err(Error::internal("not a pipe"));
        };
        ids.extend([size, align].map(|bytes| f.m.constant_u32(bytes)));
        self.emit_device(f, opcode, ids, inst)
    }

    /// An operation on events or queues.
    fn event(&mut self, f: &mut FunctionEmitter<'_>, op: DeviceOp, inst: &Inst) -> Result<(), Error> {
        f.m.capability(Capability::DeviceEnqueue);
        let opcode = event_op(op).or_internal("not an operation on events")?;
        let ids = match op {
            DeviceOp::EnqueueMarker { queue, event_count, wait_list, event } => {
                let (queue, event_count) = (f.id(self, queue), f.id(self, event_count));
                vec![queue, event_count, self.events(f, wait_list)?, self.events(f, event)?]
            }
            _ => op.operands().iter().map(|operand| f.id(self, *operand)).collect(),
        };
        self.emit_device(f, opcode, ids, inst)
    }

    fn emit_device(
        &mut self,
        f: &mut FunctionEmitter<'_>,
        op: spirv::Op,
        ids: Vec<Word>,
        inst: &Inst,
    ) -> Result<(), Error> {
        match inst.results.first() {
            Some(result) => f.define(self, *result, op, &ids),
            None => f.effect(op, ids.into_iter().map(Operand::IdRef).collect()),
        }
    }

    /// Two or three sizes of a range from memory; zeros for null.
    fn sizes(&mut self, f: &mut FunctionEmitter<'_>, ptr: Value, count: u32) -> Result<Word, Error> {
        let long = f.m.scalar(ScalarType::I64);
        let length = f.m.constant_u32(count);
        let array = f.m.array(long, length, None);
        if f.function.as_int(ptr) == Some(0) {
            return Ok(f.m.global(spirv::Op::ConstantNull, Some(array), vec![]));
        }
        let pointer = self.pointer_to(f, ptr, array)?;
        let aligned = [Operand::MemoryAccess(spirv::MemoryAccess::ALIGNED), Operand::LiteralBit32(8)];
        let operands = [Operand::IdRef(pointer)].into_iter().chain(aligned).collect();
        f.push(spirv::Op::Load, array, operands)
    }

    /// A pointer to events.
    fn events(&mut self, f: &mut FunctionEmitter<'_>, ptr: Value) -> Result<Word, Error> {
        let event = f.m.handle(spirv::Op::TypeDeviceEvent);
        self.pointer_to(f, ptr, event)
    }

    /// A pointer to a range.
    fn range(&mut self, f: &mut FunctionEmitter<'_>, ptr: Value) -> Result<Word, Error> {
        let range = range_type(f.m);
        self.pointer_to(f, ptr, range)
    }

    /// A pointer cast to a pointer to a type. A constant null is not cast, so that consumers recognise it.
    fn pointer_to(&mut self, f: &mut FunctionEmitter<'_>, ptr: Value, ty: Word) -> Result<Word, Error> {
        let space = f.function.ty(ptr).space().or_internal("a pointer was expected")?;
        let pointer = f.m.pointer(class(space), ty);
        if f.function.as_int(ptr) == Some(0) {
            return Ok(f.m.global(spirv::Op::ConstantNull, Some(pointer), vec![]));
        }
        let ptr = f.id(self, ptr);
        f.push(spirv::Op::Bitcast, pointer, vec![Operand::IdRef(ptr)])
    }

    /// An operation on the kernel of a block.
    pub fn enqueue(&mut self, f: &mut FunctionEmitter<'_>, inst: &Inst) -> Result<(), Error> {
        let Op::Enqueue { op, kernel, block, local_sizes, size, align } = &inst.op else {
            return Err(Error::internal("nothing is enqueued"));
        };
        f.m.capability(Capability::DeviceEnqueue);
        let kernel = *f.functions.get(*kernel).or_internal("no such kernel")?;
        let (opcode, mut ids) = match *op {
            EnqueueOp::Kernel { queue, flags, range, event_count, wait_list, event } => {
                let (queue, flags) = (f.id(self, queue), f.id(self, flags));
                let range = self.range(f, range)?;
                let event_count = f.id(self, event_count);
                let (wait_list, event) = (self.events(f, wait_list)?, self.events(f, event)?);
                (spirv::Op::EnqueueKernel, vec![queue, flags, range, event_count, wait_list, event])
            }
            EnqueueOp::WorkGroupSize => (spirv::Op::GetKernelWorkGroupSize, vec![]),
            EnqueueOp::PreferredWorkGroupSizeMultiple => (spirv::Op::GetKernelPreferredWorkGroupSizeMultiple, vec![]),
            EnqueueOp::NdRangeSubGroupCount { range } => {
                (spirv::Op::GetKernelNDrangeSubGroupCount, vec![self.range(f, range)?])
            }
            EnqueueOp::NdRangeMaxSubGroupSize { range } => {
                (spirv::Op::GetKernelNDrangeMaxSubGroupSize, vec![self.range(f, range)?])
            }
            EnqueueOp::LocalSizeForSubGroups { count } => {
                f.m.capability(Capability::SubgroupDispatch);
                (spirv::Op::GetKernelLocalSizeForSubgroupCount, vec![f.id(self, count)])
            }
            EnqueueOp::MaxSubGroups => {
                f.m.capability(Capability::SubgroupDispatch);
                (spirv::Op::GetKernelMaxNumSubgroups, vec![])
            }
        };
        ids.extend([kernel, f.id(self, *block)]);
        ids.extend([*size, *align].map(|bytes| f.m.constant_u32(bytes)));
        let long = f.m.scalar(ScalarType::I64);
        for size in local_sizes {
            ids.push(self.pointer_to(f, *size, long)?);
        }
        self.emit_device(f, opcode, ids, inst)
    }
}
