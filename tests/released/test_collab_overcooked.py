"""Recorded runs of the released Collab-Overcooked program, replayed step by step."""

from __future__ import annotations

import json
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from backburner.worlds.collab_overcooked.game.compiled import Compiled
from backburner.worlds.collab_overcooked.game.grid import ACTIONS
from backburner.worlds.collab_overcooked.game.layout import SHIPPED, shipped_layout
from backburner.worlds.collab_overcooked.game.rule_set import RELEASED
from backburner.worlds.collab_overcooked.game.state import Kitchen
from support.collab_overcooked import ScriptedCook, recorded_state, refusal_of
from support.collab_overcooked_conversations import Conversation, logged_as
from support.collab_overcooked_retold import Retold

COMPILED = Compiled(shipped_layout(SHIPPED), RELEASED)
KINDS = {"plan": "plan", "answer": "reply", "continue": "continue", "correct": "correct"}


def recordings(vectors: Path) -> list[dict[str, Any]]:
    file = vectors / "collab_overcooked.json"
    if not file.is_file():
        pytest.skip(f"no recorded runs of Collab-Overcooked: {file} is not there")
    found: list[dict[str, Any]] = json.loads(file.read_text())["episodes"]
    return found


def test_scripted_runs_replay_exactly(vectors: Path, record_property: Any) -> None:
    episodes = [episode for episode in recordings(vectors) if episode["kind"] != "llm"]
    steps = sum(replay(episode) for episode in episodes)
    assert steps > 0
    record_property("compared", f"Collab-Overcooked: {len(episodes)} scripts, {steps} steps, all equal")


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


def test_runs_with_scripted_replies_replay_exactly(vectors: Path, record_property: Any) -> None:
    episodes = [episode for episode in recordings(vectors) if episode["kind"] == "llm"]
    calls = sum(Conversation(episode).replay() for episode in episodes)
    assert calls > 0
    record_property("compared", f"Collab-Overcooked: {len(episodes)} conversations, {calls} calls, all equal")


def test_conversations_replay_exactly(vectors: Path, record_property: Any) -> None:
    """Answers in every outer form, ends of talk, waits, requests, odd plans: whom the program asks what."""
    file = vectors / "collab_conversations.json"
    if not file.is_file():
        pytest.skip(f"no recorded conversations of Collab-Overcooked: {file} is not there")
    episodes = json.loads(file.read_text())["episodes"]
    calls = sum(Conversation(episode).replay() for episode in episodes)
    assert calls > 0
    record_property("compared", f"Collab-Overcooked: {len(episodes)} conversations, {calls} calls, all equal")


def test_the_second_account_of_talk_agrees_as_well(vectors: Path, record_property: Any) -> None:
    """What made-up conversations are compared with is held against the recorded ones."""
    file = vectors / "collab_conversations.json"
    if not file.is_file():
        pytest.skip(f"no recorded conversations of Collab-Overcooked: {file} is not there")
    episodes = json.loads(file.read_text())["episodes"]
    for episode in episodes:
        retold = Retold(COMPILED, episode["task"])
        telling = retold.play(episode["n_steps"])
        asked = next(telling, None)
        for number, call in enumerate(episode["calls"]):
            assert asked is not None, episode["id"]
            wanted = {key: call.get(key, "") for key in asked}
            assert asked == wanted, f"{episode['id']} call {number}"
            try:
                asked = telling.send(call["reply"])
            except StopIteration:
                asked = None
        assert asked is None and retold.errors == episode["errors"], episode["id"]
        steps = [{"cur": step["cur"], "queue": step["queue"]} for step in episode["steps"]]
        assert retold.steps == steps, episode["id"]
    assert episodes
    record_property("compared", f"Collab-Overcooked: {len(episodes)} conversations, retold alike")
