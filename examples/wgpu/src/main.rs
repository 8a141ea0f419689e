//! Two kernels of OpenCL C on one device of wgpu, with one buffer: clforge's runtime launches the first, on wgpu's own `VkDevice`, and
//! wgpu the second, as a shader module. Nothing is copied between them. See README.md.

mod shade;

use clforge_runtime::{Arg, Buffer, Device, ExternalDevice, Launch, Program, Queue};
use shade::Shade;
use std::error::Error;
use wgpu::hal::api::Vulkan;

const SOURCE: &str = include_str!("kernels.cl");
const WIDTH: u32 = 320;
const ROWS: u32 = 200;
const TIME: f32 = 4.0;
/// Where, when and how high drops have fallen.
const DROPS: [[f32; 4]; 3] = [[90.0, 60.0, 0.0, 1.0], [230.0, 120.0, 1.0, 0.8], [160.0, 170.0, 2.5, 0.6]];

fn main() -> Result<(), Box<dyn Error>> {
    let (device, queue) = pollster::block_on(open())?;
    let lent = lend(&device)?;
    println!(
        "{}: {}",
        lent.info().name,
        if lent.info().has_feature("bufferDeviceAddress") { "addresses" } else { "bindings" }
    );

    // The buffer is the runtime's, and wgpu's under another name.
    let size = u64::from(WIDTH * ROWS) * 4;
    let heights = Buffer::zeroed(&lent, size)?;
    let shared = share(&device, &heights, size);
    let shade = Shade::new(&device, SOURCE, &shared, [WIDTH, ROWS])?;

    let waves = Program::from_source(&lent, SOURCE, &Default::default())?.kernel("waves")?;
    let drops = Buffer::from_slice(&lent, DROPS.as_flattened())?;
    let launches = Queue::new(&lent)?;
    let (width, count) = (WIDTH as i32, DROPS.len() as i32);
    let args = [Arg::Buffer(&heights), Arg::pod(&width), Arg::pod(&TIME), Arg::Buffer(&drops), Arg::pod(&count)];
    launches.launch(&waves, &Launch::new(&[WIDTH.into(), ROWS.into()]), &args)?;
    // One queue of Vulkan serves both, which one thread at a time may use: here this one, which waits in between.
    launches.finish()?;

    let grey = shade.run(&device, &queue)?;
    let file = "waves.pgm";
    let bytes: Vec<u8> = grey.iter().map(|grey| *grey as u8).collect();
    std::fs::write(file, [format!("P5\n{WIDTH} {ROWS}\n255\n").as_bytes(), &bytes].concat())?;
    let wrong = differences(&grey);
    if wrong > 0 {
        return Err(format!("{wrong} of {} pixels are not those of the host", grey.len()).into());
    }
    println!("{file}: {} pixels are those of the host", grey.len());
    Ok(())
}

/// A device of wgpu on Vulkan.
async fn open() -> Result<(wgpu::Device, wgpu::Queue), Box<dyn Error>> {
    let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
    descriptor.backends = wgpu::Backends::VULKAN;
    let instance = wgpu::Instance::new(descriptor);
    let adapter = instance.request_adapter(&wgpu::RequestAdapterOptions::default()).await?;
    Ok(adapter.request_device(&wgpu::DeviceDescriptor::default()).await?)
}

/// wgpu's device as one of the runtime's. It has no more features than wgpu has enabled: without buffer addresses kernels get
/// their buffers by bindings, and types that the device lacks are emulated.
fn lend(device: &wgpu::Device) -> Result<Device, Box<dyn Error>> {
    // SAFETY: what is taken out of wgpu's device is not destroyed, and the guard keeps the device. wgpu enables timeline semaphores
    // where there are any. While both use the queue, only this thread submits to it.
    unsafe {
        let hal = device.as_hal::<Vulkan>().ok_or("the device is not Vulkan's")?;
        let instance = hal.shared_instance();
        let external = ExternalDevice {
            entry: instance.entry().clone(),
            instance: instance.raw_instance().clone(),
            api_version: instance.instance_api_version(),
            physical_device: hal.raw_physical_device(),
            device: hal.raw_device().clone(),
            extensions: hal.enabled_device_extensions(),
            features: &["timelineSemaphore"],
            queue_family: hal.queue_family_index(),
            queues: &[hal.raw_queue()],
            guard: Box::new(device.clone()),
        };
        Ok(Device::from_raw(external)?)
    }
}

/// A buffer of the runtime's as one of wgpu's.
fn share(device: &wgpu::Device, buffer: &Buffer, size: u64) -> wgpu::Buffer {
    let descriptor = wgpu::BufferDescriptor {
        label: Some("heights"),
        size,
        usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    };
    let (raw, offset) = buffer.as_raw();
    assert_eq!(offset, 0, "a whole buffer begins where Vulkan's does");
    let kept = buffer.clone();
    // SAFETY: the buffer has all these usages, and lives until wgpu drops its own.
    unsafe {
        let hal = wgpu::hal::vulkan::Buffer::from_raw_externally_owned(raw, Box::new(move || drop(kept)));
        device.create_buffer_from_hal::<Vulkan>(hal, &descriptor)
    }
}

/// How many pixels differ by more than one from those of the same computation on the host, in double precision.
fn differences(grey: &[u32]) -> usize {
    let height = |x: u32, y: u32| -> f64 {
        let wave = |drop: &[f32; 4]| {
            let [left, top, start, strength] = drop.map(f64::from);
            let (age, from) = (f64::from(TIME) - start, (f64::from(x) - left).hypot(f64::from(y) - top));
            let fading = (-0.02 * from - 0.3 * age).exp();
            if age > 0.0 { strength * (0.3 * (from - 30.0 * age)).cos() * fading } else { 0.0 }
        };
        DROPS.iter().map(wave).sum()
    };
    let expected = |x: u32, y: u32| {
        let slope = height((x + 1).min(WIDTH - 1), y) + height(x, (y + 1).min(ROWS - 1)) - 2.0 * height(x, y);
        (128.0 + 200.0 * slope).clamp(0.0, 255.0)
    };
    let pixels = (0..ROWS).flat_map(|y| (0..WIDTH).map(move |x| (x, y)));
    pixels.zip(grey).filter(|((x, y), grey)| (f64::from(**grey) - expected(*x, *y)).abs() > 1.01).count()
}
