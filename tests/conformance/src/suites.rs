//! All cases.

mod batches;
mod bindings;
mod capabilities;
mod command_buffers;
mod concurrency;
mod coverage;
mod data;
mod donation;
mod events;
mod failures;
mod hazards;
mod kernels;
mod memory;
mod merge;
mod native;
mod programs;
mod refusals;
mod runtime;
mod sources;
mod standard;

use crate::bench::Bench;
use crate::case::{Case, Check, Power};
pub(crate) use standard::add;

/// All cases, by suite.
pub fn cases() -> Vec<Case> {
    [
        capabilities::CASES,
        data::CASES,
        events::CASES,
        kernels::CASES,
        standard::CASES,
        sources::CASES,
        failures::CASES,
        command_buffers::CASES,
        concurrency::CASES,
        hazards::CASES,
        memory::CASES,
        runtime::CASES,
        coverage::CASES,
        batches::CASES,
        bindings::CASES,
        merge::CASES,
        donation::CASES,
        refusals::CASES,
    ]
    .concat()
}

type Checks<const N: usize> = [(&'static str, fn(&Bench) -> Check); N];

/// The cases of one suite that share what they need.
const fn suite<const N: usize>(
    suite: &'static str,
    needs: &'static [Power],
    checks: Checks<N>,
) -> [Case; N] {
    let mut cases = [Case { suite, name: "", needs, check: |_| Ok(()) }; N];
    let mut i = 0;
    while i < N {
        (cases[i].name, cases[i].check) = checks[i];
        i += 1;
    }
    cases
}
