//! `clforge run`.

use crate::arg_spec::ArgSpec;
use crate::build_options::BuildOptions;
use crate::cli::RunArguments;
use crate::compile;
use crate::crash;
use crate::failure::{self, Failure};
use crate::fields::Records;
use crate::images;
use crate::input::{self, Limits};
use crate::output::{self, TextOutput};
use crate::quirks;
use crate::run_arguments::{GivenArguments, KernelArguments, Print, argument_at, element_type};
use crate::terminal;
use crate::values::ValueType;
use clforge_compiler::interface::KernelInterface;
use clforge_compiler::{Options, Source, Unit};
use clforge_runtime::cache;
use clforge_runtime::{Arg, Buffer, Cache, Device, DeviceKind, Error, Image, Launch, Printed, Program, Timings};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Compiles, launches, prints.
pub fn run(arguments: &RunArguments, build: &BuildOptions) -> Result<(), Failure> {
    // The command line first: its mistakes need no device to be found.
    let launch = launch(arguments)?;
    let limits = Limits::new(arguments.max_file_size);
    let given = GivenArguments::parse(arguments, limits.data)?;
    let device = arguments.device.clone().or_else(|| std::env::var("CLFORGE_DEVICE").ok());
    let selector = device.as_deref().unwrap_or_default();
    let selector = if selector.is_empty() { Default::default() } else { selector.parse().unwrap_or_default() };
    crash::driver_in_use();
    // The source is compiled for the device, but its errors are reported even if there is none.
    let device = Device::open(&selector);
    let code = code(arguments, build, &launch, device.as_ref().ok())?;
    let device = device?;
    device.set_cache(cache_of(arguments));
    terminal::verbose(|| {
        format!("device {} '{}', driver {}", device.info().index, device.info().name, device.info().driver)
    });
    let program = load(arguments, &device, &code)?;
    if program.interface().bounds.as_ref().is_some_and(|bounds| bounds.keeps_accesses_in_range()) {
        crash::accesses_are_checked();
    }
    let text = given.text_output();
    let failed = print_messages(&program, text)?;
    let out_of_range = report_out_of_range(&program)?;
    let kernel = program.kernel(&kernel_name(arguments, &program)?)?;
    let records = Records(&program.interface().records);
    let given = given.resolve(kernel.interface(), records, limits.data)?;
    let memory = memory(&device, kernel.interface(), &given.specs)?;
    let args: Vec<Arg<'_>> = given.specs.iter().zip(&memory).map(|(spec, memory)| arg(spec, memory)).collect();
    // Apart from the launches: the first would take as much longer, and a crash would not say which of both it is of.
    crash::driver_compiles(true);
    let compilation = in_time(&device, kernel.prepare(&launch, &args))?;
    crash::driver_compiles(false);
    if device.info().kind == DeviceKind::Cpu {
        crash::cpu_device_in_use();
    }
    let mut timings = Vec::new();
    for _ in 0..arguments.repeat {
        timings.push(in_time(&device, kernel.launch(&launch, &args))?);
        if let Some(failure) = failed.lock().ok().and_then(|mut failed| failed.take()) {
            return Err(failure);
        }
    }
    write_results(&given, text, kernel.interface(), records, &memory)?;
    quirks::warn(&kernel)?;
    if arguments.time {
        let times =
            if arguments.json { time_json(&timings, compilation) + "\n" } else { time(&mut timings, compilation) };
        text.write(times.as_bytes())?;
    }
    if out_of_range.load(Ordering::Relaxed) { Err(Failure::Reported(exit_code()?)) } else { Ok(()) }
}

/// The exit code of a run whose kernels have made mistakes.
fn exit_code() -> Result<u8, Failure> {
    let Some(value) = std::env::var_os("CLFORGE_SANITIZE_EXIT") else { return Ok(failure::PROGRAM) };
    let wrong = || Failure::Usage(format!("CLFORGE_SANITIZE_EXIT={}: not a number from 0 to 255", value.display()));
    value.to_str().and_then(|text| text.parse().ok()).ok_or_else(wrong)
}

