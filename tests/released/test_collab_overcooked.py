"""Recorded runs of the released Collab-Overcooked program, replayed step by step."""

from __future__ import annotations

import json
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from backburner.kernel.values import Refusal
from backburner.worlds.collab_overcooked.game.events import Journal
from backburner.worlds.collab_overcooked.game.grid import ACTIONS
from backburner.worlds.collab_overcooked.game.kitchenware import Kitchenware
from backburner.worlds.collab_overcooked.game.layout import SHIPPED, shipped_layout
from backburner.worlds.collab_overcooked.game.limits import NO_LIMITS
from backburner.worlds.collab_overcooked.game.plans import shown
from backburner.worlds.collab_overcooked.game.play import Play
from backburner.worlds.collab_overcooked.game.reading import read
from backburner.worlds.collab_overcooked.game.rule_set import RELEASED
from backburner.worlds.collab_overcooked.game.rules import Rulebook
from backburner.worlds.collab_overcooked.game.scenarios import Scenario
from backburner.worlds.collab_overcooked.game.seats import SEATS
from backburner.worlds.collab_overcooked.game.state import Kitchen, State
from support.collab_overcooked import ScriptedCook, recorded_state, refusal_of

WARE = Kitchenware(shipped_layout(SHIPPED), RELEASED)
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
    cooks = [ScriptedCook(WARE, cook, episode["plans"][cook], episode["policy"]) for cook in (0, 1)]
    kitchen = WARE.stepper.start((episode["task"],))
    assert recorded_state(WARE, kitchen) == episode["init"], episode["id"]
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
        step = WARE.stepper.step(kitchen, moves)
        found = recorded_state(WARE, step.kitchen) | {
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
    refusal = refusal_of(WARE, kitchen, cook, text)
    return None if refusal is None else refusal.code.upper()


def test_runs_with_scripted_replies_replay_exactly(vectors: Path, record_property: Any) -> None:
    episodes = [episode for episode in recordings(vectors) if episode["kind"] == "llm"]
    calls = sum(Conversation(episode).replay() for episode in episodes)
    assert calls > 0
    record_property("compared", f"Collab-Overcooked: {len(episodes)} conversations, {calls} calls, all equal")


class ErrorLog(Journal):
    """Keeps every refused call as the recordings write it."""

    def __init__(self, errors: list[list[Any]]) -> None:
        super().__init__(WARE.grid, SEATS)
        self.errors = errors

    def refused(self, cook: int, now: int, call: str, refusal: Refusal, told: bool) -> None:
        self.errors.append([now, cook, call, refusal.code.upper()])


class Conversation:
    """A recording with replies of language models: every call, every step, what each cook was shown."""

    def __init__(self, episode: dict[str, Any]) -> None:
        self.episode = episode
        self.book = Rulebook(WARE, Scenario((episode["task"],)), NO_LIMITS, SEATS)
        self.state = self.book.start(0)
        self.errors: list[list[Any]] = []
        self.n_steps = 0
        self.history: list[list[list[Any]]] = [[], []]

    def replay(self) -> int:
        for number, call in enumerate(self.episode["calls"]):
            where = f"{self.episode['id']} call {number}"
            assert self.asked() == {key: call[key] for key in self.asked()}, where
            self.answer(call["reply"])
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

    def answer(self, text: str) -> None:
        journal = ErrorLog(self.errors)
        play = self.book.play(self.state, journal)
        play.answer(read(text, WARE.reader, exact=True))
        state = self.state
        while play.decided and self.n_steps < self.episode["n_steps"]:
            recorded = self.episode["steps"][self.n_steps]
            state = self.pass_time(play, state, journal, recorded)
            if self.n_steps < self.episode["n_steps"]:
                play.begin_step()
        self.state = self.book.result(state, play)

    def pass_time(self, play: Play, state: State, journal: Journal, recorded: dict[str, Any]) -> State:
        where = f"{self.episode['id']} step {self.n_steps}"
        assert [cook.call or None for cook in play.cooks] == recorded["cur"], where
        assert [list(cook.queue) for cook in play.cooks] == recorded["queue"], where
        moves = [ACTIONS[action] for action, _ in play.moves]
        assert moves == recorded["a"], where
        before = state
        state = self.book.pass_time(state, play, journal)
        last = recorded is self.episode["steps"][-1]
        for cook, mine in enumerate(play.cooks):
            deed = mine.recent[-1] if mine.recent and mine.recent[-1].steps == self.n_steps + 1 else None
            met = state.delivered > before.delivered and deed is not None and deed.call == "deliver_soup()"
            self.history[cook] += logged_as(self.n_steps, deed.call if deed else "", met, last)
        found = recorded_state(WARE, play.kitchen)
        assert found == {key: recorded[key] for key in found}, where
        self.n_steps += 1
        return state
