//! Comments: their first blank, and where those at the ends of lines stand.

/// A line as it is written, its comment apart.
#[derive(Debug, Default)]
pub(super) struct Out {
    pub text: String,
    pub width: usize,
    pub comment: Option<Trailing>,
}

/// A comment at the end of a line.
#[derive(Debug)]
pub(super) struct Trailing {
    pub text: String,
    /// Where the author had it.
    pub column: usize,
    /// The author had it right behind the text, or one blank.
    pub near: bool,
}

/// A line wider than this does not push the comments of the lines around it.
const WIDEST_LINE: usize = 120;

/// A comment with a blank behind its slashes, without blanks at its end.
pub(super) fn tidy(comment: &str) -> String {
    let comment = comment.trim_end();
    let slashes = comment.bytes().take_while(|byte| *byte == b'/').count();
    let (slashes, rest) = comment.split_at(slashes);
    let rest = rest.replace(['\t', '\r'], " ");
    let blank = if rest.is_empty() || rest.starts_with(char::is_whitespace) { "" } else { " " };
    format!("{slashes}{blank}{rest}")
}

/// Joins the lines. A comment stays in the column where the author had it if that can be reached;
/// several below each other stay below each other.
pub(super) fn join(lines: Vec<Out>) -> String {
    let mut text = String::with_capacity(lines.iter().map(|line| line.text.len() + 1).sum());
    let mut columns: Vec<usize> = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let Some(comment) = &line.comment else {
            text.push_str(&line.text);
            text.push('\n');
            continue;
        };
        if columns.is_empty() {
            let column = comment.column;
            let run = lines[index..].iter().take_while(|line| in_run(line, column));
            let run: Vec<&Out> = run.collect();
            columns = place(&run);
            columns.reverse();
        }
        let column = columns.pop().unwrap_or(0);
        text.push_str(&line.text);
        text.extend(std::iter::repeat_n(' ', column.saturating_sub(line.width).max(1)));
        text.push_str(&comment.text);
        text.push('\n');
    }
    text
}

fn in_run(line: &Out, column: usize) -> bool {
    line.comment.as_ref().is_some_and(|comment| comment.column == column)
}

/// The columns of comments that stood below each other.
fn place(run: &[&Out]) -> Vec<usize> {
    let ends = run.iter().map(|line| line.width).filter(|width| *width <= WIDEST_LINE);
    let reached = ends.max().map_or(0, |width| width + 1);
    let near = run.iter().any(|line| line.comment.as_ref().is_some_and(|comment| comment.near));
    let column = run.first().and_then(|line| line.comment.as_ref()).map_or(0, |comment| comment.column);
    let column = if near { reached } else { column.max(reached) };
    vec![column; run.len()]
}
