//! Wounds to death and a last stand in LuaJIT, with its own generator: how long a run takes.
//!
//! `cargo run --release --manifest-path benches/lua/Cargo.toml`, beside `cargo bench --bench simulate`.

use std::time::Instant;

use mlua::{Function, Lua};

const SCRIPT: &str = r#"
local random = math.random

local function to_death()
  local wounds = 0
  while true do
    local total = 0
    for _ = 0, wounds do total = total + random(10) end
    wounds = wounds + 1
    if total >= 24 then return wounds end
  end
end

local function last_stand()
  local most, hp = 30, 30
  while hp > 0 do
    local through = math.floor((random(6) + random(6) + 3) / 2)
    local had = hp
    hp = math.max(hp - through, 0)
    if through - had >= most then return 2 end
  end
  local good, bad = 0, 0
  while true do
    local save = random(20)
    if save == 1 then bad = bad + 2
    elseif save <= 9 then bad = bad + 1
    elseif save == 20 then return 3
    else good = good + 1 end
    if bad >= 3 then return 2 end
    if good >= 3 then return 1 end
  end
end

local function counted(one)
  return function(runs)
    local counts = {}
    for index = 1, 64 do counts[index] = 0 end
    for _ = 1, runs do
      local came = one()
      counts[came] = counts[came] + 1
    end
    return counts[1] + counts[2] + counts[3]
  end
end

return counted(to_death), counted(last_stand)
"#;

fn main() -> mlua::Result<()> {
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    println!("load of the machine: {}", load.trim());
    let lua = Lua::new();
    let (to_death, last_stand): (Function, Function) = lua.load(SCRIPT).eval()?;
    for (name, work) in [("wounds to death", to_death), ("last_stand(30, 2d6+3, resistant)", last_stand)] {
        let runs = 1_000_000;
        let mut best = f64::MAX;
        for _ in 0..5 {
            let begun = Instant::now();
            work.call::<f64>(runs)?;
            best = best.min(begun.elapsed().as_secs_f64() * 1e9 / f64::from(runs));
        }
        println!("{name}: {best:.1} ns a run in LuaJIT");
    }
    Ok(())
}
