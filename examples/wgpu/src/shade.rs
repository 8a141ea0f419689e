//! A kernel as a compute pipeline of wgpu: the compiler's module, and the bindings that its reflection names.

use clforge_compiler::interface::{ArgumentBinding, ModuleInterface};
use clforge_compiler::options::Translatable;
use clforge_compiler::{Options, Source, compile};
use std::borrow::Cow;
use std::error::Error;
use std::sync::mpsc;
use wgpu::util::{BufferInitDescriptor, DeviceExt};

/// The kernel `shade` with its arguments.
pub struct Shade {
    pipeline: wgpu::ComputePipeline,
    bindings: wgpu::BindGroup,
    groups: [u32; 2],
    grey: wgpu::Buffer,
}

impl Shade {
    /// Compiles the kernel, and binds the buffer that it reads.
    pub fn new(
        device: &wgpu::Device,
        source: &str,
        heights: &wgpu::Buffer,
        [width, rows]: [u32; 2],
    ) -> Result<Shade, Box<dyn Error>> {
        // Modules that wgpu's translator takes have no specialisation constants: the work-group size is that of the attribute.
        let options = Options::default().for_web_gpu(Translatable::new([64, 1, 1]));
        let source = Source { name: "kernels.cl", text: source.as_bytes() };
        let compiled = compile(source, &options).map_err(|errors| errors.render(false))?;
        let interface = ModuleInterface::from_spirv(&compiled.spirv)?;
        let kernel = interface.kernels.iter().find(|kernel| kernel.name == "shade").ok_or("there is no 'shade'")?;
        let group = kernel.required_work_group_size.ok_or("the kernel requires no work-group size")?;

        let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC;
        let size = u64::from(width * rows) * 4;
        let descriptor = wgpu::BufferDescriptor { label: Some("grey"), size, usage, mapped_at_creation: false };
        let grey = device.create_buffer(&descriptor);
        // Buffers have bindings of their own; plain values lie in one uniform buffer.
        let (mut entries, mut plain) = (Vec::new(), [0u8; 256]);
        let mut plain_binding = None;
        for argument in &kernel.arguments {
            match (argument.binding, argument.ordinal) {
                (ArgumentBinding::StorageBuffer(at), 0) => entries.push((at.binding, heights)),
                (ArgumentBinding::StorageBuffer(at), 1) => entries.push((at.binding, &grey)),
                (ArgumentBinding::PodUniform { at, offset, .. }, ordinal) => {
                    let value = if ordinal == 2 { width } else { rows };
                    plain[offset as usize..][..4].copy_from_slice(&value.to_le_bytes());
                    plain_binding = Some(at.binding);
                }
                (other, ordinal) => return Err(format!("argument {ordinal} travels as {other:?}").into()),
            }
        }
        let contents = BufferInitDescriptor { label: None, contents: &plain, usage: wgpu::BufferUsages::UNIFORM };
        let values = device.create_buffer_init(&contents);
        entries.extend(plain_binding.map(|binding| (binding, &values)));

        // wgpu's translator takes no reflection.
        let module = clforge_reflect::strip_reflection(&compiled.spirv)?;
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some("kernels.cl"),
            source: wgpu::ShaderSource::SpirV(Cow::Owned(module)),
        });
        let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some("shade"),
            layout: None,
            module: &module,
            entry_point: Some("shade"),
            compilation_options: Default::default(),
            cache: None,
        });
        let entry = |(binding, buffer): (u32, _)| wgpu::BindGroupEntry {
            binding,
            resource: wgpu::Buffer::as_entire_binding(buffer),
        };
        let entries: Vec<_> = entries.into_iter().map(entry).collect();
        let bindings = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &pipeline.get_bind_group_layout(0),
            entries: &entries,
        });
        let groups = [width.div_ceil(group[0]), rows.div_ceil(group[1])];
        Ok(Shade { pipeline, bindings, groups, grey })
    }

    /// Runs it, and returns what it wrote.
    pub fn run(&self, device: &wgpu::Device, queue: &wgpu::Queue) -> Result<Vec<u32>, Box<dyn Error>> {
        let usage = wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST;
        let size = self.grey.size();
        let read =
            device.create_buffer(&wgpu::BufferDescriptor { label: None, size, usage, mapped_at_creation: false });
        let mut encoder = device.create_command_encoder(&Default::default());
        {
            let mut pass = encoder.begin_compute_pass(&Default::default());
            pass.set_pipeline(&self.pipeline);
            pass.set_bind_group(0, &self.bindings, &[]);
            pass.dispatch_workgroups(self.groups[0], self.groups[1], 1);
        }
        encoder.copy_buffer_to_buffer(&self.grey, 0, &read, 0, size);
        queue.submit([encoder.finish()]);
        let (sender, receiver) = mpsc::channel();
        read.slice(..).map_async(wgpu::MapMode::Read, move |result| _ = sender.send(result));
        device.poll(wgpu::PollType::wait_indefinitely())?;
        receiver.recv()??;
        let bytes = read.slice(..).get_mapped_range()?;
        let (words, _) = bytes.as_chunks::<4>();
        Ok(words.iter().map(|word| u32::from_le_bytes(*word)).collect())
    }
}
