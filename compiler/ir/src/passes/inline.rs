//! `inline`: replaces calls by the callee's body where that is profitable or legality needs it.
//!
//! Callees come before callers, so a body that is copied has its own calls inlined already. A function is inlined if it
//! takes pointers to private or local memory (after inlining, the object of each access is known; otherwise the object
//! must be in a pool) or handles, if its result has no type in Vulkan, if its caller may pass it a format of `printf`,
//! if it has a single call, or if its body is small; with the sanitizers of races, memory and barriers so is one that
//! takes any pointers or has a barrier. A large body with pointers stays a function if it would be copied often and
//! seldom uses its pointers. Drivers are asked not to inline it either, because their compile time grows faster than
//! linearly with the size of a function. For a driver that copies every function anyway
//! ([`Tuning::LAVAPIPE_INLINED_CALLS`]) all calls are replaced while the caller is within the limit of its size.

use crate::analysis::{CallGraph, Substitution};
use crate::copy::Copier;
use crate::pass::{Changed, Context, Order, Pass};
use crate::room::Room;
use crate::*;
use clforge_basic::options::{Addressing, Options, Sanitizers};
use clforge_basic::tuning::Tuning;
use std::collections::BTreeSet;
use typed_index_collections::{TiSlice, TiVec, ti_vec};

/// Instructions of a body that is always worth copying.
const SMALL: usize = 60;
/// How much of the bodies with pointers is copied. Both are for calls outside of loops and within loops of the caller.
struct Limits {
    /// Most instructions of a body that is copied to every call.
    large: [usize; 2],
    /// Most instructions that the copies of a larger one may have together.
    copies: [usize; 2],
}

/// The limits of most functions. Of a password cracker's module of
/// 3 MB, whose `sha1_update_64` of 22,000 instructions was copied, the slowest kernel took NVIDIA's driver (580.159) 42 s; with
/// all functions that are left marked as not to be inlined, 13 s. Of one that calls two functions of 16,000 instructions five times
/// each, which call one of 60 instructions 807 times, the driver had not compiled it after 170 s; with a mark on the two it took 88 s,
/// with a mark on all three 25 s.
const USUAL: Limits = Limits { large: [3_000, 10_000], copies: [24_000, 48_000] };
/// The limits of kernels that have met [`MAX_CALLER`], and of the functions they call: what is copied into them before, and what not,
/// is only a matter of the order of calls. NVIDIA's driver (580.159) took 73 s for a password cracker's kernel of 30,000
/// instructions, and 8 s with these limits; another had no pipeline after 150 s, and 4 s.
const NARROW: Limits = Limits { large: [600, USUAL.large[1]], copies: [6_000, USUAL.copies[1]] };
/// Least instructions of a large body that stays a function for each access through its pointers: what it accesses is in a pool
/// then, and could be values where it is copied.
const LARGE_PER_ACCESS: usize = 12;
/// Additions and casts of a pointer that are followed to the object that it points into.
const MAX_CHAIN: usize = 32;
/// Instructions a caller may grow to.
const MAX_CALLER: usize = 30_000;
/// Levels of nesting a caller may grow to: SPIR-V has 1023, and drivers recurse along them.
const MAX_DEPTH: usize = 250;
/// Instructions that may be copied in all, as a multiple of the program's own and in addition to it: a chain of calls
/// would otherwise cost the square of its length, and a tree of them 2 to the power of its height.
const COPIES: (usize, usize) = (20, 400_000);

/// The pass. A function that returns elsewhere than at its end is not inlined: `single_exit` runs before.
pub struct Inline;

impl<S> Pass<S> for Inline {
    fn name(&self) -> &'static str {
        "inline"
    }

    fn order(&self) -> Order {
        Order { after: &["single_exit"], ..Order::ANY }
    }

    fn run(&self, module: &mut Module, context: &mut Context<'_, S>) -> Result<Changed, Error> {
        let before = may_meet_limit(module, context.options).then(|| module.clone());
        let limits = inline(module, context.options, Which::Worth(&ti_vec![false; module.functions.len()]))?;
        if let Some(before) = before {
            let narrow = CallGraph::of(&before).reached_from(limits.met);
            if limits.narrowed.iter().any(|id| narrow[*id]) {
                *module = before;
                inline(module, context.options, Which::Worth(&narrow))?;
            }
        }
        Ok(Changed::Maybe)
    }
}

