//! Adds two vectors on the best Vulkan device.
use clforge_runtime::{Arg, Buffer, Device, DeviceSelector, Error, Launch, Program};

const SOURCE: &str = "kernel void add(global const float *a, global const float *b, global float *sum)
{ size_t i = get_global_id(0); sum[i] = a[i] + b[i]; }";

#[cfg_attr(test, test)]
fn main() -> Result<(), Error> {
    let device = Device::open(&DeviceSelector::Best)?;
    let add = Program::from_source(&device, SOURCE, &Default::default())?.kernel("add")?;
    let a = Buffer::from_slice(&device, &[1.0f32, 2.0, 3.0])?;
    let b = Buffer::from_slice(&device, &[10.0f32, 20.0, 30.0])?;
    let sum = Buffer::zeroed(&device, a.size())?;
    add.launch(&Launch::new(&[3]), &[Arg::Buffer(&a), Arg::Buffer(&b), Arg::Buffer(&sum)])?;
    println!("{}: {:?}", device.info().name, sum.to_vec_of::<f32>()?);
    assert_eq!(sum.to_vec_of::<f32>()?, [11.0, 22.0, 33.0]);
    Ok(())
}
