//! Kernels: how their arguments are passed, and their attributes.

use crate::context::ModuleReader;
use crate::decode::Instruction;
use crate::error::Result;
use crate::function::memory::align_at;
use crate::function::widened::check_argument;
use crate::function::{Item, Known, Parts, body};
use crate::tables::FunctionDef;
use crate::types::{Kind, Leaf};
use clforge_basic::argument_info::{AccessQualifier, AddressQualifier, TypeQualifiers};
use clforge_basic::source::Span;
use clforge_ir::{
    ArgumentInfo, Builder, CompareOp, Function, FunctionId, KernelArgument, KernelInfo, KernelParameter, Op, Opaque,
    ScalarType, Space, Type, Value,
};
use rspirv::spirv::{Decoration, ExecutionMode, FunctionControl, FunctionParameterAttribute as Attribute};
use smallvec::smallvec;

/// A parameter in the IR, and how the module's parameter is made of it.
enum Passed {
    Direct,
    /// A `bool`, as a byte.
    Byte,
    /// A structure that the module takes as a value, at a private address.
    Loaded(Vec<Leaf>, u64),
}

/// Reads the kernel of an entry point.
pub fn kernel<'w>(m: &mut ModuleReader<'w, '_>, def: &FunctionDef<'w>, name: &str) -> Result<Function> {
    let mut function = Function::new(name);
    function.exported = true;
    function.inline = inline(&def.at)?;
    if m.tables.types.get(&def.at, def.result)?.kind != Kind::Void {
        return Err(def.at.invalid("a kernel with a result"));
    }
    let mut info = attributes(m, def)?;
    let types = facts_of_arguments(m, "kernel_arg_type.", name, def.params.len());
    let qualifiers = facts_of_arguments(m, "kernel_arg_type_qual.", name, def.params.len());
    let mut params: Vec<(u32, u32, Value, Passed)> = Vec::new();
    for (index, (param, ty)) in def.params.iter().zip(&def.param_types).enumerate() {
        let (kind, param_type, passed) = parameter(m, param, *ty)?;
        let value = function.add_param(param_type);
        params.push((param.result, *ty, value, passed));
        let type_name = types.get(index).cloned().unwrap_or_default();
        let written = qualifiers.get(index).map_or("", String::as_str);
        let info_of = argument_info(m, param, kind, type_name, written);
        info.arguments.push(KernelArgument { kind, info: info_of, layout: None, span: Span::default() });
    }
    info.attributes = spelled(&info);
    function.kernel = Some(info);
    if def.body.0 == def.body.1 {
        return Err(def.at.invalid("a kernel without body"));
    }
    body::body(m, def, &mut function, |reader| {
        for (id, ty, value, passed) in params {
            let parts: Parts = match passed {
                Passed::Direct => smallvec![value],
                Passed::Byte => smallvec![reader.b.compare_int(CompareOp::Ne, value, 0)],
                Passed::Loaded(leaves, align) => {
                    let load = |leaf: Leaf| {
                        let place = reader.b.offset(value, clforge_basic::narrow::to_i64(leaf.offset));
                        reader.load(place, leaf.ty, align_at(align, leaf.offset), false)
                    };
                    leaves.into_iter().map(load).collect()
                }
            };
            reader.fixed.insert(id, Known { ty, item: Item::Parts(parts) });
        }
        Ok(())
    })?;
    Ok(function)
}

