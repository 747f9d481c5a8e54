"""A million signs of anything are read in a tenth of a second, by both grammars and by the scripted cooks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from backburner.worlds.collab_overcooked.agents.cooks import asked_for
from backburner.worlds.collab_overcooked.game.calls import requested
from backburner.worlds.collab_overcooked.game.rule_set import PRESETS
from backburner.worlds.collab_overcooked.game.state import Reply
from support.collab_overcooked.kitchens import world_of
from support.promptly import least_seconds

MILLION = 1_000_000
PIECES = (
    "request(", "request (", "request", "a", "a(", "(", ")", "a_", "pickup(", "pickup(egg,", "wait", "1.",
    "1", ";", " ", "\t", "\n", "\r\n", "plan:", "Chef ", "Chef plan:", "Chef plan: x\n", "Chef plan ",
    "Chef say", "Chef say:", "Chef analysis", "Chef analysis:\nChef plan:\n", "* ", "- ", "# 1. ", "say ",
    "say:", ":", "**", "end", "[NOTHING]", "nothing", "Chef plan: wait(1)\n \nChef say", "\u017f", "\u0669",
)  # fmt: skip
PLANNED = "Chef analysis: a\nChef plan: wait(1)"
BEFORE = ("", f"{PLANNED};", f"{PLANNED}\nChef say: ")
BEHIND = ("", "\nChef say: b")


def seconds(work: Callable[[], Any]) -> float:
    """Processor seconds on a quiet machine."""
    return least_seconds(work, enough=0.1)


@pytest.mark.slow
@pytest.mark.parametrize("rules", PRESETS)
@pytest.mark.parametrize("piece", PIECES, ids=repr)
def test_a_million_signs_are_read_at_once(piece: str, rules: str) -> None:
    world = world_of("boiled_egg", rules=PRESETS[rules])
    state, reader = world.start(), world.compiled.reader
    many = piece * (MILLION // len(piece))
    seen = world.observe(state, "assistant")
    for before in BEFORE:
        for behind in BEHIND:
            text = before + many + behind
            assert seconds(lambda text=text: world.parse(state, "chef", text)) < 0.1, (before, behind)
    assert seconds(lambda: world.typed(many, "chef")) < 0.1
    assert seconds(lambda: reader.read(many)) < 0.1
    assert seconds(lambda: requested((many,))) < 0.1
    told = replace(seen, talk=((seen.partner.role, many),), requests=())
    assert seconds(lambda: asked_for(told, reader)) < 0.1
    assert seconds(lambda: world.step(state, {"chef": Reply("a", (many, many), many)})) < 0.1
