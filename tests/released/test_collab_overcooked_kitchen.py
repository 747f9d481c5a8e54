"""The released kitchen of Collab-Overcooked, step by step: recorded play of its environment alone."""

from __future__ import annotations

from pathlib import Path

from backburner.worlds.collab_overcooked.game.compiled import Compiled
from backburner.worlds.collab_overcooked.game.layout import ACTIONS, SHIPPED, START, shipped_layout
from backburner.worlds.collab_overcooked.game.rule_set import RELEASED
from backburner.worlds.collab_overcooked.game.state import Move
from support.collab_overcooked.kitchens import recorded_state
from support.recordings import Case, Compare, each, episodes_in

COMPILED = Compiled(shipped_layout(SHIPPED), RELEASED)
FILE = "collab_low_level.jsonl.gz"


def test_every_step_of_the_kitchen_is_the_recorded_one(vectors: Path, compare: Compare) -> None:
    compare(FILE, "steps", each(episodes_in(vectors, FILE), replay))


def replay(episode: Case) -> int:
    """Every field of every state, in its order. Where the program crashed there is no state to compare."""
    kitchen = COMPILED.stepper.start((episode["order"],))
    before, *recorded = episode["states"]
    assert recorded_state(COMPILED, kitchen) == before, "the first state"
    assert len(recorded) == len(episode["acts"]) - (episode["err"] is not None)
    for number, (told, act) in enumerate(zip(recorded, episode["acts"], strict=False)):
        step = COMPILED.stepper.step(kitchen, (move(act[0], act[2]), move(act[1], act[3])))
        kitchen = step.kitchen
        found = recorded_state(COMPILED, kitchen) | {
            "r": sum(20 for order in step.met if order),
            "bad": int(bool(kitchen.ruined)),
            "ev": [logged or None for logged in step.logged],
        }
        wanted = told | {"ev": [logged and logged.replace(" ", "") for logged in told["ev"]]}
        assert found == wanted, f"step {number}, {act}"
        assert [*found["u"], *found["c"]] == [*told["u"], *told["c"]], f"step {number}, {act}"
    return len(recorded)


def move(action: str, parameter: str) -> Move:
    return ACTIONS.index(action), START if parameter == "[START]" else parameter
