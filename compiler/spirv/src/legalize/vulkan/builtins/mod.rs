//! `vulkan/builtins`: built-in functions that Vulkan has no instruction for become core operations, or calls of the
//! library's scalar functions, lane by lane. So do functions of whole work-groups, which Vulkan has none of, those of
//! sub-groups that few devices have, conversions from double to half, which drivers round twice, accesses to halves, and
//! atomics that the device has no instruction of.

mod expand;
mod halves;
pub mod provision;

use super::{sub_group, work_group};
use crate::legalize::{Context, State, atomics};
use clforge_basic::options::{FloatAtomics, MathOptions, Options};
use clforge_basic::workarounds::Workarounds;
use clforge_ir::error::{Api, Unsupported};
use clforge_ir::pass::Pass;
use clforge_ir::rewrite::{Parts, Rewrite, Rewriter, rewrite};
use clforge_ir::verify::{Dialect, Legalised};
use clforge_ir::*;
use expand::correctly_rounded;
use provision::Provision;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::{SmallVec, smallvec};

/// The library functions that a module's built-ins need and that are not in it yet, each once.
fn missing_library_functions(module: &Module, options: &Options) -> Result<Vec<&'static str>, Error> {
    let mut missing: Vec<&'static str> = Vec::new();
    let present: FxHashSet<&str> = module.functions.iter().map(|function| function.name.as_str()).collect();
    for function in &module.functions {
        for inst in &function.insts {
            let needed = match &inst.op {
                _ if must_be_exact(function, inst, &options.math).is_some() => {
                    let exact = correctly_rounded(&inst.op).map(Provision::Library);
                    exact.or_internal("no correctly rounded function")
                }
                // `launch` knows where its buffer is.
                Op::Builtin { function: Intrinsic::Printf, .. } => continue,
                op if halves::is_expanded(op) => continue,
                Op::Builtin { function: builtin, args } => provision(function, *builtin, args, options),
                Op::Group { scope: Scope::WorkGroup, op, .. } => {
                    work_group::library_function(function, *op).map(Provision::Library)
                }
                _ => continue,
            };
            let needed = needed.map_err(|error| error.at(inst.span).at(function.span))?;
            if let Provision::Library(name) = needed
                && !missing.contains(&name)
                && !present.contains(name)
            {
                missing.push(name);
            }
        }
    }
    Ok(missing)
}

fn provision(function: &Function, builtin: Intrinsic, args: &[Value], options: &Options) -> Result<Provision, Error> {
    let scalar = args.first().map_or(ScalarType::F32, |arg| function.ty(*arg).scalar);
    let scalar = match half_form(builtin, scalar) {
        HalfForm::None | HalfForm::Native => scalar,
        HalfForm::Expanded(_) => return Ok(Provision::Inline),
        HalfForm::Float => ScalarType::F32,
    };
    provision::provision(builtin, scalar, options).ok_or_else(|| {
        let (name, ty, api) = (builtin.name(), Some(Type::scalar(scalar)), Some(Api::Vulkan));
        Error::unsupported(Unsupported::Builtin { name, ty, api })
    })
}

/// `vulkan/library`: appends the library functions that the module's built-ins need, until nothing is missing. A built-in
/// function that is not supported for Vulkan is an error.
pub struct Library;

impl Pass<State> for Library {
    fn name(&self) -> &'static str {
        "vulkan/library"
    }

    fn run(&self, module: &mut Module, context: &mut Context<'_>) -> Result<(), Error> {
        loop {
            let missing = missing_library_functions(module, context.options)?;
            if missing.is_empty() {
                return Ok(());
            }
            let before = module.functions.len();
            let library = clforge_library::library_module(&missing);
            let library = library.map_err(|error| Error::internal(format!("built-in library: {error}")))?;
            link::append(module, library);
            if module.functions.len() == before {
                return Err(Error::internal(format!("the library lacks {missing:?}")));
            }
        }
    }
}

/// The pass; every library function that is needed must be in the module.
pub struct Builtins;

impl Pass<State> for Builtins {
    fn name(&self) -> &'static str {
        "vulkan/builtins"
    }

    fn run(&self, module: &mut Module, context: &mut Context<'_>) -> Result<(), Error> {
        legalise(module, context.options)
    }

    fn dialect(&self) -> Option<Dialect> {
        Some(Dialect::Vulkan(Legalised::Builtins))
    }
}

