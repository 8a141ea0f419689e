//! Every instruction of `OpenCL.std` on numbers, with every vector size that it has: modules that are made instruction by
//! instruction are read and become valid modules for both targets. What the functions compute is tested elsewhere.

use clforge_compiler::options::{OpenClVersion, VulkanVersion};
use clforge_compiler::validate::{ValidateError, validate};
use clforge_compiler::{Options, Target, translate_spirv};
use rspirv::binary::Assemble;
use rspirv::dr::{Builder, Operand};
use rspirv::grammar::OPENCL_STD_100_INSTRUCTION_TABLE;
use rspirv::spirv::{AddressingModel, Capability, ExecutionModel, FunctionControl, MemoryModel, StorageClass, Word};

/// What a number is; bits behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Number {
    Float(u32),
    Int(u32),
}

/// The operands of an instruction, for a result of some type.
#[derive(Clone, Copy, Debug)]
enum Shape {
    /// As many values of the result's type as the grammar says.
    Same,
    /// The same, and a pointer to a value of the result's type, or to integers of 32 bits.
    Pointer,
    PointerToInt,
    /// A value of the result's type and integers of 32 bits.
    AndInt,
    /// Two values and integers of the same width.
    Select,
    /// Integers of the same width.
    FromInt,
    /// Floating numbers; the result is of 32 bits.
    ToInt,
    /// Vectors, of which the result is a component.
    Reduce,
    /// Vectors of half the width.
    FromHalf,
}

fn shape(name: &str) -> Shape {
    match name {
        "fract" | "modf" | "sincos" => Shape::Pointer,
        "frexp" | "lgamma_r" | "remquo" => Shape::PointerToInt,
        "ldexp" | "pown" | "rootn" => Shape::AndInt,
        "select" => Shape::Select,
        "nan" => Shape::FromInt,
        "ilogb" => Shape::ToInt,
        "distance" | "length" | "fast_distance" | "fast_length" => Shape::Reduce,
        "s_upsample" | "u_upsample" => Shape::FromHalf,
        _ => Shape::Same,
    }
}

/// Whether an instruction has operands of a type with so many lanes.
fn takes(name: &str, number: Number, lanes: u32) -> bool {
    let is_int = name.starts_with("s_")
        || name.starts_with("u_")
        || matches!(name, "rotate" | "clz" | "ctz" | "popcount" | "bitselect" | "select");
    let is_other = name.contains("load") || name.contains("store") || name.contains("shuffle");
    if is_other || matches!(name, "printf" | "prefetch") {
        return false;
    }
    match (name, number) {
        ("cross", Number::Float(_)) => matches!(lanes, 3 | 4),
        ("distance" | "length" | "normalize", Number::Float(_)) => lanes <= 4,
        ("fast_distance" | "fast_length" | "fast_normalize", Number::Float(bits)) => lanes <= 4 && bits == 32,
        ("select" | "bitselect", _) => true,
        ("s_upsample" | "u_upsample", Number::Int(bits)) => bits > 8,
        ("s_mad24" | "u_mad24" | "s_mul24" | "u_mul24", Number::Int(bits)) => bits == 32,
        (_, Number::Int(_)) => is_int,
        // Functions with less precision are for `float`.
        (_, Number::Float(bits)) => {
            !is_int && (bits == 32 || !(name.starts_with("half_") || name.starts_with("native_")))
        }
    }
}

struct Module {
    b: Builder,
    set: Word,
    input: Word,
    output: Word,
}

impl Module {
    fn new() -> Module {
        let mut b = Builder::new();
        b.set_version(1, 2);
        for capability in [
            Capability::Kernel,
            Capability::Addresses,
            Capability::Vector16,
            Capability::Int8,
            Capability::Int16,
            Capability::Int64,
            Capability::Float16,
            Capability::Float64,
        ] {
            b.capability(capability);
        }
        let set = b.ext_inst_import("OpenCL.std");
        b.memory_model(AddressingModel::Physical64, MemoryModel::OpenCL);
        let (void, byte) = (b.type_void(), b.type_int(8, 0));
        let bytes = b.type_pointer(None, StorageClass::CrossWorkgroup, byte);
        let ty = b.type_function(void, [bytes, bytes]);
        let kernel = b.begin_function(void, None, FunctionControl::NONE, ty).expect("a function");
        let [input, output] = [0; 2].map(|_| b.function_parameter(bytes).expect("a parameter"));
        b.begin_block(None).expect("a block");
        b.entry_point(ExecutionModel::Kernel, kernel, "k", []);
        Module { b, set, input, output }
    }

    fn ty(&mut self, number: Number, lanes: u32) -> Word {
        let scalar = match number {
            Number::Float(bits) => self.b.type_float(bits, None),
            Number::Int(bits) => self.b.type_int(bits, 0),
        };
        if lanes == 1 { scalar } else { self.b.type_vector(scalar, lanes) }
    }

