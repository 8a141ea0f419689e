//! Modules that are assembled instruction by instruction: the results of the IR's interpreter, and rejected modules.

mod forms;
mod producers;
mod rejections;
mod untyped;

use crate::{ReadError, Reason, SpecValue, is_for_opencl, read, spec_constant_size, specialize};
use clforge_basic::options::Options;
use clforge_ir::Module;
use clforge_ir::interpret::Machine;
use rspirv::binary::Assemble;
use rspirv::dr::{Builder, Operand};
use rspirv::spirv::{
    AddressingModel, Capability, FunctionControl, LinkageType, MemoryModel, Op, SelectionControl, StorageClass, Word,
};
use rustc_hash::FxHashMap;

/// A module with one function `test`, an `int` of an `int`, and what most of them need.
struct Test {
    b: Builder,
    int: Word,
    bool: Word,
    /// The parameter.
    x: Word,
}

impl Test {
    fn new() -> Test {
        let mut test = Test::empty();
        let ty = test.b.type_function(test.int, [test.int]);
        let function = test.b.begin_function(test.int, None, FunctionControl::NONE, ty).expect("a function");
        test.b.name(function, "test");
        test.x = test.b.function_parameter(test.int).expect("a parameter");
        test
    }

    fn empty() -> Test {
        let mut b = Builder::new();
        b.set_version(1, 4);
        for capability in [Capability::Kernel, Capability::Addresses, Capability::Linkage, Capability::Int64] {
            b.capability(capability);
        }
        b.memory_model(AddressingModel::Physical64, MemoryModel::OpenCL);
        let (int, bool) = (b.type_int(32, 0), b.type_bool());
        Test { b, int, bool, x: 0 }
    }

    fn int(&mut self, value: u32) -> Word {
        self.b.constant_bit32(self.int, value)
    }

    fn block(&mut self, label: Word) {
        self.b.begin_block(Some(label)).expect("a block");
    }

    fn labels<const N: usize>(&mut self) -> [Word; N] {
        std::array::from_fn(|_| self.b.id())
    }

    fn add(&mut self, x: Word, y: Word) -> Word {
        self.b.i_add(self.int, None, x, y).expect("a sum")
    }

    fn finish(mut self, result: Word) -> Vec<u32> {
        self.b.ret_value(result).expect("a return");
        self.b.end_function().expect("an end");
        self.b.module().assemble()
    }
}

fn module(words: &[u32]) -> Module {
    let object = read(words, &FxHashMap::default(), &Options::default());
    object.unwrap_or_else(|error| panic!("{error}")).module
}

/// What `test` gives.
fn run(words: &[u32], argument: u32) -> u32 {
    let module = module(words);
    let value = Machine::new(&module).run("test", &[u64::from(argument)]).expect("a result");
    value[0] as u32
}

fn rejected(words: &[u32]) -> ReadError {
    match read(words, &FxHashMap::default(), &Options::default()) {
        Err(error) => *error,
        Ok(_) => panic!("the module is read"),
    }
}

/// `for (a = 1, b = 2; i != x; i++) swap(a, b)`: the phis of a loop that take each other's value.
fn swaps() -> Vec<u32> {
    let mut t = Test::new();
    let [entry, head, body, exit] = t.labels();
    let [zero, one, two] = [0, 1, 2].map(|value| t.int(value));
    t.block(entry);
    t.b.branch(head).expect("a branch");
    t.block(head);
    let [a, b, i, next] = t.labels();
    t.b.phi(t.int, Some(a), [(one, entry), (b, body)]).expect("a phi");
    t.b.phi(t.int, Some(b), [(two, entry), (a, body)]).expect("a phi");
    t.b.phi(t.int, Some(i), [(zero, entry), (next, body)]).expect("a phi");
    let (bool, x) = (t.bool, t.x);
    let done = t.b.i_equal(bool, None, i, x).expect("a comparison");
    t.b.branch_conditional(done, exit, body, []).expect("a branch");
    t.block(body);
    t.b.i_add(t.int, Some(next), i, one).expect("a sum");
    t.b.branch(head).expect("a branch");
    t.block(exit);
    let ten = t.int(10);
    let tens = t.b.i_mul(t.int, None, a, ten).expect("a product");
    let both = t.add(tens, b);
    t.finish(both)
}

#[test]
fn phis_are_read_before_they_are_written() {
    let words = swaps();
    assert!(is_for_opencl(&words));
    assert_eq!([0, 1, 2, 7].map(|x| run(&words, x)), [12, 21, 12, 21]);
}

