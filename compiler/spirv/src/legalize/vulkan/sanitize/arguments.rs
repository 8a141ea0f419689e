//! Checks for arguments of built-in functions that all work-items of a work-group must give the same values: those of
//! asynchronous copies, and the local id of `work_group_broadcast` (OpenCL C 6.15.11 and 6.15.18).
//!
//! Lowering has marked them before the barrier at which `sync` counts the work-items. The first work-item of the group
//! writes its values to local memory before that barrier, and behind it each one compares them with its own. There are two
//! places in turn: the first work-item writes to one again when all have come to the barrier of the other.

use super::Here;
use crate::interface::bounds::{AccessSite, Check};
use crate::legalize::vulkan::findings_buffer::if_true;
use clforge_basic::narrow::to_i64;
use clforge_basic::options::Sanitizers;
use clforge_ir::*;

/// Bytes of a value.
const BYTES: i64 = 8;
/// Most operations that a value is computed by for which it is looked whether it is the same for all.
const MOST_STEPS: usize = 16;

/// Where a kernel compares arguments.
pub(super) struct Arguments {
    values: GlobalId,
    /// Bytes of one of the two places.
    half: i64,
    /// Where a work-item has the offset of its next place.
    next: Value,
    /// What has been marked before the barrier that follows: values and the numbers of their arguments.
    marked: Vec<(Value, i64)>,
    /// The place of the barrier that is being made, and the values with their sites.
    current: Option<(Value, Vec<(Value, u32)>)>,
}

/// The most values that are marked before a barrier.
fn most_marked(function: &Function) -> usize {
    let mut most = 0;
    for region in function.regions.iter() {
        let mut marked = 0;
        for id in &region.insts {
            match function.inst(*id).op {
                Op::Check { check: CheckOp::GroupArgument, .. } => marked += 1,
                Op::Barrier { .. } => marked = 0,
                _ => {}
            }
            most = most.max(marked);
        }
    }
    most
}

/// Whether a value is the same for all work-items of a launch: a constant, an argument of the kernel, or computed from such.
fn is_uniform(module: &Module, function: &Function, value: Value, steps: &mut usize) -> bool {
    if function.as_constant(value).is_some() {
        return true;
    }
    let Some(left) = steps.checked_sub(1) else { return false };
    *steps = left;
    match function.op(value) {
        Some(Op::GlobalAddress(_)) => true,
        Some(Op::VariableLoad { variable, .. }) => module.variables[*variable].storage == Storage::PushConstant,
        Some(op) if op.is_pure() && !matches!(op, Op::Input { .. } | Op::WorkItem { .. }) => {
            let mut all = true;
            op.for_each_operand(|operand| all = all && is_uniform(module, function, operand, steps));
            all
        }
        _ => false,
    }
}

impl Arguments {
    /// Makes the places of a kernel that has such arguments.
    pub fn new(kinds: Sanitizers, function: &mut Function, module: &mut Module) -> Option<Arguments> {
        let most = most_marked(function);
        if !kinds.contains(Sanitizers::SYNC) || function.kernel.is_none() || most == 0 {
            return None;
        }
        let half = to_i64(most as u64) * BYTES;
        let mut global = Global::constant(format!("arguments_{}", function.name), Vec::new(), 8, function.span);
        (global.space, global.size, global.init) = (Space::Local, 2 * half.unsigned_abs(), None);
        let values = module.globals.push_and_get_key(global);
        // It is made when the function is.
        let next = function.undef(Type::ptr(Space::Private));
        Some(Arguments { values, half, next, marked: Vec::new(), current: None })
    }

    /// Begins with the first place.
    pub fn begin(&mut self, b: &mut Builder<'_>) {
        let zero = b.int(Type::I32, 0);
        self.next = b.alloca(4, 4);
        b.store(self.next, zero, 4);
    }

    /// Takes note of an argument of the function that follows, unless it is the same for all.
    pub fn mark(&mut self, b: &Builder<'_>, module: &Module, value: Value, number: Value) {
        let number = b.function.as_int(number).and_then(|number| i64::try_from(number).ok());
        if !is_uniform(module, b.function, value, &mut MOST_STEPS.clone()) {
            self.marked.push((value, number.unwrap_or(0)));
        }
    }

    /// Forgets what was marked in another region.
    pub fn forget(&mut self) {
        self.marked.clear();
    }
}

impl Here<'_> {
    /// Has the first work-item write its values before a barrier.
    pub(super) fn give_arguments(&mut self, b: &mut Builder<'_>) {
        let Some(arguments) = &mut self.arguments else { return };
        let marked = std::mem::take(&mut arguments.marked);
        if marked.is_empty() {
            return;
        }
        let start = b.emit(Op::GlobalAddress(arguments.values), Type::ptr(Space::Local));
        let offset = b.load(Type::I32, arguments.next, 4);
        let place = b.ptr_add(start, offset, 1);
        let index = b.emit(Op::Input { input: Input::LocalInvocationIndex, dim: 0 }, Type::I32);
        let is_first = b.compare_int(CompareOp::Eq, index, 0);
        if_true(b, is_first, |b| {
            for (at, (value, _)) in (0..).step_by(8).zip(&marked) {
                let place = b.offset(place, at);
                b.store(place, *value, 8);
            }
        });
        let mut values = Vec::new();
        for (value, number) in marked {
            let site = AccessSite { variable: number.to_string(), ..AccessSite::default() };
            values.push((value, self.new_site(b, Check::GroupArgument, site, None)));
        }
        if let Some(arguments) = &mut self.arguments {
            arguments.current = Some((place, values));
        }
    }

    /// Compares the values with those of the first work-item behind a barrier that all have reached.
    pub(super) fn compare_arguments(&mut self, b: &mut Builder<'_>) {
        let (Some(arguments), Some(barriers)) = (&mut self.arguments, &self.barriers) else { return };
        let Some((place, values)) = arguments.current.take() else { return };
        let is_astray = barriers.is_astray(b);
        for (at, (value, site)) in (0..).step_by(8).zip(values) {
            let place = b.offset(place, at);
            let first = b.load(Type::I64, place, 8);
            let same = b.compare(CompareOp::Eq, value, first);
            let good = b.binary(BinaryOp::Or, same, is_astray);
            let site = b.int(Type::I32, site.into());
            self.plan.recorder.record_unless(b, good, [value, first, site]);
        }
        let offset = b.load(Type::I32, arguments.next, 4);
        let other = b.binary_int(BinaryOp::Xor, offset, arguments.half);
        b.store(arguments.next, other, 4);
    }
}
