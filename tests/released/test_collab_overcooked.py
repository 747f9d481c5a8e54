"""Recorded runs of the released Collab-Overcooked program, replayed step by step."""

from __future__ import annotations

import json
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from backburner.kernel.values import Refusal
from backburner.worlds.collab_overcooked.game.compiled import Compiled
from backburner.worlds.collab_overcooked.game.events import Listener
from backburner.worlds.collab_overcooked.game.grid import ACTIONS
from backburner.worlds.collab_overcooked.game.layout import SHIPPED, shipped_layout
from backburner.worlds.collab_overcooked.game.rule_set import RELEASED, Limits
from backburner.worlds.collab_overcooked.game.rules import Rulebook
from backburner.worlds.collab_overcooked.game.scenarios import Scenario
from backburner.worlds.collab_overcooked.game.state import SEATS, Kitchen, State
from backburner.worlds.collab_overcooked.game.talk import read, shown
from support.collab_overcooked import ScriptedCook, recorded_state, refusal_of

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


def logged_as(step: int, logged: str, met: bool, last: bool) -> list[list[Any]]:
    """What the recorded history has of a step: of the very last one, nothing but a delivery as ordered."""
    if met:
        return [[step, logged]]
    return [[step + 1, logged]] if logged and not last else []


def probed(kitchen: Kitchen, cook: int, text: str) -> str | None:
    refusal = refusal_of(COMPILED, kitchen, cook, text)
    return None if refusal is None else refusal.code.upper()


def test_runs_with_scripted_replies_replay_exactly(vectors: Path, record_property: Any) -> None:
    episodes = [episode for episode in recordings(vectors) if episode["kind"] == "llm"]
    calls = sum(Conversation(episode).replay() for episode in episodes)
    assert calls > 0
    record_property("compared", f"Collab-Overcooked: {len(episodes)} conversations, {calls} calls, all equal")


class Conversation(Listener):
    """A recording with replies of language models: every call, every step, what each cook was shown."""

    def __init__(self, episode: dict[str, Any]) -> None:
        self.episode = episode
        limits = Limits(episode["n_steps"])
        self.book = Rulebook(COMPILED, Scenario((episode["task"],)), limits, listener=self)
        self.state = self.book.start(0)
        self.errors: list[list[Any]] = []
        self.n_steps = 0
        self.delivered = 0
        self.logged = ["", ""]
        self.history: list[list[list[Any]]] = [[], []]

    def replay(self) -> int:
        for number, call in enumerate(self.episode["calls"]):
            where = f"{self.episode['id']} call {number}"
            assert self.asked() == {key: call[key] for key in self.asked()}, where
            reply = read(call["reply"], COMPILED.reader, exact=True)
            self.state = self.book.step(self.state, {SEATS[self.state.asked]: reply}).state
        assert self.n_steps == self.episode["n_steps"], self.episode["id"]
        assert self.errors == self.episode["errors"], self.episode["id"]
        assert self.history == self.episode["history"], self.episode["id"]
        return len(self.episode["calls"])

    def asked(self) -> dict[str, Any]:
        state = self.state
        mine, partner = state.cooks[state.asked], state.cooks[1 - state.asked]
        return {
            "t": state.kitchen.steps,
            "agent": state.asked,
            "kind": "fix_plan" if state.repair else KINDS[state.ask],
            "shown_own": ";".join(shown(mine)),
            "shown_mate": ";".join(shown(partner)),
        }

    def refused(self, cook: int, now: int, call: str, refusal: Refusal) -> None:
        self.errors.append([now, cook, call, refusal.code.upper()])

    def acted(self, cook: int, now: int, call: str) -> None:
        self.logged[cook] = call

    def passed(self, state: State) -> None:
        recorded = self.episode["steps"][self.n_steps]
        where = f"{self.episode['id']} step {self.n_steps}"
        assert [cook.call or None for cook in state.cooks] == recorded["cur"], where
        assert [list(cook.queue) for cook in state.cooks] == recorded["queue"], where
        assert [ACTIONS[action] for action, _ in state.moves] == recorded["a"], where
        last = recorded is self.episode["steps"][-1]
        for cook, logged in enumerate(self.logged):
            met = state.delivered > self.delivered and logged == "deliver_soup()"
            self.history[cook] += logged_as(self.n_steps, logged, met, last)
        found = recorded_state(COMPILED, state.kitchen)
        assert found == {key: recorded[key] for key in found}, where
        self.n_steps += 1
        self.delivered, self.logged = state.delivered, ["", ""]
