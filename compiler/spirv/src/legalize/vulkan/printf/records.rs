//! Functions that write the records of `printf`: the code of a call is long, and a program may have many calls. A module
//! with more than eight calls has such functions; otherwise each call writes its record itself.

use super::{Record, write};
use clforge_ir::*;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use typed_index_collections::TiVec;

/// Calls of one module that are expanded in place.
const IN_PLACE: usize = 8;
/// Vectors of four words, or less, of a record that can be parameters.
const MOST_VECTORS: u32 = 64;

/// The types of a record's fields.
type Signature = SmallVec<[Type; 8]>;

/// The functions, one for each list of types of fields. They are appended to the module when all calls are known.
#[derive(Default)]
pub struct RecordWriters {
    /// Whether the module has so many calls that they are worth it.
    wanted: bool,
    /// What the module has without them.
    functions: usize,
    /// The types of the fields of each.
    signatures: Vec<Signature>,
    /// Their indices.
    known: FxHashMap<Signature, usize>,
}

impl RecordWriters {
    /// The functions for a module that still has its calls of `printf`.
    pub fn new(module: &Module) -> RecordWriters {
        let insts = module.functions.iter().flat_map(|function| &function.insts);
        let calls = insts.filter(|inst| matches!(inst.op, Op::Intrinsic { function: Intrinsic::Printf, .. }));
        RecordWriters {
            wanted: calls.take(IN_PLACE + 1).count() > IN_PLACE,
            functions: module.functions.len(),
            signatures: Vec::new(),
            known: FxHashMap::default(),
        }
    }

    /// Calls the function that writes the record, if there is to be one; the result is that of `printf`.
    pub fn call(&mut self, b: &mut Builder<'_>, record: &Record) -> Option<Value> {
        let signature: Signature = record.fields.iter().map(|field| b.ty(*field)).collect();
        let vectors: u32 = signature.iter().map(|ty| u32::from(ty.lanes).div_ceil(4)).sum();
        if !self.wanted || record.has_strings() || vectors > MOST_VECTORS {
            return None;
        }
        let index = *self.known.entry(signature).or_insert_with_key(|signature| {
            self.signatures.push(signature.clone());
            self.signatures.len() - 1
        });
        let function = FunctionId::from(self.functions + index);
        let args = Values::from_slice(&record.fields);
        Some(b.push(Op::Call { function, args }, &[Type::I32])[0])
    }

    /// Whether none is called.
    pub fn is_empty(&self) -> bool {
        self.signatures.is_empty()
    }

    /// Appends the functions; `buffer` gives the address of the buffer of `printf`, which has `size` bytes.
    pub fn append(
        self,
        module: &mut TiVec<FunctionId, Function>,
        buffer: impl Fn(&mut Builder<'_>) -> Result<Value, Error>,
        size: u32,
    ) -> Result<(), Error> {
        for (index, signature) in self.signatures.into_iter().enumerate() {
            let mut function = Function::new(format!("printf_record_{index}"));
            let fields = signature.into_iter().map(|ty| function.add_param(ty)).collect();
            function.result = Some(Type::I32);
            let mut b = Builder::new(&mut function);
            let buffer = buffer(&mut b)?;
            let result = write(&mut b, buffer, size, &Record::of_fields(fields));
            b.effect(Op::Return(Some(result)));
            module.push(function);
        }
        Ok(())
    }
}
