//! `vulkan/soft_doubles`: computes with doubles in integers, for devices without `Float64`
//! ([`EmulatedTypes`](clforge_basic::options::EmulatedTypes)).
//!
//! A double becomes the integer of 64 bits that has its bits, in registers, in memory and as an argument. Arithmetic,
//! comparisons and conversions become calls of the library (`softfloat.cl`), a lane each, whose results are correctly
//! rounded and keep denormals. The library's own functions of doubles, such as `__clforge_sin_f64`, are rewritten like
//! the program's.
//!
//! ```ir
//! ; pass: vulkan/soft_doubles
//! func @__clforge_f64_add(%0: i64, %1: i64) -> i64;
//! func @__clforge_f64_lt(%0: i64, %1: i64) -> bool;
//! func @f(%0: f64x2, %1: f64) -> bool {
//!   %2: f64x2 = fadd %0, f64x2 [0x3ff0000000000000, 0x0]
//!   %3: f64 = extract %2 1
//!   %4: f64 = fneg %3
//!   %5: bool = fgt %4, %1
//!   return %5
//! }
//! ; ---
//! func @__clforge_f64_add(%0: i64, %1: i64) -> i64;
//! func @__clforge_f64_lt(%0: i64, %1: i64) -> bool;
//! func @f(%0: i64x2, %1: i64) -> bool {
//!   %2: i64 = extract %0 0
//!   %3: i64 = call @__clforge_f64_add(%2, i64 4607182418800017408)
//!   %4: i64 = extract %0 1
//!   %5: i64 = call @__clforge_f64_add(%4, i64 0)
//!   %6: i64x2 = construct %3, %5
//!   %7: i64 = xor %5, i64 -9223372036854775808
//!   %8: bool = call @__clforge_f64_lt(%1, %7)
//!   return %8
//! }
//! ```

use super::group_loops::GroupLoop;
use crate::legalize::{Context, State};
use clforge_ir::pass::{Changed, Order, Pass};
use clforge_ir::rewrite::{Parts, Rewrite, Rewriter, rewrite};
use clforge_ir::room::Room;
use clforge_ir::verify::Legalized;
use clforge_ir::*;
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};

/// The pass. It runs where all functions of the library are there, and before they are inlined.
pub struct SoftDoubles;

impl Pass<State> for SoftDoubles {
    fn name(&self) -> &'static str {
        "vulkan/soft_doubles"
    }

    fn order(&self) -> Order {
        Order { requires: Some(Legalized::Builtins), before: &["inline"], ..Order::ANY }
    }

    fn run(&self, module: &mut Module, context: &mut Context<'_>) -> Result<Changed, Error> {
        if !has_doubles(module) {
            return Ok(Changed::No);
        }
        let by_name = module.functions.iter_enumerated();
        let library = by_name.filter_map(|(id, function)| Some((function.name.strip_prefix(PREFIX)?.to_owned(), id)));
        let mut pass = Doubles { library: library.collect() };
        let mut room = Room::new(module, context.options.codegen.max_instructions);
        for function in &mut module.functions {
            *function = rewrite(function, &mut pass, &mut room)?;
            for argument in function.kernel.iter_mut().flat_map(|kernel| &mut kernel.arguments) {
                if let KernelParameter::Value(ty) = &mut argument.kind {
                    *ty = bits_of(*ty);
                }
            }
        }
        Ok(Changed::Maybe)
    }
}

/// What the names of the library's functions begin with.
const PREFIX: &str = "__clforge_f64_";

/// The functions of the library that replace operations.
pub const FUNCTIONS: [&str; 28] = [
    "__clforge_f64_add",
    "__clforge_f64_sub",
    "__clforge_f64_mul",
    "__clforge_f64_div",
    "__clforge_f64_fma",
    "__clforge_f64_sqrt",
    "__clforge_f64_fmin",
    "__clforge_f64_fmax",
    "__clforge_f64_eq",
    "__clforge_f64_lt",
    "__clforge_f64_le",
    "__clforge_f64_isnan",
    "__clforge_f64_trunc",
    "__clforge_f64_floor",
    "__clforge_f64_ceil",
    "__clforge_f64_rint",
    "__clforge_f64_of_int",
    "__clforge_f64_of_uint",
    "__clforge_f64_of_long",
    "__clforge_f64_of_ulong",
    "__clforge_f64_to_int",
    "__clforge_f64_to_uint",
    "__clforge_f64_to_long",
    "__clforge_f64_to_ulong",
    "__clforge_f64_of_float",
    "__clforge_f64_of_half",
    "__clforge_f64_to_float",
    "__clforge_f64_to_half",
];

/// Whether a module has doubles.
pub fn has_doubles(module: &Module) -> bool {
    let is_double = |ty: Type| ty.scalar == ScalarType::F64;
    let mut functions = module.functions.iter();
    functions.any(|function| {
        function.result.is_some_and(is_double) || function.values().any(|value| is_double(function.ty(value)))
    })
}

