//! Copies instructions with all their regions, into another function or within the same one.

use super::{Function, Inst, InstId, RegionId, Type, Value};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Copies instructions into a function.
pub struct Copier<'c> {
    /// The function copied from; `None`: `to` itself.
    pub from: Option<&'c Function>,
    /// The function that gets the copies.
    pub to: &'c mut Function,
    /// What the copies use instead of the originals' values. Results and parameters of what is copied are added.
    pub values: FxHashMap<Value, Value>,
}

impl Copier<'_> {
    fn source(&self) -> &Function {
        self.from.unwrap_or(self.to)
    }

    /// The value that the copies use for an original: the one given or copied, else the same constant, or the value itself if
    /// it stays in its function.
    pub fn value(&mut self, old: Value) -> Value {
        let Copier { from, to, values } = self;
        match from {
            None => values.get(&old).copied().unwrap_or(old),
            Some(from) => *values.entry(old).or_insert_with(|| match from.as_constant(old) {
                Some(constant) => to.constant(constant.clone()),
                None => to.undef(from.ty(old)),
            }),
        }
    }

    /// A copy of an instruction, in no region yet.
    pub fn inst(&mut self, id: InstId) -> InstId {
        let source = self.source();
        let Inst { mut op, results, span } = source.inst(id).clone();
        let mut types: SmallVec<[Type; 4]> = SmallVec::new();
        results.iter().for_each(|result| types.push(source.ty(*result)));
        op.for_each_operand_mut(|value| *value = self.value(*value));
        op.for_each_region_mut(|region| *region = self.region(*region));
        let new = self.to.new_inst(op, &types, span);
        for (old, new) in results.into_iter().zip(&self.to.inst(new).results) {
            self.values.insert(old, *new);
        }
        new
    }

    fn region(&mut self, old: RegionId) -> RegionId {
        let new = self.to.new_region();
        let region = self.source().region(old).clone();
        for param in region.params {
            let ty = self.source().ty(param);
            let value = self.to.add_region_param(new, ty);
            self.values.insert(param, value);
        }
        let insts = region.insts.into_iter().map(|id| self.inst(id)).collect();
        self.to.region_mut(new).insts = insts;
        new
    }
}
