//! Asynchronous queues on a real device, with the validation layer (and its checks of synchronisation) silent.

mod common;

use clforge_runtime::{
    Addressing, Arg, Buffer, ChannelOrder, ChannelType, Device, Error, EventStatus, Image, ImageDescription,
    ImageFormat, ImageKind, Kernel, Launch, Program, Queue, RectCopy, Sampler, UserEvent,
};
use common::{bytes, device, values};
use std::time::Duration;

const SOURCE: &str = "
kernel void step(global uint *a, uint by) { size_t i = get_global_id(0); a[i] = a[i] * 3 + by; }
kernel void gather(global const uint *from, global uint *to) { size_t i = get_global_id(0); to[i] += from[i ^ 1]; }
struct large { uint at; uint rest[63]; };
kernel void store(global uint *a, struct large s) { a[s.at] = s.rest[0] + s.rest[62]; }
kernel void sums(global uint *a, local uint *l)
{
    size_t i = get_local_id(0);
    l[i] = a[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    uint sum = 0;
    for (size_t k = 0; k < get_local_size(0); k++) sum += l[k];
    a[get_global_id(0)] = sum;
}
kernel void shift(read_only image2d_t from, sampler_t s, write_only image2d_t to)
{
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    write_imageui(to, at, read_imageui(from, s, at + (int2)(1, 0)) + (uint4)(1));
}
";

fn kernel(device: &Device, name: &str) -> Kernel {
    let program = Program::from_source(device, SOURCE, &Default::default());
    let program = program.unwrap_or_else(|error| panic!("{error}: {error:?}"));
    program.kernel(name).unwrap()
}

/// What `step` makes of `count` numbers.
fn stepped(mut numbers: Vec<u32>, steps: u32) -> Vec<u32> {
    for by in 0..steps {
        numbers.iter_mut().for_each(|a| *a = a.wrapping_mul(3).wrapping_add(by));
    }
    numbers
}

#[test]
fn commands_run_in_order() {
    for always_stage in [false, true] {
        let device = device(always_stage);
        let (step, queue) = (kernel(&device.0, "step"), Queue::new(&device.0).unwrap());
        let start: Vec<u32> = (0..300).collect();
        let buffer = Buffer::zeroed(&device.0, 1200).unwrap();
        queue.write(&buffer, 0, &bytes(&start)).unwrap();
        for by in 0..500u32 {
            queue.launch(&step, &Launch::new(&[300]).local(&[64]), &[Arg::Buffer(&buffer), Arg::pod(&by)]).unwrap();
        }
        let mut out = vec![0; 1200];
        queue.read(&buffer, 0, &mut out).unwrap();
        assert_eq!(values::<u32>(&out), stepped(start, 500));
    }
}

/// Pipelines and push constants that the command buffer has are not recorded again. So: launches of the same kernel and of others,
/// with the same arguments and others, with one region and several, with and without descriptors; kernels that are dropped and
/// made anew; fills and copies in between.
#[test]
fn each_launch_has_its_own_pipeline_and_arguments() {
    const COUNT: usize = 64;
    let device = device(false);
    let [mut step, gather, store, sums] = ["step", "gather", "store", "sums"].map(|name| kernel(&device.0, name));
    let queue = Queue::new(&device.0).unwrap();
    let buffers = [0, 1].map(|_| Buffer::zeroed(&device.0, 4 * COUNT as u64).unwrap());
    let mut expected = [[0u32; COUNT]; 2];
    let mut state = 1u32;
    let mut random = |below: u32| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 16) % below
    };
    for _ in 0..2000 {
        let (to, from, value) = (random(2) as usize, random(2) as usize, random(2) + 1);
        let (buffer, other) = (&buffers[to], &buffers[1 - to]);
        // Of 24 work-items each: two work-groups and one of the 16 that remain.
        let range = Launch::new(&[COUNT as u64]).local(&[[8, 16, 24][random(3) as usize]]);
        if random(64) == 0 {
            step = kernel(&device.0, "step");
        }
        match random(8) {
            0..=2 => {
                queue.launch(&step, &range, &[Arg::Buffer(buffer), Arg::pod(&value)]).unwrap();
                expected[to].iter_mut().for_each(|a| *a = a.wrapping_mul(3).wrapping_add(value));
            }
            3 | 4 => {
                queue.launch(&gather, &range, &[Arg::Buffer(other), Arg::Buffer(buffer)]).unwrap();
                let read = expected[1 - to];
                expected[to].iter_mut().enumerate().for_each(|(i, a)| *a = a.wrapping_add(read[i ^ 1]));
            }
            5 => {
                let mut large = [0u32; 64];
                (large[0], large[1], large[63]) = (value, 40 + value, 2);
                queue.launch(&store, &Launch::new(&[1]), &[Arg::Buffer(buffer), Arg::pod(&large)]).unwrap();
                expected[to][value as usize] = 42 + value;
            }
            6 => {
                let local = 4 << (from & 1);
                let range = Launch::new(&[COUNT as u64]).local(&[local]);
                queue.launch(&sums, &range, &[Arg::Buffer(buffer), Arg::Local(4 * local)]).unwrap();
                for group in expected[to].chunks_mut(local as usize) {
                    let sum = group.iter().fold(0u32, |sum, a| sum.wrapping_add(*a));
                    group.fill(sum);
                }
            }
            _ if from == 0 => {
                queue.fill(buffer, 16, 64, &value.to_le_bytes()).unwrap();
                expected[to][4..20].fill(value);
            }
            _ => {
                queue.copy(other, 0, buffer, 32, 64).unwrap();
                let read = expected[1 - to];
                expected[to][8..24].copy_from_slice(&read[..16]);
            }
        }
    }
    for (buffer, expected) in buffers.iter().zip(expected) {
        let mut out = vec![0; 4 * COUNT];
        queue.read(buffer, 0, &mut out).unwrap();
        assert_eq!(values::<u32>(&out), expected);
    }
}

