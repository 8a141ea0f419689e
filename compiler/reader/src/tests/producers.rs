//! Forms that LLVM and its translator generate and this compiler does not.

use super::forms::append;
use super::{Test, module, rejected, run};
use crate::{Reason, read};
use clforge_basic::options::Options;
use rspirv::dr::{Instruction, Operand};
use rspirv::spirv::{BuiltIn, Decoration, LinkageType, Op, StorageClass, Word};
use rustc_hash::FxHashMap;

/// An instruction without a method of its own.
pub(super) fn global(t: &mut Test, op: Op, ty: Option<Word>, operands: Vec<Operand>) -> Word {
    let id = t.b.id();
    t.b.module_mut().types_global_values.push(Instruction::new(op, ty, Some(id), operands));
    id
}

/// A function that another module is to define.
pub(super) fn import(t: &mut Test, name: &str, result: Word, params: &[Word]) -> Word {
    let ty = t.b.type_function(result, params.to_vec());
    let control = rspirv::spirv::FunctionControl::NONE;
    let function = t.b.begin_function(result, None, control, ty).expect("a function");
    let linkage = [Operand::LiteralString(name.into()), Operand::LinkageType(LinkageType::Import)];
    t.b.decorate(function, Decoration::LinkageAttributes, linkage);
    for param in params {
        t.b.function_parameter(*param).expect("a parameter");
    }
    t.b.end_function().expect("an end");
    function
}

/// `test`, with its first block begun.
pub(super) fn begin(t: &mut Test) {
    let ty = t.b.type_function(t.int, [t.int]);
    let control = rspirv::spirv::FunctionControl::NONE;
    let function = t.b.begin_function(t.int, None, control, ty).expect("a function");
    t.b.name(function, "test");
    t.x = t.b.function_parameter(t.int).expect("a parameter");
    let entry = t.b.id();
    t.block(entry);
}

#[test]
fn integers_of_33_bits_wrap_there() {
    // (u33)x * (u33)(x - 1) >> 1, as LLVM sums up 0 + 1 + … + (x - 1).
    let mut t = Test::empty();
    let wide = t.b.type_int(33, 0);
    let (one, wide_one) = (t.int(1), t.b.constant_bit64(wide, 1));
    begin(&mut t);
    let (int, x) = (t.int, t.x);
    let less = t.b.i_sub(int, None, x, one).expect("a difference");
    let [x, less] = [x, less].map(|value| t.b.u_convert(wide, None, value).expect("a conversion"));
    let product = t.b.i_mul(wide, None, x, less).expect("a product");
    let half = t.b.shift_right_logical(wide, None, product, wide_one).expect("a shift");
    let result = t.b.u_convert(int, None, half).expect("a conversion");
    let words = t.finish(result);
    for x in [1_u32, 5, 100_000, 0xffff_ffff] {
        let product = (u64::from(x) * u64::from(x - 1)) & 0x1_ffff_ffff;
        assert_eq!(run(&words, x), (product >> 1) as u32, "{x}");
    }
}

#[test]
fn integers_of_7_bits_have_signs() {
    // (int)((i7)x / -3) * 2 + ((i7)x < 10), of which the sum of 7 bits overflows first.
    let mut t = Test::empty();
    let narrow = t.b.type_int(7, 0);
    let [third, ten, hundred] = [125, 10, 100].map(|value| t.b.constant_bit32(narrow, value));
    let (two, zero, one) = (t.int(2), t.int(0), t.int(1));
    begin(&mut t);
    let (int, bool, x) = (t.int, t.bool, t.x);
    let value = t.b.u_convert(narrow, None, x).expect("a conversion");
    let value = t.b.i_add(narrow, None, value, hundred).expect("a sum");
    let quotient = t.b.s_div(narrow, None, value, third).expect("a quotient");
    let quotient = t.b.s_convert(int, None, quotient).expect("a conversion");
    let less = t.b.s_less_than(bool, None, value, ten).expect("a comparison");
    let less = t.b.select(int, None, less, one, zero).expect("a choice");
    let doubled = t.b.i_mul(int, None, quotient, two).expect("a product");
    let result = t.add(doubled, less);
    let words = t.finish(result);
    for x in 0..128_i32 {
        let sum = (x + 100) & 127;
        let signed = if sum >= 64 { sum - 128 } else { sum };
        assert_eq!(run(&words, x as u32) as i32, signed / -3 * 2 + i32::from(signed < 10), "{x}");
    }
}

