//! Intrinsics as instructions of `GLSL.std.450` or of SPIR-V's core.

use super::Vulkan;
use crate::emit::common::FunctionEmitter;
use crate::legalize::vulkan::legalize_actions::{self, LegalizeAction};
use clforge_ir::*;
use rspirv::dr::Operand;
use rspirv::spirv;

impl Vulkan<'_> {
    /// An intrinsic that legalisation has left: an instruction of GLSL.std.450 or of SPIR-V's core.
    pub(super) fn intrinsic(
        &mut self,
        f: &mut FunctionEmitter<'_>,
        intrinsic: Intrinsic,
        args: &Values,
        inst: &Inst,
    ) -> Result<(), Error> {
        let result = inst.result()?;
        if intrinsic == Intrinsic::Mad
            && !self.options.codegen.opt_disable
            && let Some(operands) = difference_of_products(f.function, args)
        {
            return self.contractible_difference(f, operands, result);
        }
        let scalar = f.function.ty(result).scalar;
        if let (Intrinsic::UMulHi, ScalarType::I32, [a, b]) = (intrinsic, scalar, &args[..]) {
            // Of 64-bit products that are computed in words.
            return f.upper_half(self, spirv::Op::UMulExtended, (*a, *b), result);
        }
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
        if action.is_some_and(is_signed)
            && let Some(signed) = f.m.signed(f.function.ty(result).lanes)
        {
            return f.signed(id, op, ty, signed, operands);
        }
        f.push_as(id, op, ty, operands)
    }

    /// A product and a subtraction that the driver may contract. NVIDIA's (580.159) negates the addend of an `Fma` by an
    /// instruction of its own, where it takes this for one `FFMA`: a Mandelbrot set in 0.194 ms instead of 0.249 (H100).
    fn contractible_difference(
        &mut self,
        f: &mut FunctionEmitter<'_>,
        [a, b, product]: [Value; 3],
        result: Value,
    ) -> Result<(), Error> {
        let ty = f.type_of(self, result);
        let factors = [a, b].map(|factor| Operand::IdRef(f.id(self, factor)));
        let minuend = f.push(spirv::Op::FMul, ty, factors.to_vec())?;
        let (id, product) = (f.id(self, result), f.id(self, product));
        f.push_as(id, spirv::Op::FSub, ty, vec![Operand::IdRef(minuend), Operand::IdRef(product)])
    }
}

/// Whether an instruction takes and gives signed integers.
fn is_signed(action: LegalizeAction) -> bool {
    use spirv::GlslStd450Op as Glsl;
    match action {
        LegalizeAction::Legal(op) => {
            matches!(op, Glsl::SAbs | Glsl::SSign | Glsl::SMin | Glsl::SMax | Glsl::SClamp | Glsl::FindSMsb)
        }
        LegalizeAction::LegalCore(op) => op == spirv::Op::BitFieldSExtract,
        _ => false,
    }
}

/// The operands of `mad(a, b, -(c * d))` as `a`, `b` and the product, where no factor, with whatever sign, is in both products:
/// drivers factor out and cancel what is common to instructions that may be contracted. Equal factors are one value, unless the
/// program is not optimised.
fn difference_of_products(function: &Function, args: &Values) -> Option<[Value; 3]> {
    let [a, b, addend] = args[..] else { return None };
    let Some(Op::Unary { op: UnaryOp::FNeg, operand: product }) = function.op(addend) else { return None };
    let Some(Op::Binary { op: BinaryOp::FMul, lhs, rhs }) = function.op(*product) else { return None };
    let without_sign = |value: Value| match function.op(value) {
        Some(Op::Unary { op: UnaryOp::FNeg, operand }) => *operand,
        _ => value,
    };
    let factors = [a, b].map(without_sign);
    let is_shared = [*lhs, *rhs].into_iter().any(|factor| factors.contains(&without_sign(factor)));
    (!is_shared).then_some([a, b, *product])
}
