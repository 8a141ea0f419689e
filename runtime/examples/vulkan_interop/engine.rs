//! A program that uses Vulkan by itself, in small: a device, queues, buffers, images, and submissions that semaphores order.
#![allow(dead_code, reason = "the example and the tests use different parts")]

use clforge_runtime::ash::{self, ext, vk};
use clforge_runtime::{DeviceNeeds, ExternalDevice};
use std::error::Error;
use std::ffi::{CStr, c_void};
use std::sync::{Arc, Mutex};

const VERSION: u32 = vk::API_VERSION_1_3;
const VALIDATION: &CStr = c"VK_LAYER_KHRONOS_validation";

/// A device of Vulkan and one queue of it.
pub struct Engine {
    pub device: ash::Device,
    pub family: u32,
    pub queue: vk::Queue,
    physical: vk::PhysicalDevice,
    extensions: Vec<&'static CStr>,
    features: Vec<&'static str>,
    commands: vk::CommandPool,
    messenger: Option<(ext::debug_utils::Instance, vk::DebugUtilsMessengerEXT)>,
    messages: Box<Mutex<Vec<String>>>,
    instance: ash::Instance,
    entry: ash::Entry,
}

/// A buffer or an image of the engine, and its memory.
pub struct Object<T: Handle> {
    pub raw: T,
    memory: vk::DeviceMemory,
    engine: Arc<Engine>,
}

impl Engine {
    /// An engine whose device has the features of kernels that `wanted` chooses. The validation layer is loaded where it is
    /// installed, unless the environment variable `CLFORGE_VALIDATION` is 0: it complains of drivers that are newer than it.
    pub fn new(wanted: impl Fn(&str) -> bool) -> Result<Arc<Engine>, Box<dyn Error>> {
        // SAFETY: valid usage of Vulkan, as everywhere in this file: each handle is created from its parent, and destroyed before
        // it, when the device does not use it.
        unsafe {
            let entry = ash::Entry::load()?;
            let layers = entry.enumerate_instance_layer_properties()?;
            let allowed = std::env::var_os("CLFORGE_VALIDATION").is_none_or(|value| value != "0");
            let validates = allowed && layers.iter().any(|layer| layer.layer_name_as_c_str() == Ok(VALIDATION));
            let (layers, extensions) = match validates {
                true => (vec![VALIDATION.as_ptr()], vec![ext::debug_utils::NAME.as_ptr()]),
                false => (Vec::new(), Vec::new()),
            };
            let application = vk::ApplicationInfo::default().application_name(c"engine").api_version(VERSION);
            let info = vk::InstanceCreateInfo::default()
                .application_info(&application)
                .enabled_layer_names(&layers)
                .enabled_extension_names(&extensions);
            let instance = entry.create_instance(&info, None)?;
            let messages = Box::<Mutex<Vec<String>>>::default();
            let messenger = validates.then(|| messenger(&entry, &instance, &messages)).transpose()?;

            let physical = *instance.enumerate_physical_devices()?.first().ok_or("no device")?;
            let families = instance.get_physical_device_queue_family_properties(physical);
            let compute = families.iter().position(|family| family.queue_flags.contains(vk::QueueFlags::COMPUTE));
            let family = u32::try_from(compute.ok_or("no queue for kernels")?)?;
            let mut needs = DeviceNeeds::query(&entry, &instance, physical, VERSION);
            let features: Vec<_> = needs.feature_names().iter().copied().filter(|name| wanted(name)).collect();
            let extensions = needs.extensions().to_vec();
            let names: Vec<_> = extensions.iter().map(|name| name.as_ptr()).collect();
            let queues = [vk::DeviceQueueCreateInfo::default().queue_family_index(family).queue_priorities(&[1.0])];
            let mut enable = needs.features();
            let info = vk::DeviceCreateInfo::default()
                .queue_create_infos(&queues)
                .enabled_extension_names(&names)
                .push_next(&mut enable);
            let device = instance.create_device(physical, &info, None)?;
            let queue = device.get_device_queue(family, 0);
            let info = vk::CommandPoolCreateInfo::default().queue_family_index(family);
            let commands = device.create_command_pool(&info, None)?;
            let handles = Engine {
                device,
                family,
                queue,
                physical,
                extensions,
                features,
                commands,
                messenger,
                messages,
                instance,
                entry,
            };
            Ok(Arc::new(handles))
        }
    }

