//! One benchmark: a kernel, its arguments, and how its results are compared.

use clforge_harness::{HostArg, NdRange};

/// A kernel of `shaders-test/bench`, with arguments.
pub struct Case {
    /// The row's name.
    pub name: &'static str,
    /// The source's name without `.cl`.
    pub file: &'static str,
    pub kernel: &'static str,
    /// Build options.
    pub options: &'static str,
    pub compare: Compare,
    pub setup: fn(Scale) -> Setup,
}

/// ND-range and arguments of a launch.
pub struct Setup {
    pub range: NdRange,
    pub args: Vec<HostArg>,
}

/// How the results of two drivers may differ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Compare {
    /// Not at all.
    Exact,
    /// Floats by so much of their magnitude, or absolutely where they are below 1.
    Float(f64),
    /// Doubles likewise.
    Double(f64),
    /// Halves likewise.
    Half(f64),
    /// Up to 2 % of the words: the results depend on rounding.
    MostWords,
    /// Floats, of which up to 2 % differ by more.
    MostFloats(f64),
}

/// How large the problems are.
#[derive(Clone, Copy, Debug)]
pub struct Scale {
    /// Small enough for a driver that executes on the processor.
    pub quick: bool,
}

impl Scale {
    /// The size for a GPU, or the small one.
    pub fn of(self, full: usize, quick: usize) -> usize {
        if self.quick { quick } else { full }
    }
}

/// `count` arbitrary words, always the same.
pub fn words(count: usize) -> impl Iterator<Item = u32> {
    (0..count as u32).map(|i| {
        let x = (i ^ 0x5bd1_e995).wrapping_mul(0x9e37_79b1);
        let x = (x ^ x >> 15).wrapping_mul(0x85eb_ca77);
        x ^ x >> 13
    })
}

/// A buffer of arbitrary words.
pub fn random(count: usize) -> HostArg {
    HostArg::Buffer(words(count).flat_map(u32::to_le_bytes).collect())
}

/// A buffer of words below a limit.
pub fn below(count: usize, limit: u32) -> HostArg {
    let words = words(count).map(|word| ((u64::from(word) * u64::from(limit)) >> 32) as u32);
    HostArg::Buffer(words.flat_map(u32::to_le_bytes).collect())
}

/// A buffer of floats from `low` to `high`.
pub fn floats(count: usize, low: f32, high: f32) -> HostArg {
    let value = |word: u32| low + (high - low) * ((word >> 8) as f32 / (1 << 24) as f32);
    HostArg::Buffer(words(count).flat_map(|word| value(word).to_le_bytes()).collect())
}

/// A buffer of doubles from `low` to `high`.
pub fn doubles(count: usize, low: f64, high: f64) -> HostArg {
    let value = |word: u32| low + (high - low) * (f64::from(word) / f64::from(u32::MAX));
    HostArg::Buffer(words(count).flat_map(|word| value(word).to_le_bytes()).collect())
}

/// A buffer of zero bytes.
pub fn zeros(bytes: usize) -> HostArg {
    HostArg::Buffer(vec![0; bytes])
}

/// A `uint` argument.
pub fn uint(value: usize) -> HostArg {
    HostArg::Pod((value as u32).to_le_bytes().to_vec())
}

/// A `float` argument.
pub fn float(value: f32) -> HostArg {
    HostArg::Pod(value.to_le_bytes().to_vec())
}

/// A launch of one dimension; a local size of 0 leaves the choice to the driver.
pub fn line(global: usize, local: u64, args: Vec<HostArg>) -> Setup {
    let range = NdRange::new(&[global as u64]);
    Setup { range: if local == 0 { range } else { range.local(&[local]) }, args }
}

/// A launch of two dimensions.
pub fn plane(global: [usize; 2], local: [u64; 2], args: Vec<HostArg>) -> Setup {
    Setup { range: NdRange::new(&global.map(|size| size as u64)).local(&local), args }
}

