//! Bitonic sort of pairs: blocks in local memory, then 38 launches of compare-and-exchange steps.

use super::{Arg, Check, Job, Launch, linear};
use crate::data::{Random, bytes, mismatches, values};

const COUNT: u32 = 2048;
const LOCAL: u32 = 64;

pub fn job() -> Job {
    let mut random = Random::new(7);
    // Keys are distinct (the low bits count), so that the order is total.
    let pairs: Vec<[u32; 2]> = (0..COUNT).map(|i| [(random.bits() & !(COUNT - 1)) | i, random.bits()]).collect();
    let mut expected = pairs.clone();
    expected.sort_unstable();
    let range = linear(u64::from(COUNT / 2), LOCAL);
    let mut launches = vec![Launch {
        kernel: "sort_blocks".into(),
        range,
        args: vec![Arg::Buffer(0), Arg::Local(LOCAL as usize * 2 * 8)],
    }];
    let mut size = LOCAL * 4;
    while size <= COUNT {
        let mut stride = size / 2;
        while stride > 0 {
            launches.push(Launch {
                kernel: "sort_step".into(),
                range,
                args: vec![Arg::Buffer(0), Arg::pod(size), Arg::pod(stride)],
            });
            stride /= 2;
        }
        size *= 2;
    }
    Job {
        buffers: vec![bytes(&pairs)],
        launches,
        check: Box::new(move |buffers| Check {
            max_error: mismatches(&values::<[u32; 2]>(&buffers[0]), &expected),
            tolerance: 0.0,
        }),
    }
}
