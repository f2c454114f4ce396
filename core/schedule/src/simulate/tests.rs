mod schedules;

use super::*;
use crate::{Descriptor, Link, Operation, Topology};
use ringwood_base::{DType, ErrorKind};
use schedules::{
    Of, both_ways, chain, doubling, one_shot, pairs, put_all, rabenseifner, ring, star,
};

fn request(ranks: usize, elements: usize) -> Request {
    Request::new(Operation::AllReduce, ranks, elements, DType::F32)
}

fn request_for(of: &Of, ranks: usize, elements: usize) -> Request {
    Request::new(of.describe().operation, ranks, elements, DType::F32)
}

fn model() -> CostModel {
    CostModel { gap: 0.3e-6, ..CostModel::cluster() }
}

fn simulate(of: &Of, ranks: usize, elements: usize) -> Simulated {
    Simulation::new(&model()).run(of, &request_for(of, ranks, elements)).unwrap()
}

#[track_caller]
fn close(simulated: f64, expected: f64) {
    assert!((simulated - expected).abs() <= 1e-9 * expected, "{simulated:e} is not {expected:e}");
}

/// The parts of a closed form: latency of a round, seconds for a byte sent, seconds for one merged.
fn parts() -> (f64, f64, f64) {
    let m = model();
    (m.latency + 2.0 * m.overhead, m.per_byte, m.reduce.at(0))
}

#[test]
fn a_ring_takes_its_closed_form() {
    let (a, b, g) = parts();
    for n in [2, 3, 8, 64] {
        let bytes = 4.0 * 1024.0 * n as f64;
        let (rounds, chunk) = ((n - 1) as f64, bytes / n as f64);
        let expected = 2.0 * rounds * (a + chunk * b) + rounds * chunk * g;
        let simulated = simulate(&ring(), n, 1024 * n);
        close(simulated.seconds, expected);
        assert_eq!(simulated.messages, (2 * (n - 1) * n) as u64);
        assert_eq!(simulated.moved, 2 * (n as u64 - 1) * bytes as u64);
        assert_eq!(simulated.method, Method::Steps);
    }
}

#[test]
fn messages_between_tasks_take_the_way_between_them() {
    let across = Link { bandwidth: 1e9, latency: 30e-6 };
    let model = CostModel { across: Some(across), ..model() };
    let seconds = |tasks: &[usize]| {
        let arrangement = crate::Arrangement::of_tasks(tasks).unwrap();
        let request = request(2, 2048).arrangement(arrangement);
        Simulation::new(&model).run(&ring(), &request).unwrap().seconds
    };
    let (a, b, g) = parts();
    close(seconds(&[2]), 2.0 * (a + 4096.0 * b) + 4096.0 * g);
    let a = across.latency + 2.0 * model.overhead;
    close(seconds(&[1, 1]), 2.0 * (a + 4096.0 / across.bandwidth) + 4096.0 * g);
}

#[test]
fn a_long_ring_takes_the_way_between_tasks_as_a_short_one_does() {
    let across = Link { bandwidth: 1e9, latency: 30e-6 };
    let model = CostModel { across: Some(across), ..model() };
    let tasks = crate::Arrangement::of_tasks(&[8; 4]).unwrap();
    let request = request(32, 1 << 20).arrangement(tasks);
    let whole = Simulation::new(&model).run(&ring(), &request).unwrap();
    let long = Simulation::new(&model).at_most(1 << 10).run(&ring(), &request).unwrap();
    assert_eq!((whole.method, long.method), (Method::Steps, Method::Extrapolation));
    let error = (long.seconds / whole.seconds - 1.0).abs();
    assert!(error < 0.05, "{} {}", long.seconds, whole.seconds);
}

#[test]
fn recursive_doubling_and_rabenseifner_take_their_closed_forms() {
    let (a, b, g) = parts();
    for n in [2_usize, 4, 16, 128] {
        let (lg, bytes) = (f64::from(n.ilog2()), 4.0 * (64 * n) as f64);
        close(simulate(&doubling(), n, 64 * n).seconds, lg * (a + bytes * (b + g)));
        let share = (n - 1) as f64 / n as f64;
        let expected = 2.0 * lg * a + 2.0 * share * bytes * b + share * bytes * g;
        close(simulate(&rabenseifner(), n, 64 * n).seconds, expected);
    }
}

#[test]
fn a_chain_of_segments_takes_its_closed_form() {
    let (a, b, _) = parts();
    for (n, segments) in [(2, 1), (5, 1), (5, 8), (16, 64)] {
        let segment = 4.0 * 262_144.0;
        let bytes = segments * 262_144;
        let expected = (n - 2 + segments) as f64 * segment * b + (n - 1) as f64 * a;
        close(simulate(&chain(segments), n, bytes).seconds, expected);
    }
}

