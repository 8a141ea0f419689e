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
        let Some(LegalizeAction::Legal(number)) = action else {
            return Err(Error::internal(format!("'{}' was not expanded", intrinsic.name())));
        };
        let mut operands = vec![Operand::IdRef(self.glsl), Operand::LiteralExtInstInteger(number as u32)];
        for arg in args {
            operands.push(Operand::IdRef(f.id(self, *arg)));
        }
        let (id, ty) = (f.id(self, result), f.type_of(self, result));
        f.push_as(id, spirv::Op::ExtInst, ty, operands)
    }
}
