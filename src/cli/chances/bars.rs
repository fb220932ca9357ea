//! Bars and shades in a terminal, plain in a pipe.

/// How wide the longest bar is.
pub const BAR: usize = 30;

/// A bar of this share of the longest: eighths of a block in a terminal, ASCII in a pipe.
pub fn bar(share: f64, unicode: bool) -> String {
    let length = share.clamp(0.0, 1.0) * BAR as f64;
    if !unicode {
        return "#".repeat(length.round() as usize);
    }
    let eighths = (length * 8.0).round() as usize;
    let part = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"].get(eighths % 8).copied().unwrap_or("");
    "█".repeat(eighths / 8) + part
}

/// A text on the shade of this share of the deepest: from the 256 colours that terminals have.
pub fn shaded(text: &str, share: f64) -> String {
    let ramp = [(17, 250), (18, 252), (19, 253), (25, 255), (31, 255), (37, 16), (43, 16), (149, 16), (226, 16)];
    let step = (share.clamp(0.0, 1.0).sqrt() * ramp.len() as f64) as usize;
    match step.checked_sub(1).and_then(|step| ramp.get(step.min(ramp.len() - 1))) {
        Some((behind, letters)) => format!("\u{1b}[48;5;{behind}m\u{1b}[38;5;{letters}m{text}\u{1b}[0m"),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_have_eighths() {
        assert_eq!(bar(1.0, false), "#".repeat(30));
        assert_eq!(bar(0.0, true), "");
        assert_eq!(bar(1.0 / 240.0, true), "▏");
        assert_eq!(bar(9.0 / 240.0, true), "█▏");
    }

    #[test]
    fn shades_grow_with_the_share() {
        assert_eq!(shaded("x", 0.0), "x");
        assert!(shaded("x", 1.0).contains("48;5;226m"));
        assert_ne!(shaded("x", 0.1), shaded("x", 0.5));
    }
}
