//! The usual plural rules of languages, as gettext catalogs write them; after CLDR.

use crate::plural::Plural;

/// The numbers over which two rules are compared.
pub const COMPARED: u64 = 1_000;

/// Languages and their rule; where a language has several in use, the first is the one written
/// into a new catalog.
const USUAL: &[(&str, &[&str])] = &[
    ("ja zh ko vi th id ms lo km my ka", &["nplurals=1; plural=0;"]),
    (
        "en de nl sv da nb nn no fi et hu el bg eu gl sq sw tr az kk ky uz mn ne ur eo fo fy ia lb mr te ta ml so",
        &["nplurals=2; plural=(n != 1);"],
    ),
    (
        "es it ca pt pt_PT",
        &[
            "nplurals=2; plural=(n != 1);",
            "nplurals=3; plural=(n == 1 ? 0 : n != 0 && n % 1000000 == 0 ? 1 : 2);",
            "nplurals=2; plural=(n > 1);",
        ],
    ),
    (
        "fr pt_BR",
        &[
            "nplurals=2; plural=(n > 1);",
            "nplurals=3; plural=(n <= 1 ? 0 : n != 0 && n % 1000000 == 0 ? 1 : 2);",
            "nplurals=2; plural=(n != 1);",
        ],
    ),
    ("hi bn gu kn fa am hy zu oc", &["nplurals=2; plural=(n > 1);", "nplurals=2; plural=(n != 1);"]),
    ("is mk", &["nplurals=2; plural=(n % 10 != 1 || n % 100 == 11);"]),
    (
        "ru uk be",
        &[
            "nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : 2);",
            "nplurals=4; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : \
             n%10==0 || n%10>=5 && n%10<=9 || n%100>=11 && n%100<=14 ? 2 : 3);",
        ],
    ),
    (
        "sr hr bs sh",
        &["nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : 2);"],
    ),
    (
        "pl",
        &[
            "nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : 2);",
            "nplurals=4; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : \
             n!=1 && n%10>=0 && n%10<=1 || n%10>=5 && n%10<=9 || n%100>=12 && n%100<=14 ? 2 : 3);",
        ],
    ),
    (
        "cs sk",
        &[
            "nplurals=3; plural=(n==1 ? 0 : n>=2 && n<=4 ? 1 : 2);",
            "nplurals=4; plural=(n==1 ? 0 : n>=2 && n<=4 ? 1 : n<0 ? 2 : 3);",
        ],
    ),
    ("sl", &["nplurals=4; plural=(n%100==1 ? 0 : n%100==2 ? 1 : n%100==3 || n%100==4 ? 2 : 3);"]),
    (
        "lt",
        &[
            "nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && (n%100<10 || n%100>=20) ? 1 : 2);",
            "nplurals=4; plural=(n%10==1 && (n%100>19 || n%100<11) ? 0 : \
             n%10>=2 && n%10<=9 && (n%100>19 || n%100<11) ? 1 : n<0 ? 2 : 3);",
        ],
    ),
    (
        "lv",
        &[
            "nplurals=3; plural=(n%10==0 || n%100>=11 && n%100<=19 ? 0 : n%10==1 && n%100!=11 ? 1 : 2);",
            "nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n != 0 ? 1 : 2);",
        ],
    ),
    ("ro mo", &["nplurals=3; plural=(n==1 ? 0 : n==0 || n%100>=1 && n%100<=19 ? 1 : 2);"]),
    (
        "he iw",
        &[
            "nplurals=2; plural=(n != 1);",
            "nplurals=3; plural=(n==1 ? 0 : n==2 ? 1 : 2);",
            "nplurals=4; plural=(n==1 ? 0 : n==2 ? 1 : n>10 && n%10==0 ? 2 : 3);",
        ],
    ),
    ("ar", &["nplurals=6; plural=(n==0 ? 0 : n==1 ? 1 : n==2 ? 2 : n%100>=3 && n%100<=10 ? 3 : n%100>=11 ? 4 : 5);"]),
    ("ga", &["nplurals=5; plural=(n==1 ? 0 : n==2 ? 1 : n>=3 && n<=6 ? 2 : n>=7 && n<=10 ? 3 : 4);"]),
    (
        "cy",
        &[
            "nplurals=6; plural=(n==0 ? 0 : n==1 ? 1 : n==2 ? 2 : n==3 ? 3 : n==6 ? 4 : 5);",
            "nplurals=4; plural=(n==1 ? 0 : n==2 ? 1 : n!=8 && n!=11 ? 2 : 3);",
        ],
    ),
    ("gd", &["nplurals=4; plural=(n==1 || n==11 ? 0 : n==2 || n==12 ? 1 : n>=3 && n<=10 || n>=13 && n<=19 ? 2 : 3);"]),
    (
        "mt",
        &[
            "nplurals=5; plural=(n==1 ? 0 : n==2 ? 1 : n==0 || n%100>=3 && n%100<=10 ? 2 : n%100>=11 && n%100<=19 ? 3 : 4);",
        ],
    ),
];

