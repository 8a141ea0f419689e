//! `workarounds/byte_swap`: the upper byte of an integer whose bytes change places is taken as a field
//! ([`Workarounds::NVIDIA_BYTE_SWAP`](clforge_basic::workarounds::Workarounds)).

use super::{append, field, flows, spread};
use clforge_basic::narrow::low_u32;
use clforge_ir::analysis::CallGraph;
use clforge_ir::pass::{Changed, Context, Pass};
use clforge_ir::*;
use rustc_hash::FxHashMap;
use typed_index_collections::{TiVec, ti_vec};

/// Bits of a byte.
const BYTE: u64 = 8;
/// Bits of an integer whose bytes change places.
const SHORT: u64 = 16;
/// Bits of an integer that has fields.
const WORD: u64 = 32;

/// The pass. The driver recognises `x << 8 | x >> 8` where 16 bits of it are stored or converted: in most spellings, also with
/// masks, among other bits, as one of two choices, by way of private objects, and in 64 bits. It does not see through a field. So a
/// shift to the right by an odd number of bytes becomes a field if its result is put together with something else that is or may
/// be shifted so. Only functions with integers of 16 bits, and those that they call, are changed, since the field hides the shift
/// from other optimisations too, such as that of a swap of four bytes.
pub struct ByteSwap;

impl<S> Pass<S> for ByteSwap {
    fn name(&self) -> &'static str {
        "workarounds/byte_swap"
    }

    fn run(&self, module: &mut Module, _: &mut Context<'_, S>) -> Result<Changed, Error> {
        let with_shorts = module.functions.iter_enumerated().filter(|(_, function)| has_shorts(function));
        let affected = CallGraph::of(module).reached_from(with_shorts.map(|(id, _)| id));
        let mut changed = Changed::No;
        for (function, affected) in module.functions.iter_mut().zip(affected) {
            if affected && function.insts.iter().any(|inst| to_the_right(function, inst).is_some()) {
                hide_bytes(function);
                changed = Changed::Maybe;
            }
        }
        Ok(changed)
    }
}

fn has_shorts(function: &Function) -> bool {
    let is_short = |result: &Value| function.ty(*result).scalar == ScalarType::I16;
    function.insts.iter().any(|inst| inst.results.iter().any(is_short))
}

/// Makes fields of shifts to the right whose results may be bytes of a swap.
fn hide_bytes(function: &mut Function) {
    let swapping = swapping(function);
    function.insert_before_each(|function, id, before| {
        let inst = function.inst(id);
        let Some(shift) = to_the_right(function, inst).filter(|_| swapping[inst.results[0]]) else { return };
        let (ty, span) = (function.ty(shift.whole), inst.span);
        let mut insert =
            |function: &mut Function, op, scalar| append(function, before, (op, ty.with_scalar(scalar), span));
        function.inst_mut(id).op = shift.by_field(function, &mut insert);
    });
}

/// Bits by which an instruction shifts an integer in either direction, if that is a constant.
fn shifted_bits(function: &Function, inst: &Inst) -> Option<u64> {
    match inst.op {
        Op::Binary { op: BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr, rhs, .. } => function.as_int(rhs),
        Op::Binary { op: BinaryOp::Mul, rhs, .. } => {
            let factor = function.as_int(rhs).filter(|factor| factor.is_power_of_two())?;
            Some(factor.trailing_zeros().into())
        }
        _ => None,
    }
}

/// Whether an instruction shifts by an odd number of bytes, or by what may be one once the driver has unrolled a loop.
fn may_shift_bytes(function: &Function, inst: &Inst) -> bool {
    match shifted_bits(function, inst) {
        Some(bits) => bits % SHORT == BYTE,
        None => matches!(inst.op, Op::Binary { op: BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr, .. }),
    }
}

