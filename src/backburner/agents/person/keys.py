"""Keys and clicks in place of words: a capital letter stands for a place, a key for itself."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import chain, product
from string import ascii_uppercase
from typing import Any

from msgspec import Struct

from backburner.kernel.contract import World
from backburner.kernel.menu import Menus, Option
from backburner.kernel.view import WALL, Body, ClickAction, Controls, KeyAction, Scene, View

AND = ";"
"""Stands between what several bodies of one seat are to do."""


class Press(Struct, frozen=True):
    """What a person did: a mouse button on the place ``at``, or a key; ``body`` if one was named."""

    control: str
    at: str = ""
    body: str = ""


class Chosen(Struct, frozen=True):
    """The decision (or the text) that a line stands for, or what to tell the person instead.

    ``slip``: the line, if it is one that the rules would have charged for. ``gives_up``: whether
    it ends the play before the goal is reached.
    """

    decision: Any = None
    problem: str = ""
    slip: str = ""
    gives_up: bool = False


class Keys:
    """Reads a person's lines as keys and clicks.

    ``verbs``: the world's verbs with their parameters. ``together`` makes one decision of those for several
    bodies.
    """

    def __init__(
        self,
        controls: Controls,
        verbs: Mapping[str, Sequence[str]],
        together: Callable[[Sequence[Any]], Any],
    ) -> None:
        self.controls, self.verbs, self.together = controls, verbs, together
        self.keys = {entry.input_instructions.key for entry in controls.keyboard_actions}
        self.buttons = {entry.input_instructions.button for entry in controls.mouse_click_actions}

    def help(self) -> str:
        """How to play with them, in a few lines."""
        clicks = ", ".join(entry.name for entry in self.controls.mouse_click_actions)
        lines = [f"A place's letter (or its name): the first of these that can be done there: {clicks}."]
        names = {key: self._names(key) for key in sorted(self.keys)}
        if alike := [key for key in names if names[key] == [key]]:
            lines.append(f"The keys {', '.join(alike)} do what they are called.")
        lines += [f"{key}: {', '.join(names[key])}" for key in names if key not in alike]
        return "\n".join(lines)

    def _names(self, key: str) -> list[str]:
        return [each.name for each in self.controls.keyboard_actions if each.input_instructions.key == key]

    def labels(self, scene: Scene) -> dict[str, str]:
        """Capital letters for the places, row by row, none of which is a key: words begin with small ones.

        Nothing can be done at a wall.
        """
        there = (place for place in scene.places if place.kind != WALL)
        places = sorted(there, key=lambda place: (place.at[1], place.at[0]))
        return dict(zip((place.name for place in places), self._letters(), strict=False))

    def _letters(self) -> Iterator[str]:
        pairs = map("".join, product(ascii_uppercase, repeat=2))
        return (label for label in chain(ascii_uppercase, pairs) if label not in self.keys)

    def read(self, line: str, scene: Scene, options: Sequence[Option[Any]], seat: str) -> Chosen | None:
        """Which of a menu's options a line stands for; ``None`` if it holds anything but keys and clicks.

        Where the seat is a body it acts itself; a seat with several bodies may name one before the key,
        and give an action to each: ``robot2 C; robot1 e``.
        """
        presses = [self._press(part.split(), scene) for part in line.split(AND)]
        if not all(presses):
            return None
        return self.chosen(list(filter(None, presses)), scene, options, seat)

    def chosen(
        self, presses: Sequence[Press], scene: Scene, options: Sequence[Option[Any]], seat: str
    ) -> Chosen:
        """Which of a menu's options keys and clicks stand for, one for each body that is to act; or that
        there is none."""
        bodies = {body.name: body for body in scene.bodies}
        own = {seat} if seat in bodies else set(bodies)
        decisions: list[Any] = []
        for press in presses:
            free = {press.body} & own if press.body else own
            option = next(self._fitting(press, options, bodies, free), None)
            if option is None:
                return Chosen(problem=f"{press.at or press.control}: nothing of the kind can be done now")
            decisions.append(option.decision)
            own -= {option.body}
        return Chosen(decisions[0] if len(decisions) == 1 else self.together(decisions))

    def _press(self, words: Sequence[str], scene: Scene) -> Press | None:
        """``[body] key`` or ``[body] [button] place``."""
        body = words[0] if words and words[0] in {body.name for body in scene.bodies} else ""
        rest = list(words[1:] if body else words)
        if len(rest) == 1 and rest[0] in self.keys:
            return Press(rest[0], body=body)
        button = rest.pop(0) if len(rest) == 2 and rest[0] in self.buttons else "left"
        places = {label: name for name, label in self.labels(scene).items()}
        places |= {place.name: place.name for place in scene.places}
        return Press(button, places[rest[0]], body) if len(rest) == 1 and rest[0] in places else None

    def _fitting(
        self,
        press: Press,
        options: Sequence[Option[Any]],
        bodies: Mapping[str, Body],
        free: Collection[str],
    ) -> Iterator[Option[Any]]:
        """The options that the press asks for, in the order of the file.

        A key's action is done where the body is, as far as the scene tells where that is.
        """
        for entry in self._entries(press):
            for option in options:
                if option.verb != entry.name or (option.body and option.body not in free):
                    continue
                here = press.at or (bodies[option.body].place if option.body in bodies else "")
                if entry.param is None or not here or self._is(option, entry.param, here):
                    yield option

    def _is(self, option: Option[Any], param: str, place: str) -> bool:
        """Whether the parameter of the option's verb stands for this place, or for any of several with it."""
        named = option.things[self.verbs[option.verb].index(param)]
        return place in named if isinstance(named, tuple) else place == named

    def _entries(self, press: Press) -> Iterator[ClickAction | KeyAction]:
        """The actions that share this key, or this button."""
        if press.at:
            clicks = self.controls.mouse_click_actions
            yield from (entry for entry in clicks if entry.input_instructions.button == press.control)
        else:
            keys = self.controls.keyboard_actions
            yield from (entry for entry in keys if entry.input_instructions.key == press.control)


def keys_of(world: World[Any, Any, Any]) -> Keys | None:
    """The world's keys and clicks, if it can be played with them."""
    controls = world.controls if isinstance(world, View) else Controls()
    if not isinstance(world, Menus) or not any(controls.entries()):
        return None
    return Keys(controls, world.verbs, world.together)
