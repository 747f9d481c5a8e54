"""A stand-in for a language model, to rehearse with: it answers as somebody would who plays well, with slips.

It asks nobody and costs nothing, and it is no model: it looks at the world's state, which no model may. It
goes by a policy of the world's pack, ``planned.guide``. Before each decision ``StandInPolicy`` asks that
policy what should be done, and ``StandIn``, the client, puts it into the form that the method's message asks
for. Which slips it makes depends on nothing but its seed, the episode's, and what it is asked.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from contextvars import ContextVar
from random import Random
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from backburner.agents.attempts import Persistent
from backburner.agents.models.by_calls import calls_for, slip
from backburner.agents.models.client import Completion, Message, Settings
from backburner.agents.models.examples import changes_between
from backburner.agents.models.formalisation import Formalisation, stated
from backburner.agents.models.method import Form, Method, message_now
from backburner.agents.models.solver_code import program_of
from backburner.agents.models.toolbox import NO_TOOLS, Toolbox
from backburner.agents.planned import guide
from backburner.agents.scripted import SerialPolicy
from backburner.kernel.contract import World
from backburner.kernel.episode import Episode
from backburner.kernel.errors import PolicyFailure, PolicyStops, Refused, UnknownName
from backburner.kernel.menu import Menus, Option
from backburner.kernel.policy import Policy, Reply, Turn
from backburner.kernel.tools import ToolCall
from backburner.kernel.turns import read, turn_of
from backburner.kernel.values import Seat

# --- forms and slips ---------------------------------------------------------------------------------------


LONGEST_PLAN = 400
"""Decisions of a plan, at most."""

TRIES = 12
"""How many decisions are tried until one is found that would be refused."""

THOUGHT = "I look at what is under way and at what is left, and go on with what takes longest."
RAMBLING = "There is a lot going on here. I would like to think about it for a while, and see what comes."
FINISHED = "Everything is done. Finish."


class Expected(Struct, frozen=True):
    """What should be done in a turn: the guide's answer to it, and what the guide remembers before it.

    ``thought``: what is thought on the way to it.
    """

    world: World[Any, Any, Any]
    guide: Policy
    turn: Turn
    answer: Any
    memory: Any
    thought: str = THOUGHT

    @property
    def words(self) -> str:
        """The answer in the world's words."""
        return _words(self.world, self.answer, self.turn.seat)


async def answer_of(expected: Expected, form: Form, draw: Random, *, slips: bool, share: float) -> str:
    """The answer to a message that asks for this form; with ``slips``, one that is wrong in some way.

    ``share``: of the decisions of a plan that slips, how many are wrong.
    """
    if form == "thoughts":
        return expected.thought
    if form in ("problem", "program"):
        found = stated(expected.world)
        found = _mistaken(found, draw, share) if slips else found
        return found.written if form == "problem" else program_of(found, expected.world.time_unit)
    if form in ("plan", "plan with changes", "whole plan"):
        lines = await _plan(expected, changes=form == "plan with changes")
        written = _written(_spoilt(lines, draw, share) if slips else lines)
        return _as_one(expected.world, written) if form == "whole plan" else written
    decision = _slip(expected, draw) if slips else expected.words
    if form == "both" and decision:
        return f"Thought: {expected.thought}\n{labelled(decision)}"
    if form == "reasoned" and decision:
        return f"Reason: {expected.thought}\nDecision: {decision}"
    return decision


def called(
    expected: Expected, tools: Toolbox, draw: Random, *, slips: bool
) -> tuple[str, tuple[ToolCall, ...]]:
    """(words, calls) of the answer to a message that asks for calls of these tools; words alone where no tool
    can say it."""
    calls = calls_for(expected.world, expected.turn, expected.words, tools)
    if slips:
        return slip(calls, expected.turn, draw) if calls else (_slip(expected, draw), ())
    return "" if calls else expected.words, calls


