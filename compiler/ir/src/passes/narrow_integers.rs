//! `narrow_integers`: arithmetic of 64 bits whose results are only truncated is done in 32 bits.
//!
//! OpenCL's work-item functions return `size_t`. So an index that is assigned to an `int`, or an index of an array in
//! local or private memory, is first computed in 64 bits. GPUs have registers of 32 bits: a product of 64 bits takes at
//! least three multiplications, its lower word takes one. Compilers that are built on LLVM do this in `InstCombine`;
//! other drivers may not do it.

use super::wide_rotations;
use crate::fold::reduce;
use crate::pass::{Changed, FunctionContext, FunctionPass, Order};
use crate::*;
use clforge_basic::source::Span;
use typed_index_collections::{TiVec, ti_vec};

/// Bits of what is computed instead.
const WORD: u64 = 32;
/// Operations one within the other that are narrowed together.
const MAX_DEPTH: u32 = 32;
/// Operations one within the other that are searched to prove that an upper word is zero.
const MAX_DEPTH_OF_PROOF: u32 = 4;

/// The pass.
pub struct NarrowIntegers;

impl FunctionPass for NarrowIntegers {
    fn name(&self) -> &'static str {
        "narrow_integers"
    }

    fn order(&self) -> Order {
        Order { after: &["vulkan/memory"], ..Order::ANY }
    }

    fn run(&self, function: &mut Function, _: &FunctionContext<'_>) -> Changed {
        if !function.insts.iter().any(|inst| truncated(function, inst).is_some()) {
            return Changed::No;
        }
        let places = Places::of(function);
        let mut changed = Changed::No;
        function.insert_before_each(|function, id, before| {
            let inst = function.inst(id);
            let (Some(operand), Some(region), span) = (truncated(function, inst), places.regions[id], inst.span) else {
                return;
            };
            let Some(op) = places.narrowable(function, operand, region) else { return };
            changed = Changed::Maybe;
            let result = function.ty(inst.results[0]);
            let mut words = Words { function, places: &places, region, before, span };
            let op = words.of_op(op, MAX_DEPTH);
            function.inst_mut(id).op = if result.scalar == ScalarType::I32 {
                op
            } else {
                let operand = words.emit(op, result.with_scalar(ScalarType::I32));
                Op::Convert { op: ConvertOp::Trunc, operand }
            };
        });
        changed
    }
}

/// The integer of 64 bits that an instruction truncates.
fn truncated(function: &Function, inst: &Inst) -> Option<Value> {
    match inst.op {
        Op::Convert { op: ConvertOp::Trunc, operand } => {
            (function.ty(operand).scalar == ScalarType::I64).then_some(operand)
        }
        _ => None,
    }
}

/// Where instructions are, and how often their results are used.
struct Places {
    /// For each value how many operands are it; all truncations in one region count as one, since they become one.
    uses: TiVec<Value, u32>,
    /// The region of each instruction that is in one.
    regions: TiVec<InstId, Option<RegionId>>,
    /// For each region that of the innermost loop that it is in.
    loops: TiVec<RegionId, Option<RegionId>>,
}

impl Places {
    fn of(function: &Function) -> Places {
        let mut places = Places {
            uses: ti_vec![0; function.value_count()],
            regions: ti_vec![None; function.insts.len()],
            loops: ti_vec![None; function.regions.len()],
        };
        let mut truncated_in: TiVec<Value, Option<RegionId>> = ti_vec![None; function.value_count()];
        let mut open = vec![function.body];
        while let Some(region) = open.pop() {
            for id in &function.region(region).insts {
                let inst = function.inst(*id);
                places.regions[*id] = Some(region);
                match truncated(function, inst) {
                    Some(value) if truncated_in[value].replace(region) == Some(region) => {}
                    _ => inst.op.for_each_operand(|operand| places.uses[operand] += 1),
                }
                for nested in inst.op.regions() {
                    let is_loop = matches!(inst.op, Op::Loop { .. });
                    places.loops[nested] = if is_loop { Some(nested) } else { places.loops[region] };
                    open.push(nested);
                }
            }
        }
        places
    }

    /// The operation that makes an integer of 64 bits, if its only use is in `region`, which is in the same loop, and its lower word
    /// is that of the same operation on lower words.
    fn narrowable(&self, function: &Function, value: Value, region: RegionId) -> Option<Op> {
        use BinaryOp::*;
        // Words that the pass has made are not in the table.
        if self.uses.get(value) != Some(&1) {
            return None;
        }
        let ValueDef::Inst(id, _) = *function.def(value) else { return None };
        if self.loops[self.regions[id]?] != self.loops[region] {
            return None;
        }
        let op = &function.inst(id).op;
        let is_narrowable = match *op {
            Op::Unary { op: UnaryOp::Neg | UnaryOp::Not, .. } | Op::Select { .. } => true,
            // One instruction as it is.
            Op::Binary { .. } if wide_rotations::rotation(function, id).is_some() => false,
            Op::Binary { op: Add | Sub | Mul | And | Or | Xor, .. } => true,
            Op::Binary { op: Shl, rhs, .. } => is_below_word(function, rhs),
            Op::Binary { op: LShr | AShr, lhs, rhs } => {
                is_below_word(function, rhs) && is_word(function, lhs, MAX_DEPTH_OF_PROOF)
            }
            _ => false,
        };
        is_narrowable.then(|| op.clone())
    }
}

