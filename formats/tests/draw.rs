//! Drawings: well-formed, labelled, and without text over text.

use ringwood_base::ErrorKind;
use ringwood_base::registry::Registry;
use ringwood_collectives as _;
use ringwood_formats::draw;
use ringwood_schedule::{Bytes, Params, Schedule};
use roxmltree::Document;

fn svg(name: &str, ranks: usize) -> String {
    let collective = &*Registry::global()
        .unwrap()
        .find::<ringwood_schedule::CollectiveDef>(name)
        .unwrap()
        .collective;
    let params = Params::new(&collective.describe(), ranks).unwrap();
    let schedule = Schedule::of(collective, &params).unwrap();
    draw::svg(&schedule, &params, Bytes(1 << 20)).unwrap()
}

/// The boxes of all texts: left, top, right, bottom.
fn boxes(document: &Document<'_>) -> Vec<(f64, f64, f64, f64, String)> {
    let texts = document.descendants().filter(|n| n.has_tag_name("text"));
    let of = |node: roxmltree::Node<'_, '_>| {
        let number = |name| node.attribute(name).unwrap().parse::<f64>().unwrap();
        let (x, y, class) = (number("x"), number("y"), node.attribute("class").unwrap());
        let text = node.text().unwrap().to_owned();
        let letters = text.chars().count() as f64;
        // A little less than what common fonts need.
        let (letter, height) = match class {
            "title" => (10.0, 16.0),
            "head" => (7.0, 10.0),
            c if c.contains("on") || c.contains("num") => (5.8, 8.0),
            _ => (6.0, 9.0),
        };
        let wide = letters * letter;
        let left = match class {
            c if c.contains("mid") || c == "on" => x - wide / 2.0,
            c if c.contains("end") => x - wide,
            _ => x,
        };
        (left, y - height, left + wide, y, text)
    };
    texts.map(of).collect()
}

fn check(name: &str, ranks: usize, text: &str) {
    let document = Document::parse(text).unwrap();
    let root = document.root_element();
    let size = |name| root.attribute(name).unwrap().parse::<f64>().unwrap();
    let boxes = boxes(&document);
    for (i, a) in boxes.iter().enumerate() {
        assert!(
            a.0 >= 0.0 && a.2 <= size("width") && a.3 <= size("height"),
            "{name} {ranks}: {a:?}"
        );
        for b in &boxes[..i] {
            let apart = a.2 <= b.0 || b.2 <= a.0 || a.3 <= b.1 || b.3 <= a.1;
            assert!(apart || a == b, "{name} of {ranks}: {a:?} over {b:?}");
        }
    }
}

#[test]
fn no_text_lies_over_another_in_any_drawing() {
    let mut drawn = 0;
    for (entry, def) in Registry::global().unwrap().of::<ringwood_schedule::CollectiveDef>() {
        let collective = &*def.collective;
        for ranks in [1, 2, 4, 5, 16, 17] {
            let Ok(params) = Params::new(&collective.describe(), ranks) else { continue };
            let schedule = Schedule::of(collective, &params).unwrap();
            let text = draw::svg(&schedule, &params, Bytes(1 << 20))
                .unwrap_or_else(|e| panic!("{} of {ranks}: {e}", entry.meta().name));
            check(entry.meta().name, ranks, &text);
            drawn += 1;
        }
    }
    assert!(drawn > 150, "{drawn}");
}

#[test]
fn a_ring_says_what_it_is_and_has_an_arrow_for_each_message() {
    let text = svg("ring", 8);
    assert!(
        text.contains("all_reduce · in place · 8 ranks · 14 steps · 112 messages · order ring")
    );
    // One in the legend has no arrow.
    assert_eq!(text.matches("<line class=\"arrow").count(), 112);
    assert!(text.contains("received and merged") && text.contains("14 MiB in all"));
    assert!(text.contains("prefers-color-scheme:dark"));
}

#[test]
fn steps_are_those_of_the_textbooks() {
    let cases =
        [("recursive_doubling", 8, 3), ("binomial_broadcast", 8, 3), ("rabenseifner", 8, 6)];
    for (name, ranks, steps) in cases {
        assert!(svg(name, ranks).contains(&format!("· {steps} steps ·")), "{name}");
    }
}

#[test]
fn large_groups_have_links_only_and_larger_ones_are_refused() {
    let text = svg("ring", 64);
    assert!(text.contains("Links only") && text.contains("group of 2 ranks"));
    let ring = &*Registry::global()
        .unwrap()
        .find::<ringwood_schedule::CollectiveDef>("ring")
        .unwrap()
        .collective;
    let params = Params::new(&ring.describe(), 257).unwrap();
    let schedule = Schedule { collective: "ring".into(), lanes: Vec::new() };
    let error = draw::svg(&schedule, &params, Bytes(1 << 20)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported);
}

#[test]
fn a_name_of_control_characters_leaves_the_drawing_whole() {
    let registry = Registry::global().unwrap();
    let ring = registry.find::<ringwood_schedule::CollectiveDef>("ring").unwrap();
    let params = Params::new(&ring.collective.describe(), 2).unwrap();
    let mut schedule = Schedule::of(&*ring.collective, &params).unwrap();
    schedule.collective = "a\u{0}\u{1b}<b>\u{ffff}".into();
    let svg = draw::svg(&schedule, &params, Bytes(1024)).unwrap();
    assert!(svg.contains("a\\u{0}\\u{1b}&lt;b&gt;\\u{ffff}"), "{svg}");
    assert!(!svg.chars().any(|c| c.is_control() && c != '\n'));
}
