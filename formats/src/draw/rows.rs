//! The time line: a row for each rank, a column for each step, an arrow for each message.

use super::canvas::{Canvas, pill_width};
use super::{Drawing, MARGIN, colour};
use crate::timeline::Arrow;
use ringwood_schedule::Space;
use std::collections::{HashMap, HashSet};

const ROW: f64 = 40.0;
/// Between the border of a column and the ends of its arrows.
const GAP: f64 = 12.0;
const LABELS: f64 = 64.0;

/// Draws the time line below `top`; returns where it ends.
pub(super) fn draw(drawing: &Drawing<'_>, canvas: &mut Canvas, top: f64) -> f64 {
    let ranks = drawing.params.ranks();
    let widest = drawing.line.arrows.iter().map(|a| pill_width(&label(a)));
    let pill = widest.fold(16.0, f64::max);
    let slots = Slots::of(drawing);
    // Steep arrows need room: the more rows, the wider a column.
    let column = 62.0 + 2.5 * ranks as f64 + slots.tails * (pill + 3.0) + slots.heads * 13.0;
    let x = |step: u32| MARGIN + LABELS + column * f64::from(step);
    let y = |rank: u32| row(top, rank);
    let bottom = y(ranks as u32 - 1) + 22.0;

    grid(drawing, canvas, column, (top, bottom));
    let tail = |i: usize, a: &Arrow| {
        (x(a.start) + GAP + pill / 2.0 + slots.of_arrow[i].0 * (pill + 3.0), y(a.from))
    };
    let head = |i: usize, a: &Arrow| (x(a.start + 1) - GAP - slots.of_arrow[i].1 * 13.0, y(a.to));
    for (i, arrow) in drawing.line.arrows.iter().enumerate() {
        let (from, to) = (tail(i, arrow), head(i, arrow));
        let steep = (to.1 - from.1).atan2(to.0 - from.0);
        let to = (to.0 - 6.0 * steep.cos(), to.1 - 6.0 * steep.sin());
        canvas.arrow(colour(arrow.chunks.first), from, to);
    }
    // Labels and targets lie above all lines.
    for (i, arrow) in drawing.line.arrows.iter().enumerate() {
        let shade = colour(arrow.chunks.first);
        canvas.target(shade, head(i, arrow), arrow.merges);
        canvas.pill(shade, tail(i, arrow), &label(arrow));
    }
    let mut marked = HashSet::new();
    for mark in drawing.line.marks.iter().filter(|m| marked.insert((m.rank, m.at))) {
        canvas.diamond((x(mark.at), y(mark.rank)));
    }
    legend(drawing, canvas, bottom + 22.0)
}

/// Draws the ground on which the arrows lie.
fn grid(drawing: &Drawing<'_>, canvas: &mut Canvas, column: f64, (top, bottom): (f64, f64)) {
    let x = |step: u32| MARGIN + LABELS + column * f64::from(step);
    canvas.text(MARGIN, top + 8.0, "small", "step");
    for step in 0..=drawing.line.steps {
        canvas.line("grid", (x(step), top + 14.0), (x(step), bottom));
        if step < drawing.line.steps {
            canvas.text(x(step) + column / 2.0, top + 8.0, "small mid", &(step + 1).to_string());
        }
    }
    for rank in 0..drawing.params.ranks() as u32 {
        let y = row(top, rank);
        canvas.line("row", (x(0), y), (x(drawing.line.steps), y));
        canvas.text(MARGIN, y + 4.5, "head", &format!("rank {rank}"));
    }
}

/// The middle of a rank's row.
fn row(top: f64, rank: u32) -> f64 {
    top + 34.0 + ROW * f64::from(rank)
}

/// Which of several places the ends of each arrow have, where arrows share a rank and a step.
struct Slots {
    of_arrow: Vec<(f64, f64)>,
    /// The most places that one rank needs in one step.
    tails: f64,
    heads: f64,
}

impl Slots {
    fn of(drawing: &Drawing<'_>) -> Self {
        let (mut tails, mut heads) = (HashMap::new(), HashMap::new());
        let place = |arrow: &Arrow| {
            // Arrows with the same label leave from one place.
            let labels: &mut Vec<String> = tails.entry((arrow.from, arrow.start)).or_default();
            let label = label(arrow);
            let tail = labels.iter().position(|l| *l == label).unwrap_or_else(|| {
                labels.push(label);
                labels.len() - 1
            });
            let head = heads.entry((arrow.to, arrow.start)).or_insert(0);
            *head += 1;
            (tail as f64, f64::from(*head - 1))
        };
        let of_arrow: Vec<_> = drawing.line.arrows.iter().map(place).collect();
        let most =
            |ends: fn(&(f64, f64)) -> f64| of_arrow.iter().map(ends).fold(0.0, f64::max) + 1.0;
        let (tails, heads) = (most(|a| a.0), most(|a| a.1));
        Self { of_arrow, tails, heads }
    }
}

/// `3`, `2-5`, or `s1` for scratch memory.
fn label(arrow: &Arrow) -> String {
    let (first, count) = (arrow.chunks.first, arrow.chunks.count);
    let scratch = if arrow.chunks.space == Space::Scratch { "s" } else { "" };
    match count {
        1 => format!("{scratch}{first}"),
        _ => format!("{scratch}{first}–{}", first + count - 1),
    }
}

/// What the shapes mean.
fn legend(drawing: &Drawing<'_>, canvas: &mut Canvas, y: f64) -> f64 {
    let (arrows, marks) = (&drawing.line.arrows, &drawing.line.marks);
    let scratch = arrows.iter().any(|a| a.chunks.space == Space::Scratch);
    let [received, merged] = [false, true].map(|merges| arrows.iter().any(|a| a.merges == merges));
    let sent = format!("chunk sent, of {}", drawing.params.chunks());
    type Shape = fn(&mut Canvas, (f64, f64));
    let entries: [(bool, f64, &str, Shape); 5] = [
        (true, 16.0, &sent, |canvas, at| canvas.pill(0, at, "0")),
        (scratch, 23.0, "scratch chunk sent", |canvas, at| canvas.pill(0, at, "s0")),
        (received, 10.0, "received", |canvas, at| canvas.target(0, at, false)),
        (merged, 12.0, "received and merged", |canvas, at| canvas.target(0, at, true)),
        (!marks.is_empty(), 10.0, "copied or merged within the rank", Canvas::diamond),
    ];
    let mut x = MARGIN;
    for (_, width, text, shape) in entries.into_iter().filter(|(there, ..)| *there) {
        canvas.text(x + width + 6.0, y + 4.0, "small", text);
        shape(canvas, (x + width / 2.0, y));
        x += width + 6.0 + 6.6 * text.chars().count() as f64 + 18.0;
    }
    y + 34.0
}
