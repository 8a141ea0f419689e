//! Pipes, events, and enqueued kernels.

use super::*;

const QUEUE: Type = Type::scalar(ScalarType::Opaque(Opaque::Queue));
const EVENT: Type = Type::scalar(ScalarType::Opaque(Opaque::ClkEvent));
const RESERVATION: Type = Type::scalar(ScalarType::Opaque(Opaque::ReserveId));

impl Verifier<'_> {
    pub(super) fn device(&self, op: DeviceOp, found: &[Type]) -> Check {
        use DeviceOp as D;
        match op {
            D::ReadPipe { pipe, packet } | D::WritePipe { pipe, packet } => {
                self.pipe(pipe)?;
                self.pointer_operand(packet, Space::Generic, "packet")?;
                results(found, &[Type::I32])
            }
            D::ReservedReadPipe { pipe, reservation, index, packet }
            | D::ReservedWritePipe { pipe, reservation, index, packet } => {
                self.pipe(pipe)?;
                self.operand(reservation, RESERVATION, "reservation")?;
                self.operand(index, Type::I32, "index")?;
                self.pointer_operand(packet, Space::Generic, "packet")?;
                results(found, &[Type::I32])
            }
            D::ReserveRead { pipe, packets }
            | D::ReserveWrite { pipe, packets }
            | D::WorkGroupReserveRead { pipe, packets }
            | D::WorkGroupReserveWrite { pipe, packets }
            | D::SubGroupReserveRead { pipe, packets }
            | D::SubGroupReserveWrite { pipe, packets } => {
                self.pipe(pipe)?;
                self.operand(packets, Type::I32, "number of packets")?;
                results(found, &[RESERVATION])
            }
            D::CommitRead { pipe, reservation }
            | D::CommitWrite { pipe, reservation }
            | D::WorkGroupCommitRead { pipe, reservation }
            | D::WorkGroupCommitWrite { pipe, reservation }
            | D::SubGroupCommitRead { pipe, reservation }
            | D::SubGroupCommitWrite { pipe, reservation } => {
                self.pipe(pipe)?;
                self.operand(reservation, RESERVATION, "reservation")?;
                results(found, &[])
            }
            D::PipePackets { pipe } | D::PipeMaxPackets { pipe } => {
                self.pipe(pipe)?;
                results(found, &[Type::I32])
            }
            D::IsValidReserveId { reservation } => {
                self.operand(reservation, RESERVATION, "reservation")?;
                results(found, &[Type::BOOL])
            }
            D::NdRange1 { range, global_size, local_size, offset } => {
                self.range(range, [global_size, local_size, offset], false)?;
                results(found, &[])
            }
            D::NdRange2 { range, global_size, local_size, offset }
            | D::NdRange3 { range, global_size, local_size, offset } => {
                self.range(range, [global_size, local_size, offset], true)?;
                results(found, &[])
            }
            D::EnqueueMarker { .. }
            | D::RetainEvent { .. }
            | D::ReleaseEvent { .. }
            | D::CreateUserEvent
            | D::IsValidEvent { .. }
            | D::SetUserEventStatus { .. }
            | D::CaptureEventProfilingInfo { .. }
            | D::DefaultQueue => self.events(op, found),
        }
    }

    /// Operations on events and queues.
    fn events(&self, op: DeviceOp, found: &[Type]) -> Check {
        use DeviceOp as D;
        match op {
            D::EnqueueMarker { queue, event_count, wait_list, event } => {
                self.operand(queue, QUEUE, "queue")?;
                self.event_lists(event_count, wait_list, event)?;
                results(found, &[Type::I32])
            }
            D::RetainEvent { event } | D::ReleaseEvent { event } => {
                self.operand(event, EVENT, "event")?;
                results(found, &[])
            }
            D::CreateUserEvent => results(found, &[EVENT]),
            D::IsValidEvent { event } => {
                self.operand(event, EVENT, "event")?;
                results(found, &[Type::BOOL])
            }
            D::SetUserEventStatus { event, status } => {
                self.operand(event, EVENT, "event")?;
                self.operand(status, Type::I32, "status")?;
                results(found, &[])
            }
            D::CaptureEventProfilingInfo { event, info, destination } => {
                self.operand(event, EVENT, "event")?;
                self.operand(info, Type::I32, "kind of information")?;
                self.pointer_operand(destination, Space::Global, "destination")?;
                results(found, &[])
            }
            D::DefaultQueue => results(found, &[QUEUE]),
            op => violation(Rule::Operands, format!("not an operation on events: {op}")),
        }
    }

    fn pipe(&self, pipe: Value) -> Check {
        operands(matches!(self.ty(pipe).scalar, ScalarType::Opaque(Opaque::Pipe { .. })), "not a pipe")
    }

    fn event_lists(&self, event_count: Value, wait_list: Value, event: Value) -> Check {
        self.operand(event_count, Type::I32, "number of events")?;
        self.pointer_operand(wait_list, Space::Generic, "list of events")?;
        self.pointer_operand(event, Space::Generic, "event to return")
    }

    fn range(&self, range: Value, numbers: [Value; 3], in_memory: bool) -> Check {
        self.pointer_operand(range, Space::Private, "range")?;
        for number in numbers {
            let ty = self.ty(number);
            let good = if in_memory { ty.space().is_some() } else { ty == Type::I64 };
            require(good, Rule::Operands, || format!("a size or an offset of type {ty}"))?;
        }
        Ok(())
    }

    pub(super) fn enqueue(&self, op: EnqueueOp, kernel: FunctionId, block: Value, local_sizes: &[Value]) -> Check {
        let Some(kernel) = self.module.functions.get(kernel) else {
            return violation(Rule::Operands, "there is no such kernel");
        };
        let object = kernel.params.first().map(|param| kernel.ty(*param));
        operands(kernel.kernel.is_some() && object.is_some_and(Type::is_generic), "not the kernel of a block")?;
        self.pointer_operand(block, Space::Generic, "object of the block")?;
        let sizes = match op {
            EnqueueOp::Kernel { queue, flags, range, event_count, wait_list, event } => {
                self.operand(queue, QUEUE, "queue")?;
                self.operand(flags, Type::I32, "flags")?;
                self.pointer_operand(range, Space::Private, "range")?;
                self.event_lists(event_count, wait_list, event)?;
                kernel.params.len().saturating_sub(1)
            }
            EnqueueOp::NdRangeSubGroupCount { range } | EnqueueOp::NdRangeMaxSubGroupSize { range } => {
                self.pointer_operand(range, Space::Private, "range")?;
                0
            }
            EnqueueOp::LocalSizeForSubGroups { count } => {
                self.operand(count, Type::I32, "number of sub-groups")?;
                0
            }
            EnqueueOp::WorkGroupSize | EnqueueOp::PreferredWorkGroupSizeMultiple | EnqueueOp::MaxSubGroups => 0,
        };
        operands(local_sizes.len() == sizes, "not a size for each local pointer")?;
        local_sizes.iter().try_for_each(|size| self.pointer_operand(*size, Space::Private, "size of local memory"))
    }
}
