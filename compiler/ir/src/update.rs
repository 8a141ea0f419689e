//! Computes the values that atomic operations store, with ordinary instructions, for private memory and for CAS loops.

use super::{AtomicOp, BinaryOp, Builder, CompareOp, ConvertOp, ScalarType, Value};
use clforge_basic::options::{FloatAtomics, FloatWidths};

/// Whether there is an instruction of an operation on `global` objects of a floating type.
pub fn is_native_in_buffers(devices: &FloatAtomics, op: AtomicOp, scalar: ScalarType) -> bool {
    match op {
        AtomicOp::FAdd => has(devices.buffer_add, scalar),
        AtomicOp::FMin | AtomicOp::FMax => has(devices.buffer_min_max, scalar),
        _ => false,
    }
}

/// Whether there is one of an operation on `local` objects of a floating type.
pub fn is_native_in_local_memory(devices: &FloatAtomics, op: AtomicOp, scalar: ScalarType) -> bool {
    has(devices.shared_access, scalar)
        && match op {
            AtomicOp::FAdd => has(devices.shared_add, scalar),
            AtomicOp::Load | AtomicOp::Store | AtomicOp::Exchange => true,
            _ => false,
        }
}

fn has(widths: FloatWidths, scalar: ScalarType) -> bool {
    match scalar {
        ScalarType::F32 => widths.float,
        ScalarType::F64 => widths.double,
        _ => false,
    }
}

impl Builder<'_> {
    /// What an operation on an object of value `old` leaves there; `None` if it stores nothing.
    pub fn updated(&mut self, op: AtomicOp, operands: &[Value], old: Value) -> Option<Value> {
        let operand = operands.first().copied()?;
        let binary = match op {
            AtomicOp::Load => return None,
            AtomicOp::Store | AtomicOp::Exchange => return Some(operand),
            AtomicOp::CompareExchange => {
                let desired = *operands.get(1)?;
                let equal = self.compare(CompareOp::Eq, old, operand);
                return Some(self.select(equal, desired, old));
            }
            AtomicOp::SMin => return Some(self.choose(CompareOp::SLt, operand, old)),
            AtomicOp::SMax => return Some(self.choose(CompareOp::SGt, operand, old)),
            AtomicOp::UMin => return Some(self.choose(CompareOp::ULt, operand, old)),
            AtomicOp::UMax => return Some(self.choose(CompareOp::UGt, operand, old)),
            AtomicOp::FMin => return Some(self.extremum(CompareOp::FLt, old, operand)),
            AtomicOp::FMax => return Some(self.extremum(CompareOp::FGt, old, operand)),
            AtomicOp::Add => BinaryOp::Add,
            AtomicOp::Sub => BinaryOp::Sub,
            AtomicOp::And => BinaryOp::And,
            AtomicOp::Or => BinaryOp::Or,
            AtomicOp::Xor => BinaryOp::Xor,
            AtomicOp::FAdd => BinaryOp::FAdd,
        };
        Some(self.binary(binary, old, operand))
    }

    /// `a` where it compares so with `b`, else `b`.
    fn choose(&mut self, op: CompareOp, a: Value, b: Value) -> Value {
        let first = self.compare(op, a, b);
        self.select(first, a, b)
    }

    /// The operand where it is beyond the old value, or that is a NaN.
    fn extremum(&mut self, beyond: CompareOp, old: Value, operand: Value) -> Value {
        let is_nan = self.is_nan(old);
        let beyond = self.compare(beyond, operand, old);
        let taken = self.binary(BinaryOp::Or, beyond, is_nan);
        self.select(taken, operand, old)
    }

    /// Whether a floating value is a NaN, by its bits: drivers may take comparisons for those of numbers.
    pub fn is_nan(&mut self, value: Value) -> Value {
        let scalar = self.ty(value).scalar;
        let int = self.ty(value).with_scalar(ScalarType::int(scalar.bits()));
        let bits = self.convert(ConvertOp::Bitcast, value, int);
        let mask = self.int(int, !scalar.sign_mask());
        let magnitude = self.binary(BinaryOp::And, bits, mask);
        let infinity = self.int(int, scalar.infinity_bits());
        self.compare(CompareOp::UGt, magnitude, infinity)
    }
}
