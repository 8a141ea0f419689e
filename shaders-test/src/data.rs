//! Deterministic inputs and comparison of results.

/// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014). Not a crate: results recorded on devices are compared with those of
/// later versions, and a crate's sequence may change between releases.
pub struct Random(u64);

impl Random {
    /// Starts a sequence.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// 32 uniform bits.
    pub fn bits(&mut self) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 32) as u32
    }

    /// An integer below `limit`, which is not 0.
    pub fn below(&mut self, limit: u32) -> u32 {
        ((u64::from(self.bits()) * u64::from(limit)) >> 32) as u32
    }

    /// A float in `[low, high)`.
    pub fn float(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * ((self.bits() >> 8) as f32 / (1u32 << 24) as f32)
    }

    /// `count` floats in `[low, high)`.
    pub fn floats(&mut self, count: usize, low: f32, high: f32) -> Vec<f32> {
        (0..count).map(|_| self.float(low, high)).collect()
    }
}

/// So many bytes, always the same: of each eight, which are integers of all sizes, either all are random, or they are small
/// integers of one size, or each is one of a few that show mistakes.
pub fn mixed(count: usize) -> Vec<u8> {
    const TELLING: [u8; 8] = [0, 0, 1, 0x7F, 0x80, 0x81, 0xFE, 0xFF];
    let mut random = Random::new(1);
    let mut eight = || {
        let kind = random.below(6);
        let bits = u64::from(random.bits()) << 32 | u64::from(random.bits());
        match kind {
            0 | 1 => bits.to_le_bytes(),
            2 | 3 => bits.to_le_bytes().map(|byte| TELLING[usize::from(byte % 8)]),
            4 => [bits as i8 as i32, (bits >> 8) as i8 as i32]
                .map(i32::to_le_bytes)
                .concat()
                .try_into()
                .unwrap_or_default(),
            _ => (bits as i16 as i64).to_le_bytes(),
        }
    };
    let mut bytes: Vec<u8> = (0..count.div_ceil(8)).flat_map(|_| eight()).collect();
    bytes.truncate(count);
    bytes
}

/// Little-endian bytes of plain values.
pub fn bytes<T: bytemuck::NoUninit>(values: &[T]) -> Vec<u8> {
    bytemuck::cast_slice(values).to_vec()
}

/// The values in `bytes`, whatever its alignment; a rest shorter than a value is dropped.
pub fn values<T: bytemuck::AnyBitPattern>(bytes: &[u8]) -> Vec<T> {
    bytes.chunks_exact(size_of::<T>()).map(bytemuck::pod_read_unaligned).collect()
}

/// Number of places where two slices differ; a difference in length counts as well.
pub fn mismatches<T: PartialEq>(got: &[T], expected: &[T]) -> f64 {
    let differing = got.iter().zip(expected).filter(|(a, b)| a != b).count();
    (differing + got.len().abs_diff(expected.len())) as f64
}

/// Largest difference between results and a reference in double precision, as a part of the reference's own size
/// where that is above `scale`, else of `scale`. NaN or a difference in length gives infinity.
pub fn relative_error(got: &[f32], expected: &[f64], scale: f64) -> f64 {
    if got.len() != expected.len() {
        return f64::INFINITY;
    }
    let mut worst = 0.0_f64;
    for (&g, &e) in got.iter().zip(expected) {
        let error = (f64::from(g) - e).abs() / e.abs().max(scale);
        if error.is_nan() {
            return f64::INFINITY;
        }
        worst = worst.max(error);
    }
    worst
}
