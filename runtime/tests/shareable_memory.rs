//! Buffers that two devices share by file descriptors, in both directions; both devices are the same hardware, as two processes
//! would have it.
#![cfg(unix)]

mod common;

use clforge_runtime::{Arg, Buffer, Device, Error, Launch, MemoryHandle, Options, Program};
use common::device;

fn add(device: &Device, buffer: &Buffer, by: u32) {
    let source = "kernel void add(global uint *a, uint by) { a[get_global_id(0)] += by; }";
    let kernel = Program::from_source(device, source, &Options::default()).unwrap().kernel("add").unwrap();
    kernel.launch(&Launch::new(&[buffer.size() / 4]), &[Arg::Buffer(buffer), Arg::pod(&by)]).unwrap();
}

/// A buffer to share, or the error of a device that has no such memory.
fn shareable(device: &Device, size: u64, handle: MemoryHandle) -> Option<Buffer> {
    let name = if handle == MemoryHandle::DmaBuf { "memory by dma_buf" } else { "memory by file descriptors" };
    let made = Buffer::shareable(device, size, handle);
    if !device.info().has_feature(name) {
        assert!(matches!(made, Err(Error::Unsupported(_))));
        return None;
    }
    match made {
        // lavapipe has the extension also where Linux has no `/dev/udmabuf`.
        Err(_) if handle == MemoryHandle::DmaBuf => None,
        made => Some(made.unwrap()),
    }
}

#[test]
fn two_devices_see_what_the_other_one_writes() {
    let exporter = device(false);
    for handle in MemoryHandle::ALL {
        for size in [4, 100, 1 << 20] {
            let Some(first) = shareable(&exporter.0, size, handle) else { continue };
            let words = usize::try_from(size / 4).unwrap();
            first.write(0, bytemuck::cast_slice(&vec![1u32; words])).unwrap();
            add(&exporter.0, &first, 10);
            let importer = device(false);
            // SAFETY: the descriptor is of a buffer with so many bytes, of the same driver and device.
            let second =
                unsafe { Buffer::from_descriptor(&importer.0, size, handle, first.export().unwrap()) }.unwrap();
            assert_eq!(second.to_vec_of::<u32>().unwrap(), vec![11; words], "{handle:?}, {size}");
            add(&importer.0, &second, 100);
            assert_eq!(first.to_vec_of::<u32>().unwrap(), vec![111; words], "{handle:?}, {size}");
            // The memory lives as long as somebody has it.
            let again = first.export().unwrap();
            drop((first, second));
            // SAFETY: as above.
            let third = unsafe { Buffer::from_descriptor(&importer.0, size, handle, again) }.unwrap();
            assert_eq!(third.to_vec_of::<u32>().unwrap(), vec![111; words], "{handle:?}, {size}");
        }
    }
}

#[test]
fn other_buffers_are_not_exported() {
    let device = device(false);
    let buffer = Buffer::zeroed(&device.0, 64).unwrap();
    assert!(matches!(buffer.export(), Err(Error::Unsupported(text)) if text.contains("not created for it")));
}
