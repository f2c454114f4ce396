use super::*;
use ringwood_base::registry::{Entry, EntryMeta};
use ringwood_base::{DType, Shape};
use ringwood_schedule::{Collective, Descriptor, Lane, Operation, Params, Rank};
use std::thread;

struct Chain;

impl Collective for Chain {
    fn describe(&self) -> Descriptor {
        Descriptor::broadcast("chain")
    }

    fn schedule(&self, p: &Params, rank: Rank, s: &mut Lane) {
        if rank != p.root() {
            s.recv(rank.prev(), p.all());
        }
        if rank.next() != p.root() {
            s.send(rank.next(), p.all());
        }
    }
}

/// A fold from rank 0 on, then the result along the same way.
struct Around;

impl Collective for Around {
    fn describe(&self) -> Descriptor {
        Descriptor::all_reduce("around")
    }

    fn schedule(&self, p: &Params, rank: Rank, s: &mut Lane) {
        let last = p.ranks() - 1;
        if rank.index() > 0 {
            s.recv_reduce(rank.prev(), p.all());
        }
        if rank.index() < last {
            s.send(rank.next(), p.all());
            s.recv(rank.prev(), p.all());
        }
        if last > 0 && rank.index() + 1 != last {
            s.send(rank.next(), p.all());
        }
    }
}

fn entry(name: &'static str, collective: &'static dyn Collective) -> Entry {
    let meta = EntryMeta {
        package: "tests",
        name,
        module_path: module_path!(),
        file: file!(),
        line: line!(),
    };
    Entry::new(meta, Box::leak(Box::new(ringwood_schedule::CollectiveDef { collective })))
}

/// A broadcast and an all-reduce.
pub(super) fn registry() -> Registry {
    let registry =
        Registry::builder().register(entry("chain", &Chain)).register(entry("around", &Around));
    registry.build().unwrap()
}

fn resolver() -> GroupResolver {
    GroupResolver::new(registry()).timeout(Duration::from_secs(5))
}

fn member(size: usize, device: usize) -> Member {
    Member::new(1, size, "cpu", &format!("cpu:{device}"))
}

/// Runs `body` on a thread for each of `n` members, in group 1, and returns the outcomes.
fn at_once<T: Send>(n: usize, body: impl Fn(usize) -> Result<T> + Sync) -> Vec<Result<T>> {
    let body = &body;
    thread::scope(|scope| {
        let threads: Vec<_> = (0..n).map(|i| scope.spawn(move || body(i))).collect();
        threads.into_iter().map(|t| t.join().unwrap()).collect()
    })
}

fn one_error<T: std::fmt::Debug>(outcomes: Vec<Result<T>>) -> Error {
    let mut errors = outcomes.into_iter().map(|o| o.unwrap_err());
    let first = errors.next().unwrap();
    assert!(errors.all(|e| e.to_string() == first.to_string()));
    first
}

fn groups(resolver: &GroupResolver, n: usize) -> Vec<ResolvedGroup> {
    let joined = at_once(n, |i| resolver.join(&member(n, i)));
    joined.into_iter().collect::<Result<_>>().unwrap()
}

fn request(operation: Operation) -> InstanceRequest {
    InstanceRequest::new(3, operation, DType::F32, Shape::vector(8))
}

#[test]
fn members_get_ranks_in_numeric_order_of_devices_and_may_join_again() {
    let resolver = resolver();
    let groups = groups(&resolver, 12);
    for (i, group) in groups.iter().enumerate() {
        assert_eq!((group.rank(), group.size()), (i, 12));
        assert_eq!(group.members()[10], "cpu:10");
        assert_eq!(resolver.join(&member(12, i)).unwrap().rank(), i);
    }
}

#[test]
fn ranks_that_members_ask_for_are_theirs() {
    let resolver = resolver();
    let joined = at_once(3, |i| resolver.join(&member(3, i).rank(2 - i)));
    let ranks: Vec<_> = joined.into_iter().map(|g| g.unwrap().rank()).collect();
    assert_eq!(ranks, [2, 1, 0]);
}

#[test]
fn a_member_that_disagrees_fails_the_group_for_every_caller() {
    let cases: [(Member, &str); 6] = [
        (member(4, 9), "cpu:9 joins group 1 with size 4, but the group has size 3"),
        (Member::new(1, 3, "gpu", "gpu:0"), "as a device of type gpu, but the group has cpu"),
        (member(3, 9).rank(3), "as rank 3, but ranks are below 3"),
        (member(3, 9).rank(0), "as rank 0, which cpu:0 has taken"),
        (member(3, 9), "where some members ask for a rank and some do not"),
        (member(0, 9), "with a size of 0"),
    ];
    for (odd, text) in cases {
        let resolver = resolver();
        let outcomes = at_once(3, |i| {
            if i < 2 {
                return resolver.join(&member(3, i).rank(i));
            }
            while resolver.lock().groups.get(&1).is_none_or(|g| !g.has(2)) {
                thread::yield_now();
            }
            resolver.join(&odd)
        });
        let error = one_error(outcomes);
        assert_eq!(error.kind(), ErrorKind::Mismatch);
        assert!(error.message().contains(text), "{error}");
        let late = resolver.join(&member(3, 2).rank(2)).unwrap_err();
        assert_eq!(late.to_string(), error.to_string());
    }
}

