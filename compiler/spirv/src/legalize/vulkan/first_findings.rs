//! What a work-item has found so far, for drivers that execute both sides of each branch, the code that records among them: a
//! work-item notes the first finding, and the sites of all, in private variables, and records them where the kernel ends.

use clforge_ir::*;
use smallvec::smallvec;

/// Words for the bits of sites. Of further sites only the first finding of a work-item is noted.
const SITE_WORDS: usize = 8;
/// The most sites that a work-item notes: one for each bit, and that of its first finding.
const MOST_NOTED: i64 = 257;
/// The name of the first variable.
const NAME: &str = "first_site";

/// Private words that begin as zeros.
#[derive(Clone, Copy, Debug)]
pub(super) struct FirstFindings {
    /// The number of the site of the first finding, and one.
    site: VariableId,
    /// What was recorded of it: (what, end), the lower words first.
    details: [VariableId; 4],
    /// A bit for each site.
    sites: [VariableId; SITE_WORDS],
}

/// A site with a finding, from the variables.
struct Noted {
    site: Value,
    what: Value,
    end: Value,
    /// Whether `what` and `end` are of it.
    has_details: Value,
}

fn load(b: &mut Builder<'_>, variable: VariableId) -> Value {
    b.push(Op::VariableLoad { variable, index: None }, &[Type::I32])[0]
}

fn store(b: &mut Builder<'_>, variable: VariableId, value: Value) {
    b.effect(Op::VariableStore { variable, index: None, value });
}

/// Leaves the loop if a condition does not hold.
fn leave_unless(b: &mut Builder<'_>, condition: Value) {
    let then = b.nested(|b| b.effect(Op::Yield(smallvec![])));
    let otherwise = b.nested(|b| b.effect(Op::Break(smallvec![])));
    b.effect(Op::If { condition, then, otherwise });
}

impl FirstFindings {
    /// The variables of a module, and whether they are new.
    pub fn of(module: &mut Module) -> (FirstFindings, bool) {
        let known = module.variables.position(|variable| variable.name == NAME);
        let first = known.unwrap_or_else(|| module.variables.next_key());
        let number = |more: usize| VariableId::from(usize::from(first) + more);
        let found = FirstFindings {
            site: first,
            details: [1, 2, 3, 4].map(number),
            sites: std::array::from_fn(|word| number(5 + word)),
        };
        if known.is_none() {
            for word in 0..5 + SITE_WORDS {
                let name = if word == 0 { NAME.to_owned() } else { format!("{NAME}_{word}") };
                let size = VariableSize { fixed: 4, ..VariableSize::default() };
                let (storage, element) = (Storage::Private, Type::I32);
                module.variables.push(Variable { name, storage, element, size, zero_initialized: true });
            }
        }
        (found, known.is_none())
    }

    /// Takes note of a finding of a site, whose number is constant, if it is not good.
    pub fn note_unless(self, b: &mut Builder<'_>, good: Value, [what, end]: [Value; 2], site: i64) {
        let bad = b.unary(UnaryOp::Not, good);
        let known = load(b, self.site);
        let is_first = b.compare_int(CompareOp::Eq, known, 0);
        let is_first = b.binary(BinaryOp::And, is_first, bad);
        let number = b.int(Type::I32, site + 1);
        let first = b.select(is_first, number, known);
        store(b, self.site, first);
        let [low, high] = [what, end].map(|value| b.bitcast(value, Type::vector(ScalarType::I32, 2)));
        for (variable, (pair, lane)) in self.details.into_iter().zip([(low, 0), (low, 1), (high, 0), (high, 1)]) {
            let word = b.extract(pair, lane);
            // They are zeros before.
            if b.function.as_int(word) != Some(0) {
                let old = load(b, variable);
                let new = b.select(is_first, word, old);
                store(b, variable, new);
            }
        }
        if let Some(variable) = usize::try_from(site / 32).ok().and_then(|word| self.sites.get(word)) {
            let (bit, zero) = (b.int(Type::I32, i64::from(1_u32 << (site % 32))), b.int(Type::I32, 0));
            let bit = b.select(bad, bit, zero);
            let old = load(b, *variable);
            let new = b.binary(BinaryOp::Or, old, bit);
            store(b, *variable, new);
        }
    }

