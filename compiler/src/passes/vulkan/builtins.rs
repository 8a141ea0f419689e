//! `vulkan/builtins`: built-in functions that Vulkan has no instruction for become core operations, or calls of the
//! library's scalar functions, lane by lane. So do functions of whole work-groups, which Vulkan has none of, those of
//! sub-groups that few devices have, and conversions from double to half, which drivers round twice.

use super::{sub_group, work_group};
use crate::builtins::{self, VulkanProvision};
use crate::ir::rewrite::{Parts, Rewrite, Rewriter, rewrite};
use crate::ir::*;
use crate::options::MathOptions;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::{SmallVec, smallvec};

/// The library functions that a module's built-ins need and that are not in it yet, each once.
///
/// # Errors
/// The name of a built-in that Vulkan modules cannot have yet.
pub fn missing_library_functions(module: &Module, math: &MathOptions) -> Result<Vec<&'static str>, Problem> {
    let mut missing: Vec<&'static str> = Vec::new();
    let present: FxHashSet<&str> = module.functions.iter().map(|function| function.name.as_str()).collect();
    for function in &module.functions {
        for inst in &function.insts {
            let needed = match &inst.op {
                _ if must_be_exact(function, inst, math).is_some() => {
                    let exact = builtins::correctly_rounded(&inst.op).map(VulkanProvision::Library);
                    exact.ok_or_else(|| "internal: no exact function".into())
                }
                // `launch` knows where its buffer is.
                Op::Builtin { function: builtins::PRINTF, .. } => continue,
                Op::Builtin { function: builtin, args } => provision(function, *builtin, args, math),
                Op::Group { scope: Scope::WorkGroup, op, args, .. } => {
                    work_group::library_function(function, *op, args).map(VulkanProvision::Library)
                }
                _ => continue,
            };
            let needed = needed.map_err(|message| Problem::from(message).at(inst.span).at(function.span))?;
            if let VulkanProvision::Library(name) = needed
                && !missing.contains(&name)
                && !present.contains(name)
            {
                missing.push(name);
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
        let function = &module.functions[index];
        let uses = function.insts.iter().any(|inst| match inst.op {
            Op::Builtin { .. } | Op::Group { .. } => true,
            _ => {
                double_to_half(function, inst).is_some()
                    || guarded_division(function, inst, math).is_some()
                    || must_be_exact(function, inst, math).is_some()
            }
        });
        if uses {
            module.functions[index] = rewrite(function, &mut pass)?;
        }
    }
    Ok(())
}

/// The operand of a conversion from double to half.
fn double_to_half(function: &Function, inst: &Inst) -> Option<Value> {
    let Op::Convert { op: ConvertOp::FTrunc, operand: x } = inst.op else { return None };
    let to = function.ty(*inst.results.first()?).scalar;
    (function.ty(x).scalar == ScalarType::F64 && to == ScalarType::F16).then_some(x)
}

/// The operands of a division that Vulkan's is not precise enough for.
fn guarded_division(function: &Function, inst: &Inst, math: &MathOptions) -> Option<(Value, Value)> {
    let Op::Binary { op: BinaryOp::FDiv, lhs: x, rhs: y } = inst.op else { return None };
    let single = match function.ty(x).scalar {
        ScalarType::F16 => false,
        ScalarType::F32 => true,
        _ => return None,
    };
    let magnitude = |value: Value| function.as_int(value).map(|bits| f32::from_bits(bits as u32).abs());
    // Of ordinary size; or the quotient is too small to matter before the divisor is too large.
    let harmless = magnitude(y).is_some_and(|y| (f32::MIN_POSITIVE..=2.0_f32.powi(126)).contains(&y))
        || magnitude(x).is_some_and(|x| x <= 1.0);
    let relaxed = math.fast_relaxed && !function.precise;
    (!relaxed && (!single || !harmless)).then_some((x, y))
}

/// The operands of a division or a square root that was asked to be rounded correctly, which Vulkan's need not be. Those of
/// the library are not the program's.
fn must_be_exact(function: &Function, inst: &Inst, math: &MathOptions) -> Option<SmallVec<[Value; 2]>> {
    if !math.correctly_rounded_divide_sqrt || function.precise {
        return None;
    }
    let operands: SmallVec<[Value; 2]> = match &inst.op {
        Op::Binary { op: BinaryOp::FDiv, lhs: x, rhs: y } => smallvec![*x, *y],
        Op::Builtin { args, .. } => args.iter().copied().collect(),
        _ => return None,
    };
    let single = operands.first().is_some_and(|value| function.ty(*value).scalar == ScalarType::F32);
    (single && builtins::correctly_rounded(&inst.op).is_some()).then_some(operands)
}

struct Builtins {
    functions: FxHashMap<String, (FunctionId, Option<Type>)>,
    math: MathOptions,
    /// Local memory that work-group functions share.
    scratch: Option<GlobalId>,
}

impl Builtins {
    /// Calls of a library function, one a lane.
    fn call(&self, b: &mut Builder<'_>, function: &str, args: &[Value], ty: Type) -> Result<Value, String> {
        let (callee, result) = *self.functions.get(function).ok_or("internal: library not linked")?;
        let mut lanes = Vec::new();
        for lane in 0..ty.lanes {
            let args: Vec<Value> = args.iter().map(|arg| b.extract(*arg, lane)).collect();
            lanes.push(b.call(callee, &args, result).ok_or("internal: library result")?);
        }
        Ok(b.construct(&lanes))
    }
}

impl Rewrite for Builtins {
    fn op(&mut self, r: &mut Rewriter<'_>, inst: &Inst) -> Result<Option<SmallVec<[Parts; 1]>>, String> {
        if let Op::Group { scope: Scope::WorkGroup, op, args, .. } = &inst.op {
            let function = work_group::library_function(r.old, *op, args)?;
            let (callee, result) = *self.functions.get(function).ok_or("internal: library not linked")?;
            let args: Vec<Value> = args.iter().map(|arg| r.one(*arg, self)).collect::<Result<_, _>>()?;
            let scratch = self.scratch.ok_or("internal: no scratch memory")?;
            let value = work_group::call(&mut r.b, *op, &args, (callee, result), scratch)?;
            return Ok(Some(smallvec![smallvec![value]]));
        }
        if let (Some(operands), Some(function), [result]) =
            (must_be_exact(r.old, inst, &self.math), builtins::correctly_rounded(&inst.op), &inst.results[..])
        {
            let ty = r.old.ty(*result);
            let operands: Vec<Value> = operands.iter().map(|value| r.one(*value, self)).collect::<Result<_, _>>()?;
            let value = self.call(&mut r.b, function, &operands, ty)?;
            return Ok(Some(smallvec![smallvec![value]]));
        }
        if let Some((x, y)) = guarded_division(r.old, inst, &self.math) {
            let (x, y) = (r.one(x, self)?, r.one(y, self)?);
            return Ok(Some(smallvec![smallvec![builtins::precise_quotient(&mut r.b, x, y)]]));
        }
        if let Some(x) = double_to_half(r.old, inst) {
            let x = r.one(x, self)?;
            return Ok(Some(smallvec![smallvec![builtins::half_of_double(&mut r.b, x)]]));
        }
        if let Op::Group { scope: Scope::SubGroup, op, args, .. } = &inst.op
            && sub_group::is_expanded(*op)
        {
            let args: Vec<Value> = args.iter().map(|arg| r.one(*arg, self)).collect::<Result<_, _>>()?;
            return Ok(Some(smallvec![smallvec![sub_group::expand(&mut r.b, *op, &args)?]]));
        }
        let Op::Builtin { function: builtin, args } = &inst.op else { return Ok(None) };
        if *builtin == builtins::PRINTF {
            return Ok(None);
        }
        let result = inst.results.first().map(|result| r.old.ty(*result));
        let how = provision(r.old, *builtin, args, &self.math)?;
        let args: Vec<Value> = args.iter().map(|arg| r.one(*arg, self)).collect::<Result<_, _>>()?;
        let value = match (how, result) {
            (VulkanProvision::Glsl(_), _) => return Ok(None),
            (VulkanProvision::Inline, Some(ty)) => {
                let value = builtins::expand_vulkan(&mut r.b, &self.math, *builtin, &args, ty);
                value.ok_or_else(|| format!("'{}' is not supported yet for Vulkan", builtins::name(*builtin)))?
            }
            (VulkanProvision::Library(function), Some(ty)) => self.call(&mut r.b, function, &args, ty)?,
            (_, None) => return Err("internal: built-in without result".into()),
        };
        Ok(Some(smallvec![smallvec![value]]))
    }
}
