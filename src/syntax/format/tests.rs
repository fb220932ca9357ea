//! The layout of the rule files, of small texts, and what holds for any text.

use super::*;

#[test]
#[ignore]
fn print() {
    let text = std::fs::read_to_string(std::env::var("RULES").unwrap()).unwrap();
    std::fs::write(std::env::var("OUT").unwrap(), format(&text).unwrap()).unwrap();
}
