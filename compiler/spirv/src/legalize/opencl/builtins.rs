//! `opencl/builtins`: expands operations that `OpenCL.std` or its consumers lack to core operations. Dot products
//! become products and sums. Vectors of halves are accessed one half at a time, since PoCL 3.1 has no functions for
//! vectors. Atomics on floating-point objects, which need extensions, become exchanges of integers. A comparison of a
//! device event with the null event becomes a question for its validity, since SPIR-V compares no handles.
//!
//! ```ir
//! ; pass: opencl/builtins
//! func @f(%0: clk_event) -> bool {
//!   %1: bool = eq %0, clk_event 0
//!   return %1
//! }
//! ; ---
//! func @f(%0: clk_event) -> bool {
//!   %1: bool = device is_valid_event (%0)
//!   %2: bool = not %1
//!   return %2
//! }
//! ```

use crate::legalize::{Context, State, cas_loops};
use clforge_ir::error::Unsupported;
use clforge_ir::pass::{Changed, Pass};
use clforge_ir::rewrite::{Parts, Rewrite, Rewriter, rewrite};
use clforge_ir::room::Room;
use clforge_ir::verify::Dialect;
use clforge_ir::*;
use smallvec::{SmallVec, smallvec};

/// The pass.
pub struct Builtins;

impl Pass<State> for Builtins {
    fn name(&self) -> &'static str {
        "opencl/builtins"
    }

    fn run(&self, module: &mut Module, context: &mut Context<'_>) -> Result<Changed, Error> {
        let (mut room, mut changed) = (Room::new(module, context.options.codegen.max_instructions), Changed::No);
        for function in &mut module.functions {
            if function.insts.iter().any(|inst| is_expanded(function, inst)) {
                *function = rewrite(function, &mut Expansion, &mut room)?;
                changed = Changed::Maybe;
            }
        }
        Ok(changed)
    }

    fn establishes(&self) -> Option<Dialect> {
        Some(Dialect::OpenCl { generic_pointers: true })
    }
}

fn is_expanded(function: &Function, inst: &Inst) -> bool {
    match &inst.op {
        Op::Intrinsic { function: Intrinsic::Dot, .. } => true,
        Op::Intrinsic { function: intrinsic, args } => intrinsic.half_access().is_some_and(|access| {
            let value = inst.results.first().or(args.first());
            access.single != *intrinsic || value.is_some_and(|value| function.ty(*value).is_vector())
        }),
        Op::Compare { lhs, .. } => matches!(function.ty(*lhs).scalar, ScalarType::Opaque(_)),
        Op::Atomic { op, .. } => op.is_float() || cas_loops::object(function, inst).is_some_and(cas_loops::is_narrow),
        _ => false,
    }
}

struct Expansion;

impl Rewrite for Expansion {
    fn op(&mut self, r: &mut Rewriter<'_>, inst: &Inst) -> Result<Option<SmallVec<[Parts; 1]>>, Error> {
        if !is_expanded(r.old, inst) {
            return Ok(None);
        }
        let value = match &inst.op {
            Op::Intrinsic { function, args } => {
                let args: Values = args.iter().map(|arg| r.one(*arg, self)).collect::<Result<_, _>>()?;
                match function.half_access() {
                    None => Some(dot(&mut r.b, &args).or_internal("a dot product without operands")?),
                    Some(access) if access.rounding.is_some() => {
                        store_halves(&mut r.b, access, &args).or_internal("a store of halves without operands")?;
                        None
                    }
                    Some(access) => {
                        let ty = r.old.ty(inst.result()?);
                        Some(
                            load_halves(&mut r.b, access, &args, ty)
                                .or_internal("a load of halves without operands")?,
                        )
                    }
                }
            }
            Op::Atomic { op, ptr, operands, semantics, .. } => {
                let object = cas_loops::object(r.old, inst).or_internal("an atomic without value")?;
                let ptr = r.one(*ptr, self)?;
                let operands: Values = operands.iter().map(|value| r.one(*value, self)).collect::<Result<_, _>>()?;
                Some(cas_loops::by_compare_exchange(&mut r.b, (*op, ptr, &operands), *semantics, object))
            }
            Op::Compare { op, lhs, rhs } => {
                let event = compared_with_null(r.old, *lhs, *rhs)
                    .ok_or_else(|| Error::unsupported(Unsupported::HandleComparison).at(inst.span))?;
                let event = r.one(event, self)?;
                let is_valid = r.b.emit(Op::Device(DeviceOp::IsValidEvent { event }), Type::BOOL);
                Some(if *op == CompareOp::Eq { r.b.unary(UnaryOp::Not, is_valid) } else { is_valid })
            }
            _ => None,
        };
        Ok(Some(value.into_iter().map(|value| smallvec![value]).collect()))
    }
}

/// The event that is compared with the null event.
fn compared_with_null(function: &Function, a: Value, b: Value) -> Option<Value> {
    let is_null = |value| function.as_constant(value).is_some_and(Constant::is_zero);
    let is_event = function.ty(a).scalar == ScalarType::Opaque(Opaque::ClkEvent);
    match (is_null(a), is_null(b)) {
        _ if !is_event => None,
        (_, true) => Some(a),
        (true, false) => Some(b),
        (false, false) => None,
    }
}

fn dot(b: &mut Builder<'_>, args: &[Value]) -> Option<Value> {
    let [x, y] = *args else { return None };
    let products = b.binary(BinaryOp::FMul, x, y);
    let mut sum = b.extract(products, 0);
    for lane in 1..b.ty(products).lanes {
        let product = b.extract(products, lane);
        sum = b.binary(BinaryOp::FAdd, sum, product);
    }
    Some(sum)
}

/// The number of the half that a lane is, counted from the pointer.
fn place(b: &mut Builder<'_>, access: HalfAccess, index: Value, lanes: u8, lane: u8) -> Value {
    let first = b.binary_int(BinaryOp::Mul, index, i64::from(access.stride(lanes)));
    b.binary_int(BinaryOp::Add, first, i64::from(lane))
}

fn load_halves(b: &mut Builder<'_>, access: HalfAccess, args: &[Value], ty: Type) -> Option<Value> {
    let [index, ptr] = *args else { return None };
    let mut lanes = Values::new();
    for lane in 0..ty.lanes {
        let index = place(b, access, index, ty.lanes, lane);
        let args = Values::from_slice(&[index, ptr]);
        lanes.extend(b.push(Op::Intrinsic { function: access.single, args }, &[ty.lane()]));
    }
    Some(b.construct(&lanes))
}

fn store_halves(b: &mut Builder<'_>, access: HalfAccess, args: &[Value]) -> Option<()> {
    let [value, index, ptr] = *args else { return None };
    let lanes = b.ty(value).lanes;
    for lane in 0..lanes {
        let data = b.extract(value, lane);
        let index = place(b, access, index, lanes, lane);
        b.effect(Op::Intrinsic { function: access.single, args: Values::from_slice(&[data, index, ptr]) });
    }
    Some(())
}