/// The type of the bits of doubles; other types are as they are.
fn bits_of(ty: Type) -> Type {
    if ty.scalar == ScalarType::F64 { ty.with_scalar(ScalarType::I64) } else { ty }
}

struct Doubles {
    /// The functions of the library, without [`PREFIX`].
    library: FxHashMap<String, FunctionId>,
}

impl Rewrite for Doubles {
    fn types(&self, ty: Type) -> SmallVec<[Type; 1]> {
        smallvec![bits_of(ty)]
    }

    fn op(&mut self, r: &mut Rewriter<'_>, inst: &Inst) -> Result<Option<SmallVec<[Parts; 1]>>, Error> {
        let is_double = |value: Value| r.old.ty(value).scalar == ScalarType::F64;
        let mut doubles = inst.results.iter().any(|result| is_double(*result));
        inst.op.for_each_operand(|operand| doubles |= is_double(operand));
        if !doubles {
            return Ok(None);
        }
        let value = match &inst.op {
            Op::Unary { op: UnaryOp::FNeg, operand } => {
                let bits = r.one(*operand, self)?;
                let sign = r.b.int(r.b.ty(bits), i64::MIN);
                r.b.binary(BinaryOp::Xor, bits, sign)
            }
            Op::Binary { op, lhs, rhs } => {
                let name = match op {
                    BinaryOp::FAdd => "add",
                    BinaryOp::FSub => "sub",
                    BinaryOp::FMul => "mul",
                    BinaryOp::FDiv => "div",
                    _ => return Err(Error::internal("a double as an integer")),
                };
                self.call(r, name, &[*lhs, *rhs], Type::I64)?
            }
            Op::Compare { op, lhs, rhs } => self.compare(r, *op, *lhs, *rhs)?,
            Op::Convert { op, operand } => self.convert(r, *op, *operand, r.old.ty(inst.result()?))?,
            Op::Intrinsic { function, args } => match self.intrinsic(r, *function, args)? {
                Some(value) => value,
                // `printf` prints the bits.
                None => return Ok(None),
            },
            Op::Group { op: GroupOp::Arithmetic { op, extent, value }, uniform, .. } => {
                self.group(r, *op, *value, *uniform, *extent, None)?
            }
            Op::Group { op: GroupOp::ClusteredArithmetic { op, value, cluster_size }, uniform, .. } => {
                let size = r.one(*cluster_size, self)?;
                self.group(r, *op, *value, *uniform, GroupExtent::Reduce, Some(size))?
            }
            // What moves values moves their bits.
            _ => return Ok(None),
        };
        Ok(Some(smallvec![smallvec![value]]))
    }
}

impl Doubles {
    /// A function of the library on each lane of old values; its result has that type in each lane.
    fn call(&self, r: &mut Rewriter<'_>, name: &str, args: &[Value], lane_type: Type) -> Result<Value, Error> {
        let args = args.iter().map(|arg| r.one(*arg, self)).collect::<Result<Vec<Value>, Error>>()?;
        self.call_new(&mut r.b, name, &args, lane_type)
    }

    fn call_new(&self, b: &mut Builder<'_>, name: &str, args: &[Value], lane_type: Type) -> Result<Value, Error> {
        let function = self.library.get(name);
        let function = *function.ok_or_else(|| Error::internal(format!("the library lacks '{PREFIX}{name}'")))?;
        let lanes = args.first().map_or(1, |arg| b.ty(*arg).lanes);
        let mut values = Vec::new();
        for lane in 0..lanes {
            let args: Vec<Value> = args.iter().map(|arg| b.extract(*arg, lane)).collect();
            values.push(b.call(function, &args, Some(lane_type)).or_internal("a call without a result")?);
        }
        Ok(b.construct(&values))
    }

    /// A reduction or scan over a sub-group.
    fn group(
        &self,
        r: &mut Rewriter<'_>,
        op: GroupArithmetic,
        value: Value,
        uniform: bool,
        extent: GroupExtent,
        cluster_size: Option<Value>,
    ) -> Result<Value, Error> {
        let (name, identity) = match op {
            GroupArithmetic::FAdd => ("add", 0.0_f64),
            GroupArithmetic::FMul => ("mul", 1.0),
            GroupArithmetic::FMin => ("fmin", f64::INFINITY),
            GroupArithmetic::FMax => ("fmax", f64::NEG_INFINITY),
            _ => return Err(Error::internal("a double as an integer")),
        };
        let value = r.one(value, self)?;
        let mut query = |query| r.b.emit(Op::WorkItem { query, dim: 0 }, Type::I32);
        let (size, id) = (query(WorkItemQuery::MaxSubGroupSize), query(WorkItemQuery::SubGroupLocalId));
        let group = GroupLoop { extent, cluster_size, uniform, size, id };
        let identity = r.b.int(Type::I64, identity.to_bits().cast_signed());
        let parts = group.build(&mut r.b, &[value], &[identity], &mut |b, known, value| {
            let args: Vec<Value> = known.iter().chain(value).copied().collect();
            Ok(vec![self.call_new(b, name, &args, Type::I64)?])
        })?;
        parts.first().copied().or_internal("a reduction without a result")
    }

