//! The demo: compiles the programs for both targets, validates them, runs them on the best Vulkan device, checks each
//! against its host reference, prints a table, and writes the Mandelbrot picture.
//!
//! Exit codes: 0 all right, 1 something is wrong, 3 no device.
#![forbid(unsafe_code)]

use clforge_runtime::{Device, DeviceSelector};
use shaders_test::backend::{Executable, OPENCL, VULKAN};
use shaders_test::programs::{self, Program};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

const PICTURE: &str = "mandelbrot.png";

fn main() -> ExitCode {
    let device = match Device::open(&DeviceSelector::Best) {
        Ok(device) => device,
        Err(error) => {
            eprintln!("error: {error}");
            return ExitCode::from(3);
        }
    };
    let info = device.info();
    println!("device: {} ({}, Vulkan {})\n", info.name, info.driver, info.api_version);
    println!("{:14} {:>10} {:>10} {:>10}  ok", "program", "compile ms", "run ms", "max error");
    let mut wrong = 0;
    for program in programs::ALL {
        print!("{:14} ", program.name);
        // The line grows while the work is done, so that it is seen what takes its time.
        let _ = std::io::stdout().flush();
        match try_program(program, &device) {
            Ok(row) => {
                let ok = if row.ok { "yes" } else { "NO" };
                wrong += usize::from(!row.ok);
                println!(
                    "{:>10.2} {:>10.3} {:>10.1e}  {ok}",
                    milliseconds(row.compile),
                    milliseconds(row.run),
                    row.max_error
                );
            }
            Err(message) => {
                wrong += 1;
                println!("{:>10} {:>10} {:>10}  NO", "-", "-", "-");
                eprintln!("{}", message.trim_end());
            }
        }
    }
    println!();
    if wrong > 0 {
        println!("{wrong} of {} programs are wrong", programs::ALL.len());
        return ExitCode::FAILURE;
    }
    println!("all {} programs are valid for both targets and right; see {PICTURE}", programs::ALL.len());
    ExitCode::SUCCESS
}

struct Row {
    /// For Vulkan, without validation.
    compile: Duration,
    /// On the device, a second time: by then the driver has compiled.
    run: Duration,
    max_error: f64,
    ok: bool,
}

fn try_program(program: &Program, device: &Device) -> Result<Row, String> {
    let build = program.build();
    let start = Instant::now();
    build.compile_only(VULKAN)?;
    let compile = start.elapsed();
    build.compile(OPENCL)?;
    let executable = Executable::vulkan(device, &build.compile_for(device)?)?;
    let job = (program.job)();
    let (buffers, _) = executable.run(&job)?;
    let (_, run) = executable.run(&job)?;
    let outcome = (job.check)(&buffers);
    if program.name == "mandelbrot" {
        write_picture(&buffers).map_err(|error| format!("{PICTURE}: {error}"))?;
    }
    Ok(Row { compile, run, max_error: outcome.max_error, ok: outcome.ok() })
}

fn write_picture(buffers: &[Vec<u8>]) -> Result<(), png::EncodingError> {
    let (width, height, pixels) = programs::mandelbrot_image(buffers);
    let mut encoder = png::Encoder::new(BufWriter::new(File::create(PICTURE)?), width, height);
    encoder.set_color(png::ColorType::Rgba);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(pixels)?;
    writer.finish()
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
