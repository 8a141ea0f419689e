//! Streams data through a device: while one block is computed, the next is uploaded and the last one downloaded.
//!
//! Three queues work on two sets of buffers, and wait for each other's events, never for the host.

use clforge_runtime::{Arg, Buffer, Device, DeviceSelector, Event, Launch, Program, Queue, Result};
use std::collections::VecDeque;
use std::time::Duration;

const SOURCE: &str = "
kernel void smooth(global const float *in, global float *out, uint count)
{
    uint i = get_global_id(0);
    float left = in[i == 0 ? 0 : i - 1], right = in[min(i + 1, count - 1)];
    out[i] = 0.25f * left + 0.5f * in[i] + 0.25f * right;
}
";
const BLOCK: usize = 1 << 16;
const BLOCKS: usize = 16;

/// Buffers of one block on its way, and when they may be used again.
struct Stage {
    input: Buffer,
    output: Buffer,
    computed: Option<Event>,
    downloaded: Option<Event>,
}

#[cfg_attr(test, test)]
fn main() -> Result<()> {
    let device = Device::open(&DeviceSelector::Best)?;
    let smooth = Program::from_source(&device, SOURCE, &Default::default())?.kernel("smooth")?;
    let (up, compute, down) = (Queue::new(&device)?, Queue::with_profiling(&device)?, Queue::new(&device)?);
    let bytes = (BLOCK * size_of::<f32>()) as u64;
    let stage = || -> Result<Stage> {
        let (input, output) = (Buffer::new(&device, bytes)?, Buffer::new(&device, bytes)?);
        Ok(Stage { input, output, computed: None, downloaded: None })
    };
    let mut stages = [stage()?, stage()?];
    let (mut downloads, mut launches) = (VecDeque::new(), Vec::new());
    for block in 0..BLOCKS {
        let stage = &mut stages[block % 2];
        let data: Vec<f32> = (0..BLOCK).map(|i| (block * i % 17) as f32).collect();

        // The input is free when the block before the last is computed, the output when that is downloaded.
        stage.computed.iter().try_for_each(|event| up.wait_for(event))?;
        let uploaded = up.write(&stage.input, 0, bytemuck::cast_slice(&data))?;

        compute.wait_for(&uploaded)?;
        stage.downloaded.iter().try_for_each(|event| compute.wait_for(event))?;
        let args = [Arg::Buffer(&stage.input), Arg::Buffer(&stage.output), Arg::pod(&(BLOCK as u32))];
        let computed = compute.launch(&smooth, &Launch::new(&[BLOCK as u64]), &args)?;

        down.wait_for(&computed)?;
        let download = down.read_async(&stage.output, 0, bytes)?;
        down.flush()?;
        stage.downloaded = Some(download.event().clone());
        stage.computed = Some(computed.clone());
        downloads.push_back((data, download));
        launches.push(computed);
    }
    for (data, download) in downloads {
        let result: Vec<f32> = download.wait()?.chunks_exact(4).map(bytemuck::pod_read_unaligned).collect();
        let at = |i: usize| data[i.min(BLOCK - 1)];
        let right = |i: usize| 0.25 * at(i.saturating_sub(1)) + 0.5 * at(i) + 0.25 * at(i + 1);
        assert!((0..BLOCK).all(|i| result[i] == right(i)));
    }
    let busy: Duration = launches.iter().filter_map(|event| event.times().ok()?.device()).sum();
    println!("{BLOCKS} blocks of {BLOCK} numbers; the device computed for {busy:?}");
    Ok(())
}