/// `bitcast <4 x i1> … to i4`, and back, as LLVM's optimiser tests several conditions at once.
#[test]
fn conditions_are_bits_of_integers() {
    for lanes in [4, 8] {
        let mut t = Test::empty();
        let narrow = t.b.type_int(lanes, 0);
        let (ints, bools) = (t.b.type_vector(t.int, lanes), t.b.type_vector(t.bool, lanes));
        let limits: Vec<Word> = (0..lanes).map(|lane| t.int(10 * lane)).collect();
        let limits = t.b.constant_composite(ints, limits);
        let (zero, one) = (t.int(0), t.int(1));
        begin(&mut t);
        let (int, x) = (t.int, t.x);
        let all = t.b.composite_construct(ints, None, vec![x; lanes as usize]).expect("a vector");
        let above = t.b.u_greater_than(bools, None, all, limits).expect("comparisons");
        let mask = t.b.bitcast(narrow, None, above).expect("bits");
        let again = t.b.bitcast(bools, None, mask).expect("lanes");
        let third = t.b.composite_extract(t.bool, None, again, [2]).expect("a lane");
        let third = t.b.select(int, None, third, one, zero).expect("a choice");
        let mask = t.b.u_convert(int, None, mask).expect("a conversion");
        let hundred = t.int(100);
        let hundreds = t.b.i_mul(int, None, third, hundred).expect("a product");
        let result = t.add(mask, hundreds);
        let words = t.finish(result);
        for x in [0, 5, 15, 25, 35, 100] {
            let mask: u32 = (0..lanes).map(|lane| u32::from(x > 10 * lane) << lane).sum();
            assert_eq!(run(&words, x), mask + 100 * (mask >> 2 & 1), "{lanes}, {x}");
        }
    }
}

/// LLVM's translator makes members of an object in local memory that has no initial value undefined one by one.
#[test]
fn local_memory_begins_as_zeros_or_undefined() {
    let with = |member: fn(&mut Test) -> Word| {
        let mut t = Test::empty();
        let int = t.int;
        let record = t.b.type_struct([int, int]);
        let pointer = t.b.type_pointer(None, StorageClass::Workgroup, record);
        let undefined = t.b.undef(int, None);
        let member = member(&mut t);
        let initial = t.b.constant_composite(record, [undefined, member]);
        t.b.variable(pointer, None, StorageClass::Workgroup, Some(initial));
        rspirv::binary::Assemble::assemble(&t.b.module())
    };
    let words = with(|t| t.b.undef(t.int, None));
    assert_eq!(module(&words).globals.raw[0].init, None);
    let error = rejected(&with(|t| t.int(1))).to_string();
    assert!(error.contains("local memory with an initial value other than zero"), "{error}");
    // Newer ones write zeros.
    let words = with(|t| t.int(0));
    assert_eq!(module(&words).globals.raw[0].init, Some(vec![0; 8]));
    let words = with(|t| t.b.constant_null(t.int));
    assert_eq!(module(&words).globals.raw[0].init, Some(vec![0; 8]));
}

#[test]
fn what_integers_of_other_widths_cannot_do_is_rejected() {
    let mut t = Test::empty();
    let narrow = t.b.type_int(7, 0);
    begin(&mut t);
    let (int, x) = (t.int, t.x);
    let value = t.b.u_convert(narrow, None, x).expect("a conversion");
    let reversed = t.b.bit_reverse(narrow, None, value).expect("bits");
    let result = t.b.u_convert(int, None, reversed).expect("a conversion");
    let error = rejected(&t.finish(result));
    assert!(error.to_string().starts_with("BitReverse of integers of 7 bits"), "{error}");
}

