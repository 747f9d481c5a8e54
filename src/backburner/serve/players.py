"""Who decides for a seat: persons, by what their page is told and sends; policies and models; and the
stand-in for whoever is away or fails. Scripted agents, which think in other processes, are in ``workers``.

What a stand-in decides has a thought in the record that says so.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from msgspec.structs import replace

from backburner.agents.person.keys import Chosen, Keys, Press, keys_of
from backburner.agents.person.policy import SPACE
from backburner.agents.person.reading import Reader
from backburner.evaluation.running.calls import JournalKeeper, calls_kept_by
from backburner.kernel.contract import World
from backburner.kernel.errors import BackburnerError, PolicyFailure, Refused, shorten
from backburner.kernel.menu import Option
from backburner.kernel.policy import Policy, Reply, Turn
from backburner.kernel.text import Text, speaks
from backburner.kernel.turns import passing
from backburner.kernel.values import Thought, writable
from backburner.serve.protocol import STAND_IN, Move, OptionTold, PressDone, SuggestionTold
from backburner.serve.protocol import Turn as TurnTold

# --- persons ---------------------------------------------------------------------------------------------


LISTING = "The list of moves has what can be done now."
"""Said of a slip that is near no move."""


def reader_of(world: World[Any, Any, Any], *, strict: bool) -> Reader:
    """Reads what people type and press in a world."""
    reader = Reader(keys_of(world), strict=strict, listing=LISTING)
    return replace(reader, typed=world.typed, phrases=world.phrases) if isinstance(world, Text) else reader


def turn_told(
    world: World[Any, Any, Any],
    turn: Turn,
    options: tuple[Option[Any], ...],
    keys: Keys | None,
    deadline_seconds: float | None,
    *,
    briefly: bool = False,
) -> TurnTold:
    """The turn as a page is sent it; ``briefly``: without how things stand, in words."""
    glance = turn.glance
    begun = (each for each in glance.suggestions if not each.is_whole)
    labels = keys.labels(turn.scene) if keys is not None and turn.scene is not None else {}
    left = None if deadline_seconds is None else round(max(0.0, deadline_seconds - time.monotonic()), 1)
    return TurnTold(
        number=turn.index,
        asked=_wanted_for(world, turn),
        news="\n".join(filter(None, (turn.clock.told if turn.clock else "", glance.news))),
        refused=bool(turn.refused),
        state="" if briefly else glance.state,
        question=glance.question,
        recipes=glance.recipes,
        text="" if briefly else _text(turn),
        options=options_told(options),
        suggestions=tuple(SuggestionTold(each.line, each.gloss, each.label) for each in begun),
        labels={label: place for place, label in labels.items()},
        deadline_seconds=left,
    )


def options_told(options: Sequence[Option[Any]]) -> tuple[OptionTold, ...]:
    """Options as a page is sent them, without what they decide."""
    return tuple(
        OptionTold(each.label, each.gloss, each.body, each.verb, each.things, each.passes) for each in options
    )


def _wanted_for(world: World[Any, Any, Any], turn: Turn) -> str:
    question = world.question(turn.observation) if speaks(world) else None
    return "" if question is None else question.purpose


def _text(turn: Turn) -> str:
    try:
        return turn.text
    except Refused:  # a world without words
        return ""


def read_move(reader: Reader, message: Move, turn: Turn, options: tuple[Option[Any], ...]) -> Chosen:
    """What a move stands for; raises ``Refused`` for one that makes no sense."""
    said = (message.line, message.option, message.label, message.press)
    if sum(each is not None for each in said) != 1:
        raise Refused("a move is a line, an option, a label or a press: one of them")
    if message.label is not None:
        return _named(reader, message.label, message.body, turn, options)
    if message.option is not None:
        if message.option >= len(options):
            raise Refused(f"there is no option {message.option}; there are {len(options)}")
        return Chosen(options[message.option].decision)
    if message.press is not None:
        return read_press(reader, message.press, turn, options)
    line = writable(message.line or "")
    line = SPACE if line == " " and reader.keys else line.strip()
    if not line:
        raise Refused("nothing was typed")
    return reader.read(line, turn)


def _named(reader: Reader, label: str, body: str, turn: Turn, options: tuple[Option[Any], ...]) -> Chosen:
    """The option of this label, or why it cannot be chosen now; never another one, and no slip."""
    for option in options:
        if (option.label, option.body) == (label, body):
            return Chosen(option.decision)
    why = "" if reader.strict else turn.trial(reader.typed(writable(label), turn.seat)).why
    return Chosen(problem=f"Not possible now: {why}" if why else "That is not possible now.")


def read_press(reader: Reader, press: PressDone, turn: Turn, options: tuple[Option[Any], ...]) -> Chosen:
    """What a key or a click stands for; raises ``Refused`` for one that makes no sense here."""
    keys, scene = reader.keys, turn.scene
    if keys is None or scene is None:
        raise Refused("this world is not played with keys and clicks")
    if bool(press.key) == bool(press.place):
        raise Refused("a press is a key, or a button on a place")
    made = Press(press.key or press.button, press.place, press.body)
    return keys.chosen([made], scene, options, turn.seat)


# --- the stand-in ----------------------------------------------------------------------------------------


MOST_TROUBLE = 300
"""Characters of what is told of a model or an agent that fails."""


class ComputerPlayer(Protocol):
    """Who decides for a seat and is no person: an agent or a model, with what it remembers of this game."""

    name: str
    informed: bool
    settings: Mapping[str, Any]

    async def think(self, turn: Turn) -> Reply:
        """The answer. Raises ``BackburnerError`` if there is none."""


async def stood_in(stand_in: ComputerPlayer | None, turn: Turn, why: str) -> Reply:
    """What the stand-in decides for a seat, with a thought that says ``why`` it was asked. Where it cannot,
    time passes, or the first thing that can be done is. Raises ``Refused`` where nothing can be done."""
    if stand_in is not None:
        try:
            return owned(await stand_in.think(turn), stand_in, why)
        except BackburnerError as error:
            why = f"{why}; {stand_in.name}: {shorten(str(error), MOST_TROUBLE)}"
    option = passing(turn) or next(iter(turn.menu.options), None)
    if option is None:
        raise Refused(f"nobody decides for {turn.seat}: {why}")
    return Reply(option.decision, thoughts=(Thought(STAND_IN, f"nobody: {why}"),))


def owned(reply: Reply, stand_in: ComputerPlayer, why: str) -> Reply:
    """The stand-in's reply, with a thought that says ``why`` it was asked."""
    thought = Thought(STAND_IN, f"{stand_in.name}: {why}")
    return replace(reply, thoughts=(*reply.thoughts, thought))


