//! The end-to-end cases of `cases/<feature>/<name>.cl`: launches and expectations stand in comments, at the head or elsewhere.
//!
//! ```text
//! // OPTIONS: -D N=4 -cl-std=CL2.0 --address-bits=32
//! // RUN: kernel=k global=64[,y[,z]] [local=16] [offset=3]      (may be repeated: each starts a new launch)
//! // ARG: buffer:int=1,2,3      the same kinds as `clforge run --arg`, and for buffers also
//! // ARG: buffer:int=0..64      a count, or
//! // ARG: buffer:bytes=256      zeros, or
//! // ARG: buffer:random=256,7   bytes of a seed, among which there are many of the least and greatest integers
//! // EXPECT 1: int=1,2,3        contents of argument 1 afterwards, by hand
//! // EXPECT: pocl               all buffers as after running the same source, built by the OpenCL driver
//! // PRINTS: text            a line that `printf` writes, in this order; `// PRINTS unordered:` lines of all work-items
//! //                         come in any order, behind the others
//! // TOLERANCE: float 1e-6      `pocl` compares as this type, relative to the larger of 1 and the value
//! // SKIP opencl: reason        this target is left out
//! // WITHOUT: nvidia-dont-inline    workarounds that the modules do without: they hide what the case shows
//! // NEEDS: shaderInt64         a feature of Vulkan that is not emulated here: Vulkan devices without it are left out
//! ```

use crate::backend::{Build, CORRECTLY_ROUNDED, Executable, read, read_embedded};
use crate::data;
use crate::job::{Arg, Check, Job, Launch, NdRange};
use crate::recorded::{Buffers, Runs};
use clforge_compiler::options::{AddressBits, ClStd};
use clforge_compiler::workarounds::Workarounds;
use std::path::{Path, PathBuf};

/// One parsed case.
#[derive(Clone, Debug)]
pub struct Case {
    /// `feature/name`.
    pub name: String,
    /// The source and its options.
    pub build: Build,
    /// The launches, each with its own buffers.
    pub runs: Vec<Run>,
    /// Comparison with the reference.
    pub tolerance: Option<(Scalar, f64)>,
    /// Lines that all runs together print.
    pub prints: Prints,
    /// Targets that are left out: name and reason.
    pub skips: Vec<(String, String)>,
    /// Features of Vulkan that a device must have.
    pub needs: Vec<String>,
}

/// What a case prints to standard output.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Prints {
    ordered: Vec<String>,
    unordered: Vec<String>,
}

impl Prints {
    /// Compares with what was printed.
    ///
    /// # Errors
    /// The first difference, for people.
    pub fn check(&self, printed: &str) -> Result<(), String> {
        let mut lines: Vec<&str> = printed.lines().map(str::trim_end).collect();
        let mut unordered = lines.split_off(self.ordered.len().min(lines.len()));
        let mut expected: Vec<&str> = self.unordered.iter().map(String::as_str).collect();
        unordered.sort_unstable();
        expected.sort_unstable();
        lines.extend(unordered);
        let expected: Vec<&str> = self.ordered.iter().map(String::as_str).chain(expected).collect();
        match lines.iter().zip(&expected).find(|(line, expected)| line != expected) {
            Some((line, expected)) => Err(format!("it prints '{line}', expected '{expected}'")),
            None if lines.len() == expected.len() => Ok(()),
            None => Err(format!("it prints {} lines, expected {}:\n{printed}", lines.len(), expected.len())),
        }
    }
}

/// One launch of a case.
#[derive(Clone, Debug)]
pub struct Run {
    kernel: String,
    range: NdRange,
    args: Vec<HostValue>,
    /// Contents of buffer arguments, given by hand: position, bytes, and their type for messages.
    expected: Vec<(usize, Vec<u8>, Scalar)>,
    /// Whether the OpenCL driver's own results are expected.
    pub oracle: bool,
}

