//! Random programs compute the same once workarounds have changed them.

use super::*;
use clforge_basic::options::Options;
use clforge_ir::pass::{Context, Pass};
use clforge_ir::passes::PromoteIntegers;
use clforge_ir::twins::{outcome, program, same};
use clforge_ir::{Module, print, verify};

/// Those that change arithmetic and vectors, in the order of the pipeline.
const PASSES: [&dyn Pass<()>; 8] = [
    &SignedProducts,
    &VectorDivision,
    &BoolBitcast,
    &SignedBytes,
    &NarrowNegation,
    &NarrowBitcast,
    &SignExtension,
    &VectorInsertion,
];

fn run(pass: &dyn Pass<()>, module: &mut Module) {
    let options = Options::default();
    pass.run(module, &mut Context { options: &options, state: () }).expect("the program is small");
}

/// Compares what a random program stores before and after passes.
fn compare(seed: u64, passes: &[&dyn Pass<()>]) {
    let (mut module, values) = program(seed);
    let before = outcome(&module, "plain", values.len());
    for pass in passes {
        run(*pass, &mut module);
        let text = || format!("seed {seed}, {}\n{}", pass.name(), print::print(&module));
        verify::verify(&module, verify::Dialect::Core).unwrap_or_else(|message| panic!("{message}: {}", text()));
        for name in ["plain", "folded"] {
            let after = outcome(&module, name, values.len());
            for (index, (pair, (a, b))) in values.iter().zip(before.chunks(32).zip(after.chunks(32))).enumerate() {
                assert!(same(pair.ty, a, b), "value {index} of {name}: {}", text());
            }
        }
    }
}

#[test]
fn programs_compute_the_same() {
    for seed in 1..=200 {
        compare(seed, &PASSES);
    }
}

#[test]
fn promoted_programs_compute_the_same() {
    for seed in 1..=200 {
        let mut passes: Vec<&dyn Pass<()>> = vec![&PromoteIntegers];
        passes.extend(PASSES);
        compare(seed, &passes);
    }
}
