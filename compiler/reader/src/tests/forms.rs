//! Forms that modules of other producers have: untyped pointers, integers where booleans are meant, texels whose signs no
//! operand tells, columns.

use super::producers::{begin, global, import};
use super::{Test, module, rejected, run};
use crate::read;
use clforge_basic::options::Options;
use clforge_ir::object::Place;
use clforge_ir::{FunctionId, Op as Inst, Texel};
use rspirv::dr::{Instruction, Operand};
use rspirv::spirv::{AccessQualifier, Capability, Dim, FunctionControl, ImageFormat, Op, StorageClass, Word};
use rustc_hash::FxHashMap;

/// An instruction of a block without a method of its own.
pub(super) fn append(t: &mut Test, op: Op, ty: Option<Word>, operands: Vec<Operand>) -> Word {
    let id = t.b.id();
    let result = ty.map(|_| id);
    t.b.insert_into_block(rspirv::dr::InsertPoint::End, Instruction::new(op, ty, result, operands)).expect("a block");
    id
}

#[test]
fn untyped_pointers() {
    // struct { int; int[4] } s; s.array[x & 3] = x; *(int *)((char *)&s + 4 + 4 * (x & 3)) + 1
    let mut t = Test::empty();
    let [one, three, four] = [1, 3, 4].map(|value| t.int(value));
    let (int, byte) = (t.int, t.b.type_int(8, 0));
    let array = t.b.type_array(int, four);
    let record = t.b.type_struct([int, array]);
    let class = Operand::StorageClass(StorageClass::Function);
    let pointer = global(&mut t, Op::TypeUntypedPointerKHR, None, vec![class.clone()]);
    begin(&mut t);
    let object = append(&mut t, Op::UntypedVariableKHR, Some(pointer), vec![class, Operand::IdRef(record)]);
    let x = t.x;
    let index = t.b.bitwise_and(int, None, x, three).expect("an index");
    let ids = |ids: &[Word]| ids.iter().map(|id| Operand::IdRef(*id)).collect::<Vec<Operand>>();
    let element = append(&mut t, Op::UntypedInBoundsAccessChainKHR, Some(pointer), ids(&[record, object, one, index]));
    t.b.store(element, x, None, []).expect("a store");
    let scaled = t.b.i_mul(int, None, index, four).expect("a product");
    let bytes = t.add(scaled, four);
    let same = append(&mut t, Op::UntypedPtrAccessChainKHR, Some(pointer), ids(&[byte, object, bytes]));
    let value = t.b.load(int, None, same, None, []).expect("a load");
    let sum = t.add(value, one);
    let words = t.finish(sum);
    assert_eq!([0, 3, 7, 1000].map(|x| run(&words, x)), [1, 4, 8, 1001]);
}

#[test]
fn any_and_all_of_integers_ask_for_signs() {
    let mut t = Test::empty();
    let (int, bool) = (t.int, t.bool);
    let vector = t.b.type_vector(int, 2);
    let [zero, one, two] = [0, 1, 2].map(|value| t.int(value));
    begin(&mut t);
    let x = t.x;
    let other = t.b.i_sub(int, None, x, two).expect("a difference");
    let pair = t.b.composite_construct(vector, None, [x, other]).expect("a vector");
    let any = t.b.any(bool, None, pair).expect("a reduction");
    let all = t.b.all(bool, None, pair).expect("a reduction");
    let [any, all] = [any, all].map(|truth| t.b.select(int, None, truth, one, zero).expect("a choice"));
    let result = t.add(any, all);
    let words = t.finish(result);
    // x and x - 2 are negative: neither, the second, both.
    assert_eq!([2, 1, 0xffff_ffff].map(|x| run(&words, x)), [0, 1, 2]);
}

#[test]
fn a_checked_cast_of_the_compilers_library() {
    let mut t = Test::empty();
    let (int, bool) = (t.int, t.bool);
    let pointer_to = |t: &mut Test, class| t.b.type_pointer(None, class, int);
    let [private, generic, local] =
        [StorageClass::Function, StorageClass::Generic, StorageClass::Workgroup].map(|class| pointer_to(&mut t, class));
    let to_local = import(&mut t, "__to_local", local, &[generic]);
    let null = t.b.constant_null(local);
    let [zero, one] = [0, 1].map(|value| t.int(value));
    begin(&mut t);
    let object = t.b.variable(private, None, StorageClass::Function, Some(zero));
    let address = t.b.ptr_cast_to_generic(generic, None, object).expect("an address");
    let cast = t.b.function_call(local, None, to_local, [address]).expect("a call");
    let is_local = t.b.ptr_not_equal(bool, None, cast, null).expect("a comparison");
    let number = t.b.select(int, None, is_local, one, zero).expect("a choice");
    let words = t.finish(number);
    let is_checked =
        |inst: &clforge_ir::Inst| matches!(inst.op, Inst::Convert { op: clforge_ir::ConvertOp::PtrCastChecked, .. });
    assert!(module(&words).functions.iter().flat_map(|function| &function.insts).any(is_checked));
}

