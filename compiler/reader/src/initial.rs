//! Initial values of variables as bytes, with the addresses in them.

use crate::blocks::Graph;
use crate::context::ModuleReader;
use crate::decode::Instruction;
use crate::error::Result;
use crate::function::FunctionReader;
use crate::types::Kind;
use clforge_basic::narrow::to_usize;
use clforge_ir::{ConvertOp, Function, GlobalId, Op, Relocation, ScalarType, Value};
use rspirv::spirv;
use rustc_hash::FxHashSet;

/// Most bytes of an initial value that is not zero.
pub const MAX_BYTES: u64 = 64 << 20;
/// Steps from an address to the variable that it is in.
const MAX_STEPS: usize = 1024;

/// The bytes of a constant, `None` for zeros, and the addresses among them.
pub fn initial<'w>(
    m: &mut ModuleReader<'w, '_>,
    at: &Instruction<'w>,
    id: u32,
    ty: u32,
) -> Result<(Option<Vec<u8>>, Vec<Relocation>)> {
    if m.tables.constants.get(&id).is_some_and(|constant| is_zero(constant.op)) {
        return Ok((None, Vec::new()));
    }
    let size = m.tables.types.get(at, ty)?.size;
    let all = m.initial_bytes.saturating_add(size);
    if all > MAX_BYTES {
        return Err(at.limit(format!("initial values of {all} bytes; at most {MAX_BYTES} are supported")));
    }
    m.initial_bytes = all;
    let mut scratch = Function::new("");
    let reader = FunctionReader::new(m, &mut scratch, Graph::default());
    let mut writer =
        Writer { reader, bytes: vec![0; to_usize(size)], relocations: Vec::new(), same: FxHashSet::default() };
    writer.write(at, id, ty, 0)?;
    writer.relocations.sort_by_key(|relocation| relocation.offset);
    Ok((Some(writer.bytes), writer.relocations))
}

fn is_zero(op: spirv::Op) -> bool {
    matches!(op, spirv::Op::ConstantNull | spirv::Op::Undef)
}

struct Writer<'f, 'm, 'w, 'o> {
    reader: FunctionReader<'f, 'm, 'w, 'o>,
    bytes: Vec<u8>,
    relocations: Vec<Relocation>,
    /// Types of the same layout.
    same: FxHashSet<(u32, u32)>,
}

