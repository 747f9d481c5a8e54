"""The rows that one scenario gives: it is played, told as conversations, or looked at state by state."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from graphlib import CycleError, TopologicalSorter
from typing import Any

import msgspec
from msgspec import Struct

from backburner.agents.models.client import Message
from backburner.agents.models.openai_client import offered, with_calls
from backburner.agents.models.toolbox import Toolbox
from backburner.agents.planned import GREEDY
from backburner.agents.roster import make_policies
from backburner.agents.spec import AgentSpec
from backburner.kernel import registry
from backburner.kernel.contract import World, rules_of
from backburner.kernel.errors import BackburnerError, Refused
from backburner.kernel.oracle import Kept, Solution
from backburner.kernel.play import play_now
from backburner.kernel.schedule import Activity, problem_of
from backburner.kernel.text import Text
from backburner.kernel.values import Refusal, Seat, canonical_json, digest
from backburner.training.export.conversations import Call, calls_of, conversations
from backburner.training.export.demonstrations import (
    MOST_STEPS,
    PROMPTED_BY,
    Best,
    Demonstration,
    LeftOut,
    Settings,
    best_of,
    played,
    worth,
)
from backburner.training.export.states import Choice, Moment, Pair, Values, branching, moments, pairs, said
from backburner.training.export.tables import (
    MESSAGES,
    PREFERENCES,
    SCENARIOS,
    STATES,
    Briefing,
    CallsRow,
    MessagesRow,
    Option,
    PreferenceRow,
    Said,
    ScenarioRow,
    StateRow,
    Told,
)
from backburner.training.export.thoughts import Thinker


class Given(Struct, frozen=True):
    """What a scenario gives: rows by the table's name, and what was asked for and is not there."""

    rows: Mapping[str, Sequence[Any]]
    left_out: tuple[LeftOut, ...]


def rows_of(id: str, settings: Settings, group: int, kept: Kept | None = None) -> Given:
    """Everything that a scenario gives.

    Raises ``MissingExtra`` where the oracle needs one.
    """
    world = registry.world(id, rules=settings.rules, limits=settings.limits)
    best = best_of(world, settings, kept)
    found = list(played(world, settings, best))
    shown = [one for one in found if isinstance(one, Demonstration)]
    left_out = [one for one in found if isinstance(one, LeftOut)]
    rows: dict[str, list[Struct]] = {}
    values = Values(world, settings.effort if settings.format == "trajectories" else 0)
    states = [list(moments(one, values)) for one in shown] if settings.format == "trajectories" else []
    if settings.format == "messages":
        rows[MESSAGES.name] = []
        for one in shown:
            _told(one, id, settings, rows[MESSAGES.name], left_out)
    else:
        rows[STATES.name] = [
            _state(one, id, m) for one, found in zip(shown, states, strict=True) for m in found
        ]
        rows[PREFERENCES.name] = []
        for one, found_here in zip(shown, states, strict=True):
            _compared(one, id, found_here, rows[PREFERENCES.name], left_out)
    first = shown[0] if shown else None
    menus = states[0] if states else list(moments(first, Values(world, 0))) if first is not None else []
    rows[SCENARIOS.name] = [_scenario(world, id, group, best, values, branching(menus))]
    return Given(rows, tuple(left_out))


def _told(
    shown: Demonstration, id: str, settings: Settings, rows: list[Struct], left_out: list[LeftOut]
) -> None:
    """The conversations of a demonstration, by every method that can have them."""
    thinker = Thinker(shown) if settings.thoughts else None
    for method in settings.methods:
        try:
            calls = calls_of(shown, method, thinker)
        except Refused as refusal:
            left_out.append(LeftOut(f"{shown.id} {method}", str(refusal)))
            continue
        for one in conversations(calls):
            made: Any = partial(CallsRow, tools=_offered(one.tools)) if one.tools.tools else MessagesRow
            rows.append(
                made(
                    id=f"{shown.id} {method} {one.seat} {one.first}",
                    **_episode(shown, id),
                    method=method,
                    seat=one.seat,
                    first_step=one.first,
                    last_step=one.last,
                    messages=_said(one.messages),
                    own=list(one.own),
                    **_result(shown),
                    informed=shown.informed,
                )
            )


def _said(messages: Iterable[Message]) -> list[Said]:
    return [
        msgspec.convert({**with_calls(message), "content": message.content}, Told)
        if message.calls or message.call
        else Said(message.role, message.content)
        for message in messages
    ]


def _offered(tools: Toolbox) -> str:
    return msgspec.json.encode(offered(tools)["tools"]).decode()


def _compared(
    shown: Demonstration, id: str, found: Sequence[Moment], rows: list[Struct], left_out: list[LeftOut]
) -> None:
    """The pairs of a demonstration, behind what plain prompting has sent up to there."""
    try:
        calls = {(call.seat, call.index): call for call in calls_of(shown, PROMPTED_BY, None)}
    except Refused as refusal:
        left_out.append(LeftOut(f"{shown.id}, pairs", str(refusal)))
        return
    for pair in pairs(shown, found):
        rows.append(_pair(shown, id, pair, calls[pair.moment.seat, pair.moment.index]))


def _pair(shown: Demonstration, id: str, pair: Pair, call: Call) -> PreferenceRow:
    moment = pair.moment

    def answer(decision: Any) -> list[Said]:
        return [Said("assistant", said(shown.world, decision, moment.seat))]

    return PreferenceRow(
        **_episode(shown, id),
        step=moment.index,
        seat=moment.seat,
        kind=pair.kind,
        prompt=_said(call.sent),
        chosen=answer(pair.chosen),
        rejected=answer(pair.rejected),
        lost=pair.lost,
        dead=pair.dead,
        refusal=pair.code,
        unit=shown.world.time_unit,
    )


