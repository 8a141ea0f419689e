//! Atomic functions: those of OpenCL C 1.x and their extensions, and C11's (6.15.12).

use super::sync;
use super::{Entry, Lower, Lowered, ir_scalar};
use clforge_ir::{
    AtomicOp, CompareOp, Error, MemoryOrder, Op, OrInternal, ScalarType, Scope, Semantics, Space, Type, UnaryOp, Value,
};
use clforge_sema::hir::types::{Scalar, TyKind};
use smallvec::SmallVec;

/// The functions of this family, by the names that the source has for them.
pub const ENTRIES: &[Entry] = &[
    ("atomic_add", add),
    ("atom_add", add),
    ("atomic_sub", sub),
    ("atom_sub", sub),
    ("atomic_xchg", xchg),
    ("atom_xchg", xchg),
    ("atomic_inc", inc),
    ("atom_inc", inc),
    ("atomic_dec", dec),
    ("atom_dec", dec),
    ("atomic_cmpxchg", cmpxchg),
    ("atom_cmpxchg", cmpxchg),
    ("atomic_min", min),
    ("atom_min", min),
    ("atomic_max", max),
    ("atom_max", max),
    ("atomic_and", and),
    ("atom_and", and),
    ("atomic_or", or),
    ("atom_or", or),
    ("atomic_xor", xor),
    ("atom_xor", xor),
    ("atomic_flag_test_and_set", flag_test_and_set),
    ("atomic_flag_test_and_set_explicit", flag_test_and_set),
    ("atomic_flag_clear", flag_clear),
    ("atomic_flag_clear_explicit", flag_clear),
    ("atomic_init", init),
    ("atomic_load", load),
    ("atomic_load_explicit", load),
    ("atomic_store", store),
    ("atomic_store_explicit", store),
    ("atomic_exchange", exchange),
    ("atomic_exchange_explicit", exchange),
    ("atomic_compare_exchange_strong", compare_exchange),
    ("atomic_compare_exchange_strong_explicit", compare_exchange),
    ("atomic_compare_exchange_weak", compare_exchange),
    ("atomic_compare_exchange_weak_explicit", compare_exchange),
    ("atomic_fetch_add", fetch_add),
    ("atomic_fetch_add_explicit", fetch_add),
    ("atomic_fetch_sub", fetch_sub),
    ("atomic_fetch_sub_explicit", fetch_sub),
    ("atomic_fetch_or", fetch_or),
    ("atomic_fetch_or_explicit", fetch_or),
    ("atomic_fetch_xor", fetch_xor),
    ("atomic_fetch_xor_explicit", fetch_xor),
    ("atomic_fetch_and", fetch_and),
    ("atomic_fetch_and_explicit", fetch_and),
    ("atomic_fetch_min", fetch_min),
    ("atomic_fetch_min_explicit", fetch_min),
    ("atomic_fetch_max", fetch_max),
    ("atomic_fetch_max_explicit", fetch_max),
];

/// The memory semantics of an atomic access: where it succeeds, and of a compare-exchange that finds another value.
struct AccessSemantics {
    semantics: Semantics,
    unequal: MemoryOrder,
}

/// Memory of one space is ordered with itself; a generic pointer may be either.
fn semantics(l: &mut Lower<'_, '_>, order: MemoryOrder, scope: Scope) -> Result<Semantics, Error> {
    let ptr = l.arg(0)?;
    let space = l.b.ty(ptr).space();
    let local = matches!(space, Some(Space::Local | Space::Generic));
    Ok(Semantics { order, scope, local, global: space != Some(Space::Local), image: false })
}

/// The functions of OpenCL C 1.x are relaxed, and reach as far as their memory does.
fn relaxed(l: &mut Lower<'_, '_>) -> Result<AccessSemantics, Error> {
    let ptr = l.arg(0)?;
    let scope = if l.b.ty(ptr).space() == Some(Space::Local) { Scope::WorkGroup } else { Scope::Device };
    let semantics = semantics(l, MemoryOrder::Relaxed, scope)?;
    Ok(AccessSemantics { semantics, unequal: MemoryOrder::Relaxed })
}

/// The order and scope of a C11 function, whose arguments begin at `index`; sequential and device-wide without.
fn explicit(l: &mut Lower<'_, '_>, index: usize) -> Result<AccessSemantics, Error> {
    let order = sync::order(l, index);
    let scope = sync::scope(l, index + 1, Scope::Device);
    let semantics = semantics(l, order, scope)?;
    Ok(AccessSemantics { semantics, unequal: MemoryOrder::Relaxed })
}