#[test]
fn a_loop_with_two_entries() {
    // entry: x < 3 ? first : second; first: n += 1; second: n += 10, n < 40 ? first : exit
    let mut t = Test::new();
    let [entry, first, second, exit] = t.labels();
    let [three, one, ten, forty] = [3, 1, 10, 40].map(|value| t.int(value));
    t.block(entry);
    let (bool, x, int) = (t.bool, t.x, t.int);
    let less = t.b.u_less_than(bool, None, x, three).expect("a comparison");
    t.b.branch_conditional(less, first, second, []).expect("a branch");
    let [n, m, n1, m1] = t.labels();
    t.block(first);
    t.b.phi(int, Some(n), [(x, entry), (m1, second)]).expect("a phi");
    t.b.i_add(int, Some(n1), n, one).expect("a sum");
    t.b.branch(second).expect("a branch");
    t.block(second);
    t.b.phi(int, Some(m), [(x, entry), (n1, first)]).expect("a phi");
    t.b.i_add(int, Some(m1), m, ten).expect("a sum");
    let more = t.b.u_less_than(bool, None, m1, forty).expect("a comparison");
    t.b.branch_conditional(more, first, exit, []).expect("a branch");
    t.block(exit);
    let words = t.finish(m1);
    let expected = |x: u32| {
        let (mut n, mut at_first) = (x, x < 3);
        loop {
            n += u32::from(at_first) + 10;
            at_first = true;
            if n >= 40 {
                return n;
            }
        }
    };
    for x in [0, 2, 3, 29, 30, 100] {
        assert_eq!(run(&words, x), expected(x), "{x}");
    }
}

#[test]
fn a_switch_by_64_bits() {
    let mut t = Test::new();
    let [entry, one, two, other, exit] = t.labels();
    let long = t.b.type_int(64, 0);
    let [a, b, c] = [11, 22, 33].map(|value| t.int(value));
    let shift = t.b.constant_bit64(long, 32);
    t.block(entry);
    let (x, int) = (t.x, t.int);
    let wide = t.b.u_convert(long, None, x).expect("a conversion");
    let high = t.b.shift_left_logical(long, None, wide, shift).expect("a shift");
    let cases = [(Operand::LiteralBit64(1 << 32), one), (Operand::LiteralBit64(2 << 32), two)];
    t.b.selection_merge(exit, SelectionControl::NONE).expect("a merge");
    t.b.switch(high, other, cases).expect("a switch");
    for block in [one, two, other] {
        t.block(block);
        t.b.branch(exit).expect("a branch");
    }
    t.block(exit);
    let result = t.b.phi(int, None, [(a, one), (b, two), (c, other)]).expect("a phi");
    let words = t.finish(result);
    assert_eq!([0, 1, 2, 3].map(|x| run(&words, x)), [33, 11, 22, 33]);
}

#[test]
fn structures_are_values() {
    // struct { int[2]; int } s = { { x, 5 }, 7 }; s.array[1] += x; select(x == 3, s, { 1, 2, 3 })
    let mut t = Test::new();
    let entry = t.b.id();
    let [one, two, three, five, seven] = [1, 2, 3, 5, 7].map(|value| t.int(value));
    let (int, bool, x) = (t.int, t.bool, t.x);
    let array = t.b.type_array(int, two);
    let record = t.b.type_struct([array, int]);
    let constants = t.b.constant_composite(array, [one, two]);
    let other = t.b.constant_composite(record, [constants, three]);
    t.block(entry);
    let pair = t.b.composite_construct(array, None, [x, five]).expect("an array");
    let whole = t.b.composite_construct(record, None, [pair, seven]).expect("a structure");
    let second = t.b.composite_extract(int, None, whole, [0, 1]).expect("a member");
    let sum = t.add(second, x);
    let whole = t.b.composite_insert(record, None, sum, whole, [0, 1]).expect("a structure");
    let is_three = t.b.i_equal(bool, None, x, three).expect("a comparison");
    let chosen = t.b.select(record, None, is_three, whole, other).expect("a choice");
    let array = t.b.composite_extract(array, None, chosen, [0]).expect("a member");
    let [a, b] = [0, 1].map(|index| t.b.composite_extract(int, None, array, [index]).expect("an element"));
    let c = t.b.composite_extract(int, None, chosen, [1]).expect("a member");
    let hundred = t.int(100);
    let b = t.b.i_mul(int, None, b, hundred).expect("a product");
    let sum = t.add(a, b);
    let sum = t.add(sum, c);
    let words = t.finish(sum);
    assert_eq!([3, 4].map(|x| run(&words, x)), [3 + 800 + 7, 1 + 200 + 3]);
}

