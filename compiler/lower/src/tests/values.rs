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

/// Swizzles, lanes chosen at run time, comparisons, three lanes, shifts and `as_type`. Expected: worked out lane by lane.
#[test]
fn vectors() {
    let expected = &[
        (-5, -1971),
        (-2, -1929),
        (0, -1855),
        (1, -1720),
        (2, -1873),
        (3, 12142),
        (4, 8202),
        (5, 10337),
        (6, 12183),
        (7, 28196),
        (8, 16256),
        (9, 18391),
        (12, 24310),
        (100, 202498),
    ];
    check(include_str!("programs/vectors.cl"), expected);
}

/// Generated code sums thousands of terms in one expression.
#[test]
fn long_chains() {
    let sum = "x+1L-".repeat(7000) + "0";
    let and = "x && ".repeat(3000) + "1";
    let text = format!("int test(int x) {{ return (int)({sum}) + ({and} ? 1 : 0); }}");
    // x - 6999 * x + 7000, and 1 unless x is 0.
    check(&text, &[(0, 7000), (3, -13993)]);
}
