//! `workarounds/upper_halves`: where an integer that may be sign-extended is reinterpreted as a vector of narrower lanes, those of
//! its upper half are taken as fields ([`Workarounds::NVIDIA_UPPER_HALVES`](clforge_basic::workarounds::Workarounds)).

use super::{append, field, flows, spread, through_variables};
use clforge_ir::pass::{Changed, FunctionContext, FunctionPass};
use clforge_ir::*;
use typed_index_collections::{TiVec, ti_vec};

/// Bits of a half of a word.
const HALF: u32 = 16;

/// The pass. An integer of 8 or 16 bits that is loaded, sign-extended, and reinterpreted as a vector of lanes of 8 or 16 bits has
/// zeros in the upper half, if that is all that is used: presumably the driver takes the load for one that does not extend. It sees
/// through a field of the half where the lane is extended again or goes through a private array, but not through one that begins a
/// bit lower. Lanes of vectors that are loaded are not wrong; they are not told apart here.
pub struct UpperHalves;

impl FunctionPass for UpperHalves {
    fn name(&self) -> &'static str {
        "workarounds/upper_halves"
    }

    fn run(&self, function: &mut Function, _: &FunctionContext<'_>) -> Changed {
        if !function.insts.iter().any(|inst| reinterpreted(function, inst).is_some()) {
            return Changed::No;
        }
        let extended = extended_values(function);
        let mut changed = Changed::No;
        function.insert_before_each(|function, id, before| {
            let inst = function.inst(id);
            let Some(whole) = reinterpreted(function, inst).filter(|whole| extended[*whole]) else { return };
            let (ty, span) = (function.ty(inst.results[0]), inst.span);
            let mut insert = |function: &mut Function, op, ty| append(function, before, (op, ty, span));
            function.inst_mut(id).op = by_fields(function, (whole, ty), &mut insert);
            changed = Changed::Maybe;
        });
        changed
    }
}

/// The integers of 32 or 64 bits that an instruction reinterprets as lanes of 8 or 16.
fn reinterpreted(function: &Function, inst: &Inst) -> Option<Value> {
    let Op::Convert { op: ConvertOp::Bitcast, operand } = inst.op else { return None };
    let is_wide = matches!(function.ty(operand).scalar, ScalarType::I32 | ScalarType::I64);
    let is_narrow = matches!(function.ty(*inst.results.first()?).scalar.bits(), 8 | 16);
    (is_wide && is_narrow).then_some(operand)
}

/// For each value whether it is or may be sign-extended, as what other functions compute may be.
fn extended_values(function: &Function) -> TiVec<Value, bool> {
    let mut extended = ti_vec![false; function.value_count()];
    function.params.iter().for_each(|param| extended[*param] = true);
    for inst in &function.insts {
        if is_extension(function, &inst.op) || matches!(inst.op, Op::Call { .. }) {
            inst.results.iter().for_each(|result| extended[*result] = true);
        }
    }
    let mut flows = flows(function, &|op| {
        matches!(
            op,
            Op::Binary { op: BinaryOp::And | BinaryOp::Or | BinaryOp::Xor, .. }
                | Op::Convert { op: ConvertOp::Trunc | ConvertOp::Bitcast, .. }
        )
    });
    flows.extend(through_variables(function));
    spread(&mut extended, flows);
    extended
}

/// Whether an operation sign-extends an integer, or the lower bits of one: by a conversion, which may be one to a floating type and
/// back, by a shift to the right, or as `(x ^ sign) - sign`.
fn is_extension(function: &Function, op: &Op) -> bool {
    match *op {
        Op::Convert { op: ConvertOp::SExt | ConvertOp::FToS, .. } => true,
        Op::Binary { op: BinaryOp::AShr, .. } => true,
        Op::Binary { op: BinaryOp::Add | BinaryOp::Sub, lhs, .. } => {
            matches!(function.op(lhs), Some(Op::Binary { op: BinaryOp::Xor, .. }))
        }
        _ => false,
    }
}

/// Appends an operation with a result of that type.
type Insert<'i> = &'i mut dyn FnMut(&mut Function, Op, Type) -> Value;

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

/// The words of integers of 32 or 64 bits.
fn words(function: &mut Function, whole: Value, insert: Insert<'_>) -> Values {
    let ty = function.ty(whole);
    let (words, count) = if ty.scalar == ScalarType::I64 {
        let cast = Op::Convert { op: ConvertOp::Bitcast, operand: whole };
        let count = 2 * ty.lanes;
        (insert(function, cast, Type::vector(ScalarType::I32, count)), count)
    } else {
        (whole, ty.lanes)
    };
    if count == 1 {
        return Values::from_slice(&[words]);
    }
    (0..count).map(|lane| insert(function, Op::Extract { vector: words, lane }, Type::I32)).collect()
}
