"""What a seat is asked, as its page is told it, and what the page sends, as the world's decision."""

from __future__ import annotations

import time
from typing import Any

from msgspec.structs import replace

from backburner.agents.person.keys import Chosen, Keys, Press
from backburner.agents.person.policy import SPACE
from backburner.agents.person.reading import Reader
from backburner.kernel.contract import World
from backburner.kernel.errors import Refused
from backburner.kernel.menu import Menus, Option
from backburner.kernel.policy import Turn
from backburner.kernel.text import Text, speaks
from backburner.kernel.turns import writable
from backburner.kernel.view import Controls, View
from backburner.serve.protocol import Move, OptionTold, PressDone, SuggestionTold
from backburner.serve.protocol import Turn as TurnTold


def keys_of(world: World[Any, Any, Any]) -> Keys | None:
    """The world's keys and clicks, if it can be played with them."""
    controls = world.controls if isinstance(world, View) else Controls()
    if not isinstance(world, Menus) or not any(controls.entries()):
        return None
    return Keys(controls, world.verbs, world.together)


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
        news=glance.news,
        refused=bool(turn.refused),
        state="" if briefly else glance.state,
        question=glance.question,
        recipes=glance.recipes,
        text="" if briefly else _text(turn),
        options=tuple(
            OptionTold(each.label, each.gloss, each.body, each.verb, each.things, each.passes)
            for each in options
        ),
        suggestions=tuple(SuggestionTold(each.line, each.gloss, each.label) for each in begun),
        labels={label: place for place, label in labels.items()},
        deadline_seconds=left,
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
    given = [each for each in (message.line, message.option, message.press) if each is not None]
    if len(given) != 1:
        raise Refused("a move is a line, an option or a press: one of them")
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


def read_press(reader: Reader, press: PressDone, turn: Turn, options: tuple[Option[Any], ...]) -> Chosen:
    """What a key or a click stands for; raises ``Refused`` for one that makes no sense here."""
    keys, scene = reader.keys, turn.scene
    if keys is None or scene is None:
        raise Refused("this world is not played with keys and clicks")
    if bool(press.key) == bool(press.place):
        raise Refused("a press is a key, or a button on a place")
    made = Press(press.key or press.button, press.place, press.body)
    return keys.chosen([made], scene, options, turn.seat)
