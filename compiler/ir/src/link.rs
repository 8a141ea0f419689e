//! Linking: appends modules to each other and resolves the names by which they refer to each other.
//!
//! Types are compared as texts of the source, and structures by their members and layout, since pointers of the IR do
//! not say what they point to.

use super::object::{Object, SymbolType, for_each_span};
use super::passes::remove_unreached;
use super::{FunctionId, GlobalId, Module, Op, Type};
use crate::analysis::CallGraph;
use clforge_basic::diag::{Diagnostic, SourceRange};
use clforge_basic::layout::{Element, ValueLayout};
use clforge_basic::narrow::to_u32;
use clforge_basic::source::{Interner, Span, TokenTable};
use rustc_hash::FxHashMap;
use typed_index_collections::{TiVec, ti_vec};

/// What the name of a kernel that is called as a function ends in; no name of a source has a full stop.
pub const KERNEL_FUNCTION: &str = ".function";

/// Moves all functions and globals of `from` behind those of `to`. Functions of `from` are internal afterwards.
pub fn append(to: &mut Module, mut from: Module) {
    from.functions.iter_mut().for_each(|function| function.exported = false);
    join(to, from);
}

/// Moves all functions, globals and records of `from` behind those of `to`.
pub(super) fn join(to: &mut Module, mut from: Module) {
    let functions = to.functions.len();
    let globals = to.globals.len();
    let records = to_u32(to.records.len());
    let moved_function = |id: FunctionId| FunctionId::from(functions + usize::from(id));
    let moved_global = |id: GlobalId| GlobalId::from(globals + usize::from(id));
    rename(&mut from, moved_function, moved_global);
    let move_record = |value: &mut ValueLayout| {
        if let Element::Record(index) = &mut value.element {
            *index = index.saturating_add(records);
        }
    };
    let kernels = from.functions.iter_mut().filter_map(|function| function.kernel.as_mut());
    let arguments = kernels.flat_map(|kernel| &mut kernel.arguments);
    arguments.filter_map(|argument| argument.layout.as_mut()).for_each(move_record);
    from.records.iter_mut().flat_map(|record| &mut record.members).for_each(|member| move_record(&mut member.value));
    to.functions.append(&mut from.functions);
    to.globals.append(&mut from.globals);
    to.records.append(&mut from.records);
}

impl Object {
    /// Puts another object behind this one, each with its own symbols.
    pub fn append(&mut self, mut other: Object) {
        let [places, lines, files] = [self.places.len(), self.lines.len(), self.files.len()].map(to_u32);
        for_each_span(&mut other.module, |span| {
            if span.hi > 0 {
                *span = Span::token(span.lo.saturating_add(places));
            }
        });
        other.places.iter_mut().for_each(|place| place.line = place.line.saturating_add(lines));
        other.lines.iter_mut().for_each(|line| line.file = line.file.saturating_add(files));
        self.places.append(&mut other.places);
        self.lines.append(&mut other.lines);
        self.files.append(&mut other.files);
        self.types.append(&mut other.types);
        join(&mut self.module, other.module);
    }
}

/// Makes all references to functions and globals name others.
fn rename(module: &mut Module, functions: impl Fn(FunctionId) -> FunctionId, globals: impl Fn(GlobalId) -> GlobalId) {
    for inst in module.functions.iter_mut().flat_map(|function| &mut function.insts) {
        match &mut inst.op {
            Op::Call { function, .. } | Op::Enqueue { kernel: function, .. } => *function = functions(*function),
            Op::GlobalAddress(global) => *global = globals(*global),
            _ => {}
        }
    }
    for relocation in module.globals.iter_mut().flat_map(|global| &mut global.relocations) {
        relocation.target = globals(relocation.target);
    }
}

/// What objects are linked to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    /// A module of kernels and all that they reach. Nothing may be missing.
    Executable,
    /// An object that can be linked to others, which may define what is missing.
    Library,
}

/// Why objects cannot be linked. Names are those of the source; spans are places of the linked object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LinkError {
    /// Several definitions.
    Redefined { name: String, first: Span, second: Span },
    /// Two declarations, of which the second is the definition if there is one, with different types, or with the same ones
    /// made of this struct or union, which is defined differently.
    Conflict { name: String, record: Option<String>, types: [String; 2], spans: [Span; 2] },
    /// Used and defined nowhere.
    Undefined { name: String, is_function: bool, span: Span },
    /// Functions that call each other in a circle, the first of them again at the end.
    Recursion { names: Vec<String>, span: Span },
}

