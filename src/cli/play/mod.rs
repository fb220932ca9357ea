//! `cicatriz play`: at the table.

mod ask;
mod command;
mod game;
mod input;
mod journal;
mod screen;

use cicatriz::wording::Wording;
use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};

use cicatriz::check;
use cicatriz::diagnostics::{Code, Diagnostic};
use cicatriz::program::Program;
use cicatriz::say;
use cicatriz::source::Source;
use clap::ValueHint;

use self::ask::AtTheTable;
use self::command::Command;
use self::game::{Done, Game, Refused};
use self::input::Input;
use self::journal::{Journal, Line};
use super::output::{self, Output};
use super::ui::said;
use super::{Common, Exit, load, paint};

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  cicatriz play rules/old_world.rules\n\nAt the prompt, `:help` tells what can be typed."
)]
pub struct Args {
    /// The rule file, or a folder of them to pick from
    #[arg(value_hint = ValueHint::FilePath)]
    pub file: PathBuf,

    /// Go on with a saved game
    #[arg(long, value_name = "JOURNAL", value_hint = ValueHint::FilePath)]
    pub load: Option<PathBuf>,
}

/// What can be typed.
fn help() -> Wording {
    say!(
        "\
new SHEET NAME track=value …   make a sheet: new character Ana toughness=4
EVENT(arguments) to NAME       send an event, by its name or number: wounded to Ana
:events                        the events, with their numbers and arguments
:show [NAME]                   a sheet: what stands on it, what holds now and why
:sheets                        who is at the table
:dice 7 3                      what the next dice show, thrown by hand; `:dice` forgets them
:undo [N]                      take the last step, or N steps, back
:save FILE                     write the journal to another file too, and go on there
:quit                          leave; `--load` takes the game up again"
    )
}

/// At the table: keeps sheets, sends events, rolls, takes back, saves.
pub fn run(args: Args, common: &Common) -> Exit {
    let mut input = Input::new();
    let file = match pick(&args.file, common, &mut input) {
        Ok(file) => file,
        Err(exit) => return exit,
    };
    let (program, files) = match load::program(&file, common) {
        Ok(loaded) => loaded,
        Err(exit) => return exit,
    };
    let table = match &args.load {
        Some(path) => Table::resume(&program, &files, common, path, &mut input),
        None => Table::begin(&program, &files, common, &mut input),
    };
    match table {
        Ok(table) => table.play(),
        Err(why) => {
            output::complain(why);
            Exit::Usage
        }
    }
}

/// The file itself; of a folder, the system that is picked.
fn pick(path: &Path, common: &Common, input: &mut Input) -> Result<PathBuf, Exit> {
    if !path.is_dir() {
        return Ok(path.to_owned());
    }
    let found = super::files::find(&[path.to_owned()]);
    if let Some(unread) = found.faults.first() {
        load::complain_of_unread(unread, common);
        return Err(Exit::Usage);
    }
    let mut systems: Vec<(PathBuf, String, String)> = Vec::new();
    for file in found.files {
        if let Ok(checked) = load::load(&file)
            && let Some(program) = checked.program
        {
            systems.push((file, program.system.id.to_string(), program.system.title.to_string()));
        }
    }
    let mut out = Output::stdout();
    for (number, (_, id, title)) in systems.iter().enumerate() {
        out.line(&format!("{:>3}  {title} ({id})", number + 1));
    }
    loop {
        out.flush();
        let prompt = if input.is_terminal() { said("which system? ") } else { String::new() };
        let Some(line) = input.line(&prompt) else { return Err(out.finish(Exit::Well)) };
        let line = line.trim();
        let by_number = line.parse::<usize>().ok().and_then(|n| systems.get(n.wrapping_sub(1)));
        match by_number.or_else(|| systems.iter().find(|(_, id, _)| id == line)) {
            Some((file, _, _)) => return Ok(file.clone()),
            None => {
                out.say(say!("write a number from 1 to {systems}, or a name from the list", systems = systems.len()))
            }
        }
    }
}

/// Everything on the table.
struct Table<'p, 'i> {
    program: &'p Program,
    files: &'p [Source],
    common: &'p Common,
    game: Game<'p>,
    journal: Option<Journal>,
    lines: Vec<Line>,
    input: &'i mut Input,
    out: Output,
}