#[test]
fn launches_are_collected_until_somebody_wants_them() {
    let device = device(false);
    let (step, queue) = (kernel(&device.0, "step"), Queue::new(&device.0).unwrap());
    let buffer = Buffer::zeroed(&device.0, 64).unwrap();
    let args = [Arg::Buffer(&buffer), Arg::pod(&1u32)];
    let events: Vec<_> = (0..20).map(|_| queue.launch(&step, &Launch::new(&[16]), &args).unwrap()).collect();
    assert!(events.iter().all(|event| event.status().unwrap() == EventStatus::Queued && !event.has_ended()));
    queue.flush().unwrap();
    assert!(events.iter().all(|event| event.status().unwrap() >= EventStatus::Submitted));
    events[19].wait_timeout(Duration::from_secs(60)).unwrap();
    assert!(events.iter().all(|event| event.status().unwrap() == EventStatus::Complete && event.has_ended()));
    let expected = (0..20).fold(0u32, |a, _| a.wrapping_mul(3).wrapping_add(1));
    assert_eq!(values::<u32>(&buffer.to_vec().unwrap()), [expected; 16]);
}

#[test]
fn events_tell_the_times_in_order() {
    let device = device(false);
    let step = kernel(&device.0, "step");
    let buffer = Buffer::zeroed(&device.0, 4 << 16).unwrap();
    for queue in [Queue::with_profiling(&device.0).unwrap(), Queue::new(&device.0).unwrap()] {
        let mut last = None;
        for by in 0..300u32 {
            let args = [Arg::Buffer(&buffer), Arg::pod(&by)];
            let event = queue.launch(&step, &Launch::new(&[1 << 16]), &args).unwrap();
            if by % 50 == 0 {
                let times = event.times().unwrap();
                assert_eq!((times.submitted, times.started, times.ended), (None, None, None));
                event.wait().unwrap();
            }
            let times = event.clone().times().unwrap();
            if let (Some(submitted), Some(started), Some(ended)) = (times.submitted, times.started, times.ended) {
                assert!(times.queued <= submitted && submitted <= started && started <= ended);
                assert!(last.is_none_or(|last| last <= ended));
                assert_eq!(times.device(), Some(ended - started));
                last = Some(ended);
            }
        }
        queue.finish().unwrap();
        let profiled = last.is_some();
        let fresh = queue.launch(&step, &Launch::new(&[16]), &[Arg::Buffer(&buffer), Arg::pod(&1u32)]).unwrap();
        fresh.wait().unwrap();
        assert_eq!(fresh.times().unwrap().ended.is_some(), profiled);
    }
}