fn atomic(
    l: &mut Lower<'_, '_>,
    op: AtomicOp,
    operands: &[Value],
    access: AccessSemantics,
    ty: Option<Type>,
) -> Result<Option<Value>, Error> {
    let ptr = l.arg(0)?;
    if is_private(l)? {
        return non_atomic(l, op, operands, ty);
    }
    let operands = SmallVec::from_slice(operands);
    let AccessSemantics { semantics, unequal } = access;
    let types: SmallVec<[Type; 1]> = ty.into_iter().collect();
    Ok(l.b.push(Op::Atomic { op, ptr, operands, semantics, unequal }, &types).first().copied())
}

/// Whether the object is private, so that no other work-item can access it.
fn is_private(l: &mut Lower<'_, '_>) -> Result<bool, Error> {
    let ptr = l.arg(0)?;
    Ok(l.b.ty(ptr).space() == Some(Space::Private))
}

/// The access as a plain load and store.
fn non_atomic(l: &mut Lower<'_, '_>, op: AtomicOp, operands: &[Value], ty: Option<Type>) -> Lowered {
    let ptr = l.arg(0)?;
    let object = ty.or_else(|| operands.first().map(|value| l.b.ty(*value))).or_internal("an atomic without value")?;
    let align = u32::try_from(object.access_size()).unwrap_or(1);
    let old = l.b.load(object, ptr, align);
    if let Some(new) = l.b.updated(op, operands, old) {
        l.b.store(ptr, new, align);
    }
    Ok(ty.map(|_| old))
}

/// The scalar the object holds.
fn object(l: &Lower<'_, '_>) -> Result<Scalar, Error> {
    let pointee = l.pointee(0).map(|(ty, _)| (l.types.kind(ty), l.types.lanes(ty)));
    match pointee {
        Some((TyKind::Atomic(scalar), _) | (_, Some((scalar, 1)))) => Ok(scalar),
        _ => Err(l.unsupported_type()),
    }
}

/// A read-modify-write of OpenCL C 1.x with the second argument.
fn legacy(l: &mut Lower<'_, '_>, op: AtomicOp) -> Lowered {
    let operand = l.arg(1)?;
    let ty = l.b.ty(operand);
    let access = relaxed(l)?;
    atomic(l, op, &[operand], access, Some(ty))
}

/// The same with 1.
fn legacy_by_one(l: &mut Lower<'_, '_>, op: AtomicOp) -> Lowered {
    let ty = Type::scalar(ir_scalar(object(l)?));
    let one = l.b.int(ty, 1);
    let access = relaxed(l)?;
    atomic(l, op, &[one], access, Some(ty))
}

/// A read-modify-write of C11.
fn fetch(l: &mut Lower<'_, '_>, op: AtomicOp) -> Lowered {
    let operand = l.arg(1)?;
    let ty = l.b.ty(operand);
    let access = explicit(l, 2)?;
    atomic(l, op, &[operand], access, Some(ty))
}

/// The signed or unsigned form, by the type of the operand.
fn by_sign(l: &Lower<'_, '_>, signed: AtomicOp, unsigned: AtomicOp) -> AtomicOp {
    if l.is_signed(1) { signed } else { unsigned }
}

/// A read-modify-write of C11 on an integer or a floating object.
fn fetch_number(l: &mut Lower<'_, '_>, op: AtomicOp, float: AtomicOp) -> Lowered {
    let is_float = matches!(l.scalar(1), Scalar::Float(_));
    fetch(l, if is_float { float } else { op })
}

macro_rules! read_modify_writes {
    ($($legacy:ident, $fetch:ident = $op:ident;)*) => {
        $(pub fn $legacy(l: &mut Lower<'_, '_>) -> Lowered {
            legacy(l, AtomicOp::$op)
        }

        pub fn $fetch(l: &mut Lower<'_, '_>) -> Lowered {
            fetch(l, AtomicOp::$op)
        })*
    };
}

pub fn add(l: &mut Lower<'_, '_>) -> Lowered {
    legacy(l, AtomicOp::Add)
}

read_modify_writes! {
    and, fetch_and = And;
    or, fetch_or = Or;
    xor, fetch_xor = Xor;
}

pub fn sub(l: &mut Lower<'_, '_>) -> Lowered {
    legacy(l, AtomicOp::Sub)
}

pub fn xchg(l: &mut Lower<'_, '_>) -> Lowered {
    legacy(l, AtomicOp::Exchange)
}

pub fn exchange(l: &mut Lower<'_, '_>) -> Lowered {
    fetch(l, AtomicOp::Exchange)
}

pub fn fetch_add(l: &mut Lower<'_, '_>) -> Lowered {
    fetch_number(l, AtomicOp::Add, AtomicOp::FAdd)
}

