//! Rejected modules: errors name the instruction, its id, its word and its line.

use super::forms::append;
use super::producers::{begin, global};
use super::{Test, module, rejected};
use crate::{ReadError, Reason};
use rspirv::binary::Assemble;
use rspirv::dr::Operand;
use rspirv::spirv::{
    AccessQualifier, Decoration, ExecutionMode, ExecutionModel, FPRoundingMode, FunctionControl, Op, StorageClass, Word,
};

/// The error of a module that is valid and not supported, at this instruction, on line 7 of `a.cl` or none.
fn unsupported(words: &[u32], op: Op, id: Option<Word>, has_line: bool) -> ReadError {
    let error = rejected(words);
    assert!(matches!(error.reason, Reason::Unsupported(_)), "{error}");
    assert_eq!((words[error.offset] & 0xffff, error.id), (op as u32, id), "{error}");
    assert_eq!(error.place, has_line.then(|| ("a.cl".into(), 7, 2)), "{error}");
    error
}

/// The message about an instruction of operands that nobody looks at.
fn message_about(op: Op) -> String {
    let mut t = Test::empty();
    begin(&mut t);
    let file = t.b.string("a.cl");
    t.b.line(file, 7, 2);
    let (int, x) = (t.int, t.x);
    let id = append(&mut t, op, Some(int), vec![Operand::IdRef(x); 4]);
    unsupported(&t.finish(x), op, Some(id), true).to_string()
}

#[test]
fn storage_of_pipes() {
    let mut t = Test::empty();
    let (void, storage) = (t.b.type_void(), t.b.type_pipe_storage());
    let ty = t.b.type_function(void, [storage]);
    let function = t.b.begin_function(void, None, FunctionControl::NONE, ty).expect("a function");
    let parameter = t.b.function_parameter(storage).expect("a parameter");
    t.b.begin_block(None).expect("a block");
    t.b.ret().expect("a return");
    t.b.end_function().expect("an end");
    t.b.entry_point(ExecutionModel::Kernel, function, "k", []);
    let words = t.b.module().assemble();
    let error = unsupported(&words, Op::FunctionParameter, Some(parameter), false);
    assert!(error.to_string().contains("that is the storage of a pipe is not supported"), "{error}");
}

/// Instructions say what the packets of a pipe are, and which way they go.
#[test]
fn packets_of_pipes() {
    let message = |size: u32, align: u32, access: AccessQualifier| {
        let mut t = Test::empty();
        let (void, int, pipe) = (t.b.type_void(), t.b.type_int(32, 0), t.b.type_pipe(access));
        let ty = t.b.type_function(void, [pipe]);
        let (size, align) = (t.b.constant_bit32(int, size), t.b.constant_bit32(int, align));
        let function = t.b.begin_function(void, None, FunctionControl::NONE, ty).expect("a function");
        let parameter = t.b.function_parameter(pipe).expect("a parameter");
        t.b.begin_block(None).expect("a block");
        t.b.reserve_read_pipe_packets(int, None, parameter, size, size, align).expect("a reservation");
        t.b.ret().expect("a return");
        t.b.end_function().expect("an end");
        t.b.entry_point(ExecutionModel::Kernel, function, "k", []);
        let words = t.b.module().assemble();
        rejected(&words).to_string()
    };
    for (size, align) in [(0, 1), (6, 4), (4, 3), (1 << 20, 4)] {
        let text = message(size, align, AccessQualifier::ReadOnly);
        assert!(text.contains(&format!("packets of {size} bytes that are aligned to {align}")), "{text}");
    }
    let text = message(4, 4, AccessQualifier::WriteOnly);
    assert!(text.contains("no pipe of this access"), "{text}");
    // The reservation is no number.
    let text = message(4, 4, AccessQualifier::ReadOnly);
    assert!(text.contains("a value of the result's type"), "{text}");
}

#[test]
fn calls_through_pointers() {
    let text = message_about(Op::FunctionPointerCallINTEL);
    assert!(text.contains("FunctionPointerCallINTEL: pointers to functions are not supported"), "{text}");
}

/// The error is about the call that closes the circle.
#[test]
fn recursion_through_another_function() {
    let mut t = Test::empty();
    let int = t.int;
    let ty = t.b.type_function(int, [int]);
    let [even, odd] = t.labels();
    let file = t.b.string("a.cl");
    for (name, function, other, line) in [("even", even, odd, 5), ("odd", odd, even, 7)] {
        t.b.begin_function(int, Some(function), FunctionControl::NONE, ty).expect("a function");
        t.b.name(function, name);
        let x = t.b.function_parameter(int).expect("a parameter");
        t.b.begin_block(None).expect("a block");
        t.b.line(file, line, 2);
        let value = t.b.function_call(int, None, other, [x]).expect("a call");
        t.b.ret_value(value).expect("a return");
        t.b.end_function().expect("an end");
    }
    let error = unsupported(&t.b.module().assemble(), Op::FunctionCall, Some(even), true);
    assert!(error.to_string().contains("'even' calls itself through 'odd': recursion is not supported"), "{error}");
}

