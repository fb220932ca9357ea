//! Shares in rows and columns: the deeper the colour, the likelier.

use super::{EDGE, Picture, captions, cut};

const CELL: (f64, f64) = (54.0, 28.0);

/// One field of rows and columns.
pub struct Heat {
    /// What the whole field tells; empty where there is only one.
    pub title: String,
    pub rows: Vec<String>,
    /// What is swept from left to right.
    pub across: String,
    pub columns: Vec<String>,
    /// By row and column: how deep the colour, from 0 to 1, and what stands there.
    pub cells: Vec<Vec<(f64, String)>>,
}

/// Fields below each other.
pub fn of_heat(title: &str, note: &str, fields: &[Heat]) -> String {
    let names = captions(fields.iter().flat_map(|field| &field.rows), 320.0);
    let columns = fields.iter().map(|field| field.columns.len()).max().unwrap_or(0);
    let left = EDGE + names + 10.0;
    let width = (left + CELL.0 * columns as f64 + EDGE).max(480.0);
    let mut picture = Picture::new(title, note, width);
    for field in fields {
        if !field.title.is_empty() {
            picture.y += 10.0;
            picture.text((EDGE, picture.y + 8.0), "name", &field.title);
            picture.y += 22.0;
        }
        picture.placed((left - 10.0, picture.y + 12.0), "tick", "end", &cut(&field.across, names / 6.0));
        for (index, column) in field.columns.iter().enumerate() {
            let x = left + (index as f64 + 0.5) * CELL.0;
            picture.placed((x, picture.y + 12.0), "tick", "middle", &cut(column, 8.0));
        }
        picture.y += 20.0;
        for (name, cells) in field.rows.iter().zip(&field.cells) {
            picture.placed((left - 10.0, picture.y + 18.0), "name", "end", &cut(name, 320.0 / super::LETTER));
            for (index, (depth, text)) in cells.iter().enumerate() {
                let x = left + index as f64 * CELL.0;
                picture.cell((x, picture.y), *depth, text);
            }
            picture.y += CELL.1;
        }
        picture.y += 8.0;
    }
    picture.finish()
}

impl Picture {
    fn cell(&mut self, (x, y): (f64, f64), depth: f64, text: &str) {
        use std::fmt::Write as _;
        let depth = depth.clamp(0.0, 1.0);
        let (wide, high) = (CELL.0 - 2.0, CELL.1 - 2.0);
        let _ = writeln!(
            self.body,
            "<rect class=\"cell\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{wide}\" height=\"{high}\" rx=\"3\" \
             fill-opacity=\"{:.3}\"/>",
            0.04 + 0.96 * depth
        );
        let class = if depth > 0.55 { "value on" } else { "value" };
        self.placed((x + wide / 2.0, y + high / 2.0 + 4.0), class, "middle", text);
    }
}
