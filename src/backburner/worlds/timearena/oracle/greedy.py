"""TimeArena's own oracle: the greedy algorithm of the article, as the released script computes it.

(Article: section 4.1 and Algorithm 1 in the appendix.) The script ranks the actions and simulates an
agent that always starts the first action of the ranking whose requirements have ended, and lets a
minute go by if there is none. A ranking takes up the background actions one by one, each behind what
leads up to it; the rest follow in the order of the file. The result is the latest end, the least one
over all orders of the background actions. (Algorithm 1 as printed stops the clock when the last
action has *started*.)

The script knows neither things in use nor limited kit, and has a requirements graph of its own
(``Required.script_after``), so its plan may be one that the world refuses. One defect is left out:
the script counts what it has not planned yet as finished after minute 100, and never reports more
than 100 minutes. No published set is that long.

As an agent, the order that the script computes is what is preferred.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from graphlib import CycleError
from itertools import islice
from math import inf

from msgspec import Struct

from backburner.kernel.errors import Refused
from backburner.kernel.policy import Policy, PriorityPolicy, once_per_world
from backburner.scheduling.makespan import critical_path, leading_up_to
from backburner.worlds.timearena.game import Act, TimeArena
from backburner.worlds.timearena.game.compiled import Required

MOST_RANKINGS = 40_320
"""8!, the orders of eight background actions; the published sets have at most seven."""


class GreedyPlan(Struct, frozen=True):
    """The script's plan: its length in ``minutes``, the ranking behind it as ``order``, the
    start of each action.

    ``exhaustive``: no ranking gives fewer minutes. If it is false, there were too many to try, and
    ``minutes`` is the least of those tried, longest background action first.
    """

    minutes: int
    order: tuple[str, ...]
    starts: dict[str, int]
    exhaustive: bool


def greedy_plan(world: TimeArena, *, most_rankings: int = MOST_RANKINGS) -> GreedyPlan:
    """The script's plan for the required actions of a world, whatever else its rules say.

    Of several rankings with equally few minutes it keeps the first. It stops at a plan as short as
    the agent's work or the longest chain of actions: no ranking can beat that. Raises ``Refused`` if
    the script's requirements go round in a circle.
    """
    required = world.compiled.required
    actions = {action.name: action for action in required}
    least = _least_minutes(actions)
    best = GreedyPlan(0, (), {}, exhaustive=True)
    candidates = rankings(required)
    for ranking in islice(candidates, most_rankings):
        starts = simulate(actions, ranking, give_up_at=best.minutes or inf)
        if starts is None:
            continue
        minutes = max((start + actions[name].minutes for name, start in starts.items()), default=0)
        best = GreedyPlan(minutes, ranking, starts, exhaustive=True)
        if minutes == least:
            return best
    return GreedyPlan(best.minutes, best.order, best.starts, exhaustive=next(candidates, None) is None)


def rankings(required: Sequence[Required]) -> Iterator[tuple[str, ...]]:
    """Each ranking that some order of the background actions gives, once; longest-first order first."""
    actions = {action.name: action for action in required}
    background = [action for action in required if not action.occupies_agent]
    longest_first = [action.name for action in sorted(background, key=lambda action: -action.minutes)]
    before = {name: leading_up_to(name, lambda of: actions[of].script_after) for name in longest_first}
    known: set[tuple[str, ...]] = set()

    def extend(ranked: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        # What was ranked on the way to another background action needs no turn of its own, and
        # the same beginning reached in another order has the same continuations.
        if ranked in known:
            return
        known.add(ranked)
        placed = set(ranked)
        left = [name for name in longest_first if name not in placed]
        for name in left:
            group = (*before[name], name)
            yield from extend((*ranked, *(member for member in group if member not in placed)))
        if not left:
            yield (*ranked, *(name for name in actions if name not in placed))

    return extend(())


def simulate(
    actions: Mapping[str, Required], ranking: Sequence[str], *, give_up_at: float = inf
) -> dict[str, int] | None:
    """The start of each action under a ranking; ``None`` as soon as it must last to ``give_up_at``."""
    waiting = list(ranking)
    starts: dict[str, int] = {}
    ends: dict[str, int] = {}
    work_left = sum(_operator_time(action) for action in actions.values())
    clock = 0
    while waiting:
        if clock + work_left >= give_up_at:
            return None
        for name in waiting:
            if all(ends.get(before, inf) <= clock for before in actions[name].script_after):
                break
        else:
            clock = min(end for end in ends.values() if end > clock)  # nothing can change before
            continue
        waiting.remove(name)
        starts[name], ends[name] = clock, clock + actions[name].minutes
        clock += _operator_time(actions[name])
        work_left -= _operator_time(actions[name])
        if ends[name] >= give_up_at:
            return None
    return starts


def _operator_time(action: Required) -> int:
    """The agent's minutes: all of them, or the one in which it starts a background action."""
    return action.minutes if action.occupies_agent else 1


def _least_minutes(actions: Mapping[str, Required]) -> int:
    try:
        chain = critical_path(
            {name: action.minutes for name, action in actions.items()},
            {name: action.script_after for name, action in actions.items()},
        )
    except CycleError as error:
        circle = " after ".join(error.args[1])
        raise Refused(
            f"the requirements in the released oracle script go round in a circle: {circle}"
        ) from error
    return max(chain, sum(_operator_time(action) for action in actions.values()))


# --- the script as an agent -----------------------------------------------------------------------------


def greedy(world: TimeArena) -> Policy:
    """Takes, of what is possible, what stands first in the script's order."""
    return PriorityPolicy("greedy", _order(world))


@once_per_world
def _order(world: TimeArena) -> tuple[Act, ...]:
    acts = {required.name: required.acts for required in world.compiled.required}
    return tuple(act for name in greedy_plan(world).order for act in acts[name])
