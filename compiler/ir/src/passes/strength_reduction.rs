//! `strength_reduction`: signed divisions by powers of two become shifts.
//!
//! Drivers divide integers of 64 bits by a routine of a hundred instructions, even if the divisor is two, as when a
//! binary search halves a difference of pointers. Unsigned divisions are simplified by constant folding
//! (`compiler/ir/src/fold/arithmetic.rs`). Signed divisions round toward zero, which takes several operations.

use crate::pass::{Changed, FunctionContext, FunctionPass};
use crate::*;

/// The pass.
pub struct StrengthReduction;

impl FunctionPass for StrengthReduction {
    fn name(&self) -> &'static str {
        "strength_reduction"
    }

    fn run(&self, function: &mut Function, _: &FunctionContext<'_>) -> Changed {
        let mut changed = Changed::No;
        function.insert_before_each(|function, id, before| {
            let Op::Binary { op: op @ (BinaryOp::SDiv | BinaryOp::SRem), lhs, rhs } = function.inst(id).op else {
                return;
            };
            let ty = function.ty(lhs);
            let width = u64::from(ty.scalar.bits());
            let Some(divisor) = function.as_int(rhs) else { return };
            // The least number is a power of two only without its sign.
            if !divisor.is_power_of_two() || !(1..width - 1).contains(&u64::from(divisor.trailing_zeros())) {
                return;
            }
            changed = Changed::Maybe;
            let (shift, span) = (u64::from(divisor.trailing_zeros()), function.inst(id).span);
            let mut emit = |op, lhs, rhs: Result<Value, u64>| {
                let rhs = rhs.unwrap_or_else(|bits| function.constant(Constant::int(ty, bits)));
                let inst = function.new_inst(Op::Binary { op, lhs, rhs }, &[ty], span);
                before.push(inst);
                function.inst(inst).results[0]
            };
            // One less than the divisor where the dividend is negative, so that shifting rounds up.
            let sign = emit(BinaryOp::AShr, lhs, Err(width - 1));
            let bias = emit(BinaryOp::LShr, sign, Err(width - shift));
            let biased = emit(BinaryOp::Add, lhs, Ok(bias));
            let last = match op {
                BinaryOp::SDiv => {
                    Op::Binary { op: BinaryOp::AShr, lhs: biased, rhs: function.constant(Constant::int(ty, shift)) }
                }
                _ => {
                    let multiple = emit(BinaryOp::And, biased, Err(divisor.wrapping_neg()));
                    Op::Binary { op: BinaryOp::Sub, lhs, rhs: multiple }
                }
            };
            function.inst_mut(id).op = last;
        });
        changed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interpret::Machine;
    use crate::read::read;
    use clforge_basic::options::Options;

    #[test]
    fn quotients_and_remainders_are_those_of_the_division() {
        for (ty, bits) in [("i32", 32), ("i64", 64)] {
            for shift in 1..bits - 1 {
                let divisor = 1_i64 << shift;
                for op in ["sdiv", "srem"] {
                    let text = format!(
                        "func @f(%0: {ty}) -> {ty} {{\n  %1: {ty} = {op} %0, {ty} {divisor}\n  return %1\n}}\n"
                    );
                    let mut module = read(&text).expect("it reads");
                    let Module { functions, variables, globals, .. } = &mut module;
                    let options = Options::default();
                    let context =
                        FunctionContext { options: &options, variables, globals, effects: Default::default() };
                    assert_eq!(StrengthReduction.run(&mut functions[FunctionId::from(0)], &context), Changed::Maybe);
                    let least = i64::MIN >> (64 - bits);
                    let dividends =
                        [0, 1, -1, 5, -5, divisor - 1, divisor, divisor + 1, -divisor, 1 - divisor, !divisor];
                    for dividend in dividends.into_iter().chain([least, least + 1, !least, !least - 1]) {
                        let (dividend, mask) =
                            if bits == 32 { (i64::from(dividend as i32), 0xFFFF_FFFF) } else { (dividend, u64::MAX) };
                        let expected = if op == "sdiv" { dividend / divisor } else { dividend % divisor };
                        let found = Machine::new(&module).run("f", &[dividend as u64 & mask]).expect("a result");
                        assert_eq!(found, [expected as u64 & mask], "{dividend} {op} {divisor}");
                    }
                }
            }
        }
    }
}
