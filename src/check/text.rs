//! Texts of the rules: their keys, and the names in braces that they show.

use smol_str::SmolStr;

use super::Checker;
use crate::choices::{GENDER, choices};
use crate::diagnostics::{Code as Fault, Diagnostic, nearest};
pub(crate) use crate::program::placeholders;
use crate::program::{Message, MessageId};
use crate::say;
use crate::source::Span;
use crate::syntax::tree::Text;

impl Checker<'_> {
    /// Stores a text (or singular and plural) under its path. `known` are the names it may show;
    /// those it shows are in the message, in order of first use.
    pub fn message(
        &mut self,
        path: Option<String>,
        texts: &[Text],
        comment: Option<&Text>,
        known: &[SmolStr],
    ) -> MessageId {
        let mut names: Vec<SmolStr> = Vec::new();
        for text in texts {
            self.wordings(text);
            for (at, name) in placeholders(&text.value) {
                let span = self.placeholder_span(text, at, name);
                if !text.value[at + 1 + name.len()..].starts_with('}') {
                    self.tell_open_brace(span);
                    continue;
                }
                let ascii = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
                if !ascii || !known.iter().any(|k| k == name) {
                    self.tell_placeholder(name, span, known, ascii);
                    continue;
                }
                if !names.iter().any(|n| n == name) {
                    names.push(name.into());
                }
            }
        }
        let id = MessageId(self.program.messages.len() as u32);
        let span = texts.first().map(|t| t.span).unwrap_or_default();
        let path = path.unwrap_or_else(|| format!("{}/text/{}", self.program.system.id, id.0));
        self.program.messages.push(Message {
            path: path.into(),
            one: texts.first().map(|t| t.value.as_str()).unwrap_or_default().into(),
            many: texts.get(1).map(|t| t.value.as_str().into()),
            comment: comment.map(|c| c.value.as_str().into()),
            names,
            forms: None,
            span,
        });
        id
    }

    /// Whether each choice in a text has a wording for each gender.
    pub fn wordings(&mut self, text: &Text) {
        let genders = self.program.kinds.iter().find(|kind| kind.id == GENDER).map(|kind| kind.members.len());
        for (place, count) in choices(&text.value).filter(|(_, count)| Some(*count) != genders) {
            let written = &text.value[place];
            let at = self.files.get(text.span.file.0 as usize).and_then(|file| file.slice(text.span).find(written));
            let span = at.map_or(text.span, |at| {
                let start = text.span.start as usize + at;
                Span::new(text.span.file, start..start + written.len())
            });
            let fault = match genders {
                Some(genders) => {
                    let message = say!("{count} wordings for {genders} genders", count, genders);
                    let help = say!("write {genders} wordings, in the order of the kind `gender`", genders);
                    Diagnostic::error(Fault::TextChoices, message).label(span, "a choice by gender").help(help)
                }
                None => Diagnostic::error(Fault::TextChoices, "a choice of wordings, and no genders to choose by")
                    .label(span, "the gender of a sheet would choose here")
                    .help(say!(
                        "write `kind gender = masculine | feminine` and on the sheet `gender: gender = masculine`; for \
                         brackets that are shown write `[[`"
                    )),
            };
            self.tell(fault);
        }
    }

    fn placeholder_span(&self, text: &Text, at: usize, name: &str) -> Span {
        let written = self.files.get(text.span.file.0 as usize).map_or("", |f| f.slice(text.span));
        // Where the text has escapes the value is shorter than what is written: count there how often
        // the same was written before.
        let wanted = format!("{{{name}");
        let before = text.value[..at].matches(&wanted).count();
        let start = written.match_indices(&wanted).nth(before).map(|(start, _)| start);
        match start {
            Some(start) => Span {
                file: text.span.file,
                start: text.span.start + start as u32,
                end: (text.span.start + (start + wanted.len() + 1) as u32).min(text.span.end.saturating_sub(1)),
            },
            None => text.span,
        }
    }

    fn tell_open_brace(&mut self, span: Span) {
        self.tell(
            Diagnostic::error(Fault::TextPlaceholder, "this `{` is not closed")
                .label(Span { end: span.start + 1, ..span }, "a name begins here")
                .help("write `}` behind the name; for a brace in the text write `{{`"),
        );
    }

    fn tell_placeholder(&mut self, name: &str, span: Span, near: &[SmolStr], ascii: bool) {
        let diagnostic = if name.chars().next().is_some_and(|c| c.is_ascii_digit()) {
            Diagnostic::error(Fault::TextPlaceholder, say!("`{{{name}}}` is not a name", name))
                .label(span, "a number or dice in the text")
                .help(say!(
                    "give it a name in the braces below, `{{ amount = {name} }}`, and write `{{amount}}` here",
                    name
                ))
        } else if !ascii {
            Diagnostic::error(Fault::TextPlaceholder, say!("`{{{name}}}` is not a name that a text can show", name))
                .label(span, "letters a to z, digits and `_` only")
                .help("give the value a name without accents and blanks; for a brace in the text write `{{`")
        } else {
            let fault = Diagnostic::error(Fault::TextPlaceholder, say!("`{{{name}}}` has no value here", name));
            match nearest(name, near.iter().map(SmolStr::as_str)) {
                Some(near) => fault
                    .label(span, say!("perhaps `{near}`", near))
                    .help(say!("write `{{{near}}}`", near))
                    .edit(span, format!("{{{near}}}")),
                None => fault
                    .label(span, "nothing has this name")
                    .help(say!("give it a value in the braces of these rules: `{name} = 1d6`", name)),
            }
        };
        self.tell(diagnostic);
    }
}
