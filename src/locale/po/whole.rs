//! What can only be said of a whole catalog: entries that stand there twice, and its header.

use std::collections::HashMap;

use super::Po;
use crate::diagnostics::{self, Code, Diagnostic};
use crate::say;
use crate::source::{FileId, Span};

/// Tells duplicates and what is wrong with the header, and puts all faults in order.
pub(super) fn look(po: &mut Po) {
    find_duplicates(po);
    look_at_header(po);
    diagnostics::sort(&mut po.diagnostics);
}

/// Of two entries with the same context and message only the first counts.
fn find_duplicates(po: &mut Po) {
    let mut first: HashMap<(Option<String>, String), Span> = HashMap::with_capacity(po.blocks.len());
    for entry in po.blocks.iter_mut().filter_map(|block| block.entry.as_mut()).filter(|e| !e.obsolete) {
        let key = (entry.context.clone(), entry.id.clone());
        match first.get(&key) {
            None => drop(first.insert(key, entry.id_span())),
            Some(known) => {
                entry.broken = true;
                let message = if entry.is_header() {
                    say!("a second header")
                } else {
                    say!("`{entry}` stands here twice", entry = entry.context.as_deref().unwrap_or(&entry.id))
                };
                let fault = Diagnostic::error(Code::LocaleFile, message)
                    .label(entry.id_span(), "again")
                    .label(*known, "the first, which counts")
                    .help("take one of them out");
                po.diagnostics.push(fault);
            }
        }
    }
}

fn look_at_header(po: &mut Po) {
    if po.header().is_none() {
        let fault = Diagnostic::warning(Code::LocaleHeader, "the catalog has no header")
            .label(Span::new(FileId::default(), 0..0), "it belongs here")
            .help("`cicatriz translate update` writes one");
        po.diagnostics.push(fault);
        return;
    }
    let charset = po.field("Content-Type").and_then(|value| value.split_once("charset=")).map(|(_, name)| name.trim());
    match charset {
        None | Some("CHARSET") => {}
        Some(name) if ["utf-8", "utf8"].iter().any(|known| name.eq_ignore_ascii_case(known)) => {}
        Some(name) => {
            let message = say!("the header says that the file is {name}; it is read as UTF-8", name);
            let fault = Diagnostic::error(Code::LocaleHeader, message)
                .label(po.field_span("Content-Type"), "another encoding")
                .help("save the file as UTF-8 and write `Content-Type: text/plain; charset=UTF-8\\n`");
            po.diagnostics.push(fault);
        }
    }
}
