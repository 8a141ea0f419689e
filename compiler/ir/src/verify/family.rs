//! Operations on images, groups, pipes and events, and those that read what a device gives each work-item.

use super::*;
use clforge_basic::image::ImageShape;

const SAMPLER: Type = Type::scalar(ScalarType::Opaque(Opaque::Sampler));
const QUEUE: Type = Type::scalar(ScalarType::Opaque(Opaque::Queue));
const EVENT: Type = Type::scalar(ScalarType::Opaque(Opaque::ClkEvent));
const RESERVATION: Type = Type::scalar(ScalarType::Opaque(Opaque::ReserveId));
const GENERIC: Type = Type::ptr(Space::Generic);
const PRIVATE: Type = Type::ptr(Space::Private);
const BALLOT: Type = Type::vector(ScalarType::I32, 4);

impl Verifier<'_> {
    pub(super) fn family_operation(&self, op: &Op, found: &[Type]) -> Check {
        match op {
            Op::WorkItem { query, dim } => {
                operands(*dim < 3, "no such dimension")?;
                results(found, &[work_item_type(*query)])
            }
            Op::Input { dim, .. } => {
                operands(*dim < 3, "no such dimension")?;
                results(found, &[Type::I32])
            }
            Op::SpecConstant(_) => results(found, &[Type::I32]),
            Op::ReadClock(_) => results(found, &[Type::I64]),
            Op::Sampler(_) => results(found, &[SAMPLER]),
            Op::Resource { .. } => {
                let ty = only_result(found)?;
                let is_handle = matches!(ty.scalar, ScalarType::Opaque(Opaque::Image(_) | Opaque::Sampler));
                require(is_handle, Rule::Results, || "the resource is neither an image nor a sampler".into())
            }
            Op::Image { op, texel, image } => self.image(*op, *texel, *image, found),
            Op::Group { op, scope, .. } => self.group(*op, *scope, found),
            Op::Device(op) => self.device(*op, found),
            Op::Enqueue { op, kernel, block, local_sizes, .. } => {
                self.enqueue(*op, *kernel, *block, local_sizes)?;
                results(found, &[Type::I32])
            }
            op => violation(Rule::Operands, format!("not an operation of a family: {op:?}")),
        }
    }

    fn image(&self, op: ImageOp, texel: Texel, image: Value, found: &[Type]) -> Check {
        let ScalarType::Opaque(Opaque::Image(ImageType { shape, .. })) = self.ty(image).scalar else {
            return violation(Rule::Operands, "not an image");
        };
        self.descriptor(image)?;
        match op {
            ImageOp::Sample { sampler, coordinate } => {
                self.sampled(shape, sampler, coordinate)?;
                texel_result(texel, found, false)
            }
            ImageOp::SampleLod { sampler, coordinate, level } => {
                self.sampled(shape, sampler, coordinate)?;
                self.operand(level, Type::F32, "level of detail")?;
                texel_result(texel, found, false)
            }
            ImageOp::SampleGrad { sampler, coordinate, dx, dy } => {
                self.sampled(shape, sampler, coordinate)?;
                let exact = self.dialect.reached(Legalized::Images).then(|| shape.dimensions());
                self.coordinate(dx, &[ScalarType::F32], shape.dimensions(), exact)?;
                self.coordinate(dy, &[ScalarType::F32], shape.dimensions(), exact)?;
                texel_result(texel, found, false)
            }
            ImageOp::Read { coordinate } => {
                self.unsampled(shape, coordinate)?;
                texel_result(texel, found, shape.is_depth())
            }
            ImageOp::ReadSample { coordinate, sample } => {
                self.unsampled(shape, coordinate)?;
                self.operand(sample, Type::I32, "sample")?;
                texel_result(texel, found, shape.is_depth())
            }
            ImageOp::Write { coordinate, texel: value } => {
                self.unsampled(shape, coordinate)?;
                results(found, &[])?;
                self.texel(texel, value, shape.is_depth())
            }
            ImageOp::WriteLod { coordinate, level, texel: value } => {
                self.unsampled(shape, coordinate)?;
                self.operand(level, Type::I32, "level of detail")?;
                results(found, &[])?;
                self.texel(texel, value, shape.is_depth())
            }
            ImageOp::Size => results(found, &[Type::vector(ScalarType::I32, coordinate_lanes(shape))]),
            ImageOp::ChannelOrder | ImageOp::ChannelDataType | ImageOp::Levels | ImageOp::Samples => {
                results(found, &[Type::I32])
            }
        }
    }

    /// After legalisation a handle is a resource.
    fn descriptor(&self, handle: Value) -> Check {
        let is_resource = matches!(self.function.op(handle), Some(Op::Resource { .. }));
        require(is_resource || !self.dialect.reached(Legalized::Images), Rule::Dialect, || {
            "a handle that is not a resource".into()
        })
    }

    fn sampled(&self, shape: ImageShape, sampler: Value, coordinate: Value) -> Check {
        self.operand(sampler, SAMPLER, "sampler")?;
        self.descriptor(sampler)?;
        let lanes = coordinate_lanes(shape);
        match self.dialect.reached(Legalized::Images) {
            true => self.coordinate(coordinate, &[ScalarType::F32], lanes, Some(lanes)),
            false => self.coordinate(coordinate, &[ScalarType::F32, ScalarType::I32], lanes, None),
        }
    }

    fn unsampled(&self, shape: ImageShape, coordinate: Value) -> Check {
        let lanes = coordinate_lanes(shape);
        let exact = self.dialect.reached(Legalized::Images).then_some(lanes);
        self.coordinate(coordinate, &[ScalarType::I32], lanes, exact)
    }

    /// A coordinate has at least the image's lanes, after legalisation exactly those.
    fn coordinate(&self, value: Value, scalars: &[ScalarType], least: u8, exact: Option<u8>) -> Check {
        let ty = self.ty(value);
        let lanes = exact.map_or(ty.lanes >= least, |exact| ty.lanes == exact);
        require(lanes && scalars.contains(&ty.scalar), Rule::Operands, || format!("a coordinate of type {ty}"))
    }

    fn texel(&self, texel: Texel, value: Value, is_depth: bool) -> Check {
        let ty = self.ty(value);
        let lanes = ty.lanes == 4 || (is_depth && ty.lanes == 1);
        require(lanes && texel_scalar(texel) == Some(ty.scalar), Rule::Operands, || format!("a texel of type {ty}"))
    }

    fn group(&self, op: GroupOp, scope: Scope, found: &[Type]) -> Check {
        operands(matches!(scope, Scope::SubGroup | Scope::WorkGroup), "not the scope of a group")?;
        let of_work_groups = matches!(
            op,
            GroupOp::All { .. } | GroupOp::Any { .. } | GroupOp::Broadcast { .. } | GroupOp::Arithmetic { .. }
        );
        operands(scope == Scope::SubGroup || of_work_groups, "not an operation of work-groups")?;
        match op {
            GroupOp::All { predicate } | GroupOp::Any { predicate } => {
                self.operand(predicate, Type::BOOL, "predicate")?;
                results(found, &[Type::BOOL])
            }
            GroupOp::AllEqual { value } => {
                self.group_value(value)?;
                results(found, &[Type::BOOL])
            }
            GroupOp::Elect => results(found, &[Type::BOOL]),
            GroupOp::Broadcast { value, id } => {
                let ids = self.ty(id);
                let linear = ids == Type::I32 || (scope == Scope::WorkGroup && ids.scalar.is_int() && ids.lanes <= 3);
                operands(linear, "not the id of a work-item")?;
                self.exchanged(value, found)
            }
            GroupOp::BroadcastFirst { value } => self.exchanged(value, found),
            GroupOp::Ballot { predicate } => {
                self.operand(predicate, Type::BOOL, "predicate")?;
                results(found, &[BALLOT])
            }
            GroupOp::InverseBallot { ballot } => {
                self.operand(ballot, BALLOT, "ballot")?;
                results(found, &[Type::BOOL])
            }
            GroupOp::BallotBitExtract { ballot, id } => {
                self.operand(ballot, BALLOT, "ballot")?;
                self.operand(id, Type::I32, "id")?;
                results(found, &[Type::BOOL])
            }
            GroupOp::BallotBitCount { ballot, .. }
            | GroupOp::BallotFindLsb { ballot }
            | GroupOp::BallotFindMsb { ballot } => {
                self.operand(ballot, BALLOT, "ballot")?;
                results(found, &[Type::I32])
            }
            GroupOp::Shuffle { value, id: number }
            | GroupOp::ShuffleXor { value, mask: number }
            | GroupOp::ShuffleUp { value, delta: number }
            | GroupOp::ShuffleDown { value, delta: number }
            | GroupOp::Rotate { value, delta: number } => {
                self.operand(number, Type::I32, "second operand")?;
                self.exchanged(value, found)
            }
            GroupOp::ClusteredRotate { value, delta, cluster_size } => {
                self.operand(delta, Type::I32, "delta")?;
                self.cluster_size(cluster_size)?;
                self.exchanged(value, found)
            }
            GroupOp::Arithmetic { op, value, .. } => {
                self.group_arithmetic(op, value)?;
                self.exchanged(value, found)
            }
            GroupOp::ClusteredArithmetic { op, value, cluster_size } => {
                self.group_arithmetic(op, value)?;
                self.cluster_size(cluster_size)?;
                self.exchanged(value, found)
            }
        }
    }

    fn group_value(&self, value: Value) -> Check {
        let ty = self.ty(value);
        let scalar = ty.scalar.is_int() || ty.scalar.is_float() || ty.scalar == ScalarType::Bool;
        require(scalar && ty.lanes == 1, Rule::Operands, || format!("a value of type {ty}"))
    }

    /// A result of the type of the value.
    fn exchanged(&self, value: Value, found: &[Type]) -> Check {
        self.group_value(value)?;
        results(found, &[self.ty(value)])
    }

    fn cluster_size(&self, size: Value) -> Check {
        self.operand(size, Type::I32, "cluster size")?;
        let constant = self.function.as_int(size);
        operands(constant.is_some_and(u64::is_power_of_two), "the cluster size is not a constant power of two")
    }

    fn group_arithmetic(&self, op: GroupArithmetic, value: Value) -> Check {
        use GroupArithmetic::*;
        let scalar = self.ty(value).scalar;
        let good = match op {
            Add | Mul | SMin | SMax | UMin | UMax => scalar.is_int(),
            And | Or | Xor => scalar.is_int() || scalar == ScalarType::Bool,
            FAdd | FMul | FMin | FMax => scalar.is_float(),
        };
        require(good, Rule::Operands, || format!("{} of {}", op.text(), self.ty(value)))
    }

    fn device(&self, op: DeviceOp, found: &[Type]) -> Check {
        use DeviceOp as D;
        match op {
            D::ReadPipe { pipe, packet } | D::WritePipe { pipe, packet } => {
                self.pipe(pipe)?;
                self.operand(packet, GENERIC, "packet")?;
                results(found, &[Type::I32])
            }
            D::ReservedReadPipe { pipe, reservation, index, packet }
            | D::ReservedWritePipe { pipe, reservation, index, packet } => {
                self.pipe(pipe)?;
                self.operand(reservation, RESERVATION, "reservation")?;
                self.operand(index, Type::I32, "index")?;
                self.operand(packet, GENERIC, "packet")?;
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
                self.operand(destination, Type::ptr(Space::Global), "destination")?;
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
        self.operand(wait_list, GENERIC, "list of events")?;
        self.operand(event, GENERIC, "event to return")
    }

    fn range(&self, range: Value, numbers: [Value; 3], in_memory: bool) -> Check {
        self.operand(range, PRIVATE, "range")?;
        for number in numbers {
            let ty = self.ty(number);
            let good = if in_memory { ty.space().is_some() } else { ty == Type::I64 };
            require(good, Rule::Operands, || format!("a size or an offset of type {ty}"))?;
        }
        Ok(())
    }

    fn enqueue(&self, op: EnqueueOp, kernel: FunctionId, block: Value, local_sizes: &[Value]) -> Check {
        let Some(kernel) = self.module.functions.get(kernel) else {
            return violation(Rule::Operands, "there is no such kernel");
        };
        let object = kernel.params.first().map(|param| kernel.ty(*param));
        operands(kernel.kernel.is_some() && object == Some(GENERIC), "not the kernel of a block")?;
        self.operand(block, GENERIC, "object of the block")?;
        let sizes = match op {
            EnqueueOp::Kernel { queue, flags, range, event_count, wait_list, event } => {
                self.operand(queue, QUEUE, "queue")?;
                self.operand(flags, Type::I32, "flags")?;
                self.operand(range, PRIVATE, "range")?;
                self.event_lists(event_count, wait_list, event)?;
                kernel.params.len().saturating_sub(1)
            }
            EnqueueOp::NdRangeSubGroupCount { range } | EnqueueOp::NdRangeMaxSubGroupSize { range } => {
                self.operand(range, PRIVATE, "range")?;
                0
            }
            EnqueueOp::WorkGroupSize | EnqueueOp::PreferredWorkGroupSizeMultiple => 0,
        };
        operands(local_sizes.len() == sizes, "not a size for each local pointer")?;
        local_sizes.iter().try_for_each(|size| self.operand(*size, PRIVATE, "size of local memory"))
    }
}

/// Lanes of a coordinate: the image's dimensions, and the layer of an array.
fn coordinate_lanes(shape: ImageShape) -> u8 {
    shape.dimensions() + u8::from(shape.is_array())
}

fn texel_scalar(texel: Texel) -> Option<ScalarType> {
    match texel {
        Texel::None => None,
        Texel::F32 => Some(ScalarType::F32),
        Texel::F16 => Some(ScalarType::F16),
        Texel::Signed | Texel::Unsigned => Some(ScalarType::I32),
    }
}

/// The result of a read: four lanes, or one of an unsampled depth image.
fn texel_result(texel: Texel, found: &[Type], is_depth: bool) -> Check {
    let ty = only_result(found)?;
    let lanes = ty.lanes == 4 || (is_depth && ty.lanes == 1);
    require(lanes && texel_scalar(texel) == Some(ty.scalar), Rule::Results, || format!("a texel of type {ty}"))
}

fn work_item_type(query: WorkItemQuery) -> Type {
    use WorkItemQuery::*;
    match query {
        GlobalId | GlobalSize | GlobalOffset | LocalId | LocalSize | EnqueuedLocalSize | GroupId | NumGroups
        | GlobalLinearId | LocalLinearId => Type::I64,
        WorkDim | SubGroupSize | MaxSubGroupSize | NumSubGroups | EnqueuedNumSubGroups | SubGroupId
        | SubGroupLocalId => Type::I32,
    }
}