/// The kernel of a function that is enqueued: the function itself where it is an entry point, or else one that calls it.
pub fn block<'w>(
    m: &mut ModuleReader<'w, '_>,
    def: &FunctionDef<'w>,
    name: String,
    callee: Option<FunctionId>,
) -> Result<Function> {
    let mut function = Function::new(name);
    function.exported = true;
    if m.tables.types.get(&def.at, def.result)?.kind != Kind::Void {
        return Err(def.at.invalid("a function with a result is enqueued"));
    }
    if def.params.is_empty() || def.body.0 == def.body.1 {
        return Err(def.at.invalid("a function without an object or without a body is enqueued"));
    }
    let mut info = if callee.is_none() { attributes(m, def)? } else { KernelInfo::default() };
    info.is_block = true;
    let mut params = Vec::new();
    for (index, (param, ty)) in def.params.iter().zip(&def.param_types).enumerate() {
        let (kind, param_type) = match (&m.tables.types.get(param, *ty)?.kind, index) {
            (Kind::Pointer { space: Some(space @ Space::Generic), .. }, 0) => {
                (KernelParameter::Pointer(*space), Type::ptr(*space))
            }
            (Kind::Pointer { space: Some(Space::Local), .. }, 1..) => {
                let (kind, ty, _) = parameter(m, param, *ty)?;
                (kind, ty)
            }
            _ => return Err(param.invalid("a parameter that a function which is enqueued cannot have")),
        };
        params.push((param.result, *ty, function.add_param(param_type)));
        let info_of = ArgumentInfo::default();
        info.arguments.push(KernelArgument { kind, info: info_of, layout: None, span: Span::default() });
    }
    function.kernel = Some(info);
    match callee {
        Some(callee) => {
            let values: Vec<Value> = params.iter().map(|(.., value)| *value).collect();
            let mut b = Builder::new(&mut function);
            b.call(callee, &values, None);
            b.effect(Op::Return(None));
        }
        None => body::body(m, def, &mut function, |reader| {
            let known = |(id, ty, value)| (id, Known { ty, item: Item::Parts(smallvec![value]) });
            reader.fixed.extend(params.into_iter().map(known));
            Ok(())
        })?,
    }
    Ok(function)
}

/// How a parameter is passed, and its type in the IR.
fn parameter(m: &ModuleReader<'_, '_>, param: &Instruction<'_>, ty: u32) -> Result<(KernelParameter, Type, Passed)> {
    let info = m.tables.types.get(param, ty)?;
    let small = |bytes: u64| u32::try_from(bytes).map_err(|_| param.limit(format!("a parameter of {bytes} bytes")));
    check_argument(m, param, ty)?;
    let declared = m.tables.fact(param.result, Decoration::Alignment).and_then(|operands| operands.first()).copied();
    let declared = declared.filter(|align| align.is_power_of_two());
    match &info.kind {
        Kind::Pointer { space: Some(Space::Private), pointee: Some(pointee) } => {
            let by_value = has_attribute(m, param.result, Attribute::ByVal);
            if !by_value {
                return Err(param.unsupported("a kernel's parameter that is a private pointer and not a structure"));
            }
            let record = m.tables.types.get(param, *pointee)?;
            let align = declared.map_or(small(record.align)?, |align| align);
            let kind = KernelParameter::ByValue { size: small(record.size)?, align };
            Ok((kind, Type::ptr(Space::Private), Passed::Direct))
        }
        Kind::Pointer { space: Some(Space::Local), pointee } => {
            let pointee = pointee.map(|pointee| m.tables.types.get(param, pointee)).transpose()?;
            let (size, align) = pointee.map_or((1, 1), |pointee| (pointee.size.max(1), pointee.align));
            let kind = KernelParameter::Local { element_size: small(size)?, align: small(align)? };
            Ok((kind, Type::ptr(Space::Local), Passed::Direct))
        }
        Kind::Pointer { space: Some(space @ (Space::Global | Space::Constant)), .. } => {
            Ok((KernelParameter::Pointer(*space), Type::ptr(*space), Passed::Direct))
        }
        Kind::Value(ty) => match ty.scalar {
            ScalarType::Opaque(_) => Ok((KernelParameter::Opaque(*ty), *ty, Passed::Direct)),
            ScalarType::Bool if !ty.is_vector() => Ok((KernelParameter::Value(Type::I8), Type::I8, Passed::Byte)),
            ScalarType::Bool => Err(param.unsupported("a kernel's parameter of several bools")),
            _ => Ok((KernelParameter::Value(*ty), *ty, Passed::Direct)),
        },
        Kind::Struct { .. } | Kind::Array { .. } => {
            let leaves = m.tables.types.leaves(param, ty)?;
            let kind = KernelParameter::ByValue { size: small(info.size)?, align: small(info.align)? };
            Ok((kind, Type::ptr(Space::Private), Passed::Loaded(leaves, info.align)))
        }
        Kind::Named(what) => Err(param.unsupported(format!("a kernel's parameter that is {what} is not supported"))),
        _ => Err(param.unsupported("a kernel's parameter of this type is not supported")),
    }
}

/// Whether a parameter has an attribute.
pub fn has_attribute(m: &ModuleReader<'_, '_>, id: u32, attribute: Attribute) -> bool {
    let attributes = m.tables.facts(id).iter().filter(|fact| fact.kind == Decoration::FuncParamAttr);
    attributes.flat_map(|fact| fact.operands.first()).any(|number| *number == attribute as u32)
}

