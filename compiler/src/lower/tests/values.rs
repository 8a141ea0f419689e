//! Arithmetic. Expected values: clang 15, native; of vectors from the specification.

use super::check;

/// Integer and floating arithmetic, conversions, `++` on narrow types, shifts.
#[test]
fn numbers() {
    let expected = &[
        (-5, 1283867120),
        (-2, 1283872614),
        (0, 31165321),
        (1, 31158665),
        (2, 31188996),
        (3, 31192628),
        (4, 31191963),
        (5, 31192863),
        (6, 31186281),
        (7, 31183124),
        (8, 31188411),
        (9, 31189334),
        (12, 31203831),
        (100, 31324302),
    ];
    check(include_str!("programs/numbers.cl"), expected);
}
