//! Pragmas that mean something to sema: `OPENCL EXTENSION` and `unroll`.

use super::Sema;
use crate::ast::{self, ExternalDeclaration};
use crate::diag::Diagnostic;
use crate::diag::SourceRange;
use crate::hir::LoopHint;

impl<'a> Sema<'a, '_, '_> {
    /// Reads the pragmas between the unit's first and last token.
    pub(super) fn read_pragmas(&mut self, unit: &ast::TranslationUnit<'a>) {
        let span = |declaration: &ExternalDeclaration<'a>| match declaration {
            ExternalDeclaration::Function(function) => function.span,
            ExternalDeclaration::Declaration(declaration) => declaration.span,
        };
        let (Some(first), Some(last)) = (unit.declarations.first(), unit.declarations.last()) else { return };
        // Pragmas before the first declaration belong to this unit when it is the first one.
        let from = if self.library { span(first).lo } else { 0 };
        let to = span(last).hi;
        let table = self.table;
        for pragma in table.pragmas.iter().filter(|pragma| pragma.before >= from && pragma.before <= to) {
            let mut words = pragma.text.split_whitespace();
            match words.next() {
                Some("unroll" | "nounroll") => {
                    if let Some(hint) = unroll(&pragma.text) {
                        self.unroll.insert(pragma.before, hint);
                    }
                }
                Some("OPENCL") if words.next() == Some("EXTENSION") => {
                    let name = words.next().unwrap_or("");
                    let behaviour = words.find(|word| *word != ":").unwrap_or("").trim_start_matches(':');
                    let range = SourceRange::at(pragma.loc, 1);
                    if name != "all" && !KNOWN_EXTENSIONS.contains(&name) && !self.library {
                        let message = format!("unknown OpenCL extension '{name}' - ignoring");
                        self.push(Diagnostic::warning(range, message));
                    } else if !matches!(behaviour, "enable" | "disable" | "begin" | "end" | "require" | "warn") {
                        let message = "expected 'enable', 'disable', 'begin' or 'end' - ignoring";
                        self.push(Diagnostic::warning(range, message));
                    }
                }
                _ => {}
            }
        }
    }
}

/// `unroll`, `unroll 4`, `unroll(4)`, `nounroll`.
fn unroll(text: &str) -> Option<LoopHint> {
    if text.starts_with("nounroll") {
        return Some(LoopHint::DontUnroll);
    }
    let count: String = text.chars().filter(char::is_ascii_digit).collect();
    let has_operand = text.trim() != "unroll";
    match (has_operand, count.parse::<u32>()) {
        (false, _) => Some(LoopHint::Unroll),
        (true, Ok(0 | 1)) => Some(LoopHint::DontUnroll),
        (true, Ok(count)) => Some(LoopHint::UnrollBy(count)),
        (true, Err(_)) => Some(LoopHint::Unroll),
    }
}

/// Extensions that a pragma may name.
const KNOWN_EXTENSIONS: &[&str] = &[
    "cl_khr_fp64",
    "cl_khr_fp16",
    "cl_khr_byte_addressable_store",
    "cl_khr_global_int32_base_atomics",
    "cl_khr_global_int32_extended_atomics",
    "cl_khr_local_int32_base_atomics",
    "cl_khr_local_int32_extended_atomics",
    "cl_khr_int64_base_atomics",
    "cl_khr_int64_extended_atomics",
    "cl_khr_3d_image_writes",
    "cl_khr_gl_sharing",
    "cl_khr_select_fprounding_mode",
    "cl_khr_subgroups",
    "cl_khr_subgroup_ballot",
    "cl_khr_subgroup_clustered_reduce",
    "cl_khr_subgroup_extended_types",
    "cl_khr_subgroup_non_uniform_arithmetic",
    "cl_khr_subgroup_non_uniform_vote",
    "cl_khr_subgroup_rotate",
    "cl_khr_subgroup_shuffle",
    "cl_khr_subgroup_shuffle_relative",
    "cl_khr_depth_images",
    "cl_khr_mipmap_image",
    "cl_khr_mipmap_image_writes",
    "cl_khr_gl_msaa_sharing",
    "cl_khr_srgb_image_writes",
    "cl_khr_integer_dot_product",
    "cl_khr_extended_bit_ops",
    "cl_khr_expect_assume",
    "cl_khr_work_group_uniform_arithmetic",
    "cl_khr_async_work_group_copy_fence",
    "cl_khr_extended_async_copies",
    "cl_khr_kernel_clock",
    "cl_khr_initialize_memory",
    "cl_khr_device_enqueue_local_arg_types",
    "cl_ext_float_atomics",
    "cl_amd_printf",
    "cl_amd_fp64",
    "cl_amd_media_ops",
    "cl_amd_media_ops2",
    "cl_intel_printf",
    "cl_intel_subgroups",
    "cl_intel_subgroups_short",
    "cl_nv_pragma_unroll",
    "cl_clang_storage_class_specifiers",
    "__cl_clang_function_pointers",
    "__cl_clang_variadic_functions",
];
