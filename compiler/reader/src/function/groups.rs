//! Operations of groups of work-items, built-in variables, and copies by work-groups.

use super::FunctionReader;
use crate::decode::Instruction;
use crate::error::Result;
use crate::types::Kind;
use clforge_ir::{
    GroupArithmetic, GroupExtent, GroupOp, Op as Inst, Opaque, ScalarType, Scope, Space, Type, Value, WorkItemQuery,
};
use rspirv::spirv::{BuiltIn, GroupOperation, Op};

/// Whether an instruction is read here.
pub fn is_group(op: Op) -> bool {
    arithmetic(op).is_some()
        || plain(op, None, None).is_some()
        || matches!(op, Op::GroupNonUniformElect | Op::GroupNonUniformBallotBitCount | Op::ReadClockKHR)
        || matches!(op, Op::GroupAsyncCopy | Op::UntypedGroupAsyncCopyKHR | Op::GroupWaitEvents)
}

/// What an instruction computes of all work-items' values, and whether all of them get there.
fn arithmetic(op: Op) -> Option<(GroupArithmetic, bool)> {
    use GroupArithmetic as A;
    Some(match op {
        Op::GroupIAdd => (A::Add, true),
        Op::GroupFAdd => (A::FAdd, true),
        Op::GroupSMin => (A::SMin, true),
        Op::GroupUMin => (A::UMin, true),
        Op::GroupFMin => (A::FMin, true),
        Op::GroupSMax => (A::SMax, true),
        Op::GroupUMax => (A::UMax, true),
        Op::GroupFMax => (A::FMax, true),
        Op::GroupIMulKHR => (A::Mul, true),
        Op::GroupFMulKHR => (A::FMul, true),
        Op::GroupBitwiseAndKHR | Op::GroupLogicalAndKHR => (A::And, true),
        Op::GroupBitwiseOrKHR | Op::GroupLogicalOrKHR => (A::Or, true),
        Op::GroupBitwiseXorKHR | Op::GroupLogicalXorKHR => (A::Xor, true),
        Op::GroupNonUniformIAdd => (A::Add, false),
        Op::GroupNonUniformFAdd => (A::FAdd, false),
        Op::GroupNonUniformIMul => (A::Mul, false),
        Op::GroupNonUniformFMul => (A::FMul, false),
        Op::GroupNonUniformSMin => (A::SMin, false),
        Op::GroupNonUniformUMin => (A::UMin, false),
        Op::GroupNonUniformFMin => (A::FMin, false),
        Op::GroupNonUniformSMax => (A::SMax, false),
        Op::GroupNonUniformUMax => (A::UMax, false),
        Op::GroupNonUniformFMax => (A::FMax, false),
        Op::GroupNonUniformBitwiseAnd | Op::GroupNonUniformLogicalAnd => (A::And, false),
        Op::GroupNonUniformBitwiseOr | Op::GroupNonUniformLogicalOr => (A::Or, false),
        Op::GroupNonUniformBitwiseXor | Op::GroupNonUniformLogicalXor => (A::Xor, false),
        _ => return None,
    })
}

/// The shape of an instruction's operands behind the scope.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// A `bool`, or a ballot, alone.
    Predicate,
    Ballot,
    BallotAndId,
    /// A value alone, or with a number of 32 bits.
    Value,
    ValueAndNumber,
    /// As the last, with a cluster size or without.
    Rotation,
}

