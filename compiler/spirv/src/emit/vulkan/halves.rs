//! Modules that only load, convert and store halves, as `vload_half` and `vstore_half` do.
//!
//! Such a module needs no arithmetic on halves: where `Float16` is not declared, SPIR-V allows values of 16 bits that
//! are loaded, converted by `OpFConvert` and stored (SPIR-V 1.6, 2.16.1, "Universal Validation Rules"), by the
//! capability of 16-bit storage alone. The instructions are the same, so this costs nothing where a device has
//! `shaderFloat16`. There must be no constants of 16 bits either; those that are stored are converted from floats.

use super::Vulkan;
use crate::emit::common::FunctionEmitter;
use clforge_ir::*;
use rspirv::dr::Operand;
use rspirv::spirv::{self, Word};

/// Magnitudes of the least half that is normal, and of infinity.
const LEAST_NORMAL: u64 = 0x0400;
const INFINITY: u64 = 0x7C00;

/// Whether a module accesses halves in buffers, and does nothing else with halves than to convert them.
pub(super) fn are_only_stored(module: &Module) -> bool {
    let is_half = |ty: Type| ty.scalar == ScalarType::F16;
    let has_halves = |ty: Type| is_half(ty) || ty.matrix().is_some_and(|matrix| matrix.scalar() == ScalarType::F16);
    let elsewhere = |variable: &Variable| {
        has_halves(variable.element) && !matches!(variable.storage, Storage::StorageBuffer { .. })
    };
    if module.variables.iter().any(elsewhere) {
        return false;
    }
    let mut accesses = false;
    for function in &module.functions {
        let is_passed = function.params.iter().any(|param| is_half(function.ty(*param)));
        if is_passed || function.result.is_some_and(is_half) {
            return false;
        }
        for inst in &function.insts {
            match use_of(function, inst) {
                HalfUse::None | HalfUse::Conversion => {}
                HalfUse::Access => accesses = true,
                HalfUse::Other => return false,
            }
        }
    }
    accesses
}

/// What an instruction does with halves.
enum HalfUse {
    None,
    Access,
    Conversion,
    Other,
}

fn use_of(function: &Function, inst: &Inst) -> HalfUse {
    let is_half = |value: Value| function.ty(value).scalar == ScalarType::F16;
    let mut halves = inst.results.iter().any(|result| is_half(*result));
    let mut constants = false;
    inst.op.for_each_operand(|operand| {
        halves |= is_half(operand);
        constants |= is_half(operand) && function.as_constant(operand).is_some();
    });
    match &inst.op {
        _ if !halves => HalfUse::None,
        Op::Load { .. } | Op::VariableLoad { .. } => HalfUse::Access,
        Op::Store { value, .. } | Op::VariableStore { value, .. } => {
            let is_convertible = function.as_constant(*value).is_none_or(is_converted_exactly);
            if is_convertible { HalfUse::Access } else { HalfUse::Other }
        }
        Op::Convert { op: ConvertOp::FExt | ConvertOp::FTrunc, .. } if !constants => HalfUse::Conversion,
        _ => HalfUse::Other,
    }
}

/// Whether each device's conversion from floats has the bits of a constant: denormals may be flushed, and a NaN may
/// become another one.
fn is_converted_exactly(constant: &Constant) -> bool {
    let magnitude = |bits: &u64| bits & (INFINITY | (LEAST_NORMAL - 1));
    let is_exact = |bits: &u64| matches!(magnitude(bits), 0 | LEAST_NORMAL..=INFINITY);
    constant.lanes().is_some_and(|lanes| lanes.iter().all(is_exact))
}

impl Vulkan<'_> {
    /// The id of a value that is stored.
    ///
    /// # Errors
    /// Internal ones.
    pub(super) fn stored_value(&mut self, f: &mut FunctionEmitter<'_>, value: Value) -> Result<Word, Error> {
        let constant = f.function.as_constant(value).filter(|constant| constant.ty().scalar == ScalarType::F16);
        let Some(lanes) = constant.filter(|_| f.m.only_stores_halves).and_then(Constant::lanes) else {
            return Ok(f.id(self, value));
        };
        let float = |bits: &u64| {
            let value = constant::float_value(ScalarType::F16, *bits);
            constant::float_bits(ScalarType::F32, value)
        };
        let ty = f.function.ty(value);
        let float = Constant::Bits { ty: ty.with_scalar(ScalarType::F32), lanes: lanes.iter().map(float).collect() };
        let (float, half) = (f.m.constant(&float), f.type_id(self, ty));
        f.push(spirv::Op::FConvert, half, vec![Operand::IdRef(float)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By the format (IEEE 754): zeros, the normal numbers and the infinities, and nothing else.
    #[test]
    fn constants_that_every_device_converts() {
        let converts =
            |bits: u64| is_converted_exactly(&Constant::Bits { ty: Type::F16, lanes: [bits].into_iter().collect() });
        assert!([0x0000, 0x8000, 0x0400, 0x3C00, 0xC000, 0x7BFF, 0x7C00, 0xFC00].into_iter().all(converts));
        assert!(![0x0001, 0x83FF, 0x7C01, 0x7E00, 0xFFFF].into_iter().any(converts));
    }
}
