//! Variables: the objects of functions and of the program, by storage class and address space.

use super::Sema;
use super::body::VariableUse;
use super::conversions::AssignmentAction;
use super::declarations::Variable;
use super::scope::Entity;
use super::{ExprRef, constants};
use crate::hir::{
    ConstantData, ExprKind, Init, ModuleVariable, ModuleVariableId, PrivateVariable, PrivateVariableId, QualTy, Stmt,
    StmtKind, Ty, TyKind,
};
use clforge_basic::diag::WarningFlag;
use clforge_basic::narrow::{low_u32, to_usize};
use clforge_basic::options::ClStd;
use clforge_basic::source::{Span, Symbol};
use clforge_syntax::ast::{AddressSpace, Initializer, Qualifiers, StorageClass};

/// The largest object in bytes. Objects in private and local memory are addressed with 32-bit offsets, and no device has
/// more of them.
const MAX_OBJECT: u64 = u32::MAX as u64;

impl<'a, 'h> Sema<'a, 'h, '_> {
    /// A variable in private memory, named or not; one that is too large is reported.
    pub(super) fn add_private_variable(
        &mut self,
        name: Symbol,
        ty: QualTy,
        align: u64,
        span: Span,
    ) -> PrivateVariableId {
        self.check_object_size(name, ty.ty, span);
        self.body.uses.push(VariableUse::UNWATCHED);
        self.body.variables.push_and_get_key(PrivateVariable { name, ty, align, span })
    }

    /// Reports an object that no target has room for.
    fn check_object_size(&mut self, name: Symbol, ty: Ty, span: Span) {
        let size = self.program.types.size_of(ty).unwrap_or(0);
        if size > MAX_OBJECT {
            let text = self.text(name);
            let what = if text.is_empty() { "object".to_owned() } else { format!("variable '{text}'") };
            self.error(span, format!("{what} is too large: {size} bytes, and the limit is {MAX_OBJECT}"));
        }
    }

    // --- program scope ---

    pub(super) fn program_scope_variable(&mut self, variable: Variable<'a>) {
        let Variable { name, span, declared, .. } = variable;
        let is_sampler = self.kind(declared.ty) == TyKind::Sampler;
        if is_sampler && declared.space.is_none() && !declared.quals.contains(Qualifiers::CONST) {
            self.error(span, "global sampler requires a const or constant address space qualifier");
            return self.poison(name, span);
        }
        let unsized_ok = variable.initializer.is_some() || variable.storage == Some(StorageClass::Extern);
        if !self.check_variable_type(&variable, unsized_ok) {
            return self.poison(name, span);
        }
        let space = match declared.space {
            Some(space) => Some(space),
            None if is_sampler => Some(AddressSpace::Constant),
            None => self.default_program_space(),
        };
        let allowed = match space {
            Some(AddressSpace::Constant) => true,
            Some(AddressSpace::Global) => self.has_generic() || variable.storage == Some(StorageClass::Extern),
            _ => false,
        };
        if !allowed {
            let wanted = if self.has_generic() { "global or constant" } else { "constant" };
            let diagnostic = self
                .error_at(span, format!("program scope variable must reside in {wanted} address space"))
                .with_help("declare it '__constant' with an initializer, or pass it as a kernel argument");
            self.push(diagnostic);
            return self.poison(name, span);
        }
        if self.is_block(declared.ty) {
            return self.program_scope_block(variable);
        }
        let ty = declared.or_in(space.unwrap_or(AddressSpace::Constant));
        let Some(id) = self.redeclared_module_variable(&variable, ty) else { return };
        if variable.initializer.is_some() && variable.storage == Some(StorageClass::Extern) {
            self.warning(WarningFlag::ExternInitializer, span, "'extern' variable has an initializer");
        }
        match variable.initializer {
            Some(initializer) => self.initialize_module_variable(id, initializer, span),
            None if variable.storage == Some(StorageClass::Extern) => {}
            None if ty.space == AddressSpace::Constant => {
                self.error(span, "variable in constant address space must be initialized");
            }
            None => self.body.tentative.push(id),
        }
    }

    /// The global that this declaration is about: a new one, or one declared before.
    fn redeclared_module_variable(&mut self, variable: &Variable<'a>, ty: QualTy) -> Option<ModuleVariableId> {
        let Variable { name, span, .. } = *variable;
        let here = self.ordinary.find_here(name).map(|entry| (entry.entity, entry.span));
        // A block may have declared it before.
        let in_block =
            self.block_variables.get(&name).map(|id| (Entity::ModuleVariable(*id), self.program.variables[*id].span));
        if let Some((entity, previous)) = here.or(in_block) {
            let Entity::ModuleVariable(id) = entity else {
                if !matches!(entity, Entity::Poisoned) {
                    let message = format!("redefinition of '{}' as different kind of symbol", self.text(name));
                    self.error_with_note(span, message, previous, "previous definition is here");
                }
                return None;
            };
            let old = self.program.variables[id].clone();
            let compatible = old.ty.ty == ty.ty || self.same_but_for_size(old.ty.ty, ty.ty);
            if !compatible || old.ty.space != ty.space {
                let (new, old) = (self.qual_text(ty), self.qual_text(old.ty));
                let message =
                    format!("redefinition of '{}' with a different type: '{new}' vs '{old}'", self.text(name));
                self.error_with_note(span, message, previous, "previous definition is here");
                return None;
            }
            if old.init.is_some() && variable.initializer.is_some() {
                let message = format!("redefinition of '{}'", self.text(name));
                self.error_with_note(span, message, previous, "previous definition is here");
                return None;
            }
            let global = &mut self.program.variables[id];
            global.external &= variable.storage == Some(StorageClass::Extern) && variable.initializer.is_none();
            if !matches!(self.kind(ty.ty), TyKind::Array(_, None)) {
                self.program.variables[id].ty.ty = ty.ty;
            }
            if here.is_none() {
                let align = self.aligned(ty.ty, variable.layout);
                let global = &mut self.program.variables[id];
                (global.span, global.align) = (span, global.align.max(align));
                global.internal |= variable.storage == Some(StorageClass::Static);
                self.ordinary.declare(name, Entity::ModuleVariable(id), span);
            }
            return Some(id);
        }
        let internal = variable.storage == Some(StorageClass::Static) || self.library;
        let id = self.new_module_variable(variable, ty, internal);
        self.ordinary.declare(name, Entity::ModuleVariable(id), span);
        Some(id)
    }

    fn same_but_for_size(&self, a: Ty, b: Ty) -> bool {
        match (self.kind(a), self.kind(b)) {
            (TyKind::Array(a, x), TyKind::Array(b, y)) => a.ty == b.ty && (x.is_none() || y.is_none()),
            _ => false,
        }
    }

    fn new_module_variable(&mut self, variable: &Variable<'a>, ty: QualTy, internal: bool) -> ModuleVariableId {
        let align = self.aligned(ty.ty, variable.layout);
        let Variable { name, span, .. } = *variable;
        let external = variable.storage == Some(StorageClass::Extern) && variable.initializer.is_none();
        // The limit of objects with an initial value, which is lower, is checked with it.
        if external || ty.space == AddressSpace::Local {
            self.check_object_size(name, ty.ty, span);
        }
        if self.is_matrix(ty.ty) {
            self.error(span, "a cooperative matrix can only be a private variable");
        }
        let (init, owner) = (None, None);
        self.add_module_variable(ModuleVariable {
            name,
            ty,
            align,
            span,
            init,
            internal,
            external,
            owner,
            is_string: false,
        })
    }

    fn initialize_module_variable(&mut self, id: ModuleVariableId, initializer: Initializer<'a>, span: Span) {
        let ty = self.program.variables[id].ty;
        if self.kind(ty.ty) == TyKind::Sampler {
            if let Some(data) = self.sampler_initializer(initializer, span) {
                self.program.variables[id].init = Some(data);
            }
            return;
        }
        if let Some((ty, data)) = self.constant_initializer(ty, initializer, span) {
            let align = self.program.types.align_of(ty.ty);
            let global = &mut self.program.variables[id];
            global.ty = ty;
            global.align = global.align.max(align);
            global.init = Some(data);
        }
    }

    /// The object of a compound literal outside of functions, which has static storage duration (C99 6.5.2.5).
    pub(super) fn unnamed_object(
        &mut self,
        ty: QualTy,
        initializer: Initializer<'a>,
        span: Span,
    ) -> Option<(QualTy, ModuleVariableId)> {
        let (ty, init) = self.constant_initializer(ty, initializer, span)?;
        let (name, align) = (self.names.empty(), self.program.types.align_of(ty.ty));
        let (init, internal, external, owner) = (Some(init), true, false, None);
        let object = ModuleVariable { name, ty, align, span, init, internal, external, owner, is_string: false };
        Some((ty, self.add_module_variable(object)))
    }

    /// Tentative definitions (C99 6.9.2) that no later declaration initialised are zero.
    pub(super) fn finish_tentative_definitions(&mut self) {
        for id in std::mem::take(&mut self.body.tentative) {
            let global = &self.program.variables[id];
            let Some(size) = self.program.types.size_of(global.ty.ty).filter(|_| global.init.is_none()) else {
                continue;
            };
            if size > constants::MAX_CONSTANT {
                let (span, limit) = (global.span, constants::MAX_CONSTANT);
                let name = self.text(global.name).to_owned();
                self.error(span, format!("variable '{name}' is too large: {size} bytes, and the limit is {limit}"));
                continue;
            }
            if !self.has_constant_room(size, self.program.variables[id].span) {
                return;
            }
            let bytes = vec![0; to_usize(size)];
            self.program.variables[id].init = Some(ConstantData { bytes, ..ConstantData::default() });
        }
    }

    // --- function scope ---

    pub(super) fn block_variable(&mut self, variable: Variable<'a>, out: &mut Vec<Stmt<'h>>) {
        let Variable { name, span, declared, .. } = variable;
        if !self.check_variable_type(&variable, variable.initializer.is_some()) {
            return self.poison(name, span);
        }
        if self.kind(declared.ty) == TyKind::Sampler && self.sampler_variable(&variable) {
            return;
        }
        let is_block = self.is_block(declared.ty);
        match (variable.storage, declared.space) {
            (Some(StorageClass::Extern), _) if is_block => self.block_scope_block(variable, out),
            (Some(StorageClass::Extern), _) => self.extern_in_block(variable),
            (Some(StorageClass::Static), space) => self.static_variable(variable, space),
            (_, Some(AddressSpace::Local)) => self.local_memory_variable(variable),
            (_, Some(AddressSpace::Constant)) => self.constant_variable(variable),
            (_, Some(space @ (AddressSpace::Global | AddressSpace::Generic))) => {
                let word = space.name();
                self.error(span, format!("function scope variable cannot be declared in {word} address space"));
                self.poison(name, span);
            }
            _ if is_block => self.block_scope_block(variable, out),
            _ => self.private_variable(variable, out),
        }
    }

    fn is_block(&self, ty: Ty) -> bool {
        matches!(self.kind(ty), TyKind::Block(_))
    }

    fn private_variable(&mut self, variable: Variable<'a>, out: &mut Vec<Stmt<'h>>) {
        let Variable { name, span, declared, .. } = variable;
        let ty = declared.or_in(AddressSpace::Private);
        let align = self.aligned(ty.ty, variable.layout);
        let id = self.add_private_variable(name, ty, align, span);
        self.watch(id, variable.layout.unused);
        // The scope of a name begins before its initialiser (C99 6.2.1).
        self.shadows(name, span);
        self.declare_variable(name, Entity::PrivateVariable(id), span);
        let mut init = None;
        if let Some(initializer) = variable.initializer {
            let found = self.local_initializer(ty, initializer, span);
            // Also where it is wrong.
            self.initialized(id);
            match found {
                Some((ty, value)) => {
                    if self.program.types.size_of(declared.ty).is_none() {
                        // The initialiser has given the array its size.
                        self.check_object_size(name, ty.ty, span);
                    }
                    self.body.variables[id].ty = ty;
                    if let (Init::Value(value), true) = (value, ty.quals.contains(Qualifiers::CONST))
                        && let Some((value, _)) = self.integer_constant(value)
                    {
                        self.body.constants.insert(id, value);
                    }
                    init = Some(&*self.arena.alloc(value));
                }
                None => {
                    if matches!(self.kind(ty.ty), TyKind::Array(_, None)) {
                        self.body.variables[id].ty.ty = Ty::ERROR;
                    }
                }
            }
        }
        out.push(Stmt { kind: StmtKind::Declare { variable: id, init }, span });
    }

    fn at_kernel_scope(&self) -> bool {
        // One scope holds the parameters and the outermost block.
        self.ordinary.depth() == 1
    }

    fn local_memory_variable(&mut self, variable: Variable<'a>) {
        let Variable { name, span, declared, .. } = variable;
        if !self.body.is_kernel && !self.library {
            self.error(span, "non-kernel function variable cannot be declared in local address space");
        } else if !self.at_kernel_scope() && !self.library {
            let message =
                "variables in the local address space can only be declared in the outermost scope of a kernel function";
            self.error(span, message);
        }
        if variable.initializer.is_some() {
            self.error(span, "'__local' variable cannot have an initializer");
        }
        if self.is_block(declared.ty) {
            if variable.initializer.is_none() {
                self.uninitialized_block(span);
            }
            return self.poison(name, span);
        }
        let ty = declared.or_in(AddressSpace::Local);
        let id = self.new_module_variable(&variable, ty, true);
        self.program.variables[id].owner = self.body.function;
        self.shadows(name, span);
        self.declare_variable(name, Entity::ModuleVariable(id), span);
        self.function_objects.insert(id, variable.layout.unused);
    }

    fn constant_variable(&mut self, variable: Variable<'a>) {
        let Variable { name, span, declared, .. } = variable;
        if !self.library && !self.body.is_kernel && self.language() < ClStd::CL2_0 {
            self.error(span, "non-kernel function variable cannot be declared in constant address space");
        } else if !self.library && !self.at_kernel_scope() {
            let message = "variables in the constant address space can only be declared in the outermost scope of a kernel function";
            self.error(span, message);
        }
        if self.is_block(declared.ty) {
            return self.lasting_block(variable);
        }
        let ty = declared.or_in(AddressSpace::Constant);
        let id = self.new_module_variable(&variable, ty, true);
        self.shadows(name, span);
        self.declare_variable(name, Entity::ModuleVariable(id), span);
        self.function_objects.insert(id, variable.layout.unused);
        match variable.initializer {
            Some(initializer) => self.initialize_module_variable(id, initializer, span),
            None => self.error(span, "variable in constant address space must be initialized"),
        }
    }

    fn static_variable(&mut self, variable: Variable<'a>, space: Option<AddressSpace>) {
        let Variable { name, span, declared, .. } = variable;
        let constant = space == Some(AddressSpace::Constant);
        if !constant && !self.has_generic() {
            self.error(span, "variables in function scope cannot be declared static");
            return self.poison(name, span);
        }
        if !matches!(space, None | Some(AddressSpace::Global | AddressSpace::Constant)) {
            self.error(span, "static local variable must reside in global or constant address space");
            return self.poison(name, span);
        }
        if self.is_block(declared.ty) {
            return self.lasting_block(variable);
        }
        let ty = declared.or_in(AddressSpace::Global);
        let id = self.new_module_variable(&variable, ty, true);
        self.shadows(name, span);
        self.declare_variable(name, Entity::ModuleVariable(id), span);
        self.function_objects.insert(id, variable.layout.unused);
        match variable.initializer {
            Some(initializer) => self.initialize_module_variable(id, initializer, span),
            None if constant => self.error(span, "variable in constant address space must be initialized"),
            None => self.body.tentative.push(id),
        }
    }

    fn extern_in_block(&mut self, variable: Variable<'a>) {
        let Variable { name, span, declared, .. } = variable;
        if variable.initializer.is_some() {
            self.error(span, "'extern' variable cannot have an initializer");
        }
        let known = match self.ordinary.find_outermost(name).map(|entry| entry.entity) {
            Some(Entity::ModuleVariable(id)) => Some(id),
            _ => self.block_variables.get(&name).copied(),
        };
        if let Some(id) = known {
            return self.declare_variable(name, Entity::ModuleVariable(id), span);
        }
        let Some(space @ (AddressSpace::Constant | AddressSpace::Global)) =
            declared.space.or(self.default_program_space())
        else {
            let spaces = if self.has_generic() { "global or constant" } else { "constant" };
            self.error(span, format!("extern variable must reside in {spaces} address space"));
            return self.poison(name, span);
        };
        let id = self.new_module_variable(&variable, declared.or_in(space), false);
        self.block_variables.insert(name, id);
        self.declare_variable(name, Entity::ModuleVariable(id), span);
    }

    // --- samplers ---

    /// A `sampler_t` of function scope with a constant initialiser becomes a global; false: an ordinary variable.
    fn sampler_variable(&mut self, variable: &Variable<'a>) -> bool {
        let Variable { name, span, declared, .. } = *variable;
        let Some(Initializer::Expr(e)) = variable.initializer else { return false };
        let value = self.value(e);
        if value.ty.ty == Ty::SAMPLER {
            return false;
        }
        let Some(data) = self.sampler_data(value) else {
            self.poison(name, span);
            return true;
        };
        let mut ty = declared.or_in(AddressSpace::Constant);
        ty.space = AddressSpace::Constant;
        let id = self.new_module_variable(variable, ty, true);
        self.program.variables[id].init = Some(data);
        self.declare_variable(name, Entity::ModuleVariable(id), span);
        true
    }

    fn sampler_initializer(&mut self, initializer: Initializer<'a>, span: Span) -> Option<ConstantData> {
        match initializer {
            Initializer::Expr(e) => {
                let value = self.value(e);
                self.sampler_data(value)
            }
            Initializer::List(list) => match list.items {
                [item] => self.sampler_initializer(item.value, span),
                _ => {
                    self.error(span, "sampler_t initialization requires a 32-bit integer");
                    None
                }
            },
        }
    }

    fn sampler_data(&mut self, value: ExprRef<'h>) -> Option<ConstantData> {
        if value.ty.ty == Ty::ERROR {
            return None;
        }
        let Some(bits) = self.evaluated_integer(value).filter(|bits| u32::try_from(*bits).is_ok()) else {
            let text = self.quoted(value.ty.ty);
            self.error(value.span, format!("sampler_t initialization requires a constant 32-bit integer, not {text}"));
            return None;
        };
        let bytes = low_u32(bits).to_le_bytes().to_vec();
        Some(ConstantData { bytes, relocations: Vec::new(), is_sampler: true })
    }

    /// An integer constant where a sampler is wanted: an unnamed sampler, each value once.
    pub(super) fn sampler_literal(&mut self, e: ExprRef<'h>) -> ExprRef<'h> {
        let Some(data) = self.sampler_data(e) else { return self.error_expr(e.span) };
        let bits = data.bytes.first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes));
        let ty = QualTy { ty: Ty::SAMPLER, quals: Qualifiers::CONST, space: AddressSpace::Constant };
        let id = match self.samplers.get(&bits) {
            Some(id) => *id,
            None => {
                let (name, span) = (self.names.empty(), e.span);
                let init = Some(data);
                let (internal, external, owner) = (true, false, None);
                let global =
                    ModuleVariable { name, ty, align: 8, span, init, internal, external, owner, is_string: false };
                let id = self.add_module_variable(global);
                self.samplers.insert(bits, id);
                id
            }
        };
        let place = self.make_lvalue(ExprKind::ModuleVariable(id), ty, e.span);
        self.make(ExprKind::Load(place), Ty::SAMPLER, e.span)
    }

    /// One value as an initialiser.
    pub(super) fn value_init(&mut self, value: ExprRef<'h>, ty: Ty) -> Option<Init<'h>> {
        let value = self.convert_for_assignment(value, ty, AssignmentAction::Initializing);
        (value.ty.ty != Ty::ERROR).then_some(Init::Value(value))
    }
}
