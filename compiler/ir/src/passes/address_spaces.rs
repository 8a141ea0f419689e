//! `address_spaces`: generic pointers that can only point into one address space become pointers of that space.
//!
//! A value's space is inferred from its definition: casts, `ptr_add`, `select`, and the results and parameters of
//! structured operations. Null and undefined pointers fit every space. A pointer that comes from memory, a call, a
//! parameter of the function or an integer stays generic. Where a pointer with an inferred space is used as a generic
//! one, a cast is inserted. A cast of a pointer that already has a space stays unchanged for the uses that need a
//! generic pointer; the other uses use the pointer itself. So a second run of this pass does not count the casts of the
//! first one as changes.

use crate::analysis::{Targets, edges, nested, receivers};
use crate::pass::{Changed, FunctionContext, FunctionPass, Order};
use crate::*;
use rustc_hash::FxHashSet;
use typed_index_collections::{TiVec, ti_vec};

/// Where a generic pointer may point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reach {
    /// Nothing was seen yet: null, undefined, or never reached.
    Nothing,
    Only(Space),
    Anything,
}

impl Reach {
    fn join(self, other: Reach) -> Reach {
        match (self, other) {
            (Reach::Nothing, other) => other,
            (this, Reach::Nothing) => this,
            (Reach::Only(a), Reach::Only(b)) if a == b => self,
            _ => Reach::Anything,
        }
    }
}

/// The pass.
pub struct AddressSpaces;

impl FunctionPass for AddressSpaces {
    fn name(&self) -> &'static str {
        "address_spaces"
    }

    fn order(&self) -> Order {
        Order { after: &["mem2reg"], ..Order::ANY }
    }

    fn run(&self, function: &mut Function, _: &FunctionContext<'_>) -> Changed {
        if infer(function) { Changed::Maybe } else { Changed::No }
    }
}

/// Whether anything changed.
fn infer(function: &mut Function) -> bool {
    if function.is_declaration() || !function.values().any(|value| function.ty(value).is_generic()) {
        return false;
    }
    let mut reach: TiVec<Value, Reach> = ti_vec![Reach::Anything; function.value_count()];
    for (value, reach) in reach.iter_mut_enumerated() {
        let starts_unknown = match function.def(value) {
            ValueDef::Constant(_) => match function.as_constant(value) {
                Some(Constant::Undef(_)) => true,
                constant => constant.and_then(Constant::splat_bits) == Some(0),
            },
            ValueDef::RegionParam(_) => true,
            ValueDef::Inst(inst, _) => followed(&function.inst(*inst).op),
            ValueDef::FunctionParam(_) => false,
        };
        if function.ty(value).is_generic() && starts_unknown {
            *reach = Reach::Nothing;
        }
    }
    let mut spaces = Spaces { function, reach, changed: true };
    // Each round can only lower values, twice at most; nested loops settle in a few rounds.
    while std::mem::take(&mut spaces.changed) {
        spaces.region(spaces.function.body, &Targets::default());
    }
    let reach = spaces.reach;
    let resolved = |value: Value| match reach[value] {
        Reach::Only(space) if cast_of_a_space(function, value).is_none() => Some(space),
        _ => None,
    };
    let space: TiVec<Value, Option<Space>> = reach.keys().map(resolved).collect();
    let changed = space.iter().any(Option::is_some);
    let replaced = ti_vec![None; space.len()];
    let mut rewrite = Retype { function, space, replaced, used_as_generic: FxHashSet::default(), changed };
    let body = rewrite.function.body;
    rewrite.region(body, &Targets::default());
    rewrite.remove_unused_casts(body);
    for (value, space) in rewrite.space.iter_enumerated() {
        if let Some(space) = space {
            let ty = rewrite.function.ty(value).in_space(*space);
            rewrite.function.set_type(value, ty);
        }
    }
    rewrite.changed
}

/// The pointer of a known space that `value` is the generic form of.
fn cast_of_a_space(function: &Function, value: Value) -> Option<Value> {
    let ValueDef::Inst(inst, _) = function.def(value) else { return None };
    match &function.inst(*inst).op {
        Op::Convert { op: ConvertOp::PtrCast, operand } if function.ty(value).is_generic() => {
            let space = function.ty(*operand).space()?;
            (space != Space::Generic).then_some(*operand)
        }
        _ => None,
    }
}

