//! Copies and hints of untyped pointers (`SPV_KHR_untyped_pointers`).

use super::forms::append;
use super::producers::{begin, global};
use super::{Test, module, rejected, run};
use rspirv::dr::Operand;
use rspirv::spirv::{AddressingModel, MemoryModel, Op, StorageClass, Word};

const LENGTH: u32 = 64;

/// Untyped pointers of a storage class, and a variable of the module with `LENGTH` bytes.
fn bytes(t: &mut Test, class: StorageClass, array: Word, initial: Option<Word>) -> (Word, Word) {
    let pointer = global(t, Op::TypeUntypedPointerKHR, None, vec![Operand::StorageClass(class)]);
    let mut operands = vec![Operand::StorageClass(class), Operand::IdRef(array)];
    operands.extend(initial.map(Operand::IdRef));
    (pointer, global(t, Op::UntypedVariableKHR, Some(pointer), operands))
}

/// A copy from global to local memory, whose elements are `strides[0]` bytes from each other in global memory, and one back to
/// another place, where they are `strides[1]` bytes from each other: the byte `x` there.
fn copies(words: bool, size: u64, count: u64, strides: [u64; 2], start: u32) -> Vec<u32> {
    let mut t = Test::empty();
    let (int, byte, long, event) = (t.int, t.b.type_int(8, 0), t.b.type_int(64, 0), t.b.type_event());
    let element = if words { int } else { byte };
    let length = t.int(if words { LENGTH / 4 } else { LENGTH });
    let array = t.b.type_array(element, length);
    let filled = |t: &mut Test, value: fn(u32) -> u32| {
        let parts: Vec<Word> = match words {
            true => (0..LENGTH / 4).map(|i| t.int((0..4).map(|k| value(4 * i + k) << (8 * k)).sum())).collect(),
            false => (0..LENGTH).map(|i| t.b.constant_bit32(byte, value(i))).collect(),
        };
        t.b.constant_composite(array, parts)
    };
    let (numbers, zeros) = (filled(&mut t, |i| i + 1), filled(&mut t, |_| 0));
    let (to_global, source) = bytes(&mut t, StorageClass::CrossWorkgroup, array, Some(numbers));
    let (_, target) = bytes(&mut t, StorageClass::CrossWorkgroup, array, Some(zeros));
    let (_, buffer) = bytes(&mut t, StorageClass::Workgroup, array, None);
    let (start, scope) = (t.int(start), t.int(2));
    let [size, count, first, second] =
        [size, count, strides[0], strides[1]].map(|number| t.b.constant_bit64(long, number));
    let none = t.b.constant_null(event);
    let ids = |ids: &[Word]| ids.iter().map(|id| Operand::IdRef(*id)).collect::<Vec<Operand>>();
    begin(&mut t);
    let from = append(&mut t, Op::UntypedPtrAccessChainKHR, Some(to_global), ids(&[byte, source, start]));
    append(&mut t, Op::UntypedPrefetchKHR, None, ids(&[from, size]));
    let copy = Op::UntypedGroupAsyncCopyKHR;
    let done = append(&mut t, copy, Some(event), ids(&[scope, buffer, from, size, count, first, none]));
    append(&mut t, copy, Some(event), ids(&[scope, target, buffer, size, count, second, done]));
    let x = t.x;
    let place = append(&mut t, Op::UntypedPtrAccessChainKHR, Some(to_global), ids(&[byte, target, x]));
    let value = t.b.load(byte, None, place, None, []).expect("a load");
    let value = t.b.u_convert(int, None, value).expect("a conversion");
    t.finish(value)
}

#[test]
fn async_copies_of_elements_in_bytes() {
    // Words; bytes at odd places; elements and strides that are no multiples of each other; a stride of whole elements.
    let cases = [
        (true, 4, 5, [8, 12], 4),
        (true, 8, 3, [12, 8], 0),
        (false, 1, 6, [7, 3], 1),
        (false, 3, 4, [7, 5], 2),
        (true, 6, 3, [10, 14], 3),
        (true, 16, 2, [16, 32], 8),
        (true, 4, 0, [4, 4], 0),
    ];
    for case in cases {
        let (words, size, count, strides, start) = case;
        let module = copies(words, size, count, strides, start);
        let mut expected = [0; LENGTH as usize];
        for element in 0..count {
            for at in 0..size {
                let from = u64::from(start) + element * strides[0] + at;
                expected[(element * strides[1] + at) as usize] = from as u32 + 1;
            }
        }
        let given: Vec<u32> = (0..LENGTH).map(|x| run(&module, x)).collect();
        assert_eq!(given, expected, "{case:?}");
    }
}