impl Compare {
    /// Describes the difference of two results, if they may not differ like this.
    pub fn difference(self, ours: &[Vec<u8>], theirs: &[Vec<u8>]) -> Option<String> {
        let mut worst = 0.0f64;
        let (mut wrong, mut all) = (0usize, 0usize);
        for (ours, theirs) in ours.iter().zip(theirs) {
            if ours.len() != theirs.len() {
                return Some(format!("{} bytes rather than {}", ours.len(), theirs.len()));
            }
            let width = match self {
                Compare::Double(_) => 8,
                Compare::Half(_) => 2,
                _ => 4,
            };
            for (a, b) in ours.chunks(width).zip(theirs.chunks(width)) {
                all += 1;
                if a != b {
                    let error = self.error(a, b);
                    worst = worst.max(error);
                    wrong += usize::from(error > 1.0);
                }
            }
        }
        let allowed = match self {
            Compare::MostWords | Compare::MostFloats(_) => all / 50,
            _ => 0,
        };
        (wrong > allowed).then(|| format!("{wrong} of {all} elements differ, the worst by {worst:.3e} of what may be"))
    }

    /// The difference of two elements that are not equal, in units of what may be.
    fn error(self, a: &[u8], b: &[u8]) -> f64 {
        let (a, b, limit) = match self {
            Compare::Exact | Compare::MostWords => return f64::INFINITY,

            Compare::Float(limit) | Compare::MostFloats(limit) => {
                (f64::from(f32::from_bits(word(a) as u32)), f64::from(f32::from_bits(word(b) as u32)), limit)
            }
            Compare::Double(limit) => (f64::from_bits(word(a)), f64::from_bits(word(b)), limit),
            Compare::Half(limit) => (half(word(a) as u16), half(word(b) as u16), limit),
        };
        if a == b || a.is_nan() && b.is_nan() {
            return 0.0;
        }
        let error = (a - b).abs() / (limit * a.abs().max(b.abs()).max(1.0));
        if error.is_nan() { f64::INFINITY } else { error }
    }
}

fn word(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte))
}

/// The value of a finite half.
fn half(bits: u16) -> f64 {
    let (exponent, fraction) = (i32::from(bits >> 10 & 31), f64::from(bits & 1023));
    let magnitude = match exponent {
        0 => fraction * 2f64.powi(-24),
        31 => f64::INFINITY,
        _ => (1024.0 + fraction) * 2f64.powi(exponent - 25),
    };
    if bits >> 15 == 0 { magnitude } else { -magnitude }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn differ(compare: Compare, a: &[u8], b: &[u8]) -> bool {
        compare.difference(&[a.to_vec()], &[b.to_vec()]).is_some()
    }

    #[test]
    fn differences_are_in_the_unit_of_the_elements() {
        let [a, b] = [100.0f32, 100.05].map(f32::to_le_bytes);
        assert!(differ(Compare::Exact, &a, &b) && differ(Compare::Float(1e-4), &a, &b));
        assert!(!differ(Compare::Float(1e-3), &a, &b));
        let [a, b] = [1e300f64, 1.001e300].map(f64::to_le_bytes);
        assert!(differ(Compare::Double(1e-4), &a, &b) && !differ(Compare::Double(1e-2), &a, &b));
        assert!(
            differ(Compare::Half(1e-3), &[0, 0x3c], &[0, 0x40]) && !differ(Compare::Half(1.0), &[0, 0x3c], &[0, 0x40])
        );
        assert!(differ(Compare::Float(1.0), &f32::NAN.to_le_bytes(), &b[..4]));
    }

    #[test]
    fn a_few_words_may_differ_where_rounding_decides() {
        let (a, mut b) = (vec![0; 400], vec![0; 400]);
        b[0] = 1;
        b[4] = 1;
        assert!(!differ(Compare::MostWords, &a, &b));
        b[8] = 1;
        assert!(differ(Compare::MostWords, &a, &b));
    }
}
