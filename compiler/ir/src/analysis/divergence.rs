//! Which values and loops are uniform: the same for all work-items of a work-group that execute them together.
//!
//! A value is divergent in three cases: it comes from an id, an atomic operation, private memory or a work-item's
//! clock; it is computed from divergent values; or it depends on the path that a divergent condition selected. A loop
//! is divergent if work-items may leave it after different numbers of iterations. A load from a uniform address of
//! other memory is uniform: if another value were stored there between two barriers, the program would have a data
//! race.

use super::{CallGraph, Targets, nested, receivers};
use crate::{
    Function, FunctionId, GroupExtent, GroupOp, Input, Inst, InstId, MatrixOp, Module, Op, RegionId, Scope, Space,
    Storage, Value, Values, Variable, VariableId, WorkItemQuery,
};
use rustc_hash::FxHashSet;
use typed_index_collections::{TiSlice, TiVec, ti_vec};

/// The divergence of a module, as it was when it was found.
pub struct Divergence {
    functions: TiVec<FunctionId, FunctionDivergence>,
}

/// The divergence of a function.
#[derive(Clone, Default)]
struct FunctionDivergence {
    values: TiVec<Value, bool>,
    loops: FxHashSet<InstId>,
    /// Whether a call gives divergent values whatever the arguments are.
    is_source: bool,
}

impl Divergence {
    /// Finds it.
    pub fn of(module: &Module) -> Divergence {
        let values = |function: &Function| ti_vec![false; function.value_count()];
        let mut found = Divergence {
            functions: module
                .functions
                .iter()
                .map(|function| FunctionDivergence { values: values(function), ..FunctionDivergence::default() })
                .collect(),
        };
        let graph = CallGraph::of(module);
        for id in graph.callees_first() {
            found.functions[id].is_source = found.is_source(module, id);
        }
        // Arguments are known once all callers are.
        for id in graph.callers_first() {
            let calls = found.function(module, id);
            for (callee, args) in calls {
                let Some(callee_function) = module.functions.get(callee) else { continue };
                for (param, is_divergent) in callee_function.params.iter().zip(args) {
                    found.functions[callee].values[*param] |= is_divergent;
                }
            }
        }
        found
    }

    /// Whether work-items may leave a loop of a function after different numbers of iterations.
    pub fn is_divergent_loop(&self, function: FunctionId, id: InstId) -> bool {
        self.functions.get(function).is_none_or(|found| found.loops.contains(&id))
    }

    fn is_source(&self, module: &Module, id: FunctionId) -> bool {
        let function = &module.functions[id];
        let mut is_source = function.is_declaration();
        function.walk_body(|_, inst| {
            is_source |= match &inst.op {
                Op::Call { function, .. } => self.functions.get(*function).is_none_or(|callee| callee.is_source),
                op => is_source_of_divergence(function, op, &module.variables),
            }
        });
        is_source
    }

    /// Finds the divergence of a function whose parameters' is known; its calls, with the divergence of the arguments.
    fn function(&mut self, module: &Module, id: FunctionId) -> Vec<(FunctionId, Vec<bool>)> {
        let function = &module.functions[id];
        if function.is_declaration() {
            return Vec::new();
        }
        let own = std::mem::take(&mut self.functions[id]);
        let mut search = Search {
            function,
            variables: &module.variables,
            callees: &self.functions,
            values: own.values,
            loops: FxHashSet::default(),
            changed: true,
            calls: Vec::new(),
        };
        // What loops carry may become divergent by what later instructions compute.
        while std::mem::take(&mut search.changed) {
            search.calls.clear();
            search.region(function.body, &Targets::default(), Control::default());
        }
        let Search { values, loops, calls, .. } = search;
        self.functions[id] = FunctionDivergence { values, loops, is_source: own.is_source };
        calls
    }
}

/// Whether the result of an operation is divergent whatever the operands are.
fn is_source_of_divergence(function: &Function, op: &Op, variables: &TiSlice<VariableId, Variable>) -> bool {
    match op {
        Op::WorkItem { query, .. } => {
            use WorkItemQuery::*;
            matches!(query, GlobalId | LocalId | GlobalLinearId | LocalLinearId)
                || matches!(query, SubGroupSize | SubGroupId | SubGroupLocalId)
        }
        Op::Input { input, .. } => {
            use Input::*;
            matches!(input, GlobalInvocationId | LocalInvocationId | LocalInvocationIndex)
                || matches!(input, SubgroupId | SubgroupLocalInvocationId)
        }
        Op::Load { ptr, volatile, .. } => {
            *volatile || matches!(function.ty(*ptr).space(), Some(Space::Private | Space::Generic))
        }
        Op::VariableLoad { variable, .. } => variables
            .get(*variable)
            .is_none_or(|variable| matches!(variable.storage, Storage::Function | Storage::Private)),
        Op::Intrinsic { function, .. } => !function.is_pure(),
        Op::Group { scope: Scope::WorkGroup, op, .. } => match op {
            GroupOp::All { .. } | GroupOp::Any { .. } | GroupOp::AllEqual { .. } | GroupOp::Broadcast { .. } => false,
            GroupOp::Arithmetic { extent, .. } => *extent != GroupExtent::Reduce,
            _ => true,
        },
        Op::Group { .. }
        | Op::Atomic { .. }
        | Op::VariableAtomic { .. }
        | Op::ReadClock(_)
        | Op::Device(_)
        | Op::MatrixVariableLoad { .. }
        | Op::Enqueue { .. } => true,
        Op::Matrix(op) => !matches!(op, MatrixOp::Length { .. }),
        _ => false,
    }
}