impl<'p, 'i> Table<'p, 'i> {
    fn begin(
        program: &'p Program,
        files: &'p [Source],
        common: &'p Common,
        input: &'i mut Input,
    ) -> Result<Self, Wording> {
        let set: Vec<(&str, &str)> = common.set.iter().map(|s| (s.name.as_str(), s.value.as_str())).collect();
        let options = check::options(program, &set).map_err(|faults| told(&faults))?;
        let seed = super::dice::seed(common);
        let first = Line::Play {
            version: journal::VERSION,
            system: program.system.id.to_string(),
            options: chosen(program, &options),
            seed,
        };
        let mut journal = Journal::create(&program.system.id)
            .map_err(|error| say!("no journal can be written here: {error}", error))?;
        journal
            .write(&first)
            .map_err(|error| say!("`{path}` cannot be written: {error}", path = journal.path.display(), error))?;
        let mut out = Output::stdout();
        out.say(say!("{title}. `:help` tells what can be typed.", title = program.system.title));
        out.say(say!("seed {seed}; journal {path}", seed, path = journal.path.display()));
        let mut game = Game::new(program, &options, seed);
        if let Some(dice) = &common.dice {
            game.thrown = dice.0.iter().copied().collect();
        }
        Ok(Table { program, files, common, game, journal: Some(journal), lines: vec![first], input, out })
    }

    /// Takes up a game from its journal.
    fn resume(
        program: &'p Program,
        files: &'p [Source],
        common: &'p Common,
        path: &Path,
        input: &'i mut Input,
    ) -> Result<Self, Wording> {
        let read = journal::read(path)?;
        let Some(Line::Play { version, system, options, seed }) = read.lines.first() else {
            return Err(say!("`{path}` is no journal of a game", path = path.display()));
        };
        if *version != journal::VERSION {
            return Err(say!(
                "`{path}` is of form {version}, and this program reads form {journal}",
                path = path.display(),
                version,
                journal = journal::VERSION
            ));
        }
        if *system != *program.system.id {
            return Err(say!(
                "`{path}` is a game of `{system}`, not of `{value}`",
                path = path.display(),
                system,
                value = program.system.id
            ));
        }
        let set: Vec<(&str, &str)> = options.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let options = check::options(program, &set).map_err(|faults| told(&faults))?;
        let mut table = Table {
            program,
            files,
            common,
            game: Game::new(program, &options, *seed),
            journal: None,
            lines: vec![read.lines[0].clone()],
            input,
            out: Output::stdout(),
        };
        for (index, line) in read.lines.iter().enumerate().skip(1) {
            table.replay(line).map_err(|why| {
                say!(
                    "line {value} of `{path}` does not fit the rules any more: {why}",
                    value = index + 1,
                    path = path.display(),
                    why
                )
            })?;
            table.lines.push(line.clone());
        }
        table.journal = Some(
            Journal::append(path)
                .map_err(|error| say!("`{path}` cannot be written: {error}", path = path.display(), error))?,
        );
        if let Some(aside) = &read.set_aside {
            table.out.say(say!("the last line was damaged; it is set aside in {aside}", aside = aside.display()));
        }
        let steps = read.lines.len() - 1;
        table.out.say(say!(
            "{title}: {steps} steps taken up from {path}",
            title = program.system.title,
            steps,
            path = path.display()
        ));
        table.sheets();
        Ok(table)
    }

    fn replay(&mut self, line: &Line) -> Result<(), Wording> {
        let mut say = |_: &str| {};
        let (dice, answers): (&[i64], &[String]) = match line {
            Line::Make { dice, answers, .. } | Line::Event { dice, answers, .. } => (dice, answers),
            _ => (&[], &[]),
        };
        let mut chooser = AtTheTable {
            input: None,
            script: answers.iter().cloned().collect(),
            answers: Vec::new(),
            names: self.game.names.clone(),
            say: &mut say,
        };
        self.game.thrown = dice.iter().copied().collect();
        let result = match line {
            Line::Play { .. } => return Err(say!("the game begins twice")),
            Line::Make { sheet, name, set, .. } => {
                let set: Vec<(String, String)> = set.iter().map(|(a, b)| (a.clone(), b.clone())).collect();
                self.game.make(sheet, name, &set, &mut chooser).map(|_| ())
            }
            Line::Event { event, to, args, .. } => {
                let args: Vec<(Option<String>, String)> = args.iter().map(|a| (None, a.clone())).collect();
                let id = self.game.event(event).map_err(|fault| fault.message)?;
                match self.game.args(id, &args) {
                    Ok(values) => self.game.fire(id, values, *to, &mut chooser).map(|_| ()),
                    Err(refused) => Err(refused),
                }
            }
            Line::Undo(steps) => {
                self.game.undo(*steps);
                Ok(())
            }
        };
        self.game.thrown = VecDeque::new();
        result.map_err(|refused| told(&self.diagnostics(refused)))
    }

