//! Regions that grow from seeds, each round enqueued by the one before.

use super::{Arg, Check, Job, Launch, linear};
use crate::data::{Random, bytes, mismatches, values};
use std::collections::VecDeque;

const WIDTH: usize = 96;
const HEIGHT: usize = 80;
const THRESHOLD: i32 = 14;

pub fn job() -> Job {
    let mut random = Random::new(31);
    let wave = |x: usize, y: usize| 128.0 + 60.0 * (x as f32 / 9.0).sin() + 60.0 * (y as f32 / 11.0).cos();
    let image: Vec<u8> =
        (0..WIDTH * HEIGHT).map(|pixel| (wave(pixel % WIDTH, pixel / WIDTH) + random.float(-4.0, 4.0)) as u8).collect();
    let seeds = [5 * WIDTH + 7, 70 * WIDTH + 90, 40 * WIDTH + 41];
    let expected = rounds(&image, &seeds);
    let mut start = vec![0i32; WIDTH * HEIGHT];
    let mut rings = vec![0i32; 2 * WIDTH * HEIGHT];
    for (index, seed) in seeds.into_iter().enumerate() {
        start[seed] = 1;
        // The first round is 1, whose ring is the second one.
        rings[WIDTH * HEIGHT + index] = seed as i32;
    }
    Job {
        buffers: vec![image, bytes(&start), bytes(&rings), bytes(&[0, seeds.len() as i32])],
        launches: vec![Launch {
            kernel: "region_growing".into(),
            range: linear(1, 1),
            args: vec![
                Arg::Buffer(0),
                Arg::Buffer(1),
                Arg::Buffer(2),
                Arg::Buffer(3),
                Arg::pod([WIDTH as i32, HEIGHT as i32, THRESHOLD]),
            ],
        }],
        check: Box::new(move |buffers| Check {
            max_error: mismatches(&values::<i32>(&buffers[1]), &expected),
            tolerance: 0.0,
        }),
    }
}

/// The round in which each pixel is reached; 0 for never.
fn rounds(image: &[u8], seeds: &[usize]) -> Vec<i32> {
    let mut rounds = vec![0; image.len()];
    seeds.iter().for_each(|seed| rounds[*seed] = 1);
    let mut reached: VecDeque<usize> = seeds.iter().copied().collect();
    while let Some(pixel) = reached.pop_front() {
        let (x, y) = (pixel % WIDTH, pixel / WIDTH);
        let left = (x > 0).then(|| pixel - 1);
        let right = (x + 1 < WIDTH).then(|| pixel + 1);
        let above = (y > 0).then(|| pixel - WIDTH);
        let below = (y + 1 < HEIGHT).then(|| pixel + WIDTH);
        for neighbour in [left, right, above, below].into_iter().flatten() {
            let is_similar = (i32::from(image[neighbour]) - i32::from(image[pixel])).abs() <= THRESHOLD;
            if rounds[neighbour] == 0 && is_similar {
                rounds[neighbour] = rounds[pixel] + 1;
                reached.push_back(neighbour);
            }
        }
    }
    rounds
}
