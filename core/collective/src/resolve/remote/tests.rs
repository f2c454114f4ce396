use super::super::tests::registry;
use super::*;
use crate::Group;
use crate::executor::Executor;
use crate::transport::{Bounds, Socket, TransportDef};
use ringwood_base::registry::{Entry, EntryMeta, Registry};
use ringwood_base::{DType, Shape};
use ringwood_schedule::Operation;
use std::io::Write;
use std::net::{TcpListener, TcpStream};
use std::os::unix::net::UnixStream;

const SOON: Duration = Duration::from_secs(10);

fn host() -> LeaderHost {
    LeaderHost::start(registry()).unwrap()
}

fn unix(host: &LeaderHost) -> RemoteResolver {
    let (here, there) = UnixStream::pair().unwrap();
    host.serve(there).unwrap();
    RemoteResolver::connect(here).unwrap().timeout(SOON)
}

fn tcp(host: &LeaderHost) -> RemoteResolver {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let here = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    host.serve(listener.accept().unwrap().0).unwrap();
    RemoteResolver::connect(here).unwrap().timeout(SOON)
}

fn member(size: usize, task: usize) -> Member {
    Member::new(1, size, "cpu", &format!("/host:{task}/cpu:0"))
}

/// Every worker on a thread of its own.
fn at_once<R: Send>(
    workers: &[RemoteResolver],
    body: impl Fn(usize, &RemoteResolver) -> R + Sync,
) -> Vec<R> {
    thread::scope(|scope| {
        let spawn = |(i, worker)| {
            let body = &body;
            scope.spawn(move || body(i, worker))
        };
        let threads: Vec<_> = workers.iter().enumerate().map(spawn).collect();
        threads.into_iter().map(|t| t.join().unwrap()).collect()
    })
}

#[test]
fn workers_on_streams_resolve_groups_instances_and_steps_alike() {
    let host = host();
    let workers = [unix(&host), tcp(&host), unix(&host)];
    let groups = at_once(&workers, |i, worker| worker.join(&member(3, 2 - i)).unwrap());
    let ranks: Vec<_> = groups.iter().map(ResolvedGroup::rank).collect();
    assert_eq!((ranks, groups[0].tasks()), (vec![2, 1, 0], vec![1, 1, 1]));
    let instances = at_once(&workers, |i, worker| {
        let request = InstanceRequest::new(4, Operation::Broadcast, DType::F32, Shape::vector(9));
        let request = if i == 1 { request.root() } else { request };
        worker.instance(&groups[i], &request).unwrap()
    });
    assert_eq!(instances[0].params.root().index(), 1);
    let trees = &instances[2].subdivisions;
    assert_eq!((&trees.permutations[0], trees.ranks[0]), (&vec![0, 1, 2], Some(0)));
    let first = at_once(&workers, |_, worker| worker.refresh_step(8).unwrap());
    let steps = at_once(&workers, |i, worker| {
        worker.retire_step(8, first[i]).unwrap();
        (first[i], worker.next_step(8).unwrap())
    });
    assert!(steps.iter().all(|s| *s == steps[0]), "{steps:?}");
    assert!(workers[0].retire_step(8, steps[0].0 ^ 77).is_err());
    assert_eq!(workers[0].next_step(8), None);
}

#[test]
fn a_worker_or_a_leader_that_is_lost_is_an_error_for_everyone_soon() {
    let host = host();
    let workers = [unix(&host), unix(&host)];
    let third = tcp(&host);
    let start = Instant::now();
    let errors = thread::scope(|scope| {
        let spawned = scope.spawn(|| at_once(&workers, |i, w| w.join(&member(4, i)).unwrap_err()));
        let joins = scope.spawn(|| third.join(&member(4, 2)).unwrap_err());
        thread::sleep(Duration::from_millis(50));
        (third.close)();
        joins.join().unwrap();
        spawned.join().unwrap()
    });
    for error in &errors {
        assert_eq!(error.to_string(), "group 1 lost the worker of /host:2/cpu:0");
    }
    assert!(start.elapsed() < SOON / 2);

    let waits = thread::scope(|scope| {
        let waits = scope.spawn(|| workers[0].join(&Member::new(2, 2, "cpu", "a:0")).unwrap_err());
        thread::sleep(Duration::from_millis(50));
        drop(host);
        waits.join().unwrap()
    });
    assert!(waits.message().contains("stream of the resolution is broken"), "{waits}");
    assert_eq!(workers[1].refresh_step(1).unwrap_err().kind(), ErrorKind::Aborted);
    assert!(start.elapsed() < SOON / 2);
}

