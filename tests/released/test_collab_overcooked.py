"""Recorded runs of the released Collab-Overcooked program, replayed step by step."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from backburner.worlds.collab_overcooked.game.compiled import Compiled
from backburner.worlds.collab_overcooked.game.layout import ACTIONS, SHIPPED, shipped_layout
from backburner.worlds.collab_overcooked.game.rule_set import RELEASED
from backburner.worlds.collab_overcooked.game.state import Kitchen
from support.collab_overcooked.conversations import Conversation, logged_as
from support.collab_overcooked.kitchens import ScriptedCook, recorded_state, refusal_of
from support.collab_overcooked.retold import Retold
from support.recordings import Case, Compare, each, episodes_in

COMPILED = Compiled(shipped_layout(SHIPPED), RELEASED)


def recordings(vectors: Path, *, talking: bool) -> list[Case]:
    """Runs of language models' replies, or of scripts."""
    episodes = episodes_in(vectors, "collab_overcooked.json")
    return [episode for episode in episodes if (episode["kind"] == "llm") == talking]


def test_scripted_runs_replay_exactly(vectors: Path, compare: Compare) -> None:
    cases = each(recordings(vectors, talking=False), replay)
    compare("collab_overcooked.json, scripts", "steps", cases)


def replay(episode: dict[str, Any]) -> int:
    """Follow both scripts under released rules; returns the number of steps compared."""
    cooks = [ScriptedCook(COMPILED, cook, episode["plans"][cook], episode["policy"]) for cook in (0, 1)]
    kitchen = COMPILED.stepper.start((episode["task"],))
    assert recorded_state(COMPILED, kitchen) == episode["init"], episode["id"]
    probes = {t: list(group) for t, group in groupby(episode.get("probes", ()), key=lambda one: one[0])}
    history: list[list[list[Any]]] = [[], []]
    for recorded in episode["steps"]:
        where = f"{episode['id']} step {recorded['t']}"
        for _, cook, text, code in probes.get(kitchen.steps, ()):
            assert probed(kitchen, cook, text) == code, (where, cook, text)
        cooks[1].tick_off(kitchen)
        first = cooks[0].decide(kitchen)
        cooks[0].tick_off(kitchen)
        moves = (first, cooks[1].decide(kitchen))
        step = COMPILED.stepper.step(kitchen, moves)
        found = recorded_state(COMPILED, step.kitchen) | {
            "t": kitchen.steps,
            "a": [ACTIONS[action] for action, _ in moves],
            "ev": [logged or None for logged in step.logged],
            "r": sum(20 for order in step.met if order),
            "bad": int(bool(step.kitchen.ruined)),
        }
        assert found == recorded, where
        assert list(found["u"]) == list(recorded["u"]), where
        last = recorded is episode["steps"][-1]
        for cook, logged in enumerate(step.logged):
            history[cook] += logged_as(kitchen.steps, logged, bool(step.met[cook]), last)
        kitchen = step.kitchen
    assert sorted(cooks[0].errors + cooks[1].errors) == sorted(episode["errors"]), episode["id"]
    assert [cook.schedule for cook in cooks] == episode["schedule"], episode["id"]
    assert history == episode["history"], episode["id"]
    return len(episode["steps"])


def probed(kitchen: Kitchen, cook: int, text: str) -> str | None:
    refusal = refusal_of(COMPILED, kitchen, cook, text)
    return None if refusal is None else refusal.code.upper()


def test_runs_with_scripted_replies_replay_exactly(vectors: Path, compare: Compare) -> None:
    cases = each(recordings(vectors, talking=True), talk)
    compare("collab_overcooked.json, replies", "calls", cases)


@pytest.mark.parametrize("name", ["collab_conversations.json", "collab_odd_calls.jsonl.gz"])
def test_conversations_replay_exactly(vectors: Path, compare: Compare, name: str) -> None:
    """Answers in every outer form, ends of talk, waits, requests, odd plans: whom the program asks what."""
    compare(name, "calls", each(episodes_in(vectors, name), talk))


def talk(episode: Case) -> int:
    return Conversation(episode).replay()


@pytest.mark.parametrize("name", ["collab_conversations.json", "collab_odd_calls.jsonl.gz"])
def test_the_second_account_of_talk_agrees_as_well(vectors: Path, compare: Compare, name: str) -> None:
    """What made-up conversations are compared with is held against the recorded ones."""
    compare(f"{name}, second account", "calls", each(episodes_in(vectors, name), retell))


def retell(episode: Case) -> int:
    retold = Retold(COMPILED, episode["task"])
    telling = retold.play(episode["n_steps"])
    asked = next(telling, None)
    for number, call in enumerate(episode["calls"]):
        assert asked is not None
        wanted = {key: call.get(key, "") for key in asked}
        assert asked == wanted, f"call {number}"
        try:
            asked = telling.send(call["reply"])
        except StopIteration:
            asked = None
    assert asked is None and retold.errors == episode["errors"]
    steps = [{"cur": step["cur"], "queue": step["queue"]} for step in episode["steps"]]
    assert retold.steps == steps
    return len(episode["calls"])
