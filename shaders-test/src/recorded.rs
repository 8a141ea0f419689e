//! Results of an OpenCL driver, recorded on one machine for tests on another.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// Recorded results of cases, by name.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Expected(BTreeMap<String, Recorded>);

#[derive(Debug, Serialize, Deserialize)]
struct Recorded {
    /// The source they belong to.
    source: String,
    runs: Runs,
}

/// Results of a case, by the numbers of its runs.
pub type Runs = BTreeMap<usize, Buffers>;

/// Contents of all buffers after a run, in hexadecimal digits.
#[derive(Debug, Serialize, Deserialize)]
pub struct Buffers(Vec<String>);

impl Buffers {
    /// From bytes.
    pub fn new(buffers: &[Vec<u8>]) -> Buffers {
        let hex = |bytes: &Vec<u8>| bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        Buffers(buffers.iter().map(hex).collect())
    }

    /// The bytes.
    ///
    /// # Errors
    /// When these are no hexadecimal digits.
    pub fn buffers(&self) -> Result<Vec<Vec<u8>>, String> {
        let byte = |pair: &[u8]| {
            let text = std::str::from_utf8(pair).map_err(|error| error.to_string())?;
            u8::from_str_radix(text, 16).map_err(|error| error.to_string())
        };
        self.0.iter().map(|hex| hex.as_bytes().chunks(2).map(byte).collect()).collect()
    }
}

impl Expected {
    /// Reads a file; one that is not there holds nothing.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn load(path: &Path) -> Result<Expected, String> {
        if !path.exists() {
            return Ok(Expected::default());
        }
        let fail = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
        let text = std::fs::read(path).map_err(|error| fail(&error))?;
        serde_json::from_slice(&text).map_err(|error| fail(&error))
    }

    /// Writes a file.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), String> {
        let text = serde_json::to_string(self).map_err(|error| error.to_string())?;
        std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
    }

    /// Adds the results of a case.
    pub fn insert(&mut self, case: String, source: String, runs: Runs) {
        self.0.insert(case, Recorded { source, runs });
    }

    /// The results of a case, by the numbers of its runs, where they belong to the same source.
    pub fn get(&self, case: &str, source: &str) -> Option<&Runs> {
        let recorded = self.0.get(case)?;
        (recorded.source == source).then_some(&recorded.runs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_come_back() {
        let buffers = vec![vec![0, 255, 16], vec![]];
        assert_eq!(Buffers::new(&buffers).buffers(), Ok(buffers));
        assert!(Buffers(vec!["0g".into()]).buffers().is_err());
    }
}
