//! Images and samplers: every function on every shape compiles to a valid module, and what a target lacks is an error.

use clforge_compiler::interface::{ArgumentBinding, ImageFactKind, ModuleInterface};
use clforge_compiler::options::{ClStd, OpenClVersion, VulkanVersion};
use clforge_compiler::validate::{ValidateError, validate};
use clforge_compiler::{Options, Source, Target};

const TARGETS: [Target; 5] = [
    Target::OpenCl(OpenClVersion::V2_0),
    Target::OpenCl(OpenClVersion::V3_0),
    Target::Vulkan(VulkanVersion::V1_1),
    Target::Vulkan(VulkanVersion::V1_2),
    Target::Vulkan(VulkanVersion::V1_3),
];
const VULKAN: Target = Target::Vulkan(VulkanVersion::V1_2);

fn compile_with(text: &str, target: Target, opt_disable: bool) -> Result<Vec<u32>, String> {
    let options = Options::for_target(target).with_cl_std(ClStd::CL2_0).with(|o| o.codegen.opt_disable = opt_disable);
    let source = Source { name: "test.cl", text: text.as_bytes() };
    match clforge_compiler::compile(source, &options) {
        Ok(compiled) => Ok(compiled.spirv),
        Err(diagnostics) => Err(diagnostics.render(false)),
    }
}

/// Compiles with and without optimisation, and validates.
fn valid(text: &str, target: Target) -> Vec<u32> {
    let mut words = Vec::new();
    for opt_disable in [true, false] {
        words = compile_with(text, target, opt_disable).unwrap_or_else(|error| panic!("{target}: {error}\n{text}"));
        match validate(&words, target) {
            Ok(()) | Err(ValidateError::TooOld(_)) => {}
            Err(ValidateError::Invalid(message)) => panic!("{target}: {message}\n{text}"),
            Err(ValidateError::Unavailable(reason)) => panic!("the validator cannot be run: {reason}"),
        }
    }
    words
}

fn interface(text: &str) -> ModuleInterface {
    ModuleInterface::from_spirv(&valid(text, VULKAN)).unwrap_or_else(|error| panic!("{error}"))
}

/// Type, integer coordinate, floating coordinate.
const SHAPES: [(&str, &str, &str); 8] = [
    ("image1d_t", "1", "0.5f"),
    ("image1d_array_t", "(int2)(1, 2)", "(float2)(0.5f, 2.0f)"),
    ("image1d_buffer_t", "1", ""),
    ("image2d_t", "(int2)(1, 2)", "(float2)(0.5f, 0.25f)"),
    ("image2d_array_t", "(int4)(1, 2, 3, 0)", "(float4)(0.5f, 0.25f, 1.0f, 0.0f)"),
    ("image3d_t", "(int4)(1, 2, 3, 0)", "(float4)(0.5f, 0.25f, 0.75f, 0.0f)"),
    ("image2d_depth_t", "(int2)(1, 2)", "(float2)(0.5f, 0.25f)"),
    ("image2d_array_depth_t", "(int4)(1, 2, 3, 0)", "(float4)(0.5f, 0.25f, 1.0f, 0.0f)"),
];

/// Suffix of the functions and type of the texels.
const TEXELS: [(&str, &str); 4] = [("f", "float4"), ("i", "int4"), ("ui", "uint4"), ("h", "half4")];

fn texels(shape: &str) -> Vec<(&'static str, &'static str)> {
    if shape.contains("depth") { vec![("f", "float")] } else { TEXELS.to_vec() }
}

