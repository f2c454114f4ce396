#![no_main]

use ringwood_mpi::Launch;

// The variables of a process, a line each.
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let variables = text.lines().filter_map(|line| line.split_once('='));
    let variables = variables.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    let Ok(launch) = Launch::of(&variables) else { return };
    for (rank, size) in [(launch.rank, launch.size), (launch.local_rank, launch.local_size)] {
        assert!(size.is_none_or(|size| rank.is_none_or(|rank| rank < size)), "{launch:?}");
    }
});
