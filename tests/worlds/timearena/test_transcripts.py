"""Whole episodes as people read them: what the agent answers and, word for word, what it is told.

A transcript has comments (``#``), a line with scenario, rules and limits (``@``) and the answers
(``>``). Everything else is told by the world, so a new transcript needs only these three kinds of
lines: ``retold`` writes the rest.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from backburner.kernel import registry
from backburner.worlds.timearena.game import TimeArena
from backburner.worlds.timearena.game.rules import AGENT

TRANSCRIPTS = sorted((Path(__file__).parent / "transcripts").glob("*.txt"))


def retold(transcript: str) -> str:
    """The transcript as the world tells it now."""
    comments, _, play = transcript.partition("@ ")
    header, *rest = play.splitlines()
    id, rules, limits = header.split(", ")
    world = registry.world(id, rules=rules.removesuffix(" rules"), limits=limits.removesuffix(" limits"))
    assert isinstance(world, TimeArena)
    state = world.start()
    told = [f"{comments}@ {header}", "", world.briefing(AGENT), "", now(world, state)]
    for line in rest:
        if line.startswith(("# ", "> ")):
            told += [line] if told[-1].startswith("# ") else ["", line]
        if line.startswith("> "):
            state = world.step(state, {AGENT: world.parse(state, AGENT, line.removeprefix("> "))}).state
            told.append(now(world, state))
    outcome = world.outcome(state)
    numbers = ", ".join(f"{name} {number}" for name, number in outcome.numbers.items())
    return "\n".join([*told, "", f"= {outcome.status}, {outcome.reason}: {numbers}", ""])


def now(world: TimeArena, state: object) -> str:
    return world.describe(world.observe(state, AGENT))


@pytest.mark.parametrize("file", TRANSCRIPTS, ids=lambda file: file.stem)
def test_a_transcript_is_told_again_word_for_word(file: Path) -> None:
    transcript = file.read_text(encoding="utf-8")
    assert retold(transcript) == transcript


def test_there_are_transcripts_of_both_presets() -> None:
    headers = [line for file in TRANSCRIPTS for line in file.read_text().splitlines() if line[:2] == "@ "]
    assert {header.split(", ")[1] for header in headers} == {"standard rules", "released rules"}