/// The operation of an instruction, whether all work-items get there, and what operands it has.
fn plain(op: Op, first: Option<Value>, second: Option<Value>) -> Option<(Option<GroupOp>, bool, Shape)> {
    let one = |make: fn(Value) -> GroupOp| first.map(make);
    let two = |make: fn(Value, Value) -> GroupOp| Some(make(first?, second?));
    Some(match op {
        Op::GroupAll => (one(|predicate| GroupOp::All { predicate }), true, Shape::Predicate),
        Op::GroupAny => (one(|predicate| GroupOp::Any { predicate }), true, Shape::Predicate),
        Op::GroupNonUniformAll => (one(|predicate| GroupOp::All { predicate }), false, Shape::Predicate),
        Op::GroupNonUniformAny => (one(|predicate| GroupOp::Any { predicate }), false, Shape::Predicate),
        Op::GroupNonUniformBallot => (one(|predicate| GroupOp::Ballot { predicate }), false, Shape::Predicate),
        Op::GroupNonUniformAllEqual => (one(|value| GroupOp::AllEqual { value }), false, Shape::Value),
        Op::GroupNonUniformBroadcastFirst => (one(|value| GroupOp::BroadcastFirst { value }), false, Shape::Value),
        Op::GroupNonUniformInverseBallot => (one(|ballot| GroupOp::InverseBallot { ballot }), false, Shape::Ballot),
        Op::GroupNonUniformBallotFindLSB => (one(|ballot| GroupOp::BallotFindLsb { ballot }), false, Shape::Ballot),
        Op::GroupNonUniformBallotFindMSB => (one(|ballot| GroupOp::BallotFindMsb { ballot }), false, Shape::Ballot),
        Op::GroupNonUniformBallotBitExtract => {
            (two(|ballot, id| GroupOp::BallotBitExtract { ballot, id }), false, Shape::BallotAndId)
        }
        Op::GroupBroadcast => (two(|value, id| GroupOp::Broadcast { value, id }), true, Shape::ValueAndNumber),
        Op::GroupNonUniformBroadcast => {
            (two(|value, id| GroupOp::Broadcast { value, id }), false, Shape::ValueAndNumber)
        }
        Op::GroupNonUniformShuffle => (two(|value, id| GroupOp::Shuffle { value, id }), false, Shape::ValueAndNumber),
        Op::GroupNonUniformShuffleXor => {
            (two(|value, mask| GroupOp::ShuffleXor { value, mask }), false, Shape::ValueAndNumber)
        }
        Op::GroupNonUniformShuffleUp => {
            (two(|value, delta| GroupOp::ShuffleUp { value, delta }), false, Shape::ValueAndNumber)
        }
        Op::GroupNonUniformShuffleDown => {
            (two(|value, delta| GroupOp::ShuffleDown { value, delta }), false, Shape::ValueAndNumber)
        }
        Op::GroupNonUniformRotateKHR => (two(|value, delta| GroupOp::Rotate { value, delta }), false, Shape::Rotation),
        _ => return None,
    })
}

