"""The clocked kitchen's scenarios as values: a kitchen of the text game, its clock, and its floor.

Plans of floors ship with the levels, drawn by hand, or are made from a seed. A user's file is a level as
CuisineWorld's files have it, on a floor of yours, by a clock of yours:

{"world": "clocked_kitchen", "id": "lunch", "dishes": ["lettuceSalad"], "bodies": 3, "tau": 1.5,
 "kitchen": ["storage", "servingtable", "chopboard", "mixer"],
 "plan": ["#S###", "#...X", "#...C", "##T##"], "clock": {"cell_ticks": 3}}

Whether a scenario can be played is checked alike for users' files and strangers' records, sizes first.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from string import ascii_letters
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct, field

from backburner.kernel.contract import World
from backburner.kernel.files import Place, check, converted, shipped
from backburner.worlds.clocked_kitchen.game.floor import FLOOR, LETTERS, WALL, check_plan
from backburner.worlds.clocked_kitchen.game.rule_set import TEXT_RULES
from backburner.worlds.cuisineworld.game.compiled import STORAGE, TABLE, Compiled
from backburner.worlds.cuisineworld.game.scenario_files import ScenarioFile as KitchenFile
from backburner.worlds.cuisineworld.game.scenario_files import check_scenario as check_kitchen
from backburner.worlds.cuisineworld.game.scenario_files import read_file as read_kitchen
from backburner.worlds.cuisineworld.game.scenarios import Scenario as Kitchen
from backburner.worlds.cuisineworld.game.scenarios import levels

TICKS_A_SECOND = 10
"""The loop of the article's real-time game looks every 0.1 s (Appendix E.2)."""

MOST_BODIES = 16

Asks = Literal["free", "always"]
"""Who is asked when: a seat that has a body with nothing under way, or every seat all the time."""


Ticks = Annotated[int, Meta(ge=1, le=600)]