/// Whether the space of an operation's results follows from its operands.
fn followed(op: &Op) -> bool {
    matches!(
        op,
        Op::Convert { op: ConvertOp::PtrCast, .. }
            | Op::PtrAdd { .. }
            | Op::Select { .. }
            | Op::If { .. }
            | Op::Switch { .. }
            | Op::Loop { .. }
    )
}

struct Spaces<'f> {
    function: &'f Function,
    reach: TiVec<Value, Reach>,
    changed: bool,
}

impl Spaces<'_> {
    fn region(&mut self, region: RegionId, targets: &Targets) {
        let function = self.function;
        for id in &function.region(region).insts {
            let inst = function.inst(*id);
            edges(function, inst, targets, &mut |from, to| {
                if function.ty(from).is_generic() {
                    let reach = self.reach[from];
                    self.flow(reach, to);
                }
            });
            if let (Op::Convert { op: ConvertOp::PtrCast, operand: a }, [result]) = (&inst.op, &inst.results[..]) {
                match function.ty(*a).space() {
                    Some(Space::Generic) => self.flow(self.reach[*a], *result),
                    Some(space) => self.flow(Reach::Only(space), *result),
                    None => {}
                }
            }
            for (region, targets) in nested(function, inst, targets) {
                self.region(region, &targets);
            }
        }
    }

    fn flow(&mut self, reach: Reach, to: Value) {
        let at = &mut self.reach[to];
        let joined = at.join(reach);
        self.changed |= joined != *at;
        *at = joined;
    }
}

struct Retype<'f> {
    function: &'f mut Function,
    /// The space that each value of generic type gets.
    space: TiVec<Value, Option<Space>>,
    /// Removed casts, and the values that replace them.
    replaced: TiVec<Value, Option<Value>>,
    /// Values that some use needs as a generic pointer.
    used_as_generic: FxHashSet<Value>,
    changed: bool,
}

