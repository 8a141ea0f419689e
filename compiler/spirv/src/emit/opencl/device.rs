//! Pipes, and kernels enqueued on the device.
//!
//! The operands are those of the SPIR-V translator of LLVM, which the consumers are made of: a range is passed by its
//! address, and of the sizes of local memory the address of each.

use super::{OpenCl, class};
use crate::emit::common::{FunctionEmitter, ModuleBuilder};
use clforge_ir::*;
use rspirv::dr::Operand;
use rspirv::spirv::{self, Capability, Word};

/// The type of ranges: dimensions, and three numbers each for the global size, the work-group's and the offset.
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
        D::ReadPipe => (S::ReadPipe, None),
        D::WritePipe => (S::WritePipe, None),
        D::ReservedReadPipe => (S::ReservedReadPipe, None),
        D::ReservedWritePipe => (S::ReservedWritePipe, None),
        D::ReserveRead => (S::ReserveReadPipePackets, None),
        D::ReserveWrite => (S::ReserveWritePipePackets, None),
        D::WorkGroupReserveRead => (S::GroupReserveReadPipePackets, group),
        D::WorkGroupReserveWrite => (S::GroupReserveWritePipePackets, group),
        D::SubGroupReserveRead => (S::GroupReserveReadPipePackets, sub_group),
        D::SubGroupReserveWrite => (S::GroupReserveWritePipePackets, sub_group),
        D::CommitRead => (S::CommitReadPipe, None),
        D::CommitWrite => (S::CommitWritePipe, None),
        D::WorkGroupCommitRead => (S::GroupCommitReadPipe, group),
        D::WorkGroupCommitWrite => (S::GroupCommitWritePipe, group),
        D::SubGroupCommitRead => (S::GroupCommitReadPipe, sub_group),
        D::SubGroupCommitWrite => (S::GroupCommitWritePipe, sub_group),
        D::PipePackets => (S::GetNumPipePackets, None),
        D::PipeMaxPackets => (S::GetMaxPipePackets, None),
        _ => return None,
    })
}

fn event_op(op: DeviceOp) -> Option<spirv::Op> {
    use DeviceOp as D;
    Some(match op {
        D::EnqueueMarker => spirv::Op::EnqueueMarker,
        D::RetainEvent => spirv::Op::RetainEvent,
        D::ReleaseEvent => spirv::Op::ReleaseEvent,
        D::CreateUserEvent => spirv::Op::CreateUserEvent,
        D::IsValidEvent => spirv::Op::IsValidEvent,
        D::SetUserEventStatus => spirv::Op::SetUserEventStatus,
        D::CaptureEventProfilingInfo => spirv::Op::CaptureEventProfilingInfo,
        D::DefaultQueue => spirv::Op::GetDefaultQueue,
        _ => return None,
    })
}

impl OpenCl<'_> {
    /// An operation on pipes, events, queues or ranges.
    pub fn device(
        &mut self,
        f: &mut FunctionEmitter<'_>,
        op: DeviceOp,
        args: &[Value],
        inst: &Inst,
    ) -> Result<(), Error> {
        if let Some((op, scope)) = pipe_op(op) {
            f.m.capability(Capability::Pipes);
            let mut ids = Vec::with_capacity(args.len() + 3);
            ids.extend(scope.map(|scope| f.m.constant_u32(scope as u32)));
            ids.extend(args.iter().map(|arg| f.id(self, *arg)));
            let pipe = args.first().map(|pipe| f.function.ty(*pipe).scalar);
            let Some(ScalarType::Opaque(Opaque::Pipe { size, align, .. })) = pipe else {
                return Err(Error::internal("not a pipe"));
            };
            ids.extend([size, align].map(|bytes| f.m.constant_u32(bytes)));
            return self.emit_device(f, op, ids, inst);
        }
        if op == DeviceOp::IsValidReserveId {
            f.m.capability(Capability::Pipes);
            let ids = args.iter().map(|arg| f.id(self, *arg)).collect();
            return self.emit_device(f, spirv::Op::IsValidReserveId, ids, inst);
        }
        f.m.capability(Capability::DeviceEnqueue);
        if let Some(op) = event_op(op) {
            let mut ids = Vec::with_capacity(args.len());
            for arg in args {
                let events = op == spirv::Op::EnqueueMarker && f.function.ty(*arg).space().is_some();
                ids.push(if events { self.events(f, *arg)? } else { f.id(self, *arg) });
            }
            return self.emit_device(f, op, ids, inst);
        }
        let dimensions = match op {
            DeviceOp::NdRange1 => None,
            DeviceOp::NdRange2 => Some(2),
            _ => Some(3),
        };
        let (place, numbers) = args.split_first().or_internal("a range without an object to write it to")?;
        let mut operands = Vec::with_capacity(numbers.len());
        for number in numbers {
            operands.push(Operand::IdRef(match dimensions {
                None => f.id(self, *number),
                Some(count) => self.sizes(f, *number, count)?,
            }));
        }
        // The place must be known before the range is made: consumers make a call of both that writes through it.
        let range = range_type(f.m);
        let pointer = self.pointer_to(f, *place, range)?;
        let value = f.push(spirv::Op::BuildNDRange, range, operands)?;
        let aligned = [Operand::MemoryAccess(spirv::MemoryAccess::ALIGNED), Operand::LiteralBit32(8)];
        f.effect(spirv::Op::Store, [pointer, value].map(Operand::IdRef).into_iter().chain(aligned).collect())
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

    /// A pointer as one to a type; a constant null stays one, which is how consumers tell that there is nothing.
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
        let Op::Enqueue { op, kernel, size, align, args } = &inst.op else {
            return Err(Error::internal("not an 'enqueue'"));
        };
        f.m.capability(Capability::DeviceEnqueue);
        let kernel = *f.functions.get(kernel.0 as usize).or_internal("no such kernel")?;
        let (count, opcode) = match op {
            EnqueueOp::Kernel => (6, spirv::Op::EnqueueKernel),
            EnqueueOp::WorkGroupSize => (0, spirv::Op::GetKernelWorkGroupSize),
            EnqueueOp::PreferredWorkGroupSizeMultiple => (0, spirv::Op::GetKernelPreferredWorkGroupSizeMultiple),
            EnqueueOp::NdRangeSubGroupCount => (1, spirv::Op::GetKernelNDrangeSubGroupCount),
            EnqueueOp::NdRangeMaxSubGroupSize => (1, spirv::Op::GetKernelNDrangeMaxSubGroupSize),
        };
        let (before, rest) = args.split_at_checked(count).or_internal("an 'enqueue' with too few operands")?;
        let (object, sizes) = rest.split_first().or_internal("a block without its object")?;
        let mut ids = Vec::with_capacity(args.len() + 3);
        for arg in before {
            let id = match f.function.ty(*arg).space() {
                Some(Space::Private) => {
                    let range = range_type(f.m);
                    self.pointer_to(f, *arg, range)?
                }
                Some(_) => self.events(f, *arg)?,
                None => f.id(self, *arg),
            };
            ids.push(id);
        }
        ids.extend([kernel, f.id(self, *object)]);
        ids.extend([*size, *align].map(|bytes| f.m.constant_u32(bytes)));
        let long = f.m.scalar(ScalarType::I64);
        for size in sizes {
            ids.push(self.pointer_to(f, *size, long)?);
        }
        self.emit_device(f, opcode, ids, inst)
    }
}
