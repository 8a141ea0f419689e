//! Program-scope objects, string literals, `local` variables, and initial data of large local objects.

use super::ModuleLowering;
use super::types::space;
use clforge_basic::source::Span;
use clforge_ir as ir;
use clforge_sema::hir::{self, TyKind};
use clforge_syntax::ast::AddressSpace;

impl ModuleLowering<'_, '_> {
    /// Whether other modules can see a function or variable.
    pub(super) fn exports(&self, internal: bool) -> bool {
        !internal && self.exports
    }

    /// Gives every variable that other modules can see a place.
    pub(super) fn exported_globals(&mut self) {
        for (id, global) in self.program.variables.iter_enumerated() {
            let is_object = matches!(global.ty.space, AddressSpace::Global | AddressSpace::Constant)
                && self.types.kind(global.ty.ty) != TyKind::Sampler;
            if is_object && self.exports(global.internal) && !global.external {
                self.global(id);
            }
        }
    }

    /// The global's place in the module, and of every global its initial value points to.
    pub(super) fn global(&mut self, id: hir::ModuleVariableId) -> ir::GlobalId {
        let place = self.declare_global(id);
        self.finish_globals();
        place
    }

    /// A constant object that holds the initial value of a local one.
    pub(super) fn constant_data(&mut self, data: &hir::ConstantData, align: u64, span: Span) -> ir::GlobalId {
        let key = std::ptr::from_ref(data);
        if let Some(known) = self.constants.get(&key) {
            return *known;
        }
        let relocations = self.relocations(data);
        let name = format!("init.{}", self.module.globals.len());
        let global = ir::Global::constant(name, data.bytes.clone(), align, span);
        let place = self.module.globals.push_and_get_key(ir::Global { relocations, ..global });
        self.constants.insert(key, place);
        self.finish_globals();
        place
    }

    fn declare_global(&mut self, id: hir::ModuleVariableId) -> ir::GlobalId {
        if let Some(known) = self.globals[id] {
            return known;
        }
        let global = &self.program.variables[id];
        let init = global.init.as_ref().filter(|_| global.ty.space != clforge_syntax::ast::AddressSpace::Local);
        // A flexible array member has its elements behind the record.
        let given = init.map_or(0, |data| data.bytes.len() as u64);
        let place = self.module.globals.push_and_get_key(ir::Global {
            name: self.interner.text(global.name).to_owned(),
            space: space(global.ty.space),
            size: self.types.size_of(global.ty.ty).unwrap_or(0).max(given),
            align: global.align.max(1),
            init: init.map(|data| data.bytes.clone()),
            relocations: Vec::new(),
            exported: self.exports(global.internal) && !global.external && !global.is_string,
            once: false,
            imported: global.external,
            size_argument: None,
            per_work_item: 0,
            span: global.span,
        });
        self.globals[id] = Some(place);
        if init.is_some_and(|data| !data.relocations.is_empty()) {
            self.pending_globals.push(id);
        }
        place
    }

    /// Translates initial pointers; a list, not recursion, because chains of pointers may be long.
    fn finish_globals(&mut self) {
        while let Some(id) = self.pending_globals.pop() {
            let program = self.program;
            let (Some(data), Some(place)) = (&program.variables[id].init, self.globals[id]) else {
                continue;
            };
            let relocations = self.relocations(data);
            self.module.globals[place].relocations = relocations;
        }
    }

    fn relocations(&mut self, data: &hir::ConstantData) -> Vec<ir::Relocation> {
        let mut relocations = Vec::with_capacity(data.relocations.len());
        for (offset, target, addend) in &data.relocations {
            let target = self.declare_global(*target);
            relocations.push(ir::Relocation { offset: *offset, target, addend: *addend });
        }
        relocations
    }
}
