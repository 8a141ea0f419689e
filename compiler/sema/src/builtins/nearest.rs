//! Ranks the overloads for a call that fits none of them, for the error message.

use super::pattern::{Instance, Param, Sig, Target, access_bit, shape_bit, space_bit};
use super::resolve::{Kind, Parsed, Rank, accepts_count, rank, take_apart};
use super::{Argument, convert, table};
use crate::hir::types::{QualTy, Ty, TyKind, TypeTable};
use clforge_basic::image::{AccessQualifier, ImageShape};
use clforge_basic::options::Options;
use clforge_syntax::ast::{AddressSpace, Qualifiers};

/// Overloads shown.
const SHOWN: usize = 4;
/// Shapes and address spaces that a parameter is shown with, the first that it admits; those of the argument come before.
const SHAPES: [ImageShape; 12] = [
    ImageShape::D2,
    ImageShape::D3,
    ImageShape::D2Array,
    ImageShape::D1,
    ImageShape::D1Buffer,
    ImageShape::D1Array,
    ImageShape::D2Depth,
    ImageShape::D2ArrayDepth,
    ImageShape::D2Msaa,
    ImageShape::D2ArrayMsaa,
    ImageShape::D2MsaaDepth,
    ImageShape::D2ArrayMsaaDepth,
];
const SPACES: [AddressSpace; 4] =
    [AddressSpace::Private, AddressSpace::Global, AddressSpace::Local, AddressSpace::Constant];
const ACCESSES: [AccessQualifier; 3] =
    [AccessQualifier::ReadOnly, AccessQualifier::WriteOnly, AccessQualifier::ReadWrite];

/// An overload that a call does not fit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// What it returns.
    pub result: Ty,
    /// What it takes, as near to the arguments as it can be.
    pub parameters: Vec<Ty>,
    /// Whether more arguments may follow.
    pub variadic: bool,
    /// The first argument that does not fit; `None` where their number does not.
    pub mismatch: Option<usize>,
}

/// The nearest overloads of a built-in function that takes no arguments of these types, nearest first.
pub fn nearest(name: &str, arguments: &[Argument], types: &mut TypeTable, options: &Options) -> Vec<Candidate> {
    let Some(row) = table::find(name).and_then(table::get) else {
        return conversion(name, arguments, types).into_iter().collect();
    };
    let parsed: Vec<Parsed> = arguments.iter().map(|argument| take_apart(*argument, types)).collect();
    let best = |sig: &'static Sig| {
        let instances = sig.instances().map(|instance| (distance(sig, instance, &parsed), instance));
        // The first of several that are equally near.
        instances.min_by_key(|(distance, _)| *distance).map(|(distance, instance)| (distance, sig, instance))
    };
    let mut sigs: Vec<(u32, &'static Sig, Instance)> = row.sigs.iter().filter_map(best).collect();
    sigs.sort_by_key(|(distance, ..)| *distance);
    // Those much farther away say nothing.
    let farthest = sigs.first().map_or(0, |(nearest, ..)| nearest.saturating_mul(2));
    sigs.retain(|(distance, ..)| *distance <= farthest);
    let mut shown: Vec<Candidate> = Vec::new();
    for (_, sig, instance) in sigs {
        let candidate = candidate(sig, instance, arguments, &parsed, types, options);
        if shown.len() < SHOWN && !shown.contains(&candidate) {
            shown.push(candidate);
        }
    }
    shown
}

/// How far a signature is from a call: an argument too many or too few counts most, then arguments of other kinds, then
/// those that differ in one respect; conversions that are allowed count least.
fn distance(sig: &Sig, instance: Instance, arguments: &[Parsed]) -> u32 {
    let pairs = sig.params.iter().zip(arguments);
    let mismatches = pairs.map(|(param, argument)| mismatch(param.of(instance), *argument)).sum::<u32>();
    let missing = if accepts_count(sig, arguments.len()) { 0 } else { sig.params.len().abs_diff(arguments.len()) };
    u32::try_from(missing).unwrap_or(u32::MAX).saturating_mul(100).saturating_add(mismatches)
}

