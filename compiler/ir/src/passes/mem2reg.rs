//! `mem2reg`: private objects become values, after scalar replacement of aggregates (SROA).
//!
//! An object is promoted when every use of its address is a plain load or store at a constant offset. SROA divides its
//! bytes into *variables*, each of which is read and written as one value. The accesses are the *slices* of LLVM's SROA,
//! and overlapping ones form a partition. Where all slices of a partition agree, it is one variable (which may be a
//! vector); where they differ (unions, type punning, single lanes), its variables are as small as the smallest scalar,
//! and wider accesses are assembled from several.
//!
//! The construction of SSA is that of Brandis and Mössenböck, "Single-Pass Generation of Static Single-Assignment Form for
//! Structured Languages" (TOPLAS 16, 1994): one walk over the region tree keeps the current definition of each variable,
//! and passes it through the parameters and results of structured operations. Dominance frontiers are not needed, since
//! values merge only at the end of an `if`, `switch` or `loop` and at the head of a loop. Every variable that is assigned
//! inside a structured operation gets a result there, and a parameter where control merges, whether or not it is used
//! later: `dead_code` removes those that are not.

use crate::analysis::{Substitution, constant_offset};
use crate::pass::{Changed, FunctionContext, FunctionPass};
use crate::*;
use clforge_basic::narrow::{to_i64, to_u8, to_u32, to_usize};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use typed_index_collections::{TiVec, ti_vec};

/// A partition of more variables than this stays in memory: it is an array that is also accessed as bytes of another type,
/// and every merge would carry all of its variables.
const MAX_VARIABLES: u64 = 128;

/// What is assigned in a loop or switch that more `break`s or `continue`s than this leave stays in memory: an `OpPhi`, as every
/// instruction of SPIR-V, has at most 65,535 words.
const MAX_EDGES: usize = 1 << 14;

/// The pass.
pub struct Mem2Reg;

impl FunctionPass for Mem2Reg {
    fn name(&self) -> &'static str {
        "mem2reg"
    }

    fn run(&self, function: &mut Function, context: &FunctionContext<'_>) -> Changed {
        promote(function, context.options.codegen.max_instructions, |_, _| true);
        Changed::Maybe
    }
}

/// Promotes the variables that hold pointers only, for a pass that has to see which objects they point to and all other
/// variables as they are. `max_instructions` as in the options.
pub fn promote_pointers(function: &mut Function, max_instructions: usize) {
    promote(function, max_instructions, |_, object| object.holds_pointers());
}

/// Promotes all variables but those of `kept` (results of their `alloca`), of which it promotes those that hold pointers only.
/// `max_instructions` as in the options.
pub fn promote_except(function: &mut Function, max_instructions: usize, kept: &FxHashSet<Value>) {
    promote(function, max_instructions, |root, object| !kept.contains(&root) || object.holds_pointers());
}

/// `most_carried`: values that loops and branches may carry in all. Where many variables change in many nested loops, they are more
/// than the program has instructions by far.
fn promote(function: &mut Function, most_carried: usize, is_wanted: impl Fn(Value, &Object) -> bool) {
    let mut objects = find_objects(function);
    objects.retain(|root, object| is_wanted(*root, object));
    if objects.is_empty() {
        return;
    }
    let mut variables = Vec::new();
    for object in objects.values_mut() {
        split_object(object, &mut variables);
    }
    objects.retain(|_, object| !object.rejected);
    if objects.is_empty() {
        return;
    }
    let pointers = pointers_into(function, &objects);
    // What is loaded before anything is stored is undefined.
    let current_def = variables.iter().map(|ty| function.undef(*ty)).collect();
    let assigned = ti_vec![None; function.insts.len()];
    let carried = vec![0; variables.len()];
    let crowded = vec![false; variables.len()];
    let (edges, replaced) = (Vec::new(), Substitution::default());
    let mut promotion =
        Promotion { objects, pointers, variables, current_def, assigned, edges, carried, crowded, replaced };
    // First, because a loop needs parameters for what its body assigns before the body is rewritten.
    promotion.find_assigned(function, function.body);
    promotion.leave_in_memory(function, most_carried);
    let body = function.body;
    promotion.region(function, body, &Targets::default());
}

