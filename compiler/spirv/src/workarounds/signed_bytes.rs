//! `workarounds/signed_bytes`: replaces the sign extension of bytes that are then used as unsigned integers
//! ([`Workarounds::NVIDIA_SIGNED_BYTES`](clforge_basic::workarounds::Workarounds)).

use super::bits::{Insert, extended_by_shifts, field};
use crate::legalize::LAST;
use clforge_ir::analysis::{flows, spread};
use clforge_ir::expand::append;
use clforge_ir::pass::{Changed, FunctionContext, FunctionPass, Order};
use clforge_ir::*;
use typed_index_collections::{TiVec, ti_vec};

/// The pass. A lane of a vector of bytes that is sign-extended is converted to a floating type as a signed integer, also where it
/// is converted or divided as an unsigned one. Where that can be, the byte is taken as an unsigned field, by which the driver does
/// not see that it is a lane, and that is extended by shifts; [`super::narrow_negation::NarrowNegation`], which runs later, may extend it by
/// arithmetic instead, which is right of a field. The field hides a negative too. Bytes are not followed through memory: of those
/// that are loaded one by one none was wrong.
pub struct SignedBytes;

impl FunctionPass for SignedBytes {
    fn name(&self) -> &'static str {
        "workarounds/signed_bytes"
    }

    fn order(&self) -> Order {
        Order { before: &["workarounds/narrow_negation"], ..LAST }
    }

    fn run(&self, function: &mut Function, _: &FunctionContext<'_>) -> Changed {
        if !function.insts.iter().any(|inst| extended_byte(function, inst).is_some()) {
            return Changed::No;
        }
        let unsigned = unsigned_values(function);
        let mut changed = Changed::No;
        function.insert_before_each(|function, id, before| {
            let inst = function.inst(id);
            let Some(byte) = extended_byte(function, inst) else { return };
            let (result, span) = (inst.results[0], inst.span);
            if unsigned[result] {
                changed = Changed::Maybe;
                extend(function, id, byte, &mut |function, op, ty| append(function, before, (op, ty, span)));
            }
        });
        changed
    }
}

/// What is sign-extended from 8 bits to 32 by an instruction: a byte, or an integer of 32 bits of which it is the low one.
fn extended_byte(function: &Function, inst: &Inst) -> Option<Value> {
    let result = inst.results.first()?;
    match inst.op {
        Op::Convert { op: ConvertOp::SExt, operand } => {
            let is_byte = function.ty(operand).scalar == ScalarType::I8;
            (is_byte && function.ty(*result).scalar == ScalarType::I32).then_some(operand)
        }
        _ => extended_by_shifts(function, &inst.op).filter(|(_, bits)| *bits == 8).map(|(whole, _)| whole),
    }
}

/// For each value whether it, zero-extended, in other lanes or inverted, may be converted to a floating type or divided as an
/// unsigned integer.
fn unsigned_values(function: &Function) -> TiVec<Value, bool> {
    let mut unsigned = ti_vec![false; function.value_count()];
    for inst in &function.insts {
        match inst.op {
            Op::Convert { op: ConvertOp::UToF, operand } => unsigned[operand] = true,
            Op::Binary { op: BinaryOp::UDiv | BinaryOp::URem, lhs, rhs } => {
                unsigned[lhs] = true;
                unsigned[rhs] = true;
            }
            _ => {}
        }
    }
    // Inverted too, since the driver removes two inversions.
    let mut flows = flows(function, &|op| {
        matches!(
            op,
            Op::Convert { op: ConvertOp::ZExt, .. }
                | Op::Unary { op: UnaryOp::Not, .. }
                | Op::Binary { op: BinaryOp::Xor, .. }
        )
    });
    // From uses to definitions.
    flows.iter_mut().for_each(|(from, to)| std::mem::swap(from, to));
    spread(&mut unsigned, flows);
    unsigned
}

/// Makes `id` the sign extension of the low byte of `whole` by shifts.
fn extend(function: &mut Function, id: InstId, whole: Value, insert: Insert<'_>) {
    let word = function.ty(function.inst(id).results[0]);
    let whole = if function.ty(whole) == word {
        whole
    } else {
        insert(function, Op::Convert { op: ConvertOp::ZExt, operand: whole }, word)
    };
    let byte = field(function, Intrinsic::BitFieldUExtract, (whole, 0, 8));
    let byte = insert(function, byte, word);
    let by = function.constant(Constant::int(word, 24));
    let lhs = insert(function, Op::Binary { op: BinaryOp::Shl, lhs: byte, rhs: by }, word);
    function.inst_mut(id).op = Op::Binary { op: BinaryOp::AShr, lhs, rhs: by };
}
