//! `vulkan/sanitize`: inserts checks that run with the kernel and record mistakes.
//!
//! - Operations whose results the language does not define ([`undefined`]).
//! - What lowering has marked by [`Op::Check`], of which nothing is left then ([`lowered`]).
//! - Accesses at addresses that are not aligned ([`alignment`]).
//! - Accesses through null pointers to local and private memory ([`null`]).
//! - Races between work-items ([`races`]).
//! - Barriers that not all work-items of a work-group reach ([`barriers`]).
//! - Arguments that not all work-items of a work-group give the same values ([`arguments`]).
//!
//! `vulkan/memory`, which knows where objects are, checks for accesses out of range; `vulkan/initialized`, which needs
//! private objects before promotion, for reads of memory that nothing wrote.
//!
//! The pass runs after promotion: only accesses that need memory are left, and the objects of most pointers are known.
//! It runs before the clean-up and the optimisations of loops, so that nearly every instruction keeps its source
//! position. What it records, and what the host does with it, is described in [`crate::interface::bounds`]. Library
//! code gets no checks: it is assumed to be correct, and its source positions would not help a user.

mod alignment;
mod arguments;
mod barriers;
mod intervals;
mod iterations;
mod linear;
mod lowered;
mod null;
mod ownership;
mod race_code;
mod races;
mod undefined;

use super::findings::Recorder;
use super::memory::objects::{self, ObjectKey, Objects};
use super::memory::origins::{Origin, Origins, Root};
use crate::interface::bounds::{AccessSite, Check};
use crate::interface::{ArgumentBinding, ModuleInterface};
use crate::legalize::{CheckedAccess, Context, State};
use arguments::Arguments;
use barriers::Barriers;
use clforge_basic::narrow::to_u32;
use clforge_basic::options::{Options, Sanitizers};
use clforge_ir::analysis::CallGraph;
use clforge_ir::pass::{Changed, Order, Pass};
use clforge_ir::room::Room;
use clforge_ir::verify::Legalized;
use clforge_ir::*;
use race_code::RaceCode;
use races::{Ordering, Races};
use rustc_hash::FxHashSet;
use typed_index_collections::TiVec;

/// The pass.
pub struct Sanitize;

impl Pass<State> for Sanitize {
    fn name(&self) -> &'static str {
        "vulkan/sanitize"
    }

    fn order(&self) -> Order {
        Order { requires: Some(Legalized::KernelAbi), after: &["mem2reg"], before: &["vulkan/memory"], ..Order::ANY }
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
    let (objects, _) = objects::find(module, &options.device, None);
    let origins = Origins::find(module, interface, &objects);
    let functions = module.functions.keys();
    let waiting = waiting(module);
    let recorder = Recorder::new(module, interface, options)?;
    let kinds = options.codegen.sanitizers();
    let code = if kinds.contains(Sanitizers::RACE) { Some(RaceCode::new(module, interface, recorder)?) } else { None };
    let first_site = interface.bounds.as_ref().map_or(0, |bounds| to_u32(bounds.sites.len()));
    let plan = Plan { kinds, recorder, objects, origins, waiting, code, first_site };
    let mut room = Room::new(module, options.codegen.max_instructions);
    let mut sites = Vec::new();
    for id in functions {
        let mut function = std::mem::replace(&mut module.functions[id], Function::new(""));
        room.take(&function);
        let done = if function.is_declaration() {
            Ok(())
        } else {
            let barriers = Barriers::new(&plan, &mut function, module);
            let arguments = Arguments::new(plan.kinds, &mut function, module);
            let races = Races::new(&plan, module, interface, &mut function, id);
            let sites = &mut sites;
            let nulls = match plan.kinds.contains(Sanitizers::ADDRESS) {
                true => null::find(&function),
                false => FxHashSet::default(),
            };
            let (flags, copies, waits) = (None, false, false);
            let here = Here {
                plan: &plan,
                module,
                interface,
                id,
                sites,
                nulls,
                races,
                barriers,
                arguments,
                flags,
                copies,
                waits,
            };
            here.function(&mut function, &mut room)
        };
        let span = function.span;
        room.put(&function);
        module.functions[id] = function;
        done.map_err(|error| error.at(span))?;
    }
    Ok(sites)
}

