//! Kernels with one mistake each, and the same kernels without it: `sanitizers/KIND_NAME.cl`. The sanitizer of that kind must
//! report the kernel `wrong` at the lines that say so, and nowhere else; it and `all` together must be silent about `right`.
//!
//! ```text
//! // LAUNCH: global=128 local=64          one size, or up to three: global=16,16 local=8,8
//! // STD: CL3.0                           the language, if it is not CL1.2
//! // ARG: int=128           a buffer of so many zeros, or
//! // ARG: local=256         so many bytes of local memory, or
//! // ARG: image=16          an image of so many texels in a row, rgba8
//! x = y;                    // FINDS local-race
//! ```
//!
//! Behind `FINDS` there may be several names with commas between them. Of races one of the lines must be reported, of other mistakes each.

use clforge_compiler::tuning::Tuning;
use clforge_runtime::options::{ClStd, Sanitizers};
use clforge_runtime::{
    Arg, Buffer, ChannelOrder, ChannelType, Device, DeviceSelector, Error, Image, ImageDescription, ImageFormat,
    ImageKind, Instance, InstanceOptions, Launch, LaunchReport, Options, Program,
};
use std::collections::BTreeSet;
use std::path::Path;

/// A line and the name of a mistake.
type Finding = (u32, String);

/// The numbers behind a word: `global=16,16`.
fn numbers(text: &str, word: &str) -> Option<Vec<u64>> {
    let list = text.split_whitespace().find_map(|part| part.strip_prefix(word)?.strip_prefix('='))?;
    list.split(',').map(|number| number.parse().ok()).collect()
}

/// The number behind a word: `int=128`.
fn number(text: &str, word: &str) -> Option<u64> {
    numbers(text, word)?.first().copied()
}

fn directives<'t>(text: &'t str, key: &'t str) -> impl Iterator<Item = &'t str> {
    text.lines().filter_map(move |line| line.strip_prefix("// ")?.strip_prefix(key)?.strip_prefix(": "))
}

fn expected(text: &str) -> BTreeSet<Finding> {
    let lines = (1..).zip(text.lines());
    let found = lines.filter_map(|(number, line)| Some((number, line.split_once("// FINDS ")?.1)));
    found.flat_map(|(number, names)| names.split(',').map(move |name| (number, name.trim().to_owned()))).collect()
}

/// What is reported of a kernel that is compiled without some tuning.
fn run(
    (device, untuned): (&Device, Tuning),
    text: &str,
    kernel: &str,
    sanitizers: Sanitizers,
) -> Result<LaunchReport, Error> {
    let std = match directives(text, "STD").next() {
        Some(name) => ClStd::parse(name.trim()).expect("a language"),
        None => ClStd::CL1_2,
    };
    let mut options = device.tuned(&Options::default().with_cl_std(std).with_sanitizers(sanitizers));
    options.codegen.tuning.remove(untuned);
    let program = Program::from_source(device, text, &options)?;
    let mut buffers = Vec::new();
    for size in directives(text, "ARG").filter_map(|argument| number(argument, "int")) {
        buffers.push(Buffer::zeroed(device, size * 4)?);
    }
    let mut images = Vec::new();
    for width in directives(text, "ARG").filter_map(|argument| number(argument, "image")) {
        let format = ImageFormat { order: ChannelOrder::Rgba, channel: ChannelType::UnormInt8 };
        let size = [u32::try_from(width).expect("a width"), 1, 1];
        images.push(Image::zeroed(device, ImageDescription { kind: ImageKind::D2, size, format })?);
    }
    let (mut next, mut next_image) = (buffers.iter(), images.iter());
    let argument = |text: &str| match number(text, "local") {
        Some(bytes) => Some(Arg::Local(bytes)),
        None if number(text, "image").is_some() => next_image.next().map(Arg::Image),
        None => next.next().map(Arg::Buffer),
    };
    let arguments: Vec<Arg<'_>> = directives(text, "ARG").filter_map(argument).collect();
    let launch = directives(text, "LAUNCH").next().expect("a launch");
    let [global, local] = ["global", "local"].map(|word| numbers(launch, word).expect("a size"));
    let launch = Launch::new(&global).local(&local);
    match program.kernel(kernel)?.launch(&launch, &arguments) {
        Ok(_) => Ok(LaunchReport::default()),
        Err(Error::BoundsCheck(report)) => Ok(*report),
        Err(error) => Err(error),
    }
}

/// What is wrong with the reports of a file.
fn check(device: &Device, untuned: Tuning, path: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let kind = name.split('_').next().unwrap_or_default();
    let run = |kernel, sanitizers| {
        let report =
            run((device, untuned), &text, kernel, sanitizers).map_err(|error| format!("{name}, {kernel}: {error}"))?;
        let places = report.places.iter().map(|place| (place.site.line, place.site.check.name().to_owned()));
        Ok::<_, String>((places.collect::<BTreeSet<Finding>>(), report))
    };
    let sanitizer = Sanitizers::parse(kind)?;
    let (found, report) = run("wrong", sanitizer)?;
    let expected = expected(&text);
    let is_found = if kind == "race" { !found.is_empty() } else { found == expected };
    if !is_found || !found.is_subset(&expected) {
        return Err(format!("{name}: found {found:?}, expected {expected:?}\n{report}"));
    }
    let (found, report) = run("right", sanitizer | Sanitizers::MISTAKES)?;
    if found.is_empty() { Ok(()) } else { Err(format!("{name}: a right kernel is reported\n{report}")) }
}

/// The mistakes of the kernels whose names are wanted are found, without some tuning.
fn check_all(untuned: Tuning, least: usize, wants: &dyn Fn(&Path) -> bool) {
    let instance = Instance::new(InstanceOptions::default()).expect("Vulkan");
    let device = instance.open(&DeviceSelector::Best).expect("a device");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("sanitizers");
    let entries = std::fs::read_dir(folder).expect("the kernels").flatten();
    let mut paths: Vec<_> = entries.map(|entry| entry.path()).filter(|path| wants(path)).collect();
    paths.sort();
    assert!(paths.len() >= least, "{} kernels", paths.len());
    let wrong: Vec<String> = paths.iter().filter_map(|path| check(&device, untuned, path).err()).collect();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), paths.len(), wrong.join("\n"));
}

#[test]
fn mistakes_are_found_and_nothing_else() {
    check_all(Tuning::empty(), 300, &|_| true);
}

/// As on a device that takes branches, where checks are made before loops and what they find is recorded at once.
#[test]
fn checks_of_loops_find_the_same_where_branches_are_taken() {
    let has_loop = |path: &Path| {
        let is_address = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("address_"));
        is_address && std::fs::read_to_string(path).is_ok_and(|text| text.contains("for ("))
    };
    check_all(Tuning::LAVAPIPE_FIRST_FINDINGS, 30, &has_loop);
}
