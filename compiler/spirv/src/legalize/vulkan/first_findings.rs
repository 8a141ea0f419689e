//! `vulkan/first_findings`: what work-items have found so far, for drivers that execute both sides of each branch, the code that
//! records among them.
//!
//! Each check counts in a private array how often it has failed in a work-item, and keeps what is told of the first time
//! ([`FirstFindings::note_unless`]): no branch and no access of memory that others see. Sites are the indices of these arrays at
//! first. The pass numbers the sites of each kernel, gives the arrays their sizes, and has kernels record all where they end.

use super::findings_buffer::{Finding, FindingsBuffer, counted_loop, if_true};
use crate::legalize::{Context, State};
use clforge_basic::narrow::to_i64;
use clforge_ir::analysis::CallGraph;
use clforge_ir::pass::{Changed, Order, Pass};
use clforge_ir::room::Room;
use clforge_ir::verify::Legalized;
use clforge_ir::*;
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use typed_index_collections::TiVec;

/// The sites from this one on record what they find at once: kernels get a few instructions more for each of the others.
const MOST_SITES: u32 = 1024;
/// The most sites of a kernel whose arrays it accesses at constant indices only: drivers keep them in registers then.
const FEW_SITES: usize = 8;
/// Words that are kept of a finding: (what, end), the lower words first.
const WORDS: u32 = 4;
/// The names of the arrays.
const NAMES: [&str; 2] = ["finding_counts", "first_findings"];

/// Two private arrays of words.
#[derive(Clone, Copy, Debug)]
pub(super) struct FirstFindings {
    /// How often each site has found something.
    counts: VariableId,
    /// [`WORDS`] of each site.
    details: VariableId,
}

fn load(b: &mut Builder<'_>, variable: VariableId, index: Value) -> Value {
    b.push(Op::VariableLoad { variable, index: Some(index) }, &[Type::I32])[0]
}

fn store(b: &mut Builder<'_>, variable: VariableId, index: Value, value: Value) {
    b.effect(Op::VariableStore { variable, index: Some(index), value });
}

impl FirstFindings {
    /// The arrays of a module, if it has them.
    fn known(module: &Module) -> Option<FirstFindings> {
        let [counts, details] = NAMES.map(|name| module.variables.position(|variable| variable.name == name));
        Some(FirstFindings { counts: counts?, details: details? })
    }

    /// The arrays of a module, which are appended if it has none.
    pub fn of(module: &mut Module) -> FirstFindings {
        if let Some(known) = FirstFindings::known(module) {
            return known;
        }
        let [counts, details] = [(NAMES[0], 1), (NAMES[1], WORDS)].map(|(name, words)| {
            let size = VariableSize { fixed: u64::from(4 * words * MOST_SITES), ..VariableSize::default() };
            let (name, storage, element) = (name.to_owned(), Storage::Private, Type::I32);
            module.variables.push_and_get_key(Variable { name, storage, element, size, zero_initialized: false })
        });
        FirstFindings { counts, details }
    }

    /// Takes note of a finding of a site, whose number is constant, if it is not good. It does not if there are too many sites.
    pub fn note_unless(self, b: &mut Builder<'_>, good: Value, [what, end]: [Value; 2], site: u32) -> bool {
        if site >= MOST_SITES {
            return false;
        }
        if b.function.as_int(good) == Some(1) {
            return true;
        }
        let bad = b.unary(UnaryOp::Not, good);
        let index = b.int(Type::I32, site.into());
        let count = load(b, self.counts, index);
        let [one, zero] = [1, 0].map(|number| b.int(Type::I32, number));
        let more = b.select(bad, one, zero);
        let more = b.binary(BinaryOp::Add, count, more);
        store(b, self.counts, index, more);
        let is_first = b.compare_int(CompareOp::Eq, count, 0);
        let is_first = b.binary(BinaryOp::And, is_first, bad);
        let [low, high] = [what, end].map(|value| b.bitcast(value, Type::vector(ScalarType::I32, 2)));
        for (word, (pair, lane)) in (0..).zip([(low, 0), (low, 1), (high, 0), (high, 1)]) {
            let value = b.extract(pair, lane);
            let index = b.int(Type::I32, i64::from(WORDS * site + word));
            match b.function.as_int(value) {
                // What no check of the site stores is a zero.
                Some(0) => {}
                Some(_) => store(b, self.details, index, value),
                None => {
                    let old = load(b, self.details, index);
                    let new = b.select(is_first, value, old);
                    store(b, self.details, index, new);
                }
            }
        }
        true
    }