/// What came of waiting for the driver or the device, which are given up if they took too long.
fn in_time<T>(device: &Device, outcome: Result<T, Error>) -> Result<T, Error> {
    if let Err(Error::LaunchTimeout { .. } | Error::CompileTimeout { .. }) = outcome {
        // Otherwise everything that ends here would wait for it.
        device.abandon();
        crash::driver_is_abandoned();
    }
    outcome
}

/// The kernel to run: the one that is named, or the only one.
fn kernel_name(arguments: &RunArguments, program: &Program) -> Result<String, Failure> {
    if let Some(name) = &arguments.kernel {
        return Ok(name.clone());
    }
    match program.kernel_names().as_slice() {
        [name] => Ok(name.clone()),
        [] => Err(Failure::Usage("the program has no kernels".into())),
        names => {
            let names: Vec<String> = names.iter().map(|name| format!("'{name}'")).collect();
            let names = names.join(", ");
            Err(Failure::Usage(format!("the program has several kernels; name one with --kernel: {names}")))
        }
    }
}

/// Prints and writes arguments after the launches.
fn write_results(
    given: &KernelArguments,
    text: TextOutput,
    kernel: &KernelInterface,
    records: Records<'_>,
    memory: &[Memory],
) -> Result<(), Failure> {
    for (index, print) in &given.prints {
        if let Some(bytes) = memory.get(*index).map(Memory::bytes).transpose()? {
            text.write(printed(*index, print, kernel, records, &bytes).as_bytes())?;
        }
    }
    for (index, path) in &given.outs {
        let Some(memory) = memory.get(*index) else { continue };
        let mut bytes = memory.bytes()?;
        if let Memory::Image(image) = memory
            && path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("png"))
        {
            bytes = images::write_png(image.description(), &bytes)?;
        }
        output::file(path, &bytes)?;
    }
    Ok(())
}

/// The cache of modules and pipelines.
fn cache_of(arguments: &RunArguments) -> Cache {
    if arguments.no_cache { Cache::off() } else { Cache::from_env() }
}

/// Prints what kernels print, and a warning for messages that are lost. The result holds the first failure to print.
fn print_messages(program: &Program, output: TextOutput) -> Result<Arc<Mutex<Option<Failure>>>, Failure> {
    let failed = Arc::new(Mutex::new(None));
    let first = failed.clone();
    program.on_print(move |printed| match printed {
        Printed::Message(text) => {
            if let (Err(failure), Ok(mut first)) = (output.write(text), first.lock()) {
                first.get_or_insert(failure);
            }
        }
        lost => terminal::warning(&lost.to_string()),
    })?;
    Ok(failed)
}

/// Prints the accesses that the first launch to have any made out of range; the others do the same. Whether there were any.
fn report_out_of_range(program: &Program) -> Result<Arc<AtomicBool>, Failure> {
    let found = Arc::new(AtomicBool::new(false));
    let seen = found.clone();
    program.on_out_of_range(move |report| {
        if !seen.swap(true, Ordering::Relaxed) {
            terminal::out_of_range(report);
        }
    })?;
    Ok(found)
}

/// A module.
enum Code {
    /// Compiled from a translation unit or a module for OpenCL.
    Compiled(cache::Module),
    /// Compiled from a source, for most launches.
    OfSource { module: cache::Module, name: String, text: Vec<u8>, options: Box<Options> },
    /// The file itself.
    Given(Vec<u32>),
}

