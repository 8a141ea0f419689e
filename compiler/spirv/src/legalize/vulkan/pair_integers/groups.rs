//! Operations of a sub-group on pairs of words.

use super::arithmetic::{self, Pair};
use super::{Pairs, words_of};
use crate::legalize::vulkan::group_loops::GroupLoop;
use clforge_ir::rewrite::{Parts, Rewriter};
use clforge_ir::*;
use smallvec::smallvec;

impl Pairs<'_> {
    pub(super) fn group(&self, r: &mut Rewriter<'_>, inst: &Inst) -> Result<Parts, Error> {
        let Op::Group { op, scope, uniform } = &inst.op else { return Err(Error::internal("no group operation")) };
        match op {
            GroupOp::Broadcast { .. }
            | GroupOp::BroadcastFirst { .. }
            | GroupOp::Shuffle { .. }
            | GroupOp::ShuffleXor { .. }
            | GroupOp::ShuffleUp { .. }
            | GroupOp::ShuffleDown { .. }
            | GroupOp::Rotate { .. }
            | GroupOp::ClusteredRotate { .. } => self.of_each_word(r, inst),
            GroupOp::Arithmetic { op: GroupArithmetic::And | GroupArithmetic::Or | GroupArithmetic::Xor, .. }
            | GroupOp::ClusteredArithmetic {
                op: GroupArithmetic::And | GroupArithmetic::Or | GroupArithmetic::Xor,
                ..
            } => self.of_each_word(r, inst),
            GroupOp::AllEqual { value } => {
                let pair = self.pair(r, *value)?;
                let [low, high] = [pair.low, pair.high].map(|value| {
                    let op = Op::Group { op: GroupOp::AllEqual { value }, scope: *scope, uniform: *uniform };
                    r.b.push(op, &[Type::BOOL])[0]
                });
                Ok(smallvec![r.b.binary(BinaryOp::And, low, high)])
            }
            GroupOp::Arithmetic { op, extent, value } => {
                let group = group_loop(&mut r.b, *uniform, *extent, None);
                self.arithmetic(r, group, *op, *value)
            }
            GroupOp::ClusteredArithmetic { op, value, cluster_size } => {
                let size = r.one(*cluster_size, self)?;
                let group = group_loop(&mut r.b, *uniform, GroupExtent::Reduce, Some(size));
                self.arithmetic(r, group, *op, *value)
            }
            _ => Err(Error::internal("an operation of a group on integers of 64 bits")),
        }
    }

    fn arithmetic(
        &self,
        r: &mut Rewriter<'_>,
        group: GroupLoop,
        op: GroupArithmetic,
        value: Value,
    ) -> Result<Parts, Error> {
        let pair = self.pair(r, value)?;
        let identity = Pair::constant(&mut r.b, Type::I32, identity(op)?);
        let parts = group.build(&mut r.b, &pair.parts(), &identity.parts(), &mut |b, known, value| {
            let ([low, high], [other_low, other_high]) = (known, value) else {
                return Err(Error::internal("a pair has two parts"));
            };
            let known = Pair { low: *low, high: *high };
            combine(b, op, known, Pair { low: *other_low, high: *other_high }).map(|pair| pair.parts().to_vec())
        })?;
        Ok(parts.into_iter().collect())
    }

    /// An intrinsic on 64 bits that Vulkan has an instruction for.
    pub(super) fn intrinsic(&self, r: &mut Rewriter<'_>, function: Intrinsic, args: &[Value]) -> Result<Pair, Error> {
        let (Intrinsic::SMulHi | Intrinsic::UMulHi, [x, y]) = (function, args) else {
            return Err(Error::internal(format!("'{}' of 64 bits was not expanded", function.name())));
        };
        debug_assert_eq!(words_of(r.old.ty(*x)).scalar, ScalarType::I32);
        let (x, y) = (self.pair(r, *x)?, self.pair(r, *y)?);
        Ok(arithmetic::mul_hi(&mut r.b, x, y, function == Intrinsic::SMulHi))
    }
}

fn group_loop(b: &mut Builder<'_>, uniform: bool, extent: GroupExtent, cluster_size: Option<Value>) -> GroupLoop {
    let mut input = |input| b.emit(Op::Input { input, dim: 0 }, Type::I32);
    let (size, id) = (input(Input::SubgroupSize), input(Input::SubgroupLocalInvocationId));
    GroupLoop { extent, cluster_size, uniform, size, id }
}

/// What an operation leaves every number unchanged with.
fn identity(op: GroupArithmetic) -> Result<i64, Error> {
    Ok(match op {
        GroupArithmetic::Add | GroupArithmetic::Or | GroupArithmetic::Xor | GroupArithmetic::UMax => 0,
        GroupArithmetic::Mul => 1,
        GroupArithmetic::SMin => i64::MAX,
        GroupArithmetic::SMax => i64::MIN,
        GroupArithmetic::UMin | GroupArithmetic::And => -1,
        _ => return Err(Error::internal("an integer as a float")),
    })
}

fn combine(b: &mut Builder<'_>, op: GroupArithmetic, x: Pair, y: Pair) -> Result<Pair, Error> {
    let smaller = match op {
        GroupArithmetic::Add => return arithmetic::binary(b, BinaryOp::Add, x, y),
        GroupArithmetic::Mul => return arithmetic::binary(b, BinaryOp::Mul, x, y),
        GroupArithmetic::And => return arithmetic::binary(b, BinaryOp::And, x, y),
        GroupArithmetic::Or => return arithmetic::binary(b, BinaryOp::Or, x, y),
        GroupArithmetic::Xor => return arithmetic::binary(b, BinaryOp::Xor, x, y),
        GroupArithmetic::SMin => CompareOp::SLt,
        GroupArithmetic::SMax => CompareOp::SGt,
        GroupArithmetic::UMin => CompareOp::ULt,
        GroupArithmetic::UMax => CompareOp::UGt,
        _ => return Err(Error::internal("an integer as a float")),
    };
    let takes_y = arithmetic::compare(b, smaller, y, x)?;
    Ok(Pair { low: b.select(takes_y, y.low, x.low), high: b.select(takes_y, y.high, x.high) })
}
