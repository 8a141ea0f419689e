//! Pipelines: lists of passes, and the check that the order of a list is one that its passes allow.
//!
//! The order is written by hand, since the reason for a place often concerns speed. But what a pass *needs* of its place is
//! declared by the pass ([`Order`](crate::pass::Order)) and checked by [`check`]: in a test, and at the start of each
//! process of a debug build.

use crate::Module;
use crate::pass::Pass;
use crate::verify::{Dialect, Legalized};
use clforge_basic::options::Options;

/// A line of a pipeline.
pub enum Step<S: 'static> {
    /// A pass.
    Run(&'static dyn Pass<S>),
    /// A pass that runs other passes alternately, and those passes.
    Alternate(&'static dyn Pass<S>, &'static [&'static dyn Pass<S>]),
    /// A pass that runs if one of its flags is set: those of the rows of workarounds or tuning that name it. The steps
    /// follow it.
    Flagged(&'static dyn Pass<S>, &'static [Step<S>]),
    /// A pass that legality does not need: it is left out under `CodegenOptions::opt_disable` and
    /// `CodegenOptions::disabled_passes`.
    Optimize(&'static dyn Pass<S>),
    /// As [`Step::Optimize`], and steps that are left out where it has changed nothing.
    OptimizeThen(&'static dyn Pass<S>, &'static [Step<S>]),
    /// Steps that several places of a pipeline share.
    Group(&'static [Step<S>]),
    /// Steps that are left out where nothing has changed since the end of a `WhenChanged`. That once is enough is assumed:
    /// what the steps change themselves does not count. All in a pipeline have the same steps.
    WhenChanged(&'static [Step<S>]),
    /// Steps for modules or options that need them.
    When(fn(&Module, &Options) -> bool, &'static [Step<S>]),
}

/// A pass at one place of a pipeline.
pub struct Placed<S: 'static> {
    /// The pass.
    pub pass: &'static dyn Pass<S>,
    /// Whether it runs on every module with any options.
    pub always: bool,
    /// Whether legality does not need it.
    pub is_optimization: bool,
}

/// The passes of a pipeline, one for each place, in order.
pub fn passes<S>(steps: &'static [Step<S>]) -> Vec<Placed<S>> {
    let mut found = Vec::new();
    collect(steps, true, &mut found);
    found
}

fn collect<S>(steps: &'static [Step<S>], always: bool, found: &mut Vec<Placed<S>>) {
    let placed = |pass, always, is_optimization| Placed { pass, always, is_optimization };
    for step in steps {
        match step {
            Step::Run(pass) => found.push(placed(*pass, always, false)),
            Step::Alternate(both, parts) => {
                found.extend(parts.iter().chain([both]).map(|pass| placed(*pass, always, false)));
            }
            Step::Optimize(pass) => found.push(placed(*pass, false, true)),
            Step::OptimizeThen(pass, steps) => {
                found.push(placed(*pass, false, true));
                collect(steps, false, found);
            }
            Step::Flagged(pass, steps) => {
                found.push(placed(*pass, false, false));
                collect(steps, false, found);
            }
            Step::Group(steps) => collect(steps, always, found),
            Step::WhenChanged(steps) | Step::When(_, steps) => collect(steps, false, found),
        }
    }
}

/// What is wrong with the order of a pipeline, as sentences. Names of passes that it does not have are not considered.
pub fn check<S>(steps: &'static [Step<S>]) -> Vec<String> {
    let places = passes(steps);
    let names: Vec<&str> = places.iter().map(|place| place.pass.name()).collect();
    let mut complaints = Vec::new();
    let mut reached = Dialect::Core;
    for (at, place) in places.iter().enumerate() {
        let (name, order) = (names[at], place.pass.order());
        let has = |passes: &[&str], other: &str| passes.contains(&other);
        if order.requires.is_some_and(|pass| !reached.reached(pass)) {
            let pass = order.requires.map_or(String::new(), |pass| format!("{pass:?}"));
            complaints.push(format!("'{name}' requires the dialect {pass}, and the module is in {reached:?}"));
        }
        let missing = order.after.iter().filter(|other| has(&names, other) && !has(&names[..at], other));
        complaints.extend(missing.map(|other| format!("'{name}' must run after '{other}'")));
        let is_last = |other: &str| has(&names[..at], other) && !has(&names[at + 1..], other);
        let early = order.before.iter().filter(|other| is_last(other));
        complaints.extend(early.map(|other| format!("'{name}' must run before '{other}'")));
        let undoes = order.undone_by.iter().filter(|other| has(&names[at + 1..], other));
        complaints.extend(undoes.map(|other| format!("'{other}' would undo '{name}' and must not run after it")));
        if let Some(dialect) = place.pass.establishes() {
            complaints.extend(wrong_dialect(place, reached, dialect));
            reached = dialect;
        }
    }
    complaints.dedup();
    complaints
}

/// What is wrong with a pass that makes a module of one dialect a module of another. Those of Vulkan follow each other.
fn wrong_dialect<S>(place: &Placed<S>, from: Dialect, to: Dialect) -> Option<String> {
    let name = place.pass.name();
    let Dialect::Vulkan(pass) = to else { return None };
    if !place.always {
        return Some(format!("'{name}' establishes the dialect {to:?}, and does not always run"));
    }
    let first = Legalized::ALL.iter().position(|other| *other == pass).and_then(|at| at.checked_sub(1));
    let expected = first.map_or(Dialect::Core, |at| Dialect::Vulkan(Legalized::ALL[at]));
    let text = || format!("'{name}' leads from the dialect {expected:?} to {to:?}, and the module is in {from:?}");
    (from != expected).then(text)
}

#[cfg(test)]
mod tests {
    use super::Step::*;
    use super::*;
    use crate::Error;
    use crate::pass::{Changed, Context, Order};

    struct Fake(&'static str, Order, Option<Dialect>);

    impl Pass<()> for Fake {
        fn name(&self) -> &'static str {
            self.0
        }

        fn order(&self) -> Order {
            self.1
        }

        fn establishes(&self) -> Option<Dialect> {
            self.2
        }

        fn run(&self, _: &mut Module, _: &mut Context<'_, ()>) -> Result<Changed, Error> {
            Ok(Changed::No)
        }
    }

    static A: Fake = Fake("a", Order::ANY, None);
    static AFTER_A: Fake = Fake("after_a", Order { after: &["a", "elsewhere"], ..Order::ANY }, None);
    static BEFORE_A: Fake = Fake("before_a", Order { before: &["a"], ..Order::ANY }, None);
    static UNDONE: Fake = Fake("undone", Order { undone_by: &["a"], ..Order::ANY }, None);
    static FIRST: Fake = Fake("first", Order::ANY, Some(Dialect::Vulkan(Legalized::Builtins)));
    static THIRD: Fake = Fake("third", Order::ANY, Some(Dialect::Vulkan(Legalized::KernelAbi)));
    static NEEDS_FIRST: Fake = Fake("needs", Order { requires: Some(Legalized::Builtins), ..Order::ANY }, None);

    #[test]
    fn good_orders_pass() {
        static GOOD: &[Step<()>] = &[
            Run(&BEFORE_A),
            WhenChanged(&[Run(&A)]),
            Group(&[Optimize(&AFTER_A), Run(&BEFORE_A), Run(&A)]),
            Run(&UNDONE),
            Run(&FIRST),
        ];
        assert_eq!(check(GOOD), Vec::<String>::new());
        assert_eq!(passes(GOOD).iter().filter(|place| place.always).count(), 5);
    }

    #[test]
    fn wrong_orders_are_found() {
        static AFTER: &[Step<()>] = &[Run(&AFTER_A), Run(&A)];
        assert_eq!(check(AFTER), ["'after_a' must run after 'a'"]);
        static BEFORE: &[Step<()>] = &[When(|_, _| true, &[Run(&A)]), OptimizeThen(&BEFORE_A, &[])];
        assert_eq!(check(BEFORE), ["'before_a' must run before 'a'"]);
        static LAST: &[Step<()>] = &[Run(&A), Flagged(&UNDONE, &[Run(&A)])];
        assert_eq!(check(LAST), ["'a' would undo 'undone' and must not run after it"]);
    }

    #[test]
    fn dialects_follow_each_other() {
        static EARLY: &[Step<()>] = &[Run(&NEEDS_FIRST), Run(&FIRST)];
        assert_eq!(check(EARLY), ["'needs' requires the dialect Builtins, and the module is in Core"]);
        static SKIPPED: &[Step<()>] = &[Run(&FIRST), Run(&THIRD)];
        assert_eq!(check(SKIPPED).len(), 1);
        static SOMETIMES: &[Step<()>] = &[When(|_, _| true, &[Run(&FIRST)])];
        assert_eq!(check(SOMETIMES), ["'first' establishes the dialect Vulkan(Builtins), and does not always run"]);
    }
}
