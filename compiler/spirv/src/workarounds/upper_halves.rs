//! `workarounds/upper_halves`: takes the lanes of the upper half of an integer that may be sign-extended and is
//! reinterpreted as a vector as bit fields, and so for lanes of vectors in private arrays that are made by shifts
//! ([`Workarounds::NVIDIA_UPPER_HALVES`](clforge_basic::workarounds::Workarounds)).

use super::bits::{Insert, any_lane, field};
use crate::legalize::LAST;
use clforge_ir::analysis::{flows, spread, through_variables};
use clforge_ir::expand::append;
use clforge_ir::pass::{Changed, FunctionContext, FunctionPass, Order};
use clforge_ir::*;
use rustc_hash::FxHashSet;
use typed_index_collections::{TiVec, ti_vec};

/// Bits of a half of a word.
const HALF: u32 = 16;

/// The pass. A `char` or `short` that is loaded by itself, sign-extended, and reinterpreted as a vector of lanes of 8 or 16 bits
/// has zeros in the upper half, if only lanes of that are used: presumably the driver takes the load for one that does not extend.
/// A field of bits 16 to 31 is not enough where the lane is extended again, so the field has bits 15 to 31 and is shifted right by
/// one. A vector that is made of shifted integers gets the same zeros once it is kept in a private array, so its lanes are hidden
/// there. Integers that are lanes of vectors that are loaded are right, but not told apart here.
pub struct UpperHalves;

impl FunctionPass for UpperHalves {
    fn name(&self) -> &'static str {
        "workarounds/upper_halves"
    }

    fn order(&self) -> Order {
        Order { after: &["strength_reduction"], ..LAST }
    }

    fn run(&self, function: &mut Function, context: &FunctionContext<'_>) -> Changed {
        let is_place = |inst| reinterpreted(function, inst).is_some() || kept_lanes(function, context, inst).is_some();
        if !function.insts.iter().any(is_place) {
            return Changed::No;
        }
        let origins = origins(function);
        let mut changed = Changed::No;
        function.insert_before_each(|function, id, before| {
            let inst = function.inst(id);
            let span = inst.span;
            let mut insert = |function: &mut Function, op, ty| append(function, before, (op, ty, span));
            if let Some(whole) = reinterpreted(function, inst).filter(|whole| origins[*whole].is_some()) {
                let ty = function.ty(inst.results[0]);
                function.inst_mut(id).op = by_fields(function, (whole, ty), &mut insert);
                changed = Changed::Maybe;
            }
            let inst = function.inst(id);
            if let Some((kept, lanes)) = kept_lanes(function, context, inst)
                && origins[lanes] == Some(Origin::Shifted)
            {
                let hidden = hide(function, lanes, &mut insert);
                let hidden = cast(function, (hidden, function.ty(kept)), &mut insert);
                if let Op::VariableStore { value, .. } = &mut function.inst_mut(id).op {
                    *value = hidden;
                }
                changed = Changed::Maybe;
            }
        });
        changed
    }
}

/// The numbers of 32 or 64 bits that an instruction reinterprets as lanes of 8 or 16.
fn reinterpreted(function: &Function, inst: &Inst) -> Option<Value> {
    let Op::Convert { op: ConvertOp::Bitcast, operand } = inst.op else { return None };
    let is_wide = matches!(function.ty(operand).scalar.bits(), 32 | 64);
    (is_wide && is_narrow(function.ty(*inst.results.first()?))).then_some(operand)
}

fn is_narrow(ty: Type) -> bool {
    matches!(ty.scalar.bits(), 8 | 16)
}

