"""Drafts of TimeArena's scenarios: materials that are worked on step by step and joined into products, by
hand and by machines that some of them have to share.

A task is a number of *chains*, the steps of one material each, and of *products*, made of what chains or
other products have come to. The steps of a chain follow one another; the first step of a product follows the
last steps of all its parts; some steps need, besides, a step of another chain. What runs by itself may take
place in a vessel or device, one for each such verb, which several verbs have in common: that is what is
contended for. Spare work is like required work, but of materials that no goal names.

How many chains there are and how long machines take is chosen so that about as many activities go on at a
time, and the agent is about as busy, as is asked for. This goes by a bound, the most of the agent's minutes,
the longest chain and the fullest place; proven plans take 1 to 1.07 times as long in the middle half of 300.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any, NamedTuple

from msgspec import Struct

from backburner.kernel.generating import (
    Draft,
    Draw,
    Generator,
    Naming,
    Parameter,
    Result,
    Role,
    Structure,
    Symbol,
    Work,
)
from backburner.kernel.schedule import problem_of
from backburner.kernel.values import Outcome
from backburner.worlds.timearena.game import Act, TimeArena

MOST_CHAINS = 24
"""In all tasks."""

LONGEST_CHAIN = 10
"""Steps of one material: each takes a verb of its own."""

LONGEST_PRODUCT = 4
"""Steps of one product."""

MOST_VERBS = {True: 6, False: 9}
"""Verbs of one stage: of machines, and by hand."""

MOST_MINUTES = 60.0
"""About the longest activity that runs by itself."""

PLACES: tuple[Role, ...] = ("vessel", "device")

LETTERS: Mapping[Role, str] = {
    **{"material": "m", "product": "p", "vessel": "c", "device": "d"},
    **{"hand verb": "v", "machine verb": "v"},
}
"""What symbols begin with."""


def _whole(name: str, low: int, high: int, help: str, dial: str = "") -> Parameter:
    return Parameter(name=name, help=help, kind="whole", low=low, high=high, prior="log-uniform", dial=dial)


def _share(name: str, low: float, high: float, help: str, dial: str = "") -> Parameter:
    return Parameter(name=name, help=help, kind="real", low=low, high=high, dial=dial)


def _choice(name: str, values: tuple[str, ...], help: str) -> Parameter:
    return Parameter(name=name, help=help, kind="choice", values=values)


PARAMETERS = (
    _whole("activities", 4, 60, "required activities of all tasks", dial="length"),
    _whole("tasks", 1, 4, "tasks, of four activities at least on the mean"),
    _share("breadth", 1, 4.5, "about how many go on at a time, by the number of materials", "width"),
    _share("joins", 0, 1, "how much of what chains come to is joined into products"),
    _share("links", 0, 0.5, "share of steps that need a step of another chain besides"),
    _share("machines", 0.1, 0.9, "share of activities that run by themselves"),
    _whole("hand_minutes", 1, 8, "about the longest activity by hand"),
    _share(
        "load", 0.4, 2, "the agent's minutes, by those of the longest chain or fullest place", "attention"
    ),
    _share("spread", 0, 0.9, "how much verbs of a kind differ in their minutes"),
    _share("placed", 0, 1, "share of such verbs that take place in a vessel or device"),
    _whole("places", 1, 8, "vessels and devices, which these verbs have in common"),
    _share("common", 0, 1, "share of vessels and devices that any task may use"),
    _whole("units", 1, 3, "how many of such a device a task brings along"),
    _choice("kit", ("own", "one"), "what any task may use stands there for each task, or once"),
    _share("idle", -0.6, 0.6, "things of no use for each other one; none below 0"),
    _share("lures", -1, 0.25, "spare activities, which nobody requires, for each required one; none below 0"),
)

DIALS = {
    "length": "the required actions of all tasks",
    "decisions": "actions that are started in the proven plan; waits are none",
    "width": "minutes of all required actions by the minutes of the proven plan",
    "attention": "the share of the proven plan's minutes in which the agent works or starts something",
    "chain": "minutes of the longest chain of requirements by those of the proven plan",
    "contention": "the share of the proven plan in which the busiest thing, or all kit of a kind, is in use",
    "joins": "the share of actions that have two or more requirements, none of which implies another",
    "depth": "actions on the longest chain of requirements",
    "distractors": "the share of things that no required action names",
    "lures": "the share of actions on the menus of the proven plan that nobody requires",
    "hidden": "durations and requirements, of which the briefing tells none",
    "gap": "minutes of a script above the proven plan's, as a share of them",
    "choice": "the share of decisions at which some accepted action makes the earliest end a later one",
}

RESERVED = (
    *("wait", "quit", "exit", "action", "minute", "task", "goal"),
    *("the", "a", "an", "and", "or", "not", "yet", "empty", "full", "made", "of", "up", "off"),
    *("in", "on", "into", "onto", "with", "to", "at", "by", "under", "over", "through", "from", "inside"),
)
"""What the parser reads, and the words of the texts below."""


class TimeArenaGenerator(Generator):
    """See the module."""

    help = (
        "Tasks of materials that are made ready, treated and joined, by hand and by machines, with vessels "
        "and devices that are shared, and with things that nobody needs."
    )
    parameters = PARAMETERS
    dials = DIALS
    naming = Naming(pattern=r"[a-z]+(_[a-z]+)*", longest=20, reserved=RESERVED)
    scripts = ("serial", "busy", "first-legal", "random")
    limit = "limit"

    def draft(self, parameters: Mapping[str, Any], options: Mapping[str, Any], draw: Draw) -> Draft:
        """There is one for all parameters: what would be too much of one is taken as less."""
        return _drafted(_Asked(**parameters), draw.random).draft()

    def structure(self, world: TimeArena) -> Structure:
        """The scheduling problem; its briefing tells neither durations nor requirements."""
        problem = problem_of(world)
        used = {name for activity in problem.activities for name in activity.resources}
        requirements = sum(len(activity.predecessors) for activity in problem.activities)
        return Structure(
            activities=tuple(Work(activity) for activity in problem.activities),
            resources=tuple(resource for resource in problem.resources if resource.name in used),
            bodies=tuple(world.seats),
            objects={i.name: (i.base if i.kit else i.name) in used for i in world.compiled.items},
            told={
                "durations": (len(problem.activities), len(problem.activities)),
                "precedence": (requirements, requirements),
            },
        )

    def result(self, world: TimeArena, outcome: Outcome) -> Result:
        """The progress score as a share, and the minutes."""
        numbers = outcome.numbers
        return Result(numbers["score"] / 100, int(numbers["minutes"]), bool(numbers["completed"]))

    def is_needed(self, world: TimeArena, decision: Any) -> bool:
        """Whether an action counts for the score; what is no action is not asked about."""
        if not isinstance(decision, Act):
            return True
        return bool(world.rulebook.legality.attempts[decision].bit & world.compiled.everything)


GENERATOR = TimeArenaGenerator()


# --- what a draft is made of --------------------------------------------------------------------------------


class _Asked(Struct, frozen=True):
    """The parameters of a draft; see ``PARAMETERS``."""

    activities: int
    tasks: int
    breadth: float
    joins: float
    links: float
    machines: float
    hand_minutes: int
    load: float
    spread: float
    placed: float
    places: int
    common: float
    units: int
    kit: str
    idle: float
    lures: float


class _Verb(NamedTuple):
    """A verb by its symbol, and where what it does takes place, if it does in a place. ``weight``: how long
    it takes, as a share of the longest of its kind."""

    symbol: str
    machine: bool
    stage: int
    weight: float
    place: str

    @property
    def name(self) -> str:
        return f"<{self.symbol}> <{self.symbol}.in>" if self.place else f"<{self.symbol}>"

    @property
    def past(self) -> str:
        return f"<{self.symbol}.past>"

    def written(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "form": f"<{self.symbol}> OBJ1 <{self.symbol}.in> OBJ2" if self.place else f"<{self.symbol}> OBJ",
            "occupies_agent": not self.machine,
            "gloss": f"<{self.symbol}> something that is not {self.past} yet",
        }


_RoleName = tuple[str, str, int]


class _Step(NamedTuple):
    """A verb on a thing, and what must be finished before."""

    thing: str
    verb: _Verb
    weight: float
    needs: list[_RoleName]

    @property
    def role(self) -> _RoleName:
        return f"<{self.thing}>", self.verb.name, int(bool(self.verb.place))

    def written(self, minutes: int) -> dict[str, Any]:
        told = {"before": f"not {self.verb.past} yet", "after": self.verb.past, "needs": self.needs}
        return {"verb": self.verb.name, "slot": self.role[2], "minutes": minutes, **told}

    def action(self, spare: bool) -> dict[str, Any]:
        things = [f"<{name}>" for name in (self.thing, self.verb.place) if name]
        return {"verb": self.verb.name, "things": things, **({"spare": True} if spare else {})}


class _Made(NamedTuple):
    """A thing with its steps, and what it is made of, if it is a product."""

    thing: str
    steps: list[_Step]
    parts: list[str]


class _Load(NamedTuple):
    """Minutes of the agent, of all activities, and of the longest chain or the fullest place."""

    agent: int
    whole: int
    longest: float

    @property
    def load(self) -> float:
        return self.agent / self.longest

    @property
    def breadth(self) -> float:
        return self.whole / max(self.agent, self.longest)


def _drafted(asked: _Asked, random: Random) -> _Drafting:
    """What is to be done, with so many chains that its breadth comes nearest to what is asked."""
    seed = random.getrandbits(64)
    low, high = 1, min(MOST_CHAINS, asked.activities)
    tried: list[_Drafting] = []
    while low <= high:
        chains = (low + high) // 2
        tried.append(_Drafting(asked, chains, Random(seed)))
        if tried[-1].load().breadth < asked.breadth:
            low = chains + 1
        else:
            high = chains - 1
    return min(tried, key=lambda each: abs(each.load().breadth / asked.breadth - 1))


class _Drafting:
    """A draft under way: what is to be done, for so many ``chains``, and how long it takes."""

    def __init__(self, asked: _Asked, chains: int, random: Random) -> None:
        self.asked = asked
        self.chains = chains
        self.random = random
        self.symbols: dict[str, Symbol] = {}
        self.verbs: list[_Verb] = []
        self.places: list[str] = []
        self.kit: list[str] = []
        tasks = min(asked.tasks, asked.activities // 4)
        sizes = _parts(self.random, asked.activities, [asked.activities] * tasks, least=2)
        self.required = [self.work(size) for size in sizes]
        self.machine_minutes = self.stretched()

    def draft(self) -> Draft:
        """The whole in words, with what nobody needs."""
        tasks = [self.written(number, work) for number, work in enumerate(self.required, 1)]
        for verb in self.verbs:
            role = self.symbols[verb.symbol].role
            self.symbols[verb.symbol] = Symbol(role, verb.stage, self.minutes(verb.machine, verb.weight))
        fields = {
            "tasks": tasks,
            "verbs": [verb.written() for verb in self.verbs],
            "kit": self.asked.kit,
            "kit_names": [f"<{name}>" for name in self.kit],
        }
        shuffled = ("verbs", "kit_names", "tasks.verbs", "tasks.things", "tasks.actions")
        return Draft(fields, self.symbols, shuffled)

    # --- required and spare work -----------------------------------------------------------------------

    def work(self, size: int) -> list[_Made]:
        """The chains of a task, and products behind what they are made of."""
        asked, random = self.asked, self.random
        share = round(self.chains * size / asked.activities)
        chains = min(max(share, 1, -(-size // LONGEST_CHAIN)), size)
        products = min(round(asked.joins * (chains - 1)), size - chains)
        lengths = _parts(random, size, [LONGEST_CHAIN] * chains + [LONGEST_PRODUCT] * products)
        machines = round(asked.machines * size)
        by_machine = [True] * machines + [False] * (size - machines)
        random.shuffle(by_machine)
        made: list[_Made] = []
        open_ends: list[_Made] = []
        for index, length in enumerate(lengths):
            parts = self.taken(open_ends) if index >= chains else []
            each = self.made([by_machine.pop() for _ in range(length)], parts)
            self.link(each, made)
            made.append(each)
            open_ends.append(each)
        return made

    def taken(self, open_ends: list[_Made]) -> list[_Made]:
        """Two or three of these, which are joined now; none if there is only one."""
        number = min(self.random.choice((2, 2, 3)), len(open_ends)) if len(open_ends) > 1 else 0
        return [open_ends.pop(self.random.randrange(len(open_ends))) for _ in range(number)]

    def made(self, by_machine: Sequence[bool], parts: Sequence[_Made] = ()) -> _Made:
        """A product of these parts, or a material, with a step for each of these."""
        thing = self.symbol("product" if parts else "material")
        steps: list[_Step] = []
        for index, machine in enumerate(by_machine):
            stage = 3 if parts else 1 + (2 * index >= len(by_machine))
            verb = self.verb(machine, stage, [step.verb for step in steps])
            needs = [steps[-1].role] if steps else [part.steps[-1].role for part in parts]
            steps.append(_Step(thing, verb, verb.weight * self.random.uniform(0.75, 1.25), needs))
        return _Made(thing, steps, [part.thing for part in parts])

    def link(self, each: _Made, made: Sequence[_Made]) -> None:
        """Let some steps need one of what was made before, which cannot need them."""
        for step in each.steps if made else ():
            if self.random.random() < self.asked.links:
                needed = self.random.choice(self.random.choice(made).steps).role
                if needed not in step.needs:
                    step.needs.append(needed)

    def spare(self, size: int) -> list[_Made]:
        """Materials that nobody needs, with one to three steps."""
        left, spare = round(self.asked.lures * size), list[_Made]()
        while left > 0:
            length = min(self.random.randint(1, 3), left)
            spare.append(self.made([self.random.random() < self.asked.machines for _ in range(length)]))
            left -= length
        return spare

    # --- verbs and places ------------------------------------------------------------------------------

    def verb(self, machine: bool, stage: int, used: Sequence[_Verb]) -> _Verb:
        """A verb of this stage that is not used yet; often one that there is already."""
        alike = [verb for verb in self.verbs if verb.machine == machine and verb.stage == stage]
        free = [verb for verb in alike if verb not in used]
        if free and (len(alike) >= MOST_VERBS[machine] or self.random.random() < 0.6):
            return self.random.choice(free)
        symbol = self.symbol("machine verb" if machine else "hand verb")
        weight = 1 - self.asked.spread * self.random.random()
        place = self.place() if machine and self.random.random() < self.asked.placed else ""
        verb = _Verb(symbol, machine, stage, weight, place)
        self.verbs.append(verb)
        return verb

    def place(self) -> str:
        """One of the vessels and devices."""
        index = self.random.randrange(self.asked.places)
        if index < len(self.places):
            return self.places[index]
        place = self.symbol(self.random.choice(PLACES))
        self.places.append(place)
        if self.random.random() < self.asked.common:
            self.kit.append(place)
        return place

    def symbol(self, role: Role) -> str:
        """A new symbol, such as ``m3``."""
        letter = LETTERS[role]
        name = f"{letter}{1 + sum(known[0] == letter for known in self.symbols)}"
        self.symbols[name] = Symbol(role)
        return name

    # --- how long it takes -----------------------------------------------------------------------------

    def minutes(self, machine: bool, weight: float) -> int:
        """Of a step or a verb; what runs by itself takes longer than its start."""
        longest = self.machine_minutes if machine else self.asked.hand_minutes
        return max(1 + machine, round(longest * weight))

    def stretched(self) -> float:
        """About the longest minutes of a machine with which the agent's are ``load`` times those of the
        longest chain, or of the fullest place."""
        low, high = 2.0, MOST_MINUTES
        for _ in range(10):
            self.machine_minutes = (low + high) / 2
            if self.load().load > self.asked.load:
                low = self.machine_minutes
            else:
                high = self.machine_minutes
        return high

    def load(self) -> _Load:
        """What the required work comes to."""
        agent, whole, longest = 0, 0, 0
        in_place: dict[str, float] = {}
        for number, work in enumerate(self.required):
            ends: dict[_RoleName, int] = {}
            for step in _steps(work):
                minutes = self.minutes(step.verb.machine, step.weight)
                agent += 1 if step.verb.machine else minutes
                whole += minutes
                ends[step.role] = minutes + max((ends[need] for need in step.needs), default=0)
                if place := step.verb.place:
                    whose = place if place in self.kit else f"{place} of {number}"
                    in_place[whose] = in_place.get(whose, 0) + minutes / self.units(place)
            longest = max(longest, *ends.values())
        return _Load(agent, whole, max(longest, *in_place.values(), 0))

    def units(self, place: str) -> int:
        """How many of a place there are, at most: not every task may need it."""
        return self.asked.units * len(self.required) if place in self.kit and self.asked.kit == "own" else 1

    # --- in a file -------------------------------------------------------------------------------------

    def written(self, number: int, work: list[_Made]) -> dict[str, Any]:
        """A task as a file has it."""
        lures = self.spare(len(_steps(work)))
        required, spare = _steps(work), _steps(lures)
        things = [self.thing(each) for each in (*work, *lures)]
        things += self.used_places([*required, *spare])
        things += self.idle(len(things))
        return {
            "id": f"built{number}",
            "scenario": "built",
            "number": number,
            "title": f"The <{work[-1].thing}>",
            "goal": _goal(work),
            "verbs": list(dict.fromkeys(step.verb.name for step in (*required, *spare))),
            "actions": [step.action(False) for step in required] + [step.action(True) for step in spare],
            "things": things,
        }

    def thing(self, made: _Made) -> dict[str, Any]:
        """A material or product with its roles."""
        roles = [step.written(self.minutes(step.verb.machine, step.weight)) for step in made.steps]
        return {"name": f"<{made.thing}>", "roles": roles}

    def used_places(self, steps: Sequence[_Step]) -> Iterator[dict[str, Any]]:
        """The vessels and devices in which these steps take place."""
        for place in dict.fromkeys(step.verb.place for step in steps if step.verb.place):
            verbs = dict.fromkeys(step.verb.name for step in steps if step.verb.place == place)
            roles = [{"verb": v, "slot": 2, "minutes": 0, "before": "empty", "after": "full"} for v in verbs]
            for _ in range(self.asked.units if place in self.kit else 1):
                yield {"name": f"<{place}>", "roles": roles}

    def idle(self, things: int) -> list[dict[str, Any]]:
        """Things with which nothing can be done, for so many that there are."""
        drawn = [self.random.choice(("material", *PLACES)) for _ in range(round(self.asked.idle * things))]
        return [{"name": f"<{self.symbol(role)}>", "roles": []} for role in drawn]


def _steps(work: Sequence[_Made]) -> list[_Step]:
    return [step for each in work for step in each.steps]


def _parts(random: Random, total: int, most: Sequence[int], least: int = 1) -> list[int]:
    """Whole numbers that come to ``total``, none less than ``least``, none above its own ``most``."""
    parts = [least] * len(most)
    for _ in range(total - sum(parts)):
        parts[random.choice([index for index, part in enumerate(parts) if part < most[index]])] += 1
    return parts


def _goal(made: Sequence[_Made]) -> str:
    """What is to be there at the end, and what it is made of."""
    within = {part for each in made for part in each.parts}
    ends = [_told(each) for each in made if each.parts or each.thing not in within]
    return f"Get ready: {'; '.join(ends)}."


def _told(made: _Made) -> str:
    if not made.parts:
        return f"the <{made.thing}>, {made.steps[-1].verb.past}"
    *others, last = (f"<{part}>" for part in made.parts)
    return f"the <{made.thing}>, made of {', '.join(others)} and {last}"