/// A float is subtracted by adding its negative.
pub fn fetch_sub(l: &mut Lower<'_, '_>) -> Lowered {
    if !matches!(l.scalar(1), Scalar::Float(_)) {
        return fetch(l, AtomicOp::Sub);
    }
    let operand = l.arg(1)?;
    let ty = l.b.ty(operand);
    let negative = l.b.unary(UnaryOp::FNeg, operand);
    let access = explicit(l, 2)?;
    atomic(l, AtomicOp::FAdd, &[negative], access, Some(ty))
}

pub fn min(l: &mut Lower<'_, '_>) -> Lowered {
    let op = by_sign(l, AtomicOp::SMin, AtomicOp::UMin);
    legacy(l, op)
}

pub fn max(l: &mut Lower<'_, '_>) -> Lowered {
    let op = by_sign(l, AtomicOp::SMax, AtomicOp::UMax);
    legacy(l, op)
}

pub fn fetch_min(l: &mut Lower<'_, '_>) -> Lowered {
    let op = by_sign(l, AtomicOp::SMin, AtomicOp::UMin);
    fetch_number(l, op, AtomicOp::FMin)
}

pub fn fetch_max(l: &mut Lower<'_, '_>) -> Lowered {
    let op = by_sign(l, AtomicOp::SMax, AtomicOp::UMax);
    fetch_number(l, op, AtomicOp::FMax)
}

pub fn inc(l: &mut Lower<'_, '_>) -> Lowered {
    legacy_by_one(l, AtomicOp::Add)
}

pub fn dec(l: &mut Lower<'_, '_>) -> Lowered {
    legacy_by_one(l, AtomicOp::Sub)
}

/// `atomic_cmpxchg(p, expected, desired)`: the old value.
pub fn cmpxchg(l: &mut Lower<'_, '_>) -> Lowered {
    let (expected, desired) = (l.arg(1)?, l.arg(2)?);
    let ty = l.b.ty(expected);
    let access = relaxed(l)?;
    atomic(l, AtomicOp::CompareExchange, &[expected, desired], access, Some(ty))
}

pub fn load(l: &mut Lower<'_, '_>) -> Lowered {
    let ty = Type::scalar(ir_scalar(object(l)?));
    let access = explicit(l, 1)?;
    atomic(l, AtomicOp::Load, &[], access, Some(ty))
}

pub fn store(l: &mut Lower<'_, '_>) -> Lowered {
    let value = l.arg(1)?;
    let access = explicit(l, 2)?;
    atomic(l, AtomicOp::Store, &[value], access, None)
}

/// `atomic_init` is no atomic access (6.15.12.2).
pub fn init(l: &mut Lower<'_, '_>) -> Lowered {
    let value = l.arg(1)?;
    l.store_out(0, value)?;
    Ok(None)
}

/// `atomic_compare_exchange_…(object, expected, desired[, success, failure[, scope]])`. A weak one may fail where it
/// need not, so the strong one is one too.
pub fn compare_exchange(l: &mut Lower<'_, '_>) -> Lowered {
    let (expected_ptr, desired) = (l.arg(1)?, l.arg(2)?);
    let ty = l.b.ty(desired);
    let align = u32::try_from(ty.access_size()).unwrap_or(1);
    let expected = l.b.load(ty, expected_ptr, align);
    let order = sync::order(l, 3);
    // Nothing is stored then, so that nothing can be released (C11 7.17.7.4 forbids those orders).
    let unequal = match sync::order(l, 4) {
        MemoryOrder::Release => MemoryOrder::Relaxed,
        MemoryOrder::AcquireRelease => MemoryOrder::Acquire,
        order => order,
    };
    let scope = sync::scope(l, 5, Scope::Device);
    let semantics = semantics(l, order, scope)?;
    let access = AccessSemantics { semantics, unequal };
    let int = ty.with_scalar(ScalarType::int(ty.scalar.bits()));
    // Floats are compared and exchanged as bits.
    let (expected, desired) = (l.b.bitcast(expected, int), l.b.bitcast(desired, int));
    let old = atomic(l, AtomicOp::CompareExchange, &[expected, desired], access, Some(int))?;
    let old = old.unwrap_or(expected);
    // Where they are equal this stores what is there.
    let new = l.b.bitcast(old, ty);
    l.b.store(expected_ptr, new, align);
    Ok(Some(l.b.compare(CompareOp::Eq, old, expected)))
}

pub fn flag_test_and_set(l: &mut Lower<'_, '_>) -> Lowered {
    let one = l.b.int(Type::I32, 1);
    let access = explicit(l, 1)?;
    let old = atomic(l, AtomicOp::Exchange, &[one], access, Some(Type::I32))?.unwrap_or(one);
    Ok(Some(l.b.compare_int(CompareOp::Ne, old, 0)))
}

pub fn flag_clear(l: &mut Lower<'_, '_>) -> Lowered {
    let zero = l.b.int(Type::I32, 0);
    let access = explicit(l, 1)?;
    atomic(l, AtomicOp::Store, &[zero], access, None)
}