/// The functions in which work-items may wait for each other.
fn waiting(module: &Module) -> TiVec<FunctionId, bool> {
    let waits = |function: &Function| function.insts.iter().any(|inst| matches!(inst.op, Op::Barrier { .. }));
    let ids = module.functions.iter_enumerated().filter(|(_, function)| waits(function)).map(|(id, _)| id);
    CallGraph::of(module).reaching(ids)
}

/// What is the same for all functions.
struct Plan {
    kinds: Sanitizers,
    recorder: Recorder,
    objects: Objects,
    origins: Origins,
    /// Whether work-items may wait for each other in a function.
    waiting: TiVec<FunctionId, bool>,
    code: Option<RaceCode>,
    /// The number of the first site that the pass makes.
    first_site: u32,
}

impl Plan {
    /// Whether races with asynchronous copies are looked for.
    fn has_copies(&self) -> bool {
        self.code.as_ref().is_some_and(|code| code.has_copies)
    }
}

/// A function that gets checks.
struct Here<'p> {
    plan: &'p Plan,
    module: &'p Module,
    interface: &'p ModuleInterface,
    id: FunctionId,
    sites: &'p mut Vec<(AccessSite, CheckedAccess)>,
    /// The pointers that may be null.
    nulls: FxHashSet<Value>,
    races: Option<Races>,
    barriers: Option<Barriers>,
    arguments: Option<Arguments>,
    /// The flags of the barrier that follows, where they say more than its semantics.
    flags: Option<Value>,
    /// Whether the region's accesses are those of an asynchronous copy.
    copies: bool,
    /// Whether asynchronous copies are complete behind the barrier that follows.
    waits: bool,
}