    fn play(mut self) -> Exit {
        let mut exit = Exit::Well;
        loop {
            self.out.flush();
            let prompt = if self.input.is_terminal() { "> " } else { "" };
            let Some(line) = self.input.line(prompt) else { break };
            match command::read(&line) {
                Command::Nothing => {}
                Command::Quit => break,
                Command::Help => self.out.say(help()),
                Command::Events => self.events(),
                Command::Sheets => self.sheets(),
                Command::Show(who) => self.show(who.as_deref()),
                Command::Dice(values) => {
                    self.game.thrown = values.into();
                    let shown: Vec<String> = self.game.thrown.iter().map(i64::to_string).collect();
                    self.out.say(if shown.is_empty() {
                        say!("dice are rolled")
                    } else {
                        say!("the next dice show {shown}", shown = shown.join(" "))
                    });
                }
                Command::Undo(steps) => {
                    let undone = self.game.undo(steps);
                    self.out.say(say!("{undone} step taken back" | "{undone} steps taken back", undone));
                    if undone > 0 && !self.write(Line::Undo(undone)) {
                        exit = Exit::Usage;
                    }
                }
                Command::Save(path) => self.save(Path::new(&path)),
                Command::New { sheet, name, set } => self.make(&sheet, name, set),
                Command::Event { event, args, to } => self.event(&event, &args, to.as_deref()),
                Command::Unclear(why) => self.out.say(why),
            }
            if self.out.closed() {
                break;
            }
        }
        self.out.finish(exit)
    }

    // ── Steps ───────────────────────────────────────────────────────────────────────────────

    /// Takes a step with questions put to the table; what was answered comes with it.
    fn step<T>(
        &mut self,
        take: impl FnOnce(&mut Game<'p>, &mut AtTheTable<'_>) -> Result<T, Refused>,
    ) -> Result<(T, Vec<String>), Refused> {
        let out = &mut self.out;
        let mut say = |text: &str| {
            out.line(text);
            out.flush();
        };
        let mut chooser = AtTheTable {
            names: self.game.names.clone(),
            input: Some(&mut *self.input),
            script: VecDeque::new(),
            answers: Vec::new(),
            say: &mut say,
        };
        let done = take(&mut self.game, &mut chooser)?;
        Ok((done, chooser.answers))
    }

    fn make(&mut self, sheet: &str, name: Option<String>, set: Vec<(String, String)>) {
        let name = name.unwrap_or_else(|| {
            let taken = |name: &str| self.game.names.iter().any(|(_, known)| known == name);
            if !taken(sheet) {
                return sheet.to_owned();
            }
            (2..).map(|n| format!("{sheet}{n}")).find(|name| !taken(name)).unwrap_or_default()
        });
        match self.step(|game, chooser| game.make(sheet, &name, &set, chooser)) {
            Ok(((number, done), answers)) => {
                self.tell(&done);
                self.write(Line::Make {
                    sheet: sheet.to_owned(),
                    name,
                    set: set.into_iter().collect(),
                    dice: done.dice,
                    answers,
                });
                self.show(Some(&format!("#{number}")));
            }
            Err(refused) => self.refuse(refused),
        }
    }

    fn event(&mut self, event: &str, typed: &[(Option<String>, String)], to: Option<&str>) {
        let id = match self.game.event(event) {
            Ok(id) => id,
            Err(fault) => return self.refuse(fault.into()),
        };
        let entry = &self.program.events[id.index()];
        let to = match to {
            Some(who) => match self.game.sheet(who) {
                Ok(sheet) => Some(sheet),
                Err(fault) => return self.refuse(fault.into()),
            },
            None => {
                let roots = self.game.names.len();
                if roots == 0 {
                    let first = self.program.sheets.iter().find(|s| s.owner.is_none()).map_or("…", |s| s.id.as_str());
                    return self.out.say(say!("nobody is at the table; write `new {first} Ana`", first));
                }
                if roots > 1 && entry.clock.is_none() {
                    let first = &self.game.names[0].1;
                    return self.out.say(say!("say to whom: `{entry} to {first}`", entry = entry.id, first));
                }
                (entry.clock.is_none()).then(|| self.game.names[0].0)
            }
        };
        let values = match self.game.args(id, typed) {
            Ok(values) => values,
            Err(refused) => return self.refuse(refused),
        };
        // As a journal keeps them: in order, sheets by number.
        let texts: Vec<String> = entry
            .params
            .iter()
            .zip(&values)
            .map(|(param, value)| match (param.ty, value) {
                (cicatriz::program::Type::Sheets(_), cicatriz::run::Value::Sheets(sheets)) => {
                    sheets.iter().map(u32::to_string).collect::<Vec<_>>().join("+")
                }
                (cicatriz::program::Type::Sheet { .. }, cicatriz::run::Value::Number(sheet)) if *sheet >= 0 => {
                    format!("#{sheet}")
                }
                (ty, value) => cicatriz::run::value_id(self.program, ty, value).replace(',', "+"),
            })
            .collect();
        match self.step(|game, chooser| game.fire(id, values, to, chooser)) {
            Ok((done, answers)) => {
                self.tell(&done);
                self.write(Line::Event { event: entry.id.to_string(), to, args: texts, dice: done.dice, answers });
            }
            Err(refused) => self.refuse(refused),
        }
    }

