//! Intrinsics: the prototypes of OpenCL C 6.15, and the contents of the extended instruction sets.

use super::*;

/// A prototype of each, with the types of the values before a case's instructions: the result, then the operands.
const PROTOTYPES: &[(&str, &str, &[&str])] = &[
    (
        "acos acosh acospi asin asinh asinpi atan atanh atanpi cbrt ceil cos cosh cospi erfc erf exp exp2 exp10 expm1 \
         fabs floor lgamma log log2 log10 log1p logb rint round rsqrt sin sinh sinpi sqrt tan tanh tanpi tgamma trunc \
         half_cos half_exp half_exp2 half_exp10 half_log half_log2 half_log10 half_rsqrt half_sin half_sqrt half_tan \
         native_cos native_exp native_exp2 native_exp10 native_log native_log2 native_log10 native_recip \
         native_rsqrt native_sin native_sqrt native_tan",
        "f32x4",
        &["f32x4"],
    ),
    (
        "atan2 atan2pi copysign fdim fmax fmin fmod hypot maxmag minmag nextafter pow powr remainder half_powr \
         native_divide native_powr fmax_common fmin_common",
        "f32x4",
        &["f32x4", "f32x4"],
    ),
    ("fma mad", "f32x4", &["f32x4", "f32x4", "f32x4"]),
    ("ldexp pown rootn", "f32x4", &["f32x4", "i32x4"]),
    ("ilogb", "i32x4", &["f32x4"]),
    ("lgamma_r sincos", "f32", &["f32", "ptr.private"]),
    ("remquo", "f32", &["f32", "f32", "ptr.private"]),
    ("clz ctz popcount", "i64", &["i64"]),
    ("s_mul_hi u_mul_hi", "i32x4", &["i32x4", "i32x4"]),
    ("find_msb find_lsb", "i32", &["i32"]),
    ("bit_field_s_extract bit_field_u_extract", "i32x4", &["i32x4", "i32", "i32"]),
    ("dot", "f32", &["f32x4", "f32x4"]),
    ("vload_half vloada_half", "f32", &["i64", "ptr.global"]),
    ("vstore_half vstore_half_rte vstore_half_rtz vstore_half_rtp vstore_half_rtn", "", &["f32", "i64", "ptr.global"]),
    ("vstorea_half vstorea_half_rte vstorea_half_rtz", "", &["f32", "i64", "ptr.global"]),
    ("vstorea_half_rtp vstorea_half_rtn", "", &["f32", "i64", "ptr.global"]),
];

/// The value of a type in [`CORE`].
fn value(ty: &str) -> &'static str {
    match ty {
        "i32" => "%0",
        "f32" => "%1",
        "i32x4" => "%3",
        "f32x4" => "%4",
        "i64" => "%5",
        "ptr.global" => "%6",
        "ptr.private" => "%8",
        "queue" => "%13",
        other => panic!("no value of type {other}"),
    }
}

fn call(name: &str, result: &str, operands: &[&str]) -> String {
    let operands: Vec<&str> = operands.iter().map(|ty| value(ty)).collect();
    let result = if result.is_empty() { String::new() } else { format!("%20: {result} = ") };
    format!("{result}intrinsic \"{name}\" {}", operands.join(", "))
}

fn prototypes() -> impl Iterator<Item = (&'static str, &'static str, &'static [&'static str])> {
    PROTOTYPES
        .iter()
        .flat_map(|(names, result, operands)| names.split_whitespace().map(move |name| (name, *result, *operands)))
}

#[test]
fn every_intrinsic_has_a_prototype() {
    let mut missing: Vec<&str> = Intrinsic::ALL.iter().map(|intrinsic| intrinsic.name()).collect();
    missing.retain(|name| *name != "printf" && !prototypes().any(|(known, ..)| known == *name));
    assert_eq!(missing, [""; 0]);
}

#[test]
fn intrinsics_have_the_operands_of_their_prototypes() {
    for (name, result, operands) in prototypes() {
        let good = call(name, result, operands);
        let one_less = &operands[..operands.len() - 1];
        rejects_operands("", &call(name, result, one_less), &good);
        rejects_operands("", &call(name, result, &[operands, &operands[..1]].concat()), &good);
        for index in 0..operands.len() {
            // A handle is never an operand; nor is a number of the other kind, nor one of other lanes.
            for other in ["queue", "i32", "f32", "i32x4", "f32x4", "ptr.global"] {
                let is_index = operands[index] == "i64" && operands.len() > 1;
                // Of another number of lanes, the base of a field makes the result wrong.
                let is_base = operands == ["i32x4", "i32", "i32"] && index == 0;
                let is_integer = (operands == ["i64"] || operands == ["i32"] || is_base) && other.starts_with('i');
                // Vectors of halves are stored as well as single ones.
                let is_half = name.starts_with("vstore") && index == 0;
                let is_float = (operands == ["f32x4"] || is_half) && other.starts_with('f');
                let is_pointer = operands[index].starts_with("ptr") && other.starts_with("ptr");
                if other == operands[index] || is_integer || is_float || is_pointer || (is_index && other == "i32") {
                    continue;
                }
                let mut bad = operands.to_vec();
                bad[index] = other;
                rejects_operands("", &call(name, result, &bad), &good);
            }
        }
    }
}

