//! Calls of earlier functions.

use super::{Generator, MOST_ITERATIONS, MOST_NESTED, Signature, Type};
use crate::fuzz::tree::Expr;

impl Generator {
    /// A call without side effects inside an expression.
    pub(super) fn pure_call(&mut self, result: &Type, depth: u32) -> Option<Expr> {
        let fitting = |f: &Signature| f.pure && f.result.as_ref() == Some(result);
        self.call_of(fitting, depth.min(1)).map(|(expr, _)| expr)
    }

    /// A call of any function whose result is a value.
    pub(super) fn any_call(&mut self) -> Option<(Expr, Type)> {
        self.call_of(|f| f.result.as_ref().is_some_and(|ty| !matches!(ty, Type::Pointer { .. })), 1)
    }

    fn call_of(&mut self, fitting: impl Fn(&Signature) -> bool, depth: u32) -> Option<(Expr, Type)> {
        let affordable = |f: &&Signature| {
            fitting(f)
                && self.cost + self.repeat * f.cost <= MOST_ITERATIONS
                && self.repeat * f.cost <= MOST_NESTED * 4
                && self.budget > i64::from(f.size)
        };
        let candidates: Vec<Signature> = self.functions.iter().filter(affordable).cloned().collect();
        if candidates.is_empty() {
            return None;
        }
        let function = self.pick(&candidates);
        let arguments = self.arguments(&function, depth, u32::MAX)?;
        self.cost += self.repeat * function.cost;
        self.size += function.size;
        self.budget -= i64::from(function.size);
        let holes = vec!["@"; arguments.len()].join(", ");
        let result = function.result?;
        Some((Expr::new(Some(result.clone()), &format!("{}({holes})", function.name), arguments), result))
    }

    /// Arguments for a call; pointers live at least as long as blocks of nesting `lifetime`.
    pub(super) fn arguments(&mut self, function: &Signature, depth: u32, lifetime: u32) -> Option<Vec<Expr>> {
        let before = std::mem::take(&mut self.lacking);
        let mut arguments = Vec::new();
        for (ty, extent) in &function.params {
            arguments.push(match ty {
                Type::Pointer { space, readonly, to } => self.pointer(*space, *readonly, to, *extent, lifetime),
                ty => Some(self.value(ty, depth)),
            });
        }
        let lacking = std::mem::replace(&mut self.lacking, before);
        let arguments: Option<Vec<Expr>> = arguments.into_iter().collect();
        arguments.filter(|_| !lacking)
    }
}
