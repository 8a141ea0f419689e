//! Modules for OpenCL as input: a source that is compiled for OpenCL and translated is a valid module for Vulkan and
//! for OpenCL with the same kernels, and a damaged module is an error and never a defect of the compiler. What the
//! modules compute is compared in `shaders-test`. `CLFORGE_LONG_TESTS=1` makes 2,000 modules of damaged instructions,
//! else there are 150.

use clforge_compiler::interface::ModuleInterface;
use clforge_compiler::options::{ClStd, OpenClVersion, VulkanVersion};
use clforge_compiler::validate::{ValidateError, validate};
use clforge_compiler::workarounds::Workarounds;
use clforge_compiler::{
    Options, Source, Stage, Target, Unit, is_for_opencl, link, print_translation, spirv_unit, translate_spirv,
};
use clforge_reader::mutate::mutate;

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
    Options::for_target(target).with_cl_std(ClStd::CL3_0).with_workarounds(Workarounds::empty())
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
        Ok(()) | Err(ValidateError::TooOld(_)) => words,
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

/// The module of a source for OpenCL, its exports linked as this decoration says.
fn module_with_linkage(text: &'static str, kind: u32) -> Vec<u32> {
    const DECORATE: u32 = 71;
    const LINKAGE_ATTRIBUTES: u32 = 41;
    let compiled = clforge_compiler::compile(Source { name: "part.cl", text: text.as_bytes() }, &options(OPENCL));
    let mut words = compiled.unwrap_or_else(|error| panic!("{}", error.render(false))).spirv;
    let mut at = 5;
    while at < words.len() {
        let count = (words[at] >> 16) as usize;
        // The last word is the kind: 0 exports, 1 imports.
        if words[at] & 0xffff == DECORATE && words[at + 2] == LINKAGE_ATTRIBUTES && words[at + count - 1] == 0 {
            words[at + count - 1] = kind;
        }
        at += count;
    }
    words
}

/// Of what modules define together with others one definition is kept; every definition is the same program.
#[test]
fn what_is_linked_once_may_be_in_several_modules() {
    const EXPORT: u32 = 0;
    const LINK_ONCE: u32 = 2;
    let one = "int twice(int x) { return x * 2; } kernel void a(global int *p) { *p = twice(1); }";
    let other = "int twice(int x) { return x * 2; } kernel void b(global int *p) { *p = twice(2); }";
    let third = "int twice(int x); kernel void c(global int *p) { *p = twice(3); }";
    let wrong = "float twice(float x) { return x * 2; } kernel void d(global float *p) { *p = twice(2); }";
    let unit = |text, kind| {
        let words = module_with_linkage(text, kind);
        spirv_unit(&words, &options(OPENCL)).unwrap_or_else(|error| panic!("{}", error.render(false)))
    };
    let linked = |units: &[Unit]| {
        let units: Vec<&Unit> = units.iter().collect();
        let linked = link(&units, &options(OPENCL)).map_err(|error| error.render(false))?;
        let text = clforge_compiler::disassemble::disassemble(&linked.spirv);
        Ok::<usize, String>(text.matches("OpFunction ").count())
    };
    let [one_once, other_once, third] =
        [(one, LINK_ONCE), (other, LINK_ONCE), (third, EXPORT)].map(|(text, kind)| unit(text, kind));
    // Each kernel, and the function once, if it is not inlined into them.
    let count = linked(&[one_once.clone(), other_once.clone(), third.clone()]).expect("a program");
    assert!(count <= 4, "{count} functions");
    assert_eq!(linked(&[third.clone(), other_once.clone(), one_once.clone()]), Ok(count));
    // A definition that is the only one of its kind stands for the others.
    assert_eq!(linked(&[one_once.clone(), unit(other, EXPORT), third]), Ok(count));
    let error = linked(&[unit(one, EXPORT), unit(other, EXPORT)]).unwrap_err();
    assert!(error.contains("'twice' is defined more than once"), "{error}");
    let error = linked(&[one_once, unit(wrong, LINK_ONCE)]).unwrap_err();
    assert!(error.contains("conflicting types for 'twice'"), "{error}");
    // What is read is written with its linkage.
    let text = print_translation(&module_with_linkage(one, LINK_ONCE), &options(OPENCL), Stage::Asm);
    let text = text.unwrap_or_else(|error| panic!("{}", error.render(false))).text;
    assert!(text.contains("SPV_KHR_linkonce_odr") && text.contains("\"twice\" LinkOnceODR"), "{text}");
}

/// Structures as arguments and results of functions that other modules define.
#[test]
fn structures_are_passed_between_modules() {
    let head = "typedef struct { float4 at; int n; struct { char c; long l; } inner; } part;\n";
    let kernel = "part next(part p, int by); int sum(part p);
        kernel void k(global part *p, global int *o) { p[1] = next(p[0], 2); o[0] = sum(p[1]); }";
    let other =
        "part next(part p, int by) { p.n += by; p.inner.c++; return p; } int sum(part p) { return p.n + p.inner.c; }";
    let text = |body: &str| format!("{head}{body}");
    let from_source = |body: &str| {
        let text = text(body);
        let unit = clforge_compiler::compile_unit(Source { name: "part.cl", text: text.as_bytes() }, &options(VULKAN));
        unit.unwrap_or_else(|error| panic!("{}", error.render(false))).unit
    };
    let from_module = |body: &str| {
        let text = text(body);
        let compiled = clforge_compiler::compile(Source { name: "part.cl", text: text.as_bytes() }, &options(OPENCL));
        let words = compiled.unwrap_or_else(|error| panic!("{}", error.render(false))).spirv;
        spirv_unit(&words, &options(VULKAN)).unwrap_or_else(|error| panic!("{}", error.render(false)))
    };
    let kernels = [from_source(kernel), from_module(kernel)];
    let others = [from_source(other), from_module(other)];
    for kernel in &kernels {
        for other in &others {
            let linked = link(&[kernel, other], &options(VULKAN)).map_err(|error| error.render(false));
            let linked = linked.unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(validate(&linked.spirv, VULKAN).map_err(|error| format!("{error:?}")), Ok(()));
        }
    }
}

