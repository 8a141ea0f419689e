//! Intrinsics as instructions of `OpenCL.std`.

use super::{OpenCl, class};
use crate::emit::common::FunctionEmitter;
use clforge_basic::options::AddressBits;
use clforge_ir::error::{Api, Unsupported};
use clforge_ir::{Error, Inst, Intrinsic, Type, Values};
use rspirv::dr::Operand;
use rspirv::grammar::OPENCL_STD_100_INSTRUCTION_TABLE;
use rspirv::spirv::{self, FPRoundingMode, Word};

impl OpenCl<'_> {
    /// An integer of 64 bits as `size_t`.
    fn as_size(&self, f: &mut FunctionEmitter<'_>, id: Word) -> Result<Word, Error> {
        match self.address_bits {
            AddressBits::Bits32 => {
                let size = f.m.scalar(self.size_type());
                f.push(spirv::Op::UConvert, size, vec![Operand::IdRef(id)])
            }
            AddressBits::Bits64 => Ok(id),
        }
    }

    /// An intrinsic as an instruction of `OpenCL.std`.
    pub(super) fn intrinsic(
        &mut self,
        f: &mut FunctionEmitter<'_>,
        intrinsic: Intrinsic,
        args: &Values,
        inst: &Inst,
    ) -> Result<(), Error> {
        let name = intrinsic.name();
        let unsupported = || Error::unsupported(Unsupported::Builtin { name, ty: None, api: Some(Api::OpenCl) });
        let number = instruction(intrinsic).ok_or_else(unsupported)?;
        let mut operands = vec![Operand::IdRef(self.extended), Operand::LiteralExtInstInteger(number)];
        for arg in args {
            let mut id = f.id(self, *arg);
            if let (Some(space), Some(pointee)) = (f.function.ty(*arg).space(), intrinsic.pointee()) {
                let pointee = f.m.stored_scalar(pointee);
                let pointer = f.m.pointer(class(space), pointee);
                id = f.push(spirv::Op::Bitcast, pointer, vec![Operand::IdRef(id)])?;
            }
            // The offset of 'vload_half' and 'vstore_half'.
            if intrinsic.half_access().is_some() && f.function.ty(*arg) == Type::I64 {
                id = self.as_size(f, id)?;
            }
            operands.push(Operand::IdRef(id));
        }
        operands.extend(rounding(intrinsic).map(Operand::FPRoundingMode));
        let (id, ty) = match inst.results.first() {
            Some(result) => (f.id(self, *result), f.type_of(self, *result)),
            None => (f.m.id(), f.m.void()),
        };
        f.push_as(id, spirv::Op::ExtInst, ty, operands)
    }
}

/// The instruction of an intrinsic, which has its name; `None` for intrinsics that modules for OpenCL do not have.
fn instruction(intrinsic: Intrinsic) -> Option<u32> {
    let name = match rounding(intrinsic) {
        // The mode is an operand.
        Some(_) => "vstore_half_r",
        None => intrinsic.name(),
    };
    let mut all = OPENCL_STD_100_INSTRUCTION_TABLE.iter().filter(|_| intrinsic.is_of_opencl());
    all.find(|known| known.opname == name).map(|known| known.opcode.into())
}

/// The rounding mode that is a literal operand of the instruction.
fn rounding(intrinsic: Intrinsic) -> Option<FPRoundingMode> {
    Some(match intrinsic {
        Intrinsic::VstoreHalfRte => FPRoundingMode::RTE,
        Intrinsic::VstoreHalfRtz => FPRoundingMode::RTZ,
        Intrinsic::VstoreHalfRtp => FPRoundingMode::RTP,
        Intrinsic::VstoreHalfRtn => FPRoundingMode::RTN,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intrinsics_of_opencl_have_instructions() {
        for intrinsic in Intrinsic::ALL {
            assert_eq!(instruction(*intrinsic).is_some(), intrinsic.is_of_opencl(), "{}", intrinsic.name());
        }
    }
}