#[test]
fn addresses_are_bits() {
    // int i = x; uint2 address = as_uint2(&i); return *(int *)as_ulong(address)
    let mut t = Test::new();
    let (int, x, entry) = (t.int, t.x, t.b.id());
    let pair = t.b.type_vector(int, 2);
    let to_int = t.b.type_pointer(None, StorageClass::Function, int);
    t.block(entry);
    let variable = t.b.variable(to_int, None, StorageClass::Function, None);
    t.b.store(variable, x, None, []).expect("a store");
    let address = t.b.bitcast(pair, None, variable).expect("two numbers");
    let pointer = t.b.bitcast(to_int, None, address).expect("a pointer");
    let value = t.b.load(int, None, pointer, None, []).expect("a load");
    assert_eq!(run(&t.finish(value), 5), 5);

    let mut t = Test::new();
    let (int, entry) = (t.int, t.b.id());
    let four = t.b.type_vector(int, 4);
    let to_int = t.b.type_pointer(None, StorageClass::Function, int);
    t.block(entry);
    let variable = t.b.variable(to_int, None, StorageClass::Function, None);
    let bits = t.b.bitcast(four, None, variable).expect("four numbers");
    let first = t.b.composite_extract(int, None, bits, [0]).expect("an element");
    let error = rejected(&t.finish(first)).to_string();
    assert!(error.contains("Bitcast of ptr.private to i32x4"), "{error}");
}

#[test]
fn initial_values_hold_addresses() {
    // constant int table[3] = { 4, 5, 6 }; constant int *const pointer = &table[1]; return pointer[x]
    let mut t = Test::empty();
    let long = t.b.type_int(64, 0);
    let [three, four, five, six] = [3, 4, 5, 6].map(|value| t.int(value));
    let int = t.int;
    let array = t.b.type_array(int, three);
    let (to_array, to_int) = (
        t.b.type_pointer(None, StorageClass::UniformConstant, array),
        t.b.type_pointer(None, StorageClass::UniformConstant, int),
    );
    let to_pointer = t.b.type_pointer(None, StorageClass::UniformConstant, to_int);
    let init = t.b.constant_composite(array, [four, five, six]);
    let table = t.b.variable(to_array, None, StorageClass::UniformConstant, Some(init));
    let (zero, one) = (t.b.constant_bit64(long, 0), t.b.constant_bit64(long, 1));
    let second = t.b.id();
    t.b.module_mut().types_global_values.push(rspirv::dr::Instruction::new(
        Op::SpecConstantOp,
        Some(to_int),
        Some(second),
        vec![
            Operand::LiteralSpecConstantOpInteger(Op::InBoundsPtrAccessChain),
            Operand::IdRef(table),
            Operand::IdRef(zero),
            Operand::IdRef(one),
        ],
    ));
    let pointer = t.b.variable(to_pointer, None, StorageClass::UniformConstant, Some(second));
    let ty = t.b.type_function(int, [int]);
    let function = t.b.begin_function(int, None, FunctionControl::NONE, ty).expect("a function");
    t.b.name(function, "test");
    let x = t.b.function_parameter(int).expect("a parameter");
    let entry = t.b.id();
    t.block(entry);
    let address = t.b.load(to_int, None, pointer, None, []).expect("a load");
    let element = t.b.in_bounds_ptr_access_chain(to_int, None, address, x, []).expect("an address");
    let value = t.b.load(int, None, element, None, []).expect("a load");
    let words = t.finish(value);
    let module = module(&words);
    let relocations: Vec<_> = module.globals.iter().flat_map(|global| global.relocations.clone()).collect();
    assert!(matches!(relocations[..], [relocation] if relocation.offset == 0 && relocation.addend == 4));
    assert_eq!(
        module.globals.iter().next().and_then(|global| global.init.clone()),
        Some(vec![4, 0, 0, 0, 5, 0, 0, 0, 6, 0, 0, 0])
    );
}

