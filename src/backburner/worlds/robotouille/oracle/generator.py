"""New kitchens, drawn for a task or composed freely, and what is measured of them.

Things keep the names of the domain, and drafts have no symbols: predicates such as ``iscuttable``, the
domain's sentences and its guide tell of lettuce and stoves, so that a kitchen under other names would need a
domain of its own, of which there are no examples to show.

Walking takes one step, whatever the distance, so that a larger grid asks for nothing. How many steps play may
take is a multiple of the shortest plan, which therefore stands in a kitchen's file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import Any

import msgspec
from msgspec.structs import replace

from backburner.kernel.errors import Refused
from backburner.kernel.generating import Draft, Draw, Generator, Parameter, Rejected, Structure, Work
from backburner.kernel.oracle import Solution
from backburner.kernel.pack import Argument
from backburner.kernel.policy import once_per_world
from backburner.kernel.schedule import Activity, Problem
from backburner.worlds.robotouille.game import Acts, Robotouille
from backburner.worlds.robotouille.game.dependencies import needed
from backburner.worlds.robotouille.game.generator import NoRoom
from backburner.worlds.robotouille.game.scenario_files import ScenarioFile, file_of
from backburner.worlds.robotouille.game.scenarios import PLAYS, KnownPlan, Scenario
from backburner.worlds.robotouille.game.schema import PLAYER, STATION, TOLD
from backburner.worlds.robotouille.oracle.dishes import Knobs, composed
from backburner.worlds.robotouille.oracle.solver import states_along
from backburner.worlds.robotouille.oracle.templates import Rule, Template, drawn, name_of, read_template


def _needs(world: Robotouille) -> Mapping[str, int]:
    return needed(world.compiled)


needs_of = once_per_world(_needs)
"""How many things of each kind a kitchen's goal takes."""


MOST_DISHES = 2
"""Of a draft: shortest plans for three are not proven in a minute."""


