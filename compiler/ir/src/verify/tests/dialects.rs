//! What each legalisation pass removes and introduces.

use super::*;

#[test]
fn legalisation_for_vulkan_removes_what_vulkan_lacks() {
    use Legalized::*;
    let to = Dialect::Vulkan;
    legal_only_in(to(WideVectors), to(Memory), "func @f(%0: ptr.global) {\n  return\n}");
    legal_only_in(to(WideVectors), to(Memory), "func @f() {\n  %0: ptr.private = alloca size 4 align 4\n  return\n}");
    legal_only_in(to(Images), to(WideVectors), "func @f(%0: i32x8) {\n  return\n}");
    legal_only_in(
        to(Images),
        to(WideVectors),
        "func @f() {\n  %0: i32x8 = neg i32x8 [0, 1, 2, 3, 4, 5, 6, 7]\n  return\n}",
    );
    legal_only_in(to(KernelAbi), to(Images), "func @f() {\n  %0: sampler = sampler 16\n  return\n}");
    legal_only_in(to(KernelAbi), to(Images), "func @f(%0: sampler) {\n  %1: i64 = handle_index %0\n  return\n}");
    legal_only_in(to(KernelAbi), to(Images), "func @f(%0: bool) {\n  check index %0, i64 3, i64 3\n  return\n}");
    legal_only_in(to(Builtins), to(KernelAbi), "func @f() {\n  %0: i64 = work_item global_id 0\n  return\n}");
    legal_only_in(to(Builtins), to(KernelAbi), "kernel @f(%0: i32) args (value i32) {\n  return\n}");
    let work_group = "func @f(%0: bool) {\n  %1: bool = group work_group uniform all (%0)\n  return\n}";
    legal_only_in(Dialect::Core, to(Builtins), work_group);
    legal_only_in(Dialect::Core, to(Builtins), "func @f(%0: queue) {\n  return\n}");
    legal_only_in(Dialect::Core, to(Builtins), "func @f() {\n  %0: queue = device default_queue ()\n  return\n}");
}

#[test]
fn legalisation_for_vulkan_introduces_what_vulkan_has() {
    use Legalized::*;
    legal_only_in(Dialect::VULKAN, EARLY, "variable @v0 \"v\" private i32 bytes 4\nfunc @f() {\n  return\n}");
    legal_only_in(Dialect::VULKAN, EARLY, "func @f() {\n  %0: i32 = input workgroup_id 0\n  return\n}");
    legal_only_in(Dialect::VULKAN, EARLY, "func @f() {\n  %0: i32 = spec_constant 3\n  return\n}");
    legal_only_in(Dialect::VULKAN, Dialect::Core, "func @f() {\n  %0: sampler = resource 0 1\n  return\n}");
    // An address is a number only where there are no pointers left to tell it from.
    let physical = "func @f(%0: i64) {\n  %1: i32 = load align 4 %0\n  return\n}\n";
    assert_eq!(check(Dialect::Vulkan(KernelAbi), physical), Ok(()));
    assert_eq!(check(Dialect::Core, physical).map_err(|error| error.rule), Err(Rule::Operands));
}

#[test]
fn images_are_descriptors_after_legalisation() {
    let image = |op: &str| {
        format!(
            "func @f(%0: i32x2, %1: f32x2, %2: f32x4) {{\n  %3: image.D2.ReadWrite = resource 0 1\n  \
             %4: sampler = resource 0 2\n  {op}\n  return\n}}"
        )
    };
    let before = Dialect::Vulkan(Legalized::KernelAbi);
    legal_only_in(before, Dialect::VULKAN, &image("image write_lod f32 %3, %0, i32 1, %2"));
    legal_only_in(before, Dialect::VULKAN, &image("%5: i32 = image samples none %3"));
    legal_only_in(
        EARLY,
        before,
        "func @f(%0: image.D2.ReadOnly) {\n  %1: i32 = image channel_order none %0\n  return\n}",
    );
    legal_only_in(
        before,
        Dialect::VULKAN,
        "func @f(%0: image.D2.ReadOnly) {\n  %1: i32 = image levels f32 %0\n  return\n}",
    );
    for (bad, good) in [
        ("%5: f32x4 = image sample f32 %3, %4, %0", "%5: f32x4 = image sample f32 %3, %4, %1"),
        ("%5: f32x4 = image sample f32 %3, %4, %2", "%5: f32x4 = image sample_lod f32 %3, %4, %1, f32 0x0"),
    ] {
        rejects_module(Dialect::VULKAN, Rule::Operands, "coordinate", &image(bad), &image(good));
        assert_eq!(check(before, &image(bad)), Ok(()));
    }
}

