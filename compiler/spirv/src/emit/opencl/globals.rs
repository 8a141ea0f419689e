//! Module-scope variables with their initial bytes.

use super::{OpenCl, class, exports, linkage};
use crate::emit::common::ModuleBuilder;
use clforge_basic::narrow::{to_u32, to_usize};
use clforge_ir::error::Limited;
use clforge_ir::*;
use rspirv::dr::Operand;
use rspirv::spirv::{self, Decoration, Word};

/// Elements of an array constant: its instruction has at most 65,535 words.
const MAX_ELEMENTS: u32 = 65_000;

impl OpenCl<'_> {
    /// The variable of a global, declared on first use.
    pub fn global_variable(&mut self, m: &mut ModuleBuilder, id: GlobalId) -> Result<Word, Error> {
        let known = self.globals[id];
        if known != 0 {
            return Ok(known);
        }
        let global = self.module.global(id);
        let (ty, init) = self.typed_bytes(m, global)?;
        let init = init.filter(|_| !global.imported);
        let class = class(global.space);
        let pointer = m.pointer(class, ty);
        let mut operands = vec![Operand::StorageClass(class)];
        operands.extend(init.map(Operand::IdRef));
        let variable = m.global(spirv::Op::Variable, Some(pointer), operands);
        m.name(variable, &global.name);
        m.decorate(variable, Decoration::Alignment, [Operand::LiteralBit32(to_u32(global.align.max(1)))]);
        if global.space == Space::Constant {
            m.decorate(variable, Decoration::Constant, []);
        }
        if global.exported {
            linkage(m, variable, &global.name, exports(global.once));
        } else if global.imported {
            linkage(m, variable, &global.name, spirv::LinkageType::Import);
        }
        self.globals[id] = variable;
        Ok(variable)
    }

    /// The type of an object, words as wide as its alignment allows, and its initial value.
    fn typed_bytes(&mut self, m: &mut ModuleBuilder, global: &Global) -> Result<(Word, Option<Word>), Error> {
        if !global.relocations.is_empty() {
            return self.relocated_bytes(m, global);
        }
        let word = word_of(global.align, global.size);
        let count = (global.size / word.bytes()).max(1);
        let count = u32::try_from(count).map_err(|_| {
            Error::limit(Limited::Variable { name: global.name.as_str().into() }, count, u32::MAX).at(global.span)
        })?;
        let ty = self.words_type(m, word, count);
        let Some(bytes) = global.init.as_ref().filter(|_| global.space != Space::Local) else {
            let null = (global.space != Space::Local).then(|| m.global(spirv::Op::ConstantNull, Some(ty), vec![]));
            return Ok((ty, null));
        };
        if count <= MAX_ELEMENTS {
            return Ok((ty, Some(self.bytes_constant(m, ty, word, bytes))));
        }
        // A constant with more elements has no instruction: a struct of arrays has the same layout.
        let (mut members, mut values) = (Vec::new(), Vec::new());
        for part in bytes.chunks(MAX_ELEMENTS as usize * to_usize(word.bytes())) {
            let ty = self.words_type(m, word, to_u32(part.len()) / to_u32(word.bytes()));
            members.push(ty);
            values.push(Operand::IdRef(self.bytes_constant(m, ty, word, part)));
        }
        let ty = m.new_struct(&members);
        Ok((ty, Some(m.composite(ty, values))))
    }

    fn words_type(&self, m: &mut ModuleBuilder, word: ScalarType, count: u32) -> Word {
        let element = m.scalar(word);
        let length = m.constant_u32(count);
        m.array(element, length, None)
    }

    fn bytes_constant(&mut self, m: &mut ModuleBuilder, ty: Word, word: ScalarType, bytes: &[u8]) -> Word {
        if bytes.iter().all(|byte| *byte == 0) {
            return m.global(spirv::Op::ConstantNull, Some(ty), vec![]);
        }
        let parts = bytes.chunks(to_usize(word.bytes())).map(|chunk| {
            let bits = chunk.iter().rev().fold(0, |bits, byte| bits << 8 | u64::from(*byte));
            Operand::IdRef(m.constant(&Constant::int(Type::scalar(word), bits)))
        });
        let parts: Vec<Operand> = parts.collect();
        m.composite(ty, parts)
    }

    /// An object with addresses in its initial value: a packed struct of byte runs and pointers.
    fn relocated_bytes(&mut self, m: &mut ModuleBuilder, global: &Global) -> Result<(Word, Option<Word>), Error> {
        let empty = Vec::new();
        let bytes = global.init.as_ref().unwrap_or(&empty);
        let mut relocations = global.relocations.clone();
        relocations.sort_by_key(|relocation| relocation.offset);
        let (mut members, mut values) = (Vec::new(), Vec::new());
        let mut at = 0;
        let byte = m.scalar(ScalarType::I8);
        let run = |env: &mut Self, m: &mut ModuleBuilder, from: u64, to: u64| {
            let length = m.constant_u32(to_u32(to - from));
            let ty = m.array(byte, length, None);
            let bytes = bytes.get(to_usize(from)..to_usize(to)).unwrap_or(&[]);
            (ty, env.bytes_constant(m, ty, ScalarType::I8, bytes))
        };
        for relocation in &relocations {
            if relocation.offset > at {
                let (ty, value) = run(self, m, at, relocation.offset);
                members.push(ty);
                values.push(Operand::IdRef(value));
            }
            let target = self.global_variable(m, relocation.target)?;
            let space = self.module.global(relocation.target).space;
            let pointer = m.pointer(class(space), byte);
            let mut value = m.spec_op(spirv::Op::Bitcast, pointer, &[target]);
            if relocation.addend != 0 {
                let size = Type::scalar(self.size_type());
                let addend = m.constant(&Constant::int(size, relocation.addend.cast_unsigned()));
                value = m.spec_op(spirv::Op::PtrAccessChain, pointer, &[value, addend]);
            }
            members.push(pointer);
            values.push(Operand::IdRef(value));
            at = relocation.offset + u64::from(self.address_bits.bytes());
        }
        if at < global.size {
            let (ty, value) = run(self, m, at, global.size);
            members.push(ty);
            values.push(Operand::IdRef(value));
        }
        let ty = m.new_struct(&members);
        m.decorate(ty, Decoration::CPacked, []);
        Ok((ty, Some(m.composite(ty, values))))
    }
}

/// The widest word that the alignment and size of an object allow.
fn word_of(align: u64, size: u64) -> ScalarType {
    let bytes = [8, 4, 2].into_iter().find(|bytes| align >= *bytes && size.is_multiple_of(*bytes)).unwrap_or(1);
    ScalarType::int(to_u32(bytes) * 8)
}