    /// The device for kernels.
    pub fn lend(self: &Arc<Engine>) -> clforge_runtime::Result<clforge_runtime::Device> {
        let external = ExternalDevice {
            entry: self.entry.clone(),
            instance: self.instance.clone(),
            api_version: VERSION,
            physical_device: self.physical,
            device: self.device.clone(),
            extensions: &self.extensions,
            features: &self.features,
            queue_family: self.family,
            queues: &[self.queue],
            guard: Box::new(self.clone()),
        };
        // SAFETY: the handles belong together, and the guard keeps the engine. It submits to the queue in `submit` alone.
        unsafe { clforge_runtime::Device::from_raw(external) }
    }

    /// What the validation layer has said.
    pub fn messages(&self) -> Vec<String> {
        self.messages.lock().unwrap().clone()
    }

    /// A buffer in memory of the device.
    pub fn buffer(self: &Arc<Engine>, size: u64) -> Result<Arc<Object<vk::Buffer>>, Box<dyn Error>> {
        let addresses = self.features.contains(&"bufferDeviceAddress");
        let usage = vk::BufferUsageFlags::STORAGE_BUFFER
            | vk::BufferUsageFlags::TRANSFER_SRC
            | vk::BufferUsageFlags::TRANSFER_DST
            | if addresses { vk::BufferUsageFlags::SHADER_DEVICE_ADDRESS } else { vk::BufferUsageFlags::empty() };
        let info = vk::BufferCreateInfo::default().size(size).usage(usage);
        // SAFETY: see `new`.
        unsafe {
            let raw = self.device.create_buffer(&info, None)?;
            let memory = self.memory(self.device.get_buffer_memory_requirements(raw), addresses)?;
            self.device.bind_buffer_memory(raw, memory, 0)?;
            Ok(Arc::new(Object { raw, memory, engine: self.clone() }))
        }
    }

    /// An image of two dimensions with four bytes for each texel.
    pub fn image(self: &Arc<Engine>, width: u32, height: u32) -> Result<Arc<Object<vk::Image>>, Box<dyn Error>> {
        let usage = vk::ImageUsageFlags::SAMPLED
            | vk::ImageUsageFlags::STORAGE
            | vk::ImageUsageFlags::TRANSFER_SRC
            | vk::ImageUsageFlags::TRANSFER_DST;
        let info = vk::ImageCreateInfo::default()
            .image_type(vk::ImageType::TYPE_2D)
            .format(vk::Format::R8G8B8A8_UNORM)
            .extent(vk::Extent3D { width, height, depth: 1 })
            .mip_levels(1)
            .array_layers(1)
            .samples(vk::SampleCountFlags::TYPE_1)
            .usage(usage);
        // SAFETY: see `new`.
        unsafe {
            let raw = self.device.create_image(&info, None)?;
            let memory = self.memory(self.device.get_image_memory_requirements(raw), false)?;
            self.device.bind_image_memory(raw, memory, 0)?;
            Ok(Arc::new(Object { raw, memory, engine: self.clone() }))
        }
    }

    fn memory(&self, needs: vk::MemoryRequirements, addresses: bool) -> Result<vk::DeviceMemory, Box<dyn Error>> {
        let mut flags = vk::MemoryAllocateFlagsInfo::default();
        if addresses {
            flags = flags.flags(vk::MemoryAllocateFlags::DEVICE_ADDRESS);
        }
        let info = vk::MemoryAllocateInfo::default()
            .allocation_size(needs.size)
            .memory_type_index(needs.memory_type_bits.trailing_zeros())
            .push_next(&mut flags);
        // SAFETY: see `new`.
        Ok(unsafe { self.device.allocate_memory(&info, None) }?)
    }

    /// A timeline semaphore with the value 0.
    pub fn semaphore(&self) -> Result<vk::Semaphore, Box<dyn Error>> {
        let mut kind = vk::SemaphoreTypeCreateInfo::default().semaphore_type(vk::SemaphoreType::TIMELINE);
        let info = vk::SemaphoreCreateInfo::default().push_next(&mut kind);
        // SAFETY: see `new`.
        Ok(unsafe { self.device.create_semaphore(&info, None) }?)
    }

    /// Destroys a semaphore whose work is complete, once the queue is idle: lavapipe 22.3.6 still locks the semaphores of a
    /// batch for a moment after the host has seen what the batch signals, and a thread of it then waited forever in a lock of a
    /// destroyed one (in some of 1,000 runs on a busy machine).
    pub fn destroy_semaphore(&self, queue: vk::Queue, semaphore: vk::Semaphore) {
        // SAFETY: see `new`; the caller holds the queue's lock, and an error of the wait (device lost) changes nothing.
        unsafe {
            let _ = self.device.queue_wait_idle(queue);
            self.device.destroy_semaphore(semaphore, None);
        }
    }

