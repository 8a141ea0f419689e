//! `zero_private_memory`: private objects begin as zeros, as a context may ask for (`cl_khr_initialize_memory`).

use crate::analysis::constant_offset;
use crate::pass::{Changed, FunctionContext, FunctionPass, Order};
use crate::*;
use clforge_basic::narrow::{to_i64, to_u32};
use rustc_hash::{FxHashMap, FxHashSet};

/// Most bytes that single stores set.
const FEW_BYTES: u64 = 64;
/// Most accesses of an object whose types its zeros have.
const FEW_SLICES: usize = 64;

/// The pass. A function stores zeros behind its objects. They have the types with which an object is accessed, where these do not
/// differ, so that it is promoted as without them. What is stored without a value, where a variable is declared, is removed.
pub struct ZeroPrivateMemory;

impl FunctionPass for ZeroPrivateMemory {
    fn name(&self) -> &'static str {
        "zero_private_memory"
    }

    fn order(&self) -> Order {
        Order { before: &["vulkan/library", "opencl/builtins", "inline", "mem2reg"], ..Order::ANY }
    }

    fn run(&self, function: &mut Function, _: &FunctionContext<'_>) -> Changed {
        let mut objects = objects(function);
        if objects.is_empty() {
            return Changed::No;
        }
        remove_undefined(function, &objects);
        let body = function.body;
        let first: Vec<Value> = function.region(body).insts[..function.private_objects()]
            .iter()
            .filter_map(|id| function.inst(*id).results.first().copied())
            .collect();
        let start = function.new_region();
        let span = function.span;
        let mut b = Builder::at(function, start);
        b.span = span;
        for root in first {
            if let Some(object) = objects.remove(&root) {
                object.store_zeros(&mut b, root);
            }
        }
        function.begin_with(start);
        Changed::Maybe
    }
}

/// A private object.
struct Object {
    size: u64,
    align: u64,
    /// Offsets and types of its accesses.
    slices: Vec<(u64, Type)>,
    /// Whether there are others.
    is_used_otherwise: bool,
}

/// The private objects that are accessed, and how.
fn objects(function: &Function) -> FxHashMap<Value, Object> {
    let mut objects: FxHashMap<Value, Object> = FxHashMap::default();
    let mut pointers: FxHashMap<Value, (Value, Option<i64>)> = FxHashMap::default();
    function.walk_body(|_, inst| {
        let result = inst.results.first().copied();
        let mut access = |ptr: &Value, ty: Type| {
            let Some((root, offset)) = pointers.get(ptr) else { return };
            let Some(object) = objects.get_mut(root) else { return };
            match offset.and_then(|offset| u64::try_from(offset).ok()) {
                Some(offset) => object.slices.push((offset, ty)),
                None => object.is_used_otherwise = true,
            }
        };
        match (&inst.op, result) {
            (Op::Alloca { size, align }, Some(result)) => {
                let (slices, is_used_otherwise) = (Vec::new(), false);
                objects.insert(result, Object { size: *size, align: *align, slices, is_used_otherwise });
                pointers.insert(result, (result, Some(0)));
            }
            (Op::PtrAdd { base, index, stride, displacement }, Some(result)) => {
                if let Some((root, offset)) = pointers.get(base).copied() {
                    let added = constant_offset(function, *index, *stride, *displacement);
                    let sum = offset.zip(added).and_then(|(offset, added)| offset.checked_add(added));
                    pointers.insert(result, (root, sum));
                }
            }
            (Op::Load { ptr, .. }, Some(result)) => access(ptr, function.ty(result)),
            (Op::Store { ptr, value, .. }, _) => {
                access(ptr, function.ty(*value));
                if let Some(object) = pointers.get(value).and_then(|(root, _)| objects.get_mut(root)) {
                    object.is_used_otherwise = true;
                }
            }
            (op, _) => op.for_each_operand(|operand| {
                if let Some(object) = pointers.get(&operand).and_then(|(root, _)| objects.get_mut(root)) {
                    object.is_used_otherwise = true;
                }
            }),
        }
    });
    objects
}

/// Removes the stores of undefined values to objects, which would leave any bytes there.
fn remove_undefined(function: &mut Function, objects: &FxHashMap<Value, Object>) {
    let mut pointers: FxHashSet<Value> = objects.keys().copied().collect();
    let mut removed: FxHashSet<InstId> = FxHashSet::default();
    function.walk_body(|id, inst| match (&inst.op, inst.results.first()) {
        (Op::PtrAdd { base, .. }, Some(result)) if pointers.contains(base) => _ = pointers.insert(*result),
        (Op::Store { ptr, value, .. }, _) if pointers.contains(ptr) && function.is_undef(*value) => {
            removed.insert(id);
        }
        _ => {}
    });
    for region in &mut function.regions {
        region.insts.retain(|id| !removed.contains(id));
    }
}

impl Object {
    fn store_zeros(mut self, b: &mut Builder<'_>, root: Value) {
        self.slices.sort_unstable_by_key(|(offset, ty)| (*offset, ty.access_size()));
        self.slices.dedup();
        let disjoint = self.slices.windows(2).all(|pair| pair[0].0 + pair[0].1.access_size() <= pair[1].0);
        if !self.is_used_otherwise && disjoint && self.slices.len() <= FEW_SLICES {
            for (offset, ty) in self.slices.iter().filter(|(_, ty)| !matches!(ty.scalar, ScalarType::Opaque(_))) {
                let place = b.offset(root, to_i64(*offset));
                let zero = b.function.constant(Constant::int(*ty, 0));
                let align = 1 << (self.align | offset | 16).trailing_zeros();
                b.store(place, zero, align);
            }
            return;
        }
        // Words, or less where it is aligned to less.
        let unit: u64 = 1 << (self.size | self.align | 4).trailing_zeros();
        let (ty, count) = (Type::scalar(ScalarType::int(to_u32(unit * 8))), self.size / unit);
        let zero = b.int(ty, 0);
        if self.size <= FEW_BYTES {
            for index in 0..count {
                let place = b.offset(root, to_i64(index * unit));
                b.store(place, zero, to_u32(unit));
            }
            return;
        }
        store_in_loop(b, root, zero, (count, unit));
    }
}

/// `for (i = 0; i < count; i++) object[i] = 0;`, with elements of so many bytes.
fn store_in_loop(b: &mut Builder<'_>, root: Value, zero: Value, (count, unit): (u64, u64)) {
    let first = b.int(Type::I64, 0);
    let body = b.function.new_region();
    let index = b.function.add_region_param(body, Type::I64);
    b.enter(body);
    let place = b.ptr_add(root, index, to_i64(unit));
    b.store(place, zero, to_u32(unit));
    let next = b.binary_int(BinaryOp::Add, index, 1);
    let more = b.compare_int(CompareOp::ULt, next, to_i64(count));
    b.effect(Op::Continue(Values::from_slice(&[next, more])));
    b.leave();
    let continuing = b.function.new_region();
    let next = b.function.add_region_param(continuing, Type::I64);
    let more = b.function.add_region_param(continuing, Type::BOOL);
    b.enter(continuing);
    b.effect(Op::NextIf { condition: more, next: Values::from_slice(&[next]), results: Values::new() });
    b.leave();
    b.effect(Op::Loop { inits: Values::from_slice(&[first]), body, continuing, hint: LoopHint::None });
}
