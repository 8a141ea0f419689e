//! `mem2reg`: private objects become values, with scalar replacement of aggregates (SROA) on the way.
//!
//! An object is promoted when every access to it is a plain load or store at a constant offset. SROA first divides its
//! bytes into *cells*, each accessed as one value: where all accesses to a range of bytes agree, the range is one cell (a
//! vector may be one); where they overlap differently (unions, type punning, single lanes), cells are as small as the
//! smallest scalar, and wider accesses are assembled from several. Then one walk over the region tree keeps the current
//! value of each cell and passes it through the results and parameters of structured operations. Dominance frontiers are
//! not needed when control flow is a tree: a merge can only be the end of an `if`, `switch` or `loop`.

use crate::analysis::Substitution;
use crate::pass::{Changed, FunctionContext, FunctionPass};
use crate::*;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use typed_index_collections::{TiVec, ti_vec};

/// More cells than this in one object stay memory: a table, not a variable.
const MAX_CELLS: u64 = 128;

/// The pass.
pub struct Mem2Reg;

impl FunctionPass for Mem2Reg {
    fn name(&self) -> &'static str {
        "mem2reg"
    }

    fn run(&self, function: &mut Function, _: &FunctionContext<'_>) -> Changed {
        promote(function);
        Changed::Maybe
    }
}

fn promote(function: &mut Function) {
    let mut objects = find_objects(function);
    if objects.is_empty() {
        return;
    }
    let mut cells = Vec::new();
    for object in objects.values_mut() {
        divide(object, &mut cells);
    }
    objects.retain(|_, object| !object.rejected);
    if objects.is_empty() {
        return;
    }
    let pointers = pointers_into(function, &objects);
    let current = cells.iter().map(|ty| function.undef(*ty)).collect();
    let assigned = ti_vec![None; function.insts.len()];
    let mut promotion = Promotion { objects, pointers, cells, current, assigned, replaced: Substitution::default() };
    promotion.find_assigned(function, function.body);
    let body = function.body;
    promotion.region(function, body, &Targets::default());
}

/// One access to an object.
#[derive(Clone, Copy)]
struct Access {
    offset: u64,
    ty: Type,
}

/// An object under consideration.
#[derive(Default)]
struct Object {
    size: u64,
    rejected: bool,
    accesses: Vec<Access>,
    /// Cells in order: (offset, bytes, index in the pass's list).
    cells: Vec<(u64, u64, usize)>,
}

/// The allocas whose every use is a load or store at a constant offset.
fn find_objects(function: &Function) -> FxHashMap<Value, Object> {
    let mut objects: FxHashMap<Value, Object> = FxHashMap::default();
    let mut pointers: FxHashMap<Value, (Value, u64)> = FxHashMap::default();
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
                    pointers.insert(*result, (root, offset.wrapping_add(more as u64)));
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

fn constant_offset(function: &Function, index: Option<Value>, stride: i64, displacement: i64) -> Option<i64> {
    let Some(index) = index else { return Some(displacement) };
    let bits = function.as_int(index)?;
    let index = constant::sign_extend(function.ty(index).scalar, bits);
    index.checked_mul(stride)?.checked_add(displacement)
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
    // Handles and pointers have no bits to divide: they are promoted only where every access is the same.
    object.rejected |= volatile || !fits;
    object.accesses.push(Access { offset, ty });
}

/// Bytes that an access covers. A handle fills its object.
fn size(ty: Type) -> u64 {
    if matches!(ty.scalar, ScalarType::Opaque(_)) { 8 } else { ty.access_size() }
}

/// Divides an object's bytes into cells, or rejects it.
fn divide(object: &mut Object, cells: &mut Vec<Type>) {
    let mut accesses = object.accesses.clone();
    accesses.sort_by_key(|access| (access.offset, std::cmp::Reverse(size(access.ty))));
    let mut at = 0;
    let first_cell = cells.len();
    while at < accesses.len() {
        let start = accesses[at].offset;
        let mut end = start + size(accesses[at].ty);
        let mut next = at + 1;
        while next < accesses.len() && accesses[next].offset < end {
            end = end.max(accesses[next].offset + size(accesses[next].ty));
            next += 1;
        }
        if !divide_run(object, &accesses[at..next], start, end, cells) {
            object.rejected = true;
            cells.truncate(first_cell);
            return;
        }
        at = next;
    }
}

/// Divides the bytes of overlapping accesses.
fn divide_run(object: &mut Object, accesses: &[Access], start: u64, end: u64, cells: &mut Vec<Type>) -> bool {
    let first = accesses[0].ty;
    let has_bits = |ty: Type| ty.scalar.bits() > 1 && ty.space().is_none();
    let same = accesses.iter().all(|access| {
        access.offset == start
            && (access.ty == first || (has_bits(access.ty) && has_bits(first) && access.ty.bits() == first.bits()))
    });
    if same {
        object.cells.push((start, end - start, cells.len()));
        cells.push(first);
        return true;
    }
    if !accesses.iter().all(|access| has_bits(access.ty)) {
        return false;
    }
    let bytes = accesses.iter().map(|access| access.ty.scalar.bytes()).min().unwrap_or(1);
    let aligned = accesses.iter().all(|access| (access.offset - start).is_multiple_of(bytes));
    if !aligned || !(end - start).is_multiple_of(bytes) || (end - start) / bytes > MAX_CELLS {
        return false;
    }
    let like = accesses.iter().find(|access| access.ty.scalar.bytes() == bytes);
    let scalar = like.map_or(ScalarType::I8, |access| access.ty.scalar);
    for offset in (start..end).step_by(bytes as usize) {
        object.cells.push((offset, bytes, cells.len()));
        cells.push(Type::scalar(scalar));
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
            pointers.insert(*result, (root, offset.wrapping_add(more as u64)));
        }
    });
    pointers
}