impl LinkError {
    /// The message, for spans that are tokens of a table.
    pub fn diagnostic(&self, table: &TokenTable, interner: &Interner) -> Diagnostic {
        let range = |span: &Span| -> Option<SourceRange> { (span.hi > 0).then(|| table.range(*span, interner)) };
        let error = |span: &Span, message| Diagnostic { range: range(span), ..Diagnostic::global(message) };
        match self {
            LinkError::Redefined { name, first, second } => {
                let message = format!("'{name}' is defined more than once");
                error(second, message).with_note(range(first), "the first definition is here")
            }
            LinkError::Conflict { name, record: None, types: [declared, defined], spans: [here, there] } => {
                let message = format!("conflicting types for '{name}': '{declared}' vs '{defined}'");
                error(here, message).with_note(range(there), format!("'{name}' is '{defined}' here"))
            }
            LinkError::Conflict { name, record: Some(record), types: [declared, defined], spans: [here, there] } => {
                let message = format!("conflicting types for '{name}': two sources define '{record}' differently");
                error(here, message)
                    .with_label(format!("'{record}' is '{declared}' here"))
                    .with_note(range(there), format!("'{record}' is '{defined}' here"))
            }
            LinkError::Undefined { name, is_function: true, span } => {
                error(span, format!("function '{name}' is called but has no definition"))
            }
            LinkError::Undefined { name, is_function: false, span } => {
                error(span, format!("variable '{name}' is used but has no definition"))
            }
            LinkError::Recursion { names, span } => {
                let first = names.first().map_or("", String::as_str);
                let path: Vec<String> = names.iter().map(|name| format!("'{name}'")).collect();
                error(span, format!("recursion is not allowed in OpenCL: '{first}' calls itself"))
                    .with_help(format!("the calls are {}", path.join(" -> ")))
            }
        }
    }
}

/// Links objects, whose order only matters for the order of messages. Spans of the errors are places of the object that is
/// returned in any case; it must not be used further if there are errors.
pub fn link(objects: impl IntoIterator<Item = Object>, output: Output) -> (Object, Vec<LinkError>) {
    let mut linker = Linker::default();
    for object in objects {
        linker.add(object);
    }
    linker.resolve();
    let Linker { mut object, mut errors, .. } = linker;
    let module = &mut object.module;
    for function in &mut module.functions {
        let is_kept = output == Output::Library && !function.is_declaration();
        function.exported &= is_kept || function.kernel.is_some();
    }
    if output == Output::Executable {
        module.globals.iter_mut().for_each(|global| global.exported = false);
    }
    remove_unreached(module);
    if output == Output::Executable {
        errors.extend(undefined(module));
        errors.extend(recursion(module));
    }
    (object, errors)
}

/// The name of a function in its source.
fn source_name(name: &str) -> &str {
    name.strip_suffix(KERNEL_FUNCTION).unwrap_or(name)
}

/// Something that has a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Item {
    Function(FunctionId),
    Global(GlobalId),
}

#[derive(Default)]
struct Linker {
    object: Object,
    /// Index into the object's types.
    types: FxHashMap<Item, usize>,
    /// What is defined, or else the first declaration, by name.
    symbols: FxHashMap<String, Item>,
    /// What stands for declarations.
    resolved: FxHashMap<Item, Item>,
    /// Functions that do what kernels do, by the kernel.
    kernel_functions: FxHashMap<FunctionId, FunctionId>,
    errors: Vec<LinkError>,
}

impl Linker {
    /// Puts an object behind the others and remembers the types of its symbols.
    fn add(&mut self, object: Object) {
        let (functions, globals) = (self.object.module.functions.len(), self.object.module.globals.len());
        let first_type = self.object.types.len();
        let types = object.types.iter().enumerate().map(|(at, ty)| (ty.name.clone(), first_type + at));
        let types: FxHashMap<String, usize> = types.collect();
        self.object.append(object);
        let items: Vec<Item> = self.items().collect();
        for item in items {
            let is_new = match item {
                Item::Function(id) => usize::from(id) >= functions,
                Item::Global(id) => usize::from(id) >= globals,
            };
            if let Some(index) = types.get(self.name(item)).filter(|_| is_new) {
                self.types.insert(item, *index);
            }
        }
    }