/// Compiles a source, or reads a module.
fn code(
    arguments: &RunArguments,
    build: &BuildOptions,
    launch: &Launch,
    device: Option<&Device>,
) -> Result<Code, Failure> {
    let options = || options(arguments, build, launch, device);
    let limits = Limits::new(arguments.max_file_size);
    let program = input::program(&arguments.file, limits)?;
    match input::specialized(program, &arguments.spec_consts, &arguments.file)? {
        input::Program::Spirv(words) if clforge_compiler::is_for_opencl(&words) => {
            let options = options()?;
            let module = cache::translate(&cache_of(arguments), &words, &options).map_err(compile::failed)?;
            terminal::verbose(|| {
                let origin = if module.is_cached() { "is in the cache" } else { "was translated" };
                format!("'{}' {origin}, for {}", arguments.file.display(), options.target)
            });
            compiled(module, arguments, &options)
        }
        input::Program::Spirv(_) if !build.is_empty() => {
            Err(Failure::Usage("build options do not apply to SPIR-V: it is compiled already".into()))
        }
        input::Program::Spirv(_) if arguments.printf_buffer.is_some() => Err(Failure::Usage(
            "--printf-buffer does not apply to SPIR-V: the module says how large its buffer is".into(),
        )),
        input::Program::Spirv(words) => Ok(Code::Given(words)),
        input::Program::Source { name, text } => {
            let options = untuned(arguments, build, launch)?;
            let tuned = device.map_or_else(|| options.clone(), |device| device.tuned_for_launches(&options));
            let source = Source { name: &name, text: &text };
            let module = cache::compile(&cache_of(arguments), source, &tuned).map_err(compile::failed)?;
            terminal::verbose(|| {
                let origin = if module.is_cached() { "is in the cache" } else { "was compiled" };
                format!("'{name}' {origin}, for {}", options.target)
            });
            module.warnings().into_iter().for_each(compile::print_warnings);
            validate(&module, arguments, &options)?;
            Ok(Code::OfSource { module, name, text, options: options.into() })
        }
        input::Program::Unit(bytes) => {
            let options = options()?;
            let invalid = |reason| Failure::Program(format!("'{}': {reason}", arguments.file.display()));
            let unit = Unit::from_bytes(&bytes).map_err(invalid)?;
            let module = cache::link(&cache_of(arguments), &[&unit], &options).map_err(compile::failed)?;
            compiled(module, arguments, &options)
        }
    }
}

/// The options of the compiler, for the launch and the device.
fn options(
    arguments: &RunArguments,
    build: &BuildOptions,
    launch: &Launch,
    device: Option<&Device>,
) -> Result<Options, Failure> {
    let options = untuned(arguments, build, launch)?;
    Ok(device.map_or_else(|| options.clone(), |device| device.tuned(&options)))
}

/// The options of the compiler for the launch, on any device.
fn untuned(arguments: &RunArguments, build: &BuildOptions, launch: &Launch) -> Result<Options, Failure> {
    let mut options = build.options(Limits::new(arguments.max_file_size).program);
    options.codegen.disabled_passes.clone_from(&arguments.disable_pass);
    options.codegen.wide_ids |= launch.needs_wide_ids();
    compile::set_printf_buffer(&mut options, arguments.printf_buffer)?;
    Ok(options)
}

/// A module of our own, validated.
fn compiled(module: cache::Module, arguments: &RunArguments, options: &Options) -> Result<Code, Failure> {
    validate(&module, arguments, options)?;
    Ok(Code::Compiled(module))
}

fn validate(module: &cache::Module, arguments: &RunArguments, options: &Options) -> Result<(), Failure> {
    if arguments.no_validate {
        return Ok(());
    }
    compile::check(module.spirv(), options.target).map_err(|message| compile::invalid(&message))
}

