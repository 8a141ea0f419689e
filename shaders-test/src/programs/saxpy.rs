//! `alpha * x + y` on `float4`, once with a work-item an element and once as a grid-stride loop.

use super::{Arg, Check, Job, Launch, linear};
use crate::data::{Random, bytes, relative_error, values};

const VECTORS: usize = 5000;
const ALPHAS: [f32; 2] = [2.5, -0.75];

pub fn job() -> Job {
    let mut random = Random::new(2);
    let x = random.floats(VECTORS * 4, -10.0, 10.0);
    let y = random.floats(VECTORS * 4, -10.0, 10.0);
    let step = |alpha: f32, y: f64, x: f32| f64::from(alpha) * f64::from(x) + y;
    let expected: Vec<f64> =
        x.iter().zip(&y).map(|(&x, &y)| step(ALPHAS[1], step(ALPHAS[0], f64::from(y), x), x)).collect();
    Job {
        buffers: vec![bytes(&x), bytes(&y)],
        launches: vec![
            Launch {
                kernel: "saxpy".into(),
                range: linear(VECTORS as u64, 50),
                args: vec![Arg::pod(ALPHAS[0]), Arg::Buffer(0), Arg::Buffer(1)],
            },
            Launch {
                kernel: "saxpy_strided".into(),
                range: linear(512, 64),
                args: vec![Arg::pod(ALPHAS[1]), Arg::Buffer(0), Arg::Buffer(1), Arg::pod(VECTORS as u32)],
            },
        ],
        check: Box::new(move |buffers| Check {
            max_error: relative_error(&values(&buffers[1]), &expected, 10.0),
            tolerance: 1e-6,
        }),
    }
}
