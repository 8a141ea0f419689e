//! Functions that kernels reach must not be recursive (6.9.i). For Vulkan they must be defined, as must functions that
//! libraries reach. A kernel that is called must be defined for every target.

use super::Sema;
use crate::hir::{self, FunctionId};
use typed_index_collections::{TiSlice, TiVec, ti_vec};

/// Progress of the depth-first walk through a function.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    New,
    Open,
    Done,
}

impl Sema<'_, '_, '_> {
    /// Walks the call graph from the kernels among the functions from `first` on.
    pub(super) fn reject_recursion(&mut self, first: FunctionId) {
        let mut marks: TiVec<FunctionId, Mark> = ti_vec![Mark::New; self.program.functions.len()];
        let new = self.program.functions.keys().filter(move |id| *id >= first);
        for root in new.clone() {
            let function = &self.program.functions[root];
            // The body of a block is what an enqueued kernel runs. A kernel that is only declared is checked where it is called.
            let is_root = function.is_kernel_definition() || function.block.is_some();
            if is_root && marks[root] == Mark::New {
                self.walk_calls(root, &mut marks, true);
            }
        }
        // Without kernels a module is a library. Modules for OpenCL and units export their functions in any case. Where units
        // are linked, recursion is found then.
        let has_kernels = self.program.functions.iter().any(hir::Function::is_kernel_definition);
        if !has_kernels || self.is_linked || !self.options.target.is_vulkan() {
            for root in new {
                let function = &self.program.functions[root];
                if !function.internal && function.body.is_some() && marks[root] == Mark::New {
                    self.walk_calls(root, &mut marks, !self.is_linked);
                }
            }
        }
    }

    /// Visits the functions that a function reaches; cycles are reported where `forbid` says so.
    fn walk_calls(&mut self, root: FunctionId, marks: &mut TiSlice<FunctionId, Mark>, forbid: bool) {
        let mut stack: Vec<(FunctionId, usize)> = vec![(root, 0)];
        marks[root] = Mark::Open;
        while let Some((function, next)) = stack.pop() {
            let Some(callee) = self.program.functions[function].callees.get(next).copied() else {
                marks[function] = Mark::Done;
                continue;
            };
            stack.push((function, next + 1));
            match marks.get(callee) {
                Some(Mark::New) => {
                    marks[callee] = Mark::Open;
                    self.check_defined(callee);
                    stack.push((callee, 0));
                }
                Some(Mark::Open) if forbid => {
                    let cycle: Vec<FunctionId> = stack.iter().map(|(f, _)| *f).skip_while(|f| *f != callee).collect();
                    self.tell_cycle(&cycle);
                }
                _ => {}
            }
        }
    }

    /// Modules for Vulkan are linked as units only; those for OpenCL are in any case, but an entry point cannot be imported
    /// (SPIR-V 1.6, 2.16.1: no call may have one as its target).
    fn check_defined(&mut self, callee: FunctionId) {
        let function = &self.program.functions[callee];
        let (is_vulkan, is_kernel) = (self.options.target.is_vulkan(), function.kernel.is_some());
        // Internal functions are not found in other units.
        let is_missing = if self.is_linked { function.internal } else { is_vulkan || is_kernel };
        if function.body.is_some() || self.library || !is_missing {
            return;
        }
        let (span, name) = (function.span, self.text(function.name).to_string());
        let mut diagnostic = self.error_at(span, format!("function '{name}' is called but has no definition"));
        if let Some(call) = self.first_calls.get(&callee) {
            diagnostic = diagnostic.with_note(self.table.range(*call, self.names), format!("'{name}' is called here"));
        }
        let diagnostic = match is_vulkan || self.is_linked {
            true => diagnostic,
            false => {
                diagnostic.with_help("a kernel of another module cannot be called; call a function without 'kernel'")
            }
        };
        self.push(diagnostic);
    }

    fn tell_cycle(&mut self, cycle: &[FunctionId]) {
        let Some(start) = cycle.first() else { return };
        let name = |sema: &Self, id: FunctionId| sema.text(sema.program.functions[id].name).to_string();
        let text = name(self, *start);
        let mut path: Vec<String> = cycle.iter().map(|id| format!("'{}'", name(self, *id))).collect();
        path.push(format!("'{text}'"));
        let span = self.program.functions[*start].span;
        let diagnostic = self
            .error_at(span, format!("recursion is not allowed in OpenCL: '{text}' calls itself"))
            .with_help(format!("the calls are {}", path.join(" -> ")));
        self.push(diagnostic);
    }
}