#[test]
fn vectors_of_one_component_are_scalars() {
    let mut t = Test::empty();
    let short = t.b.type_int(16, 0);
    let (one, pair) = (t.b.type_vector(t.int, 1), t.b.type_vector(short, 2));
    begin(&mut t);
    let (int, x) = (t.int, t.x);
    let vector = t.b.composite_construct(one, None, [x]).expect("a vector");
    let halves = t.b.bitcast(pair, None, vector).expect("bits");
    let swapped = t.b.vector_shuffle(pair, None, halves, halves, [1, 0]).expect("a shuffle");
    let vector = t.b.bitcast(one, None, swapped).expect("bits");
    let vector = t.b.vector_shuffle(one, None, vector, vector, [0]).expect("a shuffle");
    let value = t.b.composite_extract(int, None, vector, [0]).expect("a component");
    let words = t.finish(value);
    assert_eq!(run(&words, 0x1234_5678), 0x5678_1234);
}

#[test]
fn structures_may_point_to_themselves() {
    // struct node { node *next; int value; } b = { 0, x }, a = { &b, 1 }; return a.next->value
    let mut t = Test::empty();
    let pointer = t.b.id();
    t.b.type_forward_pointer(pointer, StorageClass::Function);
    let node = t.b.type_struct([pointer, t.int]);
    t.b.type_pointer(Some(pointer), StorageClass::Function, node);
    let to_pointer = t.b.type_pointer(None, StorageClass::Function, pointer);
    let to_int = t.b.type_pointer(None, StorageClass::Function, t.int);
    let [zero, one] = [0, 1].map(|value| t.int(value));
    begin(&mut t);
    let (int, x) = (t.int, t.x);
    let [a, b] = [0; 2].map(|_| t.b.variable(pointer, None, StorageClass::Function, None));
    let next = t.b.in_bounds_access_chain(to_pointer, None, a, [zero]).expect("an address");
    t.b.store(next, b, None, []).expect("a store");
    let value = t.b.in_bounds_access_chain(to_int, None, b, [one]).expect("an address");
    t.b.store(value, x, None, []).expect("a store");
    let next = t.b.load(pointer, None, next, None, []).expect("a load");
    let value = t.b.in_bounds_access_chain(to_int, None, next, [one]).expect("an address");
    let value = t.b.load(int, None, value, None, []).expect("a load");
    let words = t.finish(value);
    assert_eq!(run(&words, 77), 77);
}

#[test]
fn a_forward_pointer_keeps_its_storage_class() {
    let mut t = Test::empty();
    let pointer = t.b.id();
    t.b.type_forward_pointer(pointer, StorageClass::Function);
    let node = t.b.type_struct([pointer, t.int]);
    t.b.type_pointer(Some(pointer), StorageClass::CrossWorkgroup, node);
    let error = rejected(&rspirv::binary::Assemble::assemble(&t.b.module()));
    assert!(matches!(error.reason, Reason::Invalid(_)) && error.id == Some(pointer), "{error}");
}

