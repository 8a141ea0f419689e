//! The options of a subcommand, as clap knows them: which take a value, and which one a mistyped word may mean.

use clap::Command;
use std::ffi::OsString;

/// The options of a subcommand without the build options.
pub struct KnownOptions {
    /// With their hyphens.
    with_value: Vec<String>,
    switches: Vec<String>,
}

impl KnownOptions {
    /// The subcommand that a command line names, and its options; `None` where clap has to say what is wrong.
    ///
    /// The command is not built by clap yet, which takes as long as compiling a small kernel: options for every subcommand
    /// are its own then.
    pub fn of(cli: &Command, words: &[OsString]) -> Option<(String, KnownOptions)> {
        let mut words = words.iter().skip(1).filter_map(|word| word.to_str());
        let subcommand = words.find_map(|word| cli.find_subcommand(word))?;
        let mut known = KnownOptions { with_value: Vec::new(), switches: Vec::new() };
        for argument in cli.get_arguments().chain(subcommand.get_arguments()) {
            let takes_value = argument.get_action().takes_values();
            let list = if takes_value { &mut known.with_value } else { &mut known.switches };
            list.extend(argument.get_long().map(|name| format!("--{name}")));
            list.extend(argument.get_short().map(|name| format!("-{name}")));
        }
        Some((subcommand.get_name().to_owned(), known))
    }

    /// Whether the word after this one is its value.
    pub fn takes_next(&self, word: &str) -> bool {
        self.with_value.iter().any(|option| option == word)
    }

    /// Whether clap knows the word, which begins with a hyphen.
    pub fn contains(&self, word: &str) -> bool {
        let name = word.split_once('=').map_or(word, |(name, _)| name);
        if word.starts_with("--") {
            return self.with_value.iter().chain(&self.switches).any(|option| option == name);
        }
        // Short options may be glued together, and the value to the last of them.
        for letter in word.chars().skip(1) {
            let option = format!("-{letter}");
            if self.takes_next(&option) {
                return true;
            }
            if !self.switches.contains(&option) {
                return false;
            }
        }
        true
    }

    /// The options with more than one letter.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.with_value.iter().chain(&self.switches).map(String::as_str).filter(|name| name.len() > 2)
    }
}

/// `; did you mean '…'?` with the option nearest to a mistyped one, or nothing.
pub fn suggestion<'n>(word: &str, known: impl Iterator<Item = &'n str>) -> String {
    let stem = |option: &'n str| option.split('=').next().unwrap_or(option);
    let written = word.split('=').next().unwrap_or(word);
    let bare = |option: &str| option.trim_start_matches('-').to_owned();
    let hyphens = |option: &str| option.len() - option.trim_start_matches('-').len();
    let distances = known.map(|option| {
        let distance = strsim::damerau_levenshtein(&bare(written), &bare(stem(option)));
        (distance, hyphens(option).abs_diff(hyphens(written)), option)
    });
    let nearest = distances.min().filter(|(distance, ..)| distance * 3 <= bare(written).chars().count());
    nearest.map(|(_, _, option)| format!("; did you mean '{option}'?")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::command;

    #[test]
    fn suggestions_are_the_nearest_options() {
        let known = ["--emit", "--target", "-cl-opt-disable", "-cl-std=", "-include", "-fsyntax-only", "-MD", "-Wall"];
        for (word, expected) in [
            ("--emti", "--emit"),
            ("-emit", "--emit"),
            ("--targte=vulkan1.2", "--target"),
            ("--emti=asm", "--emit"),
            ("-cl-opt-disabel", "-cl-opt-disable"),
            ("--cl-opt-disable", "-cl-opt-disable"),
            ("-cl-sdt=CL2.0", "-cl-std="),
            ("-inclde", "-include"),
            ("-fsyntaxonly", "-fsyntax-only"),
        ] {
            assert_eq!(suggestion(word, known.into_iter()), format!("; did you mean '{expected}'?"));
        }
        assert_eq!(suggestion("--frobnicate", known.into_iter()), "");
    }

    #[test]
    fn what_clap_knows() {
        let words = ["clforge", "compile"].map(OsString::from);
        let (name, known) = KnownOptions::of(&command(&words), &words).unwrap();
        assert_eq!(name, "compile");
        assert!(known.takes_next("-o") && known.takes_next("--emit") && !known.takes_next("--no-validate"));
        assert!(known.contains("-oout") && known.contains("--emit=asm") && known.contains("-qE"));
        assert!(!known.contains("--emitt") && !known.contains("-emit"));
        assert!(KnownOptions::of(&command(&[]), &["clforge", "frobnicate"].map(OsString::from)).is_none());
    }
}