/// What an instruction stores in a private variable, and the vector of lanes of 8 or 16 bits that this is, or has the bits of.
fn kept_lanes(function: &Function, context: &FunctionContext<'_>, inst: &Inst) -> Option<(Value, Value)> {
    let Op::VariableStore { variable, value, .. } = inst.op else { return None };
    if !matches!(context.variables[variable].storage, Storage::Function | Storage::Private) {
        return None;
    }
    let lanes = match function.op(value) {
        Some(Op::Convert { op: ConvertOp::Bitcast, operand }) if !is_narrow(function.ty(value)) => *operand,
        _ => value,
    };
    let ty = function.ty(lanes);
    (ty.is_vector() && is_narrow(ty)).then_some((value, lanes))
}

/// What a value is or may be made of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Origin {
    /// An integer of no more than 16 bits that is sign-extended.
    Extended,
    /// One that is shifted to the right then.
    Shifted,
}

/// For each value what it may be made of. What other functions compute may be sign-extended.
fn origins(function: &Function) -> TiVec<Value, Option<Origin>> {
    let mut origins = ti_vec![None; function.value_count()];
    function.params.iter().for_each(|param| origins[*param] = Some(Origin::Extended));
    let is_alone = function.kernel.is_some() && !function.insts.iter().any(|inst| matches!(inst.op, Op::Call { .. }));
    for inst in &function.insts {
        let is_foreign = match inst.op {
            Op::Call { .. } => true,
            Op::VariableLoad { .. } => !is_alone,
            _ => false,
        };
        if is_foreign || is_extension(function, &inst.op) {
            inst.results.iter().for_each(|result| origins[*result] = Some(Origin::Extended));
        }
    }
    let flows = flows_of_bits(function);
    spread(&mut origins, flows.clone());
    for inst in &function.insts {
        if let (Op::Binary { op: BinaryOp::LShr | BinaryOp::AShr, lhs, .. }, Some(result)) =
            (&inst.op, inst.results.first())
            && origins[*lhs].is_some()
        {
            origins[*result] = Some(Origin::Shifted);
        }
    }
    spread(&mut origins, flows);
    origins
}

/// The pairs of values of which the second has bits of the first one, also rotated. The driver does not see through sums, inversions
/// and exclusive ors: their upper halves are right.
fn flows_of_bits(function: &Function) -> Vec<(Value, Value)> {
    use BinaryOp::*;
    let mut flows = flows(function, &|op| match *op {
        Op::Binary { op: And | Or | Shl | LShr | AShr, .. } => true,
        Op::Binary { op: Mul, rhs, .. } => any_lane(function, rhs, u64::is_power_of_two) == Some(true),
        Op::Convert { op, .. } => !matches!(op, ConvertOp::UToF | ConvertOp::FToU),
        _ => false,
    });
    let mut counts = FxHashSet::default();
    for inst in &function.insts {
        if let (Op::Binary { op: Shl | LShr | AShr, lhs, rhs }, Some(result)) = (&inst.op, inst.results.first())
            && lhs != rhs
        {
            counts.insert((*rhs, *result));
        }
    }
    flows.retain(|flow| !counts.contains(flow));
    flows.extend(through_variables(function));
    flows
}

/// Whether an operation sign-extends an integer of no more than 16 bits, or that many bits of one: by a conversion, which may be
/// one to a floating type that another one takes back, by a shift to the right, or as `(x ^ sign) - sign`.
fn is_extension(function: &Function, op: &Op) -> bool {
    match *op {
        Op::Convert { op: ConvertOp::SExt | ConvertOp::SToF, operand } => function.ty(operand).scalar.bits() <= HALF,
        Op::Binary { op: BinaryOp::AShr, lhs, rhs } => {
            let all_but_half = u64::from(function.ty(lhs).scalar.bits().saturating_sub(HALF));
            let is_constant = function.as_constant(rhs).is_some();
            let is_shifted = matches!(function.op(lhs), Some(Op::Binary { op: BinaryOp::Shl, .. }));
            any_lane(function, rhs, |by| by >= all_but_half) == Some(true) || (!is_constant && is_shifted)
        }
        Op::Binary { op: BinaryOp::Add | BinaryOp::Sub, lhs, rhs } => {
            let is_sign = |bits: u64| bits.is_power_of_two() && bits < 1 << HALF;
            match function.op(lhs) {
                Some(Op::Binary { op: BinaryOp::Xor, rhs: sign, .. }) => {
                    any_lane(function, *sign, is_sign) == Some(true) && function.as_constant(rhs).is_some()
                }
                _ => false,
            }
        }
        _ => false,
    }
}