#[test]
fn async_copies_are_between_local_and_global_memory() {
    let mut t = Test::empty();
    let (byte, long, event) = (t.b.type_int(8, 0), t.b.type_int(64, 0), t.b.type_event());
    let length = t.int(LENGTH);
    let array = t.b.type_array(byte, length);
    let (_, buffer) = bytes(&mut t, StorageClass::Workgroup, array, None);
    let (scope, one, none) = (t.int(2), t.b.constant_bit64(long, 1), t.b.constant_null(event));
    begin(&mut t);
    let operands = [scope, buffer, buffer, one, one, one, none].map(Operand::IdRef).to_vec();
    append(&mut t, Op::UntypedGroupAsyncCopyKHR, Some(event), operands);
    let x = t.x;
    let error = rejected(&t.finish(x)).to_string();
    assert!(error.contains("not between local and global memory"), "{error}");
}

/// In modules with addresses of 32 bits, pointers in memory are larger here than the module means.
#[test]
fn objects_with_pointers_are_typed_in_narrow_modules() {
    let with = |narrow: bool, use_object: fn(&mut Test, Word, Word)| {
        let mut t = Test::empty();
        if narrow {
            t.b.memory_model(AddressingModel::Physical32, MemoryModel::OpenCL);
        }
        let int = t.int;
        let to_int = t.b.type_pointer(None, StorageClass::CrossWorkgroup, int);
        let record = t.b.type_struct([to_int, int]);
        let class = Operand::StorageClass(StorageClass::Function);
        let pointer = global(&mut t, Op::TypeUntypedPointerKHR, None, vec![class.clone()]);
        let (bytes, sixteen) = (t.b.type_int(8, 0), t.int(16));
        let room = t.b.type_array(bytes, sixteen);
        begin(&mut t);
        let object = append(&mut t, Op::UntypedVariableKHR, Some(pointer), vec![class, Operand::IdRef(room)]);
        use_object(&mut t, record, object);
        let x = t.x;
        t.finish(x)
    };
    let uses: [fn(&mut Test, Word, Word); 4] = [
        |t, record, _| {
            let pointer = t.b.type_pointer(None, StorageClass::Function, record);
            let typed = t.b.variable(pointer, None, StorageClass::Function, None);
            let untyped =
                t.b.module_ref().types_global_values.iter().find(|at| at.class.opcode == Op::TypeUntypedPointerKHR);
            let untyped = untyped.and_then(|at| at.result_id).expect("a type");
            t.b.bitcast(untyped, None, typed).expect("a cast");
        },
        |t, record, object| {
            t.b.load(record, None, object, None, []).expect("a load");
        },
        |t, record, object| {
            let value = t.b.constant_null(record);
            t.b.store(object, value, None, []).expect("a store");
        },
        |t, record, _| {
            let class = Operand::StorageClass(StorageClass::Function);
            let pointer = global(t, Op::TypeUntypedPointerKHR, None, vec![class.clone()]);
            append(t, Op::UntypedVariableKHR, Some(pointer), vec![class, Operand::IdRef(record)]);
        },
    ];
    for (number, use_object) in uses.into_iter().enumerate() {
        module(&with(false, use_object));
        let error = rejected(&with(true, use_object)).to_string();
        assert!(
            error.contains("an untyped pointer to an object with pointers in it, in a module with"),
            "{number}: {error}"
        );
    }
    module(&with(true, |_, _, _| {}));
    // The address alone.
    module(&with(true, |t, record, _| {
        let pointer = t.b.type_pointer(None, StorageClass::Function, record);
        let typed = t.b.variable(pointer, None, StorageClass::Function, None);
        let int = t.int;
        t.b.bitcast(int, None, typed).expect("a number");
    }));
}
