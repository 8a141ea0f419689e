//! Kernels: the passing of their parameters, and their attributes.

use super::types::{in_memory, is_aggregate, space, value_type};
use super::{ModuleLowering, layout};
use clforge_basic::argument_info::{AccessQualifier, AddressQualifier, TypeQualifiers};
use clforge_ir::error::Limited;
use clforge_ir::{
    ArgumentInfo, Error, KernelArgument, KernelInfo, KernelParameter, OrInternal, ScalarType, Space, Type,
};
use clforge_sema::hir::{self, Ty, TyKind};
use clforge_syntax::ast::{AddressSpace, Qualifiers};

/// The kernel facts of a function that is one.
pub(super) fn info(module: &mut ModuleLowering<'_, '_>, function: &hir::Function<'_>) -> Option<KernelInfo> {
    let kernel = function.kernel.as_ref()?;
    let mut arguments = Vec::with_capacity(function.parameter_count as usize);
    for (index, local) in function.variables.iter().take(function.parameter_count as usize).enumerate() {
        let kind = parameter(module, local).unwrap_or_else(|error| {
            module.report(&error.at(local.span));
            KernelParameter::Value(Type::I32)
        });
        let info = argument_info(module, local.ty.ty, kernel.parameters.get(index));
        let layout = layout::argument(module, local.ty.ty, &info.type_name);
        arguments.push(KernelArgument { kind, info, layout, span: local.span });
    }
    Some(KernelInfo {
        required_work_group_size: kernel.required_work_group_size,
        work_group_size_hint: kernel.work_group_size_hint,
        required_sub_group_size: kernel.required_sub_group_size,
        vec_type_hint: kernel.vec_type_hint.and_then(|ty| value_type(module.types, ty)),
        is_block: false,
        references: Vec::new(),
        arguments,
        attributes: attributes(module, kernel),
    })
}

/// How the argument of a kernel's parameter is passed.
fn parameter(module: &ModuleLowering<'_, '_>, local: &hir::PrivateVariable) -> Result<KernelParameter, Error> {
    let (types, ty) = (module.types, local.ty.ty);
    let alignment = |align: u64| u32::try_from(align).or_internal("an alignment of more than 32 bits");
    if is_aggregate(types, ty) {
        // Sema knows the limit of variables.
        let size = u32::try_from(types.size_of(ty).unwrap_or(0)).or_internal("a record of more than 32 bits")?;
        return Ok(KernelParameter::ByValue { size, align: alignment(local.align.max(types.align_of(ty)))? });
    }
    if let TyKind::Pointer(pointee) = types.kind(ty) {
        return Ok(match space(pointee.space) {
            Space::Local => {
                let size = types.size_of(pointee.ty).unwrap_or(1);
                let element_size = u32::try_from(size).map_err(|_| {
                    let parameter = module.interner.text(local.name).into();
                    Error::limit(Limited::LocalPointee { parameter }, size, u32::MAX)
                })?;
                KernelParameter::Local { element_size, align: alignment(types.align_of(pointee.ty))? }
            }
            space => KernelParameter::Pointer(space),
        });
    }
    Ok(match value_type(types, ty) {
        Some(ty) if matches!(ty.scalar, ScalarType::Opaque(_)) => KernelParameter::Opaque(ty),
        other => KernelParameter::Value(in_memory(other.unwrap_or(Type::I32))),
    })
}

fn argument_info(module: &ModuleLowering<'_, '_>, ty: Ty, source: Option<&hir::KernelParameter>) -> ArgumentInfo {
    let Some(source) = source else { return ArgumentInfo::default() };
    let mut type_qualifiers = TypeQualifiers::empty();
    for (qualifier, bit) in [
        (Qualifiers::CONST, TypeQualifiers::CONST),
        (Qualifiers::RESTRICT, TypeQualifiers::RESTRICT),
        (Qualifiers::VOLATILE, TypeQualifiers::VOLATILE),
    ] {
        type_qualifiers.set(bit, source.qualifiers.contains(qualifier));
    }
    type_qualifiers.set(TypeQualifiers::PIPE, matches!(module.types.kind(ty), TyKind::Pipe(..)));
    let access_qualifier = match module.types.kind(ty) {
        TyKind::Image(_, access) | TyKind::Pipe(_, access) => access.into(),
        _ => AccessQualifier::None,
    };
    let address_qualifier = match source.address_space {
        AddressSpace::Global => AddressQualifier::Global,
        AddressSpace::Local => AddressQualifier::Local,
        AddressSpace::Constant => AddressQualifier::Constant,
        AddressSpace::Private | AddressSpace::Generic => AddressQualifier::Private,
    };
    ArgumentInfo {
        name: source.name.clone(),
        type_name: source.type_name.clone(),
        address_qualifier: address_qualifier.number(),
        access_qualifier: access_qualifier.number(),
        type_qualifiers: type_qualifiers.bits(),
    }
}

/// As `CL_KERNEL_ATTRIBUTES` spells them.
fn attributes(module: &ModuleLowering<'_, '_>, kernel: &hir::KernelAttributes) -> String {
    let mut list = Vec::new();
    if let Some([x, y, z]) = kernel.required_work_group_size {
        list.push(format!("reqd_work_group_size({x},{y},{z})"));
    }
    if let Some([x, y, z]) = kernel.work_group_size_hint {
        list.push(format!("work_group_size_hint({x},{y},{z})"));
    }
    if let Some((scalar, lanes)) = kernel.vec_type_hint.and_then(|ty| module.types.lanes(ty)) {
        let lanes = if lanes > 1 { lanes.to_string() } else { String::new() };
        list.push(format!("vec_type_hint({}{lanes})", scalar.name()));
    }
    if let Some(size) = kernel.required_sub_group_size {
        list.push(format!("intel_reqd_sub_group_size({size})"));
    }
    list.join(" ")
}
