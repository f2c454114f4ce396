//! Pictures of graphs: where each node runs, what is copied, what is fused, and how large the results are.
//!
//! ```
//! use ringwood_base::DType;
//! use ringwood_graph::graph::Graph;
//! use ringwood_models::picture;
//! # use ringwood_kernels as _;
//!
//! let mut graph = Graph::new();
//! let x = graph.input("x", DType::F32, &[2, 3])?;
//! let y = graph.apply("exp", &[x])?;
//! graph.output("y", y)?;
//! assert!(picture::svg(&graph).contains("exp"));
//! # Ok::<(), ringwood_base::Error>(())
//! ```

mod layout;
mod parts;

use layout::{Place, places};
use parts::{Part, Shape, parts};
use ringwood_base::escape_control;
use ringwood_graph::graph::Graph;
use std::fmt::Write;

/// Colours of devices, legible below white text and on light and dark ground.
const COLOURS: [&str; 8] =
    ["#2f6fd0", "#a87400", "#2a8c4a", "#8250c4", "#d1495b", "#00838f", "#6a7f10", "#c2368b"];

const STYLE: &str = "text{font:12px system-ui,sans-serif;fill:#fff;text-anchor:middle}.key{fill:#565e69;text-anchor:start}\
.edge{fill:none;stroke:#8a939e;stroke-width:1.2}.ground{fill:#fff}.plain{fill:#5f6b7a}\
@media (prefers-color-scheme:dark){.ground{fill:#15181d}.key{fill:#a9b1bb}}";

/// The height of a row of parts with the room below it, and of a part alone.
const ROW: (f64, f64) = (74.0, 38.0);

/// A picture of a graph, or of a plan's [`graph`](ringwood_graph::graph::GraphPlan::graph), as SVG: data
/// flows down; a colour for each device; copies and what comes from outside are rounded.
///
/// Constants, parameters and views are left out. Of more than 200 nodes, those that follow each other on one
/// device are drawn as one part, which lists their operators.
pub fn svg(graph: &Graph) -> String {
    let parts = parts(graph);
    let (places, width) = places(&parts);
    let mut devices: Vec<_> = parts.iter().filter_map(|part| part.device.clone()).collect();
    devices.sort();
    devices.dedup();
    let mut body = String::new();
    for (part, place) in parts.iter().zip(&places) {
        for &operand in &part.operands {
            edge(&mut body, &places[operand], place);
        }
    }
    for (part, place) in parts.iter().zip(&places) {
        draw(&mut body, part, place, &devices);
    }
    let rows = places.iter().map(|place| place.row + 1).max().unwrap_or(0);
    let width = width.max(160.0 * devices.len() as f64) + 40.0;
    let height = rows as f64 * ROW.0 + 60.0;
    for (i, device) in devices.iter().enumerate() {
        let x = 20.0 + 160.0 * i as f64;
        let colour = COLOURS[i % COLOURS.len()];
        let _ = writeln!(
            body,
            "<rect x=\"{x}\" y=\"14\" width=\"12\" height=\"12\" fill=\"{colour}\"/>\
             <text class=\"key\" x=\"{}\" y=\"24\">{}</text>",
            x + 18.0,
            escaped(device)
        );
    }
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {width:.0} {height:.0}\">\n<style>{STYLE}</style>\n\
         <rect class=\"ground\" width=\"100%\" height=\"100%\"/>\n{body}</svg>\n"
    )
}

/// The top of a row.
fn top(row: usize) -> f64 {
    44.0 + row as f64 * ROW.0
}

fn edge(body: &mut String, from: &Place, to: &Place) {
    let (x1, y1, x2, y2) = (from.x + 20.0, top(from.row) + ROW.1, to.x + 20.0, top(to.row));
    let middle = (y1 + y2) / 2.0;
    let _ = writeln!(
        body,
        "<path class=\"edge\" d=\"M{x1:.1} {y1:.1}C{x1:.1} {middle:.1} {x2:.1} {middle:.1} {x2:.1} {y2:.1}\"/>"
    );
}

fn draw(body: &mut String, part: &Part, place: &Place, devices: &[String]) {
    let (x, y) = (place.x + 20.0, top(place.row));
    let colour = part.device.as_ref().and_then(|device| devices.binary_search(device).ok());
    let fill = match colour {
        Some(i) => format!("fill=\"{}\"", COLOURS[i % COLOURS.len()]),
        None => "class=\"plain\"".to_owned(),
    };
    let radius = match part.shape {
        Shape::Work => 4.0,
        Shape::Border => ROW.1 / 2.0,
    };
    let _ = writeln!(
        body,
        "<g><title>{}</title><rect x=\"{:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{}\" rx=\"{radius}\" {fill}/>\
         <text x=\"{x:.1}\" y=\"{:.1}\">{}</text><text x=\"{x:.1}\" y=\"{:.1}\">{}</text></g>",
        escaped(&part.about),
        x - part.width() / 2.0,
        part.width(),
        ROW.1,
        y + 16.0,
        escaped(&part.name),
        y + 31.0,
        escaped(&part.result),
    );
}

fn escaped(text: &str) -> String {
    let text = escape_control(text);
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
