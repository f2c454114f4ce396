#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ringwood_fuzz::read("npy", bytes));