    /// Sets the counts of a kernel's sites to zero where it begins, and what no check stores.
    fn begin(self, function: &mut Function, noted: &[Noted], numbers: &Numbers) {
        let region = function.new_region();
        let mut b = Builder::at(function, region);
        let zero = b.int(Type::I32, 0);
        for Noted { index, site } in noted {
            let at = b.int(Type::I32, i64::from(*index));
            store(&mut b, self.counts, at, zero);
            for word in (0..WORDS).filter(|word| !numbers.stored.contains(&(WORDS * site + word))) {
                let at = b.int(Type::I32, i64::from(WORDS * index + word));
                store(&mut b, self.details, at, zero);
            }
        }
        function.begin_with(region);
    }

    /// A function that records all that a work-item has noted.
    fn flush(self, buffer: FindingsBuffer, noted: &[Noted]) -> Function {
        let mut function = Function::new("record_findings");
        let mut b = Builder::new(&mut function);
        // Not in the loop: where no work-item has left, drivers load it once for all.
        let sites = buffer.sites(&mut b);
        if let [Noted { index, site }] = noted {
            let [index, site] = [index, site].map(|number| b.int(Type::I32, i64::from(*number)));
            let count = load(&mut b, self.counts, index);
            let any = b.compare_int(CompareOp::Ne, count, 0);
            if_true(&mut b, any, |b| {
                let told = self.told(b, index);
                buffer.add(b, sites, Finding { told, site, count });
            });
        } else {
            self.flush_loop(&mut b, buffer, sites, noted);
        }
        b.effect(Op::Return(None));
        function
    }

    /// One iteration records what one site has found, and the loop ends behind the last one. The number of sites lets
    /// `vulkan/loop_iterations` know that it is short.
    fn flush_loop(self, b: &mut Builder<'_>, buffer: FindingsBuffer, sites: [Value; 2], noted: &[Noted]) {
        counted_loop(b, to_i64(noted.len()) + 1, |b, step| {
            let are_few = noted.len() <= FEW_SITES;
            let Taken { index, site, count, told } = self.take(b, noted, step, are_few);
            let any = b.compare_int(CompareOp::Ne, count, 0);
            b.break_unless(any, &[]);
            let told = if are_few { told } else { self.told(b, index) };
            buffer.add(b, sites, Finding { told, site, count });
        });
    }

    /// The site that is recorded in an iteration: of those that have found something, the one before which as many others have as
    /// there were iterations. What is told of it is known if it is asked for.
    fn take(self, b: &mut Builder<'_>, noted: &[Noted], step: Value, tells: bool) -> Taken {
        let [zero, one] = [0, 1].map(|number| b.int(Type::I32, number));
        let mut taken = Taken { index: zero, site: zero, count: zero, told: [zero; 4] };
        let mut before = zero;
        for noted in noted {
            let [here, number] = [noted.index, noted.site].map(|number| b.int(Type::I32, i64::from(number)));
            let found = load(b, self.counts, here);
            let any = b.compare_int(CompareOp::Ne, found, 0);
            let is_next = b.compare(CompareOp::Eq, before, step);
            let is_taken = b.binary(BinaryOp::And, any, is_next);
            taken.index = b.select(is_taken, here, taken.index);
            taken.site = b.select(is_taken, number, taken.site);
            taken.count = b.select(is_taken, found, taken.count);
            if tells {
                let told = self.told(b, here);
                taken.told = [0, 1, 2, 3].map(|word| b.select(is_taken, told[word], taken.told[word]));
            }
            let more = b.select(any, one, zero);
            before = b.binary(BinaryOp::Add, before, more);
        }
        taken
    }

    /// What is told of a site's first finding.
    fn told(self, b: &mut Builder<'_>, index: Value) -> [Value; 4] {
        let first = b.binary_int(BinaryOp::Mul, index, WORDS.into());
        [0, 1, 2, 3].map(|word| {
            let index = b.binary_int(BinaryOp::Add, first, word);
            load(b, self.details, index)
        })
    }
}

/// What one iteration records.
struct Taken {
    index: Value,
    site: Value,
    count: Value,
    told: [Value; 4],
}

/// A site in a kernel.
#[derive(Clone, Copy)]
struct Noted {
    /// The index in the arrays.
    index: u32,
    site: u32,
}

/// The numbers of sites in the arrays: those of functions that kernels call come first, then each kernel has its own.
struct Numbers {
    /// The indices of the sites that a function itself notes.
    own: TiVec<FunctionId, BTreeMap<u32, u32>>,
    /// What is stored of findings: indices before the pass.
    stored: FxHashSet<u32>,
    calls: CallGraph,
}

