//! `atomic_additions` replaces loops that add to a float by compare-and-exchange with atomic additions.
//!
//! Before OpenCL 3.0 there was no atomic addition of floats, and programs compare and exchange the bits:
//!
//! ```text
//! do { old = expected; expected = atomic_cmpxchg(p, as_int(old), as_int(old + x)) } while (expected != old)
//! ```
//!
//! Each exchange expects the value that the previous exchange found, so the loop ends when the value in memory has not
//! changed in between, which is an addition. A loop that expects any other value is waiting for that value, and is left
//! unchanged. With an instruction of the device, work-items that add to the same object do not wait for each other
//! (gradients of a convolution on an NVIDIA H100, 3x3 by Winograd's method: 1.79 ms before).

use crate::analysis::{LoopShape, Substitution};
use crate::pass::{Changed, FunctionContext, FunctionPass, Order};
use crate::*;
use clforge_basic::options::FloatAtomics;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::smallvec;

/// The most names and reinterpretations of a value that are followed.
const MAX_STEPS: usize = 8;

/// The pass.
pub struct AtomicAdditions;

impl FunctionPass for AtomicAdditions {
    fn name(&self) -> &'static str {
        "atomic_additions"
    }

    fn order(&self) -> Order {
        Order { after: &["mem2reg"], before: &["vulkan/memory"], ..Order::ANY }
    }

    fn run(&self, function: &mut Function, context: &FunctionContext<'_>) -> Changed {
        let mut exchanges = false;
        function.walk_body(|_, inst| {
            exchanges |= matches!(inst.op, Op::Atomic { op: AtomicOp::CompareExchange, .. });
        });
        if !exchanges {
            return Changed::No;
        }
        let body = function.body;
        let mut changed = Changed::No;
        region(function, &context.options.device.float_atomics, body, &mut changed);
        changed
    }
}

fn region(function: &mut Function, devices: &FloatAtomics, region_id: RegionId, changed: &mut Changed) {
    let (mut out, mut replaced) = (Vec::new(), Substitution::default());
    for id in function.region(region_id).insts.clone() {
        if !replaced.is_empty() {
            replaced.apply_nested(function, &[id]);
        }
        match Addition::of(function, devices, id) {
            Some(addition) => {
                let results = function.inst(id).results.clone();
                let values = addition.emit(function, id, &mut out);
                replaced.extend(results, values);
                *changed = Changed::Maybe;
            }
            None => {
                for nested in function.inst(id).op.regions() {
                    region(function, devices, nested, changed);
                }
                out.push(id);
            }
        }
    }
    function.region_mut(region_id).insts = out;
}

/// What a loop is left with.
#[derive(Clone, Copy)]
enum Leaving {
    /// A value from before the loop.
    Value(Value),
    /// What was in memory, as an integer or a float.
    Old(Type),
}

/// A loop that is an atomic addition.
struct Addition {
    ptr: Value,
    added: Value,
    semantics: Semantics,
    leaving: Vec<Leaving>,
}

impl Addition {
    fn of(function: &Function, devices: &FloatAtomics, id: InstId) -> Option<Addition> {
        let parts = Parts::of(function, id)?;
        let atomic = parts.only_effect(function)?;
        let Inst { op: Op::Atomic { op: AtomicOp::CompareExchange, ptr, operands, semantics, .. }, results, .. } =
            function.inst(atomic)
        else {
            return None;
        };
        let ([expected, stored], [found]) = (<[Value; 2]>::try_from(&operands[..]).ok()?, results[..].try_into().ok()?);
        let bits = |value| parts.bits(function, value);
        let sum = bits(stored);
        let Op::Binary { op: BinaryOp::FAdd, lhs, rhs } = *function.op(sum)? else { return None };
        let added = if bits(lhs) == bits(expected) { rhs } else { lhs };
        let old = if added == rhs { lhs } else { rhs };
        let is_addition = bits(old) == bits(expected) && !parts.inside.contains(&added);
        let takes_over = parts.takes_over(function, bits(expected), bits(found), *ptr);
        let leaves_if_equal = parts.leaves_if_equal(function, [bits(expected), bits(found)]);
        let ty = function.ty(sum);
        let is_native = match function.ty(*ptr).space()? {
            Space::Global => is_native_in_buffers(devices, AtomicOp::FAdd, ty.scalar),
            Space::Local => is_native_in_local_memory(devices, AtomicOp::FAdd, ty.scalar),
            _ => false,
        };
        if !is_addition || !takes_over || !leaves_if_equal || !is_native || ty.lanes > 1 || parts.inside.contains(ptr) {
            return None;
        }
        let types = [ty, int_of(ty)];
        let leaving = |value: &Value| match (*value, function.ty(*value)) {
            (value, _) if !parts.inside.contains(&value) => Some(Leaving::Value(value)),
            (value, ty) if types.contains(&ty) && [bits(expected), bits(found)].contains(&bits(value)) => {
                Some(Leaving::Old(ty))
            }
            _ => None,
        };
        let leaving = parts.leaving.iter().map(leaving).collect::<Option<_>>()?;
        Some(Addition { ptr: *ptr, added, semantics: *semantics, leaving })
    }

