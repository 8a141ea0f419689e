//! `workarounds/local_vectors`: arrays in local memory of which neighbouring elements are loaded together become arrays of vectors
//! ([`Workarounds::NVIDIA_LOCAL_VECTORS`](clforge_basic::workarounds::Workarounds)).
//!
//! NVIDIA's driver loads the elements of an array of scalars one by one, and a vector at once. Where the indices of loads of all
//! elements that lie in one aligned vector are known to be neighbours, as in the product of a row of a tile, they become one load of
//! a vector. Other accesses of the array are of a lane, whose place costs two operations more.

use clforge_basic::source::Span;
use clforge_ir::analysis::trailing_zeros;
use clforge_ir::pass::{Changed, Context, Pass};
use clforge_ir::*;
use rustc_hash::FxHashMap;
use typed_index_collections::TiVec;

/// Bytes of a vector, which has at most four lanes.
const VECTOR_BYTES: u64 = 16;
/// The largest displacement of an index: with it the index of a vector cannot wrap.
const MAX_DISPLACEMENT: i64 = 1 << 24;

/// The pass.
pub struct LocalVectors;

impl<S> Pass<S> for LocalVectors {
    fn name(&self) -> &'static str {
        "workarounds/local_vectors"
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
    /// All loads and stores.
    accesses: usize,
    /// Loads that are parts of groups, and these.
    grouped: usize,
    groups: usize,
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
            if size.fixed.is_multiple_of(VECTOR_BYTES) {
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

/// Loads of all lanes of a vector, between which nothing can change it.
struct Group {
    variable: VariableId,
    region: RegionId,
    /// What the indices are displaced from, a multiple of the lanes; none if they are constants.
    base: Option<Value>,
    /// The vectors between it and this one.
    displacement: i64,
    /// The loads and their lanes, the first one first.
    loads: Vec<(InstId, u8)>,
}

impl Group {
    fn is_whole(&self, lanes: u8) -> bool {
        (0..lanes).all(|lane| self.loads.iter().any(|(_, loaded)| *loaded == lane))
    }
}

/// The groups of a function.
struct Groups<'f> {
    function: &'f Function,
    arrays: &'f mut FxHashMap<VariableId, LocalArray>,
    zeros: TiVec<Value, u32>,
    open: Vec<Group>,
    whole: Vec<Group>,
}

impl Groups<'_> {
    fn of(function: &Function, arrays: &mut FxHashMap<VariableId, LocalArray>) -> Vec<Group> {
        let loads =
            |inst: &Inst| matches!(&inst.op, Op::VariableLoad { variable, .. } if arrays.contains_key(variable));
        if function.is_declaration() || !function.insts.iter().any(loads) {
            // Its stores count too.
            for inst in &function.insts {
                if let Op::VariableStore { variable, .. } = &inst.op
                    && let Some(array) = arrays.get_mut(variable)
                {
                    array.accesses += 1;
                }
            }
            return Vec::new();
        }
        let zeros = trailing_zeros(function);
        let mut groups = Groups { function, arrays, zeros, open: Vec::new(), whole: Vec::new() };
        groups.region(function.body);
        groups.whole
    }

    fn region(&mut self, region: RegionId) {
        let function = self.function;
        for id in &function.region(region).insts {
            match &function.inst(*id).op {
                Op::VariableLoad { variable, index } => self.load(*variable, *index, *id, region),
                Op::VariableStore { variable, .. } => {
                    if let Some(array) = self.arrays.get_mut(variable) {
                        array.accesses += 1;
                    }
                    self.close(|group| group.variable == *variable);
                }
                Op::Load { .. } | Op::Store { .. } => {}
                op if op.is_pure() => {}
                // Others may wait for stores of other work-items.
                op => {
                    self.close(|_| true);
                    op.regions().iter().for_each(|nested| self.region(*nested));
                }
            }
        }
        self.close(|_| true);
    }

