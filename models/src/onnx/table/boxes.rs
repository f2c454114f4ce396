//! Boxes in images: which of those that overlap are kept.

use ringwood_base::Result;
use ringwood_graph::compose::{Call, misshapen};
use ringwood_graph::graph::Value;

/// A box by its corners, the smaller coordinates first.
type Corners = [f32; 4];

/// The elements of a value as `f32`; the default where there is none.
fn floats(c: &mut Call<'_>, value: Option<Value>, default: &[f32]) -> Result<Vec<f32>> {
    let Some(value) = value else { return Ok(default.to_vec()) };
    Ok(c.numbers(value)?.into_iter().map(|number| number as f32).collect())
}

/// Of each class in each image, the boxes with the highest scores that do not overlap one that is kept.
pub(super) fn non_max_suppression(c: &mut Call<'_>) -> Result<Vec<Value>> {
    let (boxes, scores) = (c.operand(0)?, c.operand(1)?);
    let (shape, classes) = (c.type_of(boxes)?.shape, c.type_of(scores)?.shape);
    let ([images, n, 4], [batch, classes, m]) = (&shape[..], &classes[..]) else {
        return Err(misshapen(format!("boxes of shape {shape} and scores of shape {classes}")));
    };
    if (images, n) != (batch, m) {
        return Err(misshapen(format!("{images} by {n} boxes, and scores of {batch} by {m}")));
    }
    let most = match c.maybe(2) {
        Some(most) => c.graph.integers(most)?.first().map_or(0, |n| (*n).max(0) as usize),
        None => 0,
    };
    let overlap = floats(c, c.maybe(3), &[0.0])?.first().copied().unwrap_or(0.0);
    let least = floats(c, c.maybe(4), &[f32::NEG_INFINITY])?.first().copied();
    let centred = c.flag("center_point_box", false)?;
    let boxes = floats(c, Some(boxes), &[])?;
    let boxes: Vec<_> = boxes.chunks_exact(4).map(|given| corners(given, centred)).collect();
    let scores = floats(c, Some(scores), &[])?;
    let mut kept = Vec::new();
    for (row, scores) in scores.chunks_exact((*n).max(1)).enumerate() {
        let (image, class) = (row / classes, row % classes);
        let boxes = &boxes[image * n..][..*n];
        let candidate = |i: &usize| least.is_none_or(|least| scores[*i] > least);
        let mut order: Vec<_> = (0..*n).filter(candidate).collect();
        order.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]));
        let mut chosen: Vec<usize> = Vec::new();
        for i in order {
            let free = chosen.iter().all(|k| shared(&boxes[*k], &boxes[i]) <= overlap);
            if chosen.len() < most && free {
                chosen.push(i);
            }
        }
        kept.extend(chosen.iter().flat_map(|i| [image as i64, class as i64, *i as i64]));
    }
    Ok(vec![c.graph.constant(&[kept.len() / 3, 3], &kept)?])
}

fn corners(given: &[f32], centred: bool) -> Corners {
    let [a, b, c, d] = [given[0], given[1], given[2], given[3]];
    match centred {
        true => [a - c / 2.0, b - d / 2.0, a + c / 2.0, b + d / 2.0],
        false => [a.min(c), b.min(d), a.max(c), b.max(d)],
    }
}

/// What two boxes share, of what both cover.
fn shared(a: &Corners, b: &Corners) -> f32 {
    let side = |d: usize| (a[d + 2].min(b[d + 2]) - a[d].max(b[d])).max(0.0);
    let area = |c: &Corners| (c[2] - c[0]) * (c[3] - c[1]);
    let both = side(0) * side(1);
    if both <= 0.0 { 0.0 } else { both / (area(a) + area(b) - both) }
}
