use super::*;
use ringwood_transport::Arena;

/// Links to workers that a test speaks for.
struct Told;

impl Links for Told {
    fn send(&self, _worker: usize, _packet: Packet) -> Result<()> {
        Ok(())
    }

    fn transport(&self) -> &'static dyn Transport {
        &Arena
    }

    fn end(&self, _deadline: Instant) -> Vec<usize> {
        Vec::new()
    }

    fn fate(&self) -> &'static str {
        "were told"
    }

    fn help(&self) -> &'static str {
        "look"
    }
}

/// What worker 0 says that misses worker 1.
const MISSED: &str = "rank 1 of 2 died in call #1";

/// The failure of a start, in which worker 0 misses worker 1: `look` is done once that is to be told.
fn start(look: impl FnOnce(&Controller)) -> Error {
    let silence = Duration::from_secs(60);
    let config = Config { workers: 2, groups: 1, silence, ..Config::default() };
    let controller = Controller::new(&config, Arc::new(Told));
    let outcome = Err((&Error::new(ErrorKind::Aborted, MISSED)).into());
    controller.hear(0, [Report::Reply(Reply { request: READY, outcome })]);
    let until = Instant::now() + START;
    std::thread::scope(|scope| {
        let start = scope.spawn(|| controller.await_workers(&config, until).unwrap_err());
        while !start.is_finished() && !controller.suspects(controller.now()) {
            std::thread::sleep(Duration::from_millis(1));
        }
        look(&controller);
        controller.tick(controller.now(), |_| String::new());
        start.join().unwrap()
    })
}

#[test]
fn a_death_is_told_before_what_follows_from_it_at_the_start_whenever_it_is_seen() {
    let error = start(|controller| controller.lose(1, &Ending::Killed("signal 9".into())));
    let text = "worker 1 of 2 was killed by signal 9 before it was ready";
    assert!(error.message().starts_with(text), "{error}");
    assert!(!error.to_string().contains("look"), "what `main` does has not killed it: {error}");
}

#[test]
fn what_follows_from_no_death_is_told_as_it_was_said() {
    assert_eq!(start(|_| ()).to_string(), MISSED);
}

#[test]
fn who_ends_the_workers_of_a_start_that_fails_knows_why() {
    let config = Config { workers: 1, groups: 1, ..Config::default() };
    let controller = Controller::new(&config, Arc::new(Told));
    let outcome = Err((&Error::invalid("no such device")).into());
    controller.hear(0, [Report::Reply(Reply { request: READY, outcome })]);
    assert!(Arc::clone(&controller).begin(&config).is_err());
    assert_eq!(controller.failed().unwrap().message(), "no such device");
}
