//! `vulkan/builtins`: expands intrinsics that are not legal for Vulkan to core operations, or to calls of the library's
//! scalar functions, lane by lane. It does the same for collective functions of work-groups, for functions of
//! sub-groups that few devices have, for conversions from double to half, which drivers round twice, for accesses to
//! halves, and for atomics without an instruction.

mod expand;
mod half_access;
pub mod legalize_actions;
mod sub_group_collectives;
#[cfg(test)]
mod tests;
mod work_group_collectives;
mod work_group_sub_groups;

use super::soft_doubles;
use crate::legalize::{Context, State, cas_loops};
use clforge_basic::narrow::low_u32;
use clforge_basic::options::{AddressBits, FloatAtomics, MathOptions, Options};
use clforge_basic::workarounds::Workarounds;
use clforge_ir::error::{Api, Unsupported};
use clforge_ir::fold::exact_reciprocal;
use clforge_ir::pass::{Changed, Order, Pass};
use clforge_ir::rewrite::{Parts, Rewrite, Rewriter, rewrite};
use clforge_ir::room::Room;
use clforge_ir::verify::{Dialect, Legalized};
use clforge_ir::*;
use expand::correctly_rounded;
use legalize_actions::LegalizeAction;
pub use legalize_actions::wide_product;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::{SmallVec, smallvec};
pub use sub_group_collectives::{combine, first_of_scan, identity};
use work_group_collectives::Provider;

/// The library functions that a module's built-ins need and that are not in it yet, each once.
fn missing_library_functions(module: &Module, options: &Options) -> Result<Vec<&'static str>, Error> {
    let mut missing: Vec<&'static str> = Vec::new();
    let present: FxHashSet<&str> = module.functions.iter().map(|function| function.name.as_str()).collect();
    for function in &module.functions {
        for inst in &function.insts {
            let needed = match &inst.op {
                // `vulkan/kernel_abi` lowers it.
                Op::Intrinsic { function: Intrinsic::Printf, .. } => continue,
                op if half_access::is_expanded(op) => continue,
                op => match correctly_rounded_call(function, inst, options) {
                    Some((exact, _)) => Ok(LegalizeAction::LibCall(exact)),
                    None => match op {
                        Op::Intrinsic { function: builtin, args } => legalize_action(function, *builtin, args, options),
                        Op::Group { scope: Scope::WorkGroup, op, .. } if by_sub_groups(*op, options).is_none() => {
                            work_group_collectives::library_function(function, *op).map(LegalizeAction::LibCall)
                        }
                        _ => continue,
                    },
                },
            };
            let needed = needed.map_err(|error| error.at(inst.span).at(function.span))?;
            if let LegalizeAction::LibCall(name) = needed
                && !missing.contains(&name)
                && !present.contains(name)
            {
                missing.push(name);
            }
        }
    }
    Ok(missing)
}