#[test]
fn queues_wait_for_each_other() {
    let device = device(false);
    let gather = kernel(&device.0, "gather");
    let queues = [(); 3].map(|()| Queue::new(&device.0).unwrap());
    let count = 64;
    let buffers = [(); 3].map(|()| Buffer::from_bytes(&device.0, &bytes(&(0..count).collect::<Vec<u32>>())).unwrap());
    let mut expected = [(); 3].map(|()| (0..count).collect::<Vec<u32>>());
    let mut last: Option<clforge_runtime::Event> = None;
    for round in 0..60 {
        let (from, to) = (round % 3, (round + 1) % 3);
        let queue = &queues[round % 3];
        if let Some(last) = &last {
            queue.wait_for(last).unwrap();
        }
        let args = [Arg::Buffer(&buffers[from]), Arg::Buffer(&buffers[to])];
        last = Some(queue.launch(&gather, &Launch::new(&[count.into()]), &args).unwrap());
        let source = expected[from].clone();
        for (i, value) in expected[to].iter_mut().enumerate() {
            *value = value.wrapping_add(source[i ^ 1]);
        }
    }
    for (buffer, expected) in buffers.iter().zip(expected) {
        assert_eq!(values::<u32>(&buffer.to_vec().unwrap()), expected);
    }
    let other = common::device(false);
    let foreign = Queue::new(&other.0).unwrap();
    assert!(matches!(foreign.wait_for(&last.unwrap()), Err(Error::Launch(_))));
    let args = [Arg::Buffer(&buffers[0]), Arg::Buffer(&buffers[1])];
    assert!(matches!(foreign.launch(&gather, &Launch::new(&[1]), &args), Err(Error::Launch(_))));
}

#[test]
fn arguments_by_value_belong_to_their_launch() {
    let device = device(false);
    let (store, queue) = (kernel(&device.0, "store"), Queue::new(&device.0).unwrap());
    let buffer = Buffer::zeroed(&device.0, 4 * 600).unwrap();
    for at in 0..600u32 {
        // More than push constants hold.
        let mut large = [0u32; 64];
        (large[0], large[1], large[63]) = (at, at * at, 7);
        queue.launch(&store, &Launch::new(&[1]), &[Arg::Buffer(&buffer), Arg::pod(&large)]).unwrap();
    }
    queue.finish().unwrap();
    let expected: Vec<u32> = (0..600).map(|at| at * at + 7).collect();
    assert_eq!(values::<u32>(&buffer.to_vec().unwrap()), expected);
}

#[test]
fn local_arguments_of_different_sizes() {
    let device = device(false);
    let (sums, queue) = (kernel(&device.0, "sums"), Queue::new(&device.0).unwrap());
    let buffer = Buffer::from_bytes(&device.0, &bytes(&[1u32; 64])).unwrap();
    for local in [4, 16, 4] {
        let args = [Arg::Buffer(&buffer), Arg::Local(local * 4)];
        queue.launch(&sums, &Launch::new(&[64]).local(&[local]), &args).unwrap();
    }
    queue.finish().unwrap();
    assert_eq!(values::<u32>(&buffer.to_vec().unwrap()), [4 * 16 * 4; 64]);
}