    /// A function that records all that a work-item has noted: (what, end, site), and whether the first two are known.
    pub fn flush(self, record: impl FnOnce(&mut Builder<'_>, [Value; 3], Value)) -> Function {
        let mut function = Function::new("record_findings");
        let mut b = Builder::new(&mut function);
        let body = b.function.new_region();
        let count = b.function.add_region_param(body, Type::I32);
        b.enter(body);
        // The bits that are taken end the loop; the number lets `vulkan/loop_iterations` know that it is short.
        let is_possible = b.compare_int(CompareOp::Ne, count, MOST_NOTED);
        leave_unless(&mut b, is_possible);
        let (noted, any) = self.next(&mut b);
        leave_unless(&mut b, any);
        record(&mut b, [noted.what, noted.end, noted.site], noted.has_details);
        b.effect(Op::Continue(smallvec![count]));
        b.leave();
        let continuing = b.function.new_region();
        let count = b.function.add_region_param(continuing, Type::I32);
        b.enter(continuing);
        let next = b.binary_int(BinaryOp::Add, count, 1);
        b.effect(Op::Next(smallvec![next]));
        b.leave();
        let zero = b.int(Type::I32, 0);
        b.effect(Op::Loop { inits: smallvec![zero], body, continuing, hint: LoopHint::None });
        b.effect(Op::Return(None));
        function
    }

    /// Takes a site from what was noted: the one with details first.
    fn next(self, b: &mut Builder<'_>) -> (Noted, Value) {
        let zero = b.int(Type::I32, 0);
        let first = load(b, self.site);
        let has_details = b.compare_int(CompareOp::Ne, first, 0);
        let words = self.sites.map(|variable| load(b, variable));
        let mut any = first;
        let mut site = zero;
        for (index, word) in (0..).zip(words).collect::<Vec<_>>().into_iter().rev() {
            any = b.binary(BinaryOp::Or, any, word);
            let lowest = b.intrinsic(Intrinsic::FindLsb, &[word], Type::I32);
            let number = b.binary_int(BinaryOp::Add, lowest, 32 * index);
            let is_here = b.compare_int(CompareOp::Ne, word, 0);
            site = b.select(is_here, number, site);
        }
        let of_first = b.binary_int(BinaryOp::Sub, first, 1);
        let site = b.select(has_details, of_first, site);
        let bit = b.binary_int(BinaryOp::And, site, 31);
        let one = b.int(Type::I32, 1);
        let bit = b.binary(BinaryOp::Shl, one, bit);
        let rest = b.unary(UnaryOp::Not, bit);
        let at = b.binary_int(BinaryOp::LShr, site, 5);
        for ((index, variable), word) in (0..).zip(self.sites).zip(words) {
            let is_here = b.compare_int(CompareOp::Eq, at, index);
            let without = b.binary(BinaryOp::And, word, rest);
            let left = b.select(is_here, without, word);
            store(b, variable, left);
        }
        store(b, self.site, zero);
        let [low, high, end_low, end_high] = self.details.map(|variable| load(b, variable));
        let [what, end] = [[low, high], [end_low, end_high]].map(|words| {
            let both = b.construct(&words);
            b.bitcast(both, Type::I64)
        });
        let any = b.compare_int(CompareOp::Ne, any, 0);
        (Noted { site, what, end, has_details }, any)
    }
}

/// Has kernels call a function where they end.
pub(super) fn call_at_ends(module: &mut Module, callee: FunctionId) {
    for function in module.functions.iter_mut().filter(|function| function.kernel.is_some()) {
        for region in function.regions.keys().collect::<Vec<_>>() {
            let Some(last) = function.region(region).insts.last().copied() else { continue };
            if matches!(function.inst(last).op, Op::Return(_)) {
                function.region_mut(region).insts.pop();
                Builder::at(function, region).call(callee, &[], None);
                function.region_mut(region).insts.push(last);
            }
        }
    }
}
