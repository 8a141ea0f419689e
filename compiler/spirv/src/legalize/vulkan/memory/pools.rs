//! Lays out the *pools*: the words of the private and local objects whose addresses escape, into which pointers are
//! 32-bit byte offsets.
//!
//! Functions that call each other, directly or through others, share a pool of each space, since pointers are passed
//! between them. Kernels that share no function have separate pools, so that no kernel declares the local memory of
//! another one. In a pool, local objects of known sizes that no kernel uses together lie at the same place, and so do
//! private objects of functions of which neither calls the other.

use super::access::{Shared, Words};
use super::objects::{Object, ObjectKey, Objects, Shape};
use clforge_ir::analysis::CallGraph;
use clforge_ir::error::Limited;
use clforge_ir::*;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::cmp::Reverse;
use typed_index_collections::{TiVec, ti_vec};

/// Bytes of a pool or an object, rounded up to elements of up to 16 bytes: their number has 32 bits.
const MAX_BYTES: u64 = u32::MAX as u64 & !15;

/// Null is offset 0, so objects start after it.
pub const POOL_START: u64 = 16;

/// The pools of all functions.
pub struct Pools {
    list: Vec<Pool>,
    /// Of each function, its place in the list.
    of: TiVec<FunctionId, usize>,
}

/// The pools of some functions. They are there even when nothing lives in them: a pointer made from an integer, or null, may
/// still be used.
pub struct Pool {
    pub private: Words,
    pub local: Words,
    layout: Layout,
}

/// A fixed offset, and the local arguments (specialisation constant, element size) that lie before it besides.
pub type PoolOffset = (u64, SmallVec<[(u32, u32); 2]>);

/// Byte offsets of the objects in the pools of some functions, and the sizes of these pools.
#[derive(Default)]
struct Layout {
    /// Of private objects: the fixed offset. Of local ones: the fixed part, with the arguments that come before.
    offsets: FxHashMap<usize, PoolOffset>,
    private_size: u64,
    local_size: VariableSize,
}

impl Pools {
    /// The pools of a module, whose variables are added to it.
    ///
    /// # Errors
    /// An object that is too large, or too far from the start of its pool.
    pub fn new(module: &mut Module, objects: &Objects) -> Result<Pools, Error> {
        let calls = CallGraph::of(module);
        let (of, count) = connected(&calls, module.functions.len());
        let mut layouts: Vec<Layout> = (0..count).map(|_| Layout::default()).collect();
        let mut members: Vec<Vec<(usize, &Object)>> = vec![Vec::new(); count];
        for (index, object) in objects.list.iter().enumerate() {
            check(module, object, 0)?;
            for user in &object.users {
                let members = &mut members[of[*user]];
                let is_member = members.last().is_some_and(|(last, _)| *last == index);
                if object.shape == Shape::Pool && !is_member {
                    members.push((index, object));
                }
            }
        }
        let mut functions: Vec<Vec<FunctionId>> = vec![Vec::new(); count];
        of.iter_enumerated().for_each(|(function, number)| functions[*number].push(function));
        for ((layout, members), functions) in layouts.iter_mut().zip(&members).zip(&functions) {
            layout.add_local(members, &roots(module, &calls, functions, members));
        }
        lay_out_private(&mut layouts, &of, &calls, objects);
        for layout in &layouts {
            for (index, (offset, _)) in &layout.offsets {
                check(module, &objects.list[*index], *offset)?;
            }
        }
        let list = layouts.into_iter().map(|layout| layout.with_variables(module, objects.wide_local_pool)).collect();
        Ok(Pools { list, of })
    }

    /// The pools of a function.
    pub fn of(&self, function: FunctionId) -> &Pool {
        &self.list[self.of[function]]
    }
}

impl Pool {
    /// Where an object of [`Shape::Pool`] is that the functions refer to.
    pub fn offset(&self, object: usize) -> Option<&PoolOffset> {
        self.layout.offsets.get(&object)
    }