    /// Submits commands, which wait for the first semaphore's value and signal the second one's. The kernels' device must not
    /// submit at the same time: its queue is locked by the caller.
    pub fn submit(
        &self,
        queue: vk::Queue,
        wait: (vk::Semaphore, u64),
        signal: (vk::Semaphore, u64),
        record: impl FnOnce(vk::CommandBuffer),
    ) -> Result<(), Box<dyn Error>> {
        let info = vk::CommandBufferAllocateInfo::default().command_pool(self.commands).command_buffer_count(1);
        // SAFETY: see `new`; the pool frees the command buffer.
        unsafe {
            let commands = self.device.allocate_command_buffers(&info)?;
            let begin = vk::CommandBufferBeginInfo::default().flags(vk::CommandBufferUsageFlags::ONE_TIME_SUBMIT);
            self.device.begin_command_buffer(commands[0], &begin)?;
            record(commands[0]);
            self.device.end_command_buffer(commands[0])?;
            let (waits, wait_values, signals, values) = ([wait.0], [wait.1], [signal.0], [signal.1]);
            let mut timeline = vk::TimelineSemaphoreSubmitInfo::default()
                .wait_semaphore_values(&wait_values)
                .signal_semaphore_values(&values);
            let submit = vk::SubmitInfo::default()
                .wait_semaphores(&waits)
                .wait_dst_stage_mask(&[vk::PipelineStageFlags::ALL_COMMANDS])
                .command_buffers(&commands)
                .signal_semaphores(&signals)
                .push_next(&mut timeline);
            Ok(self.device.queue_submit(queue, &[submit], vk::Fence::null())?)
        }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // SAFETY: see `new`; whoever uses the engine has a reference to it.
        unsafe {
            let _ = self.device.device_wait_idle();
            self.device.destroy_command_pool(self.commands, None);
            self.device.destroy_device(None);
            if let Some((functions, messenger)) = self.messenger.take() {
                functions.destroy_debug_utils_messenger(messenger, None);
            }
            self.instance.destroy_instance(None);
        }
    }
}

/// An object that the engine can destroy.
pub trait Handle: Copy {
    /// # Safety
    /// The device does not use it.
    unsafe fn destroy(self, device: &ash::Device);
}

impl Handle for vk::Buffer {
    unsafe fn destroy(self, device: &ash::Device) {
        // SAFETY: the caller's promise.
        unsafe { device.destroy_buffer(self, None) }
    }
}

impl Handle for vk::Image {
    unsafe fn destroy(self, device: &ash::Device) {
        // SAFETY: the caller's promise.
        unsafe { device.destroy_image(self, None) }
    }
}

impl<T: Handle> Drop for Object<T> {
    fn drop(&mut self) {
        // SAFETY: the last reference is dropped after the last use.
        unsafe {
            self.raw.destroy(&self.engine.device);
            self.engine.device.free_memory(self.memory, None);
        }
    }
}

/// Keeps what the validation layer says.
///
/// # Safety
/// The messenger is destroyed before the messages.
unsafe fn messenger(
    entry: &ash::Entry,
    instance: &ash::Instance,
    messages: &Mutex<Vec<String>>,
) -> Result<(ext::debug_utils::Instance, vk::DebugUtilsMessengerEXT), vk::Result> {
    let functions = ext::debug_utils::Instance::new(entry, instance);
    let info = vk::DebugUtilsMessengerCreateInfoEXT::default()
        .message_severity(vk::DebugUtilsMessageSeverityFlagsEXT::ERROR | vk::DebugUtilsMessageSeverityFlagsEXT::WARNING)
        .message_type(vk::DebugUtilsMessageTypeFlagsEXT::VALIDATION)
        .pfn_user_callback(Some(keep))
        .user_data(std::ptr::from_ref(messages).cast_mut().cast());
    // SAFETY: the caller's promise.
    unsafe { functions.create_debug_utils_messenger(&info, None) }.map(|messenger| (functions, messenger))
}

unsafe extern "system" fn keep(
    _: vk::DebugUtilsMessageSeverityFlagsEXT,
    _: vk::DebugUtilsMessageTypeFlagsEXT,
    data: *const vk::DebugUtilsMessengerCallbackDataEXT<'_>,
    messages: *mut c_void,
) -> vk::Bool32 {
    // SAFETY: the layer gives valid data, and the messages that the messenger was created with.
    unsafe {
        if let (Some(data), Some(messages)) = (data.as_ref(), messages.cast::<Mutex<Vec<String>>>().as_ref())
            && let Some(text) = data.message_as_c_str()
            && let Ok(mut messages) = messages.lock()
        {
            messages.push(text.to_string_lossy().into_owned());
        }
    }
    vk::FALSE
}
