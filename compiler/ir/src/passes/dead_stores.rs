//! `dead_stores` removes a store if a later store overwrites all its bytes before anything may load them.
//!
//! ```text
//! a[i] = x;    y = b[j];    a[i] = z;
//! ```
//!
//! The first store is dead unless `b[j]` may overlap it. Both stores are in one region without a structured operation
//! between them, so the later one is executed whenever the first one is (unless a call between them never returns, and
//! then the memory is not observed). Other work-items may not read the memory between the two stores without
//! synchronisation. `common_subexpressions` runs before and replaces loads by the stored values. Drivers keep the
//! stores. In LLVM this is a part of DSE.

use crate::analysis::{Effects, FunctionEffects, Place};
use crate::pass::{Changed, FunctionContext, FunctionPass, Order};
use crate::*;
use rustc_hash::FxHashSet;
use typed_index_collections::TiSlice;

/// Most stores that are remembered, the newest ones: each load is compared with all of them.
const MOST_PENDING: usize = 32;

/// The pass.
pub struct DeadStores;

impl FunctionPass for DeadStores {
    fn name(&self) -> &'static str {
        "dead_stores"
    }

    fn order(&self) -> Order {
        Order { after: &["common_subexpressions"], before: &["vulkan/memory"], ..Order::ANY }
    }

    fn looks_at_calls(&self) -> bool {
        true
    }

    fn run(&self, function: &mut Function, context: &FunctionContext<'_>) -> Changed {
        // A report counts the accesses that are out of range.
        if context.options.codegen.bounds_check || function.is_declaration() {
            return Changed::No;
        }
        let mut search = Search {
            function,
            variables: context.variables,
            effects: &context.effects,
            pending: Vec::new(),
            dead: FxHashSet::default(),
        };
        search.region(function.body);
        let dead = search.dead;
        if dead.is_empty() {
            return Changed::No;
        }
        for region in &mut function.regions {
            region.insts.retain(|id| !dead.contains(id));
        }
        Changed::Maybe
    }
}

/// A store that nothing may have loaded yet.
struct Pending {
    id: InstId,
    place: Place,
    space: Option<Space>,
}

struct Search<'f> {
    function: &'f Function,
    variables: &'f TiSlice<VariableId, Variable>,
    effects: &'f FunctionEffects,
    /// In the order of the region.
    pending: Vec<Pending>,
    dead: FxHashSet<InstId>,
}

