"""What the cook of Recipe2Plan is told at each moment. All wording is ours; it tells what the released
program tells. What it is told before the first second stands in ``briefing``."""

from __future__ import annotations

from collections.abc import Iterator

from backburner.kernel.errors import shorten
from backburner.kernel.text import Kind, Part, parted
from backburner.kernel.values import Refusal
from backburner.worlds.recipe2plan.game.actions import LATEST
from backburner.worlds.recipe2plan.game.beliefs import statement
from backburner.worlds.recipe2plan.game.compiled import Compiled
from backburner.worlds.recipe2plan.game.rule_set import Rules
from backburner.worlds.recipe2plan.game.state import Feedback, Observation
from backburner.worlds.recipe2plan.game.wording import clock, length

REMINDER = "Mind that your plan keeps the time limits."
"""Behind a hint, where lags are in force."""

NOTHING_READY = "No step can be started."
"""A hint that lists nothing."""


def description_parts(observation: Observation, compiled: Compiled, rules: Rules) -> tuple[Part, ...]:
    """What the cook is told: the result of the decision, the clock, the kitchen; what it believes."""
    lines = [f"It is {clock(observation.clock)}."]
    for appliance in observation.appliances:
        heat = "" if appliance.fahrenheit is None else f", set to {appliance.fahrenheit} degrees Fahrenheit"
        cold = ", not preheated" if appliance.name == "oven" and not heat else ""
        state = "in use" if appliance.occupied else "free"
        lines.append(f"The {appliance.name} is {state}{heat}{cold}.")
    for running in observation.under_way:
        lines.append(f"Step {running.step} of {running.recipe} is running until {clock(running.ends)}.")
    for lag in observation.missed:
        bound = _bound(compiled, rules, lag.recipe, lag.step) + f"step {lag.step} of {lag.recipe}"
        limit = f"{length(lag.seconds)} after the end of step {lag.after}"
        lines.append(f"Too late: {bound} had to start within {limit}.")
    lines += _hinted(observation, compiled.scenario.lags)
    lines += _believed(observation)
    told: tuple[tuple[Kind, str], ...] = (
        ("feedback", feedback_text(observation.feedback, compiled, rules)),
        ("state", "\n".join(lines)),
    )
    return parted(told, "\n")


def _bound(compiled: Compiled, rules: Rules, recipe: object, number: object) -> str:
    """Which pieces of a step its lags bind, if it may be split."""
    if not any(job.step.splittable for job in compiled.jobs if (job.recipe, job.number) == (recipe, number)):
        return ""
    return "the first piece of " if rules.lags_bind_first_piece else "each piece of "


def _hinted(observation: Observation, lags: bool) -> Iterator[str]:
    """What can be started, if that is told at all, with a reminder where there are limits to be kept."""
    if observation.ready is None:
        return
    for ready in observation.ready:
        steps = ", ".join(f"step {number} of {recipe}" for recipe, number in ready.steps)
        yield f"Can be started from {clock(ready.time)} on: {steps}."
    if not observation.ready:
        yield NOTHING_READY
    elif lags:
        yield REMINDER


def _believed(observation: Observation) -> Iterator[str]:
    """The question before the first second; after that what was stated, whenever the cook is asked."""
    if observation.beliefs is None:
        return
    if observation.feedback.kind == "opening":
        yield "Before you begin: state what you believe about each recipe."
    elif not observation.beliefs:
        yield "You have stated no beliefs about the recipes."
    for beliefs in observation.beliefs:
        yield statement(beliefs)


def feedback_text(feedback: Feedback, compiled: Compiled, rules: Rules) -> str:
    """What became of a decision, as a sentence."""
    match feedback.kind:
        case "started":
            return "The step has started and runs by itself."
        case "cooked":
            return "You have carried out the action."
        case "several":
            return f"You have carried out all {feedback.executed} actions."
        case "finish":
            return "You have finished."
        case "stated":
            return "You have stated what you believe."
        case "refused" if feedback.refusal is not None:
            n = feedback.executed
            before = f"The first {n} actions were carried out. " if n > 1 else ""
            before = "The first action was carried out. " if n == 1 else before
            return before + refusal_text(feedback.refusal, compiled, rules)
    return ""


def refusal_text(refusal: Refusal, compiled: Compiled, rules: Rules) -> str:
    """A refusal as a sentence."""
    get = refusal.get
    step = f"Step {get('step')} of {get('recipe')}"
    match refusal.code:
        case "no_action":
            return "No action could be found in your answer."
        case "beliefs_not_asked":
            return "You are not asked for your beliefs."
        case "unknown_recipe":
            known = ", ".join(compiled.jobs_of)
            return f"{shorten(str(get('recipe')))} is none of your recipes; they are: {known}."
        case "unknown_step":
            return f"{get('recipe')} has no step {get('step')}; its steps are 0 to {get('max')}."
        case "past_time":
            return f"{step} cannot start at {_at(refusal, 'start')}: it is {_at(refusal, 'clock')} already."
        case "beyond_time":
            return f"{step} cannot start that late: the greatest time is {clock(LATEST)}."
        case "no_duration":
            return f"{step} has to be done for some time."
        case "object_occupied":
            return f"{step} cannot start at {_at(refusal, 'start')}: the {get('object')} is in use."
        case "object_property":
            have = "is not preheated" if get("have") is None else f"is at {get('have')} degrees Fahrenheit"
            return f"{step} needs {get('need')} degrees Fahrenheit; the {get('object')} {have}."
        case "time_constraint":
            limit = f"{_long(refusal, 'limit')} after the end of step {get('after')}"
            bound = _bound(compiled, rules, get("recipe"), get("step"))
            return f"{step} comes too late: {bound}it has to start within {limit}."
        case "already_done":
            return f"{step} is done already."
        case "already_running":
            return f"{step} is under way until {_at(refusal, 'finish')}."
        case "duration_exceeds":
            given, left = _long(refusal, "given"), _long(refusal, "left")
            return f"{step} cannot take {given}: only {left} of it is left."
        case "not_interruptible":
            return f"{step} cannot be split; it takes {_long(refusal, 'left')} in one go."
        case "dep_incomplete":
            return f"{step} has to wait: step {get('needs')} is not done."
        case "dep_unfinished":
            return f"{step} has to wait: step {get('needs')} runs until {_at(refusal, 'finish')}."
    return f"Refused: {refusal.code}."


def _at(refusal: Refusal, name: str) -> str:
    value = refusal.get(name)
    return clock(value) if isinstance(value, int) else "?"


def _long(refusal: Refusal, name: str) -> str:
    value = refusal.get(name)
    return length(value) if isinstance(value, int) else "?"
