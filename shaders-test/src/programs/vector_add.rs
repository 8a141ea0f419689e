//! Vector addition; the global size is rounded up to the group size as hosts do.

use super::{Arg, Check, Job, Launch, linear};
use crate::data::{Random, bytes, mismatches, values};

const COUNT: usize = 100_000;

pub fn job() -> Job {
    let mut random = Random::new(1);
    let a = random.floats(COUNT, -100.0, 100.0);
    let b = random.floats(COUNT, -100.0, 100.0);
    // One addition is correctly rounded everywhere, so the comparison is exact.
    let expected: Vec<f32> = a.iter().zip(&b).map(|(a, b)| a + b).collect();
    Job {
        buffers: vec![bytes(&a), bytes(&b), vec![0; COUNT * 4]],
        launches: vec![Launch {
            kernel: "vector_add".into(),
            range: linear(COUNT.next_multiple_of(256) as u64, 256),
            args: vec![Arg::Buffer(0), Arg::Buffer(1), Arg::Buffer(2), Arg::pod(COUNT as i32)],
        }],
        check: Box::new(move |buffers| Check {
            max_error: mismatches(&values::<f32>(&buffers[2]), &expected),
            tolerance: 0.0,
        }),
    }
}
