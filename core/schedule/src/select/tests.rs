use super::*;
use crate::{
    Capabilities, Chunks, Descriptor, Lane, Operation, Params, Rank, Rate, register_collective,
};
use ringwood_base::DType;
use ringwood_base::ErrorKind;
use ringwood_base::registry::{Entry, EntryMeta};
use std::borrow::Cow;

/// Folds everything at rank 0 and sends it back: few messages, all of the buffer.
struct Star;

impl Collective for Star {
    fn describe(&self) -> Descriptor {
        Descriptor::all_reduce("star")
    }

    fn schedule(&self, p: &Params, rank: Rank, s: &mut Lane) {
        let center = p.rank(0);
        for other in (1..p.ranks()).map(|r| p.rank(r)) {
            if rank == center {
                s.recv_reduce(other, p.all());
            } else if rank == other {
                s.send(center, p.all());
                s.recv(center, p.all());
            }
        }
        for other in (1..p.ranks()).map(|r| p.rank(r)).filter(|_| rank == center) {
            s.send(other, p.all());
        }
    }
}

/// All-reduce around a ring: many messages, least bytes.
struct Ring;

impl Collective for Ring {
    fn describe(&self) -> Descriptor {
        Descriptor::all_reduce("ring").chunks(Chunks::PerRank)
    }

    fn schedule(&self, p: &Params, rank: Rank, s: &mut Lane) {
        for step in 0..p.ranks() - 1 {
            s.send(rank.next(), p.chunk(rank - step));
            s.recv_reduce(rank.prev(), p.chunk(rank - step - 1));
        }
        for step in 0..p.ranks() - 1 {
            s.send(rank.next(), p.chunk(rank - step + 1));
            s.recv(rank.prev(), p.chunk(rank - step));
        }
    }
}

/// Recursive doubling.
struct Doubling;

impl Collective for Doubling {
    fn describe(&self) -> Descriptor {
        Descriptor::all_reduce("doubling").power_of_two_ranks()
    }

    fn schedule(&self, p: &Params, rank: Rank, s: &mut Lane) {
        for bit in 0..p.ranks().ilog2() {
            let peer = p.rank(rank.index() ^ 1 << bit);
            s.send(peer, p.all());
            s.recv_reduce(peer, p.all());
        }
    }
}

/// Never holds what it should.
struct Forgetful;

impl Collective for Forgetful {
    fn describe(&self) -> Descriptor {
        Descriptor::all_reduce("forgetful")
    }

    fn schedule(&self, _: &Params, _: Rank, _: &mut Lane) {}
}

/// Cannot say what it is.
struct Nameless;

impl Collective for Nameless {
    fn describe(&self) -> Descriptor {
        panic!("no name")
    }

    fn schedule(&self, _: &Params, _: Rank, _: &mut Lane) {}
}

/// Reads its peers in place.
struct Reader;

impl Collective for Reader {
    fn describe(&self) -> Descriptor {
        Descriptor::all_reduce("reader").out_of_place().needs_peer_load()
    }

    fn schedule(&self, p: &Params, rank: Rank, s: &mut Lane) {
        if rank.index() > 0 {
            s.get(p.rank(0), p.input(0_usize), p.all());
        } else {
            s.copy(p.input(0_usize), p.all());
        }
        for other in (1..p.ranks()).map(|r| p.rank(r)) {
            if other == rank {
                s.reduce(p.input(0_usize), p.all());
            } else {
                s.get_reduce(other, p.input(0_usize), p.all());
            }
        }
        s.barrier();
    }
}

/// Everyone hands everything on, in two rounds that differ from rank to rank.
struct Gossip;

impl Collective for Gossip {
    fn describe(&self) -> Descriptor {
        Descriptor::all_reduce("gossip").chunks(Chunks::PerRank)
    }

    fn schedule(&self, p: &Params, rank: Rank, s: &mut Lane) {
        let others = || (0..p.ranks()).map(|other| p.rank(other)).filter(|&other| other != rank);
        others().for_each(|other| s.send(other, p.chunk(other)));
        others().for_each(|other| s.recv_reduce(other, p.chunk(rank)));
        others().for_each(|other| s.send(other, p.chunk(rank)));
        others().for_each(|other| s.recv(other, p.chunk(other)));
    }
}