/// Loads a module. One that is given is validated, since an invalid module can crash the driver.
fn load(arguments: &RunArguments, device: &Device, code: &Code) -> Result<Program, Failure> {
    let words = match code {
        Code::Compiled(module) => return Ok(Program::from_module(device, module)?),
        Code::OfSource { module, name, text, options } => {
            return Ok(Program::from_compiled_source(device, module, Source { name, text }, options)?);
        }
        Code::Given(words) => words,
    };
    if !arguments.no_validate {
        match Program::from_spirv(device, words) {
            Err(Error::InvalidModule(message)) => {
                let file = arguments.file.display();
                return Err(Failure::Program(format!("'{file}' is not a valid Vulkan module: {message}")));
            }
            Err(Error::ValidatorUnavailable(reason)) => {
                terminal::warning(&format!("the module was not validated: {reason}"));
            }
            loaded => return Ok(loaded?),
        }
    }
    // SAFETY: that the module is valid is up to the user, who has disabled validation or was warned that there is none.
    Ok(unsafe { Program::from_spirv_unchecked(device, words) }?)
}

fn launch(arguments: &RunArguments) -> Result<Launch, Failure> {
    let global = sizes("--global", &arguments.global)?;
    let mut launch = Launch::new(&global);
    let same = |name: &str, given: &[u64]| {
        let (given, dims) = (given.len(), global.len());
        let message = format!("{name} has {given} dimensions, but --global has {dims}");
        if given == dims { Ok(()) } else { Err(Failure::Usage(message)) }
    };
    if let Some(text) = &arguments.local {
        let local = sizes("--local", text)?;
        same("--local", &local)?;
        if local.contains(&0) {
            return Err(Failure::Usage(format!("--local {text}: a size is zero")));
        }
        launch = launch.local(&local);
    }
    launch.sub_group_size = arguments.sub_group_size;
    launch.timeout = arguments.timeout;
    if let Some(text) = &arguments.offset {
        let offset = sizes("--offset", text)?;
        same("--offset", &offset)?;
        launch = launch.offset(&offset);
    }
    if arguments.repeat == 0 {
        return Err(Failure::Usage("--repeat 0: the kernel has to run at least once".into()));
    }
    Ok(launch)
}

/// One to three numbers.
fn sizes(option: &str, text: &str) -> Result<Vec<u64>, Failure> {
    let sizes: Result<Vec<u64>, _> = text.split(',').map(|part| part.trim().parse()).collect();
    match sizes {
        Ok(sizes) if sizes.len() <= 3 => Ok(sizes),
        _ => Err(Failure::Usage(format!("{option} {text}: give one to three whole numbers, like 1024 or 64,64"))),
    }
}

/// The memory of an argument on the device.
enum Memory {
    None,
    Buffer(Buffer),
    Image(Image),
}

impl Memory {
    fn bytes(&self) -> Result<Vec<u8>, Failure> {
        Ok(match self {
            Memory::None => Vec::new(),
            Memory::Buffer(buffer) => buffer.to_vec()?,
            Memory::Image(image) => image.to_vec()?,
        })
    }
}

fn memory(device: &Device, kernel: &KernelInterface, specs: &[ArgSpec]) -> Result<Vec<Memory>, Failure> {
    let memory = |(index, spec): (usize, &ArgSpec)| match spec {
        ArgSpec::Buffer { bytes, .. } => Ok(Memory::Buffer(Buffer::from_bytes(device, bytes)?)),
        ArgSpec::Zeros(size) => Ok(Memory::Buffer(Buffer::zeroed(device, *size)?)),
        ArgSpec::Image(image) => {
            let info = argument_at(kernel, index).and_then(|argument| argument.info.as_ref());
            let description = image.description(index, info.map_or("", |info| &info.type_name))?;
            Ok(Memory::Image(match &image.texels {
                Some(texels) => Image::from_bytes(device, description, texels)?,
                None => Image::zeroed(device, description)?,
            }))
        }
        _ => Ok(Memory::None),
    };
    specs.iter().enumerate().map(memory).collect()
}

