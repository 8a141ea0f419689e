//! `workarounds/vector_insertion`: builds vectors by inserting their lanes
//! ([`Workarounds::LLVM_SPIRV_VECTORS`](clforge_basic::workarounds::Workarounds)).
//!
//! ```ir
//! ; pass: workarounds/vector_insertion
//! func @f(%0: i32, %1: i32) -> i32x2 {
//!   %2: i32x2 = construct %0, %1
//!   %3: i32x4 = construct %0, %0, %0, %0
//!   return %2
//! }
//! ; ---
//! func @f(%0: i32, %1: i32) -> i32x2 {
//!   %2: i32x2 = insert undef i32x2, %0 0
//!   %3: i32x2 = insert %2, %1 1
//!   %4: i32x4 = insert undef i32x4, %0 0
//!   %5: i32x4 = shuffle %4, %4 [0, 0, 0, 0]
//!   return %3
//! }
//! ```

use crate::legalize::SIMPLIFICATION;
use clforge_ir::pass::{Changed, FunctionContext, FunctionPass, Order};
use clforge_ir::*;

/// The pass.
pub struct VectorInsertion;

impl FunctionPass for VectorInsertion {
    fn name(&self) -> &'static str {
        "workarounds/vector_insertion"
    }

    fn order(&self) -> Order {
        Order { undone_by: SIMPLIFICATION, ..Order::ANY }
    }

    fn run(&self, function: &mut Function, _: &FunctionContext<'_>) -> Changed {
        function.insert_before_each(insert_lanes);
        Changed::Maybe
    }
}

/// The last insertion, or the shuffle that repeats the only one where all lanes are equal, defines the result.
fn insert_lanes(function: &mut Function, id: InstId, before: &mut Vec<InstId>) {
    let Inst { op: Op::Construct { elements }, results, span } = function.inst(id) else { return };
    let (elements, span) = (elements.clone(), *span);
    let Some(ty) = results.first().map(|result| function.ty(*result)) else { return };
    let is_splat = elements.iter().all(|value| *value == elements[0]);
    let last = if is_splat { 0 } else { elements.len() - 1 };
    let mut vector = function.undef(ty);
    for (lane, scalar) in (0u8..).zip(&elements[..=last]) {
        let op = Op::Insert { vector, scalar: *scalar, lane };
        if usize::from(lane) + 1 == elements.len() {
            function.inst_mut(id).op = op;
            return;
        }
        let insert = function.new_inst(op, &[ty], span);
        before.push(insert);
        vector = function.inst(insert).results[0];
    }
    let lanes = elements.iter().map(|_| 0).collect();
    function.inst_mut(id).op = Op::Shuffle { first: vector, second: vector, lanes };
}
