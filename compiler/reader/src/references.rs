//! The pointers, images and samplers in the objects of blocks ([`KernelInfo::references`](clforge_ir::KernelInfo)): what
//! functions that enqueue a block store into its object, and what its kernel loads from it. Types of the module say it
//! only where the object is declared with its type.

use clforge_ir::{ConvertOp, Function, FunctionId, Module, Op, Opaque, ScalarType, Type, Value, ValueDef};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// Bytes of a pointer, an image or a sampler.
const BYTES: u64 = 8;
/// Most steps from an address to the object that it is in.
const MAX_STEPS: usize = 64;

/// The pointers, images and samplers in an object, by their bytes.
type Members = BTreeMap<u64, Type>;

/// What a function accesses of objects, by the address of each.
struct Accesses {
    members: FxHashMap<Value, Members>,
    /// What is stored to objects that are stored to once, as values are that several basic blocks use.
    stored: FxHashMap<Value, Value>,
}

/// Finds the references of all kernels of blocks.
pub fn find(module: &mut Module) {
    let mut found: FxHashMap<FunctionId, (u64, Members)> = FxHashMap::default();
    let mut known: FxHashMap<FunctionId, Accesses> = FxHashMap::default();
    for (id, function) in module.functions.iter_enumerated() {
        for inst in &function.insts {
            let Op::Enqueue { kernel, block, size, .. } = inst.op else { continue };
            let accesses = known.entry(id).or_insert_with(|| Accesses::of(function));
            let (object, members) = found.entry(kernel).or_default();
            *object = size.into();
            if let Some((root, 0)) = accesses.root(function, block)
                && let Some(stored) = accesses.members.get(&root)
            {
                members.extend(stored);
            }
        }
    }
    for (kernel, (size, mut members)) in found {
        for passed in of_kernel(module, kernel, &mut known, &mut members) {
            // An image must name its descriptor, so that the kernel has the code. clang's `-O0` forbids that for all functions.
            module.functions[passed].inline = Some(true);
        }
        let inside = members.into_iter().filter(|(offset, _)| offset.is_multiple_of(BYTES) && offset + BYTES <= size);
        let references = inside.filter_map(|(offset, ty)| Some((u32::try_from(offset).ok()?, ty))).collect();
        if let Some(info) = &mut module.functions[kernel].kernel {
            info.references = references;
        }
    }
}

/// What a kernel, and the functions that it passes its object to, access of the object. Returns these functions.
fn of_kernel(
    module: &Module,
    kernel: FunctionId,
    known: &mut FxHashMap<FunctionId, Accesses>,
    members: &mut Members,
) -> Vec<FunctionId> {
    let (mut pending, mut seen) = (vec![(kernel, 0)], FxHashSet::default());
    while let Some((id, index)) = pending.pop() {
        if !seen.insert((id, index)) {
            continue;
        }
        let function = &module.functions[id];
        let Some(object) = function.params.get(index).copied() else { continue };
        let accesses = known.entry(id).or_insert_with(|| Accesses::of(function));
        for (offset, ty) in accesses.members.get(&object).into_iter().flatten() {
            members.entry(*offset).or_insert(*ty);
        }
        for inst in &function.insts {
            let Op::Call { function: callee, args } = &inst.op else { continue };
            let passed = args.iter().enumerate().filter(|(_, arg)| accesses.root(function, **arg) == Some((object, 0)));
            pending.extend(passed.map(|(index, _)| (*callee, index)));
        }
    }
    seen.into_iter().map(|(id, _)| id).filter(|id| *id != kernel).collect()
}

impl Accesses {
    fn of(function: &Function) -> Accesses {
        let mut accesses = Accesses { members: FxHashMap::default(), stored: FxHashMap::default() };
        let mut several = FxHashSet::default();
        for inst in &function.insts {
            if let Op::Store { ptr, value, .. } = inst.op
                && accesses.stored.insert(ptr, value).is_some()
            {
                several.insert(ptr);
            }
        }
        accesses.stored.retain(|ptr, _| !several.contains(ptr) && is_object(function, *ptr));
        for inst in &function.insts {
            let (ptr, ty) = match inst.op {
                // A null pointer is the same in all forms, as that to the function in clang's objects.
                Op::Store { ptr, value, .. } if function.as_constant(value).is_none() => (ptr, function.ty(value)),
                Op::Load { ptr, .. } => match inst.results[..] {
                    [result] => (ptr, function.ty(result)),
                    _ => continue,
                },
                _ => continue,
            };
            if is_reference(ty)
                && let Some((root, offset)) = accesses.root(function, ptr)
                && let Ok(offset) = u64::try_from(offset)
            {
                accesses.members.entry(root).or_default().entry(offset).or_insert(ty);
            }
        }
        accesses
    }

    /// The object or the parameter that an address is computed from, and how many bytes behind it is.
    fn root(&self, function: &Function, address: Value) -> Option<(Value, i64)> {
        let (mut at, mut offset) = (address, 0_i64);
        for _ in 0..MAX_STEPS {
            at = match function.op(at) {
                Some(Op::Convert { op: ConvertOp::PtrCast | ConvertOp::PtrCastChecked, operand }) => *operand,
                Some(Op::PtrAdd { base, index: None, displacement, .. }) => {
                    offset = offset.checked_add(*displacement)?;
                    *base
                }
                Some(Op::Load { ptr, .. }) => *self.stored.get(ptr)?,
                Some(Op::Alloca { .. }) => return Some((at, offset)),
                _ if matches!(function.def(at), ValueDef::FunctionParam(_)) => return Some((at, offset)),
                _ => return None,
            };
        }
        None
    }
}

fn is_object(function: &Function, ptr: Value) -> bool {
    matches!(function.op(ptr), Some(Op::Alloca { .. }))
}

/// Whether values of a type have no bits that may be copied as numbers.
fn is_reference(ty: Type) -> bool {
    ty.space().is_some() || matches!(ty.scalar, ScalarType::Opaque(Opaque::Image(_) | Opaque::Sampler))
}