mod entries {
    use super::{Doubling, Forgetful, Gossip, Nameless, Reader, Ring, Star, register_collective};
    register_collective!(gossip, Gossip);
    register_collective!(star, Star);
    register_collective!(ring, Ring);
    register_collective!(doubling, Doubling);
    register_collective!(forgetful, Forgetful);
    register_collective!(reader, Reader);
    register_collective!(nameless, Nameless);
}

fn registry(entries: &[Entry]) -> Registry {
    Registry::builder().register_all(entries.iter().cloned()).build().unwrap()
}

fn messages() -> Setting {
    Setting::new(CostModel::cluster(), Capabilities::NONE)
}

fn all_reduce(
    registry: &Registry,
    ranks: usize,
    elements: usize,
    setting: &Setting,
) -> Result<Cow<'static, str>> {
    let request = Request::new(Operation::AllReduce, ranks, elements, DType::F32);
    let chosen = choose(registry, None, &request, setting)?;
    Ok(chosen.describe().name)
}

fn three() -> Registry {
    registry(&[entries::ring::ENTRY, entries::star::ENTRY, entries::doubling::ENTRY])
}

#[test]
fn an_algorithm_of_another_package_is_called_and_corrected_by_its_full_name() {
    static RING: Entry = entries::ring::ENTRY;
    let meta = EntryMeta { package: "mine", ..RING.meta() };
    let mine = Entry::new(meta, RING.declared::<CollectiveDef>().unwrap());
    let registry = registry(&[RING.clone(), mine]);
    let request = Request::new(Operation::AllReduce, 4, 64, DType::F32);
    for name in ["ring", "ringwood::ring", "mine::ring"] {
        choose(&registry, Some(name), &request, &messages()).unwrap();
    }
    let mut model = CostModel::cluster();
    model.corrections.insert("mine::ring", 4, Rate::constant(2.0));
    let [own, mine] = ["ringwood::ring", "mine::ring"]
        .map(|name| predict(&registry, name, &request, &model).unwrap());
    assert_eq!(mine, 2.0 * own);
}

#[test]
fn the_cheapest_depends_on_the_size_and_is_the_same_each_time() {
    for _ in 0..3 {
        assert_eq!(all_reduce(&three(), 8, 2, &messages()).unwrap(), "doubling");
        assert_eq!(all_reduce(&three(), 8, 1 << 22, &messages()).unwrap(), "ring");
        assert_eq!(all_reduce(&three(), 7, 1 << 22, &messages()).unwrap(), "ring");
        assert_eq!(all_reduce(&three(), 100, 1 << 24, &messages()).unwrap(), "ring");
    }
}

#[test]
fn of_equal_costs_the_first_by_name_is_taken() {
    let free = CostModel {
        latency: 0.0,
        overhead: 0.0,
        per_byte: 0.0,
        reduce: Rate::constant(0.0),
        copy: Rate::constant(0.0),
        ..CostModel::cluster()
    };
    let setting = Setting::new(free, Capabilities::NONE);
    assert_eq!(all_reduce(&three(), 4, 100, &setting).unwrap(), "doubling");
    assert_eq!(all_reduce(&three(), 3, 100, &setting).unwrap(), "ring");
}

#[test]
fn a_fixed_order_is_kept_at_every_size_or_the_error_lists_what_exists() {
    let fixed = |order| Setting { order: Some(order), ..messages() };
    for elements in [1, 1000, 1 << 22] {
        let chosen = |order| all_reduce(&three(), 8, elements, &fixed(order)).unwrap();
        assert_eq!([Order::Linear, Order::XorTree].map(chosen), ["star", "doubling"]);
    }
    let error = all_reduce(&three(), 6, 10, &fixed(Order::XorTree)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotFound);
    let text = error.message();
    assert!(text.starts_with("no collective for all_reduce in order xor_tree among 6 ranks: "));
    for part in ["`star` merges in order linear", "`ring` merges in order ring", "a power of two"] {
        assert!(text.contains(part), "{text}");
    }
    let error = all_reduce(&three(), 8, 10, &fixed(Order::Ring)).unwrap_err();
    assert!(error.message().contains("cannot be fixed"), "{error}");
    assert!(Order::Unnamed.fixed().is_err() && Order::Linear.fixed().is_ok());
    assert_eq!("xor_tree".parse::<Order>().unwrap(), Order::XorTree);
    assert!("ring".parse::<Order>().is_err());
}