/// LLVM's translator makes a kernel of a call of the function that it was made of, which has the same name.
#[test]
fn a_kernel_is_exported_once() {
    let mut t = Test::empty();
    let void = t.b.type_void();
    let ty = t.b.type_function(void, []);
    let control = rspirv::spirv::FunctionControl::NONE;
    let mut body = None;
    let functions = [(); 2].map(|()| {
        let function = t.b.begin_function(void, None, control, ty).expect("a function");
        t.b.begin_block(None).expect("a block");
        if let Some(callee) = body.replace(function) {
            t.b.function_call(void, None, callee, []).expect("a call");
        }
        t.b.ret().expect("a return");
        t.b.end_function().expect("an end");
        function
    });
    let linkage = [Operand::LiteralString("k".into()), Operand::LinkageType(rspirv::spirv::LinkageType::Export)];
    let [body, kernel] = functions;
    t.b.decorate(body, rspirv::spirv::Decoration::LinkageAttributes, linkage);
    t.b.entry_point(rspirv::spirv::ExecutionModel::Kernel, kernel, "k", []);
    let module = module(&rspirv::binary::Assemble::assemble(&t.b.module()));
    let exported: Vec<bool> = module.functions.iter().filter(|f| f.exported).map(|f| f.kernel.is_some()).collect();
    assert_eq!(exported, [true]);
}

/// A function that reads a texel of an image without saying its sign, and what it does with the texel.
fn texel(minor: u8, operands: Option<rspirv::spirv::ImageOperands>, convert: fn(&mut Test, Word) -> Word) -> Texel {
    let mut t = Test::empty();
    t.b.set_version(1, minor);
    let (int, void) = (t.int, t.b.type_void());
    let (pair, four) = (t.b.type_vector(int, 2), t.b.type_vector(int, 4));
    let image = t.b.type_image(void, Dim::Dim2D, 0, 0, 0, 0, ImageFormat::Unknown, Some(AccessQualifier::ReadOnly));
    let zeros = t.b.constant_null(pair);
    let float = t.b.type_float(32, None);
    let ty = t.b.type_function(float, [image]);
    let control = rspirv::spirv::FunctionControl::NONE;
    t.b.begin_function(float, None, control, ty).expect("a function");
    let image = t.b.function_parameter(image).expect("a parameter");
    let entry = t.b.id();
    t.block(entry);
    let read = t.b.image_read(four, None, image, zeros, operands, []).expect("a texel");
    let red = t.b.composite_extract(int, None, read, [0]).expect("a component");
    let result = convert(&mut t, red);
    let module = module(&t.finish(result));
    let function = &module.functions[FunctionId::from(0)];
    let texel = function.insts.iter().find_map(|inst| match inst.op {
        Inst::Image { texel, .. } => Some(texel),
        _ => None,
    });
    texel.expect("an access")
}

fn as_unsigned(t: &mut Test, value: Word) -> Word {
    let float = t.b.type_float(32, None);
    t.b.convert_u_to_f(float, None, value).expect("a conversion")
}

fn as_signed(t: &mut Test, value: Word) -> Word {
    let float = t.b.type_float(32, None);
    let sum = t.add(value, value);
    t.b.convert_s_to_f(float, None, sum).expect("a conversion")
}

fn as_bits(t: &mut Test, value: Word) -> Word {
    let float = t.b.type_float(32, None);
    t.b.bitcast(float, None, value).expect("bits")
}

#[test]
fn texels_have_the_sign_that_they_are_used_with() {
    use rspirv::spirv::ImageOperands as Operands;
    assert_eq!(texel(2, None, as_unsigned), Texel::Unsigned);
    assert_eq!(texel(2, None, as_signed), Texel::Signed);
    assert_eq!(texel(2, None, as_bits), Texel::Signed);
    // Later versions say it, or mean signed texels.
    assert_eq!(texel(4, Some(Operands::ZERO_EXTEND), as_signed), Texel::Unsigned);
    assert_eq!(texel(4, Some(Operands::SIGN_EXTEND), as_unsigned), Texel::Signed);
    assert_eq!(texel(4, None, as_unsigned), Texel::Signed);
}

