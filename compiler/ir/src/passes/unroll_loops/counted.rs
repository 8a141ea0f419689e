//! Recognises loops whose remaining iterations can be counted before each of them.

use crate::analysis::LoopShape;
use crate::*;
use rustc_hash::FxHashMap;

/// The most that a counter changes by in an iteration: 15 times that is less than half of what 32 bits can count.
pub(super) const MAX_STEP: i64 = 1 << 26;
/// Additions that are followed from a counter to its next value, and operations from what is added to values from before the
/// loop.
const MAX_ADDITIONS: usize = 8;

/// What each iteration adds to a counter.
#[derive(Clone)]
pub(super) enum Step {
    Constant(i64),
    /// A value that is the same in all iterations, such as `get_global_size(0)`, and the instructions of the loop that compute
    /// it, in order. Where it is not between 1 and [`MAX_STEP`], no group is made.
    Invariant(Value, Vec<InstId>),
}

impl Step {
    /// The step, if it is a constant.
    pub fn constant(&self) -> Option<i64> {
        match self {
            Step::Constant(step) => Some(*step),
            Step::Invariant(..) => None,
        }
    }
}

/// The counter of a loop.
pub(super) struct Counter {
    /// Which of the values that the loop carries it is.
    pub index: usize,
    pub param: Value,
    /// What each iteration adds to it.
    pub step: Step,
    /// The loop goes on while the counter compares so with the bound.
    pub op: CompareOp,
    /// How the counter is extended to the bound's type.
    pub extension: Option<ConvertOp>,
    pub bound: Value,
}

impl Counter {
    /// The counter whose comparison with a value from before the loop decides whether the loop goes on.
    pub(super) fn of(function: &Function, context: &pass::FunctionContext<'_>, shape: &LoopShape) -> Option<Counter> {
        let Some(Op::Compare { op, lhs, rhs }) = function.op(shape.condition) else { return None };
        [(*op, *lhs, *rhs), (op.swapped(), *rhs, *lhs)].into_iter().find_map(|(op, counter, bound)| {
            let op = if shape.stays_if_true { op } else { op.inverse()? };
            let (param, extension) = match function.op(counter) {
                Some(Op::Convert { op: extension @ (ConvertOp::ZExt | ConvertOp::SExt), operand }) => {
                    (*operand, Some(*extension))
                }
                _ => (counter, None),
            };
            let index = function.region(shape.body).params.iter().position(|other| *other == param)?;
            let ty = function.ty(param);
            if ty.lanes != 1 || !matches!(ty.scalar, ScalarType::I32 | ScalarType::I64) {
                return None;
            }
            let additions = Additions { function, context, shape, param };
            let step = match additions.to(*shape.next.get(index)?, 0)? {
                Sum { constant, invariant: None } => Step::Constant(constant::sign_extend(ty.scalar, constant)),
                Sum { constant: 0, invariant: Some(value) } => {
                    let mut insts = Vec::new();
                    additions.computes(value, 0, &mut insts)?;
                    Step::Invariant(value, insts)
                }
                _ => return None,
            };
            let counter = Counter { index, param, step, op, extension, bound };
            counter.is_monotonic().then_some(counter)
        })
    }

    /// Whether each step approaches the bound, so that the remaining iterations are known from the distance.
    fn is_monotonic(&self) -> bool {
        use CompareOp::*;
        // Another step is tested before the loop.
        let step = self.step.constant().unwrap_or(2);
        let extended_as = match self.op {
            SLt | SLe => (step > 0).then_some(ConvertOp::SExt),
            ULt | ULe => (step > 0).then_some(ConvertOp::ZExt),
            SGt | SGe => (step < 0).then_some(ConvertOp::SExt),
            UGt | UGe => (step < 0).then_some(ConvertOp::ZExt),
            Ne => return step.abs() == 1 && self.extension.is_none(),
            _ => None,
        };
        extended_as.is_some_and(|wanted| self.extension.is_none_or(|extension| extension == wanted))
            && step.abs() <= MAX_STEP
    }

    /// The extension that, of the counter within one group of iterations, is that of its first value and the steps since:
    /// the counter does not wrap before the bound.
    pub(super) fn exact_extension(&self) -> Option<ConvertOp> {
        match self.op {
            CompareOp::Ne => None,
            _ if self.extension.is_some() => None,
            op if op.unsigned().is_some() => Some(ConvertOp::SExt),
            _ => Some(ConvertOp::ZExt),
        }
    }
}

/// What additions have added to a parameter.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Sum {
    constant: u64,
    /// A value that is the same in all iterations.
    invariant: Option<Value>,
}

/// Follows a value back to a parameter of the loop's body.
struct Additions<'f> {
    function: &'f Function,
    context: &'f pass::FunctionContext<'f>,
    shape: &'f LoopShape,
    param: Value,
}

