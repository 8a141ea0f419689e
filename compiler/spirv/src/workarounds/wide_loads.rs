//! `workarounds/wide_loads`: integers of 64 bits are loaded as two of 32 in kernels with calls
//! ([`Workarounds::NVIDIA_WIDE_LOADS`](clforge_basic::workarounds::Workarounds)).

use super::calls;
use clforge_ir::pass::{Changed, Context, Pass};
use clforge_ir::rewrite::{Parts, Rewrite, Rewriter, rewrite};
use clforge_ir::room::Room;
use clforge_ir::*;
use smallvec::{SmallVec, smallvec};

/// Bytes of an integer.
const SIZE: u32 = 8;

/// The pass.
pub struct WideLoads;

impl<S> Pass<S> for WideLoads {
    fn name(&self) -> &'static str {
        "workarounds/wide_loads"
    }

    fn run(&self, module: &mut Module, context: &mut Context<'_, S>) -> Result<Changed, Error> {
        let affected = calls::executed_with(module, calls::calls);
        let (mut room, mut changed) = (Room::new(module, context.options.max_instructions), Changed::No);
        for (function, _) in module.functions.iter_mut().zip(affected).filter(|(_, affected)| *affected) {
            if function.insts.iter().any(|inst| wide_load(function, inst).is_some()) {
                *function = rewrite(function, &mut Words, &mut room)?;
                changed = Changed::Maybe;
            }
        }
        Ok(changed)
    }
}

/// The address, the alignment and the volatility of a load of integers of 64 bits.
fn wide_load(function: &Function, inst: &Inst) -> Option<(Value, u32, bool)> {
    let Op::Load { ptr, align, volatile } = inst.op else { return None };
    let is_wide = inst.results.first().is_some_and(|result| function.ty(*result).scalar == ScalarType::I64);
    is_wide.then_some((ptr, align, volatile))
}

struct Words;

impl Rewrite for Words {
    fn op(&mut self, r: &mut Rewriter<'_>, inst: &Inst) -> Result<Option<SmallVec<[Parts; 1]>>, Error> {
        let Some((ptr, align, volatile)) = wide_load(r.old, inst) else { return Ok(None) };
        let ptr = r.one(ptr, self)?;
        let lanes = inst.results.first().map_or(1, |result| r.old.ty(*result).lanes);
        let b = &mut r.b;
        // Not a vector of two words, which is one load of 64 bits again to the driver.
        let mut word = |offset: u32| {
            let at = if offset == 0 { ptr } else { b.binary_int(BinaryOp::Add, ptr, i64::from(offset)) };
            let align = if offset.is_multiple_of(SIZE) { align.min(SIZE) } else { align.min(SIZE / 2) };
            b.emit(Op::Load { ptr: at, align, volatile }, Type::I32)
        };
        let words: Vec<[Value; 2]> =
            (0..u32::from(lanes)).map(|lane| [word(lane * SIZE), word(lane * SIZE + SIZE / 2)]).collect();
        let lanes: Vec<Value> = words
            .iter()
            .map(|words| {
                let pair = b.construct(words);
                b.bitcast(pair, Type::I64)
            })
            .collect();
        Ok(Some(smallvec![smallvec![b.construct(&lanes)]]))
    }
}
