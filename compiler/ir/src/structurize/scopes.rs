//! One level of the loop forest, a whole graph or the inside of one loop: its units (blocks and inner loops) in topological
//! order, and their dominator tree.

use super::BlockId;
use clforge_basic::narrow::to_u32;
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
    /// The number of its dominators.
    depth: u32,
    /// One of its dominators, further up: each is reached in a logarithmic number of steps by these and the parents.
    jump: UnitId,
}

/// The units of one level in topological order of their edges, without the edges back to the entries.
#[derive(Debug)]
pub(super) struct Scope {
    pub units: Vec<Unit>,
    pub entries: BTreeSet<BlockId>,
}

/// The unit of each block at the innermost level that is being built. One table for all levels, since a block of many nested loops is
/// in as many levels.
pub(super) struct UnitTable {
    units: Vec<UnitOf>,
    /// The number of levels that are being built.
    depth: u32,
}

/// The unit of a block at a level; [`START`] before it is known.
#[derive(Clone, Copy)]
struct UnitOf {
    level: u32,
    unit: UnitId,
    /// The block's place among the members of the level.
    member: u32,
}

impl UnitTable {
    /// For a graph of so many blocks.
    pub fn new(blocks: usize) -> UnitTable {
        UnitTable { units: vec![UnitOf { level: 0, unit: START, member: 0 }; blocks], depth: 0 }
    }

    /// The unit that a block of the innermost level belongs to.
    pub fn unit_of(&self, block: BlockId) -> Option<UnitId> {
        self.units.get(block).filter(|of| of.level == self.depth).map(|of| of.unit)
    }

    fn member(&self, block: BlockId) -> Option<usize> {
        self.units.get(block).filter(|of| of.level == self.depth).map(|of| of.member as usize)
    }

    fn enter(&mut self, members: &[BlockId]) {
        self.depth += 1;
        for (member, block) in members.iter().enumerate() {
            self.units[*block] = UnitOf { level: self.depth, unit: START, member: to_u32(member) };
        }
    }

    /// Back to the level around the loop that is this unit there, and has these blocks.
    pub fn leave(&mut self, blocks: &[BlockId], unit: UnitId) {
        self.depth -= 1;
        for block in blocks {
            self.units[*block] = UnitOf { level: self.depth, unit, member: 0 };
        }
    }
}

impl Scope {
    /// Enters a level. `members`: its blocks, all of them reachable from the entries.
    pub fn enter<S: Fn(BlockId) -> SmallVec<[BlockId; 4]>>(
        table: &mut UnitTable,
        members: &[BlockId],
        entries: BTreeSet<BlockId>,
        successors: S,
    ) -> Scope {
        table.enter(members);
        let mut order = Walk::new(table, members.len(), &successors);
        order.visit_all(&entries, |_, _| true);
        // The back edges to the entries are dropped, which become `continue`s, so that the components inside are smaller (as in
        // Havlak, "Nesting of Reducible and Irreducible Loops", TOPLAS 1997). Edges
        // between entries stay where they lead forward.
        let rank = std::mem::take(&mut order.rank);
        let ranked: &UnitTable = table;
        let rank = |block: BlockId| ranked.member(block).map_or(u32::MAX, |member| rank[member]);
        let stays = |from: BlockId, to: BlockId| !entries.contains(&to) || rank(from) < rank(to);
        let mut walk = Walk::new(table, members.len(), &successors);
        walk.visit_all(&entries, stays);
        let mut units = vec![Unit::default()];
        for mut blocks in walk.components.into_iter().rev() {
            blocks.sort_unstable();
            let around = |block: BlockId| successors(block).contains(&block) && stays(block, block);
            let is_loop = blocks.len() > 1 || blocks.first().is_some_and(|block| around(*block));
            units.push(Unit { blocks, is_loop, ..Unit::default() });
        }
        for (id, unit) in units.iter().enumerate() {
            for block in &unit.blocks {
                table.units[*block].unit = id;
            }
        }
        let mut scope = Scope { units, entries };
        scope.dominate(table, &successors);
        scope
    }

