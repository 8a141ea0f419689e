//! Signatures of vector loads and stores (OpenCL C 6.15.7), functions for the address space of a pointer (6.15.10),
//! miscellaneous vector functions (6.15.13) and `printf` (6.15.14).

use crate::builtins::pattern::*;
use crate::builtins::row::{Row, row, since};
use crate::hir::types::{IntKind, Scalar};
use Pattern::Gen;
use clforge_syntax::ast::AddressSpace;

const fn load(lanes: LaneSet) -> Sig {
    sig(NUMBERS, lanes, Gen, &[SIZE, Pattern::Ptr(Pointee::Elem, CONST, ANY_SPACE)])
}

const fn store(lanes: LaneSet) -> Sig {
    sig(NUMBERS, lanes, Pattern::Void, &[Gen, SIZE, Pattern::Ptr(Pointee::Elem, 0, WRITABLE)])
}

pub const L2: LaneSet = 0x02;
pub const L3: LaneSet = 0x04;
pub const L4: LaneSet = 0x08;
pub const L8: LaneSet = 0x10;
pub const L16: LaneSet = 0x20;

const SHUFFLE: &[Sig] =
    &[Sig { lanes2: EVEN & VECTORS, ..sig(NUMBERS, EVEN & VECTORS, Pattern::Elem2, &[Gen, Pattern::Mask2]) }];
const SHUFFLE2: &[Sig] =
    &[Sig { lanes2: EVEN & VECTORS, ..sig(NUMBERS, EVEN & VECTORS, Pattern::Elem2, &[Gen, Gen, Pattern::Mask2]) }];
const PRINTF: &[Sig] =
    &[Sig { variadic: true, ..fixed(INT, &[Pattern::Ptr(Pointee::One(Scalar::Int(IntKind::Char)), CONST, CONSTANT)]) }];

const ANY_POINTER: Pattern = Pattern::Ptr(Pointee::Anything, VOLATILE | CONST, WRITABLE);
const TO_GLOBAL: &[Sig] = &[fixed(Pattern::Into(AddressSpace::Global), &[ANY_POINTER])];
const TO_LOCAL: &[Sig] = &[fixed(Pattern::Into(AddressSpace::Local), &[ANY_POINTER])];
const TO_PRIVATE: &[Sig] = &[fixed(Pattern::Into(AddressSpace::Private), &[ANY_POINTER])];
const FENCE_OF: &[Sig] = &[fixed(UINT, &[ANY_POINTER])];

/// 6.15.7 but for halves, 6.15.10, 6.15.13, 6.15.14.
pub const MEMORY: &[Row] = &[
    row("vload2", &[load(L2)]),
    row("vload3", &[load(L3)]),
    row("vload4", &[load(L4)]),
    row("vload8", &[load(L8)]),
    row("vload16", &[load(L16)]),
    row("vstore2", &[store(L2)]),
    row("vstore3", &[store(L3)]),
    row("vstore4", &[store(L4)]),
    row("vstore8", &[store(L8)]),
    row("vstore16", &[store(L16)]),
    row("shuffle", SHUFFLE),
    row("shuffle2", SHUFFLE2),
    row("printf", PRINTF),
    since(200, "to_global", TO_GLOBAL),
    since(200, "to_local", TO_LOCAL),
    since(200, "to_private", TO_PRIVATE),
    since(200, "get_fence", FENCE_OF),
];