#[test]
fn lines_end_with_their_blocks() {
    let mut t = Test::empty();
    let file = t.b.string("a.cl");
    t.b.line(file, 7, 2);
    let wide = t.b.type_int(128, 0);
    unsupported(&t.b.module().assemble(), Op::TypeInt, Some(wide), true);

    let mut t = Test::empty();
    begin(&mut t);
    let file = t.b.string("a.cl");
    t.b.line(file, 7, 2);
    let [next] = t.labels();
    t.b.branch(next).expect("a branch");
    t.block(next);
    let (int, x) = (t.int, t.x);
    let id = append(&mut t, Op::FunctionPointerCallINTEL, Some(int), vec![Operand::IdRef(x); 2]);
    unsupported(&t.finish(x), Op::FunctionPointerCallINTEL, Some(id), false);
}

#[test]
fn variables_that_hold_handles() {
    let mut t = Test::empty();
    let event = t.b.type_event();
    let pointer = t.b.type_pointer(None, StorageClass::CrossWorkgroup, event);
    let class = Operand::StorageClass(StorageClass::CrossWorkgroup);
    let variable = global(&mut t, Op::Variable, Some(pointer), vec![class]);
    let error = unsupported(&t.b.module().assemble(), Op::Variable, Some(variable), false);
    assert!(error.to_string().contains("a variable of the module that holds a handle"), "{error}");
}

/// A module with an empty kernel that has an execution mode for floating numbers of 32 bits; the kernel's id.
fn kernel_of(mode: ExecutionMode) -> (Vec<u32>, Word) {
    let mut t = Test::empty();
    let void = t.b.type_void();
    let ty = t.b.type_function(void, []);
    let file = t.b.string("a.cl");
    t.b.line(file, 7, 2);
    let kernel = t.b.begin_function(void, None, FunctionControl::NONE, ty).expect("a function");
    t.b.begin_block(None).expect("a block");
    t.b.ret().expect("a return");
    t.b.end_function().expect("an end");
    t.b.entry_point(ExecutionModel::Kernel, kernel, "k", []);
    t.b.execution_mode(kernel, mode, [32]);
    (t.b.module().assemble(), kernel)
}

#[test]
fn float_controls() {
    use ExecutionMode as Mode;
    for mode in [Mode::RoundingModeRTZ, Mode::RoundingModeRTPINTEL, Mode::RoundingModeRTNINTEL] {
        let (words, kernel) = kernel_of(mode);
        let text = unsupported(&words, Op::Function, Some(kernel), true).to_string();
        let expected = format!("execution mode {mode:?} is not supported: operations round to the nearest value");
        assert!(text.contains(&expected), "{text}");
    }
    for mode in [Mode::FloatingPointModeALTINTEL, Mode::FloatingPointModeIEEEINTEL] {
        let (words, kernel) = kernel_of(mode);
        let text = unsupported(&words, Op::Function, Some(kernel), true).to_string();
        assert!(text.contains(&format!("execution mode {mode:?} is not supported")), "{text}");
    }
    let nearest =
        [Mode::RoundingModeRTE, Mode::DenormPreserve, Mode::DenormFlushToZero, Mode::SignedZeroInfNanPreserve];
    for mode in nearest {
        module(&kernel_of(mode).0);
    }
}

/// A sum of floating numbers with a rounding mode; the sum's id.
fn sum_rounded(mode: Operand) -> (Vec<u32>, Word) {
    let mut t = Test::empty();
    let float = t.b.type_float(32, None);
    begin(&mut t);
    let file = t.b.string("a.cl");
    t.b.line(file, 7, 2);
    let x = t.x;
    let x = t.b.convert_s_to_f(float, None, x).expect("a number");
    let sum = t.b.f_add(float, None, x, x).expect("a sum");
    t.b.decorate(sum, Decoration::FPRoundingMode, [mode]);
    let int = t.int;
    let sum_bits = t.b.bitcast(int, None, sum).expect("bits");
    (t.finish(sum_bits), sum)
}

#[test]
fn rounding_modes_of_operations() {
    for mode in [FPRoundingMode::RTZ, FPRoundingMode::RTP, FPRoundingMode::RTN] {
        let (words, sum) = sum_rounded(Operand::FPRoundingMode(mode));
        let text = unsupported(&words, Op::FAdd, Some(sum), true).to_string();
        assert!(text.contains(&format!("the rounding mode {mode:?} of FAdd is not supported")), "{text}");
    }
    module(&sum_rounded(Operand::FPRoundingMode(FPRoundingMode::RTE)).0);
    let error = rejected(&sum_rounded(Operand::LiteralBit32(9)).0);
    assert!(error.to_string().contains("a rounding mode that does not exist"), "{error}");
}

/// A constant, a type, a label of another function, and a value of the same block.
#[test]
fn ids_are_defined_once() {
    let again = |id: fn(&mut Test) -> Word| {
        let mut t = Test::empty();
        begin(&mut t);
        let zero = t.int(0);
        t.b.ret_value(zero).expect("a return");
        t.b.end_function().expect("an end");
        begin(&mut t);
        let id = id(&mut t);
        let (int, x) = (t.int, t.x);
        t.b.i_add(int, Some(id), x, x).expect("a sum");
        let error = rejected(&t.finish(x));
        assert_eq!(error.id, Some(id), "{error}");
        assert!(error.to_string().contains("the id has two definitions"), "{error}");
    };
    again(|t| t.int(0));
    again(|t| t.int);
    again(|t| t.x);
    again(|t| t.b.module_ref().functions[0].blocks[0].label_id().expect("a label"));
    again(|t| {
        let x = t.x;
        t.add(x, x)
    });
}