#[test]
fn images_in_a_queue() {
    let device = device(false);
    let (shift, queue) = (kernel(&device.0, "shift"), Queue::new(&device.0).unwrap());
    let format = ImageFormat { order: ChannelOrder::Rgba, channel: ChannelType::UnsignedInt8 };
    let description = ImageDescription { kind: ImageKind::D2, size: [8, 2, 1], format };
    let texels: Vec<u8> = (0..64).collect();
    let images =
        [Image::from_bytes(&device.0, description, &texels).unwrap(), Image::zeroed(&device.0, description).unwrap()];
    let sampler = Arg::Sampler(Sampler { addressing: Addressing::ClampToEdge, ..Sampler::default() });
    for step in 0..150 {
        let args = [Arg::Image(&images[step % 2]), sampler, Arg::Image(&images[(step + 1) % 2])];
        queue.launch(&shift, &Launch::new(&[8, 2]), &args).unwrap();
    }
    // Without `finish`: reading an image waits for everything.
    let out = images[0].to_vec().unwrap();
    let last_column = |y: usize, c: usize| texels[y * 32 + 28 + c].wrapping_add(150);
    let expected: Vec<u8> = (0..64).map(|i| last_column(i / 32, i % 4)).collect();
    assert_eq!(out, expected);
}

#[test]
fn things_may_be_dropped_while_they_are_used() {
    let device = device(false);
    let queue = Queue::new(&device.0).unwrap();
    let result = Buffer::zeroed(&device.0, 64).unwrap();
    let event;
    {
        let gather = kernel(&device.0, "gather");
        for round in 0..300u32 {
            let from = Buffer::new(&device.0, 64).unwrap();
            queue.write(&from, 0, &bytes(&[round; 16])).unwrap();
            queue.launch(&gather, &Launch::new(&[16]), &[Arg::Buffer(&from), Arg::Buffer(&result)]).unwrap();
        }
        event = queue.marker().unwrap();
    }
    drop(queue);
    event.wait().unwrap();
    assert_eq!(values::<u32>(&result.to_vec().unwrap()), [299 * 300 / 2; 16]);
}

#[test]
fn fills_and_copies() {
    for always_stage in [false, true] {
        let device = device(always_stage);
        let queue = Queue::new(&device.0).unwrap();
        let (a, b) = (Buffer::zeroed(&device.0, 1001).unwrap(), Buffer::zeroed(&device.0, 1001).unwrap());
        let mut expected = vec![0u8; 1001];
        let fills: [(u64, u64, &[u8]); 7] = [
            (0, 1000, &[7]),
            (4, 16, &[1, 2]),
            (20, 40, &[1, 2, 3, 4, 5, 6, 7, 8]),
            (101, 33, &[9, 8, 7]),
            (203, 5, &[0xEE]),
            (1001, 0, &[1]),
            (300, 16, &[0xAA, 0xBB, 0xCC, 0xDD]),
        ];
        for (offset, size, pattern) in fills {
            queue.fill(&a, offset, size, pattern).unwrap();
            for (i, byte) in expected[offset as usize..(offset + size) as usize].iter_mut().enumerate() {
                *byte = pattern[i % pattern.len()];
            }
        }
        queue.copy(&a, 1, &b, 0, 1000).unwrap();
        // The two copies touch without overlapping.
        queue.copy(&b, 0, &b, 500, 500).unwrap();
        let mut out = vec![0; 1000];
        let download = queue.read_async(&b, 0, 1000).unwrap();
        queue.fill(&b, 0, 1000, &[0]).unwrap();
        queue.read(&a, 0, &mut out[..10]).unwrap();
        assert_eq!(out[..10], expected[..10]);
        assert_eq!(download.wait().unwrap(), [&expected[1..501], &expected[1..501]].concat());
        queue.read(&b, 0, &mut out).unwrap();
        assert_eq!(out, [0; 1000]);

        assert!(matches!(queue.copy(&a, 0, &a, 10, 11), Err(Error::Transfer(_))));
        assert!(matches!(queue.copy(&a, 0, &b, 1000, 2), Err(Error::BufferRange { .. })));
        assert!(matches!(queue.fill(&a, 0, 10, &[1, 2, 3]), Err(Error::Transfer(_))));
        assert!(matches!(queue.fill(&a, 0, 0, &[]), Err(Error::Transfer(_))));
        assert!(matches!(queue.read(&a, 1001, &mut out[..1]), Err(Error::BufferRange { .. })));
        assert!(queue.read_async(&a, 5, 0).unwrap().wait().unwrap().is_empty());
    }
}

