//! The operations of the IR that correspond to instructions on integers and `bool`s.

use clforge_ir::{BinaryOp, CompareOp};
use rspirv::spirv::Op;

/// Arithmetic on integers.
pub fn integer(op: Op) -> Option<BinaryOp> {
    Some(match op {
        Op::IAdd => BinaryOp::Add,
        Op::ISub => BinaryOp::Sub,
        Op::IMul => BinaryOp::Mul,
        Op::SDiv => BinaryOp::SDiv,
        Op::UDiv => BinaryOp::UDiv,
        Op::SRem => BinaryOp::SRem,
        Op::UMod => BinaryOp::URem,
        Op::BitwiseAnd => BinaryOp::And,
        Op::BitwiseOr => BinaryOp::Or,
        Op::BitwiseXor => BinaryOp::Xor,
        _ => return None,
    })
}

/// Arithmetic on `bool`s.
pub fn logic(op: Op) -> Option<BinaryOp> {
    Some(match op {
        Op::LogicalAnd => BinaryOp::And,
        Op::LogicalOr => BinaryOp::Or,
        _ => return None,
    })
}

/// A shift.
pub fn shift(op: Op) -> Option<BinaryOp> {
    Some(match op {
        Op::ShiftLeftLogical => BinaryOp::Shl,
        Op::ShiftRightLogical => BinaryOp::LShr,
        Op::ShiftRightArithmetic => BinaryOp::AShr,
        _ => return None,
    })
}

/// The operation on two integers or `bool`s.
pub fn binary(op: Op) -> Option<BinaryOp> {
    integer(op).or_else(|| logic(op)).or_else(|| shift(op))
}

/// The comparison of two integers or `bool`s.
pub fn comparison(op: Op) -> Option<CompareOp> {
    Some(match op {
        Op::IEqual | Op::LogicalEqual => CompareOp::Eq,
        Op::INotEqual | Op::LogicalNotEqual => CompareOp::Ne,
        Op::SLessThan => CompareOp::SLt,
        Op::SLessThanEqual => CompareOp::SLe,
        Op::SGreaterThan => CompareOp::SGt,
        Op::SGreaterThanEqual => CompareOp::SGe,
        Op::ULessThan => CompareOp::ULt,
        Op::ULessThanEqual => CompareOp::ULe,
        Op::UGreaterThan => CompareOp::UGt,
        Op::UGreaterThanEqual => CompareOp::UGe,
        _ => return None,
    })
}
