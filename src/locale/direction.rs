//! Letters that run from left to right and from right to left in one text.

/// Whether the words of a language run from right to left.
pub fn is_right_to_left(lang: &str) -> bool {
    let short = lang.split(['_', '-', '@']).next().unwrap_or_default();
    matches!(short, "ar" | "he" | "iw" | "fa" | "ur" | "yi" | "ps" | "sd" | "ug" | "dv" | "ckb")
}

/// Letters of scripts that run from right to left.
fn runs_left(letter: char) -> bool {
    matches!(letter, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}'
        | '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}')
        && letter.is_alphabetic()
}

/// What is wrong with the direction of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    /// A mark that is never closed, or closes nothing.
    Unclosed,
    /// Letters of the other direction without marks around them.
    Mixed,
    /// Letters of a script that the language is not written in.
    Foreign,
}

/// Looks at a text without what stands in braces. `rtl`: the language runs from right to left.
pub(super) fn look(text: &str, rtl: bool) -> Option<Direction> {
    let (mut isolates, mut embeddings) = (0usize, 0usize);
    let (mut left, mut right, mut in_braces) = (false, false, false);
    for letter in text.chars() {
        match letter {
            '\u{2066}'..='\u{2068}' => isolates += 1,
            '\u{2069}' if isolates == 0 => return Some(Direction::Unclosed),
            '\u{2069}' => isolates -= 1,
            '\u{202a}' | '\u{202b}' | '\u{202d}' | '\u{202e}' => embeddings += 1,
            '\u{202c}' if embeddings == 0 => return Some(Direction::Unclosed),
            '\u{202c}' => embeddings -= 1,
            '{' => in_braces = true,
            '}' => in_braces = false,
            _ if in_braces || isolates + embeddings > 0 => {}
            _ if runs_left(letter) => right = true,
            _ if letter.is_alphabetic() => left = true,
            _ => {}
        }
    }
    match () {
        () if isolates + embeddings > 0 => Some(Direction::Unclosed),
        () if left && right => Some(Direction::Mixed),
        () if right && !rtl => Some(Direction::Foreign),
        () => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_of_both_directions_need_marks() {
        assert_eq!(look("تفقد {lost} أسنان", true), None);
        assert_eq!(look("تفقد HP", true), Some(Direction::Mixed));
        assert_eq!(look("تفقد \u{2066}HP\u{2069}", true), None);
        assert_eq!(look("تفقد \u{2066}HP", true), Some(Direction::Unclosed));
        assert_eq!(look("a\u{202c}", false), Some(Direction::Unclosed));
        assert_eq!(look("أسنان", false), Some(Direction::Foreign));
        assert_eq!(look("12 – {x}", true), None);
    }
}
