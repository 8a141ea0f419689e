//! `vulkan/builtins`: built-in functions that Vulkan has no instruction for become core operations, or calls of the
//! library's scalar functions, lane by lane. So do functions of whole work-groups, which Vulkan has none of, and those of
//! sub-groups that few devices have.

use super::{sub_group, work_group};
use crate::builtins::{self, VulkanProvision};
use crate::ir::rewrite::{Parts, Rewrite, Rewriter, rewrite};
use crate::ir::*;
use crate::options::MathOptions;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::{SmallVec, smallvec};

/// The library functions that a module's built-ins need and that are not in it yet: (function, file), each once.
///
/// # Errors
/// The name of a built-in that Vulkan modules cannot have yet.
pub fn missing_library_functions(module: &Module, math: &MathOptions) -> Result<Vec<(String, &'static str)>, Problem> {
    let mut missing: Vec<(String, &'static str)> = Vec::new();
    let present: FxHashSet<&str> = module.functions.iter().map(|function| function.name.as_str()).collect();
    for function in &module.functions {
        for inst in &function.insts {
            let needed = match &inst.op {
                Op::Builtin { function: builtin, args } => provision(function, *builtin, args, math),
                Op::Group { scope: Scope::WorkGroup, op, args, .. } => work_group::provision(function, *op, args),
                _ => continue,
            };
            let needed = needed.map_err(|message| Problem::from(message).at(inst.span).at(function.span))?;
            if let VulkanProvision::Library { function: name, file } = needed
                && !missing.iter().any(|(known, _)| *known == name)
                && !present.contains(name.as_str())
            {
                missing.push((name, file));
            }
        }
    }
    Ok(missing)
}

fn provision(
    function: &Function,
    builtin: builtins::BuiltinId,
    args: &[Value],
    math: &MathOptions,
) -> Result<VulkanProvision, String> {
    let scalar = args.first().map_or(ScalarType::F32, |arg| function.ty(*arg).scalar);
    builtins::vulkan_provision(builtin, scalar, math).ok_or_else(|| {
        let ty = Type::scalar(scalar);
        format!("built-in function '{}' on {ty} is not supported yet for Vulkan", builtins::name(builtin))
    })
}

/// Runs the pass; every library function that is needed must be in the module.
///
/// # Errors
/// The name of a built-in that Vulkan modules cannot have yet.
pub fn run(module: &mut Module, math: &MathOptions) -> Result<(), Problem> {
    let by_name = module.functions.iter().enumerate();
    let functions: FxHashMap<String, (FunctionId, Option<Type>)> = by_name
        .filter(|(_, function)| function.name.starts_with("__clforge_"))
        .map(|(index, function)| (function.name.clone(), (FunctionId(index as u32), function.result)))
        .collect();
    let scratch = work_group::scratch(module);
    let mut pass = Builtins { functions, math: *math, scratch };
    for index in 0..module.functions.len() {
        let uses =
            module.functions[index].insts.iter().any(|inst| matches!(inst.op, Op::Builtin { .. } | Op::Group { .. }));
        if uses {
            module.functions[index] = rewrite(&module.functions[index], &mut pass)?;
        }
    }
    Ok(())
}

struct Builtins {
    functions: FxHashMap<String, (FunctionId, Option<Type>)>,
    math: MathOptions,
    /// Local memory that work-group functions share.
    scratch: Option<GlobalId>,
}

impl Rewrite for Builtins {
    fn op(&mut self, r: &mut Rewriter<'_>, inst: &Inst) -> Result<Option<SmallVec<[Parts; 1]>>, String> {
        if let Op::Group { scope: Scope::WorkGroup, op, args, .. } = &inst.op {
            let VulkanProvision::Library { function, .. } = work_group::provision(r.old, *op, args)? else {
                return Err("internal: a work-group function without library function".into());
            };
            let (callee, result) = *self.functions.get(&function).ok_or("internal: library not linked")?;
            let args: Vec<Value> = args.iter().map(|arg| r.one(*arg, self)).collect::<Result<_, _>>()?;
            let scratch = self.scratch.ok_or("internal: no scratch memory")?;
            let value = work_group::call(&mut r.b, *op, &args, (callee, result), scratch)?;
            return Ok(Some(smallvec![smallvec![value]]));
        }
        if let Op::Convert(ConvertOp::FTrunc, value) = &inst.op {
            let Some(ty) = inst.results.first().map(|result| r.old.ty(*result)) else { return Ok(None) };
            if r.old.ty(*value).scalar != ScalarType::F64 || ty.scalar != ScalarType::F16 {
                return Ok(None);
            }
            let value = r.one(*value, self)?;
            return Ok(Some(smallvec![smallvec![double_to_half(&mut r.b, value, ty)]]));
        }
        if let Op::Group { scope: Scope::SubGroup, op, args, .. } = &inst.op
            && sub_group::is_expanded(*op)
        {
            let args: Vec<Value> = args.iter().map(|arg| r.one(*arg, self)).collect::<Result<_, _>>()?;
            return Ok(Some(smallvec![smallvec![sub_group::expand(&mut r.b, *op, &args)?]]));
        }
        let Op::Builtin { function: builtin, args } = &inst.op else { return Ok(None) };
        let result = inst.results.first().map(|result| r.old.ty(*result));
        let how = provision(r.old, *builtin, args, &self.math)?;
        let args: Vec<Value> = args.iter().map(|arg| r.one(*arg, self)).collect::<Result<_, _>>()?;
        let value = match (how, result) {
            (VulkanProvision::Glsl(_), _) => return Ok(None),
            (VulkanProvision::Inline, Some(ty)) => {
                let value = builtins::expand_vulkan(&mut r.b, &self.math, *builtin, &args, ty);
                value.ok_or_else(|| format!("'{}' is not supported yet for Vulkan", builtins::name(*builtin)))?
            }
            (VulkanProvision::Library { function, .. }, Some(ty)) => {
                let (callee, callee_result) = *self.functions.get(&function).ok_or("internal: library not linked")?;
                let mut lanes = Vec::new();
                for lane in 0..ty.lanes {
                    let args: Vec<Value> = args.iter().map(|arg| r.b.extract(*arg, lane)).collect();
                    lanes.push(r.b.call(callee, &args, callee_result).ok_or("internal: library result")?);
                }
                r.b.construct(&lanes)
            }
            (_, None) => return Err("internal: built-in without result".into()),
        };
        Ok(Some(smallvec![smallvec![value]]))
    }
}

/// Drivers round twice, by way of `float`: so the `float` between is put together from the double's bits, the last one
/// saying whether anything was lost ("round to odd"), which does not matter to the half.
fn double_to_half(b: &mut Builder<'_>, value: Value, ty: Type) -> Value {
    /// Bits of a double's significand that a float lacks.
    const LOST: i64 = 52 - 23;
    /// The difference of the exponents' biases, where a float has its exponent.
    const REBIAS: i64 = (1023 - 127) << 23;
    /// From here on a double is beyond all floats.
    const BEYOND: i64 = (1023 + 128) << 52;
    const INFINITY: i64 = 0x7ff << 52;
    let double = b.ty(value);
    let long = double.with_scalar(ScalarType::I64);
    let bits = b.bitcast(value, long);
    let binary = |b: &mut Builder<'_>, op, x, constant| {
        let constant = b.int(long, constant);
        b.binary(op, x, constant)
    };
    let magnitude = binary(b, BinaryOp::And, bits, i64::MAX);
    let lost = binary(b, BinaryOp::And, bits, (1 << LOST) - 1);
    let (zero, one) = (b.int(long, 0), b.int(long, 1));
    let any = b.compare(CompareOp::Ne, lost, zero);
    let sticky = b.select(any, one, zero);
    let kept = binary(b, BinaryOp::LShr, magnitude, LOST);
    let odd = b.binary(BinaryOp::Or, kept, sticky);
    let normal = binary(b, BinaryOp::Sub, odd, REBIAS);
    let least = b.int(long, 1 << 23);
    let tiny = b.compare(CompareOp::SLt, normal, least);
    let mut float = b.select(tiny, zero, normal);
    for (from, becomes) in [(BEYOND, 0x7f80_0000), (INFINITY + 1, 0x7fc0_0000)] {
        let (from, becomes) = (b.int(long, from), b.int(long, becomes));
        let reached = b.compare(CompareOp::UGe, magnitude, from);
        float = b.select(reached, becomes, float);
    }
    let top = binary(b, BinaryOp::LShr, bits, 32);
    let sign = binary(b, BinaryOp::And, top, 0x8000_0000);
    let float = b.binary(BinaryOp::Or, float, sign);
    let float = b.resize(float, ScalarType::I32, false);
    let float = b.bitcast(float, double.with_scalar(ScalarType::F32));
    b.convert(ConvertOp::FTrunc, float, ty)
}
