//! `tuning/local_vectors`: replaces arrays in local memory whose neighbouring elements are loaded together by
//! arrays of vectors ([`Tuning::NVIDIA_LOCAL_VECTORS`](clforge_basic::tuning::Tuning)).
//!
//! NVIDIA's driver loads the elements of an array of scalars one by one, but a vector with one instruction. If several
//! loads are known to access neighbouring elements of one aligned vector, as in the product of a row of a tile, they
//! become one load of the vector. Lanes that the program does not load there are not used, since other work-items may
//! be changing them. Other accesses of the array access one lane, and computing its place takes two more operations.

use crate::legalize::LAST;
use clforge_basic::source::Span;
use clforge_ir::analysis::trailing_zeros;
use clforge_ir::expand::append;
use clforge_ir::pass::{Changed, Context, Order, Pass};
use clforge_ir::*;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use typed_index_collections::TiVec;

/// Bytes of a vector, which has at most four lanes.
const VECTOR_BYTES: u64 = 16;
/// The largest displacement of an index: with it the index of a vector cannot wrap.
const MAX_DISPLACEMENT: i64 = 1 << 24;
/// How often what is in a loop is executed, as a guess, and the loops around an access that count.
const TRIPS: u64 = 8;
const MAX_LOOPS: u32 = 3;
/// The most values whose sum is an index, and additions in one another that are followed.
const MAX_TERMS: usize = 4;
const MAX_DEPTH: usize = 8;
/// Vectors of which lanes may be found at a time.
const MAX_OPEN: usize = 64;

/// The pass.
pub struct LocalVectors;

impl<S> Pass<S> for LocalVectors {
    fn name(&self) -> &'static str {
        "tuning/local_vectors"
    }

    fn order(&self) -> Order {
        LAST
    }

    fn run(&self, module: &mut Module, _: &mut Context<'_, S>) -> Result<Changed, Error> {
        let mut arrays = candidates(module);
        if arrays.is_empty() {
            return Ok(Changed::No);
        }
        let mut groups: TiVec<FunctionId, Vec<Group>> = TiVec::new();
        for function in &module.functions {
            groups.push(Groups::of(function, &mut arrays));
        }
        arrays.retain(|_, array| array.pays());
        for (id, array) in &arrays {
            if let Some(variable) = module.variables.get_mut(*id) {
                variable.element = Type::vector(variable.element.scalar, array.lanes);
            }
        }
        for (function, groups) in module.functions.iter_mut().zip(groups) {
            let groups: Vec<Group> = groups.into_iter().filter(|group| arrays.contains_key(&group.variable)).collect();
            if !groups.is_empty() {
                load_vectors(function, &arrays, &groups);
            }
        }
        Ok(if arrays.is_empty() { Changed::No } else { Changed::Maybe })
    }
}

/// An array of scalars in local memory.
struct LocalArray {
    /// Of a vector.
    lanes: u8,
    /// How often it is loaded and stored, as a guess.
    accesses: u64,
    /// How often by loads that are parts of groups.
    grouped: u64,
    /// How often by groups.
    groups: u64,
}

impl LocalArray {
    /// Whether vectors save more loads than other accesses are left, which cost more then.
    fn pays(&self) -> bool {
        self.groups > 0 && self.grouped - self.groups > self.accesses - self.grouped
    }
}

/// The arrays that can be arrays of vectors: those of a fixed size without atomic accesses.
fn candidates(module: &Module) -> FxHashMap<VariableId, LocalArray> {
    let mut arrays = FxHashMap::default();
    for (id, variable) in module.variables.iter_enumerated() {
        let (element, size) = (variable.element, &variable.size);
        let is_number = element.lanes == 1 && (element.scalar.is_int() || element.scalar.is_float());
        let is_fixed = *size == VariableSize { fixed: size.fixed, ..VariableSize::default() };
        if variable.storage == Storage::Workgroup && is_number && is_fixed {
            let lanes = if element.scalar.bytes() == 8 { 2 } else { 4 };
            if size.fixed > 0 && size.fixed.is_multiple_of(VECTOR_BYTES) {
                arrays.insert(id, LocalArray { lanes, accesses: 0, grouped: 0, groups: 0 });
            }
        }
    }
    for inst in module.functions.iter().flat_map(|function| &function.insts) {
        if let Op::VariableAtomic { variable, .. } = &inst.op {
            arrays.remove(variable);
        }
    }
    arrays
}

