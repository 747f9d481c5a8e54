"""Plans of small kitchens: made step by step in the world, or by the solver; then one thing is spoilt."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from random import Random
from typing import NamedTuple

from msgspec.structs import replace

from backburner.kernel.schedule import Activity, Problem, problem_of
from backburner.scheduling.makespan import solve_problem
from backburner.scheduling.preemption import merged, part_name, with_preemption
from backburner.worlds.recipe2plan.game import Cook, Piece, Recipe, Recipe2Plan, Step
from backburner.worlds.recipe2plan.game.compiled import COOK
from backburner.worlds.recipe2plan.metrics.critics import in_order
from support.recipe2plan.play import kitchen_of
from support.recipe2plan.small_recipes import ANYTHING, HEAT, LAGS, kitchen
from support.scheduling.verdicts import by_model, by_world

Plan = tuple[Piece, ...]


class KitchenPlan(NamedTuple):
    """A plan for two recipes. Its verdicts are the second at which it ends, or ``None``."""

    recipes: tuple[Recipe, ...]
    plan: Plan

    @property
    def world(self) -> Recipe2Plan:
        """Compiled anew."""
        return kitchen_of(*self.recipes)

    def by_model(self) -> int | None:
        """What the model says of the plan, cut into pieces of one step of the grid."""
        problem = problem_of(self.world)
        starts = on_the_grid(problem, self.plan)
        last = None if starts is None else by_model(with_preemption(problem), starts)
        return None if last is None else last * problem.grid

    def by_world(self) -> int | None:
        """What the world says of it."""
        world = self.world
        return by_world(world, lambda: [Cook(in_order(world.scenario, self.plan))])

    def refused(self) -> str:
        """The code of the world's refusal, or nothing."""
        world = self.world
        step = world.step(world.start(), {COOK: Cook(in_order(world.scenario, self.plan))})
        return step.refusals[0].code if step.refusals else ""

    def joined_by_world(self) -> int | None:
        """What the world says of it without needless breaks: where nothing starts, one action goes on."""
        world = self.world
        problem = problem_of(world)
        starts = on_the_grid(problem, self.plan)
        return None if starts is None else by_world(world, lambda: world.plan(merged(problem, starts)))


def on_the_grid(problem: Problem, plan: Plan) -> Mapping[str, int] | None:
    """The plan in steps of the grid, what can be split in pieces of one step; ``None`` if it is no plan.

    It is one if each activity is done for as long as it takes, and in one go unless it can be split.
    """
    done: dict[str, list[Piece]] = defaultdict(list)
    for piece in plan:
        done[f"{piece.recipe} {piece.step}"].append(piece)
    known = {activity.name: activity for activity in problem.activities}
    if done.keys() != known.keys() or not all(_is_done(known[name], done[name]) for name in known):
        return None
    starts: dict[str, int] = {}
    for name, pieces in done.items():
        times = sorted(t for p in pieces for t in range(p.start, p.stop, problem.grid))
        if not known[name].preemptive:
            times = times[:1]
        for number, time in enumerate(times):
            starts[part_name(name, number)] = time // problem.grid
    return starts


def _is_done(activity: Activity, pieces: Sequence[Piece]) -> bool:
    takes_time = all(piece.seconds > 0 for piece in pieces)
    in_one_go = activity.preemptive or len(pieces) == 1
    return takes_time and in_one_go and sum(piece.seconds for piece in pieces) == activity.duration


# --- made at random -------------------------------------------------------------------------------


def kitchen_plans(random: Random) -> list[KitchenPlan]:
    """A plan of a small kitchen, and three in which one thing is not as in that one; none may exist."""
    unit = random.choice([1, 1, 2])
    recipes = kitchen(random, unit, random.choice([ANYTHING, HEAT, LAGS]))
    world = kitchen_of(*recipes)
    solved = _solved(world)
    if not solved:
        return []
    plan = random.choice([solved, _played(random, world, unit) or solved])
    spoilt = (_spoilt(random, plan, unit) for _ in range(3))
    return [KitchenPlan(recipes, each) for each in (plan, *spoilt)]


def _solved(world: Recipe2Plan) -> Plan:
    """The shortest plan by the model; nothing if there is none."""
    starts = solve_problem(problem_of(world)).starts
    return () if starts is None else world.plan(starts)[0].actions


