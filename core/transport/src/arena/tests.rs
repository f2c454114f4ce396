use super::*;
use crate::board::Watch;
use crate::{Bounds, Buffers, CallSpec, Intent, Plan, Ready};
use ringwood_base::registry::Registry;
use ringwood_base::{DType, Shared as Either};
use ringwood_schedule::{BufferMode, Collective, Descriptor, Lane, Operation, Params, Request};

struct Pass;

impl Collective for Pass {
    fn describe(&self) -> Descriptor {
        Descriptor::broadcast("pass")
    }

    fn schedule(&self, p: &Params, rank: Rank, s: &mut Lane) {
        match rank.index() {
            0 => s.send(p.rank(1), p.all()),
            _ => s.recv(p.rank(0), p.all()),
        }
    }
}

/// Nobody is alive, and so nobody is waited for.
struct Nobody;

impl Watch for Nobody {
    fn is_alive(&self, _rank: usize) -> bool {
        false
    }
}

/// Marks rank 1 of 2 as one that was stopped inside of a call.
fn stop_inside(ground: &Arc<Ground>) {
    // SAFETY: the ground was made for a board of 2 ranks, and keeps it mapped.
    let board = unsafe { Board::at(ground.board(), 2, ground, Box::new(Nobody), Arc::default()) };
    std::mem::forget(board.enter(1).unwrap());
}

#[test]
fn what_is_written_after_a_failure_stays_through_later_calls() {
    let (rank, ground) = (Rank::new(0, 2), Ground::create(2).unwrap());
    let mut end = enter(rank, &ground, &Arc::default()).unwrap();
    stop_inside(&ground);
    let request =
        Request::new(Operation::Broadcast, 2, 5_000, DType::F32).mode(BufferMode::InPlace);
    let registry = Registry::default();
    let plan = Plan::new(Either::Declared(&Pass), &registry, rank, &request).unwrap();
    end.prepare(0, &plan).unwrap();
    let spec = CallSpec {
        request,
        order: None,
        algorithm: "pass".into(),
        on_devices: false,
        purpose: None,
    };
    let ready = Ready { spec: &spec, fingerprint: spec.fingerprint(), slot: 0 };
    let short = Duration::from_millis(20);
    let bounds = Bounds { arrival: short, execution: short };
    let mut data = end.allocate(20_000).unwrap();
    let call = |call| {
        let buffers = Buffers::InPlace(data.bytes_mut());
        let error = end.call(&Intent { call, what: Ok(ready), bounds }, buffers).unwrap_err();
        assert_eq!(error.message(), "rank 1 of 2 did not come to call #1 in time");
        let written = call as u8 - 1;
        assert!(data.bytes().iter().all(|byte| *byte == written));
        data.bytes_mut().fill(call as u8);
    };
    (1..=3).for_each(call);
}
