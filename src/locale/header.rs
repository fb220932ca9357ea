//! The header of a catalog.

use super::plural;
use super::po::{Entry, Po};

/// The field of the plural formula.
pub(super) const FORMULA: &str = "Plural-Forms";

/// The header of a template: no dates, so that the same rules give the same bytes.
pub(super) fn template(system: &str) -> Entry {
    header(system, "", "nplurals=2; plural=(n != 1);")
}

/// The header of a new catalog of a language, with the language's usual plural formula.
pub(super) fn of(system: &str, lang: &str) -> Entry {
    header(system, lang, plural::usual(lang).first().copied().unwrap_or("nplurals=2; plural=(n != 1);"))
}

fn header(system: &str, lang: &str, formula: &str) -> Entry {
    let fields = [
        ("Project-Id-Version", system),
        ("Report-Msgid-Bugs-To", ""),
        ("PO-Revision-Date", ""),
        ("Last-Translator", ""),
        ("Language-Team", lang),
        ("Language", lang),
        ("MIME-Version", "1.0"),
        ("Content-Type", "text/plain; charset=UTF-8"),
        ("Content-Transfer-Encoding", "8bit"),
        (FORMULA, formula),
    ];
    let text = fields.iter().map(|(name, value)| format!("{name}: {value}").trim_end().to_owned() + "\n").collect();
    Entry { texts: vec![text], ..Entry::default() }
}

/// The plural formula of a catalog: how many forms it says there are, and the formula as written.
pub(super) fn formula(po: &Po) -> Option<(usize, &str)> {
    let field = po.field(FORMULA)?;
    let count = field.split_once("nplurals").and_then(|(_, rest)| rest.trim_start().strip_prefix('='))?;
    let count = count.split(';').next()?.trim().parse().ok()?;
    let formula = field.split_once("plural=").or_else(|| field.split_once("plural ="))?.1;
    Some((count, formula.trim().trim_end_matches(';').trim_end()))
}

/// The plural of a catalog; none where its header has none that works.
pub(super) fn plural(po: &Po) -> Option<crate::plural::Plural> {
    let (count, formula) = formula(po)?;
    crate::plural::Plural::read(count, formula).ok()
}

#[cfg(test)]
mod tests {
    use super::super::po::read;
    use super::*;
    use crate::source::Source;

    #[test]
    fn the_formula_stands_behind_the_count() {
        let of = |field: &str| {
            let po = read(Source::new("x.po", format!("msgid \"\"\nmsgstr \"Plural-Forms: {field}\\n\"\n")));
            formula(&po).map(|(count, formula)| (count, formula.to_owned()))
        };
        assert_eq!(of("nplurals=3; plural=(n == 1 ? 0 : 1);"), Some((3, "(n == 1 ? 0 : 1)".into())));
        assert_eq!(of("nplurals = 1 ; plural = 0"), Some((1, "0".into())));
        assert_eq!(of("nplurals=x; plural=0;"), None);
        assert_eq!(of(""), None);
    }
}
