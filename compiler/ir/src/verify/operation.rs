//! Operations on values: their operands and results.

use super::*;

impl Verifier<'_> {
    pub(super) fn value_operation(&self, op: &Op, found: &[Type]) -> Check {
        match op {
            Op::Intrinsic { function, args } => return self.intrinsic(*function, args, found),
            Op::Call { function, args } => return self.call(*function, args, found),
            Op::Convert { op, operand } => return convert(*op, self.ty(*operand), only_result(found)?),
            Op::Check { good, what, other, .. } => {
                let (good, ty) = (self.ty(*good), self.ty(*what));
                operands(good == ty.with_scalar(ScalarType::Bool), "the condition is no bool, or has other lanes")?;
                operands(ty.scalar.is_int() && ty == self.ty(*other), "not two integers of one type")?;
                return results(found, &[]);
            }
            Op::Unary { op, operand } => unary(*op, self.ty(*operand))?,
            Op::Binary { op, lhs, rhs } => {
                operands(self.ty(*lhs) == self.ty(*rhs), "operand types differ")?;
                binary(*op, self.ty(*lhs))?;
            }
            Op::Compare { op, lhs, rhs } => {
                operands(self.ty(*lhs) == self.ty(*rhs), "operand types differ")?;
                compare(*op, self.ty(*lhs))?;
            }
            Op::Select { condition, if_true, if_false } => {
                let (choice, ty) = (self.ty(*condition), self.ty(*if_true));
                let lanes = choice.lanes == 1 || choice.lanes == ty.lanes;
                operands(choice.scalar == ScalarType::Bool && lanes, "the condition is no bool, or has other lanes")?;
                operands(ty == self.ty(*if_false), "operand types differ")?;
            }
            op => self.lanes(op, found)?,
        }
        self.implied_result(op, found)
    }

    /// Operations on the lanes of vectors.
    fn lanes(&self, op: &Op, found: &[Type]) -> Check {
        match op {
            Op::Extract { vector, lane } => self.lane(*vector, *lane),
            Op::Insert { vector, scalar, lane } => {
                self.lane(*vector, *lane)?;
                self.operand(*scalar, self.ty(*vector).lane(), "scalar")
            }
            Op::ExtractDynamic { vector, index } => {
                self.lane(*vector, 0)?;
                self.operand(*index, Type::I32, "index")
            }
            Op::InsertDynamic { vector, scalar, index } => {
                self.lane(*vector, 0)?;
                self.operand(*scalar, self.ty(*vector).lane(), "scalar")?;
                self.operand(*index, Type::I32, "index")
            }
            Op::Construct { elements } => {
                let ty = only_result(found)?;
                operands(ty.is_vector() && elements.len() == usize::from(ty.lanes), "not one element for each lane")?;
                elements.iter().try_for_each(|element| self.operand(*element, ty.lane(), "element"))
            }
            Op::Shuffle { first, second, lanes } => {
                let ty = self.ty(*first);
                operands(ty == self.ty(*second), "operand types differ")?;
                let known = |lane: &u8| *lane == u8::MAX || *lane < ty.lanes * 2;
                operands(lanes.len() > 1 && lanes.iter().all(known), "no such lane")
            }
            op => violation(Rule::Operands, format!("not an operation on lanes: {op:?}")),
        }
    }

    fn lane(&self, vector: Value, lane: u8) -> Check {
        let ty = self.ty(vector);
        operands(ty.is_vector() && lane < ty.lanes, "no such lane")
    }

    /// The result has the type that the operands imply.
    pub(super) fn implied_result(&self, op: &Op, found: &[Type]) -> Check {
        match inst::result_type(op, |value| self.ty(value)) {
            Some(expected) => results(found, &[expected]),
            None => violation(Rule::Results, "the operands imply no type of the result"),
        }
    }

    fn call(&self, callee: FunctionId, args: &[Value], found: &[Type]) -> Check {
        let Some(callee) = self.module.functions.get(callee) else {
            return violation(Rule::Operands, "there is no such function");
        };
        let params: Vec<Type> = callee.params.iter().map(|param| callee.ty(*param)).collect();
        operands(self.types(args) == params, "the types of the arguments differ from the parameters'")?;
        results(found, callee.result.as_slice())
    }
}

