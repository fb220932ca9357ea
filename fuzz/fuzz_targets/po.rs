//! Catalogs in any state: reading never fails, and what is unchanged is written byte for byte.
//!
//! `cargo +nightly fuzz run po`

#![no_main]

use cicatriz::locale::{check, po};
use cicatriz::source::Source;

libfuzzer_sys::fuzz_target!(|text: &str| {
    let catalog = po::read(Source::new("x.po", text));
    assert_eq!(catalog.write(), text);
    check(&catalog, None, "pl");
    // Laid out anew it says the same.
    let mut laid_out = String::new();
    for entry in catalog.entries().filter(|entry| !entry.broken) {
        laid_out.clear();
        laid_out.push_str(&entry.laid_out());
        let again = po::read(Source::new("y.po", laid_out.as_str()));
        let read = again.blocks.iter().find_map(|block| block.entry.as_ref()).expect("an entry");
        assert_eq!((&read.id, &read.context, &read.texts), (&entry.id, &entry.context, &entry.texts));
    }
});
