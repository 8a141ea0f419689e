//! No operation that NVIDIA's driver implements by its library is in a module that was compiled with
//! `nvidia-wide-division`, `nvidia-double-divide-sqrt` and `nvidia-wide-conversions`, whatever pass inserted it.

use clforge_compiler::workarounds::Workarounds;
use clforge_compiler::{Options, Source, Stage, print_stage};
use std::collections::HashMap;

const SOURCE: &str = "
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void integers(global long *l, global ulong4 *v, global long8 *w, global int *n, global char *c) {
    int i = get_global_id(0);
    l[i] = l[i] / l[i + 1] + l[i + 2] % 10 + (l[i] / n[i]) % c[i];
    v[i] = v[i] / v[i + 1] % (ulong4)(3, 5, n[i], 7) + v[n[i] / get_global_size(0)];
    w[i] %= w[i + 1];
    c[i] = &l[n[i]] - l;
}
kernel void doubles(global double *d, global double3 *d3, global double8 *d8, global float *f) {
    int i = get_global_id(0);
    d[i] = d[i] / d[i + 1] + sqrt(d[i + 2]) + rsqrt(d[i + 3]) + d[i] / 3.0 + 1.0 / d[i + 4];
    d[i + 1] = fmod(d[i], 3.0) + remainder(d[i], d[i + 1]) + atan2(d[i], d[i + 1]) + pow(d[i], 1.5) + tgamma(d[i]);
    d[i + 2] = length(d3[i]) + distance(d3[i], d3[i + 1]) + acos(d[i]) + erfc(d[i]) + cbrt(d[i]) + asinh(d[i]);
    d3[i] = d3[i] / d3[i + 1] + normalize(d3[i]);
    d8[i] = sqrt(d8[i]) / d8[i + 1];
}
kernel void conversions(global double *d, global double8 *d8, global long *l, global half *h, global float8 *f) {
    int i = get_global_id(0);
    d[i] = h[i] + f[i].s3;
    d8[i] = convert_double8(f[i]) + convert_double8(vload_half8(i, h));
    l[i] = convert_long_sat_rte(f[i].s3) + convert_ulong_sat_rtp(h[i]) + (long)f[i].s5 + (ulong)h[i + 1];
    printf(\"%f %v4f\\n\", f[i].s0, f[i].lo);
}";

/// The instructions of the text that are divisions of 64 bits, roots of doubles, or conversions of narrower floating-point
/// numbers to 64 bits.
fn found(text: &str) -> Vec<&str> {
    let mut types = HashMap::new();
    let mut found = Vec::new();
    for line in text.lines() {
        for (name, ty) in line.split(['(', ' ', ',']).collect::<Vec<_>>().windows(2).map(|pair| (pair[0], pair[1])) {
            if let Some(name) = name.strip_suffix(':') {
                types.insert(name, ty.trim_end_matches([')', ',']));
            }
        }
        let Some((result, op)) = line.trim().split_once(" = ") else { continue };
        let is_wide = |ty: &str| ty.starts_with("i64") || ty.starts_with("f64");
        let wide_result = result.split_once(": ").is_some_and(|(_, ty)| is_wide(ty));
        let (op, operands) = op.split_once(' ').unwrap_or((op, ""));
        let is_found = match op {
            "udiv" | "sdiv" | "urem" | "srem" | "fdiv" => true,
            "fext" | "ftos" | "ftou" => !types.get(operands).is_some_and(|ty| is_wide(ty)),
            "intrinsic" => operands.contains("sqrt"),
            _ => false,
        };
        if wide_result && is_found {
            found.push(line.trim());
        }
    }
    found
}

#[test]
fn no_operation_of_the_drivers_library_is_left() {
    let features: [&[&str]; 2] = [&[], &["shaderFmaFloat64"]];
    for flags in ["", "-cl-opt-disable", "-cl-fast-relaxed-math", "-cl-finite-math-only -cl-denorms-are-zero"] {
        for features in features {
            let mut options = Options::parse(&format!("-cl-std=CL3.0 {flags}")).expect("options");
            for feature in features {
                assert!(options.device.enable_feature(feature), "{feature}");
            }
            let source = Source { name: "k.cl", text: SOURCE.as_bytes() };
            let printed = print_stage(source, &options, Stage::Ir).expect("it compiles");
            assert!(printed.contains("kernel @conversions"), "all kernels are there");
            assert_eq!(found(&printed), Vec::<&str>::new(), "{flags} {features:?}");
        }
    }
}

#[test]
fn the_operations_are_seen() {
    let text = "  %1: f32 = load align 4 %0\n  %2: f64 = fext %1\n  %3: i64x2 = udiv %4, %5\n  %6: f32 = fdiv %1, %1\n";
    assert_eq!(found(text), ["%2: f64 = fext %1", "%3: i64x2 = udiv %4, %5"]);
    let options = Options::parse("-cl-std=CL3.0").expect("options").with_workarounds(Workarounds::empty());
    let source = Source { name: "k.cl", text: SOURCE.as_bytes() };
    assert!(found(&print_stage(source, &options, Stage::Ir).expect("it compiles")).len() > 50);
}
