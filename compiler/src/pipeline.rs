//! The only place where stages and passes are ordered; each line says why it stands where it stands.

use crate::diag::{Diagnostic, Diagnostics};
use crate::{Compiled, Options, Source, Stage};

/// See [`crate::compile`].
pub fn compile(_source: Source<'_>, _options: &Options) -> Result<Compiled, Diagnostics> {
    Err(not_there())
}

/// See [`crate::print_stage`].
pub fn print_stage(_source: Source<'_>, _options: &Options, _stage: Stage) -> Result<String, Diagnostics> {
    Err(not_there())
}

fn not_there() -> Diagnostics {
    Diagnostics {
        list: vec![Diagnostic::internal("the pipeline is not connected yet")],
        suppressed: 0,
        sources: Default::default(),
        names: Default::default(),
    }
}
