//! Launches that take longer than they may. One test alone: the device is at work until the process ends.

mod common;

use clforge_runtime::{Arg, Buffer, Error, Launch, Program, Queue};
use common::device;
use std::time::Duration;

/// Not without an end, since lavapipe ends loops, but some hours long.
const SOURCE: &str = "
kernel void endless(global float *a)
{
    float x = get_global_id(0);
    for (int i = 0; i < 1000; i++) x = sin(x) + a[0];
    a[get_global_id(0) & 15] = x;
}
kernel void quick(global float *a) { a[get_global_id(0)] += 1; }
kernel void prints(global float *a)
{
    float x = get_global_id(0);
    for (int i = 0; i < 1000; i++) x = sin(x) + a[0];
    if (x == 7) printf(\"seven\");
}
";

#[test]
fn a_launch_that_does_not_end() {
    let limit = Duration::from_millis(300);
    let checked = device(false);
    for (name, always_waits) in [("endless", false), ("prints", true)] {
        // The device of the instance is given up each time.
        let device = if always_waits { device(false) } else { checked.again() };
        let program = Program::from_source(&device.0, SOURCE, &Default::default()).unwrap();
        let (kernel, quick) = (program.kernel(name).unwrap(), program.kernel("quick").unwrap());
        let (buffer, queue) = (Buffer::zeroed(&device.0, 64).unwrap(), Queue::new(&device.0).unwrap());
        let args = [Arg::Buffer(&buffer)];
        quick.launch(&Launch::new(&[16]).timeout(Duration::from_secs(600)), &args).unwrap();
        let launch = Launch::new(&[4_000_000_000]).timeout(limit);
        let error = if always_waits {
            queue.launch(&kernel, &launch, &args).map(|_| ()).unwrap_err()
        } else {
            kernel.launch(&launch, &args).map(|_| ()).unwrap_err()
        };
        assert!(
            matches!(&error, Error::LaunchTimeout { kernel, limit: given } if kernel == name && *given == limit),
            "{error}"
        );
        assert_eq!(error.to_string(), format!("kernel '{name}' has not ended after 300ms"));
        device.0.abandon();
        for outcome in [buffer.to_vec().map(|_| ()), quick.launch(&Launch::new(&[1]), &args).map(|_| ())] {
            assert!(matches!(outcome, Err(Error::DeviceLost { .. })), "{outcome:?}");
        }
        // Nothing waits here.
        drop((program, kernel, quick, buffer, queue));
    }
    // Another device works, if slowly.
    let other = device(false);
    let program = Program::from_source(&other.0, SOURCE, &Default::default()).unwrap();
    let buffer = Buffer::zeroed(&other.0, 64).unwrap();
    program.kernel("quick").unwrap().launch(&Launch::new(&[16]), &[Arg::Buffer(&buffer)]).unwrap();
    assert_eq!(buffer.to_vec_of::<f32>().unwrap(), [1.0; 16]);
}
