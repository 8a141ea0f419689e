//! Modules with errors in their reflection or elsewhere, made from good ones by a seeded generator. Loading each ends
//! with an error or with a program that can be launched; the driver does not crash, and the validation layer is silent.
//!
//! `CLFORGE_LONG_TESTS=1` makes 2,000 of them. Each batch runs in a process of its own, which the test starts from its own
//! executable; the last line of standard error of one that dies names the module, and `CLFORGE_MUTANTS=validated:N:1` repeats it.

mod common;

use clforge_compiler::interface::{ArgumentBinding, KernelInterface, ModuleInterface, instructions};
use clforge_compiler::options::ClStd;
use clforge_compiler::{Options, Source};
use clforge_runtime::{
    Arg, Buffer, Device, Error, Image, ImageDescription, ImageFormat, ImageKind, Kernel, Launch, Program, Sampler,
};
use fastrand::Rng;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Modules in a batch.
const BATCH: u64 = 50;
/// Far above what a batch takes; only there so that a hang fails.
const LIMIT: Duration = Duration::from_secs(600);
/// The mode of the worker and the modules that it makes: `MODE:FIRST:COUNT`.
const VARIABLE: &str = "CLFORGE_MUTANTS";

/// Programs whose reflection has everything: printf, checked accesses, program-scope variables, local memory, images, samplers,
/// arguments that do not fit push constants, required sizes.
const SOURCES: [(&str, bool); 6] = [
    (
        "kernel void print(global int *a, int n) { if (n == 0) printf(\"%d %s\\n\", a[0], \"text\"); }\n\
      kernel void quiet(global int *a, long n, char c, char d) { a[get_global_id(0)] = n + c + d; }",
        false,
    ),
    ("kernel void checked(global int *a, constant int *b, int n) { a[get_global_id(0) + n] = b[n]; }", true),
    (
        "global int counter = 5; constant int table[4] = {1, 2, 3, 4}; global int *global pointer = &counter;\n\
      kernel void data(global int *a, int i) { a[0] = table[i & 3] + counter++ + (pointer == &counter); }",
        false,
    ),
    (
        "kernel void shared(local float4 *a, global float4 *b, local char *c) { int i = get_local_id(0); a[i] = b[i]; c[i] = 1;\n\
      barrier(CLK_LOCAL_MEM_FENCE); b[get_global_id(0)] = a[i ^ 1] + c[i ^ 1]; }\n\
      kernel __attribute__((reqd_work_group_size(8, 2, 1))) void sized(global int *a) { a[get_group_id(1)] = get_local_size(1); }",
        false,
    ),
    (
        "constant sampler_t s = CLK_FILTER_LINEAR | CLK_NORMALIZED_COORDS_TRUE;\n\
      kernel void images(read_only image2d_t a, write_only image2d_t b, sampler_t t, global int *c) {\n\
      write_imagef(b, (int2)(0), read_imagef(a, s, (float2)(0)) + read_imagef(a, t, (float2)(0)));\n\
      c[0] = get_image_channel_order(a) + get_image_width(b); }",
        false,
    ),
    (
        "typedef struct { int a[40]; } large;\n\
      kernel void large_arguments(large s, global int *a, large t, global int *b) { a[0] = s.a[b[0] & 7] + t.a[1]; }\n\
      kernel void small(int3 v, global int *a, uchar c) { a[get_global_id(0)] = v.z + c + get_global_offset(0) + get_num_groups(0); }",
        false,
    ),
];

/// Programs of the end-to-end tests.
const FILES: [&str; 6] = ["bitonic", "histogram", "matmul", "reduction", "saxpy", "vector_add"];

fn compile(name: &str, text: &str, bounds_check: bool) -> Vec<u32> {
    let options = Options::default().with_cl_std(ClStd::CL3_0).with_bounds_check(bounds_check);
    let compiled = clforge_compiler::compile(Source { name, text: text.as_bytes() }, &options);
    compiled.unwrap_or_else(|errors| panic!("{}", errors.render(false))).spirv
}

fn originals() -> Vec<Vec<u32>> {
    let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shaders-test/programs");
    let file = |name: &&str| {
        let path = programs.join(name).join(format!("{name}.cl"));
        compile(name, &std::fs::read_to_string(path).expect("a program of the end-to-end tests"), false)
    };
    let own = SOURCES.iter().map(|(text, bounds_check)| compile("own.cl", text, *bounds_check));
    own.chain(FILES.iter().map(file)).collect()
}

