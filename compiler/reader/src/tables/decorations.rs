//! The decorations of ids, including those of decoration groups. The targets of a group share its decorations.

use super::Fact;
use rspirv::spirv::{Decoration, FunctionParameterAttribute as Attribute};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Kinds of decorations that mean something to the reader.
pub const KINDS: [Decoration; 9] = [
    Decoration::Alignment,
    Decoration::BuiltIn,
    Decoration::CPacked,
    Decoration::FPRoundingMode,
    Decoration::FuncParamAttr,
    Decoration::LinkageAttributes,
    Decoration::SaturatedConversion,
    Decoration::SpecId,
    Decoration::Volatile,
];

/// See the module's description.
#[derive(Debug, Default)]
pub struct Decorations<'w>(FxHashMap<u32, Rc<Vec<Fact<'w, Decoration>>>>);

impl<'w> Decorations<'w> {
    /// A decoration of an id.
    pub fn add(&mut self, id: u32, fact: Fact<'w, Decoration>) {
        let attribute = || fact.operands.first().and_then(|number| Attribute::from_u32(*number));
        if KINDS.contains(&fact.kind) && (fact.kind != Decoration::FuncParamAttr || attribute().is_some()) {
            add(self.0.entry(id).or_default(), fact);
        }
    }

    /// The decorations of a group, to each of its targets.
    pub fn apply(&mut self, group: u32, targets: &[u32]) {
        let Some(facts) = self.0.get(&group).cloned() else { return };
        for target in targets {
            let own = self.0.entry(*target).or_insert_with(|| Rc::clone(&facts));
            if !Rc::ptr_eq(own, &facts) {
                facts.iter().for_each(|fact| add(own, *fact));
            }
        }
    }

    /// Those of an id.
    pub fn of(&self, id: u32) -> &[Fact<'w, Decoration>] {
        self.0.get(&id).map_or(&[], |facts| facts.as_slice())
    }
}

/// The first of a kind counts, but there may be several attributes of a parameter.
fn add<'w>(facts: &mut Rc<Vec<Fact<'w, Decoration>>>, new: Fact<'w, Decoration>) {
    let first = |fact: &Fact<'w, Decoration>| fact.operands.first().copied();
    let is_known = facts
        .iter()
        .any(|fact| fact.kind == new.kind && (fact.kind != Decoration::FuncParamAttr || first(fact) == first(&new)));
    if !is_known {
        Rc::make_mut(facts).push(new);
    }
}
