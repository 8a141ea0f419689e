//! Sum, minimum and maximum in two launches, folded as a structure in local memory.

use super::{Arg, Check, Job, Launch, linear};
use crate::data::{Random, bytes, relative_error, values};

const COUNT: usize = 20_011;
const LOCAL: u32 = 64;
const GROUPS: u32 = 12;
const STATS: usize = 12;

pub fn job() -> Job {
    let data = Random::new(4).floats(COUNT, -1.0, 3.0);
    let sum: f64 = data.iter().copied().map(f64::from).sum();
    let low = data.iter().copied().fold(f32::INFINITY, f32::min);
    let high = data.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let scratch = Arg::Local(LOCAL as usize * STATS);
    Job {
        buffers: vec![bytes(&data), vec![0; GROUPS as usize * STATS], vec![0; STATS]],
        launches: vec![
            Launch {
                kernel: "reduce".into(),
                range: linear(u64::from(GROUPS * LOCAL), LOCAL),
                args: vec![Arg::Buffer(0), Arg::pod(COUNT as u32), Arg::Buffer(1), scratch.clone()],
            },
            Launch {
                kernel: "reduce_final".into(),
                range: linear(16, 16),
                args: vec![Arg::Buffer(1), Arg::pod(GROUPS), Arg::Buffer(2), scratch],
            },
        ],
        check: Box::new(move |buffers| {
            let got: Vec<f32> = values(&buffers[2]);
            let extremes_right = got.get(1) == Some(&low) && got.get(2) == Some(&high);
            let error = relative_error(&got[..1], &[sum], 1.0);
            Check { max_error: if extremes_right { error } else { f64::INFINITY }, tolerance: 1e-5 }
        }),
    }
}