impl Additions<'_> {
    /// What was added to the parameter on all ways to a value.
    fn to(&self, value: Value, depth: usize) -> Option<Sum> {
        if value == self.param {
            return Some(Sum::default());
        }
        if depth > MAX_ADDITIONS {
            return None;
        }
        let Additions { function, shape, .. } = self;
        match function.def(value) {
            ValueDef::RegionParam(region) if *region == shape.continuing => {
                let index = function.region(*region).params.iter().position(|param| *param == value)?;
                self.to(*shape.continued.get(index)?, depth + 1)
            }
            ValueDef::Inst(id, index) => match &function.inst(*id).op {
                Op::Binary { op: BinaryOp::Add, lhs, rhs } => {
                    // A constant is the second operand.
                    let (sum, added) = match self.to(*lhs, depth + 1) {
                        Some(sum) => (sum, *rhs),
                        None => (self.to(*rhs, depth + 1)?, *lhs),
                    };
                    self.plus(sum, added)
                }
                Op::If { then, otherwise, .. } => {
                    if let Some((_, kept)) = shape.yielded.iter().find(|(result, _)| *result == value) {
                        return self.to(*kept, depth + 1);
                    }
                    let yields = |region| match function.terminator(region) {
                        Some(Op::Yield(values)) => self.to(*values.get(*index as usize)?, depth + 1),
                        _ => None,
                    };
                    let added = yields(*then)?;
                    (yields(*otherwise)? == added).then_some(added)
                }
                _ => None,
            },
            _ => None,
        }
    }

    fn plus(&self, sum: Sum, added: Value) -> Option<Sum> {
        match self.function.as_int(added) {
            Some(constant) => Some(Sum { constant: sum.constant.wrapping_add(constant), ..sum }),
            None if sum.invariant.is_none() => {
                self.computes(added, 0, &mut Vec::new())?;
                Some(Sum { invariant: Some(added), ..sum })
            }
            None => None,
        }
    }

    /// Adds the instructions of the loop that compute a value; `None` unless it is the same in all iterations.
    fn computes(&self, value: Value, depth: usize, insts: &mut Vec<InstId>) -> Option<()> {
        if !self.shape.inside.contains(&value) {
            return Some(());
        }
        let ValueDef::Inst(id, _) = *self.function.def(value) else { return None };
        if insts.contains(&id) {
            return Some(());
        }
        let op = &self.function.inst(id).op;
        let is_argument = matches!(op, Op::VariableLoad { variable, .. } if is_argument(self.context, *variable));
        let may_be_early = is_argument || op.is_pure() && !divides(op) && op.regions().is_empty();
        if depth > MAX_ADDITIONS || insts.len() > MAX_ADDITIONS || !may_be_early {
            return None;
        }
        let mut all = Some(());
        op.for_each_operand(|operand| all = all.and_then(|()| self.computes(operand, depth + 1, insts)));
        insts.push(id);
        all
    }
}

/// Whether an operation has no result for some operands, so that it must not be executed where the program does not.
fn divides(op: &Op) -> bool {
    use BinaryOp::*;
    matches!(op, Op::Binary { op: UDiv | SDiv | URem | SRem, .. })
}

/// What the instructions of a loop may write.
#[derive(Default)]
pub(super) struct Writes {
    pub global: bool,
    local: bool,
    /// Whether it writes variables of a work-item.
    pub private: bool,
    /// Whether it may write global memory by other ways than stores to addresses.
    pub unknown: bool,
}

/// Whether a variable is one that the host has written, and nothing else writes.
pub(super) fn is_argument(context: &pass::FunctionContext<'_>, variable: VariableId) -> bool {
    let storage = context.variables.get(variable).map(|variable| variable.storage);
    matches!(storage, Some(Storage::PushConstant | Storage::Uniform { .. }))
}

/// Memory that other work-items can see.
#[derive(Clone, Copy)]
enum Shared {
    Global,
    Local,
}

impl Writes {
    /// What a loop may write; `None` if something in it must not be repeated beside itself, or be moved across.
    pub(super) fn of(function: &Function, context: &pass::FunctionContext<'_>, id: InstId) -> Option<Writes> {
        let mut writes = Some(Writes::default());
        let Op::Loop { body, continuing, .. } = function.inst(id).op else { return None };
        for region in [body, continuing] {
            function
                .walk(region, |_, inst| writes = writes.take().and_then(|writes| writes.with(function, context, inst)));
        }
        writes
    }