fn legalise(module: &mut Module, options: &Options) -> Result<(), Error> {
    let (math, workarounds) = (&options.math, options.workarounds);
    let by_name = module.functions.iter_enumerated();
    let functions: FxHashMap<String, (FunctionId, Option<Type>)> = by_name
        .filter(|(_, function)| function.name.starts_with("__clforge_"))
        .map(|(id, function)| (function.name.clone(), (id, function.result)))
        .collect();
    let scratch = work_group::scratch(module);
    let devices = options.float_atomics;
    let mut pass = Legalisation { functions, options, math: *math, workarounds, devices, scratch };
    for id in module.functions.keys() {
        let function = &module.functions[id];
        let uses = function.insts.iter().any(|inst| match inst.op {
            Op::Builtin { .. } | Op::Group { .. } => true,
            Op::Atomic { .. } => exchanged_object(function, inst, &devices).is_some(),
            _ if halves::is_expanded(&inst.op) => true,
            _ => {
                double_to_half(function, inst, workarounds).is_some()
                    || guarded_division(function, inst, math).is_some()
                    || must_be_exact(function, inst, math).is_some()
            }
        });
        if uses {
            module.functions[id] = rewrite(function, &mut pass)?;
        }
    }
    Ok(())
}

/// The type of the object of an atomic access that there is no instruction for, neither in buffers nor in local memory;
/// `vulkan/memory` knows in which of them an object is.
fn exchanged_object(function: &Function, inst: &Inst, devices: &FloatAtomics) -> Option<Type> {
    let (Op::Atomic { op, .. }, Some(object)) = (&inst.op, atomics::object(function, inst)) else { return None };
    let has_instruction = !op.is_float()
        || is_native_in_buffers(devices, *op, object.scalar)
        || is_native_in_local_memory(devices, *op, object.scalar);
    (!has_instruction || atomics::is_narrow(object)).then_some(object)
}

/// The operand of a conversion from double to half.
fn double_to_half(function: &Function, inst: &Inst, workarounds: Workarounds) -> Option<Value> {
    let Op::Convert { op: ConvertOp::FTrunc, operand: x } = inst.op else { return None };
    let to = function.ty(*inst.results.first()?).scalar;
    let wanted = workarounds.contains(Workarounds::LAVAPIPE_DOUBLE_TO_HALF);
    (wanted && function.ty(x).scalar == ScalarType::F64 && to == ScalarType::F16).then_some(x)
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
    let relaxed = math.unsafe_optimizations && !function.precise;
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
    (single && correctly_rounded(&inst.op).is_some()).then_some(operands)
}

/// What an intrinsic on halves becomes.
enum HalfForm {
    /// The operands are no halves.
    None,
    /// The instruction on halves.
    Native,
    /// Core IR on halves.
    Expanded(expand::Expand),
    /// The same function of `float`; its result is rounded.
    Float,
}

fn half_form(intrinsic: Intrinsic, scalar: ScalarType) -> HalfForm {
    match intrinsic {
        _ if scalar != ScalarType::F16 => HalfForm::None,
        Intrinsic::FmaxCommon | Intrinsic::FminCommon => HalfForm::Native,
        // The neighbour of a half is not that of the float.
        Intrinsic::Nextafter => HalfForm::Expanded(expand::nextafter),
        Intrinsic::Dot => HalfForm::Expanded(expand::dot),
        // That of floats rounds before the rounding to half.
        Intrinsic::Fma => HalfForm::Expanded(expand::half_fma),
        _ => HalfForm::Float,
    }
}

struct Legalisation<'o> {
    options: &'o Options,
    functions: FxHashMap<String, (FunctionId, Option<Type>)>,
    math: MathOptions,
    workarounds: Workarounds,
    devices: FloatAtomics,
    /// Local memory that work-group functions share.
    scratch: Option<GlobalId>,
}

impl Legalisation<'_> {
    /// What stands for an intrinsic.
    fn provided(
        &self,
        b: &mut Builder<'_>,
        intrinsic: Intrinsic,
        provision: Provision,
        args: &[Value],
        ty: Type,
    ) -> Result<Value, Error> {
        match provision {
            Provision::Glsl(_) => Ok(b.intrinsic(intrinsic, args, ty)),
            Provision::Inline => {
                let value = provision::expansion(intrinsic).and_then(|expand| expand(b, args, ty));
                value.ok_or_else(|| {
                    let (name, api) = (intrinsic.name(), Some(Api::Vulkan));
                    Error::unsupported(Unsupported::Builtin { name, ty: None, api })
                })
            }
            Provision::Library(function) => self.call(b, function, args, ty),
        }
    }

    /// What stands for an intrinsic on halves, done in `float`.
    fn in_float(
        &self,
        b: &mut Builder<'_>,
        intrinsic: Intrinsic,
        provision: Provision,
        mut args: Vec<Value>,
        ty: Type,
    ) -> Result<Value, Error> {
        for arg in &mut args {
            let from = b.ty(*arg);
            if from.scalar == ScalarType::F16 {
                *arg = b.convert(ConvertOp::FExt, *arg, from.with_scalar(ScalarType::F32));
            }
        }
        if ty.scalar != ScalarType::F16 {
            return self.provided(b, intrinsic, provision, &args, ty);
        }
        let value = self.provided(b, intrinsic, provision, &args, ty.with_scalar(ScalarType::F32))?;
        Ok(b.convert(ConvertOp::FTrunc, value, ty))
    }

    /// What stands for an access to halves, or for an atomic access without an instruction.
    fn access(&self, r: &mut Rewriter<'_>, inst: &Inst) -> Result<Option<SmallVec<[Parts; 1]>>, Error> {
        let value = match &inst.op {
            op if halves::is_expanded(op) => halves::expand(r, inst, self, self.workarounds)?,
            Op::Atomic { op, ptr, operands, semantics, .. } => {
                let Some(object) = exchanged_object(r.old, inst, &self.devices) else { return Ok(None) };
                let ptr = r.one(*ptr, self)?;
                let operands: Values = operands.iter().map(|value| r.one(*value, self)).collect::<Result<_, _>>()?;
                Some(atomics::by_exchange(&mut r.b, (*op, ptr, &operands), *semantics, object))
            }
            _ => return Ok(None),
        };
        Ok(Some(value.into_iter().map(|value| smallvec![value]).collect()))
    }

    /// Calls of a library function, one a lane.
    fn call(&self, b: &mut Builder<'_>, function: &str, args: &[Value], ty: Type) -> Result<Value, Error> {
        let (callee, result) = *self.functions.get(function).or_internal("a library function that is not linked")?;
        let mut lanes = Vec::new();
        for lane in 0..ty.lanes {
            let args: Vec<Value> = args.iter().map(|arg| b.extract(*arg, lane)).collect();
            lanes.push(b.call(callee, &args, result).or_internal("a library function without result")?);
        }
        Ok(b.construct(&lanes))
    }
}