#[test]
fn reads_of_every_shape() {
    for (shape, integer, float) in SHAPES {
        for (suffix, texel) in texels(shape) {
            let mut text = format!(
                "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n\
                 constant sampler_t literal = CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;\n\
                 kernel void plain(read_only {shape} image, global {texel} *out) {{\n\
                 out[0] = read_image{suffix}(image, {integer}); }}\n\
                 kernel void both(read_write {shape} image, global {texel} *out) {{\n\
                 out[0] = read_image{suffix}(image, {integer}); write_image{suffix}(image, {integer}, out[1]); }}\n"
            );
            if !float.is_empty() {
                text += &format!(
                    "{texel} helper(read_only {shape} image, sampler_t sampler) {{\n\
                     return read_image{suffix}(image, sampler, {float}); }}\n\
                     kernel void sampled(read_only {shape} image, sampler_t sampler, global {texel} *out) {{\n\
                     const sampler_t local_one = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_LINEAR;\n\
                     const sampler_t copy = sampler;\n\
                     out[0] = read_image{suffix}(image, copy, {integer});\n\
                     out[1] = read_image{suffix}(image, sampler, {float});\n\
                     out[2] = read_image{suffix}(image, literal, {integer});\n\
                     out[3] = read_image{suffix}(image, local_one, {float});\n\
                     out[4] = helper(image, sampler); out[5] = helper(image, literal); }}\n"
                );
            }
            TARGETS.iter().for_each(|target| drop(valid(&text, *target)));
        }
    }
}

#[test]
fn writes_of_every_shape() {
    for (shape, integer, _) in SHAPES {
        for (suffix, texel) in texels(shape) {
            let text = format!(
                "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n\
                 void helper(write_only {shape} image, {texel} value) {{ write_image{suffix}(image, {integer}, value); }}\n\
                 kernel void store(write_only {shape} image, global {texel} *in) {{\n\
                 if (in[0]{first} > 0) helper(image, in[1]); else write_image{suffix}(image, {integer}, in[0]); }}\n",
                first = if texel.ends_with('4') { ".x" } else { "" }
            );
            TARGETS.iter().for_each(|target| drop(valid(&text, *target)));
        }
    }
}

#[test]
fn queries_of_every_shape() {
    for (shape, ..) in SHAPES {
        for access in ["read_only", "write_only", "read_write"] {
            let mut queries = vec!["get_image_width", "get_image_channel_order", "get_image_channel_data_type"];
            if shape.contains("2d") || shape.contains("3d") {
                queries.extend(["get_image_height"]);
            }
            if shape.contains("3d") {
                queries.push("get_image_depth");
            }
            if shape.contains("array") {
                queries.push("(int)get_image_array_size");
            }
            if !shape.contains("buffer") {
                queries.push("get_image_num_mip_levels");
            }
            let mut text = format!("kernel void query({access} {shape} image, global int *out) {{\n");
            for (index, query) in queries.iter().enumerate() {
                text += &format!("out[{index}] = {query}(image);\n");
            }
            match shape {
                _ if shape.contains("2d") => text += "vstore2(get_image_dim(image), 10, out);\n",
                _ if shape.contains("3d") => text += "vstore4(get_image_dim(image), 10, out);\n",
                _ => {}
            }
            text += "}\n";
            TARGETS.iter().for_each(|target| drop(valid(&text, *target)));
        }
    }
}

#[test]
fn levels_of_detail() {
    let text = "kernel void k(read_only image2d_t a, read_only image3d_t b, sampler_t s, global float4 *out) {\n\
                out[0] = read_imagef(a, s, (float2)(0.5f, 0.5f), 2.0f);\n\
                out[1] = read_imagef(a, s, (float2)(0.5f, 0.5f), (float2)(1, 0), (float2)(0, 1));\n\
                out[2] = read_imagef(b, s, (float4)(0.5f), 2.0f);\n\
                out[3] = read_imagef(b, s, (float4)(0.5f), (float4)(1), (float4)(2)); }\n";
    TARGETS.iter().for_each(|target| drop(valid(text, *target)));
}