/// For each value whether it becomes a part of a sum of two values that are both [shifted](may_shift_bytes), or made of such.
fn swapping(function: &Function) -> TiVec<Value, bool> {
    use BinaryOp::*;
    let mut shifted = ti_vec![false; function.value_count()];
    for inst in &function.insts {
        if may_shift_bytes(function, inst) {
            inst.results.iter().for_each(|result| shifted[*result] = true);
        }
    }
    let mut flows = flows(function, &|op| {
        matches!(
            op,
            Op::Binary { op: And | Or | Xor | Add | Shl | LShr | AShr, .. }
                | Op::Unary { op: UnaryOp::Not, .. }
                | Op::Convert { op: ConvertOp::Trunc | ConvertOp::ZExt | ConvertOp::SExt | ConvertOp::Bitcast, .. }
        )
    });
    flows.extend(through_variables(function));
    spread(&mut shifted, flows.clone());
    let mut swapping = ti_vec![false; function.value_count()];
    for inst in &function.insts {
        if let Op::Binary { op: Or | Xor | Add, lhs, rhs } = inst.op
            && shifted[lhs]
            && shifted[rhs]
        {
            swapping[lhs] = true;
            swapping[rhs] = true;
        }
    }
    // From uses to definitions.
    flows.iter_mut().for_each(|(from, to)| std::mem::swap(from, to));
    spread(&mut swapping, flows);
    swapping
}

/// As [`flows`], of what is stored in variables: by way of the first value that is loaded from each.
fn through_variables(function: &Function) -> Vec<(Value, Value)> {
    let mut flows = Vec::new();
    let mut first_loads: FxHashMap<VariableId, Value> = FxHashMap::default();
    for inst in &function.insts {
        if let (Op::VariableLoad { variable, .. }, Some(result)) = (&inst.op, inst.results.first()) {
            let first = *first_loads.entry(*variable).or_insert(*result);
            flows.push((first, *result));
        }
    }
    for inst in &function.insts {
        if let Op::VariableStore { variable, value, .. } = inst.op
            && let Some(first) = first_loads.get(&variable)
        {
            flows.push((value, *first));
        }
    }
    flows
}

/// A shift to the right by an odd number of bytes.
struct ToTheRight {
    /// What it extends by.
    extract: Intrinsic,
    whole: Value,
    by: u64,
}

fn to_the_right(function: &Function, inst: &Inst) -> Option<ToTheRight> {
    let by = shifted_bits(function, inst).filter(|by| by % SHORT == BYTE && *by < WORD)?;
    match inst.op {
        Op::Binary { op: BinaryOp::LShr, lhs: whole, .. } => {
            Some(ToTheRight { extract: Intrinsic::BitFieldUExtract, whole, by })
        }
        Op::Binary { op: BinaryOp::AShr, lhs: whole, .. } => {
            Some(ToTheRight { extract: Intrinsic::BitFieldSExtract, whole, by })
        }
        _ => None,
    }
}

impl ToTheRight {
    /// The same as a field of an integer of 32 bits. `insert` appends operations with results that have as many lanes as it.
    fn by_field(&self, function: &mut Function, insert: &mut dyn FnMut(&mut Function, Op, ScalarType) -> Value) -> Op {
        let ty = function.ty(self.whole);
        let convert = |op, operand| Op::Convert { op, operand };
        let fields = |whole, width: u64| (whole, low_u32(self.by), low_u32(width - self.by));
        match ty.scalar {
            ScalarType::I32 => field(function, self.extract, fields(self.whole, WORD)),
            ScalarType::I64 => {
                let word = insert(function, convert(ConvertOp::Trunc, self.whole), ScalarType::I32);
                let low = field(function, Intrinsic::BitFieldUExtract, fields(word, WORD));
                let low = insert(function, low, ScalarType::I32);
                let low = insert(function, convert(ConvertOp::ZExt, low), ScalarType::I64);
                // The bits that come from the upper word too.
                let shift = self.by_shift(function);
                let all = insert(function, shift, ScalarType::I64);
                let mask = function.constant(Constant::int(ty, u64::MAX << (WORD - self.by)));
                let upper = insert(function, Op::Binary { op: BinaryOp::And, lhs: all, rhs: mask }, ScalarType::I64);
                Op::Binary { op: BinaryOp::Or, lhs: upper, rhs: low }
            }
            narrow => {
                let word = insert(function, convert(ConvertOp::ZExt, self.whole), ScalarType::I32);
                let low = field(function, self.extract, fields(word, u64::from(narrow.bits())));
                convert(ConvertOp::Trunc, insert(function, low, ScalarType::I32))
            }
        }
    }

    fn by_shift(&self, function: &mut Function) -> Op {
        let op = if self.extract == Intrinsic::BitFieldUExtract { BinaryOp::LShr } else { BinaryOp::AShr };
        let rhs = function.constant(Constant::int(function.ty(self.whole), self.by));
        Op::Binary { op, lhs: self.whole, rhs }
    }
}
