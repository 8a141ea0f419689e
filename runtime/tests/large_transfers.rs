//! Transfers through several staging buffers and threads.

mod common;

use clforge_runtime::{
    Arg, Buffer, Device, EventStatus, Image, ImageDescription, ImageFormat, ImageKind, ImageRegion, Kernel, Launch,
    Program, Queue, UserEvent,
};
use common::device;
use std::time::Duration;

/// Whole chunks, less than one, and a rest; more than all staging buffers together have.
const SIZES: [usize; 5] = [1 << 20, (1 << 20) + 1, (4 << 20) - 4, (9 << 20) + 4096 + 12, 40 << 20];

fn increment(device: &Device) -> Kernel {
    let source = "kernel void increment(global uchar *a) { a[get_global_id(0)] += 1; }";
    Program::from_source(device, source, &Default::default()).unwrap().kernel("increment").unwrap()
}

fn pattern(size: usize, seed: usize) -> Vec<u8> {
    (0..size).map(|i| (i * 31 + i / 4093 + seed) as u8).collect()
}

#[test]
fn every_byte_arrives_in_its_place_and_turn() {
    let device = device(true);
    let (queue, kernel) = (Queue::with_profiling(&device.0).unwrap(), increment(&device.0));
    for size in SIZES {
        let buffer = Buffer::zeroed(&device.0, size as u64 + 64).unwrap();
        let mut bytes = pattern(size, size);
        let written = queue.write(&buffer, 32, &bytes).unwrap();
        queue.launch(&kernel, &Launch::new(&[size as u64 + 64]), &[Arg::Buffer(&buffer)]).unwrap();
        let mut read = vec![0; size + 64];
        queue.read(&buffer, 0, &mut read).unwrap();
        bytes.iter_mut().for_each(|byte| *byte = byte.wrapping_add(1));
        assert!(read[32..size + 32] == bytes, "{size} bytes");
        assert!(read[..32].iter().chain(&read[size + 32..]).all(|byte| *byte == 1), "{size} bytes");
        let times = written.times().unwrap();
        if let (Some(started), Some(ended)) = (times.started, times.ended) {
            assert!(times.queued <= started && started <= ended);
        }
    }
}

/// No command of another thread comes between the parts of a write.
#[test]
fn writes_are_whole() {
    let device = device(true);
    let (queue, kernel) = (Queue::new(&device.0).unwrap(), increment(&device.0));
    let size = 3 << 20;
    let (buffer, copy) = (Buffer::zeroed(&device.0, size).unwrap(), Buffer::zeroed(&device.0, size).unwrap());
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for value in 0..20u8 {
                queue.write(&buffer, 0, &vec![value; size as usize]).unwrap();
            }
        });
        for _ in 0..20 {
            queue.copy(&buffer, 0, &copy, 0, size).unwrap();
            queue.launch(&kernel, &Launch::new(&[1]), &[Arg::Buffer(&copy)]).unwrap();
            let bytes = queue.read_async(&copy, 0, size).unwrap().wait().unwrap();
            assert!(bytes[1..].iter().all(|byte| *byte == bytes[1]), "a copy has parts of two writes");
        }
    });
}

#[test]
fn a_write_does_not_wait_for_an_event_of_the_host() {
    let device = device(true);
    let queue = Queue::new(&device.0).unwrap();
    let buffer = Buffer::zeroed(&device.0, 20 << 20).unwrap();
    let event = UserEvent::new(&device.0);
    queue.wait_for_user(&event).unwrap();
    let bytes = pattern(20 << 20, 1);
    let written = queue.write(&buffer, 0, &bytes).unwrap();
    assert_ne!(written.status().unwrap(), EventStatus::Complete);
    event.complete().unwrap();
    written.wait().unwrap();
    assert!(buffer.to_vec().unwrap() == bytes);
}

/// The texels of a region of an image, whose rows and slices have no gaps.
fn cut(texels: &[u8], size: [u32; 3], texel: usize, region: &ImageRegion) -> Vec<u8> {
    let [width, height] = [size[0] as usize, size[1] as usize];
    let ([x, y, z], count) = (region.origin.map(|at| at as usize), region.size.map(|size| size as usize));
    let row = |z: usize, y: usize| ((z * height + y) * width + x) * texel;
    let rows = (z..z + count[2]).flat_map(|z| (y..y + count[1]).map(move |y| row(z, y)));
    rows.flat_map(|start| &texels[start..start + count[0] * texel]).copied().collect()
}