/// What LLVM's translator and this compiler write into strings of a module: a word for each parameter of a kernel, behind a
/// prefix and the kernel's name.
fn facts_of_arguments(m: &ModuleReader<'_, '_>, prefix: &str, kernel: &str, count: usize) -> Vec<String> {
    let head = format!("{prefix}{kernel}.");
    let found = m.tables.facts_of_kernels.range(head.clone()..).next();
    let Some(list) = found.and_then(|string| string.strip_prefix(&head)) else { return Vec::new() };
    let words: Vec<String> = list.split_terminator(',').map(str::to_owned).collect();
    if words.len() == count { words } else { Vec::new() }
}

fn argument_info(
    m: &ModuleReader<'_, '_>,
    param: &Instruction<'_>,
    kind: KernelParameter,
    type_name: String,
    qualifiers: &str,
) -> ArgumentInfo {
    let address = match kind {
        KernelParameter::Pointer(Space::Constant) => AddressQualifier::Constant,
        KernelParameter::Pointer(_) => AddressQualifier::Global,
        KernelParameter::Local { .. } => AddressQualifier::Local,
        KernelParameter::Opaque(Type {
            scalar: ScalarType::Opaque(Opaque::Image(_) | Opaque::Pipe { .. }), ..
        }) => AddressQualifier::Global,
        _ => AddressQualifier::Private,
    };
    let access = match kind {
        KernelParameter::Opaque(Type { scalar: ScalarType::Opaque(Opaque::Image(image)), .. }) => image.access.into(),
        KernelParameter::Opaque(Type { scalar: ScalarType::Opaque(Opaque::Pipe { write, .. }), .. }) => {
            if write {
                AccessQualifier::WriteOnly
            } else {
                AccessQualifier::ReadOnly
            }
        }
        _ => AccessQualifier::None,
    };
    let mut type_qualifiers = TypeQualifiers::empty();
    let is_pipe =
        matches!(kind, KernelParameter::Opaque(ty) if matches!(ty.scalar, ScalarType::Opaque(Opaque::Pipe { .. })));
    type_qualifiers.set(TypeQualifiers::PIPE, is_pipe);
    for word in qualifiers.split_whitespace() {
        if let Some((bit, _)) = TypeQualifiers::KEYWORDS.iter().find(|(_, keyword)| *keyword == word) {
            type_qualifiers |= *bit;
        }
    }
    if has_attribute(m, param.result, Attribute::NoAlias) {
        type_qualifiers |= TypeQualifiers::RESTRICT;
    }
    if m.tables.fact(param.result, Decoration::Volatile).is_some() {
        type_qualifiers |= TypeQualifiers::VOLATILE;
    }
    ArgumentInfo {
        name: m.tables.names.get(&param.result).cloned().unwrap_or_default(),
        type_name,
        address_qualifier: address.number(),
        access_qualifier: access.number(),
        type_qualifiers: type_qualifiers.bits(),
    }
}