impl Retype<'_> {
    fn space(&self, value: Value) -> Option<Space> {
        self.space.get(value).copied().flatten()
    }

    /// The type a value will have.
    fn ty(&self, value: Value) -> Type {
        let ty = self.function.ty(value);
        self.space(value).map_or(ty, |space| ty.in_space(space))
    }

    /// `value`, or the pointer that it is the generic form of.
    fn source(&self, value: Value) -> Value {
        cast_of_a_space(self.function, value).unwrap_or(value)
    }

    fn region(&mut self, region: RegionId, targets: &Targets) {
        let insts = std::mem::take(&mut self.function.region_mut(region).insts);
        let mut out = Vec::with_capacity(insts.len());
        for id in insts {
            self.inst(id, targets, &mut out);
            let inst = self.function.inst(id).clone();
            for (region, targets) in nested(self.function, &inst, targets) {
                self.region(region, &targets);
            }
        }
        self.function.region_mut(region).insts = out;
    }

    fn inst(&mut self, id: InstId, targets: &Targets, out: &mut Vec<InstId>) {
        let mut inst = self.function.inst(id).clone();
        // Before casts are gone from the operands, whose types say what was wanted.
        let wanted = self.wanted(&inst, targets);
        let mut index = 0;
        inst.op.for_each_operand_mut(|value| {
            if let Some(Some(new)) = self.replaced.get(*value) {
                *value = *new;
            }
            if wanted.get(index).copied().flatten().is_some_and(Type::is_generic) {
                self.used_as_generic.insert(*value);
            } else {
                let source = self.source(*value);
                self.changed |= source != *value;
                *value = source;
            }
            index += 1;
        });
        if let (Op::Convert { op: op @ (ConvertOp::PtrCast | ConvertOp::PtrCastChecked), operand: a }, [result]) =
            (&inst.op, &inst.results[..])
        {
            let (from, to) = (self.ty(*a), self.ty(*result));
            if from == to {
                self.changed = true;
                self.replaced[*result] = Some(*a);
                return;
            }
            // A checked cast to a space that the pointer is not in gives null; an unchecked one is undefined, so null will do.
            if !from.is_generic() && (*op == ConvertOp::PtrCastChecked || !to.is_generic()) {
                self.changed = true;
                self.replaced[*result] = Some(self.function.int(to, 0));
                return;
            }
        }
        let mut index = 0;
        let mut op = inst.op;
        op.for_each_operand_mut(|value| {
            if let Some(ty) = wanted.get(index).copied().flatten()
                && self.ty(*value) != ty
            {
                *value = self.cast(*value, ty, inst.span, out);
            }
            index += 1;
        });
        self.function.inst_mut(id).op = op;
        out.push(id);
    }

    /// Removes the casts whose uses all took the pointer itself: to `mem2reg` even an unused one lets the variable escape.
    fn remove_unused_casts(&mut self, region: RegionId) {
        let mut insts = std::mem::take(&mut self.function.region_mut(region).insts);
        insts.retain(|id| {
            for region in self.function.inst(*id).op.regions() {
                self.remove_unused_casts(region);
            }
            let inst = self.function.inst(*id);
            let [result] = inst.results[..] else { return true };
            cast_of_a_space(self.function, result).is_none() || self.used_as_generic.contains(&result)
        });
        self.function.region_mut(region).insts = insts;
    }

    /// The types that the operands must have, in order; `None` where any pointer will do.
    fn wanted(&self, inst: &Inst, targets: &Targets) -> Vec<Option<Type>> {
        let generic = |value: Value| Some(self.function.ty(value)).filter(|ty| ty.is_generic());
        let mut wanted = Vec::new();
        match &inst.op {
            // Through these a pointer of any space may go as it is.
            Op::Load { .. } | Op::Matrix(_) => return wanted,
            Op::Convert { op: ConvertOp::PtrCast | ConvertOp::PtrCastChecked, .. } => return wanted,
            Op::Store { value, .. } => return vec![None, generic(*value)],
            Op::Compare { lhs, rhs, .. } => {
                if let Some(common) = self.common(*lhs, *rhs) {
                    return vec![Some(common); 2];
                }
            }
            Op::Atomic { operands, .. } => {
                wanted.push(None);
                wanted.extend(operands.iter().map(|value| generic(*value)));
                return wanted;
            }
            Op::Select { .. } | Op::PtrAdd { .. } => {
                let ty = inst.results.first().map(|result| self.ty(*result)).filter(|ty| ty.space().is_some());
                inst.op.for_each_operand(|value| wanted.push(ty.filter(|_| self.function.ty(value).space().is_some())));
                return wanted;
            }
            _ => {}
        }
        let (before, to) = receivers(self.function, &inst.op, targets);
        inst.op.for_each_operand(|value| {
            let to = wanted.len().checked_sub(before).and_then(|index| to.get(index));
            wanted.push(match to {
                Some(to) if self.function.ty(value).space().is_some() => Some(self.ty(*to)),
                _ => generic(value),
            });
        });
        wanted
    }

    /// The space two compared pointers have in common; null has every one.
    fn common(&self, a: Value, b: Value) -> Option<Type> {
        let is_null = |value: Value| self.function.as_constant(value).is_some();
        let (x, y) = (self.ty(self.source(a)), self.ty(self.source(b)));
        x.space()?;
        match (is_null(a), is_null(b)) {
            (true, false) => Some(y),
            (false, true) => Some(x),
            _ => (x == y).then_some(x),
        }
    }

    /// A pointer as one of another space.
    fn cast(&mut self, value: Value, ty: Type, span: clforge_basic::source::Span, out: &mut Vec<InstId>) -> Value {
        match self.function.as_constant(value) {
            Some(Constant::Undef(_)) => return self.function.undef(ty),
            Some(constant) if constant.splat_bits() == Some(0) => return self.function.int(ty, 0),
            _ => {}
        }
        let cast = self.function.new_inst(Op::Convert { op: ConvertOp::PtrCast, operand: value }, &[ty], span);
        out.push(cast);
        self.function.inst(cast).results[0]
    }
}

#[cfg(test)]
mod tests {
    use crate::interpret::Machine;
    use crate::{Module, print, read, verify};

    /// The text after the pass; it must verify and compute what it computed before.
    fn after(text: &str, arguments: &[&[u64]]) -> String {
        let before = read::read(text).expect("the program");
        let mut module: Module = before.clone();
        for function in &mut module.functions {
            super::infer(function);
        }
        verify::verify(&module, verify::Dialect::Core).expect("the contract");
        let mut again = module.clone();
        assert!(!again.functions.iter_mut().any(super::infer), "nothing is left to infer");
        assert_eq!(print::print(&again), print::print(&module));
        for arguments in arguments {
            let expected = Machine::new(&before).run("f", arguments);
            assert_eq!(Machine::new(&module).run("f", arguments), expected);
        }
        print::print(&module)
    }

