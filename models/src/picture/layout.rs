//! Where the parts of a picture stand: each below what it reads, in rows whose order keeps edges short.
//!
//! After Sugiyama, Tagawa and Toda, "Methods for visual understanding of hierarchical system structures"
//! (1981), with barycentres.

use super::parts::Part;

/// The room between two parts of a row.
const GAP: f64 = 16.0;

/// The sweeps over all rows, down and up in turns.
const SWEEPS: usize = 4;

/// The place of a part.
#[derive(Clone, Copy, Default)]
pub(super) struct Place {
    pub(super) row: usize,
    /// The middle.
    pub(super) x: f64,
}

/// The place of each part, and the width of all.
pub(super) fn places(parts: &[Part]) -> (Vec<Place>, f64) {
    let mut places: Vec<Place> = Vec::with_capacity(parts.len());
    for part in parts {
        let above = part.operands.iter().map(|&operand| places[operand].row + 1);
        places.push(Place { row: above.max().unwrap_or(0), x: 0.0 });
    }
    let mut readers = vec![Vec::new(); parts.len()];
    for (i, part) in parts.iter().enumerate() {
        part.operands.iter().for_each(|&operand| readers[operand].push(i));
    }
    let count = places.iter().map(|place| place.row + 1).max().unwrap_or(0);
    let mut rows = vec![Vec::new(); count];
    places.iter().enumerate().for_each(|(i, place)| rows[place.row].push(i));
    let width = |row: &[usize]| row.iter().map(|&i| parts[i].width() + GAP).sum::<f64>();
    let widest = rows.iter().map(|row| width(row)).fold(0.0, f64::max);
    rows.iter().for_each(|row| stand(row, parts, widest, &mut places));
    for sweep in 0..SWEEPS {
        for step in 0..count {
            let row = if sweep % 2 == 0 { step } else { count - 1 - step };
            let neighbours = |i: usize| match sweep % 2 {
                0 => parts[i].operands.as_slice(),
                _ => readers[i].as_slice(),
            };
            let order = |i: &usize| match neighbours(*i) {
                [] => places[*i].x,
                others => others.iter().map(|&o| places[o].x).sum::<f64>() / others.len() as f64,
            };
            rows[row].sort_by(|a, b| order(a).total_cmp(&order(b)));
            stand(&rows[row], parts, widest, &mut places);
        }
    }
    (places, widest)
}

/// The parts of a row beside each other, in the middle of the picture.
fn stand(row: &[usize], parts: &[Part], widest: f64, places: &mut [Place]) {
    let width: f64 = row.iter().map(|&i| parts[i].width() + GAP).sum();
    let mut x = (widest - width) / 2.0;
    for &i in row {
        let own = parts[i].width() + GAP;
        places[i].x = x + own / 2.0;
        x += own;
    }
}
