"""How play comes to where one more call of the partner's is due, and when one exchange about it is over.

It is what the article's Experiments A to C ask about (section C.3.1): "the assistant has fetched the potato
and put it on the board; what does the chef ask for now, and what does the assistant answer?" The cook with
the recipe asks for one call after the other, the other one does each, and nobody does anything else.
"""

from __future__ import annotations

from msgspec import Struct

from backburner.worlds.collab_overcooked.game import calls
from backburner.worlds.collab_overcooked.game.conversation import END, NOTHING, reply_of
from backburner.worlds.collab_overcooked.game.plans import ONE_WAIT
from backburner.worlds.collab_overcooked.game.scenarios import Scenario
from backburner.worlds.collab_overcooked.game.state import Reply, State, cook_of

MOST_CALLS = 20
"""Calls of an opening."""

MOST_DECISIONS = 40
"""Decisions for each of them, and as many to let the utensils come to an end."""


def leader_of(scenario: Scenario) -> int:
    """The cook that has the recipes, or else the chef."""
    return cook_of(scenario.informed[0]) if len(scenario.informed) == 1 else 0


class Opening(Struct):
    """The answers that lead there. ``asked``: so many calls were asked for, the last at step ``since``."""

    leader: int
    calls: tuple[str, ...]
    asked: int = 0
    since: int = -1

    def over(self, state: State) -> bool:
        """Whether all calls are done, and the leader is asked for a plan while nothing else goes on."""
        return self._leads(state) and self.asked == len(self.calls) and self._at_rest(state)

    def answer(self, state: State) -> Reply:
        """What the cook that is asked answers."""
        call = self.calls[self.asked - 1] if self.asked else ONE_WAIT
        if state.ask == "answer":
            return reply_of(call, say=f"I do {call}. {END}")
        if not self._leads(state) or self.asked == len(self.calls) or not self._at_rest(state):
            return reply_of(ONE_WAIT)
        self.asked, self.since = self.asked + 1, state.kitchen.steps
        call = self.calls[self.asked - 1]
        return Reply(NOTHING, (f"{calls.REQUEST}('{call}')", ONE_WAIT), f"Please do {call}. {END}")

    def _leads(self, state: State) -> bool:
        return state.asked == self.leader and state.ask == "plan" and state.repair is None

    def _at_rest(self, state: State) -> bool:
        """Whether the partner has done what it was asked for, and no utensil is at work."""
        done = state.cooks[1 - self.leader].recent
        caught_up = self.since < 0 or bool(done and done[-1].steps > self.since)
        return caught_up and not any(content.cooking for content in state.kitchen.contents)


def answered(scenario: Scenario, before: State, after: State) -> bool:
    """Whether the exchange that began with ``before`` is over.

    It goes on while the leader is asked for its plan, and its partner for its answer or, if nothing was said
    to it, for its plan; as long as no time passes. Answers that have to be repaired are asked for again.
    """
    if after.kitchen.steps != before.kitchen.steps:
        return True
    leads = after.asked == leader_of(scenario)
    return after.ask not in (("plan",) if leads else ("plan", "answer"))
