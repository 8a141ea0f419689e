//! Walking the region tree.

use crate::{Function, Inst, InstId, Op, RegionId};

impl Function {
    /// Calls `visit` for every instruction of a region and of the regions nested in it, in the order of the program.
    /// Instructions that passes took out of the regions, which stay in [`Function::insts`], are not visited.
    pub fn walk<'f>(&'f self, region: RegionId, mut visit: impl FnMut(InstId, &'f Inst)) {
        // Not recursive: bodies may be nested as deep as the source is.
        let mut open = vec![self.region(region).insts.iter()];
        while let Some(insts) = open.last_mut() {
            let Some(id) = insts.next() else {
                open.pop();
                continue;
            };
            let inst = self.inst(*id);
            visit(*id, inst);
            for nested in inst.op.regions().iter().rev() {
                open.push(self.region(*nested).insts.iter());
            }
        }
    }

    /// Whether its body has loops.
    pub fn has_loops(&self) -> bool {
        let mut found = false;
        self.walk_body(|_, inst| found |= matches!(inst.op, Op::Loop { .. }));
        found
    }

    /// [`Function::walk`] over the body; declarations have none.
    pub fn walk_body<'f>(&'f self, visit: impl FnMut(InstId, &'f Inst)) {
        if !self.is_declaration() {
            self.walk(self.body, visit);
        }
    }

    /// Whether any instruction that was ever made has such an operation, also those that passes took out of the regions.
    /// It takes a fraction of the time of [`Function::walk_body`], since it reads the instructions as they are in memory.
    pub fn ever_had(&self, is_wanted: impl Fn(&Op) -> bool) -> bool {
        self.insts.iter().any(|inst| is_wanted(&inst.op))
    }

    /// The number of `return`s in a region and in the regions nested in it.
    pub fn return_count(&self, region: RegionId) -> usize {
        let mut returns = 0;
        self.walk(region, |_, inst| returns += usize::from(matches!(inst.op, Op::Return(_))));
        returns
    }

    /// Whether nothing returns but the end of the body.
    pub fn has_single_exit(&self) -> bool {
        let at_end = matches!(self.terminator(self.body), Some(Op::Return(_)));
        self.return_count(self.body) == usize::from(at_end)
    }
}
