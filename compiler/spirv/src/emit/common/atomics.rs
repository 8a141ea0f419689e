//! Atomic instructions, after the environment has decided on the pointer, the scope and the memory semantics.

use super::{Environment, FunctionEmitter};
use clforge_ir::*;
use rspirv::dr::Operand;
use rspirv::spirv::{self, Word};

/// What an atomic instruction accesses, and how: its operands before the values.
pub struct AtomicAccess {
    /// A pointer to the type of the values.
    pub pointer: Word,
    /// A `Scope`.
    pub scope: u32,
    /// A `Memory Semantics` mask.
    pub semantics: u32,
    /// The mask of a compare-exchange that finds another value; other operations have none.
    pub unequal: u32,
}

impl FunctionEmitter<'_> {
    /// Emits the atomic instruction `inst`, whose operands are `values`.
    pub fn atomic<E: Environment>(
        &mut self,
        env: &mut E,
        op: AtomicOp,
        access: &AtomicAccess,
        values: &[Value],
        inst: &Inst,
    ) -> Result<(), Error> {
        let scope = self.m.constant_u32(access.scope);
        let semantics = self.m.constant_u32(access.semantics);
        let values: Vec<Word> = values.iter().map(|value| self.id(env, *value)).collect();
        let mut args = vec![access.pointer, scope, semantics];
        if op == AtomicOp::CompareExchange {
            args.push(self.m.constant_u32(access.unequal));
            args.extend(values.iter().rev()); // SPIR-V has the new value before the expected one
        } else {
            args.extend(values);
        }
        match inst.results.first() {
            Some(result) => self.define(env, *result, opcode(op), &args),
            None => self.effect(opcode(op), args.iter().map(|arg| Operand::IdRef(*arg)).collect()),
        }
    }
}

fn opcode(op: AtomicOp) -> spirv::Op {
    match op {
        AtomicOp::Load => spirv::Op::AtomicLoad,
        AtomicOp::Store => spirv::Op::AtomicStore,
        AtomicOp::Exchange => spirv::Op::AtomicExchange,
        AtomicOp::CompareExchange => spirv::Op::AtomicCompareExchange,
        AtomicOp::Add => spirv::Op::AtomicIAdd,
        AtomicOp::Sub => spirv::Op::AtomicISub,
        AtomicOp::And => spirv::Op::AtomicAnd,
        AtomicOp::Or => spirv::Op::AtomicOr,
        AtomicOp::Xor => spirv::Op::AtomicXor,
        AtomicOp::SMin => spirv::Op::AtomicSMin,
        AtomicOp::SMax => spirv::Op::AtomicSMax,
        AtomicOp::UMin => spirv::Op::AtomicUMin,
        AtomicOp::UMax => spirv::Op::AtomicUMax,
        AtomicOp::FAdd => spirv::Op::AtomicFAddEXT,
        AtomicOp::FMin => spirv::Op::AtomicFMinEXT,
        AtomicOp::FMax => spirv::Op::AtomicFMaxEXT,
    }
}
