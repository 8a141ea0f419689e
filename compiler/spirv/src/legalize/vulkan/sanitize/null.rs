//! Checks for accesses through null pointers to local and private memory. With an index such an address may be in range,
//! since these pointers are small numbers. Checked are pointers that may be null: one that is chosen among addresses of
//! which one is null, or that is read from memory. Null pointers to global memory are in no range of the launch.

use super::Here;
use super::races::Kind;
use crate::interface::bounds::{AccessSite, Check, Memory};
use clforge_basic::narrow::to_u32;
use clforge_ir::analysis::{self, Targets};
use clforge_ir::*;
use rustc_hash::{FxHashMap, FxHashSet};

/// Most additions between an address and its object.
const MOST_STEPS: usize = 64;

fn is_pointer(function: &Function, value: Value) -> bool {
    matches!(function.ty(value).space(), Some(Space::Private | Space::Local | Space::Generic))
}

/// What each pointer is passed to. Recurses as deep as regions nest.
fn edges(function: &Function, region: RegionId, targets: &Targets, found: &mut FxHashMap<Value, Vec<Value>>) {
    for id in &function.region(region).insts {
        let inst = function.inst(*id);
        let mut add = |from: Value, to: Value| {
            if is_pointer(function, from) {
                found.entry(from).or_default().push(to);
            }
        };
        analysis::edges(function, inst, targets, &mut add);
        if let (Op::Convert { op: ConvertOp::PtrCast, operand }, [result]) = (&inst.op, &inst.results[..]) {
            add(*operand, *result);
        }
        for (region, targets) in analysis::nested(function, inst, targets) {
            edges(function, region, &targets, found);
        }
    }
}

/// The pointers that may be null.
pub(super) fn find(function: &Function) -> FxHashSet<Value> {
    let mut passed = FxHashMap::default();
    edges(function, function.body, &Targets::default(), &mut passed);
    let is_null = |value: &Value| function.as_int(*value) == Some(0);
    let mut work: Vec<Value> = passed.keys().copied().filter(is_null).collect();
    function.walk_body(|_, inst| {
        if let (Op::Load { .. }, [result]) = (&inst.op, &inst.results[..])
            && is_pointer(function, *result)
        {
            work.push(*result);
        } else if let Op::Load { ptr, .. } | Op::Store { ptr, .. } | Op::Atomic { ptr, .. } = &inst.op {
            work.extend(Some(*ptr).filter(|ptr| is_pointer(function, *ptr) && is_null(ptr)));
        }
    });
    let mut found = FxHashSet::default();
    while let Some(value) = work.pop() {
        if found.insert(value) {
            work.extend(passed.get(&value).into_iter().flatten());
        }
    }
    found
}

impl Here<'_> {
    /// Checks that the pointer which an address is computed from is not null.
    pub(super) fn not_null(&mut self, b: &mut Builder<'_>, ptr: Value, bytes: u64, kind: Kind) {
        let memory = match b.ty(ptr).space() {
            Some(Space::Private) => Memory::Private,
            Some(Space::Local) => Memory::Local,
            _ => return,
        };
        let base = std::iter::successors(Some(ptr), |ptr| match b.function.op(*ptr) {
            Some(Op::PtrAdd { base, .. }) => Some(*base),
            _ => None,
        });
        let base = base.take(MOST_STEPS).last().unwrap_or(ptr);
        if !self.nulls.contains(&base) {
            return;
        }
        let good = b.compare_int(CompareOp::Ne, base, 0);
        let site = AccessSite { bytes: to_u32(bytes), kind: kind.access(), memory, ..AccessSite::default() };
        let site = self.new_site(b, Check::NullPointer, site, None);
        let (zero, site) = (b.int(Type::I64, 0), b.int(Type::I32, site.into()));
        self.plan.recorder.record_unless(b, good, [zero, zero, site]);
    }
}
