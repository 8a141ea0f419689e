//! Game of life on a torus whose sides the group size does not divide.

use super::{Arg, Check, Job, Launch, plane};
use crate::data::{Random, mismatches};

const WIDTH: usize = 61;
const HEIGHT: usize = 37;
const GENERATIONS: usize = 8;
const BORN: u16 = 1 << 3;
const SURVIVES: u16 = 1 << 2 | 1 << 3;

pub fn job() -> Job {
    let mut random = Random::new(13);
    let start: Vec<u8> = (0..WIDTH * HEIGHT).map(|_| u8::from(random.below(3) == 0)).collect();
    let mut expected = start.clone();
    for _ in 0..GENERATIONS {
        expected = generation(&expected);
    }
    let launches = (0..GENERATIONS)
        .map(|i| Launch {
            kernel: "life".into(),
            range: plane([WIDTH as u64, HEIGHT as u64], [8, 4]),
            args: vec![
                Arg::Buffer(i % 2),
                Arg::Buffer(1 - i % 2),
                Arg::pod(WIDTH as i32),
                Arg::pod(HEIGHT as i32),
                Arg::pod(BORN),
                Arg::pod(SURVIVES),
            ],
        })
        .collect();
    Job {
        buffers: vec![start, vec![0; WIDTH * HEIGHT]],
        launches,
        check: Box::new(move |buffers| Check {
            max_error: mismatches(&buffers[GENERATIONS % 2], &expected),
            tolerance: 0.0,
        }),
    }
}

fn generation(now: &[u8]) -> Vec<u8> {
    let alive = |x: usize, y: usize| now[y % HEIGHT * WIDTH + x % WIDTH] == 1;
    let mut next = vec![0; now.len()];
    for y in 0..HEIGHT {
        for x in 0..WIDTH {
            let around = (0..9).filter(|&i| i != 4 && alive(x + WIDTH - 1 + i % 3, y + HEIGHT - 1 + i / 3)).count();
            next[y * WIDTH + x] = u8::from(around == 3 || (around == 2 && alive(x, y)));
        }
    }
    next
}
