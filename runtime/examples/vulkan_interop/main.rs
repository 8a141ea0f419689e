//! Kernels inside of a program that uses Vulkan by itself: the program's device, its buffer and its image, without a copy.
//! Each frame is clear (program), kernel (clforge), copy (program), which semaphores order on the device; the host waits once.

mod engine;

use clforge_runtime::ash::vk;
use clforge_runtime::*;
use engine::Engine;

const WIDTH: u32 = 256;
const HEIGHT: u32 = 64;
const FRAMES: u64 = 10;

const SOURCE: &str = "
kernel void wave(write_only image2d_t picture, global const float *level, uint frame) {
    int x = get_global_id(0), y = get_global_id(1);
    float wave = 0.5f + 0.5f * sinpi((x + 8.0f * frame) / 64.0f);
    write_imagef(picture, (int2)(x, y), (float4)(wave, y / 63.0f, level[frame], 1.0f));
}";

fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    let engine = Engine::new(|_| true)?;
    let device = engine.lend()?;
    let wave = Program::from_source(&device, SOURCE, &Options::default())?.kernel("wave")?;

    // The program's objects, and what kernels see of them.
    let (levels, picture, pixels) =
        (engine.buffer(64)?, engine.image(WIDTH, HEIGHT)?, engine.buffer(u64::from(4 * WIDTH * HEIGHT))?);
    let format = ImageFormat { order: ChannelOrder::Rgba, channel: ChannelType::UnormInt8 };
    let description = ImageDescription { kind: ImageKind::D2, size: [WIDTH, HEIGHT, 1], format };
    let usage = vk::ImageUsageFlags::SAMPLED | vk::ImageUsageFlags::STORAGE;
    // SAFETY: objects of the same device, as they are described; the guards keep them.
    let (level, target, result) = unsafe {
        (
            Buffer::from_raw(&device, levels.raw, 64, levels.clone())?,
            Image::from_raw(&device, picture.raw, description, usage, picture.clone())?,
            Buffer::from_raw(&device, pixels.raw, u64::from(4 * WIDTH * HEIGHT), pixels.clone())?,
        )
    };

    let queue = Queue::new(&device)?;
    let semaphore = engine.semaphore()?;
    let mut done = (semaphore, 0);
    for (frame, number) in (0..FRAMES).zip(0u32..) {
        // The program writes a level, and brings the image into the layout that kernels need.
        let cleared = (semaphore, 2 * frame + 1);
        engine.submit(*device.lock_queue(0)?, done, cleared, |commands| {
            let level = (frame as f32 / FRAMES as f32).to_bits();
            // SAFETY: the buffer has room, and the commands before it are complete.
            unsafe { engine.device.cmd_fill_buffer(commands, levels.raw, 4 * frame, 4, level) };
            general_layout(&engine, commands, picture.raw, frame == 0);
        })?;
        // SAFETY: the semaphore is destroyed after the last frame.
        unsafe { queue.wait_for_semaphore(cleared.0, cleared.1) }?;
        let arguments = [Arg::Image(&target), Arg::Buffer(&level), Arg::pod(&number)];
        let drawn = queue.launch(&wave, &Launch::new(&[WIDTH.into(), HEIGHT.into()]), &arguments)?.semaphore()?;
        // The program goes on with what the kernel has drawn.
        done = (semaphore, 2 * frame + 2);
        engine.submit(*device.lock_queue(0)?, drawn, done, |commands| {
            let layers = vk::ImageSubresourceLayers {
                aspect_mask: vk::ImageAspectFlags::COLOR,
                mip_level: 0,
                base_array_layer: 0,
                layer_count: 1,
            };
            let region = vk::BufferImageCopy::default().image_subresource(layers).image_extent(vk::Extent3D {
                width: WIDTH,
                height: HEIGHT,
                depth: 1,
            });
            let (layout, regions) = (vk::ImageLayout::GENERAL, [region]);
            // SAFETY: the buffer has room for the texels.
            unsafe { engine.device.cmd_copy_image_to_buffer(commands, picture.raw, layout, pixels.raw, &regions) };
        })?;
    }
    // The runtime reads the program's buffer, after the program's last command.
    // SAFETY: as above.
    unsafe { queue.wait_for_semaphore(done.0, done.1) }?;
    let pixels = queue.read_async(&result, 0, u64::from(4 * WIDTH * HEIGHT))?.wait()?;
    check(&pixels);
    println!("{FRAMES} frames on {}; the last one is as it should be", device.info().name);
    engine.destroy_semaphore(*device.lock_queue(0)?, semaphore);
    for message in engine.messages() {
        eprintln!("{message}");
    }
    Ok(())
}

/// Records the change to the layout that kernels use: from none for a new image.
fn general_layout(engine: &Engine, commands: vk::CommandBuffer, image: vk::Image, is_new: bool) {
    let layout = vk::ImageLayout::GENERAL;
    let range = vk::ImageSubresourceRange {
        aspect_mask: vk::ImageAspectFlags::COLOR,
        base_mip_level: 0,
        level_count: 1,
        base_array_layer: 0,
        layer_count: 1,
    };
    let barrier = vk::ImageMemoryBarrier::default()
        .old_layout(if is_new { vk::ImageLayout::UNDEFINED } else { layout })
        .new_layout(layout)
        .src_queue_family_index(vk::QUEUE_FAMILY_IGNORED)
        .dst_queue_family_index(vk::QUEUE_FAMILY_IGNORED)
        .src_access_mask(vk::AccessFlags::MEMORY_WRITE)
        .dst_access_mask(vk::AccessFlags::MEMORY_READ | vk::AccessFlags::MEMORY_WRITE)
        .image(image)
        .subresource_range(range);
    let (all, none) = (vk::PipelineStageFlags::ALL_COMMANDS, vk::DependencyFlags::empty());
    // SAFETY: the image is alive and in that layout.
    unsafe { engine.device.cmd_pipeline_barrier(commands, all, all, none, &[], &[], &[barrier]) };
}

/// Compares the last frame with what the host computes.
fn check(pixels: &[u8]) {
    let frame = FRAMES - 1;
    for (index, texel) in pixels.chunks_exact(4).enumerate() {
        let (x, y) = (index as u32 % WIDTH, index as u32 / WIDTH);
        let wave = 0.5 + 0.5 * (std::f32::consts::PI * ((x as f32 + 8.0 * frame as f32) / 64.0)).sin();
        let expected = [wave, y as f32 / 63.0, frame as f32 / FRAMES as f32, 1.0];
        for (channel, value) in texel.iter().zip(expected) {
            assert!((f32::from(*channel) - 255.0 * value).abs() <= 1.0, "texel {x}, {y}: {texel:?}, not {expected:?}");
        }
    }
}

#[test]
fn the_last_frame_is_right() {
    main().unwrap();
}
