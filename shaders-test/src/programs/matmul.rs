//! Tiled matrix multiplication with sizes that no tile divides.

use super::{Arg, Check, Job, Launch, plane};
use crate::data::{Random, bytes, relative_error, values};

const TILE: u32 = 16;
const M: usize = 70;
const N: usize = 90;
const K: usize = 53;

pub fn job() -> Job {
    let mut random = Random::new(3);
    let a = random.floats(M * K, -1.0, 1.0);
    let b = random.floats(K * N, -1.0, 1.0);
    let mut expected = vec![0.0_f64; M * N];
    for row in 0..M {
        for col in 0..N {
            expected[row * N + col] = (0..K).map(|i| f64::from(a[row * K + i]) * f64::from(b[i * N + col])).sum();
        }
    }
    let size = |n: usize| n.next_multiple_of(TILE as usize) as u64;
    Job {
        buffers: vec![bytes(&a), bytes(&b), vec![0; M * N * 4]],
        launches: vec![Launch {
            kernel: "matmul".into(),
            range: plane([size(N), size(M)], [TILE, TILE]),
            args: vec![
                Arg::Buffer(0),
                Arg::Buffer(1),
                Arg::Buffer(2),
                Arg::pod(M as u32),
                Arg::pod(N as u32),
                Arg::pod(K as u32),
            ],
        }],
        check: Box::new(move |buffers| Check {
            max_error: relative_error(&values(&buffers[2]), &expected, 1.0),
            tolerance: 1e-5,
        }),
    }
}
