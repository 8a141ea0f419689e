//! The library of functions for Vulkan, written in OpenCL C: its files and what each defines.

/// A file of the library.
struct File {
    name: &'static str,
    text: &'static str,
    /// The functions that built-ins are provided by; helpers are not listed. A test compares this with the text.
    functions: &'static [&'static str],
}

macro_rules! file {
    ($name:literal, [$($function:literal),* $(,)?]) => {
        File { name: $name, text: include_str!(concat!("library/", $name)), functions: &[$($function),*] }
    };
}

const FILES: &[File] = &[
    file!(
        "atrig_f32.cl",
        [
            "__clforge_atan_f32",
            "__clforge_atan2_f32",
            "__clforge_atanpi_f32",
            "__clforge_atan2pi_f32",
            "__clforge_asin_f32",
            "__clforge_acos_f32",
            "__clforge_asinpi_f32",
            "__clforge_acospi_f32"
        ]
    ),
    file!(
        "atrig_f64.cl",
        [
            "__clforge_atan_f64",
            "__clforge_atanpi_f64",
            "__clforge_atan2_f64",
            "__clforge_atan2pi_f64",
            "__clforge_asin_f64",
            "__clforge_acos_f64",
            "__clforge_asinpi_f64",
            "__clforge_acospi_f64"
        ]
    ),
    file!("erf_f32.cl", ["__clforge_erf_f32", "__clforge_erfc_f32"]),
    file!("erf_f64.cl", ["__clforge_erf_f64", "__clforge_erfc_f64"]),
    file!("exact_f32.cl", ["__clforge_divide_f32", "__clforge_sqrt_f32"]),
    file!("exp_f32.cl", ["__clforge_exp_f32", "__clforge_exp2_f32", "__clforge_exp10_f32", "__clforge_expm1_f32"]),
    file!("exp_f64.cl", ["__clforge_exp_f64", "__clforge_exp2_f64", "__clforge_exp10_f64", "__clforge_expm1_f64"]),
    file!("fma_f32.cl", ["__clforge_fma_f32"]),
    file!("fma_f64.cl", ["__clforge_fma_f64"]),
    file!("gamma_f32.cl", ["__clforge_tgamma_f32", "__clforge_lgamma_r_f32", "__clforge_lgamma_f32"]),
    file!("gamma_f64.cl", ["__clforge_tgamma_f64", "__clforge_lgamma_r_f64", "__clforge_lgamma_f64"]),
    file!(
        "hyper_f32.cl",
        [
            "__clforge_sinh_f32",
            "__clforge_cosh_f32",
            "__clforge_tanh_f32",
            "__clforge_asinh_f32",
            "__clforge_acosh_f32",
            "__clforge_atanh_f32"
        ]
    ),
    file!(
        "hyper_f64.cl",
        [
            "__clforge_sinh_f64",
            "__clforge_cosh_f64",
            "__clforge_tanh_f64",
            "__clforge_asinh_f64",
            "__clforge_acosh_f64",
            "__clforge_atanh_f64"
        ]
    ),
    file!(
        "log_f32.cl",
        [
            "__clforge_log_f32",
            "__clforge_log2_f32",
            "__clforge_log10_f32",
            "__clforge_log1p_f32",
            "__clforge_logb_f32",
            "__clforge_ilogb_f32"
        ]
    ),
    file!(
        "log_f64.cl",
        [
            "__clforge_log_f64",
            "__clforge_log2_f64",
            "__clforge_log10_f64",
            "__clforge_log1p_f64",
            "__clforge_logb_f64",
            "__clforge_ilogb_f64"
        ]
    ),
    file!("manip_f32.cl", ["__clforge_ldexp_f32"]),
    file!("manip_f64.cl", ["__clforge_ldexp_f64"]),
    file!("pow_f32.cl", ["__clforge_pow_f32", "__clforge_powr_f32", "__clforge_pown_f32", "__clforge_rootn_f32"]),
    file!("pow_f64.cl", ["__clforge_pow_f64", "__clforge_powr_f64", "__clforge_pown_f64", "__clforge_rootn_f64"]),
    file!("rem_f32.cl", ["__clforge_fmod_f32", "__clforge_remquo_f32", "__clforge_remainder_f32"]),
    file!("rem_f64.cl", ["__clforge_fmod_f64", "__clforge_remquo_f64", "__clforge_remainder_f64"]),
    file!("root_f32.cl", ["__clforge_cbrt_f32", "__clforge_rsqrt_f32", "__clforge_hypot_f32"]),
    file!("root_f64.cl", ["__clforge_cbrt_f64", "__clforge_rsqrt_f64", "__clforge_hypot_f64"]),
    file!(
        "trig_f32.cl",
        [
            "__clforge_sin_f32",
            "__clforge_cos_f32",
            "__clforge_tan_f32",
            "__clforge_sinpi_f32",
            "__clforge_cospi_f32",
            "__clforge_tanpi_f32"
        ]
    ),
    file!(
        "trig_f64.cl",
        [
            "__clforge_sin_f64",
            "__clforge_cos_f64",
            "__clforge_tan_f64",
            "__clforge_sinpi_f64",
            "__clforge_cospi_f64",
            "__clforge_tanpi_f64"
        ]
    ),
    file!(
        "work_group.cl",
        [
            "__clforge_work_group_reduce_add_i32",
            "__clforge_work_group_scan_inclusive_add_i32",
            "__clforge_work_group_scan_exclusive_add_i32",
            "__clforge_work_group_reduce_add_i64",
            "__clforge_work_group_scan_inclusive_add_i64",
            "__clforge_work_group_scan_exclusive_add_i64",
            "__clforge_work_group_reduce_add_f16",
            "__clforge_work_group_scan_inclusive_add_f16",
            "__clforge_work_group_scan_exclusive_add_f16",
            "__clforge_work_group_reduce_add_f32",
            "__clforge_work_group_scan_inclusive_add_f32",
            "__clforge_work_group_scan_exclusive_add_f32",
            "__clforge_work_group_reduce_add_f64",
            "__clforge_work_group_scan_inclusive_add_f64",
            "__clforge_work_group_scan_exclusive_add_f64",
            "__clforge_work_group_reduce_min_i32",
            "__clforge_work_group_scan_inclusive_min_i32",
            "__clforge_work_group_scan_exclusive_min_i32",
            "__clforge_work_group_reduce_min_u32",
            "__clforge_work_group_scan_inclusive_min_u32",
            "__clforge_work_group_scan_exclusive_min_u32",
            "__clforge_work_group_reduce_min_i64",
            "__clforge_work_group_scan_inclusive_min_i64",
            "__clforge_work_group_scan_exclusive_min_i64",
            "__clforge_work_group_reduce_min_u64",
            "__clforge_work_group_scan_inclusive_min_u64",
            "__clforge_work_group_scan_exclusive_min_u64",
            "__clforge_work_group_reduce_min_f16",
            "__clforge_work_group_scan_inclusive_min_f16",
            "__clforge_work_group_scan_exclusive_min_f16",
            "__clforge_work_group_reduce_min_f32",
            "__clforge_work_group_scan_inclusive_min_f32",
            "__clforge_work_group_scan_exclusive_min_f32",
            "__clforge_work_group_reduce_min_f64",
            "__clforge_work_group_scan_inclusive_min_f64",
            "__clforge_work_group_scan_exclusive_min_f64",
            "__clforge_work_group_reduce_max_i32",
            "__clforge_work_group_scan_inclusive_max_i32",
            "__clforge_work_group_scan_exclusive_max_i32",
            "__clforge_work_group_reduce_max_u32",
            "__clforge_work_group_scan_inclusive_max_u32",
            "__clforge_work_group_scan_exclusive_max_u32",
            "__clforge_work_group_reduce_max_i64",
            "__clforge_work_group_scan_inclusive_max_i64",
            "__clforge_work_group_scan_exclusive_max_i64",
            "__clforge_work_group_reduce_max_u64",
            "__clforge_work_group_scan_inclusive_max_u64",
            "__clforge_work_group_scan_exclusive_max_u64",
            "__clforge_work_group_reduce_max_f16",
            "__clforge_work_group_scan_inclusive_max_f16",
            "__clforge_work_group_scan_exclusive_max_f16",
            "__clforge_work_group_reduce_max_f32",
            "__clforge_work_group_scan_inclusive_max_f32",
            "__clforge_work_group_scan_exclusive_max_f32",
            "__clforge_work_group_reduce_max_f64",
            "__clforge_work_group_scan_inclusive_max_f64",
            "__clforge_work_group_scan_exclusive_max_f64",
            "__clforge_work_group_reduce_mul_i32",
            "__clforge_work_group_scan_inclusive_mul_i32",
            "__clforge_work_group_scan_exclusive_mul_i32",
            "__clforge_work_group_reduce_mul_i64",
            "__clforge_work_group_scan_inclusive_mul_i64",
            "__clforge_work_group_scan_exclusive_mul_i64",
            "__clforge_work_group_reduce_mul_f16",
            "__clforge_work_group_scan_inclusive_mul_f16",
            "__clforge_work_group_scan_exclusive_mul_f16",
            "__clforge_work_group_reduce_mul_f32",
            "__clforge_work_group_scan_inclusive_mul_f32",
            "__clforge_work_group_scan_exclusive_mul_f32",
            "__clforge_work_group_reduce_mul_f64",
            "__clforge_work_group_scan_inclusive_mul_f64",
            "__clforge_work_group_scan_exclusive_mul_f64",
            "__clforge_work_group_reduce_and_i32",
            "__clforge_work_group_scan_inclusive_and_i32",
            "__clforge_work_group_scan_exclusive_and_i32",
            "__clforge_work_group_reduce_and_i64",
            "__clforge_work_group_scan_inclusive_and_i64",
            "__clforge_work_group_scan_exclusive_and_i64",
            "__clforge_work_group_reduce_or_i32",
            "__clforge_work_group_scan_inclusive_or_i32",
            "__clforge_work_group_scan_exclusive_or_i32",
            "__clforge_work_group_reduce_or_i64",
            "__clforge_work_group_scan_inclusive_or_i64",
            "__clforge_work_group_scan_exclusive_or_i64",
            "__clforge_work_group_reduce_xor_i32",
            "__clforge_work_group_scan_inclusive_xor_i32",
            "__clforge_work_group_scan_exclusive_xor_i32",
            "__clforge_work_group_reduce_xor_i64",
            "__clforge_work_group_scan_inclusive_xor_i64",
            "__clforge_work_group_scan_exclusive_xor_i64",
            "__clforge_work_group_broadcast_i16",
            "__clforge_work_group_broadcast_i32",
            "__clforge_work_group_broadcast_i64"
        ]
    ),
];