#[test]
fn every_handle_has_a_descriptor_of_its_own() {
    let interface = interface(
        "kernel void k(read_only image2d_t a, int n, write_only image2d_t b, sampler_t s, read_only image1d_buffer_t c,\n\
         write_only image1d_buffer_t d) {\n\
         write_imagef(b, (int2)(n), read_imagef(a, s, (int2)(n)) + read_imagef(c, n)); write_imagef(d, n, (float4)(1)); }",
    );
    let kernel = &interface.kernels[0];
    let mut descriptors = Vec::new();
    for (ordinal, argument) in kernel.arguments.iter().enumerate() {
        match (ordinal, argument.binding) {
            (0, ArgumentBinding::SampledImage(at))
            | (2, ArgumentBinding::StorageImage(at))
            | (3, ArgumentBinding::Sampler(at))
            | (4, ArgumentBinding::UniformTexelBuffer(at))
            | (5, ArgumentBinding::StorageTexelBuffer(at)) => descriptors.push(at),
            (1, ArgumentBinding::PodPushConstant { .. }) => {}
            other => panic!("{other:?}"),
        }
    }
    descriptors.dedup();
    assert_eq!(descriptors.len(), 5);
    assert!(interface.literal_samplers.is_empty() && kernel.image_facts.is_empty());
}

/// The header of a block's object has 16 bytes, and captured values follow as they are met, at multiples of their alignment
/// (`compiler/sema/src/hir/mod.rs`).
#[test]
fn enqueued_blocks_get_images_and_samplers_as_arguments() {
    let interface = interface(
        "struct s { int a[3]; };\n\
         kernel void k(global int *sum, write_only image2d_t to, read_only image2d_t from, sampler_t by) {\n\
         struct s s = { { 1, 2, 3 } }; queue_t queue = get_default_queue();\n\
         enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^(local int *l) {\n\
         *sum = s.a[1]; write_imagef(to, (int2)(s.a[0]), (float4)(get_image_channel_order(from)));\n\
         enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{\n\
         *sum = read_imagei(from, by, (float2)(0.5f)).x; }); }, 4u); }",
    );
    // In the module a block's kernel stands where it is enqueued: the outer block first.
    let blocks: Vec<_> = interface.kernels.iter().filter(|kernel| kernel.is_block).collect();
    let captured = |index: usize| -> Vec<(u32, u32)> {
        blocks[index].captured.iter().map(|handle| (handle.ordinal, handle.offset)).collect()
    };
    let outer = blocks.iter().position(|kernel| kernel.argument_count() == 5).expect("the outer block");
    // `sum` at 16, 12 bytes of `s` at 24, `to` at 40, `from` at 48, `by` at 56; then the local pointer.
    assert_eq!(captured(outer), [(1, 40), (2, 48), (3, 56)]);
    assert_eq!(captured(1 - outer), [(1, 24), (2, 32)]);
    let bindings: Vec<_> = blocks[outer].arguments.iter().map(|argument| argument.binding).collect();
    assert!(matches!(
        bindings[..],
        [
            ArgumentBinding::PodPushConstant { size: 64, .. },
            ArgumentBinding::StorageImage(_),
            ArgumentBinding::SampledImage(_),
            ArgumentBinding::Sampler(_),
            ArgumentBinding::Workgroup { element_size: 4, .. },
        ]
    ));
    assert_eq!(blocks[outer].image_facts.len(), 1);
}

#[test]
fn literals_are_shared_and_normalised_where_vulkan_needs_it() {
    let nearest = 0x10 | 4;
    let interface = interface(
        "constant sampler_t one = CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;\n\
         const sampler_t same = CLK_FILTER_NEAREST | CLK_ADDRESS_CLAMP | CLK_NORMALIZED_COORDS_FALSE;\n\
         constant sampler_t unused = CLK_ADDRESS_REPEAT | CLK_NORMALIZED_COORDS_TRUE;\n\
         kernel void k(read_only image2d_t a, read_only image3d_t b, global float4 *out) {\n\
         out[0] = read_imagef(a, one, (float2)(1)) + read_imagef(a, same, (int2)(1)) + read_imagef(b, one, (int4)(1)); }",
    );
    let masks: Vec<u32> = interface.literal_samplers.iter().map(|sampler| sampler.mask).collect();
    assert_eq!(masks, [nearest, nearest | 1]);
}

