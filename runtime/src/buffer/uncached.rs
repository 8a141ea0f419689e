//! Reads of uncached memory. Each load is a round trip to the memory, and several loads of one cache line are several
//! round trips, unless they are streaming loads, which fetch the line once and do not wait for each other (Intel 64 and
//! IA-32 Architectures Optimization Reference Manual, "Streaming Loads").

/// Copies `bytes.len()` bytes from uncached memory.
///
/// # Safety
/// The memory can be read, and so can the rest of the blocks of 16 bytes, aligned to 16, that its ends are in. Nobody writes to
/// it.
pub(super) unsafe fn read(from: *const u8, bytes: &mut [u8]) {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("sse4.1") {
        // SAFETY: the processor has the instructions; the rest is passed on to the caller.
        return unsafe { streaming::read(from, bytes) };
    }
    // SAFETY: passed on to the caller.
    unsafe { from.copy_to_nonoverlapping(bytes.as_mut_ptr(), bytes.len()) };
}

#[cfg(target_arch = "x86_64")]
mod streaming {
    use std::arch::x86_64::*;

    /// Bytes of the narrowest load.
    const BLOCK: usize = size_of::<__m128i>();
    /// Bytes of a cache line.
    const LINE: usize = 64;

    /// Copies an aligned cache line.
    type CopyLine = unsafe fn(*const u8, *mut u8);

    /// As [`super::read`].
    #[target_feature(enable = "sse4.1")]
    pub unsafe fn read(from: *const u8, bytes: &mut [u8]) {
        // What an earlier load has fetched of a line may be older than what a device has written since.
        _mm_mfence();
        let line = copy_line();
        let mut at = 0;
        while at < bytes.len() {
            let rest = &mut bytes[at..];
            // SAFETY: what is left is within the memory, or in a block with its end.
            unsafe {
                let from = from.add(at);
                at += if from.addr() % LINE == 0 && rest.len() >= LINE {
                    line(from, rest.as_mut_ptr());
                    LINE
                } else {
                    part(from, rest)
                };
            }
        }
    }

    /// The widest copy that the processor supports: a line that several loads read can be fetched by each of them
    /// (NVIDIA H100 on a Xeon, 4 KiB: 5.1 us with four loads a line and 17 us where each of them fetches it; 4.1 us with
    /// one or two).
    fn copy_line() -> CopyLine {
        if is_x86_feature_detected!("avx512f") {
            by_64
        } else if is_x86_feature_detected!("avx2") {
            by_32
        } else {
            by_16
        }
    }

    /// # Safety
    /// Both lines can be accessed, and `from` is aligned to 64 bytes.
    #[target_feature(enable = "avx512f")]
    unsafe fn by_64(from: *const u8, to: *mut u8) {
        // SAFETY: passed on to the caller.
        unsafe { _mm512_storeu_si512(to.cast(), _mm512_stream_load_si512(from.cast())) };
    }

    /// # Safety
    /// As for [`by_64`].
    #[target_feature(enable = "avx2")]
    unsafe fn by_32(from: *const u8, to: *mut u8) {
        let (from, to): (*const __m256i, *mut __m256i) = (from.cast(), to.cast());
        // SAFETY: passed on to the caller.
        unsafe {
            let loaded = [_mm256_stream_load_si256(from), _mm256_stream_load_si256(from.add(1))];
            _mm256_storeu_si256(to, loaded[0]);
            _mm256_storeu_si256(to.add(1), loaded[1]);
        }
    }

    /// # Safety
    /// As for [`by_64`].
    #[target_feature(enable = "sse4.1")]
    unsafe fn by_16(from: *const u8, to: *mut u8) {
        let (from, to): (*const __m128i, *mut __m128i) = (from.cast(), to.cast());
        // SAFETY: passed on to the caller.
        unsafe {
            let loaded: [__m128i; LINE / BLOCK] = std::array::from_fn(|block| _mm_stream_load_si128(from.add(block)));
            for (block, loaded) in loaded.into_iter().enumerate() {
                _mm_storeu_si128(to.add(block), loaded);
            }
        }
    }

    /// Copies what is left of a block, and returns how much that is.
    ///
    /// # Safety
    /// The aligned block that `from` is in can be read.
    #[target_feature(enable = "sse4.1")]
    unsafe fn part(from: *const u8, bytes: &mut [u8]) -> usize {
        let skipped = from.addr() % BLOCK;
        let length = bytes.len().min(BLOCK - skipped);
        let mut block = [0; BLOCK];
        // SAFETY: the block is aligned, and the array has its size.
        unsafe { _mm_storeu_si128(block.as_mut_ptr().cast(), _mm_stream_load_si128(from.sub(skipped).cast())) };
        bytes[..length].copy_from_slice(&block[skipped..][..length]);
        length
    }

    #[cfg(test)]
    pub fn all() -> Vec<CopyLine> {
        let wide =
            [(is_x86_feature_detected!("avx512f"), by_64 as CopyLine), (is_x86_feature_detected!("avx2"), by_32)];
        wide.into_iter()
            .chain([(is_x86_feature_detected!("sse4.1"), by_16 as CopyLine)])
            .filter_map(|(has, line)| has.then_some(line))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn all_alignments_and_lengths() {
        let memory: Vec<u128> =
            (0..24).map(|at: u128| at.wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835)).collect();
        let whole: &[u8] = bytemuck::cast_slice(&memory);
        for start in 0..81 {
            for end in start..whole.len() {
                let mut found = vec![0; end - start];
                // SAFETY: the range is within the vector, which consists of aligned blocks.
                unsafe { super::read(whole.as_ptr().add(start), &mut found) };
                assert_eq!(found, whole[start..end], "{start}..{end}");
            }
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn each_way_copies_a_line() {
        #[repr(align(64))]
        struct Line([u8; 64]);
        let line = Line(std::array::from_fn(|at| (at * 7 + 1) as u8));
        for copy in super::streaming::all() {
            let mut found = [0; 64];
            // SAFETY: both are lines, and the first is aligned.
            unsafe { copy(line.0.as_ptr(), found.as_mut_ptr()) };
            assert_eq!(found, line.0);
        }
    }
}
