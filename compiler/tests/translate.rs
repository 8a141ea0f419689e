//! Modules for OpenCL as input: a source that is compiled for OpenCL and translated is a valid module for Vulkan and for OpenCL
//! with the same kernels, and what is damaged is an error and never a defect of the compiler. What the modules compute is
//! compared in `shaders-test`.

use clforge_compiler::interface::ModuleInterface;
use clforge_compiler::options::{ClStd, OpenClVersion, VulkanVersion};
use clforge_compiler::validate::{ValidateError, validate};
use clforge_compiler::workarounds::Workarounds;
use clforge_compiler::{Options, Source, Target, is_for_opencl, translate_spirv};

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
