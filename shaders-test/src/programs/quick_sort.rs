//! Quick sort that enqueues itself.

use super::{Arg, Check, Job, Launch, linear};
use crate::data::{Random, bytes, mismatches, values};

const COUNT: usize = 20_000;
/// `LOCAL` of the kernel.
const LOCAL: u32 = 64;
/// Bytes of `scratch_t`.
const SCRATCH: usize = 4 * (3 + 128);

pub fn job() -> Job {
    let mut random = Random::new(17);
    // Many of them several times.
    let data: Vec<i32> = (0..COUNT).map(|_| random.below(30_000) as i32 - 10_000).collect();
    let mut sorted = data.clone();
    sorted.sort_unstable();
    Job {
        buffers: vec![bytes(&data), vec![0; 4 * COUNT], vec![0; 4 * COUNT]],
        launches: vec![Launch {
            kernel: "quick_sort".into(),
            range: linear(LOCAL.into(), LOCAL),
            args: vec![Arg::Buffer(0), Arg::Buffer(1), Arg::Buffer(2), Arg::pod(COUNT as i32), Arg::Local(SCRATCH)],
        }],
        check: Box::new(move |buffers| Check {
            max_error: mismatches(&values::<i32>(&buffers[2]), &sorted),
            tolerance: 0.0,
        }),
    }
}
