//! How ranks meet over sockets, and what they make of strangers.

use crate::garbage::Random;
use crate::group;
use ringwood_base::{Error, ErrorKind, Result};
use ringwood_collective::Communicator;
use ringwood_schedule::ReduceOp::Sum;
use ringwood_transport::Socket;
use std::fmt;
use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::os::fd::{FromRawFd, OwnedFd};
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// A port where a group can listen, and that nobody else is given meanwhile.
///
/// Its socket does not listen itself: a process that starts meanwhile may have a copy of it.
struct Port(TcpListener);

impl Port {
    fn new() -> Self {
        let kind = libc::SOCK_STREAM | libc::SOCK_CLOEXEC;
        // SAFETY: the call takes nothing but numbers.
        let fd = unsafe { libc::socket(libc::AF_INET, kind, 0) };
        assert!(fd >= 0);
        // SAFETY: the socket is open, and nothing else closes it.
        let socket = TcpListener::from(unsafe { OwnedFd::from_raw_fd(fd) });
        let (yes, size) = (1_i32, size_of::<i32>() as libc::socklen_t);
        let value = (&raw const yes).cast();
        // SAFETY: the value lives through the call, which is told its size.
        let reused =
            unsafe { libc::setsockopt(fd, libc::SOL_SOCKET, libc::SO_REUSEADDR, value, size) };
        let local = libc::sockaddr_in {
            sin_family: libc::AF_INET as libc::sa_family_t,
            sin_port: 0,
            sin_addr: libc::in_addr { s_addr: u32::from(Ipv4Addr::LOCALHOST).to_be() },
            sin_zero: [0; 8],
        };
        let size = size_of_val(&local) as libc::socklen_t;
        // SAFETY: the address lives through the call, which is told its size.
        let bound = unsafe { libc::bind(fd, (&raw const local).cast(), size) };
        assert_eq!((reused, bound), (0, 0));
        Self(socket)
    }

    fn number(&self) -> u16 {
        self.0.local_addr().unwrap().port()
    }

    /// Connects as soon as somebody listens.
    fn connect(&self) -> TcpStream {
        let start = Instant::now();
        loop {
            if let Ok(stream) = TcpStream::connect((Ipv4Addr::LOCALHOST, self.number())) {
                return stream;
            }
            assert!(start.elapsed() < Duration::from_secs(5));
            thread::sleep(Duration::from_millis(2));
        }
    }
}

impl fmt::Display for Port {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.number())
    }
}