#[derive(Clone, Debug)]
enum HostValue {
    Buffer(Vec<u8>),
    Pod(Vec<u8>),
    Local(usize),
    Null,
}

/// A scalar type of OpenCL C as the case format names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Scalar {
    Char,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    Float,
    Double,
}

impl Scalar {
    fn parse(name: &str) -> Result<Scalar, String> {
        Ok(match name {
            "char" => Scalar::Char,
            "uchar" => Scalar::UChar,
            "short" => Scalar::Short,
            "ushort" => Scalar::UShort,
            "int" => Scalar::Int,
            "uint" => Scalar::UInt,
            "long" => Scalar::Long,
            "ulong" => Scalar::ULong,
            "float" => Scalar::Float,
            "double" => Scalar::Double,
            _ => return Err(format!("unknown type '{name}'")),
        })
    }

    fn size(self) -> usize {
        match self {
            Scalar::Char | Scalar::UChar => 1,
            Scalar::Short | Scalar::UShort => 2,
            Scalar::Int | Scalar::UInt | Scalar::Float => 4,
            Scalar::Long | Scalar::ULong | Scalar::Double => 8,
        }
    }

    /// The bytes of one number, decimal or `0x…`; integers wrap to the type's width.
    fn encode(self, text: &str) -> Result<Vec<u8>, String> {
        let bad = || format!("'{text}' is not a number");
        match self {
            Scalar::Float => Ok(text.parse::<f32>().map_err(|_| bad())?.to_le_bytes().to_vec()),
            Scalar::Double => Ok(text.parse::<f64>().map_err(|_| bad())?.to_le_bytes().to_vec()),
            _ => {
                let value = match text.strip_prefix("0x") {
                    Some(digits) => i128::from_str_radix(digits, 16).map_err(|_| bad())?,
                    None => text.parse::<i128>().map_err(|_| bad())?,
                };
                Ok(value.to_le_bytes()[..self.size()].to_vec())
            }
        }
    }

    /// One number as text; `bytes` has the type's size.
    fn show(self, bytes: &[u8]) -> String {
        let mut wide = [0; 8];
        wide[..bytes.len()].copy_from_slice(bytes);
        let bits = u64::from_le_bytes(wide);
        match self {
            Scalar::Float => f32::from_bits(bits as u32).to_string(),
            Scalar::Double => f64::from_bits(bits).to_string(),
            Scalar::Char => (bits as i8).to_string(),
            Scalar::Short => (bits as i16).to_string(),
            Scalar::Int => (bits as i32).to_string(),
            Scalar::Long => (bits as i64).to_string(),
            _ => bits.to_string(),
        }
    }

    fn number(self, bytes: &[u8]) -> f64 {
        self.show(bytes).parse().unwrap_or(f64::NAN)
    }
}

/// All cases below the folder `cases`, sorted by name.
///
/// # Errors
/// When a file cannot be read.
pub fn find() -> Result<Vec<PathBuf>, String> {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/cases"));
    let mut found = Vec::new();
    for folder in entries(root)? {
        if folder.is_dir() {
            found.extend(entries(&folder)?.into_iter().filter(|file| file.extension().is_some_and(|e| e == "cl")));
        }
    }
    found.sort();
    Ok(found)
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let read = std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    Ok(read.filter_map(|entry| Some(entry.ok()?.path())).collect())
}

/// The name of the case in a file: `feature/name`.
pub fn name_of(path: &Path) -> String {
    let part = |part: Option<&std::ffi::OsStr>| part.unwrap_or_default().to_string_lossy().into_owned();
    format!("{}/{}", part(path.parent().and_then(Path::file_name)), part(path.file_stem()))
}

impl Case {
    /// Reads a case.
    ///
    /// # Errors
    /// `file:line: message`.
    pub fn load(path: &Path) -> Result<Case, String> {
        Case::parse(path, &read(path)?, false)
    }

