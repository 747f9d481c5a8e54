"""Recorded runs of the released Recipe2Plan program, replayed: text in, every recorded field out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from backburner.kernel.values import Refusal, Step
from backburner.worlds.recipe2plan.game import RELEASED, Cook, Limits, Piece, Recipe2Plan
from backburner.worlds.recipe2plan.game.compiled import COOK
from backburner.worlds.recipe2plan.game.reading import (
    LOG,
    PLAN_AGENT,
    SUMMARY,
    SUMMARY_REPAIRED,
    PlanReading,
    cut,
)
from backburner.worlds.recipe2plan.game.rule_set import LOG_LIMITS, LOG_RULES, NO_LIMITS
from backburner.worlds.recipe2plan.game.state import Kitchen, State
from backburner.worlds.recipe2plan.game.text import REMINDER
from backburner.worlds.recipe2plan.metrics import plans
from support.recipe2plan.play import world_of
from support.recordings import Compare, each, episodes_in

KIND = {"started": "ok_autonomous", "cooked": "ok_continuous", "several": "ok_batch", "finish": "no_action"}
"""Words of the recordings. The release logs a bare Finish as a failed turn, and ends play there."""

DETAIL = {
    "unknown_recipe": ("recipe",),
    "unknown_step": ("step", "max"),
    "past_time": ("clock",),
    "object_occupied": ("object",),
    "object_property": ("object", "property", "have", "need"),
    "time_constraint": ("step", "after", "limit"),
    "already_running": ("finish",),
    "dep_incomplete": ("needs",),
    "dep_unfinished": ("needs", "finish"),
}
"""The facts that the recordings hold of each refusal."""


@pytest.mark.parametrize("name", ["recipe2plan", "recipe2plan_corners"])
def test_recorded_runs_replay_exactly(vectors: Path, compare: Compare, name: str) -> None:
    compare(f"{name}.json", "steps", each(episodes_in(vectors, f"{name}.json"), replay))


def replay(episode: dict[str, Any]) -> int:
    """Play an episode's texts under released rules; returns the number of steps compared."""
    world = world_in(episode)
    state = world.start()
    for number, recorded in enumerate(episode["steps"]):
        where = f"{episode['id']} step {number}: {recorded.get('text', recorded['actions'])!r}"
        assert not state.ended, where
        before, decision = state, decided(world, state, episode, recorded)
        step = world.step(state, {COOK: decision})
        state = step.state
        fields = told(world, decision, step, recorded) | texts_read(world, episode, recorded)
        assert fields | prompted(world, before, episode) == recorded, where
    assert ending(world, state, episode) == episode["final"], episode["id"]
    if episode["mode"] == "react":
        assert loop(world, state) == {key: episode[key] for key in loop(world, state)}, episode["id"]
    if episode["mode"] == "summary_loop":
        assert len(episode["steps"]) == len(episode["log"]) or state.ended == "revision_limit", episode["id"]
    if "plan_agent" in episode:
        assert asked_for(episode) == episode["plan_agent"], episode["id"]
    return len(episode["steps"])


def world_in(episode: dict[str, Any]) -> Recipe2Plan:
    rules, limits = RELEASED, NO_LIMITS
    if episode["mode"] == "react":
        limits = Limits(episode["turn_limit"], episode["revision_limit"], 3, True)
    elif episode["mode"] == "summary_loop":
        rules, limits = LOG_RULES, LOG_LIMITS
    lags = "on" if episode["time_constraints"] else "off"
    hints = "on" if episode.get("hints") else "off"
    return world_of(f"{'+'.join(episode['recipes'])}@hints={hints},lags={lags}", rules, limits)


def decided(
    world: Recipe2Plan, state: State, episode: dict[str, Any], recorded: dict[str, Any]
) -> Cook | Refusal:
    """What the text is read as; elsewhere than in the loop it is read as a plan."""
    text = recorded.get("text")
    if text is None:
        text = world.words(Cook((Piece(*recorded["actions"][0]),)))
    if episode["mode"] == "react":
        return world.parse(state, COOK, text)
    return world.reader.read_plan(text, reading(episode))


def reading(episode: dict[str, Any]) -> PlanReading:
    """Who has read the plan, or the texts one by one."""
    repaired = episode.get("heuristic_correction", False)
    if episode["mode"] == "summary_plan":
        return SUMMARY_REPAIRED if repaired else SUMMARY
    return PLAN_AGENT if repaired else LOG


def texts_read(world: Recipe2Plan, episode: dict[str, Any], recorded: dict[str, Any]) -> dict[str, Any]:
    """What is left of a text after cutting; the recordings leave it out where that is all of it."""
    if "text" not in recorded:
        return {}
    text = recorded["text"]
    kept = cut(text) if episode["mode"] == "react" else reading(episode).kept(text)
    return {"text": text} | ({"evaluated_text": kept} if kept != text else {})


def prompted(world: Recipe2Plan, before: State, episode: dict[str, Any]) -> dict[str, Any]:
    """The hint that the text answers, and whether it came with the reminder, where the loop gave hints."""
    if not episode.get("hints"):
        return {}
    seen = world.observe(before, COOK)
    fields: dict[str, Any] = {"prompt_reminder": REMINDER in world.describe(seen)}
    if seen.ready is None:
        return fields
    return fields | {"prompt_hint": [[one.time, [list(step) for step in one.steps]] for one in seen.ready]}


