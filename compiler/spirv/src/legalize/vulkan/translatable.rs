//! `vulkan/translatable`: replaces what translators to other shading languages do not accept, such as naga to WGSL, by other
//! operations ([`CodegenOptions::translatable`](clforge_basic::options::CodegenOptions::translatable)).
//!
//! | operation | replaced by |
//! |---|---|
//! | an infinite or NaN constant | its bits combined with a zero from a variable: WGSL rejects constant expressions with such values |
//! | the negation of an integer | `0 - x`: WGSL has no negation of unsigned integers |
//! | the upper half of a product | four products of 16-bit halves |
//! | `ford`, `funo` | comparisons of the bits |
//! | `and`, `or`, `xor` of vectors of `bool` | the same operation on each lane |
//! | `fne` | the negation of `feq`: in some browsers `!=` of a NaN is false |
//! | a signed atomic minimum or maximum | a compare-exchange loop |
//! | a signed minimum or maximum of a group | the unsigned one of values with inverted sign bit |
//!
//! The emitter gives signed types to the operands of other operations that are signed, except comparisons.
//!
//! ```ir
//! ; pass: vulkan/translatable
//! variable @v0 "push" push_constant i32 bytes 8
//! func @f(%0: i32, %1: f32) -> bool {
//!   %2: i32 = neg %0
//!   %3: bool = funo %1, %1
//!   return %3
//! }
//! ; ---
//! variable @v0 "push" push_constant i32 bytes 8
//! variable @v1 "zero" private i32 bytes 4 zero
//! func @f(%0: i32, %1: f32) -> bool {
//!   %2: i32 = sub i32 0, %0
//!   %3: i32 = bitcast %1
//!   %4: i32 = and %3, i32 2147483647
//!   %5: bool = ugt %4, i32 2139095040
//!   return %5
//! }
//! ```

use crate::legalize::{Context, State};
use clforge_ir::analysis::Substitution;
use clforge_ir::pass::{Changed, Order, Pass};
use clforge_ir::rewrite::{Parts, Rewrite, Rewriter, rewrite};
use clforge_ir::room::Room;
use clforge_ir::verify::Legalized;
use clforge_ir::*;
use smallvec::{SmallVec, smallvec};

/// The pass. It runs after all that make the operations that it replaces.
pub struct Translatable;

impl Pass<State> for Translatable {
    fn name(&self) -> &'static str {
        "vulkan/translatable"
    }

    fn order(&self) -> Order {
        Order { requires: Some(Legalized::MemoryModel), ..Order::ANY }
    }

    fn run(&self, module: &mut Module, context: &mut Context<'_>) -> Result<Changed, Error> {
        let mut room = Room::new(module, context.options.codegen.max_instructions);
        let zero = module.variables.push_and_get_key(Variable {
            name: "zero".into(),
            storage: Storage::Private,
            element: Type::I32,
            size: VariableSize { fixed: 4, ..VariableSize::default() },
            zero_initialized: true,
        });
        for function in &mut module.functions {
            *function = rewrite(function, &mut Operations, &mut room)?;
            hide_constants(function, zero);
        }
        Ok(Changed::Maybe)
    }
}

/// Whether a constant has a lane that is infinite or a NaN.
fn is_special(constant: &Constant) -> bool {
    let scalar = constant.ty().scalar;
    let infinity = scalar.is_float().then(|| scalar.infinity_bits().cast_unsigned());
    match (constant, infinity) {
        (Constant::Bits { lanes, .. }, Some(infinity)) => lanes.iter().any(|bits| bits & infinity == infinity),
        _ => false,
    }
}

/// Computes constants that are infinite or NaNs at the start of a function, where only the driver can tell their values.
fn hide_constants(function: &mut Function, zero: VariableId) {
    let mut special = Vec::new();
    for inst in &function.insts {
        inst.op.for_each_operand(|operand| {
            let constant = function.as_constant(operand).filter(|constant| is_special(constant));
            if let Some(constant) = constant.filter(|_| special.iter().all(|(known, _)| *known != operand)) {
                special.push((operand, constant.clone()));
            }
        });
    }
    let mut replaced = Substitution::default();
    let mut first = Vec::new();
    for (value, constant) in special {
        let ty = constant.ty();
        let int = ty.with_scalar(ScalarType::int(ty.scalar.bits()));
        let Constant::Bits { lanes, .. } = constant else { continue };
        let bits = function.constant(Constant::Bits { ty: int, lanes });
        let mut append = |op: Op, ty: Type| {
            let id = function.new_inst(op, &[ty], Default::default());
            first.push(id);
            function.inst(id).results[0]
        };
        let mut hidden = append(Op::VariableLoad { variable: zero, index: None }, Type::I32);
        if int.lanes > 1 {
            hidden = append(Op::Construct { elements: smallvec![hidden; int.lanes.into()] }, int);
        }
        let sum = append(Op::Binary { op: BinaryOp::Or, lhs: hidden, rhs: bits }, int);
        replaced.insert(value, append(Op::Convert { op: ConvertOp::Bitcast, operand: sum }, ty));
    }
    if first.is_empty() {
        return;
    }
    for inst in &mut function.insts {
        replaced.apply(&mut inst.op);
    }
    function.region_mut(function.body).insts.splice(0..0, first);
}

