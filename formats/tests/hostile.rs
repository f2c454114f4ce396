//! Hostile files: whatever the bytes, a reader returns a plan or an error, soon and in little memory,
//! and what it returns can be checked and lowered.

use ringwood_formats::{Relaxed, check, lower, read};

const SEEDS: [&str; 6] = [
    include_str!("../plans/all_reduce_2.xml"),
    include_str!("../plans/all_gather_3.xml"),
    include_str!("../plans/two_channels.xml"),
    include_str!("../plans/one_shot_packets.json"),
    include_str!("../plans/two_shot.json"),
    include_str!("../plans/port_puts.json"),
];

/// What replaces tokens of a plan: borders of numbers, names from elsewhere, syntax.
const TOKENS: [&str; 40] = [
    "0",
    "1",
    "2",
    "3",
    "-1",
    "-2",
    "7",
    "16",
    "255",
    "65536",
    "1048576",
    "2147483647",
    "2147483648",
    "4294967295",
    "4294967296",
    "9223372036854775808",
    "1e9",
    "0.5",
    "NaN",
    "\"\"",
    "i",
    "o",
    "s",
    "r",
    "rrc",
    "rrs",
    "re",
    "nop",
    "put",
    "wait",
    "flush",
    "barrier",
    "memory",
    "port",
    "custom",
    "alltoall",
    "<",
    "&amp;",
    "]",
    "}",
];

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }
}

/// The maximal runs of letters and digits, and all other characters.
fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        let end = match word(first) {
            true => rest.find(|c| !word(c)).unwrap_or(rest.len()),
            false => first.len_utf8(),
        };
        tokens.push(&rest[..end]);
        rest = &rest[end..];
    }
    tokens
}

/// Operations of the formats, for each other's places.
const OPERATIONS: [&[&str]; 3] = [
    &["s", "r", "rcs", "rrc", "rrs", "rrcs", "cpy", "re", "nop"],
    &["signal", "wait", "rlxsignal", "rlxwait", "nop"],
    &["put", "pws", "pwsf", "get", "copy", "rre", "rres", "ppkt", "repkt", "recpkt", "upkt"],
];

/// A plan with other numbers and operations, which most often is still one.
fn mutate_values(seed: &[&str], random: &mut Random) -> String {
    let mut tokens = seed.to_vec();
    for _ in 0..1 + random.below(3) {
        let at = random.below(tokens.len());
        let family = |token: &str| OPERATIONS.iter().find(|family| family.contains(&token));
        let mut from_there = (0..tokens.len()).cycle().skip(at).take(tokens.len());
        if random.below(3) == 0 {
            let operation = from_there.find(|i| family(tokens[*i]).is_some());
            if let Some(i) = operation {
                let family = family(tokens[i]).unwrap();
                tokens[i] = family[random.below(family.len())];
            }
        } else if let Some(i) = from_there.find(|i| tokens[*i].parse::<i64>().is_ok()) {
            tokens[i] = TOKENS[random.below(5)];
        }
    }
    tokens.concat()
}

/// A plan with some tokens replaced, dropped, doubled or exchanged.
fn mutate_syntax(seed: &[&str], random: &mut Random) -> String {
    let mut tokens = seed.to_vec();
    for _ in 0..1 + random.below(3) {
        let at = random.below(tokens.len());
        match random.below(6) {
            0 => drop(tokens.remove(at)),
            1 => tokens.insert(at, tokens[at]),
            2 => {
                let other = random.below(tokens.len());
                tokens.swap(at, other);
            }
            3 => {
                let end = (at + random.below(200)).min(tokens.len());
                let part = tokens[at..end].to_vec();
                tokens.splice(at..at, part);
            }
            4 => drop(tokens.drain(at..(at + random.below(40)).min(tokens.len()))),
            _ => tokens[at] = TOKENS[random.below(TOKENS.len())],
        }
    }
    tokens.concat()
}