    /// As [`Case::load`], for one of [`crate::embedded::cases`].
    ///
    /// # Errors
    /// `file:line: message`.
    pub fn load_embedded(path: &Path) -> Result<Case, String> {
        Case::parse(path, &read_embedded(path)?, true)
    }

    fn parse(path: &Path, text: &str, embedded: bool) -> Result<Case, String> {
        let folder = path.parent().map(Path::to_path_buf).unwrap_or_default();
        let mut case = Case {
            name: name_of(path),
            build: Build { path: path.to_path_buf(), folders: vec![folder], embedded, ..Build::default() },
            runs: Vec::new(),
            tolerance: None,
            prints: Prints::default(),
            skips: Vec::new(),
            needs: Vec::new(),
        };
        for (number, line) in text.lines().enumerate() {
            // Comments of OpenCL C, or of SPIR-V assembly.
            let Some(directive) = line.strip_prefix("// ").or(line.strip_prefix("; ")) else { continue };
            case.directive(directive.trim())
                .map_err(|message| format!("{}:{}: {message}", path.display(), number + 1))?;
        }
        let silent = case.prints == Prints::default();
        match case.runs.iter().find(|run| run.expected.is_empty() && !run.oracle && silent) {
            Some(run) => Err(format!("{}: the run of '{}' expects nothing", path.display(), run.kernel)),
            None if case.runs.is_empty() => Err(format!("{}: no '// RUN:' line", path.display())),
            None => Ok(case),
        }
    }

    fn directive(&mut self, line: &str) -> Result<(), String> {
        let Some((key, rest)) = line.split_once(':') else { return Ok(()) };
        let (key, operand) = key.split_once(' ').unwrap_or((key, ""));
        let rest = rest.trim();
        match key {
            "OPTIONS" => return self.options(rest),
            "WITHOUT" => {
                let unknown = |name| format!("unknown workaround '{name}'");
                self.build.workarounds -= Workarounds::parse(rest).map_err(unknown)?;
            }
            "RUN" => self.runs.push(Run::parse(rest)?),
            "TOLERANCE" => {
                let (scalar, value) = rest.split_once(' ').ok_or("expected a type and a number")?;
                let value = value.parse().map_err(|_| format!("'{value}' is not a number"))?;
                self.tolerance = Some((Scalar::parse(scalar)?, value));
            }
            "PRINTS" if operand == "unordered" => self.prints.unordered.push(rest.into()),
            "PRINTS" => self.prints.ordered.push(rest.into()),
            "NEEDS" => self.needs.extend(rest.split_whitespace().map(str::to_owned)),
            "SKIP" => self.skips.push((operand.into(), rest.into())),
            "ARG" => self.last_run()?.args.push(argument(rest)?),
            "EXPECT" if rest == "pocl" => self.last_run()?.oracle = true,
            "EXPECT" => {
                let index = operand.parse().map_err(|_| format!("'{operand}' is not the position of an argument"))?;
                let (scalar, bytes) = typed_values(rest)?;
                self.last_run()?.expected.push((index, bytes, scalar));
            }
            _ => {}
        }
        Ok(())
    }

    fn last_run(&mut self) -> Result<&mut Run, String> {
        self.runs.last_mut().ok_or_else(|| "a '// RUN:' line must come first".into())
    }

    fn options(&mut self, line: &str) -> Result<(), String> {
        let mut words = line.split_whitespace();
        while let Some(word) = words.next() {
            if let Some(version) = word.strip_prefix("-cl-std=") {
                self.build.std = Some(ClStd::parse(version).ok_or_else(|| format!("unknown version '{version}'"))?);
            } else if let Some(define) = word.strip_prefix("-D") {
                let define = if define.is_empty() { words.next().unwrap_or_default() } else { define };
                let (name, value) = define.split_once('=').unwrap_or((define, "1"));
                self.build.defines.push((name.into(), value.into()));
            } else if let Some(bits) = word.strip_prefix("--address-bits=") {
                self.build.address_bits =
                    AddressBits::parse(bits).ok_or_else(|| format!("no pointers have {bits} bits"))?;
            } else if word == CORRECTLY_ROUNDED {
                self.build.correctly_rounded = true;
            } else {
                return Err(format!("unknown option '{word}'"));
            }
        }
        Ok(())
    }