struct Operations;

impl Rewrite for Operations {
    fn op(&mut self, r: &mut Rewriter<'_>, inst: &Inst) -> Result<Option<SmallVec<[Parts; 1]>>, Error> {
        let Some(result) = inst.results.first() else { return Ok(None) };
        let ty = r.old.ty(*result);
        let value = match &inst.op {
            Op::Unary { op: UnaryOp::Neg, operand } => {
                let (zero, operand) = (r.b.int(ty, 0), r.one(*operand, self)?);
                difference(&mut r.b, zero, operand)
            }
            Op::Binary { op: BinaryOp::Sub, lhs, rhs } => {
                let (lhs, rhs) = (r.one(*lhs, self)?, r.one(*rhs, self)?);
                difference(&mut r.b, lhs, rhs)
            }
            Op::Binary { op: op @ (BinaryOp::And | BinaryOp::Or | BinaryOp::Xor), lhs, rhs }
                if ty.scalar == ScalarType::Bool && ty.lanes > 1 =>
            {
                let (lhs, rhs) = (r.one(*lhs, self)?, r.one(*rhs, self)?);
                let lanes: Vec<Value> = (0..ty.lanes)
                    .map(|lane| {
                        let (a, b) = (r.b.extract(lhs, lane), r.b.extract(rhs, lane));
                        r.b.binary(*op, a, b)
                    })
                    .collect();
                r.b.construct(&lanes)
            }
            Op::Compare { op: CompareOp::FNe, lhs, rhs } => {
                let (lhs, rhs) = (r.one(*lhs, self)?, r.one(*rhs, self)?);
                let is_equal = r.b.compare(CompareOp::FEq, lhs, rhs);
                // Not by the functions that fold, which make the comparison of it again.
                r.b.push(Op::Unary { op: UnaryOp::Not, operand: is_equal }, &[ty])[0]
            }
            Op::VariableAtomic {
                op: op @ (AtomicOp::SMin | AtomicOp::SMax),
                variable,
                index,
                operands,
                semantics,
                unequal,
            } => {
                let index = index.map(|index| r.one(index, self)).transpose()?;
                let operand = r.one(*operands.first().or_internal("an atomic operation without operand")?, self)?;
                exchanging(&mut r.b, *op, (*variable, index), operand, (*semantics, *unequal))
            }
            Op::Group { op: GroupOp::Arithmetic { op, extent, value }, scope, uniform } => {
                let unsigned = match op {
                    GroupArithmetic::SMin => GroupArithmetic::UMin,
                    GroupArithmetic::SMax => GroupArithmetic::UMax,
                    _ => return Ok(None),
                };
                let value = r.one(*value, self)?;
                let value = r.b.binary_int(BinaryOp::Xor, value, SIGN);
                let op = GroupOp::Arithmetic { op: unsigned, extent: *extent, value };
                let found = r.b.push(Op::Group { op, scope: *scope, uniform: *uniform }, &[ty])[0];
                r.b.binary_int(BinaryOp::Xor, found, SIGN)
            }
            Op::Compare { op: op @ (CompareOp::FOrd | CompareOp::FUno), lhs, rhs } => {
                let (lhs, rhs) = (r.one(*lhs, self)?, r.one(*rhs, self)?);
                ordered(&mut r.b, *op, lhs, rhs)
            }
            Op::Intrinsic { function: function @ (Intrinsic::UMulHi | Intrinsic::SMulHi), args }
                if ty.scalar == ScalarType::I32 =>
            {
                let [a, b] = args[..] else { return Err(Error::internal("a product of other than two factors")) };
                let (x, y) = (r.one(a, self)?, r.one(b, self)?);
                upper_half(&mut r.b, x, y, *function == Intrinsic::SMulHi)
            }
            _ => return Ok(None),
        };
        Ok(Some(smallvec![smallvec![value]]))
    }
}

