//! Queues on the device (section 5.1): names of what kernels enqueue to. Kernels enqueue to the memory of their launch,
//! whichever queue they name, and the runtime executes what is there (`clforge_runtime`, `launch/descendants.rs`).

use crate::device::Device;
use crate::error::{Result, ensure};
use opencl_sys::*;

/// What a queue on the device was created with.
#[derive(Clone, Copy, Debug)]
pub struct OnDevice {
    /// `CL_QUEUE_SIZE` in bytes.
    pub size: u32,
    /// Whether it is to be the default queue of the device.
    pub is_default: bool,
}

impl OnDevice {
    /// The properties of a queue on the device; `None` for one of the host.
    ///
    /// # Errors
    /// `CL_INVALID_VALUE` for a size or a default of a queue of the host, or a queue on the device in order;
    /// `CL_INVALID_QUEUE_PROPERTIES` for a device without, and for a size above its limit.
    pub fn new(
        properties: cl_command_queue_properties,
        size: Option<cl_queue_properties>,
        device: &Device,
    ) -> Result<Option<OnDevice>> {
        let (is_on_device, is_default) =
            (properties & CL_QUEUE_ON_DEVICE != 0, properties & CL_QUEUE_ON_DEVICE_DEFAULT != 0);
        if !is_on_device {
            ensure(
                size.is_none() && !is_default,
                CL_INVALID_VALUE,
                "properties of queues on the device for another one",
            )?;
            return Ok(None);
        }
        let is_out_of_order = properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE != 0;
        ensure(is_out_of_order, CL_INVALID_VALUE, "queues on the device are out of order")?;
        ensure(device.has_device_enqueue(), CL_INVALID_QUEUE_PROPERTIES, "the device has no queues of its own")?;
        let size = size.unwrap_or(Device::PREFERRED_QUEUE_SIZE.into());
        let size = u32::try_from(size).ok().filter(|size| *size <= Device::MAX_QUEUE_SIZE);
        let size = size.ok_or(());
        ensure(size.is_ok(), CL_INVALID_QUEUE_PROPERTIES, "a larger queue than the device has")?;
        Ok(size.ok().map(|size| OnDevice { size, is_default }))
    }
}
