//! What kernels reach must not call itself (6.9.i) and, on Vulkan, must be defined, as what libraries reach must.

use super::Sema;
use crate::hir::FunctionId;

/// Progress of the depth-first walk through a function.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    New,
    Open,
    Done,
}

impl Sema<'_, '_, '_> {
    /// Walks the call graph from the kernels among the functions from `first` on.
    pub(super) fn reject_recursion(&mut self, first: usize) {
        let count = self.program.functions.len();
        let mut marks = vec![Mark::New; count];
        for root in first..count {
            let function = &self.program.functions[root];
            // The body of a block is what an enqueued kernel runs.
            let is_root = function.kernel.is_some() || function.block.is_some();
            if is_root && marks[root] == Mark::New {
                self.walk_calls(root, &mut marks, true);
            }
        }
        // Without kernels a module is a library; its functions may call themselves, as no kernel does yet.
        if self.program.functions.iter().all(|function| function.kernel.is_none()) {
            for root in first..count {
                let function = &self.program.functions[root];
                if !function.internal && function.body.is_some() && marks[root] == Mark::New {
                    self.walk_calls(root, &mut marks, false);
                }
            }
        }
    }

    /// Visits the functions that a function reaches; cycles are reported where `forbid` says so.
    fn walk_calls(&mut self, root: usize, marks: &mut [Mark], forbid: bool) {
        let mut stack: Vec<(usize, usize)> = vec![(root, 0)];
        marks[root] = Mark::Open;
        while let Some((function, next)) = stack.pop() {
            let Some(callee) = self.program.functions[function].callees.get(next).copied() else {
                marks[function] = Mark::Done;
                continue;
            };
            stack.push((function, next + 1));
            let target = callee.0 as usize;
            match marks.get(target) {
                Some(Mark::New) => {
                    marks[target] = Mark::Open;
                    self.check_defined(callee);
                    stack.push((target, 0));
                }
                Some(Mark::Open) if forbid => {
                    let cycle: Vec<usize> = stack.iter().map(|(f, _)| *f).skip_while(|f| *f != target).collect();
                    self.tell_cycle(&cycle);
                }
                _ => {}
            }
        }
    }

    fn check_defined(&mut self, callee: FunctionId) {
        let function = &self.program.functions[callee.0 as usize];
        if function.body.is_none() && self.options.target.is_vulkan() && !self.library {
            let (span, name) = (function.span, self.text(function.name).to_string());
            self.error(span, format!("function '{name}' is called but has no definition"));
        }
    }

    fn tell_cycle(&mut self, cycle: &[usize]) {
        let Some(start) = cycle.first() else { return };
        let name = |sema: &Self, index: usize| sema.text(sema.program.functions[index].name).to_string();
        let text = name(self, *start);
        let mut path: Vec<String> = cycle.iter().map(|index| format!("'{}'", name(self, *index))).collect();
        path.push(format!("'{text}'"));
        let span = self.program.functions[*start].span;
        let diagnostic = self
            .error_at(span, format!("recursion is not allowed in OpenCL: '{text}' calls itself"))
            .with_help(format!("the calls are {}", path.join(" -> ")));
        self.push(diagnostic);
    }
}
