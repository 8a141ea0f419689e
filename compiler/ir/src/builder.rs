//! Appends instructions to regions, folding constants as they are appended.

use super::entities::{FunctionId, RegionId, Value, Values};
use super::inst::{self, *};
use super::kinds::*;
use super::{Constant, Function, Intrinsic, ScalarType, Space, Type};
use clforge_basic::source::Span;
use smallvec::SmallVec;

/// Writes a function, one region at a time; regions nest as they are entered and left.
pub struct Builder<'f> {
    pub function: &'f mut Function,
    /// The region instructions are appended to, and around it the ones it is nested in.
    stack: SmallVec<[RegionId; 8]>,
    /// Given to the instructions made from now on.
    pub span: Span,
}

impl<'f> Builder<'f> {
    /// A builder that appends to the function's body.
    pub fn new(function: &'f mut Function) -> Builder<'f> {
        let body = function.body;
        Builder { function, stack: SmallVec::from_slice(&[body]), span: Span::default() }
    }

    /// A builder that appends to a region.
    pub fn at(function: &'f mut Function, region: RegionId) -> Builder<'f> {
        Builder { function, stack: SmallVec::from_slice(&[region]), span: Span::default() }
    }

    /// The region instructions are appended to.
    pub fn region(&self) -> RegionId {
        self.stack.last().copied().unwrap_or(self.function.body)
    }

    /// Appends to `region` until [`Builder::leave`].
    pub fn enter(&mut self, region: RegionId) {
        self.stack.push(region);
    }

    /// Back to the region before.
    pub fn leave(&mut self) {
        self.stack.pop();
    }

    /// Makes a region by running `fill` inside it.
    pub fn nested(&mut self, fill: impl FnOnce(&mut Builder<'f>)) -> RegionId {
        let region = self.function.new_region();
        self.enter(region);
        fill(self);
        self.leave();
        region
    }

    /// Whether the current region already ended.
    pub fn is_terminated(&self) -> bool {
        self.function.terminator(self.region()).is_some()
    }

    pub fn ty(&self, value: Value) -> Type {
        self.function.ty(value)
    }

    /// Appends an instruction with results of the given types, as it is.
    pub fn push(&mut self, op: Op, types: &[Type]) -> SmallVec<[Value; 1]> {
        let id = self.function.new_inst(op, types, self.span);
        let region = self.region();
        self.function.region_mut(region).insts.push(id);
        self.function.inst(id).results.clone()
    }

    /// Appends an instruction with one result, or finds the value it would have.
    pub fn emit(&mut self, op: Op, ty: Type) -> Value {
        match super::fold::reduce(self.function, op, ty) {
            Ok(value) => value,
            Err(op) => self.push(op, &[ty])[0],
        }
    }

    /// As [`Builder::emit`], with the type the operands imply.
    pub fn pure(&mut self, op: Op) -> Value {
        let ty = inst::result_type(&op, |value| self.function.ty(value)).unwrap_or(Type::I32);
        self.emit(op, ty)
    }

    /// Appends an instruction without results.
    pub fn effect(&mut self, op: Op) {
        self.push(op, &[]);
    }

    /// An integer or `bool` constant, all lanes the same.
    pub fn int(&mut self, ty: Type, value: i64) -> Value {
        self.function.int(ty, value)
    }

    /// A floating constant, all lanes the same.
    pub fn float(&mut self, ty: Type, value: f64) -> Value {
        self.function.constant(Constant::float(ty, value))
    }

    pub fn undef(&mut self, ty: Type) -> Value {
        self.function.undef(ty)
    }

    pub fn unary(&mut self, op: UnaryOp, a: Value) -> Value {
        self.pure(Op::Unary { op, operand: a })
    }

    pub fn binary(&mut self, op: BinaryOp, a: Value, b: Value) -> Value {
        self.pure(Op::Binary { op, lhs: a, rhs: b })
    }

    /// `a op constant`, with the constant of the type of `a`.
    pub fn binary_int(&mut self, op: BinaryOp, a: Value, constant: i64) -> Value {
        let constant = self.int(self.ty(a), constant);
        self.binary(op, a, constant)
    }

    /// `a op constant`, with the constant of the type of `a`.
    pub fn compare_int(&mut self, op: CompareOp, a: Value, constant: i64) -> Value {
        let constant = self.int(self.ty(a), constant);
        self.compare(op, a, constant)
    }

    /// A call of an intrinsic.
    pub fn intrinsic(&mut self, function: Intrinsic, args: &[Value], ty: Type) -> Value {
        self.emit(Op::Intrinsic { function, args: Values::from_slice(args) }, ty)
    }

    /// A floating value's bits as an integer of its width.
    pub fn to_bits(&mut self, value: Value) -> Value {
        let ty = self.ty(value);
        self.bitcast(value, ty.with_scalar(ScalarType::int(ty.scalar.bits())))
    }

    pub fn compare(&mut self, op: CompareOp, a: Value, b: Value) -> Value {
        self.pure(Op::Compare { op, lhs: a, rhs: b })
    }

    pub fn select(&mut self, condition: Value, a: Value, b: Value) -> Value {
        self.pure(Op::Select { condition, if_true: a, if_false: b })
    }

    pub fn convert(&mut self, op: ConvertOp, a: Value, to: Type) -> Value {
        self.emit(Op::Convert { op, operand: a }, to)
    }

    /// Same bits as another type; nothing where the types are the same.
    pub fn bitcast(&mut self, a: Value, to: Type) -> Value {
        if self.ty(a) == to { a } else { self.convert(ConvertOp::Bitcast, a, to) }
    }

    /// An integer resized by sign or zero extension, or truncation.
    pub fn resize(&mut self, a: Value, to: ScalarType, signed: bool) -> Value {
        let from = self.ty(a);
        let ty = from.with_scalar(to);
        match from.scalar.bits().cmp(&to.bits()) {
            std::cmp::Ordering::Equal => a,
            std::cmp::Ordering::Greater => self.convert(ConvertOp::Trunc, a, ty),
            std::cmp::Ordering::Less if signed => self.convert(ConvertOp::SExt, a, ty),
            std::cmp::Ordering::Less => self.convert(ConvertOp::ZExt, a, ty),
        }
    }

    /// One lane of a vector; a scalar is its own lane 0.
    pub fn extract(&mut self, vector: Value, lane: u8) -> Value {
        if self.ty(vector).lanes == 1 { vector } else { self.pure(Op::Extract { vector, lane }) }
    }

    pub fn insert(&mut self, vector: Value, scalar: Value, lane: u8) -> Value {
        self.pure(Op::Insert { vector, scalar, lane })
    }

    /// A vector of these scalars; of one scalar, that scalar.
    pub fn construct(&mut self, parts: &[Value]) -> Value {
        match parts {
            [one] => *one,
            _ => self.pure(Op::Construct { elements: Values::from_slice(parts) }),
        }
    }

    /// A scalar in every lane.
    pub fn splat(&mut self, scalar: Value, lanes: u8) -> Value {
        if lanes == 1 { scalar } else { self.construct(&vec![scalar; usize::from(lanes)]) }
    }

    pub fn shuffle(&mut self, a: Value, b: Value, lanes: &[u8]) -> Value {
        match lanes {
            [lane] if usize::from(*lane) < usize::from(self.ty(a).lanes) => self.extract(a, *lane),
            [lane] => {
                let lane = lane.wrapping_sub(self.ty(a).lanes);
                self.extract(b, lane)
            }
            _ => self.pure(Op::Shuffle { first: a, second: b, lanes: Lanes::from_slice(lanes) }),
        }
    }

    /// An object of private memory. The instruction is put at the start of the body region.
    pub fn alloca(&mut self, size: u64, align: u64) -> Value {
        self.alloca_as(Type::ptr(Space::Private), size, align)
    }

    /// An object of private memory, and a pointer to it of that type.
    pub fn alloca_as(&mut self, pointer: Type, size: u64, align: u64) -> Value {
        let id = self.function.new_inst(Op::Alloca { size, align }, &[pointer], self.span);
        let body = self.function.body;
        self.function.region_mut(body).insts.insert(0, id);
        self.function.inst(id).results[0]
    }

    /// `base + displacement`.
    pub fn offset(&mut self, base: Value, displacement: i64) -> Value {
        self.pure(Op::PtrAdd { base, index: None, stride: 0, displacement })
    }

    /// `base + index * stride`.
    pub fn ptr_add(&mut self, base: Value, index: Value, stride: i64) -> Value {
        self.pure(Op::PtrAdd { base, index: Some(index), stride, displacement: 0 })
    }

    pub fn load(&mut self, ty: Type, ptr: Value, align: u32) -> Value {
        self.push(Op::Load { ptr, align, volatile: false, invariant: false }, &[ty])[0]
    }

    pub fn store(&mut self, ptr: Value, value: Value, align: u32) {
        self.effect(Op::Store { ptr, value, align, volatile: false });
    }

    /// A compare-and-swap loop: `attempt` takes the value that memory is expected to hold and returns the value that it found
    /// there, until both are equal. Returns that value.
    pub fn cas_loop(&mut self, first: Value, attempt: &mut dyn FnMut(&mut Builder<'f>, Value) -> Value) -> Value {
        let ty = self.ty(first);
        let body = self.function.new_region();
        let known = self.function.add_region_param(body, ty);
        self.enter(body);
        let found = attempt(self, known);
        let again = self.compare(CompareOp::Ne, found, known);
        self.effect(Op::Continue(Values::from_slice(&[found, again])));
        self.leave();
        let continuing = self.function.new_region();
        let found = self.function.add_region_param(continuing, ty);
        let again = self.function.add_region_param(continuing, Type::BOOL);
        self.enter(continuing);
        let (next, results) = (Values::from_slice(&[found]), Values::from_slice(&[found]));
        self.effect(Op::NextIf { condition: again, next, results });
        self.leave();
        let inits = Values::from_slice(&[first]);
        self.push(Op::Loop { inits, body, continuing, hint: LoopHint::None }, &[ty])[0]
    }

    /// `for (i = first;; i += step) iteration(i)`, which `iteration` must leave by a `break` with values of these types.
    /// Returns the values.
    pub fn count_up(
        &mut self,
        (first, step): (Value, Value),
        hint: LoopHint,
        types: &[Type],
        iteration: impl FnOnce(&mut Builder<'f>, Value),
    ) -> SmallVec<[Value; 1]> {
        let ty = self.ty(first);
        let body = self.function.new_region();
        let index = self.function.add_region_param(body, ty);
        self.enter(body);
        iteration(self, index);
        self.effect(Op::Continue(Values::from_slice(&[index])));
        self.leave();
        let continuing = self.function.new_region();
        let index = self.function.add_region_param(continuing, ty);
        self.enter(continuing);
        let next = self.binary(BinaryOp::Add, index, step);
        self.effect(Op::Next(Values::from_slice(&[next])));
        self.leave();
        let inits = Values::from_slice(&[first]);
        self.push(Op::Loop { inits, body, continuing, hint }, types)
    }

    /// Leaves the innermost loop with values unless a condition holds.
    pub fn break_unless(&mut self, condition: Value, values: &[Value]) {
        let then = self.nested(|b| b.effect(Op::Yield(Values::new())));
        let otherwise = self.nested(|b| b.effect(Op::Break(values.iter().copied().collect())));
        self.effect(Op::If { condition, then, otherwise });
    }

    pub fn call(&mut self, function: FunctionId, args: &[Value], result: Option<Type>) -> Option<Value> {
        let types: SmallVec<[Type; 1]> = result.into_iter().collect();
        self.push(Op::Call { function, args: Values::from_slice(args) }, &types).first().copied()
    }
}
