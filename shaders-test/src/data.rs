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

/// `count` bytes, the same for the same seed, to be read as integers of any size. Of each eight bytes either all are random, or they
/// are integers of one size that are the least, the greatest, 0, 1, -1 or another boundary value, or small.
pub fn mixed(count: usize, seed: u64) -> Vec<u8> {
    let mut random = Random::new(seed);
    let mut eight = || {
        let size = 1 << random.below(4);
        let any = u64::from(random.bits()) << 32 | u64::from(random.bits());
        if random.below(3) == 0 {
            return any.to_le_bytes().to_vec();
        }
        let least = 1_u64 << (8 * size - 1);
        let integers = (0..8 / size).flat_map(|_| {
            let small = u64::from(random.bits() as u8).wrapping_sub(128);
            let value = match random.below(12) {
                0 | 1 => least,
                2 => least + 1,
                3 => least - 1,
                4 => u64::MAX,
                5 => 0,
                6 => 1,
                7 => u64::MAX - 1,
                _ => small,
            };
            value.to_le_bytes()[..size as usize].to_vec()
        });
        integers.collect()
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
