//! Each rule has a text that breaks it and is rejected for that rule, and one that keeps it and is accepted.

mod dialects;
mod intrinsics;

use super::*;
use crate::read::read;

/// Values to compute with, before the instructions of a case; their results are numbered from 20.
const CORE: &str = "global @g0 \"table\" constant size 16 align 4
func @callee(%0: i32) -> i32 {
  return %0
}
kernel @block(%0: ptr.generic, %1: ptr.local) args (pointer generic, local 4 align 4) {
  return
}
func @f(%0: i32, %1: f32, %2: bool, %3: i32x4, %4: f32x4, %5: i64, %6: ptr.global, %7: ptr.generic, %8: ptr.private, %9: image.D2.ReadOnly, %10: image.D2.WriteOnly, %11: sampler, %12: pipe.4.4.read, %13: queue, %14: clk_event, %15: reserve_id, %16: i32x2, %17: f32x2, %18: i8) {
";

/// The same for modules that are legal for Vulkan.
const VULKAN: &str = "variable @v0 \"shared\" workgroup i32 bytes 64
variable @v1 \"push\" push_constant i32 bytes 64
func @f(%0: i32, %1: f32, %2: bool, %3: i32x4, %4: f32x4, %5: i64, %6: i32x2, %7: f32x2, %8: image.D2.ReadOnly) {
";

const EARLY: Dialect = Dialect::Vulkan(Legalized::Builtins);

/// The first violation, where there is one.
fn check(dialect: Dialect, text: &str) -> Result<(), VerifyError> {
    check_all(dialect, text).map_err(|errors| errors.list[0].clone())
}

fn check_all(dialect: Dialect, text: &str) -> Result<(), VerifyErrors> {
    let module = read(text).unwrap_or_else(|message| panic!("{message}\n{text}"));
    verify(&module, dialect)
}

/// Both as the whole text of a module.
fn rejects_module(dialect: Dialect, rule: Rule, message: &str, bad: &str, good: &str) {
    let error = check(dialect, bad).expect_err(bad);
    assert!(error.rule == rule && error.message.contains(message), "{error:?}\n{bad}");
    assert_eq!(check(dialect, good), Ok(()), "{good}");
}

fn rejects_in(dialect: Dialect, rule: Rule, message: &str, bad: &str, good: &str) {
    let head = if dialect.reached(Legalized::KernelAbi) { VULKAN } else { CORE };
    let [bad, good] = [bad, good].map(|body| format!("{head}{body}\n  return\n}}\n"));
    rejects_module(dialect, rule, message, &bad, &good);
}

fn rejects(rule: Rule, message: &str, bad: &str, good: &str) {
    rejects_in(Dialect::Core, rule, message, bad, good);
}

fn rejects_operands(message: &str, bad: &str, good: &str) {
    rejects(Rule::Operands, message, bad, good);
}

fn rejects_results(bad: &str, good: &str) {
    rejects(Rule::Results, "", bad, good);
}

/// The text is legal in one dialect and not in the other.
fn legal_only_in(good: Dialect, bad: Dialect, text: &str) {
    let text = format!("{text}\n");
    let error = check(bad, &text).expect_err(&text);
    assert_eq!(error.rule, Rule::Dialect, "{error:?}");
    assert_eq!(check(good, &text), Ok(()), "{text}");
}

#[test]
fn an_error_names_function_and_instruction() {
    let error = check(Dialect::Core, &format!("{CORE}  %20: i32 = neg %1\n  return\n}}\n")).expect_err("neg of f32");
    assert_eq!(error.function.as_deref(), Some("f"));
    assert_eq!(error.instruction.as_ref().map(|(id, _)| *id), Some(InstId::new(0)));
    assert_eq!(error.to_string(), "in function 'f': neg of f32, in '%20: i32 = neg %1'");
}

#[test]
fn all_errors_are_reported_each_once() {
    let text = format!(
        "{CORE}  %20: i32 = neg %1\n  %21: i32 = add %20, %0\n  if %2 {{\n    \
         %22: f32 = fneg %0\n    yield %0\n  }} else {{\n    yield\n  }}\n  %23: i32 = not %22\n  return\n}}\n\
         func @g(%0: i32) -> i32 {{\n  return\n}}\n"
    );
    let text = text.replace("align 4\nfunc @callee", "align 4\nglobal @g1 \"odd\" global size 4 align 3\nfunc @callee");
    let errors = check_all(Dialect::Core, &text).expect_err("six mistakes").to_string();
    let expected = "\
global 'odd': the alignment is not a power of two
in function 'f': neg of f32, in '%20: i32 = neg %1'
in function 'f': fneg of i32, in '%22: f32 = fneg %0'
in function 'f': the values have the types (i32), should be (), in 'yield %0'
in function 'f': %22 is used where its definition does not dominate, in '%23: i32 = not %22'
in function 'g': the type of the result differs from the function's, in 'return'";
    assert_eq!(errors, expected);
}

#[test]
fn arithmetic_has_operands_of_its_types() {
    rejects_operands("neg of f32", "%20: f32 = neg %1", "%20: i32 = neg %0");
    rejects_operands("fneg of i32", "%20: i32 = fneg %0", "%20: f32x4 = fneg %4");
    rejects_operands("not of f32", "%20: f32 = not %1", "%20: bool = not %2");
    rejects_operands("differ", "%20: i32 = add %0, %5", "%20: i32 = add %0, %0");
    rejects_operands("add of f32", "%20: f32 = add %1, %1", "%20: f32 = fadd %1, %1");
    rejects_operands("fadd of i32", "%20: i32 = fadd %0, %0", "%20: i32x4 = add %3, %3");
    rejects_operands("shl of bool", "%20: bool = shl %2, %2", "%20: bool = and %2, %2");
    rejects_operands("xor of f32", "%20: f32 = xor %1, %1", "%20: i32 = xor %0, %0");
    rejects_results("%20: i64 = add %0, %0", "%20: i64 = add %5, %5");
}

#[test]
fn comparisons_give_bools() {
    rejects_operands("slt of f32", "%20: bool = slt %1, %1", "%20: bool = slt %0, %0");
    rejects_operands("flt of i32", "%20: bool = flt %0, %0", "%20: bool = flt %1, %1");
    rejects_operands("slt of ptr", "%20: bool = slt %6, %6", "%20: bool = ult %6, %6");
    rejects_operands("eq of f32", "%20: bool = eq %1, %1", "%20: bool = eq %6, %6");
    rejects_operands("eq of sampler", "%20: bool = eq %11, %11", "%20: bool = eq %2, %2");
    rejects_operands("differ", "%20: bool = eq %6, %7", "%20: bool = eq %7, %7");
    rejects_results("%20: i32 = eq %0, %0", "%20: boolx4 = eq %3, %3");
}

#[test]
fn a_check_has_integers_and_a_bool_for_each_lane() {
    rejects_operands("condition", "check signed_sum %2, %3, %3", "check signed_sum %2, %0, %0");
    rejects_operands("condition", "check index %0, %0, %0", "%20: boolx4 = eq %3, %3\ncheck index %20, %3, %3");
    rejects_operands("two integers", "check finite_sum %2, %1, %1", "check finite_sum %2, %18, %18");
    rejects_operands("two integers", "check shift_count %2, %0, %5", "check shift_count %2, %5, %5");
}

#[test]
fn a_select_has_a_bool_for_all_lanes_or_each() {
    rejects_operands("condition", "%20: i32 = select %0, %0, %0", "%20: i32 = select %2, %0, %0");
    rejects_operands(
        "condition",
        "%20: boolx4 = eq %3, %3\n%21: f32x2 = select %20, %17, %17",
        "%20: boolx4 = eq %3, %3\n%21: f32x4 = select %20, %4, %4",
    );
    rejects_operands("differ", "%20: i32 = select %2, %0, %5", "%20: i32x4 = select %2, %3, %3");
    rejects_results("%20: i64 = select %2, %0, %0", "%20: i64 = select %2, %5, %5");
}

#[test]
fn conversions_are_between_their_types() {
    rejects_operands("trunc", "%20: i64 = trunc %0", "%20: i8 = trunc %0");
    rejects_operands("zext", "%20: i8 = zext %0", "%20: i32 = zext %2");
    rejects_operands("sext", "%20: i64x2 = sext %0", "%20: i64 = sext %0");
    rejects_operands("ftrunc", "%20: f64 = ftrunc %1", "%20: f16 = ftrunc %1");
    rejects_operands("fext", "%20: f16 = fext %1", "%20: f64 = fext %1");
    rejects_operands("ftos", "%20: i32 = ftos %0", "%20: i32 = ftos %1");
    rejects_operands("ftou", "%20: f32 = ftou %1", "%20: i32 = ftou %1");
    rejects_operands("stof", "%20: f32 = stof %1", "%20: f32 = stof %0");
    rejects_operands("utof", "%20: f32x4 = utof %0", "%20: f32x4 = utof %3");
    rejects_operands("bitcast", "%20: i64 = bitcast %0", "%20: i8x4 = bitcast %0");
    rejects_operands("bitcast", "%20: i64 = bitcast %6", "%20: i64 = ptr_to_int %6");
    rejects_operands("ptr_to_int", "%20: i32 = ptr_to_int %6", "%20: i64 = ptr_to_int %6");
    rejects_operands("int_to_ptr", "%20: ptr.global = int_to_ptr %0", "%20: ptr.global = int_to_ptr %5");
    rejects_operands("ptr_cast", "%20: ptr.private = ptr_cast %6", "%20: ptr.generic = ptr_cast %6");
    rejects_operands(
        "ptr_cast_checked",
        "%20: ptr.global = ptr_cast_checked %8",
        "%20: ptr.global = ptr_cast_checked %7",
    );
}

#[test]
fn lanes_are_there() {
    rejects_operands("lane", "%20: i32 = extract %3 4", "%20: i32 = extract %3 3");
    rejects_operands("lane", "%20: i32 = extract %0 0", "%20: i32 = extract %16 0");
    rejects_operands("lane", "%20: i32x4 = insert %3, %0 4", "%20: i32x4 = insert %3, %0 3");
    rejects_operands("scalar", "%20: i32x4 = insert %3, %1 0", "%20: i32x4 = insert %3, %0 0");
    rejects_operands("index", "%20: i32 = extract_dynamic %3, %5", "%20: i32 = extract_dynamic %3, %0");
    rejects_operands("index", "%20: f32x4 = insert_dynamic %4, %1, %1", "%20: f32x4 = insert_dynamic %4, %1, %0");
    rejects_operands("scalar", "%20: f32x4 = insert_dynamic %4, %0, %0", "%20: f32x4 = insert_dynamic %4, %1, %0");
    rejects_operands("element", "%20: i32x4 = construct %0, %0", "%20: i32x2 = construct %0, %0");
    rejects_operands("element", "%20: i32x2 = construct %0, %1", "%20: f32x2 = construct %1, %1");
    rejects_operands("lane", "%20: i32x2 = shuffle %3, %3 [0, 8]", "%20: i32x2 = shuffle %3, %3 [0, 7]");
    rejects_operands("differ", "%20: i32x2 = shuffle %3, %16 [0, 1]", "%20: i32x3 = shuffle %16, %16 [0, 1, 255]");
    rejects_results("%20: i32x4 = shuffle %3, %3 [0, 1]", "%20: i32x4 = shuffle %3, %3 [3, 2, 1, 0]");
    rejects_results("%20: f32 = extract %3 0", "%20: f32 = extract %4 0");
}

#[test]
fn vectors_are_of_numbers_and_have_lanes_of_opencl_c() {
    for lanes in [1, 2, 3, 4, 8, 16] {
        assert!(Dialect::Core.check_type(Type::vector(ScalarType::F16, lanes)).is_ok());
    }
    let pointers = Type::vector(ScalarType::Ptr(Space::Global), 2);
    for ty in [Type::vector(ScalarType::I32, 0), Type::vector(ScalarType::I32, 5), pointers] {
        assert!(Dialect::Core.check_type(ty).is_err_and(|violation| violation.rule == Rule::Operands), "{ty}");
    }
}

#[test]
fn calls_fit_what_they_call() {
    rejects_operands("arguments", "%20: i32 = call @callee(%1)", "%20: i32 = call @callee(%0)");
    rejects_operands("arguments", "%20: i32 = call @callee()", "%20: i32 = call @callee(%0)");
    rejects_results("call @callee(%0)", "%20: i32 = call @callee(%0)");
    rejects_operands("without operands", "%20: f32 = intrinsic \"sin\"", "%20: f32 = intrinsic \"sin\" %1");
    rejects_module(
        Dialect::Core,
        Rule::Module,
        "calls itself",
        "func @a() {\n  call @b()\n  return\n}\nfunc @b() {\n  call @a()\n  return\n}\n",
        "func @a() {\n  call @b()\n  return\n}\nfunc @b() {\n  return\n}\n",
    );
}

#[test]
fn pointers_point_somewhere() {
    rejects_operands("base", "%20: i64 = ptr_add %5 [4]", "%20: ptr.global = ptr_add %6 [4]");
    rejects_operands(
        "index",
        "%20: ptr.global = ptr_add %6 [%18 * 4 + 0]",
        "%20: ptr.global = ptr_add %6 [%0 * 4 + 0]",
    );
    rejects_operands("no such global", "%20: ptr.constant = address @g1", "%20: ptr.constant = address @g0");
    rejects_results("%20: ptr.global = address @g0", "%20: ptr.constant = address @g0");
    rejects_operands(
        "alignment",
        "%20: ptr.private = alloca size 4 align 3",
        "%20: ptr.private = alloca size 4 align 4",
    );
    rejects_results("%20: ptr.local = alloca size 4 align 4", "%20: ptr.private = alloca size 4 align 4");
    rejects(
        Rule::Placement,
        "nested region",
        "if %2 {\n%20: ptr.private = alloca size 4 align 4\nyield\n} else {\nyield\n}",
        "%20: ptr.private = alloca size 4 align 4\nif %2 {\nyield\n} else {\nyield\n}",
    );
}

#[test]
fn memory_is_accessed_through_pointers() {
    rejects_operands("pointer", "%20: i32 = load align 4 %5", "%20: i32 = load align 4 %6");
    rejects_operands("alignment", "%20: i32 = load align 3 %6", "%20: i32 = load align 1 %6");
    rejects_operands("bool", "%20: bool = load align 1 %6", "%20: i8 = load align 1 %6");
    rejects_operands("bool", "store align 1 %6, %2", "store align 1 %6, %18");
    rejects_results("%20: i32 = store align 4 %6, %0", "store align 4 %6, %0");
    rejects_results("load align 4 %6", "%20: i32x4 = load align 4 %6");
}

#[test]
fn atomics_have_their_operands() {
    let relaxed = "relaxed device global relaxed %6";
    let check = |message: &str, bad: &str, good: &str| {
        let [bad, good] = [bad, good].map(|text| text.replace('$', relaxed));
        rejects_operands(message, &bad, &good);
    };
    check("1 operands", "%20: i32 = atomic add $, %0, %0", "%20: i32 = atomic add $, %0");
    check("0 operands", "%20: i32 = atomic load $, %0", "%20: i32 = atomic load $");
    check("2 operands", "%20: i32 = atomic compare_exchange $, %0", "%20: i32 = atomic compare_exchange $, %0, %0");
    check("value", "%20: i32 = atomic compare_exchange $, %0, %5", "%20: i64 = atomic compare_exchange $, %5, %5");
    check("fadd of i32", "%20: i32 = atomic fadd $, %0", "%20: f32 = atomic fadd $, %1");
    check("umax of f32", "%20: f32 = atomic umax $, %1", "%20: f32 = atomic fmax $, %1");
    check("of i32x4", "%20: i32x4 = atomic exchange $, %3", "%20: f32 = atomic exchange $, %1");
    check("not a pointer", "atomic store relaxed device global relaxed %0, %0", "atomic store $, %0");
    rejects_results(
        "%20: i32 = atomic store relaxed device relaxed %6, %0",
        "atomic store relaxed device relaxed %6, %0",
    );
    rejects_results(
        "%20: i64 = atomic add relaxed device relaxed %6, %0",
        "%20: i64 = atomic add relaxed device relaxed %6, %5",
    );
}

#[test]
fn variables_are_accessed_by_element() {
    let check = |message: &str, bad: &str, good: &str| {
        rejects_in(Dialect::VULKAN, Rule::Operands, message, bad, good);
    };
    check("no such variable", "%20: i32 = variable_load @v2[%0]", "%20: i32 = variable_load @v1[%0]");
    check("index", "%20: i32 = variable_load @v1[%5]", "%20: i32 = variable_load @v0");
    check("value", "variable_store @v0[%0], %1", "variable_store @v0[%0], %0");
    check("cannot be written", "variable_store @v1[%0], %0", "variable_store @v0[i32 3], %0");
    let atomic = |op: &str, rest: &str| format!("%20: {op} relaxed work_group relaxed {rest}");
    check(
        "elements of type i32",
        &atomic("i64 = variable_atomic add", "@v0[%0], %5"),
        &atomic("i32 = variable_atomic add", "@v0[%0], %0"),
    );
    check(
        "cannot be written",
        &atomic("i32 = variable_atomic load", "@v1[%0]"),
        &atomic("i32 = variable_atomic load", "@v0[%0]"),
    );
    rejects_in(
        Dialect::VULKAN,
        Rule::Results,
        "",
        "%20: f32 = variable_load @v0[%0]",
        "%20: i32 = variable_load @v0[%0]",
    );
}

#[test]
fn barriers_are_of_groups() {
    rejects_operands(
        "no group",
        "barrier device acquire_release device global",
        "barrier work_group acquire_release device global",
    );
    rejects_results("%20: i32 = fence release sub_group image", "fence release sub_group image");
}

#[test]
fn what_a_device_gives_has_three_dimensions() {
    rejects_operands("dimension", "%20: i64 = work_item global_id 3", "%20: i64 = work_item global_id 2");
    rejects_results("%20: i16 = work_item global_id 0", "%20: i64 = work_item global_id 0");
    // Of programs whose 'size_t' has 32 bits.
    rejects_results("%20: i64 = work_item sub_group_id 0", "%20: i32 = work_item global_id 0");
    rejects_results("%20: i32 = read_clock device", "%20: i64 = read_clock device");
    rejects_results("%20: i32 = sampler 16", "%20: sampler = sampler 16");
    rejects_results("%20: i32 = handle_index %11", "%20: i64 = handle_index %11");
    rejects_operands("handle", "%20: i64 = handle_index %13", "%20: i64 = handle_index %9");
    rejects_in(
        Dialect::VULKAN,
        Rule::Operands,
        "dimension",
        "%20: i32 = input workgroup_id 3",
        "%20: i32 = input workgroup_id 0",
    );
    rejects_in(Dialect::VULKAN, Rule::Results, "", "%20: i64 = spec_constant 3", "%20: i32 = spec_constant 3");
    rejects_in(Dialect::VULKAN, Rule::Results, "neither", "%20: event = resource 0 1", "%20: sampler = resource 0 1");
}

#[test]
fn image_operations_have_their_types() {
    rejects_operands("not an image", "%20: i32 = image levels none %0", "%20: i32 = image levels none %9");
    rejects_operands(
        "sampler",
        "%20: f32x4 = image sample f32 %9, %0, %17",
        "%20: f32x4 = image sample f32 %9, %11, %17",
    );
    rejects_operands(
        "coordinate",
        "%20: f32x4 = image sample f32 %9, %11, %1",
        "%20: f32x4 = image sample f32 %9, %11, %16",
    );
    rejects_operands(
        "level of detail",
        "%20: f32x4 = image sample_lod f32 %9, %11, %17, %0",
        "%20: f32x4 = image sample_lod f32 %9, %11, %17, %1",
    );
    rejects_operands(
        "coordinate",
        "%20: f32x4 = image sample_grad f32 %9, %11, %17, %16, %17",
        "%20: f32x4 = image sample_grad f32 %9, %11, %17, %17, %17",
    );
    rejects_operands("coordinate", "%20: f32x4 = image read f32 %9, %17", "%20: f32x4 = image read f32 %9, %16");
    rejects_operands(
        "sample",
        "%20: f32x4 = image read_sample f32 %9, %16, %1",
        "%20: f32x4 = image read_sample f32 %9, %16, %0",
    );
    rejects_operands("texel", "image write f32 %10, %16, %3", "image write f32 %10, %16, %4");
    rejects_operands("texel", "image write f32 %10, %16, %1", "image write signed %10, %16, %3");
    rejects_operands("level", "image write_lod f32 %10, %16, %1, %4", "image write_lod f32 %10, %16, %0, %4");
    rejects_results("%20: i32x4 = image read f32 %9, %16", "%20: i32x4 = image read unsigned %9, %16");
    rejects_results("%20: f32 = image sample f32 %9, %11, %17", "%20: f32x4 = image sample f32 %9, %11, %17");
    rejects_results("%20: i32 = image size none %9", "%20: i32x2 = image size none %9");
    rejects_results("%20: i64 = image channel_order none %9", "%20: i32 = image channel_order none %9");
}

#[test]
fn group_operations_have_their_types() {
    rejects_operands("scope", "%20: bool = group device all (%2)", "%20: bool = group sub_group all (%2)");
    rejects_operands(
        "work-groups",
        "%20: i32 = group work_group shuffle (%0, %0)",
        "%20: i32 = group sub_group shuffle (%0, %0)",
    );
    rejects_operands("predicate", "%20: bool = group sub_group any (%0)", "%20: bool = group sub_group any (%2)");
    rejects_operands(
        "predicate",
        "%20: i32x4 = group sub_group ballot (%0)",
        "%20: i32x4 = group sub_group ballot (%2)",
    );
    rejects_operands(
        "value",
        "%20: bool = group sub_group all_equal (%3)",
        "%20: bool = group sub_group all_equal (%0)",
    );
    rejects_operands(
        "id",
        "%20: i32 = group sub_group broadcast (%0, %5)",
        "%20: i32 = group work_group uniform broadcast (%0, %5)",
    );
    rejects_operands(
        "ballot",
        "%20: bool = group sub_group inverse_ballot (%0)",
        "%20: bool = group sub_group inverse_ballot (%3)",
    );
    rejects_operands(
        "ballot",
        "%20: i32 = group sub_group ballot_bit_count reduce (%0)",
        "%20: i32 = group sub_group ballot_bit_count reduce (%3)",
    );
    rejects_operands(
        "id",
        "%20: bool = group sub_group ballot_bit_extract (%3, %5)",
        "%20: bool = group sub_group ballot_bit_extract (%3, %0)",
    );
    rejects_operands(
        "second",
        "%20: i32 = group sub_group rotate (%0, %5)",
        "%20: f32 = group sub_group rotate (%1, %0)",
    );
    rejects_operands(
        "constant power of two",
        "%20: i32 = group sub_group clustered_rotate (%0, %0, %0)",
        "%20: i32 = group sub_group clustered_rotate (%0, %0, i32 4)",
    );
    rejects_operands(
        "constant power of two",
        "%20: i32 = group sub_group clustered_arithmetic add (%0, i32 3)",
        "%20: i32 = group sub_group clustered_arithmetic add (%0, i32 2)",
    );
    rejects_operands(
        "fadd of i32",
        "%20: i32 = group sub_group arithmetic fadd reduce (%0)",
        "%20: f32 = group sub_group arithmetic fadd reduce (%1)",
    );
    rejects_operands(
        "smin of bool",
        "%20: bool = group sub_group arithmetic smin exclusive (%2)",
        "%20: bool = group sub_group arithmetic xor exclusive (%2)",
    );
    rejects_results("%20: i32 = group sub_group elect ()", "%20: bool = group sub_group elect ()");
    rejects_results(
        "%20: i32 = group sub_group broadcast_first (%1)",
        "%20: f32 = group sub_group broadcast_first (%1)",
    );
}

#[test]
fn pipe_and_event_operations_have_their_types() {
    rejects_operands("pipe", "%20: i32 = device read_pipe (%0, %7)", "%20: i32 = device read_pipe (%12, %7)");
    rejects_operands("packet", "%20: i32 = device write_pipe (%12, %6)", "%20: i32 = device write_pipe (%12, %7)");
    rejects_operands(
        "index",
        "%20: i32 = device reserved_read_pipe (%12, %15, %5, %7)",
        "%20: i32 = device reserved_read_pipe (%12, %15, %0, %7)",
    );
    rejects_operands(
        "packets",
        "%20: reserve_id = device reserve_read (%12, %5)",
        "%20: reserve_id = device reserve_read (%12, %0)",
    );
    rejects_operands("reservation", "device commit_read (%12, %0)", "device commit_read (%12, %15)");
    rejects_operands(
        "reservation",
        "%20: bool = device is_valid_reserve_id (%0)",
        "%20: bool = device is_valid_reserve_id (%15)",
    );
    rejects_operands("event", "device retain_event (%15)", "device retain_event (%14)");
    rejects_operands("status", "device set_user_event_status (%14, %5)", "device set_user_event_status (%14, %0)");
    rejects_operands(
        "destination",
        "device capture_event_profiling_info (%14, %0, %7)",
        "device capture_event_profiling_info (%14, %0, %6)",
    );
    rejects_operands(
        "queue",
        "%20: i32 = device enqueue_marker (%14, %0, %7, %7)",
        "%20: i32 = device enqueue_marker (%13, %0, %7, %7)",
    );
    rejects_operands("size", "device nd_range1 (%8, %0, i64 0, i64 0)", "device nd_range1 (%8, %5, i64 0, i64 0)");
    rejects_operands("size", "device nd_range2 (%8, %5, %8, %8)", "device nd_range2 (%8, %8, %8, %8)");
    rejects_operands("range", "device nd_range3 (%7, %8, %8, %8)", "device nd_range3 (%8, %8, %8, %8)");
    rejects_results("%20: i64 = device pipe_packets (%12)", "%20: i32 = device pipe_packets (%12)");
    rejects_results("%20: queue = device create_user_event ()", "%20: clk_event = device create_user_event ()");
    rejects_results("device default_queue ()", "%20: queue = device default_queue ()");
}

#[test]
fn blocks_are_enqueued_with_a_size_for_each_local_pointer() {
    let enqueue =
        |kernel: &str, operands: &str| format!("%20: i32 = enqueue kernel @{kernel} size 16 align 8 ({operands})");
    let good = enqueue("block", "%13, %0, %8, %0, %7, %7, %7, %8");
    for (message, bad) in [
        ("each local pointer", enqueue("block", "%13, %0, %8, %0, %7, %7, %7")),
        ("size of local memory", enqueue("block", "%13, %0, %8, %0, %7, %7, %7, %5")),
        ("object", enqueue("block", "%13, %0, %8, %0, %7, %7, %8, %8")),
        ("kernel of a block", enqueue("callee", "%13, %0, %8, %0, %7, %7, %7, %8")),
        ("flags", enqueue("block", "%13, %5, %8, %0, %7, %7, %7, %8")),
        ("range", enqueue("block", "%13, %0, %7, %0, %7, %7, %7, %8")),
        ("list of events", enqueue("block", "%13, %0, %8, %0, %6, %7, %7, %8")),
    ] {
        rejects_operands(message, &bad, &good);
    }
    rejects_results(&good.replacen("i32", "i64", 1), &good);
}

#[test]
fn values_are_used_where_their_definition_dominates() {
    rejects(
        Rule::Dominance,
        "does not dominate",
        "if %2 {\n%20: i32 = neg %0\nyield\n} else {\nyield\n}\n%21: i32 = neg %20",
        "%20: i32 = neg %0\nif %2 {\n%21: i32 = neg %20\nyield\n} else {\nyield\n}",
    );
    rejects(
        Rule::Dominance,
        "does not dominate",
        "loop (%0) (%20: i32) {\ncontinue\n} continuing {\n%21: i32 = neg %20\nnext_if %2 (%0) ()\n}",
        "loop (%0) (%20: i32) {\ncontinue %20\n} continuing (%22: i32) {\n%21: i32 = neg %22\nnext_if %2 (%0) ()\n}",
    );
}

#[test]
fn regions_end_in_their_terminators() {
    rejects(Rule::Placement, "misplaced", "if %2 {\nbreak\n} else {\nyield\n}", "if %2 {\nyield\n} else {\nyield\n}");
    rejects(
        Rule::Placement,
        "terminator ends each region",
        "if %2 {\nyield\n%20: i32 = neg %0\n} else {\nyield\n}",
        "if %2 {\n%20: i32 = neg %0\nyield\n} else {\nyield\n}",
    );
    rejects(Rule::Placement, "is empty", "if %2 {\n} else {\nyield\n}", "if %2 {\nreturn\n} else {\nyield\n}");
    rejects(
        Rule::Placement,
        "parameters",
        "if %2 (%20: i32) {\nyield\n} else {\nyield\n}",
        "%20: i32 = if %2 {\nyield %0\n} else {\nunreachable\n}",
    );
    rejects_operands("condition", "if %0 {\nyield\n} else {\nyield\n}", "if %2 {\nyield\n} else {\nyield\n}");
    rejects_operands(
        "values have the types",
        "%20: i32 = if %2 {\nyield %0\n} else {\nyield %1\n}",
        "%20: i32 = if %2 {\nyield %0\n} else {\nyield %0\n}",
    );
    rejects_module(
        Dialect::Core,
        Rule::Operands,
        "differs from the function's",
        "func @f(%0: i32) -> i64 {\n  return %0\n}\n",
        "func @f(%0: i32) -> i32 {\n  return %0\n}\n",
    );
}

#[test]
fn loops_carry_values_of_their_types() {
    let plain = "loop (%0) (%20: i32) {\ncontinue\n} continuing {\nnext_if %2 (%0) ()\n}";
    rejects_operands("inits", &plain.replace("(%0) (", "(%1) ("), plain);
    rejects_operands("values have the types", &plain.replace("continue\n", "continue %0\n"), plain);
    rejects_operands("values have the types", &plain.replace("(%0) ()", "(%1) ()"), plain);
    rejects_operands("values have the types", &plain.replace("(%0) ()", "(%0) (%0)"), plain);
    rejects_operands("condition", &plain.replace("next_if %2", "next_if %0"), plain);
    rejects(Rule::Placement, "misplaced", &plain.replace("continue\n", "next %0\n"), plain);
    rejects(Rule::Placement, "misplaced", &plain.replace("next_if %2 (%0) ()", "break"), plain);
    rejects(Rule::Placement, "continuing region", &plain.replace("next_if %2 (%0) ()", "return"), plain);
}

#[test]
fn switches_have_one_default_and_different_values() {
    let plain = "switch %0 (%1) case 1 (%20: f32) {\nfallthrough %20\n} case 2 default (%21: f32) {\nbreak\n}";
    rejects_operands("default", &plain.replace("2 default", "2"), plain);
    rejects_operands("default", &plain.replace("case 1", "case 1 default"), plain);
    rejects_operands("one value", &plain.replace("case 1", "case 2"), plain);
    rejects_operands("selector", &plain.replace("switch %0", "switch %1"), plain);
    rejects_operands("wider", &plain.replace("switch %0", "switch %18").replace("case 1", "case 300"), plain);
    rejects_operands("parameters of a case", &plain.replace("%20: f32", "%20: i32"), plain);
    rejects_operands("values have the types", &plain.replace("break", "break %0"), plain);
    rejects(Rule::Placement, "misplaced", &plain.replace("break", "fallthrough %21"), plain);
}

#[test]
fn globals_are_well_formed() {
    let check = |message: &str, bad: &str, good: &str| {
        rejects_module(Dialect::Core, Rule::Module, message, &format!("{bad}\n"), &format!("{good}\n"));
    };
    let good = "global @g0 \"g\" constant size 8 align 8 init \"0000000000000000\" reloc 0 @g0 0";
    check("alignment", &good.replace("align 8", "align 6"), good);
    check("size", &good.replace("size 8", "size 12"), good);
    check("no global", &good.replace("0 @g0 0", "0 @g1 0"), good);
    // A pointer has four bytes at the least.
    check("outside", &good.replace("reloc 0", "reloc 5"), &good.replace("reloc 0", "reloc 4"));
    let two = |first: u32, second: u32| {
        let zeros = "00".repeat(16);
        format!("global @g0 \"g\" constant size 16 align 8 init \"{zeros}\" reloc {first} @g0 0 reloc {second} @g0 0")
    };
    check("in order", &two(8, 0), &two(0, 8));
    check("memory", &good.replace("constant", "private"), good);
}

#[test]
fn kernels_have_an_argument_for_each_parameter_and_no_result() {
    let check = |message: &str, bad: &str, good: &str| {
        rejects_module(Dialect::Core, Rule::Module, message, bad, good);
    };
    let good = "kernel @k(%0: i32) args (value i32) {\n  return\n}\n";
    check("more parameters", &good.replace("value i32", ""), good);
    check("result", "kernel @k() -> i32 args () {\n  return i32 0\n}\n", good);
}