/// Cells that a terminator must hand on.
#[derive(Clone, Default)]
struct Targets {
    yields: Vec<usize>,
    breaks: Vec<usize>,
    continues: Vec<usize>,
    falls: Vec<usize>,
    next: Vec<usize>,
}

struct Promotion {
    objects: FxHashMap<Value, Object>,
    pointers: FxHashMap<Value, (Value, u64)>,
    cells: Vec<Type>,
    /// Value of each cell at the point of the walk.
    current: Vec<Value>,
    /// Cells assigned inside each structured instruction, sorted.
    assigned: TiVec<InstId, Option<Vec<usize>>>,
    /// Loads that are gone, and the values instead.
    replaced: Substitution,
}

impl Promotion {
    /// Fills `assigned` for the structured instructions in a region; returns the cells the region assigns.
    fn find_assigned(&mut self, function: &Function, region: RegionId) -> Vec<usize> {
        let mut all = Vec::new();
        for id in &function.region(region).insts {
            let inst = function.inst(*id);
            if let Op::Store { ptr, value, .. } = &inst.op {
                self.for_cells(*ptr, function.ty(*value), |cell| all.push(cell));
                continue;
            }
            let regions = inst.op.regions();
            if regions.is_empty() {
                continue;
            }
            let mut inner = Vec::new();
            for nested in regions {
                inner.extend(self.find_assigned(function, nested));
            }
            inner.sort_unstable();
            inner.dedup();
            all.extend_from_slice(&inner);
            self.assigned[*id] = Some(inner);
        }
        all.sort_unstable();
        all.dedup();
        all
    }

    fn for_cells(&self, ptr: Value, ty: Type, mut visit: impl FnMut(usize)) {
        let Some((root, offset)) = self.pointers.get(&ptr) else { return };
        let Some(object) = self.objects.get(root) else { return };
        let end = offset + size(ty);
        let first = object.cells.partition_point(|cell| cell.0 < *offset);
        object.cells[first..].iter().take_while(|cell| cell.0 < end).for_each(|cell| visit(cell.2));
    }

