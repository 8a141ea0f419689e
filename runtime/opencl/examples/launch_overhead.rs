//! What `clEnqueueNDRangeKernel` takes of the calling thread's time, and the runtime's `Queue::launch` beside it:
//! `cargo run --release -p clforge-opencl --example launch_overhead`.
//!
//! A batch of launches is enqueued and then waited for. Batches of the two alternate, and the least time of a launch in any
//! batch counts, since everything else that runs on the machine only adds to it.

// The functions of the API are symbols of the library.
use clforge_opencl as _;
use clforge_runtime::{Arg, Buffer, Device, DeviceSelector, Launch, Program, Queue};
use opencl_sys::*;
use std::ffi::c_void;
use std::ptr::{null, null_mut};
use std::time::{Duration, Instant};

const SOURCE: &str = "kernel void k(global int *p, int value) { p[get_global_id(0)] = value; }";
static LAUNCHES: u32 = 200;
const BATCHES: u32 = 60;
const SIZE: u64 = 64;

type Handle = *mut c_void;
type Failure = Box<dyn std::error::Error>;

unsafe extern "C" {
    fn clIcdGetPlatformIDsKHR(count: cl_uint, platforms: *mut Handle, found: *mut cl_uint) -> cl_int;
    fn clGetDeviceIDs(p: Handle, kind: cl_ulong, count: cl_uint, all: *mut Handle, found: *mut cl_uint) -> cl_int;
    fn clCreateContext(
        p: *const isize,
        n: cl_uint,
        all: *const Handle,
        f: usize,
        d: Handle,
        code: *mut cl_int,
    ) -> Handle;
    fn clCreateCommandQueueWithProperties(c: Handle, d: Handle, p: *const cl_ulong, code: *mut cl_int) -> Handle;
    fn clCreateBuffer(c: Handle, flags: cl_ulong, size: usize, host: Handle, code: *mut cl_int) -> Handle;
    fn clCreateProgramWithSource(
        c: Handle,
        n: cl_uint,
        text: *const *const u8,
        sizes: *const usize,
        code: *mut cl_int,
    ) -> Handle;
    fn clBuildProgram(p: Handle, n: cl_uint, all: *const Handle, options: *const u8, f: usize, d: Handle) -> cl_int;
    fn clCreateKernel(p: Handle, name: *const u8, code: *mut cl_int) -> Handle;
    fn clSetKernelArg(kernel: Handle, index: cl_uint, size: usize, value: *const c_void) -> cl_int;
    fn clEnqueueNDRangeKernel(
        queue: Handle,
        kernel: Handle,
        dimensions: cl_uint,
        offset: *const usize,
        global: *const usize,
        local: *const usize,
        count: cl_uint,
        waits: *const Handle,
        event: *mut Handle,
    ) -> cl_int;
    fn clFinish(queue: Handle) -> cl_int;
}

/// The first call that failed.
fn check(code: cl_int, call: &str) -> Result<(), Failure> {
    if code == CL_SUCCESS { Ok(()) } else { Err(format!("{call} = {code}").into()) }
}

/// A queue and a kernel with its arguments, which are never released.
struct Client {
    queue: Handle,
    kernel: Handle,
}

impl Client {
    fn open() -> Result<Client, Failure> {
        let (mut platform, mut device, mut code) = (null_mut(), null_mut(), CL_SUCCESS);
        // SAFETY: every pointer is null where that is allowed, or leads to what the specification wants there; the text has
        // its length beside it, and the names end with a zero.
        unsafe {
            check(clIcdGetPlatformIDsKHR(1, &mut platform, null_mut()), "clIcdGetPlatformIDsKHR")?;
            check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &mut device, null_mut()), "clGetDeviceIDs")?;
            let context = clCreateContext(null(), 1, &device, 0, null_mut(), &mut code);
            check(code, "clCreateContext")?;
            let queue = clCreateCommandQueueWithProperties(context, device, null(), &mut code);
            check(code, "clCreateCommandQueueWithProperties")?;
            let buffer = clCreateBuffer(context, 0, 4 * SIZE as usize, null_mut(), &mut code);
            check(code, "clCreateBuffer")?;
            let program = clCreateProgramWithSource(context, 1, &SOURCE.as_ptr(), &SOURCE.len(), &mut code);
            check(code, "clCreateProgramWithSource")?;
            check(clBuildProgram(program, 1, &device, null(), 0, null_mut()), "clBuildProgram")?;
            let kernel = clCreateKernel(program, c"k".as_ptr().cast(), &mut code);
            check(code, "clCreateKernel")?;
            check(clSetKernelArg(kernel, 0, size_of::<Handle>(), (&raw const buffer).cast()), "clSetKernelArg")?;
            check(clSetKernelArg(kernel, 1, 4, (&raw const LAUNCHES).cast()), "clSetKernelArg")?;
            Ok(Client { queue, kernel })
        }
    }

    /// The time of a launch in one batch.
    fn batch(&self) -> Result<Duration, Failure> {
        let (global, local) = (SIZE as usize, SIZE as usize);
        let start = Instant::now();
        for _ in 0..LAUNCHES {
            // SAFETY: the handles are alive, and the sizes are of one dimension.
            let code = unsafe {
                clEnqueueNDRangeKernel(self.queue, self.kernel, 1, null(), &global, &local, 0, null(), null_mut())
            };
            check(code, "clEnqueueNDRangeKernel")?;
        }
        let time = start.elapsed() / LAUNCHES;
        // SAFETY: the queue is alive.
        check(unsafe { clFinish(self.queue) }, "clFinish")?;
        Ok(time)
    }
}

fn main() -> Result<(), Failure> {
    let client = Client::open()?;
    let device = Device::open(&DeviceSelector::Best)?;
    let kernel = Program::from_source(&device, SOURCE, &Default::default())?.kernel("k")?;
    let (queue, buffer) = (Queue::new(&device)?, Buffer::new(&device, 4 * SIZE)?);
    let (mut of_client, mut of_runtime) = (Duration::MAX, Duration::MAX);
    for _ in 0..BATCHES {
        of_client = of_client.min(client.batch()?);
        let start = Instant::now();
        for _ in 0..LAUNCHES {
            let args = [Arg::Buffer(&buffer), Arg::pod(&LAUNCHES)];
            queue.launch(&kernel, &Launch::new(&[SIZE]).local(&[SIZE]), &args)?;
        }
        of_runtime = of_runtime.min(start.elapsed() / LAUNCHES);
        queue.finish()?;
    }
    println!("clEnqueueNDRangeKernel {of_client:?}, Queue::launch {of_runtime:?}");
    Ok(())
}