    /// What other objects can see, and what is declared and not defined.
    fn items(&self) -> impl Iterator<Item = Item> {
        let module = &self.object.module;
        let functions = module.functions.iter_enumerated();
        let functions = functions.filter(|(_, function)| function.exported || function.is_declaration());
        let globals = module.globals.iter_enumerated().filter(|(_, global)| global.exported || global.imported);
        functions.map(|(id, _)| Item::Function(id)).chain(globals.map(|(id, _)| Item::Global(id)))
    }

    /// The name in the source.
    fn name(&self, item: Item) -> &str {
        match item {
            Item::Function(id) => source_name(&self.object.module.functions[id].name),
            Item::Global(id) => &self.object.module.globals[id].name,
        }
    }

    fn span(&self, item: Item) -> Span {
        match item {
            Item::Function(id) => self.object.module.functions[id].span,
            Item::Global(id) => self.object.module.globals[id].span,
        }
    }

    fn is_definition(&self, item: Item) -> bool {
        match item {
            Item::Function(id) => !self.object.module.functions[id].is_declaration(),
            Item::Global(id) => !self.object.module.globals[id].imported,
        }
    }

    /// Finds what each declaration stands for, and makes all references name that.
    fn resolve(&mut self) {
        let (definitions, declarations): (Vec<Item>, Vec<Item>) =
            self.items().partition(|item| self.is_definition(*item));
        let mut replaced = Vec::new();
        for item in definitions {
            let name = self.name(item).to_owned();
            let Some(first) = self.symbols.get(&name).copied() else {
                self.symbols.insert(name, item);
                continue;
            };
            if self.is_once(first) || self.is_once(item) {
                // The definition that is the only one of its kind, or else the first.
                let (kept, other) = if self.is_once(item) { (first, item) } else { (item, first) };
                self.symbols.insert(name, kept);
                replaced.push(other);
                continue;
            }
            let (first, second) = (self.span(first), self.span(item));
            self.errors.push(LinkError::Redefined { name, first, second });
        }
        for item in replaced {
            self.replace(item);
        }
        for item in declarations {
            let known = *self.symbols.entry(self.name(item).to_owned()).or_insert(item);
            if known != item {
                self.check_type(item, known);
                let target = self.callable(known);
                self.resolved.insert(item, target);
                self.align(item, known);
            }
        }
        let resolved = &self.resolved;
        let function = |id| match resolved.get(&Item::Function(id)) {
            Some(Item::Function(target)) => *target,
            _ => id,
        };
        let global = |id| match resolved.get(&Item::Global(id)) {
            Some(Item::Global(target)) => *target,
            _ => id,
        };
        rename(&mut self.object.module, function, global);
    }

    fn is_once(&self, item: Item) -> bool {
        match item {
            Item::Function(id) => self.object.module.functions[id].once,
            Item::Global(id) => self.object.module.globals[id].once,
        }
    }

    /// Makes another definition of the same name stand for one of several.
    fn replace(&mut self, item: Item) {
        let Some(kept) = self.symbols.get(self.name(item)).copied() else { return };
        self.check_type(item, kept);
        self.align(item, kept);
        let target = self.callable(kept);
        self.resolved.insert(item, target);
        match item {
            Item::Function(id) => self.object.module.functions[id].exported = false,
            Item::Global(id) => self.object.module.globals[id].exported = false,
        }
    }

    /// A function that can be called: of a kernel a copy, since nothing may call an entry point.
    fn callable(&mut self, item: Item) -> Item {
        let Item::Function(id) = item else { return item };
        let module = &mut self.object.module;
        if module.functions[id].kernel.is_none() {
            return item;
        }
        Item::Function(*self.kernel_functions.entry(id).or_insert_with(|| {
            let mut copy = module.functions[id].clone();
            (copy.kernel, copy.exported) = (None, false);
            copy.name.push_str(KERNEL_FUNCTION);
            module.functions.push_and_get_key(copy)
        }))
    }

    /// A definition has the largest of the alignments that it is declared with.
    fn align(&mut self, declaration: Item, definition: Item) {
        if let (Item::Global(declaration), Item::Global(definition)) = (declaration, definition) {
            let globals = &mut self.object.module.globals;
            globals[definition].align = globals[definition].align.max(globals[declaration].align);
        }
    }

