"""Recorded runs of the released TimeArena program, replayed: text in, every recorded field out."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

from backburner.kernel import registry
from backburner.kernel.values import Event, Step
from backburner.worlds.timearena.game import Limits, TimeArena
from backburner.worlds.timearena.game.state import State
from backburner.worlds.timearena.game.transition import AGENT
from support.recordings import Compare, each, episodes_in

CRASHED = "upstream_exception"


def test_recorded_runs_replay_exactly(vectors: Path, compare: Compare) -> None:
    compare("timearena.json", "steps", each(episodes_in(vectors, "timearena.json"), replay))


def replay(episode: dict[str, Any]) -> int:
    """Play an episode's texts under released rules; returns the number of steps compared."""
    world = world_of(episode)
    assert [item.name for item in world.compiled.items] == episode["objects"], episode["id"]
    state = world.start()
    for number, recorded in enumerate(episode["steps"]):
        where = f"{episode['id']} step {number}: {recorded['action']!r}"
        before = state
        step = world.step(state, {AGENT: world.parse(state, AGENT, recorded["action"])})
        state = step.state
        if recorded["feedback_kind"] == CRASHED:
            assert step.refusals, where  # where the released program crashed, ours refuses
            return number
        assert told(world, before, step, recorded) == recorded, where
    assert ending(world, state) == episode["final"], episode["id"]
    return len(episode["steps"])


def world_of(episode: dict[str, Any]) -> TimeArena:
    path = "+".join(episode["tasks"]) + ("@kit=one" if episode["constraint"] else "")
    limits = Limits(minutes=episode["time_limit"], errors=5)
    world = registry.world(f"timearena/{path}", rules="released", limits=limits)
    assert isinstance(world, TimeArena)
    return world


def told(world: TimeArena, before: State, step: Step[State], recorded: dict[str, Any]) -> dict[str, Any]:
    """The step in the words of the recordings."""
    state = step.state
    fields: dict[str, Any] = {
        "action": recorded["action"],
        "t_before": before.minute,
        "t_after": state.minute,
        **feedback(world, state),
    }
    if state.ended != "quit":
        fields |= {
            "reported": reported(world, before, step),
            "finished": finished(world, step.events),
            "n_finished": state.finished.bit_count(),
            "score_by_minute": score_by_minute(before, step),
            "score": state.score,
            "env_score": 100 * state.earned // world.compiled.total_minutes,
            "occupied": occupied(world, before, step),
            "streak": state.errors_in_a_row,
        }
    if state.ended:
        fields |= {"done": True, "done_reason": state.ended}
    return fields


def occupied(world: TimeArena, before: State, step: Step[State]) -> list[str]:
    """The things in use. When the time limit cuts an action off, the release does not look any more
    at what ended after the action's first minute, and leaves it marked."""
    acts = [running.act for running in step.state.running]
    told = step.state.feedback
    if told.kind == "start" and before.minute + told.minutes > step.state.minute:
        late = {e.label for e in step.events if e.what == "end" and e.time > before.minute + 1}
        acts += [running.act for running in before.running if world.words(running.act) in late]
    return sorted({name for act in acts for name in (act.first, act.second) if name})


def feedback(world: TimeArena, state: State) -> dict[str, Any]:
    told = state.feedback
    if told.kind == "start" and told.act is not None:
        occupies = bool(world.compiled.verbs[told.act.verb].occupies_agent)
        return {"feedback_kind": "action_start", "minutes": told.minutes, "occupies_agent": occupies}
    if told.kind != "refused" or told.refusal is None:
        return {"feedback_kind": told.kind}
    detail = {key: list(value) if isinstance(value, tuple) else value for key, value in told.refusal.detail}
    return {"feedback_kind": told.refusal.code, **detail}


def finished(world: TimeArena, events: tuple[Event, ...]) -> list[list[Any]]:
    """[object, verb, minute] of the roles that were finished, from the events alone."""
    acts = {world.words(attempt.act): attempt for attempt in world.rulebook.legality.fitting}
    ends = [event for event in events if event.what == "end" and event.label in acts]
    found = [[acts[e.label].act.first, acts[e.label].act.verb, e.time] for e in ends if acts[e.label].bit]
    return sorted(found, key=lambda item: (item[2], item[0], item[1]))  # the recordings' order


def reported(world: TimeArena, before: State, step: Step[State]) -> list[list[str]]:
    """The messages; the recordings sort them within each observation.

    An occupying action has two observations, after its first minute and after its last.
    """
    messages = [list(report) for report in step.state.reports]
    first = len([f for f in finished(world, step.events) if f[2] == before.minute + 1])
    if step.state.feedback.kind != "start" or step.state.minute == before.minute + 1:
        first = 0
    return sorted(messages[:first]) + sorted(messages[first:])


def score_by_minute(before: State, step: Step[State]) -> list[int]:
    changes = {event.time: event.value for event in step.events if event.what == "score"}
    scores = [before.score]
    for minute in range(before.minute + 1, step.state.minute + 1):
        scores.append(int(changes.get(minute) or scores[-1]))
    return scores[1:]


def ending(world: TimeArena, state: State) -> dict[str, Any]:
    outcome = world.outcome(state)
    return {
        "time": state.minute,
        "score": state.score,
        "completed": bool(outcome.numbers["completed"]),
        "reason": state.ended,
    }


def test_scores_never_fall_in_a_minute() -> None:
    """The reconstruction above relies on it: two changes in one minute keep the later one."""
    world = registry.world("timearena/cooking1", rules="released")
    state = world.start()
    for text in ("pick rice", "cook rice in pot", "wash dish"):
        step = world.step(state, {AGENT: world.parse(state, AGENT, text)})
        values = [event.value for event in step.events if event.what == "score"]
        assert all(a <= b for a, b in pairwise(values))
        state = step.state