    /// Why a target is left out, if it is; `emulated` and `logical` are Vulkan, and can be left out alone.
    pub fn skipped(&self, target: &str) -> Option<&str> {
        let is_vulkan = matches!(target, "emulated" | "logical" | "single" | "shuffled");
        let is_meant = |name: &str| name == target || is_vulkan && name == "vulkan";
        self.skips.iter().find(|(name, _)| is_meant(name)).map(|(_, reason)| reason.as_str())
    }

    /// Runs everything on `executable` and compares with what is expected; `oracle` is needed by `EXPECT: pocl`.
    ///
    /// # Errors
    /// What failed or differs, for people.
    pub fn check(&self, executable: &Executable, oracle: Option<&Executable>) -> Result<(), String> {
        self.check_with(executable, |_, job| {
            let oracle = oracle.ok_or("the case needs an OpenCL driver")?;
            Ok(oracle.run(job)?.0)
        })
    }

    /// The contents of all buffers after each run on an OpenCL driver.
    ///
    /// # Errors
    /// What the driver complains about.
    pub fn oracle_results(&self, oracle: &Executable) -> Result<Vec<Vec<Vec<u8>>>, String> {
        self.runs.iter().map(|run| Ok(oracle.run(&run.job())?.0)).collect()
    }

    /// As [`Case::check`]; `oracle` gives the contents of all buffers after run number `.0`.
    ///
    /// # Errors
    /// What failed or differs, for people.
    pub fn check_with(
        &self,
        executable: &Executable,
        oracle: impl Fn(usize, &Job) -> Result<Vec<Vec<u8>>, String>,
    ) -> Result<(), String> {
        for (number, run) in self.runs.iter().enumerate() {
            let job = run.job();
            let results = executable.run(&job)?.0;
            for (index, expected, scalar) in &run.expected {
                let buffer = run.buffer_of(*index)?;
                compare(&results[buffer], expected, *scalar, None)
                    .map_err(|difference| format!("kernel '{}', argument {index}: {difference}", run.kernel))?;
            }
            if run.oracle {
                let expected = oracle(number, &job).map_err(|error| format!("the reference: {error}"))?;
                for (i, (result, expected)) in results.iter().zip(&expected).enumerate() {
                    let scalar = self.tolerance.map_or(Scalar::UInt, |(scalar, _)| scalar);
                    compare(result, expected, scalar, self.tolerance.map(|(_, tolerance)| tolerance))
                        .map_err(|difference| format!("kernel '{}', buffer {i}: {difference}", run.kernel))?;
                }
            }
        }
        Ok(())
    }

    /// What `oracle` makes of the runs that expect its results, by their numbers.
    ///
    /// # Errors
    /// What the driver complains about.
    pub fn record(&self, oracle: &Executable) -> Result<Runs, String> {
        let wanted = self.runs.iter().enumerate().filter(|(_, run)| run.oracle);
        wanted.map(|(number, run)| Ok((number, Buffers::new(&oracle.run(&run.job())?.0)))).collect()
    }
}

