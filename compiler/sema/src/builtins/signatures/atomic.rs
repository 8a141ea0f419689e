//! Signatures of atomic functions (OpenCL C 6.15.12 and those of OpenCL C 1.x).

use crate::builtins::pattern::*;
use crate::builtins::row::{Row, row, since};
use Pattern::{Elem, Void};

const INTS32_PTR: Pattern = Pattern::Ptr(Pointee::Elem, VOLATILE, SHARED);
/// `int`, `uint` in global and local memory.
const READ_WRITE: &[Sig] = &[sig(INTS32, ONE, Elem, &[INTS32_PTR, Elem])];
const EXCHANGE: &[Sig] = &[sig(INTS32 | FLOAT, ONE, Elem, &[INTS32_PTR, Elem])];
const INCREMENT: &[Sig] = &[sig(INTS32, ONE, Elem, &[INTS32_PTR])];
const COMPARE_EXCHANGE: &[Sig] = &[sig(INTS32, ONE, Elem, &[INTS32_PTR, Elem, Elem])];
/// The forms of the extensions of OpenCL C 1.0 and the 64-bit ones.
const EXT_READ_WRITE: &[Sig] = &[sig(INTS32 | INTS64, ONE, Elem, &[INTS32_PTR, Elem])];
const EXT_EXCHANGE: &[Sig] = &[sig(INTS32 | INTS64 | FLOAT, ONE, Elem, &[INTS32_PTR, Elem])];
const EXT_INCREMENT: &[Sig] = &[sig(INTS32 | INTS64, ONE, Elem, &[INTS32_PTR])];
const EXT_COMPARE_EXCHANGE: &[Sig] = &[sig(INTS32 | INTS64, ONE, Elem, &[INTS32_PTR, Elem, Elem])];

/// Types of atomic objects that all functions take.
const ATOMICS: Scalars = INTS32 | INTS64;
const OBJECT: Pattern = Pattern::Ptr(Pointee::AtomicGen, VOLATILE, WRITABLE);
const EXPECTED: Pattern = Pattern::Ptr(Pointee::Elem, 0, WRITABLE);
const ANY_ATOMIC: Scalars = ATOMICS | FLOAT | DOUBLE;
/// With `atomic_half` of `cl_ext_float_atomics`.
const ANY_OR_HALF: Scalars = ANY_ATOMIC | HALF;
const INIT: &[Sig] = &[sig(ANY_OR_HALF, ONE, Void, &[OBJECT, Elem])];
const LOAD: &[Sig] = &[sig(ANY_OR_HALF, ONE, Elem, &[OBJECT])];
const LOAD_EXPLICIT: &[Sig] =
    &[sig(ANY_OR_HALF, ONE, Elem, &[OBJECT, INT]), sig(ANY_OR_HALF, ONE, Elem, &[OBJECT, INT, INT])];
const STORE_EXPLICIT: &[Sig] =
    &[sig(ANY_OR_HALF, ONE, Void, &[OBJECT, Elem, INT]), sig(ANY_OR_HALF, ONE, Void, &[OBJECT, Elem, INT, INT])];
const SWAP: &[Sig] = &[sig(ANY_OR_HALF, ONE, Elem, &[OBJECT, Elem])];
const SWAP_EXPLICIT: &[Sig] =
    &[sig(ANY_OR_HALF, ONE, Elem, &[OBJECT, Elem, INT]), sig(ANY_OR_HALF, ONE, Elem, &[OBJECT, Elem, INT, INT])];
const FETCH: &[Sig] = &[sig(ATOMICS, ONE, Elem, &[OBJECT, Elem])];
const FETCH_EXPLICIT: &[Sig] =
    &[sig(ATOMICS, ONE, Elem, &[OBJECT, Elem, INT]), sig(ATOMICS, ONE, Elem, &[OBJECT, Elem, INT, INT])];
/// With floating types by `cl_ext_float_atomics`.
const FETCH_ANY: &[Sig] = &[sig(ANY_OR_HALF, ONE, Elem, &[OBJECT, Elem])];
const FETCH_ANY_EXPLICIT: &[Sig] = SWAP_EXPLICIT;
const COMPARE: &[Sig] = &[sig(ANY_ATOMIC, ONE, Pattern::Bool, &[OBJECT, EXPECTED, Elem])];
const COMPARE_EXPLICIT: &[Sig] = &[
    sig(ANY_ATOMIC, ONE, Pattern::Bool, &[OBJECT, EXPECTED, Elem, INT, INT]),
    sig(ANY_ATOMIC, ONE, Pattern::Bool, &[OBJECT, EXPECTED, Elem, INT, INT, INT]),
];

