//! The intervals between barriers in which instructions are executed: two accesses to local memory of which no interval has
//! both are ordered by a barrier, if all work-items of the group come to it.

use clforge_ir::*;
use rustc_hash::{FxHashMap, FxHashSet};

/// Bits of intervals, by the barrier that they begin with. Bit 0 is for the begin of the kernel.
type Set = u64;

/// Most instructions that are visited, loops several times.
const MOST_VISITS: usize = 1 << 16;

/// The intervals of the accesses of a function.
pub(super) struct Intervals {
    /// Nothing where it is too much to find out.
    of: Option<FxHashMap<InstId, Set>>,
}

/// What leaves the innermost loop or `switch`.
#[derive(Clone, Copy, Default)]
struct Leaving {
    breaks: Set,
    continues: Set,
    falls: Set,
}

struct Walk<'f> {
    function: &'f Function,
    of: FxHashMap<InstId, Set>,
    /// The bits of barriers.
    bits: FxHashMap<InstId, Set>,
    visits: usize,
}

impl Intervals {
    /// Finds them. Barriers of memory other than local one do not count, nor do those of which that is not known.
    pub fn of(function: &Function) -> Intervals {
        let unknown = barriers_with_flags(function);
        let mut bits = FxHashMap::default();
        function.walk_body(|id, inst| {
            if let Op::Barrier { execution: Scope::WorkGroup, semantics } = &inst.op
                && semantics.local
                && !unknown.contains(&id)
                && bits.len() < 63
            {
                bits.insert(id, 2 << bits.len());
            }
        });
        let mut walk = Walk { function, of: FxHashMap::default(), bits, visits: MOST_VISITS };
        let is_found = walk.region(function.body, 1, &mut Leaving::default()).is_some();
        Intervals { of: is_found.then_some(walk.of) }
    }

    /// Whether two accesses may be in one interval.
    pub fn may_share(&self, one: InstId, other: InstId) -> bool {
        let Some(of) = &self.of else { return true };
        match (of.get(&one), of.get(&other)) {
            (Some(one), Some(other)) => one & other != 0,
            // One of them is never executed.
            _ => false,
        }
    }
}

/// The barriers with flags that are looked at when the kernel runs.
fn barriers_with_flags(function: &Function) -> FxHashSet<InstId> {
    let is_check = |id: InstId| matches!(function.inst(id).op, Op::Check { check: CheckOp::BarrierFlags, .. });
    let pairs = function.regions.iter().flat_map(|region| region.insts.windows(2));
    pairs.filter(|pair| is_check(pair[0])).map(|pair| pair[1]).collect()
}

impl Walk<'_> {
    /// The intervals in which the end of a region is reached; `None` where it is too much. Recurses as deep as regions nest.
    fn region(&mut self, region: RegionId, begin: Set, leaving: &mut Leaving) -> Option<Set> {
        let mut now = begin;
        for id in &self.function.region(region).insts {
            self.visits = self.visits.checked_sub(1)?;
            if now == 0 {
                break;
            }
            *self.of.entry(*id).or_default() |= now;
            match &self.function.inst(*id).op {
                Op::Barrier { .. } => now = self.bits.get(id).copied().unwrap_or(now),
                Op::If { then, otherwise, .. } => {
                    let then = self.region(*then, now, leaving)?;
                    now = then | self.region(*otherwise, now, leaving)?;
                }
                Op::Switch { cases, .. } => {
                    let mut inside = Leaving::default();
                    for case in cases {
                        let falls = std::mem::take(&mut inside.falls);
                        self.region(case.region, now | falls, &mut inside)?;
                    }
                    leaving.continues |= inside.continues;
                    now |= inside.breaks;
                }
                Op::Loop { body, continuing, .. } => now = self.looped(*body, *continuing, now)?,
                Op::Break(_) => return Some(leave(&mut leaving.breaks, now)),
                Op::Continue(_) => return Some(leave(&mut leaving.continues, now)),
                Op::Fallthrough(_) => return Some(leave(&mut leaving.falls, now)),
                Op::Return(_) => return Some(0),
                _ => {}
            }
        }
        Some(now)
    }

    /// The intervals behind a loop.
    fn looped(&mut self, body: RegionId, continuing: RegionId, begin: Set) -> Option<Set> {
        let mut entry = begin;
        loop {
            let mut inside = Leaving::default();
            self.region(body, entry, &mut inside)?;
            let end = self.region(continuing, inside.continues, &mut Leaving::default())?;
            if entry | end == entry {
                return Some(inside.breaks | end);
            }
            entry |= end;
        }
    }
}

/// Goes elsewhere with these intervals; the end of the region is not reached.
fn leave(to: &mut Set, now: Set) -> Set {
    *to |= now;
    0
}
