//! Runs the passes of a pipeline: decides which are to run, verifies the IR after each, and reports to an observer.

use crate::observer::Observer;
use crate::pass_lists;
use clforge_basic::options::Options;
use clforge_ir::pass::Changed;
use clforge_ir::room::Room;
use clforge_ir::verify::{Dialect, verify};
use clforge_ir::{Error, Module, print};
use clforge_spirv::legalize::{Context, Pass, State, Step};
use std::fmt;
use std::sync::Once;
use std::time::Instant;

/// Done once in each process of a debug build.
static ORDERS_ARE_RIGHT: Once = Once::new();

/// Runs pipelines.
pub struct PassManager<'p, 'o> {
    options: &'p Options,
    /// Who watches.
    pub observer: Option<&'o mut dyn Observer>,
    dialect: Dialect,
    /// Whether a pass changed the module after the last [`Step::WhenChanged`].
    changed: bool,
}

impl<'p, 'o> PassManager<'p, 'o> {
    pub fn new(options: &'p Options, observer: Option<&'o mut dyn Observer>) -> PassManager<'p, 'o> {
        PassManager { options, observer, dialect: Dialect::Core, changed: true }
    }

    /// Runs a pipeline on what lowering made; afterwards the module is in `dialect`.
    ///
    /// # Errors
    /// Those of the passes. In debug builds and with `CodegenOptions::verify_ir`, a pass that broke the IR's contract too.
    pub fn run(&mut self, steps: &[Step], module: &mut Module, dialect: Dialect) -> Result<State, Error> {
        if cfg!(debug_assertions) {
            ORDERS_ARE_RIGHT.call_once(|| assert_eq!(pass_lists::check(), Vec::<String>::new()));
        }
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
                Step::Alternate(pass, _) => self.pass(*pass, module, context)?,
                Step::Flagged(pass, steps) if self.options.codegen.has_flag_of(pass.name()) => {
                    self.pass(*pass, module, context)?;
                    self.steps(steps, module, context)?;
                }
                Step::Optimize(pass) | Step::OptimizeThen(pass, _)
                    if self.options.codegen.opt_disable || self.is_disabled(*pass) => {}
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
                Step::Flagged(..) | Step::WhenChanged(_) | Step::When(..) => {}
            }
        }
        Ok(())
    }

    fn is_disabled(&self, pass: &Pass) -> bool {
        self.options.codegen.disabled_passes.iter().any(|name| name == pass.name())
    }

    fn pass(&mut self, pass: &Pass, module: &mut Module, context: &mut Context<'_>) -> Result<(), Error> {
        if let Some(observer) = &mut self.observer {
            observer.before_pass(pass.name(), &Text(module));
        }
        let start = self.observer.is_some().then(Instant::now);
        self.changed |= pass.run(module, context)? == Changed::Maybe;
        Room::new(module, self.options.codegen.max_instructions).check(0)?;
        if let (Some(observer), Some(start)) = (&mut self.observer, start) {
            observer.timed(pass.name(), start.elapsed());
        }
        self.dialect = pass.establishes().unwrap_or(self.dialect);
        self.verify(module, pass.name())?;
        if let Some(observer) = &mut self.observer {
            observer.after_pass(pass.name(), &Text(module));
        }
        Ok(())
    }

    /// The IR's contract in the dialect in force.
    fn verify(&self, module: &Module, after: &str) -> Result<(), Error> {
        if !cfg!(debug_assertions) && !self.options.codegen.verify_ir {
            return Ok(());
        }
        verify(module, self.dialect).map_err(|errors| {
            let span = errors.list.first().map(|error| error.span).unwrap_or_default();
            Error::internal(format!("after {after}: {errors}")).at(span)
        })
    }
}

/// The text form of a module.
struct Text<'m>(&'m Module);

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&print::print(self.0))
    }
}