# --- policies and models ---------------------------------------------------------------------------------


class PolicyPlayer:
    """A policy at a seat of a game."""

    def __init__(self, policy: Policy) -> None:
        self.name, self.informed = policy.name, policy.informed
        self.settings: Mapping[str, Any] = policy.settings
        self._policy, self._memory = policy, None

    async def think(self, turn: Turn) -> Reply:
        """See ``ComputerPlayer``."""
        reply = await self._policy.decide(turn, self._memory)
        self._memory = reply.memory
        return reply


class Reporter(PolicyPlayer):
    """Who plays the seat that reports. Nobody stands in for it: where it fails, the game ends, with what was
    seen until then."""


class ModelPlayer(PolicyPlayer):
    """A language model at a seat of a game. What it was answered before, the journal has."""

    def __init__(self, policy: Policy, keeper: JournalKeeper, seconds: float) -> None:
        super().__init__(policy)
        self._keeper, self._seconds = keeper, seconds

    async def think(self, turn: Turn) -> Reply:
        """See ``ComputerPlayer``; raises ``BackburnerError``."""
        try:
            with calls_kept_by(self._keeper):
                async with asyncio.timeout(self._seconds):
                    return await super().think(turn)
        except TimeoutError:
            raise PolicyFailure("model", f"no answer within {self._seconds:g} seconds") from None
