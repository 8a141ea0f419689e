//! Operations that are the same in both environments.

use super::{Environment, FunctionEmitter};
use clforge_ir::*;
use rspirv::dr::Operand;
use rspirv::spirv::{self, Word};

impl FunctionEmitter<'_> {
    /// Writes an operation that is neither structured nor a terminator.
    pub(super) fn arithmetic<E: Environment>(&mut self, env: &mut E, id: InstId) -> Result<(), Error> {
        let function = self.function;
        let inst = function.inst(id);
        match &inst.op {
            Op::Unary { .. }
            | Op::Binary { .. }
            | Op::Compare { .. }
            | Op::Select { .. }
            | Op::Extract { .. }
            | Op::Insert { .. }
            | Op::ExtractDynamic { .. }
            | Op::InsertDynamic { .. }
            | Op::Construct { .. }
            | Op::Shuffle { .. } => {
                let result = inst.result()?;
                self.value_op(env, &inst.op, result)
            }
            Op::Convert { op, operand }
                if !matches!(
                    op,
                    ConvertOp::PtrToInt | ConvertOp::IntToPtr | ConvertOp::PtrCast | ConvertOp::PtrCastChecked
                ) =>
            {
                let result = inst.result()?;
                self.convert(env, *op, *operand, result)
            }
            Op::Call { function: callee, args } => {
                let id = *self.functions.get(*callee).or_internal("no such function")?;
                let mut operands = vec![Operand::IdRef(id)];
                for arg in args {
                    operands.push(Operand::IdRef(self.id(env, *arg)));
                }
                operands.extend(env.more_args(*callee)?.into_iter().map(Operand::IdRef));
                match inst.results.first() {
                    Some(result) => {
                        let (id, ty) = (self.id(env, *result), self.type_of(env, *result));
                        self.push_as(id, spirv::Op::FunctionCall, ty, operands)
                    }
                    None => {
                        let void = self.m.void();
                        self.push(spirv::Op::FunctionCall, void, operands).map(drop)
                    }
                }
            }
            _ => env.op(self, id),
        }
    }

    /// Writes `op` with ids as operands as the result `value`.
    pub fn define<E: Environment>(
        &mut self,
        env: &mut E,
        value: Value,
        op: spirv::Op,
        args: &[Word],
    ) -> Result<(), Error> {
        let (id, ty) = (self.id(env, value), self.type_of(env, value));
        let operands = args.iter().map(|arg| Operand::IdRef(*arg)).collect();
        if is_signed(op)
            && let Some(signed) = self.m.signed(self.function.ty(value).lanes)
        {
            return self.signed(id, op, ty, signed, operands);
        }
        self.push_as(id, op, ty, operands)
    }

    /// An operation on signed integers, for translators. `signed` is the type of these.
    pub fn signed(
        &mut self,
        id: Word,
        op: spirv::Op,
        ty: Word,
        signed: Word,
        mut operands: Vec<Operand>,
    ) -> Result<(), Error> {
        let converted = match op {
            spirv::Op::ConvertFToS => 0..0,
            // A count is unsigned, and so is a place.
            spirv::Op::ShiftRightArithmetic | spirv::Op::BitFieldSExtract => 0..1,
            // The instruction set and the number.
            spirv::Op::ExtInst => 2..operands.len(),
            _ => 0..operands.len(),
        };
        for operand in &mut operands[converted] {
            *operand = Operand::IdRef(self.push(spirv::Op::Bitcast, signed, vec![operand.clone()])?);
        }
        if op == spirv::Op::ConvertSToF {
            return self.push_as(id, op, ty, operands);
        }
        let value = self.push(op, signed, operands)?;
        self.push_as(id, spirv::Op::Bitcast, ty, vec![Operand::IdRef(value)])
    }

    fn value_op<E: Environment>(&mut self, env: &mut E, op: &Op, result: Value) -> Result<(), Error> {
        match op {
            Op::Unary { op, operand } => {
                let is_bool = self.function.ty(*operand).scalar == ScalarType::Bool;
                let operand = self.id(env, *operand);
                let op = match op {
                    UnaryOp::Neg => spirv::Op::SNegate,
                    UnaryOp::Not if is_bool => spirv::Op::LogicalNot,
                    UnaryOp::Not => spirv::Op::Not,
                    UnaryOp::FNeg => spirv::Op::FNegate,
                };
                self.define(env, result, op, &[operand])
            }
            Op::Binary { op, lhs, rhs } => self.binary(env, *op, *lhs, *rhs, result),
            Op::Compare { op, lhs, rhs } => self.compare(env, *op, *lhs, *rhs, result),
            Op::Select { condition: choice, if_true, if_false } => {
                let mut condition = self.id(env, *choice);
                let lanes = self.function.ty(*if_true).lanes;
                if lanes > 1 && self.function.ty(*choice).lanes == 1 && !self.m.at_least(1, 4) {
                    let vector = Type::vector(ScalarType::Bool, lanes);
                    let ty = self.type_id(env, vector);
                    let undef = self.m.constant(&Constant::Undef(vector));
                    let parts = vec![Operand::IdRef(condition), Operand::IdRef(undef), Operand::LiteralBit32(0)];
                    let first = self.push(spirv::Op::CompositeInsert, ty, parts)?;
                    let mut parts = vec![Operand::IdRef(first), Operand::IdRef(first)];
                    parts.extend((0..lanes).map(|_| Operand::LiteralBit32(0)));
                    condition = self.push(spirv::Op::VectorShuffle, ty, parts)?;
                }
                let (if_true, if_false) = (self.id(env, *if_true), self.id(env, *if_false));
                self.define(env, result, spirv::Op::Select, &[condition, if_true, if_false])
            }
            Op::Construct { elements } => {
                let parts: Vec<Word> = elements.iter().map(|value| self.id(env, *value)).collect();
                self.define(env, result, spirv::Op::CompositeConstruct, &parts)
            }
            Op::ExtractDynamic { vector, index } => {
                let args = [self.id(env, *vector), self.id(env, *index)];
                self.define(env, result, spirv::Op::VectorExtractDynamic, &args)
            }
            Op::InsertDynamic { vector, scalar, index } => {
                let args = [self.id(env, *vector), self.id(env, *scalar), self.id(env, *index)];
                self.define(env, result, spirv::Op::VectorInsertDynamic, &args)
            }
            _ => self.lanes(env, op, result),
        }
    }

    /// Operations with literal lane numbers.
    fn lanes<E: Environment>(&mut self, env: &mut E, op: &Op, result: Value) -> Result<(), Error> {
        let (id, ty) = (self.id(env, result), self.type_of(env, result));
        match op {
            Op::Extract { vector, lane } => {
                let operands = vec![Operand::IdRef(self.id(env, *vector)), Operand::LiteralBit32(u32::from(*lane))];
                self.push_as(id, spirv::Op::CompositeExtract, ty, operands)
            }
            Op::Insert { vector, scalar, lane } => {
                let (vector, scalar) = (self.id(env, *vector), self.id(env, *scalar));
                let lane = Operand::LiteralBit32(u32::from(*lane));
                let operands = vec![Operand::IdRef(scalar), Operand::IdRef(vector), lane];
                self.push_as(id, spirv::Op::CompositeInsert, ty, operands)
            }
            Op::Shuffle { first, second, lanes } => {
                let mut operands = vec![Operand::IdRef(self.id(env, *first)), Operand::IdRef(self.id(env, *second))];
                operands.extend(
                    lanes
                        .iter()
                        .map(|lane| Operand::LiteralBit32(if *lane == u8::MAX { u32::MAX } else { u32::from(*lane) })),
                );
                self.push_as(id, spirv::Op::VectorShuffle, ty, operands)
            }
            _ => Err(Error::internal("not an operation on lanes")),
        }
    }

    fn binary<E: Environment>(
        &mut self,
        env: &mut E,
        op: BinaryOp,
        left: Value,
        right: Value,
        result: Value,
    ) -> Result<(), Error> {
        let is_bool = self.function.ty(left).scalar == ScalarType::Bool;
        if op == BinaryOp::Mul && self.lower_half(env, (left, right), result)? {
            return Ok(());
        }
        let (a, b) = (self.id(env, left), self.id(env, right));
        let op = match op {
            BinaryOp::SRem if env.is_vulkan() => {
                // OpSRem is undefined for negative operands in Vulkan.
                let ty = self.type_of(env, result);
                let (quotient, operands) = (self.m.id(), vec![Operand::IdRef(a), Operand::IdRef(b)]);
                match self.m.signed(self.function.ty(result).lanes) {
                    Some(signed) => self.signed(quotient, spirv::Op::SDiv, ty, signed, operands)?,
                    None => self.push_as(quotient, spirv::Op::SDiv, ty, operands)?,
                }
                let product = self.push(spirv::Op::IMul, ty, vec![Operand::IdRef(quotient), Operand::IdRef(b)])?;
                return self.define(env, result, spirv::Op::ISub, &[a, product]);
            }
            BinaryOp::Add => spirv::Op::IAdd,
            BinaryOp::Sub => spirv::Op::ISub,
            BinaryOp::Mul => spirv::Op::IMul,
            BinaryOp::SDiv => spirv::Op::SDiv,
            BinaryOp::UDiv => spirv::Op::UDiv,
            BinaryOp::SRem => spirv::Op::SRem,
            BinaryOp::URem => spirv::Op::UMod,
            BinaryOp::Shl => spirv::Op::ShiftLeftLogical,
            BinaryOp::LShr => spirv::Op::ShiftRightLogical,
            BinaryOp::AShr => spirv::Op::ShiftRightArithmetic,
            BinaryOp::And if is_bool => spirv::Op::LogicalAnd,
            BinaryOp::Or if is_bool => spirv::Op::LogicalOr,
            BinaryOp::Xor if is_bool => spirv::Op::LogicalNotEqual,
            BinaryOp::And => spirv::Op::BitwiseAnd,
            BinaryOp::Or => spirv::Op::BitwiseOr,
            BinaryOp::Xor => spirv::Op::BitwiseXor,
            BinaryOp::FAdd => spirv::Op::FAdd,
            BinaryOp::FSub => spirv::Op::FSub,
            BinaryOp::FMul => spirv::Op::FMul,
            BinaryOp::FDiv => spirv::Op::FDiv,
        };
        self.define(env, result, op, &[a, b])?;
        if matches!(op, spirv::Op::FAdd | spirv::Op::FSub | spirv::Op::FMul | spirv::Op::FDiv)
            && env.no_contraction(self.function)
        {
            let id = self.id(env, result);
            self.uncontracted.push(id);
        }
        Ok(())
    }

    fn compare<E: Environment>(
        &mut self,
        env: &mut E,
        op: CompareOp,
        left: Value,
        right: Value,
        result: Value,
    ) -> Result<(), Error> {
        let ty = self.function.ty(left);
        let (mut a, mut b) = (self.id(env, left), self.id(env, right));
        if ty.space().is_some() {
            let int = self.type_id(env, Type::I64);
            a = self.push(spirv::Op::ConvertPtrToU, int, vec![Operand::IdRef(a)])?;
            b = self.push(spirv::Op::ConvertPtrToU, int, vec![Operand::IdRef(b)])?;
        }
        let is_bool = ty.scalar == ScalarType::Bool;
        let op = match op {
            CompareOp::Eq if is_bool => spirv::Op::LogicalEqual,
            CompareOp::Ne if is_bool => spirv::Op::LogicalNotEqual,
            CompareOp::Eq => spirv::Op::IEqual,
            CompareOp::Ne => spirv::Op::INotEqual,
            CompareOp::SLt => spirv::Op::SLessThan,
            CompareOp::SLe => spirv::Op::SLessThanEqual,
            CompareOp::SGt => spirv::Op::SGreaterThan,
            CompareOp::SGe => spirv::Op::SGreaterThanEqual,
            CompareOp::ULt => spirv::Op::ULessThan,
            CompareOp::ULe => spirv::Op::ULessThanEqual,
            CompareOp::UGt => spirv::Op::UGreaterThan,
            CompareOp::UGe => spirv::Op::UGreaterThanEqual,
            CompareOp::FEq => spirv::Op::FOrdEqual,
            CompareOp::FNe => spirv::Op::FUnordNotEqual,
            CompareOp::FLt => spirv::Op::FOrdLessThan,
            CompareOp::FLe => spirv::Op::FOrdLessThanEqual,
            CompareOp::FGt => spirv::Op::FOrdGreaterThan,
            CompareOp::FGe => spirv::Op::FOrdGreaterThanEqual,
            CompareOp::FOrd | CompareOp::FUno => {
                let bools = self.type_of(env, result);
                let mut nan = self.push(spirv::Op::IsNan, bools, vec![Operand::IdRef(a)])?;
                if a != b {
                    let other = self.push(spirv::Op::IsNan, bools, vec![Operand::IdRef(b)])?;
                    nan = self.push(spirv::Op::LogicalOr, bools, vec![Operand::IdRef(nan), Operand::IdRef(other)])?;
                }
                if op == CompareOp::FUno {
                    return self.alias(env, result, nan);
                }
                return self.define(env, result, spirv::Op::LogicalNot, &[nan]);
            }
        };
        self.define(env, result, op, &[a, b])
    }

    fn convert<E: Environment>(&mut self, env: &mut E, op: ConvertOp, a: Value, result: Value) -> Result<(), Error> {
        let from = self.function.ty(a);
        let to = self.function.ty(result);
        let a = self.id(env, a);
        if from.scalar == ScalarType::Bool {
            let one = Constant::int(to, if op == ConvertOp::SExt { u64::MAX } else { 1 });
            let (one, zero) = (self.m.constant(&one), self.m.constant(&Constant::int(to, 0)));
            return self.define(env, result, spirv::Op::Select, &[a, one, zero]);
        }
        let op = match op {
            ConvertOp::Trunc | ConvertOp::ZExt => spirv::Op::UConvert,
            ConvertOp::SExt => spirv::Op::SConvert,
            ConvertOp::FTrunc | ConvertOp::FExt => spirv::Op::FConvert,
            ConvertOp::FToS => spirv::Op::ConvertFToS,
            ConvertOp::FToU => spirv::Op::ConvertFToU,
            ConvertOp::SToF => spirv::Op::ConvertSToF,
            ConvertOp::UToF => spirv::Op::ConvertUToF,
            _ if from == to => return self.alias(env, result, a),
            _ => spirv::Op::Bitcast,
        };
        self.define(env, result, op, &[a])
    }
}

/// Whether an instruction is about signed integers, and not only a comparison, which translators know by its name.
fn is_signed(op: spirv::Op) -> bool {
    matches!(op, spirv::Op::SDiv | spirv::Op::ShiftRightArithmetic | spirv::Op::ConvertSToF | spirv::Op::ConvertFToS)
}
