#![no_main]

use ringwood_base::registry::Registry;
use ringwood_collective::resolve::Rendezvous;
use std::io::{Read, Write};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;

// What a worker asks a rendezvous, a line each, until the stream ends.
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let (mut worker, theirs) = UnixStream::pair().expect("a stream");
    let rendezvous = Rendezvous::start(Registry::default()).expect("a clock");
    rendezvous.serve(theirs).expect("a thread");
    for line in bytes.split(|byte| *byte == b'\n') {
        let asked = [&(line.len() as u32).to_le_bytes(), line].concat();
        // The rendezvous ends the stream at the first that is none.
        if worker.write_all(&asked).is_err() {
            break;
        }
    }
    let _ = worker.shutdown(Shutdown::Write);
    let _ = worker.read_to_end(&mut Vec::new());
});