/// The sign of a word: without it, or with it, words have as unsigned numbers the order that they have as signed ones.
const SIGN: i64 = 1 << 31;

/// A signed minimum or maximum in memory, by exchanges: translators take an atomic operation on a word for an unsigned one.
fn exchanging(
    b: &mut Builder<'_>,
    op: AtomicOp,
    (variable, index): (VariableId, Option<Value>),
    operand: Value,
    (semantics, unequal): (Semantics, MemoryOrder),
) -> Value {
    let ty = b.ty(operand);
    let access = |b: &mut Builder<'_>, op: AtomicOp, semantics: Semantics, operands: &[Value]| {
        let operands = SmallVec::from_slice(operands);
        b.push(Op::VariableAtomic { op, variable, index, operands, semantics, unequal }, &[ty])[0]
    };
    let relaxed = Semantics { order: MemoryOrder::Relaxed, ..semantics };
    let first = access(b, AtomicOp::Load, relaxed, &[]);
    b.cas_loop(first, &mut |b, word| {
        let new = b.updated(op, &[operand], word).unwrap_or(word);
        access(b, AtomicOp::CompareExchange, semantics, &[word, new])
    })
}

/// A difference that stays one: what folds it makes a negation of one from zero.
fn difference(b: &mut Builder<'_>, lhs: Value, rhs: Value) -> Value {
    let ty = b.ty(lhs);
    b.push(Op::Binary { op: BinaryOp::Sub, lhs, rhs }, &[ty])[0]
}

/// Whether neither of two numbers is a NaN, or one is.
fn ordered(b: &mut Builder<'_>, op: CompareOp, x: Value, y: Value) -> Value {
    let test = |b: &mut Builder<'_>, number: Value| {
        let scalar = b.ty(number).scalar;
        let bits = b.to_bits(number);
        let magnitude = b.binary_int(BinaryOp::And, bits, !scalar.sign_mask());
        let infinity = b.int(b.ty(bits), scalar.infinity_bits());
        b.compare(if op == CompareOp::FUno { CompareOp::UGt } else { CompareOp::ULe }, magnitude, infinity)
    };
    let first = test(b, x);
    if x == y {
        return first;
    }
    let second = test(b, y);
    let both = if op == CompareOp::FUno { BinaryOp::Or } else { BinaryOp::And };
    let lanes: Vec<Value> = (0..b.ty(first).lanes)
        .map(|lane| {
            let (first, second) = (b.extract(first, lane), b.extract(second, lane));
            b.binary(both, first, second)
        })
        .collect();
    b.construct(&lanes)
}

/// The upper half of a product of words, by products of halves of them (Warren, "Hacker's Delight", 8-2).
fn upper_half(b: &mut Builder<'_>, x: Value, y: Value, is_signed: bool) -> Value {
    let half =
        |b: &mut Builder<'_>, x: Value| [b.binary_int(BinaryOp::And, x, 0xFFFF), b.binary_int(BinaryOp::LShr, x, 16)];
    let ([x0, x1], [y0, y1]) = (half(b, x), half(b, y));
    let low = b.binary(BinaryOp::Mul, x0, y0);
    let carry = b.binary_int(BinaryOp::LShr, low, 16);
    let middle = b.binary(BinaryOp::Mul, x1, y0);
    let middle = b.binary(BinaryOp::Add, middle, carry);
    let [middle_low, middle_high] = half(b, middle);
    let other = b.binary(BinaryOp::Mul, x0, y1);
    let other = b.binary(BinaryOp::Add, other, middle_low);
    let other = b.binary_int(BinaryOp::LShr, other, 16);
    let high = b.binary(BinaryOp::Mul, x1, y1);
    let high = b.binary(BinaryOp::Add, high, middle_high);
    let high = b.binary(BinaryOp::Add, high, other);
    if !is_signed {
        return high;
    }
    // A negative factor is 2^32 more as an unsigned one.
    let correction = |b: &mut Builder<'_>, sign: Value, factor: Value| {
        let mask = b.binary_int(BinaryOp::AShr, sign, 31);
        b.binary(BinaryOp::And, mask, factor)
    };
    let (first, second) = (correction(b, x, y), correction(b, y, x));
    let high = b.binary(BinaryOp::Sub, high, first);
    b.binary(BinaryOp::Sub, high, second)
}
