use super::*;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, ThreadId};
use std::time::Instant;

/// What a controller sends, and who has read it.
struct Stream {
    orders: Orders,
    to: Mutex<Option<Sender<bool>>>,
    from: Mutex<Receiver<bool>>,
    readers: Mutex<Vec<ThreadId>>,
    told: Mutex<Vec<u64>>,
}

impl Stream {
    fn new() -> Self {
        let (to, from) = channel();
        let (readers, told) = (Mutex::default(), Mutex::default());
        Self { orders: Orders::default(), to: Some(to).into(), from: from.into(), readers, told }
    }

    /// A command, or an order that the worker does not run.
    fn send(&self, command: bool) {
        lock(&self.to).as_ref().unwrap().send(command).unwrap();
    }

    fn end(&self) {
        lock(&self.to).take();
    }

    fn read(&self) {
        match lock(&self.from).recv() {
            Ok(true) => self.orders.add(Command::Sync { request: 0 }),
            Ok(false) => {}
            Err(_) => drop(self.orders.end()),
        }
        lock(&self.readers).push(thread::current().id());
    }

    fn take(&self) -> Option<Command> {
        self.orders.take(|done| self.tell(done), || self.read())
    }

    fn tell(&self, done: u64) {
        lock(&self.told).push(done);
    }

    /// Runs a worker beside a listener.
    fn run(&self, worker: impl FnOnce()) {
        thread::scope(|scope| {
            scope.spawn(|| self.orders.listen(|done| self.tell(done), || self.read()));
            worker();
            self.orders.leave();
            self.end();
        });
    }
}

fn until(what: impl Fn() -> bool) {
    let start = Instant::now();
    while !what() {
        assert!(start.elapsed() < Duration::from_secs(20));
        thread::sleep(Duration::from_micros(100));
    }
}

#[test]
fn orders_are_read_while_a_command_runs() {
    let stream = Stream::new();
    stream.run(|| {
        for _ in 0..3 {
            stream.send(true);
            assert!(stream.take().is_some());
            let before = lock(&stream.readers).len();
            (0..3).for_each(|_| stream.send(false));
            until(|| lock(&stream.readers).len() == before + 3);
        }
    });
}

#[test]
fn a_worker_that_waits_reads_itself_and_what_it_has_done_is_told() {
    let stream = Stream::new();
    let here = thread::current().id();
    stream.run(|| {
        until(|| {
            stream.send(true);
            stream.take();
            lock(&stream.readers).last() == Some(&here)
        });
        let done = lock(&stream.orders.turn).taken;
        thread::scope(|scope| {
            scope.spawn(|| {
                until(|| lock(&stream.told).contains(&done));
                stream.send(true);
            });
            assert!(stream.take().is_some());
        });
    });
}

#[test]
fn there_is_no_command_after_the_end() {
    let stream = Stream::new();
    stream.run(|| {
        stream.send(true);
        stream.end();
        assert!(stream.take().is_some());
        assert!(stream.take().is_none());
        assert!(stream.take().is_none());
    });
}
