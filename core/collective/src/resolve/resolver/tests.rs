use super::super::Rendezvous;
use super::super::leader::tests::registry;
use super::*;
use crate::Group;
use crate::executor::{AsyncCommunicator, Executor};
use ringwood_base::ErrorKind;
use ringwood_base::registry::{Entry, EntryMeta, Registry};
use ringwood_base::{DType, Shape};
use ringwood_schedule::Operation;
use ringwood_transport::{Bounds, Socket, TransportDef};
use std::io::Write;
use std::net::{TcpListener, TcpStream};
use std::os::unix::net::UnixStream;
use std::thread;
use std::time::Instant;

const SOON: Duration = Duration::from_secs(10);

fn host() -> Rendezvous {
    Rendezvous::start(registry()).unwrap()
}

fn unix(host: &Rendezvous) -> Resolver {
    let (here, there) = UnixStream::pair().unwrap();
    host.serve(there).unwrap();
    Resolver::connect(here).unwrap().timeout(SOON)
}

fn tcp(host: &Rendezvous) -> Resolver {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let here = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    host.serve(listener.accept().unwrap().0).unwrap();
    Resolver::connect(here).unwrap().timeout(SOON)
}

fn member(size: usize, task: usize) -> Member {
    Member::new(1, size, "cpu", &format!("/host:{task}/cpu:0"))
}

/// Every worker on a thread of its own.
fn at_once<R: Send>(workers: &[Resolver], body: impl Fn(usize, &Resolver) -> R + Sync) -> Vec<R> {
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
    let workers = [unix(&host), tcp(&host), host.resolver().timeout(SOON)];
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
        // Another thread of the worker may say so, too.
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
    // What it asks stands in its stream before the end.
    third.end.ask(Question::Join(member(4, 2)), SOON, Box::new(drop));
    (third.end.close)();
    let errors = at_once(&workers, |i, worker| worker.join(&member(4, i)).unwrap_err());
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
    assert!(waits.message().contains("stream of the rendezvous is broken"), "{waits}");
    assert_eq!(workers[1].refresh_step(1).unwrap_err().kind(), ErrorKind::Aborted);
    assert!(start.elapsed() < SOON / 2);
}

