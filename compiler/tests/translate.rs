//! Modules for OpenCL as input: a source that is compiled for OpenCL and translated is a valid module for Vulkan and for OpenCL
//! with the same kernels, and what is damaged is an error and never a defect of the compiler. What the modules compute is
//! compared in `shaders-test`. `CLFORGE_LONG_TESTS=1` makes 2,000 modules of damaged instructions, else there are 150.

use clforge_compiler::interface::ModuleInterface;
use clforge_compiler::options::{ClStd, OpenClVersion, VulkanVersion};
use clforge_compiler::validate::{ValidateError, validate};
use clforge_compiler::workarounds::Workarounds;
use clforge_compiler::{
    Options, Source, Stage, Target, Unit, is_for_opencl, link, print_translation, spirv_unit, translate_spirv,
};

const OPENCL: Target = Target::OpenCl(OpenClVersion::V3_0);
const VULKAN: Target = Target::Vulkan(VulkanVersion::V1_2);

/// Every family of instructions.
const PROGRAM: &str = "
typedef struct { float4 pos; int n; char tag; } particle;
constant int table[4] = { 3, 1, 4, 1 };
constant const char *constant names[2] = { \"one\", \"two\" };
float helper(particle p, local float *memory, size_t i) { return p.pos.x * p.n + memory[i]; }

kernel void numbers(global int *out, global const float *in, float by, particle p, local float *memory, char c, short s) {
    size_t i = get_global_id(0);
    memory[get_local_id(0)] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    float4 v = vload4(i, in);
    int4 r = convert_int4_sat_rte(sin(v) * by);
    r = r.wzyx + as_int4(abs_diff(r, (int4)(1, 2, 3, 4))).s0123 - select(r, -r, r > 3);
    switch (out[i]) {
        case 1: r.x = table[i & 3]; break;
        case 2: case 7: r.y = popcount(r.x); /* fall through */
        default: for (int k = 0; k < r.z; k++) { if (k == 5) continue; r.w += mad24(k, r.x, rotate(r.y, 3)); }
    }
    out[i] = r.x + r.y + r.z + r.w + (int)helper(p, memory, get_local_id(0)) + c + s;
    atomic_add(out, 1);
    atomic_cmpxchg(out + 1, 2, 3);
    if (by > 2) printf(\"%d %s %f\\n\", r.x, names[0], by);
}

kernel void jumps(global int *out, int n) {
    int i = 0;
    if (n > 3) goto middle;
top:
    i += 2;
middle:
    i++;
    if (i < n) goto top;
    out[0] = i;
}

kernel void image(read_only image2d_t from, write_only image2d_t to, sampler_t how) {
    const sampler_t fixed = CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    float4 texel = read_imagef(from, how, (float2)(0.5f, 0.5f)) + read_imagef(from, fixed, at);
    write_imagef(to, at, texel * (float)get_image_width(from));
}

kernel void copies(global float4 *out, global const float4 *in, local float4 *memory) {
    event_t event = async_work_group_copy(memory, in, 16, 0);
    event = async_work_group_strided_copy(memory, in, 16, 2, event);
    wait_group_events(1, &event);
    out[get_global_id(0)] = memory[get_local_id(0)] + work_group_reduce_add(1.0f) + sub_group_broadcast(2.0f, 0);
}
";

fn options(target: Target) -> Options {
    Options { target, cl_std: Some(ClStd::CL3_0), workarounds: Workarounds::empty(), ..Options::default() }
}

fn module() -> Vec<u32> {
    let source = Source { name: "program.cl", text: PROGRAM.as_bytes() };
    match clforge_compiler::compile(source, &options(OPENCL)) {
        Ok(compiled) => compiled.spirv,
        Err(diagnostics) => panic!("{}", diagnostics.render(false)),
    }
}

fn translated(words: &[u32], target: Target) -> Vec<u32> {
    let words = match translate_spirv(words, &options(target)) {
        Ok(compiled) => compiled.spirv,
        Err(diagnostics) => panic!("{target}: {}", diagnostics.render(false)),
    };
    match validate(&words, target) {
        Ok(()) => words,
        Err(ValidateError::Invalid(message)) => panic!("{target}: {message}"),
        Err(ValidateError::Unavailable(reason)) => panic!("the validator cannot be run: {reason}"),
    }
}

#[test]
fn a_module_for_opencl_becomes_one_for_vulkan() {
    let words = module();
    assert!(is_for_opencl(&words));
    let interface = ModuleInterface::from_spirv(&translated(&words, VULKAN)).unwrap_or_else(|error| panic!("{error}"));
    let names: Vec<&str> = interface.kernels.iter().map(|kernel| kernel.name.as_str()).collect();
    assert_eq!(names, ["numbers", "jumps", "image", "copies"]);
    let infos =
        interface.kernels.iter().flat_map(|kernel| &kernel.arguments).filter_map(|argument| argument.info.as_ref());
    let types: Vec<String> = infos.map(|info| format!("{} {}", info.type_name, info.name)).collect();
    assert!(types.iter().any(|ty| ty == "float* in") && types.iter().any(|ty| ty == "short s"), "{types:?}");
    assert!(!is_for_opencl(&translated(&words, VULKAN)));
}

#[test]
fn a_module_for_opencl_becomes_the_same_program_again() {
    let words = translated(&module(), OPENCL);
    // Once more: what the translation makes can be read too.
    let again = translated(&words, OPENCL);
    assert!(is_for_opencl(&again));
    translated(&again, VULKAN);
}

#[test]
fn what_is_missing_is_named() {
    let source = Source { name: "part.cl", text: b"int other(int); kernel void k(global int *a) { a[0] = other(1); }" };
    let words =
        clforge_compiler::compile(source, &options(OPENCL)).unwrap_or_else(|error| panic!("{}", error.render(false)));
    let error = translate_spirv(&words.spirv, &options(VULKAN)).err().unwrap_or_else(|| panic!("it is compiled"));
    assert!(
        error.render(false).contains("the function 'other' is used and defined in no module"),
        "{}",
        error.render(false)
    );
}

#[test]
fn modules_and_sources_are_linked() {
    let kernel = "int other(int); kernel void k(global int *a) { a[0] = other(1); }";
    let other = "static int one(void) { return 1; } int other(int x) { return x + one(); }";
    let wrong = "float other(float x) { return x; }";
    let source = |text: &'static str| Source { name: "part.cl", text: text.as_bytes() };
    let from_source = |text| match clforge_compiler::compile_unit(source(text), &options(VULKAN)) {
        Ok(compiled) => compiled.unit,
        Err(diagnostics) => panic!("{}", diagnostics.render(false)),
    };
    let from_module = |text| {
        let compiled = clforge_compiler::compile(source(text), &options(OPENCL));
        let words = compiled.unwrap_or_else(|error| panic!("{}", error.render(false))).spirv;
        spirv_unit(&words, &options(VULKAN)).unwrap_or_else(|error| panic!("{}", error.render(false)))
    };
    let linked = |units: &[&Unit]| match link(units, &options(VULKAN)) {
        Ok(compiled) => validate(&compiled.spirv, VULKAN).map_err(|error| format!("{error:?}")),
        Err(diagnostics) => Err(diagnostics.render(false)),
    };
    let modules = [kernel, other].map(from_module);
    let sources = [kernel, other].map(from_source);
    assert_eq!(linked(&[&modules[0], &modules[1]]), Ok(()));
    assert_eq!(linked(&[&modules[0], &sources[1]]), Ok(()));
    assert_eq!(linked(&[&sources[0], &modules[1]]), Ok(()));
    let missing = linked(&[&modules[0]]).unwrap_err();
    assert!(missing.contains("function 'other' is called but has no definition"), "{missing}");
    let conflict = linked(&[&modules[0], &from_module(wrong)]).unwrap_err();
    assert!(conflict.contains("conflicting types for 'other': 'i32 (i32)' vs 'f32 (f32)'"), "{conflict}");
}

#[test]
fn lines_of_the_source_survive() {
    let source = Source { name: "program.cl", text: PROGRAM.as_bytes() };
    let compiled = clforge_compiler::compile(source, &Options { debug_info: true, ..options(OPENCL) });
    let words = compiled.unwrap_or_else(|error| panic!("{}", error.render(false))).spirv;
    // `int i = 0;` of `jumps` is promoted; the store is not.
    let line = PROGRAM.lines().position(|line| line.contains("out[0] = i;")).expect("a store") + 1;
    for target in [VULKAN, OPENCL] {
        let printed =
            print_translation(&words, &Options { debug_info: true, ..options(target) }, Stage::Asm).map(|asm| asm.text);
        let text = printed.unwrap_or_else(|error| panic!("{}", error.render(false)));
        assert!(text.contains("OpString \"program.cl\""), "{text}");
        assert!(text.lines().any(|text| text.contains("OpLine") && text.contains(&format!(" {line} "))), "{text}");
    }
}

/// No words make the compiler fail in another way than by an error about them.
#[test]
fn damaged_modules_are_errors() {
    let words = module();
    let check = |words: &[u32], what: &str| {
        if let Err(diagnostics) = translate_spirv(words, &Options { max_instructions: 200_000, ..options(VULKAN) }) {
            let text = diagnostics.render(false);
            assert!(!text.contains("internal compiler error"), "{what}: {text}");
        }
    };
    let mut random = fastrand::Rng::with_seed(17);
    for _ in 0..60 {
        let length = random.usize(..words.len());
        check(&words[..length], &format!("the first {length} words"));
    }
    for round in 0..400 {
        let mut words = words.clone();
        for _ in 0..random.usize(1..4) {
            let at = random.usize(..words.len());
            words[at] = match random.usize(..4) {
                0 => words[at] ^ 1 << random.usize(..32),
                1 => random.u32(..400),
                2 => words[random.usize(..words.len())],
                _ => random.u32(..),
            };
        }
        check(&words, &format!("round {round}"));
    }
}

/// Instructions as lists of words; the header is the first.
struct Mutator {
    instructions: Vec<Vec<u32>>,
    random: fastrand::Rng,
}

impl Mutator {
    fn new(words: &[u32], seed: u64) -> Mutator {
        let (header, mut rest) = words.split_at(5);
        let mut instructions = vec![header.to_vec()];
        while let Some(first) = rest.first() {
            let (instruction, next) = rest.split_at((first >> 16) as usize);
            instructions.push(instruction.to_vec());
            rest = next;
        }
        Mutator { instructions, random: fastrand::Rng::with_seed(seed) }
    }

    fn place(&mut self) -> usize {
        self.random.usize(1..self.instructions.len())
    }

    /// A word that may be an operand: an id of the module, or one out of its bounds, or a number.
    fn operand(&mut self) -> u32 {
        let bound = self.instructions[0][3];
        match self.random.usize(..8) {
            0 => [0, bound, bound + 1, u32::MAX][self.random.usize(..4)],
            1 => self.random.u32(..40),
            _ => self.random.u32(1..bound),
        }
    }

    /// Changes a word of an instruction: mostly to what makes sense there.
    fn change_operand(&mut self) {
        let (to, from) = (self.place(), self.place());
        let count = self.instructions[to].len();
        if count < 2 {
            return;
        }
        let place = self.random.usize(1..count);
        let same_place = self.instructions[from].get(place).copied();
        let new = self.operand();
        let word = &mut self.instructions[to][place];
        *word = match self.random.usize(..4) {
            0 => *word ^ 1 << self.random.usize(..32),
            1 => same_place.unwrap_or(new),
            _ => new,
        };
    }

    fn mutate(&mut self) {
        let (one, other) = (self.place(), self.place());
        match self.random.usize(..12) {
            0 => drop(self.instructions.remove(one)),
            1 => {
                let copy = self.instructions[one].clone();
                self.instructions.insert(other, copy);
            }
            // Neighbours, and any two.
            2 => self.instructions.swap(one, if one > 1 { one - 1 } else { one }),
            3 => self.instructions.swap(one, other),
            // The operands of another instruction, with this one's result.
            4 => {
                let operands = self.instructions[other].get(3..).unwrap_or_default().to_vec();
                let instruction = &mut self.instructions[one];
                instruction.truncate(3);
                instruction.extend(operands);
                let count = u32::try_from(instruction.len()).expect("few words");
                instruction[0] = instruction[0] & 0xffff | count << 16;
            }
            // Another operation on the same operands.
            5 => {
                let opcode = self.instructions[other][0] & 0xffff;
                let first = &mut self.instructions[one][0];
                *first = *first & !0xffff | opcode;
            }
            // An operand more or less.
            6 => {
                let operand = self.operand();
                let instruction = &mut self.instructions[one];
                if instruction.len() > 1 && self.random.bool() {
                    instruction.pop();
                } else {
                    instruction.push(operand);
                }
                let count = u32::try_from(instruction.len()).expect("few words");
                instruction[0] = instruction[0] & 0xffff | count << 16;
            }
            _ => self.change_operand(),
        }
    }

    fn words(&self) -> Vec<u32> {
        self.instructions.concat()
    }
}

/// Modules of whole instructions, some of them wrong: an error, or a valid module.
#[test]
fn modules_of_wrong_instructions_are_errors_or_valid() {
    let words = module();
    let count = if std::env::var_os("CLFORGE_LONG_TESTS").is_some() { 2_000 } else { 150 };
    let mut accepted = 0;
    for seed in 0..count {
        let mut mutator = Mutator::new(&words, seed);
        for _ in 0..mutator.random.usize(1..4) {
            mutator.mutate();
        }
        let target = if seed % 4 == 0 { OPENCL } else { VULKAN };
        let options = Options { max_instructions: 200_000, ..options(target) };
        match translate_spirv(&mutator.words(), &options) {
            Err(diagnostics) => {
                let text = diagnostics.render(false);
                assert!(!text.contains("internal compiler error"), "seed {seed}: {text}");
            }
            Ok(compiled) => {
                accepted += 1;
                match validate(&compiled.spirv, target) {
                    Ok(()) => {}
                    Err(ValidateError::Invalid(message)) => panic!("seed {seed}: {message}"),
                    Err(ValidateError::Unavailable(reason)) => panic!("the validator cannot be run: {reason}"),
                }
            }
        }
    }
    assert!(accepted > count / 20, "only {accepted} of {count} modules are read");
}