#[test]
fn the_host_is_asked_for_what_the_device_cannot_tell() {
    let interface = interface(
        "kernel void k(read_only image3d_t a, sampler_t s, sampler_t t, read_only image2d_t b, global float4 *out) {\n\
         out[0] = read_imagef(a, s, (float4)(1)) + read_imagef(b, t, (float2)(1)) + get_image_channel_order(b); }",
    );
    let facts: Vec<(u32, ImageFactKind)> =
        interface.kernels[0].image_facts.iter().map(|fact| (fact.ordinal, fact.kind)).collect();
    assert_eq!(facts, [(1, ImageFactKind::NormalizedSamplerMask), (3, ImageFactKind::ChannelOrder)]);
}

#[test]
fn a_constant_says_how_coordinates_of_a_sampler_wrap() {
    let interface = interface(
        "float4 at(read_only image2d_t a, sampler_t s, float2 place) { return read_imagef(a, s, place); }\n\
         kernel void k(read_only image2d_t a, sampler_t s, local int *l, sampler_t unused, global float4 *out) {\n\
         out[0] = at(a, s, (float2)(-1)) + l[0]; }\n\
         kernel void integers(read_only image2d_t a, sampler_t s, global float4 *out) {\n\
         out[0] = read_imagef(a, s, (int2)(1)); }",
    );
    let [kernel, integers] = &interface.kernels[..] else { panic!("{interface:?}") };
    let [sampler] = kernel.wrapped_samplers[..] else { panic!("{kernel:?}") };
    let ArgumentBinding::Workgroup { spec_id, .. } = kernel.arguments[2].binding else { panic!("{kernel:?}") };
    assert_eq!(sampler.ordinal, 1);
    assert_ne!(sampler.spec_id, spec_id);
    assert!(integers.wrapped_samplers.is_empty());
}

#[test]
fn what_is_missing_is_named() {
    let multi = "kernel void k(read_only image2d_msaa_t a, global int *out) { out[0] = get_image_width(a); }";
    let error = compile_with(multi, VULKAN, false).unwrap_err();
    assert!(error.contains("'cl_khr_gl_msaa_sharing'"), "{error}");
    let both = "kernel void k(read_write image2d_t a) { write_imagef(a, (int2)(0), read_imagef(a, (int2)(1))); }";
    let error = compile_with(both, Target::OpenCl(OpenClVersion::V1_2), false).unwrap_err();
    assert!(error.contains("need OpenCL 2.0"), "{error}");
}

#[test]
fn a_choice_at_run_time_is_refused() {
    let samplers = "kernel void k(read_only image2d_t i, sampler_t s, sampler_t t, int c, global float4 *out) {\n\
                    sampler_t u = c ? s : t; out[0] = read_imagef(i, u, (int2)(0)); }";
    for target in TARGETS {
        let error = compile_with(samplers, target, false).unwrap_err();
        assert!(error.contains("incompatible operand types ('sampler_t' and 'sampler_t')"), "{error}");
    }
}

#[test]
fn helpers_of_every_form() {
    let text = "float4 alone(read_only image2d_t i, sampler_t s) { return read_imagef(i, s, (int2)(0)); }\n";
    TARGETS.iter().for_each(|target| drop(valid(text, *target)));
    let text = "__attribute__((noinline)) float4 search(read_only image2d_t i, sampler_t s, int n) {\n\
                if (n > 3) return (float4)(0);\n\
                for (int k = 0; k < n; k++) { float4 v = read_imagef(i, s, (int2)(k)); if (v.x > 0.5f) return v; }\n\
                return read_imagef(i, s, (int2)(9)); }\n\
                kernel void k(read_only image2d_t i, sampler_t s, global float4 *out, int n) {\n\
                int x = get_global_id(0);\n\
                while (x-- > 0) { const sampler_t q = CLK_FILTER_LINEAR;\n\
                switch (x) { case 1: out[x] = search(i, q, n); break; default: out[x] = search(i, s, n); } } }";
    TARGETS.iter().for_each(|target| drop(valid(text, *target)));
}