    /// Whether there are private objects.
    pub fn has_private(&self) -> bool {
        self.layout.private_size > 0
    }

    /// Whether there are local objects.
    pub fn has_local(&self) -> bool {
        self.layout.local_size != VariableSize::default()
    }

    /// The size of the private objects.
    pub fn private_size(&self) -> VariableSize {
        VariableSize { fixed: self.layout.private_size, ..VariableSize::default() }
    }

    /// The size of the local objects.
    pub fn local_size(&self) -> &VariableSize {
        &self.layout.local_size
    }
}

/// Checks that offsets, which have 32 bits, reach the end of an object in its variable or pool.
fn check(module: &Module, object: &Object, start: u64) -> Result<(), Error> {
    let end = start.saturating_add(object.size);
    if end <= MAX_BYTES {
        return Ok(());
    }
    let (space, span) = match object.key {
        ObjectKey::Alloca(function, _) => (Space::Private, module.function(function).span),
        ObjectKey::Local(global) => (Space::Local, module.global(global).span),
        ObjectKey::Buffer(function, _) => (Space::Global, module.function(function).span),
    };
    Err(Error::limit(Limited::Memory { space }, end, MAX_BYTES).at(span))
}

/// Numbers functions, from 0, so that those that calls connect have the same number; how many numbers there are.
fn connected(calls: &CallGraph, functions: usize) -> (TiVec<FunctionId, usize>, usize) {
    let mut numbers: TiVec<FunctionId, Option<usize>> = ti_vec![None; functions];
    let mut neighbours: TiVec<FunctionId, Vec<FunctionId>> = ti_vec![Vec::new(); functions];
    for caller in numbers.keys() {
        for callee in calls.callees(caller) {
            neighbours[caller].push(*callee);
            neighbours[*callee].push(caller);
        }
    }
    let mut count = 0;
    for first in neighbours.keys() {
        let mut work = vec![first];
        while let Some(function) = work.pop() {
            if numbers[function].is_none() {
                numbers[function] = Some(count);
                work.extend(&neighbours[function]);
            }
        }
        count += usize::from(numbers[first] == Some(count));
    }
    (numbers.into_iter().map(Option::unwrap_or_default).collect(), count)
}

/// For each local object in the pool of some functions, which of these reach one that refers to it: of those that others do not
/// call, or that are kernels.
fn roots(
    module: &Module,
    calls: &CallGraph,
    functions: &[FunctionId],
    members: &[(usize, &Object)],
) -> FxHashMap<usize, Vec<FunctionId>> {
    let is_root = |id: &FunctionId| calls.calls_of(*id) == 0 || module.functions[*id].kernel.is_some();
    let local: Vec<_> = members.iter().filter(|(_, object)| matches!(object.key, ObjectKey::Local(_))).collect();
    let mut roots: FxHashMap<usize, Vec<FunctionId>> = FxHashMap::default();
    if local.is_empty() {
        return roots;
    }
    for root in functions.iter().copied().filter(is_root) {
        let reached = reached_from(calls, root);
        for (index, object) in &local {
            if object.users.iter().any(|user| reached.contains(user)) {
                roots.entry(*index).or_default().push(root);
            }
        }
    }
    roots
}

/// A function, and those that it calls, directly or through others.
fn reached_from(calls: &CallGraph, root: FunctionId) -> FxHashSet<FunctionId> {
    let (mut reached, mut work) = (FxHashSet::default(), vec![root]);
    while let Some(function) = work.pop() {
        if reached.insert(function) {
            work.extend(calls.callees(function));
        }
    }
    reached
}

