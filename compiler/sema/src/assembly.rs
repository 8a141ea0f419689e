//! Inline assembly of GNU C without instructions: a barrier for optimisers, whose operands keep their values. Instructions are
//! not supported.

use super::assignment::has_duplicates;
use super::{ExprRef, Sema};
use crate::hir::{ExprKind, Stmt, StmtKind, Ty, TyKind};
use clforge_basic::source::Span;
use clforge_syntax::ast::{self, AddressSpace, Qualifiers};

impl<'a, 'h> Sema<'a, 'h, '_> {
    /// An `asm` statement: inputs are evaluated; an output that an input is tied to gets its value, one that is read too
    /// keeps its own, as one in memory does, and the value of any other is unspecified, which is 0 here.
    pub(super) fn assembly(&mut self, asm: &'a ast::Asm<'a>, span: Span, out: &mut Vec<Stmt<'h>>) {
        if asm.template.is_none_or(|text| !text.trim_ascii().is_empty()) {
            return self.error(span, "inline assembly is not allowed in OpenCL C");
        }
        let mut outputs = Vec::with_capacity(asm.outputs.len());
        for operand in asm.outputs {
            outputs.push((self.asm_output(operand), None));
        }
        for operand in asm.inputs {
            let Ok(tied) = self.tied_output(operand, asm.outputs) else { continue };
            let Some(value) = operand.value.map(|value| self.value(value)) else {
                self.error(operand.span, "an operand of 'asm' needs an expression in parentheses");
                continue;
            };
            if value.ty.ty == Ty::ERROR || value.ty.ty == Ty::VOID {
                continue;
            }
            match tied.and_then(|index| outputs.get_mut(index)) {
                Some((_, Some(_))) => {
                    self.error(operand.span, "more than one input constraint matches the same output");
                }
                Some((_, source)) => {
                    let Some((declaration, value)) = self.bind(value) else { continue };
                    out.push(declaration);
                    *source = Some(value);
                }
                None => out.push(Stmt { kind: StmtKind::Expr(self.discard(value)), span: operand.span }),
            }
        }
        for ((place, source), operand) in outputs.into_iter().zip(asm.outputs) {
            let Some(place) = place else { continue };
            let effect = match (source, operand.constraint.first()) {
                (Some(value), _) => self.asm_store(place, value, operand.span),
                (None, Some(b'=')) if !operand.constraint.contains(&b'm') => self.asm_unspecified(place, operand.span),
                _ => Some(self.discard(place)),
            };
            out.extend(effect.map(|effect| Stmt { kind: StmtKind::Expr(effect), span: operand.span }));
        }
    }

    fn asm_output(&mut self, operand: &ast::AsmOperand<'a>) -> Option<ExprRef<'h>> {
        let Some(value) = operand.value else {
            self.error(operand.span, "an operand of 'asm' needs an expression in parentheses");
            return None;
        };
        let place = self.expr(value);
        if place.ty.ty == Ty::ERROR {
            return None;
        }
        if !matches!(operand.constraint.first(), Some(b'=' | b'+')) {
            let constraint = String::from_utf8_lossy(operand.constraint).into_owned();
            self.error(operand.span, format!("invalid output constraint '{constraint}' in asm"));
            return None;
        }
        let is_constant = place.ty.quals.contains(Qualifiers::CONST) || place.ty.space == AddressSpace::Constant;
        let is_repeated = matches!(place.kind, ExprKind::Lanes(_, lanes) if has_duplicates(lanes.as_slice()));
        if !place.is_place() || is_constant || is_repeated {
            self.error(value.span, "invalid lvalue in asm output");
            return None;
        }
        if let ExprKind::PrivateVariable(id) = place.kind {
            self.initialized(id);
        }
        Some(place)
    }

    /// The output that an input is tied to, by its number or name. An error was reported where there is none of them.
    fn tied_output(
        &mut self,
        input: &ast::AsmOperand<'a>,
        outputs: &[ast::AsmOperand<'a>],
    ) -> Result<Option<usize>, ()> {
        let constraint = String::from_utf8_lossy(input.constraint);
        let constraint = constraint.trim();
        let tied = match constraint.strip_prefix('[').and_then(|name| name.strip_suffix(']')) {
            Some(wanted) => outputs.iter().position(|output| output.name.is_some_and(|name| self.text(name) == wanted)),
            None if constraint.starts_with(|first: char| first.is_ascii_digit()) => {
                constraint.parse().ok().filter(|index| *index < outputs.len())
            }
            None => return Ok(None),
        };
        if tied.is_none() {
            self.error(input.span, format!("invalid input constraint '{constraint}' in asm"));
        }
        tied.map(Some).ok_or(())
    }

    /// The value of an input in an output of the same size.
    fn asm_store(&mut self, place: ExprRef<'h>, value: ExprRef<'h>, span: Span) -> Option<ExprRef<'h>> {
        let are_numbers = self.program.types.lanes(value.ty.ty).zip(self.program.types.lanes(place.ty.ty));
        let are_integers = are_numbers.is_some_and(|(a, b)| a.1 == 1 && b.1 == 1 && is_integer(a.0) && is_integer(b.0));
        let value =
            if are_integers { self.convert(value, place.ty.ty) } else { self.reinterpret(value, place.ty.ty, span) };
        (value.ty.ty != Ty::ERROR).then(|| self.make(ExprKind::Assign { place, value }, place.ty.ty, span))
    }

    fn asm_unspecified(&mut self, place: ExprRef<'h>, span: Span) -> Option<ExprRef<'h>> {
        let is_simple =
            matches!(self.kind(place.ty.ty), TyKind::Pointer(_)) || self.program.types.lanes(place.ty.ty).is_some();
        if !is_simple {
            return Some(self.discard(place));
        }
        let zero = self.int(0, Ty::INT, span);
        let value = self.convert(zero, place.ty.ty);
        Some(self.make(ExprKind::Assign { place, value }, place.ty.ty, span))
    }
}

fn is_integer(scalar: crate::hir::Scalar) -> bool {
    !matches!(scalar, crate::hir::Scalar::Float(_))
}
