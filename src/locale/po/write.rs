//! A catalog as text again: what is unchanged as it stood, the rest in gettext's own layout.

use super::string::escaped;
use super::{Entry, Po};

/// The longest line, in characters, where a text can be broken.
const COLUMNS: usize = 79;

impl Po {
    /// The file's text. Where nothing was changed, it is the text that was read.
    pub fn write(&self) -> String {
        let text = &*self.source.text;
        let line_end = if self.crlf { "\r\n" } else { "\n" };
        let mut out = String::with_capacity(text.len() + 1024);
        for (index, block) in self.blocks.iter().enumerate() {
            let gap = &text[block.gap.clone()];
            // Only the first block stands without a blank line before it.
            let is_blank = gap.contains('\n') || out.is_empty();
            if index > 0 && !is_blank {
                if !out.ends_with('\n') {
                    out.push_str(line_end);
                }
                if block.raw.is_none() || self.blocks[index - 1].raw.as_ref().is_none_or(|r| r.end != block.gap.start) {
                    out.push_str(line_end);
                }
            } else if index > 0 && !out.ends_with('\n') {
                out.push_str(line_end);
            }
            out.push_str(gap);
            match (&block.raw, &block.entry) {
                (Some(raw), _) => out.push_str(&text[raw.clone()]),
                (None, Some(entry)) if self.crlf => out.push_str(&entry.laid_out().replace('\n', "\r\n")),
                (None, Some(entry)) => out.push_str(&entry.laid_out()),
                (None, None) => {}
            }
        }
        out.push_str(&text[self.tail.clone()]);
        out
    }
}

impl Entry {
    /// The entry in gettext's layout, each line ended.
    pub fn laid_out(&self) -> String {
        let mut out = String::with_capacity(256);
        let mut lines = |before: &str, list: &[String]| {
            for line in list {
                out.push_str(before);
                out.push_str(if before.is_empty() || line.is_empty() { "" } else { " " });
                out.push_str(line);
                out.push('\n');
            }
        };
        lines("", &self.comments);
        lines("#.", &self.notes);
        lines("#:", &self.references);
        if !self.flags.is_empty() {
            lines("#,", &[self.flags.join(", ")]);
        }
        lines("", &self.unknown);
        let (before, active) = if self.obsolete { ("#~| ", "#~ ") } else { ("#| ", "") };
        let mut field = |before: &str, name: &str, text: &Option<String>| {
            if let Some(text) = text {
                string(&mut out, before, name, text);
            }
        };
        field(before, "msgctxt", &self.previous.context);
        field(before, "msgid", &self.previous.id);
        field(before, "msgid_plural", &self.previous.plural);
        field(active, "msgctxt", &self.context);
        string(&mut out, active, "msgid", &self.id);
        match &self.plural {
            Some(plural) => {
                string(&mut out, active, "msgid_plural", plural);
                for (form, text) in self.texts.iter().enumerate() {
                    string(&mut out, active, &format!("msgstr[{form}]"), text);
                }
            }
            None => string(&mut out, active, "msgstr", self.texts.first().map_or("", |text| text)),
        }
        out
    }
}

/// `msgid "…"`: on one line where it fits, else broken behind blanks and line breaks.
fn string(out: &mut String, before: &str, name: &str, text: &str) {
    let mut whole = String::with_capacity(text.len() + 8);
    escaped(text, &mut whole);
    let lines = text.trim_end_matches('\n').contains('\n');
    let width = before.len() + name.len() + 3 + whole.chars().count();
    if !lines && width <= COLUMNS {
        out.push_str(&format!("{before}{name} \"{whole}\"\n"));
        return;
    }
    out.push_str(&format!("{before}{name} \"\"\n"));
    for line in text.split_inclusive('\n') {
        let mut broken = String::new();
        let mut columns = 0;
        for word in line.split_inclusive(' ') {
            let mut piece = String::new();
            escaped(word, &mut piece);
            let wide = piece.chars().count();
            if columns > 0 && before.len() + 2 + columns + wide > COLUMNS {
                out.push_str(&format!("{before}\"{broken}\"\n"));
                broken.clear();
                columns = 0;
            }
            broken.push_str(&piece);
            columns += wide;
        }
        out.push_str(&format!("{before}\"{broken}\"\n"));
    }
}
