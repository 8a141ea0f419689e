//! Forms of sign extension and negation that drivers with defects get right:
//! [`Workarounds::LAVAPIPE_SIGN_EXTENSION`](clforge_basic::workarounds::Workarounds) and
//! [`Workarounds::NVIDIA_NARROW_NEGATION`](clforge_basic::workarounds::Workarounds).

use super::{Environment, FunctionEmitter};
use clforge_ir::*;
use rspirv::dr::Operand;
use rspirv::spirv::{self, Word};
use typed_index_collections::{TiVec, ti_vec};

/// Whether the operation widens signed integers from 32 to 64 bits.
fn widens(function: &Function, op: &Op) -> bool {
    matches!(op, Op::Convert { op: ConvertOp::SExt, operand: from } if function.ty(*from).scalar == ScalarType::I32)
}

/// For each value whether it is used other than as a term or factor of an integer sum: addresses are such sums, which the
/// driver's defects do not affect. Empty where the workaround is off.
pub fn exposed(function: &Function) -> TiVec<Value, bool> {
    if !function.insts.iter().any(|inst| widens(function, &inst.op)) {
        return TiVec::new();
    }
    let mut exposed: TiVec<Value, bool> = ti_vec![false; function.value_count()];
    for inst in &function.insts {
        if !matches!(inst.op, Op::Binary { op: BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul, .. }) {
            inst.op.for_each_operand(|value| exposed[value] = true);
        }
    }
    exposed
}

impl FunctionEmitter<'_> {
    /// Widens `from`, whose id is `operand`, to `result`.
    pub(super) fn sign_extend<E: Environment>(
        &mut self,
        env: &mut E,
        (from, operand): (Value, Word),
        result: Value,
    ) -> Result<(), Error> {
        let ty = self.function.ty(result);
        let exposed = self.exposed.get(result).copied().unwrap_or(false);
        if !exposed || self.function.ty(from).scalar != ScalarType::I32 || ty.scalar != ScalarType::I64 {
            return self.define(env, result, spirv::Op::SConvert, &[operand]);
        }
        let word = self.type_of(env, result);
        let sign = self.m.constant(&Constant::int(ty, 1 << 31));
        let wide = self.push(spirv::Op::UConvert, word, vec![Operand::IdRef(operand)])?;
        let flipped = self.push(spirv::Op::BitwiseXor, word, vec![Operand::IdRef(wide), Operand::IdRef(sign)])?;
        self.define(env, result, spirv::Op::ISub, &[flipped, sign])
    }

    /// The negative of an integer of less than 32 bits; see [`FunctionEmitter::narrow`].
    pub(super) fn narrow_negate<E: Environment>(
        &mut self,
        env: &mut E,
        operand: Word,
        result: Value,
    ) -> Result<(), Error> {
        let word = self.type_id(env, Type { scalar: ScalarType::I32, ..self.function.ty(result) });
        let wide = self.push(spirv::Op::SConvert, word, vec![Operand::IdRef(operand)])?;
        let negative = self.push(spirv::Op::SNegate, word, vec![Operand::IdRef(wide)])?;
        self.narrow(env, negative, result)
    }

    /// Whether a value is the negative of an integer of 32 bits.
    pub(super) fn is_negative_of_word(&self, value: Value) -> bool {
        let ValueDef::Inst(inst, _) = self.function.def(value) else { return false };
        self.function.ty(value).scalar == ScalarType::I32
            && match self.function.inst(*inst).op {
                Op::Unary { op: UnaryOp::Neg, .. } => true,
                Op::Binary { op: BinaryOp::Sub, lhs: from, .. } => {
                    self.function.as_constant(from) == Some(&Constant::int(self.function.ty(value), 0))
                }
                _ => false,
            }
    }

    /// The low bits of `negative`, a negated integer of 32 bits. NVIDIA's driver (580.159) takes the negative of the
    /// least narrow integer for positive once it is widened again, unless the bits are taken as a field.
    pub(super) fn narrow<E: Environment>(&mut self, env: &mut E, negative: Word, result: Value) -> Result<(), Error> {
        let ty = self.function.ty(result);
        let word = self.type_id(env, Type { scalar: ScalarType::I32, ..ty });
        let (zero, bits) = (self.m.constant_u32(0), self.m.constant_u32(ty.scalar.bits()));
        let field = [negative, zero, bits].map(Operand::IdRef).to_vec();
        let field = self.push(spirv::Op::BitFieldSExtract, word, field)?;
        self.define(env, result, spirv::Op::UConvert, &[field])
    }
}
