//! Plans that other projects publish keep their verdicts.

use ringwood_formats::plan::PlanAction;
use ringwood_formats::{Imported, Relaxed, check, read_file};
use std::path::{Path, PathBuf};

/// Files and what is wrong with them; nothing if they are right.
const PLANS: [(&str, &str); 14] = [
    ("a2a2ll.xml", ""),
    ("ag-1m.xml", ""),
    ("ag_hier_4_LL.xml", ""),
    ("allgather_hierarchical.xml", ""),
    ("alltoall-8n-9kb-190kb.xml", ""),
    ("ar_hier_12_Simple.xml", ""),
    ("ar_tree_12_LL.xml", ""),
    ("r48ll128.xml", ""),
    ("allreduce_packet.json", ""),
    ("reduce.json", ""),
    ("reduce_pack.json", ""),
    ("transfer_pack.json", ""),
    ("reduce_tbg.json", "race on output 1 (part 1 of 2) of rank 1"),
    ("reduce_nvls.json", "its rank may end before"),
];

fn folder() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/fixtures/plans");
    if !folder.is_dir() {
        println!("skipped: {} is not there", folder.display());
    }
    folder.is_dir().then_some(folder)
}

#[test]
fn public_plans_keep_their_verdicts() {
    let Some(folder) = folder() else { return };
    for (name, wrong) in PLANS {
        let plan = read_file(&folder.join(name)).unwrap();
        for &mode in &plan.modes {
            let report = check(&plan, mode, Relaxed::default()).unwrap();
            assert_eq!(report.ok(), wrong.is_empty(), "{name}: {report}");
            assert!(report.to_string().contains(wrong), "{name}: {report}");
        }
        if wrong.is_empty() {
            assert!(Imported::new(&plan).unwrap().verdicts().all(ringwood_schedule::Verdict::ok));
        }
    }
    let plan = read_file(&folder.join("reduce_nvls.json")).unwrap();
    assert!(check(&plan, plan.modes[0], Relaxed::Memory).unwrap().ok());
    let report = check(&plan, plan.modes[0], Relaxed::default()).unwrap().to_string();
    assert!(
        report.contains("relaxed signals") && report.contains("`--relaxed memory`"),
        "{report}"
    );
}

#[test]
fn mutants_of_public_packet_plans_are_caught() {
    let Some(folder) = folder() else { return };
    let (mut dropped, mut caught) = (0, 0);
    for name in ["allreduce_packet.json", "reduce_pack.json"] {
        let plan = read_file(&folder.join(name)).unwrap();
        for lane in 0..plan.lanes.len() {
            for op in 0..plan.lanes[lane].ops.len() {
                let mut mutant = plan.clone();
                mutant.lanes[lane].ops[op].action = PlanAction::Nop;
                let report = check(&mutant, mutant.modes[0], Relaxed::default()).unwrap();
                dropped += 1;
                caught += usize::from(!report.ok());
                // Nobody takes the packets that `recspkt` leaves with its own rank.
                let unused = plan.lanes[lane].ops[op].origin.name == "recspkt"
                    && plan.lanes[lane].ops[op]
                        .action
                        .moved()
                        .is_some_and(|s| !s.has_peer() && !s.merges());
                assert!(!report.ok() || unused, "{name} without lane {lane} operation {op}");
            }
        }
    }
    println!("{caught} of {dropped} dropped operations found");
    assert!(dropped > 10);
}
