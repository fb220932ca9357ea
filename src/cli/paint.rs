//! A trace in colour: rows stand out, dice step back. Plain where there is no colour.

use cicatriz::run::{Entry, Trace, Words};

use super::Common;
use super::output::{Output, Stream};

/// Writes a trace on standard output, in the language of the rules.
pub fn tell(trace: &Trace<'_>, common: &Common, out: &mut Output) {
    written(trace, common, "", out);
}

/// Likewise, each line set in.
pub fn indented(trace: &Trace<'_>, common: &Common, out: &mut Output) {
    written(trace, common, "  ", out);
}

fn written(trace: &Trace<'_>, common: &Common, before: &str, out: &mut Output) {
    let words = Words::of(&trace.program().system.lang);
    let colored = Stream::Output.colored(common.color);
    for (entry, lines) in trace.told(words) {
        for (index, line) in lines.iter().enumerate() {
            match style(entry, index).filter(|_| colored) {
                Some(style) => out.line(&format!("{before}\u{1b}[{style}m{line}\u{1b}[0m")),
                None => out.line(&format!("{before}{line}")),
            }
        }
    }
}

/// How a line of an entry looks. The first line of a row is its title.
fn style(entry: &Entry, line: usize) -> Option<&'static str> {
    match entry {
        Entry::Roll { .. } | Entry::Picked { .. } | Entry::Check { .. } => Some("2"),
        Entry::Event { .. } => Some("36"),
        Entry::Row { .. } if line == 0 => Some("1;33"),
        Entry::Row { .. } | Entry::Say { .. } => Some("3"),
        Entry::State { .. } => Some("1"),
        Entry::Condition { added: true, .. } => Some("31"),
        Entry::Condition { added: false, .. } => Some("32"),
        Entry::Forbidden { .. } | Entry::Spared { .. } | Entry::NotSent { .. } | Entry::Unanswered { .. } => Some("35"),
        _ => None,
    }
}
