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
        /// Infinities and NaNs that an operation makes of finite numbers.
        const FLOAT = 32;
        /// Shifts by the width or more, which OpenCL C defines.
        const SHIFT = 64;
        /// Sums, differences, products and negations of signed integers that the type does not have.
        const OVERFLOW = 128;
    }
}

/// The names of the kinds, in the order of messages.
const NAMES: [(&str, Sanitizers); 9] = [
    ("address", Sanitizers::ADDRESS),
    ("undefined", Sanitizers::UNDEFINED),
    ("race", Sanitizers::RACE),
    ("memory", Sanitizers::MEMORY),
    ("sync", Sanitizers::SYNC),
    ("float", Sanitizers::FLOAT),
    ("shift", Sanitizers::SHIFT),
    ("overflow", Sanitizers::OVERFLOW),
    ("all", Sanitizers::MISTAKES),
];

impl Sanitizers {
    /// What `all` stands for. Operations that the others look for may be intended.
    pub const MISTAKES: Sanitizers =
        Sanitizers::all().difference(Sanitizers::FLOAT).difference(Sanitizers::SHIFT).difference(Sanitizers::OVERFLOW);

    /// Reads a list of kinds: `address,race`, or `all` for [`Sanitizers::MISTAKES`].
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
            found |= *kind;
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
        let all = ["address", "undefined", "race", "memory", "sync"].map(|name| Sanitizers::parse(name).unwrap());
        assert_eq!(Sanitizers::parse("all"), Ok(all.into_iter().collect()));
        let more = Sanitizers::parse("all,float,shift,overflow");
        assert_eq!(more, Ok(Sanitizers::all()));
        let wrong = Sanitizers::parse("race,thread").unwrap_err();
        assert!(wrong.starts_with("there is no sanitizer 'thread'; the sanitizers are address, "), "{wrong}");
        assert_eq!((Sanitizers::RACE | Sanitizers::SYNC).to_string(), "race,sync");
    }
}