fn legalize_action(
    function: &Function,
    builtin: Intrinsic,
    args: &[Value],
    options: &Options,
) -> Result<LegalizeAction, Error> {
    if small_exponent(function, builtin, args).is_some() {
        return Ok(LegalizeAction::Expand);
    }
    let scalar = args.first().map_or(ScalarType::F32, |arg| function.ty(*arg).scalar);
    let scalar = match half_action(builtin, scalar, options) {
        HalfAction::None | HalfAction::Legal => scalar,
        HalfAction::Expand(_) => return Ok(LegalizeAction::Expand),
        HalfAction::Promote => ScalarType::F32,
    };
    legalize_actions::legalize_action(builtin, scalar, options).ok_or_else(|| {
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

    fn order(&self) -> Order {
        Order { before: &["vulkan/builtins"], ..Order::ANY }
    }

    fn run(&self, module: &mut Module, context: &mut Context<'_>) -> Result<Changed, Error> {
        let mut changed = Changed::No;
        loop {
            let mut missing = missing_library_functions(module, context.options)?;
            if missing.is_empty() && lacks_soft_doubles(module, context.options) {
                missing.extend(soft_doubles::FUNCTIONS);
            }
            if missing.is_empty() {
                return Ok(changed);
            }
            let before = module.functions.len();
            link::append(module, library(&missing, context.options)?);
            changed = Changed::Maybe;
            if module.functions.len() == before {
                return Err(Error::internal(format!("the library lacks {missing:?}")));
            }
        }
    }
}

/// Functions of the library and all that they call, with pointers as wide as the program's.
///
/// # Errors
/// Internal ones only.
pub fn library(names: &[&str], options: &Options) -> Result<Module, Error> {
    let library = clforge_library::library_module(names);
    let mut library = library.map_err(|error| Error::internal(format!("built-in library: {error}")))?;
    if options.language.address_bits == AddressBits::Bits32 {
        library.narrow_pointers();
    }
    Ok(library)
}

/// Whether a module needs the functions that compute with doubles in integers, and has none of them.
fn lacks_soft_doubles(module: &Module, options: &Options) -> bool {
    let first = soft_doubles::FUNCTIONS[0];
    options.device.emulated.float64
        && soft_doubles::has_doubles(module)
        && !module.functions.iter().any(|function| function.name == first)
}

/// The pass; every library function that is needed must be in the module.
pub struct Builtins;

impl Pass<State> for Builtins {
    fn name(&self) -> &'static str {
        "vulkan/builtins"
    }

    fn order(&self) -> Order {
        Order { after: &["vulkan/library"], before: &["inline"], ..Order::ANY }
    }

    fn run(&self, module: &mut Module, context: &mut Context<'_>) -> Result<Changed, Error> {
        legalize(module, context.options)?;
        Ok(Changed::Maybe)
    }

    fn establishes(&self) -> Option<Dialect> {
        Some(Dialect::Vulkan(Legalized::Builtins))
    }
}

fn legalize(module: &mut Module, options: &Options) -> Result<(), Error> {
    let (math, workarounds) = (&options.language.math, options.codegen.workarounds);
    let by_name = module.functions.iter_enumerated();
    let functions: FxHashMap<String, (FunctionId, Option<Type>)> = by_name
        .filter(|(_, function)| function.name.starts_with("__clforge_"))
        .map(|(id, function)| (function.name.clone(), (id, function.result)))
        .collect();
    let scratch = work_group_collectives::scratch(module);
    let devices = options.device.float_atomics;
    let mut pass = Legalization { functions, options, math: *math, workarounds, devices, scratch };
    let mut room = Room::new(module, options.codegen.max_instructions);
    for id in module.functions.keys() {
        let function = &module.functions[id];
        let uses = function.insts.iter().any(|inst| match inst.op {
            Op::Intrinsic { .. } | Op::Group { .. } => true,
            Op::Atomic { .. } => exchanged_object(function, inst, &devices).is_some(),
            _ if half_access::is_expanded(&inst.op) => true,
            _ => {
                double_to_half(function, inst, workarounds).is_some()
                    || guarded_division(function, inst, math).is_some()
                    || correctly_rounded_call(function, inst, options).is_some()
            }
        });
        if uses {
            module.functions[id] = rewrite(function, &mut pass, &mut room)?;
        }
    }
    Ok(())
}

/// The reduction or scan of a work-group that is computed through sub-groups.
fn by_sub_groups(op: GroupOp, options: &Options) -> Option<(GroupArithmetic, GroupExtent)> {
    work_group_sub_groups::arithmetic(op).filter(|_| options.device.linear_sub_groups)
}

/// Whether a driver's instruction rounds doubles to integers wrongly.
fn rounded_by_expansion(function: Intrinsic, workarounds: Workarounds) -> bool {
    match function {
        Intrinsic::Rint => workarounds.contains(Workarounds::LAVAPIPE_DOUBLE_RINT),
        Intrinsic::Trunc | Intrinsic::Round => workarounds.contains(Workarounds::LAVAPIPE_DOUBLE_TRUNC),
        _ => false,
    }
}

/// The type of the object of an atomic access that there is no instruction for, neither in buffers nor in local memory;
/// `vulkan/memory` knows in which of them an object is.
fn exchanged_object(function: &Function, inst: &Inst, devices: &FloatAtomics) -> Option<Type> {
    let (Op::Atomic { op, .. }, Some(object)) = (&inst.op, cas_loops::object(function, inst)) else { return None };
    let has_instruction = !op.is_float()
        || is_native_in_buffers(devices, *op, object.scalar)
        || is_native_in_local_memory(devices, *op, object.scalar);
    (!has_instruction || cas_loops::is_narrow(object)).then_some(object)
}

/// The exponent of a power that is a product of at most two multiplications, whose errors are far below the 16 ulp that a power
/// may have (OpenCL C 7.4). Those of halves are computed as floats.
fn small_exponent(function: &Function, builtin: Intrinsic, args: &[Value]) -> Option<u32> {
    let [x, y] = *args else { return None };
    let bits = function.as_constant(y)?.splat_bits()?;
    let scalar = function.ty(y).scalar;
    let exponent = match builtin {
        Intrinsic::Pow if function.ty(x).scalar != ScalarType::F16 => constant::float_value(scalar, bits),
        Intrinsic::Pown if function.ty(x).scalar != ScalarType::F16 => constant::sign_extend(scalar, bits) as f64,
        _ => return None,
    };
    (0..=expand::LARGEST_PRODUCT).find(|small| f64::from(*small) == exponent)
}

/// The operand of a conversion from double to half.
fn double_to_half(function: &Function, inst: &Inst, workarounds: Workarounds) -> Option<Value> {
    let Op::Convert { op: ConvertOp::FTrunc, operand: x } = inst.op else { return None };
    let to = function.ty(*inst.results.first()?).scalar;
    let wanted = workarounds.contains(Workarounds::LAVAPIPE_DOUBLE_TO_HALF);
    (wanted && function.ty(x).scalar == ScalarType::F64 && to == ScalarType::F16).then_some(x)
}

/// The operands of a division for which Vulkan's precision does not suffice.
fn guarded_division(function: &Function, inst: &Inst, math: &MathOptions) -> Option<(Value, Value)> {
    let Op::Binary { op: BinaryOp::FDiv, lhs: x, rhs: y } = inst.op else { return None };
    let single = match function.ty(x).scalar {
        ScalarType::F16 => false,
        ScalarType::F32 => true,
        _ => return None,
    };
    let magnitude = |value: Value| function.as_int(value).map(|bits| f32::from_bits(low_u32(bits)).abs());
    // Of ordinary size; or the quotient is too small to matter before the divisor is too large.
    let harmless = magnitude(y).is_some_and(|y| (f32::MIN_POSITIVE..=2.0_f32.powi(126)).contains(&y))
        || magnitude(x).is_some_and(|x| x <= 1.0);
    let relaxed = math.unsafe_optimizations && !function.precise;
    (!relaxed && (!single || !harmless)).then_some((x, y))
}

/// The library's function that replaces a division or a square root, and the operands: of floats where an option requires correct
/// rounding, which the device does not provide (the option does not apply to the library itself); of doubles where a workaround
/// says so.
fn correctly_rounded_call(
    function: &Function,
    inst: &Inst,
    options: &Options,
) -> Option<(&'static str, SmallVec<[Value; 2]>)> {
    let operands: SmallVec<[Value; 2]> = match &inst.op {
        Op::Binary { op: BinaryOp::FDiv, lhs: x, rhs: y } => smallvec![*x, *y],
        Op::Intrinsic { args, .. } => args.iter().copied().collect(),
        _ => return None,
    };
    let scalar = function.ty(*operands.first()?).scalar;
    let is_required = match scalar {
        ScalarType::F32 => options.language.math.correctly_rounded_divide_sqrt && !function.precise,
        ScalarType::F64 => options.codegen.workarounds.contains(Workarounds::NVIDIA_DOUBLE_DIVIDE_SQRT),
        _ => false,
    };
    let name = if is_required { correctly_rounded(&inst.op, scalar, options) } else { None };
    Some((name?, operands))
}

/// Whether the divisor is a constant whose reciprocal is a factor that gives the same quotient.
fn is_multiplication(function: &Function, op: &Op) -> bool {
    let Op::Binary { op: BinaryOp::FDiv, rhs, .. } = *op else { return false };
    function.as_int(rhs).is_some_and(|bits| exact_reciprocal(function.ty(rhs).scalar, bits).is_some())
}

/// What legalisation does with an intrinsic whose first operand is of halves.
enum HalfAction {
    /// The operand is not of halves.
    None,
    /// It stays: there is an instruction on halves.
    Legal,
    /// Core IR on halves replaces it.
    Expand(expand::Expansion),
    /// It is computed in `float`, and the result is rounded.
    Promote,
}

fn half_action(intrinsic: Intrinsic, scalar: ScalarType, options: &Options) -> HalfAction {
    match intrinsic {
        _ if scalar != ScalarType::F16 => HalfAction::None,
        Intrinsic::FmaxCommon | Intrinsic::FminCommon => HalfAction::Legal,
        Intrinsic::Mad if options.contracts_halves() => HalfAction::Legal,
        // The neighbour of a half is not that of the float.
        Intrinsic::Nextafter => HalfAction::Expand(expand::nextafter),
        // A conversion of a NaN need not keep its sign (NVIDIA's driver does not), and `copysign` takes it.
        Intrinsic::Copysign => HalfAction::Expand(expand::copysign),
        Intrinsic::Fabs => HalfAction::Expand(expand::fabs),
        Intrinsic::Dot => HalfAction::Expand(expand::dot),
        // That of floats rounds before the rounding to half.
        Intrinsic::Fma => HalfAction::Expand(expand::half_fma),
        _ => HalfAction::Promote,
    }
}

struct Legalization<'o> {
    options: &'o Options,
    functions: FxHashMap<String, (FunctionId, Option<Type>)>,
    math: MathOptions,
    workarounds: Workarounds,
    devices: FloatAtomics,
    /// Local memory that work-group functions share.
    scratch: Option<GlobalId>,
}

