//! Circles: events, tables and values that lead back to themselves.

use std::collections::{HashMap, HashSet};

use super::{Checker, Fires, Origin};
use crate::diagnostics::{Code as Fault, Diagnostic};
use crate::say;

impl Checker<'_> {
    /// Tells every circle once, with each step of it. A circle through an event that spreads ends
    /// by itself: each sheet answers once.
    pub fn check_circles(&mut self) {
        let mut next: HashMap<Origin, Vec<Fires>> = HashMap::new();
        for fires in &self.fires {
            if fires.from == Origin::Other {
                continue;
            }
            let spreads =
                |origin: Origin| matches!(origin, Origin::Handler(e) if self.program.events[e.index()].spreading);
            if spreads(fires.from) || spreads(fires.to) {
                continue;
            }
            let list = next.entry(fires.from).or_default();
            if !list.iter().any(|f| f.to == fires.to) {
                list.push(*fires);
            }
        }
        let mut starts: Vec<Origin> = self.fires.iter().map(|f| f.from).filter(|o| *o != Origin::Other).collect();
        starts.dedup();
        let mut done: HashSet<Origin> = HashSet::new();
        let mut circles: Vec<Vec<Fires>> = Vec::new();
        for start in starts {
            if done.contains(&start) {
                continue;
            }
            // Depth first, without recursion: a path of arrows and how many of each were tried.
            let mut path: Vec<(Origin, usize, Option<Fires>)> = vec![(start, 0, None)];
            let mut on_path: HashSet<Origin> = HashSet::from([start]);
            while let Some((at, tried, _)) = path.last().copied() {
                let Some(arrow) = next.get(&at).and_then(|list| list.get(tried)).copied() else {
                    done.insert(at);
                    on_path.remove(&at);
                    path.pop();
                    continue;
                };
                if let Some(last) = path.last_mut() {
                    last.1 += 1;
                }
                if on_path.contains(&arrow.to) {
                    let from = path.iter().position(|p| p.0 == arrow.to).unwrap_or(0);
                    let mut circle: Vec<Fires> = path[from + 1..].iter().filter_map(|p| p.2).collect();
                    circle.push(arrow);
                    circles.push(circle);
                } else if !done.contains(&arrow.to) {
                    on_path.insert(arrow.to);
                    path.push((arrow.to, 0, Some(arrow)));
                }
            }
        }
        for circle in circles {
            let names: Vec<String> = circle.iter().map(|f| self.origin_name(f.from)).collect();
            let closing = names.first().cloned().unwrap_or_default();
            let message = say!(
                "`{trim_matches}` leads back to itself: {names} -> `{closing}`",
                trim_matches = names[0].trim_matches('`'),
                names = ticks(&names),
                closing
            );
            let is_value = matches!(circle[0].from, Origin::Value(..));
            let mut diagnostic = Diagnostic::error(Fault::EventCircle, message);
            for (index, fires) in circle.iter().enumerate() {
                let to = self.origin_name(fires.to);
                diagnostic = diagnostic.label(
                    fires.span,
                    if index == 0 { say!("leads to `{to}`", to) } else { say!("then to `{to}`", to) },
                );
            }
            self.tell(diagnostic.help(if is_value {
                "work one of them out without the other"
            } else {
                "take one step out, put a wait between (`for 1 turn then …`), or write `spreading event …`"
            }));
        }
    }

    fn origin_name(&self, origin: Origin) -> String {
        match origin {
            Origin::Other => String::new(),
            Origin::Handler(event) => self.program.events[event.index()].id.to_string(),
            Origin::Made(_) => super::declare::MADE.to_owned(),
            Origin::Table(table) => self.program.tables[table.index()].id.to_string(),
            Origin::Value(sheet, value) => {
                self.sheet(sheet).values.get(value as usize).map_or_else(String::new, |v| v.id.to_string())
            }
        }
    }
}

fn ticks(names: &[String]) -> String {
    names.iter().map(|n| format!("`{n}`")).collect::<Vec<_>>().join(" -> ")
}