def asked_for(episode: dict[str, Any]) -> dict[str, Any]:
    """What the program that asks for a plan makes of it: lags are in force whatever the level."""
    world = world_of(f"{'+'.join(episode['recipes'])}@lags=on", RELEASED)
    decision = world.reader.read_plan(episode["steps"][0]["text"], PLAN_AGENT)
    step = world.step(world.start(), {COOK: decision})
    recorded = episode["plan_agent"]
    fields = told(world, decision, step, recorded) | {"goal_ratio": goals(world, step.state.kitchen)}
    return {name: value for name, value in fields.items() if name in recorded}


def told(
    world: Recipe2Plan, decision: Cook | Refusal, step: Step[State], recorded: dict[str, Any]
) -> dict[str, Any]:
    """The step in the words of the recordings."""
    state = step.state
    kitchen, feedback = state.kitchen, state.feedback
    actions = decision.actions if isinstance(decision, Cook) else ()
    fields: dict[str, Any] = {
        "actions": [[piece.step, piece.recipe, piece.seconds, piece.start] for piece in actions],
        "accepted": feedback.kind in ("started", "cooked", "several"),
        "clock": kitchen.clock,
        "history_len": kitchen.actions,
        "progress": progress(world, kitchen),
        "rel_eff": relative(world, kitchen),
        **kind(step),
        **things(world, state),
    }
    if len(actions) != 1:
        fields["executed"] = feedback.executed
    if "hint" in recorded:
        hint = world.rulebook.legality.hint(kitchen)
        fields["hint"] = [[time, [[piece.recipe, piece.step] for piece in pieces]] for time, pieces in hint]
    return fields


def kind(step: Step[State]) -> dict[str, Any]:
    if not step.refusals:
        return {"kind": KIND[step.state.feedback.kind]}
    refusal = step.refusals[0]
    detail = {name: refusal.get(name) for name in DETAIL.get(refusal.code, ())}
    return {"kind": refusal.code, **({"detail": detail} if detail else {})}


def things(world: Recipe2Plan, state: State) -> dict[str, Any]:
    """Objects, what runs, what is done, what is left of what was begun."""
    seen = world.observe(state, COOK)
    left = state.kitchen.left
    partial: dict[str, dict[str, int]] = {}
    done: dict[str, list[int]] = {recipe.name: [] for recipe in world.scenario.recipes}
    for job in world.compiled.jobs:
        if not left[job.index]:
            done[job.recipe].append(job.number)
        elif left[job.index] < job.step.seconds:
            partial.setdefault(job.recipe, {})[str(job.number)] = left[job.index]
    fields: dict[str, Any] = {
        "objects": {
            thing.name: [thing.occupied, thing.fahrenheit] if thing.name == "oven" else thing.occupied
            for thing in seen.appliances
        },
        "running": [[running.recipe, running.step, running.ends] for running in seen.under_way],
        "done": done,
    }
    return fields | ({"partial_left": partial} if partial else {})


def progress(world: Recipe2Plan, kitchen: Kitchen) -> float:
    return round(kitchen.done / len(world.compiled.jobs), 6)


def goals(world: Recipe2Plan, kitchen: Kitchen) -> float:
    """The share of recipes that are complete."""
    done = [not any(kitchen.left[job.index] for job in jobs) for jobs in world.compiled.jobs_of.values()]
    return round(sum(done) / len(done), 6)


def relative(world: Recipe2Plan, kitchen: Kitchen) -> float | None:
    """The released program cannot compute it for pairs that are not published."""
    if world.scenario.instance is None:
        return None
    own = plans.efficiency(world.compiled, kitchen)
    reference = plans.reference_efficiency(world.scenario, kitchen.actions)
    return round(plans.released_relative(own, reference), 6)


def ending(world: Recipe2Plan, state: State, episode: dict[str, Any]) -> dict[str, Any]:
    kitchen, numbers = state.kitchen, world.outcome(state).numbers
    rel_eff = relative(world, kitchen)
    fields: dict[str, Any] = {
        "success": bool(numbers["completed"]),
        "goal_ratio": goals(world, kitchen),
        "progress": progress(world, kitchen),
        "rel_eff": rel_eff,
        "score": rel_eff if numbers["completed"] else 0,
    }
    if kitchen.actions:
        reference = plans.reference_efficiency(world.scenario, kitchen.actions)
        fields |= {
            "finish_s": numbers["seconds"],
            "sum_durations_s": numbers["work_seconds"],
            "auto_s": numbers["autonomous_seconds"],
            "abs_eff": rounded(plans.efficiency(world.compiled, kitchen)),
            "ref_eff": rounded(reference),
        }
    return fields


def rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 6)


def loop(world: Recipe2Plan, state: State) -> dict[str, Any]:
    """What the loop has counted. Where the script ran out, the program had charged for asking on."""
    asked_on = not state.ended and state.feedback.kind == "refused"
    return {
        "turns_left": world.limits.turns - state.turns,
        "revisions_left": world.limits.revisions - state.revisions - asked_on,
        "stop_reason": state.ended or "script_end",
    }
