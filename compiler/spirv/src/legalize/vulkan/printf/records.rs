//! Functions that write the records of `printf`: what a call does is long, and a program may have many of them.

use super::{Record, write};
use clforge_ir::*;
use typed_index_collections::TiVec;

/// Calls of one module that are expanded in place.
const IN_PLACE: usize = 8;
/// Words of a record that can be parameters.
const MOST_WORDS: usize = 64;

/// The functions, one for each number of words. They are appended to the module when all calls are known.
#[derive(Default)]
pub struct RecordWriters {
    /// Whether the module has so many calls that they are worth it.
    wanted: bool,
    /// What the module has without them.
    functions: usize,
    /// The number of words of each.
    lengths: Vec<usize>,
}

impl RecordWriters {
    /// The functions for a module that still has its calls of `printf`.
    pub fn new(module: &Module) -> RecordWriters {
        let insts = module.functions.iter().flat_map(|function| &function.insts);
        let calls = insts.filter(|inst| matches!(inst.op, Op::Intrinsic { function: Intrinsic::Printf, .. }));
        RecordWriters {
            wanted: calls.take(IN_PLACE + 1).count() > IN_PLACE,
            functions: module.functions.len(),
            lengths: Vec::new(),
        }
    }

    /// Calls the function that writes the record, if there is to be one; the result is that of `printf`.
    pub fn call(&mut self, b: &mut Builder<'_>, record: &Record) -> Option<Value> {
        if !self.wanted || record.has_strings() || record.words.len() > MOST_WORDS {
            return None;
        }
        let length = record.words.len();
        let known = self.lengths.iter().position(|known| *known == length);
        let index = known.unwrap_or_else(|| {
            self.lengths.push(length);
            self.lengths.len() - 1
        });
        let function = FunctionId::from(self.functions + index);
        let args = Values::from_slice(&record.words);
        Some(b.push(Op::Call { function, args }, &[Type::I32])[0])
    }

    /// Whether none is called.
    pub fn is_empty(&self) -> bool {
        self.lengths.is_empty()
    }

    /// Appends the functions; `buffer` gives the address of the buffer of `printf`, which has `size` bytes.
    pub fn append(
        self,
        module: &mut TiVec<FunctionId, Function>,
        buffer: impl Fn(&mut Builder<'_>) -> Value,
        size: u32,
    ) {
        for length in self.lengths {
            let mut function = Function::new(format!("printf_record_{length}"));
            let words = (0..length).map(|_| function.add_param(Type::I32)).collect();
            function.result = Some(Type::I32);
            let mut b = Builder::new(&mut function);
            let buffer = buffer(&mut b);
            let result = write(&mut b, buffer, size, &Record::of_words(words));
            b.effect(Op::Return(Some(result)));
            module.push(function);
        }
    }
}
