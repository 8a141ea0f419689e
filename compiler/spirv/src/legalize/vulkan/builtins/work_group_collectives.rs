//! Collective functions of work-groups become calls of library functions that communicate through local memory, or operations
//! of sub-groups.

use super::work_group_sub_groups;
use clforge_basic::narrow::to_u32;
use clforge_basic::options::AddressBits;
use clforge_ir::error::{Api, Unsupported};
use clforge_ir::*;

/// The library function of an operation.
///
/// # Errors
/// The operation, where there is none: modules can have types that OpenCL C does not have here.
pub fn library_function(function: &Function, op: GroupOp) -> Result<&'static str, Error> {
    let scalar = op.value().map_or(ScalarType::I32, |value| function.ty(value).scalar);
    let unknown = || {
        let (name, ty) = (built_in(op), Some(Type::scalar(scalar)));
        Error::unsupported(Unsupported::Builtin { name, ty, api: Some(Api::Vulkan) })
    };
    let function = name(op, scalar).ok_or_else(unknown)?;
    clforge_library::library_function(&function).ok_or_else(unknown)
}

/// The built-in function of OpenCL C that has the operation, for messages.
fn built_in(op: GroupOp) -> &'static str {
    match op {
        GroupOp::All { .. } => "work_group_all",
        GroupOp::Any { .. } => "work_group_any",
        GroupOp::Broadcast { .. } => "work_group_broadcast",
        GroupOp::Arithmetic { extent: GroupExtent::Reduce, .. } => "work_group_reduce",
        GroupOp::Arithmetic { extent: GroupExtent::Inclusive, .. } => "work_group_scan_inclusive",
        GroupOp::Arithmetic { extent: GroupExtent::Exclusive, .. } => "work_group_scan_exclusive",
        _ => "an operation of sub-groups in a work-group",
    }
}

fn name(op: GroupOp, scalar: ScalarType) -> Option<String> {
    use GroupArithmetic as A;
    let (op, extent) = match op {
        GroupOp::All { .. } => return Some("__clforge_work_group_reduce_min_u32".into()),
        GroupOp::Any { .. } => return Some("__clforge_work_group_reduce_max_u32".into()),
        GroupOp::Broadcast { .. } => return Some(format!("__clforge_work_group_broadcast_i{}", scalar.bits())),
        GroupOp::Arithmetic { op, extent, .. } => (op, extent),
        _ => return None,
    };
    let extent = match extent {
        GroupExtent::Reduce => "reduce",
        GroupExtent::Inclusive => "scan_inclusive",
        GroupExtent::Exclusive => "scan_exclusive",
    };
    let (operation, letter) = match op {
        A::Add => ("add", 'i'),
        A::FAdd => ("add", 'f'),
        A::SMin => ("min", 'i'),
        A::UMin => ("min", 'u'),
        A::FMin => ("min", 'f'),
        A::SMax => ("max", 'i'),
        A::UMax => ("max", 'u'),
        A::FMax => ("max", 'f'),
        A::Mul => ("mul", 'i'),
        A::FMul => ("mul", 'f'),
        A::And => ("and", 'i'),
        A::Or => ("or", 'i'),
        A::Xor => ("xor", 'i'),
    };
    // Truth values travel as integers.
    let bits = if scalar == ScalarType::Bool { 32 } else { scalar.bits() };
    Some(format!("__clforge_work_group_{extent}_{operation}_{letter}{bits}"))
}

/// Creates the local memory that all calls share: two of the widest value for each work-item of the group.
pub fn scratch(module: &mut Module) -> Option<GlobalId> {
    let mut widest = 0;
    for function in &module.functions {
        for inst in &function.insts {
            if let Op::Group { scope: Scope::WorkGroup, op, .. } = &inst.op {
                let value = op.value().map_or(Type::I32, |value| function.ty(value));
                widest = widest.max(value.scalar.bytes()).max(4);
            }
        }
    }
    if widest == 0 {
        return None;
    }
    Some(module.globals.push_and_get_key(Global {
        name: "work_group_scratch".into(),
        space: Space::Local,
        size: 0,
        align: widest,
        init: None,
        relocations: Vec::new(),
        exported: false,
        once: false,
        imported: false,
        size_argument: None,
        per_work_item: to_u32(2 * widest),
        span: Default::default(),
    }))
}

/// What a collective function is made of.
pub enum Provider {
    /// A library function, and the type of its result.
    Library((FunctionId, Option<Type>)),
    /// Operations of sub-groups, for a reduction or a scan.
    SubGroups((GroupArithmetic, GroupExtent)),
}

/// The value that replaces a collective function.
///
/// # Errors
/// Internal ones only.
pub fn replace(
    b: &mut Builder<'_>,
    op: GroupOp,
    provider: Provider,
    (scratch, address_bits): (GlobalId, AddressBits),
) -> Result<Value, Error> {
    let value = op.value().or_internal("a work-group function without operand")?;
    let ty = b.ty(value);
    let id = match op {
        GroupOp::Broadcast { id, .. } => Some(linear_id(b, id)),
        _ => None,
    };
    let carried = match op {
        _ if ty == Type::BOOL => b.convert(ConvertOp::ZExt, value, Type::I32),
        GroupOp::Broadcast { .. } => b.bitcast(value, Type::scalar(ScalarType::int(ty.scalar.bits()))),
        _ => value,
    };
    let value = match provider {
        Provider::SubGroups(arithmetic) => work_group_sub_groups::expand(b, arithmetic, carried, scratch),
        Provider::Library((callee, result)) => {
            let mut operands = vec![carried];
            operands.extend(id);
            operands.push(b.emit(Op::GlobalAddress(scratch), Type::pointer(Space::Local, address_bits)));
            b.call(callee, &operands, result).or_internal("a work-group function without result")?
        }
    };
    if ty == Type::BOOL {
        let zero = b.int(Type::I32, 0);
        return Ok(b.compare(CompareOp::Ne, value, zero));
    }
    Ok(b.bitcast(value, ty))
}

/// The local linear id of the work-item with these local ids.
fn linear_id(b: &mut Builder<'_>, ids: Value) -> Value {
    let mut linear = b.extract(ids, 0);
    let mut stride = None;
    for dim in 1..b.ty(ids).lanes {
        let size = b.emit(Op::WorkItem { query: WorkItemQuery::LocalSize, dim: dim - 1 }, Type::I64);
        let so_far = stride.map_or(size, |stride| b.binary(BinaryOp::Mul, stride, size));
        stride = Some(so_far);
        let id = b.extract(ids, dim);
        let offset = b.binary(BinaryOp::Mul, id, so_far);
        linear = b.binary(BinaryOp::Add, linear, offset);
    }
    linear
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_library_lacks_is_named() {
        let mut function = Function::new("f");
        let value = function.add_param(Type::I8);
        let error = |op| library_function(&function, op).expect_err("unknown").to_string();
        let scan = GroupOp::Arithmetic { op: GroupArithmetic::Add, extent: GroupExtent::Exclusive, value };
        assert_eq!(error(scan), "'work_group_scan_exclusive' on i8 is not supported yet for Vulkan");
        let cluster = GroupOp::ClusteredArithmetic { op: GroupArithmetic::Add, value, cluster_size: value };
        assert_eq!(
            error(cluster),
            "'an operation of sub-groups in a work-group' on i8 is not supported yet for Vulkan"
        );
    }
}