impl<'w> Writer<'_, '_, 'w, '_> {
    /// Writes a constant. Recursion is along the type, whose nesting is bounded.
    fn write(&mut self, at: &Instruction<'w>, id: u32, ty: u32, offset: u64) -> Result<()> {
        let info = self.reader.m.tables.types.get(at, ty)?;
        let constant = self.reader.m.tables.constants.get(&id).copied();
        if info.size == 0 || constant.is_some_and(|constant| is_zero(constant.op)) {
            return Ok(());
        }
        let is_record = matches!(info.kind, Kind::Array { .. } | Kind::Struct { .. });
        let Some(constant) = constant else {
            let value = self.reader.value(at, id)?;
            return self.write_value(at, value, offset);
        };
        let is_list = matches!(constant.op, spirv::Op::ConstantComposite | spirv::Op::SpecConstantComposite);
        if is_record && is_list {
            // LLVM's own back end (22) makes tables whose rows differ in what their pointers point to.
            match self.reader.m.tables.types.same_layout(constant.ty, ty, &mut self.same) {
                Some(true) => {}
                Some(false) => return Err(at.invalid(format!("the initial value %{id} is of another type"))),
                None => return Err(at.limit("initial values of too many types")),
            }
            for (index, part) in (0_u64..).zip(constant.operands) {
                let (member, inner, _) = self.reader.m.tables.types.member(&constant, ty, index)?;
                self.write(&constant, *part, member, offset + inner)?;
            }
            return Ok(());
        }
        if let (Kind::Value(vector), true) = (&info.kind, is_list)
            && vector.is_vector()
            && constant.operands.len() == usize::from(vector.lanes)
        {
            return self.write_lanes(&constant, vector.scalar.bytes(), offset);
        }
        if let Some(bits) = self.reader.m.tables.scalar_bits(&constant) {
            let ty = self.reader.m.tables.types.value(at, ty)?;
            return self.write_bits(at, bits, to_usize(ty.scalar.bytes()), offset);
        }
        let leaves = self.reader.m.tables.types.leaves(at, ty)?;
        let parts = self.reader.parts_of(at, id, ty)?;
        for (leaf, part) in leaves.into_iter().zip(parts) {
            self.write_value(at, part, offset + leaf.offset)?;
        }
        Ok(())
    }

    /// Writes the components of a vector, of which some may be undefined.
    fn write_lanes(&mut self, vector: &Instruction<'w>, bytes: u64, offset: u64) -> Result<()> {
        for (lane, id) in (0_u64..).zip(vector.operands) {
            if self.reader.m.tables.constants.get(id).is_none_or(|constant| !is_zero(constant.op)) {
                let value = self.reader.value(vector, *id)?;
                self.write_value(vector, value, offset + lane * bytes)?;
            }
        }
        Ok(())
    }

    fn write_bits(&mut self, at: &Instruction<'w>, bits: u64, count: usize, offset: u64) -> Result<()> {
        let start = byte_index(at, offset)?;
        let place = self.bytes.get_mut(start..start.saturating_add(count));
        let place = place.ok_or_else(|| at.invalid("an initial value that is larger than its variable"))?;
        for (byte, value) in place.iter_mut().zip(bits.to_le_bytes()) {
            *byte = value;
        }
        Ok(())
    }

    /// Writes a number, a vector or an address.
    fn write_value(&mut self, at: &Instruction<'w>, value: Value, offset: u64) -> Result<()> {
        let ty = self.reader.b.ty(value);
        if let Some(constant) = self.reader.b.function.as_constant(value).cloned() {
            let count = to_usize(ty.scalar.bytes());
            for (bits, lane) in constant.lanes().unwrap_or(&[]).iter().zip(0_u64..) {
                self.write_bits(at, *bits, count, offset + lane * ty.scalar.bytes())?;
            }
            return Ok(());
        }
        if let Some(number) = self.number(value) {
            return self.write_bits(at, number, 8, offset);
        }
        let (target, addend) = self.address(at, value)?;
        if offset.checked_add(8).is_none_or(|end| end > self.bytes.len() as u64) {
            return Err(at.invalid("an initial value that is larger than its variable"));
        }
        self.relocations.push(Relocation { offset, target, addend });
        Ok(())
    }

    /// The number that a pointer was made of: that of a function, or null.
    fn number(&self, value: Value) -> Option<u64> {
        let (mut value, b) = (value, &self.reader.b);
        for _ in 0..MAX_STEPS {
            match b.function.op(value) {
                Some(Op::Convert { op: ConvertOp::IntToPtr | ConvertOp::PtrCast, operand }) => value = *operand,
                _ => return b.function.as_int(value),
            }
        }
        None
    }

    /// The variable that an address is in, and the bytes from its beginning.
    fn address(&mut self, at: &Instruction<'w>, value: Value) -> Result<(GlobalId, i64)> {
        let (mut value, mut addend) = (value, 0_i64);
        let b = &self.reader.b;
        for _ in 0..MAX_STEPS {
            match b.function.op(value) {
                Some(Op::GlobalAddress(global)) => return Ok((*global, addend)),
                Some(Op::PtrAdd { base, index, stride, displacement }) => {
                    let index = index.map_or(Some(0), |index| {
                        let bits = b.function.as_int(index)?;
                        Some(clforge_ir::constant::sign_extend(b.ty(index).scalar, bits))
                    });
                    let Some(index) = index else { break };
                    addend = addend.wrapping_add(index.wrapping_mul(*stride)).wrapping_add(*displacement);
                    value = *base;
                }
                Some(Op::Convert { op, operand })
                    if matches!(op, ConvertOp::PtrCast | ConvertOp::IntToPtr)
                        || (*op == ConvertOp::PtrToInt && b.ty(value).scalar == ScalarType::I64) =>
                {
                    value = *operand;
                }
                _ => break,
            }
        }
        Err(at.unsupported("an initial value that is neither a constant nor the address of a variable"))
    }
}

/// The number of an element of bytes.
fn byte_index(at: &Instruction<'_>, offset: u64) -> Result<usize> {
    usize::try_from(offset).map_err(|_| at.limit(format!("an offset of {offset} bytes")))
}
