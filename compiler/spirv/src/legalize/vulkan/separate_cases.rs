//! `vulkan/separate_cases`: copies the next case to the end of a case that falls through to it.
//!
//! WGSL has no fall-through. A case that is not copied, because the function would grow too much, still falls through.
//!
//! ```ir
//! ; pass: vulkan/separate_cases
//! func @f(%0: i32) -> i32 {
//!   %1: i32 = switch %0 (i32 0) case 1 (%2: i32) {
//!     %3: i32 = add %2, i32 1
//!     fallthrough %3
//!   } case 2 (%4: i32) {
//!     %5: i32 = mul %4, i32 3
//!     fallthrough %5
//!   } case default (%6: i32) {
//!     %7: i32 = xor %6, i32 5
//!     break %7
//!   }
//!   return %1
//! }
//! ; ---
//! func @f(%0: i32) -> i32 {
//!   %1: i32 = switch %0 (i32 0) case 1 (%2: i32) {
//!     %3: i32 = add %2, i32 1
//!     %4: i32 = mul %3, i32 3
//!     %5: i32 = xor %4, i32 5
//!     break %5
//!   } case 2 (%6: i32) {
//!     %7: i32 = mul %6, i32 3
//!     %8: i32 = xor %7, i32 5
//!     break %8
//!   } case default (%9: i32) {
//!     %10: i32 = xor %9, i32 5
//!     break %10
//!   }
//!   return %1
//! }
//! ```

use clforge_ir::copy::Copier;
use clforge_ir::pass::{Changed, FunctionContext, FunctionPass, Order};
use clforge_ir::*;

/// The most instructions that a function grows by.
const MAX_GROWTH: usize = 4096;

/// The pass. It runs after all that change control flow.
pub struct SeparateCases;

impl FunctionPass for SeparateCases {
    fn name(&self) -> &'static str {
        "vulkan/separate_cases"
    }

    fn order(&self) -> Order {
        Order { after: &["unroll_loops", "if_conversion"], ..Order::ANY }
    }

    fn run(&self, function: &mut Function, _: &FunctionContext<'_>) -> Changed {
        if !function.insts.iter().any(|inst| matches!(inst.op, Op::Fallthrough(_))) {
            return Changed::No;
        }
        let mut switches = Vec::new();
        function.walk_body(|_, inst| {
            if let Op::Switch { cases, .. } = &inst.op {
                switches.push(cases.iter().map(|case| case.region).collect::<Vec<_>>());
            }
        });
        let mut growth = MAX_GROWTH;
        // Inner ones first, so that copies have no fall-through left.
        for regions in switches.iter().rev() {
            for pair in regions.windows(2).rev() {
                separate(function, pair[0], pair[1], &mut growth);
            }
        }
        Changed::Maybe
    }
}

/// Ends all paths of a case that fall through with copies of the next one.
fn separate(function: &mut Function, case: RegionId, next: RegionId, growth: &mut usize) {
    let mut ends = Vec::new();
    find_ends(function, case, &mut ends);
    let mut size = 0;
    function.walk(next, |_, _| size += 1);
    let mut left = Vec::new();
    find_ends(function, next, &mut left);
    if ends.is_empty() || !left.is_empty() || size * ends.len() > *growth {
        return;
    }
    *growth -= size * ends.len();
    for region in ends {
        let Some(Op::Fallthrough(values)) = function.terminator(region).cloned() else { continue };
        let Region { params, insts, .. } = function.region(next).clone();
        let values = params.into_iter().zip(values).collect();
        let mut copier = Copier { from: None, to: function, values };
        let copies: Vec<InstId> = insts.into_iter().map(|id| copier.inst(id)).collect();
        let end = &mut function.region_mut(region).insts;
        end.pop();
        end.extend(copies);
    }
}

/// The regions of a case, itself or inside of its conditions, that fall through to the next case.
fn find_ends(function: &Function, region: RegionId, ends: &mut Vec<RegionId>) {
    if let Some(Op::Fallthrough(_)) = function.terminator(region) {
        ends.push(region);
    }
    for id in &function.region(region).insts {
        if let Op::If { then, otherwise, .. } = function.inst(*id).op {
            find_ends(function, then, ends);
            find_ends(function, otherwise, ends);
        }
    }
}