/// Images of several chunks, by rows and by slices, with a rest of each.
#[test]
fn every_texel_arrives_in_its_place() {
    let device = device(true);
    let queue = Queue::new(&device.0).unwrap();
    let format = ImageFormat::parse("rgba32f").unwrap();
    let images = [
        (ImageKind::D1Array, [2000, 150, 1]),
        (ImageKind::D2, [1500, 700, 1]),
        (ImageKind::D2Array, [300, 200, 7]),
        (ImageKind::D3, [600, 400, 3]),
    ];
    for (kind, size) in images {
        let description = ImageDescription { kind, size, format };
        let bytes = size.iter().product::<u32>() as usize * 16;
        // Repeated use of the staging buffers by transfers of different kinds.
        for round in 0..3 {
            let image = Image::zeroed(&device.0, description).unwrap();
            let texels = pattern(bytes, round);
            queue.write_image(&image, &ImageRegion { origin: [0; 3], size }, &texels).unwrap();
            let depth = size[2].saturating_sub(1).max(1);
            let part = ImageRegion { origin: [1, 2, size[2] - depth], size: [size[0] - 3, size[1] - 3, depth] };
            let mut read = vec![0; cut(&texels, size, 16, &part).len()];
            queue.read_image(&image, &part, &mut read).unwrap();
            assert!(read == cut(&texels, size, 16, &part), "{kind:?}");
            queue.write_image(&image, &part, &vec![round as u8; read.len()]).unwrap();
            queue.read_image(&image, &part, &mut read).unwrap();
            assert!(read.iter().all(|byte| *byte == round as u8), "{kind:?}");
            let corner = ImageRegion { origin: [0; 3], size: [1, 1, 1] };
            queue.read_image(&image, &corner, &mut read[..16]).unwrap();
            assert!(read[..16] == texels[..16], "{kind:?}");
        }
    }
}

#[test]
fn a_write_to_an_image_does_not_wait_for_an_event_of_the_host() {
    let device = device(true);
    let queue = Queue::new(&device.0).unwrap();
    let format = ImageFormat::parse("rgba32f").unwrap();
    let size = [1024, 700, 1];
    let image = Image::zeroed(&device.0, ImageDescription { kind: ImageKind::D2, size, format }).unwrap();
    let texels = pattern(1024 * 700 * 16, 5);
    let event = UserEvent::new(&device.0);
    queue.wait_for_user(&event).unwrap();
    let written = queue.write_image(&image, &ImageRegion { origin: [0; 3], size }, &texels).unwrap();
    let small = ImageRegion { origin: [0; 3], size: [2, 2, 1] };
    queue.write_image(&image, &small, &[9; 64]).unwrap();
    assert_ne!(written.status().unwrap(), EventStatus::Complete);
    event.complete().unwrap();
    written.wait().unwrap();
    let read = image.to_vec().unwrap();
    assert!(read[..32] == [9; 32] && read[32..1024 * 16] == texels[32..1024 * 16]);
    assert!(read[1025 * 16 + 16..] == texels[1025 * 16 + 16..]);
}

/// The host writes by itself what nothing can see before; the event is complete like any other.
#[test]
fn small_writes_to_an_idle_device_are_complete_at_once() {
    let device = device(false);
    let (queue, other) = (Queue::with_profiling(&device.0).unwrap(), Queue::new(&device.0).unwrap());
    let (buffer, kernel) = (Buffer::zeroed(&device.0, 64).unwrap(), increment(&device.0));
    device.0.finish().unwrap();
    let written = queue.write(&buffer, 0, &[7; 64]).unwrap();
    other.wait_for(&written).unwrap();
    other.launch(&kernel, &Launch::new(&[64]), &[Arg::Buffer(&buffer)]).unwrap();
    written.wait_timeout(Duration::from_secs(60)).unwrap();
    assert_eq!(written.status().unwrap(), EventStatus::Complete);
    let times = written.times().unwrap();
    assert!(times.submitted.is_some_and(|submitted| times.queued <= submitted));
    // Behind a launch that has not been submitted the write takes its turn.
    other.write(&buffer, 0, &[9; 32]).unwrap();
    let mut read = [0; 64];
    other.read(&buffer, 0, &mut read).unwrap();
    assert_eq!((read[0], read[31], read[32], read[63]), (9, 9, 8, 8));
}

#[test]
fn polling_ends_in_sleep() {
    let device = device(false);
    assert_eq!(device.0.polling().is_zero(), device.0.info().kind == clforge_runtime::DeviceKind::Cpu);
    let source = "kernel void sum(global uint *a, uint n)
    {
        uint x = a[0];
        for (uint i = 0; i < n; i++) x = x * 3 + i;
        a[0] = x;
    }";
    let kernel = Program::from_source(&device.0, source, &Default::default()).unwrap().kernel("sum").unwrap();
    let buffer = Buffer::zeroed(&device.0, 4).unwrap();
    for polling in [Duration::ZERO, Duration::from_micros(1), Duration::from_secs(5)] {
        device.0.set_polling(polling);
        assert_eq!(device.0.polling(), polling);
        buffer.fill(0).unwrap();
        kernel.launch(&Launch::new(&[1]), &[Arg::Buffer(&buffer), Arg::pod(&20_000u32)]).unwrap();
        let expected = (0..20_000u32).fold(0u32, |x, i| x.wrapping_mul(3).wrapping_add(i));
        assert_eq!(buffer.to_vec_of::<u32>().unwrap(), [expected]);
    }
}