#[test]
fn lines_of_the_source_survive() {
    let source = Source { name: "program.cl", text: PROGRAM.as_bytes() };
    let compiled = clforge_compiler::compile(source, &options(OPENCL).with_debug_info(true));
    let words = compiled.unwrap_or_else(|error| panic!("{}", error.render(false))).spirv;
    // `int i = 0;` of `jumps` is promoted; the store is not.
    let line = PROGRAM.lines().position(|line| line.contains("out[0] = i;")).expect("a store") + 1;
    for target in [VULKAN, OPENCL] {
        let printed = print_translation(&words, &options(target).with_debug_info(true), Stage::Asm).map(|asm| asm.text);
        let text = printed.unwrap_or_else(|error| panic!("{}", error.render(false)));
        assert!(text.contains("OpString \"program.cl\""), "{text}");
        // With their columns.
        assert!(text.lines().any(|text| text.contains("OpLine") && text.ends_with(&format!(" {line} 5"))), "{text}");
    }
}

/// No words make the compiler fail in another way than by an error about them.
/// Compilers that do not optimise keep the arguments of kernels in variables, images as well.
#[test]
fn channels_of_images_in_variables_are_known() {
    use rspirv::dr::{Instruction, Operand};
    use rspirv::spirv::{Op, StorageClass};
    let text = "kernel void k(read_only image2d_t i, global int *o) { o[0] = get_image_channel_order(i); }";
    let compiled = clforge_compiler::compile(Source { name: "k.cl", text: text.as_bytes() }, &options(OPENCL));
    let words = compiled.unwrap_or_else(|error| panic!("{}", error.render(false))).spirv;
    let mut module = rspirv::dr::load_words(&words).expect("a module");
    let header = module.header.as_mut().expect("a header");
    let [pointer, variable, loaded] = [0, 1, 2].map(|id| header.bound + id);
    header.bound += 3;
    let function = &mut module.functions[0];
    let block = &mut function.blocks[0].instructions;
    let query = block.iter().position(|inst| inst.class.opcode == Op::ImageQueryOrder).expect("a query");
    let image = std::mem::replace(&mut block[query].operands[0], Operand::IdRef(loaded));
    let is_image = |param: &&Instruction| param.result_id == image.id_ref_any();
    let ty = function.parameters.iter().find(is_image).and_then(|param| param.result_type).expect("a parameter");
    let load = Instruction::new(Op::Load, Some(ty), Some(loaded), vec![Operand::IdRef(variable)]);
    block.insert(query, load);
    block.insert(0, Instruction::new(Op::Store, None, None, vec![Operand::IdRef(variable), image]));
    let class = Operand::StorageClass(StorageClass::Function);
    block.insert(0, Instruction::new(Op::Variable, Some(pointer), Some(variable), vec![class.clone()]));
    let pointer = Instruction::new(Op::TypePointer, None, Some(pointer), vec![class, Operand::IdRef(ty)]);
    module.types_global_values.push(pointer);
    translated(&rspirv::binary::Assemble::assemble(&module), VULKAN);
}

#[test]
fn damaged_modules_are_errors() {
    let words = module();
    let check = |words: &[u32], what: &str| {
        if let Err(diagnostics) = translate_spirv(words, &options(VULKAN).with_max_instructions(200_000)) {
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

/// Modules of whole instructions, some of them wrong: an error, or a valid module.
#[test]
fn modules_of_wrong_instructions_are_errors_or_valid() {
    let words = module();
    let count = if std::env::var_os("CLFORGE_LONG_TESTS").is_some() { 2_000 } else { 150 };
    let mut accepted = 0;
    for seed in 0..count {
        let mut random = fastrand::Rng::with_seed(seed);
        let words = mutate(&words, &mut |limit| random.usize(..limit));
        let target = if seed % 4 == 0 { OPENCL } else { VULKAN };
        let options = options(target).with_max_instructions(200_000);
        match translate_spirv(&words, &options) {
            Err(diagnostics) => {
                let text = diagnostics.render(false);
                assert!(!text.contains("internal compiler error"), "seed {seed}: {text}");
            }
            Ok(compiled) => {
                accepted += 1;
                match validate(&compiled.spirv, target) {
                    Ok(()) | Err(ValidateError::TooOld(_)) => {}
                    Err(ValidateError::Invalid(message)) => panic!("seed {seed}: {message}"),
                    Err(ValidateError::Unavailable(reason)) => panic!("the validator cannot be run: {reason}"),
                }
            }
        }
    }
    assert!(accepted > count / 20, "only {accepted} of {count} modules are read");
}
