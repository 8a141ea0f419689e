//! Exclusive prefix sum in three launches; the second passes a null buffer for the totals it does not need.

use super::{Arg, Check, Job, Launch, linear};
use crate::data::{Random, bytes, mismatches, values};

const COUNT: usize = 5000;
const LOCAL: usize = 128;
const BLOCK: usize = 2 * LOCAL;
const BLOCKS: usize = COUNT.div_ceil(BLOCK);
const TOP_LOCAL: usize = 16;

/// Bytes of local memory for `n` elements with one word of padding after every 32.
fn padded(n: usize) -> usize {
    (n + n / 32) * 4
}

pub fn job() -> Job {
    let mut random = Random::new(5);
    let input: Vec<u32> = (0..COUNT).map(|_| random.below(1000)).collect();
    let expected: Vec<u32> = input
        .iter()
        .scan(0u32, |sum, &v| {
            let before = *sum;
            *sum += v;
            Some(before)
        })
        .collect();
    let work_items = (BLOCKS * LOCAL) as u64;
    let count = Arg::pod(COUNT as u32);
    Job {
        buffers: vec![bytes(&input), vec![0; COUNT * 4], vec![0; BLOCKS * 4], vec![0; BLOCKS * 4]],
        launches: vec![
            Launch {
                kernel: "scan_blocks".into(),
                range: linear(work_items, LOCAL as u32),
                args: vec![Arg::Buffer(0), Arg::Buffer(1), Arg::Buffer(2), count.clone(), Arg::Local(padded(BLOCK))],
            },
            Launch {
                kernel: "scan_blocks".into(),
                range: linear(TOP_LOCAL as u64, TOP_LOCAL as u32),
                args: vec![
                    Arg::Buffer(2),
                    Arg::Buffer(3),
                    Arg::Null,
                    Arg::pod(BLOCKS as u32),
                    Arg::Local(padded(2 * TOP_LOCAL)),
                ],
            },
            Launch {
                kernel: "add_totals".into(),
                range: linear(work_items, LOCAL as u32),
                args: vec![Arg::Buffer(1), Arg::Buffer(3), count],
            },
        ],
        check: Box::new(move |buffers| Check {
            max_error: mismatches(&values::<u32>(&buffers[1]), &expected),
            tolerance: 0.0,
        }),
    }
}