    fn region(&mut self, function: &mut Function, region: RegionId, targets: &Targets) {
        let insts = std::mem::take(&mut function.region_mut(region).insts);
        for id in insts {
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
        let current = |cells: &[usize]| cells.iter().map(|cell| self.current[*cell]).collect::<Vec<_>>();
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
        let cells = self.assigned[id].take().unwrap_or_default();
        let before: Vec<Value> = cells.iter().map(|cell| self.current[*cell]).collect();
        match op {
            Op::If { then, otherwise, .. } => {
                let inner = Targets { yields: cells.clone(), falls: Vec::new(), next: Vec::new(), ..targets.clone() };
                for region in [*then, *otherwise] {
                    self.restore(&cells, &before);
                    self.region(function, region, &inner);
                }
            }
            Op::Switch { inputs, cases, .. } => {
                inputs.extend_from_slice(&before);
                let inner = Targets {
                    yields: Vec::new(),
                    breaks: cells.clone(),
                    falls: cells.clone(),
                    next: Vec::new(),
                    continues: targets.continues.clone(),
                };
                for case in cases {
                    self.enter(function, case.region, &cells);
                    self.region(function, case.region, &inner);
                }
            }
            Op::Loop { inits, body, continuing, .. } => {
                inits.extend_from_slice(&before);
                let inner = Targets { breaks: cells.clone(), continues: cells.clone(), ..Targets::default() };
                self.enter(function, *body, &cells);
                self.region(function, *body, &inner);
                let inner = Targets { next: cells.clone(), breaks: cells.clone(), ..Targets::default() };
                self.enter(function, *continuing, &cells);
                self.region(function, *continuing, &inner);
            }
            _ => {}
        }
        for cell in cells {
            let index = function.inst(id).results.len() as u32;
            let value = function.new_value(self.cells[cell], ValueDef::Inst(id, index));
            function.inst_mut(id).results.push(value);
            self.current[cell] = value;
        }
    }

    fn restore(&mut self, cells: &[usize], values: &[Value]) {
        for (cell, value) in cells.iter().zip(values) {
            self.current[*cell] = *value;
        }
    }

    /// Gives a region parameters for cells, which are their values inside.
    fn enter(&mut self, function: &mut Function, region: RegionId, cells: &[usize]) {
        for cell in cells {
            self.current[*cell] = function.add_region_param(region, self.cells[*cell]);
        }
    }

    /// The cells an access covers, with the access's offset in the first.
    fn covered(&self, ptr: Value, ty: Type) -> SmallVec<[usize; 4]> {
        let mut cells = SmallVec::new();
        self.for_cells(ptr, ty, |cell| cells.push(cell));
        cells
    }

    /// The value a load has, built from the cells' current values.
    fn load(&self, function: &mut Function, region: RegionId, ptr: Value, ty: Type) -> Value {
        let cells = self.covered(ptr, ty);
        let mut b = Builder::at(function, region);
        if let [cell] = cells[..] {
            let value = self.current[cell];
            return if b.ty(value) == ty { value } else { b.bitcast(value, ty) };
        }
        let per_lane = cells.len() / usize::from(ty.lanes).max(1);
        let lanes: Vec<Value> = cells
            .chunks(per_lane.max(1))
            .map(|chunk| {
                let parts: Vec<Value> = chunk.iter().map(|cell| self.current[*cell]).collect();
                join(&mut b, &parts, ty.lane())
            })
            .collect();
        b.construct(&lanes)
    }

    fn store(&mut self, function: &mut Function, region: RegionId, ptr: Value, value: Value) {
        let ty = function.ty(value);
        let cells = self.covered(ptr, ty);
        let mut b = Builder::at(function, region);
        if let [cell] = cells[..] {
            let wanted = self.cells[cell];
            self.current[cell] = if ty == wanted { value } else { b.bitcast(value, wanted) };
            return;
        }
        let per_lane = (cells.len() / usize::from(ty.lanes).max(1)).max(1);
        for (lane, chunk) in cells.chunks(per_lane).enumerate() {
            let scalar = b.extract(value, lane as u8);
            for (part, cell) in chunk.iter().enumerate() {
                self.current[*cell] = split(&mut b, scalar, part, chunk.len(), self.cells[*cell]);
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
        let shift = b.int(Type::scalar(int), i64::from(bits) * index as i64);
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
    let shift = b.int(int, i64::from(bits) / count as i64 * index as i64);
    let shifted = b.binary(BinaryOp::LShr, whole, shift);
    let part = b.resize(shifted, ScalarType::int(ty.scalar.bits()), false);
    b.bitcast(part, ty)
}