#[test]
fn one_rank_stands_for_all_of_a_ring_and_says_so() {
    let (m, of) = (model(), ring());
    let simulation = Simulation::new(&m);
    // A message of a chunk without elements is none.
    for (n, elements) in [(9, 900), (16, 16_384), (17, 10), (300, 12_345)] {
        let request = request(n, elements);
        let lanes = Lanes::new(&of, &request).unwrap().evenly();
        assert!(lanes.rotates().unwrap());
        let folded = simulation.run_folded(&lanes).unwrap();
        let whole = simulation.run_lanes(&lanes, &lanes, n).unwrap();
        close(folded.seconds, whole.seconds);
        let exact = simulation.run(&of, &request).unwrap();
        assert_eq!(folded.messages, exact.messages);
    }
    let large = simulation.at_most(1 << 20).run(&of, &request(4096, 1 << 24)).unwrap();
    assert_eq!(large.method, Method::Rotation);
    assert_eq!((large.messages, large.moved), (2 * 4095 * 4096, (2 * 4095) << 26));
    let (a, b, g) = parts();
    let chunk = 4.0 * 4096.0;
    close(large.seconds, 4095.0 * (2.0 * (a + chunk * b) + chunk * g));
}

#[test]
fn a_long_ring_of_more_ranks_than_cores_shares_them_as_a_short_one_does() {
    let model = CostModel::peer_memory(2);
    let simulation = Simulation::new(&model).at_most(1 << 16);
    let of = ring();
    let lanes = |n| (request(n, 1024 * n), n);
    let (short, n) = lanes(100);
    let whole = simulation.run(&of, &short).unwrap();
    assert_eq!(whole.method, Method::Steps);
    let even = Lanes::new(&of, &short).unwrap().evenly();
    let paced = periodic::extrapolate(&simulation, &even).unwrap();
    assert!(
        (paced.seconds / whole.seconds - 1.0).abs() < 0.05,
        "{} {}",
        paced.seconds,
        whole.seconds
    );
    let long = simulation.run(&of, &lanes(15 * n).0).unwrap();
    assert_eq!(long.method, Method::Extrapolation);
    let steps = 225.0 * whole.seconds;
    assert!((0.5 * steps..2.0 * steps).contains(&long.seconds), "{} {steps}", long.seconds);
}

#[test]
fn lanes_that_differ_in_more_than_a_rotation_do_not_rotate() {
    for (of, n) in [(doubling(), 8), (chain(2), 5), (rabenseifner(), 512)] {
        let request = request_for(&of, n, 4096);
        assert!(!Lanes::new(&of, &request).unwrap().evenly().rotates().unwrap());
    }
}

const NETWORKS: [&str; 6] = [
    "switch",
    "fat-tree:k=8,taper=3",
    "torus:4x4x2",
    "dragonfly:routers=4,ranks=2,global=2",
    "dragonfly:routers=4,ranks=2,global=2,routing=valiant",
    "islands:size=8,k=8",
];

fn over(text: &str, unlimited: bool) -> Network {
    let (before, after) = if text.contains(':') { (text, ",") } else { (text, ":") };
    let bandwidth = if unlimited { "bandwidth=9000000TB" } else { "bandwidth=10GB" };
    let topology: Topology = format!("{before}{after}{bandwidth}").parse().unwrap();
    topology.network(32).unwrap()
}

#[test]
fn with_unlimited_links_contention_changes_nothing() {
    let m = model();
    for text in NETWORKS {
        let network = over(text, true);
        for of in [ring(), chain(4), doubling(), rabenseifner(), one_shot(), put_all()] {
            let simulation = Simulation::new(&m).over(&network);
            let free = simulation.run(&of, &request_for(&of, 32, 1 << 16)).unwrap();
            let contended =
                simulation.contended(true).run(&of, &request_for(&of, 32, 1 << 16)).unwrap();
            let (a, b) = (free.seconds, contended.seconds);
            assert!((a - b).abs() <= 1e-6 * a, "{text} {}: {a:e} and {b:e}", of.0.name);
            assert_eq!(free.levels, contended.levels);
        }
    }
}

