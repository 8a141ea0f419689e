//! Operations that the work-items of a group make together.

use super::*;

const BALLOT: Type = Type::vector(ScalarType::I32, 4);

impl Verifier<'_> {
    pub(super) fn group(&self, op: GroupOp, scope: Scope, found: &[Type]) -> Check {
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
}