/// Whether only some of the work-items may execute an instruction that have entered what is around it.
#[derive(Clone, Copy, Default)]
struct Control {
    /// Of those that have entered the function, the iteration of the innermost loop, and the innermost loop or switch.
    in_loop: bool,
    in_breakable: bool,
    /// Of those in the innermost `if`, switch or loop.
    in_construct: bool,
}

/// What the terminators inside of a region leave.
#[derive(Clone, Copy, Default)]
struct Leaves {
    breaks: bool,
    continues: bool,
    returns: bool,
    /// Some work-items are not left for what follows in the iteration, loop or switch.
    diverges: bool,
    /// Some may break, or return, before others do.
    breaks_diverge: bool,
    returns_diverge: bool,
}

impl Leaves {
    fn or(self, other: Leaves) -> Leaves {
        Leaves {
            breaks: self.breaks || other.breaks,
            continues: self.continues || other.continues,
            returns: self.returns || other.returns,
            diverges: self.diverges || other.diverges,
            breaks_diverge: self.breaks_diverge || other.breaks_diverge,
            returns_diverge: self.returns_diverge || other.returns_diverge,
        }
    }

    fn any(self) -> bool {
        self.breaks || self.continues || self.returns
    }
}

struct Search<'m> {
    function: &'m Function,
    variables: &'m TiSlice<VariableId, Variable>,
    callees: &'m TiVec<FunctionId, FunctionDivergence>,
    values: TiVec<Value, bool>,
    loops: FxHashSet<InstId>,
    changed: bool,
    calls: Vec<(FunctionId, Vec<bool>)>,
}