/// `get_enqueued_local_size(3)` and `get_global_id(3)` become components that the variables do not have.
#[test]
fn dimensions_beyond_the_third_have_the_values_of_the_functions() {
    for (built_in, expected) in [(BuiltIn::EnqueuedWorkgroupSize, 1), (BuiltIn::GlobalInvocationId, 0)] {
        let mut t = Test::empty();
        let long = t.b.type_int(64, 0);
        let vector = t.b.type_vector(long, 3);
        let pointer = t.b.type_pointer(None, StorageClass::Input, vector);
        let variable = t.b.variable(pointer, None, StorageClass::Input, None);
        t.b.decorate(variable, Decoration::BuiltIn, [Operand::BuiltIn(built_in)]);
        begin(&mut t);
        let sizes = t.b.load(vector, None, variable, None, []).expect("a load");
        let beyond = t.b.composite_extract(long, None, sizes, [3]).expect("a component");
        let value = t.b.u_convert(t.int, None, beyond).expect("a conversion");
        let value = t.add(value, t.x);
        // The interpreter has no work-items: what is added to the parameter is enough.
        let module = module(&t.finish(value));
        let function = &module.functions[clforge_ir::FunctionId::from(0)];
        let added = function.insts.iter().find_map(|inst| match inst.op {
            clforge_ir::Op::Binary { lhs, rhs, .. } => function.as_int(lhs).or_else(|| function.as_int(rhs)),
            _ => None,
        });
        // To add 0 is to do nothing, and folded.
        assert_eq!(added.unwrap_or(0), expected);
    }
}

#[test]
fn built_in_functions_are_called_by_their_mangled_names() {
    let mut t = Test::empty();
    let int = t.int;
    let dot = import(&mut t, "_Z21dot_4x8packed_uu_uintjj", int, &[int, int]);
    let dot_signed = import(&mut t, "_Z20dot_4x8packed_ss_intjj", int, &[int, int]);
    let factors = t.int(0x0102_03ff);
    begin(&mut t);
    let x = t.x;
    let unsigned = t.b.function_call(int, None, dot, [x, factors]).expect("a call");
    let signed = t.b.function_call(int, None, dot_signed, [x, factors]).expect("a call");
    let difference = t.b.i_sub(int, None, unsigned, signed).expect("a difference");
    let words = t.finish(difference);
    // Only the lowest bytes differ by signs: 0xff is 255 or -1.
    assert_eq!(run(&words, 0x7f), 0x7f * 256);
    assert_eq!(run(&words, 0x0505_0500), 0);
}

#[test]
fn atomic_functions_of_runtime_libraries() {
    // int object = 0, value = x, copy; __atomic_store(4, &object, &value, 5); __atomic_load(4, &object, &copy, 5)
    let mut t = Test::empty();
    let (int, long, void) = (t.int, t.b.type_int(64, 0), t.b.type_void());
    let pointer = t.b.type_pointer(None, StorageClass::Function, int);
    let [store, load] =
        ["__atomic_store", "__atomic_load"].map(|name| import(&mut t, name, void, &[long, pointer, pointer, int]));
    let (size, order, zero) = (t.b.constant_bit64(long, 4), t.int(5), t.int(0));
    begin(&mut t);
    let x = t.x;
    let [object, value, copy] = [0; 3].map(|_| t.b.variable(pointer, None, StorageClass::Function, Some(zero)));
    t.b.store(value, x, None, []).expect("a store");
    t.b.function_call(void, None, store, [size, object, value, order]).expect("a call");
    t.b.function_call(void, None, load, [size, object, copy, order]).expect("a call");
    let result = t.b.load(int, None, copy, None, []).expect("a load");
    let words = t.finish(result);
    assert_eq!(run(&words, 1234), 1234);
}

/// Blocks have pointers to functions in them, which nobody calls.
#[test]
fn pointers_to_functions_are_values() {
    let mut t = Test::empty();
    let int = t.int;
    let ty = t.b.type_function(int, [int]);
    let pointer = t.b.type_pointer(None, StorageClass::Function, ty);
    let callee = t.b.id();
    let constant = global(&mut t, Op::ConstantFunctionPointerINTEL, Some(pointer), vec![Operand::IdRef(callee)]);
    let null = t.b.constant_null(pointer);
    let control = rspirv::spirv::FunctionControl::NONE;
    t.b.begin_function(int, Some(callee), control, ty).expect("a function");
    let x = t.b.function_parameter(int).expect("a parameter");
    let entry = t.b.id();
    t.block(entry);
    t.b.ret_value(x).expect("a return");
    t.b.end_function().expect("an end");
    begin(&mut t);
    let bool = t.bool;
    let there = t.b.ptr_not_equal(bool, None, constant, null).expect("a comparison");
    let (one, zero, x) = (t.int(1), t.int(0), t.x);
    let number = t.b.select(int, None, there, one, zero).expect("a choice");
    let sum = t.add(number, x);
    let words = t.finish(sum);
    assert_eq!(run(&words, 5), 6);
}

