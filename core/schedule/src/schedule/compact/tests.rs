use super::*;

fn step(action: Action, peer: u32, first: u32, count: u32) -> Packed {
    let chunks = ChunkRange { space: Space::Output, first, count };
    let site = Site::default();
    let step = Step { action, left: false, channel: 3, peer, chunks, source: chunks, site };
    Packed::new(&step)
}

fn compacted(steps: &[Packed]) -> CompactSteps {
    let mut compact = CompactSteps::default();
    steps.iter().for_each(|s| compact.push(*s));
    compact.finish()
}

fn steps(compact: &CompactSteps) -> impl Iterator<Item = Packed> {
    // Between two other lanes.
    let mut lanes = CompactLanes::default();
    let other = compacted(&[step(Action::Copy, 1, 2, 3)]);
    [&other, compact, compact].into_iter().for_each(|lane| lanes.add(lane));
    let mut reader = lanes.begin(1);
    std::iter::from_fn(move || {
        let step = reader.peek(&lanes);
        reader.advance(&lanes);
        step
    })
}

/// Steps in stretches of random patterns, some of which regular ones interrupt.
fn random_steps(next: &mut impl FnMut(u32) -> u32) -> Vec<Packed> {
    use Action::{Copy, Recv, RecvReduce, Reduce, Send};
    let actions = [Send, Recv, RecvReduce, Copy, Reduce];
    let mut steps = Vec::new();
    for _ in 0..next(6) {
        let period = 1 + next(6);
        let mut pattern: Vec<_> = (0..period)
            .map(|_| (step(actions[next(5) as usize], next(4), next(9), 1), [0, next(3), next(2)]))
            .collect();
        for _ in 0..next(7) {
            for (step, by) in &mut pattern {
                steps.push(*step);
                *step = step.moved(*by, 1);
            }
        }
        let left = steps.len().saturating_sub(next(2) as usize);
        steps.truncate(left);
    }
    steps
}

#[test]
fn compact_steps_are_those_that_were_pushed() {
    let mut state = 7_u64;
    let mut next = |below: u32| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) as u32 % below
    };
    for _ in 0..2000 {
        let pushed = random_steps(&mut next);
        assert!(steps(&compacted(&pushed)).eq(pushed.iter().copied()), "{pushed:?}");
    }
}

#[test]
fn a_regular_lane_is_small() {
    let lane: Vec<_> = (0..1000)
        .flat_map(|i| {
            let chunk = |i: u32| (1400 - i) % 1000;
            [step(Action::Send, 1, chunk(i), 1), step(Action::Recv, 2, chunk(i + 1), 1)]
        })
        .collect();
    let compact = compacted(&lane);
    assert!(compact.entries.len() < 20, "{}", compact.entries.len());
    assert!(steps(&compact).eq(lane));
}

#[test]
fn a_packed_step_is_the_step() {
    let chunks = |space, first| ChunkRange { space, first, count: 2 };
    for action in [Action::Send, Action::RecvReduce, Action::Put, Action::Signal, Action::Barrier] {
        let whole = Step {
            action,
            left: true,
            channel: u16::MAX,
            peer: 9,
            chunks: chunks(Space::Scratch, u32::MAX),
            source: chunks(Space::Input, 5),
            site: Site::default(),
        };
        assert_eq!(Packed::new(&whole).step(), whole);
        assert_ne!(Packed::new(&whole).digest(), step(action, 9, 0, 2).digest());
    }
}

/// A lane's digest is what it is known by: a proof, a choice, a check of purity.
#[test]
fn steps_of_distant_ranks_and_channels_have_digests_of_their_own() {
    let mut digests = std::collections::HashMap::new();
    let actions = [Action::Send, Action::Recv, Action::RecvReduce];
    for (action, peer) in actions.into_iter().flat_map(|a| (0..1100).map(move |peer| (a, peer))) {
        for (channel, count) in [(0, 1), (0, 3), (0x100, 1), (0x300, 1), (0x100, 3)] {
            let step = Packed { channel, ..step(action, peer, 5, count) };
            let other = digests.insert(Packed::chain(0, step), step);
            assert!(other.is_none(), "{step:?} {other:?}");
        }
    }
}
