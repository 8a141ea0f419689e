//! Operations of the work-items of a group together.

use super::{Environment, FunctionEmitter};
use clforge_ir::*;
use rspirv::dr::Operand;
use rspirv::spirv::{self, Capability};

/// Whether an operation needs the `OpGroupNonUniform…` instructions, which came with SPIR-V 1.3.
pub fn is_non_uniform(op: GroupOp, uniform: bool) -> bool {
    !uniform || plain(op).or(uniform_arithmetic(op, false)).is_none()
}

/// The scope of a clock: SPV_KHR_shader_clock has those of sub-groups and of the device, and sub-groups of one work-group may
/// have different ones.
pub fn clock_scope(scope: Scope) -> spirv::Scope {
    if scope < Scope::WorkGroup { spirv::Scope::Subgroup } else { spirv::Scope::Device }
}

/// The `OpGroup…` instruction of an operation that all work-items reach, in kernels.
fn plain(op: GroupOp) -> Option<spirv::Op> {
    use GroupArithmetic as A;
    Some(match op {
        GroupOp::All { .. } => spirv::Op::GroupAll,
        GroupOp::Any { .. } => spirv::Op::GroupAny,
        GroupOp::Broadcast { .. } => spirv::Op::GroupBroadcast,
        GroupOp::Arithmetic { op: A::Add, .. } => spirv::Op::GroupIAdd,
        GroupOp::Arithmetic { op: A::FAdd, .. } => spirv::Op::GroupFAdd,
        GroupOp::Arithmetic { op: A::SMin, .. } => spirv::Op::GroupSMin,
        GroupOp::Arithmetic { op: A::UMin, .. } => spirv::Op::GroupUMin,
        GroupOp::Arithmetic { op: A::FMin, .. } => spirv::Op::GroupFMin,
        GroupOp::Arithmetic { op: A::SMax, .. } => spirv::Op::GroupSMax,
        GroupOp::Arithmetic { op: A::UMax, .. } => spirv::Op::GroupUMax,
        GroupOp::Arithmetic { op: A::FMax, .. } => spirv::Op::GroupFMax,
        _ => return None,
    })
}

/// The instructions of SPV_KHR_uniform_group_instructions, for whole work-groups.
fn uniform_arithmetic(op: GroupOp, is_bool: bool) -> Option<spirv::Op> {
    use GroupArithmetic as A;
    let GroupOp::Arithmetic { op, .. } = op else { return None };
    Some(match op {
        A::Mul => spirv::Op::GroupIMulKHR,
        A::FMul => spirv::Op::GroupFMulKHR,
        A::And if is_bool => spirv::Op::GroupLogicalAndKHR,
        A::Or if is_bool => spirv::Op::GroupLogicalOrKHR,
        A::Xor if is_bool => spirv::Op::GroupLogicalXorKHR,
        A::And => spirv::Op::GroupBitwiseAndKHR,
        A::Or => spirv::Op::GroupBitwiseOrKHR,
        A::Xor => spirv::Op::GroupBitwiseXorKHR,
        _ => return None,
    })
}

fn arithmetic(op: GroupArithmetic, is_bool: bool) -> spirv::Op {
    match op {
        GroupArithmetic::Add => spirv::Op::GroupNonUniformIAdd,
        GroupArithmetic::Mul => spirv::Op::GroupNonUniformIMul,
        GroupArithmetic::SMin => spirv::Op::GroupNonUniformSMin,
        GroupArithmetic::SMax => spirv::Op::GroupNonUniformSMax,
        GroupArithmetic::UMin => spirv::Op::GroupNonUniformUMin,
        GroupArithmetic::UMax => spirv::Op::GroupNonUniformUMax,
        GroupArithmetic::And if is_bool => spirv::Op::GroupNonUniformLogicalAnd,
        GroupArithmetic::Or if is_bool => spirv::Op::GroupNonUniformLogicalOr,
        GroupArithmetic::Xor if is_bool => spirv::Op::GroupNonUniformLogicalXor,
        GroupArithmetic::And => spirv::Op::GroupNonUniformBitwiseAnd,
        GroupArithmetic::Or => spirv::Op::GroupNonUniformBitwiseOr,
        GroupArithmetic::Xor => spirv::Op::GroupNonUniformBitwiseXor,
        GroupArithmetic::FAdd => spirv::Op::GroupNonUniformFAdd,
        GroupArithmetic::FMul => spirv::Op::GroupNonUniformFMul,
        GroupArithmetic::FMin => spirv::Op::GroupNonUniformFMin,
        GroupArithmetic::FMax => spirv::Op::GroupNonUniformFMax,
    }
}

fn extent(extent: GroupExtent) -> Operand {
    Operand::GroupOperation(match extent {
        GroupExtent::Reduce => spirv::GroupOperation::Reduce,
        GroupExtent::Inclusive => spirv::GroupOperation::InclusiveScan,
        GroupExtent::Exclusive => spirv::GroupOperation::ExclusiveScan,
    })
}