fn mismatch(param: Param, argument: Parsed) -> u32 {
    match (rank(param, argument), param, argument.kind) {
        (Some(Rank::Exact), ..) => 0,
        (Some(Rank::Promotion | Rank::Conversion | Rank::Widening), ..) => 1,
        (Some(Rank::VoidPointer | Rank::OtherPointer), ..) => 2,
        (None, Param::Number(scalar, lanes), Kind::Number(from, from_lanes)) => {
            20 + 10 * u32::from(scalar != from) + u32::from(lanes.abs_diff(from_lanes))
        }
        (None, Param::Ptr(target, ..), Kind::Pointer(_, points_to)) => 20 + 10 * u32::from(target != points_to),
        (None, Param::Image(shapes, _), Kind::Other(TyKind::Image(shape, _))) => {
            20 + 20 * u32::from(shapes & shape_bit(shape) == 0)
        }
        (None, ..) => 60,
    }
}

fn candidate(
    sig: &Sig,
    instance: Instance,
    arguments: &[Argument],
    parsed: &[Parsed],
    types: &mut TypeTable,
    options: &Options,
) -> Candidate {
    let params = || sig.params.iter().map(|param| param.of(instance));
    let mismatch = accepts_count(sig, parsed.len())
        .then(|| params().zip(parsed).position(|(param, argument)| rank(param, *argument).is_none()))
        .flatten();
    let parameters = params()
        .enumerate()
        .map(|(index, param)| shown_type(param, arguments.get(index).map(|argument| argument.ty), types, options))
        .collect();
    let result = sig.result.of(instance).intern(types, arguments.first().map(|argument| argument.ty));
    Candidate { result, parameters, variadic: sig.variadic, mismatch }
}

/// A parameter's type as a message shows it: like the argument's where it leaves something open.
fn shown_type(param: Param, argument: Option<QualTy>, types: &mut TypeTable, options: &Options) -> Ty {
    let argument = argument.map(|argument| types.kind(argument.ty));
    match param {
        Param::Image(shapes, accesses) => {
            let (shape, access) = match argument {
                Some(TyKind::Image(shape, access)) => (Some(shape), Some(access)),
                _ => (None, None),
            };
            let fits = |shape: &ImageShape| shapes & shape_bit(*shape) != 0;
            let shape = shape.into_iter().chain(SHAPES).find(fits).unwrap_or(ImageShape::D2);
            let fits = |access: &AccessQualifier| accesses & access_bit(*access) != 0;
            let access = access.into_iter().chain(ACCESSES).find(fits).unwrap_or(AccessQualifier::ReadOnly);
            types.intern(TyKind::Image(shape, access))
        }
        Param::Ptr(target, quals, spaces) => {
            let (own, pointee) = match argument {
                Some(TyKind::Pointer(pointee)) => (Some(pointee.space), pointee.ty),
                _ => (None, Ty::VOID),
            };
            // A pointer of any space is the plain one of the languages that have it.
            let generic = options.language.version().version_number() >= 200;
            let any = generic.then_some(AddressSpace::Generic);
            let fits = |space: &AddressSpace| spaces & space_bit(*space) != 0;
            let space = own.into_iter().chain(any).chain(SPACES).find(fits).unwrap_or(AddressSpace::Global);
            let ty = match target {
                Target::Number(scalar, lanes) => types.vector(scalar, lanes),
                Target::Atomic(scalar) => types.intern(TyKind::Atomic(scalar)),
                Target::Event => Ty::EVENT,
                Target::Anything => pointee,
            };
            types.pointer_to(QualTy { ty, quals: Qualifiers::from_bits_truncate(quals), space })
        }
        _ => param.intern(types, None),
    }
}

/// A conversion takes any number of its lanes; shown is the one most like the argument.
fn conversion(name: &str, arguments: &[Argument], types: &mut TypeTable) -> Option<Candidate> {
    let conversion = convert::parse(name).and_then(convert::decode)?;
    let scalar = arguments.first().and_then(|argument| types.lanes(argument.ty.ty)).map(|(scalar, _)| scalar);
    let result = types.vector(conversion.scalar, conversion.lanes);
    let parameter = types.vector(scalar.unwrap_or(conversion.scalar), conversion.lanes);
    let mismatch = (arguments.len() == 1).then_some(0);
    Some(Candidate { result, parameters: vec![parameter], variadic: false, mismatch })
}
