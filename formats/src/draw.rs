//! Drawings: a schedule as SVG.

mod canvas;
mod matrix;
mod rows;

use crate::lower::check_size;
use crate::timeline::{Timeline, timeline};
use canvas::Canvas;
use ringwood_base::{Error, Result};
use ringwood_schedule::{BufferMode, Bytes, Params, Schedule, order_of_steps, verify_schedule};

/// Time lines are drawn for at most so many ranks, steps and messages; beyond, links only.
const MOST_ROWS: usize = 16;
const MOST_STEPS: u32 = 64;
const MOST_ARROWS: usize = 1024;
/// Links are drawn for at most so many ranks.
pub const MOST_RANKS: usize = 256;

/// Draws a schedule: its messages over time, and how much goes over each link.
///
/// Time runs to the right in steps, each as long as one message; every rank is a row. An arrow is a
/// message, its colour and number are those of the chunk. Below, a matrix has what each rank sends
/// to each, for a buffer of `bytes`. Groups of more than 16 ranks, and schedules of more than 64
/// steps or 1024 messages, have the matrix alone; of more than 32 ranks its cells are groups of ranks.
///
/// ```
/// use ringwood_schedule::{Bytes, Params, Schedule};
/// use ringwood_base::registry::Registry;
/// # use ringwood_collectives as _;
///
/// let found = Registry::global()?.find::<ringwood_schedule::CollectiveDef>("ring")?;
/// let ring = &*found.collective;
/// let params = Params::new(&ring.describe(), 8)?;
/// let svg = ringwood_formats::draw::svg(&Schedule::of(ring, &params)?, &params, Bytes(1 << 20))?;
/// assert!(svg.starts_with("<svg") && svg.contains("14 steps"));
/// # Ok::<(), ringwood_base::Error>(())
/// ```
///
/// # Errors
/// More than [`MOST_RANKS`] ranks, more than 2^21 steps, or a schedule that races or does not end.
pub fn svg(schedule: &Schedule, params: &Params, bytes: Bytes) -> Result<String> {
    check_ranks(params.ranks())?;
    check_size(schedule)?;
    let line = timeline(schedule, &order_of_steps(schedule, params)?);
    let drawing = Drawing { params, line: &line, bytes };
    Ok(drawing.draw(&schedule.collective, order_class(schedule, params)))
}

/// Refuses groups that do not fit a drawing.
///
/// # Errors
/// More than [`MOST_RANKS`] ranks.
pub fn check_ranks(ranks: usize) -> Result<()> {
    if ranks <= MOST_RANKS {
        return Ok(());
    }
    Err(Error::unsupported(format!("{ranks} ranks do not fit a drawing"))
        .help(format!("draw at most {MOST_RANKS}; up to {MOST_ROWS} have a time line")))
}

/// The order class of a schedule, if it merges.
fn order_class(schedule: &Schedule, params: &Params) -> Option<String> {
    let verdict = verify_schedule(schedule, params).ok()?;
    verdict.order.map(|order| format!("order {order}"))
}

/// What is drawn.
struct Drawing<'a> {
    params: &'a Params,
    line: &'a Timeline,
    bytes: Bytes,
}

impl Drawing<'_> {
    fn draw(&self, name: &str, order: Option<String>) -> String {
        let mut canvas = Canvas::default();
        canvas.text(MARGIN, 30.0, "title", name);
        canvas.text(MARGIN, 50.0, "small", &self.subtitle(order));
        let mut bottom = 70.0;
        let rows = self.params.ranks() <= MOST_ROWS
            && self.line.steps <= MOST_STEPS
            && self.line.arrows.len() <= MOST_ARROWS;
        if rows {
            bottom = rows::draw(self, &mut canvas, bottom);
        } else {
            let why = "Links only: a time line has at most 16 ranks, 64 steps and 1024 messages.";
            canvas.text(MARGIN, bottom + 4.0, "small", why);
            bottom += 24.0;
        }
        matrix::draw(self, &mut canvas, bottom);
        canvas.finish(name)
    }

    /// `all_reduce · in place · 8 ranks · 14 steps · 112 messages · order ring`.
    fn subtitle(&self, order: Option<String>) -> String {
        let mode = match self.params.mode() {
            BufferMode::InPlace => "in place",
            BufferMode::OutOfPlace => "out of place",
        };
        let plural = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
        let facts = [
            self.params.operation().to_string(),
            mode.to_owned(),
            plural(self.params.ranks(), "rank"),
            plural(self.line.steps as usize, "step"),
            plural(self.line.arrows.len(), "message"),
        ];
        facts.into_iter().chain(order).collect::<Vec<_>>().join(" · ")
    }
}

/// The distance of everything from the left border.
const MARGIN: f64 = 24.0;

/// The colour of a chunk: a class of the style sheet.
fn colour(chunk: u32) -> usize {
    chunk as usize % canvas::COLOURS.len()
}