/// Variables whose initial values share constants: in all they may be larger than memory.
#[test]
fn initial_values_have_a_limit_in_all() {
    let module = |variables: usize| {
        let mut t = Test::new();
        let (large, one) = (t.int(1 << 22), t.int(1));
        let row = t.b.type_array(t.int, large);
        let array = t.b.type_array(row, one);
        let zeros = t.b.constant_null(row);
        let init = t.b.constant_composite(array, [zeros]);
        let to_array = t.b.type_pointer(None, StorageClass::UniformConstant, array);
        for _ in 0..variables {
            t.b.variable(to_array, None, StorageClass::UniformConstant, Some(init));
        }
        let entry = t.b.id();
        t.block(entry);
        let x = t.x;
        t.finish(x)
    };
    assert!(read(&module(4), &FxHashMap::default(), &Options::default()).is_ok());
    let error = rejected(&module(5));
    assert!(error.to_string().contains("initial values of 83886080 bytes; at most 67108864"), "{error}");
}

/// Facts of a group are those of its targets; what each of them has of its own stays.
#[test]
fn groups_of_decorations() {
    use rspirv::spirv::Decoration::{Alignment, SpecId, Volatile};
    let mut t = Test::new();
    let group = t.b.decoration_group();
    let [one, other] = [1, 2].map(|value| t.b.spec_constant_bit32(t.int, value));
    let mut decorate = |id, decoration, operands: &[u32]| {
        t.b.decorate(id, decoration, operands.iter().map(|word| Operand::LiteralBit32(*word)));
    };
    decorate(other, SpecId, &[7]);
    decorate(group, SpecId, &[5]);
    decorate(group, Alignment, &[4]);
    decorate(group, Alignment, &[8]);
    t.b.group_decorate(group, [one, other]);
    let entry = t.b.id();
    t.block(entry);
    let sum = t.add(one, other);
    let words = t.finish(sum);
    let tables = crate::tables::tables(&words, &FxHashMap::default()).unwrap();
    for (id, spec_id) in [(one, 5), (other, 7)] {
        assert_eq!(tables.fact(id, SpecId), Some(&[spec_id][..]));
        assert_eq!(tables.fact(id, Alignment), Some(&[4][..]), "the first counts");
        assert_eq!(tables.fact(id, Volatile), None);
        assert_eq!(tables.facts(id).len(), 2);
    }
}

/// A kernel that adds specialisation constant 9, by default 40.
fn adds_constant() -> Vec<u32> {
    let mut t = Test::new();
    let constant = t.b.spec_constant_bit32(t.int, 40);
    t.b.decorate(constant, rspirv::spirv::Decoration::SpecId, [Operand::LiteralBit32(9)]);
    let entry = t.b.id();
    t.block(entry);
    let x = t.x;
    let sum = t.add(x, constant);
    t.finish(sum)
}

#[test]
fn specialization_constants_have_values_that_can_be_replaced() {
    let words = adds_constant();
    assert_eq!(run(&words, 2), 42);
    let given = FxHashMap::from_iter([(9, 100)]);
    let module = read(&words, &given, &Options::default()).unwrap_or_else(|error| panic!("{error}")).module;
    assert_eq!(Machine::new(&module).run("test", &[2]), Some(vec![102]));
}

#[test]
fn what_is_imported_is_a_declaration() {
    let mut t = Test::empty();
    let ty = t.b.type_function(t.int, [t.int]);
    let function = t.b.begin_function(t.int, None, FunctionControl::NONE, ty).expect("a function");
    let name = [Operand::LiteralString("elsewhere".into()), Operand::LinkageType(LinkageType::Import)];
    t.b.decorate(function, rspirv::spirv::Decoration::LinkageAttributes, name);
    t.b.function_parameter(t.int).expect("a parameter");
    t.b.end_function().expect("an end");
    let module = module(&t.b.module().assemble());
    let functions: Vec<_> = module.functions.iter().map(|f| (f.name.as_str(), f.is_declaration())).collect();
    assert_eq!(functions, [("elsewhere", true)]);
}

#[test]
fn recursion_is_rejected_by_name() {
    let mut t = Test::empty();
    let ty = t.b.type_function(t.int, [t.int]);
    let function = t.b.begin_function(t.int, None, FunctionControl::NONE, ty).expect("a function");
    t.b.name(function, "again");
    let x = t.b.function_parameter(t.int).expect("a parameter");
    let entry = t.b.id();
    t.block(entry);
    let value = t.b.function_call(t.int, None, function, [x]).expect("a call");
    let error = rejected(&t.finish(value));
    assert_eq!(error.id, Some(function));
    assert!(error.to_string().contains("'again' calls itself"), "{error}");
}

