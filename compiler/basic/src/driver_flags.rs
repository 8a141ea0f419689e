//! Sets of flags for properties of drivers, each made by one table: [`Workarounds`](crate::workarounds::Workarounds) and
//! [`Tuning`](crate::tuning::Tuning). A row has everything that the compiler, the runtime and the documents need to know
//! of its flag; `cargo xtask tidy` reads the same rows and writes the lists in `docs/drivers.md`.

/// A driver, or another consumer of modules, in the version that was tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Driver {
    /// lavapipe of Mesa 22.3, LLVM 15; every version before 25 is treated as this one.
    Lavapipe22,
    /// lavapipe of Mesa 25.0.7, LLVM 15; later versions are treated as this one.
    Lavapipe25,
    /// NVIDIA's Vulkan driver 580.159.
    Nvidia580,
    /// llvm-spirv 15, which translates modules for OpenCL to LLVM IR.
    LlvmSpirv15,
    /// PoCL 3.1.
    Pocl3,
}

/// The modules that have a flag, besides modules for its own drivers, which always have it. `docs/drivers.md` says how to
/// choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Modules {
    /// Portable modules, and modules for drivers that are not known: the plain form relies on what Vulkan does not promise,
    /// or other drivers probably have the same defect.
    All,
    /// Portable modules: every known Vulkan driver accepts the result. Modules for drivers that are not known do not have it.
    Portable,
    /// No others: the form is wrong, slow or untested elsewhere.
    OneDriver,
}