/// What the execution modes say.
fn attributes(m: &ModuleReader<'_, '_>, def: &FunctionDef<'_>) -> Result<KernelInfo> {
    let mut info = KernelInfo::default();
    for fact in m.tables.modes(def.at.result) {
        let number = |index: usize| {
            let word = fact.operands.get(index).copied();
            word.ok_or_else(|| def.at.invalid(format!("{:?} without its numbers", fact.kind)))
        };
        let constant = |index: usize| {
            let value = m.tables.computed_integer(number(index)?);
            let word = value.and_then(|value| u32::try_from(value).ok());
            word.ok_or_else(|| def.at.invalid(format!("{:?} of what is no constant", fact.kind)))
        };
        match fact.kind {
            ExecutionMode::LocalSize => info.required_work_group_size = Some([number(0)?, number(1)?, number(2)?]),
            ExecutionMode::LocalSizeId => {
                info.required_work_group_size = Some([constant(0)?, constant(1)?, constant(2)?]);
            }
            ExecutionMode::LocalSizeHint => info.work_group_size_hint = Some([number(0)?, number(1)?, number(2)?]),
            ExecutionMode::LocalSizeHintId => {
                info.work_group_size_hint = Some([constant(0)?, constant(1)?, constant(2)?]);
            }
            ExecutionMode::SubgroupSize => info.required_sub_group_size = Some(number(0)?),
            ExecutionMode::VecTypeHint => info.vec_type_hint = vector_type(number(0)?),
            // Sums are fused only where the module says so (`mad`), and rounded as OpenCL has it.
            ExecutionMode::ContractionOff | ExecutionMode::DenormPreserve | ExecutionMode::DenormFlushToZero => {}
            ExecutionMode::SignedZeroInfNanPreserve | ExecutionMode::RoundingModeRTE => {}
            // Hints.
            ExecutionMode::SubgroupsPerWorkgroup | ExecutionMode::SubgroupsPerWorkgroupId => {}
            ExecutionMode::MaxWorkgroupSizeINTEL | ExecutionMode::MaxWorkDimINTEL => {}
            ExecutionMode::NoGlobalOffsetINTEL | ExecutionMode::NumSIMDWorkitemsINTEL => {}
            ExecutionMode::SchedulerTargetFmaxMhzINTEL | ExecutionMode::MaximumRegistersINTEL => {}
            // A permission.
            ExecutionMode::FPFastMathDefault => {}
            // Kernels that programs run by their names, as clang has it: OpenCL 3.0 runs none by itself.
            ExecutionMode::Initializer | ExecutionMode::Finalizer => {}
            kind => {
                let reason = match format!("{kind:?}").starts_with("RoundingMode") {
                    true => ": operations round to the nearest value",
                    false => "",
                };
                return Err(def.at.unsupported(format!("the execution mode {kind:?} is not supported{reason}")));
            }
        }
    }
    if info.required_work_group_size.is_some_and(|size| size.contains(&0)) {
        return Err(def.at.invalid("a work-group size of 0"));
    }
    Ok(info)
}

/// The type of `VecTypeHint`: lanes in the upper half, and the number of a scalar.
fn vector_type(number: u32) -> Option<Type> {
    let scalars = [
        ScalarType::I8,
        ScalarType::I16,
        ScalarType::I32,
        ScalarType::I64,
        ScalarType::F16,
        ScalarType::F32,
        ScalarType::F64,
    ];
    let scalar = scalars.get((number & 0xffff) as usize)?;
    match number >> 16 {
        0 | 1 => Some(Type::scalar(*scalar)),
        2 => Some(Type::vector(*scalar, 2)),
        3 => Some(Type::vector(*scalar, 3)),
        4 => Some(Type::vector(*scalar, 4)),
        8 => Some(Type::vector(*scalar, 8)),
        16 => Some(Type::vector(*scalar, 16)),
        _ => None,
    }
}

/// As `CL_KERNEL_ATTRIBUTES` spells them.
fn spelled(info: &KernelInfo) -> String {
    let mut list = Vec::new();
    if let Some([x, y, z]) = info.required_work_group_size {
        list.push(format!("reqd_work_group_size({x},{y},{z})"));
    }
    if let Some([x, y, z]) = info.work_group_size_hint {
        list.push(format!("work_group_size_hint({x},{y},{z})"));
    }
    if let Some(ty) = info.vec_type_hint {
        let scalar = match ty.scalar {
            ScalarType::I8 => "char",
            ScalarType::I16 => "short",
            ScalarType::I32 => "int",
            ScalarType::I64 => "long",
            ScalarType::F16 => "half",
            ScalarType::F32 => "float",
            _ => "double",
        };
        let lanes = if ty.lanes > 1 { ty.lanes.to_string() } else { String::new() };
        list.push(format!("vec_type_hint({scalar}{lanes})"));
    }
    if let Some(size) = info.required_sub_group_size {
        list.push(format!("intel_reqd_sub_group_size({size})"));
    }
    list.join(" ")
}

/// What a function's control says about inlining.
pub fn inline(at: &Instruction<'_>) -> Result<Option<bool>> {
    /// `OptNoneEXT`: compilers that do not optimise forbid inlining of all functions with it.
    const OPT_NONE: u32 = 0x10000;
    let control = FunctionControl::from_bits_retain(at.operand(0)?);
    Ok(match control {
        _ if control.bits() & OPT_NONE != 0 => None,
        _ if control.contains(FunctionControl::INLINE) => Some(true),
        _ if control.contains(FunctionControl::DONT_INLINE) => Some(false),
        _ => None,
    })
}
