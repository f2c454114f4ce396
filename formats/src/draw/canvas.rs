//! Shapes and text of an SVG file that is legible on light and on dark ground.

use crate::text::escape;
use std::fmt::Write;

/// Colours of chunks, dark enough for white text and light enough for a dark ground.
pub(super) const COLOURS: [&str; 12] = [
    "#2f6fd0", "#d1495b", "#2a8c4a", "#a87400", "#8250c4", "#00838f", "#c2368b", "#6a7f10",
    "#a0522d", "#5563c9", "#5f6b7a", "#c4500c",
];

const STYLE: &str = "text{font-family:system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif;fill:#1c2024}\
.title{font-size:20px;font-weight:600}.small{font-size:12px;fill:#565e69}.head{font-size:13px;font-weight:600}\
.num{font-size:10.5px}.mid{text-anchor:middle}.end{text-anchor:end}.on{font-size:10.5px;font-weight:600;fill:#fff;text-anchor:middle}\
.ground{fill:#fff}.grid{stroke:#dde1e6;stroke-width:1}.row{stroke:#b9c0c9;stroke-width:1}\
.arrow{stroke-width:1.8;fill:none}.mark{fill:#565e69}.ring{fill:#fff;stroke-width:1.8}";

const DARK: &str = "@media (prefers-color-scheme:dark){text{fill:#e8eaed}.small{fill:#a9b1bb}.on{fill:#fff}\
.ground{fill:#15181d}.grid{stroke:#2a3038}.row{stroke:#4a525d}.mark{fill:#a9b1bb}.ring{fill:#15181d}}";

/// A growing drawing.
#[derive(Default)]
pub(super) struct Canvas {
    body: String,
    width: f64,
    height: f64,
}

impl Canvas {
    /// Makes room up to a point.
    fn reach(&mut self, x: f64, y: f64) {
        self.width = self.width.max(x);
        self.height = self.height.max(y);
    }

    pub(super) fn text(&mut self, x: f64, y: f64, class: &str, text: &str) {
        // Without the metrics of a font: letters are at most this wide on average.
        let letter = match class {
            "title" => 12.0,
            "head" => 8.0,
            _ => 6.8,
        };
        let centred = class.contains("mid") || class.contains("end") || class == "on";
        let wide = if centred { 0.5 } else { 1.0 };
        self.reach(x + wide * letter * text.chars().count() as f64, y + 6.0);
        let text = escape(text);
        let _ = writeln!(self.body, r#"<text class="{class}" x="{x:.1}" y="{y:.1}">{text}</text>"#);
    }

    pub(super) fn line(&mut self, class: &str, (x1, y1): (f64, f64), (x2, y2): (f64, f64)) {
        self.reach(x1.max(x2), y1.max(y2));
        let _ = writeln!(
            self.body,
            r#"<line class="{class}" x1="{x1:.1}" y1="{y1:.1}" x2="{x2:.1}" y2="{y2:.1}"/>"#
        );
    }

    /// A line in the colour of a chunk, with a head.
    pub(super) fn arrow(&mut self, colour: usize, (x1, y1): (f64, f64), (x2, y2): (f64, f64)) {
        let (dx, dy) = (x2 - x1, y2 - y1);
        let length = dx.hypot(dy).max(1.0);
        let (ux, uy) = (dx / length, dy / length);
        let (x, y) = (x2 - 8.0 * ux, y2 - 8.0 * uy);
        let (left, right) = ((x - 4.0 * uy, y + 4.0 * ux), (x + 4.0 * uy, y - 4.0 * ux));
        let point = |(x, y): (f64, f64)| format!("{x:.1} {y:.1}");
        let head = format!("M{}L{}L{}Z", point((x2, y2)), point(left), point(right));
        let _ = write!(
            self.body,
            r#"<line class="arrow c{colour}" x1="{x1:.1}" y1="{y1:.1}" x2="{x:.1}" y2="{y:.1}"/>"#
        );
        let _ = writeln!(self.body, r#"<path class="f{colour}" d="{head}"/>"#);
    }

    /// A label on a rounded ground in the colour of a chunk; its width.
    pub(super) fn pill(&mut self, colour: usize, (x, y): (f64, f64), text: &str) {
        let width = pill_width(text);
        self.reach(x + width / 2.0, y + 9.0);
        let (left, top) = (x - width / 2.0, y - 8.0);
        let _ = writeln!(
            self.body,
            r#"<rect class="f{colour}" x="{left:.1}" y="{top:.1}" width="{width:.1}" height="16" rx="8"/>"#
        );
        self.text(x, y + 3.8, "on", text);
    }

    /// Where a message arrives: a ring with a cross if it is merged, else a dot.
    pub(super) fn target(&mut self, colour: usize, (x, y): (f64, f64), merges: bool) {
        if !merges {
            let circle = format!(r#"<circle class="f{colour}" cx="{x:.1}" cy="{y:.1}" r="4"/>"#);
            let _ = writeln!(self.body, "{circle}");
            return;
        }
        let (left, right, top, bottom) = (x - 3.2, x + 3.2, y - 3.2, y + 3.2);
        let cross = format!("M{left:.1} {y:.1}H{right:.1}M{x:.1} {top:.1}V{bottom:.1}");
        let _ = writeln!(
            self.body,
            r#"<circle class="ring c{colour}" cx="{x:.1}" cy="{y:.1}" r="5.5"/><path class="arrow c{colour}" d="{cross}"/>"#
        );
    }

    /// A copy or merge within a rank.
    pub(super) fn diamond(&mut self, (x, y): (f64, f64)) {
        let top = y - 4.5;
        let path = format!("M{x:.1} {top:.1}l4.5 4.5l-4.5 4.5l-4.5 -4.5Z");
        let _ = writeln!(self.body, r#"<path class="mark" d="{path}"/>"#);
    }

    /// A cell of the matrix: the fuller, the more colour.
    pub(super) fn cell(&mut self, (x, y): (f64, f64), (width, height): (f64, f64), share: f64) {
        self.reach(x + width, y + height);
        let (width, height) = (width - 1.0, height - 1.0);
        let opacity = if share > 0.0 { 0.15 + 0.85 * share } else { 0.05 };
        let _ = writeln!(
            self.body,
            r#"<rect class="f0" x="{x:.1}" y="{y:.1}" width="{width:.1}" height="{height:.1}" fill-opacity="{opacity:.2}"/>"#
        );
    }

    pub(super) fn finish(self, name: &str) -> String {
        let (width, height) = (self.width.max(480.0) + 24.0, self.height + 20.0);
        let mut colours = String::new();
        for (i, colour) in COLOURS.iter().enumerate() {
            let _ = write!(colours, ".c{i}{{stroke:{colour}}}.f{i}{{fill:{colour}}}");
        }
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
             viewBox=\"0 0 {width:.0} {height:.0}\" role=\"img\">\n<title>{}</title>\n\
             <style>{STYLE}{colours}{DARK}</style>\n\
             <rect class=\"ground\" width=\"100%\" height=\"100%\"/>\n{}</svg>\n",
            escape(name),
            self.body
        )
    }
}

/// The width of a label on its ground.
pub(super) fn pill_width(text: &str) -> f64 {
    (6.6 * text.chars().count() as f64 + 9.0).max(16.0)
}
