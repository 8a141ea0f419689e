//! Outcomes: as a table for people, and as JSON files that are kept.

use clforge_runtime::DeviceInfo;
use serde::{Deserialize, Serialize};
use shaders_test::device_results;
use shaders_test::embedded;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// How a trial ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    Passed,
    /// Not run, and why.
    Skipped(String),
    Failed(String),
}

impl Outcome {
    fn word(&self) -> &'static str {
        match self {
            Outcome::Passed => "passed",
            Outcome::Skipped(_) => "skipped",
            Outcome::Failed(_) => "failed",
        }
    }
}

/// All trials on one device.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Report {
    pub device: String,
    pub driver: String,
    pub vulkan: String,
    pub trials: BTreeMap<String, Outcome>,
}

impl Report {
    pub fn new(device: &DeviceInfo) -> Report {
        Report {
            device: device.name.clone(),
            driver: device.driver.clone(),
            vulkan: device.api_version.clone(),
            trials: BTreeMap::new(),
        }
    }

    /// Device and driver as a file name.
    pub fn file_name(&self) -> String {
        device_results::file_name(&self.device, &self.driver)
    }

    /// Trials that ended in one way.
    pub fn count(&self, word: &str) -> usize {
        self.trials.values().filter(|outcome| outcome.word() == word).count()
    }

    /// One line for each folder of trials.
    pub fn table(&self) -> String {
        let mut rows: BTreeMap<&str, BTreeMap<&str, usize>> = BTreeMap::new();
        for (name, outcome) in &self.trials {
            let folder = name.rsplit_once('/').map_or(name.as_str(), |(folder, _)| folder);
            *rows.entry(folder).or_default().entry(outcome.word()).or_default() += 1;
        }
        let mut text = format!("{:24} {:>7} {:>7} {:>7}\n", "", "passed", "failed", "skipped");
        let mut line = |name: &str, count: &dyn Fn(&str) -> usize| {
            text += &format!("{name:24} {:>7} {:>7} {:>7}\n", count("passed"), count("failed"), count("skipped"));
        };
        for (folder, counts) in &rows {
            line(folder, &|word| counts.get(word).copied().unwrap_or(0));
        }
        line("all", &|word| self.count(word));
        let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
        for outcome in self.trials.values() {
            if let Outcome::Skipped(reason) = outcome {
                *reasons.entry(reason).or_default() += 1;
            }
        }
        text.extend(reasons.iter().map(|(reason, count)| format!("skipped {count}: {reason}\n")));
        text
    }

    /// Writes the report; returns the file.
    pub fn write(&self, folder: &Path) -> Result<PathBuf, String> {
        let path = folder.join(self.file_name());
        let fail = |error: std::io::Error| format!("{}: {error}", path.display());
        std::fs::create_dir_all(folder).map_err(fail)?;
        let text = serde_json::to_string_pretty(self).map_err(|error| error.to_string())?;
        std::fs::write(&path, text + "\n").map_err(fail)?;
        Ok(path)
    }

    /// The kept report of a device and driver.
    pub fn kept(file_name: &str) -> Result<Option<Report>, String> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("results").join(file_name);
        let Some(bytes) = embedded::file(&path) else { return Ok(None) };
        serde_json::from_slice(bytes).map(Some).map_err(|error| format!("{}: {error}", path.display()))
    }

    /// Trials that passed in `kept` and fail now.
    pub fn regressions(&self, kept: &Report) -> Vec<&str> {
        let failed = self.trials.iter().filter(|(_, outcome)| matches!(outcome, Outcome::Failed(_)));
        let passed = |name: &&String| kept.trials.get(*name) == Some(&Outcome::Passed);
        failed.map(|(name, _)| name).filter(passed).map(String::as_str).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_named_after_device_and_driver() {
        let report =
            |device: &str, driver: &str| Report { device: device.into(), driver: driver.into(), ..Report::default() };
        let lavapipe = report("llvmpipe (LLVM 15.0.6, 256 bits)", "llvmpipe Mesa 22.3.6 (LLVM 15.0.6)");
        assert_eq!(lavapipe.file_name(), "llvmpipe-llvmpipe-mesa-22.3.6.json");
        assert_eq!(
            report("NVIDIA H100 80GB HBM3", "NVIDIA 580.1").file_name(),
            "nvidia-h100-80gb-hbm3-nvidia-580.1.json"
        );
    }

    #[test]
    fn a_regression_is_what_passed_before() {
        let with = |outcomes: [(&str, Outcome); 3]| Report {
            trials: outcomes.into_iter().map(|(name, outcome)| (name.into(), outcome)).collect(),
            ..Report::default()
        };
        let bad = || Outcome::Failed("wrong".into());
        let kept = with([("a", Outcome::Passed), ("b", bad()), ("c", Outcome::Passed)]);
        let now = with([("a", bad()), ("b", bad()), ("c", Outcome::Skipped("feature".into()))]);
        assert_eq!(now.regressions(&kept), ["a"]);
        let text = serde_json::to_string(&now).unwrap();
        assert_eq!(serde_json::from_str::<Report>(&text).unwrap().trials, now.trials);
    }
}
