//! The parts of a loop, for passes that put copies of its body one after the other.

use crate::*;
use rustc_hash::FxHashSet;

/// The most levels of loops in a loop that passes look at: its instructions are searched again for each loop around them.
const MOST_LEVELS: usize = 8;

/// The parts of a loop that begins with the test of an exit and continues at its end.
pub struct LoopShape {
    pub inits: Values,
    pub body: RegionId,
    pub continuing: RegionId,
    /// The instructions of the body without the test of the exit and the terminator.
    pub insts: Vec<InstId>,
    /// How many of them are before the test, so that they are executed at least once.
    pub before_test: usize,
    /// The index in `insts` from which the results of the test, `yielded`, are available.
    pub before_yield: usize,
    /// What the test yields where the loop is not left.
    pub yielded: Vec<(Value, Value)>,
    pub condition: Value,
    /// Whether the loop goes on where the condition is true.
    pub stays_if_true: bool,
    /// The side of the test that ends in leaving the loop.
    pub exit_branch: RegionId,
    pub continued: Values,
    pub next: Values,
    pub early_exits: EarlyExits,
    /// All values that are defined in the loop.
    pub inside: FxHashSet<Value>,
}

impl LoopShape {
    /// The parts of a loop; `None` if it has no such test, does not continue at its end with the next iteration, or has more
    /// than [`MOST_LEVELS`] levels of loops in it.
    pub fn of(function: &Function, id: InstId) -> Option<LoopShape> {
        let Op::Loop { inits, body, continuing, .. } = &function.inst(id).op else { return None };
        let (body, continuing) = (*body, *continuing);
        let Some(Op::Next(next)) = function.terminator(continuing) else { return None };
        let Some(Op::Continue(continued)) = function.terminator(body) else { return None };
        let list = &function.region(body).insts;
        let exit = list.iter().position(|id| leaves(function, *id).is_some())?;
        let (condition, stays_if_true, [stay, leaving]) = leaves(function, list[exit])?;
        let Some(Op::Yield(yields)) = function.terminator(stay) else { return None };
        let mut insts = list[..exit].to_vec();
        let kept = &function.region(stay).insts;
        insts.extend(&kept[..kept.len() - 1]);
        let before_yield = insts.len();
        insts.extend(&list[exit + 1..list.len() - 1]);
        let last = &function.region(leaving).insts;
        let mut early_exits = EarlyExits::default();
        for id in insts.iter().chain(&last[..last.len() - 1]) {
            early_exits.add(function, *id, Within::default());
            if early_exits.is_too_deep {
                return None;
            }
        }
        let yielded = function.inst(list[exit]).results.iter().copied().zip(yields.iter().copied()).collect();
        let mut inside = FxHashSet::default();
        for region in [body, continuing] {
            inside.extend(function.region(region).params.iter().copied());
            function.walk(region, |_, inst| {
                inside.extend(inst.results.iter().copied());
                for nested in inst.op.regions() {
                    inside.extend(function.region(nested).params.iter().copied());
                }
            });
        }
        Some(LoopShape {
            inits: inits.clone(),
            body,
            continuing,
            insts,
            before_test: exit,
            before_yield,
            yielded,
            condition,
            stays_if_true,
            exit_branch: leaving,
            continued: continued.clone(),
            next: next.clone(),
            early_exits,
            inside,
        })
    }
}

/// For an `if` that leaves the loop on one side: the condition, whether the loop goes on where that is true, and the sides: the
/// one that goes on first.
fn leaves(function: &Function, id: InstId) -> Option<(Value, bool, [RegionId; 2])> {
    let Op::If { condition, then, otherwise } = function.inst(id).op else { return None };
    let breaks = |region| matches!(function.terminator(region), Some(Op::Break(_)));
    match (breaks(then), breaks(otherwise)) {
        (true, false) => Some((condition, false, [otherwise, then])),
        (false, true) => Some((condition, true, [then, otherwise])),
        _ => None,
    }
}

/// The ways that control takes out of an iteration besides the loop's test and the end of its body.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct EarlyExits {
    pub breaks: bool,
    pub continues: bool,
    /// Out of the function, or none at all.
    pub returns: bool,
    /// More than [`MOST_LEVELS`] levels of loops were found, and exits in the innermost were not looked for.
    is_too_deep: bool,
}

/// What is around an instruction of a loop, within the loop.
#[derive(Clone, Copy, Default)]
struct Within {
    /// A `break` leaves it.
    breakable: bool,
    /// A `continue` continues it.
    in_loop: bool,
    /// So many levels of loops.
    levels: usize,
}

impl EarlyExits {
    /// Whether there are any.
    pub fn any(self) -> bool {
        self != EarlyExits::default()
    }

    /// Adds those of an instruction and of the ones nested in it.
    fn add(&mut self, function: &Function, id: InstId, within: Within) {
        let op = &function.inst(id).op;
        match op {
            Op::Break(_) => self.breaks |= !within.breakable,
            Op::Continue(_) => self.continues |= !within.in_loop,
            Op::Return(_) | Op::Unreachable => self.returns = true,
            _ => {}
        }
        let levels = within.levels + usize::from(matches!(op, Op::Loop { .. }));
        let in_loop = levels > 0;
        if self.is_too_deep || levels > MOST_LEVELS {
            self.is_too_deep = true;
            return;
        }
        let around =
            Within { breakable: within.breakable || in_loop || matches!(op, Op::Switch { .. }), in_loop, levels };
        for region in op.regions() {
            function.region(region).insts.iter().for_each(|id| self.add(function, *id, around));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::read;
    use std::fmt::Write;

    /// A function of so many loops, each in the one before it.
    fn nest(levels: u32) -> Function {
        let mut text = "func @f(%0: i32) {\n".to_owned();
        for level in 0..levels {
            let (counter, test) = (1 + 4 * level, 2 + 4 * level);
            writeln!(text, "loop (i32 0) (%{counter}: i32) {{\n%{test}: bool = slt %{counter}, %0").unwrap();
            writeln!(text, "if %{test} {{\nyield\n}} else {{\nbreak\n}}").unwrap();
        }
        for level in (0..levels).rev() {
            let (counter, param, next) = (1 + 4 * level, 3 + 4 * level, 4 + 4 * level);
            writeln!(text, "continue %{counter}\n}} continuing (%{param}: i32) {{").unwrap();
            writeln!(text, "%{next}: i32 = add %{param}, i32 1\nnext %{next}\n}}").unwrap();
        }
        text += "return\n}\n";
        read(&text).expect("it reads").functions.first().expect("a function").clone()
    }

    #[test]
    fn loops_with_too_many_levels_in_them_have_no_shape() {
        let function = nest(12);
        let mut shapes = Vec::new();
        function.walk_body(|id, inst| {
            if matches!(inst.op, Op::Loop { .. }) {
                shapes.push(LoopShape::of(&function, id).is_some());
            }
        });
        // Outer loops first: the first that has a shape has eight levels in it.
        assert_eq!(shapes, [[false; 3].as_slice(), &[true; 9]].concat());
    }
}
