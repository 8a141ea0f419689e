//! Which values and regions an operation has.

use super::inst::Op;
use super::{RegionId, Value};
use smallvec::SmallVec;

/// Calls a function on every operand of an operation, in the order of its text. One list for reading and for changing:
/// what `$op` is, a shared or an exclusive reference, decides which references the function gets, and `$visit` is
/// the method that does the same for the families of [`super::operations`].
macro_rules! each_operand {
    ($op:expr, $f:ident, $visit:ident) => {
        match $op {
            Op::Unary { operand: only, .. }
            | Op::Convert { operand: only, .. }
            | Op::Extract { vector: only, .. }
            | Op::Load { ptr: only, .. }
            | Op::If { condition: only, .. } => $f(only),
            Op::Binary { lhs: first, rhs: second, .. }
            | Op::Compare { lhs: first, rhs: second, .. }
            | Op::Insert { vector: first, scalar: second, .. }
            | Op::ExtractDynamic { vector: first, index: second }
            | Op::Shuffle { first, second, .. }
            | Op::Store { ptr: first, value: second, .. } => {
                $f(first);
                $f(second);
            }
            Op::Select { condition: first, if_true: second, if_false: third }
            | Op::InsertDynamic { vector: first, scalar: second, index: third } => {
                $f(first);
                $f(second);
                $f(third);
            }
            Op::PtrAdd { base, index, .. } => {
                $f(base);
                index.into_iter().for_each($f);
            }
            Op::Construct { elements: values }
            | Op::Intrinsic { args: values, .. }
            | Op::Call { args: values, .. }
            | Op::Loop { inits: values, .. }
            | Op::Yield(values)
            | Op::Break(values)
            | Op::Continue(values)
            | Op::Fallthrough(values)
            | Op::Next(values) => values.into_iter().for_each($f),
            Op::Image { op, image, .. } => {
                $f(image);
                op.$visit($f);
            }
            Op::Group { op, .. } => op.$visit($f),
            Op::Device(op) => op.$visit($f),
            Op::Enqueue { op, block, local_sizes, .. } => {
                op.$visit(&mut $f);
                $f(block);
                local_sizes.into_iter().for_each($f);
            }
            Op::Atomic { ptr, operands, .. } => {
                $f(ptr);
                operands.into_iter().for_each($f);
            }
            Op::VariableLoad { index, .. } => index.into_iter().for_each($f),
            Op::VariableStore { index, value, .. } => index.into_iter().chain([value]).for_each($f),
            Op::VariableAtomic { index, operands, .. } => index.into_iter().chain(operands).for_each($f),
            Op::Switch { selector, inputs, .. } => {
                $f(selector);
                inputs.into_iter().for_each($f);
            }
            Op::NextIf { condition, next, results } => {
                $f(condition);
                next.into_iter().chain(results).for_each($f);
            }
            Op::Return(value) => value.into_iter().for_each($f),
            Op::GlobalAddress(_)
            | Op::WorkItem { .. }
            | Op::Alloca { .. }
            | Op::Barrier { .. }
            | Op::Fence(_)
            | Op::ReadClock(_)
            | Op::Input { .. }
            | Op::Sampler(_)
            | Op::Resource { .. }
            | Op::SpecConstant(_)
            | Op::Unreachable => {}
        }
    };
}

impl Op {
    /// Calls `f` on every value operand.
    pub fn for_each_operand(&self, mut f: impl FnMut(Value)) {
        self.visit_operands(&mut |value| f(*value));
    }

    /// Calls `f` on every value operand, to change it.
    pub fn for_each_operand_mut(&mut self, mut f: impl FnMut(&mut Value)) {
        self.visit_operands_mut(&mut f);
    }

    /// Not generic, so that the long `match` is compiled once.
    fn visit_operands(&self, mut f: &mut dyn FnMut(&Value)) {
        each_operand!(self, f, visit);
    }

    fn visit_operands_mut(&mut self, mut f: &mut dyn FnMut(&mut Value)) {
        each_operand!(self, f, visit_mut);
    }

    /// Whether it has regions.
    #[inline]
    pub fn is_structured(&self) -> bool {
        matches!(self, Op::If { .. } | Op::Switch { .. } | Op::Loop { .. })
    }

    /// The regions nested directly in it, in order of execution.
    #[inline]
    pub fn regions(&self) -> SmallVec<[RegionId; 2]> {
        // Inlined, since nearly all operations have none.
        if self.is_structured() { self.nested() } else { SmallVec::new() }
    }

    fn nested(&self) -> SmallVec<[RegionId; 2]> {
        match self {
            Op::If { then, otherwise, .. } => SmallVec::from_slice(&[*then, *otherwise]),
            Op::Loop { body, continuing, .. } => SmallVec::from_slice(&[*body, *continuing]),
            Op::Switch { cases, .. } => cases.iter().map(|case| case.region).collect(),
            _ => SmallVec::new(),
        }
    }

    /// Calls `f` on every region nested directly in it, to change it; the order is that of [`Op::regions`].
    pub fn for_each_region_mut(&mut self, mut f: impl FnMut(&mut RegionId)) {
        match self {
            Op::If { then: first, otherwise: second, .. } | Op::Loop { body: first, continuing: second, .. } => {
                f(first);
                f(second);
            }
            Op::Switch { cases, .. } => cases.iter_mut().for_each(|case| f(&mut case.region)),
            _ => {}
        }
    }
}
