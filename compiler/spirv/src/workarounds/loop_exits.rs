//! `workarounds/loop_exits`: adds a second exit to loops through whose single exit a loaded value leaves
//! ([`Workarounds::LAVAPIPE_LOOP_EXITS`](clforge_basic::workarounds::Workarounds)).
//!
//! lavapipe before 25 executes the work-items of a vector together until the last one leaves a loop. If only one exit
//! passes a value on, the driver uses the same register inside and after the loop, and still computes the value for
//! work-items that have left. A computation from registers gives the same value again, but a load gives zero for these
//! work-items. With a second exit, which is never taken, the value after the loop is a phi with a register of its own.
//!
//! The condition of that exit is one that the driver's optimiser cannot decide.

use crate::legalize::LAST;
use clforge_ir::pass::{Changed, FunctionContext, FunctionPass, Order};
use clforge_ir::*;
use typed_index_collections::{TiSlice, TiVec, ti_vec};

/// The pass; after it nothing may simplify control flow.
pub struct LoopExits;

impl FunctionPass for LoopExits {
    fn name(&self) -> &'static str {
        "workarounds/loop_exits"
    }

    fn order(&self) -> Order {
        LAST
    }

    fn run(&self, function: &mut Function, context: &FunctionContext<'_>) -> Changed {
        add_exits(function, context.variables);
        Changed::Maybe
    }
}

fn add_exits(function: &mut Function, variables: &TiSlice<VariableId, Variable>) {
    let mut search = Search {
        loaded: ti_vec![false; function.value_count()],
        function,
        variables,
        yields: Vec::new(),
        breaks: Vec::new(),
        continues: Vec::new(),
        found: Vec::new(),
    };
    search.region(function.body);
    let found = search.found;
    if found.is_empty() {
        return;
    }
    let start = function.new_region();
    let mut b = Builder::at(function, start);
    let index = b.emit(Op::Input { input: Input::LocalInvocationIndex, dim: 0 }, Type::I32);
    let most = b.int(Type::I32, -1);
    let never = b.compare(CompareOp::Eq, index, most);
    prepend(function, start, function.body);
    for id in found {
        add_exit(function, id, never);
    }
}

/// Adds an exit at the start of a loop's body, taken when `never` holds.
fn add_exit(function: &mut Function, id: InstId, never: Value) {
    let inst = function.inst(id);
    let Op::Loop { body, .. } = inst.op else { return };
    let results = inst.results.clone();
    let zeros = results.iter().map(|result| function.constant(Constant::int(function.ty(*result), 0))).collect();
    let start = function.new_region();
    let mut b = Builder::at(function, start);
    let then = b.nested(|b| b.effect(Op::Break(zeros)));
    let otherwise = b.nested(|b| b.effect(Op::Yield(Values::new())));
    b.effect(Op::If { condition: never, then, otherwise });
    prepend(function, start, body);
}

/// Moves all instructions of one region before those of another.
pub(super) fn prepend(function: &mut Function, from: RegionId, to: RegionId) {
    let mut insts = std::mem::take(&mut function.region_mut(from).insts);
    insts.append(&mut function.region_mut(to).insts);
    function.region_mut(to).insts = insts;
}

/// The values that leave an operation: one list for each of its exits.
type Exits = Vec<Values>;

/// Finds the loops, in one walk along the order of execution.
struct Search<'f> {
    function: &'f Function,
    variables: &'f TiSlice<VariableId, Variable>,
    /// For each value whether it is computed from loaded values. Parameters of loops are not: they are registers.
    loaded: TiVec<Value, bool>,
    /// The values that leave the enclosing conditionals, loops and switches, and bodies of loops.
    yields: Vec<Exits>,
    breaks: Vec<Exits>,
    continues: Vec<Exits>,
    found: Vec<InstId>,
}

impl Search<'_> {
    fn region(&mut self, region: RegionId) {
        let function = self.function;
        for id in &function.region(region).insts {
            let inst = function.inst(*id);
            match &inst.op {
                Op::If { condition, then, otherwise } => {
                    self.yields.push(Exits::new());
                    self.region(*then);
                    self.region(*otherwise);
                    let exits = self.yields.pop().unwrap_or_default();
                    let chosen = self.is_loaded(*condition);
                    self.mark(&inst.results, |search, index| chosen || search.any_loaded(&exits, index));
                }
                Op::Switch { selector, cases, .. } => {
                    self.breaks.push(Exits::new());
                    for case in cases {
                        self.mark(&function.region(case.region).params, |_, _| true);
                        self.region(case.region);
                    }
                    let exits = self.breaks.pop().unwrap_or_default();
                    let chosen = self.is_loaded(*selector);
                    self.mark(&inst.results, |search, index| chosen || search.any_loaded(&exits, index));
                }
                Op::Loop { body, continuing, .. } => self.loop_(*id, *body, *continuing),
                Op::Yield(values) => push(&mut self.yields, values),
                Op::Break(values) => push(&mut self.breaks, values),
                Op::Continue(values) => push(&mut self.continues, values),
                Op::NextIf { results, .. } => push(&mut self.breaks, results),
                op => {
                    let mut loaded = !op.is_pure() && !self.is_uniform(op);
                    op.for_each_operand(|value| loaded |= self.is_loaded(value));
                    self.mark(&inst.results, |_, _| loaded);
                }
            }
        }
    }

    fn loop_(&mut self, id: InstId, body: RegionId, continuing: RegionId) {
        let function = self.function;
        self.breaks.push(Exits::new());
        self.continues.push(Exits::new());
        self.region(body);
        let steps = self.continues.pop().unwrap_or_default();
        self.mark(&function.region(continuing).params, |search, index| search.any_loaded(&steps, index));
        self.region(continuing);
        let exits = self.breaks.pop().unwrap_or_default();
        let results = &function.inst(id).results;
        let alone = |index: usize| {
            let mut values =
                exits.iter().filter_map(|exit| exit.get(index)).filter(|value| !self.is_undefined(**value));
            let first = values.next();
            first.is_some_and(|first| self.is_loaded(*first) && values.all(|value| value == first))
        };
        let plain = results.iter().all(|result| !matches!(function.ty(*result).scalar, ScalarType::Opaque(_)));
        if plain && (0..results.len()).any(alone) {
            self.found.push(id);
        }
    }

    fn mark(&mut self, values: &[Value], loaded: impl Fn(&Self, usize) -> bool) {
        for (index, value) in values.iter().enumerate() {
            self.loaded[*value] = loaded(self, index);
        }
    }

    fn is_loaded(&self, value: Value) -> bool {
        self.loaded[value]
    }

    fn any_loaded(&self, exits: &Exits, index: usize) -> bool {
        exits.iter().filter_map(|exit| exit.get(index)).any(|value| self.is_loaded(*value))
    }

    fn is_undefined(&self, value: Value) -> bool {
        matches!(self.function.as_constant(value), Some(Constant::Undef(_)))
    }

    /// Whether it reads memory that the driver loads for all work-items of a vector at once, active or not.
    fn is_uniform(&self, op: &Op) -> bool {
        let Op::VariableLoad { variable, .. } = op else { return false };
        let storage = self.variables.get(*variable).map(|variable| variable.storage);
        matches!(storage, Some(Storage::PushConstant | Storage::Uniform { .. }))
    }
}

fn push(exits: &mut [Exits], values: &Values) {
    if let Some(exits) = exits.last_mut() {
        exits.push(values.clone());
    }
}