impl Legalization<'_> {
    /// The value that replaces an intrinsic.
    fn provided(
        &self,
        b: &mut Builder<'_>,
        intrinsic: Intrinsic,
        action: LegalizeAction,
        args: &[Value],
        ty: Type,
    ) -> Result<Value, Error> {
        match action {
            LegalizeAction::Legal(_) | LegalizeAction::LegalCore(_) => Ok(b.intrinsic(intrinsic, args, ty)),
            LegalizeAction::Expand => {
                let value = legalize_actions::expansion(intrinsic).and_then(|expand| expand(b, args, ty));
                value.ok_or_else(|| {
                    let (name, api) = (intrinsic.name(), Some(Api::Vulkan));
                    Error::unsupported(Unsupported::Builtin { name, ty: None, api })
                })
            }
            LegalizeAction::LibCall(function) => self.call(b, function, args, ty),
        }
    }

    /// The value that replaces an intrinsic on halves, computed in `float`.
    fn in_float(
        &self,
        b: &mut Builder<'_>,
        intrinsic: Intrinsic,
        action: LegalizeAction,
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
            return self.provided(b, intrinsic, action, &args, ty);
        }
        let value = self.provided(b, intrinsic, action, &args, ty.with_scalar(ScalarType::F32))?;
        Ok(b.convert(ConvertOp::FTrunc, value, ty))
    }

    /// The values that replace an access to halves, or an atomic access without an instruction.
    fn access(&self, r: &mut Rewriter<'_>, inst: &Inst) -> Result<Option<SmallVec<[Parts; 1]>>, Error> {
        let value = match &inst.op {
            op if half_access::is_expanded(op) => half_access::expand(r, inst, self, self.workarounds)?,
            Op::Atomic { op, ptr, operands, semantics, .. } => {
                let Some(object) = exchanged_object(r.old, inst, &self.devices) else { return Ok(None) };
                let ptr = r.one(*ptr, self)?;
                let operands: Values = operands.iter().map(|value| r.one(*value, self)).collect::<Result<_, _>>()?;
                Some(cas_loops::by_compare_exchange(&mut r.b, (*op, ptr, &operands), *semantics, object))
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

impl Rewrite for Legalization<'_> {
    fn op(&mut self, r: &mut Rewriter<'_>, inst: &Inst) -> Result<Option<SmallVec<[Parts; 1]>>, Error> {
        if let Op::Group { scope: Scope::WorkGroup, op, .. } = &inst.op {
            let scratch = self.scratch.or_internal("no scratch memory")?;
            let address_bits = self.options.language.address_bits;
            let provider = match by_sub_groups(*op, self.options) {
                Some(arithmetic) => Provider::SubGroups(arithmetic),
                None => {
                    let function = work_group_collectives::library_function(r.old, *op)?;
                    Provider::Library(*self.functions.get(function).or_internal("library not linked")?)
                }
            };
            let op = op.map(|value| r.one(value, self))?;
            let value = work_group_collectives::replace(&mut r.b, op, provider, (scratch, address_bits))?;
            return Ok(Some(smallvec![smallvec![value]]));
        }
        if let (Some((function, operands)), [result]) =
            (correctly_rounded_call(r.old, inst, self.options), &inst.results[..])
        {
            let ty = r.old.ty(*result);
            let operands: Vec<Value> = operands.iter().map(|value| r.one(*value, self)).collect::<Result<_, _>>()?;
            let value = match operands[..] {
                // The builder makes the multiplication.
                [x, y] if is_multiplication(r.old, &inst.op) => r.b.binary(BinaryOp::FDiv, x, y),
                _ => self.call(&mut r.b, function, &operands, ty)?,
            };
            return Ok(Some(smallvec![smallvec![value]]));
        }
        if let Some((x, y)) = guarded_division(r.old, inst, &self.math) {
            let (x, y) = (r.one(x, self)?, r.one(y, self)?);
            return Ok(Some(smallvec![smallvec![expand::precise_quotient(&mut r.b, x, y)]]));
        }
        if let Op::Intrinsic { function, args } = &inst.op
            && let [x] = args[..]
            && r.old.ty(x).scalar == ScalarType::F64
            && rounded_by_expansion(*function, self.workarounds)
        {
            let x = r.one(x, self)?;
            let value = match function {
                Intrinsic::Rint => Some(expand::rint_of_double(&mut r.b, x)),
                Intrinsic::Trunc => Some(expand::trunc_of_double(&mut r.b, x)),
                _ => expand::round_of_double(&mut r.b, x),
            };
            return Ok(Some(smallvec![smallvec![value.or_internal("a rounding without an operand")?]]));
        }
        if let Some(x) = double_to_half(r.old, inst, self.workarounds) {
            let x = r.one(x, self)?;
            return Ok(Some(smallvec![smallvec![expand::half_of_double(&mut r.b, x)]]));
        }
        if let Op::Group { scope: Scope::SubGroup, op, .. } = &inst.op
            && sub_group_collectives::is_expanded(*op, self.options)
        {
            let op = op.map(|value| r.one(value, self))?;
            return Ok(Some(smallvec![smallvec![sub_group_collectives::expand(&mut r.b, op)?]]));
        }
        let Op::Intrinsic { function: builtin, args } = &inst.op else { return self.access(r, inst) };
        if *builtin == Intrinsic::Printf || builtin.half_access().is_some() {
            return self.access(r, inst);
        }
        let result = inst.results.first().map(|result| r.old.ty(*result));
        let action = legalize_action(r.old, *builtin, args, self.options)?;
        let form =
            args.first().map_or(HalfAction::None, |arg| half_action(*builtin, r.old.ty(*arg).scalar, self.options));
        let is_legal = matches!(action, LegalizeAction::Legal(_) | LegalizeAction::LegalCore(_));
        if is_legal && matches!(form, HalfAction::None | HalfAction::Legal) {
            return Ok(None);
        }
        let exponent = small_exponent(r.old, *builtin, args);
        let args: Vec<Value> = args.iter().map(|arg| r.one(*arg, self)).collect::<Result<_, _>>()?;
        let ty = result.or_internal("a built-in without result")?;
        if let (Some(exponent), [x, ..]) = (exponent, &args[..]) {
            return Ok(Some(smallvec![smallvec![expand::product(&mut r.b, *x, exponent)]]));
        }
        let value = match form {
            HalfAction::Expand(expand) => {
                expand(&mut r.b, &args, ty).or_internal("a built-in with unexpected operands")?
            }
            HalfAction::Promote => self.in_float(&mut r.b, *builtin, action, args, ty)?,
            HalfAction::None | HalfAction::Legal => self.provided(&mut r.b, *builtin, action, &args, ty)?,
        };
        Ok(Some(smallvec![smallvec![value]]))
    }
}