/// A texel that a function of its own reads, that another one converts, and that is kept in memory between.
fn texel_elsewhere(convert: fn(&mut Test, Word) -> Word, in_memory: bool) -> Texel {
    let mut t = Test::empty();
    t.b.set_version(1, 2);
    let (int, void, float) = (t.int, t.b.type_void(), t.b.type_float(32, None));
    let (pair, four) = (t.b.type_vector(int, 2), t.b.type_vector(int, 4));
    let image = t.b.type_image(void, Dim::Dim2D, 0, 0, 0, 0, ImageFormat::Unknown, Some(AccessQualifier::ReadOnly));
    let zeros = t.b.constant_null(pair);
    let object = t.b.type_pointer(None, StorageClass::Function, four);
    let control = rspirv::spirv::FunctionControl::NONE;
    let function = |t: &mut Test, result: Word, param: Word| {
        let ty = t.b.type_function(result, [param]);
        let id = t.b.begin_function(result, None, control, ty).expect("a function");
        let param = t.b.function_parameter(param).expect("a parameter");
        t.b.begin_block(None).expect("a block");
        (id, param)
    };
    let (fetch, from) = function(&mut t, four, image);
    let read = t.b.image_read(four, None, from, zeros, None, []).expect("a texel");
    t.b.ret_value(read).expect("a return");
    t.b.end_function().expect("an end");
    let (converted, value) = function(&mut t, float, four);
    let red = t.b.composite_extract(int, None, value, [0]).expect("a component");
    let result = convert(&mut t, red);
    t.b.ret_value(result).expect("a return");
    t.b.end_function().expect("an end");
    let (_, from) = function(&mut t, float, image);
    let variable = in_memory.then(|| t.b.variable(object, None, StorageClass::Function, None));
    let mut value = t.b.function_call(four, None, fetch, [from]).expect("a call");
    if let Some(variable) = variable {
        t.b.store(variable, value, None, []).expect("a store");
        value = t.b.load(four, None, variable, None, []).expect("a load");
    }
    let result = t.b.function_call(float, None, converted, [value]).expect("a call");
    let module = module(&t.finish(result));
    let mut texels = module.functions.iter().flat_map(|function| &function.insts).filter_map(|inst| match inst.op {
        Inst::Image { texel, .. } => Some(texel),
        _ => None,
    });
    texels.next().expect("an access")
}

#[test]
fn signs_of_texels_are_found_through_calls_and_memory() {
    for in_memory in [false, true] {
        assert_eq!(texel_elsewhere(as_unsigned, in_memory), Texel::Unsigned);
        assert_eq!(texel_elsewhere(as_signed, in_memory), Texel::Signed);
        assert_eq!(texel_elsewhere(as_bits, in_memory), Texel::Signed);
    }
}

#[test]
fn places_have_columns() {
    let mut t = Test::empty();
    begin(&mut t);
    let file = t.b.string("sums.cl");
    let (x, int) = (t.x, t.int);
    let mut sum = x;
    for (line, column) in [(12, 3), (12, 9), (13, 0), (12, 3), (12, 70_000)] {
        t.b.line(file, line, column);
        sum = t.b.i_add(int, None, sum, x).expect("a sum");
    }
    let object = read(&t.finish(sum), &FxHashMap::default(), &Options::default()).expect("a module");
    let numbers: Vec<u32> = object.lines.iter().map(|line| line.number).collect();
    assert_eq!(numbers, [12, 13]);
    // From 0; what no message could show is left out.
    let place = |line, column| Place { line, start: column, end: column };
    assert_eq!(object.places, [place(0, 2), place(0, 8), place(1, 0), place(0, 0)]);
}

/// In modules with addresses of 32 bits, structures with pointers inside are larger here than the module means.
#[test]
fn bytes_of_widened_structures_are_not_visible() {
    let with_size = |size: u32| {
        let mut t = Test::empty();
        t.b.memory_model(rspirv::spirv::AddressingModel::Physical32, rspirv::spirv::MemoryModel::OpenCL);
        let (int, byte) = (t.int, t.b.type_int(8, 0));
        let pointer = t.b.type_pointer(None, StorageClass::CrossWorkgroup, int);
        let record = t.b.type_struct([pointer, int]);
        let to_record = t.b.type_pointer(None, StorageClass::Function, record);
        let bytes = t.b.type_pointer(None, StorageClass::Function, byte);
        let count = t.int(size);
        begin(&mut t);
        let [one, other] = [0; 2].map(|_| t.b.variable(to_record, None, StorageClass::Function, None));
        let [from, to] = [one, other].map(|object| t.b.bitcast(bytes, None, object).expect("an address"));
        t.b.copy_memory_sized(to, from, count, None, None, []).expect("a copy");
        if size == 0 {
            t.b.load(byte, None, from, None, []).expect("a load");
        }
        let x = t.x;
        t.finish(x)
    };
    assert_eq!(run(&with_size(8), 3), 3);
    let error = rejected(&with_size(4)).to_string();
    assert!(error.starts_with("a copy of a part of an object with pointers in it, in a module with"), "{error}");
    let error = rejected(&with_size(0)).to_string();
    assert!(error.starts_with("a cast of a pointer to an object with pointers in it, in a module with"), "{error}");
}

