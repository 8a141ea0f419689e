//! Private variables that functions get from their callers
//! ([`Workarounds::NVIDIA_PRIVATE_CALLS`](clforge_basic::workarounds::Workarounds)): in a module with functions that are
//! not to be inlined, the private variables that functions access are variables of the kernels, and the functions get
//! pointers to them behind their own parameters. Only the emitter has pointers to variables, so that no pass can do this.

use super::{VariableInfo, Vulkan};
use crate::emit::common::{FunctionEmitter, ModuleBuilder};
use clforge_basic::workarounds::Workarounds;
use clforge_ir::analysis::CallGraph;
use clforge_ir::*;
use rspirv::dr::Operand;
use rspirv::spirv::{self, Word};
use rustc_hash::FxHashSet;
use typed_index_collections::{TiVec, ti_vec};

/// The variables that functions get, and that kernels have for the functions they call.
pub struct Passed {
    /// In ascending order.
    variables: TiVec<FunctionId, Vec<VariableId>>,
}

impl Passed {
    /// Finds them: none where nothing needs the workaround.
    pub fn of(module: &Module, workarounds: Workarounds) -> Passed {
        let mut variables: TiVec<FunctionId, Vec<VariableId>> = ti_vec![Vec::new(); module.functions.len()];
        let is_called = |function: &Function| function.kernel.is_none();
        let has_calls = module.functions.iter().any(|function| is_called(function) && function.inline == Some(false));
        if !has_calls || !workarounds.contains(Workarounds::NVIDIA_PRIVATE_CALLS) {
            return Passed { variables };
        }
        let graph = CallGraph::of(module);
        let mut all = FxHashSet::default();
        for id in graph.callees_first() {
            let function = &module.functions[id];
            let mut used = if is_called(function) { private_variables(module, function) } else { Vec::new() };
            for callee in graph.callees(id) {
                used.extend(variables.get(*callee).into_iter().flatten());
            }
            used.sort_unstable();
            used.dedup();
            all.extend(used.iter().copied());
            variables[id] = used;
        }
        // Kernels have variables of their own in place of those that any function gets.
        for (function, used) in module.functions.iter().zip(&mut variables).filter(|(function, _)| !is_called(function))
        {
            used.extend(private_variables(module, function).into_iter().filter(|variable| all.contains(variable)));
            used.sort_unstable();
            used.dedup();
        }
        Passed { variables }
    }

    /// Whether a variable is not of the module but of each kernel that uses it.
    pub fn contains(&self, variable: VariableId) -> bool {
        self.variables.iter().flatten().any(|passed| *passed == variable)
    }

    /// Those of a function.
    pub fn of_function(&self, function: FunctionId) -> Vec<VariableId> {
        self.variables.get(function).cloned().unwrap_or_default()
    }
}

/// The private variables of the module that a function accesses itself.
fn private_variables(module: &Module, function: &Function) -> Vec<VariableId> {
    let mut used = Vec::new();
    function.walk_body(|_, inst| {
        used.extend(match inst.op {
            Op::VariableLoad { variable, .. }
            | Op::VariableStore { variable, .. }
            | Op::VariableAtomic { variable, .. }
            | Op::MatrixVariableLoad { variable, .. }
            | Op::MatrixVariableStore { variable, .. } => Some(variable),
            _ => None,
        });
    });
    used.retain(|variable| module.variable(*variable).storage == Storage::Private);
    used
}

impl Vulkan<'_> {
    /// The types of the pointers that the function being emitted gets.
    pub(super) fn passed_types(&mut self, m: &mut ModuleBuilder, function: &Function) -> Result<Vec<Word>, Error> {
        if function.kernel.is_some() {
            return Ok(Vec::new());
        }
        let variables = self.passed.of_function(self.function);
        variables.into_iter().map(|variable| Ok(self.describe(m, variable)?.2)).collect()
    }

    /// What a call of a function passes to it.
    pub(super) fn passed_args(&self, callee: FunctionId) -> Result<Vec<Word>, Error> {
        let id =
            |variable: VariableId| Ok(self.variables[variable].or_internal("a caller without a callee's variable")?.id);
        self.passed.of_function(callee).into_iter().map(id).collect()
    }

    /// Declares the variables of a kernel that its callees get, or takes those that another function has got.
    pub(super) fn declare_passed(&mut self, f: &mut FunctionEmitter<'_>) -> Result<(), Error> {
        for (at, variable) in self.passed.of_function(self.function).into_iter().enumerate() {
            let (info, ty, pointer) = self.describe(f.m, variable)?;
            let id = match f.more_params.get(at) {
                Some(param) => *param,
                None => {
                    let mut operands = vec![Operand::StorageClass(info.class)];
                    if self.module.variable(variable).zero_initialized {
                        operands.push(Operand::IdRef(f.m.global(spirv::Op::ConstantNull, Some(ty), vec![])));
                    }
                    f.push(spirv::Op::Variable, pointer, operands)?
                }
            };
            f.m.name(id, &self.module.variable(variable).name);
            self.variables[variable] = Some(VariableInfo { id, ..info });
        }
        Ok(())
    }
}