/// The bytes of an object that one load or store accesses.
#[derive(Clone, Copy)]
struct Slice {
    offset: u64,
    ty: Type,
}

/// An object under consideration.
#[derive(Default)]
struct Object {
    size: u64,
    rejected: bool,
    accesses: Vec<Slice>,
    /// In order of their offsets: (offset, bytes, index in [`Promotion::variables`]).
    variables: Vec<(u64, u64, usize)>,
}

impl Object {
    fn holds_pointers(&self) -> bool {
        self.accesses.iter().all(|slice| slice.ty.space().is_some())
    }
}

/// The allocas whose every use is a load or store at a constant offset.
fn find_objects(function: &Function) -> FxHashMap<Value, Object> {
    let mut objects: FxHashMap<Value, Object> = FxHashMap::default();
    let mut pointers: FxHashMap<Value, (Value, u64)> = FxHashMap::default();
    // One walk suffices: without phi nodes, a pointer is defined before its uses in the order of the program.
    function.walk_body(|_, inst| match &inst.op {
        Op::Alloca { size, .. } => {
            if let Some(result) = inst.results.first() {
                objects.insert(*result, Object { size: *size, ..Object::default() });
                pointers.insert(*result, (*result, 0));
            }
        }
        Op::PtrAdd { base, index, stride, displacement } => {
            let Some((root, offset)) = pointers.get(base).copied() else { return };
            match (constant_offset(function, *index, *stride, *displacement), inst.results.first()) {
                (Some(more), Some(result)) => {
                    pointers.insert(*result, (root, offset.wrapping_add(more.cast_unsigned())));
                }
                _ => reject(&mut objects, root),
            }
            index.iter().for_each(|index| escape(&mut objects, &pointers, *index));
        }
        Op::Load { ptr, volatile, .. } => {
            if let (Some((root, offset)), Some(result)) = (pointers.get(ptr), inst.results.first()) {
                access(&mut objects, *root, *offset, function.ty(*result), *volatile);
            }
        }
        Op::Store { ptr, value, volatile, .. } => {
            escape(&mut objects, &pointers, *value);
            if let Some((root, offset)) = pointers.get(ptr) {
                access(&mut objects, *root, *offset, function.ty(*value), *volatile);
            }
        }
        op => op.for_each_operand(|value| escape(&mut objects, &pointers, value)),
    });
    objects.retain(|_, object| !object.rejected);
    objects
}

fn reject(objects: &mut FxHashMap<Value, Object>, root: Value) {
    if let Some(object) = objects.get_mut(&root) {
        object.rejected = true;
    }
}

fn escape(objects: &mut FxHashMap<Value, Object>, pointers: &FxHashMap<Value, (Value, u64)>, value: Value) {
    if let Some((root, _)) = pointers.get(&value) {
        reject(objects, *root);
    }
}

fn access(objects: &mut FxHashMap<Value, Object>, root: Value, offset: u64, ty: Type, volatile: bool) {
    let Some(object) = objects.get_mut(&root) else { return };
    let fits = offset.checked_add(size(ty)).is_some_and(|end| end <= object.size);
    // An access out of bounds is undefined, but must not reach the variables of another object.
    object.rejected |= volatile || !fits;
    object.accesses.push(Slice { offset, ty });
}

/// Bytes that an access covers. A handle fills its object.
fn size(ty: Type) -> u64 {
    if matches!(ty.scalar, ScalarType::Opaque(_)) { 8 } else { ty.access_size() }
}

