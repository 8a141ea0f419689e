//! Commands that may overlap give the results that they give one after the other. Random sequences of kernels, copies, fills and
//! writes of buffers and of parts of them are compared with the same on the host.

mod common;

use clforge_runtime::{Arg, Buffer, Kernel, Launch, Program, Queue};
use common::{Checked, bytes, device, values};

const SOURCE: &str = "
kernel void add(global uint *to, global const uint *a, global const uint *b) {
    size_t i = get_global_id(0);
    to[i] = a[i] * 3 + b[i];
}
kernel void scale(global uint *to, uint by) { size_t i = get_global_id(0); to[i] = to[i] * by + i; }
kernel void slow(global uint *to, global const uint *from, uint rounds) {
    size_t i = get_global_id(0);
    uint x = from[i];
    for (uint round = 0; round < rounds; round++) x = x * 1664525 + 1013904223;
    to[i] = x;
}
kernel void choose(global uint *a, global uint *b, global const uint *from, uint which) {
    size_t i = get_global_id(0);
    (which & 1 ? a : b)[i] += from[i];
}
";

/// Elements of a buffer, and of each part of one.
const COUNT: usize = 512;
const PART: usize = 128;

/// The same numbers on every run.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }
}

/// Parts of buffers on the device, and what they are to contain.
struct Both {
    queue: Queue,
    kernels: Vec<Kernel>,
    buffers: Vec<Buffer>,
    expected: Vec<Vec<u32>>,
    /// Dropped last: it checks the messages of the validation layer.
    _device: Checked,
}

/// A part: the number of the buffer, and the first element.
type Part = (usize, usize);

impl Both {
    fn new(device: Checked, count: usize) -> Both {
        let program = Program::from_source(&device.0, SOURCE, &Default::default()).unwrap();
        let kernels = ["add", "scale", "slow", "choose"].map(|name| program.kernel(name).unwrap()).to_vec();
        let expected: Vec<Vec<u32>> =
            (0..count).map(|at| (0..COUNT as u32).map(|i| i * 7 + at as u32).collect()).collect();
        let buffers = expected.iter().map(|values| Buffer::from_slice(&device.0, values).unwrap()).collect();
        let queue = Queue::new(&device.0).unwrap();
        Both { queue, kernels, buffers, expected, _device: device }
    }

    fn part(&self, (buffer, first): Part) -> Buffer {
        self.buffers[buffer].slice(first as u64 * 4, PART as u64 * 4).unwrap()
    }

    fn old(&self, (buffer, first): Part) -> Vec<u32> {
        self.expected[buffer][first..first + PART].to_vec()
    }

    fn expect(&mut self, (buffer, first): Part, value: impl Fn(usize) -> u32) {
        (0..PART).for_each(|i| self.expected[buffer][first + i] = value(i));
    }

    fn launch(&self, kernel: usize, args: &[Arg<'_>]) {
        let launch = Launch::new(&[PART as u64]).local(&[64]);
        self.queue.launch(&self.kernels[kernel], &launch, args).unwrap();
    }

    /// One command.
    fn step(&mut self, random: &mut Random) {
        let count = self.buffers.len();
        let mut parts: Vec<Part> = Vec::new();
        // Parts that are of one buffer are the same or apart, but for steps of 16 bytes.
        while parts.len() < 3 {
            let part = (random.below(count), random.below((COUNT - PART) / 4) * 4);
            if parts.iter().all(|other| other.0 != part.0 || other.1.abs_diff(part.1) >= PART) {
                parts.push(part);
            }
        }
        let [to, a, b] = [parts[0], parts[1], parts[2]];
        let (target, first, second) = (self.part(to), self.part(a), self.part(b));
        let (old, x, y) = (self.old(to), self.old(a), self.old(b));
        let number = random.below(1000) as u32;
        let bytes_of_part = PART as u64 * 4;
        match random.below(7) {
            0 => {
                self.launch(0, &[Arg::Buffer(&target), Arg::Buffer(&first), Arg::Buffer(&second)]);
                self.expect(to, |i| x[i].wrapping_mul(3).wrapping_add(y[i]));
            }
            1 => {
                self.launch(1, &[Arg::Buffer(&target), Arg::pod(&number)]);
                self.expect(to, |i| old[i].wrapping_mul(number).wrapping_add(i as u32));
            }
            2 => {
                self.launch(2, &[Arg::Buffer(&target), Arg::Buffer(&first), Arg::pod(&number)]);
                let round = |x: u32, _| x.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                self.expect(to, |i| (0..number).fold(x[i], round));
            }
            3 => {
                let args = [Arg::Buffer(&target), Arg::Buffer(&first), Arg::Buffer(&second), Arg::pod(&number)];
                self.launch(3, &args);
                let (part, old) = if number & 1 == 1 { (to, old) } else { (a, x) };
                self.expect(part, |i| old[i].wrapping_add(y[i]));
            }
            4 => {
                self.queue.copy(&first, 0, &target, 0, bytes_of_part).unwrap();
                self.expect(to, |i| x[i]);
            }
            5 => {
                self.queue.fill(&target, 0, bytes_of_part, &number.to_le_bytes()).unwrap();
                self.expect(to, |_| number);
            }
            _ => {
                self.queue.write(&target, 0, &bytes(&vec![number; PART])).unwrap();
                self.expect(to, |_| number);
            }
        }
    }
}

#[test]
fn random_commands() {
    for (overlap, buffers) in [(true, 24), (true, 5), (false, 5)] {
        let device = device(false);
        device.0.set_overlap(overlap);
        let (mut both, mut random) = (Both::new(device, buffers), Random(buffers as u64));
        for round in 0..10 {
            (0..100 + random.below(300)).for_each(|_| both.step(&mut random));
            both.queue.finish().unwrap();
            for (at, (buffer, expected)) in both.buffers.iter().zip(&both.expected).enumerate() {
                let mut out = vec![0; COUNT * 4];
                both.queue.read(buffer, 0, &mut out).unwrap();
                assert_eq!(&values::<u32>(&out), expected, "buffer {at} of {buffers} in round {round}");
            }
        }
    }
}