#[test]
fn hints_of_extensions_are_taken_or_left() {
    let mut t = Test::empty();
    let domain = t.b.id();
    let declaration = Instruction::new(Op::AliasDomainDeclINTEL, None, Some(domain), vec![]);
    t.b.module_mut().types_global_values.push(declaration);
    begin(&mut t);
    let [exit] = t.labels();
    // OpLoopControlINTEL DontUnroll
    let hint = Instruction::new(Op::LoopControlINTEL, None, None, vec![Operand::LiteralBit32(2)]);
    t.b.insert_into_block(rspirv::dr::InsertPoint::End, hint).expect("a hint");
    t.b.branch(exit).expect("a branch");
    t.block(exit);
    let x = t.x;
    let words = t.finish(x);
    assert_eq!(run(&words, 3), 3);
    assert!(read(&words, &FxHashMap::default(), &Options::default()).is_ok());
}

/// LLVM's own back end (22) gives each row of a table the type that its pointers' objects have.
#[test]
fn tables_of_pointers_to_objects_of_several_types() {
    // constant int a[1] = {10}, b[2] = {20, 30}; constant struct { constant int *p; int n; } table[2] = {{a, 1}, {b, 2}};
    // *table[x & 1].p + table[x & 1].n
    let mut t = Test::empty();
    let (int, x_class) = (t.int, StorageClass::UniformConstant);
    let [zero, one, two, ten, twenty, thirty] = [0, 1, 2, 10, 20, 30].map(|value| t.int(value));
    let composite = |t: &mut Test, ty, parts: &[Word]| t.b.constant_composite(ty, parts.to_vec());
    let constant = |t: &mut Test, ty, value| {
        let pointer = t.b.type_pointer(None, x_class, ty);
        (pointer, t.b.variable(pointer, None, x_class, Some(value)))
    };
    let [short, long] = [one, two].map(|length| t.b.type_array(int, length));
    let values = composite(&mut t, short, &[ten]);
    let (to_short, a) = constant(&mut t, short, values);
    let values = composite(&mut t, long, &[twenty, thirty]);
    let (to_long, b) = constant(&mut t, long, values);
    let [row, other] = [to_short, to_long].map(|pointer| t.b.type_struct([pointer, int]));
    let rows = [composite(&mut t, row, &[a, one]), composite(&mut t, other, &[b, two])];
    let table = t.b.type_array(row, two);
    let values = composite(&mut t, table, &rows);
    let (_, table) = constant(&mut t, table, values);
    let [to_int, to_pointer] = [int, to_short].map(|ty| t.b.type_pointer(None, x_class, ty));
    begin(&mut t);
    let x = t.x;
    let index = t.b.bitwise_and(int, None, x, one).expect("an index");
    let place = t.b.in_bounds_access_chain(to_pointer, None, table, [index, zero]).expect("an address");
    let object = t.b.load(to_short, None, place, None, []).expect("a pointer");
    let first = t.b.in_bounds_access_chain(to_int, None, object, [zero]).expect("an address");
    let first = t.b.load(int, None, first, None, []).expect("a number");
    let count = t.b.in_bounds_access_chain(to_int, None, table, [index, one]).expect("an address");
    let count = t.b.load(int, None, count, None, []).expect("a number");
    let sum = t.add(first, count);
    let words = t.finish(sum);
    assert_eq!([0, 1].map(|x| run(&words, x)), [11, 22]);
}

