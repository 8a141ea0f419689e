//! Objects in memory. Expected values: clang 15, native, but where a vector is involved: there from the specification.

use super::{check, lower};
use clforge_ir::{self as ir, interpret::Machine};

/// Records as arguments, results, operands of `=` and `?:`; unions; a record too large to copy by members.
#[test]
fn records_by_value() {
    let expected = &[
        (-5, 16982581),
        (-2, 16985108),
        (0, 16921256),
        (1, 16922097),
        (2, 16922940),
        (3, 16923781),
        (4, 16922094),
        (5, 16922935),
        (6, 16923778),
        (7, 16924619),
        (8, 16925462),
        (9, 16926303),
        (12, 16928830),
        (100, 17002926),
    ];
    check(include_str!("programs/records.cl"), expected);
}

/// Members at odd addresses.
#[test]
fn packed_records() {
    let expected = &[
        (-5, -75849),
        (-2, -104349),
        (0, 17851),
        (1, 88951),
        (2, 140051),
        (3, 211151),
        (4, 60451),
        (5, 131551),
        (6, 182651),
        (7, 253751),
        (8, 103051),
        (9, 174151),
        (12, 145651),
        (100, 477451),
    ];
    check(include_str!("programs/packed.cl"), expected);
}

/// Initialisers: partial, constant, sparse, large, strings, compound literals.
#[test]
fn initialisers() {
    let expected = &[
        (-5, 4084),
        (-2, 9055),
        (0, 9555),
        (1, 8248),
        (2, 12215),
        (3, 9828),
        (4, 12363),
        (5, 11664),
        (6, 15055),
        (7, 12892),
        (8, 15939),
        (9, 14184),
        (12, 18555),
        (100, 86155),
    ];
    check(include_str!("programs/initial.cl"), expected);
}

/// Pointer arithmetic with indices of every kind.
#[test]
fn pointers() {
    let expected = &[
        (-5, 22207),
        (-2, 22148),
        (0, 22064),
        (1, 22103),
        (2, 22156),
        (3, 22223),
        (4, 22072),
        (5, 22111),
        (6, 22164),
        (7, 22231),
        (8, 22080),
        (9, 22119),
        (12, 22088),
        (100, 22264),
    ];
    check(include_str!("programs/pointers.cl"), expected);
}

/// Lanes of vectors that other work-items see: only the lanes that are assigned may be touched, else their writes to
/// the others are lost (6.3.7 makes every component an object of its own).
#[test]
fn lanes_of_shared_vectors() {
    let module = lower(
        "void test(global float4 *p, local int3 *q, int i, global char *c) {
            p[1].xz = (float2)(5.0f, 6.0f); (*q)[i] = 9; p->w += 1.0f; ((volatile global char4 *)c)->y = 3;
        }",
    );
    let mut machine = Machine::new(&module);
    let (p, q, c) = (machine.allocate(32, 16), machine.allocate(16, 16), machine.allocate(4, 4));
    machine.write(p, &[0; 32]);
    machine.run("test", &[p, q, 2, c]);
    let floats = |values: &[f32]| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>();
    assert_eq!(machine.read(p, 32), floats(&[0.0, 0.0, 0.0, 1.0, 5.0, 0.0, 6.0, 0.0]));
    assert_eq!(machine.read(q, 16), [[0xAA; 8], [9, 0, 0, 0, 0xAA, 0xAA, 0xAA, 0xAA]].concat());
    assert_eq!(machine.read(c, 4), [0xAA, 3, 0xAA, 0xAA]);
    let mut stores: Vec<u64> = stores_through_parameters(&module).iter().map(|ty| ty.access_size()).collect();
    stores.sort_unstable();
    assert_eq!(stores, [1, 4, 4, 4, 4], "every lane is stored by itself");
}

/// Types stored to memory that is not private.
fn stores_through_parameters(module: &ir::Module) -> Vec<ir::Type> {
    let function = &module.functions.raw[0];
    let mut types = Vec::new();
    for inst in &function.insts {
        if let ir::Op::Store { ptr, value, .. } = inst.op
            && function.ty(ptr).space() != Some(ir::Space::Private)
        {
            types.push(function.ty(value));
        }
    }
    types
}
