//! The expressions of values.

use super::{Builder, Frame};
use crate::interface::iterations::NodeOp;
use clforge_ir::*;

/// Operations that are followed from a value to what it is computed from.
const MAX_DEPTH: usize = 24;

impl<'m> Builder<'m> {
    /// The node of a scalar integer, in all iterations of the loops around it.
    pub(super) fn value(&mut self, frame: &mut Frame<'m>, value: Value) -> u32 {
        self.value_at(frame, value, 0)
    }

    fn any(&mut self, ty: Type) -> u32 {
        self.node(NodeOp::Any, ty.scalar.bits(), [0; 3])
    }

    fn value_at(&mut self, frame: &mut Frame<'m>, value: Value, depth: usize) -> u32 {
        if let Some(known) = frame.values.get(&value) {
            return *known;
        }
        let (function, ty) = (frame.function, frame.function.ty(value));
        let is_number = ty.lanes == 1 && (ty.scalar.is_int() || ty.scalar == ScalarType::Bool);
        if !is_number || depth > MAX_DEPTH {
            return self.any(ty);
        }
        if let Some(bits) = function.as_int(value) {
            return self.integer(ty.scalar.bits(), bits);
        }
        let found = match *function.def(value) {
            ValueDef::FunctionParam(index) => frame.arguments.get(index as usize).copied(),
            ValueDef::Inst(id, index) => self.result(frame, id, index as usize, depth + 1),
            _ => None,
        };
        let node = found.unwrap_or_else(|| self.any(ty));
        frame.values.insert(value, node);
        node
    }

    fn result(&mut self, frame: &mut Frame<'m>, id: InstId, index: usize, depth: usize) -> Option<u32> {
        let function = frame.function;
        let inst = function.inst(id);
        let bits = function.ty(*inst.results.get(index)?).scalar.bits();
        match &inst.op {
            Op::Binary { op, lhs, rhs } => {
                let op = binary(*op)?;
                let [lhs, rhs] = [*lhs, *rhs].map(|operand| self.value_at(frame, operand, depth));
                Some(self.node(op, bits, [lhs, rhs, 0]))
            }
            Op::Unary { op: UnaryOp::Neg, operand } => {
                let (zero, operand) = (self.integer(bits, 0), self.value_at(frame, *operand, depth));
                Some(self.node(NodeOp::Sub, bits, [zero, operand, 0]))
            }
            Op::Convert { op, operand } => self.converted(frame, (*op, *operand), bits, depth),
            Op::Select { condition, if_true, if_false } => {
                let op = self.chooses(frame, *condition, (*if_true, *if_false)).unwrap_or(NodeOp::Either);
                let [first, second] = [*if_true, *if_false].map(|operand| self.value_at(frame, operand, depth));
                Some(self.node(op, bits, [first, second, 0]))
            }
            Op::If { then, otherwise, .. } => {
                let yielded = |region| match function.terminator(region) {
                    Some(Op::Yield(values)) => values.get(index).copied(),
                    _ => None,
                };
                match (yielded(*then), yielded(*otherwise)) {
                    (Some(first), Some(second)) => {
                        let [first, second] = [first, second].map(|operand| self.value_at(frame, operand, depth));
                        Some(self.node(NodeOp::Either, bits, [first, second, 0]))
                    }
                    // The other side leaves.
                    (Some(only), None) | (None, Some(only)) => Some(self.value_at(frame, only, depth)),
                    (None, None) => None,
                }
            }
            Op::Extract { vector, lane } => self.lane(frame, *vector, u32::from(*lane), depth),
            Op::VariableLoad { .. } if bits == 32 => self.lane(frame, *inst.results.first()?, 0, depth),
            Op::Input { input, dim } => {
                let op = match input {
                    Input::GlobalInvocationId => NodeOp::GlobalId,
                    Input::LocalInvocationId => NodeOp::LocalId,
                    Input::WorkgroupId | Input::NumWorkgroups => NodeOp::GroupId,
                    Input::WorkgroupSize => NodeOp::LocalSize,
                    _ => return None,
                };
                Some(self.node(op, bits, [u32::from(*dim), 0, 0]))
            }
            _ => None,
        }
    }