#[test]
fn a_full_group_takes_no_other_device() {
    let resolver = resolver();
    groups(&resolver, 2);
    let error = resolver.join(&member(2, 5)).unwrap_err();
    assert_eq!(error.message(), "cpu:5 joins group 1 that is full: cpu:0, cpu:1");
}

#[test]
fn a_group_that_stays_incomplete_times_out_or_is_cancelled_for_all_that_wait() {
    let resolver = resolver().timeout(Duration::from_millis(50));
    let error = one_error(at_once(2, |i| resolver.join(&member(3, i))));
    assert_eq!(error.kind(), ErrorKind::Timeout);
    assert_eq!(error.message(), "group 1 has 2 of 3 members: cpu:0, cpu:1");

    let resolver = self::resolver();
    let outcomes = at_once(3, |i| {
        if i < 2 {
            return resolver.join(&member(3, i));
        }
        while resolver.lock().groups.get(&1).is_none_or(|g| !g.has(2)) {
            thread::yield_now();
        }
        resolver.cancel(1);
        resolver.join(&member(3, 2))
    });
    assert_eq!(one_error(outcomes).message(), "group 1 was cancelled before it was complete");
}

#[test]
fn a_cancel_after_completion_changes_nothing_and_an_abort_reaches_everyone() {
    let resolver = resolver();
    let group = groups(&resolver, 2).remove(0);
    resolver.cancel(1);
    assert!(resolver.join(&member(2, 0)).is_ok());
    let outcomes = at_once(3, |i| match i {
        0 => resolver.join(&Member::new(2, 2, "cpu", "cpu:0")).map(|_| ()),
        1 => resolver.instance(&group, &request(Operation::Broadcast)).map(|_| ()),
        _ => {
            thread::sleep(Duration::from_millis(10));
            resolver.abort(Error::new(ErrorKind::Aborted, "the step is given up"));
            resolver.communicator(&group).map(|_| ())
        }
    });
    assert_eq!(one_error(outcomes).message(), "the step is given up");
}

#[test]
fn an_all_reduce_is_answered_at_once_and_a_disagreement_reaches_later_callers() {
    let resolver = resolver();
    let groups = groups(&resolver, 3);
    let first = resolver.instance(&groups[0], &request(Operation::AllReduce)).unwrap();
    assert_eq!((first.algorithm.as_str(), first.params.ranks()), ("around", 3));
    let other = InstanceRequest::new(3, Operation::AllReduce, DType::F64, Shape::vector(8));
    let error = resolver.instance(&groups[1], &other).unwrap_err();
    assert_eq!(
        error.message(),
        "members disagree on the dtype of instance 3 of group 1: rank 1 (cpu:1) has f64, the first one has f32"
    );
    let late = resolver.instance(&groups[2], &request(Operation::AllReduce)).unwrap_err();
    assert_eq!(late.to_string(), error.to_string());
}

#[test]
fn shapes_and_algorithms_are_compared_too() {
    let others = [
        (InstanceRequest::new(3, Operation::AllReduce, DType::F32, Shape::vector(9)), "shape"),
        (request(Operation::AllReduce).algorithm("around"), "algorithm"),
        (request(Operation::Broadcast), "operation"),
    ];
    for (other, field) in others {
        let resolver = resolver();
        let groups = groups(&resolver, 2);
        resolver.instance(&groups[0], &request(Operation::AllReduce)).unwrap();
        let error = resolver.instance(&groups[1], &other).unwrap_err();
        assert!(error.message().starts_with(&format!("members disagree on the {field} of")));
    }
}

#[test]
fn a_broadcast_waits_for_its_root() {
    let resolver = resolver();
    let groups = groups(&resolver, 3);
    let resolved = at_once(3, |i| {
        let request = request(Operation::Broadcast);
        resolver.instance(&groups[i], &if i == 2 { request.root() } else { request })
    });
    for instance in resolved {
        let instance = instance.unwrap();
        assert_eq!((instance.algorithm.as_str(), instance.params.root().index()), ("chain", 2));
    }
}

#[test]
fn a_broadcast_with_no_root_or_two_fails_for_every_caller() {
    let resolver = resolver();
    let groups = groups(&resolver, 3);
    let none = at_once(3, |i| resolver.instance(&groups[i], &request(Operation::Broadcast)));
    assert_eq!(
        one_error(none).message(),
        "instance 3 of group 1 has no root: none of its 3 members claims to be it"
    );
    let two = at_once(3, |i| {
        let request = InstanceRequest::new(4, Operation::Broadcast, DType::F32, Shape::vector(8));
        resolver.instance(&groups[i], &if i > 0 { request.root() } else { request })
    });
    let message = one_error(two).message().to_owned();
    assert!(message.starts_with("instance 4 of group 1 has two roots: ranks"), "{message}");
}