    /// A declaration and what it stands for have one type.
    fn check_type(&mut self, declaration: Item, known: Item) {
        if let Some((record, types)) = self.conflict(declaration, known) {
            let name = self.name(declaration).to_owned();
            let spans = [self.span(declaration), self.span(known)];
            self.errors.push(LinkError::Conflict { name, record, types, spans });
        }
    }

    /// How two declarations differ: the record, if it is one, and the texts of both types.
    fn conflict(&self, a: Item, b: Item) -> Option<(Option<String>, [String; 2])> {
        let of_source = |item| self.types.get(&item).and_then(|index| self.object.types.get(*index));
        if let (Some(a), Some(b)) = (of_source(a), of_source(b)) {
            if !is_compatible(&a.ty, &b.ty) {
                return Some((None, [a.ty.clone(), b.ty.clone()]));
            }
            if let Some((record, members)) = record_conflict(a, b) {
                return Some((Some(record), members));
            }
        }
        let [a, b] = [a, b].map(|item| self.signature(item));
        (a != b).then_some((None, [a, b]))
    }

    /// The type in the IR.
    fn signature(&self, item: Item) -> String {
        match item {
            Item::Function(id) => {
                let function = &self.object.module.functions[id];
                let params: Vec<String> = function.params.iter().map(|param| function.ty(*param).to_string()).collect();
                let result = function.result.map_or("void".into(), |ty: Type| ty.to_string());
                format!("{result} ({})", params.join(", "))
            }
            Item::Global(id) => format!("{:?} variable", self.object.module.globals[id].space).to_lowercase(),
        }
    }
}

/// Whether two types as text are the same, but for the number of elements that one of them may leave out.
fn is_compatible(a: &str, b: &str) -> bool {
    let open = |a: &str, b: &str| {
        let Some((element, rest)) = a.split_once("[]") else { return false };
        let sized = b.strip_prefix(element).and_then(|b| b.strip_prefix('[')).and_then(|b| b.split_once(']'));
        sized.is_some_and(|(_, other)| other == rest)
    };
    a == b || open(a, b) || open(b, a)
}

/// The first record that two types define differently, with its members in both.
fn record_conflict(a: &SymbolType, b: &SymbolType) -> Option<(String, [String; 2])> {
    a.records.iter().find_map(|record| {
        let other = b.records.iter().find(|other| other.name == record.name)?;
        let looks_same = record.members == other.members;
        let members = [record, other].map(|record| match record.layout[..] {
            [size, align, ..] if looks_same => format!("{} of {size} bytes, aligned to {align}", record.members),
            _ => record.members.clone(),
        });
        (other != record).then(|| (record.name.clone(), members))
    })
}

/// What is still missing.
fn undefined(module: &Module) -> impl Iterator<Item = LinkError> {
    let functions = module.functions.iter().filter(|function| function.is_declaration());
    let functions = functions.map(|function| (&function.name, true, function.span));
    let globals = module.globals.iter().filter(|global| global.imported);
    let globals = globals.map(|global| (&global.name, false, global.span));
    functions.chain(globals).map(|(name, is_function, span)| LinkError::Undefined {
        name: source_name(name).to_owned(),
        is_function,
        span,
    })
}

/// A circle of calls, which only several sources together can make.
fn recursion(module: &Module) -> Option<LinkError> {
    #[derive(Clone, Copy, PartialEq, Eq)]
    enum Mark {
        New,
        OnPath,
        Done,
    }
    let calls = CallGraph::of(module);
    let mut marks: TiVec<FunctionId, Mark> = ti_vec![Mark::New; module.functions.len()];
    for start in module.functions.keys() {
        let mut path = vec![(start, 0)];
        while let Some((function, next)) = path.pop() {
            let callee = calls.callees(function).get(next).filter(|_| marks[function] != Mark::Done);
            let Some(&callee) = callee else {
                marks[function] = Mark::Done;
                continue;
            };
            marks[function] = Mark::OnPath;
            path.push((function, next + 1));
            match marks[callee] {
                Mark::New => path.push((callee, 0)),
                Mark::OnPath => {
                    let circle = path.iter().map(|(id, _)| *id).skip_while(|id| *id != callee).chain([callee]);
                    let names = circle.map(|id| source_name(&module.functions[id].name).to_owned()).collect();
                    return Some(LinkError::Recursion { names, span: module.functions[callee].span });
                }
                Mark::Done => {}
            }
        }
    }
    None
}
