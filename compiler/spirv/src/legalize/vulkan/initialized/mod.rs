//! `vulkan/initialized`: finds values that depend on private or local memory that nothing wrote, as MemorySanitizer does.
//!
//! Each byte of an object has a bit that says whether it was written ([`shadow`]). A value that is loaded has a mask,
//! which follows it through arithmetic, and through private and local objects: vectors lane by lane, and scalars byte by
//! byte through operations on bits. If a branch, an address,
//! an operand of an atomic, or a store to memory that is not tracked depends on a value with a bit missing, the use is
//! recorded.
//!
//! An object is tracked if its address is only offset and accessed, and if no store to the same bytes precedes some
//! load of it on every path ([`objects`]): most scalars need nothing at run time. An array or a structure that is
//! declared in a loop, and a variable of a function that was inlined into one, is one object for all iterations: bytes
//! that one iteration wrote count as written in later ones.
//!
//! The pass runs before promotion, which removes loads and stores: afterwards it is not known which variable a value
//! came from that nothing wrote. Passes that need promotion earlier promote only variables that are written before each
//! load ([`super::promote_written`]). Variables that hold pointers are promoted first, so that the objects that they point to
//! are tracked.

mod flow;
mod objects;
mod shadow;

use super::findings::Recorder;
use crate::interface::bounds::{AccessKind, AccessSite, Check, Memory};
use crate::interface::{ArgumentBinding, ModuleInterface};
use crate::legalize::{CheckedAccess, Context, State};
use clforge_basic::narrow::to_u32;
use clforge_basic::options::Options;
use clforge_basic::source::Span;
use clforge_ir::pass::{Changed, Order, Pass};
use clforge_ir::room::Room;
use clforge_ir::verify::Legalized;
use clforge_ir::{passes, *};
use objects::{Key, Objects};
use rustc_hash::{FxHashMap, FxHashSet};
use shadow::Shadow;

/// The pass.
pub struct Initialized;

impl Pass<State> for Initialized {
    fn name(&self) -> &'static str {
        "vulkan/initialized"
    }

    fn order(&self) -> Order {
        Order { requires: Some(Legalized::KernelAbi), before: &["vulkan/sanitize", "vulkan/memory"], ..Order::ANY }
    }

    fn run(&self, module: &mut Module, context: &mut Context<'_>) -> Result<Changed, Error> {
        let state = &mut context.state;
        let found = instrument(module, &mut state.interface, context.options)?;
        state.add_sites(found);
        Ok(Changed::Maybe)
    }
}

/// Returns the places that are checked, since the pass does not know the sources.
fn instrument(
    module: &mut Module,
    interface: &mut ModuleInterface,
    options: &Options,
) -> Result<Vec<(AccessSite, CheckedAccess)>, Error> {
    let functions = module.functions.keys();
    let recorder = Recorder::new(module, interface, options)?;
    let first_site = interface.bounds.as_ref().map_or(0, |bounds| to_u32(bounds.sites.len()));
    let mut room = Room::new(module, options.codegen.max_instructions);
    let mut sites = Vec::new();
    for id in functions {
        // What other functions are given is not looked at.
        if module.functions[id].kernel.is_none() {
            continue;
        }
        let mut function = std::mem::replace(&mut module.functions[id], Function::new(""));
        room.take(&function);
        passes::promote_pointers(&mut function, options.codegen.max_instructions);
        let objects = Objects::find(&function, module);
        let shadows = shadow::make(&mut function, module, &objects);
        let mut here = Here {
            recorder,
            module,
            interface,
            objects,
            shadows,
            masks: FxHashMap::default(),
            sites: &mut sites,
            first_site,
        };
        let body = function.body;
        let done = here.region(&mut function, body, &room);
        let span = function.span;
        room.put(&function);
        module.functions[id] = function;
        done.map_err(|error| error.at(span))?;
    }
    Ok(sites)
}

/// The private objects with a load that may be of bytes that nothing wrote (results of their `alloca`).
pub fn unwritten(function: &Function, module: &Module) -> FxHashSet<Value> {
    Objects::find(function, module).unwritten().collect()
}

