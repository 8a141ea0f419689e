//! Counts the iterations of loops with barriers: all work-items of a work-group must come to a barrier in the same ones (OpenCL C
//! 6.15.8), which on some devices they need not to get past it.

use clforge_ir::*;
use rustc_hash::FxHashMap;

/// What iterations are multiplied by, from the innermost loop on: odd numbers, so that the sums of different ones differ.
const FACTOR: i64 = 0x9E37_79B1;

/// The loops of a function that have barriers.
#[derive(Default)]
pub(super) struct Iterations {
    /// The numbers of loops, by their instructions and by their bodies.
    loops: FxHashMap<InstId, usize>,
    bodies: FxHashMap<RegionId, usize>,
    /// The loops around each region with a barrier, from the outermost on.
    around: FxHashMap<RegionId, Vec<usize>>,
    /// Where a work-item has the number of its iteration, by the number of the loop.
    counts: Vec<Value>,
}

/// Whether an instruction is a barrier of a work-group that the program has.
pub(super) fn is_program_barrier(inst: &Inst) -> bool {
    let is_barrier = matches!(inst.op, Op::Barrier { execution: Scope::WorkGroup, .. });
    is_barrier && clforge_library::place(inst.span).is_none()
}

impl Iterations {
    /// Finds the loops.
    pub fn new(function: &Function) -> Iterations {
        let mut found = Iterations::default();
        found.region(function, function.body, &mut Vec::new());
        found
    }

    /// Whether a region has barriers. Recurses as deep as regions nest.
    fn region(&mut self, function: &Function, region: RegionId, around: &mut Vec<usize>) -> bool {
        let mut has_barriers = false;
        for id in &function.region(region).insts {
            let inst = function.inst(*id);
            has_barriers |= is_program_barrier(inst);
            let Op::Loop { body, continuing, .. } = inst.op else {
                for region in inst.op.regions() {
                    has_barriers |= self.region(function, region, around);
                }
                continue;
            };
            let number = self.loops.len();
            self.loops.insert(*id, number);
            around.push(number);
            let in_body = self.region(function, body, around);
            let has_any = self.region(function, continuing, around) || in_body;
            around.pop();
            if has_any {
                self.bodies.insert(body, number);
                has_barriers = true;
            }
        }
        if has_barriers {
            self.around.insert(region, around.clone());
        }
        has_barriers
    }

    /// Makes the counts.
    pub fn begin(&mut self, b: &mut Builder<'_>) {
        self.loops.retain(|_, number| self.bodies.values().any(|of_body| of_body == number));
        let most = self.bodies.values().max().map_or(0, |last| last + 1);
        self.counts = (0..most).map(|_| b.alloca(4, 4)).collect();
    }

    fn count(&self, number: Option<&usize>) -> Option<Value> {
        self.counts.get(*number?).copied()
    }

    /// Before an instruction: a loop begins.
    pub fn before(&self, b: &mut Builder<'_>, id: InstId) {
        if let Some(count) = self.count(self.loops.get(&id)) {
            let zero = b.int(Type::I32, 0);
            b.store(count, zero, 4);
        }
    }

    /// Where a region begins: an iteration does, if it is the body of a loop.
    pub fn enter(&self, b: &mut Builder<'_>, region: RegionId) {
        if let Some(count) = self.count(self.bodies.get(&region)) {
            let number = b.load(Type::I32, count, 4);
            let next = b.binary_int(BinaryOp::Add, number, 1);
            b.store(count, next, 4);
        }
    }

    /// A number of the iterations of all loops around a region.
    pub fn number(&self, b: &mut Builder<'_>, region: RegionId) -> Value {
        let mut number = b.int(Type::I32, 0);
        for count in self.around.get(&region).into_iter().flatten() {
            let Some(count) = self.count(Some(count)) else { continue };
            let here = b.load(Type::I32, count, 4);
            number = b.binary(BinaryOp::Add, number, here);
            number = b.binary_int(BinaryOp::Mul, number, FACTOR);
        }
        number
    }
}