#[test]
fn a_broadcast_member_that_does_not_come_is_named() {
    let resolver = resolver().timeout(Duration::from_millis(50));
    let groups = groups(&resolver, 3);
    let two = at_once(2, |i| resolver.instance(&groups[i], &request(Operation::Broadcast)));
    assert_eq!(one_error(two).message(), "rank 2 did not come to instance 3 of group 1 in time");
}

#[test]
fn instance_keys_of_two_groups_do_not_meet() {
    let resolver = resolver();
    let one = groups(&resolver, 1).remove(0);
    let two = resolver.join(&Member::new(2, 1, "cpu", "cpu:0")).unwrap();
    resolver.instance(&one, &request(Operation::AllReduce)).unwrap();
    let other = InstanceRequest::new(3, Operation::AllReduce, DType::F64, Shape::vector(1));
    resolver.instance(&two, &other).unwrap();
}

#[test]
fn each_member_gets_its_communicator_once() {
    let resolver = resolver();
    let groups = groups(&resolver, 2);
    let comm = resolver.communicator(&groups[1]).unwrap();
    assert_eq!((comm.rank(), comm.size()), (1, 2));
    assert_eq!(resolver.communicator(&groups[1]).err().unwrap().kind(), ErrorKind::Duplicate);
    assert!(resolver.communicator(&groups[0]).is_ok());
}

#[test]
fn devices_of_several_tasks_get_ranks_task_by_task_with_rings_and_trees_over_them() {
    let resolver = resolver();
    let member = |i: usize| {
        // Eight devices each on tasks 10 and 2, in the order of a hint.
        let device = format!("/task:{}/gpu:{}", [10, 2][i / 8], i % 8);
        Member::new(1, 16, "gpu", &device).ring_order("7,6,5,4,3,2,1,0")
    };
    let joined = at_once(16, |i| resolver.join(&member(i)));
    let groups: Vec<_> = joined.into_iter().map(Result::unwrap).collect();
    assert_eq!(groups[0].members()[..2], ["/task:2/gpu:7", "/task:2/gpu:6"]);
    assert_eq!((groups[8].rank(), groups[0].rank()), (7, 15));
    assert_eq!((groups[0].tasks(), groups[0].same_devices_per_task()), (vec![8, 8], true));
    assert!(groups[0].is_local(8) && !groups[0].is_local(7) && !groups[0].is_local(16));

    let large = Shape::vector(80 << 20);
    let request = InstanceRequest::new(3, Operation::AllReduce, DType::F32, large);
    let rings = resolver.instance(&groups[8], &request).unwrap().subdivisions;
    assert_eq!(rings.offsets, [0, -1, 2, -3, 4], "20 MiB for each rank");
    assert_eq!(rings.ranks[..2], [Some(7), Some(7)]);
    let request = InstanceRequest::new(4, Operation::Broadcast, DType::F32, Shape::vector(8));
    let resolved = at_once(16, |i| {
        let request = request.clone();
        resolver.instance(&groups[i], &if i == 8 { request.root() } else { request })
    });
    let trees = &resolved[8].as_ref().unwrap().subdivisions;
    assert_eq!((&trees.permutations[0], &trees.sources), (&vec![7, 8], &vec![0, 7, 0]));
    assert_eq!(trees.ranks, [Some(0), Some(7), None]);
}

#[test]
fn ring_orders_that_differ_or_do_not_fit_fail_the_group() {
    let odd = [Some("1,0"), None];
    let outcomes = at_once(2, |i| {
        let resolver = resolver();
        let join = |d: usize, order: Option<&str>| {
            let member = member(2, d);
            resolver.join(&order.map_or(member.clone(), |order| member.ring_order(order)))
        };
        thread::scope(|scope| {
            let first = scope.spawn(|| join(0, Some("0,1")));
            while resolver.lock().groups.get(&1).is_none_or(|g| !g.has(1)) {
                thread::yield_now();
            }
            let second = join(1, odd[i]).unwrap_err();
            assert_eq!(first.join().unwrap().unwrap_err().to_string(), second.to_string());
            Err::<(), _>(second)
        })
    });
    let texts: Vec<_> = outcomes.into_iter().map(|o| o.unwrap_err().message().to_owned()).collect();
    assert_eq!(texts[0], "cpu:1 joins group 1 with ring order 1,0, but cpu:0 has 0,1");
    assert!(texts[1].contains("with ring order none"), "{}", texts[1]);
    let resolver = resolver();
    let error = one_error(at_once(2, |i| resolver.join(&member(2, i).ring_order("0,2"))));
    assert!(error.message().starts_with("ring order [0, 2] is not one of the devices"), "{error}");
}
