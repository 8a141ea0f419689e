//! `vulkan/sincos` replaces a sine and a cosine of the same angle by one call.
//!
//! Both functions spend most of their time on reducing the angle to a quadrant. The reduction has a branch for large
//! angles, so common subexpression elimination cannot merge it later. The library function returns the cosine through a
//! pointer to a private object, which is promoted when the function is inlined.

use super::builtins::legalize_actions::{LegalizeAction, legalize_action};
use clforge_basic::options::Options;
use clforge_ir::pass::{Changed, FunctionContext, FunctionPass, Order};
use clforge_ir::*;
use rustc_hash::FxHashMap;

/// The pass.
pub struct Sincos;

impl FunctionPass for Sincos {
    fn name(&self) -> &'static str {
        "vulkan/sincos"
    }

    fn order(&self) -> Order {
        Order { after: &["mem2reg", "common_subexpressions"], before: &["vulkan/library"], ..Order::ANY }
    }

    fn run(&self, function: &mut Function, context: &FunctionContext<'_>) -> Changed {
        let mut pairs = Vec::new();
        let mut regions = vec![function.body];
        function.walk_body(|_, inst| regions.extend(inst.op.regions()));
        for region in regions {
            pairs.extend(pairs_of_region(function, region, context.options));
        }
        let pointer = Type::pointer(Space::Private, context.options.language.address_bits);
        // At the end, since they move what comes after them.
        let objects: Vec<InstId> = pairs.iter().map(|pair| merge(function, pair, pointer)).collect();
        let body = function.body;
        function.region_mut(body).insts.splice(0..0, objects);
        if pairs.is_empty() { Changed::No } else { Changed::Maybe }
    }
}

/// Whether a function of the module has a sine and a cosine.
pub fn has_sine_and_cosine(module: &Module) -> bool {
    module.functions.iter().any(|function| {
        let has = |wanted| {
            function.insts.iter().any(|inst| matches!(inst.op, Op::Intrinsic { function, .. } if function == wanted))
        };
        has(Intrinsic::Sin) && has(Intrinsic::Cos)
    })
}

/// A sine and a cosine of one angle.
struct Pair {
    region: RegionId,
    /// Where the first of both is in the region.
    index: usize,
    angle: Value,
    sine: InstId,
    cosine: InstId,
}

/// The pairs of a region, from the last to the first, so that the indices stay what they are.
fn pairs_of_region(function: &Function, region: RegionId, options: &Options) -> Vec<Pair> {
    /// The first sine and cosine of an angle, with their indices.
    type Found = [Option<(usize, InstId)>; 2];
    let mut found: FxHashMap<Value, Found> = FxHashMap::default();
    for (index, id) in function.region(region).insts.iter().enumerate() {
        let Op::Intrinsic { function: intrinsic @ (Intrinsic::Sin | Intrinsic::Cos), args } = &function.inst(*id).op
        else {
            continue;
        };
        if let [angle] = args[..]
            && is_merged(function.ty(angle), *intrinsic, options)
        {
            found.entry(angle).or_default()[usize::from(*intrinsic == Intrinsic::Cos)].get_or_insert((index, *id));
        }
    }
    let mut pairs: Vec<Pair> = found
        .into_iter()
        .filter_map(|(angle, found)| {
            let [(first, sine), (second, cosine)] = [found[0]?, found[1]?];
            Some(Pair { region, index: first.min(second), angle, sine, cosine })
        })
        .collect();
    pairs.sort_unstable_by_key(|pair| std::cmp::Reverse(pair.index));
    pairs
}

/// Whether the library has the function for both: not where the device has instructions for them.
fn is_merged(ty: Type, intrinsic: Intrinsic, options: &Options) -> bool {
    let is_called = |action| matches!(action, Some(LegalizeAction::LibCall(_)));
    let has_function = ty.lanes == 1 && matches!(ty.scalar, ScalarType::F32 | ScalarType::F64);
    has_function && is_called(legalize_action(intrinsic, ty.scalar, options))
}

/// Puts both at the place of the first; the object of the cosine, which is returned, has no place yet.
fn merge(function: &mut Function, pair: &Pair, pointer: Type) -> InstId {
    let insts = &mut function.region_mut(pair.region).insts;
    insts.retain(|id| *id != pair.sine && *id != pair.cosine);
    insts.splice(pair.index..pair.index, [pair.sine, pair.cosine]);
    let align = function.ty(pair.angle).scalar.bits() / 8;
    let span = function.inst(pair.sine).span;
    let object = function.new_inst(Op::Alloca { size: align.into(), align: align.into() }, &[pointer], span);
    let ptr = function.inst(object).results[0];
    let args = [pair.angle, ptr].into_iter().collect();
    function.inst_mut(pair.sine).op = Op::Intrinsic { function: Intrinsic::Sincos, args };
    function.inst_mut(pair.cosine).op = Op::Load { ptr, align, volatile: false, invariant: false };
    object
}
