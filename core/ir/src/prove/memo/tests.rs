use super::*;
use crate::tests::saxpy;

fn facts(a: f32, n: usize) -> [Fact<'static>; 3] {
    [Fact::Scalar(a.into()), Fact::Len(n), Fact::Len(n)]
}

#[test]
fn a_launch_is_proved_once_whatever_its_floats_are() {
    let (kernel, prover) = (saxpy(), Prover::default());
    let first = prover.prove(&kernel, &LaunchFacts { domain: &[8], args: &facts(1.0, 8) });
    let again = prover.prove(&kernel, &LaunchFacts { domain: &[8], args: &facts(2.0, 8) });
    assert!(first.unchecked() && Arc::ptr_eq(&first, &again));
    let other = prover.prove(&kernel, &LaunchFacts { domain: &[9], args: &facts(2.0, 8) });
    assert_eq!((other.unchecked(), prover.remembered()), (false, 2));
}

#[test]
fn old_launches_are_forgotten_and_repeated_ones_kept() {
    let (kernel, prover) = (saxpy(), Prover::default());
    let first = prover.prove(&kernel, &LaunchFacts { domain: &[1], args: &facts(1.0, 1) });
    for n in 2..200 {
        prover.prove(&kernel, &LaunchFacts { domain: &[n], args: &facts(1.0, n) });
        let again = prover.prove(&kernel, &LaunchFacts { domain: &[1], args: &facts(1.0, 1) });
        assert!(Arc::ptr_eq(&first, &again));
    }
    assert_eq!(prover.remembered(), LAUNCHES);
}
