//! `--client`: what commands cost a client of each OpenCL driver, by turns, and Vulkan alone beside them.
//!
//! Each driver is measured through `libOpenCL.so.1`, as a program sees it. clforge's own driver is one of them where it is
//! among the loader's vendors (`OCL_ICD_VENDORS`).

use crate::costs::{MANY, median};
use crate::sources;
use clforge_harness::HostArg;
use clforge_harness::opencl::{ClBuffer, ClLaunch, ClProgram, Runner};
use clforge_runtime::measure::BareLaunches;
use clforge_runtime::{Arg, Buffer, Device, Launch, Program, Queue};
use std::fmt::Write;
use std::sync::Arc;
use std::time::Duration;

/// How often each driver has its turn in a row.
const TURNS: usize = 7;
const KIB: usize = 1 << 10;
const MIB: usize = 1 << 20;

/// A driver with what the rows need.
struct Client {
    runner: Runner,
    program: Arc<ClProgram>,
    launch: ClLaunch,
    /// Of 64 MiB, the size of the largest transfer.
    buffers: [ClBuffer; 2],
}

/// A row: its name, and the median time of an operation in microseconds.
type Row = (String, Box<dyn Fn(&Client) -> Result<f64, String>>);

impl Client {
    fn new(runner: Runner) -> Result<Client, String> {
        let program = Arc::new(runner.build_source(sources::text("costs")?, "")?);
        let range = Launch::new(&[1]).local(&[1]);
        let launch = program.prepare("increment", &range, vec![HostArg::Buffer(vec![0; 4])])?;
        let buffers = [runner.allocate(64 * MIB)?, runner.allocate(64 * MIB)?];
        buffers.iter().try_for_each(|buffer| buffer.fill(64 * MIB))?;
        runner.finish()?;
        Ok(Client { runner, program, launch, buffers })
    }

    fn launch_and_finish(&self) -> Result<(), String> {
        self.launch.enqueue()?;
        self.runner.finish()
    }

    /// A buffer that a launch uses before it is released.
    fn temporary(&self, size: usize) -> Result<(), String> {
        let buffer = self.runner.allocate(size)?;
        self.program.launch_once("increment", &buffer)
    }
}

fn row(name: &str, repeat: usize, once: impl Fn(&Client) -> Result<(), String> + 'static) -> Row {
    (name.to_owned(), Box::new(move |client| median(repeat, || once(client))))
}

fn rows() -> Vec<Row> {
    let mut rows = vec![
        row("launch, finish", MANY, Client::launch_and_finish),
        row("launch, wait for its event", MANY, |client| client.launch.time().map(drop)),
        row("launch, blocking read of 4 bytes", MANY, |client| {
            client.launch.enqueue()?;
            client.buffers[0].read(&mut [0; 4])
        }),
        row("copy 4 bytes, finish", MANY, |client| {
            client.buffers[0].copy_to(&client.buffers[1], 4)?;
            client.runner.finish()
        }),
        row("fill 4 KiB, finish", MANY, |client| {
            client.buffers[0].fill(4 * KIB)?;
            client.runner.finish()
        }),
        row("create kernel, set, launch, finish, release", MANY, |client| {
            client.program.launch_once("increment", &client.buffers[0])
        }),
    ];
    for count in [2, 5, 10, 20, 100] {
        rows.push(row(&format!("{count} launches, finish"), 100, move |client| {
            (0..count).try_for_each(|_| client.launch.enqueue())?;
            client.runner.finish()
        }));
    }
    rows.push(row("100 launches with events, finish", 100, |client| client.launch.enqueue_with_events(100)));
    rows.extend([(1, 50), (10, 10), (100, 3)].map(|(pause, repeat)| idle(pause, repeat)));
    rows.push(row("build a program of one kernel, launch it", 3, build));
    for (label, size) in [("64 KiB", 64 * KIB), ("4 MiB", 4 * MIB), ("16 MiB", 16 * MIB), ("64 MiB", 64 * MIB)] {
        rows.push(row(&format!("create and release a buffer of {label}"), 50, move |client| {
            client.runner.allocate(size).map(drop)
        }));
        rows.push(row(&format!("create buffer and kernel, launch, finish, release, {label}"), 30, move |client| {
            client.temporary(size)
        }));
    }
    for (label, size) in
        [("4 KiB", 4 * KIB), ("64 KiB", 64 * KIB), ("256 KiB", 256 * KIB), ("1 MiB", MIB), ("16 MiB", 16 * MIB)]
    {
        let repeat = if size > MIB { 10 } else { 200 };
        rows.push(row(&format!("map {label} for reading, unmap"), repeat, move |client| {
            client.buffers[0].map_and_unmap(size).map(|sum| _ = std::hint::black_box(sum))
        }));
        rows.extend(transfers(label, size, repeat));
    }
    rows.extend(transfers("64 MiB", 64 * MIB, 5));
    rows
}