/// Divides an object's bytes into variables, or rejects the object: one partition that cannot be divided keeps all of it in
/// memory, since its pointers are removed or kept together.
fn split_object(object: &mut Object, variables: &mut Vec<Type>) {
    let mut accesses = object.accesses.clone();
    accesses.sort_by_key(|access| (access.offset, std::cmp::Reverse(size(access.ty))));
    let mut at = 0;
    let first_variable = variables.len();
    while at < accesses.len() {
        let start = accesses[at].offset;
        let mut end = start + size(accesses[at].ty);
        let mut next = at + 1;
        while next < accesses.len() && accesses[next].offset < end {
            end = end.max(accesses[next].offset + size(accesses[next].ty));
            next += 1;
        }
        if !split_partition(object, &accesses[at..next], start, end, variables) {
            object.rejected = true;
            variables.truncate(first_variable);
            return;
        }
        at = next;
    }
}

/// Divides a partition: the bytes from `start` to `end`, which overlapping slices cover.
fn split_partition(object: &mut Object, accesses: &[Slice], start: u64, end: u64, variables: &mut Vec<Type>) -> bool {
    let first = accesses[0].ty;
    // Pointers, handles and `bool` have no bits that an access of another type could see.
    let has_bits = |ty: Type| ty.scalar.bits() > 1 && ty.space().is_none();
    let same = accesses.iter().all(|access| {
        access.offset == start
            && (access.ty == first || (has_bits(access.ty) && has_bits(first) && access.ty.bits() == first.bits()))
    });
    if same {
        object.variables.push((start, end - start, variables.len()));
        variables.push(first);
        return true;
    }
    if !accesses.iter().all(|access| has_bits(access.ty)) {
        return false;
    }
    let bytes = accesses.iter().map(|access| access.ty.scalar.bytes()).min().unwrap_or(1);
    let aligned = accesses.iter().all(|access| (access.offset - start).is_multiple_of(bytes));
    if !aligned || !(end - start).is_multiple_of(bytes) || (end - start) / bytes > MAX_VARIABLES {
        return false;
    }
    let like = accesses.iter().find(|access| access.ty.scalar.bytes() == bytes);
    let scalar = like.map_or(ScalarType::I8, |access| access.ty.scalar);
    for offset in (start..end).step_by(to_usize(bytes)) {
        object.variables.push((offset, bytes, variables.len()));
        variables.push(Type::scalar(scalar));
    }
    true
}

/// Every pointer into a promoted object: which object, and the offset.
fn pointers_into(function: &Function, objects: &FxHashMap<Value, Object>) -> FxHashMap<Value, (Value, u64)> {
    let mut pointers: FxHashMap<Value, (Value, u64)> = objects.keys().map(|root| (*root, (*root, 0))).collect();
    function.walk_body(|_, inst| {
        let Op::PtrAdd { base, index, stride, displacement } = &inst.op else { return };
        let (Some((root, offset)), Some(result)) = (pointers.get(base).copied(), inst.results.first()) else { return };
        if let Some(more) = constant_offset(function, *index, *stride, *displacement) {
            pointers.insert(*result, (root, offset.wrapping_add(more.cast_unsigned())));
        }
    });
    pointers
}

/// The variables whose current definitions each kind of terminator appends to its operands.
#[derive(Clone, Default)]
struct Targets {
    yields: Vec<usize>,
    breaks: Vec<usize>,
    continues: Vec<usize>,
    falls: Vec<usize>,
    next: Vec<usize>,
}

/// How many terminators leave a loop or switch.
#[derive(Default)]
struct Edges {
    is_loop: bool,
    breaks: usize,
    continues: usize,
}

