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
/// bit lower. A vector that is made of shifted integers is the same to the driver once it is kept in a private array, so its lanes
/// are fields there. Lanes of vectors that are loaded are not wrong; they are not told apart here.
pub struct UpperHalves;

impl FunctionPass for UpperHalves {
    fn name(&self) -> &'static str {
        "workarounds/upper_halves"
    }

    fn run(&self, function: &mut Function, _: &FunctionContext<'_>) -> Changed {
        let is_place = |inst| reinterpreted(function, inst).is_some() || stored_lanes(function, inst).is_some();
        if !function.insts.iter().any(is_place) {
            return Changed::No;
        }
        let halves = halves(function);
        let mut changed = Changed::No;
        function.insert_before_each(|function, id, before| {
            let inst = function.inst(id);
            let span = inst.span;
            let mut insert = |function: &mut Function, op, ty| append(function, before, (op, ty, span));
            if let Some(whole) = reinterpreted(function, inst).filter(|whole| halves[*whole].is_some()) {
                let ty = function.ty(inst.results[0]);
                function.inst_mut(id).op = by_fields(function, (whole, ty), &mut insert);
            } else if let Some(lanes) = stored_lanes(function, inst).filter(|lanes| halves[*lanes] == Some(Half::Upper))
            {
                let hidden = hide(function, lanes, &mut insert);
                if let Op::VariableStore { value, .. } = &mut function.inst_mut(id).op {
                    *value = hidden;
                }
            } else {
                return;
            }
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

/// What an instruction stores in a variable, if that is a vector of lanes of 8 or 16 bits.
fn stored_lanes(function: &Function, inst: &Inst) -> Option<Value> {
    let Op::VariableStore { value, .. } = inst.op else { return None };
    let ty = function.ty(value);
    (ty.is_vector() && matches!(ty.scalar.bits(), 8 | 16)).then_some(value)
}

/// What a value is or may be made of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Half {
    /// An integer of no more than 16 bits that is sign-extended.
    Whole,
    /// Upper bits of one, shifted to the right.
    Upper,
}

/// For each value what it may be made of. What other functions compute may be sign-extended.
fn halves(function: &Function) -> TiVec<Value, Option<Half>> {
    let mut halves = ti_vec![None; function.value_count()];
    function.params.iter().for_each(|param| halves[*param] = Some(Half::Whole));
    for inst in &function.insts {
        if is_extension(function, &inst.op) || matches!(inst.op, Op::Call { .. }) {
            inst.results.iter().for_each(|result| halves[*result] = Some(Half::Whole));
        }
    }
    let mut flows = flows(function, &|op| keeps_bits(function, op));
    flows.extend(through_variables(function));
    spread(&mut halves, flows.clone());
    for inst in &function.insts {
        if let (Op::Binary { op: BinaryOp::LShr | BinaryOp::AShr, lhs, .. }, Some(result)) =
            (&inst.op, inst.results.first())
            && halves[*lhs].is_some()
        {
            halves[*result] = Some(Half::Upper);
        }
    }
    spread(&mut halves, flows);
    halves
}

/// Whether an operation keeps some bits of its operands in their order.
fn keeps_bits(function: &Function, op: &Op) -> bool {
    use BinaryOp::*;
    match *op {
        Op::Binary { op: And | Or | Xor | Shl | LShr | AShr, .. } => true,
        Op::Binary { op: Mul, rhs, .. } => function.as_int(rhs).is_some_and(u64::is_power_of_two),
        Op::Convert { op: ConvertOp::Trunc | ConvertOp::ZExt | ConvertOp::SExt | ConvertOp::Bitcast, .. } => true,
        _ => false,
    }
}

/// Whether an operation sign-extends an integer of no more than 16 bits, or that many bits of one: by a conversion, which may be
/// one to a floating type and back, by a shift to the right, or as `(x ^ sign) - sign`.
fn is_extension(function: &Function, op: &Op) -> bool {
    match *op {
        Op::Convert { op: ConvertOp::SExt, operand } => function.ty(operand).scalar.bits() <= HALF,
        Op::Convert { op: ConvertOp::FToS, .. } => true,
        Op::Binary { op: BinaryOp::AShr, lhs, rhs } => {
            let all_but_half = function.ty(lhs).scalar.bits().saturating_sub(HALF);
            function.as_int(rhs).is_some_and(|by| by >= u64::from(all_but_half))
        }
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

/// The same vector of narrow lanes, each as a field of twice of it.
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

/// The bits of a vector as another type, if it is another one.
fn cast(function: &mut Function, (operand, ty): (Value, Type), insert: Insert<'_>) -> Value {
    if function.ty(operand) == ty {
        return operand;
    }
    insert(function, Op::Convert { op: ConvertOp::Bitcast, operand }, ty)
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