#[test]
fn boxes_of_bytes() {
    let device = device(false);
    let queue = Queue::new(&device.0).unwrap();
    let source: Vec<u8> = (0..4000).map(|i| (i * 7 % 251) as u8).collect();
    let a = Buffer::from_bytes(&device.0, &source).unwrap();
    let b = Buffer::zeroed(&device.0, 4000).unwrap();
    let rect = RectCopy {
        region: [5, 20, 17],
        source_origin: [3, 2, 1],
        source_pitch: [10, 220],
        target_origin: [0, 1, 0],
        target_pitch: [0, 0],
    };
    queue.copy_rect(&a, &b, &rect).unwrap();
    let mut expected = vec![0; 4000];
    for (z, y, x) in (0..17).flat_map(|z| (0..20).flat_map(move |y| (0..5).map(move |x| (z, y, x)))) {
        expected[z * 100 + (y + 1) * 5 + x] = source[(z + 1) * 220 + (y + 2) * 10 + x + 3];
    }
    assert_eq!(b.to_vec().unwrap(), expected);
    let outside = RectCopy { region: [5, 20, 20], ..rect };
    assert!(matches!(queue.copy_rect(&a, &b, &outside), Err(Error::BufferRange { .. })));
    assert!(matches!(queue.copy_rect(&a, &a, &rect), Err(Error::Transfer(_))));
    queue.copy_rect(&a, &b, &RectCopy { region: [0, 3, 3], ..RectCopy::default() }).unwrap();
}

#[test]
fn parts_of_buffers() {
    let device = device(false);
    let (step, queue) = (kernel(&device.0, "step"), Queue::new(&device.0).unwrap());
    let whole = Buffer::zeroed(&device.0, 64).unwrap();
    let part = whole.slice(16, 32).unwrap();
    let inner = part.slice(8, 8).unwrap();
    assert_eq!(inner.device_address().unwrap(), whole.device_address().unwrap() + 24);
    queue.launch(&step, &Launch::new(&[2]), &[Arg::Buffer(&inner), Arg::pod(&5u32)]).unwrap();
    queue.launch(&step, &Launch::new(&[1]), &[Arg::BufferAt(&part, 28), Arg::pod(&9u32)]).unwrap();
    queue.fill(&part, 0, 4, &[1]).unwrap();
    let mut out = [0; 32];
    queue.read(&part, 0, &mut out).unwrap();
    assert_eq!(values::<u32>(&out), [0x0101_0101, 0, 5, 5, 0, 0, 0, 9]);
    part.write(0, &[2; 8]).unwrap();
    assert_eq!(values::<u32>(&whole.to_vec().unwrap())[3..8], [0, 0x0202_0202, 0x0202_0202, 5, 5]);
    assert!(matches!(part.slice(20, 13), Err(Error::BufferRange { offset: 20, size: 13, buffer: 32 })));
    assert!(matches!(queue.write(&part, 30, &[0; 3]), Err(Error::BufferRange { .. })));
}