#[test]
fn members_that_do_not_come_are_named_in_time() {
    let host = host();
    let workers = [unix(&host), unix(&host)];
    let workers = workers.map(|worker| worker.timeout(Duration::from_millis(100)));
    let errors = at_once(&workers, |i, worker| worker.join(&member(3, i)).unwrap_err());
    assert!(errors[0].message().starts_with("group 1 has 2 of 3 members: /host:0/cpu:0, /host:1"));
    assert_eq!(errors[0].to_string(), errors[1].to_string());
}

#[test]
fn noise_on_a_stream_ends_that_worker_only() {
    let host = host();
    let (mut noisy, there) = UnixStream::pair().unwrap();
    host.serve(there).unwrap();
    noisy.write_all(b"GET / HTTP/1.1\r\n\r\n").unwrap();
    let mut rest = Vec::new();
    noisy.set_read_timeout(Some(SOON)).unwrap();
    assert_eq!(std::io::Read::read_to_end(&mut noisy, &mut rest).unwrap_or(0), 0);
    assert!(unix(&host).join(&member(1, 0)).is_ok());
}

#[test]
fn members_of_a_resolved_group_meet_and_connect() {
    let host = host();
    let workers = [unix(&host), tcp(&host), unix(&host)];
    let transport = |name: &str| {
        static SOCKET: TransportDef = TransportDef { transport: &Socket };
        let meta = EntryMeta {
            package: "tests",
            name: "socket",
            module_path: module_path!(),
            file: file!(),
            line: line!(),
        };
        let entry = Entry::new(meta, &SOCKET);
        let registry = Registry::builder().register(entry).build().unwrap();
        Group::builder(3).registry(registry).timeout(SOON).transport(name)
    };
    let ranks = at_once(&workers, |i, worker| {
        let group = worker.join(&member(3, 2 - i)).unwrap();
        let comm = worker.communicator(&group, transport("socket")).unwrap();
        assert_eq!((comm.size(), comm.rank()), (3, group.rank()));
        let other = Group::builder(2).transport("socket");
        assert!(worker.communicator(&group, other).is_err());
        comm.rank()
    });
    assert_eq!(ranks, [2, 1, 0]);
    let late = unix(&host).timeout(Duration::from_millis(50));
    let pair = [late, unix(&host).timeout(SOON)];
    let groups = at_once(&pair, |i, worker| {
        let device = format!("/host:{}/cpu:0", 1 - i);
        worker.join(&Member::new(2, 2, "cpu", &device)).unwrap()
    });
    let builder = Group::builder(2).transport("socket");
    let error = pair[0].communicator(&groups[0], builder).err().unwrap();
    assert_eq!(error.message(), "rank 0 of group 2 made no place to meet in time");
}

#[test]
fn executors_of_several_processes_start_calls_in_one_order_whatever_theirs_is() {
    let host = host();
    let workers = [unix(&host), tcp(&host)].map(Arc::new);
    let ranks = Group::builder(2).registry(Registry::default()).open().unwrap();
    let logs = thread::scope(|scope| {
        let spawn = |((i, comm), worker): ((usize, Communicator), Arc<RemoteResolver>)| {
            scope.spawn(move || {
                worker.join(&member(2, i)).unwrap();
                let executor = Executor::new();
                let rank = executor.adopt_with(1, comm, worker).unwrap();
                let log = Arc::new(Mutex::new(Vec::new()));
                let submit = |key: u64| {
                    let log = Arc::clone(&log);
                    rank.submit((key * [1, 7][i]) % 20, (), move |_, ()| {
                        log.lock().unwrap().push((key * [1, 7][i]) % 20);
                        Ok(())
                    })
                };
                let handles: Vec<_> = (0..20).map(submit).collect();
                handles.iter().for_each(|handle| handle.wait(SOON).unwrap());
                log.lock().unwrap().clone()
            })
        };
        let threads: Vec<_> = ranks.into_iter().enumerate().zip(workers).map(spawn).collect();
        threads.into_iter().map(|t| t.join().unwrap()).collect::<Vec<_>>()
    });
    assert_eq!((logs[0].len(), &logs[0]), (20, &logs[1]));
}

#[test]
fn a_rank_of_another_process_that_submits_nothing_is_named() {
    let host = host();
    let workers = [unix(&host), unix(&host)];
    at_once(&workers, |i, worker| worker.join(&member(2, i)).unwrap());
    let [worker, _other] = workers;
    let bounds = Bounds { arrival: Duration::from_millis(300), execution: SOON };
    let executor = Executor::new().bounds(bounds);
    let comm = Group::builder(2).registry(Registry::default()).open().unwrap().remove(0);
    let rank = executor.adopt_with(1, comm, Arc::new(worker)).unwrap();
    let error = rank.submit(5, (), |_, ()| Ok(())).wait(SOON).unwrap_err();
    assert!(error.message().starts_with("rank 1 did not come to instance 5 of group 1"), "{error}");
}