/// The values of a sum, in order; none if it is 0.
type Terms = SmallVec<[Value; MAX_TERMS]>;

/// Loads of several lanes of a vector, between which nothing can change these.
struct Group {
    variable: VariableId,
    region: RegionId,
    /// What the indices are displaced from: a sum of multiples of the lanes.
    base: Terms,
    /// The vectors between it and this one.
    displacement: i64,
    /// How often it is loaded, as a guess.
    times: u64,
    /// The loads and their lanes, the first one first.
    loads: Vec<(InstId, u8)>,
}

impl Group {
    /// Whether loads of several lanes become one.
    fn saves_loads(&self) -> bool {
        self.loads.iter().any(|(_, lane)| *lane != self.loads[0].1)
    }
}

/// The groups of a function.
struct Groups<'f> {
    function: &'f Function,
    arrays: &'f mut FxHashMap<VariableId, LocalArray>,
    zeros: TiVec<Value, u32>,
    /// How often the region that is visited is executed.
    times: u64,
    open: Vec<Group>,
    groups: Vec<Group>,
}

impl Groups<'_> {
    fn of(function: &Function, arrays: &mut FxHashMap<VariableId, LocalArray>) -> Vec<Group> {
        let uses = |inst: &Inst| match &inst.op {
            Op::VariableLoad { variable, .. } | Op::VariableStore { variable, .. } => arrays.contains_key(variable),
            _ => false,
        };
        if function.is_declaration() || !function.insts.iter().any(uses) {
            return Vec::new();
        }
        let zeros = trailing_zeros(function);
        let mut groups = Groups { function, arrays, zeros, times: 1, open: Vec::new(), groups: Vec::new() };
        groups.region(function.body, 0);
        groups.groups
    }

    fn region(&mut self, region: RegionId, loops: u32) {
        let function = self.function;
        self.times = TRIPS.pow(loops.min(MAX_LOOPS));
        for id in &function.region(region).insts {
            match &function.inst(*id).op {
                Op::VariableLoad { variable, index } => self.load(*variable, *index, *id, region),
                Op::VariableStore { variable, .. } => {
                    if let Some(array) = self.arrays.get_mut(variable) {
                        array.accesses += self.times;
                    }
                    self.close(|group| group.variable == *variable);
                }
                Op::Load { .. } | Op::Store { .. } => {}
                op if op.is_pure() => {}
                // Others may wait for stores of other work-items.
                op => {
                    self.close(|_| true);
                    let inner = loops + u32::from(matches!(op, Op::Loop { .. }));
                    op.regions().iter().for_each(|nested| self.region(*nested, inner));
                    self.times = TRIPS.pow(loops.min(MAX_LOOPS));
                }
            }
        }
        self.close(|_| true);
    }

    fn load(&mut self, variable: VariableId, index: Option<Value>, id: InstId, region: RegionId) {
        let Some(array) = self.arrays.get_mut(&variable) else { return };
        array.accesses += self.times;
        let mut sum = Sum::default();
        index.iter().for_each(|index| sum.add(self.function, *index, 0));
        sum.terms.sort_unstable();
        let Sum { terms: base, displacement } = sum;
        let lanes = i64::from(array.lanes);
        let is_aligned = base.iter().all(|term| self.zeros[*term] >= lanes.ilog2());
        if !is_aligned || base.len() > MAX_TERMS || displacement.abs() > MAX_DISPLACEMENT {
            return;
        }
        let (lane, displacement) = (displacement.rem_euclid(lanes), displacement.div_euclid(lanes));
        // It is at most 3.
        let load = (id, u8::try_from(lane).unwrap_or_default());
        let is_same =
            |group: &&mut Group| (group.variable, &group.base, group.displacement) == (variable, &base, displacement);
        match self.open.iter_mut().rev().find(is_same) {
            Some(group) => group.loads.push(load),
            None => {
                if self.open.len() >= MAX_OPEN {
                    let oldest = self.open.remove(0);
                    self.end(oldest);
                }
                let times = self.times;
                self.open.push(Group { variable, region, base, displacement, times, loads: vec![load] });
            }
        }
    }

    /// Ends groups: what is loaded after this may be something else.
    fn close(&mut self, ends: impl Fn(&Group) -> bool) {
        let ended: Vec<Group> = self.open.extract_if(.., |group| ends(group)).collect();
        ended.into_iter().for_each(|group| self.end(group));
    }

    fn end(&mut self, group: Group) {
        if let Some(array) = self.arrays.get_mut(&group.variable)
            && group.saves_loads()
        {
            array.groups += group.times;
            array.grouped += group.times * group.loads.len() as u64;
            self.groups.push(group);
        }
    }
}