    fn with(mut self, function: &Function, context: &pass::FunctionContext<'_>, inst: &Inst) -> Option<Writes> {
        match &inst.op {
            Op::Load { volatile: true, .. }
            | Op::Store { volatile: true, .. }
            | Op::Atomic { .. }
            | Op::VariableAtomic { .. }
            | Op::Barrier { .. }
            | Op::Fence(_)
            | Op::Group { .. }
            | Op::Device(_)
            | Op::Enqueue { .. }
            | Op::ReadClock(_)
            | Op::Call { .. }
            | Op::Alloca { .. }
            | Op::Loop { .. } => return None,
            Op::Intrinsic { function, .. } if !function.is_pure() => return None,
            Op::Image { op, .. } if !op.is_query() => return None,
            Op::Store { ptr, .. } | Op::Matrix(MatrixOp::Store { ptr, .. }) => match function.ty(*ptr).space() {
                Some(Space::Local) => self.local = true,
                Some(Space::Private) => {}
                Some(Space::Generic) => (self.local, self.global, self.unknown) = (true, true, true),
                Some(_) => (self.global, self.unknown) = (true, true),
                None => self.global = true,
            },
            Op::VariableStore { variable, .. } | Op::MatrixVariableStore { variable, .. } => {
                match context.variables.get(*variable).map(|variable| variable.storage) {
                    Some(Storage::Function | Storage::Private) => self.private = true,
                    Some(Storage::StorageBuffer { .. }) => (self.global, self.unknown) = (true, true),
                    _ => self.local = true,
                }
            }
            _ => {}
        }
        Some(self)
    }

    /// Whether an operation is a load of shared memory that nothing in the loop writes.
    pub(super) fn keep(&self, function: &Function, context: &pass::FunctionContext<'_>, op: &Op) -> bool {
        let memory = match op {
            Op::Load { ptr, volatile: false, .. } => match function.ty(*ptr).space() {
                Some(Space::Private | Space::Generic) => return false,
                Some(Space::Local) => Shared::Local,
                _ => Shared::Global,
            },
            Op::VariableLoad { variable, .. } => {
                match context.variables.get(*variable).map(|variable| variable.storage) {
                    Some(Storage::Workgroup) => Shared::Local,
                    Some(Storage::StorageBuffer { .. }) => Shared::Global,
                    _ => return is_argument(context, *variable),
                }
            }
            _ => return false,
        };
        match memory {
            Shared::Global => !self.global,
            Shared::Local => !self.local,
        }
    }
}

/// What a value of the loop is in the iteration that many later: the value and so much more for each iteration. In the type's
/// width, wrapping.
pub(super) struct Strides(FxHashMap<Value, u64>);

impl Strides {
    /// The strides of the values that depend on nothing but the counter and what is known before the loop.
    pub(super) fn of(function: &Function, shape: &LoopShape, counter: &Counter) -> Strides {
        let mask = constant::mask(function.ty(counter.param).scalar);
        let step = counter.step.constant().map(|step| (counter.param, step.cast_unsigned() & mask));
        let mut strides = Strides(FxHashMap::from_iter(step));
        for id in &shape.insts {
            let inst = function.inst(*id);
            if let [result] = inst.results[..]
                && let Some(stride) = strides.result(function, shape, counter, &inst.op)
            {
                let stride = if stride == 0 { 0 } else { stride & constant::mask(function.ty(result).scalar) };
                strides.0.insert(result, stride);
            }
        }
        strides
    }

    pub(super) fn get(&self, value: Value) -> Option<u64> {
        self.0.get(&value).copied()
    }

    fn operand(&self, shape: &LoopShape, value: Value) -> Option<u64> {
        if shape.inside.contains(&value) { self.get(value) } else { Some(0) }
    }

    fn result(&self, function: &Function, shape: &LoopShape, counter: &Counter, op: &Op) -> Option<u64> {
        use BinaryOp::*;
        let of = |value: Value| self.operand(shape, value);
        match op {
            Op::Binary { op: Add, lhs, rhs } => Some(of(*lhs)?.wrapping_add(of(*rhs)?)),
            Op::Binary { op: Sub, lhs, rhs } => Some(of(*lhs)?.wrapping_sub(of(*rhs)?)),
            Op::Binary { op: Mul, lhs, rhs } if function.ty(*lhs).lanes == 1 => match function.as_int(*rhs) {
                Some(factor) => Some(of(*lhs)?.wrapping_mul(factor)),
                None => (of(*lhs)? == 0 && of(*rhs)? == 0).then_some(0),
            },
            Op::Binary { op: Shl, lhs, rhs } if function.as_int(*rhs).is_some_and(|count| count < 64) => {
                Some(of(*lhs)? << function.as_int(*rhs)?)
            }
            Op::Convert { op, operand } if *operand == counter.param && Some(*op) == counter.exact_extension() => {
                Some(counter.step.constant()?.cast_unsigned())
            }
            op if op.is_pure() => {
                let mut invariant = true;
                op.for_each_operand(|operand| invariant &= of(operand) == Some(0));
                invariant.then_some(0)
            }
            _ => None,
        }
    }
}
