//! `workarounds/wide_loads`: what has 64 bits is loaded as two integers of 32 in kernels with functions of the driver's library
//! ([`Workarounds::NVIDIA_WIDE_LOADS`](clforge_basic::workarounds::Workarounds)).

use super::library;
use clforge_ir::pass::{Changed, Context, Pass};
use clforge_ir::rewrite::{Parts, Rewrite, Rewriter};
use clforge_ir::*;
use smallvec::{SmallVec, smallvec};

/// Bytes of what is loaded.
const SIZE: u32 = 8;

/// The pass. Loads of global memory are split. Those of local and private memory were right in all random programs, and are
/// not. Volatile loads are not, either: optimisers leave their width alone, and so should we.
pub struct WideLoads;

impl<S> Pass<S> for WideLoads {
    fn name(&self) -> &'static str {
        "workarounds/wide_loads"
    }

    fn run(&self, module: &mut Module, context: &mut Context<'_, S>) -> Result<Changed, Error> {
        let is_replaced = |function: &Function, inst: &Inst| wide_load(function, inst).is_some();
        library::rewrite_where_linked(module, context.options, is_replaced, &mut SplitLoads)
    }
}

/// The address, the alignment and the type of a load of scalars or vectors of 64 bits.
fn wide_load(function: &Function, inst: &Inst) -> Option<(Value, u32, Type)> {
    let Op::Load { ptr, align, volatile: false } = inst.op else { return None };
    let ty = function.ty(*inst.results.first()?);
    matches!(ty.scalar, ScalarType::I64 | ScalarType::F64).then_some((ptr, align, ty))
}

struct SplitLoads;

impl Rewrite for SplitLoads {
    fn op(&mut self, r: &mut Rewriter<'_>, inst: &Inst) -> Result<Option<SmallVec<[Parts; 1]>>, Error> {
        let Some((ptr, align, ty)) = wide_load(r.old, inst) else { return Ok(None) };
        let ptr = r.one(ptr, self)?;
        let b = &mut r.b;
        // Not a vector of two words, which a compiler takes for one load of 64 bits once it sees the cast.
        let mut word = |offset: u32| {
            let at = if offset == 0 { ptr } else { b.binary_int(BinaryOp::Add, ptr, i64::from(offset)) };
            let align = if offset.is_multiple_of(SIZE) { align.min(SIZE) } else { align.min(SIZE / 2) };
            b.push(Op::Load { ptr: at, align, volatile: false }, &[Type::I32])[0]
        };
        let words: Vec<[Value; 2]> =
            (0..u32::from(ty.lanes)).map(|lane| [word(lane * SIZE), word(lane * SIZE + SIZE / 2)]).collect();
        let lane = |words: &[Value; 2]| {
            let pair = b.construct(words);
            b.bitcast(pair, Type::scalar(ty.scalar))
        };
        let lanes: Vec<Value> = words.iter().map(lane).collect();
        Ok(Some(smallvec![smallvec![b.construct(&lanes)]]))
    }
}
