//! Copies of bytes between the host's own memory and memory that it shares with a device.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// glibc copies this many bytes by vectors: 2048 or more by `rep movsb`, where the processor has the feature ERMS.
const PIECE: usize = 2048 - 64;
const PAGE: usize = 4096;
/// Copies in pieces of at least this size bypass the caches, of which they would take the greater part.
const STREAMED: usize = 4 << 20;
/// A distance at which `rep movsb` may be slow, and the bytes that are copied to find out.
const SUSPECT: usize = 16;
const PROBED: usize = 32 << 10;

/// Copies `size` bytes, as `memcpy`, but fast at every distance of the ranges.
///
/// `rep movsb` is five to seven times slower on some of AMD's processors where the target begins 1 to 31 bytes behind the source
/// modulo a page (glibc's bug 30994; an EPYC copied 1.2 to 1.9 GB/s instead of 9). That is the usual case of reads: memory of
/// devices begins with a page, and large blocks of glibc's `malloc` 16 bytes behind the beginning of one. On such processors these
/// copies are done in pieces, for which `memcpy` uses vectors, and large ones by streaming stores (9 to 13 GB/s). On others
/// `memcpy` is faster at every size (another EPYC: 4 MiB in 140 us, by streaming stores in 390).
///
/// # Safety
/// Both ranges have so many bytes, may be read and written, and do not overlap.
pub(crate) unsafe fn copy(from: *const u8, to: *mut u8, size: usize) {
    let in_pieces = size > PIECE && memcpy_is_slow();
    // SAFETY: the caller's promise.
    unsafe {
        match in_pieces {
            #[cfg(target_arch = "x86_64")]
            true if size >= STREAMED => stream(from, to, size),
            true => copy_pieces(from, to, size),
            false => from.copy_to_nonoverlapping(to, size),
        }
    }
}

/// Whether `memcpy` is much slower at the suspect distance than between two pages. It is measured once, in 10 us, or in 100 where
/// it is.
fn memcpy_is_slow() -> bool {
    static MEASURED: OnceLock<bool> = OnceLock::new();
    *MEASURED.get_or_init(|| {
        let (source, mut target) = (vec![1u8; PROBED + PAGE], vec![0u8; PROBED + 2 * PAGE]);
        let from = source.as_ptr().align_offset(PAGE);
        let to = target.as_ptr().align_offset(PAGE);
        let mut time = |distance: usize| {
            let times = (0..4).map(|_| {
                let start = Instant::now();
                target[to + distance..to + distance + PROBED].copy_from_slice(&source[from..from + PROBED]);
                std::hint::black_box(&mut target);
                start.elapsed()
            });
            times.min().unwrap_or(Duration::ZERO)
        };
        let (aligned, suspect) = (time(0), time(SUSPECT));
        suspect > aligned * 3
    })
}

/// Copies pieces that `memcpy` uses vectors for.
///
/// # Safety
/// As for [`copy`].
unsafe fn copy_pieces(from: *const u8, to: *mut u8, size: usize) {
    let distance = to.addr().wrapping_sub(from.addr()) % PAGE;
    let piece = if (1..32).contains(&distance) { PIECE } else { size };
    let mut done = 0;
    while done < size {
        let length = piece.min(size - done);
        // SAFETY: the caller's promise: the piece is within both ranges.
        unsafe { from.add(done).copy_to_nonoverlapping(to.add(done), length) };
        done += length;
    }
}

/// Copies by stores that bypass the caches.
///
/// # Safety
/// As for [`copy`].
#[cfg(target_arch = "x86_64")]
unsafe fn stream(from: *const u8, to: *mut u8, size: usize) {
    use std::arch::x86_64::{__m128i, _mm_loadu_si128, _mm_sfence, _mm_stream_si128};
    const BLOCK: usize = 64;
    // Streaming stores are of aligned units of 16 bytes.
    let head = to.align_offset(size_of::<__m128i>()).min(size);
    let blocks = (size - head) / BLOCK;
    let tail = head + blocks * BLOCK;
    // SAFETY: the caller's promise: head, blocks and tail are within both ranges. SSE2 is part of x86-64.
    unsafe {
        from.copy_to_nonoverlapping(to, head);
        for block in 0..blocks {
            let at = head + block * BLOCK;
            let (source, target) = (from.add(at).cast::<__m128i>(), to.add(at).cast::<__m128i>());
            let units: [__m128i; 4] = std::array::from_fn(|unit| _mm_loadu_si128(source.add(unit)));
            for (unit, value) in units.into_iter().enumerate() {
                _mm_stream_si128(target.add(unit), value);
            }
        }
        // Later stores, and those of other threads that are told of the copy, are behind it.
        _mm_sfence();
        from.add(tail).copy_to_nonoverlapping(to.add(tail), size - tail);
    }
}

#[cfg(test)]
mod tests {
    #[cfg(not(target_arch = "x86_64"))]
    use super::copy_pieces as stream;
    #[cfg(target_arch = "x86_64")]
    use super::stream;
    use super::{STREAMED, copy_pieces};

    #[test]
    fn every_distance_and_size() {
        let source: Vec<u8> = (0..3 * 4096u32).map(|i| (i * 7 + i / 251) as u8).collect();
        for (from, to) in (0..40).map(|at| (at, 0)).chain((0..40).map(|at| (0, at))) {
            for size in [0, 1, 31, 1983, 1984, 1985, 4000, 8100] {
                let mut target = vec![0u8; 3 * 4096];
                // SAFETY: both vectors have so many bytes.
                unsafe { copy_pieces(source.as_ptr().add(from), target.as_mut_ptr().add(to), size) };
                assert!(target[to..to + size] == source[from..from + size]);
                assert!(target[..to].iter().chain(&target[to + size..]).all(|byte| *byte == 0));
            }
        }
    }

    #[test]
    fn large_copies() {
        let whole = STREAMED + 200;
        let source: Vec<u8> = (0..whole as u32).map(|i| (i * 7 + i / 251) as u8).collect();
        for (from, to, size) in
            [(0, 0, STREAMED), (0, 1, STREAMED + 63), (3, 16, STREAMED + 1), (17, 5, STREAMED + 100)]
        {
            let mut target = vec![0u8; whole];
            // SAFETY: both vectors have so many bytes.
            unsafe { stream(source.as_ptr().add(from), target.as_mut_ptr().add(to), size) };
            assert!(target[to..to + size] == source[from..from + size]);
            assert!(target[..to].iter().chain(&target[to + size..]).all(|byte| *byte == 0));
        }
    }
}