_ACTION = re.compile(r"[ \t*_#>]{0,20}action[ \t*_]{0,9}:", re.IGNORECASE)


def labelled(decision: str) -> str:
    """A decision as it stands in an answer that has thoughts as well."""
    return decision if _ACTION.match(decision) else f"Action: {decision}"


def _words(world: Any, answer: Any, seat: str) -> str:
    return answer if isinstance(answer, str) else str(world.words(answer, seat))


def _as_one(world: Any, written: str) -> str:
    """A plan as one answer, where the world reads it as such."""
    return "\n".join(world.answers_in(written)) or written


# --- slips of a single decision ----------------------------------------------------------------------------


def _slip(expected: Expected, draw: Random) -> str:
    """Another decision that is accepted, one that is refused, one that cannot be read, none, or that all is
    done; what is no move is told in part, or not at all."""
    world: Any = expected.world
    question = world.question(expected.turn.observation)
    told = question is not None and not question.move
    kinds = ("half", "rambling", "silence") if told else ("other", "other", "pass", "refused", *_SPEECHLESS)
    match draw.choice(kinds):
        case "other":
            return _other(expected, draw, passes=False)
        case "pass":
            return _other(expected, draw, passes=True)
        case "refused":
            return _refused(expected, draw)
        case "finished":
            return FINISHED
        case "half":
            return expected.words[: len(expected.words) // 2]
        case "rambling":
            return RAMBLING
    return ""


_SPEECHLESS = ("rambling", "silence", "half", "finished")


def _other(expected: Expected, draw: Random, *, passes: bool) -> str:
    """Some other decision of the menu, or one that lets time go by; where there is none, what is refused."""
    if not isinstance(expected.world, Menus):
        return RAMBLING
    right = expected.words
    options = [option for option in expected.turn.menu.options if option.passes or not passes]
    others = [_words(expected.world, option.decision, expected.turn.seat) for option in options]
    others = [words for words in others if words != right]
    return draw.choice(others) if others else _refused(expected, draw)


def _refused(expected: Expected, draw: Random) -> str:
    """What could be done at the beginning, or twice; whatever of it cannot be done now."""
    turn, options = expected.turn, _at_the_beginning(expected.world, expected.turn)
    chosen = draw.sample(options, min(TRIES, len(options)))
    said = (_words(expected.world, option.decision, turn.seat) for option in chosen)
    if (found := next(filter(turn.refuses, said), None)) is not None:
        return found
    return f"{expected.words} and the sink"


def _at_the_beginning(world: World[Any, Any, Any], turn: Turn) -> tuple[Option[Any], ...]:
    """What a seat could do before anything was done."""
    start = world.start(turn.seed)
    asked = turn.seat in world.deciders(start)
    return world.menu(start, turn.seat).options if asked and isinstance(world, Menus) else ()


# --- whole plans -------------------------------------------------------------------------------------------


async def _plan(expected: Expected, *, changes: bool) -> list[str]:
    """What the guide would have the seat decide from here to the end, a decision each; with ``changes`` what
    they change behind them."""
    world, turn, lines = expected.world, expected.turn, list[str]()
    state, index, memories = turn.state, turn.index, {turn.seat: expected.memory}
    while (seats := world.deciders(state)) and len(lines) < LONGEST_PLAN:
        said: dict[str, str] = {}
        for seat in seats:
            now = turn_of(world, state, seat, index, turn.seed, informed=True)
            try:
                reply = await expected.guide.decide(now, memories.get(seat))
            except (PolicyFailure, PolicyStops, Refused):
                return lines
            said[seat], memories[seat] = _words(world, reply.answer, seat), reply.memory
        decisions = {seat: read(world, state, seat, words) for seat, words in said.items()}
        before, state, index = state, world.step(state, decisions).state, index + 1
        if turn.seat in said:
            told = changes_between(world, before, state, turn.seat) if changes else ()
            lines.append("\n".join((said[turn.seat], *(("Changes:", *told) if changes else ()))))
    return lines


def _written(lines: Sequence[str]) -> str:
    """Decisions of several lines have an empty one between them."""
    return ("\n\n" if any("\n" in line for line in lines) else "\n").join(lines)


def _spoilt(lines: list[str], draw: Random, share: float) -> list[str]:
    """A plan in which this share of decisions, and one at least, is missing, is the next one instead, or
    cannot be read; one that ends in its midst; or none."""
    kind = draw.choice(("missing", "missing", "doubled", "doubled", "garbled", "ends", "rambling", "silence"))
    if kind == "silence":
        return []
    if kind == "rambling" or len(lines) < 2:
        return [RAMBLING]
    if kind == "ends":
        return lines[: len(lines) // 2]
    for place in draw.sample(range(len(lines) - 1), max(1, round(share * (len(lines) - 1)))):
        lines = _with_fault(lines, kind, min(place, len(lines) - 2))
    return lines


def _with_fault(lines: list[str], kind: str, place: int) -> list[str]:
    before, other, after = lines[:place], lines[place + 1], lines[place + 2 :]
    between = {"missing": [other], "doubled": [other, other], "garbled": [RAMBLING, other]}[kind]
    return [*before, *between, *after]


# --- problems ----------------------------------------------------------------------------------------------


def _mistaken(found: Formalisation, draw: Random, share: float) -> Formalisation:
    """A problem in which this share of activities, and one at least, needs nothing before it, or takes twice
    the time."""
    activities = list(found.activities)
    for place in draw.sample(range(len(activities)), max(1, round(share * len(activities)))):
        each = activities[place]
        longer = replace(each, duration=2 * each.duration if isinstance(each.duration, int) else None)
        activities[place] = draw.choice((replace(each, after=(), within={}), longer))
    return replace(found, activities=tuple(activities))


# --- the stand-in ------------------------------------------------------------------------------------------


STAND_IN = "stand-in"
"""What names of stand-ins begin with, and the setting by which a record tells that one played."""

USUAL_SKILL = 0.7


class StandIn(Struct, frozen=True):
    """A ``ModelClient`` that asks nobody. ``skill``: the share of its answers that are without a slip.

    Its answers take no time, and no tokens but those that it pretends to think, ``hidden`` for each, which a
    clock charges. It plays where ``model_policy`` has made its policy, which alone knows what should be done.
    """

    skill: float = USUAL_SKILL
    seed: int = 0
    hidden: int = 0

    @property
    def name(self) -> str:
        """Such as ``stand-in:skill=0.7``; two that slip in the same places have the same name."""
        seed = f",seed={self.seed}" if self.seed else ""
        hidden = f",hidden={self.hidden}" if self.hidden else ""
        return f"{STAND_IN}:skill={self.skill:g}{seed}{hidden}"

    @property
    def origin(self) -> Mapping[str, Any]:
        """The name, and the mark of a stand-in."""
        hidden = {"hidden": self.hidden} if self.hidden else {}
        return {"model": self.name, STAND_IN: {"skill": self.skill, "seed": self.seed, **hidden}}

    async def complete(
        self, messages: Sequence[Message], settings: Settings, tools: Toolbox = NO_TOOLS
    ) -> Completion:
        """What should be done now, in the form that is asked for; at times something else."""
        asked = _asked.get(None)
        if asked is None:
            raise PolicyFailure(
                "model", f"{self.name} knows nothing outside of a game; model_policy seats it"
            )
        message = message_now.get()
        form = asked.method.answers.get(message, "decision") if message else "decision"
        last = messages[-1].content
        turn = asked.turn
        draw = random.Random(f"{self.seed}/{turn.scenario}/{turn.seed}/{turn.index}/{turn.seat}/{last}")
        slips, share = draw.random() >= self.skill, (1 - self.skill) / 3
        calls: tuple[ToolCall, ...] = ()
        if form == "calls":
            text, calls = called(asked.expected, tools, draw, slips=slips)
        else:
            text = await answer_of(asked.expected, form, draw, slips=slips, share=share)
        return Completion(text, output_tokens=self.hidden, reasoning_tokens=self.hidden, calls=calls)

    async def aclose(self) -> None:
        """Nothing to let go of."""


def is_stand_in(model: str) -> bool:
    """Whether the name of a model is that of a stand-in."""
    return model.partition(":")[0] == STAND_IN


SCRIPT = "script:"
"""How the names of models begin whose answers stand in a file."""


def is_rehearsal(model: str) -> bool:
    """Whether no server is asked: a stand-in plays, or answers are read from a file."""
    return is_stand_in(model) or model.startswith(SCRIPT)


def stand_in_named(name: str) -> StandIn:
    """The stand-in of a name such as ``stand-in:skill=0.7,seed=3``; raises ``Refused``, ``UnknownName``."""
    chosen: dict[str, Any] = {}
    for part in filter(None, name.partition(":")[2].split(",")):
        key, _, value = (piece.strip() for piece in part.partition("="))
        if key not in StandIn.__struct_fields__:
            raise UnknownName("option", key, StandIn.__struct_fields__, f"model {name}")
        try:
            chosen[key] = msgspec.convert(value, float if key == "skill" else int, strict=False)
        except msgspec.ValidationError:
            raise Refused(f"model {name}: {key} is a number, not {value!r}") from None
    made = StandIn(**chosen)
    if not 0 <= made.skill <= 1:
        raise Refused(f"model {name}: skill is a number from 0 to 1")
    if made.hidden < 0:
        raise Refused(f"model {name}: hidden is a number of tokens")
    return made


# --- the policy that seats it ------------------------------------------------------------------------------


class _Asked(Struct, frozen=True):
    """The decision that the running task has to make."""

    method: Method
    turn: Turn
    expected: Expected


_asked: ContextVar[_Asked] = ContextVar("asked")


class _Memories(Struct, frozen=True):
    """What the method remembers, and what the guide does."""

    method: Any = None
    guide: Any = None


class StandInPolicy:
    """A method that asks a ``StandIn``, through whatever else is in between. It is ``informed``."""

    informed = True

    def __init__(self, policy: Policy, method: Method, world: World[Any, Any, Any]) -> None:
        self.name, self.settings = policy.name, policy.settings
        self._policy, self._method, self._world = policy, method, world
        self._guide = _guide(world)

    async def decide(self, turn: Turn, memory: _Memories | None) -> Reply:
        """The method's decision; raises what the method raises."""
        mine = memory or _Memories()
        advised = await self._advised(turn, mine.guide)
        expected = Expected(self._world, self._guide, turn, advised.answer, mine.guide)
        token = _asked.set(_Asked(self._method, turn, expected))
        try:
            reply = await self._policy.decide(turn, mine.method)
        finally:
            _asked.reset(token)
        return replace(reply, memory=_Memories(reply.memory, advised.memory))

    async def _advised(self, turn: Turn, memory: Any) -> Reply:
        """What the guide would do; nothing where it is at its wits' end."""
        try:
            return await self._guide.decide(turn, memory)
        except (PolicyFailure, PolicyStops):
            return Reply("", memory)

    def after(self, world: World[Any, Any, Any], episode: Episode, seat: Seat) -> StandInPolicy | None:
        """Who plays the seat in another attempt, if the method wants one; see ``play_attempts``."""
        if not isinstance(self._policy, Persistent):
            return None
        again = self._policy.after(world, episode, seat)
        return None if again is None else StandInPolicy(again, self._method, self._world)


def _guide(world: World[Any, Any, Any]) -> Policy:
    try:
        return guide(world)
    except Refused:
        return SerialPolicy()
