//! `narrow_integers`: arithmetic of 64 bits of which only the lower word is used is done in 32 bits.
//!
//! OpenCL's work-item functions return `size_t`, so that an index that is assigned to an `int`, or that of an array in local or
//! private memory, is computed in 64 bits first. GPUs have registers of 32 bits: a product of 64 bits takes three multiplications
//! and more, its lower word one. Compilers that are built on LLVM do the same in `InstCombine`; not every driver's is.

use crate::fold::reduce;
use crate::pass::{Changed, FunctionContext, FunctionPass};
use crate::*;
use clforge_basic::source::Span;
use typed_index_collections::{TiVec, ti_vec};

/// Bits of what is computed instead.
const WORD: u64 = 32;
/// Operations one within the other that are narrowed together.
const MAX_DEPTH: u32 = 32;
/// Operations one within the other that are looked through for what an integer has at most.
const MAX_DEPTH_OF_RANGE: u32 = 4;

/// The pass.
pub struct NarrowIntegers;

impl FunctionPass for NarrowIntegers {
    fn name(&self) -> &'static str {
        "narrow_integers"
    }

    fn run(&self, function: &mut Function, _: &FunctionContext<'_>) -> Changed {
        let truncated = |function: &Function, inst: &Inst| match inst.op {
            Op::Convert { op: ConvertOp::Trunc, operand } if function.ty(operand).scalar == ScalarType::I64 => {
                Some(operand)
            }
            _ => None,
        };
        if !function.insts.iter().any(|inst| truncated(function, inst).is_some()) {
            return Changed::No;
        }
        let uses = uses(function);
        let mut changed = Changed::No;
        function.insert_before_each(|function, id, before| {
            let inst = function.inst(id);
            let (Some(operand), span) = (truncated(function, inst), inst.span) else { return };
            let Some(op) = narrowable(function, &uses, operand) else { return };
            changed = Changed::Maybe;
            let result = function.ty(inst.results[0]);
            let mut words = Words { function, uses: &uses, before, span };
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

/// How many operands each value is.
fn uses(function: &Function) -> TiVec<Value, u32> {
    let mut uses = ti_vec![0; function.value_count()];
    for id in function.regions.iter().flat_map(|region| &region.insts) {
        function.inst(*id).op.for_each_operand(|operand| uses[operand] += 1);
    }
    uses
}

/// The operation that makes an integer of 64 bits, if nothing else uses that and its lower word is that of the same operation on
/// lower words.
fn narrowable(function: &Function, uses: &TiVec<Value, u32>, value: Value) -> Option<Op> {
    use BinaryOp::*;
    // What was made since is a word.
    if uses.get(value) != Some(&1) {
        return None;
    }
    let op = function.op(value)?;
    let is_narrowable = match *op {
        Op::Unary { op: UnaryOp::Neg | UnaryOp::Not, .. } | Op::Select { .. } => true,
        Op::Binary { op: Add | Sub | Mul | And | Or | Xor, .. } => true,
        Op::Binary { op: Shl, rhs, .. } => is_below_word(function, rhs),
        Op::Binary { op: LShr | AShr, lhs, rhs } => {
            is_below_word(function, rhs) && is_word(function, lhs, MAX_DEPTH_OF_RANGE)
        }
        _ => false,
    };
    is_narrowable.then(|| op.clone())
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
    uses: &'f TiVec<Value, u32>,
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
        let op =
            match depth.checked_sub(1).and_then(|depth| Some((narrowable(self.function, self.uses, value)?, depth))) {
                Some((op, depth)) => self.of_op(op, depth),
                None => Op::Convert { op: ConvertOp::Trunc, operand: value },
            };
        self.emit(op, ty)
    }

    /// An operation that is [`narrowable`], on lower words.
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
