//! The attributes of kernels in a module: hints, and what `clGetKernelArgInfo` returns.

use crate::emit::common::ModuleBuilder;
use clforge_basic::argument_info::TypeQualifiers;
use clforge_ir::error::{TargetFeature, Unsupported};
use clforge_ir::{Error, KernelArgument, KernelInfo, KernelParameter, ScalarType, Type};
use rspirv::dr::Operand;
use rspirv::spirv::{Capability, Decoration, ExecutionMode, FunctionParameterAttribute as Attribute, Word};

/// Execution modes of a kernel's attributes that only OpenCL has.
///
/// # Errors
/// What the module's version of SPIR-V lacks.
pub fn hints(m: &mut ModuleBuilder, id: Word, kernel: &KernelInfo) -> Result<(), Error> {
    if let Some(ty) = kernel.vec_type_hint {
        m.b.execution_mode(id, ExecutionMode::VecTypeHint, [vector_type(ty)]);
    }
    if let Some(size) = kernel.required_sub_group_size {
        if !m.at_least(1, 1) {
            let feature = TargetFeature::RequiredSubGroupSize;
            return Err(Error::unsupported(Unsupported::LaterTarget { feature }));
        }
        m.capability(Capability::SubgroupDispatch);
        m.b.execution_mode(id, ExecutionMode::SubgroupSize, [size]);
    }
    Ok(())
}

/// The number SPIR-V has for a type (3.6, `VecTypeHint`): lanes in the upper half, 0 for scalars.
fn vector_type(ty: Type) -> u32 {
    let scalar = match ty.scalar {
        ScalarType::I8 => 0,
        ScalarType::I16 => 1,
        ScalarType::I32 => 2,
        ScalarType::I64 => 3,
        ScalarType::F16 => 4,
        ScalarType::F32 => 5,
        _ => 6,
    };
    let lanes = if ty.lanes > 1 { u32::from(ty.lanes) } else { 0 };
    lanes << 16 | scalar
}

/// The words of type qualifiers, in the order in which LLVM writes them.
const LLVM_QUALIFIERS: [(TypeQualifiers, &str); 4] = [
    (TypeQualifiers::PIPE, "pipe"),
    (TypeQualifiers::RESTRICT, "restrict"),
    (TypeQualifiers::CONST, "const"),
    (TypeQualifiers::VOLATILE, "volatile"),
];

/// Types and type qualifiers of the parameters, in strings of the form that LLVM's SPIR-V translator reads.
pub fn argument_strings(m: &mut ModuleBuilder, name: &str, arguments: &[KernelArgument]) {
    // The kernels of blocks have no parameters of the program.
    if arguments.iter().any(|argument| argument.info.type_name.is_empty()) {
        return;
    }
    let (mut types, mut qualifiers) = (format!("kernel_arg_type.{name}."), format!("kernel_arg_type_qual.{name}."));
    for argument in arguments {
        types.push_str(&argument.info.type_name);
        types.push(',');
        let present = TypeQualifiers::from_bits_truncate(argument.info.type_qualifiers);
        let words: Vec<&str> = LLVM_QUALIFIERS
            .iter()
            .filter(|(qualifier, _)| present.contains(*qualifier))
            .map(|(_, word)| *word)
            .collect();
        qualifiers.push_str(&words.join(" "));
        qualifiers.push(',');
    }
    m.b.string(types);
    m.b.string(qualifiers);
}

/// The attributes of a parameter: how it is passed, `restrict` and `volatile`.
pub fn argument_decorations(m: &mut ModuleBuilder, id: Word, argument: &KernelArgument) {
    let mut attribute = |attribute: Attribute| {
        m.decorate(id, Decoration::FuncParamAttr, [Operand::FunctionParameterAttribute(attribute)]);
    };
    match argument.kind {
        KernelParameter::ByValue { align, .. } => {
            attribute(Attribute::ByVal);
            m.decorate(id, Decoration::Alignment, [Operand::LiteralBit32(align)]);
        }
        KernelParameter::Value(Type { scalar: ScalarType::I8 | ScalarType::I16, lanes: 1 }) => {
            match argument.info.type_name.as_str() {
                "char" | "short" => attribute(Attribute::Sext),
                "uchar" | "ushort" => attribute(Attribute::Zext),
                _ => {}
            }
        }
        KernelParameter::Pointer(_) | KernelParameter::Local { .. } => {
            let present = TypeQualifiers::from_bits_truncate(argument.info.type_qualifiers);
            if present.contains(TypeQualifiers::RESTRICT) {
                attribute(Attribute::NoAlias);
            }
            if present.contains(TypeQualifiers::VOLATILE) {
                m.decorate(id, Decoration::Volatile, []);
            }
        }
        _ => {}
    }
}
