//! 5x5 convolution, tiled and plain; the plain one runs over a range that its group size does not divide.

use super::{Arg, Check, Job, Launch, plane};
use crate::data::{Random, bytes, relative_error, values};

const WIDTH: usize = 101;
const HEIGHT: usize = 67;
const GROUP: u32 = 8;
const BINOMIAL: [f64; 5] = [1.0, 4.0, 6.0, 4.0, 1.0];

pub fn job() -> Job {
    let mut random = Random::new(9);
    let image = random.floats(WIDTH * HEIGHT, 0.0, 1.0);
    let filter = random.floats(25, -0.2, 0.2);
    let mut smooth = [0.0; 25];
    for (i, weight) in smooth.iter_mut().enumerate() {
        *weight = BINOMIAL[i / 5] * BINOMIAL[i % 5] / 256.0;
    }
    let custom: Vec<f64> = filter.iter().copied().map(f64::from).collect();
    let expected = [convolve(&image, &smooth), convolve(&image, &custom)];
    let size = |n: usize| n.next_multiple_of(GROUP as usize) as u64;
    Job {
        buffers: vec![bytes(&image), vec![0; image.len() * 4], vec![0; image.len() * 4], bytes(&filter)],
        launches: vec![
            Launch {
                kernel: "convolve_tiled".into(),
                range: plane([size(WIDTH), size(HEIGHT)], [GROUP, GROUP]),
                args: vec![Arg::Buffer(0), Arg::Buffer(1), Arg::pod([WIDTH as i32, HEIGHT as i32])],
            },
            Launch {
                kernel: "convolve".into(),
                range: plane([WIDTH as u64, HEIGHT as u64], [GROUP, GROUP]),
                args: vec![Arg::Buffer(0), Arg::Buffer(2), Arg::Buffer(3)],
            },
        ],
        check: Box::new(move |buffers| Check {
            max_error: relative_error(&values(&buffers[1]), &expected[0], 1.0).max(relative_error(
                &values(&buffers[2]),
                &expected[1],
                1.0,
            )),
            tolerance: 1e-6,
        }),
    }
}

fn convolve(image: &[f32], filter: &[f64]) -> Vec<f64> {
    let at = |x: usize, y: usize| {
        f64::from(image[y.clamp(2, HEIGHT + 1).wrapping_sub(2) * WIDTH + x.clamp(2, WIDTH + 1) - 2])
    };
    let mut out = Vec::with_capacity(image.len());
    for y in 0..HEIGHT {
        for x in 0..WIDTH {
            // `at` counts from two before the border, so that the sums below never go negative.
            out.push((0..25).map(|i| filter[i] * at(x + i % 5, y + i / 5)).sum());
        }
    }
    out
}
