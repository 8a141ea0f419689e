//! Costs of the runtime: launches, transfers, allocations.

use crate::measure::microseconds;
use crate::report::Cost;
use crate::sources;
use clforge_runtime::measure::{BareLaunches, compile_kernels};
use clforge_runtime::{
    Arg, Buffer, Cache, CommandBuffer, CommandRecorder, Device, DeviceSelector, Instance, InstanceOptions, Kernel,
    Launch, Program, Queue,
};
use std::error::Error;
use std::time::{Duration, Instant, SystemTime};

/// Launches in a row, and repetitions of what is short.
pub const MANY: usize = 1000;
/// Parts into which the repetitions are divided of what is measured by turns.
const ROUNDS: usize = 10;

/// A runtime whose costs are measured. Every function ends when its work is complete, but for `enqueue` and `write`.
pub trait Subject {
    /// Builds a program with a definition that no cache has seen, and returns the time of its first launch.
    fn build(&mut self, source: &str, options: &str) -> Result<Duration, String>;
    /// Builds a program so that all its kernels can be launched without compiling any more.
    fn build_kernels(&mut self, source: &str, local: u32) -> Result<(), String>;
    /// Launches one work-item without waiting.
    fn enqueue(&mut self) -> Result<(), String>;
    fn finish(&mut self) -> Result<(), String>;
    /// Writes by a queue, as a blocking `clEnqueueWriteBuffer`: the bytes may be changed afterwards, and every later command
    /// of the queue sees them.
    fn write(&mut self, bytes: &[u8]) -> Result<(), String>;
    fn read(&mut self, bytes: &mut [u8]) -> Result<(), String>;
    fn copy(&mut self, size: usize) -> Result<(), String>;
    fn fill(&mut self, size: usize) -> Result<(), String>;
    fn allocate(&mut self, size: usize) -> Result<(), String>;
}

/// A row: name, bytes moved, and how it is measured.
type Measurement = (String, u64, Box<dyn Fn(&mut dyn Subject) -> Result<f64, String>>);

/// The best time of several, in microseconds.
fn best(repeat: usize, mut once: impl FnMut() -> Result<(), String>) -> Result<f64, String> {
    let mut least = Duration::MAX;
    for _ in 0..repeat.max(1) {
        let start = Instant::now();
        once()?;
        least = least.min(start.elapsed());
    }
    Ok(microseconds(least))
}

/// The median time of several, in microseconds.
pub fn median(repeat: usize, mut once: impl FnMut() -> Result<(), String>) -> Result<f64, String> {
    let mut times = Vec::new();
    for _ in 0..repeat.max(1) {
        let start = Instant::now();
        once()?;
        times.push(start.elapsed());
    }
    times.sort_unstable();
    Ok(times.get(times.len() / 2).copied().map_or(0.0, microseconds))
}

fn measurements(large: usize) -> Vec<Measurement> {
    let mut all: Vec<Measurement> = vec![
        ("build a program".into(), 0, Box::new(|subject| build(subject, "BUILD").map(|(build, _)| build))),
        ("first launch of it".into(), 0, Box::new(|subject| build(subject, "FIRST").map(|(_, first)| first))),
        (
            "launch and wait".into(),
            0,
            Box::new(|subject| {
                median(MANY, || {
                    subject.enqueue()?;
                    subject.finish()
                })
            }),
        ),
        ("pipelined launch".into(), 0, Box::new(pipelined)),
    ];
    for (label, size) in
        [("4 bytes", 4), ("256 bytes", 256), ("4 KiB", 4 << 10), ("64 KiB", 64 << 10), ("1 MiB", 1 << 20)]
    {
        all.push((
            format!("write {label}"),
            0,
            Box::new(move |subject| {
                let bytes = vec![1; size];
                median(200, || subject.write(&bytes))
            }),
        ));
        all.push((
            format!("write {label} and finish"),
            0,
            Box::new(move |subject| {
                let bytes = vec![1; size];
                median(200, || {
                    subject.write(&bytes)?;
                    subject.finish()
                })
            }),
        ));
        all.push((
            format!("read {label}"),
            0,
            Box::new(move |subject| {
                let mut bytes = vec![1; size];
                median(200, || subject.read(&mut bytes))
            }),
        ));
    }
    all.extend(bulk(large));
    all.extend(BUILT.iter().map(|name| programs(name)));
    all
}

/// Files whose kernels are built all: they have several, without images.
const BUILT: [&str; 7] = ["calls", "cipher", "double", "fractal", "hash", "math", "order"];