def _state(shown: Demonstration, id: str, moment: Moment) -> StateRow:
    world, taken = shown.world, moment.taken
    own = [refusal for refusal in moment.step.refusals if refusal.seat in ("", moment.seat)]
    unread = isinstance(moment.decided, Refusal)
    return StateRow(
        episode=shown.id,
        **_episode(shown, id),
        step=moment.index,
        seat=moment.seat,
        text=_text(world, moment.state, moment.seat),
        state=canonical_json(moment.state).decode(),
        digest=digest(moment.state),
        menu=list(map(_option, moment.choices)),
        menu_complete=moment.complete,
        decision=taken.label,
        decision_json=None if unread else canonical_json(moment.decided).decode(),
        refusal=own[0].code if own else "",
        now=None if moment.now is None else moment.now.now,
        to_go=None if moment.now is None else moment.now.to_go,
        lost=taken.lost,
        dead=taken.dead,
        optimal=None if taken.optimal is None else taken.optimal and moment.accepted,
        last=not world.deciders(moment.step.state),
        optimal_decisions=[choice.label for choice in moment.choices if choice.optimal],
        reward=moment.rewards["sparse"],
        reward_score=moment.rewards["score"],
        reward_potential=moment.rewards["potential"],
        unit=world.time_unit,
    )


def _text(world: World[Any, Any, Any], state: Any, seat: Seat) -> str:
    return world.describe(world.observe(state, seat)) if isinstance(world, Text) else ""


def _option(choice: Choice) -> Option:
    return Option(choice.label, choice.passes, choice.finish, choice.lost, choice.dead, choice.optimal)


def _episode(shown: Demonstration, id: str) -> dict[str, Any]:
    header = shown.episode.header
    return {
        "world": header.world,
        "scenario": id,
        "rules": header.rules_name,
        "agent": shown.agent,
        "seed": shown.seed,
    }


def _result(shown: Demonstration) -> dict[str, Any]:
    best = shown.best
    return {
        "completed": shown.completed,
        "objective": shown.objective,
        "best": None if best is None else best.objective,
        "proven": best is not None and best.status == "optimal",
        "regret": shown.regret,
        "unit": shown.world.time_unit if best is None else best.unit,
    }


# --- a scenario, and how hard it is ------------------------------------------------------------------------


def _scenario(
    world: World[Any, Any, Any], id: str, group: int, best: Best, values: Values, choices: float | None
) -> ScenarioRow:
    known = best.solution
    greedy = None if known is None else _greedy(world, known)
    proven = known.objective if known is not None and known.status == "optimal" else None
    return ScenarioRow(
        world=world.id.partition("/")[0],
        scenario=id,
        parts=list(registry.parts(world)),
        group=group,
        rules=rules_of(world),
        limits=canonical_json(world.limits).decode(),
        digest=digest(world.scenario),
        world_version=world.version,
        best=None if known is None else known.objective,
        bound=None if known is None else known.bound,
        greedy=greedy,
        greedy_regret=None if greedy is None or proven is None else abs(greedy - proven),
        status="unknown" if known is None else known.status,
        **_schedule(world, proven),
        branching=choices,
        values=values.why,
        unit=world.time_unit if known is None else known.unit,
        briefings=[Briefing(seat, _briefing(world, seat)) for seat in world.seats],
    )


def _briefing(world: World[Any, Any, Any], seat: Seat) -> str:
    return world.briefing(seat) if isinstance(world, Text) else ""


def _greedy(world: World[Any, Any, Any], known: Solution) -> int | None:
    try:
        episode = play_now(world, make_policies(AgentSpec(GREEDY), world), max_steps=MOST_STEPS)
    except BackburnerError:
        return None
    return None if episode.ending is None else worth(known, episode.ending.numbers)


def _schedule(world: World[Any, Any, Any], makespan: int | None) -> dict[str, Any]:
    """The critical path, the operator's work and the mean slack, where one problem stands for everything."""
    try:
        activities = problem_of(world).activities
        earliest = _earliest(activities)
    except (Refused, CycleError):  # what waits for itself has no earliest start
        return dict.fromkeys(("critical_path", "work", "activities", "slack"))
    after = {a.name: [b.name for b in activities if a.name in b.predecessors] for a in activities}
    path = max((earliest[a.name] + a.duration for a in activities), default=0)
    slack = None
    if makespan is not None and activities:
        latest = _latest(activities, after, makespan)
        slack = sum(latest[a.name] - earliest[a.name] for a in activities) / len(activities)
    return {
        "critical_path": path,
        "work": sum(a.operator_time for a in activities),
        "activities": len(activities),
        "slack": slack,
    }


def _earliest(activities: Sequence[Activity]) -> dict[str, int]:
    """The start of each activity if nothing but its predecessors held it up."""
    by_name = {activity.name: activity for activity in activities}
    found: dict[str, int] = {}
    for name in _in_order(activities):
        before = by_name[name].predecessors
        found[name] = max((found[one] + by_name[one].duration for one in before), default=0)
    return found


def _latest(
    activities: Sequence[Activity], after: Mapping[str, Sequence[str]], makespan: int
) -> dict[str, int]:
    """The last start of each activity with which what waits for it can still end by the makespan."""
    by_name = {activity.name: activity for activity in activities}
    found: dict[str, int] = {}
    for name in reversed(list(_in_order(activities))):
        found[name] = min((found[one] for one in after[name]), default=makespan) - by_name[name].duration
    return found


def _in_order(activities: Sequence[Activity]) -> Iterator[str]:
    yield from TopologicalSorter({a.name: a.predecessors for a in activities}).static_order()
