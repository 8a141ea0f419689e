//! Tests of the library's image: every function is there, whole and correct.

use super::*;
use clforge_ir::{encode, print, verify};

#[test]
fn every_function_is_linked_with_what_it_calls() {
    for entry in FUNCTIONS {
        let module = library_module(&[entry.name]).expect("a whole image");
        verify::verify(&module, verify::Dialect::Core).unwrap_or_else(|message| panic!("{}: {message}", entry.name));
        assert_eq!(module.functions.raw[0].name, entry.name);
        assert!(module.functions.iter().all(|function| function.name.starts_with(PREFIX)));
        assert!(module.functions.iter().all(|function| function.precise && !function.is_declaration()));
    }
}

#[test]
fn every_function_is_decoded_as_it_was_encoded() {
    let names: Vec<&str> = library_functions().collect();
    let module = library_module(&names).expect("a whole image");
    assert_eq!(module.functions.len(), names.len());
    let bytes = encode::encode_module(&module);
    let decoded = encode::decode_module(&bytes).expect("its own encoding");
    assert_eq!(print::print(&decoded), print::print(&module));
    assert_eq!(encode::encode_module(&decoded), bytes);
}

#[test]
fn both_widths_have_the_same_functions() {
    let of_width = |suffix: &str| -> Vec<&str> {
        let math = library_functions().filter(|name| !name.contains("work_group"));
        math.filter_map(|name| name.strip_suffix(suffix)).collect()
    };
    // Parts of functions, and those for options of `float` or for what some devices have, may have one width only.
    let only_one = [
        "atan2_unusual",
        "atan_kernel",
        "atan_polynomial",
        "cos_short",
        "cosh_by_exp2",
        "erf_by_exp2",
        "exp10_by_exp2",
        "exp_by_exp2",
        "exp_normal",
        "exp_special",
        "exp_unusual",
        "expm1_unusual",
        "fused_log2_pair",
        "fused_pow_unusual",
        "fused_power",
        "half_sum_by_exp2",
        "hypot_unusual",
        "log_kernel",
        "negative_quotient",
        "normal_significand",
        "pow_fused",
        "power_by_exp2",
        "pown_fused",
        "powr_fused",
        "rare_quotient",
        "rare_root",
        "recip_estimate",
        "root",
        "rsqrt_fused",
        "rsqrt_normal",
        "sin_short",
        "sinh_by_exp2",
        "size",
        "tanh_by_exp2",
        "widen",
    ];
    let (single, double) = (of_width("_f32"), of_width("_f64"));
    assert!(single.len() > 75, "{single:?}");
    for (these, those) in [(&single, &double), (&double, &single)] {
        for name in these {
            let short = name.strip_prefix(PREFIX).expect("the prefix");
            assert!(those.contains(name) || only_one.contains(&short), "{short}");
        }
    }
}

#[test]
fn a_module_holds_what_is_reached_in_order_and_nothing_else() {
    let names = |wanted: &[&str]| -> Vec<String> {
        let module = library_module(wanted).expect("a whole image");
        module.functions.into_iter().map(|function| function.name).collect()
    };
    // What is wanted comes first, callees before callers: lgamma_r of doubles calls log.
    let found = names(&["__clforge_lgamma_f64", "__clforge_log_f64"]);
    assert_eq!(found[..2], ["__clforge_log_f64", "__clforge_lgamma_f64"]);
    assert!(found.contains(&"__clforge_sinpi_f64".to_owned()));
    assert!(!found.contains(&"__clforge_tgamma_f64".to_owned()));
    assert_eq!(names(&["__clforge_rsqrt_f32", "__clforge_no_such_function"]), ["__clforge_rsqrt_f32"]);
}

#[test]
fn objects_come_with_their_functions_only() {
    let globals = |name: &str| library_module(&[name]).expect("a whole image").globals;
    assert!(globals("__clforge_sin_f32").is_empty());
    let table = globals("__clforge_sin_f64");
    assert_eq!(table.len(), 1);
    // The second word of the table is the first 64 bits of 2/pi.
    let init = table.raw[0].init.as_ref().expect("numbers");
    assert_eq!(init[8..16], 0xa2f9_836e_4e44_1529_u64.to_le_bytes());
}

#[test]
fn instructions_know_their_places() {
    let module = library_module(&["__clforge_cbrt_f32", "__clforge_fma_f64"]).expect("a whole image");
    let file = |function: &Function| place(function.insts.raw[0].span).expect("a place").file;
    assert_eq!(file(&module.functions.raw[0]), "root.cl");
    assert_eq!(file(&module.functions.raw[1]), "fma_f64.cl");
    let source = include_str!("cl/root.cl");
    let place = place(module.functions.raw[0].span).expect("a place");
    assert!(source.lines().nth(place.line as usize - 1).is_some_and(|line| line.contains("FN(cbrt)")), "{place:?}");
    assert_eq!(super::place(Span::token(0)), None);
}