/// Building a file, with the pipelines of all its kernels.
fn programs(name: &'static str) -> Measurement {
    let run = move |subject: &mut dyn Subject| {
        // Each with another local size: drivers know pipelines again whose code is the same.
        let mut sizes = [64, 96, 128].into_iter();
        median(sizes.len(), || subject.build_kernels(&unseen(name, "ALL")?, sizes.next().unwrap_or(64)))
    };
    (format!("build {name}.cl and all pipelines"), 0, Box::new(run))
}

/// The text of a file with a definition that no cache has seen: drivers keep programs on disk, by their text.
pub fn unseen(name: &str, definition: &str) -> Result<String, String> {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_nanos();
    let text = sources::text(name)?;
    Ok(format!("{text}\nconstant uint {definition}{now} = {};\n", now % 1_000_000_007))
}

fn bulk(large: usize) -> Vec<Measurement> {
    let label = format!("{} MiB", large >> 20);
    let moved = large as u64;
    vec![
        (
            format!("write {label}"),
            moved,
            Box::new(move |subject| {
                let bytes = vec![1; large];
                best(5, || {
                    subject.write(&bytes)?;
                    subject.finish()
                })
            }),
        ),
        (
            format!("read {label}"),
            moved,
            Box::new(move |subject| {
                let mut bytes = vec![1; large];
                best(5, || subject.read(&mut bytes))
            }),
        ),
        (
            format!("copy {label} on the device (read and written)"),
            2 * moved,
            Box::new(move |subject| best(10, || subject.copy(large))),
        ),
        (format!("fill {label}"), moved, Box::new(move |subject| best(10, || subject.fill(large)))),
        ("allocate and free 64 KiB".into(), 0, Box::new(|subject| median(100, || subject.allocate(64 << 10)))),
        (format!("allocate and free {label}"), 0, Box::new(move |subject| median(10, || subject.allocate(large)))),
    ]
}

fn pipelined(subject: &mut dyn Subject) -> Result<f64, String> {
    let all = best(3, || {
        for _ in 0..MANY {
            subject.enqueue()?;
        }
        subject.finish()
    })?;
    Ok(all / MANY as f64)
}

/// Build and first launch, in microseconds.
fn build(subject: &mut dyn Subject, name: &str) -> Result<(f64, f64), String> {
    let source = unseen("matrix", name)?;
    let start = Instant::now();
    let first = subject.build(&source, "")?;
    Ok((microseconds(start.elapsed().saturating_sub(first)), microseconds(first)))
}

/// Measures all costs of all subjects, the first of which is ours.
pub fn measure(subjects: &mut [(String, Box<dyn Subject>)], large: usize) -> Vec<Cost> {
    let mut costs = Vec::new();
    for (name, bytes, run) in measurements(large) {
        let mut cost = Cost { name, bytes, ..Cost::default() };
        for (index, (engine, subject)) in subjects.iter_mut().enumerate() {
            match run(subject.as_mut()) {
                Ok(time) if index == 0 => cost.ours = Some(time),
                Ok(time) => _ = cost.theirs.insert(engine.clone(), time),
                Err(error) => eprintln!("{}: {engine}: {error}", cost.name),
            }
        }
        costs.push(cost);
    }
    costs
}

/// Costs that only we have: opening the device, the least that Vulkan takes and what a launch adds to it, a launch with timings.
pub fn ours(selector: &DeviceSelector) -> Result<Vec<Cost>, String> {
    ours_of(selector).map_err(|error| error.to_string())
}

