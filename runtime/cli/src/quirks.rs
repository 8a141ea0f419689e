//! Warnings about known defects of the device, for kernels that may be affected by them.

use crate::failure::Failure;
use crate::terminal;
use clforge_runtime::{Kernel, Quirk};

/// Warns behind a run whose kernel has loops that the driver may have ended.
pub fn warn(kernel: &Kernel) -> Result<(), Failure> {
    if terminal::gives_warnings() && kernel.may_exceed_loop_limit()? {
        terminal::warning(&format!(
            "this driver silently ends loops after {} iterations, which those of kernel '{}' may have reached: then its results are \
             wrong; see 'clforge devices'",
            Quirk::LOOP_LIMIT,
            kernel.name()
        ));
    }
    Ok(())
}
