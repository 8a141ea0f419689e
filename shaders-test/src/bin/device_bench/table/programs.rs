//! Rows of loops over memory, and of cooperating work-items: sorts, scans, atomics, n-body, transforms.

use super::case;
use crate::case::{Case, Compare, Scale, Setup, below, floats, line, plane, random, uint, zeros};

pub fn cases() -> Vec<Case> {
    let mut all = loops();
    all.extend(groups());
    all.extend(atomics());
    all
}

fn blocks(scale: Scale, each: usize) -> Setup {
    let n = scale.of(4 << 20, 1 << 11);
    line(n / each, 256, vec![random(n), zeros(n * 4)])
}

fn groups() -> Vec<Case> {
    use Compare::Exact;
    vec![
        case("bitonic sort of 512", "order/bitonic", Exact, |s| blocks(s, 2)),
        case("prefix sums", "order/scan", Exact, |s| blocks(s, 1)),
        case("reduction", "order/reduce", Compare::Float(1e-3), |s| {
            let n = s.of(1 << 20, 1 << 10);
            line(n, 256, vec![floats(n * 16, 0.0, 1.0), zeros(n / 64), uint(16)])
        }),
        case("bodies", "grid/bodies", Compare::Float(1e-2), |s| {
            let n = s.of(1 << 15, 1 << 9);
            line(n, 256, vec![floats(n * 4, 0.0, 4.0), zeros(n * 16), uint(n)])
        }),
        case("Fourier transforms of 1024", "grid/fourier", Compare::Float(1e-2), |s| {
            let n = s.of(1 << 22, 1 << 11);
            line(n / 4, 256, vec![floats(n * 2, -1.0, 1.0), zeros(n * 8)])
        }),
        case("nearest centres", "grid/nearest", Compare::MostWords, |s| {
            let n = s.of(1 << 20, 1 << 10);
            line(n, 256, vec![floats(n * 4, 0.0, 1.0), floats(256 * 4, 0.0, 1.0), uint(256), zeros(n * 4)])
        }),
        case("functions of work-groups", "groups/work_group -cl-std=CL2.0", Exact, |s| blocks(s, 1)),
        case("functions of sub-groups", "subgroups/reduce -cl-std=CL2.0", Exact, |s| {
            let n = s.of(1 << 20, 1 << 10);
            line(n, 256, vec![random(n * 16), zeros(n / 64), uint(16)])
        }),
        case("generic pointers", "generic/sums -cl-std=CL2.0", Compare::Float(1e-4), |s| {
            let n = s.of(2 << 20, 1 << 10);
            line(n, 256, vec![floats(n + 16, 0.0, 1.0), zeros(n * 4), uint(3)])
        }),
    ]
}

fn loops() -> Vec<Case> {
    vec![
        case("forces, summed in memory", "loops/forces", Compare::Float(1e-2), |s| {
            let n = s.of(1 << 17, 1 << 9);
            line(n, 64, vec![floats(n * 4, 0.0, 4.0), zeros(n * 16), uint(s.of(1 << 10, 1 << 7))])
        }),
        case("means of columns", "loops/means", Compare::Float(1e-3), |s| {
            let (columns, rows) = (s.of(1 << 14, 1 << 8), s.of(1 << 10, 1 << 4));
            line(columns, 128, vec![floats(columns * rows, 0.0, 1.0), zeros(columns * 4), uint(rows)])
        }),
        case("sums by doubled distances", "loops/tree", Compare::Float(1e-4), |s| {
            let groups = s.of(1 << 16, 1 << 4);
            plane([groups * 16, 16], [16, 16], vec![floats(groups * 256, 0.0, 1.0), zeros(groups * 64)])
        }),
        case("floats with literals of double", "loops/literals", Compare::MostFloats(1e-4), |s| {
            let n = s.of(4 << 20, 1 << 11);
            line(n, 256, vec![floats(n, 0.0, 1.0), zeros(n * 4)])
        }),
        case("powers with constant exponents", "loops/powers", Compare::Float(1e-3), |s| {
            let n = s.of(4 << 20, 1 << 11);
            line(n, 256, vec![floats(n, 0.0, 1.0), zeros(n * 4)])
        }),
        case("digits, private counters", "loops/digits", Compare::Exact, |s| {
            let n = s.of(1 << 18, 1 << 10);
            line(n, 256, vec![random(n * 16), zeros(n * 4), uint(16)])
        }),
    ]
}

fn atomics() -> Vec<Case> {
    // Bins go on growing from launch to launch: results are compared after the first.
    use Compare::Exact;
    vec![
        case("histogram, global", "atomics/histogram_global", Exact, |s| {
            let n = s.of(4 << 20, 1 << 11);
            line(n, 256, vec![random(n), zeros(1024)])
        }),
        case("histogram, local", "atomics/histogram_local", Exact, |s| {
            let n = s.of(1 << 20, 1 << 10);
            line(n, 256, vec![random(n * 16), zeros(1024), uint(16)])
        }),
        case("sum by exchanges", "atomics/sum_by_exchange", Exact, |s| {
            let n = s.of(1 << 20, 1 << 10);
            line(n, 256, vec![below(n, u32::MAX), zeros(4096)])
        }),
        case("maxima", "atomics/maximum", Exact, |s| {
            let n = s.of(4 << 20, 1 << 11);
            line(n, 256, vec![random(n), zeros(256)])
        }),
    ]
}