/// An object for an enqueued function has the size here that it has not in the module, where both say what it is.
#[test]
fn widened_objects_of_enqueued_functions() {
    let with = |size: u32, is_known: bool| {
        let mut t = Test::empty();
        t.b.capability(Capability::DeviceEnqueue);
        t.b.memory_model(rspirv::spirv::AddressingModel::Physical32, rspirv::spirv::MemoryModel::OpenCL);
        let (int, void) = (t.int, t.b.type_void());
        let pointer = t.b.type_pointer(None, StorageClass::CrossWorkgroup, int);
        let record = t.b.type_struct([pointer, int]);
        let [to_record, to_int] = [record, int].map(|ty| t.b.type_pointer(None, StorageClass::Generic, ty));
        let private = t.b.type_pointer(None, StorageClass::Function, record);
        let taken = if is_known { to_record } else { to_int };
        let ty = t.b.type_function(void, [taken]);
        let function = t.b.begin_function(void, None, FunctionControl::NONE, ty).expect("a function");
        t.b.function_parameter(taken).expect("a parameter");
        t.b.begin_block(None).expect("a block");
        t.b.ret().expect("a return");
        t.b.end_function().expect("an end");
        let (size, align) = (t.int(size), t.int(4));
        begin(&mut t);
        let object = t.b.variable(private, None, StorageClass::Function, None);
        let object = t.b.ptr_cast_to_generic(to_record, None, object).expect("a cast");
        t.b.get_kernel_work_group_size(int, None, function, object, size, align).expect("a question");
        let x = t.x;
        t.finish(x)
    };
    read(&with(8, true), &FxHashMap::default(), &Options::default()).expect("the object has 8 bytes in the module");
    for (size, is_known) in [(16, true), (4, true), (8, false)] {
        let error = rejected(&with(size, is_known)).to_string();
        assert!(error.starts_with("an object for an enqueued function with pointers in it, in a module"), "{error}");
    }
}

#[test]
fn copies_of_endless_size_are_errors() {
    let mut t = Test::empty();
    let long = t.b.type_int(64, 0);
    let to_int = t.b.type_pointer(None, StorageClass::Function, t.int);
    let size = t.b.constant_bit64(long, 1 << 63);
    begin(&mut t);
    let [from, to] = [0; 2].map(|_| t.b.variable(to_int, None, StorageClass::Function, None));
    t.b.copy_memory_sized(to, from, size, None, None, []).expect("a copy");
    let x = t.x;
    let error = rejected(&t.finish(x)).to_string();
    assert!(error.starts_with("a copy of 9223372036854775808 bytes"), "{error}");
}

#[test]
fn entry_points_have_names_of_their_own() {
    let mut t = Test::empty();
    let void = t.b.type_void();
    let ty = t.b.type_function(void, []);
    let kernel = t.b.begin_function(void, None, rspirv::spirv::FunctionControl::NONE, ty).expect("a function");
    t.b.begin_block(None).expect("a block");
    t.b.ret().expect("a return");
    t.b.end_function().expect("an end");
    for _ in 0..2 {
        t.b.entry_point(rspirv::spirv::ExecutionModel::Kernel, kernel, "k", []);
    }
    let error = rejected(&rspirv::binary::Assemble::assemble(&t.b.module())).to_string();
    assert!(error.contains("two entry points are named 'k'"), "{error}");
}

