"""A kitchen as a scene, its calls as menus whose options can be clicked, and as lines that people type.

The scene has the grid with its fittings, both cooks, what they hold and say, what cooks. Options name
places as the scene does. Taking an ingredient from a dispenser names it among many, so it has a verb of its
own, ``fetch``; ``operate`` stands for whatever starts a utensil: ``cook``, ``cut`` ...
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from backburner.kernel.menu import Menu, Option
from backburner.kernel.text import Suggestion
from backburner.kernel.view import Body, Place, Progress, Scene, Thing
from backburner.worlds.collab_overcooked.game import calls
from backburner.worlds.collab_overcooked.game import layout as letters
from backburner.worlds.collab_overcooked.game.calls import Call
from backburner.worlds.collab_overcooked.game.compiled import Compiled
from backburner.worlds.collab_overcooked.game.layout import DISH, Layout
from backburner.worlds.collab_overcooked.game.legality import SERVING
from backburner.worlds.collab_overcooked.game.reading import (
    END,
    FIELD,
    NOTHING,
    reply_of,
    says_something,
    written,
)
from backburner.worlds.collab_overcooked.game.recipes import method_of
from backburner.worlds.collab_overcooked.game.scenarios import Scenario
from backburner.worlds.collab_overcooked.game.state import (
    ROLES,
    SEATS,
    Content,
    Kitchen,
    Observation,
    Operation,
    Reply,
    State,
)
from backburner.worlds.collab_overcooked.game.state import Body as CookBody

HEADINGS = ((0, -1), (0, 1), (1, 0), (-1, 0))
"""The directions of ``grid`` (north, south, east, west) as steps (column, row)."""

FITTINGS: Mapping[str, str] = {
    letters.COUNTER: calls.COUNTER,
    letters.INGREDIENTS: calls.INGREDIENT_DISPENSER,
    letters.DISHES: calls.DISH_DISPENSER,
    letters.SERVING: SERVING,
}
"""The names of what stands on tiles, by letter, utensils aside."""

READY, ON_A_DISH, LOST = "ready", "on a dish", "matched no recipe"


class Scenes:
    """The scenes of one kitchen."""

    def __init__(self, compiled: Compiled) -> None:
        self._compiled = compiled
        self.places = _named(compiled)

    def of(self, state: State, cook: int | None) -> Scene:
        """The scene as an onlooker (``None``) or a cook sees it, with what both cooks do and say."""
        doing = (state.cooks[0].call, state.cooks[1].call)
        return self.drawn(state.kitchen, cook, state.delivered, doing, (_says(state, 0), _says(state, 1)))

    def drawn(
        self,
        kitchen: Kitchen,
        cook: int | None,
        delivered: int,
        doing: tuple[str, str] = ("", ""),
        says: tuple[str, str] = ("", ""),
    ) -> Scene:
        """A kitchen as an onlooker (``None``) or a cook sees it.

        A cook does not see what lies on counters that are hidden from it; all else is known to both.
        """
        names, grid = _Names((*(name for name, _ in self.places.values()), *ROLES)), self._compiled.grid
        places = tuple(self._place(kitchen, cell, cook, names) for cell in self.places)
        bodies = tuple(
            self._body(kitchen.bodies[index], index, names, doing[index], says[index]) for index in (0, 1)
        )
        return Scene(grid.width, grid.height, places, bodies, caption=_caption(kitchen, delivered))

    def _place(self, kitchen: Kitchen, cell: int, cook: int | None, names: _Names) -> Place:
        name, kind = self.places[cell]
        at = self._compiled.grid.at(cell)
        utensil = self._compiled.grid.utensil_at.get(cell)
        if utensil is None:
            lying = kitchen.on_counter(cell)
            shown = lying is not None and self.is_shown(cell, cook)
            stack = (names.thing(lying.item, lying.plated),) if lying is not None and shown else ()
            return Place(name, kind, at, stack=stack)
        marks = (LOST,) if utensil in kitchen.ruined else ()
        content = kitchen.content(utensil)
        if content is None:
            return Place(name, kind, at, marks)
        return Place(name, kind, at, marks, stack=_inside(content, names), progress=_progress(content))

    def is_shown(self, cell: int, cook: int | None) -> bool:
        """Whether an onlooker (``None``) or a cook sees what lies on a counter."""
        return cook is None or cell in self._compiled.targets.visible[cook]

    def _body(self, body: CookBody, cook: int, names: _Names, doing: str, says: str) -> Body:
        grid = self._compiled.grid
        faced = self.places.get(body.cell + grid.deltas[body.facing])
        return Body(
            ROLES[cook],
            "cook",
            grid.at(body.cell),
            HEADINGS[body.facing],
            faced[0] if faced else "",
            (names.thing(body.held, body.plated),) if body.held else (),
            marks=(doing,) if doing else (),
            says=says,
        )


class _Names:
    """Names for the things of one scene; a name that is ``taken`` is numbered."""

    def __init__(self, taken: Iterable[str]) -> None:
        self._count = dict.fromkeys(taken, 1)

    def thing(self, item: str, plated: bool = False, marks: tuple[str, ...] = ()) -> Thing:
        number = self._count[item] = self._count.get(item, 0) + 1
        name = item if number == 1 else f"{item} {number}"
        return Thing(name, item, (*marks, *([ON_A_DISH] if plated else [])))


def _inside(content: Content, names: _Names) -> tuple[Thing, ...]:
    if content.ready:
        return (names.thing(content.output, marks=(READY,)),)
    return tuple(names.thing(item) for item in content.items)


def _progress(content: Content) -> tuple[Progress, ...]:
    return (Progress(content.output, content.timer, content.steps),) if content.cooking else ()


def _says(state: State, cook: int) -> str:
    """The last words of a cook in the talk that goes on."""
    lines = state.talk.lines if state.talk is not None else ()
    said = [line.said for line in lines if line.cook == cook]
    return said[-1].strip() if said and says_something(said[-1]) else ""


def _caption(kitchen: Kitchen, delivered: int) -> str:
    orders = ", ".join(kitchen.orders) or "none"
    return f"step {kitchen.steps} · orders: {orders} · delivered: {delivered}"


def _named(compiled: Compiled) -> dict[int, tuple[str, str]]:
    """(name, kind) of whatever stands on each tile, in reading order.

    Counters are numbered, other fittings only where there are several of a kind.
    """
    grid = compiled.grid
    named: dict[int, tuple[str, str]] = {}
    for cell, tile in enumerate(grid.tiles):
        if tile in FITTINGS:
            kind = FITTINGS[tile]
            alone = tile != letters.COUNTER and grid.tiles.count(tile) == 1
            named[cell] = (kind if alone else f"{kind}-{grid.tiles[:cell].count(tile)}", kind)
        elif cell in grid.utensil_at:
            utensil = grid.utensils[grid.utensil_at[cell]]
            named[cell] = (utensil.name, utensil.kind)
    return named


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

WORDING: Mapping[str, str] = {
    calls.PICKUP: "take {item} from {place}",
    FETCH: "take {item} from {place}",
    calls.PUT: "put into {place}",
    calls.PLACE: "put on a counter",
    calls.FILL: "fill the dish from {place}",
    calls.DELIVER: "deliver",
    OPERATE: "start {place}",
    calls.WAIT: "let {steps} go by",
}
"""How they are said to people."""


WAITS = (1, 2, 3, 5)
"""The waits that are offered, in steps; any up to the longest may be asked for."""


class Choices:
    """The menus of one kitchen. ``places``: what each tile is called, as scenes call it."""

    def __init__(self, compiled: Compiled, places: Mapping[int, str]) -> None:
        self._compiled, self._places = compiled, places
        self._waits = [[_wait(steps, cook) for steps in WAITS] for cook in (0, 1)]
        self._option = lru_cache(maxsize=4096)(self._new_option)

    def __reduce__(self) -> tuple[Any, ...]:
        """Made anew in another process, as what is remembered here cannot go there."""
        return Choices, (self._compiled, self._places)

    def menu(self, state: State, cook: int) -> Menu[Reply]:
        """One call each, and waits; longer plans and words are answers too."""
        options = [
            self._option(cook, call, self._compiled.targets.of(state.kitchen.lying, cook, call))
            for call in possible_calls(self._compiled, state.kitchen, cook)
            if call.verb != calls.WAIT
        ]
        return Menu(
            (*options, *self._waits[cook]),
            complete=False,
            under_way=under_way(self._compiled, state.operations),
        )

    def _new_option(self, cook: int, call: Call, cells: tuple[int, ...]) -> Option[Reply]:
        """A call as an option. Of several counters, dispensers or serving places (``cells``) the cook takes
        the nearest."""
        names = tuple(self._places[cell] for cell in cells)
        place = names[0] if len(names) == 1 else names
        return Option(
            reply_of(call.text),
            call.text,
            body=SEATS[cook],
            verb=self._verb(call),
            things=(call.item, place) if call.item else (place,),
        )

    def _verb(self, call: Call) -> str:
        if call.verb in self._compiled.reader.operations:
            return OPERATE
        return FETCH if call.place == calls.INGREDIENT_DISPENSER else call.verb


def under_way(compiled: Compiled, operations: Sequence[Operation]) -> tuple[str, ...]:
    """The utensils at work in words: ``cook boiled_egg`` ..."""
    return tuple(f"{compiled.grid.utensils[each.utensil].verb} {each.output}" for each in operations)


def _wait(steps: int, cook: int) -> Option[Reply]:
    text = calls.wait(steps).text
    return Option(reply_of(text), text, passes=True, body=SEATS[cook], verb=calls.WAIT, things=(str(steps),))


TALK = Suggestion("say: ", "words to your partner; they go alone or behind your calls")


def requests(compiled: Compiled, scenario: Scenario, seen: Observation) -> Sequence[Suggestion]:
    """What a cook may ask its partner for, and how to speak to it.

    Raw ingredients of the orders that are out of its reach, if it has the recipes; the operations that only
    the partner can do; to put things down for it. Nothing where words are not wanted.
    """
    if seen.ask == "correct":
        return ()
    own, partner = set(seen.space), compiled.targets.space(ROLES.index(seen.partner.role))
    asked = [calls.PLACE + "()"]
    if calls.INGREDIENT_DISPENSER in partner and calls.INGREDIENT_DISPENSER not in own:
        if seen.me.role in scenario.informed:
            needed = dict.fromkeys(item for order in seen.orders for item in raw(compiled.layout, order))
            asked = [f"{calls.PICKUP}({item},{calls.INGREDIENT_DISPENSER})" for item in needed] + asked
        asked += [f"{calls.PICKUP}(dish,{calls.DISH_DISPENSER})"]
    utensils = [each for each in compiled.grid.utensils if each.name in partner and each.name not in own]
    asked += [f"{each.verb}({each.name})" for each in utensils]
    return (TALK, *(_asking(seen.partner.role, call) for call in asked))


def _asking(partner: str, call: str) -> Suggestion:
    """To ask for a call, for whoever reads requests and for whoever listens to words."""
    line = f"{calls.REQUEST}('{call}') say: Please do {call}. {END}"
    return Suggestion(line, label=f"ask the {partner} to {call}")


def raw(layout: Layout, order: str) -> list[str]:
    """The raw ingredients of an order."""
    return [item for item, _ in method_of(layout, order).ingredients]


def possible_calls(compiled: Compiled, kitchen: Kitchen, cook: int) -> Iterator[Call]:
    """Every call but waits that is accepted now and has a way to be carried out."""
    for call in _candidates(compiled, kitchen, cook):
        refusal = compiled.legality.refusal(kitchen, cook, call)
        if refusal is None and compiled.execution.move(kitchen, cook, call) is not None:
            yield call


def every_call(compiled: Compiled) -> Iterator[Call]:
    """Every call but waits that anybody could make in this kitchen, as menus have them."""
    foods = (*sorted(compiled.cookbook.products), DISH)
    for utensil in compiled.grid.utensils:
        for verb in (calls.PUT, calls.FILL, utensil.verb):
            yield Call(verb, place=utensil.name)
        yield from (Call(calls.PICKUP, item, utensil.name) for item in foods)
    yield from (Call(calls.PLACE), Call(calls.DELIVER), Call(calls.PICKUP, DISH, calls.DISH_DISPENSER))
    for item in foods:
        yield Call(calls.PICKUP, item, calls.INGREDIENT_DISPENSER)
        yield Call(calls.PICKUP, item, calls.COUNTER)


def _candidates(compiled: Compiled, kitchen: Kitchen, cook: int) -> Iterator[Call]:
    utensils = compiled.grid.utensils
    if kitchen.bodies[cook].held:
        yield from (Call(calls.PUT, place=utensil.name) for utensil in utensils)
        yield from (Call(calls.FILL, place=utensil.name) for utensil in utensils)
        yield Call(calls.PLACE)
        yield Call(calls.DELIVER)
        return
    for item in dict.fromkeys(lying.item for lying in kitchen.lying):
        yield Call(calls.PICKUP, item, calls.COUNTER)
    for content in kitchen.contents:
        name = utensils[content.utensil].name
        yield (
            Call(calls.PICKUP, content.output, name)
            if content.timer
            else Call(utensils[content.utensil].verb, place=name)
        )
    yield Call(calls.PICKUP, DISH, calls.DISH_DISPENSER)
    for item in compiled.layout.ingredients:
        yield Call(calls.PICKUP, item, calls.INGREDIENT_DISPENSER)


# --- lines that people type -----------------------------------------------------------------------------


TYPING_HELP = (
    "Calls: pickup(egg, ingredient_dispenser); place_obj_on_counter(). To speak, put 'say:' and your words "
    "behind them, or alone; [END] in them ends the talk. To ask for a call: request('cut(chopping_board0)')."
)
_SAY_FIELD = re.compile(r"\bsay\s*+:", re.IGNORECASE)
_PLAN_FIELD = re.compile(r"^\s*+plan\s*+:", re.IGNORECASE)


def answer_typed_as(line: str, role: str = "") -> str:
    """The answer in three fields that a line stands for. Words alone go with a wait of one step.

    A line that begins with a field other than ``plan`` or ``say`` is an answer already. ``role``: as
    ``written`` takes it.
    """
    first = FIELD.match(line)
    if first is not None and first[1].lower() not in ("plan", "say"):
        return line
    plan, *said = _SAY_FIELD.split(line, maxsplit=1)
    plan = _PLAN_FIELD.sub("", plan).strip().rstrip(";")
    words = said[0].strip() if said else ""
    return written(Reply(NOTHING, (plan or calls.wait().text,), words or NOTHING), role)