#[test]
fn two_and_three_contributions_have_one_order_that_can_be_fixed() {
    let setting = Setting { order: Some(Order::XorTree), ..messages() };
    for ranks in [2, 3] {
        let chosen = all_reduce(&registry(&[entries::star::ENTRY]), ranks, 10, &setting);
        assert_eq!(chosen.unwrap(), "star");
    }
}

#[test]
fn who_asks_too_much_of_the_transport_or_is_wrong_is_passed_over() {
    let registry =
        registry(&[entries::forgetful::ENTRY, entries::reader::ENTRY, entries::star::ENTRY]);
    assert_eq!(all_reduce(&registry, 4, 64, &messages()).unwrap(), "star");
    let memory = Setting::new(CostModel::peer_memory(4), Capabilities::PEER_MEMORY);
    assert_eq!(all_reduce(&registry, 4, 64, &memory).unwrap(), "reader");
    let request = Request::new(Operation::AllReduce, 4, 64, DType::F32);
    let explanation = explain(&registry, &request, &messages()).unwrap();
    assert_eq!(explanation.candidates.len(), 1);
    let why = |name| &explanation.refused.iter().find(|r| r.name == name).unwrap().why;
    assert!(why("forgetful").contains("refused by the verifier"), "{}", why("forgetful"));
    assert!(why("reader").contains("asks more of a transport"), "{}", why("reader"));
}

#[test]
fn one_that_panics_as_it_describes_itself_is_named_and_passed_over() {
    let registry = registry(&[entries::nameless::ENTRY, entries::star::ENTRY]);
    assert_eq!(all_reduce(&registry, 4, 64, &messages()).unwrap(), "star");
    let request = Request::new(Operation::AllReduce, 4, 64, DType::F32);
    let told = "collective `nameless`, `Collective::describe`, panicked: no name";
    assert_eq!(explain(&registry, &request, &messages()).unwrap().refused[0].why, told);
    let asked = choose(&registry, Some("nameless"), &request, &messages());
    assert_eq!(asked.map(|_| ()).unwrap_err().message(), told);
}

#[test]
fn an_explanation_has_the_choice_first_and_the_price_of_the_order() {
    let request = Request::new(Operation::AllReduce, 8, 1 << 22, DType::F32);
    let explain = |setting: &Setting| explain(&three(), &request, setting).unwrap();
    let free = explain(&messages());
    let names: Vec<_> = free.candidates.iter().map(|c| &*c.name).collect();
    assert_eq!((names.as_slice(), free.price), (&["ring", "doubling", "star"][..], None));
    assert!(free.candidates.is_sorted_by_key(|c| c.predicted));
    assert_eq!(free.candidates[1].order, Some(Order::XorTree));
    let fixed = explain(&Setting { order: Some(Order::Linear), ..messages() });
    assert_eq!(fixed.candidates[0].name, "star");
    assert_eq!(fixed.price, Some(fixed.candidates[0].predicted / free.candidates[0].predicted));
    assert!(fixed.price.unwrap() > 2.0 && fixed.refused.len() == 2);
}

#[test]
fn the_price_of_an_order_is_that_of_algorithms_that_can_be_used() {
    let registry = registry(&[entries::star::ENTRY, entries::forgetful::ENTRY]);
    let request = Request::new(Operation::AllReduce, 128, 1 << 10, DType::F32);
    let linear = Setting { order: Some(Order::Linear), ..messages() };
    assert_eq!(explain(&registry, &request, &linear).unwrap().price, Some(1.0));
}

#[test]
fn an_algorithm_asked_for_by_name_must_fit_as_well() {
    let request = Request::new(Operation::AllReduce, 4, 64, DType::F32);
    let by_name = |name, setting: &Setting| {
        choose(&three(), Some(name), &request, setting).map(|c| c.describe().name)
    };
    assert_eq!(by_name("star", &messages()).unwrap(), "star");
    let linear = Setting { order: Some(Order::Linear), ..messages() };
    let error = by_name("ring", &linear).unwrap_err();
    assert_eq!(error.message(), "collective `ring` merges in order ring, not linear");
    assert_eq!(by_name("rnig", &messages()).unwrap_err().kind(), ErrorKind::NotFound);
}

