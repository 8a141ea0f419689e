//! Passes that work around defects of drivers, each for one flag of
//! [`Workarounds`](clforge_basic::workarounds::Workarounds) or one option. They run last, because simplification would
//! undo them.
//!
//! Flags without a pass here select how one operation is expanded, in `legalize/vulkan/`. The passes of
//! `nvidia-wide-division` and `nvidia-wide-conversions` are there too. `llvm-spirv-switch` concerns basic blocks, which
//! only the emitter creates. `docs/drivers.md` has the defects and the evidence.

use clforge_basic::source::Span;
use clforge_ir::analysis::{Targets, edges, nested};
use clforge_ir::{
    BinaryOp, Constant, Function, InstId, Intrinsic, Op, RegionId, ScalarType, Type, Value, Values, VariableId,
};
use rustc_hash::FxHashMap;
use typed_index_collections::TiVec;

mod barrier_loops;
mod bool_bitcast;
mod byte_swap;
mod dont_inline;
mod endless_loops;
mod fence_scope;
mod literal_zeros;
mod local_vectors;
mod loop_exits;
mod loop_hints;
mod loop_limit;
mod masked_barriers;
mod narrow_bitcast;
mod narrow_negation;
mod overflow_checks;
mod pocl_math;
mod private_arrays;
mod private_pool;
mod sign_extension;
mod signed_bytes;
mod signed_products;
mod sub_group_barrier;
#[cfg(test)]
pub mod testing;
#[cfg(test)]
mod tests;
mod upper_halves;
mod vector_division;
mod vector_insertion;

pub use barrier_loops::{BarrierLoops, has_barriers_in_loops};
pub use bool_bitcast::BoolBitcast;
pub use byte_swap::ByteSwap;
pub use dont_inline::DontInline;
pub use endless_loops::EndlessLoops;
pub use fence_scope::FenceScope;
pub use literal_zeros::LiteralZeros;
pub use local_vectors::LocalVectors;
pub use loop_exits::LoopExits;
pub use loop_hints::LoopHints;
pub use loop_limit::LoopLimit;
pub use masked_barriers::MaskedBarriers;
pub use narrow_bitcast::NarrowBitcast;
pub use narrow_negation::NarrowNegation;
pub use overflow_checks::OverflowChecks;
pub use pocl_math::PoclMath;
pub use private_arrays::PrivateArrays;
pub use private_pool::PrivatePool;
pub use sign_extension::SignExtension;
pub use signed_bytes::SignedBytes;
pub use signed_products::SignedProducts;
pub use sub_group_barrier::SubGroupBarrier;
pub use upper_halves::UpperHalves;
pub use vector_division::VectorDivision;
pub use vector_insertion::VectorInsertion;

/// Appends an operation with a result of that type.
type Insert<'i> = &'i mut dyn FnMut(&mut Function, Op, Type) -> Value;

/// Appends an instruction with one result, which is returned.
fn append(function: &mut Function, to: &mut Vec<InstId>, (op, ty, span): (Op, Type, Span)) -> Value {
    let id = function.new_inst(op, &[ty], span);
    to.push(id);
    function.inst(id).results[0]
}

/// Bits of an integer, from `first` on, extended as `extract` says.
fn field(function: &mut Function, extract: Intrinsic, (whole, first, count): (Value, u32, u32)) -> Op {
    let [first, count] = [first, count].map(|bits| function.int(Type::I32, i64::from(bits)));
    Op::Intrinsic { function: extract, args: Values::from_slice(&[whole, first, count]) }
}

/// Whether some lane of a constant is such; `None` of what is not constant.
fn any_lane(function: &Function, value: Value, is_such: impl Fn(u64) -> bool) -> Option<bool> {
    Some(function.as_constant(value)?.lanes()?.iter().any(|bits| is_such(*bits)))
}

/// The integer of 32 bits of which a shift to the right sign-extends the lower bits, and their number, if 8 or 16.
fn extended_by_shifts(function: &Function, op: &Op) -> Option<(Value, u32)> {
    let Op::Binary { op: BinaryOp::AShr, lhs, rhs } = *op else { return None };
    let Some(Op::Binary { op: BinaryOp::Shl, lhs: whole, rhs: left }) = function.op(lhs) else { return None };
    if function.ty(lhs).scalar != ScalarType::I32 {
        return None;
    }
    let count = |value| function.as_constant(value).and_then(Constant::splat_bits);
    match (count(*left)?, count(rhs)?) {
        (16, 16) => Some((*whole, 16)),
        (24, 24) => Some((*whole, 8)),
        _ => None,
    }
}

/// The pairs of values of which the second is, or may be, the first one, has it as a lane or is a lane of it, or is the result of
/// an operation that `keeps` something of it.
fn flows(function: &Function, keeps: &dyn Fn(&Op) -> bool) -> Vec<(Value, Value)> {
    let mut flows = Vec::new();
    collect_flows(function, (function.body, &Targets::default()), keeps, &mut flows);
    flows
}

fn collect_flows(
    function: &Function,
    (region, targets): (RegionId, &Targets),
    keeps: &dyn Fn(&Op) -> bool,
    flows: &mut Vec<(Value, Value)>,
) {
    for id in &function.region(region).insts {
        let inst = function.inst(*id);
        edges(function, inst, targets, &mut |from, to| flows.push((from, to)));
        if let Some(result) = inst.results.first()
            && (moves_lanes(&inst.op) || keeps(&inst.op))
        {
            inst.op.for_each_operand(|operand| flows.push((operand, *result)));
        }
        for (region, targets) in nested(function, inst, targets) {
            collect_flows(function, (region, &targets), keeps, flows);
        }
    }
}

/// Whether an operation puts lanes of its operands into its result.
fn moves_lanes(op: &Op) -> bool {
    use Op::*;
    matches!(
        op,
        Extract { .. }
            | ExtractDynamic { .. }
            | Insert { .. }
            | InsertDynamic { .. }
            | Construct { .. }
            | Shuffle { .. }
    )
}

/// As [`flows`], from stores to loads of each variable in the function. The loads of a variable are joined through the first one,
/// so that there is one pair for each store and each load.
fn through_variables(function: &Function) -> Vec<(Value, Value)> {
    let mut flows = Vec::new();
    let mut first_loads: FxHashMap<VariableId, Value> = FxHashMap::default();
    for inst in &function.insts {
        if let (Op::VariableLoad { variable, .. }, Some(result)) = (&inst.op, inst.results.first()) {
            let first = *first_loads.entry(*variable).or_insert(*result);
            flows.push((first, *result));
        }
    }
    for inst in &function.insts {
        if let Op::VariableStore { variable, value, .. } = inst.op
            && let Some(first) = first_loads.get(&variable)
        {
            flows.push((value, *first));
        }
    }
    flows
}

/// Raises what is known of the second value of each pair to what is known of the first one. The pairs of a value are visited as
/// often as it is raised.
fn spread<T: Copy + Ord>(known: &mut TiVec<Value, T>, mut flows: Vec<(Value, Value)>) {
    flows.sort_unstable();
    let mut raised: Vec<Value> = flows.iter().map(|(from, _)| *from).collect();
    raised.dedup();
    while let Some(value) = raised.pop() {
        let start = flows.partition_point(|(from, _)| *from < value);
        for (_, to) in flows[start..].iter().take_while(|(from, _)| *from == value) {
            if known[value] > known[*to] {
                known[*to] = known[value];
                raised.push(*to);
            }
        }
    }
}