    /// Follows the edges forward, unit by unit: finds entries and immediate dominators. Without back edges the immediate
    /// dominator of a unit is the nearest common ancestor of its predecessors in the tree of those before.
    fn dominate<S: Fn(BlockId) -> SmallVec<[BlockId; 4]>>(&mut self, table: &UnitTable, successors: &S) {
        for block in self.entries.clone() {
            if let Some(unit) = table.unit_of(block) {
                self.edge(START, block, unit);
            }
        }
        for id in 1..self.units.len() {
            self.link(id);
            for block in self.units[id].blocks.clone() {
                for next in successors(block) {
                    if let Some(to) = table.unit_of(next).filter(|to| *to > id) {
                        self.edge(id, next, to);
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

    /// An edge to a block of the unit `id`.
    fn edge(&mut self, from: UnitId, to: BlockId, id: UnitId) {
        let parent = self.units[id].parent.map_or(from, |other| self.common_dominator(from, other));
        let unit = &mut self.units[id];
        unit.parent = Some(parent);
        unit.entries.insert(to);
        unit.incoming += 1;
    }

    /// Enters a unit whose immediate dominator is known into the tree (Myers, "An Applicative Random-Access Stack", 1983).
    fn link(&mut self, id: UnitId) {
        let parent = self.parent(id);
        let depth = |unit: UnitId| self.units[unit].depth;
        let jump = self.units[parent].jump;
        let further = self.units[jump].jump;
        let is_even = depth(parent) - depth(jump) == depth(jump) - depth(further);
        (self.units[id].depth, self.units[id].jump) = (depth(parent) + 1, if is_even { further } else { parent });
    }

    fn parent(&self, id: UnitId) -> UnitId {
        self.units[id].parent.unwrap_or(START)
    }

    /// The nearest unit that dominates both or is one of them.
    fn common_dominator(&self, a: UnitId, b: UnitId) -> UnitId {
        let depth = |unit: UnitId| self.units[unit].depth;
        let (mut lower, mut upper) = if depth(a) > depth(b) { (a, b) } else { (b, a) };
        while depth(lower) > depth(upper) {
            let jump = self.units[lower].jump;
            lower = if depth(jump) >= depth(upper) { jump } else { self.parent(lower) };
        }
        // Jumps from units of one depth are of one length.
        while lower != upper {
            let jumps = (self.units[lower].jump, self.units[upper].jump);
            (lower, upper) = if jumps.0 == jumps.1 { (self.parent(lower), self.parent(upper)) } else { jumps };
        }
        lower
    }
}

/// A walk depth first with Tarjan's components; with a stack of its own, since graphs are as long as programs.
struct Walk<'s, S> {
    table: &'s UnitTable,
    successors: &'s S,
    /// The number of each member in the order of the walk, [`NEW`] before it is seen.
    seen: Vec<Mark>,
    stack: Vec<BlockId>,
    /// Strongly connected components, each after those it leads to.
    components: Vec<Vec<BlockId>>,
    /// The place of each member in reverse postorder.
    rank: Vec<u32>,
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
    fn new(table: &'s UnitTable, members: usize, successors: &'s S) -> Self {
        Walk {
            table,
            successors,
            seen: vec![Mark { number: NEW, low: NEW, on_stack: false }; members],
            stack: Vec::new(),
            components: Vec::new(),
            rank: vec![u32::MAX; members],
            next: 0,
            finished: to_u32(members),
        }
    }

    /// The mark of a member.
    fn mark(&mut self, block: BlockId) -> Option<&mut Mark> {
        self.seen.get_mut(self.table.member(block)?)
    }

    fn visit_all(&mut self, entries: &BTreeSet<BlockId>, stays: impl Fn(BlockId, BlockId) -> bool) {
        for entry in entries {
            if self.mark(*entry).is_some_and(|mark| mark.number == NEW) {
                self.visit(*entry, &stays);
            }
        }
    }

    fn enter(&mut self, block: BlockId) -> (BlockId, SmallVec<[BlockId; 4]>) {
        let number = self.next;
        self.next += 1;
        if let Some(mark) = self.mark(block) {
            *mark = Mark { number, low: number, on_stack: true };
        }
        self.stack.push(block);
        // Taken from the end: the first successor is visited last and so comes first in the order.
        (block, (self.successors)(block))
    }

    fn lower(&mut self, block: BlockId, low: u32) {
        if let Some(mark) = self.mark(block) {
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
            match self.mark(next).copied() {
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
        let Some(member) = self.table.member(block) else { return };
        self.rank[member] = self.finished;
        let mark = self.seen[member];
        if let Some(parent) = parent {
            self.lower(parent, mark.low);
        }
        if mark.low != mark.number {
            return;
        }
        let mut component = Vec::new();
        while let Some(member) = self.stack.pop() {
            if let Some(mark) = self.mark(member) {
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
        let mut table = UnitTable::new(10);
        let mut members: Vec<BlockId> = edges.iter().flat_map(|(from, to)| [*from, *to]).collect();
        members.sort_unstable();
        members.dedup();
        let successors = |block| edges.iter().filter(|(from, _)| *from == block).map(|(_, to)| *to).collect();
        Scope::enter(&mut table, &members, entries.iter().copied().collect(), successors)
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
        let of = |block| whole.units.iter().position(|unit| unit.blocks.contains(&block)).expect("a unit");
        let mut children = whole.units[of(0)].children.clone();
        children.sort_unstable();
        let mut expected = vec![of(1), of(2), of(3), of(4)];
        expected.sort_unstable();
        assert_eq!(children, expected);
        assert!(of(3) > of(1) && of(3) > of(2) && of(4) > of(3));
        assert_eq!(whole.units[of(1)].incoming, 1);
    }

    /// Against the definition: a unit dominates another if this cannot be reached without it.
    #[test]
    fn dominators_of_random_graphs() {
        let mut random = fastrand::Rng::with_seed(7);
        for _ in 0..200 {
            let blocks = random.usize(2..40);
            let mut before = |to: BlockId, nearest: BlockId| (random.usize(nearest..to), to);
            let edges: Vec<(BlockId, BlockId)> =
                (1..blocks).flat_map(|to| [before(to, to.saturating_sub(3)), before(to, 0)]).collect();
            let scope = graph_scope(blocks, &edges);
            let block = |id: UnitId| scope.units[id].blocks[0];
            let reached_without = |avoided: UnitId| {
                let mut reached = vec![false; blocks + 1];
                for id in (0..=blocks).filter(|id| *id != avoided) {
                    let leads = |from: UnitId| reached[from] && edges.contains(&(block(from), block(id)));
                    reached[id] = id <= 1 || (1..id).any(leads);
                }
                reached
            };
            for id in 1..=blocks {
                let nearest = (1..id).rev().find(|other| !reached_without(*other)[id]).unwrap_or(START);
                assert_eq!(scope.parent(id), nearest, "unit {id} of {edges:?}");
            }
        }
    }

    fn graph_scope(blocks: usize, edges: &[(BlockId, BlockId)]) -> Scope {
        let mut table = UnitTable::new(blocks);
        let members: Vec<BlockId> = (0..blocks).collect();
        let successors = |block| edges.iter().filter(|(from, _)| *from == block).map(|(_, to)| *to).collect();
        Scope::enter(&mut table, &members, BTreeSet::from([0]), successors)
    }
}