/// Replaces the calls of the functions that `wanted` names, and no others. They must have a single exit.
pub fn inline_functions(
    module: &mut Module,
    options: &Options,
    wanted: &TiSlice<FunctionId, bool>,
) -> Result<(), Error> {
    inline(module, options, Which::Only(wanted)).map(|_| ())
}

/// Which calls are replaced.
#[derive(Clone, Copy)]
enum Which<'a> {
    /// Those that are worth it. The limits are narrow in the functions for which this says so.
    Worth(&'a TiSlice<FunctionId, bool>),
    /// Those of the functions for which this says so.
    Only(&'a TiSlice<FunctionId, bool>),
}

/// Whether a function that calls others could meet [`MAX_CALLER`], with the bodies of all that it calls, directly or through others.
fn may_meet_limit(module: &Module, options: &Options) -> bool {
    if !options.target.is_vulkan() {
        return false;
    }
    let calls = CallGraph::of(module);
    let sizes = calls.inlined_sizes(module.functions.iter().map(|function| function.insts.len()).collect());
    sizes.iter_enumerated().any(|(id, size)| *size > MAX_CALLER && !calls.callees(id).is_empty())
}

/// The functions that limits concern.
#[derive(Default)]
struct Limited {
    /// The kernels that have a call which is left because they would grow beyond [`MAX_CALLER`].
    met: BTreeSet<FunctionId>,
    /// Those in which narrow limits would leave a call that is replaced.
    narrowed: BTreeSet<FunctionId>,
}

fn inline(module: &mut Module, options: &Options, which: Which<'_>) -> Result<Limited, Error> {
    let relaxed = options.language.math.unsafe_optimizations;
    // For OpenCL 1.2 legality needs all copies: generic pointers are resolved in them.
    let may_call_large = options.target.is_vulkan();
    let follows = Sanitizers::RACE | Sanitizers::MEMORY | Sanitizers::SYNC;
    let sanitizes = options.target.is_vulkan() && options.codegen.sanitizers().intersects(follows);
    let copies_all = options.target.is_vulkan() && options.codegen.tuning.contains(Tuning::LAVAPIPE_INLINED_CALLS);
    let has_logical_addresses = options.target.is_vulkan() && options.device.addressing == Addressing::Logical;
    let is_narrow = |id: FunctionId| matches!(which, Which::Worth(narrow) if narrow.get(id) == Some(&true));
    let mut room = Room::new(module, options.codegen.max_instructions);
    let calls = CallGraph::of(module);
    let mut left: TiVec<FunctionId, usize> = module.functions.keys().map(|id| calls.calls_of(id)).collect();
    let mut sizes: TiVec<FunctionId, usize> = module.functions.iter().map(|function| function.insts.len()).collect();
    let mut depths = ti_vec![0; sizes.len()];
    // What is copied into a function brings no return, so this holds to the end.
    let returns_at_end: TiVec<FunctionId, bool> = module.functions.iter().map(Function::has_single_exit).collect();
    let mut prints_format: TiVec<FunctionId, bool> = ti_vec![false; sizes.len()];
    let mut uses_pointers_often: TiVec<FunctionId, bool> = ti_vec![false; sizes.len()];
    let mut budget = COPIES.1 + COPIES.0 * sizes.iter().sum::<usize>();
    let mut large = BTreeSet::new();
    let mut limited = Limited::default();
    for id in calls.callees_first() {
        let mut caller = std::mem::replace(&mut module.functions[id], Function::new(""));
        room.take(&caller);
        let body = caller.body;
        let mut inliner = Inliner {
            module,
            which,
            limits: if is_narrow(id) { &NARROW } else { &USUAL },
            relaxed,
            may_call_large,
            copies_all,
            has_logical_addresses,
            sanitizes,
            calls: &calls,
            sizes: &sizes,
            depths: &depths,
            prints_format: &prints_format,
            uses_pointers_often: &uses_pointers_often,
            returns_at_end: &returns_at_end,
            caller: &mut caller,
            replaced: Substitution::default(),
            inlined: Vec::new(),
            allocas: Vec::new(),
            large: &mut large,
            meets_limit: false,
            is_narrowed: false,
            in_loop: false,
            budget,
            room,
        };
        inliner.region(body, 0)?;
        budget = inliner.budget;
        limited.met.extend((inliner.meets_limit && inliner.caller.kernel.is_some()).then_some(id));
        limited.narrowed.extend(inliner.is_narrowed.then_some(id));
        let (inlined, allocas) = (inliner.inlined, inliner.allocas);
        caller.region_mut(body).insts.splice(0..0, allocas);
        for callee in inlined {
            left[callee] -= 1;
            let function = &mut module.functions[callee];
            if left[callee] == 0 && !function.exported {
                // Nobody calls it any more: chains of calls would fill the memory with bodies of all lengths.
                room.take(function);
                *function = Function::new("");
            }
        }
        sizes[id] = caller.insts.len();
        depths[id] = depth(&caller, caller.body);
        prints_format[id] = prints_unknown_format(&caller);
        uses_pointers_often[id] =
            sizes[id] > USUAL.large[0] && pointer_accesses(&caller) * LARGE_PER_ACCESS > sizes[id];
        room.put(&caller);
        module.functions[id] = caller;
    }
    for id in large {
        // NVIDIA's driver (580.159) would copy them: a kernel that computes SHA-512 six times takes it more than 100 s when it
        // does, and 26 s when it is told not to.
        module.functions[id].inline = Some(false);
    }
    for function in module.functions.iter_mut().filter(|function| function.kernel.is_none()) {
        // Inlined everywhere, and nothing that another module could call: for Vulkan nothing with a result that has no type.
        let has_no_type = may_call_large && function.result.is_some_and(|ty| ty.lanes > 4);
        function.exported &= !takes_handles(function) && !has_no_type;
    }
    Ok(limited)
}

/// Levels of nesting below a region.
fn depth(function: &Function, region: RegionId) -> usize {
    let insts = function.region(region).insts.iter();
    let nested = insts.flat_map(|id| function.inst(*id).op.regions());
    nested.map(|nested| 1 + depth(function, nested)).max().unwrap_or(0)
}

/// Whether a function has a `printf` whose format is not the address of a literal, and may be an argument.
fn prints_unknown_format(function: &Function) -> bool {
    function.insts.iter().any(|inst| {
        let Op::Intrinsic { function: Intrinsic::Printf, args } = &inst.op else { return false };
        let bases = std::iter::successors(args.first().copied(), |address| match function.op(*address) {
            Some(Op::PtrAdd { base, .. }) => Some(*base),
            _ => None,
        });
        let address = bases.take(MAX_CHAIN).last();
        !matches!(address.and_then(|value| function.op(value)), Some(Op::GlobalAddress(_)))
    })
}

/// Accesses to private, local and generic memory through pointers that do not come from an object of the function's own.
fn pointer_accesses(function: &Function) -> usize {
    let is_elsewhere = |address: Value| {
        let base = std::iter::successors(Some(address), |address| match function.op(*address) {
            Some(Op::PtrAdd { base: from, .. } | Op::Convert { op: ConvertOp::PtrCast, operand: from }) => Some(*from),
            _ => None,
        });
        // A longer chain, which nobody writes for an element or a member, counts as a pointer from elsewhere.
        let base = base.take(MAX_CHAIN).last().unwrap_or(address);
        let is_here = matches!(function.op(base), Some(Op::Alloca { .. } | Op::GlobalAddress(_)));
        !is_here && matches!(function.ty(base).space(), Some(Space::Private | Space::Local | Space::Generic))
    };
    let address = |inst: &Inst| match inst.op {
        Op::Load { ptr, .. } | Op::Store { ptr, .. } | Op::Atomic { ptr, .. } => Some(ptr),
        Op::Matrix(MatrixOp::Load { ptr, .. } | MatrixOp::Store { ptr, .. }) => Some(ptr),
        _ => None,
    };
    function.insts.iter().filter_map(address).filter(|ptr| is_elsewhere(*ptr)).count()
}

/// Whether a function has a parameter that only a descriptor can be.
fn takes_handles(function: &Function) -> bool {
    function.params.iter().any(|param| matches!(function.ty(*param).scalar, ScalarType::Opaque(_)))
}

/// Whether a function has pointers that may be to a buffer that it does not name: as a parameter or result, or from integers.
fn takes_buffers(function: &Function) -> bool {
    let is_buffer = |ty: Type| matches!(ty.space(), Some(Space::Global | Space::Constant | Space::Generic));
    let params = function.params.iter().map(|param| function.ty(*param));
    let from_integer = |inst: &Inst| match inst.op {
        Op::Convert { op: ConvertOp::IntToPtr, .. } => {
            inst.results.iter().any(|result| is_buffer(function.ty(*result)))
        }
        _ => false,
    };
    params.chain(function.result).any(is_buffer) || function.insts.iter().any(from_integer)
}

/// Whether a function has barriers, or pointers to memory that work-items share.
fn orders_or_accesses(function: &Function) -> bool {
    let is_barrier = |inst: &Inst| matches!(inst.op, Op::Barrier { .. });
    function.params.iter().any(|param| function.ty(*param).space().is_some()) || function.insts.iter().any(is_barrier)
}

struct Inliner<'i> {
    module: &'i Module,
    which: Which<'i>,
    /// For the caller.
    limits: &'static Limits,
    /// The module's floating operations may be contracted, those of precise functions not: the two must not mix.
    relaxed: bool,
    /// Whether large functions may stay functions.
    may_call_large: bool,
    /// The driver copies what is left, and takes longer for the copies than for bodies that are optimised already.
    copies_all: bool,
    /// Buffers have descriptors, which belong to the arguments of one kernel.
    has_logical_addresses: bool,
    /// Accesses and barriers are followed by a sanitizer, which knows those of the kernel itself.
    sanitizes: bool,
    calls: &'i CallGraph,
    sizes: &'i TiSlice<FunctionId, usize>,
    depths: &'i TiSlice<FunctionId, usize>,
    prints_format: &'i TiSlice<FunctionId, bool>,
    /// Whether a large body accesses memory through its pointers often.
    uses_pointers_often: &'i TiSlice<FunctionId, bool>,
    /// Copied, a return elsewhere would end the caller.
    returns_at_end: &'i TiSlice<FunctionId, bool>,
    caller: &'i mut Function,
    /// Results of inlined calls.
    replaced: Substitution,
    /// The callees of inlined calls.
    inlined: Vec<FunctionId>,
    /// Objects of inlined bodies, for the caller's start.
    allocas: Vec<InstId>,
    /// Functions that are not to be copied everywhere, by the driver either.
    large: &'i mut BTreeSet<FunctionId>,
    /// Whether a call is left because the caller would grow beyond [`MAX_CALLER`].
    meets_limit: bool,
    /// Whether narrow limits would leave a call that is replaced.
    is_narrowed: bool,
    /// Whether the region is within a loop of the caller.
    in_loop: bool,
    /// Instructions that may still be copied.
    budget: usize,
    /// Of the module without the caller.
    room: Room,
}