class KitchenGenerator(Generator):
    """Draws kitchens in which goals stay within reach; see ``game.generator``."""

    help = (
        "Draw new kitchens for a task, or for dishes that are drawn as well. "
        "Each file tells its shortest plan, from which limits and scores are counted."
    )
    parameters = (
        Parameter(
            name="stacks",
            kind="whole",
            low=0,
            high=2,
            help="Sandwiches and burgers; one at least without soup, and two dishes at most.",
        ),
        Parameter(name="soups", kind="whole", low=0, high=1, help="Soups."),
        Parameter(name="fillings", kind="whole", low=1, high=3, help="What goes into each dish."),
        Parameter(name="worked", kind="real", help="Share of the fillings that take work."),
        Parameter(name="alone", kind="real", help="Share of that work of which some goes on by itself."),
        Parameter(name="ordered", kind="choice", values=("no", "yes"), help="Whether stacks have an order."),
        Parameter(name="stacked", kind="real", help="Share of items that lie on another one at first."),
        Parameter(name="units", kind="whole", low=1, high=2, help="Stations of each kind of work."),
        Parameter(
            name="times", kind="whole", low=1, high=10, prior="log-uniform", help="Steps of what goes on."
        ),
        Parameter(name="cuts", kind="whole", low=1, high=4, help="How often something is cut."),
        Parameter(name="spare", kind="whole", low=0, high=5, help="Stations and items beside those needed."),
    )
    arguments = (
        Argument(name="task", help="A task such as synchronous/3, or a file with a problem of yours."),
        Argument(name="domain", kind="path", help="A file with your problem's domain; by default ours."),
        Argument(name="size", help="Cells across and up, such as 4x3; by default the task's."),
        Argument(name="robots", kind="whole number", help="How many; by default the task's, or one."),
        Argument(
            name="noise", kind="whole number", help="Stations that nobody needs; by default it is drawn."
        ),
        Argument(name="spread", kind="switch", default=False, help="Take stacks apart."),
        Argument(name="play", default="turns", values=PLAYS, help="Who decides when."),
        Argument(name="told", default="plain", values=TOLD, help="What briefings tell of actions."),
        Argument(name="rules", default="standard", help="Rule set: standard or released."),
    )
    dials: Mapping[str, str] = {
        "length": "pieces of work and things put together, without walking and carrying",
        "decisions": "decisions of the proven plan that are no waiting",
        "width": "time of all deeds and walks, and of what goes on alone, over the plan's steps",
        "attention": "share of the plan's steps in which robots do something",
        "chain": "longest path of times through the task graphs over the plan's steps",
        "depth": "pieces of work on the longest path through a task graph",
        "joins": "share of the work that waits for two or more others",
        "contention": "work at one kind of station that comes in no set order",
        "distractors": "share of stations, items and containers that no dish takes",
        "lures": "share of the actions on menus about things that no dish takes",
        "hidden": "durations of work, and what it needs, that briefings do not tell",
        "gap": "steps of a script over those of the shortest plan",
        "choice": "decisions at which some action costs steps",
        "steps": "steps of the shortest plan",
        "handovers": "things taken up by another robot than held them last, over the pieces of work",
    }
    scripts = ("greedy",)
    yardstick = "greedy"
    lengths = ((5, 8), (9, 12), (13, 20))
    effort = 20.0

    def draft(self, parameters: Mapping[str, Any], options: Mapping[str, Any], draw: Draw) -> Draft:
        """The kitchen of a seed for a task; without one, of dishes drawn by the parameters."""
        rule = _rule(options)
        if not options.get("task"):
            return Draft(_fields(self._free(parameters, options, rule, draw)))
        template = read_template(options["task"], options.get("domain"))
        try:
            scenario = drawn(template, rule, draw.seed)
        except NoRoom:
            raise Rejected("no room") from None
        return Draft(_fields(scenario), path=name_of(template, rule, draw.seed))

    def _free(
        self, parameters: Mapping[str, Any], options: Mapping[str, Any], rule: Rule, draw: Draw
    ) -> Scenario:
        if options.get("domain"):
            raise Refused("robotouille: say task=FILE, a problem over your domain")
        spare = parameters["spare"] if rule.noise is None else rule.noise
        knobs = {name: parameters[name] for name in Knobs.__struct_fields__}
        stacks = min(knobs["stacks"] or 1 - knobs["soups"], MOST_DISHES - knobs["soups"])
        knobs |= {"stacks": stacks, "ordered": knobs["ordered"] == "yes"}
        problem = composed(Knobs(**knobs), spare, rule.robots or 1, draw.random)
        try:
            return drawn(Template("drawn", problem), replace(rule, noise=spare), draw.random.getrandbits(32))
        except NoRoom:
            raise Rejected("no room") from None

    def structure(self, world: Robotouille) -> Structure:
        """The task graphs, and as the ground what holds of the things at first."""
        problems = world.problems()
        works = tuple(
            Work(_numbered(activity, number), job=name)
            for number, (name, problem) in enumerate(problems.items(), 1)
            for activity in problem.activities
        )
        resources = {
            resource.name: resource for problem in problems.values() for resource in problem.resources
        }
        return Structure(
            activities=works,
            resources=tuple(resources.values()),
            bodies=world.robots,
            objects=dict(_objects(world)),
            told=_told(world, problems),
            ground=_ground(world),
        )

    def is_needed(self, world: Robotouille, decision: Any) -> bool:
        """Whether an action is about nothing but kinds of things that the goal takes."""
        layout = world.compiled.layout(world.compiled.start)
        actions = (world.compiled.find(layout, name) for name in decision.acts)
        args = (layout.objects[arg] for action in actions if action is not None for arg in action.args)
        return all(thing.type == PLAYER or _takes(needs_of(world), thing) for thing in args)

    def with_answer(
        self, fields: Mapping[str, Any], options: Mapping[str, Any], solution: Solution
    ) -> Mapping[str, Any]:
        """The file with its shortest plan."""
        plan = KnownPlan(
            solution.objective or 0, solution.bound or 0, solution.plan, options.get("rules", "standard")
        )
        told = {**fields, "known_plan": msgspec.to_builtins(plan)}
        return {name: told[name] for name in ScenarioFile.__struct_fields__ if name in told}

    def own(
        self, world: Robotouille, solution: Solution | None, decisions: Sequence[Mapping[str, Acts]]
    ) -> Mapping[str, float]:
        """The steps of the plan, and how often things change hands."""
        if solution is None or solution.objective is None:
            return {}
        length = sum(len(problem.activities) for problem in world.problems().values())
        return {
            "steps": float(solution.objective),
            "handovers": _handovers(world, decisions) / max(1, length),
        }


