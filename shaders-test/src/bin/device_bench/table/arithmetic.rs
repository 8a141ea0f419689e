//! Rows that are limited by arithmetic: functions, integers, loops.

use super::case;
use super::memory::halves;
use crate::case::{Case, Compare, Scale, Setup, below, doubles, float, floats, line, plane, random, uint, zeros};
use clforge_harness::HostArg;

pub fn cases() -> Vec<Case> {
    let mut all = functions();
    all.extend(numbers());
    all.extend(loops());
    all
}

fn function(scale: Scale) -> Setup {
    let n = scale.of(4 << 20, 1 << 12);
    line(n, 256, vec![floats(n, 0.25, 2.0), zeros(n * 4)])
}

fn functions() -> Vec<Case> {
    use Compare::Float;
    const RELAXED: f64 = 2e-2;
    vec![
        case("pow", "math/powers", Float(1e-4), function),
        case("pow, fast relaxed", "math/powers -cl-fast-relaxed-math", Float(RELAXED), function),
        case("pow, unsafe", "math/powers -cl-unsafe-math-optimizations", Float(RELAXED), function),
        case("sin and cos", "math/sines", Float(1e-4), function),
        case("sin and cos, fast relaxed", "math/sines -cl-fast-relaxed-math", Float(RELAXED), function),
        case("sin and cos, unsafe", "math/sines -cl-unsafe-math-optimizations", Float(RELAXED), function),
        case("exp and log", "math/exponentials", Float(1e-4), function),
        case("exp and log, fast relaxed", "math/exponentials -cl-fast-relaxed-math", Float(RELAXED), function),
        case("exp and log, unsafe", "math/exponentials -cl-unsafe-math-optimizations", Float(RELAXED), function),
        case("sqrt and division", "math/roots", Float(1e-4), function),
        case("sqrt and division, exact", "math/roots -cl-fp32-correctly-rounded-divide-sqrt", Float(1e-4), function),
        case("atan2, acos, tanh", "math/arcs", Float(1e-4), function),
        case("fma of floats", "math/multiply_adds", Float(1e-2), function),
        case("option prices", "math/black_scholes", Float(1e-3), |s| {
            let n = s.of(4 << 20, 1 << 12);
            line(n, 256, vec![floats(n, 5.0, 30.0), floats(n, 10.0, 20.0), zeros(n * 4), zeros(n * 4)])
        }),
        case("fma of doubles", "double/multiply_adds", Compare::Double(1e-9), |s| double(s, 1 << 18)),
        case("sin and exp of doubles", "double/functions", Compare::Double(1e-9), |s| double(s, 1 << 20)),
        case("pow and log of doubles", "double/powers", Compare::Double(1e-9), |s| double(s, 1 << 20)),
        case("sqrt and division of doubles", "double/roots", Compare::Double(1e-12), |s| double(s, 1 << 20)),
        case("sums of floats in doubles", "double/sums", Compare::Double(1e-5), |s| {
            let n = s.of(4 << 20, 1 << 10);
            line(n, 256, vec![floats(n, 0.0, 1.0), zeros(n * 8)])
        }),
        case("a*x + 1 of doubles", "double/scale", Compare::Double(1e-12), |s| {
            let mut setup = double(s, 8 << 20);
            setup.args.push(HostArg::Pod(1.5f64.to_le_bytes().to_vec()));
            setup
        }),
        case("fma of halves", "half_numbers/multiply_adds", Compare::Half(2.0), |s| {
            let n = s.of(1 << 20, 1 << 10);
            line(n, 256, vec![halves(n * 4), zeros(n * 8)])
        }),
    ]
}

fn double(scale: Scale, full: usize) -> Setup {
    let n = scale.of(full, 1 << 10);
    line(n, 256, vec![doubles(n, 0.25, 2.0), zeros(n * 8)])
}

fn integers(scale: Scale, bytes: usize) -> Setup {
    let n = scale.of(4 << 20, 1 << 12);
    line(n, 256, vec![random(n * bytes / 4), zeros(n * bytes)])
}

