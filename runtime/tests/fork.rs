//! A process that is forked after a device was opened. It has no other test: threads of others would not be in the child.
#![cfg(unix)]

use clforge_runtime::{Buffer, Device, DeviceSelector, Error, Queue, fork};

/// What the child finds: its exit code, 0 for what is expected.
fn child(device: &Device, queue: &Queue, buffer: &Buffer) -> i32 {
    let is_lost = |result: Result<(), Error>| matches!(result, Err(Error::DeviceLost { call: "fork" }));
    let fill = || queue.fill(buffer, 0, 64, &[1, 2, 3, 4])?.wait();
    let finish = || device.finish();
    match (fork::is_cut_off(), is_lost(fill()), is_lost(finish())) {
        (true, true, true) => 0,
        (is_cut_off, fill, finish) => 1 + i32::from(is_cut_off) + 2 * i32::from(fill) + 4 * i32::from(finish),
    }
}

#[test]
fn a_child_does_not_wait_for_threads_of_its_parent() {
    let device = Device::open(&DeviceSelector::Best).unwrap();
    let queue = Queue::new(&device).unwrap();
    let buffer = Buffer::new(&device, 64).unwrap();
    queue.fill(&buffer, 0, 64, &[7]).unwrap().wait().unwrap();
    assert!(!fork::is_cut_off());
    // SAFETY: the child takes no locks that other threads of the test program may hold, and ends without handlers.
    let process = unsafe { libc::fork() };
    if process == 0 {
        // SAFETY: no preconditions. A child that hangs is ended by a signal.
        unsafe { libc::alarm(20) };
        let code = child(&device, &queue, &buffer);
        drop((buffer, queue, device));
        // SAFETY: no preconditions.
        unsafe { libc::_exit(code) };
    }
    let mut status = 0;
    // SAFETY: the status is valid during the call.
    assert_eq!(unsafe { libc::waitpid(process, &raw mut status, 0) }, process);
    assert!(libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == 0, "{status:#x}");
    assert_eq!(buffer.to_vec().unwrap(), [7; 64]);
}
