//! FFT forth and back; the spectrum is compared with a direct Fourier sum in double precision.

use super::{Arg, Check, Job, Launch, linear};
use crate::data::{Random, bytes, relative_error, values};

const LOG_N: u32 = 9;
const N: usize = 1 << LOG_N;
const BATCH: usize = 3;
const LOCAL: usize = 64;

pub fn job() -> Job {
    let signal = Random::new(12).floats(2 * N * BATCH, -1.0, 1.0);
    let spectrum: Vec<f64> = signal.chunks_exact(2 * N).flat_map(fourier_sum).collect();
    let original: Vec<f64> = signal.iter().copied().map(f64::from).collect();
    let launch = |from, to, inverse: i32| Launch {
        kernel: "fft".into(),
        range: linear((BATCH * LOCAL) as u64, LOCAL as u32),
        args: vec![Arg::Buffer(from), Arg::Buffer(to), Arg::pod(LOG_N), Arg::pod(inverse), Arg::Local(N * 8)],
    };
    Job {
        buffers: vec![bytes(&signal), vec![0; signal.len() * 4], vec![0; signal.len() * 4]],
        launches: vec![launch(0, 1, 0), launch(1, 2, 1)],
        check: Box::new(move |buffers| Check {
            max_error: relative_error(&values(&buffers[1]), &spectrum, (N as f64).sqrt()).max(relative_error(
                &values(&buffers[2]),
                &original,
                1.0,
            )),
            tolerance: 1e-5,
        }),
    }
}

fn fourier_sum(signal: &[f32]) -> Vec<f64> {
    let turn = |k: usize| -2.0 * std::f64::consts::PI * (k % N) as f64 / N as f64;
    let table: Vec<(f64, f64)> = (0..N).map(|k| turn(k).sin_cos()).collect();
    let mut out = Vec::with_capacity(2 * N);
    for k in 0..N {
        let mut sum = (0.0, 0.0);
        for (n, point) in signal.chunks_exact(2).enumerate() {
            let (sin, cos) = table[k * n % N];
            let (re, im) = (f64::from(point[0]), f64::from(point[1]));
            sum = (sum.0 + re * cos - im * sin, sum.1 + re * sin + im * cos);
        }
        out.extend([sum.0, sum.1]);
    }
    out
}