fn arg<'a>(spec: &'a ArgSpec, memory: &'a Memory) -> Arg<'a> {
    match (spec, memory) {
        (_, Memory::Buffer(buffer)) => Arg::Buffer(buffer),
        (_, Memory::Image(image)) => Arg::Image(image),
        (ArgSpec::Local(bytes), Memory::None) => Arg::Local(*bytes),
        (ArgSpec::Value { bytes, .. } | ArgSpec::Struct(bytes), Memory::None) => Arg::Pod(bytes),
        (ArgSpec::Sampler(sampler), Memory::None) => Arg::Sampler(*sampler),
        _ => Arg::Null,
    }
}

/// One line: the argument's number or name, as it was given, then its values.
fn printed(index: usize, print: &Print, kernel: &KernelInterface, records: Records<'_>, bytes: &[u8]) -> String {
    let count = print.count.unwrap_or(usize::MAX);
    let mut line = format!("{}:", print.key);
    let argument = argument_at(kernel, index);
    let layout = argument.and_then(|argument| argument.layout.as_ref()).filter(|_| print.value_type.is_none());
    let size = if let Some((layout, size @ 1..)) = layout.and_then(|layout| Some((layout, layout.bytes()?))) {
        let size = size as usize;
        for value in bytes.chunks_exact(size).take(count) {
            line.push(' ');
            line.push_str(&records.print(layout, value));
        }
        size
    } else {
        let value_type = print.value_type.or_else(|| element_type(argument?)).or_else(|| ValueType::parse("uchar"));
        let Some(value_type) = value_type else { return String::new() };
        for value in bytes.chunks_exact(value_type.size()).take(count) {
            line.push(' ');
            line.push_str(&value_type.print(value));
        }
        value_type.size()
    };
    let (values, rest) = (bytes.len() / size, bytes.len() % size);
    match print.count {
        Some(count) if count > values => {
            terminal::warning(&format!("--print {}: it has {values} values of {size} bytes, not {count}", print.key));
        }
        None if rest > 0 => {
            terminal::warning(&format!("--print {}: its last {rest} bytes are no value of {size} bytes", print.key));
        }
        _ => {}
    }
    line.push('\n');
    line
}

/// The driver's compilation, and best and median of the launches.
fn time(timings: &mut [Timings], compilation: Duration) -> String {
    let mut text = format!("compilation by the driver: {compilation:.2?}\n");
    let mut summary = |name: &str, mut times: Vec<Duration>| {
        times.sort_unstable();
        if let (Some(best), Some(median)) = (times.first(), times.get(times.len() / 2)) {
            text += &format!("{name}: best {best:.2?}, median {median:.2?} of {}\n", times.len());
        }
    };
    summary("device", timings.iter().filter_map(|timing| timing.device).collect());
    summary("host", timings.iter().map(|timing| timing.host).collect());
    if let Some(timing) = timings.first() {
        let [x, y, z] = timing.local_size;
        let plural = if timing.dispatches == 1 { "" } else { "es" };
        text += &format!("local size {x}x{y}x{z}, {} dispatch{plural}\n", timing.dispatches);
    }
    text
}

/// The same numbers, and all that they are of, for programs: times are in nanoseconds.
fn time_json(timings: &[Timings], compilation: Duration) -> String {
    let list = |times: Vec<Duration>| -> Value {
        if times.is_empty() {
            return Value::Null;
        }
        let mut times: Vec<u64> = times.iter().map(|time| time.as_nanos().try_into().unwrap_or(u64::MAX)).collect();
        let all = times.clone();
        times.sort_unstable();
        json!({ "best": times.first(), "median": times.get(times.len() / 2), "all": all })
    };
    json!({
        "compilation": u64::try_from(compilation.as_nanos()).unwrap_or(u64::MAX),
        "device": list(timings.iter().filter_map(|timing| timing.device).collect()),
        "host": list(timings.iter().map(|timing| timing.host).collect()),
        "local_size": timings.first().map(|timing| timing.local_size),
        "dispatches": timings.first().map(|timing| timing.dispatches),
    })
    .to_string()
}
