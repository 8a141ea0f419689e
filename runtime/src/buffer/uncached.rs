//! Reads of memory that the host's caches do not hold. Each load takes the way to the memory and back, and several loads of one
//! cache line take it several times, unless they are streaming loads, which fetch the line once and do not wait for one
//! another (Intel 64 and IA-32 Architectures Optimization Reference Manual, "Streaming Loads").

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
    use std::arch::x86_64::{__m128i, _mm_mfence, _mm_storeu_si128, _mm_stream_load_si128};

    /// Bytes of a load.
    const BLOCK: usize = size_of::<__m128i>();
    /// Loads of a cache line.
    const BLOCKS: usize = 4;

    /// As [`super::read`].
    #[target_feature(enable = "sse4.1")]
    pub unsafe fn read(from: *const u8, bytes: &mut [u8]) {
        // What an earlier load has fetched of a line may be older than what a device has written since.
        _mm_mfence();
        // The first whole block.
        let head = from.align_offset(BLOCK).min(bytes.len());
        let (first, rest) = bytes.split_at_mut(head);
        if head > 0 {
            // SAFETY: the block that `from` is in can be read.
            unsafe { part(from, first) };
        }
        let mut at = head;
        let mut lines = rest.chunks_exact_mut(BLOCKS * BLOCK);
        for line in &mut lines {
            // SAFETY: the line is within the memory, and aligned to a block.
            unsafe {
                let from: *const __m128i = from.add(at).cast();
                let to: *mut __m128i = line.as_mut_ptr().cast();
                let loaded: [__m128i; BLOCKS] = std::array::from_fn(|block| _mm_stream_load_si128(from.add(block)));
                for (block, loaded) in loaded.into_iter().enumerate() {
                    _mm_storeu_si128(to.add(block), loaded);
                }
            }
            at += BLOCKS * BLOCK;
        }
        for block in lines.into_remainder().chunks_mut(BLOCK) {
            // SAFETY: the block at `at` can be read.
            unsafe { part(from.add(at), block) };
            at += BLOCK;
        }
    }

    /// Copies bytes of one block.
    ///
    /// # Safety
    /// The aligned block that `from` is in can be read, and holds all the bytes.
    #[target_feature(enable = "sse4.1")]
    unsafe fn part(from: *const u8, bytes: &mut [u8]) {
        let skipped = from.addr() % BLOCK;
        let mut block = [0; BLOCK];
        // SAFETY: the block is aligned, and the array has its size.
        unsafe { _mm_storeu_si128(block.as_mut_ptr().cast(), _mm_stream_load_si128(from.sub(skipped).cast())) };
        if let Some(part) = block.get(skipped..skipped + bytes.len()) {
            bytes.copy_from_slice(part);
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn all_alignments_and_lengths() {
        let memory: Vec<u128> =
            (0..20).map(|at: u128| at.wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835)).collect();
        let whole: &[u8] = bytemuck::cast_slice(&memory);
        for start in 0..33 {
            for end in start..whole.len() {
                let mut found = vec![0; end - start];
                // SAFETY: the range is within the vector, which consists of aligned blocks.
                unsafe { super::read(whole.as_ptr().add(start), &mut found) };
                assert_eq!(found, whole[start..end], "{start}..{end}");
            }
        }
    }
}