struct Promotion {
    objects: FxHashMap<Value, Object>,
    pointers: FxHashMap<Value, (Value, u64)>,
    variables: Vec<Type>,
    /// The definition of each variable that reaches the point of the walk.
    current_def: Vec<Value>,
    /// The variables that are assigned inside each structured instruction, sorted.
    assigned: TiVec<InstId, Option<Vec<usize>>>,
    /// The `break`s out of the loops and switches around the point of the walk.
    edges: Vec<Edges>,
    /// How many of those lists each variable is in.
    carried: Vec<usize>,
    /// Whether a variable is assigned where more than [`MAX_EDGES`] meet.
    crowded: Vec<bool>,
    /// Removed loads, and the values that replace them.
    replaced: Substitution,
}

impl Promotion {
    /// Fills `assigned` for the structured instructions in a region; returns the variables the region assigns.
    fn find_assigned(&mut self, function: &Function, region: RegionId) -> Vec<usize> {
        let mut all = Vec::new();
        for id in &function.region(region).insts {
            let inst = function.inst(*id);
            if let Op::Store { ptr, value, .. } = &inst.op {
                self.for_variables(*ptr, function.ty(*value), |variable| all.push(variable));
                continue;
            }
            self.count_edge(&inst.op);
            let regions = inst.op.regions();
            if regions.is_empty() {
                continue;
            }
            let is_left_by_break = matches!(inst.op, Op::Loop { .. } | Op::Switch { .. });
            if is_left_by_break {
                self.edges.push(Edges { is_loop: matches!(inst.op, Op::Loop { .. }), ..Edges::default() });
            }
            let mut inner = Vec::new();
            for nested in regions {
                inner.extend(self.find_assigned(function, nested));
            }
            inner.sort_unstable();
            inner.dedup();
            inner.iter().for_each(|variable| self.carried[*variable] += 1);
            let edges = if is_left_by_break { self.edges.pop().unwrap_or_default() } else { Edges::default() };
            if edges.breaks.max(edges.continues) > MAX_EDGES {
                inner.iter().for_each(|variable| self.crowded[*variable] = true);
            }
            all.extend_from_slice(&inner);
            self.assigned[*id] = Some(inner);
        }
        all.sort_unstable();
        all.dedup();
        all
    }

    fn count_edge(&mut self, op: &Op) {
        match op {
            Op::Break(_) => self.edges.last_mut().into_iter().for_each(|edges| edges.breaks += 1),
            Op::Continue(_) => {
                let innermost = self.edges.iter_mut().rev().find(|edges| edges.is_loop);
                innermost.into_iter().for_each(|edges| edges.continues += 1);
            }
            _ => {}
        }
    }

    /// Leaves the objects in memory that are carried most often, where all are carried more often than `most`, and those that
    /// too many edges would carry.
    fn leave_in_memory(&mut self, function: &Function, most: usize) {
        let sum = self.carried.iter().sum::<usize>();
        if sum <= most && !self.crowded.contains(&true) {
            return;
        }
        let share = if sum <= most { most } else { most / self.carried.len().max(1) };
        let carried = std::mem::replace(&mut self.carried, vec![0; self.variables.len()]);
        let stays = |variable: usize| carried[variable] > share || self.crowded[variable];
        self.objects.retain(|_, object| !object.variables.iter().any(|(.., variable)| stays(*variable)));
        self.pointers = pointers_into(function, &self.objects);
        self.assigned = ti_vec![None; function.insts.len()];
        self.find_assigned(function, function.body);
    }

    fn for_variables(&self, ptr: Value, ty: Type, mut visit: impl FnMut(usize)) {
        let Some((root, offset)) = self.pointers.get(&ptr) else { return };
        let Some(object) = self.objects.get(root) else { return };
        let end = offset + size(ty);
        let first = object.variables.partition_point(|variable| variable.0 < *offset);
        object.variables[first..].iter().take_while(|variable| variable.0 < end).for_each(|variable| visit(variable.2));
    }

