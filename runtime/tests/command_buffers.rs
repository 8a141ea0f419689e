//! Command buffers: launches that are recorded once compute what the same launches compute one by one, as the host does.

mod common;

use clforge_runtime::{
    Arg, Buffer, ChannelOrder, ChannelType, CommandRecorder, Error, Image, ImageDescription, ImageFormat, ImageKind,
    Launch, Program, Queue,
};
use common::{Checked, device};

const SOURCE: &str = "
kernel void add(global uint *to, global const uint *a, global const uint *b) {
    size_t i = get_global_id(0);
    to[i] = a[i] * 3 + b[i];
}
kernel void scale(global uint *to, uint by) { size_t i = get_global_id(0); to[i] = to[i] * by + i; }
kernel void count(global uint *to) { atomic_add(to, get_local_size(0)); }
kernel void through(global uint *to, read_only image2d_t from, write_only image2d_t out) {
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    uint4 texel = read_imageui(from, at);
    to[at.y * get_global_size(0) + at.x] += texel.x;
    write_imageui(out, at, texel + 1);
}
kernel void say(global uint *to) { printf(\"%u\\n\", to[0]); }
";

const COUNT: usize = 256;

fn program(device: &Checked) -> Program {
    Program::from_source(&device.0, SOURCE, &Default::default()).unwrap()
}

/// The same numbers on every run.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }
}

#[derive(Clone, Copy)]
enum Step {
    Add(usize, usize, usize),
    Scale(usize, u32),
    /// Words of one buffer to the same place of another one.
    Copy(usize, usize, [usize; 2]),
    Fill(usize, u32, [usize; 2]),
}

impl Step {
    fn random(random: &mut Random, buffers: usize) -> Step {
        let to = random.below(buffers);
        let other = |random: &mut Random| (to + 1 + random.below(buffers - 1)) % buffers;
        let start = random.below(COUNT);
        let range = [start, start + random.below(COUNT - start + 1)];
        match random.below(6) {
            0 | 1 => Step::Add(to, other(random), other(random)),
            2 | 3 => Step::Scale(to, random.below(1000) as u32),
            4 => Step::Copy(to, other(random), range),
            _ => Step::Fill(to, random.below(1 << 20) as u32, range),
        }
    }

    fn on_host(self, buffers: &mut [Vec<u32>]) {
        match self {
            Step::Add(to, a, b) => {
                buffers[to] = (0..COUNT).map(|i| buffers[a][i].wrapping_mul(3).wrapping_add(buffers[b][i])).collect();
            }
            Step::Copy(to, from, [start, end]) => {
                let words = buffers[from][start..end].to_vec();
                buffers[to][start..end].copy_from_slice(&words);
            }
            Step::Fill(to, word, [start, end]) => buffers[to][start..end].fill(word),
            Step::Scale(to, by) => {
                buffers[to] = (0..COUNT).map(|i| buffers[to][i].wrapping_mul(by).wrapping_add(i as u32)).collect();
            }
        }
    }
}

#[test]
fn random_launches_give_what_the_host_computes() {
    for (overlap, count, steps) in [(true, 3, 40), (true, 20, 300), (true, 90, 500), (false, 5, 100)] {
        let device = device(false);
        device.0.set_overlap(overlap);
        let program = program(&device);
        let [add, scale] = ["add", "scale"].map(|name| program.kernel(name).unwrap());
        let mut expected: Vec<Vec<u32>> =
            (0..count).map(|at| (0..COUNT as u32).map(|i| i * 7 + at as u32).collect()).collect();
        let buffers: Vec<_> = expected.iter().map(|values| Buffer::from_slice(&device.0, values).unwrap()).collect();
        let mut random = Random(count as u64);
        let steps: Vec<Step> = (0..steps).map(|_| Step::random(&mut random, count)).collect();
        let mut recorder = CommandRecorder::new(&device.0).unwrap();
        let launch = Launch::new(&[COUNT as u64]).local(&[64]);
        for step in &steps {
            match *step {
                Step::Add(to, a, b) => {
                    let args = [to, a, b].map(|at| Arg::Buffer(&buffers[at]));
                    recorder.launch(&add, &launch, &args).unwrap();
                }
                Step::Copy(to, from, [start, end]) => {
                    let (at, size) = (4 * start as u64, 4 * (end - start) as u64);
                    recorder.copy(&buffers[from], at, &buffers[to], at, size).unwrap();
                }
                Step::Fill(to, word, [start, end]) => {
                    let (at, size) = (4 * start as u64, 4 * (end - start) as u64);
                    recorder.fill(&buffers[to], at, size, &word.to_le_bytes()).unwrap();
                }
                Step::Scale(to, by) => {
                    recorder.launch(&scale, &launch, &[Arg::Buffer(&buffers[to]), Arg::pod(&by)]).unwrap();
                }
            }
        }
        let commands = recorder.finish().unwrap();
        let launches = steps.iter().filter(|step| matches!(step, Step::Add(..) | Step::Scale(..)));
        assert_eq!(commands.launches(), launches.count() as u64);
        let queue = Queue::new(&device.0).unwrap();
        for turn in 0..20u32 {
            queue.execute(&commands).unwrap();
            steps.iter().for_each(|step| step.on_host(&mut expected));
            // A launch between executions is ordered, too.
            queue.launch(&scale, &launch, &[Arg::Buffer(&buffers[0]), Arg::pod(&turn)]).unwrap();
            Step::Scale(0, turn).on_host(&mut expected);
        }
        queue.finish().unwrap();
        for (at, (buffer, expected)) in buffers.iter().zip(&expected).enumerate() {
            assert_eq!(&buffer.to_vec_of::<u32>().unwrap(), expected, "buffer {at} of {count}");
        }
    }
}

#[test]
fn a_remainder_and_an_offset() {
    let device = device(false);
    let count = program(&device).kernel("count").unwrap();
    let buffer = Buffer::from_slice(&device.0, &[0u32]).unwrap();
    let mut recorder = CommandRecorder::new(&device.0).unwrap();
    // Work-groups of 16, and one of 5; each work-item adds the size of its group.
    recorder.launch(&count, &Launch::new(&[37]).local(&[16]), &[Arg::Buffer(&buffer)]).unwrap();
    recorder.launch(&count, &Launch::new(&[0]), &[Arg::Buffer(&buffer)]).unwrap();
    let commands = recorder.finish().unwrap();
    let queue = Queue::with_profiling(&device.0).unwrap();
    let events: Vec<_> = (0..3).map(|_| queue.execute(&commands).unwrap()).collect();
    queue.finish().unwrap();
    assert_eq!(buffer.to_vec_of::<u32>().unwrap(), [3 * (32 * 16 + 5 * 5)]);
    let times: Vec<_> = events.iter().map(|event| event.times().unwrap()).collect();
    assert!(times.windows(2).all(|two| two[0].ended <= two[1].ended));
}

#[test]
fn images_and_drops_before_the_end() {
    let device = device(false);
    let through = program(&device).kernel("through").unwrap();
    let format = ImageFormat { order: ChannelOrder::Rgba, channel: ChannelType::UnsignedInt8 };
    let description = ImageDescription { kind: ImageKind::D2, size: [4, 4, 1], format };
    let [first, second] = [1u8, 2].map(|value| {
        let image = Image::zeroed(&device.0, description).unwrap();
        image.write(&[value; 64]).unwrap();
        image
    });
    let buffer = Buffer::from_slice(&device.0, &[0u32; 16]).unwrap();
    let mut recorder = CommandRecorder::new(&device.0).unwrap();
    for (from, to) in [(&first, &second), (&second, &first)] {
        let args = [Arg::Buffer(&buffer), Arg::Image(from), Arg::Image(to)];
        recorder.launch(&through, &Launch::new(&[4, 4]), &args).unwrap();
    }
    let commands = recorder.finish().unwrap();
    drop((first, second, through));
    let queue = Queue::new(&device.0).unwrap();
    for _ in 0..10 {
        queue.execute(&commands).unwrap();
    }
    drop(commands);
    queue.finish().unwrap();
    // Each execution reads a from the first image and a + 1 from the second, and leaves a + 2 in the first.
    let expected = (0..10).map(|turn| 1 + 2 * turn + 1 + (1 + 2 * turn)).sum::<u32>();
    assert_eq!(buffer.to_vec_of::<u32>().unwrap(), [expected; 16]);
}

#[test]
fn what_cannot_be_recorded_or_executed_is_an_error() {
    let device = device(false);
    let program = program(&device);
    let [say, scale] = ["say", "scale"].map(|name| program.kernel(name).unwrap());
    assert!(!say.is_recordable() && scale.is_recordable());
    let buffer = Buffer::from_slice(&device.0, &[1u32; 4]).unwrap();
    let mut recorder = CommandRecorder::new(&device.0).unwrap();
    let error = recorder.launch(&say, &Launch::new(&[1]), &[Arg::Buffer(&buffer)]).unwrap_err();
    assert!(matches!(&error, Error::Launch(text) if text.contains("'say'")), "{error}");
    let error = recorder.launch(&scale, &Launch::new(&[4]), &[Arg::Buffer(&buffer)]).unwrap_err();
    assert!(matches!(error, Error::ArgumentCount { .. }), "{error}");
    let part = buffer.slice(4, 8).unwrap();
    for (offset, size, pattern) in
        [(0, 8, &[1u8, 2, 3][..]), (2, 4, &[1]), (0, 6, &[1, 2]), (0, 8, &[0; 8]), (0, 8, &[])]
    {
        let error = recorder.fill(&part, offset, size, pattern).unwrap_err();
        assert!(matches!(error, Error::Transfer(_)), "{error}");
    }
    assert!(matches!(recorder.fill(&part, 4, 8, &[0]), Err(Error::BufferRange { .. })));
    assert!(matches!(recorder.copy(&buffer, 0, &part, 0, 8), Err(Error::Transfer(_))), "they overlap");
    assert!(matches!(recorder.copy(&buffer, 12, &part, 0, 8), Err(Error::BufferRange { .. })));
    recorder.launch(&scale, &Launch::new(&[4]), &[Arg::Buffer(&buffer), Arg::pod(&5u32)]).unwrap();
    let (commands, queue) = (recorder.finish().unwrap(), Queue::new(&device.0).unwrap());
    if let Ok(mapping) = buffer.map() {
        let error = queue.execute(&commands).err().unwrap();
        assert!(matches!(error, Error::Transfer(_)), "{error}");
        drop(mapping);
    }
    queue.execute(&commands).unwrap();
    queue.finish().unwrap();
    assert_eq!(buffer.to_vec_of::<u32>().unwrap(), [5, 6, 7, 8]);
}
