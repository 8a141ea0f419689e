//! Promoted programs compute the same.

use super::PromoteIntegers;
use crate::pass::{Context, Pass};
use crate::twins::{first_difference, outcome, program};
use crate::{print, verify};
use clforge_basic::options::Options;

#[test]
fn promoted_programs_compute_the_same() {
    for seed in 1..=2000 {
        let (mut module, values) = program(seed);
        let before = outcome(&module, "plain", values.len());
        let options = Options::default();
        PromoteIntegers.run(&mut module, &mut Context { options: &options, state: () }).expect("it is small");
        let text = || print::print(&module);
        verify::verify(&module, verify::Dialect::Core)
            .unwrap_or_else(|message| panic!("seed {seed}: {message}\n{}", text()));
        for name in ["plain", "folded"] {
            let after = outcome(&module, name, values.len());
            let difference = first_difference(&values, &before, &after);
            assert_eq!(difference, None, "seed {seed}, {name}\n{}", text());
        }
    }
}