#[test]
fn every_link_carries_the_bytes_of_the_messages_that_cross_it() {
    let m = model().over_links();
    for text in NETWORKS {
        let network = over(text, false);
        for of in [ring(), doubling(), rabenseifner()] {
            let request = request_for(&of, 32, 1 << 16);
            let lanes = Lanes::new(&of, &request).unwrap();
            let mut expected = vec![0; network.links()];
            for rank in 0..32 {
                for op in lanes.all(rank).unwrap() {
                    if op.action == crate::Action::Send {
                        let path = network.path(rank, op.peer as usize);
                        path.iter().for_each(|&link| expected[link as usize] += op.bytes);
                    }
                }
            }
            for contended in [false, true] {
                let simulation = Simulation::new(&m).over(&network).contended(contended);
                let run = simulation.run_lanes(&lanes, &lanes, 32).unwrap();
                assert_eq!(run.traffic, expected);
            }
        }
    }
}

#[test]
fn contention_costs_time_and_no_run_beats_the_lower_bound() {
    let m = model().over_links();
    for text in NETWORKS {
        let network = over(text, false);
        for of in [ring(), both_ways(), chain(1), chain(16), doubling(), rabenseifner()] {
            for elements in [1, 1000, 1 << 20] {
                let simulation = Simulation::new(&m).over(&network);
                let free = simulation.run(&of, &request_for(&of, 32, elements)).unwrap();
                let contended =
                    simulation.contended(true).run(&of, &request_for(&of, 32, elements)).unwrap();
                assert!(contended.seconds >= free.lower_bound * (1.0 - 1e-9));
                assert!(free.seconds >= free.lower_bound * (1.0 - 1e-9), "{text} {free:?}");
            }
        }
    }
    let tapered = over("fat-tree:k=8,taper=7", false);
    let simulation = Simulation::new(&m).over(&tapered);
    let free = simulation.run(&doubling(), &request(32, 1 << 20)).unwrap();
    let contended = simulation.contended(true).run(&doubling(), &request(32, 1 << 20)).unwrap();
    assert!(contended.seconds > 2.0 * free.seconds, "7 ranks share one way up");
    let busiest = contended.busiest.unwrap();
    assert!(busiest.level.starts_with("leaf"), "{busiest:?}");
}

#[test]
fn who_is_written_to_in_shared_memory_does_nothing() {
    let copy = crate::Rate::constant(1e-12);
    let model = CostModel { copy, ..CostModel::peer_memory(0) };
    let of = put_all();
    let simulated = Simulation::new(&model).run(&of, &request_for(&of, 2, 1 << 20)).unwrap();
    assert!(simulated.lower_bound <= simulated.seconds, "{simulated:?}");
}

#[test]
fn a_ring_over_islands_goes_on_at_the_pace_of_its_first_rounds() {
    let m = model().over_links();
    let network = "islands:size=8,k=16".parse::<Topology>().unwrap().network(256).unwrap();
    let request = request(256, 256 * 4096);
    let of = ring();
    let lanes = Lanes::new(&of, &request).unwrap().evenly();
    let simulation = Simulation::new(&m).over(&network).contended(true);
    let whole = simulation.run_lanes(&lanes, &lanes, 256).unwrap();
    let extrapolated = periodic::extrapolate(&simulation, &lanes).unwrap();
    let error = (extrapolated.seconds / whole.seconds - 1.0).abs();
    assert!(error < 0.02, "{extrapolated:?} for {}", whole.seconds);
    assert_eq!(extrapolated.messages, whole.messages);
    assert_eq!(extrapolated.traffic, whole.traffic);
}

#[test]
fn one_sided_steps_cost_messages_over_a_network_and_work_in_shared_memory() {
    let (m, bytes, n) = (model(), 4096.0, 5);
    let barrier = 3.0 * (m.latency + 2.0 * m.overhead);
    let (copy, g) = (bytes * m.copy.at(0), bytes * m.reduce.at(0));
    let get = 2.0 * m.overhead + 2.0 * m.latency + bytes * m.per_byte + g;
    let seconds = |of: &Of, model: &CostModel| {
        Simulation::new(model).run(of, &request_for(of, n, 1024)).unwrap().seconds
    };
    close(seconds(&one_shot(), &m), copy + 4.0 * get + barrier);
    let put = m.overhead + (bytes * m.per_byte).max(2.0 * m.overhead);
    let last = 4.0 * put - 2.0 * m.overhead + 2.0 * m.overhead;
    assert!(seconds(&put_all(), &m) > last, "the root writes one after the other");

    let shared = CostModel { per_byte: 0.0, receive: crate::Rate::constant(1e-9), ..m };
    let get = shared.overhead + g;
    close(seconds(&one_shot(), &shared), copy + 4.0 * get + barrier);
    let put = shared.overhead + copy;
    let signal = shared.overhead;
    let last = shared.latency + shared.overhead;
    close(seconds(&put_all(), &shared), 4.0 * (put + signal) + last);
}

