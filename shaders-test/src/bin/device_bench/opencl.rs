//! Every OpenCL driver of the machine.

use crate::case::Setup;
use crate::engine::{Built, Engine, Prepared, Times};
use clforge_harness::opencl::{ClLaunch, ClProgram, Runner};
use std::sync::Arc;

impl Engine for Runner {
    fn name(&self) -> String {
        self.description()
    }

    fn build(&self, source: &str, options: &str) -> Result<Box<dyn Built>, String> {
        self.build_source(source, options).map(|program| Box::new(Arc::new(program)) as Box<dyn Built>)
    }
}

impl Built for Arc<ClProgram> {
    fn prepare(&self, kernel: &str, setup: &Setup) -> Result<Box<dyn Prepared>, String> {
        let launch = ClProgram::prepare(self, kernel, &setup.range, setup.args.clone())?;
        Ok(Box::new(launch))
    }
}

impl Prepared for ClLaunch {
    fn time(&self) -> Result<Times, String> {
        ClLaunch::time(self)
    }

    fn results(&self) -> Result<Vec<Vec<u8>>, String> {
        ClLaunch::results(self)
    }
}
