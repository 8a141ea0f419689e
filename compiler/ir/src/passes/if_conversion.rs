//! `if_conversion` replaces small conditions by computing both sides and selecting.
//!
//! A few integer operations cost less than a branch, and the code before and after the condition ends up in one basic
//! block. `simplify` replaces conditions whose sides compute nothing; this pass first moves the computations of the
//! sides in front of the condition. A condition keeps its branch if a side loads, calls, divides, or computes with
//! floating-point numbers.

use crate::analysis::Substitution;
use crate::pass::{Changed, FunctionContext, FunctionPass, Order};
use crate::*;

/// Operations of both sides together, selections included.
const MAX_OPERATIONS: usize = 5;

/// The pass.
pub struct IfConversion;

impl FunctionPass for IfConversion {
    fn name(&self) -> &'static str {
        "if_conversion"
    }

    fn order(&self) -> Order {
        Order { after: &["strength_reduction"], before: &["unroll_loops"], ..Order::ANY }
    }

    fn run(&self, function: &mut Function, _: &FunctionContext<'_>) -> Changed {
        if function.is_declaration() {
            return Changed::No;
        }
        let body = function.body;
        let mut conversion = Conversion { function, replaced: Substitution::default() };
        conversion.region(body);
        if conversion.replaced.is_empty() { Changed::No } else { Changed::Maybe }
    }
}

struct Conversion<'f> {
    function: &'f mut Function,
    /// The results of conditions that became selections.
    replaced: Substitution,
}

impl Conversion<'_> {
    /// Converts the conditions of a region, inner ones first.
    fn region(&mut self, region: RegionId) {
        let insts = std::mem::take(&mut self.function.region_mut(region).insts);
        let mut out = Vec::with_capacity(insts.len());
        for id in insts {
            self.replaced.apply(&mut self.function.inst_mut(id).op);
            for nested in self.function.inst(id).op.regions() {
                self.region(nested);
            }
            if !self.convert(id, &mut out) {
                out.push(id);
            }
        }
        self.function.region_mut(region).insts = out;
    }

    /// Replaces an `if` by its sides and selections of their values, if that is cheap; whether it did.
    fn convert(&mut self, id: InstId, out: &mut Vec<InstId>) -> bool {
        let Op::If { condition, then, otherwise } = self.function.inst(id).op else { return false };
        let results = self.function.inst(id).results.clone();
        let (Some(a), Some(b)) = (self.cheap_side(then), self.cheap_side(otherwise)) else { return false };
        let sides = [then, otherwise].map(|region| self.function.region(region).insts.len() - 1);
        let different = a.iter().zip(&b).filter(|(a, b)| a != b).count();
        let types = results.iter().all(|result| {
            let ty = self.function.ty(*result);
            ty.lanes == 1 && (ty.scalar.is_int() || ty.scalar.is_float() || ty.scalar == ScalarType::Bool)
        });
        // Without results it does nothing, which is for other passes to see.
        if !types || different == 0 || sides.iter().sum::<usize>() + different > MAX_OPERATIONS {
            return false;
        }
        for region in [then, otherwise] {
            let mut insts = std::mem::take(&mut self.function.region_mut(region).insts);
            insts.pop();
            out.extend(insts);
        }
        let span = self.function.inst(id).span;
        for (result, (a, b)) in results.into_iter().zip(a.into_iter().zip(b)) {
            let value = match a == b {
                true => a,
                false => {
                    let (op, ty) = (Op::Select { condition, if_true: a, if_false: b }, self.function.ty(result));
                    let select = self.function.new_inst(op, &[ty], span);
                    out.push(select);
                    self.function.inst(select).results[0]
                }
            };
            self.replaced.insert(result, value);
        }
        true
    }

    /// What a side yields, if it does nothing but compute it by cheap operations.
    fn cheap_side(&self, region: RegionId) -> Option<Values> {
        let (last, insts) = self.function.region(region).insts.split_last()?;
        let Op::Yield(values) = &self.function.inst(*last).op else { return None };
        insts.iter().all(|id| self.is_cheap(*id)).then(|| values.clone())
    }

    fn is_cheap(&self, id: InstId) -> bool {
        use BinaryOp::*;
        let inst = self.function.inst(id);
        let scalars = inst.results.iter().all(|result| self.function.ty(*result).lanes == 1);
        scalars
            && match &inst.op {
                Op::Binary { op, .. } => matches!(op, Add | Sub | Shl | LShr | AShr | And | Or | Xor),
                Op::Unary { op, .. } => matches!(op, UnaryOp::Neg | UnaryOp::Not),
                Op::Compare { lhs, .. } => self.function.ty(*lhs).scalar.is_int(),
                Op::Convert { op, .. } => matches!(op, ConvertOp::Trunc | ConvertOp::ZExt | ConvertOp::SExt),
                Op::Select { .. } | Op::Extract { .. } => true,
                _ => false,
            }
    }
}
