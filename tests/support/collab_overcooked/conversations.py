"""Recorded conversations of the released Collab-Overcooked program, played again call by call."""

from __future__ import annotations

from typing import Any

from backburner.kernel.values import Refusal
from backburner.worlds.collab_overcooked.game.calls import shown
from backburner.worlds.collab_overcooked.game.kitchen_step import Listener
from backburner.worlds.collab_overcooked.game.layout import ACTIONS
from backburner.worlds.collab_overcooked.game.rule_set import RELEASED, Limits
from backburner.worlds.collab_overcooked.game.state import SEATS, State
from support.collab_overcooked.kitchens import recorded_state, world_of

KINDS = {"plan": "plan", "answer": "reply", "continue": "continue", "correct": "correct"}


class Conversation(Listener):
    """A recording with replies of language models: every call, every step, what each cook was shown."""

    def __init__(self, episode: dict[str, Any]) -> None:
        self.episode = episode
        self.world = world_of(episode["task"], rules=RELEASED, limits=Limits(episode["n_steps"]))
        self.book = self.world.rulebook.with_listener(self)
        self.errors: list[list[Any]] = []
        self.n_steps = 0
        self.n_calls = 0
        self.calls_before = 0
        self.delivered = 0
        self.logged_calls = ["", ""]
        self.history: list[list[list[Any]]] = [[], []]
        self.state = self.book.start(0)
        assert recorded_state(self.world.compiled, self.state.kitchen) == episode["init"], episode["id"]

    def replay(self) -> int:
        """Compare everything; returns the number of calls."""
        name = self.episode["id"]
        for call in self.episode["calls"]:
            asked = asked_in(self.state)
            wanted = {key: call.get(key, "") for key in asked} | (
                {} if "family" in self.episode else {"within": asked["within"]}
            )
            assert asked == wanted, f"{name} call {self.n_calls}"
            self.n_calls += 1
            seat = SEATS[self.state.asked]
            reply = self.world.parse(self.state, seat, call["reply"])
            self.state = self.book.step(self.state, {seat: reply}).state
        assert self.n_steps == self.episode["n_steps"], name
        assert self.errors == self.episode["errors"], name
        assert self.history == without_blanks(self.episode["history"]), name
        assert self.state.ended == ("completed" if self.episode["outcome"] == "success" else "step_limit"), (
            name
        )
        assert self.state.delivered * 20 == self.episode["reward"], name
        return self.n_calls

    def refused(self, cook: int, now: int, call: str, refusal: Refusal) -> None:
        self.errors.append([now, cook, call, refusal.code.upper()])

    def acted(self, cook: int, now: int, call: str) -> None:
        self.logged_calls[cook] = call

    def passed(self, state: State) -> None:
        recorded = self.episode["steps"][self.n_steps]
        delivers = state.delivered > self.delivered
        found = recorded_state(self.world.compiled, state.kitchen) | {
            "t": self.n_steps,
            "cur": [cook.call or None for cook in state.cooks],
            "queue": [list(cook.queue) for cook in state.cooks],
            "a": [ACTIONS[action] for action, _ in state.moves],
            "ev": [call or None for call in self.logged_calls],
            "r": 20 * (state.delivered - self.delivered),
            "bad": int(bool(state.kitchen.ruined)),
            "calls": self.n_calls - self.calls_before,
        }
        wanted = recorded | {"ev": [call and call.replace(" ", "") for call in recorded["ev"]]}
        where = f"{self.episode['id']} step {self.n_steps}"
        assert found == {key: wanted[key] for key in found}, where
        assert list(found["u"]) == list(recorded["u"]), where
        last = recorded is self.episode["steps"][-1]
        for cook, logged in enumerate(self.logged_calls):
            self.history[cook] += logged_as(
                self.n_steps, logged, delivers and logged == "deliver_soup()", last
            )
        self.n_steps += 1
        self.calls_before = self.n_calls
        self.delivered, self.logged_calls = state.delivered, ["", ""]


def asked_in(state: State) -> dict[str, Any]:
    """Who is asked what in a state, and what it is shown of both plans, as the recordings say it."""
    mine, partner = state.cooks[state.asked], state.cooks[1 - state.asked]
    kind, within = KINDS[state.ask], ""
    if state.repair is not None:
        talked = state.ask == "continue" and state.repair.part == "plan"
        kind, within = f"fix_{state.repair.part}", "talk" if talked else kind
    return {
        "t": state.kitchen.steps,
        "agent": state.asked,
        "kind": kind,
        "within": within,
        "shown_own": ";".join(shown(mine)),
        "shown_mate": ";".join(shown(partner)),
    }


def without_blanks(histories: list[list[list[Any]]]) -> list[list[list[Any]]]:
    """The program logs calls with a blank behind each comma."""
    return [[[time, call.replace(" ", "")] for time, call in history] for history in histories]


def logged_as(step: int, logged: str, met: bool, last: bool) -> list[list[Any]]:
    """What the recorded history has of a step: of the very last one, nothing but a delivery as ordered."""
    if met:
        return [[step, logged]]
    return [[step + 1, logged]] if logged and not last else []
