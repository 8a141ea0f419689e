//! The mistakes of kernels that a module looks for while it runs (`--sanitize`).

use std::fmt;

bitflags::bitflags! {
    /// Kinds of mistakes that are looked for: see `docs/sanitizers.md`.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub struct Sanitizers: u8 {
        /// Accesses outside of buffers, objects and images, and accesses at addresses that are not as aligned as the type is.
        const ADDRESS = 1;
        /// Operations whose result the language does not define.
        const UNDEFINED = 2;
        /// Accesses of two work-items to the same memory of which one is a write, and that nothing orders.
        const RACE = 4;
        /// Reads of local and private memory that nothing wrote.
        const MEMORY = 8;
        /// Barriers that not all work-items of a work-group reach.
        const SYNC = 16;
    }
}

/// The names of the kinds, in the order of messages.
const NAMES: [(&str, Sanitizers); 6] = [
    ("address", Sanitizers::ADDRESS),
    ("undefined", Sanitizers::UNDEFINED),
    ("race", Sanitizers::RACE),
    ("memory", Sanitizers::MEMORY),
    ("sync", Sanitizers::SYNC),
    ("all", Sanitizers::all()),
];

/// The kinds that are not available yet.
const MISSING: Sanitizers = Sanitizers::empty();

impl Sanitizers {
    /// Reads a list of kinds: `address,race`, or `all` for every kind that there is.
    ///
    /// # Errors
    /// Why there is no such list, with the kind that is wrong.
    pub fn parse(list: &str) -> Result<Sanitizers, String> {
        let mut found = Sanitizers::empty();
        for word in list.split(',') {
            let Some((_, kind)) = NAMES.iter().find(|(name, _)| *name == word) else {
                let names = NAMES.map(|(name, _)| name).join(", ");
                return Err(format!("there is no sanitizer '{word}'; the sanitizers are {names}"));
            };
            if MISSING.contains(*kind) {
                return Err(format!("the sanitizer '{word}' is not available yet"));
            }
            found |= *kind - MISSING;
        }
        Ok(found)
    }
}

/// The list that [`Sanitizers::parse`] reads.
impl fmt::Display for Sanitizers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = NAMES.iter().filter(|(name, kind)| *name != "all" && self.contains(*kind));
        f.write_str(&names.map(|(name, _)| *name).collect::<Vec<_>>().join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_kinds() {
        assert_eq!(Sanitizers::parse("address"), Ok(Sanitizers::ADDRESS));
        assert_eq!(Sanitizers::parse("undefined,race"), Ok(Sanitizers::UNDEFINED | Sanitizers::RACE));
        assert_eq!(Sanitizers::parse("all"), Ok(Sanitizers::all() - MISSING));
        let wrong = Sanitizers::parse("race,thread").unwrap_err();
        assert!(wrong.starts_with("there is no sanitizer 'thread'; the sanitizers are address, "), "{wrong}");
        assert_eq!((Sanitizers::RACE | Sanitizers::SYNC).to_string(), "race,sync");
    }
}