/// The rules in use for a language (`pt_BR`, else `pt`); none where it is not known here.
pub fn usual(lang: &str) -> &'static [&'static str] {
    let whole = lang.replace('-', "_");
    let short = whole.split(['_', '@', '.']).next().unwrap_or_default();
    let find = |name: &str| USUAL.iter().find(|(langs, _)| langs.split(' ').any(|known| known == name));
    find(&whole).or_else(|| find(short)).map_or(&[], |(_, rules)| rules)
}

/// How many forms the usual rule of a language has; 2 where the language is not known here.
pub fn forms(lang: &str) -> usize {
    usual(lang).first().and_then(|rule| read(rule)).map_or(2, |plural| plural.count())
}

/// Reads a whole rule: `nplurals=2; plural=(n != 1);`.
pub fn read(rule: &str) -> Option<Plural> {
    let (count, formula) = rule.strip_prefix("nplurals=")?.split_once("; plural=")?;
    Plural::read(count.parse().ok()?, formula.trim_end_matches(';')).ok()
}

/// Whether two rules give the same form to every number up to [`COMPARED`].
pub fn agree(a: &Plural, b: &Plural) -> bool {
    a.count() == b.count() && (0..=COMPARED).all(|n| a.form(n) == b.form(n))
}

/// The numbers that take a form, where they are at most so many up to [`COMPARED`].
pub fn numbers(plural: &Plural, form: usize, most: usize) -> Option<Vec<u64>> {
    let numbers: Vec<u64> = (0..=COMPARED).filter(|n| plural.form(*n) == Some(form)).take(most + 1).collect();
    (numbers.len() <= most).then_some(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_is_read_and_has_a_form_for_every_number() {
        for (langs, rules) in USUAL {
            for rule in *rules {
                let plural = read(rule).unwrap_or_else(|| panic!("{langs}: {rule}"));
                assert!((0..=COMPARED).all(|n| plural.form(n).is_some()), "{langs}: {rule}");
            }
        }
    }

    #[test]
    fn languages_and_their_countries() {
        assert_eq!(forms("pl"), 3);
        assert_eq!(forms("ar_EG"), 6);
        assert_eq!(forms("tlh"), 2);
        assert_ne!(usual("pt_BR")[0], usual("pt")[0]);
        assert_eq!(usual("en-GB"), usual("en"));
    }

    #[test]
    fn rules_are_alike_by_what_they_give() {
        let rule = |text| read(text).expect("a rule");
        assert!(agree(&rule("nplurals=2; plural=(n != 1);"), &rule("nplurals=2; plural=n==1?0:1;")));
        assert!(!agree(&rule("nplurals=2; plural=(n != 1);"), &rule("nplurals=2; plural=n>1;")));
        assert_eq!(numbers(&rule("nplurals=2; plural=(n > 1);"), 0, 2), Some(vec![0, 1]));
        assert_eq!(numbers(&rule("nplurals=2; plural=(n > 1);"), 1, 2), None);
    }
}
