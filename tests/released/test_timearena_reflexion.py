"""Recorded runs of TimeArena's released Reflexion loop: every minute, every call of its environment.

They are compared twice: call by call under the rules ``released-reflexion``, and as a language model that
gives the recorded answers is asked by the method ``reflexion@after=correction``.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from backburner.agents.models import ScriptedModel, model_policy
from backburner.kernel import registry
from backburner.kernel.claims import check
from backburner.kernel.play import play_now
from backburner.kernel.values import Refusal
from backburner.worlds.timearena.game import Limits, TimeArena
from backburner.worlds.timearena.game.second_try import Call, SecondTries
from backburner.worlds.timearena.game.state import QUIT, State
from backburner.worlds.timearena.game.transition import AGENT
from support.recordings import Case, Compare, each, episodes_in

FILE = "timearena_reflexion.json"


def test_recorded_minutes_replay_exactly(vectors: Path, compare: Compare) -> None:
    compare(FILE, "minutes", each(episodes_in(vectors, FILE), replay))


def test_a_model_that_answers_so_is_asked_as_often_and_ends_alike(vectors: Path, compare: Compare) -> None:
    compare(f"{FILE}, as a model is asked", "calls", each(episodes_in(vectors, FILE), ask))


def ask(episode: Case) -> int:
    world = world_of(episode)
    said = list(answers(episode))
    left = iter(said)
    model = ScriptedModel(lambda messages: next(left))
    played = play_now(world, model_policy("reflexion@after=correction", world, model))
    assert check(played) == len(played.entries)
    assert played.ending is not None
    found = {"reason": played.ending.reason, "score": played.ending.numbers["score"]}
    assert found == {key: episode["final"][key] for key in found}
    calls = sum(entry.usage[AGENT].calls for entry in played.entries)
    assert calls == len(said) == episode["final"]["model_calls"]
    return calls


def world_of(episode: dict[str, Any]) -> TimeArena:
    path = "+".join(episode["tasks"]) + ("@kit=one" if episode["constraint"] else "")
    limits = Limits(minutes=episode["time_limit"], errors=5)
    world = registry.world(f"timearena/{path}", rules="released-reflexion", limits=limits)
    assert isinstance(world, TimeArena)
    return world


def answers(episode: dict[str, Any]) -> Any:
    """What the model says, in order."""
    for minute in episode["minutes"]:
        if minute["asked"]:
            yield minute.get("text", minute["action"])
        if "again" in minute:
            yield minute["reflection"]
            yield minute["again"]
    if "quit_text" in episode["final"]:
        yield episode["final"]["quit_text"]


class Replay:
    """An episode in play: the calls that a decision leads to are handed out one by one."""

    def __init__(self, world: TimeArena) -> None:
        assert isinstance(world.rulebook, SecondTries)
        self.world, self.rulebook = world, world.rulebook
        self.state = world.start()
        self.waiting: list[Call] = []

    def decide(self, text: str) -> None:
        assert not self.waiting, "asked while there was something left to carry out"
        decision = self.world.parse(self.state, AGENT, text)
        self.waiting = list(self.rulebook.calls(self.state, decision))
        step = self.world.step(self.state, {AGENT: decision})
        assert step.state == self.waiting[-1].state
        refusal = self.waiting[0].refusal  # the others are of the driver's own text
        assert step.refusals == (() if refusal is None else (refusal,))

    def call(self) -> tuple[State, Call]:
        """The state before the next call, and the call."""
        before, call = self.state, self.waiting.pop(0)
        self.state = call.state
        return before, call


def replay(episode: dict[str, Any]) -> int:
    world = world_of(episode)
    assert [item.name for item in world.compiled.items] == episode["objects"], episode["id"]
    game = Replay(world)
    for minute in episode["minutes"]:
        where = f"{episode['id']} minute {minute['minute']}"
        assert game.state.minute == minute["minute"] and not game.state.ended, where
        assert minute["asked"] == (not game.waiting), where
        if minute["asked"]:
            assert world.question(world.observe(game.state, AGENT)) is None, where
            game.decide(minute.get("text", minute["action"]))
        for number, recorded in enumerate(minute["env"]):
            if number:
                question = world.question(world.observe(game.state, AGENT))
                assert question is not None and question.correction, where
                game.decide(minute["again"])
            before, call = game.call()
            assert told(world, before, call) | {"action": recorded["action"]} == recorded, where
        assert game.state.minute == minute["minute"] + 1, where
        assert summary(world, game.state, call) == {key: minute[key] for key in SUMMARY}, where
    if "quit_text" in episode["final"]:
        game.decide(episode["final"]["quit_text"])
        game.call()
    assert not game.waiting
    assert ending(world, game.state) == {key: episode["final"][key] for key in ENDING}, episode["id"]
    assert sum(len(minute["env"]) for minute in episode["minutes"]) == episode["final"]["env_calls"]
    return len(episode["minutes"])


SUMMARY = ("wrong", "told", "agent_occupied", "all_done", "streak", "score")
ENDING = ("time", "score", "completed", "reason")


def summary(world: TimeArena, state: State, call: Call) -> dict[str, Any]:
    return {
        "wrong": call.refusal is not None,
        "told": call.told,
        "agent_occupied": call.busy,
        "all_done": all_done(world, state, call),
        "streak": state.errors_in_a_row,
        "score": state.score,
    }


def all_done(world: TimeArena, state: State, call: Call) -> bool:
    frozen = call.refusal is not None and world.rulebook.freezes(call.refusal)
    return state.finished == world.compiled.everything and not frozen


def told(world: TimeArena, before: State, call: Call) -> dict[str, Any]:
    """The call in the words of the recordings."""
    state = call.state
    return {
        **feedback(call),
        "reported": sorted(list(report) for report in state.reports),
        "increment": state.score - before.score,
        "all_done": all_done(world, state, call),
        "agent_occupied": call.busy,
        "wrong": call.refusal is not None,
        "env_score": 100 * state.earned // world.compiled.total_minutes,
        "occupied": sorted({thing for r in state.running for thing in (r.act.first, r.act.second) if thing}),
        "finished_roles": state.finished.bit_count(),
    }


def feedback(call: Call) -> dict[str, Any]:
    told = call.state.feedback
    if told.kind == "start":
        return {"feedback_kind": "action_start", "minutes": told.minutes}
    if told.kind == "going on":
        return {"feedback_kind": "finished_now" if call.told else "going_on"}
    if isinstance(call.refusal, Refusal):
        detail = {key: list(v) if isinstance(v, tuple) else v for key, v in call.refusal.detail}
        return {"feedback_kind": call.refusal.code, **detail}
    return {"feedback_kind": told.kind}


def ending(world: TimeArena, state: State) -> dict[str, Any]:
    return {
        "time": state.minute,
        "score": state.score,
        "completed": bool(world.outcome(state).numbers["completed"]),
        "reason": state.ended,
    }


def test_giving_up_is_no_answer_where_something_else_is_wanted() -> None:
    """Read in the program: of a second answer ``quit`` is an invalid action."""
    world = registry.world("timearena/cooking1", rules="released-reflexion")
    state = world.step(world.start(), {AGENT: world.parse(world.start(), AGENT, "sing")}).state
    step = world.step(state, {AGENT: QUIT})
    assert [refusal.code for refusal in step.refusals] == ["invalid_action"]
    assert step.state.minute == 1 and not step.state.ended
    assert world.step(step.state, {AGENT: QUIT}).state.ended == "quit"