impl Search<'_> {
    fn region(&mut self, region: RegionId) {
        self.pending.clear();
        for id in &self.function.region(region).insts {
            self.inst(*id);
        }
        self.pending.clear();
    }

    fn inst(&mut self, id: InstId) {
        let op = &self.function.inst(id).op;
        match op {
            // Programs of old use volatile accesses for synchronisation.
            Op::Store { volatile: true, .. } | Op::Load { volatile: true, .. } => self.pending.clear(),
            Op::Store { ptr, .. } => self.stored(id, *ptr),
            Op::Load { ptr, .. } => self.loaded(id, *ptr),
            Op::VariableLoad { variable, .. } => match self.variables.get(*variable).map(|variable| variable.storage) {
                Some(Storage::PushConstant | Storage::Uniform { .. }) => {}
                _ => self.pending.clear(),
            },
            Op::Call { function, .. } if self.effects.of_call(*function) == Effects::None => {}
            // An image may be made of a buffer, but no kernel may access both without synchronisation.
            Op::Image { .. } => {}
            op if op.is_pure() => {}
            op => {
                for nested in op.regions() {
                    self.region(nested);
                }
                self.pending.clear();
            }
        }
    }

    fn stored(&mut self, id: InstId, pointer: Value) {
        let Some(place) = Place::of(self.function, id) else { return };
        let dead = &mut self.dead;
        self.pending.retain(|earlier| {
            let is_overwritten = place.covers(&earlier.place);
            if is_overwritten {
                dead.insert(earlier.id);
            }
            !is_overwritten
        });
        if self.pending.len() == MOST_PENDING {
            self.pending.remove(0);
        }
        self.pending.push(Pending { id, place, space: self.function.ty(pointer).space() });
    }

    fn loaded(&mut self, id: InstId, pointer: Value) {
        let (place, space) = (Place::of(self.function, id), self.function.ty(pointer).space());
        self.pending.retain(|store| {
            let in_other_space = match (store.space, space) {
                (Some(Space::Generic) | None, _) | (_, Some(Space::Generic) | None) => false,
                (stored, loaded) => stored != loaded,
            };
            in_other_space || place.is_some_and(|place| place.is_apart_from(&store.place))
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::testing::run;
    use crate::print::print;
    use crate::read::read;

    /// The stores that are left of a function with two global pointers, a local one and an integer.
    fn stores_left(body: &str) -> usize {
        let text = format!(
            "func @f(%0: ptr.global, %1: ptr.global, %2: ptr.local, %3: i32) {{\n{body}  return\n}}\n\
             func @pure(%0: i32) -> i32 {{\n  %1: i32 = add %0, i32 1\n  return %1\n}}\n\
             func @reads(%0: ptr.global) -> i32 {{\n  %1: i32 = load align 4 %0\n  return %1\n}}\n"
        );
        let mut module = read(&text).unwrap_or_else(|error| panic!("{error:?} in\n{text}"));
        run(&mut module, &[&DeadStores]);
        print(&module).matches("store").count()
    }

    const FIRST: &str = "  store align 4 %0, i32 1\n";
    const SECOND: &str = "  store align 4 %0, i32 2\n";

    fn left_with(between: &str) -> usize {
        stores_left(&format!("{FIRST}{between}{SECOND}"))
    }

    #[test]
    fn what_is_overwritten_is_removed() {
        assert_eq!(left_with(""), 1);
        assert_eq!(
            left_with("  %4: ptr.global = ptr_add %0 [4]\n  %5: i32 = load align 4 %4\n"),
            1,
            "a load beside it"
        );
        assert_eq!(left_with("  %4: i32 = load align 4 %2\n"), 1, "a load of other memory");
        assert_eq!(left_with("  store align 4 %1, i32 3\n"), 2, "a store that may overlap");
        assert_eq!(left_with("  %4: i32 = call @pure(%3)\n"), 1);
        assert_eq!(stores_left(&format!("{FIRST}  store align 8 %0, i64 2\n")), 1, "a wider store");
    }

    #[test]
    fn what_may_be_loaded_stays() {
        assert_eq!(left_with("  %4: i32 = load align 4 %0\n"), 2);
        assert_eq!(left_with("  %4: i32 = load align 4 %1\n"), 2, "it may overlap");
        assert_eq!(left_with("  %4: i8 = load align 1 %0\n"), 2, "a part of it");
        assert_eq!(left_with("  %4: ptr.generic = ptr_cast %1\n  %5: i32 = load align 4 %4\n"), 2);
        assert_eq!(left_with("  %4: i32 = call @reads(%1)\n"), 2);
        assert_eq!(left_with("  barrier work_group acquire_release work_group global\n"), 2);
        assert_eq!(left_with("  %4: bool = eq %3, i32 0\n  if %4 {\n    return\n  } else {\n    yield\n  }\n"), 2);
        assert_eq!(stores_left(&format!("  store align 8 %0, i64 2\n{FIRST}")), 2, "a narrower store");
        assert_eq!(stores_left(&format!("  store volatile align 4 %0, i32 2\n{SECOND}")), 2);
        assert_eq!(left_with("  store volatile align 4 %2, i32 3\n"), 3, "perhaps a flag");
        assert_eq!(left_with("  %4: i32 = load volatile align 4 %2\n"), 2, "perhaps a flag");
        assert_eq!(left_with("  fence acquire_release work_group global\n"), 2);
        assert_eq!(left_with("  %4: i64 = ptr_to_int %1\n  %5: i32 = load align 4 %4\n"), 2, "any memory");
        let three = "  store align 4 %0, f32x3 [0x0, 0x0, 0x0]\n";
        assert_eq!(
            stores_left(&format!("  store align 4 %0, f32x4 [0x0, 0x0, 0x0, 0x0]\n{three}")),
            2,
            "a narrower store"
        );
    }

    #[test]
    fn each_region_is_looked_at_alone() {
        let inside = |body: &str| {
            format!("  %4: bool = eq %3, i32 0\n  if %4 {{\n{body}    yield\n  }} else {{\n    yield\n  }}\n")
        };
        assert_eq!(stores_left(&inside(&format!("{FIRST}{SECOND}"))), 1);
        assert_eq!(stores_left(&format!("{FIRST}{}", inside(SECOND))), 2);
        assert_eq!(stores_left(&format!("{}{FIRST}", inside(SECOND))), 2);
    }
}