    fn region(&mut self, function: &mut Function, region: RegionId, targets: &Targets) {
        let insts = std::mem::take(&mut function.region_mut(region).insts);
        for id in insts {
            // Taken out, because new values are added to the function while the operation is rewritten.
            let mut op = std::mem::replace(&mut function.inst_mut(id).op, Op::Unreachable);
            self.replaced.apply(&mut op);
            let keep = match &mut op {
                Op::Alloca { .. } | Op::PtrAdd { .. } => {
                    let result = function.inst(id).results.first().copied();
                    !result.is_some_and(|result| self.pointers.contains_key(&result))
                }
                Op::Load { ptr, .. } if self.pointers.contains_key(ptr) => {
                    if let Some(result) = function.inst(id).results.first().copied() {
                        let value = self.load(function, region, *ptr, function.ty(result));
                        self.replaced.insert(result, value);
                    }
                    false
                }
                Op::Store { ptr, value, .. } if self.pointers.contains_key(ptr) => {
                    self.store(function, region, *ptr, *value);
                    false
                }
                Op::If { .. } | Op::Switch { .. } | Op::Loop { .. } => {
                    self.structured(function, id, &mut op, targets);
                    true
                }
                op => {
                    self.terminator(op, targets);
                    true
                }
            };
            if keep {
                function.inst_mut(id).op = op;
                function.region_mut(region).insts.push(id);
            }
        }
    }

    fn terminator(&self, op: &mut Op, targets: &Targets) {
        let current =
            |variables: &[usize]| variables.iter().map(|variable| self.current_def[*variable]).collect::<Vec<_>>();
        match op {
            Op::Yield(values) => values.extend(current(&targets.yields)),
            Op::Break(values) => values.extend(current(&targets.breaks)),
            Op::Continue(values) => values.extend(current(&targets.continues)),
            Op::Fallthrough(values) => values.extend(current(&targets.falls)),
            Op::Next(values) => values.extend(current(&targets.next)),
            Op::NextIf { next, results, .. } => {
                next.extend(current(&targets.next));
                results.extend(current(&targets.breaks));
            }
            _ => {}
        }
    }

    fn structured(&mut self, function: &mut Function, id: InstId, op: &mut Op, targets: &Targets) {
        let variables = self.assigned[id].take().unwrap_or_default();
        let before: Vec<Value> = variables.iter().map(|variable| self.current_def[*variable]).collect();
        match op {
            Op::If { then, otherwise, .. } => {
                let inner =
                    Targets { yields: variables.clone(), falls: Vec::new(), next: Vec::new(), ..targets.clone() };
                // Both branches begin with the definitions before the `if`; its results are what they yield.
                for region in [*then, *otherwise] {
                    self.restore(&variables, &before);
                    self.region(function, region, &inner);
                }
            }
            Op::Switch { inputs, cases, .. } => {
                inputs.extend_from_slice(&before);
                let inner = Targets {
                    yields: Vec::new(),
                    breaks: variables.clone(),
                    falls: variables.clone(),
                    next: Vec::new(),
                    continues: targets.continues.clone(),
                };
                // A case may be entered by falling through from the one before it, so each has parameters.
                for case in cases {
                    self.enter(function, case.region, &variables);
                    self.region(function, case.region, &inner);
                }
            }
            Op::Loop { inits, body, continuing, .. } => {
                inits.extend_from_slice(&before);
                // `break` and `continue` inside refer to this loop; no other terminator leaves it.
                let inner = Targets { breaks: variables.clone(), continues: variables.clone(), ..Targets::default() };
                self.enter(function, *body, &variables);
                self.region(function, *body, &inner);
                let inner = Targets { next: variables.clone(), breaks: variables.clone(), ..Targets::default() };
                self.enter(function, *continuing, &variables);
                self.region(function, *continuing, &inner);
            }
            _ => {}
        }
        for variable in variables {
            let index = to_u32(function.inst(id).results.len());
            let value = function.new_value(self.variables[variable], ValueDef::Inst(id, index));
            function.inst_mut(id).results.push(value);
            self.current_def[variable] = value;
        }
    }

