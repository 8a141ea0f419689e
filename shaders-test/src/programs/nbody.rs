//! Two steps of an all-pairs gravity simulation; positions are double buffered.

use super::{Arg, Check, Job, Launch, linear};
use crate::data::{Random, bytes, relative_error, values};

const COUNT: usize = 512;
const LOCAL: usize = 64;
const DT: f32 = 0.01;
const SOFTENING: f64 = 1e-3;

pub fn job() -> Job {
    let mut random = Random::new(8);
    let position: Vec<[f32; 4]> = (0..COUNT)
        .map(|_| {
            let mut xyz = || random.float(-1.0, 1.0);
            let p = [xyz(), xyz(), xyz()];
            [p[0], p[1], p[2], random.float(0.1, 1.0) / COUNT as f32]
        })
        .collect();
    let velocity = vec![[0.0f32; 4]; COUNT];
    let (end, speed) = reference(&position);
    let launch = |from, to| Launch {
        kernel: "nbody_step".into(),
        range: linear(COUNT as u64, LOCAL as u32),
        args: vec![
            Arg::Buffer(from),
            Arg::Buffer(1),
            Arg::Buffer(to),
            Arg::Local(LOCAL * 16),
            Arg::pod(COUNT as i32),
            Arg::pod(DT),
        ],
    };
    Job {
        buffers: vec![bytes(&position), bytes(&velocity), vec![0; COUNT * 16]],
        launches: vec![launch(0, 2), launch(2, 0)],
        check: Box::new(move |buffers| Check {
            max_error: relative_error(&values(&buffers[0]), &end, 1.0).max(relative_error(
                &values(&buffers[1]),
                &speed,
                1.0,
            )),
            tolerance: 1e-5,
        }),
    }
}

/// Positions (with masses) and velocities after two steps, in double precision.
fn reference(start: &[[f32; 4]]) -> (Vec<f64>, Vec<f64>) {
    let mut position: Vec<[f64; 4]> = start.iter().map(|p| p.map(f64::from)).collect();
    let mut velocity = vec![[0.0f64; 4]; start.len()];
    for _ in 0..2 {
        let before = position.clone();
        for (i, me) in before.iter().enumerate() {
            let mut pull = [0.0; 3];
            for other in &before {
                let d = [other[0] - me[0], other[1] - me[1], other[2] - me[2]];
                let dist2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + SOFTENING;
                let factor = other[3] / (dist2 * dist2.sqrt());
                for (sum, d) in pull.iter_mut().zip(d) {
                    *sum += d * factor;
                }
            }
            for axis in 0..3 {
                velocity[i][axis] += pull[axis] * f64::from(DT);
                position[i][axis] = me[axis] + velocity[i][axis] * f64::from(DT);
            }
        }
    }
    (position.concat(), velocity.concat())
}
