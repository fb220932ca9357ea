//! The sign that a text ends in, in any script.

/// The sign a text ends in, whatever it looks like in its script.
pub(super) fn last_sign(text: &str, lang: &str) -> Option<&'static str> {
    let text = text.trim_end().trim_end_matches(['"', '\'', ')', ']', '»', '”', '’', '」', '⟧', '\u{2069}']);
    if text.ends_with("...") || text.ends_with('…') {
        return Some("an ellipsis");
    }
    match text.chars().last()? {
        '.' | '。' | '।' | '۔' | '։' => Some("a full stop"),
        '?' | '？' | '؟' => Some("a question mark"),
        ';' | '\u{37e}' if lang.starts_with("el") => Some("a question mark"),
        '!' | '！' => Some("an exclamation mark"),
        ':' | '：' => Some("a colon"),
        ';' | '；' | '؛' => Some("a semicolon"),
        ',' | '，' | '،' => Some("a comma"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::last_sign;

    #[test]
    fn signs_of_several_scripts_are_alike() {
        for (text, lang) in [("¿Uno?", "es"), ("واحد؟", "ar"), ("一つ？", "ja"), ("Ένα;", "el"), ("“One?”", "en")]
        {
            assert_eq!(last_sign(text, lang), Some("a question mark"), "{text}");
        }
        assert_eq!(last_sign("One…", "en"), last_sign("Uno...", "es"));
        assert_eq!(last_sign("", "en"), None);
    }
}