    fn place(&mut self, address: Word, ty: Word) -> Word {
        let pointer = self.b.type_pointer(None, StorageClass::CrossWorkgroup, ty);
        self.b.bitcast(pointer, None, address).expect("an address")
    }

    fn value(&mut self, ty: Word) -> Word {
        let place = self.place(self.input, ty);
        self.b.load(ty, None, place, None, []).expect("a value")
    }

    /// An instruction on values of the input, with the result in the output.
    fn add(&mut self, name: &str, opcode: u32, count: usize, number: Number, lanes: u32) {
        let ty = self.ty(number, lanes);
        let ints = self.ty(Number::Int(32), lanes);
        let bits = match number {
            Number::Float(bits) | Number::Int(bits) => bits,
        };
        let (mut result, mut operands) = (ty, Vec::new());
        let mut types = vec![ty; count];
        match shape(name) {
            Shape::Same => {}
            Shape::Pointer | Shape::PointerToInt => {
                types.pop();
            }
            Shape::AndInt => types[1] = ints,
            Shape::Select => types[2] = self.ty(Number::Int(bits), lanes),
            Shape::FromInt => types[0] = self.ty(Number::Int(bits), lanes),
            Shape::ToInt => result = ints,
            Shape::Reduce => result = self.ty(number, 1),
            Shape::FromHalf => types = vec![self.ty(Number::Int(bits / 2), lanes); 2],
        }
        for ty in types {
            operands.push(Operand::IdRef(self.value(ty)));
        }
        match shape(name) {
            Shape::Pointer => operands.push(Operand::IdRef(self.place(self.output, ty))),
            Shape::PointerToInt => operands.push(Operand::IdRef(self.place(self.output, ints))),
            _ => {}
        }
        let value = self.b.ext_inst(result, None, self.set, opcode, operands).expect("an instruction");
        let place = self.place(self.output, result);
        self.b.store(place, value, None, []).expect("a store");
    }

    fn finish(mut self) -> Vec<u32> {
        self.b.ret().expect("a return");
        self.b.end_function().expect("an end");
        self.b.module().assemble()
    }
}

/// All instructions that have operands of a type.
fn check(number: Number, lanes: u32) {
    let mut module = Module::new();
    for entry in OPENCL_STD_100_INSTRUCTION_TABLE.iter() {
        if takes(entry.opname, number, lanes) {
            module.add(entry.opname, u32::from(entry.opcode), entry.operands.len(), number, lanes);
        }
    }
    let words = module.finish();
    for target in [Target::Vulkan(VulkanVersion::V1_2), Target::OpenCl(OpenClVersion::V3_0)] {
        let translated = translate_spirv(&words, &Options::for_target(target));
        let translated =
            translated.unwrap_or_else(|error| panic!("{number:?} x {lanes}, {target}: {}", error.render(false)));
        match validate(&translated.spirv, target) {
            Ok(()) | Err(ValidateError::TooOld(_)) => {}
            Err(ValidateError::Invalid(message)) => panic!("{number:?} x {lanes}, {target}: {message}"),
            Err(ValidateError::Unavailable(reason)) => panic!("the validator cannot be run: {reason}"),
        }
    }
}

#[test]
fn every_instruction_is_tested() {
    let numbers = [Number::Int(8), Number::Int(32), Number::Float(32)];
    let is_tested = |name: &str| numbers.iter().any(|number| [1, 4].iter().any(|lanes| takes(name, *number, *lanes)));
    let names = OPENCL_STD_100_INSTRUCTION_TABLE.iter().map(|entry| entry.opname);
    let rest: Vec<&str> = names.filter(|name| !is_tested(name)).collect();
    // Those of memory, of which programs have plenty.
    let memory = [
        "vloadn",
        "vstoren",
        "vload_half",
        "vload_halfn",
        "vstore_half",
        "vstore_half_r",
        "vstore_halfn",
        "vstore_halfn_r",
        "vloada_halfn",
        "vstorea_halfn",
        "vstorea_halfn_r",
        "shuffle",
        "shuffle2",
        "printf",
        "prefetch",
    ];
    assert_eq!(rest, memory);
}

#[test]
fn integers_in_all_widths_and_vectors() {
    for bits in [8, 16, 32, 64] {
        for lanes in [1, 2, 3, 4, 8, 16] {
            check(Number::Int(bits), lanes);
        }
    }
}

#[test]
fn floating_numbers_in_all_vectors() {
    for lanes in [1, 2, 3, 4, 8, 16] {
        check(Number::Float(32), lanes);
    }
}

#[test]
fn halves_and_doubles() {
    for bits in [16, 64] {
        check(Number::Float(bits), 1);
        check(Number::Float(bits), 16);
    }
}
