//! Intrinsics as instructions of `GLSL.std.450`.

use super::Vulkan;
use crate::emit::common::FunctionEmitter;
use crate::legalize::vulkan::legalize_actions::{self, LegalizeAction};
use clforge_ir::*;
use rspirv::dr::Operand;
use rspirv::spirv;

impl Vulkan<'_> {
    /// An intrinsic that legalisation has left: an instruction of GLSL.std.450.
    pub(super) fn intrinsic(
        &mut self,
        f: &mut FunctionEmitter<'_>,
        intrinsic: Intrinsic,
        args: &Values,
        inst: &Inst,
    ) -> Result<(), Error> {
        let result = inst.result()?;
        let scalar = f.function.ty(result).scalar;
        let action = legalize_actions::legalize_action(intrinsic, scalar, self.options);
        let (op, mut operands) = match action {
            Some(LegalizeAction::Legal(number)) => {
                let number = Operand::LiteralExtInstInteger(number as u32);
                (spirv::Op::ExtInst, vec![Operand::IdRef(self.glsl), number])
            }
            Some(LegalizeAction::LegalCore(op @ (spirv::Op::UMulExtended | spirv::Op::SMulExtended))) => {
                let [a, b] = args[..] else { return Err(Error::internal("a product of two factors")) };
                return f.upper_half(self, op, (a, b), result);
            }
            Some(LegalizeAction::LegalCore(op)) => (op, Vec::new()),
            _ => return Err(Error::internal(format!("'{}' was not expanded", intrinsic.name()))),
        };
        for arg in args {
            operands.push(Operand::IdRef(f.id(self, *arg)));
        }
        let (id, ty) = (f.id(self, result), f.type_of(self, result));
        f.push_as(id, op, ty, operands)
    }
}
