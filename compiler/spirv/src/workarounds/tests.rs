//! Random programs compute the same once workarounds have changed them.

use super::{
    bool_bitcast::BoolBitcast, byte_swap::ByteSwap, narrow_bitcast::NarrowBitcast, narrow_negation::NarrowNegation,
    overflow_checks::OverflowChecks, sign_extension::SignExtension, signed_bytes::SignedBytes,
    signed_products::SignedProducts, upper_halves::UpperHalves, vector_division::VectorDivision,
    vector_insertion::VectorInsertion,
};
use clforge_basic::options::Options;
use clforge_ir::pass::{Context, Pass};
use clforge_ir::passes::PromoteIntegers;
use clforge_ir::twins::{first_difference, outcome, program};
use clforge_ir::{print, verify};
use std::collections::BTreeMap;

/// Those that change arithmetic and vectors, in the order of the pipeline.
const PASSES: [&dyn Pass<()>; 11] = [
    &SignedProducts,
    &OverflowChecks,
    &VectorDivision,
    &BoolBitcast,
    &UpperHalves,
    &ByteSwap,
    &SignedBytes,
    &NarrowNegation,
    &NarrowBitcast,
    &SignExtension,
    &VectorInsertion,
];

/// Compares what a random program stores before and after passes, and counts the programs that each of them has changed.
fn compare(seed: u64, passes: &[&dyn Pass<()>], changed: &mut BTreeMap<&'static str, u32>) {
    let (mut module, values) = program(seed);
    let before = outcome(&module, "plain", values.len());
    for pass in passes {
        let (options, unchanged) = (Options::default(), print::print(&module));
        pass.run(&mut module, &mut Context { options: &options, state: () }).expect("the program is small");
        *changed.entry(pass.name()).or_default() += u32::from(print::print(&module) != unchanged);
        let text = || format!("seed {seed}, {}\n{}", pass.name(), print::print(&module));
        verify::verify(&module, verify::Dialect::Core).unwrap_or_else(|message| panic!("{message}: {}", text()));
        for name in ["plain", "folded"] {
            let after = outcome(&module, name, values.len());
            let difference = first_difference(&values, &before, &after);
            assert_eq!(difference, None, "{name}, {}", text());
        }
    }
}

fn compare_all(passes: &[&dyn Pass<()>]) {
    let mut changed = BTreeMap::new();
    (1..=200).for_each(|seed| compare(seed, passes, &mut changed));
    for (pass, programs) in changed {
        assert!(programs > 0, "{pass} changes no program");
    }
}

#[test]
fn programs_compute_the_same() {
    compare_all(&PASSES);
}

#[test]
fn promoted_programs_compute_the_same() {
    let promote: [&dyn Pass<()>; 1] = [&PromoteIntegers];
    compare_all(&[&promote[..], &PASSES].concat());
}