def _rule(options: Mapping[str, Any]) -> Rule:
    said = {name: options[name] for name in Rule.__struct_fields__ if options.get(name) is not None}
    width, height = _size(options.get("size"))
    return Rule(**{**said, "width": width, "height": height})


def _size(text: str | None) -> tuple[int | None, int | None]:
    """``4x3`` as (4, 3); raises ``Refused``."""
    if text is None:
        return None, None
    sides = text.split("x")
    if len(sides) != 2 or not all(side.isascii() and side.isdigit() and len(side) < 4 for side in sides):
        raise Refused(f"robotouille: size is cells across and up, such as 4x3, not {text!r}")
    return int(sides[0]), int(sides[1])


def _fields(scenario: Scenario) -> Mapping[str, Any]:
    """A scenario's file without ``world`` and ``id``."""
    fields: dict[str, Any] = msgspec.to_builtins(file_of("draft", scenario))
    return {name: value for name, value in fields.items() if name not in ("world", "id")}


# --- what is measured ---------------------------------------------------------------------------------------


def _numbered(activity: Activity, number: int) -> Activity:
    """An activity under a name that no other dish has."""
    before = tuple(f"{number} {name}" for name in activity.predecessors)
    return replace(activity, name=f"{number} {activity.name}", predecessors=before)


def _takes(needs: Mapping[str, int], thing: Any) -> bool:
    return thing.kind in needs or thing.type in needs


def _objects(world: Robotouille) -> Iterator[tuple[str, bool]]:
    """The things, and whether the goal takes them: of each kind so many as it takes, of stations all."""
    left = dict(needs_of(world))
    for thing in world.compiled.layout(world.compiled.start).objects:
        if thing.type == PLAYER:
            continue
        kind = thing.kind if left.get(thing.kind) else thing.type
        yield thing.name, bool(left.get(kind))
        if thing.type != STATION and kind in left:
            left[kind] -= 1


def _told(world: Robotouille, problems: Mapping[str, Problem]) -> Mapping[str, tuple[int, int]]:
    """Facts that only an action's notes tell (see ``schema.Guide``): times of work, and what it needs."""
    guide, told = world.compiled.domain.file.guide, TOLD.index(world.scenario.told)
    found = {"durations": [0, 0], "precedence": [0, 0]}
    for activity in (activity for problem in problems.values() for activity in problem.activities):
        action = activity.name.split()[0]
        for name, number, notes, least in (
            ("durations", int(activity.duration > 1), guide.times, 1),
            ("precedence", len(activity.predecessors), guide.conditions, 2),
        ):
            found[name][0] += number
            found[name][1] += 0 if told >= least and action in notes else number
    return {name: (all_of_them, hidden) for name, (all_of_them, hidden) in found.items()}


def _ground(world: Robotouille) -> tuple[tuple[int, ...], ...]:
    """What holds at first of each thing (on the diagonal) and of each two, as numbers.

    Where things lie on the grid is left out, as no rule depends on it.
    """
    compiled = world.compiled
    layout = compiled.layout(compiled.start)
    alone: list[list[str]] = [[thing.type, thing.kind] for thing in layout.objects]
    square = [[0] * len(alone) for _ in alone]
    for predicate, things in layout.true_atoms(compiled.start.facts):
        if len(things) == 2:
            square[things[0]][things[1]] |= 1 << predicate
        else:
            for place, thing in enumerate(things):
                alone[thing].append(f"{predicate}/{place}")
    for thing, facts in enumerate(alone):
        square[thing][thing] = int.from_bytes(blake2b("\n".join(facts).encode(), digest_size=6).digest())
    return tuple(map(tuple, square))


def _handovers(world: Robotouille, decisions: Sequence[Mapping[str, Acts]]) -> int:
    """How often a robot takes up what another one held last."""
    placement = world.compiled.domain.placement
    holds = [placement[role] for role in ("holds_item", "holds_container") if role in placement]
    last: dict[int, int] = {}
    number = 0
    for state in states_along(world, tuple(decisions)):
        layout, facts = world.compiled.layout(state.kitchen), state.kitchen.facts
        for predicate in holds:
            for _, (robot, thing) in layout.true_atoms(facts & layout.of_predicate[predicate]):
                number += last.setdefault(thing, robot) != robot
                last[thing] = robot
    return number


GENERATOR = KitchenGenerator()
