//! The sign that a text ends in, in any script.

use crate::say;
use crate::wording::Wording;

/// The sign a text ends in, whatever it looks like in its script.
pub(super) fn last_sign(text: &str, lang: &str) -> Option<Wording> {
    let text = text.trim_end().trim_end_matches(['"', '\'', ')', ']', '»', '”', '’', '」', '⟧', '\u{2069}']);
    if text.ends_with("...") || text.ends_with('…') {
        return Some(say!("an ellipsis"));
    }
    match text.chars().last()? {
        '.' | '。' | '।' | '۔' | '։' => Some(say!("a full stop")),
        '?' | '？' | '؟' => Some(say!("a question mark")),
        ';' | '\u{37e}' if lang.starts_with("el") => Some(say!("a question mark")),
        '!' | '！' => Some(say!("an exclamation mark")),
        ':' | '：' => Some(say!("a colon")),
        ';' | '；' | '؛' => Some(say!("a semicolon")),
        ',' | '，' | '،' => Some(say!("a comma")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::last_sign;
    use crate::say;

    #[test]
    fn signs_of_several_scripts_are_alike() {
        for (text, lang) in [("¿Uno?", "es"), ("واحد؟", "ar"), ("一つ？", "ja"), ("Ένα;", "el"), ("“One?”", "en")]
        {
            assert_eq!(last_sign(text, lang), Some(say!("a question mark")), "{text}");
        }
        assert_eq!(last_sign("One…", "en"), last_sign("Uno...", "es"));
        assert_eq!(last_sign("", "en"), None);
    }
}