/// Reads, and goes on as far as that leads; how far it led.
fn try_all(bytes: &[u8]) -> usize {
    let plan = match read(bytes) {
        Ok(plan) => plan,
        Err(error) => {
            assert!(!error.message().is_empty() && error.to_string().len() < 2000, "{error}");
            return 0;
        }
    };
    let mut reached = 1;
    for &mode in &plan.modes {
        let Ok(report) = check(&plan, mode, Relaxed::default()) else { continue };
        assert!(report.findings.iter().all(|f| !f.to_string().is_empty()));
        reached = reached.max(2);
        if report.ok() && lower(&plan, &report).is_ok() {
            reached = 3;
        }
    }
    reached
}

#[test]
fn mutated_plans_never_panic() {
    let mut random = Random(1);
    let seeds = SEEDS.map(tokens);
    let mut reached = [0; 4];
    for i in 0..20_000 {
        let mutate = if i % 3 == 0 { mutate_syntax } else { mutate_values };
        reached[try_all(mutate(&seeds[i % seeds.len()], &mut random).as_bytes())] += 1;
    }
    println!(
        "refused {}, too large {}, checked {}, lowered {}",
        reached[0], reached[1], reached[2], reached[3]
    );
    // The mutations reach every part.
    assert!(reached[0] > 1000 && reached[2] > 1000 && reached[3] > 100, "{reached:?}");
}

#[test]
fn random_and_truncated_bytes_never_panic() {
    let mut random = Random(2);
    for i in 0..20_000 {
        let length = random.below(200);
        let mut bytes: Vec<u8> = (0..length).map(|_| random.next() as u8).collect();
        if let Some(first) = bytes.first_mut().filter(|_| i % 2 == 0) {
            *first = *b"<{".get(i / 2 % 2).unwrap();
        }
        try_all(&bytes);
    }
    for seed in SEEDS {
        for end in (0..seed.len()).step_by(37).filter(|&end| seed.is_char_boundary(end)) {
            try_all(&seed.as_bytes()[..end]);
        }
    }
}

#[test]
fn huge_numbers_and_depths_are_refused_before_they_cost_anything() {
    let xml = |gpus: &str, chunks: &str| {
        format!(
            "<algo name=\"a\" proto=\"LL\" nchannels=\"1\" nchunksperloop=\"{chunks}\" ngpus=\"{gpus}\" coll=\"custom\" \
             inplace=\"1\"><gpu id=\"0\" i_chunks=\"{chunks}\" o_chunks=\"{chunks}\" s_chunks=\"{chunks}\"></gpu></algo>"
        )
    };
    assert_eq!(try_all(xml("4294967295", "1").as_bytes()), 0);
    assert_eq!(try_all(xml("1", "4294967295").as_bytes()), 0);
    assert_eq!(try_all(xml("4096", "1048576").as_bytes()), 0);
    assert_eq!(try_all(xml("1", "1048576").as_bytes()), 1);
    assert_eq!(try_all(xml("1", "65536").as_bytes()), 2);
    assert_eq!(try_all("<a>".repeat(1 << 20).as_bytes()), 0);
    assert_eq!(try_all(format!("{{\"gpus\":{}", "[".repeat(1 << 20)).as_bytes()), 0);
    let json = |chunks: u32| {
        let gpu = |id: usize| {
            format!(
                "{{\"id\":{id},\"input_chunks\":{chunks},\"output_chunks\":{chunks},\"scratch_chunks\":{chunks}}}"
            )
        };
        let gpus: Vec<_> = (0..64).map(gpu).collect();
        format!(
            "{{\"name\":\"a\",\"collective\":\"custom\",\"protocol\":\"LL\",\"inplace\":true,\"gpus\":[{}]}}",
            gpus.join(",")
        )
    };
    assert_eq!(try_all(json(1 << 10).as_bytes()), 2);
    assert_eq!(try_all(json(1 << 25).as_bytes()), 1);
    assert_eq!(try_all(json(u32::MAX).as_bytes()), 0);
}
