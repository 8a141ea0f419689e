//! The private object that a generic pointer points into, if only one object is possible.

use clforge_ir::*;

/// The most values that are followed from a pointer.
pub(super) const MAX_STEPS: usize = 16;

/// The `alloca` and the byte of it that a generic pointer points to if its tag says that it points to private memory: the only
/// one among the pointers that it was chosen from, of which all others are pointers to memory of other spaces.
pub(super) fn only_private(function: &Function, pointer: Value) -> Option<(Value, i64)> {
    let mut found = None;
    let mut left = vec![pointer];
    for _ in 0..MAX_STEPS {
        let Some(value) = left.pop() else { return found };
        let (op, index) = match function.def(value) {
            ValueDef::Inst(id, index) => (&function.inst(*id).op, *index),
            // Null has no tag.
            ValueDef::Constant(_) if function.as_int(value) == Some(0) => continue,
            _ => return None,
        };
        match op {
            Op::Select { if_true, if_false, .. } => left.extend([*if_true, *if_false]),
            Op::If { then, otherwise, .. } => {
                for region in [then, otherwise] {
                    // A side that does not yield leaves what is around it.
                    if let Some(Op::Yield(values)) = function.terminator(*region) {
                        left.push(*values.get(index as usize)?);
                    }
                }
            }
            Op::Convert { op: ConvertOp::PtrCast, operand } => match function.ty(*operand).space()? {
                Space::Generic => left.push(*operand),
                Space::Private => {
                    let object = object(function, *operand)?;
                    if found.replace(object).is_some_and(|other| other != object) {
                        return None;
                    }
                }
                Space::Global | Space::Constant | Space::Local => {}
            },
            _ => return None,
        }
    }
    None
}

/// The `alloca` that a pointer is a constant number of bytes from, and that number.
fn object(function: &Function, mut pointer: Value) -> Option<(Value, i64)> {
    let mut sum: i64 = 0;
    for _ in 0..MAX_STEPS {
        match function.op(pointer)? {
            Op::Alloca { .. } => return Some((pointer, sum)),
            Op::PtrAdd { base, index: None, displacement, .. } => {
                sum = sum.checked_add(*displacement)?;
                pointer = *base;
            }
            _ => return None,
        }
    }
    None
}