    fn write(&mut self, line: Line) -> bool {
        let written = match &mut self.journal {
            Some(journal) => journal
                .write(&line)
                .map_err(|error| say!("`{path}` cannot be written: {error}", path = journal.path.display(), error)),
            None => Ok(()),
        };
        self.lines.push(line);
        match written {
            Ok(()) => true,
            Err(why) => {
                output::complain(say!("{why}; the game goes on, `:save FILE` keeps it elsewhere", why));
                false
            }
        }
    }

    fn save(&mut self, path: &Path) {
        let mut text = String::new();
        for line in &self.lines {
            match serde_json::to_string(line) {
                Ok(line) => {
                    text.push_str(&line);
                    text.push('\n');
                }
                Err(error) => {
                    return self.out.say(say!("`{path}` cannot be written: {error}", path = path.display(), error));
                }
            }
        }
        let saved = super::files::write_whole(path, &text).and_then(|()| Journal::append(path));
        match saved {
            Ok(journal) => {
                self.journal = Some(journal);
                self.out.say(say!("saved; the journal goes on in {path}", path = path.display()));
            }
            Err(error) => self.out.say(say!("`{path}` cannot be written: {error}", path = path.display(), error)),
        }
    }

    // ── What is seen ────────────────────────────────────────────────────────────────────────

    fn tell(&mut self, done: &Done<'_>) {
        paint::tell(&done.trace, self.common, &mut self.out);
    }

    fn sheets(&mut self) {
        let lines = screen::sheets(&self.game);
        if lines.is_empty() {
            self.out.say("nobody is at the table");
        }
        lines.iter().for_each(|line| self.out.line(line));
    }

    fn show(&mut self, who: Option<&str>) {
        let sheets = match who {
            Some(who) => match self.game.sheet(who) {
                Ok(sheet) => vec![sheet],
                Err(fault) => return self.refuse(fault.into()),
            },
            None => self.game.names.iter().map(|(number, _)| *number).collect(),
        };
        for sheet in sheets {
            for line in screen::sheet(&self.game, sheet) {
                self.out.line(&line);
            }
        }
    }

    fn events(&mut self) {
        for (number, id) in self.game.events().into_iter().enumerate() {
            let event = &self.program.events[id.index()];
            let params: Vec<&str> = event.params.iter().map(|p| p.id.as_str()).collect();
            let args = if params.is_empty() { String::new() } else { format!("({})", params.join(", ")) };
            let title = if *event.title == *event.id { String::new() } else { format!("  {}", event.title) };
            self.out.line(&format!("{:>3}  {}{args}{title}", number + 1, event.id));
        }
    }

    fn diagnostics(&self, refused: Refused) -> Vec<Diagnostic> {
        match refused {
            Refused::Said(diagnostics) => diagnostics,
            Refused::Ran(fault) => vec![fault.diagnostic(self.program)],
        }
    }

    /// Nothing happened: what is wrong, and what to type.
    fn refuse(&mut self, refused: Refused) {
        for diagnostic in self.diagnostics(refused) {
            if diagnostic.labels.is_empty() {
                let help = diagnostic.help.map(|help| format!("; {}", said(help))).unwrap_or_default();
                self.out.line(&format!("{}{help}", said(diagnostic.message)));
            } else {
                let drawing = self.common.drawing(output::Stream::Output);
                let mut diagnostic = diagnostic;
                if diagnostic.code == Code::RunDice {
                    diagnostic.help = Some(say!("the step was not taken; give other dice with `:dice …`"));
                }
                let text = cicatriz::diagnostics::render::draw(&[diagnostic], self.files, &drawing);
                self.out.text(&text);
            }
        }
    }
}

fn told(faults: &[Diagnostic]) -> Wording {
    let all = faults.iter().map(|f| match &f.help {
        Some(help) => Wording::list([&f.message, help], "; "),
        None => f.message.clone(),
    });
    Wording::list(all, "\n")
}

fn chosen(program: &Program, options: &[u32]) -> BTreeMap<String, String> {
    program
        .options
        .iter()
        .zip(options)
        .filter_map(|(option, chosen)| {
            Some((option.id.to_string(), option.members.get(*chosen as usize)?.id.to_string()))
        })
        .collect()
}
