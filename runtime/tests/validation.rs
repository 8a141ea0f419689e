//! What `Program::from_spirv` accepts: valid modules whose reflection describes their code, and no others.

mod common;

use clforge_compiler::options::ClStd;
use clforge_compiler::{Options, Source};
use clforge_runtime::{Device, Error, Program};
use common::{assemble, assembly, device, module};

/// Replaces parts of a text, each of which it must contain.
fn replaced(text: String, parts: &[(&str, &str)]) -> String {
    parts.iter().fold(text, |text, (from, to)| {
        assert!(text.contains(from), "no '{from}' in\n{text}");
        text.replacen(from, to, 1)
    })
}

#[track_caller]
fn rejected(device: &Device, words: &[u32]) -> Error {
    Program::from_spirv(device, words).map(|_| ()).expect_err("the module is rejected")
}

#[test]
fn invalid_modules_are_rejected() {
    let device = device(false);
    let mut words = module("vector_add");
    // OpReturn becomes OpNop: a block has no end.
    let at = words.iter().position(|word| *word == 1 << 16 | 253).expect("an OpReturn");
    words[at] = 1 << 16;
    assert!(matches!(rejected(&device.0, &words), Error::InvalidModule(_)));
}

/// spirv-val accepts each of these modules: it does not compare the reflection with the code.
#[test]
fn reflection_that_contradicts_the_code_is_rejected() {
    let device = device(false);
    for (name, parts, message) in [
        (
            "foreign_pod_buffer",
            &[("ArgumentStorageBuffer %kernel %u3 %u0 %u1", "ArgumentStorageBuffer %kernel %u3 %u0 %u4")][..],
            "uses 1 x STORAGE_BUFFER at set 0, binding 1, but the reflection describes no descriptor",
        ),
        (
            "foreign_pod_buffer",
            &[("ArgumentStorageBuffer %kernel %u1 %u0 %u0", "ArgumentUniform %kernel %u1 %u0 %u0")],
            "uses 1 x STORAGE_BUFFER at set 0, binding 0, but the reflection describes UNIFORM_BUFFER",
        ),
        (
            "foreign_local",
            &[
                ("OpCapability Shader\n", "OpCapability Shader\nOpCapability Int64\n"),
                ("%length = OpSpecConstant %uint 1", "%ulong = OpTypeInt 64 0\n%length = OpSpecConstant %ulong 1"),
            ],
            "specialisation constant 3, which its reflection uses, has not 32 bits",
        ),
    ] {
        let error = rejected(&device.0, &assemble(&replaced(assembly(name), parts), "vulkan1.2"));
        let Error::UnusableModule(problem) = &error else { panic!("{name}: {error}") };
        assert!(problem.contains(message), "{problem}");
    }
}

/// Each of these would let a kernel take anything for an address, an id or a size.
#[test]
fn values_that_the_code_does_not_read_where_the_reflection_says() {
    let device = device(false);
    let pointer = "ArgumentPointerPushConstant %kernel %u0 %u16 %u8";
    let (size, shared) = ("SpecConstantWorkgroupSize %u0 %u1 %u2", "ArgumentWorkgroup %kernel %u0 %u3 %u4");
    for (name, from, to, message) in [
        ("vector_add", pointer, "ArgumentPointerPushConstant %kernel %u0 %u1 %u8", "puts argument 0 at byte 1"),
        ("vector_add", pointer, "ArgumentPointerPushConstant %kernel %u0 %u16 %u4", "at byte 16, with 4 bytes"),
        (
            "vector_add",
            pointer,
            "ArgumentPointerPushConstant %kernel %u0 %u24 %u8",
            "puts argument 0 and argument 1 at the same place",
        ),
        (
            "vector_add",
            "ArgumentPodPushConstant %kernel %u3 %u40 %u4",
            "ArgumentPodPushConstant %kernel %u3 %u12 %u4",
            "does not describe byte 40 of the push constants",
        ),
        ("vector_add", "OpMemberDecorate %block 4 Offset 40", "OpMemberDecorate %block 4 Offset 60", "byte 60"),
        (
            "vector_add",
            "ArgumentInfo %a_str %floatp_str %global",
            "ArgumentInfo %a_str %floatp_str %private",
            "is private",
        ),
        (
            "vector_add",
            "PushConstantRegionOffset %u0 %u12",
            "PushConstantRegionOffset %u1 %u12",
            "RegionOffset at byte 1",
        ),
        ("foreign_local", size, "SpecConstantWorkgroupSize %u1 %u0 %u2", "[1, 0, 2] are the local size"),
        ("foreign_local", shared, "ArgumentWorkgroup %kernel %u0 %u2 %u4", "specialisation constant 2 twice"),
        ("foreign_local", shared, "ArgumentWorkgroup %kernel %u0 %u3 %u1", "elements of 1 bytes, but they have 4"),
        (
            "foreign_local",
            "ArgumentStorageBuffer %kernel %u2 %u0 %u1",
            "ArgumentStorageBuffer %kernel %u2 %u0 %u0",
            "uses set 0, binding 0 twice",
        ),
        ("foreign_images", "LiteralSampler %u0 %u0", "LiteralSampler %u1 %u1", "uses set 1, binding 1 twice"),
    ] {
        let words = assemble(&replaced(assembly(name), &[(from, to)]), "vulkan1.2");
        // SAFETY: the code is good; the reflection is what is tested.
        let unchecked = unsafe { Program::from_spirv_unchecked(&device.0, &words) };
        for error in [rejected(&device.0, &words), unchecked.map(|_| ()).expect_err("the module is rejected")] {
            assert!(matches!(&error, Error::UnusableModule(text) if text.contains(message)), "{name}, {to}: {error}");
        }
    }
}