#[test]
fn mapped_buffers_belong_to_the_host() {
    for always_stage in [false, true] {
        let device = device(always_stage);
        let (step, queue) = (kernel(&device.0, "step"), Queue::new(&device.0).unwrap());
        let buffer = Buffer::from_bytes(&device.0, &bytes(&[1u32, 2, 3, 4])).unwrap();
        let args = [Arg::Buffer(&buffer), Arg::pod(&1u32)];
        queue.launch(&step, &Launch::new(&[4]), &args).unwrap();
        let mut mapping = buffer.map().unwrap();
        assert!(!(always_stage && mapping.is_direct()));
        assert_eq!(values::<u32>(&mapping), [4, 7, 10, 13]);
        mapping[4..8].copy_from_slice(&100u32.to_le_bytes());
        for result in [
            queue.launch(&step, &Launch::new(&[4]), &args).map(|_| ()),
            buffer.write(0, &[0]),
            buffer.to_vec().map(|_| ()),
            queue.fill(&buffer, 0, 16, &[0]).map(|_| ()),
            buffer.map().map(|_| ()),
        ] {
            assert!(matches!(&result, Err(Error::Transfer(text)) if text == "the buffer is mapped"), "{result:?}");
        }
        mapping.unmap().unwrap();
        queue.launch(&step, &Launch::new(&[4]), &args).unwrap();
        queue.finish().unwrap();
        assert_eq!(values::<u32>(&buffer.to_vec().unwrap()), [13, 301, 31, 40]);
    }
}

#[test]
fn more_data_than_one_batch_takes() {
    let device = device(true);
    let queue = Queue::new(&device.0).unwrap();
    let data: Vec<u8> = (0..70_000_003u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    let buffer = Buffer::new(&device.0, data.len() as u64).unwrap();
    queue.write(&buffer, 0, &data).unwrap();
    let mut out = vec![0; data.len()];
    queue.read(&buffer, 0, &mut out).unwrap();
    assert!(out == data);
}

#[test]
fn threads_share_a_queue() {
    let device = device(false);
    let (step, queue) = (kernel(&device.0, "step"), Queue::new(&device.0).unwrap());
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let buffer = Buffer::zeroed(&device.0, 64).unwrap();
                for by in 0..200u32 {
                    let args = [Arg::Buffer(&buffer), Arg::pod(&by)];
                    queue.launch(&step, &Launch::new(&[16]), &args).unwrap();
                    if by % 64 == 0 {
                        queue.marker().unwrap().wait().unwrap();
                    }
                }
                assert_eq!(values::<u32>(&buffer.to_vec().unwrap()), stepped(vec![0; 16], 200));
            });
        }
    });
}

/// Commands wait for the host, those of other queues that wait for them too, and queues that do not wait go on.
#[test]
fn the_host_completes_an_event() {
    let device = device(false);
    let step = kernel(&device.0, "step");
    let [first, second, free] = [(); 3].map(|()| Queue::new(&device.0).unwrap());
    let [a, b, c] = [(); 3].map(|()| Buffer::zeroed(&device.0, 64).unwrap());
    let launch = |queue: &Queue, buffer: &Buffer, by: u32| {
        queue.launch(&step, &Launch::new(&[16]), &[Arg::Buffer(buffer), Arg::pod(&by)]).unwrap()
    };
    let (go, more) = (UserEvent::new(&device.0), UserEvent::new(&device.0));
    let before = launch(&first, &a, 1);
    first.wait_for_user(&go).unwrap();
    first.wait_for_user(&more).unwrap();
    let held = launch(&first, &a, 2);
    second.wait_for(&held).unwrap();
    second.copy(&a, 0, &b, 0, 64).unwrap();
    let last = launch(&second, &b, 3);
    [&first, &second].iter().for_each(|queue| queue.flush().unwrap());
    before.wait().unwrap();
    launch(&free, &c, 9).wait().unwrap();
    let mut found = [0; 4];
    free.read(&c, 0, &mut found).unwrap();
    assert_eq!(found, 9u32.to_le_bytes());
    for event in [&held, &last] {
        assert_eq!(event.status().unwrap(), EventStatus::Queued);
        assert!(!event.has_ended());
        assert!(matches!(event.wait_timeout(Duration::from_millis(1)), Err(Error::Timeout(_))));
    }
    more.complete().unwrap();
    assert!(more.is_complete() && !go.is_complete());
    assert_eq!(held.status().unwrap(), EventStatus::Queued);
    let waiter = std::thread::spawn(move || last.wait());
    go.complete().unwrap();
    go.complete().unwrap();
    waiter.join().unwrap().unwrap();
    held.wait().unwrap();
    let a_now = stepped_by(&[1, 2]);
    assert_eq!(values::<u32>(&a.to_vec().unwrap()), [a_now; 16]);
    assert_eq!(values::<u32>(&b.to_vec().unwrap()), [a_now * 3 + 3; 16]);
}

