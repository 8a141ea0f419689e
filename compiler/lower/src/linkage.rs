//! The types of exported and imported symbols, for the linker.

use super::ModuleLowering;
use clforge_ir::object::{RecordType, SymbolType};
use clforge_sema::hir::spelling::Spelling;
use clforge_sema::hir::types::RecordId;
use clforge_sema::hir::{QualTy, Ty, TyKind};
use clforge_syntax::ast::{AddressSpace, Qualifiers};

impl ModuleLowering<'_, '_> {
    /// The types of the functions and variables of external linkage that have a place in the module.
    pub(super) fn symbol_types(&self) -> Vec<SymbolType> {
        let spelling = Spelling::for_messages(self.types, self.interner);
        let functions = self.program.functions.iter_enumerated().filter(|(id, function)| {
            let is_lowered = [true, false].into_iter().any(|entry| self.functions.contains_key(&(*id, entry)));
            is_lowered && !function.internal
        });
        let functions = functions.map(|(_, function)| {
            let parameters = function.variables.iter().take(function.parameter_count as usize);
            let parameters: Vec<Ty> = parameters.map(|parameter| parameter.ty.ty).collect();
            let mut records = Vec::new();
            [function.result].iter().chain(&parameters).for_each(|ty| self.collect(*ty, &mut records));
            (function.name, spelling.function(function.result, &parameters, false), records)
        });
        let variables = self.program.variables.iter_enumerated();
        let variables = variables.filter(|(id, variable)| self.globals[*id].is_some() && !variable.internal);
        let variables = variables.map(|(_, variable)| {
            let mut records = Vec::new();
            self.collect(variable.ty.ty, &mut records);
            (variable.name, object(&spelling, variable.ty), records)
        });
        let symbols = functions.chain(variables);
        let of =
            |records: Vec<RecordId>| records.into_iter().filter_map(|id| self.record_type(id, &spelling)).collect();
        symbols
            .map(|(name, ty, records)| SymbolType { name: self.interner.text(name).into(), ty, records: of(records) })
            .collect()
    }

    /// The records that a type is made of, each once, in the order in which they are reached.
    fn collect(&self, ty: Ty, records: &mut Vec<RecordId>) {
        // A list, not recursion: types may be deeply nested.
        let mut pending = vec![ty];
        while let Some(ty) = pending.pop() {
            match self.types.kind(ty) {
                TyKind::Pointer(inner) | TyKind::Array(inner, _) => pending.push(inner.ty),
                TyKind::Pipe(inner, _) => pending.push(inner),
                TyKind::Function(id) | TyKind::Block(id) => {
                    let function = self.types.function_ty(id);
                    pending.push(function.result.ty);
                    pending.extend(function.parameters.iter().map(|parameter| parameter.ty));
                }
                TyKind::Record(id) if !records.contains(&id) => {
                    records.push(id);
                    pending.extend(self.types.record(id).fields.iter().flatten().map(|field| field.ty.ty));
                }
                _ => {}
            }
        }
    }

    /// A complete record.
    fn record_type(&self, id: RecordId, spelling: &Spelling<'_>) -> Option<RecordType> {
        let record = self.types.record(id);
        let fields = record.fields.as_ref()?;
        let mut members = String::from("{ ");
        for field in fields {
            let name = field.name.map_or("", |name| self.interner.text(name));
            members.push_str(&spelling.named_member(field.ty, name));
            members.push_str("; ");
        }
        members.push('}');
        let layout = [record.size, record.align].into_iter().chain(fields.iter().map(|field| field.offset)).collect();
        Some(RecordType { name: spelling.record(id), members, layout })
    }
}

/// The type of a variable. One in constant memory cannot be changed, whether its declaration says so or not.
fn object(spelling: &Spelling<'_>, ty: QualTy) -> String {
    if ty.space != AddressSpace::Constant {
        return spelling.object(ty);
    }
    let text = spelling.object(QualTy { quals: ty.quals.difference(Qualifiers::CONST), ..ty });
    // The qualifier of an array is that of its elements.
    text.strip_prefix("const __constant").map_or(text.clone(), |rest| format!("__constant{rest}"))
}