/// Where the compiler reads a flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A pass of that name, which only runs if one of its flags is set.
    Pass(&'static str),
    /// A file, from the root of the repository, that decides by the flag how an operation is expanded.
    Code(&'static str),
}

/// What the maintainers of the driver were told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Report {
    /// The report is a file, from the root of the repository, that is ready to be filed.
    Ready(&'static str),
    /// The report is at that address.
    Filed(&'static str),
    /// There is no report, for that reason.
    None(&'static str),
}

/// One flag.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The name on the command line: that of the constant in small letters, with hyphens.
    pub name: &'static str,
    /// The drivers that need it.
    pub drivers: &'static [Driver],
    /// The modules that have it, besides those for `drivers`.
    pub modules: Modules,
    /// Where the compiler reads it.
    pub place: Place,
    /// Files, from the root of the repository: tests that fail without the flag, or a document with measurements.
    pub evidence: &'static [&'static str],
    /// The upstream report.
    pub report: Report,
}

/// The bits of the rows that one of some drivers needs.
pub(crate) const fn needed_by(rows: &[Row], drivers: &[Driver]) -> u64 {
    let (mut bits, mut row) = (0, 0);
    while row < rows.len() {
        let mut of_row = 0;
        while of_row < rows[row].drivers.len() {
            let mut wanted = 0;
            while wanted < drivers.len() {
                if rows[row].drivers[of_row] as u8 == drivers[wanted] as u8 {
                    bits |= 1 << row;
                }
                wanted += 1;
            }
            of_row += 1;
        }
        row += 1;
    }
    bits
}

/// The bits of the rows for portable modules, or of those for drivers that are not known.
pub(crate) const fn portable(rows: &[Row], for_unknown_drivers: bool) -> u64 {
    let (mut bits, mut row) = (0, 0);
    while row < rows.len() {
        let is_in = match rows[row].modules {
            Modules::All => true,
            Modules::Portable => !for_unknown_drivers,
            Modules::OneDriver => false,
        };
        if is_in {
            bits |= 1 << row;
        }
        row += 1;
    }
    bits
}

/// Makes a set of flags of a table. Each group is what some drivers need, with a name for the command line.
macro_rules! driver_flags {
    (
        $(#[$set_doc:meta])* set $set:ident;
        groups { $($(#[$group_doc:meta])* $group:ident = $group_name:literal: [$($of:ident),*];)* }
        $(
            $(#[doc = $doc:literal])* $flag:ident {
                name: $name:literal,
                drivers: [$($driver:ident),*],
                modules: $modules:ident,
                place: $place:ident($where:literal),
                evidence: [$($evidence:literal),* $(,)?],
                report: $report:ident($what:literal),
            }
        )*
    ) => {
        /// The number of each flag's bit: rows may change places, since no format has these numbers.
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        enum Bit { $($flag),* }

        bitflags::bitflags! {
            $(#[$set_doc])*
            #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
            pub struct $set: u64 {
                $($(#[doc = $doc])* const $flag = 1 << Bit::$flag as u64;)*
            }
        }

        impl $set {
            /// The table, one row for each flag.
            pub const ROWS: &[Row] = &[$(Row {
                name: $name,
                drivers: &[$(Driver::$driver),*],
                modules: Modules::$modules,
                place: Place::$place($where),
                evidence: &[$($evidence),*],
                report: Report::$report($what),
            }),*];
            /// What a module that is compiled once has, so that it runs well on every known Vulkan driver.
            pub const PORTABLE: $set = $set::from_bits_truncate(portable($set::ROWS, false));
            /// What is assumed of drivers that are not known.
            pub const UNKNOWN_DRIVERS: $set = $set::from_bits_truncate(portable($set::ROWS, true));
            $($(#[$group_doc])*
            pub const $group: $set = $set::from_bits_truncate(needed_by($set::ROWS, &[$(Driver::$of),*]));)*

            /// What modules for a driver have.
            pub const fn of_driver(driver: Driver) -> $set {
                $set::from_bits_truncate(needed_by($set::ROWS, &[driver]))
            }

            /// The flags for which a pass runs; `None` for a pass that depends on no flag.
            pub fn of_pass(pass: &str) -> Option<$set> {
                let rows = $set::ROWS.iter().zip($set::all().iter());
                let of_pass = rows.filter(|(row, _)| matches!(row.place, Place::Pass(name) if name == pass)).map(|(_, flag)| flag);
                of_pass.reduce(|all, flag| all | flag)
            }

            fn named() -> impl Iterator<Item = (&'static str, $set)> {
                let single = $set::ROWS.iter().map(|row| row.name).zip($set::all().iter());
                single.chain([$(($group_name, $set::$group),)* ("portable", $set::PORTABLE), ("none", $set::empty())])
            }

            /// Every name that `parse` accepts, single flags first.
            pub fn names() -> impl Iterator<Item = &'static str> {
                $set::named().map(|(name, _)| name)
            }

            /// Reads a list of names, separated by commas.
            ///
            /// # Errors
            /// The first name that is unknown.
            pub fn parse(text: &str) -> Result<$set, &str> {
                text.split(',').try_fold($set::empty(), |all, word| {
                    let found = $set::named().find(|(name, _)| *name == word.trim());
                    found.map(|(_, flags)| all | flags).ok_or(word.trim())
                })
            }
        }

        impl Default for $set {
            fn default() -> $set {
                $set::PORTABLE
            }
        }

        impl std::fmt::Display for $set {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                let single = $set::ROWS.iter().zip($set::all().iter()).filter(|(_, flag)| self.contains(*flag));
                let names: Vec<&str> = single.map(|(row, _)| row.name).collect();
                if names.is_empty() { f.write_str("none") } else { f.write_str(&names.join(",")) }
            }
        }
    };
}
pub(crate) use driver_flags;

#[cfg(test)]
mod tests {
    use crate::tuning::Tuning;
    use crate::workarounds::Workarounds;

    #[test]
    fn names_are_those_of_the_constants_and_unique() {
        let constants = Workarounds::all().iter_names().map(|(name, _)| name).zip(Workarounds::ROWS);
        let tuning = Tuning::all().iter_names().map(|(name, _)| name).zip(Tuning::ROWS);
        for (constant, row) in constants.chain(tuning) {
            assert_eq!(constant.to_lowercase().replace('_', "-"), row.name);
            assert!(!row.drivers.is_empty() && !row.evidence.is_empty(), "{}", row.name);
        }
        let mut names: Vec<&str> = Workarounds::names().collect();
        names.sort_unstable();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{names:?}");
    }

    #[test]
    fn names_are_read_and_written() {
        assert_eq!(Workarounds::parse("none"), Ok(Workarounds::empty()));
        assert_eq!(Workarounds::parse("portable"), Ok(Workarounds::default()));
        let two = Workarounds::LAVAPIPE_LOOP_EXITS | Workarounds::POCL_MATH;
        assert_eq!(Workarounds::parse("pocl-math, lavapipe-loop-exits"), Ok(two));
        assert_eq!(Workarounds::parse("portable,no-such"), Err("no-such"));
        for flags in [Workarounds::empty(), two, Workarounds::all()] {
            assert_eq!(Workarounds::parse(&flags.to_string()), Ok(flags));
        }
        let lavapipe = "lavapipe-unrolled-arrays,lavapipe-inlined-calls,lavapipe-shared-calls,lavapipe-rolled-loops,\
                        lavapipe-late-barrier,lavapipe-barriers-between,lavapipe-first-findings,lavapipe-matrix-values";
        assert_eq!(Tuning::parse(&format!("nvidia,portable,{lavapipe}")), Ok(Tuning::all()));
    }

    #[test]
    fn flags_of_passes_are_found() {
        let unrolled = Workarounds::LAVAPIPE_UNROLLED_EXITS | Workarounds::LAVAPIPE_WRAPPING_COUNTERS;
        let all = Workarounds::LAVAPIPE_UNROLL_HINTS | unrolled;
        assert_eq!(Workarounds::of_pass("workarounds/loop_hints"), Some(all));
        assert_eq!(Workarounds::of_pass("simplify"), None);
    }

    #[test]
    fn groups_are_what_their_drivers_need() {
        assert!(Workarounds::NVIDIA.contains(Workarounds::NVIDIA_BYTE_SWAP));
        assert!(!Workarounds::NVIDIA.intersects(Workarounds::LAVAPIPE_EXP_LOG));
        assert!(Workarounds::PORTABLE.contains(Workarounds::NVIDIA));
        assert!(!Workarounds::PORTABLE.contains(Workarounds::LAVAPIPE_SUB_GROUP_BARRIER));
        assert!(!Workarounds::PORTABLE.intersects(Workarounds::POCL_THROUGH_LLVM));
        assert!(!Workarounds::UNKNOWN_DRIVERS.intersects(Workarounds::NVIDIA | Workarounds::LAVAPIPE_LITERAL_ZEROS));
    }
}