/// What `step` makes of 0.
fn stepped_by(steps: &[u32]) -> u32 {
    steps.iter().fold(0, |a, by| a * 3 + by)
}

/// An event may be complete before it is waited for, and dropping it, or a queue that waits, leaves nothing undone.
#[test]
fn events_of_the_host_may_be_dropped() {
    let device = device(false);
    let step = kernel(&device.0, "step");
    let buffer = Buffer::zeroed(&device.0, 64).unwrap();
    let launch = |queue: &Queue, by: u32| {
        queue.launch(&step, &Launch::new(&[16]), &[Arg::Buffer(&buffer), Arg::pod(&by)]).unwrap()
    };
    let queue = Queue::new(&device.0).unwrap();
    let done = UserEvent::new(&device.0);
    done.complete().unwrap();
    queue.wait_for_user(&done).unwrap();
    launch(&queue, 1).wait().unwrap();
    let dropped = UserEvent::new(&device.0);
    queue.wait_for_user(&dropped).unwrap();
    launch(&queue, 2);
    queue.flush().unwrap();
    drop(queue);
    drop(dropped);
    assert_eq!(values::<u32>(&buffer.to_vec().unwrap()), [stepped_by(&[1, 2]); 16]);
    let other = common::device(true);
    let foreign = UserEvent::new(&other.0);
    assert!(matches!(Queue::new(&device.0).unwrap().wait_for_user(&foreign), Err(Error::Launch(_))));
}

/// A launch that is the same as an earlier one is not recorded again: what differs must be noticed, and times must be its own.
#[test]
fn the_same_launch_again() {
    let device = device(false);
    let queue = Queue::with_profiling(&device.0).unwrap();
    let [a, b] = [0, 1].map(|_| Buffer::from_slice(&device.0, &(0..256u32).collect::<Vec<_>>()).unwrap());
    let mut numbers = [(0..256u32).collect::<Vec<_>>(), (0..256u32).collect::<Vec<_>>()];
    let mut last = None;
    // Twice, so that the second time pipelines of the first, which are destroyed, may have left their handles.
    for _ in 0..2 {
        let step = kernel(&device.0, "step");
        let launches = [(0, 256, 7), (0, 256, 7), (0, 256, 7), (1, 256, 7), (0, 256, 8), (0, 128, 7), (0, 256, 7)];
        for (at, (which, count, by)) in launches.into_iter().cycle().take(21).enumerate() {
            let args = [Arg::Buffer([&a, &b][which]), Arg::pod(&by)];
            let event = queue.launch(&step, &Launch::new(&[count]).local(&[32]), &args).unwrap();
            for number in &mut numbers[which][..count as usize] {
                *number = number.wrapping_mul(3).wrapping_add(by);
            }
            // Most launches are waited for; others follow at once.
            if at % 5 != 4 {
                event.wait().unwrap();
                let times = event.times().unwrap();
                if let (Some(submitted), Some(started), Some(ended)) = (times.submitted, times.started, times.ended) {
                    assert!(times.queued <= submitted && submitted <= started && started <= ended);
                    assert!(last.is_none_or(|last| last <= started), "times of an earlier launch");
                    last = Some(ended);
                }
            }
        }
    }
    queue.finish().unwrap();
    assert_eq!([a, b].map(|buffer| buffer.to_vec_of::<u32>().unwrap()), numbers);
}
