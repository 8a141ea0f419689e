//! What an application that uses Vulkan has already: a device, memory, command buffers.

use ash::{khr, vk};
use std::error::Error;
use std::ffi::CStr;

/// An open device with one queue.
pub struct Gpu {
    pub device: ash::Device,
    instance: ash::Instance,
    physical: vk::PhysicalDevice,
    queue: vk::Queue,
    pool: vk::CommandPool,
    _entry: ash::Entry,
}

/// A buffer that the host sees too.
pub struct Buffer {
    pub address: u64,
    raw: vk::Buffer,
    memory: vk::DeviceMemory,
}

impl Gpu {
    /// Opens the first device, with the features that the kernel's module declares: addresses, the memory model,
    /// 64-bit integers; and non-semantic information, which is where its reflection is.
    pub fn open() -> Result<Gpu, Box<dyn Error>> {
        // SAFETY: the loader is the system's; all structures live until they are used; indices are of this device.
        unsafe {
            let entry = ash::Entry::load()?;
            let application = vk::ApplicationInfo::default().api_version(vk::API_VERSION_1_3);
            let info = vk::InstanceCreateInfo::default().application_info(&application);
            let instance = entry.create_instance(&info, None)?;
            let physical = *instance.enumerate_physical_devices()?.first().ok_or("no Vulkan device")?;
            let families = instance.get_physical_device_queue_family_properties(physical);
            let computes = |family: &vk::QueueFamilyProperties| family.queue_flags.contains(vk::QueueFlags::COMPUTE);
            let family = families.iter().position(computes).ok_or("no compute queue")? as u32;

            let mut features12 = vk::PhysicalDeviceVulkan12Features::default()
                .buffer_device_address(true)
                .vulkan_memory_model(true)
                .vulkan_memory_model_device_scope(true);
            let features = vk::PhysicalDeviceFeatures::default().shader_int64(true);
            // Part of Vulkan 1.3; devices need not list it then.
            let available = instance.enumerate_device_extension_properties(physical)?;
            let mut extensions = vec![khr::shader_non_semantic_info::NAME];
            extensions.retain(|name| available.iter().any(|other| other.extension_name_as_c_str() == Ok(name)));
            let extensions: Vec<_> = extensions.into_iter().map(CStr::as_ptr).collect();
            let queues = [vk::DeviceQueueCreateInfo::default().queue_family_index(family).queue_priorities(&[1.0])];
            let info = vk::DeviceCreateInfo::default()
                .queue_create_infos(&queues)
                .enabled_extension_names(&extensions)
                .enabled_features(&features)
                .push_next(&mut features12);
            let device = instance.create_device(physical, &info, None)?;
            let queue = device.get_device_queue(family, 0);
            let info = vk::CommandPoolCreateInfo::default().queue_family_index(family);
            let pool = device.create_command_pool(&info, None)?;
            Ok(Gpu { device, instance, physical, queue, pool, _entry: entry })
        }
    }

    /// A buffer with these contents.
    pub fn buffer(&self, contents: &[u32]) -> Result<Buffer, Box<dyn Error>> {
        let device = &self.device;
        let usage = vk::BufferUsageFlags::STORAGE_BUFFER | vk::BufferUsageFlags::SHADER_DEVICE_ADDRESS;
        let info = vk::BufferCreateInfo::default().size(size_of_val(contents) as u64).usage(usage);
        let wanted = vk::MemoryPropertyFlags::HOST_VISIBLE | vk::MemoryPropertyFlags::HOST_COHERENT;
        // SAFETY: memory type and size are what the buffer requires; the mapped range holds the contents.
        unsafe {
            let raw = device.create_buffer(&info, None)?;
            let requirements = device.get_buffer_memory_requirements(raw);
            let types = self.instance.get_physical_device_memory_properties(self.physical);
            let fits = |(index, kind): &(usize, &vk::MemoryType)| {
                requirements.memory_type_bits & (1 << index) != 0 && kind.property_flags.contains(wanted)
            };
            let index = types.memory_types_as_slice().iter().enumerate().find(fits).ok_or("no memory")?.0 as u32;
            let mut flags = vk::MemoryAllocateFlagsInfo::default().flags(vk::MemoryAllocateFlags::DEVICE_ADDRESS);
            let info = vk::MemoryAllocateInfo::default()
                .allocation_size(requirements.size)
                .memory_type_index(index)
                .push_next(&mut flags);
            let memory = device.allocate_memory(&info, None)?;
            device.bind_buffer_memory(raw, memory, 0)?;
            let bytes = device.map_memory(memory, 0, vk::WHOLE_SIZE, vk::MemoryMapFlags::empty())?;
            bytes.cast::<u32>().copy_from_nonoverlapping(contents.as_ptr(), contents.len());
            device.unmap_memory(memory);
            let address = device.get_buffer_device_address(&vk::BufferDeviceAddressInfo::default().buffer(raw));
            Ok(Buffer { address, raw, memory })
        }
    }

    /// The first `count` numbers of a buffer.
    pub fn read(&self, buffer: &Buffer, count: usize) -> Result<Vec<u32>, vk::Result> {
        let mut numbers = vec![0; count];
        // SAFETY: the buffer has that many numbers, and the device does not use it.
        unsafe {
            let bytes = self.device.map_memory(buffer.memory, 0, vk::WHOLE_SIZE, vk::MemoryMapFlags::empty())?;
            bytes.cast::<u32>().copy_to_nonoverlapping(numbers.as_mut_ptr(), count);
            self.device.unmap_memory(buffer.memory);
        }
        Ok(numbers)
    }

    /// Records commands, runs them and waits; the host sees what they write.
    pub fn run(&self, record: impl FnOnce(vk::CommandBuffer)) -> Result<(), vk::Result> {
        let device = &self.device;
        let info = vk::CommandBufferAllocateInfo::default().command_pool(self.pool).command_buffer_count(1);
        let barrier = [vk::MemoryBarrier::default()
            .src_access_mask(vk::AccessFlags::SHADER_WRITE)
            .dst_access_mask(vk::AccessFlags::HOST_READ)];
        let (from, to) = (vk::PipelineStageFlags::COMPUTE_SHADER, vk::PipelineStageFlags::HOST);
        // SAFETY: one thread uses pool and queue; the commands are complete when they are freed.
        unsafe {
            let commands = device.allocate_command_buffers(&info)?;
            device.begin_command_buffer(commands[0], &vk::CommandBufferBeginInfo::default())?;
            record(commands[0]);
            device.cmd_pipeline_barrier(commands[0], from, to, vk::DependencyFlags::empty(), &barrier, &[], &[]);
            device.end_command_buffer(commands[0])?;
            let submit = [vk::SubmitInfo::default().command_buffers(&commands)];
            device.queue_submit(self.queue, &submit, vk::Fence::null())?;
            device.queue_wait_idle(self.queue)?;
            device.free_command_buffers(self.pool, &commands);
        }
        Ok(())
    }

    /// Destroys everything.
    pub fn close(self, buffer: Buffer) {
        // SAFETY: the device is idle, and these are all objects that are left.
        unsafe {
            self.device.destroy_buffer(buffer.raw, None);
            self.device.free_memory(buffer.memory, None);
            self.device.destroy_command_pool(self.pool, None);
            self.device.destroy_device(None);
            self.instance.destroy_instance(None);
        }
    }
}