impl Search<'_> {
    fn region(&mut self, region: RegionId, targets: &Targets, mut control: Control) -> Leaves {
        let mut leaves = Leaves::default();
        let function = self.function;
        for id in &function.region(region).insts {
            let inst = function.inst(*id);
            let inner = self.instruction(*id, inst, targets, control);
            leaves = leaves.or(inner);
            if inner.diverges {
                // The rest is executed by those that are left.
                control = Control { in_loop: true, in_breakable: true, in_construct: true };
            }
        }
        leaves
    }

    fn instruction(&mut self, id: InstId, inst: &Inst, targets: &Targets, control: Control) -> Leaves {
        self.pass_on(inst, targets, control);
        match &inst.op {
            Op::If { condition, .. } => {
                let diverges = self.is_divergent(*condition);
                let inner = Control {
                    in_loop: control.in_loop || diverges,
                    in_breakable: control.in_breakable || diverges,
                    in_construct: diverges,
                };
                let leaves = self.nested(inst, targets, inner);
                Leaves { diverges: leaves.diverges || diverges && leaves.any(), ..leaves }
            }
            Op::Switch { selector, .. } => {
                let diverges = self.is_divergent(*selector);
                let in_loop = control.in_loop || diverges;
                let inner = Control { in_loop, in_breakable: diverges, in_construct: diverges };
                let leaves = self.nested(inst, targets, inner);
                let left = Leaves { breaks: false, breaks_diverge: false, ..leaves };
                Leaves { diverges: left.any() && (left.diverges || diverges), ..left }
            }
            Op::Loop { .. } => {
                let leaves = self.nested(inst, targets, Control::default());
                if (leaves.breaks_diverge || leaves.returns_diverge) && self.loops.insert(id) {
                    self.changed = true;
                }
                if self.loops.contains(&id) {
                    inst.results.iter().for_each(|result| self.mark(*result));
                }
                let Leaves { returns, returns_diverge, .. } = leaves;
                Leaves { returns, returns_diverge, diverges: returns, ..Leaves::default() }
            }
            Op::Break(_) => Leaves { breaks: true, breaks_diverge: control.in_breakable, ..Leaves::default() },
            Op::Continue(_) => Leaves { continues: true, ..Leaves::default() },
            Op::NextIf { condition, .. } => {
                Leaves { breaks: true, breaks_diverge: self.is_divergent(*condition), ..Leaves::default() }
            }
            Op::Return(_) => Leaves { returns: true, returns_diverge: control.in_loop, ..Leaves::default() },
            op => {
                self.value(inst, op);
                Leaves::default()
            }
        }
    }

    fn nested(&mut self, inst: &Inst, targets: &Targets, control: Control) -> Leaves {
        let regions = nested(self.function, inst, targets);
        let visit = |leaves: Leaves, (region, targets)| leaves.or(self.region(region, &targets, control));
        regions.into_iter().fold(Leaves::default(), visit)
    }

    /// Marks the results of an operation without regions.
    fn value(&mut self, inst: &Inst, op: &Op) {
        let mut operands = false;
        op.for_each_operand(|operand| operands |= self.is_divergent(operand));
        let is_divergent = match op {
            Op::Call { function, args } => {
                let args: Vec<bool> = args.iter().map(|arg| self.is_divergent(*arg)).collect();
                self.calls.push((*function, args));
                operands || self.callees.get(*function).is_none_or(|callee| callee.is_source)
            }
            Op::Group { scope: Scope::WorkGroup, .. } => is_source_of_divergence(self.function, op, self.variables),
            op => operands || is_source_of_divergence(self.function, op, self.variables),
        };
        if is_divergent {
            inst.results.iter().for_each(|result| self.mark(*result));
        }
    }

    /// Marks what a terminator, or the operands of an operation with regions, pass divergent values to.
    fn pass_on(&mut self, inst: &Inst, targets: &Targets, control: Control) {
        let (before, to) = receivers(self.function, &inst.op, targets);
        if to.is_empty() {
            return;
        }
        let chosen = match inst.op {
            Op::Yield(_) | Op::Fallthrough(_) => control.in_construct,
            Op::Break(_) => control.in_breakable,
            Op::Continue(_) => control.in_loop,
            _ => false,
        };
        let mut operands = Values::new();
        inst.op.for_each_operand(|value| operands.push(value));
        for (from, to) in operands.iter().skip(before).zip(to) {
            if chosen || self.is_divergent(*from) {
                self.mark(to);
            }
        }
        if let Op::Switch { cases, .. } = &inst.op {
            // Each case is entered with the inputs, or from the one before.
            let inputs: Vec<bool> = operands.iter().skip(1).map(|value| self.is_divergent(*value)).collect();
            for case in cases {
                for (param, is_divergent) in self.function.region(case.region).params.iter().zip(&inputs) {
                    if *is_divergent {
                        self.mark(*param);
                    }
                }
            }
        }
    }

    fn is_divergent(&self, value: Value) -> bool {
        self.values[value]
    }

    fn mark(&mut self, value: Value) {
        if !std::mem::replace(&mut self.values[value], true) {
            self.changed = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::read;

    /// Whether the loops of `@f` are divergent, in the order of the program.
    fn loops(text: &str) -> Vec<bool> {
        let module = read(text).expect("it reads");
        let divergence = Divergence::of(&module);
        let found =
            module.functions.iter_enumerated().find(|(_, function)| function.name == "f").expect("there is one");
        let mut loops = Vec::new();
        found.1.walk_body(|id, inst| {
            if matches!(inst.op, Op::Loop { .. }) {
                loops.push(divergence.is_divergent_loop(found.0, id));
            }
        });
        loops
    }

    /// A loop of `limit` iterations at least, with more in the body.
    fn counted(limit: &str, body: &str) -> String {
        format!(
            "  loop (i64 0) (%10: i64) {{\n{body}    continue %10\n  }} continuing (%11: i64) {{\n\
             \x20   %12: i64 = add %11, i64 1\n    %13: bool = ult %12, {limit}\n    next_if %13 (%12) ()\n  }}\n"
        )
    }

    fn kernel(query: &str, body: &str) -> String {
        format!("func @f(%0: i64, %2: ptr.local) {{\n  %1: i64 = {query}\n{}  return\n}}\n", counted("%1", body))
    }

    #[test]
    fn a_loop_is_as_uniform_as_its_limit() {
        assert_eq!(loops(&kernel("work_item local_size 0", "")), [false]);
        assert_eq!(loops(&kernel("work_item local_id 0", "")), [true]);
        assert_eq!(loops(&kernel("load align 8 %2", "")), [false]);
        assert_eq!(loops(&kernel("atomic add relaxed device local relaxed %2, i64 1", "")), [true]);
    }

    #[test]
    fn an_exit_is_divergent_if_only_some_reach_it() {
        let exit = |condition: &str, leave: &str| {
            format!(
                "    %20: i64 = {condition}\n    %21: bool = eq %20, %10\n    if %21 {{\n      {leave}\n    }} else {{\n      yield\n    }}\n"
            )
        };
        assert_eq!(loops(&kernel("work_item local_size 0", &exit("work_item group_id 0", "break"))), [false]);
        assert_eq!(loops(&kernel("work_item local_size 0", &exit("work_item local_id 0", "break"))), [true]);
        assert_eq!(loops(&kernel("work_item local_size 0", &exit("work_item local_id 0", "return"))), [true]);
        assert_eq!(loops(&kernel("work_item local_size 0", &exit("work_item local_id 0", "yield"))), [false]);
    }

    #[test]
    fn arguments_are_as_uniform_as_the_callers_make_them() {
        let text = |argument: &str| {
            format!(
                "func @f(%0: i64) {{\n{}  return\n}}\nfunc @g() {{\n  %0: i64 = work_item {argument} 0\n  call @f(%0)\n  return\n}}\n",
                counted("%0", "")
            )
        };
        assert_eq!(loops(&text("num_groups")), [false]);
        assert_eq!(loops(&text("global_id")), [true]);
    }
}
