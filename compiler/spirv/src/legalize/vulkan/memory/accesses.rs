//! Notes in the interface which buffers each kernel reads and writes, so that hosts know which launches may overlap. It follows
//! pointers as the bounds checks do ([`super::origins`]).

use super::origins::{Origin, Origins, Root};
use crate::interface::{Access, Accesses, ModuleInterface};
use clforge_ir::analysis::CallGraph;
use clforge_ir::*;
use rustc_hash::FxHashMap;
use typed_index_collections::{TiVec, ti_vec};

/// Notes the accesses of all kernels.
pub fn note(module: &Module, interface: &mut ModuleInterface, origins: &Origins) {
    // Functions that call themselves, or are not defined, keep `None`: they access anything.
    let mut known: TiVec<FunctionId, Option<Accesses>> = ti_vec![None; module.functions.len()];
    for id in CallGraph::of(module).callees_first() {
        if let Some(function) = module.functions.get(id).filter(|function| !function.is_declaration()) {
            known[id] = Search { module, origins, function, id, callees: &known }.accesses();
        }
    }
    let ids = module.functions.iter_enumerated();
    let kernels = ids.filter(|(_, function)| function.kernel.is_some());
    let kernels: FxHashMap<&str, FunctionId> = kernels.map(|(id, function)| (function.name.as_str(), id)).collect();
    for kernel in &mut interface.kernels {
        let id = kernels.get(kernel.name.as_str());
        kernel.accesses = id.and_then(|id| known[*id].take());
    }
}

struct Search<'m> {
    module: &'m Module,
    origins: &'m Origins,
    function: &'m Function,
    id: FunctionId,
    callees: &'m TiVec<FunctionId, Option<Accesses>>,
}

impl Search<'_> {
    /// The accesses of the function and of those that it calls; `None` where they are not known.
    fn accesses(&self) -> Option<Accesses> {
        let mut found = Some(Accesses::default());
        self.function.walk_body(|_, inst| {
            let Some(accesses) = &mut found else { return };
            match &inst.op {
                Op::Load { ptr, .. } => self.add(accesses, *ptr, Access::READS),
                Op::Matrix(MatrixOp::Load { ptr, .. }) => self.add(accesses, *ptr, Access::READS),
                Op::Store { ptr, .. } | Op::Matrix(MatrixOp::Store { ptr, .. }) => {
                    self.add(accesses, *ptr, Access::WRITES);
                }
                Op::Call { function, .. } => match self.callees.get(*function).and_then(Option::as_ref) {
                    Some(callee) => accesses.join(callee),
                    None => found = None,
                },
                op if op.is_pure() || op.is_terminator() || !op.regions().is_empty() => {}
                op => op.for_each_operand(|operand| self.add(accesses, operand, Access::READS.and(Access::WRITES))),
            }
        });
        found
    }

    /// Adds an access through a value, if it is a pointer to memory that hosts see.
    fn add(&self, accesses: &mut Accesses, pointer: Value, access: Access) {
        if !matches!(self.function.ty(pointer).space(), Some(Space::Global | Space::Constant | Space::Generic)) {
            return;
        }
        let Origin::Roots(roots) = self.origins.of(self.id, pointer) else {
            accesses.other = accesses.other.and(access);
            return;
        };
        for root in roots {
            match root {
                Root::Argument(ordinal) => accesses.add(*ordinal, access),
                Root::Variable(global) if self.module.global(*global).space == Space::Global => {
                    accesses.other = accesses.other.and(access);
                }
                // The runtime's, or constants, which nothing writes.
                Root::Buffer(_) => {}
                // Nothing writes constants, and objects belong to a work-item or to a work-group.
                Root::Variable(_) | Root::Object(_) => {}
            }
        }
    }
}