impl Numbers {
    fn new(module: &Module, first: FirstFindings) -> Numbers {
        let mut stored = FxHashSet::default();
        let mut own: TiVec<FunctionId, BTreeMap<u32, u32>> = TiVec::new();
        for function in &module.functions {
            let mut sites = BTreeMap::new();
            function.walk_body(|_, inst| {
                let Some((variable, index)) = stored_at(function, inst) else { return };
                if variable == first.counts {
                    sites.insert(index, 0);
                } else if variable == first.details {
                    stored.insert(index);
                }
            });
            own.push(sites);
        }
        let calls = CallGraph::of(module);
        let mut numbers = Numbers { own, stored, calls };
        let is_kernel = |id: FunctionId| module.functions[id].kernel.is_some();
        let mut shared = 0;
        for id in module.functions.keys().filter(|id| !is_kernel(*id)) {
            shared = number_from(&mut numbers.own[id], shared);
        }
        for id in module.functions.keys().filter(|id| is_kernel(*id)) {
            let first = if numbers.calls.callees(id).is_empty() { 0 } else { shared };
            number_from(&mut numbers.own[id], first);
        }
        numbers
    }

    /// How many indices there are.
    fn count(&self) -> u32 {
        self.own.iter().flat_map(BTreeMap::values).max().map_or(0, |last| last + 1)
    }

    /// What a kernel and the functions that it calls may note.
    fn noted_by(&self, kernel: FunctionId) -> Vec<Noted> {
        let reached = self.calls.reached_from([kernel]);
        let functions = self.own.iter().zip(reached).filter(|(_, reached)| *reached);
        functions.flat_map(|(own, _)| own.iter().map(|(site, index)| Noted { index: *index, site: *site })).collect()
    }

    /// Replaces the sites by their indices in a function's accesses of the arrays.
    fn apply(&self, function: &mut Function, id: FunctionId, first: FirstFindings) {
        let own = &self.own[id];
        let mut accesses = Vec::new();
        function.walk_body(|inst, _| accesses.push(inst));
        for inst in accesses {
            let (Op::VariableLoad { variable, index: Some(at) } | Op::VariableStore { variable, index: Some(at), .. }) =
                function.inst(inst).op
            else {
                continue;
            };
            let words = if variable == first.counts { 1 } else { WORDS };
            let is_here = [first.counts, first.details].contains(&variable);
            let Some(old) = number(function, at).filter(|_| is_here) else { continue };
            let Some(index) = own.get(&(old / words)) else { continue };
            let new = Builder::at(function, function.body).int(Type::I32, i64::from(index * words + old % words));
            if let Op::VariableLoad { index, .. } | Op::VariableStore { index, .. } = &mut function.inst_mut(inst).op {
                *index = Some(new);
            }
        }
    }
}

/// Gives sites indices from one on; the next one.
fn number_from(sites: &mut BTreeMap<u32, u32>, first: u32) -> u32 {
    (first..).zip(sites.values_mut()).fold(first, |_, (number, index)| {
        *index = number;
        number + 1
    })
}

/// A constant.
fn number(function: &Function, value: Value) -> Option<u32> {
    u32::try_from(function.as_int(value)?).ok()
}

/// The variable and the constant index of a store.
fn stored_at(function: &Function, inst: &Inst) -> Option<(VariableId, u32)> {
    let Op::VariableStore { variable, index: Some(index), .. } = inst.op else { return None };
    Some((variable, number(function, index)?))
}

/// The pass.
pub struct RecordFindings;

impl Pass<State> for RecordFindings {
    fn name(&self) -> &'static str {
        "vulkan/first_findings"
    }

    fn order(&self) -> Order {
        Order { requires: Some(Legalized::Memory), after: &["vulkan/memory"], ..Order::ANY }
    }

    fn run(&self, module: &mut Module, context: &mut Context<'_>) -> Result<Changed, Error> {
        let Some(first) = FirstFindings::known(module) else { return Ok(Changed::No) };
        let buffer = FindingsBuffer::of(module, &context.state.interface, context.options)?;
        let numbers = Numbers::new(module, first);
        let mut room = Room::new(module, context.options.codegen.max_instructions);
        for (variable, words) in [(first.counts, 1), (first.details, WORDS)] {
            module.variables[variable].size.fixed = u64::from(4 * words * numbers.count().max(1));
        }
        for id in module.functions.keys() {
            let callee = module.functions.next_key();
            let function = &mut module.functions[id];
            let noted = if function.kernel.is_some() { numbers.noted_by(id) } else { Vec::new() };
            room.take(function);
            numbers.apply(function, id, first);
            if !noted.is_empty() {
                first.begin(function, &noted, &numbers);
                call_at_ends(function, callee);
            }
            room.put(function);
            if !noted.is_empty() {
                let flush = first.flush(buffer, &noted);
                room.put(&flush);
                module.functions.push(flush);
            }
            room.check(0)?;
        }
        Ok(Changed::Maybe)
    }
}

/// Has a kernel call a function where it ends.
fn call_at_ends(function: &mut Function, callee: FunctionId) {
    for region in function.regions.keys().collect::<Vec<_>>() {
        let Some(last) = function.region(region).insts.last().copied() else { continue };
        if matches!(function.inst(last).op, Op::Return(_)) {
            function.region_mut(region).insts.pop();
            Builder::at(function, region).call(callee, &[], None);
            function.region_mut(region).insts.push(last);
        }
    }
}