class Clock(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """How long things take, in ticks of a tenth of a second.

    ``step_ticks``: a step of the text game, by which tools work, orders come and wait, and play ends;
    ``cell_ticks``: a step to the next cell; ``hand_ticks``: taking, putting down, starting a tool;
    ``squeeze_ticks``: a step to a cell from which somebody else comes the other way.
    """

    step_ticks: Ticks = 10
    cell_ticks: Ticks = 2
    hand_ticks: Ticks = 5
    squeeze_ticks: Ticks = 6


USUAL_CLOCK = Clock()


class Scenario(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One episode: the ``kitchen`` with its bodies, seats and orders as in the text game, and its ``plan``.

    Everything in the kitchen that is counted in steps takes ``clock.step_ticks`` for each. ``letters``: of
    kinds in the plan that are not the cookbook's, as (letter, kind). ``asks``: who is asked when.
    """

    kitchen: Kitchen
    plan: tuple[str, ...]
    letters: tuple[tuple[str, str], ...] = ()
    clock: Clock = USUAL_CLOCK
    asks: Asks = "free"

    @property
    def legend(self) -> Mapping[str, str]:
        """Letter to kind."""
        return {**LETTERS, **dict(self.letters)}

    @property
    def ticks(self) -> int:
        """How long an episode takes."""
        return self.kitchen.steps * self.clock.step_ticks


def seconds(ticks: int) -> float:
    """Ticks as seconds."""
    return ticks / TICKS_A_SECOND


def parts(world: World[Any, Any, Any]) -> list[str]:
    """What a world's scenario is built of: the dishes that may be ordered."""
    return [f"dish {dish}" for dish in world.scenario.kitchen.dishes]


Plan = tuple[str, ...]


class _PlanFile(Struct, frozen=True, forbid_unknown_fields=True):
    source: str
    plans: dict[str, Plan]


def drawn_plans() -> Mapping[str, Plan]:
    """The plans of the published levels, by their names."""
    return shipped("backburner.worlds.clocked_kitchen", "plans", _PlanFile).plans


# --- plans made from seeds ---------------------------------------------------------------------------------

TABLE_CELLS = 2


def made_plan(compiled: Compiled, legend: Mapping[str, str], bodies: int, seed: int) -> Plan:
    """A room with everything along its walls and on islands, each place within reach; by a seed of its own.

    Nothing stands in a corner, and islands keep two cells away from the walls and from each other, so that
    every cell of floor can be walked to.
    """
    letters = {kind: letter for letter, kind in legend.items()}
    draw = random.Random(f"clocked_kitchen/{seed}")
    cells = _cells(compiled, letters)
    width, height = _size(len(cells), bodies, draw)
    rows = [
        [WALL if y in (0, height - 1) or x in (0, width - 1) else FLOOR for x in range(width)]
        for y in range(height)
    ]
    free = [(x, y) for y in range(1, height - 1) for x in (0, width - 1)]
    free += [(x, y) for x in range(1, width - 1) for y in (0, height - 1)]
    free += [(x, y) for y in range(3, height - 3, 3) for x in range(3, width - 3, 3)]
    chosen = draw.sample(free, len(cells))
    for (x, y), letter in zip(chosen, draw.sample(cells, len(cells)), strict=True):
        rows[y][x] = letter
    return tuple("".join(row) for row in rows)


def _cells(compiled: Compiled, letters: Mapping[str, str]) -> Sequence[str]:
    """A letter for each cell that has to be drawn."""
    cells: list[str] = []
    for kind, role in zip(compiled.kinds, compiled.roles, strict=True):
        count = {STORAGE: len(compiled.level_ingredients), TABLE: TABLE_CELLS}.get(role, 1)
        cells += [letters[kind.name]] * count
    return cells


def _size(cells: int, bodies: int, draw: random.Random) -> tuple[int, int]:
    """The sides of a room with walls for all cells and floor for all bodies, a little longer than wide."""
    height = 5 + draw.randrange(3)
    width = height + draw.randrange(4)
    while 2 * (width - 2) + 2 * (height - 2) < 2 * cells or (width - 2) * (height - 2) < 4 * bodies:
        width, height = width + 1, height + (width % 2)
    return width, height


# --- users' files and checks -------------------------------------------------------------------------------

MOST_STEPS = 36_000
MOST_OPEN = 100

LEFT_OUT: Mapping[str, object] = {
    "table_room": None,
    "spoil_steps": None,
    "hidden_orders": False,
    "feedback": "errors",
    "coupled": False,
    "head_chef": False,
    "in_turn": False,
}
"""What the text game can vary and the clocked kitchen cannot, with the only value that it may have."""


def check_scenario(scenario: Scenario, place: Place, kitchen_place: Place | None = None) -> None:
    """Raises ``BadFile`` naming ``place`` and field for the first thing with which it cannot be played.

    ``kitchen_place``: where the kitchen's fields stand, if not in a field of that name.
    """
    kitchen, here = scenario.kitchen, kitchen_place or place.at("kitchen")
    check_kitchen(kitchen, here)
    check_variants(kitchen, here)
    check(scenario.clock, place.at("clock"))
    check_letters(scenario.letters, place.field("letters"))
    compiled = Compiled(kitchen, TEXT_RULES)
    check_plan(scenario.plan, scenario.legend, compiled, kitchen.bodies, place.field("plan"))


def check_variants(kitchen: Kitchen, here: Place) -> None:
    """Raises ``BadFile`` for what the text game has and the clocked kitchen has not, or not so much of."""
    for name, only in LEFT_OUT.items():
        if getattr(kitchen, name) != only:
            raise here.field(name).wrong("the clocked kitchen does not have this variant")
    for name, value, most in (
        ("bodies", kitchen.bodies, MOST_BODIES),
        ("steps", kitchen.steps, MOST_STEPS),
        ("most_open", kitchen.most_open, MOST_OPEN),
    ):
        if value > most:
            raise here.field(name).wrong(f"is {value}; it is at most {most}")


def check_letters(letters: tuple[tuple[str, str], ...], place: Place) -> None:
    """Raises ``BadFile`` for a letter that is none, or that stands for two kinds."""
    seen: set[str] = set()
    for letter, _ in letters:
        if len(letter) != 1 or not letter.isprintable() or letter in (FLOOR, WALL, " "):
            raise place.wrong(f"{letter[:20]!r} is no letter for a plan")
        if letter in seen:
            raise place.wrong(f"{letter!r} stands for two kinds")
        seen.add(letter)


MOST_SEEDS = 1_000_000_000


class ScenarioFile(KitchenFile, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A level as in CuisineWorld's files, without that world's variants; every step of it takes
    ``clock.step_ticks``.

    ``plan``: rows of signs, ``.`` for floor, ``#`` for a wall, a letter for each cell of a place, or the seed
    from which a plan is made; by default the one drawn for a published level in its own kitchen, else one
    made from seed 0. ``letters``: letter to kind, for kinds that the published cookbook does not have.
    ``asks``: who is asked when, as in ``Scenario``.
    """

    plan: tuple[str, ...] | int | None = None
    letters: dict[str, str] = field(default_factory=dict)
    clock: Clock = USUAL_CLOCK
    asks: Asks = "free"


OWN = ("plan", "letters", "clock", "asks")
"""The fields that files of the text game do not have."""

FILE_TYPES: Mapping[str, Any] = {"scenario": ScenarioFile}


def read_file(raw: Mapping[str, Any], source: str) -> tuple[str, Scenario]:
    """(path, scenario) of a user's file; raises ``BadFile`` naming file, entry and field."""
    place = Place(source)
    written = converted(raw, ScenarioFile, place)
    rest = {name: value for name, value in raw.items() if name not in OWN}
    path, kitchen = read_kitchen(rest, source)
    check_variants(kitchen, place)
    check_letters(tuple(written.letters.items()), place.field("letters"))
    compiled = Compiled(kitchen, TEXT_RULES)
    letters = tuple(_lettered(compiled, written.letters))
    scenario = Scenario(kitchen, (), letters, written.clock, written.asks)
    plan = _plan(written, compiled, scenario, place.field("plan"))
    scenario = msgspec.structs.replace(scenario, plan=plan)
    check_scenario(scenario, place, place)
    return path, scenario


def _lettered(compiled: Compiled, given: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """(letter, kind) for each kind without a letter in the cookbook; those that were given come first."""
    yield from given.items()
    known = {*LETTERS.values(), *given.values()}
    free = (letter for letter in ascii_letters[26:] + ascii_letters[:26] if letter not in {*LETTERS, *given})
    for kind in dict.fromkeys(kind.name for kind in compiled.kinds):
        if kind not in known and (letter := next(free, "")):
            yield letter, kind


def _plan(written: ScenarioFile, compiled: Compiled, scenario: Scenario, place: Place) -> Plan:
    """The plan that the file gives, or one for its kitchen."""
    if isinstance(written.plan, tuple):
        return written.plan
    if written.plan is None and written.level in levels() and not written.kitchen:
        return drawn_plans()[written.level]
    seed = written.plan or 0
    if not 0 <= seed <= MOST_SEEDS:
        raise place.wrong(f"a seed is from 0 to {MOST_SEEDS}")
    if missing := next((k.name for k in compiled.kinds if k.name not in scenario.legend.values()), ""):
        raise place.wrong(f"no letter is left for {missing}")
    return made_plan(compiled, scenario.legend, scenario.kitchen.bodies, seed)