/// Which parts of a value were written ([`flow::all_parts`]): a bit for each, and the object that the first of them is from.
#[derive(Clone, Copy)]
struct Mask {
    parts: Value,
    object: usize,
}

/// A function that gets checks.
struct Here<'p> {
    recorder: Recorder,
    module: &'p Module,
    interface: &'p ModuleInterface,
    objects: Objects,
    /// Of the objects that need one.
    shadows: Vec<Option<Shadow>>,
    /// Of the values that may have lanes that were not written.
    masks: FxHashMap<Value, Mask>,
    sites: &'p mut Vec<(AccessSite, CheckedAccess)>,
    first_site: u32,
}

/// Whether a place is in the program, and not in the library, whose code is known to be right.
fn is_program(span: Span) -> bool {
    clforge_library::place(span).is_none()
}

impl Here<'_> {
    /// Appends the instructions of a region with their checks. Recurses as deep as regions nest.
    fn region(&mut self, function: &mut Function, region: RegionId, room: &Room) -> Result<(), Error> {
        let is_body = region == function.body;
        let objects = if is_body { function.private_objects() } else { 0 };
        let insts = std::mem::take(&mut function.region_mut(region).insts);
        let (objects, rest) = insts.split_at(objects);
        function.region_mut(region).insts.extend_from_slice(objects);
        if is_body {
            let mut b = Builder::new(function);
            shadow::begin(&mut b, &self.objects, &self.shadows);
        }
        for id in rest {
            let mut b = Builder::at(function, region);
            b.span = b.function.inst(*id).span;
            self.before(&mut b, *id)?;
            b.function.region_mut(region).insts.push(*id);
            self.after(&mut b, *id);
            let length = b.function.insts.len();
            room.check(length).map_err(|error| error.at(b.span))?;
            for region in function.inst(*id).op.regions() {
                self.region(function, region, room)?;
            }
        }
        Ok(())
    }

    /// Has it recorded if a value decides something and was not written, all of it.
    fn require(&mut self, b: &mut Builder<'_>, value: Value) {
        let Some(mask) = self.masks.get(&value).copied() else { return };
        if !is_program(b.span) {
            return;
        }
        let all = b.int(Type::I32, flow::all_parts(b.ty(value)));
        let good = b.compare(CompareOp::Eq, mask.parts, all);
        if b.function.as_int(good) == Some(1) {
            return;
        }
        let site = self.new_site(b, mask.object);
        let (zero, site) = (b.int(Type::I64, 0), b.int(Type::I32, site.into()));
        self.recorder.record_unless(b, good, [zero, zero, site]);
    }

    fn new_site(&mut self, b: &Builder<'_>, object: usize) -> u32 {
        let mut site = AccessSite { check: Check::Uninitialized, kind: AccessKind::Read, ..AccessSite::default() };
        let mut access = CheckedAccess { span: b.span, object: None };
        let object = &self.objects.list[object];
        match object.key {
            Key::Private(_) => {
                site.memory = Memory::Private;
                access.object = Some(object.span);
            }
            Key::Local(global) => {
                site.memory = Memory::Local;
                match object.size_argument {
                    Some((spec_id, _)) => site.argument = self.local_argument(b, spec_id),
                    None => site.variable.clone_from(&self.module.global(global).name),
                }
            }
        }
        self.sites.push((site, access));
        self.first_site + to_u32(self.sites.len()) - 1
    }

    /// The argument whose size is a specialisation constant.
    fn local_argument(&self, b: &Builder<'_>, constant: u32) -> Option<u32> {
        let kernel = self.interface.kernels.iter().find(|kernel| kernel.name == b.function.name)?;
        let is_here = |binding: &ArgumentBinding| match *binding {
            ArgumentBinding::Workgroup { spec_id, .. } => spec_id == constant,
            _ => false,
        };
        kernel.arguments.iter().find(|argument| is_here(&argument.binding)).map(|argument| argument.ordinal)
    }
}