/// One of the elements of a list.
fn pick<T: Copy>(random: &mut Rng, list: &[T]) -> T {
    list[random.usize(..list.len())]
}

mod op {
    pub const NAME: u16 = 5;
    pub const STRING: u16 = 7;
    pub const EXTENSION: u16 = 10;
    pub const EXT_INST: u16 = 12;
    pub const ENTRY_POINT: u16 = 15;
    pub const EXECUTION_MODE: u16 = 16;
    pub const CAPABILITY: u16 = 17;
    pub const TYPE_INT: u16 = 21;
    pub const CONSTANT: u16 = 43;
    pub const FUNCTION: u16 = 54;
    pub const FUNCTION_END: u16 = 56;
    pub const DECORATE: u16 = 71;
    /// Decorations: `SpecId`, `Binding`, `DescriptorSet`.
    pub const PLACES: [u32; 3] = [1, 33, 34];
}

/// Operands of `OpExtInst` before those of the extended instruction.
const EXTENDED: usize = 4;

/// An instruction: opcode and operands.
type Inst = (u16, Vec<u32>);

fn parse(words: &[u32]) -> Vec<Inst> {
    let all = instructions(words).expect("a module");
    all.map(|inst| inst.expect("an instruction")).map(|inst| (inst.opcode, inst.operands.to_vec())).collect()
}

fn words(header: &[u32], list: &[Inst]) -> Vec<u32> {
    let mut words = header.to_vec();
    for (opcode, operands) in list {
        words.push((operands.len() as u32 + 1) << 16 | u32::from(*opcode));
        words.extend(operands);
    }
    words
}

/// A module with an error, and whether its code does the same with the memory that it is given as the original's.
struct Mutant {
    words: Vec<u32>,
    same_code: bool,
}

/// Changes one instruction of the reflection.
fn mutate_reflection(original: &[u32], random: &mut Rng) -> Mutant {
    const NUMBERS: [u32; 26] = [
        0,
        1,
        2,
        3,
        4,
        5,
        6,
        7,
        8,
        9,
        12,
        15,
        16,
        17,
        24,
        60,
        100,
        120,
        124,
        127,
        128,
        4096,
        1 << 20,
        1 << 31,
        u32::MAX - 3,
        u32::MAX,
    ];
    let (mut header, mut list) = (original[..5].to_vec(), parse(original));
    let end = list.iter().rposition(|(code, _)| *code == op::FUNCTION_END).expect("a function");
    // What else is behind the functions: the reflection.
    let places: Vec<usize> = (end..list.len()).filter(|at| list[*at].0 == op::EXT_INST).collect();
    let ids = |code: u16, at: usize| -> Vec<u32> {
        list.iter().filter(|(other, _)| *other == code).map(|(_, operands)| operands[at]).collect()
    };
    let (constants, strings) = (ids(op::CONSTANT, 1), ids(op::STRING, 0));
    let at = pick(random, &places);
    match random.usize(..10) {
        // An operand becomes a new number, or another one of the module's.
        kind @ 0..=6 if list[at].1.len() > EXTENDED => {
            let index = EXTENDED + random.usize(..list[at].1.len() - EXTENDED);
            if kind < 4 {
                let uint = list.iter().find(|(code, o)| *code == op::TYPE_INT && o[1] == 32).expect("uint").1[0];
                let id = header[3];
                header[3] += 1;
                list[at].1[index] = id;
                let function = list.iter().position(|(code, _)| *code == op::FUNCTION).expect("a function");
                list.insert(function, (op::CONSTANT, vec![uint, id, pick(random, &NUMBERS)]));
            } else {
                list[at].1[index] =
                    pick(random, if strings.contains(&list[at].1[index]) { &strings } else { &constants });
            }
        }
        7 => list[at].1[EXTENDED - 1] = random.u32(..46),
        8 => drop(list.remove(at)),
        _ => {
            let mut copy = list[at].clone();
            copy.1[1] = header[3];
            header[3] += 1;
            list.insert(at, copy);
        }
    }
    Mutant { words: words(&header, &list), same_code: true }
}

