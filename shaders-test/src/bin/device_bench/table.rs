//! All benchmarks.

mod arithmetic;
mod memory;
mod programs;

use crate::case::{Case, Compare, Scale, Setup};

/// All rows, in the order of the tables.
pub fn all() -> Vec<Case> {
    [memory::cases(), arithmetic::cases(), programs::cases()].into_iter().flatten().collect()
}

/// A row. `place` is `file/kernel`, followed by build options.
fn case(name: &'static str, place: &'static str, compare: Compare, setup: fn(Scale) -> Setup) -> Case {
    let (path, options) = place.split_once(' ').unwrap_or((place, ""));
    let (file, kernel) = path.split_once('/').unwrap_or((path, ""));
    Case { name, file, kernel, options, compare, setup }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clforge_compiler::interface::ModuleInterface;
    use clforge_runtime::build_options;

    /// A row of the table finds its kernel, with as many arguments as it passes.
    #[test]
    fn every_row_has_its_kernel() {
        let rows = all();
        assert!(rows.len() >= 40);
        let mut names: Vec<_> = rows.iter().map(|row| row.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), rows.len());
        for row in &rows {
            let text = crate::sources::text(row.file).unwrap();
            let options = build_options(row.options).unwrap();
            let source = clforge_compiler::Source { name: row.file, text: text.as_bytes() };
            let compiled = clforge_compiler::compile(source, &options);
            let compiled = compiled.unwrap_or_else(|errors| panic!("{}: {}", row.name, errors.render(false)));
            let interface = ModuleInterface::from_spirv(&compiled.spirv).unwrap();
            let kernel = interface.kernels.iter().find(|kernel| kernel.name == row.kernel);
            let arguments = kernel.unwrap_or_else(|| panic!("{}", row.name)).argument_count();
            let setup = (row.setup)(Scale { quick: true });
            assert_eq!(setup.args.len(), arguments as usize, "{}", row.name);
        }
    }
}