/// Whether a count of bits is a constant less than those of a word.
fn is_below_word(function: &Function, count: Value) -> bool {
    function.as_int(count).is_some_and(|count| count < WORD)
}

/// Whether the upper word of an integer of 64 bits is known to be zero.
fn is_word(function: &Function, value: Value, depth: u32) -> bool {
    use BinaryOp::*;
    if let Some(bits) = function.as_int(value) {
        return bits >> WORD == 0;
    }
    let (Some(op), Some(depth)) = (function.op(value), depth.checked_sub(1)) else { return false };
    let is_word = |value: Value| is_word(function, value, depth);
    match *op {
        Op::Convert { op: ConvertOp::ZExt, .. } => true,
        Op::Binary { op: And, lhs, rhs } => is_word(lhs) || is_word(rhs),
        Op::Binary { op: Or | Xor, lhs, rhs } => is_word(lhs) && is_word(rhs),
        Op::Binary { op: LShr, lhs, rhs } => {
            is_word(lhs) || function.as_int(rhs).is_some_and(|count| (WORD..2 * WORD).contains(&count))
        }
        Op::Select { if_true, if_false, .. } => is_word(if_true) && is_word(if_false),
        _ => false,
    }
}

/// Instructions on lower words.
struct Words<'f> {
    function: &'f mut Function,
    places: &'f Places,
    /// Where they are inserted.
    region: RegionId,
    before: &'f mut Vec<InstId>,
    span: Span,
}

impl Words<'_> {
    /// The value of an operation, in its simplest form.
    fn emit(&mut self, op: Op, ty: Type) -> Value {
        reduce(self.function, op, ty).unwrap_or_else(|op| {
            let inst = self.function.new_inst(op, &[ty], self.span);
            self.before.push(inst);
            self.function.inst(inst).results[0]
        })
    }

    /// The lower word of an integer of 64 bits.
    fn of(&mut self, value: Value, depth: u32) -> Value {
        let ty = self.function.ty(value).with_scalar(ScalarType::I32);
        let inner = self.places.narrowable(self.function, value, self.region);
        let op = match inner.zip(depth.checked_sub(1)) {
            Some((op, depth)) => self.of_op(op, depth),
            None => Op::Convert { op: ConvertOp::Trunc, operand: value },
        };
        self.emit(op, ty)
    }

    /// An operation that is [narrowable](Places::narrowable), on lower words.
    fn of_op(&mut self, op: Op, depth: u32) -> Op {
        match op {
            Op::Unary { op, operand } => Op::Unary { op, operand: self.of(operand, depth) },
            Op::Select { condition, if_true, if_false } => {
                Op::Select { condition, if_true: self.of(if_true, depth), if_false: self.of(if_false, depth) }
            }
            Op::Binary { op, lhs, rhs } => {
                // What is shifted has no sign, since its upper word is zero.
                let op = if op == BinaryOp::AShr { BinaryOp::LShr } else { op };
                Op::Binary { op, lhs: self.of(lhs, depth), rhs: self.of(rhs, depth) }
            }
            other => other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pass::{self, Context};
    use crate::passes::DeadCode;
    use crate::twins::{first_difference, outcome, program};
    use crate::{print, verify};
    use clforge_basic::options::Options;

    /// Leaves integers of 64 bits to what is computed of them.
    fn store_no_wide_integers(function: &mut Function) {
        let stores_wide = |function: &Function, id: InstId| match function.inst(id).op {
            Op::Store { value, .. } => function.ty(value).scalar == ScalarType::I64,
            _ => false,
        };
        let kept =
            function.region(function.body).insts.iter().copied().filter(|id| !stores_wide(function, *id)).collect();
        function.region_mut(function.body).insts = kept;
    }

    #[test]
    fn narrowed_programs_compute_the_same() {
        let mut narrowed = 0;
        for seed in 1..=2000 {
            let (mut module, values) = program(seed);
            store_no_wide_integers(&mut module.functions[FunctionId::from(0)]);
            let before = outcome(&module, "plain", values.len());
            let options = Options::default();
            let context = &mut Context { options: &options, state: () };
            pass::Pass::run(&DeadCode, &mut module, context).expect("it is small");
            let changed = pass::Pass::run(&NarrowIntegers, &mut module, context).expect("it is small");
            narrowed += usize::from(changed == Changed::Maybe);
            let text = || print::print(&module);
            verify::verify(&module, verify::Dialect::Core)
                .unwrap_or_else(|message| panic!("seed {seed}: {message}\n{}", text()));
            let after = outcome(&module, "plain", values.len());
            assert_eq!(first_difference(&values, &before, &after), None, "seed {seed}\n{}", text());
        }
        assert!(narrowed > 100, "only {narrowed} programs have something to narrow");
    }
}
