"""Recipes made at random, with symbols in place of names; see ``generating.Draft``.

A recipe is made of strands, one for each material. A step works on a strand, or joins several, which then
are one; it waits for the last step of each of them and names what became of it, as in *stitch the soaked
linen*: so its text tells what it depends on. Materials are made ready, treated, joined, in this order. How
long a step takes, whether it runs by itself and which device it occupies, its verb decides.

Maximum lags are drawn around a schedule that is made along with the steps: from the end of one step to the
start of the other it takes some time there, and a lag is that, times 1 to 1 + ``ease``. So that schedule
keeps all of them, and no draft is impossible.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import ceil
from random import Random
from typing import Any, Literal, NamedTuple

from msgspec import Struct, to_builtins
from msgspec.structs import replace

from backburner.kernel.generating import Draft, Parameter, Symbol
from backburner.worlds.recipe2plan.game import Lag, Recipe, Step

PARAMETERS = (
    Parameter(
        name="steps",
        help="Steps of all recipes.",
        kind="whole",
        low=6,
        high=60,
        prior="log-uniform",
        dial="length",
    ),
    Parameter(name="recipes", help="Recipes, of two steps or more each.", kind="whole", low=1, high=6),
    Parameter(
        name="materials",
        help="Materials, of which each begins a strand of steps; one for each recipe at least.",
        kind="whole",
        low=1,
        high=24,
        prior="log-uniform",
    ),
    Parameter(name="joining", help="How often strands are joined where they can be.", kind="real"),
    Parameter(name="alone", help="Share of steps that run by themselves.", kind="real", high=0.9),
    Parameter(
        name="stretch",
        help="How much longer steps take that run by themselves than those by hand.",
        kind="real",
        low=0.5,
        high=10,
        prior="log-uniform",
    ),
    Parameter(name="devices", help="Devices, over which the verbs are spread.", kind="whole", low=1, high=6),
    Parameter(name="bound", help="Share of verbs of what runs by itself that need a device.", kind="real"),
    Parameter(name="splitting", help="Share of steps by hand that may be split.", kind="real", high=0.5),
    Parameter(name="lags", help="Whether there are maximum lags.", kind="choice", values=("none", "some")),
    Parameter(
        name="lagging", help="Share of steps that must not wait for long, if there are lags.", kind="real"
    ),
    Parameter(name="ease", help="How much more time lags leave than a plan needs.", kind="real", high=3),
    Parameter(name="haste", help="How often that plan goes on with what it did last.", kind="real"),
)

BY_HAND = (1, 2, 3, 4, 5, 6, 8, 10)
"""Minutes that steps by hand take, as in the published recipes."""
LONGEST = 180
"""Minutes of a step that runs by itself."""
VERBS = 3
"""Of each kind and stage, so that a theme has enough of them."""
MINUTE = 60

Stage = Literal[1, 2, 3]


class Verb(NamedTuple):
    """A verb by its symbol, and what all steps of it have in common."""

    symbol: str
    seconds: int
    alone: bool
    device: str | None


class Strand(Struct, frozen=True):
    """What has become of a material: the ``stage`` it is in, its last step and verb, and the verbs so far."""

    material: str
    stage: int = 1
    last: int | None = None
    verbs: tuple[Verb, ...] = ()

    @property
    def words(self) -> str:
        """What it is called now."""
        past = f"<{self.verbs[-1].symbol}.past> " if self.verbs else ""
        return f"the {past}<{self.material}>"


class Vocabulary:
    """The symbols of a draft. A verb or device gets its own when it is first used."""

    def __init__(self, parameters: Mapping[str, Any], random: Random) -> None:
        self.parameters = parameters
        self.random = random
        self.symbols: dict[str, Symbol] = {}
        self._devices: dict[int, str] = {}
        self._verbs: dict[tuple[int, bool, int], Verb] = {}

    def new(self, letter: str, symbol: Symbol) -> str:
        """A symbol of its own."""
        name = f"{letter}{1 + sum(known[0] == letter for known in self.symbols)}"
        self.symbols[name] = symbol
        return name

    def verb(self, stage: int, alone: bool, used: Sequence[Verb]) -> Verb:
        """One of this stage; not one of those that are used, if there are others."""
        keys = [(stage, alone, number) for number in range(VERBS)]
        key = self.random.choice([key for key in keys if self._verbs.get(key) not in used] or keys)
        if key not in self._verbs:
            self._verbs[key] = self._new_verb(stage, alone)
        return self._verbs[key]

    def _new_verb(self, stage: int, alone: bool) -> Verb:
        minutes, random = self.random.choice(BY_HAND), self.random
        if not alone:
            return Verb(self.new("v", Symbol("hand verb", stage, minutes)), minutes * MINUTE, False, None)
        minutes = min(max(1, round(minutes * self.parameters["stretch"])), LONGEST)
        symbol, device = self.new("v", Symbol("machine verb", stage, minutes)), None
        if random.random() < self.parameters["bound"]:
            number = random.randrange(self.parameters["devices"])
            if number not in self._devices:
                self._devices[number] = f"<{self.new('d', Symbol('device'))}>"
            device = self._devices[number]
        return Verb(symbol, minutes * MINUTE, True, device)


def free_draft(parameters: Mapping[str, Any], random: Random) -> Draft:
    """A scenario of recipes that nobody has written, by these values of ``PARAMETERS``."""
    total = parameters["steps"]
    alone = [number < round(parameters["alone"] * total) for number in range(total)]
    random.shuffle(alone)
    parts = min(parameters["recipes"], total // 2)
    sizes = [size + 1 for size in _shares(total - parts, parts, random)]
    materials = _shares(max(parameters["materials"], len(sizes)), len(sizes), random)
    vocabulary, kinds = Vocabulary(parameters, random), iter(alone)
    recipes = [
        Recipe(
            f"<{vocabulary.new('p', Symbol('product'))}>",
            _steps(vocabulary, kinds, size, min(size, number)),
        )
        for size, number in zip(sizes, materials, strict=True)
    ]
    recipes = _with_lags(_splitting(recipes, parameters, random), parameters, random)
    lags = any(step.lags for recipe in recipes for step in recipe.steps)
    seconds = sum(step.seconds for step in _places(recipes).values())
    fields: dict[str, Any] = {"recipes": to_builtins(recipes), "lags": lags, "limit": 2 * seconds}
    return Draft(fields, vocabulary.symbols, shuffled=("recipes",))


def _shares(total: int, parts: int, random: Random) -> list[int]:
    """So many parts of a whole number, of one or more each."""
    cuts = sorted(random.sample(range(1, total), parts - 1))
    return [high - low for low, high in zip([0, *cuts], [*cuts, total], strict=True)]


def _steps(vocabulary: Vocabulary, kinds: Iterator[bool], size: int, materials: int) -> tuple[Step, ...]:
    """The steps of a recipe; whether they run by themselves ``kinds`` tells."""
    random, joining = vocabulary.random, vocabulary.parameters["joining"]
    strands = [Strand(vocabulary.new("m", Symbol("material"))) for _ in range(materials)]
    steps: list[Step] = []
    for number in range(size):
        fresh = [strand for strand in strands if strand.last is None]
        begun = [strand for strand in strands if strand.last is not None]
        if len(fresh) == size - number:
            chosen = [random.choice(fresh)]
        elif len(begun) > 1 and random.random() < joining:
            chosen = random.sample(begun, min(random.choice((2, 2, 3)), len(begun)))
        else:
            chosen = [random.choice(strands)]
        step, became = _worked(vocabulary, chosen, number, next(kinds))
        steps.append(step)
        strands = [became if strand is chosen[0] else strand for strand in strands]
        strands = [strand for strand in strands if strand not in chosen[1:]]
    return tuple(steps)


def _worked(
    vocabulary: Vocabulary, chosen: Sequence[Strand], number: int, alone: bool
) -> tuple[Step, Strand]:
    """A step on one strand, or one that joins several, and what becomes of them."""
    stage = 3 if len(chosen) > 1 else chosen[0].stage
    verb = vocabulary.verb(stage, alone, chosen[0].verbs)
    where = f" <{verb.symbol}.in> the {verb.device}" if verb.device else ""
    again = " again" if verb in chosen[0].verbs else ""
    text = f"<{verb.symbol}> {' and '.join(strand.words for strand in chosen)}{where}{again}"
    after = tuple(sorted(strand.last for strand in chosen if strand.last is not None))
    step = Step(text, verb.seconds, verb.alone, after=after, appliance=verb.device)
    stage = min(2, stage + vocabulary.random.randrange(2)) if stage < 3 else 3
    return step, Strand(chosen[0].material, stage, number, (*chosen[0].verbs, verb))


# --- what may be split, and lags ---------------------------------------------------------------------------

Place = tuple[int, int]
"""A step: the number of its recipe, and its own."""


def _changed(recipes: Sequence[Recipe], changed: Mapping[Place, Step]) -> list[Recipe]:
    return [
        replace(recipe, steps=tuple(changed.get((r, n), step) for n, step in enumerate(recipe.steps)))
        for r, recipe in enumerate(recipes)
    ]


def _places(recipes: Sequence[Recipe]) -> dict[Place, Step]:
    return {(r, n): step for r, recipe in enumerate(recipes) for n, step in enumerate(recipe.steps)}


def _splitting(recipes: Sequence[Recipe], parameters: Mapping[str, Any], random: Random) -> list[Recipe]:
    """The recipes, with some of the steps by hand that may be split."""
    by_hand = {place: step for place, step in _places(recipes).items() if not step.autonomous}
    chosen = random.sample(list(by_hand), round(parameters["splitting"] * len(by_hand)))
    return _changed(recipes, {place: replace(by_hand[place], splittable=True) for place in chosen})


def _with_lags(recipes: Sequence[Recipe], parameters: Mapping[str, Any], random: Random) -> list[Recipe]:
    """The recipes, with lags that one schedule keeps; each from the end of a step that is waited for."""
    if parameters["lags"] == "none":
        return list(recipes)
    steps = _places(recipes)
    ends = _one_schedule(steps, parameters["haste"], random)
    waiting = [place for place, step in steps.items() if step.after]
    most = min(round(parameters["lagging"] * len(steps)), len(waiting))
    changed: dict[Place, Step] = {}
    for place in random.sample(waiting, most):
        step, earlier = steps[place], random.choice(steps[place].after)
        between = ends[place] - step.seconds - ends[place[0], earlier]
        minutes = ceil(between * random.uniform(1, 1 + parameters["ease"]) / MINUTE)
        changed[place] = replace(step, lags=(Lag(earlier, minutes * MINUTE),))
    return _changed(recipes, changed)


def _one_schedule(steps: Mapping[Place, Step], haste: float, random: Random) -> dict[Place, int]:
    """When each step ends if the cook chooses at random what can begin, and is not idle as long as there is
    something. With ``haste`` the cook waits for a step to end that goes on with the one done last."""
    clock, ends, free = 0, dict[Place, int](), dict[str | None, int]()
    last: Place | None = None
    while len(ends) < len(steps):
        at = {
            place: max(clock, free.get(step.appliance, 0), *(ends[place[0], need] for need in step.after))
            for place, step in steps.items()
            if place not in ends and all((place[0], need) in ends for need in step.after)
        }
        next_one = [place for place in at if last and place[0] == last[0] and last[1] in steps[place].after]
        if not next_one or random.random() >= haste:
            next_one = [place for place in at if at[place] == min(at.values())]
        last = random.choice(next_one)
        step, start = steps[last], at[last]
        ends[last] = start + step.seconds
        if step.appliance:
            free[step.appliance] = ends[last]
        clock = start if step.autonomous else ends[last]
    return ends
