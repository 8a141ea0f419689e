//! Overload resolution as C++ and clang's `overloadable` attribute have it: the candidate that is no worse in every
//! argument and better in one.

use super::pattern::{CONSTANT, GENERIC, Instance, PRIVATE, Param, Sig, Spaces, Target, WRITABLE, space_bit};
use super::{Argument, BuiltinId, Resolution, convert, table};
use crate::hir::types::{FloatKind, IntKind, QualTy, Scalar, Ty, TyKind, TypeTable};
use clforge_basic::options::Options;
use clforge_syntax::ast::{AddressSpace, Qualifiers};
use smallvec::SmallVec;

/// The rank of an implicit conversion, best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rank {
    Exact,
    Promotion,
    Conversion,
    /// A scalar becomes a vector.
    Widening,
    /// Between pointers to `void` and to other things.
    VoidPointer,
    /// Between pointers to different things, or one that drops qualifiers.
    OtherPointer,
}

/// An argument, its type taken apart once for all candidates.
#[derive(Clone, Copy)]
pub(super) struct Parsed {
    pub kind: Kind,
    pub is_null: bool,
}

/// The type of an argument.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    Number(Scalar, u8),
    Pointer(QualTy, Target),
    Other(TyKind),
}

struct Candidate {
    sig: &'static Sig,
    instance: Instance,
    ranks: SmallVec<[Rank; 6]>,
}

/// See [`super::resolve`].
pub fn resolve(name: &str, arguments: &[Argument], types: &mut TypeTable, options: &Options) -> Resolution {
    let Some(id) = table::find(name).filter(|_| !name.starts_with("__")) else {
        let arguments: SmallVec<[QualTy; 6]> = arguments.iter().map(|argument| argument.ty).collect();
        return convert::resolve(name, &arguments, types);
    };
    let Some(row) = table::get(id) else { return Resolution::Unknown };
    if u32::from(row.since) > options.language.version().version_number() {
        return Resolution::Unavailable {
            needs: format!("OpenCL C {}.{} or newer", row.since / 100, row.since / 10 % 10),
        };
    }
    if row.sigs.is_empty() {
        return Resolution::Unavailable { needs: "support that this compiler does not have yet".into() };
    }
    if arguments.iter().any(|argument| types.is_error(argument.ty.ty)) {
        let parameters = arguments.iter().map(|argument| argument.ty).collect();
        return Resolution::Found { id, parameters, result: Ty::ERROR, variadic: false };
    }
    let parsed: SmallVec<[Parsed; 6]> = arguments.iter().map(|argument| take_apart(*argument, types)).collect();
    if let Some((sig, instance)) = exact(row.sigs, &parsed) {
        return found(name, id, sig, instance, arguments, types, options);
    }
    let mut viable: Vec<Candidate> = Vec::new();
    for sig in row.sigs.iter().filter(|sig| accepts_count(sig, parsed.len())) {
        for instance in sig.instances() {
            if let Some(ranks) = rank_all(sig, instance, &parsed) {
                viable.push(Candidate { sig, instance, ranks });
            }
        }
    }
    // One pass finds the only candidate that can be best; a second one proves it.
    let best = viable.iter().reduce(|best, other| if better(other, best) { other } else { best });
    match best {
        Some(best) if viable.iter().all(|other| std::ptr::eq(other, best) || better(best, other)) => {
            found(name, id, best.sig, best.instance, arguments, types, options)
        }
        Some(_) => {
            // The candidates that nothing beats, as the message shows them.
            let top = viable.iter().filter(|one| !viable.iter().any(|other| better(other, one)));
            let candidates = top.take(6).map(|one| one.sig.spelling(name, one.instance)).collect();
            Resolution::Ambiguous { candidates }
        }
        None => Resolution::NoMatch,
    }
}

/// Whether `a` is the better candidate. One that needs a conversion between unrelated pointers, which C allows with a
/// warning, loses to any that does not.
fn better(a: &Candidate, b: &Candidate) -> bool {
    let pairs = || a.ranks.iter().zip(&b.ranks);
    let forced = |rank: &Rank| *rank == Rank::OtherPointer;
    if pairs().any(|(a, b)| forced(a) != forced(b)) {
        return pairs().all(|(a, b)| !forced(a) || forced(b));
    }
    pairs().all(|(a, b)| a <= b) && pairs().any(|(a, b)| a < b)
}

