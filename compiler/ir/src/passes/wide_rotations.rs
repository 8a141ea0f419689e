//! `wide_rotations`: rotations of 64 bits by a constant are replaced by the upper words of two shifts.
//!
//! GPUs have registers of 32 bits. NVIDIA's driver (580.159) compiles two shifts of 64 bits and an `or` to six
//! instructions, but the upper word of a left shift to one. Let y be x with its words exchanged. For n < 32, the words
//! of x rotated by n are upper(x << n) and upper(y << n), two instructions. For n >= 32, x and y are exchanged and n is
//! reduced by 32. Hash functions mostly consist of rotations, which are written `x << n | x >> (64 - n)` at this point.

use crate::pass::{Changed, FunctionContext, FunctionPass, Order};
use crate::*;
use clforge_basic::source::Span;

/// Bits of a value, and of its words.
const WIDTH: u64 = 64;
const WORD: u64 = 32;

/// The pass.
pub struct WideRotations;

impl FunctionPass for WideRotations {
    fn name(&self) -> &'static str {
        "wide_rotations"
    }

    fn order(&self) -> Order {
        Order { after: &["if_conversion"], ..Order::ANY }
    }

    fn run(&self, function: &mut Function, _: &FunctionContext<'_>) -> Changed {
        let mut changed = Changed::No;
        function.insert_before_each(|function, id, before| {
            if let Some((value, count)) = rotation(function, id) {
                changed = Changed::Maybe;
                let words = Words { span: function.inst(id).span, function, before };
                let result = words.rotated(value, count);
                function.inst_mut(id).op = result;
            }
        });
        changed
    }
}

/// The value that an instruction rotates to the left, and by how many bits.
pub fn rotation(function: &Function, id: InstId) -> Option<(Value, u64)> {
    let Op::Binary { op: BinaryOp::Or | BinaryOp::Xor | BinaryOp::Add, lhs, rhs } = function.inst(id).op else {
        return None;
    };
    let shift = |value: Value| match function.op(value)? {
        Op::Binary { op: op @ (BinaryOp::Shl | BinaryOp::LShr), lhs, rhs } => Some((*op, *lhs, function.as_int(*rhs)?)),
        _ => None,
    };
    let (left, right) = match (shift(lhs)?, shift(rhs)?) {
        (left @ (BinaryOp::Shl, ..), right @ (BinaryOp::LShr, ..)) => (left, right),
        (right @ (BinaryOp::LShr, ..), left @ (BinaryOp::Shl, ..)) => (left, right),
        _ => return None,
    };
    let is_rotation = left.1 == right.1 && (1..WIDTH).contains(&left.2) && left.2 + right.2 == WIDTH;
    (function.ty(lhs) == Type::I64 && is_rotation).then_some((left.1, left.2))
}

/// Instructions on the words of a value.
struct Words<'f> {
    function: &'f mut Function,
    before: &'f mut Vec<InstId>,
    span: Span,
}

impl Words<'_> {
    fn emit(&mut self, op: Op, ty: Type) -> Value {
        let inst = self.function.new_inst(op, &[ty], self.span);
        self.before.push(inst);
        self.function.inst(inst).results[0]
    }

    fn bitcast(&mut self, operand: Value, ty: Type) -> Value {
        self.emit(Op::Convert { op: ConvertOp::Bitcast, operand }, ty)
    }

    fn word(&mut self, value: Value, index: u8) -> Value {
        let vector = self.bitcast(value, Type::vector(ScalarType::I32, 2));
        self.emit(Op::Extract { vector, lane: index }, Type::I32)
    }

    /// The words as a vector.
    fn pair(&mut self, low: Value, high: Value) -> Value {
        self.emit(Op::Construct { elements: [low, high].into_iter().collect() }, Type::vector(ScalarType::I32, 2))
    }

    /// The upper word of a value after a shift to the left.
    fn upper(&mut self, lhs: Value, count: u64) -> Value {
        let rhs = self.function.constant(Constant::int(Type::I64, count));
        let shifted = self.emit(Op::Binary { op: BinaryOp::Shl, lhs, rhs }, Type::I64);
        self.word(shifted, 1)
    }

    /// The last operation of a rotation.
    fn rotated(mut self, value: Value, count: u64) -> Op {
        let (low, high) = (self.word(value, 0), self.word(value, 1));
        let exchanged = self.pair(high, low);
        let operand = if count == WORD {
            exchanged
        } else {
            let exchanged = self.bitcast(exchanged, Type::I64);
            let (upper, lower) = if count < WORD { (value, exchanged) } else { (exchanged, value) };
            let (high, low) = (self.upper(upper, count % WORD), self.upper(lower, count % WORD));
            self.pair(low, high)
        };
        Op::Convert { op: ConvertOp::Bitcast, operand }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interpret::Machine;
    use crate::read::read;
    use clforge_basic::options::Options;

    #[test]
    fn every_count_rotates() {
        for count in 1..64_u32 {
            for (op, shifts) in [("or", ["shl", "lshr"]), ("xor", ["lshr", "shl"]), ("add", ["shl", "lshr"])] {
                let counts = if shifts[0] == "shl" { [count, 64 - count] } else { [64 - count, count] };
                let text = format!(
                    "func @f(%0: i64) -> i64 {{\n  %1: i64 = {} %0, i64 {}\n  %2: i64 = {} %0, i64 {}\n  \
                     %3: i64 = {op} %1, %2\n  return %3\n}}\n",
                    shifts[0], counts[0], shifts[1], counts[1]
                );
                let mut module = read(&text).expect("it reads");
                let Module { functions, variables, globals, .. } = &mut module;
                let options = Options::default();
                let context = FunctionContext { options: &options, variables, globals, effects: Default::default() };
                assert_eq!(WideRotations.run(&mut functions[FunctionId::from(0)], &context), Changed::Maybe);
                for value in [1_u64, 1 << 63, 0x0123_4567_89AB_CDEF, 0xFFFF_0000_F0F0_1234] {
                    let found = Machine::new(&module).run("f", &[value]).expect("a result");
                    assert_eq!(found, [value.rotate_left(count)], "{value:#x} by {count}");
                }
            }
        }
    }
}
