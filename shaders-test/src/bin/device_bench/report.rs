//! The measurements: as JSON files that are kept, as tables for people, and compared with the kept ones.

use serde::{Deserialize, Serialize};
use shaders_test::device_results;
use shaders_test::embedded;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A ratio below this part of the kept one is a regression.
const TOLERATED: f64 = 0.9;

/// Times of one row on one engine, in microseconds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Figure {
    /// Best time on the device.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub device: Option<f64>,
    /// Best time on the host, from the call that launches to the return of the one that waits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub host: Option<f64>,
    /// Time of the first launch on the host.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first: Option<f64>,
    /// How the results differ from ours.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difference: Option<String>,
    /// Why there are no times.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// One row on all engines.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Row {
    pub ours: Figure,
    /// By the names of the OpenCL drivers.
    pub theirs: BTreeMap<String, Figure>,
}

/// All rows on one device.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Report {
    pub device: String,
    pub driver: String,
    pub vulkan: String,
    /// Whether the problems were the small ones.
    pub quick: bool,
    /// Whether the times are those of the host, from enqueueing to completion.
    #[serde(default)]
    pub host_times: bool,
    /// Names of rows in the order of the table.
    pub order: Vec<String>,
    pub kernels: BTreeMap<String, Row>,
    /// Costs of the runtime in microseconds, in order: name, ours, those of OpenCL drivers by name.
    pub costs: Vec<Cost>,
}

/// A cost of the runtime in microseconds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Cost {
    pub name: String,
    pub ours: Option<f64>,
    pub theirs: BTreeMap<String, f64>,
    /// Bytes that are moved, so that a rate can be stated.
    #[serde(default)]
    pub bytes: u64,
}

impl Figure {
    /// The time that counts: the device's, or where a driver records none the host's.
    pub fn time(&self) -> Option<f64> {
        self.device.or(self.host)
    }
}

impl Row {
    /// How much faster ours is than a driver, above 1, or slower, below. Device times are compared with device times.
    pub fn ratio(&self, driver: &str) -> Option<f64> {
        let theirs = self.theirs.get(driver)?;
        let (ours, theirs) = match (self.ours.device, theirs.device) {
            (Some(ours), Some(theirs)) => (ours, theirs),
            _ => (self.ours.host?, theirs.host?),
        };
        (ours > 0.0).then_some(theirs / ours)
    }

    /// Leaves the host's times alone.
    pub fn forget_device_times(&mut self) {
        self.ours.device = None;
        self.theirs.values_mut().for_each(|figure| figure.device = None);
    }
}

impl Cost {
    /// As [`Row::ratio`].
    pub fn ratio(&self, driver: &str) -> Option<f64> {
        let (ours, theirs) = (self.ours?, self.theirs.get(driver)?);
        (ours > 0.0).then_some(theirs / ours)
    }
}

impl Report {
    /// The names of all OpenCL drivers.
    pub fn drivers(&self) -> Vec<String> {
        let rows = self.kernels.values().flat_map(|row| row.theirs.keys());
        let mut names: Vec<String> =
            rows.chain(self.costs.iter().flat_map(|cost| cost.theirs.keys())).cloned().collect();
        names.sort();
        names.dedup();
        names
    }

    /// The geometric mean of the ratios to a driver.
    pub fn mean(&self, driver: &str) -> Option<f64> {
        let logarithms: Vec<f64> = self.kernels.values().filter_map(|row| row.ratio(driver)).map(f64::ln).collect();
        (!logarithms.is_empty()).then(|| (logarithms.iter().sum::<f64>() / logarithms.len() as f64).exp())
    }

    /// Device and driver as a file name.
    pub fn file_name(&self) -> String {
        device_results::file_name(&self.device, &self.driver)
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

    /// All reports of a folder, in the order of their names.
    pub fn read_all(folder: &Path) -> Result<Vec<Report>, String> {
        let fail = |error: std::io::Error| format!("{}: {error}", folder.display());
        let entries = std::fs::read_dir(folder).map_err(fail)?;
        let mut paths: Vec<PathBuf> = entries.filter_map(Result::ok).map(|entry| entry.path()).collect();
        paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
        paths.sort();
        let read = |path: &PathBuf| {
            let bytes = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
            serde_json::from_slice(&bytes).map_err(|error| format!("{}: {error}", path.display()))
        };
        paths.iter().map(read).collect()
    }

    /// The report of this device and driver that was kept when the program was built.
    pub fn kept(&self) -> Result<Option<Report>, String> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("results/device-bench");
        let path = folder.join(self.file_name());
        let Some(bytes) = embedded::file(&path) else { return Ok(None) };
        serde_json::from_slice(bytes).map(Some).map_err(|error| format!("{}: {error}", path.display()))
    }

    /// Rows whose ratio to a driver has dropped by more than a tenth since `kept`, and rows that no longer run.
    pub fn regressions(&self, kept: &Report) -> Vec<String> {
        let mut found = Vec::new();
        if self.quick != kept.quick || self.host_times != kept.host_times {
            return found;
        }
        for (name, row) in &self.kernels {
            let Some(before) = kept.kernels.get(name) else { continue };
            if let (Some(error), None) = (&row.ours.error, &before.ours.error) {
                found.push(format!("{name}: {error}"));
            }
            for driver in row.theirs.keys() {
                if let (Some(now), Some(then)) = (row.ratio(driver), before.ratio(driver))
                    && now < then * TOLERATED
                {
                    found.push(format!("{name}: {now:.2} of the speed of {driver}; it was {then:.2}"));
                }
            }
        }
        found
    }

    /// Rows whose results differ between engines.
    pub fn differences(&self) -> Vec<String> {
        let rows = self.kernels.iter().flat_map(|(name, row)| row.theirs.iter().map(move |theirs| (name, theirs)));
        rows.filter_map(|(name, (driver, figure))| {
            figure.difference.as_ref().map(|difference| format!("{name}: {driver}: {difference}"))
        })
        .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(ours: f64, theirs: f64) -> Report {
        let figure = |time| Figure { device: Some(time), ..Figure::default() };
        let row = Row { ours: figure(ours), theirs: [("driver".to_owned(), figure(theirs))].into() };
        let kernels = [("row".to_owned(), row)].into();
        Report { device: "NVIDIA H100".into(), driver: "NVIDIA 580.1 (x)".into(), kernels, ..Report::default() }
    }

    #[test]
    fn a_drop_of_more_than_a_tenth_is_a_regression() {
        let kept = report(1.0, 1.0);
        assert_eq!(report(1.0, 1.0).file_name(), "nvidia-h100-nvidia-580.1.json");
        assert!(report(1.1, 1.0).regressions(&kept).is_empty());
        assert_eq!(report(1.2, 1.0).regressions(&kept).len(), 1);
        assert!(report(1.2, 1.2).regressions(&kept).is_empty());
        let mean = report(2.0, 8.0).mean("driver").unwrap();
        assert!((mean - 4.0).abs() < 1e-9);
    }

    #[test]
    fn reports_are_kept_as_they_are() {
        let report = report(1.5, 2.5);
        let text = serde_json::to_string(&report).unwrap();
        assert_eq!(serde_json::from_str::<Report>(&text).unwrap().kernels, report.kernels);
    }
}
