//! Two texts side by side, word by word.

use similar::{ChangeTag, TextDiff};

/// Lines without a change that are shown around one.
const AROUND: usize = 2;

/// The lines in which two texts differ, with a few around them: what is gone as `[-…-]` and what is
/// new as `{+…+}`, in colour where there is colour. Empty where nothing differs.
pub fn by_word(old: &str, new: &str, colored: bool) -> Vec<String> {
    let mut lines = Lines { done: Vec::new(), line: String::new(), changed: false, open: ChangeTag::Equal, colored };
    let (old, new) = (format!("{}\n", old.trim_end()), format!("{}\n", new.trim_end()));
    for change in TextDiff::from_words(old.as_str(), new.as_str()).iter_all_changes() {
        lines.word(change.tag(), change.value());
    }
    lines.end();
    let shown = |at: usize| {
        let (from, to) = (at.saturating_sub(AROUND), (at + AROUND + 1).min(lines.done.len()));
        lines.done[from..to].iter().any(|(_, changed)| *changed)
    };
    let mut told: Vec<String> = Vec::new();
    let mut gap = false;
    for (at, (line, _)) in lines.done.iter().enumerate() {
        if shown(at) {
            if gap {
                told.push("…".to_owned());
            }
            told.push(line.clone());
        }
        gap = !shown(at);
    }
    told
}

struct Lines {
    done: Vec<(String, bool)>,
    line: String,
    changed: bool,
    /// What the words at the end of the line are.
    open: ChangeTag,
    colored: bool,
}

impl Lines {
    fn word(&mut self, tag: ChangeTag, text: &str) {
        for (index, part) in text.split('\n').enumerate() {
            if index > 0 {
                self.changed |= tag != ChangeTag::Equal;
                self.end();
            }
            if !part.is_empty() {
                self.switch(tag);
                self.line.push_str(part);
            }
        }
    }

    fn switch(&mut self, tag: ChangeTag) {
        if tag == self.open {
            return;
        }
        self.line.push_str(match (self.open, self.colored) {
            (ChangeTag::Equal, _) => "",
            (ChangeTag::Delete, false) => "-]",
            (ChangeTag::Insert, false) => "+}",
            (_, true) => "\u{1b}[0m",
        });
        self.line.push_str(match (tag, self.colored) {
            (ChangeTag::Equal, _) => "",
            (ChangeTag::Delete, false) => "[-",
            (ChangeTag::Insert, false) => "{+",
            (ChangeTag::Delete, true) => "\u{1b}[31;9m",
            (ChangeTag::Insert, true) => "\u{1b}[32m",
        });
        self.changed |= tag != ChangeTag::Equal;
        self.open = tag;
    }

    fn end(&mut self) {
        self.switch(ChangeTag::Equal);
        let line = std::mem::take(&mut self.line);
        let changed = std::mem::take(&mut self.changed);
        if changed || !line.is_empty() {
            self.done.push((line, changed));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::by_word;

    #[test]
    fn words_that_changed_stand_in_their_line() {
        let old = "a\nb\nc\nd\nvida: 10 → 7\ne\nf\ng";
        let new = "a\nb\nc\nd\nvida: 10 → 6\ne\nf\ng";
        assert_eq!(by_word(old, new, false), ["…", "c", "d", "vida: 10 → [-7-]{+6+}", "e", "f"]);
        assert!(by_word(old, old, false).is_empty());
        assert_eq!(by_word("a", "a\nb", false), ["a", "{+b+}"]);
        assert!(by_word("a", "b", true)[0].contains("\u{1b}[31;9ma"));
    }
}
