//! The pragmas that sema handles: `OPENCL EXTENSION`, `FP_CONTRACT`, `unroll` and `pack`.

use super::Sema;
use crate::hir::LoopHint;
use clforge_basic::diag::SourceRange;
use clforge_basic::diag::{Diagnostic, WarningFlag};
use clforge_basic::source::{Loc, Pragma};
use clforge_syntax::preprocess::extension;

impl<'a> Sema<'a, '_, '_> {
    /// Reads the pragmas of the unit.
    pub(super) fn read_pragmas(&mut self) {
        let table = self.table;
        let mut packing = Packing::default();
        for pragma in &table.pragmas {
            let mut words = pragma.text.split_whitespace();
            match words.next() {
                Some("unroll" | "nounroll") => {
                    if let Some(hint) = unroll(&pragma.text) {
                        self.unroll.insert(pragma.before, hint);
                    }
                }
                Some("pack") => {
                    if let Err(message) = packing.apply(&pragma.text) {
                        let range = SourceRange::at(pragma.loc, 1);
                        self.push(Diagnostic::warning(
                            WarningFlag::IgnoredPragmas,
                            range,
                            format!("{message} - ignored"),
                        ));
                    }
                    self.packing.push((pragma.before, packing.current));
                }
                Some("OPENCL" | "STDC") => match words.next() {
                    Some("EXTENSION") => self.extension_pragma(words, pragma.loc),
                    Some("FP_CONTRACT") => self.contraction_pragma(words.next(), pragma),
                    _ => {}
                },
                _ => {}
            }
        }
    }
}

impl Sema<'_, '_, '_> {
    /// `#pragma OPENCL EXTENSION name : behaviour`, from the name on.
    fn extension_pragma<'t>(&mut self, mut words: impl Iterator<Item = &'t str>, loc: Loc) {
        let name = words.next().unwrap_or("");
        let behaviour = words.find(|word| *word != ":").unwrap_or("").trim_start_matches(':');
        let range = SourceRange::at(loc, 1);
        let supported = match name {
            "all" => Some(true),
            _ if OTHER_EXTENSIONS.contains(&name) => Some(true),
            _ => extension(name, self.options),
        };
        if supported != Some(true) && behaviour != "disable" && !self.library {
            let what = if supported.is_none() { "unknown" } else { "unsupported" };
            let message = format!("{what} OpenCL extension '{name}' - ignoring");
            self.push(Diagnostic::warning(WarningFlag::IgnoredPragmas, range, message));
        } else if !matches!(behaviour, "enable" | "disable" | "begin" | "end" | "require" | "warn") {
            let message = "expected 'enable', 'disable', 'begin' or 'end' - ignoring";
            self.push(Diagnostic::warning(WarningFlag::IgnoredPragmas, range, message));
        }
    }

    /// `#pragma OPENCL FP_CONTRACT state`. By default it is on.
    fn contraction_pragma(&mut self, state: Option<&str>, pragma: &Pragma) {
        match state {
            Some("ON" | "DEFAULT") => self.program.contraction.set_from(pragma.before, true),
            Some("OFF") => self.program.contraction.set_from(pragma.before, false),
            _ => {
                let message = "expected 'ON', 'OFF' or 'DEFAULT' in '#pragma FP_CONTRACT'";
                let range = SourceRange::at(pragma.loc, 1);
                self.push(Diagnostic::warning(WarningFlag::UnknownPragmas, range, message));
            }
        }
    }

    /// The most that members are aligned to in a record that begins at a token, by `#pragma pack`.
    pub(super) fn packing_at(&self, token: u32) -> Option<u64> {
        let behind = self.packing.partition_point(|(before, _)| *before <= token);
        self.packing.get(behind.checked_sub(1)?)?.1
    }
}

/// The state of `#pragma pack`.
#[derive(Default)]
struct Packing {
    current: Option<u64>,
    /// With labels.
    stack: Vec<(String, Option<u64>)>,
}

impl Packing {
    /// `pack ( push , label , 4 )` and shorter forms.
    fn apply(&mut self, text: &str) -> Result<(), &'static str> {
        let operands = text.trim_start_matches("pack").trim();
        let operands = operands.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
        let operands = operands.ok_or("missing '(' or ')' after '#pragma pack'")?;
        let mut words: Vec<&str> = operands.split(',').map(str::trim).filter(|word| !word.is_empty()).collect();
        let action = words.first().copied().filter(|word| matches!(*word, "push" | "pop" | "show"));
        if action.is_some() {
            words.remove(0);
        }
        let is_label = |word: &&str| word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        let label = words.first().copied().filter(is_label).filter(|_| action.is_some()).map(str::to_string);
        if label.is_some() {
            words.remove(0);
        }
        let value = match words.as_slice() {
            [] => None,
            [word] => match word.parse::<u64>() {
                Ok(0) => Some(None),
                Ok(value @ (1 | 2 | 4 | 8 | 16)) => Some(Some(value)),
                _ => return Err("expected #pragma pack parameter to be '1', '2', '4', '8', or '16'"),
            },
            _ => return Err("expected ')' after '#pragma pack'"),
        };
        match action {
            Some("push") => self.stack.push((label.unwrap_or_default(), self.current)),
            Some("pop") => self.pop(label.as_deref())?,
            Some(_) => return Ok(()),
            None if value.is_none() => self.current = None,
            None => {}
        }
        self.current = value.unwrap_or(self.current);
        Ok(())
    }

    fn pop(&mut self, label: Option<&str>) -> Result<(), &'static str> {
        let found = match label {
            Some(label) => self.stack.iter().rposition(|(pushed, _)| pushed == label),
            None => self.stack.len().checked_sub(1),
        };
        let found = found.ok_or("#pragma pack(pop, ...) failed: stack empty")?;
        self.current = self.stack.get(found).and_then(|(_, value)| *value);
        self.stack.truncate(found);
        Ok(())
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

/// Extensions that a pragma may name besides those of Khronos that have a macro.
const OTHER_EXTENSIONS: &[&str] = &[
    "cl_khr_gl_sharing",
    "cl_khr_expect_assume",
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packing_is_a_stack() {
        let mut packing = Packing::default();
        let mut after = |text: &str| packing.apply(text).map(|()| packing.current);
        assert_eq!(after("pack ( push , 1 )"), Ok(Some(1)));
        assert_eq!(after("pack ( push , inner , 4 )"), Ok(Some(4)));
        assert_eq!(after("pack ( 2 )"), Ok(Some(2)));
        assert_eq!(after("pack ( push )"), Ok(Some(2)));
        assert_eq!(after("pack ( pop , inner )"), Ok(Some(1)));
        assert_eq!(after("pack ( )"), Ok(None));
        assert_eq!(after("pack ( pop )"), Ok(None));
        assert!(after("pack ( pop )").is_err());
        assert!(after("pack ( 3 )").is_err());
    }
}