fn numbers() -> Vec<Case> {
    use Compare::Exact;
    vec![
        case("multiplication of 64 bits", "integer/multiply_modulo", Exact, |s| integers(s, 8)),
        case("division of 32 bits", "integer/divide", Exact, |s| integers(s, 4)),
        case("division of 64 bits", "integer/divide_long", Exact, |s| integers(s, 8)),
        case("random points", "integer/random_points", Exact, |s| integers(s, 4)),
        case("popcount and clz", "integer/bits", Exact, |s| integers(s, 4)),
        case("vectors of shorts", "integer/shorts", Exact, |s| integers(s, 16)),
        case("CRC-32", "hash/crc32", Exact, |s| {
            let n = s.of(1 << 20, 1 << 10);
            line(n, 256, vec![random(n * 16), zeros(n * 4)])
        }),
        case("SHA-256", "hash/sha256", Exact, |s| {
            let n = s.of(1 << 18, 1 << 9);
            line(n, 256, vec![random(24), zeros(n * 32), uint(s.of(32, 2))])
        }),
        case("table in a function", "integer/table", Exact, |s| integers(s, 4)),
        case("BLAKE2b, table of orders", "integer/orders", Exact, |s| {
            let n = s.of(1 << 17, 1 << 9);
            line(n, 256, vec![random(n * 32), zeros(n * 64)])
        }),
        case("BLAKE2b", "hash/blake2b", Exact, |s| {
            let n = s.of(1 << 20, 1 << 9);
            line(n, 256, vec![random(n * 32), zeros(n * 64)])
        }),
        case("AES tables, constant", "cipher/aes_constant", Exact, aes),
        case("AES tables, local", "cipher/aes_local", Exact, aes),
        case("Blowfish boxes, local", "cipher/blowfish", Exact, |s| {
            let n = s.of(1 << 20, 1 << 10);
            line(n, 128, vec![random(1024), random(16), random(n * 2), zeros(n * 8)])
        }),
    ]
}

fn aes(scale: Scale) -> Setup {
    let n = scale.of(2 << 20, 1 << 10);
    line(n, 256, vec![random(1024), random(40), random(n * 4), zeros(n * 16)])
}

fn loops() -> Vec<Case> {
    use Compare::{Exact, MostWords};
    vec![
        case("Mandelbrot", "fractal/mandelbrot", MostWords, |s| {
            let n = s.of(2048, 64);
            plane([n, n], [16, 16], vec![zeros(n * n * 4), uint(n), float(2.5 / n as f32)])
        }),
        case("Collatz (divergent)", "fractal/collatz", Exact, |s| {
            let n = s.of(4 << 20, 1 << 10);
            line(n, 256, vec![zeros(n * 4), uint(1)])
        }),
        case("rays and spheres", "fractal/spheres", Compare::MostFloats(1e-2), |s| {
            let n = s.of(1024, 32);
            let scene = floats(64 * 4, 0.25, 4.0);
            plane([n, n], [16, 16], vec![scene, uint(64), zeros(n * n * 4), uint(n)])
        }),
        case("interpreter (switch)", "fractal/interpreter", Exact, |s| {
            let n = s.of(1 << 20, 1 << 10);
            line(n, 256, vec![random(16), uint(64), random(n), zeros(n * 4)])
        }),
        case("insertion sort, private array", "order/insertion", Exact, |s| {
            let n = s.of(1 << 18, 1 << 8);
            line(n, 128, vec![random(n * 32), zeros(n * 128)])
        }),
        case("edit distance, private array", "order/edit_distance", Exact, |s| {
            let n = s.of(1 << 20, 1 << 10);
            line(n, 256, vec![below(n * 4, u32::MAX), random(4), zeros(n * 4)])
        }),
        case("inverses of 4x4 matrices", "records/inverse", Compare::MostFloats(2e-2), |s| {
            let n = s.of(1 << 20, 1 << 10);
            line(n, 128, vec![floats(n * 16, 1.0, 2.0), zeros(n * 64)])
        }),
    ]
}