impl<'w> FunctionReader<'_, '_, 'w, '_> {
    /// An instruction of this file.
    pub fn group(&mut self, at: &Instruction<'w>) -> Result<()> {
        match at.op {
            Op::GroupAsyncCopy => return self.async_copy(at),
            Op::UntypedGroupAsyncCopyKHR => return self.untyped_async_copy(at),
            Op::GroupWaitEvents => return self.wait_events(at),
            Op::ReadClockKHR => return self.clock(at),
            _ => {}
        }
        let scope = self.scope(at, 0)?;
        if !matches!(scope, Scope::SubGroup | Scope::WorkGroup) {
            return Err(at.unsupported("an operation of neither a work-group nor a sub-group"));
        }
        if let Some((op, uniform)) = arithmetic(at.op) {
            return self.group_arithmetic(at, op, scope, uniform);
        }
        let push = |this: &mut Self, op: GroupOp, uniform: bool, ty: Type| {
            this.b.push(Inst::Group { op, scope, uniform }, &[ty])[0]
        };
        if at.op == Op::GroupNonUniformElect {
            let value = push(self, GroupOp::Elect, false, Type::BOOL);
            return self.define_value(at, value);
        }
        if at.op == Op::GroupNonUniformBallotBitCount {
            let extent = self.extent(at, 1)?;
            let extent = extent.ok_or_else(|| at.invalid("a count of a cluster"))?;
            let ballot = self.operand_of(at, 2, Type::vector(ScalarType::I32, 4))?;
            let value = push(self, GroupOp::BallotBitCount { extent, ballot }, false, Type::I32);
            return self.define_value(at, value);
        }
        let Some((_, uniform, shape)) = plain(at.op, None, None) else {
            return Err(at.unsupported(format!("{:?} is not supported", at.op)));
        };
        let (first, second) = self.group_operands(at, shape, scope)?;
        let result = self.m.tables.types.value(at, at.ty)?;
        let ty = self.b.ty(first);
        if matches!(shape, Shape::Predicate | Shape::Ballot | Shape::BallotAndId)
            || at.op == Op::GroupNonUniformAllEqual
        {
            let op = plain(at.op, Some(first), second).and_then(|(op, ..)| op);
            let op = op.ok_or_else(|| at.invalid("an operand is missing"))?;
            if ty.is_vector() && shape == Shape::Value {
                return Err(at.unsupported("a comparison of vectors among work-items"));
            }
            let value = push(self, op, uniform, result);
            return self.define_value(at, value);
        }
        // Vectors are exchanged component by component.
        let mut lanes = Vec::new();
        for lane in 0..ty.lanes {
            let scalar = self.b.extract(first, lane);
            let op = match (shape, at.optional(3)) {
                (Shape::Rotation, Some(_)) => {
                    let (delta, size) = (second, self.index(at, 3, Type::I32)?);
                    delta.map(|delta| GroupOp::ClusteredRotate { value: scalar, delta, cluster_size: size })
                }
                _ => plain(at.op, Some(scalar), second).and_then(|(op, ..)| op),
            };
            let op = op.ok_or_else(|| at.invalid("an operand is missing"))?;
            lanes.push(push(self, op, uniform, ty.lane()));
        }
        let value = self.b.construct(&lanes);
        self.define_value(at, value)
    }

    fn group_operands(&mut self, at: &Instruction<'w>, shape: Shape, scope: Scope) -> Result<(Value, Option<Value>)> {
        let ballot = Type::vector(ScalarType::I32, 4);
        Ok(match shape {
            Shape::Predicate => (self.operand_of(at, 1, Type::BOOL)?, None),
            Shape::Ballot => (self.operand_of(at, 1, ballot)?, None),
            Shape::BallotAndId => (self.operand_of(at, 1, ballot)?, Some(self.index(at, 2, Type::I32)?)),
            Shape::Value => (self.operand(at, 1)?, None),
            Shape::ValueAndNumber | Shape::Rotation => {
                let value = self.operand(at, 1)?;
                // Of a work-group the id may be a vector of `size_t`s.
                let id = match scope {
                    Scope::WorkGroup => {
                        let id = self.operand(at, 2)?;
                        let lanes = self.b.ty(id).lanes;
                        self.index(at, 2, Type::vector(ScalarType::I64, lanes))?
                    }
                    _ => self.index(at, 2, Type::I32)?,
                };
                (value, Some(id))
            }
        })
    }

    /// How far a group operation reaches; `None` for a cluster.
    fn extent(&self, at: &Instruction<'w>, index: usize) -> Result<Option<GroupExtent>> {
        match GroupOperation::from_u32(at.operand(index)?) {
            Some(GroupOperation::Reduce) => Ok(Some(GroupExtent::Reduce)),
            Some(GroupOperation::InclusiveScan) => Ok(Some(GroupExtent::Inclusive)),
            Some(GroupOperation::ExclusiveScan) => Ok(Some(GroupExtent::Exclusive)),
            Some(GroupOperation::ClusteredReduce) => Ok(None),
            _ => Err(at.unsupported("a group operation that OpenCL does not have")),
        }
    }

    fn group_arithmetic(
        &mut self,
        at: &Instruction<'w>,
        op: GroupArithmetic,
        scope: Scope,
        uniform: bool,
    ) -> Result<()> {
        use GroupArithmetic as A;
        let ty = self.m.tables.types.value(at, at.ty)?;
        let (extent, value) = (self.extent(at, 1)?, self.operand_of(at, 2, ty)?);
        let good = match op {
            A::FAdd | A::FMul | A::FMin | A::FMax => ty.scalar.is_float(),
            A::And | A::Or | A::Xor => ty.scalar.is_int() || ty.scalar == ScalarType::Bool,
            A::Add | A::Mul | A::SMin | A::SMax | A::UMin | A::UMax => ty.scalar.is_int(),
        };
        if !good {
            return Err(at.invalid(format!("{:?} of a value of type {ty}", at.op)));
        }
        let cluster = match extent {
            Some(_) => None,
            None => Some(self.index(at, 3, Type::I32)?),
        };
        let mut lanes = Vec::new();
        for lane in 0..ty.lanes {
            let value = self.b.extract(value, lane);
            let op = match (extent, cluster) {
                (Some(extent), _) => GroupOp::Arithmetic { op, extent, value },
                (None, Some(cluster_size)) => GroupOp::ClusteredArithmetic { op, value, cluster_size },
                (None, None) => return Err(at.invalid("a cluster without a size")),
            };
            lanes.push(self.b.push(Inst::Group { op, scope, uniform }, &[ty.lane()])[0]);
        }
        let value = self.b.construct(&lanes);
        self.define_value(at, value)
    }

    fn clock(&mut self, at: &Instruction<'w>) -> Result<()> {
        let scope = self.scope(at, 0)?;
        let value = self.b.push(Inst::ReadClock(scope), &[Type::I64])[0];
        let ty = self.m.tables.types.value(at, at.ty)?;
        let value = if ty == Type::I64 { value } else { self.b.bitcast(value, Type::vector(ScalarType::I32, 2)) };
        self.define_value(at, value)
    }

    /// `OpGroupAsyncCopy`: the elements are of the type that the pointers point to.
    fn async_copy(&mut self, at: &Instruction<'w>) -> Result<()> {
        let (target, source) = (self.pointer(at, 1)?, self.pointer(at, 2)?);
        let (count, stride) = (self.index(at, 3, Type::I64)?, self.index(at, 4, Type::I64)?);
        let event = self.operand(at, 5)?;
        let element = match (self.copied(at, 1)?, self.copied(at, 2)?) {
            // Where types of pointers were guessed, one of them may point to a whole array.
            ((element, 0), _) | (_, (element, 0)) | ((element, _), _) => element,
        };
        let is_plain = self.b.function.as_int(stride) == Some(1);
        let name = if is_plain { "async_work_group_copy" } else { "async_work_group_strided_copy" };
        let mut args = vec![target, source, count];
        args.extend((!is_plain).then_some(stride));
        args.push(event);
        self.memory_builtin(at, name, &args, element, Some(Type::scalar(ScalarType::Opaque(Opaque::Event))))?;
        self.define_value(at, event)
    }

    /// `OpUntypedGroupAsyncCopyKHR`: elements of so many bytes, and a stride in bytes on the global side. Each element is a line
    /// of a block of bytes, of which the copy finds out how they are aligned.
    fn untyped_async_copy(&mut self, at: &Instruction<'w>) -> Result<()> {
        let (target, source) = (self.pointer(at, 1)?, self.pointer(at, 2)?);
        let [size, count, stride] = [3, 4, 5].map(|index| self.index(at, index, Type::I64));
        let (size, count, stride, event) = (size?, count?, stride?, self.operand(at, 6)?);
        let (from, to) = match [target, source].map(|pointer| self.b.ty(pointer).space()) {
            [Some(Space::Local), Some(Space::Global)] => (stride, size),
            [Some(Space::Global), Some(Space::Local)] => (size, stride),
            _ => return Err(at.invalid("a copy that is not between local and global memory")),
        };
        let [zero, one] = [0, 1].map(|number| self.b.int(Type::I64, number));
        let args = [target, zero, source, zero, one, size, count, from, to, event];
        let result = Some(Type::scalar(ScalarType::Opaque(Opaque::Event)));
        self.memory_builtin(at, "async_work_group_copy_2D2D", &args, Type::I8, result)?;
        self.define_value(at, event)
    }

    /// The numbers that a pointer operand points to, and how many arrays they are in.
    fn copied(&mut self, at: &Instruction<'w>, index: usize) -> Result<(Type, u32)> {
        let pointee = self.pointee(at, at.operand(index)?)?;
        let mut ty = pointee.ok_or_else(|| at.unsupported("a copy of elements of an unknown type"))?;
        let mut arrays = 0;
        loop {
            match self.m.tables.types.get(at, ty)?.kind {
                Kind::Value(element) if element.scalar.is_int() || element.scalar.is_float() => {
                    return Ok((element, arrays));
                }
                Kind::Array { element, .. } => (ty, arrays) = (element, arrays + 1),
                _ => return Err(at.unsupported("a copy of elements that are no numbers")),
            }
        }
    }

    fn wait_events(&mut self, at: &Instruction<'w>) -> Result<()> {
        self.memory_builtin(at, "wait_group_events", &[], Type::I32, None).map(drop)
    }

    /// A component that a built-in variable does not have: LLVM's translator makes it of `get_global_id(3)`.
    pub fn beyond_dimensions(&mut self, at: &Instruction<'w>, id: u32) -> Result<Option<Value>> {
        let (Some(built_in), [_, dimension]) = (self.dimensions.get(&id), at.operands) else { return Ok(None) };
        if *dimension < 3 {
            return Ok(None);
        }
        let value = beyond(*built_in);
        let ty = self.m.tables.types.value(at, at.ty)?;
        if !ty.scalar.is_int() {
            return Err(at.invalid("a component of another type than the vector's"));
        }
        Ok(Some(self.b.int(ty, value)))
    }

    /// A load of a built-in variable, or of a component of one.
    pub fn load_built_in(&mut self, at: &Instruction<'w>, built_in: BuiltIn, component: Option<Value>) -> Result<()> {
        let ty = self.m.tables.types.value(at, at.ty)?;
        let vector = match query(built_in) {
            Some((query, true)) => {
                let mut lanes = Vec::new();
                for dim in 0..3 {
                    let value = self.b.emit(Inst::WorkItem { query, dim }, Type::I64);
                    lanes.push(self.b.resize(value, ty.scalar, false));
                }
                self.b.construct(&lanes)
            }
            Some((query, false)) => {
                let wide = matches!(query, WorkItemQuery::GlobalLinearId | WorkItemQuery::LocalLinearId);
                let from = if wide { Type::I64 } else { Type::I32 };
                let value = self.b.emit(Inst::WorkItem { query, dim: 0 }, from);
                self.b.resize(value, ty.scalar, false)
            }
            None => {
                let name = mask(built_in);
                let name = name.ok_or_else(|| at.unsupported(format!("the built-in variable {built_in:?}")))?;
                self.numbers_builtin(at, name, &[], Type::vector(ScalarType::I32, 4), false)?
            }
        };
        if component.is_none() && matches!(query(built_in), Some((_, true))) {
            self.dimensions.insert(at.result, built_in);
        }
        // The address of a vector is that of its first component.
        let first = !ty.is_vector() && self.b.ty(vector).is_vector();
        let component = component.or_else(|| first.then(|| self.b.int(Type::I32, 0)));
        let value = self.component(vector, component);
        self.define_value(at, value)
    }
}

