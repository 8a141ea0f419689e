//! Results of the conformance tests, and the files in which they are kept: one test on each line.

use std::fmt;

/// How a test has ended, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Result {
    Pass,
    Skip,
    Fail,
}

/// One test.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    pub suite: String,
    pub test: String,
    pub result: Result,
    pub seconds: f64,
}

/// All tests of a device.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Results {
    /// The device, and the driver below ours, with its version.
    pub device: String,
    pub driver: String,
    pub runs: Vec<Run>,
}

/// How many tests have ended how.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Outcomes {
    pub pass: usize,
    pub fail: usize,
    pub skip: usize,
}

impl Result {
    /// The result that a word of a file stands for.
    pub fn from_word(word: &str) -> Result {
        match word {
            "pass" => Result::Pass,
            "skip" => Result::Skip,
            _ => Result::Fail,
        }
    }
}

impl fmt::Display for Result {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Result::Pass => "pass",
            Result::Skip => "skip",
            Result::Fail => "fail",
        })
    }
}

impl Outcomes {
    /// The numbers of some tests.
    pub fn of<'a>(runs: impl IntoIterator<Item = &'a Run>) -> Outcomes {
        let mut outcomes = Outcomes::default();
        for run in runs {
            match run.result {
                Result::Pass => outcomes.pass += 1,
                Result::Skip => outcomes.skip += 1,
                Result::Fail => outcomes.fail += 1,
            }
        }
        outcomes
    }
}

impl fmt::Display for Outcomes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed, {} skipped", self.pass, self.fail, self.skip)
    }
}

impl Results {
    /// Reads the device's name and version where a suite prints them.
    pub fn learn_device(&mut self, line: &str) {
        let Some((_, rest)) = line.split_once("Compute Device Name = ") else { return };
        let (name, rest) = rest.split_once(", Compute Device Vendor").unwrap_or((rest, ""));
        self.device = name.into();
        let driver = rest.split_once("clforge on ").map_or("", |(_, driver)| driver);
        self.driver = driver.split_once(", Vulkan").map_or("", |(driver, _)| driver).into();
    }

    /// The name of its file: device and driver, without what stands in parentheses.
    pub fn file_name(&self) -> String {
        let mut depth = 0;
        let mut name = String::new();
        for character in format!("{} {}", self.device, self.driver).chars() {
            match character {
                '(' => depth += 1,
                ')' => depth -= 1,
                _ if depth > 0 => {}
                _ if character.is_ascii_alphanumeric() || character == '.' => name.push(character.to_ascii_lowercase()),
                _ if !name.is_empty() && !name.ends_with('-') => name.push('-'),
                _ => {}
            }
        }
        format!("{}.json", name.trim_end_matches('-'))
    }

    /// The tests that have another result than before, with the result before.
    pub fn changes<'a>(&'a self, before: &'a Results) -> impl Iterator<Item = (&'a Run, &'a Run)> {
        let pairs = self.runs.iter().filter_map(|run| Some((run, before.find(&run.suite, &run.test)?)));
        pairs.filter(|(run, before)| run.result != before.result)
    }

    fn find(&self, suite: &str, test: &str) -> Option<&Run> {
        self.runs.iter().find(|run| run.suite == suite && run.test == test)
    }

    /// These results with newer ones in their place, sorted.
    pub fn updated(self, new: Results) -> Results {
        let mut runs = self.runs;
        runs.retain(|run| new.find(&run.suite, &run.test).is_none());
        runs.extend(new.runs);
        runs.sort_by(|a, b| (&a.suite, &a.test).cmp(&(&b.suite, &b.test)));
        Results { device: new.device, driver: new.driver, runs }
    }

    /// The text of the file.
    pub fn text(&self) -> String {
        let Results { device, driver, runs } = self;
        let lines: Vec<String> = runs.iter().map(Run::text).collect();
        format!(
            "{{\n\"device\": \"{device}\",\n\"driver\": \"{driver}\",\n\"tests\": [\n{}\n]\n}}\n",
            lines.join(",\n")
        )
    }

    /// Reads a file that [`Results::text`] has made.
    pub fn read(text: &str) -> Results {
        let mut results = Results::default();
        for line in text.lines() {
            let of = |key: &str| json_string_pairs(line).find(|(name, _)| name == key).map(|(_, value)| value);
            let seconds = line.split_once("\"seconds\": ").map(|(_, rest)| rest.trim_end_matches(['}', ',']));
            match (of("suite"), of("test"), of("result"), seconds.and_then(|seconds| seconds.parse().ok())) {
                (Some(suite), Some(test), Some(result), Some(seconds)) => {
                    results.runs.push(Run { suite, test, result: Result::from_word(&result), seconds });
                }
                _ => {
                    results.device = of("device").unwrap_or(results.device);
                    results.driver = of("driver").unwrap_or(results.driver);
                }
            }
        }
        results
    }
}

impl Run {
    fn text(&self) -> String {
        let Run { suite, test, result, seconds } = self;
        format!("{{\"suite\": \"{suite}\", \"test\": \"{test}\", \"result\": \"{result}\", \"seconds\": {seconds:.1}}}")
    }
}

/// The pairs of a name and a string in JSON whose strings have no quotes inside, as those of the suites and of our own files.
pub fn json_string_pairs(text: &str) -> impl Iterator<Item = (String, String)> {
    let mut strings = text.split('"');
    strings.next();
    let strings: Vec<&str> = strings.collect();
    let mut pairs = Vec::new();
    let mut at = 0;
    // Strings are at even places, what stands between them at odd ones.
    while let [name, colon, value] = strings.get(at..at + 3).unwrap_or_default() {
        if colon.trim() == ":" {
            pairs.push((name.to_string(), value.to_string()));
            at += 4;
        } else {
            at += 2;
        }
    }
    pairs.into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(test: &str, result: Result) -> Run {
        Run { suite: "basic".into(), test: test.into(), result, seconds: 1.5 }
    }

    #[test]
    fn files_are_read_as_they_are_written() {
        let mut results = Results::default();
        results.learn_device(
            "Compute Device Name = llvmpipe (LLVM 15.0.6, 256 bits), Compute Device Vendor = Mesa, \
             Compute Device Version = OpenCL 3.0 clforge on llvmpipe Mesa 25.0.7 (LLVM 15), Vulkan 1.4.305, Next = 1",
        );
        assert_eq!(results.device, "llvmpipe (LLVM 15.0.6, 256 bits)");
        assert_eq!(results.file_name(), "llvmpipe-llvmpipe-mesa-25.0.7.json");
        results.runs = vec![run("a", Result::Pass), run("b", Result::Skip)];
        assert_eq!(Results::read(&results.text()), results);
        let newer = Results { runs: vec![run("b", Result::Fail), run("c", Result::Pass)], ..results.clone() };
        let changed: Vec<_> = newer.changes(&results).map(|(now, before)| (now.result, before.result)).collect();
        assert_eq!(changed, [(Result::Fail, Result::Skip)]);
        let all = results.updated(newer);
        assert_eq!(Outcomes::of(&all.runs), Outcomes { pass: 2, fail: 1, skip: 0 });
    }

    #[test]
    fn results_of_a_suite() {
        let text = "{\n\t\"cmd\": \"test_basic\",\n\t\"args\": \"\",\n\t\"results\": {\n\t\t\"x\": \"pass\",\n\t\t\"y\": \"fail\"\n\t}\n}\n";
        let pairs: Vec<_> = json_string_pairs(text).collect();
        assert!(pairs.contains(&("x".into(), "pass".into())) && pairs.contains(&("y".into(), "fail".into())));
    }
}