    fn load(&mut self, variable: VariableId, index: Option<Value>, id: InstId, region: RegionId) {
        let Some(array) = self.arrays.get_mut(&variable) else { return };
        array.accesses += 1;
        let (base, displacement) = displaced(self.function, index);
        let lanes = i64::from(array.lanes);
        let is_aligned = base.is_none_or(|base| self.zeros[base] >= lanes.ilog2());
        if !is_aligned || displacement.abs() > MAX_DISPLACEMENT {
            return;
        }
        let (lane, displacement) = (displacement.rem_euclid(lanes), displacement.div_euclid(lanes));
        // It is at most 3.
        let load = (id, u8::try_from(lane).unwrap_or_default());
        let is_same =
            |group: &&mut Group| (group.variable, group.base, group.displacement) == (variable, base, displacement);
        match self.open.iter_mut().rev().find(is_same) {
            Some(group) => group.loads.push(load),
            None => self.open.push(Group { variable, region, base, displacement, loads: vec![load] }),
        }
    }

    /// Ends groups: what is loaded after this may be something else.
    fn close(&mut self, ends: impl Fn(&Group) -> bool) {
        for group in self.open.extract_if(.., |group| ends(group)) {
            if let Some(array) = self.arrays.get_mut(&group.variable)
                && group.is_whole(array.lanes)
            {
                array.groups += 1;
                array.grouped += group.loads.len();
                self.whole.push(group);
            }
        }
    }
}

/// The value that an index is displaced from, and by how much; none if it is a constant.
fn displaced(function: &Function, index: Option<Value>) -> (Option<Value>, i64) {
    let constant = |value| function.as_int(value).map(|bits| constant::sign_extend(ScalarType::I32, bits));
    let Some(index) = index else { return (None, 0) };
    if let Some(constant) = constant(index) {
        return (None, constant);
    }
    match function.op(index) {
        Some(Op::Binary { op: BinaryOp::Add, lhs, rhs }) => match constant(*rhs) {
            Some(displacement) => (Some(*lhs), displacement),
            None => (Some(index), 0),
        },
        _ => (Some(index), 0),
    }
}

/// Loads the vectors where the first of their lanes is loaded, and extracts the lanes.
fn load_vectors(function: &mut Function, arrays: &FxHashMap<VariableId, LocalArray>, groups: &[Group]) {
    let mut lanes: FxHashMap<InstId, (usize, u8)> = FxHashMap::default();
    for (number, group) in groups.iter().enumerate() {
        lanes.extend(group.loads.iter().map(|(load, lane)| (*load, (number, *lane))));
    }
    let mut vectors: FxHashMap<usize, Value> = FxHashMap::default();
    let mut quotients: FxHashMap<(RegionId, Value, u8), Value> = FxHashMap::default();
    function.insert_before_each(|function, id, before| {
        let Some((number, lane)) = lanes.get(&id).copied() else { return };
        let group = &groups[number];
        let Inst { results, span, .. } = function.inst(id);
        let (scalar, span) = (function.ty(results[0]).scalar, *span);
        let vector = *vectors.entry(number).or_insert_with(|| {
            let count = arrays.get(&group.variable).map_or(1, |array| array.lanes);
            let index = vector_index(function, group, count, &mut quotients, (before, span));
            let load = Op::VariableLoad { variable: group.variable, index: Some(index) };
            append(function, load, Type::vector(scalar, count), (before, span))
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
    quotients: &mut FxHashMap<(RegionId, Value, u8), Value>,
    to: (&mut Vec<InstId>, Span),
) -> Value {
    let displacement = function.int(Type::I32, group.displacement);
    let Some(base) = group.base else { return displacement };
    let (before, span) = to;
    let quotient = *quotients.entry((group.region, base, lanes)).or_insert_with(|| {
        let shift = function.int(Type::I32, i64::from(lanes.ilog2()));
        let op = Op::Binary { op: BinaryOp::AShr, lhs: base, rhs: shift };
        append(function, op, Type::I32, (before, span))
    });
    if group.displacement == 0 {
        return quotient;
    }
    let op = Op::Binary { op: BinaryOp::Add, lhs: quotient, rhs: displacement };
    append(function, op, Type::I32, (before, span))
}

/// Appends an instruction with one result, which is returned.
fn append(function: &mut Function, op: Op, ty: Type, (to, span): (&mut Vec<InstId>, Span)) -> Value {
    let id = function.new_inst(op, &[ty], span);
    to.push(id);
    function.inst(id).results[0]
}