/// The vector of type `ty` that has the bits of `whole`.
fn by_fields(function: &mut Function, (whole, ty): (Value, Type), insert: Insert<'_>) -> Op {
    let integers = ScalarType::int(ty.scalar.bits());
    let mut elements = Values::new();
    for word in words(function, whole, insert) {
        let upper = upper_half(function, word, insert);
        for half in [word, upper] {
            for by in (0..HALF).step_by(integers.bits() as usize) {
                let operand = if by == 0 { half } else { shifted(function, half, by, insert) };
                let lane = Op::Convert { op: ConvertOp::Trunc, operand };
                elements.push(insert(function, lane, Type::scalar(integers)));
            }
        }
    }
    let vector = Op::Construct { elements };
    if ty.scalar == integers {
        return vector;
    }
    let operand = insert(function, vector, ty.with_scalar(integers));
    Op::Convert { op: ConvertOp::Bitcast, operand }
}

/// The upper half of a word: the field begins a bit below it.
fn upper_half(function: &mut Function, word: Value, insert: Insert<'_>) -> Value {
    let field = field(function, Intrinsic::BitFieldUExtract, (word, HALF - 1, HALF + 1));
    let field = insert(function, field, Type::I32);
    shifted(function, field, 1, insert)
}

/// A word, shifted to the right.
fn shifted(function: &mut Function, word: Value, by: u32, insert: Insert<'_>) -> Value {
    let rhs = function.int(Type::I32, i64::from(by));
    insert(function, Op::Binary { op: BinaryOp::LShr, lhs: word, rhs }, Type::I32)
}

/// The same vector of narrow lanes: each is shifted to the left by one, and a field that begins at bit 1 takes it back.
fn hide(function: &mut Function, lanes: Value, insert: Insert<'_>) -> Value {
    let ty = function.ty(lanes);
    let integers = ty.with_scalar(ScalarType::int(ty.scalar.bits()));
    let operand = cast(function, (lanes, integers), insert);
    let word = ty.with_scalar(ScalarType::I32);
    let wide = insert(function, Op::Convert { op: ConvertOp::ZExt, operand }, word);
    let one = function.constant(Constant::int(word, 1));
    let twice = insert(function, Op::Binary { op: BinaryOp::Shl, lhs: wide, rhs: one }, word);
    let field = field(function, Intrinsic::BitFieldUExtract, (twice, 1, ty.scalar.bits()));
    let operand = insert(function, field, word);
    let operand = insert(function, Op::Convert { op: ConvertOp::Trunc, operand }, integers);
    cast(function, (operand, ty), insert)
}

/// The bits of a value as another type, if it is another one.
fn cast(function: &mut Function, (operand, ty): (Value, Type), insert: Insert<'_>) -> Value {
    if function.ty(operand) == ty {
        return operand;
    }
    insert(function, Op::Convert { op: ConvertOp::Bitcast, operand }, ty)
}

/// The words of numbers of 32 or 64 bits.
fn words(function: &mut Function, whole: Value, insert: Insert<'_>) -> Values {
    let ty = function.ty(whole);
    let count = if ty.scalar.bits() == 64 { 2 * ty.lanes } else { ty.lanes };
    let words = cast(function, (whole, Type::vector(ScalarType::I32, count)), insert);
    if count == 1 {
        return Values::from_slice(&[words]);
    }
    (0..count).map(|lane| insert(function, Op::Extract { vector: words, lane }, Type::I32)).collect()
}
