//! Commands that copy the contents of objects of OpenGL to the memory objects that share them, and back (`cl_khr_gl_sharing`,
//! `cl_khr_egl_image`).

use super::image::{put, read_dense};
use super::{check_context, settle};
use crate::device::Device;
use crate::error::Result;
use crate::event::Event;
use crate::handle::{Object, Ref};
use crate::image::ImageShape;
use crate::memory::Memory;
use crate::queue::{Enqueue, Queue, Started};
use clforge_runtime as runtime;
use opencl_sys::cl_egl::CL_COMMAND_ACQUIRE_EGL_OBJECTS_KHR;
use opencl_sys::*;

/// Copies contents from OpenGL (`CL_COMMAND_ACQUIRE_…`) or to it.
///
/// # Errors
/// `CL_INVALID_GL_OBJECT` for a memory object that shares none, `CL_INVALID_CONTEXT`.
pub fn hand_over(
    queue: &Ref<Queue>,
    objects: &[Ref<Memory>],
    command: cl_command_type,
    waits: Vec<Ref<Event>>,
) -> Result<Ref<Event>> {
    for object in objects {
        object.gl()?;
        check_context(queue, object)?;
    }
    let acquires = [CL_COMMAND_ACQUIRE_GL_OBJECTS, CL_COMMAND_ACQUIRE_EGL_OBJECTS_KHR].contains(&command);
    let (device, objects) = (queue.device().clone(), objects.to_vec());
    let action = move |queue: &runtime::Queue| {
        // OpenGL does not wait for what this command waits for.
        settle(queue)?;
        for object in &objects {
            match acquires {
                true => acquire(object, &device, queue)?,
                false => release(object, &device, queue)?,
            }
        }
        Ok(if acquires { Started::OnDevice(queue.marker()?) } else { Started::Complete })
    };
    Enqueue::new(command, waits).on(queue, Box::new(action))
}

/// The whole of an image.
fn whole(shape: &ImageShape) -> [[usize; 3]; 2] {
    [[0; 3], shape.size()]
}

fn acquire(object: &Ref<Memory>, device: &Object<Device>, queue: &runtime::Queue) -> Result<()> {
    let shared = object.gl()?;
    let Some(shape) = object.shape() else {
        let bytes = shared.read(0, object.size())?;
        let _turns = Memory::turns_with([object], device);
        queue.write(&object.write_on(device, queue)?, 0, &bytes)?;
        return Ok(());
    };
    for level in 0..shape.levels() {
        let part = Memory::level(object, level as usize)?;
        let shape = shape.at_level(level);
        let texels = shared.read(level, shape.bytes())?;
        put(&part, device, queue, whole(&shape), &texels)?;
    }
    Ok(())
}

fn release(object: &Ref<Memory>, device: &Object<Device>, queue: &runtime::Queue) -> Result<()> {
    // Nothing can have written it.
    if object.flags().has(CL_MEM_IMMUTABLE_EXT) {
        return Ok(());
    }
    let shared = object.gl()?;
    let Some(shape) = object.shape() else {
        let mut bytes = vec![0; object.size()];
        {
            let _turns = Memory::turns_with([object], device);
            queue.read(&object.read_on(device, queue)?, 0, &mut bytes)?;
        }
        return shared.write(0, bytes);
    };
    for level in 0..shape.levels() {
        let part = Memory::level(object, level as usize)?;
        let shape = shape.at_level(level);
        let mut texels = vec![0; shape.bytes()];
        read_dense(&part, device, queue, whole(&shape), &mut texels)?;
        shared.write(level, texels)?;
    }
    Ok(())
}