fn ours_of(selector: &DeviceSelector) -> Result<Vec<Cost>, Box<dyn Error>> {
    let start = Instant::now();
    let device = Instance::new(InstanceOptions::default()).and_then(|instance| instance.open(selector))?;
    let open = microseconds(start.elapsed());
    device.set_cache(Cache::off());
    let program = Program::from_source(&device, sources::text("costs")?, &Default::default())?;
    let (nothing, increment) = (program.kernel("nothing")?, program.kernel("increment")?);
    let (queue, buffer) = (Queue::new(&device)?, Buffer::zeroed(&device, 4)?);
    let (range, args) = (Launch::new(&[1]).local(&[1]), [Arg::Buffer(&buffer)]);
    let wait = |kernel, args: &[Arg<'_>]| queue.launch(kernel, &range, args).and_then(|_| queue.finish());
    wait(&nothing, &[])?;
    wait(&increment, &args)?;
    let mut empty = BareLaunches::new(&queue, &nothing, &[], 1)?;
    let mut bare = BareLaunches::new(&queue, &increment, &args, 1)?;
    let mut many = BareLaunches::new(&queue, &increment, &args, MANY as u32)?;
    let text = |error: clforge_runtime::Error| error.to_string();
    // By turns, since the clocks of device and host change.
    let mut rounds = [const { Vec::new() }; 4];
    for _ in 0..ROUNDS {
        rounds[0].push(median(MANY / ROUNDS, || empty.run().map_err(text))?);
        rounds[1].push(median(MANY / ROUNDS, || bare.run().map_err(text))?);
        rounds[2].push(median(MANY / ROUNDS, || wait(&increment, &args).map_err(text))?);
        rounds[3].push(median(MANY / ROUNDS, || nothing.launch(&range, &[]).map(drop).map_err(text))?);
    }
    let names = [
        "submit and poll an empty kernel, Vulkan alone",
        "submit and poll, Vulkan alone",
        "launch and wait by turns with it",
        "launch and wait, with timings",
    ];
    let mut times = vec![("open the device", open)];
    times.extend(names.into_iter().zip(rounds.map(|mut times| {
        times.sort_unstable_by(f64::total_cmp);
        times[ROUNDS / 2]
    })));
    let of_each = |time: f64| time / MANY as f64;
    let recording = best(ROUNDS, || many.record().map_err(text)).map(of_each)?;
    let execution = best(ROUNDS, || many.run().map_err(text)).map(of_each)?;
    times.extend([("record one of many launches, Vulkan alone", recording)]);
    times.extend([("execute one of many recorded launches, Vulkan alone", execution)]);
    times.extend(command_buffers(&queue, [(&nothing, &[]), (&increment, &args)])?);
    let cost = |(name, time): (&str, f64)| Cost { name: name.into(), ours: Some(time), ..Cost::default() };
    Ok(times.into_iter().map(cost).collect())
}

/// Launches of an empty kernel and of one that increments a number, as command buffers: a launch from its enqueueing to its end, and
/// what it takes the host.
fn command_buffers(
    queue: &Queue,
    [empty, increment]: [(&Kernel, &[Arg<'_>]); 2],
) -> Result<Vec<(&'static str, f64)>, Box<dyn Error>> {
    let (range, text) = (Launch::new(&[1]).local(&[1]), |error: clforge_runtime::Error| error.to_string());
    let recorded = |(kernel, args): (&Kernel, &[Arg<'_>])| {
        let mut recorder = CommandRecorder::new(queue.device())?;
        (0..MANY).try_for_each(|_| recorder.launch(kernel, &range, args))?;
        recorder.finish()
    };
    let (empty, increment) = (recorded(empty)?, recorded(increment)?);
    let execute = |commands: &CommandBuffer| queue.execute(commands).and_then(|_| queue.finish()).map_err(text);
    let submit = |commands: &CommandBuffer| queue.execute(commands).and_then(|_| queue.flush()).map_err(text);
    let mut of_host = Vec::new();
    for _ in 0..ROUNDS {
        of_host.push(median(1, || submit(&empty))?);
        queue.finish()?;
    }
    of_host.sort_unstable_by(f64::total_cmp);
    let times = [
        ("execute one of many empty launches of a command buffer", best(ROUNDS, || execute(&empty))?),
        ("execute one of many launches of a command buffer", best(ROUNDS, || execute(&increment))?),
        ("enqueue one of many launches of a command buffer", of_host[ROUNDS / 2]),
    ];
    Ok(times.map(|(name, time)| (name, time / MANY as f64)).to_vec())
}

/// This project's runtime.
pub struct Ours {
    device: Device,
    queue: Queue,
    kernel: Kernel,
    small: Buffer,
    buffers: [Buffer; 2],
}

impl Ours {
    /// With buffers of `large` bytes.
    pub fn new(device: &Device, large: usize) -> Result<Ours, String> {
        let make = || {
            let program = Program::from_source(device, sources::text("costs")?, &Default::default());
            let kernel = program.and_then(|program| program.kernel("increment"));
            let buffer = |size| Buffer::zeroed(device, size as u64);
            let (small, a, b) = (buffer(4), buffer(large), buffer(large));
            let buffers = a.and_then(|a| Ok((small?, [a, b?], kernel?, Queue::new(device)?)));
            buffers.map_err(|error| error.to_string())
        };
        let (small, buffers, kernel, queue) = make()?;
        Ok(Ours { device: device.clone(), queue, kernel, small, buffers })
    }
}

impl Subject for Ours {
    fn build(&mut self, source: &str, options: &str) -> Result<Duration, String> {
        self.device.set_cache(Cache::off());
        let options = clforge_runtime::build_options(options).map_err(|error| error.to_string())?;
        let program = Program::from_source(&self.device, source, &options);
        let kernel = program.and_then(|program| program.kernel("tiled")).map_err(|error| error.to_string())?;
        let buffer = Arg::Buffer(&self.buffers[0]);
        let (start, size) = (Instant::now(), 16u32);
        let range = Launch::new(&[16, 16]).local(&[16, 16]);
        kernel.launch(&range, &[buffer, buffer, buffer, Arg::pod(&size)]).map_err(|error| error.to_string())?;
        Ok(start.elapsed())
    }

    fn build_kernels(&mut self, source: &str, local: u32) -> Result<(), String> {
        self.device.set_cache(Cache::off());
        let program = Program::from_source(&self.device, source, &Default::default());
        program.and_then(|program| compile_kernels(&program, local)).map_err(|error| error.to_string())
    }

    fn enqueue(&mut self) -> Result<(), String> {
        let range = Launch::new(&[1]).local(&[1]);
        let event = self.queue.launch(&self.kernel, &range, &[Arg::Buffer(&self.small)]);
        event.map(drop).map_err(|error| error.to_string())
    }

    fn finish(&mut self) -> Result<(), String> {
        self.queue.finish().map_err(|error| error.to_string())
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), String> {
        self.queue.write(&self.buffers[0], 0, bytes).map(drop).map_err(|error| error.to_string())
    }

    fn read(&mut self, bytes: &mut [u8]) -> Result<(), String> {
        self.queue.read(&self.buffers[0], 0, bytes).map_err(|error| error.to_string())
    }

    fn copy(&mut self, size: usize) -> Result<(), String> {
        let [from, to] = &self.buffers;
        let event = self.queue.copy(from, 0, to, 0, size as u64);
        event.and_then(|event| event.wait()).map_err(|error| error.to_string())
    }

    fn fill(&mut self, size: usize) -> Result<(), String> {
        let event = self.queue.fill(&self.buffers[0], 0, size as u64, &[0; 4]);
        event.and_then(|event| event.wait()).map_err(|error| error.to_string())
    }

    fn allocate(&mut self, size: usize) -> Result<(), String> {
        Buffer::new(&self.device, size as u64).map(drop).map_err(|error| error.to_string())
    }
}

/// An OpenCL driver.
#[cfg(feature = "opencl")]
pub mod opencl {
    use super::{Duration, Instant, Launch, Subject, sources};
    use clforge_harness::HostArg;
    use clforge_harness::opencl::{ClBuffer, ClLaunch, Runner};
    use std::sync::Arc;

    /// A driver, a kernel and buffers.
    pub struct Theirs {
        runner: Runner,
        launch: ClLaunch,
        buffers: [ClBuffer; 2],
    }

    impl Theirs {
        /// With buffers of `large` bytes.
        pub fn new(runner: &Runner, large: usize) -> Result<Theirs, String> {
            let program = Arc::new(runner.build_source(sources::text("costs")?, "")?);
            let args = vec![HostArg::Buffer(vec![0; 4])];
            let launch = program.prepare("increment", &Launch::new(&[1]).local(&[1]), args)?;
            let buffers = [runner.allocate(large)?, runner.allocate(large)?];
            Ok(Theirs { runner: runner.clone(), launch, buffers })
        }
    }

    impl Subject for Theirs {
        fn build(&mut self, source: &str, options: &str) -> Result<Duration, String> {
            let program = Arc::new(self.runner.build_source(source, options)?);
            let buffer = || HostArg::Buffer(vec![0; 1024]);
            let args = vec![buffer(), buffer(), buffer(), HostArg::Pod(16u32.to_le_bytes().to_vec())];
            let launch = program.prepare("tiled", &Launch::new(&[16, 16]).local(&[16, 16]), args)?;
            let start = Instant::now();
            launch.time()?;
            Ok(start.elapsed())
        }

        fn build_kernels(&mut self, source: &str, _: u32) -> Result<(), String> {
            self.runner.build_source(source, "").map(drop)
        }

        fn enqueue(&mut self) -> Result<(), String> {
            self.launch.enqueue()
        }

        fn finish(&mut self) -> Result<(), String> {
            self.runner.finish()
        }

        fn write(&mut self, bytes: &[u8]) -> Result<(), String> {
            self.buffers[0].write(bytes)
        }

        fn read(&mut self, bytes: &mut [u8]) -> Result<(), String> {
            self.buffers[0].read(bytes)
        }

        fn copy(&mut self, size: usize) -> Result<(), String> {
            self.buffers[0].copy_to(&self.buffers[1], size)?;
            self.runner.finish()
        }

        fn fill(&mut self, size: usize) -> Result<(), String> {
            self.buffers[0].fill(size)?;
            self.runner.finish()
        }

        fn allocate(&mut self, size: usize) -> Result<(), String> {
            self.runner.allocate(size).map(drop)
        }
    }
}
