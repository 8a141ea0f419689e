//! Calls of functions and of built-in functions.

use super::context::FunctionLowering;
use super::place::Pointer;
use super::types::{is_aggregate, value_type};
use crate::builtins::{self, BuiltinCall};
use clforge_ir::{Value, Values};
use clforge_sema::builtins::BuiltinId;
use clforge_sema::hir::{Expr, FunctionId, QualTy};
use smallvec::SmallVec;

impl<'h> FunctionLowering<'_, '_, '_, 'h> {
    /// Calls a function of the program. A record result is stored at `result`, or discarded.
    pub fn call(
        &mut self,
        e: &'h Expr<'h>,
        function: FunctionId,
        arguments: &'h [&'h Expr<'h>],
        result: Option<Value>,
    ) -> Option<Value> {
        let program = self.m.program;
        let Some(callee) = program.functions.get(function) else {
            self.internal("a call of an unknown function");
            return None;
        };
        let mut values = Values::new();
        if is_aggregate(self.types, callee.result) {
            values.push(match result {
                Some(result) => result,
                None => self.temporary(callee.result).0,
            });
        }
        for (index, argument) in arguments.iter().enumerate() {
            let ty = argument.ty.ty;
            if !is_aggregate(self.types, ty) {
                values.push(self.value(argument));
                continue;
            }
            let parameter = callee.variables.raw.get(index);
            let align = self.types.align_of(ty).max(parameter.map_or(1, |parameter| parameter.align));
            let declaration = parameter.map_or(argument.span, |parameter| parameter.span);
            let copy = self.declared_object(self.size_of(ty), align, declaration);
            self.aggregate_into(Pointer { value: copy, align, declared: true }, argument);
            values.push(copy);
        }
        let place = self.m.function(function, false);
        self.b.span = e.span;
        self.b.call(place, &values, value_type(self.types, callee.result))
    }

    /// Calls a built-in function. A result that is an object is stored at `into`.
    pub fn builtin(
        &mut self,
        e: &'h Expr<'h>,
        function: BuiltinId,
        arguments: &'h [&'h Expr<'h>],
        into: Option<Value>,
    ) -> Option<Value> {
        let mut values: SmallVec<[Value; 4]> = SmallVec::new();
        let mut types: SmallVec<[QualTy; 4]> = SmallVec::new();
        for argument in arguments {
            if is_aggregate(self.types, argument.ty.ty) {
                let (copy, align) = self.temporary(argument.ty.ty);
                self.aggregate_into(Pointer { value: copy, align, declared: true }, argument);
                values.push(copy);
            } else {
                values.push(self.value(argument));
            }
            types.push(argument.ty);
        }
        self.b.span = e.span;
        let call = BuiltinCall { arguments: &values, argument_types: &types, result: e.ty.ty, into };
        match builtins::lower(&mut self.b, self.types, self.m.options, function, &call) {
            Ok(value) => value.or_else(|| {
                let ty = value_type(self.types, e.ty.ty)?;
                self.internal("a built-in function without its result");
                Some(self.b.undef(ty))
            }),
            Err(error) => {
                self.m.report(&error.at(e.span));
                value_type(self.types, e.ty.ty).map(|ty| self.b.undef(ty))
            }
        }
    }
}