    fn restore(&mut self, variables: &[usize], values: &[Value]) {
        for (variable, value) in variables.iter().zip(values) {
            self.current_def[*variable] = *value;
        }
    }

    /// Gives a region a parameter for each variable, which is its definition inside.
    fn enter(&mut self, function: &mut Function, region: RegionId, variables: &[usize]) {
        for variable in variables {
            self.current_def[*variable] = function.add_region_param(region, self.variables[*variable]);
        }
    }

    /// The variables that an access covers, lowest offset first; one where all slices of the partition agree.
    fn covered(&self, ptr: Value, ty: Type) -> SmallVec<[usize; 4]> {
        let mut variables = SmallVec::new();
        self.for_variables(ptr, ty, |variable| variables.push(variable));
        variables
    }

    /// The value of a load, built from current definitions.
    fn load(&self, function: &mut Function, region: RegionId, ptr: Value, ty: Type) -> Value {
        let variables = self.covered(ptr, ty);
        let mut b = Builder::at(function, region);
        if let [variable] = variables[..] {
            let value = self.current_def[variable];
            return if b.ty(value) == ty { value } else { b.bitcast(value, ty) };
        }
        let per_lane = variables.len() / usize::from(ty.lanes).max(1);
        let lanes: Vec<Value> = variables
            .chunks(per_lane.max(1))
            .map(|chunk| {
                let parts: Vec<Value> = chunk.iter().map(|variable| self.current_def[*variable]).collect();
                join(&mut b, &parts, ty.lane())
            })
            .collect();
        b.construct(&lanes)
    }

    fn store(&mut self, function: &mut Function, region: RegionId, ptr: Value, value: Value) {
        let ty = function.ty(value);
        let variables = self.covered(ptr, ty);
        let mut b = Builder::at(function, region);
        if let [variable] = variables[..] {
            let wanted = self.variables[variable];
            self.current_def[variable] = if ty == wanted { value } else { b.bitcast(value, wanted) };
            return;
        }
        let per_lane = (variables.len() / usize::from(ty.lanes).max(1)).max(1);
        for (lane, chunk) in variables.chunks(per_lane).enumerate() {
            let scalar = b.extract(value, to_u8(lane));
            for (part, variable) in chunk.iter().enumerate() {
                self.current_def[*variable] = split(&mut b, scalar, part, chunk.len(), self.variables[*variable]);
            }
        }
    }
}

/// A scalar of type `ty` from equal parts, low bits first.
fn join(b: &mut Builder<'_>, parts: &[Value], ty: Type) -> Value {
    if let [one] = parts {
        return b.bitcast(*one, ty);
    }
    let int = ScalarType::int(ty.scalar.bits());
    let mut whole = b.int(Type::scalar(int), 0);
    for (index, part) in parts.iter().enumerate() {
        let bits = b.ty(*part).scalar.bits();
        let part = b.bitcast(*part, Type::scalar(ScalarType::int(bits)));
        let part = b.resize(part, int, false);
        let shift = b.int(Type::scalar(int), i64::from(bits) * to_i64(index));
        let part = b.binary(BinaryOp::Shl, part, shift);
        whole = b.binary(BinaryOp::Or, whole, part);
    }
    b.bitcast(whole, ty)
}

/// Part number `index` of `count` equal parts of a scalar, as type `ty`.
fn split(b: &mut Builder<'_>, scalar: Value, index: usize, count: usize, ty: Type) -> Value {
    if count == 1 {
        return b.bitcast(scalar, ty);
    }
    let bits = b.ty(scalar).scalar.bits();
    let int = Type::scalar(ScalarType::int(bits));
    let whole = b.bitcast(scalar, int);
    let shift = b.int(int, i64::from(bits) / to_i64(count) * to_i64(index));
    let shifted = b.binary(BinaryOp::LShr, whole, shift);
    let part = b.resize(shifted, ScalarType::int(ty.scalar.bits()), false);
    b.bitcast(part, ty)
}
