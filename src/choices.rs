//! Choices in a text, `[herido|herida]`: the gender of the sheet it is told of says which.
//!
//! The kind named [`GENDER`] lists the genders, and a choice has one wording for each, in that order.
//! `[[` is a bracket that is shown; brackets without a `|` are shown as they are.

use std::borrow::Cow;
use std::ops::Range;

/// The kind whose members are the genders, and the track that says which one a sheet has.
pub const GENDER: &str = "gender";

/// A stretch of a text.
#[derive(Debug, PartialEq, Eq)]
enum Piece<'t> {
    Plain(&'t str),
    /// `[[`: one bracket.
    Bracket,
    /// What stands between the brackets, with its signs between the wordings.
    Choice(&'t str, Range<usize>),
}

/// The pieces of a text, in order.
fn pieces(text: &str) -> impl Iterator<Item = Piece<'_>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = text.get(at..).filter(|rest| !rest.is_empty())?;
        let begun = at;
        if rest.starts_with("[[") {
            at += 2;
            return Some(Piece::Bracket);
        }
        if let Some(inner) = rest.strip_prefix('[')
            && let Some((inner, _)) = inner.split_once(']')
            && inner.contains('|')
            && !inner.contains('[')
        {
            at += inner.len() + 2;
            return Some(Piece::Choice(inner, begun..at));
        }
        // A bracket that begins no choice is plain.
        let skip = rest.chars().next().map_or(0, char::len_utf8);
        let plain = rest[skip..].find('[').map_or(rest, |end| &rest[..end + skip]);
        at += plain.len();
        Some(Piece::Plain(plain))
    })
}

/// The text with the wording of one gender, by its place in the kind from 0. The first wording
/// stands in where a choice has none for it, and where no gender is known.
pub fn chosen(text: &str, gender: Option<usize>) -> Cow<'_, str> {
    if !text.contains('[') {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for piece in pieces(text) {
        match piece {
            Piece::Plain(plain) => out.push_str(plain),
            Piece::Bracket => out.push('['),
            Piece::Choice(inner, _) => {
                let mut wordings = inner.split('|');
                let first = wordings.next().unwrap_or_default();
                let other = gender.filter(|nth| *nth > 0).and_then(|nth| wordings.nth(nth - 1));
                out.push_str(other.unwrap_or(first));
            }
        }
    }
    Cow::Owned(out)
}

/// Where a text has choices, and how many wordings each has.
pub fn choices(text: &str) -> impl Iterator<Item = (Range<usize>, usize)> {
    pieces(text).filter_map(|piece| match piece {
        Piece::Choice(inner, place) => Some((place, inner.split('|').count())),
        Piece::Plain(_) | Piece::Bracket => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gender_says_which_wording_is_told() {
        let text = "Quedas [herido|herida|herides] y [solo|sola].";
        assert_eq!(chosen(text, Some(1)), "Quedas herida y sola.");
        assert_eq!(chosen(text, Some(2)), "Quedas herides y solo.");
        assert_eq!(chosen(text, None), "Quedas herido y solo.");
        assert_eq!(
            choices(text).map(|(place, count)| (&text[place], count)).collect::<Vec<_>>(),
            [("[herido|herida|herides]", 3), ("[solo|sola]", 2)]
        );
        assert_eq!(chosen("[|la ]otra", Some(1)), "la otra");
    }

    #[test]
    fn other_brackets_are_shown() {
        for (text, shown) in [
            ("[nota] y [[a|b]", "[nota] y [a|b]"),
            ("abierto [a|b", "abierto [a|b"),
            ("[a [b|c]", "[a b"),
            ("[", "["),
            ("ñ[[", "ñ["),
            ("", ""),
        ] {
            assert_eq!(chosen(text, None), shown);
        }
    }
}