    #[test]
    fn pointers_of_one_space_get_it_through_choices_and_loops() {
        let text = after(
            r#"func @f(%0: i32) -> i32 {
  %1: ptr.private = alloca size 16 align 4
  %2: ptr.private = alloca size 16 align 4
  store align 4 %1, i32 11
  %3: ptr.private = ptr_add %1 [4]
  store align 4 %3, i32 22
  store align 4 %2, i32 33
  %4: ptr.private = ptr_add %2 [4]
  store align 4 %4, i32 44
  %5: ptr.generic = ptr_cast %1
  %6: ptr.generic = ptr_cast %2
  %7: bool = slt %0, i32 2
  %8: ptr.generic = if %7 {
    yield %5
  } else {
    yield %6
  }
  %9: ptr.generic = select %7, %8, %6
  %10: ptr.generic = loop (%9) (%11: ptr.generic) {
    %12: ptr.generic = ptr_add %11 [4]
    break %12
  } continuing {
    next %9
  }
  %13: bool = ne %10, ptr.generic 0
  %14: i32 = load align 4 %10
  %15: i32 = select %13, %14, i32 0
  return %15
}
"#,
            &[&[1], &[5]],
        );
        assert!(!text.contains("generic"), "{text}");
        assert!(!text.contains("ptr_cast"), "{text}");
    }

    #[test]
    fn pointers_of_two_spaces_stay_generic() {
        let text = after(
            r#"global @g0 "there" global size 4 align 4 init "07000000"
func @f(%0: i32) -> i32 {
  %1: ptr.private = alloca size 4 align 4
  store align 4 %1, i32 5
  %2: ptr.generic = ptr_cast %1
  %3: ptr.global = address @g0
  %4: ptr.generic = ptr_cast %3
  %5: bool = slt %0, i32 2
  %6: ptr.generic = select %5, %2, %4
  %7: i32 = load align 4 %6
  %8: i32 = load align 4 %2
  %9: i32 = add %7, %8
  return %9
}
"#,
            &[&[1], &[5]],
        );
        assert!(text.contains("ptr.generic = select"), "{text}");
        assert!(text.contains("load align 4 %1\n"), "what has one space is accessed there: {text}");
    }

    #[test]
    fn a_cast_stays_for_the_uses_that_need_it() {
        let text = after(
            r#"func @f(%0: i32) -> i32 {
  %1: ptr.private = alloca size 16 align 8
  %2: ptr.private = alloca size 4 align 4
  store align 4 %2, i32 9
  %3: ptr.generic = ptr_cast %2
  store align 8 %1, %3
  %4: bool = slt %0, i32 2
  %5: ptr.generic = select %4, %3, %3
  store align 8 %1, %5
  %6: i32 = load align 4 %3
  return %6
}
"#,
            &[&[1]],
        );
        assert!(text.contains("load align 4 %2\n"), "{text}");
        assert_eq!(text.matches("ptr_cast").count(), 2, "one for each definition that is stored: {text}");
    }

    #[test]
    fn a_selector_may_be_an_input_too() {
        let text = after(
            r#"func @f(%0: i32) -> i32 {
  %1: ptr.private = alloca size 4 align 4
  store align 4 %1, i32 5
  %2: ptr.generic = ptr_cast %1
  %3: i32 = switch %0 (%2, %0) case 1 (%4: ptr.generic, %5: i32) {
    %6: i32 = load align 4 %4
    break %6
  } case default (%7: ptr.generic, %8: i32) {
    break %8
  }
  return %3
}
"#,
            &[&[1], &[7]],
        );
        assert!(!text.contains("generic"), "{text}");
    }

    #[test]
    fn what_leaves_the_function_is_generic() {
        let text = after(
            r#"func @f(%0: i32) -> i64 {
  %1: ptr.private = alloca size 8 align 8
  %2: ptr.private = alloca size 4 align 4
  %3: ptr.generic = ptr_cast %2
  store align 8 %1, %3
  %4: ptr.generic = load align 8 %1
  %5: bool = eq %4, %3
  %6: i64 = zext %5
  return %6
}
"#,
            &[&[1]],
        );
        assert!(text.contains("ptr.generic = ptr_cast"), "{text}");
    }
}