impl Rewrite for Legalisation<'_> {
    fn op(&mut self, r: &mut Rewriter<'_>, inst: &Inst) -> Result<Option<SmallVec<[Parts; 1]>>, Error> {
        if let Op::Group { scope: Scope::WorkGroup, op, .. } = &inst.op {
            let function = work_group::library_function(r.old, *op)?;
            let (callee, result) = *self.functions.get(function).or_internal("library not linked")?;
            let op = op.map(|value| r.one(value, self))?;
            let scratch = self.scratch.or_internal("no scratch memory")?;
            let value = work_group::call(&mut r.b, op, (callee, result), scratch)?;
            return Ok(Some(smallvec![smallvec![value]]));
        }
        if let (Some(operands), Some(function), [result]) =
            (must_be_exact(r.old, inst, &self.math), correctly_rounded(&inst.op), &inst.results[..])
        {
            let ty = r.old.ty(*result);
            let operands: Vec<Value> = operands.iter().map(|value| r.one(*value, self)).collect::<Result<_, _>>()?;
            let value = self.call(&mut r.b, function, &operands, ty)?;
            return Ok(Some(smallvec![smallvec![value]]));
        }
        if let Some((x, y)) = guarded_division(r.old, inst, &self.math) {
            let (x, y) = (r.one(x, self)?, r.one(y, self)?);
            return Ok(Some(smallvec![smallvec![expand::precise_quotient(&mut r.b, x, y)]]));
        }
        if let Op::Builtin { function: Intrinsic::Rint, args } = &inst.op
            && self.workarounds.contains(Workarounds::LAVAPIPE_DOUBLE_RINT)
            && let [x] = args[..]
            && r.old.ty(x).scalar == ScalarType::F64
        {
            let x = r.one(x, self)?;
            return Ok(Some(smallvec![smallvec![expand::rint_of_double(&mut r.b, x)]]));
        }
        if let Some(x) = double_to_half(r.old, inst, self.workarounds) {
            let x = r.one(x, self)?;
            return Ok(Some(smallvec![smallvec![expand::half_of_double(&mut r.b, x)]]));
        }
        if let Op::Group { scope: Scope::SubGroup, op, .. } = &inst.op
            && sub_group::is_expanded(*op, self.workarounds)
        {
            let op = op.map(|value| r.one(value, self))?;
            return Ok(Some(smallvec![smallvec![sub_group::expand(&mut r.b, op)?]]));
        }
        let Op::Builtin { function: builtin, args } = &inst.op else { return self.access(r, inst) };
        if *builtin == Intrinsic::Printf || builtin.half_access().is_some() {
            return self.access(r, inst);
        }
        let result = inst.results.first().map(|result| r.old.ty(*result));
        let provision = provision(r.old, *builtin, args, self.options)?;
        let form = args.first().map_or(HalfForm::None, |arg| half_form(*builtin, r.old.ty(*arg).scalar));
        if matches!((&provision, &form), (Provision::Glsl(_), HalfForm::None | HalfForm::Native)) {
            return Ok(None);
        }
        let args: Vec<Value> = args.iter().map(|arg| r.one(*arg, self)).collect::<Result<_, _>>()?;
        let ty = result.or_internal("a built-in without result")?;
        let value = match form {
            HalfForm::Expanded(expand) => {
                expand(&mut r.b, &args, ty).or_internal("a built-in with unexpected operands")?
            }
            HalfForm::Float => self.in_float(&mut r.b, *builtin, provision, args, ty)?,
            HalfForm::None | HalfForm::Native => self.provided(&mut r.b, *builtin, provision, &args, ty)?,
        };
        Ok(Some(smallvec![smallvec![value]]))
    }
}
