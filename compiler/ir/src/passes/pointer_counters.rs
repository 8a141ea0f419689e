//! `pointer_counters` replaces a pointer into private or local memory that a loop advances by a constant with an index:
//!
//! ```text
//! for (…; p += 8) { … p[1] … }
//! ```
//!
//! accesses `first[8 * k + 1]` with a counter `k`, where `first` is what `p` is before the loop. LLVM's `indvars` does
//! the opposite of such loops, its `loop-reduce`, late. `unroll_arrays` needs the indices to find the loops whose
//! unrolling makes them constants. `mem2reg` needs an object whose address is not carried by a loop, and so does the
//! legalization for Vulkan to give an object a variable of its own, whose elements have the type of the accesses: one whose
//! address is carried is in an array of words, where a store of a byte is two atomic operations.

use crate::analysis::Substitution;
use crate::pass::{Changed, FunctionContext, FunctionPass, Order};
use crate::*;

/// The pass. Pointers that are carried without being used any more are left to `dead_code`.
pub struct PointerCounters;

impl FunctionPass for PointerCounters {
    fn name(&self) -> &'static str {
        "pointer_counters"
    }

    fn order(&self) -> Order {
        Order { after: &["mem2reg", "dead_code"], before: &["vulkan/memory"], ..Order::ANY }
    }

    fn run(&self, function: &mut Function, _: &FunctionContext<'_>) -> Changed {
        let mut loops = Vec::new();
        function.walk_body(|id, inst| {
            if let Op::Loop { inits, .. } = &inst.op
                && inits.iter().any(|init| is_counted(function, *init))
            {
                loops.push(id);
            }
        });
        let mut changed = Changed::No;
        for id in loops {
            let Op::Loop { inits, body, continuing, .. } = function.inst(id).op.clone() else { continue };
            for index in (0..inits.len()).filter(|index| is_counted(function, inits[*index])).collect::<Vec<_>>() {
                if let Some(advance) = Advance::of(function, (body, continuing), index) {
                    count(function, id, index, advance);
                    changed = Changed::Maybe;
                }
            }
        }
        changed
    }
}

fn is_counted(function: &Function, value: Value) -> bool {
    matches!(function.ty(value).space(), Some(Space::Private | Space::Local))
}

/// By how many bytes a pointer advances in each iteration.
#[derive(Clone, Copy)]
struct Advance {
    in_body: i64,
    in_step: i64,
}

impl Advance {
    /// That of the pointer at `index` among what a loop carries; `None` if it does not always advance by the same.
    fn of(function: &Function, (body, continuing): (RegionId, RegionId), index: usize) -> Option<Advance> {
        let (Op::Next(next) | Op::NextIf { next, .. }) = function.terminator(continuing)? else { return None };
        let in_step = displacement(function, *next.get(index)?, function.region(continuing).params[index])?;
        let mut continued = Vec::new();
        continues(function, body, &mut |values| continued.push(values.get(index).copied()));
        let first = (*continued.first()?)?;
        if continued.iter().any(|other| *other != Some(first)) {
            return None;
        }
        let in_body = displacement(function, first, function.region(body).params[index])?;
        Some(Advance { in_body, in_step })
    }
}

/// The constant that was added to a pointer.
fn displacement(function: &Function, value: Value, base: Value) -> Option<i64> {
    match function.op(value) {
        _ if value == base => Some(0),
        Some(Op::PtrAdd { base: of, index: None, displacement, .. }) if *of == base => Some(*displacement),
        _ => None,
    }
}

/// Calls `visit` with what each `continue` of a loop passes on.
fn continues(function: &Function, region: RegionId, visit: &mut dyn FnMut(&Values)) {
    for id in &function.region(region).insts {
        match &function.inst(*id).op {
            Op::Continue(values) => visit(values),
            Op::Loop { .. } => {}
            op => op.regions().into_iter().for_each(|nested| continues(function, nested, visit)),
        }
    }
}

