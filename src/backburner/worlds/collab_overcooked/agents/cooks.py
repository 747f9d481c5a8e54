"""Pairs of cooks without an oracle: greedy, and clumsy, which is greedy with slips; what they say.

The leader asks for one needed thing after another, the follower does it. Requests stand in plans and in
words, and those of others are read from either.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, get_args

from msgspec import Struct
from msgspec.structs import replace

from backburner.kernel.policy import PlainPolicy, Reply, Turn
from backburner.worlds.collab_overcooked.agents.task_allocation import (
    PLACE,
    Plan,
    allocated,
    pickup,
    reaching,
)
from backburner.worlds.collab_overcooked.game import calls
from backburner.worlds.collab_overcooked.game.calls import ONE_WAIT, Call, CallReader, is_own
from backburner.worlds.collab_overcooked.game.compiled import Compiled
from backburner.worlds.collab_overcooked.game.layout import DISH
from backburner.worlds.collab_overcooked.game.reading import END, NOTHING
from backburner.worlds.collab_overcooked.game.state import ROLES, Observation, Role, cook_of
from backburner.worlds.collab_overcooked.game.state import Reply as Decision
from backburner.worlds.collab_overcooked.game.world import CollabOvercooked

_CALL = re.compile(r"(?<![a-z_])[a-z_]+\([^()]*\)", re.IGNORECASE)


def quiet(*plan: str) -> Decision:
    """An answer that plans and says nothing; an empty plan is a wait of one step."""
    return Decision(NOTHING, plan or (ONE_WAIT,), NOTHING)


def request(call: str) -> str:
    """The entry of a plan that asks the partner for a call."""
    return f"{calls.REQUEST}('{call}')"


def asking(own: Plan, wanted: Plan) -> Decision:
    """An answer that asks the partner for something, in its plan and its words, and plans own calls."""
    plan = (*map(request, wanted), *(own or (ONE_WAIT,)))
    return Decision("My partner has to do something.", plan, f"Please do {_listed(wanted)}. {END}")


def inquiring() -> Decision:
    """An answer that asks the partner what to do."""
    return Decision("I have no recipe.", (ONE_WAIT,), "What shall I do next?")


def ordering(wanted: Plan) -> Decision:
    """An answer that tells the partner what to do. The talk stays open, so that the partner can plan it."""
    plan = tuple(map(request, wanted or (ONE_WAIT,)))
    return Decision("My partner does not know what is needed.", plan, f"Please do {_listed(wanted)}.")


def agreeing(plan: Plan, reason: str) -> Decision:
    """An answer that plans what was asked for."""
    return Decision(reason, plan or (ONE_WAIT,), f"I do {_listed(plan)}. {END}")


def _listed(plan: Plan) -> str:
    return ", then ".join(plan) or "nothing"


def asked_for(seen: Observation, reader: CallReader) -> Plan:
    """The calls that the partner asks for in its plan, or if there are none, in what it said last.

    Anything that is not a call is passed over.
    """
    texts: Iterable[str] = seen.requests
    if not seen.requests:
        said = [spoken for role, spoken in seen.talk if role == seen.partner.role]
        texts = _CALL.findall(said[-1]) if said else ()
    read = (reader.read(text) for text in texts)
    return tuple(call.text for call in read if isinstance(call, Call))


PATIENCE_STEPS = 6
"""How long a partner that does nothing may take until it is asked for the same again."""


def leader_of(world: CollabOvercooked) -> Role:
    """The cook who asks: the chef, unless only the assistant has the recipes."""
    return "assistant" if world.scenario.informed == ("assistant",) else ROLES[0]


class GreedyCooks(PlainPolicy):
    """Plays either cook, by what this cook perceives.

    Where nobody has the recipes, the chef leads by the tables all the same, and so knows more than its seat.
    """

    name = "greedy"

    def __init__(self, world: CollabOvercooked) -> None:
        self.informed = not world.scenario.informed
        self._leader = leader_of(world)
        self._compiled = world.compiled

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        """A plan, a request, or what was asked for."""
        if turn.seat == self._leader:
            cook = cook_of(turn.seat)
            return Reply(*_lead(self._compiled, cook, turn.observation, memory or _LeaderMemory()))
        return Reply(*_follow(self._compiled, turn.observation, memory or _FollowerMemory()))


class _LeaderMemory(Struct, frozen=True):
    """What the partner was asked for last, and when; ``steps`` is the kitchen's time.

    ``blocked``: the cooks are in each other's way; ``tries``: how often the leader tried to end that.
    """

    wanted: Plan = ()
    steps: int = -PATIENCE_STEPS
    blocked: bool = False
    tries: int = 0


def _lead(
    compiled: Compiled, me: int, seen: Observation, memory: _LeaderMemory
) -> tuple[Decision, _LeaderMemory]:
    """What the leader answers, and what it remembers: it does one thing after another, asks for the rest."""
    plans = allocated(compiled, seen, me)
    own, wanted = plans.get(me, ())[:1], plans.get(1 - me, ())
    match seen.ask:
        case "answer":
            return ordering(wanted), replace(memory, wanted=wanted, steps=seen.steps)
        case "correct":
            blocked = seen.refusal is not None and seen.refusal.code == "way_blocked"
            return quiet(), replace(memory, blocked=blocked)
        case "continue":
            return quiet(*own), memory
    if memory.blocked and not _busy(seen):
        return _making_way(compiled, me, seen, memory.tries), _LeaderMemory(tries=memory.tries + 1)
    due = wanted != memory.wanted or seen.steps - memory.steps >= PATIENCE_STEPS
    if not wanted or _busy(seen) or not due:
        return quiet(*own), memory
    return asking(own, wanted), replace(memory, wanted=wanted, steps=seen.steps)


def _busy(seen: Observation) -> bool:
    return any(not entry.startswith(calls.WAIT) for entry in seen.partner.plan)


def _making_way(compiled: Compiled, me: int, seen: Observation, tries: int) -> Decision:
    """A cook goes to a dispenser with empty hands: first the partner, then oneself, to each in turn."""
    grid = compiled.grid
    dispensers = (
        (pickup(compiled.layout.ingredients[0], calls.INGREDIENT_DISPENSER), grid.ingredients),
        (pickup(DISH, calls.DISH_DISPENSER), grid.dishes),
    )
    errands = [
        (cook, call)
        for cook in (1 - me, me)
        for call, cells in dispensers
        if cook in reaching(compiled, cells)
    ]
    if not errands:
        return quiet()
    cook, call = errands[tries % len(errands)]
    held = seen.me.held if cook == me else seen.partner.held
    plan = (PLACE, call) if held else (call,)
    return quiet(*plan) if cook == me else asking((), plan)


class _FollowerMemory(Struct, frozen=True):
    """The calls that it has agreed to do. ``refused``: the first of them has to be tried again."""

    agreed: Plan = ()
    refused: bool = False


def _follow(
    compiled: Compiled, seen: Observation, memory: _FollowerMemory
) -> tuple[Decision, _FollowerMemory]:
    """What the follower answers, and what it remembers: it does what it is asked for, and nothing else.

    A call that is refused is tried again a step later, with what was to come after it.
    """
    match seen.ask:
        case "answer":
            wanted = asked_for(seen, compiled.reader)
            return agreeing(wanted, "My partner asks me for something."), _FollowerMemory(wanted)
        case "correct":
            refused = seen.me.plan[0] if seen.me.plan else ""
            done = memory.agreed.index(refused) if refused in memory.agreed else 0
            return quiet(), _FollowerMemory(memory.agreed[done:], refused=True)
    if memory.refused:
        return quiet(*memory.agreed), _FollowerMemory(memory.agreed)
    return quiet(), _FollowerMemory()


SLIP_RATE = 0.25
"""How often an answer slips that does, asks or answers something; one that only waits never does."""

Slip = Literal["wrong object", "wrong call", "forgotten request", "repeated request", "unanswered"]
"""Another object than was meant, in a request or a call of one's own; another call than was meant; no word
of what the partner should do; a request made twice; nothing said and nothing planned when spoken to."""

_PICKUP = re.compile(r"pickup\((\w+),")


class ClumsyCooks:
    """Plays either cook. Its slips depend on the world's id, the episode's seed, the seat and the decision
    point alone.

    It does not notice them: it believes that it asked, or did, what it meant to. ``slip_rate`` is from 0
    to 1.
    """

    name = "clumsy"

    def __init__(self, world: CollabOvercooked, slip_rate: float = SLIP_RATE) -> None:
        self._greedy = GreedyCooks(world)
        self._objects = world.compiled.layout.ingredients
        self._rate = slip_rate
        self._id = world.id
        self.informed = self._greedy.informed
        self.settings: Mapping[str, Any] = {"slip_rate": slip_rate}

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        """What the greedy cook would answer, or what a slip makes of it."""
        reply = await self._greedy.decide(turn, memory)
        draw = random.Random(f"{self._id}/{turn.seed}/{turn.seat}/{turn.index}")
        idle = reply.answer.plan == (ONE_WAIT,) and turn.observation.ask != "answer"
        if idle or draw.random() >= self._rate:
            return reply
        others = [option.label for option in turn.menu.options if not option.passes]
        slip = draw.choice(_possible_slips(reply.answer, turn.observation.ask))
        return Reply(_slipped(reply.answer, slip, self._objects, others, draw), reply.memory)


def _possible_slips(meant: Decision, ask: str) -> tuple[Slip, ...]:
    """The slips that an answer leaves room for."""
    asks = any(not is_own(entry) for entry in meant.plan)
    possible: dict[Slip, bool] = {
        "wrong object": any(_PICKUP.search(entry) for entry in meant.plan),
        "wrong call": any(is_own(entry) for entry in meant.plan),
        "forgotten request": asks,
        "repeated request": asks,
        "unanswered": ask == "answer",
    }
    return tuple(slip for slip in get_args(Slip) if possible[slip])


def _slipped(
    meant: Decision, slip: Slip, objects: Sequence[str], others: Sequence[str], draw: random.Random
) -> Decision:
    """What a slip makes of an answer. ``objects``, ``others``: the foods and calls that may replace one."""
    match slip:
        case "wrong object":
            return _with_wrong_object(meant, objects, draw)
        case "wrong call":
            return _with_wrong_call(meant, others, draw)
        case "forgotten request":
            return quiet(*filter(is_own, meant.plan))
        case "repeated request":
            requests = (entry for entry in meant.plan if not is_own(entry))
            return replace(meant, plan=(*requests, *meant.plan), say=f"{meant.say} {meant.say}")
        case "unanswered":
            return quiet()


def _with_wrong_object(meant: Decision, objects: Sequence[str], draw: random.Random) -> Decision:
    item = draw.choice([match[1] for entry in meant.plan if (match := _PICKUP.search(entry))])
    wrong = draw.choice([name for name in objects if name != item] or [DISH])
    plan = tuple(entry.replace(f"pickup({item},", f"pickup({wrong},") for entry in meant.plan)
    return replace(meant, plan=plan, say=meant.say.replace(f"pickup({item},", f"pickup({wrong},"))


def _with_wrong_call(meant: Decision, others: Sequence[str], draw: random.Random) -> Decision:
    index = draw.choice([index for index, entry in enumerate(meant.plan) if is_own(entry)])
    wrong = draw.choice([call for call in others if call != meant.plan[index]] or [meant.plan[index]])
    return replace(meant, plan=(*meant.plan[:index], wrong, *meant.plan[index + 1 :]))