/// Layouts have room for push constants that the reflection does not describe, as far as the device has it.
#[test]
fn blocks_of_push_constants_may_be_larger_than_the_reflection_says() {
    let device = device(false);
    for (offset, is_too_large) in [("60", false), ("1000000", true)] {
        let parts = [
            ("%ulong %ulong %ulong %float", "%ulong %ulong %ulong %float %float"),
            (
                "OpMemberDecorate %block 4 Offset 40",
                &*format!("OpMemberDecorate %block 4 Offset 40\nOpMemberDecorate %block 5 Offset {offset}"),
            ),
        ];
        let words = assemble(&replaced(assembly("vector_add"), &parts), "vulkan1.2");
        match Program::from_spirv(&device.0, &words) {
            Ok(program) => assert!(!is_too_large && program.kernel("vector_add").is_ok()),
            Err(error) => assert!(is_too_large && matches!(error, Error::Limit { .. }), "{error}"),
        }
    }
}

/// Before SPIR-V 1.4 entry points do not list the buffers that they use: functions are searched for them.
#[test]
fn buffers_of_old_modules_are_found_in_their_functions() {
    let device = device(false);
    let old = ("\"saxpy\" %gid %x %y %pod", "\"saxpy\" %gid");
    let words = assemble(&replaced(assembly("foreign_pod_buffer"), &[old]), "vulkan1.1");
    Program::from_spirv(&device.0, &words).expect("the module is right");
    // The code in a function of its own, which the entry point calls.
    let called = [
        old,
        ("%main = OpFunction %void None %fn\n", "%work_items = OpFunction %void None %fn\n"),
        (
            "OpFunctionEnd\n",
            "OpFunctionEnd\n%main = OpFunction %void None %fn\n%first = OpLabel\n%called = OpFunctionCall %void %work_items\n\
             OpReturn\nOpFunctionEnd\n",
        ),
    ];
    let words = assemble(&replaced(assembly("foreign_pod_buffer"), &called), "vulkan1.1");
    Program::from_spirv(&device.0, &words).expect("the module is right");
    let wrong = ("ArgumentStorageBuffer %kernel %u3 %u0 %u1", "ArgumentStorageBuffer %kernel %u3 %u0 %u4");
    let parts = [&called[..], &[wrong]].concat();
    let words = assemble(&replaced(assembly("foreign_pod_buffer"), &parts), "vulkan1.1");
    assert!(matches!(rejected(&device.0, &words), Error::UnusableModule(text) if text.contains("binding 1")));
}

#[test]
fn modules_of_this_compiler_are_accepted() {
    let device = device(false);
    let large = "typedef struct { int a[100]; } large;\n\
                 kernel void k(large s, global int *a, local int *b) { b[0] = s.a[a[0]]; a[1] = b[0]; }";
    let images = "constant sampler_t s = CLK_FILTER_LINEAR | CLK_NORMALIZED_COORDS_TRUE;\n\
                  kernel void k(read_only image2d_t a, write_only image1d_buffer_t b, sampler_t t, read_write image3d_t c) {\n\
                  write_imagef(b, 0, read_imagef(a, s, (float2)(0)) + read_imagef(a, t, (float2)(0)));\n\
                  write_imagef(c, (int4)(0), read_imagef(c, (int4)(1))); }\n\
                  kernel void other(global int *a) { a[0] = get_global_id(0) + get_sub_group_size(); }";
    let shared = "kernel void few(global int *a) { a[0] = 1; }\n\
                  kernel void many(global int *a, long b, long c, long d, global int *e) { a[0] = b + c + d + e[0]; }";
    let data = "global int counter = 5; constant int table[4] = {1, 2, 3, 4};\n\
                kernel void k(global int *a, int i) { a[0] = table[i] + counter++; printf(\"%d\\n\", a[0]); }";
    for (text, bounds_check) in
        [(large, false), (large, true), (images, false), (shared, false), (data, false), (data, true)]
    {
        let options = Options::default().with_cl_std(ClStd::CL3_0).with_bounds_check(bounds_check);
        let source = Source { name: "a.cl", text: text.as_bytes() };
        let compiled = clforge_compiler::compile(source, &device.0.tuned(&options));
        let compiled = compiled.unwrap_or_else(|errors| panic!("{}", errors.render(false)));
        let loaded = Program::from_spirv(&device.0, &compiled.spirv);
        loaded.unwrap_or_else(|error| panic!("{text}\n{error}"));
    }
}
