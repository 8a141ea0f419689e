//! One level of the loop forest, a whole graph or the inside of one loop: its units (blocks and inner loops) in topological
//! order, and their dominator tree.

use crate::context::BlockId;
use clforge_basic::narrow::to_u32;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::collections::BTreeSet;

/// A place in [`Scope::units`].
pub(super) type UnitId = usize;

/// The unit before the entries, which dominates all others: the root of the dominator tree.
pub(super) const START: UnitId = 0;

/// A block by itself, or the blocks of a loop.
#[derive(Debug, Default)]
pub(super) struct Unit {
    pub blocks: Vec<BlockId>,
    pub is_loop: bool,
    /// The blocks with a predecessor in another unit.
    pub entries: BTreeSet<BlockId>,
    /// The number of edges that lead into it.
    pub incoming: u32,
    /// The units that it immediately dominates, in order.
    pub children: Vec<UnitId>,
    /// Its immediate dominator.
    parent: Option<UnitId>,
}

/// The units of one level in topological order of their edges, without the edges back to the entries.
#[derive(Debug)]
pub(super) struct Scope {
    pub units: Vec<Unit>,
    pub entries: BTreeSet<BlockId>,
    unit_of: FxHashMap<BlockId, UnitId>,
}

impl Scope {
    /// `members`: the blocks, all of them reachable from the entries.
    pub fn new<S: Fn(BlockId) -> SmallVec<[BlockId; 4]>>(
        members: &[BlockId],
        entries: BTreeSet<BlockId>,
        successors: S,
    ) -> Scope {
        let mut order = Walk::new(members, &successors);
        order.visit_all(&entries, |_, _| true);
        // The back edges to the entries are dropped, which become `continue`s, so that the components inside are smaller (as in
        // Havlak, "Nesting of Reducible and Irreducible Loops", TOPLAS 1997). Edges
        // between entries stay where they lead forward.
        let rank = std::mem::take(&mut order.rank);
        let rank = |block: BlockId| rank.get(&block).copied().unwrap_or(u32::MAX);
        let stays = |from: BlockId, to: BlockId| !entries.contains(&to) || rank(from) < rank(to);
        let mut walk = Walk::new(members, &successors);
        walk.visit_all(&entries, stays);
        let mut units = vec![Unit::default()];
        for mut blocks in walk.components.into_iter().rev() {
            blocks.sort_unstable();
            let around = |block: BlockId| successors(block).contains(&block) && stays(block, block);
            let is_loop = blocks.len() > 1 || blocks.first().is_some_and(|block| around(*block));
            units.push(Unit { blocks, is_loop, ..Unit::default() });
        }
        let of_unit =
            |(id, unit): (UnitId, &Unit)| unit.blocks.iter().map(move |block| (*block, id)).collect::<Vec<_>>();
        let unit_of = units.iter().enumerate().flat_map(of_unit).collect();
        let mut scope = Scope { units, entries, unit_of };
        scope.dominate(&successors);
        scope
    }

    /// The unit that a block of this level belongs to.
    pub fn unit_of(&self, block: BlockId) -> Option<UnitId> {
        self.unit_of.get(&block).copied()
    }

    /// Follows the edges forward, unit by unit: finds entries and immediate dominators (Cooper, Harvey, Kennedy, "A Simple,
    /// Fast Dominance Algorithm"; without back edges one iteration suffices).
    fn dominate<S: Fn(BlockId) -> SmallVec<[BlockId; 4]>>(&mut self, successors: &S) {
        for block in self.entries.clone() {
            self.edge(START, block);
        }
        for id in 1..self.units.len() {
            for block in self.units[id].blocks.clone() {
                for next in successors(block) {
                    if self.unit_of(next).is_some_and(|to| to > id) {
                        self.edge(id, next);
                    }
                }
            }
        }
        for id in 1..self.units.len() {
            if let Some(parent) = self.units[id].parent {
                self.units[parent].children.push(id);
            }
        }
    }

    fn edge(&mut self, from: UnitId, to: BlockId) {
        let Some(id) = self.unit_of(to) else { return };
        let parent = match self.units[id].parent {
            None => from,
            Some(mut other) => {
                let mut from = from;
                while from != other {
                    let later = if from > other { &mut from } else { &mut other };
                    *later = self.units[*later].parent.unwrap_or(START);
                }
                from
            }
        };
        let unit = &mut self.units[id];
        unit.parent = Some(parent);
        unit.entries.insert(to);
        unit.incoming += 1;
    }
}

/// A walk depth first with Tarjan's components; with a stack of its own, since graphs are as long as programs.
struct Walk<'s, S> {
    successors: &'s S,
    /// The number of each member in the order of the walk, [`NEW`] before it is seen.
    seen: FxHashMap<BlockId, Mark>,
    stack: Vec<BlockId>,
    /// Strongly connected components, each after those it leads to.
    components: Vec<Vec<BlockId>>,
    /// The place of each block in reverse postorder.
    rank: FxHashMap<BlockId, u32>,
    next: u32,
    finished: u32,
}

#[derive(Clone, Copy)]
struct Mark {
    number: u32,
    low: u32,
    on_stack: bool,
}

const NEW: u32 = u32::MAX;