/// The same, to change it.
fn continues_mut(function: &mut Function, region: RegionId, change: &mut dyn FnMut(&mut Values)) {
    for id in function.region(region).insts.clone() {
        match &mut function.inst_mut(id).op {
            Op::Continue(values) => change(values),
            Op::Loop { .. } => {}
            op => op.regions().into_iter().for_each(|nested| continues_mut(function, nested, change)),
        }
    }
}

/// Replaces the pointer at `index` among what a loop carries.
fn count(function: &mut Function, id: InstId, index: usize, Advance { in_body, in_step }: Advance) {
    let Op::Loop { mut inits, body, continuing, hint } = function.inst(id).op.clone() else { return };
    let first = inits[index];
    inits.push(function.int(Type::I32, 0));
    function.inst_mut(id).op = Op::Loop { inits, body, continuing, hint };
    let stride = in_body.wrapping_add(in_step);
    let [in_iteration, ended] = [(body, 0), (continuing, in_body)].map(|(region, displacement)| {
        let pointer = function.region(region).params[index];
        let counter = function.add_region_param(region, Type::I32);
        let start = function.new_region();
        let indexed = Op::PtrAdd { base: first, index: Some(counter), stride, displacement };
        let ty = function.ty(first);
        let new = Builder::at(function, start).emit(indexed, ty);
        let insts = function.region(region).insts.clone();
        let mut replaced = Substitution::default();
        replaced.insert(pointer, new);
        replaced.apply_nested(function, &insts);
        let mut list = std::mem::take(&mut function.region_mut(start).insts);
        list.extend(insts);
        function.region_mut(region).insts = list;
        counter
    });
    continues_mut(function, body, &mut |values| values.push(in_iteration));
    let Some(last) = function.region_mut(continuing).insts.pop() else { return };
    let next_counter = Builder::at(function, continuing).binary_int(BinaryOp::Add, ended, 1);
    if let Op::Next(next) | Op::NextIf { next, .. } = &mut function.inst_mut(last).op {
        next.push(next_counter);
    }
    function.region_mut(continuing).insts.push(last);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interpret::Machine;
    use crate::passes::testing::run;
    use crate::passes::{DeadCode, Mem2Reg};
    use crate::read::read;

    /// Writes 1, 2, 3, … into an array of eight words by a pointer that a loop advances, and adds up every other one.
    const TEXT: &str = "func @f(%0: i32) -> i32 {
  %1: ptr.private = alloca size 32 align 4
  loop (%1, i32 0) (%2: ptr.private, %3: i32) {
    %4: i32 = add %3, %0
    store align 4 %2, %4
    continue %2, %3
  } continuing (%5: ptr.private, %6: i32) {
    %7: ptr.private = ptr_add %5 [4]
    %8: i32 = add %6, i32 1
    %9: bool = slt %8, i32 8
    next_if %9 (%7, %8) ()
  }
  %10: i32 = loop (%1, i32 0, i32 0) (%11: ptr.private, %12: i32, %13: i32) {
    %14: i32 = load align 4 %11
    %15: i32 = add %13, %14
    %16: ptr.private = ptr_add %11 [8]
    %17: bool = eq %12, i32 3
    if %17 {
      break %15
    } else {
      yield
    }
    continue %16, %12, %15
  } continuing (%18: ptr.private, %19: i32, %20: i32) {
    %21: i32 = add %19, i32 1
    next %18, %21, %20
  }
  return %10
}
";

    #[test]
    fn pointers_become_indices() {
        let mut module = read(TEXT).expect("it reads");
        let sum = |module: &Module| Machine::new(module).run("f", &[10]).expect("a result")[0];
        // 10 + 12 + 14 + 16.
        assert_eq!(sum(&module), 52);
        run(&mut module, &[&PointerCounters, &DeadCode]);
        assert_eq!(sum(&module), 52);
        let function = &module.functions[FunctionId::from(0)];
        let carried = function.insts.iter().filter(|inst| match &inst.op {
            Op::Loop { inits, .. } => inits.iter().any(|init| is_counted(function, *init)),
            _ => false,
        });
        assert_eq!(carried.count(), 0, "{}", crate::print::print(&module));
        run(&mut module, &[&Mem2Reg]);
        assert_eq!(sum(&module), 52);
    }
}