/// Joins some ranks of a group of `n`, each on a thread.
fn join(n: usize, ranks: &[usize], address: &str, within: u64) -> Vec<Result<Communicator>> {
    thread::scope(|scope| {
        let join = |&rank: &usize| {
            let of = group(&Socket, n).timeout(Duration::from_millis(within));
            scope.spawn(move || of.join(rank, address))
        };
        let threads: Vec<_> = ranks.iter().map(join).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

fn sums(group: Vec<Communicator>) -> Vec<f32> {
    thread::scope(|scope| {
        let call = |comm: Communicator| {
            scope.spawn(move || {
                let mut data = vec![1.0 + comm.rank() as f32; 5_000];
                comm.with("ring").all_reduce(&mut data, Sum).unwrap();
                data[4_999]
            })
        };
        let threads: Vec<_> = group.into_iter().map(call).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

/// A frame of the greeting kind, or of another.
fn frame(kind: u8, body: &[u8]) -> Vec<u8> {
    let mut bytes = b"RwS1".to_vec();
    bytes.extend([kind, 0, 0, 0]);
    bytes.extend([0; 16]);
    bytes.extend((body.len() as u64).to_le_bytes());
    bytes.extend(body);
    bytes
}

fn hello(rank: usize, ranks: usize, token: &str) -> Vec<u8> {
    let text = format!(
        r#"{{"rank":{rank},"ranks":{ranks},"token":"{token}","address":"","little":{}}}"#,
        cfg!(target_endian = "little")
    );
    frame(1, text.as_bytes())
}

#[test]
fn parts_of_a_group_over_tcp_meet_over_tcp() {
    let port = Port::new();
    let address = format!("tcp:127.0.0.1:{port}#secret");
    let group = join(4, &[0, 1, 2, 3], &address, 10_000);
    let group: Vec<Communicator> = group.into_iter().map(Result::unwrap).collect();
    let found: Vec<_> = thread::scope(|scope| {
        let split = |comm: Communicator| {
            scope.spawn(move || {
                let part = comm.split((comm.rank() != 1).then_some(0), 0).unwrap();
                // The whole group stays until all parts are there.
                comm.with("ring").all_reduce(&mut [1.0_f32; 10], Sum).unwrap();
                part
            })
        };
        let threads: Vec<_> = group.into_iter().map(split).collect();
        threads.into_iter().filter_map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(sums(found), [6.0; 3]);
}

#[test]
fn strangers_take_no_place_in_a_group() {
    let port = Port::new();
    let address = format!("tcp:127.0.0.1:{port}#secret");
    let group = thread::scope(|scope| {
        let first = scope.spawn(|| join(3, &[0, 1], &address, 10_000));
        let mut strangers = vec![port.connect()];
        let letters = [
            b"GET / HTTP/1.1\r\nHost: ringwood\r\n\r\n".to_vec(),
            Random::new(7).bytes(5_000),
            hello(2, 3, "guess"),
            hello(2, 3, "secret")[..40].to_vec(),
            frame(1, &[b'['; 4_000]),
            frame(6, &[0; 64]),
        ];
        for letter in letters {
            let mut stranger = port.connect();
            // Whoever is thrown out cannot finish.
            let _ = stranger.write_all(&letter);
            strangers.push(stranger);
        }
        let error = join(4, &[3], &address, 10_000).remove(0).err().unwrap();
        assert_eq!(error.message(), "rank 3 of 3 comes from a group of 4");
        let last = join(3, &[2], &address, 10_000);
        let mut group = first.join().unwrap();
        group.extend(last);
        group
    });
    assert_eq!(sums(group.into_iter().map(Result::unwrap).collect()), [6.0; 3]);
}

#[test]
fn of_two_that_claim_a_rank_one_is_refused() {
    let port = Port::new();
    let address = format!("tcp:127.0.0.1:{port}#secret");
    thread::scope(|scope| {
        let spawn = |rank| {
            let address = &address;
            scope.spawn(move || join(3, &[rank], address, 10_000).remove(0))
        };
        let threads = [0, 1, 1].map(spawn);
        while !threads.iter().any(thread::ScopedJoinHandle::is_finished) {
            thread::sleep(Duration::from_millis(1));
        }
        let last = spawn(2).join().unwrap().unwrap();
        let outcomes = threads.map(|thread| thread.join().unwrap());
        let (group, refused): (Vec<_>, Vec<_>) = outcomes.into_iter().partition(Result::is_ok);
        let refused: Vec<_> = refused.into_iter().filter_map(Result::err).collect();
        assert_eq!(refused.len(), 1);
        assert_eq!(refused[0].message(), "rank 1 of 3 is taken");
        assert_eq!(sums(group.into_iter().flatten().chain([last]).collect()), [6.0; 3]);
    });
}

#[test]
fn whoever_comes_is_told_who_did_not() {
    let port = Port::new();
    let address = format!("tcp:127.0.0.1:{port}#secret");
    let start = Instant::now();
    let errors = join(4, &[0, 1, 3], &address, 2_000);
    for error in errors.into_iter().map(|outcome| outcome.err().unwrap()) {
        assert_eq!(error.kind(), ErrorKind::Timeout);
        let place = address.trim_end_matches("#secret");
        assert_eq!(error.message(), format!("rank 2 of 4 did not come to {place} in time"));
    }
    let error = join(2, &[1], &address, 100).remove(0).err().unwrap();
    assert!(error.message().starts_with("rank 1 found no rank 0 of 2 at tcp:"), "{error}");
    assert!(start.elapsed() < Duration::from_secs(10));
}

#[test]
fn a_rank_with_another_token_is_told_that_it_may_be_that() {
    for longer in [0, 1] {
        let port = Port::new();
        thread::scope(|scope| {
            let spawn = |rank: usize| {
                let address = format!("tcp:127.0.0.1:{port}#{rank}");
                let within = if rank == longer { 2_000 } else { 1_000 };
                scope.spawn(move || join(2, &[rank], &address, within).remove(0).err().unwrap())
            };
            let zero = spawn(0);
            // What rank 1 says is of a rank 0 that listens.
            drop(port.connect());
            let [zero, one] = [zero, spawn(1)].map(|thread| thread.join().unwrap());
            assert!(zero.message().starts_with("rank 1 of 2 did not come to tcp:"), "{zero}");
            assert!(one.message().starts_with("rank 1 found no rank 0 of 2 at tcp:"), "{one}");
            assert!(one.to_string().contains("whether all ranks have the same token"), "{one}");
        });
    }
    let error = join(2, &[1], "localhost:1", 300).remove(0).err().unwrap();
    assert!(error.to_string().ends_with("or `tcp:HOST:PORT#TOKEN`"), "{error}");
}

#[test]
fn an_address_of_tcp_needs_a_token_also_on_this_machine() {
    for address in ["tcp:0.0.0.0:0", "tcp:[::]:0", "tcp:127.0.0.1:0", "tcp:[::1]:0#"] {
        let error = join(2, &[0], address, 100).remove(0).err().unwrap();
        assert!(error.message().ends_with("has no token"), "{error}");
    }
    let error = join(2, &[0], "carrier pigeon", 100).remove(0).err().unwrap();
    assert_eq!(error.message(), "`carrier pigeon` is not an address of a group");
}

#[test]
fn a_token_is_as_long_as_a_greeting_takes_or_refused_at_once() {
    let port = Port::new();
    // Each of these bytes is written as six.
    let address = |bytes| format!("tcp:127.0.0.1:{port}#{:\u{1}<bytes$}", "");
    assert!(join(2, &[0, 1], &address(4096), 10_000).iter().all(Result::is_ok));
    for joined in join(2, &[0, 1], &address(4097), 10_000) {
        let error = joined.err().unwrap();
        assert!(error.message().ends_with("has 4097 bytes"), "{error}");
    }
}

#[test]
fn a_path_may_have_the_sign_that_begins_a_token() {
    let folder = path("signs");
    std::fs::create_dir(&folder).unwrap();
    // Nobody can listen at the part before the sign.
    std::fs::create_dir(folder.join("a")).unwrap();
    let address = format!("unix:{}/a#b", folder.display());
    assert!(join(2, &[0, 1], &address, 10_000).iter().all(Result::is_ok));
    std::fs::remove_dir_all(&folder).unwrap();
}

/// A path of its own below the folder of temporary files.
fn path(name: &str) -> std::path::PathBuf {
    std::env::temp_dir().join(format!("ringwood-test-{name}-{}", std::process::id()))
}

#[test]
fn silent_connections_that_came_first_keep_no_rank_out() {
    assert_eq!(among_silent_connections().0, [6.0; 3]);
}

/// The sums of a group that met among 120 connections that say nothing, and how long it took to meet.
pub(crate) fn among_silent_connections() -> (Vec<f32>, Duration) {
    let mut met = Duration::ZERO;
    let port = Port::new();
    let address = format!("tcp:127.0.0.1:{port}#secret");
    let group = thread::scope(|scope| {
        let first = scope.spawn(|| join(3, &[0], &address, 10_000));
        let start = Instant::now();
        let _silent: Vec<_> = (0..120).map(|_| port.connect()).collect();
        let others = join(3, &[1, 2], &address, 10_000);
        met = start.elapsed();
        // Sooner than the silent ones would have had to greet.
        assert!(met < Duration::from_millis(1_800), "{met:?}");
        let mut group = first.join().unwrap();
        group.extend(others);
        group
    });
    (sums(group.into_iter().map(Result::unwrap).collect()), met)
}

#[test]
fn an_answer_that_drips_ends_at_the_deadline() {
    let (error, time) = answered_in_drips();
    assert_eq!(error.kind(), ErrorKind::Timeout, "{error}");
    // Rank 0 may answer for a second longer.
    assert!(time < Duration::from_secs(3), "{time:?}");
}

/// What a rank says that waits 300 ms for an answer of a byte each 50 ms, and after what time.
pub(crate) fn answered_in_drips() -> (Error, Duration) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("tcp:{}#secret", listener.local_addr().unwrap());
    thread::scope(|scope| {
        scope.spawn(|| {
            let mut stream = listener.accept().unwrap().0;
            // Until the rank hangs up.
            for byte in frame(2, &[b'['; 4_000]) {
                if stream.write_all(&[byte]).is_err() {
                    return;
                }
                thread::sleep(Duration::from_millis(50));
            }
        });
        let start = Instant::now();
        let error = join(2, &[1], &address, 300).remove(0).err().unwrap();
        (error, start.elapsed())
    })
}

#[test]
fn a_service_that_hangs_up_at_once_is_tried_until_the_deadline() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let address = format!("tcp:{}#secret", listener.local_addr().unwrap());
    let (start, done) = (Instant::now(), AtomicBool::new(false));
    let error = thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) && start.elapsed() < Duration::from_secs(5) {
                if listener.accept().is_err() {
                    thread::sleep(Duration::from_millis(1));
                }
            }
            drop(listener);
        });
        let error = join(2, &[1], &address, 200).remove(0).err().unwrap();
        done.store(true, Ordering::Relaxed);
        error
    });
    assert!(error.message().starts_with("rank 1 found no rank 0 of 2 at tcp:"), "{error}");
    assert!(start.elapsed() < Duration::from_secs(3), "{:?}", start.elapsed());
}

#[test]
fn a_socket_that_a_killed_process_has_left_is_taken_over_and_another_file_is_not() {
    let path = path("left");
    drop(std::os::unix::net::UnixListener::bind(&path).unwrap());
    assert!(path.exists());
    let address = format!("unix:{}", path.display());
    let joined = join(2, &[0, 1], &address, 5000);
    assert!(joined.iter().all(Result::is_ok));
    drop(joined);
    std::fs::write(&path, "notes").unwrap();
    let error = join(2, &[0], &address, 200).remove(0).err().unwrap();
    assert!(error.message().starts_with("cannot listen at unix:"), "{error}");
    assert_eq!(std::fs::read(&path).unwrap(), b"notes");
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn a_listener_whose_queue_is_full_holds_nobody_beyond_the_deadline() {
    let path = path("full");
    let _listener = std::os::unix::net::UnixListener::bind(&path).unwrap();
    let (done, waits) = std::sync::mpsc::channel::<()>();
    thread::scope(|scope| {
        // As many as find a place; those that find none wait until the listener goes.
        let filler = path.clone();
        thread::spawn(move || {
            let mut all = Vec::new();
            while let Ok(stream) = std::os::unix::net::UnixStream::connect(&filler) {
                all.push(stream);
                let _ = done.send(());
            }
        });
        while waits.recv_timeout(Duration::from_secs(2)).is_ok() {}
        let start = Instant::now();
        let address = format!("unix:{}", path.display());
        let join = scope.spawn(move || join(2, &[1], &address, 300).remove(0).err().unwrap());
        let error = join.join().unwrap();
        assert!(error.message().starts_with("rank 1 found no rank 0 of 2"), "{error}");
        assert!(start.elapsed() < Duration::from_secs(3), "{:?}", start.elapsed());
    });
    std::fs::remove_file(&path).unwrap();
}

/// What a rank that lies sends after it was let in.
fn lies(random: &mut Random) -> Vec<u8> {
    let mut bytes = Vec::new();
    for _ in 0..random.next() % 6 {
        let count = (random.next() % 200) as usize;
        let body = random.bytes(count);
        let mut lie = frame((random.next() % 16) as u8, &body);
        // Any field may be wrong: the call, the digest, the length.
        if random.next().is_multiple_of(2) {
            let at = (random.next() % 32) as usize;
            lie[at] = random.next() as u8;
        } else {
            lie[8] = 1;
        }
        bytes.extend(lie);
    }
    let count = (random.next() % 100) as usize;
    bytes.extend(random.bytes(count));
    bytes
}

/// Reads a frame; its head.
fn hear(stream: &mut TcpStream) -> [u8; 32] {
    let mut head = [0; 32];
    stream.read_exact(&mut head).unwrap();
    let length = u64::from_le_bytes(head[24..].try_into().unwrap());
    stream.read_exact(&mut vec![0; length as usize]).unwrap();
    head
}

/// Receives a message as it should be.
fn receive(stream: &mut TcpStream) {
    let [offer, ask, message, taken] = [12, 13, 14, 15];
    let mut head = hear(stream);
    assert_eq!(head[4], offer);
    head[4] = ask;
    stream.write_all(&head).unwrap();
    assert_eq!(hear(stream)[4], message);
    stream.write_all(&frame(taken, &[])).unwrap();
}

#[test]
fn a_rank_that_sends_garbage_is_an_error_in_time() {
    for seed in 1..=60_u64 {
        let mut random = Random::new(seed);
        // Most lie in calls, some while the group agrees on its cost model.
        let (late, joined) = (!seed.is_multiple_of(6), Barrier::new(2));
        let port = Port::new();
        let address = format!("tcp:127.0.0.1:{port}#secret");
        let error = thread::scope(|scope| {
            let honest = scope.spawn(|| {
                let comm = match join(2, &[0], &address, 5_000).remove(0) {
                    Err(error) if !late => return error,
                    outcome => outcome.unwrap(),
                };
                if late {
                    joined.wait();
                }
                let mut data = [1.0_f32; 5_000];
                comm.with("ring")
                    .timeout(Duration::from_millis(300))
                    .all_reduce(&mut data, Sum)
                    .unwrap_err()
            });
            let mut liar = port.connect();
            liar.write_all(&hello(1, 2, "secret")).unwrap();
            hear(&mut liar);
            if late {
                receive(&mut liar);
                receive(&mut liar);
                joined.wait();
            }
            // The honest rank may have hung up already.
            let _ = liar.write_all(&lies(&mut random));
            if random.next().is_multiple_of(2) {
                drop(liar);
                return honest.join().unwrap();
            }
            honest.join().unwrap()
        });
        let kinds =
            [ErrorKind::Protocol, ErrorKind::Aborted, ErrorKind::Timeout, ErrorKind::Mismatch];
        assert!(kinds.contains(&error.kind()), "seed {seed}: {error:?}");
        assert!(error.message().contains("rank"), "seed {seed}: {error}");
    }
}