pub(super) fn accepts_count(sig: &Sig, count: usize) -> bool {
    if sig.variadic { count >= sig.params.len() } else { count == sig.params.len() }
}

pub(super) fn take_apart(argument: Argument, types: &TypeTable) -> Parsed {
    Parsed { kind: kind(argument.ty, types), is_null: argument.is_null }
}

fn kind(argument: QualTy, types: &TypeTable) -> Kind {
    if let Some((scalar, lanes)) = types.lanes(argument.ty) {
        return Kind::Number(scalar, lanes);
    }
    match types.kind(argument.ty) {
        TyKind::Pointer(pointee) => {
            let target = match (types.kind(pointee.ty), types.lanes(pointee.ty)) {
                (TyKind::Event, _) => Target::Event,
                (TyKind::Atomic(scalar), _) => Target::Atomic(scalar),
                (TyKind::Enum(_), _) | (_, None) => Target::Anything,
                (_, Some((scalar, lanes))) => Target::Number(scalar, lanes),
            };
            Kind::Pointer(pointee, target)
        }
        kind => Kind::Other(kind),
    }
}

/// The candidate that takes all arguments as they are, found without trying all: such a one is the best. Where there is
/// one signature, parameters that are the same in all its instances do not count.
fn exact(sigs: &'static [Sig], arguments: &[Parsed]) -> Option<(&'static Sig, Instance)> {
    for sig in sigs.iter().filter(|sig| sig.lanes2 == 0 && accepts_count(sig, arguments.len())) {
        let numbers = arguments.iter().filter_map(|argument| match argument.kind {
            Kind::Number(scalar, lanes) => Some((scalar, lanes)),
            Kind::Pointer(_, Target::Number(scalar, lanes)) => Some((scalar, lanes)),
            Kind::Pointer(_, Target::Atomic(scalar)) => Some((scalar, 1)),
            _ => None,
        });
        for (scalar, lanes) in numbers {
            let lanes = sig.only_lanes().unwrap_or(lanes);
            let instance = Instance { scalar, lanes, lanes2: 1 };
            if !sig.admits(scalar, lanes) {
                continue;
            }
            let Some(ranks) = rank_all(sig, instance, arguments) else { continue };
            let all = ranks.iter().all(|rank| *rank == Rank::Exact);
            let mut counting = sig.params.iter().zip(&ranks).filter(|(param, _)| !param.is_fixed()).peekable();
            let deciding = sigs.len() == 1 && counting.peek().is_some();
            if all || deciding && counting.all(|(_, rank)| *rank == Rank::Exact) {
                return Some((sig, instance));
            }
        }
    }
    None
}

fn rank_all(sig: &Sig, instance: Instance, arguments: &[Parsed]) -> Option<SmallVec<[Rank; 6]>> {
    sig.params.iter().zip(arguments).map(|(param, argument)| rank(param.of(instance), *argument)).collect()
}

/// The conversion of an argument to a parameter's type; `None` where there is none.
pub(super) fn rank(param: Param, argument: Parsed) -> Option<Rank> {
    match rank_type(param, argument.kind) {
        Some(Rank::Exact) => Some(Rank::Exact),
        _ if argument.is_null && matches!(param, Param::Ptr(..)) => Some(Rank::Conversion),
        rank => rank,
    }
}

fn rank_type(param: Param, argument: Kind) -> Option<Rank> {
    match (param, argument) {
        (Param::Number(scalar, lanes), Kind::Number(from, from_lanes)) => match (from_lanes, lanes) {
            (1, 1) => Some(rank_scalar(from, scalar)),
            (1, _) => Some(Rank::Widening),
            _ => (from == scalar && from_lanes == lanes).then_some(Rank::Exact),
        },
        (Param::Ptr(target, quals, spaces), Kind::Pointer(pointee, points_to)) => {
            let all = if is_generic(spaces) { spaces | WRITABLE } else { spaces };
            if all & space_bit(pointee.space) == 0 {
                return None;
            }
            let same = target == Target::Anything || target == points_to;
            let allowed = Qualifiers::from_bits_truncate(quals) | Qualifiers::RESTRICT;
            Some(match (same, allowed.contains(pointee.quals)) {
                (true, true) => Rank::Exact,
                (false, _) if pointee.ty == Ty::VOID => Rank::VoidPointer,
                _ => Rank::OtherPointer,
            })
        }
        (Param::Event, Kind::Other(TyKind::Event)) => Some(Rank::Exact),
        (Param::Event, Kind::Number(Scalar::Int(_), 1)) => Some(Rank::Conversion),
        (Param::Handle(kind), Kind::Other(other)) => (kind == other).then_some(Rank::Exact),
        (Param::Sampler, Kind::Other(TyKind::Sampler)) => Some(Rank::Exact),
        (Param::Sampler, Kind::Number(Scalar::Int(_), 1)) => Some(Rank::Conversion),
        (Param::Image(shapes, accesses), Kind::Other(TyKind::Image(shape, access))) => {
            let fits =
                shapes & super::pattern::shape_bit(shape) != 0 && accesses & super::pattern::access_bit(access) != 0;
            fits.then_some(Rank::Exact)
        }
        _ => None,
    }
}