/// Changes any word.
fn mutate_word(original: &[u32], random: &mut Rng) -> Mutant {
    let mut words = original.to_vec();
    let at = random.usize(..words.len());
    words[at] = match random.usize(..4) {
        0 => words[at] ^ 1 << random.usize(..32),
        1 => random.u32(..300),
        2 => words[random.usize(..original.len())],
        _ => random.u32(..),
    };
    let all = instructions(original).expect("a module").flatten();
    let inst = all.filter(|inst| inst.at <= at).last();
    let same_code = inst.is_some_and(|inst| match inst.opcode {
        op::NAME | op::STRING | op::EXTENSION | op::ENTRY_POINT | op::EXECUTION_MODE | op::CAPABILITY => true,
        // The reflection; the built-in functions are called in functions.
        op::EXT_INST => at > inst.at + 3 && is_behind(original, at),
        op::DECORATE => at > inst.at + 1 && inst.word(1).is_some_and(|decoration| op::PLACES.contains(&decoration)),
        _ => false,
    });
    Mutant { words, same_code }
}

/// Whether a word is behind all functions.
fn is_behind(words: &[u32], at: usize) -> bool {
    let end = instructions(words).expect("a module").flatten().filter(|inst| inst.opcode == op::FUNCTION_END).last();
    end.is_some_and(|end| end.at < at)
}

/// What a kernel takes for addresses, sizes of memory and ids: what the words of a block mean cannot be told from the code.
fn meaning(module: &ModuleInterface, kernel: &KernelInterface) -> Vec<String> {
    use ArgumentBinding as B;
    let arguments = kernel.arguments.iter().filter_map(|argument| match argument.binding {
        B::PointerPushConstant { .. } | B::PointerUniform { .. } | B::Workgroup { .. } => {
            Some(format!("{:?}", argument.binding))
        }
        _ => None,
    });
    let mut meaning: Vec<String> = arguments.collect();
    meaning.extend(module.push_constants.iter().map(|constant| format!("{constant:?}")));
    meaning.extend(module.program_data.iter().map(|data| format!("{data:?}")));
    meaning.push(format!("{:?} {:?}", module.printf.buffer, module.bounds.as_ref().map(|b| (b.offset, b.ranges))));
    meaning.push(format!("{:?} {:?}", module.global_offset_spec_ids, module.work_dim_spec_id));
    meaning.sort();
    meaning
}

/// The arguments that a kernel asks for, of the kinds that it names.
fn launch(device: &Device, kernel: &Kernel) -> Result<(), Error> {
    use ArgumentBinding as B;
    let interface = kernel.interface().clone();
    let count = interface.argument_count();
    if count > 64 {
        return Ok(());
    }
    let buffer = Buffer::zeroed(device, 1 << 16)?;
    let format = ImageFormat::parse("rgba8").expect("a format");
    let image = |kind| {
        Image::zeroed(
            device,
            ImageDescription { kind, size: [4, if kind == ImageKind::D2 { 4 } else { 1 }, 1], format },
        )
    };
    let (image, texels) = (image(ImageKind::D2)?, image(ImageKind::Buffer)?);
    let zeros = [0; 4096];
    let args: Vec<Arg<'_>> = (0..count)
        .map(|ordinal| match interface.argument(ordinal).map(|argument| argument.binding) {
            Some(
                B::StorageBuffer(_) | B::UniformBuffer(_) | B::PointerPushConstant { .. } | B::PointerUniform { .. },
            ) => Arg::Buffer(&buffer),
            Some(B::PodStorageBuffer { size, .. } | B::PodUniform { size, .. } | B::PodPushConstant { size, .. }) => {
                Arg::Pod(zeros.get(..size as usize).unwrap_or_default())
            }
            Some(B::Workgroup { .. }) => Arg::Local(1024),
            Some(B::SampledImage(_) | B::StorageImage(_)) => Arg::Image(&image),
            Some(B::UniformTexelBuffer(_) | B::StorageTexelBuffer(_)) => Arg::Image(&texels),
            Some(B::Sampler(_)) => Arg::Sampler(Sampler::default()),
            None => Arg::Null,
        })
        .collect();
    // Wherever there are ids, they are within the buffer.
    let local = interface.required_work_group_size.unwrap_or([8, 1, 1]);
    let local = local.map(u64::from);
    let global = local.map(|size| size.saturating_mul(2));
    if global.iter().any(|size| *size > 1024) || global.iter().product::<u64>() > 1024 {
        return Ok(());
    }
    kernel.launch(&Launch::new(&global).local(&local), &args).map(|_| ())
}