impl Inliner<'_> {
    /// Whether a call is to be replaced by the callee's body; notes those that are too large for it.
    fn decide(&mut self, callee: FunctionId, depth: usize) -> bool {
        let Some(function) = self.module.functions.get(callee) else { return false };
        if function.is_declaration() || function.kernel.is_some() || !self.returns_at_end[callee] {
            return false;
        }
        let size = self.sizes[callee];
        if size > self.budget {
            return false;
        }
        if let Which::Only(wanted) = self.which {
            return wanted[callee] && depth + self.depths[callee] <= MAX_DEPTH;
        }
        let is_handle = |ty: Type| self.may_call_large && matches!(ty.scalar, ScalarType::Opaque(_));
        let has_no_type = |ty: Type| ty.lanes > 4 || is_handle(ty);
        if function.result.is_some_and(has_no_type) {
            return true; // Vulkan cannot return it
        }
        if takes_handles(function) {
            return true; // a handle must name its descriptor
        }
        if self.has_logical_addresses && takes_buffers(function) {
            return true; // an access must name the descriptor
        }
        if self.prints_format[callee] {
            return true; // a format must be a literal
        }
        if self.relaxed && function.precise && !self.caller.precise {
            return false;
        }
        let calls = self.calls.calls_of(callee);
        let place = usize::from(self.in_loop);
        let copies = size.saturating_mul(calls);
        let is_too_often = self.may_call_large && copies > self.limits.copies[place];
        let takes_pointers = function
            .params
            .iter()
            .any(|param| matches!(function.ty(*param).space(), Some(Space::Private | Space::Local | Space::Generic)));
        let is_large = is_too_often && size > self.limits.large[place] && !self.uses_pointers_often[callee];
        let is_copied = (takes_pointers || self.sanitizes && orders_or_accesses(function)) && !is_large;
        let is_always = function.inline == Some(true) || size <= SMALL || calls == 1 || self.copies_all;
        let is_worth = (function.inline != Some(false) || self.copies_all) && (is_always || is_copied);
        let fits = self.caller.insts.len() + size <= MAX_CALLER;
        self.meets_limit |= is_worth && !fits;
        let is_replaced = is_worth && fits && depth + self.depths[callee] <= MAX_DEPTH;
        if !is_replaced && is_too_often {
            self.large.insert(callee);
        }
        self.is_narrowed |= is_replaced && !is_always && copies > NARROW.copies[place] && size > NARROW.large[place];
        is_replaced
    }

    fn region(&mut self, region: RegionId, depth: usize) -> Result<(), Error> {
        let insts = std::mem::take(&mut self.caller.region_mut(region).insts);
        self.caller.region_mut(region).insts.reserve(insts.len());
        for id in insts {
            self.replaced.apply(&mut self.caller.inst_mut(id).op);
            let callee = match self.caller.inst(id).op {
                Op::Call { function, .. } => Some(function),
                _ => None,
            };
            if let Some(callee) = callee.filter(|callee| self.decide(*callee, depth)) {
                self.room.check(self.caller.insts.len().saturating_add(self.sizes[callee]))?;
                if !self.splice(region, id, callee) {
                    // The callee never returns.
                    let end = self.caller.new_inst(Op::Unreachable, &[], Default::default());
                    self.caller.region_mut(region).insts.push(end);
                    return Ok(());
                }
                continue;
            }
            self.caller.region_mut(region).insts.push(id);
            let outer = self.in_loop;
            self.in_loop |= matches!(self.caller.inst(id).op, Op::Loop { .. });
            for nested in self.caller.inst(id).op.regions() {
                self.region(nested, depth + 1)?;
            }
            self.in_loop = outer;
        }
        Ok(())
    }

    /// Copies the callee's body to the end of a region in place of a call. Whether the body returns.
    fn splice(&mut self, region: RegionId, call: InstId, callee: FunctionId) -> bool {
        self.inlined.push(callee);
        self.budget = self.budget.saturating_sub(self.sizes[callee]);
        let callee = &self.module.functions[callee];
        let inst = self.caller.inst(call).clone();
        let Op::Call { args, .. } = &inst.op else { return true };
        self.caller.reserve(callee);
        let values = callee.params.iter().copied().zip(args.iter().copied()).collect();
        let mut copier = Copier { from: Some(callee), to: self.caller, values };
        let returned = copy_body(&mut copier, callee, region, &mut self.allocas);
        if let (Some(result), Some(Some(value))) = (inst.results.first(), returned) {
            self.replaced.insert(*result, value);
        }
        returned.is_some()
    }
}

/// Copies a body that has one exit to the end of a region, and its objects to `allocas`; what it returns, or `None` if
/// it never does.
fn copy_body(
    copier: &mut Copier<'_>,
    callee: &Function,
    to: RegionId,
    allocas: &mut Vec<InstId>,
) -> Option<Option<Value>> {
    for id in &callee.region(callee.body).insts {
        match &callee.inst(*id).op {
            Op::Return(value) => return Some(value.map(|value| copier.value(value))),
            Op::Unreachable => return None,
            Op::Alloca { .. } => allocas.push(copier.inst(*id)),
            _ => {
                let new = copier.inst(*id);
                copier.to.region_mut(to).insts.push(new);
            }
        }
    }
    None
}