    fn compare(&self, r: &mut Rewriter<'_>, op: CompareOp, x: Value, y: Value) -> Result<Value, Error> {
        let (name, args) = match op {
            CompareOp::FEq | CompareOp::FNe => ("eq", [x, y]),
            CompareOp::FLt => ("lt", [x, y]),
            CompareOp::FLe => ("le", [x, y]),
            CompareOp::FGt => ("lt", [y, x]),
            CompareOp::FGe => ("le", [y, x]),
            CompareOp::FOrd | CompareOp::FUno => {
                let (x, y) = (self.call(r, "isnan", &[x], Type::BOOL)?, self.call(r, "isnan", &[y], Type::BOOL)?);
                let any = r.b.binary(BinaryOp::Or, x, y);
                return Ok(if op == CompareOp::FOrd { r.b.unary(UnaryOp::Not, any) } else { any });
            }
            _ => return Err(Error::internal("a double as an integer")),
        };
        let holds = self.call(r, name, &args, Type::BOOL)?;
        Ok(if op == CompareOp::FNe { r.b.unary(UnaryOp::Not, holds) } else { holds })
    }

    fn convert(&self, r: &mut Rewriter<'_>, op: ConvertOp, operand: Value, to: Type) -> Result<Value, Error> {
        let from = r.old.ty(operand);
        let value = r.one(operand, self)?;
        let b = &mut r.b;
        match op {
            ConvertOp::Bitcast => Ok(b.bitcast(value, bits_of(to))),
            ConvertOp::FExt => {
                let bits = b.to_bits(value);
                let word = b.resize(bits, ScalarType::I32, false);
                let name = if from.scalar == ScalarType::F16 { "of_half" } else { "of_float" };
                self.call_new(b, name, &[word], Type::I64)
            }
            ConvertOp::FTrunc => {
                let name = if to.scalar == ScalarType::F16 { "to_half" } else { "to_float" };
                let word = self.call_new(b, name, &[value], Type::I32)?;
                let bits = b.resize(word, ScalarType::int(to.scalar.bits()), false);
                Ok(b.bitcast(bits, to))
            }
            ConvertOp::SToF | ConvertOp::UToF => {
                let signed = op == ConvertOp::SToF;
                let wide = from.scalar == ScalarType::I64;
                let name = match (signed, wide) {
                    (true, true) => "of_long",
                    (true, false) => "of_int",
                    (false, true) => "of_ulong",
                    (false, false) => "of_uint",
                };
                let value = if wide { value } else { b.resize(value, ScalarType::I32, signed) };
                self.call_new(b, name, &[value], Type::I64)
            }
            ConvertOp::FToS | ConvertOp::FToU => {
                let (name, lane) = match (op, to.scalar) {
                    (ConvertOp::FToS, ScalarType::I64) => ("to_long", Type::I64),
                    (ConvertOp::FToS, _) => ("to_int", Type::I32),
                    (_, ScalarType::I64) => ("to_ulong", Type::I64),
                    _ => ("to_uint", Type::I32),
                };
                let value = self.call_new(b, name, &[value], lane)?;
                Ok(b.resize(value, to.scalar, false))
            }
            _ => Err(Error::internal(format!("'{}' of doubles", op.text()))),
        }
    }

    /// The value of an intrinsic that Vulkan has an instruction for.
    fn intrinsic(&self, r: &mut Rewriter<'_>, function: Intrinsic, args: &[Value]) -> Result<Option<Value>, Error> {
        let name = match function {
            Intrinsic::Printf => return Ok(None),
            Intrinsic::Fabs => {
                let value = args.first().or_internal("no operand")?;
                let bits = r.one(*value, self)?;
                return Ok(Some(r.b.binary_int(BinaryOp::And, bits, i64::MAX)));
            }
            Intrinsic::Mad => {
                let [x, y, z] = *args else { return Err(Error::internal("'mad' has three operands")) };
                let product = self.call(r, "mul", &[x, y], Type::I64)?;
                let z = r.one(z, self)?;
                return self.call_new(&mut r.b, "add", &[product, z], Type::I64).map(Some);
            }
            Intrinsic::Fma => "fma",
            Intrinsic::Sqrt => "sqrt",
            Intrinsic::Fmin | Intrinsic::FminCommon => "fmin",
            Intrinsic::Fmax | Intrinsic::FmaxCommon => "fmax",
            Intrinsic::Trunc => "trunc",
            Intrinsic::Floor => "floor",
            Intrinsic::Ceil => "ceil",
            Intrinsic::Rint => "rint",
            _ => return Err(Error::internal(format!("'{}' of doubles was not expanded", function.name()))),
        };
        self.call(r, name, args, Type::I64).map(Some)
    }
}