impl Run {
    fn parse(line: &str) -> Result<Run, String> {
        let mut run = Run {
            kernel: String::new(),
            range: NdRange::new(&[1]),
            args: Vec::new(),
            expected: Vec::new(),
            oracle: false,
        };
        for word in line.split_whitespace() {
            let (key, value) = word.split_once('=').ok_or_else(|| format!("expected key=value, not '{word}'"))?;
            let sizes = || -> Result<Vec<u64>, String> {
                value.split(',').map(|n| n.parse().map_err(|_| format!("'{n}' is not a size"))).collect()
            };
            match key {
                "kernel" => run.kernel = value.into(),
                "global" => run.range = NdRange { local: run.range.local, ..NdRange::new(&sizes()?) },
                "local" => run.range = run.range.local(&sizes()?),
                "offset" => run.range = run.range.offset(&sizes()?),
                _ => return Err(format!("unknown key '{key}'")),
            }
        }
        Ok(run)
    }

    fn job(&self) -> Job {
        let mut buffers = Vec::new();
        let args = self
            .args
            .iter()
            .map(|arg| match arg {
                HostValue::Buffer(bytes) => {
                    buffers.push(bytes.clone());
                    Arg::Buffer(buffers.len() - 1)
                }
                HostValue::Pod(bytes) => Arg::Pod(bytes.clone()),
                HostValue::Local(bytes) => Arg::Local(*bytes),
                HostValue::Null => Arg::Null,
            })
            .collect();
        Job {
            buffers,
            launches: vec![Launch { kernel: self.kernel.clone().into(), range: self.range, args }],
            check: Box::new(|_| Check { max_error: 0.0, tolerance: 0.0 }),
        }
    }

    /// Position among the buffers of the argument at `index`.
    fn buffer_of(&self, index: usize) -> Result<usize, String> {
        let is_buffer = |arg: &&HostValue| matches!(arg, HostValue::Buffer(_));
        match self.args.get(index) {
            Some(HostValue::Buffer(_)) => Ok(self.args[..index].iter().filter(is_buffer).count()),
            _ => Err(format!("argument {index} is not a buffer")),
        }
    }
}

fn argument(spec: &str) -> Result<HostValue, String> {
    if spec == "null" {
        return Ok(HostValue::Null);
    }
    let size = |text: &str| text.parse().map_err(|_| format!("'{text}' is not a size"));
    if let Some(bytes) = spec.strip_prefix("local:bytes=") {
        return Ok(HostValue::Local(size(bytes)?));
    }
    if let Some(bytes) = spec.strip_prefix("buffer:bytes=") {
        return Ok(HostValue::Buffer(vec![0; size(bytes)?]));
    }
    if let Some(operands) = spec.strip_prefix("buffer:random=") {
        let (bytes, seed) = operands.split_once(',').ok_or("expected a size and a seed")?;
        let seed = seed.parse().map_err(|_| format!("'{seed}' is not a seed"))?;
        return Ok(HostValue::Buffer(data::mixed(size(bytes)?, seed)));
    }
    match spec.strip_prefix("buffer:") {
        Some(values) => Ok(HostValue::Buffer(typed_values(values)?.1)),
        None => Ok(HostValue::Pod(plain_value(spec)?)),
    }
}

/// `int=1,2,3` or `int=0..64`.
fn typed_values(spec: &str) -> Result<(Scalar, Vec<u8>), String> {
    let (scalar, list) = spec.split_once('=').ok_or_else(|| format!("expected type=values, not '{spec}'"))?;
    let scalar = Scalar::parse(scalar)?;
    if let Some((from, to)) = list.split_once("..") {
        let bound = |text: &str| text.parse::<i64>().map_err(|_| format!("'{text}' is not an integer"));
        let encoded = (bound(from)?..bound(to)?).map(|n| scalar.encode(&n.to_string()));
        return Ok((scalar, encoded.collect::<Result<Vec<_>, _>>()?.concat()));
    }
    let encoded = list.split(',').map(|n| scalar.encode(n.trim()));
    Ok((scalar, encoded.collect::<Result<Vec<_>, _>>()?.concat()))
}

