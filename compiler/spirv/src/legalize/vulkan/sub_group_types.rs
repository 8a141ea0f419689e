//! `vulkan/sub_group_types`: operations of sub-groups on integers of 8, 16 and 64 bits and on halves become operations on
//! words, for devices that have them for `int`, `float` and `double` alone
//! ([`EmulatedTypes`](clforge_basic::options::EmulatedTypes)).
//!
//! A value of 64 bits is moved as two words, and a reduction or scan of such values is a loop over the work-items of the
//! sub-group. Narrower integers are extended. Halves are added and compared as floats, and moved as bits.
//!
//! ```ir
//! ; pass: vulkan/sub_group_types
//! func @f(%0: i64, %1: i32, %2: i8, %3: f16, %4: f32) {
//!   %5: i64 = group sub_group shuffle (%0, %1)
//!   %6: i8 = group sub_group uniform arithmetic smin exclusive (%2)
//!   %7: f16 = group sub_group uniform arithmetic fadd reduce (%3)
//!   %8: f32 = group sub_group uniform arithmetic fadd reduce (%4)
//!   %9: bool = group sub_group all_equal (%0)
//!   return
//! }
//! ; ---
//! func @f(%0: i64, %1: i32, %2: i8, %3: f16, %4: f32) {
//!   %5: i64 = lshr %0, i64 32
//!   %6: i32 = trunc %0
//!   %7: i32 = trunc %5
//!   %8: i32 = group sub_group shuffle (%6, %1)
//!   %9: i32 = group sub_group shuffle (%7, %1)
//!   %10: i64 = zext %8
//!   %11: i64 = zext %9
//!   %12: i64 = shl %11, i64 32
//!   %13: i64 = or %10, %12
//!   %14: i32 = sext %2
//!   %15: i32 = group sub_group uniform arithmetic smin exclusive (%14)
//!   %16: bool = sgt %15, i32 127
//!   %17: i32 = select %16, i32 127, %15
//!   %18: i8 = trunc %17
//!   %19: f32 = fext %3
//!   %20: f32 = group sub_group uniform arithmetic fadd reduce (%19)
//!   %21: f16 = ftrunc %20
//!   %22: f32 = group sub_group uniform arithmetic fadd reduce (%4)
//!   %23: i64 = lshr %0, i64 32
//!   %24: i32 = trunc %0
//!   %25: i32 = trunc %23
//!   %26: bool = group sub_group all_equal (%24)
//!   %27: bool = group sub_group all_equal (%25)
//!   %28: bool = and %26, %27
//!   return
//! }
//! ```

use super::builtins::{combine, identity};
use super::group_loops::GroupLoop;
use crate::legalize::{Context, State};
use clforge_ir::expand::{Expand, expand};
use clforge_ir::pass::{Changed, Order, Pass};
use clforge_ir::room::Room;
use clforge_ir::verify::Legalized;
use clforge_ir::*;

/// The pass. It runs when all operations of sub-groups are there, and functions are inlined.
pub struct SubGroupTypes;

impl Pass<State> for SubGroupTypes {
    fn name(&self) -> &'static str {
        "vulkan/sub_group_types"
    }

    fn order(&self) -> Order {
        Order { requires: Some(Legalized::Memory), before: &["vulkan/pair_integers"], ..Order::ANY }
    }

    fn run(&self, module: &mut Module, context: &mut Context<'_>) -> Result<Changed, Error> {
        let (mut room, mut changed) = (Room::new(module, context.options.codegen.max_instructions), Changed::No);
        let mut types = Types { wide: !context.options.device.emulated.int64 };
        for function in &mut module.functions {
            if function.insts.iter().any(|inst| types.lacking(&inst.op, function).is_some()) {
                expand(function, &mut types, &mut room, |_| Ok(None))?;
                changed = Changed::Maybe;
            }
        }
        Ok(changed)
    }
}

struct Types {
    /// Whether integers of 64 bits are replaced here, and by no later pass.
    wide: bool,
}

impl Types {
    /// The value that an operation moves or computes with, if it is of a type that the device lacks.
    fn lacking(&self, op: &Op, function: &Function) -> Option<Value> {
        let Op::Group { scope: Scope::SubGroup, op, .. } = op else { return None };
        let value = operand(*op)?;
        let lacks = match function.ty(value).scalar {
            ScalarType::I8 | ScalarType::I16 | ScalarType::F16 => true,
            ScalarType::I64 => self.wide,
            _ => false,
        };
        lacks.then_some(value)
    }
}

/// The value that the work-items have of their own, whatever its type.
fn operand(op: GroupOp) -> Option<Value> {
    match op {
        GroupOp::AllEqual { value }
        | GroupOp::Broadcast { value, .. }
        | GroupOp::BroadcastFirst { value }
        | GroupOp::Shuffle { value, .. }
        | GroupOp::ShuffleXor { value, .. }
        | GroupOp::ShuffleUp { value, .. }
        | GroupOp::ShuffleDown { value, .. }
        | GroupOp::Arithmetic { value, .. } => Some(value),
        _ => None,
    }
}

impl Expand for Types {
    fn replaces(&self, op: &Op) -> bool {
        matches!(op, Op::Group { scope: Scope::SubGroup, op, .. } if operand(*op).is_some())
    }