impl<'s, S: Fn(BlockId) -> SmallVec<[BlockId; 4]>> Walk<'s, S> {
    fn new(members: &[BlockId], successors: &'s S) -> Self {
        let new = Mark { number: NEW, low: NEW, on_stack: false };
        Walk {
            successors,
            seen: members.iter().map(|block| (*block, new)).collect(),
            stack: Vec::new(),
            components: Vec::new(),
            rank: FxHashMap::default(),
            next: 0,
            finished: to_u32(members.len()),
        }
    }

    fn visit_all(&mut self, entries: &BTreeSet<BlockId>, stays: impl Fn(BlockId, BlockId) -> bool) {
        for entry in entries {
            if self.seen.get(entry).is_some_and(|mark| mark.number == NEW) {
                self.visit(*entry, &stays);
            }
        }
    }

    fn enter(&mut self, block: BlockId) -> (BlockId, SmallVec<[BlockId; 4]>) {
        let number = self.next;
        self.next += 1;
        self.seen.insert(block, Mark { number, low: number, on_stack: true });
        self.stack.push(block);
        // Taken from the end: the first successor is visited last and so comes first in the order.
        (block, (self.successors)(block))
    }

    fn lower(&mut self, block: BlockId, low: u32) {
        if let Some(mark) = self.seen.get_mut(&block) {
            mark.low = mark.low.min(low);
        }
    }

    fn visit(&mut self, root: BlockId, stays: &impl Fn(BlockId, BlockId) -> bool) {
        let mut path = vec![self.enter(root)];
        while let Some((block, rest)) = path.last_mut() {
            let block = *block;
            let Some(next) = rest.pop() else {
                path.pop();
                self.finish(block, path.last().map(|(parent, _)| *parent));
                continue;
            };
            if !stays(block, next) {
                continue;
            }
            match self.seen.get(&next).copied() {
                Some(mark) if mark.number == NEW => {
                    let entered = self.enter(next);
                    path.push(entered);
                }
                Some(mark) if mark.on_stack => self.lower(block, mark.number),
                _ => {}
            }
        }
    }

    fn finish(&mut self, block: BlockId, parent: Option<BlockId>) {
        self.finished -= 1;
        self.rank.insert(block, self.finished);
        let Some(mark) = self.seen.get(&block).copied() else { return };
        if let Some(parent) = parent {
            self.lower(parent, mark.low);
        }
        if mark.low != mark.number {
            return;
        }
        let mut component = Vec::new();
        while let Some(member) = self.stack.pop() {
            if let Some(mark) = self.seen.get_mut(&member) {
                mark.on_stack = false;
            }
            component.push(member);
            if member == block {
                break;
            }
        }
        self.components.push(component);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scope(edges: &[(BlockId, BlockId)], entries: &[BlockId]) -> Scope {
        let mut members: Vec<BlockId> = edges.iter().flat_map(|(from, to)| [*from, *to]).collect();
        members.sort_unstable();
        members.dedup();
        let successors = |block| edges.iter().filter(|(from, _)| *from == block).map(|(_, to)| *to).collect();
        Scope::new(&members, entries.iter().copied().collect(), successors)
    }

    fn shape(scope: &Scope) -> Vec<(Vec<BlockId>, bool, Vec<BlockId>)> {
        let units = scope.units.iter().skip(1);
        units.map(|unit| (unit.blocks.clone(), unit.is_loop, unit.entries.iter().copied().collect())).collect()
    }

    #[test]
    fn a_loop_is_one_unit_whose_inside_has_none() {
        let whole = scope(&[(0, 1), (1, 2), (2, 1), (1, 3)], &[0]);
        assert_eq!(shape(&whole), [(vec![0], false, vec![0]), (vec![1, 2], true, vec![1]), (vec![3], false, vec![3])]);
        let inside = scope(&[(1, 2), (2, 1)], &[1]);
        assert_eq!(shape(&inside), [(vec![1], false, vec![1]), (vec![2], false, vec![2])]);
    }

    #[test]
    fn a_loop_with_two_entries() {
        let whole = scope(&[(0, 1), (0, 2), (1, 2), (2, 1), (2, 3)], &[0]);
        assert_eq!(
            shape(&whole),
            [(vec![0], false, vec![0]), (vec![1, 2], true, vec![1, 2]), (vec![3], false, vec![3])]
        );
        // Inside, the edge from the first entry to the second leads forward.
        let inside = scope(&[(1, 2), (2, 1)], &[1, 2]);
        assert_eq!(shape(&inside), [(vec![1], false, vec![1]), (vec![2], false, vec![2])]);
        assert_eq!(inside.units[2].incoming, 2);
        assert_eq!(inside.units[START].children, [1, 2]);
    }

    #[test]
    fn joins_are_children_of_the_branch() {
        let whole = scope(&[(0, 1), (0, 2), (1, 3), (2, 3), (2, 4), (3, 4)], &[0]);
        let of = |block| whole.unit_of(block).expect("a unit");
        let mut children = whole.units[of(0)].children.clone();
        children.sort_unstable();
        let mut expected = vec![of(1), of(2), of(3), of(4)];
        expected.sort_unstable();
        assert_eq!(children, expected);
        assert!(of(3) > of(1) && of(3) > of(2) && of(4) > of(3));
        assert_eq!(whole.units[of(1)].incoming, 1);
    }
}
