//! Random stores: what the proof accepts is one-to-one, by trying every work-item and every turn.

mod random;

use random::{Case, Launch, Random, value};
use ringwood_ir::unique::requirements;
use std::collections::HashMap;

/// Two work-items that store to one element, if the launch has such.
fn meeting(case: &Case, launch: &Launch) -> Option<String> {
    let mut owners: HashMap<u64, Vec<u64>> = HashMap::new();
    for place in launch.places(case) {
        for index in case.indices.iter().filter(|_| case.runs(&place, launch)) {
            let element = value(index, &place, launch);
            let owner = owners.entry(element).or_insert_with(|| place.item.clone());
            if *owner != place.item {
                return Some(format!("{owner:?} and {:?} store to {element}", place.item));
            }
        }
    }
    None
}

/// Cases that are accepted, launches of them that are allowed, and launches whose work-items meet.
fn accepted(seeds: u64, case: fn(&mut Random) -> Case) -> (usize, usize, usize) {
    let (mut accepted, mut launched, mut met) = (0, 0, 0);
    for seed in 0..seeds {
        let mut random = Random(seed);
        let case = case(&mut random);
        let proved = requirements(&case.kernel(), &case.domain);
        accepted += usize::from(proved.is_ok());
        for _ in 0..6 {
            let launch = Launch::of(&mut random).over(&case.domain);
            let found = meeting(&case, &launch);
            met += usize::from(found.is_some());
            let Ok(requires) = &proved else { continue };
            if launch.allows(requires) {
                launched += 1;
                let text = found.as_deref().unwrap_or("");
                assert!(found.is_none(), "{seed}: {text}\n{launch:?}\n{}", case.kernel());
            }
        }
    }
    (accepted, launched, met)
}

#[test]
fn what_is_accepted_is_one_to_one() {
    let (accepted, launched, met) = accepted(2_000, Case::of);
    assert!(accepted > 200 && launched > 500, "{accepted} accepted, {launched} launched");
    assert!(met > 1_000, "{met} launches had work-items that meet");
}

#[test]
fn two_stores_that_are_accepted_are_apart() {
    let (accepted, launched, met) = accepted(4_000, Case::pair);
    assert!(accepted > 500 && launched > 1_000, "{accepted} accepted, {launched} launched");
    assert!(met > 2_000, "{met} launches had work-items that meet");
}

#[test]
fn two_stores_in_each_row_that_are_accepted_are_apart() {
    let (accepted, launched, met) = accepted(1_500, Case::rows);
    assert!(accepted > 300 && launched > 1_000, "{accepted} accepted, {launched} launched");
    assert!(met > 2_000, "{met} launches had work-items that meet");
}

#[test]
fn the_order_of_addends_decides_nothing() {
    for seed in 0..1_000 {
        let mut random = Random(seed);
        let mut case = Case::of(&mut random);
        case.indices.truncate(1);
        let before = requirements(&case.kernel(), &[]);
        random.shuffle(&mut case.indices[0]);
        let after = requirements(&case.kernel(), &[]);
        assert_eq!(before.is_ok(), after.is_ok(), "{seed}: {}", case.kernel());
        let (Ok(before), Ok(after)) = (before, after) else { continue };
        for _ in 0..6 {
            let launch = Launch::of(&mut random);
            let (a, b) = (launch.allows(&before), launch.allows(&after));
            assert_eq!(a, b, "{seed}: {launch:?}\n{}", case.kernel());
        }
    }
}
