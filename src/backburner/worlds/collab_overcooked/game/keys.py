"""Collab-Overcooked with keys and clicks instead of words: a call for each click on a place.

Taking an ingredient from a dispenser names it among many, so it has a verb of its own, ``fetch``, and
``operate`` stands for whatever starts a utensil: ``cook``, ``cut`` ...
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files

import msgspec

from backburner.kernel.contract import Command, Menu
from backburner.kernel.controls import Controls
from backburner.worlds.collab_overcooked.game import calls
from backburner.worlds.collab_overcooked.game.calls import Call
from backburner.worlds.collab_overcooked.game.kitchenware import Kitchenware
from backburner.worlds.collab_overcooked.game.scenes import Scenes
from backburner.worlds.collab_overcooked.game.state import Kitchen, Reply

FETCH, OPERATE = "fetch", "operate"
PLACE_AT: Sequence[str] = ("place",)
PARAMS: Mapping[str, Sequence[str]] = {
    calls.PICKUP: ("item", "place"),
    FETCH: ("item", "place"),
    calls.PUT: PLACE_AT,
    calls.PLACE: PLACE_AT,
    calls.FILL: PLACE_AT,
    calls.DELIVER: PLACE_AT,
    OPERATE: PLACE_AT,
    calls.WAIT: ("steps",),
}
"""Every verb with its parameters."""


@cache
def shipped_controls() -> Controls:
    """The shipped keys and clicks."""
    return msgspec.json.decode(
        files("backburner.worlds.collab_overcooked").joinpath("data", "input.json").read_bytes(),
        type=Controls,
    )


class Commands:
    """The options of menus in their parts. A place is a name of the scene."""

    def __init__(self, ware: Kitchenware, scenes: Scenes, body: str, cook: int) -> None:
        self._ware, self._scenes = ware, scenes
        self._body, self._cook = body, cook

    def of(self, kitchen: Kitchen, menu: Menu[Reply]) -> Iterator[Command[Reply]]:
        """A command for each option, at each place that somebody may mean by it.

        Which of several counters, dispensers or serving places it is, the cook chooses: the nearest.
        """
        for option in menu.options:
            call = self._ware.reader.read(option.decision.plan[0])
            if not isinstance(call, Call):
                continue
            verb = self._verb(call)
            for things in self._things(kitchen, verb, call):
                yield Command(verb, things, option, self._body)

    def _verb(self, call: Call) -> str:
        if call.verb in self._ware.reader.operations:
            return OPERATE
        return FETCH if call.place == calls.INGREDIENT_DISPENSER else call.verb

    def _things(self, kitchen: Kitchen, verb: str, call: Call) -> Iterator[dict[str, str]]:
        if verb == calls.WAIT:
            yield {"steps": str(call.steps)}
            return
        for cell in self._ware.targets.of(kitchen, self._cook, call):
            name, _ = self._scenes.places[cell]
            yield {"item": call.item, "place": name} if call.item else {"place": name}