/// The instruction, what it needs, and whether it has a group operation.
fn non_uniform(op: GroupOp, is_bool: bool) -> (spirv::Op, Capability, Option<Operand>) {
    use Capability as C;
    use spirv::Op as S;
    match op {
        GroupOp::Elect => (S::GroupNonUniformElect, C::GroupNonUniform, None),
        GroupOp::All { .. } => (S::GroupNonUniformAll, C::GroupNonUniformVote, None),
        GroupOp::Any { .. } => (S::GroupNonUniformAny, C::GroupNonUniformVote, None),
        GroupOp::AllEqual { .. } => (S::GroupNonUniformAllEqual, C::GroupNonUniformVote, None),
        GroupOp::Broadcast { .. } => (S::GroupNonUniformBroadcast, C::GroupNonUniformBallot, None),
        GroupOp::BroadcastFirst { .. } => (S::GroupNonUniformBroadcastFirst, C::GroupNonUniformBallot, None),
        GroupOp::Ballot { .. } => (S::GroupNonUniformBallot, C::GroupNonUniformBallot, None),
        GroupOp::InverseBallot { .. } => (S::GroupNonUniformInverseBallot, C::GroupNonUniformBallot, None),
        GroupOp::BallotBitExtract { .. } => (S::GroupNonUniformBallotBitExtract, C::GroupNonUniformBallot, None),
        GroupOp::BallotBitCount { extent: reach, .. } => {
            (S::GroupNonUniformBallotBitCount, C::GroupNonUniformBallot, Some(extent(reach)))
        }
        GroupOp::BallotFindLsb { .. } => (S::GroupNonUniformBallotFindLSB, C::GroupNonUniformBallot, None),
        GroupOp::BallotFindMsb { .. } => (S::GroupNonUniformBallotFindMSB, C::GroupNonUniformBallot, None),
        GroupOp::Shuffle { .. } => (S::GroupNonUniformShuffle, C::GroupNonUniformShuffle, None),
        GroupOp::ShuffleXor { .. } => (S::GroupNonUniformShuffleXor, C::GroupNonUniformShuffle, None),
        GroupOp::ShuffleUp { .. } => (S::GroupNonUniformShuffleUp, C::GroupNonUniformShuffleRelative, None),
        GroupOp::ShuffleDown { .. } => (S::GroupNonUniformShuffleDown, C::GroupNonUniformShuffleRelative, None),
        GroupOp::Rotate { .. } | GroupOp::ClusteredRotate { .. } => {
            (S::GroupNonUniformRotateKHR, C::GroupNonUniformRotateKHR, None)
        }
        GroupOp::ClusteredArithmetic { op, .. } => {
            let clustered = Operand::GroupOperation(spirv::GroupOperation::ClusteredReduce);
            (arithmetic(op, is_bool), C::GroupNonUniformClustered, Some(clustered))
        }
        GroupOp::Arithmetic { op, extent: reach, .. } => {
            (arithmetic(op, is_bool), C::GroupNonUniformArithmetic, Some(extent(reach)))
        }
    }
}

impl FunctionEmitter<'_> {
    /// Writes an `Op::Group` or `Op::ReadClock`. `kernel`: for OpenCL, where `OpGroup…` instructions exist.
    pub fn group<E: Environment>(&mut self, env: &mut E, inst: &Inst, scope: u32, kernel: bool) -> Result<(), Error> {
        let result = inst.result()?;
        let scope = Operand::IdScope(self.m.constant_u32(scope));
        let Op::Group { op, uniform, .. } = &inst.op else {
            self.m.capability(Capability::ShaderClockKHR);
            self.m.extension("SPV_KHR_shader_clock");
            let (id, ty) = (self.id(env, result), self.type_of(env, result));
            return self.push_as(id, spirv::Op::ReadClockKHR, ty, vec![scope]);
        };
        let is_bool = self.function.ty(result).scalar == ScalarType::Bool;
        let (mut opcode, mut capability, extent) = non_uniform(*op, is_bool);
        let uniform = *uniform && kernel;
        if let Some(plain) = plain(*op).filter(|_| uniform) {
            opcode = plain;
            capability = Capability::Groups;
        } else if let Some(arithmetic) = uniform_arithmetic(*op, is_bool).filter(|_| uniform) {
            opcode = arithmetic;
            capability = Capability::GroupUniformArithmeticKHR;
            self.m.extension("SPV_KHR_uniform_group_instructions");
        } else {
            self.m.capability(Capability::GroupNonUniform);
        }
        if let GroupOp::Broadcast { id, .. } = op
            && !kernel
            && self.must_shuffle(*id)
        {
            opcode = spirv::Op::GroupNonUniformShuffle;
            capability = Capability::GroupNonUniformShuffle;
        }
        if opcode == spirv::Op::GroupNonUniformRotateKHR {
            self.m.extension("SPV_KHR_subgroup_rotate");
        }
        self.m.capability(capability);
        let mut operands = vec![scope];
        operands.extend(extent);
        for operand in op.operands() {
            operands.push(Operand::IdRef(self.id(env, operand)));
        }
        let (id, ty) = (self.id(env, result), self.type_of(env, result));
        self.push_as(id, opcode, ty, operands)
    }

    /// Before SPIR-V 1.5 the id of a broadcast is a constant; a shuffle does the same.
    fn must_shuffle(&self, id: Value) -> bool {
        self.function.as_constant(id).is_none() && !self.m.at_least(1, 5)
    }
}