/// An index as a sum.
#[derive(Default)]
struct Sum {
    terms: Terms,
    displacement: i64,
}

impl Sum {
    fn add(&mut self, function: &Function, value: Value, depth: usize) {
        if let Some(bits) = function.as_int(value) {
            self.displacement = self.displacement.wrapping_add(constant::sign_extend(ScalarType::I32, bits));
            return;
        }
        match function.op(value) {
            Some(Op::Binary { op: BinaryOp::Add, lhs, rhs }) if depth < MAX_DEPTH => {
                self.add(function, *lhs, depth + 1);
                self.add(function, *rhs, depth + 1);
            }
            _ => self.terms.push(value),
        }
    }
}

/// For the bases of indices in each region, divided by the lanes.
type Quotients = FxHashMap<(RegionId, Terms, u8), Value>;

/// Loads the vectors where the first of their lanes is loaded, and extracts the lanes.
fn load_vectors(function: &mut Function, arrays: &FxHashMap<VariableId, LocalArray>, groups: &[Group]) {
    let mut lanes: FxHashMap<InstId, (usize, u8)> = FxHashMap::default();
    for (number, group) in groups.iter().enumerate() {
        lanes.extend(group.loads.iter().map(|(load, lane)| (*load, (number, *lane))));
    }
    let mut vectors: FxHashMap<usize, Value> = FxHashMap::default();
    let mut quotients = Quotients::default();
    function.insert_before_each(|function, id, before| {
        let Some((number, lane)) = lanes.get(&id).copied() else { return };
        let group = &groups[number];
        let Inst { results, span, .. } = function.inst(id);
        let (scalar, span) = (function.ty(results[0]).scalar, *span);
        let vector = *vectors.entry(number).or_insert_with(|| {
            let count = arrays.get(&group.variable).map_or(1, |array| array.lanes);
            let index = vector_index(function, group, count, &mut quotients, (before, span));
            let load = Op::VariableLoad { variable: group.variable, index: Some(index) };
            append(function, before, (load, Type::vector(scalar, count), span))
        });
        function.inst_mut(id).op = Op::Extract { vector, lane };
    });
}

/// The index of the vector of a group, in which nothing wraps: neither what the indices are displaced from, which is less than
/// an index by a small displacement, nor the quotient, which is exact.
fn vector_index(
    function: &mut Function,
    group: &Group,
    lanes: u8,
    quotients: &mut Quotients,
    (before, span): (&mut Vec<InstId>, Span),
) -> Value {
    let displacement = function.int(Type::I32, group.displacement);
    let shift = function.int(Type::I32, i64::from(lanes.ilog2()));
    let Some((first, others)) = group.base.split_first() else { return displacement };
    let mut binary = |op, lhs, rhs| append(function, before, (Op::Binary { op, lhs, rhs }, Type::I32, span));
    let quotient = *quotients.entry((group.region, group.base.clone(), lanes)).or_insert_with(|| {
        let base = others.iter().fold(*first, |sum, term| binary(BinaryOp::Add, sum, *term));
        binary(BinaryOp::AShr, base, shift)
    });
    if group.displacement == 0 { quotient } else { binary(BinaryOp::Add, quotient, displacement) }
}
