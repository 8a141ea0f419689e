//! Operations of a sub-group on pairs of words.

use super::arithmetic::{self, Pair};
use super::{Pairs, words_of};
use clforge_ir::error::Unsupported;
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
            _ => Err(Error::unsupported(Unsupported::WideGroupArithmetic)),
        }
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
