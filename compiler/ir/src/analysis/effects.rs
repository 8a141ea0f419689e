//! The side effects of calls.

use super::CallGraph;
use crate::{Function, FunctionId, Module, Op, Space, Storage, Variable, VariableId};
use typed_index_collections::{TiSlice, TiVec, ti_vec};

/// What a call of a function may do besides giving a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effects {
    /// Nothing, and within a kernel the value depends on the arguments alone, so that equal calls may be merged. Not that it may
    /// be called where it was not: it need not return, and may read constant memory.
    None,
    /// It reads memory that others may write.
    Reads,
    /// Anything else.
    Any,
}

/// The effects of all functions of a module, as it was when they were found.
#[derive(Default)]
pub struct FunctionEffects {
    of: TiVec<FunctionId, Effects>,
    /// Whether a call does nothing but give a value, and ends, whatever the arguments are.
    harmless: TiVec<FunctionId, bool>,
}

impl FunctionEffects {
    /// Finds them. A function that is not defined has any, and so has every function of a module without calls.
    pub fn of(module: &Module) -> FunctionEffects {
        let count = module.functions.len();
        let mut effects = FunctionEffects { of: ti_vec![Effects::Any; count], harmless: ti_vec![false; count] };
        let calls = CallGraph::of(module);
        if !calls.has_calls() {
            return effects;
        }
        for id in calls.callees_first() {
            if let Some(function) = module.functions.get(id) {
                effects.of[id] = effects.of_function(function, &module.variables);
                effects.harmless[id] = effects.ends_harmlessly(function);
            }
        }
        effects
    }

    /// The effects of a call; any of a function that is not known.
    pub fn of_call(&self, function: FunctionId) -> Effects {
        self.of.get(function).copied().unwrap_or(Effects::Any)
    }

    /// Whether a function may be called where the program does not call it: it computes a value from its arguments, has no loop,
    /// and neither loads nor divides.
    pub fn is_harmless(&self, function: FunctionId) -> bool {
        self.harmless.get(function).copied().unwrap_or(false)
    }

    /// Whether an operation without regions may be executed where the program does not execute it.
    pub fn is_harmless_op(&self, function: &Function, op: &Op) -> bool {
        use crate::BinaryOp::*;
        match op {
            Op::Binary { op: UDiv | SDiv | URem | SRem, rhs, .. } => {
                function.as_int(*rhs).is_some_and(|divisor| divisor != 0)
            }
            Op::Call { function, .. } => self.is_harmless(*function),
            op => op.is_pure(),
        }
    }

    fn ends_harmlessly(&self, function: &Function) -> bool {
        let mut harmless = !function.is_declaration();
        function.walk_body(|_, inst| {
            harmless &= match &inst.op {
                Op::Loop { .. } | Op::Unreachable => false,
                op => self.is_harmless_op(function, op) || op.is_terminator() || !op.regions().is_empty(),
            };
        });
        harmless
    }

    fn of_function(&self, function: &Function, variables: &TiSlice<VariableId, Variable>) -> Effects {
        if function.is_declaration() {
            return Effects::Any;
        }
        let mut effects = Effects::None;
        function.walk_body(|_, inst| effects = effects.max(self.of_op(function, &inst.op, variables)));
        effects
    }

    /// The effects of one instruction, those in it aside.
    fn of_op(&self, function: &Function, op: &Op, variables: &TiSlice<VariableId, Variable>) -> Effects {
        match op {
            Op::Load { ptr, volatile: false, .. } if function.ty(*ptr).space() == Some(Space::Constant) => {
                Effects::None
            }
            Op::Load { volatile: false, invariant: true, .. } => Effects::None,
            Op::Load { volatile: false, .. } => Effects::Reads,
            Op::VariableLoad { variable, .. } => match variables.get(*variable).map(|variable| variable.storage) {
                Some(Storage::PushConstant | Storage::Uniform { .. }) => Effects::None,
                _ => Effects::Reads,
            },
            Op::Call { function, .. } => self.of_call(*function),
            op if op.is_pure() || op.is_terminator() || !op.regions().is_empty() => Effects::None,
            _ => Effects::Any,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::read;

    #[test]
    fn effects_come_from_what_a_function_does_and_calls() {
        let text = "variable @v0 \"own\" private i32 bytes 8\nvariable @v1 \"arguments\" push_constant i32 bytes 8\n\
            func @pure(%0: i32) -> i32 {\n  %1: bool = ne %0, i32 0\n  %2: i32 = if %1 {\n    yield %0\n  } else {\n    yield i32 7\n  }\n  return %2\n}\n\
            func @caller(%0: i32) -> i32 {\n  %1: i32 = call @pure(%0)\n  %2: i32 = variable_load @v1[i32 1]\n  %3: i32 = add %1, %2\n  return %3\n}\n\
            func @reads(%0: i32) -> i32 {\n  %1: i32 = variable_load @v0[i32 1]\n  %2: i32 = call @pure(%1)\n  return %2\n}\n\
            func @table(%0: ptr.constant) -> i32 {\n  %1: i32 = load align 4 %0\n  return %1\n}\n\
            func @memory(%0: ptr.global) -> i32 {\n  %1: i32 = load align 4 %0\n  return %1\n}\n\
            func @volatile(%0: ptr.constant) -> i32 {\n  %1: i32 = load volatile align 4 %0\n  return %1\n}\n\
            func @writes(%0: i32) -> i32 {\n  variable_store @v0[i32 0], %0\n  return %0\n}\n\
            func @indirect(%0: i32) -> i32 {\n  %1: i32 = call @writes(%0)\n  return %1\n}\n\
            func @divides(%0: i32) -> i32 {\n  %1: i32 = udiv i32 7, %0\n  return %1\n}\n\
            func @waits(%0: bool) {\n  loop () {\n    continue\n  } continuing {\n    next_if %0 () ()\n  }\n  return\n}\n\
            func @undefined(%0: i32) -> i32;\n";
        let module = read(text).expect("it reads");
        let effects = FunctionEffects::of(&module);
        let of = |name: &str| {
            let found = module.functions.iter_enumerated().find(|(_, function)| function.name == name);
            effects.of_call(found.expect("it is there").0)
        };
        assert_eq!(["pure", "caller", "table"].map(of), [Effects::None; 3]);
        assert_eq!(["reads", "memory"].map(of), [Effects::Reads; 2]);
        assert_eq!(["volatile", "writes", "indirect", "undefined"].map(of), [Effects::Any; 4]);
        assert_eq!(effects.of_call(FunctionId::from(99)), Effects::Any);
        let harmless = |name: &str| {
            let found = module.functions.iter_enumerated().find(|(_, function)| function.name == name);
            effects.is_harmless(found.expect("it is there").0)
        };
        assert!(harmless("pure"));
        assert_eq!(
            ["table", "memory", "writes", "indirect", "undefined", "divides", "waits"].map(harmless),
            [false; 7]
        );
    }
}
