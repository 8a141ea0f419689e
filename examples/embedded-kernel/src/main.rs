//! An application that drives Vulkan by itself, through ash, and runs a kernel that `build.rs` compiled from OpenCL C.
//!
//! What is left out for brevity: objects are only destroyed when all goes well.

mod gpu;

/// The module, and where its arguments go.
mod kernel {
    include!(concat!(env!("OUT_DIR"), "/scale.rs"));
    pub const MODULE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/scale.spv"));
}

use ash::vk;
use gpu::Gpu;
use std::error::Error;

const LOCAL_SIZE: u32 = 64;

fn main() -> Result<(), Box<dyn Error>> {
    let numbers: Vec<u32> = (0..1000).collect();
    let scaled = scale(&numbers, 7)?;
    assert!(numbers.iter().zip(&scaled).all(|(before, after)| before * 7 == *after));
    println!("{} numbers are seven times as large", scaled.len());
    Ok(())
}

/// Multiplies numbers on the device.
fn scale(numbers: &[u32], factor: u32) -> Result<Vec<u32>, Box<dyn Error>> {
    let gpu = Gpu::open()?;
    let (layout, pipeline) = pipeline(&gpu.device)?;
    let buffer = gpu.buffer(numbers)?;

    // Arguments are push constants; pointers are device addresses. What describes the ND-range is zero: there is no
    // global offset, and one dispatch is enough.
    let mut push = [0; kernel::PUSH_CONSTANTS];
    push[kernel::DATA..][..8].copy_from_slice(&buffer.address.to_le_bytes());
    push[kernel::COUNT..][..4].copy_from_slice(&(numbers.len() as u32).to_le_bytes());
    push[kernel::FACTOR..][..4].copy_from_slice(&factor.to_le_bytes());

    gpu.run(|commands| {
        let groups = (numbers.len() as u32).div_ceil(LOCAL_SIZE);
        // SAFETY: the commands are being recorded; layout and pipeline belong together.
        unsafe {
            gpu.device.cmd_bind_pipeline(commands, vk::PipelineBindPoint::COMPUTE, pipeline);
            gpu.device.cmd_push_constants(commands, layout, vk::ShaderStageFlags::COMPUTE, 0, &push);
            gpu.device.cmd_dispatch(commands, groups, 1, 1);
        }
    })?;
    let scaled = gpu.read(&buffer, numbers.len())?;
    // SAFETY: the device is idle, since `run` waits.
    unsafe {
        gpu.device.destroy_pipeline(pipeline, None);
        gpu.device.destroy_pipeline_layout(layout, None);
    }
    gpu.close(buffer);
    Ok(scaled)
}

/// The kernel for work-groups of [`LOCAL_SIZE`]: the size is three specialisation constants.
fn pipeline(device: &ash::Device) -> Result<(vk::PipelineLayout, vk::Pipeline), Box<dyn Error>> {
    let code = ash::util::read_spv(&mut std::io::Cursor::new(kernel::MODULE))?;
    let push = [vk::PushConstantRange {
        stage_flags: vk::ShaderStageFlags::COMPUTE,
        offset: 0,
        size: kernel::PUSH_CONSTANTS as u32,
    }];
    let entries = [0, 1, 2].map(|d| vk::SpecializationMapEntry {
        constant_id: kernel::LOCAL_SIZE_IDS[d],
        offset: 4 * d as u32,
        size: 4,
    });
    let sizes: Vec<u8> = [LOCAL_SIZE, 1, 1].into_iter().flat_map(u32::to_le_bytes).collect();
    let specialization = vk::SpecializationInfo::default().map_entries(&entries).data(&sizes);
    // SAFETY: the module is valid and has this entry point; layout and constants are those that its reflection tells.
    unsafe {
        let module = device.create_shader_module(&vk::ShaderModuleCreateInfo::default().code(&code), None)?;
        let layout = vk::PipelineLayoutCreateInfo::default().push_constant_ranges(&push);
        let layout = device.create_pipeline_layout(&layout, None)?;
        let stage = vk::PipelineShaderStageCreateInfo::default()
            .stage(vk::ShaderStageFlags::COMPUTE)
            .module(module)
            .name(kernel::NAME)
            .specialization_info(&specialization);
        let info = [vk::ComputePipelineCreateInfo::default().stage(stage).layout(layout)];
        let pipelines = device.create_compute_pipelines(vk::PipelineCache::null(), &info, None);
        let pipelines = pipelines.map_err(|(_, error)| error)?;
        device.destroy_shader_module(module, None);
        Ok((layout, pipelines[0]))
    }
}

#[test]
fn numbers_are_scaled() {
    assert_eq!(scale(&[1, 2, 3], 5).unwrap(), [5, 10, 15]);
}
