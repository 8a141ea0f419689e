//! A particle step over structures with nested members, arrays and three-component vectors.

use super::{Arg, Check, Job, Launch, linear};
use crate::data::{Random, bytes, values};

const COUNT: usize = 500;
const STEPS: usize = 3;

const FREE: u8 = 0;
const PINNED: u8 = 1;
const CHARGED: u8 = 2;
const DEAD: u8 = 7;

#[repr(C)]
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
struct Particle {
    position: [f32; 4],
    velocity: [f32; 4],
    mass: f32,
    charge: i16,
    kind: u8,
    hits: u8,
    trail_length: u32,
    trail: [f32; 3],
    padding: [u32; 2],
}

#[repr(C)]
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
struct Well {
    centre: [f32; 4],
    only_charged: i32,
    padding: [u32; 3],
}

#[repr(C)]
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
struct World {
    low: [f32; 4],
    high: [f32; 4],
    gravity: [f32; 4],
    dt: f32,
    drag: f32,
    wells: u32,
    padding: u32,
}

/// The reference's particle, in double precision.
#[derive(Clone, Copy)]
struct Exact {
    position: [f64; 3],
    velocity: [f64; 3],
    kind: u8,
    hits: u8,
    trail: [f64; 3],
    trail_length: u32,
    speed: f64,
}

pub fn job() -> Job {
    let mut random = Random::new(15);
    let particles: Vec<Particle> = (0..COUNT).map(|i| particle(&mut random, i)).collect();
    let wells = [
        Well { centre: [0.3, 0.2, -0.4, 2.0], only_charged: 0, padding: [0; 3] },
        Well { centre: [-0.5, 0.1, 0.6, -0.5], only_charged: 1, padding: [0; 3] },
    ];
    let world = World {
        low: [-1.0, -1.25, -1.5, 0.0],
        high: [1.0, 1.25, 1.5, 0.0],
        gravity: [0.0, -9.8, 0.0, 0.0],
        dt: 0.05,
        drag: 0.1,
        wells: wells.len() as u32,
        padding: 0,
    };
    let expected: Vec<Exact> = particles.iter().map(|p| reference(p, &wells, &world)).collect();
    let launches = (0..STEPS)
        .map(|_| Launch {
            kernel: "particle_step".into(),
            range: linear(COUNT.next_multiple_of(64) as u64, 64),
            args: vec![Arg::Buffer(0), Arg::Buffer(1), Arg::pod(world), Arg::Buffer(2), Arg::pod(COUNT as u32)],
        })
        .collect();
    Job {
        buffers: vec![bytes(&particles), bytes(&wells), vec![0; COUNT * 4]],
        launches,
        check: Box::new(move |buffers| Check {
            max_error: compare(&values(&buffers[0]), &values(&buffers[2]), &expected),
            tolerance: 1e-5,
        }),
    }
}

fn particle(random: &mut Random, i: usize) -> Particle {
    let mut vector = |scale: f32| {
        let mut component = || random.float(-scale, scale);
        [component(), component(), component(), 0.0]
    };
    let (position, velocity) = (vector(0.95), vector(8.0));
    Particle {
        position,
        velocity,
        mass: random.float(0.5, 2.0),
        charge: random.below(7) as i16 - 3,
        kind: [FREE, CHARGED, PINNED, FREE, 9, DEAD, CHARGED][i % 7],
        hits: if i.is_multiple_of(11) { 9 } else { 0 },
        trail_length: 1,
        trail: [0.5, 0.0, 0.0],
        padding: [0; 2],
    }
}

fn reference(start: &Particle, wells: &[Well], world: &World) -> Exact {
    let xyz = |v: &[f32; 4]| [f64::from(v[0]), f64::from(v[1]), f64::from(v[2])];
    let mut p = Exact {
        position: xyz(&start.position),
        velocity: xyz(&start.velocity),
        kind: start.kind,
        hits: start.hits,
        trail: start.trail.map(f64::from),
        trail_length: start.trail_length,
        speed: 0.0,
    };
    for _ in 0..STEPS {
        p.speed = step(&mut p, start, wells, world);
        if p.kind != PINNED {
            p.trail = [p.speed, p.trail[0], p.trail[1]];
            p.trail_length = 3.min(p.trail_length + 1);
        }
    }
    p
}

fn step(p: &mut Exact, fixed: &Particle, wells: &[Well], world: &World) -> f64 {
    match p.kind {
        DEAD => return 0.0,
        PINNED => {
            p.velocity = [0.0; 3];
            return 0.0;
        }
        FREE | CHARGED => {}
        _ => {
            p.kind = DEAD;
            return -1.0;
        }
    }
    let dt = f64::from(world.dt);
    let charged = p.kind == CHARGED;
    let mut acceleration = [0, 1, 2].map(|k| f64::from(world.gravity[k]) * if charged { 0.5 } else { 1.0 });
    for well in wells.iter().filter(|well| well.only_charged == 0 || charged) {
        let d = [0, 1, 2].map(|k| f64::from(well.centre[k]) - p.position[k]);
        let factor = if well.only_charged != 0 { f64::from(fixed.charge) } else { f64::from(fixed.mass) };
        let dot: f64 = d.iter().map(|d| d * d).sum();
        for (sum, d) in acceleration.iter_mut().zip(d) {
            *sum += d * f64::from(well.centre[3]) * factor / (1.0 + dot);
        }
    }
    for (k, &pull) in acceleration.iter().enumerate() {
        p.velocity[k] = (p.velocity[k] + pull * dt) * (1.0 - f64::from(world.drag) * dt);
        p.position[k] += p.velocity[k] * dt;
        let (low, high) = (f64::from(world.low[k]), f64::from(world.high[k]));
        if p.position[k] < low || p.position[k] > high {
            let wall = if p.position[k] < low { low } else { high };
            p.position[k] = 2.0 * wall - p.position[k];
            p.velocity[k] = -p.velocity[k];
            p.hits += 1;
        }
    }
    if p.hits > 9 {
        p.kind = DEAD;
    }
    p.velocity.iter().map(|v| v * v).sum::<f64>().sqrt()
}

fn compare(got: &[Particle], speeds: &[f32], expected: &[Exact]) -> f64 {
    let mut worst = 0.0_f64;
    for ((got, &speed), want) in got.iter().zip(speeds).zip(expected) {
        if (got.kind, got.hits, got.trail_length) != (want.kind, want.hits, want.trail_length) {
            return f64::INFINITY;
        }
        let pairs = got.position.iter().zip(want.position);
        let pairs = pairs.chain(got.velocity.iter().zip(want.velocity));
        let pairs = pairs.chain(got.trail.iter().zip(want.trail)).chain([(&speed, want.speed)]);
        for (&g, w) in pairs {
            worst = worst.max((f64::from(g) - w).abs() / w.abs().max(10.0));
        }
    }
    if got.len() == expected.len() { worst } else { f64::INFINITY }
}
