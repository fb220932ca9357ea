//! Any text as dice: rolled or refused in every dialect, and what is printed reads back the same.
//!
//! `cargo +nightly fuzz run dice`
#![no_main]

use cicatriz::check::{ad_hoc, ad_hoc_in};
use cicatriz::diagnostics::Severity;
use cicatriz::dice::{Dialect, Seeded, total};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    for dialect in Dialect::OTHERS.into_iter().chain([Dialect::Cicatriz]) {
        let (dice, told) = ad_hoc_in(text, dialect);
        let Some(dice) = dice else {
            assert!(told.iter().any(|told| told.severity == Severity::Error), "refused without a word");
            continue;
        };
        let rolled = total(&dice, &mut Seeded::new(1));
        let printed = dice.to_string();
        if printed.len() <= cicatriz::check::EXPRESSION_BYTES {
            // The highest face may be named where a dialect leaves it out.
            let Some(again) = ad_hoc(&printed).0 else { panic!("does not read back: {printed}") };
            assert_eq!(again.to_string(), printed);
            assert_eq!(total(&again, &mut Seeded::new(1)), rolled, "{printed}");
        }
        for told in &told {
            for edit in &told.edits {
                assert!(text.is_char_boundary(edit.span.start as usize), "an edit inside a character");
                assert!(text.is_char_boundary(edit.span.end as usize), "an edit inside a character");
            }
        }
    }
});