    fn converted(
        &mut self,
        frame: &mut Frame<'m>,
        (op, operand): (ConvertOp, Value),
        bits: u32,
        depth: usize,
    ) -> Option<u32> {
        let from = frame.function.ty(operand);
        let op = match op {
            ConvertOp::Trunc => NodeOp::Trunc,
            ConvertOp::SExt => NodeOp::SExt,
            ConvertOp::ZExt => NodeOp::ZExt,
            ConvertOp::Bitcast if bits == 64 && from == Type::vector(ScalarType::I32, 2) => {
                let [low, high] = [0, 1].map(|lane| self.lane(frame, operand, lane, depth));
                return Some(self.node(NodeOp::Join, 64, [low?, high?, 0]));
            }
            _ => return None,
        };
        let operand = self.value_at(frame, operand, depth);
        Some(self.node(op, bits, [operand, 0, 0]))
    }

    /// Whether a selection is of the lesser or the greater one of two values.
    fn chooses(&self, frame: &Frame<'m>, condition: Value, (if_true, if_false): (Value, Value)) -> Option<NodeOp> {
        use CompareOp::{SGe, SGt, SLe, SLt};
        let Some(Op::Compare { op, lhs, rhs }) = frame.function.op(condition) else { return None };
        let op = match (*lhs, *rhs) {
            same if same == (if_true, if_false) => *op,
            same if same == (if_false, if_true) => op.swapped(),
            _ => return None,
        };
        match op {
            SLt | SLe => Some(NodeOp::SMin),
            SGt | SGe => Some(NodeOp::SMax),
            _ => None,
        }
    }

    /// A lane of 32 bits of a vector, or a scalar of 32 bits that was loaded.
    fn lane(&mut self, frame: &mut Frame<'m>, vector: Value, lane: u32, depth: usize) -> Option<u32> {
        let function = frame.function;
        match function.op(vector)? {
            Op::Construct { elements } => Some(self.value_at(frame, *elements.get(lane as usize)?, depth)),
            Op::VariableLoad { variable, index } => {
                let variable = self.module.variables.get(*variable)?;
                let loaded = function.ty(vector);
                if loaded.scalar != ScalarType::I32 || variable.element.scalar != ScalarType::I32 {
                    return None;
                }
                // An index counts lanes where one is loaded.
                let lanes = if loaded.lanes == 1 { 1 } else { u32::from(variable.element.lanes) };
                let index = index.map_or(Some(0), |index| function.as_int(index))?;
                let offset = u32::try_from(index).ok()?.checked_mul(lanes)?.checked_add(lane)?.checked_mul(4)?;
                match variable.storage {
                    storage @ (Storage::PushConstant | Storage::Uniform { .. }) => Some(self.word(storage, offset)),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

fn binary(op: BinaryOp) -> Option<NodeOp> {
    Some(match op {
        BinaryOp::Add => NodeOp::Add,
        BinaryOp::Sub => NodeOp::Sub,
        BinaryOp::Mul => NodeOp::Mul,
        BinaryOp::SDiv => NodeOp::SDiv,
        BinaryOp::UDiv => NodeOp::UDiv,
        BinaryOp::SRem => NodeOp::SRem,
        BinaryOp::URem => NodeOp::URem,
        BinaryOp::Shl => NodeOp::Shl,
        BinaryOp::LShr => NodeOp::LShr,
        BinaryOp::AShr => NodeOp::AShr,
        BinaryOp::And => NodeOp::And,
        BinaryOp::Or | BinaryOp::Xor => NodeOp::Or,
        _ => return None,
    })
}