#[test]
fn intrinsics_have_the_results_of_their_prototypes() {
    for (name, result, operands) in prototypes() {
        let good = call(name, result, operands);
        for other in ["", "i32", "f32", "i32x4", "f32x2", "i64", "f64", "bool"] {
            // Vectors of halves are loaded as well as single ones.
            let is_half = name.starts_with("vload") && other == "f32x2";
            if other != result && !is_half {
                rejects_results(&call(name, other, operands), &good);
            }
        }
    }
}

#[test]
fn printf_has_a_format() {
    let good = "%20: i32 = intrinsic \"printf\" %6, %0, %4";
    rejects_operands("format", "%20: i32 = intrinsic \"printf\"", good);
    rejects_operands("format", "%20: i32 = intrinsic \"printf\" %1", good);
    rejects_operands("format", "%20: i32 = intrinsic \"printf\" %0, %1", good);
    rejects_operands("handle", "%20: i32 = intrinsic \"printf\" %6, %13", good);
    rejects_results("%20: i64 = intrinsic \"printf\" %6", good);
    // Formats are numbered on Vulkan.
    let numbered = "func @f(%0: f32) {\n  %1: i32 = intrinsic \"printf\" i32 0, %0\n  return\n}\n";
    assert_eq!(check(Dialect::Vulkan(Legalized::PrintfFormats), numbered), Ok(()));
}

/// The instructions of GLSL.std.450 are for 16 and 32 bits, or also for 64; a few are precise enough.
#[test]
fn vulkan_has_only_intrinsics_with_instructions() {
    let unary =
        |name: &str, ty: &str| format!("func @f(%0: {ty}) {{\n  %1: {ty} = intrinsic \"{name}\" %0\n  return\n}}");
    let binary =
        |name: &str, ty: &str| format!("func @f(%0: {ty}) {{\n  %1: {ty} = intrinsic \"{name}\" %0, %0\n  return\n}}");
    for name in ["acos", "tgamma", "cbrt", "round", "half_exp10", "native_recip"] {
        legal_only_in(Dialect::Core, EARLY, &unary(name, "f32"));
        legal_only_in(Dialect::Core, Dialect::VULKAN, &unary(name, "f32"));
    }
    for name in ["clz", "ctz"] {
        legal_only_in(Dialect::Core, EARLY, &unary(name, "i32"));
    }
    // `OpBitCount` is of 32 bits (Vulkan 1.2, "Standalone SPIR-V Validation").
    assert_eq!(check(Dialect::VULKAN, &format!("{}\n", unary("popcount", "i32x4"))), Ok(()));
    for ty in ["i8", "i16", "i64"] {
        legal_only_in(Dialect::Core, EARLY, &unary("popcount", ty));
    }
    for name in ["pow", "copysign", "nextafter"] {
        legal_only_in(Dialect::Core, EARLY, &binary(name, "f32"));
    }
    for name in ["sin", "exp2", "native_log", "half_tan"] {
        assert_eq!(check(Dialect::VULKAN, &format!("{}\n", unary(name, "f32"))), Ok(()));
        legal_only_in(Dialect::Core, EARLY, &unary(name, "f64"));
        legal_only_in(Dialect::Core, EARLY, &unary(name, "f16"));
    }
    for name in ["sqrt", "floor", "rint"] {
        assert_eq!(check(Dialect::VULKAN, &format!("{}\n", unary(name, "f64x2"))), Ok(()));
        legal_only_in(Dialect::Core, EARLY, &unary(name, "f16"));
    }
    assert_eq!(check(Dialect::VULKAN, &format!("{}\n", binary("fmin_common", "f16"))), Ok(()));
    let printf = "func @f(%0: f32) {\n  %1: i32 = intrinsic \"printf\" i32 0, %0\n  return\n}";
    legal_only_in(Dialect::Vulkan(Legalized::PrintfFormats), Dialect::Vulkan(Legalized::KernelAbi), printf);
}

#[test]
fn opencl_has_no_instructions_for_the_places_of_bits() {
    let opencl = Dialect::OpenCl { generic_pointers: true };
    for name in ["find_msb", "find_lsb"] {
        let text = format!("func @f(%0: i32) {{\n  %1: i32 = intrinsic \"{name}\" %0\n  return\n}}");
        legal_only_in(Dialect::VULKAN, opencl, &text);
        legal_only_in(Dialect::Core, opencl, &text);
    }
}