pub(super) fn unary(op: UnaryOp, ty: Type) -> Check {
    let good = match op {
        UnaryOp::Neg => ty.scalar.is_int(),
        UnaryOp::Not => ty.scalar.is_int() || ty.scalar == ScalarType::Bool,
        UnaryOp::FNeg => ty.scalar.is_float(),
    };
    require(good, Rule::Operands, || format!("{} of {ty}", op.text()))
}

pub(super) fn binary(op: BinaryOp, ty: Type) -> Check {
    use BinaryOp::*;
    let good = match op {
        Add | Sub | Mul | SDiv | UDiv | SRem | URem | Shl | LShr | AShr => ty.scalar.is_int(),
        And | Or | Xor => ty.scalar.is_int() || ty.scalar == ScalarType::Bool,
        FAdd | FSub | FMul | FDiv => ty.scalar.is_float(),
    };
    require(good, Rule::Operands, || format!("{} of {ty}", op.text()))
}

fn compare(op: CompareOp, ty: Type) -> Check {
    use CompareOp::*;
    let is_pointer = ty.space().is_some();
    let is_handle = matches!(ty.scalar, ScalarType::Opaque(Opaque::Queue | Opaque::ClkEvent));
    let good = match op {
        Eq | Ne => ty.scalar.is_int() || ty.scalar == ScalarType::Bool || is_pointer || is_handle,
        SLt | SLe | SGt | SGe => ty.scalar.is_int(),
        ULt | ULe | UGt | UGe => ty.scalar.is_int() || is_pointer,
        FEq | FNe | FLt | FLe | FGt | FGe | FOrd | FUno => ty.scalar.is_float(),
    };
    require(good, Rule::Operands, || format!("{} of {ty}", op.text()))
}

pub(super) fn convert(op: ConvertOp, from: Type, to: Type) -> Check {
    use ConvertOp::*;
    let lanes = from.lanes == to.lanes;
    let (f, t) = (from.scalar, to.scalar);
    let good = match op {
        Trunc => lanes && f.is_int() && t.is_int() && t.bits() < f.bits(),
        ZExt | SExt => lanes && (f.is_int() || f == ScalarType::Bool) && t.is_int() && t.bits() > f.bits(),
        FTrunc => lanes && f.is_float() && t.is_float() && t.bits() < f.bits(),
        FExt => lanes && f.is_float() && t.is_float() && t.bits() > f.bits(),
        FToS | FToU => lanes && f.is_float() && t.is_int(),
        SToF | UToF => lanes && f.is_int() && t.is_float(),
        Bitcast => from.bits() == to.bits() && is_number(f) && is_number(t),
        // Of a pointer of 32 bits, 64 are its value before it is packed: see `vulkan/memory`.
        PtrToInt => from.space().is_some() && (to == Type::I64 || to == Type::I32 && f.bits() == 32),
        IntToPtr => to.space().is_some() && f.is_int() && !from.is_vector() && f.bits() == t.bits(),
        PtrCastChecked => from.space() == Some(Space::Generic) && to.space().is_some(),
        PtrCast => match (from.space(), to.space()) {
            (Some(from), Some(to)) => from == to || from == Space::Generic || to == Space::Generic,
            (None, _) | (_, None) => false,
        },
    };
    require(good, Rule::Operands, || format!("{} from {from} to {to}", op.text()))
}

/// Whether values have bits that mean a number.
fn is_number(scalar: ScalarType) -> bool {
    scalar.is_int() || scalar.is_float()
}