/// The text of a file of the library.
pub fn library_text(file: &str) -> Option<&'static str> {
    FILES.iter().find(|known| known.name == file).map(|known| known.text)
}

/// The file that defines a function built-ins are provided by.
pub fn file_of(function: &str) -> Option<&'static str> {
    FILES.iter().find(|file| file.functions.contains(&function)).map(|file| file.name)
}

/// A file and all that it requires (`// requires: a.cl b.cl` on its first line), each once, required ones first.
pub fn library_files_for(file: &str) -> Vec<&'static str> {
    let mut order = Vec::new();
    add_with_requirements(file, &mut order, FILES.len());
    order
}

fn add_with_requirements(file: &str, order: &mut Vec<&'static str>, depth: usize) {
    let Some(known) = FILES.iter().find(|known| known.name == file) else { return };
    if depth == 0 || order.contains(&known.name) {
        return;
    }
    for required in requirements(known.text) {
        add_with_requirements(required, order, depth - 1);
    }
    if !order.contains(&known.name) {
        order.push(known.name);
    }
}

/// The files named on the first line.
fn requirements(text: &str) -> impl Iterator<Item = &str> {
    let list = text.lines().next().and_then(|line| line.strip_prefix("// requires:")).unwrap_or("");
    list.split([',', ' ']).filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn listed_functions_are_defined_where_the_list_says() {
        for file in FILES {
            for function in file.functions {
                let definition = format!(" {function}(");
                let defined = file.text.lines().any(|line| !line.starts_with([' ', '/']) && line.contains(&definition));
                assert!(defined, "{} does not define {function}", file.name);
            }
        }
    }

    #[test]
    fn required_files_exist_and_come_first() {
        for file in FILES {
            let order = library_files_for(file.name);
            assert_eq!(order.last(), Some(&file.name));
            for required in requirements(file.text) {
                assert!(order.contains(&required), "{} requires {required}, which is no file", file.name);
            }
        }
    }
}
