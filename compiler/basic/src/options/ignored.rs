//! Options of other compilers that have no effect here.

use crate::warnings::{WarningFlag, WarningSetting, is_of_clang};

/// Prefixes of the options of other implementations.
const VENDORS: [&str; 6] = ["-cl-nv-", "-nv-", "-cl-intel-", "-cl-amd-", "-cl-arm-", "-cl-qcom-"];

/// Options of other implementations whose number may be a word of its own.
const VENDOR_NUMBERS: [&str; 2] = ["-cl-nv-maxrregcount", "-cl-nv-opt-level"];

/// A word that is accepted and has no effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IgnoredOption {
    /// What is to be said of it; `None` for a warning of clang's that is never given here.
    pub complaint: Option<Complaint>,
    /// Whether the next word belongs to it if it is a number.
    pub takes_number: bool,
}

/// A warning of an option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Complaint {
    /// What it is about.
    pub flag: WarningFlag,
    /// What it says.
    pub message: String,
}

impl IgnoredOption {
    /// Tells whether a word that is none of our options is ignored, and how.
    pub fn find(word: &str) -> Option<IgnoredOption> {
        let silent = IgnoredOption { complaint: None, takes_number: false };
        if word == "-W" || (word.starts_with("-W") && is_of_clang(word)) {
            return Some(silent);
        }
        if word.starts_with("-W") && WarningSetting::parse(word).is_none() {
            let message = format!("unknown warning option '{word}'");
            let complaint = Some(Complaint { flag: WarningFlag::UnknownWarningOption, message });
            return Some(IgnoredOption { complaint, ..silent });
        }
        VENDORS.iter().any(|vendor| word.starts_with(vendor)).then(|| {
            let message = format!("option '{word}' is one of another implementation and is ignored");
            let complaint = Some(Complaint { flag: WarningFlag::UnusedCommandLineArgument, message });
            IgnoredOption { complaint, takes_number: VENDOR_NUMBERS.contains(&word) }
        })
    }

    /// Whether the word after this one belongs to it.
    pub fn takes(&self, next: &str) -> bool {
        self.takes_number && !next.is_empty() && next.bytes().all(|byte| byte.is_ascii_digit())
    }
}
