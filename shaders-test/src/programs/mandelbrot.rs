//! The Mandelbrot set in colour: the picture that the demo writes.

use super::{Arg, Check, Job, Launch, plane};
use crate::data::values;

const WIDTH: usize = 600;
const HEIGHT: usize = 400;
const MAX_ITER: u8 = 255;
const CENTRE: [f32; 2] = [-0.65, 0.0];
const SCALE: f32 = 0.005;

const PALETTE: [[f64; 3]; 6] = [
    [0.00, 0.03, 0.39],
    [0.13, 0.42, 0.80],
    [0.93, 1.00, 1.00],
    [1.00, 0.67, 0.00],
    [0.20, 0.05, 0.10],
    [0.05, 0.00, 0.20],
];

#[repr(C)]
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
struct View {
    centre: [f32; 2],
    scale: f32,
    width: i32,
    height: i32,
    padding: u32,
}

pub fn job() -> Job {
    let view = View { centre: CENTRE, scale: SCALE, width: WIDTH as i32, height: HEIGHT as i32, padding: 0 };
    let size = |n: usize, group: usize| n.next_multiple_of(group) as u64;
    Job {
        buffers: vec![vec![0; WIDTH * HEIGHT * 4], vec![0; WIDTH * HEIGHT]],
        launches: vec![Launch {
            kernel: "mandelbrot".into(),
            range: plane([size(WIDTH, 16), size(HEIGHT, 16)], [16, 16]),
            args: vec![Arg::Buffer(0), Arg::Buffer(1), Arg::pod(view)],
        }],
        check: Box::new(check),
    }
}

/// The picture as width, height and RGBA bytes, from the job's buffers.
pub fn image(buffers: &[Vec<u8>]) -> (u32, u32, &[u8]) {
    (WIDTH as u32, HEIGHT as u32, buffers.first().map_or(&[], Vec::as_slice))
}

/// The escape times are exact (contraction is off in the kernel); a colour channel may round to a neighbour.
fn check(buffers: &[Vec<u8>]) -> Check {
    let pixels: Vec<[u8; 4]> = values(&buffers[0]);
    let mut worst = 0;
    for (i, (&pixel, &count)) in pixels.iter().zip(&buffers[1]).enumerate() {
        let offset = [(i % WIDTH) as f32 - (WIDTH / 2) as f32, (i / WIDTH) as f32 - (HEIGHT / 2) as f32];
        let (n, z) = escape_time([CENTRE[0] + SCALE * offset[0], CENTRE[1] + SCALE * offset[1]]);
        if n != count {
            return Check { max_error: f64::INFINITY, tolerance: 1.0 };
        }
        for (got, expected) in pixel.iter().zip(colour(n, z)) {
            worst = worst.max(got.abs_diff(expected));
        }
    }
    Check { max_error: f64::from(worst), tolerance: 1.0 }
}

fn escape_time(c: [f32; 2]) -> (u8, [f32; 2]) {
    let mut z = [0.0f32; 2];
    for n in 0..MAX_ITER {
        let square = [z[0] * z[0], z[1] * z[1]];
        if square[0] + square[1] > 16.0 {
            return (n, z);
        }
        z = [square[0] - square[1] + c[0], 2.0 * z[0] * z[1] + c[1]];
    }
    (MAX_ITER, z)
}

fn colour(n: u8, z: [f32; 2]) -> [u8; 4] {
    if n == MAX_ITER {
        return [0, 0, 0, 255];
    }
    let z = z.map(f64::from);
    let smooth = f64::from(n) + 1.0 - (0.5 * (z[0] * z[0] + z[1] * z[1]).log2()).log2();
    let t = smooth.max(0.0) * 0.11;
    let i = t as usize;
    let (a, b) = (PALETTE[i % PALETTE.len()], PALETTE[(i + 1) % PALETTE.len()]);
    let channel = |k: usize| ((a[k] + (b[k] - a[k]) * t.fract()).clamp(0.0, 1.0) * 255.0) as u8;
    [channel(0), channel(1), channel(2), 255]
}
