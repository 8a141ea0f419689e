//! `workarounds/dynamic_lanes`: lanes that are chosen at run time become selections in kernels with functions of the driver's
//! library ([`Workarounds::NVIDIA_DYNAMIC_LANES`](clforge_basic::workarounds::Workarounds)).

use super::library;
use clforge_ir::pass::{Changed, Context, Pass};
use clforge_ir::rewrite::{Parts, Rewrite, Rewriter};
use clforge_ir::*;
use smallvec::{SmallVec, smallvec};

/// The pass. The driver compares the index in 64 bits where it is the lower half of such an integer, and with a constant whose
/// upper half is arbitrary. Comparisons of the program's own, of 32 bits, are right.
pub struct DynamicLanes;

impl<S> Pass<S> for DynamicLanes {
    fn name(&self) -> &'static str {
        "workarounds/dynamic_lanes"
    }

    fn run(&self, module: &mut Module, context: &mut Context<'_, S>) -> Result<Changed, Error> {
        let is_replaced = |_: &Function, inst: &Inst| matches!(inst.op, Op::ExtractDynamic { .. });
        library::rewrite_where_linked(module, context.options, is_replaced, &mut Selections)
    }
}

struct Selections;

impl Rewrite for Selections {
    fn op(&mut self, r: &mut Rewriter<'_>, inst: &Inst) -> Result<Option<SmallVec<[Parts; 1]>>, Error> {
        let Op::ExtractDynamic { vector, index } = inst.op else { return Ok(None) };
        let (vector, index) = (r.one(vector, self)?, r.one(index, self)?);
        let b = &mut r.b;
        let mut chosen = b.extract(vector, 0);
        for lane in 1..b.ty(vector).lanes {
            let is_chosen = b.compare_int(CompareOp::Eq, index, i64::from(lane));
            let value = b.extract(vector, lane);
            chosen = b.select(is_chosen, value, chosen);
        }
        Ok(Some(smallvec![smallvec![chosen]]))
    }
}