/// Loads a module, and launches its kernels if they do with memory what the original does. Whether any was launched.
fn run(device: &Device, program: &Program, original: &ModuleInterface, same_code: bool) -> bool {
    let mut launched = false;
    for name in program.kernel_names() {
        let Ok(kernel) = program.kernel(&name) else { continue };
        let known = original.kernels.iter().find(|known| known.name == name);
        let same =
            known.is_some_and(|known| meaning(original, known) == meaning(program.interface(), kernel.interface()));
        if same_code && same {
            launched |= launch(device, &kernel).is_ok();
        }
    }
    launched
}

fn batch(mode: &str, first: u64, count: u64) {
    let originals = originals();
    let device = common::device(false);
    let interfaces: Vec<_> = originals.iter().map(|words| ModuleInterface::from_spirv(words).expect("ours")).collect();
    let (mut loaded, mut launched) = (0, 0);
    for index in first..first + count {
        let mut random = Rng::with_seed(index);
        let which = random.usize(..originals.len());
        let (words, interface) = (&originals[which], &interfaces[which]);
        eprintln!("{mode}: mutant {index} of module {which}");
        let of_reflection = index % 4 != 3;
        let mutant =
            if of_reflection { mutate_reflection(words, &mut random) } else { mutate_word(words, &mut random) };
        let program = match mode {
            "validated" => Program::from_spirv(&device.0, &mutant.words),
            _ => {
                let error = Program::from_spirv(&device.0, &mutant.words).err().expect("nothing is validated");
                assert!(!matches!(error, Error::InvalidModule(_)), "{error}");
                // SAFETY: the code is that of a good module; the reflection is checked when it is loaded.
                let load = || unsafe { Program::from_spirv_unchecked(&device.0, &mutant.words) };
                if of_reflection { load() } else { Err(error) }
            }
        };
        match program {
            Ok(program) => {
                loaded += 1;
                launched += u64::from(run(&device.0, &program, interface, mutant.same_code));
            }
            Err(error) => assert!(!matches!(error, Error::Internal(_) | Error::DeviceLost { .. }), "{error}"),
        }
        assert_eq!(device.0.validation_messages(), Vec::<String>::new(), "mutant {index} of module {which}");
    }
    eprintln!("{loaded} of {count} are loaded, {launched} launched");
    // If none or all were, the test would be asleep.
    assert!(count < BATCH || (launched > 0 && loaded < count), "{loaded} loaded, {launched} launched");
}

/// What the other test starts in processes of their own.
#[test]
fn worker() {
    let Ok(what) = std::env::var(VARIABLE) else { return };
    let parts: Vec<&str> = what.split(':').collect();
    let [mode, first, count] = parts[..] else { panic!("{VARIABLE}={what}") };
    batch(mode, first.parse().expect("a number"), count.parse().expect("a number"));
}

fn start(mode: &str, first: u64) {
    let errors = tempfile::NamedTempFile::new().expect("a temporary file");
    let mut command = Command::new(std::env::current_exe().expect("this test"));
    command.args(["--exact", "worker", "--nocapture"]).env(VARIABLE, format!("{mode}:{first}:{BATCH}"));
    if mode != "validated" {
        command.env("PATH", "");
    }
    let output = errors.reopen().expect("the temporary file");
    let mut child = command.stdout(Stdio::null()).stderr(output).spawn().expect("this test starts");
    let begin = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().expect("the process can be waited for") {
            break Some(status);
        }
        if begin.elapsed() > LIMIT {
            child.kill().expect("the process can be ended");
            break None;
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    if !status.is_some_and(|status| status.success()) {
        let text = std::fs::read_to_string(errors.path()).unwrap_or_default();
        let tail: Vec<&str> = text.lines().rev().take(30).collect();
        let tail: Vec<&str> = tail.into_iter().rev().collect();
        panic!("{mode} from {first}: {}\n{}", status.map_or("a hang".into(), |s| s.to_string()), tail.join("\n"));
    }
}

#[test]
fn unmutated_modules_can_be_launched() {
    let device = common::device(false);
    for words in originals() {
        let program = Program::from_spirv(&device.0, &words).expect("the module is good");
        for name in program.kernel_names() {
            let kernel = program.kernel(&name).expect("a kernel");
            launch(&device.0, &kernel).unwrap_or_else(|error| panic!("{name}: {error}"));
        }
    }
}

#[test]
fn no_mutant_crashes_or_hangs() {
    let batches = if std::env::var_os("CLFORGE_LONG_TESTS").is_some() { 40 } else { 2 };
    for batch in 0..batches {
        // Every other batch on a machine without spirv-val.
        start(if batch % 2 == 0 { "validated" } else { "unvalidated" }, batch * BATCH);
    }
}