/// `(char *)&array + 4` in the constants of LLVM's own back end.
#[test]
fn bytes_of_arrays_are_counted_in_constants() {
    let mut t = Test::empty();
    let (int, byte) = (t.int, t.b.type_int(8, 0));
    let [zero, three, four, five, seven] = [0, 3, 4, 5, 7].map(|value| t.int(value));
    let array = t.b.type_array(int, three);
    let [to_array, bytes, to_int] =
        [array, byte, int].map(|ty| t.b.type_pointer(None, StorageClass::UniformConstant, ty));
    let value = t.b.constant_composite(array, [five, seven, three]);
    let table = t.b.variable(to_array, None, StorageClass::UniformConstant, Some(value));
    begin(&mut t);
    let second = t.b.in_bounds_ptr_access_chain(bytes, None, table, zero, [four]).expect("an address");
    let second = t.b.bitcast(to_int, None, second).expect("an address");
    let second = t.b.load(int, None, second, None, []).expect("a load");
    let x = t.x;
    let sum = t.add(second, x);
    assert_eq!(run(&t.finish(sum), 10), 17);
}

#[test]
fn components_of_initial_values_may_be_undefined() {
    let mut t = Test::empty();
    let int = t.int;
    let vector = t.b.type_vector(int, 3);
    let pointer = t.b.type_pointer(None, StorageClass::UniformConstant, vector);
    let undefined = t.b.undef(int, None);
    let [seven, nine] = [7, 9].map(|value| t.int(value));
    let value = t.b.constant_composite(vector, [seven, undefined, nine]);
    t.b.variable(pointer, None, StorageClass::UniformConstant, Some(value));
    let module = module(&rspirv::binary::Assemble::assemble(&t.b.module()));
    let bytes = module.globals.iter().next().and_then(|global| global.init.clone());
    assert_eq!(bytes, Some(vec![7, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0]));
}

#[test]
fn scopes_are_words() {
    let mut t = Test::empty();
    let long = t.b.type_int(64, 0);
    let (scope, none) = (t.b.constant_bit64(long, 0xa_0000_0000), t.int(0));
    begin(&mut t);
    t.b.memory_barrier(scope, none).expect("a fence");
    let x = t.x;
    let error = rejected(&t.finish(x)).to_string();
    assert!(error.contains("operand 0 is 0xa00000000"), "{error}");
}

/// LLVM's own back end (22) has no instruction for them.
#[test]
fn queries_of_channels_are_calls() {
    for name in ["_Z23get_image_channel_order14ocl_image2d_ro", "_Z27get_image_channel_data_type14ocl_image2d_ro"] {
        let mut t = Test::empty();
        let (int, void) = (t.int, t.b.type_void());
        let image = t.b.type_image(void, Dim::Dim2D, 0, 0, 0, 0, ImageFormat::Unknown, Some(AccessQualifier::ReadOnly));
        let query = import(&mut t, name, int, &[image]);
        let ty = t.b.type_function(int, [image]);
        t.b.begin_function(int, None, rspirv::spirv::FunctionControl::NONE, ty).expect("a function");
        let image = t.b.function_parameter(image).expect("a parameter");
        let entry = t.b.id();
        t.block(entry);
        let number = t.b.function_call(int, None, query, [image]).expect("a call");
        let module = module(&t.finish(number));
        let is_query = |inst: &clforge_ir::Inst| matches!(inst.op, Inst::Image { texel: Texel::None, .. });
        assert!(module.functions.iter().flat_map(|function| &function.insts).any(is_query), "{name}");
    }
}

/// Copies of a structure of 4,096 numbers take no instructions, and loads as many as it has members.
#[test]
fn large_structures_are_used_a_limited_number_of_times() {
    let large = |count: usize, use_one: fn(&mut Test, Word, Word, Word) -> Word, options: &Options| {
        let mut t = Test::empty();
        let (int, members) = (t.int, t.int(4096));
        let array = t.b.type_array(int, members);
        let pointer = t.b.type_pointer(None, StorageClass::Function, array);
        let value = t.b.constant_null(array);
        begin(&mut t);
        let object = t.b.variable(pointer, None, StorageClass::Function, Some(value));
        for _ in 0..count {
            use_one(&mut t, array, object, value);
        }
        let x = t.x;
        read(&t.finish(x), &FxHashMap::default(), options).map(drop)
    };
    let copy = |t: &mut Test, ty, _, value| t.b.copy_object(ty, None, value).expect("a value");
    let load = |t: &mut Test, ty, object, _| t.b.load(ty, None, object, None, []).expect("a value");
    let (all, few) = (Options::default(), Options::default().with_max_instructions(20_000));
    assert!(large(100, copy, &all).is_ok() && large(1, load, &few).is_ok());
    for error in [large(10_000, copy, &all), large(10, load, &few)] {
        let error = error.expect_err("too much");
        assert!(matches!(&error.reason, crate::Reason::Limit(text) if text.contains("more than")), "{error}");
    }
}
