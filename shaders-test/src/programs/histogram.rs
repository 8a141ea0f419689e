//! A 256-bin histogram of bytes and facts about it, all by atomics.

use super::{Arg, Check, Job, Launch, linear};
use crate::data::{Random, bytes, mismatches, values};

const COUNT: usize = 30_001;
const THRESHOLD: u32 = 250;

pub fn job() -> Job {
    let mut random = Random::new(6);
    // Squaring skews the distribution, so that bins differ; bins 3 and 200 stay empty.
    let data: Vec<u8> = (0..COUNT)
        .map(|_| {
            let v = random.below(256);
            ((v * v) >> 8) as u8
        })
        .map(|v| if v == 3 || v == 200 { v + 1 } else { v })
        .collect();
    let mut bins = vec![0u32; 256];
    for &v in &data {
        bins[usize::from(v)] += 1;
    }
    let facts = [
        bins.iter().copied().min().unwrap_or(0),
        bins.iter().copied().max().unwrap_or(0),
        bins.iter().filter(|&&c| c != 0).count() as u32,
        bins.iter().fold(0, |parity, c| parity ^ c),
    ];
    let first_full = bins.iter().position(|&c| c >= THRESHOLD).map_or(-1, |i| i as i32);
    Job {
        buffers: vec![data, vec![0; 1024], bytes(&[u32::MAX, 0, 0, 0]), bytes(&[-1i32])],
        launches: vec![
            Launch {
                kernel: "histogram".into(),
                range: linear(8 * 64, 64),
                args: vec![Arg::Buffer(0), Arg::pod(COUNT as u32), Arg::Buffer(1)],
            },
            Launch {
                kernel: "extremes".into(),
                range: linear(256, 32),
                args: vec![Arg::Buffer(1), Arg::Buffer(2), Arg::Buffer(3), Arg::pod(THRESHOLD)],
            },
        ],
        check: Box::new(move |buffers| Check {
            max_error: mismatches(&values::<u32>(&buffers[1]), &bins)
                + mismatches(&values::<u32>(&buffers[2]), &facts)
                + mismatches(&values::<i32>(&buffers[3]), &[first_full]),
            tolerance: 0.0,
        }),
    }
}
