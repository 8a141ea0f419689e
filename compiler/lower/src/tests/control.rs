//! Control flow. Expected values: clang 15, native.

use super::check;

/// Jumps forward, backward, past a loop's condition and out of two loops.
#[test]
fn goto_out_of_and_between_loops() {
    let expected = &[
        (-5, -7),
        (-2, -7),
        (0, -7),
        (1, 1100),
        (2, 1201),
        (3, 100),
        (4, 2206),
        (5, 5110),
        (6, 2315),
        (7, 7121),
        (8, 4228),
        (9, 3336),
        (12, 3466),
        (100, 4943),
    ];
    check(include_str!("programs/goto.cl"), expected);
}

/// A jump into a loop, from which `continue`, `break` of a switch and a jump out of two loops go on.
#[test]
fn goto_into_a_loop() {
    let expected = &[
        (-5, 13219),
        (-2, 9916),
        (0, 6712),
        (1, 9216),
        (2, 12320),
        (3, 6715),
        (4, 5913),
        (5, 5114),
        (6, 9118),
        (7, 11622),
        (8, 9920),
        (9, 9621),
        (12, -8379),
        (100, 100),
    ];
    check(include_str!("programs/into_loop.cl"), expected);
}

/// Case labels inside a loop inside the switch.
#[test]
fn case_labels_inside_a_loop() {
    let expected = &[
        (-5, 0),
        (-2, 0),
        (0, 58),
        (1, 1),
        (2, 5),
        (3, 18),
        (4, 58),
        (5, 179),
        (6, 543),
        (7, 1636),
        (8, 4916),
        (9, 14757),
        (12, 398574),
        (100, 1533677226),
    ];
    check(include_str!("programs/duff.cl"), expected);
}

/// Default in the middle, ranges small and large, labels in blocks, `continue`, `return`, a switch in a switch.
#[test]
fn switch_statements() {
    let expected = &[
        (-5, 2312),
        (-2, 2319),
        (0, 2095),
        (1, 2098),
        (2, 2310),
        (3, 2199),
        (4, 1099),
        (5, 2064),
        (6, 1196),
        (7, 1802),
        (8, 1442),
        (9, 2310),
        (12, 2310),
        (100, 882),
    ];
    check(include_str!("programs/switch.cl"), expected);
}

/// `break` and `continue` of every loop; loops that only `return` leaves.
#[test]
fn loops() {
    let expected = &[
        (-5, 42189),
        (-2, 42189),
        (0, 42188),
        (1, 42189),
        (2, 43254),
        (3, 43188),
        (4, 42221),
        (5, 42253),
        (6, 42169),
        (7, 42185),
        (8, 42202),
        (9, 23215),
        (12, 17158),
        (100, 13305),
    ];
    check(include_str!("programs/loops.cl"), expected);
}

/// What is evaluated of `&&`, `||`, `!` and `?:`, and what they give.
#[test]
fn logical_operators_and_conditions() {
    let expected = &[
        (-5, 81959),
        (-2, 81952),
        (0, 42540),
        (1, 89652),
        (2, 88259),
        (3, 91273),
        (4, 118259),
        (5, 91259),
        (6, 91259),
        (7, 91259),
        (8, 91259),
        (9, 91259),
        (12, 91259),
        (100, 91259),
    ];
    check(include_str!("programs/logic.cl"), expected);
}

/// Statement expressions that `continue`, `break` and `return`.
#[test]
fn statement_expressions_that_leave() {
    let expected = &[
        (-5, -504507),
        (-2, 16015),
        (0, 364363),
        (1, 540537),
        (2, 236234),
        (3, 320318),
        (4, -353),
        (5, -411),
        (6, 204201),
        (7, 148144),
        (8, 160159),
        (9, 176174),
        (12, 52048),
        (100, 4003),
    ];
    check(include_str!("programs/statement_expr.cl"), expected);
}

/// Switches whose empty cases and exits are jumped past, in a function taken apart for a `goto`.
#[test]
fn switches_among_gotos() {
    let expected = &[
        (-5, 100),
        (-2, 100),
        (0, 100),
        (1, 100),
        (2, 100),
        (3, 20102),
        (4, 100),
        (5, 100),
        (6, 100),
        (7, 100),
        (8, 100),
        (9, 100),
        (12, 100),
        (100, 100),
    ];
    check(include_str!("programs/switch_among_gotos.cl"), expected);
}