#[test]
fn a_group_chooses_once_for_each_question() {
    let selector = Selector::new(messages());
    let registry = three();
    let request = Request::new(Operation::AllReduce, 8, 64, DType::F32);
    let ask = |order| selector.select(&registry, None, order, &request);
    for order in [None, Some(Order::Linear), None] {
        let name = ask(order).unwrap().describe().name;
        assert_eq!(name, if order.is_some() { "star" } else { "doubling" });
    }
    assert_eq!(selector.chosen.lock().unwrap().len(), 2);
}

#[test]
fn large_groups_weigh_long_schedules_only_where_no_short_one_can_be_used() {
    let (names, n) = ([entries::gossip::ENTRY, entries::star::ENTRY], 200);
    let request = Request::new(Operation::AllReduce, n, 1, DType::F32);
    let explain = |names: &[Entry]| explain(&registry(names), &request, &messages()).unwrap();
    let both = explain(&names);
    assert_eq!(both.candidates.iter().map(|c| &*c.name).collect::<Vec<_>>(), ["star"]);
    let why = &both.refused[0].why;
    assert!(why.contains("`gossip` has more than 131072 steps of 200 ranks"), "{why}");
    let alone = explain(&names[..1]);
    assert_eq!(alone.candidates.iter().map(|c| &*c.name).collect::<Vec<_>>(), ["gossip"]);
    assert_eq!(all_reduce(&registry(&names), n, 1, &messages()).unwrap(), "star");
    assert_eq!(all_reduce(&registry(&names[..1]), n, 1, &messages()).unwrap(), "gossip");
    let long = Request::new(Operation::AllReduce, n, 1 << 26, DType::F32);
    let long = super::explain(&registry(&names), &long, &messages()).unwrap();
    assert_eq!(long.candidates.len(), 2, "where all are slow, both are weighed");
}

/// Two selectors of processes that share their answers, and how many of those were found.
fn sharing(
    text: impl Fn(String) -> String + Send + Sync + 'static,
) -> (impl Fn() -> Selector, Arc<Mutex<usize>>) {
    let (known, found) = (Mutex::new(HashMap::new()), Arc::new(Mutex::new(0)));
    let count = Arc::clone(&found);
    let answers: Answers = Arc::new(move |question, find| {
        let mut known = known.lock().unwrap();
        if let Some(answer) = known.get(question) {
            return Some(text(String::clone(answer)));
        }
        *count.lock().unwrap() += 1;
        let answer = find()?;
        known.insert(question.to_owned(), answer.clone());
        Some(answer)
    });
    (move || Selector::new(messages()).sharing(Some(Arc::clone(&answers))), found)
}

#[test]
fn processes_of_large_groups_share_what_they_choose_and_prove() {
    let (selector, found) = sharing(|text| text);
    let request = |ranks| Request::new(Operation::AllReduce, ranks, 64, DType::F32);
    let ask = |name, order, ranks| selector().select(&three(), name, order, &request(ranks));
    for _ in 0..3 {
        assert_eq!(ask(None, None, 32).unwrap().describe().name, "doubling");
        assert_eq!(ask(Some("ring"), None, 32).unwrap().describe().name, "ring");
        assert_eq!(ask(None, Some(Order::Linear), 32).unwrap().describe().name, "star");
        assert_eq!(ask(None, None, 16).unwrap().describe().name, "doubling");
    }
    // A choice and a proof of each, but of the small group.
    assert_eq!(*found.lock().unwrap(), 6);
    // An error is everybody's own.
    for times in 1..3 {
        let error = ask(Some("ring"), Some(Order::Linear), 32).err().unwrap();
        assert_eq!(error.message(), "collective `ring` merges in order ring, not linear");
        assert_eq!(*found.lock().unwrap(), 6 + times);
    }
}

#[test]
fn what_another_process_chooses_is_checked_here() {
    let request = Request::new(Operation::AllReduce, 32, 64, DType::F32);
    let (selector, told) = (sharing, Mutex::new("star"));
    let told = Arc::new(told);
    let replace = Arc::clone(&told);
    let (selector, _) = selector(move |_| replace.lock().unwrap().to_string());
    let ask = || selector().select(&three(), None, None, &request).unwrap().describe().name;
    assert_eq!(ask(), "doubling");
    // Another one that can be used, one that is wrong, one that is not here, and none.
    for (name, chosen) in
        [("star", "star"), ("forgetful", "doubling"), ("elsewhere", "doubling"), ("", "doubling")]
    {
        *told.lock().unwrap() = name;
        assert_eq!(ask(), chosen, "{name}");
    }
}
