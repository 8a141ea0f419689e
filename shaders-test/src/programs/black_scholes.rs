//! Option prices against the same formula in double precision.

use super::{Arg, Check, Job, Launch, linear};
use crate::data::{Random, bytes, relative_error, values};

const COUNT: usize = 4096;
const RATE: f32 = 0.02;
const VOLATILITY: f32 = 0.3;

pub fn job() -> Job {
    let mut random = Random::new(11);
    let price = random.floats(COUNT, 5.0, 100.0);
    let strike = random.floats(COUNT, 5.0, 100.0);
    let years = random.floats(COUNT, 0.25, 10.0);
    let mut call = Vec::new();
    let mut put = Vec::new();
    for i in 0..COUNT {
        let (c, p) = reference(f64::from(price[i]), f64::from(strike[i]), f64::from(years[i]));
        call.push(c);
        put.push(p);
    }
    Job {
        buffers: vec![vec![0; COUNT * 4], vec![0; COUNT * 4], bytes(&price), bytes(&strike), bytes(&years)],
        launches: vec![Launch {
            kernel: "black_scholes".into(),
            range: linear(COUNT as u64, 128),
            args: (0..5).map(Arg::Buffer).chain([Arg::pod([RATE, VOLATILITY])]).collect(),
        }],
        check: Box::new(move |buffers| Check {
            max_error: relative_error(&values(&buffers[0]), &call, 100.0).max(relative_error(
                &values(&buffers[1]),
                &put,
                100.0,
            )),
            tolerance: 1e-6,
        }),
    }
}

fn reference(s: f64, x: f64, t: f64) -> (f64, f64) {
    let (r, v) = (f64::from(RATE), f64::from(VOLATILITY));
    let d1 = ((s / x).ln() + (r + 0.5 * v * v) * t) / (v * t.sqrt());
    let d2 = d1 - v * t.sqrt();
    let discount = x * (-r * t).exp();
    let call = s * normal_cdf(d1) - discount * normal_cdf(d2);
    (call, call + discount - s)
}

/// Formula 26.2.17 of Abramowitz and Stegun, as in the kernel.
fn normal_cdf(x: f64) -> f64 {
    let k = 1.0 / (1.0 + 0.2316419 * x.abs());
    let a = [0.319381530, -0.356563782, 1.781477937, -1.821255978, 1.330274429];
    let poly = a.iter().rev().fold(0.0, |sum, a| (sum + a) * k);
    let tail = (-0.5 * x * x).exp() * poly / (2.0 * std::f64::consts::PI).sqrt();
    if x > 0.0 { 1.0 - tail } else { tail }
}
