"""Short ways to play Recipe2Plan in tests: by text, by value, by numbers that Hypothesis draws."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from hypothesis import strategies as st
from msgspec.structs import replace

from backburner.kernel import registry
from backburner.kernel.values import Event, Refusal
from backburner.kernel.values import Step as Stepped
from backburner.worlds.recipe2plan.game import (
    RELEASED,
    STANDARD,
    Cook,
    Lag,
    Limits,
    Piece,
    Recipe,
    Recipe2Plan,
    Rules,
    Scenario,
    Step,
    catalogue,
)
from backburner.worlds.recipe2plan.game.compiled import COOK
from backburner.worlds.recipe2plan.game.rule_set import DEFECTS
from backburner.worlds.recipe2plan.game.scenarios import shipped_instances, shipped_recipes
from backburner.worlds.recipe2plan.game.state import FINISH, NO_ACTION, State
from support import numbered_plays
from support.numbered_plays import Turn

SOUP = Recipe(
    "Soup",
    (
        Step("Chop the leek.", 300, splittable=True),
        Step("Bring the water to the boil.", 600, autonomous=True, appliance="stove"),
        Step("Put the leek into the water.", 60, after=(0, 1), lags=(Lag(1, 120),)),
        Step("Let it stand.", 120, autonomous=True, after=(2,)),
        Step("Season it, and taste.", 90, splittable=True, after=(3,), lags=(Lag(3, 60),)),
    ),
)
"""19.5 min of steps, 12 of which need no cook. It takes 10 + 1 + 2 + 1.5 = 14.5 min at best."""

BREAD = Recipe(
    "Bread",
    (
        Step("Preheat the oven to 400 degrees.", 600, autonomous=True, appliance="oven", sets_fahrenheit=400),
        Step("Knead the dough.", 480),
        Step("Bake the loaf.", 1200, autonomous=True, after=(0, 1), appliance="oven", needs_fahrenheit=400),
    ),
)
"""38 min of steps, 30 of which need no cook. It takes 10 + 20 = 30 min at best."""

PIE = Recipe(
    "Pie",
    (
        Step("Preheat the oven to 400 degrees.", 600, autonomous=True, appliance="oven", sets_fahrenheit=400),
        Step("Bake the pie.", 900, autonomous=True, after=(0,), appliance="oven", needs_fahrenheit=400),
    ),
)
"""Its oven is as hot as that of ``BREAD``."""

CAKE = Recipe(
    "Cake",
    (
        Step("Preheat the oven to 350 degrees.", 600, autonomous=True, appliance="oven", sets_fahrenheit=350),
        Step("Bake the cake.", 900, autonomous=True, after=(0,), appliance="oven", needs_fahrenheit=350),
    ),
)
"""Its oven is cooler."""


def world_of(path: str, rules: Any = "standard", limits: Any = "none") -> Recipe2Plan:
    """The world of ``recipe2plan/<path>``, without limits unless some are asked for."""
    _, bare, options = registry.split(f"recipe2plan/{path}")
    return catalogue.build(f"recipe2plan/{path}", catalogue.scenario(bare, options), rules, limits)


def kitchen_of(
    *recipes: Recipe, rules: Any = "standard", limits: Any = "none", lags: bool = True, **told: Any
) -> Recipe2Plan:
    """A world of recipes of our own; ``told`` is what the scenario says of ``knowledge`` and ``hints``."""
    return catalogue.build("recipe2plan/own", Scenario(recipes, lags, **told), rules, limits)


def standard_but(**defects: bool) -> Rules:
    """The standard rules with these defects let in again."""
    return replace(STANDARD, name="standard but one", **defects)


class Game:
    """One world in play; what the last decision led to can be asked for."""

    def __init__(self, world: Recipe2Plan) -> None:
        self.world = world
        self.state = world.start()
        self.last: Stepped[State] = Stepped(self.state)
        self.events: list[Event] = []

    def cook(self, *pieces: tuple[int, str, int, int], finish: bool = False) -> Game:
        """One decision: (step, recipe, seconds, start) and so on."""
        return self.decide(Cook(tuple(Piece(*piece) for piece in pieces), finish))

    def each(self, *pieces: tuple[int, str, int, int]) -> Game:
        """A decision for each of these."""
        for piece in pieces:
            self.cook(piece)
        return self

    def say(self, *texts: str) -> Game:
        """Give these answers one after the other."""
        for text in texts:
            self.decide(self.world.parse(self.state, COOK, text))
        return self

    def decide(self, decision: Any) -> Game:
        """Give a decision as a value."""
        self.last = self.world.step(self.state, {COOK: decision})
        self.state = self.last.state
        self.events += self.last.events
        return self

    @property
    def refused(self) -> str:
        """The code of the last refusal, or nothing."""
        return self.last.refusals[0].code if self.last.refusals else ""

    @property
    def refusal(self) -> Refusal:
        """The last refusal."""
        return self.last.refusals[0]

    @property
    def clock(self) -> int:
        """The present second."""
        return self.state.kitchen.clock

    @property
    def ended(self) -> str:
        """Why play is over, or nothing."""
        return self.state.ended

    def left(self, step: int, recipe: str) -> int:
        """The seconds left of a step."""
        return self.state.kitchen.left[self.world.compiled.jobs_of[recipe][step].index]

    def told(self) -> str:
        """The observation in words."""
        return self.world.describe(self.world.observe(self.state, COOK))


def play_out(world: Recipe2Plan) -> State:
    """Take the first thing on the menu until play is over or only finishing is left."""
    state = world.start()
    while world.deciders(state):
        decision = world.menu(state, COOK).options[0].decision
        state = world.step(state, {COOK: decision}).state
    return state


def reference_plan(world: Recipe2Plan) -> tuple[Piece, ...]:
    """The stored plan of a published pair."""
    names = [recipe.name for recipe in world.scenario.recipes]
    plan = world.scenario.reference or ()
    return tuple(Piece(a.step, names[a.recipe], a.seconds, a.start) for a in plan)


# --- random play ------------------------------------------------------------------------------


def paths(most: int = 3) -> st.SearchStrategy[str]:
    """Published pairs, and up to ``most`` different recipes; with lags and without."""
    pairs = st.sampled_from(["+".join(names) for names in shipped_instances()])
    others = st.lists(st.sampled_from(sorted(shipped_recipes())), min_size=1, max_size=most, unique=True)
    options = st.sampled_from(["@lags=on", "@lags=off"])
    return st.builds(lambda path, option: path + option, pairs | others.map("+".join), options)


def rule_sets() -> st.SearchStrategy[Rules]:
    """Both presets, and any mixture of their fields."""
    mixtures = st.fixed_dictionaries({field: st.booleans() for field in (*DEFECTS, "lags_bind_first_piece")})
    return st.sampled_from([STANDARD, RELEASED]) | mixtures.map(lambda fields: Rules("mixed", **fields))


def limit_sets() -> st.SearchStrategy[Limits | str]:
    """No limits, the article's, and tight ones."""
    tight = [Limits(turns=9), Limits(revisions=2), Limits(30, 5, 2, True)]
    return st.sampled_from(["none", "article", *tight])


