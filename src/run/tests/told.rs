//! What is told of a run, for people and for scripts.

use super::build::*;
use crate::program::*;
use crate::run::{Defaults, Machine, Trace, play_out};

#[test]
fn a_wound_as_it_is_told_and_as_scripts_read_it() {
    let mut rules = Rules::new();
    let conditions = rules.kind(&["indefenso"]);
    let sides = rules.kind(&["izquierdo", "derecho"]);
    let character = rules.sheet("personaje", None, &[("vivo", &[1]), ("muerto", &[])]);
    let slot = rules.track(character, "estados", Type::SetOfKind(conditions), 0);
    let arms = rules.track(character, "brazos", Type::SetOfKind(sides), 3);
    let wound = rules.sheet("herida", Some(character), &[("sin_tratar", &[1]), ("sanada", &[])]);
    let pick = [Op::Me, Op::Owner, Op::Me, Op::Owner, Op::Slot(arms), Op::PickMember(Type::SetOfKind(sides))];
    let down = [Op::Single, Op::Set { slot: arms, change: Change::Down }];
    let body = rules.code(&[&pick[..], &down].concat());
    let until = rules.hold(None, HoldKind::States(1));
    let has = rules.has(1, slot, 1, Some(until));
    let prose = rules.message("El brazo ya no está.", None);
    let mut row = Row { prose: Some(prose), ..rules.row("brazo_cortado", "20", Some(body)) };
    row.clauses.has.push(has);
    row.cells.push(Cell::Value(1));
    let three = rules.dice(3, 10);
    let key = rules.code(&[three]);
    let table = rules.table(TableKey::Dice(key), Some(wound), vec![row]);
    let entry = &mut rules.program.tables[table.index()];
    entry.answers = vec![Answer { low: 20, high: 20, row: 0 }];
    entry.columns.push(Column { id: "side".into(), ty: Type::Kind { kind: sides, or_none: false } });
    let wounded = rules.event("wounded", None, &[]);
    rules.on(character, wounded, &[Op::Happen { table, args: 0, on: On::Up(0) }]);
    let ops = [
        Op::New(character),
        Op::Store(0),
        Op::Load(0),
        Op::Default { slot: arms },
        Op::Load(0),
        Op::Settle,
        Op::Fire { event: wounded, args: 0, to: false },
        Op::FinishState,
    ];
    let scenario = rules.scenario(&ops);
    let mut machine = Machine::scenario(&rules.program, &[], scenario, &[]).unwrap();
    let mut trace = Trace::new(&machine);
    let step = play_out(&mut machine, &mut given(&[4, 7, 9, 1]), &mut Defaults, &mut trace);
    assert_eq!(outcome(&step).text(&rules.program), "vivo");
    assert_eq!(
        trace.lines(),
        [
            "> Wounded",
            "tirada 3d10: 4 + 7 + 9 = 20",
            "al azar 1d2: 1 → Izquierdo",
            "brazos: Izquierdo, Derecho → Derecho",
            "20  Brazo_cortado",
            "    El brazo ya no está.",
            "estado: + Indefenso (por Brazo_cortado)",
        ]
    );
    let json = serde_json::to_string(&trace.json()).unwrap();
    let expected = concat!(
        r#"{"kind":"row","table":"table","id":"brazo_cortado","range":"20","title":"Brazo_cortado","#,
        r#""text":"El brazo ya no está.","cells":{"side":"derecho"}},"#,
        r#"{"kind":"condition","sheet":"personaje","condition":"indefenso","added":true,"by":"herida"}]"#
    );
    assert!(json.ends_with(expected), "{json}");
    let change =
        r#"{"kind":"change","sheet":"personaje","track":"brazos","from":["izquierdo","derecho"],"to":["derecho"]}"#;
    assert!(json.contains(change), "{json}");
}

#[test]
fn the_same_dice_give_the_same_lines() {
    let mut rules = Rules::new();
    let die = rules.dice(2, 6);
    let scenario = rules.scenario(&[die, Op::Roll, Op::Finish(Box::new([NUMBER]))]);
    assert_eq!(rules.run(scenario, &[2, 5]), rules.run(scenario, &[2, 5]));
    assert_eq!(rules.run(scenario, &[2, 5]).1, ["tirada 2d6: 2 + 5 = 7"]);
}