fn rank_scalar(from: Scalar, to: Scalar) -> Rank {
    if from == to {
        return Rank::Exact;
    }
    match (from, to) {
        (Scalar::Bool, Scalar::Int(IntKind::Int)) => Rank::Promotion,
        (Scalar::Int(kind), Scalar::Int(IntKind::Int)) if kind.bits() < 32 => Rank::Promotion,
        (Scalar::Float(FloatKind::Float), Scalar::Float(FloatKind::Double)) => Rank::Promotion,
        _ => Rank::Conversion,
    }
}

/// Whether a parameter is a generic pointer, which may point into any space but constant memory. Functions that take no pointer
/// to private memory have none: that they take generic ones is an extension.
fn is_generic(spaces: Spaces) -> bool {
    spaces & GENERIC != 0 && spaces & PRIVATE != 0
}

/// The address spaces of the overloads that a parameter stands for: where pointers may be generic, there is one with a
/// generic pointer and none for each space that it may point into.
fn overloads_of(spaces: Spaces, options: &Options) -> impl Iterator<Item = AddressSpace> {
    const SPACES: [AddressSpace; 5] = [
        AddressSpace::Generic,
        AddressSpace::Private,
        AddressSpace::Global,
        AddressSpace::Local,
        AddressSpace::Constant,
    ];
    let has_generic = options.language.version().version_number() >= 200;
    let own = if has_generic && is_generic(spaces) { spaces & (GENERIC | CONSTANT) } else { spaces & !GENERIC };
    SPACES.into_iter().filter(move |space| own & space_bit(*space) != 0)
}

/// What a call of the chosen instance means. A null pointer constant does not say which address space it points into: where
/// the function has overloads for several, no one is best.
fn found(
    name: &str,
    id: BuiltinId,
    sig: &'static Sig,
    instance: Instance,
    arguments: &[Argument],
    types: &mut TypeTable,
    options: &Options,
) -> Resolution {
    let mut parameters: SmallVec<[QualTy; 6]> = SmallVec::new();
    for (index, (param, argument)) in sig.params.iter().zip(arguments).enumerate() {
        let param = param.of(instance);
        let mut given = argument.ty;
        if let Param::Ptr(_, _, spaces) = param
            && argument.is_null
            && rank_type(param, kind(given, types)) != Some(Rank::Exact)
        {
            let mut spaces = overloads_of(spaces, options);
            let (Some(space), None) = (spaces.next(), spaces.next()) else {
                return Resolution::Ambiguous { candidates: in_each_space(name, sig, instance, index, options) };
            };
            given = QualTy::plain(types.pointer_to(QualTy::plain(Ty::VOID).in_space(space)));
        }
        parameters.push(QualTy::plain(param.intern(types, Some(given))));
    }
    let result = sig.result.of(instance).intern(types, arguments.first().map(|argument| argument.ty));
    Resolution::Found { id, parameters, result, variadic: sig.variadic }
}

/// The overloads that differ in the address space of the parameter at `index`, as declarations.
fn in_each_space(name: &str, sig: &Sig, instance: Instance, index: usize, options: &Options) -> Vec<String> {
    let mut params: Vec<Param> = sig.params.iter().map(|param| param.of(instance)).collect();
    let Some(Param::Ptr(target, quals, spaces)) = params.get(index).copied() else { return Vec::new() };
    let in_space = |space: AddressSpace| {
        params[index] = Param::Ptr(target, quals, space_bit(space));
        sig.spelling_of(name, instance, &params)
    };
    overloads_of(spaces, options).map(in_space).collect()
}