def _played(random: Random, world: Recipe2Plan, unit: int) -> Plan:
    """What is possible in the world, sometimes later than necessary or only a piece of it.

    Nothing if that comes to a dead end.
    """
    state, plan = world.start(), []
    while not state.ended and (possible := world.rulebook.legality.possible(state.kitchen)):
        whole = random.choice(possible)
        for piece in (_varied(random, world, whole, unit), whole):
            step = world.step(state, {COOK: Cook((piece,))})
            if not step.refusals:
                plan.append(piece)
                state = step.state
                break
    return tuple(plan) if state.ended else ()


def _varied(random: Random, world: Recipe2Plan, piece: Piece, unit: int) -> Piece:
    """The same piece, one that starts later, or one that is shorter, where that may be done."""
    start = piece.start + unit * random.choice([0, 0, 0, 1, 2])
    splittable = world.compiled.jobs_of[piece.recipe][piece.step].step.splittable
    shorter = unit * random.randint(1, piece.seconds // unit)
    return replace(piece, start=start, seconds=shorter if splittable else piece.seconds)


WAYS = (
    *["sooner or later", "all from here on"] * 4, *["swapped", "together"] * 2, "one after the other",
    *["split", "split with a gap"] * 2, "left out", *["twice"] * 2, "longer or shorter", "for no time",
    "of no recipe",
)  # fmt: skip


def _spoilt(random: Random, plan: Plan, unit: int) -> Plan:
    """The plan with one thing changed, which may well be as good."""
    here, there = random.randrange(len(plan)), random.randrange(len(plan))
    piece, other, rest = plan[here], plan[there], (*plan[:here], *plan[here + 1 :])
    by = unit * random.choice([-2, -1, -1, 1, 1, 2])
    match random.choice(WAYS):
        case "sooner or later":
            return (*rest, replace(piece, start=piece.start + by))
        case "all from here on":
            return tuple(replace(p, start=p.start + by) if p.start >= piece.start else p for p in plan)
        case "swapped":
            moved = {here: other.start, there: piece.start}
            return tuple(replace(p, start=moved.get(place, p.start)) for place, p in enumerate(plan))
        case "together":
            return (*rest, replace(piece, start=other.start))
        case "one after the other":
            return (*rest, replace(piece, start=other.stop))
        case "left out":
            return rest
        case "twice":
            return (*plan, replace(piece, start=random.choice([piece.start, piece.stop, other.stop])))
        case "longer or shorter":
            return (*rest, replace(piece, seconds=piece.seconds + by))
        case "for no time":
            return (*plan, replace(piece, seconds=0, start=random.choice([piece.start, piece.stop])))
        case "of no recipe":
            return (*rest, replace(piece, **random.choice(({"recipe": "C"}, {"step": 3}, {"step": -1}))))
        case way:
            longest = max(plan, key=lambda p: p.seconds)
            cut = unit * random.randint(1, max(1, longest.seconds // unit - 1))
            gap = by if way == "split with a gap" else 0
            second = replace(longest, start=longest.start + cut + gap, seconds=longest.seconds - cut)
            return (*(p for p in plan if p != longest), replace(longest, seconds=cut), second)


# --- what chance hardly ever comes upon -----------------------------------------------------------


def _oven(seconds: int, sets: int | None = None, by_hand: bool = False) -> Step:
    return Step("Do it.", seconds, autonomous=not by_hand, appliance="oven", sets_fahrenheit=sets)


def rare_plans() -> list[KitchenPlan]:
    """Two steps in one oven at a time."""
    same = (Recipe("A", (_oven(2, 350),)), Recipe("B", (_oven(2, 350), Step("Do it.", 1))))
    other = (Recipe("A", (_oven(1, 350), _oven(1, 350))), Recipe("B", (_oven(1, 400),)))
    by_hand = (other[0], Recipe("B", (_oven(1, by_hand=True),)))
    in_turn = (Piece(0, "A", 1, 0), Piece(1, "A", 1, 1), Piece(0, "B", 1, 1))
    plans = (
        (same, (Piece(0, "A", 2, 0), Piece(0, "B", 2, 0), Piece(1, "B", 1, 0))),  # they preheat together
        (same, (Piece(0, "A", 2, 0), Piece(0, "B", 2, 1), Piece(1, "B", 1, 0))),  # one starts later
        (other, in_turn),  # one sets another temperature
        (by_hand, in_turn),  # the oven is hot already, but the cook begins before it is set again
    )
    return [KitchenPlan(recipes, plan) for recipes, plan in plans]