impl Here<'_> {
    fn function(mut self, function: &mut Function, room: &mut Room) -> Result<(), Error> {
        let regions: Vec<RegionId> = function.regions.keys().collect();
        let body = function.body;
        for region in regions {
            let objects = if region == body { function.private_objects() } else { 0 };
            let insts = std::mem::take(&mut function.region_mut(region).insts);
            let (objects, rest) = insts.split_at(objects);
            (self.flags, self.copies, self.waits) = (None, false, false);
            self.arguments.iter_mut().for_each(Arguments::forget);
            let mut b = Builder::at(function, region);
            b.function.region_mut(region).insts.extend_from_slice(objects);
            if region == body {
                self.begin(&mut b)?;
            }
            if let Some(barriers) = &self.barriers {
                barriers.iterations.enter(&mut b, region);
            }
            for id in rest {
                self.inst(&mut b, *id)?;
                room.check(b.function.insts.len()).map_err(|error| error.at(b.span))?;
            }
        }
        Ok(())
    }

    /// What is done before anything else.
    fn begin(&mut self, b: &mut Builder<'_>) -> Result<(), Error> {
        b.span = b.function.span;
        if let Some(races) = &mut self.races {
            races.begin(b, self.plan, self.interface)?;
        }
        if let Some(barriers) = &mut self.barriers {
            barriers.begin(b);
        }
        if let Some(arguments) = &mut self.arguments {
            arguments.begin(b);
        }
        Ok(())
    }

    /// Appends an instruction with its checks.
    fn inst(&mut self, b: &mut Builder<'_>, id: InstId) -> Result<(), Error> {
        b.span = b.function.inst(id).span;
        if let Op::Check { check, good, what, other } = b.function.inst(id).op {
            self.lowered(b, check, good, [what, other]);
            return Ok(());
        }
        if let Some(barriers) = &self.barriers {
            barriers.iterations.before(b, id);
        }
        let is_program = clforge_library::place(b.span).is_none();
        // Counting at a barrier adds to what it orders.
        let orders = Ordering::of(&b.function.inst(id).op);
        if is_program {
            self.before(b, id)?;
        }
        let region = b.region();
        b.function.region_mut(region).insts.push(id);
        self.after(b, &orders, is_program);
        Ok(())
    }

    fn before(&mut self, b: &mut Builder<'_>, id: InstId) -> Result<(), Error> {
        let op = b.function.inst(id).op.clone();
        match &op {
            Op::Binary { op, lhs, rhs } if self.plan.kinds.contains(Sanitizers::UNDEFINED) => {
                self.division(b, *op, *lhs, *rhs);
            }
            Op::Convert { op, operand } if self.plan.kinds.contains(Sanitizers::UNDEFINED) => {
                let result = b.function.inst(id).result()?;
                self.conversion(b, *op, *operand, b.ty(result));
            }
            Op::Load { ptr, align, volatile, .. } => {
                let bytes = b.ty(b.function.inst(id).result()?).access_size();
                let kind = if *volatile { races::Kind::VolatileRead } else { races::Kind::Read };
                self.access(b, id, *ptr, bytes, *align, kind)?;
            }
            Op::Store { ptr, value, align, .. } => {
                let bytes = b.ty(*value).access_size();
                self.access(b, id, *ptr, bytes, *align, races::Kind::Write(*value))?;
            }
            Op::Atomic { op, ptr, operands, .. } => {
                let object = b.function.inst(id).results.first().or(operands.first()).copied();
                let bytes = b.ty(object.or_internal("an atomic without value")?).access_size();
                let kind = races::Kind::Atomic { writes: *op != AtomicOp::Load };
                self.access(b, id, *ptr, bytes, to_u32(bytes), kind)?;
            }
            Op::Barrier { execution: Scope::WorkGroup, .. } => {
                self.arrive(b, id);
                self.give_arguments(b);
            }
            _ => {}
        }
        Ok(())
    }

    fn access(
        &mut self,
        b: &mut Builder<'_>,
        id: InstId,
        ptr: Value,
        bytes: u64,
        align: u32,
        kind: races::Kind,
    ) -> Result<(), Error> {
        if self.plan.kinds.contains(Sanitizers::ADDRESS) {
            self.not_null(b, ptr, bytes, kind);
            self.aligned(b, ptr, bytes, align, kind);
        }
        self.race(b, id, ptr, bytes, align, kind)
    }

    fn after(&mut self, b: &mut Builder<'_>, orders: &Ordering, is_program: bool) {
        if let Some(races) = &self.races {
            match (orders, self.flags.take()) {
                (Ordering::Barrier { .. }, Some(flags)) => races.after_flags(b, flags, self.plan),
                _ => races.after(b, orders, self.plan),
            }
            if std::mem::take(&mut self.waits) {
                races.after_wait(b, self.plan);
            }
        }
        if is_program {
            self.leave(b);
            self.compare_arguments(b);
        }
    }

    /// A place that is checked, which accesses what a pointer points to if one is given.
    fn new_site(&mut self, b: &Builder<'_>, check: Check, mut site: AccessSite, ptr: Option<Value>) -> u32 {
        site.check = check;
        let mut access = CheckedAccess { span: b.span, object: None };
        match ptr.and_then(|ptr| self.only_root(ptr)) {
            Some(Root::Argument(ordinal)) => site.argument = Some(ordinal),
            Some(Root::Variable(global)) => site.variable.clone_from(&self.module.global(global).name),
            Some(Root::Object(object)) => {
                let object = &self.plan.objects.list[object];
                match (object.key, object.size_argument) {
                    (ObjectKey::Local(_), Some((spec_id, _))) => site.argument = self.local_argument(b, spec_id),
                    (ObjectKey::Local(global), None) => site.variable.clone_from(&self.module.global(global).name),
                    (ObjectKey::Alloca(..), _) => access.object = Some(object.span),
                    (ObjectKey::Buffer(..), _) => {}
                }
            }
            Some(Root::Buffer(_)) | None => {}
        }
        self.sites.push((site, access));
        self.plan.first_site + to_u32(self.sites.len()) - 1
    }

    /// The one root of a pointer, if it has no others.
    fn only_root(&self, ptr: Value) -> Option<Root> {
        match self.plan.origins.of(self.id, ptr) {
            Origin::Roots(roots) => roots.first().filter(|_| roots.len() == 1).copied(),
            Origin::Unknown => None,
        }
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
