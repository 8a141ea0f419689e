//! `vulkan/restrict_indices`: accesses outside of a storage buffer access its last element
//! ([`CodegenOptions::robust_buffer_access`](clforge_basic::options::CodegenOptions::robust_buffer_access)).
//!
//! A wide access that consists of several accesses to elements has a limit for each of them.
//!
//! ```ir
//! ; pass: vulkan/restrict_indices
//! variable @v0 "a" storage_buffer 0 1 i32 bytes 0
//! variable @v1 "b" storage_buffer 0 2 f32x4 bytes 0
//! func @f(%0: i32, %1: f32) {
//!   %2: i32 = variable_load @v0[%0]
//!   variable_store @v1[%2], %1
//!   return
//! }
//! ; ---
//! variable @v0 "a" storage_buffer 0 1 i32 bytes 0
//! variable @v1 "b" storage_buffer 0 2 f32x4 bytes 0
//! func @f(%0: i32, %1: f32) {
//!   %2: i32 = buffer_length @v0
//!   %3: i32 = add %2, i32 -1
//!   %4: bool = ult %0, %3
//!   %5: i32 = select %4, %0, %3
//!   %6: i32 = variable_load @v0[%5]
//!   %7: i32 = buffer_length @v1
//!   %8: i32 = shl %7, i32 2
//!   %9: i32 = add %8, i32 -1
//!   %10: bool = ult %6, %9
//!   %11: i32 = select %10, %6, %9
//!   variable_store @v1[%11], %1
//!   return
//! }
//! ```

use clforge_ir::pass::{Changed, FunctionContext, FunctionPass, Order};
use clforge_ir::verify::Legalized;
use clforge_ir::*;
use typed_index_collections::TiSlice;

/// The pass. It runs after all that make or move accesses to variables.
pub struct RestrictIndices;

impl FunctionPass for RestrictIndices {
    fn name(&self) -> &'static str {
        "vulkan/restrict_indices"
    }

    fn order(&self) -> Order {
        let after = &["vulkan/narrow_memory", "vulkan/pair_integers"];
        Order { requires: Some(Legalized::Memory), after, ..Order::ANY }
    }

    fn run(&self, function: &mut Function, context: &FunctionContext<'_>) -> Changed {
        let mut changed = Changed::No;
        function.insert_before_each(|function, id, before| {
            if let Some((variable, index, lanes)) = access(function, id, context.variables) {
                restrict(function, id, before, (variable, index, lanes));
                changed = Changed::Maybe;
            }
        });
        changed
    }
}

/// The variable that an instruction accesses, the index, and how many of them an element has.
fn access(
    function: &Function,
    id: InstId,
    variables: &TiSlice<VariableId, Variable>,
) -> Option<(VariableId, Value, u8)> {
    let inst = function.inst(id);
    let (variable, index, lanes) = match &inst.op {
        Op::VariableLoad { variable, index } => (*variable, (*index)?, function.ty(*inst.results.first()?).lanes),
        Op::VariableStore { variable, index, value } => (*variable, (*index)?, function.ty(*value).lanes),
        Op::VariableAtomic { variable, index, .. } => (*variable, (*index)?, 1),
        _ => return None,
    };
    let accessed = variables.get(variable)?;
    let Storage::StorageBuffer { .. } = accessed.storage else { return None };
    // The first element is inside of every buffer.
    let is_restricted = function.as_int(index) != Some(0);
    let per_element = if lanes == 1 { accessed.element.lanes } else { 1 };
    is_restricted.then_some((variable, index, per_element))
}

/// Gives an access the smaller one of its index and the last one, both unsigned.
fn restrict(
    function: &mut Function,
    id: InstId,
    before: &mut Vec<InstId>,
    (variable, index, per_element): (VariableId, Value, u8),
) {
    let span = function.inst(id).span;
    let mut append = |function: &mut Function, op, ty| {
        let id = function.new_inst(op, &[ty], span);
        before.push(id);
        function.inst(id).results[0]
    };
    let mut length = append(function, Op::BufferLength(variable), Type::I32);
    if per_element > 1 {
        let rhs = function.constant(Constant::int(Type::I32, u64::from(per_element.trailing_zeros())));
        length = append(function, Op::Binary { op: BinaryOp::Shl, lhs: length, rhs }, Type::I32);
    }
    let minus_one = function.constant(Constant::int(Type::I32, u64::from(u32::MAX)));
    let last = append(function, Op::Binary { op: BinaryOp::Add, lhs: length, rhs: minus_one }, Type::I32);
    let condition = append(function, Op::Compare { op: CompareOp::ULt, lhs: index, rhs: last }, Type::BOOL);
    let select = Op::Select { condition, if_true: index, if_false: last };
    let restricted = append(function, select, Type::I32);
    match &mut function.inst_mut(id).op {
        Op::VariableLoad { index, .. } | Op::VariableStore { index, .. } | Op::VariableAtomic { index, .. } => {
            *index = Some(restricted);
        }
        _ => {}
    }
}
