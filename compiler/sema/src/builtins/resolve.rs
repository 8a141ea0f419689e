//! Overload resolution as C++ and clang's `overloadable` attribute have it: the candidate that is no worse in every
//! argument and better in one.

use super::pattern::{Instance, Param, Sig, Target, space_bit};
use super::{BuiltinId, Resolution, convert, table};
use crate::hir::types::{FloatKind, IntKind, QualTy, Scalar, Ty, TyKind, TypeTable};
use clforge_basic::options::Options;
use clforge_syntax::ast::Qualifiers;
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

/// An argument's type, taken apart once for all candidates.
#[derive(Clone, Copy)]
pub(super) enum Argument {
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
pub fn resolve(name: &str, arguments: &[QualTy], types: &mut TypeTable, options: &Options) -> Resolution {
    let Some(id) = table::find(name).filter(|_| !name.starts_with("__")) else {
        return convert::resolve(name, arguments, types);
    };
    let Some(row) = table::get(id) else { return Resolution::Unknown };
    if u32::from(row.since) > options.language().version_number() {
        return Resolution::Unavailable {
            needs: format!("OpenCL C {}.{} or newer", row.since / 100, row.since / 10 % 10),
        };
    }
    if row.sigs.is_empty() {
        return Resolution::Unavailable { needs: "support that this compiler does not have yet".into() };
    }
    if arguments.iter().any(|argument| types.is_error(argument.ty)) {
        let parameters = arguments.iter().copied().collect();
        return Resolution::Found { id, parameters, result: Ty::ERROR, variadic: false };
    }
    let parsed: SmallVec<[Argument; 6]> = arguments.iter().map(|argument| take_apart(*argument, types)).collect();
    if let Some((sig, instance)) = exact(row.sigs, &parsed) {
        return found(id, sig, instance, arguments, types);
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
            found(id, best.sig, best.instance, arguments, types)
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

pub(super) fn take_apart(argument: QualTy, types: &TypeTable) -> Argument {
    if let Some((scalar, lanes)) = types.lanes(argument.ty) {
        return Argument::Number(scalar, lanes);
    }
    match types.kind(argument.ty) {
        TyKind::Pointer(pointee) => {
            let target = match (types.kind(pointee.ty), types.lanes(pointee.ty)) {
                (TyKind::Event, _) => Target::Event,
                (TyKind::Atomic(scalar), _) => Target::Atomic(scalar),
                (TyKind::Enum(_), _) | (_, None) => Target::Anything,
                (_, Some((scalar, lanes))) => Target::Number(scalar, lanes),
            };
            Argument::Pointer(pointee, target)
        }
        kind => Argument::Other(kind),
    }
}

/// The candidate that takes all arguments as they are, found without trying all: such a one is the best. Where there is
/// one signature, parameters that are the same in all its instances do not count.
fn exact(sigs: &'static [Sig], arguments: &[Argument]) -> Option<(&'static Sig, Instance)> {
    for sig in sigs.iter().filter(|sig| sig.lanes2 == 0 && accepts_count(sig, arguments.len())) {
        let numbers = arguments.iter().filter_map(|argument| match argument {
            Argument::Number(scalar, lanes) => Some((*scalar, *lanes)),
            Argument::Pointer(_, Target::Number(scalar, lanes)) => Some((*scalar, *lanes)),
            Argument::Pointer(_, Target::Atomic(scalar)) => Some((*scalar, 1)),
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

fn rank_all(sig: &Sig, instance: Instance, arguments: &[Argument]) -> Option<SmallVec<[Rank; 6]>> {
    sig.params.iter().zip(arguments).map(|(param, argument)| rank(param.of(instance), *argument)).collect()
}

/// The conversion of an argument to a parameter's type; `None` where there is none.
pub(super) fn rank(param: Param, argument: Argument) -> Option<Rank> {
    match (param, argument) {
        (Param::Number(scalar, lanes), Argument::Number(from, from_lanes)) => match (from_lanes, lanes) {
            (1, 1) => Some(rank_scalar(from, scalar)),
            (1, _) => Some(Rank::Widening),
            _ => (from == scalar && from_lanes == lanes).then_some(Rank::Exact),
        },
        (Param::Ptr(target, quals, spaces), Argument::Pointer(pointee, points_to)) => {
            if spaces & space_bit(pointee.space) == 0 {
                return None;
            }
            let same = target == Target::Anything || target == points_to;
            let allowed = Qualifiers::from_bits_truncate(quals) | Qualifiers::RESTRICT;
            // Handles and atomic objects have no other view.
            if !same && matches!(target, Target::Event | Target::Atomic(_)) {
                return None;
            }
            Some(match (same, allowed.contains(pointee.quals)) {
                (true, true) => Rank::Exact,
                (false, _) if pointee.ty == Ty::VOID => Rank::VoidPointer,
                _ => Rank::OtherPointer,
            })
        }
        (Param::Event, Argument::Other(TyKind::Event)) => Some(Rank::Exact),
        (Param::Event, Argument::Number(Scalar::Int(_), 1)) => Some(Rank::Conversion),
        (Param::Handle(kind), Argument::Other(other)) => (kind == other).then_some(Rank::Exact),
        (Param::Sampler, Argument::Other(TyKind::Sampler)) => Some(Rank::Exact),
        (Param::Sampler, Argument::Number(Scalar::Int(_), 1)) => Some(Rank::Conversion),
        (Param::Image(shapes, accesses), Argument::Other(TyKind::Image(shape, access))) => {
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

fn found(
    id: BuiltinId,
    sig: &'static Sig,
    instance: Instance,
    arguments: &[QualTy],
    types: &mut TypeTable,
) -> Resolution {
    let parameter = |(param, argument): (&super::pattern::Pattern, &QualTy)| {
        QualTy::plain(param.of(instance).intern(types, Some(*argument)))
    };
    let parameters = sig.params.iter().zip(arguments).map(parameter).collect();
    let result = sig.result.of(instance).intern(types, arguments.first().copied());
    Resolution::Found { id, parameters, result, variadic: sig.variadic }
}
