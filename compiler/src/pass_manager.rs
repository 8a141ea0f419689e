//! Runs the passes of a pipeline: decides which are to run, verifies the IR after each, and reports to an observer.

use crate::observer::Observer;
use clforge_basic::options::Options;
use clforge_ir::pass::Changed;
use clforge_ir::room::Room;
use clforge_ir::verify::{Dialect, verify};
use clforge_ir::{Error, Module, print};
use clforge_spirv::legalize::{Context, Pass, State};
use std::fmt;
use std::time::Instant;

/// A line of a pipeline.
pub enum Step {
    /// A pass.
    Run(&'static Pass),
    /// A pass that legality does not need: it is left out under [`Options::opt_disable`] and [`Options::disabled_passes`].
    Optimize(&'static Pass),
    /// As [`Step::Optimize`], and steps that are left out where it has changed nothing.
    OptimizeThen(&'static Pass, &'static [Step]),
    /// Steps that several places of a pipeline share.
    Group(&'static [Step]),
    /// Steps that are left out where nothing has changed since the end of a `WhenChanged`. That once is enough is assumed:
    /// what the steps change themselves does not count. All in a pipeline have the same steps.
    WhenChanged(&'static [Step]),
    /// Steps for modules or options that need them.
    When(fn(&Module, &Options) -> bool, &'static [Step]),
}

impl Step {
    /// The passes of [`Step::Optimize`] and [`Step::OptimizeThen`].
    pub fn optimizations(steps: &'static [Step]) -> Vec<&'static str> {
        let of = |step: &'static Step| match step {
            Step::Run(_) => Vec::new(),
            Step::Optimize(pass) => vec![pass.name()],
            Step::OptimizeThen(pass, steps) => [vec![pass.name()], Step::optimizations(steps)].concat(),
            Step::Group(steps) | Step::WhenChanged(steps) | Step::When(_, steps) => Step::optimizations(steps),
        };
        steps.iter().flat_map(of).collect()
    }
}

/// Runs pipelines.
pub struct PassManager<'o> {
    options: &'o Options,
    /// Who watches.
    pub observer: Option<&'o mut dyn Observer>,
    dialect: Dialect,
    /// Whether a pass changed the module after the last [`Step::WhenChanged`].
    changed: bool,
}

impl<'o> PassManager<'o> {
    pub fn new(options: &'o Options, observer: Option<&'o mut dyn Observer>) -> PassManager<'o> {
        PassManager { options, observer, dialect: Dialect::Core, changed: true }
    }

    /// Runs a pipeline on what lowering made; afterwards the module is in `dialect`.
    ///
    /// # Errors
    /// Those of the passes. In debug builds and tests, a pass that broke the IR's contract too.
    pub fn run(&mut self, steps: &[Step], module: &mut Module, dialect: Dialect) -> Result<State, Error> {
        self.verify(module, "lower")?;
        let mut context = Context { options: self.options, state: State::default() };
        self.steps(steps, module, &mut context)?;
        self.dialect = dialect;
        self.verify(module, "all passes")?;
        Ok(context.state)
    }

    fn steps(&mut self, steps: &[Step], module: &mut Module, context: &mut Context<'_>) -> Result<(), Error> {
        for step in steps {
            match step {
                Step::Run(pass) => self.pass(*pass, module, context)?,
                Step::Optimize(pass) | Step::OptimizeThen(pass, _)
                    if self.options.opt_disable || self.is_disabled(*pass) => {}
                Step::Optimize(pass) => self.pass(*pass, module, context)?,
                Step::OptimizeThen(pass, steps) => {
                    let changed = std::mem::take(&mut self.changed);
                    self.pass(*pass, module, context)?;
                    if self.changed {
                        self.steps(steps, module, context)?;
                    }
                    self.changed |= changed;
                }
                Step::Group(steps) => self.steps(steps, module, context)?,
                Step::WhenChanged(steps) if self.changed => {
                    self.steps(steps, module, context)?;
                    self.changed = false;
                }
                Step::When(applies, steps) if applies(module, self.options) => self.steps(steps, module, context)?,
                Step::WhenChanged(_) | Step::When(..) => {}
            }
        }
        Ok(())
    }

    fn is_disabled(&self, pass: &Pass) -> bool {
        self.options.disabled_passes.iter().any(|name| name == pass.name())
    }

    fn pass(&mut self, pass: &Pass, module: &mut Module, context: &mut Context<'_>) -> Result<(), Error> {
        if let Some(observer) = &mut self.observer {
            observer.before_pass(pass.name(), &Text(module));
        }
        let start = self.observer.is_some().then(Instant::now);
        self.changed |= pass.run(module, context)? == Changed::Maybe;
        Room::new(module, self.options.max_instructions).check(0)?;
        if let (Some(observer), Some(start)) = (&mut self.observer, start) {
            observer.timed(pass.name(), start.elapsed());
        }
        self.dialect = pass.dialect().unwrap_or(self.dialect);
        self.verify(module, pass.name())?;
        if let Some(observer) = &mut self.observer {
            observer.after_pass(pass.name(), &Text(module));
        }
        Ok(())
    }

    /// The IR's contract in the dialect in force.
    fn verify(&self, module: &Module, after: &str) -> Result<(), Error> {
        if !cfg!(debug_assertions) {
            return Ok(());
        }
        verify(module, self.dialect).map_err(|error| Error::internal(format!("after {after}: {error}")).at(error.span))
    }
}

/// The text form of a module.
struct Text<'m>(&'m Module);

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&print::print(self.0))
    }
}