/// `int4=1,2,3,4` or `bytes=0,255` (a structure); a vector of three gets its padding.
fn plain_value(spec: &str) -> Result<Vec<u8>, String> {
    if let Some(list) = spec.strip_prefix("bytes=") {
        return Ok(typed_values(&format!("uchar={list}"))?.1);
    }
    let (kind, list) = spec.split_once('=').ok_or_else(|| format!("expected type=values, not '{spec}'"))?;
    let name = kind.trim_end_matches(|c: char| c.is_ascii_digit());
    let width: usize = kind[name.len()..].parse().unwrap_or(1);
    let (scalar, mut bytes) = typed_values(&format!("{name}={list}"))?;
    if bytes.len() != width * scalar.size() {
        return Err(format!("'{kind}' needs {width} values"));
    }
    if width == 3 {
        bytes.resize(4 * scalar.size(), 0);
    }
    Ok(bytes)
}

/// Compares element by element; the message shows the first differences.
fn compare(got: &[u8], expected: &[u8], scalar: Scalar, tolerance: Option<f64>) -> Result<(), String> {
    let size = if got.len().is_multiple_of(scalar.size()) { scalar.size() } else { 1 };
    let scalar = if size == 1 && scalar.size() != 1 { Scalar::UChar } else { scalar };
    let same = |g: &[u8], e: &[u8]| match tolerance {
        Some(tolerance) if g.len() == e.len() => {
            let (g, e) = (scalar.number(g), scalar.number(e));
            g == e || (g.is_nan() && e.is_nan()) || (g - e).abs() <= tolerance * e.abs().max(1.0)
        }
        _ => g == e,
    };
    // An expectation may be shorter than the buffer: the rest is not looked at.
    let pairs = got.chunks(size).zip(expected.chunks(size)).enumerate();
    let wrong: Vec<String> = pairs
        .filter(|(_, (g, e))| !same(g, e))
        .map(|(i, (g, e))| format!("[{i}] is {}, expected {}", scalar.show(g), scalar.show(e)))
        .collect();
    if got.len() < expected.len() {
        return Err(format!("{} bytes are too few for {} expected", got.len(), expected.len()));
    }
    match wrong.len() {
        0 => Ok(()),
        count => Err(format!("{count} wrong: {}", wrong[..count.min(6)].join("; "))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_wrap_and_print() {
        assert_eq!(Scalar::Char.encode("-1"), Ok(vec![255]));
        assert_eq!(Scalar::UShort.encode("0xffff"), Ok(vec![255, 255]));
        assert_eq!(Scalar::Int.show(&[254, 255, 255, 255]), "-2");
        assert_eq!(typed_values("int=1..3"), Ok((Scalar::Int, vec![1, 0, 0, 0, 2, 0, 0, 0])));
    }

    #[test]
    fn vectors_of_three_are_padded() {
        assert_eq!(plain_value("char3=1,2,3"), Ok(vec![1, 2, 3, 0]));
        assert!(plain_value("int2=1").is_err());
    }

    #[test]
    fn printed_lines_are_compared() {
        let prints = Prints { ordered: vec!["a".into()], unordered: vec!["c".into(), "b".into()] };
        assert_eq!(prints.check("a\nb\nc\n"), Ok(()));
        assert_eq!(prints.check("a\nc\nb\n"), Ok(()));
        assert!(prints.check("b\na\nc\n").is_err());
        assert!(prints.check("a\nb\n").is_err());
        assert!(prints.check("a\nb\nc\nd\n").is_err());
    }

    #[test]
    fn differences_are_found() {
        assert!(compare(&[1, 0, 0, 0], &[1, 0, 0, 0], Scalar::Int, None).is_ok());
        assert_eq!(
            compare(&[2, 0, 0, 0], &[1, 0, 0, 0], Scalar::Int, None),
            Err("1 wrong: [0] is 2, expected 1".into())
        );
        assert!(compare(&1.0f32.to_le_bytes(), &1.001f32.to_le_bytes(), Scalar::Float, Some(1e-2)).is_ok());
        assert!(compare(&[], &[1], Scalar::Int, None).is_err());
    }
}
