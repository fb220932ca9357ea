//! The catalogs that the program carries inside.

/// A catalog: its language, its system, its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shipped {
    pub lang: &'static str,
    pub system: &'static str,
    pub text: &'static str,
}

macro_rules! shipped {
    ($($lang:literal: $($system:literal)*;)*) => {
        /// Every catalog beside the rules that are part of this project.
        pub const SHIPPED: &[Shipped] = &[$($(Shipped {
            lang: $lang,
            system: $system,
            text: include_str!(concat!("../../rules/locale/", $lang, "/", $system, ".po")),
        },)*)*];
    };
}

shipped! {
    "ar": "investigators";
    "en": "fifth_edition" "investigators" "old_world" "wandering_stars";
    "pl": "old_world";
}

/// The catalog of a system in a language: `en_GB`, or else `en`.
pub fn find(system: &str, lang: &str) -> Option<&'static Shipped> {
    candidates(lang).find_map(|lang| SHIPPED.iter().find(|known| known.system == system && known.lang == lang))
}

/// The names under which a language's catalog may stand, the closest first: `en_GB`, `en`.
pub fn candidates(lang: &str) -> impl Iterator<Item = String> {
    let whole = lang.replace('-', "_");
    let short = whole.split(['_', '@', '.']).next().unwrap_or_default().to_owned();
    let other = (short != whole && !short.is_empty()).then_some(short);
    std::iter::once(whole).chain(other)
}