    /// Adds the addition; the values that replace the results of the loop.
    fn emit(&self, function: &mut Function, id: InstId, out: &mut Vec<InstId>) -> Vec<Value> {
        let (span, ty) = (function.inst(id).span, function.ty(self.added));
        let op = Op::Atomic {
            op: AtomicOp::FAdd,
            ptr: self.ptr,
            operands: smallvec![self.added],
            semantics: self.semantics,
            unequal: MemoryOrder::Relaxed,
        };
        let atomic = function.new_inst(op, &[ty], span);
        let old = function.inst(atomic).results[0];
        let op = Op::Convert { op: ConvertOp::Bitcast, operand: old };
        let bitcast = function.new_inst(op, &[int_of(ty)], span);
        let bits = function.inst(bitcast).results[0];
        out.extend([atomic, bitcast]);
        let value = |leaving: &Leaving| match leaving {
            Leaving::Value(value) => *value,
            Leaving::Old(wanted) if *wanted == ty => old,
            Leaving::Old(_) => bits,
        };
        self.leaving.iter().map(value).collect()
    }
}

/// The integer with the bits of a float.
fn int_of(ty: Type) -> Type {
    Type::scalar(ScalarType::int(ty.scalar.bits()))
}

/// The parts of a loop that is left at one place.
struct Parts {
    /// Its instructions, without those that lead from one part to the next.
    insts: Vec<InstId>,
    /// Names that the part that continues the loop, or follows its test, has for values.
    names: FxHashMap<Value, Value>,
    /// Whether the loop is left depends on this.
    condition: Value,
    stays_if_true: bool,
    /// What it is left with.
    leaving: Values,
    /// The values that it carries, and what they are in the next iteration.
    carried: Vec<(Value, Value)>,
    /// All values that are defined in the loop.
    inside: FxHashSet<Value>,
}

impl Parts {
    fn of(function: &Function, id: InstId) -> Option<Parts> {
        let Op::Loop { body, continuing, .. } = function.inst(id).op else { return None };
        match function.terminator(continuing) {
            Some(Op::NextIf { condition, next, results }) => {
                let Some(Op::Continue(continued)) = function.terminator(body) else { return None };
                let names = function.region(continuing).params.iter().copied().zip(continued.iter().copied()).collect();
                let (mut insts, mut inside) = (Vec::new(), FxHashSet::default());
                for region in [body, continuing] {
                    let Region { insts: list, params } = function.region(region);
                    insts.extend(&list[..list.len() - 1]);
                    inside.extend(params);
                }
                inside.extend(insts.iter().flat_map(|id| &function.inst(*id).results));
                let (condition, leaving) = (*condition, results.clone());
                let carried = function.region(body).params.iter().copied().zip(next.iter().copied()).collect();
                Some(Parts { insts, names, condition, stays_if_true: true, leaving, carried, inside })
            }
            _ => {
                let LoopShape {
                    mut insts,
                    condition,
                    stays_if_true,
                    exit_branch,
                    continued,
                    yielded,
                    next,
                    inside,
                    ..
                } = LoopShape::of(function, id)?;
                for region in [continuing, exit_branch] {
                    let list = &function.region(region).insts;
                    insts.extend(&list[..list.len() - 1]);
                }
                let continued = function.region(continuing).params.iter().copied().zip(continued);
                let names = continued.chain(yielded).collect();
                let Some(Op::Break(leaving)) = function.terminator(exit_branch) else { return None };
                let (leaving, carried) = (leaving.clone(), function.region(body).params.iter().copied().zip(next));
                let carried = carried.collect();
                Some(Parts { insts, names, condition, stays_if_true, leaving, carried, inside })
            }
        }
    }

    /// The only instruction of the loop that does more than to compute, or to load from the place that it exchanges. It is
    /// executed in every iteration: nothing has regions.
    fn only_effect(&self, function: &Function) -> Option<InstId> {
        let (mut effects, mut loads) = (Vec::new(), Vec::new());
        for id in &self.insts {
            match &function.inst(*id).op {
                Op::Atomic { ptr, .. } => effects.push((*id, *ptr)),
                Op::Load { ptr, .. } => loads.push(*ptr),
                op if op.is_pure() && op.regions().is_empty() => {}
                _ => return None,
            }
        }
        match effects[..] {
            [(id, ptr)] if loads.iter().all(|load| *load == ptr) => Some(id),
            _ => None,
        }
    }

    /// Whether what an iteration expects is loaded from the place, or is what the iteration before found there.
    fn takes_over(&self, function: &Function, expected: Value, found: Value, place: Value) -> bool {
        let is_loaded = |value: Value| {
            self.inside.contains(&value) && matches!(function.op(value), Some(Op::Load { ptr, .. }) if *ptr == place)
        };
        let next =
            self.carried.iter().find(|(param, _)| *param == expected).map(|(_, next)| self.bits(function, *next));
        is_loaded(expected) || next.is_some_and(|next| next == found || is_loaded(next))
    }

    /// Whether the loop is left where two values, given by [`Parts::bits`], are equal.
    fn leaves_if_equal(&self, function: &Function, values: [Value; 2]) -> bool {
        let wanted = if self.stays_if_true { CompareOp::Ne } else { CompareOp::Eq };
        match function.op(self.condition) {
            Some(Op::Compare { op, lhs, rhs }) => {
                let compared = [*lhs, *rhs].map(|value| self.bits(function, value));
                *op == wanted && (compared == values || [compared[1], compared[0]] == values)
            }
            _ => false,
        }
    }

    /// The first value that has the bits of a value.
    fn bits(&self, function: &Function, mut value: Value) -> Value {
        for _ in 0..MAX_STEPS {
            value = match (self.names.get(&value), function.op(value)) {
                (Some(named), _) => *named,
                (None, Some(Op::Convert { op: ConvertOp::Bitcast, operand })) => *operand,
                _ => break,
            };
        }
        value
    }
}