/// A launch after so many milliseconds without work.
fn idle(pause: u64, repeat: usize) -> Row {
    let run = move |client: &Client| {
        let mut times = Vec::new();
        for _ in 0..repeat {
            std::thread::sleep(Duration::from_millis(pause));
            times.push(median(1, || client.launch_and_finish())?);
        }
        times.sort_unstable_by(f64::total_cmp);
        Ok(times[times.len() / 2])
    };
    (format!("launch, finish after {pause} ms of rest"), Box::new(run))
}

fn build(client: &Client) -> Result<(), String> {
    let program = client.runner.build_source(&crate::costs::unseen("costs", "CLIENT")?, "")?;
    program.launch_once("increment", &client.buffers[0])
}

fn transfers(label: &str, size: usize, repeat: usize) -> [Row; 2] {
    let read = move |client: &Client| {
        let mut bytes = vec![1; size];
        median(repeat, || client.buffers[0].read(&mut bytes))
    };
    let write = move |client: &Client| {
        let bytes = vec![1; size];
        median(repeat, || client.buffers[0].write(&bytes))
    };
    [(format!("blocking read of {label}"), Box::new(read)), (format!("blocking write of {label}"), Box::new(write))]
}

/// Measures the rows whose names are wanted, and returns the table.
pub fn table(device: &Device, runners: Vec<Runner>, wants: &dyn Fn(&str) -> bool) -> Result<String, String> {
    let clients = runners.into_iter().filter_map(|runner| {
        let name = runner.description();
        Client::new(runner).map_err(|error| eprintln!("{name}: {error}")).ok().map(|client| (name, client))
    });
    let clients: Vec<(String, Client)> = clients.collect();
    let Some(own) = clients.iter().position(|(name, _)| name.contains("clforge")) else {
        return Err("clforge's OpenCL driver is not installed: OCL_ICD_VENDORS names a folder with it".into());
    };
    let names: Vec<&str> = clients.iter().map(|(name, _)| name.as_str()).collect();
    let mut text = format!("| a client's cost, us | {} |\n|---|{}\n", names.join(" | "), "---:|".repeat(names.len()));
    for (name, run) in rows().into_iter().filter(|(name, _)| wants(name)) {
        let times = by_turns(&clients, &run);
        let mut line = format!("| {name} |");
        for (index, time) in times.iter().enumerate() {
            let ratio = match (&times[own], time) {
                (Ok(ours), Ok(time)) if index != own => format!(" ({:.2})", time / ours),
                _ => String::new(),
            };
            let _ = match time {
                Ok(time) => write!(line, " {time:.1}{ratio} |"),
                Err(error) => write!(line, " {} |", error.replace('|', "/")),
            };
        }
        println!("{line}");
        text += &line;
        text.push('\n');
    }
    let [bare, many] = vulkan_alone(device)?;
    let _ = write!(text, "\nVulkan alone: {bare:.1} us for one launch and its end, {many:.1} for 100.");
    Ok(text)
}

/// The median time of each client, which have as many turns each.
fn by_turns(clients: &[(String, Client)], run: &dyn Fn(&Client) -> Result<f64, String>) -> Vec<Result<f64, String>> {
    let mut times: Vec<Result<Vec<f64>, String>> = clients.iter().map(|_| Ok(Vec::new())).collect();
    for _ in 0..TURNS {
        for ((_, client), times) in clients.iter().zip(&mut times) {
            let Ok(known) = times else { continue };
            match run(client) {
                Ok(time) => known.push(time),
                Err(error) => *times = Err(error),
            }
        }
    }
    let middle = |mut times: Vec<f64>| {
        times.sort_unstable_by(f64::total_cmp);
        times[times.len() / 2]
    };
    times.into_iter().map(|times| times.map(middle)).collect()
}

/// The times of one launch and of 100, recorded beforehand, with nothing but Vulkan, in microseconds.
fn vulkan_alone(device: &Device) -> Result<[f64; 2], String> {
    let text = |error: clforge_runtime::Error| error.to_string();
    let program = Program::from_source(device, sources::text("costs")?, &Default::default()).map_err(text)?;
    let kernel = program.kernel("increment").map_err(text)?;
    let (queue, buffer) = (Queue::new(device).map_err(text)?, Buffer::zeroed(device, 4).map_err(text)?);
    let args = [Arg::Buffer(&buffer)];
    // The pipeline is that of an earlier launch.
    queue.launch(&kernel, &Launch::new(&[1]).local(&[1]), &args).and_then(|_| queue.finish()).map_err(text)?;
    let time = |count: u32| {
        let mut bare = BareLaunches::new(&queue, &kernel, &args, count).map_err(text)?;
        median(MANY / count as usize * 5, || bare.run().map_err(text))
    };
    Ok([time(1)?, time(100)?])
}
