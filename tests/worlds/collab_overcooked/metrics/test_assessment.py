"""One answer, judged where it is given: what it asks for, and what it plans."""

from __future__ import annotations

from typing import Any

import pytest

from backburner.kernel.assessment import Worth
from backburner.kernel.errors import Refused
from backburner.kernel.values import Fault, Refusal
from backburner.worlds.collab_overcooked.game.state import State
from backburner.worlds.collab_overcooked.game.world import CollabOvercooked
from backburner.worlds.collab_overcooked.metrics.assessment import INITIATING, RESPONDING, assessment
from support.collab_overcooked.kitchens import OPEN_KITCHEN, world_of

# The assistant's reference: pickup(egg,ingredient_dispenser), place_obj_on_counter().
WORLD = world_of("boiled_egg")
FETCH, PUT_DOWN = "pickup(egg,ingredient_dispenser)", "place_obj_on_counter()"


def worth(world: CollabOvercooked) -> Worth:
    found = assessment(world).worth
    assert found is not None
    return found


class Played:
    """A world played up to some point."""

    def __init__(self, world: CollabOvercooked, *plans: str) -> None:
        self.world = world
        self.state: State = world.start()
        self.past: list[tuple[State, dict[str, Any]]] = []
        for plan in plans:
            seat = world.deciders(self.state)[0]
            decided = {seat: world.parse(self.state, seat, plan)}
            self.past.append((self.state, decided))
            self.state = world.step(self.state, decided).state

    def judged(self, plan: str) -> dict[str, tuple[float, str]]:
        """(score, note) of an answer of whoever is asked, by criterion."""
        seat = self.world.deciders(self.state)[0]
        reply = self.world.parse(self.state, seat, plan)
        return {
            one.criterion: (round(one.score, 4), one.note)
            for one in worth(self.world)(self.past, self.state, seat, reply)
        }


def test_a_request_that_is_due_brings_the_partner_forward() -> None:
    """D = 1 of 2: (1 + 0.9025) * 1 / (2 + 0.9025 * 1) = 0.6555; both: 1."""
    start = Played(WORLD)
    assert start.judged(f"request('{FETCH}')") == {
        INITIATING: (0.6555, ""),
        RESPONDING: (0.0, "nothing planned"),
    }
    assert start.judged(f"request('{FETCH}');request('{PUT_DOWN}')")[INITIATING] == (1.0, "")


def test_requests_that_are_not_due_say_why() -> None:
    start = Played(WORLD)
    assert start.judged(f"request('{PUT_DOWN}')")[INITIATING] == (0.0, "premature")
    assert start.judged("request('stir(blender0)')")[INITIATING] == (0.0, "irrelevant")
    assert start.judged("wait(2)")[INITIATING] == (0.0, "nothing asked")
    later = Played(WORLD, "wait(3)", FETCH)
    assert later.world.deciders(later.state) == ("chef",)
    score, note = later.judged(f"request('{FETCH}')")[INITIATING]
    assert score < 0 and note == "repeated"


def test_own_calls_are_judged_after_what_was_done() -> None:
    """The assistant has fetched the egg, and to put it down completes its reference: 1 - 0.6555."""
    played = Played(WORLD, "wait(5)", FETCH)
    assert played.world.deciders(played.state) == ("assistant",)
    assert played.judged(PUT_DOWN)[RESPONDING] == (0.3445, "")
    assert played.judged("wait(2)")[RESPONDING] == (0.0, "nothing planned")


def test_what_cannot_be_read_is_worth_nothing() -> None:
    unread = Refusal("no_plan", Fault.UNREADABLE)
    found = worth(WORLD)([], WORLD.start(), "chef", unread)
    assert [(one.score, one.note) for one in found] == [(0.0, "unreadable")] * 2


def test_without_references_nothing_is_judged() -> None:
    world = world_of("gratin", layout=OPEN_KITCHEN)
    with pytest.raises(Refused, match="references"):
        worth(world)([], world.start(), "chef", Refusal("no_plan", Fault.UNREADABLE))
