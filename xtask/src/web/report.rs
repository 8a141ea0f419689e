//! What the page reports: a line for each thing, which begins with its name.

/// What the page computed.
#[derive(Debug, PartialEq)]
pub struct Report {
    /// The name of the device.
    pub device: String,
    /// The time of all steps.
    pub milliseconds: f64,
    /// The mean of v.
    pub mean: f64,
    /// u and v of each cell.
    pub cells: Vec<f64>,
    /// Red, green, blue and opacity of each pixel.
    pub pixels: Vec<f64>,
}

impl Report {
    /// Reads a report, or the error that the page reports instead.
    pub fn read(text: &str) -> Result<Report, String> {
        if let Some(message) = text.strip_prefix("error ") {
            return Err(format!("the page reports: {message}"));
        }
        let line = |name: &str| {
            let mut lines = text.lines().filter_map(|line| line.split_once(' '));
            let found = lines.find(|(first, _)| *first == name).map(|(_, rest)| rest);
            found.ok_or_else(|| format!("the page's report has no line '{name}'"))
        };
        let numbers = |name: &str| -> Result<Vec<f64>, String> {
            let read = |word: &str| word.parse().map_err(|_| format!("the page's report: {name}: '{word}'"));
            line(name)?.split_whitespace().map(read).collect()
        };
        let number = |name: &str| numbers(name)?.first().copied().ok_or_else(|| format!("{name} has no value"));
        Ok(Report {
            device: line("device")?.into(),
            milliseconds: number("milliseconds")?,
            mean: number("mean")?,
            cells: numbers("cells")?,
            pixels: numbers("pixels")?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports() {
        let report =
            Report::read("device google swiftshader\nmilliseconds 2.5\nmean 0.5\ncells 1 NaN\npixels 1 2 3 255");
        let report = report.unwrap();
        assert_eq!((report.device.as_str(), report.milliseconds, report.mean), ("google swiftshader", 2.5, 0.5));
        assert!(report.cells[1].is_nan());
        assert_eq!(report.pixels, [1.0, 2.0, 3.0, 255.0]);
        assert_eq!(Report::read("error no device"), Err("the page reports: no device".into()));
        assert!(Report::read("device a\nmilliseconds b").is_err());
    }
}
