//! Pictures for a page: SVG, light or dark as its reader's screen is, without anything from elsewhere.

use std::fmt::Write as _;

use super::{Found, Line};

mod compared;
mod heat;
mod outcomes;

pub use compared::{Moved, of_comparison};
pub use heat::{Heat, of_heat};
pub use outcomes::of_distribution;

/// How wide a picture is, in its own units.
const WIDTH: f64 = 760.0;
/// What is left free around it.
const EDGE: f64 = 24.0;
/// How wide a letter of the captions is.
const LETTER: f64 = 6.9;

const STYLE: &str = "\
  .paper { fill: #ffffff } .title { font: 600 20px system-ui, sans-serif; fill: #1c2430 }
  .note, .tick { font: 12px system-ui, sans-serif; fill: #5b6675 } .name { font: 13px system-ui, sans-serif; fill: #1c2430 }
  .value { font: 12px ui-monospace, monospace; fill: #3b4654 } .on { fill: #ffffff }
  .bar { fill: #2f6fb0 } .before { fill: #b9c3cf } .cell { fill: #2f6fb0 } .axis { stroke: #d9dfe6; stroke-width: 1 }
  .up { fill: #1f7a4d } .down { fill: #b3392f }
  @media (prefers-color-scheme: dark) {
    .paper { fill: #14181f } .title, .name { fill: #e8edf3 } .note, .tick { fill: #9aa6b4 } .value { fill: #c3ccd6 }
    .on { fill: #0d1117 } .bar, .cell { fill: #6cb0f2 } .before { fill: #4a5665 } .axis { stroke: #2c3540 }
    .up { fill: #63c797 } .down { fill: #f08a80 }
  }
";

/// A picture being drawn from above to below.
struct Picture {
    body: String,
    /// Where the next thing goes.
    y: f64,
    width: f64,
    title: String,
}

impl Picture {
    /// Begins with a title and a line below it.
    fn new(title: &str, note: &str, width: f64) -> Self {
        let mut picture = Picture { body: String::new(), y: EDGE + 18.0, width, title: title.to_owned() };
        picture.text((EDGE, picture.y), "title", &cut(title, (width - 2.0 * EDGE) / 11.0));
        if !note.is_empty() {
            picture.y += 22.0;
            picture.text((EDGE, picture.y), "note", &cut(note, (width - 2.0 * EDGE) / 6.2));
        }
        picture.y += 20.0;
        picture
    }

    fn text(&mut self, at: (f64, f64), class: &str, text: &str) {
        self.placed(at, class, "start", text);
    }

    fn placed(&mut self, (x, y): (f64, f64), class: &str, anchor: &str, text: &str) {
        let text = escaped(text);
        let _ = writeln!(
            self.body,
            "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{text}</text>"
        );
    }

    fn bar(&mut self, class: &str, (x, y): (f64, f64), (width, height): (f64, f64), told: &str) {
        let told = escaped(told);
        let _ = writeln!(
            self.body,
            "<rect class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.2}\" height=\"{height:.2}\" rx=\"2\">\
             <title>{told}</title></rect>"
        );
    }

    fn line(&mut self, from: (f64, f64), to: (f64, f64)) {
        let ((x1, y1), (x2, y2)) = (from, to);
        let _ =
            writeln!(self.body, "<line class=\"axis\" x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"/>");
    }

    /// The whole document.
    fn finish(self) -> String {
        let (width, height, title) = (self.width, self.y + EDGE, escaped(&self.title));
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" \
             height=\"{height:.0}\" role=\"img\" aria-label=\"{title}\">\n<title>{title}</title>\n\
             <style>\n{STYLE}</style>\n<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n{}</svg>\n",
            self.body
        )
    }
}

/// What means something in XML is escaped; what must not stand there is left out.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\n' | '\t' => safe.push(' '),
            letter if letter.is_control() || matches!(letter, '\u{fffe}' | '\u{ffff}') => {}
            letter => safe.push(letter),
        }
    }
    safe
}

/// A text of at most about so many letters.
fn cut(text: &str, letters: f64) -> String {
    let most = letters.max(4.0) as usize;
    match text.chars().count() > most {
        true => text.chars().take(most - 1).chain(['…']).collect(),
        false => text.to_owned(),
    }
}

/// How wide the captions of these are, up to a bound.
fn captions<'t>(texts: impl Iterator<Item = &'t String>, most: f64) -> f64 {
    let longest = texts.map(|text| text.chars().count()).max().unwrap_or(0);
    (longest as f64 * LETTER).min(most)
}

/// Round steps of an axis that goes up to this share: at most six.
fn steps(most: f64) -> Vec<f64> {
    let units = [1e-6, 1e-5, 1e-4, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.25];
    let unit = units.into_iter().find(|unit| most / unit <= 6.0).unwrap_or(0.25);
    (0..).map(|step| f64::from(step) * unit).take_while(|at| *at <= most * 1.0001).collect()
}

/// A share as a percentage of few letters.
fn share(probability: f64) -> String {
    let hundredths = probability * 100.0;
    match hundredths {
        0.0 => "0 %".to_owned(),
        at if at >= 10.0 => format!("{at:.1} %"),
        at if at >= 0.01 => format!("{at:.2} %"),
        at => format!("{at:.0e} %"),
    }
}

/// Outcomes but those at the unlikely ends of very many.
fn likely(found: &Found) -> &[Line] {
    let probabilities: Vec<f64> = found.lines.iter().map(|line| line.chance.to_f64()).collect();
    let (from, to) = super::text::shown(&probabilities);
    found.lines.get(from..to).unwrap_or(&[])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_escaped() {
        assert_eq!(escaped("<a href=\"x\">&\u{1}\n"), "&lt;a href=&quot;x&quot;&gt;&amp; ");
        assert_eq!(cut("abcdefgh", 5.0), "abcd…");
    }

    #[test]
    fn steps_of_an_axis_are_round() {
        assert_eq!(steps(0.41), [0.0, 0.1, 0.2, 0.30000000000000004, 0.4]);
        assert_eq!(steps(1.0), [0.0, 0.2, 0.4, 0.6000000000000001, 0.8, 1.0]);
        assert_eq!(steps(0.0), [0.0]);
    }
}