#[test]
fn what_is_not_supported_is_named_with_its_place() {
    let mut t = Test::new();
    let entry = t.b.id();
    t.block(entry);
    let file = t.b.string("kernel.cl");
    t.b.line(file, 12, 3);
    let (int, x) = (t.int, t.x);
    let value = forms::append(&mut t, Op::FunctionPointerCallINTEL, Some(int), vec![Operand::IdRef(x); 2]);
    let words = t.finish(x);
    let error = rejected(&words);
    assert_eq!((error.id, error.place.clone()), (Some(value), Some(("kernel.cl".into(), 12, 3))));
    assert!(matches!(error.reason, Reason::Unsupported(_)));
    assert_eq!(words[error.offset] & 0xffff, Op::FunctionPointerCallINTEL as u32);
    assert!(error.to_string().starts_with("kernel.cl:12:3: FunctionPointerCallINTEL: "), "{error}");

    let mut t = Test::empty();
    let odd = t.b.type_int(128, 0);
    let error = rejected(&t.b.module().assemble());
    assert_eq!(error.id, Some(odd));
    assert!(error.to_string().starts_with("integers of 128 bits are not supported"), "{error}");
}

#[test]
fn headers_are_checked() {
    let words = swaps();
    let with = |at: usize, word: u32| {
        let mut words = words.clone();
        words[at] = word;
        rejected(&words)
    };
    assert_eq!(rejected(&[]).offset, 0);
    assert!(with(0, words[0].swap_bytes()).to_string().contains("other order"));
    assert_eq!(with(1, 0x0002_0000).offset, 1);
    assert_eq!(with(3, 0).offset, 3);
    assert!(with(3, 1).to_string().contains("out of bounds"));
    assert_eq!(with(5, 0).offset, 5);
}

/// All prefixes of a module, and modules with words that were changed: an error or a module, and nothing else.
#[test]
fn damaged_modules_are_rejected() {
    let words = swaps();
    for length in 0..words.len() {
        let _ = read(&words[..length], &FxHashMap::default(), &Options::default());
    }
    let mut random = fastrand::Rng::with_seed(17);
    for _ in 0..20_000 {
        let mut words = words.clone();
        for _ in 0..random.usize(1..4) {
            let at = random.usize(..words.len());
            words[at] = match random.usize(..4) {
                0 => words[at] ^ 1 << random.usize(..32),
                1 => random.u32(..80),
                2 => words[random.usize(..words.len())],
                _ => random.u32(..),
            };
        }
        let _ = read(&words, &FxHashMap::default(), &Options::default());
    }
}

#[test]
fn constants_are_specialized_in_the_words() {
    let words = adds_constant();
    let changed = |values: &[(u32, SpecValue)]| specialize(&words, values).map_err(|error| error.to_string());
    assert_eq!(run(&changed(&[(9, SpecValue::Integer(-1))]).unwrap(), 2), 1);
    assert_eq!(run(&changed(&[]).unwrap(), 2), 42);
    assert!(
        changed(&[(8, SpecValue::Integer(1))]).unwrap_err().starts_with("no specialisation constant has the number 8")
    );
    assert_eq!(run(&changed(&[(9, SpecValue::Bits(0xffff_fffe))]).unwrap(), 2), 0);
    assert_eq!((spec_constant_size(&words, 9).unwrap(), spec_constant_size(&words, 8).unwrap()), (Some(4), None));
    for value in [SpecValue::Integer(1 << 32), SpecValue::Float(1.0)] {
        assert!(changed(&[(9, value)]).unwrap_err().starts_with("the constant cannot have the value"), "{value:?}");
    }
}

#[test]
fn instructions_have_the_lines_of_the_source() {
    let mut t = Test::new();
    let entry = t.b.id();
    t.block(entry);
    let file = t.b.string("sums.cl");
    t.b.line(file, 12, 3);
    let (x, int) = (t.x, t.int);
    let sum = t.b.i_add(int, None, x, x).expect("a sum");
    t.b.no_line();
    let words = t.finish(sum);
    let object = read(&words, &FxHashMap::default(), &Options::default()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((&object.files[..], object.lines[0].number), (&["sums.cl".to_owned()][..], 12));
    let function = &object.module.functions[clforge_ir::FunctionId::from(0)];
    let of_sum = function.insts.iter().find(|inst| matches!(inst.op, clforge_ir::Op::Binary { .. })).expect("a sum");
    assert_eq!(of_sum.span, clforge_basic::source::Span::token(0));
}