/// `atomic_flag` is an `atomic_int` of 0 or 1.
const FLAG_SCALAR: Scalars = 0x10;
const FLAG_SET: &[Sig] = &[sig(FLAG_SCALAR, ONE, Pattern::Bool, &[OBJECT])];
const FLAG_SET_EXPLICIT: &[Sig] =
    &[sig(FLAG_SCALAR, ONE, Pattern::Bool, &[OBJECT, INT]), sig(FLAG_SCALAR, ONE, Pattern::Bool, &[OBJECT, INT, INT])];
const FLAG_CLEAR: &[Sig] = &[sig(FLAG_SCALAR, ONE, Void, &[OBJECT])];
const FLAG_CLEAR_EXPLICIT: &[Sig] =
    &[sig(FLAG_SCALAR, ONE, Void, &[OBJECT, INT]), sig(FLAG_SCALAR, ONE, Void, &[OBJECT, INT, INT])];

/// 6.15.12 and the functions of OpenCL C 1.x.
pub const ATOMIC: &[Row] = &[
    row("atomic_add", READ_WRITE),
    row("atom_add", EXT_READ_WRITE),
    row("atomic_sub", READ_WRITE),
    row("atom_sub", EXT_READ_WRITE),
    row("atomic_xchg", EXCHANGE),
    row("atom_xchg", EXT_EXCHANGE),
    row("atomic_inc", INCREMENT),
    row("atom_inc", EXT_INCREMENT),
    row("atomic_dec", INCREMENT),
    row("atom_dec", EXT_INCREMENT),
    row("atomic_cmpxchg", COMPARE_EXCHANGE),
    row("atom_cmpxchg", EXT_COMPARE_EXCHANGE),
    row("atomic_min", READ_WRITE),
    row("atom_min", EXT_READ_WRITE),
    row("atomic_max", READ_WRITE),
    row("atom_max", EXT_READ_WRITE),
    row("atomic_and", READ_WRITE),
    row("atom_and", EXT_READ_WRITE),
    row("atomic_or", READ_WRITE),
    row("atom_or", EXT_READ_WRITE),
    row("atomic_xor", READ_WRITE),
    row("atom_xor", EXT_READ_WRITE),
    since(200, "atomic_flag_test_and_set", FLAG_SET),
    since(200, "atomic_flag_test_and_set_explicit", FLAG_SET_EXPLICIT),
    since(200, "atomic_flag_clear", FLAG_CLEAR),
    since(200, "atomic_flag_clear_explicit", FLAG_CLEAR_EXPLICIT),
    since(200, "atomic_init", INIT),
    since(200, "atomic_load", LOAD),
    since(200, "atomic_load_explicit", LOAD_EXPLICIT),
    since(200, "atomic_store", INIT),
    since(200, "atomic_store_explicit", STORE_EXPLICIT),
    since(200, "atomic_exchange", SWAP),
    since(200, "atomic_exchange_explicit", SWAP_EXPLICIT),
    since(200, "atomic_compare_exchange_strong", COMPARE),
    since(200, "atomic_compare_exchange_strong_explicit", COMPARE_EXPLICIT),
    since(200, "atomic_compare_exchange_weak", COMPARE),
    since(200, "atomic_compare_exchange_weak_explicit", COMPARE_EXPLICIT),
    since(200, "atomic_fetch_add", FETCH_ANY),
    since(200, "atomic_fetch_add_explicit", FETCH_ANY_EXPLICIT),
    since(200, "atomic_fetch_sub", FETCH_ANY),
    since(200, "atomic_fetch_sub_explicit", FETCH_ANY_EXPLICIT),
    since(200, "atomic_fetch_or", FETCH),
    since(200, "atomic_fetch_or_explicit", FETCH_EXPLICIT),
    since(200, "atomic_fetch_xor", FETCH),
    since(200, "atomic_fetch_xor_explicit", FETCH_EXPLICIT),
    since(200, "atomic_fetch_and", FETCH),
    since(200, "atomic_fetch_and_explicit", FETCH_EXPLICIT),
    since(200, "atomic_fetch_min", FETCH_ANY),
    since(200, "atomic_fetch_min_explicit", FETCH_ANY_EXPLICIT),
    since(200, "atomic_fetch_max", FETCH_ANY),
    since(200, "atomic_fetch_max_explicit", FETCH_ANY_EXPLICIT),
];