/// What a built-in variable is in dimensions beyond the third, as the function of OpenCL C has it.
fn beyond(built_in: BuiltIn) -> i64 {
    i64::from(matches!(
        built_in,
        BuiltIn::GlobalSize | BuiltIn::WorkgroupSize | BuiltIn::EnqueuedWorkgroupSize | BuiltIn::NumWorkgroups
    ))
}

/// The work-item function of a built-in variable, and whether it has three dimensions.
fn query(built_in: BuiltIn) -> Option<(WorkItemQuery, bool)> {
    use WorkItemQuery as Q;
    Some(match built_in {
        BuiltIn::GlobalInvocationId => (Q::GlobalId, true),
        BuiltIn::GlobalSize => (Q::GlobalSize, true),
        BuiltIn::GlobalOffset => (Q::GlobalOffset, true),
        BuiltIn::LocalInvocationId => (Q::LocalId, true),
        BuiltIn::WorkgroupSize => (Q::LocalSize, true),
        BuiltIn::EnqueuedWorkgroupSize => (Q::EnqueuedLocalSize, true),
        BuiltIn::WorkgroupId => (Q::GroupId, true),
        BuiltIn::NumWorkgroups => (Q::NumGroups, true),
        BuiltIn::WorkDim => (Q::WorkDim, false),
        BuiltIn::GlobalLinearId => (Q::GlobalLinearId, false),
        BuiltIn::LocalInvocationIndex => (Q::LocalLinearId, false),
        BuiltIn::SubgroupSize => (Q::SubGroupSize, false),
        BuiltIn::SubgroupMaxSize => (Q::MaxSubGroupSize, false),
        BuiltIn::NumSubgroups => (Q::NumSubGroups, false),
        BuiltIn::NumEnqueuedSubgroups => (Q::EnqueuedNumSubGroups, false),
        BuiltIn::SubgroupId => (Q::SubGroupId, false),
        BuiltIn::SubgroupLocalInvocationId => (Q::SubGroupLocalId, false),
        _ => return None,
    })
}

/// The function of a mask of sub-group ids.
fn mask(built_in: BuiltIn) -> Option<&'static str> {
    Some(match built_in {
        BuiltIn::SubgroupEqMask => "get_sub_group_eq_mask",
        BuiltIn::SubgroupGeMask => "get_sub_group_ge_mask",
        BuiltIn::SubgroupGtMask => "get_sub_group_gt_mask",
        BuiltIn::SubgroupLeMask => "get_sub_group_le_mask",
        BuiltIn::SubgroupLtMask => "get_sub_group_lt_mask",
        _ => return None,
    })
}