#[test]
fn initial_values_of_another_layout_are_rejected() {
    let mut t = Test::empty();
    let (int, one, class) = (t.int, t.int(1), StorageClass::CrossWorkgroup);
    let short = t.b.type_int(16, 0);
    let small = t.b.constant_bit32(short, 1);
    let (record, other) = (t.b.type_struct([int, int]), t.b.type_struct([int, short]));
    let value = t.b.constant_composite(other, [one, small]);
    let pointer = t.b.type_pointer(None, class, record);
    t.b.variable(pointer, None, class, Some(value));
    let error = rejected(&rspirv::binary::Assemble::assemble(&t.b.module()));
    assert!(matches!(&error.reason, Reason::Invalid(text) if text.contains("of another type")), "{error}");
}

/// The objects of C++ for OpenCL that have constructors: a kernel calls these, and LLVM lists the kernel's function.
#[test]
fn constructors_of_global_objects() {
    let mut t = Test::empty();
    let (int, void, one) = (t.int, t.b.type_void(), t.int(1));
    let (class, list_class) = (StorageClass::CrossWorkgroup, StorageClass::Function);
    let [to_int, to_list] = [(class, int), (list_class, int)].map(|(class, ty)| t.b.type_pointer(None, class, ty));
    let zero = t.int(0);
    let object = t.b.variable(to_int, None, class, Some(zero));
    let list = t.b.variable(to_list, None, list_class, Some(zero));
    let linkage = [Operand::LiteralString("llvm.global_ctors".into()), Operand::LinkageType(LinkageType::Export)];
    t.b.decorate(list, Decoration::LinkageAttributes, linkage);
    let ty = t.b.type_function(void, []);
    let control = rspirv::spirv::FunctionControl::NONE;
    let kernel = t.b.begin_function(void, None, control, ty).expect("a function");
    t.b.begin_block(None).expect("a block");
    t.b.store(object, one, None, []).expect("a store");
    t.b.ret().expect("a return");
    t.b.end_function().expect("an end");
    t.b.entry_point(rspirv::spirv::ExecutionModel::Kernel, kernel, "_GLOBAL__sub_I_a.cl", [object]);
    t.b.execution_mode(kernel, rspirv::spirv::ExecutionMode::Initializer, []);
    let module = module(&rspirv::binary::Assemble::assemble(&t.b.module()));
    let kernels: Vec<&str> = module.functions.iter().filter(|f| f.kernel.is_some()).map(|f| f.name.as_str()).collect();
    assert_eq!((module.globals.len(), &kernels[..]), (1, &["_GLOBAL__sub_I_a.cl"][..]));
}

#[test]
fn bfloat16_is_rounded_to_nearest_even() {
    // The bits of x as a bfloat16, and those of the float that this is.
    let mut t = Test::empty();
    let (narrow, float) = (t.b.type_int(16, 0), t.b.type_float(32, None));
    begin(&mut t);
    let (int, x) = (t.int, t.x);
    let value = t.b.bitcast(float, None, x).expect("a cast");
    let bits = append(&mut t, Op::ConvertFToBF16INTEL, Some(narrow), vec![Operand::IdRef(value)]);
    let value = append(&mut t, Op::ConvertBF16ToFINTEL, Some(float), vec![Operand::IdRef(bits)]);
    let high = t.b.bitcast(int, None, value).expect("a cast");
    let low = t.b.u_convert(int, None, bits).expect("a conversion");
    let result = t.add(high, low);
    let words = t.finish(result);
    // Ties go to the even neighbour, the greatest float to infinity; a NaN stays one, whose payload is in the lower half.
    let cases = [
        (0x3f80_8000, 0x3f80),
        (0x3f80_8001, 0x3f81),
        (0x3f81_8000, 0x3f82),
        (0x3f81_7fff, 0x3f81),
        (0x7f7f_ffff, 0x7f80),
        (0x7f80_0001, 0x7fc0),
        (0x8000_0000, 0x8000),
        (0x0000_8000, 0x0000),
        (0x0001_8000, 0x0002),
    ];
    for (x, expected) in cases {
        assert_eq!(run(&words, x), (expected << 16) + expected, "{x:#x}");
    }
}