    fn expand(&mut self, b: &mut Builder<'_>, inst: InstId) -> Result<Value, Error> {
        let inst = b.function.inst(inst).clone();
        let Op::Group { op, uniform, .. } = inst.op else {
            return Err(Error::internal("not an operation of a sub-group"));
        };
        let Some(value) = self.lacking(&inst.op, b.function) else {
            let ty = b.function.ty(inst.result()?);
            return Ok(b.push(inst.op, &[ty])[0]);
        };
        Group { op, uniform, value }.replaced(b)
    }
}

/// An operation of a sub-group.
#[derive(Clone, Copy)]
struct Group {
    op: GroupOp,
    uniform: bool,
    /// Its operand.
    value: Value,
}

impl Group {
    /// The operation with another operand, of a type that the device has.
    fn with(self, b: &mut Builder<'_>, operand: Value) -> Result<Value, Error> {
        let op = self.op.map(|value| Ok::<_, Error>(if value == self.value { operand } else { value }))?;
        let ty = if matches!(op, GroupOp::AllEqual { .. }) { Type::BOOL } else { b.ty(operand) };
        Ok(b.push(Op::Group { op, scope: Scope::SubGroup, uniform: self.uniform }, &[ty])[0])
    }

    fn replaced(self, b: &mut Builder<'_>) -> Result<Value, Error> {
        let x = self.value;
        match (b.ty(x).scalar, self.op) {
            (ScalarType::I64, GroupOp::Arithmetic { op, extent, .. }) => self.accumulate(b, op, extent, x),
            (ScalarType::I64, GroupOp::AllEqual { .. }) => {
                let [low, high] = words(b, x);
                let (low, high) = (self.with(b, low)?, self.with(b, high)?);
                Ok(b.binary(BinaryOp::And, low, high))
            }
            (ScalarType::I64, _) => {
                let [low, high] = words(b, x);
                let words = [self.with(b, low)?, self.with(b, high)?];
                Ok(joined(b, words))
            }
            (ScalarType::F16, GroupOp::Arithmetic { .. } | GroupOp::AllEqual { .. }) => {
                let float = b.convert(ConvertOp::FExt, x, Type::F32);
                let value = self.with(b, float)?;
                Ok(if b.ty(value) == Type::F32 { b.convert(ConvertOp::FTrunc, value, b.ty(x)) } else { value })
            }
            (ScalarType::F16, _) => {
                let bits = b.to_bits(x);
                let moved = self.narrow(b, bits)?;
                Ok(b.bitcast(moved, b.ty(x)))
            }
            _ => self.narrow(b, x),
        }
    }

    /// The operation on an integer of less than 32 bits.
    fn narrow(self, b: &mut Builder<'_>, x: Value) -> Result<Value, Error> {
        use GroupArithmetic as A;
        let (ty, arithmetic) = (b.ty(x), arithmetic_of(self.op));
        let signed = matches!(arithmetic, Some((A::SMin | A::SMax, _)));
        let wide = b.resize(x, ScalarType::I32, signed);
        let mut value = self.with(b, wide)?;
        if b.ty(value) == Type::BOOL {
            return Ok(value);
        }
        // What the first work-item gets is the limit of the wide type otherwise.
        if let Some((op @ (A::SMin | A::SMax | A::UMin), GroupExtent::Exclusive)) = arithmetic {
            let limit = identity(b, op, ty);
            let limit = b.resize(limit, ScalarType::I32, signed);
            value = combine(b, op, value, limit);
        }
        Ok(b.resize(value, ty.scalar, false))
    }

    /// A reduction or scan of integers of 64 bits.
    fn accumulate(
        self,
        b: &mut Builder<'_>,
        op: GroupArithmetic,
        extent: GroupExtent,
        x: Value,
    ) -> Result<Value, Error> {
        let mut input = |input| b.emit(Op::Input { input, dim: 0 }, Type::I32);
        let (size, id) = (input(Input::SubgroupSize), input(Input::SubgroupLocalInvocationId));
        let group = GroupLoop { extent, cluster_size: None, uniform: self.uniform, size, id };
        let start = identity(b, op, b.ty(x));
        let (own, start) = (words(b, x), words(b, start));
        let parts = group.build(b, &own, &start, &mut |b, known, other| {
            let ([low, high], [other_low, other_high]) = (known, other) else {
                return Err(Error::internal("a number of 64 bits has two words"));
            };
            let (known, other) = (joined(b, [*low, *high]), joined(b, [*other_low, *other_high]));
            let both = combine(b, op, known, other);
            Ok(words(b, both).to_vec())
        })?;
        let [low, high] = parts[..] else { return Err(Error::internal("a number of 64 bits has two words")) };
        Ok(joined(b, [low, high]))
    }
}

fn arithmetic_of(op: GroupOp) -> Option<(GroupArithmetic, GroupExtent)> {
    match op {
        GroupOp::Arithmetic { op, extent, .. } => Some((op, extent)),
        _ => None,
    }
}

/// The low and the high word.
fn words(b: &mut Builder<'_>, x: Value) -> [Value; 2] {
    let high = b.binary_int(BinaryOp::LShr, x, 32);
    [x, high].map(|x| b.resize(x, ScalarType::I32, false))
}

fn joined(b: &mut Builder<'_>, words: [Value; 2]) -> Value {
    let [low, high] = words.map(|word| b.resize(word, ScalarType::I64, false));
    let high = b.binary_int(BinaryOp::Shl, high, 32);
    b.binary(BinaryOp::Or, low, high)
}
