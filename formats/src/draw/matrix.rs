//! What each rank sends to each, as a matrix.

use super::canvas::Canvas;
use super::{Drawing, MARGIN};

/// The matrix has at most so many rows; beyond, a cell stands for a group of ranks.
const MOST_ROWS: usize = 32;
/// Cells have numbers in matrices of at most so many rows.
const MOST_NUMBERED: usize = 16;

/// Draws the matrix below `top`.
pub(super) fn draw(drawing: &Drawing<'_>, canvas: &mut Canvas, top: f64) {
    let ranks = drawing.params.ranks();
    let group = ranks.div_ceil(MOST_ROWS);
    let rows = ranks.div_ceil(group);
    let bytes = sums(drawing, rows, group);
    let most = bytes.iter().copied().fold(0.0, f64::max);
    let numbered = rows <= MOST_NUMBERED;
    let (wide, high) = if numbered { (60.0, 28.0) } else { (18.0, 18.0) };
    let (left, first) = (MARGIN + 40.0, top + 46.0);

    let whole = drawing.bytes;
    let unit = match group {
        1 => "rank".to_owned(),
        _ => format!("group of {group} ranks"),
    };
    let head = format!("Bytes from each {unit} (row) to each (column), for a buffer of {whole}");
    canvas.text(MARGIN, top + 10.0, "head", &head);
    for i in 0..rows {
        let name = (i * group).to_string();
        let (across, down) = (wide * (i as f64 + 0.5), high * (i as f64 + 0.5));
        if numbered || i % 4 == 0 {
            canvas.text(left + across, first - 8.0, "small mid", &name);
            canvas.text(left - 8.0, first + down + 4.0, "small end", &name);
        }
        for j in 0..rows {
            let sent = bytes[i * rows + j];
            let at = (left + wide * j as f64, first + high * i as f64);
            canvas.cell(at, (wide, high), if most > 0.0 { sent / most } else { 0.0 });
            if numbered && sent > 0.0 {
                let class = if sent / most > 0.75 { "on" } else { "num mid" };
                canvas.text(at.0 + wide / 2.0, at.1 + high / 2.0 + 4.0, class, &size(sent));
            }
        }
    }
    let total = size(bytes.iter().sum());
    let text = format!("{total} in all; the fullest cell has {}.", size(most));
    canvas.text(MARGIN, first + high * rows as f64 + 22.0, "small", &text);
}

/// The bytes between groups of ranks, row by row.
fn sums(drawing: &Drawing<'_>, rows: usize, group: usize) -> Vec<f64> {
    let chunk = drawing.bytes.0 as f64 / drawing.params.chunks() as f64;
    let mut sums = vec![0.0; rows * rows];
    for arrow in &drawing.line.arrows {
        let at = arrow.from as usize / group * rows + arrow.to as usize / group;
        sums[at] += chunk * f64::from(arrow.chunks.count);
    }
    sums
}

/// `1.75 MiB`, in few letters.
fn size(bytes: f64) -> String {
    const UNITS: [&str; 5] = ["B", "KiB", "MiB", "GiB", "TiB"];
    let mut value = bytes;
    let mut unit = 0;
    while value >= 1024.0 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    let digits = if value >= 100.0 || value.fract() < 0.005 {
        0
    } else if value >= 10.0 {
        1
    } else {
        2
    };
    format!("{value:.digits$} {}", UNITS[unit])
}
