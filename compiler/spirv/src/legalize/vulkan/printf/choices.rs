//! Calls of `printf` whose format is chosen among several literals at run time. They become a choice among calls, each
//! with one literal. Sources rarely contain such calls, but optimisers merge several calls into one.

use super::{Literal, stepped, string, string_at};
use clforge_ir::*;
use rustc_hash::FxHashSet;
use typed_index_collections::TiSlice;

/// Most literals that a format may be.
const MAX_LITERALS: usize = 16;
/// Most values between a format and its literals.
const MAX_VALUES: usize = 256;

/// Replaces the calls of a function whose formats are one of several literals.
pub fn split(function: &mut Function, globals: &TiSlice<GlobalId, Global>) {
    function.insert_before_each(|function, id, before| {
        let Op::Intrinsic { function: Intrinsic::Printf, args } = function.inst(id).op.clone() else { return };
        let Some(format) = args.first().filter(|format| string(function, globals, **format).is_none()) else { return };
        let Some(literals) = literals(function, globals, *format) else { return };
        let region = function.new_region();
        let mut b = Builder::at(function, region);
        choose(&mut b, &args, &literals);
        before.append(&mut function.region_mut(region).insts);
        // The last instruction has the result; the call takes its place.
        if let Some(last) = before.pop() {
            let op = std::mem::replace(&mut function.inst_mut(last).op, Op::Unreachable);
            function.inst_mut(id).op = op;
        }
    });
}

/// The literals that a value is one of.
fn literals(function: &Function, globals: &TiSlice<GlobalId, Global>, format: Value) -> Option<Vec<Literal>> {
    let (mut found, mut seen, mut open) = (Vec::new(), FxHashSet::default(), vec![(format, 0)]);
    while let Some((value, offset)) = open.pop() {
        if !seen.insert((value, offset)) {
            continue;
        }
        let ValueDef::Inst(inst, index) = function.def(value) else { return None };
        match &function.inst(*inst).op {
            Op::GlobalAddress(global) => {
                string_at(globals, (*global, offset))?;
                if !found.contains(&(*global, offset)) {
                    found.push((*global, offset));
                }
            }
            Op::Select { if_true, if_false, .. } => open.extend([(*if_false, offset), (*if_true, offset)]),
            Op::If { then, otherwise, .. } => {
                for region in [otherwise, then] {
                    open.extend(yielded(function, *region, *index)?.map(|value| (value, offset)));
                }
            }
            Op::Switch { cases, .. } => {
                for case in cases {
                    open.extend(yielded(function, case.region, *index)?.map(|value| (value, offset)));
                }
            }
            op => open.push(stepped(function, op, offset)?),
        }
        if found.len() > MAX_LITERALS || seen.len() > MAX_VALUES {
            return None;
        }
    }
    Some(found)
}

/// What a region gives as a result, or nothing where control leaves it in another way; `None` where that is not known.
fn yielded(function: &Function, region: RegionId, index: u32) -> Option<Option<Value>> {
    match function.terminator(region)? {
        Op::Yield(values) => values.get(usize::try_from(index).ok()?).map(|value| Some(*value)),
        _ => Some(None),
    }
}

/// Appends a call for each literal, and the choice among them by the address of the format.
fn choose(b: &mut Builder<'_>, args: &Values, literals: &[Literal]) -> Option<Value> {
    let ([format, ..], [(global, offset), rest @ ..]) = (&args[..], literals) else { return None };
    let address = b.emit(Op::GlobalAddress(*global), b.ty(*format));
    let address = b.offset(address, *offset);
    if rest.is_empty() {
        let mut args = args.clone();
        args[0] = address;
        return b.push(Op::Intrinsic { function: Intrinsic::Printf, args }, &[Type::I32]).first().copied();
    }
    let condition = b.compare(CompareOp::Eq, *format, address);
    let mut nested = |literals: &[Literal]| {
        b.nested(|b| {
            let values = choose(b, args, literals).into_iter().collect();
            b.effect(Op::Yield(values));
        })
    };
    let (then, otherwise) = (nested(&[(*global, *offset)]), nested(rest));
    b.push(Op::If { condition, then, otherwise }, &[Type::I32]).first().copied()
}