def worlds() -> st.SearchStrategy[Recipe2Plan]:
    """Random recipes under random rules and limits, with ovens to be shared or fought over."""
    shipped = st.builds(world_of, paths(), rule_sets(), limit_sets())
    own = st.lists(st.sampled_from([SOUP, BREAD, PIE, CAKE]), min_size=1, unique=True)
    return shipped | st.builds(_own_world, own, rule_sets(), limit_sets(), st.booleans())


def _own_world(recipes: Sequence[Recipe], rules: Rules, limits: Any, lags: bool) -> Recipe2Plan:
    return kitchen_of(*recipes, rules=rules, limits=limits, lags=lags)


_number = st.integers(0, 9_999)
choices = st.lists(_number, max_size=10) | st.lists(_number, min_size=20, max_size=50)
"""A short or long play as numbers; ``decision_of`` gives each its meaning where it is used."""


def walk(world: Recipe2Plan, numbers: Iterable[int]) -> Iterator[Turn]:
    """Play by numbers until they run out or the episode is over."""
    return numbered_plays.walk(world, COOK, partial(decision_of, world), numbers)


def decision_of(world: Recipe2Plan, state: State, number: int) -> Any:
    """Six in ten act well, two split or delay, one takes any step, one is several or no decision."""
    kind, pick = number % 10, number // 10
    options = world.menu(state, COOK).options
    chosen = options[pick % len(options)].decision
    if kind < 6 or not chosen.actions:
        return chosen
    piece = chosen.actions[0]
    if kind == 6:
        return Cook((replace(piece, seconds=piece.seconds * (pick % 3) // 2),))
    if kind == 7:
        return Cook((replace(piece, start=piece.start + 60 * (pick % 5) - 30),))
    jobs = world.compiled.jobs
    job = jobs[pick % len(jobs)]
    anything = Piece(
        job.number, job.recipe, job.step.seconds * (pick % 4) // 2, state.kitchen.clock + pick % 90
    )
    if kind == 8:
        return Cook((anything,))
    if pick % 3:
        return Cook((piece, anything, *(p for option in options for p in option.decision.actions)))
    others = (NO_ACTION, None, "no decision", Cook(), FINISH, Cook((Piece(99, "Moon", 1, 1),)))
    return others[pick // 3 % len(others)]