#[test]
fn environments_before_opencl_2_have_no_generic_pointers() {
    let [with, without] = [true, false].map(|generic_pointers| Dialect::OpenCl { generic_pointers });
    legal_only_in(with, without, "func @f(%0: ptr.generic) {\n  return\n}");
    assert_eq!(check(without, "func @f(%0: ptr.global) {\n  return\n}\n"), Ok(()));
}

#[test]
fn what_a_target_lacks_is_gone_after_its_pass() {
    let opencl = Dialect::OpenCl { generic_pointers: true };
    let body = |text: &str| {
        let params =
            "%0: f32x2, %1: ptr.global, %2: i64, %3: f32, %4: f16, %5: image.D2.WriteOnly, %6: i32x2, %7: f16x4";
        format!("func @f({params}) {{\n  {text}\n  return\n}}")
    };
    for text in [
        "%8: f32 = intrinsic \"dot\" %0, %0",
        "%8: f32x2 = intrinsic \"vload_half\" %2, %1",
        "%8: f32 = intrinsic \"vloada_half\" %2, %1",
        "intrinsic \"vstore_half\" %0, %2, %1",
        "%8: f16 = atomic exchange relaxed device global relaxed %1, %4",
        "atomic store relaxed device global relaxed %1, %4",
    ] {
        legal_only_in(Dialect::Core, opencl, &body(text));
        legal_only_in(Dialect::Core, EARLY, &body(text));
    }
    // Some devices have it.
    legal_only_in(EARLY, opencl, &body("%8: f32 = atomic fadd relaxed device global relaxed %1, %3"));
    // `OpenCL.std` has these.
    for text in [
        "%8: f32 = intrinsic \"vload_half\" %2, %1",
        "intrinsic \"vstore_half_rtz\" %3, %2, %1",
        "image write f16 %5, %6, %7",
    ] {
        legal_only_in(opencl, EARLY, &body(text));
    }
}

#[test]
fn nothing_is_imported_where_there_is_no_linking() {
    let imported = "global @g0 \"g\" constant size 4 align 4 imported";
    legal_only_in(EARLY, Dialect::Vulkan(Legalized::KernelAbi), imported);
}

#[test]
fn the_memory_model_has_neither_sequential_consistency_nor_fences_of_one_work_item() {
    use Legalized::*;
    for text in [
        "%1: i32 = atomic add sequentially_consistent device global relaxed %0, i32 1",
        "%1: i32 = variable_atomic add sequentially_consistent work_group local relaxed @v0, i32 1",
        "fence sequentially_consistent device global",
        "barrier work_group sequentially_consistent work_group local",
        // Scopes that are narrower than the work-items that meet.
        "fence acquire_release work_item global",
        "barrier work_group acquire_release sub_group local",
        "barrier sub_group acquire_release work_item global",
        // The order where the comparison fails.
        "%1: i32 = atomic compare_exchange acquire device global sequentially_consistent %0, i32 1, i32 2",
        "%1: i32 = variable_atomic compare_exchange acquire work_group local sequentially_consistent @v0, i32 1, i32 2",
    ] {
        let module = format!("variable @v0 \"v\" workgroup i32 bytes 4\nfunc @f(%0: i64) {{\n  {text}\n  return\n}}");
        legal_only_in(Dialect::Vulkan(Memory), Dialect::VULKAN, &module);
    }
}

#[test]
fn private_variables_of_constant_size_may_begin_as_zeros() {
    let good = "variable @v0 \"v\" private i32 bytes 4 zero\n";
    for bad in [
        "variable @v0 \"v\" workgroup i32 bytes 4 zero\n",
        "variable @v0 \"v\" private i32 bytes 4 + 4 * spec 4 zero\n",
    ] {
        rejects_module(Dialect::VULKAN, Rule::Module, "begins as zeros", bad, good);
    }
}

#[test]
fn buffers_have_lengths() {
    let text = |storage: &str| {
        format!("variable @v0 \"a\" {storage} i32 bytes 0\nfunc @f() {{\n  %0: i32 = buffer_length @v0\n  return\n}}\n")
    };
    let message = "not a variable in a storage buffer";
    rejects_module(Dialect::VULKAN, Rule::Operands, message, &text("workgroup"), &text("storage_buffer 0 1"));
}