impl Layout {
    /// Lays out local objects; `roots`: those with a root in common are alive together.
    fn add_local(&mut self, members: &[(usize, &Object)], roots: &FxHashMap<usize, Vec<FunctionId>>) {
        let local: Vec<(usize, &Object)> =
            members.iter().copied().filter(|(_, object)| matches!(object.key, ObjectKey::Local(_))).collect();
        if local.is_empty() {
            return;
        }
        let mut ends: FxHashMap<FunctionId, u64> = FxHashMap::default();
        for (index, object) in &local {
            if object.size_argument.is_none() && object.per_work_item == 0 {
                let roots = roots.get(index).map_or(&[][..], Vec::as_slice);
                let start = roots.iter().filter_map(|root| ends.get(root)).copied().max().unwrap_or(POOL_START);
                let offset = start.next_multiple_of(object.align.max(16));
                ends.extend(roots.iter().map(|root| (*root, offset + object.size)));
                self.offsets.insert(*index, (offset, SmallVec::new()));
            }
        }
        // Sizes of arguments are multiples of their alignments, so all are aligned when those of larger ones come first.
        let by_argument = local.iter().filter_map(|(index, object)| Some((*index, *object, object.size_argument?)));
        let mut by_argument: Vec<_> = by_argument.collect();
        by_argument.sort_by_key(|(_, object, _)| Reverse(object.align));
        let align = by_argument.first().map_or(16, |(_, object, _)| object.align.max(16));
        let end = ends.into_values().max().unwrap_or(POOL_START).next_multiple_of(align);
        let mut arguments: SmallVec<[(u32, u32); 2]> = SmallVec::new();
        for (index, _, argument) in by_argument {
            self.offsets.insert(index, (end, arguments.clone()));
            arguments.push(argument);
        }
        // The one object whose size is the work-group's comes last: no offset depends on it.
        let mut per_work_item = 0;
        for (index, object) in local.iter().filter(|(_, object)| object.per_work_item > 0) {
            self.offsets.insert(*index, (end, arguments.clone()));
            per_work_item = per_work_item.max(object.per_work_item);
        }
        self.local_size = VariableSize { fixed: end, arguments: arguments.to_vec(), per_work_item };
    }

    fn with_variables(self, module: &mut Module, wide: bool) -> Pool {
        let mut add = |name: &str, storage, element, size| {
            let name = name.to_owned();
            module.variables.push_and_get_key(Variable { name, storage, element, size, zero_initialized: false })
        };
        let size = VariableSize { fixed: self.private_size.max(POOL_START), ..VariableSize::default() };
        let private = Words::of(add("private_pool", Storage::Private, Type::I32, size));
        let mut size = self.local_size.clone();
        size.fixed = size.fixed.max(POOL_START);
        let element = if wide { Type::I64 } else { Type::I32 };
        let variable = add("local_pool", Storage::Workgroup, element, size);
        Pool { private, local: Words { variable, shared: Some(Shared::Local), wide }, layout: self }
    }
}

/// Lays out private objects. A function's come after those of all its callers: there is no recursion, so two active calls never
/// overlap.
fn lay_out_private(layouts: &mut [Layout], of: &TiVec<FunctionId, usize>, calls: &CallGraph, objects: &Objects) {
    let mut own: FxHashMap<FunctionId, Vec<(usize, &Object)>> = FxHashMap::default();
    for (index, object) in objects.list.iter().enumerate().filter(|(_, object)| object.shape == Shape::Pool) {
        if let ObjectKey::Alloca(owner, _) = object.key {
            own.entry(owner).or_default().push((index, object));
        }
    }
    let mut frames: TiVec<FunctionId, u64> = ti_vec![POOL_START; of.len()];
    for id in calls.callers_first() {
        let (mut end, layout) = (frames[id], &mut layouts[of[id]]);
        for (index, object) in own.remove(&id).unwrap_or_default() {
            let offset = end.next_multiple_of(object.align.max(4));
            layout.offsets.insert(index, (offset, SmallVec::new()));
            end = offset + object.size;
            layout.private_size = layout.private_size.max(end.next_multiple_of(4));
        }
        for callee in calls.callees(id) {
            let frame = &mut frames[*callee];
            *frame = (*frame).max(end.next_multiple_of(16));
        }
    }
}
