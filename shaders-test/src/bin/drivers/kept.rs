//! The kept figures of a device and a driver, and the comparison with them.

use crate::Statistics;
use crate::parent::{LATE, Outcome};
use serde::{Deserialize, Serialize};
use shaders_test::device_results;
use std::collections::BTreeMap;
use std::path::Path;

/// What is kept of the code of a pipeline: instructions, registers, spilled registers, bytes of scratch memory.
type Figures = [u64; 4];

/// The names that drivers have for each figure; those of one driver are added.
const NAMES: [&[&str]; 4] = [
    &["Instructions", "Instruction Count", "Instruction count"],
    &["VGPRs", "Register Count", "Registers", "Number of GPRs", "Registers used", "Max live registers"],
    &["Spilled SGPRs", "Spilled VGPRs", "Spill Count", "Spills", "TMU Spills", "STP Count"],
    &["Scratch size", "Scratch Memory Size", "Local Memory Size", "Stack Size", "SLM Size", "Spill Size"],
];
const INSTRUCTIONS: usize = 0;
const SPILLS: usize = 2;

/// The file of a device.
#[derive(Serialize, Deserialize)]
pub struct Kept {
    device: String,
    driver: String,
    /// By source and kernel.
    pipelines: BTreeMap<String, Figures>,
    /// By source, or source and kernel.
    refused: BTreeMap<String, String>,
}

impl Kept {
    pub fn new(outcome: &Outcome) -> Kept {
        let figures = outcome.made.iter().map(|(name, made)| (name.clone(), figures(&made.statistics)));
        Kept {
            device: outcome.device.clone(),
            driver: outcome.driver.clone(),
            pipelines: figures.collect(),
            refused: outcome.refused.clone(),
        }
    }

    pub fn file_name(&self) -> String {
        device_results::file_name(&self.device, &self.driver)
    }

    /// The figures of a file; `None` if there is none.
    ///
    /// # Errors
    /// When the file has something else.
    pub fn load(path: &Path) -> Result<Option<Kept>, String> {
        let Ok(text) = std::fs::read_to_string(path) else { return Ok(None) };
        serde_json::from_str(&text).map(Some).map_err(|error| format!("{}: {error}", path.display()))
    }

    /// Writes the file, with a line for each pipeline.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn store(&self, path: &Path) -> Result<(), String> {
        let mut lines = Vec::new();
        for (name, figures) in &self.pipelines {
            lines.push(format!("{}: {}", json(name)?, json(figures)?));
        }
        let text = format!(
            "{{\"device\": {}, \"driver\": {}, \"refused\": {}, \"pipelines\": {{\n{}\n}}}}\n",
            json(&self.device)?,
            json(&self.driver)?,
            json(&self.refused)?,
            lines.join(",\n")
        );
        let folder = path.parent().unwrap_or(Path::new("."));
        let written = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(path, text));
        written.map_err(|error| format!("{}: {error}", path.display()))
    }

    /// Whether the driver did not end with a source.
    pub fn is_late(&self, source: &str) -> bool {
        self.refused.get(source).is_some_and(|reason| reason == LATE)
    }

    /// What is worse than in `kept`: pipelines that are refused, more than a tenth more instructions, more spilling.
    pub fn worse_than(&self, kept: &Kept) -> Vec<String> {
        let mut worse = Vec::new();
        for (name, reason) in &self.refused {
            if !kept.refused.contains_key(name) {
                worse.push(format!("{name} is refused: {reason}"));
            }
        }
        for (name, now) in &self.pipelines {
            let Some(before) = kept.pipelines.get(name) else { continue };
            if now[INSTRUCTIONS] * 10 > before[INSTRUCTIONS] * 11 {
                worse.push(format!("{name} has {} instructions, had {}", now[INSTRUCTIONS], before[INSTRUCTIONS]));
            }
            if now[SPILLS] > before[SPILLS] {
                worse.push(format!("{name} spills {} registers, spilled {}", now[SPILLS], before[SPILLS]));
            }
        }
        worse
    }
}

fn json(value: &impl Serialize) -> Result<String, String> {
    serde_json::to_string(value).map_err(|error| error.to_string())
}

fn figures(statistics: &Statistics) -> Figures {
    NAMES.map(|names| {
        let values = names.iter().filter_map(|name| statistics.get(*name));
        values.map(|value| whole(*value)).sum()
    })
}

/// The nearest whole number.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the range is checked")]
fn whole(value: f64) -> u64 {
    if (0.0..1e15).contains(&value) { value.round() as u64 } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(figures: Figures, refused: &[&str]) -> Kept {
        Kept {
            device: "GPU".into(),
            driver: "driver 1".into(),
            pipelines: [("case/a/k".to_string(), figures)].into(),
            refused: refused.iter().map(|name| (name.to_string(), "no".to_string())).collect(),
        }
    }

    #[test]
    fn a_tenth_more_instructions_is_not_worse() {
        let before = kept([100, 20, 1, 0], &["case/b"]);
        assert!(kept([110, 40, 1, 64], &["case/b"]).worse_than(&before).is_empty());
        assert_eq!(kept([111, 20, 1, 0], &[]).worse_than(&before), ["case/a/k has 111 instructions, had 100"]);
        assert_eq!(kept([50, 20, 2, 0], &[]).worse_than(&before), ["case/a/k spills 2 registers, spilled 1"]);
        assert_eq!(kept([50, 20, 0, 0], &["case/c"]).worse_than(&before), ["case/c is refused: no"]);
    }

    #[test]
    fn figures_are_found_by_the_names_of_drivers() {
        let statistics: Statistics =
            [("Instructions", 12.0), ("VGPRs", 24.0), ("Spilled SGPRs", 1.0), ("Spilled VGPRs", 2.0), ("Latency", 9.0)]
                .map(|(name, value)| (name.to_string(), value))
                .into();
        assert_eq!(figures(&statistics), [12, 24, 3, 0]);
    }

    #[test]
    fn files_are_read_as_they_were_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new/a.json");
        let written = kept([1, 2, 3, 4], &["a \"b\""]);
        written.store(&path).unwrap();
        let read = Kept::load(&path).unwrap().unwrap();
        assert_eq!((read.pipelines, read.refused), (written.pipelines, written.refused));
        assert!(Kept::load(&folder.path().join("b.json")).unwrap().is_none());
    }
}
