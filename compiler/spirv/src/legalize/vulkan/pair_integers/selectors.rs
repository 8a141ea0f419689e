//! Selectors of 64 bits.

use clforge_basic::narrow::to_i64;
use clforge_ir::*;
use smallvec::smallvec;

/// Gives each `switch` whose selector has 64 bits one of 32 bits, which is the number of the case, from 1; that of all
/// other values is 0.
pub(super) fn narrow(function: &mut Function) {
    let regions: Vec<RegionId> = function.regions.keys().collect();
    for region in regions {
        let is_wide = |function: &Function, id: InstId| match &function.inst(id).op {
            Op::Switch { selector, .. } => function.ty(*selector) == Type::I64,
            _ => false,
        };
        if !function.region(region).insts.iter().any(|id| is_wide(function, *id)) {
            continue;
        }
        let insts = std::mem::take(&mut function.region_mut(region).insts);
        for id in insts {
            if is_wide(function, id) {
                number_cases(function, region, id);
            }
            function.region_mut(region).insts.push(id);
        }
    }
}

fn number_cases(function: &mut Function, region: RegionId, id: InstId) {
    let inst = function.inst(id);
    let span = inst.span;
    let Op::Switch { selector, inputs, cases } = inst.op.clone() else { return };
    let mut b = Builder::at(function, region);
    b.span = span;
    let mut number = b.int(Type::I32, 0);
    let mut cases = cases;
    for (at, case) in cases.iter_mut().enumerate() {
        let this = to_i64(at) + 1;
        for value in std::mem::take(&mut case.values) {
            let value = b.int(Type::I64, value.cast_signed());
            let is_case = b.compare(CompareOp::Eq, selector, value);
            let this = b.int(Type::I32, this);
            number = b.select(is_case, this, number);
            case.values = smallvec![u64::try_from(at).unwrap_or(0) + 1];
        }
    }
    function.insts[id].op = Op::Switch { selector: number, inputs, cases };
}