#[test]
fn a_barrier_takes_messages_over_the_links_and_between_tasks() {
    let of = Of(Descriptor::new("meet", Operation::Barrier), |_, _, s| s.barrier(), 1);
    let m = model().over_links();
    let link = Link { latency: 5e-6, ..Link::default() };
    let network = Topology::Switch(link).network(4).unwrap();
    let way = network.path(0, 1).len() as f64 * link.latency;
    for contended in [false, true] {
        let simulation = Simulation::new(&m).over(&network).contended(contended);
        let seconds = simulation.run(&of, &request_for(&of, 4, 0)).unwrap().seconds;
        close(seconds, 2.0 * (way + 2.0 * m.overhead));
    }
    let across = Link { bandwidth: 1e9, latency: 30e-6 };
    let m = CostModel { across: Some(across), ..m };
    let tasks = crate::Arrangement::of_tasks(&[2, 2]).unwrap();
    let request = request_for(&of, 4, 0).arrangement(tasks);
    let seconds = Simulation::new(&m).run(&of, &request).unwrap().seconds;
    close(seconds, 2.0 * (across.latency + 2.0 * m.overhead));
}

#[test]
fn a_long_lane_of_one_rank_does_not_count_for_all() {
    let gather = Of(Descriptor::gather("star"), star, 1);
    let (n, model) = (512, model());
    let simulation = Simulation::new(&model).at_most(1 << 12);
    let simulated = simulation.run(&gather, &request_for(&gather, n, 1)).unwrap();
    assert_eq!((simulated.messages, simulated.method), (n as u64 - 1, Method::Steps));
    let all = Of(Descriptor::all_gather("pairs"), pairs, 1);
    let error = simulation.run(&all, &request_for(&all, n, 1)).unwrap_err();
    let text = "collective `pairs` has more than 4096 steps of 512 ranks, which differ in more than a rotation: ";
    assert!(error.message().starts_with(text), "{error}");
}

#[test]
fn advice_is_for_schedules_that_are_too_long_and_not_for_those_that_a_choice_leaves_out() {
    let m = CostModel { cores: 2, ..model() };
    let pairs = Of(Descriptor::all_gather("pairs"), pairs, 1);
    let error = |simulation: Simulation<'_>, of: &Of, n| {
        simulation.run(of, &request_for(of, n, 8)).unwrap_err().to_string()
    };
    let text = error(Simulation::new(&m), &pairs, 8192);
    assert!(text.contains(" has more than 33554432 steps of 8192 ranks, "), "{text}");
    assert!(text.ends_with(": no more are simulated one by one; simulate fewer ranks"), "{text}");
    for (of, n) in [(&pairs, 8192), (&ring(), 8)] {
        let text = error(Simulation::new(&m).at_most(10), of, n);
        let end = ": a shorter schedule can be used";
        assert!(text.ends_with(end), "{text}");
    }
}

#[test]
fn ranks_that_share_cores_take_turns() {
    let m = model();
    let shared = CostModel { cores: 2, reduce: crate::Rate::constant(1e-6), ..m };
    let own = CostModel { cores: 0, ..shared.clone() };
    let seconds = |model: &CostModel, n: usize| {
        Simulation::new(model).run(&doubling(), &request(n, 1000)).unwrap().seconds
    };
    close(seconds(&shared, 2), seconds(&own, 2));
    let ratio = seconds(&shared, 8) / seconds(&own, 8);
    assert!((3.9..4.1).contains(&ratio), "8 ranks merge on 2 cores: {ratio}");
}

#[test]
fn what_cannot_be_simulated_says_why() {
    let m = model();
    let network = Topology::Switch(Link::default()).network(4).unwrap();
    let other = Simulation::new(&m).over(&network).run(&ring(), &request(8, 8)).unwrap_err();
    assert_eq!(other.message(), "a network of 4 ranks does not carry a group of 8");
    let endless =
        Of(Descriptor::all_reduce("endless"), |p, rank, s| s.recv(rank.next(), p.all()), 1);
    let error = Simulation::new(&m).run(&endless, &request(2, 8)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotVerified);
    assert!(error.message().contains("waits for ever at step 0"), "{error}");
    let unread = Of(Descriptor::all_reduce("unread"), |p, rank, s| s.send(rank.next(), p.all()), 1);
    let error = Simulation::new(&m).run(&unread, &request(2, 8)).unwrap_err();
    assert!(error.message().contains("never received"), "{error}");
    let many = Simulation::new(&m).run(&ring(), &request(2 << 20, 8)).unwrap_err();
    assert_eq!(many.kind(), ErrorKind::Unsupported);
}