#[test]
fn members_that_do_not_come_are_named_in_time() {
    let host = host();
    let workers = [unix(&host), unix(&host)];
    let (tell, told) = mpsc::channel();
    let take = move |answer: Result<Answer>| tell.send(answer.unwrap_err()).unwrap();
    workers[1].end.ask(Question::Join(member(3, 1)), SOON, Box::new(take));
    // Once this is answered the leader has the question before it.
    workers[1].refresh_step(1).unwrap();
    let [first, _] = workers;
    let error = first.timeout(Duration::from_millis(100)).join(&member(3, 0)).unwrap_err();
    assert!(error.message().starts_with("group 1 has 2 of 3 members: /host:0/cpu:0, /host:1"));
    assert_eq!(told.recv().unwrap().to_string(), error.to_string());
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

/// The options of a group over sockets.
fn sockets(ranks: usize) -> GroupBuilder {
    Group::builder(ranks).registry(with_sockets()).timeout(SOON).transport("socket")
}

fn with_sockets() -> Registry {
    static SOCKET: TransportDef = TransportDef { transport: &Socket };
    let meta = EntryMeta {
        package: "tests",
        name: "socket",
        module_path: module_path!(),
        file: file!(),
        line: line!(),
    };
    let entry = Entry::new(meta, &SOCKET);
    Registry::builder().register(entry).build().unwrap()
}

fn meeting() -> Rendezvous {
    Rendezvous::start(with_sockets()).unwrap()
}

#[test]
fn members_of_a_resolved_group_connect() {
    let host = meeting();
    let workers = [unix(&host), tcp(&host), host.resolver()];
    let ranks = at_once(&workers, |i, worker| {
        let group = worker.join(&member(3, 2 - i)).unwrap();
        let comm = worker.communicator(&group, sockets(3)).unwrap();
        assert_eq!((comm.size(), comm.rank()), (3, group.rank()));
        assert!(worker.communicator(&group, sockets(2)).is_err());
        let threads_only = Group::builder(3).registry(with_sockets());
        assert!(worker.communicator(&group, threads_only).is_err());
        comm.rank()
    });
    assert_eq!(ranks, [2, 1, 0]);
    let alone = unix(&host);
    let group = alone.join(&Member::new(2, 1, "cpu", "cpu:0")).unwrap();
    let error = alone.communicator(&group, sockets(1).transport("pigeon")).err().unwrap();
    assert_eq!(error.kind(), ErrorKind::NotFound, "{error}");
}

#[test]
fn nothing_is_kept_of_where_a_group_has_connected() {
    let host = meeting();
    let workers = [unix(&host), unix(&host)];
    let group = at_once(&workers, |i, worker| worker.join(&member(2, i)).unwrap());
    let address = || workers[0].ask(Question::Bootstrap { group: 1, transport: "socket".into() });
    let Ok(Answer::Address(place)) = address() else { panic!("no address") };
    let folder = std::path::Path::new(place.strip_prefix("unix:").unwrap()).parent().unwrap();
    assert!(folder.exists());
    at_once(&workers, |i, worker| worker.communicator(&group[i], sockets(2)).unwrap());
    assert!(!folder.exists());
    let error = workers[0].communicator(&group[0], sockets(2)).err().unwrap();
    let text = "the ranks of group 1 have their communicators already";
    assert_eq!(error.message(), text);
}

/// Two ranks of group 1, each with an executor of its own.
fn adopted(host: &Rendezvous, bounds: Bounds) -> Vec<(Executor, AsyncCommunicator)> {
    let workers = [unix(host), tcp(host)];
    at_once(&workers, |i, worker| {
        let group = worker.join(&member(2, i)).unwrap();
        let comm = worker.communicator(&group, sockets(2)).unwrap();
        let executor = Executor::new().bounds(bounds);
        let rank = executor.adopt(1, comm).unwrap();
        (executor, rank)
    })
}

#[test]
fn executors_of_several_processes_start_calls_in_one_order_whatever_theirs_is() {
    let host = meeting();
    let ranks = adopted(&host, Bounds { arrival: SOON, execution: SOON });
    let logs = thread::scope(|scope| {
        let spawn = |(i, (_, rank)): (usize, (Executor, AsyncCommunicator))| {
            scope.spawn(move || {
                let log = Arc::new(Mutex::new(Vec::new()));
                let submit = |key: u64| {
                    let log = Arc::clone(&log);
                    let key = (key * [1, 7][i]) % 20;
                    rank.submit(key, (), move |_, ()| {
                        log.lock().unwrap().push(key);
                        Ok(())
                    })
                };
                let handles: Vec<_> = (0..20).map(submit).collect();
                handles.iter().for_each(|handle| handle.wait(SOON).unwrap());
                log.lock().unwrap().clone()
            })
        };
        let threads: Vec<_> = ranks.into_iter().enumerate().map(spawn).collect();
        threads.into_iter().map(|t| t.join().unwrap()).collect::<Vec<_>>()
    });
    assert_eq!((logs[0].len(), &logs[0]), (20, &logs[1]));
}

#[test]
fn a_rank_of_another_process_that_submits_nothing_is_named() {
    let host = meeting();
    let bounds = Bounds { arrival: Duration::from_millis(300), execution: SOON };
    let mut ranks = adopted(&host, bounds);
    let (executor, rank) = ranks.remove(0);
    let error = rank.submit(5, (), |_, ()| Ok(())).wait(SOON).unwrap_err();
    assert!(error.message().starts_with("rank 1 did not come to instance 5 of group 1"), "{error}");
    // The failure is that of the group too.
    let other = ranks[0].1.submit(5, (), |_, ()| Ok(())).wait(SOON).unwrap_err();
    assert_eq!(other.to_string(), executor.check().unwrap_err().to_string());
}

#[test]
fn a_rank_of_another_process_that_has_left_is_named_at_once() {
    let host = meeting();
    let mut ranks = adopted(&host, Bounds { arrival: SOON, execution: SOON });
    let (_executor, gone) = ranks.remove(0);
    drop(gone);
    let start = Instant::now();
    let error = ranks[0].1.submit(5, (), |_, ()| Ok(())).wait(SOON).unwrap_err();
    let text = "rank 0 of 2 left the group before instance 5 of group 1";
    assert!(error.message().starts_with(text) && start.elapsed() < SOON / 2, "{error}");
}

#[test]
fn an_executor_refuses_a_rank_whose_peers_nobody_orders() {
    let host = sockets(1).bootstrap().unwrap();
    let comm = sockets(1).join(0, host.address()).unwrap();
    let error = Executor::new().adopt(1, comm).err().unwrap();
    assert_eq!(error.message(), "rank 0 of group 1 has no leader that orders its calls");
}
